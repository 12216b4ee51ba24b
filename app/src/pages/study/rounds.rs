//! `/studies/{study}/rounds`: calibration, and cross-checks with their counts.

use domain::role::{Action, Role};
use leptos::prelude::*;
use service::{
    Result, batch,
    batch::BatchRow,
    member,
    round::{self, Calibrated, ModelRow, QuestionRow, RaterScore},
};

use super::frame::{Open, StudyPage, Tab};
use crate::{
    actions::round::{Calibrate, CreateCheck},
    components::{Empty, Hidden, PostForm, SelectField, TableWrap, TextField, Width},
    pages::{
        visit::{Visit, visit},
        words,
    },
};

/// Calibration and cross-check.
#[component]
pub fn RoundsPage() -> impl IntoView {
    visit(rounds)
}

async fn rounds(visit: Visit) -> Result<impl IntoView> {
    let open = visit.open(Tab::Rounds).await?;
    let rows = round::disagreements(&visit.app, &visit.actor, &open.study.id).await?;
    let mut calibrations = Vec::new();
    if open.may(Action::ProgressRead) {
        for batch in batch::list(&visit.app, &visit.actor, &open.study.id).await? {
            if batch.round == "calibration" {
                let scores = round::calibration(&visit.app, &visit.actor, &batch.id).await?;
                calibrations.push(calibration(&visit, &open, batch, &scores).await?);
            }
        }
    }
    let none = calibrations.is_empty().then(|| {
        view! { <p class="soft">"No calibration batch has been drawn. Draw one on the page of batches."</p> }
    });
    let table = table(&open, &rows).into_any();
    let draw = open
        .may(Action::BatchManage)
        .then(|| draw(&visit, &open).into_any());
    Ok(view! {
        <StudyPage open tab=Tab::Rounds width=Width::Wide>
            {visit.said()}
            <h1>"Calibration and cross-check"</h1>
            <p>
                "In these rounds raters are shown each other’s judgements, but only once all that an item waits for are in, and what they said before cannot change any more. "
                "Neither round enters an agreement coefficient."
            </p>
            <h2>"Cross-check"</h2>
            {table}
            {draw}
            <h2>"Calibration"</h2>
            {none}
            {calibrations}
        </StudyPage>
    })
}

fn table(open: &Open, rows: &[ModelRow]) -> impl IntoView + use<> {
    if rows.is_empty() {
        return view! {
            <Empty title="No cross-check yet">
                <p>"A cross-check is a random sample of so many items a model, in which raters read each other’s labels and say where they agree: of an item that two judged both, of an item that one judged another rater of the study."</p>
            </Empty>
        }
        .into_any();
    }
    let row = |row: &ModelRow| {
        let counts = &row.counts;
        view! {
            <tr>
                <th scope="row">{model(row)}</th>
                <td class="number">
                    <b>{counts.items_disagreed}</b>
                </td>
                <td class="number">{of(counts.items_done, counts.items)}</td>
                <td class="number">{of(counts.reviews_disagreed, counts.reviews_done)}</td>
                <td class="number">{of(counts.labels_disagreed, counts.labels)}</td>
                <td class="number">{of(counts.reviews_done, counts.reviews)}</td>
            </tr>
        }
    };
    let by_question = by_question(rows).map(IntoAny::into_any);
    let rows = rows.iter().map(row).collect_view();
    let csv = format!("{}/disagreements.csv", Tab::Rounds.href(&open.study));
    view! {
        <TableWrap label="Disagreements by model">
            <table>
                <caption>
                    "Absolute counts, because such samples are small. An item counts as a disagreement when a reviewer disagrees with any label in it."
                </caption>
                <thead>
                    <tr>
                        <th scope="col">"Model"</th>
                        <th scope="col" class="number">"Items in disagreement"</th>
                        <th scope="col" class="number">"Items finished"</th>
                        <th scope="col" class="number">"Reviews in disagreement"</th>
                        <th scope="col" class="number">"Labels in disagreement"</th>
                        <th scope="col" class="number">"Reviews given"</th>
                    </tr>
                </thead>
                <tbody>{rows}</tbody>
            </table>
        </TableWrap>
        {by_question}
        <p>
            <a class="button" href=csv download>
                "Download as CSV"
            </a>
        </p>
    }
    .into_any()
}

fn model(row: &ModelRow) -> String {
    if row.model.is_empty() {
        "All models".to_owned()
    } else {
        row.model.clone()
    }
}

fn of(part: u64, whole: u64) -> String {
    format!("{part} of {whole}")
}

/// Items in disagreement by what is disagreed with; nothing where only one thing was read.
fn by_question(rows: &[ModelRow]) -> Option<impl IntoView + use<>> {
    // All models together have read whatever one of them has.
    let questions = rows.last().map(|all| all.questions.clone())?;
    if questions.len() < 2 {
        return None;
    }
    let heads = questions
        .iter()
        .map(|question| view! { <th scope="col" class="number">{question.title.clone()}</th> })
        .collect_view();
    let row = |row: &ModelRow| {
        let cell = |asked: &QuestionRow| {
            let own = row
                .questions
                .iter()
                .find(|own| own.question == asked.question);
            let counts = own.map(|own| own.counts).unwrap_or_default();
            view! { <td class="number">{of(counts.items_disagreed, counts.items_done)}</td> }
        };
        let cells = questions.iter().map(cell).collect_view();
        view! {
            <tr>
                <th scope="row">{model(row)}</th>
                {cells}
            </tr>
        }
    };
    let rows = rows.iter().map(row).collect_view();
    Some(view! {
        <TableWrap label="Items in disagreement by question">
            <table>
                <caption>"Items in disagreement by question, of the finished ones in which it was answered."</caption>
                <thead>
                    <tr>
                        <th scope="col">"Model"</th>
                        {heads}
                    </tr>
                </thead>
                <tbody>{rows}</tbody>
            </table>
        </TableWrap>
    })
}

fn draw(visit: &Visit, open: &Open) -> impl IntoView + use<> {
    let form = visit.form::<CreateCheck>();
    let study = open.study.id.to_string();
    view! {
        <PostForm form=form.clone() class="card">
            <h3>"Draw a cross-check"</h3>
            <Hidden name="study" value=study />
            <div class="columns">
                <TextField form=form.clone() name="name" label="Name" start="Cross-check" hint="Raters see it." />
                <TextField form=form.clone() name="size" label="Items of each model" kind="number" min="1" start="30" />
                <TextField form name="seed" label="Seed" optional=true hint="A whole number. Left empty, one is drawn and recorded." />
            </div>
            <p class="soft small">
                "Only items of which all judgements are in can be drawn, each once. Two raters of an item read each other; what the only rater of an item said is read by another rater of the study, who cannot be given the item to judge afterwards."
            </p>
            <button class="button primary">"Draw and hand out"</button>
        </PostForm>
    }
}

async fn calibration(
    visit: &Visit,
    open: &Open,
    batch: BatchRow,
    scores: &Calibrated,
) -> Result<AnyView> {
    let form = visit
        .form::<Calibrate>()
        .only_for("batch", batch.id.as_str())
        .repeated();
    let settings = if open.may(Action::BatchManage) {
        let members = member::list(&visit.app, &visit.actor, &open.study.id).await?;
        let rates = |user: &domain::id::UserId| batch.progress.iter().any(|p| p.user == *user);
        let mut options = vec![(
            String::new(),
            "Nobody: raters against each other".to_owned(),
        )];
        options.extend(
            members
                .into_iter()
                .filter(|m| m.role == Role::Rater && rates(&m.user))
                .map(|m| (m.user.to_string(), m.display_name)),
        );
        let id = batch.id.to_string();
        let percent = scores
            .pass_share
            .map(|share| format!("{:.0}", share * 100.0))
            .unwrap_or_default();
        Some(view! {
            <details>
                <summary>"What it is measured against"</summary>
                <PostForm form=form.clone()>
                    <Hidden name="batch" value=id />
                    <SelectField form=form.clone() name="reference" label="Reference" options=options />
                    <TextField
                        form
                        name="percent"
                        label="Labels that must agree, in per cent"
                        kind="number"
                        min="0"
                        max="100"
                        optional=true
                        start=percent
                        hint="Left empty, nobody has to pass."
                    />
                    <button>"Measure it like this"</button>
                </PostForm>
            </details>
        })
    } else {
        None
    };
    let against = if scores.reference.is_empty() {
        "Raters are compared with each other.".to_owned()
    } else {
        format!("Rater {} is the reference.", scores.reference)
    };
    let rows = scores.raters.iter().map(score).collect_view();
    let compared = match open.study.scheme.unit_words() {
        ("tag", _) => "Tags compared",
        ("answer", _) => "Answers compared",
        _ => "Tags and answers compared",
    };
    let label = format!("Calibration {}", batch.name);
    Ok(view! {
        <section class="card">
            <h3>{batch.name.clone()}</h3>
            <p class="soft small">{against}</p>
            <TableWrap label=label>
                <table>
                    <caption class="unseen">"How raters did"</caption>
                    <thead>
                        <tr>
                            <th scope="col">"Rater"</th>
                            <th scope="col" class="number">{compared}</th>
                            <th scope="col" class="number">"Agree by the rule"</th>
                            <th scope="col" class="number">"Exactly the same"</th>
                            <th scope="col">"Passed"</th>
                        </tr>
                    </thead>
                    <tbody>{rows}</tbody>
                </table>
            </TableWrap>
            {settings}
        </section>
    }
    .into_any())
}

fn score(score: &RaterScore) -> impl IntoView + use<> {
    let name = score
        .name
        .clone()
        .unwrap_or_else(|| format!("Rater {}", score.letter));
    let passed = match score.passed {
        None => view! { "" }.into_any(),
        Some(true) => view! { <span class="chip good">"Yes"</span> }.into_any(),
        Some(false) => view! { <span class="chip warn">"Not yet"</span> }.into_any(),
    };
    view! {
        <tr>
            <th scope="row">{name}</th>
            <td class="number">{words::number(score.compared.cast_signed())}</td>
            <td class="number">{words::number(score.agree.cast_signed())}</td>
            <td class="number">{words::number(score.exact.cast_signed())}</td>
            <td>{passed}</td>
        </tr>
    }
}
