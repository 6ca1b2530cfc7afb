//! What a new entity is made of, and why one could not be created or placed.

use std::sync::Arc;

use acmotion_dat::{DataId, mannequin};
use acmotion_types::{CellPosition, Guid, Vec3};
use acmotion_wire::ObjectStamps;
use thiserror::Error;

use super::{AttachmentError, HeldBy};
use crate::body::{Body, DEFAULT_ELASTICITY, DEFAULT_FRICTION, MAX_ELASTICITY, PhysicsState};
use crate::collide::{MoverFlags, PlacementError};
use crate::effects::ScriptType;
use crate::interp::{InterpretedState, Weenie};

/// What an entity is made of and how it starts, for [`World::spawn`](super::World::spawn). A `CreateObject` message
/// carries the same (rule D13), and is handled by the same code.
///
/// [`new`](Self::new) makes a standing human, [`item`](Self::item) an object without motions. Change what differs:
///
/// ```
/// use acmotion::EntitySpec;
/// use acmotion::components::{Axis, InterpretedState};
/// use acmotion::types::{CellId, CellPosition, Guid, MotionCommand, Vec3};
///
/// let position = CellPosition::at(CellId(0xA9B4_0001), Vec3::new(12.0, 12.0, 94.0));
/// let runner = EntitySpec {
///     scale: 1.2,
///     motion: Some(InterpretedState::new(MotionCommand::NON_COMBAT, Axis::new(MotionCommand::RUN_FORWARD))),
///     ..EntitySpec::new(Guid(0x8000_0001), position)
/// };
/// assert!(runner.is_creature);
/// ```
#[derive(Clone, Debug)]
pub struct EntitySpec {
    /// Its id, which no other entity of the world has. Not [`Guid::NONE`].
    pub guid: Guid,
    /// The setup (0x02…): its parts and its collision shape. If it is `None` or missing from the assets, the entity has
    /// the shape of a human, and [`Resident::stand_in`](super::Resident::stand_in) says so. Default: the human's.
    pub setup: Option<DataId>,
    /// The motion table (0x09…). With `None` the entity has no motions: it can fall, fly and be carried, but not be
    /// asked to move. If it is missing from the assets, the human's table stands in. Default: the human's.
    pub motion_table: Option<DataId>,
    /// Where it enters the world. With `None` it is in no cell until it is [placed](super::World::drop_at) or
    /// [attached](super::World::set_parent). Ignored if it is held. Default: `None`.
    pub position: Option<CellPosition>,
    /// The entity that holds it, and where. Default: `None`.
    pub held_by: Option<HeldBy>,
    /// The key of its placement frame, which shows while no animation plays (rule H15). Not used if it has a `motion`.
    /// Default: 0.
    pub placement: u32,
    /// Its first motion, if it has a motion table. `None` is the default state of the table. Default: `None`.
    pub motion: Option<InterpretedState>,
    /// Whether its own client started that motion (rule F8). Default: `false`.
    pub is_autonomous: bool,
    /// The physics state. Default: [`Body::INITIAL_STATE`], a solid body that falls. An object whose setup has polygons
    /// instead of spheres or cylinders, such as a door, blocks others only with `HAS_PHYSICS_BSP`.
    pub state: PhysicsState,
    /// The scale, above 0; clamped to [`MIN_SCALE`](crate::limits::MIN_SCALE)..=[`MAX_SCALE`](crate::limits::MAX_SCALE).
    /// Default: 1.
    pub scale: f32,
    /// The share of the speed that friction takes in a second, 0 to 1 (rule C7). Default: 0.95.
    pub friction: f32,
    /// The share of the speed that comes back from an impact, 0 to 0.1 (rule C7). Default: 0.05.
    pub elasticity: f32,
    /// The translucency: 0 is opaque, 1 invisible. `None` leaves the materials as they are. Default: `None`.
    pub translucency: Option<f32>,
    /// The velocity, in metres a second in the landblock's axes, clamped to 50 m/s (rule C6). Walking is not part of it.
    /// `None` is at rest. Default: `None`.
    pub velocity: Option<Vec3>,
    /// The angular velocity, in radians a second in the landblock's axes. Default: zero.
    pub omega: Vec3,
    /// The type of its default script and the intensity (rule D13). Default: `None`.
    pub default_script: Option<(ScriptType, f32)>,
    /// Whether it is a creature or a player. Ignored if there is a `weenie`. Default: `true`; `false` for an item.
    pub is_creature: bool,
    /// Its flags as a mover and an obstacle: [`IS_PLAYER`](MoverFlags::IS_PLAYER), [`IS_PK`](MoverFlags::IS_PK),
    /// [`IS_PKLITE`](MoverFlags::IS_PKLITE), [`IS_IMPENETRABLE`](MoverFlags::IS_IMPENETRABLE),
    /// [`BYPASSES_RESTRICTIONS`](MoverFlags::BYPASSES_RESTRICTIONS), and
    /// [`IS_FORCED_INTO_CELL`](MoverFlags::IS_FORCED_INTO_CELL) for corpses, hooks and storage; others are ignored.
    /// Default: none.
    pub mover_flags: MoverFlags,
    /// Its weenie, if it is to be more than a creature or an object: one that knows a run rate or a jump, for example.
    /// `None` is the world's own: that of the local player for the player, else a [`RemoteWeenie`](crate::RemoteWeenie).
    /// Default: `None`.
    pub weenie: Option<Arc<dyn Weenie>>,
    /// The nine stamps that its first messages follow (rule D1). Default: all 0.
    pub stamps: ObjectStamps,
}

impl Default for EntitySpec {
    /// A human without a guid and a position, both of which [`new`](Self::new) takes.
    fn default() -> Self {
        Self {
            guid: Guid::NONE,
            setup: Some(mannequin::HUMAN_SETUP),
            motion_table: Some(mannequin::HUMAN_TABLE),
            position: None,
            held_by: None,
            placement: 0,
            motion: None,
            is_autonomous: false,
            state: Body::INITIAL_STATE,
            scale: 1.0,
            friction: DEFAULT_FRICTION,
            elasticity: DEFAULT_ELASTICITY,
            translucency: None,
            velocity: None,
            omega: Vec3::ZERO,
            default_script: None,
            is_creature: true,
            mover_flags: MoverFlags::empty(),
            weenie: None,
            stamps: ObjectStamps::default(),
        }
    }
}

/// The flags of an entity that are not those of its body or shape.
pub(super) const SPEC_FLAGS: MoverFlags = MoverFlags::IS_PLAYER
    .union(MoverFlags::IS_PK)
    .union(MoverFlags::IS_PKLITE)
    .union(MoverFlags::IS_IMPENETRABLE)
    .union(MoverFlags::BYPASSES_RESTRICTIONS)
    .union(MoverFlags::IS_FORCED_INTO_CELL);

impl EntitySpec {
    /// Describes a human creature that stands at a position.
    pub fn new(guid: Guid, position: CellPosition) -> Self {
        Self { guid, position: Some(position), ..Self::default() }
    }

    /// Describes an object without motions, such as a weapon, in no cell. Give it a `position` or a holder.
    pub fn item(guid: Guid, setup: DataId) -> Self {
        Self { guid, setup: Some(setup), motion_table: None, is_creature: false, ..Self::default() }
    }

    /// Returns the spec with the entity that holds it, and the holding location: 1 right hand, 2 left hand, 3 shield and
    /// so on (`docs/dat.md` §4).
    #[must_use]
    pub fn held_by(mut self, parent: Guid, location: u32) -> Self {
        self.held_by = Some(HeldBy { parent, location });
        self
    }

    /// Checks everything that does not depend on the world. A message's values are ignored where these are errors
    /// (rules C6, C7).
    pub(super) fn check(&self) -> Result<(), SpawnError> {
        let speeds = self.motion.iter().flat_map(|state| [state.forward, state.sidestep, state.turn]);
        let checks = [
            ("scale", self.scale.is_finite() && self.scale > 0.0),
            ("friction", (0.0..=1.0).contains(&self.friction)),
            ("elasticity", (0.0..=MAX_ELASTICITY).contains(&self.elasticity)),
            ("translucency", self.translucency.is_none_or(|value| (0.0..=1.0).contains(&value))),
            ("velocity", self.velocity.is_none_or(Vec3::is_finite)),
            ("omega", self.omega.is_finite()),
            ("motion", speeds.map(|axis| axis.speed).all(f32::is_finite)),
            ("default_script", self.default_script.is_none_or(|(_, intensity)| intensity.is_finite())),
        ];
        if self.guid.is_none() {
            return Err(SpawnError::NoGuid);
        }
        match checks.into_iter().find(|(_, is_valid)| !is_valid) {
            Some((field, _)) => Err(SpawnError::InvalidNumber { field }),
            None => Ok(()),
        }
    }
}

/// Why an entity could not be [spawned](super::World::spawn). The world is then as it was before.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Error)]
#[non_exhaustive]
pub enum SpawnError {
    /// Another entity has the same guid. Despawn it first.
    #[error("an entity with the guid {0} exists already")]
    AlreadyExists(Guid),
    /// The guid is [`Guid::NONE`], which stands for no object.
    #[error("the guid 0 stands for no object")]
    NoGuid,
    /// A number is not finite or out of the range given at its field.
    #[error("{field} is not finite or out of range")]
    InvalidNumber {
        /// The field of the [`EntitySpec`], or `now`.
        field: &'static str,
    },
    /// The world has [as many entities](super::Capacity::entities) as it may have.
    #[error("the world has {max} entities, which is the maximum")]
    TooManyEntities {
        /// The maximum.
        max: usize,
    },
    /// It could not be placed at its position.
    #[error(transparent)]
    NotPlaced(#[from] PlacementFailure),
    /// It could not be attached to the entity that is to hold it.
    #[error(transparent)]
    NotAttached(#[from] AttachmentError),
}

/// Why an entity could not be placed at a position, and is in no cell or where it was before (rules C17, C18).
///
/// ```
/// use acmotion::dat::Assets;
/// use acmotion::types::{CellId, CellPosition, Guid, Vec3};
/// use acmotion::{EntitySpec, PlacementFailure, SpawnError, World};
///
/// let mut world = World::new(Assets::mannequin());
/// let nowhere = CellPosition::at(CellId(0xA9B4_0001), Vec3::new(f32::NAN, 12.0, 94.0));
/// let refused = world.spawn(&EntitySpec::new(Guid(0x5000_0001), nowhere), 0.0);
/// assert_eq!(refused, Err(SpawnError::NotPlaced(PlacementFailure::InvalidPosition)));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Error)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum PlacementFailure {
    /// There is no such entity.
    #[error("no such entity")]
    Unknown,
    /// The position is not finite, far off the map, or names no cell.
    #[error("not a position")]
    InvalidPosition,
    /// There is no free position within 4 m: walls, objects or other bodies are in the way (`docs/collision.md` 10.5).
    #[error("no room at the position or near it")]
    NoRoom,
    /// The surroundings have no cell at the position.
    #[error("no cell at the position")]
    NoCell,
}

impl From<PlacementError> for PlacementFailure {
    fn from(error: PlacementError) -> Self {
        match error {
            PlacementError::NoRoom(_) => Self::NoRoom,
            PlacementError::NoCell => Self::NoCell,
        }
    }
}
