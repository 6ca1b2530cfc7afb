//! The gaits of the creature: a four-beat walk, a gallop and a turn in place.

use acmotion_types::Vec3;

use super::super::clip::Clip;
use super::super::curve::{cos_turns, hermite, lerp, sample, sin_turns, smoothstep};
use super::super::{FRAME_RATE, sounds};
use super::{BeastPose, CHEST, FORE, HEAD, HIND, LEGS, NECK, ROOT, RUMP, SIDES, TAIL, clip};

/// The parameters of a gait. Lengths are in metres, angles in degrees.
pub(super) struct BeastGait {
    /// The number of frames in the loop.
    frames: f32,
    /// The distance that each frame moves the body.
    advance: f32,
    /// The number of frames that a paw stays on the ground.
    stance: f32,
    /// The time at which each paw comes down, as a fraction of the loop: right and left fore, right and left hind.
    contacts: [f32; 4],
    /// The distance ahead of its rest position at which a paw comes down: fore, hind.
    reach: [f32; 2],
    /// The height to which a paw swings: fore, hind.
    lift: [f32; 2],
    /// Adds the movement of the trunk at a time of the loop to a pose.
    trunk: fn(BeastPose, f32) -> BeastPose,
}

/// A walk: each hind paw comes down a quarter of a loop before the forepaw on the same side.
pub(super) static WALK: BeastGait = BeastGait {
    frames: 24.0,
    advance: 0.045,
    stance: 15.0,
    contacts: [0.75, 0.25, 0.5, 0.0],
    reach: [0.31, 0.31],
    lift: [0.11, 0.09],
    trunk: walking,
};

/// A gallop: the hind paws push off, a long leap, the forepaws land, and all legs gather in the air.
pub(super) static RUN: BeastGait = BeastGait {
    frames: 16.0,
    advance: 0.2,
    stance: 3.5,
    contacts: [0.5625, 0.4375, 0.125, 0.0],
    reach: [0.34, 0.36],
    lift: [0.24, 0.2],
    trunk: galloping,
};

fn walking(pose: BeastPose, time: f32) -> BeastPose {
    pose.plus(&[
        (ROOT[0], 0.012 * sin_turns(time + 0.6)),
        (ROOT[2], -0.045 + 0.008 * cos_turns(2.0 * time)),
        (RUMP[1], 2.0 * sin_turns(time + 0.1)),
        (RUMP[2], 3.0 * sin_turns(time + 0.35)),
        (CHEST[1], -2.0 * sin_turns(time + 0.1)),
        (CHEST[2], -5.0 * sin_turns(time + 0.35)),
        (NECK[0], 8.0 + 3.0 * sin_turns(2.0 * time)),
        (NECK[2], 2.0 * sin_turns(time + 0.35)),
        (HEAD[0], -8.0 - 2.0 * sin_turns(2.0 * time)),
        (TAIL[1], 8.0 * sin_turns(time)),
    ])
}

fn galloping(pose: BeastPose, time: f32) -> BeastPose {
    // The hind legs push at 0.1 and the forelegs at 0.55. The back is straight between the two and bent afterwards.
    let rock = cos_turns(time - 0.2);
    let gather = cos_turns(time - 0.88);
    pose.plus(&[
        (ROOT[1], -0.02 + 0.04 * gather),
        (ROOT[2], -0.09 - 0.03 * cos_turns(time - 0.12)),
        (RUMP[0], -6.0 * rock - 7.0 * gather),
        (CHEST[0], 14.0 * gather - 2.0),
        (NECK[0], 24.0 - 6.0 * gather + 5.0 * rock),
        (HEAD[0], -22.0 - 3.0 * gather),
        (TAIL[0], 36.0 - 14.0 * gather),
    ])
}

/// The position of a paw: forward of its rest position, height above the ground, tilt.
type Paw = [f32; 3];

impl BeastGait {
    fn paw(&self, phase: f32, is_hind: bool) -> Paw {
        let pair = usize::from(is_hind);
        let stride = self.advance * self.frames;
        let stance = self.stance / self.frames;
        let (first, last) = (self.reach[pair], self.reach[pair] - stride * stance);
        let tilt = |y: f32| -46.0 * smoothstep((-0.08 - y) / 0.36);
        if phase <= stance {
            let y = first - stride * phase;
            return [y, 0.0, tilt(y)];
        }
        let time = (phase - stance) / (1.0 - stance);
        let slope = -0.2 * stride * (1.0 - stance);
        let lift = [(0.0, 0.0), (0.08, 0.25), (0.4, 1.0), (0.75, 0.5), (0.93, 0.12), (1.0, 0.0)];
        let lift = self.lift[pair] * sample(&lift, time);
        let pitch = [(0.0, tilt(last)), (0.3, -84.0), (0.75, -14.0), (1.0, 0.0)];
        [hermite(last, first, [slope, slope], time), lift, sample(&pitch, time)]
    }

    /// Returns the pose at a frame, which may lie outside the loop.
    pub(super) fn pose(&self, frame: f32, stand: BeastPose) -> BeastPose {
        let time = frame / self.frames;
        let mut pose = (self.trunk)(stand, time);
        for (index, (leg, contact)) in LEGS.into_iter().zip(self.contacts).enumerate() {
            let phase = time - contact;
            let [y, lift, pitch] = self.paw(phase - phase.floor(), index >= 2);
            pose = pose.with(&[(leg.x, 0.08), (leg.y, y), (leg.lift, lift), (leg.pitch, pitch)]);
        }
        pose
    }

    /// Returns the loop with its root motion and footsteps.
    pub(super) fn clip(&self, stand: BeastPose) -> Clip {
        let frames = self.frames as usize;
        let mut cycle = clip((0..frames).map(|frame| self.pose(frame as f32, stand)))
            .with_root_motion((0..frames).map(|_| Vec3::new(0.0, self.advance, 0.0)));
        for contact in self.contacts {
            // Hooks on the first and last frame of a loop never fire in one of the directions (rule H12).
            let lands = ((contact * self.frames) as usize).clamp(1, frames - 2);
            let leaves = ((contact * self.frames + self.stance) as usize % frames).clamp(1, frames - 2);
            cycle = cycle.with_footstep(lands, leaves, sounds::PAW);
        }
        cycle
    }
}

/// The angular velocity of a turn to the right, in radians a second.
pub(super) const TURN_OMEGA: Vec3 = Vec3::new(0.0, 0.0, -1.5);
pub(super) const TURN_FRAMES: usize = 20;
/// The number of frames of the turn that a paw stays on the ground.
const TURN_STANCE: f32 = 13.0;

/// Returns a pose of `TurnRight`. Diagonal pairs of legs step alternately; a paw on the ground turns left under the
/// body.
pub(super) fn turn_pose(frame: f32, stand: BeastPose) -> BeastPose {
    let frames = TURN_FRAMES as f32;
    let turn_per_frame = -TURN_OMEGA.z.to_degrees() / FRAME_RATE;
    let time = frame / frames;
    let mut pose = stand.plus(&[
        (ROOT[2], -0.015 + 0.006 * cos_turns(2.0 * time)),
        (CHEST[2], 3.0 * sin_turns(time)),
        (NECK[2], 3.0 * sin_turns(time)),
        (TAIL[1], 6.0 * sin_turns(time + 0.3)),
    ]);
    for (index, (leg, side)) in LEGS.into_iter().zip(SIDES).enumerate() {
        let offset = if index == 0 || index == 3 { 0.0 } else { 0.5 };
        let phase = time + offset + 0.5 * TURN_STANCE / frames;
        let stood = (phase - phase.floor()) * frames;
        let edge = 0.5 * TURN_STANCE * turn_per_frame;
        let swung = (stood - TURN_STANCE) / (frames - TURN_STANCE);
        let (angle, lift) = if swung <= 0.0 {
            (turn_per_frame * stood - edge, 0.0)
        } else {
            (lerp(edge, -edge, smoothstep(swung)), 0.07 * sin_turns(0.5 * swung))
        };
        let rest = if index < 2 { FORE.rest_y } else { HIND.rest_y };
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
