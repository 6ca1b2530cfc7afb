//! The humanoid: its skeleton, and the conversion of a pose to part frames.

mod attacks;
mod body;
mod emotes;
mod gait;
mod shots;
mod spells;
mod stance;
mod states;
mod travel;

use acmotion_types::{Frame, Vec3};

use super::clip::{Clip, DatasetBuilder};
use super::pose::{Channel, Keyframes, Pose};
use super::rig::{Limb, X, about_x, about_y, about_z, joint, rotated, trunk_rotation};
use super::table::TableBuilder;

/// The number of channels in a pose.
const CHANNELS: usize = 41;
type HumanPose = Pose<CHANNELS>;
type HumanKeyframes = Keyframes<CHANNELS>;

/// The offset of the pelvis from its position in a straight stand: right, forward, up.
const ROOT: RootChannels = RootChannels { x: Channel(0), y: Channel(1), z: Channel(2) };
const PELVIS: TrunkChannels = trunk_channels(3);
const WAIST: TrunkChannels = trunk_channels(6);
const CHEST: TrunkChannels = trunk_channels(9);
/// The bend of the head, shared between neck and head.
const HEAD: TrunkChannels = trunk_channels(12);
const RIGHT_ARM: ArmChannels = arm_channels(15);
const LEFT_ARM: ArmChannels = arm_channels(22);
const RIGHT_LEG: LegChannels = leg_channels(29);
const LEFT_LEG: LegChannels = leg_channels(35);
const ARMS: [ArmChannels; 2] = [RIGHT_ARM, LEFT_ARM];
const LEGS: [LegChannels; 2] = [RIGHT_LEG, LEFT_LEG];
/// +1 for the right side, −1 for the left, in the order of [`ARMS`] and [`LEGS`].
const SIDES: [f32; 2] = [1.0, -1.0];

/// The channels of the pelvis's offset: right, forward, up.
#[derive(Clone, Copy)]
struct RootChannels {
    x: Channel,
    y: Channel,
    z: Channel,
}

/// The channels of a trunk part: bent forward, leant right, turned left.
#[derive(Clone, Copy)]
struct TrunkChannels {
    pitch: Channel,
    roll: Channel,
    yaw: Channel,
}

/// The channels of an arm. With all angles 0 it hangs down, palm inward, thumb forward.
#[derive(Clone, Copy)]
struct ArmChannels {
    /// Forward and up; 90 is straight ahead, 180 overhead.
    swing: Channel,
    /// Outward to the side; negative is across the chest.
    spread: Channel,
    /// Rotation about the upper arm, inward.
    twist: Channel,
    /// The bend of the elbow.
    elbow: Channel,
    /// Rotation about the forearm, thumb inward.
    roll: Channel,
    /// Tilt of the hand: positive tips a held object back towards the elbow, negative forward in line with the
    /// forearm.
    wrist: Channel,
    /// The bend of the palm, inward.
    flex: Channel,
}

/// The channels of a leg: the position of its foot. The knee follows.
#[derive(Clone, Copy)]
struct LegChannels {
    /// Outward from the middle of the body.
    x: Channel,
    /// Forward of the body.
    y: Channel,
    /// Height above the ground: of the ball if the heel is up, of the heel if the toes are up.
    lift: Channel,
    /// Tilt: positive raises the toes about the heel, negative raises the heel about the ball.
    pitch: Channel,
    /// Toes outward.
    yaw: Channel,
    /// Knee outward.
    splay: Channel,
}

const fn trunk_channels(first: usize) -> TrunkChannels {
    TrunkChannels { pitch: Channel(first), roll: Channel(first + 1), yaw: Channel(first + 2) }
}

const fn arm_channels(first: usize) -> ArmChannels {
    ArmChannels {
        swing: Channel(first),
        spread: Channel(first + 1),
        twist: Channel(first + 2),
        elbow: Channel(first + 3),
        roll: Channel(first + 4),
        wrist: Channel(first + 5),
        flex: Channel(first + 6),
    }
}

const fn leg_channels(first: usize) -> LegChannels {
    LegChannels {
        x: Channel(first),
        y: Channel(first + 1),
        lift: Channel(first + 2),
        pitch: Channel(first + 3),
        yaw: Channel(first + 4),
        splay: Channel(first + 5),
    }
}

/// The height of the hips in a straight stand, knees slightly bent, in metres.
const HIP_HEIGHT: f32 = 0.955;
const HIP_OFFSET: f32 = 0.095;
const TO_WAIST: Vec3 = Vec3::new(0.0, 0.0, 0.11);
const TO_CHEST: Vec3 = Vec3::new(0.0, 0.0, 0.14);
const TO_NECK: Vec3 = Vec3::new(0.0, -0.005, 0.29);
const TO_HEAD: Vec3 = Vec3::new(0.0, 0.012, 0.085);
const SHOULDER: Vec3 = Vec3::new(0.195, 0.0, 0.235);
const UPPER_ARM: f32 = 0.29;
const FOREARM: f32 = 0.26;
const THIGH: f32 = 0.45;
const SHIN: f32 = 0.44;
/// Distances from the ankle in the foot's axes: down to the sole, back to the heel, forward to the ball.
const ANKLE_HEIGHT: f32 = 0.08;
const HEEL_Y: f32 = -0.06;
const BALL_Y: f32 = 0.12;

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

/// Returns the frames of all parts, relative to the body.
fn solve(pose: &HumanPose) -> Vec<Frame> {
    let turn = |piece: TrunkChannels, share: f32| {
        trunk_rotation(pose[piece.pitch] * share, pose[piece.roll] * share, pose[piece.yaw] * share)
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

fn solve_arm(pose: &HumanPose, arm: ArmChannels, side: f32, chest: &Frame) -> [Frame; 3] {
    let shoulder =
        about_x(pose[arm.swing]) * about_y(-side * pose[arm.spread]) * about_z(side * pose[arm.twist]);
    let socket = Vec3::new(side * SHOULDER.x, SHOULDER.y, SHOULDER.z);
    let upper = joint(chest, socket, shoulder);
    let fore = joint(&upper, Vec3::new(0.0, 0.0, -UPPER_ARM), about_x(pose[arm.elbow]));
    let wrist = about_z(side * pose[arm.roll]) * about_x(pose[arm.wrist]) * about_y(side * pose[arm.flex]);
    let hand = joint(&fore, Vec3::new(0.0, 0.0, -FOREARM), wrist);
    [upper, fore, hand]
}

fn solve_leg(pose: &HumanPose, leg: LegChannels, side: f32, pelvis: &Frame) -> [Frame; 4] {
    const LEG: Limb = Limb { upper: THIGH, lower: SHIN, bends_forward: true };
    let pitch = pose[leg.pitch];
    let heading = about_z(-side * pose[leg.yaw]);
    let sole = Frame::new(Vec3::new(side * pose[leg.x], pose[leg.y], pose[leg.lift].max(0.0)), heading);
    let pivot = Vec3::new(0.0, if pitch > 0.0 { HEEL_Y } else { BALL_Y }, 0.0);
    let tilt = about_x(pitch);
    let from_pivot = |point: Vec3| pivot + rotated(tilt, point - pivot);
    let foot = joint(&sole, from_pivot(Vec3::new(0.0, 0.0, ANKLE_HEIGHT)), tilt);
    let hip = pelvis.local_to_global(Vec3::new(side * HIP_OFFSET, 0.0, 0.0));
    let right = pelvis.local_to_global_vec(rotated(about_z(-side * pose[leg.splay]), X));
    let [thigh, shin] = LEG.reach(hip, foot.origin, right);
    // On the ground, the toes stay flat while the heel rises. In the air, they straighten.
    let grip = 1.0 - (pose[leg.lift] / 0.12).clamp(0.0, 1.0);
    let bend = if pitch < 0.0 { (-pitch).min(70.0) * grip } else { 0.0 };
    let toes = joint(&foot, Vec3::new(0.0, BALL_Y, -ANKLE_HEIGHT), about_x(bend));
    [thigh, shin, foot, toes]
}

/// Creates a clip from poses.
fn clip(poses: impl IntoIterator<Item = HumanPose>) -> Clip {
    Clip::new(poses.into_iter().map(|pose| solve(&pose)))
}

/// Adds the humanoid to the dataset: meshes, setup, animations and motion table.
pub(super) fn build(dataset: &mut DatasetBuilder) {
    body::build(dataset, &stance::NON_COMBAT.ready());
    let mut table = TableBuilder::new(super::HUMAN_TABLE, stance::NON_COMBAT.style);
    for stance in &stance::ALL {
        dataset.start_animation_ids(stance.first_animation);
        table.style(stance.style, acmotion_types::MotionCommand::READY);
        gait::build(dataset, &mut table, stance);
        travel::build(dataset, &mut table, stance);
        states::build(dataset, &mut table, stance);
    }
    stance::build_changes(dataset, &mut table);
    states::build_rests(dataset, &mut table);
    emotes::build(dataset, &mut table);
    attacks::build(dataset, &mut table);
    spells::build(dataset, &mut table);
    shots::build(dataset, &mut table);
    gait::build_modifiers(&mut table);
    dataset.add(&table.build());
}
