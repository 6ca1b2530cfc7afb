//! Shots with the bow: aiming is a substate for each angle, in which the bow is drawn; Reload lets the arrow go and takes
//! the next one from the quiver.

use acmotion_types::MotionCommand;

use super::super::clip::DatasetBuilder;
use super::super::pose::PoseChange;
use super::super::table::TableBuilder;
use super::super::{FRAME_RATE, animations, sounds};
use super::attacks::attack_hook;
use super::stance::BOW_COMBAT;
use super::{CHEST, HEAD, HumanKeyframes, HumanPose, LEFT_ARM, PELVIS, RIGHT_ARM, WAIST, clip, part};
use crate::objects::HookDirection;

/// The aims with their angles above the horizon, in degrees.
const AIMS: [(MotionCommand, f32); 5] = [
    (MotionCommand::AIM_LEVEL, 0.0),
    (MotionCommand::AIM_HIGH_15, 15.0),
    (MotionCommand::AIM_HIGH_30, 30.0),
    (MotionCommand::AIM_LOW_15, -15.0),
    (MotionCommand::AIM_LOW_30, -30.0),
];

/// The bow at arm's length, the string at the chin.
const DRAWN: PoseChange = &[
    (PELVIS.yaw, -40.0),
    (WAIST.yaw, -12.0),
    (WAIST.pitch, 0.0),
    (CHEST.yaw, -24.0),
    (CHEST.pitch, 2.0),
    (HEAD.yaw, 72.0),
    (HEAD.pitch, -4.0),
    (LEFT_ARM.swing, 90.0),
    (LEFT_ARM.spread, 74.0),
    (LEFT_ARM.twist, 0.0),
    (LEFT_ARM.elbow, 2.0),
    (LEFT_ARM.roll, 0.0),
    (RIGHT_ARM.swing, 96.0),
    (RIGHT_ARM.spread, 94.0),
    (RIGHT_ARM.twist, 90.0),
    (RIGHT_ARM.elbow, 146.0),
    (RIGHT_ARM.roll, 0.0),
];
/// The hand has let go of the string.
const RELEASED: PoseChange = &[(RIGHT_ARM.elbow, 112.0), (RIGHT_ARM.spread, 108.0)];
/// The right hand over the shoulder, at the quiver.
const AT_THE_QUIVER: PoseChange = &[
    (RIGHT_ARM.swing, 158.0),
    (RIGHT_ARM.spread, 20.0),
    (RIGHT_ARM.twist, 10.0),
    (RIGHT_ARM.elbow, 138.0),
    (RIGHT_ARM.roll, 0.0),
];

/// The frame on which the arrow leaves the bow, and the last frame of the link to Reload.
const RELEASE_FRAME: usize = 2;
const RELOAD_FRAMES: f32 = 24.0;

/// Returns the pose of an aim at an angle: the trunk leans so that the bow points up or down.
fn aiming(angle: f32) -> HumanPose {
    let lean = [(CHEST.roll, 0.6 * angle), (WAIST.roll, 0.4 * angle), (HEAD.roll, -0.7 * angle)];
    BOW_COMBAT.ready().with(DRAWN).plus(&lean)
}

pub(super) fn build(dataset: &mut DatasetBuilder, table: &mut TableBuilder) {
    dataset.start_animation_ids(animations::HUMAN_SHOTS);
    let (style, ready) = (BOW_COMBAT.style, BOW_COMBAT.ready());
    let (rest, reload) = (MotionCommand::READY, MotionCommand::RELOAD);
    let nocked = dataset.add_motion(clip([ready]), FRAME_RATE);
    table.cycle(style, reload, nocked);
    let settle = dataset.add_motion(clip([ready; 3]), FRAME_RATE);
    table.link(style, reload, rest, settle);
    for (motion, angle) in AIMS {
        let aim = aiming(angle);
        let draw = HumanKeyframes::new(ready).key_pose(7.0, ready.blended(&aim, 0.45)).key_pose(16.0, aim);
        let draw = clip(draw.poses()).with_sound(3, sounds::DRAW);
        let shot = HumanKeyframes::new(aim)
            .key_pose(RELEASE_FRAME as f32 + 1.0, aim.with(RELEASED))
            .key_pose(13.0, ready.with(AT_THE_QUIVER))
            .key_pose(RELOAD_FRAMES, ready);
        let shot = clip(shot.poses()).with_sound(RELEASE_FRAME - 1, sounds::WHOOSH).with_hook(
            RELEASE_FRAME,
            HookDirection::FORWARD,
            attack_hook(part::LEFT_HAND, BOW_REACH, BOW_HEIGHT),
        );
        let lower = HumanKeyframes::new(aim).key_pose(14.0, ready);
        let draw = dataset.add_motion(draw, FRAME_RATE);
        let held = dataset.add_motion(clip([aim]), FRAME_RATE);
        let shot = dataset.add_motion(shot, FRAME_RATE);
        let lower = dataset.add_motion(clip(lower.poses()), FRAME_RATE);
        table.link(style, rest, motion, draw);
        table.cycle(style, motion, held);
        table.link(style, motion, reload, shot);
        table.link(style, motion, rest, lower);
    }
}

/// The radius and the height of the area in front of the bow that a shot passes, in metres.
const BOW_REACH: f32 = 0.9;
const BOW_HEIGHT: f32 = 1.5;
