//! The humanoid: its skeleton, and how a pose becomes part frames.

mod blows;
mod body;
mod emotes;
mod gait;
mod spells;
mod stance;
mod states;
mod travel;

use acmotion_types::{Frame, Vec3};

use super::clip::{Clip, Shelf};
use super::pose::{Channel, Keys, Pose};
use super::rig::{Limb, X, about_x, about_y, about_z, joint, trunk, turned};
use super::table::TableBuilder;

/// How many numbers a pose has.
const CHANNELS: usize = 41;
type HumanPose = Pose<CHANNELS>;
type HumanKeys = Keys<CHANNELS>;

/// How far the pelvis is from where it is in a straight stand: right, forward, up.
const ROOT: Spot = Spot { x: Channel(0), y: Channel(1), z: Channel(2) };
const PELVIS: Trunk = trunk_channels(3);
const WAIST: Trunk = trunk_channels(6);
const CHEST: Trunk = trunk_channels(9);
/// Shared between neck and head.
const HEAD: Trunk = trunk_channels(12);
const RIGHT_ARM: Arm = arm_channels(15);
const LEFT_ARM: Arm = arm_channels(22);
const RIGHT_LEG: Leg = leg_channels(29);
const LEFT_LEG: Leg = leg_channels(35);
const ARMS: [Arm; 2] = [RIGHT_ARM, LEFT_ARM];
const LEGS: [Leg; 2] = [RIGHT_LEG, LEFT_LEG];
/// +1 for the right side, −1 for the left, in the order of [`ARMS`] and [`LEGS`].
const SIDES: [f32; 2] = [1.0, -1.0];

#[derive(Clone, Copy)]
struct Spot {
    x: Channel,
    y: Channel,
    z: Channel,
}

/// A piece of the trunk: bent forward, leant right, turned left.
#[derive(Clone, Copy)]
struct Trunk {
    pitch: Channel,
    roll: Channel,
    yaw: Channel,
}

/// An arm. With all angles 0 it hangs, palm inward, thumb forward.
#[derive(Clone, Copy)]
struct Arm {
    /// Forward and up; 90 is straight ahead, 180 overhead.
    swing: Channel,
    /// Out to the side; negative is across the chest.
    spread: Channel,
    /// About the upper arm, inward.
    twist: Channel,
    /// Bends the elbow.
    elbow: Channel,
    /// About the forearm, thumb inward.
    roll: Channel,
    /// Tips the hand so that what it holds goes back towards the elbow; negative forward in line with the forearm.
    wrist: Channel,
    /// Bends the palm inward.
    flex: Channel,
}

/// A leg, by where its foot is; the knee follows.
#[derive(Clone, Copy)]
struct Leg {
    /// Outward from the body's middle.
    x: Channel,
    /// Forward of the body.
    y: Channel,
    /// Above the ground: the ball if the heel is up, the heel if the toes are up.
    lift: Channel,
    /// Toes up about the heel; negative is heel up about the ball.
    pitch: Channel,
    /// Toes outward.
    yaw: Channel,
    /// Knee outward.
    splay: Channel,
}

const fn trunk_channels(first: usize) -> Trunk {
    Trunk { pitch: Channel(first), roll: Channel(first + 1), yaw: Channel(first + 2) }
}

const fn arm_channels(first: usize) -> Arm {
    Arm {
        swing: Channel(first),
        spread: Channel(first + 1),
        twist: Channel(first + 2),
        elbow: Channel(first + 3),
        roll: Channel(first + 4),
        wrist: Channel(first + 5),
        flex: Channel(first + 6),
    }
}

const fn leg_channels(first: usize) -> Leg {
    Leg {
        x: Channel(first),
        y: Channel(first + 1),
        lift: Channel(first + 2),
        pitch: Channel(first + 3),
        yaw: Channel(first + 4),
        splay: Channel(first + 5),
    }
}

/// Height of the hips in a straight stand, knees a little bent.
const HIP_HEIGHT: f32 = 0.955;
const HIP: f32 = 0.095;
const TO_WAIST: Vec3 = Vec3::new(0.0, 0.0, 0.11);
const TO_CHEST: Vec3 = Vec3::new(0.0, 0.0, 0.14);
const TO_NECK: Vec3 = Vec3::new(0.0, -0.005, 0.29);
const TO_HEAD: Vec3 = Vec3::new(0.0, 0.012, 0.085);
const SHOULDER: Vec3 = Vec3::new(0.195, 0.0, 0.235);
const UPPER_ARM: f32 = 0.29;
const FOREARM: f32 = 0.26;
const THIGH: f32 = 0.45;
const SHIN: f32 = 0.44;
/// From the ankle, in the foot's own axes: down to the sole, back to the heel, forward to the ball.
const ANKLE: f32 = 0.08;
const HEEL: f32 = -0.06;
const BALL: f32 = 0.12;

/// The parts, in the order of the setup; the left ones follow the right ones.
mod part {
    pub(super) const PELVIS: usize = 0;
    pub(super) const WAIST: usize = 1;
    pub(super) const CHEST: usize = 2;
    pub(super) const NECK: usize = 3;
    pub(super) const HEAD: usize = 4;
    /// Upper arm, forearm, hand.
    pub(super) const RIGHT_ARM: usize = 5;
    pub(super) const LEFT_ARM: usize = 8;
    pub(super) const RIGHT_HAND: usize = RIGHT_ARM + 2;
    pub(super) const LEFT_FOREARM: usize = LEFT_ARM + 1;
    pub(super) const LEFT_HAND: usize = LEFT_ARM + 2;
    /// Thigh, shin, foot, toes.
    pub(super) const RIGHT_LEG: usize = 11;
    pub(super) const LEFT_LEG: usize = 15;
    pub(super) const RIGHT_FOOT: usize = RIGHT_LEG + 2;
    pub(super) const COUNT: usize = 19;
}

/// All parts of a pose, relative to the body.
fn solve(pose: &HumanPose) -> Vec<Frame> {
    let turn = |piece: Trunk, share: f32| {
        trunk(pose[piece.pitch] * share, pose[piece.roll] * share, pose[piece.yaw] * share)
    };
    let root = Vec3::new(pose[ROOT.x], pose[ROOT.y], HIP_HEIGHT + pose[ROOT.z]);
    let pelvis = joint(&Frame::from_origin(root), Vec3::ZERO, turn(PELVIS, 1.0));
    let waist = joint(&pelvis, TO_WAIST, turn(WAIST, 1.0));
    let chest = joint(&waist, TO_CHEST, turn(CHEST, 1.0));
    let neck = joint(&chest, TO_NECK, turn(HEAD, 0.4));
    let head = joint(&neck, TO_HEAD, turn(HEAD, 0.6));
    let mut parts = Vec::with_capacity(part::COUNT);
    parts.extend([pelvis, waist, chest, neck, head]);
    for (arm, side) in ARMS.iter().zip(SIDES) {
        parts.extend(solve_arm(pose, *arm, side, &chest));
    }
    for (leg, side) in LEGS.iter().zip(SIDES) {
        parts.extend(solve_leg(pose, *leg, side, &pelvis));
    }
    parts
}

fn solve_arm(pose: &HumanPose, arm: Arm, side: f32, chest: &Frame) -> [Frame; 3] {
    let shoulder =
        about_x(pose[arm.swing]) * about_y(-side * pose[arm.spread]) * about_z(side * pose[arm.twist]);
    let socket = Vec3::new(side * SHOULDER.x, SHOULDER.y, SHOULDER.z);
    let upper = joint(chest, socket, shoulder);
    let fore = joint(&upper, Vec3::new(0.0, 0.0, -UPPER_ARM), about_x(pose[arm.elbow]));
    let wrist = about_z(side * pose[arm.roll]) * about_x(pose[arm.wrist]) * about_y(side * pose[arm.flex]);
    let hand = joint(&fore, Vec3::new(0.0, 0.0, -FOREARM), wrist);
    [upper, fore, hand]
}

fn solve_leg(pose: &HumanPose, leg: Leg, side: f32, pelvis: &Frame) -> [Frame; 4] {
    const LEG: Limb = Limb { upper: THIGH, lower: SHIN, forward: true };
    let pitch = pose[leg.pitch];
    let heading = about_z(-side * pose[leg.yaw]);
    let sole = Frame::new(Vec3::new(side * pose[leg.x], pose[leg.y], pose[leg.lift].max(0.0)), heading);
    let pivot = Vec3::new(0.0, if pitch > 0.0 { HEEL } else { BALL }, 0.0);
    let tilt = about_x(pitch);
    let from_pivot = |point: Vec3| pivot + turned(tilt, point - pivot);
    let foot = joint(&sole, from_pivot(Vec3::new(0.0, 0.0, ANKLE)), tilt);
    let hip = pelvis.local_to_global(Vec3::new(side * HIP, 0.0, 0.0));
    let right = pelvis.local_to_global_vec(turned(about_z(-side * pose[leg.splay]), X));
    let [thigh, shin] = LEG.reach(hip, foot.origin, right);
    // On the ground the toes stay flat while the heel rises; in the air they straighten.
    let grip = 1.0 - (pose[leg.lift] / 0.12).clamp(0.0, 1.0);
    let bend = if pitch < 0.0 { (-pitch).min(70.0) * grip } else { 0.0 };
    let toes = joint(&foot, Vec3::new(0.0, BALL, -ANKLE), about_x(bend));
    [thigh, shin, foot, toes]
}

/// An animation of these poses.
fn clip(poses: impl IntoIterator<Item = HumanPose>) -> Clip {
    Clip::new(poses.into_iter().map(|pose| solve(&pose)))
}

/// Puts the humanoid on the shelf: meshes, setup, animations and motion table.
pub(super) fn build(shelf: &mut Shelf) {
    body::build(shelf, &stance::NON_COMBAT.ready());
    let mut table = TableBuilder::new(super::HUMAN_TABLE, stance::NON_COMBAT.style);
    for stance in &stance::ALL {
        shelf.open(stance.first_animation);
        table.style(stance.style, acmotion_types::MotionCommand::READY);
        gait::build(shelf, &mut table, stance);
        travel::build(shelf, &mut table, stance);
        states::build(shelf, &mut table, stance);
    }
    stance::build_changes(shelf, &mut table);
    states::build_rests(shelf, &mut table);
    emotes::build(shelf, &mut table);
    blows::build(shelf, &mut table);
    spells::build(shelf, &mut table);
    gait::build_modifiers(&mut table);
    shelf.put(&table.build());
}
