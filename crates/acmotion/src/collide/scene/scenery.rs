//! Scenery, and the cells that it is listed in (`docs/collision.md` 8.1).

use std::cell::Cell;
use std::ops::ControlFlow;

use acmotion_dat::{CylSphere, DataId, Sphere};
use acmotion_types::{CellId, CellPosition, Guid, Vec3};
use acmotion_wire::PhysicsState;

use super::boxes::OrientedBox;
use super::{Blocks, CellArray, Scene};
use crate::collide::obstacle::{Obstacle, ObstacleFlags, Obstacles, Part, SearchCylinder};

/// The maximum number of cylinders that decide in which cells an object is listed.
const MAX_CYLINDERS: usize = 10;

/// An object of a scene that never moves: a tree, a fence, a piece of furniture.
#[derive(Clone, Debug)]
pub struct Scenery {
    /// The position of the object.
    pub position: CellPosition,
    /// The model of the object, a setup or a mesh; `None` for an object that is not from a dat file.
    pub model: Option<DataId>,
    /// The scale applied to its shapes.
    pub scale: f32,
    /// The physics state.
    pub state: PhysicsState,
    /// The parts with polygons. They count if `state` contains `HAS_PHYSICS_BSP`.
    pub parts: Vec<Part>,
    /// The cylinders, in the object's own axes.
    pub cylinders: Vec<CylSphere>,
    /// The spheres, in the object's own axes.
    pub spheres: Vec<Sphere>,
    /// The bounding sphere, in the object's own axes.
    pub sorting_sphere: Sphere,
}

impl Scenery {
    /// Returns the scenery as an obstacle.
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

    /// Returns `true` if the position and all shapes are valid and finite.
    pub(super) fn is_valid(&self) -> bool {
        let frame = &self.position.frame;
        let is_finite = |sphere: &Sphere| sphere.origin.is_finite() && sphere.radius.is_finite();
        frame.is_valid()
            && frame.origin.is_finite()
            && self.scale.is_finite()
            && self.parts.iter().all(|part| part.frame.is_valid() && part.scale.is_finite())
            && self
                .cylinders
                .iter()
                .all(|c| c.origin.is_finite() && c.radius.is_finite() && c.height.is_finite())
            && self.spheres.iter().chain([&self.sorting_sphere]).all(is_finite)
    }

    /// Finds the cells in which the scenery is listed: those of its parts' boxes if it has polygons, else those of its
    /// cylinders' bases, else those of the bounding sphere. The scale only counts for boxes.
    fn find_cells(&self, scene: &Scene, cells: &mut CellArray) {
        if self.state.contains(PhysicsState::HAS_PHYSICS_BSP) {
            let boxes: Vec<OrientedBox> = self.parts.iter().map(|part| self.part_box(part)).collect();
            scene.find_cells_of_boxes(&self.position, &boxes, cells);
            return;
        }
        let to_landblock =
            |origin: Vec3, radius| Sphere { origin: self.position.frame.local_to_global(origin), radius };
        let spheres: Vec<Sphere> = if self.cylinders.is_empty() {
            vec![to_landblock(self.sorting_sphere.origin, self.sorting_sphere.radius)]
        } else {
            self.cylinders
                .iter()
                .take(MAX_CYLINDERS)
                .map(|own| to_landblock(own.origin, own.radius))
                .collect()
        };
        scene.find_cell_list(&self.position, &spheres, cells);
    }

    /// Returns the bounding box of all shapes in the axes of the landblock. For parts that is the box of their bounding
    /// sphere, because the polygons in it are tested (`docs/collision.md` 5.6.9).
    fn bounding_box(&self) -> Aabb {
        let frame = &self.position.frame;
        let mut bounds = Aabb::EMPTY;
        for part in &self.parts {
            let part_frame = frame.combine_scaled(&part.frame, Vec3::ONE * self.scale);
            let (Sphere { origin, radius }, scale) = (part.solid.sphere(), part.scale * self.scale);
            bounds = bounds.including(part_frame.local_to_global(origin * scale), radius * scale, 0.0);
        }
        for CylSphere { origin, radius, height } in &self.cylinders {
            let base = frame.local_to_global(*origin * self.scale);
            bounds = bounds.including(base, radius * self.scale, height * self.scale);
        }
        for Sphere { origin, radius } in &self.spheres {
            bounds = bounds.including(frame.local_to_global(*origin * self.scale), radius * self.scale, 0.0);
        }
        bounds
    }

    /// Returns the box of a part in the axes of the landblock.
    fn part_box(&self, part: &Part) -> OrientedBox {
        let frame = self.position.frame.combine_scaled(&part.frame, Vec3::ONE * self.scale);
        OrientedBox::new(part.solid.extent(), part.scale * self.scale, &frame)
    }
}

/// An object in the list of a cell.
#[derive(Clone, Copy)]
struct SceneryEntry {
    cell: CellId,
    /// The index of its landblock, and its own index in that.
    id: (u32, u32),
    /// The bounding box in the axes of the cell's landblock.
    bounding_box: Aabb,
}

/// An axis-aligned box in the axes of a landblock.
#[derive(Clone, Copy)]
struct Aabb {
    low: Vec3,
    high: Vec3,
}

impl Aabb {
    /// The box that contains nothing.
    const EMPTY: Self =
        Self { low: Vec3::new(f32::MAX, f32::MAX, f32::MAX), high: Vec3::new(f32::MIN, f32::MIN, f32::MIN) };

    /// Returns the box extended by a sphere, or by a cylinder of some height whose base has its centre at `centre`.
    fn including(self, centre: Vec3, radius: f32, height: f32) -> Self {
        let radius = radius.abs() + ROUNDING_MARGIN;
        let (low, high) = (centre - Vec3::ONE * radius, centre + Vec3::ONE * radius);
        let (down, up) = (height.min(0.0), height.max(0.0));
        Self {
            low: Vec3::new(self.low.x.min(low.x), self.low.y.min(low.y), self.low.z.min(low.z + down)),
            high: Vec3::new(self.high.x.max(high.x), self.high.y.max(high.y), self.high.z.max(high.z + up)),
        }
    }

    fn shifted(self, by: Vec3) -> Self {
        Self { low: self.low + by, high: self.high + by }
    }

    /// Returns `false` if nothing in the box can touch a mover there; `centre` is that of `reach` in the axes of the box.
    #[inline]
    fn may_touch(&self, centre: Vec3, reach: &SearchCylinder) -> bool {
        let along = |v: f32, low: f32, high: f32, reach: f32| v >= low - reach && v <= high + reach;
        along(centre.x, self.low.x, self.high.x, reach.radius)
            && along(centre.y, self.low.y, self.high.y, reach.radius)
            && along(centre.z, self.low.z, self.high.z, reach.half_height)
    }
}

/// The margin around boxes, in metres: more than rounding can shift them.
const ROUNDING_MARGIN: f32 = 0.01;

/// The scenery in the cells of one landblock.
#[derive(Clone, Default)]
pub(super) struct SceneryIndex {
    /// Sorted by cell, then in the order in which it was added.
    entries: Vec<SceneryEntry>,
    /// The index of the first entry of each land cell, and then of the rooms. Empty if there are no entries.
    land_starts: Vec<u32>,
}

impl SceneryIndex {
    fn new(mut entries: Vec<SceneryEntry>) -> Self {
        if entries.is_empty() {
            return Self::default();
        }
        entries.sort_by_key(|entry| entry.cell);
        let start = |low: u16| entries.partition_point(|entry| entry.cell.low() < low) as u32;
        let land_starts = (1..=65).map(start).collect();
        Self { entries, land_starts }
    }

    #[inline]
    fn entries_of(&self, cell: CellId) -> &[SceneryEntry] {
        let Some(rooms) = self.land_starts.last() else { return &[] };
        if cell.is_outdoor() {
            let low = usize::from(cell.low());
            let (start, end) = (self.land_starts[low - 1], self.land_starts[low]);
            return &self.entries[start as usize..end as usize];
        }
        let entries = &self.entries[*rooms as usize..];
        let start = entries.partition_point(|entry| entry.cell < cell);
        let count = entries[start..].partition_point(|entry| entry.cell == cell);
        &entries[start..start + count]
    }
}

/// Rebuilds the scenery indices of all landblocks.
pub(super) fn index_scenery(blocks: Blocks) -> Blocks {
    let scene = Scene { blocks: blocks.into() };
    let mut found = vec![Vec::new(); scene.blocks.list.len()];
    let mut cells = CellArray::default();
    for (block, own) in (0..).zip(&scene.blocks.list) {
        for (index, scenery) in (0..).zip(&own.scenery) {
            scenery.find_cells(&scene, &mut cells);
            let extent = scenery.bounding_box();
            for cell in cells.iter() {
                let list = scene.blocks.index_of(cell.block()).and_then(|index| found.get_mut(index));
                if let Some(list) = list {
                    let extent = extent.shifted(cell.block_offset(scenery.position.cell));
                    list.push(SceneryEntry { cell, id: (block, index), bounding_box: extent });
                }
            }
        }
    }
    let mut blocks = std::sync::Arc::unwrap_or_clone(scene.blocks);
    blocks.scenery_indices = found.into_iter().map(SceneryIndex::new).collect();
    blocks
}

impl Scene {
    /// Iterates over the scenery listed in a cell.
    pub fn scenery(&self, cell: CellId) -> impl Iterator<Item = &Scenery> {
        self.listed(cell).iter().map(|entry| self.entry(entry))
    }

    #[inline]
    fn listed(&self, cell: CellId) -> &[SceneryEntry] {
        let index =
            self.blocks.index_of(cell.block()).and_then(|index| self.blocks.scenery_indices.get(index));
        index.map_or(&[], |index| index.entries_of(cell))
    }

    fn entry(&self, entry: &SceneryEntry) -> &Scenery {
        let (block, index) = entry.id;
        &self.blocks.list[block as usize].scenery[index as usize]
    }
}

/// The scenery as obstacles.
impl Obstacles for Scene {
    fn visit<'a>(&'a self, cell: CellId, visitor: &mut dyn FnMut(&Obstacle<'a>) -> ControlFlow<()>) {
        for scenery in self.scenery(cell) {
            if visitor(&scenery.obstacle()).is_break() {
                return;
            }
        }
    }

    fn visit_near<'a>(
        &'a self,
        cell: CellId,
        reach: &Cell<SearchCylinder>,
        visitor: &mut dyn FnMut(&Obstacle<'a>) -> ControlFlow<()>,
    ) {
        for entry in self.listed(cell) {
            let current = reach.get();
            let centre = current.centre - current.cell.block_offset(cell);
            if entry.bounding_box.may_touch(centre, &current)
                && visitor(&self.entry(entry).obstacle()).is_break()
            {
                return;
            }
        }
    }
}
