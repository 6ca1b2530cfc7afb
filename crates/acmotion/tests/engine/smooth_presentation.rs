//! Interpolation between key frames and between ticks, which does not affect the simulation.

use acmotion::dat::{Assets, mannequin};
use acmotion::smooth::{Snapshot, blend, frame, pose};
use acmotion::types::{Frame, MotionCommand, Quat, Vec3};
use acmotion::{Animator, HookBuffer, Library, PoseInput, move_by};

const TICK: f32 = 1.0 / 30.0;
const PARTS: usize = 64;

struct Body {
    animator: Animator,
    frame: Frame,
    hooks: HookBuffer,
}

impl Body {
    fn new(library: &mut Library) -> Self {
        let table = library
            .load_table(&Assets::mannequin(), mannequin::HUMAN_TABLE)
            .expect("the mannequin has the table");
        let mut animator = Animator::new(Some(table));
        animator.initialize(library).expect("a table");
        Self { animator, frame: Frame::IDENTITY, hooks: HookBuffer::new() }
    }

    fn tick(&mut self, library: &Library, tick: usize) {
        let motion = match tick % 90 {
            0 => Some((MotionCommand::RUN_FORWARD, 1.7)),
            30 => Some((MotionCommand::TURN_RIGHT, 1.5)),
            50 => Some((MotionCommand::WALK_FORWARD, -0.65)),
            70 => Some((MotionCommand::READY, 1.0)),
            _ => None,
        };
        if let Some((motion, speed)) = motion {
            let _ = self.animator.do_motion(library, motion, speed);
        }
        let offset = self.animator.sequence_mut().advance(library, TICK, Some(&mut self.hooks));
        move_by(&mut self.frame, &offset);
    }

    fn snapshot(&self, library: &Library) -> Snapshot {
        Snapshot::of(library, self.animator.sequence(), &self.frame)
    }
}

#[test]
fn interpolation_does_not_affect_the_simulation() {
    let mut library = Library::new();
    let (mut watched, mut unwatched) = (Body::new(&mut library), Body::new(&mut library));
    let mut before = watched.snapshot(&library);
    for tick in 0..600 {
        watched.tick(&library, tick);
        unwatched.tick(&library, tick);
        let now = watched.snapshot(&library);
        for share in [0.0, 0.3, 0.99, 7.0, f32::NAN] {
            let mut parts = [Frame::IDENTITY; PARTS];
            assert!(pose(&library, &before, &now, share, Vec3::ONE, &mut parts) > 10);
            assert!(parts.iter().all(Frame::is_valid));
        }
        before = now;
        assert_eq!(watched.animator, unwatched.animator, "tick {tick}");
        assert_eq!(
            watched.animator.sequence().frame().to_bits(),
            unwatched.animator.sequence().frame().to_bits()
        );
        assert_eq!(watched.frame, unwatched.frame);
        assert_eq!(watched.hooks, unwatched.hooks);
    }
}

/// Ten displayed frames a tick against one, as the original shows it.
#[test]
fn interpolated_parts_move_in_smaller_steps() {
    let mut library = Library::new();
    let mut body = Body::new(&mut library);
    body.animator.do_motion(&library, MotionCommand::RUN_FORWARD, 1.5).expect("it runs");
    let max_distance = |a: &[Frame], b: &[Frame]| {
        a.iter().zip(b).map(|(a, b)| (a.origin - b.origin).length()).fold(0.0, f32::max)
    };
    let (mut shown, mut smooth) = ([Frame::IDENTITY; PARTS], [Frame::IDENTITY; PARTS]);
    let (mut max_step, mut max_smooth_step) = (0.0f32, 0.0f32);
    let mut before = body.snapshot(&library);
    for tick in 0..60 {
        let offset = body.animator.sequence_mut().advance(&library, TICK, None);
        move_by(&mut body.frame, &offset);
        let now = body.snapshot(&library);
        let (last_shown, mut last) = (shown, smooth);
        let input = PoseInput { sequence: body.animator.sequence(), frame: &body.frame, scale: Vec3::ONE };
        input.frames(&library, &mut shown);
        for display_frame in 1..=10 {
            pose(&library, &before, &now, display_frame as f32 / 10.0, Vec3::ONE, &mut smooth);
            if tick > 0 {
                max_smooth_step = max_smooth_step.max(max_distance(&last, &smooth));
            }
            last = smooth;
        }
        if tick > 0 {
            max_step = max_step.max(max_distance(&last_shown, &shown));
        }
        before = now;
    }
    assert!(max_smooth_step < 0.25 * max_step, "{max_smooth_step} m a displayed frame, {max_step} m a tick");
}

#[test]
fn a_full_share_gives_the_frame_of_the_simulation() {
    let mut library = Library::new();
    let mut body = Body::new(&mut library);
    let mut before = body.snapshot(&library);
    for tick in 0..200 {
        body.tick(&library, tick);
        let now = body.snapshot(&library);
        assert_eq!(frame(&before, &now, 0.0), *before.frame());
        let arrived = frame(&before, &now, 1.0);
        assert!((arrived.origin - body.frame.origin).length() < 1e-4);
        assert!(arrived.rotation.dot(body.frame.rotation).abs() > 0.9999);
        before = now;
    }
}

#[test]
fn long_steps_and_large_turns_are_not_interpolated() {
    let at = |x: f32, turn: f32| {
        Frame::new(Vec3::new(x, 0.0, 0.0), Quat::from_axis_angle(Vec3::new(0.0, 0.0, 1.0), turn.to_radians()))
    };
    let here = at(0.0, 0.0);
    assert!((blend(&here, &at(2.0, 90.0), 0.5).origin.x - 1.0).abs() < 1e-6);
    assert!((blend(&here, &at(0.0, 90.0), 0.5).heading() - 315.0).abs() < 1e-2);
    assert_eq!(blend(&here, &at(4.1, 0.0), 0.5), here, "too far apart");
    assert_eq!(blend(&here, &at(0.0, 121.0), 0.5), here, "too large a turn");
    // A quaternion of opposite sign is the same rotation.
    let mut other = at(1.0, 10.0);
    other.rotation = Quat::new(-other.rotation.w, 0.0, 0.0, -other.rotation.z);
    assert!((blend(&here, &other, 0.5).heading() - 355.0).abs() < 1e-2);
}
