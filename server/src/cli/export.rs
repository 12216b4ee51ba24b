//! `consilium export`.

use std::path::PathBuf;

use clap::Args;
use service::{
    export::{self, ExportOptions},
    study,
};

use super::out::say;
use super::{
    Outcome,
    open::{told, with_services},
};
use crate::config::ConfigArgs;

/// The same study writes the same bytes every time.
#[derive(Args, Debug)]
pub struct Export {
    /// The study, by name or id
    study: String,
    /// The folder to write into; it is made when missing
    #[arg(long, value_name = "FOLDER")]
    out: PathBuf,
    /// Begin each CSV with a byte order mark, for spreadsheets that guess the encoding
    #[arg(long)]
    bom: bool,
    /// A signed-off snapshot by its number, instead of the study as it is now
    #[arg(long, value_name = "NUMBER")]
    snapshot: Option<i64>,
    #[command(flatten)]
    config: ConfigArgs,
}

impl Export {
    pub fn run(self) -> Outcome {
        with_services(self.config, |app, operator| async move {
            let id = study::find(&app, &operator, &self.study)
                .await
                .map_err(told)?;
            let options = ExportOptions {
                bom: self.bom,
                snapshot: self.snapshot,
            };
            let left_out = export::write_dir(&app, &operator, &id, &self.out, options)
                .await
                .map_err(told)?;
            say!("Written to {}.", self.out.display());
            if !left_out.is_empty() {
                say!(
                    "note: judge_bench.json has no place for answers of several values or in words; left out: {}.",
                    left_out.join(", ")
                );
            }
            Ok(())
        })
    }
}
