//! One entity of a world.

use std::fmt;

use acmotion_types::{CellPosition, Guid, Stamp, Vec3};
use acmotion_wire::ObjectStamps;

use super::EntityId;
use super::ground::FallbackGround;
use crate::body::{Body, BodyFlags};
use crate::entity::Entity;
use crate::library::{Library, ModelId};
use crate::pose::{Matrix, PoseInput};
use crate::steer::Neighbour;

bitflags::bitflags! {
    /// What of an entity is only a stand-in, because the assets do not have it.
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
    pub struct StandIn: u8 {
        /// Its motion table is the humanoid's.
        const TABLE = 1;
        /// Its setup is the humanoid's.
        const SETUP = 2;
        /// It was never created, only reported.
        const WHOLE = 4;
    }
}

bitflags::bitflags! {
    /// Stamps of which nothing is known yet, because the entity was never created.
    #[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
    pub(super) struct UnknownStamps: u8 {
        const MOVEMENT = 1;
        const STATE = 2;
        const VECTOR = 4;
    }
}

/// One entity of a world, with what the world knows about it.
pub struct Resident {
    pub(super) entity: Entity,
    pub(super) stamps: ObjectStamps,
    pub(super) ground: FallbackGround,
    pub(super) id: EntityId,
    pub(super) model: Option<ModelId>,
    pub(super) parent: Guid,
    pub(super) stand_in: StandIn,
    pub(super) unknown_stamps: UnknownStamps,
}

impl Resident {
    /// Who it is to the server.
    pub fn guid(&self) -> Guid {
        self.entity.guid
    }

    /// Its handle.
    pub fn id(&self) -> EntityId {
        self.id
    }

    /// Where it is.
    pub fn position(&self) -> CellPosition {
        self.entity.body.position
    }

    /// Its body.
    pub fn body(&self) -> &Body {
        &self.entity.body
    }

    /// All of it.
    pub fn entity(&self) -> &Entity {
        &self.entity
    }

    /// The newest stamps of the server.
    pub fn stamps(&self) -> &ObjectStamps {
        &self.stamps
    }

    /// On what it hangs, if it does.
    pub fn parent(&self) -> Option<Guid> {
        (!self.parent.is_none()).then_some(self.parent)
    }

    /// Its model in the library.
    pub fn model(&self) -> Option<ModelId> {
        self.model
    }

    /// What of it is only a stand-in.
    pub fn stand_in(&self) -> StandIn {
        self.stand_in
    }

    /// Where its parts are, in the axes of its landblock: writes as many as there are and there is room for, and says
    /// how many (rule H14).
    pub fn pose(&self, library: &Library, out: &mut [Matrix]) -> usize {
        self.posed().matrices(library, out)
    }

    /// What is needed to pose it, with many others at a time.
    pub fn posed(&self) -> PoseInput<'_> {
        let body = &self.entity.body;
        let scale = Vec3::ONE * body.scale;
        PoseInput { sequence: self.entity.animator.sequence(), frame: &body.position.frame, scale }
    }

    /// Itself as others see it.
    #[inline]
    pub(super) fn as_neighbour(&self) -> Neighbour {
        let Entity { body, shape, .. } = &self.entity;
        Neighbour { parent: self.parent(), position: body.position, size: shape.cylinder(body.scale) }
    }

    /// How many bytes it takes, side storage included.
    pub fn size_in_memory(&self) -> usize {
        size_of::<Self>() - size_of::<Entity>() + self.entity.size_in_memory()
    }

    /// Makes the first message of a kind count as fresh, if the entity was never created and its stamp is therefore
    /// unknown: `prepare` sets the stamps so that the message's are newer.
    pub(super) fn accept_first(&mut self, kind: UnknownStamps, prepare: impl FnOnce(&mut ObjectStamps)) {
        if self.unknown_stamps.contains(kind) {
            self.unknown_stamps.remove(kind);
            prepare(&mut self.stamps);
        }
    }

    /// Attaches the entity to another (rule D11).
    pub(super) fn set_parent(&mut self, parent: Guid) {
        self.parent = parent;
        self.entity.body.flags.insert(BodyFlags::HAS_PARENT);
    }

    /// Detaches the entity from its parent (rule D6).
    pub(super) fn unparent(&mut self) {
        self.parent = Guid::NONE;
        self.entity.body.flags.remove(BodyFlags::HAS_PARENT);
    }
}

/// Returns the stamp before `stamp`.
pub(super) fn preceding(stamp: Stamp) -> Stamp {
    Stamp(stamp.0.wrapping_sub(1))
}

impl fmt::Debug for Resident {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Resident")
            .field("id", &self.id)
            .field("entity", &self.entity)
            .field("stamps", &self.stamps)
            .finish_non_exhaustive()
    }
}
