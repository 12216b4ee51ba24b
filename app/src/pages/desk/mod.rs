//! `/desk/{assignment}`: the judging desk. One plain form that works without script; the island makes it quick.

mod candidate;
pub mod case;
mod dialogs;
mod foot;
mod missed;
mod own;
pub mod page;
mod questions;
mod relations;

use domain::{id::CandidateId, refusal::Refusal};
use leptos::prelude::*;

use crate::{
    components::{Crumb, ErrorSummary, Kind, Notice, Page, Progress, TableWrap, Width, time::Time},
    desk_words::{Difference, gap_line},
    html::Html,
    islands::desk::DeskIsland,
    islands::desk::rules::Rules,
};
use service::desk::DeskView;

/// What a plain form sent that was refused: it is shown again instead of the stored draft.
#[derive(Clone, Debug)]
pub struct Posted {
    /// What was sent.
    pub annotation: domain::annotation::Annotation,
    /// Why it was refused.
    pub refusal: Refusal,
    /// The reason and the note of an item that cannot be rated.
    pub way_out: Option<(String, String)>,
}

/// The whole desk. `save_id` is fresh for every rendering; `show_gaps` lists what a submission still lacks.
#[component]
pub fn Desk(
    /// The assignment with everything that is shown of it.
    view: DeskView,
    /// Identity of the first save made from this page.
    #[prop(into)]
    save_id: String,
    /// Who judges; names the drafts kept in the browser.
    #[prop(into)]
    user: String,
    /// List what is missing.
    #[prop(optional)]
    show_gaps: bool,
    /// Sentences to show above the cards.
    #[prop(optional)]
    notices: Vec<(Kind, String)>,
    /// Where what was sent and what is stored differ: the next save keeps what was sent.
    #[prop(optional)]
    two_versions: Vec<Difference>,
    /// Reason and note that were sent in vain, shown again.
    #[prop(optional_no_strip)]
    way_out: Option<(String, String)>,
) -> impl IntoView {
    let open = view.state.is_open();
    let crumbs = vec![
        Crumb::link("My work", "/work"),
        Crumb::here(format!("{} · {}", view.study_name, view.batch_name)),
    ];
    let ids: Vec<CandidateId> = view.candidates.iter().map(|c| c.id.clone()).collect();
    let gaps = if show_gaps { view.gaps.as_slice() } else { &[] };
    let errors = gaps
        .iter()
        .map(|gap| gap_line(gap, &ids, &view.annotation))
        .collect();
    let island = open.then(|| {
        let (assignment, rules) = (view.assignment.to_string(), Rules::of(&view.scheme));
        view! { <DeskIsland assignment user rules /> }
    });
    let tools = tools(&view).into_any();
    let note = dialogs::content_note(&view).into_any();
    let case = case::case(&view).into_any();
    let cards = cards(&view).into_any();
    let foot = foot::foot(&view, way_out).into_any();
    let dialogs = dialogs::dialogs(&view).into_any();
    let action = format!("/desk/{}", view.assignment);
    view! {
        <Page title=format!("Item {} of {}", view.progress.position, view.progress.total) crumbs width=Width::Bare tools>
            {note}
            <form
                class="desk"
                id="desk"
                method="post"
                action=action
                data-next=view.next.map(|next| next.to_string())
                novalidate
                autocomplete="off"
            >
                // Enter in a text field presses the first button of a form: it must be a harmless one.
                <button class="unseen" name="intent" value="save" tabindex="-1" aria-hidden="true">
                    "Save"
                </button>
                <input type="hidden" name="base_version" value=view.version.to_string() />
                <input type="hidden" name="save_id" value=save_id />
                {case}
                // Closed, it holds nothing that takes the focus: it must take it itself to be scrolled by keyboard.
                <section class="cards" aria-label="Your judgement" id="cards" tabindex=(!open).then_some("0")>
                    <ErrorSummary title="Before you submit" errors />
                    {notices
                        .into_iter()
                        .map(|(kind, text)| view! { <Notice kind><p>{text}</p></Notice> })
                        .collect_view()}
                    {versions(two_versions)}
                    {cards}
                </section>
                {foot}
            </form>
            {dialogs}
            {island}
        </Page>
    }
}

/// Two versions side by side, where no script lets the rater choose: what they sent stands in the fields below.
fn versions(rows: Vec<Difference>) -> impl IntoView {
    let row = |row: Difference| {
        view! {
            <tr>
                <th scope="row">{row.field}</th>
                <td>{row.mine}</td>
                <td>{row.theirs}</td>
            </tr>
        }
    };
    (!rows.is_empty()).then(|| {
        view! {
            <TableWrap label="Both versions">
                <table>
                    <caption>
                        "What you sent stands in the fields below; saving it replaces what was saved elsewhere. To keep that instead, write it there."
                    </caption>
                    <thead>
                        <tr>
                            <th scope="col">"Field"</th>
                            <th scope="col">"Here"</th>
                            <th scope="col">"Saved elsewhere"</th>
                        </tr>
                    </thead>
                    <tbody>{rows.into_iter().map(row).collect_view()}</tbody>
                </table>
            </TableWrap>
        }
    })
}

/// Both panes as they look, to be looked at only: nothing here is sent or kept.
pub fn preview(view: &DeskView) -> impl IntoView + use<> {
    let case = case::case(view).into_any();
    let cards = cards(view).into_any();
    view! {
        <div class="desk preview">
            {case}
            <section class="cards" aria-label="Your judgement" id="cards">
                {cards}
            </section>
        </div>
    }
}

/// Progress, the state of the draft in words, undo and the keys.
fn tools(view: &DeskView) -> impl IntoView + use<> {
    let saved = match (
        view.submitted_at.filter(|_| !view.state.is_open()),
        view.saved_at,
    ) {
        (Some(at), _) => view! { "Submitted " <Time at /> }.into_any(),
        (None, Some(at)) => view! { "Saved " <Time at /> }.into_any(),
        (None, None) => view! { "Nothing written yet" }.into_any(),
    };
    let progress = view.progress;
    view! {
        <Progress done=progress.done total=progress.total unit="items" />
        <span id="save-state" class="save-state" role="status">
            {saved}
        </span>
        <button type="button" id="undo" hidden>
            "Undo"
        </button>
        <button type="button" id="keys" hidden>
            <kbd>"?"</kbd>
            " Keys"
        </button>
    }
}

/// The right pane: candidates, missed tags, questions.
fn cards(view: &DeskView) -> impl IntoView + use<> {
    let open = view.state.is_open();
    let count = view.candidates.len();
    let lead = match count {
        0 => "The judge proposed no tag for this trace.".to_owned(),
        1 => "The judge proposed one tag.".to_owned(),
        _ => format!("The judge proposed {count} tags. Judge each on its own."),
    };
    // A card is about ten thousand bytes, most of them definitions.
    let mut html = Html::with_room(10_000 * count);
    for (at, candidate) in view.candidates.iter().enumerate() {
        let judgement = view.annotation.judgements.get(&candidate.id);
        candidate::card(at + 1, candidate, judgement, view, &mut html);
    }
    let own = own::given(view).into_any();
    let tags = view.scheme.candidates.asked.then(|| {
        view! {
            <h2 class="overline">"Tags of the judge"</h2>
            <p class="lead soft small">{lead}</p>
            <div id="judged-tags" inner_html=html.done()></div>
        }
    });
    view! {
        <fieldset class="plain" disabled=!open>
            {own}
            {tags}
            {missed::missed(view).into_any()}
            {questions::questions(view).into_any()}
        </fieldset>
    }
}
