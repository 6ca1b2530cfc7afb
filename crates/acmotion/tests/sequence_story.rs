//! Sequences tick by tick: the examples of `docs/behaviour.md` H and O2, and the figures of `figures.md` 8.

use std::sync::Arc;

use acmotion::dat::{Animation, AnimationFrame, DataId, Hook, HookDirection, HookEffect, Setup};
use acmotion::library::{ClipId, SpanId};
use acmotion::types::{Frame, Quat, Vec3};
use acmotion::{Animations, HookBuffer, Library, Matrix, PoseInput, Sequence, move_by};

const TICK: f32 = 1.0 / 30.0;

/// A sequence and what it is played from. Each frame of its clips has a hook that says its number.
struct Stage {
    library: Library,
    sequence: Sequence,
    hooks: HookBuffer,
}

/// One metre forward.
fn metre() -> Frame {
    Frame::from_origin(Vec3::new(0.0, 1.0, 0.0))
}

fn animation(frames: usize, moves: bool) -> Animation {
    let frame = |number: usize| AnimationFrame {
        parts: vec![Frame::from_origin(Vec3::new(number as f32, 0.0, 0.0)); 2],
        hooks: vec![Hook { direction: HookDirection::BOTH, effect: HookEffect::SoundTable(number as u32) }],
    };
    let positions = moves.then(|| vec![metre(); frames]);
    Animation::new(DataId(0x0300_0001), positions, (0..frames).map(frame).collect())
}

impl Stage {
    fn new() -> Self {
        Self { library: Library::new(), sequence: Sequence::new(), hooks: HookBuffer::new() }
    }

    fn clip(&mut self, frames: usize, moves: bool) -> ClipId {
        self.library.add_animation(Arc::new(animation(frames, moves)))
    }

    fn append(&mut self, frames: usize, framerate: f32) -> SpanId {
        let clip = self.clip(frames, false);
        let span = self.library.span(clip, 0, -1);
        self.sequence.append(&self.library, span, framerate);
        span
    }

    /// Plays on; gives the offset.
    fn tick(&mut self, seconds: f32) -> Frame {
        self.hooks.clear();
        let mut offset = Frame::IDENTITY;
        self.sequence.update(&self.library, seconds, Some(&mut offset), Some(&mut self.hooks));
        offset
    }

    /// The frames left in the last tick.
    fn left(&self) -> Vec<u32> {
        let own = self.hooks.events().iter().filter(|event| !event.is_node_end());
        own.map(|event| match event.effect(&self.library) {
            HookEffect::SoundTable(number) => *number,
            other => panic!("{other:?}"),
        })
        .collect()
    }

    fn node_ends(&self) -> usize {
        self.hooks.events().iter().filter(|event| event.is_node_end()).count()
    }

    fn ids(&self) -> Vec<(i32, f32)> {
        self.sequence.nodes(&self.library).map(|node| (node.high, node.framerate)).collect()
    }
}

fn near(a: f32, b: f32) {
    assert!((a - b).abs() < 1e-4, "{a} is not {b}");
}

/// O2: walking crosses one frame a tick, 0.104 m each.
#[test]
fn a_walk_moves_a_frame_a_tick() {
    let mut stage = Stage::new();
    stage.append(20, 30.0);
    stage.sequence.set_physics(Vec3::new(0.0, 3.12, 0.0), Vec3::ZERO);
    for tick in 1..=4 {
        near(stage.tick(TICK).origin.y, 0.104);
        near(stage.sequence.frame() as f32, tick as f32);
    }
}

/// O2: a run at 2.375 crosses 2, 2, 3, 2 frames of 0.13333 m, whole frames only (H10).
#[test]
fn a_run_moves_whole_frames() {
    let mut stage = Stage::new();
    stage.append(20, 71.25);
    stage.sequence.set_physics(Vec3::new(0.0, 9.5, 0.0), Vec3::ZERO);
    for (frame, moved) in [(2.375, 0.2667), (4.75, 0.2667), (7.125, 0.4), (9.5, 0.2667)] {
        near(stage.tick(TICK).origin.y, moved);
        near(stage.sequence.frame() as f32, frame);
    }
}

/// O2: at half speed every second tick moves nothing at all, the others a whole frame.
#[test]
fn a_slow_walk_stands_every_second_tick() {
    let mut stage = Stage::new();
    stage.append(20, 15.0);
    stage.sequence.set_physics(Vec3::new(0.0, 1.56, 0.0), Vec3::ZERO);
    for moved in [0.0, 0.104, 0.0, 0.104] {
        near(stage.tick(TICK).origin.y, moved);
    }
}

/// Calls 1 to 9 leave frames 0 to 8, call 10 leaves none and is back at 0; a loop alone never says it is done (H12, H13).
#[test]
fn the_hooks_of_the_last_frame_never_fire() {
    let mut stage = Stage::new();
    stage.append(10, 30.0);
    for frame in 0..9 {
        stage.tick(TICK);
        assert_eq!(stage.left(), [frame]);
    }
    stage.tick(TICK);
    assert_eq!((stage.left(), stage.node_ends()), (vec![], 0));
    near(stage.sequence.frame() as f32, 0.0);
}

/// Backwards it begins at the very end of the last frame and leaves that first (H4, H9.3).
#[test]
fn backwards_the_last_frame_is_left_first() {
    let mut stage = Stage::new();
    stage.append(10, -30.0);
    near(stage.sequence.frame() as f32, 9.9998);
    stage.tick(TICK);
    assert_eq!(stage.left(), [9]);
    near(stage.sequence.frame() as f32, 8.9998);
    for frame in (1..9).rev() {
        stage.tick(TICK);
        assert_eq!(stage.left(), [frame]);
    }
    stage.tick(TICK);
    assert_eq!(stage.left(), [0u32; 0], "the lowest frame's hooks never fire");
}

/// At a node's end what is left of the time goes to the next (H9, the examples after it).
#[test]
fn time_is_carried_into_the_next_node() {
    let mut stage = Stage::new();
    stage.append(10, 30.0);
    stage.append(5, 30.0);
    stage.tick(8.6 / 30.0);
    near(stage.sequence.frame() as f32, 8.6);
    stage.tick(TICK);
    assert_eq!(stage.left(), [8]);
    stage.tick(TICK);
    assert_eq!((stage.left(), stage.node_ends()), (vec![], 1));
    near(stage.sequence.frame() as f32, 0.6);
    assert_eq!(stage.ids(), [(4, 30.0)], "the node that is over is gone");
}

/// Entering a node carries the body by its first frame; the last is never crossed: every frame counts once (H11).
#[test]
fn a_loop_carries_every_frame_once() {
    let mut stage = Stage::new();
    let clip = stage.clip(4, true);
    let span = stage.library.span(clip, 0, -1);
    stage.sequence.append(&stage.library, span, 30.0);
    let moved: Vec<f32> = (0..8).map(|_| stage.tick(TICK).origin.y).collect();
    assert_eq!(moved, [1.0; 8]);
    // Backwards it is the same, the other way.
    let mut stage = Stage::new();
    let clip = stage.clip(4, true);
    let span = stage.library.span(clip, 0, -1);
    stage.sequence.append(&stage.library, span, -30.0);
    let total: f32 = (0..40).map(|_| stage.tick(TICK).origin.y).sum();
    near(total, -40.0);
}

/// Position frames and velocity add up: five frames of a metre and of 3 m/s are 5.5 m.
#[test]
fn root_motion_and_velocity_add_up() {
    let mut stage = Stage::new();
    let clip = stage.clip(10, true);
    let span = stage.library.span(clip, 0, -1);
    stage.sequence.append(&stage.library, span, 30.0);
    stage.sequence.set_physics(Vec3::new(0.0, 3.0, 0.0), Vec3::ZERO);
    near(stage.tick(5.0 / 30.0).origin.y, 5.5);
    assert_eq!(stage.left(), [0, 1, 2, 3, 4]);
}

/// At rate 0 frames stand and time itself carries the body; so it does with nothing to play at all (H8, H9.4).
#[test]
fn without_frames_time_carries() {
    for frames in [0, 4] {
        let mut stage = Stage::new();
        if frames > 0 {
            stage.append(frames, 0.0);
        }
        stage.sequence.set_physics(Vec3::new(0.0, 2.0, 0.0), Vec3::new(0.0, 0.0, 1.0));
        let offset = stage.tick(0.5);
        near(offset.origin.y, 1.0);
        near(offset.rotation.z, 0.25_f32.sin());
    }
}

/// H12: a hook fires only in its direction of play.
#[test]
fn hooks_have_a_direction() {
    let directions = [HookDirection::FORWARD, HookDirection::BACKWARD, HookDirection::BOTH];
    let hooks = directions.map(|direction| Hook { direction, effect: HookEffect::DefaultScript });
    let frame = AnimationFrame { parts: Vec::new(), hooks: hooks.to_vec() };
    let animation = Animation::new(DataId(0x0300_0002), None, vec![frame; 4]);
    for (rate, fired) in [(30.0, HookDirection::FORWARD), (-30.0, HookDirection::BACKWARD)] {
        let mut stage = Stage::new();
        let clip = stage.library.add_animation(Arc::new(animation.clone()));
        let span = stage.library.span(clip, 0, -1);
        stage.sequence.append(&stage.library, span, rate);
        stage.tick(TICK);
        let told: Vec<_> =
            stage.hooks.events().iter().map(|event| event.hook(&stage.library).direction).collect();
        assert_eq!(told, [fired, HookDirection::BOTH]);
    }
}

/// H10: turn and step of frames crossed in one update are each about the axes reached by then.
#[test]
fn turns_of_one_update_add_up() {
    let mut stage = Stage::new();
    stage.append(20, 30.0);
    stage.sequence.set_physics(Vec3::ZERO, Vec3::new(0.0, 0.0, 3.0));
    let offset = stage.tick(0.1001);
    near(offset.rotation.z, (0.15_f32).sin());
}

/// Q4: one long update that ends a link and goes round the loop k times says 1 + k times that a node has ended.
#[test]
fn a_long_update_tells_the_links_end_again_and_again() {
    let mut stage = Stage::new();
    stage.append(2, 30.0);
    stage.append(2, 30.0);
    stage.append(2, 30.0);
    stage.tick(0.2);
    assert_eq!(stage.node_ends(), 3);
    assert_eq!(stage.ids().len(), 1);
    stage.tick(0.2);
    assert_eq!(stage.node_ends(), 0, "only the loop is left");
}

/// H6, H7: what loops goes first, then links from behind; whoever was playing goes on where the rules say.
#[test]
fn nodes_are_removed_from_behind() {
    let mut stage = Stage::new();
    for frames in [3, 4, 5] {
        stage.append(frames, 30.0);
    }
    assert_eq!(stage.sequence.first_cyclic_index(), Some(2));
    stage.sequence.remove_links(&stage.library, 1);
    assert_eq!(stage.ids().iter().map(|node| node.0).collect::<Vec<_>>(), [2, 4]);
    stage.sequence.remove_links(&stage.library, 1);
    assert_eq!((stage.ids().len(), stage.sequence.current_index()), (1, Some(0)));
    near(stage.sequence.frame() as f32, 0.0);

    let mut stage = Stage::new();
    stage.append(3, 30.0);
    stage.append(4, 30.0);
    stage.tick(0.15);
    assert_eq!(stage.ids().len(), 1, "in the loop");
    stage.sequence.remove_cyclic(&stage.library);
    assert_eq!((stage.sequence.current_index(), stage.sequence.has_nodes()), (None, false));
    near(stage.sequence.frame() as f32, 0.0);

    // While a link plays, losing the loop changes nothing for it; it is the last node then.
    let mut stage = Stage::new();
    stage.append(3, 30.0);
    stage.append(4, 30.0);
    stage.tick(TICK);
    stage.sequence.remove_cyclic(&stage.library);
    assert_eq!((stage.sequence.current_index(), stage.sequence.first_cyclic_index()), (Some(0), Some(0)));
    near(stage.sequence.frame() as f32, 1.0);
}

/// H3: a negative factor turns a node round; the same again turns it back.
#[test]
fn a_negative_factor_turns_a_node_round() {
    let mut stage = Stage::new();
    let clip = stage.clip(10, false);
    let span = stage.library.span(clip, 2, 7);
    stage.sequence.append(&stage.library, span, 30.0);
    let node = |stage: &Stage| {
        let node = stage.sequence.nodes(&stage.library).next().expect("a node");
        (node.low, node.high, node.framerate)
    };
    stage.sequence.multiply_cyclic_framerate(-1.0);
    assert_eq!(node(&stage), (7, 2, -30.0));
    stage.sequence.multiply_cyclic_framerate(-1.0);
    assert_eq!(node(&stage), (2, 7, 30.0));
}

/// Without anybody to hear hooks a node's end is not told either, and everything else is the same.
#[test]
fn hooks_are_for_who_listens() {
    let (mut heard, mut unheard) = (Stage::new(), Stage::new());
    for stage in [&mut heard, &mut unheard] {
        stage.append(3, 30.0);
        stage.append(4, 30.0);
        stage.sequence.set_physics(Vec3::new(1.0, 2.0, 3.0), Vec3::new(0.1, 0.2, 0.3));
    }
    for _ in 0..30 {
        let a = heard.tick(TICK);
        let b = unheard.sequence.advance(&unheard.library, TICK, None);
        assert_eq!((a, &heard.sequence), (b, &unheard.sequence));
    }
}

/// The three ways to let time pass are one.
#[test]
fn all_ways_to_advance_agree() {
    let mut stage = Stage::new();
    stage.append(3, 45.0);
    stage.append(7, 71.0);
    stage.append(4, -20.0);
    stage.sequence.set_physics(Vec3::new(0.0, 2.0, 0.5), Vec3::new(0.3, 0.0, 1.5));
    let (mut by_value, mut in_place) = (stage.sequence.clone(), stage.sequence.clone());
    let (mut a, mut b, mut c) = (Frame::IDENTITY, Frame::IDENTITY, Frame::IDENTITY);
    for tick in 0..200 {
        let quantum = 0.01 + 0.001 * (tick % 40) as f32;
        let offset = stage.tick(quantum);
        a = a.combine(&offset);
        assert_eq!(by_value.advance(&stage.library, quantum, None), offset, "tick {tick}");
        move_by(&mut b, &offset);
        in_place.advance_body(&stage.library, quantum, None, &mut c);
        assert_eq!((b, c), (a, a), "tick {tick}");
    }
}

/// H14: the whole frame shows, parts hang on the body, the object's scale moves them, and only as many as there are.
#[test]
fn a_pose_is_a_whole_frame() {
    let mut stage = Stage::new();
    stage.append(10, 30.0);
    stage.tick(3.7 / 30.0);
    let mut place = Frame::from_origin(Vec3::new(10.0, 20.0, 30.0));
    place.set_heading(90.0);
    let body = PoseInput { sequence: &stage.sequence, frame: &place, scale: Vec3::new(2.0, 1.0, 1.0) };
    let mut frames = [Frame::IDENTITY; 3];
    assert_eq!(body.frames(&stage.library, &mut frames), 2);
    // Three to the right, twice as far for the scale; to the right of east is south.
    near(frames[1].origin.y, 14.0);
    near(frames[1].origin.x, 10.0);
    assert_eq!(frames[2], Frame::IDENTITY, "the frame has two parts");
    let mut matrices = [Matrix::IDENTITY; 1];
    assert_eq!(body.matrices(&stage.library, &mut matrices), 1, "the caller asks for one");
    let straight = Vec3::new(0.0, 1.0, 0.0);
    let (a, b) = (matrices[0].apply(straight), frames[0].local_to_global(straight));
    assert!((a - b).length() < 1e-5, "{a:?} {b:?}");
}

/// H15, H16: a setup's own animation plays at 30 frames a second; without it the placement shows, that of key 0 if there
/// is none of that key.
#[test]
fn a_setup_stands_or_plays_by_itself() {
    struct One;
    impl Animations for One {
        fn animation(&self, _: DataId) -> Result<Arc<Animation>, acmotion::dat::DatError> {
            Ok(Arc::new(animation(6, false)))
        }
    }
    let standing = |x: f32| AnimationFrame {
        parts: vec![Frame::new(Vec3::new(x, 0.0, 0.0), Quat::IDENTITY)],
        hooks: Vec::new(),
    };
    let mut setup = Setup { id: DataId(0x0200_0001), parts: vec![DataId(0x0100_0001)], ..Setup::default() };
    setup.placements = vec![(0, standing(1.0)), (101, standing(2.0))];
    let mut stage = Stage::new();
    let model = stage.library.add_model(&setup, &One);
    for (key, x) in [(0, 1.0), (101, 2.0), (7, 1.0)] {
        stage.sequence.play_default(&stage.library, stage.library.model(model), key);
        let mut part = [Frame::IDENTITY];
        let body = PoseInput { sequence: &stage.sequence, frame: &Frame::IDENTITY, scale: Vec3::ONE };
        assert_eq!(body.frames(&stage.library, &mut part), 1);
        near(part[0].origin.x, x);
    }
    setup.default_animation = DataId(0x0300_0001);
    let model = stage.library.add_model(&setup, &One);
    stage.sequence.play_default(&stage.library, stage.library.model(model), 0);
    assert_eq!(stage.ids(), [(5, 30.0)]);
}
