//! Listening and answering.

use std::{future::Future, io, net::SocketAddr, time::Duration};

use axum::serve::ListenerExt;
use tokio::{net::TcpListener, sync::watch, time::sleep};
use tracing::{info, warn};

use crate::{router::router, state::AppState};

/// How long requests under way may take to finish once the server was asked to stop.
const GRACE: Duration = Duration::from_secs(20);

/// A bound server that does not answer yet; its address is known.
pub struct Server {
    listener: TcpListener,
    state: AppState,
}

impl Server {
    /// Takes the address.
    ///
    /// # Errors
    /// When the address is taken or not ours.
    pub async fn bind(listen: SocketAddr, state: AppState) -> io::Result<Self> {
        Ok(Self {
            listener: TcpListener::bind(listen).await?,
            state,
        })
    }

    /// The address in use, with the port that was given for port 0.
    ///
    /// # Errors
    /// When the system does not tell.
    pub fn address(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    /// Answers until `stop` completes, then lets requests under way finish.
    ///
    /// # Errors
    /// When accepting connections fails for good.
    pub async fn run(self, stop: impl Future<Output = ()> + Send + 'static) -> io::Result<()> {
        // Without this a small reply can wait 40 ms for an acknowledgement.
        let listener = self.listener.tap_io(|stream| {
            if let Err(error) = stream.set_nodelay(true) {
                warn!(%error, "TCP_NODELAY refused");
            }
        });
        let (stopping, mut stopped) = watch::channel(false);
        let graceful = async move {
            stop.await;
            info!("stopping");
            let _ = stopping.send(true);
        };
        let app = router(self.state).into_make_service_with_connect_info::<SocketAddr>();
        let serving = axum::serve(listener, app).with_graceful_shutdown(graceful);
        let overdue = async {
            // An error means that serving ended first, and then nobody waits here.
            let _ = stopped.wait_for(|stopping| *stopping).await;
            sleep(GRACE).await;
        };
        tokio::select! {
            result = serving.into_future() => result,
            () = overdue => {
                warn!("some requests did not finish in time");
                Ok(())
            }
        }
    }
}
