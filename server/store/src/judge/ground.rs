//! What validation is computed from: the items that raters have judged, and nothing of one that is not all in.

use crate::error::{Error, Result};
use crate::json;
use crate::unit::{Said, kind_of, said_of_text, state_of};
use domain::id::{ItemId, JudgeId, StudyId, UnitId, UserId};
use domain::ruling::Outcome;
use domain::scheme::Validity;
use domain::unit::{UnitKind, UnitState};
use sqlx::any::AnyRow;
use sqlx::{AnyConnection, AssertSqlSafe, Row};

/// A study as it is now, or as it was when a snapshot was made.
#[derive(Clone, Copy, Debug)]
pub struct Scope<'a> {
    /// The study.
    pub study: &'a StudyId,
    /// The snapshot's identity.
    pub snapshot: Option<&'a str>,
}

impl Scope<'_> {
    /// The items with an annotation that counts, every one of whose raters has answered.
    fn validated(self) -> &'static str {
        if self.snapshot.is_some() {
            return "(SELECT a.item_id FROM snapshot_annotations s JOIN annotations a ON a.id = s.annotation_id \
                    WHERE a.study_id = $1 AND s.snapshot_id = $2)";
        }
        "(SELECT a.item_id FROM annotations a JOIN assignments s ON s.id = a.assignment_id \
         JOIN batches b ON b.id = s.batch_id WHERE a.study_id = $1 AND a.latest = 1 AND b.round IN ('main', 'imported') \
         AND NOT EXISTS (SELECT 1 FROM assignments w JOIN batches v ON v.id = w.batch_id WHERE w.item_id = a.item_id \
         AND v.round IN ('main', 'imported') AND w.state IN ('not_started', 'in_progress')))"
    }

    /// The annotations that count.
    fn counting(self) -> &'static str {
        if self.snapshot.is_some() {
            "a.id IN (SELECT annotation_id FROM snapshot_annotations WHERE snapshot_id = $2)"
        } else {
            "a.latest = 1"
        }
    }

    /// The units with the rulings in force.
    fn units(self) -> &'static str {
        if self.snapshot.is_some() {
            "(SELECT f.unit_id AS id, f.item_id, f.seq, f.kind, f.category, f.subcategory, f.state, f.ratings, f.said, \
             f.ruling_id FROM snapshot_units f WHERE f.snapshot_id = $2) u LEFT JOIN rulings r ON r.id = u.ruling_id \
             WHERE u.item_id IN (SELECT i.id FROM items i WHERE i.study_id = $1)"
        } else {
            "units u LEFT JOIN rulings r ON r.unit_id = u.id AND r.latest = 1 WHERE u.study_id = $1"
        }
    }

    /// Rows of a text made of literals only.
    async fn rows(
        self,
        connection: &mut AnyConnection,
        parts: &[&'static str],
    ) -> Result<Vec<AnyRow>> {
        let mut query =
            sqlx::query(AssertSqlSafe(parts.concat())).bind(self.study.as_str().to_owned());
        if let Some(snapshot) = self.snapshot {
            query = query.bind(snapshot.to_owned());
        }
        Ok(query.fetch_all(connection).await?)
    }
}

/// An item that is all in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValidatedItem {
    /// The item.
    pub id: ItemId,
    /// Its place in the study.
    pub seq: i64,
    /// Its key in the file it came from.
    pub key: String,
    /// The condition of the person in the vignette.
    pub condition: String,
    /// The model that wrote the trace.
    pub model: String,
    /// How the model was asked.
    pub mode: String,
    /// Whether it was drawn by a seeded sample rather than brought by a file.
    pub drawn: bool,
    /// By what that sample was stratified.
    pub stratify: String,
}

/// Whether and how a rater looked for what the judge missed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Looked {
    /// The item.
    pub item: ItemId,
    /// The rater.
    pub rater: UserId,
    /// Whether the rater found the item ratable.
    pub ratable: bool,
    /// The rater said that nothing was missed.
    pub nothing_missed: bool,
    /// How many categories the rater said were missed.
    pub missed_count: Option<i64>,
    /// How many missed tags the rater added.
    pub listed: i64,
}

/// A unit with what was said of it and the ruling in force.
#[derive(Clone, Debug, PartialEq)]
pub struct Unit {
    /// The unit.
    pub id: UnitId,
    /// Its item.
    pub item: ItemId,
    /// What it is.
    pub kind: UnitKind,
    /// The category it was proposed or added under.
    pub category: String,
    /// The subcategory; may be empty.
    pub subcategory: String,
    /// Where it stands.
    pub state: UnitState,
    /// How many raters gave it a value.
    pub ratings: i64,
    /// What each rater said.
    pub said: Vec<Said>,
    /// How the ruling was reached.
    pub outcome: Option<Outcome>,
    /// The ruling's validity.
    pub validity: Option<Validity>,
    /// The ruling's category; empty where it names none.
    pub final_category: String,
    /// The ruling's subcategory.
    pub final_subcategory: String,
    /// The ruling's severity.
    pub severity: Option<f64>,
}

/// A tag of a judge on a validated item.
#[derive(Clone, Debug, PartialEq)]
pub struct Tag {
    /// The candidate's identity; empty for a tag that is compared only.
    pub id: String,
    /// The item.
    pub item: ItemId,
    /// The judge.
    pub judge: JudgeId,
    /// The candidate's key in its file.
    pub key: String,
    /// The category.
    pub category: String,
    /// The subcategory; may be empty.
    pub subcategory: String,
    /// The severity.
    pub severity: Option<f64>,
    /// Where, in code points of the trace.
    pub spans: Vec<(u32, u32)>,
}

/// A judge's run over a validated item.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// The item.
    pub item: ItemId,
    /// The judge.
    pub judge: JudgeId,
    /// Whether it gave nothing usable.
    pub failed: bool,
}

/// The items that are all in, in the order of the study.
///
/// # Errors
/// When the database fails.
pub async fn items(connection: &mut AnyConnection, scope: Scope<'_>) -> Result<Vec<ValidatedItem>> {
    let sql = [
        "SELECT i.id, i.seq, i.source_key, i.condition, i.model, i.mode, \
         (SELECT MIN(b.round || ' ' || b.stratify) FROM batch_items x JOIN batches b ON b.id = x.batch_id \
         WHERE x.item_id = i.id AND b.round IN ('main', 'imported')) FROM items i WHERE i.study_id = $1 AND i.id IN ",
        scope.validated(),
        " ORDER BY i.seq",
    ];
    scope
        .rows(connection, &sql)
        .await?
        .iter()
        .map(|row| {
            let drawn: Option<String> = row.try_get(6)?;
            let (round, stratify) = drawn
                .as_deref()
                .and_then(|d| d.split_once(' '))
                .unwrap_or_default();
            Ok(ValidatedItem {
                id: ItemId::new(row.try_get::<String, _>(0)?),
                seq: row.try_get(1)?,
                key: row.try_get(2)?,
                condition: row.try_get(3)?,
                model: row.try_get(4)?,
                mode: row.try_get(5)?,
                drawn: round == "main",
                stratify: stratify.to_owned(),
            })
        })
        .collect()
}

/// Whether and how each rater looked for missed tags; of a rater who judged an item twice, the later.
///
/// # Errors
/// When the database fails.
pub async fn annotations(connection: &mut AnyConnection, scope: Scope<'_>) -> Result<Vec<Looked>> {
    let sql = [
        "SELECT a.item_id, a.rater_id, a.ratable, a.nothing_missed, a.missed_count, \
               (SELECT COUNT(*) FROM missed_tags m WHERE m.annotation_id = a.id) FROM annotations a \
               JOIN assignments s ON s.id = a.assignment_id JOIN batches b ON b.id = s.batch_id \
               WHERE a.study_id = $1 AND b.round IN ('main', 'imported') AND ",
        scope.counting(),
        " ORDER BY a.submitted_at, a.id",
    ];
    scope
        .rows(connection, &sql)
        .await?
        .iter()
        .map(|row| {
            Ok(Looked {
                item: ItemId::new(row.try_get::<String, _>(0)?),
                rater: UserId::new(row.try_get::<String, _>(1)?),
                ratable: row.try_get::<i64, _>(2)? != 0,
                nothing_missed: row.try_get::<i64, _>(3)? != 0,
                missed_count: row.try_get(4)?,
                listed: row.try_get(5)?,
            })
        })
        .collect()
}

/// The units of a study with the rulings in force.
///
/// # Errors
/// When the database fails or a row breaks a rule of the domain.
pub async fn units(connection: &mut AnyConnection, scope: Scope<'_>) -> Result<Vec<Unit>> {
    let sql = [
        "SELECT u.id, u.item_id, u.kind, u.category, u.subcategory, u.state, u.ratings, u.said, \
         COALESCE(r.outcome, ''), COALESCE(r.validity, ''), COALESCE(r.category, ''), COALESCE(r.subcategory, ''), \
         r.severity FROM ",
        scope.units(),
        " ORDER BY u.seq, u.id",
    ];
    scope
        .rows(connection, &sql)
        .await?
        .iter()
        .map(|row| {
            let id: String = row.try_get(0)?;
            let (outcome, validity): (String, String) = (row.try_get(8)?, row.try_get(9)?);
            Ok(Unit {
                item: ItemId::new(row.try_get::<String, _>(1)?),
                kind: kind_of(&id, row.try_get(2)?)?,
                category: row.try_get(3)?,
                subcategory: row.try_get(4)?,
                state: state_of(&id, row.try_get(5)?)?,
                ratings: row.try_get(6)?,
                said: said_of_text(&id, row.try_get(7)?)?,
                outcome: known(&outcome, Outcome::parse, ("outcome", &id))?,
                validity: known(&validity, Validity::parse, ("validity", &id))?,
                final_category: row.try_get(10)?,
                final_subcategory: row.try_get(11)?,
                severity: row.try_get(12)?,
                id: UnitId::new(id),
            })
        })
        .collect()
}

fn known<T>(
    word: &str,
    parse: impl Fn(&str) -> Option<T>,
    (column, id): (&'static str, &str),
) -> Result<Option<T>> {
    if word.is_empty() {
        return Ok(None);
    }
    parse(word)
        .map(Some)
        .ok_or_else(|| Error::inconsistent("rulings", column, id))
}

/// The candidates of the validated items in the order of the desk, without their spans.
///
/// # Errors
/// When the database fails.
pub async fn candidates(connection: &mut AnyConnection, scope: Scope<'_>) -> Result<Vec<Tag>> {
    let sql = [
        "SELECT c.id, c.item_id, c.judge_id, c.source_key, c.category, c.subcategory, c.severity, '' FROM candidates c \
         WHERE c.study_id = $1 AND c.item_id IN ",
        scope.validated(),
        " ORDER BY c.item_id, c.ordinal",
    ];
    scope
        .rows(connection, &sql)
        .await?
        .iter()
        .map(tag)
        .collect()
}

/// The tags of judges that are compared only.
///
/// # Errors
/// When the database fails.
pub async fn compared_tags(connection: &mut AnyConnection, scope: Scope<'_>) -> Result<Vec<Tag>> {
    let sql = [
        "SELECT '', t.item_id, t.judge_id, '', t.category, t.subcategory, t.severity, t.spans FROM compared_tags t \
         WHERE t.item_id IN ",
        scope.validated(),
        " ORDER BY t.item_id, t.judge_id, t.ordinal",
    ];
    scope
        .rows(connection, &sql)
        .await?
        .iter()
        .map(tag)
        .collect()
}

fn tag(row: &AnyRow) -> Result<Tag> {
    let (id, spans): (String, String) = (row.try_get(0)?, row.try_get(7)?);
    Ok(Tag {
        item: ItemId::new(row.try_get::<String, _>(1)?),
        judge: JudgeId::new(row.try_get::<String, _>(2)?),
        key: row.try_get(3)?,
        category: row.try_get(4)?,
        subcategory: row.try_get(5)?,
        severity: row.try_get(6)?,
        spans: if spans.is_empty() {
            Vec::new()
        } else {
            json::read("compared_tags", "spans", &id, &spans)?
        },
        id,
    })
}

/// The spans of candidates and of missed tags, each with the identity of its candidate or tag.
///
/// # Errors
/// When the database fails.
pub async fn spans(
    connection: &mut AnyConnection,
    scope: Scope<'_>,
) -> Result<Vec<(String, (u32, u32))>> {
    let mut found = Vec::new();
    for sql in [
        [
            "SELECT s.candidate_id, s.span_start, s.span_end FROM candidate_spans s WHERE s.item_id IN ",
            scope.validated(),
            " ORDER BY s.candidate_id, s.ordinal",
        ],
        [
            "SELECT m.tag_id, m.span_start, m.span_end FROM missed_tags m JOIN annotations a ON a.id = m.annotation_id \
             WHERE a.study_id = $1 AND m.span_start IS NOT NULL AND ",
            scope.counting(),
            " ORDER BY m.tag_id, a.id",
        ],
    ] {
        for row in &scope.rows(connection, &sql).await? {
            let id: String = row.try_get(0)?;
            let place = |value: i64| {
                u32::try_from(value)
                    .map_err(|_| Error::inconsistent("candidate_spans", "span_start", &id))
            };
            let span = (place(row.try_get(1)?)?, place(row.try_get(2)?)?);
            found.push((id, span));
        }
    }
    Ok(found)
}

/// How the judges' runs over the validated items ended.
///
/// # Errors
/// When the database fails.
pub async fn runs(connection: &mut AnyConnection, scope: Scope<'_>) -> Result<Vec<Run>> {
    let sql = [
        "SELECT d.item_id, d.judge_id, d.outcome FROM judged d WHERE d.item_id IN ",
        scope.validated(),
    ];
    scope
        .rows(connection, &sql)
        .await?
        .iter()
        .map(run)
        .collect()
}

/// How the runs of judges that are compared only ended on the validated items.
///
/// # Errors
/// When the database fails.
pub async fn compared_runs(connection: &mut AnyConnection, scope: Scope<'_>) -> Result<Vec<Run>> {
    let sql = [
        "SELECT d.item_id, d.judge_id, d.outcome FROM compared_runs d WHERE d.item_id IN ",
        scope.validated(),
    ];
    scope
        .rows(connection, &sql)
        .await?
        .iter()
        .map(run)
        .collect()
}

fn run(row: &AnyRow) -> Result<Run> {
    Ok(Run {
        item: ItemId::new(row.try_get::<String, _>(0)?),
        judge: JudgeId::new(row.try_get::<String, _>(1)?),
        failed: row.try_get::<&str, _>(2)? == "failed",
    })
}

/// Which items each judge of the study saw in its prompt.
///
/// # Errors
/// When the database fails.
pub async fn few_shot(
    connection: &mut AnyConnection,
    study: &StudyId,
) -> Result<Vec<(JudgeId, ItemId)>> {
    let rows = sqlx::query(
        "SELECT s.judge_id, s.item_id FROM few_shot_items s JOIN judges j ON j.id = s.judge_id WHERE j.study_id = $1",
    )
    .bind(study.as_str())
    .fetch_all(connection)
    .await?;
    rows.iter()
        .map(|row| {
            Ok((
                JudgeId::new(row.try_get::<String, _>(0)?),
                ItemId::new(row.try_get::<String, _>(1)?),
            ))
        })
        .collect()
}
