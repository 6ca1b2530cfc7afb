//! One long step and many short ones fire the same hooks in the same order, however the time is cut.

use acmotion::dat::{Assets, mannequin};
use acmotion::table::{MotionState, TableDriver};
use acmotion::types::{Frame, MotionCommand};
use acmotion::{HookBuffer, Library, Sequence};
use proptest::prelude::*;

const MOTIONS: [MotionCommand; 5] = [
    MotionCommand::RUN_FORWARD,
    MotionCommand::WALK_FORWARD,
    MotionCommand::SIDE_STEP_RIGHT,
    MotionCommand::TURN_RIGHT,
    MotionCommand::CLAP_HANDS,
];

fn begun(library: &mut Library, motion: MotionCommand, speed: f32) -> Sequence {
    let table = library.load_table(&Assets::mannequin(), mannequin::HUMAN_TABLE).unwrap();
    let (mut state, mut sequence) = (MotionState::new(), Sequence::new());
    let mut walker = TableDriver::new(library, library.table(table), &mut state, &mut sequence);
    walker.set_default();
    walker.request(motion, speed);
    sequence
}

/// The hooks of animations that fire, without the ends of nodes (rule Q4 makes their number depend on the cut).
fn fired(library: &Library, sequence: &mut Sequence, steps: &[f32]) -> Vec<(u32, u32)> {
    let (mut hooks, mut list) = (HookBuffer::default(), Vec::new());
    for step in steps {
        hooks.clear();
        sequence.update(library, *step, Some(&mut Frame::IDENTITY.clone()), Some(&mut hooks));
        let own = hooks.events().iter().filter(|event| !event.is_node_end());
        list.extend(own.map(|event| (event.frame, event.effect(library).number())));
    }
    list
}

/// Is the frame number so close to a boundary that rounding decides?
fn is_at_a_boundary(sequence: &Sequence) -> bool {
    let part = sequence.frame().fract();
    !(1e-5..=1.0 - 1e-5).contains(&part)
}

proptest! {
    #[test]
    fn any_split_fires_the_same(
        which in 0..MOTIONS.len(),
        speed in prop_oneof![0.2f32..3.0, -1.5f32..-0.2],
        cuts in proptest::collection::vec(1u32..400, 1..30),
    ) {
        let mut library = Library::new();
        let mut whole = begun(&mut library, MOTIONS[which], speed);
        let mut cut = whole.clone();
        // Multiples of 1/1024 s: their sum is exact.
        let steps: Vec<f32> = cuts.iter().map(|cut| *cut as f32 / 1024.0).collect();
        let total = cuts.iter().sum::<u32>() as f32 / 1024.0;
        let in_one = fired(&library, &mut whole, &[total]);
        let mut in_many = Vec::new();
        for step in &steps {
            in_many.extend(fired(&library, &mut cut, &[*step]));
            prop_assume!(!is_at_a_boundary(&cut));
        }
        prop_assume!(!is_at_a_boundary(&whole));
        prop_assert!((whole.frame() - cut.frame()).abs() < 1e-4);
        prop_assert_eq!(in_one, in_many);
    }
}
