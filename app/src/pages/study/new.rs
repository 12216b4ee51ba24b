//! `/studies/new`: a name and a coding manual.

use crate::pages::words;
use domain::{
    role::{Action, Role, may},
    scheme,
};
use leptos::prelude::*;
use service::{Result, study};

use crate::{
    actions::study::CreateStudy,
    components::{AreaField, Crumb, Form, Page, PostForm, TextField},
    pages::visit::{Visit, visit},
};

/// Makes a study.
#[component]
pub fn NewStudyPage() -> impl IntoView {
    visit(new_study)
}

async fn new_study(visit: Visit) -> Result<impl IntoView> {
    let studies = study::list(&visit.app, &visit.actor).await?;
    let mut roles: Vec<Role> = studies.into_iter().flat_map(|row| row.roles).collect();
    if visit.actor.is_admin {
        roles.push(Role::Admin);
    }
    if !may(&roles, Action::StudyCreate) {
        return Err(domain::refusal::Refusal::Forbidden.into());
    }
    let form = visit.form::<CreateStudy>();
    Ok(view! {
        <Page title="New study" crumbs=vec![Crumb::link("My work", "/"), Crumb::here("New study")]>
            {visit.said()}
            <h1>"New study"</h1>
            <p>
                "A study is made of a coding manual, items to judge with what an LLM judge said of them, and raters who judge by the manual. "
                "You become its coordinator. Items and raters come in the next steps."
            </p>
            <PostForm form=form.clone() class="card">
                <TextField
                    form=form.clone()
                    name="name"
                    label="Name of the study"
                    hint="Members see it everywhere. 1 to 80 letters, digits, spaces or . _ -"
                />
                <fieldset>
                    <legend>"Coding manual (scheme)"</legend>
                    {scheme::BUILTIN.iter().map(|id| built_in(&form, id)).collect_view()}
                    {own(&form)}
                </fieldset>
                <p>
                    <button class="button primary">"Make the study"</button>
                </p>
            </PostForm>
        </Page>
    })
}

fn built_in(form: &Form, id: &'static str) -> impl IntoView + use<> {
    let manual = scheme::builtin(id)
        .and_then(|text| scheme::parse(text).ok())?
        .0;
    let checked = form.ticked("scheme", id, id == "stigma");
    let asks = asks(&manual);
    Some(view! {
        <div class="built-in">
            <label class="option">
                <input type="radio" name="scheme" value=id checked=checked id=form.id("scheme") />
                <span>
                    <b>{manual.title}</b>
                    <span class="soft">
                        {format!("{asks}. {}", manual.citation)}
                    </span>
                </span>
            </label>
            <a class="small" href=format!("/schemes/{id}.toml") download aria-label=format!("{id} as TOML")>
                "TOML"
            </a>
        </div>
    })
}

/// What raters are asked, in a line.
fn asks(manual: &scheme::Scheme) -> String {
    let mut parts = Vec::new();
    if manual.candidates.asked {
        parts.push(format!(
            "Tags of {}",
            words::count(manual.categories.len(), "category", "categories")
        ));
    }
    if let Some(scale) = &manual.severity {
        parts.push(words::count(
            scale.levels.len(),
            "level of severity",
            "levels of severity",
        ));
    }
    if manual.missed.asked {
        parts.push("missed tags asked for".to_owned());
    }
    let names: Vec<&str> = manual
        .item_questions
        .iter()
        .map(scheme::ItemQuestion::title)
        .collect();
    if !names.is_empty() {
        parts.push(format!("Asked of each item: {}", names.join(", ")));
    }
    parts.join(", ")
}

fn own(form: &Form) -> impl IntoView + use<> {
    let checked = form.ticked("scheme", "own", false);
    let text = form.value("toml", "");
    // A refused scheme is read again here, because only the page may say what stands in it.
    let mistake = (checked && form.was_refused())
        .then(|| scheme::parse(&text).err())
        .flatten();
    let mistake = mistake.map(|mistake| {
        view! {
            <p class="error">{mistake.to_string()}</p>
        }
    });
    view! {
        <label class="option">
            <input type="radio" name="scheme" value="own" checked=checked />
            <span>
                <b>"My own"</b>
                <span class="soft">
                    "Download one of the above as TOML, edit it in any text editor, and paste it here."
                </span>
            </span>
        </label>
        <div class="own-scheme">
            {mistake}
            <AreaField form=form.clone() name="toml" label="Scheme as TOML" rows=12 />
            <p>
                <button class="button" formaction="/schemes/preview" formtarget="_blank" formnovalidate>
                    "Look at it first"
                </button>
            </p>
        </div>
    }
}
