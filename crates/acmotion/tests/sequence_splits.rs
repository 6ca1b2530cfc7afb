//! One long step fires the same hooks in the same order as many short ones.

use acmotion::dat::{Assets, mannequin};
use acmotion::types::{Frame, MotionCommand};
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

proptest! {
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
