//! Published benchmarks of judges: JUDGE-BENCH documents, and the raters' answers of an alt-test.

use std::collections::HashMap;
use std::io::BufRead;

use serde_json::Value;

use super::{Rated, deliver, say_who_judges, sounds_like_a_judge};
use crate::{
    Problem,
    json::{describe, doc::Doc},
    read::{Reading, Stop},
};

/// JUDGE-BENCH: `instances`, each with `annotations` by metric and the scores of people who have no names.
pub(crate) fn read_bench(input: impl BufRead, reading: &mut Reading<'_>) -> Result<(), Stop> {
    let Some(doc) = Doc::read(input, &mut reading.problems)? else {
        return Ok(());
    };
    let lines = doc.lines(Some("instances"));
    let list = doc.value.get("instances").and_then(Value::as_array);
    let mut items = Vec::new();
    for (at, instance) in list.into_iter().flatten().enumerate() {
        let line = lines.get(at).copied().unwrap_or(1);
        let key = match instance.get("id") {
            Some(Value::String(id)) => id.clone(),
            Some(Value::Number(id)) => id.to_string(),
            _ => at.to_string(),
        };
        let mut item = Rated::at(line, key);
        match instance.get("instance") {
            Some(Value::String(text)) => item.text(text),
            None | Some(Value::Null) => {}
            Some(other) => item.text(&other.to_string()),
        }
        let metrics = instance.get("annotations").and_then(Value::as_object);
        for (metric, scores) in metrics.into_iter().flatten() {
            let scores = scores.get("individual_human_scores");
            // People are slots of a list, or have names.
            let named = scores.and_then(Value::as_object).into_iter().flatten();
            let named = named.map(|(name, score)| (name.clone(), format!(".{name}"), score));
            let listed = scores.and_then(Value::as_array).into_iter().flatten();
            let listed = listed
                .enumerate()
                .map(|(slot, score)| (format!("human {}", slot + 1), format!("[{slot}]"), score));
            for (who, place, score) in named.chain(listed) {
                let path = || {
                    format!("instances[{at}].annotations.{metric}.individual_human_scores{place}")
                };
                let value = match score {
                    Value::Null => continue,
                    Value::String(text) => text.clone(),
                    Value::Number(number) => number.to_string(),
                    other => {
                        reading
                            .problem(Problem::new(line, describe(other), "a score").field(path()));
                        continue;
                    }
                };
                item.says(line, &who, false, metric, &value);
            }
        }
        items.push(item);
    }
    deliver(items, reading)
}

/// An alt-test: raters, each with a value for every item they rated.
pub(crate) fn read_alt_test(input: impl BufRead, reading: &mut Reading<'_>) -> Result<(), Stop> {
    let Some(doc) = Doc::read(input, &mut reading.problems)? else {
        return Ok(());
    };
    let judges = reading.judges();
    let (mut items, mut at): (Vec<Rated>, HashMap<String, usize>) = Default::default();
    for (rater, said) in doc.value.as_object().into_iter().flatten() {
        let Value::Object(said) = said else {
            reading.problem(
                Problem::new(1, describe(said), "an object of values by item").field(rater.clone()),
            );
            continue;
        };
        let judge = judges.as_ref().map_or_else(
            || sounds_like_a_judge(rater),
            |judges| judges.contains(rater),
        );
        for (item, value) in said {
            let value = match value {
                Value::Null => continue,
                Value::String(text) => text.clone(),
                Value::Number(number) => number.to_string(),
                Value::Bool(flag) => (if *flag { "yes" } else { "no" }).to_owned(),
                other => {
                    let field = format!("{rater}.{item}");
                    reading.problem(Problem::new(1, describe(other), "a value").field(field));
                    continue;
                }
            };
            let place = *at.entry(item.clone()).or_insert_with(|| {
                items.push(Rated::at(1, item));
                items.len() - 1
            });
            items[place].says(1, rater, judge, "", &value);
        }
    }
    say_who_judges(&items, reading);
    deliver(items, reading)
}
