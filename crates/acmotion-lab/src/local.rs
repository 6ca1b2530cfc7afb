//! The lab without a server: a page calls it directly, as WebAssembly in a browser. It takes the same requests and commands
//! as the server, and answers with the same bytes.

use std::collections::HashMap;

use acmotion::dat::{Assets, DatSource};

use crate::api::{self, Answer, ApiError, ApiResult, Parameters, json};
use crate::files::MANNEQUIN;
use crate::protocol::TickEncoder;
use crate::replay::Interest;
use crate::session::{Outgoing, SendQueue, Session};
use crate::shared::Shared;

/// The maximum size of a recording that a page without a server opens, in bytes.
const MAX_LOCAL_BYTES: usize = 200 << 20;

/// A lab that only one page uses, with the built-in mannequin in its town. It reads no clock, and does no more than it is
/// asked for.
pub struct LocalLab {
    shared: Shared,
}

/// An answer to a request, as HTTP has it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reply {
    /// The status: 200 if the request succeeded.
    pub status: u16,
    /// What kind of data the body is.
    pub content_type: &'static str,
    /// The body. That of a failed request is JSON with the reason as `error`.
    pub body: Vec<u8>,
}

/// What a session sends to its page.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Frame {
    /// A message: JSON.
    Text(String),
    /// A tick, as the server sends it.
    Binary(Vec<u8>),
}

/// A session of a page. Whenever [`Self::next_advance`] is due, [`Self::advance`] is to be called; after that and after each
/// command, [`Self::take`] has what is new for the page.
pub struct LocalSession {
    session: Session,
    queue: SendQueue,
    encoder: TickEncoder,
}

impl LocalLab {
    /// Opens the lab.
    ///
    /// # Errors
    ///
    /// Returns the reason if the built-in town cannot be loaded.
    pub fn new() -> Result<Self, String> {
        let shared = Shared::new((Assets::mannequin(), MANNEQUIN.into()), None, MAX_LOCAL_BYTES)?;
        Ok(Self { shared })
    }

    /// Answers a request for data: `/api/NAME` with a query string.
    pub fn get(&self, address: &str) -> Reply {
        let (path, query) = address.split_once('?').unwrap_or((address, ""));
        api::answer(&self.shared, path, &parameters(query)).into()
    }

    /// Opens a recording. The query string is that of `POST /api/capture`, the answer a summary of the recording.
    pub fn open_capture(&self, query: &str, bytes: &[u8]) -> Reply {
        if bytes.len() > MAX_LOCAL_BYTES {
            return Err(api::too_large(MAX_LOCAL_BYTES as u64)).into();
        }
        // Nothing else can happen while the file is read, so that it is always awaited.
        let interest = Interest::default();
        let opened = api::open_capture(&self.shared, &parameters(query), bytes, &interest.watch());
        opened.and_then(|summary| json(&summary)).into()
    }

    /// Opens a dat or cell file. The query string is that of `POST /api/dat`, the answer a summary of the file.
    pub fn open_dat(&self, query: &str, source: impl DatSource + 'static) -> Reply {
        if source.length() > api::MAX_DAT_BYTES {
            return Err(api::too_large(api::MAX_DAT_BYTES)).into();
        }
        api::open_dat(&self.shared, &parameters(query), source).and_then(|summary| json(&summary)).into()
    }

    /// Opens a session and starts it at the real time `now`, in seconds since any fixed moment. The query string is that of
    /// `/api/live`.
    ///
    /// # Errors
    ///
    /// Returns the answer of the server if the query string asks for something that is not there.
    pub fn open_session(&self, query: &str, now: f64) -> Result<LocalSession, Reply> {
        let queue = SendQueue::new(|| ());
        let mut session =
            Session::open(&self.shared, &parameters(query), queue.clone()).map_err(|error| reply(&error))?;
        session.start(now);
        Ok(LocalSession { session, queue, encoder: TickEncoder::default() })
    }
}

impl LocalSession {
    /// Carries out a command at the real time `now`, in seconds.
    pub fn command(&mut self, text: &str, now: f64) {
        self.session.handle_command(text, now);
    }

    /// Returns the real time at which [`Self::advance`] is due, or `None` if nothing happens without a command.
    pub fn next_advance(&self) -> Option<f64> {
        self.session.next_advance()
    }

    /// Shows what is due at the real time `now`, in seconds.
    pub fn advance(&mut self, now: f64) {
        self.session.advance(now);
    }

    /// Takes what is to be sent to the page. A page that asks rarely gets the newest tick only, and loses no answer.
    pub fn take(&mut self) -> Vec<Frame> {
        let (outgoing, _) = self.queue.take();
        let frame = |outgoing| match outgoing {
            Outgoing::Text(text) => Frame::Text(text),
            Outgoing::Tick(frame) => Frame::Binary(self.encoder.encode(frame)),
        };
        outgoing.into_iter().map(frame).collect()
    }
}

/// Parses a query string. Of a parameter that is there more than once, the last counts.
fn parameters(query: &str) -> Parameters {
    form_urlencoded::parse(query.as_bytes()).into_owned().collect::<HashMap<String, String>>()
}

fn reply(error: &ApiError) -> Reply {
    let body = serde_json::to_vec(&error.body()).unwrap_or_default();
    Reply { status: error.status.as_u16(), content_type: api::JSON, body }
}

impl From<ApiResult<Answer>> for Reply {
    fn from(result: ApiResult<Answer>) -> Self {
        match result {
            Ok(Answer { content_type, bytes }) => Self { status: 200, content_type, body: bytes },
            Err(error) => reply(&error),
        }
    }
}
