//! One remote: where it is shown, and what was estimated of it.

use acmotion_types::{CellId, CellPosition, Frame, MotionCommand, Vec3};

use super::gait::{Gait, is_locomotion};
use super::step::Step;
use super::{Flat, GaitPose, Yaw};
use crate::body::{Body, BodyFlags};
use crate::library::Library;
use crate::sequence::Sequence;
use crate::table::Animator;

/// What is known of a remote in a tick, or when a message arrives.
pub(crate) struct Announced<'a> {
    /// The simulated body.
    pub(crate) body: &'a Body,
    /// The animation that plays.
    pub(crate) animator: &'a Animator,
    pub(crate) library: &'a Library,
    /// The factor of its root motion.
    pub(crate) pace: f32,
    /// What an order leads it to.
    pub(crate) goal: Option<Goal>,
    /// Whether it has an order.
    pub(crate) is_ordered: bool,
    /// Whether it sticks to another body.
    pub(crate) is_stuck: bool,
    /// Whether the simulated body has reached what was reported of it.
    pub(crate) is_idle: bool,
    /// The time, in seconds, that a message about it takes from its owner.
    pub(crate) delay: f32,
    /// The time since the last tick, in seconds.
    pub(crate) seconds: f32,
}

/// What an order leads a remote to.
#[derive(Clone, Copy)]
pub(crate) struct Goal {
    /// From the simulated body.
    pub(crate) offset: Flat,
    /// The distance at which the remote has arrived, in metres.
    pub(crate) reach: f32,
}

impl Announced<'_> {
    pub(crate) fn sequence(&self) -> &Sequence {
        self.animator.sequence()
    }

    /// Returns `true` if the remote moves because its own client said so.
    pub(super) fn runs_by_itself(&self) -> bool {
        let substate = self.animator.state().substate();
        let is_own = self.body.flags.contains(BodyFlags::AUTONOMOUS) && !self.is_ordered;
        is_own && substate != MotionCommand::READY && is_locomotion(self.animator)
    }

    /// Returns `true` if the remote has carried out what it was ordered to do.
    pub(super) fn has_finished(&self) -> bool {
        !self.is_ordered && self.animator.pending().len() == 0
    }

    /// Returns the velocity of the root, in the body's axes, in metres a second.
    pub(super) fn root_velocity(&self) -> Flat {
        Flat::from(self.sequence().root_velocity(self.library)) * self.pace
    }
}

bitflags::bitflags! {
    /// Yes-or-no properties of a remote.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub(super) struct RemoteFlags: u8 {
        /// There is a remote.
        const IS_USED = 1;
        /// Its own client moves it, and not the server.
        const HAS_CLIENT = 2;
        /// It was teleported, and no motion has been announced since.
        const WAITS = 4;
        /// It is shown in the air.
        const IN_AIR = 8;
        /// The last motion was ordered by the server and has not reached its client yet.
        const IS_ORDERED = 16;
        /// Nothing has changed since it came to rest.
        const IS_SETTLED = 32;
        /// An order has interrupted its run: the drift is what it resumes when the order has been carried out.
        const RESUMES = 64;
        /// The drift is resumed, and no report has shown yet whether that is right.
        const HAS_RESUMED = 128;
    }
}

/// Where a remote is shown, and what that is made of. Vectors are in the axes of all landblocks, which are parallel.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Remote {
    generation: u32,
    cell: CellId,
    /// In the axes of the cell's landblock.
    origin: Vec3,
    /// The direction in which it is shown.
    pub(super) yaw: Yaw,
    /// From where it is shown to where it is estimated to have been one delay ago.
    pub(super) track: Flat,
    /// The direction in which it is estimated to have been turned then.
    pub(super) track_yaw: Yaw,
    /// The time, in seconds, by which its motion is shown ahead of that of the simulated body.
    pub(super) lead: f32,
    /// The rate at which its motion is played.
    pub(super) rate: f32,
    /// The velocity at which its error is blended away, in metres a second.
    pub(super) blend: Vec3,
    /// The last step over the ground.
    pub(super) step: Flat,
    /// From where it is shown to where it was last reported.
    pub(super) reported: Flat,
    /// How far the announced motion has led since then.
    pub(super) announced_way: Flat,
    /// The velocity that reports show of a motion that was not announced, in metres a second.
    pub(super) drift: Flat,
    /// The time since the last report, in seconds.
    pub(super) since_report: f32,
    /// The time since another motion was announced, in seconds.
    pub(super) since_motion: f32,
    /// The mean time by which reports are early or late, in seconds.
    pub(super) jitter: f32,
    pub(super) gait: Gait,
    /// The share of the announced motion that reports confirm, of 255.
    pub(super) credit: u8,
    /// For how many ticks something has been in its way.
    stalls: u8,
    placements: u8,
    pub(super) flags: RemoteFlags,
    /// The number of the last tick in which it was updated, modulo 65,536.
    visited: u16,
    /// The time between the last two reports, in milliseconds, if it drifts.
    pub(super) interval: u16,
}

/// The maximum number of ticks for which something is in the way of a remote before it snaps, as the original does after
/// failing in windows of five ticks (rules I6, I8).
const MAX_STALLS: u8 = 15;
/// The minimum distance, in metres, from where it should be at which a remote can be stalled.
const MIN_STALL_DISTANCE: f32 = 1.0;
/// The minimum length of a step, in metres, that something can be in the way of.
const MIN_STEP: f32 = 0.01;
/// A step of at least this length, in metres, is never followed by one in the opposite direction.
pub(super) const MIN_REVERSAL: f32 = 0.009;
/// The minimum share of a step that a remote must cover so as not to be stalled (rule I6).
const MIN_PROGRESS: f32 = 0.3;

impl Remote {
    /// No remote.
    pub(crate) const NONE: Self = Self {
        generation: 0,
        cell: CellId::NONE,
        origin: Vec3::ZERO,
        yaw: Yaw::NONE,
        track: Flat::ZERO,
        track_yaw: Yaw::NONE,
        lead: 0.0,
        rate: 1.0,
        blend: Vec3::ZERO,
        step: Flat::ZERO,
        reported: Flat::ZERO,
        announced_way: Flat::ZERO,
        drift: Flat::ZERO,
        since_report: 0.0,
        since_motion: 0.0,
        jitter: 0.0,
        gait: Gait::NONE,
        credit: u8::MAX,
        stalls: 0,
        placements: 0,
        flags: RemoteFlags::empty(),
        visited: 0,
        interval: 0,
    };

    /// Creates a remote that is shown where its body is.
    pub(crate) fn new(generation: u32, body: &Body, tick: u16) -> Self {
        let CellPosition { cell, frame } = body.position;
        let yaw = Yaw::of(frame.rotation).unwrap_or(Yaw::NONE);
        Self {
            generation,
            cell,
            origin: frame.origin,
            yaw,
            track_yaw: yaw,
            placements: body.placements,
            flags: RemoteFlags::IS_USED,
            visited: tick,
            ..Self::NONE
        }
    }

    /// Shows it where its body is. What was learnt of its connection stays.
    pub(crate) fn snap(&mut self, body: &Body) {
        let kept = self.flags & (RemoteFlags::HAS_CLIENT | RemoteFlags::WAITS);
        let mut placed = Self::new(self.generation, body, self.visited);
        placed.flags |= kept;
        placed.jitter = self.jitter;
        *self = placed;
    }

    /// Shows it where it was teleported to. It stands until another motion is announced: its client announces one after
    /// each teleport (rule D6).
    pub(crate) fn teleport(&mut self, body: &Body) {
        self.flags |= RemoteFlags::WAITS;
        self.snap(body);
    }

    /// Returns `true` if it is of the entity of this generation.
    pub(crate) fn is_of(&self, generation: u32) -> bool {
        self.generation == generation && self.flags.contains(RemoteFlags::IS_USED)
    }

    /// Notes that it is updated in a tick, and whether its client has moved it. Returns `false` if it was not updated in the
    /// tick before, so that nothing of it holds any more.
    pub(crate) fn visit(&mut self, body: &Body, tick: u16) -> bool {
        let is_continued = std::mem::replace(&mut self.visited, tick).wrapping_add(1) == tick;
        if body.flags.contains(BodyFlags::AUTONOMOUS) {
            self.flags |= RemoteFlags::HAS_CLIENT;
        }
        is_continued
    }

    /// Returns `true` once after its body has been placed somewhere.
    pub(crate) fn take_placement(&mut self, body: &Body) -> bool {
        std::mem::replace(&mut self.placements, body.placements) != body.placements
    }

    /// Returns `true` if its own client moves it.
    pub(crate) fn has_client(&self) -> bool {
        self.flags.contains(RemoteFlags::HAS_CLIENT)
    }

    /// Returns `true` if it is at rest and nothing has been announced or reported since. A body that rests too leaves
    /// nothing to do.
    pub(crate) fn is_settled(&self) -> bool {
        self.flags.contains(RemoteFlags::IS_SETTLED)
    }

    /// Returns `true` if it is shown in the air.
    pub(crate) fn is_in_air(&self) -> bool {
        self.flags.contains(RemoteFlags::IN_AIR)
    }

    /// Returns where it is shown.
    pub(crate) fn position(&self) -> CellPosition {
        CellPosition::new(self.cell, Frame::new(self.origin, self.yaw.rotation()))
    }

    /// Returns where it is estimated to have been one delay ago.
    pub(crate) fn known_position(&self) -> CellPosition {
        let mut position = self.position();
        position.frame.origin += self.track.at(0.0);
        position.frame.rotation = self.track_yaw.rotation();
        position
    }

    /// Returns the time, in seconds, by which its motion is shown ahead.
    pub(crate) fn lead(&self) -> f32 {
        self.lead
    }

    /// Returns the rate at which its motion is played.
    pub(crate) fn rate(&self) -> f32 {
        self.rate
    }

    /// Returns the mean time by which reports are early or late, in seconds.
    pub(crate) fn jitter(&self) -> f32 {
        self.jitter
    }

    /// Returns the steps that are shown on top of its motion.
    pub(crate) fn gait_pose(&self, library: &Library) -> Option<GaitPose> {
        self.gait.pose(library)
    }

    /// Returns the offset from where it is shown to a position.
    pub(crate) fn offset_to(&self, position: &CellPosition) -> Vec3 {
        self.place().offset_to(position)
    }

    /// Returns where it is shown, without its direction.
    pub(crate) fn place(&self) -> CellPosition {
        CellPosition::at(self.cell, self.origin)
    }

    /// Returns `true` if a step to a position goes back against the last one: something in the way has turned it.
    pub(crate) fn turns_back(&self, position: &CellPosition) -> bool {
        let covered = Flat::from(self.offset_to(position));
        covered.dot(self.step) < 0.0 && self.step.length() > MIN_REVERSAL && covered.length() > MIN_REVERSAL
    }

    /// Records where a step has led. Returns `false` if something has been in its way for so long that it is to snap.
    pub(crate) fn arrive(
        &mut self,
        position: &CellPosition,
        is_in_air: bool,
        step: &Step,
        announced: &Announced<'_>,
    ) -> bool {
        let covered = Flat::from(self.offset_to(position));
        (self.cell, self.origin) = (position.cell, position.frame.origin);
        self.track -= covered;
        self.reported -= covered;
        self.step = covered;
        self.flags.set(RemoteFlags::IN_AIR, is_in_air);
        if is_in_air || announced.seconds <= 0.0 {
            self.gait = Gait::NONE;
        } else {
            let velocity = covered * (1.0 / announced.seconds);
            let motion = self.yaw.undo(step.motion);
            self.gait.step(announced, step.cycle, self.yaw.undo(velocity), motion);
        }
        let wanted = Flat::from(step.by);
        let square = wanted.dot(wanted);
        let is_stalled = square > MIN_STEP * MIN_STEP
            && covered.dot(wanted) < MIN_PROGRESS * square
            && self.track.length() > MIN_STALL_DISTANCE;
        self.stalls = if is_stalled { self.stalls + 1 } else { self.stalls.saturating_sub(1) };
        self.stalls <= MAX_STALLS
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_remote_takes_at_most_128_bytes() {
        assert!(size_of::<Remote>() <= 128, "{} bytes", size_of::<Remote>());
    }
}
