//! Magic: the spell wind-ups, which are actions, and the casting gestures, which are substates.

use acmotion_types::{Frame, MotionCommand, Vec3};

use super::super::clip::{Clip, DatasetBuilder};
use super::super::curve::{cos_turns, sin_turns};
use super::super::pose::PoseChange;
use super::super::table::TableBuilder;
use super::super::{EMITTER, FRAME_RATE, WAVE, animations, scripts, sounds};
use super::stance::MAGIC;
use super::{CHEST, HEAD, HumanKeyframes, HumanPose, LEFT_ARM, RIGHT_ARM, ROOT, WAIST, clip, part};
use crate::id::DataId;
use crate::objects::hook::ParticleSpec;
use crate::objects::{Hook, HookDirection, HookEffect, PhysicsScript, Ramp, ScriptHook};

/// The wind-up of each spell level, and its variant that differs only in the colour of the light.
static POWER_UPS: [[MotionCommand; 2]; 10] = [
    [MotionCommand::MAGIC_POWER_UP_01, MotionCommand::MAGIC_POWER_UP_01_PURPLE],
    [MotionCommand::MAGIC_POWER_UP_02, MotionCommand::MAGIC_POWER_UP_02_PURPLE],
    [MotionCommand::MAGIC_POWER_UP_03, MotionCommand::MAGIC_POWER_UP_03_PURPLE],
    [MotionCommand::MAGIC_POWER_UP_04, MotionCommand::MAGIC_POWER_UP_04_PURPLE],
    [MotionCommand::MAGIC_POWER_UP_05, MotionCommand::MAGIC_POWER_UP_05_PURPLE],
    [MotionCommand::MAGIC_POWER_UP_06, MotionCommand::MAGIC_POWER_UP_06_PURPLE],
    [MotionCommand::MAGIC_POWER_UP_07, MotionCommand::MAGIC_POWER_UP_07_PURPLE],
    [MotionCommand::MAGIC_POWER_UP_08, MotionCommand::MAGIC_POWER_UP_08_PURPLE],
    [MotionCommand::MAGIC_POWER_UP_09, MotionCommand::MAGIC_POWER_UP_09_PURPLE],
    [MotionCommand::MAGIC_POWER_UP_10, MotionCommand::MAGIC_POWER_UP_10_PURPLE],
];

/// A casting gesture: entered from Ready by a link, held as a cycle, left by another link. The link calls the script.
struct Gesture {
    motion: MotionCommand,
    windup: PoseChange,
    held: PoseChange,
    script: DataId,
}

/// Sets both arms to the same swing, spread, twist, elbow and roll, and further channels as given.
macro_rules! both_arms {
    ([$swing:expr, $spread:expr, $twist:expr, $elbow:expr, $roll:expr] $(, $channel:expr => $value:expr)* $(,)?) => {
        &[
            (RIGHT_ARM.swing, $swing), (RIGHT_ARM.spread, $spread), (RIGHT_ARM.twist, $twist),
            (RIGHT_ARM.elbow, $elbow), (RIGHT_ARM.roll, $roll),
            (LEFT_ARM.swing, $swing), (LEFT_ARM.spread, $spread), (LEFT_ARM.twist, $twist),
            (LEFT_ARM.elbow, $elbow), (LEFT_ARM.roll, $roll),
            $(($channel, $value)),*
        ]
    };
}

const GATHERED: PoseChange = both_arms!([10.0, 22.0, 30.0, 124.0, 0.0], ROOT.z => -0.07, ROOT.y => -0.05,
    CHEST.pitch => 8.0, WAIST.pitch => 4.0, HEAD.pitch => -8.0);
const FLUNG: PoseChange = both_arms!([92.0, 10.0, 0.0, 10.0, 70.0], ROOT.z => -0.05, ROOT.y => 0.07,
    WAIST.pitch => 10.0, CHEST.pitch => 6.0, HEAD.pitch => -14.0,
    RIGHT_ARM.flex => 0.0, LEFT_ARM.flex => 0.0, RIGHT_ARM.wrist => 40.0, LEFT_ARM.wrist => 40.0);
const RAISED: PoseChange =
    both_arms!([150.0, 30.0, 0.0, 30.0, -40.0], CHEST.pitch => -10.0, HEAD.pitch => -18.0);
const OPENED: PoseChange =
    both_arms!([70.0, 74.0, -20.0, 20.0, -80.0], CHEST.pitch => -8.0, HEAD.pitch => -10.0);
const ON_HEART: PoseChange =
    both_arms!([34.0, 10.0, 58.0, 112.0, 20.0], CHEST.pitch => 6.0, HEAD.pitch => 16.0);
const THROWN_BACK: PoseChange = &[
    (RIGHT_ARM.swing, 128.0),
    (RIGHT_ARM.spread, 44.0),
    (RIGHT_ARM.elbow, 92.0),
    (LEFT_ARM.swing, 76.0),
    (LEFT_ARM.elbow, 24.0),
    (CHEST.yaw, -30.0),
    (HEAD.yaw, 28.0),
    (ROOT.y, -0.05),
];
const THROWN: PoseChange = &[
    (RIGHT_ARM.swing, 88.0),
    (RIGHT_ARM.spread, -8.0),
    (RIGHT_ARM.elbow, 8.0),
    (RIGHT_ARM.roll, 60.0),
    (LEFT_ARM.swing, -12.0),
    (LEFT_ARM.elbow, 50.0),
    (CHEST.yaw, 26.0),
    (WAIST.pitch, 10.0),
    (HEAD.yaw, -24.0),
    (ROOT.y, 0.07),
];

static GESTURES: [Gesture; 5] = [
    Gesture { motion: MotionCommand::CAST_SPELL, windup: GATHERED, held: FLUNG, script: scripts::BURST },
    Gesture { motion: MotionCommand::MAGIC_BLAST, windup: RAISED, held: FLUNG, script: scripts::BURST },
    Gesture { motion: MotionCommand::MAGIC_HEAL, windup: GATHERED, held: OPENED, script: scripts::BLESSING },
    Gesture {
        motion: MotionCommand::MAGIC_SELF_HEART,
        windup: OPENED,
        held: ON_HEART,
        script: scripts::BLESSING,
    },
    Gesture {
        motion: MotionCommand::MAGIC_THROW_MISSILE,
        windup: THROWN_BACK,
        held: THROWN,
        script: scripts::BURST,
    },
];

/// Returns a pose of a wind-up: both hands circle in front of the body, twice, and higher for higher levels.
fn power_up(level: usize, frame: f32) -> HumanPose {
    let time = frame / POWER_UP_FRAMES;
    let strength = sin_turns(0.5 * time);
    let height = 4.0 * level as f32;
    let (a, b) = (sin_turns(2.0 * time), cos_turns(2.0 * time));
    MAGIC.ready().plus(&[
        (ROOT.z, -0.03 * strength),
        (CHEST.pitch, -6.0 * strength),
        (HEAD.pitch, -0.25 * height * strength),
        (RIGHT_ARM.swing, (20.0 + height + 18.0 * a) * strength),
        (RIGHT_ARM.spread, (10.0 + 18.0 * b) * strength),
        (RIGHT_ARM.elbow, (6.0 + 16.0 * b) * strength),
        (LEFT_ARM.swing, (20.0 + height - 18.0 * a) * strength),
        (LEFT_ARM.spread, (10.0 - 18.0 * b) * strength),
        (LEFT_ARM.elbow, (6.0 - 16.0 * b) * strength),
        (CHEST.yaw, 6.0 * a * strength),
    ])
}

const POWER_UP_FRAMES: f32 = 32.0;

/// Returns an effect that lights a part. The dataset has no particles; the emitter numbers are its own.
fn light(part: usize, emitter: u32) -> HookEffect {
    HookEffect::CreateParticle(ParticleSpec {
        emitter_info: EMITTER,
        part: part as u32,
        offset: Frame::from_origin(Vec3::new(0.0, 0.0, -0.1)),
        emitter,
    })
}

/// The emitters of scripts, which differ from those of animations: a script goes on when its animation is over.
const BURST_EMITTER: u32 = 3;
const BLESSING_EMITTER: u32 = 4;
/// The frame of a gesture that calls the script: the hands have arrived.
const SCRIPT_FRAME: usize = 13;

/// Returns the script of a spell that is thrown: light and a sound at once, the light goes out.
fn burst() -> PhysicsScript {
    script(
        scripts::BURST,
        &[
            (0.0, light(part::RIGHT_HAND, BURST_EMITTER)),
            (0.0, HookEffect::Sound(WAVE)),
            (0.4, HookEffect::StopParticle(BURST_EMITTER)),
            (1.0, HookEffect::DestroyParticle(BURST_EMITTER)),
        ],
    )
}

/// Returns the script of a spell that stays with the body: it lights up, sounds, fades, and calls the other script.
fn blessing() -> PhysicsScript {
    let tweaked = HookEffect::SoundTweaked { wave: WAVE, probability: 0.5, priority: 3.0, volume: 0.8 };
    let ramp = |start, end, time| HookEffect::Luminous(Ramp { start, end, time });
    script(
        scripts::BLESSING,
        &[
            (0.0, light(part::CHEST, BLESSING_EMITTER)),
            (0.1, ramp(0.0, 0.6, 0.3)),
            (0.25, tweaked),
            (0.5, HookEffect::CallPes { script: scripts::BURST, pause: 0.25 }),
            (0.8, ramp(0.6, 0.0, 0.7)),
            (1.5, HookEffect::DestroyParticle(BLESSING_EMITTER)),
        ],
    )
}

fn script(id: DataId, effects: &[(f64, HookEffect)]) -> PhysicsScript {
    let direction = HookDirection::FORWARD;
    let hooks = effects.iter().map(|&(start, effect)| ScriptHook { start, hook: Hook { direction, effect } });
    PhysicsScript { id, hooks: hooks.collect() }
}

/// Adds light to both hands between two frames.
fn with_hand_glow(mut clip: Clip, from: usize, to: usize) -> Clip {
    for (emitter, hand) in (1..).zip([part::RIGHT_HAND, part::LEFT_HAND]) {
        clip = clip.with_hook(from, HookDirection::FORWARD, light(hand, emitter)).with_hook(
            to,
            HookDirection::FORWARD,
            HookEffect::DestroyParticle(emitter),
        );
    }
    clip
}

pub(super) fn build(dataset: &mut DatasetBuilder, table: &mut TableBuilder) {
    dataset.add(&burst());
    dataset.add(&blessing());
    dataset.start_animation_ids(animations::HUMAN_SPELLS);
    let (style, ready) = (MAGIC.style, MAGIC.ready());
    for (level, motions) in (1..).zip(POWER_UPS) {
        let last = POWER_UP_FRAMES as usize;
        let windup = clip((0..=last).map(|frame| power_up(level, frame as f32)));
        let windup =
            dataset.add_motion(with_hand_glow(windup, 4, last - 3).with_sound(2, sounds::MAGIC), FRAME_RATE);
        for motion in motions {
            table.link(style, MotionCommand::READY, motion, windup.clone());
        }
    }
    for gesture in &GESTURES {
        let held = ready.with(gesture.held);
        let enter =
            HumanKeyframes::new(ready).key(8.0, gesture.windup).key_pose(13.0, held).key_pose(16.0, held);
        let call = HookEffect::CallPes { script: gesture.script, pause: 0.0 };
        let enter = with_hand_glow(clip(enter.poses()), 5, 14).with_sound(10, sounds::MAGIC).with_hook(
            SCRIPT_FRAME,
            HookDirection::FORWARD,
            call,
        );
        let leave = HumanKeyframes::new(held).key_pose(14.0, ready);
        let enter = dataset.add_motion(enter, FRAME_RATE);
        let cycle = dataset.add_motion(clip([held]), FRAME_RATE);
        let leave = dataset.add_motion(clip(leave.poses()), FRAME_RATE);
        table.link(style, MotionCommand::READY, gesture.motion, enter);
        table.cycle(style, gesture.motion, cycle);
        table.link(style, gesture.motion, MotionCommand::READY, leave);
    }
}
