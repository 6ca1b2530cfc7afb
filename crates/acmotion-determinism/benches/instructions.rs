//! The work whose instructions are counted: `.ci/instructions` runs each part of it under callgrind, which counts only
//! what happens in [`counted`], and compares the counts with the last accepted ones.
//!
//! `cargo bench -p acmotion-determinism --bench instructions -- PART` runs one part and prints how many units of work were done.
//! Without a part it prints the names of all.

#[path = "../../acmotion/benches/support/commanded.rs"]
mod commanded;
#[path = "../../acmotion/benches/support/remotes.rs"]
mod remotes;

use std::hint::black_box;

use acmotion::crowd::Crowd;
use acmotion::types::Era;
use acmotion::wire::decode_s2c;
use acmotion::{ComfortSettings, Presentation};
use remotes::{HERD, Herd, Remotes, TICK, TICKS_A_SECOND};

/// The number of entities, unless the part says otherwise.
const COUNT: usize = 1_000;
/// The number of seconds of world time that are counted.
const SECONDS: usize = 2;
const TICKS: usize = SECONDS * TICKS_A_SECOND;
/// The number of seconds before that, in which motions mix.
const WARM_UP_TICKS: usize = 2 * TICKS_A_SECOND;

/// A part of the work: its name, what one unit of it is, and a function that does it and returns the number of units.
type Part = (&'static str, &'static str, fn() -> usize);

const PARTS: [Part; 16] = [
    ("standing", "entity-tick", || herd(Herd::Stands)),
    ("walking", "entity-tick", || herd(Herd::Walks)),
    ("chasing", "entity-tick", || herd(Herd::Chases)),
    ("stored", "entity-tick", stored),
    ("remotes", "entity-tick with its share of a report a second", || remote_ticks(FAITHFUL, true)),
    ("remotes-tick", "entity-tick", || remote_ticks(FAITHFUL, false)),
    ("comfort-tick", "entity-tick with comfort, of a remote that runs", || remote_ticks(comfort(), false)),
    ("comfort-standing", "entity-tick with comfort, of a remote that stands", comfort_standing),
    ("receive", "message", || receive(Remotes::receive)),
    ("receive-one", "message", || receive(Remotes::receive_one_by_one)),
    ("full", "entity-tick", full),
    ("sequence", "entity-tick", sequence),
    ("decode-motion-28", "message", || decode(MOTION_28)),
    ("decode-motion-60", "message", || decode(MOTION_60)),
    ("decode-motion-72", "message", || decode(MOTION_72)),
    ("decode-position-48", "message", || decode(POSITION_48)),
];

/// `UpdateMotion` with style and forward command.
const MOTION_28: &str = "4cf70000 01000050 0900 0201 0300 00 00   00 00 3d00  03000000 3d00 0500";
/// `UpdateMotion` with every field and two actions.
const MOTION_60: &str = "4cf70000 01000050 0900 0201 0300 00 00   00 00 3d00  7f010000
     3d00 0700 0f00 0d00  00000040 0000003f 0000c0bf  8700 0580 0000803f  7d00 0600 0000c03f";
/// `UpdateMotion` with an order to go to an object.
const MOTION_72: &str = "4cf70000 01000050 0900 0201 0300 00 00   06 00 3d00  34120080
     1500b4a9 00002041 0000a041 0000bc42
     0fee0100 9a99193f 00000000 ffff7f7f 0000803f 00007041 0000b442  0000c03f";
/// `UpdatePosition` with two parts of the rotation and a placement.
const POSITION_48: &str =
    "48f70000 34120080 36000000 1500b4a9 00002041 0000a041 0000bc42 0000003f 0000c0bf 65000000
     0100 ffff 0200 0300";

/// Does work whose instructions are counted.
#[inline(never)]
fn counted(work: &mut dyn FnMut()) {
    work();
}

fn herd(herd: Herd) -> usize {
    let mut now = 10.0;
    let mut world = remotes::herd(herd, now);
    for _ in 0..WARM_UP_TICKS {
        now += TICK;
        world.tick(now);
    }
    for _ in 0..TICKS {
        world.drain_events().for_each(drop);
        now += TICK;
        counted(&mut || {
            world.tick(now);
        });
    }
    TICKS * HERD
}

fn stored() -> usize {
    let mut now = 10.0;
    let mut world = remotes::stored(COUNT);
    for _ in 0..WARM_UP_TICKS {
        now += TICK;
        world.tick(now);
    }
    for _ in 0..TICKS {
        now += TICK;
        counted(&mut || {
            world.tick(now);
        });
    }
    TICKS * COUNT
}

const FAITHFUL: Presentation = Presentation::Faithful;

fn comfort() -> Presentation {
    Presentation::Comfort(ComfortSettings::default())
}

fn comfort_standing() -> usize {
    let mut remotes = Remotes::presented(COUNT, comfort());
    remotes.stop();
    counted(&mut || (0..TICKS).for_each(|_| remotes.tick()));
    TICKS * COUNT
}

fn remote_ticks(presentation: Presentation, receives: bool) -> usize {
    let mut remotes = Remotes::presented(COUNT, presentation);
    for _ in 0..TICKS {
        let reports = remotes.reports();
        counted(&mut || {
            remotes.tick();
            if receives {
                remotes.receive(&reports);
            }
        });
        if !receives {
            remotes.receive(&reports);
        }
        remotes.world.drain_events().for_each(drop);
    }
    TICKS * COUNT
}

fn receive(receive: fn(&mut Remotes, &[Vec<u8>])) -> usize {
    let mut remotes = Remotes::new(COUNT);
    let mut messages = 0;
    for _ in 0..TICKS {
        remotes.tick();
        let reports = remotes.reports();
        counted(&mut || receive(&mut remotes, &reports));
        remotes.world.drain_events().for_each(drop);
        messages += reports.len();
    }
    messages
}

fn full() -> usize {
    let mut crowd = commanded::Crowd::new(COUNT);
    for _ in 0..WARM_UP_TICKS {
        crowd.tick();
    }
    counted(&mut || (0..TICKS).for_each(|_| crowd.tick()));
    TICKS * COUNT
}

fn sequence() -> usize {
    let mut crowd = Crowd::new(COUNT);
    for _ in 0..WARM_UP_TICKS {
        crowd.tick();
    }
    counted(&mut || (0..TICKS).for_each(|_| crowd.tick()));
    black_box(crowd.checksum());
    TICKS * COUNT
}

fn decode(digits: &str) -> usize {
    let digits: Vec<u32> = digits.chars().filter_map(|c| c.to_digit(16)).collect();
    let bytes: Vec<u8> = digits.chunks(2).map(|pair| (pair[0] << 4 | pair[1]) as u8).collect();
    counted(&mut || {
        for _ in 0..COUNT {
            let _ = black_box(&decode_s2c(black_box(&bytes), Era::default()));
        }
    });
    COUNT
}

fn main() {
    let name = std::env::args().nth(1).filter(|name| !name.starts_with('-'));
    for (part, unit, work) in PARTS {
        match &name {
            Some(name) if name == part => println!("{} {unit}", work()),
            Some(_) => {}
            None => println!("{part}"),
        }
    }
}
