//! Steps of a remote that does not move as its motion does: the legs follow the body.

use acmotion_types::MotionCommand;

use super::Flat;
use super::remote::Announced;
use crate::library::{ClipId, Library, Span, SpanId};
use crate::table::Animator;

/// The minimum speed, in metres a second, of a motion whose speed counts, and of a body that steps.
const MIN_MOTION: f32 = 0.5;
const MIN_SPEED: f32 = 0.25;
/// The difference, in metres a second, from which on the legs of a body that stands step.
const MIN_DIFFERENCE: f32 = 0.9;
/// The shares of the speed of a motion by which the body may be faster or slower, and move sideways, without other steps.
const MAX_ALONG: f32 = 0.1;
const MAX_ACROSS: f32 = 0.8;
/// How fast steps are faded in and out: the share of the pose a second, of 255.
const FADE: f32 = 4.0 * 255.0;
/// The speed, in metres a second, above which a body runs.
const MAX_WALK: f32 = 3.6;

/// The steps that are shown on top of the motion that plays.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Gait {
    /// The frames of the cycle, if there are steps or the motion that plays is one.
    span: u32,
    /// The frame number within them.
    frame: f32,
    /// The share of the pose, of 255.
    weight: u8,
    kind: Kind,
}

/// The motion that steps are taken from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    None,
    Walk,
    Run,
    SideStep,
    /// The cycle that plays, which steps can go on from.
    Playing,
}

/// A frame of a clip that is blended into a pose.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct GaitPose {
    /// The clip.
    pub(crate) clip: ClipId,
    /// The whole frame before, and the one after.
    pub(crate) frames: [usize; 2],
    /// The share of the way from one to the other, and of the pose that it makes up; 0 to 1.
    pub(crate) share: f32,
    pub(crate) weight: f32,
}

impl Gait {
    pub(crate) const NONE: Self = Self { span: 0, frame: 0.0, weight: 0, kind: Kind::None };

    /// Advances the steps. Both velocities are in the body's axes, in metres a second: that of the body, and that of the motion
    /// that is shown. `cycle` is what that motion shows if it loops.
    pub(super) fn step(
        &mut self,
        announced: &Announced<'_>,
        cycle: Option<(SpanId, f32)>,
        velocity: Flat,
        motion: Flat,
    ) {
        let is_needed = differs(velocity, motion) && is_locomotion(announced.animator);
        if self.weight == 0 && !is_needed {
            return self.follow(cycle, motion);
        }
        let goes_on = is_needed && self.kind == Kind::Playing;
        let fade = (FADE * announced.seconds) as u8;
        self.weight = match is_needed {
            true if goes_on => u8::MAX,
            true => self.weight.saturating_add(fade),
            false => self.weight.saturating_sub(fade),
        };
        let kind = Kind::of(velocity);
        if goes_on {
            self.kind = Kind::of(motion);
        } else if is_needed && velocity.length() > MIN_SPEED && !self.kind.can_show(kind) {
            match cycle_of(announced, kind) {
                Some(span) => {
                    let frame = announced.library.span_of(span).low as f32;
                    (self.span, self.frame, self.kind) = (span.bits(), frame, kind);
                }
                None => *self = Self::NONE,
            }
        }
        if self.weight == 0 || self.kind == Kind::None {
            *self = Self::NONE;
            return;
        }
        self.advance(announced.library, announced.pace, velocity * announced.seconds);
    }

    /// Keeps what the motion shows, if that is a cycle that moves the body, so that steps can go on from there.
    fn follow(&mut self, cycle: Option<(SpanId, f32)>, motion: Flat) {
        *self = match cycle.filter(|_| motion.length() > MIN_MOTION) {
            Some((span, frame)) => Self { span: span.bits(), frame, weight: 0, kind: Kind::Playing },
            None => Self::NONE,
        };
    }

    /// Moves the legs by the way of the body.
    fn advance(&mut self, library: &Library, scale: f32, way: Flat) {
        let span = library.span_of(SpanId::from_bits(self.span));
        let (low, count) = (span.low as f32, (span.high - span.low + 1).max(1) as f32);
        let stride = self.kind.along(stride(library, span)).abs() * scale;
        if stride > 1e-3 {
            let frames = (self.kind.along(way) / stride).clamp(-count, count);
            let frame = self.frame - low + frames;
            self.frame = low + frame - (frame / count).floor() * count;
        }
    }

    /// Returns the frame that is blended into the pose; `None` if there is none.
    pub(super) fn pose(&self, library: &Library) -> Option<GaitPose> {
        if self.weight == 0 {
            return None;
        }
        let span = library.span_of(SpanId::from_bits(self.span));
        let whole = self.frame.floor();
        let number = whole as i32;
        let next = if number >= span.high { span.low } else { number + 1 };
        Some(GaitPose {
            clip: span.clip,
            frames: [usize::try_from(number).ok()?, usize::try_from(next).ok()?],
            share: self.frame - whole,
            weight: f32::from(self.weight) * (1.0 / 255.0),
        })
    }
}

impl Kind {
    /// Returns the steps that fit a velocity in the body's axes.
    fn of(velocity: Flat) -> Self {
        if velocity.x.abs() > velocity.y.abs() {
            Self::SideStep
        } else if velocity.y > MAX_WALK {
            Self::Run
        } else {
            Self::Walk
        }
    }

    /// Returns `true` if these steps can show others: a body can run slowly, but not walk fast.
    fn can_show(self, wanted: Self) -> bool {
        self == wanted || (self == Self::Run && wanted == Self::Walk)
    }

    /// Returns the component of a vector in the body's axes along which the steps lead.
    fn along(self, v: Flat) -> f32 {
        if self == Self::SideStep { v.x } else { v.y }
    }

    fn command(self) -> MotionCommand {
        match self {
            Self::Run => MotionCommand::RUN_FORWARD,
            Self::SideStep => MotionCommand::SIDE_STEP_RIGHT,
            _ => MotionCommand::WALK_FORWARD,
        }
    }
}

/// Returns `true` if a body goes otherwise than the motion that is shown.
fn differs(velocity: Flat, motion: Flat) -> bool {
    let speed = motion.length();
    if speed < MIN_MOTION {
        return (velocity - motion).length() > MIN_DIFFERENCE;
    }
    let along = velocity.dot(motion) / speed;
    let across = (velocity - motion * (along / speed)).length();
    (along - speed).abs() > MAX_ALONG * speed || across > MAX_ACROSS * speed
}

/// Returns `true` if nothing but standing, walking or turning plays.
pub(super) fn is_locomotion(animator: &Animator) -> bool {
    let state = animator.state();
    state.actions().len() == 0
        && matches!(
            state.substate(),
            MotionCommand::READY
                | MotionCommand::WALK_FORWARD
                | MotionCommand::WALK_BACKWARDS
                | MotionCommand::RUN_FORWARD
                | MotionCommand::SIDE_STEP_RIGHT
                | MotionCommand::SIDE_STEP_LEFT
                | MotionCommand::TURN_RIGHT
                | MotionCommand::TURN_LEFT
        )
}

/// Returns the frames of the cycle of some steps, in the style of the body.
fn cycle_of(announced: &Announced<'_>, kind: Kind) -> Option<SpanId> {
    let table = announced.library.table(announced.animator.table()?);
    let motion = table.cycle_or_default(announced.animator.state().style(), kind.command())?;
    table.anims(motion).last()?.span
}

/// Returns how far a frame of a cycle carries the body, in its axes, in metres.
fn stride(library: &Library, span: &Span) -> Flat {
    let ways = library.clip(span.clip).ways();
    let way = ways.until(f64::from(span.high) + 1.0) - ways.until(f64::from(span.low));
    Flat::from(way) * (1.0 / (span.high - span.low + 1).max(1) as f32)
}

#[cfg(test)]
mod tests {
    use super::super::stage::{READY, RUN, Stage, at, near};
    use super::*;

    const TICK: f32 = 1.0 / 30.0;

    /// A stage with ticks of a thirtieth of a second, in which steps fade by 34 of 255.
    fn stage(motion: MotionCommand) -> Stage {
        Stage { seconds: TICK, ..Stage::playing(motion) }
    }

    /// Steps of a kind at a frame of frames 2 to 5 of the walk, each of which is 0.1 m long.
    fn walk_of_four(stage: &mut Stage, frame: f32, kind: Kind) -> Gait {
        let walk = cycle_of(&stage.announced(), Kind::Walk).expect("the table has it");
        let clip = stage.library.span_of(walk).clip;
        let span = stage.library.span(clip, 2, 5);
        Gait { span: span.bits(), frame, weight: 51, kind }
    }

    /// Below half a metre a second a motion stands, and its body may differ by 0.9 m/s. Otherwise it may be slower or faster by
    /// a tenth, and go sideways by four fifths.
    #[test]
    fn a_body_may_differ_a_little_from_its_motion() {
        for (velocity, motion, expected) in [
            (at(0.0, 0.89), at(0.0, 0.0), false),
            (at(0.0, -0.91), at(0.0, 0.0), true),
            (at(0.0, 0.4), at(0.0, 0.4), false),
            (at(0.0, 4.3), at(0.0, 4.0), false),
            (at(0.0, 4.5), at(0.0, 4.0), true),
            (at(0.0, 3.5), at(0.0, 4.0), true),
            (at(3.1, 4.0), at(0.0, 4.0), false),
            (at(-3.3, 4.0), at(0.0, 4.0), true),
        ] {
            assert_eq!(differs(velocity, motion), expected, "{velocity:?}, {motion:?}");
        }
    }

    #[test]
    fn steps_fit_the_velocity_of_the_body() {
        for (velocity, kind) in [
            (at(2.0, 1.0), Kind::SideStep),
            (at(-2.0, 1.0), Kind::SideStep),
            (at(1.0, 2.0), Kind::Walk),
            (at(0.0, 3.5), Kind::Walk),
            (at(0.0, 3.7), Kind::Run),
            (at(0.0, -5.0), Kind::Walk),
        ] {
            assert_eq!(Kind::of(velocity), kind, "{velocity:?}");
        }
        let can_show =
            |kind: Kind| [Kind::Walk, Kind::Run, Kind::SideStep].map(|wanted| kind.can_show(wanted));
        assert_eq!(can_show(Kind::Walk), [true, false, false]);
        assert_eq!(can_show(Kind::Run), [true, true, false]);
        assert_eq!(can_show(Kind::SideStep), [false, false, true]);
        assert_eq!((Kind::SideStep.along(at(1.0, 2.0)), Kind::Walk.along(at(1.0, 2.0))), (1.0, 2.0));
    }

    #[test]
    fn steps_are_those_of_the_motion_table() {
        let stage = stage(READY);
        for (kind, way) in
            [(Kind::Walk, at(0.0, 0.1)), (Kind::Run, at(0.0, 0.2)), (Kind::SideStep, at(0.05, 0.0))]
        {
            let span = cycle_of(&stage.announced(), kind).expect("the table has it");
            let way_of_frame = stride(&stage.library, stage.library.span_of(span));
            assert!((way_of_frame - way).length() < 1e-6, "{kind:?}: {way_of_frame:?}");
        }
    }

    #[test]
    fn nothing_but_going_and_standing_is_locomotion() {
        let mut stage = stage(READY);
        assert!(is_locomotion(&stage.animator));
        stage.animator.do_motion(&stage.library, MotionCommand::WAVE, 1.0).expect("the table has it");
        assert!(!is_locomotion(&stage.animator), "it waves");
        assert!(!is_locomotion(&Animator::new(None)), "it has not entered any state");
    }

    /// Frames 2 to 5 loop: how far the body goes, and the frame that this leads to.
    #[test]
    fn legs_move_by_the_way_of_the_body() {
        let mut stage = stage(READY);
        for (from, way, scale, to) in [
            (3.0, 0.15, 1.0, 4.5),
            (3.0, 0.3, 2.0, 4.5),
            (5.5, 0.1, 1.0, 2.5),
            (2.5, -0.1, 1.0, 5.5),
            // No more than once round.
            (3.5, 9.0, 1.0, 3.5),
            (3.5, -9.0, 1.0, 3.5),
        ] {
            let mut gait = walk_of_four(&mut stage, from, Kind::Walk);
            let span = stage.library.span_of(SpanId::from_bits(gait.span));
            near(stride(&stage.library, span).y, 0.1);
            gait.advance(&stage.library, scale, at(9.0, way));
            near(gait.frame, to);
        }
        // The walk has no way to the side.
        let mut gait = walk_of_four(&mut stage, 3.5, Kind::SideStep);
        gait.advance(&stage.library, 1.0, at(1.0, 0.0));
        assert_eq!(gait.frame, 3.5);
    }

    #[test]
    fn a_pose_lies_between_two_frames() {
        let mut stage = stage(READY);
        for (frame, frames) in [(3.25, [3, 4]), (5.25, [5, 2])] {
            let pose = walk_of_four(&mut stage, frame, Kind::Walk).pose(&stage.library).expect("it is shown");
            assert_eq!(pose.frames, frames);
            near(pose.share, 0.25);
            near(pose.weight, 0.2);
        }
        let unseen = Gait { weight: 0, ..walk_of_four(&mut stage, 3.25, Kind::Walk) };
        assert_eq!(unseen.pose(&stage.library), None);
    }

    /// A body goes back at 1 m/s while its motion stands: its legs walk, and fade in and out.
    #[test]
    fn steps_fade_in_and_out() {
        let stage = stage(READY);
        let mut gait = Gait::NONE;
        gait.step(&stage.announced(), None, at(0.0, -1.0), Flat::ZERO);
        assert_eq!((gait.kind, gait.weight), (Kind::Walk, 34));
        assert_eq!(Some(SpanId::from_bits(gait.span)), cycle_of(&stage.announced(), Kind::Walk));
        near(gait.frame, 10.0 - TICK / 0.1);
        gait.step(&stage.announced(), None, at(0.0, -1.0), Flat::ZERO);
        assert_eq!(gait.weight, 68);
        near(gait.frame, 10.0 - 2.0 * TICK / 0.1);
        gait.step(&stage.announced(), None, Flat::ZERO, Flat::ZERO);
        assert_eq!((gait.kind, gait.weight), (Kind::Walk, 34));
        gait.step(&stage.announced(), None, Flat::ZERO, Flat::ZERO);
        assert_eq!(gait, Gait::NONE);
    }

    /// Legs that walk cannot show a run. Those that run can show a walk.
    #[test]
    fn steps_change_with_the_speed() {
        let stage = stage(READY);
        let mut gait = Gait::NONE;
        gait.step(&stage.announced(), None, at(0.0, 1.0), Flat::ZERO);
        assert_eq!(gait.kind, Kind::Walk);
        gait.step(&stage.announced(), None, at(0.0, 5.0), Flat::ZERO);
        assert_eq!(gait.kind, Kind::Run);
        near(gait.frame, 5.0 * TICK / 0.2);
        gait.step(&stage.announced(), None, at(0.0, 1.0), Flat::ZERO);
        assert_eq!(gait.kind, Kind::Run);
        near(gait.frame, 6.0 * TICK / 0.2);
    }

    /// The legs of a body that runs slower than its motion go on from where the motion is, at once.
    #[test]
    fn steps_go_on_from_the_motion_that_plays() {
        let stage = stage(RUN);
        let run = cycle_of(&stage.announced(), Kind::Run).expect("the table has it");
        let mut gait = Gait::NONE;
        gait.step(&stage.announced(), Some((run, 4.0)), at(0.0, 6.0), at(0.0, 6.0));
        assert_eq!(gait, Gait { span: run.bits(), frame: 4.0, weight: 0, kind: Kind::Playing });
        gait.step(&stage.announced(), Some((run, 5.0)), at(0.0, 3.0), at(0.0, 6.0));
        assert_eq!((gait.span, gait.weight, gait.kind), (run.bits(), u8::MAX, Kind::Run));
        near(gait.frame, 4.0 + 3.0 * TICK / 0.2);
        gait.step(&stage.announced(), Some((run, 6.0)), at(0.0, 6.0), at(0.0, 6.0));
        assert_eq!(gait.weight, 255 - 34, "they fade out");
    }

    /// A motion that stands is not gone on from, and a body that hardly moves takes no steps.
    #[test]
    fn a_body_that_stands_takes_no_steps() {
        let stage = stage(READY);
        let run = cycle_of(&stage.announced(), Kind::Run).expect("the table has it");
        let mut gait = Gait::NONE;
        gait.step(&stage.announced(), Some((run, 4.0)), at(0.0, 0.1), at(0.0, 0.1));
        assert_eq!(gait, Gait::NONE);
        gait.step(&stage.announced(), None, at(0.0, 0.2), at(0.0, 6.0));
        assert_eq!(gait, Gait::NONE, "although its motion runs");
    }

    #[test]
    fn a_body_that_waves_takes_no_steps() {
        let mut stage = stage(READY);
        stage.animator.do_motion(&stage.library, MotionCommand::WAVE, 1.0).expect("the table has it");
        let mut gait = Gait::NONE;
        gait.step(&stage.announced(), None, at(0.0, 1.0), Flat::ZERO);
        assert_eq!(gait, Gait::NONE);
    }
}
