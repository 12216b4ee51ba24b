//! `/studies/{study}`: where the study stands, and what comes next.

use domain::{
    role::{Action, Role},
    scheme::Scheme,
};
use leptos::prelude::*;
use service::{
    Result, member,
    study::{Counts, ImportRow, StudyView},
};

use super::frame::{Open, StudyPage, Tab};
use crate::{
    components::{Empty, Progress, TableWrap, Time, Width},
    pages::{
        visit::{Visit, visit},
        words,
    },
};

/// A study at a glance.
#[component]
pub fn OverviewPage() -> impl IntoView {
    visit(overview)
}

async fn overview(visit: Visit) -> Result<impl IntoView> {
    let open = visit.open(Tab::Overview).await?;
    let study = open.study.clone();
    let staff = open.may(Action::ProgressRead);
    let members = if staff {
        member::list(&visit.app, &visit.actor, &study.id).await?
    } else {
        Vec::new()
    };
    let raters = members
        .iter()
        .filter(|member| member.role == Role::Rater && member.active)
        .count();
    Ok(view! {
        <StudyPage open=open.clone() tab=Tab::Overview width=Width::Wide>
            {visit.said()}
            <div class="page-head">
                <h1>{study.name.clone()}</h1>
                <span class="chip now">{words::study_state(study.state)}</span>
            </div>
            {staff.then(|| next_step(&open, raters))}
            {figures(&study.counts, &study.scheme, staff)}
            <h2>"Coding manual"</h2>
            <p>
                <a href=Tab::Scheme.href(&study)>{study.scheme.title.clone()}</a>
                {format!(", version {}", study.scheme_version)}
            </p>
            {staff.then(|| imports(&study))}
        </StudyPage>
    })
}

/// What a coordinator does next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Step {
    title: &'static str,
    why: &'static str,
    tab: Tab,
    label: &'static str,
}

/// The next step of a study with these counts.
fn step(counts: &Counts, members: bool) -> Step {
    if counts.items == 0 {
        return Step {
            title: "Import judged traces",
            why: "The study has nothing to judge yet. Upload the file that your judge wrote; nothing is kept if anything in it is wrong.",
            tab: Tab::Import,
            label: "Import a file",
        };
    }
    if !members {
        return Step {
            title: "Invite two raters",
            why: "Agreement needs at least two people who judge the same items without seeing each other’s answers.",
            tab: Tab::Members,
            label: "Invite raters",
        };
    }
    if counts.assignments == 0 {
        return Step {
            title: "Draw a sample",
            why: "A batch is a random sample of items, given to raters. You see the plan before anything is assigned.",
            tab: Tab::Batches,
            label: "Plan a batch",
        };
    }
    if counts.disputed + counts.stale > 0 {
        return Step {
            title: "Settle the disagreements",
            why: "Raters differ by the study’s rule. The independent judgements stay as they are whatever you record.",
            tab: Tab::Disagreements,
            label: "Open the queue",
        };
    }
    if counts.submitted < counts.assignments {
        return Step {
            title: "Wait for the raters",
            why: "They judge in their own time. Disagreements appear as soon as all raters of an item have submitted.",
            tab: Tab::Batches,
            label: "See the progress",
        };
    }
    Step {
        title: "Read the agreement and export",
        why: "Every assigned item is judged and no disagreement is open.",
        tab: Tab::Agreement,
        label: "See the agreement",
    }
}

fn next_step(open: &Open, raters: usize) -> impl IntoView + use<> {
    let step = step(&open.study.counts, raters >= 2);
    let href = step.tab.href(&open.study);
    view! {
        <section class="card next-step">
            <p class="overline">"Next step"</p>
            <h2>{step.title}</h2>
            <p>{step.why}</p>
            <p>
                <a class="button primary" href=href>
                    {step.label}
                </a>
            </p>
        </section>
    }
}

/// A count, what it counts (one, many), and a remark.
type Figure = (i64, String, String, &'static str);

fn figure((n, one, many, remark): Figure) -> impl IntoView {
    view! {
        <div class="figure">
            <b class="num">{words::number(n)}</b>
            " "
            {if n == 1 { one } else { many }}
            <span class="soft small">{remark}</span>
        </div>
    }
}

fn figures(counts: &Counts, scheme: &Scheme, staff: bool) -> impl IntoView + use<> {
    let (one, many) = scheme.unit_words();
    let named = |n, one: &str, many: &str, remark| (n, one.to_owned(), many.to_owned(), remark);
    let of_tags = |n| if scheme.has_tags() { n } else { 0 };
    let traces: [Figure; 5] = [
        named(
            counts.items,
            "item",
            "items",
            "a trace with its vignette and question",
        ),
        named(
            counts.candidates,
            "tag proposed by the judge",
            "tags proposed by the judge",
            "each is judged on its own",
        ),
        named(
            of_tags(counts.judged_negative),
            "item without a tag",
            "items without a tag",
            "the judge looked and found nothing",
        ),
        named(
            counts.judge_failures,
            "item the judge failed on",
            "items the judge failed on",
            "missing, not negative",
        ),
        named(
            counts.unanchored,
            "tag without a place",
            "tags without a place",
            "quoted words that are not in the trace",
        ),
    ];
    let of_units = |n, what: [&str; 2], remark| {
        let [single, several] = [(one, what[0]), (many, what[1])];
        let phrase = |(word, what)| format!("{word} {what}");
        (n, phrase(single), phrase(several), remark)
    };
    let work: [Figure; 3] = [
        of_units(
            counts.disputed,
            ["that differs", "that differ"],
            "by the study’s rule, not settled",
        ),
        of_units(
            counts.ruled,
            ["settled", "settled"],
            "by consensus, average or ruling",
        ),
        of_units(
            counts.stale,
            ["to look at again", "to look at again"],
            "a judgement changed after it was settled",
        ),
    ];
    let traces = traces
        .into_iter()
        .enumerate()
        .filter(|(at, figure)| *at == 0 || figure.0 > 0);
    let traces = traces.map(|(_, one)| figure(one)).collect_view();
    let work =
        staff.then(|| view! { <div class="figures">{work.map(figure).collect_view()}</div> });
    let (done, all) = (
        counts.submitted.unsigned_abs(),
        counts.assignments.unsigned_abs(),
    );
    view! {
        <h2>"What is here"</h2>
        <div class="figures">{traces}</div>
        <h2>"How far it is"</h2>
        <p class="row">
            <Progress done total=all unit="judgements" />
            <span class="soft">"items judged and submitted, over all raters"</span>
        </p>
        {work}
    }
}

fn imports(study: &StudyView) -> impl IntoView + use<> {
    let row = |import: &ImportRow| {
        view! {
            <tr>
                <th scope="row">{import.file_name.clone()}</th>
                <td>
                    <Time at=import.at />
                </td>
                <td>{import.by_name.clone()}</td>
                <td>{import.format.clone()}</td>
                <td class="number">{words::number(import.items)}</td>
                <td class="number">{words::number(import.candidates)}</td>
                <td class="number">{words::number(import.ratings)}</td>
                <td class="number">{words::number(import.rulings)}</td>
                <td class="number">{words::number(import.identical)}</td>
            </tr>
        }
    };
    let rows = study.imports.iter().map(row).collect_view();
    let table = if study.imports.is_empty() {
        view! {
            <Empty title="Nothing imported yet">
                <p>"Every import will be listed here with what it added."</p>
            </Empty>
        }
        .into_any()
    } else {
        view! {
            <TableWrap label="Imports">
                <table>
                    <caption>"What each import added. Rows that were there already are counted as identical."</caption>
                    <thead>
                        <tr>
                            <th scope="col">"File"</th>
                            <th scope="col">"When"</th>
                            <th scope="col">"By"</th>
                            <th scope="col">"Format"</th>
                            <th scope="col" class="number">"Items"</th>
                            <th scope="col" class="number">"Tags"</th>
                            <th scope="col" class="number">"Ratings"</th>
                            <th scope="col" class="number">"Rulings"</th>
                            <th scope="col" class="number">"Identical"</th>
                        </tr>
                    </thead>
                    <tbody>{rows}</tbody>
                </table>
            </TableWrap>
        }
        .into_any()
    };
    view! {
        <h2>"Imports"</h2>
        {table}
    }
}

#[cfg(test)]
mod tests {
    use super::{Counts, Tab, step};

    #[test]
    fn the_next_step_follows_from_what_is_missing() {
        let empty = Counts::default();
        assert_eq!(step(&empty, true).tab, Tab::Import);
        let imported = Counts { items: 10, ..empty };
        assert_eq!(step(&imported, false).tab, Tab::Members);
        assert_eq!(step(&imported, true).tab, Tab::Batches);
        let assigned = Counts {
            assignments: 20,
            submitted: 3,
            ..imported
        };
        assert_eq!(step(&assigned, true).label, "See the progress");
        let differing = Counts {
            disputed: 1,
            ..assigned
        };
        assert_eq!(step(&differing, true).tab, Tab::Disagreements);
        let stale = Counts {
            stale: 1,
            submitted: 20,
            ..assigned
        };
        assert_eq!(step(&stale, true).tab, Tab::Disagreements);
        let finished = Counts {
            submitted: 20,
            ..assigned
        };
        assert_eq!(step(&finished, true).tab, Tab::Agreement);
    }
}
