//! What the pages of a study share: the path above, the navigation that one's roles allow.

use domain::role::{Action, Role, may};
use leptos::prelude::*;
use service::{Result, study, study::StudyView};
use std::sync::Arc;

use crate::{
    components::{Crumb, NavLink, Page, Width},
    pages::visit::Visit,
};

/// A page of a study's navigation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tab {
    /// Where the study stands and what comes next.
    Overview,
    /// The coding manual.
    Scheme,
    /// Who takes part.
    Members,
    /// Judged traces from a file.
    Import,
    /// What is judged.
    Items,
    /// Who judges what.
    Batches,
    /// Coefficients.
    Agreement,
    /// What answers add up to.
    Results,
    /// Where raters differ.
    Disagreements,
    /// How well the judge does.
    Judge,
    /// What the judge finds in all items.
    Corpus,
    /// How many items to validate.
    Plan,
    /// The study on paper.
    Report,
    /// What raters wrote.
    Comments,
    /// Calibration and cross-check.
    Rounds,
    /// Labels frozen under a name.
    SignOff,
    /// Tables to take along.
    Export,
    /// Blinding and state.
    Settings,
    /// Who did what.
    Audit,
}

impl Tab {
    const ALL: [Self; 19] = [
        Self::Overview,
        Self::Scheme,
        Self::Members,
        Self::Import,
        Self::Items,
        Self::Batches,
        Self::Agreement,
        Self::Results,
        Self::Disagreements,
        Self::Judge,
        Self::Corpus,
        Self::Plan,
        Self::Report,
        Self::Comments,
        Self::Rounds,
        Self::SignOff,
        Self::Export,
        Self::Settings,
        Self::Audit,
    ];

    /// What the link says; also the page's heading.
    pub fn label(self) -> &'static str {
        match self {
            Self::Overview => "Overview",
            Self::Scheme => "Coding manual",
            Self::Members => "Members",
            Self::Import => "Import",
            Self::Items => "Items",
            Self::Batches => "Batches",
            Self::Agreement => "Agreement",
            Self::Results => "Results",
            Self::Disagreements => "Disagreements",
            Self::Judge => "Judge",
            Self::Corpus => "Corpus",
            Self::Plan => "Sample size",
            Self::Report => "Report",
            Self::Comments => "Comments",
            Self::Rounds => "Rounds",
            Self::SignOff => "Sign-off",
            Self::Export => "Export",
            Self::Settings => "Settings",
            Self::Audit => "Audit",
        }
    }

    fn segment(self) -> &'static str {
        match self {
            Self::Overview => "",
            Self::Scheme => "/scheme",
            Self::Members => "/members",
            Self::Import => "/import",
            Self::Items => "/items",
            Self::Batches => "/batches",
            Self::Agreement => "/agreement",
            Self::Results => "/results",
            Self::Disagreements => "/disagreements",
            Self::Judge => "/judge",
            Self::Corpus => "/corpus",
            Self::Plan => "/plan",
            Self::Report => "/report",
            Self::Comments => "/comments",
            Self::Rounds => "/rounds",
            Self::SignOff => "/sign-off",
            Self::Export => "/export",
            Self::Settings => "/settings",
            Self::Audit => "/audit",
        }
    }

    /// The right without which the page says no.
    pub fn needs(self) -> Action {
        match self {
            Self::Overview | Self::Scheme => Action::StudyRead,
            Self::Members => Action::MemberManage,
            Self::Import => Action::ImportRun,
            Self::Items => Action::ItemRead,
            Self::Batches => Action::BatchManage,
            Self::Agreement | Self::Results => Action::AgreementRead,
            Self::Disagreements => Action::DisagreementRead,
            Self::Judge | Self::Corpus | Self::Plan | Self::Report => Action::JudgeRead,
            Self::Comments => Action::Triage,
            Self::Rounds => Action::AgreementRead,
            Self::SignOff => Action::SnapshotRead,
            Self::Export => Action::ExportRun,
            Self::Settings => Action::StudyManage,
            Self::Audit => Action::AuditRead,
        }
    }

    /// The address of the page in a study.
    pub fn href(self, study: &StudyView) -> String {
        format!("/studies/{}{}", study.id, self.segment())
    }
}

/// A study as one of its pages needs it.
#[derive(Clone, Debug)]
pub struct Open {
    /// The study.
    pub study: Arc<StudyView>,
    /// The roles of whoever looks, the server's administrator included.
    pub roles: Vec<Role>,
}

impl Open {
    /// Whether whoever looks may do this here.
    pub fn may(&self, action: Action) -> bool {
        may(&self.roles, action)
    }
}

impl Visit {
    /// Opens the study of the path for one of its pages.
    ///
    /// # Errors
    /// When there is none, or it is not theirs to see.
    pub async fn open(&self, tab: Tab) -> Result<Open> {
        let study = study::overview(&self.app, &self.actor, &self.study()).await?;
        let mut roles = study.roles.clone();
        if self.actor.is_admin {
            roles.push(Role::Admin);
        }
        let open = Open {
            study: Arc::new(study),
            roles,
        };
        if !open.may(tab.needs()) {
            return Err(domain::refusal::Refusal::Forbidden.into());
        }
        Ok(open)
    }
}

/// A page of a study.
#[component]
pub fn StudyPage(
    /// The study.
    open: Open,
    /// Which page.
    tab: Tab,
    /// The page below the tab's own, when there is one.
    #[prop(optional, into)]
    below: Option<String>,
    /// How wide the content runs.
    #[prop(optional)]
    width: Width,
    /// The content.
    children: Children,
) -> impl IntoView {
    let study = open.study.clone();
    let mut crumbs = Vec::new();
    if tab == Tab::Overview {
        crumbs.push(Crumb::here(study.name.clone()));
    } else {
        crumbs.push(Crumb::link(study.name.clone(), Tab::Overview.href(&study)));
    }
    match &below {
        Some(title) => {
            crumbs.push(Crumb::link(tab.label(), tab.href(&study)));
            crumbs.push(Crumb::here(title.clone()));
        }
        None if tab != Tab::Overview => crumbs.push(Crumb::here(tab.label())),
        None => {}
    }
    let waiting = study.counts.disputed + study.counts.stale;
    let link = |which: &Tab| NavLink {
        label: match which {
            Tab::Disagreements if waiting > 0 => format!("{} ({waiting})", which.label()),
            _ => which.label().to_owned(),
        },
        href: which.href(&study),
        current: *which == tab,
    };
    let nav = Tab::ALL
        .iter()
        .filter(|which| open.may(which.needs()))
        .filter(|which| **which != Tab::Results || !study.scheme.measures.is_empty())
        .map(link)
        .collect();
    let title = below.unwrap_or_else(|| tab.label().to_owned());
    view! {
        <Page title=format!("{title} · {}", study.name) crumbs nav width>
            {children()}
        </Page>
    }
}
