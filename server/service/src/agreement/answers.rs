//! What every source answered to the questions about the items, read once, and made into units question by question.

use super::ground::Ground;
use super::questions::{View, view};
use super::types::Question;
use crate::error::Result;
use crate::results::{self, Ask, Item, Said, Source};
use crate::unit::question::identity;
use domain::annotation::shortest;
use domain::id::{ItemId, UnitId};
use domain::relation::{self, Place};
use domain::ruling::Outcome;
use domain::scheme::{Level, QuestionKind};
use std::collections::{BTreeSet, HashSet};
use std::sync::Arc;
use store::AnyConnection;
use store::result::{FinalValue, KeyedUnit, RaterValue, UnitValues, Values, Waiting};

/// Every item that was given to raters, with what was answered.
pub(crate) struct Answers {
    items: Vec<One>,
    /// The judges by name.
    judges: Vec<String>,
}

struct One {
    id: ItemId,
    seq: i64,
    key: String,
    condition: Arc<str>,
    model: Arc<str>,
    said: Item,
}

/// The possible answers as numbers, as words of tables and as people read them.
#[derive(Clone, Default)]
pub(crate) struct Scale {
    pub values: Vec<f64>,
    pub labels: Vec<String>,
    pub names: Vec<String>,
}

/// The units of one question.
pub(super) struct Coded {
    pub units: Vec<KeyedUnit>,
    /// Those of items of which not everything is in; nobody has a value there.
    pub waiting: Vec<KeyedUnit>,
    pub scale: Scale,
}

impl Answers {
    /// Reads the answers of the study, or of a snapshot.
    pub async fn read(db: &mut AnyConnection, ask: Ask<'_>) -> Result<Self> {
        let (mut items, mut judges, mut after) = (Vec::new(), BTreeSet::new(), 0);
        while let Some((page, up_to)) = results::page(db, ask, after).await? {
            for (stored, said) in page {
                if !said.asked {
                    continue;
                }
                judges.extend(said.said.keys().filter_map(|source| match source {
                    Source::Judge(name) => Some(name.clone()),
                    _ => None,
                }));
                items.push(One {
                    id: stored.id,
                    seq: stored.seq,
                    key: stored.source_key,
                    condition: stored.condition.into(),
                    model: stored.model.into(),
                    said,
                });
            }
            after = up_to;
        }
        Ok(Self {
            items,
            judges: judges.into_iter().collect(),
        })
    }

    /// The ground of one question about the item.
    pub fn ground(&self, of: &Ground, question: &Question) -> Ground {
        let coded = self.coded(of, question);
        let waiting = coded.waiting.iter().map(|keyed| Waiting {
            category: keyed.unit.category.clone(),
            condition: keyed.unit.condition.clone(),
            model: keyed.unit.model.clone(),
            units: 1,
        });
        let all = coded.units.iter().chain(&coded.waiting);
        let items: HashSet<i64> = all.map(|keyed| keyed.unit.seq).collect();
        let mut letters = of.letters[..of.raters.len()].to_vec();
        letters.extend(self.judges.iter().cloned());
        letters.push("final".to_owned());
        Ground {
            scheme: of.scheme.clone(),
            scheme_version: of.scheme_version,
            raters: of.raters.clone(),
            letters,
            judges: self.judges.len(),
            values: Values {
                waiting: waiting.collect(),
                units: coded.units.into_iter().map(|keyed| keyed.unit).collect(),
                items: items.len() as u64,
            },
            scale: Some(coded.scale),
        }
    }

    /// The units of one question about the item, with the keys that people find them by.
    pub(super) fn coded(&self, of: &Ground, question: &Question) -> Coded {
        let mut coded = Coded {
            units: Vec::new(),
            waiting: Vec::new(),
            scale: Scale::default(),
        };
        let Some(view) = view(&of.scheme, question.as_str()) else {
            return coded;
        };
        let coding = Coding {
            view,
            sets: self.sets(view),
        };
        coded.scale = coding.scale();
        for one in &self.items {
            let units = if one.said.waiting {
                &mut coded.waiting
            } else {
                &mut coded.units
            };
            for part in coding.parts(one) {
                units.push(self.unit(one, &coding, &part, of.raters.len()));
            }
        }
        coded
    }

    /// Every set of levels that somebody chose, the smallest first: the categories of the question as a whole.
    fn sets(&self, view: View<'_>) -> Vec<String> {
        if view.question.kind != QuestionKind::Multi || view.level.is_some() {
            return Vec::new();
        }
        let answers = self.items.iter().flat_map(|one| {
            let ruled = one.said.ruled.get(&view.question.id);
            let said = one.said.said.values();
            said.filter_map(|said| said.get(&view.question.id))
                .chain(ruled.and_then(Option::as_ref))
        });
        let sets: BTreeSet<(usize, String)> = answers
            .flat_map(|said| &said.values)
            .map(|values| (values.len(), set(values)))
            .collect();
        sets.into_iter().map(|(_, set)| set).collect()
    }

    fn unit(&self, one: &One, coding: &Coding<'_>, part: &str, people: usize) -> KeyedUnit {
        let id = &coding.view.question.id;
        let value = |rater: usize, source: &Source| {
            let said = coding.said(one, source)?;
            Some(RaterValue {
                rater,
                ratable: true,
                validity: None,
                severity: Some(coding.code(said, part)?),
            })
        };
        let unratable = one.said.unratable.iter().map(|rater| RaterValue {
            rater: *rater,
            ratable: false,
            validity: None,
            severity: None,
        });
        let judge = |source: &Source| match source {
            Source::Judge(name) => self.judges.iter().position(|known| known == name),
            _ => None,
        };
        let said = one.said.said.keys().filter_map(|source| match source {
            Source::Rater(at, _) => value(*at, source),
            Source::Judge(_) => value(people + judge(source)?, source),
            Source::Final => value(people + self.judges.len(), source),
        });
        let seen = one.said.few_shot.iter();
        let seen = seen.filter_map(judge).map(|at| people + at).collect();
        let mut values: Vec<RaterValue> = said.chain(unratable).collect();
        values.sort_by_key(|value| value.rater);
        let ruled = one.said.ruled.get(id).map(|ruled| FinalValue {
            outcome: if ruled.is_some() {
                Outcome::Consensus
            } else {
                Outcome::Unresolved
            },
            validity: None,
            severity: ruled.as_ref().and_then(|said| coding.code(said, part)),
        });
        let unit = identity(&one.id, id);
        let (unit, source_key) = if part.is_empty() {
            (unit, one.key.clone())
        } else {
            let unit = UnitId::new(format!("{unit}-{part}"));
            (unit, format!("{}#{part}", one.key))
        };
        KeyedUnit {
            item_key: one.key.clone(),
            source_key,
            unit: UnitValues {
                unit,
                seq: one.seq,
                category: id.as_str().into(),
                condition: one.condition.clone(),
                model: one.model.clone(),
                values: if one.said.waiting { Vec::new() } else { values },
                few_shot: seen,
                ruling: ruled,
            },
        }
    }
}

fn set(values: &[String]) -> String {
    let mut values: Vec<&str> = values.iter().map(String::as_str).collect();
    values.sort_unstable();
    if values.is_empty() {
        "none".to_owned()
    } else {
        values.join("+")
    }
}

/// A pair of steps as keys have it.
fn pair(part: Place, target: Place) -> String {
    format!("{part}-{target}")
}

/// How answers to a question become numbers.
struct Coding<'a> {
    view: View<'a>,
    sets: Vec<String>,
}

impl Coding<'_> {
    /// What a source answered. To leave relations alone is no answer.
    fn said<'b>(&self, one: &'b One, source: &Source) -> Option<&'b Said> {
        let own = one.said.said.get(source)?.get(&self.view.question.id)?;
        let of_relations = self.view.question.kind == QuestionKind::Relations;
        let drawn = own.values.iter().any(|lines| !lines.is_empty());
        (drawn || !of_relations).then_some(own)
    }

    /// The parts of an item that get a value each: its points, or the pairs of steps that somebody relates; else one.
    fn parts(&self, one: &One) -> Vec<String> {
        match self.view.question.kind {
            QuestionKind::Points => (1..=one.said.options).map(|at| at.to_string()).collect(),
            QuestionKind::Relations => {
                let mut pairs = BTreeSet::new();
                for source in one.said.said.keys() {
                    let lines = self.said(one, source).into_iter();
                    let links = lines.flat_map(|said| said.values.iter());
                    let links = links.flat_map(|lines| relation::links(lines));
                    pairs.extend(links.map(|(part, _, target)| (part, target)));
                }
                pairs
                    .into_iter()
                    .map(|(part, target)| pair(part, target))
                    .collect()
            }
            _ => vec![String::new()],
        }
    }

    /// The number of an answer; nothing where those who speak for a source do not share one.
    fn code(&self, said: &Said, part: &str) -> Option<f64> {
        if self.view.question.kind == QuestionKind::Ordinal {
            return said.number;
        }
        let codes = said.values.iter().map(|values| self.code_of(values, part));
        let codes: Vec<f64> = codes.collect::<Option<_>>()?;
        let first = *codes.first()?;
        codes
            .iter()
            .all(|code| code.to_bits() == first.to_bits())
            .then_some(first)
    }

    fn code_of(&self, values: &[String], part: &str) -> Option<f64> {
        let View { question, level } = self.view;
        let place = |at: usize| (at + 1) as f64;
        match (question.kind, level) {
            (QuestionKind::Multi, Some(level)) => {
                let word = question.word(level);
                Some(place(usize::from(values.contains(&word))))
            }
            (QuestionKind::Multi, None) => {
                let own = set(values);
                self.sets.iter().position(|set| *set == own).map(place)
            }
            (QuestionKind::Points, _) => {
                let covered = values.iter().any(|value| value == part);
                Some(place(usize::from(covered)))
            }
            (QuestionKind::Relations, _) => {
                let links = relation::links(values).into_iter();
                let mut labels = links
                    .filter(|(of, _, target)| pair(*of, *target) == part)
                    .map(|(_, label, _)| label);
                match labels.next() {
                    Some(label) => {
                        let mut levels = question.levels.iter();
                        let at = levels.position(|level| level.word() == label)?;
                        Some(place(at + 1))
                    }
                    None => Some(place(0)),
                }
            }
            _ => {
                let word = values.first()?;
                let mut levels = question.levels.iter();
                levels
                    .position(|level| question.word(level) == *word)
                    .map(place)
            }
        }
    }

    fn scale(&self) -> Scale {
        let View { question, level } = self.view;
        let levels = &question.levels;
        let own = |words: Vec<(String, String)>| {
            let (labels, names): (Vec<String>, Vec<String>) = words.into_iter().unzip();
            Scale {
                values: (1..=labels.len()).map(|at| at as f64).collect(),
                labels,
                names,
            }
        };
        let word = |level: &Level| (question.word(level), level.name.clone());
        let plain = |word: &str| (word.to_owned(), word.to_owned());
        match (question.kind, level) {
            (QuestionKind::Ordinal, _) => {
                let labels: Vec<String> = levels.iter().map(|l| shortest(l.value)).collect();
                Scale {
                    values: levels.iter().map(|level| level.value).collect(),
                    names: labels.clone(),
                    labels,
                }
            }
            (QuestionKind::Multi, None) => own(self.sets.iter().map(|set| plain(set)).collect()),
            (QuestionKind::Multi, Some(_)) | (QuestionKind::Points, _) => {
                own(vec![plain("no"), plain("yes")])
            }
            (QuestionKind::Relations, _) => {
                let none = ("none".to_owned(), "No relation".to_owned());
                own(std::iter::once(none)
                    .chain(levels.iter().map(word))
                    .collect())
            }
            _ => own(levels.iter().map(word).collect()),
        }
    }
}
