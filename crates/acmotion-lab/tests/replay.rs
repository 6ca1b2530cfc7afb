//! Recordings: opened, wound through, looked into; and files that are none.

mod support;

use acmotion::types::{CellId, CellPosition, Frame, Guid, Stamp, Vec3};
use acmotion::wire::capture::CaptureWriter;
use acmotion::wire::{Direction, PositionFlags, PositionPack, S2C, UpdatePosition};
use acmotion_lab::Capture;
use serde_json::json;
use support::{Live, Running, start, start_with};

const RUNNER: Guid = Guid(0x5000_0002);

fn position(y: f32, stamp: u16) -> Vec<u8> {
    let pack = PositionPack {
        flags: PositionFlags::GROUNDED,
        position: CellPosition::new(CellId(0x1234_0019), Frame::from_origin(Vec3::new(84.0, y, 5.0))),
        velocity: None,
        placement: None,
        instance: Stamp(1),
        position_stamp: Stamp(stamp),
        teleport: Stamp(1),
        force_position: Stamp(1),
    };
    let mut bytes = Vec::new();
    S2C::from(UpdatePosition { guid: RUNNER, pack }).encode(&mut bytes);
    bytes
}

/// Somebody walks north for six seconds; one report is stale; in the end he is 150 m further on.
fn capture() -> Vec<u8> {
    let mut writer = CaptureWriter::new(Vec::new()).unwrap();
    for second in 0..6_u16 {
        let report = position(20.0 + 3.0 * f32::from(second), 2 + second);
        writer.message(100.0 + f64::from(second), Direction::S2C, &report).unwrap();
    }
    writer.message(105.5, Direction::S2C, &position(21.0, 2)).unwrap();
    writer.message(107.0, Direction::S2C, &position(185.0, 8)).unwrap();
    writer.into_inner()
}

async fn open(lab: &Running, name: &str, bytes: &[u8]) -> (serde_json::Value, Live) {
    let answer = lab.upload(name, bytes).await;
    assert_eq!(answer.status, 200, "{}", String::from_utf8_lossy(&answer.body));
    let opened = answer.json();
    let live = lab.live(&format!("&mode=replay&recording={}", opened["id"])).await;
    (opened, live)
}

#[tokio::test]
async fn a_capture_is_run_once_and_wound_through() {
    let lab = start().await;
    let (opened, mut live) = open(&lab, "walk.pcap", &capture()).await;
    assert_eq!(
        (opened["kind"].as_str(), opened["messages"].as_u64(), opened["entities"].as_u64()),
        (Some("capture"), Some(8), Some(1))
    );
    assert!(opened["notes"].to_string().contains("stand-in"), "{}", opened["notes"]);
    let hello = live.text("hello", |_| true).await;
    assert_eq!((hello["origin"].as_str(), hello["name"].as_str()), (Some("0x1234"), Some("walk.pcap")));
    live.send(json!({ "do": "seek", "t": 104.5 })).await;
    let body = live.tick(|tick| tick.t > 104.4).await.body(RUNNER.0, 0).unwrap();
    assert!((body.place[0] - 84.0).abs() < 0.01 && (body.place[1] - 32.0).abs() < 2.0, "{body:?}");
    // The next snap, the rejection before it, and no snap after it.
    live.send(json!({ "do": "next", "what": "snap" })).await;
    let snap = live.tick(|tick| tick.t > 106.9).await;
    live.send(json!({ "do": "next", "what": "rejected", "back": true })).await;
    let rejected = live.tick(|tick| tick.t < snap.t).await;
    assert!((rejected.t - 105.5).abs() < 0.1, "{}", rejected.t);
    live.send(json!({ "do": "seek", "tick": snap.number })).await;
    live.send(json!({ "do": "next", "what": "snap", "n": 4 })).await;
    assert!(live.text("refused", |_| true).await["why"].as_str().unwrap().contains("no snap after"));
}

#[tokio::test]
async fn a_recording_plays_to_its_end_and_stops() {
    let lab = start().await;
    let (_, mut live) = open(&lab, "walk.pcap", &capture()).await;
    live.send(json!({ "do": "play", "rate": 8 })).await;
    let last = live.tick(|tick| tick.flags & 1 != 0).await;
    assert!(last.t > 107.5);
    live.until(|state| state["mode"] == "paused" && state["ended"] == true).await;
    live.send(json!({ "do": "key", "key": "forward", "down": true })).await;
    let error = live.text("error", |_| true).await;
    assert!(error["error"].as_str().unwrap().contains("cannot be steered"));
}

/// Selecting somebody goes through the recording again for him, and gives what the first run did.
#[tokio::test]
async fn whoever_is_selected_is_explained_afterwards() {
    let lab = start().await;
    let (_, mut live) = open(&lab, "walk.pcap", &capture()).await;
    live.send(json!({ "do": "seek", "t": 103.5 })).await;
    let tick = live.tick(|tick| tick.t > 103.4).await;
    live.send(json!({ "do": "select", "guid": "0x50000002", "view": 0 })).await;
    let why = live.text("why", |why| !why["why"].is_null()).await;
    let place: Vec<f32> = serde_json::from_value(why["why"]["place"].clone()).unwrap();
    assert_eq!(place, tick.body(RUNNER.0, 0).unwrap().place);
    assert_eq!(why["tick"], tick.number);
    assert!(why["why"]["explain"]["words"].is_array());
}

#[tokio::test]
async fn messages_are_in_step_with_the_scene() {
    let lab = start().await;
    let (_, mut live) = open(&lab, "walk.pcap", &capture()).await;
    live.send(json!({ "do": "messages", "from": 0, "to": 1e9, "n": 1 })).await;
    let mail = live.text("mail", |mail| mail["n"] == 1).await;
    let list = mail["list"].as_array().unwrap();
    assert_eq!(list.len(), 8);
    assert!(list.iter().all(|letter| letter["name"] == "UpdatePosition" && letter["guid"] == "0x50000002"));
    live.send(json!({ "do": "message", "number": 7, "n": 2 })).await;
    let message = live.text("message", |message| message["n"] == 2).await;
    assert_eq!(message["text"]["decoded"]["position"]["origin"], json!([84.0, 185.0, 5.0]));
    live.send(json!({ "do": "filter", "opcodes": ["UpdateMotion"] })).await;
    live.send(json!({ "do": "messages", "from": 0, "to": 1e9, "n": 3 })).await;
    assert_eq!(live.text("mail", |mail| mail["n"] == 3).await["list"], json!([]));
}

/// What `simulate --json` wrote: the truth and a view, told apart by the last lines.
#[tokio::test]
async fn results_of_other_runs_can_be_opened() {
    let lab = start().await;
    let mut text = String::new();
    for tick in 0..30 {
        for (view, lag) in [("self Asha", 0.0), ("Watcher", 0.5)] {
            let line = json!({
                "t": f64::from(tick) / 30.0, "guid": "0x50000001", "cell": "0xA9B40019",
                "origin": [84.0, 60.0 + f64::from(tick) * 0.1 - lag, 94.0], "rotation": [1.0, 0.0, 0.0, 0.0], "contact": true,
                "style": "0x8000003D", "substate": "0x44000007", "animation": "0x03000003", "frame": tick % 24, "view": view,
            });
            text += &format!("{line}\n");
        }
    }
    text += &format!(
        "{}\n",
        json!({ "t": 0.9, "guid": "0x50000001", "event": "snap", "distance": 3, "view": "Watcher" })
    );
    text += &format!("{}\n", json!({ "view": "Watcher", "guid": "0x50000001", "truth": "self Asha" }));
    let (opened, mut live) = open(&lab, "result.jsonl", text.as_bytes()).await;
    assert_eq!(opened["kind"], "result");
    let hello = live.text("hello", |_| true).await;
    assert_eq!(hello["views"].as_array().map(Vec::len), Some(3));
    live.send(json!({ "do": "seek", "t": 0.5 })).await;
    let tick = live.tick(|tick| tick.t > 0.45).await;
    let seen = tick.bodies.iter().find(|body| body.view != 0).unwrap();
    assert!((seen.error - 0.5).abs() < 1e-3, "{seen:?}");
    assert_eq!((seen.pose, seen.setup), (0x0300_0003, 0x0200_0001));
}

#[tokio::test]
async fn a_scene_is_run() {
    let lab = start().await;
    let scene = "seconds = 3\n[[player]]\nname = \"Asha\"\nat = [96, 96]\n\
                 input = [{ at = 1, press = \"forward\" }]\n[[observer]]\nname = \"Watcher\"\nat = [96, 100]\n";
    let (opened, mut live) = open(&lab, "walk.toml", scene.as_bytes()).await;
    assert_eq!(opened["kind"], "scene");
    live.send(json!({ "do": "seek", "t": 2.9 })).await;
    let tick = live.tick(|tick| tick.t > 2.8).await;
    let (truth, seen) = (tick.body(0x5000_0001, 0).unwrap(), tick.body(0x5000_0001, 1).unwrap());
    assert!(truth.place[1] > 100.0 && seen.error < 2.0, "{truth:?} {seen:?}");
    let bad = lab.upload("bad.toml", b"seconds = 3\nsecond = 4").await;
    assert_eq!(bad.status, 422);
    assert!(bad.words().contains("second"), "{}", bad.words());
}

#[tokio::test]
async fn what_is_no_recording_is_refused_in_words() {
    let lab = start().await;
    for (name, bytes) in [
        ("empty", &b""[..]),
        ("blank", b"  \n\n "),
        ("picture.png", b"\x89PNG\r\n\x1a\n0000000000000000"),
        ("text.txt", b"hello there"),
        ("broken.json", b"{\"t\": 1, \"guid\": "),
        ("other.json", b"{\"name\": \"x\"}"),
        ("short.pcap", b"\xd4\xc3\xb2\xa1\x02\x00"),
        ("nothing.jsonl", b"{\"t\": 0, \"event\": \"snap\"}\n"),
        (
            "far.jsonl",
            b"{\"t\": 1e300, \"guid\": \"0x1\", \"cell\": \"0x1\", \"origin\": [0], \"rotation\": []}\n",
        ),
    ] {
        let answer = lab.upload(name, bytes).await;
        assert_eq!(answer.status, 422, "{name}: {}", String::from_utf8_lossy(&answer.body));
        assert!(
            answer.words().starts_with(name) && answer.words().len() > name.len() + 10,
            "{}",
            answer.words()
        );
    }
    assert_eq!(lab.get("/api/about").await.json()["recordings"], json!([]), "none of them is kept");
    let address = format!("ws://127.0.0.1:{}/api/live?token={}&mode=replay&recording=9", lab.port, lab.token);
    assert!(tokio_tungstenite::connect_async(address).await.unwrap_err().to_string().contains("404"));
}

#[tokio::test]
async fn a_file_that_is_too_large_is_refused() {
    let lab = start().await;
    let answer = lab.upload("large", &vec![b'{'; (64 << 20) + 1]).await;
    assert_eq!(answer.status, 413);
    assert!(answer.words().contains("64 MB"));
}

#[tokio::test]
async fn the_oldest_recordings_go() {
    let lab = start().await;
    for at in 0..6 {
        assert_eq!(lab.upload(&format!("walk{at}.pcap"), &capture()).await.status, 200);
    }
    let about = lab.get("/api/about").await.json();
    let ids: Vec<u64> =
        about["recordings"].as_array().unwrap().iter().map(|one| one["id"].as_u64().unwrap()).collect();
    assert_eq!(ids, [3, 4, 5, 6]);
}

/// A capture that is still coming: the page sees what there is, and what comes.
#[tokio::test]
async fn a_capture_can_be_followed_while_it_comes() {
    use std::io::Write as _;
    let (reader, mut writer) = std::io::pipe().unwrap();
    let lab = start_with(Some(Capture::Stream { name: "live".into(), input: Box::new(reader) })).await;
    let line = |t: f64, bytes: &[u8]| {
        let hex: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        format!("{}\n", json!({ "t": t, "dir": "S2C", "hex": hex }))
    };
    writer.write_all(line(1.0, &position(20.0, 2)).as_bytes()).unwrap();
    let mut live = lab.live("&mode=replay&recording=1").await;
    let first = live.tick(|tick| tick.body(RUNNER.0, 0).is_some()).await;
    writer.write_all(line(first.t + 2.0, &position(21.0, 3)).as_bytes()).unwrap();
    live.tick(|tick| tick.body(RUNNER.0, 0).is_some_and(|body| body.place[1] > 20.5)).await;
    drop(writer);
    // The end is noticed, and said when asked.
    loop {
        live.send(json!({ "do": "filter" })).await;
        let state = live.text("state", |_| true).await;
        if state["ended"] == true {
            break;
        }
        assert_eq!(state["live_input"], true);
    }
}
