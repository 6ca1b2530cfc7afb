//! Recordings: files that are opened, played and explained, and files that are rejected.

use crate::support::captures::{self, ASHA, BRAM, CAEL, RUNNER};
use crate::support::{Live, Running, start, start_with};
use acmotion::types::{CellId, CellPosition, Guid, Vec3};
use acmotion_lab::Capture;
use serde_json::{Value, json};

fn position(y: f32, stamp: u16) -> Vec<u8> {
    captures::report(CellPosition::at(CellId(0x1234_0019), Vec3::new(84.0, y, 5.0)), stamp)
}

/// An entity walks north for six seconds. One report is stale, and the last one is 150 m away.
pub(crate) fn capture() -> Vec<u8> {
    let walk = (0..6_u16)
        .map(|second| (100.0 + f64::from(second), position(20.0 + 3.0 * f32::from(second), 2 + second)));
    captures::capture(walk.chain([(105.5, position(21.0, 2)), (107.0, position(185.0, 8))]))
}

async fn open(lab: &Running, name: &str, bytes: &[u8]) -> (Value, Live) {
    let answer = lab.upload(name, bytes).await;
    assert_eq!(answer.status, 200, "{}", String::from_utf8_lossy(&answer.body));
    let recording = answer.json();
    let live = lab.live(&format!("&mode=replay&recording={}", recording["id"])).await;
    (recording, live)
}

#[tokio::test]
async fn a_capture_can_be_searched_for_events() {
    let lab = start().await;
    let (recording, mut live) = open(&lab, "walk.pcap", &capture()).await;
    assert_eq!(
        (recording["kind"].as_str(), recording["messages"].as_u64(), recording["entities"].as_u64()),
        (Some("capture"), Some(8), Some(1))
    );
    assert!(recording["notes"].to_string().contains("stand-in"), "{}", recording["notes"]);
    let hello = live.message("hello", |_| true).await;
    assert_eq!((hello["origin"].as_str(), hello["name"].as_str()), (Some("0x1234"), Some("walk.pcap")));
    // Times count from the first message.
    assert_eq!((hello["start"].as_f64(), hello["clock_start"].as_f64()), (Some(0.0), Some(100.0)));
    live.send(json!({ "command": "seek", "t": 4.5 })).await;
    let body = live.tick(|tick| tick.t > 4.4).await.body(RUNNER.0, 0).unwrap();
    assert!((body.position[0] - 84.0).abs() < 0.01 && (body.position[1] - 32.0).abs() < 2.0, "{body:?}");
    // The next snap, the rejection before it, and no snap after it.
    live.send(json!({ "command": "next", "target": "snap" })).await;
    let snap = live.tick(|tick| tick.t > 6.9).await;
    live.send(json!({ "command": "next", "target": "rejected", "back": true })).await;
    let rejected = live.tick(|tick| tick.t < snap.t).await;
    assert!((rejected.t - 5.5).abs() < 0.1, "{}", rejected.t);
    live.send(json!({ "command": "seek", "tick": snap.number })).await;
    let refusal = live.ask("refused", json!({ "command": "next", "target": "snap" })).await;
    assert!(refusal["reason"].as_str().unwrap().contains("no snap after"), "{refusal}");
}

#[tokio::test]
async fn a_recording_pauses_at_its_end_and_cannot_be_controlled() {
    let lab = start().await;
    let (_, mut live) = open(&lab, "walk.pcap", &capture()).await;
    live.send(json!({ "command": "play", "rate": 8 })).await;
    let last = live.tick(|tick| tick.flags & 1 != 0).await;
    assert!(last.t > 7.5);
    live.state(|state| state["mode"] == "paused" && state["ended"] == true).await;
    let error = live.ask("error", json!({ "command": "key", "key": "forward", "down": true })).await;
    assert!(error["error"].as_str().unwrap().contains("cannot be controlled"), "{error}");
}

/// Selecting an entity runs the capture again in the background, with the same result as the first run.
#[tokio::test]
async fn the_selected_entity_of_a_capture_is_explained() {
    let lab = start().await;
    let (_, mut live) = open(&lab, "walk.pcap", &capture()).await;
    live.send(json!({ "command": "seek", "t": 3.5 })).await;
    let tick = live.tick(|tick| tick.t > 3.4).await;
    live.send(json!({ "command": "select", "guid": "0x50000002", "view": 0 })).await;
    let update = live.message("explanation", |update| !update["explanation"].is_null()).await;
    let position: Vec<f32> = serde_json::from_value(update["explanation"]["position"].clone()).unwrap();
    assert_eq!(position, tick.body(RUNNER.0, 0).unwrap().position);
    assert_eq!(update["tick"], tick.number);
    assert!(update["explanation"]["step"]["sentences"].is_array());
}

/// The reports of a capture, how the body agrees with them, and the states around the tick that took one.
#[tokio::test]
async fn reports_are_compared_with_the_body() {
    let lab = start().await;
    let (_, mut live) = open(&lab, "walk.pcap", &capture()).await;
    let list = live.ask("reports", json!({ "command": "reports", "guid": "0x50000002" })).await;
    let reports = list["reports"].as_array().unwrap();
    let last = reports.last().unwrap();
    assert_eq!(last["reported"], json!([84.0, 185.0, 5.0]));
    assert!(last["shown"][1].as_f64().is_some_and(|y| y < 40.0), "{last}");
    let list = live.ask("agreement", json!({ "command": "agreement" })).await;
    let own = &list["entities"][0];
    assert_eq!((own["guid"].as_str(), own["snaps"].as_u64()), (Some("0x50000002"), Some(1)), "{own}");
    assert_eq!(own["reports"].as_u64(), Some(reports.len() as u64 + 1), "the first report found no body");
    // The errors do not count heights, and the median of an even number of them lies between two.
    let place = |report: &Value, which: &str, axis: usize| report[which][axis].as_f64().unwrap();
    let apart = |report: &Value| {
        let along = |axis| place(report, "reported", axis) - place(report, "shown", axis);
        along(0).hypot(along(1))
    };
    let mut errors: Vec<f64> = reports.iter().map(apart).collect();
    errors.sort_by(f64::total_cmp);
    let middle = errors.len() / 2;
    let median = if errors.len() % 2 == 1 {
        errors[middle]
    } else {
        f64::midpoint(errors[middle - 1], errors[middle])
    };
    assert!((own["median"].as_f64().unwrap() - median).abs() < 1e-4, "{own}: {errors:?}");
    assert!(own["worst"].as_f64().is_some_and(|worst| worst > 140.0), "{own}");
    assert!(own["worst_at"].as_f64().is_some_and(|at| (at - 7.0).abs() < 0.1), "{own}");
    live.send(json!({ "command": "seek", "t": 3.5 })).await;
    live.send(json!({ "command": "select", "guid": "0x50000002", "view": 0 })).await;
    live.message("explanation", |update| !update["explanation"].is_null()).await;
    let messages = live.ask("messages", json!({ "command": "messages", "from": 2.5, "to": 3.5 })).await;
    let tick = messages["messages"][0]["tick"].as_u64().unwrap();
    let moments = live.ask("moments", json!({ "command": "moments", "ticks": [tick, tick + 1] })).await;
    let stamp = |index: usize| &moments["moments"][index]["explanation"]["stamps"]["position"];
    assert_eq!((stamp(0), stamp(1)), (&json!(4), &json!(5)), "the tick after the message's own takes it");
    let report = &moments["moments"][1]["explanation"]["report"];
    assert_eq!(report["position"], json!([84.0, 29.0, 5.0]));
    let error =
        live.ask("error", json!({ "command": "moments", "ticks": [1, 2, 3, 4, 5, 6, 7, 8, 9] })).await;
    assert!(error["error"].as_str().unwrap().contains("too many"), "{error}");
}

/// Each message has its own verdict and its own events, even where a tick takes two about the same entity; and the state tells
/// what messages other than those about motion change.
#[tokio::test]
async fn each_message_of_a_capture_tells_what_it_did() {
    let lab = start().await;
    let (_, mut live) = open(&lab, "story.pcap", &captures::story(100.0)).await;
    let messages = live.ask("messages", json!({ "command": "messages", "from": 0, "to": 1e9 })).await;
    let events = live.ask("event_log", json!({ "command": "events", "from": 0, "to": 1e9 })).await;
    // The numbers of the events that a message caused, by the number of the message.
    let caused = |number: u64| -> Vec<&str> {
        let events = events["events"].as_array().unwrap().iter();
        events
            .filter(|event| event["message"] == number)
            .map(|event| event["event"].as_str().unwrap())
            .collect()
    };
    let number = |name: &str, nth: usize| {
        let mut named =
            messages["messages"].as_array().unwrap().iter().filter(|message| message["name"] == name);
        let message = named.nth(nth).unwrap();
        (message["number"].as_u64().unwrap(), message["tick"].as_u64().unwrap())
    };
    let ended = events["events"].as_array().unwrap().last().unwrap();
    assert!(ended["event"] == "motion_done" && ended["message"].is_null(), "no message ended it: {ended}");
    let (fresh, tick) = number("UpdatePosition", 0);
    let (stale, same_tick) = number("UpdatePosition", 1);
    assert_eq!((tick, stale), (same_tick, fresh + 1));
    assert_eq!((caused(fresh), caused(stale)), (vec![], vec!["rejected"]));
    assert_eq!(caused(number("SetState", 0).0), ["hidden"]);
    assert_eq!(caused(number("ParentEvent", 0).0), ["leave_ground", "parented"]);
    let around = async |live: &mut Live, guid: Guid, tick: u64| -> [Value; 2] {
        live.send(json!({ "command": "seek", "tick": tick })).await;
        live.send(json!({ "command": "select", "guid": guid.to_string(), "view": 0 })).await;
        live.message("explanation", |update| {
            !update["explanation"].is_null() && update["guid"] == guid.to_string()
        })
        .await;
        let moments = live.ask("moments", json!({ "command": "moments", "ticks": [tick, tick + 1] })).await;
        [0, 1].map(|index| moments["moments"][index]["explanation"].clone())
    };
    let [_, after] = around(&mut live, ASHA, tick).await;
    let verdict = |number: u64| {
        let taken = after["messages"].as_array().unwrap().iter();
        taken.filter(|taken| taken["number"] == number).map(|taken| taken["sentences"].to_string()).collect()
    };
    let (kept, dropped): (Vec<String>, Vec<String>) = (verdict(fresh), verdict(stale));
    assert!(kept.len() == 1 && kept[0].contains("interpolation queue (rule I4)"), "{kept:?}");
    assert!(
        dropped.len() == 1 && dropped[0].contains("dropped") && !kept[0].contains("dropped"),
        "{dropped:?}"
    );
    let [before, after] = around(&mut live, BRAM, number("SetState", 0).1).await;
    assert_eq!(
        after["physics"], "ignore collisions, gravity, hidden, edge slide",
        "from {}",
        before["physics"]
    );
    let [before, after] = around(&mut live, BRAM, number("UpdateMotion", 0).1).await;
    assert_eq!((&before["sticky"], &after["sticky"]), (&Value::Null, &json!(ASHA.to_string())));
    let [before, after] = around(&mut live, Guid(0x5000_0014), number("ParentEvent", 0).1).await;
    assert_eq!((&before["holder"], &after["holder"]), (&Value::Null, &json!(ASHA.to_string())));
    // The message of the player's own client moves the player.
    let (_, tick) = number("AutonomousPosition", 0);
    let [before, after] = around(&mut live, CAEL, tick).await;
    let x = |state: &Value| state["origin"][0].as_f64().unwrap();
    assert!((x(&before) - 84.0).abs() < 0.01 && (x(&after) - 80.0).abs() < 0.01, "{before} {after}");
}

#[tokio::test]
async fn two_recordings_are_compared_to_their_first_difference() {
    let lab = start().await;
    let stopping = (0..6_u16).map(|second| {
        let y = if second < 3 { 20.0 + 3.0 * f32::from(second) } else { 26.0 };
        (100.0 + f64::from(second), position(y, 2 + second))
    });
    let (a, _) = open(&lab, "a.pcap", &capture()).await;
    let (b, _) = open(&lab, "b.pcap", &captures::capture(stopping)).await;
    let compare = |a: &Value, b: &Value| format!("/api/compare?a={}&b={}", a["id"], b["id"]);
    let same = lab.get(&compare(&a, &a)).await.json();
    assert!(same["same"] == true && same["compared"].as_u64().is_some_and(|count| count > 100), "{same}");
    let difference = &lab.get(&compare(&a, &b)).await.json()["entities"][0];
    assert!(difference["t"].as_f64().is_some_and(|t| (2.9..3.3).contains(&t)), "{difference}");
    assert!(difference["fields"].to_string().contains("position"), "{difference}");
    assert!(difference["greatest_distance"].as_f64().is_some_and(|most| most > 5.0), "{difference}");
    assert_eq!(lab.get("/api/compare?a=1&b=99").await.status, 404);
}

/// A second recording is shown in a view of its own, at the same time as the first.
#[tokio::test]
async fn a_recording_is_shown_beside_another() {
    let lab = start().await;
    let slower = (0..4_u16)
        .map(|second| (900.0 + f64::from(second), position(20.0 + 2.0 * f32::from(second), 2 + second)));
    let (a, _) = open(&lab, "a.pcap", &capture()).await;
    let (b, _) = open(&lab, "b.pcap", &captures::capture(slower)).await;
    let mut live = lab.live(&format!("&mode=replay&recording={}&beside={}", a["id"], b["id"])).await;
    let hello = live.message("hello", |_| true).await;
    assert_eq!(
        hello["beside"],
        json!({ "recording": b["id"], "view": 1, "dat": 0, "offset": [0.0, 0.0, 0.0] })
    );
    assert_eq!(hello["views"][1]["name"], "b.pcap");
    let listed = live.message("entities", |update| update["complete"] == false).await;
    assert_eq!(listed["entities"][0]["view"], 1);
    live.send(json!({ "command": "seek", "t": 3.5 })).await;
    let tick = live.tick(|tick| tick.t > 3.4).await;
    let (first, second) = (tick.body(RUNNER.0, 0).unwrap(), tick.body(RUNNER.0, 1).unwrap());
    let apart = first.position[1] - second.position[1];
    assert!((2.0..4.0).contains(&apart), "{first:?} and {second:?}");
    assert!((second.error - apart).abs() < 1e-3, "its error is the distance from the first: {second:?}");
    let series = json!({ "command": "series", "guid": "0x50000002", "view": 1, "from": 0.0, "to": 9.0 });
    let series = live.ask("series", series).await;
    let errors: Vec<f64> = serde_json::from_value(series["error"].clone()).unwrap();
    assert!(
        errors[0] < 0.01 && errors.iter().any(|error| (error - f64::from(apart)).abs() < 0.01),
        "{errors:?}"
    );
    live.send(json!({ "command": "select", "guid": "0x50000002", "view": 1 })).await;
    let update = live.message("explanation", |update| !update["explanation"].is_null()).await;
    let y = update["explanation"]["position"][1].as_f64().unwrap() as f32;
    assert_eq!((update["view"].as_u64(), y), (Some(1), second.position[1]), "{update}");
    live.send(json!({ "command": "seek", "t": 6.5 })).await;
    let late = live.tick(|tick| tick.t > 6.4).await;
    assert!(late.body(RUNNER.0, 0).is_some() && late.body(RUNNER.0, 1).is_none(), "the second has ended");
}

/// The player of a capture and the client that it is of can be given.
#[tokio::test]
async fn a_capture_is_read_as_it_is_asked() {
    let lab = start().await;
    let open = async |query: &str| lab.upload(&format!("walk.pcap{query}"), &capture()).await;
    let answer = open("&self=0x50000002&era=2013").await;
    let mut live = lab.live(&format!("&mode=replay&recording={}", answer.json()["id"])).await;
    assert_eq!(live.message("hello", |_| true).await["player"], "0x50000002");
    assert_eq!((open("&era=1999").await.status, open("&self=me").await.status), (400, 400));
}

#[tokio::test]
async fn messages_of_a_capture_are_listed_decoded_and_filtered() {
    let lab = start().await;
    let (_, mut live) = open(&lab, "walk.pcap", &capture()).await;
    let all = json!({ "command": "messages", "from": 0, "to": 1e9 });
    let list = live.ask("messages", all.clone()).await;
    let messages = list["messages"].as_array().unwrap();
    assert_eq!(messages.len(), 8);
    let is_report = |message: &Value| message["name"] == "UpdatePosition" && message["guid"] == "0x50000002";
    assert!(messages.iter().all(is_report));
    let message = live.ask("message", json!({ "command": "message", "number": 7 })).await;
    assert_eq!(message["content"]["decoded"]["position"]["origin"], json!([84.0, 185.0, 5.0]));
    live.send(json!({ "command": "filter", "opcodes": ["UpdateMotion"] })).await;
    assert_eq!(live.ask("messages", all).await["messages"], json!([]));
}

/// The output of `simulate --json`: one view is the truth, as the last line says.
#[tokio::test]
async fn results_of_other_runs_can_be_opened() {
    let lab = start().await;
    let mut text = String::new();
    for tick in 0..30 {
        for (view, lag) in [("self Asha", 0.0), ("Watcher", 0.5)] {
            let line = json!({
                "t": f64::from(tick) / 30.0, "guid": "0x50000001", "cell": "0xA9B40019",
                "origin": [84.0, 60.0 + f64::from(tick) * 0.1 - lag, 94.0], "rotation": [1.0, 0.0, 0.0, 0.0],
                "contact": true, "style": "0x8000003D", "substate": "0x44000007", "animation": "0x03000003",
                "frame": tick % 24, "view": view,
            });
            text += &format!("{line}\n");
        }
    }
    let snap = json!({ "t": 0.9, "guid": "0x50000001", "event": "snap", "distance": 3, "view": "Watcher" });
    let truth = json!({ "view": "Watcher", "guid": "0x50000001", "truth": "self Asha" });
    text += &format!("{snap}\n{truth}\n");
    let (recording, mut live) = open(&lab, "result.jsonl", text.as_bytes()).await;
    assert_eq!(recording["kind"], "result");
    let hello = live.message("hello", |_| true).await;
    assert_eq!(hello["views"].as_array().map(Vec::len), Some(3));
    live.send(json!({ "command": "seek", "t": 0.5 })).await;
    let tick = live.tick(|tick| tick.t > 0.45).await;
    let seen = *tick.bodies.iter().find(|body| body.view != 0).unwrap();
    assert!((seen.error - 0.5).abs() < 1e-3, "{seen:?}");
    assert_eq!((seen.pose, seen.setup), (0x0300_0003, 0x0200_0001));
    let log = live.ask("event_log", json!({ "command": "events", "from": 0, "to": 1 })).await;
    assert_eq!((&log["events"][0]["event"], &log["events"][0]["distance"]), (&json!("snap"), &json!(3.0)));
    live.send(json!({ "command": "select", "guid": "0x50000001", "view": seen.view })).await;
    let update = live.message("explanation", |update| !update["explanation"].is_null()).await;
    assert_eq!(update["explanation"]["substate"]["name"], "RunForward");
}

#[tokio::test]
async fn a_scenario_is_simulated() {
    let lab = start().await;
    let scenario = "seconds = 3\n[[player]]\nname = \"Asha\"\nat = [96, 96]\n\
                    input = [{ at = 1, press = \"forward\" }]\n[[observer]]\nname = \"Watcher\"\nat = [96, 100]\n";
    let (recording, mut live) = open(&lab, "walk.toml", scenario.as_bytes()).await;
    assert_eq!(recording["kind"], "scenario");
    live.send(json!({ "command": "seek", "t": 2.9 })).await;
    let tick = live.tick(|tick| tick.t > 2.8).await;
    let (truth, seen) = (tick.body(0x5000_0001, 0).unwrap(), tick.body(0x5000_0001, 1).unwrap());
    assert!(truth.position[1] > 100.0 && seen.error < 2.0, "{truth:?} {seen:?}");
    let bad = lab.upload("bad.toml", b"seconds = 3\nsecond = 4").await;
    assert_eq!(bad.status, 422);
    assert!(bad.error().contains("second"), "{}", bad.error());
}

#[tokio::test]
async fn files_that_are_not_recordings_are_rejected_with_a_reason() {
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
        let error = answer.error();
        assert!(error.starts_with(name) && error.len() > name.len() + 10, "{error}");
    }
    assert_eq!(lab.get("/api/about").await.json()["recordings"], json!([]), "none of them is kept");
    let address = format!("ws://127.0.0.1:{}/api/live?token={}&mode=replay&recording=9", lab.port, lab.token);
    assert!(tokio_tungstenite::connect_async(address).await.unwrap_err().to_string().contains("404"));
}

#[tokio::test]
async fn a_file_that_is_too_large_is_rejected() {
    let lab = start().await;
    let answer = lab.upload("large", &vec![b'{'; (64 << 20) + 1]).await;
    assert_eq!(answer.status, 413);
    assert!(answer.error().contains("64 MB"));
}

#[tokio::test]
async fn the_oldest_recordings_are_closed() {
    let lab = start().await;
    for number in 0..6 {
        assert_eq!(lab.upload(&format!("walk{number}.pcap"), &capture()).await.status, 200);
    }
    let about = lab.get("/api/about").await.json();
    let recordings = about["recordings"].as_array().unwrap();
    let ids: Vec<u64> = recordings.iter().map(|recording| recording["id"].as_u64().unwrap()).collect();
    assert_eq!(ids, [3, 4, 5, 6]);
}

#[tokio::test]
async fn a_capture_can_be_followed_while_it_is_written() {
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
    writer.write_all(line(first.t + 3.0, &position(21.0, 3)).as_bytes()).unwrap();
    live.tick(|tick| tick.body(RUNNER.0, 0).is_some_and(|body| body.position[1] > 20.5)).await;
    drop(writer);
    // The state after each command says whether the capture has ended.
    loop {
        live.send(json!({ "command": "filter" })).await;
        let state = live.message("state", |_| true).await;
        if state["ended"] == true {
            break;
        }
        assert_eq!(state["live_input"], true);
    }
}
