//! Another judge, or another version of the prompt, on the same items.

use crate::pages::words;
use leptos::prelude::*;
use service::judge::JudgeView;
use service::validation::{Comparison, Figure, ValidationReport};

use super::choose::{name, select};
use super::parts::cell;
use super::says;
use crate::components::{Hidden, TableWrap};

/// The choice of another judge and, when one is chosen, the comparison.
pub fn compare(
    report: &ValidationReport,
    judges: &[JudgeView],
    found: Option<&Comparison>,
) -> impl IntoView + use<> {
    let others: Vec<(String, String)> = judges
        .iter()
        .filter(|judge| judge.id.as_str() != report.query.judge)
        .map(|judge| (judge.id.to_string(), name(judge)))
        .collect();
    let query = report.query.clone();
    let form = (!others.is_empty()).then(|| {
        view! {
            <form method="get" class="filters" action="#compare">
                <Hidden name="judge" value=query.judge />
                <Hidden name="rule" value=query.rule />
                <Hidden name="part" value=query.part.as_str() />
                {select("with", "Compare with", others.clone(), "")}
                <button>"Compare"</button>
            </form>
        }
    });
    let alone = others.is_empty().then(|| {
        view! {
            <p class="soft">
                "There is one judge. The runs of another one, or of another prompt, can be brought below and are compared on the same items."
            </p>
        }
    });
    view! {
        <section id="compare">
            <h2>"Against another judge"</h2>
            {form}
            {alone}
            {found.map(|found| result(found).into_any())}
        </section>
    }
}

fn result(found: &Comparison) -> impl IntoView + use<> {
    let row = |name: &str, figures: &[Figure]| {
        let cells = figures
            .iter()
            .map(|figure| cell(figure).into_any())
            .collect_view();
        view! {
            <tr>
                <th scope="row">{name.to_owned()}</th>
                {cells}
            </tr>
        }
        .into_any()
    };
    let difference = found.differences.iter().map(|difference| {
        let points = |value: f64| format!("{:+.1}", value * 100.0).replace('-', "−");
        let value = difference
            .estimate
            .map_or_else(|| "undefined".to_owned(), points);
        let interval = difference
            .ci
            .map(|ci| format!("{} to {}", points(ci.low), points(ci.high)));
        view! {
            <td class="number">
                <b>{value}</b>
                <span class="soft small below">{interval}</span>
            </td>
        }
    });
    let difference = difference.collect_view();
    let p = |p: Option<f64>| p.map_or_else(|| "undefined".to_owned(), |p| format!("p = {p:.3}"));
    let mcnemar = format!(
        "Right verdict on the item (any tag or none), of {} with a final verdict: only {} on {}, only {} on {}. McNemar, exact: {}.",
        words::count(found.verdicts, "item", "items"),
        found.judges[0],
        found.discordant[0],
        found.judges[1],
        found.discordant[1],
        p(found.mcnemar.p)
    );
    let margins = format!(
        "Levels of the items’ most severe tags, Stuart and Maxwell: {}.",
        p(found.stuart_maxwell.p)
    );
    let [first, second] = &found.judges;
    let rows = [
        row(first, &found.figures[0]),
        row(second, &found.figures[1]),
    ];
    let caption = format!(
        "{} that both judged, against the final labels, with {}",
        words::count(found.items, "item", "items"),
        says::rule(found.rule)
    );
    view! {
        <TableWrap label="Two judges on the same items">
            <table class="facets">
                <caption>{caption}</caption>
                <thead>
                    <tr>
                        <th scope="col">"Judge"</th>
                        <th scope="col" class="number">"Precision"</th>
                        <th scope="col" class="number">"Recall"</th>
                        <th scope="col" class="number">"F1"</th>
                    </tr>
                </thead>
                <tbody>
                    {rows}
                    <tr>
                        <th scope="row">"Second minus first, in points"</th>
                        {difference}
                    </tr>
                </tbody>
            </table>
        </TableWrap>
        <p>{mcnemar} " " {margins}</p>
    }
}
