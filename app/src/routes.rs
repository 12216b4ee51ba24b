//! The table of pages: one line a route.

use leptos::prelude::*;
use leptos_meta::provide_meta_context;
use leptos_router::{
    SsrMode,
    components::{Route, Router, Routes},
    path,
};

use crate::{
    components::Viewer,
    context::Ask,
    pages::{
        account::AccountPage,
        feedback::FeedbackPage,
        invitation::InvitationPage,
        judging::JudgingPage,
        not_found::NotFoundPage,
        people::PeoplePage,
        preview::PreviewPage,
        review::ReviewPage,
        sign_in::SignInPage,
        study::{
            agreement::{AgreementPage, definitions::DefinitionsPage},
            audit::AuditPage,
            batch::BatchPage,
            batches::BatchesPage,
            comments::CommentsPage,
            corpus::{CorpusPage, ExamplesPage},
            disagreements::DisagreementsPage,
            export::ExportPage,
            import::ImportPage,
            independence::IndependencePage,
            item::ItemPage,
            items::ItemsPage,
            judge::JudgePage,
            manual::{EditManualPage, VersionsPage},
            members::MembersPage,
            new::NewStudyPage,
            overview::OverviewPage,
            plan::PlanPage,
            reconcile::ReconcilePage,
            report::ReportPage,
            results::ResultsPage,
            rounds::RoundsPage,
            scheme::SchemePage,
            settings::SettingsPage,
            sign_off::{SignOffPage, SnapshotPage},
        },
        thread::DiscussionPage,
        work::WorkPage,
    },
};

/// Matches the address and renders its page.
///
/// Every route is `SsrMode::Async`: the page is complete when it is sent, so it can be read without
/// script and its status can still change while it is being rendered.
#[component]
pub fn App() -> AnyView {
    provide_meta_context();
    if let Some(viewer) = viewer() {
        provide_context(viewer);
    }
    view! {
        <Router>
            <Routes fallback=NotFoundPage>
                <Route path=path!("/") view=WorkPage ssr=SsrMode::Async />
                <Route path=path!("/work") view=WorkPage ssr=SsrMode::Async />
                <Route path=path!("/sign-in") view=SignInPage ssr=SsrMode::Async />
                <Route path=path!("/invitation/:secret") view=InvitationPage ssr=SsrMode::Async />
                <Route path=path!("/account") view=AccountPage ssr=SsrMode::Async />
                <Route path=path!("/people") view=PeoplePage ssr=SsrMode::Async />
                <Route path=path!("/desk/:assignment") view=JudgingPage ssr=SsrMode::Async />
                <Route path=path!("/schemes/preview") view=PreviewPage ssr=SsrMode::Async />
                <Route path=path!("/studies/new") view=NewStudyPage ssr=SsrMode::Async />
                <Route path=path!("/studies/:study") view=OverviewPage ssr=SsrMode::Async />
                <Route path=path!("/studies/:study/scheme") view=SchemePage ssr=SsrMode::Async />
                <Route path=path!("/studies/:study/import") view=ImportPage ssr=SsrMode::Async />
                <Route path=path!("/studies/:study/batches") view=BatchesPage ssr=SsrMode::Async />
                <Route path=path!("/studies/:study/batches/:batch") view=BatchPage ssr=SsrMode::Async />
                <Route path=path!("/studies/:study/members") view=MembersPage ssr=SsrMode::Async />
                <Route path=path!("/studies/:study/settings") view=SettingsPage ssr=SsrMode::Async />
                <Route path=path!("/discussions/:unit") view=DiscussionPage ssr=SsrMode::Async />
                <Route path=path!("/studies/:study/scheme/versions") view=VersionsPage ssr=SsrMode::Async />
                <Route path=path!("/studies/:study/scheme/edit") view=EditManualPage ssr=SsrMode::Async />
                <Route path=path!("/studies/:study/comments") view=CommentsPage ssr=SsrMode::Async />
                <Route path=path!("/studies/:study/disagreements") view=DisagreementsPage ssr=SsrMode::Async />
                <Route path=path!("/studies/:study/disagreements/:unit") view=ReconcilePage ssr=SsrMode::Async />
                <Route path=path!("/studies/:study/agreement") view=AgreementPage ssr=SsrMode::Async />
                <Route path=path!("/studies/:study/agreement/definitions") view=DefinitionsPage ssr=SsrMode::Async />
                <Route path=path!("/studies/:study/judge") view=JudgePage ssr=SsrMode::Async />
                <Route path=path!("/studies/:study/corpus") view=CorpusPage ssr=SsrMode::Async />
                <Route path=path!("/studies/:study/corpus/examples") view=ExamplesPage ssr=SsrMode::Async />
                <Route path=path!("/studies/:study/plan") view=PlanPage ssr=SsrMode::Async />
                <Route path=path!("/studies/:study/report") view=ReportPage ssr=SsrMode::Async />
                <Route path=path!("/studies/:study/results") view=ResultsPage ssr=SsrMode::Async />
                <Route path=path!("/studies/:study/export") view=ExportPage ssr=SsrMode::Async />
                <Route path=path!("/studies/:study/items") view=ItemsPage ssr=SsrMode::Async />
                <Route path=path!("/studies/:study/items/:item") view=ItemPage ssr=SsrMode::Async />
                <Route path=path!("/desk/:assignment/feedback") view=FeedbackPage ssr=SsrMode::Async />
                <Route path=path!("/review/:review") view=ReviewPage ssr=SsrMode::Async />
                <Route path=path!("/studies/:study/rounds") view=RoundsPage ssr=SsrMode::Async />
                <Route path=path!("/studies/:study/audit/independence") view=IndependencePage ssr=SsrMode::Async />
                <Route path=path!("/studies/:study/sign-off") view=SignOffPage ssr=SsrMode::Async />
                <Route path=path!("/studies/:study/sign-off/:number") view=SnapshotPage ssr=SsrMode::Async />
                <Route path=path!("/studies/:study/audit") view=AuditPage ssr=SsrMode::Async />
            </Routes>
        </Router>
    }
    .into_any()
}

/// Whoever looks at the page, for its header.
fn viewer() -> Option<Viewer> {
    let who = Ask::current()?.who?;
    Some(Viewer {
        name: who.actor.name,
        display_name: who.actor.display_name,
        is_admin: who.actor.is_admin,
        expires_at: who.expires_at,
    })
}
