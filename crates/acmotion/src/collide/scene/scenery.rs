//! Things that stand still, and the cells that they are listed in (`docs/collision.md` 8.1).

use std::ops::ControlFlow;

use acmotion_dat::{CylSphere, Sphere};
use acmotion_types::{CellId, CellPosition, Guid, Vec3};

use super::boxes::Bounds;
use super::{Blocks, CellArray, Scene};
use crate::body::PhysicsState;
use crate::collide::obstacle::{Obstacle, ObstacleFlags, Obstacles, Part};

/// So many cylinders say where a thing is.
const MAX_CYLINDERS: usize = 10;

/// Something that stands still in a scene: a tree, a fence, a piece of furniture.
#[derive(Clone, Debug)]
pub struct Scenery {
    /// Where it is.
    pub position: CellPosition,
    /// Its size against its shapes.
    pub scale: f32,
    /// Its physics state.
    pub state: PhysicsState,
    /// Its parts with polygons; they count if its state says that it has any.
    pub parts: Vec<Part>,
    /// Its cylinders, in its own axes.
    pub cylinders: Vec<CylSphere>,
    /// Its spheres, in its own axes.
    pub spheres: Vec<Sphere>,
    /// The sphere about it, in its own axes.
    pub sorting_sphere: Sphere,
}

impl Scenery {
    /// It as something in the way.
    pub fn obstacle(&self) -> Obstacle<'_> {
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

    /// Are its numbers sound?
    pub(super) fn is_sound(&self) -> bool {
        let frame = &self.position.frame;
        let finite = |sphere: &Sphere| sphere.origin.is_finite() && sphere.radius.is_finite();
        frame.is_valid()
            && frame.origin.is_finite()
            && self.scale.is_finite()
            && self.parts.iter().all(|part| part.frame.is_valid() && part.scale.is_finite())
            && self
                .cylinders
                .iter()
                .all(|c| c.origin.is_finite() && c.radius.is_finite() && c.height.is_finite())
            && self.spheres.iter().chain([&self.sorting_sphere]).all(finite)
    }

    /// The cells that it is listed in: those of its parts' boxes if it has polygons, else those of its cylinders' feet,
    /// else those of the sphere about it. Sizes do not count, except for boxes.
    fn find_cells(&self, scene: &Scene, cells: &mut CellArray) {
        if self.state.contains(PhysicsState::HAS_PHYSICS_BSP) {
            let boxes: Vec<Bounds> = self.parts.iter().map(|part| self.bounds_of(part)).collect();
            scene.find_cells_of_boxes(&self.position, &boxes, cells);
            return;
        }
        let place =
            |origin: Vec3, radius| Sphere { origin: self.position.frame.local_to_global(origin), radius };
        let spheres: Vec<Sphere> = if self.cylinders.is_empty() {
            vec![place(self.sorting_sphere.origin, self.sorting_sphere.radius)]
        } else {
            self.cylinders.iter().take(MAX_CYLINDERS).map(|own| place(own.origin, own.radius)).collect()
        };
        scene.find_cell_list(&self.position, &spheres, cells);
    }

    /// The box about a part, as it stands in the landblock.
    fn bounds_of(&self, part: &Part) -> Bounds {
        let scale = Vec3::new(self.scale, self.scale, self.scale);
        let frame = self.position.frame.combine_scaled(&part.frame, scale);
        Bounds::placed(part.solid.extent(), part.scale * self.scale, &frame)
    }
}

/// The scenery in the cells of one landblock.
#[derive(Clone, Default)]
pub(super) struct Listing {
    /// Sorted by cell, and otherwise in the order in which it was added.
    entries: Vec<(CellId, SceneryId)>,
    /// Where the entries of each outdoor cell begin, and where those of the rooms do; nothing if there are no entries.
    land_starts: Vec<u32>,
}

/// The place of a landblock, and of a piece of scenery in it.
type SceneryId = (u32, u32);

impl Listing {
    fn of(mut entries: Vec<(CellId, SceneryId)>) -> Self {
        if entries.is_empty() {
            return Self::default();
        }
        entries.sort_by_key(|(cell, _)| *cell);
        let start = |low: u16| entries.partition_point(|(cell, _)| cell.low() < low) as u32;
        let land_starts = (1..=65).map(start).collect();
        Self { entries, land_starts }
    }

    #[inline]
    fn of_cell(&self, cell: CellId) -> &[(CellId, SceneryId)] {
        let Some(rooms) = self.land_starts.last() else { return &[] };
        if cell.is_outdoor() {
            let at = usize::from(cell.low());
            let (start, end) = (self.land_starts[at - 1], self.land_starts[at]);
            return &self.entries[start as usize..end as usize];
        }
        let entries = &self.entries[*rooms as usize..];
        let start = entries.partition_point(|(own, _)| *own < cell);
        let count = entries[start..].partition_point(|(own, _)| *own == cell);
        &entries[start..start + count]
    }
}

/// Lists all scenery anew.
pub(super) fn list_all(blocks: Blocks) -> Blocks {
    let scene = Scene { blocks: blocks.into() };
    let mut found = vec![Vec::new(); scene.blocks.list.len()];
    let mut cells = CellArray::default();
    for (block, own) in (0..).zip(&scene.blocks.list) {
        for (place, scenery) in (0..).zip(&own.scenery) {
            scenery.find_cells(&scene, &mut cells);
            for cell in cells.iter() {
                if let Some(list) = scene.blocks.place_of(cell.block()).and_then(|place| found.get_mut(place))
                {
                    list.push((cell, (block, place)));
                }
            }
        }
    }
    let mut blocks = std::sync::Arc::unwrap_or_clone(scene.blocks);
    blocks.listings = found.into_iter().map(Listing::of).collect();
    blocks
}

impl Scene {
    /// The scenery in a cell.
    pub fn scenery(&self, cell: CellId) -> impl Iterator<Item = &Scenery> {
        let listing = self.blocks.place_of(cell.block()).and_then(|place| self.blocks.listings.get(place));
        let entries = listing.map_or(&[][..], |listing| listing.of_cell(cell));
        entries.iter().map(|(_, (block, place))| &self.blocks.list[*block as usize].scenery[*place as usize])
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
