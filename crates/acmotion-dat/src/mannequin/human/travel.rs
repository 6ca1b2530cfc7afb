//! The links between standing and moving: starting, stopping, changing pace, landing in motion.
//!
//! The first frame of a link is the pose that it leaves. Its last frame is the one before the first frame of the
//! cycle that it enters, so that the cycle continues from there. A position frame is applied when playback leaves its
//! frame, and the last one of a link is never applied in forward playback (rules H9, H11): it is zero, and the others
//! add up to the whole distance.

use acmotion_types::{MotionCommand, Vec3};

use super::super::clip::{Clip, DatasetBuilder};
use super::super::curve::{lerp, sample_by};
use super::super::table::TableBuilder;
use super::super::{FRAME_RATE, sounds};
use super::gait::{Foot, HumanGait, RUN, WALK, side_pose, sole_pitch, turn_pose};
use super::stance::{Stance, with_step};
use super::states::falling_pose;
use super::{
    Channel, HumanKeyframes, HumanPose, LEFT_LEG, LEGS, LegChannels, PELVIS, RIGHT_LEG, ROOT, WAIST, clip,
};
use crate::objects::{HookDirection, HookEffect};

/// Ready → `RunForward`: the number of frames and the distance in metres, as recorded.
const START_RUN: (usize, f32) = (12, 1.0330);
/// `RunForward` → Ready: the number of frames and the distance in metres. The distance is recorded; the number of
/// frames is not, but in a recording at 30 frames a second, a turn that began in this link was still in it half a
/// second later.
const STOP_RUN: (usize, f32) = (24, 0.788_44);
/// The number of frames of `RunForward` → Ready that move the body.
const BRAKING_FRAMES: usize = 14;

/// A link that moves the body forward.
struct MovingLink {
    /// The distance that each frame moves the body; zero for the last one.
    advances: Vec<f32>,
    /// The pose one frame before the link, and its first pose.
    from: [HumanPose; 2],
    /// The last pose of the link, and the one after it.
    to: [HumanPose; 2],
    /// The steps of the right and the left foot.
    steps: [Vec<FootStep>; 2],
    /// Additional keys: channel values added to the interpolated pose at a frame.
    leans: Vec<(f32, Vec<(Channel, f32)>)>,
}

/// A step: the frame on which the foot leaves the ground, the frame on which it comes down at its position in the
/// following cycle, and the height of its swing. A step that begins before the link starts in the air; one that ends
/// after it ends in the air.
#[derive(Clone, Copy)]
struct FootStep {
    up: f32,
    down: f32,
    lift: f32,
}

/// A frame before the link, and one after it.
const BEFORE: f32 = -1.0;
const AFTER: f32 = 1000.0;

const fn step(up: f32, down: f32, lift: f32) -> FootStep {
    FootStep { up, down, lift }
}

impl MovingLink {
    fn frames(&self) -> usize {
        self.advances.len()
    }

    /// Returns the distance that the body has moved at a frame, which may lie before or after the link.
    fn travelled(&self, frame: f32) -> f32 {
        let whole = frame.clamp(0.0, (self.frames() - 1) as f32);
        let done: f32 = self.advances.iter().take(whole as usize).sum();
        let rest = (whole - whole.floor()) * self.advances[whole as usize];
        // Before and after the link, the speed of the body follows from the feet on the ground.
        let drift = |poses: &[HumanPose; 2]| {
            let back = LEGS.map(|leg| poses[0][leg.y] - poses[1][leg.y]);
            back[0].max(back[1]).max(0.0)
        };
        let before = if frame < 0.0 { frame * drift(&self.from) } else { 0.0 };
        let after = (frame - whole).max(0.0) * drift(&self.to);
        done + rest + before + after
    }

    /// Returns the foot of a pose at a frame, relative to the ground at the start of the link.
    fn on_ground(&self, pose: &HumanPose, leg: LegChannels, frame: f32) -> Foot {
        let foot = Foot::from_pose(pose, leg);
        Foot { y: foot.y + self.travelled(frame), ..foot }
    }

    /// Returns the ground position on which a foot comes down: its position at the end of the link.
    fn landing(&self, leg: LegChannels) -> Foot {
        let last = (self.frames() - 1) as f32;
        Foot { lift: 0.0, ..self.on_ground(&self.to[0], leg, last) }
    }

    /// Returns the keys of a foot's path through the air, relative to the ground at the start of the link.
    fn swing(&self, step: &FootStep, leg: LegChannels, planted: Foot) -> Vec<(f32, Foot)> {
        let last = (self.frames() - 1) as f32;
        let (starts_in_air, ends_in_air) = (step.up <= BEFORE, step.down >= AFTER);
        let up = if starts_in_air {
            (0.0, self.on_ground(&self.from[1], leg, 0.0))
        } else {
            (step.up, Foot { pitch: sole_pitch(planted.y - self.travelled(step.up)), ..planted })
        };
        let down = if ends_in_air {
            (last, self.on_ground(&self.to[0], leg, last))
        } else {
            let landed = self.landing(leg);
            (step.down, Foot { pitch: sole_pitch(landed.y - self.travelled(step.down)), ..landed })
        };
        let mut keys = Vec::new();
        if starts_in_air {
            keys.push((-1.0, self.on_ground(&self.from[0], leg, -1.0)));
        }
        keys.push(up);
        if step.lift > 0.0 {
            keys.extend(arc(step.lift, up, down, starts_in_air));
        }
        keys.push(down);
        if ends_in_air {
            keys.push((last + 1.0, self.on_ground(&self.to[1], leg, last + 1.0)));
        }
        keys
    }

    /// Returns a foot at a frame, relative to the body.
    fn foot(&self, frame: f32, leg: LegChannels, steps: &[FootStep]) -> Foot {
        let mut planted = self.on_ground(&self.from[1], leg, 0.0);
        let travelled = self.travelled(frame);
        for step in steps {
            if frame <= step.up {
                break;
            }
            if frame < step.down {
                let keys = self.swing(step, leg, planted);
                let value =
                    |of: fn(&Foot) -> f32| sample_by(keys.len(), |k| keys[k].0, |k| of(&keys[k].1), frame);
                return Foot {
                    x: value(|foot| foot.x),
                    y: value(|foot| foot.y) - travelled,
                    lift: value(|foot| foot.lift),
                    pitch: value(|foot| foot.pitch),
                    yaw: value(|foot| foot.yaw),
                };
            }
            planted = self.landing(leg);
        }
        let y = planted.y - travelled;
        Foot { y, lift: 0.0, pitch: sole_pitch(y), ..planted }
    }

    fn clip(&self) -> Clip {
        let last = (self.frames() - 1) as f32;
        let mut keys = HumanKeyframes::new(self.from[1]).key_before(-1.0, self.from[0]);
        for (frame, lean) in &self.leans {
            keys = keys.key_pose(*frame, self.from[1].blended(&self.to[0], frame / last).plus(lean));
        }
        let keys = keys.key_pose(last, self.to[0]).key_pose(last + 1.0, self.to[1]);
        let poses = (0..self.frames()).map(|frame| {
            let frame = frame as f32;
            let pose = keys.sample(frame);
            let pose = self.foot(frame, RIGHT_LEG, &self.steps[0]).apply_to(pose, RIGHT_LEG);
            self.foot(frame, LEFT_LEG, &self.steps[1]).apply_to(pose, LEFT_LEG)
        });
        let clip =
            clip(poses).with_root_motion(self.advances.iter().map(|advance| Vec3::new(0.0, *advance, 0.0)));
        self.with_footsteps(clip)
    }

    /// Adds a sound where each foot comes down; in backward playback, that is where it leaves the ground.
    fn with_footsteps(&self, mut clip: Clip) -> Clip {
        for (steps, number) in self.steps.iter().zip(sounds::FOOTSTEPS) {
            let sound = HookEffect::SoundTable(number);
            for step in steps {
                if step.down < AFTER {
                    clip = clip.with_hook(step.down as usize, HookDirection::FORWARD, sound);
                }
                if step.up > BEFORE {
                    clip = clip.with_hook(step.up as usize, HookDirection::BACKWARD, sound);
                }
            }
        }
        clip
    }
}

/// Returns the keys of a step between leaving the ground and coming down. The foot rises before it moves forward and
/// sinks afterwards, so that it never drags.
fn arc(lift: f32, up: (f32, Foot), down: (f32, Foot), starts_in_air: bool) -> Vec<(f32, Foot)> {
    let between = |time: f32, progress: f32, height: f32, pitch: f32| {
        let foot = Foot {
            x: lerp(up.1.x, down.1.x, progress),
            y: lerp(up.1.y, down.1.y, progress),
            yaw: lerp(up.1.yaw, down.1.yaw, progress),
            lift: height * lift,
            pitch,
        };
        (lerp(up.0, down.0, time), foot)
    };
    let kick = 1.15 * up.1.pitch - 8.0;
    let mut keys = Vec::new();
    if !starts_in_air {
        keys.push(between(0.1, 0.02, 0.4, lerp(up.1.pitch, kick, 0.4)));
        keys.push(between(0.38, 0.38, 1.0, kick));
    }
    keys.push(between(0.74, 0.84, 0.5, 0.0));
    keys.push(between(0.9, 0.985, 0.2, 0.5 * down.1.pitch));
    keys
}

/// Returns advances that change evenly from one speed to another and add up to `total`; the last one is zero.
fn ramp(frames: usize, first: f32, last: f32, total: f32) -> Vec<f32> {
    let moving = frames - 1;
    let value_at = |frame: usize| lerp(first, last, frame as f32 / (moving - 1) as f32);
    let sum: f32 = (0..moving).map(value_at).sum();
    (0..frames).map(|frame| if frame < moving { value_at(frame) * total / sum } else { 0.0 }).collect()
}

/// Returns the last frame on which a foot that stands at `y` still reaches the ground while the body moves forward.
fn lift_off(advances: &[f32], y: f32) -> f32 {
    const MIN_FOOT_Y: f32 = -0.52;
    let mut foot_y = y;
    let reached = advances.iter().take_while(|advance| {
        foot_y -= **advance;
        foot_y >= MIN_FOOT_Y
    });
    reached.count() as f32
}

/// Returns the link from Ready to a gait: the left foot steps out, the right one pushes.
fn start(gait: &HumanGait, stance: &Stance, advances: Vec<f32>) -> Clip {
    let ready = stance.ready();
    let frames = advances.len() as f32;
    let up = lift_off(&advances, ready[RIGHT_LEG.y]).min(frames - 2.0);
    let left = step(1.0, frames - gait.since_contact, 0.10);
    let lean = vec![(PELVIS.pitch, 5.0), (WAIST.pitch, 5.0), (ROOT.z, -0.03), (ROOT.y, 0.03)];
    let link = MovingLink {
        advances,
        from: [ready, ready],
        to: [gait.pose(-1.0, stance), gait.pose(0.0, stance)],
        steps: [vec![step(up, AFTER, 0.0)], vec![left]],
        leans: vec![(0.4 * frames, lean)],
    };
    link.clip()
}

/// Returns the link from a gait to Ready: the right foot comes down ahead and brakes, the left one closes up.
fn stop(gait: &HumanGait, stance: &Stance, advances: Vec<f32>, times: [f32; 3]) -> Clip {
    let ready = stance.ready();
    let [right_down, left_up, left_down] = times;
    let lean = |pitch: f32, z: f32| vec![(PELVIS.pitch, pitch), (WAIST.pitch, pitch), (ROOT.z, z)];
    let link = MovingLink {
        advances,
        from: [gait.pose(-1.0, stance), gait.pose(0.0, stance)],
        to: [ready, ready],
        steps: [vec![step(BEFORE, right_down, 0.07)], vec![step(left_up, left_down, 0.09)]],
        leans: vec![(right_down, lean(-4.0, -0.07)), (left_down, lean(1.0, -0.02))],
    };
    link.clip()
}

/// Returns advances that decrease over `moving` frames and are zero afterwards.
fn braking(frames: usize, moving: usize, total: f32) -> Vec<f32> {
    let weight = |frame: usize| moving.saturating_sub(frame) as f32 - 0.5;
    let sum: f32 = (0..moving).map(weight).sum();
    (0..frames).map(|frame| if frame < moving { weight(frame) * total / sum } else { 0.0 }).collect()
}

/// Returns the link from walking to running. Both stand on the left foot at that point, so it stays down.
fn walk_to_run(stance: &Stance) -> Clip {
    let (from, to) = (WALK.pose(0.0, stance), RUN.pose(-1.0, stance));
    let total = from[LEFT_LEG.y] - to[LEFT_LEG.y];
    let link = MovingLink {
        advances: ramp(4, 0.8, 1.2, total),
        from: [WALK.pose(-1.0, stance), from],
        to: [to, RUN.pose(0.0, stance)],
        steps: [vec![step(BEFORE, AFTER, 0.0)], vec![]],
        leans: vec![],
    };
    link.clip()
}

/// Returns the link from running to walking: two steps of decreasing length.
fn run_to_walk(stance: &Stance) -> Clip {
    let right = [step(BEFORE, 7.0, 0.0), step(14.0, AFTER, 0.0)];
    let link = MovingLink {
        advances: ramp(16, 0.125, 0.09, 1.6),
        from: [RUN.pose(-1.0, stance), RUN.pose(0.0, stance)],
        to: [WALK.pose(-1.0, stance), WALK.pose(0.0, stance)],
        steps: [right.to_vec(), vec![step(3.0, 13.0, 0.18)]],
        leans: vec![(6.0, vec![(ROOT.z, -0.02)])],
    };
    link.clip()
}

/// Returns the link from a fall straight into a gait: the left foot comes down first.
fn land_moving(gait: &HumanGait, stance: &Stance) -> Clip {
    let advance = gait.advance * gait.rate / FRAME_RATE;
    let falling = falling_pose(0.0, stance);
    let link = MovingLink {
        advances: ramp(9, 0.7 * advance, advance, 0.85 * 8.0 * advance),
        from: [falling, falling],
        to: [gait.pose(-1.0, stance), gait.pose(0.0, stance)],
        steps: [vec![step(BEFORE, AFTER, 0.0)], vec![step(BEFORE, 5.0, 0.0)]],
        leans: vec![(5.0, vec![(ROOT.z, -0.05), (WAIST.pitch, 6.0)])],
    };
    link.clip()
}

/// Returns a short link in place between two poses; feet that move are lifted.
pub(super) fn shift(frames: usize, from: &HumanPose, to: &HumanPose) -> Clip {
    let last = (frames - 1) as f32;
    let middle = from.blended(to, 0.5);
    let stepping = with_step(middle, from, to);
    let lifted = LEGS.iter().fold(middle, |pose, leg| {
        let lift = stepping[leg.lift].max(middle[leg.lift]);
        pose.with(&[(leg.lift, lift)])
    });
    clip(HumanKeyframes::new(*from).key_pose(0.5 * last, lifted).key_pose(last, *to).poses())
}

/// Adds the links of a stance between standing and moving, in both directions where they can be requested.
///
/// At negative speeds, the client looks up the link in the opposite direction and plays it backwards (rule G3):
/// walking backwards begins with `WalkForward` → Ready reversed and ends with Ready → `WalkForward` reversed. The
/// same applies to turning left and stepping left.
pub(super) fn build(dataset: &mut DatasetBuilder, table: &mut TableBuilder, stance: &Stance) {
    use MotionCommand as Motion;
    let (style, ready) = (stance.style, stance.ready());
    let mut link = |from, to, clip, rate| {
        let motion = dataset.add_motion(clip, rate);
        table.link(style, from, to, motion);
    };
    let final_share = RUN.advance;
    let (frames, total) = START_RUN;
    let first = 2.0 * total / (frames - 1) as f32 - final_share;
    let run = start(&RUN, stance, ramp(frames, first, final_share, total));
    link(Motion::READY, Motion::RUN_FORWARD, run, RUN.rate);
    let halt = stop(&RUN, stance, braking(STOP_RUN.0, BRAKING_FRAMES, STOP_RUN.1), [4.0, 3.0, 14.0]);
    link(Motion::RUN_FORWARD, Motion::READY, halt, RUN.rate);

    // The link is as long as the right foot can stay planted.
    let total = ready[RIGHT_LEG.y] - WALK.pose(-1.0, stance)[RIGHT_LEG.y];
    let frames = 1 + (total / (0.63 * WALK.advance)) as usize;
    let walk = start(&WALK, stance, ramp(frames, 0.25 * WALK.advance, WALK.advance, total));
    link(Motion::READY, Motion::WALK_FORWARD, walk, WALK.rate);
    let halt = stop(&WALK, stance, braking(30, 27, 0.64), [12.0, 13.0, 25.0]);
    link(Motion::WALK_FORWARD, Motion::READY, halt, WALK.rate);

    link(Motion::WALK_FORWARD, Motion::RUN_FORWARD, walk_to_run(stance), FRAME_RATE);
    link(Motion::RUN_FORWARD, Motion::WALK_FORWARD, run_to_walk(stance), FRAME_RATE);
    for (motion, gait) in [(Motion::RUN_FORWARD, &RUN), (Motion::WALK_FORWARD, &WALK)] {
        link(Motion::FALLING, motion, land_moving(gait, stance), FRAME_RATE);
        let leap = shift(6, &gait.pose(0.0, stance), &falling_pose(0.0, stance));
        link(motion, Motion::FALLING, leap, FRAME_RATE);
    }
    for (motion, before, first) in [
        (Motion::TURN_RIGHT, turn_pose(-1.0, stance), turn_pose(0.0, stance)),
        (Motion::SIDE_STEP_RIGHT, side_pose(-1.0, stance), side_pose(0.0, stance)),
    ] {
        link(Motion::READY, motion, shift(5, &ready, &before), FRAME_RATE);
        link(motion, Motion::READY, shift(6, &first, &ready), FRAME_RATE);
    }
}
