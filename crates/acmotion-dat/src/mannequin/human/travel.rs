//! The links between standing and moving: starting, stopping, changing pace, coming down from a fall.
//!
//! A link's first frame is the pose it leaves; its last one is the frame before the first of the cycle it enters, so
//! that the cycle goes on from there. A position frame is applied when its frame is left, and the last one of a link
//! never is in forward play (rules H9, H11): it is zero, and the rest carry the body the whole way.

use acmotion_types::{MotionCommand, Vec3};

use super::super::clip::{Clip, Shelf};
use super::super::curve::{mix, through};
use super::super::table::TableBuilder;
use super::super::{FRAMES_A_SECOND, sounds};
use super::gait::{Foot, Gait, RUN, WALK, side_pose, sole_pitch, turn_pose};
use super::stance::{Stance, with_step};
use super::states::falling_pose;
use super::{Channel, HumanKeys, HumanPose, LEFT_LEG, LEGS, Leg, PELVIS, RIGHT_LEG, ROOT, WAIST, clip};
use crate::objects::{HookDirection, HookEffect};

/// Ready → `RunForward`: frames, and how far its frames carry the body, as recorded.
const START_RUN: (usize, f32) = (12, 1.0330);
/// `RunForward` → Ready: the distance is recorded, the number of frames is not. At 30 frames a second a turn that began
/// in it was still in it half a second later.
const STOP_RUN: (usize, f32) = (24, 0.788_44);
/// Of which so many move.
const BRAKING: usize = 14;

/// A link that carries the body forward.
struct Trip {
    /// How far each frame carries the body; the last one is zero.
    shares: Vec<f32>,
    /// The pose one frame before the link, and its first.
    from: [HumanPose; 2],
    /// Its last pose, and the one after.
    to: [HumanPose; 2],
    /// The steps of the right and the left foot.
    steps: [Vec<Step>; 2],
    /// What the trunk does on the way: something added to the pose in between, at a frame.
    leans: Vec<(f32, Vec<(Channel, f32)>)>,
}

/// A step: when the foot leaves the ground, when it comes down where the cycle that follows has it, and how high it
/// swings. One that begins before the link starts in the air, one that ends behind it stays there.
#[derive(Clone, Copy)]
struct Step {
    up: f32,
    down: f32,
    lift: f32,
}

/// Before the link, or behind it.
const BEFORE: f32 = -1.0;
const BEHIND: f32 = 1000.0;

const fn step(up: f32, down: f32, lift: f32) -> Step {
    Step { up, down, lift }
}

impl Trip {
    fn frames(&self) -> usize {
        self.shares.len()
    }

    /// How far the body is at a frame, also beyond both ends.
    fn way(&self, frame: f32) -> f32 {
        let whole = frame.clamp(0.0, (self.frames() - 1) as f32);
        let done: f32 = self.shares.iter().take(whole as usize).sum();
        let rest = (whole - whole.floor()) * self.shares[whole as usize];
        // The feet on the ground tell how fast the body goes before and after.
        let drift = |poses: &[HumanPose; 2]| {
            let back = LEGS.map(|leg| poses[0][leg.y] - poses[1][leg.y]);
            back[0].max(back[1]).max(0.0)
        };
        let before = if frame < 0.0 { frame * drift(&self.from) } else { 0.0 };
        let after = (frame - whole).max(0.0) * drift(&self.to);
        done + rest + before + after
    }

    /// A foot of a pose at a frame, on the ground's own scale.
    fn on_ground(&self, pose: &HumanPose, leg: Leg, frame: f32) -> Foot {
        let foot = Foot::of(pose, leg);
        Foot { y: foot.y + self.way(frame), ..foot }
    }

    /// Where a foot comes down: where the pose that ends the link has it.
    fn landing(&self, leg: Leg) -> Foot {
        let last = (self.frames() - 1) as f32;
        Foot { lift: 0.0, ..self.on_ground(&self.to[0], leg, last) }
    }

    /// The keys of a foot's way through the air, on the ground's own scale.
    fn swing(&self, step: &Step, leg: Leg, planted: Foot) -> Vec<(f32, Foot)> {
        let last = (self.frames() - 1) as f32;
        let (starts_in_air, ends_in_air) = (step.up <= BEFORE, step.down >= BEHIND);
        let up = if starts_in_air {
            (0.0, self.on_ground(&self.from[1], leg, 0.0))
        } else {
            (step.up, Foot { pitch: sole_pitch(planted.y - self.way(step.up)), ..planted })
        };
        let down = if ends_in_air {
            (last, self.on_ground(&self.to[0], leg, last))
        } else {
            let landed = self.landing(leg);
            (step.down, Foot { pitch: sole_pitch(landed.y - self.way(step.down)), ..landed })
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

    /// A foot at a frame, relative to the body.
    fn foot(&self, frame: f32, leg: Leg, steps: &[Step]) -> Foot {
        let mut planted = self.on_ground(&self.from[1], leg, 0.0);
        let way = self.way(frame);
        for step in steps {
            if frame <= step.up {
                break;
            }
            if frame < step.down {
                let keys = self.swing(step, leg, planted);
                let value =
                    |of: fn(&Foot) -> f32| through(keys.len(), |k| keys[k].0, |k| of(&keys[k].1), frame);
                return Foot {
                    x: value(|foot| foot.x),
                    y: value(|foot| foot.y) - way,
                    lift: value(|foot| foot.lift),
                    pitch: value(|foot| foot.pitch),
                    yaw: value(|foot| foot.yaw),
                };
            }
            planted = self.landing(leg);
        }
        let y = planted.y - way;
        Foot { y, lift: 0.0, pitch: sole_pitch(y), ..planted }
    }

    fn clip(&self) -> Clip {
        let last = (self.frames() - 1) as f32;
        let mut keys = HumanKeys::from(self.from[1]).before(-1.0, self.from[0]);
        for (frame, lean) in &self.leans {
            keys = keys.pose(*frame, self.from[1].mixed(&self.to[0], frame / last).plus(lean));
        }
        let keys = keys.pose(last, self.to[0]).pose(last + 1.0, self.to[1]);
        let poses = (0..self.frames()).map(|frame| {
            let frame = frame as f32;
            let pose = keys.get(frame);
            let pose = self.foot(frame, RIGHT_LEG, &self.steps[0]).put(pose, RIGHT_LEG);
            self.foot(frame, LEFT_LEG, &self.steps[1]).put(pose, LEFT_LEG)
        });
        let clip = clip(poses).carried(self.shares.iter().map(|share| Vec3::new(0.0, *share, 0.0)));
        self.with_footsteps(clip)
    }

    /// Each step is heard where the foot comes down: played backwards, that is where it leaves the ground.
    fn with_footsteps(&self, mut clip: Clip) -> Clip {
        for (steps, number) in self.steps.iter().zip(sounds::FOOTSTEPS) {
            let sound = HookEffect::SoundTable(number);
            for step in steps {
                if step.down < BEHIND {
                    clip = clip.hook(step.down as usize, HookDirection::FORWARD, sound);
                }
                if step.up > BEFORE {
                    clip = clip.hook(step.up as usize, HookDirection::BACKWARD, sound);
                }
            }
        }
        clip
    }
}

/// The keys of a step between leaving the ground and coming down. The foot goes up before it goes ahead and comes down
/// after, so that it never drags.
fn arc(lift: f32, up: (f32, Foot), down: (f32, Foot), starts_in_air: bool) -> Vec<(f32, Foot)> {
    let between = |time: f32, way: f32, height: f32, pitch: f32| {
        let foot = Foot {
            x: mix(up.1.x, down.1.x, way),
            y: mix(up.1.y, down.1.y, way),
            yaw: mix(up.1.yaw, down.1.yaw, way),
            lift: height * lift,
            pitch,
        };
        (mix(up.0, down.0, time), foot)
    };
    let kick = 1.15 * up.1.pitch - 8.0;
    let mut keys = Vec::new();
    if !starts_in_air {
        keys.push(between(0.1, 0.02, 0.4, mix(up.1.pitch, kick, 0.4)));
        keys.push(between(0.38, 0.38, 1.0, kick));
    }
    keys.push(between(0.74, 0.84, 0.5, 0.0));
    keys.push(between(0.9, 0.985, 0.2, 0.5 * down.1.pitch));
    keys
}

/// Shares that go evenly from one speed to another; together they are `total`, and the last frame's is zero.
fn ramp(frames: usize, first: f32, last: f32, total: f32) -> Vec<f32> {
    let moving = frames - 1;
    let at = |frame: usize| mix(first, last, frame as f32 / (moving - 1) as f32);
    let sum: f32 = (0..moving).map(at).sum();
    (0..frames).map(|frame| if frame < moving { at(frame) * total / sum } else { 0.0 }).collect()
}

/// The last frame on which a foot that stands at `y` still reaches the ground while the body goes ahead.
fn lift_off(shares: &[f32], y: f32) -> f32 {
    const FARTHEST: f32 = -0.52;
    let mut at = y;
    let reached = shares.iter().take_while(|share| {
        at -= **share;
        at >= FARTHEST
    });
    reached.count() as f32
}

/// From Ready to a gait: the left foot steps out, the right one pushes.
fn start(gait: &Gait, stance: &Stance, shares: Vec<f32>) -> Clip {
    let ready = stance.ready();
    let frames = shares.len() as f32;
    let up = lift_off(&shares, ready[RIGHT_LEG.y]).min(frames - 2.0);
    let left = step(1.0, frames - gait.since_contact, 0.10);
    let lean = vec![(PELVIS.pitch, 5.0), (WAIST.pitch, 5.0), (ROOT.z, -0.03), (ROOT.y, 0.03)];
    let trip = Trip {
        shares,
        from: [ready, ready],
        to: [gait.pose(-1.0, stance), gait.pose(0.0, stance)],
        steps: [vec![step(up, BEHIND, 0.0)], vec![left]],
        leans: vec![(0.4 * frames, lean)],
    };
    trip.clip()
}

/// From a gait to Ready: the right foot comes down ahead and brakes, the left one closes up.
fn stop(gait: &Gait, stance: &Stance, shares: Vec<f32>, times: [f32; 3]) -> Clip {
    let ready = stance.ready();
    let [right_down, left_up, left_down] = times;
    let lean = |pitch: f32, z: f32| vec![(PELVIS.pitch, pitch), (WAIST.pitch, pitch), (ROOT.z, z)];
    let trip = Trip {
        shares,
        from: [gait.pose(-1.0, stance), gait.pose(0.0, stance)],
        to: [ready, ready],
        steps: [vec![step(BEFORE, right_down, 0.07)], vec![step(left_up, left_down, 0.09)]],
        leans: vec![(right_down, lean(-4.0, -0.07)), (left_down, lean(1.0, -0.02))],
    };
    trip.clip()
}

/// The shares of braking: ever less over `moving` frames, then none.
fn braking(frames: usize, moving: usize, total: f32) -> Vec<f32> {
    let weight = |frame: usize| moving.saturating_sub(frame) as f32 - 0.5;
    let sum: f32 = (0..moving).map(weight).sum();
    (0..frames).map(|frame| if frame < moving { weight(frame) * total / sum } else { 0.0 }).collect()
}

/// From walking to running: both are then on the left foot, so it stays down and the pace goes on.
fn walk_to_run(stance: &Stance) -> Clip {
    let (from, to) = (WALK.pose(0.0, stance), RUN.pose(-1.0, stance));
    let total = from[LEFT_LEG.y] - to[LEFT_LEG.y];
    let trip = Trip {
        shares: ramp(4, 0.8, 1.2, total),
        from: [WALK.pose(-1.0, stance), from],
        to: [to, RUN.pose(0.0, stance)],
        steps: [vec![step(BEFORE, BEHIND, 0.0)], vec![]],
        leans: vec![],
    };
    trip.clip()
}

/// From running to walking: two steps that grow shorter.
fn run_to_walk(stance: &Stance) -> Clip {
    let right = [step(BEFORE, 7.0, 0.0), step(14.0, BEHIND, 0.0)];
    let trip = Trip {
        shares: ramp(16, 0.125, 0.09, 1.6),
        from: [RUN.pose(-1.0, stance), RUN.pose(0.0, stance)],
        to: [WALK.pose(-1.0, stance), WALK.pose(0.0, stance)],
        steps: [right.to_vec(), vec![step(3.0, 13.0, 0.18)]],
        leans: vec![(6.0, vec![(ROOT.z, -0.02)])],
    };
    trip.clip()
}

/// Out of a fall straight into a gait: the left foot comes down first.
fn land_moving(gait: &Gait, stance: &Stance) -> Clip {
    let share = gait.share * gait.rate / FRAMES_A_SECOND;
    let falling = falling_pose(0.0, stance);
    let trip = Trip {
        shares: ramp(9, 0.7 * share, share, 0.85 * 8.0 * share),
        from: [falling, falling],
        to: [gait.pose(-1.0, stance), gait.pose(0.0, stance)],
        steps: [vec![step(BEFORE, BEHIND, 0.0)], vec![step(BEFORE, 5.0, 0.0)]],
        leans: vec![(5.0, vec![(ROOT.z, -0.05), (WAIST.pitch, 6.0)])],
    };
    trip.clip()
}

/// A short link on the spot: from pose to pose, feet that change their place being lifted.
pub(super) fn shift(frames: usize, from: &HumanPose, to: &HumanPose) -> Clip {
    let last = (frames - 1) as f32;
    let middle = from.mixed(to, 0.5);
    let stepping = with_step(middle, from, to);
    let lifted = LEGS.iter().fold(middle, |pose, leg| {
        let lift = stepping[leg.lift].max(middle[leg.lift]);
        pose.with(&[(leg.lift, lift)])
    });
    clip(HumanKeys::from(*from).pose(0.5 * last, lifted).pose(last, *to).poses())
}

/// The links of a stance that move, in both directions where the table may ask for them.
///
/// At negative speeds the table looks for the link the other way round and plays it backwards (rule G3): stepping
/// backwards begins with `WalkForward` → Ready reversed and ends with Ready → `WalkForward` reversed, turning left and
/// stepping left likewise.
pub(super) fn build(shelf: &mut Shelf, table: &mut TableBuilder, stance: &Stance) {
    use MotionCommand as Motion;
    let (style, ready) = (stance.style, stance.ready());
    let mut link = |from, to, clip, rate| {
        let motion = shelf.motion(clip, rate);
        table.link(style, from, to, motion);
    };
    let final_share = RUN.share;
    let (frames, total) = START_RUN;
    let first = 2.0 * total / (frames - 1) as f32 - final_share;
    let run = start(&RUN, stance, ramp(frames, first, final_share, total));
    link(Motion::READY, Motion::RUN_FORWARD, run, RUN.rate);
    let halt = stop(&RUN, stance, braking(STOP_RUN.0, BRAKING, STOP_RUN.1), [4.0, 3.0, 14.0]);
    link(Motion::RUN_FORWARD, Motion::READY, halt, RUN.rate);

    // As far as the right foot can stay where it stands.
    let total = ready[RIGHT_LEG.y] - WALK.pose(-1.0, stance)[RIGHT_LEG.y];
    let frames = 1 + (total / (0.63 * WALK.share)) as usize;
    let walk = start(&WALK, stance, ramp(frames, 0.25 * WALK.share, WALK.share, total));
    link(Motion::READY, Motion::WALK_FORWARD, walk, WALK.rate);
    let halt = stop(&WALK, stance, braking(30, 27, 0.64), [12.0, 13.0, 25.0]);
    link(Motion::WALK_FORWARD, Motion::READY, halt, WALK.rate);

    link(Motion::WALK_FORWARD, Motion::RUN_FORWARD, walk_to_run(stance), FRAMES_A_SECOND);
    link(Motion::RUN_FORWARD, Motion::WALK_FORWARD, run_to_walk(stance), FRAMES_A_SECOND);
    for (motion, gait) in [(Motion::RUN_FORWARD, &RUN), (Motion::WALK_FORWARD, &WALK)] {
        link(Motion::FALLING, motion, land_moving(gait, stance), FRAMES_A_SECOND);
        let leap = shift(6, &gait.pose(0.0, stance), &falling_pose(0.0, stance));
        link(motion, Motion::FALLING, leap, FRAMES_A_SECOND);
    }
    for (motion, before, first) in [
        (Motion::TURN_RIGHT, turn_pose(-1.0, stance), turn_pose(0.0, stance)),
        (Motion::SIDE_STEP_RIGHT, side_pose(-1.0, stance), side_pose(0.0, stance)),
    ] {
        link(Motion::READY, motion, shift(5, &ready, &before), FRAMES_A_SECOND);
        link(motion, Motion::READY, shift(6, &first, &ready), FRAMES_A_SECOND);
    }
}
