//! The shortcut for a body that cruises: one that stands on level ground and goes where its animation and corrections
//! lead, as nearly every body does in nearly every tick.
//!
//! It applies to a body that has no velocity, acceleration or spin of its own, touches nothing and is in no special state,
//! in a tick that takes one step. For such a body most of [`Actor::update`] changes nothing: there is one quantum (rule
//! B3), integration adds zeros (rule C4), friction and bouncing have nothing to act on, and a sweep on level ground is a
//! [stride](Body::stride), after which the body has the contact that it had. The rest is done in the same order, by the
//! same functions. As soon as something unusual happens, such as a hook that changes the body or a sweep that is no stride,
//! the general code finishes the step from there. The result is therefore the same to the bit.

use acmotion_types::{CellPosition, EPS, Frame, Vec3};

use super::{Actor, Entity};
use crate::body::{Body, BodyFlags, MAX_QUANTUM, PLAYER_FAR, PhysicsState, TransientState};
use crate::collide::{InfinitePlane, Surroundings};
use crate::library::Library;
use crate::move_by::{combined, is_settled};
use crate::sequence::Rest;

impl Entity {
    /// Returns `true` if the short way applies to its body and nothing but its animation is under way.
    #[inline(always)]
    pub(super) fn cruises(&self) -> bool {
        self.body.cruises() && self.effects.is_none()
    }

    /// Returns how the entity rests: its steps change nothing but clocks while the animation plays the frames that are
    /// returned. `None` if they may do more. Their end has nothing to do (targets, the order,
    /// motions of zero length, corrections: rules B4.6, B4.7, see [`Actor::use_time`]), and the body is turned as the frame
    /// that they lead to.
    ///
    /// This is so until something else than [`rest`](Self::rest) changes the entity.
    #[inline]
    pub(crate) fn find_rest(&self, library: &Library) -> Option<Rest> {
        let rest = self.animator.sequence().find_rest(library)?;
        let rests = self.targets.is_none()
            && self.move_to.is_none()
            && self.animator.completed_head().is_none()
            && self.correction.is_quiet()
            && is_settled(self.body.position.frame.rotation)
            && self.cruises();
        rests.then_some(rest)
    }

    /// The shortest way, of an entity that [is at rest](Self::find_rest): advances its clock and its animation, in any
    /// surroundings, because it goes nowhere. `player_distance` is in metres, `None` while there is no player. Returns
    /// `false`, with nothing done, if the step may do more.
    #[inline(always)]
    pub(crate) fn rest(&mut self, rest: &Rest, now: f64, player_distance: Option<f32>) -> bool {
        let Some(elapsed) = self.body.time_of_one_step(now, player_distance) else { return false };
        if !self.animator.advance_at_rest(rest, elapsed as f32) {
            return false;
        }
        self.body.begin_step(elapsed, player_distance);
        // It turns to where it is turned already.
        self.body.cached_velocity = Vec3::ZERO;
        true
    }
}

impl Body {
    /// Returns the time to now, in seconds, if that is one step, and the body is near enough to the player to be moved
    /// (rule B3).
    #[inline(always)]
    pub(super) fn time_of_one_step(&self, now: f64, player_distance: Option<f32>) -> Option<f64> {
        let elapsed = now - self.clock.update_time;
        let is_one_step = elapsed > f64::from(EPS) && elapsed <= MAX_QUANTUM;
        let is_far = player_distance.is_some_and(|distance| distance > PLAYER_FAR);
        (is_one_step && !is_far).then_some(elapsed)
    }

    /// Sets the clock of a body that cruises to the end of the step, and its distance from the player. Returns the clock.
    #[inline(always)]
    pub(super) fn begin_step(&mut self, elapsed: f64, player_distance: Option<f32>) -> f64 {
        if let Some(distance) = player_distance {
            self.player_distance = distance;
        }
        self.clock.update_time += elapsed;
        self.clock.update_time
    }

    /// Returns `true` if the body stands, is updated by ticks, and moves by animation and corrections alone.
    #[inline(always)]
    fn cruises(&self) -> bool {
        const STANDS: TransientState =
            TransientState::CONTACT.union(TransientState::ON_WALKABLE).union(TransientState::ACTIVE);
        const IS_MANAGED: BodyFlags = BodyFlags::IN_CELL.union(BodyFlags::MANAGED);
        const CHANGING: BodyFlags = BodyFlags::HAS_PARENT.union(BodyFlags::JUMPED).union(BodyFlags::THROWN);
        const SPECIAL: PhysicsState = PhysicsState::STATIC
            .union(PhysicsState::FROZEN)
            .union(PhysicsState::HIDDEN)
            .union(PhysicsState::SLEDDING)
            .union(PhysicsState::MISSILE)
            .union(PhysicsState::ALIGN_PATH);
        self.transient == STANDS
            && self.flags & (IS_MANAGED | CHANGING) == IS_MANAGED
            && !self.state.intersects(SPECIAL)
            && are_zero([self.velocity, self.acceleration, self.omega])
            && !self.has_touches()
    }
}

impl Actor<'_> {
    /// Does what [`update`](Self::update) does, on level ground or a slope without anything else: in fewer instructions,
    /// with the same bits.
    #[inline]
    pub fn update_on_plane(&mut self, player: Option<&CellPosition>, ground: &InfinitePlane) {
        let distance = player.map(|player| player.distance_to(&self.entity.body.position));
        if !self.cruise(distance, ground) {
            self.update(player, ground);
        }
    }

    /// Advances an entity that cruises to now. `player_distance` is in metres, `None` while there is no player. Returns
    /// `false`, with nothing done, if the short way does not apply.
    #[inline]
    pub(crate) fn cruise(&mut self, player_distance: Option<f32>, ground: &InfinitePlane) -> bool {
        self.cruise_in_one_step(player_distance, |actor, offset, quantum| {
            actor.cruise_by(offset, quantum, ground)
        })
    }

    /// Advances an entity that would cruise on level ground to now, in any surroundings. Returns `false`, with nothing done,
    /// if the short way does not apply.
    #[inline]
    pub(crate) fn cruise_among<S: Surroundings + ?Sized>(
        &mut self,
        player_distance: Option<f32>,
        surroundings: &S,
    ) -> bool {
        self.cruise_in_one_step(player_distance, |actor, offset, quantum| {
            let target = actor.cruise_target(offset, quantum);
            actor.process_hooks();
            actor.finish_step(target, false, quantum, surroundings);
        })
    }

    /// Advances an entity that cruises to now by a step. `finish` finishes it, from the offset by root motion on.
    #[inline(always)]
    fn cruise_in_one_step(
        &mut self,
        player_distance: Option<f32>,
        finish: impl FnOnce(&mut Self, Frame, f32),
    ) -> bool {
        let body = &self.entity.body;
        let Some(elapsed) = body.time_of_one_step(self.now, player_distance) else { return false };
        if !self.entity.cruises() {
            return false;
        }
        let clock = self.entity.body.begin_step(elapsed, player_distance);
        let quantum = elapsed as f32;
        let offset = self.animate(quantum, false);
        finish(self, offset, quantum);
        self.entity.body.clock.update_time = clock;
        true
    }

    /// Returns the frame that an offset by root motion leads a body to that cruises, after corrections.
    #[inline(always)]
    fn cruise_target(&mut self, mut offset: Frame, quantum: f32) -> Frame {
        self.adjust_offset(&mut offset, quantum);
        combined(&self.entity.body.position.frame, &offset)
    }

    /// Finishes a step of a body that cruises, from the offset by root motion on.
    #[inline]
    pub(super) fn cruise_by(&mut self, offset: Frame, quantum: f32, ground: &InfinitePlane) {
        let target = self.cruise_target(offset, quantum);
        let still_cruises = self.events.hooks.events().is_empty() || {
            self.process_hooks();
            self.entity.body.cruises()
        };
        if still_cruises && self.stride(&target, quantum, ground) {
            self.use_time(ground);
            self.update_scripts();
        } else {
            self.finish_step(target, false, quantum, ground);
        }
    }

    /// Moves a body that cruises, as [`move_to_frame`](super::move_to_frame) does. Returns `false`, with nothing done, if
    /// it takes a sweep.
    #[inline]
    fn stride(&mut self, target: &Frame, quantum: f32, ground: &InfinitePlane) -> bool {
        let entity = &mut *self.entity;
        let wanted = target.origin - entity.body.position.frame.origin;
        if target.origin.is_close_to(entity.body.position.frame.origin) {
            self.turn_only(target);
            return true;
        }
        let Some(covered) = entity.body.stride(&entity.shape, target, quantum, ground) else { return false };
        self.events.touched.clear();
        self.note_obstruction(wanted, Some(covered), None);
        true
    }
}

/// Returns `true` if all numbers are 0 to the bit: −0 counts as another number.
#[inline(always)]
fn are_zero(vectors: [Vec3; 3]) -> bool {
    vectors.iter().fold(0, |bits, v| bits | v.x.to_bits() | v.y.to_bits() | v.z.to_bits()) == 0
}

#[cfg(test)]
mod tests {
    use acmotion_dat::{Assets, mannequin};
    use acmotion_types::{CellId, Guid, MotionCommand};
    use proptest::prelude::*;

    use super::*;
    use crate::collide::Shape;
    use crate::correction::ConstraintRange;
    use crate::entity::{Events, SteadyCruise};
    use crate::interp::{MovementParams, RemoteWeenie};

    const HEIGHT: f32 = 94.0;

    /// What happens to a body before a tick.
    #[derive(Clone, Debug)]
    enum Change {
        Nothing,
        Motion(MotionCommand, f32),
        /// A report, as far from the body.
        Reported(Vec3),
        Velocity(Vec3),
        Omega(Vec3),
        State(PhysicsState),
        Scale(f32),
        /// The body is set on the ground at a position in its landblock.
        Placed(f32, f32),
    }

    fn change() -> impl Strategy<Value = Change> {
        let motions = vec![
            MotionCommand::READY,
            MotionCommand::WALK_FORWARD,
            MotionCommand::RUN_FORWARD,
            MotionCommand::TURN_RIGHT,
            MotionCommand::SIDE_STEP_RIGHT,
            MotionCommand::WAVE,
            MotionCommand::HAND_COMBAT,
            MotionCommand::DEAD,
        ];
        let states = [
            PhysicsState::HIDDEN,
            PhysicsState::SLEDDING,
            PhysicsState::ALIGN_PATH,
            PhysicsState::FROZEN,
            PhysicsState::STATIC,
            PhysicsState::empty(),
            PhysicsState::GRAVITY,
        ];
        let vector = |size: f32| [-size..size, -size..size, -size..size].prop_map(Vec3::from);
        prop_oneof![
            120 => Just(Change::Nothing),
            8 => (proptest::sample::select(motions), 0.3_f32..3.0)
                .prop_map(|(motion, speed)| Change::Motion(motion, speed)),
            4 => vector(2.0).prop_map(Change::Reported),
            1 => vector(5.0).prop_map(Change::Velocity),
            1 => vector(1.0).prop_map(Change::Omega),
            1 => proptest::sample::select(states.to_vec())
                .prop_map(|state| Change::State(Body::INITIAL_STATE | state)),
            1 => (0.5_f32..2.0).prop_map(Change::Scale),
            2 => (0.0_f32..192.0, 0.0_f32..192.0).prop_map(|(x, y)| Change::Placed(x, y)),
        ]
    }

    /// The time of a tick: mostly one step, sometimes none, several, or so much that it is lost.
    fn elapsed() -> impl Strategy<Value = f64> {
        prop_oneof![20 => Just(1.0 / 30.0), 4 => 0.03..0.2, 1 => proptest::sample::select(vec![0.0, 1e-4, 0.2, 0.5, 3.0])]
    }

    fn distance() -> impl Strategy<Value = Option<f32>> {
        prop_oneof![10 => Just(None), 10 => Just(Some(10.0)), 1 => Just(Some(200.0))]
    }

    fn apply(change: &Change, actor: &mut Actor<'_>, ground: &InfinitePlane) {
        let now = actor.now;
        let own = actor.entity.body.position;
        match *change {
            Change::Nothing => {}
            Change::Motion(motion, speed) => {
                let _ = actor
                    .do_interpreted_motion(motion, &MovementParams { speed, ..MovementParams::default() });
            }
            Change::Reported(offset) => {
                let mut reported = own;
                reported.frame.origin += offset;
                actor.entity.interpolate_to(&reported, false, false);
                actor.entity.correction.constraint.constrain_to(&own, &own, ConstraintRange::of(own.cell));
            }
            Change::Velocity(velocity) => actor.entity.body.set_velocity(velocity, now),
            Change::Omega(omega) => actor.entity.body.set_omega(omega),
            Change::State(state) => actor.set_state(state),
            Change::Scale(scale) => actor.entity.body.set_scale(scale),
            Change::Placed(x, y) => {
                let position = CellPosition::at(CellId(0xA9B4_0001), Vec3::new(x, y, HEIGHT));
                actor.set_position(&position.adjusted_to_outside().unwrap_or(position), true, ground);
            }
        }
    }

    fn human(library: &mut Library, ground: &InfinitePlane) -> Entity {
        let table = library.load_table(&Assets::mannequin(), mannequin::HUMAN_TABLE).expect("it is built in");
        let mut entity = Entity::new(Guid(1), Some(table));
        entity.shape = Shape::human().into();
        entity.set_weenie(Some(std::sync::Arc::new(RemoteWeenie::Creature)));
        let mut events = Events::new();
        let mut actor = entity.act(library, 0.0, &mut events);
        actor.enter_default_state();
        actor.enter_world(
            &CellPosition::at(CellId(0xA9B4_0001), Vec3::new(12.0, 12.0, HEIGHT)),
            true,
            ground,
        );
        entity
    }

    /// Everything that an update can change. Numbers are written so that different bits look different.
    fn seen(entity: &Entity, events: &Events) -> String {
        let Entity { body, interp, animator, correction, .. } = entity;
        format!("{body:?} {interp:?} {animator:?} {correction:?} {events:?}")
    }

    /// The facts that a tick keeps of an entity.
    #[derive(Default)]
    struct Kept {
        rest: Option<Rest>,
        cruise: Option<SteadyCruise>,
    }

    /// How often an entity took which way.
    #[derive(Default)]
    struct Taken {
        short: usize,
        rests: usize,
        steadily: usize,
        past_events: usize,
    }

    impl Kept {
        /// Advances an entity as a world does.
        fn update(
            &mut self,
            actor: &mut Actor<'_>,
            player: Option<&CellPosition>,
            ground: &InfinitePlane,
            taken: &mut Taken,
        ) {
            let (library, now) = (actor.library, actor.now);
            let distance = player.map(|player| player.distance_to(&actor.entity.body.position));
            taken.short += 1;
            if let Some(cruise) = &mut self.cruise {
                if actor.entity.cruise_steadily(cruise, library, now, distance) {
                    taken.steadily += 1;
                    return;
                }
                let stepped = actor.cruise_past_event(cruise, distance, ground);
                taken.past_events += usize::from(stepped == Some(true));
                if stepped != Some(true) {
                    self.cruise = None;
                }
                if stepped.is_some() {
                    return;
                }
            }
            self.rest = self.rest.or_else(|| actor.entity.find_rest(library));
            if self.rest.is_some_and(|rest| actor.entity.rest(&rest, now, distance)) {
                taken.rests += 1;
                return;
            }
            self.rest = None;
            if actor.cruise(distance, ground) {
                self.cruise = actor.entity.find_steady_cruise(library, ground);
            } else {
                taken.short -= 1;
                actor.update(player, ground);
            }
        }
    }

    #[test]
    fn a_body_that_runs_cruises_steadily_and_past_its_footsteps() {
        let (mut library, ground) = (Library::new(), InfinitePlane::level(HEIGHT));
        let (mut entity, mut events) = (human(&mut library, &ground), Events::new());
        let run = Change::Motion(MotionCommand::RUN_FORWARD, 1.5);
        apply(&run, &mut entity.act(&library, 0.0, &mut events), &ground);
        let (mut kept, mut taken) = (Kept::default(), Taken::default());
        for tick in 1..=300 {
            let mut actor = entity.act(&library, f64::from(tick) / 30.0, &mut events);
            kept.update(&mut actor, None, &ground, &mut taken);
        }
        let Taken { short, rests, steadily, past_events } = taken;
        assert!(
            short == 300 && rests == 0 && steadily > 200 && past_events > 30,
            "{steadily}, {past_events}"
        );
    }

    /// Advances an entity by a step if it is at rest.
    fn rest(entity: &mut Entity, library: &Library, now: f64, distance: Option<f32>) -> bool {
        entity.find_rest(library).is_some_and(|rest| entity.rest(&rest, now, distance))
    }

    #[test]
    fn a_body_that_stands_rests() {
        let (mut library, ground) = (Library::new(), InfinitePlane::level(HEIGHT));
        let (mut entity, mut events, mut rested) = (human(&mut library, &ground), Events::new(), 0);
        for tick in 1..=90 {
            let now = f64::from(tick) / 30.0;
            let rests = rest(&mut entity, &library, now, None);
            rested += usize::from(rests);
            assert!(rests || entity.act(&library, now, &mut events).cruise(None, &ground));
        }
        assert!(rested > 60, "{rested} of 90 ticks");
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 128, ..ProptestConfig::default() })]

        #[test]
        fn a_body_that_cruises_ends_as_in_the_general_way(
            ticks in proptest::collection::vec((change(), elapsed(), distance()), 1..120),
        ) {
            let (mut library, ground) = (Library::new(), InfinitePlane::level(HEIGHT));
            let mut short = human(&mut library, &ground);
            let mut general = short.clone();
            let (mut now, mut taken, mut kept) = (0.0, Taken::default(), Kept::default());
            let (mut short_events, mut general_events) = (Events::new(), Events::new());
            for (change, elapsed, distance) in &ticks {
                now += elapsed;
                let player = distance.map(|distance| {
                    let mut player = general.body.position;
                    player.frame.origin.x += distance;
                    player
                });
                let mut actor = general.act(&library, now, &mut general_events);
                apply(change, &mut actor, &ground);
                actor.update(player.as_ref(), &ground);
                let mut actor = short.act(&library, now, &mut short_events);
                apply(change, &mut actor, &ground);
                if !matches!(change, Change::Nothing) {
                    kept = Kept::default();
                }
                kept.update(&mut actor, player.as_ref(), &ground, &mut taken);
                prop_assert_eq!(seen(&short, &short_events), seen(&general, &general_events));
                short_events.clear();
                general_events.clear();
            }
            let quiet = ticks.iter().all(|(change, elapsed, distance)| {
                matches!(change, Change::Nothing | Change::Motion(..))
                    && (0.01..=MAX_QUANTUM).contains(elapsed)
                    && *distance != Some(200.0)
            });
            let stands = quiet && ticks.iter().all(|(change, ..)| matches!(change, Change::Nothing));
            let Taken { short, rests, .. } = taken;
            prop_assert!(!stands || 2 * (rests + 1) >= ticks.len(), "{rests} of {} ticks were rest", ticks.len());
            prop_assert!(!quiet || 2 * short >= ticks.len(), "{short} of {} ticks took the short way", ticks.len());
        }
    }
}
