//! The cycles of standing and moving: Ready, `WalkForward`, `RunForward`, `TurnRight`, `SideStepRight`.
//!
//! Walking and running are built from the feet: their positions follow from the root motion, so that a foot on the
//! ground does not slide, and the legs follow the feet. The cycles must also look right in reverse, because walking
//! backwards, `TurnLeft` and `SideStepLeft` are the same cycles at a negative speed (rule F2).

use acmotion_types::{MotionCommand, Vec3};

use super::super::clip::{DatasetBuilder, with_flags};
use super::super::curve::{cos_turns, hermite, lerp, sample, sin_turns, smoothstep};
use super::super::table::TableBuilder;
use super::super::{FRAME_RATE, sounds};
use super::clip;
use super::stance::{NON_COMBAT, Stance};
use super::{
    CHEST, HEAD, HumanPose, LEFT_ARM, LEFT_LEG, LEGS, LegChannels, PELVIS, RIGHT_ARM, RIGHT_LEG, ROOT, SIDES,
    WAIST,
};
use crate::objects::{MotionData, MotionFlags};

/// The position of a foot relative to the body, in the order of the leg's channels.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Foot {
    pub(super) x: f32,
    pub(super) y: f32,
    pub(super) lift: f32,
    pub(super) pitch: f32,
    pub(super) yaw: f32,
}

impl Foot {
    pub(super) fn from_pose(pose: &HumanPose, leg: LegChannels) -> Self {
        Self {
            x: pose[leg.x],
            y: pose[leg.y],
            lift: pose[leg.lift],
            pitch: pose[leg.pitch],
            yaw: pose[leg.yaw],
        }
    }

    pub(super) fn apply_to(self, pose: HumanPose, leg: LegChannels) -> HumanPose {
        pose.with(&[
            (leg.x, self.x),
            (leg.y, self.y),
            (leg.lift, self.lift),
            (leg.pitch, self.pitch),
            (leg.yaw, self.yaw),
        ])
    }
}

/// Returns the tilt of a foot on the ground at a distance `y` in front of the body: it comes down heel first and
/// leaves the ground toes last.
pub(super) fn sole_pitch(y: f32) -> f32 {
    if y > 0.0 { 18.0 * smoothstep((y - 0.2) / 0.18) } else { -62.0 * smoothstep((-0.2 - y) / 0.4) }
}

/// The parameters of a gait. Lengths are in metres, angles in degrees.
pub(super) struct HumanGait {
    /// The number of frames in the loop, which is two steps.
    pub(super) frames: f32,
    /// The distance that each frame moves the body.
    pub(super) advance: f32,
    /// The frame rate at speed 1, in frames a second.
    pub(super) rate: f32,
    /// The number of frames between the left foot's contact and frame 0.
    pub(super) since_contact: f32,
    /// The number of frames that a foot stays on the ground.
    stance: f32,
    /// The distance ahead of the body at which a foot comes down, and its distance from the middle.
    reach: f32,
    track: f32,
    /// The height of a swinging foot (time from 0 to 1, metres), and its tilt.
    lift: [(f32, f32); 6],
    tilt: [(f32, f32); 2],
    /// The height of the pelvis relative to a straight stand, the amplitude of its bob, and the time of its lowest
    /// point as a fraction of the loop after a contact.
    height: f32,
    bob: f32,
    lowest: f32,
    /// The pelvis: lean forward, turn with the legs, tip to the free side, shift to the loaded side.
    lean: f32,
    yaw: f32,
    tip: f32,
    shift: f32,
    /// The mean angle and the amplitude of the arms' swing, and of the elbows' bend.
    arm: [f32; 2],
    elbow: [f32; 2],
}

/// 36 frames of 0.0388889 m at 66.9 frames a second, as recorded.
pub(super) static WALK: HumanGait = HumanGait {
    frames: 36.0,
    advance: 0.038_888_9,
    rate: 66.9,
    since_contact: 5.0,
    stance: 21.6,
    reach: 0.37,
    track: 0.062,
    lift: [(0.0, 0.0), (0.08, 0.02), (0.27, 0.055), (0.65, 0.045), (0.93, 0.014), (1.0, 0.0)],
    tilt: [(0.2, -58.0), (0.62, -4.0)],
    height: -0.046,
    bob: 0.017,
    lowest: 0.06,
    lean: 3.0,
    yaw: 7.0,
    tip: 3.5,
    shift: 0.018,
    arm: [-2.0, 27.0],
    elbow: [22.0, 12.0],
};

/// 24 frames of 0.133333 m at 30 frames a second, as recorded.
pub(super) static RUN: HumanGait = HumanGait {
    frames: 24.0,
    advance: 0.133_333,
    rate: FRAME_RATE,
    since_contact: 4.0,
    stance: 7.0,
    reach: 0.37,
    track: 0.062,
    lift: [(0.0, 0.0), (0.08, 0.05), (0.36, 0.33), (0.72, 0.17), (0.93, 0.04), (1.0, 0.0)],
    tilt: [(0.32, -88.0), (0.75, -12.0)],
    height: -0.066,
    bob: 0.032,
    lowest: 0.15,
    lean: 8.0,
    yaw: 11.0,
    tip: 3.0,
    shift: 0.012,
    arm: [-8.0, 46.0],
    elbow: [86.0, 14.0],
};

impl HumanGait {
    /// Returns the foot at a time of its loop, from 0 to 1. The loop starts when the foot comes down.
    fn foot(&self, phase: f32) -> Foot {
        let stride = self.advance * self.frames;
        let stance = self.stance / self.frames;
        let (first, last) = (self.reach, self.reach - stride * stance);
        let foot = Foot { x: self.track, y: 0.0, lift: 0.0, pitch: 0.0, yaw: 4.0 };
        if phase <= stance {
            let y = first - stride * phase;
            return Foot { y, pitch: sole_pitch(y), ..foot };
        }
        let time = (phase - stance) / (1.0 - stance);
        let slope = -0.35 * stride * (1.0 - stance);
        let [kick, level] = self.tilt;
        let tilt = [(0.0, sole_pitch(last)), kick, level, (1.0, sole_pitch(first))];
        let y = hermite(last, first, [slope, slope], time);
        Foot { y, lift: sample(&self.lift, time), pitch: sample(&tilt, time), ..foot }
    }

    /// Returns the times of the right and the left foot in their loops.
    fn phases(&self, frame: f32) -> [f32; 2] {
        let left = (frame + self.since_contact) / self.frames;
        [left + 0.5, left].map(|phase| phase - phase.floor())
    }

    /// Returns the pose at a frame, which may lie outside the loop.
    pub(super) fn pose(&self, frame: f32, stance: &Stance) -> HumanPose {
        let phases = self.phases(frame);
        let (along, across) = (cos_turns(phases[0]), sin_turns(phases[0]));
        let swing = [-self.arm[1] * along, self.arm[1] * along];
        let bend = |swing: f32| self.elbow[0] + self.elbow[1] * swing / self.arm[1];
        let mut pose = NON_COMBAT.ready().with(&[
            (ROOT.x, self.shift * across),
            (ROOT.z, self.height - self.bob * cos_turns(2.0 * (phases[0] - self.lowest))),
            (PELVIS.pitch, self.lean),
            (PELVIS.roll, -self.tip * across),
            (PELVIS.yaw, self.yaw * along),
            (WAIST.pitch, 0.6 * self.lean),
            (WAIST.roll, self.tip * across),
            (WAIST.yaw, -0.9 * self.yaw * along),
            (CHEST.yaw, -1.2 * self.yaw * along),
            (HEAD.pitch, -0.9 * self.lean),
            (HEAD.yaw, 1.0 * self.yaw * along),
            (RIGHT_ARM.swing, self.arm[0] + swing[0]),
            (RIGHT_ARM.elbow, bend(swing[0])),
            (LEFT_ARM.swing, self.arm[0] + swing[1]),
            (LEFT_ARM.elbow, bend(swing[1])),
            (RIGHT_ARM.twist, 12.0),
            (LEFT_ARM.twist, 12.0),
            (RIGHT_LEG.splay, 0.0),
            (LEFT_LEG.splay, 0.0),
        ]);
        for (leg, phase) in LEGS.iter().zip(phases) {
            pose = self.foot(phase).apply_to(pose, *leg);
        }
        stance.with_guard(pose, swing)
    }

    /// Returns the frame on which each foot comes down and the last one on which it is down: right, left.
    fn contacts(&self) -> [[usize; 2]; 2] {
        let half = 0.5 * self.frames;
        [half, self.frames].map(|lands| {
            let lands = lands - self.since_contact;
            let leaves = lands + self.stance;
            [lands as usize, (leaves - self.frames * (leaves / self.frames).floor()) as usize]
        })
    }

    fn motion(&self, dataset: &mut DatasetBuilder, stance: &Stance) -> MotionData {
        let frames = self.frames as usize;
        let mut cycle = clip((0..frames).map(|frame| self.pose(frame as f32, stance)))
            .with_root_motion((0..frames).map(|_| Vec3::new(0.0, self.advance, 0.0)));
        for ([lands, leaves], sound) in self.contacts().into_iter().zip(sounds::FOOTSTEPS) {
            cycle = cycle.with_footstep(lands, leaves, sound);
        }
        dataset.add_motion(cycle, self.rate)
    }
}

/// The angular velocity of a turn to the right, in radians a second, as recorded.
pub(super) const TURN_OMEGA: Vec3 = Vec3::new(0.0, 0.0, -1.5);
/// The number of frames in the loop of a turn.
const TURN_FRAMES: f32 = 24.0;
/// The number of frames that a foot stays on the ground, and the angle in degrees that the body turns in each.
const TURN_STANCE: f32 = 14.4;
const TURN_PER_FRAME: f32 = 2.864_789;

/// Returns a pose of `TurnRight`: a turn in place with alternating steps. At frame 0 the left foot is in the middle
/// of its stance. A foot on the ground turns left under the body as fast as the body turns right.
pub(super) fn turn_pose(frame: f32, stance: &Stance) -> HumanPose {
    let phase = frame / TURN_FRAMES + 0.5 * TURN_STANCE / TURN_FRAMES;
    let ready = stance.ready();
    let mut pose = ready.plus(&[
        (ROOT.z, -0.016 - 0.006 * cos_turns(2.0 * phase)),
        (ROOT.x, -0.012 * sin_turns(phase + 0.2)),
        (PELVIS.yaw, 4.0 * sin_turns(phase + 0.2)),
        (CHEST.yaw, -3.0 * sin_turns(phase + 0.2)),
        (RIGHT_ARM.swing, 4.0 * sin_turns(phase)),
        (LEFT_ARM.swing, -4.0 * sin_turns(phase)),
    ]);
    for ((leg, side), phase) in LEGS.iter().zip(SIDES).zip([phase + 0.5, phase]) {
        let time = (phase - phase.floor()) * TURN_FRAMES;
        let edge = 0.5 * TURN_STANCE * TURN_PER_FRAME;
        let swung = (time - TURN_STANCE) / (TURN_FRAMES - TURN_STANCE);
        let (angle, lift) = if swung <= 0.0 {
            (TURN_PER_FRAME * time - edge, 0.0)
        } else {
            (lerp(edge, -edge, smoothstep(swung)), 0.05 * sin_turns(0.5 * swung))
        };
        pose = turned_foot(Foot::from_pose(&ready, *leg), side, angle, lift).apply_to(pose, *leg);
    }
    pose
}

/// Returns a foot turned left about the middle of the body.
fn turned_foot(foot: Foot, side: f32, degrees: f32, lift: f32) -> Foot {
    let (sin, cos) = libm::sincosf(degrees.to_radians());
    let x = side * foot.x;
    Foot {
        x: side * (cos * x - sin * foot.y),
        y: sin * x + cos * foot.y,
        yaw: foot.yaw - side * degrees,
        lift,
        ..foot
    }
}

/// The distance that each frame of `SideStepRight` moves the body: 1.25 m a second (rule F9).
pub(super) const SIDE_ADVANCE: f32 = 1.25 / FRAME_RATE;
const SIDE_FRAMES: f32 = 12.0;
const SIDE_STANCE: f32 = 7.0;
/// The maximum distance of a foot from the middle of the body, in metres.
const MAX_SIDE_REACH: f32 = 0.36;

/// Returns a pose of `SideStepRight`: the right foot steps out, the left one follows. At frame 0 both are below the
/// body.
pub(super) fn side_pose(frame: f32, stance: &Stance) -> HumanPose {
    let right = frame + SIDE_STANCE;
    let phase = right / SIDE_FRAMES;
    let mut pose = stance.ready().plus(&[
        (ROOT.z, -0.044 + 0.018 * cos_turns(phase - 0.55)),
        (PELVIS.roll, 2.0 * sin_turns(phase)),
        (CHEST.roll, -2.0 * sin_turns(phase)),
        (RIGHT_ARM.spread, 5.0 - 4.0 * cos_turns(phase)),
        (LEFT_ARM.spread, 5.0 - 4.0 * cos_turns(phase)),
    ]);
    let near = MAX_SIDE_REACH - SIDE_ADVANCE * SIDE_STANCE;
    for (leg, frame, first, last) in [
        (RIGHT_LEG, right, MAX_SIDE_REACH, near),
        (LEFT_LEG, right - 0.5 * SIDE_FRAMES, near, MAX_SIDE_REACH),
    ] {
        let phase = frame / SIDE_FRAMES;
        let time = (phase - phase.floor()) * SIDE_FRAMES;
        let swung = (time - SIDE_STANCE) / (SIDE_FRAMES - SIDE_STANCE);
        let (x, lift) = if swung <= 0.0 {
            (lerp(first, last, time / SIDE_STANCE), 0.0)
        } else {
            (lerp(last, first, smoothstep(swung)), 0.07 * sin_turns(0.5 * swung))
        };
        pose = pose.with(&[(leg.x, x), (leg.lift, lift), (leg.yaw, 6.0), (leg.splay, 4.0)]);
    }
    pose
}

/// The number of frames in the loop of Ready.
const BREATH_FRAMES: usize = 60;

/// Adds the five cycles of a stance. Turning and sidestepping are cycles only when entered from Ready; otherwise they
/// are modifiers (rules G4, G5, P1).
pub(super) fn build(dataset: &mut DatasetBuilder, table: &mut TableBuilder, stance: &Stance) {
    let ready = clip((0..BREATH_FRAMES).map(|frame| stance.breathing(frame as f32 / BREATH_FRAMES as f32)));
    table.cycle(stance.style, MotionCommand::READY, dataset.add_motion(ready, FRAME_RATE));
    table.cycle(stance.style, MotionCommand::WALK_FORWARD, WALK.motion(dataset, stance));
    table.cycle(stance.style, MotionCommand::RUN_FORWARD, RUN.motion(dataset, stance));

    let [right, left] = sounds::FOOTSTEPS;
    let turn = clip((0..TURN_FRAMES as usize).map(|frame| turn_pose(frame as f32, stance)))
        .with_footstep(5, 19, right)
        .with_footstep(17, 7, left);
    let turn = with_flags(dataset.add_motion(turn, FRAME_RATE), MotionFlags::ONLY_FROM_DEFAULT);
    table.cycle(stance.style, MotionCommand::TURN_RIGHT, MotionData { omega: Some(TURN_OMEGA), ..turn });

    let side = clip((0..SIDE_FRAMES as usize).map(|frame| side_pose(frame as f32, stance)))
        .with_root_motion((0..SIDE_FRAMES as usize).map(|_| Vec3::new(SIDE_ADVANCE, 0.0, 0.0)))
        .with_footstep(5, 11, right)
        .with_footstep(10, 6, left);
    let side = with_flags(dataset.add_motion(side, FRAME_RATE), MotionFlags::ONLY_FROM_DEFAULT);
    table.cycle(stance.style, MotionCommand::SIDE_STEP_RIGHT, side);
}

/// Adds turning and sidestepping as modifiers. They have only velocities, as animations of modifiers are never played
/// (rule G4). `NonCombat` has entries of its own, the other styles fall back to the key of the motion alone.
pub(super) fn build_modifiers(table: &mut TableBuilder) {
    let turn = MotionData { omega: Some(TURN_OMEGA), ..MotionData::default() };
    let side = MotionData { velocity: Some(Vec3::new(1.25, 0.0, 0.0)), ..MotionData::default() };
    for style in [Some(NON_COMBAT.style), None] {
        table.modifier(style, MotionCommand::TURN_RIGHT, turn.clone());
        table.modifier(style, MotionCommand::SIDE_STEP_RIGHT, side.clone());
    }
}
