//! A study of five items worked out by hand.

use super::compute::computed;
use super::figure::Intervals;
use super::ground::{Ground, Item, Said, Search, Stand, Tag, Unit};
use super::{CategoryRule, Part, SeverityRule, ValidationQuery};
use domain::id::{ItemId, JudgeId, UserId};
use std::collections::HashMap;
use std::sync::Arc;
use store::judge::{Judge, Split, ValidatedItem};

pub(super) fn tag(code: &str, severity: f64) -> Tag {
    Tag {
        category: code[..1].to_owned(),
        subcategory: (code.len() > 1).then(|| code.to_owned()),
        severity: Some(severity),
        spans: vec![(0, 10)],
    }
}

pub(super) fn yes(code: &str, severity: f64) -> Said {
    Said {
        stand: Stand::Yes(tag(code, severity)),
        severity: Some(severity),
        invalid: false,
    }
}

fn no() -> Said {
    Said {
        stand: Stand::No,
        severity: None,
        invalid: true,
    }
}

/// Both raters say what the final label says.
pub(super) fn unit(id: &str, judge: Option<Tag>, said: &Said) -> Unit {
    Unit {
        id: id.to_owned(),
        judge: judge.as_ref().map(|_| 0),
        tag: judge.unwrap_or_else(|| tag("6.1", 2.0)),
        last: said.clone(),
        raters: vec![said.clone(), said.clone()],
    }
}

pub(super) fn item(seq: i64, looked: bool, units: Vec<Unit>) -> Item {
    let search = Search {
        ratable: true,
        looked,
        unlisted: 0,
    };
    Item {
        at: ValidatedItem {
            id: ItemId::new(format!("item-{seq}")),
            seq,
            key: format!("key-{seq}"),
            condition: "depression".into(),
            model: "model-1".into(),
            mode: String::new(),
            drawn: true,
            stratify: String::new(),
        },
        units,
        searches: vec![Some(search); 2],
        runs: vec![Some(false)],
        compared: vec![Vec::new()],
        few_shot: vec![false],
    }
}

/// a is right; b is half a point too severe; c is one point too severe, and a sister subcategory fits better; d is
/// invalid; g was missed; e is invalid because it belongs to category 1; of f it is not on record what was missed.
pub(super) fn study() -> Ground {
    let named_elsewhere = Said {
        invalid: true,
        severity: None,
        ..yes("1.1", 3.0)
    };
    let items = vec![
        item(
            1,
            true,
            vec![
                unit("a", Some(tag("1.1", 3.0)), &yes("1.1", 3.0)),
                unit("b", Some(tag("4.1", 3.5)), &yes("4.1", 3.0)),
            ],
        ),
        item(
            2,
            true,
            vec![
                unit("c", Some(tag("3.1", 4.0)), &yes("3.2", 3.0)),
                unit("d", Some(tag("5.1", 2.0)), &no()),
            ],
        ),
        item(3, true, vec![unit("g", None, &yes("6.1", 2.0))]),
        item(
            4,
            true,
            vec![unit("e", Some(tag("2.1", 3.0)), &named_elsewhere)],
        ),
        item(
            5,
            false,
            vec![unit("f", Some(tag("1.1", 2.0)), &yes("1.1", 2.0))],
        ),
    ];
    let text = domain::scheme::builtin("stigma").expect("compiled in");
    Ground {
        revision: 1,
        scheme: Arc::new(domain::scheme::parse(text).expect("sound").0),
        scheme_version: 1,
        judges: vec![Judge {
            id: JudgeId::new("j"),
            name: "judge".into(),
            model: String::new(),
            prompt_version: String::new(),
            params: String::new(),
            judged_on: String::new(),
            note: String::new(),
            few_shot: 0,
        }],
        raters: vec![
            (UserId::new("u1"), "A".into()),
            (UserId::new("u2"), "B".into()),
        ],
        items,
        split: None,
        arms: HashMap::new(),
        own: HashMap::new(),
    }
}

fn query() -> ValidationQuery {
    ValidationQuery::default()
}

#[test]
fn every_rule_of_the_grid_counts_as_worked_out_by_hand() {
    // Six predicted tags; of the five on items that are covered and the five tags of the reference there, as many are
    // right as the rule lets through. f is right under every rule and counts for precision alone.
    let right_on_covered = [
        ("exact/exact", 1),       // a
        ("exact/within_half", 2), // a b
        ("exact/within_one", 2),  // a b: c has the wrong subcategory
        ("exact/ignored", 2),
        ("top_level/exact", 1),
        ("top_level/within_half", 2),
        ("top_level/within_one", 3), // a b c
        ("top_level/ignored", 3),
        ("any/exact", 2),       // a e
        ("any/within_half", 3), // a b e
        ("any/within_one", 4),  // a b c e
        ("any/ignored", 4),
    ];
    let report = computed(&study(), &query(), Intervals::Now).expect("a judge");
    assert_eq!((report.items, report.covered), (5, 4));
    for (cell, (word, right)) in report.grid.iter().zip(right_on_covered) {
        assert_eq!(cell.rule.word(), word);
        let [precision, recall, f1] = cell.figures.as_slice() else {
            panic!("three figures");
        };
        assert_eq!(
            (precision.tp, precision.fp),
            (Some(right + 1), Some(5 - right)),
            "{word}"
        );
        assert_eq!(
            (recall.tp, recall.fn_, recall.n),
            (Some(right), Some(5 - right), 5),
            "{word}"
        );
        let close = |found: Option<f64>, hand: f64| {
            assert!(
                (found.expect("defined") - hand).abs() < 1e-12,
                "{word}: {found:?} {hand}"
            );
        };
        close(precision.estimate, (right + 1) as f64 / 6.0);
        close(recall.estimate, right as f64 / 5.0);
        // On the covered items both precision and recall are right / 5, and so is their harmonic mean.
        close(f1.estimate, right as f64 / 5.0);
        close(recall.coverage, 0.8);
        assert_eq!(
            recall.other.or(recall.ci).map(|ci| ci.method),
            Some("wilson")
        );
    }
    assert_eq!(
        report.rule.word(),
        "top_level/exact",
        "the scheme's rule stands in front"
    );
}

#[test]
fn a_judge_without_severities_is_scored_only_where_they_do_not_matter() {
    let mut ground = study();
    for unit in ground.items.iter_mut().flat_map(|item| &mut item.units) {
        unit.tag.severity = None;
    }
    let report = computed(&ground, &query(), Intervals::Now).expect("a judge");
    for cell in &report.grid {
        let precision = &cell.figures[0];
        if cell.rule.severity == SeverityRule::Ignored {
            // As with severities: exact a b f, top level c as well, any category e as well; of six.
            let right = match cell.rule.category {
                CategoryRule::Exact => 3,
                CategoryRule::TopLevel => 4,
                CategoryRule::Any => 5,
            };
            assert_eq!((precision.tp, precision.n), (Some(right), 6));
        } else {
            // d is wrong under every rule; counting it alone would make a precision of nought out of one tag.
            assert_eq!((precision.estimate, precision.n), (None, 0));
            assert_eq!(precision.undefined.as_deref(), Some("severity_missing"));
        }
    }
}

#[test]
fn the_worst_come_first_and_a_rejected_tag_counts_from_the_lowest_level() {
    let report = computed(&study(), &query(), Intervals::Now).expect("a judge");
    let found: Vec<_> = report
        .worst
        .iter()
        .map(|w| (&*w.unit, w.kind, w.distance))
        .collect();
    // d: 2 against none (1); g: none (1) against 2; c: 4 against 3; b: 3.5 against 3. e agrees in severity.
    assert_eq!(
        found,
        [
            ("c", "severity", 1.0),
            ("d", "rejected", 1.0),
            ("g", "missed", 1.0),
            ("b", "severity", 0.5),
        ]
    );
}

#[test]
fn severity_is_compared_where_the_tag_stands() {
    let report = computed(&study(), &query(), Intervals::Now).expect("a judge");
    let figure = |name: &str| {
        report
            .severity
            .iter()
            .find(|f| f.name == name)
            .expect("there")
    };
    // a 3-3, b 3.5-3, c 4-3, f 2-2: differences 0, .5, 1, 0.
    assert_eq!(
        (figure("bias").estimate, figure("bias").n),
        (Some(0.375), 4)
    );
    assert_eq!(figure("mae").estimate, Some(0.375));
    assert_eq!(figure("within1_agreement").estimate, Some(1.0));
    assert_eq!(figure("percent_agreement").estimate, Some(0.5));
    let bins: Vec<_> = report
        .reliability
        .iter()
        .map(|b| (b.severity, b.tags, b.rejected, b.mean))
        .collect();
    assert_eq!(
        bins,
        [
            (2.0, 2, 1, Some(2.0)),
            (3.0, 2, 0, Some(3.0)),
            (3.5, 1, 0, Some(3.0)),
            (4.0, 1, 0, Some(3.0)),
        ]
    );
}

#[test]
fn two_raters_who_agree_are_a_perfect_ceiling_and_the_test_only_explores() {
    let report = computed(&study(), &query(), Intervals::Now).expect("a judge");
    let humans = &report.ceiling[0];
    assert_eq!((&*humans.who, &*humans.against), ("A", "B"));
    assert_eq!(humans.tags[0].estimate, Some(1.0));
    assert_eq!(
        report.ceiling.len(),
        4,
        "A-B, judge-A, judge-B, judge-final"
    );
    assert!(report.alt_test.exploratory);
    assert_eq!(report.alt_test.undefined.as_deref(), Some("too_few_items"));
}

#[test]
fn confusion_has_the_reference_in_its_rows() {
    let report = computed(&study(), &query(), Intervals::Now).expect("a judge");
    let place = |name: &str| match name {
        "none" => report.categories.len() - 1,
        code => code.parse::<usize>().expect("a code") - 1,
    };
    let at = |reference: &str, judge: &str| report.confusion[place(reference)][place(judge)];
    assert_eq!(at("1", "1"), 2);
    assert_eq!((at("none", "5"), at("5", "none")), (1, 0));
    assert_eq!((at("6", "none"), at("1", "2")), (1, 1));
    assert_eq!(report.confusion.iter().flatten().sum::<u64>(), 7);
}

#[test]
fn items_that_the_judge_saw_stay_out_unless_asked_for() {
    let mut ground = study();
    ground.items[0].few_shot[0] = true;
    let without = computed(&ground, &query(), Intervals::Now).expect("a judge");
    assert_eq!(
        (
            without.items,
            without.few_shot_excluded,
            without.few_shot_included
        ),
        (4, 1, 0)
    );
    let with = ValidationQuery {
        few_shot: true,
        ..query()
    };
    let with = computed(&ground, &with, Intervals::Now).expect("a judge");
    assert_eq!(
        (with.items, with.few_shot_excluded, with.few_shot_included),
        (5, 0, 1)
    );
}

#[test]
fn a_failure_is_no_negative_and_a_held_out_part_stays_apart() {
    let mut ground = study();
    ground.items[2].runs[0] = Some(true);
    ground.items[4].runs[0] = None;
    let report = computed(&ground, &query(), Intervals::Now).expect("a judge");
    assert_eq!((report.items, report.failed, report.not_judged), (3, 1, 1));
    // g was on the failed item: it is no tag that the judge missed.
    assert_eq!(report.front()[1].n, 4);

    let mut ground = study();
    let of = |ground: &Ground, part| {
        computed(ground, &ValidationQuery { part, ..query() }, Intervals::Now)
            .expect("a judge")
            .items
    };
    assert_eq!(
        of(&ground, Part::Dev),
        0,
        "without a split there is no part"
    );
    ground.split = Some(Split {
        version: 1,
        seed: 4,
        dev_share: 500,
        created_at: 0,
    });
    assert_eq!(of(&ground, Part::Dev) + of(&ground, Part::Test), 5);
}

#[test]
fn tags_that_no_rater_saw_find_their_unit_by_their_words() {
    let mut ground = study();
    ground.judges.push(Judge {
        id: JudgeId::new("k"),
        name: "other".into(),
        ..ground.judges[0].clone()
    });
    for item in &mut ground.items {
        item.runs.push(Some(false));
        item.compared.push(Vec::new());
        item.few_shot.push(false);
    }
    // The second judge marks a's words alike, says nothing else of item 1 and 2, finds what was missed on item 3 and
    // marks words on item 4 that nobody reviewed: there it is on record that nothing else is there.
    ground.items[0].compared[1] = vec![tag("1.1", 3.0)];
    ground.items[2].compared[1] = vec![tag("6.1", 2.0)];
    let mut elsewhere = tag("5.1", 2.0);
    elsewhere.spans = vec![(40, 50)];
    ground.items[3].compared[1] = vec![elsewhere];
    let asked = ValidationQuery {
        judge: "k".into(),
        ..query()
    };
    let report = computed(&ground, &asked, Intervals::Now).expect("a judge");
    let front = report.front();
    assert_eq!((front[0].tp, front[0].fp), (Some(2), Some(1)));
    // b, c and the tag named in place of e are not found; a and g are. f is not covered.
    assert_eq!((front[1].tp, front[1].fn_), (Some(2), Some(3)));
}
