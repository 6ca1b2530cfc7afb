//! A walk over the socket: the page's commands and what they change.

use crate::support::stepping::{PLAYER, PLAYER_ID, guid_of, key, pause, step, walk};
use crate::support::{Received, Tick};
use serde_json::{Value, json};

#[tokio::test]
async fn the_first_messages_describe_the_entities() {
    let (_lab, mut live) = walk().await;
    let update = live.message("entities", |_| true).await;
    assert_eq!(update["complete"], true);
    for name in ["You", "Beast", "Door"] {
        guid_of(&update, name);
    }
    let tick = live.tick(|tick| tick.body(PLAYER, 1).is_some()).await;
    let (truth, ghost) = (tick.body(PLAYER, 0).unwrap(), tick.body(PLAYER, 1).unwrap());
    assert_eq!((truth.setup, ghost.setup), (0x0200_0001, 0x0200_0001));
    assert!(truth.error.is_nan() && ghost.error < 0.1);
    assert_eq!(truth.flags & 0b10_0111, 0b10_0111, "on the ground, shown, the player");
    assert_ne!(truth.pose, 0, "an animation plays");
    let later = live.tick(|later| later.number > tick.number + 3).await;
    assert!(later.t > tick.t, "the clock runs without commands");
}

#[tokio::test]
async fn a_key_moves_the_player_until_it_is_released() {
    let (_lab, mut live) = walk().await;
    pause(&mut live).await;
    let start = step(&mut live, 1).await.body(PLAYER, 0).unwrap();
    key(&mut live, "forward", true).await;
    let moving = step(&mut live, 30).await.body(PLAYER, 0).unwrap();
    let north = moving.position[1] - start.position[1];
    assert!(north > 3.0, "a second of running: {north} m");
    assert!(moving.speed > 3.0, "{} m/s", moving.speed);
    key(&mut live, "forward", false).await;
    let stopped = step(&mut live, 60).await.body(PLAYER, 0).unwrap();
    assert!(stopped.speed < 0.01, "{} m/s", stopped.speed);
    let later = step(&mut live, 10).await.body(PLAYER, 0).unwrap();
    assert_eq!(later.position, stopped.position);
}

#[tokio::test]
async fn a_higher_latency_increases_the_observers_error() {
    let mut max_errors = Vec::new();
    for latency in [0, 400] {
        let (_lab, mut live) = walk().await;
        pause(&mut live).await;
        let change = json!({ "command": "network", "latency_ms": latency, "jitter_ms": 0, "update_hz": 5 });
        let state = live.execute(change).await;
        assert_eq!(state["walk"]["network"]["update_hz"], 5.0);
        key(&mut live, "forward", true).await;
        let last = step(&mut live, 60).await;
        let command = json!({ "command": "series", "guid": PLAYER_ID, "view": 1, "from": 0, "to": last.t });
        let series = live.ask("series", command).await;
        let errors = series["error"].as_array().unwrap();
        assert_eq!(errors.len(), series["t"].as_array().unwrap().len());
        max_errors.push(errors.iter().filter_map(Value::as_f64).fold(0.0, f64::max));
        let substates = series["substates"].as_array().unwrap();
        assert!(substates.iter().any(|span| span["motion"]["name"] == "RunForward"), "{substates:?}");
    }
    assert!(max_errors[1] > max_errors[0] + 0.8, "0.4 s at 4 m/s or more: {max_errors:?}");
}

#[tokio::test]
async fn releasing_a_charged_jump_leaves_the_ground() {
    let (_lab, mut live) = walk().await;
    pause(&mut live).await;
    let ground = step(&mut live, 1).await.body(PLAYER, 0).unwrap().position[2];
    key(&mut live, "jump", true).await;
    let charging = step(&mut live, 20).await;
    assert!(charging.charge > 0.2, "{}", charging.charge);
    key(&mut live, "jump", false).await;
    let rising = step(&mut live, 10).await;
    assert!(rising.charge < 0.0 && rising.body(PLAYER, 0).unwrap().position[2] > ground + 0.5);
    let landed = step(&mut live, 90).await;
    assert!((landed.body(PLAYER, 0).unwrap().position[2] - ground).abs() < 0.01);
    let log = live.ask("event_log", json!({ "command": "events", "from": 0, "to": landed.t })).await;
    let events = log["events"].as_array().unwrap();
    for name in ["leave_ground", "hit_ground"] {
        let is_own =
            |event: &Value| event["event"] == name && event["view"] == 0 && event["guid"] == PLAYER_ID;
        assert!(events.iter().any(is_own), "{name}: {log}");
    }
    assert!(events.iter().all(|event| event["event"] != "other"), "every event has a form of its own: {log}");
}

#[tokio::test]
async fn recorded_ticks_can_be_played_backwards() {
    let (_lab, mut live) = walk().await;
    pause(&mut live).await;
    key(&mut live, "forward", true).await;
    let early = step(&mut live, 20).await;
    let late = step(&mut live, 20).await;
    live.send(json!({ "command": "seek", "tick": early.number })).await;
    let again = live.tick(|tick| tick.number == early.number).await;
    assert_eq!(again.body(PLAYER, 0).unwrap().position, early.body(PLAYER, 0).unwrap().position);
    assert_eq!(again.flags & 0b111, 0b110, "not the newest, paused, discontinuous");
    live.send(json!({ "command": "step", "ticks": -1 })).await;
    live.tick(|tick| tick.number == early.number - 1).await;
    live.send(json!({ "command": "seek", "t": late.t })).await;
    live.send(json!({ "command": "play", "rate": -8 })).await;
    live.tick(|tick| tick.number < early.number).await;
    live.state(|state| state["mode"] == "paused" && state["tick"].as_u64() <= Some(early.number.into()))
        .await;
    live.send(json!({ "command": "live" })).await;
    let newer = live.tick(|tick| tick.number > late.number).await;
    assert!(newer.body(PLAYER, 0).unwrap().position[1] >= late.body(PLAYER, 0).unwrap().position[1]);
}

/// A walk continues from the tick that is shown. With the same commands it is the same walk again, to the bit; what was
/// recorded after that tick is dropped.
#[tokio::test]
async fn a_walk_continues_from_an_earlier_tick() {
    let (_lab, mut live) = walk().await;
    pause(&mut live).await;
    // A walk that continues is live. At this speed few ticks pass until it is paused again.
    live.execute(json!({ "command": "speed", "factor": 0.05 })).await;
    key(&mut live, "forward", true).await;
    let early = step(&mut live, 40).await;
    let (turn, end) = (early.number + 30, early.number + 80);
    let mut ends = Vec::new();
    let mut current = early.number;
    for turn_key in ["turn_right", "turn_right", "turn_left"] {
        assert!(current <= turn, "the machine is too slow for this test: tick {current}");
        step(&mut live, turn - current).await;
        key(&mut live, turn_key, true).await;
        let last = step(&mut live, end - turn).await;
        assert_eq!(last.number, end);
        let position = |view| last.body(PLAYER, view).unwrap().position.map(f32::to_bits);
        ends.push((position(0), position(1)));
        key(&mut live, turn_key, false).await;
        live.execute(json!({ "command": "seek", "tick": early.number })).await;
        let state = live.execute(json!({ "command": "continue" })).await;
        assert_eq!(state["mode"], "live");
        let state = live.execute(json!({ "command": "pause", "on": true })).await;
        current = u32::try_from(state["last_tick"].as_u64().unwrap()).unwrap();
        assert_eq!(state["tick"], current, "the ticks after the one shown are dropped");
    }
    assert!(ends[0] == ends[1] && ends[1] != ends[2], "{ends:?}");
    let all = live.ask("messages", json!({ "command": "messages", "from": 0, "to": 1e9 })).await;
    let messages = all["messages"].as_array().unwrap();
    let is_next =
        |two: &[Value]| two[1]["number"].as_u64() == two[0]["number"].as_u64().map(|number| number + 1);
    assert!(messages.windows(2).all(is_next), "{all}");
    assert!(messages.iter().all(|message| message["tick"].as_u64() <= Some(current.into())), "{all}");
}

#[tokio::test]
async fn continuing_at_the_newest_tick_only_goes_live() {
    let (_lab, mut live) = walk().await;
    pause(&mut live).await;
    let last = step(&mut live, 5).await;
    let state = live.execute(json!({ "command": "continue" })).await;
    assert_eq!(state["mode"], "live");
    live.tick(|tick| tick.number > last.number).await;
}

/// The same commands at the same ticks give the same walk, to the bit. Only while paused do commands fall on exact ticks.
#[tokio::test]
async fn stepping_is_deterministic() {
    let mut ends = Vec::new();
    for _ in 0..2 {
        let (_lab, mut live) = walk().await;
        pause(&mut live).await;
        live.execute(json!({ "command": "reset" })).await;
        pause(&mut live).await;
        let now = step(&mut live, 1).await;
        step(&mut live, 30 - now.number).await;
        key(&mut live, "forward", true).await;
        key(&mut live, "turn_right", true).await;
        let end = step(&mut live, 40).await;
        let position = |view| end.body(PLAYER, view).unwrap().position.map(f32::to_bits);
        ends.push((position(0), position(1)));
    }
    assert_eq!(ends[0], ends[1]);
}

#[tokio::test]
async fn the_selected_entity_is_explained() {
    let (_lab, mut live) = walk().await;
    pause(&mut live).await;
    live.send(json!({ "command": "select", "guid": PLAYER_ID, "view": 1 })).await;
    key(&mut live, "forward", true).await;
    let last = step(&mut live, 45).await;
    let update = live.message("explanation", |update| update["tick"] == last.number).await;
    let explanation = &update["explanation"];
    assert_eq!(explanation["style"]["name"], "NonCombat");
    assert!(explanation["stamps"]["movement"].as_u64().unwrap() > 0);
    assert!(explanation["interpolation"]["nodes"].is_array() && explanation["queue"].is_array());
    assert!(!explanation["step"]["sentences"].as_array().unwrap().is_empty());
    let error = live.ask("error", json!({ "command": "select", "guid": "0x12345678", "view": 0 })).await;
    assert!(error["error"].as_str().unwrap().contains("0x12345678"), "{error}");
}

#[tokio::test]
async fn messages_are_listed_and_decoded() {
    let (_lab, mut live) = walk().await;
    pause(&mut live).await;
    key(&mut live, "forward", true).await;
    let last = step(&mut live, 30).await;
    let list = live.ask("messages", json!({ "command": "messages", "from": 0, "to": last.t })).await;
    let messages = list["messages"].as_array().unwrap();
    let sent = messages.iter().rfind(|message| message["name"] == "MoveToState").expect("the key is sent");
    assert_eq!((sent["direction"].as_str(), sent["connection"].as_str()), (Some("C2S"), Some("player")));
    let to_observer = messages
        .iter()
        .find(|message| message["name"] == "UpdateMotion" && message["connection"] == "observer");
    assert!(to_observer.is_some(), "the server sends it on to the observer");
    let message = live.ask("message", json!({ "command": "message", "number": sent["number"] })).await;
    assert_eq!(message["content"]["decoded"]["raw"]["forward_command"], "0x45000005");
}

#[tokio::test]
async fn creatures_follow_orders_and_doors_open() {
    let (_lab, mut live) = walk().await;
    let update = live.message("entities", |_| true).await;
    let ((beast_id, beast), (door_id, door)) = (guid_of(&update, "Beast"), guid_of(&update, "Door"));
    pause(&mut live).await;
    let before = step(&mut live, 1).await;
    live.send(json!({ "command": "creature", "guid": beast_id, "order": "chase" })).await;
    live.send(json!({ "command": "door", "guid": door_id })).await;
    let soon = step(&mut live, 3).await;
    let state = live.states.last().unwrap().clone();
    let creatures = state["walk"]["creatures"].as_array().unwrap();
    let activities: Vec<_> =
        creatures.iter().map(|creature| creature["activity"].as_str().unwrap()).collect();
    assert_eq!(activities, ["chase", "open"]);
    let after = step(&mut live, 60).await;
    let distance = |tick: &Tick| {
        let (a, b) = (tick.body(PLAYER, 0).unwrap().position, tick.body(beast, 0).unwrap().position);
        (0..3).map(|axis| (a[axis] - b[axis]).powi(2)).sum::<f32>().sqrt()
    };
    assert!(distance(&after) < distance(&before) - 1.0, "{} to {}", distance(&before), distance(&after));
    let pose = |tick: &Tick| tick.body(door, 0).unwrap().pose;
    assert_eq!(
        [&before, &soon, &after].map(pose),
        [0x0300_0301, 0x0300_0302, 0x0300_0303],
        "closed, opening, open"
    );
    let command = json!({ "command": "creature", "guid": door_id, "order": "dance" });
    let error = live.ask("error", command).await;
    assert!(error["error"].as_str().unwrap().contains("chase"), "{error}");
}

#[tokio::test]
async fn a_closed_door_blocks_the_player_in_every_view() {
    let (_lab, mut live) = walk().await;
    let update = live.message("entities", |_| true).await;
    let (door_id, door) = guid_of(&update, "Door");
    pause(&mut live).await;
    key(&mut live, "forward", true).await;
    let before = step(&mut live, 180).await;
    let leaf = before.body(door, 0).unwrap().position[1];
    for view in [0, 1] {
        let gap = leaf - before.body(PLAYER, view).unwrap().position[1];
        assert!((0.5..0.9).contains(&gap), "view {view}: {gap} m before the door");
    }
    live.execute(json!({ "command": "door", "guid": door_id })).await;
    let after = step(&mut live, 90).await;
    for view in [0, 1] {
        let gap = after.body(PLAYER, view).unwrap().position[1] - leaf;
        assert!(gap > 1.0, "view {view}: {gap} m behind the door");
    }
}

#[tokio::test]
async fn a_crowd_has_at_most_500_walkers() {
    let (_lab, mut live) = walk().await;
    pause(&mut live).await;
    let state = live.execute(json!({ "command": "crowd", "count": 40 })).await;
    assert_eq!(state["walk"]["crowd"], 40);
    pause(&mut live).await;
    let tick = step(&mut live, 30).await;
    let truths = tick.bodies.iter().filter(|body| body.view == 0).count();
    assert_eq!(truths, 3 + 3 + 40, "the player with sword and bow, beast, door and shield, the crowd");
    let state = live.execute(json!({ "command": "crowd", "count": 500 })).await;
    assert_eq!(state["walk"]["crowd"], 500);
    let refusal = live.ask("refused", json!({ "command": "crowd", "count": 501 })).await;
    assert!(refusal["reason"].as_str().unwrap().contains("500"), "{refusal}");
}

#[tokio::test]
async fn invalid_commands_are_answered_and_too_long_ones_close_the_socket() {
    let (_lab, mut live) = walk().await;
    for command in [
        json!([]),
        json!({}),
        json!({ "command": "fly" }),
        json!({ "command": "key", "key": "w", "down": true }),
        json!({ "command": "network", "loss": 7 }),
        json!({ "command": "speed", "factor": 0 }),
        json!({ "command": "step", "ticks": 1_000_000 }),
        json!({ "command": "seek" }),
        json!({ "command": "emote", "motion": "Ready" }),
        json!({ "command": "walk_to", "position": [1e39, 0, 0] }),
        json!({ "command": "message", "number": 1_000_000 }),
        json!({ "command": "use", "guid": "0x50000001" }),
        json!({ "command": "door", "guid": "0x80000001" }),
        json!({ "command": "pick_up", "guid": "0x50000001" }),
        json!({ "command": "wield", "guid": "0x12345678" }),
        json!({ "command": "attack", "target": "0x80000001", "height": "knee", "power": 1 }),
        json!({ "command": "attack", "target": "0x80000001", "height": "low", "power": 1e39 }),
        json!({ "command": "cast", "spell": "bolt", "target": null }),
        json!({ "command": "camera", "pivot": [0, 0], "eye": [0, 0, 0] }),
        json!({ "command": "next", "target": "comet" }),
    ] {
        live.send(command.clone()).await;
        loop {
            match live.next().await {
                Received::Text(value) if value["type"] == "error" || value["type"] == "refused" => break,
                Received::Closed => panic!("{command} closed the socket"),
                _ => {}
            }
        }
    }
    live.send(json!({ "command": "emote", "motion": "x".repeat(20_000) })).await;
    while !matches!(live.next().await, Received::Closed) {}
}

/// The server answers later than the command, and the page learns of it without asking.
#[tokio::test]
async fn the_state_shows_a_stance_when_the_server_has_answered() {
    let (_lab, mut live) = walk().await;
    live.send(json!({ "command": "stance", "stance": "melee" })).await;
    let state = live.message("state", |state| state["walk"]["player"]["stance"] == "melee").await;
    assert_eq!(state["walk"]["player"]["style"]["name"], "SwordCombat");
}

/// The sword is drawn in the player's hand in its melee stance, for the player and as the observer sees it, and not at
/// all in another stance.
#[tokio::test]
async fn the_player_holds_a_sword_in_its_melee_stance() {
    const SWORD: u32 = 0x6000_0001;
    const SWORD_SETUP: u32 = 0x0200_0004;
    const SHOWN: u8 = 4;
    const ATTACHED: u8 = 128;
    let (_lab, mut live) = walk().await;
    pause(&mut live).await;
    let before = step(&mut live, 30).await;
    assert_eq!(before.body(SWORD, 0).unwrap().flags & (SHOWN | ATTACHED), 0, "put away");
    live.execute(json!({ "command": "stance", "stance": "melee" })).await;
    let armed = step(&mut live, 60).await;
    key(&mut live, "forward", true).await;
    let running = step(&mut live, 30).await;
    for tick in [&armed, &running] {
        for view in [0, 1] {
            let (body, sword) = (tick.body(PLAYER, view).unwrap(), tick.body(SWORD, view).unwrap());
            assert_eq!((sword.setup, sword.flags & (SHOWN | ATTACHED)), (SWORD_SETUP, SHOWN | ATTACHED));
            let offset = [0, 1, 2].map(|axis| sword.position[axis] - body.position[axis]);
            let distance = offset.iter().map(|offset| offset * offset).sum::<f32>().sqrt();
            assert!((0.5..1.6).contains(&distance) && offset[2] > 0.4, "not in a hand: {offset:?}");
        }
    }
    let log = live.ask("event_log", json!({ "command": "events", "from": 0, "to": running.t })).await;
    let events = log["events"].as_array().unwrap();
    let parented = |event: &&Value| event["event"] == "parented" && event["parent"] == PLAYER_ID;
    assert!(events.iter().filter(parented).count() >= 2, "in both views: {log}");
    key(&mut live, "forward", false).await;
    live.execute(json!({ "command": "stance", "stance": "peace" })).await;
    let after = step(&mut live, 90).await;
    assert_eq!(after.body(SWORD, 0).unwrap().flags & (SHOWN | ATTACHED), 0, "put away again");
}
