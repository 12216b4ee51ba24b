//! `/studies/{study}/batches`: draw a sample, hand it out, watch it, take it back.

use domain::role::Role;
use leptos::prelude::*;
use service::{
    Result, batch,
    batch::{BatchPlan, BatchRow, NewBatch, RaterProgress},
    member,
    member::MemberRow,
};

use super::frame::{Open, StudyPage, Tab};
use crate::{
    actions::batch::{CreateBatch, Sent},
    components::{
        Empty, Form, Hidden, PostForm, Progress, SelectField, TableWrap, TextField, Time, Width,
    },
    pages::{
        visit::{Visit, visit},
        words,
    },
};

/// Batches of a study.
#[component]
pub fn BatchesPage() -> impl IntoView {
    visit(batches)
}

async fn batches(visit: Visit) -> Result<impl IntoView> {
    let open = visit.open(Tab::Batches).await?;
    let rows = batch::list(&visit.app, &visit.actor, &open.study.id).await?;
    let members = member::list(&visit.app, &visit.actor, &open.study.id).await?;
    let raters: Vec<MemberRow> = members
        .into_iter()
        .filter(|m| m.role == Role::Rater && m.active && m.can_sign_in)
        .collect();
    let draft = draft(&visit, &open, &raters).await?;
    let list = if rows.is_empty() {
        none().into_any()
    } else {
        rows_view(&open, rows).into_any()
    };
    Ok(view! {
        <StudyPage open tab=Tab::Batches width=Width::Wide>
            {visit.said()}
            <h1>"Batches"</h1>
            <p>
                "A batch is a random sample of the study’s items. Each item goes to several raters, each rater gets the items in an order of their own, "
                "and the seed is recorded, so that the draw can be repeated. You see counts here, never judgements."
            </p>
            {list}
            {draft}
        </StudyPage>
    })
}

fn none() -> impl IntoView {
    view! {
        <Empty title="No batch yet">
            <p>"Plan the first one below. Nothing is handed out before you have seen the plan."</p>
        </Empty>
    }
}

fn rows_view(open: &Open, rows: Vec<BatchRow>) -> impl IntoView + use<> {
    let base = Tab::Batches.href(&open.study);
    rows.into_iter()
        .map(move |row| batch_card(&base, row))
        .collect_view()
}

fn batch_card(base: &str, batch: BatchRow) -> impl IntoView + use<> {
    let href = format!("{base}/{}", batch.id);
    let facts = format!(
        "{}, {}, {} each, {}, seed {}",
        round(&batch.round),
        words::count(batch.items.cast_signed(), "item", "items"),
        words::count(batch.raters_per_item.cast_signed(), "rater", "raters"),
        stratified(&batch.stratify),
        batch.seed,
    );
    let hidden = (batch.hidden_percent > 0).then(|| {
        format!(
            "On {} of its items, a share of {} % drawn by the same seed, raters give their own tags before they see the judge’s.",
            batch.hidden, batch.hidden_percent
        )
    });
    let hidden = hidden.map(|text| view! { <p class="soft small">{text}</p> });
    let rows = batch.progress.into_iter().map(rater_row).collect_view();
    let label = format!("Progress of {}", batch.name);
    view! {
        <section class="card">
            <div class="card-head">
                <h2>{batch.name}</h2>
                <span class="push soft small">
                    "Drawn " <Time at=batch.created_at />
                </span>
            </div>
            <p class="soft small">{facts}</p>
            {hidden}
            <TableWrap label>
                <table>
                    <caption class="unseen">"How far each rater is"</caption>
                    <thead>
                        <tr>
                            <th scope="col">"Rater"</th>
                            <th scope="col">"Done"</th>
                            <th scope="col" class="number">"Begun"</th>
                            <th scope="col" class="number">"Cannot be rated"</th>
                            <th scope="col" class="number">"Handed or taken back"</th>
                        </tr>
                    </thead>
                    <tbody>{rows}</tbody>
                </table>
            </TableWrap>
            <p>
                <a href=href>"Every assignment, take back, give to another rater"</a>
            </p>
        </section>
    }
}

fn rater_row(rater: RaterProgress) -> impl IntoView {
    view! {
        <tr>
            <th scope="row">{rater.display_name}</th>
            <td>
                <Progress done=rater.done total=rater.total unit="items" />
            </td>
            <td class="number">{rater.in_progress}</td>
            <td class="number">{rater.not_ratable}</td>
            <td class="number">{rater.withdrawn}</td>
        </tr>
    }
}

/// What a round is called.
pub fn round(word: &str) -> &'static str {
    match word {
        "calibration" => "calibration round",
        "cross_check" => "cross-check",
        "imported" => "imported ratings",
        _ => "main round",
    }
}

fn stratified(word: &str) -> &'static str {
    match word {
        "model" => "stratified by model",
        "condition" => "stratified by condition",
        "category" => "stratified by category",
        _ => "simple random sample",
    }
}

/// The form, and below it the plan when one was asked for. Asking for a plan changes nothing, so it is a GET.
async fn draft(visit: &Visit, open: &Open, raters: &[MemberRow]) -> Result<AnyView> {
    if raters.is_empty() {
        return Ok(no_raters(open).into_any());
    }
    let asked = !visit.query("plan").is_empty();
    let refused = visit.form::<CreateBatch>();
    let (planned, form) = if asked {
        let planned = plan(visit, open).await;
        let refusal = planned.as_ref().err().map(service::Error::refusal);
        (
            Some(planned),
            Form::sent("/do/batch/create", visit.query_pairs(), refusal),
        )
    } else {
        (None, refused)
    };
    let outcome = match planned {
        Some(Ok((new, plan))) => Some(plan_view(open, raters, new, plan).into_any()),
        Some(Err(service::Error::Refused(refusal))) => {
            Some(crate::pages::visit::refused("/do/batch/create", refusal).into_any())
        }
        Some(Err(failure)) => return Err(failure),
        None => None,
    };
    let fields = plan_form(&form, open, raters).into_any();
    Ok(view! {
        <section id="plan">
            <h2>"Plan a batch"</h2>
            {outcome}
            {fields}
        </section>
    }
    .into_any())
}

fn no_raters(open: &Open) -> impl IntoView + use<> {
    let members = Tab::Members.href(&open.study);
    view! {
        <Empty title="There is nobody to hand a batch to">
            <p>"Invite at least two raters first."</p>
            <p>
                <a class="button primary" href=members>
                    "Invite raters"
                </a>
            </p>
        </Empty>
    }
}

async fn plan(visit: &Visit, open: &Open) -> Result<(NewBatch, BatchPlan)> {
    let sent = Sent {
        name: visit.query("name"),
        round: visit.query("round"),
        size: visit.query("size"),
        seed: visit.query("seed"),
        stratify: visit.query("stratify"),
        raters: visit.query_all("raters[]"),
        raters_per_item: visit.query("raters_per_item"),
        hidden_percent: visit.query("hidden_percent"),
    };
    let new = sent.read()?;
    let plan = batch::plan(&visit.app, &visit.actor, &open.study.id, new.clone()).await?;
    Ok((new, plan))
}

fn plan_form(form: &Form, open: &Open, raters: &[MemberRow]) -> impl IntoView + use<> {
    let options = |pairs: &[(&str, &str)]| {
        pairs
            .iter()
            .map(|(value, text)| ((*value).to_owned(), (*text).to_owned()))
            .collect::<Vec<_>>()
    };
    let rounds = options(&[
        ("main", "Main: it counts"),
        ("calibration", "Calibration: for practice, in no statistic"),
    ]);
    let strata = options(&[
        ("", "No: a simple random sample"),
        ("category", "By the category of the first tag"),
        ("condition", "By condition"),
        ("model", "By model"),
    ]);
    let person = |member: &MemberRow| {
        let id = member.user.to_string();
        let checked = form.ticked("raters[]", &id, true);
        view! {
            <label class="check">
                <input type="checkbox" name="raters[]" value=id checked=checked />
                {member.display_name.clone()}
            </label>
        }
    };
    let people = raters.iter().map(person).collect_view();
    let hidden = domain::own::can_hide(&open.study.scheme).then(|| {
        view! {
            <TextField
                form=form.clone()
                name="hidden_percent"
                label="Judge hidden at first, in percent"
                kind="number"
                min="0"
                optional=true
                hint="On this share of the items, drawn by the seed, raters give their own tags before they see the judge’s. Main round only."
            />
        }
    });
    let size = open.study.counts.items.min(20).to_string();
    let per_item = raters.len().min(2).to_string();
    let error = form
        .error("raters")
        .map(|text| view! { <p class="error">{text}</p> });
    view! {
        <form method="get" class="card" id=form.id("") action="#plan">
            <input type="hidden" name="plan" value="yes" />
            <div class="columns">
                <TextField form=form.clone() name="name" label="Name" start="Batch 1" hint="Raters see it." />
                <SelectField form=form.clone() name="round" label="Round" options=rounds />
                <TextField form=form.clone() name="size" label="How many items" kind="number" min="1" start=size />
                <SelectField form=form.clone() name="stratify" label="Stratify" options=strata />
                <TextField
                    form=form.clone()
                    name="raters_per_item"
                    label="Raters for each item"
                    kind="number"
                    min="1"
                    start=per_item
                    hint="Two are needed for agreement."
                />
                <TextField
                    form=form.clone()
                    name="seed"
                    label="Seed"
                    optional=true
                    hint="A whole number. Left empty, one is drawn and shown."
                />
                {hidden}
            </div>
            <fieldset id=form.id("raters")>
                <legend>"Who rates"</legend>
                {error}
                {people}
            </fieldset>
            <button class="button primary">"Show the plan"</button>
        </form>
    }
}

fn plan_view(
    open: &Open,
    raters: &[MemberRow],
    new: NewBatch,
    plan: BatchPlan,
) -> impl IntoView + use<> {
    let name_of = |user: &domain::id::UserId| {
        raters
            .iter()
            .find(|rater| rater.user == *user)
            .map_or_else(String::new, |rater| rater.display_name.clone())
    };
    let stratum = |stratum: &batch::Stratum| {
        let value = if stratum.value.is_empty() {
            "All items".to_owned()
        } else {
            stratum_name(open, &new, &stratum.value)
        };
        view! {
            <tr>
                <th scope="row">{value}</th>
                <td class="number">{stratum.available}</td>
                <td class="number">{stratum.drawn}</td>
            </tr>
        }
    };
    let strata = plan.strata.iter().map(stratum).collect_view();
    let share = plan.raters.iter().map(|(user, n)| {
        view! { <li>{name_of(user)} ": " {words::count(n.cast_signed(), "item", "items")}</li> }
    });
    let share = share.collect_view();
    let sentence = format!(
        "{} of {} would be drawn with seed {}, {} each.",
        new.size,
        words::count(plan.available, "available item", "available items"),
        plan.seed,
        words::count(i64::from(new.raters_per_item), "rater", "raters"),
    );
    let first = (new.hidden_percent > 0).then(|| {
        let sentence = format!(
            "On {} raters would give their own tags before they see the judge’s.",
            words::count(plan.hidden.cast_signed(), "item", "items")
        );
        view! { <p>{sentence}</p> }
    });
    let form = Form::new("/do/batch/create", None);
    let hidden = [
        ("study", open.study.id.to_string()),
        ("name", new.name),
        ("round", new.round.as_str().to_owned()),
        ("size", new.size.to_string()),
        ("seed", plan.seed.to_string()),
        ("stratify", new.stratify.as_str().to_owned()),
        ("raters_per_item", new.raters_per_item.to_string()),
        ("hidden_percent", new.hidden_percent.to_string()),
    ];
    let hidden = hidden
        .map(|(name, value)| view! { <Hidden name value /> })
        .collect_view();
    let chosen = new
        .raters
        .iter()
        .map(|user| view! { <Hidden name="raters[]" value=user.as_str() /> })
        .collect_view();
    view! {
        <section class="card next-step" aria-labelledby="the-plan">
            <h3 id="the-plan">"This is the plan. Nothing is handed out yet."</h3>
            <p>{sentence}</p>
            {first}
            <div class="columns">
                <TableWrap label="What is drawn">
                    <table>
                        <caption class="unseen">"What is drawn from where"</caption>
                        <thead>
                            <tr>
                                <th scope="col">"From"</th>
                                <th scope="col" class="number">"Available"</th>
                                <th scope="col" class="number">"Drawn"</th>
                            </tr>
                        </thead>
                        <tbody>{strata}</tbody>
                    </table>
                </TableWrap>
                <div>
                    <h4>"Who gets how much"</h4>
                    <ul>{share}</ul>
                </div>
            </div>
            <PostForm form>
                {hidden} {chosen} <button class="button primary">"Draw and hand out"</button>
            </PostForm>
        </section>
    }
}

fn stratum_name(open: &Open, new: &NewBatch, value: &str) -> String {
    if new.stratify == batch::Stratify::Category {
        return open.study.scheme.name_of(value).unwrap_or(value).to_owned();
    }
    value.to_owned()
}
