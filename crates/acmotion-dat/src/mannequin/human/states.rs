//! The states of the humanoid besides standing and moving: falling, dead, crouching, sitting, sleeping, fallen and
//! picking up.

use acmotion_types::MotionCommand;

use super::super::clip::{DatasetBuilder, with_flags};
use super::super::curve::{cos_turns, sin_turns};
use super::super::table::TableBuilder;
use super::super::{FRAME_RATE, animations, sounds};
use super::stance::{NON_COMBAT, Stance, with_step};
use super::travel::shift;
use super::{
    ArmChannels, CHEST, Channel, HEAD, HIP_HEIGHT, HumanKeyframes, HumanPose, LEFT_ARM, LEFT_LEG, PELVIS,
};
use super::{RIGHT_ARM, RIGHT_LEG, ROOT, WAIST, clip};
use crate::objects::{MotionData, MotionFlags};

/// The number of frames in the loop of Falling.
const FALLING_FRAMES: usize = 20;

/// Returns a pose of Falling: arms out and circling, legs drawn up. Guarding stances keep half of their guard.
pub(super) fn falling_pose(time: f32, stance: &Stance) -> HumanPose {
    let (a, b) = (sin_turns(time), cos_turns(time));
    let pose = NON_COMBAT.ready().with(&[
        (PELVIS.pitch, 6.0),
        (WAIST.pitch, 4.0),
        (CHEST.pitch, -4.0 + 2.0 * a),
        (HEAD.pitch, 8.0),
        (RIGHT_ARM.swing, 34.0 + 16.0 * b),
        (RIGHT_ARM.spread, 56.0 + 12.0 * a),
        (RIGHT_ARM.elbow, 46.0 - 10.0 * b),
        (RIGHT_ARM.roll, 10.0),
        (LEFT_ARM.swing, 28.0 - 16.0 * b),
        (LEFT_ARM.spread, 58.0 - 12.0 * a),
        (LEFT_ARM.elbow, 46.0 + 10.0 * b),
        (LEFT_ARM.roll, 10.0),
        (RIGHT_LEG.y, 0.10 + 0.03 * a),
        (RIGHT_LEG.lift, 0.17 + 0.02 * b),
        (RIGHT_LEG.pitch, -22.0),
        (RIGHT_LEG.x, 0.12),
        (LEFT_LEG.y, -0.18 - 0.03 * a),
        (LEFT_LEG.lift, 0.06 - 0.02 * b),
        (LEFT_LEG.pitch, -38.0),
        (LEFT_LEG.x, 0.12),
    ]);
    if stance.free_arms { pose } else { pose.blended(&stance.with_arms(pose), 0.5) }
}

/// The trunk of a body that lies on its back.
const ON_BACK: [(Channel, f32); 9] = [
    (ROOT.y, -0.46),
    (ROOT.z, 0.125 - HIP_HEIGHT),
    (PELVIS.pitch, -90.0),
    (PELVIS.yaw, 0.0),
    (WAIST.pitch, 0.0),
    (CHEST.pitch, 0.0),
    (CHEST.yaw, 0.0),
    (HEAD.pitch, 4.0),
    (HEAD.yaw, 0.0),
];

/// Returns the channels of a leg stretched out on its heel.
const fn outstretched(leg: super::LegChannels, y: f32, x: f32) -> [(Channel, f32); 6] {
    [(leg.x, x), (leg.y, y), (leg.lift, 0.0), (leg.pitch, 62.0), (leg.yaw, 24.0), (leg.splay, 14.0)]
}

/// Returns the channels of an arm with a swing, spread, twist, elbow and roll.
const fn arm(arm: ArmChannels, [swing, spread, twist, elbow, roll]: [f32; 5]) -> [(Channel, f32); 7] {
    [
        (arm.swing, swing),
        (arm.spread, spread),
        (arm.twist, twist),
        (arm.elbow, elbow),
        (arm.roll, roll),
        (arm.wrist, 0.0),
        (arm.flex, 0.0),
    ]
}

/// Returns the pose of Dead: on the back, arms flung out, one knee up.
fn dead_pose() -> HumanPose {
    NON_COMBAT
        .ready()
        .with(&ON_BACK)
        .with(&[(HEAD.yaw, 28.0), (WAIST.roll, 4.0)])
        .with(&arm(RIGHT_ARM, [-8.0, 74.0, 0.0, 22.0, -60.0]))
        .with(&arm(LEFT_ARM, [-8.0, 40.0, 0.0, 30.0, -60.0]))
        .with(&outstretched(LEFT_LEG, 0.46, 0.16))
        .with(&outstretched(RIGHT_LEG, 0.26, 0.2))
        .with(&[(RIGHT_LEG.splay, 32.0)])
}

/// Returns a pose sitting on the ground, knees up, leaning back: an intermediate pose of collapsing and lying down.
fn sat_down(from: &HumanPose) -> HumanPose {
    from.with(&[
        (ROOT.y, -0.42),
        (ROOT.z, 0.14 - HIP_HEIGHT),
        (PELVIS.pitch, -32.0),
        (PELVIS.yaw, 0.0),
        (WAIST.pitch, 14.0),
        (CHEST.pitch, 14.0),
        (CHEST.yaw, 0.0),
        (HEAD.pitch, -10.0),
        (HEAD.yaw, 0.0),
        (RIGHT_LEG.x, 0.12),
        (LEFT_LEG.x, 0.12),
    ])
}

fn dying(stance: &Stance) -> HumanKeyframes {
    let ready = stance.ready();
    let hit = [
        (ROOT.y, -0.03),
        (ROOT.z, -0.08),
        (CHEST.pitch, -12.0),
        (WAIST.pitch, -6.0),
        (HEAD.pitch, -22.0),
        (RIGHT_ARM.swing, 20.0),
        (RIGHT_ARM.spread, 34.0),
        (LEFT_ARM.swing, 24.0),
        (LEFT_ARM.spread, 36.0),
        (LEFT_ARM.elbow, 50.0),
    ];
    let buckling = [
        (ROOT.y, -0.14),
        (ROOT.z, -0.40),
        (PELVIS.pitch, -12.0),
        (PELVIS.yaw, 0.5 * ready[PELVIS.yaw]),
        (WAIST.pitch, 18.0),
        (CHEST.pitch, 14.0),
        (HEAD.pitch, 24.0),
        (RIGHT_ARM.swing, 4.0),
        (RIGHT_ARM.spread, 22.0),
        (RIGHT_ARM.elbow, 20.0),
        (LEFT_ARM.swing, 2.0),
        (LEFT_ARM.spread, 20.0),
        (LEFT_ARM.elbow, 20.0),
        (RIGHT_LEG.splay, 18.0),
        (LEFT_LEG.splay, 18.0),
    ];
    let seated = sat_down(&ready)
        .with(&arm(RIGHT_ARM, [-22.0, 42.0, 0.0, 24.0, 0.0]))
        .with(&arm(LEFT_ARM, [-14.0, 42.0, 0.0, 30.0, 0.0]))
        .with(&[(RIGHT_LEG.y, 0.10), (LEFT_LEG.y, 0.12)]);
    let dead = dead_pose();
    let slack = dead.plus(&[(HEAD.pitch, 14.0), (RIGHT_ARM.swing, 16.0), (LEFT_ARM.swing, 16.0)]);
    HumanKeyframes::new(ready)
        .key(5.0, &hit)
        .key(12.0, &buckling)
        .key_pose(18.0, seated)
        .key_pose(25.0, slack)
        .key_pose(30.0, dead)
        .key_pose(34.0, dead)
}

/// Returns the landing from a fall: the feet come down, the knees give way, and the body straightens again.
fn landing(stance: &Stance) -> HumanKeyframes {
    let ready = stance.ready();
    let low = ready.plus(&[
        (ROOT.z, -0.24),
        (ROOT.y, -0.03),
        (PELVIS.pitch, 22.0),
        (WAIST.pitch, 16.0),
        (CHEST.pitch, 8.0),
        (HEAD.pitch, -20.0),
        (RIGHT_ARM.swing, 24.0),
        (RIGHT_ARM.spread, 14.0),
        (LEFT_ARM.swing, 24.0),
        (LEFT_ARM.spread, 14.0),
        (RIGHT_LEG.splay, 8.0),
        (LEFT_LEG.splay, 8.0),
    ]);
    let down = falling_pose(0.0, stance).blended(&low, 0.5);
    let down = [RIGHT_LEG, LEFT_LEG].iter().fold(down, |pose, leg| {
        let legs = [(leg.x, ready[leg.x]), (leg.y, ready[leg.y]), (leg.yaw, ready[leg.yaw])];
        pose.with(&legs).with(&[(leg.lift, 0.0), (leg.pitch, -14.0)])
    });
    HumanKeyframes::new(falling_pose(0.0, stance))
        .key_pose(3.0, down)
        .key_pose(7.0, low)
        .key_pose(17.0, ready)
}

/// Adds Falling and Dead of a stance, with their links.
pub(super) fn build(dataset: &mut DatasetBuilder, table: &mut TableBuilder, stance: &Stance) {
    use MotionCommand as Motion;
    let style = stance.style;
    let poses = (0..FALLING_FRAMES).map(|frame| frame as f32 / FALLING_FRAMES as f32);
    let falling = clip(poses.map(|time| falling_pose(time, stance)));
    table.cycle(style, Motion::FALLING, dataset.add_motion(falling, FRAME_RATE));
    let leap = shift(7, &stance.ready(), &falling_pose(0.0, stance));
    table.link(style, Motion::READY, Motion::FALLING, dataset.add_motion(leap, FRAME_RATE));
    let land = clip(landing(stance).poses()).with_sound(3, sounds::LANDING);
    table.link(style, Motion::FALLING, Motion::READY, dataset.add_motion(land, FRAME_RATE));

    let dead = dataset.add_motion(clip([dead_pose()]), FRAME_RATE);
    table.cycle(style, Motion::DEAD, with_flags(dead, MotionFlags::CLEARS_MODIFIERS));
    let dying = clip(dying(stance).poses()).with_sound(2, sounds::DEATH).with_sound(22, sounds::BODY_FALLS);
    table.link(style, Motion::READY, Motion::DEAD, dataset.add_motion(dying, FRAME_RATE));
}

/// A state that is entered from Ready and left to Ready.
struct RestState {
    motion: MotionCommand,
    /// The pose at a time of the loop, from 0 to 1, and the number of frames in the loop.
    pose: fn(f32) -> HumanPose,
    frames: usize,
    /// The links from Ready and back, given the poses at their start and end.
    enter: fn(HumanPose, HumanPose) -> HumanKeyframes,
    leave: fn(HumanPose, HumanPose) -> HumanKeyframes,
    clears_modifiers: bool,
}

static REST_STATES: [RestState; 5] = [
    RestState {
        motion: MotionCommand::CROUCH,
        pose: crouching,
        frames: 40,
        enter: |ready, goal| direct_keyframes(ready, goal, 12.0),
        leave: |pose, ready| direct_keyframes(pose, ready, 12.0),
        clears_modifiers: false,
    },
    RestState {
        motion: MotionCommand::SITTING,
        pose: sitting,
        frames: 60,
        enter: |ready, goal| HumanKeyframes::new(ready).key_pose(10.0, half_way(&ready)).key_pose(22.0, goal),
        leave: |pose, ready| HumanKeyframes::new(pose).key_pose(12.0, half_way(&ready)).key_pose(24.0, ready),
        clears_modifiers: true,
    },
    RestState {
        motion: MotionCommand::SLEEPING,
        pose: sleeping,
        frames: 90,
        enter: |ready, goal| {
            HumanKeyframes::new(ready)
                .key_pose(10.0, half_way(&ready))
                .key_pose(22.0, sitting(0.0))
                .key_pose(40.0, goal)
        },
        leave: |pose, ready| {
            HumanKeyframes::new(pose)
                .key_pose(16.0, sitting(0.0))
                .key_pose(28.0, half_way(&ready))
                .key_pose(40.0, ready)
        },
        clears_modifiers: true,
    },
    RestState {
        motion: MotionCommand::FALLEN,
        pose: face_down,
        frames: 40,
        enter: tumble,
        leave: get_up,
        clears_modifiers: true,
    },
    RestState {
        motion: MotionCommand::PICKUP,
        pose: |_| picking_up(),
        frames: 1,
        enter: |ready, goal| direct_keyframes(ready, goal, 12.0),
        leave: |pose, ready| direct_keyframes(pose, ready, 12.0),
        clears_modifiers: false,
    },
];

/// Adds the states that only `NonCombat` has.
pub(super) fn build_rests(dataset: &mut DatasetBuilder, table: &mut TableBuilder) {
    dataset.start_animation_ids(animations::HUMAN_RESTS);
    let (style, ready) = (NON_COMBAT.style, NON_COMBAT.ready());
    for rest in &REST_STATES {
        let times = (0..rest.frames).map(|frame| frame as f32 / rest.frames as f32);
        let cycle = dataset.add_motion(clip(times.map(rest.pose)), FRAME_RATE);
        let flags = MotionFlags::CLEARS_MODIFIERS;
        let cycle = if rest.clears_modifiers { with_flags(cycle, flags) } else { cycle };
        table.cycle(style, rest.motion, cycle);
        let goal = (rest.pose)(0.0);
        let mut motion =
            |keys: HumanKeyframes| -> MotionData { dataset.add_motion(clip(keys.poses()), FRAME_RATE) };
        let (enter, leave) = (motion((rest.enter)(ready, goal)), motion((rest.leave)(goal, ready)));
        table.link(style, MotionCommand::READY, rest.motion, enter);
        table.link(style, rest.motion, MotionCommand::READY, leave);
    }
}

fn direct_keyframes(from: HumanPose, to: HumanPose, frames: f32) -> HumanKeyframes {
    let stepping = with_step(from.blended(&to, 0.5), &from, &to);
    HumanKeyframes::new(from).key_pose(0.5 * frames, stepping).key_pose(frames, to)
}

/// Returns a pose crouching on the haunches, hands in front of the knees.
fn crouching(time: f32) -> HumanPose {
    let breath = sin_turns(time);
    NON_COMBAT
        .ready()
        .with(&[
            (ROOT.y, -0.10),
            (ROOT.z, -0.42 + 0.006 * breath),
            (PELVIS.pitch, 26.0),
            (WAIST.pitch, 20.0),
            (CHEST.pitch, 12.0 - breath),
            (HEAD.pitch, -36.0),
            (RIGHT_LEG.x, 0.16),
            (LEFT_LEG.x, 0.16),
            (RIGHT_LEG.y, -0.10),
            (LEFT_LEG.y, 0.08),
            (RIGHT_LEG.pitch, -26.0),
            (RIGHT_LEG.splay, 18.0),
            (LEFT_LEG.splay, 18.0),
        ])
        .with(&arm(RIGHT_ARM, [44.0, 8.0, 10.0, 52.0, 0.0]))
        .with(&arm(LEFT_ARM, [44.0, 8.0, 10.0, 52.0, 0.0]))
}

/// Returns a pose between standing and sitting.
fn half_way(ready: &HumanPose) -> HumanPose {
    ready.with(&[
        (ROOT.y, -0.24),
        (ROOT.z, -0.48),
        (PELVIS.pitch, 14.0),
        (WAIST.pitch, 26.0),
        (CHEST.pitch, 16.0),
        (HEAD.pitch, -16.0),
        (RIGHT_ARM.swing, 44.0),
        (LEFT_ARM.swing, 44.0),
        (RIGHT_ARM.spread, 22.0),
        (LEFT_ARM.spread, 22.0),
        (RIGHT_ARM.elbow, 30.0),
        (LEFT_ARM.elbow, 30.0),
        (RIGHT_LEG.splay, 12.0),
        (LEFT_LEG.splay, 12.0),
    ])
}

/// Returns a pose sitting on the ground, arms around the raised knees.
fn sitting(time: f32) -> HumanPose {
    let breath = sin_turns(time);
    sat_down(&NON_COMBAT.ready())
        .with(&[
            (PELVIS.pitch, -8.0),
            (WAIST.pitch, 16.0),
            (CHEST.pitch, 16.0 - 1.5 * breath),
            (HEAD.pitch, -14.0 + breath),
            (RIGHT_LEG.y, 0.02),
            (LEFT_LEG.y, 0.04),
            (RIGHT_LEG.splay, 10.0),
            (LEFT_LEG.splay, 10.0),
        ])
        .with(&arm(RIGHT_ARM, [48.0, 8.0, 26.0, 34.0 + breath, 30.0]))
        .with(&arm(LEFT_ARM, [48.0, 8.0, 26.0, 34.0 + breath, 30.0]))
}

/// Returns a pose lying on the back, hands on the belly.
fn sleeping(time: f32) -> HumanPose {
    let breath = sin_turns(time);
    NON_COMBAT
        .ready()
        .with(&ON_BACK)
        .with(&[(CHEST.pitch, -1.5 * breath), (HEAD.yaw, -12.0)])
        .with(&arm(RIGHT_ARM, [-4.0, 22.0, 70.0, 84.0 + 3.0 * breath, 20.0]))
        .with(&arm(LEFT_ARM, [-4.0, 22.0, 70.0, 78.0 + 3.0 * breath, 20.0]))
        .with(&outstretched(RIGHT_LEG, 0.48, 0.12))
        .with(&outstretched(LEFT_LEG, 0.47, 0.13))
}

/// Returns a pose lying on the belly, hands beside the shoulders.
fn face_down(time: f32) -> HumanPose {
    let breath = sin_turns(time);
    let leg = |leg: super::LegChannels, y: f32| {
        [(leg.x, 0.13), (leg.y, y), (leg.pitch, -78.0), (leg.yaw, 10.0), (leg.splay, 76.0)]
    };
    NON_COMBAT
        .ready()
        .with(&[
            (ROOT.y, 0.62),
            (ROOT.z, 0.13 - HIP_HEIGHT),
            (PELVIS.pitch, 88.0),
            (WAIST.pitch, -2.0),
            (CHEST.pitch, -1.0 - 1.2 * breath),
            (HEAD.pitch, -16.0),
            (HEAD.yaw, 30.0),
        ])
        .with(&arm(RIGHT_ARM, [-16.0, 78.0, -86.0, 92.0, 60.0]))
        .with(&arm(LEFT_ARM, [-16.0, 78.0, -86.0, 84.0, 60.0]))
        .with(&leg(RIGHT_LEG, -0.42))
        .with(&leg(LEFT_LEG, -0.41))
}

/// Returns a pose on the knees, hands on the ground.
fn on_all_fours() -> HumanPose {
    let leg =
        |leg: super::LegChannels, y: f32| [(leg.x, 0.12), (leg.y, y), (leg.pitch, -64.0), (leg.splay, 22.0)];
    NON_COMBAT
        .ready()
        .with(&[
            (ROOT.y, 0.24),
            (ROOT.z, 0.51 - HIP_HEIGHT),
            (PELVIS.pitch, 72.0),
            (WAIST.pitch, 6.0),
            (HEAD.pitch, -34.0),
        ])
        .with(&arm(RIGHT_ARM, [84.0, 6.0, 0.0, 8.0, 90.0]))
        .with(&arm(LEFT_ARM, [84.0, 6.0, 0.0, 8.0, 90.0]))
        .with(&[(RIGHT_ARM.flex, -72.0), (LEFT_ARM.flex, -72.0)])
        .with(&leg(RIGHT_LEG, -0.26))
        .with(&leg(LEFT_LEG, -0.22))
}

/// Returns a pose between being on all fours and lying on the belly.
fn propped_up() -> HumanPose {
    let leg =
        |leg: super::LegChannels, y: f32| [(leg.x, 0.13), (leg.y, y), (leg.pitch, -72.0), (leg.splay, 74.0)];
    NON_COMBAT
        .ready()
        .with(&[
            (ROOT.y, 0.44),
            (ROOT.z, 0.36 - HIP_HEIGHT),
            (PELVIS.pitch, 78.0),
            (WAIST.pitch, 2.0),
            (HEAD.pitch, -26.0),
            (HEAD.yaw, 10.0),
        ])
        .with(&arm(RIGHT_ARM, [44.0, 46.0, -50.0, 84.0, 80.0]))
        .with(&arm(LEFT_ARM, [44.0, 46.0, -50.0, 84.0, 80.0]))
        .with(&leg(RIGHT_LEG, -0.36))
        .with(&leg(LEFT_LEG, -0.33))
}

fn tumble(ready: HumanPose, goal: HumanPose) -> HumanKeyframes {
    let pitch_over = ready.with(&[
        (ROOT.y, 0.12),
        (ROOT.z, -0.14),
        (PELVIS.pitch, 30.0),
        (WAIST.pitch, 10.0),
        (HEAD.pitch, -20.0),
        (RIGHT_ARM.swing, 70.0),
        (LEFT_ARM.swing, 76.0),
        (RIGHT_ARM.elbow, 30.0),
        (LEFT_ARM.elbow, 30.0),
        (RIGHT_LEG.y, -0.12),
        (RIGHT_LEG.pitch, -40.0),
        (LEFT_LEG.pitch, -20.0),
    ]);
    HumanKeyframes::new(ready)
        .key_pose(7.0, pitch_over)
        .key_pose(13.0, on_all_fours())
        .key_pose(18.0, propped_up())
        .key_pose(24.0, goal)
}

fn get_up(pose: HumanPose, ready: HumanPose) -> HumanKeyframes {
    let rising = ready.with(&[
        (ROOT.z, -0.40),
        (ROOT.y, -0.02),
        (PELVIS.pitch, 34.0),
        (WAIST.pitch, 26.0),
        (CHEST.pitch, 14.0),
        (HEAD.pitch, -24.0),
        (RIGHT_ARM.swing, 46.0),
        (LEFT_ARM.swing, 46.0),
        (RIGHT_LEG.y, -0.10),
        (RIGHT_LEG.pitch, -34.0),
    ]);
    HumanKeyframes::new(pose)
        .key_pose(7.0, propped_up())
        .key_pose(14.0, on_all_fours())
        .key_pose(24.0, rising)
        .key_pose(36.0, ready)
}

/// Returns a pose bent down, the right hand at the ground.
fn picking_up() -> HumanPose {
    NON_COMBAT
        .ready()
        .with(&[
            (ROOT.y, -0.12),
            (ROOT.z, -0.38),
            (PELVIS.pitch, 44.0),
            (WAIST.pitch, 26.0),
            (CHEST.pitch, 12.0),
            (CHEST.yaw, 10.0),
            (HEAD.pitch, -20.0),
            (RIGHT_LEG.y, -0.12),
            (RIGHT_LEG.pitch, -30.0),
            (LEFT_LEG.y, 0.14),
            (RIGHT_LEG.splay, 14.0),
        ])
        .with(&arm(RIGHT_ARM, [80.0, 2.0, 0.0, 4.0, 10.0]))
        .with(&arm(LEFT_ARM, [60.0, 12.0, 20.0, 50.0, 10.0]))
}
