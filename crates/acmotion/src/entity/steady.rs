//! The shortest shortcut, for a body that [cruises](super::cruise) straight ahead, as a body that walks or runs does in most
//! ticks.
//!
//! Most of what decides whether a body cruises changes only when something other than a tick changes the body: its state,
//! its ground, its corrections and orders, the animation that loops, and, until it comes near a border, its cell. A tick
//! that finds a body in this state keeps these facts as a [`SteadyCruise`], and every access that can change the body
//! forgets them. With them a step is only the animation's offset, the constraint, a sum, and the conditions of a stride that
//! depend on its length, by the same functions as in the general code. If one of these conditions is not met, nothing has
//! been done yet, and the general code does the step. The result is therefore the same to the bit.

use acmotion_types::{Frame, Quat, Vec3};

use super::{Actor, Entity, RootPace};
use crate::collide::{InfinitePlane, SteadyStride};
use crate::library::Library;
use crate::move_by::{combined, is_settled, moved_upright};
use crate::sequence::SteadyPlay;

/// What stays the same while a body cruises straight ahead. Valid until something else than
/// [`cruise_steadily`](Entity::cruise_steadily) and [`cruise_past_event`](Actor::cruise_past_event) changes the entity.
#[derive(Clone, Copy, PartialEq, Debug)]
#[repr(align(64))]
pub(crate) struct SteadyCruise {
    play: SteadyPlay,
    stride: SteadyStride,
    scale: f32,
    /// Whether the rotation of the body stays as it is in steps that do not turn. Otherwise rounding changes it.
    is_settled: bool,
}

impl Default for SteadyCruise {
    fn default() -> Self {
        Self { play: SteadyPlay::default(), stride: SteadyStride::NONE, scale: 0.0, is_settled: false }
    }
}

impl SteadyCruise {
    /// Returns `true` if the rotation of the body stays as it is.
    #[inline(always)]
    pub(crate) fn is_settled(&self) -> bool {
        self.is_settled
    }
}

impl Entity {
    /// Returns what stays the same in the steps of an entity that cruises straight ahead on level ground. `None` if that
    /// cannot be told.
    #[inline]
    pub(crate) fn find_steady_cruise(
        &self,
        library: &Library,
        ground: &InfinitePlane,
    ) -> Option<SteadyCruise> {
        let Self { body, animator, .. } = self;
        let is_alone = self.targets.is_none() && self.move_to.is_none() && self.correction.is_steady();
        let is_usual = self.pace == RootPace::USUAL;
        if !is_alone || !is_usual || animator.completed_head().is_some() || !self.cruises() {
            return None;
        }
        let Frame { origin, rotation } = body.position.frame;
        let is_upright = rotation.x.to_bits() | rotation.y.to_bits() == 0;
        if !is_upright || origin.z.to_bits() == (-0.0_f32).to_bits() {
            return None;
        }
        let play = animator.sequence().find_steady_play(library)?;
        let stride = body.steady_stride(&self.shape, ground)?;
        Some(SteadyCruise { play, stride, scale: body.scale, is_settled: is_settled(rotation) })
    }

    /// Advances an entity that cruises straight ahead to now, by a step in which no hooks fire and no cycle ends.
    /// `player_distance` is in metres, `None` while there is no player. Returns `false`, with nothing done, if the step may
    /// do more.
    #[inline(always)]
    pub(crate) fn cruise_steadily(
        &mut self,
        kept: &SteadyCruise,
        library: &Library,
        now: f64,
        player_distance: Option<f32>,
    ) -> bool {
        let Some(elapsed) = self.body.time_of_one_step(now, player_distance) else { return false };
        let sequence = self.animator.sequence();
        let Some((frame, offset)) = sequence.advanced_steadily(&kept.play, library, elapsed as f32) else {
            return false;
        };
        if !self.stride_steadily(kept, offset * kept.scale, elapsed as f32) {
            return false;
        }
        self.animator.sequence_mut().set_steady_frame(frame);
        self.body.begin_step(elapsed, player_distance);
        true
    }

    /// Moves a body that cruises straight ahead by an offset from its animation, in metres, as far as the constraint allows.
    /// Returns `false`, with nothing done, if that is no stride inside of its cell.
    #[inline(always)]
    fn stride_steadily(&mut self, kept: &SteadyCruise, mut offset: Vec3, quantum: f32) -> bool {
        let constraint = &mut self.correction.constraint;
        let (_, pos_offset) = constraint.scale_offset(&mut offset, true);
        let frame = &mut self.body.position.frame;
        let (from, target) = (frame.origin, moved_upright(frame, offset));
        let velocity = if target.is_close_to(from) {
            Vec3::ZERO
        } else {
            let Some(end) = kept.stride.end(from, target) else { return false };
            (frame.origin.x, frame.origin.y) = (end.x, end.y);
            (end - from) * (1.0 / quantum)
        };
        if !kept.is_settled {
            frame.rotation = turned_by_nothing(frame.rotation);
        }
        self.body.cached_velocity = velocity;
        constraint.set_pos_offset(pos_offset);
        true
    }
}

/// Returns the rotation that a step that does not turn leads to: rounding changes it.
#[inline(never)]
fn turned_by_nothing(rotation: Quat) -> Quat {
    combined(&Frame::new(Vec3::ZERO, rotation), &Frame::IDENTITY).rotation
}

impl Actor<'_> {
    /// Advances an entity that cruises straight ahead to now, by a step in which hooks may fire or a cycle may end.
    /// `player_distance` is in metres, `None` while there is no player. Returns `None`, with nothing done, if it takes
    /// another number of steps, and else whether the entity cruises straight ahead as before.
    #[inline(never)]
    pub(crate) fn cruise_past_event(
        &mut self,
        kept: &mut SteadyCruise,
        player_distance: Option<f32>,
        ground: &InfinitePlane,
    ) -> Option<bool> {
        let body = &mut self.entity.body;
        let elapsed = body.time_of_one_step(self.now, player_distance)?;
        let clock = body.begin_step(elapsed, player_distance);
        let quantum = elapsed as f32;
        let offset = self.animate(quantum, false);
        let is_steady = self.entity.stride_steadily(kept, offset.origin, quantum);
        if is_steady {
            // They report something, and change nothing.
            self.process_hooks();
            self.entity.animator.sequence().renew_steady_play(&mut kept.play, self.library);
        } else {
            self.cruise_by(offset, quantum, ground);
        }
        self.entity.body.clock.update_time = clock;
        Some(is_steady)
    }
}
