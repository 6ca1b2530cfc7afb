//! For any reports the corrections stay finite and within their limits.

use acmotion::components::{CorrectionInput, Interpolation, PositionManager, QueueResult};
use acmotion::explain::{ConstraintRange, InterpolationStep};
use acmotion::internals::correction::{MAX_NODES, blip_distance};
use acmotion::types::{CellId, CellPosition, Frame, Quat, Vec3};
use proptest::prelude::*;

#[derive(Clone, Debug)]
enum Event {
    Report(CellPosition, bool),
    Constrain(CellPosition),
    Stop,
    Tick { quantum: f32, root: Vec3, contact: bool, speed: f32 },
}

/// Floats in steps of a thousandth, because proptest's own float ranges fail an assertion inside proptest now and then.
fn thousandths(range: std::ops::Range<i32>) -> impl Strategy<Value = f32> + Clone {
    range.prop_map(|number| number as f32 * 0.001)
}

fn coordinate() -> impl Strategy<Value = f32> {
    prop_oneof![8 => thousandths(-300_000..300_000), 1 => Just(f32::NAN), 1 => Just(f32::INFINITY)]
}

fn position() -> impl Strategy<Value = CellPosition> {
    let cells = prop_oneof![Just(CellId(0xA9B4_0001)), Just(CellId(0xAAB4_0101)), Just(CellId(0))];
    let part = thousandths(-1500..1500);
    let rotation = [part.clone(), part.clone(), part.clone(), part];
    (cells, [coordinate(), coordinate(), coordinate()], rotation).prop_map(|(cell, origin, rotation)| {
        CellPosition::new(cell, Frame::new(Vec3::from(origin), Quat::from(rotation)))
    })
}

fn event() -> impl Strategy<Value = Event> {
    let part = thousandths(-1000..1000);
    let root = [part.clone(), part.clone(), part].prop_map(Vec3::from);
    prop_oneof![
        3 => (position(), any::<bool>()).prop_map(|(target, keep)| Event::Report(target, keep)),
        1 => position().prop_filter("the anchor is finite", |p| p.frame.origin.is_finite()).prop_map(Event::Constrain),
        1 => Just(Event::Stop),
        8 => (thousandths(1..200), root, any::<bool>(), thousandths(0..20_000))
            .prop_map(|(quantum, root, contact, speed)| Event::Tick { quantum, root, contact, speed }),
    ]
}

fn is_valid(frame: &Frame) -> bool {
    frame.origin.is_finite() && frame.is_valid()
}

proptest! {
    #[test]
    fn corrections_stay_finite_and_bounded(events in proptest::collection::vec(event(), 0..80)) {
        let mut own = CellPosition::at(CellId(0xA9B4_0001), Vec3::new(96.0, 96.0, 0.0));
        let mut manager = PositionManager::default();
        for event in events {
            match event {
                Event::Report(target, keep) => {
                    let blip = blip_distance(own.cell, false);
                    let received = manager.interpolation.interpolate_to(target, keep, &own, blip);
                    prop_assert_eq!(received == QueueResult::Ignored, !target.frame.origin.is_finite());
                }
                Event::Constrain(anchor) => {
                    manager.constraint.constrain_to(&anchor, &own, ConstraintRange::of(own.cell));
                }
                Event::Stop => manager.interpolation.stop(),
                Event::Tick { quantum, root, contact, speed } => {
                    let mut offset = Frame::from_origin(root);
                    let body = CorrectionInput {
                        position: own,
                        contact,
                        adjusted_max_speed: speed,
                        max_speed: speed,
                        radius: 0.5,
                        sticky_target: None,
                    };
                    let adjustment = manager.adjust_offset(&mut offset, quantum, &body);
                    match adjustment.interpolation {
                        InterpolationStep::Toward { speed, .. } => {
                            prop_assert!(offset.origin.length() <= speed * quantum * 1.001 + 0.05);
                        }
                        _ => prop_assert!(offset.origin.length() <= root.length() * 1.001),
                    }
                    own.frame = own.frame.combine(&offset);
                    if let Some(target) = manager.interpolation.blip_target() {
                        own.cell = target.cell;
                        own.frame.origin = target.frame.origin;
                        own.frame.set_rotation(target.frame.rotation);
                        manager.interpolation.stop();
                    }
                }
            }
            prop_assert!(is_valid(&own.frame), "{own:?}");
            prop_assert!(manager.interpolation.nodes().len() <= MAX_NODES);
            prop_assert!(manager.constraint.pos_offset().is_finite());
        }
    }
}

/// Every entity has one.
#[test]
fn a_position_manager_is_small_while_it_has_few_nodes() {
    assert!(size_of::<PositionManager>() <= 104, "{}", size_of::<PositionManager>());
    let mut interpolation = Interpolation::default();
    let own = CellPosition::at(CellId(0xA9B4_0001), Vec3::ZERO);
    let at = |y: u8| CellPosition::at(own.cell, Vec3::new(0.0, f32::from(y), 0.0));
    interpolation.interpolate_to(at(1), false, &own, 100.0);
    assert_eq!(interpolation.side_bytes(), 0);
    for y in 2..200 {
        interpolation.interpolate_to(at(y), false, &own, 100.0);
    }
    assert!(interpolation.side_bytes() <= 32 * 32 + 24);
}
