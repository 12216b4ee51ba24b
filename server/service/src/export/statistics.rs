//! `agreement.csv`

use super::{Context, unwritten};
use crate::agreement::{
    AgreementQuery, AgreementReport, Answers, Facet, Outcomes, Question, Stage, exported, ground,
    with_levels,
};
use crate::error::Result;
use crate::{retention, snapshot};
use formats::write::{Cell, Table, WriteError};
use std::io::Write;
use std::sync::Arc;
use store::AnyConnection;

/// The facet of the retained set; its only value is `yes`.
const RETAINED: &str = "retained";

pub(super) async fn write<W: Write + Send>(
    connection: &mut AnyConnection,
    context: &Context,
    table: &mut Table<'_, W>,
) -> Result<()> {
    let ground = Arc::new(match &context.frozen {
        Some(head) => snapshot::ground(connection, head).await?,
        None => ground(connection, &context.study, true).await?,
    });
    let frozen = context.frozen.as_ref().map(|head| &head.id);
    let set = retention::set(connection, &context.study, frozen).await?;
    let retained = Arc::new(retention::only(&ground, &set));
    let questions = with_levels(&ground.scheme);
    let answers = if questions.iter().all(Question::is_of_tags) {
        None
    } else {
        let ask = ground.ask(&context.study, context.frozen.as_ref());
        Some(Answers::read(connection, ask).await?)
    };
    let mut outcomes = Outcomes::default();
    for stage in [Stage::Raw, Stage::Reconciled] {
        for question in &questions {
            let of_items = answers.as_ref().filter(|_| !question.is_of_tags());
            let whole = match of_items {
                Some(answers) => Arc::new(answers.ground(&ground, question)),
                None => ground.clone(),
            };
            let facets = Facet::ALL
                .into_iter()
                .filter(|facet| facet.divides(question));
            let mut parts: Vec<_> = facets
                .map(|facet| (facet, facet.as_str(), &whole))
                .collect();
            if question.is_of_tags() {
                parts.push((Facet::None, RETAINED, &retained));
            }
            for (facet, name, ground) in parts {
                let query = AgreementQuery {
                    stage,
                    question: question.clone(),
                    facet,
                };
                let report =
                    exported(connection, &context.study, ground, query, &mut outcomes).await?;
                rows(&report, name, context, table).map_err(unwritten)?;
            }
        }
    }
    Ok(())
}

fn rows<W: Write>(
    report: &AgreementReport,
    facet: &str,
    context: &Context,
    table: &mut Table<'_, W>,
) -> std::result::Result<(), WriteError> {
    for group in &report.groups {
        for stat in &group.stats {
            let reasons: Vec<String> = stat
                .dropped
                .iter()
                .map(|(reason, count)| format!("{reason}={count}"))
                .collect();
            table.row(&[
                Cell::Text(report.query.stage.as_str()),
                Cell::Text(report.query.question.as_str()),
                Cell::Text(facet),
                Cell::Text(if facet == RETAINED {
                    "yes"
                } else {
                    &group.facet_value
                }),
                Cell::Text(&stat.name),
                Cell::number(stat.estimate),
                Cell::number(stat.ci_low),
                Cell::number(stat.ci_high),
                Cell::Text(&stat.method),
                Cell::Integer(stat.n_units as i64),
                Cell::Integer(stat.n_dropped as i64),
                Cell::text(stat.undefined_reason.as_deref()),
                Cell::Text(&reasons.join(";")),
                Cell::number(stat.other.as_ref().map(|other| other.low)),
                Cell::number(stat.other.as_ref().map(|other| other.high)),
                Cell::text(stat.other.as_ref().map(|other| other.method.as_str())),
                Cell::Integer(stat.undefined_resamples as i64),
                Cell::number(stat.se),
                Cell::number(stat.se0),
                Cell::number(stat.z),
                Cell::number(stat.p),
                Cell::text(context.snapshot_cell()),
            ])?;
        }
    }
    Ok(())
}
