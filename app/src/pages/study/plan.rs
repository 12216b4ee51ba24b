//! `/studies/{study}/plan`: how many items to validate.

use crate::pages::words;
use leptos::prelude::*;
use service::{
    Result, plan,
    plan::{Plan, Step, Target},
};

use super::frame::{Open, StudyPage, Tab};
use super::judge::choose::select;
use crate::{
    components::{Kind, Notice, TableWrap},
    pages::visit::{Visit, visit},
};

/// Planning the size of a sample.
#[component]
pub fn PlanPage() -> impl IntoView {
    visit(page)
}

/// The width in points when none is asked for.
const WIDTH: f64 = 10.0;

async fn page(visit: Visit) -> Result<impl IntoView> {
    let open = visit.open(Tab::Plan).await?;
    if !open.study.scheme.has_tags() {
        let notice = super::untagged::notice(&open).into_any();
        return Ok(view! {
            <StudyPage open tab=Tab::Plan>
                <h1>"Sample size"</h1>
                {notice}
            </StudyPage>
        }
        .into_any());
    }
    let target = Target::parse(&visit.query("target")).unwrap_or_default();
    let points = visit
        .query("width")
        .trim()
        .replace(',', ".")
        .parse()
        .unwrap_or(WIDTH);
    let points = if (0.1..=199.0).contains(&points) {
        points
    } else {
        WIDTH
    };
    let study = &open.study.id;
    let plan = plan::simulate(&visit.app, &visit.actor, study, target, points / 100.0).await?;
    let content = content(&open, &plan, points).into_any();
    Ok(view! {
        <StudyPage open tab=Tab::Plan>
            <h1>"Sample size"</h1>
            <p>
                "How many items must raters validate for an interval this narrow? Samples of many sizes are drawn from the items validated so far, and the spread of the estimates is the width to expect."
            </p>
            {content}
        </StudyPage>
    }
    .into_any())
}

fn words(target: Target) -> &'static str {
    match target {
        Target::F1 => "F1 of the judge",
        Target::Precision => "Precision of the judge",
        Target::Recall => "Recall of the judge",
        Target::Kappa => "Weighted kappa between raters",
        Target::Alpha => "Interval alpha between raters",
        Target::Rate => "Corrected rate of stigma",
    }
}

fn content(open: &Open, plan: &Plan, points: f64) -> impl IntoView + use<> {
    let targets = Target::ALL.map(|target| (target.as_str().to_owned(), words(target).to_owned()));
    view! {
        <form method="get" class="filters">
            {select("target", "What is to be known", targets.to_vec(), plan.target.as_str())}
            <label>
                "Width of its 95 % interval, in points"
                <input type="number" name="width" min="0.1" max="199" step="0.1" value=points.to_string() />
            </label>
            <button>"Simulate"</button>
        </form>
        {answer(open, plan, points).into_any()}
        {steps(plan).into_any()}
    }
}

fn answer(open: &Open, plan: &Plan, points: f64) -> impl IntoView + use<> {
    let now = plan.now.map_or_else(
        || "Of the items validated so far no interval can be estimated.".to_owned(),
        |width| {
            format!(
                "The {} an interval about {:.1} points wide.",
                words::count(
                    plan.pilot,
                    "item validated so far gives",
                    "items validated so far give"
                ),
                width * 100.0
            )
        },
    );
    let sentence = match (plan.needed, plan.undefined) {
        (Some(needed), _) => {
            let more = needed.saturating_sub(plan.pilot as u64);
            format!(
                "About {} an interval of {points} points: {more} more than now.",
                words::count(needed, "validated item gives", "validated items give"),
            )
        }
        (None, Some("pilot_too_small")) => format!(
            "Refused: {} validated, and ten at least are needed to draw from. Validate a small random sample first.",
            words::count(plan.pilot, "item is", "items are")
        ),
        (None, _) => {
            "Refused: in the items validated so far this does not vary, or is not on record."
                .to_owned()
        }
    };
    let draw = open.may(Tab::Batches.needs()).then(|| {
        view! {
            <p>
                <a class="button primary" href=Tab::Batches.href(&open.study)>
                    "Draw a sample"
                </a>
            </p>
        }
    });
    view! {
        <Notice kind=if plan.needed.is_some() { Kind::Good } else { Kind::Warn }>
            <p>{sentence}</p>
            <p>{now}</p>
        </Notice>
        {draw}
    }
}

fn steps(plan: &Plan) -> impl IntoView + use<> {
    let row = |step: &Step| {
        view! {
            <tr>
                <th scope="row" class="number">{step.items}</th>
                <td class="number">{format!("{:.1}", step.width * 100.0)}</td>
            </tr>
        }
    };
    let rows = plan.steps.iter().map(row).collect_view();
    let note = format!(
        "200 samples of each size, drawn with replacement, seed {}.",
        plan.seed
    );
    (!plan.steps.is_empty()).then(|| {
        view! {
            <TableWrap label="Widths to expect">
                <table>
                    <caption>{note}</caption>
                    <thead>
                        <tr>
                            <th scope="col" class="number">"Validated items"</th>
                            <th scope="col" class="number">"Width in points"</th>
                        </tr>
                    </thead>
                    <tbody>{rows}</tbody>
                </table>
            </TableWrap>
            <p class="soft small">
                "It holds as far as the items to come are like those validated so far; a stratified sample is usually a little better than this."
            </p>
        }
    })
}
