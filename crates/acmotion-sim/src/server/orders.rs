//! Movements that the server imposes: moving to, turning, actions (rules E4, E5, J).

use acmotion::types::{CellPosition, Guid, MotionCommand};
use acmotion::wire::{
    ActionItem, Actions, InterpretedState, MotionFlags, MoveFlags, MoveToParams, Movement, MovementBody,
    Origin, PhysicsState, TurnToParams,
};

use super::object::Role;
use super::{Server, messages};

/// The flags with which creatures chase, as community servers send them (recorded).
const CHARGE: MoveFlags = MoveFlags::from_bits_retain(0x1_EFFF);
/// The flags with which a player charges, as retail servers send them (recorded).
const PLAYER_CHARGE: MoveFlags = MoveFlags::from_bits_retain(0x41_EFF0);
/// The distance, in metres, beyond which chasing creatures run (recorded).
const RUN_THRESHOLD: f32 = 1.0;

impl Server {
    pub(super) fn move_to_position(&mut self, guid: Guid, target: &CellPosition, now: f64) {
        let origin = Origin { cell: target.cell, point: target.frame.origin };
        let run_rate = self.run_rate(guid);
        self.impose(
            guid,
            MovementBody::MoveToPosition { origin, params: MoveToParams::default(), run_rate },
            now,
        );
    }

    /// Chases an object, and sticks to it on arrival if `sticks`.
    pub(super) fn move_to_object(&mut self, guid: Guid, target: Guid, sticks: bool, now: f64) {
        let Some(origin) = self.origin_of(target) else { return };
        let mut params =
            MoveToParams { flags: CHARGE, walk_run_threshold: RUN_THRESHOLD, ..MoveToParams::default() };
        params.flags.set(MoveFlags::STICKY, sticks);
        let run_rate = self.run_rate(guid);
        self.impose(guid, MovementBody::MoveToObject { target, origin, params, run_rate }, now);
    }

    /// Charges a player at its target, as recorded of retail servers.
    pub(super) fn charge_player(&mut self, guid: Guid, target: Guid, now: f64) {
        let Some(origin) = self.origin_of(target) else { return };
        let params = MoveToParams {
            flags: PLAYER_CHARGE,
            min_distance: 0.1,
            fail_distance: 15.0,
            speed: 1.5,
            ..MoveToParams::default()
        };
        let run_rate = self.run_rate(guid);
        self.impose(guid, MovementBody::MoveToObject { target, origin, params, run_rate }, now);
    }

    /// Moves a player to an object, as when the player uses it (rule P5).
    pub(crate) fn move_player_to(&mut self, guid: Guid, target: Guid, now: f64) {
        let Some(origin) = self.origin_of(target) else { return };
        let (params, run_rate) = (MoveToParams::default(), self.run_rate(guid));
        self.impose(guid, MovementBody::MoveToObject { target, origin, params, run_rate }, now);
    }

    pub(super) fn turn_to_heading(&mut self, guid: Guid, heading: f32, now: f64) {
        let desired_heading = heading.rem_euclid(360.0);
        let params = TurnToParams { desired_heading, ..TurnToParams::default() };
        self.impose(guid, MovementBody::TurnToHeading { params }, now);
    }

    pub(super) fn turn_to_object(&mut self, guid: Guid, target: Guid, now: f64) {
        let residents = self.world.find(guid).zip(self.world.find(target));
        let heading = residents.map_or(0.0, |(from, to)| from.position().heading_to(&to.position()));
        let params = TurnToParams::default();
        self.impose(guid, MovementBody::TurnToObject { target, heading, params }, now);
    }

    /// Stops an object, and sticks it to another if one is given.
    pub(super) fn stop(&mut self, guid: Guid, sticky: Option<Guid>, now: f64) {
        let Some(object) = self.object(guid) else { return };
        let movement = messages::interpreted(object.style, InterpretedState::default(), sticky);
        self.set_movement(guid, movement, false, now);
    }

    /// Starts an action, sticking to its target if there is one (rules E4, E8).
    pub(super) fn start_action(&mut self, guid: Guid, action: MotionCommand, target: Option<Guid>, now: f64) {
        let Some(object) = self.object_mut(guid) else { return };
        let stamp = object.action_stamp.draw();
        let item = ActionItem { command: action, stamp, autonomous: false, speed: 1.0 };
        let items = [item];
        let state = InterpretedState { actions: Actions::new(&items), ..InterpretedState::default() };
        let movement = messages::interpreted(object.style, state, target);
        self.set_movement(guid, movement, false, now);
    }

    /// Opens a door, which then lets bodies through, or closes it (recorded).
    pub(super) fn set_door(&mut self, guid: Guid, open: bool, now: f64) {
        let Some(object) = self.object_mut(guid) else { return };
        object.forward = if open { MotionCommand::ON } else { MotionCommand::OFF };
        let state = InterpretedState { forward_command: Some(object.forward), ..InterpretedState::default() };
        let movement = messages::interpreted(object.style, state, None);
        self.set_movement(guid, movement, false, now);
        self.change_state(guid, now, |state| state.set(PhysicsState::ETHEREAL, open));
    }

    fn impose(&mut self, guid: Guid, body: MovementBody<'_>, now: f64) {
        let Some(object) = self.object(guid) else { return };
        let movement = Movement { flags: MotionFlags::empty(), style: object.style, body };
        self.set_movement(guid, movement, false, now);
    }

    fn origin_of(&self, guid: Guid) -> Option<Origin> {
        let position = self.world.find(guid)?.position();
        Some(Origin { cell: position.cell, point: position.frame.origin })
    }

    fn run_rate(&self, guid: Guid) -> f32 {
        use acmotion::Weenie as _;
        match self.object(guid).map(|object| &object.role) {
            Some(Role::Creature(creature)) => creature.run_rate,
            Some(Role::Player { client, .. }) => {
                let connection = self.connections.get(client.0);
                connection.and_then(|connection| connection.weenie.run_rate()).unwrap_or(1.0)
            }
            None => 1.0,
        }
    }
}
