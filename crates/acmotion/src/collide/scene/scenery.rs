//! Things that stand still (`docs/collision.md` 8.1).

use std::ops::ControlFlow;

use acmotion_dat::{CylSphere, Sphere};
use acmotion_types::{CellId, CellPosition, Guid};

use super::Scene;
use crate::body::PhysicsState;
use crate::collide::obstacle::{Obstacle, ObstacleFlags, Obstacles, Part};

/// Something that stands still in a scene: a tree, a fence, a piece of furniture.
#[derive(Clone, Debug)]
pub struct Scenery {
    /// Where it is.
    pub position: CellPosition,
    /// Its size against its shapes.
    pub scale: f32,
    /// Its physics state.
    pub state: PhysicsState,
    /// Its parts with polygons.
    pub parts: Vec<Part>,
    /// Its cylinders.
    pub cylinders: Vec<CylSphere>,
    /// Its spheres.
    pub spheres: Vec<Sphere>,
    /// The sphere about it.
    pub sorting_sphere: Sphere,
}

/// Which scenery is in which cell.
#[derive(Clone, Default)]
pub(super) struct Listing {
    /// For each block of the scene.
    pub(super) blocks: Vec<BlockListing>,
}

/// The scenery in the cells of one landblock.
#[derive(Clone, Default)]
pub(super) struct BlockListing {
    /// Sorted by cell.
    pub(super) entries: Vec<(CellId, SceneryId)>,
}

/// The place of a block and of a piece of scenery in it.
pub(super) type SceneryId = (u32, u32);

impl Scenery {
    fn obstacle(&self) -> Obstacle<'_> {
        Obstacle {
            guid: Guid(0),
            position: self.position,
            scale: self.scale,
            state: self.state,
            flags: ObstacleFlags::empty(),
            parts: &self.parts,
            cylinders: &self.cylinders,
            spheres: &self.spheres,
        }
    }
}

impl Scene {
    /// The scenery in a cell.
    pub fn scenery(&self, cell: CellId) -> impl Iterator<Item = &Scenery> {
        let place = self.place_of_block(cell);
        let entries = place.and_then(|place| self.blocks.scenery.blocks.get(place));
        let entries = entries.map_or(&[][..], |block| &block.entries[..]);
        let first = entries.partition_point(|(own, _)| *own < cell);
        let own = entries[first..].iter().take_while(move |(own, _)| *own == cell);
        own.map(|(_, (block, place))| &self.blocks.list[*block as usize].scenery[*place as usize])
    }
}

/// The scenery as obstacles.
impl Obstacles for Scene {
    fn visit<'a>(&'a self, cell: CellId, see: &mut dyn FnMut(&Obstacle<'a>) -> ControlFlow<()>) {
        for scenery in self.scenery(cell) {
            if see(&scenery.obstacle()).is_break() {
                return;
            }
        }
    }
}
