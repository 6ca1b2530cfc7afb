//! Movements that the server imposes: going, turning, striking (rules E4, E5, J).

use acmotion::types::{CellPosition, Guid, MotionCommand};
use acmotion::wire::{
    ActionItem, Actions, InterpretedState, MotionFlags, MoveFlags, MoveToParams, Movement, MovementBody,
    Origin, PhysicsState, TurnToParams,
};

use super::object::Role;
use super::{Server, messages};

/// How creatures come at somebody, as community servers send it (recorded).
const CHARGE: MoveFlags = MoveFlags::from_bits_retain(0x1_EFFF);
/// Farther than this they run, in metres (recorded).
const RUN_FROM: f32 = 1.0;

impl Server {
    /// Goes to a place.
    pub(super) fn send_to_place(&mut self, guid: Guid, place: &CellPosition, now: f64) {
        let origin = Origin { cell: place.cell, point: place.frame.origin };
        let run_rate = self.run_rate(guid);
        self.impose(
            guid,
            MovementBody::MoveToPosition { origin, params: MoveToParams::default(), run_rate },
            now,
        );
    }

    /// Goes to somebody; who strikes sticks to him.
    pub(super) fn send_to_object(&mut self, guid: Guid, target: Guid, sticks: bool, now: f64) {
        let Some(place) = self.world.find(target).map(|resident| resident.position()) else { return };
        let origin = Origin { cell: place.cell, point: place.frame.origin };
        let mut params =
            MoveToParams { flags: CHARGE, walk_run_threshold: RUN_FROM, ..MoveToParams::default() };
        params.flags.set(MoveFlags::STICKY, sticks);
        let run_rate = self.run_rate(guid);
        self.impose(guid, MovementBody::MoveToObject { target, origin, params, run_rate }, now);
    }

    /// A player is sent to somebody, as when he uses something (rule P5).
    pub(crate) fn send_player(&mut self, guid: Guid, target: Guid, now: f64) {
        let Some(place) = self.world.find(target).map(|resident| resident.position()) else { return };
        let origin = Origin { cell: place.cell, point: place.frame.origin };
        let (params, run_rate) = (MoveToParams::default(), self.run_rate(guid));
        self.impose(guid, MovementBody::MoveToObject { target, origin, params, run_rate }, now);
    }

    pub(super) fn turn_to_heading(&mut self, guid: Guid, heading: f32, now: f64) {
        let desired_heading = heading.rem_euclid(360.0);
        let params = TurnToParams { desired_heading, ..TurnToParams::default() };
        self.impose(guid, MovementBody::TurnToHeading { params }, now);
    }

    pub(super) fn turn_to_object(&mut self, guid: Guid, target: Guid, now: f64) {
        let places = self.world.find(guid).zip(self.world.find(target));
        let heading = places.map_or(0.0, |(from, to)| from.position().heading_to(&to.position()));
        let params = TurnToParams::default();
        self.impose(guid, MovementBody::TurnToObject { target, heading, params }, now);
    }

    /// Stops, close to somebody if that is meant.
    pub(super) fn stand(&mut self, guid: Guid, near: Option<Guid>, now: f64) {
        let Some(thing) = self.thing(guid) else { return };
        let movement = messages::interpreted(thing.style, InterpretedState::default(), near);
        self.move_thing(guid, movement, false, now);
    }

    /// An action, close to somebody if it is meant for him (rules E4, E8).
    pub(super) fn act(&mut self, guid: Guid, action: MotionCommand, target: Option<Guid>, now: f64) {
        let Some(thing) = self.thing_mut(guid) else { return };
        thing.action_stamp = thing.action_stamp.next();
        let item = ActionItem { command: action, stamp: thing.action_stamp, autonomous: false, speed: 1.0 };
        let items = [item];
        let state = InterpretedState { actions: Actions::new(&items), ..InterpretedState::default() };
        let movement = messages::interpreted(thing.style, state, target);
        self.move_thing(guid, movement, false, now);
    }

    /// A door swings open and lets through, or closes (recorded).
    pub(super) fn swing_door(&mut self, guid: Guid, open: bool, now: f64) {
        let Some(thing) = self.thing_mut(guid) else { return };
        thing.forward = if open { MotionCommand::ON } else { MotionCommand::OFF };
        let state = InterpretedState { forward_command: Some(thing.forward), ..InterpretedState::default() };
        let movement = messages::interpreted(thing.style, state, None);
        self.move_thing(guid, movement, false, now);
        self.change_state(guid, now, |state| state.set(PhysicsState::ETHEREAL, open));
    }

    fn impose(&mut self, guid: Guid, body: MovementBody<'_>, now: f64) {
        let Some(thing) = self.thing(guid) else { return };
        let movement = Movement { flags: MotionFlags::empty(), style: thing.style, body };
        self.move_thing(guid, movement, false, now);
    }

    fn run_rate(&self, guid: Guid) -> f32 {
        use acmotion::interp::Weenie as _;
        match self.thing(guid).map(|thing| &thing.role) {
            Some(Role::Creature(creature)) => creature.run_rate,
            Some(Role::Player { client, .. }) => {
                self.seats.get(client.0).and_then(|seat| seat.weenie.run_rate()).unwrap_or(1.0)
            }
            None => 1.0,
        }
    }
}
