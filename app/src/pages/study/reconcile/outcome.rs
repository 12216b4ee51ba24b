//! The form that settles a unit.

use domain::{
    annotation::shortest,
    ruling::{Cause, Outcome},
    scheme::{Category, QuestionKind, Scheme, SeverityScale, Validity},
    unit::UnitKind,
};
use leptos::prelude::*;
use service::unit::{RaterSide, UnitView};

use super::question;
use crate::{
    components::{AreaField, Form, Hidden, PostForm, TextField, choices::tint_of},
    pages::words,
};

/// What the form starts with.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Start {
    outcome: Option<Outcome>,
    validity: Option<Validity>,
    severity: Option<f64>,
    code: String,
    span: Option<(u32, u32)>,
    merged: String,
    cause: Option<Cause>,
    confidence: String,
    note: String,
    adopted: String,
    agreed: bool,
    guideline: bool,
}

impl Start {
    /// A rater's value when one is adopted, else the ruling in force, else what the raters share.
    pub fn of(unit: &UnitView, adopt: &str) -> Self {
        let standing = unit.ruling.as_ref().map(|ruling| Self {
            outcome: Some(ruling.outcome),
            validity: ruling.validity,
            severity: ruling.severity,
            code: String::new(),
            span: ruling.span.as_ref().map(|span| (span.0, span.1)),
            merged: ruling.merged_into.clone(),
            cause: ruling.cause,
            confidence: ruling.confidence.clone(),
            note: ruling.note.clone(),
            adopted: ruling.adopted_from.clone(),
            agreed: ruling.agreed_by_raters,
            guideline: ruling.guideline_needs_work,
        });
        let shared = Self {
            validity: shared(&unit.raters),
            ..Self::default()
        };
        let start = standing.unwrap_or(shared);
        match unit.raters.iter().find(|side| side.letter == adopt) {
            Some(side) => Self {
                outcome: Some(Outcome::Consensus),
                validity: side.validity,
                severity: side.severity,
                adopted: side.letter.clone(),
                ..start
            },
            None => start,
        }
    }
}

/// The validity that every rater gave.
fn shared(raters: &[RaterSide]) -> Option<Validity> {
    let first = raters.first()?.validity?;
    raters
        .iter()
        .all(|side| side.validity == Some(first))
        .then_some(first)
}

/// The mean of the severities, when two raters gave one.
fn mean(raters: &[RaterSide]) -> Option<f64> {
    let given: Vec<f64> = raters.iter().filter_map(|side| side.severity).collect();
    (given.len() >= 2).then(|| given.iter().sum::<f64>() / given.len() as f64)
}

/// The whole form.
pub fn outcome(form: &Form, unit: &UnitView, study: &str, start: &Start) -> impl IntoView + use<> {
    let scheme = &unit.scheme;
    let hidden = [
        ("study", study.to_owned()),
        ("unit", unit.row.unit.to_string()),
        ("expected_ruling_version", unit.ruling_version.to_string()),
        ("basis", unit.basis.clone()),
        (
            "next",
            unit.next
                .as_ref()
                .map(ToString::to_string)
                .unwrap_or_default(),
        ),
    ];
    let hidden = hidden.map(|(name, value)| view! { <Hidden name value /> }.into_any());
    let outcomes = outcomes(form, unit, start).into_any();
    let scale = question::scale(unit);
    let severity = scale
        .as_ref()
        .map(|scale| severity(form, &legend(unit), scale, start).into_any());
    let answer = question::answer(form, unit).map(IntoAny::into_any);
    let of_a_tag = question::of(unit).is_none();
    let validity = of_a_tag.then(|| validity(form, scheme, start).into_any());
    let more = more(form, unit, start).into_any();
    let note = start.note.clone();
    let agreed = form.ticked("agreed_by_raters", "on", start.agreed);
    let label = if unit.next.is_some() {
        "Record and next"
    } else {
        "Record"
    };
    let area = form.clone();
    view! {
        <PostForm form=form.clone() class="card outcome">
            {hidden}
            {outcomes}
            {severity}
            {answer}
            {validity}
            <label class="check">
                <input type="checkbox" name="agreed_by_raters" value="on" checked=agreed />
                "Both raters agreed to this"
            </label>
            <AreaField form=area name="note" label="Note" start=note rows=2 />
            {more}
            <div class="row">
                <p class="hint">"The judgements of the raters stay as they are."</p>
                <button class="button primary push">{label} " " <kbd>"Ctrl ⏎"</kbd></button>
            </div>
        </PostForm>
    }
}

fn outcomes(form: &Form, unit: &UnitView, start: &Start) -> impl IntoView + use<> {
    let ordered = question::of(unit).is_none_or(|asked| asked.kind == QuestionKind::Ordinal);
    let average = mean(&unit.raters)
        .filter(|_| ordered)
        .map(|mean| format!("Averaged: {}", shortest(mean)));
    let choice = |outcome: Outcome| {
        let (key, label) = match outcome {
            Outcome::Consensus => ("C", "Consensus".to_owned()),
            Outcome::Averaged => ("M", average.clone().unwrap_or_else(|| "Averaged".into())),
            Outcome::Adjudicator => ("J", "Adjudicator".to_owned()),
            Outcome::Unresolved => ("U", "Unresolved".to_owned()),
        };
        let disabled = (outcome == Outcome::Adjudicator && unit.ruler_rated_item)
            || (outcome == Outcome::Averaged && average.is_none());
        let checked = form.ticked("outcome", outcome.as_str(), start.outcome == Some(outcome));
        view! {
            <label title=means(outcome)>
                <input type="radio" name="outcome" value=outcome.as_str() checked=checked disabled=disabled />
                {label}
                <kbd>{key}</kbd>
            </label>
        }
    };
    let rated = unit.ruler_rated_item.then(
        || view! { <p class="hint">"You rated this item, so you cannot be its adjudicator."</p> },
    );
    let error = form
        .error("outcome")
        .map(|text| view! { <p class="error">{text}</p> });
    view! {
        <fieldset id=form.id("outcome") tabindex="-1">
            <legend>"How it is settled"</legend>
            {error}
            <div class="choices">{Outcome::ALL.map(choice)}</div>
            {rated}
        </fieldset>
    }
}

/// What an outcome says.
fn means(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Consensus => "The raters came to one value",
        Outcome::Averaged => "Both judgements stand; the final value is their mean",
        Outcome::Adjudicator => "Somebody who did not rate the item decided",
        Outcome::Unresolved => "A principled disagreement: both stand and there is no final value",
    }
}

/// What the final value is called: an answer is no severity.
fn legend(unit: &UnitView) -> String {
    let of = question::of(unit).map_or_else(
        || "Final severity".to_owned(),
        |asked| format!("Final answer: {}", asked.title()),
    );
    format!("{of} (for an average it is worked out)")
}

fn severity(
    form: &Form,
    legend: &str,
    scale: &SeverityScale,
    start: &Start,
) -> impl IntoView + use<> {
    let choice = |value: f64| {
        let text = shortest(value);
        let checked = form.ticked("severity", &text, start.severity == Some(value));
        let level = scale.level(value).map(|level| {
            if level.short.is_empty() {
                &level.name
            } else {
                &level.short
            }
            .clone()
        });
        let half = if level.is_none() { " half" } else { "" };
        view! {
            <label class=format!("{}{half}", tint_of(value, scale))>
                <input type="radio" name="severity" value=text.clone() checked=checked />
                <b>{text}</b>
                <small>{level}</small>
            </label>
        }
    };
    let error = form
        .error("severity")
        .map(|text| view! { <p class="error">{text}</p> });
    view! {
        <fieldset id=form.id("severity") tabindex="-1">
            <legend>{legend.to_owned()}</legend>
            {error}
            <div class="choices scale">{scale.steps(scale.halves.ruling).into_iter().map(choice).collect_view()}</div>
        </fieldset>
    }
}

fn validity(form: &Form, scheme: &Scheme, start: &Start) -> impl IntoView + use<> {
    let choice = |validity: Validity| {
        let word = validity.as_str();
        let checked = form.ticked("validity", word, start.validity == Some(validity));
        let level = scheme
            .candidates
            .validity
            .iter()
            .find(|level| level.value == validity);
        let name = level.map_or_else(
            || words::validity(validity).to_owned(),
            |level| level.name.clone(),
        );
        view! {
            <label>
                <input type="radio" name="validity" value=word checked=checked />
                {name}
            </label>
        }
    };
    view! {
        <fieldset>
            <legend>"Final validity"</legend>
            <div class="choices">{Validity::ALL.map(choice)}</div>
        </fieldset>
    }
}

/// What is rarely needed: another category, cause, confidence, whose value it is.
fn more(form: &Form, unit: &UnitView, start: &Start) -> impl IntoView + use<> {
    let select =
        |name: &'static str, label: &'static str, options: Vec<(String, String)>, chosen: &str| {
            let chosen = form.value(name, chosen);
            let option = move |(value, text): (String, String)| {
                let selected = value == chosen;
                view! {
                    <option value=value selected=selected>
                        {text}
                    </option>
                }
            };
            let id = form.id(name);
            view! {
                <div class="field">
                    <label for=id.clone()>{label}</label>
                    <select id=id name=name>
                        {options.into_iter().map(option).collect_view()}
                    </select>
                </div>
            }
            .into_any()
        };
    let causes = [(String::new(), "Not said".to_owned())].into_iter();
    let causes = causes
        .chain(Cause::ALL.map(|cause| (cause.as_str().to_owned(), words::cause(cause).to_owned())));
    let confidence = [
        ("", "Not said"),
        ("low", "Low"),
        ("medium", "Medium"),
        ("high", "High"),
    ];
    let confidence = confidence.map(|(value, text)| (value.to_owned(), text.to_owned()));
    let nobody = [(String::new(), "Nobody’s: a value of its own".to_owned())].into_iter();
    let adopted = nobody.chain(
        unit.raters
            .iter()
            .map(|side| (side.letter.clone(), format!("Rater {}", side.letter))),
    );
    let merge = mergeable(unit);
    let guideline = form.ticked("guideline_needs_work", "on", start.guideline);
    let open = form.was_refused()
        || start.cause.is_some()
        || start.span.is_some()
        || !(start.adopted.is_empty() && start.merged.is_empty());
    // An answer has neither a category nor words in the trace.
    let of_a_tag = question::of(unit).is_none();
    let summary = if of_a_tag {
        "Cause, confidence, another category or span"
    } else {
        "Cause, confidence, whose answer"
    };
    view! {
        <details open=open>
            <summary>{summary}</summary>
            <div class="columns">
                {select("cause", "Why they differed", causes.collect(), start.cause.map_or("", Cause::as_str))}
                {select("confidence", "Confidence", confidence.to_vec(), &start.confidence)}
                {select("adopted_from", "Whose value", adopted.collect(), &start.adopted)}
                {of_a_tag
                    .then(|| select("code", "Final category", codes(&unit.scheme), &start.code))}
                {(merge.len() > 1).then(|| select("merged_into", "The same tag as", merge, &start.merged))}
            </div>
            {of_a_tag.then(|| span(form, start))}
            <label class="check">
                <input type="checkbox" name="guideline_needs_work" value="on" checked=guideline />
                "The coding manual needs work here"
            </label>
        </details>
    }
}

/// Where the final span is another one than the tag's.
fn span(form: &Form, start: &Start) -> impl IntoView + use<> {
    let end = |value: Option<u32>| value.map(|value| value.to_string()).unwrap_or_default();
    let (from, to) = (
        end(start.span.map(|span| span.0)),
        end(start.span.map(|span| span.1)),
    );
    let (first, second) = (form.clone(), form.clone());
    view! {
        <div class="columns">
            <TextField
                form=first
                name="span_start"
                label="Final span from character"
                kind="number"
                min="0"
                optional=true
                start=from
            />
            <TextField form=second name="span_end" label="to character" kind="number" min="1" optional=true start=to />
        </div>
    }
}

/// The units of the item that a missed tag may be folded into, and first: none.
fn mergeable(unit: &UnitView) -> Vec<(String, String)> {
    let mut units = vec![(String::new(), "No other: a tag of its own".to_owned())];
    if unit.row.unit_kind == UnitKind::Missed {
        let tags = unit
            .siblings
            .iter()
            .filter(|row| row.unit_kind != UnitKind::Item);
        units.extend(tags.map(|row| {
            let name = if row.subcategory_name.is_empty() {
                &row.category_name
            } else {
                &row.subcategory_name
            };
            let kind = if row.unit_kind == UnitKind::Candidate {
                "the judge’s"
            } else {
                "added"
            };
            (row.unit.to_string(), format!("{name} ({kind})"))
        }));
    }
    units
}

/// Every category and subcategory, and first: as it is.
pub fn codes(scheme: &Scheme) -> Vec<(String, String)> {
    let mut codes = vec![(String::new(), "As the tag says".to_owned())];
    let of_one = |category: &Category| {
        let own = (category.id.clone(), category.name.clone());
        let subs = category
            .subcategories
            .iter()
            .map(|sub| (sub.id.clone(), format!("\u{2003}{}", sub.name)));
        [own].into_iter().chain(subs).collect::<Vec<_>>()
    };
    codes.extend(scheme.categories.iter().flat_map(of_one));
    codes
}
