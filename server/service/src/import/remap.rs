//! The table by which codes of other taxonomies lead to the scheme. A study keeps the one it used: the next import
//! applies it again, and says where it differs from the scheme's own.

use super::{Problem, problem};
use crate::actor::Actor;
use crate::auth::require;
use crate::error::Result;
use crate::services::Services;
use domain::id::StudyId;
use domain::refusal::Refusal;
use domain::role::Action;
use domain::scheme::{CategoryRef, Scheme, folded};
use formats::Notice;
use serde::Serialize;
use std::collections::{BTreeMap, HashMap};
use std::sync::{Mutex, PoisonError};
use store::AnyConnection;

/// The most codes that one import may map anew.
const MOST: usize = 1_000;

/// How codes of other taxonomies are taken.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Remap {
    /// Codes and where they lead, whatever was said before.
    pub stated: Vec<(String, String)>,
    /// Follow the scheme's table where it differs from the imports before.
    pub follow_scheme: bool,
}

impl Remap {
    /// Reads one code a line, `CODE = CODE OF THE SCHEME`.
    ///
    /// # Errors
    /// [`Refusal::InputInvalid`] for a line that is none.
    pub fn parse(text: &str) -> std::result::Result<Vec<(String, String)>, Refusal> {
        let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
        let pair = |line: &str| {
            let (from, to) = line.rsplit_once('=')?;
            let (from, to) = (from.trim(), to.trim());
            (!from.is_empty() && !to.is_empty()).then(|| (from.to_owned(), to.to_owned()))
        };
        let stated: Option<Vec<_>> = lines.map(pair).collect();
        stated
            .filter(|stated| stated.len() <= MOST)
            .ok_or(Refusal::InputInvalid)
    }
}

/// A code of another taxonomy, where imports into a study take it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CodeRow {
    /// The code as files write it.
    pub code: String,
    /// The name beside it; may be empty.
    pub name: String,
    /// The code of the scheme.
    pub to: String,
    /// Its name; empty when the scheme no longer has it.
    pub to_name: String,
    /// Whoever imported said so, not the scheme's table.
    pub stated: bool,
    /// Where the scheme's table leads now, where that is another place.
    pub scheme_says: Option<String>,
    /// The file with which it came to be so.
    pub file_name: String,
    /// When, in epoch milliseconds.
    pub at: i64,
}

/// The codes of other taxonomies that imports into a study met, and where the next one takes them.
///
/// # Errors
/// [`Refusal::Forbidden`] without the right to import.
pub async fn codes(app: &Services, actor: &Actor, study: &StudyId) -> Result<Vec<CodeRow>> {
    let mut db = app.db.read().await?;
    require(&mut db, actor, study, Action::ImportRun).await?;
    let (scheme, _) = crate::study::scheme_in(&mut db, study).await?;
    let mut rows: BTreeMap<(String, String), CodeRow> = BTreeMap::new();
    for mapped in store::import::codes(&mut db, study).await? {
        let to = written(&mapped.to);
        let offered = offered(&scheme, &mapped.code, &mapped.name);
        let row = CodeRow {
            to_name: scheme.name_of(&to).unwrap_or_default().to_owned(),
            scheme_says: offered
                .filter(|offered| *offered != mapped.to)
                .map(|offered| written(&offered)),
            to,
            stated: mapped.stated,
            file_name: mapped.file_name,
            at: mapped.at,
            code: mapped.code,
            name: mapped.name,
        };
        rows.insert(key(&row.code, &row.name), row);
    }
    Ok(rows.into_values().collect())
}

type Key = (String, String);

fn key(code: &str, name: &str) -> Key {
    (folded(code.trim()), folded(name.trim()))
}

/// The code of a category or subcategory.
fn written(to: &CategoryRef) -> String {
    to.subcategory.as_ref().unwrap_or(&to.category).clone()
}

/// Where the scheme leads.
fn offered(scheme: &Scheme, code: &str, name: &str) -> Option<CategoryRef> {
    let with_name = || {
        let both = format!("{}.{}", code.trim(), name.trim());
        (!name.trim().is_empty()).then(|| scheme.resolve(&both))?
    };
    scheme.resolve(code).or_else(with_name)
}

/// A code that the file has, and where it was taken.
struct Used {
    code: String,
    name: String,
    to: CategoryRef,
    stated: bool,
    before: Option<CategoryRef>,
    offered: Option<CategoryRef>,
}

/// The table of one import.
#[derive(Default)]
pub(super) struct Table {
    kept: HashMap<Key, CategoryRef>,
    stated: HashMap<String, CategoryRef>,
    follow_scheme: bool,
    used: Mutex<BTreeMap<Key, Used>>,
}

impl Table {
    /// What the study kept, under what is asked for now; a problem for each stated code that leads nowhere.
    pub(super) async fn open(
        connection: &mut AnyConnection,
        study: &StudyId,
        scheme: &Scheme,
        asked: &Remap,
    ) -> Result<std::result::Result<Self, Vec<Problem>>> {
        let mut kept = HashMap::new();
        for mapped in store::import::codes(connection, study).await? {
            if scheme.find(&written(&mapped.to)).is_some() {
                kept.insert(key(&mapped.code, &mapped.name), mapped.to);
            }
        }
        let (mut stated, mut problems) = (HashMap::new(), Vec::new());
        for (line, (from, to)) in (1..).zip(&asked.stated) {
            match scheme.find(to) {
                Some(to) => {
                    stated.insert(folded(from), to);
                }
                None => problems.push(problem(line, Some("remap"), to, "a code of the scheme")),
            }
        }
        if !problems.is_empty() {
            return Ok(Err(problems));
        }
        Ok(Ok(Self {
            kept,
            stated,
            follow_scheme: asked.follow_scheme,
            used: Mutex::default(),
        }))
    }

    /// Where a code leads.
    pub(super) fn resolve(
        &self,
        scheme: &Scheme,
        code: &str,
        name: Option<&str>,
    ) -> Option<CategoryRef> {
        let name = name.unwrap_or_default();
        let plain = self.kept.is_empty() && self.stated.is_empty();
        let own = scheme.find(code.trim());
        if plain && own.is_some() {
            return own;
        }
        let key = key(code, name);
        let mut used = self.used.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = used.get(&key) {
            return Some(known.to.clone());
        }
        let (before, offered) = (self.kept.get(&key).cloned(), offered(scheme, code, name));
        let stated = self.stated.get(&key.0).cloned();
        let of_scheme = || offered.clone().filter(|_| self.follow_scheme);
        let to = stated
            .clone()
            .or_else(of_scheme)
            .or_else(|| before.clone())
            .or_else(|| offered.clone())?;
        if own.as_ref() == Some(&to) && before.is_none() {
            return own;
        }
        let row = Used {
            code: code.trim().to_owned(),
            name: name.trim().to_owned(),
            to: to.clone(),
            stated: stated.is_some(),
            before,
            offered,
        };
        used.insert(key, row);
        Some(to)
    }

    /// What of the file's codes is new, or other than before.
    pub(super) fn anew(&self) -> Vec<(String, String, CategoryRef, bool)> {
        let used = self.used.lock().unwrap_or_else(PoisonError::into_inner);
        used.values()
            .filter(|one| one.before.as_ref() != Some(&one.to))
            .map(|one| {
                (
                    one.code.clone(),
                    one.name.clone(),
                    one.to.clone(),
                    one.stated,
                )
            })
            .collect()
    }

    /// What somebody should know of it: where codes were taken elsewhere than before, or than the scheme says.
    pub(super) fn notices(&self) -> Vec<Notice> {
        let used = self.used.lock().unwrap_or_else(PoisonError::into_inner);
        used.values().filter_map(notice).collect()
    }
}

fn notice(one: &Used) -> Option<Notice> {
    let to = written(&one.to);
    let elsewhere = |other: &&CategoryRef| **other != one.to;
    let reason = if let Some(before) = one.before.as_ref().filter(elsewhere) {
        let before = written(before);
        format!(
            "taken as {to} from now on; imports before took it as {before}, and tags that are there keep that"
        )
    } else {
        let other = one.offered.as_ref().filter(elsewhere)?;
        let why = if one.stated && one.before.is_none() {
            "as you say"
        } else {
            "as in the imports before"
        };
        format!(
            "taken as {to} {why}; the scheme’s own table says {}",
            written(other)
        )
    };
    let subject = format!("code {} {}", one.code, one.name);
    Some(Notice {
        line: None,
        subject: subject.trim().to_owned(),
        reason,
    })
}
