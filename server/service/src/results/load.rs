//! What measures are computed from: every item with its facts, and with what each source says of it.

use super::Ask;
use super::differ::differ;
use crate::error::Result;
use crate::snapshot::is_single;
use crate::unit::question;
use domain::annotation::Answer;
use domain::id::{ItemId, JudgeId, UserId};
use domain::relation;
use domain::ruling::Outcome;
use domain::scheme::{ItemQuestion, QuestionKind, Scheme};
use domain::unit::{UnitState, chosen, number};
use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use store::AnyConnection;
use store::item::StoredItem;
use store::judge_answer::JudgeAnswer;
use store::round::Reviewed;
use store::unit::ItemFacts;

/// How many items are read at a time.
const STEP: i64 = 500;
/// The fact of an item that says that it is an example in judges' prompts.
const SEEN: &str = "in_judge_few_shot";

/// An item as measures see it.
pub(crate) struct Item {
    /// Facts of the item by name: demographics first, then whatever else the file said.
    pub facts: BTreeMap<String, String>,
    /// The model that wrote the text.
    pub model: String,
    /// How many parts the text has.
    pub parts: usize,
    /// How many options the item has.
    pub options: usize,
    /// What each source answered, by question; sources in their order.
    pub said: BTreeMap<Source, BTreeMap<String, Said>>,
    /// The questions on which raters or a reviewer differ, and those they could differ on.
    pub differ: BTreeMap<String, bool>,
    /// The judges in whose prompt the item stood as an example.
    pub few_shot: BTreeSet<Source>,
    /// Somebody was asked to judge it in a round that counts.
    pub asked: bool,
    /// Not everybody who was asked has answered.
    pub waiting: bool,
    /// The places of raters who could not rate it.
    pub unratable: Vec<usize>,
    /// What rulings in force say, by question; nothing where one leaves the matter open.
    pub ruled: BTreeMap<String, Option<Said>>,
}

/// What a file said beside its own fields, as far as it is one value: facts by name, as text.
fn plain(extra: &Map<String, Value>) -> BTreeMap<String, String> {
    let one = |(name, value): (&String, &Value)| {
        let text = match value {
            Value::String(text) => text.clone(),
            Value::Bool(flag) => flag.to_string(),
            Value::Number(number) => number.to_string(),
            _ => return None,
        };
        Some((name.clone(), text))
    };
    extra.iter().filter_map(one).collect()
}

/// Where answers come from.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Source {
    /// A judge, by name.
    Judge(String),
    /// A rater, by place and name.
    Rater(usize, String),
    /// The final labels.
    Final,
}

/// One source's answer to a question.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Said {
    /// The number of an ordinal answer; an averaged ruling may lie between two levels.
    pub number: Option<f64>,
    /// The chosen values, by each of those who speak for the source.
    pub values: Vec<Vec<String>>,
}

/// Every item of the study in order.
pub(super) async fn items(db: &mut AnyConnection, ask: Ask<'_>) -> Result<Vec<Item>> {
    let (mut items, mut after) = (Vec::new(), 0);
    while let Some((page, up_to)) = page(db, ask, after).await? {
        items.extend(page.into_iter().map(|(_, item)| item));
        after = up_to;
    }
    Ok(items)
}

/// The items after a place, with their texts, and the place of the last; nothing at the end.
pub(crate) async fn page(
    db: &mut AnyConnection,
    ask: Ask<'_>,
    after: i64,
) -> Result<Option<(Vec<(StoredItem, Item)>, i64)>> {
    let Ask {
        study,
        scheme,
        raters,
        frozen,
    } = ask;
    let page = store::item::after(db, study, after, STEP).await?;
    let Some(up_to) = page.last().map(|item| item.seq) else {
        return Ok(None);
    };
    let mut items = Vec::with_capacity(page.len());
    let extras = store::item::extras(db, study, after, up_to).await?;
    let (facts, rulings) = match frozen {
        Some(head) => (
            store::snapshot::facts(db, head, after, up_to).await?,
            store::snapshot::rulings(db, head, after, up_to).await?,
        ),
        None => (
            store::unit::facts(db, study, after + 1, up_to).await?,
            store::export::rulings(db, study, after, up_to).await?,
        ),
    };
    let ruled = store::ruled_answer::of_range(db, study, after, up_to).await?;
    let seen: HashSet<_> = store::judge::few_shot(db, study)
        .await?
        .into_iter()
        .collect();
    let mut judges: HashMap<ItemId, Vec<JudgeAnswer>> = HashMap::new();
    for said in store::judge_answer::of_range(db, study, after, up_to).await? {
        judges.entry(said.item.clone()).or_default().push(said);
    }
    let mut reviews: HashMap<ItemId, Vec<Reviewed>> = HashMap::new();
    for mut review in store::round::reviewed(db, study, after, up_to).await? {
        // What was given after a snapshot is no part of it.
        review.done_at = review
            .done_at
            .filter(|at| frozen.is_none_or(|head| *at <= head.signed_at));
        reviews.entry(review.item.clone()).or_default().push(review);
    }
    let mut facts: HashMap<ItemId, ItemFacts> = facts
        .into_iter()
        .map(|facts| (facts.item.clone(), facts))
        .collect();
    for item in page {
        let Some(facts) = facts.remove(&item.id) else {
            continue;
        };
        let mut known = extras.get(&item.id).map(plain).unwrap_or_default();
        known.extend(item.demographics.iter().cloned());
        let mut new = Item {
            facts: known,
            parts: item.segments.len().max(1),
            options: item.options.len(),
            model: item.model.clone(),
            said: BTreeMap::new(),
            differ: BTreeMap::new(),
            few_shot: BTreeSet::new(),
            asked: !facts.assignments.is_empty(),
            waiting: !facts.assignments.is_empty() && !facts.all_in(),
            unratable: Vec::new(),
            ruled: BTreeMap::new(),
        };
        for said in judges.remove(&item.id).unwrap_or_default() {
            judged(&mut new, scheme, said, &seen);
        }
        people(&mut new, scheme, &facts, raters);
        for asked in &scheme.item_questions {
            let unit = question::identity(&item.id, &asked.id);
            let ruling = rulings.get(&unit);
            settled(
                &mut new,
                (scheme, asked),
                &facts,
                ruling.map(|ruling| (ruling, ruled.get(&ruling.id))),
            );
            let read = reviews.get(&item.id).map(Vec::as_slice).unwrap_or_default();
            new.differ
                .extend(differ(asked, &facts, read).map(|it| (asked.id.clone(), it)));
        }
        items.push((item, new));
    }
    Ok(Some((items, up_to)))
}

/// What a judge answered, and whether it is a test of the judge.
fn judged(item: &mut Item, scheme: &Scheme, said: JudgeAnswer, seen: &HashSet<(JudgeId, ItemId)>) {
    let source = Source::Judge(said.name);
    // A file may say so of the item, which then holds for every judge.
    if item.facts.get(SEEN).is_some_and(|said| said == "true")
        || seen.contains(&(said.judge, said.item))
    {
        item.few_shot.insert(source.clone());
    }
    let of = item.said.entry(source).or_default();
    if let Some(question) = scheme.question(&said.question) {
        of.insert(said.question, one(question, &said.answer));
    }
}

fn one(question: &ItemQuestion, answer: &Answer) -> Said {
    Said {
        number: (question.kind == QuestionKind::Ordinal)
            .then(|| number(Some(answer)))
            .flatten(),
        values: vec![answer.values.clone()],
    }
}

/// What each rater answered, once every annotation of the item is in.
fn people(item: &mut Item, scheme: &Scheme, facts: &ItemFacts, raters: &[(UserId, String)]) {
    if !facts.all_in() {
        return;
    }
    for annotation in &facts.annotations {
        let Some(at) = raters
            .iter()
            .position(|(user, _)| *user == annotation.rater)
        else {
            continue;
        };
        if !annotation.ratable {
            item.unratable.push(at);
            continue;
        }
        let of = item
            .said
            .entry(Source::Rater(at, raters[at].1.clone()))
            .or_default();
        for asked in &scheme.item_questions {
            let answer = annotation.body.answers.get(&asked.id);
            match answer {
                Some(answer) => {
                    of.insert(asked.id.clone(), one(asked, answer));
                }
                None if asked.kind == QuestionKind::Multi => {
                    of.insert(asked.id.clone(), one(asked, &Answer::default()));
                }
                None => {}
            }
        }
    }
}

/// The final answer to a question: the ruling's, else what agreeing raters, or under some schemes the only one, share: the mean of numbers, the values that
/// more than half of them chose, and of relations what most draw.
fn settled(
    item: &mut Item,
    (scheme, question): (&Scheme, &ItemQuestion),
    facts: &ItemFacts,
    ruling: Option<(&store::ruling::Ruling, Option<&Vec<String>>)>,
) {
    let unit = question::identity(&facts.item, &question.id);
    let kept = facts.units.iter().find(|(kept, _)| kept.id == unit);
    let kept = kept.map(|(kept, _)| kept);
    let state = kept.map(|kept| kept.state);
    let ruled = ruling.filter(|_| state == Some(UnitState::Ruled));
    let ruled = ruled.map(|(ruling, answer)| {
        (ruling.outcome != Outcome::Unresolved).then(|| Said {
            number: ruling.severity,
            values: answer.cloned().into_iter().collect(),
        })
    });
    if let Some(ruled) = &ruled {
        item.ruled.insert(question.id.clone(), ruled.clone());
    }
    let judge = lines_of_judge(item, question).to_vec();
    let found = match (state, ruled) {
        (Some(UnitState::Ruled), Some(Some(said))) => said,
        // What one rater said alone is nobody's agreement, unless the scheme takes it for the label; as labels have it too.
        (Some(UnitState::Agreed), _)
            if kept.is_some_and(|kept| {
                kept.ratings > 1 || is_single(scheme, kept.ratings, &kept.said)
            }) =>
        {
            shared(question, facts, &judge)
        }
        // A question in which nobody ticked a box makes no unit, and yet says something.
        (None, None) if question.kind == QuestionKind::Multi && facts.all_in() => {
            let ratable = facts.annotations.iter().filter(|given| given.ratable);
            let (given, ratable) = (facts.annotations.len(), ratable.count());
            if ratable < 2 && !(scheme.single_rater_labels && given == 1 && ratable == 1) {
                return;
            }
            shared(question, facts, &judge)
        }
        _ => return,
    };
    if found != Said::default() {
        item.said
            .entry(Source::Final)
            .or_default()
            .insert(question.id.clone(), found);
    }
}

/// The relations that the item's first judge drew.
fn lines_of_judge<'a>(item: &'a Item, question: &ItemQuestion) -> &'a [String] {
    let judges = item
        .said
        .iter()
        .filter(|(source, _)| matches!(source, Source::Judge(_)));
    let mut drawn = judges.filter_map(|(_, said)| said.get(&question.id));
    let first = drawn.next().and_then(|said| said.values.first());
    first.map_or(&[], Vec::as_slice)
}

/// What agreeing raters' answers come to; relations are also told by the judge's.
pub(crate) fn shared(question: &ItemQuestion, facts: &ItemFacts, judge: &[String]) -> Said {
    let ratable: Vec<_> = facts
        .annotations
        .iter()
        .filter(|annotation| annotation.ratable)
        .collect();
    let answers = || {
        ratable
            .iter()
            .map(|annotation| annotation.body.answers.get(&question.id))
    };
    match question.kind {
        QuestionKind::Ordinal => {
            let numbers: Vec<f64> = answers().filter_map(number).collect();
            let mean = numbers.iter().sum::<f64>() / numbers.len() as f64;
            Said {
                number: (!numbers.is_empty()).then_some(mean),
                values: Vec::new(),
            }
        }
        QuestionKind::Text => Said {
            number: None,
            values: answers()
                .flatten()
                .map(|answer| answer.values.clone())
                .collect(),
        },
        QuestionKind::Relations => {
            let drawn: Vec<&[String]> = answers()
                .flatten()
                .map(|answer| answer.values.as_slice())
                .filter(|lines| !lines.is_empty())
                .collect();
            Said {
                number: None,
                values: (!drawn.is_empty())
                    .then(|| relation::together(&drawn, judge))
                    .into_iter()
                    .collect(),
            }
        }
        QuestionKind::Nominal | QuestionKind::Multi | QuestionKind::Points => {
            let sets: Vec<Vec<&String>> = answers()
                .filter_map(|answer| chosen(answer, question))
                .collect();
            if sets.is_empty() {
                return Said::default();
            }
            Said {
                number: None,
                values: vec![by_most(&sets)],
            }
        }
    }
}

/// The values that more than half of these answers have, in order.
pub(crate) fn by_most(answers: &[Vec<&String>]) -> Vec<String> {
    let mut counts: BTreeMap<&String, usize> = BTreeMap::new();
    for value in answers.iter().flatten() {
        *counts.entry(value).or_default() += 1;
    }
    let most = counts
        .into_iter()
        .filter(|(_, count)| count * 2 > answers.len());
    most.map(|(value, _)| value.clone()).collect()
}

#[cfg(test)]
mod tests {
    use super::by_most;

    #[test]
    fn what_half_of_the_raters_chose_is_not_what_most_chose() {
        let [asks, stays] = ["asks", "stays"].map(String::from);
        let both = vec![&stays, &asks];
        assert_eq!(by_most(&[vec![&asks], both.clone()]), ["asks"]);
        assert_eq!(
            by_most(&[both.clone(), both.clone(), vec![]]),
            ["asks", "stays"]
        );
        assert!(by_most(&[vec![&asks], vec![&stays]]).is_empty());
    }
}
