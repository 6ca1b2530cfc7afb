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

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use acmotion_dat::Assets;
    use acmotion_types::{CellId, Guid, MotionCommand, Vec3};

    use super::*;
    use crate::collide::InfinitePlane;
    use crate::interp::{HoldKey, RawAxis, RawState};
    use crate::world::{Settings, World};

    const PLAYER: Guid = Guid(0x5000_000A);
    /// The speed of a run at the rate of 1, in metres a second.
    const RUN: f32 = 4.0;

    fn at(x: f32, y: f32) -> CellPosition {
        CellPosition::at(CellId(0xA9B4_0001), Vec3::new(x, y, 94.0))
    }

    #[track_caller]
    fn assert_near(value: f64, expected: f64, tolerance: f64) {
        assert!((value - expected).abs() <= tolerance, "{value}, expected {expected} ± {tolerance}");
    }

    /// A world on level ground at 100 s, with a player at (10, 10) that stands.
    fn world() -> World {
        let ground = Arc::new(InfinitePlane::level(94.0));
        let settings = Settings { surroundings: Some(ground), ..Settings::default() };
        let mut world = World::with_settings(Assets::mannequin(), settings);
        world.add_stand_in(PLAYER, &at(10.0, 10.0), 100.0);
        world
    }

    fn player(world: &World) -> Entity {
        world.find(PLAYER).unwrap().entity().clone()
    }

    /// The keys of a run; `turn` turns it as well.
    fn run(turn: MotionCommand) -> RawState {
        let forward = RawAxis { hold_key: HoldKey::RUN, ..RawAxis::new(MotionCommand::WALK_FORWARD) };
        let turn = RawAxis::new(turn);
        RawState { current_hold_key: HoldKey::RUN, forward, turn, ..RawState::default() }
    }

    fn press(world: &mut World, raw: &RawState) {
        world.act(PLAYER, 100.0, |actor, _| actor.apply_client_state(raw, false, None));
    }

    /// A player at (10, 10) that runs north at full speed.
    fn at_full_speed() -> (World, Entity) {
        let mut world = world();
        press(&mut world, &run(MotionCommand::NONE));
        for tick in 1..=60 {
            world.tick(100.0 + f64::from(tick) * 0.033_334);
        }
        let mut entity = player(&world);
        entity.body.position = at(10.0, 10.0);
        assert!(!entity.interp.has_pending());
        (world, entity)
    }

    /// Simulates a player for 5 s; `passed` seconds have passed.
    fn fitted(world: &mut World, entity: &Entity, target: &CellPosition, passed: f64) -> Fit {
        let start = (entity, 200.0);
        let result = world.act(PLAYER, 200.0, |actor, surroundings| {
            fit(actor, surroundings, start, target, (passed, 5.0), 0.75)
        });
        result.unwrap()
    }

    fn seconds(entity: &Entity) -> f64 {
        entity.body.clock.update_time - 200.0
    }

    #[test]
    fn the_nearest_point_of_a_step_is_on_it() {
        let (from, to) = (at(10.0, 10.0), at(10.0, 12.0));
        for (x, y, distance, part) in
            [(11.0, 11.0, 1.0, 0.5), (10.0, 11.5, 0.0, 0.75), (10.0, 8.0, 2.0, 0.0), (13.0, 16.0, 5.0, 1.0)]
        {
            let nearest = Nearest::on_step(&from, &to, &at(x, y), 3.0);
            assert_near(f64::from(nearest.distance), distance, 1e-4);
            assert_near(nearest.time, 3.0 + part / 30.0, 1e-6);
            assert!(nearest.is_moving);
        }
        let resting = Nearest::on_step(&from, &from, &at(13.0, 14.0), 3.0);
        assert_near(f64::from(resting.distance), 5.0, 1e-4);
        assert!(!resting.is_moving && resting.time == 3.0);
    }

    /// A run at full speed: 4 m a second, each point is passed once.
    #[test]
    fn a_point_of_a_run_is_reached_after_its_distance_and_once() {
        let (mut world, entity) = at_full_speed();
        for time in [0.5, 1.0, 3.0] {
            let fit = fitted(&mut world, &entity, &at(10.0, 10.0 + RUN * time), 1.0);
            assert!(fit.error < 0.02, "{time}: {}", fit.error);
            assert_near(fit.needed, f64::from(time), 0.02);
            assert_near(fit.moving, f64::from(time), 0.02);
            assert!(fit.is_sharp && fit.is_on_ground && fit.stands);
            // Whatever time has passed.
            for entity in [&fit.first, &fit.likely, &fit.last] {
                assert_near(seconds(entity), f64::from(time), 0.04);
            }
        }
        // 3 m beside it, the nearest point is the same.
        let beside = fitted(&mut world, &entity, &at(13.0, 10.0 + RUN), 1.0);
        assert_near(f64::from(beside.error), 3.0, 0.01);
        assert_near(beside.needed, 1.0, 0.1);
        // Before the start, the start is the nearest.
        let behind = fitted(&mut world, &entity, &at(10.0, 9.0), 1.0);
        assert_near(f64::from(behind.error), 1.0, 0.001);
        assert_eq!(behind.needed, 0.0);
        // Nor does it get farther than it runs in 5 s.
        let far = fitted(&mut world, &entity, &at(10.0, 10.0 + 6.0 * RUN), 1.0);
        assert_near(f64::from(far.error), f64::from(RUN), 0.2);
        assert_near(far.needed, 5.0, 0.04);
    }

    /// The start of a run: the link from Ready takes 0.4 s and 1.03 m.
    #[test]
    fn the_time_in_which_the_player_does_not_move_yet_is_counted_apart() {
        let mut world = world();
        let wave = crate::interp::Action {
            motion: MotionCommand::WAVE,
            speed: 1.0,
            stamp: acmotion_types::ActionStamp::new(1),
            autonomous: true,
        };
        let mut raw = RawState::default();
        raw.push_action(wave);
        press(&mut world, &raw);
        press(&mut world, &run(MotionCommand::NONE));
        let entity = player(&world);
        let fit = fitted(&mut world, &entity, &at(10.0, 12.0), 1.0);
        assert!(fit.error < 0.02, "{}", fit.error);
        assert!(fit.needed > fit.moving + 0.5, "it waves first: {} of {}", fit.moving, fit.needed);
        assert_near(fit.moving, 0.65, 0.1);
    }

    /// A player that stands is at the same point for long. After a second it is clear that it stays there.
    #[test]
    fn a_player_that_stands_is_there_from_the_first_to_the_last_moment() {
        let mut world = world();
        let entity = player(&world);
        for (passed, likely) in [(0.0, 0.0), (0.5, 0.5), (4.0, 1.0)] {
            let fit = fitted(&mut world, &entity, &entity.body.position, passed);
            assert_eq!((fit.error, fit.needed, fit.moving), (0.0, 0.0, 0.0));
            assert!(!fit.is_sharp && fit.is_on_ground && fit.stands);
            assert_near(seconds(&fit.first), 0.0, 1e-6);
            assert_near(seconds(&fit.likely), likely, 0.02);
            assert_near(seconds(&fit.last), 1.0, 0.02);
        }
        // One that is 0.5 m off can have come to rest there; one that is a metre off cannot.
        let near = fitted(&mut world, &entity, &at(10.5, 10.0), 4.0);
        assert_near(f64::from(near.error), 0.5, 1e-3);
        assert_near(seconds(&near.last), 1.0, 0.02);
        assert_near(seconds(&near.likely), 1.0, 0.02);
    }

    /// Rule I9: the constraint slows a player down, but the server cannot tell which positions its client has received.
    #[test]
    fn a_constraint_does_not_hold_the_player_back() {
        let (mut world, mut entity) = at_full_speed();
        let own = entity.body.position;
        let range = crate::correction::ConstraintRange::of(own.cell);
        entity.correction.constraint.constrain_to(&at(10.0, 0.0), &own, range);
        let fit = fitted(&mut world, &entity, &at(10.0, 10.0 + RUN), 1.0);
        assert!(fit.error < 0.02, "{}", fit.error);
        assert_near(fit.needed, 1.0, 0.02);
    }

    /// A player that runs in a circle comes by again. The first time counts.
    #[test]
    fn a_path_that_has_left_a_report_behind_is_not_followed_further() {
        let mut world = world();
        world.act(PLAYER, 100.0, |actor, _| actor.entity.interp.my_run_rate = 2.375);
        press(&mut world, &run(MotionCommand::TURN_RIGHT));
        let entity = player(&world);
        let mut positions = vec![entity.body.position];
        for tick in 1..=150 {
            world.tick(100.0 + f64::from(tick) / 29.9);
            positions.push(player(&world).body.position);
        }
        // The circle of a run with a turn key is several metres wide.
        let target = positions[20];
        let widest = positions.iter().map(|position| position.distance_to(&target)).fold(0.0, f32::max);
        assert!(widest > LEFT_BEHIND, "{widest}");
        let fit = fitted(&mut world, &entity, &target, 5.0);
        assert!(fit.error < 0.05, "{}", fit.error);
        assert_near(fit.needed, 20.0 / 30.0, 0.06);
        assert!(seconds(&fit.last) < 1.0, "{}", seconds(&fit.last));
    }

    #[test]
    fn a_player_in_the_air_does_not_stand_until_it_lands() {
        let mut world = world();
        world.act(PLAYER, 200.0, |actor, _| actor.apply_client_jump(Vec3::new(0.0, 3.0, 4.9)));
        let entity = player(&world);
        // It flies for a second, at 3 m a second.
        let mut top = at(10.0, 11.5);
        top.frame.origin.z += 1.225;
        let fit = fitted(&mut world, &entity, &top, 0.5);
        assert!(fit.error < 0.05, "{}", fit.error);
        assert_near(fit.needed, 0.5, 0.05);
        assert!(!fit.is_on_ground && !fit.stands);
        let landed = fitted(&mut world, &entity, &at(10.0, 13.0), 2.0);
        assert!(landed.error < 0.2 && landed.stands && !landed.is_on_ground, "{}", landed.error);
    }

    /// A radian counts as a metre.
    #[test]
    fn the_heading_of_a_report_counts_as_well_as_its_place() {
        let entity = player(&world());
        let mut turned = entity.body.position;
        turned.frame.set_heading(entity.body.position.frame.heading() + 90.0);
        assert_near(f64::from(deviation(&entity, &turned)), std::f64::consts::FRAC_PI_2, 1e-3);
        turned.frame.origin.x += 2.0;
        assert_near(f64::from(deviation(&entity, &turned)), 2.0 + std::f64::consts::FRAC_PI_2, 1e-3);
        assert_near(f64::from(deviation(&entity, &entity.body.position)), 0.0, 1e-3);
        // The same rotation has two quaternions.
        let mut negated = entity.body.position;
        let [w, x, y, z] = <[f32; 4]>::from(negated.frame.rotation);
        negated.frame.rotation = [-w, -x, -y, -z].into();
        assert_near(f64::from(deviation(&entity, &negated)), 0.0, 1e-3);
    }

    /// Points within a millimetre of the nearest one are the same point.
    #[test]
    fn the_nearest_points_of_a_path_are_those_within_a_millimetre() {
        let entity = player(&world());
        let mut found = Candidates::new(&entity, 0, 1.0);
        found.add(&entity, 1, 0.9995, 9);
        found.add(&entity, 2, 1.0008, 9);
        assert_eq!((found.first.0, found.likely.0, found.last.0), (0, 1, 1), "1.3 mm are too many");
        found.add(&entity, 3, 1.0, 2);
        assert_eq!((found.first.0, found.likely.0, found.last.0), (0, 1, 3), "more time than has passed");
        found.add(&entity, 4, 0.5, 9);
        found.add(&entity, 5, 0.7, 9);
        assert_eq!((found.first.0, found.likely.0, found.last.0), (4, 4, 4));
    }

    /// A run glides to its end for 0.79 m. Rule I9 can shorten that, so that the player rests where it only passed.
    #[test]
    fn a_player_can_have_come_to_rest_before_the_end_of_its_glide() {
        let (mut world, mut entity) = at_full_speed();
        world.act(PLAYER, 200.0, |actor, _| {
            *actor.entity = entity.clone();
            actor.apply_client_state(&RawState::default(), false, None);
            entity = actor.entity.clone();
        });
        let far = fitted(&mut world, &entity, &at(10.0, 20.0), 5.0);
        let end = far.last.body.position;
        let glide = end.distance_to(&at(10.0, 10.0));
        assert!(glide > 0.6, "{glide}");
        let mut passed = end;
        passed.frame.origin.y -= 0.4;
        for (seconds_passed, is_resting) in [(5.0, true), (0.2, false)] {
            let fit = fitted(&mut world, &entity, &passed, seconds_passed);
            assert!(fit.error < 0.02, "{}", fit.error);
            assert!(seconds(&fit.first) < 0.8, "{}", seconds(&fit.first));
            assert!(seconds(&fit.last) > 1.0, "{}", seconds(&fit.last));
            assert_eq!(seconds(&fit.likely) > 1.0, is_resting, "{}", seconds(&fit.likely));
        }
    }
}
