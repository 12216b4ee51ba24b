//! Files in and out, as a browser without script sends and fetches them.

use domain::id::StudyId;
use reqwest::{
    Response, StatusCode,
    multipart::{Form, Part},
};
use service::{Actor, study, study::SchemeSource};
use std::io::{Cursor, Write};
use zip::{ZipWriter, write::SimpleFileOptions};

use crate::test_app::{TestApp, header};

/// A study of the person who signs in, and the address of its pages.
async fn coordinated(app: &TestApp) -> (StudyId, String) {
    let ada = app.person("ada").await;
    let operator = Actor::operator();
    let source = SchemeSource::Builtin("stigma".into());
    let id = study::create(&app.services.app, &operator, "Pilot", source)
        .await
        .unwrap();
    let role = domain::role::Role::Coordinator;
    service::member::add(&app.services.app, &operator, &id, &ada.name, role)
        .await
        .unwrap();
    app.sign_in("ada").await;
    (id.clone(), format!("/studies/{id}"))
}

async fn upload(app: &TestApp, page: &str, form: Form) -> Response {
    let post = app.client.post(app.url(page)).multipart(form);
    post.header("origin", &app.base).send().await.unwrap()
}

fn file(name: &str, text: &str) -> Form {
    let part = Part::bytes(text.as_bytes().to_vec()).file_name(name.to_owned());
    Form::new().part("file", part)
}

const GOOD: &str = "{\"key\":\"k1\",\"trace\":\"calm and quiet\",\"candidates\":[{\"category\":\"1.2\",\"severity\":3,\"evidence\":\"quiet\"}]}\n";

#[tokio::test]
async fn a_file_is_imported_and_its_report_shown_to_the_sender_only() {
    let app = TestApp::start().await;
    let (_, study) = coordinated(&app).await;
    let page = format!("{study}/import");
    let sent = upload(&app, &page, file("a <b>.jsonl", GOOD)).await;
    assert_eq!(sent.status(), StatusCode::SEE_OTHER);
    let report = header(&sent, "location").to_owned();
    let html = app.get(&report).await.text().await.unwrap();
    assert!(html.contains("a &lt;b&gt;.jsonl is imported"), "{html}");
    assert!(html.contains("1 item, 1 tag and 0 ratings new"), "{html}");
    let other = app.get(&format!("{page}?import=nothing")).await;
    assert!(other.text().await.unwrap().contains("no longer here"));
}

// Fault row 65 (doccano #1404): a failed import names line, field, found and expected, and writes nothing.
#[tokio::test]
async fn a_broken_file_is_refused_with_every_problem_and_nothing_is_written() {
    let app = TestApp::start().await;
    let (id, study) = coordinated(&app).await;
    let broken = format!("{GOOD}{}{{\n", GOOD.replace("k1", "k2").replace(":3", ":6"));
    let sent = upload(&app, &format!("{study}/import"), file("b.jsonl", &broken)).await;
    let html = app
        .get(header(&sent, "location"))
        .await
        .text()
        .await
        .unwrap();
    assert!(
        html.contains("b.jsonl has 2 problems. Nothing was written."),
        "{html}"
    );
    assert!(html.contains("candidates[0].severity"), "{html}");
    let view = study::overview(&app.services.app, &Actor::operator(), &id)
        .await
        .unwrap();
    assert_eq!(view.counts.items, 0);
}

#[tokio::test]
async fn a_dry_run_writes_nothing() {
    let app = TestApp::start().await;
    let (id, study) = coordinated(&app).await;
    let form = file("c.jsonl", GOOD).text("dry_run", "on");
    let sent = upload(&app, &format!("{study}/import"), form).await;
    let html = app
        .get(header(&sent, "location"))
        .await
        .text()
        .await
        .unwrap();
    assert!(html.contains("c.jsonl can be imported"), "{html}");
    let view = study::overview(&app.services.app, &Actor::operator(), &id)
        .await
        .unwrap();
    assert_eq!(view.counts.items, 0);
}

#[tokio::test]
async fn nobody_without_the_right_uploads_or_downloads() {
    let app = TestApp::start().await;
    let (_, study) = coordinated(&app).await;
    app.person("eve").await;
    app.post("/account", "/sign-out", &[]).await;
    let sent = upload(&app, &format!("{study}/import"), file("d.jsonl", GOOD)).await;
    assert!(header(&sent, "location").starts_with("/sign-in"));
    app.sign_in("eve").await;
    upload(&app, &format!("{study}/import"), file("d.jsonl", GOOD)).await;
    for below in [
        "",
        "/import",
        "/export/labels.csv",
        "/agreement/rows.csv",
        "/scheme.toml",
        "/audit",
    ] {
        let answer = app.get(&format!("{study}{below}")).await;
        assert_eq!(answer.status(), StatusCode::NOT_FOUND, "{below}");
        assert!(!answer.text().await.unwrap().contains("Pilot"), "{below}");
    }
}

#[tokio::test]
async fn tables_and_the_manual_leave_as_files() {
    let app = TestApp::start().await;
    let (_, study) = coordinated(&app).await;
    upload(&app, &format!("{study}/import"), file("a.jsonl", GOOD)).await;
    let plain = app.get(&format!("{study}/export/items.csv")).await;
    assert_eq!(
        header(&plain, "content-disposition"),
        "attachment; filename=\"items.csv\""
    );
    let plain = plain.bytes().await.unwrap();
    let marked = app.get(&format!("{study}/export/items.csv?bom=yes")).await;
    let marked = marked.bytes().await.unwrap();
    assert_eq!(marked[..3], [0xef, 0xbb, 0xbf]);
    assert_eq!(marked[3..], plain[..]);
    let unknown = app.get(&format!("{study}/export/users.csv")).await;
    assert_eq!(unknown.status(), StatusCode::NOT_FOUND);
    let manual = app
        .get(&format!("{study}/scheme.toml"))
        .await
        .text()
        .await
        .unwrap();
    assert!(manual.contains("id = \"stigma\""));
    // A manual that is built in leaves before there is a study, for whoever is signed in.
    let built_in = app.get("/schemes/psrs-main-results.toml").await;
    assert_eq!(
        header(&built_in, "content-disposition"),
        "attachment; filename=\"psrs-main-results.toml\""
    );
    let text = built_in.text().await.unwrap();
    assert!(text.contains("id = \"psrs-main-results\""));
    for other in ["/schemes/nothing.toml", "/schemes/stigma"] {
        assert_eq!(app.get(other).await.status(), StatusCode::NOT_FOUND);
    }
}

#[tokio::test]
async fn a_folder_is_imported_whole_and_its_names_say_what_the_records_do_not() {
    let app = TestApp::start().await;
    let (id, study) = coordinated(&app).await;
    let send = async |second: &str| {
        let part = |name: &str, text: &str| {
            Part::bytes(text.as_bytes().to_vec()).file_name(name.to_owned())
        };
        let form = Form::new()
            .part("file", part("runs/model=alpha/1.jsonl", GOOD))
            .part("file", part("runs/model=beta/2.jsonl", second))
            .part("file", part("runs/notes.txt", "not a record"));
        let sent = upload(&app, &format!("{study}/import"), form).await;
        let report = header(&sent, "location").to_owned();
        app.get(&report).await.text().await.unwrap()
    };
    let items = async || {
        let services = &app.services.app;
        let view = study::overview(services, &Actor::operator(), &id).await;
        view.unwrap().counts.items
    };
    let html = send("{\n").await;
    assert!(
        html.contains("runs has 1 problem. Nothing was written."),
        "{html}"
    );
    assert!(html.contains("runs/model=beta/2.jsonl"), "{html}");
    assert_eq!(items().await, 0);

    let html = send(&GOOD.replace("k1", "k2")).await;
    assert!(html.contains("2 items, 2 tags and 0 ratings new"), "{html}");
    assert_eq!(items().await, 2);
    let page = app
        .get(&format!("{study}/items"))
        .await
        .text()
        .await
        .unwrap();
    assert!(page.contains("alpha") && page.contains("beta"), "{page}");
}

/// An archive of these files.
fn archive(files: &[(&str, &str)]) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, text) in files {
        zip.start_file(*name, SimpleFileOptions::default()).unwrap();
        zip.write_all(text.as_bytes()).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

#[tokio::test]
async fn an_archive_is_a_folder_from_the_page_and_through_the_api() {
    let app = TestApp::start().await;
    let (id, study) = coordinated(&app).await;
    let second = GOOD.replace("k1", "k2");
    let names = ["runs/model=alpha/1.jsonl", "runs/model=beta/2.jsonl"];
    let good = archive(&[
        (names[0], GOOD),
        (names[1], &second),
        ("runs/notes.txt", "-"),
    ]);
    let broken = archive(&[(names[0], GOOD), (names[1], "{\n")]);
    let from_page = async |bytes: Vec<u8>| {
        let part = Part::bytes(bytes).file_name("runs.zip");
        let sent = upload(
            &app,
            &format!("{study}/import"),
            Form::new().part("file", part),
        )
        .await;
        let report = header(&sent, "location").to_owned();
        app.get(&report).await.text().await.unwrap()
    };
    let html = from_page(broken.clone()).await;
    assert!(html.contains("1 problem. Nothing was written."), "{html}");
    assert!(html.contains("runs/model=beta/2.jsonl"), "{html}");
    let html = from_page(good.clone()).await;
    assert!(html.contains("2 items, 2 tags and 0 ratings new"), "{html}");

    let by_api = async |bytes: Vec<u8>| {
        let post = app.client.post(app.url(&format!("/api/v1{study}/imports")));
        let post = post.header("origin", &app.base).body(bytes);
        let answer = post.send().await.unwrap();
        (
            answer.status(),
            answer.json::<serde_json::Value>().await.unwrap(),
        )
    };
    for unknown in ["zeroes=keep", "zeros=perhaps"] {
        let address = app.url(&format!("/api/v1{study}/imports?{unknown}"));
        let post = app.client.post(address).header("origin", &app.base);
        let answer = post.body(good.clone()).send().await.unwrap();
        assert!(answer.status().is_client_error(), "{unknown}");
    }
    let (status, report) = by_api(good).await;
    assert_eq!(status, StatusCode::OK);
    assert_eq!(
        (&report["new"]["items"], &report["identical"]),
        (&0.into(), &4.into())
    );
    let (status, _) = by_api(broken).await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY);
    // Two files that are sound by themselves and give one key two contents.
    let [first, other] = ["calm and quiet", "loud and quiet"]
        .map(|trace| GOOD.replace("k1", "k9").replace("calm and quiet", trace));
    let (status, _) = by_api(archive(&[
        ("runs/1.jsonl", &GOOD.replace("k1", "k8")),
        ("runs/2.jsonl", &first),
        ("runs/3.jsonl", &other),
    ]))
    .await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY);
    let (status, _) = by_api(archive(&[("../../etc/1.jsonl", "{\n")])).await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY);
    let view = study::overview(&app.services.app, &Actor::operator(), &id).await;
    assert_eq!(view.unwrap().counts.items, 2);
}

#[tokio::test]
async fn what_a_zero_means_is_said_through_the_api() {
    let app = TestApp::start().await;
    app.person("ada").await;
    let operator = Actor::operator();
    let services = &app.services.app;
    let role = domain::role::Role::Coordinator;
    app.sign_in("ada").await;
    let line = serde_json::json!({
        "id": "r1", "messages": [{"role": "user", "content": "Hello."}],
        "clinical_accuracy.responses": [0, 4], "clinical_accuracy.responses.users": ["ben", "cora"],
        "clinical_accuracy.responses.status": ["submitted", "submitted"],
    });
    let mut said = Vec::new();
    for zeros in ["missing", "keep", "report"] {
        let source = SchemeSource::Builtin("mindeval1-rubric".into());
        let id = study::create(services, &operator, zeros, source)
            .await
            .unwrap();
        service::member::add(services, &operator, &id, "ada", role)
            .await
            .unwrap();
        let address = format!("/api/v1/studies/{id}/imports?zeros={zeros}&dry_run=true");
        let post = app
            .client
            .post(app.url(&address))
            .header("origin", &app.base);
        let answer = post.body(line.to_string()).send().await.unwrap();
        said.push(answer.text().await.unwrap());
    }
    assert!(said[0].contains("taken as missing"), "{}", said[0]);
    // Kept, it is a value below the scale, as whoever sends it says.
    assert!(said[1].contains("kept as numbers"), "{}", said[1]);
    // Reported, it stands there with its place, and the 4 beside it is not taken either.
    assert!(said[2].contains("clinical_accuracy of ben"), "{}", said[2]);
}

#[tokio::test]
async fn the_api_is_told_which_raters_of_a_table_are_judges() {
    let app = TestApp::start().await;
    app.person("ada").await;
    let operator = Actor::operator();
    let services = &app.services.app;
    app.sign_in("ada").await;
    let scheme = "id = \"one\"\nversion = 1\ntitle = \"One\"\nunit = \"item\"\n\n[[items]]\nid = \"safe\"\nkind = \"nominal\"\n\
                  question = \"Safe?\"\nlevels = [{ name = \"yes\" }, { name = \"no\" }]\n";
    let id = study::create(
        services,
        &operator,
        "One",
        SchemeSource::Toml(scheme.into()),
    )
    .await
    .unwrap();
    let role = domain::role::Role::Coordinator;
    service::member::add(services, &operator, &id, "ada", role)
        .await
        .unwrap();
    let table = "item,rater,score\na,ann,yes\na,ben,no\na,gpt-4o,no\n";
    let mut said = Vec::new();
    for query in ["", "&judges=ben", "&judges=ben,gpt-4o", "&judges="] {
        let address = format!("/api/v1/studies/{id}/imports?dry_run=true{query}");
        let post = app.client.post(app.url(&address));
        let answer = post.header("origin", &app.base).body(table).send();
        let report: serde_json::Value = answer.await.unwrap().json().await.unwrap();
        let count = |name: &str| report["new"][name].as_u64().unwrap();
        said.push([count("judge_answers"), count("ratings")]);
    }
    assert_eq!(
        said,
        [[1, 2], [1, 2], [2, 1], [0, 3]],
        "gpt-4o sounds like a judge; what is said of it counts instead"
    );
}
