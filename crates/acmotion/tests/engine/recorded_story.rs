//! Reproduces measurements of the original client (`docs/recorded.md`) with the mannequin's motion table and a sequence
//! alone.

use acmotion::dat::{Assets, mannequin};
use acmotion::internals::table::{animation_done, check_for_completed_motions};
use acmotion::types::{Frame, MotionCommand};
use acmotion::{Animator, HookBuffer, Library, MotionHost};

/// The length of one frame of the run, in metres.
const RUN_FRAME: f32 = 0.133_333;

/// An animated body without physics.
struct Body {
    library: Library,
    animator: Animator,
    hooks: HookBuffer,
    frame: Frame,
    /// The angle turned, in radians.
    turned: f32,
}

impl MotionHost for Body {
    fn animator(&mut self) -> &mut Animator {
        &mut self.animator
    }

    fn motion_done(&mut self, _motion: MotionCommand, _success: bool) {}
}

impl Body {
    /// Creates a body that has been standing for a second.
    fn new() -> Self {
        let mut library = Library::new();
        let table = library.load_table(&Assets::mannequin(), mannequin::HUMAN_TABLE).unwrap();
        let mut animator = Animator::new(Some(table));
        animator.initialize(&library).unwrap();
        let mut body =
            Self { library, animator, hooks: HookBuffer::default(), frame: Frame::IDENTITY, turned: 0.0 };
        body.play(1.0);
        body
    }

    fn start(&mut self, motion: MotionCommand, speed: f32) {
        self.animator.do_motion(&self.library, motion, speed).unwrap();
    }

    fn stop(&mut self, motion: MotionCommand) {
        self.animator.stop_motion(&self.library, motion).unwrap();
    }

    /// Advances by 30 ticks a second and returns the length of the path in metres.
    fn play(&mut self, seconds: f32) -> f32 {
        let mut length = 0.0;
        for _ in 0..(seconds * 30.0).round() as usize {
            let mut offset = Frame::IDENTITY;
            self.hooks.clear();
            self.animator.update(&self.library, 1.0 / 30.0, Some(&mut offset), Some(&mut self.hooks));
            length += offset.origin.length();
            self.turned += 2.0 * offset.rotation.z.atan2(offset.rotation.w);
            self.frame = self.frame.combine(&offset);
            let ended = self.hooks.events().iter().filter(|event| event.is_node_end()).count();
            (0..ended).for_each(|_| animation_done(self, true));
            check_for_completed_motions(self);
        }
        length
    }
}

/// Forward held for 0.7050 s at run rate 1.9758065: 5.03300 m, within the frame in which the key was pressed.
#[test]
fn a_short_run_has_the_recorded_length() {
    let mut body = Body::new();
    body.start(MotionCommand::RUN_FORWARD, 1.975_806_5);
    let length = body.play(0.7050);
    assert!((length - 5.0330).abs() <= RUN_FRAME + 1e-3, "{length} m");
    let frames = (length - 1.0330) / RUN_FRAME;
    assert!((frames - frames.round()).abs() < 0.01, "not a whole number of frames: {frames}");
}

/// 0.78844 m, whatever the run rate was.
#[test]
fn the_glide_after_a_run_has_the_recorded_length() {
    for rate in [1.975_806_5, 1.458_3, 1.0] {
        let mut body = Body::new();
        body.start(MotionCommand::RUN_FORWARD, rate);
        body.play(1.0);
        body.stop(MotionCommand::RUN_FORWARD);
        let length = body.play(2.0);
        assert!((length - 0.788_44).abs() < 1e-4, "rate {rate}: {length} m");
    }
}

/// A steady run at 1.4583: 43 or 44 frames a second of 0.133333 m.
#[test]
fn a_steady_run_has_the_recorded_speed() {
    let mut body = Body::new();
    body.start(MotionCommand::RUN_FORWARD, 1.458_333_4);
    body.play(1.0);
    let length = body.play(4.0);
    assert!((length / 4.0 - 43.75 * RUN_FRAME).abs() < 0.04, "{} m/s", length / 4.0);
}

/// Under the run key 0.05 rad a frame, and no further turn after the release.
#[test]
fn a_turn_in_place_has_the_recorded_angle() {
    let mut body = Body::new();
    body.start(MotionCommand::TURN_RIGHT, 1.5);
    body.play(1.0);
    body.turned = 0.0;
    body.play(0.7);
    let frames = body.turned / -0.05;
    assert!((frames - frames.round()).abs() < 1e-3 && (30.0..33.5).contains(&frames), "{frames} frames");
    body.stop(MotionCommand::TURN_RIGHT);
    body.turned = 0.0;
    body.play(1.0);
    assert!(body.turned.abs() < 1e-6, "{} rad after release", body.turned);
}

/// At run rate 1.4583 the turn is a modifier of the run: 2.25 / 43.75 rad a run frame.
#[test]
fn a_turn_while_running_has_the_recorded_angle() {
    let mut body = Body::new();
    body.start(MotionCommand::RUN_FORWARD, 1.458_333_4);
    body.play(1.0);
    body.start(MotionCommand::TURN_RIGHT, 1.5);
    body.turned = 0.0;
    body.play(0.5);
    let frames = body.turned / -(2.25 / 43.75);
    assert!((frames - frames.round()).abs() < 1e-2 && (20.5..23.5).contains(&frames), "{frames} frames");
}
