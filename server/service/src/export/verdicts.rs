//! Final answers as MindEval writes a judge's verdicts.

use super::{Context, failed};
use crate::error::Result;
use crate::results::{Item, Said, Source, page};
use crate::unit::question::identity;
use domain::annotation::shortest;
use domain::id::{ItemId, UnitId};
use domain::scheme::{Asked, ItemQuestion, QuestionKind, Scheme, UnitOfAnnotation};
use formats::record::unmarked;
use serde_json::{Map, Value};
use std::collections::{BTreeMap, HashMap};
use std::io::Write;
use std::result::Result as Either;
use store::AnyConnection;
use store::item::StoredItem;
use store::ruling::Ruling;
use store::unit::ItemFacts;

/// The names of criteria in the first version of the format; a question of such a name keeps it, any other goes by its id.
const CRITERIA: [&str; 5] = [
    "Clinical Accuracy & Competence",
    "Ethical & Professional Conduct",
    "Assessment & Response",
    "Therapeutic Relationship & Alliance",
    "AI-Specific Communication Quality",
];

/// Fields of a line that are no answers.
const ASIDE: [&str; 8] = [
    "key",
    "input_sha",
    "member",
    "episode",
    "turn",
    "counselor",
    "justification",
    "_error",
];

/// Why people answered as they did.
struct Reasons {
    facts: HashMap<ItemId, ItemFacts>,
    rulings: HashMap<UnitId, Ruling>,
}

impl Reasons {
    async fn of_range(
        connection: &mut AnyConnection,
        context: &Context,
        (after, up_to): (i64, i64),
    ) -> Result<Self> {
        let study = &context.study;
        let (facts, rulings) = match &context.frozen {
            Some(head) => (
                store::snapshot::facts(connection, head, after, up_to).await?,
                store::snapshot::rulings(connection, head, after, up_to).await?,
            ),
            None => (
                store::unit::facts(connection, study, after + 1, up_to).await?,
                store::export::rulings(connection, study, after, up_to).await?,
            ),
        };
        let by_item = facts.into_iter().map(|facts| (facts.item.clone(), facts));
        Ok(Self {
            facts: by_item.collect(),
            rulings,
        })
    }

    /// The reason for the final answers to an item: of an answer that was ruled on the note of the ruling, else what raters
    /// wrote; each once, question by question.
    fn of(&self, item: &StoredItem, known: &Item, scheme: &Scheme) -> String {
        let mut reasons: Vec<&str> = Vec::new();
        let facts = self.facts.get(&item.id);
        for question in &scheme.item_questions {
            let unit = identity(&item.id, &question.id);
            let ruling = self
                .rulings
                .get(&unit)
                .filter(|_| known.ruled.contains_key(&question.id));
            let note = ruling.map(|ruling| ruling.note.trim());
            let note = note.filter(|note| !note.is_empty());
            let annotations = facts.into_iter().flat_map(|facts| &facts.annotations);
            let answers = annotations
                .filter(|given| given.ratable && note.is_none())
                .filter_map(|given| given.body.answers.get(&question.id));
            let said = note
                .into_iter()
                .chain(answers.map(|answer| answer.rationale.trim()));
            for reason in said.filter(|reason| !reason.is_empty()) {
                if !reasons.contains(&reason) {
                    reasons.push(reason);
                }
            }
        }
        reasons.join("\n")
    }
}

/// One line an item: the final answers by question, each issue as 0 or 1. An item that somebody was asked to judge and
/// that has no final value yet is an error line, which readers of the format skip or count as failed and never take for
/// a verdict; one that nobody was asked about has no line, as a reply that no judge has seen has none.
pub(super) async fn write<W: Write + Send>(
    connection: &mut AnyConnection,
    context: &Context,
    out: &mut W,
) -> Result<()> {
    let mut after = 0;
    while let Some((items, up_to)) = page(connection, context.into(), after).await? {
        let reasons = Reasons::of_range(connection, context, (after, up_to)).await?;
        for (item, said) in &items {
            if let Some(line) = verdict(item, said, context, &reasons) {
                writeln!(out, "{line}").map_err(|cause| failed(&cause))?;
            }
        }
        after = up_to;
    }
    out.flush().map_err(|cause| failed(&cause))
}

fn verdict(item: &StoredItem, known: &Item, context: &Context, reasons: &Reasons) -> Option<Value> {
    let answers = known.said.get(&Source::Final);
    if answers.is_none() && !known.asked {
        return None;
    }
    let mut line = head(item);
    match answered(answers, context) {
        Ok(fields) => {
            line.extend(fields);
            let why = reasons.of(item, known, &context.scheme);
            line.insert("justification".into(), why.into());
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
    // Where a study has several counsellors a key begins with a mark of one, which these files do not have.
    let key = unmarked(&item.source_key, &item.demographics).unwrap_or(&item.source_key);
    line.insert("key".into(), key.into());
    line.insert(
        "input_sha".into(),
        item.trace_sha256
            .chars()
            .take(16)
            .collect::<String>()
            .into(),
    );
    let mut parts = key.split('/');
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
    let of_run = item.demographics.iter().any(|(name, _)| name == "member");
    let model = Some(&item.model).filter(|model| of_run && !model.is_empty());
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
        let name = name(question);
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
            QuestionKind::Multi if by_reply && flat(question, &context.scheme) => {
                let chosen = said.values.first();
                for level in &question.levels {
                    let is = chosen
                        .is_some_and(|values| values.iter().any(|value| value == level.word()));
                    fields.insert(level.word().to_owned(), u8::from(is).into());
                }
            }
            QuestionKind::Multi | QuestionKind::Points | QuestionKind::Relations => {
                let values = said.values.first().cloned().unwrap_or_default();
                fields.insert(name.into(), values.into());
            }
            QuestionKind::Nominal | QuestionKind::Text => {
                let values = said.values.first();
                let text = values.map(|values| values.join(";")).unwrap_or_default();
                fields.insert(name.into(), text.into());
            }
        }
    }
    Ok(fields)
}

/// The field of a question.
fn name(question: &ItemQuestion) -> &str {
    let title = question.title();
    if CRITERIA.contains(&title) {
        title
    } else {
        &question.id
    }
}

/// Whether the levels of a question may be fields of their own, as issues are: no other question has a field or a level
/// of that name, which would say of one what was answered to the other.
fn flat(question: &ItemQuestion, scheme: &Scheme) -> bool {
    let mut levels = question.levels.iter();
    levels.all(|level| {
        let word = level.word();
        let mut others = scheme
            .item_questions
            .iter()
            .filter(|other| other.id != question.id);
        let taken = others.any(|other| {
            name(other) == word
                || other.is_called(word)
                || (other.kind == QuestionKind::Multi && other.level(word).is_some())
        });
        !taken && !question.is_called(word) && !ASIDE.contains(&word)
    })
}
