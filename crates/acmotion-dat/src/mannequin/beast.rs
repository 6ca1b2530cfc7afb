//! The four-legged creature: its skeleton, and how a pose becomes part frames.

mod body;
mod gait;
mod motions;

use acmotion_types::{Frame, Vec3};

use super::clip::{Clip, Shelf};
use super::pose::{Channel, Keys, Pose};
use super::rig::{Limb, X, about_x, about_y, about_z, joint, trunk, turned};

/// How many numbers a pose has.
const CHANNELS: usize = 41;
type BeastPose = Pose<CHANNELS>;
type BeastKeys = Keys<CHANNELS>;

/// How far the rump is from where it is in a straight stand: right, forward, up.
const ROOT: [Channel; 3] = [Channel(0), Channel(1), Channel(2)];
/// Pieces of the trunk: bent down, leant right, turned left.
const RUMP: [Channel; 3] = [Channel(3), Channel(4), Channel(5)];
const CHEST: [Channel; 3] = [Channel(6), Channel(7), Channel(8)];
const NECK: [Channel; 3] = [Channel(9), Channel(10), Channel(11)];
const HEAD: [Channel; 3] = [Channel(12), Channel(13), Channel(14)];
/// How far the jaw is open.
const JAW: Channel = Channel(15);
/// How far the tail is raised, and turned left.
const TAIL: [Channel; 2] = [Channel(16), Channel(17)];
/// The whole body, feet and all, tipped over to the right, and then shifted right and up.
const TIPPED: [Channel; 3] = [Channel(18), Channel(19), Channel(20)];
/// The legs, in the order of the setup: right and left fore leg, right and left hind leg.
const LEGS: [Leg; 4] = [leg_channels(21), leg_channels(26), leg_channels(31), leg_channels(36)];
/// +1 for the right side, −1 for the left.
const SIDES: [f32; 4] = [1.0, -1.0, 1.0, -1.0];

/// A leg, by where its paw is.
#[derive(Clone, Copy)]
struct Leg {
    /// Outward from the body's middle.
    x: Channel,
    /// Forward of where the leg stands at rest.
    y: Channel,
    /// Above the ground.
    lift: Channel,
    /// Heel up if negative.
    pitch: Channel,
    /// Turned left.
    yaw: Channel,
}

const fn leg_channels(first: usize) -> Leg {
    Leg {
        x: Channel(first),
        y: Channel(first + 1),
        lift: Channel(first + 2),
        pitch: Channel(first + 3),
        yaw: Channel(first + 4),
    }
}

/// Where the rump is in a straight stand; its origin is between the hips.
const STAND: Vec3 = Vec3::new(0.0, -0.32, 0.71);
const TO_CHEST: Vec3 = Vec3::new(0.0, 0.31, 0.01);
const TO_NECK: Vec3 = Vec3::new(0.0, 0.35, 0.06);
const TO_HEAD: Vec3 = Vec3::new(0.0, 0.27, 0.0);
const TO_JAW: Vec3 = Vec3::new(0.0, 0.09, -0.045);
const TO_TAIL: Vec3 = Vec3::new(0.0, -0.12, 0.07);

/// What a pair of legs is like.
struct Build {
    limb: Limb,
    /// Where the right leg hangs, on the chest or the rump.
    socket: Vec3,
    /// Where its paw stands at rest, from the body's middle.
    rest: f32,
    /// From the middle of the paw's sole to the joint above.
    heel: Vec3,
}

const FORE: Build = Build {
    limb: Limb { upper: 0.31, lower: 0.33, forward: false },
    socket: Vec3::new(0.1, 0.27, -0.05),
    rest: 0.3,
    heel: Vec3::new(0.0, -0.03, 0.1),
};
const HIND: Build = Build {
    limb: Limb { upper: 0.34, lower: 0.34, forward: true },
    socket: Vec3::new(0.095, 0.0, -0.02),
    rest: -0.34,
    heel: Vec3::new(0.0, -0.08, 0.18),
};

/// From the middle of a paw's sole to its toes, about which it tilts.
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

/// All parts of a pose, relative to the body.
fn solve(pose: &BeastPose) -> Vec<Frame> {
    let turn = |[pitch, roll, yaw]: [Channel; 3]| trunk(pose[pitch], pose[roll], pose[yaw]);
    let [tip, aside, up] = TIPPED;
    let base = Frame::new(Vec3::new(pose[aside], 0.0, pose[up]), about_y(pose[tip]));
    let root = STAND + Vec3::new(pose[ROOT[0]], pose[ROOT[1]], pose[ROOT[2]]);
    let rump = joint(&base, root, turn(RUMP));
    let chest = joint(&rump, TO_CHEST, turn(CHEST));
    let neck = joint(&chest, TO_NECK, turn(NECK));
    let head = joint(&neck, TO_HEAD, turn(HEAD));
    let jaw = joint(&head, TO_JAW, trunk(pose[JAW], 0.0, 0.0));
    let tail = joint(&rump, TO_TAIL, trunk(pose[TAIL[0]], 0.0, pose[TAIL[1]]));
    let mut parts = Vec::with_capacity(part::COUNT);
    parts.extend([rump, chest, neck, head, jaw, tail]);
    for (at, (leg, side)) in LEGS.into_iter().zip(SIDES).enumerate() {
        let (build, trunk) = if at < 2 { (&FORE, &chest) } else { (&HIND, &rump) };
        parts.extend(solve_leg(pose, leg, side, build, trunk, &base));
    }
    parts
}

fn solve_leg(
    pose: &BeastPose,
    leg: Leg,
    side: f32,
    build: &Build,
    trunk: &Frame,
    base: &Frame,
) -> [Frame; 3] {
    let place = Vec3::new(side * pose[leg.x], build.rest + pose[leg.y], pose[leg.lift].max(0.0));
    let sole = joint(base, place, about_z(pose[leg.yaw]));
    let tilt = about_x(pose[leg.pitch]);
    let paw = joint(&sole, TOES + turned(tilt, build.heel - TOES), tilt);
    let socket = Vec3::new(side * build.socket.x, build.socket.y, build.socket.z);
    let right = trunk.local_to_global_vec(X);
    let [upper, lower] = build.limb.reach(trunk.local_to_global(socket), paw.origin, right);
    [upper, lower, paw]
}

/// An animation of these poses.
fn clip(poses: impl IntoIterator<Item = BeastPose>) -> Clip {
    Clip::new(poses.into_iter().map(|pose| solve(&pose)))
}

/// At ease: head up, tail down.
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

/// Ready to bite: low in front, head forward, hackles up.
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

/// Puts the creature on the shelf: meshes, setup, animations and motion table.
pub(super) fn build(shelf: &mut Shelf) {
    body::build(shelf, &stand());
    shelf.open(super::animations::BEAST);
    let table = motions::build(shelf);
    shelf.put(&table.build());
}
