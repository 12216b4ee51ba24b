//! What validation stands on, read in one state of the database: items that are all in, what their judges proposed,
//! what each rater said, and the final labels.

use super::label::{final_of, rater_of};
use crate::agreement::letter;
use crate::error::Result;
use domain::annotation::MissedTag;
use domain::id::{ItemId, JudgeId, StudyId, UserId};
use domain::refusal::Refusal;
use domain::scheme::Scheme;
use std::collections::HashMap;
use std::sync::Arc;
use store::AnyConnection;
use store::judge::{Judge, Looked, Scope, Split, Tag as StoredTag, ValidatedItem};
use store::snapshot::Head;

/// A tag: what and how severe, and where.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Tag {
    pub category: String,
    /// Nothing where it is another than the judge's, and nobody named which.
    pub subcategory: Option<String>,
    pub severity: Option<f64>,
    pub spans: Vec<(u32, u32)>,
}

/// What somebody says of a unit.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Stand {
    /// There is no such tag.
    No,
    /// There is this tag.
    Yes(Tag),
    /// Nothing that counts, and why.
    Unknown(&'static str),
}

/// What somebody says of a unit, and the severity they gave whatever they think of the tag.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Said {
    pub stand: Stand,
    /// Nothing where the tag was judged invalid.
    pub severity: Option<f64>,
    /// Whether the tag was judged invalid.
    pub invalid: bool,
}

impl Said {
    pub fn unknown(why: &'static str) -> Self {
        Self {
            stand: Stand::Unknown(why),
            severity: None,
            invalid: false,
        }
    }
}

/// A unit: a candidate with the judge that proposed it, or a tag that raters added.
#[derive(Clone, Debug)]
pub(crate) struct Unit {
    pub id: String,
    /// The judge's place; nothing for a missed tag.
    pub judge: Option<usize>,
    /// As it was proposed or added.
    pub tag: Tag,
    pub last: Said,
    /// By the raters' places.
    pub raters: Vec<Said>,
}

/// Whether a rater's search for missed tags is on record, and how many they counted beyond those they added.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Search {
    pub ratable: bool,
    pub looked: bool,
    pub unlisted: u64,
}

/// An item that is all in.
#[derive(Clone, Debug)]
pub(crate) struct Item {
    pub at: ValidatedItem,
    pub units: Vec<Unit>,
    /// By the raters' places; nothing of a rater who did not judge the item.
    pub searches: Vec<Option<Search>>,
    /// By the judges' places: whether the judge ran over the item, and whether it failed.
    pub runs: Vec<Option<bool>>,
    /// By the judges' places: the tags of judges whose tags no rater saw.
    pub compared: Vec<Vec<Tag>>,
    /// By the judges' places: whether the judge saw the item in its prompt.
    pub few_shot: Vec<bool>,
}

/// All that validation is computed from.
pub(crate) struct Ground {
    pub revision: i64,
    pub scheme: Arc<Scheme>,
    pub scheme_version: i64,
    pub judges: Vec<Judge>,
    /// Those who have submitted, with their letters.
    pub raters: Vec<(UserId, String)>,
    pub items: Vec<Item>,
    pub split: Option<Split>,
    /// Of items in batches that hide the judge's tags on some: whether they are hidden at first.
    pub arms: HashMap<ItemId, bool>,
    /// What each rater of such an item marked before they saw the judge's tags.
    pub own: HashMap<ItemId, Vec<Vec<MissedTag>>>,
}

/// The severity from which a tag without a judgement of its validity counts as one.
pub(crate) fn lowest_tag(scheme: &Scheme) -> f64 {
    let second = || {
        let levels = &scheme.severity.as_ref()?.levels;
        levels.get(1).map(|level| level.value)
    };
    scheme
        .retention
        .min_mean_severity
        .or_else(second)
        .unwrap_or(0.0)
}

/// Reads the ground of a study as it is now.
pub(crate) async fn ground(connection: &mut AnyConnection, id: &StudyId) -> Result<Ground> {
    ground_of(connection, id, None).await
}

/// Reads the ground of a study as it is now, or as it was when a snapshot was made: the one place where validation is
/// told whose labels count. What judges saw before and further judges' runs are no part of a snapshot.
pub(crate) async fn ground_of(
    connection: &mut AnyConnection,
    id: &StudyId,
    frozen: Option<&Head>,
) -> Result<Ground> {
    let study = store::study::get(connection, id)
        .await?
        .ok_or(Refusal::NotFound)?;
    let (scheme, scheme_version) = match frozen {
        Some(head) => (
            crate::study::scheme_of(connection, &head.scheme_hash).await?,
            head.scheme_version,
        ),
        None => crate::study::scheme_in(connection, id).await?,
    };
    let submitted = match frozen {
        Some(head) => store::snapshot::raters(connection, head).await?,
        None => store::result::raters(connection, id).await?,
    };
    let scope = Scope {
        study: id,
        snapshot: frozen.map(|head| head.id.as_str()),
    };
    let members = store::unit::raters(connection, id).await?;
    let place = |rater: &UserId| members.iter().position(|member| member.user == *rater);
    let raters: Vec<(UserId, String)> = submitted
        .into_iter()
        .enumerate()
        .map(|(at, (rater, _))| {
            let place = place(&rater).unwrap_or(members.len() + at);
            (rater, letter(place))
        })
        .collect();
    let judges = store::judge::list(connection, id).await?;
    let mut items = Builder::new(
        &scheme,
        &judges,
        &raters,
        store::judge::items(connection, scope).await?,
    );
    items.searches(store::judge::annotations(connection, scope).await?);
    let spans = store::judge::spans(connection, scope).await?;
    items.units(
        store::judge::units(connection, scope).await?,
        store::judge::candidates(connection, scope).await?,
        spans,
    );
    for (runs, compared) in [
        (store::judge::runs(connection, scope).await?, false),
        (store::judge::compared_runs(connection, scope).await?, true),
    ] {
        items.runs(&runs, compared);
    }
    items.compared(store::judge::compared_tags(connection, scope).await?);
    items.few_shot(&store::judge::few_shot(connection, id).await?);
    for (item, _) in store::judge::few_shot_of_files(connection, id).await? {
        if let Some(item) = items.item(&item) {
            item.few_shot.fill(true);
        }
    }
    let arms = store::own::arms(connection, id).await?;
    let arms = arms.into_iter().map(|one| (one.item, one.hidden));
    let arms: HashMap<ItemId, bool> = arms.collect();
    let mut own: HashMap<ItemId, Vec<Vec<MissedTag>>> = HashMap::new();
    if !arms.is_empty() {
        for (item, _, tags) in store::own::tags(connection, id).await? {
            own.entry(item).or_default().push(tags);
        }
    }
    Ok(Ground {
        revision: study.revision,
        items: items.items,
        split: store::judge::split(connection, id).await?,
        arms,
        own,
        scheme,
        scheme_version,
        judges,
        raters,
    })
}

struct Builder<'a> {
    scheme: &'a Scheme,
    items: Vec<Item>,
    at: HashMap<ItemId, usize>,
    judges: HashMap<&'a JudgeId, usize>,
    raters: &'a [(UserId, String)],
}

impl<'a> Builder<'a> {
    fn new(
        scheme: &'a Scheme,
        judges: &'a [Judge],
        raters: &'a [(UserId, String)],
        items: Vec<ValidatedItem>,
    ) -> Self {
        let at = items
            .iter()
            .enumerate()
            .map(|(at, item)| (item.id.clone(), at))
            .collect();
        let bare = |item: ValidatedItem| Item {
            at: item,
            units: Vec::new(),
            searches: vec![None; raters.len()],
            runs: vec![None; judges.len()],
            compared: vec![Vec::new(); judges.len()],
            few_shot: vec![false; judges.len()],
        };
        Self {
            scheme,
            items: items.into_iter().map(bare).collect(),
            at,
            judges: judges
                .iter()
                .enumerate()
                .map(|(at, judge)| (&judge.id, at))
                .collect(),
            raters,
        }
    }

    fn item(&mut self, id: &ItemId) -> Option<&mut Item> {
        let at = *self.at.get(id)?;
        self.items.get_mut(at)
    }

    fn searches(&mut self, rows: Vec<Looked>) {
        for row in rows {
            let Some(rater) = self.raters.iter().position(|(id, _)| *id == row.rater) else {
                continue;
            };
            let counted = row.missed_count.unwrap_or_default();
            let search = Search {
                ratable: row.ratable,
                looked: row.ratable && (row.nothing_missed || row.listed > 0 || counted > 0),
                unlisted: u64::try_from(counted - row.listed).unwrap_or_default(),
            };
            if let Some(item) = self.item(&row.item) {
                item.searches[rater] = Some(search);
            }
        }
    }

    fn units(
        &mut self,
        units: Vec<store::judge::Unit>,
        candidates: Vec<StoredTag>,
        spans: Vec<(String, (u32, u32))>,
    ) {
        let mut places: HashMap<String, Vec<(u32, u32)>> = HashMap::new();
        for (id, span) in spans {
            places.entry(id).or_default().push(span);
        }
        let mut kept: HashMap<String, store::judge::Unit> = units
            .into_iter()
            .map(|unit| (unit.id.as_str().to_owned(), unit))
            .collect();
        for candidate in candidates {
            let judge = self.judges.get(&candidate.judge).copied();
            let unit = kept.remove(&candidate.id);
            let tag = Tag {
                category: candidate.category,
                subcategory: Some(candidate.subcategory),
                severity: candidate.severity,
                spans: places.remove(&candidate.id).unwrap_or_default(),
            };
            let whole = self.unit(candidate.id, judge, tag, unit.as_ref());
            if let Some(item) = self.item(&candidate.item) {
                item.units.push(whole);
            }
        }
        let mut missed: Vec<store::judge::Unit> = kept
            .into_values()
            .filter(|unit| unit.kind == domain::unit::UnitKind::Missed)
            .collect();
        missed.sort_by(|a, b| a.id.as_str().cmp(b.id.as_str()));
        for unit in missed {
            let tag = Tag {
                category: unit.category.clone(),
                subcategory: Some(unit.subcategory.clone()),
                severity: None,
                spans: places
                    .get(unit.id.as_str())
                    .and_then(|spans| spans.first().copied())
                    .into_iter()
                    .collect(),
            };
            let whole = self.unit(unit.id.to_string(), None, tag, Some(&unit));
            if let Some(item) = self.item(&unit.item) {
                item.units.push(whole);
            }
        }
    }

    fn unit(
        &self,
        id: String,
        judge: Option<usize>,
        tag: Tag,
        unit: Option<&store::judge::Unit>,
    ) -> Unit {
        let said = |(rater, _): &(UserId, String)| match unit {
            None => Said::unknown("not_rated"),
            Some(unit) => rater_of(self.scheme, &tag, unit, rater),
        };
        Unit {
            raters: self.raters.iter().map(said).collect(),
            last: unit.map_or_else(
                || Said::unknown("not_rated"),
                |unit| final_of(self.scheme, &tag, unit),
            ),
            id,
            judge,
            tag,
        }
    }

    fn runs(&mut self, runs: &[store::judge::Run], compared: bool) {
        for run in runs {
            let Some(judge) = self.judges.get(&run.judge).copied() else {
                continue;
            };
            if let Some(item) = self.item(&run.item)
                && (!compared || item.runs[judge].is_none())
            {
                item.runs[judge] = Some(run.failed);
            }
        }
        // A file with tags and no outcome of its own still shows that the judge ran.
        for item in &mut self.items {
            for unit in &item.units {
                if let Some(judge) = unit.judge {
                    item.runs[judge].get_or_insert(false);
                }
            }
        }
    }

    fn compared(&mut self, tags: Vec<StoredTag>) {
        for stored in tags {
            let Some(judge) = self.judges.get(&stored.judge).copied() else {
                continue;
            };
            let tag = Tag {
                category: stored.category,
                subcategory: Some(stored.subcategory),
                severity: stored.severity,
                spans: stored.spans,
            };
            if let Some(item) = self.item(&stored.item) {
                item.compared[judge].push(tag);
            }
        }
    }

    fn few_shot(&mut self, rows: &[(JudgeId, ItemId)]) {
        for (judge, item) in rows {
            let Some(judge) = self.judges.get(judge).copied() else {
                continue;
            };
            if let Some(item) = self.item(item) {
                item.few_shot[judge] = true;
            }
        }
    }
}
