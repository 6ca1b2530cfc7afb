//! Comfort: a second position for each remote, for display and aiming.
//!
//! The original follows the server's reports (rules D7, I1–I10): a remote is shown where it was one message delay ago, every
//! report pulls it back and forth, and it goes astray where a message does not say what its player does. Comfort makes more
//! of the same messages and the same motion:
//!
//! 1. **Estimate.** Starting at each report, the announced motion (root motion of the sequence, turn rate, order, jump) is
//!    followed to where the remote was one delay ago. If a report is a little early or late along the way, that is jitter,
//!    and half of it is corrected; every other error is corrected in full. Where reports contradict the announced motion,
//!    the reports win.
//! 2. **Lead.** The remote is shown ahead of the estimate by a share of the delay, by [looking
//!    ahead](crate::sequence::Ahead) in the sequence and in a jump. It gets there by playing its motion faster or slower,
//!    within limits, so that feet do not slide.
//! 3. **Blending.** A critically damped spring with limited speed and acceleration blends the remaining error away. A remote
//!    never steps against its motion, nor immediately against its last step.
//! 4. **Feet.** Where the body does not move as its motion does, such as back to where it really stopped, the legs take
//!    steps at the body's speed.
//!
//! The remote is swept through the same surroundings, and it snaps only where the original would. The simulated bodies are
//! not touched: a world with comfort has the same state as one without, to the bit.

mod estimate;
mod flat;
mod gait;
mod remote;
mod settings;
mod step;

pub(crate) use flat::{Flat, Yaw};
pub(crate) use gait::GaitPose;
pub(crate) use remote::{Announced, Goal, Remote};
pub use settings::{ComfortSettings, Presentation};

/// The body and the animation of a remote, and what was announced of it, for the tests of this module.
#[cfg(test)]
mod stage {
    use std::sync::Arc;

    use acmotion_dat::motion_table::cycle_key;
    use acmotion_dat::{AnimData, Animation, AnimationFrame, DatError, DataId, MotionData, MotionTable};
    use acmotion_types::{CellId, CellPosition, Frame, MotionCommand, Vec3};

    use super::{Announced, ComfortSettings, Flat, Goal, Remote};
    use crate::body::{Body, BodyFlags, TransientState};
    use crate::library::{Animations, Library};
    use crate::table::Animator;

    pub(super) const READY: MotionCommand = MotionCommand::READY;
    pub(super) const RUN: MotionCommand = MotionCommand::RUN_FORWARD;

    /// The frames of each motion.
    const FRAMES: usize = 10;

    /// The way of each frame of the cycles, in metres. At 30 frames a second a walk has 3 m/s, a run 6 m/s and a sidestep
    /// 1.5 m/s.
    const CYCLES: [(MotionCommand, Vec3); 5] = [
        (MotionCommand::READY, Vec3::ZERO),
        (MotionCommand::WALK_FORWARD, Vec3::new(0.0, 0.1, 0.0)),
        (MotionCommand::RUN_FORWARD, Vec3::new(0.0, 0.2, 0.0)),
        (MotionCommand::SIDE_STEP_RIGHT, Vec3::new(0.05, 0.0, 0.0)),
        (MotionCommand::TURN_RIGHT, Vec3::ZERO),
    ];
    /// The turn rate of a turn to the right, in radians a second.
    pub(super) const OMEGA: f32 = -1.5;

    struct Clips;

    impl Animations for Clips {
        fn animation(&self, id: DataId) -> Result<Arc<Animation>, DatError> {
            let way = CYCLES.get(id.0 as usize - 1).map_or(Vec3::ZERO, |(_, way)| *way);
            let positions = vec![Frame::from_origin(way); FRAMES];
            Ok(Arc::new(Animation::new(id, Some(positions), vec![AnimationFrame::default(); FRAMES])))
        }
    }

    /// A table with these cycles, and a wave that can be played while standing.
    fn table() -> MotionTable {
        let data = |id: u32, omega: Option<Vec3>| {
            let anim = AnimData { animation: DataId(id), low: 0, high: -1, framerate: 30.0 };
            MotionData { anims: vec![anim], omega, ..MotionData::default() }
        };
        let style = MotionCommand::NON_COMBAT;
        let cycle = |(id, (motion, _)): (u32, &(MotionCommand, Vec3))| {
            let turns = *motion == MotionCommand::TURN_RIGHT;
            (cycle_key(style, *motion), data(id, turns.then_some(Vec3::new(0.0, 0.0, OMEGA))))
        };
        let wave = [(MotionCommand::WAVE.0, data(99, None))].into_iter().collect();
        MotionTable {
            id: DataId(0x0900_0001),
            default_style: style,
            style_defaults: [(style.0, MotionCommand::READY)].into_iter().collect(),
            cycles: (1..).zip(&CYCLES).map(cycle).collect(),
            links: [(cycle_key(style, MotionCommand::READY), wave)].into_iter().collect(),
            ..MotionTable::default()
        }
    }

    pub(super) struct Stage {
        pub(super) library: Library,
        pub(super) body: Body,
        pub(super) animator: Animator,
        pub(super) pace: f32,
        pub(super) goal: Option<Goal>,
        pub(super) is_ordered: bool,
        pub(super) is_stuck: bool,
        pub(super) is_idle: bool,
        pub(super) delay: f32,
        pub(super) seconds: f32,
    }

    impl Stage {
        /// A body that stands, faces north and plays a motion. Messages take 0.2 s, ticks 0.1 s.
        pub(super) fn playing(motion: MotionCommand) -> Self {
            let mut library = Library::new();
            let table = library.add_table(&table(), &Clips);
            let mut animator = Animator::new(Some(table));
            animator.initialize(&library).expect("it has a table");
            if motion != MotionCommand::READY {
                animator.do_motion(&library, motion, 1.0).expect("the table has it");
            }
            animator.forget_completed();
            let position = CellPosition::at(CellId(0xA9B4_0001), Vec3::new(12.0, 12.0, 94.0));
            let mut body = Body::new(position);
            body.flags = BodyFlags::IN_CELL | BodyFlags::MANAGED;
            body.transient = TransientState::CONTACT | TransientState::ON_WALKABLE | TransientState::ACTIVE;
            Self {
                library,
                body,
                animator,
                pace: 1.0,
                goal: None,
                is_ordered: false,
                is_stuck: false,
                is_idle: false,
                delay: 0.2,
                seconds: 0.1,
            }
        }

        /// The same body in the air, with a velocity and gravity.
        pub(super) fn flying(velocity: Vec3) -> Self {
            let mut stage = Self::playing(MotionCommand::READY);
            stage.body.transient = TransientState::ACTIVE;
            stage.body.velocity = velocity;
            stage.body.calc_acceleration();
            stage
        }

        /// Returns a remote that is shown where the body is.
        pub(super) fn remote(&self) -> Remote {
            Remote::new(1, &self.body, 0)
        }

        pub(super) fn announced(&self) -> Announced<'_> {
            Announced {
                body: &self.body,
                animator: &self.animator,
                library: &self.library,
                pace: self.pace,
                goal: self.goal,
                is_ordered: self.is_ordered,
                is_stuck: self.is_stuck,
                is_idle: self.is_idle,
                delay: self.delay,
                seconds: self.seconds,
            }
        }

        /// Returns the position at an offset from the body.
        pub(super) fn beside(&self, x: f32, y: f32) -> CellPosition {
            let mut position = self.body.position;
            position.frame.origin += Vec3::new(x, y, 0.0);
            position
        }
    }

    /// Asserts that two numbers are equal but for rounding.
    #[track_caller]
    pub(super) fn near(a: f32, b: f32) {
        assert!((a - b).abs() < 1e-4, "{a} is not {b}");
    }

    /// Asserts that a vector over the ground has these components but for rounding.
    #[track_caller]
    pub(super) fn flat(v: Flat, x: f32, y: f32) {
        assert!((v - at(x, y)).length() < 1e-4, "{v:?} is not ({x}, {y})");
    }

    /// Asserts that a vector has these components but for rounding.
    #[track_caller]
    pub(super) fn vector(v: Vec3, x: f32, y: f32, z: f32) {
        assert!((v - Vec3::new(x, y, z)).length() < 1e-4, "{v:?} is not ({x}, {y}, {z})");
    }

    pub(super) fn at(x: f32, y: f32) -> Flat {
        Flat { x, y }
    }

    pub(super) fn usual() -> ComfortSettings {
        ComfortSettings::default()
    }
}

/// Whole ticks of a remote.
#[cfg(test)]
mod tests {
    use acmotion_types::{MotionCommand, Vec3};

    use super::remote::RemoteFlags;
    use super::stage::{OMEGA, READY, RUN, Stage, at, flat, near, usual, vector};
    use super::*;

    /// A remote that runs as its body does, shown ahead by the lead that it should have.
    #[test]
    fn a_remote_that_is_where_it_should_be_goes_as_its_motion_does() {
        let stage = Stage::playing(RUN);
        let lead = 0.185 * 0.85;
        let mut remote = stage.remote();
        (remote.lead, remote.track) = (lead, at(0.0, -6.0 * lead));
        let step = remote.step(&stage.announced(), &usual());
        vector(step.by, 0.0, 0.6, 0.0);
        flat(step.motion, 0.0, 6.0);
        assert!(step.cycle.is_some());
        near(remote.rate, 1.0);
        near(remote.lead, lead);
        near(remote.since_report, 0.1);
        near(remote.since_motion, 0.1);
        assert!(!remote.is_settled(), "it goes");
    }

    /// Errors along the way change the lead, and the motion is played faster; errors across are blended away.
    #[test]
    fn a_remote_that_is_behind_catches_up() {
        let mut stage = Stage::playing(RUN);
        let lead = 0.185 * 0.85;
        let mut remote = stage.remote();
        (remote.lead, remote.track) = (lead, at(0.0, -6.0 * lead + 0.1));
        let step = remote.step(&stage.announced(), &usual());
        let rate = 1.0 + 4.0 * 0.1 / 6.0;
        near(remote.rate, rate);
        vector(step.by, 0.0, 0.6 * rate, 0.0);
        flat(step.motion, 0.0, 6.0 * rate);
        vector(remote.blend, 0.0, 0.0, 0.0);
        stage.seconds = 0.01;
        let mut remote = stage.remote();
        (remote.lead, remote.track) = (lead, at(0.5, -6.0 * lead));
        let step = remote.step(&stage.announced(), &usual());
        // 0.5 m · 100 /s² for a hundredth of a second.
        vector(remote.blend, 0.5, 0.0, 0.0);
        vector(step.by, 0.005, 0.06, 0.0);
    }

    #[test]
    fn a_remote_that_stands_settles() {
        let stage = Stage::playing(READY);
        let settled = |change: fn(&mut Remote)| {
            let mut remote = stage.remote();
            (remote.rate, remote.lead) = (1.3, 0.05);
            change(&mut remote);
            let step = remote.step(&stage.announced(), &usual());
            near(remote.rate, 1.0);
            // Four tenths of the missing lead, whatever the rate: a motion that stands gains nothing by being played faster.
            near(remote.lead, 0.05 + 0.4 * (0.185 * 0.85 - 0.05));
            (remote.is_settled(), step.by)
        };
        assert_eq!(settled(|_| {}), (true, Vec3::ZERO));
        assert!(settled(|remote| remote.flags |= RemoteFlags::IS_ORDERED).0);
        let (is_settled, by) = settled(|remote| remote.track = at(0.0, 0.02));
        assert!(!is_settled && by.y > 0.0, "it is not there: {by:?}");
        let (is_settled, by) = settled(|remote| remote.blend = Vec3::new(0.0, 0.5, 0.0));
        assert!(!is_settled && by != Vec3::ZERO, "it is there, but moves: {by:?}");
        let (is_settled, _) = settled(|remote| remote.yaw = Yaw::NONE.turned(2.0));
        assert!(!is_settled, "it turns");
        let turns = |remote: &mut Remote| (remote.track, remote.step) = (at(0.0, 0.02), at(0.0, -0.1));
        assert_eq!(settled(turns), (false, Vec3::ZERO), "it pauses before it goes back");
    }

    /// Neither in the highest point of a jump.
    #[test]
    fn a_remote_in_the_air_does_not_settle() {
        let stage = Stage::flying(Vec3::ZERO);
        let mut remote = stage.remote();
        let step = remote.step(&stage.announced(), &usual());
        assert_eq!((step.by, remote.is_settled()), (Vec3::ZERO, false));
    }

    #[test]
    fn estimate_and_remote_turn_in_every_tick() {
        let mut stage = Stage::playing(MotionCommand::TURN_RIGHT);
        stage.seconds = 0.01;
        let mut remote = stage.remote();
        remote.step(&stage.announced(), &usual());
        let angle = |yaw| Yaw::NONE.angle_to(yaw);
        near(angle(remote.track_yaw), OMEGA * 0.01);
        // 12 % of what is missing, and the turn itself.
        near(angle(remote.yaw), OMEGA * 0.01 * 1.12);
    }

    #[test]
    fn a_remote_does_not_settle_while_its_run_is_to_be_resumed() {
        let mut stage = Stage::playing(READY);
        stage.is_ordered = true;
        let mut remote = stage.remote();
        remote.flags |= RemoteFlags::RESUMES;
        remote.step(&stage.announced(), &usual());
        assert!(!remote.is_settled());
        near(remote.lead, 0.0);
    }

    /// The height of the body counts in the air alone: on the ground the surroundings tell how high a remote is.
    #[test]
    fn the_height_of_a_body_counts_in_the_air() {
        let mut stage = Stage::flying(Vec3::new(0.0, 0.0, 5.0));
        let mut remote = stage.remote();
        stage.body.position.frame.origin.z += 1.0;
        let step = remote.step(&stage.announced(), &usual());
        // The body rises by 0.5 m and is a metre above, so half a metre is blended away: at 5 m/s after a tenth of a second.
        near(remote.blend.z, 5.0);
        near(step.by.z, 1.0);
        assert!(!remote.is_settled(), "it flies");
        let mut stage = Stage::playing(READY);
        let mut remote = stage.remote();
        stage.body.position.frame.origin.z += 1.0;
        let step = remote.step(&stage.announced(), &usual());
        assert_eq!((remote.blend, step.by), (Vec3::ZERO, Vec3::ZERO));
        assert!(remote.is_settled());
    }
}
