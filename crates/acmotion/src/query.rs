//! Queries for servers, tools and bots: how long a motion takes, when its hooks fire, which motions a style has.
//!
//! The results come from the same table look-up that bodies use (rule G4) and agree with stepping: a hook fires when its
//! frame is left, and the hooks of the last frame played never fire (rule H12).
//!
//! ```
//! use acmotion::Library;
//! use acmotion::dat::{Assets, mannequin};
//! use acmotion::query::{MotionQuery, timing};
//! use acmotion::types::MotionCommand;
//!
//! let mut library = Library::new();
//! let table = library.load_table(&Assets::mannequin(), mannequin::HUMAN_TABLE)?;
//! let slash = MotionQuery::new(MotionCommand::SWORD_COMBAT, MotionCommand::SLASH_HIGH);
//! let slash = timing(&library, library.table(table), &slash)?;
//! let hit = slash.attacks().next().expect("a slash has an attack hook");
//! assert!(hit.time < slash.link_seconds());
//!
//! // A motion that the table does not have is an error.
//! let unarmed = MotionQuery::new(MotionCommand::NON_COMBAT, MotionCommand::SLASH_HIGH);
//! assert!(timing(&library, library.table(table), &unarmed).is_err());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use acmotion_dat::{DataId, Hook, HookDirection, HookEffect};
use acmotion_types::{EPS, Era, MotionCommand};
use thiserror::Error;

use crate::library::Library;
use crate::sequence::{PlayingNode, Sequence};
use crate::table::{MotionState, Table, TableDriver};

/// The error for a motion that a table does not have.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Error)]
#[error("there is no {motion} in style {style}")]
pub struct Undefined {
    /// The style.
    pub style: MotionCommand,
    /// The motion.
    pub motion: MotionCommand,
}

/// A motion in a style, from a substate, at a speed.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct MotionQuery {
    /// The style of the body.
    pub style: MotionCommand,
    /// The motion that starts.
    pub motion: MotionCommand,
    /// The substate before it; the style's default substate if `None`.
    pub from: Option<MotionCommand>,
    /// The speed; 1 is normal.
    pub speed: f32,
}

impl MotionQuery {
    /// Creates a query for a motion from the style's default substate, at speed 1.
    pub const fn new(style: MotionCommand, motion: MotionCommand) -> Self {
        Self { style, motion, from: None, speed: 1.0 }
    }
}

/// The animations and hooks of a motion, and their times.
///
/// ```
/// use acmotion::query::{MotionQuery, Motions, Segment, TimedHook, Timing, Undefined, motions, timing};
/// use acmotion::types::{Era, MotionCommand};
/// use acmotion::{Library, Table};
///
/// /// Returns the action of a style whose attack hits soonest, and when that is.
/// fn quickest(library: &Library, table: &Table, style: MotionCommand) -> Option<(MotionCommand, f64)> {
///     let known: Motions = motions(table, style, Era::default());
///     let first_hit = |motion| -> Result<Option<f64>, Undefined> {
///         let slash: Timing = timing(library, table, &MotionQuery::new(style, motion))?;
///         Ok(slash.attacks().next().map(|hit: &TimedHook| hit.time))
///     };
///     let hits = known.actions(MotionCommand::READY).filter_map(|motion| Some((motion, first_hit(motion).ok()??)));
///     hits.min_by(|a, b| a.1.total_cmp(&b.1))
/// }
///
/// /// Returns the number of frames that a segment shows.
/// fn frames(segment: &Segment) -> i32 {
///     segment.high - segment.low + 1
/// }
/// # use acmotion::dat::{Assets, mannequin};
/// # let mut library = Library::new();
/// # let table = library.load_table(&Assets::mannequin(), mannequin::HUMAN_TABLE)?;
/// # let table = library.table(table);
/// # assert!(quickest(&library, table, MotionCommand::SWORD_COMBAT).is_some_and(|(_, time)| time > 0.0));
/// # let walk = timing(&library, table, &MotionQuery::new(MotionCommand::NON_COMBAT, MotionCommand::WALK_FORWARD))?;
/// # assert!(frames(&walk.cycle.unwrap()) > 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Timing {
    /// The query.
    pub query: MotionQuery,
    /// The substate before the motion.
    pub from: MotionCommand,
    /// The animations that play once: the link from one motion to the other, or an action.
    pub link: Vec<Segment>,
    /// The animation that loops afterwards; `None` if the motion has no animations.
    pub cycle: Option<Segment>,
    /// The hooks that fire, in order: those of the link, then those of the first pass of the cycle.
    pub hooks: Vec<TimedHook>,
}

/// One animation of a motion.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Segment {
    /// The animation.
    pub animation: DataId,
    /// The first frame played.
    pub low: i32,
    /// The last frame played.
    pub high: i32,
    /// The rate in frames a second; negative plays backwards.
    pub framerate: f32,
    /// The start, in seconds from the start of the motion.
    pub start: f64,
    /// The duration in seconds.
    pub seconds: f64,
}

/// A hook and the time at which it fires.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct TimedHook {
    /// The time in seconds from the start of the motion.
    pub time: f64,
    /// The share of the link, 0 to 1, that has passed by then; `None` for hooks of the cycle.
    pub share: Option<f64>,
    /// The animation.
    pub animation: DataId,
    /// The frame that is left.
    pub frame: i32,
    /// The hook.
    pub hook: Hook,
}

impl Timing {
    /// Returns the duration of the link in seconds: until the cycle starts, or an action is done.
    pub fn link_seconds(&self) -> f64 {
        self.link.iter().fold(0.0, |sum, segment| sum + segment.seconds)
    }

    /// Returns the duration of one pass of the cycle in seconds, if there is a cycle.
    pub fn cycle_seconds(&self) -> Option<f64> {
        self.cycle.map(|cycle| cycle.seconds)
    }

    /// Iterates over the attack hooks.
    pub fn attacks(&self) -> impl Iterator<Item = &TimedHook> {
        self.hooks.iter().filter(|timed| matches!(timed.hook.effect, HookEffect::Attack(_)))
    }
}

/// Returns how long a motion takes and when its hooks fire.
///
/// # Errors
/// If the table does not have the motion, or the substate before it.
pub fn timing(library: &Library, table: &Table, query: &MotionQuery) -> Result<Timing, Undefined> {
    let (from, sequence) = begin(library, table, query)?;
    Ok(timing_of(library, &sequence, *query, from))
}

/// Returns the substate before a motion, and the sequence of a body that is about to play the motion.
///
/// The link from a turn or a sidestep to the style's default substate is that of a body that stops (rule G9): a request
/// for the default substate alone keeps it turning (rule G4).
///
/// # Errors
/// If the table does not have the motion, or the substate before it.
pub fn begin(
    library: &Library,
    table: &Table,
    query: &MotionQuery,
) -> Result<(MotionCommand, Sequence), Undefined> {
    let (style, motion) = (query.style, query.motion);
    let undefined = |motion| Undefined { style, motion };
    let default = table.style_default(style).ok_or_else(|| undefined(style))?;
    let from = query.from.unwrap_or(default);
    table.cycle_or_default(style, from).ok_or_else(|| undefined(from))?;
    let (mut state, mut sequence) = (MotionState::standing(style, from, 1.0), Sequence::new());
    let mut driver = TableDriver::new(library, table, &mut state, &mut sequence);
    let is_stop = motion == default && from.is_modifier();
    let num_anims = if is_stop { driver.stop(from) } else { driver.request(motion, query.speed) };
    num_anims.ok_or_else(|| undefined(motion))?;
    Ok((from, sequence))
}

fn timing_of(library: &Library, sequence: &Sequence, query: MotionQuery, from: MotionCommand) -> Timing {
    let cyclic = sequence.first_cyclic_index();
    let mut timing = Timing { query, from, link: Vec::new(), cycle: None, hooks: Vec::new() };
    let total: f64 = sequence.nodes(library).take(cyclic.unwrap_or(0)).map(|playing| playing.seconds()).sum();
    let mut start = 0.0;
    for (index, playing) in sequence.nodes(library).enumerate() {
        let in_cycle = cyclic.is_none_or(|cyclic| index >= cyclic);
        let segment = Segment {
            animation: playing.id(),
            low: playing.low,
            high: playing.high,
            framerate: playing.framerate,
            start,
            seconds: playing.seconds(),
        };
        timing.hooks.extend(hooks_of(&playing).map(|(after, frame, hook)| TimedHook {
            time: start + after,
            share: (!in_cycle && total > 0.0).then(|| (start + after) / total),
            animation: segment.animation,
            frame,
            hook,
        }));
        start += segment.seconds;
        if in_cycle {
            timing.cycle = Some(segment);
        } else {
            timing.link.push(segment);
        }
    }
    timing
}

/// Iterates over the hooks of a node that fire, in order, each with the time after the node's start and its frame. The
/// last frame played is never left, so its hooks do not fire (rule H12).
fn hooks_of<'a>(playing: &'a PlayingNode<'_>) -> impl Iterator<Item = (f64, i32, Hook)> + 'a {
    let rate = f64::from(playing.framerate);
    let (low, high) = (playing.low, playing.high);
    let count = (high - low).max(0);
    let direction = if rate < 0.0 { HookDirection::BACKWARD } else { HookDirection::FORWARD };
    let steps = if rate.abs() > f64::from(EPS) { count } else { 0 };
    (0..steps).flat_map(move |step| {
        // Played forwards, a frame is left when the next one starts; backward play starts one epsilon before the end (rule
        // H4).
        let (frame, after) = if rate < 0.0 {
            (high - step, (f64::from(step) + 1.0 - f64::from(EPS)) / -rate)
        } else {
            (low + step, (f64::from(step) + 1.0) / rate)
        };
        let hooks = usize::try_from(frame).map_or(&[][..], |frame| playing.animation.hooks(frame));
        let fires = move |hook: &&Hook| hook.direction == direction || hook.direction == HookDirection::BOTH;
        hooks.iter().filter(fires).map(move |hook| (after, frame, *hook))
    })
}

/// The motions of a style.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Motions {
    /// The motions that loop.
    pub cycles: Vec<MotionCommand>,
    /// The motions that can be added to a cycle, in this style or in any.
    pub modifiers: Vec<MotionCommand>,
    /// The links: from which substate (`None`: from any), to which motion.
    pub links: Vec<(Option<MotionCommand>, MotionCommand)>,
}

impl Motions {
    /// Returns every motion that can be requested in the style, each once: those that loop, then changes of style, then
    /// actions, in ascending order of their numbers.
    pub fn requests(&self) -> Vec<MotionCommand> {
        let links = self.links.iter().map(|(_, to)| *to).filter(|to| to.is_style() || to.is_action());
        let mut requests: Vec<MotionCommand> = self.cycles.iter().copied().chain(links).collect();
        requests.sort_unstable_by_key(|motion| (motion.is_action(), motion.is_style(), motion.wire_index()));
        requests.dedup();
        requests
    }

    /// Iterates over the actions that can be played from a substate.
    pub fn actions(&self, from: MotionCommand) -> impl Iterator<Item = MotionCommand> + '_ {
        let here = move |start: &Option<MotionCommand>| start.is_none_or(|start| start == from);
        self.links.iter().filter(move |(start, to)| to.is_action() && here(start)).map(|(_, to)| *to)
    }
}

/// Returns the motions of a style, in ascending order of their keys.
///
/// The keys of cycles hold only the low word of a motion, which is expanded by the command numbers of an era.
pub fn motions(table: &Table, style: MotionCommand, era: Era) -> Motions {
    let own = u32::from(style.wire_index());
    let expand = |key: u32| era.expand(key as u16).unwrap_or(MotionCommand(key & 0xFFFF));
    let mut motions = Motions::default();
    motions.cycles.extend(table.cycle_keys().filter(|key| key >> 16 == own).map(expand));
    let is_ours = |key: &u32| key >> 16 == own || key >> 16 == 0;
    motions.modifiers.extend(table.modifier_keys().filter(is_ours).map(expand));
    for (outer, to) in table.link_keys().filter(|(outer, _)| outer >> 16 == own) {
        let from = (outer as u16 != 0).then(|| expand(outer));
        motions.links.push((from, to));
    }
    motions.cycles.sort_unstable_by_key(|motion| motion.wire_index());
    motions.modifiers.sort_unstable_by_key(|motion| motion.wire_index());
    motions.modifiers.dedup();
    motions.links.sort_unstable();
    motions
}
