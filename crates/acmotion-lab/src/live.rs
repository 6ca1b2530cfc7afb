//! A live socket: the page's commands in, ticks and words out, however fast the page reads.

use std::collections::HashMap;
use std::sync::Arc;

use axum::extract::ws::{CloseFrame, Message, Utf8Bytes, WebSocket, WebSocketUpgrade, close_code};
use axum::extract::{Query, State};
use axum::http::StatusCode;
use axum::response::Response;
use tokio::sync::{mpsc, watch};

use crate::api::ApiError;
use crate::server::{MOST_SESSIONS, Shared};
use crate::session::{Outbox, Parcel, Session};
use crate::walk::Walk;

/// Longer commands close the socket.
const LONGEST_COMMAND: usize = 16 << 10;
/// How many commands wait for a session.
const MOST_COMMANDS: usize = 64;

pub(crate) async fn live(
    State(shared): State<Arc<Shared>>,
    Query(words): Query<HashMap<String, String>>,
    upgrade: Result<WebSocketUpgrade, axum::extract::ws::rejection::WebSocketUpgradeRejection>,
) -> Result<Response, ApiError> {
    shared.guard().check_token(words.get("token").map(String::as_str))?;
    let upgrade = upgrade.map_err(|rejection| ApiError::bad(rejection.body_text()))?;
    let full = || {
        let words = format!("{MOST_SESSIONS} pages are at work already; close one of them");
        ApiError::new(StatusCode::SERVICE_UNAVAILABLE, words)
    };
    let seat = Arc::clone(shared.sessions()).try_acquire_owned().map_err(|_| full())?;
    let outbox = Outbox::default();
    let session = match words.get("mode").map(String::as_str) {
        None | Some("walk") => {
            let town = Arc::clone(shared.town());
            let walk = tokio::task::spawn_blocking(move || Walk::new(town)).await;
            let walk =
                walk.map_err(|_| ApiError::new(StatusCode::INTERNAL_SERVER_ERROR, "the walk broke down"))?;
            let broken = |words: String| ApiError::new(StatusCode::INTERNAL_SERVER_ERROR, words);
            Session::walk(walk.map_err(broken)?, outbox.clone())
        }
        Some("replay") => {
            let number = words.get("recording").and_then(|text| text.parse().ok()).unwrap_or(0);
            let recording = shared.recordings().get(number).ok_or_else(|| {
                ApiError::new(
                    StatusCode::NOT_FOUND,
                    format!("there is no recording {number}; open the file again"),
                )
            })?;
            Session::replay(recording, outbox.clone())
        }
        Some(other) => return Err(ApiError::bad(format!("mode `{other}`: walk or replay"))),
    };
    let (commands, received) = mpsc::channel(MOST_COMMANDS);
    let ending = outbox.clone();
    let thread = std::thread::Builder::new().name("lab-session".into()).spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build();
        match runtime {
            Ok(runtime) => runtime.block_on(session.run(received)),
            Err(error) => ending.end(&error.to_string()),
        }
        ending.end("the session is over");
        drop(seat);
    });
    thread.map_err(|error| ApiError::new(StatusCode::INTERNAL_SERVER_ERROR, error.to_string()))?;
    let closing = shared.closing();
    let upgrade = upgrade.max_message_size(LONGEST_COMMAND).max_frame_size(LONGEST_COMMAND);
    Ok(upgrade.on_upgrade(move |socket| talk(socket, commands, outbox, closing)))
}

/// Carries words to and fro until one side goes.
async fn talk(
    mut socket: WebSocket,
    commands: mpsc::Sender<String>,
    outbox: Outbox,
    mut closing: watch::Receiver<bool>,
) {
    loop {
        tokio::select! {
            came = socket.recv() => match came {
                Some(Ok(Message::Text(text))) => {
                    if commands.send(String::from(text.as_str())).await.is_err() {
                        return close(socket, "the session is over").await;
                    }
                }
                Some(Ok(Message::Binary(_))) => return close(socket, "commands are text").await,
                Some(Ok(Message::Ping(_) | Message::Pong(_))) => {}
                Some(Ok(Message::Close(_)) | Err(_)) | None => return,
            },
            (parcels, over) = outbox.take() => {
                for parcel in parcels {
                    let message = match parcel {
                        Parcel::Text(text) => Message::Text(text.into()),
                        Parcel::Binary(bytes) => Message::Binary(bytes.into()),
                    };
                    if socket.send(message).await.is_err() {
                        return;
                    }
                }
                if let Some(words) = over {
                    return close(socket, &words).await;
                }
            },
            () = closed(&mut closing) => return close(socket, "the lab ends").await,
        }
    }
}

/// Waits until the lab ends.
async fn closed(closing: &mut watch::Receiver<bool>) {
    // Whoever could still say so may be gone: then it ends, too.
    let _ = closing.wait_for(|closing| *closing).await;
}

async fn close(mut socket: WebSocket, words: &str) {
    let end = serde_json::json!({ "type": "end", "words": words }).to_string();
    // A page that has gone needs no goodbye.
    let _ = socket.send(Message::Text(end.into())).await;
    let frame = CloseFrame { code: close_code::NORMAL, reason: Utf8Bytes::from(words) };
    let _ = socket.send(Message::Close(Some(frame))).await;
}
