//! Ticks leave out entities that nothing can happen to. A world restored from a snapshot visits all of them at first, so
//! that a world that is restored before every tick shows what happens if all are visited in every tick.

use crate::town_support;
use crate::world_support;

use acmotion::dat::{Assets, mannequin};
use acmotion::types::{Guid, Vec3};
use acmotion::wire::{PhysicsState, PlayScriptId};
use acmotion::{EntitySpec, HeldBy, World};
use proptest::prelude::*;
use town_support::town_settings;
use world_support::*;

/// What a server does to one of a few objects.
#[derive(Clone, Debug)]
enum Deed {
    Nothing,
    Spawn { stored: bool },
    PickUp,
    Drop,
    Hold { parent: u32 },
    Despawn,
    SetState(PhysicsState),
    Report,
    Throw,
    Walk,
    PlayScript,
}

fn deed() -> impl Strategy<Value = Deed> {
    prop_oneof![
        4 => Just(Deed::Nothing),
        3 => any::<bool>().prop_map(|stored| Deed::Spawn { stored }),
        2 => Just(Deed::PickUp),
        2 => Just(Deed::Drop),
        2 => (0..OBJECTS).prop_map(|parent| Deed::Hold { parent }),
        1 => Just(Deed::Despawn),
        1 => proptest::sample::select(vec![PhysicsState::FROZEN, PhysicsState::HIDDEN, PhysicsState::empty()])
            .prop_map(|state| Deed::SetState(PhysicsState::GRAVITY | PhysicsState::EDGE_SLIDE | state)),
        2 => Just(Deed::Report),
        1 => Just(Deed::Throw),
        1 => Just(Deed::Walk),
        1 => Just(Deed::PlayScript),
    ]
}

/// The number of objects. The first two are creatures, the others items.
const OBJECTS: u32 = 70;

fn guid(number: u32) -> Guid {
    Guid(0x5000_0100 + number)
}

fn spec(number: u32, stored: bool) -> EntitySpec {
    let place = at(20.0 + 2.0 * (number % 10) as f32, 20.0 + 2.0 * (number / 10) as f32);
    let spec = if number < 2 {
        EntitySpec::new(guid(number), place)
    } else {
        EntitySpec::item(guid(number), mannequin::SWORD_SETUP)
    };
    EntitySpec { position: (!stored).then_some(place), ..spec }
}

fn perform(world: &mut World, number: u32, deed: &Deed, stamp: u16, now: f64) {
    let id = world.id_of(guid(number));
    let place = at(30.0 + f32::from(stamp % 20), 30.0);
    // What a world refuses, both refuse.
    match (deed, id) {
        (Deed::Spawn { stored }, None) => {
            let _ = world.spawn(&spec(number, *stored), now);
        }
        (Deed::PickUp, Some(id)) => {
            world.pick_up(id, now);
        }
        (Deed::Drop, Some(id)) => {
            let _ = world.drop_at(id, &place, 0, now);
        }
        (Deed::Hold { parent }, Some(id)) => {
            let _ = world.set_parent(id, HeldBy { parent: guid(*parent), location: 1 }, 0, now);
        }
        (Deed::Despawn, Some(id)) => {
            world.despawn(id, now);
        }
        (Deed::SetState(state), Some(id)) => {
            let _ = world.set_state(id, *state, now);
        }
        (Deed::Report, _) => {
            let _ = world.receive(&position(guid(number), &place, stamp), now);
        }
        (Deed::Throw, _) => {
            let _ = world.receive(&vector(guid(number), Vec3::new(1.0, 2.0, 5.0), stamp), now);
        }
        (Deed::Walk, _) => {
            let _ = world.receive(&motion(guid(number), running(1.0), stamp), now);
        }
        (Deed::PlayScript, _) => {
            let script = PlayScriptId { guid: guid(number), script: mannequin::scripts::BLESSING.0 };
            let _ = world.receive(&encode(script), now);
        }
        _ => {}
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn leaving_out_what_nothing_can_happen_to_changes_no_bit(
        deeds in proptest::collection::vec((0..OBJECTS, deed()), 1..120), in_town: bool,
    ) {
        let settings = if in_town { town_settings() } else { settings(|_| {}) };
        let surroundings = settings.surroundings.clone();
        let mut world = World::with_settings(Assets::mannequin(), settings);
        let mut now = 10.0;
        for number in 0..OBJECTS {
            perform(&mut world, number, &Deed::Spawn { stored: number % 3 != 0 }, 0, now);
        }
        for (stamp, (number, deed)) in (1..).zip(&deeds) {
            let restored = World::restore(&world.snapshot(), Assets::mannequin(), surroundings.clone());
            let mut everybody = restored.expect("the snapshot is valid");
            now += TICK;
            for world in [&mut world, &mut everybody] {
                world.advance(now);
                perform(world, *number, deed, stamp, now);
            }
            prop_assert!(world.snapshot() == everybody.snapshot(), "after {deed:?} to object {number}");
            world.drain_events().for_each(drop);
        }
    }
}
