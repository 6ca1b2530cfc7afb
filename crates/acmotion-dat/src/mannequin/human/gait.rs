//! What loops while the humanoid stands or moves: Ready, `WalkForward`, `RunForward`, `TurnRight`, `SideStepRight`.
//!
//! Walking and running start from the feet: where each is at every frame follows from the root motion, so that a foot
//! on the ground does not slide, and the legs follow the feet. The cycles must also look right backwards, because
//! walking backwards, `TurnLeft` and `SideStepLeft` are the same cycles at a negative speed (rule F2).

use acmotion_types::{MotionCommand, Vec3};

use super::super::clip::{Shelf, flagged};
use super::super::curve::{curve, hermite, mix, smooth, wave, wave_cos};
use super::super::table::TableBuilder;
use super::super::{FRAMES_A_SECOND, sounds};
use super::clip;
use super::stance::{NON_COMBAT, Stance};
use super::{
    CHEST, HEAD, HumanPose, LEFT_ARM, LEFT_LEG, LEGS, Leg, PELVIS, RIGHT_ARM, RIGHT_LEG, ROOT, SIDES, WAIST,
};
use crate::objects::{MotionData, MotionFlags};

/// Where a foot is, relative to the body, in the order of the leg's channels.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Foot {
    pub(super) x: f32,
    pub(super) y: f32,
    pub(super) lift: f32,
    pub(super) pitch: f32,
    pub(super) yaw: f32,
}

impl Foot {
    pub(super) fn of(pose: &HumanPose, leg: Leg) -> Self {
        Self {
            x: pose[leg.x],
            y: pose[leg.y],
            lift: pose[leg.lift],
            pitch: pose[leg.pitch],
            yaw: pose[leg.yaw],
        }
    }

    pub(super) fn put(self, pose: HumanPose, leg: Leg) -> HumanPose {
        pose.with(&[
            (leg.x, self.x),
            (leg.y, self.y),
            (leg.lift, self.lift),
            (leg.pitch, self.pitch),
            (leg.yaw, self.yaw),
        ])
    }
}

/// How a foot on the ground is tilted, by how far it is in front of the body: it comes down heel first and leaves
/// with the toes.
pub(super) fn sole_pitch(y: f32) -> f32 {
    if y > 0.0 { 18.0 * smooth((y - 0.2) / 0.18) } else { -62.0 * smooth((-0.2 - y) / 0.4) }
}

/// A gait by its figures. Lengths are in metres, angles in degrees.
pub(super) struct Gait {
    /// Frames of a loop, which is two steps.
    pub(super) frames: f32,
    /// How far each frame carries the body.
    pub(super) share: f32,
    /// Frames a second at speed 1.
    pub(super) rate: f32,
    /// How many frames before frame 0 the left foot came down.
    pub(super) since_contact: f32,
    /// How many frames a foot stays on the ground.
    stance: f32,
    /// How far ahead a foot comes down, and how far from the middle.
    reach: f32,
    track: f32,
    /// How high a foot swings (time from 0 to 1, metres), and how it is tilted meanwhile.
    lift: [(f32, f32); 6],
    tilt: [(f32, f32); 2],
    /// The pelvis: how far below a straight stand, how much it rises and falls, and when it is lowest (in loops after
    /// a contact).
    height: f32,
    bob: f32,
    lowest: f32,
    /// Leaning forward, turning with the legs, tipping to the free side, shifting to the loaded one.
    lean: f32,
    yaw: f32,
    tip: f32,
    shift: f32,
    /// The arms: their middle and swing, and the elbows' bend and how it goes along.
    arm: [f32; 2],
    elbow: [f32; 2],
}

/// 36 frames of 0.0388889 m at 66.9 frames a second, as recorded.
pub(super) static WALK: Gait = Gait {
    frames: 36.0,
    share: 0.038_888_9,
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
pub(super) static RUN: Gait = Gait {
    frames: 24.0,
    share: 0.133_333,
    rate: FRAMES_A_SECOND,
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

impl Gait {
    /// A foot at a time of its loop, from 0 to 1, which starts when it comes down.
    fn foot(&self, phase: f32) -> Foot {
        let stride = self.share * self.frames;
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
        Foot { y, lift: curve(&self.lift, time), pitch: curve(&tilt, time), ..foot }
    }

    /// The right and the left foot's time of their loops.
    fn phases(&self, frame: f32) -> [f32; 2] {
        let left = (frame + self.since_contact) / self.frames;
        [left + 0.5, left].map(|phase| phase - phase.floor())
    }

    /// The pose at a frame, which need not be one of the loop.
    pub(super) fn pose(&self, frame: f32, stance: &Stance) -> HumanPose {
        let phases = self.phases(frame);
        let (along, across) = (wave_cos(phases[0]), wave(phases[0]));
        let swing = [-self.arm[1] * along, self.arm[1] * along];
        let bend = |swing: f32| self.elbow[0] + self.elbow[1] * swing / self.arm[1];
        let mut pose = NON_COMBAT.ready().with(&[
            (ROOT.x, self.shift * across),
            (ROOT.z, self.height - self.bob * wave_cos(2.0 * (phases[0] - self.lowest))),
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
            pose = self.foot(phase).put(pose, *leg);
        }
        stance.carry(pose, swing)
    }

    /// The frames at which the feet come down and the last ones on which they are down: right, left.
    fn contacts(&self) -> [[usize; 2]; 2] {
        let half = 0.5 * self.frames;
        [half, self.frames].map(|lands| {
            let lands = lands - self.since_contact;
            let leaves = lands + self.stance;
            [lands as usize, (leaves - self.frames * (leaves / self.frames).floor()) as usize]
        })
    }

    fn motion(&self, shelf: &mut Shelf, stance: &Stance) -> MotionData {
        let frames = self.frames as usize;
        let mut cycle = clip((0..frames).map(|frame| self.pose(frame as f32, stance)))
            .carried((0..frames).map(|_| Vec3::new(0.0, self.share, 0.0)));
        for ([lands, leaves], sound) in self.contacts().into_iter().zip(sounds::FOOTSTEPS) {
            cycle = cycle.footstep(lands, leaves, sound);
        }
        shelf.motion(cycle, self.rate)
    }
}

/// A turn to the right, radians a second: as recorded.
pub(super) const TURN: Vec3 = Vec3::new(0.0, 0.0, -1.5);
/// Frames of a turn's loop.
const TURN_FRAMES: f32 = 24.0;
/// How many of them a foot stands, and how far, in degrees, the body turns above it in each.
const TURN_STANCE: f32 = 14.4;
const TURN_SHARE: f32 = 2.864_789;

/// `TurnRight`: on the spot, foot after foot. At frame 0 the left one is in the middle of its stand. A foot that stands
/// turns left under the body as fast as the body turns right.
pub(super) fn turn_pose(frame: f32, stance: &Stance) -> HumanPose {
    let phase = frame / TURN_FRAMES + 0.5 * TURN_STANCE / TURN_FRAMES;
    let ready = stance.ready();
    let mut pose = ready.plus(&[
        (ROOT.z, -0.016 - 0.006 * wave_cos(2.0 * phase)),
        (ROOT.x, -0.012 * wave(phase + 0.2)),
        (PELVIS.yaw, 4.0 * wave(phase + 0.2)),
        (CHEST.yaw, -3.0 * wave(phase + 0.2)),
        (RIGHT_ARM.swing, 4.0 * wave(phase)),
        (LEFT_ARM.swing, -4.0 * wave(phase)),
    ]);
    for ((leg, side), phase) in LEGS.iter().zip(SIDES).zip([phase + 0.5, phase]) {
        let time = (phase - phase.floor()) * TURN_FRAMES;
        let edge = 0.5 * TURN_STANCE * TURN_SHARE;
        let swung = (time - TURN_STANCE) / (TURN_FRAMES - TURN_STANCE);
        let (angle, lift) = if swung <= 0.0 {
            (TURN_SHARE * time - edge, 0.0)
        } else {
            (mix(edge, -edge, smooth(swung)), 0.05 * wave(0.5 * swung))
        };
        pose = turned_foot(Foot::of(&ready, *leg), side, angle, lift).put(pose, *leg);
    }
    pose
}

/// A foot turned left about the body's middle.
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

/// How far each frame of `SideStepRight` carries the body: 1.25 m a second (rule F9).
pub(super) const SIDE_SHARE: f32 = 1.25 / FRAMES_A_SECOND;
const SIDE_FRAMES: f32 = 12.0;
const SIDE_STANCE: f32 = 7.0;
/// The farthest that a foot gets from the body's middle.
const SIDE_FAR: f32 = 0.36;

/// `SideStepRight`: the right foot steps out, the left one follows. At frame 0 both are below the body.
pub(super) fn side_pose(frame: f32, stance: &Stance) -> HumanPose {
    let right = frame + SIDE_STANCE;
    let phase = right / SIDE_FRAMES;
    let mut pose = stance.ready().plus(&[
        (ROOT.z, -0.044 + 0.018 * wave_cos(phase - 0.55)),
        (PELVIS.roll, 2.0 * wave(phase)),
        (CHEST.roll, -2.0 * wave(phase)),
        (RIGHT_ARM.spread, 5.0 - 4.0 * wave_cos(phase)),
        (LEFT_ARM.spread, 5.0 - 4.0 * wave_cos(phase)),
    ]);
    let near = SIDE_FAR - SIDE_SHARE * SIDE_STANCE;
    for (leg, frame, first, last) in
        [(RIGHT_LEG, right, SIDE_FAR, near), (LEFT_LEG, right - 0.5 * SIDE_FRAMES, near, SIDE_FAR)]
    {
        let phase = frame / SIDE_FRAMES;
        let time = (phase - phase.floor()) * SIDE_FRAMES;
        let swung = (time - SIDE_STANCE) / (SIDE_FRAMES - SIDE_STANCE);
        let (x, lift) = if swung <= 0.0 {
            (mix(first, last, time / SIDE_STANCE), 0.0)
        } else {
            (mix(last, first, smooth(swung)), 0.07 * wave(0.5 * swung))
        };
        pose = pose.with(&[(leg.x, x), (leg.lift, lift), (leg.yaw, 6.0), (leg.splay, 4.0)]);
    }
    pose
}

/// Frames of Ready's breath.
const BREATH: usize = 60;

/// The five cycles of a stance. Turning and sidestepping may start only from Ready and else become modifiers (rules
/// G4, G5, P1).
pub(super) fn build(shelf: &mut Shelf, table: &mut TableBuilder, stance: &Stance) {
    let ready = clip((0..BREATH).map(|frame| stance.breathing(frame as f32 / BREATH as f32)));
    table.cycle(stance.style, MotionCommand::READY, shelf.motion(ready, FRAMES_A_SECOND));
    table.cycle(stance.style, MotionCommand::WALK_FORWARD, WALK.motion(shelf, stance));
    table.cycle(stance.style, MotionCommand::RUN_FORWARD, RUN.motion(shelf, stance));

    let [right, left] = sounds::FOOTSTEPS;
    let turn = clip((0..TURN_FRAMES as usize).map(|frame| turn_pose(frame as f32, stance)))
        .footstep(5, 19, right)
        .footstep(17, 7, left);
    let turn = flagged(shelf.motion(turn, FRAMES_A_SECOND), MotionFlags::ONLY_FROM_DEFAULT);
    table.cycle(stance.style, MotionCommand::TURN_RIGHT, MotionData { omega: Some(TURN), ..turn });

    let side = clip((0..SIDE_FRAMES as usize).map(|frame| side_pose(frame as f32, stance)))
        .carried((0..SIDE_FRAMES as usize).map(|_| Vec3::new(SIDE_SHARE, 0.0, 0.0)))
        .footstep(5, 11, right)
        .footstep(10, 6, left);
    let side = flagged(shelf.motion(side, FRAMES_A_SECOND), MotionFlags::ONLY_FROM_DEFAULT);
    table.cycle(stance.style, MotionCommand::SIDE_STEP_RIGHT, side);
}

/// Turning and sidestepping as modifiers: only their speed counts, animations would never be played (rule G4). Those
/// of `NonCombat` stand under its key, the others fall back to the key of the motion alone.
pub(super) fn build_modifiers(table: &mut TableBuilder) {
    let turn = MotionData { omega: Some(TURN), ..MotionData::default() };
    let side = MotionData { velocity: Some(Vec3::new(1.25, 0.0, 0.0)), ..MotionData::default() };
    for style in [Some(NON_COMBAT.style), None] {
        table.modifier(style, MotionCommand::TURN_RIGHT, turn.clone());
        table.modifier(style, MotionCommand::SIDE_STEP_RIGHT, side.clone());
    }
}
