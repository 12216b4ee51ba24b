//! The bar that is always in view: what is still to do, submit, and the ways out.

use domain::{assignment::AssignmentState, own::Step};
use leptos::prelude::*;

use crate::desk_words::{NOT_RATABLE, to_go};
use crate::html::area;
use service::desk::DeskView;

/// The bar for the state the assignment is in; `way_out` is a reason and a note that were refused.
pub fn foot(view: &DeskView, way_out: Option<(String, String)>) -> impl IntoView + use<> {
    let content = match view.state {
        AssignmentState::NotStarted | AssignmentState::InProgress | AssignmentState::Reopened => {
            open(view, way_out).into_any()
        }
        AssignmentState::Submitted => closed("You submitted this item.", view).into_any(),
        AssignmentState::NotRatable => {
            closed("You said that this item cannot be rated.", view).into_any()
        }
        AssignmentState::Withdrawn => view! {
            <p class="soft">"This item was handed back; its draft is kept."</p>
            <button class="push" name="intent" value="resume">
                "Take it up again"
            </button>
        }
        .into_any(),
    };
    view! { <div class="desk-foot no-print">{content}</div> }
}

fn open(view: &DeskView, way_out: Option<(String, String)>) -> impl IntoView + use<> {
    let submit = match view.step {
        Step::Own => "Submit your own tags",
        Step::Whole | Step::Judge => "Submit",
    };
    view! {
        {cannot_rate(view, way_out)}
        <p id="to-go" class="soft small">
            {to_go(&view.gaps)}
        </p>
        <button class="push plain-only" name="intent" value="save">
            "Save draft"
        </button>
        <button class="button primary" id="submit" name="intent" value="submit">
            {submit}
            <kbd>"Ctrl ⏎"</kbd>
        </button>
    }
}

fn closed(sentence: &'static str, view: &DeskView) -> impl IntoView + use<> {
    let reopen = if view.can_reopen {
        view! {
            <button name="intent" value="reopen">
                "Open it again"
            </button>
        }
        .into_any()
    } else {
        let why = if view.judge_seen {
            "You can now see what the judge said, so only the coordinator can open it again."
        } else {
            "A ruling rests on it, so only the coordinator can open it again."
        };
        view! { <span class="soft small">{why}</span> }.into_any()
    };
    let next = view.next.as_ref().map(|next| format!("/desk/{next}"));
    let (href, label) = next.map_or_else(
        || ("/work".to_owned(), "To my work"),
        |href| (href, "Next item"),
    );
    view! {
        <p class="soft">{sentence}</p>
        {reopen}
        <a class="button primary push" href=href>
            {label}
        </a>
    }
}

/// The ways out: cannot be rated, with a reason; or back without one.
fn cannot_rate(view: &DeskView, way_out: Option<(String, String)>) -> impl IntoView + use<> {
    let again = way_out.is_some();
    let (chosen, note) = way_out.unwrap_or_default();
    let reason = |(code, name): (&'static str, &'static str)| {
        let selected = code == chosen;
        view! { <option value=code selected=selected>{name}</option> }
    };
    let hand_back = (view.state != AssignmentState::Reopened).then(|| {
        view! {
            <p class="row end">
                <span class="soft small">"Or give it back without a reason; your draft is kept."</span>
                <button name="intent" value="hand_back">
                    "Hand back"
                </button>
            </p>
        }
    });
    view! {
        <details class="ways-out" open=again>
            <summary class="button">"Cannot be rated…"</summary>
            <div class="sheet-up">
                <div class="field">
                    <label for="reason">"Why can this item not be rated?"</label>
                    <select id="reason" name="reason">
                        {NOT_RATABLE.into_iter().map(reason).collect_view()}
                    </select>
                </div>
                <div class="field">
                    <label for="note">"More about it, for the coordinator"</label>
                    <textarea id="note" name="note" rows="2" inner_html=area(&note)></textarea>
                </div>
                <p class="row end">
                    <button class="button danger" name="intent" value="cannot_rate">
                        "It cannot be rated"
                    </button>
                </p>
                {hand_back}
            </div>
        </details>
    }
}
