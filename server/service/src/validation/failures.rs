//! Where the judge goes wrong: categories taken for others, the furthest tags, and spans that only raters marked.

use super::count::{Predictor, Reference, pairs, shared};
use super::ground::{Ground, Item, Stand};
use super::{Overlap, Worst};

/// How many of the worst disagreements are listed.
const WORST: usize = 20;

/// Categories against each other; the last row and column stand for no tag.
pub(super) fn confusion(
    ground: &Ground,
    items: &[&Item],
    predictor: Predictor,
    reference: Reference,
) -> (Vec<String>, Vec<Vec<u64>>) {
    let codes: Vec<&str> = ground.scheme.categories.iter().map(|c| &*c.id).collect();
    let none = codes.len();
    let place = |stand: &Stand| match stand {
        Stand::No => Some(none),
        Stand::Yes(tag) => codes.iter().position(|code| *code == tag.category),
        Stand::Unknown(_) => None,
    };
    let mut counts = vec![vec![0; none + 1]; none + 1];
    for item in items {
        for pair in pairs(item, predictor, reference) {
            if let (Some(row), Some(column)) = (place(pair.reference), place(&pair.predicted))
                && (row, column) != (none, none)
            {
                counts[row][column] += 1;
            }
        }
    }
    let names = ground.scheme.categories.iter().map(|c| c.name.clone());
    (names.chain(["no tag".to_owned()]).collect(), counts)
}

/// Where judge and reference lie furthest apart: a tag that is none counts from the lowest level of the scale.
pub(super) fn worst(
    ground: &Ground,
    items: &[&Item],
    predictor: Predictor,
    reference: Reference,
) -> Vec<Worst> {
    let lowest = ground
        .scheme
        .severity
        .as_ref()
        .and_then(domain::scheme::SeverityScale::lowest)
        .unwrap_or(0.0);
    let mut found = Vec::new();
    for item in items {
        for pair in pairs(item, predictor, reference) {
            let Some(unit) = pair.unit else { continue };
            let (kind, tag, judge, said) = match (&pair.predicted, pair.reference) {
                (Stand::Yes(tag), Stand::No) => ("rejected", tag, tag.severity, None),
                (Stand::No, Stand::Yes(tag)) => ("missed", tag, None, tag.severity),
                (Stand::Yes(tag), Stand::Yes(right)) => {
                    ("severity", tag, tag.severity, right.severity)
                }
                _ => continue,
            };
            let distance = (judge.unwrap_or(lowest) - said.unwrap_or(lowest)).abs();
            if distance > 0.0 && (kind != "severity" || said.is_some()) {
                found.push(Worst {
                    unit: unit.id.clone(),
                    item: item.at.id.to_string(),
                    key: item.at.key.clone(),
                    category: ground
                        .scheme
                        .name_of(&tag.category)
                        .unwrap_or(&tag.category)
                        .to_owned(),
                    kind,
                    judge,
                    reference: said,
                    distance,
                });
            }
        }
    }
    found.sort_by(|a, b| {
        b.distance
            .total_cmp(&a.distance)
            .then_with(|| a.unit.cmp(&b.unit))
    });
    found.truncate(WORST);
    found
}

/// How the spans that raters added lie against those of the judge.
pub(super) fn overlap(items: &[&Item], judge: usize, reference: Reference) -> Overlap {
    let mut overlap = Overlap::default();
    let mut sum = 0.0;
    for item in items {
        let own: Vec<&[(u32, u32)]> = item
            .units
            .iter()
            .filter(|unit| unit.judge == Some(judge))
            .map(|unit| &*unit.tag.spans)
            .chain(item.compared[judge].iter().map(|tag| &*tag.spans))
            .collect();
        let marked = item.units.iter().filter(|unit| {
            unit.judge.is_none()
                && !unit.tag.spans.is_empty()
                && matches!(reference.of(unit), Stand::Yes(_))
        });
        for unit in marked {
            overlap.spans += 1;
            let length = |spans: &[(u32, u32)]| spans.iter().map(|(s, e)| e - s).sum::<u32>();
            let best = own
                .iter()
                .map(|spans| {
                    let common = shared(spans, &unit.tag.spans);
                    let either = length(spans) + length(&unit.tag.spans) - common;
                    f64::from(common) / f64::from(either.max(1))
                })
                .fold(0.0, f64::max);
            if best > 0.0 {
                overlap.touched += 1;
                sum += best;
            }
        }
    }
    overlap.jaccard = (overlap.touched > 0).then(|| sum / overlap.touched as f64);
    overlap
}
