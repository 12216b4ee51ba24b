//! `/studies/{study}/scheme`: the coding manual, to be read.

use domain::{
    annotation::shortest,
    scheme::{
        Asked, Category, DisagreementRule, Example, ItemQuestion, Level, Measure, Scheme,
        Subcategory, ValidityLevel,
    },
};
use leptos::prelude::*;
use service::{Result, manual};

use super::frame::{StudyPage, Tab};
use crate::{
    components::{Kind, LevelBadge, Notice, Width},
    pages::visit::{Visit, visit},
};

/// The coding manual.
#[component]
pub fn SchemePage() -> impl IntoView {
    visit(manual)
}

async fn manual(visit: Visit) -> Result<impl IntoView> {
    let open = visit.open(Tab::Scheme).await?;
    let wanted = visit.query("version").parse().ok();
    let version = wanted.unwrap_or(open.study.scheme_version);
    let scheme = manual::at(&visit.app, &visit.actor, &open.study.id, version).await?;
    let download = format!("/studies/{}/scheme.toml", open.study.id);
    let older = (version != open.study.scheme_version).then(|| {
        let now = open.study.scheme_version;
        view! {
            <Notice kind=Kind::Info>
                <p>{format!("This is version {version}. Version {now} counts now.")}</p>
            </Notice>
        }
    });
    let versions = format!("{}/versions", Tab::Scheme.href(&open.study));
    Ok(view! {
        <StudyPage open tab=Tab::Scheme width=Width::Wide>
            <div class="page-head">
                <h1>{scheme.title.clone()}</h1>
                <a class="button" href=download download>
                    "Download as TOML"
                </a>
            </div>
            <p class="soft">
                <a href=versions>{format!("Version {version}")}</a>
                {format!(". {}", scheme.citation)}
            </p>
            {older}
            {whole(&scheme)}
        </StudyPage>
    })
}

/// The manual with its table of contents; also what a scheme looks like before a study is made with it.
pub fn whole(scheme: &Scheme) -> impl IntoView + use<> {
    let questions = scheme.item_questions.iter().map(question).collect_view();
    view! {
        <div class="with-aside manual">
            {contents(scheme)}
            <div>
                <p class="read">{scheme.introduction.clone()}</p>
                {validity(scheme)}
                {severity(scheme)}
                {missed(scheme)}
                {questions}
                {rule(scheme)}
                {measures(scheme)}
                {scheme.categories.iter().map(|category| whole_category(scheme, category)).collect_view()}
            </div>
        </div>
    }
}

/// A question about the item, with its answers.
fn question(question: &ItemQuestion) -> impl IntoView + use<> {
    let level = |level: &Level| {
        let word = question.word(level);
        let name = if word == level.name {
            level.name.clone()
        } else {
            format!("{word}: {}", level.name)
        };
        view! {
            <dt>{name}</dt>
            <dd>{level.definition.clone()}</dd>
        }
    };
    let reason = match (question.rationale_below, question.rationale_above) {
        (Some(below), _) => Some(format!("A reason is needed below {}.", shortest(below))),
        (None, Some(above)) => Some(format!("A reason is needed above {}.", shortest(above))),
        (None, None) => None,
    };
    let optional = (question.asked == Asked::Optional).then_some(" It may be left out.");
    view! {
        <section id=anchor(&question.id)>
            <h2>{question.title().to_owned()}</h2>
            <p class="read">{question.question.clone()}</p>
            <p>{question.definition.clone()} {optional}</p>
            <dl class="pairs">{question.levels.iter().map(level).collect_view()}</dl>
            {reason.map(|text| view! { <p class="soft">{text}</p> })}
        </section>
    }
}

/// The figures that the study will report.
fn measures(scheme: &Scheme) -> impl IntoView + use<> {
    let measure = |measure: &Measure| {
        view! {
            <dt>{measure.name.clone()}</dt>
            <dd>{measure.definition.clone()}</dd>
        }
    };
    let list = scheme.measures.iter().map(measure).collect_view();
    (!scheme.measures.is_empty()).then(|| {
        view! {
            <section id="measures">
                <h2>"What the study reports"</h2>
                <dl class="pairs">{list}</dl>
            </section>
        }
    })
}

fn anchor(id: &str) -> String {
    format!("c-{}", id.replace(['.', ' '], "-"))
}

fn contents(scheme: &Scheme) -> impl IntoView + use<> {
    let entry = |category: &Category| {
        view! {
            <li>
                <a href=format!("#{}", anchor(&category.id))>{category.name.clone()}</a>
            </li>
        }
    };
    let question = |question: &ItemQuestion| {
        view! {
            <li>
                <a href=format!("#{}", anchor(&question.id))>{question.title().to_owned()}</a>
            </li>
        }
    };
    let questions = scheme.item_questions.iter().map(question).collect_view();
    view! {
        <nav class="contents" aria-label="Contents of the coding manual">
            <ol>
                {scheme.candidates.asked.then(|| view! { <li><a href="#validity">"Is a tag right?"</a></li> })}
                {scheme.severity.is_some().then(|| view! { <li><a href="#severity">"How severe is it?"</a></li> })}
                {questions}
                {scheme.categories.iter().map(entry).collect_view()}
            </ol>
        </nav>
    }
}

fn validity(scheme: &Scheme) -> impl IntoView + use<> {
    let level = |level: &ValidityLevel| {
        view! {
            <dt>
                {level.name.clone()} " " <kbd>{level.key.to_uppercase()}</kbd>
            </dt>
            <dd>{level.definition.clone()}</dd>
        }
    };
    scheme.candidates.asked.then(|| {
        view! {
            <section id="validity">
                <h2>{scheme.candidates.question.clone()}</h2>
                <dl class="pairs">{scheme.candidates.validity.iter().map(level).collect_view()}</dl>
            </section>
        }
    })
}

fn severity(scheme: &Scheme) -> impl IntoView + use<> {
    let scale = scheme.severity.clone()?;
    let level = |level: &Level| {
        view! {
            <dt>
                <LevelBadge value=level.value scale=scale.clone() />
            </dt>
            <dd>
                <b>{level.name.clone()}</b>
                ". "
                {level.definition.clone()}
            </dd>
        }
    };
    Some(view! {
        <section id="severity">
            <h2>{scale.question.clone()}</h2>
            <dl class="pairs">{scale.levels.iter().map(level).collect_view()}</dl>
        </section>
    })
}

fn missed(scheme: &Scheme) -> impl IntoView + use<> {
    let question = scheme.missed.question.clone();
    scheme.missed.asked.then(|| {
        view! {
            <section>
                <h2>"What did the judge miss?"</h2>
                <p>{question}</p>
            </section>
        }
    })
}

fn rule(scheme: &Scheme) -> impl IntoView + use<> {
    let tags = scheme
        .candidates
        .asked
        .then(|| of_tags(&scheme.disagreement));
    let disputed = scheme
        .item_questions
        .iter()
        .filter(|question| question.disputed && question.kind.compares());
    let answer = |question: &ItemQuestion| {
        let far = if question.distance_above > 0.0 {
            format!(" by more than {}", shortest(question.distance_above))
        } else {
            String::new()
        };
        view! { <li>{format!("{}: when answers differ{far}.", question.title())}</li> }
    };
    let answers = disputed.map(answer).collect::<Vec<_>>();
    let answers = (!answers.is_empty()).then(|| view! { <ul>{answers}</ul> });
    let single = scheme.single_rater_labels.then(|| {
        view! { <p>"What the only rater of an item says is its final label."</p> }
    });
    view! {
        <section>
            <h2>"When raters disagree"</h2>
            {tags}
            {answers}
            {single}
        </section>
    }
}

fn of_tags(rule: &DisagreementRule) -> impl IntoView + use<> {
    let mut parts = vec![format!(
        "two severities are more than {} apart",
        shortest(rule.distance_above)
    )];
    if rule.validity {
        parts.push("validity differs".into());
    }
    if rule.category {
        parts.push("the better category differs".into());
    }
    if rule.asked {
        parts.push("a rater asks to discuss the tag".into());
    }
    view! { <p>{format!("A tag goes to the queue of disagreements when {}.", parts.join(", or "))}</p> }
}

fn whole_category(scheme: &Scheme, category: &Category) -> impl IntoView + use<> {
    let unseen = (!category.observed)
        .then(|| view! { <span class="chip">"Defined, never observed in the source study"</span> });
    let note =
        (!category.note.is_empty()).then(|| view! { <p class="soft">{category.note.clone()}</p> });
    view! {
        <section id=anchor(&category.id) class="category">
            <h2>
                <span class="soft">{category.id.clone()}</span>
                " "
                {category.name.clone()}
                " "
                {unseen}
            </h2>
            <p class="read">{category.definition.clone()}</p>
            {note}
            {category.subcategories.iter().map(|sub| subcategory(scheme, sub)).collect_view()}
        </section>
    }
}

fn subcategory(scheme: &Scheme, sub: &Subcategory) -> impl IntoView + use<> {
    let list = |head: &'static str, lines: &[String]| {
        let lines: Vec<_> = lines
            .iter()
            .map(|line| view! { <li>{line.clone()}</li> })
            .collect();
        (!lines.is_empty()).then(|| {
            view! {
                <div>
                    <h4>{head}</h4>
                    <ul>{lines}</ul>
                </div>
            }
        })
    };
    let example = |example: &Example| {
        let badge = example.severity.zip(scheme.severity.clone());
        view! {
            <blockquote>
                <q>{example.text.clone()}</q>
                " "
                {badge.map(|(value, scale)| view! { <LevelBadge value scale /> })}
                <footer class="soft small">{example.why.clone()}</footer>
            </blockquote>
        }
    };
    view! {
        <article class="card" id=anchor(&sub.id)>
            <h3>
                <span class="soft">{sub.id.clone()}</span>
                " "
                {sub.name.clone()}
            </h3>
            <p>{sub.definition.clone()}</p>
            <div class="columns">
                {list("Belongs here", &sub.include)} {list("Does not belong here", &sub.exclude)}
            </div>
            {sub.examples.iter().map(example).collect_view()}
        </article>
    }
}
