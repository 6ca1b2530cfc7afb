//! The engine beside what could be taken instead, with the same work in one process:
//!
//! - a walker's sweep over the land of the built-in town against the character controller of `rapier3d`, and against a
//!   single ball cast of `parry3d`, on the same heights;
//! - the poses of 30 parts against sampling key frames and multiplying along a hierarchy with `glam`.
//!
//! `cargo bench --manifest-path peers/Cargo.toml`. Each figure is the minimum of many short slices, in which both sides
//! take turns, so that other work on the machine disturbs both alike.

mod land;
#[path = "../../../crates/acmotion/benches/support/remotes.rs"]
mod remotes;
mod skeleton;
mod walker;

use std::hint::black_box;
use std::time::Instant;

use acmotion::dat::Assets;
use acmotion::dat::mannequin::town;
use acmotion::scene::{Scene, Shape};

use land::Land;
use remotes::{PARTS, Remotes};
use skeleton::Skeletons;
use walker::{PeerWalker, Walker};

/// The number of times that each side has its turn.
const TURNS: usize = 200;
/// The number of walkers.
const WALKERS: usize = 10;
/// The number of ticks of all walkers in a turn.
const TICKS: usize = 20;
/// The number of bodies that are posed in a turn.
const BODIES: usize = 1_000;

/// Lets work take turns, each as often as the others. Returns the shortest time of each, in nanoseconds for each of
/// `units` of work.
fn shortest<const N: usize>(units: usize, mut work: [&mut dyn FnMut(); N]) -> [f64; N] {
    let mut shortest = [f64::INFINITY; N];
    for _ in 0..TURNS {
        for (shortest, work) in shortest.iter_mut().zip(&mut work) {
            let begun = Instant::now();
            work();
            *shortest = shortest.min(begun.elapsed().as_secs_f64() * 1e9 / units as f64);
        }
    }
    shortest
}

fn print(what: &str, own: f64, peer: &str, theirs: f64) {
    println!("{what:<28} {own:>9.0} ns   {peer:<34} {theirs:>9.0} ns   {:>6.1} ×", theirs / own);
}

fn walk(scene: &Scene) {
    let landmarks = town::landmarks();
    for (name, start) in [("a step on the land", landmarks.spawn), ("a step on a hill", landmarks.hill_top)] {
        let (shape, land) = (Shape::human(), Land::of(scene, start.cell));
        let mut own: Vec<_> = (0..WALKERS).map(|n| Walker::at(&start, n, scene, &shape)).collect();
        let mut theirs: Vec<_> = (0..WALKERS).map(|n| PeerWalker::at(&start, n)).collect();
        let mut casts = theirs.clone();
        let queries = land.queries();
        let [sweep, controller, cast] = shortest(
            WALKERS * TICKS,
            [
                &mut || (0..TICKS).for_each(|_| own.iter_mut().for_each(|walker| walker.tick(scene, &shape))),
                &mut || (0..TICKS).for_each(|_| theirs.iter_mut().for_each(|walker| walker.tick(&queries))),
                &mut || {
                    (0..TICKS).for_each(|_| casts.iter_mut().for_each(|walker| walker.cast_ball(&queries)))
                },
            ],
        );
        // A walker that fell through the land would be cheap.
        let is_on_land = |walker: &PeerWalker| (walker.height() - land.height_below(walker)).abs() < 1.0;
        assert!(theirs.iter().all(is_on_land), "a walker of the character controller has left the land");
        assert!(own.iter().all(Walker::stands), "a walker has left the land");
        print(name, sweep, "rapier3d's character controller", controller);
        print("", sweep, "one ball cast of parry3d", cast);
    }
}

fn pose() {
    let remotes = Remotes::new(BODIES);
    let mut skeletons = Skeletons::new(BODIES, PARTS);
    let [own, peer] = shortest(BODIES, [&mut || remotes.pose(), &mut || black_box(&mut skeletons).pose()]);
    print("a pose of 30 parts", own, "glam: two key frames, hierarchy", peer);
}

fn main() {
    match Scene::load(&Assets::mannequin(), &Assets::town()) {
        Ok(scene) => walk(&scene),
        Err(error) => println!("the town cannot be loaded: {error}"),
    }
    pose();
}
