//! The server: a loopback socket, the page, its questions, its live sockets.

use std::io::{self, Read};
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use acmotion::dat::Assets;
use axum::Router;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use axum::routing::get;
use thiserror::Error;
use tokio::net::TcpListener;
use tokio::sync::{Semaphore, watch};

use crate::api::{self, ApiError, Shelf};
use crate::guard::{self, Guard};
use crate::replay::{self, Recording, Recordings, Sources};
use crate::walk::Town;
use crate::{live, page};

/// How many pages can be at work at a time.
pub(crate) const MOST_SESSIONS: usize = 8;
/// How long what is under way may take to end.
const GOODBYE: Duration = Duration::from_secs(2);

/// What the lab shows.
pub struct Options {
    /// Setups, motion tables, meshes.
    pub assets: Assets,
    /// What to call them.
    pub name: String,
    /// The land, if there is a file of it, and what to call it.
    pub cell: Option<(Assets, String)>,
    /// A recording that is there from the beginning.
    pub capture: Option<Capture>,
    /// The port that is wanted; another is taken if somebody has it.
    pub port: u16,
}

/// A recording to begin with.
pub enum Capture {
    /// A file, read.
    File {
        /// What to call it.
        name: String,
        /// What is in it.
        bytes: Vec<u8>,
    },
    /// A capture that is still coming.
    Stream {
        /// What to call it.
        name: String,
        /// Where it comes from.
        input: Box<dyn Read + Send>,
    },
}

impl Options {
    /// The port that is tried first.
    pub const PORT: u16 = 4170;

    /// The lab with these assets, and nothing else.
    pub fn new(assets: Assets, name: impl Into<String>) -> Self {
        Self { assets, name: name.into(), cell: None, capture: None, port: Self::PORT }
    }
}

/// Why there is no lab.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum LabError {
    /// There is no port to listen at.
    #[error("127.0.0.1: {0}")]
    Listen(io::Error),
    /// The system gives no chance for a token.
    #[error("the system gives no random numbers: {0}")]
    Chance(getrandom::Error),
    /// There is no land to walk on.
    #[error("{0}")]
    Land(String),
    /// The recording cannot be shown.
    #[error("{0}")]
    Capture(String),
    /// The server broke down.
    #[error(transparent)]
    Serve(io::Error),
}

/// What everybody who answers shares.
pub(crate) struct Shared {
    guard: Arc<Guard>,
    source: Named,
    sources: Sources,
    shelf: Shelf,
    town: Arc<Town>,
    recordings: Recordings,
    sessions: Arc<Semaphore>,
    closing: watch::Receiver<bool>,
    objects: OnceLock<usize>,
}

/// The assets and what they are called.
pub(crate) struct Named {
    assets: Assets,
    pub(crate) name: String,
    pub(crate) built_in: bool,
    pub(crate) cell_name: Option<String>,
}

impl Shared {
    pub(crate) fn guard(&self) -> &Guard {
        &self.guard
    }

    pub(crate) fn assets(&self) -> &Assets {
        &self.source.assets
    }

    /// What recordings are run with.
    pub(crate) fn sources(&self) -> &Sources {
        &self.sources
    }

    pub(crate) fn source(&self) -> &Named {
        &self.source
    }

    pub(crate) fn shelf(&self) -> &Shelf {
        &self.shelf
    }

    pub(crate) fn town(&self) -> &Arc<Town> {
        &self.town
    }

    pub(crate) fn recordings(&self) -> &Recordings {
        &self.recordings
    }

    pub(crate) fn sessions(&self) -> &Arc<Semaphore> {
        &self.sessions
    }

    pub(crate) fn closing(&self) -> watch::Receiver<bool> {
        self.closing.clone()
    }

    /// How many objects the dat file has.
    pub(crate) fn objects(&self) -> usize {
        *self.objects.get_or_init(|| self.assets().dat().entries().count())
    }
}

/// A lab that listens.
pub struct Lab {
    listener: TcpListener,
    shared: Arc<Shared>,
    close: watch::Sender<bool>,
}

impl Lab {
    /// Listens at the port that is wanted, or at a free one.
    ///
    /// # Errors
    /// When there is none, or the recording cannot be shown.
    pub async fn bind(options: Options) -> Result<Self, LabError> {
        let wanted = SocketAddr::from((Ipv4Addr::LOCALHOST, options.port));
        let listener = match TcpListener::bind(wanted).await {
            Ok(listener) => listener,
            Err(error) if options.port != 0 && is_taken(&error) => {
                TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.map_err(LabError::Listen)?
            }
            Err(error) => return Err(LabError::Listen(error)),
        };
        let port = listener.local_addr().map_err(LabError::Listen)?.port();
        let guard = Arc::new(Guard::new(port).map_err(LabError::Chance)?);
        let recordings = Recordings::default();
        let cells = options.cell.as_ref().map(|(cells, _)| cells.clone());
        let sources = Sources { assets: options.assets.clone(), cells };
        if let Some(capture) = options.capture {
            recordings.add(open(&sources, capture)?);
        }
        let town = match &options.cell {
            Some((cells, name)) => {
                Town::of_cells(&options.assets, cells).map_err(|words| format!("{name}: {words}"))
            }
            None => Town::built_in(&options.assets),
        };
        let (close, closing) = watch::channel(false);
        let shared = Shared {
            guard,
            shelf: Shelf::new(options.assets.clone()),
            sources,
            source: Named {
                built_in: options.name == "mannequin",
                assets: options.assets,
                name: options.name,
                cell_name: options.cell.map(|(_, name)| name),
            },
            town: Arc::new(town.map_err(LabError::Land)?),
            recordings,
            sessions: Arc::new(Semaphore::new(MOST_SESSIONS)),
            closing,
            objects: OnceLock::new(),
        };
        Ok(Self { listener, shared: Arc::new(shared), close })
    }

    /// The address with its token, for the browser.
    pub fn address(&self) -> String {
        format!("http://127.0.0.1:{}/?token={}", self.port(), self.token())
    }

    /// The port it listens at.
    pub fn port(&self) -> u16 {
        self.listener.local_addr().map_or(0, |address| address.port())
    }

    /// What changes state needs this.
    pub fn token(&self) -> &str {
        self.shared.guard.token()
    }

    /// Answers until somebody says that it is enough.
    ///
    /// # Errors
    /// When the socket breaks down.
    pub async fn serve(self, until: impl Future<Output = ()> + Send + 'static) -> Result<(), LabError> {
        let guard = Arc::clone(&self.shared.guard);
        let router = Router::new()
            .route("/", get(async |headers: HeaderMap| page::file("", &headers)))
            .route("/{*path}", get(file))
            .route("/api/live", get(live::live))
            .merge(api::router())
            .fallback(async || ApiError::new(StatusCode::NOT_FOUND, "there is nothing here"))
            .method_not_allowed_fallback(async || {
                ApiError::new(StatusCode::METHOD_NOT_ALLOWED, "that cannot be done with this")
            })
            .layer(axum::middleware::from_fn_with_state(guard, guard::watch))
            .with_state(self.shared);
        let close = self.close;
        let ending = async move {
            until.await;
            // Whoever listens goes; that nobody does is fine.
            let _ = close.send(true);
        };
        axum::serve(self.listener, router).with_graceful_shutdown(ending).await.map_err(LabError::Serve)
    }
}

async fn file(
    State(_): State<Arc<Shared>>,
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
            let recording = Recording::open(sources, &name, &bytes);
            recording.map(Arc::new).map_err(|words| LabError::Capture(format!("{name}: {words}")))
        }
        Capture::Stream { name, input } => {
            replay::follow(sources.clone(), &name, input).map_err(LabError::Serve)
        }
    }
}

/// Runs the lab until Ctrl-C; `ready` is told the address.
///
/// # Errors
/// As [`Lab::bind`] and [`Lab::serve`].
pub fn run(options: Options, ready: impl FnOnce(&str)) -> Result<(), LabError> {
    let runtime =
        tokio::runtime::Builder::new_multi_thread().enable_all().build().map_err(LabError::Serve)?;
    let result = runtime.block_on(async {
        let lab = Lab::bind(options).await?;
        ready(&lab.address());
        let (gone, mut leaving) = watch::channel(false);
        let serving = lab.serve(async move {
            // Without Ctrl-C there is only the end of the process.
            if tokio::signal::ctrl_c().await.is_err() {
                std::future::pending::<()>().await;
            }
            let _ = gone.send(true);
        });
        tokio::select! {
            served = serving => served,
            () = async {
                let _ = leaving.wait_for(|gone| *gone).await;
                tokio::time::sleep(GOODBYE).await;
            } => Ok(()),
        }
    });
    runtime.shutdown_timeout(GOODBYE);
    result
}
