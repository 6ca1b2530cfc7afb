//! The digests in a build with debug assertions. `.ci/determinism` checks them in release builds and for other targets.

use acmotion::World;
use acmotion_determinism::{Digest, Kind, PINNED, PINNED_SHOWN, run, run_on_threads, run_with_comfort};

fn check(kind: Kind) {
    let (_, pinned) = PINNED.into_iter().find(|(name, _)| *name == kind).unwrap();
    assert_eq!(run(kind, World::tick), pinned, "{kind}, serial");
    for threads in [1, 2, 5] {
        assert_eq!(run_on_threads(kind, threads), pinned, "{kind}, {threads} threads");
    }
}

#[test]
fn a_crowd_ends_in_the_pinned_state_on_any_number_of_threads() {
    check(Kind::Crowd);
}

#[test]
fn a_town_ends_in_the_pinned_state_on_any_number_of_threads() {
    check(Kind::Town);
}

#[test]
fn a_replayed_scene_ends_in_the_pinned_state_on_any_number_of_threads() {
    check(Kind::Scene);
}

/// The simulation is the same to the bit, and so is what is shown, on one core and on several.
#[test]
fn comfort_changes_no_state_and_shows_what_is_pinned() {
    for ((kind, pinned), (_, shown)) in PINNED.into_iter().zip(PINNED_SHOWN) {
        for tick in [World::tick, World::tick_parallel] {
            assert_eq!(run_with_comfort(kind, tick), (pinned, shown), "{kind}");
        }
    }
}

/// The published test vectors of FNV-1a, 64 bits.
#[test]
fn the_hash_is_fnv_1a() {
    assert_eq!(Digest::of(b"").hash, 0xCBF2_9CE4_8422_2325);
    assert_eq!(Digest::of(b"foobar").hash, 0x8594_4171_F739_67E8);
}
