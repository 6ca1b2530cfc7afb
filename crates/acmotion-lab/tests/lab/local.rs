//! The lab without a server gives the answers of the server, byte for byte.

use acmotion::dat::{MemorySource, mannequin};
use acmotion_lab::{Frame, LocalLab, LocalSession};
use futures_util::StreamExt as _;
use serde_json::{Value, json};
use tokio_tungstenite::tungstenite::Message;

use crate::replay::capture;
use crate::support::start;

/// Everything that the page asks for, and what it does not ask for.
const ADDRESSES: [&str; 15] = [
    "/api/tables",
    "/api/scenery",
    "/api/scenery?block=0x1234&dat=0&cell=1",
    "/api/clip?table=0x09000001&style=NonCombat&motion=RunForward",
    "/api/clip?table=0x09000001&style=NonCombat&motion=Nothing",
    "/api/clip?table=0x09000001",
    "/api/sheet?dat=0&table=0x09000001",
    "/api/table/0x09000001",
    "/api/setup/0x02000001?dat=0",
    "/api/mesh/0x01000001",
    "/api/frames/0x03000001",
    "/api/mesh/0x0100FFFF",
    "/api/setup/what",
    "/api/tables?dat=77",
    "/api/compare?a=1&b=2",
];

fn text(frames: &[Frame], kind: &str) -> Option<Value> {
    let mut texts = frames.iter().filter_map(|frame| match frame {
        Frame::Text(text) => serde_json::from_str::<Value>(text).ok(),
        Frame::Binary(_) => None,
    });
    texts.find(|message| message["type"] == kind)
}

fn ticks(frames: &[Frame]) -> Vec<Vec<u8>> {
    let binary = |frame: &Frame| match frame {
        Frame::Binary(bytes) => Some(bytes.clone()),
        Frame::Text(_) => None,
    };
    frames.iter().filter_map(binary).collect()
}

#[tokio::test]
async fn requests_have_the_answers_of_the_server() {
    let (lab, local) = (start().await, LocalLab::new().unwrap());
    let mut successes = 0;
    for address in ADDRESSES {
        let (theirs, ours) = (lab.get(address).await, local.get(address));
        assert_eq!((ours.status, ours.body), (theirs.status, theirs.body), "{address}");
        let head = theirs.head.to_ascii_lowercase();
        assert!(head.contains(&format!("content-type: {}", ours.content_type)), "{address}: {head}");
        successes += usize::from(ours.status == 200);
    }
    assert!(successes >= 9, "{successes} of {}", ADDRESSES.len());
    assert!(
        ["/api/nothing", "/api/nothing/0x01000001", "nothing", ""]
            .iter()
            .all(|it| local.get(it).status == 404)
    );
    // Only the size of recordings differs, because nothing has to be uploaded.
    let mut about: Value = serde_json::from_slice(&local.get("/api/about").body).unwrap();
    assert_eq!(about["limits"]["upload_bytes"], 200 << 20);
    about["limits"]["upload_bytes"] = (64 << 20).into();
    assert_eq!(about, lab.get("/api/about").await.json());
}

#[tokio::test]
async fn recordings_and_dat_files_are_opened_as_by_the_server() {
    let (lab, local) = (start().await, LocalLab::new().unwrap());
    for bytes in [capture(), Vec::new(), b"no recording".to_vec()] {
        let (theirs, ours) =
            (lab.upload("walk.pcap", &bytes).await, local.open_capture("name=walk.pcap", &bytes));
        assert_eq!((ours.status, ours.body), (theirs.status, theirs.body));
    }
    let summary = lab.upload("again", &capture()).await.json();
    assert_eq!(summary["digest"].as_str().map(str::len), Some(16));
    let other = lab.upload("other", &[capture(), capture()].concat()).await.json();
    assert_ne!(other["digest"], summary["digest"]);

    let opened = local.open_dat("name=portal.dat", MemorySource(mannequin::dat_file()));
    let opened: Value = serde_json::from_slice(&opened.body).unwrap();
    let file = json!({ "number": 2, "name": "portal.dat", "kind": "dat", "built_in": false });
    assert_eq!(opened, file);
    assert_eq!(local.get("/api/tables?dat=2").body, local.get("/api/tables").body);
    assert_eq!(local.open_dat("name=no.dat", MemorySource(vec![0; 2048])).status, 422);
}

#[tokio::test]
async fn a_recording_that_is_too_large_is_refused() {
    let reply = LocalLab::new().unwrap().open_capture("name=huge", &vec![b' '; (200 << 20) + 1]);
    let error: Value = serde_json::from_slice(&reply.body).unwrap();
    assert_eq!((reply.status, error["error"].as_str()), (413, Some("the file is larger than 200 MB")));
}

#[tokio::test]
async fn a_replay_sends_what_the_server_sends() {
    let (lab, local) = (start().await, LocalLab::new().unwrap());
    lab.upload("walk.pcap", &capture()).await;
    local.open_capture("name=walk.pcap", &capture());
    let mut live = lab.live("&mode=replay&recording=1").await;
    let mut session = local.open_session("mode=replay&recording=1", 5.0).unwrap();
    let frames = session.take();
    assert!(matches!(&frames[0], Frame::Text(text) if text.contains(r#""type":"hello""#)), "{:?}", frames[0]);
    let hello = live.message("hello", |_| true).await;
    assert_eq!(text(&frames, "hello"), Some(hello));
    // The first tick is whole, the next has the changes.
    let mut ours = ticks(&frames);
    session.command(r#"{"command":"seek","t":4.5}"#, 6.0);
    ours.extend(ticks(&session.take()));
    assert_eq!(ours.len(), 2);
    let mut theirs = Vec::new();
    while theirs.len() < 2 {
        match live.socket.next().await.unwrap().unwrap() {
            Message::Binary(bytes) => {
                theirs.push(bytes.to_vec());
                live.send(json!({ "command": "seek", "t": 4.5 })).await;
            }
            Message::Close(_) => panic!("the server closes the socket"),
            _ => {}
        }
    }
    assert_eq!(ours, theirs);
    assert_eq!(session.next_advance(), None, "a paused replay waits for commands");
    let error = local.open_session("mode=replay&recording=9", 0.0).map(drop).unwrap_err();
    assert_eq!(error.status, 404);
    assert!(local.open_session("mode=dance", 0.0).is_err());
}

/// Lets a session run for some seconds, as a worker does whose clock counts milliseconds.
fn run(session: &mut LocalSession, from: f64, milliseconds: u32) -> Vec<Frame> {
    let mut frames = session.take();
    for now in (0..=milliseconds).map(|count| from + f64::from(count) / 1000.0) {
        if session.next_advance().is_some_and(|due| due <= now) {
            session.advance(now);
            frames.extend(session.take());
        }
    }
    frames
}

#[test]
fn a_walk_runs_at_the_times_that_it_asks_for() {
    let lab = LocalLab::new().unwrap();
    let mut session = lab.open_session("mode=walk", 100.0).unwrap();
    let still = run(&mut session, 100.0, 1000);
    assert!((28..=32).contains(&ticks(&still).len()), "{} ticks in a second", ticks(&still).len());
    let speed = |session: &mut LocalSession, now: f64| {
        let command = json!({ "command": "series", "guid": "0x50000001", "view": 0, "from": 0, "to": 60 });
        session.command(&command.to_string(), now);
        let series = text(&session.take(), "series").unwrap();
        series["speed"].as_array().unwrap().last().and_then(Value::as_f64).unwrap()
    };
    assert_eq!(speed(&mut session, 101.0), 0.0);
    session.command(r#"{"command":"key","key":"forward","down":true}"#, 101.0);
    run(&mut session, 101.0, 1000);
    assert!(speed(&mut session, 102.0) > 3.0);
    // A page that asks for nothing gets the newest tick, and no others.
    (0..60).for_each(|tick| session.advance(102.0 + f64::from(tick) / 30.0));
    assert_eq!(ticks(&session.take()).len(), 1);
}
