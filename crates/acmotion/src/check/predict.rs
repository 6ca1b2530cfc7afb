//! The path that a player takes if its client is honest, and where on it a report lies.

use acmotion_types::CellPosition;

use crate::collide::Surroundings;
use crate::entity::{Actor, Entity, Events};

/// The length, in seconds, of a simulated step: a tick (rule B2).
const STEP: f64 = 1.0 / 30.0;
/// The maximum time, in seconds, that is simulated for a report. A client that moves reports every second (rule K7), unless
/// it is in the air.
const MAX_SECONDS: f64 = 10.0;
/// The number of steps without motion after which a body stays where it is.
const RESTING_STEPS: u32 = 30;
/// The distance, in metres, within which two points of the path are equally near to a report.
const EQUALLY_NEAR: f32 = 0.02;
/// The difference, in metres, below which two points of the path are the same.
const SAME: f32 = 0.001;
/// The distance, in metres, by which a path has left a report behind.
const LEFT_BEHIND: f32 = 4.0;

/// A report on a path.
pub(super) struct Fit {
    /// The distance, in metres, of the report from the path.
    pub(super) error: f32,
    /// The time, in seconds, after which the path is first that near.
    pub(super) needed: f64,
    /// The part of that time, in seconds, in which the player moves: without the links before a motion begins.
    pub(super) moving: f64,
    /// Whether the player stands all the way to that point.
    pub(super) is_on_ground: bool,
    /// Whether the player stands in one of the steps around that point.
    pub(super) stands: bool,
    /// The entity at that point. A player at rest is at the same point for long: then as it is after the time that has
    /// passed.
    pub(super) likely: Box<Entity>,
    /// The entity when it is first there.
    pub(super) first: Box<Entity>,
    /// The entity when it is last there.
    pub(super) last: Box<Entity>,
    /// Whether these are the same.
    pub(super) is_sharp: bool,
}

/// The nearest point of one step of the path.
pub(super) struct Nearest {
    pub(super) distance: f32,
    time: f64,
    /// Whether the player moves in this step.
    is_moving: bool,
}

impl Nearest {
    /// Finds the point of the step between two positions that is nearest to `target`.
    pub(super) fn on_step(from: &CellPosition, to: &CellPosition, target: &CellPosition, start: f64) -> Self {
        let (from, to) = (target.offset_to(from), target.offset_to(to));
        let step = to - from;
        let length = step.length_squared();
        let part = if length > 0.0 { (-from.dot(step) / length).clamp(0.0, 1.0) } else { 0.0 };
        let time = start + STEP * f64::from(part);
        Self { distance: (from + step * part).length(), time, is_moving: step.length() > SAME }
    }
}

/// The entity at the points of the path that are nearest so far.
struct Candidates {
    distance: f32,
    first: (usize, Box<Entity>),
    likely: (usize, Box<Entity>),
    last: (usize, Box<Entity>),
}

impl Candidates {
    fn new(entity: &Entity, index: usize, distance: f32) -> Self {
        let copy = || (index, Box::new(entity.clone()));
        Self { distance, first: copy(), likely: copy(), last: copy() }
    }

    fn add(&mut self, entity: &Entity, index: usize, distance: f32, passed: usize) {
        if distance < self.distance - SAME {
            *self = Self::new(entity, index, distance);
        } else if distance <= self.distance + SAME {
            self.distance = self.distance.min(distance);
            self.last = (index, Box::new(entity.clone()));
            if index <= passed {
                self.likely = self.last.clone();
            }
        }
    }
}

/// Simulates `start`, a copy of the player at the time `since`, for at most `seconds`, and finds the point of its path that
/// is nearest to `target`, which arrived `passed` seconds later. The other entities stay where they are.
///
/// A player whose path ends within `tolerance` of the target can have come to rest there: the constraint shortens the glide
/// of a player that stops, and can leave nothing of it (rule I9).
pub(super) fn fit(
    actor: &Actor<'_>,
    surroundings: &dyn Surroundings,
    (start, since): (&Entity, f64),
    target: &CellPosition,
    (passed, seconds): (f64, f64),
    tolerance: f32,
) -> Fit {
    let mut entity = start.clone();
    entity.body.clock.update_time = since;
    // The client's constraint depends on which positions it has received (rule I9). It can only make the player slower.
    entity.correction.constraint.release();
    let mut events = Events::new();
    let steps = (seconds.clamp(0.0, MAX_SECONDS) / STEP).ceil() as usize;
    let passed = (passed.clamp(0.0, MAX_SECONDS) / STEP).round() as usize;
    let distance = start.body.position.distance_to(target);
    let mut path = vec![Nearest { distance, time: 0.0, is_moving: false }];
    let mut stands = vec![entity.body.is_standing()];
    let mut candidates = Candidates::new(&entity, 0, deviation(&entity, target));
    let (mut error, mut resting) = (distance, 0);
    for index in 1..=steps {
        let before = entity.body.position;
        let time = index as f64 * STEP;
        simulate(&mut entity, actor, surroundings, since + time, &mut events);
        let nearest = Nearest::on_step(&before, &entity.body.position, target, time - STEP);
        stands.push(entity.body.is_standing());
        candidates.add(&entity, index, deviation(&entity, target), passed);
        error = error.min(nearest.distance);
        let is_past = nearest.distance > LEFT_BEHIND && error <= EQUALLY_NEAR;
        path.push(nearest);
        let is_resting = deviation(&entity, &before) < SAME && !entity.interp.has_pending();
        resting = if is_resting { resting + 1 } else { 0 };
        if resting >= RESTING_STEPS && deviation(&entity, target) <= tolerance {
            candidates.last = (index, Box::new(entity.clone()));
            if index <= passed {
                candidates.likely = candidates.last.clone();
            }
        }
        if resting >= RESTING_STEPS || is_past {
            break;
        }
    }
    let is_near = |nearest: &&Nearest| nearest.distance <= error + EQUALLY_NEAR;
    let needed = path.iter().find(is_near).map_or(0.0, |nearest| nearest.time);
    let pauses = path.iter().skip(1).take_while(|step| step.time < needed).filter(|step| !step.is_moving);
    let moving = (needed - STEP * pauses.count() as f64).max(0.0);
    let Candidates { first, likely, last, .. } = candidates;
    let around = &stands[first.0.saturating_sub(1)..(last.0 + 4).min(stands.len())];
    Fit {
        error,
        needed,
        moving,
        is_on_ground: stands[..=first.0].iter().all(|stands| *stands),
        stands: around.iter().any(|stands| *stands),
        is_sharp: last.0 <= first.0 + 1,
        likely: likely.1,
        first: first.1,
        last: last.1,
    }
}

/// Returns how far an entity is from where a report says it is, in metres; a radian counts as a metre.
fn deviation(entity: &Entity, target: &CellPosition) -> f32 {
    let position = &entity.body.position;
    let cosine = position.frame.rotation.dot(target.frame.rotation).abs().min(1.0);
    position.distance_to(target) + 2.0 * libm::acosf(cosine)
}

/// Advances a copy of the player to the time `now`.
fn simulate(
    entity: &mut Entity,
    actor: &Actor<'_>,
    surroundings: &dyn Surroundings,
    now: f64,
    events: &mut Events,
) {
    let position = entity.body.position;
    let mut simulated = entity
        .act(actor.library, now, events)
        .with_neighbours(actor.neighbours)
        .with_obstacles(actor.obstacles);
    simulated.update(Some(&position), surroundings);
    events.clear();
    while events.take_notice().is_some() {}
}
