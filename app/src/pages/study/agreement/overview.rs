//! All questions of the scheme: the way from one to another, and their figures side by side.

use domain::{id::StudyId, scheme::Scheme};
use leptos::prelude::*;
use service::{
    Result,
    agreement::{self, AgreementQuery, AgreementReport, Facet, Named, Question, Stage, StatRow},
};

use super::{links, links::Links, says};
use crate::{components::TableWrap, pages::visit::Visit};

/// What is shown of each question.
const SHOWN: [&str; 6] = [
    "percent_agreement",
    "kappa",
    "kappa_linear",
    "kappa_quadratic",
    "alpha_nominal",
    "alpha_ordinal",
];

/// The questions of a scheme, and of those about items the estimates.
pub struct Questions {
    study: StudyId,
    /// Each with its levels, where several may be chosen.
    all: Vec<(Named, Vec<Named>)>,
    /// Raters, before reconciliation.
    raters: Vec<AgreementReport>,
    /// Judges, beside the final answers.
    judges: Vec<AgreementReport>,
}

impl Questions {
    /// Reads them; a scheme that asks about tags only needs no figures side by side.
    ///
    /// # Errors
    /// As [`agreement::report`].
    pub async fn read(visit: &Visit, study: &StudyId, scheme: &Scheme) -> Result<Self> {
        let name = |question: &Question| agreement::name_of(scheme, question);
        let questions = agreement::questions(scheme);
        let all = questions
            .iter()
            .map(|question| {
                let levels = agreement::levels(scheme, question);
                (name(question), levels.iter().map(name).collect())
            })
            .collect();
        let (mut raters, mut judges) = (Vec::new(), Vec::new());
        if !questions.iter().all(Question::is_of_tags) {
            let asked = agreement::with_levels(scheme);
            let ask = |stage, facet| {
                let one = move |question: &Question| AgreementQuery {
                    stage,
                    question: question.clone(),
                    facet,
                };
                asked.iter().map(one).collect::<Vec<_>>()
            };
            let (raw, beside) = (
                ask(Stage::Raw, Facet::None),
                ask(Stage::Reconciled, Facet::Judge),
            );
            raters = agreement::estimates(&visit.app, &visit.actor, study, &raw).await?;
            judges = agreement::estimates(&visit.app, &visit.actor, study, &beside).await?;
        }
        Ok(Self {
            study: study.clone(),
            all,
            raters,
            judges,
        })
    }

    /// The way to every question, and from a question of which several levels may be chosen to its levels.
    pub fn links(&self, current: &Question) -> impl IntoView + use<> {
        let current = current.as_str();
        let parent = current.split('.').next().unwrap_or(current).to_owned();
        let link = |named: &Named, is: bool| {
            let href = format!("?question={}", encoded(&named.word));
            let title = named.title.clone();
            view! {
                <a href=href aria-current=is.then_some("true")>
                    {title}
                </a>
            }
        };
        let all = self.all.iter();
        let main = all.map(|(named, _)| link(named, named.word == parent));
        let main = main.collect_view();
        let own = self.all.iter().find(|(named, _)| named.word == parent);
        let levels = own.filter(|(_, levels)| !levels.is_empty());
        let levels = levels.map(|(_, levels)| {
            let links = levels
                .iter()
                .map(|named| link(named, named.word == current));
            let links = links.collect_view();
            view! {
                <nav class="tabs" aria-label="Level">
                    {links}
                </nav>
            }
        });
        view! {
            <nav class="tabs" aria-label="Question">
                {main}
            </nav>
            {levels}
        }
    }

    /// The figures of all questions; nothing for a scheme that asks about tags only.
    pub fn overview(&self) -> Option<AnyView> {
        if self.raters.is_empty() {
            return None;
        }
        let raters = self.raters.iter().filter_map(|report| {
            let stats = &report.groups.first()?.stats;
            let href = Links::new(&self.study, &report.query.question).rows(Stage::Raw);
            Some(row(report, None, stats, &href).into_any())
        });
        let raters: Vec<AnyView> = raters.collect();
        let judges = self.judges.iter().flat_map(|report| {
            let links = Links::new(&self.study, &report.query.question);
            report.groups.iter().map(move |group| {
                let href = links.part(Facet::Judge, &group.facet_value);
                let judge = group.facet_value.clone();
                row(report, Some(judge), &group.stats, &href).into_any()
            })
        });
        let judges: Vec<AnyView> = judges.collect();
        let nobody = judges.is_empty();
        let judges = (!nobody).then(|| {
            table(
                "Judges beside the final answers",
                "The final answer is the ruling’s, or what the raters share. Read it beside the table above: a judge cannot be \
                 closer to people than people are to each other.",
                true,
                judges,
            )
            .into_any()
        });
        let raters = table(
            "Raters before reconciliation",
            "Independent answers. The question leads to its intervals, tables of counts and further coefficients.",
            false,
            raters,
        );
        Some(
            view! {
                <section id="questions">
                    <h2>"All questions"</h2>
                    {raters}
                    {judges}
                </section>
            }
            .into_any(),
        )
    }
}

fn encoded(word: &str) -> String {
    form_urlencoded::byte_serialize(word.as_bytes()).collect()
}

fn table(
    title: &'static str,
    caption: &'static str,
    judges: bool,
    rows: Vec<AnyView>,
) -> impl IntoView {
    let heads = SHOWN.map(|name| view! { <th scope="col" class="number">{says::title(name)}</th> });
    let judge = judges.then(|| view! { <th scope="col">"Judge"</th> });
    view! {
        <h3>{title}</h3>
        <TableWrap label=title>
            <table class="facets">
                <caption>{caption}</caption>
                <thead>
                    <tr>
                        <th scope="col">"Question"</th>
                        {judge}
                        <th scope="col" class="number">"Used"</th>
                        <th scope="col" class="number">"Left out"</th>
                        {heads.collect_view()}
                    </tr>
                </thead>
                <tbody>{rows}</tbody>
            </table>
        </TableWrap>
    }
}

fn row(
    report: &AgreementReport,
    judge: Option<String>,
    stats: &[StatRow],
    href: &str,
) -> impl IntoView + use<> {
    let named = &report.question;
    let question = format!("?question={}", encoded(&named.word));
    let (used, left) = stats
        .first()
        .map_or((0, 0), |row| (row.n_units, row.n_dropped));
    let cell = |name: &str| match stats.iter().find(|row| row.name == name) {
        // Weights and ranks mean nothing for answers without order.
        None => view! { <td class="soft">"–"</td> }.into_any(),
        Some(row) => match row.estimate {
            Some(estimate) => {
                let text = says::value(name, estimate);
                view! { <td class="number">{links::number(text, href.to_owned())}</td> }.into_any()
            }
            None => {
                let why = row.undefined_reason.as_deref().map(says::undefined);
                view! { <td class="undefined small">"Undefined: " {why}</td> }.into_any()
            }
        },
    };
    let cells = SHOWN.map(cell).collect_view();
    let judge = judge.map(|judge| view! { <td>{judge}</td> });
    view! {
        <tr>
            <th scope="row">
                <a href=question>{named.title.clone()}</a>
            </th>
            {judge}
            <td class="number">{used}</td>
            <td class="number">{left}</td>
            {cells}
        </tr>
    }
}
