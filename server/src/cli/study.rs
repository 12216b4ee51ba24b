//! `consilium study`.

use domain::count::count;
use std::{io::Write, path::PathBuf};

use clap::{Args, Subcommand};
use service::study::{self, SchemeSource};

use super::out::say;
use super::{
    Outcome,
    open::{told, with_new_services, with_services},
};
use crate::config::ConfigArgs;

#[derive(Debug, Subcommand)]
pub enum Study {
    /// Make a study
    Create(Create),
    /// List the studies
    List(List),
    /// Draw a scheme from a table of ratings, to be given words and used
    Draft(Draft),
}

#[derive(Args, Debug)]
pub struct Create {
    /// What the study is called
    name: String,
    /// A built-in scheme
    #[arg(long, default_value = "stigma", conflicts_with = "scheme_file")]
    scheme: String,
    /// A scheme of your own, as TOML
    #[arg(long, value_name = "FILE")]
    scheme_file: Option<PathBuf>,
    #[command(flatten)]
    config: ConfigArgs,
}

#[derive(Args, Debug)]
pub struct List {
    #[command(flatten)]
    config: ConfigArgs,
}

/// Prints a scheme with a question for each criterion of the table.
#[derive(Args, Debug)]
pub struct Draft {
    /// A table of ratings: long, wide, counts or judge validation
    file: PathBuf,
    /// What the scheme is called
    #[arg(long, default_value = "ratings")]
    id: String,
    /// The columns of a wide table, or the criteria, that are ratings, separated by commas; without it they are known by
    /// their values: a few numbers or short words
    #[arg(long, value_delimiter = ',', value_name = "NAMES")]
    ratings: Vec<String>,
}

impl Draft {
    fn run(self) -> Outcome {
        let name = self.file.display();
        let input = std::fs::File::open(&self.file).map_err(|error| format!("{name}: {error}"))?;
        match formats::draft(std::io::BufReader::new(input), &self.id, &self.ratings)? {
            Ok(drawn) => {
                for line in &drawn.taken {
                    let _ = writeln!(std::io::stderr(), "note: {line}");
                }
                say!("{}", drawn.text.trim_end_matches('\n'));
                Ok(())
            }
            Err(problems) => {
                let lines: Vec<String> = problems
                    .list
                    .iter()
                    .map(|problem| format!("{name}: {problem}"))
                    .collect();
                Err(lines.join("\n").into())
            }
        }
    }
}

impl Study {
    pub fn run(self) -> Outcome {
        match self {
            Self::Create(create) => create.run(),
            Self::Draft(draft) => draft.run(),
            Self::List(list) => with_services(list.config, |app, operator| async move {
                for row in study::list(&app, &operator).await.map_err(told)? {
                    say!(
                        "{}\t{}\t{}\t{}",
                        row.name,
                        row.state.as_str(),
                        count(row.items, "item", "items"),
                        row.scheme_title
                    );
                }
                Ok(())
            }),
        }
    }
}

impl Create {
    fn run(self) -> Outcome {
        let source = match &self.scheme_file {
            None => SchemeSource::Builtin(self.scheme.clone()),
            Some(path) => {
                let text = std::fs::read_to_string(path)
                    .map_err(|error| format!("cannot read {}: {error}", path.display()))?;
                domain::scheme::parse(&text)
                    .map_err(|error| format!("{}: {error}", path.display()))?;
                SchemeSource::Toml(text)
            }
        };
        with_new_services(self.config, |app, operator| async move {
            let id = study::create(&app, &operator, &self.name, source)
                .await
                .map_err(told)?;
            say!("Study {} made: {id}", self.name);
            Ok(())
        })
    }
}
