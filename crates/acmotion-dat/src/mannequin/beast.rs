//! The four-legged creature: its skeleton, and the conversion of a pose to part frames.

mod body;
mod gait;
mod motions;

use acmotion_types::{Frame, Vec3};

use super::clip::{Clip, DatasetBuilder};
use super::pose::{Channel, Keyframes, Pose};
use super::rig::{Limb, X, about_x, about_y, about_z, joint, rotated, trunk_rotation};

/// The number of channels in a pose.
const CHANNELS: usize = 41;
type BeastPose = Pose<CHANNELS>;
type BeastKeyframes = Keyframes<CHANNELS>;

/// The offset of the rump from [`RUMP_ORIGIN`]: right, forward, up.
const ROOT: [Channel; 3] = [Channel(0), Channel(1), Channel(2)];
/// The parts of the trunk: bent down, leant right, turned left.
const RUMP: [Channel; 3] = [Channel(3), Channel(4), Channel(5)];
const CHEST: [Channel; 3] = [Channel(6), Channel(7), Channel(8)];
const NECK: [Channel; 3] = [Channel(9), Channel(10), Channel(11)];
const HEAD: [Channel; 3] = [Channel(12), Channel(13), Channel(14)];
/// The angle by which the jaw is open.
const JAW: Channel = Channel(15);
/// The angles by which the tail is raised, and turned left.
const TAIL: [Channel; 2] = [Channel(16), Channel(17)];
/// The whole body including the feet: tipped over to the right, then shifted right and up.
const TIPPED: [Channel; 3] = [Channel(18), Channel(19), Channel(20)];
/// The legs, in the order of the setup: right and left foreleg, right and left hind leg.
const LEGS: [LegChannels; 4] = [leg_channels(21), leg_channels(26), leg_channels(31), leg_channels(36)];
/// +1 for the right side, −1 for the left.
const SIDES: [f32; 4] = [1.0, -1.0, 1.0, -1.0];

/// The channels of a leg: the position of its paw. The joints follow.
#[derive(Clone, Copy)]
struct LegChannels {
    /// Outward from the middle of the body.
    x: Channel,
    /// Forward of the paw's rest position.
    y: Channel,
    /// Above the ground.
    lift: Channel,
    /// Tilt; negative raises the heel.
    pitch: Channel,
    /// Turned left.
    yaw: Channel,
}

const fn leg_channels(first: usize) -> LegChannels {
    LegChannels {
        x: Channel(first),
        y: Channel(first + 1),
        lift: Channel(first + 2),
        pitch: Channel(first + 3),
        yaw: Channel(first + 4),
    }
}

/// The position of the rump in a straight stand, between the hips.
const RUMP_ORIGIN: Vec3 = Vec3::new(0.0, -0.32, 0.71);
const TO_CHEST: Vec3 = Vec3::new(0.0, 0.31, 0.01);
const TO_NECK: Vec3 = Vec3::new(0.0, 0.35, 0.06);
const TO_HEAD: Vec3 = Vec3::new(0.0, 0.27, 0.0);
const TO_JAW: Vec3 = Vec3::new(0.0, 0.09, -0.045);
const TO_TAIL: Vec3 = Vec3::new(0.0, -0.12, 0.07);

/// The dimensions of a pair of legs.
struct LegShape {
    limb: Limb,
    /// The joint of the right leg on the chest or the rump.
    socket: Vec3,
    /// The rest position of the paw, forward of the middle of the body.
    rest_y: f32,
    /// The offset from the middle of the paw's sole to the joint above.
    heel: Vec3,
}

const FORE: LegShape = LegShape {
    limb: Limb { upper: 0.31, lower: 0.33, bends_forward: false },
    socket: Vec3::new(0.1, 0.27, -0.05),
    rest_y: 0.3,
    heel: Vec3::new(0.0, -0.03, 0.1),
};
const HIND: LegShape = LegShape {
    limb: Limb { upper: 0.34, lower: 0.34, bends_forward: true },
    socket: Vec3::new(0.095, 0.0, -0.02),
    rest_y: -0.34,
    heel: Vec3::new(0.0, -0.08, 0.18),
};

/// The offset from the middle of a paw's sole to its toes, about which it tilts.
const TOES: Vec3 = Vec3::new(0.0, 0.055, 0.0);

/// The parts, in the order of the setup.
mod part {
    pub(super) const RUMP: u32 = 0;
    pub(super) const CHEST: u32 = 1;
    pub(super) const NECK: u32 = 2;
    pub(super) const HEAD: u32 = 3;
    /// Jaw and tail follow, then the legs.
    pub(super) const LEGS: u32 = 6;
    pub(super) const COUNT: usize = 18;
}

/// Returns the frames of all parts, relative to the body.
fn solve(pose: &BeastPose) -> Vec<Frame> {
    let turn = |[pitch, roll, yaw]: [Channel; 3]| trunk_rotation(pose[pitch], pose[roll], pose[yaw]);
    let [tip, aside, up] = TIPPED;
    let base = Frame::new(Vec3::new(pose[aside], 0.0, pose[up]), about_y(pose[tip]));
    let root = RUMP_ORIGIN + Vec3::new(pose[ROOT[0]], pose[ROOT[1]], pose[ROOT[2]]);
    let rump = joint(&base, root, turn(RUMP));
    let chest = joint(&rump, TO_CHEST, turn(CHEST));
    let neck = joint(&chest, TO_NECK, turn(NECK));
    let head = joint(&neck, TO_HEAD, turn(HEAD));
    let jaw = joint(&head, TO_JAW, trunk_rotation(pose[JAW], 0.0, 0.0));
    let tail = joint(&rump, TO_TAIL, trunk_rotation(pose[TAIL[0]], 0.0, pose[TAIL[1]]));
    let mut parts = Vec::with_capacity(part::COUNT);
    parts.extend([rump, chest, neck, head, jaw, tail]);
    for (index, (leg, side)) in LEGS.into_iter().zip(SIDES).enumerate() {
        let (shape, trunk) = if index < 2 { (&FORE, &chest) } else { (&HIND, &rump) };
        parts.extend(solve_leg(pose, leg, side, shape, trunk, &base));
    }
    parts
}

fn solve_leg(
    pose: &BeastPose,
    leg: LegChannels,
    side: f32,
    shape: &LegShape,
    trunk: &Frame,
    base: &Frame,
) -> [Frame; 3] {
    let origin = Vec3::new(side * pose[leg.x], shape.rest_y + pose[leg.y], pose[leg.lift].max(0.0));
    let sole = joint(base, origin, about_z(pose[leg.yaw]));
    let tilt = about_x(pose[leg.pitch]);
    let paw = joint(&sole, TOES + rotated(tilt, shape.heel - TOES), tilt);
    let socket = Vec3::new(side * shape.socket.x, shape.socket.y, shape.socket.z);
    let right = trunk.local_to_global_vec(X);
    let [upper, lower] = shape.limb.reach(trunk.local_to_global(socket), paw.origin, right);
    [upper, lower, paw]
}

/// Creates a clip from poses.
fn clip(poses: impl IntoIterator<Item = BeastPose>) -> Clip {
    Clip::new(poses.into_iter().map(|pose| solve(&pose)))
}

/// Returns the pose at ease: head up, tail down.
fn stand() -> BeastPose {
    let mut pose = Pose([0.0; CHANNELS]).with(&[
        (RUMP[0], 1.0),
        (CHEST[0], -1.0),
        (NECK[0], -44.0),
        (HEAD[0], 48.0),
        (JAW, 3.0),
        (TAIL[0], -40.0),
    ]);
    for leg in LEGS {
        pose = pose.with(&[(leg.x, 0.1)]);
    }
    pose
}

/// Returns the pose ready to bite: low in front, head forward, tail raised.
fn snarl() -> BeastPose {
    let pose = stand().with(&[
        (ROOT[1], -0.04),
        (ROOT[2], -0.07),
        (RUMP[0], 5.0),
        (NECK[0], -14.0),
        (HEAD[0], 8.0),
        (JAW, 16.0),
        (TAIL[0], -4.0),
    ]);
    pose.with(&[
        (LEGS[0].y, 0.04),
        (LEGS[1].y, -0.05),
        (LEGS[2].y, -0.06),
        (LEGS[3].y, 0.04),
        (LEGS[0].x, 0.12),
        (LEGS[1].x, 0.12),
        (LEGS[2].x, 0.13),
        (LEGS[3].x, 0.13),
    ])
}

/// Adds the creature to the dataset: meshes, setup, animations and motion table.
pub(super) fn build(dataset: &mut DatasetBuilder) {
    body::build(dataset, &stand());
    dataset.start_animation_ids(super::animations::BEAST);
    let table = motions::build(dataset);
    dataset.add(&table.build());
}
