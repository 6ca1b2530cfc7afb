//! Missiles: arrows fly in an arc, bolts in a straight line, until they hit something (rules B4, C11). There is no damage.

use acmotion::dat::{DataId, mannequin};
use acmotion::types::{CellPosition, Guid, MotionCommand, Stamp, Vec3};
use acmotion::wire::{ObjectStamps, PhysicsState};
use acmotion::{EntitySpec, Resident};

use super::object::FIRST_STAMPS;
use super::{Server, messages};

/// The id of the first missile.
const FIRST_MISSILE: u32 = 0x7000_0001;
/// The maximum number of missiles in the world. The oldest is removed for another one.
const MAX_MISSILES: usize = 64;
/// The maximum time of a flight, and the time for which an arrow stays where it has hit the ground, in seconds.
const MAX_FLIGHT: f64 = 8.0;
const STUCK_SECONDS: f64 = 4.0;
/// The height at which missiles start, and the height of a target that they fly at, in metres.
const SHOULDER: f32 = 1.4;
const TARGET_HEIGHT: f32 = 0.9;
/// The distance in front of the shooter at which missiles start, in metres: outside of its body.
const START_DISTANCE: f32 = 0.75;
/// The distance from the middle of a target, in metres, up to which a missile has hit it. On ground where bodies do not
/// collide with each other, nothing else would stop it.
const HIT_RANGE: f32 = 0.9;
/// The acceleration of gravity, in metres per second squared (rule C4).
const GRAVITY: f32 = 9.8;
/// The states of missiles, as servers of the game sent them: reporting collisions, missile, aligned with its path, path
/// clipped and inelastic; arrows have gravity, bolts light and scripted collisions.
const ARROW_STATE: PhysicsState = PhysicsState::from_bits_retain(0x0002_0748);
const BOLT_STATE: PhysicsState = PhysicsState::from_bits_retain(0x0002_8B48);
/// The state of an arrow that sticks in something.
const STUCK_STATE: PhysicsState = PhysicsState::from_bits_retain(0x0002_0414);

/// The kind of a missile.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum MissileKind {
    Arrow,
    Bolt,
}

impl MissileKind {
    const fn name(self) -> &'static str {
        match self {
            Self::Arrow => "Arrow",
            Self::Bolt => "Bolt",
        }
    }

    const fn setup(self) -> DataId {
        match self {
            Self::Arrow => mannequin::ARROW_SETUP,
            Self::Bolt => mannequin::BOLT_SETUP,
        }
    }

    const fn state(self) -> PhysicsState {
        match self {
            Self::Arrow => ARROW_STATE,
            Self::Bolt => BOLT_STATE,
        }
    }

    /// Returns the speed over the ground, in metres a second.
    const fn speed(self) -> f32 {
        match self {
            Self::Arrow => 24.0,
            Self::Bolt => 14.5,
        }
    }

    /// Returns the velocity with which it reaches a point at an offset, in metres a second.
    fn velocity(self, offset: Vec3) -> Vec3 {
        let flat = Vec3 { z: 0.0, ..offset };
        let seconds = (flat.length() / self.speed()).max(0.02);
        let fall = if self == Self::Arrow { 0.5 * GRAVITY * seconds } else { 0.0 };
        Vec3 { z: offset.z / seconds + fall, ..flat * (1.0 / seconds) }
    }
}

/// A missile.
#[derive(Clone, Debug)]
pub(super) struct Missile {
    guid: Guid,
    kind: MissileKind,
    target: Guid,
    /// The time at which it is removed, in seconds.
    ends: f64,
    has_hit: bool,
}

impl Server {
    /// Returns `true` if an entity is a missile, in flight or stuck in something.
    pub fn is_missile(&self, guid: Guid) -> bool {
        self.missiles.iter().any(|missile| missile.guid == guid)
    }

    pub(super) fn missile_name(&self, guid: Guid) -> Option<&str> {
        self.missiles.iter().find(|missile| missile.guid == guid).map(|missile| missile.kind.name())
    }

    /// Returns where a missile of a shooter starts, and its velocity; `None` if one of the two does not exist.
    fn trajectory(&self, shooter: Guid, target: Guid, kind: MissileKind) -> Option<(CellPosition, Vec3)> {
        let (from, to) = (self.world.find(shooter)?.position(), self.world.find(target)?.position());
        let mut start = from;
        start.frame.set_heading(from.heading_to(&to));
        let ahead = start.frame.forward() * START_DISTANCE;
        start.frame.origin += ahead + Vec3::new(0.0, 0.0, SHOULDER);
        let start = if from.cell.is_room() { start } else { start.adjusted_to_outside()? };
        let offset = start.offset_to(&to) + Vec3::new(0.0, 0.0, TARGET_HEIGHT);
        Some((start, kind.velocity(offset)))
    }

    /// Returns the aim that is nearest to the direction in which an arrow has to leave.
    pub(super) fn aim(&self, shooter: Guid, target: Guid) -> MotionCommand {
        let trajectory = self.trajectory(shooter, target, MissileKind::Arrow);
        let rise = trajectory.map_or(0.0, |(_, velocity)| {
            let flat = Vec3 { z: 0.0, ..velocity }.length();
            libm::atan2f(velocity.z, flat).to_degrees()
        });
        match rise {
            rise if rise > 22.5 => MotionCommand::AIM_HIGH_30,
            rise if rise > 7.5 => MotionCommand::AIM_HIGH_15,
            rise if rise < -22.5 => MotionCommand::AIM_LOW_30,
            rise if rise < -7.5 => MotionCommand::AIM_LOW_15,
            _ => MotionCommand::AIM_LEVEL,
        }
    }

    /// Launches a missile at a target, unless a wall is right in front of the shooter.
    pub(super) fn launch(&mut self, shooter: Guid, target: Guid, kind: MissileKind, now: f64) {
        let Some((start, velocity)) = self.trajectory(shooter, target, kind) else { return };
        if self.missiles.len() >= MAX_MISSILES {
            self.remove_missile(0, now);
        }
        let number = self.missile_count;
        self.missile_count = number.wrapping_add(1);
        // Ids are used again after many missiles. Each use is another instance (rule D12).
        let slots = 4 * MAX_MISSILES as u32;
        let guid = Guid(FIRST_MISSILE + number % slots);
        let instance = Stamp((number / slots + 1) as u16);
        let spec = EntitySpec {
            position: Some(start),
            velocity: Some(velocity),
            state: kind.state(),
            friction: 1.0,
            elasticity: 0.0,
            stamps: ObjectStamps { instance, ..FIRST_STAMPS },
            ..EntitySpec::item(guid, kind.setup())
        };
        let Ok(id) = self.world.spawn(&spec, now) else { return };
        self.missiles.push(Missile { guid, kind, target, ends: now + MAX_FLIGHT, has_hit: false });
        let Some(description) = self.world.describe(id).map(|missile| missile.named(kind.name())) else {
            return;
        };
        for client in self.entered().collect::<Vec<_>>() {
            self.send_description(client, &description);
        }
    }

    /// Ends the flights of missiles. One that has hit its target is gone, and so is a bolt that has hit anything; an arrow
    /// sticks for a while.
    pub(super) fn update_missiles(&mut self, now: f64) {
        let mut index = 0;
        while let Some(Missile { guid, kind, target, ends, has_hit }) = self.missiles.get(index).cloned() {
            let resident = self.world.find(guid);
            let is_flying = |missile: &Resident| missile.body().state.contains(PhysicsState::MISSILE);
            let is_lost = resident.is_none_or(|missile| !missile.body().is_in_cell());
            let hits = !has_hit && !is_lost && !resident.is_some_and(is_flying);
            let is_gone = is_lost || now >= ends || (hits && kind == MissileKind::Bolt);
            if is_gone || (!has_hit && self.is_at(guid, target)) {
                self.remove_missile(index, now);
                continue;
            }
            if hits {
                let missile = &mut self.missiles[index];
                (missile.has_hit, missile.ends) = (true, now + STUCK_SECONDS);
                self.stop_missile(guid, now);
            }
            index += 1;
        }
    }

    /// Returns `true` if a missile is at its target.
    fn is_at(&self, missile: Guid, target: Guid) -> bool {
        let (Some(missile), Some(target)) = (self.world.find(missile), self.world.find(target)) else {
            return false;
        };
        let offset = missile.position().offset_to(&target.position()) + Vec3::new(0.0, 0.0, TARGET_HEIGHT);
        offset.length() <= HIT_RANGE
    }

    /// Lets a missile stick where it is, in the server's own world and for all clients.
    fn stop_missile(&mut self, guid: Guid, now: f64) {
        let Some(id) = self.world.id_of(guid) else { return };
        let state = self.world.set_state(id, STUCK_STATE, now).map(messages::encoded);
        let velocity = self.world.set_velocity(id, Vec3::ZERO, Vec3::ZERO, now).map(messages::encoded);
        for bytes in state.into_iter().chain(velocity) {
            self.send_to_all(bytes);
        }
    }

    fn remove_missile(&mut self, index: usize, now: f64) {
        let missile = self.missiles.remove(index);
        let Some(id) = self.world.id_of(missile.guid) else { return };
        let message = self.world.describe_delete(id);
        self.world.despawn(id, now);
        if let Some(message) = message {
            self.send_to_all(messages::encoded(message));
        }
    }
}

#[cfg(test)]
mod tests {
    use acmotion::dat::Assets;
    use acmotion::types::Guid;

    use super::{MAX_MISSILES, MissileKind};
    use crate::scenario::{CreatureSpec, Ground, LocalPosition, Scenario};
    use crate::server::Server;

    /// However many are shot, the oldest makes room for another one, and each flight ends.
    #[test]
    fn the_missiles_of_a_world_are_limited() {
        let scenario = Scenario::default();
        let ground = Ground::default().surroundings(scenario.landblock).unwrap();
        let mut server = Server::new(&scenario, Assets::mannequin(), ground);
        let [archer, target] = [Guid(0x8000_0001), Guid(0x8000_0002)];
        for (guid, x) in [(archer, 90.0), (target, 130.0)] {
            let spec = CreatureSpec { position: LocalPosition::new(x, 90.0), ..CreatureSpec::default() };
            assert!(server.add_creature(&spec, guid, 0.0));
        }
        for shot in 0..MAX_MISSILES + 10 {
            server.launch(archer, target, MissileKind::Arrow, 0.01 * shot as f64);
        }
        assert_eq!(server.missiles.len(), MAX_MISSILES);
        assert_eq!(server.world().entities().count(), 2 + MAX_MISSILES);
        server.update_missiles(100.0);
        assert_eq!(server.world().entities().count(), 2, "none flies for ever");
    }
}
