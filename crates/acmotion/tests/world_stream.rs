//! A remote that runs past with one report a second: what is shown, and how far it is from the truth.

mod world_support;

use acmotion::World;
use acmotion::entity::MotionEvent;
use acmotion::types::{CellPosition, Stamp, Vec3};
use acmotion::wire::ObjectStamps;
use acmotion::world::{EventKind, Identity};
use world_support::*;

/// Numbers that look random and are always the same.
struct Random(u32);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        f64::from(self.0 >> 8) / f64::from(1 << 24)
    }
}

/// What a stream did.
#[derive(Default, Debug, PartialEq)]
struct Outcome {
    snaps: usize,
    backward: usize,
    longest_step: f32,
    furthest_at_a_report: f32,
}

/// The same humanoid, told of its run at once, is the truth; the other gets a report a second, late, jittered, lossy.
fn run_past(seconds: u32, delay: f64, jitter: f64, loss: f64, jump: Option<u32>) -> Outcome {
    let mut random = Random(7);
    let mut truth = Scene::with_remote();
    let mut shown = Scene::with(settings(|settings| settings.player = Identity::Known(PLAYER)));
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
            let mut place = truth.world.find(REMOTE).unwrap().position();
            place.frame.origin.y += aside;
            let place = place.adjusted_to_outside().unwrap();
            let late = delay + (random.next() * 2.0 - 1.0) * jitter;
            if random.next() >= loss {
                inbox.push((truth.now + late, position(REMOTE, &place, stamp), Some(place)));
            }
            stamp += 1;
        }
        let before = shown.world.find(REMOTE).unwrap().position();
        let told = shown.events.len();
        shown.tick();
        let snaps = shown.events[told..]
            .iter()
            .filter(|event| matches!(event.kind, EventKind::Motion(MotionEvent::Snapped { .. })))
            .count();
        outcome.snaps += snaps;
        let after = shown.world.find(REMOTE).unwrap().position();
        let way = before.offset_to(&after);
        if snaps == 0 {
            outcome.longest_step = outcome.longest_step.max(Vec3 { z: 0.0, ..way }.length());
            outcome.backward += usize::from(way.y < -1e-3);
        }
        inbox.sort_by(|a, b| a.0.total_cmp(&b.0));
        while inbox.first().is_some_and(|(due, ..)| *due <= shown.now) {
            let (_, bytes, place) = inbox.remove(0);
            shown.send(&bytes);
            if let Some(place) = place {
                let off = shown.world.find(REMOTE).unwrap().position().distance_to(&place);
                outcome.furthest_at_a_report = outcome.furthest_at_a_report.max(off);
            }
        }
    }
    outcome
}

/// A steady delay of 100 ms: no snap, and what is shown is never further off than the delay explains.
#[test]
fn steady_delay() {
    let outcome = run_past(12, 0.1, 0.0, 0.0, None);
    println!("{outcome:?}");
    assert_eq!(outcome.snaps, 0);
    assert!(outcome.furthest_at_a_report < 0.8, "{outcome:?}");
    assert!(outcome.longest_step < 8.0 * 0.034, "{outcome:?}");
}

/// 100 ms of jitter and 2 % loss: still no snap.
#[test]
fn jitter_and_loss() {
    let outcome = run_past(20, 0.15, 0.1, 0.02, None);
    println!("{outcome:?}");
    assert_eq!(outcome.snaps, 0);
    assert!(outcome.longest_step < 8.0 * 0.034, "{outcome:?}");
}

/// A jump of 110 m in the same stream is one snap.
#[test]
fn a_jump_is_one_snap() {
    let outcome = run_past(10, 0.1, 0.0, 0.0, Some(5));
    println!("{outcome:?}");
    assert_eq!(outcome.snaps, 1);
}

/// A thing without a table walks to its reports, is thrown, bounces, slides and is teleported: always to the same bits, on
/// every machine.
#[test]
fn the_same_bits_everywhere() {
    let mut scene = Scene::new();
    scene.send(&create_with(REMOTE, ObjectStamps::default(), |physics| {
        physics.position = Some(at(96.0, 96.0));
        physics.motion_table = None;
    }));
    let (mut random, mut digest) = (Random(3), 0xCBF2_9CE4_8422_2325_u64);
    for tick in 1..900u16 {
        let mut part = || (random.next() * 20.0 - 10.0) as f32;
        if tick % 30 == 0 {
            let mut place = at(96.0 + part(), 96.0 + part());
            place.frame.set_heading(part() * 18.0);
            scene.send(&position_with(REMOTE, &place, tick / 30, |pack| pack.teleport = Stamp(tick / 300)));
        }
        if tick % 77 == 0 {
            scene.send(&vector(REMOTE, Vec3::new(part(), part(), 8.0), tick / 77));
        }
        scene.tick();
        let place = scene.world.find(REMOTE).unwrap().position();
        let Vec3 { x, y, z } = place.frame.origin;
        let [a, b, c, d] = <[f32; 4]>::from(place.frame.rotation);
        for bits in [x, y, z, a, b, c, d].map(f32::to_bits).into_iter().chain([place.cell.0]) {
            digest = (digest ^ u64::from(bits)).wrapping_mul(0x100_0000_01B3);
        }
    }
    assert_eq!(digest, 0x2341_B47F_7898_5320, "{digest:#018X}");
}

/// Nobody has to pay for what he does not use: an entity with a short queue stays within a kibibyte.
#[test]
fn small() {
    let mut scene = Scene::with_remote();
    scene.send(&motion(REMOTE, running(1.0), 1));
    scene.send(&position(REMOTE, &at(97.0, 96.0), 1));
    scene.ticks(3);
    let size = scene.world.find(REMOTE).unwrap().size_in_memory();
    assert!(size <= 1024, "{size} bytes");
}

/// A world can be sent to another thread.
#[test]
fn can_be_sent() {
    fn is_send<T: Send>() {}
    is_send::<World>();
}
