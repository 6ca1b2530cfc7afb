//! Coming into the world and leaving it, being hidden, and being solid (rules C14, C16–C20).

use acmotion_types::{CellId, CellPosition};

use super::{Actor, MotionEvent};
use crate::body::{
    BodyFlags, Mover, PhysicsState, PlacementError, Surroundings, TransientState, clear_transient_states,
    commit, end_touches, refuse,
};
use crate::steer::TargetStatus;
use crate::table::{enter_world, exit_world};

impl Actor<'_> {
    /// Comes into the world at a place, where `slide` lets it be a little way off; says whether there was room (rule C17).
    /// A body that hangs on another does not.
    pub fn enter_world<S: Surroundings + ?Sized>(
        &mut self,
        place: &CellPosition,
        slide: bool,
        surroundings: &S,
    ) -> bool {
        if self.entity.body.flags.contains(BodyFlags::HAS_PARENT) {
            return false;
        }
        self.entity.body.clock.update_time = self.now;
        if !self.set_position(place, slide, surroundings) {
            return false;
        }
        self.entity.body.transient.insert(TransientState::ACTIVE);
        self.remove_link_animations();
        true
    }

    /// Is placed anew; says whether there was room (rule C18). Whether it stands afterwards, the place decides.
    #[doc(alias = "SetPositionSimple")]
    pub fn set_position<S: Surroundings + ?Sized>(
        &mut self,
        place: &CellPosition,
        slide: bool,
        surroundings: &S,
    ) -> bool {
        let sound = place.frame.is_valid() && place.frame.origin.is_finite();
        let entity = &*self.entity;
        let mover = Mover::to_place(entity.guid, &entity.body, &entity.shape, entity.mover_flags);
        self.events.touched.clear();
        let found = surroundings.place(&mover, place, slide, self.obstacles, &mut self.events.touched);
        if !sound {
            return false;
        }
        let touched = std::mem::take(&mut self.events.touched);
        let now = self.now;
        match &found {
            Ok(arrival) => commit(self, arrival, &touched, now),
            Err(PlacementError::NoRoom(arrival)) => {
                refuse(self, arrival, &touched, now);
            }
            Err(PlacementError::NoCell) => {}
        }
        self.events.touched = touched;
        found.is_ok()
    }

    /// Leaves the world for good: every motion is over without success (rule C16).
    pub fn exit_world(&mut self) {
        exit_world(self);
        while self.entity.interp.has_pending() {
            self.command_done();
        }
        self.unstick();
        self.forget_targets(TargetStatus::ExitWorld);
        end_touches(self);
    }

    /// Is taken out of its cell, carried or put away (rule C14).
    pub fn leave_world(&mut self) {
        end_touches(self);
        clear_transient_states(self);
        self.entity.body.flags.remove(BodyFlags::IN_CELL);
        self.entity.body.position.cell = CellId::NONE;
    }

    /// Takes over what the server says of the body; being hidden or shown drops links and completes what waits
    /// (rule C19).
    pub fn set_state(&mut self, state: PhysicsState) {
        let changed = self.entity.body.state ^ state;
        self.entity.body.state = state;
        if changed.contains(PhysicsState::HIDDEN) {
            let hidden = state.contains(PhysicsState::HIDDEN);
            let body = &mut self.entity.body;
            body.state.set(PhysicsState::IGNORE_COLLISIONS, hidden);
            body.state.set(PhysicsState::REPORT_COLLISIONS, !hidden);
            if hidden {
                end_touches(self);
            }
            self.emit(MotionEvent::Hidden(hidden));
            self.remove_link_animations();
        }
    }

    /// Lets things through, or becomes solid; that waits until nothing overlaps the body (rule C20).
    pub fn set_ethereal<S: Surroundings + ?Sized>(&mut self, ethereal: bool, surroundings: &S) {
        let entity = &mut *self.entity;
        entity.body.state.set(PhysicsState::ETHEREAL, ethereal);
        entity.body.transient.remove(TransientState::CHECK_ETHEREAL);
        if ethereal {
            return;
        }
        if !surroundings.is_free(entity.guid, &entity.body.position, self.obstacles) {
            entity.body.state.insert(PhysicsState::ETHEREAL);
            entity.body.transient.insert(TransientState::CHECK_ETHEREAL);
        }
    }

    /// Drops every link that has not been played and completes, without success, everything that waits (rule G17).
    #[doc(alias = "RemoveLinkAnimations")]
    #[doc(alias = "HandleEnterWorld")]
    pub fn remove_link_animations(&mut self) {
        let library = self.library;
        enter_world(self, library);
    }
}
