//! A walk over the live socket: what the page does, and what it is shown.

mod support;

use serde_json::{Value, json};
use support::{Came, Live, start};

/// The player's id in the server in a box.
const PLAYER: u32 = 0x5000_0001;

async fn walk() -> (support::Running, Live) {
    let lab = start().await;
    let mut live = lab.live("&mode=walk").await;
    let hello = live.text("hello", |_| true).await;
    assert_eq!((hello["mode"].as_str(), hello["self"].as_str()), (Some("walk"), Some("0x50000001")));
    assert_eq!(hello["views"].as_array().map(Vec::len), Some(3));
    (lab, live)
}

async fn key(live: &mut Live, key: &str, down: bool) {
    live.done(json!({ "do": "key", "key": key, "down": down })).await;
}

/// Paused at the newest tick; ticks come only by `step` from here on, so nothing depends on how fast the machine is.
async fn pause(live: &mut Live) {
    let state = live.done(json!({ "do": "pause", "on": true })).await;
    assert_eq!(state["mode"], "paused");
}

/// So many ticks, however long they take; the last.
async fn step(live: &mut Live, ticks: u32) -> support::Tick {
    let state = live.done(json!({ "do": "step", "ticks": ticks })).await;
    let number = u32::try_from(state["tick"].as_u64().unwrap()).unwrap();
    // The tick itself may have been before the state: it is asked for once more.
    live.send(json!({ "do": "seek", "tick": number })).await;
    live.tick(|tick| tick.number == number).await
}

#[tokio::test]
async fn the_page_is_told_who_is_there() {
    let (_lab, mut live) = walk().await;
    let roster = live.text("roster", |_| true).await;
    let names: Vec<&str> =
        roster["here"].as_array().unwrap().iter().map(|one| one["name"].as_str().unwrap()).collect();
    assert!(names.contains(&"You") && names.contains(&"Beast") && names.contains(&"Door"), "{names:?}");
    let tick = live.tick(|tick| tick.body(PLAYER, 1).is_some()).await;
    let (truth, ghost) = (tick.body(PLAYER, 0).unwrap(), tick.body(PLAYER, 1).unwrap());
    assert_eq!((truth.setup, ghost.setup), (0x0200_0001, 0x0200_0001));
    assert!(truth.error.is_nan() && ghost.error < 0.1);
    assert_eq!(truth.flags & 0b10_0111, 0b10_0111, "he stands on the ground, is shown, and is the player");
    assert_ne!(truth.pose, 0, "something is played");
    // The clock runs by itself.
    let later = live.tick(|later| later.number > tick.number + 3).await;
    assert!(later.t > tick.t);
}

#[tokio::test]
async fn a_key_moves_the_player_until_it_is_let_go() {
    let (_lab, mut live) = walk().await;
    pause(&mut live).await;
    let start = step(&mut live, 1).await.body(PLAYER, 0).unwrap();
    key(&mut live, "forward", true).await;
    let moving = step(&mut live, 30).await.body(PLAYER, 0).unwrap();
    let north = moving.place[1] - start.place[1];
    assert!(north > 3.0, "a second of running: {north} m");
    assert!(moving.speed > 3.0, "{} m/s", moving.speed);
    key(&mut live, "forward", false).await;
    let resting = step(&mut live, 60).await.body(PLAYER, 0).unwrap();
    assert!(resting.speed < 0.01, "{} m/s", resting.speed);
    let still = step(&mut live, 10).await.body(PLAYER, 0).unwrap();
    assert_eq!(still.place, resting.place);
}

/// The same walk with a better and a worse network: what the observer sees is farther off with the worse one.
#[tokio::test]
async fn a_slower_network_shows_the_player_farther_from_where_he_is() {
    let mut worst = Vec::new();
    for latency in [0, 400] {
        let (_lab, mut live) = walk().await;
        pause(&mut live).await;
        let state = live
            .done(json!({ "do": "network", "latency_ms": latency, "jitter_ms": 0, "update_hz": 5 }))
            .await;
        assert_eq!(state["network"]["update_hz"], 5.0);
        key(&mut live, "forward", true).await;
        let last = step(&mut live, 60).await;
        live.send(
            json!({ "do": "series", "guid": "0x50000001", "view": 1, "from": 0, "to": last.t, "n": 7 }),
        )
        .await;
        let series = live.text("series", |series| series["n"] == 7).await;
        let errors = series["error"].as_array().unwrap();
        assert_eq!(errors.len(), series["t"].as_array().unwrap().len());
        worst.push(errors.iter().filter_map(Value::as_f64).fold(0.0, f64::max));
        assert!(series["substate"].as_array().unwrap().iter().any(|state| state[2]["name"] == "RunForward"));
    }
    assert!(worst[1] > worst[0] + 0.8, "0.4 s at 4 m/s and more: {worst:?}");
}

#[tokio::test]
async fn a_jump_is_charged_and_leaves_the_ground() {
    let (_lab, mut live) = walk().await;
    pause(&mut live).await;
    let ground = step(&mut live, 1).await.body(PLAYER, 0).unwrap().place[2];
    key(&mut live, "jump", true).await;
    let charging = step(&mut live, 20).await;
    assert!(charging.charge > 0.2, "{}", charging.charge);
    key(&mut live, "jump", false).await;
    let up = step(&mut live, 10).await;
    assert!(up.charge < 0.0 && up.body(PLAYER, 0).unwrap().place[2] > ground + 0.5);
    let landed = step(&mut live, 90).await;
    assert!((landed.body(PLAYER, 0).unwrap().place[2] - ground).abs() < 0.01);
    live.send(json!({ "do": "events", "from": 0, "to": landed.t, "n": "log" })).await;
    let log = live.text("log", |log| log["n"] == "log").await;
    for name in ["leave_ground", "hit_ground"] {
        let own =
            |event: &Value| event["event"] == name && event["view"] == 0 && event["guid"] == "0x50000001";
        assert!(log["list"].as_array().unwrap().iter().any(own), "{name}: {log}");
    }
}

/// What was recorded can be wound back to, and is what it was; then the walk goes on where it had stopped.
#[tokio::test]
async fn time_runs_backward_through_what_was_recorded() {
    let (_lab, mut live) = walk().await;
    pause(&mut live).await;
    key(&mut live, "forward", true).await;
    let early = step(&mut live, 20).await;
    let late = step(&mut live, 20).await;
    live.send(json!({ "do": "seek", "tick": early.number })).await;
    let again = live.tick(|tick| tick.number == early.number).await;
    assert_eq!(again.body(PLAYER, 0).unwrap().place, early.body(PLAYER, 0).unwrap().place);
    assert_eq!(again.flags & 0b111, 0b110, "an old tick, the clock stands, and nothing leads there");
    live.send(json!({ "do": "step", "ticks": -1 })).await;
    live.tick(|tick| tick.number == early.number - 1).await;
    live.send(json!({ "do": "seek", "t": late.t })).await;
    live.send(json!({ "do": "play", "rate": -8 })).await;
    live.tick(|tick| tick.number < early.number).await;
    live.until(|state| state["mode"] == "paused" && state["tick"].as_u64() <= Some(early.number.into()))
        .await;
    live.send(json!({ "do": "live" })).await;
    let on = live.tick(|tick| tick.number > late.number).await;
    assert!(on.body(PLAYER, 0).unwrap().place[1] >= late.body(PLAYER, 0).unwrap().place[1]);
}

/// The same inputs at the same ticks give the same walk, to the bit: only paused it is the tick that counts.
#[tokio::test]
async fn stepping_is_deterministic() {
    let mut ends = Vec::new();
    for _ in 0..2 {
        let (_lab, mut live) = walk().await;
        pause(&mut live).await;
        live.done(json!({ "do": "reset" })).await;
        pause(&mut live).await;
        let now = step(&mut live, 1).await;
        step(&mut live, 30 - now.number).await;
        key(&mut live, "forward", true).await;
        key(&mut live, "turn_right", true).await;
        let end = step(&mut live, 40).await;
        let place = |view| end.body(PLAYER, view).unwrap().place.map(f32::to_bits);
        ends.push((place(0), place(1)));
    }
    assert_eq!(ends[0], ends[1]);
}

#[tokio::test]
async fn who_is_selected_is_explained() {
    let (_lab, mut live) = walk().await;
    pause(&mut live).await;
    live.send(json!({ "do": "select", "guid": "0x50000001", "view": 1 })).await;
    key(&mut live, "forward", true).await;
    let last = step(&mut live, 45).await;
    let why = live.text("why", |why| why["tick"] == last.number).await;
    let why = &why["why"];
    assert_eq!(why["style"]["name"], "NonCombat");
    assert!(why["stamps"]["movement"].as_u64().unwrap() > 0);
    assert!(why["interpolation"]["nodes"].is_array() && why["queue"].is_array());
    assert!(!why["explain"]["words"].as_array().unwrap().is_empty());
    live.send(json!({ "do": "select", "guid": "0x12345678", "view": 0, "n": 1 })).await;
    let error = live.text("error", |error| error["n"] == 1).await;
    assert!(error["error"].as_str().unwrap().contains("0x12345678"));
}

#[tokio::test]
async fn messages_can_be_looked_into() {
    let (_lab, mut live) = walk().await;
    pause(&mut live).await;
    key(&mut live, "forward", true).await;
    let last = step(&mut live, 30).await;
    live.send(json!({ "do": "messages", "from": 0, "to": last.t, "n": 1 })).await;
    let mail = live.text("mail", |mail| mail["n"] == 1).await;
    let list = mail["list"].as_array().unwrap();
    let sent =
        list.iter().rfind(|letter| letter["name"] == "MoveToState").expect("the key was told to the server");
    assert_eq!((sent["direction"].as_str(), sent["link"].as_str()), (Some("C2S"), Some("player")));
    let told = list.iter().find(|letter| letter["name"] == "UpdateMotion" && letter["link"] == "observer");
    assert!(told.is_some(), "and the observer was told");
    live.send(json!({ "do": "message", "number": sent["number"], "n": 2 })).await;
    let message = live.text("message", |message| message["n"] == 2).await;
    assert_eq!(message["text"]["decoded"]["raw"]["forward_command"], "0x45000005");
}

#[tokio::test]
async fn creatures_obey_and_doors_open() {
    let (_lab, mut live) = walk().await;
    let roster = live.text("roster", |_| true).await;
    let guid = |name: &str| {
        let here = roster["here"].as_array().unwrap();
        here.iter().find(|one| one["name"] == name).unwrap()["guid"].as_str().unwrap().to_owned()
    };
    let (beast, door) = (guid("Beast"), guid("Door"));
    let number = |text: &str| u32::from_str_radix(&text[2..], 16).unwrap();
    pause(&mut live).await;
    let before = step(&mut live, 1).await;
    live.send(json!({ "do": "creature", "guid": beast, "order": "chase" })).await;
    let state = live.done(json!({ "do": "use", "guid": door })).await;
    let told: Vec<_> =
        state["creatures"].as_array().unwrap().iter().map(|one| one["order"].as_str().unwrap()).collect();
    assert_eq!(told, ["chase", "open"]);
    let soon = step(&mut live, 3).await;
    let after = step(&mut live, 60).await;
    let distance = |tick: &support::Tick| {
        let (a, b) = (tick.body(PLAYER, 0).unwrap().place, tick.body(number(&beast), 0).unwrap().place);
        (0..3).map(|axis| (a[axis] - b[axis]).powi(2)).sum::<f32>().sqrt()
    };
    assert!(distance(&after) < distance(&before) - 1.0, "{} to {}", distance(&before), distance(&after));
    let pose = |tick: &support::Tick| tick.body(number(&door), 0).unwrap().pose;
    assert_eq!(
        [&before, &soon, &after].map(pose),
        [0x0300_0301, 0x0300_0302, 0x0300_0303],
        "closed, opening, open"
    );
    live.send(json!({ "do": "creature", "guid": door, "order": "dance", "n": 3 })).await;
    let refused = live.text("refused", |refused| refused["n"] == 3).await;
    assert!(refused["why"].as_str().unwrap().contains("chase"), "{refused}");
}

/// Whoever runs on from the start stands before the door, as he sees it and as others do, until it is opened.
#[tokio::test]
async fn the_closed_door_is_in_the_way() {
    let (_lab, mut live) = walk().await;
    let roster = live.text("roster", |_| true).await;
    let door = roster["here"].as_array().unwrap().iter().find(|one| one["name"] == "Door").unwrap();
    let door = door["guid"].as_str().unwrap().to_owned();
    let number = u32::from_str_radix(&door[2..], 16).unwrap();
    pause(&mut live).await;
    key(&mut live, "forward", true).await;
    let before = step(&mut live, 180).await;
    let leaf = before.body(number, 0).unwrap().place[1];
    for view in [0, 1] {
        let gap = leaf - before.body(PLAYER, view).unwrap().place[1];
        assert!((0.5..0.9).contains(&gap), "view {view}: {gap} m before the door");
    }
    live.done(json!({ "do": "use", "guid": door })).await;
    let after = step(&mut live, 90).await;
    for view in [0, 1] {
        let gap = after.body(PLAYER, view).unwrap().place[1] - leaf;
        assert!(gap > 1.0, "view {view}: {gap} m behind the door");
    }
}

#[tokio::test]
async fn a_crowd_walks_about() {
    let (_lab, mut live) = walk().await;
    pause(&mut live).await;
    let state = live.done(json!({ "do": "crowd", "count": 40 })).await;
    assert_eq!(state["crowd"], 40);
    pause(&mut live).await;
    let tick = step(&mut live, 30).await;
    let truths = tick.bodies.iter().filter(|body| body.view == 0).count();
    assert_eq!(truths, 1 + 2 + 40);
    live.send(json!({ "do": "crowd", "count": 501, "n": 1 })).await;
    assert!(live.text("refused", |refused| refused["n"] == 1).await["why"].as_str().unwrap().contains("500"));
}

/// Garbage is answered in words and changes nothing; what is too long ends the session.
#[tokio::test]
async fn garbage_is_answered_in_words() {
    let (_lab, mut live) = walk().await;
    for text in [
        json!([]),
        json!({}),
        json!({ "do": "fly" }),
        json!({ "do": "key", "key": "w", "down": true }),
        json!({ "do": "network", "loss": 7 }),
        json!({ "do": "speed", "factor": 0 }),
        json!({ "do": "step", "ticks": 1_000_000 }),
        json!({ "do": "seek" }),
        json!({ "do": "emote", "motion": "Ready" }),
        json!({ "do": "walk_to", "place": [1e39, 0, 0] }),
        json!({ "do": "message", "number": 1_000_000 }),
        json!({ "do": "use", "guid": "0x50000001" }),
        json!({ "do": "next", "what": "comet" }),
    ] {
        live.send(text.clone()).await;
        loop {
            match live.next().await {
                Came::Text(value) if value["type"] == "error" || value["type"] == "refused" => break,
                Came::Closed => panic!("{text} closed the socket"),
                _ => {}
            }
        }
    }
    live.send(json!({ "do": "emote", "motion": "x".repeat(20_000) })).await;
    while !matches!(live.next().await, Came::Closed) {}
}

/// Sockets that close make room: after eight the ninth is refused, until one goes.
#[tokio::test]
async fn eight_pages_and_no_more() {
    let lab = start().await;
    let mut pages = Vec::new();
    for _ in 0..8 {
        pages.push(lab.live("&mode=walk").await);
    }
    let address = format!("ws://127.0.0.1:{}/api/live?token={}&mode=walk", lab.port, lab.token);
    let refused = tokio_tungstenite::connect_async(&address).await.unwrap_err();
    assert!(refused.to_string().contains("503"), "{refused}");
    pages.pop();
    let mut tries = 0;
    while tokio_tungstenite::connect_async(&address).await.is_err() {
        tries += 1;
        assert!(tries < 600, "a closed page makes room");
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
}
