//! The agreement page and what its numbers lead to, as a browser without script gets them.

use std::io::Cursor;

use domain::{id::StudyId, role::Role};
use reqwest::StatusCode;
use service::{
    Actor,
    import::{self, ImportOptions, ImportSource},
    member,
    study::{self, SchemeSource},
};

use crate::test_app::{TestApp, header};

const HEADER: &str = "order,tag_item_id,example_id,source_file,tag_code,tag_name,tag_definition,tag_evidence,\
tag_explanation,model,condition,vignette,question,answer,reasoning,analysis_summary,test_annotator_rating,\
test_annotator_comment,annotator_1_rating,annotator_1_comment,annotator_2_rating,annotator_2_comment";

/// A study with these pairs of severities, one a trace; its coordinator is signed in.
async fn study(app: &TestApp, pairs: impl Iterator<Item = (u32, u32)>) -> StudyId {
    let operator = Actor::operator();
    let source = SchemeSource::Builtin("stigma".into());
    let id = study::create(&app.services, &operator, "Pilot", source)
        .await
        .unwrap();
    let row = |(at, (a, b)): (usize, (u32, u32))| {
        format!(
            "{at},e{at}_t,e{at},s,1a,Violence Risk,,unsafe,why,m,depression,V,Q,A,He may be unsafe.,,,,{a},,{b},"
        )
    };
    let rows: Vec<String> = pairs.enumerate().map(row).collect();
    let file = format!("{HEADER}\n{}\n", rows.join("\n"));
    let source = ImportSource::Reader(Box::new(Cursor::new(file.into_bytes())));
    let options = ImportOptions::default();
    let report = import::run(
        &app.services,
        &operator,
        &id,
        source,
        "rated.csv",
        options,
        &|_| (),
    )
    .await
    .unwrap();
    assert!(report.problems.is_empty(), "{:?}", report.problems);
    app.person("coordinator").await;
    member::add(
        &app.services,
        &operator,
        &id,
        "coordinator",
        Role::Coordinator,
    )
    .await
    .unwrap();
    app.sign_in("coordinator").await;
    id
}

/// The addresses of a page's links that hold this text.
fn links(html: &str, part: &str) -> Vec<String> {
    html.split("href=\"")
        .skip(1)
        .filter_map(|rest| rest.split('"').next())
        .filter(|href| href.contains(part))
        .map(|href| href.replace("&amp;", "&"))
        .collect()
}

#[tokio::test]
async fn every_number_leads_to_its_rows_and_to_what_it_is() {
    let app = TestApp::start().await;
    let id = study(&app, (0..8).map(|n| (n % 5 + 1, (n + n / 6) % 5 + 1))).await;
    let page = app
        .get(&format!("/studies/{id}/agreement?facet=category"))
        .await;
    assert_eq!(page.status(), StatusCode::OK);
    assert!(page.headers().get("refresh").is_none(), "all is there");
    let html = page.text().await.unwrap();
    for part in [
        "More coefficients",
        "Gwet’s AC1",
        "ICC(2,1)",
        "Largest kappa that the margins allow",
        "Specific agreement on “5”",
        "Bowker’s test of symmetry",
        "class=\"heat\"",
        "class=\"differences\"",
        "class=\"forest\"",
    ] {
        assert!(html.contains(part), "{part}");
    }
    assert!(!html.contains(" style=\""), "nothing is styled in place");

    let rows = links(&html, "rows.csv");
    assert!(rows.len() > 40, "{} numbers", rows.len());
    let part = rows.iter().find(|href| href.contains("value=")).unwrap();
    for href in [&rows[0], part] {
        let csv = app.get(href).await;
        assert_eq!(csv.status(), StatusCode::OK, "{href}");
        assert_eq!(csv.text().await.unwrap().lines().count(), 9, "{href}");
    }

    let definitions = app
        .get(&format!("/studies/{id}/agreement/definitions"))
        .await;
    let text = definitions.text().await.unwrap();
    let wanted = links(&html, "/definitions#");
    assert!(wanted.len() > 30);
    for href in wanted {
        let anchor = href.split('#').nth(1).unwrap();
        assert!(text.contains(&format!("id=\"{anchor}\"")), "{anchor}");
    }
    assert!(
        text.contains("Shrout &amp; Fleiss 1979"),
        "sources are there"
    );
}

/// More tags than are resampled at once: 1,001 in each of two questions.
#[tokio::test]
async fn a_large_study_is_shown_at_once_and_asks_again_until_its_intervals_are_there() {
    let app = TestApp::start().await;
    let id = study(&app, (0..1_001).map(|n| (n % 5 + 1, (n + n / 9) % 5 + 1))).await;
    let address = format!("/studies/{id}/agreement");
    let first = app.get(&address).await;
    assert_eq!(header(&first, "refresh"), "2");
    let html = first.text().await.unwrap();
    assert!(html.contains("Intervals are being resampled"));
    assert!(html.contains("its interval is being resampled"));

    app.services.results.finish().await;
    let second = app.get(&address).await;
    assert!(second.headers().get("refresh").is_none());
    let html = second.text().await.unwrap();
    assert!(html.contains("bootstrap over items") && !html.contains("being resampled"));
}
