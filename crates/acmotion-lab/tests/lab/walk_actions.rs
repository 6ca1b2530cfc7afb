//! What the player of a walk does besides walking: attacks, shots, spells, items, doors; and the camera.

use crate::support::stepping::{PLAYER, guid_of, pause, step, walk};
use crate::support::{Body, Live, Tick};
use serde_json::{Value, json};

const SWORD: &str = "0x60000001";
const BOW: u32 = 0x6100_0001;
const SHIELD: &str = "0x62000001";
const SHIELD_GUID: u32 = 0x6200_0001;
const FIRST_MISSILE: u32 = 0x7000_0001;
const SHOWN: u8 = 4;
const ATTACHED: u8 = 128;

/// The steps of the newest request with a title, joined, and its outcome.
async fn request(live: &mut Live, title: &str) -> (String, String) {
    // Pausing again only asks for the state.
    let state = live.execute(json!({ "command": "pause", "on": true })).await;
    let requests = state["walk"]["requests"].as_array().unwrap();
    let found = requests.iter().rev().find(|request| request["title"] == title);
    let request = found.unwrap_or_else(|| panic!("no {title}: {requests:?}"));
    let steps: Vec<&str> =
        request["steps"].as_array().unwrap().iter().map(|step| step["text"].as_str().unwrap()).collect();
    (steps.join(", "), request["outcome"].as_str().unwrap().into())
}

async fn stance(live: &mut Live, stance: &str) {
    live.execute(json!({ "command": "stance", "stance": stance })).await;
    step(live, 60).await;
}

/// Orders the beast to stay, and returns its id.
async fn beast(live: &mut Live) -> String {
    let update = live.message("entities", |_| true).await;
    let (id, _) = guid_of(&update, "Beast");
    pause(live).await;
    id
}

fn distance(a: Body, b: Body) -> f32 {
    (0..3).map(|axis| (a.position[axis] - b.position[axis]).powi(2)).sum::<f32>().sqrt()
}

#[tokio::test]
async fn an_attack_charges_hits_and_is_told_in_words() {
    let (_lab, mut live) = walk().await;
    let beast = beast(&mut live).await;
    stance(&mut live, "melee").await;
    let command = json!({ "command": "attack", "target": beast, "height": "high", "power": 0.5 });
    live.execute(command).await;
    step(&mut live, 120).await;
    let (steps, outcome) = request(&mut live, "Attack Beast").await;
    assert_eq!(outcome, "under_way", "{steps}");
    let order = ["asks the server", "charges", "SlashHigh", "hit at ", "swing done"];
    let places: Vec<Option<usize>> = order.iter().map(|word| steps.find(word)).collect();
    assert!(places.iter().all(Option::is_some) && places.is_sorted(), "{steps}");
    live.execute(json!({ "command": "cancel_attack" })).await;
    step(&mut live, 90).await;
    let (steps, outcome) = request(&mut live, "Attack Beast").await;
    assert_eq!(outcome, "cancelled", "{steps}");
}

/// Held like a key, the attack has the power of the time for which it was held.
#[tokio::test]
async fn the_power_bar_fills_while_the_attack_key_is_held() {
    let (_lab, mut live) = walk().await;
    let beast = beast(&mut live).await;
    stance(&mut live, "melee").await;
    live.execute(json!({ "command": "begin_attack", "target": beast, "height": "low" })).await;
    step(&mut live, 12).await;
    let power = live.states.last().unwrap()["walk"]["player"]["attack_power"].as_f64().unwrap();
    assert!((0.3..0.45).contains(&power), "0.4 s of a second: {power}");
    live.execute(json!({ "command": "end_attack" })).await;
    step(&mut live, 90).await;
    assert_eq!(live.states.last().unwrap()["walk"]["player"]["attack_power"], Value::Null);
    let (steps, _) = request(&mut live, "Attack Beast").await;
    assert!(steps.contains("SlashLow"), "{steps}");
}

#[tokio::test]
async fn refused_requests_say_why() {
    let (_lab, mut live) = walk().await;
    let beast = beast(&mut live).await;
    let refused = live.ask("refused", json!({ "command": "cast", "spell": "bolt", "target": null })).await;
    assert_eq!(refused["reason"], "there is no target");
    assert_eq!(
        request(&mut live, "Cast bolt").await,
        ("refused: there is no target".into(), "refused".into())
    );
    live.execute(json!({ "command": "attack", "target": null, "height": "low", "power": 0 })).await;
    step(&mut live, 2).await;
    let expected = ("refused: there is no target".into(), "refused".into());
    assert_eq!(request(&mut live, "Attack").await, expected);
    live.execute(json!({ "command": "attack", "target": beast, "height": "low", "power": 0 })).await;
    step(&mut live, 2).await;
    let expected = ("refused: the stance does not allow it".into(), "refused".into());
    assert_eq!(request(&mut live, "Attack Beast").await, expected);
}

/// The bow is in the left hand, with its own placement; the arrow is drawn in every view until it has hit.
#[tokio::test]
async fn a_shot_sends_an_arrow_that_every_view_shows() {
    let (_lab, mut live) = walk().await;
    let beast = beast(&mut live).await;
    stance(&mut live, "missile").await;
    let armed = step(&mut live, 1).await;
    for view in [0, 1] {
        let (body, bow) = (armed.body(PLAYER, view).unwrap(), armed.body(BOW, view).unwrap());
        assert_eq!(bow.flags & (SHOWN | ATTACHED), SHOWN | ATTACHED);
        assert_eq!((bow.pose, bow.pose_frame), (0x0200_0005, 1), "the placement for the left hand");
        assert!((0.5..1.6).contains(&distance(bow, body)), "{} m", distance(bow, body));
    }
    live.execute(json!({ "command": "attack", "target": beast, "height": "medium", "power": 0.2 })).await;
    let mut flights = [0, 0];
    let mut fastest: f32 = 0.0;
    for _ in 0..120 {
        let tick = step(&mut live, 1).await;
        for view in [0, 1] {
            if let Some(arrow) = tick.body(FIRST_MISSILE, view) {
                flights[usize::from(view)] += 1;
                fastest = fastest.max(arrow.speed);
            }
        }
    }
    assert!(flights.iter().all(|ticks| (3..60).contains(ticks)), "ticks with the arrow: {flights:?}");
    assert!((20.0..30.0).contains(&fastest), "{fastest} m/s");
    let (steps, _) = request(&mut live, "Attack Beast").await;
    assert!(steps.contains("Reload") && steps.contains("shot at "), "{steps}");
    assert!(!steps.contains("charges"), "{steps}");
}

#[tokio::test]
async fn a_spell_at_a_target_sends_a_bolt() {
    let (_lab, mut live) = walk().await;
    let beast = beast(&mut live).await;
    stance(&mut live, "magic").await;
    live.execute(json!({ "command": "cast", "spell": "bolt", "target": beast })).await;
    let mut has_bolt = false;
    for _ in 0..150 {
        has_bolt |= step(&mut live, 1).await.body(FIRST_MISSILE, 1).is_some();
    }
    assert!(has_bolt, "the observer sees the bolt");
    let (steps, outcome) = request(&mut live, "Cast bolt at Beast").await;
    assert_eq!(outcome, "done", "{steps}");
    assert!(steps.contains("MagicPowerUp01") && steps.contains("MagicBlast"), "{steps}");
    live.execute(json!({ "command": "cast", "spell": "heal", "target": null })).await;
    step(&mut live, 120).await;
    let (steps, outcome) = request(&mut live, "Cast heal").await;
    assert_eq!(outcome, "done", "{steps}");
}

fn place(state: &Value, item: &str) -> String {
    let items = state["walk"]["items"].as_array().unwrap();
    let found = items.iter().find(|state| state["guid"] == item).unwrap();
    found["place"].as_str().unwrap().into()
}

#[tokio::test]
async fn the_shield_is_picked_up_wielded_and_dropped() {
    let (_lab, mut live) = walk().await;
    pause(&mut live).await;
    let before = step(&mut live, 5).await;
    let on_ground = before.body(SHIELD_GUID, 0).unwrap();
    assert_eq!(on_ground.flags & (SHOWN | ATTACHED), SHOWN);
    let state = live.execute(json!({ "command": "pick_up", "guid": SHIELD })).await;
    assert_eq!(place(&state, SHIELD), "ground");
    step(&mut live, 220).await;
    let (steps, outcome) = request(&mut live, "Pick up Shield").await;
    assert_eq!(outcome, "done", "{steps}");
    assert!(steps.contains("goes there") && steps.contains("Pickup"), "{steps}");
    let state = live.execute(json!({ "command": "wield", "guid": SHIELD })).await;
    assert_eq!(place(&state, SHIELD), "pack");
    let held = step(&mut live, 20).await;
    for view in [0, 1] {
        let shield = held.body(SHIELD_GUID, view).unwrap();
        assert_eq!(shield.flags & (SHOWN | ATTACHED), SHOWN | ATTACHED, "view {view}");
    }
    let state = live.execute(json!({ "command": "drop", "guid": SHIELD })).await;
    assert_eq!(place(&state, SHIELD), "wielded");
    let after = step(&mut live, 20).await;
    for view in [0, 1] {
        let (shield, player) = (after.body(SHIELD_GUID, view).unwrap(), after.body(PLAYER, view).unwrap());
        assert_eq!(shield.flags & (SHOWN | ATTACHED), SHOWN, "view {view}");
        assert!(distance(shield, player) < 1.3);
    }
    let state = live.execute(json!({ "command": "drop", "guid": SWORD })).await;
    assert_eq!(place(&state, SHIELD), "ground");
}

/// To use the door, the player goes there by itself.
#[tokio::test]
async fn the_player_goes_to_a_door_to_use_it() {
    let (_lab, mut live) = walk().await;
    let update = live.message("entities", |_| true).await;
    let (door_id, door) = guid_of(&update, "Door");
    pause(&mut live).await;
    live.execute(json!({ "command": "use", "guid": door_id })).await;
    let after = step(&mut live, 180).await;
    let (steps, outcome) = request(&mut live, "Use Door").await;
    assert_eq!(outcome, "done", "{steps}");
    assert!(distance(after.body(PLAYER, 0).unwrap(), after.body(door, 0).unwrap()) < 3.0);
    let creatures = live.states.last().unwrap()["walk"]["creatures"].clone();
    assert_eq!(creatures[1]["activity"], "open");
}

/// The engine's camera stops in front of a wall, and not in the open (`docs/collision.md` 2.8).
#[tokio::test]
async fn the_camera_stops_at_walls() {
    let (_lab, mut live) = walk().await;
    pause(&mut live).await;
    let player: Tick = step(&mut live, 1).await;
    let [x, y, z] = player.body(PLAYER, 0).unwrap().position;
    let pivot = [x, y, z + 1.5];
    let open = json!({ "command": "camera", "pivot": pivot, "eye": [x, y - 5.0, z + 3.0] });
    let answer = live.ask("camera", open).await;
    let wanted = (25.0_f64 + 2.25).sqrt();
    assert!((answer["distance"].as_f64().unwrap() - wanted).abs() < 0.01, "{answer}");
    assert_eq!(answer["indoors"], false);
    // In the hall, whose walls are a few metres away.
    let hall = acmotion::dat::mannequin::town::landmarks().hall.frame.origin;
    let pivot = [hall.x, hall.y, hall.z + 1.5];
    let behind = |metres: f32| json!({ "command": "camera", "pivot": pivot, "eye": [hall.x - metres, hall.y, hall.z + 1.5] });
    for metres in [20.0, 299.0] {
        let answer = live.ask("camera", behind(metres)).await;
        assert!((1.0..10.0).contains(&answer["distance"].as_f64().unwrap()), "{answer}");
        assert_eq!(answer["indoors"], true);
    }
    // Farther away than any camera of the page.
    let answer = live.ask("camera", behind(301.0)).await;
    assert_eq!(answer["distance"], 301.0);
}

/// A closed door stops the camera, an open one does not.
#[tokio::test]
async fn a_closed_door_stops_the_camera() {
    let (_lab, mut live) = walk().await;
    let (door, _) = guid_of(&live.message("entities", |_| true).await, "Door");
    pause(&mut live).await;
    step(&mut live, 30).await;
    let town = acmotion::dat::mannequin::town::landmarks();
    let ([x, y, z], outside) = (town.hall.frame.origin.into(), town.doorstep.frame.origin);
    let look = json!({ "command": "camera", "pivot": [x, y, z + 1.5], "eye": [outside.x, outside.y - 1.0, z + 1.5] });
    let closed = live.ask("camera", look.clone()).await["distance"].as_f64().unwrap();
    live.execute(json!({ "command": "door", "guid": door })).await;
    step(&mut live, 60).await;
    let open = live.ask("camera", look).await["distance"].as_f64().unwrap();
    let wanted = f64::from((outside.x - x).hypot(outside.y - 1.0 - y));
    assert!((open - wanted).abs() < 0.01, "{open} m of {wanted} m through the open door");
    assert!(closed < wanted - 1.0, "{closed} m of {wanted} m with the door closed");
}
