//! A small study with raters, items and their candidates.

use domain::annotation::{Annotation, Judgement, MissedTag};
use domain::id::{
    AssignmentId, BatchId, CandidateId, ItemId, JudgeId, MissedTagId, StudyId, UnitId, UserId,
};
use domain::refusal::Refusal;
use domain::role::Role;
use domain::scheme::Validity;
use domain::span::AnchorKind;
use service::batch::{NewBatch, Round, Stratify};
use service::desk::{Save, SubmitOutcome};
use service::ruling::NewRuling;
use service::study::SchemeSource;
use service::testing::{TestServices, services};
use service::unit::{Page, QueueFilter, QueueRow, QueueState, UnitView};
use service::{Actor, batch, desk, member, ruling, study, unit};
use sha2::{Digest, Sha256};
use store::import::{NewCandidate, NewItem, NewRun, Writer};

pub const TRACE: &str = "She hears voices, so the neighbours would be afraid of her.";

/// What a test stands on.
pub struct Study {
    pub app: TestServices,
    pub id: StudyId,
    pub coordinator: Actor,
    pub raters: Vec<Actor>,
    judge: JudgeId,
    items: Vec<ItemId>,
}

impl Study {
    /// A study of the stigma scheme with a coordinator and this many raters.
    pub async fn new(raters: usize) -> Self {
        Self::of(SchemeSource::Builtin("stigma".into()), raters).await
    }

    /// The same of another scheme.
    pub async fn of(scheme: SchemeSource, raters: usize) -> Self {
        let app = services().await;
        let coordinator = person(&app, "coordinator").await;
        let id = study::create(&app, &Actor::operator(), "Pilot", scheme)
            .await
            .expect("a study");
        member::add(
            &app,
            &Actor::operator(),
            &id,
            "coordinator",
            Role::Coordinator,
        )
        .await
        .expect("a coordinator");
        let mut tx = app.db.begin().await.expect("a transaction");
        let new = JudgeId::new(app.id());
        let judge = store::import::judge(&mut tx, &id, &new, ["judge", "judge-1", "1", "{}"])
            .await
            .expect("a judge");
        tx.commit().await.expect("committed");
        let mut study = Self {
            app,
            id,
            coordinator,
            raters: Vec::new(),
            judge,
            items: Vec::new(),
        };
        for number in 1..=raters {
            let rater = study.member(&format!("rater{number}"), Role::Rater).await;
            study.raters.push(rater);
        }
        study
    }

    /// Somebody new in the study.
    pub async fn member(&self, name: &str, role: Role) -> Actor {
        let actor = person(&self.app, name).await;
        member::add(&self.app, &Actor::operator(), &self.id, name, role)
            .await
            .expect("a member");
        actor
    }

    /// An item with this many candidates of category 1, named `KEY.1`, `KEY.2`, ..
    pub async fn item(&mut self, key: &str, candidates: usize) -> ItemId {
        self.item_of(key, "model-1", &[], candidates).await
    }

    /// The same by a model, with options of its own.
    pub async fn item_of(
        &mut self,
        key: &str,
        model: &str,
        options: &[&str],
        candidates: usize,
    ) -> ItemId {
        let (app, item) = (&self.app, ItemId::new(key));
        let mut writer = Writer::new(self.id.clone(), app.now());
        writer.item(NewItem {
            id: item.clone(),
            seq: i64::try_from(self.items.len()).expect("a small study") + 1,
            source_key: format!("source-{key}"),
            content_hash: String::new(),
            condition: "schizophrenia".into(),
            model: model.into(),
            mode: String::new(),
            demographics: Vec::new(),
            vignette: "A vignette.".into(),
            question: "Would you live next door?".into(),
            options: options.iter().map(ToString::to_string).collect(),
            answer: String::new(),
            trace: TRACE.into(),
            trace_sha256: hex(TRACE),
            segments: Vec::new(),
            extra: "{}".into(),
        });
        for number in 1..=candidates {
            writer.candidate(self.candidate(&item, number));
        }
        let mut tx = app.db.begin().await.expect("a transaction");
        writer.flush(&mut tx).await.expect("written");
        tx.commit().await.expect("committed");
        self.items.push(item.clone());
        item
    }

    /// The judge has judged an item, whether it found a tag or none.
    pub async fn judged(&self, item: &ItemId) {
        let mut writer = Writer::new(self.id.clone(), self.app.now());
        writer.run(NewRun {
            item: item.clone(),
            judge: self.judge.clone(),
            outcome: "judged",
            failure: String::new(),
            summary: String::new(),
        });
        let mut tx = self.app.db.begin().await.expect("a transaction");
        writer.flush(&mut tx).await.expect("written");
        tx.commit().await.expect("committed");
    }

    fn candidate(&self, item: &ItemId, number: usize) -> NewCandidate {
        NewCandidate {
            id: CandidateId::new(format!("{item}.{number}")),
            item: item.clone(),
            judge: self.judge.clone(),
            ordinal: i64::try_from(number).expect("a small item"),
            source_key: format!("tag-{item}-{number}"),
            original_code: "1a".into(),
            original_name: String::new(),
            category: "1".into(),
            subcategory: "1.1".into(),
            severity: Some(3.0),
            explanation: "Danger is inferred from a symptom.".into(),
            evidence: vec!["voices".into()],
            anchor: AnchorKind::Verbatim,
            spans: vec![(10, 16, "voices".into())],
            content_hash: String::new(),
        }
    }

    /// All items that are free, in a round of this kind, to these raters.
    pub async fn assign(&self, round: Round, raters: &[usize]) -> BatchId {
        let (size, each) = (self.items.len(), raters.len());
        self.assign_each(round, raters, size, each).await
    }

    /// So many free items, each to so many of these raters.
    pub async fn assign_each(
        &self,
        round: Round,
        raters: &[usize],
        size: usize,
        each: usize,
    ) -> BatchId {
        let raters = raters.iter().map(|at| self.raters[*at].user.clone());
        let new = NewBatch {
            name: format!("{round:?}"),
            round,
            size: size as u32,
            seed: Some(1),
            stratify: Stratify::None,
            raters_per_item: each as u32,
            raters: raters.collect(),
            hidden_percent: 0,
        };
        batch::create(&self.app, &self.coordinator, &self.id, new)
            .await
            .expect("a batch")
    }

    /// A rater's assignment of an item.
    pub async fn assignment(&self, rater: usize, item: &ItemId) -> AssignmentId {
        let rater = &self.raters[rater].user;
        let mut db = self.app.db.read().await.expect("a connection");
        for (batch, _) in store::batch::list(&mut db, &self.id)
            .await
            .expect("batches")
        {
            for row in store::assignment::of_batch(&mut db, &batch.id)
                .await
                .expect("assignments")
            {
                if row.rater == *rater && row.item_key == format!("source-{item}") {
                    return row.id;
                }
            }
        }
        panic!("no assignment of {item}");
    }

    /// A rater submits an annotation.
    pub async fn submit(&self, rater: usize, item: &ItemId, annotation: Annotation) {
        let assignment = self.assignment(rater, item).await;
        let actor = &self.raters[rater];
        let view = desk::open(&self.app, actor, &assignment)
            .await
            .expect("open");
        let save = Save {
            base_version: view.version,
            save_id: self.app.id(),
            annotation,
        };
        let outcome = desk::submit(&self.app, actor, &assignment, save)
            .await
            .expect("submitted");
        assert!(
            matches!(outcome, SubmitOutcome::Submitted { .. }),
            "{outcome:?}"
        );
    }

    /// A coordinator opens a submission again, and the rater submits something else.
    pub async fn submit_again(&self, rater: usize, item: &ItemId, annotation: Annotation) {
        let assignment = self.assignment(rater, item).await;
        desk::reopen_for(&self.app, &self.coordinator, &assignment, "asked for")
            .await
            .expect("reopened");
        self.submit(rater, item, annotation).await;
    }

    /// One unit as the coordinator sees it.
    pub async fn unit(&self, id: &str) -> UnitView {
        unit::get(&self.app, &self.coordinator, &UnitId::new(id))
            .await
            .expect("a unit")
    }

    /// The rows of a queue.
    pub async fn queue(&self, state: QueueState) -> Vec<QueueRow> {
        let filter = QueueFilter {
            state,
            ..QueueFilter::default()
        };
        unit::queue(
            &self.app,
            &self.coordinator,
            &self.id,
            &filter,
            Page::default(),
        )
        .await
        .expect("a queue")
        .rows
    }

    /// Somebody rules on what they see.
    pub async fn rule(&self, actor: &Actor, id: &str, new: NewRuling) -> Result<UnitView, Refusal> {
        let seen = self.unit(id).await;
        let new = NewRuling {
            expected_ruling_version: seen.ruling_version,
            basis: seen.basis,
            ..new
        };
        ruling::record(&self.app, actor, &UnitId::new(id), new)
            .await
            .map_err(|error| error.refusal())?;
        Ok(self.unit(id).await)
    }
}

async fn person(app: &TestServices, name: &str) -> Actor {
    let user = store::account::User {
        id: UserId::new(format!("user-{name}")),
        name: name.into(),
        display_name: name.into(),
        password_hash: "none".into(),
        is_admin: false,
        active: true,
        created_at: app.now(),
    };
    let mut tx = app.db.begin().await.expect("a transaction");
    assert!(
        store::account::insert(&mut tx, &user, name)
            .await
            .expect("inserted")
    );
    tx.commit().await.expect("committed");
    Actor {
        user: user.id,
        name: name.into(),
        display_name: name.into(),
        is_admin: false,
    }
}

fn hex(text: &str) -> String {
    use std::fmt::Write;
    Sha256::digest(text)
        .iter()
        .fold(String::new(), |mut hex, byte| {
            write!(hex, "{byte:02x}").expect("a string takes everything");
            hex
        })
}

/// A judgement.
pub fn says(validity: Validity, severity: f64) -> Judgement {
    Judgement {
        validity: Some(validity),
        severity: Some(severity),
        ..Judgement::default()
    }
}

/// An annotation that judges the candidates of an item in order and misses nothing.
pub fn judges(item: &ItemId, judgements: impl IntoIterator<Item = Judgement>) -> Annotation {
    let of = |(number, judgement): (usize, Judgement)| {
        (
            CandidateId::new(format!("{item}.{}", number + 1)),
            judgement,
        )
    };
    Annotation {
        judgements: judgements.into_iter().enumerate().map(of).collect(),
        nothing_missed: true,
        missed_count: Some(0),
        ..Annotation::default()
    }
}

/// An annotation of an item without candidates that adds tags.
pub fn misses(tags: impl IntoIterator<Item = MissedTag>) -> Annotation {
    let missed: Vec<_> = tags.into_iter().collect();
    Annotation {
        nothing_missed: missed.is_empty(),
        missed_count: Some(missed.len() as u32),
        missed,
        ..Annotation::default()
    }
}

/// A missed tag on a span of [`TRACE`].
pub fn tag(id: &str, code: &str, (start, end): (u32, u32), severity: f64) -> MissedTag {
    let quote: String = TRACE
        .chars()
        .skip(start as usize)
        .take((end - start) as usize)
        .collect();
    MissedTag {
        id: MissedTagId::new(id),
        code: code.into(),
        severity: Some(severity),
        span: Some((start, end)),
        quote,
        comment: String::new(),
    }
}

/// A ruling without a value.
pub fn ruling_of(outcome: domain::ruling::Outcome) -> NewRuling {
    NewRuling {
        expected_ruling_version: 0,
        basis: String::new(),
        outcome,
        validity: None,
        code: None,
        severity: None,
        cause: None,
        confidence: String::new(),
        note: String::new(),
        agreed_by_raters: false,
        adopted_from: None,
        guideline_needs_work: false,
        span: None,
        merged_into: None,
        answer: Vec::new(),
    }
}
