//! The HTTP server on the loopback interface: the page, its API and its sockets.

use std::io::{self, Read};
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use acmotion::dat::Assets;
use acmotion_sim::replay::ReplaySettings;
use axum::Router;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use axum::routing::get;
use thiserror::Error;
use tokio::net::TcpListener;
use tokio::sync::{Semaphore, watch};

use crate::api::{self, ApiError, MAX_UPLOAD_BYTES, MAX_UPLOADS};
use crate::guard::{self, Guard};
use crate::replay::{self, Interest, Recording, Sources};
use crate::shared::{MAX_SESSIONS, Shared};
use crate::{accept, page, socket};

/// How long open connections may take to end after Ctrl-C.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(2);

/// What the lab shows, and where it listens.
pub struct Options {
    /// Setups, motion tables and meshes.
    pub assets: Assets,
    /// The name of `assets` on the page.
    pub name: String,
    /// The land to walk on with its name on the page. The built-in town if `None`.
    pub cell: Option<(Assets, String)>,
    /// A recording that is open from the start.
    pub capture: Option<Capture>,
    /// The preferred port. If it is in use, a free one is chosen.
    pub port: u16,
}

/// A recording that is open from the start.
pub enum Capture {
    /// A file that was read.
    File {
        /// The name on the page.
        name: String,
        /// The content of the file.
        bytes: Vec<u8>,
    },
    /// A capture that is still being written.
    Stream {
        /// The name on the page.
        name: String,
        /// The source of the capture.
        input: Box<dyn Read + Send>,
    },
}

impl Options {
    /// The default port.
    pub const PORT: u16 = 4170;

    /// Creates options for these assets, with the built-in town, no recording and the default port.
    pub fn new(assets: Assets, name: impl Into<String>) -> Self {
        Self { assets, name: name.into(), cell: None, capture: None, port: Self::PORT }
    }
}

/// An error that prevents the lab from starting or running.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum LabError {
    /// No port is available.
    #[error("cannot listen on 127.0.0.1: {0}")]
    Listen(io::Error),
    /// The system provides no random numbers for the token.
    #[error("the system provides no random numbers: {0}")]
    Random(getrandom::Error),
    /// There is no land to walk on.
    #[error("{0}")]
    Land(String),
    /// The recording cannot be opened.
    #[error("{0}")]
    Capture(String),
    /// The system cannot start the server's threads.
    #[error(transparent)]
    Serve(io::Error),
}

/// What all requests and sessions share, with what protects the server.
pub(crate) struct ServerState {
    guard: Arc<Guard>,
    shared: Shared,
    sessions: Arc<Semaphore>,
    uploads: Arc<Semaphore>,
    closing: watch::Receiver<bool>,
}

impl ServerState {
    pub(crate) fn guard(&self) -> &Guard {
        &self.guard
    }

    pub(crate) fn shared(&self) -> &Shared {
        &self.shared
    }

    /// Returns the semaphore that limits the number of sessions.
    pub(crate) fn sessions(&self) -> &Arc<Semaphore> {
        &self.sessions
    }

    /// Returns the semaphore that limits the number of uploads.
    pub(crate) fn uploads(&self) -> &Arc<Semaphore> {
        &self.uploads
    }

    /// Returns a channel that becomes `true` when the lab is stopped.
    pub(crate) fn closing(&self) -> watch::Receiver<bool> {
        self.closing.clone()
    }
}

/// A lab that listens, but does not answer yet.
pub struct Lab {
    listener: TcpListener,
    state: Arc<ServerState>,
    close: watch::Sender<bool>,
}

impl Lab {
    /// Opens the recording and listens at the preferred port, or at a free one if that is in use.
    ///
    /// # Errors
    ///
    /// Returns an error if no port is available, there is no land to walk on, or the recording cannot be opened.
    pub async fn bind(options: Options) -> Result<Self, LabError> {
        let preferred = SocketAddr::from((Ipv4Addr::LOCALHOST, options.port));
        let listener = match TcpListener::bind(preferred).await {
            Ok(listener) => listener,
            Err(error) if options.port != 0 && is_taken(&error) => {
                TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.map_err(LabError::Listen)?
            }
            Err(error) => return Err(LabError::Listen(error)),
        };
        let port = listener.local_addr().map_err(LabError::Listen)?.port();
        let guard = Arc::new(Guard::new(port).map_err(LabError::Random)?);
        let shared = Shared::new((options.assets, options.name), options.cell, MAX_UPLOAD_BYTES)
            .map_err(LabError::Land)?;
        let files = shared.files();
        let cell = files.cell().map(Arc::as_ref);
        let sources = Sources::new(files, files.dat(), cell, ReplaySettings::default());
        if let Some(capture) = options.capture {
            shared.recordings().add(open(&sources, capture)?);
        }
        let (close, closing) = watch::channel(false);
        let state = ServerState {
            guard,
            shared,
            sessions: Arc::new(Semaphore::new(MAX_SESSIONS)),
            uploads: Arc::new(Semaphore::new(MAX_UPLOADS)),
            closing,
        };
        Ok(Self { listener, state: Arc::new(state), close })
    }

    /// Returns the address of the page, including the token.
    pub fn address(&self) -> String {
        format!("http://127.0.0.1:{}/?token={}", self.port(), self.token())
    }

    /// Returns the port that the lab listens at.
    pub fn port(&self) -> u16 {
        self.listener.local_addr().map_or(0, |address| address.port())
    }

    /// Returns the token that uploads and sessions need.
    pub fn token(&self) -> &str {
        self.state.guard.token()
    }

    /// Answers requests until `until` completes.
    pub async fn serve(self, until: impl Future<Output = ()> + Send + 'static) {
        let guard = Arc::clone(&self.state.guard);
        let headers = guard.headers();
        let router = Router::new()
            .route("/", get(async |headers: HeaderMap| page::file("", &headers)))
            .route("/{*path}", get(file))
            .route("/api/live", get(socket::live))
            .merge(api::router())
            .fallback(async || ApiError::new(StatusCode::NOT_FOUND, "there is nothing at this address"))
            .method_not_allowed_fallback(async || {
                ApiError::new(StatusCode::METHOD_NOT_ALLOWED, "this address does not support that method")
            })
            .layer(axum::middleware::from_fn_with_state(guard, guard::protect))
            .with_state(self.state);
        let close = self.close;
        let shutdown = async move {
            until.await;
            // An error means that no session is open.
            let _ = close.send(true);
        };
        accept::serve(self.listener, router, headers, shutdown).await;
    }
}

async fn file(
    State(_): State<Arc<ServerState>>,
    Path(path): Path<String>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    page::file(&path, &headers)
}

fn is_taken(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::AddrInUse | io::ErrorKind::PermissionDenied)
}

fn open(sources: &Sources, capture: Capture) -> Result<Arc<Recording>, LabError> {
    match capture {
        Capture::File { name, bytes } => {
            let interest = Interest::default();
            let recording = Recording::open(sources, &name, &bytes, &interest.watch());
            recording.map(Arc::new).map_err(|error| LabError::Capture(format!("{name}: {error}")))
        }
        Capture::Stream { name, input } => {
            replay::follow(sources.clone(), &name, input).map_err(LabError::Serve)
        }
    }
}

/// Runs the lab until Ctrl-C. `ready` is called with the address of the page once the lab listens.
///
/// # Errors
///
/// Returns the errors of [`Lab::bind`], and an error if the system cannot start threads.
pub fn run(options: Options, ready: impl FnOnce(&str)) -> Result<(), LabError> {
    let runtime =
        tokio::runtime::Builder::new_multi_thread().enable_all().build().map_err(LabError::Serve)?;
    let result = runtime.block_on(async {
        let lab = Lab::bind(options).await?;
        ready(&lab.address());
        let (stop, mut stopping) = watch::channel(false);
        let serving = lab.serve(async move {
            // If Ctrl-C cannot be handled, only the end of the process stops the lab.
            if tokio::signal::ctrl_c().await.is_err() {
                std::future::pending::<()>().await;
            }
            let _ = stop.send(true);
        });
        tokio::select! {
            () = serving => {}
            () = async {
                let _ = stopping.wait_for(|stopped| *stopped).await;
                tokio::time::sleep(SHUTDOWN_TIMEOUT).await;
            } => {}
        }
        Ok(())
    });
    runtime.shutdown_timeout(SHUTDOWN_TIMEOUT);
    result
}
