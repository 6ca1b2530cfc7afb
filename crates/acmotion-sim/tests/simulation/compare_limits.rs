//! Results that are made to take memory or time: what is kept of them has limits, counted in bytes and allocations.

use std::fmt::Write as _;

use acmotion_sim::compare::{CompareError, Comparison, MAX_ENTITIES, Tolerance, compare};
use allocation_counter::{AllocationInfo, measure};

/// A state of an entity that only this result has.
const OTHER: &str = "{\"t\":0,\"guid\":\"0x50000009\",\"cell\":\"0xA9B40019\",\"origin\":[1,2,3]}\n";

fn state(t: f64, entity: usize, rest: &str) -> String {
    format!(
        "{{\"t\":{t},\"guid\":\"0x{:08x}\",\"cell\":\"0xA9B40019\",\"origin\":[1,2,3]{rest}}}\n",
        0x5000_1000 + entity
    )
}

fn event(t: f64, frame: usize) -> String {
    format!("{{\"t\":{t},\"guid\":\"0x50001000\",\"event\":\"hook\",\"frame\":{frame}}}\n")
}

fn compared(a: &str, b: &str) -> Result<Comparison, CompareError> {
    compare(a.as_bytes(), b.as_bytes(), Tolerance::default())
}

/// Compares two results and measures what that takes.
fn measured(a: &str, b: &str) -> (Comparison, AllocationInfo) {
    let mut comparison = None;
    let info = measure(|| comparison = compared(a, b).ok());
    (comparison.expect("two results"), info)
}

#[test]
fn lines_of_one_moment_wait_in_bounded_number() {
    let a: String = (0..60_000).map(|_| state(1.0, 0, "")).collect();
    let (comparison, info) = measured(&a, OTHER);
    assert_eq!(comparison.entities.iter().map(|entity| entity.only_a).sum::<u64>(), 60_000);
    assert!(info.bytes_max < 2 << 20, "{} bytes for {} of input", info.bytes_max, a.len());
}

/// 150 MB, in lines that are as long as the number of those that wait allows.
#[test]
fn long_lines_wait_in_bounded_size() {
    let long = format!(",\"note\":\"{}\"", "x".repeat(1 << 20));
    let a: String = (0..150).map(|entity| state(1.0, entity, &long)).collect();
    let (comparison, info) = measured(&a, OTHER);
    assert_eq!(comparison.entities.iter().map(|entity| entity.only_a).sum::<u64>(), 150);
    assert!(info.bytes_max < 80 << 20, "{} bytes for {} of input", info.bytes_max, a.len());
}

#[test]
fn the_fields_of_a_first_difference_are_bounded_and_counted() {
    let mut a = state(1.0, 0, "");
    let b = a.clone();
    a.extend((0..50_000).map(|frame| event(1.0, frame)));
    let (comparison, info) = measured(&a, &b);
    let first = comparison.entities[0].first.as_ref().expect("a difference");
    assert_eq!((first.fields.len(), first.more), (64, 50_000 - 64));
    assert_eq!(comparison.entities[0].different_events, 50_000);
    assert!(info.bytes_max < 2 << 20, "{} bytes for {} of input", info.bytes_max, a.len());
}

#[test]
fn a_long_value_of_a_first_difference_is_cut() {
    let note = |letter: &str| state(1.0, 0, &format!(",\"note\":\"{}\"", letter.repeat(100_000)));
    let comparison = compared(&note("é"), &note("è")).unwrap();
    let first = comparison.entities[0].first.as_ref().expect("a difference");
    let lengths = [&first.fields[0].a, &first.fields[0].b].map(|value| value.as_str().map_or(0, str::len));
    // A quote, and letters of two bytes each.
    assert_eq!(lengths, [4_095, 4_095]);
}

/// Each event of one side looks for its counterpart among those of the other.
#[test]
fn an_event_is_compared_with_a_bounded_number_of_others() {
    let mut a = state(1.0, 0, "");
    let mut b = a.clone();
    a.extend((0..4_000).map(|frame| event(1.0, frame)));
    b.extend((0..200).map(|frame| event(1.001, 10_000 + frame)));
    let (comparison, info) = measured(&a, &b);
    assert_eq!(comparison.entities[0].different_events, 4_200);
    // One comparison takes a few allocations, so that all pairs would be millions.
    assert!(info.count_total < 400_000, "{} allocations", info.count_total);
}

#[test]
fn names_of_fields_that_one_side_has_are_bounded() {
    let mut a = String::new();
    let mut b = String::new();
    for tick in 0..2_000 {
        let t = f64::from(tick) / 30.0;
        a += &state(t, 0, &format!(",\"field{tick}\":1"));
        b += &state(t, 0, "");
    }
    let comparison = compared(&a, &b).unwrap();
    assert_eq!((comparison.compared, comparison.fields_of_one.len()), (2_000, 256));
}

#[test]
fn more_entities_than_any_world_has_are_an_error() {
    let mut a = String::new();
    for entity in 0..MAX_ENTITIES {
        let _ = write!(a, "{}", state(1.0, entity, ""));
    }
    assert_eq!(compared(&a, &a).unwrap().entities.len(), MAX_ENTITIES);
    assert!(matches!(compared(&a, OTHER), Err(CompareError::TooManyEntities)));
}
