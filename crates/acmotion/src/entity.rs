//! One entity: its body, interpreter, animation, corrections and orders, and its update (rules B3–B5).

mod animate;
mod cruise;
mod events;
mod presence;
mod scatter;
mod steady;
mod tick;

use std::fmt;
use std::sync::Arc;

use acmotion_types::{CellPosition, Guid, MotionCommand};

pub use events::{EntityEvent, Events, MotionEvent};
pub use presence::{Placed, Refusal, place};
pub use scatter::Scatter;
pub(crate) use steady::SteadyCruise;
pub use tick::move_to_frame;

use crate::body::{Body, BodyFlags, BodyHost, PhysicsState};
use crate::collide::{MoverFlags, NoObstacles, ObstacleFlags, Obstacles, Shape, Touch};
use crate::correction::PositionManager;
use crate::effects::Effects;
use crate::interp::{Interpreter, Weenie};
use crate::library::{Library, TableId};
use crate::steer::{MoveTo, Neighbours, NoNeighbours, TargetManager};
use crate::table::{Animator, MotionHost};

/// A body with its interpreter, animation, corrections and order: everything that belongs to one object that moves, as
/// plain data. Tables, clips and models are shared, in the [`Library`].
///
/// It acts through an [`Actor`], which adds the library, the time and a list for events:
///
/// ```
/// use acmotion::Library;
/// use acmotion::components::{Entity, Events};
/// use acmotion::scene::{InfinitePlane, Shape};
/// use acmotion::types::{CellId, CellPosition, Guid, Vec3};
///
/// let (library, mut events) = (Library::new(), Events::new());
/// let ground = InfinitePlane::level(94.0);
/// let mut entity = Entity::new(Guid(0x5000_0001), None);
/// entity.shape = Shape::human().into();
///
/// // It enters the world a metre above the ground, and placement sets it down.
/// let position = CellPosition::at(CellId(0xA9B4_0001), Vec3::new(12.0, 12.0, 95.0));
/// assert!(entity.act(&library, 0.0, &mut events).enter_world(&position, true, &ground));
/// assert!(entity.body.is_standing());
/// entity.act(&library, 1.0 / 30.0, &mut events).update(None, &ground);
/// ```
#[derive(Clone)]
#[repr(C)]
pub struct Entity {
    // The order decides what shares a cache line if the entity begins with one: guid and the first fields of the body, which
    // every tick needs; the constraint and the first fields of the sequence, which most need.
    /// The server's id of the entity.
    pub guid: Guid,
    /// Its flags as a mover: player, player killer, impenetrable.
    pub mover_flags: MoverFlags,
    /// Whether it has parts to animate.
    #[doc(alias = "part_array")]
    pub has_parts: bool,
    /// The factor of its root motion, 1 unless another was [learnt](crate::Settings::speeds_from_reports).
    pub(crate) pace: RootPace,
    /// Its position, velocity and physics state.
    pub body: Body,
    /// The order to go or turn somewhere. Boxed, because few bodies ever have one.
    pub(crate) move_to: Option<Box<MoveTo>>,
    /// The target it watches and the entities that watch it. Boxed, because few bodies ever have them.
    pub(crate) targets: Option<Box<TargetManager>>,
    /// The effects on it. Boxed, because few bodies have any that are kept.
    pub(crate) effects: Option<Box<Effects>>,
    /// The corrections towards the server's positions.
    pub correction: PositionManager,
    /// The animation that plays.
    pub animator: Animator,
    /// Its collision shape as a mover, shared by all entities of a setup.
    pub shape: Arc<Shape>,
    pub(crate) weenie: Option<Arc<dyn Weenie>>,
    /// The motions that were requested and their interpretation.
    pub interp: Interpreter,
}

/// The factor of a root motion, in steps of 1/64 up to 255 of them. It takes one byte, so that an entity stays within a kibibyte.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct RootPace(u8);

impl RootPace {
    pub(crate) const USUAL: Self = Self(64);

    /// Returns the pace that is nearest to a factor.
    pub(crate) fn new(factor: f32) -> Self {
        Self((factor * 64.0).round() as u8)
    }

    pub(crate) fn factor(self) -> f32 {
        f32::from(self.0) * (1.0 / 64.0)
    }
}

impl Entity {
    /// Creates an entity outside of the world. Without a motion table it has no interpreter and cannot be asked to move.
    pub fn new(guid: Guid, table: Option<TableId>) -> Self {
        let mut body = Body::new(CellPosition::default());
        body.flags.set(BodyFlags::MANAGED, table.is_some());
        Self {
            guid,
            body,
            interp: Interpreter::default(),
            animator: Animator::new(table),
            correction: PositionManager::default(),
            move_to: None,
            targets: None,
            effects: None,
            shape: Arc::default(),
            mover_flags: MoverFlags::empty(),
            has_parts: true,
            weenie: None,
            pace: RootPace::USUAL,
        }
    }

    /// Its weenie: the game-side half of the object.
    pub fn weenie(&self) -> Option<&dyn Weenie> {
        self.weenie.as_deref()
    }

    /// Sets its weenie. Entities can share one.
    pub fn set_weenie(&mut self, weenie: Option<Arc<dyn Weenie>>) {
        self.weenie = weenie;
    }

    /// Returns the entity as an actor at the time `now`. It sees no other entities; add them by [`Actor::with_neighbours`].
    pub fn act<'a>(&'a mut self, library: &'a Library, now: f64, events: &'a mut Events) -> Actor<'a> {
        Actor { entity: self, library, now, events, neighbours: &NoNeighbours, obstacles: &NoObstacles }
    }

    /// The target it watches and the entities that watch it. `None` if it never had either.
    pub fn targets(&self) -> Option<&TargetManager> {
        self.targets.as_deref()
    }

    /// The memory it takes, in bytes, heap allocations included.
    pub fn size_in_memory(&self) -> usize {
        let inner = size_of::<Interpreter>() + size_of::<Animator>();
        size_of::<Self>() - inner
            + self.interp.size_in_memory()
            + self.animator.size_in_memory()
            + self.correction.side_bytes()
            + self.move_to.as_ref().map_or(0, |_| size_of::<MoveTo>())
            + self.targets.as_ref().map_or(0, |targets| size_of::<TargetManager>() + targets.side_bytes())
            + self.effects.as_ref().map_or(0, |effects| size_of::<Effects>() + effects.side_bytes())
    }
}

impl fmt::Debug for Entity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Entity")
            .field("guid", &self.guid)
            .field("position", &self.body.position)
            .field("velocity", &self.body.velocity)
            .field("transient", &self.body.transient)
            .field("interpreted", &self.interp.interpreted)
            .finish_non_exhaustive()
    }
}

/// An entity together with the shared library, the time, the other entities, and a list for events.
///
/// Everything that involves more than one of body, interpreter and animation is a method of it: motions
/// ([`do_motion`](Self::do_motion) and the like), jumps, the update.
#[derive(Debug)]
pub struct Actor<'a> {
    /// The entity.
    pub entity: &'a mut Entity,
    /// The library that all entities share.
    pub library: &'a Library,
    /// The time, in seconds.
    pub now: f64,
    /// The list that receives events and notices.
    pub events: &'a mut Events,
    /// The other entities, as targets.
    pub neighbours: &'a dyn Neighbours,
    /// The other entities, as obstacles.
    pub obstacles: &'a dyn Obstacles,
}

impl<'a> Actor<'a> {
    /// Adds the other entities that it can go to and stick to.
    #[must_use]
    pub fn with_neighbours(self, neighbours: &'a dyn Neighbours) -> Self {
        Self { neighbours, ..self }
    }

    /// Adds the obstacles that it can collide with.
    #[must_use]
    pub fn with_obstacles(self, obstacles: &'a dyn Obstacles) -> Self {
        Self { obstacles, ..self }
    }
}

impl MotionHost for Actor<'_> {
    fn animator(&mut self) -> &mut Animator {
        &mut self.entity.animator
    }

    fn motion_done(&mut self, motion: MotionCommand, success: bool) {
        self.emit(MotionEvent::MotionDone { motion, success });
        self.command_done();
    }
}

impl BodyHost for Actor<'_> {
    fn body(&mut self) -> &mut Body {
        &mut self.entity.body
    }

    fn hit_ground(&mut self) {
        self.emit(MotionEvent::HitGround);
        self.interpret_hit_ground();
        self.move_to_hit_ground();
    }

    fn leave_ground(&mut self) {
        self.emit(MotionEvent::LeaveGround);
        self.interpret_leave_ground();
    }

    fn hit_environment(&mut self) {
        self.emit(MotionEvent::HitEnvironment);
    }

    /// Reports the touch to each side that reports collisions, unless the other side ignores them.
    fn on_touch_begin(&mut self, touch: &Touch) {
        let (own, other) = (self.entity.body.state, touch.state);
        let reports = |one: PhysicsState, other: PhysicsState| {
            one.contains(PhysicsState::REPORT_COLLISIONS) && !other.contains(PhysicsState::IGNORE_COLLISIONS)
        };
        if reports(own, other) && self.entity.weenie.is_some() {
            self.emit(MotionEvent::Touched(touch.guid));
        }
        if reports(other, own) && touch.flags.contains(ObstacleFlags::WEENIE) {
            let kind = MotionEvent::Touched(self.entity.guid);
            self.events.push(EntityEvent { guid: touch.guid, kind });
        }
    }

    fn on_touch_end(&mut self, guid: Guid) {
        self.emit(MotionEvent::Parted(guid));
    }
}

impl Actor<'_> {
    /// Reports an event of the entity.
    pub(crate) fn emit(&mut self, kind: MotionEvent) {
        self.events.push(EntityEvent { guid: self.entity.guid, kind });
    }
}

#[cfg(test)]
mod tests {
    use std::mem::offset_of;

    use acmotion_types::{CellId, Vec3};

    use super::*;
    use crate::body::TransientState;
    use crate::collide::{OpenAir, Shape};

    const AT: CellPosition = CellPosition::at(CellId(0xA9B4_0001), Vec3::new(12.0, 12.0, 94.0));

    /// The list of what a sweep touches is shared by all entities, and surroundings need not clear it: what one entity touches is
    /// nothing to the next.
    #[test]
    fn what_another_entity_touched_is_forgotten() {
        let library = Library::new();
        let (mut entity, mut events) = (Entity::new(Guid(1), None), Events::new());
        entity.shape = Shape::human().into();
        let other = Touch { guid: Guid(2), state: PhysicsState::empty(), flags: ObstacleFlags::WEENIE };
        events.touched = vec![other];
        assert!(entity.act(&library, 0.0, &mut events).enter_world(&AT, true, &OpenAir));
        assert!(!entity.body.has_touches(), "when it is placed");
        events.touched = vec![other];
        entity.body.set_velocity(Vec3::new(0.0, 3.0, 0.0), 0.0);
        entity.act(&library, 0.1, &mut events).update(None, &OpenAir);
        assert_ne!(entity.body.position, AT, "it flies");
        assert!(!entity.body.has_touches(), "when it moves");
    }

    /// What is let go has no ground under it until it is placed somewhere, and its time begins now (rule D6).
    #[test]
    fn d6_a_body_that_is_let_go_begins_anew() {
        let library = Library::new();
        let (mut entity, mut events) = (Entity::new(Guid(1), None), Events::new());
        entity.body.position = AT;
        entity.body.flags.insert(BodyFlags::HAS_PARENT);
        entity.body.transient =
            TransientState::CONTACT | TransientState::ON_WALKABLE | TransientState::ACTIVE;
        entity.act(&library, 7.0, &mut events).unset_parent();
        assert_eq!(entity.body.transient, TransientState::empty());
        assert_eq!(entity.body.clock.update_time, 7.0);
        assert_eq!(entity.body.position.cell, CellId::NONE);
        assert!(!entity.body.flags.contains(BodyFlags::HAS_PARENT));
    }

    /// The cache line of a field of an entity that begins with one.
    const fn line(offset: usize) -> usize {
        offset / 64
    }

    #[test]
    #[cfg(target_pointer_width = "64")]
    fn what_a_tick_changes_of_a_body_that_only_moves_is_in_two_cache_lines() {
        let (position, distance) =
            (offset_of!(Entity, body.position), offset_of!(Entity, body.player_distance));
        assert_eq!([line(position), line(distance + size_of::<f32>() - 1)], [0, 0]);
        assert!((position..distance).contains(&offset_of!(Entity, body.clock)));
        assert!((position..distance).contains(&offset_of!(Entity, body.cached_velocity)));
        let constraint = offset_of!(Entity, correction.constraint);
        let frame = offset_of!(Entity, animator) + size_of::<f64>() - 1;
        assert_eq!(line(constraint), line(frame), "the frame number comes first in the animator");
    }
}
