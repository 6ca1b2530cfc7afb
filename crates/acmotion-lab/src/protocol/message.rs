//! Messages of a session to its page.

use serde::Serialize;
use serde_json::Value;
use serde_json::value::RawValue;

#[cfg(test)]
use super::Explanation;
use super::{EventRecord, HexId, Key, NamedCommand, NetworkSettings, Stance};

/// A message of a session to its page. Ticks are binary frames instead.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum ServerMessage {
    /// The first message.
    Hello(Hello),
    /// Entities that are new or have changed.
    Entities(EntityUpdate),
    /// Sent when the state changes, and after every command.
    State(SessionState),
    /// The events of the ticks shown.
    Events(EventBatch),
    /// The answer to `events`.
    EventLog(EventLog),
    /// The messages of the ticks shown, or the answer to `messages`.
    Messages(MessageList),
    /// The answer to `message`.
    Message(DecodedMessage),
    /// Sent with every tick shown while an entity is selected.
    Explanation(ExplanationUpdate),
    /// The answer to `series`.
    Series(Series),
    /// The answer to `reports`.
    Reports(ReportList),
    /// The answer to `agreement`.
    Agreement(AgreementList),
    /// The answer to `moments`.
    Moments(Moments),
    /// The answer to `camera`.
    Camera(CameraAnswer),
    /// The command was not valid.
    Error(CommandError),
    /// The command was valid, but could not be carried out.
    Refused(Refusal),
    /// The last message before the socket is closed.
    #[cfg_attr(not(feature = "server"), expect(dead_code, reason = "only a server ends sessions"))]
    End(SessionEnd),
}

impl ServerMessage {
    pub(crate) fn to_json(&self) -> String {
        // Structs with text keys always serialise.
        serde_json::to_string(self).unwrap_or_default()
    }
}

/// What the session shows.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Hello {
    pub(crate) mode: SessionMode,
    /// The landblock whose south-west corner is the origin of the scene, such as `"0xA9B4"`.
    pub(crate) origin: String,
    /// Null if a recording does not say which entity is the player.
    pub(crate) player: Option<HexId>,
    pub(crate) views: Vec<ViewInfo>,
    /// The land that the entities move on.
    pub(crate) land: LandKind,
    /// The name of the recording; null for a walk.
    pub(crate) name: Option<String>,
    /// Seconds.
    pub(crate) start: f64,
    /// Seconds.
    pub(crate) end: f64,
    /// What a recording's own clock showed at time 0, in seconds; mostly seconds since 1970.
    pub(crate) clock_start: f64,
    pub(crate) ticks: usize,
    /// Only every n-th tick without events is kept.
    pub(crate) keeps_every: u32,
    /// The number of the dat file whose objects show the bodies.
    pub(crate) dat: u32,
    /// The number of the cell file with the land of a recording; null if it is on level ground.
    pub(crate) cell: Option<u32>,
    /// The recording that is shown beside this one.
    pub(crate) beside: Option<BesideInfo>,
}

/// A second recording that is shown at the same time as the first.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct BesideInfo {
    pub(crate) recording: u32,
    /// The view in which its entities are shown.
    pub(crate) view: u8,
    /// The number of the dat file whose objects show them.
    pub(crate) dat: u32,
    /// Where the origin of its own scene lies in this one, in metres.
    pub(crate) offset: [f32; 3],
}

/// The mode of a session.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub(crate) enum SessionMode {
    Walk,
    Replay,
}

/// The land of a session.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub(crate) enum LandKind {
    /// The built-in town.
    Town,
    /// The land of the cell file.
    Cells,
    /// Unknown: level ground under the bodies.
    Level,
}

/// A view of the entities; view 0 is the truth.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct ViewInfo {
    pub(crate) view: u8,
    pub(crate) name: String,
    pub(crate) description: String,
}

/// An entity in a view.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct EntityKey {
    pub(crate) guid: HexId,
    pub(crate) view: u8,
}

/// Entities that are new or have changed. Entities are never removed from the list: each tick says which are present.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct EntityUpdate {
    /// Whether this replaces everything sent before.
    pub(crate) complete: bool,
    pub(crate) entities: Vec<Entity>,
}

/// An entity in a view.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Entity {
    pub(crate) guid: HexId,
    pub(crate) view: u8,
    pub(crate) name: String,
    pub(crate) kind: EntityKind,
    pub(crate) setup: HexId,
    pub(crate) table: Option<HexId>,
    /// Whether it is shown by a substitute for missing data.
    pub(crate) stand_in: bool,
    /// The entity that this one is attached to. An attached entity is in no cell; it is drawn where the other holds it.
    pub(crate) parent: Option<HexId>,
}

/// The kind of an entity.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub(crate) enum EntityKind {
    Player,
    Creature,
    Door,
    Crowd,
    Object,
    Missile,
}

/// The state of a session.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct SessionState {
    /// The id of the last command.
    pub(crate) request_id: Option<u32>,
    pub(crate) mode: TransportMode,
    /// How fast time passes in this mode; negative if recorded ticks are played backwards.
    pub(crate) rate: f64,
    /// The speed that was set.
    pub(crate) speed: f64,
    /// The time of the tick shown, in seconds.
    pub(crate) t: f64,
    /// The tick shown.
    pub(crate) tick: u32,
    /// The time of the first tick kept.
    pub(crate) start: f64,
    /// The time of the last tick kept.
    pub(crate) end: f64,
    pub(crate) first_tick: u32,
    pub(crate) last_tick: u32,
    pub(crate) selected: Option<EntityKey>,
    /// Whether a capture is still being read.
    pub(crate) live_input: bool,
    /// Whether no more ticks will follow.
    pub(crate) ended: bool,
    /// Null in Replay.
    pub(crate) walk: Option<WalkState>,
}

/// How time passes in a session.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub(crate) enum TransportMode {
    /// New ticks are simulated or awaited.
    Live,
    Paused,
    /// Recorded ticks are played.
    Recorded,
}

/// The state of a walk.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct WalkState {
    pub(crate) network: NetworkSettings,
    pub(crate) player: Option<PlayerState>,
    /// Creatures and doors.
    pub(crate) creatures: Vec<CreatureState>,
    /// How many walkers there are.
    pub(crate) crowd: u32,
    /// What lies on the ground, and what the player has.
    pub(crate) items: Vec<ItemState>,
    /// The last requests of the player, oldest first.
    pub(crate) requests: Vec<RequestState>,
}

/// An item.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct ItemState {
    pub(crate) guid: HexId,
    pub(crate) name: String,
    pub(crate) place: ItemPlace,
}

/// Where an item is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub(crate) enum ItemPlace {
    Ground,
    Pack,
    /// In the hand, in the stances that use it.
    Wielded,
}

/// A request of the player.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct RequestState {
    /// The number of the request; 0 if the client refused it before it had one.
    pub(crate) id: u32,
    /// What it asks for, such as `"Attack Beast"`.
    pub(crate) title: String,
    /// How it went on, oldest first; of many steps the last ones.
    pub(crate) steps: Vec<RequestStep>,
    pub(crate) outcome: RequestOutcome,
}

/// A step of a request.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct RequestStep {
    /// Seconds since the request was made.
    pub(crate) t: f64,
    /// Such as `"charges"` or `"hit at 1.23 s"`.
    pub(crate) text: String,
}

/// How a request has ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub(crate) enum RequestOutcome {
    UnderWay,
    Done,
    Refused,
    Cancelled,
}

/// The state of the player's controls.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct PlayerState {
    /// The keys that are held.
    pub(crate) keys: Vec<Key>,
    pub(crate) autorun: bool,
    pub(crate) mouse_look: bool,
    pub(crate) stance: Stance,
    pub(crate) style: Option<NamedCommand>,
    /// How far a jump is charged, 0–1; null if none is.
    pub(crate) charge: Option<f32>,
    /// How far the power bar of an attack is filled, 0–1; null if no attack key is held.
    pub(crate) attack_power: Option<f32>,
    pub(crate) controlled_by_server: bool,
}

/// A creature or a door.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct CreatureState {
    pub(crate) guid: HexId,
    pub(crate) name: String,
    pub(crate) activity: CreatureActivity,
}

/// The last order of a creature, or the state of a door.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub(crate) enum CreatureActivity {
    Chase,
    Patrol,
    Stick,
    Stay,
    Open,
    Closed,
}

/// Events of the ticks shown.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct EventBatch {
    /// The time of the newest tick with events.
    pub(crate) t: f64,
    /// The newest tick with events.
    pub(crate) tick: u32,
    /// How many older events were dropped because the page read too slowly.
    pub(crate) dropped: usize,
    pub(crate) events: Vec<EventRecord>,
}

/// The events of a span of time.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct EventLog {
    pub(crate) request_id: Option<u32>,
    pub(crate) events: Vec<EventRecord>,
    /// How many more there are.
    pub(crate) more: usize,
}

/// Messages of the simulated network or of a capture.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct MessageList {
    /// Null unless this answers `messages`.
    pub(crate) request_id: Option<u32>,
    /// How many messages are left out.
    pub(crate) dropped: usize,
    pub(crate) messages: Vec<MessageSummary>,
}

/// A message of the simulated network or of a capture.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct MessageSummary {
    #[cfg_attr(test, ts(type = "number"))]
    pub(crate) number: u64,
    /// When it was sent; in Replay, the client frame in which it was handled.
    pub(crate) t: f64,
    pub(crate) tick: u32,
    #[cfg_attr(test, ts(type = "\"S2C\" | \"C2S\""))]
    pub(crate) direction: String,
    /// The client whose connection it used.
    pub(crate) connection: &'static str,
    pub(crate) name: &'static str,
    /// Such as `"0xF748"`.
    pub(crate) opcode: String,
    /// The entity that the message is about.
    pub(crate) guid: Option<HexId>,
    /// The length.
    pub(crate) bytes: usize,
    pub(crate) delivery: Delivery,
    /// When it arrives; in Replay, its time in the capture. Null if it is lost.
    pub(crate) arrives: Option<f64>,
}

/// What has become of a message.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub(crate) enum Delivery {
    /// It will arrive.
    Sent,
    /// It is part of a capture.
    Arrived,
    Lost,
}

/// One message, decoded.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct DecodedMessage {
    pub(crate) request_id: Option<u32>,
    #[cfg_attr(test, ts(type = "number"))]
    pub(crate) number: u64,
    /// The output of `acmotion decode --json`.
    #[cfg_attr(test, ts(type = "{ decoded?: unknown, error?: unknown, raw_hex?: string }"))]
    pub(crate) content: Value,
    /// The name of the message and the entity that it is about.
    pub(crate) summary: String,
}

/// The explanation of the selected entity at the tick shown.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct ExplanationUpdate {
    pub(crate) t: f64,
    pub(crate) tick: u32,
    pub(crate) guid: HexId,
    pub(crate) view: u8,
    /// Ticks keep explanations in serialised form, because most of them are never looked at.
    #[cfg_attr(test, ts(as = "Option<Explanation>"))]
    pub(crate) explanation: Option<Box<RawValue>>,
    /// Why there is no explanation.
    pub(crate) missing: Option<&'static str>,
}

/// How an entity moved over a span of time: one value for each point in time, at most 4,000, evenly thinned.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Series {
    pub(crate) request_id: Option<u32>,
    pub(crate) guid: HexId,
    pub(crate) view: u8,
    pub(crate) from: f64,
    pub(crate) to: f64,
    /// Seconds.
    pub(crate) t: Vec<f64>,
    /// Metres a second.
    pub(crate) speed: Vec<f32>,
    /// Metres; null where unknown.
    #[cfg_attr(test, ts(type = "Array<number | null>"))]
    pub(crate) error: Vec<f32>,
    /// Frame numbers with their fraction.
    pub(crate) frame: Vec<f32>,
    pub(crate) animation: Vec<HexId>,
    /// Positions in the scene's coordinates.
    pub(crate) path: Vec<[f32; 3]>,
    pub(crate) styles: Vec<MotionSpan>,
    pub(crate) substates: Vec<MotionSpan>,
    /// The first modifier.
    pub(crate) modifiers: Vec<MotionSpan>,
    /// The oldest action that has not ended.
    pub(crate) actions: Vec<MotionSpan>,
}

/// A span of time in which a motion did not change.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct MotionSpan {
    pub(crate) from: f64,
    pub(crate) to: f64,
    pub(crate) motion: NamedCommand,
}

/// The positions of an entity that the server reported, with where the body was shown.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct ReportList {
    pub(crate) request_id: Option<u32>,
    pub(crate) guid: HexId,
    /// At most 4,000, evenly thinned.
    pub(crate) reports: Vec<ReportedPosition>,
}

/// A position that the server reported. Positions are in the scene's coordinates.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct ReportedPosition {
    /// Seconds.
    pub(crate) t: f64,
    pub(crate) reported: [f32; 3],
    /// Where the body was at that moment.
    pub(crate) shown: [f32; 3],
}

/// How each entity of a recording agrees with what the server reported of it.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct AgreementList {
    pub(crate) request_id: Option<u32>,
    pub(crate) entities: Vec<Agreement>,
}

/// How an entity agrees with what the server reported of it.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Agreement {
    pub(crate) guid: HexId,
    pub(crate) reports: usize,
    /// The median horizontal distance from the reports when they arrived, in metres; null without reports. Reports that
    /// teleported it do not count.
    pub(crate) median: Option<f32>,
    /// The largest one, in metres.
    pub(crate) worst: Option<f32>,
    /// When that was, in seconds.
    pub(crate) worst_at: Option<f64>,
    pub(crate) snaps: usize,
    pub(crate) teleports: usize,
}

/// The states of an entity after some ticks.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Moments {
    pub(crate) request_id: Option<u32>,
    pub(crate) moments: Vec<ExplanationUpdate>,
}

/// How far from the point that it looks at a camera may be: the original's camera sweep (`docs/collision.md` 2.8).
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct CameraAnswer {
    pub(crate) request_id: Option<u32>,
    /// Metres.
    pub(crate) distance: f32,
    /// Whether the point that it looks at is in a room.
    pub(crate) indoors: bool,
}

/// A command was not valid.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct CommandError {
    pub(crate) request_id: Option<u32>,
    /// The name of the command, as far as it could be read.
    pub(crate) command: String,
    pub(crate) error: String,
}

/// A command could not be carried out.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Refusal {
    /// Null if the engine refused it after the command had been accepted.
    pub(crate) request_id: Option<u32>,
    pub(crate) command: String,
    pub(crate) reason: String,
}

/// The session ends.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct SessionEnd {
    pub(crate) reason: String,
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn messages_carry_their_type() {
        let end = ServerMessage::End(SessionEnd { reason: "done".into() });
        assert_eq!(serde_json::to_value(&end).unwrap(), json!({ "type": "end", "reason": "done" }));
    }

    #[test]
    fn a_serialised_explanation_is_embedded_as_an_object() {
        let update = ServerMessage::Explanation(ExplanationUpdate {
            t: 1.0,
            tick: 30,
            guid: HexId(1),
            view: 0,
            explanation: RawValue::from_string(String::from(r#"{"frame":2}"#)).ok(),
            missing: None,
        });
        let text = serde_json::to_string(&update).unwrap();
        let value: Value = serde_json::from_str(&text).unwrap();
        assert_eq!((&value["type"], &value["explanation"]), (&json!("explanation"), &json!({ "frame": 2 })));
    }
}
