//! The update of one entity, in the original's order (rules B3–B5).

use acmotion_types::{CellPosition, Frame, Vec3};

use super::{Actor, MotionEvent, RootPace};
use crate::body::{BodyFlags, PhysicsState, Quantum, TransientState, commit};
use crate::collide::Surroundings;
use crate::move_by::combined;
use crate::table::{animation_done, check_for_completed_motions};

impl Actor<'_> {
    /// Advances the entity to now, in as many steps as that takes (rule B3). `player` is the position of the local player;
    /// an entity more than 96 m away from it is inactive. Call it when the [`PhysicsGate`](crate::body::PhysicsGate) opens.
    #[doc(alias = "update_object")]
    pub fn update<S: Surroundings + ?Sized>(&mut self, player: Option<&CellPosition>, surroundings: &S) {
        self.update_in_steps(player, |actor, quantum| actor.step(quantum.seconds as f32, surroundings));
    }

    /// Does what [`update`](Self::update) does; `step` advances the entity by one step (rule B3).
    #[inline]
    pub(crate) fn update_in_steps(
        &mut self,
        player: Option<&CellPosition>,
        mut step: impl FnMut(&mut Self, Quantum),
    ) {
        let body = &mut self.entity.body;
        let distance = player.map(|player| player.distance_to(&body.position));
        if !body.update_activity(distance, self.now) {
            // The original runs the scripts of a held object when it moves the object with its parent.
            if body.flags.contains(BodyFlags::HAS_PARENT) {
                self.update_scripts();
            }
            return;
        }
        if self.entity.is_static_animating() {
            return;
        }
        let body = &self.entity.body;
        let mut quanta = body.clock.quanta(self.now);
        for quantum in quanta.by_ref() {
            self.entity.body.clock.update_time = quantum.clock;
            step(self, quantum);
        }
        self.entity.body.clock.update_time = quanta.clock();
    }

    /// Advances the entity by one step of `quantum` seconds (rule B4). If it is not active, only its scripts go on.
    #[doc(alias = "UpdateObjectInternal")]
    pub fn step<S: Surroundings + ?Sized>(&mut self, quantum: f32, surroundings: &S) {
        let body = &mut self.entity.body;
        if !body.transient.contains(TransientState::ACTIVE) {
            return self.update_scripts();
        }
        if !body.is_in_cell() {
            return;
        }
        if body.transient.contains(TransientState::CHECK_ETHEREAL) {
            self.set_ethereal(false, surroundings);
        }
        self.entity.body.flags.remove(BodyFlags::JUMPED);
        let was_waiting = self.entity.body.transient.contains(TransientState::CHECK_ETHEREAL);
        let target = self.update_position(quantum);
        self.finish_step(target, was_waiting, quantum, surroundings);
    }

    /// Finishes a step that leads to a frame, after its hooks have run (rules B4.4–B4.8). `was_waiting` says whether the
    /// body was waiting to become solid before them.
    #[inline(never)]
    pub(super) fn finish_step<S: Surroundings + ?Sized>(
        &mut self,
        target: Frame,
        was_waiting: bool,
        quantum: f32,
        surroundings: &S,
    ) {
        if !was_waiting && self.entity.body.transient.contains(TransientState::CHECK_ETHEREAL) {
            self.set_ethereal(false, surroundings);
        }
        move_to_frame(self, target, quantum, surroundings);
        self.entity.body.flags.remove(BodyFlags::THROWN);
        self.use_time(surroundings);
        self.update_scripts();
    }

    /// Ends a step: targets, the current order, motions of zero length, corrections (rules B4.6, B4.7).
    /// [`step`](Self::step) calls it; callers that move the body by other means can do so themselves.
    #[inline]
    pub fn use_time<S: Surroundings + ?Sized>(&mut self, surroundings: &S) {
        self.handle_targeting();
        self.move_to_use_time();
        self.check_order_limits();
        check_for_completed_motions(self);
        self.position_use_time(surroundings);
    }

    /// Returns the frame that this step leads to, by animation, corrections and velocity, before collision; then runs the
    /// hooks (rule B5). [`step`](Self::step) calls it; callers that move the body by other means can do so themselves.
    #[doc(alias = "UpdatePositionInternal")]
    pub fn update_position(&mut self, quantum: f32) -> Frame {
        let is_hidden = self.entity.body.state.contains(PhysicsState::HIDDEN);
        let offset = self.animate(quantum, is_hidden);
        let target = self.displace(offset, quantum, is_hidden);
        self.process_hooks();
        target
    }

    /// Advances the animation by a step, unless the body is hidden. Returns the offset by root motion alone, in the body's
    /// own axes (rules B5.1, B5.2).
    #[inline]
    pub(crate) fn animate(&mut self, quantum: f32, is_hidden: bool) -> Frame {
        if is_hidden {
            return Frame::IDENTITY;
        }
        let entity = &mut *self.entity;
        let mut offset = entity.animator.advance(self.library, quantum, Some(&mut self.events.hooks));
        if entity.body.is_on_walkable() {
            offset.origin *= entity.body.scale;
            if entity.pace != RootPace::USUAL {
                offset.origin *= entity.pace.factor();
            }
        } else {
            offset.origin = Vec3::ZERO;
        }
        offset
    }

    /// Returns the frame that an offset by root motion leads to, after corrections and velocity (rules B5.3–B5.5).
    #[inline]
    pub(crate) fn displace(&mut self, mut offset: Frame, quantum: f32, is_hidden: bool) -> Frame {
        self.adjust_offset(&mut offset, quantum);
        let body = &mut self.entity.body;
        let mut target = combined(&body.position.frame, &offset);
        if !is_hidden {
            body.update_physics(quantum, &mut target);
        }
        target
    }

    /// Runs the tweens, then the hooks of this step in order, including those queued while they run. Motions complete here,
    /// before the sweep (rules B5.6, H13, R4).
    #[inline]
    pub(crate) fn process_hooks(&mut self) {
        if self.entity.effects.is_some() || !self.events.hooks.events().is_empty() {
            self.process_some_hooks();
        }
    }

    fn process_some_hooks(&mut self) {
        self.run_tweens();
        let mut index = 0;
        while let Some(hook) = self.events.hooks.events().get(index).copied() {
            self.emit(MotionEvent::Hook(hook));
            if hook.is_node_end() {
                animation_done(self, true);
            } else {
                self.execute(hook.effect());
            }
            index += 1;
        }
        self.events.hooks.clear();
    }

    /// Makes the body ethereal, or marks it to become solid: [`step`](Self::step) makes it so as soon as nothing
    /// overlaps it (rule C20).
    pub(crate) fn hook_ethereal(&mut self, ethereal: bool) {
        let body = &mut self.entity.body;
        if ethereal {
            body.state.insert(PhysicsState::ETHEREAL);
        }
        body.transient.set(TransientState::CHECK_ETHEREAL, !ethereal);
    }

    #[inline]
    pub(super) fn turn_only(&mut self, target: &Frame) {
        let body = &mut self.entity.body;
        body.position.frame.rotation = target.rotation;
        body.cached_velocity = Vec3::ZERO;
    }
}

/// Sweeps the body to the frame that the step leads to (rule B4.4). The body keeps its origin and only turns if it does
/// not move by more than EPS along an axis (`docs/collision.md` 2.9), has no spheres, or if the sweep fails (2.10).
pub fn move_to_frame<S: Surroundings + ?Sized>(
    actor: &mut Actor<'_>,
    mut target: Frame,
    quantum: f32,
    surroundings: &S,
) {
    let entity = &mut *actor.entity;
    let old = entity.body.position;
    let has_spheres = !entity.shape.spheres().is_empty();
    let moved = target.origin - old.frame.origin;
    if !has_spheres || target.origin.is_close_to(old.frame.origin) || !target.origin.is_finite() {
        let idle = !entity.body.flags.contains(BodyFlags::MANAGED) && entity.body.is_on_walkable();
        if !has_spheres && idle {
            entity.body.transient.remove(TransientState::ACTIVE);
        }
        return actor.turn_only(&target);
    }
    if entity.body.state.contains(PhysicsState::ALIGN_PATH) {
        target.set_vector_heading(moved);
    } else if entity.body.state.contains(PhysicsState::SLEDDING) && entity.body.velocity != Vec3::ZERO {
        target.set_heading(entity.body.velocity.heading());
    }
    let mover = entity.body.mover(entity.guid, &entity.shape, entity.mover_flags);
    actor.events.touched.clear();
    let to = CellPosition::new(old.cell, target);
    let sweep = surroundings.sweep(&mover, &old, &to, actor.obstacles, &mut actor.events.touched);
    if let Some(explanation) = entity.correction.explanation_mut() {
        explanation.sweep = surroundings.trace_sweep(&mover, &old, &to, actor.obstacles);
    }
    if sweep.kills_velocity {
        entity.body.set_velocity(Vec3::ZERO, actor.now);
    }
    let Some(arrival) = sweep.arrival else {
        actor.note_obstruction(moved, None, sweep.barrier);
        return actor.turn_only(&target);
    };
    let covered = old.offset_to(&arrival.position);
    entity.body.cached_velocity = covered * (1.0 / quantum);
    actor.note_obstruction(moved, Some(covered), sweep.barrier);
    let touched = std::mem::take(&mut actor.events.touched);
    commit(actor, &arrival, &touched, actor.now);
    actor.events.touched = touched;
    if !arrival.in_cell {
        actor.emit(MotionEvent::Lost);
    }
}
