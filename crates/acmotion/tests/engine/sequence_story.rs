//! Sequences, tick by tick: the examples of `docs/behaviour.md` H and O2.

use std::sync::Arc;

use acmotion::components::SpanId;
use acmotion::dat::hook::{AttackCone, ParticleSpec};
use acmotion::dat::{
    Animation, AnimationFrame, Assets, DataId, Hook, HookDirection, HookEffect, Ramp, Setup,
};
use acmotion::types::{Frame, Quat, Vec3};
use acmotion::{Animations, ClipId, HookBuffer, Library, Matrix, PoseInput, Sequence, move_by};

const TICK: f32 = 1.0 / 30.0;

/// A sequence and its library. Each frame of its clips has a hook with the frame's number.
struct Stage {
    library: Library,
    sequence: Sequence,
    hooks: HookBuffer,
}

/// One metre forward.
fn metre() -> Frame {
    Frame::from_origin(Vec3::new(0.0, 1.0, 0.0))
}

fn animation(frames: usize, has_positions: bool) -> Animation {
    let frame = |number: usize| AnimationFrame {
        parts: vec![Frame::from_origin(Vec3::new(number as f32, 0.0, 0.0)); 2],
        hooks: vec![Hook { direction: HookDirection::BOTH, effect: HookEffect::SoundTable(number as u32) }],
    };
    let positions = has_positions.then(|| vec![metre(); frames]);
    Animation::new(DataId(0x0300_0001), positions, (0..frames).map(frame).collect())
}

impl Stage {
    fn new() -> Self {
        Self { library: Library::new(), sequence: Sequence::new(), hooks: HookBuffer::new() }
    }

    fn clip(&mut self, frames: usize, has_positions: bool) -> ClipId {
        self.library.add_animation(Arc::new(animation(frames, has_positions)))
    }

    fn append(&mut self, frames: usize, framerate: f32) -> SpanId {
        let clip = self.clip(frames, false);
        let span = self.library.span(clip, 0, -1);
        self.sequence.append(&self.library, span, framerate);
        span
    }

    /// Advances the sequence and returns the offset.
    fn tick(&mut self, seconds: f32) -> Frame {
        self.hooks.clear();
        let mut offset = Frame::IDENTITY;
        self.sequence.update(&self.library, seconds, Some(&mut offset), Some(&mut self.hooks));
        offset
    }

    /// Returns the frames left in the last tick.
    fn frames_left(&self) -> Vec<u32> {
        let frame_hooks = self.hooks.events().iter().filter(|event| !event.is_node_end());
        frame_hooks
            .map(|event| match event.effect() {
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

/// O2: a walk crosses one frame of 0.104 m each tick.
#[test]
fn a_walk_moves_by_one_frame_each_tick() {
    let mut stage = Stage::new();
    stage.append(20, 30.0);
    stage.sequence.set_physics(Vec3::new(0.0, 3.12, 0.0), Vec3::ZERO);
    for tick in 1..=4 {
        near(stage.tick(TICK).origin.y, 0.104);
        near(stage.sequence.frame() as f32, tick as f32);
    }
}

/// O2: a run at 2.375 crosses 2, 2, 3, 2 frames of 0.13333 m (H10).
#[test]
fn a_run_moves_by_whole_frames() {
    let mut stage = Stage::new();
    stage.append(20, 71.25);
    stage.sequence.set_physics(Vec3::new(0.0, 9.5, 0.0), Vec3::ZERO);
    for (frame, moved) in [(2.375, 0.2667), (4.75, 0.2667), (7.125, 0.4), (9.5, 0.2667)] {
        near(stage.tick(TICK).origin.y, moved);
        near(stage.sequence.frame() as f32, frame);
    }
}

/// O2.
#[test]
fn a_walk_at_half_speed_moves_every_second_tick() {
    let mut stage = Stage::new();
    stage.append(20, 15.0);
    stage.sequence.set_physics(Vec3::new(0.0, 1.56, 0.0), Vec3::ZERO);
    for moved in [0.0, 0.104, 0.0, 0.104] {
        near(stage.tick(TICK).origin.y, moved);
    }
}

/// Updates 1 to 9 leave frames 0 to 8; update 10 leaves none and is back at 0. A loop alone never reports its end (H12,
/// H13).
#[test]
fn the_hooks_of_the_last_frame_never_fire() {
    let mut stage = Stage::new();
    stage.append(10, 30.0);
    for frame in 0..9 {
        stage.tick(TICK);
        assert_eq!(stage.frames_left(), [frame]);
    }
    stage.tick(TICK);
    assert_eq!((stage.frames_left(), stage.node_ends()), (vec![], 0));
    near(stage.sequence.frame() as f32, 0.0);
}

/// Backward play starts at the very end of the last frame (H4, H9.3).
#[test]
fn backward_play_leaves_the_last_frame_first() {
    let mut stage = Stage::new();
    stage.append(10, -30.0);
    near(stage.sequence.frame() as f32, 9.9998);
    stage.tick(TICK);
    assert_eq!(stage.frames_left(), [9]);
    near(stage.sequence.frame() as f32, 8.9998);
    for frame in (1..9).rev() {
        stage.tick(TICK);
        assert_eq!(stage.frames_left(), [frame]);
    }
    stage.tick(TICK);
    assert_eq!(stage.frames_left(), [0u32; 0], "the hooks of the lowest frame never fire");
}

/// H9, and the examples after it.
#[test]
fn the_remaining_time_is_carried_into_the_next_node() {
    let mut stage = Stage::new();
    stage.append(10, 30.0);
    stage.append(5, 30.0);
    stage.tick(8.6 / 30.0);
    near(stage.sequence.frame() as f32, 8.6);
    stage.tick(TICK);
    assert_eq!(stage.frames_left(), [8]);
    stage.tick(TICK);
    assert_eq!((stage.frames_left(), stage.node_ends()), (vec![], 1));
    near(stage.sequence.frame() as f32, 0.6);
    assert_eq!(stage.ids(), [(4, 30.0)], "the finished node is removed");
}

/// Entering a node applies its first frame, and the last one is never crossed (H11).
#[test]
fn a_loop_applies_every_position_frame_once() {
    let mut stage = Stage::new();
    let clip = stage.clip(4, true);
    let span = stage.library.span(clip, 0, -1);
    stage.sequence.append(&stage.library, span, 30.0);
    let moved: Vec<f32> = (0..8).map(|_| stage.tick(TICK).origin.y).collect();
    assert_eq!(moved, [1.0; 8]);
    // Backwards, in the opposite direction.
    let mut stage = Stage::new();
    let clip = stage.clip(4, true);
    let span = stage.library.span(clip, 0, -1);
    stage.sequence.append(&stage.library, span, -30.0);
    let total: f32 = (0..40).map(|_| stage.tick(TICK).origin.y).sum();
    near(total, -40.0);
}

/// Five frames of one metre and of 3 m/s give 5.5 m.
#[test]
fn position_frames_and_velocity_add_up() {
    let mut stage = Stage::new();
    let clip = stage.clip(10, true);
    let span = stage.library.span(clip, 0, -1);
    stage.sequence.append(&stage.library, span, 30.0);
    stage.sequence.set_physics(Vec3::new(0.0, 3.0, 0.0), Vec3::ZERO);
    near(stage.tick(5.0 / 30.0).origin.y, 5.5);
    assert_eq!(stage.frames_left(), [0, 1, 2, 3, 4]);
}

/// H8, H9.4.
#[test]
fn velocity_applies_over_time_at_rate_zero_and_without_nodes() {
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

/// H12.
#[test]
fn a_hook_fires_only_in_its_direction_of_play() {
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
        let directions: Vec<_> = stage.hooks.events().iter().map(|event| event.hook.direction).collect();
        assert_eq!(directions, [fired, HookDirection::BOTH]);
    }
}

/// H10: each crossed frame turns about the axes reached by then.
#[test]
fn turns_of_frames_crossed_in_one_update_add_up() {
    let mut stage = Stage::new();
    stage.append(20, 30.0);
    stage.sequence.set_physics(Vec3::ZERO, Vec3::new(0.0, 0.0, 3.0));
    let offset = stage.tick(0.1001);
    near(offset.rotation.z, (0.15_f32).sin());
}

/// Q4: one long update that ends a link and loops the cycle k times fires `AnimDone` 1 + k times.
#[test]
fn a_long_update_repeats_anim_done_for_each_loop() {
    let mut stage = Stage::new();
    stage.append(2, 30.0);
    stage.append(2, 30.0);
    stage.append(2, 30.0);
    stage.tick(0.2);
    assert_eq!(stage.node_ends(), 3);
    assert_eq!(stage.ids().len(), 1);
    stage.tick(0.2);
    assert_eq!(stage.node_ends(), 0, "only the looping node remains");
}

/// H6, H7: links are removed from the end, and a removed current node is replaced as the rules say.
#[test]
fn removing_nodes_moves_the_current_node() {
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
    assert_eq!(stage.ids().len(), 1, "the loop plays");
    stage.sequence.remove_cyclic(&stage.library);
    assert_eq!((stage.sequence.current_index(), stage.sequence.has_nodes()), (None, false));
    near(stage.sequence.frame() as f32, 0.0);

    // A link that plays is not affected by the removal of the loop, and becomes the last node.
    let mut stage = Stage::new();
    stage.append(3, 30.0);
    stage.append(4, 30.0);
    stage.tick(TICK);
    stage.sequence.remove_cyclic(&stage.library);
    assert_eq!((stage.sequence.current_index(), stage.sequence.first_cyclic_index()), (Some(0), Some(0)));
    near(stage.sequence.frame() as f32, 1.0);
}

/// H3.
#[test]
fn a_negative_factor_swaps_low_and_high() {
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

/// Collecting hooks changes nothing else.
#[test]
fn sequences_advance_the_same_with_and_without_a_hook_buffer() {
    let (mut with, mut without) = (Stage::new(), Stage::new());
    for stage in [&mut with, &mut without] {
        stage.append(3, 30.0);
        stage.append(4, 30.0);
        stage.sequence.set_physics(Vec3::new(1.0, 2.0, 3.0), Vec3::new(0.1, 0.2, 0.3));
    }
    for _ in 0..30 {
        let a = with.tick(TICK);
        let b = without.sequence.advance(&without.library, TICK, None);
        assert_eq!((a, &with.sequence), (b, &without.sequence));
    }
}

#[test]
fn update_advance_and_advance_body_agree() {
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

/// H14: parts are placed relative to the body and scaled; as many are written as the frame and the buffer have.
#[test]
fn a_pose_shows_the_integer_part_of_the_frame_number() {
    let mut stage = Stage::new();
    stage.append(10, 30.0);
    stage.tick(3.7 / 30.0);
    let mut frame = Frame::from_origin(Vec3::new(10.0, 20.0, 30.0));
    frame.set_heading(90.0);
    let body = PoseInput { sequence: &stage.sequence, frame: &frame, scale: Vec3::new(2.0, 1.0, 1.0) };
    let mut frames = [Frame::IDENTITY; 3];
    assert_eq!(body.frames(&stage.library, &mut frames), 2);
    // Three metres to the right, doubled by the scale; the right of a body that faces east is south.
    near(frames[1].origin.y, 14.0);
    near(frames[1].origin.x, 10.0);
    assert_eq!(frames[2], Frame::IDENTITY, "the frame has two parts");
    let mut matrices = [Matrix::IDENTITY; 1];
    assert_eq!(body.matrices(&stage.library, &mut matrices), 1, "the buffer has room for one");
    let point = Vec3::new(0.0, 1.0, 0.0);
    let (a, b) = (matrices[0].apply(point), frames[0].local_to_global(point));
    assert!((a - b).length() < 1e-5, "{a:?} {b:?}");
}

/// H15, H16: a default animation plays at 30 frames a second; without one the placement shows, that of key 0 if the key
/// does not exist.
#[test]
fn a_setup_shows_its_placement_or_plays_its_default_animation() {
    struct One;
    impl Animations for One {
        fn animation(&self, _: DataId) -> Result<Arc<Animation>, acmotion::dat::DatError> {
            Ok(Arc::new(animation(6, false)))
        }
    }
    let placement = |x: f32| AnimationFrame {
        parts: vec![Frame::new(Vec3::new(x, 0.0, 0.0), Quat::IDENTITY)],
        hooks: Vec::new(),
    };
    let mut setup = Setup { id: DataId(0x0200_0001), parts: vec![DataId(0x0100_0001)], ..Setup::default() };
    setup.placements = vec![(0, placement(1.0)), (101, placement(2.0))];
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
    stage.sequence.play_default(&stage.library, stage.library.model(model), 0);
    assert_eq!(stage.ids(), [(5, 30.0)], "it replaces what plays");
}

/// Clearing the animations leaves velocity and placement, clearing the physics leaves the nodes, and `clear` leaves nothing
/// (H7). What is appended then plays from its start.
#[test]
fn clearing_leaves_nothing_of_what_is_cleared() {
    let setup = Setup {
        id: DataId(0x0200_0001),
        parts: vec![DataId(0x0100_0001)],
        placements: vec![(0, AnimationFrame::default())],
        ..Setup::default()
    };
    let filled = || {
        let mut stage = Stage::new();
        let model = stage.library.add_model(&setup, &Assets::mannequin());
        stage.sequence.play_default(&stage.library, stage.library.model(model), 0);
        stage.append(5, 30.0);
        stage.append(9, 30.0);
        stage.sequence.set_physics(Vec3::new(0.0, 3.0, 0.0), Vec3::new(0.0, 0.0, 1.0));
        stage.tick(3.5 * TICK);
        assert_eq!((stage.sequence.current_index(), stage.sequence.first_cyclic_index()), (Some(0), Some(1)));
        stage
    };
    let moves = |sequence: &Sequence| sequence.velocity() != Vec3::ZERO || sequence.omega() != Vec3::ZERO;
    let plays = |sequence: &Sequence| {
        let place = (sequence.current_index(), sequence.first_cyclic_index());
        assert_eq!(sequence.has_nodes(), place != (None, None), "{place:?}");
        sequence.has_nodes() || sequence.frame() != 0.0
    };
    let mut stage = filled();
    stage.sequence.clear_physics();
    assert!(!moves(&stage.sequence) && plays(&stage.sequence));

    let mut stage = filled();
    stage.sequence.clear_animations();
    assert!(moves(&stage.sequence) && !plays(&stage.sequence) && stage.sequence.placement().is_some());
    assert_eq!(stage.sequence.frame(), 0.0);
    stage.append(7, -30.0);
    assert_eq!(stage.ids(), [(6, -30.0)]);
    near(stage.sequence.frame() as f32, 6.9998);

    let mut stage = filled();
    stage.sequence.clear();
    assert!(!moves(&stage.sequence) && !plays(&stage.sequence) && stage.sequence.placement().is_none());
}

/// What is shown next, for displays that show more than key frames: the next frame in the direction of play and how far it has
/// come, and behind the last frame the start of the next node.
#[test]
fn the_next_frame_follows_the_direction_of_play() {
    let shown_next = |stage: &Stage| {
        let ((_, next), share) = stage.sequence.shown_next(&stage.library)?;
        Some((next, (share * 1000.0).round() / 1000.0))
    };
    let mut forwards = Stage::new();
    forwards.append(5, 30.0);
    forwards.append(9, 30.0);
    forwards.tick(2.25 * TICK);
    assert_eq!(shown_next(&forwards), Some((3, 0.25)));
    forwards.tick(2.0 * TICK);
    assert_eq!(shown_next(&forwards), Some((0, 0.25)), "the first frame of the next node");

    let mut backwards = Stage::new();
    backwards.append(5, -30.0);
    backwards.append(9, -30.0);
    backwards.tick(1.25 * TICK);
    assert_eq!(backwards.sequence.shown(&backwards.library).map(|(_, frame)| frame), Some(3));
    assert_eq!(shown_next(&backwards), Some((2, 0.25)));
    backwards.tick(3.0 * TICK);
    assert_eq!(shown_next(&backwards), Some((8, 0.25)), "the last frame of the next node");

    let mut still = Stage::new();
    still.append(5, 0.0);
    assert_eq!(shown_next(&still), None);
}

/// The velocity of root motion, spread evenly over its frames: that of the motion and that of the position frames.
#[test]
fn root_velocity_adds_position_frames_to_velocity() {
    let mut stage = Stage::new();
    stage.sequence.set_physics(Vec3::new(0.0, 2.0, 0.0), Vec3::ZERO);
    near(stage.sequence.root_velocity(&stage.library).y, 2.0);
    let clip = stage.clip(10, true);
    let span = stage.library.span(clip, 0, -1);
    stage.sequence.append(&stage.library, span, 15.0);
    near(stage.sequence.root_velocity(&stage.library).y, 2.0 + 15.0);
}

/// The part that a hook is about, for the hooks that are about one.
#[test]
fn hooks_name_their_part() {
    let ramp = Ramp { start: 0.0, end: 1.0, time: 1.0 };
    let cone = AttackCone { part: 11, left: [0.0; 2], right: [0.0; 2], radius: 1.0, height: 1.0 };
    let particle = |part| ParticleSpec { emitter_info: DataId(1), part, offset: Frame::IDENTITY, emitter: 1 };
    let effects = [
        (HookEffect::Attack(cone), Some(11)),
        (HookEffect::TransparentPart { part: 3, ramp }, Some(3)),
        (HookEffect::LuminousPart { part: 4, ramp }, Some(4)),
        (HookEffect::DiffusePart { part: 5, ramp }, Some(5)),
        (HookEffect::DefaultScriptPart(6), Some(6)),
        (HookEffect::CreateParticle(particle(7)), Some(7)),
        (HookEffect::CreateBlockingParticle(particle(8)), Some(8)),
        (HookEffect::Luminous(ramp), None),
        (HookEffect::AnimationDone, None),
        (HookEffect::SoundTable(1), None),
    ];
    let frame = |effect: HookEffect| AnimationFrame {
        parts: Vec::new(),
        hooks: vec![Hook { direction: HookDirection::BOTH, effect }],
    };
    let mut frames: Vec<_> = effects.iter().map(|(effect, _)| frame(*effect)).collect();
    frames.push(AnimationFrame::default());
    let mut stage = Stage::new();
    let clip = stage.library.add_animation(Arc::new(Animation::new(DataId(0x0300_0002), None, frames)));
    let span = stage.library.span(clip, 0, -1);
    stage.sequence.append(&stage.library, span, 30.0);
    stage.tick(effects.len() as f32 * TICK * 1.001);
    let parts: Vec<_> = stage.hooks.events().iter().map(|event| event.part()).collect();
    assert_eq!(parts, effects.map(|(_, part)| part));
    let done: Vec<_> = stage.hooks.events().iter().map(|event| event.is_animation_done()).collect();
    assert_eq!(done, effects.map(|(effect, _)| matches!(effect, HookEffect::AnimationDone)));
}
