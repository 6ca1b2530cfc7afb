//! Attacks: slashes, thrusts and backhands with the sword, punches and a kick unarmed. Each has a whoosh sound before
//! its attack hook, which is on the frame where the attack hits. Hooks fire when playback leaves their frame (rule
//! H12).

use acmotion_types::MotionCommand;

use super::super::clip::{Clip, DatasetBuilder};
use super::super::curve::{sample, sin_turns};
use super::super::pose::PoseChange;
use super::super::table::TableBuilder;
use super::super::{FRAME_RATE, animations, sounds};
use super::stance::{HAND_COMBAT, SWORD_COMBAT, Stance};
use super::{
    CHEST, HEAD, HumanKeyframes, HumanPose, LEFT_ARM, LEFT_LEG, LegChannels, PELVIS, RIGHT_ARM, RIGHT_LEG,
    ROOT,
};
use super::{WAIST, clip, part};
use crate::objects::{AttackCone, HookDirection, HookEffect};

/// An attack: its key frames as changes of the guard pose, the frames on which it hits, and its last frame.
struct Attack {
    motion: MotionCommand,
    keys: &'static [(f32, PoseChange)],
    strikes: &'static [usize],
    end: f32,
    /// The distance that the front foot steps forward, in metres.
    lunge: f32,
    /// The height of the attack, in metres.
    height: f32,
    /// The part that hits.
    limb: usize,
}

/// Sets the attacking arm to a swing, spread, twist, elbow, roll and wrist, and further channels as given.
macro_rules! strike {
    ($($arm:expr => [$swing:expr, $spread:expr, $twist:expr, $elbow:expr, $roll:expr, $wrist:expr]),*;
     $($channel:expr => $value:expr),* $(,)?) => {
        &[
            $(($arm.swing, $swing), ($arm.spread, $spread), ($arm.twist, $twist), ($arm.elbow, $elbow),
              ($arm.roll, $roll), ($arm.wrist, $wrist),)*
            $(($channel, $value)),*
        ]
    };
}

const OVERHEAD: PoseChange = strike!(RIGHT_ARM => [150.0, 30.0, 0.0, 84.0, 0.0, 18.0];
    CHEST.yaw => -26.0, WAIST.yaw => -8.0, CHEST.pitch => -6.0, HEAD.yaw => 2.0, ROOT.y => -0.05,
    LEFT_ARM.swing => 46.0, LEFT_ARM.elbow => 40.0);
const CUT_DOWN: PoseChange = strike!(RIGHT_ARM => [82.0, 6.0, 0.0, 14.0, 10.0, -62.0];
    CHEST.yaw => 10.0, WAIST.pitch => 12.0, CHEST.pitch => 10.0, HEAD.yaw => -36.0, ROOT.z => -0.09,
    LEFT_ARM.swing => -14.0);
const CUT_THROUGH: PoseChange = strike!(RIGHT_ARM => [38.0, -26.0, 0.0, 18.0, 20.0, -56.0];
    CHEST.yaw => 34.0, WAIST.yaw => 8.0, WAIST.pitch => 18.0, CHEST.pitch => 14.0, HEAD.yaw => -56.0,
    HEAD.pitch => -22.0, ROOT.z => -0.11, LEFT_ARM.swing => -28.0);

const SIDE_BACK: PoseChange = strike!(RIGHT_ARM => [74.0, 72.0, -20.0, 78.0, -74.0, 8.0];
    CHEST.yaw => -38.0, WAIST.yaw => -12.0, HEAD.yaw => 14.0, ROOT.y => -0.05, LEFT_ARM.swing => 40.0,
    LEFT_ARM.elbow => 70.0);
const SIDE_CUT: PoseChange = strike!(RIGHT_ARM => [84.0, 14.0, 0.0, 10.0, -80.0, -64.0];
    CHEST.yaw => 8.0, HEAD.yaw => -32.0, ROOT.z => -0.08, LEFT_ARM.swing => -6.0);
const SIDE_THROUGH: PoseChange = strike!(RIGHT_ARM => [78.0, -40.0, 10.0, 32.0, -70.0, -44.0];
    CHEST.yaw => 42.0, WAIST.yaw => 12.0, HEAD.yaw => -64.0, ROOT.z => -0.09, LEFT_ARM.swing => -28.0);

const LOW_BACK: PoseChange = strike!(RIGHT_ARM => [60.0, 62.0, -10.0, 74.0, -60.0, 6.0];
    CHEST.yaw => -36.0, WAIST.yaw => -12.0, HEAD.yaw => 12.0, ROOT.z => -0.1, LEFT_ARM.swing => 36.0);
const LOW_CUT: PoseChange = strike!(RIGHT_ARM => [40.0, 12.0, 0.0, 10.0, -60.0, -60.0];
    CHEST.yaw => 8.0, WAIST.pitch => 24.0, CHEST.pitch => 12.0, HEAD.yaw => -34.0, HEAD.pitch => -22.0,
    ROOT.z => -0.2, LEFT_ARM.swing => -10.0);
const LOW_THROUGH: PoseChange = strike!(RIGHT_ARM => [30.0, -34.0, 10.0, 26.0, -50.0, -46.0];
    CHEST.yaw => 40.0, WAIST.yaw => 10.0, WAIST.pitch => 24.0, CHEST.pitch => 12.0, HEAD.yaw => -62.0,
    HEAD.pitch => -22.0, ROOT.z => -0.2, LEFT_ARM.swing => -26.0);

const DRAWN_BACK: PoseChange = strike!(RIGHT_ARM => [-26.0, 14.0, 0.0, 118.0, 0.0, -78.0];
    CHEST.yaw => -34.0, WAIST.yaw => -10.0, HEAD.yaw => 14.0, ROOT.y => -0.06, LEFT_ARM.swing => 44.0,
    LEFT_ARM.elbow => 30.0);
const THRUST_HIGH: PoseChange = strike!(RIGHT_ARM => [104.0, 2.0, 0.0, 4.0, 0.0, -84.0];
    CHEST.yaw => 30.0, WAIST.pitch => 6.0, HEAD.yaw => -54.0, ROOT.z => -0.1, LEFT_ARM.swing => -34.0,
    LEFT_ARM.elbow => 20.0);
const THRUST_MED: PoseChange = strike!(RIGHT_ARM => [82.0, 2.0, 0.0, 4.0, 0.0, -84.0];
    CHEST.yaw => 30.0, WAIST.pitch => 12.0, HEAD.yaw => -54.0, ROOT.z => -0.13, LEFT_ARM.swing => -34.0,
    LEFT_ARM.elbow => 20.0);
const THRUST_LOW: PoseChange = strike!(RIGHT_ARM => [54.0, 2.0, 0.0, 4.0, 0.0, -84.0];
    CHEST.yaw => 28.0, WAIST.pitch => 20.0, CHEST.pitch => 10.0, HEAD.yaw => -52.0, HEAD.pitch => -20.0,
    ROOT.z => -0.19, LEFT_ARM.swing => -34.0, LEFT_ARM.elbow => 20.0);

const ACROSS: PoseChange = strike!(RIGHT_ARM => [72.0, -44.0, 20.0, 74.0, 60.0, 4.0];
    CHEST.yaw => 44.0, WAIST.yaw => 10.0, HEAD.yaw => -66.0, LEFT_ARM.swing => -10.0);
const BACKHAND: PoseChange = strike!(RIGHT_ARM => [82.0, 12.0, 0.0, 10.0, 80.0, -64.0];
    CHEST.yaw => 4.0, HEAD.yaw => -28.0, ROOT.z => -0.08);
const BACKHAND_THROUGH: PoseChange = strike!(RIGHT_ARM => [70.0, 66.0, -10.0, 24.0, 70.0, -40.0];
    CHEST.yaw => -34.0, WAIST.yaw => -6.0, HEAD.yaw => 8.0, ROOT.z => -0.08, LEFT_ARM.swing => 26.0);

static SWORD_ATTACKS: [Attack; 9] = [
    Attack {
        motion: MotionCommand::SLASH_HIGH,
        keys: &[(9.0, OVERHEAD), (13.0, CUT_DOWN), (16.0, CUT_THROUGH)],
        strikes: &[13],
        end: 28.0,
        lunge: 0.24,
        height: 1.6,
        limb: part::RIGHT_HAND,
    },
    Attack {
        motion: MotionCommand::SLASH_MED,
        keys: &[(8.0, SIDE_BACK), (12.0, SIDE_CUT), (15.0, SIDE_THROUGH)],
        strikes: &[12],
        end: 26.0,
        lunge: 0.2,
        height: 1.2,
        limb: part::RIGHT_HAND,
    },
    Attack {
        motion: MotionCommand::SLASH_LOW,
        keys: &[(8.0, LOW_BACK), (12.0, LOW_CUT), (15.0, LOW_THROUGH)],
        strikes: &[12],
        end: 27.0,
        lunge: 0.22,
        height: 0.6,
        limb: part::RIGHT_HAND,
    },
    Attack {
        motion: MotionCommand::THRUST_HIGH,
        keys: &[(8.0, DRAWN_BACK), (12.0, THRUST_HIGH), (14.0, THRUST_HIGH)],
        strikes: &[12],
        end: 24.0,
        lunge: 0.34,
        height: 1.6,
        limb: part::RIGHT_HAND,
    },
    Attack {
        motion: MotionCommand::THRUST_MED,
        keys: &[(8.0, DRAWN_BACK), (12.0, THRUST_MED), (14.0, THRUST_MED)],
        strikes: &[12],
        end: 24.0,
        lunge: 0.36,
        height: 1.2,
        limb: part::RIGHT_HAND,
    },
    Attack {
        motion: MotionCommand::THRUST_LOW,
        keys: &[(8.0, DRAWN_BACK), (12.0, THRUST_LOW), (14.0, THRUST_LOW)],
        strikes: &[12],
        end: 25.0,
        lunge: 0.36,
        height: 0.7,
        limb: part::RIGHT_HAND,
    },
    Attack {
        motion: MotionCommand::BACKHAND_MED,
        keys: &[(8.0, ACROSS), (12.0, BACKHAND), (15.0, BACKHAND_THROUGH)],
        strikes: &[12],
        end: 26.0,
        lunge: 0.18,
        height: 1.2,
        limb: part::RIGHT_HAND,
    },
    Attack {
        motion: MotionCommand::DOUBLE_SLASH_MED,
        keys: &[
            (8.0, SIDE_BACK),
            (12.0, SIDE_CUT),
            (15.0, SIDE_THROUGH),
            (18.0, ACROSS),
            (22.0, BACKHAND),
            (25.0, BACKHAND_THROUGH),
        ],
        strikes: &[12, 22],
        end: 36.0,
        lunge: 0.24,
        height: 1.2,
        limb: part::RIGHT_HAND,
    },
    Attack {
        motion: MotionCommand::DOUBLE_THRUST_MED,
        keys: &[
            (8.0, DRAWN_BACK),
            (12.0, THRUST_MED),
            (18.0, DRAWN_BACK),
            (22.0, THRUST_MED),
            (24.0, THRUST_MED),
        ],
        strikes: &[12, 22],
        end: 34.0,
        lunge: 0.3,
        height: 1.2,
        limb: part::RIGHT_HAND,
    },
];

const FIST_BACK: PoseChange = strike!(RIGHT_ARM => [-6.0, 18.0, 10.0, 118.0, 10.0, 0.0];
    CHEST.yaw => -24.0, HEAD.yaw => 52.0, LEFT_ARM.elbow => 110.0);
const PUNCH_HIGH: PoseChange = strike!(RIGHT_ARM => [102.0, -6.0, 20.0, 4.0, 80.0, 0.0];
    CHEST.yaw => 34.0, WAIST.yaw => 12.0, PELVIS.yaw => -2.0, HEAD.yaw => -34.0, ROOT.y => 0.06,
    RIGHT_LEG.pitch => -26.0, LEFT_ARM.elbow => 124.0);
const PUNCH_MED: PoseChange = strike!(RIGHT_ARM => [80.0, -6.0, 20.0, 4.0, 80.0, 0.0];
    CHEST.yaw => 34.0, WAIST.yaw => 12.0, PELVIS.yaw => -2.0, WAIST.pitch => 12.0, HEAD.yaw => -34.0, ROOT.y => 0.06,
    ROOT.z => -0.1, RIGHT_LEG.pitch => -26.0, LEFT_ARM.elbow => 124.0);
const PUNCH_LOW: PoseChange = strike!(RIGHT_ARM => [62.0, -6.0, 20.0, 4.0, 80.0, 0.0];
    CHEST.yaw => 34.0, WAIST.yaw => 12.0, PELVIS.yaw => -2.0, WAIST.pitch => 26.0, HEAD.yaw => -34.0, ROOT.y => 0.06,
    ROOT.z => -0.2, HEAD.pitch => -28.0, RIGHT_LEG.pitch => -30.0, LEFT_ARM.elbow => 124.0);
const JAB_HIGH: PoseChange = strike!(LEFT_ARM => [100.0, -2.0, 16.0, 4.0, 80.0, 0.0];
    CHEST.yaw => -22.0, WAIST.yaw => -6.0, HEAD.yaw => 52.0, ROOT.y => 0.05);
const JAB_MED: PoseChange = strike!(LEFT_ARM => [80.0, -2.0, 16.0, 4.0, 80.0, 0.0];
    CHEST.yaw => -22.0, WAIST.yaw => -6.0, WAIST.pitch => 12.0, HEAD.yaw => 52.0, ROOT.y => 0.05, ROOT.z => -0.1);
const JAB_LOW: PoseChange = strike!(LEFT_ARM => [60.0, -2.0, 16.0, 4.0, 80.0, 0.0];
    CHEST.yaw => -22.0, WAIST.yaw => -6.0, WAIST.pitch => 26.0, HEAD.yaw => 52.0, HEAD.pitch => -28.0,
    ROOT.y => 0.05, ROOT.z => -0.2);
const KNEE_UP: PoseChange = &[
    (ROOT.y, 0.08),
    (ROOT.z, -0.06),
    (PELVIS.yaw, -4.0),
    (PELVIS.pitch, -6.0),
    (RIGHT_LEG.y, 0.34),
    (RIGHT_LEG.x, 0.08),
    (RIGHT_LEG.lift, 0.42),
    (RIGHT_LEG.pitch, 6.0),
    (RIGHT_LEG.yaw, 4.0),
    (RIGHT_LEG.splay, 0.0),
];
const KICKED: PoseChange = &[
    (ROOT.y, 0.06),
    (ROOT.z, -0.05),
    (PELVIS.yaw, 6.0),
    (PELVIS.pitch, -16.0),
    (WAIST.pitch, 2.0),
    (HEAD.yaw, 16.0),
    (RIGHT_LEG.y, 0.78),
    (RIGHT_LEG.x, 0.04),
    (RIGHT_LEG.lift, 0.50),
    (RIGHT_LEG.pitch, 40.0),
    (RIGHT_LEG.yaw, 4.0),
    (RIGHT_LEG.splay, 0.0),
    (LEFT_ARM.swing, 40.0),
    (RIGHT_ARM.swing, 14.0),
];

const fn punch(motion: MotionCommand, keys: &'static [(f32, PoseChange)], height: f32) -> Attack {
    Attack { motion, keys, strikes: &[9], end: 20.0, lunge: 0.0, height, limb: part::RIGHT_HAND }
}

const fn jab(motion: MotionCommand, keys: &'static [(f32, PoseChange)], height: f32) -> Attack {
    Attack { motion, keys, strikes: &[5], end: 14.0, lunge: 0.08, height, limb: part::LEFT_HAND }
}

static HAND_ATTACKS: [Attack; 9] = [
    punch(MotionCommand::ATTACK_HIGH_1, &[(5.0, FIST_BACK), (9.0, PUNCH_HIGH), (10.0, PUNCH_HIGH)], 1.6),
    punch(MotionCommand::ATTACK_MED_1, &[(5.0, FIST_BACK), (9.0, PUNCH_MED), (10.0, PUNCH_MED)], 1.2),
    Attack {
        motion: MotionCommand::ATTACK_LOW_1,
        keys: &[(7.0, KNEE_UP), (11.0, KICKED), (13.0, KICKED), (17.0, KNEE_UP)],
        strikes: &[11],
        end: 26.0,
        lunge: 0.0,
        height: 0.8,
        limb: part::RIGHT_FOOT,
    },
    jab(MotionCommand::PUNCH_FAST_HIGH, &[(5.0, JAB_HIGH), (6.0, JAB_HIGH)], 1.6),
    jab(MotionCommand::PUNCH_FAST_MED, &[(5.0, JAB_MED), (6.0, JAB_MED)], 1.2),
    jab(MotionCommand::PUNCH_FAST_LOW, &[(5.0, JAB_LOW), (6.0, JAB_LOW)], 0.8),
    punch(MotionCommand::PUNCH_SLOW_HIGH, &[(5.0, FIST_BACK), (9.0, PUNCH_HIGH), (11.0, PUNCH_HIGH)], 1.6),
    punch(MotionCommand::PUNCH_SLOW_MED, &[(5.0, FIST_BACK), (9.0, PUNCH_MED), (11.0, PUNCH_MED)], 1.2),
    punch(MotionCommand::PUNCH_SLOW_LOW, &[(5.0, FIST_BACK), (9.0, PUNCH_LOW), (11.0, PUNCH_LOW)], 0.8),
];

/// The number of frames from the whoosh to the hit.
const WHOOSH_LEAD: usize = 3;

impl Attack {
    /// Returns the pose at a frame. The front foot steps forward for the first hit and back at the end.
    fn pose(&self, keys: &HumanKeyframes, frame: f32, front: LegChannels) -> HumanPose {
        let first = self.strikes.first().map_or(0.0, |strike| *strike as f32);
        let last = self.strikes.last().map_or(0.0, |strike| *strike as f32);
        let (out, back) = ([first - 5.0, first], [last + 5.0, self.end - 1.0]);
        let progress = sample(&[(out[0], 0.0), (out[1], 1.0), (back[0], 1.0), (back[1], 0.0)], frame);
        let hop = |[from, to]: [f32; 2]| {
            let time = (frame - from) / (to - from);
            if (0.0..1.0).contains(&time) { 0.3 * self.lunge * sin_turns(0.5 * time) } else { 0.0 }
        };
        keys.sample(frame).plus(&[
            (front.y, self.lunge * progress),
            (front.lift, hop(out) + hop(back)),
            (ROOT.y, 0.55 * self.lunge * progress),
        ])
    }

    fn clip(&self, stance: &Stance, front: LegChannels, reach: f32) -> Clip {
        let guard = stance.ready();
        let keys = HumanKeyframes::new(guard);
        let keys = self.keys.iter().fold(keys, |keys, (frame, change)| keys.key(*frame, change));
        let keys = keys.key_pose(self.end, guard);
        let mut attack = clip((0..=self.end as usize).map(|frame| self.pose(&keys, frame as f32, front)));
        for strike in self.strikes {
            attack = attack.with_sound(strike - WHOOSH_LEAD, sounds::WHOOSH).with_hook(
                *strike,
                HookDirection::FORWARD,
                attack_hook(self.limb, reach, self.height),
            );
        }
        attack
    }
}

/// Returns the effect of a hit by a part: a cone in front of the body, with a radius and a height in metres.
pub(super) fn attack_hook(part: usize, radius: f32, height: f32) -> HookEffect {
    let cone = AttackCone { part: part as u32, left: [-0.5, 0.8], right: [0.5, 0.8], radius, height };
    HookEffect::Attack(cone)
}

pub(super) fn build(dataset: &mut DatasetBuilder, table: &mut TableBuilder) {
    let ready = MotionCommand::READY;
    dataset.start_animation_ids(animations::HUMAN_SWORD_ATTACKS);
    for attack in &SWORD_ATTACKS {
        let blade = attack.clip(&SWORD_COMBAT, RIGHT_LEG, 1.6);
        table.link(SWORD_COMBAT.style, ready, attack.motion, dataset.add_motion(blade, FRAME_RATE));
    }
    dataset.start_animation_ids(animations::HUMAN_HAND_ATTACKS);
    for attack in &HAND_ATTACKS {
        let fist = attack.clip(&HAND_COMBAT, LEFT_LEG, 0.9);
        table.link(HAND_COMBAT.style, ready, attack.motion, dataset.add_motion(fist, FRAME_RATE));
    }
}
