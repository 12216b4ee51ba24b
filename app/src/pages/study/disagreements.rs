//! `/studies/{study}/disagreements`: what differs, most distant first.

use domain::{
    annotation::shortest,
    role::Action,
    scheme::Scheme,
    unit::{UnitKind, UnitState},
};
use leptos::prelude::*;
use service::{
    Result, batch, unit,
    unit::{Page, Queue, QueueFilter, QueueRow, QueueState, RaterValue},
};
use std::sync::Arc;

use super::frame::{Open, StudyPage, Tab};
use crate::{
    actions::ruling::ConfirmUnits,
    components::{Empty, Hidden, LevelBadge, PostForm, TableWrap, Width},
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
                "A tag stands here when its raters differ by the study’s rule (see the coding manual). "
                "What raters said is shown only when all raters of the item have submitted, and stays as it is whatever is recorded here."
            </p>
            {states(&queue, &filter)}
            {filters(&open, &filter, &batches, visit.actor.user.as_str())}
            {table(&visit, &open, queue)}
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
    let kinds = [
        ("severity", "Severity"),
        ("validity", "Validity"),
        ("category", "Category"),
        ("answer", "Answer about the item"),
        ("asked", "Discussion asked for"),
        ("unanimous", "Nothing: all said the same"),
        ("within", "Less than the rule’s distance"),
    ];
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
                <label for="q-category">"Category"</label>
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
                    {kinds.map(kind).collect_view()}
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

fn table(visit: &Visit, open: &Open, queue: Queue) -> impl IntoView + use<> {
    if queue.rows.is_empty() {
        return view! {
            <Empty title="Nothing here">
                <p>
                    "No tag fits this choice. Tags appear as soon as all raters of an item have submitted and differ by the study’s rule."
                </p>
            </Empty>
        }
        .into_any();
    }
    let base = Tab::Disagreements.href(&open.study);
    let scheme = open.study.scheme.clone();
    let confirmable = open.may(Action::Rule) && queue.rows.iter().any(|row| row.unanimous);
    let row = move |row: QueueRow| queue_row(&base, &scheme, confirmable, row);
    let head =
        confirmable.then(|| view! { <th scope="col"><span class="unseen">"Confirm"</span></th> });
    let table = view! {
        <TableWrap label="Disagreements">
            <table class="queue">
                <caption>
                    "Most distant first: points of severity apart, and 2 more where validity differs, 1 where the category does, a half where discussion was asked for. "
                    "A and B are the raters in the order in which they joined."
                </caption>
                <thead>
                    <tr>
                        {head}
                        <th scope="col">"Tag"</th>
                        <th scope="col">"Item"</th>
                        <th scope="col">"What they said"</th>
                        <th scope="col" class="number">"Apart"</th>
                        <th scope="col">"Differs in"</th>
                        <th scope="col">"State"</th>
                    </tr>
                </thead>
                <tbody>{queue.rows.into_iter().map(row).collect_view()}</tbody>
            </table>
        </TableWrap>
    };
    if !confirmable {
        return table.into_any();
    }
    let form = visit.form::<ConfirmUnits>();
    let study = open.study.id.to_string();
    view! {
        <PostForm form>
            <Hidden name="study" value=study />
            {table}
            <div class="row">
                <p class="hint">
                    "Tags on which every rater gave the same value can be confirmed together. Where values differ, even by less than the rule’s distance, each is settled by itself."
                </p>
                <button class="button push">"Confirm the ticked ones"</button>
            </div>
        </PostForm>
    }
    .into_any()
}

fn queue_row(
    base: &str,
    scheme: &Arc<Scheme>,
    confirmable: bool,
    row: QueueRow,
) -> impl IntoView + use<> {
    let (state, class) = words::unit_state(row.state);
    let kinds: Vec<&str> = row
        .kinds
        .iter()
        .map(|kind| words::difference(kind))
        .collect();
    let outcome = row
        .outcome
        .map(|outcome| format!(", {}", words::outcome(outcome).to_lowercase()));
    let values = said(scheme, &row);
    let of_item = row.unit_kind == UnitKind::Item;
    let name = if of_item {
        "About the item".to_owned()
    } else if row.subcategory_name.is_empty() {
        "(category only)".to_owned()
    } else {
        row.subcategory_name.clone()
    };
    let tick = confirmable.then(|| {
        let label = format!("Confirm {name}, item {}", row.item_key);
        let pick = format!("{}/{}", row.unit, row.basis);
        let tick = row
            .unanimous
            .then(|| view! { <input type="checkbox" name="pick[]" value=pick aria-label=label /> });
        view! { <td>{tick}</td> }
    });
    view! {
        <tr>
            {tick}
            <th scope="row">
                <a href=format!("{base}/{}", row.unit)>{name}</a>
                <span class="soft small below">{row.category_name}</span>
            </th>
            <td class="key">{row.item_key}</td>
            <td>{values}</td>
            <td class="number">{shortest(row.distance)}</td>
            <td>{kinds.join(", ")}</td>
            <td>
                <span class=class>{state}</span>
                {outcome}
            </td>
        </tr>
    }
}

fn said(scheme: &Arc<Scheme>, row: &QueueRow) -> impl IntoView + use<> {
    if row.values.is_empty() {
        return "not all in yet".into_any();
    }
    let question = scheme
        .question(&row.code)
        .filter(|_| row.unit_kind == UnitKind::Item);
    let one = |value: &RaterValue| {
        let severity = value
            .severity
            .zip(scheme.severity.clone())
            .filter(|_| question.is_none());
        let answer = question.map(|question| {
            let word = |value: &String| {
                question
                    .level(value)
                    .map_or(value.clone(), |level| level.name.clone())
            };
            value.values.iter().map(word).collect::<Vec<_>>().join(", ")
        });
        let validity = if value.not_ratable {
            Some("cannot be rated")
        } else if value.not_marked {
            Some("not marked")
        } else {
            value
                .validity
                .filter(|validity| *validity != domain::scheme::Validity::Valid)
                .map(words::validity)
        };
        view! {
            <span class="said">
                <b>{value.letter.clone()}</b>
                " "
                {severity.map(|(value, scale)| view! { <LevelBadge value scale compact=true /> })}
                {answer}
                " "
                {validity}
            </span>
        }
    };
    row.values.iter().map(one).collect_view().into_any()
}
