//! What agreement is computed from: one row a candidate unit, one entry a rater. What raters said is read where it
//! stands together, in the units, which keep nothing of an item before all of it is in.

use crate::error::{Error, Result};
use crate::unit::{Answer, said_of_text};
use domain::id::{StudyId, UnitId, UserId};
use domain::ruling::Outcome;
use domain::scheme::Validity;
use sqlx::any::AnyRow;
use sqlx::{AnyConnection, AssertSqlSafe, Row};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// A candidate unit of an item that was given to raters in a counting round.
#[derive(Clone, Debug, PartialEq)]
pub struct UnitValues {
    /// The unit.
    pub unit: UnitId,
    /// The place of its item: units of one item are not independent.
    pub seq: i64,
    /// Its category.
    pub category: Arc<str>,
    /// The item's condition; empty where places were not asked for.
    pub condition: Arc<str>,
    /// The item's model; empty where places were not asked for.
    pub model: Arc<str>,
    /// What each rater said, by the rater's place in the list of raters.
    pub values: Vec<RaterValue>,
    /// The places of judges in whose prompt the item stood: what they say of it is no test of them.
    pub few_shot: Vec<usize>,
    /// The ruling in force that still rests on what is there.
    pub ruling: Option<FinalValue>,
}

/// A unit with the keys that people find it by.
#[derive(Clone, Debug, PartialEq)]
pub struct KeyedUnit {
    /// The item's key.
    pub item_key: String,
    /// The candidate's key.
    pub source_key: String,
    /// The unit.
    pub unit: UnitValues,
}

/// Units of items of which not everything is in, counted together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Waiting {
    /// Their category.
    pub category: Arc<str>,
    /// Their items' condition.
    pub condition: Arc<str>,
    /// Their items' model.
    pub model: Arc<str>,
    /// How many they are.
    pub units: u64,
}

/// One rater's value of a unit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RaterValue {
    /// The rater's place in the list of raters.
    pub rater: usize,
    /// Whether the rater found the item ratable.
    pub ratable: bool,
    /// Whether the tag is right.
    pub validity: Option<Validity>,
    /// How severe it is.
    pub severity: Option<f64>,
}

/// What a ruling made of a unit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FinalValue {
    /// How it was reached.
    pub outcome: Outcome,
    /// The final validity.
    pub validity: Option<Validity>,
    /// The final severity.
    pub severity: Option<f64>,
}

/// The raters who have submitted in a counting round, in the order of members.
///
/// # Errors
/// When the database fails.
pub async fn raters(
    connection: &mut AnyConnection,
    study: &StudyId,
) -> Result<Vec<(UserId, String)>> {
    let rows = sqlx::query(
        "SELECT u.id, u.display_name, COALESCE(m.position, 1000000) AS place FROM users u \
         LEFT JOIN members m ON m.study_id = $1 AND m.user_id = u.id AND m.role = 'rater' \
         WHERE u.id IN (SELECT p.rater_id FROM batch_progress p JOIN batches b ON b.id = p.batch_id \
         WHERE b.study_id = $1 AND b.round IN ('main', 'imported')) \
         AND EXISTS (SELECT 1 FROM batches b JOIN assignments s ON s.batch_id = b.id AND s.rater_id = u.id \
         JOIN annotations a ON a.assignment_id = s.id AND a.latest = 1 \
         WHERE b.study_id = $1 AND b.round IN ('main', 'imported')) ORDER BY place, u.id",
    )
    .bind(study.as_str())
    .fetch_all(connection)
    .await?;
    rows.iter()
        .map(|row| Ok((UserId::new(row.try_get::<String, _>(0)?), row.try_get(1)?)))
        .collect()
}

/// What there is to compare.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Values {
    /// The units of which everything is in, in the order of items.
    pub units: Vec<UnitValues>,
    /// The others.
    pub waiting: Vec<Waiting>,
    /// Items with a unit.
    pub items: u64,
}

/// Every candidate unit of the counting rounds with what these raters said of it; nothing of an item of which not
/// every annotation is in. Conditions and models are read only where they are asked for.
///
/// # Errors
/// When the database fails or holds a word that the domain does not know.
pub async fn values(
    connection: &mut AnyConnection,
    study: &StudyId,
    raters: &[(UserId, String)],
    places: bool,
) -> Result<Values> {
    let mut reading = Reading::new(raters, rulings(connection, study).await?);
    let places = if places {
        places_of(connection, study, &mut reading.words).await?
    } else {
        HashMap::new()
    };
    let rows = sqlx::query(
        "SELECT id, seq, category, said FROM units WHERE study_id = $1 AND kind = 'candidate' AND said <> '[]'",
    )
    .bind(study.as_str())
    .fetch_all(&mut *connection)
    .await?;
    let nowhere: (Arc<str>, Arc<str>) = Default::default();
    let mut units = Vec::with_capacity(rows.len());
    for row in &rows {
        let place = places.get(&row.try_get::<i64, _>(1)?).unwrap_or(&nowhere);
        units.push(reading.unit(row, [0, 1, 2, 3], place.clone())?);
    }
    units.sort_unstable_by(|a, b| (a.seq, a.unit.as_str()).cmp(&(b.seq, b.unit.as_str())));
    let (waiting, waiting_items) = waiting(connection, study, &mut reading.words).await?;
    let items: HashSet<i64> = units.iter().map(|unit| unit.seq).collect();
    Ok(Values {
        units,
        waiting,
        items: items.len() as u64 + waiting_items,
    })
}

/// Every candidate unit of the counting rounds with its keys, in the order of items.
///
/// # Errors
/// As [`values`].
pub async fn keyed(
    connection: &mut AnyConnection,
    study: &StudyId,
    raters: &[(UserId, String)],
) -> Result<Vec<KeyedUnit>> {
    let mut reading = Reading::new(raters, rulings(connection, study).await?);
    let rows = sqlx::query(
        "SELECT c.id, i.seq, c.category, COALESCE(u.said, '[]'), i.condition, i.model, i.source_key, c.source_key \
         FROM candidates c JOIN items i ON i.id = c.item_id LEFT JOIN units u ON u.id = c.id \
         WHERE c.study_id = $1 AND EXISTS (SELECT 1 FROM batch_items x JOIN batches b ON b.id = x.batch_id \
         WHERE x.item_id = c.item_id AND b.round IN ('main', 'imported')) ORDER BY i.seq, c.ordinal",
    )
    .bind(study.as_str())
    .fetch_all(connection)
    .await?;
    rows.iter()
        .map(|row| {
            let place = (
                reading.words.get(row.try_get(4)?),
                reading.words.get(row.try_get(5)?),
            );
            Ok(KeyedUnit {
                item_key: row.try_get(6)?,
                source_key: row.try_get(7)?,
                unit: reading.unit(row, [0, 1, 2, 3], place)?,
            })
        })
        .collect()
}

/// Words that come again and again, kept once.
#[derive(Default)]
struct Words(HashSet<Arc<str>>);

impl Words {
    fn get(&mut self, word: &str) -> Arc<str> {
        if let Some(known) = self.0.get(word) {
            return known.clone();
        }
        let new: Arc<str> = word.into();
        self.0.insert(new.clone());
        new
    }
}

/// What rows are read with.
struct Reading<'a> {
    columns: HashMap<&'a str, usize>,
    rulings: HashMap<String, FinalValue>,
    words: Words,
}

impl<'a> Reading<'a> {
    fn new(raters: &'a [(UserId, String)], rulings: HashMap<String, FinalValue>) -> Self {
        let columns = raters.iter().enumerate();
        Self {
            columns: columns.map(|(at, (id, _))| (id.as_str(), at)).collect(),
            rulings,
            words: Words::default(),
        }
    }

    /// A unit from the columns with its id, place, category and what was said.
    fn unit(
        &mut self,
        row: &AnyRow,
        [id, seq, category, said]: [usize; 4],
        (condition, model): (Arc<str>, Arc<str>),
    ) -> Result<UnitValues> {
        let unit: String = row.try_get(id)?;
        let mut values: Vec<RaterValue> = said_of_text(&unit, row.try_get(said)?)?
            .into_iter()
            .filter_map(|said| {
                let rater = *self.columns.get(said.rater.as_str())?;
                let ratable = said.answer != Answer::NotRatable;
                let silent =
                    said.validity.is_none() && said.severity.is_none() && said.better.is_empty();
                (!ratable || !silent).then_some(RaterValue {
                    rater,
                    ratable,
                    validity: said.validity,
                    severity: said.severity,
                })
            })
            .collect();
        values.sort_by_key(|value| value.rater);
        Ok(UnitValues {
            seq: row.try_get(seq)?,
            category: self.words.get(row.try_get(category)?),
            condition,
            model,
            values,
            few_shot: Vec::new(),
            ruling: self.rulings.get(&unit).copied(),
            unit: UnitId::new(unit),
        })
    }
}

/// The rulings in force, by unit.
async fn rulings(
    connection: &mut AnyConnection,
    study: &StudyId,
) -> Result<HashMap<String, FinalValue>> {
    let rows = sqlx::query(
        "SELECT r.unit_id, r.outcome, r.validity, r.severity FROM units u \
         JOIN rulings r ON r.unit_id = u.id AND r.latest = 1 WHERE u.study_id = $1 AND u.state = 'ruled'",
    )
    .bind(study.as_str())
    .fetch_all(connection)
    .await?;
    rows.iter()
        .map(|row| {
            let unit: String = row.try_get(0)?;
            let ruling = FinalValue {
                outcome: Outcome::parse(row.try_get(1)?)
                    .ok_or_else(|| Error::inconsistent("rulings", "outcome", &unit))?,
                validity: validity("rulings", &unit, row.try_get(2)?)?,
                severity: row.try_get(3)?,
            };
            Ok((unit, ruling))
        })
        .collect()
}

/// The condition and the model of every item, by its place.
async fn places_of(
    connection: &mut AnyConnection,
    study: &StudyId,
    words: &mut Words,
) -> Result<HashMap<i64, (Arc<str>, Arc<str>)>> {
    let rows = sqlx::query("SELECT seq, condition, model FROM items WHERE study_id = $1")
        .bind(study.as_str())
        .fetch_all(connection)
        .await?;
    rows.iter()
        .map(|row| {
            let place = (words.get(row.try_get(1)?), words.get(row.try_get(2)?));
            Ok((row.try_get(0)?, place))
        })
        .collect()
}

/// Items of a counting round of which not every annotation is in.
const WAITING: &str = "(SELECT DISTINCT x.item_id AS id FROM batches b JOIN batch_items x ON x.batch_id = b.id \
     WHERE b.study_id = $1 AND b.round IN ('main', 'imported') AND NOT EXISTS \
     (SELECT 1 FROM units u WHERE u.item_id = x.item_id AND u.kind = 'candidate' AND u.said <> '[]')) w \
     JOIN candidates c ON c.item_id = w.id";

/// The units that wait, counted, and the number of their items.
async fn waiting(
    connection: &mut AnyConnection,
    study: &StudyId,
    words: &mut Words,
) -> Result<(Vec<Waiting>, u64)> {
    let sql = format!(
        "SELECT c.category, i.condition, i.model, COUNT(*) FROM {WAITING} JOIN items i ON i.id = w.id \
         GROUP BY c.category, i.condition, i.model ORDER BY 1, 2, 3"
    );
    let rows = sqlx::query(AssertSqlSafe(sql))
        .bind(study.as_str())
        .fetch_all(&mut *connection)
        .await?;
    let mut found = Vec::with_capacity(rows.len());
    for row in &rows {
        found.push(Waiting {
            category: words.get(row.try_get(0)?),
            condition: words.get(row.try_get(1)?),
            model: words.get(row.try_get(2)?),
            units: row.try_get::<i64, _>(3)?.unsigned_abs(),
        });
    }
    if found.is_empty() {
        return Ok((found, 0));
    }
    let sql = format!("SELECT COUNT(DISTINCT w.id) FROM {WAITING}");
    let row = sqlx::query(AssertSqlSafe(sql))
        .bind(study.as_str())
        .fetch_one(connection)
        .await?;
    Ok((found, row.try_get::<i64, _>(0)?.unsigned_abs()))
}

fn validity(table: &'static str, id: &str, word: String) -> Result<Option<Validity>> {
    match word.as_str() {
        "" => Ok(None),
        word => Validity::parse(word)
            .map(Some)
            .ok_or_else(|| Error::inconsistent(table, "validity", id)),
    }
}
