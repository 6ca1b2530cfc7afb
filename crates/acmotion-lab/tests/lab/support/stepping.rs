//! A walk that is paused and stepped tick by tick.

use serde_json::{Value, json};

use super::{Live, Running, Tick, start};

/// The player's guid in the simulation.
pub const PLAYER: u32 = 0x5000_0001;
pub const PLAYER_ID: &str = "0x50000001";

pub async fn walk() -> (Running, Live) {
    let lab = start().await;
    let mut live = lab.live("&mode=walk").await;
    let hello = live.message("hello", |_| true).await;
    assert_eq!((hello["mode"].as_str(), hello["player"].as_str()), (Some("walk"), Some(PLAYER_ID)));
    assert_eq!(hello["views"].as_array().map(Vec::len), Some(4));
    (lab, live)
}

pub async fn key(live: &mut Live, key: &str, down: bool) {
    live.execute(json!({ "command": "key", "key": key, "down": down })).await;
}

/// Pauses at the newest tick. From then on only `step` makes ticks, so nothing depends on the speed of the machine.
pub async fn pause(live: &mut Live) {
    let state = live.execute(json!({ "command": "pause", "on": true })).await;
    assert_eq!(state["mode"], "paused");
}

/// Makes a number of ticks and returns the last one.
pub async fn step(live: &mut Live, ticks: u32) -> Tick {
    let state = live.execute(json!({ "command": "step", "ticks": ticks })).await;
    let number = u32::try_from(state["tick"].as_u64().unwrap()).unwrap();
    // The tick itself may have arrived before the state, so it is requested again.
    live.send(json!({ "command": "seek", "tick": number })).await;
    live.tick(|tick| tick.number == number).await
}

/// Returns the guid of an entity, as text and as a number.
pub fn guid_of(update: &Value, name: &str) -> (String, u32) {
    let entities = update["entities"].as_array().unwrap();
    let guid = entities.iter().find(|entity| entity["name"] == name).unwrap()["guid"].as_str().unwrap();
    (guid.to_owned(), u32::from_str_radix(&guid[2..], 16).unwrap())
}
