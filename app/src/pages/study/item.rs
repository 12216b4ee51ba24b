//! `/studies/{study}/items/{item}`: one item as staff see it, without any rater's judgement.

use domain::{id::ItemId, refusal::Refusal, scheme::Scheme, span::AnchorKind};
use leptos::prelude::*;
use service::{Result, desk::DeskCandidate, item, item::RunRow};
use std::sync::Arc;

use super::{
    case::{case, marks_of},
    frame::{StudyPage, Tab},
    points::points,
    steps::steps,
};
use crate::{
    components::{CategoryDefinition, Kind, LevelBadge, Notice, Width},
    pages::visit::{Visit, visit},
};

/// One item.
#[component]
pub fn ItemPage() -> impl IntoView {
    visit(one_item)
}

async fn one_item(visit: Visit) -> Result<impl IntoView> {
    let open = visit.open(Tab::Items).await?;
    let found = item::get(&visit.app, &visit.actor, &ItemId::new(visit.param("item"))).await?;
    if found.study != open.study.id {
        return Err(Refusal::NotFound.into());
    }
    let scheme = open.study.scheme.clone();
    let case = case(
        &found.item,
        &scheme.display.headings,
        marks_of(&found.candidates, None),
        true,
    )
    .into_any();
    let of_tags = scheme.has_tags() || !found.candidates.is_empty();
    let none = (found.candidates.is_empty() && !found.to_judge)
        .then(|| view! { <p class="soft">"The judge proposed no tag for this trace."</p> });
    let to_judge = found.to_judge.then(|| {
        view! {
            <Notice kind=Kind::Info>
                <p>"You still have this item to judge. Until you submit it, this page shows of the judge what your desk shows."</p>
            </Notice>
        }
    });
    let cards = found
        .candidates
        .iter()
        .map(|candidate| card(&scheme, candidate).into_any())
        .collect_view();
    let tags = of_tags.then(|| {
        view! {
            <h2 class="overline">"Tags of the judge"</h2>
            {none}
            {cards}
        }
    });
    let runs = found
        .runs
        .iter()
        .map(|run| judged(run).into_any())
        .collect_view();
    let key = found.item.key.clone();
    let said = visit.said().into_any();
    let steps = steps(&visit, &found);
    let points = points(&visit, &found);
    let fingerprint = found.trace_sha256.clone();
    Ok(view! {
        <StudyPage open tab=Tab::Items below=key.clone() width=Width::Wide>
            {said}
            <h1>{key}</h1>
            <div class="two-panes">
                <section aria-label="Case">{case} {points} {steps}</section>
                <section aria-label="What the judge said">
                    {to_judge}
                    {tags}
                    <h2 class="overline">"Judge"</h2>
                    {runs}
                    <p class="soft small">"Fingerprint of the trace (SHA-256): " <code>{fingerprint}</code></p>
                </section>
            </div>
        </StudyPage>
    })
}

fn card(scheme: &Arc<Scheme>, candidate: &DeskCandidate) -> impl IntoView + use<> {
    let name = scheme
        .name_of(&candidate.code)
        .unwrap_or(&candidate.code)
        .to_owned();
    let category = scheme
        .name_of(&candidate.category)
        .unwrap_or(&candidate.category)
        .to_owned();
    let severity = candidate.severity.zip(scheme.severity.clone());
    let severity = severity.map(|(value, scale)| view! { <LevelBadge value scale /> });
    let quotes = candidate
        .spans
        .iter()
        .map(|(_, _, quote)| view! { <blockquote>{quote.clone()}</blockquote> });
    let quotes = quotes.collect_view();
    let found = anchored(candidate);
    let (code, explanation) = (candidate.code.clone(), candidate.explanation.clone());
    view! {
        <article class="card">
            <div class="card-head">
                <b class="tag-number">{candidate.number}</b>
                <h3>{name}</h3>
                <span class="soft">{category}</span>
                <span class="push">{severity}</span>
            </div>
            {quotes}
            {found}
            <p class="soft">{explanation}</p>
            <CategoryDefinition scheme=scheme.clone() code />
        </article>
    }
}

/// How the judge's quotation was found, where it was not found word for word.
fn anchored(candidate: &DeskCandidate) -> Option<AnyView> {
    let sentence = match candidate.anchor {
        AnchorKind::Verbatim => return None,
        AnchorKind::Normalised => "Found after making quotation marks, dashes and spaces alike.",
        AnchorKind::Elided => "The judge left words out; each part has a span of its own.",
        AnchorKind::Unanchored => {
            "The judge’s quotation does not stand in the trace. It is shown as the judge wrote it:"
        }
    };
    let quoted = (candidate.anchor == AnchorKind::Unanchored).then(|| {
        let quotes = candidate
            .evidence
            .iter()
            .map(|words| view! { <blockquote>{words.clone()}</blockquote> });
        quotes.collect_view()
    });
    Some(
        view! {
            <p class="small warn-text">{sentence}</p>
            {quoted}
        }
        .into_any(),
    )
}

fn judged(run: &RunRow) -> impl IntoView + use<> {
    let verdict = if run.judged {
        "Judged".to_owned()
    } else {
        format!("Failed ({}): missing, not negative", run.failure)
    };
    let names = [
        run.judge.clone(),
        run.model.clone(),
        run.prompt_version.clone(),
    ];
    let names: Vec<String> = names.into_iter().filter(|name| !name.is_empty()).collect();
    let summary = run.summary.clone();
    view! {
        <div class="card">
            <p>
                <b>{names.join(" · ")}</b>
                " "
                {verdict}
            </p>
            <p class="soft">{summary}</p>
        </div>
    }
}
