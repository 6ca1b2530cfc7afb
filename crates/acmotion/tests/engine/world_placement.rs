//! Objects that are put into their cell without a search for room, and bodies that are set down at random
//! (rule C18, `docs/collision.md` 10.2, 10.7).

use crate::town_support;
use crate::world_support;

use acmotion::components::{Scatter, TransientState};
use acmotion::dat::mannequin::town::landmarks;
use acmotion::types::{CellId, CellPosition, Guid, Stamp, Vec3};
use acmotion::wire::{WeenieDesc, WeenieFields};
use town_support::*;
use world_support::{REMOTE, TestWorld, position_with};

const OTHER: Guid = Guid(0x5000_0002);

/// A creature, and an object of the same shape with these fields described at its position in front of the house.
fn put_on_a_creature(fields: WeenieFields<'_>) -> TestWorld {
    let mut scene = in_town();
    scene.add(OTHER, &landmarks().spawn, &CREATURE);
    scene.ticks(2);
    scene.events.clear();
    scene.send(&object(REMOTE, &landmarks().spawn, fields));
    scene
}

fn object(guid: Guid, position: &CellPosition, fields: WeenieFields<'_>) -> Vec<u8> {
    let mut weenie = Vec::new();
    fields.encode(&mut weenie);
    world_support::describe(guid, WeenieDesc::decode(&weenie).unwrap(), |physics| {
        physics.state = SOLID;
        physics.setup = Some(CREATURE.setup.0);
        physics.position = Some(*position);
    })
}

/// 10.2: hooks, storage and corpses are where they are described, whatever is there, and in no contact with it.
#[test]
fn hooks_storage_and_corpses_are_forced_into_their_cell() {
    let plain = WeenieFields::default();
    let spawn = landmarks().spawn;
    let corpse = WeenieFields { object_flags: 0x2000, ..plain };
    let storage = WeenieFields { class_id: 9687, ..plain };
    let hook = WeenieFields { hook_type: Some(1), hook_item_types: Some(0x80), ..plain };
    for (name, fields) in [("corpse", corpse), ("storage", storage), ("hook", hook)] {
        let scene = put_on_a_creature(fields);
        let body = scene.body(REMOTE);
        assert_eq!(body.position, spawn, "{name}");
        assert!(body.is_in_cell() && body.transient.contains(TransientState::ACTIVE), "{name}");
        assert!(!body.has_contact(), "{name}: no transition, so no contact");
        assert_eq!(scene.touches(REMOTE, OTHER) + scene.touches(OTHER, REMOTE), 0, "{name}: no collision");
    }
    let half_hooks = [
        WeenieFields { hook_type: Some(1), ..plain },
        WeenieFields { hook_item_types: Some(0x80), ..plain },
        WeenieFields { hook_type: Some(0), hook_item_types: Some(0x80), ..plain },
        WeenieFields { hook_type: Some(1), hook_item_types: Some(0), ..plain },
    ];
    for fields in half_hooks.into_iter().chain([plain, WeenieFields { class_id: 9686, ..plain }]) {
        let scene = put_on_a_creature(fields);
        let away = scene.origin(REMOTE) - spawn.frame.origin;
        assert!(away.x.hypot(away.y) > 0.9, "{fields:?} is placed beside the creature: {away:?}");
        assert!(scene.body(REMOTE).has_contact(), "and stands");
    }
}

/// A forced object stays where it is, even in the air: gravity begins with the first sweep that is committed, and without
/// a velocity there is none (rules C3, C4). It blocks as any other object does (8.5).
#[test]
fn a_corpse_stays_where_it_is_described_and_blocks() {
    let mut scene = in_town();
    let above = beside(landmarks().spawn, 0.0, 0.0, 0.5);
    scene.send(&object(REMOTE, &above, WeenieFields { object_flags: 0x2000, ..WeenieFields::default() }));
    scene.ticks(30);
    assert_eq!(scene.body(REMOTE).position, above);
    assert!(!scene.body(REMOTE).has_contact());
    let start = facing(beside(landmarks().spawn, 0.0, -3.0, 0.0), 0.0);
    scene.add(OTHER, &start, &CREATURE);
    scene.ticks(2);
    assert!(!scene.walk(OTHER, &beside(landmarks().spawn, 0.0, 3.0, 0.0), 120), "it blocks");
}

/// 7.7, 10.2: the cell is the one that contains the position, and an object in none is lost.
#[test]
fn a_forced_object_is_put_into_the_cell_that_contains_it() {
    let town = landmarks();
    let corpse = WeenieFields { object_flags: 0x2000, ..WeenieFields::default() };
    let mut scene = in_town();
    let wrong = CellPosition { cell: town.loft.cell, ..town.hall };
    scene.send(&object(REMOTE, &wrong, corpse));
    assert_eq!(scene.body(REMOTE).position, town.hall, "the room is corrected");
    let nowhere = CellPosition::at(CellId(0x1010_0025), Vec3::new(100.0, 100.0, 5.0));
    scene.send(&position_with(REMOTE, &nowhere, 1, |pack| pack.teleport = Stamp(1)));
    let body = scene.body(REMOTE);
    assert!(!body.is_in_cell() && !body.transient.contains(TransientState::ACTIVE), "lost");
    assert_eq!(body.position, nowhere, "but it keeps the position");
}

/// Sets a creature down near the spawn point, where another one stands.
fn scatter(scatter: Scatter) -> (bool, Vec3) {
    let mut scene = in_town();
    let spawn = landmarks().spawn;
    scene.add(OTHER, &spawn, &CREATURE);
    scene.add(REMOTE, &beside(spawn, 20.0, 0.0, 0.0), &CREATURE);
    scene.ticks(2);
    let (before, now) = (scene.origin(REMOTE), scene.now);
    let found = scene
        .world
        .act(REMOTE, now, |actor, around| actor.set_position_scattered(&spawn, false, &scatter, around))
        .unwrap();
    let origin = scene.origin(REMOTE);
    assert!(found || origin == before, "a body that finds no room stays where it is");
    (found, spawn.offset_to(&scene.body(REMOTE).position))
}

/// 10.1, 10.7: random positions are tried after the given one, or instead of it.
#[test]
fn a_scattered_body_finds_room_near_the_position() {
    let wide = Scatter { x_radius: 3.0, y_radius: 2.0, tries: 40, ..Scatter::default() };
    let mut offsets = Vec::new();
    for seed in 0..20 {
        let (found, offset) = scatter(Scatter { seed, ..wide });
        assert!(found);
        assert!(offset.x.abs() <= 3.0 && offset.y.abs() <= 2.0, "{offset:?}");
        assert!(offset.x.hypot(offset.y) > 0.9, "beside the creature: {offset:?}");
        assert_eq!(scatter(Scatter { seed, ..wide }).1, offset, "the same seed gives the same position");
        offsets.push(offset);
    }
    let sides = |axis: fn(&Vec3) -> f32| {
        let values: Vec<f32> = offsets.iter().map(axis).collect();
        (values.iter().any(|value| *value > 0.5), values.iter().any(|value| *value < -0.5))
    };
    assert_eq!(
        (sides(|offset| offset.x), sides(|offset| offset.y)),
        ((true, true), (true, true)),
        "{offsets:?}"
    );
    assert!(!scatter(Scatter { tries: 0, ..wide }).0, "no attempts");
    assert!(!scatter(Scatter { x_radius: 0.2, y_radius: 0.2, ..wide }).0, "no room so near");
}

/// RANDOMSCATTER leaves out the given position, SCATTER tries it first.
#[test]
fn the_given_position_is_tried_first_unless_scatter_is_always_wanted() {
    let place = |always: bool| {
        let mut scene = in_town();
        let spawn = landmarks().spawn;
        scene.add(REMOTE, &beside(spawn, 20.0, 0.0, 0.0), &CREATURE);
        let scatter = Scatter { x_radius: 3.0, y_radius: 3.0, tries: 5, always, seed: 7 };
        let now = scene.now;
        scene.world.act(REMOTE, now, |actor, around| {
            assert!(actor.set_position_scattered(&spawn, false, &scatter, around));
        });
        scene.origin(REMOTE) - spawn.frame.origin
    };
    let (first, random) = (place(false), place(true));
    assert!(first.x.hypot(first.y) < 0.01, "{first:?}");
    assert!(random.x.hypot(random.y) > 0.1, "{random:?}");
}
