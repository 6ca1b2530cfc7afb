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

    /// Returns `true` if the simulated body stands where it was reported, and its motion does not turn it.
    pub(super) fn stands(&self) -> bool {
        let is_still = self.body.cached_velocity == Vec3::ZERO && self.sequence().omega().z == 0.0;
        is_still && self.is_idle && self.body.is_on_walkable()
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
    pub(super) stalls: u8,
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

    /// Returns `true` if it was updated in a tick.
    pub(crate) fn was_visited(&self, tick: u16) -> bool {
        self.visited == tick
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

    /// Returns `true` if the estimate is turned as a body is. One that lies is not asked.
    pub(crate) fn is_turned_as(&self, body: &Body) -> bool {
        Yaw::of(body.position.frame.rotation).is_none_or(|yaw| yaw == self.track_yaw)
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
    use acmotion_types::Quat;

    use super::super::stage::{READY, RUN, Stage, at, flat, near};
    use super::*;
    use crate::body::TransientState;

    #[test]
    fn a_remote_takes_at_most_128_bytes() {
        assert!(size_of::<Remote>() <= 128, "{} bytes", size_of::<Remote>());
    }

    #[test]
    fn a_remote_is_of_one_generation() {
        let remote = Stage::playing(READY).remote();
        assert!(remote.is_of(1) && !remote.is_of(2) && !remote.is_of(0));
        assert!(!Remote::NONE.is_of(0), "there is none");
    }

    /// Only a run that its own client has announced goes on by itself.
    #[test]
    fn a_remote_runs_by_itself_if_its_client_said_so() {
        let mut stage = Stage::playing(RUN);
        assert!(!stage.announced().runs_by_itself(), "the server said so");
        stage.body.flags.insert(BodyFlags::AUTONOMOUS);
        assert!(stage.announced().runs_by_itself());
        stage.is_ordered = true;
        assert!(!stage.announced().runs_by_itself(), "it has an order");
        let mut stage = Stage::playing(READY);
        stage.body.flags.insert(BodyFlags::AUTONOMOUS);
        assert!(!stage.announced().runs_by_itself(), "it stands");
    }

    #[test]
    fn an_order_is_carried_out_when_nothing_is_pending() {
        let mut stage = Stage::playing(READY);
        assert!(stage.announced().has_finished());
        stage.is_ordered = true;
        assert!(!stage.announced().has_finished(), "it is under way");
        stage.is_ordered = false;
        stage.animator.do_motion(&stage.library, MotionCommand::WAVE, 1.0).expect("the table has it");
        assert!(!stage.announced().has_finished(), "it waves");
    }

    #[test]
    fn a_body_stands_that_neither_goes_nor_turns_nor_is_to_be_elsewhere() {
        let stands = |motion, change: fn(&mut Stage)| {
            let mut stage = Stage::playing(motion);
            stage.is_idle = true;
            change(&mut stage);
            stage.announced().stands()
        };
        assert!(stands(READY, |_| {}));
        assert!(!stands(READY, |stage| stage.body.cached_velocity = Vec3::new(0.0, 0.1, 0.0)));
        assert!(!stands(MotionCommand::TURN_RIGHT, |_| {}));
        assert!(!stands(READY, |stage| stage.is_idle = false));
        assert!(!stands(READY, |stage| stage.body.transient.remove(TransientState::ON_WALKABLE)));
    }

    #[test]
    fn an_estimate_is_turned_as_an_upright_body_or_not() {
        let mut stage = Stage::playing(READY);
        let mut remote = stage.remote();
        assert!(remote.is_turned_as(&stage.body));
        stage.body.position.frame.rotation = Yaw::NONE.turned(0.1).rotation();
        assert!(!remote.is_turned_as(&stage.body));
        remote.track_yaw = Yaw::of(stage.body.position.frame.rotation).expect("it is upright");
        assert!(remote.is_turned_as(&stage.body));
        stage.body.position.frame.rotation = Quat::new(0.7, 0.7, 0.0, 0.0);
        assert!(remote.is_turned_as(&stage.body), "a body that lies has no direction");
    }

    #[test]
    fn root_velocity_grows_with_the_body() {
        let mut stage = Stage::playing(RUN);
        stage.pace = 1.5;
        flat(stage.announced().root_velocity(), 0.0, 9.0);
    }

    /// Whoever snaps forgets everything but what was learnt of its connection, and whether it waits.
    #[test]
    fn a_snap_keeps_what_was_learnt_of_the_connection() {
        let mut stage = Stage::playing(READY);
        let mut remote = stage.remote();
        (remote.track, remote.lead, remote.jitter) = (at(1.0, 2.0), 0.3, 0.05);
        remote.flags = RemoteFlags::all();
        stage.body.position = stage.beside(3.0, 4.0);
        remote.snap(&stage.body);
        assert_eq!(remote.place(), stage.body.position);
        assert_eq!((remote.track, remote.lead, remote.jitter), (Flat::ZERO, 0.0, 0.05));
        assert_eq!(remote.flags, RemoteFlags::IS_USED | RemoteFlags::HAS_CLIENT | RemoteFlags::WAITS);
        let mut remote = stage.remote();
        remote.snap(&stage.body);
        assert_eq!(remote.flags, RemoteFlags::IS_USED);
        remote.teleport(&stage.body);
        assert_eq!(remote.flags, RemoteFlags::IS_USED | RemoteFlags::WAITS);
    }

    #[test]
    fn a_visit_continues_that_of_the_tick_before() {
        let mut stage = Stage::playing(READY);
        let mut remote = Remote::new(1, &stage.body, u16::MAX);
        assert!(remote.visit(&stage.body, 0), "ticks are counted modulo 65,536");
        assert!(!remote.visit(&stage.body, 2), "a tick was left out");
        assert!(remote.visit(&stage.body, 3));
        assert!(!remote.has_client());
        stage.body.flags.insert(BodyFlags::AUTONOMOUS);
        remote.visit(&stage.body, 4);
        assert!(remote.has_client(), "its client moves it");
        stage.body.placements = 1;
        assert!(remote.take_placement(&stage.body));
        assert!(!remote.take_placement(&stage.body), "once for each placement");
    }

    #[test]
    fn the_known_position_is_that_of_the_estimate() {
        let stage = Stage::playing(READY);
        let mut remote = stage.remote();
        (remote.track, remote.track_yaw) = (at(1.0, 2.0), Yaw::NONE.turned(0.5));
        let known = remote.known_position();
        assert_eq!(known.frame.origin, stage.beside(1.0, 2.0).frame.origin);
        near(known.frame.rotation.z, libm::sinf(0.25));
        assert_eq!(remote.position().frame.rotation, Quat::IDENTITY, "it is still shown as before");
    }

    #[test]
    fn only_long_steps_turn_back() {
        let stage = Stage::playing(READY);
        let mut remote = stage.remote();
        // The last step and the next one, both to the north, in metres.
        for (last, next, turns_back) in
            [(0.1, -0.1, true), (0.1, 0.1, false), (0.1, -0.005, false), (0.005, -0.1, false)]
        {
            remote.step = at(0.0, last);
            assert_eq!(remote.turns_back(&stage.beside(0.0, next)), turns_back, "{last} m, then {next} m");
        }
    }

    fn step(by: Vec3, motion: Flat) -> Step {
        Step { by, motion, cycle: None }
    }

    /// All offsets are from where it is shown now.
    #[test]
    fn offsets_follow_a_step() {
        let stage = Stage::playing(RUN);
        let mut remote = stage.remote();
        (remote.track, remote.reported) = (at(1.0, 2.0), at(3.0, 4.0));
        let (to, by) = (stage.beside(0.1, 0.6), Vec3::new(0.1, 0.6, 0.0));
        let motion = at(0.0, 6.0);
        assert!(remote.arrive(&to, false, &step(by, motion), &stage.announced()));
        assert_eq!(remote.place(), to);
        flat(remote.track, 0.9, 1.4);
        flat(remote.reported, 2.9, 3.4);
        flat(remote.step, 0.1, 0.6);
        assert!(!remote.is_in_air());
        assert_eq!(remote.gait_pose(&stage.library), None, "it goes as its motion does: 6 m/s");
        assert!(remote.arrive(&to, true, &step(by, motion), &stage.announced()));
        assert!(remote.is_in_air());
    }

    /// A body that goes 1 m/s while its motion stands takes steps, but neither in the air nor in a tick without time.
    #[test]
    fn legs_step_on_the_ground_and_in_time() {
        for (is_in_air, seconds, steps) in [(false, 0.1, true), (true, 0.1, false), (false, 0.0, false)] {
            let mut stage = Stage::playing(READY);
            stage.seconds = seconds;
            let mut remote = stage.remote();
            let (to, by) = (stage.beside(0.0, 0.1), Vec3::new(0.0, 0.1, 0.0));
            remote.arrive(&to, is_in_air, &step(by, Flat::ZERO), &stage.announced());
            assert_eq!(remote.gait_pose(&stage.library).is_some(), steps, "{is_in_air}, {seconds} s");
        }
    }

    /// Returns after how many ticks a remote snaps that wants to go north and covers a part of that way; `None` if not within
    /// a hundred. `apart` is the distance to its estimate, which does not change.
    fn ticks_until_snap(wanted: f32, covered: f32, apart: f32) -> Option<usize> {
        let stage = Stage::playing(READY);
        let mut remote = stage.remote();
        let announced = stage.announced();
        (1..=100).find(|_| {
            let mut to = remote.place();
            to.frame.origin.y += covered;
            remote.track = at(0.0, apart + covered);
            !remote.arrive(&to, false, &step(Vec3::new(0.0, wanted, 0.0), Flat::ZERO), &announced)
        })
    }

    #[test]
    fn a_remote_that_is_stalled_for_half_a_second_snaps() {
        assert_eq!(ticks_until_snap(0.3, 0.0, 1.5), Some(16));
        assert_eq!(ticks_until_snap(0.3, 0.08, 1.5), Some(16), "less than 30 % of the way");
        assert_eq!(ticks_until_snap(0.3, 0.1, 1.5), None, "more than that");
        assert_eq!(ticks_until_snap(0.3, 0.0, 0.9), None, "it is within a metre");
        assert_eq!(ticks_until_snap(0.009, 0.0, 1.5), None, "it does not want to go anywhere");
    }

    #[test]
    fn a_step_that_gets_on_makes_up_for_one_that_does_not() {
        let stage = Stage::playing(READY);
        let (mut remote, announced) = (stage.remote(), stage.announced());
        let mut arrive = |covered: f32| {
            let mut to = remote.place();
            to.frame.origin.y += covered;
            remote.track = at(0.0, 2.0 + covered);
            remote.arrive(&to, false, &step(Vec3::new(0.0, 0.3, 0.0), Flat::ZERO), &announced)
        };
        assert!((0..15).all(|_| arrive(0.0)), "fifteen ticks");
        assert!(arrive(0.3) && arrive(0.0), "as before");
        assert!(!arrive(0.0), "one more");
    }
}
