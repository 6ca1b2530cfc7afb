//! A remote that runs past with one report a second: what a client shows, and how far that is from the truth.

use crate::world_support;

use acmotion::components::{MoveTo, MovementParams, Order, TargetManager};
use acmotion::types::{CellPosition, Guid, Stamp, Vec3};
use acmotion::wire::ObjectStamps;
use acmotion::{EventKind, Identity, MotionEvent, Resident, World};
use world_support::*;

/// A reproducible pseudo-random sequence.
struct Random(u32);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        f64::from(self.0 >> 8) / f64::from(1 << 24)
    }
}

/// What a stream of reports caused.
#[derive(Default, Debug, PartialEq)]
struct Outcome {
    snaps: usize,
    steps_backward: usize,
    max_step: f32,
    max_error_at_a_report: f32,
}

/// The truth is a humanoid that gets its motion at once. The view gets the motion and one report a second with delay,
/// jitter and loss.
fn run_past(seconds: u32, delay: f64, jitter: f64, loss: f64, jump: Option<u32>) -> Outcome {
    let mut random = Random(7);
    let mut truth = TestWorld::with_remote();
    let mut shown = TestWorld::with(settings(|settings| settings.player = Identity::Known(PLAYER)));
    shown.send(&create(PLAYER, &at(130.0, 96.0), ObjectStamps::default(), None));
    shown.send(&create(REMOTE, &at(96.0, 96.0), ObjectStamps::default(), None));
    shown.ticks(2);
    let start = truth.now;
    let mut inbox: Vec<(f64, Vec<u8>, Option<CellPosition>)> = Vec::new();
    let run = motion(REMOTE, running(1.0), 1);
    truth.send(&run);
    inbox.push((start + delay, run, None));
    let (mut outcome, mut stamp, mut aside) = (Outcome::default(), 1, 0.0);
    for tick in 1..seconds * 30 {
        truth.tick();
        if tick % 30 == 0 {
            if jump == Some(tick / 30) {
                aside = -110.0;
            }
            let mut reported = truth.world.find(REMOTE).unwrap().position();
            reported.frame.origin.y += aside;
            let reported = reported.adjusted_to_outside().unwrap();
            let late = delay + (random.next() * 2.0 - 1.0) * jitter;
            if random.next() >= loss {
                inbox.push((truth.now + late, position(REMOTE, &reported, stamp), Some(reported)));
            }
            stamp += 1;
        }
        let before = shown.world.find(REMOTE).unwrap().position();
        let earlier = shown.events.len();
        shown.tick();
        let snaps = shown.events[earlier..]
            .iter()
            .filter(|event| matches!(event.kind, EventKind::Motion(MotionEvent::Snapped { .. })))
            .count();
        outcome.snaps += snaps;
        let after = shown.world.find(REMOTE).unwrap().position();
        let step = before.offset_to(&after);
        if snaps == 0 {
            outcome.max_step = outcome.max_step.max(Vec3 { z: 0.0, ..step }.length());
            outcome.steps_backward += usize::from(step.y < -1e-3);
        }
        inbox.sort_by(|a, b| a.0.total_cmp(&b.0));
        while inbox.first().is_some_and(|(due, ..)| *due <= shown.now) {
            let (_, bytes, reported) = inbox.remove(0);
            shown.send(&bytes);
            if let Some(reported) = reported {
                let error = shown.world.find(REMOTE).unwrap().position().distance_to(&reported);
                outcome.max_error_at_a_report = outcome.max_error_at_a_report.max(error);
            }
        }
    }
    outcome
}

/// 100 ms of delay; the error is never larger than the delay explains.
#[test]
fn a_steady_delay_causes_no_snaps() {
    let outcome = run_past(12, 0.1, 0.0, 0.0, None);
    println!("{outcome:?}");
    assert_eq!(outcome.snaps, 0);
    assert!(outcome.max_error_at_a_report < 0.8, "{outcome:?}");
    assert!(outcome.max_step < 8.0 * 0.034, "{outcome:?}");
}

/// 100 ms of jitter and 2 % loss.
#[test]
fn jitter_and_loss_cause_no_snaps() {
    let outcome = run_past(20, 0.15, 0.1, 0.02, None);
    println!("{outcome:?}");
    assert_eq!(outcome.snaps, 0);
    assert!(outcome.max_step < 8.0 * 0.034, "{outcome:?}");
}

/// 110 m are beyond the blip distance.
#[test]
fn a_jump_in_the_stream_causes_one_snap() {
    let outcome = run_past(10, 0.1, 0.0, 0.0, Some(5));
    println!("{outcome:?}");
    assert_eq!(outcome.snaps, 1);
}

/// An object without a motion table interpolates, is thrown, bounces, slides and is teleported.
#[test]
fn results_are_bit_identical_on_every_machine() {
    let mut scene = TestWorld::new();
    scene.send(&create_with(REMOTE, ObjectStamps::default(), |physics| {
        physics.position = Some(at(96.0, 96.0));
        physics.motion_table = None;
    }));
    let (mut random, mut digest) = (Random(3), 0xCBF2_9CE4_8422_2325_u64);
    for tick in 1..900u16 {
        let mut part = || (random.next() * 20.0 - 10.0) as f32;
        if tick % 30 == 0 {
            let mut target = at(96.0 + part(), 96.0 + part());
            target.frame.set_heading(part() * 18.0);
            scene.send(&position_with(REMOTE, &target, tick / 30, |pack| pack.teleport = Stamp(tick / 300)));
        }
        if tick % 77 == 0 {
            scene.send(&vector(REMOTE, Vec3::new(part(), part(), 8.0), tick / 77));
        }
        scene.tick();
        let own = scene.world.find(REMOTE).unwrap().position();
        let Vec3 { x, y, z } = own.frame.origin;
        let [a, b, c, d] = <[f32; 4]>::from(own.frame.rotation);
        for bits in [x, y, z, a, b, c, d].map(f32::to_bits).into_iter().chain([own.cell.0]) {
            digest = (digest ^ u64::from(bits)).wrapping_mul(0x100_0000_01B3);
        }
    }
    assert_eq!(digest, 0x2341_B47F_7898_5320, "{digest:#018X}");
}

/// Unused features take no memory.
#[test]
fn an_entity_with_a_short_queue_stays_within_a_kibibyte() {
    let mut scene = TestWorld::with_remote();
    scene.send(&motion(REMOTE, running(1.0), 1));
    scene.send(&position(REMOTE, &at(97.0, 96.0), 1));
    scene.ticks(3);
    let size = scene.world.find(REMOTE).unwrap().size_in_memory();
    assert!(size <= 1024, "{size} bytes");
}

/// Whatever an entity begins to use adds to its memory: nodes of interpolation, an order and the target that it watches,
/// something to stick to, something to hold.
#[test]
fn the_memory_of_an_entity_counts_what_it_holds() {
    const OTHER: Guid = Guid(0x5000_0002);
    let mut scene = TestWorld::with_remote();
    scene.send(&create(OTHER, &at(106.0, 96.0), ObjectStamps::default(), None));
    scene.ticks(2);
    let size = |scene: &TestWorld| scene.world.find(REMOTE).unwrap().size_in_memory();
    let idle = size(&scene);
    assert!((size_of::<Resident>()..=1024).contains(&idle), "{idle} bytes");
    for stamp in 1..=20 {
        scene.send(&position(REMOTE, &at(96.0 + 0.1 * f32::from(stamp), 96.0), stamp));
    }
    let reported = size(&scene);
    assert!(reported > idle, "nodes of interpolation: {reported} and {idle} bytes");
    let order = Order::MoveToObject { object: OTHER, params: MovementParams::default() };
    scene.world.act(REMOTE, scene.now, |actor, _| actor.order(&order));
    let ordered = size(&scene);
    let least = reported + size_of::<MoveTo>() + size_of::<TargetManager>();
    assert!(ordered >= least, "an order and its target: {ordered} of {least} bytes");
    scene.send(&stick(REMOTE, OTHER, 1));
    let stuck = size(&scene);
    assert!(stuck > ordered, "something to stick to: {stuck} and {ordered} bytes");
    scene.send(&held_item(Guid(0x8000_0001), REMOTE));
    assert!(size(&scene) > stuck, "something in its hand: {} and {stuck} bytes", size(&scene));
}

#[test]
fn a_world_can_be_sent_to_another_thread() {
    fn is_send<T: Send>() {}
    is_send::<World>();
}
