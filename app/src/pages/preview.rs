//! `/schemes/preview`: what a scheme looks like, manual and desk, before a study is made with it.

use domain::{
    annotation::Annotation,
    assignment::AssignmentState,
    id::{AssignmentId, CandidateId, StudyId},
    scheme::{self, Scheme, SeverityScale},
    span::AnchorKind,
};
use leptos::prelude::*;
use service::desk::{DeskCandidate, DeskItem, DeskProgress, DeskView};
use std::sync::Arc;

use super::{desk, study::scheme::whole, visit::visit};
use crate::components::{Crumb, Kind, Notice, Page, Width};

/// The text of a scheme that a form sent to be looked at.
#[derive(Clone, Debug)]
pub struct Pasted(pub String);

/// Shows a scheme that is not in use.
#[component]
pub fn PreviewPage() -> impl IntoView {
    let pasted = use_context::<Pasted>();
    visit(|_| std::future::ready(Ok(preview(pasted))))
}

fn preview(pasted: Option<Pasted>) -> impl IntoView {
    let crumbs = vec![
        Crumb::link("My work", "/"),
        Crumb::link("New study", "/studies/new"),
        Crumb::here("Scheme"),
    ];
    let text = pasted.map(|pasted| pasted.0).unwrap_or_default();
    let content = match scheme::parse(&text) {
        Ok((scheme, _)) => looked_at(scheme).into_any(),
        Err(error) => view! {
            <h1>"This scheme cannot be read"</h1>
            <Notice kind=Kind::Bad>
                <p>{error.to_string()}</p>
            </Notice>
            <p>"Go back to the form, correct it there and look again. Nothing was made."</p>
        }
        .into_any(),
    };
    view! {
        <Page title="Scheme" crumbs width=Width::Wide>
            {content}
        </Page>
    }
}

fn looked_at(scheme: Scheme) -> impl IntoView {
    let scheme = Arc::new(scheme);
    let manual = whole(&scheme).into_any();
    let title = format!("{}, version {}", scheme.title, scheme.version);
    let shown = desk::preview(&sample(scheme)).into_any();
    view! {
        <h1>{title}</h1>
        <p class="soft">"This scheme can be read. Nothing is made yet."</p>
        <h2>"The desk, with an invented item"</h2>
        <div class="preview">{shown}</div>
        <h2>"The manual"</h2>
        {manual}
    }
}

/// An invented item with one tag where the scheme has tags.
fn sample(scheme: Arc<Scheme>) -> DeskView {
    let words = [
        "A first step says what the text is about.",
        "A second one draws a conclusion from it.",
    ];
    let first = u32::try_from(words[0].chars().count()).unwrap_or_default();
    let trace = words.join("\n\n");
    let end = u32::try_from(trace.chars().count()).unwrap_or_default();
    let category = scheme.categories.first();
    let tag = category
        .filter(|_| scheme.candidates.asked)
        .map(|category| DeskCandidate {
            id: CandidateId::new("sample"),
            number: 1,
            category: category.id.clone(),
            subcategory: category.subcategories.first().map(|sub| sub.id.clone()),
            code: category
                .subcategories
                .first()
                .map_or(&category.id, |sub| &sub.id)
                .clone(),
            severity: scheme.severity.as_ref().and_then(SeverityScale::highest),
            explanation: "Why the judge marked these words.".to_owned(),
            anchor: AnchorKind::Verbatim,
            evidence: vec![words[0].to_owned()],
            spans: vec![(0, first, words[0].to_owned())],
        });
    DeskView {
        assignment: AssignmentId::new("sample"),
        version: 0,
        state: AssignmentState::NotStarted,
        study: StudyId::new("sample"),
        study_name: String::new(),
        batch_name: String::new(),
        item: DeskItem {
            key: "sample".to_owned(),
            facts: vec![("Condition".to_owned(), "an example".to_owned())],
            vignette: "Here stands what sets the scene.".to_owned(),
            question: "Here stands what was asked.".to_owned(),
            options: vec!["First option".to_owned(), "Second option".to_owned()],
            answer: Some("First option".to_owned()),
            trace,
            segments: vec![
                ("Step 1".to_owned(), 0, first),
                ("Step 2".to_owned(), first + 2, end),
            ],
            numbered: false,
        },
        candidates: tag.into_iter().collect(),
        judge_answers: Vec::new(),
        annotation: Annotation::default(),
        gaps: Vec::new(),
        progress: DeskProgress::default(),
        previous: None,
        next: None,
        scheme,
        saved_at: None,
        submitted_at: None,
        can_reopen: false,
        judge_seen: false,
        judge_hidden: false,
        step: domain::own::Step::Whole,
        own: None,
    }
}
