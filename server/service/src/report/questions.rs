//! What the report says of the scheme's questions: agreement on each, and the measures over their final answers.

use super::AgreementPart;
use crate::actor::Actor;
use crate::agreement::{self, AgreementQuery, Stage, StatRow};
use crate::error::Result;
use crate::results::{Coverage, ResultRow};
use crate::services::Services;
use domain::id::StudyId;
use domain::scheme::Scheme;

/// What is said of each pair of a judge and somebody else.
const OF_JUDGES: [&str; 3] = ["percent_agreement", "kappa", "kappa_quadratic"];

/// Agreement on every question before and after reconciliation, of raters or of judges.
pub(super) async fn agreements(
    app: &Services,
    actor: &Actor,
    id: &StudyId,
    scheme: &Scheme,
    facet: agreement::Facet,
) -> Result<Vec<AgreementPart>> {
    let mut parts = Vec::new();
    let of_judges = facet == agreement::Facet::Judge;
    let questions = agreement::questions(scheme).into_iter();
    for question in questions.filter(|question| !of_judges || !question.is_of_tags()) {
        for stage in [Stage::Raw, Stage::Reconciled] {
            let query = AgreementQuery {
                stage,
                question: question.clone(),
                facet,
            };
            let report = agreement::report(app, actor, id, &query).await?;
            let named = report.question;
            let title = if question.is_of_tags() {
                named.title.to_lowercase()
            } else {
                format!("\"{}\"", named.title)
            };
            let part = |(between, statistics)| AgreementPart {
                question: named.word.clone(),
                title: title.clone(),
                ordered: named.ordered,
                units: (named.unit, named.units),
                between,
                stage: stage.as_str(),
                statistics,
            };
            let groups = report.groups.into_iter();
            if of_judges {
                let first = |row: &StatRow| OF_JUDGES.contains(&row.name.as_str());
                let pairs = groups.map(|mut group| {
                    group.stats.retain(first);
                    (group.title, group.stats)
                });
                parts.extend(pairs.map(part));
            } else {
                let statistics = groups.take(1).flat_map(|group| group.stats).collect();
                parts.push(part((String::new(), statistics)));
            }
        }
    }
    Ok(parts)
}

/// What the scheme says that a study reports, over the final labels of all items, and how many of them are settled.
pub(super) async fn measures(
    app: &Services,
    actor: &Actor,
    id: &StudyId,
) -> Result<(Vec<ResultRow>, Vec<Coverage>)> {
    let found = crate::results::report(app, actor, id).await?;
    let of_all = |row: &ResultRow| row.source == "final" && row.facet.is_empty();
    Ok((
        found.rows.into_iter().filter(of_all).collect(),
        found.coverage,
    ))
}
