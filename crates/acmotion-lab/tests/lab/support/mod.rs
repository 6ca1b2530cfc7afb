//! A lab for a test, and a client that talks to it.

#![allow(dead_code, unreachable_pub, reason = "each test file uses its part")]

pub(crate) mod captures;
pub mod stepping;

use std::time::Duration;

use acmotion::dat::Assets;
use acmotion_lab::{Capture, Lab, Options};
use futures_util::{SinkExt as _, StreamExt as _};
use serde_json::Value;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream};

/// A lab that runs until the test ends.
pub struct Running {
    pub port: u16,
    pub token: String,
}

/// The answer to an HTTP request.
pub struct Answer {
    pub status: u16,
    pub head: String,
    pub body: Vec<u8>,
}

impl Answer {
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|error| {
            panic!("{error}: {}", String::from_utf8_lossy(&self.body).chars().take(300).collect::<String>())
        })
    }

    pub fn error(&self) -> String {
        self.json()["error"].as_str().expect("an error").into()
    }
}

pub async fn start() -> Running {
    start_with(None).await
}

pub async fn start_with(capture: Option<Capture>) -> Running {
    start_at(Options { capture, ..Options::new(Assets::mannequin(), "mannequin") }).await
}

/// Starts a lab at a free port.
pub async fn start_at(options: Options) -> Running {
    let lab = Lab::bind(Options { port: 0, ..options }).await.expect("a free port");
    let running = Running { port: lab.port(), token: lab.token().into() };
    tokio::spawn(lab.serve(std::future::pending()));
    running
}

impl Running {
    pub async fn request(&self, method: &str, target: &str, headers: &[(&str, &str)], body: &[u8]) -> Answer {
        let host = format!("127.0.0.1:{}", self.port);
        let mut text = format!("{method} {target} HTTP/1.1\r\nConnection: close\r\n");
        for (name, value) in [("Host", host), ("Content-Length", body.len().to_string())] {
            if !headers.iter().any(|(given, _)| given.eq_ignore_ascii_case(name)) {
                text += &format!("{name}: {value}\r\n");
            }
        }
        headers.iter().for_each(|(name, value)| text += &format!("{name}: {value}\r\n"));
        text += "\r\n";
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).await.expect("the lab listens");
        stream.write_all(text.as_bytes()).await.expect("the lab reads the head");
        // A server that refuses the body may close the connection before all of it is sent.
        let _ = stream.write_all(body).await;
        let mut bytes = Vec::new();
        let _ = stream.read_to_end(&mut bytes).await;
        let split = bytes.windows(4).position(|four| four == b"\r\n\r\n").expect("a head");
        let head = String::from_utf8_lossy(&bytes[..split]).into_owned();
        let status = head.split(' ').nth(1).and_then(|code| code.parse().ok()).expect("a status");
        let body = bytes[split + 4..].to_vec();
        let is_chunked = head.to_ascii_lowercase().contains("transfer-encoding: chunked");
        Answer { status, head, body: if is_chunked { join_chunks(&body) } else { body } }
    }

    pub async fn get(&self, target: &str) -> Answer {
        self.request("GET", target, &[], &[]).await
    }

    pub async fn upload(&self, name: &str, bytes: &[u8]) -> Answer {
        let target = format!("/api/capture?token={}&name={name}", self.token);
        self.request("POST", &target, &[], bytes).await
    }

    /// Opens a session. `parameters` are appended to the address.
    pub async fn live(&self, parameters: &str) -> Live {
        let address = format!("ws://127.0.0.1:{}/api/live?token={}{parameters}", self.port, self.token);
        let (socket, _) = tokio_tungstenite::connect_async(address).await.expect("an open socket");
        Live { socket, states: Vec::new(), last_request: FIRST_REQUEST, records: Vec::new(), received: 0 }
    }
}

/// Checks the headers that every answer has.
pub fn assert_security_headers(head: &str) {
    let head = head.to_ascii_lowercase();
    for line in [
        "x-content-type-options: nosniff",
        "referrer-policy: no-referrer",
        "content-security-policy: default-src 'self'",
        "cross-origin-opener-policy: same-origin",
        "cross-origin-resource-policy: same-origin",
        "x-frame-options: deny",
    ] {
        assert_eq!(head.matches(line).count(), 1, "{line}:\n{head}");
    }
    assert!(!head.contains("access-control-allow"), "{head}");
}

fn join_chunks(mut body: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    while let Some(end) = body.windows(2).position(|two| two == b"\r\n") {
        let length = usize::from_str_radix(str::from_utf8(&body[..end]).unwrap(), 16).unwrap();
        out.extend(&body[end + 2..end + 2 + length]);
        body = &body[end + 4 + length..];
    }
    out
}

/// A session.
pub struct Live {
    pub socket: WebSocketStream<MaybeTlsStream<TcpStream>>,
    /// Every state received.
    pub states: Vec<Value>,
    last_request: u32,
    /// The records of the last tick.
    records: Vec<u8>,
    /// The number of bytes received, apart from states.
    pub received: usize,
}

/// The first id that [`Live::execute`] uses; tests may use lower ones.
const FIRST_REQUEST: u32 = 1_000_000;

/// A frame received from the server.
#[derive(Debug)]
pub enum Received {
    Text(Value),
    Tick(Tick),
    Closed,
}

/// A tick as the page reads it.
#[derive(Clone, Debug)]
pub struct Tick {
    pub flags: u8,
    pub number: u32,
    pub t: f64,
    pub charge: f32,
    pub bodies: Vec<Body>,
}

#[derive(Clone, Copy, Debug)]
pub struct Body {
    pub guid: u32,
    pub setup: u32,
    pub view: u8,
    pub flags: u8,
    pub position: [f32; 3],
    pub speed: f32,
    pub error: f32,
    pub pose: u32,
    pub pose_frame: u16,
}

/// Applies the changes of a tick to the records of the one before.
fn apply_changes(bytes: &[u8], records: &mut Vec<u8>) {
    let count = usize::from(u16::from_le_bytes([bytes[2], bytes[3]]));
    records.resize(80 * count, 0);
    let mut rest = &bytes[24..];
    for record in records.chunks_exact_mut(80) {
        let (mask, words) = rest.split_at(4);
        let mask = u32::from_le_bytes(mask.try_into().unwrap());
        rest = words;
        for (_, word) in record.chunks_exact_mut(4).enumerate().filter(|(index, _)| mask >> index & 1 == 1) {
            let (changed, words) = rest.split_at(4);
            word.copy_from_slice(changed);
            rest = words;
        }
    }
    assert!(rest.is_empty(), "every byte is a header, a mask or a word");
}

impl Tick {
    /// Reads a whole frame.
    fn read(bytes: &[u8]) -> Self {
        let u32_at = |offset: usize| u32::from_le_bytes(bytes[offset..offset + 4].try_into().unwrap());
        let f32_at = |offset: usize| f32::from_bits(u32_at(offset));
        assert_eq!(bytes[0], 1, "a tick");
        let count = usize::from(u16::from_le_bytes([bytes[2], bytes[3]]));
        assert_eq!(bytes.len(), 24 + 80 * count);
        let body = |start: usize| Body {
            guid: u32_at(start),
            setup: u32_at(start + 4),
            view: bytes[start + 8],
            flags: bytes[start + 9],
            position: [12, 16, 20].map(|field| f32_at(start + field)),
            speed: f32_at(start + 44),
            error: f32_at(start + 48),
            pose: u32_at(start + 56),
            pose_frame: u16::from_le_bytes([bytes[start + 60], bytes[start + 61]]),
        };
        Self {
            flags: bytes[1],
            number: u32_at(4),
            t: f64::from_le_bytes(bytes[8..16].try_into().unwrap()),
            charge: f32_at(20),
            bodies: (0..count).map(|index| body(24 + 80 * index)).collect(),
        }
    }

    pub fn body(&self, guid: u32, view: u8) -> Option<Body> {
        self.bodies.iter().find(|body| body.guid == guid && body.view == view).copied()
    }
}

/// Longer than anything here takes, even on a busy machine.
const TIMEOUT: Duration = Duration::from_secs(60);

impl Live {
    pub async fn send(&mut self, command: Value) {
        self.socket.send(Message::Text(command.to_string().into())).await.expect("an open socket");
    }

    /// Sends a command and waits for the state that follows it.
    pub async fn execute(&mut self, mut command: Value) -> Value {
        self.last_request += 1;
        let id = self.last_request;
        command["request_id"] = id.into();
        self.send(command).await;
        self.state(|state| state["request_id"] == id).await
    }

    pub async fn next(&mut self) -> Received {
        loop {
            let received = tokio::time::timeout(TIMEOUT, self.socket.next()).await.expect("a frame in time");
            match received {
                Some(Ok(Message::Text(text))) => {
                    let value: Value = serde_json::from_str(&text).expect("JSON");
                    if value["type"] == "state" {
                        self.states.push(value.clone());
                    } else {
                        self.received += text.len();
                    }
                    return Received::Text(value);
                }
                Some(Ok(Message::Binary(bytes))) => {
                    self.received += bytes.len();
                    apply_changes(&bytes, &mut self.records);
                    return Received::Tick(Tick::read(&[&bytes[..24], &self.records].concat()));
                }
                Some(Ok(Message::Close(_)) | Err(_)) | None => return Received::Closed,
                Some(Ok(_)) => {}
            }
        }
    }

    /// Waits for a message of a type that matches.
    pub async fn message(&mut self, kind: &str, matches: impl Fn(&Value) -> bool) -> Value {
        loop {
            match self.next().await {
                Received::Text(value) if value["type"] == kind && matches(&value) => return value,
                Received::Closed => panic!("closed while waiting for {kind}"),
                _ => {}
            }
        }
    }

    /// Sends a command and waits for the message of a type that answers it.
    pub async fn ask(&mut self, kind: &str, mut command: Value) -> Value {
        self.last_request += 1;
        let id = self.last_request;
        command["request_id"] = id.into();
        self.send(command).await;
        self.message(kind, |message| message["request_id"] == id).await
    }

    /// Waits for a tick that matches.
    pub async fn tick(&mut self, matches: impl Fn(&Tick) -> bool) -> Tick {
        loop {
            match self.next().await {
                Received::Tick(tick) if matches(&tick) => return tick,
                Received::Closed => panic!("closed while waiting for a tick"),
                _ => {}
            }
        }
    }

    /// Returns the last state if it matches, else waits for one that does.
    pub async fn state(&mut self, matches: impl Fn(&Value) -> bool) -> Value {
        loop {
            match self.states.last() {
                Some(state) if matches(state) => return state.clone(),
                _ => {
                    let received = self.next().await;
                    assert!(!matches!(received, Received::Closed), "closed while waiting for a state");
                }
            }
        }
    }
}
