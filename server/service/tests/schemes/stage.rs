//! A study whose judgements come with a file, and its figures.

use domain::id::StudyId;
use domain::role::Role;
use domain::ruling::Outcome;
use serde_json::Value;
use service::agreement::{AgreementQuery, AgreementReport, Facet, Question};
use service::export::{self, ExportFile, ExportOptions};
use service::import::{ImportOptions, ImportReport, ImportSource};
use service::results::ResultRow;
use service::ruling::NewRuling;
use service::study::SchemeSource;
use service::testing::{TestServices, person, services};
use service::unit::{QueueFilter, QueueRow, QueueState};
use service::{Actor, agreement, import, member, results, ruling, study, unit};
use std::collections::HashMap;
use std::io::{Cursor, Read};

pub use service::agreement::Stage as When;

pub struct Stage {
    pub app: TestServices,
    pub study: StudyId,
    pub staff: Actor,
}

impl Stage {
    /// A study of a built-in scheme with these records.
    pub async fn new(scheme: &str, records: &[Value]) -> Self {
        let app = services().await;
        let staff = person(&app, "cora").await;
        let source = SchemeSource::Builtin(scheme.to_owned());
        let study = study::create(&app, &Actor::operator(), "Small", source)
            .await
            .unwrap();
        member::add(&app, &Actor::operator(), &study, "cora", Role::Coordinator)
            .await
            .unwrap();
        let stage = Self { app, study, staff };
        if !records.is_empty() {
            stage.import(records).await;
        }
        stage
    }

    pub async fn import(&self, records: &[Value]) {
        let report = self.try_import(records).await;
        assert!(report.problems.is_empty(), "{:?}", report.problems);
    }

    pub async fn try_import(&self, records: &[Value]) -> ImportReport {
        let lines: Vec<String> = records.iter().map(ToString::to_string).collect();
        self.take(&lines.join("\n")).await
    }

    /// A file of the export.
    pub async fn file(&self, file: ExportFile) -> String {
        let (staff, options) = (Actor::operator(), ExportOptions::default());
        let written = export::to_file(&self.app, &staff, &self.study, file, options)
            .await
            .unwrap();
        let mut text = String::new();
        written.reopen().unwrap().read_to_string(&mut text).unwrap();
        text
    }

    /// Imports a text, whatever comes of it.
    pub async fn take(&self, text: &str) -> ImportReport {
        import::run(
            &self.app,
            &self.staff,
            &self.study,
            ImportSource::Reader(Box::new(Cursor::new(text.to_owned()))),
            "file",
            ImportOptions::default(),
            &|_| {},
        )
        .await
        .unwrap()
    }

    /// What raters differ on.
    pub async fn disputed(&self) -> Vec<QueueRow> {
        let filter = QueueFilter {
            state: QueueState::Disputed,
            ..QueueFilter::default()
        };
        let page = unit::Page::default();
        unit::queue(&self.app, &self.staff, &self.study, &filter, page)
            .await
            .unwrap()
            .rows
    }

    /// Records what raters agreed on after talking: by key of the item and question, every disputed one once.
    pub async fn settle(&self, consensus: &[(&str, &str, &[&str])]) {
        let disputed = self.disputed().await;
        assert_eq!(disputed.len(), consensus.len(), "{disputed:?}");
        for (key, question, answer) in consensus {
            let row = disputed
                .iter()
                .find(|row| row.item_key == *key && row.code == *question)
                .unwrap();
            let answer = answer.iter().map(ToString::to_string).collect();
            self.rule(row, Outcome::Consensus, answer).await;
        }
    }

    /// Takes the mean of what raters answered to one disputed question.
    pub async fn average(&self, key: &str, question: &str) {
        let disputed = self.disputed().await;
        let mut rows = disputed.iter();
        let row = rows.find(|row| row.item_key == key && row.code == question);
        self.rule(row.unwrap(), Outcome::Averaged, Vec::new()).await;
    }

    async fn rule(&self, row: &QueueRow, outcome: Outcome, answer: Vec<String>) {
        let view = unit::get(&self.app, &self.staff, &row.unit).await.unwrap();
        let new = NewRuling {
            expected_ruling_version: 0,
            basis: view.basis.clone(),
            outcome,
            validity: None,
            code: None,
            severity: None,
            cause: None,
            confidence: String::new(),
            note: "Talked over.".to_owned(),
            agreed_by_raters: true,
            adopted_from: None,
            guideline_needs_work: false,
            span: None,
            merged_into: None,
            answer,
        };
        ruling::record(&self.app, &self.staff, &row.unit, new)
            .await
            .unwrap();
    }

    pub async fn agreement(&self, question: &str, stage: When, facet: Facet) -> AgreementReport {
        let query = AgreementQuery {
            stage,
            question: Question::from(question.to_owned()),
            facet,
        };
        agreement::report(&self.app, &self.staff, &self.study, &query)
            .await
            .unwrap()
    }

    /// The rows behind a report, without the head.
    pub async fn rows(&self, question: &str, stage: When, facet: Facet, value: &str) -> String {
        let query = AgreementQuery {
            stage,
            question: Question::from(question.to_owned()),
            facet,
        };
        let value = Some(value).filter(|value| !value.is_empty());
        let rows = agreement::rows(&self.app, &self.staff, &self.study, &query, value)
            .await
            .unwrap();
        String::from_utf8(rows).unwrap()
    }

    /// The rows of `labels.csv`, each cell by its column.
    pub async fn labels(&self) -> Vec<HashMap<String, String>> {
        let text = self.file(ExportFile::Labels).await;
        let mut reader = csv::Reader::from_reader(text.as_bytes());
        reader.deserialize().map(|row| row.unwrap()).collect()
    }

    /// What a reader of final figures is told of them.
    pub async fn warnings(&self) -> Vec<String> {
        let found = results::report(&self.app, &self.staff, &self.study)
            .await
            .unwrap();
        let coverage = found.coverage.iter();
        coverage.filter_map(results::Coverage::warning).collect()
    }

    pub async fn results(&self) -> Vec<ResultRow> {
        results::report(&self.app, &self.staff, &self.study)
            .await
            .unwrap()
            .rows
    }
}

/// The estimate of a statistic of a report's first part, and the units behind it.
pub fn stat(report: &AgreementReport, name: &str) -> (Option<f64>, u64) {
    part(report, 0, name)
}

/// The same of a part of a report.
pub fn part(report: &AgreementReport, at: usize, name: &str) -> (Option<f64>, u64) {
    let mut rows = report.groups[at].stats.iter();
    let row = rows.find(|row| row.name == name).unwrap();
    (row.estimate, row.n_units)
}

/// Whether an estimate is this number, up to the last bits.
pub fn is(found: (Option<f64>, u64), value: f64, n: u64) -> bool {
    found.1 == n && found.0.is_some_and(|found| (found - value).abs() < 1e-12)
}

/// A figure of `results.csv`: source, facet and its value, statistic.
pub fn figure(
    rows: &[ResultRow],
    source: &str,
    (facet, value): (&str, &str),
    statistic: &str,
) -> (Option<f64>, u64) {
    let mut rows = rows.iter().filter(|row| {
        row.source == source
            && row.facet == facet
            && row.facet_value == value
            && row.statistic == statistic
    });
    rows.next().map_or((None, 0), |row| (row.estimate, row.n))
}
