//! A server of its own for each test.

use reqwest::{Client, Response, redirect::Policy};
use server::{proxy::TrustedProxies, serve::Server, state::AppState};
use service::{
    Actor, account,
    testing::{TestServices, services},
};
use tokio::{sync::oneshot, task::JoinHandle};

/// The password of everybody in the tests.
pub const PASSWORD: &str = "correct horse battery";

/// A running server and a browser-like client that does not follow redirects.
pub struct TestApp {
    /// `http://127.0.0.1:PORT`.
    pub base: String,
    pub client: Client,
    /// The ground under the server, to prepare what a test needs.
    pub services: TestServices,
    stop: oneshot::Sender<()>,
    server: JoinHandle<std::io::Result<()>>,
}

impl TestApp {
    /// Starts on a free port.
    pub async fn start() -> Self {
        Self::behind(&[]).await
    }

    /// Starts behind these proxies.
    pub async fn behind(proxies: &[&str]) -> Self {
        let services = services().await;
        let listen = ([127, 0, 0, 1], 0).into();
        let mut state = AppState::new(services.app.clone(), listen);
        let proxies = proxies.iter().map(|proxy| proxy.parse().unwrap());
        state.proxies = TrustedProxies(proxies.collect());
        let server = Server::bind(listen, state).await.unwrap();
        let base = format!("http://{}", server.address().unwrap());
        let (stop, stopped) = oneshot::channel();
        let server = tokio::spawn(server.run(async {
            let _ = stopped.await;
        }));
        Self {
            base,
            client: browser(),
            services,
            stop,
            server,
        }
    }

    /// The address of `path`.
    pub fn url(&self, path: &str) -> String {
        format!("{}{path}", self.base)
    }

    /// Reads `path`.
    pub async fn get(&self, path: &str) -> Response {
        self.client.get(self.url(path)).send().await.unwrap()
    }

    /// Posts a form from one of our own pages, as a browser does without script.
    pub async fn post(&self, page: &str, action: &str, fields: &[(&str, &str)]) -> Response {
        let post = self.client.post(self.url(action)).form(fields);
        let post = post
            .header("accept", "text/html")
            .header("origin", &self.base);
        post.header("referer", self.url(page)).send().await.unwrap()
    }

    /// Makes an account and tells who it is.
    pub async fn person(&self, name: &str) -> Actor {
        let (app, operator) = (&self.services.app, Actor::operator());
        account::add(app, &operator, name, name, false, PASSWORD)
            .await
            .unwrap();
        account::find(app, &operator, name).await.unwrap()
    }

    /// Signs in by the form and follows nothing.
    pub async fn sign_in(&self, name: &str) -> Response {
        let fields = [("name", name), ("password", PASSWORD), ("to", "/")];
        self.post("/sign-in", "/do/account/sign-in", &fields).await
    }

    /// Another browser at the same server.
    #[expect(
        clippy::unused_self,
        reason = "reads as what it is: a browser at this server"
    )]
    pub fn browser(&self) -> Client {
        browser()
    }

    /// Asks the server to stop and waits until it has.
    pub async fn stop(self) -> std::io::Result<()> {
        self.stop.send(()).unwrap();
        self.server.await.unwrap()
    }
}

fn browser() -> Client {
    Client::builder()
        .redirect(Policy::none())
        .cookie_store(true)
        .build()
        .unwrap()
}

/// The value of a header, or nothing.
pub fn header<'a>(response: &'a Response, name: &str) -> &'a str {
    response
        .headers()
        .get(name)
        .map_or("", |value| value.to_str().unwrap())
}
