//! `/studies/{study}/disagreements`: what differs, most distant first.

mod rows;

use domain::{role::Action, scheme::Scheme, unit::UnitState};
use leptos::prelude::*;
use service::{
    Result, batch, unit,
    unit::{Page, Queue, QueueFilter, QueueState},
};

use super::frame::{Open, StudyPage, Tab};
use crate::{
    components::Width,
    pages::{
        pager::{Pager, SIZE, page_of},
        visit::{Visit, visit},
        words,
    },
};
use service::batch::BatchRow;

/// The queue of disagreements.
#[component]
pub fn DisagreementsPage() -> impl IntoView {
    visit(queue)
}

async fn queue(visit: Visit) -> Result<impl IntoView> {
    let open = visit.open(Tab::Disagreements).await?;
    let filter = filter_of(&visit);
    let page = page_of(&visit);
    let wanted = Page {
        number: page,
        size: SIZE,
    };
    let queue = unit::queue(&visit.app, &visit.actor, &open.study.id, &filter, wanted).await?;
    let total = queue.total;
    let (one, _) = open.study.scheme.unit_words();
    let article = if one.starts_with('a') { "An" } else { "A" };
    let stands = format!(
        "{article} {one} stands here when its raters differ by the study’s rule (see the coding manual). "
    );
    let batches = if open.may(Action::BatchManage) {
        batch::list(&visit.app, &visit.actor, &open.study.id).await?
    } else {
        Vec::new()
    };
    Ok(view! {
        <StudyPage open=open.clone() tab=Tab::Disagreements width=Width::Wide>
            {visit.said()}
            <div class="page-head">
                <h1>"Disagreements"</h1>
                {first_of(&open, &queue)}
            </div>
            <p>
                {stands}
                "What raters said is shown only when all raters of the item have submitted, and stays as it is whatever is recorded here."
            </p>
            {states(&queue, &filter)}
            {filters(&open, &filter, &batches, visit.actor.user.as_str())}
            {rows::table(&visit, &open, queue)}
            <Pager page=page total=total query=query_of(&filter) />
        </StudyPage>
    })
}

fn filter_of(visit: &Visit) -> QueueFilter {
    QueueFilter {
        state: QueueState::parse(&visit.query("state")).unwrap_or_default(),
        category: visit.query("category"),
        condition: visit.query("condition"),
        model: visit.query("model"),
        unit_kind: visit.query("unit_kind"),
        kind: visit.query("kind"),
        batch: visit.query("batch"),
        assigned: visit.query("assigned"),
        excluded: !visit.query("excluded").is_empty(),
    }
}

fn query_of(filter: &QueueFilter) -> String {
    let mut query = form_urlencoded::Serializer::new(String::new());
    let fields = [
        ("state", filter.state.as_str()),
        ("category", &filter.category),
        ("condition", &filter.condition),
        ("model", &filter.model),
        ("unit_kind", &filter.unit_kind),
        ("kind", &filter.kind),
        ("batch", &filter.batch),
        ("assigned", &filter.assigned),
        ("excluded", if filter.excluded { "yes" } else { "" }),
    ];
    for (name, value) in fields {
        if !value.is_empty() {
            query.append_pair(name, value);
        }
    }
    query.finish()
}

fn first_of(open: &Open, queue: &Queue) -> impl IntoView + use<> {
    let first = queue.rows.iter().find(|row| row.state.needs_ruling())?;
    let href = format!("{}/{}", Tab::Disagreements.href(&open.study), first.unit);
    Some(view! {
        <a class="button primary" href=href>
            "Begin with the most distant"
        </a>
    })
}

fn states(queue: &Queue, filter: &QueueFilter) -> impl IntoView + use<> {
    let count = |which: QueueState| {
        queue
            .states
            .iter()
            .filter(|(state, _)| which.shows(*state))
            .map(|(_, n)| n)
            .sum()
    };
    let link = |which: QueueState| {
        let n: i64 = count(which);
        let label = match which {
            QueueState::Work => "To settle",
            QueueState::All => "All",
            QueueState::Open => words::unit_state(UnitState::Open).0,
            QueueState::Agreed => words::unit_state(UnitState::Agreed).0,
            QueueState::Disputed => words::unit_state(UnitState::Disputed).0,
            QueueState::InDiscussion => words::unit_state(UnitState::InDiscussion).0,
            QueueState::Ruled => words::unit_state(UnitState::Ruled).0,
            QueueState::Stale => words::unit_state(UnitState::Stale).0,
        };
        let current = (which == filter.state).then_some("true");
        let href = format!(
            "?{}",
            query_of(&QueueFilter {
                state: which,
                ..filter.clone()
            })
        );
        let shown =
            n > 0 || matches!(which, QueueState::Work | QueueState::All) || which == filter.state;
        shown.then(|| {
            view! {
                <a href=href aria-current=current>
                    {label} " " <b class="num">{words::number(n)}</b>
                </a>
            }
        })
    };
    view! {
        <nav class="tabs" aria-label="By state">
            {QueueState::ALL.map(link).collect_view()}
        </nav>
    }
}

/// What can differ under a scheme, and what the units of its queue are told apart by.
fn choices(
    scheme: &Scheme,
    filter: &QueueFilter,
) -> (Vec<(&'static str, &'static str)>, &'static str) {
    let (tags, answers) = (scheme.has_tags(), !scheme.item_questions.is_empty());
    let kinds = [
        ("severity", "Severity", tags),
        ("validity", "Validity", tags),
        ("category", "Category", tags),
        ("answer", "Answer about the item", answers),
        ("asked", "Discussion asked for", true),
        ("unanimous", "Nothing: all said the same", true),
        ("within", "Less than the rule’s distance", true),
    ];
    let kinds = kinds
        .into_iter()
        .filter(|(value, _, there)| *there || *value == filter.kind)
        .map(|(value, label, _)| (value, label));
    let label = match (tags, answers) {
        (true, true) => "Category or question",
        (false, true) => "Question",
        _ => "Category",
    };
    (kinds.collect(), label)
}

fn filters(
    open: &Open,
    filter: &QueueFilter,
    batches: &[BatchRow],
    me: &str,
) -> impl IntoView + use<> {
    let category = |category: &domain::scheme::Category| {
        let selected = category.id == filter.category;
        view! {
            <option value=category.id.clone() selected=selected>
                {category.name.clone()}
            </option>
        }
    };
    let question = |question: &domain::scheme::ItemQuestion| {
        let selected = question.id == filter.category;
        view! {
            <option value=question.id.clone() selected=selected>
                {question.title().to_owned()}
            </option>
        }
    };
    let (kinds, label) = choices(&open.study.scheme, filter);
    let kind = |(value, label): (&'static str, &'static str)| {
        let selected = value == filter.kind;
        view! {
            <option value=value selected=selected>
                {label}
            </option>
        }
    };
    let batch = |batch: &BatchRow| {
        let selected = batch.id.as_str() == filter.batch;
        view! {
            <option value=batch.id.to_string() selected=selected>
                {batch.name.clone()}
            </option>
        }
    };
    let batches = (!batches.is_empty()).then(|| {
        view! {
            <div class="field">
                <label for="q-batch">"Batch"</label>
                <select id="q-batch" name="batch">
                    <option value="">"All"</option>
                    {batches.iter().map(batch).collect_view()}
                </select>
            </div>
        }
    });
    view! {
        <form method="get" class="filters">
            <input type="hidden" name="state" value=filter.state.as_str() />
            <div class="field">
                <label for="q-category">{label}</label>
                <select id="q-category" name="category">
                    <option value="">"All"</option>
                    {open.study.scheme.categories.iter().map(category).collect_view()}
                    {open.study.scheme.item_questions.iter().map(question).collect_view()}
                </select>
            </div>
            <div class="field">
                <label for="q-kind">"What differs"</label>
                <select id="q-kind" name="kind">
                    <option value="">"Anything"</option>
                    {kinds.into_iter().map(kind).collect_view()}
                </select>
            </div>
            <div class="field">
                <label for="q-condition">"Condition"</label>
                <input id="q-condition" name="condition" value=filter.condition.clone() />
            </div>
            <div class="field">
                <label for="q-model">"Model"</label>
                <input id="q-model" name="model" value=filter.model.clone() />
            </div>
            {batches}
            <label class="check">
                <input type="checkbox" name="assigned" value=me.to_owned() checked=!filter.assigned.is_empty() />
                "I am asked to settle"
            </label>
            <label class="check">
                <input type="checkbox" name="excluded" value="yes" checked=filter.excluded />
                "Taken out"
            </label>
            <button>"Show"</button>
        </form>
    }
}
