//! The creature's motion table: `NonCombat` and `HandCombat`, each with standing, moving, falling and dying, and the
//! attacks of `HandCombat`.

use acmotion_types::MotionCommand;

use super::super::clip::{Clip, DatasetBuilder, with_flags};
use super::super::curve::{cos_turns, sin_turns};
use super::super::pose::PoseChange;
use super::super::table::TableBuilder;
use super::super::{BEAST_TABLE, FRAME_RATE, sounds};
use super::gait::{RUN, TURN_FRAMES, TURN_OMEGA, WALK, turn_pose};
use super::{BeastKeyframes, BeastPose, CHEST, HEAD, JAW, LEGS, NECK, ROOT, RUMP, TAIL, TIPPED};
use super::{clip, part, snarl, stand};
use crate::objects::{AttackCone, HookDirection, HookEffect, MotionData, MotionFlags};

/// The number of frames in the loops of Ready and Falling.
const BREATH_FRAMES: usize = 48;
const FALLING_FRAMES: usize = 16;

fn breathing(ready: BeastPose, time: f32) -> BeastPose {
    let breath = sin_turns(time);
    ready.plus(&[
        (ROOT[2], -0.004 * (1.0 - cos_turns(time))),
        (CHEST[0], 0.8 * breath),
        (NECK[0], -1.5 * breath),
        (HEAD[0], 1.0 * breath),
        (TAIL[1], 7.0 * breath),
    ])
}

fn falling(time: f32) -> BeastPose {
    let (a, b) = (sin_turns(time), cos_turns(time));
    let mut pose = stand().plus(&[
        (RUMP[0], -4.0 + 3.0 * a),
        (CHEST[0], 6.0),
        (NECK[0], -8.0),
        (TAIL[0], 64.0),
        (TAIL[1], 16.0 * a),
    ]);
    for (leg, (swing, y)) in LEGS.into_iter().zip([(a, 0.16), (b, 0.12), (-b, -0.1), (-a, -0.14)]) {
        pose = pose.with(&[
            (leg.x, 0.13),
            (leg.y, y + 0.06 * swing),
            (leg.lift, 0.14 + 0.03 * swing),
            (leg.pitch, -40.0),
        ]);
    }
    pose
}

/// Returns the pose on the right side, legs stretched out.
fn dead() -> BeastPose {
    let [tip, aside, up] = TIPPED;
    stand().with(&[
        (tip, 88.0),
        (aside, -0.34),
        (up, 0.125),
        (NECK[0], -16.0),
        (HEAD[0], 30.0),
        (JAW, 14.0),
        (TAIL[0], -16.0),
        (LEGS[0].y, 0.1),
        (LEGS[1].y, 0.18),
        (LEGS[2].y, -0.14),
        (LEGS[3].y, -0.02),
        (LEGS[0].pitch, -40.0),
        (LEGS[1].pitch, -50.0),
        (LEGS[2].pitch, -40.0),
        (LEGS[3].pitch, -50.0),
        (LEGS[0].x, 0.02),
        (LEGS[2].x, 0.02),
        (LEGS[1].x, 0.06),
        (LEGS[3].x, 0.06),
        (LEGS[0].lift, 0.06),
        (LEGS[1].lift, 0.02),
        (LEGS[2].lift, 0.05),
        (LEGS[3].lift, 0.0),
    ])
}

fn dying(ready: BeastPose) -> BeastKeyframes {
    let [tip, aside, up] = TIPPED;
    let folding = ready.plus(&[(ROOT[2], -0.22), (RUMP[0], 6.0), (NECK[0], 34.0), (HEAD[0], -10.0)]);
    let toppling = folding.blended(&dead(), 0.5).with(&[(tip, 40.0), (aside, -0.1), (up, 0.09)]);
    let pose = dead();
    BeastKeyframes::new(ready)
        .key(5.0, &[(ROOT[2], -0.05), (NECK[0], -60.0), (HEAD[0], 30.0), (JAW, 34.0)])
        .key_pose(13.0, folding)
        .key_pose(19.0, toppling)
        .key_pose(25.0, pose)
        .key_pose(30.0, pose)
}

fn landing(ready: BeastPose) -> BeastKeyframes {
    let low = ready.plus(&[(ROOT[2], -0.16), (RUMP[0], 4.0), (NECK[0], 14.0), (HEAD[0], -8.0)]);
    BeastKeyframes::new(falling(0.0)).key_pose(4.0, low).key_pose(14.0, ready)
}

/// Returns a short link in place; the paws are lifted to their new positions.
fn shift(frames: usize, from: &BeastPose, to: &BeastPose) -> Clip {
    let last = (frames - 1) as f32;
    let mut middle = from.blended(to, 0.5);
    for leg in LEGS {
        let distance = (from[leg.y] - to[leg.y]).abs() + (from[leg.x] - to[leg.x]).abs();
        middle = middle.with(&[(leg.lift, middle[leg.lift].max((0.35 * distance).min(0.1)))]);
    }
    clip(BeastKeyframes::new(*from).key_pose(0.5 * last, middle).key_pose(last, *to).poses())
}

/// A bite or a strike with a paw.
struct Attack {
    motion: MotionCommand,
    /// The key frames, as changes of the snarl pose.
    keys: &'static [(f32, PoseChange)],
    end: f32,
    /// The frame on which the attack hits.
    strike: usize,
    /// The height of the attack, in metres.
    height: f32,
    /// The part that hits.
    part: u32,
}

const CROUCHED: PoseChange = &[
    (ROOT[1], -0.14),
    (ROOT[2], -0.11),
    (RUMP[0], 3.0),
    (NECK[0], -34.0),
    (HEAD[0], 22.0),
    (JAW, 26.0),
    (TAIL[0], 12.0),
];
const GAPING: PoseChange =
    &[(ROOT[1], 0.06), (ROOT[2], -0.04), (RUMP[0], -3.0), (NECK[0], -30.0), (HEAD[0], 16.0), (JAW, 46.0)];
const SNAPPED_HIGH: PoseChange =
    &[(ROOT[1], 0.12), (ROOT[2], -0.05), (RUMP[0], -3.0), (NECK[0], -34.0), (HEAD[0], 26.0), (JAW, 4.0)];
const SNAPPED_MED: PoseChange =
    &[(ROOT[1], 0.12), (ROOT[2], -0.07), (RUMP[0], 2.0), (NECK[0], 0.0), (HEAD[0], 4.0), (JAW, 4.0)];
const PAW_UP: PoseChange = &[
    (ROOT[0], -0.03),
    (ROOT[1], -0.06),
    (RUMP[0], -6.0),
    (CHEST[2], -8.0),
    (NECK[0], -40.0),
    (LEGS[0].y, 0.22),
    (LEGS[0].lift, 0.42),
    (LEGS[0].x, 0.22),
    (LEGS[0].pitch, -50.0),
];
const PAW_DOWN: PoseChange = &[
    (ROOT[1], 0.08),
    (CHEST[2], 10.0),
    (LEGS[0].y, 0.42),
    (LEGS[0].lift, 0.1),
    (LEGS[0].x, 0.02),
    (LEGS[0].pitch, -10.0),
];

static ATTACKS: [Attack; 3] = [
    Attack {
        motion: MotionCommand::ATTACK_HIGH_1,
        keys: &[(6.0, CROUCHED), (9.0, GAPING), (11.0, SNAPPED_HIGH), (13.0, SNAPPED_HIGH)],
        end: 24.0,
        strike: 11,
        height: 1.2,
        part: part::HEAD,
    },
    Attack {
        motion: MotionCommand::ATTACK_MED_1,
        keys: &[(6.0, CROUCHED), (9.0, GAPING), (11.0, SNAPPED_MED), (13.0, SNAPPED_MED)],
        end: 24.0,
        strike: 11,
        height: 0.8,
        part: part::HEAD,
    },
    Attack {
        motion: MotionCommand::ATTACK_LOW_1,
        keys: &[(7.0, PAW_UP), (11.0, PAW_DOWN), (13.0, PAW_DOWN)],
        end: 24.0,
        strike: 11,
        height: 0.5,
        part: part::LEGS + 2,
    },
];

impl Attack {
    fn clip(&self) -> Clip {
        let keys = BeastKeyframes::new(snarl());
        let keys = self.keys.iter().fold(keys, |keys, (frame, change)| keys.key(*frame, change));
        let cone = AttackCone {
            part: self.part,
            left: [-0.4, 0.9],
            right: [0.4, 0.9],
            radius: 1.2,
            height: self.height,
        };
        clip(keys.key_pose(self.end, snarl()).poses()).with_sound(self.strike - 4, sounds::GROWL).with_hook(
            self.strike,
            HookDirection::FORWARD,
            HookEffect::Attack(cone),
        )
    }
}

const SNIFFING: PoseChange =
    &[(NECK[0], 38.0), (HEAD[0], -6.0), (ROOT[2], -0.03), (RUMP[0], 3.0), (NECK[2], 12.0)];
const SNIFFING_RIGHT: PoseChange =
    &[(NECK[0], 40.0), (HEAD[0], -8.0), (ROOT[2], -0.03), (RUMP[0], 3.0), (NECK[2], -16.0), (TAIL[1], 20.0)];
const HOWLING: PoseChange =
    &[(NECK[0], -62.0), (HEAD[0], 2.0), (JAW, 22.0), (CHEST[0], -4.0), (TAIL[0], -60.0)];

pub(super) fn build(dataset: &mut DatasetBuilder) -> TableBuilder {
    use MotionCommand as Motion;
    let mut table = TableBuilder::new(BEAST_TABLE, Motion::NON_COMBAT);
    let shared = shared_cycles(dataset);
    for (style, ready) in [(Motion::NON_COMBAT, stand()), (Motion::HAND_COMBAT, snarl())] {
        table.style(style, Motion::READY);
        for (motion, data) in &shared {
            table.cycle(style, *motion, data.clone());
        }
        build_style(dataset, &mut table, style, ready);
    }
    table.modifier(None, Motion::TURN_RIGHT, MotionData { omega: Some(TURN_OMEGA), ..MotionData::default() });
    let mut link = |style, to, clip| {
        let motion = dataset.add_motion(clip, FRAME_RATE);
        table.link(style, Motion::READY, to, motion);
    };
    link(Motion::NON_COMBAT, Motion::HAND_COMBAT, shift(11, &stand(), &snarl()));
    link(Motion::HAND_COMBAT, Motion::NON_COMBAT, shift(11, &snarl(), &stand()));
    for attack in &ATTACKS {
        link(Motion::HAND_COMBAT, attack.motion, attack.clip());
    }
    let fidget = |keys: &[(f32, PoseChange)], end: f32| {
        let start = BeastKeyframes::new(stand());
        clip(
            keys.iter()
                .fold(start, |all, (frame, change)| all.key(*frame, change))
                .key_pose(end, stand())
                .poses(),
        )
    };
    let sniff = fidget(&[(12.0, SNIFFING), (24.0, SNIFFING_RIGHT), (36.0, SNIFFING)], 50.0);
    link(Motion::NON_COMBAT, Motion::TWITCH_1, sniff);
    let howl = fidget(&[(14.0, HOWLING), (36.0, HOWLING)], 50.0).with_sound(12, sounds::GROWL);
    link(Motion::NON_COMBAT, Motion::TWITCH_2, howl);
    table
}

fn loop_of(frames: usize, pose: impl Fn(f32) -> BeastPose) -> Clip {
    clip((0..frames).map(|frame| pose(frame as f32 / frames as f32)))
}

/// Returns the cycles that both styles share.
fn shared_cycles(dataset: &mut DatasetBuilder) -> [(MotionCommand, MotionData); 4] {
    use MotionCommand as Motion;
    let mut motion = |clip| dataset.add_motion(clip, FRAME_RATE);
    [
        (Motion::WALK_FORWARD, motion(WALK.clip(stand()))),
        (Motion::RUN_FORWARD, motion(RUN.clip(stand()))),
        (Motion::FALLING, motion(loop_of(FALLING_FRAMES, falling))),
        (Motion::DEAD, with_flags(motion(clip([dead()])), MotionFlags::CLEARS_MODIFIERS)),
    ]
}

/// Adds the other cycles of a style and all its links. The links have no root motion: the creature starts and stops
/// within a few frames.
fn build_style(
    dataset: &mut DatasetBuilder,
    table: &mut TableBuilder,
    style: MotionCommand,
    ready: BeastPose,
) {
    use MotionCommand as Motion;
    let breath = dataset.add_motion(loop_of(BREATH_FRAMES, |time| breathing(ready, time)), FRAME_RATE);
    table.cycle(style, Motion::READY, breath);
    let turning = clip((0..TURN_FRAMES).map(|frame| turn_pose(frame as f32, ready)))
        .with_footstep(4, 16, sounds::PAW)
        .with_footstep(14, 6, sounds::PAW);
    let turning = with_flags(dataset.add_motion(turning, FRAME_RATE), MotionFlags::ONLY_FROM_DEFAULT);
    table.cycle(style, Motion::TURN_RIGHT, MotionData { omega: Some(TURN_OMEGA), ..turning });
    let mut link = |from, to, clip| {
        let motion = dataset.add_motion(clip, FRAME_RATE);
        table.link(style, from, to, motion);
    };
    for (motion, gait) in [(Motion::WALK_FORWARD, &WALK), (Motion::RUN_FORWARD, &RUN)] {
        let (before, first) = (gait.pose(-1.0, stand()), gait.pose(0.0, stand()));
        link(Motion::READY, motion, shift(7, &ready, &before));
        link(motion, Motion::READY, shift(9, &first, &ready));
        link(motion, Motion::FALLING, shift(5, &first, &falling(0.0)));
        link(Motion::FALLING, motion, shift(6, &falling(0.0), &before));
    }
    let (walk, run) = (Motion::WALK_FORWARD, Motion::RUN_FORWARD);
    link(walk, run, shift(6, &WALK.pose(0.0, stand()), &RUN.pose(-1.0, stand())));
    link(run, walk, shift(6, &RUN.pose(0.0, stand()), &WALK.pose(-1.0, stand())));
    link(Motion::READY, Motion::TURN_RIGHT, shift(5, &ready, &turn_pose(-1.0, ready)));
    link(Motion::TURN_RIGHT, Motion::READY, shift(6, &turn_pose(0.0, ready), &ready));
    link(Motion::READY, Motion::FALLING, shift(6, &ready, &falling(0.0)));
    link(Motion::FALLING, Motion::READY, clip(landing(ready).poses()).with_sound(4, sounds::LANDING));
    let death = clip(dying(ready).poses()).with_sound(3, sounds::DEATH).with_sound(22, sounds::BODY_FALLS);
    link(Motion::READY, Motion::DEAD, death);
}
