//! `SetState` (F74B): the server sets an object's physics state (rules C19, D11).

use acmotion_types::Stamp;
use acmotion_wire::SetState;

use super::Handled;
use crate::body::PhysicsState;
use crate::gate::{self, Action, StateReport};
use crate::world::resident::{UnknownStamps, preceding};
use crate::world::{EventKind, World};

impl World {
    pub(in crate::world) fn on_set_state(&mut self, update: &SetState, now: f64) -> Handled {
        let index = self.check_instance(update.guid, update.instance)?;
        self.do_set_state(index, update.state, update.state_stamp, now);
        Ok(())
    }

    /// Decides on a physics state and sets it. The player leaves portal space when it is no longer hidden (rule D11).
    pub(in crate::world) fn do_set_state(
        &mut self,
        index: usize,
        state: PhysicsState,
        stamp: Stamp,
        now: f64,
    ) {
        let hidden = state.contains(PhysicsState::HIDDEN);
        let is_waiting = self.player.waiting_for_teleport;
        let decided = self.decide(index, now, |resident, situation| {
            resident.accept_first(UnknownStamps::STATE, |stamps| stamps.state = preceding(stamp));
            let report = StateReport { state: stamp, hidden };
            gate::state(&mut resident.stamps, report, situation.is_player, is_waiting)
        });
        let Some(actions) = decided else { return };
        for action in actions.iter() {
            match action {
                Action::SetState => {
                    let settings = &self.settings;
                    let missile = PhysicsState::MISSILE;
                    if let Some(resident) = self.store.at_mut(index).filter(|resident| {
                        resident.body().state.contains(missile) && !state.contains(missile)
                    }) {
                        resident.end_flight(settings);
                    }
                    self.act_at(index, now, |actor, _| actor.set_state(state));
                    self.register_static_at(index);
                }
                Action::ClearWaitingForTeleport => self.leave_portal_space(now),
                _ => {}
            }
        }
    }

    fn leave_portal_space(&mut self, now: f64) {
        self.player.waiting_for_teleport = false;
        if let Some(guid) = self.player.guid() {
            self.emit(guid, EventKind::PortalSpace(false), now);
        }
    }
}
