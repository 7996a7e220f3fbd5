//! The studio: a local web page where people edit motions by hand, and the server behind it.
//!
//! The server holds one project ([`aplomb_project::Session`]) and replays it with the same engine as the command. It
//! listens on the loopback interface only and answers requests with its token (`guard`); poses go to the page as binary
//! arrays (`packet`). Nothing is computed here: `docs/studio.md` says what the page shows and how it was measured.

mod api;
mod assets;
mod engine;
mod error;
mod guard;
mod motion;
mod packet;
mod path_drag;
mod places;
mod poses;
mod scene;

pub use error::StudioError;

use api::Shared;
use engine::Engine;
use guard::Guard;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::sync::{Arc, mpsc};
use std::time::Duration;

/// What to open, and where to listen.
#[derive(Clone, Debug, Default)]
pub struct StudioOptions {
    /// A clip, a project, a folder, `builtin:NAME` or `sample:NAME`; the built-in walk without it.
    pub what: Option<PathBuf>,
    /// 0 is any port that is free.
    pub port: u16,
    /// Where recovery files and the secret of the cookie go, instead of the user's cache folder.
    pub cache: Option<PathBuf>,
}

/// A server that listens, and does not serve yet.
pub struct Studio {
    listener: std::net::TcpListener,
    engine: Arc<Engine>,
    guard: Arc<Guard>,
    address: String,
}

/// Pages that still talk when the server ends get this long.
const FAREWELL: Duration = Duration::from_secs(2);

/// Moves that may wait for the hand's thread; older ones are dropped.
const WAITING_MOVES: usize = 64;

impl Studio {
    /// Opens the project and the port.
    pub fn open(options: &StudioOptions) -> Result<Self, StudioError> {
        if let Some(problem) = assets::problem() {
            return Err(StudioError::NoPage(problem));
        }
        let cache = options.cache.clone().or_else(engine::usual_cache);
        let engine = Engine::start(options.what.as_deref(), cache.clone())?;
        let port = options.port;
        let failed = |source| StudioError::Listen { port, source };
        let listener = std::net::TcpListener::bind(SocketAddr::from((Ipv4Addr::LOCALHOST, port))).map_err(failed)?;
        listener.set_nonblocking(true).map_err(failed)?;
        let port = listener.local_addr().map_err(failed)?.port();
        let guard = Arc::new(Guard::new(port, cache.as_deref()).map_err(StudioError::Start)?);
        let address = guard.address();
        Ok(Self { listener, engine, guard, address })
    }

    /// The address to open in a browser, with its token.
    pub fn address(&self) -> &str {
        &self.address
    }

    /// Serves until the user ends the program, or `until` does.
    pub fn serve(self, until: impl Future<Output = ()> + Send + 'static) -> Result<(), StudioError> {
        let failed = |error: std::io::Error| StudioError::Start(error.to_string());
        let Self { listener, engine, guard, .. } = self;
        let (moves, asked) = mpsc::sync_channel(WAITING_MOVES);
        let hand = engine.clone();
        std::thread::Builder::new()
            .name("hand".to_owned())
            .spawn(move || path_drag::serve(hand, asked))
            .map_err(failed)?;
        let runtime =
            tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().map_err(failed)?;
        let served = runtime.block_on(async {
            let listener = tokio::net::TcpListener::from_std(listener)?;
            let (ended, mut end) = tokio::sync::watch::channel(false);
            let closing = engine.clone();
            let graceful = async move {
                tokio::select! {
                    () = until => {}
                    _ = tokio::signal::ctrl_c() => {}
                }
                closing.close();
                let _ = ended.send(true);
            };
            let router = api::router(Shared { engine: engine.clone(), moves }, guard);
            let serve = axum::serve(listener, router).with_graceful_shutdown(graceful);
            tokio::select! {
                served = async { serve.await } => served,
                () = async {
                    let _ = end.wait_for(|ended| *ended).await;
                    tokio::time::sleep(FAREWELL).await;
                } => Ok(()),
            }
        });
        engine.close();
        runtime.shutdown_timeout(FAREWELL);
        served.map_err(failed)
    }
}
