//! With one rater's answers stored, nothing that the other rater can fetch contains them.

use domain::{
    annotation::{Annotation, Judgement, MissedTag},
    id::{AssignmentId, BatchId, MissedTagId, StudyId},
    role::Role,
    scheme::Validity,
};
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use service::{
    Actor, account,
    batch::{self, NewBatch, Round, Stratify},
    desk,
    export::ExportFile,
    import::{self, ImportOptions, ImportSource},
    item::{self, ItemFilter, ItemPage},
    member,
    study::{self, SchemeSource},
};

use crate::test_app::TestApp;

const MARKER: &str = "zq-marker-5172";
const TRACES: &[u8] = include_bytes!("../../demo/traces.jsonl");

/// A study with two raters of the same items.
pub struct Stage {
    pub app: TestApp,
    pub study: StudyId,
    batch: BatchId,
    pub a: String,
    pub b: String,
    pub rater_a: Actor,
    pub of_a: AssignmentId,
}

impl Stage {
    pub async fn start() -> Self {
        Self::hiding(0).await
    }

    /// The judge's tags are hidden at first on so many of a hundred items.
    pub async fn hiding(percent: u32) -> Self {
        let app = TestApp::start().await;
        let (services, staff) = (&app.services.app, Actor::operator());
        let source = SchemeSource::Builtin("stigma".to_owned());
        let study = study::create(services, &staff, "Blind", source)
            .await
            .unwrap();
        let file = ImportSource::Reader(Box::new(std::io::Cursor::new(TRACES)));
        let options = ImportOptions::default();
        let report = import::run(services, &staff, &study, file, "traces", options, &|_| {}).await;
        assert!(report.unwrap().problems.is_empty());
        let (rater_a, rater_b) = (app.person("ada").await, app.person("bo").await);
        for name in ["ada", "bo"] {
            member::add(services, &staff, &study, name, Role::Rater)
                .await
                .unwrap();
        }
        let new = NewBatch {
            name: "First".to_owned(),
            round: Round::Main,
            size: 2,
            seed: Some(7),
            stratify: Stratify::None,
            raters: vec![rater_a.user.clone(), rater_b.user.clone()],
            raters_per_item: 2,
            hidden_percent: percent,
        };
        let batch = batch::create(services, &staff, &study, new).await.unwrap();
        let a = account::create_token(services, &rater_a, "a", None)
            .await
            .unwrap();
        let b = account::create_token(services, &rater_b, "b", None)
            .await
            .unwrap();
        let work = desk::my_work(services, &rater_a).await.unwrap();
        let of_a = work.studies[0].batches[0].next.clone().unwrap();
        Self {
            app,
            study,
            batch,
            a,
            b,
            rater_a,
            of_a,
        }
    }

    /// Calls the API with a token and reads its JSON.
    pub async fn call(
        &self,
        token: &str,
        method: &str,
        path: &str,
        body: &Value,
    ) -> (StatusCode, Value) {
        let (status, text) = self.fetch(token, method, path, body).await;
        (status, serde_json::from_str(&text).unwrap())
    }

    pub async fn fetch(
        &self,
        token: &str,
        method: &str,
        path: &str,
        body: &Value,
    ) -> (StatusCode, String) {
        let verb = Method::from_bytes(method.as_bytes()).unwrap();
        let call = self
            .app
            .browser()
            .request(verb, self.app.url(path))
            .bearer_auth(token);
        let call = call
            .header("content-type", "application/json")
            .body(body.to_string());
        let answer = call.send().await.unwrap();
        (answer.status(), answer.text().await.unwrap())
    }

    async fn submit_marked(&self) {
        let services = &self.app.services.app;
        let view = desk::open(services, &self.rater_a, &self.of_a)
            .await
            .unwrap();
        let judgement = Judgement {
            validity: Some(Validity::Valid),
            severity: Some(5.0),
            comment: MARKER.to_owned(),
            ..Judgement::default()
        };
        let quote: String = view.item.trace.chars().take(5).collect();
        let tag = MissedTag {
            id: MissedTagId::new(format!("{MARKER}-tag")),
            code: "4.5".into(),
            severity: Some(5.0),
            span: Some((0, 5)),
            quote,
            comment: MARKER.to_owned(),
        };
        let ids = view
            .candidates
            .iter()
            .map(|c| (c.id.clone(), judgement.clone()));
        let annotation = Annotation {
            judgements: ids.collect(),
            missed: vec![tag],
            missed_count: Some(1),
            comment: MARKER.to_owned(),
            ..Annotation::default()
        };
        let sent = json!({"base_version": view.version, "save_id": "a", "annotation": annotation});
        let path = format!("/api/v1/assignments/{}/submit", self.of_a);
        let (status, body) = self.call(&self.a, "POST", &path, &sent).await;
        assert_eq!(status, StatusCode::OK, "{body}");
    }

    /// Every page and every GET of the API, with names that exist.
    pub async fn addresses(&self) -> Vec<String> {
        let text = self
            .app
            .get("/api/v1/openapi.json")
            .await
            .text()
            .await
            .unwrap();
        let document: Value = serde_json::from_str(&text).unwrap();
        let paths = document["paths"].as_object().unwrap().iter();
        let mut paths: Vec<String> = paths
            .filter(|(_, operations)| operations.get("get").is_some())
            .map(|(path, _)| path.clone())
            .collect();
        let pages = include_str!("../../../app/src/routes.rs")
            .split("path!(\"")
            .skip(1);
        for page in pages.filter_map(|rest| rest.split('"').next()) {
            let parts = page.split('/').map(|part| match part.strip_prefix(':') {
                Some(name) => format!("{{{name}}}"),
                None => part.to_owned(),
            });
            paths.push(parts.collect::<Vec<_>>().join("/"));
        }
        for file in ExportFile::ALL.map(ExportFile::name) {
            paths.push(format!("/api/v1/studies/{{study}}/exports/{file}"));
            paths.push(format!("/studies/{{study}}/export/{file}"));
        }
        paths.push("/studies/{study}/agreement/rows.csv".to_owned());
        let services = &self.app.services.app;
        let (filter, page) = (ItemFilter::default(), ItemPage::default());
        let items = item::list(services, &Actor::operator(), &self.study, filter, page).await;
        let item = items.unwrap().rows[0].id.to_string();
        let fill = |path: String| {
            path.replace("{study}", self.study.as_str())
                .replace("{batch}", self.batch.as_str())
                .replace("{assignment}", self.of_a.as_str())
                .replace("{item}", &item)
                .replace(['{', '}'], "")
        };
        paths.into_iter().map(fill).collect()
    }
}

#[tokio::test]
async fn label_studio_5172_no_address_gives_b_an_answer_of_a() {
    let stage = Stage::start().await;
    stage.submit_marked().await;
    for path in stage.addresses().await {
        let (_, text) = stage.fetch(&stage.b, "GET", &path, &Value::Null).await;
        assert!(!text.contains(MARKER), "{path}");
    }
    let own = format!("/api/v1/assignments/{}", stage.of_a);
    let (_, text) = stage.fetch(&stage.a, "GET", &own, &Value::Null).await;
    assert!(
        text.contains(MARKER),
        "the marker would be found where it is"
    );
}

#[tokio::test]
async fn an_assignment_of_a_is_not_there_for_b() {
    let stage = Stage::start().await;
    let base = format!("/api/v1/assignments/{}", stage.of_a);
    let sent = json!({"base_version": 0, "save_id": "b", "annotation": {}});
    for (method, end) in [
        ("GET", ""),
        ("GET", "/annotation"),
        ("PUT", "/annotation"),
        ("POST", "/submit"),
    ] {
        let (status, body) = stage
            .call(&stage.b, method, &format!("{base}{end}"), &sent)
            .await;
        assert_eq!(status, StatusCode::NOT_FOUND, "{method} {end}: {body}");
    }
}
