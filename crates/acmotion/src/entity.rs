//! One entity: a body, what it was asked to do, and what plays; and its tick (rules B3–B5).

mod events;
mod presence;
mod tick;

use std::fmt;
use std::sync::Arc;

use acmotion_types::{CellPosition, Guid, MotionCommand};

pub use events::{EntityEvent, Events, MotionEvent};

use crate::body::{Body, BodyFlags, BodyHost, MoverFlags, PhysicsState, Shape};
use crate::collide::{NoObstacles, ObstacleFlags, Obstacles, Touch};
use crate::correction::PositionManager;
use crate::interp::{Interpreter, Weenie};
use crate::library::{Library, TableId};
use crate::steer::{Alone, MoveTo, Neighbours, TargetManager};
use crate::table::{Animator, MotionHost};

/// A body with its interpreter and its animation: everything that belongs to one thing that moves, as plain data. What
/// is shared is in the [`Library`].
///
/// It acts through an [`Actor`], which brings the library, the time and a place for what happens:
///
/// ```
/// use acmotion::body::{InfinitePlane, Shape};
/// use acmotion::entity::{Entity, Events};
/// use acmotion::types::{CellId, CellPosition, Guid, Vec3};
/// use acmotion::Library;
///
/// let (library, mut events) = (Library::new(), Events::new());
/// let ground = InfinitePlane::level(94.0);
/// let mut entity = Entity::new(Guid(0x5000_0001), None);
/// entity.shape = Shape::human().into();
///
/// // It comes into the world a metre above the ground, and is set down on it.
/// let place = CellPosition::at(CellId(0xA9B4_0001), Vec3::new(12.0, 12.0, 95.0));
/// assert!(entity.act(&library, 0.0, &mut events).enter_world(&place, true, &ground));
/// assert!(entity.body.is_standing());
/// entity.act(&library, 1.0 / 30.0, &mut events).update(None, &ground);
/// ```
#[derive(Clone)]
pub struct Entity {
    /// Who it is.
    pub guid: Guid,
    /// Where it is and how it moves by itself.
    pub body: Body,
    /// What it was asked to do and does.
    pub interp: Interpreter,
    /// What plays.
    pub animator: Animator,
    /// Where the server says it is.
    pub correction: PositionManager,
    /// Where it is told to go; behind a pointer, because few bodies ever are.
    pub(crate) move_to: Option<Box<MoveTo>>,
    /// What it watches, and who watches it; behind a pointer likewise.
    pub(crate) targets: Option<Box<TargetManager>>,
    /// What of it bumps into things; the same for all of one setup.
    pub shape: Arc<Shape>,
    /// What a sweep is told about it beside that: player, player killer, impenetrable.
    pub mover_flags: MoverFlags,
    /// Has it parts to animate at all?
    #[doc(alias = "part_array")]
    pub has_parts: bool,
    pub(crate) weenie: Option<Arc<dyn Weenie>>,
}

impl Entity {
    /// A body outside of the world, with a motion table or without. Without one it cannot be asked to move.
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
            shape: Arc::default(),
            mover_flags: MoverFlags::empty(),
            has_parts: true,
            weenie: None,
        }
    }

    /// Who it is to the game.
    pub fn weenie(&self) -> Option<&dyn Weenie> {
        self.weenie.as_deref()
    }

    /// Sets who it is to the game. Many entities can share one.
    pub fn set_weenie(&mut self, weenie: Option<Arc<dyn Weenie>>) {
        self.weenie = weenie;
    }

    /// Lets it act, at a time, with what it needs at hand. It knows nobody else: see [`Actor::among`].
    pub fn act<'a>(&'a mut self, library: &'a Library, now: f64, events: &'a mut Events) -> Actor<'a> {
        Actor { entity: self, library, now, events, around: &Alone, obstacles: &NoObstacles }
    }

    /// What it watches and who watches it, if it ever did or was.
    pub fn targets(&self) -> Option<&TargetManager> {
        self.targets.as_deref()
    }

    /// How many bytes it takes, side storage included.
    pub fn size_in_memory(&self) -> usize {
        let inner = size_of::<Interpreter>() + size_of::<Animator>();
        size_of::<Self>() - inner
            + self.interp.size_in_memory()
            + self.animator.size_in_memory()
            + self.correction.side_bytes()
            + self.move_to.as_ref().map_or(0, |_| size_of::<MoveTo>())
            + self.targets.as_ref().map_or(0, |targets| size_of::<TargetManager>() + targets.side_bytes())
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

/// An entity that acts: with the shared library, the time, and a place for what happens.
///
/// Everything that concerns more than one of body, interpreter and animation is a method of it: the verbs of the
/// interpreter ([`do_motion`](Self::do_motion) and its neighbours), the jump, the tick.
#[derive(Debug)]
pub struct Actor<'a> {
    /// The entity.
    pub entity: &'a mut Entity,
    /// What is shared.
    pub library: &'a Library,
    /// What time it is.
    pub now: f64,
    /// Where what happens is put.
    pub events: &'a mut Events,
    /// Who else is there.
    pub around: &'a dyn Neighbours,
    /// What may be in its way, beside the surroundings.
    pub obstacles: &'a dyn Obstacles,
}

impl<'a> Actor<'a> {
    /// The same among others, whom it can go to and stick to.
    #[must_use]
    pub fn among(self, around: &'a dyn Neighbours) -> Self {
        Self { around, ..self }
    }

    /// The same with things in its way.
    #[must_use]
    pub fn past(self, obstacles: &'a dyn Obstacles) -> Self {
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

    /// Each side is told that wants to know, unless the other ignores collisions.
    fn touch_begins(&mut self, touch: &Touch) {
        let (own, other) = (self.entity.body.state, touch.state);
        let wants = |one: PhysicsState, other: PhysicsState| {
            one.contains(PhysicsState::REPORT_COLLISIONS) && !other.contains(PhysicsState::IGNORE_COLLISIONS)
        };
        if wants(own, other) && self.entity.weenie.is_some() {
            self.emit(MotionEvent::Touched(touch.guid));
        }
        if wants(other, own) && touch.flags.contains(ObstacleFlags::WEENIE) {
            let kind = MotionEvent::Touched(self.entity.guid);
            self.events.push(EntityEvent { guid: touch.guid, kind });
        }
    }

    fn touch_ends(&mut self, guid: Guid) {
        self.emit(MotionEvent::Parted(guid));
    }
}

impl Actor<'_> {
    pub(crate) fn emit(&mut self, kind: MotionEvent) {
        self.events.push(EntityEvent { guid: self.entity.guid, kind });
    }
}
