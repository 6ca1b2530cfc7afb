//! Messages and calls that come rarely: an object that is described anew, a new appearance, and the position of a player that
//! its own client controls (`docs/behaviour.md` D4, D12, C27).

use crate::player_support::player;
use crate::world_support;

use acmotion::internals::gate::Stale;
use acmotion::types::Stamp;
use acmotion::wire::{ObjDescEvent, ObjectStamps, S2C, decode_s2c};
use acmotion::{EventKind, Rejection};
use world_support::{ERA, GROUND, PLAYER, REMOTE, TestWorld, at, create, encode, motion, running};

/// How often a message was rejected because of a stamp.
fn stale(scene: &TestWorld, stamp: Stale) -> usize {
    scene.count_events(|kind| *kind == EventKind::Rejected(Rejection::Stale(stamp)))
}

/// An object that `UpdateObject` describes is destroyed and created anew, even under the same instance (D12). Whatever it did
/// is over, and its stamps are those of the description. A description of an older instance changes nothing.
#[test]
fn d12_an_object_that_is_described_anew_starts_over() {
    let mut scene = TestWorld::with_remote();
    let first = scene.world.find(REMOTE).unwrap().id();
    scene.send(&motion(REMOTE, running(1.0), 1));
    scene.ticks(60);
    assert!(scene.origin(REMOTE).y > 97.0, "it runs");
    let anew = |instance: u16| {
        let stamps =
            ObjectStamps { movement: Stamp(7), instance: Stamp(instance), ..ObjectStamps::default() };
        let mut bytes = create(REMOTE, &at(100.0, 96.0), stamps, None);
        bytes[..4].copy_from_slice(&0xF7DB_u32.to_le_bytes());
        bytes
    };
    scene.send(&anew(u16::MAX));
    assert_eq!(stale(&scene, Stale::Instance), 1);
    assert_eq!(scene.world.find(REMOTE).unwrap().id(), first);
    assert!(scene.origin(REMOTE).x < 97.0);

    scene.send(&anew(0));
    let second = scene.world.find(REMOTE).unwrap();
    assert_ne!(second.id(), first);
    assert_eq!(second.stamps().movement, Stamp(7));
    let start = scene.origin(REMOTE);
    assert!((start.x - 100.0).abs() < 0.01, "{start:?}");
    scene.ticks(10);
    assert_eq!(scene.origin(REMOTE), start, "it no longer runs");
}

/// A new appearance has a stamp of its own. Motion does not depend on anything else in the message (D4).
#[test]
fn d4_a_new_appearance_advances_its_stamp_alone() {
    let mut scene = TestWorld::with_remote();
    let description = create(REMOTE, &at(96.0, 96.0), ObjectStamps::default(), None);
    let S2C::CreateObject(object) = decode_s2c(&description, ERA).unwrap() else { panic!("not an object") };
    let looks = |visual_desc: u16| {
        let (instance, visual_desc) = (Stamp(0), Stamp(visual_desc));
        encode(ObjDescEvent { guid: REMOTE, model: object.0.model, instance, visual_desc })
    };
    let stamps = |scene: &TestWorld| *scene.world.find(REMOTE).unwrap().stamps();
    let before = stamps(&scene);
    scene.send(&looks(3));
    assert_eq!(stamps(&scene), ObjectStamps { visual_desc: Stamp(3), ..before });
    assert_eq!(stale(&scene, Stale::VisualDesc), 0);
    scene.send(&looks(2));
    assert_eq!(stamps(&scene), ObjectStamps { visual_desc: Stamp(3), ..before });
    assert_eq!(stale(&scene, Stale::VisualDesc), 1);
}

/// A player whose client says that it is in the air is put there as it is, without looking for ground within a step below, and
/// falls. Where the land is unknown, its ground is not above it: one that is reported deeper falls no farther.
#[test]
fn a_player_that_its_client_puts_into_the_air_falls_from_there() {
    for height in [5.0, 0.3, -3.0] {
        let mut scene = player();
        let mut position = at(97.0, 97.0);
        position.frame.origin.z = GROUND + height;
        let now = scene.now;
        scene.world.set_player_position(&position, false, now);
        let body = scene.world.find(PLAYER).unwrap().body();
        assert_eq!(body.position, position, "{height}");
        assert!(!body.has_contact() && !body.is_on_walkable(), "{height}");
        scene.ticks(3);
        let fallen = scene.origin(PLAYER).z - position.frame.origin.z;
        if height > 0.0 {
            assert!((-0.2..0.0).contains(&fallen), "{height}: {fallen}");
        }
        scene.ticks(90);
        let (z, ground) = (scene.origin(PLAYER).z, GROUND + height.min(0.0));
        assert!(scene.world.find(PLAYER).unwrap().body().is_standing(), "{height}");
        assert!((z - ground).abs() < 0.05, "{height}: at {z}, not on {ground}");
    }
}
