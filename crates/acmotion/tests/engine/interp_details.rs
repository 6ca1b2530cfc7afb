//! The bound on the motions that a body queues (see `acmotion::limits`).

use crate::interp_common;

use acmotion::MotionEvent;
use acmotion::components::MovementParams;
use acmotion::internals::interp::Action;
use acmotion::limits::MAX_PENDING_MOTIONS;
use acmotion::types::{ActionStamp, MotionCommand};
use interp_common::Stage;

/// A creature with motions that wait in its interpreter alone, and with ten actions in both of its states.
fn with_backlog(motions: usize) -> Stage {
    let mut stage = Stage::creature();
    let interp = &mut stage.entity.interp;
    (0..motions).for_each(|_| interp.enqueue(0, MotionCommand::READY, None));
    for number in 0..10 {
        let stamp = ActionStamp::new(number);
        let action = Action { motion: MotionCommand::WAVE, speed: 1.0, stamp, autonomous: false };
        interp.raw.push_action(action);
        interp.interpreted.push_action(action);
    }
    stage
}

fn walk(stage: &mut Stage) {
    stage.act().do_interpreted_motion(MotionCommand::WALK_FORWARD, &MovementParams::default()).unwrap();
}

/// Nothing is left of a backlog of 1,024 motions, nor of the memory that it took.
#[test]
fn a_body_that_catches_up_keeps_nothing_of_its_backlog() {
    let mut stage = with_backlog(MAX_PENDING_MOTIONS);
    walk(&mut stage);
    assert!(stage.saw(MotionEvent::QueueOverflow { motions: 1024 }), "{:?}", stage.events.list());
    let interp = &stage.entity.interp;
    let pending: Vec<_> = interp.pending().map(|command| command.motion).collect();
    assert_eq!(pending, [MotionCommand::WALK_FORWARD], "the newest is played");
    assert_eq!((interp.raw.actions().len(), interp.interpreted.actions().len()), (0, 0));
    assert_eq!(interp.size_in_memory(), size_of_val(interp));
}

/// One motion less still fits.
#[test]
fn a_body_does_not_catch_up_before_it_has_to() {
    let mut stage = with_backlog(MAX_PENDING_MOTIONS - 1);
    walk(&mut stage);
    assert!(stage.events.list().is_empty(), "{:?}", stage.events.list());
    let interp = &stage.entity.interp;
    assert_eq!(interp.pending().len(), MAX_PENDING_MOTIONS);
    assert_eq!((interp.raw.actions().len(), interp.interpreted.actions().len()), (10, 10));
}

/// Motions that take no animations wait in the animator as well. It frees their memory when the body catches up.
#[test]
fn the_animator_keeps_nothing_of_a_backlog() {
    let mut stage = Stage::creature();
    let waiting = |stage: &Stage| stage.entity.animator.pending().len();
    let mut most = 0;
    while !stage.saw(MotionEvent::QueueOverflow { motions: 1024 }) {
        walk(&mut stage);
        most = most.max(waiting(&stage));
        assert!(most <= MAX_PENDING_MOTIONS);
    }
    assert_eq!((most, waiting(&stage)), (MAX_PENDING_MOTIONS, 1));
    let animator = &stage.entity.animator;
    assert_eq!(animator.size_in_memory(), size_of_val(animator));
}
