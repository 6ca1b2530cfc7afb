//! Entities that the tick animates without moving them through the world (rule B7).

use acmotion_types::EPS;

use super::{Actor, Entity};
use crate::body::{HUGE_QUANTUM, MIN_QUANTUM, PhysicsState};

impl Entity {
    /// Returns `true` if the entity is static and has a default animation or a default script. It is then animated by
    /// [`Actor::animate_static_object`] and not by [`Actor::update`].
    pub fn is_static_animating(&self) -> bool {
        self.body.state.contains(PhysicsState::STATIC)
            && (self.plays_default_animation()
                || self.effects().is_some_and(|effects| effects.default_script().is_some()))
    }

    /// Returns `true` if the setup's default animation plays (rule H16). With a motion table, the table chooses.
    fn plays_default_animation(&self) -> bool {
        self.animator.table().is_none() && self.animator.sequence().has_nodes()
    }
}

impl Actor<'_> {
    /// Advances the animation of a static entity to now: its sequence, scripts and hooks. It does not move, but it
    /// turns by its angular velocity, once for each call whatever the time that has passed (rule B7). Call it after all
    /// entities have been updated, when the [`PhysicsGate`](crate::body::PhysicsGate) opens.
    pub fn animate_static_object(&mut self) {
        if !self.entity.body.is_in_cell() {
            return;
        }
        let Some(quantum) = self.elapsed_quantum() else { return };
        if self.entity.plays_default_animation() {
            let entity = &mut *self.entity;
            entity.animator.update(self.library, quantum, None, Some(&mut self.events.hooks));
            entity.body.position.frame.rotate_global(entity.body.omega);
        }
        self.update_scripts();
        self.process_hooks();
    }

    /// Advances the animation of an entity to now and moves it without collision, as the original does with entities
    /// that are attached to others or shown by themselves in a window (rule B7).
    #[doc(alias = "update_position")]
    pub fn update_without_collision(&mut self) {
        let Some(quantum) = self.elapsed_quantum() else { return };
        let frame = self.update_position(quantum);
        if frame.is_valid() && frame.origin.is_finite() {
            self.entity.body.position.frame = frame;
        }
        self.update_scripts();
    }

    /// Returns the time since the last animation, in seconds, and sets the clock to now. Returns `None` if it is too
    /// short or, at more than 2 s, too long. A time from EPS to 1/30 s is carried over to the next call; a shorter or a
    /// too long one is discarded.
    fn elapsed_quantum(&mut self) -> Option<f32> {
        let clock = &mut self.entity.body.clock;
        let elapsed = self.now - clock.update_time;
        if elapsed > f64::from(EPS) && elapsed < MIN_QUANTUM || self.now.is_nan() {
            return None;
        }
        clock.update_time = self.now;
        (MIN_QUANTUM..=HUGE_QUANTUM).contains(&elapsed).then_some(elapsed as f32)
    }
}
