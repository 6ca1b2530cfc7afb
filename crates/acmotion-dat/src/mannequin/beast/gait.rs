//! How the creature moves: a walk of four beats, a gallop, a turn on the spot.

use acmotion_types::Vec3;

use super::super::clip::Clip;
use super::super::curve::{curve, hermite, mix, smooth, wave, wave_cos};
use super::super::{FRAMES_A_SECOND, sounds};
use super::{BeastPose, CHEST, FORE, HEAD, HIND, LEGS, NECK, ROOT, RUMP, SIDES, TAIL, clip};

/// A gait by its figures. Lengths are in metres, angles in degrees.
pub(super) struct Gait {
    /// Frames of a loop.
    frames: f32,
    /// How far each frame carries the body.
    share: f32,
    /// How many frames a paw stays on the ground.
    stance: f32,
    /// When each paw comes down, in loops: right and left fore, right and left hind.
    contacts: [f32; 4],
    /// How far ahead of its rest a paw comes down: fore, hind.
    reach: [f32; 2],
    /// How high a paw swings: fore, hind.
    lift: [f32; 2],
    /// What the trunk does at a time of the loop, added to the stand.
    trunk: fn(BeastPose, f32) -> BeastPose,
}

/// A walk: each hind paw a quarter of a loop before the fore paw of its side.
pub(super) static WALK: Gait = Gait {
    frames: 24.0,
    share: 0.045,
    stance: 15.0,
    contacts: [0.75, 0.25, 0.5, 0.0],
    reach: [0.31, 0.31],
    lift: [0.11, 0.09],
    trunk: walking,
};

/// A gallop: the hind paws, a long leap, the fore paws, and all legs gathered in the air.
pub(super) static RUN: Gait = Gait {
    frames: 16.0,
    share: 0.2,
    stance: 3.5,
    contacts: [0.5625, 0.4375, 0.125, 0.0],
    reach: [0.34, 0.36],
    lift: [0.24, 0.2],
    trunk: galloping,
};

fn walking(pose: BeastPose, time: f32) -> BeastPose {
    pose.plus(&[
        (ROOT[0], 0.012 * wave(time + 0.6)),
        (ROOT[2], -0.045 + 0.008 * wave_cos(2.0 * time)),
        (RUMP[1], 2.0 * wave(time + 0.1)),
        (RUMP[2], 3.0 * wave(time + 0.35)),
        (CHEST[1], -2.0 * wave(time + 0.1)),
        (CHEST[2], -5.0 * wave(time + 0.35)),
        (NECK[0], 8.0 + 3.0 * wave(2.0 * time)),
        (NECK[2], 2.0 * wave(time + 0.35)),
        (HEAD[0], -8.0 - 2.0 * wave(2.0 * time)),
        (TAIL[1], 8.0 * wave(time)),
    ])
}

fn galloping(pose: BeastPose, time: f32) -> BeastPose {
    // The hind legs push at 0.1, the fore legs at 0.55; in between the back is straight, behind it is bent.
    let rock = wave_cos(time - 0.2);
    let gather = wave_cos(time - 0.88);
    pose.plus(&[
        (ROOT[1], -0.02 + 0.04 * gather),
        (ROOT[2], -0.09 - 0.03 * wave_cos(time - 0.12)),
        (RUMP[0], -6.0 * rock - 7.0 * gather),
        (CHEST[0], 14.0 * gather - 2.0),
        (NECK[0], 24.0 - 6.0 * gather + 5.0 * rock),
        (HEAD[0], -22.0 - 3.0 * gather),
        (TAIL[0], 36.0 - 14.0 * gather),
    ])
}

/// A paw: forward of its rest, above the ground, tilted.
type Paw = [f32; 3];

impl Gait {
    fn paw(&self, phase: f32, is_hind: bool) -> Paw {
        let build = usize::from(is_hind);
        let stride = self.share * self.frames;
        let stance = self.stance / self.frames;
        let (first, last) = (self.reach[build], self.reach[build] - stride * stance);
        let tilt = |y: f32| -46.0 * smooth((-0.08 - y) / 0.36);
        if phase <= stance {
            let y = first - stride * phase;
            return [y, 0.0, tilt(y)];
        }
        let time = (phase - stance) / (1.0 - stance);
        let slope = -0.2 * stride * (1.0 - stance);
        let lift = [(0.0, 0.0), (0.08, 0.25), (0.4, 1.0), (0.75, 0.5), (0.93, 0.12), (1.0, 0.0)];
        let lift = self.lift[build] * curve(&lift, time);
        let pitch = [(0.0, tilt(last)), (0.3, -84.0), (0.75, -14.0), (1.0, 0.0)];
        [hermite(last, first, [slope, slope], time), lift, curve(&pitch, time)]
    }

    /// The pose at a frame, which need not be one of the loop.
    pub(super) fn pose(&self, frame: f32, stand: BeastPose) -> BeastPose {
        let time = frame / self.frames;
        let mut pose = (self.trunk)(stand, time);
        for (at, (leg, contact)) in LEGS.into_iter().zip(self.contacts).enumerate() {
            let phase = time - contact;
            let [y, lift, pitch] = self.paw(phase - phase.floor(), at >= 2);
            pose = pose.with(&[(leg.x, 0.08), (leg.y, y), (leg.lift, lift), (leg.pitch, pitch)]);
        }
        pose
    }

    /// The loop, with its root motion and the sound of the paws.
    pub(super) fn clip(&self, stand: BeastPose) -> Clip {
        let frames = self.frames as usize;
        let mut cycle = clip((0..frames).map(|frame| self.pose(frame as f32, stand)))
            .carried((0..frames).map(|_| Vec3::new(0.0, self.share, 0.0)));
        for contact in self.contacts {
            // Not on the ends of the loop, whose hooks never fire in one direction (rule H12).
            let lands = ((contact * self.frames) as usize).clamp(1, frames - 2);
            let leaves = ((contact * self.frames + self.stance) as usize % frames).clamp(1, frames - 2);
            cycle = cycle.footstep(lands, leaves, sounds::PAW);
        }
        cycle
    }
}

/// A turn to the right, radians a second.
pub(super) const TURN: Vec3 = Vec3::new(0.0, 0.0, -1.5);
pub(super) const TURN_FRAMES: usize = 20;
/// How many frames of it a paw stands.
const TURN_STANCE: f32 = 13.0;

/// `TurnRight`: crosswise pairs of legs in turn; a paw that stands turns left under the body.
pub(super) fn turn_pose(frame: f32, stand: BeastPose) -> BeastPose {
    let frames = TURN_FRAMES as f32;
    let share = -TURN.z.to_degrees() / FRAMES_A_SECOND;
    let time = frame / frames;
    let mut pose = stand.plus(&[
        (ROOT[2], -0.015 + 0.006 * wave_cos(2.0 * time)),
        (CHEST[2], 3.0 * wave(time)),
        (NECK[2], 3.0 * wave(time)),
        (TAIL[1], 6.0 * wave(time + 0.3)),
    ]);
    for (at, (leg, side)) in LEGS.into_iter().zip(SIDES).enumerate() {
        let offset = if at == 0 || at == 3 { 0.0 } else { 0.5 };
        let phase = time + offset + 0.5 * TURN_STANCE / frames;
        let stood = (phase - phase.floor()) * frames;
        let edge = 0.5 * TURN_STANCE * share;
        let swung = (stood - TURN_STANCE) / (frames - TURN_STANCE);
        let (angle, lift) = if swung <= 0.0 {
            (share * stood - edge, 0.0)
        } else {
            (mix(edge, -edge, smooth(swung)), 0.07 * wave(0.5 * swung))
        };
        let rest = if at < 2 { FORE.rest } else { HIND.rest };
        let (sin, cos) = libm::sincosf(angle.to_radians());
        let (x, y) = (side * stand[leg.x], rest + stand[leg.y]);
        pose = pose.with(&[
            (leg.x, side * (cos * x - sin * y)),
            (leg.y, sin * x + cos * y - rest),
            (leg.lift, lift),
            (leg.yaw, angle),
        ]);
    }
    pose
}
