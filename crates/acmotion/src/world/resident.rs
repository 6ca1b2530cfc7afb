//! An entity of a world, with what the world keeps for it.

use std::fmt;

use acmotion_types::{CellPosition, Guid, Stamp, Vec3};
use acmotion_wire::ObjectStamps;

use super::EntityId;
use super::attachment::Links;
use super::ground::FallbackGround;
use crate::body::Body;
use crate::effects::Effects;
use crate::entity::Entity;
use crate::library::{Library, ModelId};
use crate::pose::{Matrix, PoseInput};
use crate::steer::Neighbour;

bitflags::bitflags! {
    /// Which parts of an entity are stand-ins for data that is missing from the assets.
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
    #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
    pub struct StandIn: u8 {
        /// The motion table is the humanoid's.
        const TABLE = 1;
        /// The setup is the humanoid's.
        const SETUP = 2;
        /// The entity was never created, only reported.
        const WHOLE = 4;
    }
}

bitflags::bitflags! {
    /// Stamps whose values are unknown, because the entity was never created.
    #[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
    #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
    pub(super) struct UnknownStamps: u8 {
        const MOVEMENT = 1;
        const STATE = 2;
        const VECTOR = 4;
        const POSITION = 8;
    }
}

/// An entity of a world, with the stamps, handle and model that the world keeps for it.
///
/// ```
/// use acmotion::dat::{Assets, DataId};
/// use acmotion::types::{CellId, CellPosition, Guid, Vec3};
/// use acmotion::{EntitySpec, Resident, StandIn, World};
///
/// /// Returns the text that a debugging client shows above an entity.
/// fn label(entity: &Resident) -> String {
///     let contact = if entity.body().is_standing() { "stands" } else { "is in the air" };
///     let looks = if entity.stand_in().contains(StandIn::SETUP) { ", drawn as a human" } else { "" };
///     format!("{} {contact}{looks}", entity.guid())
/// }
///
/// # fn main() -> Result<(), acmotion::SpawnError> {
/// let mut world = World::new(Assets::mannequin());
/// let position = CellPosition::at(CellId(0xA9B4_0001), Vec3::new(12.0, 12.0, 94.0));
/// // The assets have no such setup.
/// let spec = EntitySpec { setup: Some(DataId(0x0200_1234)), ..EntitySpec::new(Guid(0x8000_0001), position) };
/// let id = world.spawn(&spec, 0.0)?;
/// assert_eq!(world.get(id).map(label).as_deref(), Some("0x80000001 stands, drawn as a human"));
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
#[repr(C, align(64))]
pub struct Resident {
    // What a report needs besides the entity comes first, and fills a cache line.
    /// What it is attached to, what is attached to it, its placement and missing data. Boxed, because most entities have none of them.
    pub(super) links: Option<Box<Links>>,
    pub(super) id: EntityId,
    pub(super) ground: FallbackGround,
    pub(super) stamps: ObjectStamps,
    pub(super) stand_in: StandIn,
    pub(super) unknown_stamps: UnknownStamps,
    pub(super) entity: Entity,
    pub(super) model: Option<ModelId>,
}

impl Resident {
    /// The server's id of the entity.
    pub fn guid(&self) -> Guid {
        self.entity.guid
    }

    /// The handle of the entity in its world.
    pub fn id(&self) -> EntityId {
        self.id
    }

    /// The position of its body.
    pub fn position(&self) -> CellPosition {
        self.entity.body.position
    }

    /// The body of the entity.
    pub fn body(&self) -> &Body {
        &self.entity.body
    }

    /// The entity itself.
    pub fn entity(&self) -> &Entity {
        &self.entity
    }

    /// The effects on it, for a client to show; `None` if it has had none.
    pub fn effects(&self) -> Option<&Effects> {
        self.entity.effects()
    }

    /// The newest stamps received from the server.
    pub fn stamps(&self) -> &ObjectStamps {
        &self.stamps
    }

    /// Its model in the library, `None` if it has none.
    pub fn model(&self) -> Option<ModelId> {
        self.model
    }

    /// Which parts of it are stand-ins.
    pub fn stand_in(&self) -> StandIn {
        self.stand_in
    }

    /// Writes the matrices of its parts, in the axes of its landblock, as far as there is room in `out`. Returns how many
    /// were written (rule H14).
    pub fn pose(&self, library: &Library, out: &mut [Matrix]) -> usize {
        self.pose_input().matrices(library, out)
    }

    /// The input for posing it, alone or together with many others.
    pub fn pose_input(&self) -> PoseInput<'_> {
        let body = &self.entity.body;
        let scale = Vec3::ONE * body.scale;
        PoseInput { sequence: self.entity.animator.sequence(), frame: &body.position.frame, scale }
    }

    /// The entity as others see it.
    #[inline]
    pub(super) fn as_neighbour(&self) -> Neighbour {
        let Entity { body, shape, .. } = &self.entity;
        Neighbour { parent: self.parent(), position: body.position, size: shape.cylinder(body.scale) }
    }

    /// Reads a number from each cache line of the entity that a reported position needs, and returns something made of
    /// them.
    #[inline]
    pub(super) fn fetch(&self) -> u32 {
        let Entity { body, correction, move_to, .. } = &self.entity;
        u32::from(self.stamps.position.0)
            ^ body.position.cell.0
            ^ u32::from(body.transient.bits())
            ^ u32::from(move_to.is_some())
            ^ correction.interpolation.fail_count()
            ^ correction.constraint.pos_offset().to_bits()
    }

    /// The memory it takes, in bytes, heap allocations included.
    pub fn size_in_memory(&self) -> usize {
        let links = self.links.as_ref().map_or(0, |links| links.size_in_memory());
        size_of::<Self>() - size_of::<Entity>() + self.entity.size_in_memory() + links
    }

    /// Makes the first message of a kind count as fresh, if the entity was never created and its stamp is therefore
    /// unknown: `prepare` sets the stamps so that the message's are newer.
    pub(super) fn accept_first(&mut self, kind: UnknownStamps, prepare: impl FnOnce(&mut ObjectStamps)) {
        if self.unknown_stamps.contains(kind) {
            self.unknown_stamps.remove(kind);
            prepare(&mut self.stamps);
        }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(target_pointer_width = "64")]
    fn an_entity_begins_with_a_cache_line() {
        assert_eq!(std::mem::offset_of!(Resident, entity), 64);
        // With a power of two, the same fields of all entities would share a few sets of the cache.
        assert_eq!(size_of::<Resident>(), 15 * 64);
    }
}
