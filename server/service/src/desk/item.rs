//! From rows to what people read. Hidden fields arrive empty and leave no trace.

use super::view::{DeskCandidate, DeskItem};
use crate::import::steps::asks_of_steps;
use domain::scheme::Scheme;
use store::candidate::StoredCandidate;
use store::item::StoredItem;

/// What is shown of an item, its facts in the order of the scheme.
pub fn item_of(item: StoredItem, scheme: &Scheme) -> DeskItem {
    let facts = facts(&item, scheme);
    DeskItem {
        numbered: asks_of_steps(scheme),
        key: item.source_key,
        facts,
        vignette: item.vignette,
        question: item.question,
        options: item.options,
        answer: Some(item.answer).filter(|answer| !answer.is_empty()),
        trace: item.trace,
        segments: item
            .segments
            .into_iter()
            .map(|part| (part.label, part.start, part.end))
            .collect(),
    }
}

/// What is shown of the candidates.
pub fn candidates_of(candidates: Vec<StoredCandidate>) -> Vec<DeskCandidate> {
    candidates.into_iter().map(candidate_of).collect()
}

fn candidate_of(candidate: StoredCandidate) -> DeskCandidate {
    let category = candidate.category;
    DeskCandidate {
        id: candidate.id,
        number: u32::try_from(candidate.ordinal).unwrap_or(u32::MAX),
        code: category
            .subcategory
            .clone()
            .unwrap_or_else(|| category.category.clone()),
        category: category.category,
        subcategory: category.subcategory,
        severity: candidate.severity,
        explanation: candidate.explanation,
        anchor: candidate.anchor,
        evidence: candidate.evidence,
        spans: candidate.spans,
    }
}

fn facts(item: &StoredItem, scheme: &Scheme) -> Vec<(String, String)> {
    let mut facts = Vec::new();
    for name in &scheme.display.facts {
        match name.as_str() {
            "condition" => facts.push(("Condition".to_owned(), item.condition.clone())),
            "model" => facts.push(("Model".to_owned(), item.model.clone())),
            "mode" => facts.push(("Mode".to_owned(), item.mode.clone())),
            "demographics" => facts.extend(
                item.demographics
                    .iter()
                    .map(|(name, value)| (capital(name), value.clone())),
            ),
            _ => {}
        }
    }
    facts.retain(|(_, value)| !value.is_empty());
    facts
}

/// A field name as a label: `family_status` becomes `Family status`.
fn capital(name: &str) -> String {
    let mut letters = name.chars().map(|c| if c == '_' { ' ' } else { c });
    letters
        .next()
        .into_iter()
        .flat_map(char::to_uppercase)
        .chain(letters)
        .collect()
}

#[cfg(test)]
mod tests {
    #[test]
    fn field_names_become_labels() {
        assert_eq!(
            ["education", "family_status", "éthnie", ""].map(super::capital),
            ["Education", "Family status", "Éthnie", ""]
        );
    }
}
