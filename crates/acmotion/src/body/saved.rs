//! A body as it is written. The order of its fields is part of the format, and is not that in memory.

use acmotion_types::{CellId, CellPosition, Vec3};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::touch::Touches;
use super::{Body, BodyFlags, ObjectClock, PhysicsState, TransientState};
use crate::collide::Plane;

#[derive(Serialize, Deserialize)]
#[serde(remote = "Body")]
struct SavedBody {
    clock: ObjectClock,
    position: CellPosition,
    velocity: Vec3,
    acceleration: Vec3,
    omega: Vec3,
    cached_velocity: Vec3,
    state: PhysicsState,
    transient: TransientState,
    flags: BodyFlags,
    placements: u8,
    contact_plane: Plane,
    contact_plane_cell: CellId,
    sliding_normal: Vec3,
    friction: f32,
    elasticity: f32,
    scale: f32,
    player_distance: f32,
    touches: Option<Box<Touches>>,
}

impl Serialize for Body {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        SavedBody::serialize(self, serializer)
    }
}

impl<'de> Deserialize<'de> for Body {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        SavedBody::deserialize(deserializer)
    }
}
