//! What lies over the desk when asked for: keys, two versions side by side, the choice at a place, the content note.

use domain::{
    annotation::shortest,
    scheme::{Asked, ItemQuestion, Level, QuestionKind, Scheme},
};
use leptos::prelude::*;

use super::{
    missed::options,
    own::{Words, words},
};
use crate::components::Dialog;
use service::desk::DeskView;

/// The dialogs that the island opens.
pub fn dialogs(view: &DeskView) -> impl IntoView + use<> {
    let words = words(view.step);
    view! {
        {keys(&view.scheme, &words)}
        <Dialog id="conflict" title="This item changed in another window" wide=true>
            <p>"Both versions are here. Nothing is replaced until you choose."</p>
            <div class="table-wrap">
                <table>
                    <thead>
                        <tr>
                            <th scope="col">"Field"</th>
                            <th scope="col">"Here"</th>
                            <th scope="col">"There"</th>
                        </tr>
                    </thead>
                    <tbody id="conflict-rows"></tbody>
                </table>
            </div>
            <div class="row end">
                <button type="button" id="take-theirs">
                    "Take what is there"
                </button>
                <button type="button" class="button primary" id="keep-mine">
                    "Keep what is here"
                </button>
            </div>
        </Dialog>
        <div class="popup" id="chooser" role="dialog" aria-label="Tags at this place" hidden></div>
        <div class="popup" id="adder" role="dialog" aria-label=words.add hidden>
            <blockquote></blockquote>
            <label for="adder-code">{words.ask}</label>
            <select id="adder-code" inner_html=options(None, &view.scheme)></select>
            <div class="row end">
                <button type="button" id="adder-cancel">
                    "Cancel"
                </button>
                <button type="button" class="button primary" id="adder-add">
                    "Add"
                </button>
            </div>
        </div>
        <p class="toast" id="say" role="status"></p>
    }
}

/// What the texts may touch on, before anything is written in a batch.
pub fn content_note(view: &DeskView) -> impl IntoView + use<> {
    let first = view.progress.done == 0 && view.saved_at.is_none() && view.state.is_open();
    (first && !view.scheme.content_note.is_empty()).then(|| {
        view! {
            <dialog id="content-note" class="note" aria-labelledby="content-note-title" data-study=view.study.to_string() open>
                <h2 id="content-note-title">"Before you begin"</h2>
                <p>{view.scheme.introduction.clone()}</p>
                <p>{view.scheme.content_note.clone()}</p>
                <form method="dialog" class="row end">
                    <button class="button primary">"Begin"</button>
                </form>
            </dialog>
        }
    })
}

fn keys(scheme: &Scheme, words: &Words) -> impl IntoView + use<> {
    let rows = listed(scheme, words);
    let row = |(key, what): (String, String)| {
        view! {
            <dt>
                <kbd>{key}</kbd>
            </dt>
            <dd>{what}</dd>
        }
    };
    let rows = rows.into_iter().map(row).collect_view();
    view! {
        <Dialog id="help" title="Keys">
            <dl class="pairs">{rows}</dl>
            <label class="check">
                <input type="checkbox" id="single-keys" checked />
                "Use single keys (Ctrl and Esc combinations always work)"
            </label>
            <form method="dialog" class="row end">
                <button class="button primary">"Close"</button>
            </form>
        </Dialog>
    }
}

/// The keys that do something under a scheme, and what.
fn listed(scheme: &Scheme, words: &Words) -> Vec<(String, String)> {
    let mut rows: Vec<(String, String)> = Vec::new();
    let mut add = |key: &str, what: &str| rows.push((key.to_owned(), what.to_owned()));
    let (judged, added) = (scheme.candidates.asked, scheme.missed.asked);
    let asked = |question: &&ItemQuestion| question.asked != Asked::Hidden;
    let questions: Vec<_> = scheme.item_questions.iter().filter(asked).collect();
    for level in scheme.candidates.validity.iter().filter(|_| judged) {
        add(&level.key.to_uppercase(), &level.name);
    }
    let tags = judged || added;
    if let Some(scale) = scheme.severity.as_ref().filter(|_| tags) {
        add(&range(&scale.levels), "Severity of the current tag");
    }
    let ordinal = questions
        .iter()
        .filter(|question| question.kind == QuestionKind::Ordinal);
    let mut ranges: Vec<String> = ordinal.map(|question| range(&question.levels)).collect();
    ranges.sort();
    ranges.dedup();
    if !ranges.is_empty() {
        add(&ranges.join(", "), "Answer to the current question");
    }
    let what = match (tags, questions.is_empty()) {
        (true, true) => "tag",
        (true, false) => "tag or question",
        (false, _) => "question",
    };
    add("↑ ↓ or K J", &format!("Previous or next {what}"));
    if added {
        add("N", words.nothing);
        add("A", &format!("{} on the selected words", words.add));
    }
    if judged || added || questions.iter().any(|question| question.takes_reason()) {
        let written = if tags { "Comment on" } else { "Reason for" };
        add("C", &format!("{written} the current {what}"));
    }
    if added {
        add(
            "← → in the trace",
            "Move word by word; with Shift extend; Enter adds a tag or shows the tags there",
        );
    } else if judged {
        add(
            "← → in the trace",
            "Move word by word; Enter shows the tags there",
        );
    }
    add("Esc", "Leave a text field, close what lies on top");
    add("Ctrl Z", "Undo the last change");
    add("Ctrl Enter", "Submit");
    add("?", "These keys");
    rows
}

/// The lowest and the highest of the levels that a key can press.
fn range(levels: &[Level]) -> String {
    let ends = levels.first().zip(levels.last());
    ends.map(|(low, high)| format!("{} – {}", shortest(low.value), shortest(high.value)))
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::{listed, words};
    use domain::{own::Step, scheme};

    fn keys(scheme: &str, step: Step) -> Vec<String> {
        let scheme = scheme::parse(scheme::builtin(scheme).unwrap()).unwrap().0;
        let rows = listed(&step.scheme(&scheme), &words(step));
        rows.into_iter().map(|(key, _)| key).collect()
    }

    #[test]
    fn only_keys_that_do_something_are_listed() {
        let all = ["Esc", "Ctrl Z", "Ctrl Enter", "?"];
        let steps = "↑ ↓ or K J";
        let trace = "← → in the trace";
        let with = |own: &[&str]| -> Vec<String> {
            own.iter().chain(&all).map(ToString::to_string).collect()
        };
        assert_eq!(
            keys("stigma", Step::Whole),
            with(&["V", "O", "X", "1 – 5", steps, "N", "A", "C", trace])
        );
        assert_eq!(
            keys("stigma", Step::Judge),
            with(&["V", "O", "X", "1 – 5", steps, "C", trace])
        );
        assert_eq!(
            keys("mindeval1-rubric", Step::Whole),
            with(&["1 – 6", steps, "C"])
        );
        assert_eq!(
            keys("psrs-main-results", Step::Whole),
            with(&["0 – 2", steps, "C"])
        );
    }
}
