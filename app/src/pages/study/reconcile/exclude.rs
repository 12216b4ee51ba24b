//! Taking a unit out of the results.

use domain::unit::UnitKind;
use leptos::prelude::*;
use service::unit::UnitView;

use crate::{
    actions::triage::SetExclusion,
    components::{Hidden, PostForm, SelectField, TextField, Time},
    pages::visit::Visit,
};

/// Why the unit is out, or the form that takes it out.
pub fn exclude(visit: &Visit, unit: &UnitView) -> impl IntoView + use<> {
    let form = visit.form::<SetExclusion>();
    let version = unit.exclusion.as_ref().map_or(0, |was| was.version);
    let id = unit.row.unit.to_string();
    let out = unit.exclusion.clone().filter(|was| was.active);
    let Some(out) = out else {
        let reasons = unit.scheme.retention.excluded_reasons.iter();
        let reasons: Vec<(String, String)> =
            reasons.map(|r| (r.code.clone(), r.name.clone())).collect();
        let what = if unit.row.unit_kind == UnitKind::Item {
            "answer"
        } else {
            "tag"
        };
        return (!reasons.is_empty())
            .then(|| {
                let refused = form.was_refused();
                let (select, note) = (form.clone(), form.clone());
                view! {
                    <details open=refused>
                        <summary>{format!("Take this {what} out of the results")}</summary>
                        <PostForm form class="stack">
                            <Hidden name="unit" value=id />
                            <Hidden name="expected" value=version.to_string() />
                            <SelectField form=select name="reason" label="Reason" options=reasons />
                            <TextField form=note name="note" label="Note (may stay empty)" optional=true />
                            <p class="hint">{format!("Judgements and rulings stay as they are; the {what} leaves the queue and the retained set.")}</p>
                            <div class="row end">
                                <button class="button danger">"Take it out"</button>
                            </div>
                        </PostForm>
                    </details>
                }
            })
            .into_any();
    };
    view! {
        <section class="card">
            <p>
                <span class="chip warn">"Taken out"</span>
                " "
                {out.reason_name}
                " "
                <span class="soft small">
                    <Time at=out.at />
                </span>
            </p>
            <p class="comment">{out.note}</p>
            <PostForm form class="row end">
                <Hidden name="unit" value=id />
                <Hidden name="expected" value=version.to_string() />
                <Hidden name="reason" value="" />
                <button class="button">"Put it back"</button>
            </PostForm>
        </section>
    }
    .into_any()
}
