//! One message of a discussion.

use domain::{
    annotation::shortest,
    discussion::{MessageKind, Offer},
    scheme::QuestionKind,
};
use leptos::prelude::*;
use service::{
    discussion::{MessageView, Thread},
    unit::UnitView,
};

use crate::{
    actions::discussion::AcceptProposal,
    components::{Hidden, LevelBadge, PostForm, Time},
    pages::{study::reconcile::question, visit::Visit, words},
};

/// One message: who, when, what; a proposal with who is for it, and the one key that accepts it.
pub fn message(visit: &Visit, thread: &Thread, message: &MessageView) -> impl IntoView + use<> {
    let who = match (message.mine, message.letter.is_empty()) {
        (true, _) => "You".to_owned(),
        (false, true) => format!("{} (staff)", message.author),
        (false, false) => format!("Rater {}", message.letter),
    };
    let new = (!message.mine && message.seq > thread.seen)
        .then(|| view! { <span class="chip now">"New"</span> });
    let quote = message.quote.as_ref().map(|(start, end, words)| {
        let place = format!("Characters {start} to {end}");
        view! { <blockquote title=place>{words.clone()}</blockquote> }
    });
    let body =
        (!message.body.is_empty()).then(|| view! { <p class="comment">{message.body.clone()}</p> });
    let what = match message.kind {
        MessageKind::Remark => None,
        MessageKind::Acceptance => Some(
            view! {
                <p>
                    {message.accepts.map(|seq| format!("Accepts the proposal in message {seq}."))}
                </p>
            }
            .into_any(),
        ),
        MessageKind::Proposal => Some(proposal(&thread.unit, message).into_any()),
    };
    let accept = message
        .mine_to_accept
        .then(|| accept(visit, thread, message).into_any());
    let class = if message.mine {
        "said-by mine"
    } else {
        "said-by"
    };
    view! {
        <li class=class id=format!("m-{}", message.seq)>
            <p class="small">
                <b>{who}</b>
                " "
                <span class="soft">{format!("message {}, ", message.seq)} <Time at=message.at /></span>
                " "
                {new}
            </p>
            {quote}
            {body}
            {what}
            {accept}
        </li>
    }
}

fn proposal(unit: &UnitView, message: &MessageView) -> impl IntoView + use<> {
    let offer = message.offer.clone().unwrap_or_default();
    let severity = offer.severity.zip(question::scale(unit));
    let severity = severity.map(|(value, scale)| view! { <LevelBadge value scale /> });
    let answer = answered(unit, &offer);
    let scheme = &unit.scheme;
    let validity = offer.validity.map(words::validity);
    let code = scheme.name_of(&offer.code).map(str::to_owned);
    let favour = if message.in_favour.is_empty() {
        "No rater is for it yet.".to_owned()
    } else {
        format!("For it: rater {}.", message.in_favour.join(" and "))
    };
    let over = (!message.stands).then(|| view! { <span class="chip">"No longer stands"</span> });
    view! {
        <p>
            "Can live with: " {severity} " " {answer} " " {validity} " " {code} " " {over}
        </p>
        <p class="soft small">{favour}</p>
    }
}

/// The answer to a question in the words of its levels.
fn answered(unit: &UnitView, offer: &Offer) -> Option<String> {
    let question = question::of(unit)?;
    let several = question.kind == QuestionKind::Multi;
    (several || !offer.answer.is_empty())
        .then(|| question::words(question, &offer.answer, &unit.item.options))
}

fn accept(visit: &Visit, thread: &Thread, message: &MessageView) -> impl IntoView + use<> {
    let offer = message.offer.clone().unwrap_or_default();
    let validity = offer.validity.map(words::validity);
    let value = offer
        .severity
        .map(shortest)
        .or_else(|| answered(&thread.unit, &offer))
        .unwrap_or_else(|| validity.unwrap_or_default().to_lowercase());
    let form = visit
        .form::<AcceptProposal>()
        .repeated()
        .only_for("proposal", message.id.as_str());
    // The newest that waits gets the key: alone with script, with the browser’s modifier without.
    let newest = thread
        .messages
        .iter()
        .rfind(|other| other.mine_to_accept)
        .is_some_and(|other| other.id == message.id);
    let key = newest.then_some("y");
    let unit = thread.unit.row.unit.to_string();
    let proposal = message.id.to_string();
    let label = format!("Accept {value}");
    view! {
        <PostForm form>
            <Hidden name="unit" value=unit />
            <Hidden name="proposal" value=proposal />
            <button class="button primary" accesskey=key>
                {label}
                " "
                {newest.then(|| view! { <kbd>"Y"</kbd> })}
            </button>
        </PostForm>
    }
}
