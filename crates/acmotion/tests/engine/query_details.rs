//! Queries about a small table whose times can be worked out by hand (rules G4, H2, H4, H12).

use std::sync::Arc;

use acmotion::dat::{
    AnimData, Animation, AnimationFrame, DatError, DataId, Hook, HookDirection, HookEffect, MotionData,
    MotionTable,
};
use acmotion::query::{MotionQuery, Motions, TimedHook, motions, timing};
use acmotion::types::{Era, MotionCommand};
use acmotion::{Animations, Library, TableId};

const STYLE: MotionCommand = MotionCommand::NON_COMBAT;
const SWORD: MotionCommand = MotionCommand::SWORD_COMBAT;
const READY: MotionCommand = MotionCommand::READY;
const WALK: MotionCommand = MotionCommand::WALK_FORWARD;
const RUN: MotionCommand = MotionCommand::RUN_FORWARD;
const WAVE: MotionCommand = MotionCommand::WAVE;
const CHEER: MotionCommand = MotionCommand::CHEER;

/// Animations of as many frames as their ids say. Frame 0 has a hook for forward play, frame 1 one for backward play, frame
/// 2 one for both, and frame 3 one for neither; the number of the sound is that of the frame.
struct Clips;

impl Animations for Clips {
    fn animation(&self, id: DataId) -> Result<Arc<Animation>, DatError> {
        let directions =
            [HookDirection::FORWARD, HookDirection::BACKWARD, HookDirection::BOTH, HookDirection(7)];
        let frame = |index: usize| AnimationFrame {
            hooks: directions
                .get(index)
                .map(|direction| Hook { direction: *direction, effect: HookEffect::SoundTable(index as u32) })
                .into_iter()
                .collect(),
            ..AnimationFrame::default()
        };
        Ok(Arc::new(Animation::new(id, None, (0..id.0 as usize).map(frame).collect())))
    }
}

fn plays(animations: &[(u32, f32)]) -> MotionData {
    let anim = |(id, framerate): &(u32, f32)| AnimData {
        animation: DataId(*id),
        low: 0,
        high: -1,
        framerate: *framerate,
    };
    MotionData { anims: animations.iter().map(anim).collect(), ..MotionData::default() }
}

fn key(style: MotionCommand, motion: MotionCommand) -> u32 {
    style.0 << 16 | motion.0 & 0xFF_FFFF
}

fn stage() -> (Library, TableId) {
    let turn = MotionCommand::TURN_RIGHT;
    let from_ready =
        [(WALK.0, plays(&[(5, 10.0), (4, 20.0)])), (WAVE.0, plays(&[(8, 10.0)])), (SWORD.0, plays(&[]))];
    let table = MotionTable {
        id: DataId(0x0900_0001),
        default_style: STYLE,
        style_defaults: [(STYLE.0, READY), (SWORD.0, READY)].into_iter().collect(),
        cycles: [
            (key(STYLE, RUN), plays(&[(6, 0.0)])),
            (key(STYLE, READY), plays(&[(3, 10.0)])),
            (key(STYLE, WALK), plays(&[(6, 10.0)])),
            (key(SWORD, READY), plays(&[(3, 10.0)])),
        ]
        .into_iter()
        .collect(),
        modifiers: [
            (key(STYLE, turn), plays(&[])),
            (turn.0 & 0xFF_FFFF, plays(&[])),
            (MotionCommand::SIDE_STEP_RIGHT.0 & 0xFF_FFFF, plays(&[])),
            (key(SWORD, MotionCommand::JUMP), plays(&[])),
        ]
        .into_iter()
        .collect(),
        links: [
            (key(STYLE, READY), from_ready.into_iter().collect()),
            (key(STYLE, WALK), [(CHEER.0, plays(&[(4, 10.0)])), (READY.0, plays(&[]))].into_iter().collect()),
            (STYLE.0 << 16, [(WAVE.0, plays(&[(4, 10.0)]))].into_iter().collect()),
            (key(SWORD, READY), [(CHEER.0, plays(&[]))].into_iter().collect()),
        ]
        .into_iter()
        .collect(),
    };
    let mut library = Library::new();
    let id = library.add_table(&table, &Clips);
    (library, id)
}

fn ask(motion: MotionCommand, speed: f32) -> acmotion::query::Timing {
    let (library, table) = stage();
    timing(&library, library.table(table), &MotionQuery { speed, ..MotionQuery::new(STYLE, motion) }).unwrap()
}

/// The animation, the frame, the time in milliseconds and the share in thousandths of each hook.
fn hooks(list: &[TimedHook]) -> Vec<(u32, i32, i64, Option<i64>)> {
    let thousandths = |number: f64| (number * 1000.0).round() as i64;
    let hook = |hook: &TimedHook| {
        (hook.animation.0, hook.frame, thousandths(hook.time), hook.share.map(thousandths))
    };
    list.iter().map(hook).collect()
}

/// The link takes 5 frames at 10 and 4 frames at 20 a second: 0.5 and 0.2 s. A hook fires when its frame is left.
#[test]
fn a_forward_motion_has_the_hooks_of_its_link_and_of_one_cycle() {
    let walk = ask(WALK, 1.0);
    assert_eq!(walk.from, READY);
    let link: Vec<_> = walk.link.iter().map(|one| (one.animation.0, one.low, one.high)).collect();
    assert_eq!(link, [(5, 0, 4), (4, 0, 3)]);
    let times: Vec<_> = walk.link.iter().chain(&walk.cycle).map(|one| (one.start, one.seconds)).collect();
    assert_eq!(times, [(0.0, 0.5), (0.5, 0.2), (0.7, 0.6)]);
    assert_eq!((walk.link_seconds(), walk.cycle_seconds()), (0.7, Some(0.6)));
    assert_eq!(walk.cycle.map(|cycle| cycle.framerate), Some(10.0));
    let expected = [
        (5, 0, 100, Some(143)),
        (5, 2, 300, Some(429)),
        (4, 0, 550, Some(786)),
        (4, 2, 650, Some(929)),
        (6, 0, 800, None),
        (6, 2, 1000, None),
    ];
    assert_eq!(hooks(&walk.hooks), expected);
    assert_eq!(walk.attacks().count(), 0);
}

/// Played backwards, frame 5 of 6 is left first; that is the cycle alone, since a walk backwards begins by the link
/// backwards. The last frame played, 0, is never left.
#[test]
fn a_backward_motion_has_the_hooks_for_backward_play() {
    let walk = ask(WALK, -1.0);
    let cycle = walk.cycle.unwrap();
    assert_eq!((cycle.animation.0, cycle.framerate), (6, -10.0));
    let of_cycle: Vec<_> = walk.hooks.iter().filter(|hook| hook.animation.0 == 6).copied().collect();
    let since = |hook: &TimedHook| ((hook.time - cycle.start) * 1000.0).round() as i64;
    let left: Vec<_> = of_cycle.iter().map(|hook| (hook.frame, since(hook), hook.share)).collect();
    assert_eq!(left, [(2, 400, None), (1, 500, None)], "frames 5, 4 and 3 have no hooks that fire");
    assert!(
        !of_cycle.is_empty() && of_cycle.iter().all(|hook| hook.hook.direction != HookDirection::FORWARD)
    );
}

/// Backward play starts one epsilon before the end, so each frame is left that much earlier (rule H4).
#[test]
fn h4_a_backward_motion_leaves_its_frames_an_epsilon_early() {
    let walk = ask(WALK, -1.0);
    let start = walk.cycle.unwrap().start;
    let hook = walk.hooks.iter().find(|hook| hook.animation.0 == 6).unwrap();
    assert!(hook.time - start < 0.399_99, "{}", hook.time - start);
}

/// A part of an animation that has one frame alone never leaves it, so its hook does not fire (rule H12).
#[test]
fn h12_a_single_frame_is_never_left() {
    let mut walk = plays(&[(6, 10.0)]);
    walk.anims[0].low = 2;
    walk.anims[0].high = 2;
    let table = MotionTable {
        id: DataId(0x0900_0002),
        default_style: STYLE,
        style_defaults: [(STYLE.0, READY)].into_iter().collect(),
        cycles: [(key(STYLE, READY), plays(&[(3, 10.0)])), (key(STYLE, WALK), walk)].into_iter().collect(),
        ..MotionTable::default()
    };
    let mut library = Library::new();
    let id = library.add_table(&table, &Clips);
    let timing = timing(&library, library.table(id), &MotionQuery::new(STYLE, WALK)).unwrap();
    assert_eq!(timing.cycle.map(|cycle| (cycle.low, cycle.high)), Some((2, 2)));
    assert!(timing.hooks.iter().all(|hook| hook.animation.0 != 6), "one frame is never left");
}

/// At rate 0 no frame is ever left.
#[test]
fn a_motion_that_stands_still_fires_no_hooks() {
    let run = ask(RUN, 1.0);
    assert_eq!(run.cycle.map(|cycle| (cycle.animation.0, cycle.framerate)), Some((6, 0.0)));
    assert!(run.hooks.is_empty() && run.link.is_empty());
    assert_eq!(run.link_seconds(), 0.0);
}

/// The motions of a style in ascending order, without those of another style; a modifier of any style counts once.
#[test]
fn the_motions_of_a_style_are_sorted_and_listed_once() {
    let (library, table) = stage();
    let known = motions(library.table(table), STYLE, Era::default());
    assert_eq!(known.cycles, [READY, WALK, RUN]);
    assert_eq!(known.modifiers, [MotionCommand::TURN_RIGHT, MotionCommand::SIDE_STEP_RIGHT]);
    let mut links = vec![
        (None, WAVE),
        (Some(READY), SWORD),
        (Some(READY), WALK),
        (Some(READY), WAVE),
        (Some(WALK), READY),
        (Some(WALK), CHEER),
    ];
    links.sort_unstable();
    assert_eq!(known.links, links);
    assert_eq!(known.requests(), [READY, WALK, RUN, SWORD, CHEER, WAVE]);
    assert_eq!(
        known.actions(READY).collect::<Vec<_>>(),
        [WAVE, WAVE],
        "from any substate, and from this one"
    );
    assert_eq!(known.actions(WALK).collect::<Vec<_>>(), [WAVE, CHEER]);
    let sword = motions(library.table(table), SWORD, Era::default());
    assert_eq!(sword.cycles, [READY]);
    let (turn, side) = (MotionCommand::TURN_RIGHT, MotionCommand::SIDE_STEP_RIGHT);
    assert!(sword.modifiers.contains(&MotionCommand::JUMP) && sword.modifiers.len() == 3, "{sword:?}");
    assert!(sword.modifiers.contains(&turn) && sword.modifiers.contains(&side));
    assert_eq!(sword.links, [(Some(READY), CHEER)]);
    assert_eq!(Motions::default().requests(), []);
}
