//! `miramind-trajectory`: ten trajectories of two models, two raters, a judge.
//!
//! Terminology Parsimony, item by item (item 5 and item 10 end in a wrong answer):
//!
//! ```text
//! item    1 2 3 4 5 | 6 7 8 9 10
//! A       2 2 2 2 1 | 1 1 0 0 0
//! B       2 2 2 1 1 | 1 0 0 0 1
//! final   2 2 2 2 1 | 1 1 0 0 0     (4, 7 and 10 settled by consensus)
//! judge   2 2 2 2 1 | 1 1 1 0 0
//! ```

use crate::stage::{Stage, When, figure, is, part, stat};
use serde_json::json;
use service::agreement::Facet;

const A: [u8; 10] = [2, 2, 2, 2, 1, 1, 1, 0, 0, 0];
const B: [u8; 10] = [2, 2, 2, 1, 1, 1, 0, 0, 0, 1];
const JUDGE: [u8; 10] = [2, 2, 2, 2, 1, 1, 1, 1, 0, 0];

async fn small() -> Stage {
    let records: Vec<_> = (1..=10)
        .map(|n: usize| {
            let says = |terms: u8, relations: &[&str]| {
                let mut answers = json!({
                    "terminology_parsimony": terms, "step_adequacy": 2, "logical_coherence": 2, "informativeness": 1,
                });
                if !relations.is_empty() {
                    answers["relations"] = json!(relations);
                }
                answers
            };
            let judged: &[&str] = if n % 2 == 1 {
                &["1 ENTAILS input", "2 SUPPORTS 1", "3 IRRELEVANT input"]
            } else {
                &["1 ENTAILS input", "2 SUPPORTS 1", "2 CONTRADICTS input", "3 REFINES 2"]
            };
            // Rater A changes the judge's relations of 1 and 3: nothing irrelevant, and two steps are one. Rater B leaves
            // those of 1 alone and confirms those of 3; both confirm those of 4, and leave all others alone.
            let corrected: &[&str] =
                &["1 ENTAILS input", "2 SUPPORTS 1", "3 REFINES 2", "join 3"];
            let of_a = match n {
                1 | 3 => corrected,
                4 => judged,
                _ => &[],
            };
            let of_b = if matches!(n, 3 | 4) { judged } else { &[] };
            json!({
                "key": format!("t{n}"),
                "model": if n <= 5 { "model-a" } else { "model-b" },
                "extra": {"correct": !n.is_multiple_of(5)},
                "question": "What is it?",
                "trace": format!(
                    "<think>\n### Evidence\nHe sleeps badly. Item {n}.\n### Weighing\nIt fits.\n### Conclusion\nSo it is.\n</think>\n<answer>A</answer>"
                ),
                "judge": {"name": "judge-a"},
                "answers": says(JUDGE[n - 1], judged),
                "ratings": [
                    {"rater": "ada", "answers": says(A[n - 1], of_a)},
                    {"rater": "ben", "answers": says(B[n - 1], of_b)},
                ],
            })
        })
        .collect();
    Stage::new("miramind-trajectory", &records).await
}

const SETTLED: [(&str, &str, &[&str]); 3] = [
    ("t4", "terminology_parsimony", &["2"]),
    ("t7", "terminology_parsimony", &["1"]),
    ("t10", "terminology_parsimony", &["0"]),
];

#[tokio::test]
async fn raw_agreement_is_that_of_independent_answers_metric_by_metric() {
    let stage = small().await;
    for settled in [false, true] {
        if settled {
            stage.settle(&SETTLED).await;
        }
        let raw = stage
            .agreement("terminology_parsimony", When::Raw, Facet::None)
            .await;
        // Seven of ten alike. Margins 4, 3, 3 and 3, 4, 3: chance (12 + 12 + 9) / 100.
        assert!(is(stat(&raw, "percent_agreement"), 0.7, 10));
        assert!(is(stat(&raw, "kappa"), (0.7 - 0.33) / 0.67, 10));
        // One point apart weighs 1/2, with squares 3/4; by chance 46 of 100 pairs lie one point apart.
        assert!(is(stat(&raw, "kappa_linear"), (0.85 - 0.56) / 0.44, 10));
        assert!(is(
            stat(&raw, "kappa_quadratic"),
            (0.925 - 0.675) / 0.325,
            10
        ));
        assert_eq!(
            (raw.question.title.as_str(), raw.question.ordered),
            ("Terminology Parsimony", true)
        );
        assert_eq!(raw.labels, ["0", "1", "2"]);
        assert_eq!(raw.groups[0].far_apart, 0);
        let reconciled = stage
            .agreement("terminology_parsimony", When::Reconciled, Facet::None)
            .await;
        let expected = if settled { 1.0 } else { 0.7 };
        assert!(is(stat(&reconciled, "percent_agreement"), expected, 10));
    }
    let same = stage
        .agreement("logical_coherence", When::Raw, Facet::None)
        .await;
    assert!(is(stat(&same, "percent_agreement"), 1.0, 10));
    assert_eq!(
        stat(&same, "kappa").0,
        None,
        "every answer is the same, so chance agreement is 1"
    );
    let by_model = stage
        .agreement("terminology_parsimony", When::Raw, Facet::Model)
        .await;
    assert!(is(part(&by_model, 0, "percent_agreement"), 0.8, 5));
    assert!(is(part(&by_model, 1, "percent_agreement"), 0.6, 5));
}

#[tokio::test]
async fn the_judge_is_compared_with_the_consensus() {
    let stage = small().await;
    let before = stage
        .agreement("terminology_parsimony", When::Reconciled, Facet::Judge)
        .await;
    // Seven items have a final answer; of those the judge and the raters differ on item 8.
    assert!(is(stat(&before, "percent_agreement"), 6.0 / 7.0, 7));
    stage.settle(&SETTLED).await;
    let judge = stage
        .agreement("terminology_parsimony", When::Reconciled, Facet::Judge)
        .await;
    assert_eq!(judge.groups[0].facet_value, "judge-a");
    // Nine of ten alike. Margins 4, 4, 2 and 4, 3, 3: chance (16 + 12 + 6) / 100, and 46 pairs one point apart.
    assert!(is(stat(&judge, "percent_agreement"), 0.9, 10));
    assert!(is(stat(&judge, "kappa"), (0.9 - 0.34) / 0.66, 10));
    assert!(is(stat(&judge, "kappa_linear"), (0.95 - 0.57) / 0.43, 10));
    assert!(is(
        stat(&judge, "kappa_quadratic"),
        (0.975 - 0.685) / 0.315,
        10
    ));
    let raw = stage
        .agreement("terminology_parsimony", When::Raw, Facet::Judge)
        .await;
    let parts: Vec<_> = raw
        .groups
        .iter()
        .map(|group| group.facet_value.as_str())
        .collect();
    assert_eq!(parts, ["judge-a-A", "judge-a-B"]);
    assert!(is(part(&raw, 0, "percent_agreement"), 0.9, 10));
    assert!(
        is(part(&raw, 1, "percent_agreement"), 0.6, 10),
        "a ruling changes no rater's own answer: items 4, 7, 8 and 10 differ"
    );
    let rows = stage
        .rows(
            "terminology_parsimony",
            When::Reconciled,
            Facet::Judge,
            "judge-a",
        )
        .await;
    let mut rows = rows.lines();
    assert!(
        rows.next()
            .unwrap()
            .ends_with("judge_judge-a,final,left_out")
    );
    let eighth = rows.nth(7).unwrap();
    assert!(
        eighth.contains(",t8,") && eighth.ends_with("model-b,1,0,"),
        "{eighth}"
    );
}

#[tokio::test]
async fn the_measures_of_each_model_with_and_without_wrong_answers() {
    let stage = small().await;
    stage.settle(&SETTLED).await;
    let rows = stage.results().await;
    let of = |facet, value, statistic| figure(&rows, "final", (facet, value), statistic);
    assert!(is(of("model", "model-a", "accuracy"), 0.8, 5));
    // 2, 2, 2, 2 and 1, which counts as 0 because the answer is wrong.
    assert!(is(of("model", "model-a", "terminology_parsimony"), 1.6, 5));
    assert!(is(
        of("model_conditioned", "model-a", "terminology_parsimony"),
        2.0,
        4
    ));
    // 1, 1, 0, 0 and 0.
    assert!(is(of("model", "model-b", "terminology_parsimony"), 0.4, 5));
    assert!(is(
        of("model_conditioned", "model-b", "terminology_parsimony"),
        0.5,
        4
    ));
    // Three steps each, but rater A made two of the first trajectory's.
    assert!(is(of("model", "model-a", "avg_steps"), 14.0 / 5.0, 5));
    assert!(is(
        of("model_conditioned", "model-a", "avg_steps"),
        11.0 / 4.0,
        4
    ));
    // Irrelevant: a third of the relations of 3 (1 was corrected; 5 ends in a wrong answer, so it counts 0 or is left out).
    assert!(is(
        of("model", "model-a", "irrelevance_rate"),
        1.0 / 15.0,
        5
    ));
    assert!(is(
        of("model_conditioned", "model-a", "irrelevance_rate"),
        1.0 / 12.0,
        4
    ));
    // Contradictions: a quarter of the relations of 2 and 4, of 6 and 8; 10 ends in a wrong answer.
    assert!(is(of("model", "model-a", "contradiction_rate"), 0.1, 5));
    assert!(is(of("model", "model-b", "contradiction_rate"), 0.1, 5));
    assert!(is(of("", "", "logical_coherence"), 1.6, 10));
    assert!(is(of("conditioned", "", "logical_coherence"), 2.0, 8));
    assert!(is(of("conditioned", "", "informativeness"), 1.0, 8));
    let judge = |statistic| figure(&rows, "judge-a", ("", ""), statistic);
    assert!(is(judge("irrelevance_rate"), 4.0 / 30.0, 10));
    assert!(is(judge("contradiction_rate"), 0.1, 10));
    assert!(is(judge("avg_steps"), 3.0, 10));
}

#[tokio::test]
async fn relations_are_compared_pair_by_pair() {
    let stage = small().await;
    // Both say something of 3 and 4: all four pairs of 4 alike, and two of the three of 3, where the joined step has none.
    let relations = stage.agreement("relations", When::Raw, Facet::None).await;
    assert!(is(stat(&relations, "percent_agreement"), 6.0 / 7.0, 7));
    let rows = stage.rows("relations", When::Raw, Facet::None, "").await;
    let of = |key: &str| -> Vec<String> {
        let rows = rows.lines().filter(|row| row.contains(&format!(",{key}#")));
        rows.map(|row| row.split_once("model-a,").unwrap().1.to_owned())
            .collect()
    };
    assert_eq!(
        of("t3"),
        ["ENTAILS,ENTAILS,", "SUPPORTS,SUPPORTS,", "none,IRRELEVANT,"]
    );
    // To leave the judge's labels alone is no judgement of them.
    assert_eq!(
        of("t1"),
        [
            "ENTAILS,,rated_once",
            "SUPPORTS,,rated_once",
            "none,,rated_once"
        ]
    );
    let judge = stage.agreement("relations", When::Raw, Facet::Judge).await;
    assert!(
        is(part(&judge, 1, "percent_agreement"), 1.0, 7),
        "rater B confirms the judge on 3 and 4, and says nothing else"
    );
}

#[tokio::test]
async fn final_relations_are_what_most_draw_in_labels_and_results_alike() {
    let stage = small().await;
    let rows = stage.results().await;
    let ada = |statistic| figure(&rows, "ada", ("", ""), statistic);
    assert!(
        is(ada("avg_steps"), 7.0 / 3.0, 3),
        "two, two and three steps of 1, 3 and 4"
    );
    assert!(is(ada("irrelevance_rate"), 0.0, 3));
    let labels = stage.labels().await;
    let answer = |key: &str| -> String {
        let mut own = labels.iter().filter(|row| row["category"] == "relations");
        let row = own.find(|row| row["item_key"] == key).expect("a unit");
        assert_eq!(row["outcome"], "agreed");
        row["final_answer"].clone()
    };
    // A's correction stands where B leaves the labels alone; where one confirms the judge's, those have two voices.
    assert_eq!(
        answer("t1"),
        "1 ENTAILS input;2 SUPPORTS 1;3 REFINES 2;join 3"
    );
    assert_eq!(
        answer("t3"),
        "1 ENTAILS input;2 SUPPORTS 1;3 IRRELEVANT input"
    );
}

#[tokio::test]
async fn examples_in_the_judges_prompt_do_not_count_for_the_judge() {
    let stage = small().await;
    let ask = async || {
        stage
            .agreement("terminology_parsimony", When::Raw, Facet::Judge)
            .await
    };
    // Before, so that a kept report would show.
    assert!(is(part(&ask().await, 0, "percent_agreement"), 0.9, 10));
    let judges = service::judge::list(&stage.app, &stage.staff, &stage.study)
        .await
        .unwrap();
    let keys = ["t1".to_owned(), "t8".to_owned()];
    service::judge::set_few_shot(&stage.app, &stage.staff, &judges[0].id, &keys)
        .await
        .unwrap();
    // With rater A the judge differs on item 8 alone; with rater B on 4, 7 and 10 besides.
    let raw = ask().await;
    assert!(is(part(&raw, 0, "percent_agreement"), 1.0, 8));
    assert!(is(part(&raw, 1, "percent_agreement"), 5.0 / 8.0, 8));
    let dropped = &raw.groups[0].stats[0].dropped;
    assert_eq!(*dropped, [("few_shot".to_owned(), 2)]);
    let rows = stage
        .rows(
            "terminology_parsimony",
            When::Raw,
            Facet::Judge,
            "judge-a-A",
        )
        .await;
    let eighth = rows.lines().find(|row| row.contains(",t8,")).unwrap();
    assert!(eighth.ends_with("model-b,,,few_shot"), "{eighth}");
    let people = stage
        .agreement("terminology_parsimony", When::Raw, Facet::None)
        .await;
    assert!(is(stat(&people, "percent_agreement"), 0.7, 10));
    let results = stage.results().await;
    let of = |source| figure(&results, source, ("conditioned", ""), "logical_coherence");
    // Items 5 and 10 end in a wrong answer.
    assert!(is(of("judge-a"), 2.0, 6));
    assert!(is(of("ada"), 2.0, 8));
}

#[tokio::test]
async fn an_item_whose_file_calls_it_an_example_counts_for_no_judge() {
    let record = |n: usize, shown: bool| {
        json!({
            "key": format!("e{n}"), "question": "What is it?", "trace": "He sleeps badly.",
            "extra": if shown { json!({"in_judge_few_shot": true}) } else { json!({}) },
            "judge": {"name": "judge-a"}, "answers": {"logical_coherence": 2},
            "ratings": [{"rater": "ada", "answers": {"logical_coherence": if shown { 0 } else { 2 }}}],
        })
    };
    let records = [record(1, false), record(2, true), record(3, false)];
    let stage = Stage::new("miramind-trajectory", &records).await;
    let raw = stage
        .agreement("logical_coherence", When::Raw, Facet::Judge)
        .await;
    assert!(is(stat(&raw, "percent_agreement"), 1.0, 2));
    let listed = service::judge::few_shot_of_files(&stage.app, &stage.staff, &stage.study).await;
    assert_eq!(listed.unwrap(), ["e2"], "and staff see which one it is");
}

#[tokio::test]
async fn the_report_sets_the_judge_beside_raters_and_final_answers_and_no_rate_is_exported() {
    use service::export::{self, ExportFile, ExportOptions};
    use std::io::Read;
    let stage = small().await;
    stage.settle(&SETTLED).await;
    let report = service::report::get(&stage.app, &stage.staff, &stage.study)
        .await
        .unwrap();
    let parts = report.judged.iter();
    let of_terms: Vec<_> = parts
        .filter(|part| part.question == "terminology_parsimony")
        .map(|part| {
            let first = &part.statistics[0];
            let value = first.estimate.map(|value| (value * 10.0).round());
            (
                part.stage,
                part.between.as_str(),
                first.name.as_str(),
                value,
            )
        })
        .collect();
    assert_eq!(
        of_terms,
        [
            ("raw", "judge-a and rater A", "percent_agreement", Some(9.0)),
            ("raw", "judge-a and rater B", "percent_agreement", Some(6.0)),
            (
                "reconciled",
                "judge-a and the final answer",
                "percent_agreement",
                Some(9.0)
            ),
        ]
    );
    let options = ExportOptions::default();
    let rates = export::to_file(
        &stage.app,
        &stage.staff,
        &stage.study,
        ExportFile::Corpus,
        options,
    );
    let mut text = String::new();
    let mut file = rates.await.unwrap().reopen().unwrap();
    file.read_to_string(&mut text).unwrap();
    assert_eq!(text.lines().count(), 1, "{text}");
}
