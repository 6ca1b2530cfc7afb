//! Houses: which players their cells let in, and players that arrive before their house (`docs/collision.md` 8.7).

use crate::town_support;
use crate::world_support;

use std::sync::Arc;

use acmotion::dat::Assets;
use acmotion::dat::mannequin::town::landmarks;
use acmotion::types::{CellPosition, Guid, MotionCommand, Stamp};
use acmotion::wire::{HouseRestrictions, WeenieDesc, WeenieFields};
use acmotion::{House, HouseAccess, Settings, World};
use town_support::*;
use world_support::{PLAYER, REMOTE, TestWorld, delete, position_with};

const OWNER: Guid = Guid(0x5000_0020);
const MONARCH: Guid = Guid(0x5000_0021);
const STRANGER: Guid = REMOTE;

fn in_guarded_town() -> TestWorld {
    TestWorld::with(Settings { surroundings: Some(Arc::new(guarded_town())), ..Settings::default() })
}

/// The description of an object with these fields of its game description.
fn describe_with(
    guid: Guid,
    position: Option<CellPosition>,
    kind: &ObjectKind,
    fields: WeenieFields<'_>,
) -> Vec<u8> {
    let mut weenie = Vec::new();
    let fields = WeenieFields { item_type: kind.item_type, object_flags: kind.object_flags, ..fields };
    fields.encode(&mut weenie);
    world_support::describe(guid, WeenieDesc::decode(&weenie).unwrap(), |physics| {
        physics.state = kind.state;
        physics.setup = Some(kind.setup.0);
        physics.motion_table = kind.table.map(|table| table.0);
        physics.position = position;
    })
}

/// The description of the house's restriction object, which is nowhere in the world itself.
fn house(owner: Option<Guid>, rules: Option<(bool, Guid, &[Guid])>) -> Vec<u8> {
    let mut bytes = Vec::new();
    if let Some((open, monarch, guests)) = rules {
        let guests: Vec<_> = guests.iter().map(|guest| (*guest, 0)).collect();
        HouseRestrictions::encode(open, monarch, &guests, &mut bytes);
    }
    let house_restrictions = rules.map(|_| HouseRestrictions::decode(&bytes).unwrap());
    let kind = ObjectKind { item_type: 0, table: None, ..CREATURE };
    describe_with(
        HOUSE,
        None,
        &kind,
        WeenieFields { house_owner: owner, house_restrictions, ..WeenieFields::default() },
    )
}

/// A private house without guests.
fn private_house() -> Vec<u8> {
    house(Some(OWNER), Some((false, Guid::NONE, &[])))
}

/// A player in the hall, with the monarch of its allegiance.
fn character_in_hall(guid: Guid, object_flags: u32, monarch: Option<Guid>) -> Vec<u8> {
    let kind = ObjectKind { object_flags, ..CREATURE };
    describe_with(guid, Some(landmarks().hall), &kind, WeenieFields { monarch, ..WeenieFields::default() })
}

fn is_in_hall(scene: &TestWorld, guid: Guid) -> bool {
    let body = scene.body(guid);
    assert!(!body.is_in_cell() || body.position.cell == landmarks().hall.cell, "{:?}", body.position);
    body.is_in_cell()
}

/// Rule 8.7, for a player that is created in a house: in the original's order of questions.
#[test]
fn hostile_03_a_player_created_in_a_house_enters_if_the_house_lets_it_in() {
    let enters = |house: &[u8], player: &[u8], guid: Guid| {
        let mut scene = in_guarded_town();
        scene.send(house);
        scene.send(player);
        scene.ticks(2);
        let is_inside = is_in_hall(&scene, guid);
        assert!(!is_inside || scene.body(guid).is_standing(), "on the floor of the hall");
        is_inside
    };
    let character = |guid| character_in_hall(guid, 0x8, None);
    let guest_list = |guests: &[Guid]| house(Some(OWNER), Some((false, Guid::NONE, guests)));
    assert!(enters(&private_house(), &character(OWNER), OWNER), "the owner");
    assert!(!enters(&private_house(), &character(STRANGER), STRANGER), "another player");
    assert!(enters(&guest_list(&[PLAYER, STRANGER]), &character(STRANGER), STRANGER), "a guest");
    assert!(!enters(&guest_list(&[PLAYER]), &character(STRANGER), STRANGER), "the guest is another one");
    let open = house(Some(OWNER), Some((true, Guid::NONE, &[])));
    assert!(enters(&open, &character(STRANGER), STRANGER), "open to all");
    assert!(enters(&house(Some(OWNER), None), &character(STRANGER), STRANGER), "without access rules");
    assert!(enters(&house(None, None), &character(STRANGER), STRANGER), "without an owner");
    assert!(
        enters(&house(Some(Guid::NONE), Some((false, Guid::NONE, &[]))), &character(STRANGER), STRANGER),
        "owner 0"
    );

    let allegiance = house(Some(OWNER), Some((false, MONARCH, &[])));
    let member = character_in_hall(STRANGER, 0x8, Some(MONARCH));
    assert!(enters(&allegiance, &member, STRANGER), "a member of the allegiance");
    assert!(!enters(&allegiance, &character(STRANGER), STRANGER), "not a member");
    assert!(
        !enters(&private_house(), &character_in_hall(STRANGER, 0x8, Some(Guid::NONE)), STRANGER),
        "no monarch"
    );
    let other = character_in_hall(STRANGER, 0x8, Some(OWNER));
    assert!(!enters(&allegiance, &other, STRANGER), "a member of another allegiance");

    let bypassing = character_in_hall(STRANGER, 0x50_0008, None);
    assert!(enters(&private_house(), &bypassing, STRANGER), "immune administrator");
    for half in [0x10_0008, 0x40_0008] {
        assert!(!enters(&private_house(), &character_in_hall(STRANGER, half, None), STRANGER), "{half:X}");
    }
    assert!(
        enters(&private_house(), &character_in_hall(STRANGER, 0, None), STRANGER),
        "only players are kept out"
    );
}

/// Nothing is known about the house when the player is described, so that it is in no cell. The house is described next.
#[test]
fn a_player_enters_when_its_house_is_described_after_it() {
    let mut scene = in_guarded_town();
    scene.send(&character_in_hall(OWNER, 0x8, None));
    scene.send(&character_in_hall(STRANGER, 0x8, None));
    scene.ticks(30);
    assert!(
        !is_in_hall(&scene, OWNER) && !is_in_hall(&scene, STRANGER),
        "an unknown house lets no player in"
    );
    scene.send(&private_house());
    assert!(is_in_hall(&scene, OWNER), "at once");
    assert!(!is_in_hall(&scene, STRANGER));
    scene.ticks(2);
    assert!(scene.body(OWNER).is_standing());
    assert_eq!(scene.world.house(HOUSE).unwrap().owner, Some(OWNER));

    // The description of a house also ends the wait if it has no owner.
    let mut scene = in_guarded_town();
    scene.send(&character_in_hall(STRANGER, 0x8, None));
    scene.send(&house(None, None));
    assert!(is_in_hall(&scene, STRANGER));
}

/// A player that has since been placed somewhere else, or deleted, is not moved when the house becomes known.
#[test]
fn a_player_that_went_elsewhere_does_not_enter_later() {
    let mut scene = in_guarded_town();
    scene.send(&character_in_hall(OWNER, 0x8, None));
    let spawn = landmarks().spawn;
    scene.send(&position_with(OWNER, &spawn, 1, |pack| pack.teleport = Stamp(1)));
    assert!(scene.body(OWNER).is_in_cell(), "in front of the house");
    scene.send(&private_house());
    scene.tick();
    assert_eq!(scene.body(OWNER).position.cell, spawn.cell);

    // A teleport that waits, and then a report of where the player is.
    let mut scene = in_guarded_town();
    scene.add(OWNER, &spawn, &CHARACTER);
    scene.ticks(2);
    scene.send(&position_with(OWNER, &landmarks().hall, 1, |pack| pack.teleport = Stamp(1)));
    scene.send(&position_with(OWNER, &beside(spawn, 1.0, 0.0, 0.0), 2, |pack| pack.teleport = Stamp(1)));
    scene.send(&private_house());
    assert_eq!(scene.body(OWNER).position.cell, spawn.cell, "the newer report counts");

    let mut scene = in_guarded_town();
    scene.send(&character_in_hall(OWNER, 0x8, None));
    scene.send(&delete(OWNER, 0));
    scene.send(&private_house());
    assert!(scene.world.find(OWNER).is_none());
}

/// The server sends a teleport before it describes what is around its destination.
#[test]
fn a_teleport_into_a_house_waits_until_the_house_is_known() {
    let mut scene = in_guarded_town();
    let town = landmarks();
    scene.add(OWNER, &town.spawn, &CHARACTER);
    scene.ticks(2);
    scene.send(&position_with(OWNER, &town.hall, 1, |pack| pack.teleport = Stamp(1)));
    scene.tick();
    assert_eq!(scene.body(OWNER).position.cell, town.spawn.cell, "refused");
    scene.send(&private_house());
    assert!(is_in_hall(&scene, OWNER), "the teleport is carried out");

    // A house that is known and refuses is final.
    let mut scene = in_guarded_town();
    scene.send(&private_house());
    scene.add(STRANGER, &town.spawn, &CHARACTER);
    scene.send(&position_with(STRANGER, &town.hall, 1, |pack| pack.teleport = Stamp(1)));
    scene.send(&house(Some(OWNER), Some((true, Guid::NONE, &[]))));
    assert_eq!(scene.body(STRANGER).position.cell, town.spawn.cell);
}

/// Walks a player from the doorstep towards the hall. Returns `true` if it got there.
fn walks_in(scene: &mut TestWorld, guid: Guid) -> bool {
    let town = landmarks();
    scene.add(guid, &town.doorstep, &CHARACTER);
    scene.ticks(2);
    let arrives = scene.walk(guid, &town.hall, 200);
    scene.world.act(guid, scene.now, |actor, _| {
        actor.stop_interpreted_motion(
            MotionCommand::WALK_FORWARD,
            &acmotion::components::MovementParams::default(),
        )
    });
    arrives
}

/// The guard of the embedder comes before what the world knows, and is asked whenever a cell is tested.
#[test]
fn the_embedders_guard_decides_first() {
    let guard = |player: Guid, house: Guid| match player {
        OWNER => Some(false),
        PLAYER => Some(house == HOUSE),
        _ => None,
    };
    let mut settings = town_settings();
    settings.surroundings = Some(Arc::new(guarded_town()));
    settings.house_guard = Some(Arc::new(guard));
    let mut scene = TestWorld::with(settings);
    scene.send(&house(Some(OWNER), Some((false, Guid::NONE, &[STRANGER]))));
    assert!(!walks_in(&mut scene, OWNER), "the guard refuses the owner");
    assert!(walks_in(&mut scene, PLAYER), "the guard lets a player in that is no guest");
    assert!(walks_in(&mut scene, STRANGER), "the guard leaves the guest to the world");

    // Without any knowledge of the house, and with a guard only later.
    let mut scene = in_guarded_town();
    scene.send(&character_in_hall(PLAYER, 0x8, None));
    scene.send(&character_in_hall(STRANGER, 0x8, None));
    scene.world.set_house_guard(Some(Arc::new(|player, _| (player == PLAYER).then_some(true))), scene.now);
    assert!(is_in_hall(&scene, PLAYER) && !is_in_hall(&scene, STRANGER));
    scene.world.set_house_guard(None, scene.now);
    assert!(!is_in_hall(&scene, STRANGER), "still nothing is known");
    scene.world.set_house(HOUSE, House::default(), scene.now);
    assert!(is_in_hall(&scene, STRANGER), "it has waited all the time");
}

/// Owner and guests change while the house exists; without its object it is unknown again.
#[test]
fn changes_of_a_house_count_at_once() {
    let mut scene = in_guarded_town();
    scene.send(&private_house());
    assert!(!walks_in(&mut scene, STRANGER));
    let access = HouseAccess { guests: vec![STRANGER], ..HouseAccess::default() };
    scene.world.set_house(HOUSE, House { owner: Some(OWNER), access: Some(access) }, scene.now);
    assert!(scene.walk(STRANGER, &landmarks().hall, 200), "now it is a guest");
    scene.send(&private_house());
    assert_eq!(
        scene.world.house(HOUSE).unwrap().access,
        Some(HouseAccess::default()),
        "described anew (rule D12)"
    );
    scene.send(&delete(HOUSE, 0));
    assert_eq!(scene.world.house(HOUSE), None);
    assert!(!walks_in(&mut scene, OWNER), "unknown again, even to its owner");
    scene.send(&private_house());
    assert!(scene.walk(OWNER, &landmarks().hall, 200));
}

/// Every test of a cell asks, so that a guest that is no longer one cannot move inside (8.7: not only on a cell change).
#[test]
fn a_player_that_may_no_longer_enter_is_stuck_inside() {
    let mut scene = in_guarded_town();
    scene.send(&private_house());
    scene.send(&character_in_hall(OWNER, 0x8, None));
    scene.ticks(2);
    scene.world.set_house(
        HOUSE,
        House { owner: Some(MONARCH), access: Some(HouseAccess::default()) },
        scene.now,
    );
    let before = scene.origin(OWNER);
    scene.start(OWNER, MotionCommand::WALK_FORWARD);
    scene.ticks(30);
    assert_eq!(scene.origin(OWNER), before);
}

/// The answers are the same on several cores. The players are far enough from each other to be updated in parallel.
#[test]
fn the_parallel_tick_asks_the_same_houses() {
    let play = |parallel: bool| {
        let mut scene = in_guarded_town();
        let town = landmarks();
        scene.send(&private_house());
        scene.send(&character_in_hall(OWNER, 0x8, None));
        scene.add(STRANGER, &facing(beside(town.spawn, 20.0, -40.0, 0.0), 0.0), &CHARACTER);
        scene.ticks(2);
        let start = scene.origin(OWNER);
        scene.start(OWNER, MotionCommand::WALK_FORWARD);
        scene.start(STRANGER, MotionCommand::WALK_FORWARD);
        for _ in 0..20 {
            scene.now += world_support::TICK;
            if parallel {
                scene.world.tick_parallel(scene.now);
            } else {
                scene.world.tick(scene.now);
            }
        }
        assert!((scene.origin(OWNER) - start).length() > 0.5, "it walks in the house");
        [OWNER, STRANGER].map(|guid| scene.body(guid).position)
    };
    assert_eq!(play(false), play(true));
}

/// A snapshot contains the houses and the players that wait for one; the guard is given again.
#[test]
fn houses_and_waiting_players_are_in_a_snapshot() {
    const OTHER_HOUSE: Guid = Guid(0x7A9B_4011);
    let mut scene = in_guarded_town();
    scene.send(&character_in_hall(OWNER, 0x8, Some(MONARCH)));
    let access = HouseAccess { is_open: false, monarch: Some(MONARCH), guests: vec![PLAYER] };
    let other = House { owner: Some(STRANGER), access: Some(access) };
    scene.world.set_house(OTHER_HOUSE, other.clone(), scene.now);
    let bytes = scene.world.snapshot();
    let mut restored =
        World::restore(&bytes, Assets::mannequin(), Some(Arc::new(guarded_town()))).expect("a snapshot");
    assert_eq!(restored.snapshot(), bytes);
    assert_eq!(restored.house(OTHER_HOUSE), Some(&other));
    restored.set_house_guard(Some(Arc::new(|_, _| Some(true))), scene.now);
    assert!(restored.find(OWNER).unwrap().body().is_in_cell(), "it waited in the snapshot");
}
