//! The tables of a scenario file as TOML has them. [`parse`](super::parse) checks their values; unknown keys are an error.

use serde::Deserialize;
use toml::Spanned;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ScenarioTable {
    #[serde(default)]
    pub(super) title: String,
    pub(super) seconds: Spanned<f64>,
    #[serde(default)]
    pub(super) seed: u64,
    pub(super) landblock: Option<Spanned<String>>,
    pub(super) ground: Option<Spanned<GroundTable>>,
    pub(super) server: Option<Spanned<ServerTable>>,
    pub(super) network: Option<Spanned<NetworkTable>>,
    #[serde(default, rename = "player")]
    pub(super) players: Vec<Spanned<ClientTable>>,
    #[serde(default, rename = "observer")]
    pub(super) observers: Vec<Spanned<ClientTable>>,
    #[serde(default, rename = "creature")]
    pub(super) creatures: Vec<Spanned<CreatureTable>>,
    #[serde(default, rename = "event")]
    pub(super) events: Vec<Spanned<EventTable>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct GroundTable {
    pub(super) height: Option<f32>,
    pub(super) slope: Option<SlopeTable>,
    pub(super) town: Option<bool>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SlopeTable {
    pub(super) rise: f32,
    #[serde(default)]
    pub(super) towards: f32,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ServerTable {
    pub(super) tick_rate: Option<f64>,
    pub(super) position_interval: Option<f64>,
    pub(super) creature_interval: Option<f64>,
    pub(super) portal_seconds: Option<f64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct NetworkTable {
    pub(super) latency: Option<f64>,
    pub(super) jitter: Option<f64>,
    pub(super) loss: Option<f64>,
    pub(super) duplicate: Option<f64>,
    pub(super) reorder: Option<f64>,
    pub(super) retransmit: Option<Retransmit>,
    pub(super) up: Option<LinkTable>,
    pub(super) down: Option<LinkTable>,
}

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields)]
pub(super) struct LinkTable {
    pub(super) latency: Option<f64>,
    pub(super) jitter: Option<f64>,
    pub(super) loss: Option<f64>,
    pub(super) duplicate: Option<f64>,
    pub(super) reorder: Option<f64>,
    pub(super) retransmit: Option<Retransmit>,
}

/// Never, after the default time, or after a number of seconds.
#[derive(Deserialize, Clone, Copy)]
#[serde(untagged, expecting = "`retransmit` is true, false, or a number of seconds")]
pub(super) enum Retransmit {
    Switch(bool),
    After(f64),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ClientTable {
    pub(super) name: String,
    pub(super) at: Vec<f32>,
    #[serde(default)]
    pub(super) heading: f32,
    #[serde(default)]
    pub(super) enters: f64,
    pub(super) run_skill: Option<u32>,
    pub(super) jump_skill: Option<u32>,
    pub(super) load: Option<f32>,
    pub(super) run_by_default: Option<bool>,
    #[serde(default)]
    pub(super) sword: bool,
    #[serde(default)]
    pub(super) bow: bool,
    pub(super) frame_rate: Option<f64>,
    pub(super) network: Option<NetworkTable>,
    #[serde(default)]
    pub(super) input: Vec<Spanned<InputTable>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct InputTable {
    pub(super) at: f64,
    pub(super) press: Option<String>,
    pub(super) release: Option<String>,
    pub(super) tap: Option<String>,
    pub(super) jump: Option<f32>,
    pub(super) walk_to: Option<Vec<f32>>,
    pub(super) run: Option<bool>,
    pub(super) distance: Option<f32>,
    pub(super) timeout: Option<f32>,
    pub(super) turn_to: Option<f32>,
    pub(super) emote: Option<String>,
    pub(super) stance: Option<String>,
    pub(super) mouse_look: Option<bool>,
    pub(super) mouse_turn: Option<f32>,
    pub(super) stop: Option<bool>,
    pub(super) attack: Option<String>,
    pub(super) height: Option<String>,
    pub(super) power: Option<f32>,
    pub(super) cast: Option<u32>,
    pub(super) target: Option<String>,
    #[serde(rename = "use")]
    pub(super) use_object: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct CreatureTable {
    pub(super) name: String,
    pub(super) kind: Option<String>,
    pub(super) at: Vec<f32>,
    #[serde(default)]
    pub(super) heading: f32,
    pub(super) run_rate: Option<f32>,
    #[serde(default)]
    pub(super) order: Vec<Spanned<OrderTable>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct OrderTable {
    pub(super) at: f64,
    pub(super) stand: Option<bool>,
    pub(super) go_to: Option<Vec<f32>>,
    pub(super) patrol: Option<Vec<Vec<f32>>>,
    pub(super) turn_to: Option<f32>,
    pub(super) face: Option<String>,
    pub(super) chase: Option<String>,
    pub(super) attack: Option<String>,
    pub(super) emote: Option<String>,
    pub(super) stance: Option<String>,
    pub(super) die: Option<bool>,
    pub(super) open: Option<bool>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct EventTable {
    pub(super) at: f64,
    pub(super) teleport: Option<String>,
    pub(super) to: Option<Vec<f32>>,
    pub(super) heading: Option<f32>,
    pub(super) kill: Option<String>,
    pub(super) send: Option<String>,
    pub(super) target: Option<String>,
}
