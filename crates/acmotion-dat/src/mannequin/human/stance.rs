//! The five stances of the humanoid: its pose and arms in each, and the changes between them.

use acmotion_types::MotionCommand;

use super::super::clip::DatasetBuilder;
use super::super::curve::sin_turns;
use super::super::table::TableBuilder;
use super::super::{DataId, FRAME_RATE, animations, sounds};
use super::{ARMS, CHANNELS, CHEST, HEAD, HumanKeyframes, HumanPose, LEFT_ARM, LEFT_LEG, PELVIS, Pose};
use super::{RIGHT_ARM, RIGHT_LEG, ROOT, WAIST, clip};

/// A stance of the humanoid.
pub(super) struct Stance {
    pub(super) style: MotionCommand,
    /// The id of the stance's first animation.
    pub(super) first_animation: DataId,
    /// Whether the arms swing freely in motion; otherwise they keep their guard.
    pub(super) free_arms: bool,
    ready: fn() -> HumanPose,
}

pub(super) static NON_COMBAT: Stance = Stance {
    style: MotionCommand::NON_COMBAT,
    first_animation: animations::HUMAN_NON_COMBAT,
    free_arms: true,
    ready: stand,
};

pub(super) static HAND_COMBAT: Stance = Stance {
    style: MotionCommand::HAND_COMBAT,
    first_animation: animations::HUMAN_HAND_COMBAT,
    free_arms: false,
    ready: fists_up,
};

pub(super) static SWORD_COMBAT: Stance = Stance {
    style: MotionCommand::SWORD_COMBAT,
    first_animation: animations::HUMAN_SWORD_COMBAT,
    free_arms: false,
    ready: sword_up,
};

pub(super) static MAGIC: Stance = Stance {
    style: MotionCommand::MAGIC,
    first_animation: animations::HUMAN_MAGIC,
    free_arms: false,
    ready: hands_open,
};

pub(super) static BOW_COMBAT: Stance = Stance {
    style: MotionCommand::BOW_COMBAT,
    first_animation: animations::HUMAN_BOW_COMBAT,
    free_arms: false,
    ready: bow_in_hand,
};

pub(super) static ALL: [&Stance; 5] = [&NON_COMBAT, &HAND_COMBAT, &SWORD_COMBAT, &MAGIC, &BOW_COMBAT];

impl Stance {
    /// Returns the first frame of Ready, in which every link from and to Ready starts and ends.
    pub(super) fn ready(&self) -> HumanPose {
        (self.ready)()
    }

    /// Returns the pose of Ready at a time of its breath, from 0 to 1.
    pub(super) fn breathing(&self, time: f32) -> HumanPose {
        let breath = sin_turns(time);
        let sway = sin_turns(time * 2.0);
        let guard = if self.free_arms { 1.0 } else { 2.0 };
        self.ready().plus(&[
            (ROOT.z, -0.004 * guard * (1.0 - super::super::curve::cos_turns(time))),
            (CHEST.pitch, -1.2 * breath),
            (WAIST.pitch, 0.6 * breath),
            (HEAD.pitch, 0.8 * breath),
            (HEAD.yaw, 1.0 * sway),
            (RIGHT_ARM.swing, -guard * breath),
            (LEFT_ARM.swing, -guard * breath),
            (RIGHT_ARM.spread, 0.8 * breath),
            (LEFT_ARM.spread, 0.8 * breath),
            (RIGHT_ARM.elbow, 1.5 * guard * breath),
            (LEFT_ARM.elbow, 1.5 * guard * breath),
        ])
    }

    /// Adapts a moving pose to the stance: if the arms keep their guard, they follow the swing only a little.
    pub(super) fn with_guard(&self, pose: HumanPose, swing: [f32; 2]) -> HumanPose {
        if self.free_arms {
            return pose;
        }
        let mut out = self.with_arms(pose);
        for (arm, swing) in ARMS.iter().zip(swing) {
            out = out.plus(&[(arm.swing, 0.3 * swing), (arm.elbow, -0.15 * swing)]);
        }
        out
    }

    /// Returns the pose with the arms of this stance.
    pub(super) fn with_arms(&self, mut pose: HumanPose) -> HumanPose {
        let arms = RIGHT_ARM.swing.0..=LEFT_ARM.flex.0;
        pose.0[arms.clone()].copy_from_slice(&self.ready().0[arms]);
        pose
    }
}

/// Returns the pose at ease: weight on both feet, arms hanging.
fn stand() -> HumanPose {
    Pose([0.0; CHANNELS]).with(&[
        (ROOT.z, -0.004),
        (PELVIS.pitch, 1.0),
        (WAIST.pitch, -1.0),
        (CHEST.pitch, 2.0),
        (HEAD.pitch, -1.0),
        (RIGHT_ARM.swing, 1.0),
        (RIGHT_ARM.spread, 8.0),
        (RIGHT_ARM.twist, 6.0),
        (RIGHT_ARM.elbow, 14.0),
        (LEFT_ARM.swing, 1.0),
        (LEFT_ARM.spread, 8.0),
        (LEFT_ARM.twist, 6.0),
        (LEFT_ARM.elbow, 14.0),
        (RIGHT_LEG.x, 0.105),
        (RIGHT_LEG.y, -0.01),
        (RIGHT_LEG.yaw, 9.0),
        (RIGHT_LEG.splay, 5.0),
        (LEFT_LEG.x, 0.105),
        (LEFT_LEG.y, 0.015),
        (LEFT_LEG.yaw, 9.0),
        (LEFT_LEG.splay, 5.0),
    ])
}

/// Returns a boxer's guard, left side forward.
fn fists_up() -> HumanPose {
    stand().with(&[
        (ROOT.z, -0.055),
        (ROOT.y, 0.01),
        (PELVIS.pitch, 4.0),
        (PELVIS.yaw, -28.0),
        (WAIST.pitch, 6.0),
        (CHEST.pitch, 8.0),
        (CHEST.yaw, -10.0),
        (HEAD.pitch, -12.0),
        (HEAD.yaw, 36.0),
        (RIGHT_ARM.swing, 38.0),
        (RIGHT_ARM.spread, 12.0),
        (RIGHT_ARM.twist, 28.0),
        (RIGHT_ARM.elbow, 122.0),
        (RIGHT_ARM.roll, 20.0),
        (LEFT_ARM.swing, 58.0),
        (LEFT_ARM.spread, 8.0),
        (LEFT_ARM.twist, 18.0),
        (LEFT_ARM.elbow, 98.0),
        (LEFT_ARM.roll, 20.0),
        (RIGHT_LEG.x, 0.14),
        (RIGHT_LEG.y, -0.17),
        (RIGHT_LEG.yaw, 42.0),
        (RIGHT_LEG.splay, 20.0),
        (LEFT_LEG.x, 0.11),
        (LEFT_LEG.y, 0.17),
        (LEFT_LEG.yaw, 4.0),
        (LEFT_LEG.splay, -6.0),
    ])
}

/// Returns a fencer's guard, right side forward, the blade pointing up and forward.
fn sword_up() -> HumanPose {
    stand().with(&[
        (ROOT.z, -0.06),
        (PELVIS.pitch, 3.0),
        (PELVIS.yaw, 26.0),
        (WAIST.pitch, 4.0),
        (CHEST.pitch, 5.0),
        (CHEST.yaw, 4.0),
        (HEAD.pitch, -7.0),
        (HEAD.yaw, -29.0),
        (RIGHT_ARM.swing, 32.0),
        (RIGHT_ARM.spread, 22.0),
        (RIGHT_ARM.twist, 12.0),
        (RIGHT_ARM.elbow, 72.0),
        (RIGHT_ARM.wrist, -42.0),
        (LEFT_ARM.swing, 2.0),
        (LEFT_ARM.spread, 26.0),
        (LEFT_ARM.twist, 24.0),
        (LEFT_ARM.elbow, 66.0),
        (RIGHT_LEG.x, 0.11),
        (RIGHT_LEG.y, 0.18),
        (RIGHT_LEG.yaw, 2.0),
        (RIGHT_LEG.splay, -8.0),
        (LEFT_LEG.x, 0.13),
        (LEFT_LEG.y, -0.18),
        (LEFT_LEG.yaw, 45.0),
        (LEFT_LEG.splay, 20.0),
    ])
}

/// Returns a pose with open hands in front of the body, as if holding a sphere.
fn hands_open() -> HumanPose {
    stand().with(&[
        (ROOT.z, -0.03),
        (CHEST.pitch, 3.0),
        (HEAD.pitch, -3.0),
        (RIGHT_ARM.swing, 28.0),
        (RIGHT_ARM.spread, 20.0),
        (RIGHT_ARM.twist, 14.0),
        (RIGHT_ARM.elbow, 78.0),
        (RIGHT_ARM.roll, -70.0),
        (RIGHT_ARM.flex, -15.0),
        (LEFT_ARM.swing, 28.0),
        (LEFT_ARM.spread, 20.0),
        (LEFT_ARM.twist, 14.0),
        (LEFT_ARM.elbow, 78.0),
        (LEFT_ARM.roll, -70.0),
        (LEFT_ARM.flex, -15.0),
        (RIGHT_LEG.x, 0.15),
        (RIGHT_LEG.y, -0.04),
        (RIGHT_LEG.yaw, 16.0),
        (RIGHT_LEG.splay, 12.0),
        (LEFT_LEG.x, 0.15),
        (LEFT_LEG.y, 0.05),
        (LEFT_LEG.yaw, 16.0),
        (LEFT_LEG.splay, 12.0),
    ])
}

/// Returns an archer's stance, left side forward, the bow held low in the left hand.
fn bow_in_hand() -> HumanPose {
    fists_up().with(&[
        (ROOT.z, -0.03),
        (WAIST.pitch, 2.0),
        (CHEST.pitch, 3.0),
        (HEAD.pitch, -4.0),
        (RIGHT_ARM.swing, 14.0),
        (RIGHT_ARM.spread, 14.0),
        (RIGHT_ARM.twist, 30.0),
        (RIGHT_ARM.elbow, 76.0),
        (RIGHT_ARM.roll, 10.0),
        (LEFT_ARM.swing, 44.0),
        (LEFT_ARM.spread, 22.0),
        (LEFT_ARM.twist, 0.0),
        (LEFT_ARM.elbow, 26.0),
        (LEFT_ARM.roll, 0.0),
    ])
}

/// Adds the links between `NonCombat` and the other stances. Changes between two other stances go through `NonCombat`
/// (rule G4, style).
pub(super) fn build_changes(dataset: &mut DatasetBuilder, table: &mut TableBuilder) {
    dataset.start_animation_ids(animations::HUMAN_STANCE_CHANGES);
    let (peace, ready) = (NON_COMBAT.style, MotionCommand::READY);
    for stance in [&HAND_COMBAT, &SWORD_COMBAT, &MAGIC, &BOW_COMBAT] {
        let (there, back) = (take_up(stance), put_down(stance));
        let mut entering = clip(there.poses());
        if stance.style == SWORD_COMBAT.style {
            entering = entering.with_sound(9, sounds::DRAW);
        }
        let entering = dataset.add_motion(entering, FRAME_RATE);
        let leaving = dataset.add_motion(clip(back.poses()), FRAME_RATE);
        table.link(peace, ready, stance.style, entering);
        table.link(stance.style, ready, peace, leaving);
    }
}

/// Returns the link from standing to a stance: the sword is drawn from the left hip, fists and hands simply come up.
fn take_up(stance: &Stance) -> HumanKeyframes {
    let goal = stance.ready();
    let keys = HumanKeyframes::new(stand());
    let stepping = with_step(stand().blended(&goal, 0.5), &stand(), &goal);
    if stance.style != SWORD_COMBAT.style {
        return keys.key_pose(6.0, stepping).key_pose(14.0, goal);
    }
    let reach = with_step(stand(), &stand(), &stand()).with(&REACH_TO_HIP);
    let draw = stepping.with(&[
        (RIGHT_ARM.swing, 75.0),
        (RIGHT_ARM.spread, 10.0),
        (RIGHT_ARM.twist, 20.0),
        (RIGHT_ARM.elbow, 70.0),
        (RIGHT_ARM.wrist, -10.0),
        (CHEST.yaw, -12.0),
    ]);
    keys.key_pose(8.0, reach).key_pose(14.0, draw).key_pose(22.0, goal)
}

fn put_down(stance: &Stance) -> HumanKeyframes {
    let from = stance.ready();
    let keys = HumanKeyframes::new(from);
    let stepping = with_step(from.blended(&stand(), 0.5), &from, &stand());
    if stance.style != SWORD_COMBAT.style {
        return keys.key_pose(7.0, stepping).key_pose(14.0, stand());
    }
    keys.key_pose(12.0, stepping.with(&REACH_TO_HIP)).key_pose(24.0, stand())
}

/// The right hand at the left hip.
const REACH_TO_HIP: [(super::Channel, f32); 9] = [
    (RIGHT_ARM.swing, 22.0),
    (RIGHT_ARM.spread, -16.0),
    (RIGHT_ARM.twist, 62.0),
    (RIGHT_ARM.elbow, 74.0),
    (RIGHT_ARM.wrist, -20.0),
    (CHEST.yaw, 16.0),
    (CHEST.pitch, 8.0),
    (HEAD.pitch, 10.0),
    (HEAD.yaw, 4.0),
];

/// Returns an intermediate pose with each foot that moves lifted off the ground.
pub(super) fn with_step(mut pose: HumanPose, from: &HumanPose, to: &HumanPose) -> HumanPose {
    for leg in [RIGHT_LEG, LEFT_LEG] {
        let distance = (from[leg.x] - to[leg.x]).abs() + (from[leg.y] - to[leg.y]).abs();
        pose = pose.with(&[(leg.lift, (0.3 * distance).min(0.06))]);
    }
    pose
}
