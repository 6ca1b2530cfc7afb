//! Entering and leaving the world, and the hidden and ethereal states (rules C14, C16–C20).

use acmotion_types::{CellId, CellPosition};

use super::scatter::Scatter;
use super::{Actor, MotionEvent};
use crate::body::{
    BodyFlags, PhysicsState, TransientState, clear_transient_states, commit, end_touches,
    handle_failed_placement,
};
use crate::collide::{Arrival, MoverFlags, PlacementError, Surroundings};
use crate::effects::ScriptType;
use crate::steer::TargetStatus;
use crate::table::{enter_world, exit_world};
use crate::world::PlacementFailure;

/// The result of a placement that did not fail. In the original a body without a cell is placed, too, but lost.
pub struct Placed {
    in_cell: bool,
}

/// Why a body was not placed: the results of the original other than success (rule C18).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[doc(alias = "SetPositionError")]
pub enum Refusal {
    /// The position is not finite, or its rotation is not valid. The original does not check that.
    InvalidPosition,
    /// There is no free position, and nothing was reported while one was searched for.
    NoValidPosition,
    /// There is no cell at the position that was found.
    NoCell,
    /// There is no free position, and a collision was reported (`docs/collision.md` 9.4).
    Collided,
}

impl Refusal {
    fn failure(self) -> PlacementFailure {
        match self {
            Self::InvalidPosition => PlacementFailure::InvalidPosition,
            Self::NoValidPosition | Self::Collided => PlacementFailure::NoRoom,
            Self::NoCell => PlacementFailure::NoCell,
        }
    }
}

impl Placed {
    fn in_cell(self) -> Result<(), PlacementFailure> {
        if self.in_cell { Ok(()) } else { Err(PlacementFailure::NoCell) }
    }
}

/// Moves an actor to a position at once, as [`Actor::set_position`] does (rule C18, `docs/collision.md` 10.2).
///
/// # Errors
/// Returns a [`Refusal`] if the body was not moved. What it hit while a free position was searched for still counts.
pub fn place<S: Surroundings + ?Sized>(
    actor: &mut Actor<'_>,
    position: &CellPosition,
    slide: bool,
    surroundings: &S,
) -> Result<Placed, Refusal> {
    if !position.frame.is_valid() || !position.frame.origin.is_finite() {
        return Err(Refusal::InvalidPosition);
    }
    let entity = &*actor.entity;
    let mover = entity.body.placement_mover(entity.guid, &entity.shape, entity.mover_flags);
    if entity.mover_flags.contains(MoverFlags::IS_FORCED_INTO_CELL) {
        let found = surroundings.adjust_to_cell(&mover, position);
        actor.force_into_cell(position, found);
        return Ok(Placed { in_cell: found.is_some() });
    }
    actor.events.touched.clear();
    let placed = surroundings.place(&mover, position, slide, actor.obstacles, &mut actor.events.touched);
    let touched = std::mem::take(&mut actor.events.touched);
    let now = actor.now;
    let result = match &placed {
        Ok(arrival) => {
            let body = &mut actor.entity.body;
            body.placements = body.placements.wrapping_add(1);
            commit(actor, arrival, &touched, now);
            Ok(Placed { in_cell: arrival.in_cell })
        }
        Err(PlacementError::NoRoom(arrival)) => {
            let is_reported = handle_failed_placement(actor, arrival, &touched, now);
            Err(if is_reported { Refusal::Collided } else { Refusal::NoValidPosition })
        }
        Err(PlacementError::NoCell) => Err(Refusal::NoCell),
    };
    actor.events.touched = touched;
    result
}

impl Actor<'_> {
    /// Enters the world at a position; `slide` allows it to be placed nearby. Returns `false` if there was no room, or
    /// if the body is attached to another (rule C17).
    pub fn enter_world<S: Surroundings + ?Sized>(
        &mut self,
        position: &CellPosition,
        slide: bool,
        surroundings: &S,
    ) -> bool {
        self.enter(position, slide, surroundings).is_ok()
    }

    /// [`enter_world`](Self::enter_world) with sliding, and with the reason if the body is in no cell afterwards.
    pub(crate) fn try_enter_world<S: Surroundings + ?Sized>(
        &mut self,
        position: &CellPosition,
        surroundings: &S,
    ) -> Result<(), PlacementFailure> {
        self.enter(position, true, surroundings)?.in_cell()
    }

    fn enter<S: Surroundings + ?Sized>(
        &mut self,
        position: &CellPosition,
        slide: bool,
        surroundings: &S,
    ) -> Result<Placed, PlacementFailure> {
        if self.entity.body.flags.contains(BodyFlags::HAS_PARENT) {
            return Err(PlacementFailure::NoRoom);
        }
        self.entity.body.clock.update_time = self.now;
        let placed = place(self, position, slide, surroundings).map_err(Refusal::failure)?;
        self.entity.body.transient.insert(TransientState::ACTIVE);
        self.remove_link_animations();
        Ok(placed)
    }

    /// Moves to a position at once; `slide` allows it to be placed nearby. Returns `false` if there was no room (rule C18).
    /// Whether it stands afterwards depends on the ground there. Its rotation is that of the position at once
    /// (`docs/collision.md` 10.6).
    ///
    /// Of the original's flags only `slide` is passed: placement does not read those for placing, teleporting and
    /// restoring (rule S3).
    #[doc(alias = "SetPositionSimple")]
    pub fn set_position<S: Surroundings + ?Sized>(
        &mut self,
        position: &CellPosition,
        slide: bool,
        surroundings: &S,
    ) -> bool {
        place(self, position, slide, surroundings).is_ok()
    }

    /// [`set_position`](Self::set_position) with sliding, and with the reason if the body was not moved or is in no cell
    /// afterwards.
    pub(crate) fn try_set_position<S: Surroundings + ?Sized>(
        &mut self,
        position: &CellPosition,
        surroundings: &S,
    ) -> Result<(), PlacementFailure> {
        place(self, position, true, surroundings).map_err(Refusal::failure)?.in_cell()
    }

    /// Puts a hook, storage or a corpse into the cell that was found, without collisions and without looking for ground.
    /// Without a cell it is lost (rule C18, `docs/collision.md` 10.2).
    fn force_into_cell(&mut self, wanted: &CellPosition, found: Option<CellPosition>) {
        let now = self.now;
        let body = &mut self.entity.body;
        body.placements = body.placements.wrapping_add(1);
        match found {
            Some(position) => self.entity.body.set_in_cell(&position),
            None => {
                let lost = Arrival { in_cell: false, ..Arrival::without_contact(*wanted) };
                commit(self, &lost, &[], now);
            }
        }
    }

    /// Moves to a random position near a given one, or to the given one if there is room and `scatter` allows it. Returns
    /// `false` if no attempt found room (`docs/collision.md` 10.1, 10.7). The same arguments give the same position.
    #[doc(alias = "SetScatterPositionInternal")]
    pub fn set_position_scattered<S: Surroundings + ?Sized>(
        &mut self,
        position: &CellPosition,
        slide: bool,
        scatter: &Scatter,
        surroundings: &S,
    ) -> bool {
        if !scatter.always && self.set_position(position, slide, surroundings) {
            return true;
        }
        (0..scatter.tries).any(|attempt| {
            let offset = scatter.offset(attempt);
            let mut scattered = *position;
            scattered.frame.origin += offset;
            self.set_position(&scattered, slide, surroundings)
        })
    }

    /// Leaves the world for good. All pending motions end without success (rule C16).
    pub fn exit_world(&mut self) {
        exit_world(self);
        while self.entity.interp.has_pending() {
            self.command_done();
        }
        self.unstick();
        self.forget_targets(TargetStatus::ExitWorld);
        end_touches(self);
    }

    /// Leaves its cell, to be carried or stored (rule C14).
    pub fn leave_world(&mut self) {
        end_touches(self);
        clear_transient_states(self);
        self.entity.body.flags.remove(BodyFlags::IN_CELL);
        self.entity.body.position.cell = CellId::NONE;
    }

    /// Becomes part of another body: it leaves its cell and is not updated until it is [detached](Self::unset_parent)
    /// (rules B3, D11).
    pub(crate) fn set_parent(&mut self) {
        self.leave_world();
        self.entity.body.flags.insert(BodyFlags::HAS_PARENT);
    }

    /// Ceases to be part of another body. It is in no cell until it is placed in one (rule D6).
    pub(crate) fn unset_parent(&mut self) {
        let body = &mut self.entity.body;
        body.flags.remove(BodyFlags::HAS_PARENT);
        body.position.cell = CellId::NONE;
        body.clock.update_time = self.now;
        clear_transient_states(self);
    }

    /// Sets the physics state. Being hidden or shown plays a script, drops link animations and completes pending motions
    /// (rule C19).
    pub fn set_state(&mut self, state: PhysicsState) {
        let changed = self.entity.body.state ^ state;
        self.entity.body.state = state;
        if changed.contains(PhysicsState::LIGHTING_ON) {
            self.set_lights(state.contains(PhysicsState::LIGHTING_ON));
        }
        if changed.contains(PhysicsState::NO_DRAW) {
            self.set_no_draw(state.contains(PhysicsState::NO_DRAW));
        }
        if changed.contains(PhysicsState::HIDDEN) {
            let hidden = state.contains(PhysicsState::HIDDEN);
            self.play_script_type(if hidden { ScriptType::HIDDEN } else { ScriptType::UN_HIDE }, 1.0);
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

    /// Becomes ethereal or solid. It stays ethereal while something overlaps the body; every step tries again (rule C20).
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

    /// Drops all link animations that have not been played, and completes all pending motions without success (rule G17).
    #[doc(alias = "RemoveLinkAnimations")]
    #[doc(alias = "HandleEnterWorld")]
    pub fn remove_link_animations(&mut self) {
        let library = self.library;
        enter_world(self, library);
    }
}
