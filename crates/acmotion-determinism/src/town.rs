//! A player and creatures in the mannequin's town.

use std::sync::Arc;

use acmotion::dat::mannequin::town::landmarks;
use acmotion::dat::{Assets, mannequin};
use acmotion::scene::Scene;
use acmotion::types::{CellPosition, Guid, MotionCommand, Vec3};
use acmotion::wire::CombatMode;
use acmotion::{EntitySpec, Identity, PlayerWeenie, Settings, World};

use crate::Story;
use crate::messages::{motion, running};

const PLAYER: Guid = Guid(0x5000_000A);
const DOOR: Guid = Guid(0x7000_0001);
const COUNT: u32 = 60;

fn guid(number: u32) -> Guid {
    Guid(0x5000_0100 + number)
}

/// Returns a town in which the player walks into the house, jumps and fights, among creatures that run into walls, trees
/// and each other.
pub(crate) fn story() -> Story {
    let scene = match Scene::load(&Assets::mannequin(), &Assets::town()) {
        Ok(scene) => scene,
        Err(error) => unreachable!("the built-in town can be loaded: {error}"),
    };
    let settings = Settings {
        player: Identity::Known(PLAYER),
        surroundings: Some(Arc::new(scene)),
        ..Settings::default()
    };
    let mut world = World::with_settings(Assets::mannequin(), settings);
    let town = landmarks();
    let door = EntitySpec {
        setup: Some(mannequin::DOOR_SETUP),
        motion_table: Some(mannequin::DOOR_TABLE),
        is_creature: false,
        ..EntitySpec::new(DOOR, town.door)
    };
    let creatures = (0..COUNT).map(|number| EntitySpec::new(guid(number), start(number)));
    for spec in [EntitySpec::new(PLAYER, town.spawn), door].into_iter().chain(creatures) {
        // Every guid and position is valid; an entity that is missing changes the digest.
        let _ = world.spawn(&spec, 10.0);
    }
    let weenie = PlayerWeenie { run_skill: 200, jump_skill: 300, ..PlayerWeenie::default() };
    world.player_mut().set_weenie(weenie, 10.0);
    Story { world, before: Box::new(before) }
}

/// Returns the position at which a creature starts: close together, facing in all directions.
fn start(number: u32) -> CellPosition {
    let mut position = landmarks().spawn;
    position.frame.origin +=
        Vec3::new((number % 8) as f32 * 3.0 - 12.0, (number / 8) as f32 * 2.2 - 14.0, 0.0);
    position.frame.set_heading((number * 77 % 360) as f32);
    position.adjusted_to_outside().unwrap_or(position)
}

fn before(world: &mut World, tick: u32, now: f64) {
    if tick % 40 == 5 {
        for number in 0..COUNT {
            let mut state = running(0.4 + number as f32 / 40.0);
            if (number + tick).is_multiple_of(3) {
                state.turn_command = Some(MotionCommand::TURN_RIGHT);
            }
            let _ = world.receive(&motion(guid(number), state, 1 + tick as u16), now);
        }
    }
    let town = landmarks();
    let mut player = world.player_mut();
    // A request may be refused; it is then refused on every machine.
    match tick {
        10 => drop(player.walk_to(town.doorstep, now)),
        150 => drop(player.use_object(DOOR, now)),
        210 => drop(player.walk_to(town.hall, now)),
        330 => drop(player.press(MotionCommand::WALK_FORWARD, now)),
        345 => drop(player.press(MotionCommand::JUMP, now)),
        360 => drop(player.release(MotionCommand::JUMP, now)),
        400 => drop(player.release(MotionCommand::WALK_FORWARD, now)),
        430 => drop(player.set_stance(CombatMode::MELEE)),
        500 => drop(player.press(MotionCommand::TURN_LEFT, now)),
        _ => {}
    }
}
