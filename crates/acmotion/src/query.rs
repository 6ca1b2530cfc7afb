//! Questions of servers, tools and bots: how long a motion takes, when its hooks fire, which motions there are.
//!
//! The answers come from the same table walk that bodies make (rule G4) and agree with stepping: a hook fires when its
//! frame is left, and the hooks of the last frame played never do (rule H12).
//!
//! ```
//! use acmotion::Library;
//! use acmotion::dat::{Assets, mannequin};
//! use acmotion::query::{Question, ask};
//! use acmotion::types::MotionCommand;
//!
//! let mut library = Library::new();
//! let table = library.load_table(&Assets::mannequin(), mannequin::HUMAN_TABLE)?;
//! let slash = Question::new(MotionCommand::SWORD_COMBAT, MotionCommand::SLASH_HIGH);
//! let timing = ask(&library, library.table(table), &slash)?;
//! let hit = timing.attacks().next().expect("a slash hits");
//! assert!(hit.time < timing.link_seconds());
//!
//! // What a table does not have is a value.
//! let flight = Question::new(MotionCommand::NON_COMBAT, MotionCommand::SLASH_HIGH);
//! assert!(ask(&library, library.table(table), &flight).is_err());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use acmotion_dat::{DataId, Hook, HookDirection, HookEffect};
use acmotion_types::{EPS, Era, MotionCommand};
use thiserror::Error;

use crate::library::Library;
use crate::sequence::{PlayingNode, Sequence};
use crate::table::{MotionState, Table, TableDriver};

/// A motion that a table does not have.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Error)]
#[error("there is no {motion} in style {style}")]
pub struct Undefined {
    /// The style.
    pub style: MotionCommand,
    /// The motion.
    pub motion: MotionCommand,
}

/// What is asked: a motion in a style, from a substate, at a speed.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct MotionQuery {
    /// The style that the body is in.
    pub style: MotionCommand,
    /// What it is asked to do.
    pub motion: MotionCommand,
    /// What it does before; the style's default if none is given.
    pub from: Option<MotionCommand>,
    /// How fast.
    pub speed: f32,
}

impl MotionQuery {
    /// A motion from the style's default substate, at speed 1.
    pub const fn new(style: MotionCommand, motion: MotionCommand) -> Self {
        Self { style, motion, from: None, speed: 1.0 }
    }
}

/// What is played for a motion, and when.
#[derive(Clone, PartialEq, Debug)]
pub struct Timing {
    /// What was asked.
    pub query: MotionQuery,
    /// What the body did before.
    pub from: MotionCommand,
    /// What plays once: the way from one motion to the other, or an action.
    pub link: Vec<Segment>,
    /// What loops in the end; none if nothing is animated.
    pub cycle: Option<Segment>,
    /// Every hook that fires, in order: those of the link, then those of the cycle's first round.
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
    /// Frames a second; negative plays backwards.
    pub framerate: f32,
    /// When it starts, in seconds from the start of the motion.
    pub start: f64,
    /// How long it takes.
    pub seconds: f64,
}

/// A hook and when it fires.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct TimedHook {
    /// Seconds from the start of the motion.
    pub time: f64,
    /// Which share of the link has passed then; none for hooks of the cycle.
    pub share: Option<f64>,
    /// The animation.
    pub animation: DataId,
    /// The frame that is left.
    pub frame: i32,
    /// The hook.
    pub hook: Hook,
}

impl Timing {
    /// How long the link takes: until the cycle begins, or an action is over.
    pub fn link_seconds(&self) -> f64 {
        self.link.iter().fold(0.0, |sum, segment| sum + segment.seconds)
    }

    /// How long one round of the cycle takes, if there is one.
    pub fn cycle_seconds(&self) -> Option<f64> {
        self.cycle.map(|cycle| cycle.seconds)
    }

    /// The moments at which a blow lands.
    pub fn attacks(&self) -> impl Iterator<Item = &TimedHook> {
        self.hooks.iter().filter(|timed| matches!(timed.hook.effect, HookEffect::Attack(_)))
    }
}

/// How long a motion takes and when its hooks fire.
///
/// # Errors
/// When the table does not have the motion, or what comes before it.
pub fn timing(library: &Library, table: &Table, question: &MotionQuery) -> Result<Timing, Undefined> {
    let (from, sequence) = begin(library, table, question)?;
    Ok(timing_of(library, &sequence, *question, from))
}

/// What the body does before, and the sequence of a body that was just asked, about to play.
///
/// The way from a turn or a sidestep to the style's default substate is what a body plays that stops (rule G9): asked for
/// the default substate alone, it goes on turning (rule G4).
///
/// # Errors
/// When the table does not have the motion, or what comes before it.
pub fn begin(
    library: &Library,
    table: &Table,
    question: &MotionQuery,
) -> Result<(MotionCommand, Sequence), Undefined> {
    let (style, motion) = (question.style, question.motion);
    let undefined = |motion| Undefined { style, motion };
    let default = table.style_default(style).ok_or_else(|| undefined(style))?;
    let from = question.from.unwrap_or(default);
    table.cycle_or_default(style, from).ok_or_else(|| undefined(from))?;
    let (mut state, mut sequence) = (MotionState::standing(style, from, 1.0), Sequence::new());
    let mut walker = TableDriver::new(library, table, &mut state, &mut sequence);
    let is_stop = motion == default && from.is_modifier();
    let answer = if is_stop { walker.stop(from) } else { walker.request(motion, question.speed) };
    answer.ok_or_else(|| undefined(motion))?;
    Ok((from, sequence))
}

fn timing_of(library: &Library, sequence: &Sequence, question: MotionQuery, from: MotionCommand) -> Timing {
    let cyclic = sequence.first_cyclic_index();
    let mut timing = Timing { query: question, from, link: Vec::new(), cycle: None, hooks: Vec::new() };
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

/// The hooks of a node that fire, each with the time after the node's start and its frame, in the order of play. The last
/// frame played is never left, so its hooks do not fire (rule H12).
fn hooks_of<'a>(playing: &'a PlayingNode<'_>) -> impl Iterator<Item = (f64, i32, Hook)> + 'a {
    let rate = f64::from(playing.framerate);
    let (low, high) = (playing.low, playing.high);
    let count = (high - low).max(0);
    let direction = if rate < 0.0 { HookDirection::BACKWARD } else { HookDirection::FORWARD };
    let steps = if rate.abs() > f64::from(EPS) { count } else { 0 };
    (0..steps).flat_map(move |step| {
        // Forward a frame is left when the next one begins; backward play starts one epsilon before the end (rule H4).
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

/// The motions that a style has.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Motions {
    /// What loops.
    pub cycles: Vec<MotionCommand>,
    /// What can be added to a cycle, in this style or in any.
    pub modifiers: Vec<MotionCommand>,
    /// What leads somewhere: from where (none: from anywhere), to which motion.
    pub links: Vec<(Option<MotionCommand>, MotionCommand)>,
}

impl Motions {
    /// The actions that can be played from a substate.
    pub fn actions(&self, from: MotionCommand) -> impl Iterator<Item = MotionCommand> + '_ {
        let here = move |start: &Option<MotionCommand>| start.is_none_or(|start| start == from);
        self.links.iter().filter(move |(start, to)| to.is_action() && here(start)).map(|(_, to)| *to)
    }
}

/// Which motions a style has, in ascending order of their keys.
///
/// Keys of cycles hold only the low word of a motion; it is expanded by the catalogue of that era.
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
