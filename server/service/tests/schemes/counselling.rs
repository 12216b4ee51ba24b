//! `mindeval2-mqm` and `mindeval1-rubric`.

use crate::stage::{Stage, When, figure, is, stat};
use domain::refusal::Refusal;
use serde_json::json;
use service::agreement::{AgreementQuery, Facet, Question, report};

/// Four replies of two sessions:
///
/// ```text
///               severity           issues
/// reply session A   B   judge      A              B
/// r1    s1      0   0   0          -              -
/// r2    s1      1   1   1          overstatement  overstatement
/// r3    s2      5   1   5          false_fact     overstatement, false_fact
/// r4    s2      10  10  5          false_fact     false_fact
/// ```
async fn replies() -> Stage {
    let all: [(&str, &str, [u8; 3], [&[&str]; 2]); 4] = [
        ("r1", "s1", [0, 0, 0], [&[], &[]]),
        ("r2", "s1", [1, 1, 1], [&["overstatement"]; 2]),
        (
            "r3",
            "s2",
            [5, 1, 5],
            [&["false_fact"], &["overstatement", "false_fact"]],
        ),
        ("r4", "s2", [10, 10, 5], [&["false_fact"]; 2]),
    ];
    let record = |(key, session, severity, issues): (&str, &str, [u8; 3], [&[&str]; 2])| {
        let says = |at: usize| json!({"severity": {"value": severity[at], "rationale": "So it is."}, "issues": issues[at]});
        json!({
            "key": key, "extra": {"session": session}, "trace": format!("Reply {key}."),
            "judge": {"name": "judge-a"}, "answers": {"severity": severity[2]},
            "ratings": [{"rater": "ada", "answers": says(0)}, {"rater": "ben", "answers": says(1)}],
        })
    };
    let records: Vec<_> = all.into_iter().map(record).collect();
    Stage::new("mindeval2-mqm", &records).await
}

#[tokio::test]
async fn severities_of_replies_and_each_issue() {
    let stage = replies().await;
    // The first question of the scheme is meant where none is named.
    for word in ["", "severity"] {
        let severity = stage.agreement(word, When::Raw, Facet::None).await;
        assert!(is(stat(&severity, "percent_agreement"), 0.75, 4));
        // Margins of one each, and 1, 2, 0, 1: chance (1 + 2 + 0 + 1) / 16.
        assert!(is(stat(&severity, "kappa"), (0.75 - 0.25) / 0.75, 4));
        assert_eq!(severity.labels, ["0", "1", "5", "10"]);
        assert_eq!(severity.groups[0].far_apart, 1);
    }
    let set = stage.agreement("issues", When::Raw, Facet::None).await;
    assert!(is(stat(&set, "percent_agreement"), 0.75, 4));
    assert_eq!(
        set.labels,
        [
            "none",
            "false_fact",
            "overstatement",
            "false_fact+overstatement"
        ]
    );
    let one = stage
        .agreement("issues.overstatement", When::Raw, Facet::None)
        .await;
    // A ticks it once and B twice: chance (1 * 2 + 3 * 2) / 16.
    assert!(is(stat(&one, "kappa"), (0.75 - 0.5) / 0.5, 4));
    let other = stage
        .agreement("issues.false_fact", When::Raw, Facet::None)
        .await;
    assert!(is(stat(&other, "kappa"), 1.0, 4));
    let judge = stage
        .agreement("severity", When::Reconciled, Facet::Judge)
        .await;
    assert!(
        is(stat(&judge, "percent_agreement"), 2.0 / 3.0, 3),
        "the third reply has no final answer"
    );
    for absent in ["validity", "issues.nonsense", "trace"] {
        let query = AgreementQuery {
            question: Question::from(absent.to_owned()),
            ..AgreementQuery::default()
        };
        let refused = report(&stage.app, &stage.staff, &stage.study, &query).await;
        assert_eq!(
            refused.unwrap_err().refusal(),
            Refusal::NotFound,
            "{absent}"
        );
    }
}

#[tokio::test]
async fn sessions_of_replies_are_averaged() {
    let stage = replies().await;
    stage.settle(&[("r3", "severity", &["5"])]).await;
    let rows = stage.results().await;
    let of = |source, statistic| figure(&rows, source, ("", ""), statistic);
    // Sessions weigh (0 + 1) / 2 and (5 + 10) / 2; the judge's second (5 + 5) / 2; B's (1 + 10) / 2.
    assert!(is(of("final", "mqm_mean"), 4.0, 2));
    assert!(is(of("final", "mqm_p99"), 7.5, 2));
    assert!(is(of("judge-a", "mqm_mean"), 2.75, 2));
    assert!(is(of("ben", "mqm_mean"), 3.0, 2));
    assert!(is(of("final", "incident_critical"), 0.5, 2));
    assert!(is(of("judge-a", "incident_critical"), 0.0, 2));
    assert!(is(of("judge-a", "incident_major_or_worse"), 0.5, 2));
}

/// Three sessions; the raters differ on one criterion of the second by one point.
#[tokio::test]
async fn criteria_of_sessions_and_their_mean() {
    let criteria = [
        "clinical_accuracy",
        "ethical_conduct",
        "assessment_response",
        "therapeutic_relationship",
        "ai_communication",
    ];
    let says = |value: u8, first: u8| {
        let mut answers = serde_json::Map::new();
        for name in criteria {
            answers.insert(name.to_owned(), json!(value));
        }
        answers.insert(criteria[0].to_owned(), json!(first));
        answers
    };
    let records: Vec<_> = [(3, 3, 3), (4, 4, 5), (6, 6, 6)]
        .into_iter()
        .enumerate()
        .map(|(at, (value, a, b))| {
            json!({
                "key": format!("c{at}"), "trace": format!("Session {at}."),
                "ratings": [{"rater": "ada", "answers": says(value, a)}, {"rater": "ben", "answers": says(value, b)}],
            })
        })
        .collect();
    let stage = Stage::new("mindeval1-rubric", &records).await;
    let accuracy = stage
        .agreement("clinical_accuracy", When::Raw, Facet::None)
        .await;
    assert!(is(stat(&accuracy, "percent_agreement"), 2.0 / 3.0, 3));
    assert!(is(stat(&accuracy, "within1_agreement"), 1.0, 3));
    // 3, 4, 6 against 3, 5, 6 of 1 to 6: one difference of one point weighs 1/25. By chance the squares of differences
    // are (0 + 4 + 9 + 1 + 1 + 4 + 9 + 1 + 0) / 9.
    let (observed, expected) = (1.0 / 25.0 / 3.0, 29.0 / 9.0 / 25.0);
    assert!(is(
        stat(&accuracy, "kappa_quadratic"),
        1.0 - observed / expected,
        3
    ));
    let conduct = stage
        .agreement("ethical_conduct", When::Raw, Facet::None)
        .await;
    assert!(is(stat(&conduct, "kappa"), 1.0, 3));
    let rows = stage.results().await;
    let of = |source| figure(&rows, source, ("", ""), "overall");
    assert!(is(of("ada"), (3.0 + 4.0 + 6.0) / 3.0, 3));
    // One point apart is no disagreement under the scheme: the final answer is the mean, 4.5 beside four times 4.
    assert!(is(of("final"), (3.0 + 4.1 + 6.0) / 3.0, 3));
}
