//! A file of every format that brings things to judge or judgements, with what it brings.

use service::import::New;

/// Questions and categories for whatever the files bring.
pub const SCHEME: &str = r#"
id = "demo"
version = 1
title = "Demo"
unit = "item"

[[items]]
id = "safe"
kind = "nominal"
name = "Safety"
question = "Is the answer safe?"
asked = "optional"
levels = [{ name = "yes" }, { name = "no" }]

[[items]]
id = "warmth"
kind = "ordinal"
question = "How warm is it?"
asked = "optional"
aliases = ["criterion_1+criterion_2", "counsellor_severity"]
levels = [{ value = 1, name = "cold", aliases = ["minor"] }, { value = 2, name = "even", aliases = ["major"] }, { value = 3, name = "warm" }, { value = 4, name = "hot" }]

[candidates]
asked = true
question = "Is the tag right?"
validity = [{ value = "valid", key = "1", name = "Valid" }, { value = "invalid", key = "2", name = "Invalid" }]

[missed]
asked = true

[[categories]]
id = "risk"
name = "Risk"
"#;

/// One question, for files whose answers name none.
const ONE: &str = "id = \"one\"\nversion = 1\ntitle = \"One\"\nunit = \"item\"\n\n[[items]]\nid = \"safe\"\nkind = \"nominal\"\n\
question = \"Safe?\"\nlevels = [{ name = \"yes\" }, { name = \"no\" }]\n";

pub const OWN: &str = r#"{"key":"a","trace":"one two three","judge":{"name":"j"},"candidates":[{"key":"c","category":"risk","evidence":"two"}],"answers":{"safe":"yes","warmth":2},"ratings":[{"rater":"ann","candidate":"c","validity":"valid"},{"rater":"ann","answers":{"safe":"no"},"missed":[{"category":"risk","evidence":"one"},{"category":"risk"}]},{"rater":"ben","not_ratable":"text_damaged"}]}
{"key":"b","trace":"four","judge":{"name":"k"},"failure":"API_ERROR"}
"#;

const TAGGED: &str = r#"{"vignette":"v","question":"q","reasoning":"I worry a lot.","model":"m","tags":[{"code":"risk","evidence":"worry"}],"analysis_summary":"s"}
"#;

pub const DUAL: &str = "order,tag_item_id,example_id,tag_code,tag_name,tag_evidence,tag_explanation,model,condition,vignette,question,answer,reasoning,analysis_summary,annotator_1_rating,annotator_1_comment,annotator_2_rating,annotator_2_comment\n1,9_tag_0,9,4,n,worry,e,m,c,v,q,a,I worry.,s,3,unsure,2,\n";

const LABEL_STUDIO: &str = r#"[{"id": 1, "data": {"text": "Hello there."}, "annotations": [{"completed_by": "ann", "result": [
 {"from_name": "warmth", "type": "rating", "value": {"rating": 3}},
 {"from_name": "label", "type": "labels", "value": {"start": 0, "end": 5, "text": "Hello", "labels": ["risk"]}}]}]}]"#;

const POTATO: &str = "{\"id\": \"x\", \"text\": \"Hello there.\", \"user\": \"eve\", \"label_annotations\": {\"Safety\": {\"yes\": \"true\"}}, \"span_annotations\": [{\"start\": 6, \"end\": 11, \"name\": \"risk\"}]}\n";

const WEBANNO: &str = "#FORMAT=WebAnno TSV 3.3\n#T_SP=custom.Span|value\n\n\n#Text=Hello there.\n1-1\t0-5\tHello\trisk\t\n1-2\t6-11\tthere\t_\t\n1-3\t11-12\t.\t_\t\n";

const HUMAN: &str = r#"{"items":[{"item_id":"x","rated_by_all_annotators":true,"turns":[{"turn":1,"counsellor":"Do.","member":"Hi."}],"ratings":[{"annotator":"A1","turn":1,"rating":4,"form_issues":[],"content_issues":[],"counsellor_severity":"minor","counsellor_issues":[]}]}]}"#;

const ARGILLA: &str = r#"{"id":"u1","status":"completed","_server_id":"s1","conversation":"**Turn 1","criterion_1.responses":[3,1],"criterion_1.responses.users":["ann","ben"],"criterion_1.responses.status":["submitted","submitted"],"criterion_2.responses":[3,1],"criterion_2.responses.users":["ann","ben"],"criterion_2.responses.status":["submitted","submitted"],"model":"demo","messages":[{"role":"assistant","content":"Hi"},{"role":"user","content":"Hello"}]}
"#;

const TABLE: &str = "item,rater,criterion,score\na,ann,Safety,yes\na,ben,Safety,no\na,gpt-4o,Safety,yes\nb,gpt-4o,warmth,2\n";

const BENCH: &str = r#"{"dataset": "demo", "annotations": [{"metric": "warmth"}], "instances": [{"id": 0, "instance": "Hi.", "annotations": {"warmth": {"individual_human_scores": [3, 4]}}}]}"#;

const ALT_TEST: &str = r#"{"r1": {"i1": "yes", "i2": "no"}, "r2": {"i1": "yes"}}"#;

pub const PLAIN: &str = "{\"question\": \"q\", \"options\": [\"No\", \"Yes\"], \"answer\": \"Yes\", \"model\": \"m\"}\n";

/// Items, candidates, verdicts, answers of judges, ratings, missed tags, items not ratable, judges, raters.
fn counted(counts: [u64; 9]) -> New {
    let [
        items,
        candidates,
        verdicts,
        judge_answers,
        ratings,
        missed,
        not_ratable,
        judges,
        raters,
    ] = counts;
    New {
        items,
        candidates,
        verdicts,
        judge_answers,
        ratings,
        missed,
        not_ratable,
        judges,
        raters,
        ..New::default()
    }
}

/// Every format and the scheme for its example, the example, and what it brings, counted by hand.
pub fn examples() -> Vec<(&'static str, &'static str, &'static str, New)> {
    let all = [
        ("consilium-jsonl", SCHEME, OWN, [2, 1, 2, 2, 2, 2, 1, 2, 2]),
        (
            "tagged-trace-jsonl",
            SCHEME,
            TAGGED,
            [1, 1, 1, 0, 0, 0, 0, 1, 0],
        ),
        (
            "dual-annotation-csv",
            "stigma",
            DUAL,
            [1, 1, 1, 0, 2, 0, 0, 1, 2],
        ),
        (
            "label-studio-json",
            SCHEME,
            LABEL_STUDIO,
            [1, 0, 0, 0, 1, 1, 0, 1, 1],
        ),
        ("potato-jsonl", SCHEME, POTATO, [1, 0, 0, 0, 1, 1, 0, 1, 1]),
        ("webanno-tsv", SCHEME, WEBANNO, [1, 0, 0, 0, 0, 1, 0, 1, 1]),
        (
            "mindeval-human-json",
            SCHEME,
            HUMAN,
            [1, 0, 0, 0, 1, 0, 0, 1, 1],
        ),
        (
            "argilla-jsonl",
            SCHEME,
            ARGILLA,
            [1, 0, 0, 0, 2, 0, 0, 1, 2],
        ),
        ("ratings-table", SCHEME, TABLE, [2, 0, 2, 2, 2, 0, 0, 1, 2]),
        (
            "judge-bench-json",
            SCHEME,
            BENCH,
            [1, 0, 0, 0, 2, 0, 0, 1, 2],
        ),
        ("alt-test-json", ONE, ALT_TEST, [2, 0, 0, 0, 3, 0, 0, 1, 2]),
    ];
    let plain = New {
        answers: 1,
        ..New::default()
    };
    let all = all.map(|(format, scheme, text, counts)| (format, scheme, text, counted(counts)));
    let mut all = Vec::from(all);
    all.push(("plain-answer-jsonl", SCHEME, PLAIN, plain));
    all
}
