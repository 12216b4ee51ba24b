//! What one source's answer to one item is worth to a measure.

use super::load::{Item, Said, Source};
use domain::relation;
use domain::scheme::{ItemQuestion, Measure, MeasureKind, Scheme, truth};

/// The item's value for a measure; nothing where the source does not say.
pub(super) fn value(
    scheme: &Scheme,
    measure: &Measure,
    source: &Source,
    item: &Item,
) -> Option<f64> {
    if measure.kind == MeasureKind::Steps {
        return steps(measure, source, item);
    }
    let relations = measure.kind == MeasureKind::RelationRate;
    let answers = measure.asks().map(|id| said(item, source, id, relations));
    let answers: Vec<&Said> = answers.collect::<Option<_>>()?;
    let values: Vec<f64> = answers
        .iter()
        .map(|said| match measure.kind {
            MeasureKind::Recall => recall(said, item.options),
            MeasureKind::RelationRate => {
                let label = scheme
                    .question(&measure.question)?
                    .level(&measure.level)?
                    .word();
                average(
                    said.values
                        .iter()
                        .filter_map(|lines| relation::share(lines, label)),
                )
            }
            _ => said.number,
        })
        .collect::<Option<_>>()?;
    let mean = average(values.into_iter())?;
    Some(if is_zeroed(item, measure) { 0.0 } else { mean })
}

/// Whether the item counts as zero for the measure.
pub(super) fn is_zeroed(item: &Item, measure: &Measure) -> bool {
    is_true(item, &measure.zero_unless) == Some(false)
}

/// Whether a fact of the item is true; nothing where it is not known.
pub(super) fn is_true(item: &Item, fact: &str) -> Option<bool> {
    truth(item.facts.get(fact)?)
}

/// Whether the answer is, or contains, the level.
pub(super) fn level_share(
    item: &Item,
    source: &Source,
    question: &ItemQuestion,
    word: &str,
) -> Option<bool> {
    let said = item.said.get(source)?.get(&question.id)?;
    if let Some(number) = said.number {
        return Some(domain::annotation::shortest(number) == word);
    }
    let values = said.values.first()?;
    Some(values.iter().any(|value| value == word))
}

/// The answer of a source. Relations that all raters left alone are the judge's in the final labels; a rater who left them
/// alone says nothing of them.
fn said<'a>(item: &'a Item, source: &Source, id: &str, relations: bool) -> Option<&'a Said> {
    let answers = item.said.get(source)?;
    let own = answers
        .get(id)
        .filter(|said| !relations || said.values.iter().any(|lines| !lines.is_empty()));
    let judges = || {
        let all = item.said.iter();
        let mut of = all.filter(|(of, _)| matches!(of, Source::Judge(_)));
        of.find_map(|(_, answers)| answers.get(id))
    };
    own.or_else(|| {
        (relations && *source == Source::Final)
            .then(judges)
            .flatten()
    })
}

fn steps(measure: &Measure, source: &Source, item: &Item) -> Option<f64> {
    item.said.get(source)?;
    let whole = item.parts as f64;
    if measure.question.is_empty() {
        return Some(whole);
    }
    let Some(said) = said(item, source, &measure.question, true) else {
        // A rater who left the steps alone has counted none; the final ones are those of the trace.
        return (!matches!(source, Source::Rater(..))).then_some(whole);
    };
    let counts = said
        .values
        .iter()
        .map(|lines| relation::parts(lines, item.parts) as f64);
    average(counts).or(Some(whole))
}

fn recall(said: &Said, options: usize) -> Option<f64> {
    let covered = said
        .values
        .first()?
        .iter()
        .filter(|value| value.parse::<usize>().is_ok_and(|at| at <= options))
        .count();
    (options > 0).then(|| covered as f64 / options as f64)
}

fn average(values: impl Iterator<Item = f64>) -> Option<f64> {
    let values: Vec<f64> = values.collect();
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}
