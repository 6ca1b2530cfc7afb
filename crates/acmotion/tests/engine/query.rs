//! Queries agree with stepping, for every motion of the mannequin's three tables.

use acmotion::dat::{Assets, DataId, mannequin};
use acmotion::query::{self, MotionQuery, Timing, Undefined, motions};
use acmotion::types::{Era, MotionCommand};
use acmotion::{HookBuffer, Library, MotionState, Sequence, TableDriver};

/// The duration of a step in seconds; short, so that times are precise.
const STEP: f32 = 1.0 / 2048.0;

/// Plays a motion until one pass of the cycle is over, and returns the time and number of each hook that fired.
fn played(library: &Library, table: DataId, timing: &Timing) -> Vec<(f64, u32)> {
    let mut own = Library::new();
    let id = own.load_table(&Assets::mannequin(), table).unwrap();
    assert!(library.missing().is_empty());
    let (mut state, mut sequence) =
        (MotionState::standing(timing.query.style, timing.from, 1.0), Sequence::new());
    let mut driver = TableDriver::new(&own, own.table(id), &mut state, &mut sequence);
    driver.request(timing.query.motion, timing.query.speed).unwrap();
    let until = timing.link_seconds() + timing.cycle_seconds().unwrap_or(0.0);
    let (mut hooks, mut fired, mut time) = (HookBuffer::default(), Vec::new(), 0.0);
    while time < until - f64::from(STEP) {
        hooks.clear();
        sequence.update(&own, STEP, None, Some(&mut hooks));
        time += f64::from(STEP);
        for event in hooks.events().iter().filter(|event| !event.is_node_end()) {
            fired.push((time, event.effect().number()));
        }
    }
    fired
}

#[test]
fn queried_hook_times_agree_with_stepping() {
    let mut queries = 0;
    for table in [mannequin::HUMAN_TABLE, mannequin::BEAST_TABLE, mannequin::DOOR_TABLE] {
        let mut library = Library::new();
        let id = library.load_table(&Assets::mannequin(), table).unwrap();
        let resolved = library.table(id);
        for (style, default) in resolved.styles() {
            let known = motions(resolved, style, Era::default());
            let actions: Vec<_> = known.actions(default).collect();
            for motion in known.cycles.iter().copied().chain(actions) {
                for speed in [1.0, 1.5, -0.65] {
                    let Ok(timing) = query::timing(
                        &library,
                        resolved,
                        &MotionQuery { speed, ..MotionQuery::new(style, motion) },
                    ) else {
                        continue;
                    };
                    let fired = played(&library, table, &timing);
                    let until = timing.link_seconds() + timing.cycle_seconds().unwrap_or(0.0);
                    // A hook at the very end of the pass may fall to either side of it.
                    let expected: Vec<_> =
                        timing.hooks.iter().filter(|hook| hook.time < until - 0.002).collect();
                    assert!(
                        fired.len() >= expected.len(),
                        "{style} {motion} {speed}: {fired:?} {expected:?}"
                    );
                    for (timed, (time, number)) in expected.iter().zip(&fired) {
                        assert_eq!(timed.hook.effect.number(), *number, "{style} {motion} {speed}");
                        let late = time - timed.time;
                        assert!((-1e-4..0.002).contains(&late), "{style} {motion} {speed}: {late} s late");
                    }
                    queries += 1;
                }
            }
        }
    }
    assert!(queries > 200, "{queries}");
}

#[test]
fn a_slash_has_one_attack_hook_at_a_share_independent_of_speed() {
    let mut library = Library::new();
    let id = library.load_table(&Assets::mannequin(), mannequin::HUMAN_TABLE).unwrap();
    let slash = MotionQuery::new(MotionCommand::SWORD_COMBAT, MotionCommand::SLASH_HIGH);
    let timing = query::timing(&library, library.table(id), &slash).unwrap();
    let hits: Vec<_> = timing.attacks().collect();
    assert_eq!(hits.len(), 1);
    let share = hits[0].share.unwrap();
    assert!((share - hits[0].time / timing.link_seconds()).abs() < 1e-12 && (0.1..0.9).contains(&share));
    // At twice the speed the link takes half as long, and the share is the same.
    let fast = query::timing(&library, library.table(id), &MotionQuery { speed: 2.0, ..slash }).unwrap();
    assert!((fast.link_seconds() * 2.0 - timing.link_seconds()).abs() < 1e-9);
    assert!((fast.attacks().next().unwrap().share.unwrap() - share).abs() < 1e-9);
}

#[test]
fn a_missing_motion_style_or_substate_is_undefined() {
    let mut library = Library::new();
    let id = library.load_table(&Assets::mannequin(), mannequin::HUMAN_TABLE).unwrap();
    let (style, motion) = (MotionCommand::NON_COMBAT, MotionCommand::SLASH_HIGH);
    let error = query::timing(&library, library.table(id), &MotionQuery::new(style, motion)).unwrap_err();
    assert_eq!(error, Undefined { style, motion });
    let style = MotionCommand::CROSSBOW_COMBAT;
    let error = query::timing(&library, library.table(id), &MotionQuery::new(style, motion)).unwrap_err();
    assert_eq!(error, Undefined { style, motion: style });
    let from = Some(MotionCommand::AIM_LEVEL);
    let query = MotionQuery { from, ..MotionQuery::new(MotionCommand::NON_COMBAT, MotionCommand::READY) };
    assert_eq!(
        query::timing(&library, library.table(id), &query).unwrap_err().motion,
        MotionCommand::AIM_LEVEL
    );
}

/// A request for Ready keeps a turning body turning (rule G4).
#[test]
fn the_link_from_a_turn_to_ready_is_that_of_a_stop() {
    let mut library = Library::new();
    let id = library.load_table(&Assets::mannequin(), mannequin::HUMAN_TABLE).unwrap();
    for turn in [MotionCommand::TURN_RIGHT, MotionCommand::SIDE_STEP_RIGHT] {
        let query = MotionQuery {
            from: Some(turn),
            ..MotionQuery::new(MotionCommand::NON_COMBAT, MotionCommand::READY)
        };
        let timing = query::timing(&library, library.table(id), &query).unwrap();
        let ready = query::timing(&library, library.table(id), &MotionQuery { from: None, ..query }).unwrap();
        assert!(timing.link_seconds() > 0.0, "{turn}: the table has a link");
        assert_eq!(timing.cycle.map(|cycle| cycle.animation), ready.cycle.map(|cycle| cycle.animation));
    }
}
