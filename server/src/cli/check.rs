//! `consilium check`.

use clap::Args;
use domain::count::count;
use service::check;

use super::out::say;
use super::{
    Outcome,
    open::{told, with_services},
};
use crate::config::ConfigArgs;

/// Spans, hashes, states and audit chains of every study; changes nothing.
#[derive(Args, Debug)]
pub struct Check {
    #[command(flatten)]
    config: ConfigArgs,
}

impl Check {
    pub fn run(self) -> Outcome {
        with_services(self.config, |app, _| async move {
            let findings = check::run(&app).await.map_err(told)?;
            for finding in &findings {
                let study = if finding.study.is_empty() {
                    "server"
                } else {
                    &finding.study
                };
                say!("{}\tstudy {study}\t{}", finding.code, finding.subject);
            }
            match findings.len() {
                0 => {
                    say!("The database is sound.");
                    Ok(())
                }
                n => Err(count(n, "finding", "findings").into()),
            }
        })
    }
}
