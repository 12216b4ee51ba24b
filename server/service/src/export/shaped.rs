//! Labels in the shapes that other tools read: `verdicts.jsonl` as MindEval writes it, and a data set of JUDGE-BENCH.

use super::{Context, failed};
use crate::error::Result;
use crate::results::{Item, Said, Source, page};
use domain::annotation::shortest;
use domain::scheme::{Asked, ItemQuestion, Level, QuestionKind, UnitOfAnnotation};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::io::Write;
use std::result::Result as Either;
use store::AnyConnection;
use store::item::StoredItem;

/// One line an item: the final answers by question, each issue as 0 or 1. An item that somebody was asked to judge and
/// that has no final value yet is an error line, which readers of the format skip or count as failed and never take for
/// a verdict; one that nobody was asked about has no line, as a reply that no judge has seen has none.
pub(super) async fn verdicts<W: Write + Send>(
    connection: &mut AnyConnection,
    context: &Context,
    out: &mut W,
) -> Result<()> {
    let mut after = 0;
    while let Some((items, up_to)) = page(connection, context.into(), after).await? {
        for (item, said) in &items {
            if let Some(line) = verdict(item, said, context) {
                writeln!(out, "{line}").map_err(|cause| failed(&cause))?;
            }
        }
        after = up_to;
    }
    out.flush().map_err(|cause| failed(&cause))
}

fn verdict(item: &StoredItem, known: &Item, context: &Context) -> Option<Value> {
    let answers = known.said.get(&Source::Final);
    if answers.is_none() && !known.asked {
        return None;
    }
    let mut line = head(item);
    match answered(answers, context) {
        Ok(fields) => {
            line.extend(fields);
            line.insert("justification".into(), Value::from(""));
        }
        Err(error) => {
            line.insert("_error".into(), error.into());
        }
    }
    Some(Value::Object(line))
}

/// What names the item: its key with the parts that the key is made of.
fn head(item: &StoredItem) -> Map<String, Value> {
    let mut line = Map::new();
    // A key of a run begins with a mark of its counsellor, which these files do not have.
    let place = Place::of(item);
    line.insert("key".into(), place.key.into());
    line.insert(
        "input_sha".into(),
        item.trace_sha256
            .chars()
            .take(16)
            .collect::<String>()
            .into(),
    );
    let mut parts = place.key.split('/');
    for name in ["member", "episode"] {
        line.extend(
            parts
                .next()
                .map(|part| (name.to_owned(), Value::from(part))),
        );
    }
    let turn = parts
        .next()
        .and_then(|part| part.strip_prefix('t'))
        .and_then(|turn| turn.parse::<u64>().ok());
    line.extend(turn.map(|turn| ("turn".to_owned(), turn.into())));
    // Lines of several counsellors have the same keys; a field more is no issue of any.
    let model = place
        .marked
        .then_some(&item.model)
        .filter(|model| !model.is_empty());
    line.extend(model.map(|model| ("counselor".to_owned(), model.as_str().into())));
    line
}

/// The final answers as fields; in words why they make no verdict. A verdict holds every value that the scheme requires:
/// a reader of the format would take a reply without a severity for one without concern, and fill in a missing criterion.
fn answered(
    answers: Option<&BTreeMap<String, Said>>,
    context: &Context,
) -> Either<Map<String, Value>, String> {
    let by_reply = context.scheme.unit == UnitOfAnnotation::Reply;
    let mut fields = Map::new();
    for question in &context.scheme.item_questions {
        let name = if by_reply {
            &question.id
        } else {
            question.title()
        };
        let said = answers.and_then(|answers| answers.get(&question.id));
        let one = matches!(question.kind, QuestionKind::Ordinal | QuestionKind::Nominal);
        let said = match said {
            Some(said) => said,
            None if one && question.asked == Asked::Required => {
                return Err(format!("{name} is not settled"));
            }
            None => continue,
        };
        match question.kind {
            QuestionKind::Ordinal => {
                let value = said
                    .number
                    .ok_or_else(|| format!("{name} is not settled"))?;
                let level = question.levels.iter().find(|level| level.value == value);
                match (by_reply, level) {
                    // An average between two levels has no word in this format.
                    (true, None) => {
                        return Err(format!("{} lies between two levels", shortest(value)));
                    }
                    (true, Some(level)) => fields.insert(name.into(), level.name.clone().into()),
                    (false, _) => fields.insert(name.into(), value.into()),
                };
            }
            QuestionKind::Multi => {
                let chosen = said.values.first();
                for level in &question.levels {
                    let is = chosen
                        .is_some_and(|values| values.iter().any(|value| value == level.word()));
                    fields.insert(level.word().to_owned(), u8::from(is).into());
                }
            }
            _ => {
                let values = said
                    .values
                    .first()
                    .map(|values| values.join(";"))
                    .unwrap_or_default();
                fields.insert(name.into(), values.into());
            }
        }
    }
    Ok(fields)
}

/// Where an item stands in a run.
struct Place<'a> {
    /// Member, session and turn, as a run's own files name them; the item's key where it is of no run.
    key: &'a str,
    /// Whether the item's key had a counsellor's mark in front.
    marked: bool,
}

impl<'a> Place<'a> {
    /// A run's items say whose they are: in front of the member stands the mark.
    fn of(item: &'a StoredItem) -> Self {
        let key = item.source_key.as_str();
        let member = item.demographics.iter().find(|(name, _)| name == "member");
        let bare = member.and_then(|(_, member)| {
            let (_, rest) = key.split_once('/')?;
            let first = rest.split('/').next()?;
            (first == member && key.split('/').next() != Some(member)).then_some(rest)
        });
        Self {
            key: bare.unwrap_or(key),
            marked: bare.is_some(),
        }
    }
}

/// The whole study as one data set: its questions as metrics, every rater's score of each item.
pub(super) async fn judge_bench<W: Write + Send>(
    connection: &mut AnyConnection,
    context: &Context,
    out: &mut W,
) -> Result<()> {
    let asked = || {
        context
            .scheme
            .item_questions
            .iter()
            .filter(|question| metric(question).is_some())
    };
    let metrics: Vec<Value> = asked().filter_map(metric).collect();
    let head = json!({"dataset": context.study_name, "annotations": metrics}).to_string();
    // The instances follow page by page, so the object is left open.
    let mut text = format!("{},\"instances\":[", &head[..head.len() - 1]);
    let (mut after, mut first) = (0, true);
    while let Some((items, up_to)) = page(connection, context.into(), after).await? {
        for (item, said) in &items {
            let Some(instance) = instance(item, said, asked()) else {
                continue;
            };
            text.push_str(if first { "\n" } else { ",\n" });
            text.push_str(&instance.to_string());
            first = false;
        }
        out.write_all(text.as_bytes())
            .map_err(|cause| failed(&cause))?;
        text.clear();
        after = up_to;
    }
    text.push_str("\n]}\n");
    out.write_all(text.as_bytes())
        .and_then(|()| out.flush())
        .map_err(|cause| failed(&cause))
}

fn metric(question: &ItemQuestion) -> Option<Value> {
    let ends = question.levels.first().zip(question.levels.last());
    match question.kind {
        QuestionKind::Ordinal => {
            let (low, high) = ends?;
            Some(
                json!({"metric": question.id, "category": "graded", "worst": low.value, "best": high.value}),
            )
        }
        QuestionKind::Nominal => {
            let labels: Vec<&str> = question.levels.iter().map(Level::word).collect();
            Some(json!({"metric": question.id, "category": "categorical", "labels_list": labels}))
        }
        _ => None,
    }
}

fn instance<'a>(
    item: &StoredItem,
    known: &Item,
    asked: impl Iterator<Item = &'a ItemQuestion>,
) -> Option<Value> {
    let mut annotations = Map::new();
    for question in asked {
        let raters = known
            .said
            .iter()
            .filter(|(source, _)| matches!(source, Source::Rater(..)));
        let said = raters.filter_map(|(_, answers)| answers.get(&question.id));
        let scores: Vec<Value> = said
            .filter_map(|said| match said.number {
                Some(number) => Some(number.into()),
                None => said
                    .values
                    .first()?
                    .first()
                    .map(|word| Value::from(word.as_str())),
            })
            .collect();
        if scores.is_empty() {
            continue;
        }
        let numbers: Option<Vec<f64>> = scores.iter().map(Value::as_f64).collect();
        let mean = numbers.map(|numbers| numbers.iter().sum::<f64>() / numbers.len() as f64);
        let mut entry = Map::new();
        entry.extend(mean.map(|mean| ("mean_human".to_owned(), mean.into())));
        entry.insert("individual_human_scores".into(), scores.into());
        annotations.insert(question.id.clone(), entry.into());
    }
    (!annotations.is_empty())
        .then(|| json!({"id": item.source_key, "instance": item.trace, "annotations": annotations}))
}
