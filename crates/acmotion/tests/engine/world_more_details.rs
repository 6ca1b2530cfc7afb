//! More details of what messages and calls do to the entities of a world: players, stand-ins, falls, teleports, what bodies
//! hold, and what is saved (`docs/behaviour.md` C13, C15, C27, D3, D6–D8, D11, D12).

use crate::player_support;
use crate::snapshot_support;
use crate::town_support;
use crate::world_support;

use acmotion::components::Order;
use acmotion::dat::{
    AnimationFrame, Assets, BlockSize, Dat, DatWriter, DataId, DataSet, PartLocation, Setup,
};
use acmotion::explain::Stale;
use acmotion::scene::MoverFlags;
use acmotion::types::{CellId, CellPosition, Frame, Guid, Stamp, Vec3};
use acmotion::wire::{Attachment, MotionFlags, ObjectStamps, ParentEvent, PositionFlags};
use acmotion::{
    AttachmentError, EntitySpec, Event, EventKind, Identity, MAX_ATTACHMENT_DEPTH, MotionEvent, Rejection,
    Settings, StandIn, World,
};
use town_support::*;
use world_support::*;

const OTHER: Guid = Guid(0x5000_0002);
const SWORD: Guid = Guid(0x8000_0001);

/// The local player is one for collisions whatever its description or its owner says (`docs/collision.md` 2.3).
#[test]
fn the_local_player_collides_as_a_player_however_it_was_made() {
    let known = || TestWorld::with(settings(|settings| settings.player = Identity::Known(PLAYER)));
    let description = create(PLAYER, &at(96.0, 96.0), ObjectStamps::default(), None);
    let mut described = known();
    described.send(&description);
    let mut described_again = known();
    described_again.send(&description);
    described_again.send(&description);
    let mut spawned = known();
    spawned.world.spawn(&EntitySpec::new(PLAYER, at(96.0, 96.0)), spawned.now).unwrap();
    for scene in [described, described_again, spawned] {
        assert!(scene.entity(PLAYER).mover_flags.contains(MoverFlags::IS_PLAYER));
    }
}

/// An object without a usable position stays outside of the world, and that is an event.
#[test]
fn a_described_object_at_no_place_is_reported() {
    let mut scene = TestWorld::new();
    let nowhere = CellPosition::at(CellId(0xA9B4_0001), Vec3::new(f32::INFINITY, 0.0, 0.0));
    scene.send(&create(REMOTE, &nowhere, ObjectStamps::default(), None));
    assert!(!scene.body(REMOTE).is_in_cell());
    assert_eq!(scene.count_events(|kind| *kind == EventKind::Rejected(Rejection::BadPosition)), 1);
}

/// An object of which nothing is known is a stand-in as a whole, and its first report counts whatever its stamp is.
#[test]
fn a_stand_in_says_so_and_takes_the_first_stamp_of_positions() {
    let mut scene = TestWorld::new();
    scene.world.add_stand_in(REMOTE, &at(96.0, 96.0), scene.now);
    assert_eq!(scene.world.find(REMOTE).unwrap().stand_in(), StandIn::all());
    scene.send(&position(REMOTE, &at(96.0, 97.0), 0x9000));
    assert_eq!(scene.world.find(REMOTE).unwrap().stamps().position, Stamp(0x9000));
}

/// A remote that was teleported into the air above unknown land.
fn in_the_air() -> TestWorld {
    let mut scene = TestWorld::with_remote();
    scene.ticks(30);
    let mut high = at(60.0, 60.0);
    high.frame.origin.z += 5.0;
    scene.send(&position_with(REMOTE, &high, 1, |pack| {
        pack.flags = PositionFlags::empty();
        pack.teleport = Stamp(1);
    }));
    scene
}

/// A teleport without contact leads into the air: where no land is known, the ground that the body stood on before is no
/// hint of what is below it there (rule D7).
#[test]
fn d7_a_teleport_without_contact_leads_into_the_air() {
    let mut scene = in_the_air();
    scene.ticks(90);
    assert!(scene.origin(REMOTE).z < GROUND - 5.0, "{:?}", scene.origin(REMOTE));
}

/// A new state ends no fall of a body that was no missile (rule D11).
#[test]
fn d11_a_state_puts_no_ground_under_a_body_that_falls() {
    let mut scene = in_the_air();
    scene.ticks(3);
    scene.send(&set_state(REMOTE, SOLID, 1));
    scene.ticks(90);
    assert!(scene.origin(REMOTE).z < GROUND - 5.0, "{:?}", scene.origin(REMOTE));
}

/// A description of an instance that is gone changes nothing (rules D3, D12).
#[test]
fn d12_a_description_of_an_older_instance_is_dropped() {
    let mut scene = TestWorld::new();
    let of = |instance: u16| ObjectStamps { instance: Stamp(instance), ..ObjectStamps::default() };
    scene.send(&create(REMOTE, &at(96.0, 96.0), of(5), None));
    let id = scene.world.find(REMOTE).unwrap().id();
    scene.send(&create(REMOTE, &at(90.0, 90.0), of(4), None));
    let resident = scene.world.find(REMOTE).unwrap();
    assert_eq!((resident.id(), resident.stamps().instance), (id, Stamp(5)));
    let stale = EventKind::Rejected(Rejection::Stale(Stale::Instance));
    assert_eq!(scene.count_events(|kind| *kind == stale), 1);
}

/// Indoors, an object is moved at once if a report is more than 20 m away; only for the player that would be 25 m (rules D7,
/// D8).
#[test]
fn d8_an_object_without_animations_is_moved_at_once_from_20_metres() {
    let mut scene = TestWorld::with(settings(|settings| settings.player = Identity::Known(PLAYER)));
    let indoors = |x: f32| CellPosition::at(CellId(0xA9B4_0100), Vec3::new(x, 20.0, GROUND));
    scene.world.set_player_position(&indoors(10.0), true, scene.now);
    scene.send(&item(SWORD, |physics| {
        physics.position = Some(indoors(10.0));
        physics.state = SOLID;
    }));
    scene.ticks(30);
    scene.send(&position(SWORD, &indoors(32.0), 1));
    scene.ticks(2);
    assert!((scene.origin(SWORD).x - 32.0).abs() < 0.01, "{:?}", scene.origin(SWORD));
}

/// A body that is dropped somewhere else gives up its order, and what it holds is there at once (rules C13, C15, D6).
#[test]
fn c15_a_body_that_is_dropped_elsewhere_gives_up_its_order_and_takes_along_what_it_holds() {
    let mut scene = TestWorld::with_remote();
    scene.send(&create(OTHER, &at(96.0, 120.0), ObjectStamps::default(), None));
    scene.send(&held_item(SWORD, REMOTE));
    scene.ticks(30);
    scene.world.act(REMOTE, scene.now, |actor, _| actor.order(&Order::chase(OTHER)));
    scene.ticks(30);
    assert!(scene.entity(REMOTE).is_moving_to());
    let id = scene.world.find(REMOTE).unwrap().id();
    scene.world.drop_at(id, &at(60.0, 60.0), 0, scene.now).unwrap();
    assert!(!scene.entity(REMOTE).is_moving_to());
    let resident = scene.world.find(REMOTE).unwrap();
    assert_eq!(
        scene.world.find(SWORD).unwrap().position().frame,
        resident.holding_frame(scene.world.library(), 1)
    );
}

/// A location beyond all numbers holds things at the body's own frame.
#[test]
fn what_is_held_beyond_all_numbers_is_at_the_body() {
    const STAND: DataId = DataId(0x0200_F0A2);
    let frame = Frame::from_origin(Vec3::new(0.0, 0.0, 3e38));
    let mut writer = DatWriter::new(BlockSize::Large, DataSet::Portal);
    writer.add_object(&Setup {
        id: STAND,
        parts: vec![DataId(0x0100_0001)],
        placements: vec![(0, AnimationFrame { parts: vec![frame], ..AnimationFrame::default() })],
        holding_locations: vec![PartLocation { key: 1, part: 0, frame }],
        ..Setup::default()
    });
    let assets = Assets::new(Dat::from_bytes(writer.finish().unwrap()).unwrap());
    let mut world = World::with_settings(assets, Settings::default());
    let spec = EntitySpec { position: Some(at(90.0, 96.0)), ..EntitySpec::item(OTHER, STAND) };
    world.spawn(&spec, 10.0).unwrap();
    let stand = world.find(OTHER).unwrap();
    assert_eq!(stand.holding_frame(world.library(), 1), stand.position().frame);
}

/// The longest chain below an object counts, not the shortest.
#[test]
fn an_object_with_a_long_chain_and_a_short_one_is_too_deep() {
    let mut scene = TestWorld::with_remote();
    let link = |number: usize| Guid(0x5000_0200 + number as u32);
    scene.send(&create(link(0), &at(90.0, 90.0), ObjectStamps::default(), None));
    let held = |guid: Guid, parent: Guid| {
        create_with(guid, ObjectStamps::default(), |physics| {
            physics.parent = Some(Attachment { guid: parent, location: 1 });
        })
    };
    for number in 1..=MAX_ATTACHMENT_DEPTH {
        scene.send(&held(link(number), link(number - 1)));
    }
    scene.send(&held(OTHER, link(0)));
    scene.events.clear();
    scene.send(&encode(ParentEvent {
        parent: REMOTE,
        child: link(0),
        location: 1,
        placement: 0,
        parent_instance: Stamp(0),
        child_position: Stamp(1),
    }));
    let too_deep = EventKind::Rejected(Rejection::NotAttached(AttachmentError::TooDeep));
    assert_eq!(scene.count_events(|kind| *kind == too_deep), 1);
}

/// The motion of a player that charges a standing long jump says so (rules C27, D9).
#[test]
fn c27_a_standing_long_jump_is_described() {
    let mut scene = player_support::player();
    let id = scene.world.find(PLAYER).unwrap().id();
    let flags = |scene: &TestWorld| scene.world.describe_motion(id).unwrap().data.movement.flags;
    assert_eq!(flags(&scene), MotionFlags::empty());
    let now = scene.now;
    scene.world.player_mut().begin_jump(now).unwrap();
    assert!(scene.entity(PLAYER).interp.standing_long_jump);
    assert_eq!(flags(&scene), MotionFlags::STANDING_LONG_JUMP);
}

/// Events of hooks that were not read yet are restored with what the hooks do.
#[test]
fn unread_hooks_are_restored_with_their_effects() {
    let story = snapshot_support::effects().run(30);
    let is_hook = |event: &Event| matches!(event.kind, EventKind::Motion(MotionEvent::Hook(_)));
    let mut clone = story.world.clone();
    let mut now = f64::from(story.tick) * TICK;
    let found = (0..300).any(|_| {
        now += TICK;
        clone.tick(now);
        clone.clone().drain_events().any(|event| is_hook(&event))
    });
    assert!(found, "no hook fired");
    let mut restored = story.restore(&clone.snapshot()).unwrap();
    let expected: Vec<Event> = clone.drain_events().collect();
    assert_eq!(restored.drain_events().collect::<Vec<_>>(), expected);
}
