//! Raters' answers as a data set of JUDGE-BENCH.

use super::{Context, failed};
use crate::error::Result;
use crate::results::{Item, Source, page};
use domain::scheme::{ItemQuestion, Level, QuestionKind, Scheme};
use serde_json::{Map, Value, json};
use std::io::Write;
use store::AnyConnection;
use store::item::StoredItem;

/// The whole study as one data set: its questions as metrics, every rater's score of each item.
pub(super) async fn write<W: Write + Send>(
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
    let mut head = json!({"dataset": context.study_name, "annotations": metrics});
    let left_out = left_out(&context.scheme);
    if !left_out.is_empty() {
        tracing::warn!(questions = %left_out.join(", "), "judge_bench.json has no place for answers of several values or in words");
        head["left_out"] = left_out.into();
    }
    let head = head.to_string();
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

/// The questions that the format has no place for, by id: several values, points, relations and words are no metric.
pub(super) fn left_out(scheme: &Scheme) -> Vec<&str> {
    let asked = scheme.item_questions.iter();
    let asked = asked.filter(|question| metric(question).is_none());
    asked.map(|question| question.id.as_str()).collect()
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
