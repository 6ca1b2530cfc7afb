//! The JSON answers of the HTTP API.

use serde::Serialize;
use serde_json::Value;

use super::{CreatureOrder, HexId, Key, NamedCommand, Stance};

/// A position and a rotation in one row: x, y, z, then w, x, y, z.
pub(crate) type FrameRow = [f32; super::binary::ROW_LENGTH];

/// The answer to a request that failed.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct ErrorBody {
    /// The reason, for people.
    pub(crate) error: String,
}

/// `/api/about`: what is open, and what the page can do with it.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct About {
    pub(crate) version: &'static str,
    pub(crate) dat: DatSummary,
    /// The name of the cell file; null if the walk is in the built-in town.
    pub(crate) cell: Option<String>,
    pub(crate) tick_seconds: f64,
    pub(crate) limits: Limits,
    /// The dat and cell files that are open: those of the command line, the built-in ones, and those that were uploaded.
    pub(crate) files: Vec<FileSummary>,
    /// Recordings given on the command line or uploaded.
    pub(crate) recordings: Vec<RecordingSummary>,
    pub(crate) keys: [Key; 9],
    /// The actions of the player's table.
    pub(crate) emotes: Vec<NamedCommand>,
    pub(crate) stances: [Stance; 4],
    pub(crate) creature_orders: [CreatureOrder; 4],
}

/// The dat file that is open.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct DatSummary {
    pub(crate) name: String,
    /// Whether it is the built-in mannequin.
    pub(crate) built_in: bool,
    pub(crate) objects: usize,
}

/// A dat or cell file that is open; the answer to an upload of one.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct FileSummary {
    /// The number by which requests name it; 0 is the dat file that the lab was started with.
    pub(crate) number: u32,
    pub(crate) name: String,
    pub(crate) kind: FileKind,
    /// Whether it is the built-in mannequin or its town.
    pub(crate) built_in: bool,
}

/// The kind of a dat file.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub(crate) enum FileKind {
    /// Setups, motion tables and meshes (portal).
    Dat,
    /// Land and rooms.
    Cell,
}

/// Limits of the server.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Limits {
    pub(crate) upload_bytes: usize,
    /// The maximum size of a dat or cell file.
    #[cfg_attr(test, ts(type = "number"))]
    pub(crate) dat_bytes: u64,
    pub(crate) sessions: usize,
    pub(crate) history_seconds: f64,
    pub(crate) crowd: u32,
}

/// A recording; the answer to an upload.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct RecordingSummary {
    pub(crate) id: u32,
    pub(crate) name: String,
    pub(crate) kind: RecordingKind,
    /// Whether it is still being read.
    pub(crate) live: bool,
    #[cfg_attr(test, ts(type = "number"))]
    pub(crate) messages: u64,
    pub(crate) ticks: usize,
    pub(crate) entities: usize,
    pub(crate) seconds: f64,
    /// The time of its first tick, in seconds.
    pub(crate) start: f64,
    /// The numbers of the dat file that it was opened with, and of the cell file with its land; null for level ground.
    pub(crate) dat: u32,
    pub(crate) cell: Option<u32>,
    /// 16 hexadecimal digits that are the same for the same file; null if it is still being read.
    pub(crate) digest: Option<String>,
    /// What the user should know about it.
    pub(crate) notes: Vec<String>,
}

/// The kind of a recording.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub(crate) enum RecordingKind {
    /// A capture, run through the engine.
    Capture,
    /// The output of `replay --json` or `simulate --json`.
    Result,
    /// A scenario that was simulated.
    Scenario,
}

/// `/api/tables`: the motion tables.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct TableList {
    pub(crate) tables: Vec<TableEntry>,
}

/// A motion table of the list, with its summary or the reason why it cannot be read.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct TableEntry {
    pub(crate) id: HexId,
    pub(crate) summary: Option<TableSummary>,
    pub(crate) error: Option<String>,
}

/// What a motion table has.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct TableSummary {
    pub(crate) default_style: NamedCommand,
    pub(crate) styles: usize,
    pub(crate) cycles: usize,
    pub(crate) modifiers: usize,
    pub(crate) links: usize,
    /// Setups that fit, at most 24: first those whose default table it is, then those with as many parts as its
    /// animations pose.
    pub(crate) setups: Vec<FittingSetup>,
    /// How many more setups fit.
    pub(crate) more_setups: usize,
}

/// A setup that fits a motion table.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct FittingSetup {
    pub(crate) id: HexId,
    pub(crate) parts: usize,
    /// Whether the table is the setup's default.
    pub(crate) is_default: bool,
}

/// `/api/table/ID`: a motion table as a graph.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct MotionTable {
    pub(crate) id: HexId,
    pub(crate) default_style: NamedCommand,
    pub(crate) styles: Vec<Style>,
    pub(crate) cycles: Vec<Cycle>,
    pub(crate) modifiers: Vec<Modifier>,
    pub(crate) links: Vec<Link>,
    pub(crate) undefined: Vec<UndefinedMotion>,
}

/// A style with its default substate.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Style {
    pub(crate) style: NamedCommand,
    pub(crate) default: NamedCommand,
}

/// The cycle of a substate.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Cycle {
    pub(crate) style: NamedCommand,
    pub(crate) motion: NamedCommand,
    #[serde(flatten)]
    pub(crate) data: MotionData,
}

/// A modifier.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Modifier {
    /// Null if it applies in every style.
    pub(crate) style: Option<NamedCommand>,
    pub(crate) motion: NamedCommand,
    #[serde(flatten)]
    pub(crate) data: MotionData,
}

/// A link from one motion to another.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Link {
    pub(crate) style: NamedCommand,
    /// Null if it applies from every substate.
    pub(crate) from: Option<NamedCommand>,
    pub(crate) to: NamedCommand,
    pub(crate) kind: LinkKind,
    #[serde(flatten)]
    pub(crate) data: MotionData,
}

/// What a link leads to.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub(crate) enum LinkKind {
    Substate,
    Action,
    Style,
    Other,
}

/// What plays for a motion.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct MotionData {
    pub(crate) seconds: f64,
    /// The number of hooks: of a cycle those that fire when it is played from the default of its style, of an action those
    /// that fire when it is played from where its link starts.
    pub(crate) hooks: usize,
    /// The number of attack hooks.
    pub(crate) attacks: usize,
    pub(crate) flags: u8,
    pub(crate) velocity: Option<[f32; 3]>,
    pub(crate) omega: Option<[f32; 3]>,
    pub(crate) animations: Vec<AnimationRange>,
}

/// The frames of an animation that a motion plays.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct AnimationRange {
    pub(crate) id: HexId,
    pub(crate) low: i32,
    pub(crate) high: i32,
    pub(crate) framerate: f32,
    pub(crate) frames: usize,
    pub(crate) seconds: f64,
    /// Whether the dat file lacks the animation.
    pub(crate) missing: bool,
}

/// Something that a table refers to but does not have: the default of a style, the cycle that a link leads to, or an
/// animation.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct UndefinedMotion {
    pub(crate) style: NamedCommand,
    pub(crate) motion: Option<NamedCommand>,
    pub(crate) description: String,
}

/// `/api/setup/ID`: a setup.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Setup {
    pub(crate) id: HexId,
    pub(crate) parts: Vec<SetupPart>,
    pub(crate) placements: Vec<Placement>,
    pub(crate) holding: Vec<HoldingLocation>,
    pub(crate) spheres: Vec<Sphere>,
    pub(crate) cylinders: Vec<Cylinder>,
    /// Whether a part has polygons that collide. The spheres and cylinders of scenery do not count then.
    pub(crate) has_polygons: bool,
    pub(crate) height: f32,
    pub(crate) radius: f32,
    pub(crate) step_up: f32,
    pub(crate) step_down: f32,
    pub(crate) default_table: Option<HexId>,
}

/// A part of a setup.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct SetupPart {
    pub(crate) mesh: HexId,
    pub(crate) parent: Option<u32>,
    pub(crate) scale: [f32; 3],
}

/// A placement of a setup: the frame of each part.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Placement {
    pub(crate) key: i32,
    pub(crate) frames: Vec<FrameRow>,
}

/// Where a setup holds another object.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct HoldingLocation {
    pub(crate) key: i32,
    pub(crate) part: i32,
    pub(crate) frame: FrameRow,
}

/// A sphere that collides.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Sphere {
    pub(crate) origin: [f32; 3],
    pub(crate) radius: f32,
}

/// A cylinder that collides.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Cylinder {
    pub(crate) origin: [f32; 3],
    pub(crate) radius: f32,
    pub(crate) height: f32,
}

/// `/api/clip`: what plays for a motion.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Clip {
    pub(crate) table: HexId,
    /// The setup that was asked for, or the first that fits.
    pub(crate) setup: Option<HexId>,
    pub(crate) style: NamedCommand,
    pub(crate) motion: NamedCommand,
    pub(crate) from: NamedCommand,
    pub(crate) speed: f32,
    pub(crate) link_seconds: f64,
    /// Null if the motion does not repeat.
    pub(crate) cycle_seconds: Option<f64>,
    /// In the order in which they play; the cycle is one segment and repeats.
    pub(crate) segments: Vec<Segment>,
    pub(crate) hooks: Vec<ClipHook>,
    pub(crate) attacks: Vec<ClipAttack>,
    pub(crate) ticks: ClipTicks,
}

/// `/api/compare`: where two recordings differ.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct RecordingComparison {
    /// How many states were compared.
    #[cfg_attr(test, ts(type = "number"))]
    pub(crate) compared: u64,
    pub(crate) same: bool,
    /// The entities that differ, those that differ first before the others; at most 500.
    pub(crate) entities: Vec<Difference>,
    /// How many more differ.
    pub(crate) more: usize,
}

/// How an entity differs between two recordings.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Difference {
    pub(crate) guid: HexId,
    /// When it first differs, in seconds.
    pub(crate) t: f64,
    /// What differs then.
    pub(crate) fields: Vec<String>,
    /// The distance of the two positions then, in metres; null if one of them is missing.
    pub(crate) distance: Option<f32>,
    /// How many states differ.
    #[cfg_attr(test, ts(type = "number"))]
    pub(crate) different: u64,
    /// How many were compared.
    #[cfg_attr(test, ts(type = "number"))]
    pub(crate) compared: u64,
    /// The greatest distance, in metres.
    pub(crate) greatest_distance: f32,
    /// When that is, in seconds.
    pub(crate) greatest_at: Option<f64>,
}

/// `/api/sheet`: all motions of a table in every style, each from the style's default substate.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Sheet {
    pub(crate) table: HexId,
    /// At most 8,000.
    pub(crate) rows: Vec<SheetRow>,
    /// How many more there are.
    pub(crate) more: usize,
}

/// A motion in a style.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct SheetRow {
    pub(crate) style: NamedCommand,
    pub(crate) motion: NamedCommand,
    pub(crate) kind: SheetKind,
    /// How long it plays once: the link to it, or an action.
    pub(crate) link_seconds: f64,
    /// The length of one pass of the cycle that follows; null if there is none.
    pub(crate) cycle_seconds: Option<f64>,
    pub(crate) hooks: Vec<SheetHook>,
}

/// The kind of a motion in a style.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub(crate) enum SheetKind {
    Cycle,
    Modifier,
    Action,
}

/// A hook of a motion, as in `/api/clip`.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct SheetHook {
    /// Seconds from the start of the motion.
    pub(crate) time: f64,
    /// The name of the hook's kind.
    pub(crate) kind: &'static str,
}

/// The part of a clip that a segment or hook belongs to.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub(crate) enum ClipPart {
    Link,
    Cycle,
}

/// An animation of a clip.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Segment {
    pub(crate) part: ClipPart,
    pub(crate) animation: HexId,
    pub(crate) low: i32,
    pub(crate) high: i32,
    pub(crate) framerate: f32,
    /// Seconds from the start of the clip.
    pub(crate) start: f64,
    pub(crate) seconds: f64,
}

/// A hook of a clip. It fires when its frame is left.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct ClipHook {
    /// Seconds from the start of the clip.
    pub(crate) time: f64,
    /// The time as a fraction of the link; null for a hook of the cycle.
    pub(crate) link_fraction: Option<f64>,
    pub(crate) part: ClipPart,
    pub(crate) animation: HexId,
    pub(crate) frame: i32,
    /// The name of the hook's type.
    pub(crate) kind: &'static str,
    /// The number of the hook's type.
    #[serde(rename = "type")]
    pub(crate) number: u32,
    pub(crate) direction: i32,
    #[cfg_attr(test, ts(type = "unknown"))]
    pub(crate) payload: Value,
}

/// The time at which an attack hits.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct ClipAttack {
    /// Seconds from the start of the clip.
    pub(crate) time: f64,
    /// The time as a fraction of the link; null for an attack in the cycle.
    pub(crate) link_fraction: Option<f64>,
}

/// The engine stepped 30 times a second through the link and two rounds of the cycle, at most 1,200 ticks. Every list
/// has one value for each tick; the first is the start.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct ClipTicks {
    /// Seconds from the start of the clip.
    pub(crate) t: Vec<f64>,
    /// Null where nothing is shown.
    pub(crate) animation: Vec<Option<HexId>>,
    /// Frame numbers with their fraction; the original client shows the whole part.
    pub(crate) frame: Vec<f64>,
    /// The animation of the frame that follows.
    pub(crate) next: Vec<Option<HexId>>,
    pub(crate) next_frame: Vec<usize>,
    /// How far the smooth presentation is between the two frames, 0–1.
    pub(crate) blend: Vec<f32>,
    /// The frame to which root motion and velocities have moved the body.
    pub(crate) body: Vec<FrameRow>,
}

/// `/api/scenery`: everything that does not move.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Scenery {
    /// The landblock whose south-west corner is the origin of the scene, such as `"0xA9B4"`.
    pub(crate) origin: String,
    /// The number of the dat file whose meshes and setups it names.
    pub(crate) dat: u32,
    /// Where a walk starts.
    pub(crate) start: [f32; 3],
    pub(crate) meshes: Vec<SceneryMesh>,
    pub(crate) objects: Vec<SceneryObject>,
    pub(crate) portals: Vec<SceneryPortal>,
}

/// A portal: an opening from a room to another one or to the land.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct SceneryPortal {
    pub(crate) cell: HexId,
    /// The room behind it; null for the land.
    pub(crate) to: Option<HexId>,
    /// The corners of its polygon in the scene's coordinates.
    pub(crate) corners: Vec<[f32; 3]>,
}

/// A mesh of the scenery. Either `mesh` names it for `/api/mesh`, or the triangles are given here.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct SceneryMesh {
    pub(crate) name: String,
    pub(crate) kind: SceneryKind,
    pub(crate) position: [f32; 3],
    pub(crate) rotation: [f32; 4],
    /// The cell of a room.
    pub(crate) cell: Option<HexId>,
    pub(crate) mesh: Option<HexId>,
    /// x, y and z of each vertex, in the mesh's own axes.
    pub(crate) positions: Vec<f32>,
    pub(crate) indices: Vec<u32>,
    pub(crate) colours: Vec<ColourRange>,
}

/// The kind of a scenery mesh.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub(crate) enum SceneryKind {
    Terrain,
    Water,
    Room,
    Building,
}

/// The colour of a range of indices.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct ColourRange {
    pub(crate) first: usize,
    pub(crate) count: usize,
    /// 0xAARRGGBB.
    pub(crate) colour: HexId,
}

/// A static object: a setup or a single mesh.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct SceneryObject {
    pub(crate) setup: Option<HexId>,
    pub(crate) mesh: Option<HexId>,
    pub(crate) position: [f32; 3],
    pub(crate) rotation: [f32; 4],
}
