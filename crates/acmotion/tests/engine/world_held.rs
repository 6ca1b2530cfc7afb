//! Held objects, tick by tick: how they are attached, where they are, and how they are detached (rules B3, B7, C10,
//! C13, C17, C19, D6, D11–D13, H15, J7).

use crate::world_support;

use acmotion::components::{MovementParams, Order};
use acmotion::dat::{Assets, BlockSize, Dat, DatWriter, DataId, DataSet, PartLocation, mannequin};
use acmotion::types::{CellId, CellPosition, Frame, Guid, Stamp, Vec3};
use acmotion::wire::{
    Attachment, Children, ObjectStamps, ParentEvent, PhysicsState, PickupEvent, PositionFlags, SetState,
};
use acmotion::{
    AttachmentError, EventKind, HeldBy, MAX_ATTACHMENT_DEPTH, MAX_CHILDREN, MotionEvent, Rejection, Resident,
    Settings, World,
};
use proptest::prelude::*;
use world_support::*;

const SWORD: Guid = Guid(0x8000_0001);
const OTHER: Guid = Guid(0x5000_0002);
/// Holding locations of the mannequin.
const RIGHT_HAND: u32 = 1;
const LEFT_HAND: u32 = 2;
/// The part of the right hand, and the palm relative to it.
const HAND_PART: usize = 7;
const PALM: Vec3 = Vec3::new(0.0, 0.0, -0.09);
/// Placements of the sword.
const IN_HAND: u32 = 1;
const RESTING: u32 = 0x65;

/// The description of a sword, completed by `complete`.
fn sword(complete: impl FnOnce(&mut acmotion::wire::PhysicsDesc<'_>)) -> Vec<u8> {
    item(SWORD, complete)
}

/// A remote that holds a sword in its right hand.
fn with_sword() -> TestWorld {
    let mut scene = TestWorld::with_remote();
    scene.send(&sword(|physics| {
        physics.parent = Some(Attachment { guid: REMOTE, location: RIGHT_HAND });
        physics.placement = Some(IN_HAND);
    }));
    scene
}

fn parent_event(parent: Guid, child: Guid, location: u32, stamp: u16) -> Vec<u8> {
    encode(ParentEvent {
        parent,
        child,
        location,
        placement: IN_HAND,
        parent_instance: Stamp(0),
        child_position: Stamp(stamp),
    })
}

/// The frame of the hand as it is shown, computed from the whole pose.
fn hand(scene: &TestWorld, guid: Guid) -> Frame {
    let mut parts = [Frame::IDENTITY; 19];
    let resident = scene.world.find(guid).unwrap();
    assert_eq!(resident.pose_input().frames(scene.world.library(), &mut parts), 19);
    parts[HAND_PART]
}

fn resident(scene: &TestWorld, guid: Guid) -> &Resident {
    scene.world.find(guid).unwrap()
}

/// The events of an entity's motion; effects are left out.
fn motion_events(scene: &TestWorld, guid: Guid) -> Vec<MotionEvent> {
    let kinds = scene.events.iter().filter(|event| event.guid == guid).map(|event| event.kind);
    let motion = kinds.filter_map(|kind| match kind {
        EventKind::Motion(MotionEvent::Effect(_)) => None,
        EventKind::Motion(event) => Some(event),
        _ => None,
    });
    motion.collect()
}

fn rejections(scene: &TestWorld) -> Vec<(Guid, Rejection)> {
    let rejected = scene.events.iter().filter_map(|event| match event.kind {
        EventKind::Rejected(reason) => Some((event.guid, reason)),
        _ => None,
    });
    rejected.collect()
}

/// The hand swings as the body runs, and the sword is in the palm at every tick, in the body's cell (rules C10, C13). The
/// body runs into the next cell.
#[test]
fn a_held_sword_is_in_the_palm_at_every_tick() {
    let mut scene = with_sword();
    assert_eq!(
        motion_events(&scene, SWORD),
        [MotionEvent::Parented { parent: REMOTE, location: RIGHT_HAND }]
    );
    scene.send(&motion(REMOTE, running(2.0), 1));
    let (mut cells, mut lowest, mut highest) = (Vec::new(), f32::MAX, f32::MIN);
    for _ in 0..120 {
        scene.tick();
        let body = resident(&scene, REMOTE).position();
        let held = resident(&scene, SWORD).position();
        let expected = hand(&scene, REMOTE).combine(&Frame::from_origin(PALM));
        assert_eq!(held, CellPosition::new(body.cell, expected), "to the bit");
        let forward = body.frame.global_to_local(held.frame.origin).y;
        (lowest, highest) = (lowest.min(forward), highest.max(forward));
        cells.push(held.cell);
    }
    assert!(highest - lowest > 0.3, "the hand swings from {lowest} to {highest} m");
    cells.dedup();
    assert!(cells.len() > 1, "{cells:?}");
    let sword = resident(&scene, SWORD);
    assert_eq!(sword.held_by(), Some(HeldBy { parent: REMOTE, location: RIGHT_HAND }));
    assert_eq!((sword.placement(), sword.children()), (IN_HAND, &[][..]));
    assert_eq!(resident(&scene, REMOTE).children(), [SWORD]);
    assert!(!sword.body().is_in_cell());
}

/// The blade points along the thumb, as the sword's placement defines it: the sword's own pose is drawn at the frame in
/// the palm.
#[test]
fn a_held_object_is_posed_by_its_own_placement() {
    let scene = with_sword();
    let (library, sword) = (scene.world.library(), resident(&scene, SWORD));
    let placement = library.model(sword.model().unwrap()).placement(IN_HAND as i32).unwrap();
    let own = library.clip(placement.clip).animation().pose(placement.frame as usize)[0];
    let mut parts = [Frame::IDENTITY];
    assert_eq!(sword.pose_input().frames(library, &mut parts), 1);
    assert_eq!(parts[0], sword.position().frame.combine(&own));
    let tip = parts[0].local_to_global(Vec3::new(0.0, 0.0, 0.84));
    assert!((tip - hand(&scene, REMOTE).origin).length() > 0.7, "the blade sticks out of the hand");
}

/// A giant's hand is twice as far from its body, but the sword is no farther from the hand (rule A6).
#[test]
fn the_part_is_scaled_and_the_holding_location_is_not() {
    let mut scene = TestWorld::new();
    scene.send(&create_with(REMOTE, ObjectStamps::default(), |physics| {
        physics.position = Some(at(96.0, 96.0));
        physics.scale = Some(2.0);
    }));
    scene.send(&sword(|physics| {
        physics.parent = Some(Attachment { guid: REMOTE, location: RIGHT_HAND });
    }));
    scene.ticks(3);
    let (body, hand) = (resident(&scene, REMOTE).position().frame, hand(&scene, REMOTE));
    assert!((hand.origin - body.origin).length() > 1.5, "a giant's hand");
    let depth = (scene.origin(SWORD) - hand.origin).length();
    assert!((depth - PALM.length()).abs() < 1e-5, "{depth} m");
}

/// A report of the sword's position takes it out of the hand and puts it into its cell, with the placement of the
/// report (rule D6.4). The hand is empty afterwards, and the sword stays where it is.
#[test]
fn a_dropped_sword_is_back_in_its_cell() {
    let mut scene = with_sword();
    scene.ticks(3);
    scene.events.clear();
    scene.send(&position_with(SWORD, &at(97.0, 98.0), 1, |pack| {
        pack.flags |= PositionFlags::PLACEMENT;
        pack.placement = Some(RESTING);
    }));
    let sword = resident(&scene, SWORD);
    assert_eq!((sword.parent(), sword.placement(), sword.body().is_in_cell()), (None, RESTING, true));
    assert_eq!(sword.position().frame.origin, at(97.0, 98.0).frame.origin);
    assert!(resident(&scene, REMOTE).children().is_empty());
    let events = motion_events(&scene, SWORD);
    assert_eq!(events[0], MotionEvent::Unparented { parent: REMOTE });
    assert_eq!(events.last(), Some(&MotionEvent::Teleported { distance: 0.0 }));
    scene.send(&motion(REMOTE, running(2.0), 1));
    scene.ticks(30);
    assert_eq!(scene.origin(SWORD), at(97.0, 98.0).frame.origin);
}

/// Attaching takes an object off the ground (rule D11); a pickup takes it out of the hand, into no cell (rule C14).
#[test]
fn a_sword_is_taken_from_the_ground_into_the_hand_and_put_away() {
    let mut scene = TestWorld::with_remote();
    scene.send(&sword(|physics| physics.position = Some(at(97.0, 98.0))));
    scene.ticks(3);
    assert!(resident(&scene, SWORD).body().is_in_cell());
    scene.send(&parent_event(REMOTE, SWORD, RIGHT_HAND, 1));
    let sword = resident(&scene, SWORD);
    assert_eq!(
        (sword.parent(), sword.placement(), sword.body().is_in_cell()),
        (Some(REMOTE), IN_HAND, false)
    );
    assert_eq!(scene.origin(SWORD), hand(&scene, REMOTE).combine(&Frame::from_origin(PALM)).origin);
    scene.send(&parent_event(REMOTE, SWORD, RIGHT_HAND, 1));
    assert_eq!(rejections(&scene).len(), 1, "a stale stamp changes nothing");

    scene.events.clear();
    scene.send(&encode(PickupEvent { guid: SWORD, instance: Stamp(0), position: Stamp(2) }));
    let sword = resident(&scene, SWORD);
    assert_eq!((sword.parent(), sword.position().cell), (None, CellId::NONE));
    assert_eq!(motion_events(&scene, SWORD), [MotionEvent::Unparented { parent: REMOTE }]);
    scene.ticks(5);
    assert!(!resident(&scene, SWORD).body().is_in_cell());
}

/// From the right hand into the left, and to another body: one parent at a time.
#[test]
fn an_object_that_is_attached_again_changes_its_parent() {
    let mut scene = with_sword();
    scene.send(&create(OTHER, &at(90.0, 90.0), ObjectStamps::default(), None));
    let right = scene.origin(SWORD);
    scene.events.clear();
    scene.send(&parent_event(REMOTE, SWORD, LEFT_HAND, 1));
    assert!((scene.origin(SWORD) - right).length() > 0.2);
    assert_eq!(resident(&scene, REMOTE).children(), [SWORD]);
    scene.send(&parent_event(OTHER, SWORD, RIGHT_HAND, 2));
    assert_eq!(
        (resident(&scene, REMOTE).children(), resident(&scene, OTHER).children()),
        (&[][..], &[SWORD][..])
    );
    let expected = [
        MotionEvent::Parented { parent: REMOTE, location: LEFT_HAND },
        MotionEvent::Unparented { parent: REMOTE },
        MotionEvent::Parented { parent: OTHER, location: RIGHT_HAND },
    ];
    assert_eq!(motion_events(&scene, SWORD), expected);
}

/// An object that a deleted body held is detached and in no cell. When the body is created again and lists the object
/// among its children, it holds it again (rule D13).
#[test]
fn a_sword_survives_the_deletion_of_its_holder() {
    let mut scene = with_sword();
    scene.ticks(2);
    scene.events.clear();
    scene.send(&delete(REMOTE, 0));
    let sword = resident(&scene, SWORD);
    assert_eq!(
        (sword.parent(), sword.position().cell, sword.body().is_in_cell()),
        (None, CellId::NONE, false)
    );
    assert_eq!(motion_events(&scene, SWORD), [MotionEvent::Unparented { parent: REMOTE }]);
    scene.ticks(2);

    let stamps = ObjectStamps { instance: Stamp(1), ..ObjectStamps::default() };
    let children = [
        Attachment { guid: SWORD, location: RIGHT_HAND },
        Attachment { guid: Guid(0x8000_0099), location: LEFT_HAND },
    ];
    scene.send(&create_with(REMOTE, stamps, |physics| {
        physics.position = Some(at(96.0, 96.0));
        physics.children = Some(Children::new(&children));
    }));
    assert_eq!(resident(&scene, SWORD).parent(), Some(REMOTE));
    assert_eq!(
        resident(&scene, REMOTE).children(),
        [SWORD],
        "the unknown child will name its parent when it is created"
    );
    scene.tick();
    assert_eq!(scene.origin(SWORD), hand(&scene, REMOTE).combine(&Frame::from_origin(PALM)).origin);
}

/// A newer instance of the holder holds nothing until the server attaches something; a newer instance of the sword is
/// held only once.
#[test]
fn a_replaced_object_leaves_no_link_behind() {
    let mut scene = with_sword();
    let stamps = ObjectStamps { instance: Stamp(1), ..ObjectStamps::default() };
    scene.send(&sword(|physics| {
        physics.parent = Some(Attachment { guid: REMOTE, location: LEFT_HAND });
        physics.stamps = stamps;
    }));
    assert_eq!(resident(&scene, REMOTE).children(), [SWORD]);
    scene.send(&create(REMOTE, &at(96.0, 96.0), stamps, None));
    assert!(resident(&scene, REMOTE).children().is_empty());
    assert!(resident(&scene, SWORD).parent().is_none());
}

/// Attachments to itself, in a cycle, or at a location that the setup does not have: each is reported by a rejection,
/// and nothing changes.
#[test]
fn impossible_attachments_are_rejected() {
    let mut scene = with_sword();
    scene.send(&create(OTHER, &at(90.0, 90.0), ObjectStamps::default(), None));
    scene.send(&parent_event(REMOTE, REMOTE, RIGHT_HAND, 1));
    scene.send(&parent_event(REMOTE, OTHER, RIGHT_HAND, 1));
    scene.send(&parent_event(OTHER, REMOTE, RIGHT_HAND, 2));
    scene.send(&parent_event(OTHER, SWORD, 7, 1));
    let rejected = |error| Rejection::NotAttached(error);
    let expected = [
        (REMOTE, rejected(AttachmentError::Itself)),
        (REMOTE, rejected(AttachmentError::Cycle)),
        (SWORD, rejected(AttachmentError::NoLocation)),
    ];
    assert_eq!(rejections(&scene), expected);
    assert_eq!(resident(&scene, REMOTE).parent(), None);
    assert_eq!(
        (resident(&scene, OTHER).parent(), resident(&scene, SWORD).parent()),
        (Some(REMOTE), Some(REMOTE))
    );
    scene.ticks(3);

    let itself = Guid(0x8000_0055);
    scene.send(&item(itself, |physics| {
        physics.parent = Some(Attachment { guid: itself, location: RIGHT_HAND });
        physics.position = Some(at(80.0, 80.0));
    }));
    assert_eq!(rejections(&scene).last(), Some(&(itself, rejected(AttachmentError::Itself))));
    assert!(resident(&scene, itself).body().is_in_cell(), "it enters the world as if it had no parent");
    assert_eq!(scene.world.waiting_messages(), 0);
}

/// Both limits, up to and beyond them.
#[test]
fn attachments_are_bounded() {
    let mut scene = TestWorld::with_remote();
    let child = |number: usize| Guid(0x8000_0100 + number as u32);
    for number in 0..=MAX_CHILDREN {
        scene.send(&item(child(number), |physics| {
            physics.parent = Some(Attachment { guid: REMOTE, location: RIGHT_HAND });
        }));
    }
    let last = child(MAX_CHILDREN);
    assert_eq!(resident(&scene, REMOTE).children().len(), MAX_CHILDREN);
    assert_eq!(rejections(&scene), [(last, Rejection::NotAttached(AttachmentError::TooManyChildren))]);
    scene.send(&parent_event(REMOTE, child(0), LEFT_HAND, 1));
    assert_eq!(resident(&scene, child(0)).held_by().unwrap().location, LEFT_HAND, "it was held already");

    // A chain of bodies, each in the hand of the one before; then the same chain attached to another body.
    let mut scene = TestWorld::with_remote();
    let link = |number: usize| Guid(0x5000_0200 + number as u32);
    scene.send(&create(link(0), &at(90.0, 90.0), ObjectStamps::default(), None));
    for number in 1..=MAX_ATTACHMENT_DEPTH + 1 {
        scene.send(&create_with(link(number), ObjectStamps::default(), |physics| {
            physics.parent = Some(Attachment { guid: link(number - 1), location: RIGHT_HAND });
        }));
    }
    let top = link(MAX_ATTACHMENT_DEPTH + 1);
    assert_eq!(rejections(&scene), [(top, Rejection::NotAttached(AttachmentError::TooDeep))]);
    scene.send(&parent_event(REMOTE, link(0), RIGHT_HAND, 1));
    assert_eq!(rejections(&scene).last(), Some(&(link(0), Rejection::NotAttached(AttachmentError::TooDeep))));
    scene.send(&parent_event(REMOTE, link(1), RIGHT_HAND, 1));
    assert_eq!(resident(&scene, link(1)).parent(), Some(REMOTE));
}

/// The whole chain moves with the body that carries it, in the same tick (rule C13).
#[test]
fn what_a_held_object_holds_moves_with_it() {
    let mut scene = TestWorld::with_remote();
    scene.send(&create_with(OTHER, ObjectStamps::default(), |physics| {
        physics.parent = Some(Attachment { guid: REMOTE, location: RIGHT_HAND });
    }));
    scene.send(&sword(|physics| physics.parent = Some(Attachment { guid: OTHER, location: LEFT_HAND })));
    scene.send(&motion(REMOTE, running(2.0), 1));
    for _ in 0..30 {
        scene.tick();
        let carried = resident(&scene, OTHER);
        let expected = carried.holding_frame(scene.world.library(), LEFT_HAND);
        assert_eq!(resident(&scene, SWORD).position(), CellPosition::new(carried.position().cell, expected));
    }
    assert!(scene.origin(SWORD).y > 97.0, "carried along");
}

/// An unknown parent makes the message wait (rule D12), and an unknown child likewise.
#[test]
fn an_attachment_waits_for_both_objects() {
    let mut scene = TestWorld::new();
    scene.send(&sword(|physics| physics.position = Some(at(97.0, 98.0))));
    scene.send(&parent_event(REMOTE, SWORD, RIGHT_HAND, 1));
    assert_eq!((resident(&scene, SWORD).parent(), scene.world.waiting_messages()), (None, 1));
    scene.send(&create(REMOTE, &at(96.0, 96.0), ObjectStamps::default(), None));
    assert_eq!((resident(&scene, SWORD).parent(), scene.world.waiting_messages()), (Some(REMOTE), 0));

    let mut scene = TestWorld::with_remote();
    scene.send(&parent_event(REMOTE, SWORD, RIGHT_HAND, 1));
    assert_eq!(scene.world.waiting_messages(), 1);
    scene.send(&sword(|_| {}));
    assert_eq!(resident(&scene, SWORD).parent(), Some(REMOTE));
}

/// A held body is not updated (rule B3.1), cannot enter the world (rule C17), and stays in the hand whatever tries to
/// move it.
#[test]
fn a_held_body_is_not_moved_by_anything_else() {
    let mut scene = TestWorld::with_remote();
    scene.send(&create_with(OTHER, ObjectStamps::default(), |physics| {
        physics.parent = Some(Attachment { guid: REMOTE, location: RIGHT_HAND });
    }));
    scene.send(&vector(OTHER, Vec3::new(5.0, 0.0, 0.0), 1));
    let palm = scene.origin(OTHER);
    let frame = resident(&scene, OTHER).entity().animator.sequence().frame();
    scene.ticks(10);
    let held = resident(&scene, OTHER);
    assert!((scene.origin(OTHER) - palm).length() < 0.05, "it moves only with the idle animation");
    assert_eq!(held.entity().animator.sequence().frame(), frame);
    let entered =
        scene.world.act(OTHER, scene.now, |actor, around| actor.enter_world(&at(90.0, 90.0), true, around));
    assert_eq!(entered, Some(false));
    let palm = resident(&scene, REMOTE).holding_frame(scene.world.library(), RIGHT_HAND);
    scene.world.act(OTHER, scene.now, |actor, around| actor.set_position(&at(90.0, 90.0), true, around));
    let held = resident(&scene, OTHER);
    assert_eq!((held.position().frame, held.body().is_in_cell()), (palm, false));
}

/// A caller that wants a held body's own animation advances it by rule B7; its frame stays that of the hand.
#[test]
fn a_held_body_can_play_its_own_animation() {
    let mut scene = TestWorld::with_remote();
    scene.send(&create_with(OTHER, ObjectStamps::default(), |physics| {
        physics.parent = Some(Attachment { guid: REMOTE, location: RIGHT_HAND });
    }));
    let frame = |scene: &TestWorld| resident(scene, OTHER).entity().animator.sequence().frame();
    let before = frame(&scene);
    for _ in 0..5 {
        scene.tick();
        scene.world.act(OTHER, scene.now, |actor, _| actor.update_without_collision());
    }
    assert!(frame(&scene) > before + 3.0, "{} frames", frame(&scene) - before);
    let played = frame(&scene);
    scene.world.act(OTHER, scene.now + 0.02, |actor, _| actor.update_without_collision());
    assert_eq!(frame(&scene), played, "a fiftieth of a second is too short");
    let palm = resident(&scene, REMOTE).holding_frame(scene.world.library(), RIGHT_HAND);
    assert_eq!(resident(&scene, OTHER).position().frame, palm);
}

/// A hidden body's sword is not drawn; it is drawn again when the body is shown, or when the sword leaves the hand
/// (rule C19).
#[test]
fn a_hidden_body_hides_what_it_holds() {
    let mut scene = with_sword();
    let state = |hidden: bool, stamp| {
        let mut state = PhysicsState::GRAVITY;
        state.set(PhysicsState::HIDDEN, hidden);
        encode(SetState { guid: REMOTE, state, instance: Stamp(0), state_stamp: Stamp(stamp) })
    };
    let drawn = |scene: &TestWorld| !resident(scene, SWORD).body().state.contains(PhysicsState::NO_DRAW);
    assert!(drawn(&scene));
    scene.send(&state(true, 1));
    assert!(!drawn(&scene));
    scene.send(&state(false, 2));
    assert!(drawn(&scene));
    scene.send(&state(true, 3));
    scene.send(&position(SWORD, &at(97.0, 98.0), 1));
    assert!(drawn(&scene), "dropped");
    scene.send(&parent_event(REMOTE, SWORD, RIGHT_HAND, 2));
    assert!(!drawn(&scene), "taken by a hidden body");
}

/// An object that plays nothing takes the placement of the report, 0 if it has none; one that plays an animation does not
/// (rules D6.4, H15).
#[test]
fn a_report_sets_the_placement_of_an_object_without_animations() {
    let mut scene = TestWorld::with_remote();
    scene.send(&sword(|physics| {
        physics.position = Some(at(97.0, 98.0));
        physics.placement = Some(IN_HAND);
    }));
    let placement = |scene: &TestWorld, guid| {
        let sequence = resident(scene, guid).entity().animator.sequence();
        (resident(scene, guid).placement(), sequence.placement().map(|placement| placement.frame))
    };
    assert_eq!(placement(&scene, SWORD), (IN_HAND, Some(1)));
    scene.send(&position(SWORD, &at(97.0, 98.0), 1));
    assert_eq!(placement(&scene, SWORD), (0, Some(0)), "the default");
    let resting = |guid| {
        position_with(guid, &at(97.0, 98.0), 2, |pack| {
            pack.flags |= PositionFlags::PLACEMENT;
            pack.placement = Some(RESTING);
        })
    };
    scene.send(&resting(SWORD));
    assert_eq!(placement(&scene, SWORD), (RESTING, Some(3)));
    let before = placement(&scene, REMOTE);
    scene.send(&resting(REMOTE));
    assert_eq!(placement(&scene, REMOTE), before);
}

/// An order to a held sword leads to the body that holds it (rule J7).
#[test]
fn an_order_to_a_held_object_leads_to_its_holder() {
    let mut scene = TestWorld::with_remote();
    scene.send(&create(OTHER, &at(106.0, 96.0), ObjectStamps::default(), None));
    scene.send(&sword(|physics| physics.parent = Some(Attachment { guid: OTHER, location: RIGHT_HAND })));
    scene.ticks(30);
    let order = Order::MoveToObject { object: SWORD, params: MovementParams::default() };
    scene.world.act(REMOTE, scene.now, |actor, _| actor.order(&order));
    let target = resident(&scene, REMOTE).entity().targets().and_then(|targets| targets.target());
    assert_eq!(target.map(|target| target.object), Some(OTHER));
    scene.ticks(300);
    let gap = (scene.origin(REMOTE) - scene.origin(OTHER)).length();
    assert!(gap < 2.0, "{gap} m away");
}

/// A location of the whole body, and one of a part that the setup does not have, are relative to the body's frame.
#[test]
fn a_location_without_a_part_is_relative_to_the_body() {
    const OWN_SETUP: DataId = DataId(0x0200_0099);
    let mut setup = (*Assets::mannequin().setup(mannequin::HUMAN_SETUP).unwrap()).clone();
    setup.id = OWN_SETUP;
    let offset = Frame::from_origin(Vec3::new(0.1, -0.2, 1.3));
    setup.holding_locations = vec![
        PartLocation { key: 4, part: -1, frame: offset },
        PartLocation { key: 5, part: 19, frame: offset },
    ];
    let mut writer = DatWriter::new(BlockSize::Large, DataSet::Portal);
    writer.add_object(&setup);
    let assets = Assets::new(Dat::from_bytes(writer.finish().unwrap()).unwrap());
    let world = World::with_settings(assets, Settings::default());
    let mut scene = TestWorld { world, now: 10.0, events: Vec::new() };
    scene.send(&create_with(REMOTE, ObjectStamps::default(), |physics| {
        physics.position = Some(at(96.0, 96.0));
        physics.setup = Some(OWN_SETUP.0);
        physics.scale = Some(2.0);
    }));
    for (location, stamp) in [(4, 1), (5, 2)] {
        scene.send(&sword(|_| {}));
        scene.send(&parent_event(REMOTE, SWORD, location, stamp));
        let body = resident(&scene, REMOTE).position().frame;
        assert_eq!(resident(&scene, SWORD).position().frame, body.combine(&offset), "location {location}");
    }
}

/// A step of the property test.
#[derive(Clone, Debug)]
enum Step {
    Parent(u8, u8, u8),
    Create(u8, Option<u8>),
    Pickup(u8),
    Drop(u8, u8),
    Teleport(u8, u8),
    Delete(u8),
    Hide(u8, bool),
    Run(u8),
    Ticks(u8),
}

const BODIES: u8 = 6;

fn step() -> impl Strategy<Value = Step> {
    let body = 0..BODIES;
    prop_oneof![
        6 => (body.clone(), body.clone(), 0..4u8).prop_map(|(parent, child, at)| Step::Parent(parent, child, at)),
        2 => (body.clone(), proptest::option::of(body.clone())).prop_map(|(body, parent)| Step::Create(body, parent)),
        1 => body.clone().prop_map(Step::Pickup),
        2 => (body.clone(), any::<u8>()).prop_map(|(body, to)| Step::Drop(body, to)),
        1 => (body.clone(), any::<u8>()).prop_map(|(body, to)| Step::Teleport(body, to)),
        1 => body.clone().prop_map(Step::Delete),
        1 => (body.clone(), any::<bool>()).prop_map(|(body, hidden)| Step::Hide(body, hidden)),
        1 => body.prop_map(Step::Run),
        3 => (1..4u8).prop_map(Step::Ticks),
    ]
}

/// Every link has two ends, there is no cycle, and every held body is exactly where its holder holds it.
fn check_links(scene: &TestWorld) {
    for held in scene.world.entities() {
        for child in held.children() {
            let child = scene.world.find(*child).expect("a child that does not exist");
            assert_eq!(child.parent(), Some(held.guid()));
        }
        let Some(HeldBy { parent, location }) = held.held_by() else { continue };
        let holder = scene.world.find(parent).expect("a parent that does not exist");
        assert_eq!(holder.children().iter().filter(|child| **child == held.guid()).count(), 1);
        let frame = holder.holding_frame(scene.world.library(), location);
        assert_eq!(held.position(), CellPosition::new(holder.position().cell, frame));
        assert!(!held.body().is_in_cell());
        let mut above = held;
        for _ in 0..MAX_ATTACHMENT_DEPTH {
            let Some(parent) = above.parent() else { break };
            above = scene.world.find(parent).unwrap();
            assert_ne!(above.guid(), held.guid(), "a cycle");
        }
        assert!(above.parent().is_none(), "too deep, or a cycle");
    }
}

fn play(steps: &[Step]) {
    let mut scene = TestWorld::new();
    let guid = |number: u8| Guid(0x5000_0100 + u32::from(number));
    let somewhere = |to: u8| at(20.0 + f32::from(to % 16) * 10.0, 20.0 + f32::from(to / 16) * 10.0);
    for number in 0..BODIES {
        scene.send(&create(guid(number), &somewhere(number * 17), ObjectStamps::default(), None));
    }
    for (stamp, step) in (1..).zip(steps) {
        let bytes = match *step {
            Step::Parent(parent, child, location) => {
                parent_event(guid(parent), guid(child), u32::from(location), stamp)
            }
            Step::Create(body, parent) => create_with(guid(body), ObjectStamps::default(), |physics| {
                physics.stamps.position = Stamp(stamp);
                physics.position = Some(somewhere(body));
                physics.parent = parent.map(|parent| Attachment { guid: guid(parent), location: RIGHT_HAND });
            }),
            Step::Pickup(body) => {
                encode(PickupEvent { guid: guid(body), instance: Stamp(0), position: Stamp(stamp) })
            }
            Step::Drop(body, to) => position(guid(body), &somewhere(to), stamp),
            Step::Teleport(body, to) => {
                position_with(guid(body), &somewhere(to), stamp, |pack| pack.teleport = Stamp(stamp))
            }
            Step::Delete(body) => delete(guid(body), 0),
            Step::Hide(body, hidden) => {
                let mut state = PhysicsState::GRAVITY;
                state.set(PhysicsState::HIDDEN, hidden);
                encode(SetState { guid: guid(body), state, instance: Stamp(0), state_stamp: Stamp(stamp) })
            }
            Step::Run(body) => motion(guid(body), running(1.5), stamp),
            Step::Ticks(count) => {
                for _ in 0..count {
                    scene.tick();
                    check_links(&scene);
                }
                continue;
            }
        };
        scene.send(&bytes);
        check_links(&scene);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn links_stay_consistent_whatever_the_messages(steps in proptest::collection::vec(step(), 1..80)) {
        play(&steps);
    }
}
