//! A server of its own for each test.

use reqwest::{Client, Response, redirect::Policy};
use server::{serve::Server, state::AppState};
use service::testing::{TestServices, services};
use tokio::{sync::oneshot, task::JoinHandle};

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
        let services = services().await;
        let listen = ([127, 0, 0, 1], 0).into();
        let state = AppState::new(services.app.clone(), listen);
        let server = Server::bind(listen, state).await.unwrap();
        let base = format!("http://{}", server.address().unwrap());
        let (stop, stopped) = oneshot::channel();
        let server = tokio::spawn(server.run(async {
            let _ = stopped.await;
        }));
        let client = Client::builder()
            .redirect(Policy::none())
            .cookie_store(true)
            .build()
            .unwrap();
        Self {
            base,
            client,
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

    /// Asks the server to stop and waits until it has.
    pub async fn stop(self) -> std::io::Result<()> {
        self.stop.send(()).unwrap();
        self.server.await.unwrap()
    }
}

/// The value of a header, or nothing.
pub fn header<'a>(response: &'a Response, name: &str) -> &'a str {
    response
        .headers()
        .get(name)
        .map_or("", |value| value.to_str().unwrap())
}
