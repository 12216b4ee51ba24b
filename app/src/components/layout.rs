//! What surrounds every page: title, header, navigation, main.

use leptos::prelude::*;
use leptos_meta::Title;

use crate::islands::{connection::Connection, local_times::LocalTimes, session::SessionWatch};

/// Who is looking; put into the context by the server for signed-in people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Viewer {
    /// The sign-in name.
    pub name: String,
    /// How the person is called.
    pub display_name: String,
    /// Whether they administer the server.
    pub is_admin: bool,
    /// When the session ends, in epoch milliseconds.
    pub expires_at: i64,
}

/// One step of the path above a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Crumb {
    /// What it says.
    pub label: String,
    /// Where it leads; `None` for the page itself.
    pub href: Option<String>,
}

impl Crumb {
    /// A step that leads somewhere.
    pub fn link(label: impl Into<String>, href: impl Into<String>) -> Self {
        Self {
            label: label.into(),
            href: Some(href.into()),
        }
    }

    /// The page itself.
    pub fn here(label: impl Into<String>) -> Self {
        Self {
            label: label.into(),
            href: None,
        }
    }
}

/// One link of a study's navigation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NavLink {
    /// What it says.
    pub label: String,
    /// Where it leads.
    pub href: String,
    /// Whether it is this page.
    pub current: bool,
}

/// How wide the content runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Width {
    /// Prose and forms.
    #[default]
    Page,
    /// Sign-in and other single questions.
    Narrow,
    /// Tables and reports.
    Wide,
    /// No frame at all: the page arranges itself.
    Bare,
}

impl Width {
    fn class(self) -> Option<&'static str> {
        match self {
            Self::Page => Some("page"),
            Self::Narrow => Some("page narrow"),
            Self::Wide => Some("page wide"),
            Self::Bare => None,
        }
    }
}

/// A page: `title` for the window, the children for `<main>`.
#[component]
pub fn Page(
    /// Shown in the window's title bar, before the product's name.
    #[prop(into)]
    title: String,
    /// The path above the page.
    #[prop(optional)]
    crumbs: Vec<Crumb>,
    /// The study's navigation.
    #[prop(optional)]
    nav: Vec<NavLink>,
    /// How wide the content runs.
    #[prop(optional)]
    width: Width,
    /// What stands at the right of the header, before the account.
    #[prop(optional)]
    tools: Option<AnyView>,
    /// The content of `<main>`.
    children: Children,
) -> impl IntoView {
    let viewer = use_context::<Viewer>();
    let watch = viewer
        .clone()
        .map(|v| view! { <SessionWatch expires_at=v.expires_at name=v.name /> });
    view! {
        <Title text=format!("{title} · Consilium") />
        <a class="skip-link" href="#main">
            "Skip to content"
        </a>
        <header class="site-header">
            <a class="site-mark" href="/">
                "Consilium"
            </a>
            {(!crumbs.is_empty()).then(|| view! { <Crumbs crumbs /> })}
            <Connection />
            <div class="site-right">{tools} {viewer.map(account)}</div>
        </header>
        {(!nav.is_empty()).then(|| view! { <StudyNav nav /> })}
        {watch}
        <main id="main" tabindex="-1" class=width.class()>
            {children()}
        </main>
        <LocalTimes />
    }
}

fn account(viewer: Viewer) -> impl IntoView {
    view! {
        <a href="/account">{viewer.display_name}</a>
        <form method="post" action="/sign-out">
            <button class="button quiet">"Sign out"</button>
        </form>
    }
}

#[component]
fn Crumbs(crumbs: Vec<Crumb>) -> impl IntoView {
    let step = |crumb: Crumb| match crumb.href {
        Some(href) => view! { <li><a href=href>{crumb.label}</a></li> }.into_any(),
        None => view! { <li aria-current="page">{crumb.label}</li> }.into_any(),
    };
    view! {
        <nav class="crumbs" aria-label="Path">
            <ol>{crumbs.into_iter().map(step).collect_view()}</ol>
        </nav>
    }
}

#[component]
fn StudyNav(nav: Vec<NavLink>) -> impl IntoView {
    let link = |link: NavLink| {
        view! {
            <a href=link.href aria-current=link.current.then_some("page")>
                {link.label}
            </a>
        }
    };
    view! {
        <nav class="site-nav" aria-label="Study">
            {nav.into_iter().map(link).collect_view()}
        </nav>
    }
}
