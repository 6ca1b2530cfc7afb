//! Three worlds whose state after 600 ticks is known to the byte. It is the same on every machine, in debug and release
//! builds, and on any number of threads.
//!
//! [`PINNED`] has the size and the hash of each world's [`World::snapshot`]. `.ci/determinism` runs this crate's program on
//! every target that it can, the tests run it in a debug build, and the tests of the npm package compare the same worlds
//! with [`PINNED`].
//!
//! If a digest changes, either the engine no longer computes the same (a rule changed, or arithmetic depends on the
//! machine), or the format of snapshots changed. Only after deciding which, copy the digests that the program prints.
#![forbid(unsafe_code)]
#![warn(clippy::disallowed_methods)]

mod crowd;
mod messages;
mod scene;
mod town;

use std::fmt;

use acmotion::types::{CellPosition, Frame};
use acmotion::{ComfortSettings, Presentation, Resident, World};

/// The number of ticks after which a world is digested.
pub const TICKS: u32 = 600;
/// The time from tick to tick, in seconds: a little more than a thirtieth, so that the physics gate opens at each one.
pub const TICK: f64 = 0.033_334;

/// The digest of each world after [`TICKS`] ticks.
pub const PINNED: [(Kind, Digest); 3] = [
    (Kind::Crowd, Digest { size: 69_438, hash: 0x0435_D830_05C7_202B }),
    (Kind::Town, Digest { size: 24_830, hash: 0x46C3_BE05_A71F_AFF2 }),
    (Kind::Scene, Digest { size: 2_607, hash: 0x580E_5F92_DB30_70D2 }),
];

/// The hash of where remotes are shown with comfort, over all ticks of each world.
pub const PINNED_SHOWN: [(Kind, u64); 3] = [
    (Kind::Crowd, 0x81D0_0240_78A6_B0AE),
    (Kind::Town, 0x97DE_D16F_CDEF_09BB),
    (Kind::Scene, 0x036F_2AC4_F864_D6F3),
];

/// One of the worlds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Bodies on level ground that run, turn, jump and chase each other.
    Crowd,
    /// A player and creatures in the mannequin's town, who collide with walls, the land and each other.
    Town,
    /// A world that receives what a client of a scenario received.
    Scene,
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Crowd => "crowd",
            Self::Town => "town",
            Self::Scene => "scene",
        })
    }
}

/// The size of a snapshot in bytes and its 64-bit FNV-1a hash.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Digest {
    /// The number of bytes.
    pub size: usize,
    /// The hash.
    pub hash: u64,
}

/// The hash of no bytes.
const EMPTY: u64 = 0xCBF2_9CE4_8422_2325;

/// Returns the hash of more bytes after those that have a hash.
fn hashed(hash: u64, bytes: &[u8]) -> u64 {
    bytes.iter().fold(hash, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x100_0000_01B3))
}

impl Digest {
    /// Digests bytes.
    pub fn of(bytes: &[u8]) -> Self {
        Self { size: bytes.len(), hash: hashed(EMPTY, bytes) }
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} bytes, hash {:#018X}", self.size, self.hash)
    }
}

/// Advances a world: [`World::tick`] or [`World::tick_parallel`].
pub type Tick = fn(&mut World, f64) -> bool;

/// What is done to a world before a tick with this number and time. It depends on nothing else.
type Before = Box<dyn FnMut(&mut World, u32, f64)>;

/// A world and what is done to it before each tick.
struct Story {
    world: World,
    before: Before,
}

/// Runs a world for [`TICKS`] ticks and returns the digest of its state. Its events and the messages of its player are
/// drained after each tick except the last, so those of the last are part of the state.
pub fn run(kind: Kind, tick: Tick) -> Digest {
    run_with(kind, tick, Presentation::Faithful).0
}

/// Does what [`run`] does, with comfort. Returns the hash of where remotes are shown as well, over all ticks.
pub fn run_with_comfort(kind: Kind, tick: Tick) -> (Digest, u64) {
    run_with(kind, tick, Presentation::Comfort(ComfortSettings::default()))
}

fn run_with(kind: Kind, tick: Tick, presentation: Presentation) -> (Digest, u64) {
    let mut shown = EMPTY;
    let Story { mut world, mut before } = match kind {
        Kind::Crowd => crowd::story(),
        Kind::Town => town::story(),
        Kind::Scene => scene::story(),
    };
    world.set_presentation(presentation);
    world.set_round_trip(Some(0.2));
    for number in 0..TICKS {
        world.drain_events().for_each(drop);
        world.drain_outbound().for_each(drop);
        let now = 10.0 + f64::from(number) * TICK;
        before(&mut world, number, now);
        tick(&mut world, now);
        shown = world.entities().fold(shown, |hash, entity| hash_shown(hash, &world, entity));
        world.player_mut().use_time(now);
    }
    (Digest::of(&world.snapshot()), shown)
}

/// Returns the hash of where an entity is shown by comfort, after what has a hash.
fn hash_shown(hash: u64, world: &World, entity: &Resident) -> u64 {
    let Some(CellPosition { cell, frame }) = world.comfort(entity.id()).map(|state| state.position) else {
        return hash;
    };
    let Frame { origin, rotation } = frame;
    let numbers = [origin.x, origin.y, origin.z, rotation.w, rotation.z];
    numbers
        .iter()
        .fold(hashed(hash, &cell.0.to_le_bytes()), |hash, number| hashed(hash, &number.to_le_bytes()))
}

/// Runs a world on a pool of threads.
///
/// # Panics
/// If the threads cannot be started.
pub fn run_on_threads(kind: Kind, threads: usize) -> Digest {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    let pool = pool.unwrap_or_else(|error| panic!("cannot start {threads} threads: {error}"));
    pool.install(|| run(kind, World::tick_parallel))
}
