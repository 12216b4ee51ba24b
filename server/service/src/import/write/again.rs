//! An item that is there already: whether the file means the same one, and which of the two brings its text.

use super::super::compare::{Prepared, hash_of};
use super::super::steps::{counts_steps, segments};
use super::{Importer, Known};
use crate::error::Result;
use domain::id::ItemId;
use domain::study::Blinding;
use formats::record::{TraceRecord, no_text, unmarked};
use store::AnyConnection;
use store::item::StoredItem;

/// The field, what was found and what was expected.
pub(super) type Told = (&'static str, &'static str, &'static str);

/// What a record means to the item under its key.
pub(super) enum Met {
    /// It is that item.
    Same,
    /// It has no text, and says something of the item, which has this one.
    Text(String),
    /// It has the text that the item came without.
    Texts(Box<StoredItem>),
    /// It is another one.
    Other(Told),
}

/// What is hidden from whoever imports.
const NOTHING: Blinding = Blinding {
    model: false,
    condition: false,
    judge_severity: false,
};

/// Another item under the same key.
const OTHER: Told = (
    "source_key",
    "other content",
    "the trace imported before under this key",
);

impl Importer<'_> {
    /// What the record means to the item under its key; `alike` when it says what the file said that brought the item.
    pub(super) async fn met(
        &self,
        connection: &mut AnyConnection,
        known: &mut Known,
        (item, alike): (&ItemId, bool),
        Prepared {
            record,
            trace,
            item_hash,
            ..
        }: &Prepared,
    ) -> Result<Met> {
        // What this file brought is not written yet, and its lines have been compared with each other.
        let fresh = known.fresh.contains(item);
        if fresh || (alike && !counts_steps(&self.scheme, record)) {
            return Ok(if alike { Met::Same } else { Met::Other(OTHER) });
        }
        let Some(stored) = store::item::get(connection, item, NOTHING).await? else {
            return Ok(if alike { Met::Same } else { Met::Other(OTHER) });
        };
        let without = stored.trace == no_text(&stored.source_key);
        if record.is_without_text() {
            return Ok(match contradicted(record, &stored) {
                Some(told) => Met::Other(told),
                None => Met::Text(stored.trace),
            });
        }
        // Staff may have divided it, or written points for it, since it came: its own export says so.
        if !alike && hash_of(&stored, &self.scheme) != *item_hash {
            if without {
                return self.texts(connection, known, record, stored).await;
            }
            return Ok(Met::Other(OTHER));
        }
        let differs = counts_steps(&self.scheme, record)
            && segments(&self.scheme, record, trace) != stored.segments;
        Ok(if differs {
            Met::Other((
                "steps",
                "a trace divided into other steps",
                "the steps that the study has by now: what is said of them counts them by number",
            ))
        } else {
            Met::Same
        })
    }

    /// The key of a run's item without its counsellor's mark, which it needs only beside those of another counsellor: a
    /// table of ratings names replies without one.
    pub(super) async fn without_mark(
        &self,
        connection: &mut AnyConnection,
        known: &Known,
        Prepared {
            record, item_hash, ..
        }: &Prepared,
    ) -> Result<Option<String>> {
        let Some(bare) = unmarked(&record.key, &record.demographics) else {
            return Ok(None);
        };
        if known.items.contains_key(&record.key) {
            return Ok(None);
        }
        let own = match known.items.get(bare) {
            None => true,
            Some((_, hash)) if hash == item_hash => true,
            Some((id, _)) if known.fresh.contains(id) => false,
            Some((id, _)) => {
                store::item::get(connection, id, NOTHING)
                    .await?
                    .is_none_or(|stored| {
                        stored.trace == no_text(&stored.source_key)
                            || record.model.as_deref() == Some(stored.model.as_str())
                    })
            }
        };
        Ok(own.then(|| bare.to_owned()))
    }

    /// Whether the text may be put where there was none: raters who were given the item without it judged something else.
    async fn texts(
        &self,
        connection: &mut AnyConnection,
        known: &mut Known,
        record: &TraceRecord,
        stored: StoredItem,
    ) -> Result<Met> {
        let tags = known.candidates.get(&stored.id);
        if tags.is_some_and(|tags| !tags.is_empty()) {
            return Ok(Met::Other(OTHER));
        }
        if store::import::in_use(connection, &stored.id).await? {
            return Ok(Met::Other((
                "source_key",
                "the text of an item that raters were given without it",
                "texts before raters are given the items; import the file with the texts into a new study, and then the ratings",
            )));
        }
        Ok(match contradicted(record, &stored) {
            Some(told) => Met::Other(told),
            None => Met::Texts(Box::new(stored)),
        })
    }
}

/// What both say of an item and say otherwise. Keys as short as `1` stand in many files, so what a file does say beside
/// its ratings must be said of this item.
fn contradicted(record: &TraceRecord, stored: &StoredItem) -> Option<Told> {
    const SAME: &str = "what the study has under this key, or nothing";
    let texts = [
        ("condition", record.condition.as_deref(), &stored.condition),
        ("model", record.model.as_deref(), &stored.model),
        ("mode", record.mode.as_deref(), &stored.mode),
        ("answer", record.answer.as_deref(), &stored.answer),
        ("vignette", Some(&*record.vignette), &stored.vignette),
        ("question", Some(&*record.question), &stored.question),
    ];
    let told = |said: Option<&str>, kept: &str| {
        said.is_some_and(|said| !said.is_empty() && !kept.is_empty() && said != kept)
    };
    let text = texts
        .into_iter()
        .find(|(_, said, kept)| told(*said, kept))
        .map(|(field, ..)| (field, "another one than the item of this key has", SAME));
    let fact = || {
        let other = record.demographics.iter().any(|(name, said)| {
            let mut kept = stored.demographics.iter();
            kept.any(|(of, kept)| of == name && told(Some(said), kept))
        });
        other.then_some((
            "demographics",
            "another fact than the item of this key has",
            SAME,
        ))
    };
    text.or_else(fact)
}

/// Keeps of the item what the file with its text does not say.
pub(super) fn keep(record: &mut TraceRecord, stored: StoredItem) {
    let unless = |said: &mut Option<String>, kept: String| {
        if said.is_none() && !kept.is_empty() {
            *said = Some(kept);
        }
    };
    unless(&mut record.condition, stored.condition);
    unless(&mut record.model, stored.model);
    unless(&mut record.mode, stored.mode);
    unless(&mut record.answer, stored.answer);
    for (said, kept) in [
        (&mut record.vignette, stored.vignette),
        (&mut record.question, stored.question),
    ] {
        if said.is_empty() {
            *said = kept;
        }
    }
    // Points that staff wrote are theirs, as when a file comes a second time.
    if !stored.options.is_empty() {
        record.options = stored.options;
    }
    for (name, kept) in stored.demographics {
        if !record.demographics.iter().any(|(said, _)| *said == name) {
            record.demographics.push((name, kept));
        }
    }
}
