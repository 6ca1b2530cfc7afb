//! `/api/live`: the WebSocket of a session. Commands go in; ticks and messages go out as fast as the page reads.

use std::sync::Arc;
use std::time::Duration;

use axum::body::Bytes;
use axum::extract::ws::rejection::WebSocketUpgradeRejection;
use axum::extract::ws::{CloseFrame, Message, Utf8Bytes, WebSocket, WebSocketUpgrade, close_code};
use axum::extract::{Query, State};
use axum::response::Response;
use tokio::sync::{Notify, OwnedSemaphorePermit, mpsc, oneshot, watch};
use tokio::time::Instant;

use crate::api::{ApiError, Parameters, blocking};
use crate::protocol::{ServerMessage, SessionEnd, TickEncoder};
use crate::server::ServerState;
use crate::session::{Outgoing, SendQueue, Session};
use crate::shared::MAX_SESSIONS;

/// The maximum length of a command, in bytes. Longer commands close the socket.
const MAX_COMMAND_BYTES: usize = 16 << 10;
/// The maximum number of commands that wait for a session. The socket is not read while there are so many.
const MAX_WAITING_COMMANDS: usize = 64;
/// How long a page may take to read a message. A page that does not read is dropped, because what it has not been sent
/// takes memory.
const SEND_TIMEOUT: Duration = Duration::from_secs(10);
/// How often a page is pinged, which browsers answer by themselves.
const PING_INTERVAL: Duration = Duration::from_secs(20);
/// How long a page may be silent before it is dropped.
const MAX_SILENCE: Duration = Duration::from_secs(65);
/// How long after a session the memory that it took is given back to the system.
const RELEASE_DELAY: Duration = Duration::from_secs(1);
/// The reason for closing a socket whose session is over.
const SESSION_OVER: &str = "The session is over.";

pub(crate) async fn live(
    State(server): State<Arc<ServerState>>,
    Query(parameters): Query<Parameters>,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Result<Response, ApiError> {
    server.guard().check_token(parameters.get("token").map(String::as_str))?;
    let upgrade = upgrade.map_err(|rejection| ApiError::bad_request(rejection.body_text()))?;
    let Ok(permit) = Arc::clone(server.sessions()).try_acquire_owned() else {
        // A page cannot read the answer to a failed upgrade, so that the reason is sent through the socket.
        let reason = format!("{MAX_SESSIONS} sessions are open already: close another tab of the lab.");
        return Ok(upgrade.on_upgrade(async move |socket| close(socket, &reason).await));
    };
    let outgoing = OutgoingQueue::new();
    let queue = &outgoing.queue;
    let session = {
        let (server, queue) = (Arc::clone(&server), queue.clone());
        blocking(move || Session::open(server.shared(), &parameters, queue)).await?
    };
    let (commands, received) = command_channel();
    start_thread(session, received, queue.clone(), permit)
        .map_err(|error| ApiError::internal(error.to_string()))?;
    let closing = server.closing();
    let upgrade = upgrade.max_message_size(MAX_COMMAND_BYTES).max_frame_size(MAX_COMMAND_BYTES);
    Ok(upgrade.on_upgrade(move |socket| serve(socket, commands, outgoing, closing)))
}

/// The send queue of a session, and a signal when there is something in it.
struct OutgoingQueue {
    queue: SendQueue,
    filled: Arc<Notify>,
}

impl OutgoingQueue {
    fn new() -> Self {
        let filled = Arc::new(Notify::new());
        let wake = Arc::clone(&filled);
        Self { queue: SendQueue::new(move || wake.notify_one()), filled }
    }

    /// Waits until there is something to send. Returns everything that waits, and the reason if the session has ended.
    async fn take(&self) -> (Vec<Outgoing>, Option<String>) {
        loop {
            let (outgoing, end) = self.queue.take();
            if !outgoing.is_empty() || end.is_some() {
                return (outgoing, end);
            }
            self.filled.notified().await;
        }
    }
}

/// Creates the queue of commands of a session.
fn command_channel() -> (mpsc::Sender<String>, mpsc::Receiver<String>) {
    mpsc::channel(MAX_WAITING_COMMANDS)
}

/// Runs a session on a thread of its own. The permit is released when it ends.
fn start_thread(
    session: Session,
    commands: mpsc::Receiver<String>,
    queue: SendQueue,
    permit: OwnedSemaphorePermit,
) -> std::io::Result<()> {
    let (running, ended) = oneshot::channel::<()>();
    tokio::spawn(async move {
        // An error is what comes: nothing is sent, and the other end is dropped with the session.
        let _ = ended.await;
        tokio::time::sleep(RELEASE_DELAY).await;
        // The allocator of the command gives back what was freed only when it is used again, by a new thread at the latest.
        let _ = std::thread::Builder::new().name("lab-release".into()).spawn(|| ());
    });
    let run = move || {
        match tokio::runtime::Builder::new_current_thread().enable_time().build() {
            Ok(runtime) => runtime.block_on(run(session, commands)),
            Err(error) => queue.end(&error.to_string()),
        }
        queue.end(SESSION_OVER);
        drop((permit, running));
    };
    std::thread::Builder::new().name("lab-session".into()).spawn(run).map(drop)
}

/// Runs a session until the page closes the socket.
async fn run(mut session: Session, mut commands: mpsc::Receiver<String>) {
    let start = Instant::now();
    let now = || start.elapsed().as_secs_f64();
    session.start(now());
    loop {
        let due = session.next_advance().map(|seconds| start + Duration::from_secs_f64(seconds));
        tokio::select! {
            biased;
            text = commands.recv() => match text {
                Some(text) => session.handle_command(&text, now()),
                None => return,
            },
            () = wait_until(due) => session.advance(now()),
        }
    }
}

async fn wait_until(due: Option<Instant>) {
    match due {
        Some(due) => tokio::time::sleep_until(due).await,
        None => std::future::pending().await,
    }
}

/// Forwards commands and messages until one side closes.
async fn serve(
    mut socket: WebSocket,
    commands: mpsc::Sender<String>,
    outgoing: OutgoingQueue,
    mut closing: watch::Receiver<bool>,
) {
    let mut ping = tokio::time::interval(PING_INTERVAL);
    let mut last_received = Instant::now();
    let mut encoder = TickEncoder::default();
    loop {
        tokio::select! {
            received = socket.recv() => match received {
                Some(Ok(Message::Text(text))) => {
                    last_received = Instant::now();
                    if commands.send(String::from(text.as_str())).await.is_err() {
                        return close(socket, SESSION_OVER).await;
                    }
                }
                Some(Ok(Message::Binary(_))) => {
                    return close(socket, "Commands must be sent as text.").await;
                }
                Some(Ok(Message::Ping(_) | Message::Pong(_))) => last_received = Instant::now(),
                Some(Ok(Message::Close(_))) => {
                    // Reading on sends the answer to the page's close frame.
                    let _ = tokio::time::timeout(SEND_TIMEOUT, socket.recv()).await;
                    return;
                }
                Some(Err(_)) | None => return,
            },
            _ = ping.tick() => {
                if last_received.elapsed() > MAX_SILENCE {
                    return close(socket, "The page did not answer.").await;
                }
                if !send(&mut socket, Message::Ping(Bytes::new())).await {
                    return;
                }
            },
            (waiting, end) = outgoing.take() => {
                for one in waiting {
                    let message = match one {
                        Outgoing::Text(text) => Message::Text(text.into()),
                        Outgoing::Tick(frame) => Message::Binary(encoder.encode(frame).into()),
                    };
                    if !send(&mut socket, message).await {
                        return;
                    }
                }
                if let Some(reason) = end {
                    return close(socket, &reason).await;
                }
            },
            () = closed(&mut closing) => return close(socket, "The lab was stopped.").await,
        }
    }
}

/// Sends a message. Returns `false` if the page is gone or does not read.
async fn send(socket: &mut WebSocket, message: Message) -> bool {
    matches!(tokio::time::timeout(SEND_TIMEOUT, socket.send(message)).await, Ok(Ok(())))
}

/// Waits until the lab is stopped.
async fn closed(closing: &mut watch::Receiver<bool>) {
    // An error means that the sender is gone, and the lab with it.
    let _ = closing.wait_for(|closing| *closing).await;
}

async fn close(mut socket: WebSocket, reason: &str) {
    let end = ServerMessage::End(SessionEnd { reason: reason.into() });
    // The page may be gone already, which does not matter.
    if send(&mut socket, Message::Text(end.to_json().into())).await {
        let frame = CloseFrame { code: close_code::NORMAL, reason: Utf8Bytes::from(reason) };
        send(&mut socket, Message::Close(Some(frame))).await;
    }
}

#[cfg(test)]
mod tests {
    use axum::Router;
    use axum::routing::get;
    use futures_util::SinkExt as _;
    use tokio::net::TcpListener;
    use tokio_tungstenite::tungstenite;

    use super::*;

    const SENT: usize = 2_000;

    /// A page sends far more than its session takes: what the session has not taken stays in the socket.
    #[tokio::test]
    async fn commands_that_wait_for_a_session_are_limited() {
        let (commands, mut received) = command_channel();
        let (_open, closing) = watch::channel(false);
        let live = async move |upgrade: WebSocketUpgrade| {
            upgrade.on_upgrade(move |socket| serve(socket, commands, OutgoingQueue::new(), closing))
        };
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let port = listener.local_addr().unwrap().port();
        tokio::spawn(axum::serve(listener, Router::new().route("/", get(live))).into_future());
        let address = format!("ws://127.0.0.1:{port}/");
        let (mut page, _) = tokio_tungstenite::connect_async(address).await.unwrap();
        for number in 0..SENT {
            page.feed(tungstenite::Message::Text(number.to_string().into())).await.unwrap();
        }
        page.flush().await.unwrap();

        while received.len() < MAX_WAITING_COMMANDS {
            tokio::task::yield_now().await;
        }
        for number in 0..SENT {
            assert_eq!(received.recv().await, Some(number.to_string()), "in order, and none is lost");
            // Time for the socket to be read, if anything still reads it.
            tokio::time::sleep(Duration::from_micros(100)).await;
            assert!(received.len() <= MAX_WAITING_COMMANDS, "{} commands wait", received.len());
        }
    }
}
