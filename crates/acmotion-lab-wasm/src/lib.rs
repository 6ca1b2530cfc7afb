#![doc = include_str!("../README.md")]
#![cfg(target_family = "wasm")]
#![forbid(unsafe_code)]
#![warn(clippy::unwrap_used, clippy::expect_used)]

mod file;
pub mod panics;

use acmotion_lab::{Frame, LocalLab, LocalSession};
use js_sys::{Array, Function, Uint8Array};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use file::PageFile;

/// The lab of one page.
#[wasm_bindgen]
pub struct Lab(LocalLab);

/// An answer to a request, as HTTP has it.
#[wasm_bindgen]
pub struct Reply(acmotion_lab::Reply);

/// A session of the page.
#[wasm_bindgen]
pub struct Session(LocalSession);

#[wasm_bindgen]
impl Lab {
    /// Opens the lab. Throws a text if the built-in town cannot be loaded.
    #[wasm_bindgen(constructor)]
    pub fn new() -> Result<Self, JsValue> {
        LocalLab::new().map(Self).map_err(JsValue::from)
    }

    /// Answers a request for data: `/api/NAME` with a query string.
    pub fn get(&self, address: &str) -> Reply {
        Reply(self.0.get(address))
    }

    /// Opens a recording, given the query string of `POST /api/capture`.
    #[wasm_bindgen(js_name = openCapture)]
    pub fn open_capture(&self, query: &str, bytes: &[u8]) -> Reply {
        Reply(self.0.open_capture(query, bytes))
    }

    /// Opens a dat or cell file of some bytes, given the query string of `POST /api/dat`. `read` is called with an offset and
    /// a length, and returns these bytes.
    #[wasm_bindgen(js_name = openDat)]
    pub fn open_dat(&self, query: &str, length: f64, read: Function) -> Reply {
        Reply(self.0.open_dat(query, PageFile::new(length as u64, read)))
    }

    /// Opens a session at the real time `now`, in seconds, given the query string of `/api/live`. Throws the answer of the
    /// server as a text if it asks for something that is not there.
    #[wasm_bindgen(js_name = openSession)]
    pub fn open_session(&self, query: &str, now: f64) -> Result<Session, JsValue> {
        let error = |reply: acmotion_lab::Reply| JsValue::from(String::from_utf8_lossy(&reply.body).as_ref());
        self.0.open_session(query, now).map(Session).map_err(error)
    }
}

#[wasm_bindgen]
impl Reply {
    /// The status: 200 if the request succeeded.
    #[wasm_bindgen(getter)]
    pub fn status(&self) -> u16 {
        self.0.status
    }

    /// What kind of data the body is.
    #[wasm_bindgen(getter, js_name = contentType)]
    pub fn content_type(&self) -> String {
        self.0.content_type.into()
    }

    /// A copy of the body.
    #[wasm_bindgen(getter)]
    pub fn body(&self) -> Uint8Array {
        Uint8Array::from(self.0.body.as_slice())
    }
}

#[wasm_bindgen]
impl Session {
    /// Carries out a command at the real time `now`, in seconds.
    pub fn command(&mut self, text: &str, now: f64) {
        self.0.command(text, now);
    }

    /// Returns the real time at which `advance` is due, in seconds; `undefined` if nothing happens without a command.
    #[wasm_bindgen(js_name = nextAdvance)]
    pub fn next_advance(&self) -> Option<f64> {
        self.0.next_advance()
    }

    /// Shows what is due at the real time `now`, in seconds.
    pub fn advance(&mut self, now: f64) {
        self.0.advance(now);
    }

    /// Takes what is to be sent to the page: strings, and a `Uint8Array` for a tick.
    pub fn take(&mut self) -> Array {
        let value = |frame| match frame {
            Frame::Text(text) => JsValue::from(text),
            Frame::Binary(bytes) => Uint8Array::from(bytes.as_slice()).into(),
        };
        self.0.take().into_iter().map(value).collect()
    }
}
