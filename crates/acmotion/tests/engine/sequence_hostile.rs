//! Values that no valid data has: the engine returns quickly, and everything stays finite.

use std::sync::Arc;

use acmotion::dat::{
    AnimData, Animation, AnimationFrame, Assets, DatError, DataId, MotionData, MotionTable, mannequin,
};
use acmotion::types::{Frame, MotionCommand, Quat, Vec3};
use acmotion::{Animations, Animator, HookBuffer, Library, MotionState, Sequence, TableDriver};

const VALUES: [f32; 12] = [
    f32::NAN,
    f32::INFINITY,
    f32::NEG_INFINITY,
    f32::MAX,
    f32::MIN,
    1e30,
    -1e30,
    f32::MIN_POSITIVE,
    -0.0,
    1e-4,
    3e4,
    -65_536.0,
];

fn is_valid(offset: &Frame) -> bool {
    offset.origin.is_finite() && offset.is_valid()
}

fn library(frames: usize, positions: Option<Frame>) -> (Library, Sequence) {
    let mut library = Library::new();
    let positions = positions.map(|position| vec![position; frames]);
    let animation = Animation::new(DataId(1), positions, vec![AnimationFrame::default(); frames]);
    let clip = library.add_animation(Arc::new(animation));
    let span = library.span(clip, 0, -1);
    let mut sequence = Sequence::new();
    sequence.append(&library, span, 30.0);
    sequence.append(&library, span, 30.0);
    (library, sequence)
}

#[test]
fn any_rate_time_and_velocity_gives_a_finite_offset() {
    for frames in [1, 7] {
        for rate in VALUES {
            for quantum in VALUES {
                for velocity in [0.0, 3.0, f32::NAN, f32::INFINITY, f32::MAX] {
                    let (library, mut sequence) = library(frames, None);
                    sequence.multiply_cyclic_framerate(rate);
                    let v = Vec3::new(0.0, velocity, velocity);
                    sequence.set_physics(v, v);
                    let mut hooks = HookBuffer::new();
                    for _ in 0..3 {
                        let offset = sequence.advance(&library, quantum, Some(&mut hooks));
                        assert!(is_valid(&offset), "{rate} {quantum} {velocity}: {offset:?}");
                        assert!(sequence.frame().is_finite());
                    }
                    assert!(hooks.events().len() < 200_000);
                }
            }
        }
    }
}

#[test]
fn a_non_finite_time_changes_nothing() {
    let (library, mut sequence) = library(7, None);
    sequence.advance(&library, 0.1, None);
    let before = sequence.clone();
    for quantum in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        let offset = sequence.advance(&library, quantum, None);
        assert_eq!((offset, &sequence), (Frame::IDENTITY, &before), "{quantum}");
    }
}

/// The original loops for ever where low and high are swapped (H3).
#[test]
fn a_node_with_swapped_bounds_ends() {
    for factor in [-1.0, -0.65, -40.0] {
        let (library, mut sequence) = library(9, None);
        sequence.remove_all_links(&library);
        sequence.multiply_cyclic_framerate(factor);
        for _ in 0..10 {
            assert!(is_valid(&sequence.advance(&library, 0.2, None)));
        }
    }
}

#[test]
fn invalid_position_frames_give_a_valid_offset() {
    let broken = [
        Frame::from_origin(Vec3::new(f32::NAN, 0.0, 0.0)),
        Frame::from_origin(Vec3::new(f32::MAX, f32::MAX, 0.0)),
        Frame::new(Vec3::ZERO, Quat::new(0.0, 0.0, 0.0, 0.0)),
        Frame::new(Vec3::ZERO, Quat::new(f32::NAN, 1.0, 0.0, 0.0)),
    ];
    for position in broken {
        for rate in [1.0, -1.0] {
            let (library, mut sequence) = library(4, Some(position));
            sequence.multiply_cyclic_framerate(rate);
            for _ in 0..30 {
                assert!(is_valid(&sequence.advance(&library, 0.1, None)), "{position:?}");
            }
        }
    }
}

#[test]
fn motions_at_any_speed_give_a_valid_offset() {
    let mut library = Library::new();
    let table = library.load_table(&Assets::mannequin(), mannequin::HUMAN_TABLE).expect("a table");
    let motions = [
        MotionCommand::RUN_FORWARD,
        MotionCommand::TURN_RIGHT,
        MotionCommand::WAVE,
        MotionCommand::SWORD_COMBAT,
    ];
    for first in VALUES {
        for second in VALUES {
            let mut animator = Animator::new(Some(table));
            animator.initialize(&library).expect("a table");
            for motion in motions {
                for speed in [first, second] {
                    let _ = animator.do_motion(&library, motion, speed);
                    let mut offset = Frame::IDENTITY;
                    animator.update(&library, 0.2, Some(&mut offset), None);
                    assert!(is_valid(&offset), "{motion} {first} {second}: {offset:?}");
                }
            }
        }
    }
}

/// In the original, two modifiers that may each become the cycle at any time displace each other for ever (G8).
#[test]
fn modifiers_that_displace_each_other_end() {
    struct Ten;
    impl Animations for Ten {
        fn animation(&self, id: DataId) -> Result<Arc<Animation>, DatError> {
            Ok(Arc::new(Animation::new(id, None, vec![AnimationFrame::default(); 10])))
        }
    }
    let anim = AnimData { animation: DataId(0x0300_0001), low: 0, high: -1, framerate: 30.0 };
    let data = MotionData { anims: vec![anim], ..MotionData::default() };
    let (ready, turn, side) =
        (MotionCommand::READY, MotionCommand::TURN_RIGHT, MotionCommand::SIDE_STEP_RIGHT);
    let key = |motion: MotionCommand| 0x003D_0000 | motion.0 & 0xFF_FFFF;
    let table = MotionTable {
        id: DataId(0x0900_0001),
        default_style: MotionCommand::NON_COMBAT,
        style_defaults: [(MotionCommand::NON_COMBAT.0, ready)].into_iter().collect(),
        cycles: [ready, turn, side].map(|motion| (key(motion), data.clone())).into_iter().collect(),
        ..MotionTable::default()
    };
    let mut library = Library::new();
    let id = library.add_table(&table, &Ten);
    let (mut state, mut sequence) = (MotionState::new(), Sequence::new());
    let mut driver = TableDriver::new(&library, library.table(id), &mut state, &mut sequence);
    driver.set_default();
    for _ in 0..20 {
        driver.request(turn, 1.0);
        driver.request(side, 1.0);
    }
    assert!(sequence.nodes(&library).len() < 10_000);
}

#[test]
fn an_empty_table_refuses_every_motion() {
    let mut library = Library::new();
    let table = library.add_table(&MotionTable::default(), &Assets::mannequin());
    let mut animator = Animator::new(Some(table));
    let _ = animator.initialize(&library);
    for motion in [MotionCommand::NONE, MotionCommand::READY, MotionCommand::NON_COMBAT, MotionCommand::WAVE]
    {
        assert!(animator.do_motion(&library, motion, 1.0).is_err());
        assert!(animator.stop_motion(&library, motion).is_err());
    }
    assert!(animator.stop_completely(&library).is_ok(), "stopping always succeeds (G13)");
    assert!(!animator.sequence().has_nodes());
}
