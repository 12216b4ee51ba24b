//! `consilium audit`.

use clap::{Args, Subcommand};
use domain::count::count;
use service::{audit, study};

use super::out::say;
use super::{
    Outcome,
    open::{told, with_services},
};
use crate::config::ConfigArgs;

#[derive(Debug, Subcommand)]
pub enum Audit {
    /// Walk the chain of a study's audit log
    Verify(Verify),
}

#[derive(Args, Debug)]
pub struct Verify {
    /// The study, by name or id
    study: String,
    #[command(flatten)]
    config: ConfigArgs,
}

impl Audit {
    pub fn run(self) -> Outcome {
        let Self::Verify(verify) = self;
        with_services(verify.config, |app, operator| async move {
            let id = study::find(&app, &operator, &verify.study)
                .await
                .map_err(told)?;
            match audit::verify(&app, &operator, &id).await.map_err(told)? {
                Ok(rows) => {
                    say!("The chain is whole: {}.", count(rows, "row", "rows"));
                    Ok(())
                }
                Err(broken) => Err(format!("the chain breaks at row {}", broken.seq).into()),
            }
        })
    }
}
