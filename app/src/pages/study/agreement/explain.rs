//! Why the numbers are what they are, and the rows to check them with.

use crate::pages::words;
use leptos::prelude::*;
use service::agreement::{BOOTSTRAP_SEED, RESAMPLES, Stage};

use super::{Reports, says, used};

/// What went in, what was left out, how intervals were made, and the rows behind.
pub fn explain(reports: &Reports) -> impl IntoView + use<> {
    let raw = &reports.raw;
    let first = raw.groups.first().and_then(|group| group.stats.first());
    let dropped = first.map(|row| row.dropped.clone()).unwrap_or_default();
    let nothing = dropped.is_empty().then_some("Nothing was left out.");
    let list = dropped
        .into_iter()
        .map(|(reason, n)| view! { <li>{n} " " {says::dropped(&reason)}</li> })
        .collect_view();
    let scale = if raw.question.ordered {
        format!(
            "Weights follow the declared scale {}, also where a level was never used.",
            raw.labels.join(", ")
        )
    } else {
        let answers = words::count(raw.labels.len(), "answer is", "answers are");
        format!("The {answers} treated as unordered.")
    };
    let units = raw.question.units;
    let compared = format!(
        "{} of {} judged by at least two raters and part of every coefficient.",
        used(raw),
        words::count(
            raw.n_units,
            &format!("{} was", raw.question.unit),
            &format!("{units} were")
        )
    );
    let intervals = format!(
        "What is said of one item is not independent, so the intervals of kappa and alpha draw whole items with replacement \
         ({RESAMPLES} times, seed {BOOTSTRAP_SEED}) and take the middle 95 % of the results. Shares have Wilson’s interval."
    );
    view! {
        <section class="card" id="why">
            <h2>"Why these numbers"</h2>
            <dl class="pairs">
                <dt>"Compared"</dt>
                <dd>{compared}</dd>
                <dt>"Left out"</dt>
                <dd>
                    {nothing} <ul class="plain">{list}</ul>
                </dd>
                <dt>"Scale"</dt>
                <dd>{scale}</dd>
                <dt>"Intervals"</dt>
                <dd>{intervals}</dd>
                <dt>"Rare values"</dt>
                <dd>
                    "One disagreement among many identical answers can bring a coefficient near zero, because almost all "
                    "agreement is then expected by chance. Read it together with the exact agreement and the table of counts."
                </dd>
                <dt>"Rows behind them"</dt>
                <dd>
                    <a href=reports.links.rows(Stage::Raw) download>
                        "Raw values (CSV)"
                    </a>
                    " · "
                    <a href=reports.links.rows(Stage::Reconciled) download>
                        "Reconciled values (CSV)"
                    </a>
                </dd>
            </dl>
        </section>
    }
}
