//! Cheats: what dishonest clients send, to measure how well a server's [checks](acmotion::check) find them.

mod no_walls;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use acmotion::World;
use acmotion::types::{CellPosition, Era, Vec3};
use acmotion::wire::{C2S, GameActionBody, decode_c2s};

use crate::scenario::SharedSurroundings;
use no_walls::NoWalls;

/// The factor by which a speed cheat is faster.
const SPEED: f32 = 1.2;
/// The length, in metres, of a step beyond which the server has moved the player.
const MAX_STEP: f32 = 25.0;
/// The distance, in metres, from which on a cheat has had an effect.
const MIN_EFFECT: f32 = 0.05;
/// The speed, in metres a second, at which an air walker rises.
const RISE: f64 = 2.0;
/// The maximum height, in metres, of an air walker.
const MAX_RISE: f64 = 8.0;
/// The distance, in metres, by which positions are off.
const OFFSET: f32 = 3.0;
/// The interval, in seconds, after which a moving client reports its position (rule K7).
const REPORT_INTERVAL: f64 = 1.0;
/// The extent of a jump that is charged too far.
const EXTENT: f32 = 1.5;

/// What a dishonest client does.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum CheatKind {
    /// Moves 1.2 times as far between reports.
    Speed,
    /// Runs its clock 1.2 times as fast, so that everything it does is faster, its reports included.
    Clock,
    /// Walks through walls.
    WallClip,
    /// Rises at 2 m/s and claims to stand.
    AirWalk,
    /// Jumps with an extent of 1.5.
    LongJump,
    /// Sends a message again.
    StampReplay,
    /// Reports positions 3 m beside its path.
    Offset,
}

impl CheatKind {
    /// All cheats.
    pub const ALL: [Self; 7] = [
        Self::Speed,
        Self::Clock,
        Self::WallClip,
        Self::AirWalk,
        Self::LongJump,
        Self::StampReplay,
        Self::Offset,
    ];

    /// Returns `true` if it has an effect only while the player moves.
    const fn needs_motion(self) -> bool {
        matches!(self, Self::Speed | Self::Clock)
    }

    /// Returns the name, as on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Speed => "speed",
            Self::Clock => "clock",
            Self::WallClip => "wall_clip",
            Self::AirWalk => "air_walk",
            Self::LongJump => "long_jump",
            Self::StampReplay => "stamp_replay",
            Self::Offset => "offset",
        }
    }

    /// Returns the cheat with a name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

/// A cheat and when it starts.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Cheat {
    /// What the client does.
    pub kind: CheatKind,
    /// The time, in seconds, from which on it does so.
    pub from: f64,
}

/// What moves a player.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Control {
    /// The server, or nothing: it is in the air.
    #[default]
    Other,
    /// Its own keys, on the ground, but its animations may still be those of an order or a teleport.
    Own,
    /// Its own keys, on the ground, for so long that its animations are known.
    Settled,
}

/// For how long a cheat has had an effect, in seconds.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(crate) struct Effect {
    /// The time that can be known from reports.
    pub(crate) visible: f64,
    /// The time for which the player was under its own control, if the cheat is one of speed; else all of it.
    pub(crate) plain: f64,
}

/// A client that cheats.
#[derive(Clone)]
pub(crate) struct Cheater {
    cheat: Cheat,
    surroundings: SharedSurroundings,
    has_begun: bool,
    /// Set when a wall is ignored. Clones of a client share it, so it is read and reset at the end of each frame.
    ignored_wall: Arc<AtomicBool>,
    /// Whether a wall had been ignored by the end of the last frame.
    has_ignored_wall: bool,
    onset: Option<f64>,
    /// Whether the player was under its own control when the cheat first had an effect.
    began_free: bool,
    /// The true position of the last message, and the one that was sent.
    last: Option<(CellPosition, CellPosition)>,
    last_sent: f64,
    /// What moved the player when the last message was sent.
    control: Control,
    /// The direction of an offset.
    beside: Option<Vec3>,
    /// The times of the messages that the cheat has changed, each with the effect that it had had by then.
    effects: Vec<(f64, Effect)>,
    /// The last message about the player's motion.
    remembered: Option<Vec<u8>>,
}

impl Cheater {
    pub(crate) fn new(cheat: Cheat, surroundings: SharedSurroundings) -> Self {
        Self {
            cheat,
            surroundings,
            has_begun: false,
            ignored_wall: Arc::default(),
            has_ignored_wall: false,
            onset: None,
            began_free: true,
            last: None,
            last_sent: 0.0,
            control: Control::default(),
            beside: None,
            effects: Vec::new(),
            remembered: None,
        }
    }

    /// Returns the time at which the cheat first had an effect.
    pub(crate) fn onset(&self) -> Option<f64> {
        self.onset
    }

    /// Returns `true` if the player was under its own control when the cheat first had an effect. The speed of a player
    /// counts only then.
    pub(crate) fn began_free(&self) -> bool {
        self.began_free
    }

    /// Changes the client's world if the cheat begins. Returns the time on the client's clock.
    pub(crate) fn begin_frame(&mut self, world: &mut World, now: f64) -> f64 {
        let Cheat { kind, from } = self.cheat;
        if now >= from && !self.has_begun {
            self.has_begun = true;
            if kind == CheatKind::WallClip {
                let (inner, ignored) = (Arc::clone(&self.surroundings), Arc::clone(&self.ignored_wall));
                world.set_surroundings(Some(Arc::new(NoWalls::new(inner, ignored))));
            }
        }
        if self.onset.is_none() && self.has_ignored_wall {
            self.onset = Some(now);
        }
        let is_fast = kind == CheatKind::Clock && self.has_begun;
        if is_fast { now + (now - from) * f64::from(SPEED - 1.0) } else { now }
    }

    /// Notes whether a wall was ignored in the frame that ends.
    pub(crate) fn end_frame(&mut self) {
        self.has_ignored_wall |= self.ignored_wall.swap(false, Ordering::Relaxed);
    }

    /// Changes a message that the client sends. `control` is what moves the player.
    pub(crate) fn edit(&mut self, bytes: Vec<u8>, now: f64, control: Control) -> Vec<Vec<u8>> {
        let Ok(C2S::GameAction(mut message)) = decode_c2s(&bytes, Era::default()) else { return vec![bytes] };
        let is_heartbeat = matches!(message.action, GameActionBody::AutonomousPosition(_));
        let controls = [std::mem::replace(&mut self.control, control), control];
        let position = match &mut message.action {
            GameActionBody::MoveToState(message) => Some(&mut message.position),
            GameActionBody::AutonomousPosition(message) => Some(&mut message.position),
            GameActionBody::Jump(message) => message.position.as_mut(),
            _ => return vec![bytes],
        };
        if let Some(position) = position {
            let truth = *position;
            if self.has_begun {
                *position = self.edited(&truth, now);
            }
            let distance = truth.distance_to(position);
            let has_moved = self.last.is_none_or(|(last, _)| last.distance_to(&truth) > MIN_EFFECT);
            self.last = Some((truth, *position));
            if self.has_begun && (distance > MIN_EFFECT || self.onset.is_some()) {
                // How long a player has moved is known only from reports that a timer sends (rule K7).
                let needs_motion = self.cheat.kind.needs_motion();
                let is_settled = controls == [Control::Settled; 2];
                if self.onset.is_none() && !needs_motion {
                    self.began_free = is_settled;
                }
                let is_timed = is_heartbeat && now - self.last_sent >= REPORT_INTERVAL;
                let is_own = has_moved && !controls.contains(&Control::Other);
                let is_visible = is_own && is_timed && is_settled;
                self.note_effect(now, is_visible || !needs_motion, is_own || !needs_motion);
            }
        }
        if self.has_begun
            && self.cheat.kind == CheatKind::LongJump
            && let GameActionBody::Jump(jump) = &mut message.action
        {
            (jump.extent, jump.velocity.z) = (EXTENT, jump.velocity.z * (EXTENT / jump.extent).sqrt());
            self.onset.get_or_insert(now);
        }
        self.last_sent = now;
        let mut edited = Vec::new();
        C2S::GameAction(message).encode(&mut edited);
        let replayed = self
            .remembered
            .take_if(|_| self.has_begun && self.cheat.kind == CheatKind::StampReplay && self.onset.is_none());
        if let Some(replayed) = replayed {
            self.onset = Some(now);
            return vec![edited, replayed];
        }
        self.remembered = Some(edited.clone());
        vec![edited]
    }

    /// Counts the time since the last message, if the cheat had an effect in it.
    fn note_effect(&mut self, now: f64, is_visible: bool, is_own: bool) {
        // A wrong position has no effect before it is sent.
        let is_first = self.onset.is_none() && !self.cheat.kind.needs_motion();
        let since = if is_first { now } else { self.last_sent.max(self.cheat.from) };
        self.onset.get_or_insert(since);
        let mut effect = self.effects.last().map_or_else(Effect::default, |(_, effect)| *effect);
        let seconds =
            if self.cheat.kind.needs_motion() { (now - since).min(REPORT_INTERVAL) } else { now - since };
        effect.visible += if is_visible { seconds } else { 0.0 };
        effect.plain += if is_own { seconds } else { 0.0 };
        self.effects.push((now, effect));
    }

    /// Returns the effect that the cheat had had when the messages up to a time were sent.
    pub(crate) fn effect(&self, sent: f64) -> Effect {
        let effects = self.effects.iter().take_while(|(time, _)| *time <= sent);
        effects.last().map_or_else(Effect::default, |(_, effect)| *effect)
    }

    /// Returns the position that is sent instead of the true one.
    fn edited(&mut self, truth: &CellPosition, now: f64) -> CellPosition {
        let mut sent = *truth;
        match self.cheat.kind {
            CheatKind::Speed => {
                if let Some((last_truth, last_sent)) = self.last {
                    let step = last_truth.offset_to(truth);
                    if step.length() < MAX_STEP {
                        let ahead = last_truth.offset_to(&last_sent) + step * (SPEED - 1.0);
                        sent.frame.origin += Vec3 { z: 0.0, ..ahead };
                    }
                }
            }
            CheatKind::Clock => {
                let has_moved = self.last.is_some_and(|(last, _)| last.distance_to(truth) > MIN_EFFECT);
                if has_moved {
                    self.onset.get_or_insert_with(|| self.last_sent.max(self.cheat.from));
                }
            }
            CheatKind::AirWalk => {
                let height = ((now - self.cheat.from) * RISE).min(MAX_RISE);
                sent.frame.origin.z += height as f32;
            }
            CheatKind::Offset => {
                let step = self.last.map_or(Vec3::ZERO, |(last, _)| last.offset_to(truth));
                let beside = Vec3::new(step.y, -step.x, 0.0).normalized();
                let beside = *self.beside.get_or_insert_with(|| beside.unwrap_or(Vec3::new(1.0, 0.0, 0.0)));
                sent.frame.origin += beside * OFFSET;
            }
            CheatKind::WallClip | CheatKind::LongJump | CheatKind::StampReplay => {}
        }
        if sent.cell.is_outdoor() { sent.adjusted_to_outside().unwrap_or(sent) } else { sent }
    }
}
