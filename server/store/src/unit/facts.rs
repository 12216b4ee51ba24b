//! What the units of an item are derived from: its candidates, the annotations that count, the rulings.

use super::{Standing, Unit, unit_of_row};
use crate::error::{Error, Result};
use domain::annotation::{Judgement, MissedTag};
use domain::assignment::AssignmentState;
use domain::id::{CandidateId, ItemId, MissedTagId, StudyId, UnitId, UserId};
use domain::ruling::Outcome;
use domain::scheme::Validity;
use sqlx::any::AnyRow;
use sqlx::{AnyConnection, Row};
use std::collections::{BTreeMap, HashMap};

/// All that the units of one item follow from.
#[derive(Clone, Debug, PartialEq)]
pub struct ItemFacts {
    /// The item.
    pub item: ItemId,
    /// Its place in the study.
    pub seq: i64,
    /// The hash of its trace.
    pub trace_sha256: String,
    /// Its candidates in order, with category and subcategory.
    pub candidates: Vec<(CandidateId, String, String)>,
    /// States of the assignments of counting rounds that are not withdrawn.
    pub assignments: Vec<(UserId, AssignmentState)>,
    /// The annotation that counts of each rater, in the raters' order.
    pub annotations: Vec<AnnotationFacts>,
    /// The units as they are kept, with the ruling in force.
    pub units: Vec<(Unit, Option<Standing>)>,
}

impl ItemFacts {
    /// Whether somebody was asked and every one of them has answered.
    pub fn all_in(&self) -> bool {
        !self.assignments.is_empty() && self.assignments.iter().all(|(_, state)| state.is_in())
    }
}

/// One rater's annotation that counts.
#[derive(Clone, Debug, PartialEq)]
pub struct AnnotationFacts {
    /// The annotation.
    pub id: String,
    /// Whose it is.
    pub rater: UserId,
    /// Whether the rater found the item ratable.
    pub ratable: bool,
    /// The rater looked for missed tags and found none.
    pub nothing_missed: bool,
    /// When it was submitted.
    pub submitted_at: i64,
    /// One entry a judged candidate.
    pub judgements: BTreeMap<CandidateId, Judgement>,
    /// Tags that no candidate covers.
    pub missed: Vec<MissedFacts>,
}

/// A missed tag with its code taken apart.
#[derive(Clone, Debug, PartialEq)]
pub struct MissedFacts {
    /// The tag.
    pub tag: MissedTag,
    /// Its category.
    pub category: String,
    /// Its subcategory; may be empty.
    pub subcategory: String,
}

/// The place of an item in its study.
///
/// # Errors
/// When the database fails.
pub async fn seq_of_item(connection: &mut AnyConnection, study: &StudyId, item: &ItemId) -> Result<Option<i64>> {
    let row = sqlx::query("SELECT seq FROM items WHERE id = $1 AND study_id = $2")
        .bind(item.as_str())
        .bind(study.as_str())
        .fetch_optional(connection)
        .await?;
    Ok(row.map(|row| row.try_get(0)).transpose()?)
}

/// The facts of the items whose place lies in `from..=to`, in order.
///
/// # Errors
/// When the database fails or a row breaks a rule of the domain.
pub async fn facts(connection: &mut AnyConnection, study: &StudyId, from: i64, to: i64) -> Result<Vec<ItemFacts>> {
    let rows = sqlx::query("SELECT id, seq, trace_sha256 FROM items WHERE study_id = $1 AND seq BETWEEN $2 AND $3 ORDER BY seq")
        .bind(study.as_str())
        .bind(from)
        .bind(to)
        .fetch_all(&mut *connection)
        .await?;
    let mut items = Vec::with_capacity(rows.len());
    for row in &rows {
        items.push(ItemFacts {
            item: ItemId::new(row.try_get::<String, _>(0)?),
            seq: row.try_get(1)?,
            trace_sha256: row.try_get(2)?,
            candidates: Vec::new(),
            assignments: Vec::new(),
            annotations: Vec::new(),
            units: Vec::new(),
        });
    }
    let mut page = Page { at: items.iter().enumerate().map(|(at, item)| (item.seq, at)).collect(), items };
    let range = Range { study, from, to };
    page.read_candidates(range, connection).await?;
    let places = page.read_annotations(range, connection).await?;
    page.read_judgements(range, &places, connection).await?;
    page.read_missed(range, &places, connection).await?;
    page.read_units(range, connection).await?;
    Ok(page.items)
}

#[derive(Clone, Copy)]
struct Range<'a> {
    study: &'a StudyId,
    from: i64,
    to: i64,
}

/// Where an annotation stands: which item, which of its annotations.
type Places = HashMap<String, (usize, usize)>;

struct Page {
    items: Vec<ItemFacts>,
    at: HashMap<i64, usize>,
}

impl Page {
    fn item(&self, row: &AnyRow) -> Result<usize> {
        let seq: i64 = row.try_get(0)?;
        self.at.get(&seq).copied().ok_or_else(|| Error::inconsistent("items", "seq", &seq.to_string()))
    }

    async fn read_candidates(&mut self, range: Range<'_>, connection: &mut AnyConnection) -> Result<()> {
        let rows = sqlx::query(
            "SELECT i.seq, c.id, c.category, c.subcategory FROM items i JOIN candidates c ON c.item_id = i.id \
             WHERE i.study_id = $1 AND i.seq BETWEEN $2 AND $3 ORDER BY i.seq, c.ordinal",
        )
        .bind(range.study.as_str())
        .bind(range.from)
        .bind(range.to)
        .fetch_all(connection)
        .await?;
        for row in &rows {
            let at = self.item(row)?;
            let id = CandidateId::new(row.try_get::<String, _>(1)?);
            self.items[at].candidates.push((id, row.try_get(2)?, row.try_get(3)?));
        }
        Ok(())
    }

    /// Assignments and the latest annotation of each. A rater whose item came back in a later batch is
    /// counted once, with what they said last.
    async fn read_annotations(&mut self, range: Range<'_>, connection: &mut AnyConnection) -> Result<Places> {
        let rows = sqlx::query(
            "SELECT i.seq, a.rater_id, a.state, n.id, n.ratable, n.nothing_missed, n.submitted_at FROM items i \
             JOIN assignments a ON a.item_id = i.id JOIN batches b ON b.id = a.batch_id \
             LEFT JOIN annotations n ON n.assignment_id = a.id AND n.latest = 1 \
             LEFT JOIN members m ON m.study_id = a.study_id AND m.user_id = a.rater_id AND m.role = 'rater' \
             WHERE i.study_id = $1 AND i.seq BETWEEN $2 AND $3 AND a.state <> 'withdrawn' \
             AND b.round IN ('main', 'imported') ORDER BY i.seq, COALESCE(m.position, 0), a.rater_id, n.submitted_at, n.id",
        )
        .bind(range.study.as_str())
        .bind(range.from)
        .bind(range.to)
        .fetch_all(connection)
        .await?;
        for row in &rows {
            let at = self.item(row)?;
            let rater = UserId::new(row.try_get::<String, _>(1)?);
            let item = &mut self.items[at];
            let state: String = row.try_get(2)?;
            let state = AssignmentState::parse(&state)
                .ok_or_else(|| Error::inconsistent("assignments", "state", item.item.as_str()))?;
            item.assignments.push((rater.clone(), state));
            let Some(id) = row.try_get::<Option<String>, _>(3)? else { continue };
            item.annotations.retain(|earlier| earlier.rater != rater);
            item.annotations.push(AnnotationFacts {
                id,
                rater,
                ratable: row.try_get::<i64, _>(4)? != 0,
                nothing_missed: row.try_get::<i64, _>(5)? != 0,
                submitted_at: row.try_get(6)?,
                judgements: BTreeMap::new(),
                missed: Vec::new(),
            });
        }
        let places = self.items.iter().enumerate().flat_map(|(item, facts)| {
            facts.annotations.iter().enumerate().map(move |(at, annotation)| (annotation.id.clone(), (item, at)))
        });
        Ok(places.collect())
    }

    async fn read_judgements(&mut self, range: Range<'_>, places: &Places, connection: &mut AnyConnection) -> Result<()> {
        if places.is_empty() {
            return Ok(());
        }
        let rows = sqlx::query(
            "SELECT n.id, j.candidate_id, j.validity, j.severity, j.better, j.comment, j.discuss FROM items i \
             JOIN annotations n ON n.item_id = i.id AND n.latest = 1 JOIN judgements j ON j.annotation_id = n.id \
             WHERE i.study_id = $1 AND i.seq BETWEEN $2 AND $3",
        )
        .bind(range.study.as_str())
        .bind(range.from)
        .bind(range.to)
        .fetch_all(connection)
        .await?;
        for row in &rows {
            let Some(&(item, at)) = places.get(row.try_get::<&str, _>(0)?) else { continue };
            let candidate: String = row.try_get(1)?;
            let judgement = judgement(row, &candidate)?;
            self.items[item].annotations[at].judgements.insert(CandidateId::new(candidate), judgement);
        }
        Ok(())
    }

    async fn read_missed(&mut self, range: Range<'_>, places: &Places, connection: &mut AnyConnection) -> Result<()> {
        if places.is_empty() {
            return Ok(());
        }
        let rows = sqlx::query(
            "SELECT n.id, t.tag_id, t.category, t.subcategory, t.severity, t.span_start, t.span_end, t.quote, t.comment \
             FROM items i JOIN annotations n ON n.item_id = i.id AND n.latest = 1 \
             JOIN missed_tags t ON t.annotation_id = n.id \
             WHERE i.study_id = $1 AND i.seq BETWEEN $2 AND $3 ORDER BY n.id, t.ordinal, t.tag_id",
        )
        .bind(range.study.as_str())
        .bind(range.from)
        .bind(range.to)
        .fetch_all(connection)
        .await?;
        for row in &rows {
            let Some(&(item, at)) = places.get(row.try_get::<&str, _>(0)?) else { continue };
            self.items[item].annotations[at].missed.push(missed(row)?);
        }
        Ok(())
    }

    async fn read_units(&mut self, range: Range<'_>, connection: &mut AnyConnection) -> Result<()> {
        let rows = sqlx::query(
            "SELECT u.id, u.item_id, u.kind, u.category, u.subcategory, u.state, u.ratings, u.distance, u.weight, u.kinds, \
             u.basis, u.said, r.version, r.basis, r.outcome, i.seq FROM items i JOIN units u ON u.item_id = i.id \
             LEFT JOIN rulings r ON r.unit_id = u.id AND r.latest = 1 \
             WHERE i.study_id = $1 AND i.seq BETWEEN $2 AND $3 ORDER BY i.seq, u.id",
        )
        .bind(range.study.as_str())
        .bind(range.from)
        .bind(range.to)
        .fetch_all(connection)
        .await?;
        for row in &rows {
            let seq: i64 = row.try_get(15)?;
            let Some(&at) = self.at.get(&seq) else { continue };
            let unit = unit_of_row(row)?;
            let standing = standing(row, &unit.id)?;
            self.items[at].units.push((unit, standing));
        }
        Ok(())
    }
}

fn standing(row: &AnyRow, unit: &UnitId) -> Result<Option<Standing>> {
    let Some(version) = row.try_get::<Option<i64>, _>(12)? else { return Ok(None) };
    let outcome = Outcome::parse(row.try_get(14)?).ok_or_else(|| Error::inconsistent("rulings", "outcome", unit.as_str()))?;
    Ok(Some(Standing { version, basis: row.try_get(13)?, outcome }))
}

fn judgement(row: &AnyRow, candidate: &str) -> Result<Judgement> {
    let validity: &str = row.try_get(2)?;
    let better: &str = row.try_get(4)?;
    Ok(Judgement {
        validity: match validity {
            "" => None,
            word => Some(Validity::parse(word).ok_or_else(|| Error::inconsistent("judgements", "validity", candidate))?),
        },
        severity: row.try_get(3)?,
        better: match better {
            "[]" | "" => Vec::new(),
            text => serde_json::from_str(text).map_err(|_| Error::inconsistent("judgements", "better", candidate))?,
        },
        comment: row.try_get(5)?,
        discuss: row.try_get::<i64, _>(6)? != 0,
    })
}

fn missed(row: &AnyRow) -> Result<MissedFacts> {
    let id: String = row.try_get(1)?;
    let (category, subcategory): (String, String) = (row.try_get(2)?, row.try_get(3)?);
    let offset = |value: i64| u32::try_from(value).map_err(|_| Error::inconsistent("missed_tags", "span_start", &id));
    let span = match (row.try_get::<Option<i64>, _>(5)?, row.try_get::<Option<i64>, _>(6)?) {
        (Some(start), Some(end)) => Some((offset(start)?, offset(end)?)),
        _ => None,
    };
    let tag = MissedTag {
        code: if subcategory.is_empty() { category.clone() } else { subcategory.clone() },
        severity: row.try_get(4)?,
        span,
        quote: row.try_get(7)?,
        comment: row.try_get(8)?,
        id: MissedTagId::new(id),
    };
    Ok(MissedFacts { tag, category, subcategory })
}
