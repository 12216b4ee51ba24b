//! `/studies/{study}/settings`: what raters do not see, and where the study stands.

use domain::{missed::MatchRule, study::StudyState};
use leptos::prelude::*;
use service::{Result, manual};

use super::frame::{Open, StudyPage, Tab};
use crate::{
    actions::{
        manual::SetMissedMatch,
        study::{SetBlinding, SetState},
    },
    components::{Hidden, Kind, Notice, PostForm, SelectField, TextField},
    pages::{
        visit::{Visit, visit},
        words,
    },
};

/// Settings of a study, with their consequences.
#[component]
pub fn SettingsPage() -> impl IntoView {
    visit(settings)
}

async fn settings(visit: Visit) -> Result<impl IntoView> {
    let open = visit.open(Tab::Settings).await?;
    let matching = manual::missed_match(&visit.app, &visit.actor, &open.study.id).await?;
    let missed = open
        .study
        .scheme
        .missed
        .asked
        .then(|| missed(&visit, &open, matching).into_any());
    Ok(view! {
        <StudyPage open=open.clone() tab=Tab::Settings>
            {visit.said()}
            <h1>"Settings"</h1>
            {blinding(&visit, &open)}
            {missed}
            {state(&visit, &open)}
        </StudyPage>
    })
}

fn blinding(visit: &Visit, open: &Open) -> impl IntoView + use<> {
    let form = visit.form::<SetBlinding>();
    let (now, fixed) = (open.study.blinding, open.study.blinding_fixed);
    let choices = [
        (
            "model",
            "Hide which model wrote the trace",
            now.model,
            "Raters who know the model may judge its reputation instead of its words.",
        ),
        (
            "condition",
            "Hide the condition label",
            now.condition,
            "The vignette often gives the condition away; hiding the label only avoids repeating it.",
        ),
        (
            "judge_severity",
            "Hide the severity that the judge proposed",
            now.judge_severity,
            "A number seen first pulls one’s own towards it. Shown, it saves time; hidden, the two severities are independent.",
        ),
    ];
    let choice =
        move |(name, label, checked, why): (&'static str, &'static str, bool, &'static str)| {
            view! {
                <label class="option">
                    <input type="checkbox" name=name value="on" checked=checked disabled=fixed />
                    <span>
                        <b>{label}</b>
                        <span class="soft">{why}</span>
                    </span>
                </label>
            }
        };
    let end = if fixed {
        view! {
            <Notice kind=Kind::Info>
                <p>
                    "Blinding is fixed, because a rater has submitted. Changing it now would mix judgements made under different conditions."
                </p>
            </Notice>
        }
        .into_any()
    } else {
        view! {
            <p class="soft">"Blinding can be changed until the first rater submits; then it is fixed for good."</p>
            <button class="button primary">"Keep these settings"</button>
        }
        .into_any()
    };
    let study = open.study.id.to_string();
    view! {
        <h2>"What raters do not see"</h2>
        <PostForm form class="card">
            <Hidden name="study" value=study />
            {choices.map(choice).collect_view()}
            {end}
        </PostForm>
    }
}

/// When missed tags of different raters are one.
fn missed(visit: &Visit, open: &Open, now: MatchRule) -> impl IntoView + use<> {
    let form = visit.form::<SetMissedMatch>();
    let (word, share) = match now {
        MatchRule::Exact => ("exact", 0.5),
        MatchRule::Overlap => ("overlap", 0.5),
        MatchRule::TokenIou(share) => ("iou", share),
    };
    let options = [
        ("exact", "They mark exactly the same words"),
        ("overlap", "They have at least one character in common"),
        ("iou", "They share at least a part of their words (below)"),
    ];
    let options = options
        .map(|(value, label)| (value.to_owned(), label.to_owned()))
        .to_vec();
    let share = share.to_string();
    let study = open.study.id.to_string();
    let (select, text) = (form.clone(), form.clone());
    view! {
        <h2>"When two added tags are the same"</h2>
        <PostForm form class="card">
            <Hidden name="study" value=study />
            <p class="soft">
                "Two raters may add the same category on nearly the same words. This rule says when that is one tag; it can be changed at any time before sign-off, and every added tag is matched anew."
            </p>
            <SelectField form=select name="rule" label="They are one tag when" options start=word />
            <TextField
                form=text
                name="share"
                label="Shared words, from above 0 to 1"
                hint="Words in common divided by all words of both."
                optional=true
                start=share
            />
            <button class="button primary">"Keep this rule"</button>
        </PostForm>
    }
}

/// A step of the study's life: where to, what the button says, what follows.
type Step = (StudyState, &'static str, &'static str);

fn steps(from: StudyState) -> Vec<Step> {
    let collect = (
        StudyState::Collecting,
        "Let raters judge",
        "Raters can open, change and submit their items.",
    );
    let reconcile = (
        StudyState::Reconciling,
        "Begin to settle disagreements",
        "Says that collecting is over. Raters can still finish what is open.",
    );
    match from {
        StudyState::Draft => vec![collect],
        StudyState::Collecting => vec![reconcile],
        StudyState::Reconciling => vec![collect],
        StudyState::SignedOff => {
            vec![(
                StudyState::Reconciling,
                "Open the study again",
                "Judgements and rulings can change again.",
            )]
        }
    }
}

fn state(visit: &Visit, open: &Open) -> impl IntoView + use<> {
    let study = open.study.clone();
    let closed = study.state == StudyState::SignedOff;
    let form = visit.form::<SetState>();
    let step = |(to, label, what): Step| {
        let form = form.clone().only_for("to", to.as_str()).repeated();
        let id = study.id.to_string();
        let reason = closed.then(|| view! { <TextField form=form.clone() name="reason" label="Why it is opened again" /> });
        view! {
            <PostForm form=form.clone() class="card">
                <Hidden name="study" value=id />
                <Hidden name="to" value=to.as_str() />
                <p>{what}</p>
                {reason}
                <button>{label}</button>
            </PostForm>
        }
    };
    let sign_off = (!closed).then(|| {
        view! {
            <p>
                "A study is signed off " <a href=Tab::SignOff.href(&study)>"on a page of its own"</a>
                ", where its labels are frozen under somebody’s name."
            </p>
        }
    });
    view! {
        <h2>"Where the study stands"</h2>
        <p>
            "Now: " <span class="chip now">{words::study_state(study.state)}</span>
            ". A study goes from setting up over judging and settling to signed off."
        </p>
        {steps(study.state).into_iter().map(step).collect_view()}
        {sign_off}
    }
}
