//! What was measured on the real client (`docs/recorded.md`), played with the mannequin's table: the motion table, the
//! sequence and nothing else.

use acmotion::dat::{Assets, mannequin};
use acmotion::table::{Animator, MotionHost, animation_done, check_for_completed_motions};
use acmotion::types::{Frame, MotionCommand};
use acmotion::{HookBuffer, Library};

/// One frame of the run.
const RUN_FRAME: f32 = 0.133_333;

/// A body of which only the animation counts.
struct Dancer {
    library: Library,
    animator: Animator,
    hooks: HookBuffer,
    place: Frame,
    turned: f32,
}

impl MotionHost for Dancer {
    fn animator(&mut self) -> &mut Animator {
        &mut self.animator
    }

    fn motion_done(&mut self, _motion: MotionCommand, _success: bool) {}
}

impl Dancer {
    /// Standing, for a while.
    fn new() -> Self {
        let mut library = Library::new();
        let table = library.load_table(&Assets::mannequin(), mannequin::HUMAN_TABLE).unwrap();
        let mut animator = Animator::new(Some(table));
        animator.initialize(&library).unwrap();
        let mut dancer =
            Self { library, animator, hooks: HookBuffer::default(), place: Frame::IDENTITY, turned: 0.0 };
        dancer.play(1.0);
        dancer
    }

    fn ask(&mut self, motion: MotionCommand, speed: f32) {
        self.animator.do_motion(&self.library, motion, speed).unwrap();
    }

    fn stop(&mut self, motion: MotionCommand) {
        self.animator.stop_motion(&self.library, motion).unwrap();
    }

    /// Thirty ticks a second; gives how far it came along its own path.
    fn play(&mut self, seconds: f32) -> f32 {
        let mut carried = 0.0;
        for _ in 0..(seconds * 30.0).round() as usize {
            let mut offset = Frame::IDENTITY;
            self.hooks.clear();
            self.animator.update(&self.library, 1.0 / 30.0, Some(&mut offset), Some(&mut self.hooks));
            carried += offset.origin.length();
            self.turned += 2.0 * offset.rotation.z.atan2(offset.rotation.w);
            self.place = self.place.combine(&offset);
            let ended = self.hooks.events().iter().filter(|event| event.is_node_end()).count();
            (0..ended).for_each(|_| animation_done(self, true));
            check_for_completed_motions(self);
        }
        carried
    }
}

/// Forward held for 0.7050 s at run rate 1.9758065: 5.03300 m, give or take the frame in which the press falls.
#[test]
fn a_short_run() {
    let mut dancer = Dancer::new();
    dancer.ask(MotionCommand::RUN_FORWARD, 1.975_806_5);
    let came = dancer.play(0.7050);
    assert!((came - 5.0330).abs() <= RUN_FRAME + 1e-3, "{came} m");
    let frames = (came - 1.0330) / RUN_FRAME;
    assert!((frames - frames.round()).abs() < 0.01, "whole frames only: {frames}");
}

/// The glide after release: 0.78844 m, whatever the run rate was.
#[test]
fn the_glide() {
    for rate in [1.975_806_5, 1.458_3, 1.0] {
        let mut dancer = Dancer::new();
        dancer.ask(MotionCommand::RUN_FORWARD, rate);
        dancer.play(1.0);
        dancer.stop(MotionCommand::RUN_FORWARD);
        let came = dancer.play(2.0);
        assert!((came - 0.788_44).abs() < 1e-4, "rate {rate}: {came} m");
    }
}

/// A steady run at 1.4583: 43 or 44 frames a second of 0.133333 m.
#[test]
fn a_steady_run() {
    let mut dancer = Dancer::new();
    dancer.ask(MotionCommand::RUN_FORWARD, 1.458_333_4);
    dancer.play(1.0);
    let came = dancer.play(4.0);
    assert!((came / 4.0 - 43.75 * RUN_FRAME).abs() < 0.04, "{} m/s", came / 4.0);
}

/// Under the run key a turn in place is 0.05 rad a frame, and nothing follows its release.
#[test]
fn a_turn_in_place() {
    let mut dancer = Dancer::new();
    dancer.ask(MotionCommand::TURN_RIGHT, 1.5);
    dancer.play(1.0);
    dancer.turned = 0.0;
    dancer.play(0.7);
    let frames = dancer.turned / -0.05;
    assert!((frames - frames.round()).abs() < 1e-3 && (30.0..33.5).contains(&frames), "{frames} frames");
    dancer.stop(MotionCommand::TURN_RIGHT);
    dancer.turned = 0.0;
    dancer.play(1.0);
    assert!(dancer.turned.abs() < 1e-6, "{} rad after release", dancer.turned);
}

/// While running at 1.4583 the turn is a modifier of the run: 2.25 / 43.75 rad a run frame.
#[test]
fn a_turn_while_running() {
    let mut dancer = Dancer::new();
    dancer.ask(MotionCommand::RUN_FORWARD, 1.458_333_4);
    dancer.play(1.0);
    dancer.ask(MotionCommand::TURN_RIGHT, 1.5);
    dancer.turned = 0.0;
    dancer.play(0.5);
    let frames = dancer.turned / -(2.25 / 43.75);
    assert!((frames - frames.round()).abs() < 1e-2 && (20.5..23.5).contains(&frames), "{frames} frames");
}
