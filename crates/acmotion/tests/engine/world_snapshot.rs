//! A world that is cloned, or written to bytes and restored, has the same future.

use crate::snapshot_support;
use crate::world_support;

use std::sync::Arc;

use acmotion::dat::Assets;
use acmotion::effects::EffectEvent;
use acmotion::types::Guid;
use acmotion::{
    Event, EventKind, Identity, MotionEvent, MoveToEvent, Resident, RestoreError, Settings, Weenie, World,
};
use snapshot_support::{Story, crowd, effects, town};
use world_support::{PLAYER, at, create, motion, running};

const STORIES: [fn() -> Story; 3] = [crowd, town, effects];

/// Adds to a checksum of digests.
fn fold(sum: u64, digest: &[u32]) -> u64 {
    digest
        .iter()
        .fold(sum, |sum, word| (sum ^ u64::from(*word)).wrapping_mul(0x100_0000_01B3).rotate_left(29))
}

/// The entities around the first one, in the order in which they are found.
fn found(world: &World) -> Vec<Guid> {
    let centre = world.entities().next().unwrap().position();
    world.who_is_within(&centre, 40.0).map(Resident::guid).collect()
}

/// Compares all that entities consist of: a part that is not saved may matter only later.
fn assert_same_entities(restored: &World, world: &World) {
    assert_eq!(restored.entities().len(), world.entities().len());
    for (restored, original) in restored.entities().zip(world.entities()) {
        let parts =
            |resident: &Resident| (resident.id(), resident.model(), resident.stand_in(), *resident.stamps());
        assert_eq!(parts(restored), parts(original));
        let links =
            |resident: &Resident| (resident.held_by(), resident.children().to_vec(), resident.placement());
        assert_eq!(links(restored), links(original));
        assert_eq!(restored.effects(), original.effects());
        let (restored, original) = (restored.entity(), original.entity());
        assert_eq!(restored.body, original.body);
        assert_eq!(restored.interp, original.interp);
        assert_eq!(restored.animator, original.animator);
        assert_eq!(restored.correction.interpolation, original.correction.interpolation);
        assert_eq!(restored.correction.constraint, original.correction.constraint);
        assert_eq!(restored.correction.sticky(), original.correction.sticky());
        assert_eq!(restored.targets(), original.targets());
        assert_eq!(restored.move_to(), original.move_to());
        assert_eq!((&restored.shape, restored.mover_flags), (&original.shape, original.mover_flags));
        assert_eq!(restored.has_parts, original.has_parts);
    }
}

/// Runs a story for 300 ticks, restores it from bytes, and runs both for 300 more: all bits are the same in every tick, and
/// those of every run of this test.
fn check_future(story: Story, pinned: u64) {
    let mut story = story.run(300);
    let bytes = story.world.snapshot();
    let mut restored = story.restored(&bytes).unwrap();
    assert!(restored.world.snapshot() == bytes, "restoring changed the state");
    assert_same_entities(&restored.world, &story.world);
    let mut sum = 0;
    for _ in 0..300 {
        let digest = story.step();
        assert_eq!(restored.step(), digest, "at tick {}", story.tick);
        assert_eq!(restored.events(), story.events(), "at tick {}", story.tick);
        assert_eq!(found(&restored.world), found(&story.world), "at tick {}", story.tick);
        sum = fold(sum, &digest);
    }
    assert!(restored.world.snapshot() == story.world.snapshot(), "some hidden state has diverged");
    assert!(story.world.drain_outbound().eq(restored.world.drain_outbound()));
    assert_eq!(sum, pinned, "0x{sum:016X}");
}

/// The number of events of a story that match, in 300 ticks.
fn count(story: &Story, matches: impl Fn(&MotionEvent) -> bool) -> usize {
    let mut story = story.clone();
    let mut count = 0;
    for _ in 0..300 {
        story.step();
        let is_match = |event: &&Event| matches!(event.kind, EventKind::Motion(motion) if matches(&motion));
        count += story.events().iter().filter(is_match).count();
    }
    count
}

/// A restored world proves something only if much happens in it.
#[test]
fn the_stories_have_every_kind_of_state() {
    use acmotion::MotionEvent::{Effect, HitGround, Hook, MoveTo, Parented, Touched};

    let (crowd, town, effects) = (crowd(), town(), effects());
    assert!(count(&crowd, |event| matches!(event, HitGround)) > 20, "jumps");
    assert!(count(&crowd, |event| matches!(event, MoveTo(MoveToEvent::Sticks(_)))) > 0, "stuck bodies");
    assert!(count(&town, |event| matches!(event, Touched(_))) > 20, "collisions");
    assert!(count(&town, |event| matches!(event, MoveTo(_))) > 2, "a walk");
    assert!(count(&effects, |event| matches!(event, Hook(_))) > 100, "hooks");
    assert!(count(&effects, |event| matches!(event, Effect(EffectEvent::Scale(_)))) > 6, "scripts");
    assert!(count(&effects, |event| matches!(event, Parented { .. })) >= 6, "held objects");
    let mut town = town.run(300);
    assert!(town.world.drain_outbound().count() > 10, "messages");
    let crowd = crowd.run(300);
    assert!(crowd.world.waiting_messages() > 0, "waiting messages");
}

#[test]
fn a_restored_crowd_has_the_same_future() {
    check_future(crowd(), 0x78B1_EC36_B839_FE1B);
}

#[test]
fn a_restored_town_with_a_player_has_the_same_future() {
    check_future(town(), 0xEC42_AB2B_19B2_F457);
}

#[test]
fn restored_effects_missiles_and_held_objects_have_the_same_future() {
    check_future(effects(), 0x1820_24DA_404C_44D6);
}

/// At any tick, not only at a convenient one.
#[test]
fn any_state_comes_back_from_its_bytes() {
    for story in STORIES {
        let mut story = story();
        for _ in 0..250 {
            let bytes = story.world.snapshot();
            let restored = story.restore(&bytes).unwrap();
            assert!(restored.snapshot() == bytes, "at tick {}", story.tick);
            story.step();
        }
    }
}

#[test]
fn a_clone_has_the_same_future_and_is_independent() {
    for story in STORIES {
        let mut story = story().run(120);
        let before = story.world.snapshot();
        let mut clone = story.clone();
        for _ in 0..60 {
            assert_eq!(clone.step(), story.step());
        }
        assert!(clone.world.snapshot() == story.world.snapshot());

        // What the clone receives, and loads, is not in the original.
        let kept = story.clone();
        let stranger = Guid(0x5FFF_0001);
        let now = 1000.0;
        clone.world.receive(&create(stranger, &at(10.0, 10.0), Default::default(), None), now).unwrap();
        clone.world.receive(&motion(stranger, running(1.0), 1), now).unwrap();
        clone.world.tick(now + 0.1);
        assert!(clone.world.find(stranger).is_some() && story.world.find(stranger).is_none());
        assert!(story.world.snapshot() == kept.world.snapshot());
        assert!(story.world.snapshot() != before, "something happened in 60 ticks");
    }
}

/// A weenie of the caller's own type.
#[derive(Debug, PartialEq)]
struct Winged(f32);

impl Weenie for Winged {
    fn is_creature(&self) -> bool {
        true
    }

    fn run_rate(&self) -> Option<f32> {
        Some(self.0)
    }
}

/// It is asked for once for the player, whose entity shares it, and once for each other entity.
#[test]
fn weenies_of_own_types_are_asked_for() {
    let settings = Settings { player: Identity::Known(PLAYER), ..Settings::default() };
    let mut world = World::with_settings(Assets::mannequin(), settings);
    for guid in [PLAYER, Guid(7), Guid(8)] {
        world.receive(&create(guid, &at(10.0, guid.0 as u8 as f32), Default::default(), None), 0.0).unwrap();
    }
    world.set_player_weenie(Arc::new(Winged(2.0)));
    world.act(Guid(7), 0.0, |actor, _| actor.entity.set_weenie(Some(Arc::new(Winged(3.0)))));
    let bytes = world.snapshot();
    let refused = World::restore(&bytes, Assets::mannequin(), None).map(drop);
    assert!(matches!(refused, Err(RestoreError::Weenie { guid: PLAYER })), "{refused:?}");

    let mut asked = Vec::new();
    let restored = World::restore_with(&bytes, Assets::mannequin(), None, |guid| {
        asked.push(guid);
        Some(Arc::new(Winged(if guid == PLAYER { 2.0 } else { 3.0 })))
    });
    let restored = restored.unwrap();
    assert_eq!(asked, [PLAYER, Guid(7)]);
    let run_rate = |guid| restored.find(guid).unwrap().entity().weenie().unwrap().run_rate();
    assert_eq!([PLAYER, Guid(7), Guid(8)].map(run_rate), [Some(2.0), Some(3.0), None]);
    assert!(restored.snapshot() == bytes);
}

#[test]
fn other_assets_and_surroundings_are_refused() {
    let bytes = effects().run(20).world.snapshot();
    let other = World::restore(&bytes, Assets::mannequin(), None).map(drop);
    assert!(matches!(other, Err(RestoreError::Asset { .. })), "{other:?}");
    let bytes = town().run(5).world.snapshot();
    let other = World::restore(&bytes, Assets::mannequin(), None).map(drop);
    assert!(matches!(other, Err(RestoreError::Surroundings { expected: true })), "{other:?}");
}
