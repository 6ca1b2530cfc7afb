//! Bytes that are not a snapshot, or not an honest one: restoring them is an error, or gives a world that ticks.

use crate::snapshot_support;

use acmotion::RestoreError;
use acmotion::internals::world::seal_snapshot;
use proptest::prelude::*;
use snapshot_support::{Story, crowd, effects, town};
use std::sync::LazyLock;

/// The size of the header, in bytes.
const HEADER: usize = 24;

/// The stories in the middle, and their snapshots.
static SNAPSHOTS: LazyLock<Vec<(Story, Vec<u8>)>> = LazyLock::new(|| {
    [crowd().run(90), town().run(150), effects().run(90)]
        .map(|story| (story.clone(), story.world.snapshot()))
        .into()
});

fn error(story: &Story, bytes: &[u8]) -> Option<RestoreError> {
    story.restore(bytes).err()
}

#[test]
fn every_truncation_is_an_error() {
    for (story, bytes) in &*SNAPSHOTS {
        for length in 0..bytes.len() {
            let error = error(story, &bytes[..length]);
            assert!(matches!(error, Some(RestoreError::Truncated { .. })), "{length} bytes: {error:?}");
        }
    }
}

/// A truncated state whose header is right.
#[test]
fn every_truncation_of_the_state_is_an_error() {
    for (story, bytes) in &*SNAPSHOTS {
        for length in (HEADER..bytes.len()).step_by(7) {
            let mut bytes = bytes[..length].to_vec();
            seal_snapshot(&mut bytes);
            assert!(error(story, &bytes).is_some(), "{length} bytes");
        }
    }
}

#[test]
fn a_wrong_header_is_named() {
    let (story, bytes) = &SNAPSHOTS[0];
    let changed = |index: usize, value: u8| {
        let mut bytes = bytes.clone();
        bytes[index] = value;
        error(story, &bytes)
    };
    assert!(matches!(changed(0, b'X'), Some(RestoreError::NotASnapshot)));
    let version = changed(4, 9).unwrap();
    assert_eq!(version.to_string(), "a snapshot of version 9; this version of acmotion reads only version 2");
    assert!(matches!(changed(HEADER + 100, bytes[HEADER + 100] ^ 1), Some(RestoreError::Checksum)));
    let longer = [bytes.as_slice(), &[0, 0]].concat();
    assert!(matches!(error(story, &longer), Some(RestoreError::TrailingBytes { count: 2 })));
    let mut longer = longer;
    seal_snapshot(&mut longer);
    assert!(matches!(error(story, &longer), Some(RestoreError::Invalid { .. })));
}

/// A count of four thousand million, anywhere, reserves no more than the bytes could hold.
#[test]
fn absurd_counts_allocate_little() {
    for (story, bytes) in &*SNAPSHOTS {
        for start in (HEADER..bytes.len() - 5).step_by(61) {
            let mut bytes = bytes.clone();
            bytes[start..start + 5].copy_from_slice(&[0xFF, 0xFF, 0xFF, 0xFF, 0x0F]);
            seal_snapshot(&mut bytes);
            let allocated = allocation_counter::measure(|| drop(story.restore(&bytes)));
            assert!(allocated.bytes_max < 64 << 20, "{} bytes at {start}", allocated.bytes_max);
        }
    }
}

/// Restores changed bytes. If that gives a world, it ticks, and its state can be kept again.
fn try_changed(story: &Story, mut bytes: Vec<u8>) -> bool {
    seal_snapshot(&mut bytes);
    let Ok(mut restored) = story.restored(&bytes) else { return false };
    let again = restored.world.snapshot();
    assert!(restored.restore(&again).is_ok(), "a world that was restored cannot be restored again");
    for _ in 0..4 {
        restored.step();
    }
    true
}

/// A byte, a number that is larger than any in a real world, or a count.
fn change() -> impl Strategy<Value = Vec<u8>> {
    let single =
        proptest::sample::select(vec![f32::MAX, f32::MIN, 1e20, -1e20, 1e9, 1e6, -1e6, 1e-40, f32::NAN]);
    let double =
        proptest::sample::select(vec![f64::MAX, f64::MIN, 1e300, 1e12, -1e12, 1e-300, f64::INFINITY]);
    prop_oneof![
        4 => any::<u8>().prop_map(|byte| vec![byte]),
        4 => single.prop_map(|number| number.to_le_bytes().to_vec()),
        2 => double.prop_map(|number| number.to_le_bytes().to_vec()),
        1 => Just(vec![0xFF, 0xFF, 0xFF, 0xFF, 0x0F]),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn changed_bytes_are_an_error_or_a_world_that_ticks(
        story in 0..3_usize,
        changes in proptest::collection::vec((any::<prop::sample::Index>(), change()), 1..4),
    ) {
        let (story, bytes) = &SNAPSHOTS[story];
        let mut bytes = bytes.clone();
        for (index, change) in changes {
            let start = HEADER + index.index(bytes.len() - HEADER - change.len());
            bytes[start..start + change.len()].copy_from_slice(&change);
        }
        try_changed(story, bytes);
    }
}

/// Not everything is refused: most numbers of a state can be others.
#[test]
fn some_changed_bytes_give_a_world() {
    let (story, bytes) = &SNAPSHOTS[2];
    let changed = (HEADER..bytes.len()).step_by(97).filter(|index| {
        let mut bytes = bytes.clone();
        bytes[*index] ^= 1;
        try_changed(story, bytes)
    });
    assert!(changed.count() > 10);
}
