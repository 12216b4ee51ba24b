//! `/studies/new`: a name and a coding manual.

use domain::{
    role::{Action, Role, may},
    scheme,
};
use leptos::prelude::*;
use service::{Result, study};

use crate::{
    actions::study::CreateStudy,
    components::{AreaField, Crumb, Form, Page, PostForm, TextField},
    pages::visit::{Visit, visit},
};

/// Makes a study.
#[component]
pub fn NewStudyPage() -> impl IntoView {
    visit(new_study)
}

async fn new_study(visit: Visit) -> Result<impl IntoView> {
    let studies = study::list(&visit.app, &visit.actor).await?;
    let mut roles: Vec<Role> = studies.into_iter().flat_map(|row| row.roles).collect();
    if visit.actor.is_admin {
        roles.push(Role::Admin);
    }
    if !may(&roles, Action::StudyCreate) {
        return Err(domain::refusal::Refusal::Forbidden.into());
    }
    let form = visit.form::<CreateStudy>();
    Ok(view! {
        <Page title="New study" crumbs=vec![Crumb::link("My work", "/"), Crumb::here("New study")]>
            {visit.said()}
            <h1>"New study"</h1>
            <p>
                "A study is made of a coding manual, traces that a judge has tagged, and raters who judge the tags. "
                "You become its coordinator. Traces and raters come in the next steps."
            </p>
            <PostForm form=form.clone() class="card">
                <TextField
                    form=form.clone()
                    name="name"
                    label="Name of the study"
                    hint="Members see it everywhere. 1 to 80 letters, digits, spaces or . _ -"
                />
                <fieldset>
                    <legend>"Coding manual (scheme)"</legend>
                    {BUILT_IN.iter().map(|id| built_in(&form, id)).collect_view()}
                    {own(&form)}
                </fieldset>
                <p>
                    <button class="button primary">"Make the study"</button>
                </p>
            </PostForm>
        </Page>
    })
}

/// The schemes that come with the server.
const BUILT_IN: [&str; 1] = ["stigma"];

fn built_in(form: &Form, id: &'static str) -> impl IntoView + use<> {
    let manual = scheme::builtin(id)
        .and_then(|text| scheme::parse(text).ok())?
        .0;
    let checked = form.ticked("scheme", id, true);
    let levels = manual
        .severity
        .as_ref()
        .map_or(0, |scale| scale.levels.len());
    Some(view! {
        <label class="option">
            <input type="radio" name="scheme" value=id checked=checked id=form.id("scheme") />
            <span>
                <b>{manual.title}</b>
                <span class="soft">
                    {format!(
                        "{} categories, {levels} levels of severity, missed tags asked for. {}",
                        manual.categories.len(),
                        manual.citation,
                    )}
                </span>
            </span>
        </label>
    })
}

fn own(form: &Form) -> impl IntoView + use<> {
    let checked = form.ticked("scheme", "own", false);
    let text = form.value("toml", "");
    // A refused scheme is read again here, because only the page may say what stands in it.
    let mistake = (checked && form.was_refused())
        .then(|| scheme::parse(&text).err())
        .flatten();
    let mistake = mistake.map(|mistake| {
        view! {
            <p class="error">{mistake.to_string()}</p>
        }
    });
    view! {
        <label class="option">
            <input type="radio" name="scheme" value="own" checked=checked />
            <span>
                <b>"My own"</b>
                <span class="soft">
                    "Download the manual of a study as TOML, edit it in any text editor, and paste it here."
                </span>
            </span>
        </label>
        <details open=checked>
            <summary>"Paste a scheme"</summary>
            {mistake}
            <AreaField form=form.clone() name="toml" label="Scheme as TOML" rows=12 />
        </details>
    }
}
