//! Things that stand still, and the cells that they are listed in (`docs/collision.md` 8.1).

use std::cell::Cell;
use std::ops::ControlFlow;

use acmotion_dat::{CylSphere, Sphere};
use acmotion_types::{CellId, CellPosition, Guid, Vec3};
use acmotion_wire::PhysicsState;

use super::boxes::Bounds;
use super::{Blocks, CellArray, Scene};
use crate::collide::obstacle::{Obstacle, ObstacleFlags, Obstacles, Part, Reach};

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

    /// The box about everything of it that bumps, in the axes of its landblock. Of parts it is the sphere about them, since
    /// what is in that is tested (`docs/collision.md` 5.6.9).
    fn extent(&self) -> Extent {
        let frame = &self.position.frame;
        let mut extent = Extent::NOTHING;
        for part in &self.parts {
            let part_frame = frame.combine_scaled(&part.frame, Vec3::ONE * self.scale);
            let (Sphere { origin, radius }, scale) = (part.solid.sphere(), part.scale * self.scale);
            extent = extent.with(part_frame.local_to_global(origin * scale), radius * scale, 0.0);
        }
        for CylSphere { origin, radius, height } in &self.cylinders {
            let foot = frame.local_to_global(*origin * self.scale);
            extent = extent.with(foot, radius * self.scale, height * self.scale);
        }
        for Sphere { origin, radius } in &self.spheres {
            extent = extent.with(frame.local_to_global(*origin * self.scale), radius * self.scale, 0.0);
        }
        extent
    }

    /// The box about a part, as it stands in the landblock.
    fn bounds_of(&self, part: &Part) -> Bounds {
        let frame = self.position.frame.combine_scaled(&part.frame, Vec3::ONE * self.scale);
        Bounds::placed(part.solid.extent(), part.scale * self.scale, &frame)
    }
}

/// A piece of scenery in the list of a cell.
#[derive(Clone, Copy)]
struct Entry {
    cell: CellId,
    /// The place of its landblock, and its own in that.
    id: (u32, u32),
    /// The box about it, in the axes of the cell's landblock.
    extent: Extent,
}

/// A box along the axes of a landblock.
#[derive(Clone, Copy)]
struct Extent {
    low: Vec3,
    high: Vec3,
}

impl Extent {
    /// What is nowhere.
    const NOTHING: Self =
        Self { low: Vec3::new(f32::MAX, f32::MAX, f32::MAX), high: Vec3::new(f32::MIN, f32::MIN, f32::MIN) };

    /// With a ball, or a cylinder that stands on its middle.
    fn with(self, middle: Vec3, radius: f32, height: f32) -> Self {
        let radius = radius.abs() + SLACK;
        let (low, high) = (middle - Vec3::ONE * radius, middle + Vec3::ONE * radius);
        let (down, up) = (height.min(0.0), height.max(0.0));
        Self {
            low: Vec3::new(self.low.x.min(low.x), self.low.y.min(low.y), self.low.z.min(low.z + down)),
            high: Vec3::new(self.high.x.max(high.x), self.high.y.max(high.y), self.high.z.max(high.z + up)),
        }
    }

    fn shifted(self, by: Vec3) -> Self {
        Self { low: self.low + by, high: self.high + by }
    }

    /// May something in it touch a body there?
    #[inline]
    fn meets(&self, centre: Vec3, reach: &Reach) -> bool {
        let along = |v: f32, low: f32, high: f32, reach: f32| v >= low - reach && v <= high + reach;
        along(centre.x, self.low.x, self.high.x, reach.radius)
            && along(centre.y, self.low.y, self.high.y, reach.radius)
            && along(centre.z, self.low.z, self.high.z, reach.half_height)
    }
}

/// More than what rounding makes of a box.
const SLACK: f32 = 0.01;

/// The scenery in the cells of one landblock.
#[derive(Clone, Default)]
pub(super) struct Listing {
    /// Sorted by cell, and otherwise in the order in which it was added.
    entries: Vec<Entry>,
    /// Where the entries of each outdoor cell begin, and where those of the rooms do; nothing if there are no entries.
    land_starts: Vec<u32>,
}

impl Listing {
    fn of(mut entries: Vec<Entry>) -> Self {
        if entries.is_empty() {
            return Self::default();
        }
        entries.sort_by_key(|entry| entry.cell);
        let start = |low: u16| entries.partition_point(|entry| entry.cell.low() < low) as u32;
        let land_starts = (1..=65).map(start).collect();
        Self { entries, land_starts }
    }

    #[inline]
    fn of_cell(&self, cell: CellId) -> &[Entry] {
        let Some(rooms) = self.land_starts.last() else { return &[] };
        if cell.is_outdoor() {
            let at = usize::from(cell.low());
            let (start, end) = (self.land_starts[at - 1], self.land_starts[at]);
            return &self.entries[start as usize..end as usize];
        }
        let entries = &self.entries[*rooms as usize..];
        let start = entries.partition_point(|entry| entry.cell < cell);
        let count = entries[start..].partition_point(|entry| entry.cell == cell);
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
            let extent = scenery.extent();
            for cell in cells.iter() {
                let list = scene.blocks.place_of(cell.block()).and_then(|place| found.get_mut(place));
                if let Some(list) = list {
                    let extent = extent.shifted(cell.block_offset(scenery.position.cell));
                    list.push(Entry { cell, id: (block, place), extent });
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
        self.listed(cell).iter().map(|entry| self.entry(entry))
    }

    #[inline]
    fn listed(&self, cell: CellId) -> &[Entry] {
        let listing = self.blocks.place_of(cell.block()).and_then(|place| self.blocks.listings.get(place));
        listing.map_or(&[], |listing| listing.of_cell(cell))
    }

    fn entry(&self, entry: &Entry) -> &Scenery {
        let (block, place) = entry.id;
        &self.blocks.list[block as usize].scenery[place as usize]
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

    fn visit_near<'a>(
        &'a self,
        cell: CellId,
        near: &Cell<Reach>,
        see: &mut dyn FnMut(&Obstacle<'a>) -> ControlFlow<()>,
    ) {
        for entry in self.listed(cell) {
            let reach = near.get();
            let centre = reach.centre - reach.cell.block_offset(cell);
            if entry.extent.meets(centre, &reach) && see(&self.entry(entry).obstacle()).is_break() {
                return;
            }
        }
    }
}
