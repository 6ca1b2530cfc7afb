//! `/api/live`: the WebSocket of a session. Commands go in; ticks and messages go out as fast as the page reads.

use std::collections::HashMap;
use std::sync::Arc;

use axum::extract::ws::rejection::WebSocketUpgradeRejection;
use axum::extract::ws::{CloseFrame, Message, Utf8Bytes, WebSocket, WebSocketUpgrade, close_code};
use axum::extract::{Query, State};
use axum::http::StatusCode;
use axum::response::Response;
use tokio::sync::{OwnedSemaphorePermit, mpsc, watch};

use crate::api::ApiError;
use crate::protocol::{ServerMessage, SessionEnd};
use crate::server::{MAX_SESSIONS, Shared};
use crate::session::{Outgoing, SendQueue, Session};
use crate::walk::Walk;

/// The maximum length of a command, in bytes. Longer commands close the socket.
const MAX_COMMAND_BYTES: usize = 16 << 10;
/// The maximum number of commands that wait for a session.
const MAX_WAITING_COMMANDS: usize = 64;
/// The reason for closing a socket whose session is over.
const SESSION_OVER: &str = "The session is over.";

pub(crate) async fn live(
    State(shared): State<Arc<Shared>>,
    Query(parameters): Query<HashMap<String, String>>,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Result<Response, ApiError> {
    shared.guard().check_token(parameters.get("token").map(String::as_str))?;
    let upgrade = upgrade.map_err(|rejection| ApiError::bad_request(rejection.body_text()))?;
    let permit = Arc::clone(shared.sessions()).try_acquire_owned().map_err(|_| {
        let message = format!("{MAX_SESSIONS} pages are open already; close one of them");
        ApiError::new(StatusCode::SERVICE_UNAVAILABLE, message)
    })?;
    let queue = SendQueue::default();
    let session = match parameters.get("mode").map(String::as_str) {
        None | Some("walk") => {
            let town = Arc::clone(shared.town());
            let walk = tokio::task::spawn_blocking(move || Walk::new(town)).await;
            let walk = walk.map_err(|_| ApiError::internal("the walk failed to start"))?;
            Session::walk(walk.map_err(ApiError::internal)?, queue.clone())
        }
        Some("replay") => {
            let number = parameters.get("recording").and_then(|text| text.parse().ok()).unwrap_or(0);
            let recording = shared.recordings().get(number).ok_or_else(|| {
                let message = format!("recording {number} is not open; open the file again");
                ApiError::new(StatusCode::NOT_FOUND, message)
            })?;
            Session::replay(recording, queue.clone())
        }
        Some(other) => {
            let message = format!("unknown mode `{other}`: `walk` or `replay` is expected");
            return Err(ApiError::bad_request(message));
        }
    };
    let (commands, received) = mpsc::channel(MAX_WAITING_COMMANDS);
    start(session, received, queue.clone(), permit).map_err(|error| ApiError::internal(error.to_string()))?;
    let closing = shared.closing();
    let upgrade = upgrade.max_message_size(MAX_COMMAND_BYTES).max_frame_size(MAX_COMMAND_BYTES);
    Ok(upgrade.on_upgrade(move |socket| serve(socket, commands, queue, closing)))
}

/// Runs a session on a thread of its own. The permit is released when it ends.
fn start(
    session: Session,
    commands: mpsc::Receiver<String>,
    queue: SendQueue,
    permit: OwnedSemaphorePermit,
) -> std::io::Result<()> {
    let run = move || {
        match tokio::runtime::Builder::new_current_thread().enable_time().build() {
            Ok(runtime) => runtime.block_on(session.run(commands)),
            Err(error) => queue.end(&error.to_string()),
        }
        queue.end(SESSION_OVER);
        drop(permit);
    };
    std::thread::Builder::new().name("lab-session".into()).spawn(run).map(drop)
}

/// Forwards commands and messages until one side closes.
async fn serve(
    mut socket: WebSocket,
    commands: mpsc::Sender<String>,
    queue: SendQueue,
    mut closing: watch::Receiver<bool>,
) {
    loop {
        tokio::select! {
            received = socket.recv() => match received {
                Some(Ok(Message::Text(text))) => {
                    if commands.send(String::from(text.as_str())).await.is_err() {
                        return close(socket, SESSION_OVER).await;
                    }
                }
                Some(Ok(Message::Binary(_))) => {
                    return close(socket, "Commands must be sent as text.").await;
                }
                Some(Ok(Message::Ping(_) | Message::Pong(_))) => {}
                Some(Ok(Message::Close(_)) | Err(_)) | None => return,
            },
            (outgoing, end) = queue.take() => {
                for one in outgoing {
                    let message = match one {
                        Outgoing::Text(text) => Message::Text(text.into()),
                        Outgoing::Binary(bytes) => Message::Binary(bytes.into()),
                    };
                    if socket.send(message).await.is_err() {
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

/// Waits until the lab is stopped.
async fn closed(closing: &mut watch::Receiver<bool>) {
    // An error means that the sender is gone, and the lab with it.
    let _ = closing.wait_for(|closing| *closing).await;
}

async fn close(mut socket: WebSocket, reason: &str) {
    let end = ServerMessage::End(SessionEnd { reason: reason.into() });
    // Errors do not matter: the page may be gone already.
    let _ = socket.send(Message::Text(end.to_json().into())).await;
    let frame = CloseFrame { code: close_code::NORMAL, reason: Utf8Bytes::from(reason) };
    let _ = socket.send(Message::Close(Some(frame))).await;
}
