//! The rules of a scheme that its shape cannot say.

use super::{Asked, ItemQuestion, Measure, MeasureKind, QuestionKind, Scheme, Validity};
use std::collections::HashSet;

/// Something that is wrong with a scheme, and the words by which it is found in the text.
pub(super) struct Complaint {
    /// The head of the table it stands in, and which of its kind, counted from 0.
    pub section: Option<(&'static str, usize)>,
    /// The words to look for.
    pub needle: String,
    /// What is wrong and what was expected.
    pub message: String,
}

fn complain<T>(needle: impl Into<String>, message: impl Into<String>) -> Result<T, Complaint> {
    Err(Complaint {
        section: None,
        needle: needle.into(),
        message: message.into(),
    })
}

fn within<T>(
    section: (&'static str, usize),
    needle: impl Into<String>,
    message: impl Into<String>,
) -> Result<T, Complaint> {
    Err(Complaint {
        section: Some(section),
        needle: needle.into(),
        message: message.into(),
    })
}

fn is_word(id: &str) -> bool {
    !id.is_empty()
        && id
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || "-_.".contains(c))
}

/// The first rule broken.
pub(super) fn check(scheme: &Scheme) -> Result<(), Complaint> {
    if !is_word(&scheme.id) {
        return complain("id", "a scheme id has letters, digits, - and _ only");
    }
    if scheme.version == 0 {
        return complain("version", "versions count from 1");
    }
    categories(scheme)?;
    scale(scheme)?;
    candidates(scheme)?;
    questions(scheme)?;
    measures(scheme)?;
    let asks = scheme.item_questions.iter();
    let asks = asks
        .filter(|question| question.asked != Asked::Hidden)
        .count();
    if asks == 0 && !scheme.candidates.asked && !scheme.missed.asked {
        return complain(
            "id",
            "the scheme asks nothing: it needs [[items]], [candidates] or [missed]",
        );
    }
    if scheme.disagreement.distance_above < 0.0 {
        let section = ("[disagreement]", 0);
        return within(section, "distance_above", "a distance is never negative");
    }
    if scheme.missed.asked && scheme.missed.span != Asked::Hidden && scheme.categories.is_empty() {
        return complain("[missed]", "missed tags need categories to choose from");
    }
    Ok(())
}

fn categories(scheme: &Scheme) -> Result<(), Complaint> {
    let mut seen = HashSet::new();
    for category in &scheme.categories {
        let subcategories = category.subcategories.iter().map(|sub| &sub.id);
        for id in std::iter::once(&category.id).chain(subcategories) {
            if !is_word(id) || !seen.insert(id.clone()) {
                let message = format!("category code {id:?} is empty, malformed or used twice");
                return complain(format!("id = \"{id}\""), message);
            }
        }
    }
    for map in &scheme.codes {
        if scheme.find(&map.to).is_none() {
            let message = format!("code map leads to {:?}, which is no category", map.to);
            return complain(format!("to = \"{}\"", map.to), message);
        }
    }
    Ok(())
}

fn scale(scheme: &Scheme) -> Result<(), Complaint> {
    let Some(scale) = &scheme.severity else {
        return Ok(());
    };
    if scale.levels.len() < 2 {
        return complain("[severity]", "a severity scale needs two levels at least");
    }
    let mut pairs = scale.levels.windows(2);
    if pairs.any(|pair| pair[0].value >= pair[1].value) {
        return complain("[[severity.levels]]", "severity levels must ascend");
    }
    Ok(())
}

fn candidates(scheme: &Scheme) -> Result<(), Complaint> {
    let asked = &scheme.candidates;
    if !asked.asked {
        return Ok(());
    }
    let values: HashSet<Validity> = asked.validity.iter().map(|level| level.value).collect();
    if !values.contains(&Validity::Valid) || !values.contains(&Validity::Invalid) {
        return complain(
            "[candidates]",
            "candidates need at least the answers valid and invalid",
        );
    }
    let mut keys = HashSet::new();
    for level in &asked.validity {
        let reserved = ["n", "a", "?"].contains(&level.key.as_str());
        if level.key.chars().count() != 1 || reserved || !keys.insert(&level.key) {
            let message = format!(
                "key {:?} must be one letter, not n or a, and used once",
                level.key
            );
            return complain(format!("key = \"{}\"", level.key), message);
        }
    }
    Ok(())
}

/// Column names of `ratings_long.csv` that a question must not take where the scheme has them already.
const TAKEN: [&str; 8] = [
    "validity",
    "severity",
    "better",
    "discuss",
    "category",
    "nothing_missed",
    "missed_count",
    "comment",
];

fn questions(scheme: &Scheme) -> Result<(), Complaint> {
    let mut names = HashSet::new();
    let tags = scheme.candidates.asked || scheme.missed.asked;
    for (at, question) in scheme.item_questions.iter().enumerate() {
        let section = ("[[items]]", at);
        let id = &question.id;
        let needle = format!("id = \"{id}\"");
        let word = id.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        if id.is_empty() || !word {
            return within(
                section,
                needle,
                "a question id has letters, digits and _ only",
            );
        }
        if tags && TAKEN.contains(&id.as_str()) {
            return within(
                section,
                needle,
                format!("{id:?} is a column of its own; name the question otherwise"),
            );
        }
        if scheme.find(id).is_some() {
            return within(
                section,
                needle,
                format!("{id:?} is a category; name the question otherwise"),
            );
        }
        let own = std::iter::once(id).chain(&question.aliases);
        let twice = own
            .map(|name| name.to_lowercase())
            .find(|name| !names.insert(name.clone()));
        if let Some(name) = twice {
            let message = format!("item question {name:?} is declared twice");
            return within(section, needle, message);
        }
        levels(section, question)?;
    }
    Ok(())
}

fn levels(section: (&'static str, usize), question: &ItemQuestion) -> Result<(), Complaint> {
    let id = &question.id;
    if matches!(question.kind, QuestionKind::Text | QuestionKind::Points) {
        if !question.levels.is_empty() {
            return within(
                section,
                "levels",
                format!("question {id:?} of this kind has no levels"),
            );
        }
    } else if question.levels.len() < 2 {
        return within(
            section,
            "",
            format!("question {id:?} needs two levels at least"),
        );
    }
    let mut words = HashSet::new();
    for level in &question.levels {
        let word = question.word(level).to_lowercase();
        if word.is_empty() || word.contains(';') || !words.insert(word.clone()) {
            let message =
                format!("level {word:?} of {id:?} is empty, contains a semicolon or is used twice");
            return within(section, level.word().to_owned(), message);
        }
        if question.kind == QuestionKind::Relations && word.contains(char::is_whitespace) {
            return within(
                section,
                level.word().to_owned(),
                "a relation is one word without spaces",
            );
        }
    }
    let ordinal = question.kind == QuestionKind::Ordinal;
    if ordinal
        && question
            .levels
            .windows(2)
            .any(|pair| pair[0].value >= pair[1].value)
    {
        return within(section, "levels", format!("levels of {id:?} must ascend"));
    }
    if !ordinal && (question.rationale_below.is_some() || question.rationale_above.is_some()) {
        return within(
            section,
            "rationale_",
            "only an ordinal question has a value below or above which a reason is needed",
        );
    }
    let values = || question.levels.iter().map(|level| level.value);
    let lowest = values().fold(f64::INFINITY, f64::min);
    let highest = values().fold(f64::NEG_INFINITY, f64::max);
    let off = |value: Option<f64>| value.is_some_and(|value| value < lowest || value > highest);
    for (name, value) in [
        ("rationale_below", question.rationale_below),
        ("rationale_above", question.rationale_above),
    ] {
        if off(value) {
            return within(
                section,
                name,
                format!("{name} of {id:?} lies outside its levels"),
            );
        }
    }
    if question.question.trim().is_empty() {
        return within(
            section,
            "question",
            format!("{id:?} asks nothing: write the question"),
        );
    }
    if !ordinal && question.means {
        return within(
            section,
            "means",
            "only an ordinal question has means in files",
        );
    }
    if question.distance_above < 0.0 {
        return within(section, "distance_above", "a distance is never negative");
    }
    Ok(())
}

fn measures(scheme: &Scheme) -> Result<(), Complaint> {
    let mut names = HashSet::new();
    for (at, measure) in scheme.measures.iter().enumerate() {
        let section = ("[[measures]]", at);
        if !is_word(&measure.name) || !names.insert(&measure.name) {
            let message = format!(
                "measure {:?} is empty, malformed or declared twice",
                measure.name
            );
            return within(section, format!("name = \"{}\"", measure.name), message);
        }
        if let Some(id) = measure.asks().find(|id| scheme.question(id).is_none()) {
            let message = format!("measure of {id:?}, which is no item question");
            return within(section, format!("question = \"{id}\""), message);
        }
        let named: Vec<&ItemQuestion> = measure
            .asks()
            .filter_map(|id| scheme.question(id))
            .collect();
        let alone = matches!(measure.kind, MeasureKind::Steps | MeasureKind::FactRate);
        if !alone && named.is_empty() {
            return within(section, "kind", "this kind of measure needs a question");
        }
        if measure.kind == MeasureKind::FactRate && measure.group.is_empty() {
            return within(
                section,
                "kind",
                "this measure needs `group`, the fact that is counted",
            );
        }
        if named.len() > 1 && measure.kind != MeasureKind::Mean {
            return within(
                section,
                "questions",
                "only a mean is taken over several questions",
            );
        }
        for question in &named {
            suits(section, measure, Some(question))?;
        }
        if named.is_empty() {
            suits(section, measure, None)?;
        }
    }
    Ok(())
}

fn suits(
    section: (&'static str, usize),
    measure: &Measure,
    question: Option<&ItemQuestion>,
) -> Result<(), Complaint> {
    let kind = question.map(|question| question.kind);
    let fits = match measure.kind {
        MeasureKind::Mean
        | MeasureKind::GroupMean
        | MeasureKind::GroupQuantile
        | MeasureKind::GroupAny => kind == Some(QuestionKind::Ordinal),
        MeasureKind::LevelRate => matches!(
            kind,
            Some(QuestionKind::Ordinal | QuestionKind::Nominal | QuestionKind::Multi)
        ),
        MeasureKind::Recall => kind == Some(QuestionKind::Points),
        MeasureKind::Disagreements => kind.is_some_and(QuestionKind::compares),
        MeasureKind::RelationRate => kind == Some(QuestionKind::Relations),
        MeasureKind::Steps => kind.is_none_or(|kind| kind == QuestionKind::Relations),
        MeasureKind::FactRate => kind.is_none(),
    };
    if !fits {
        return within(
            section,
            "kind",
            "this kind of measure does not go with the kind of its question",
        );
    }
    let zeroes = matches!(
        measure.kind,
        MeasureKind::Mean
            | MeasureKind::GroupMean
            | MeasureKind::GroupQuantile
            | MeasureKind::GroupAny
            | MeasureKind::Recall
            | MeasureKind::RelationRate
    );
    if !zeroes && !measure.zero_unless.is_empty() {
        return within(
            section,
            "zero_unless",
            "only means, quantiles, recall and rates of relations can count items as zero",
        );
    }
    let share = measure.at.is_some_and(|at| at > 0.0 && at <= 1.0);
    if measure.kind == MeasureKind::GroupQuantile && !share {
        return within(section, "at", "a quantile needs `at` above 0 and at most 1");
    }
    if measure.kind == MeasureKind::GroupAny && measure.at.is_none() {
        return within(
            section,
            "kind",
            "this measure needs `at`, the value from which on an answer counts",
        );
    }
    let unknown = !measure.level.is_empty()
        && question.is_some_and(|question| question.level(&measure.level).is_none());
    if unknown || (measure.kind == MeasureKind::RelationRate && measure.level.is_empty()) {
        return within(
            section,
            "level",
            format!("{:?} is no level of the question", measure.level),
        );
    }
    Ok(())
}
