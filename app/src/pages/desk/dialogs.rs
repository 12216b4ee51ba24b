//! What lies over the desk when asked for: keys, two versions side by side, the choice at a place, the content note.

use domain::scheme::Scheme;
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
                <button type="button" class="button primary" id="keep-mine" autofocus>
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
    let add = format!("{} on the selected words", words.add);
    let letter =
        |level: &domain::scheme::ValidityLevel| (level.key.to_uppercase(), level.name.clone());
    let levels = scheme.severity.as_ref().map(|scale| {
        let short = |at: Option<f64>| at.map(domain::annotation::shortest).unwrap_or_default();
        (
            format!("{} – {}", short(scale.lowest()), short(scale.highest())),
            "Severity of the current tag".to_owned(),
        )
    });
    let fixed = [
        ("↑ ↓ or K J", "Previous or next tag"),
        ("N", words.nothing),
        ("A", &*add),
        ("C", "Comment on the current tag"),
        (
            "← → in the trace",
            "Move word by word; with Shift extend; Enter adds a tag or shows the tags there",
        ),
        ("Esc", "Leave a text field, close what lies on top"),
        ("Ctrl Z", "Undo the last change"),
        ("Ctrl Enter", "Submit"),
        ("?", "These keys"),
    ];
    let asked = scheme.candidates.validity.iter();
    let asked = asked.filter(|_| scheme.candidates.asked).map(letter);
    let rows = asked.chain(levels);
    let rows = rows.chain(
        fixed
            .into_iter()
            .map(|(key, what)| (key.to_owned(), what.to_owned())),
    );
    let row = |(key, what): (String, String)| {
        view! {
            <dt>
                <kbd>{key}</kbd>
            </dt>
            <dd>{what}</dd>
        }
    };
    let rows = rows.map(row).collect_view();
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
