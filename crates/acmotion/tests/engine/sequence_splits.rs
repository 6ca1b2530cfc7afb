//! One long step fires the same hooks in the same order as many short ones.

use acmotion::dat::{Assets, mannequin};
use acmotion::types::{Frame, MotionCommand, Vec3};
use acmotion::{HookBuffer, Library, MotionState, Sequence, TableDriver};
use proptest::prelude::*;

const MOTIONS: [MotionCommand; 5] = [
    MotionCommand::RUN_FORWARD,
    MotionCommand::WALK_FORWARD,
    MotionCommand::SIDE_STEP_RIGHT,
    MotionCommand::TURN_RIGHT,
    MotionCommand::CLAP_HANDS,
];

fn started(library: &mut Library, motion: MotionCommand, speed: f32) -> Sequence {
    let table = library.load_table(&Assets::mannequin(), mannequin::HUMAN_TABLE).unwrap();
    let (mut state, mut sequence) = (MotionState::new(), Sequence::new());
    let mut driver = TableDriver::new(library, library.table(table), &mut state, &mut sequence);
    driver.set_default();
    driver.request(motion, speed);
    sequence
}

/// Returns the frame and number of the hooks that fire, without the ends of nodes, whose number depends on the steps
/// (rule Q4).
fn fired(library: &Library, sequence: &mut Sequence, steps: &[f32]) -> Vec<(u32, u32)> {
    let (mut hooks, mut list) = (HookBuffer::default(), Vec::new());
    for step in steps {
        hooks.clear();
        sequence.update(library, *step, Some(&mut Frame::IDENTITY.clone()), Some(&mut hooks));
        let frame_hooks = hooks.events().iter().filter(|event| !event.is_node_end());
        list.extend(frame_hooks.map(|event| (event.frame, event.effect().number())));
    }
    list
}

/// Returns `true` if the frame number is so close to a boundary that rounding decides.
fn is_at_boundary(sequence: &Sequence) -> bool {
    let part = sequence.frame().fract();
    !(1e-5..=1.0 - 1e-5).contains(&part)
}

/// The bits of a frame, where −0 counts as 0.
fn bits(frame: &Frame) -> [u32; 7] {
    let (origin, turn) = (frame.origin, frame.rotation);
    [origin.x, origin.y, origin.z, turn.w, turn.x, turn.y, turn.z].map(|value| (value + 0.0).to_bits())
}

proptest! {
    /// An offset that is not the identity to the bit takes the general way.
    #[test]
    fn the_short_way_within_a_node_moves_the_body_by_the_same_bits(
        which in 0..MOTIONS.len(),
        speed in 0.2f32..3.0,
        turns in any::<bool>(),
        steps in proptest::collection::vec(0.001f32..0.2, 1..60),
    ) {
        let mut library = Library::new();
        let mut sequence = started(&mut library, MOTIONS[which], speed);
        if turns {
            sequence.set_physics(sequence.velocity(), Vec3::new(0.0, 0.1, 1.5));
        }
        let mut general = sequence.clone();
        for step in steps {
            let (mut offset, mut expected) = (Frame::IDENTITY, Frame::from_origin(Vec3::new(-0.0, 0.0, 0.0)));
            let (mut hooks, mut expected_hooks) = (HookBuffer::default(), HookBuffer::default());
            sequence.update(&library, step, Some(&mut offset), Some(&mut hooks));
            general.update(&library, step, Some(&mut expected), Some(&mut expected_hooks));
            prop_assert_eq!(bits(&offset), bits(&expected));
            prop_assert_eq!(hooks.events(), expected_hooks.events());
            prop_assert_eq!(sequence.frame().to_bits(), general.frame().to_bits());
        }
    }

    #[test]
    fn any_split_of_a_step_fires_the_same_hooks(
        which in 0..MOTIONS.len(),
        speed in prop_oneof![0.2f32..3.0, -1.5f32..-0.2],
        cuts in proptest::collection::vec(1u32..400, 1..30),
    ) {
        let mut library = Library::new();
        let mut whole = started(&mut library, MOTIONS[which], speed);
        let mut cut = whole.clone();
        // The sum of multiples of 1/1024 s is exact.
        let steps: Vec<f32> = cuts.iter().map(|cut| *cut as f32 / 1024.0).collect();
        let total = cuts.iter().sum::<u32>() as f32 / 1024.0;
        let in_one = fired(&library, &mut whole, &[total]);
        let mut in_many = Vec::new();
        for step in &steps {
            in_many.extend(fired(&library, &mut cut, &[*step]));
            prop_assume!(!is_at_boundary(&cut));
        }
        prop_assume!(!is_at_boundary(&whole));
        prop_assert!((whole.frame() - cut.frame()).abs() < 1e-4);
        prop_assert_eq!(in_one, in_many);
    }
}
