//! The integrity check finds what was changed behind the product's back, and nothing in a sound database.

use crate::fixture::{Study, judges, misses, ruling_of, says, tag};
use domain::ruling::Outcome;
use domain::scheme::Validity::Valid;
use service::batch::Round;
use service::check;
use service::ruling::NewRuling;

async fn worked() -> Study {
    let mut study = Study::new(2).await;
    let (one, two) = (study.item("i", 2).await, study.item("j", 0).await);
    study.assign(Round::Main, &[0, 1]).await;
    study
        .submit(0, &one, judges(&one, [says(Valid, 1.0), says(Valid, 3.0)]))
        .await;
    study
        .submit(1, &one, judges(&one, [says(Valid, 5.0), says(Valid, 3.0)]))
        .await;
    study
        .submit(0, &two, misses([tag("t", "1.1", (0, 9), 2.0)]))
        .await;
    study.submit(1, &two, misses([])).await;
    let settled = NewRuling {
        severity: Some(3.0),
        agreed_by_raters: true,
        ..ruling_of(Outcome::Consensus)
    };
    study
        .rule(&study.coordinator, "i.1", settled)
        .await
        .expect("ruled");
    study
}

async fn codes(study: &Study) -> Vec<(&'static str, String)> {
    let found = check::run(&study.app).await.expect("checked");
    found
        .into_iter()
        .map(|finding| (finding.code, finding.subject))
        .collect()
}

#[tokio::test]
async fn a_sound_database_has_no_finding() {
    assert_eq!(codes(&worked().await).await, []);
}

/// Each change is one that no use case makes; the finding names the rule and the row.
#[tokio::test]
async fn inception_6247_every_break_is_found_under_its_rule_and_nothing_is_changed() {
    for (sql, expected) in [
        (
            "UPDATE items SET trace = 'She hears' WHERE id = 'i'",
            &["span_bounds", "trace_hash", "trace_length"][..],
        ),
        (
            "UPDATE candidate_spans SET quote = 'vioces' WHERE candidate_id = 'i.2'",
            &["span_quote"],
        ),
        (
            "UPDATE candidates SET anchor = 'unanchored' WHERE id = 'i.1'",
            &["anchor_without_span"],
        ),
        (
            "UPDATE missed_tags SET quote = 'x'",
            &["annotation_content", "span_quote"],
        ),
        (
            "UPDATE units SET state = 'agreed' WHERE id = 'i.1'",
            &["unit_differs"],
        ),
        ("UPDATE rulings SET basis = 'other'", &["unit_differs"]),
        (
            "UPDATE rulings SET latest = 0",
            &["ruling_latest", "unit_differs"],
        ),
        (
            "UPDATE annotations SET latest = 0 WHERE item_id = 'j'",
            &["annotation_latest", "assignment_state", "unit_left_over"],
        ),
        (
            "UPDATE assignments SET state = 'withdrawn' WHERE item_id = 'j' AND state = 'submitted'",
            &["assignment_state", "batch_progress", "unit_differs"],
        ),
        (
            "UPDATE audit SET details = '{}' WHERE seq = 2 AND study_id <> ''",
            &["audit_chain"],
        ),
        (
            "DELETE FROM batch_progress WHERE state = 'submitted'",
            &["batch_progress"],
        ),
        (
            "UPDATE judgements SET severity = 2 WHERE candidate_id = 'i.2'",
            &["annotation_content", "unit_differs"],
        ),
    ] {
        let study = worked().await;
        let mut tx = study.app.db.begin().await.expect("a transaction");
        sqlx::query(sql).execute(&mut *tx).await.expect("changed");
        tx.commit().await.expect("committed");
        let found = codes(&study).await;
        let mut rules: Vec<_> = found.iter().map(|(code, _)| *code).collect();
        rules.dedup();
        assert_eq!(rules, expected, "{sql}");
        assert_eq!(codes(&study).await, found, "checking changes nothing");
    }
}

#[tokio::test]
async fn a_finding_names_rows_and_never_their_content() {
    let study = worked().await;
    let mut tx = study.app.db.begin().await.expect("a transaction");
    sqlx::query("UPDATE candidate_spans SET quote = 'SECRET' WHERE candidate_id = 'i.2'")
        .execute(&mut *tx)
        .await
        .expect("changed");
    tx.commit().await.expect("committed");
    let found = check::run(&study.app).await.expect("checked");
    let text = serde_json::to_string(&found).expect("json");
    assert!(!text.contains("SECRET"));
    assert_eq!(
        text,
        format!(
            r#"[{{"study":"{}","code":"span_quote","subject":"i.2"}}]"#,
            study.id
        )
    );
}
