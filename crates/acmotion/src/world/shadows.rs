//! Entities as obstacles to each other, listed by the cells they reach into (`docs/collision.md` 8.1).

use std::cell::Cell;
use std::ops::ControlFlow;
use std::sync::Arc;

use acmotion_types::{CellId, CellPosition, Frame, Guid, Vec3};
use rustc_hash::FxHashMap;

use super::Resident;
use super::collision_shape::{BoundingCylinder, CollisionShape, SolidPart};
use crate::body::{BodyFlags, PhysicsState};
use crate::collide::scene::CellArray;
use crate::collide::{
    Mover, MoverFlags, Obstacle, ObstacleFlags, Obstacles, Part, SearchCylinder, Surroundings,
};
use crate::entity::Entity;
use crate::library::{ClipId, Library};
use cell_list::{CellList, Search};

mod cell_list;
#[cfg(feature = "serde")]
mod saved;
#[cfg(feature = "serde")]
pub(super) use saved::{SavedCells, SavedShadow};

/// By how much bounds are enlarged against rounding, in metres: coordinates on the whole map have steps of 4 mm.
const SLACK: f32 = 0.05;

/// The entities as obstacles, and the cells in which they are listed. Entities are identified by their slots, which do not
/// change.
#[derive(Clone, Default)]
pub(super) struct Shadows {
    cells: FxHashMap<CellId, CellList>,
    /// The emptied lists of cells, kept for reuse.
    spare: Vec<CellList>,
    /// The bounds of each slot.
    bounds: Vec<Bounds>,
    /// The obstacle in each slot.
    shadows: Vec<Shadow>,
    /// The cells in which each slot is listed.
    listed: Vec<CellArray>,
    /// Scratch space for the cells in which an entity is to be listed.
    found: CellArray,
}

/// The bounding cylinder of an entity, in map coordinates. Meaningless while the entity is not listed.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Bounds {
    pub(super) x: f32,
    pub(super) y: f32,
    low: f32,
    high: f32,
    pub(super) radius: f32,
}

/// An entity as an obstacle.
#[derive(Clone)]
struct Shadow {
    guid: Guid,
    position: CellPosition,
    scale: f32,
    state: PhysicsState,
    flags: ObstacleFlags,
    shape: Arc<CollisionShape>,
    /// Its parts with polygons in their current frames; empty unless its state has `HAS_PHYSICS_BSP`.
    parts: Vec<Part>,
    /// The clip and animation frame by which the parts are posed.
    shown: Option<(ClipId, usize)>,
}

impl Shadow {
    fn new(shape: Arc<CollisionShape>) -> Self {
        Self {
            guid: Guid::NONE,
            position: CellPosition::default(),
            scale: 1.0,
            state: PhysicsState::empty(),
            flags: ObstacleFlags::empty(),
            shape,
            parts: Vec::new(),
            shown: None,
        }
    }

    fn obstacle(&self) -> Obstacle<'_> {
        Obstacle {
            guid: self.guid,
            position: self.position,
            scale: self.scale,
            state: self.state,
            flags: self.flags,
            parts: &self.parts,
            cylinders: &self.shape.cylinders,
            spheres: &self.shape.spheres,
        }
    }

    /// Poses its parts as they are shown, if they collide. Returns `true` if that changed anything.
    fn pose(&mut self, entity: &Entity, library: &Library) -> bool {
        let has_parts = self.state.contains(PhysicsState::HAS_PHYSICS_BSP) && !self.shape.parts.is_empty();
        if has_parts == self.parts.is_empty() {
            self.set_has_parts(has_parts);
        } else if !has_parts {
            return false;
        }
        let shown = entity.animator.sequence().shown(library);
        if shown == self.shown {
            return false;
        }
        self.shown = shown;
        let Some((clip, frame)) = shown else { return true };
        let frames = library.clip(clip).animation().pose(frame);
        for (part, solid) in self.parts.iter_mut().zip(&self.shape.parts) {
            if let Some(frame) = frames.get(solid.index) {
                part.frame = *frame;
            }
        }
        true
    }

    /// Sets whether its parts collide.
    fn set_has_parts(&mut self, has_parts: bool) {
        let part = |part: &SolidPart| Part {
            solid: Arc::clone(&part.solid),
            frame: Frame::IDENTITY,
            scale: part.scale,
        };
        self.parts.clear();
        self.parts.extend(self.shape.parts.iter().filter(|_| has_parts).map(part));
        self.shown = None;
    }

    fn bounds(&self) -> Bounds {
        let frame = &self.position.frame;
        let is_upright = frame.rotation.x == 0.0 && frame.rotation.y == 0.0;
        let BoundingCylinder { mut radius, mut low, mut high } =
            self.shape.bounding_cylinder(self.scale, is_upright);
        for part in &self.parts {
            let sphere = part.solid.sphere();
            let centre = part.frame.local_to_global(sphere.origin * part.scale).length();
            let ball = (centre + sphere.radius * part.scale) * self.scale;
            (radius, low, high) = (radius.max(ball), low.min(-ball), high.max(ball));
        }
        let Vec3 { x, y, z } = on_map(self.position.cell, frame.origin);
        Bounds { x, y, low: z + low - SLACK, high: z + high + SLACK, radius: radius + SLACK }
    }
}

/// Returns the map coordinates of a point given in those of a landblock.
pub(super) fn on_map(cell: CellId, point: Vec3) -> Vec3 {
    point + CellId::NONE.block_offset(cell)
}

/// The flags of an entity as an obstacle (`docs/collision.md` 8.3).
fn flags_of(resident: &Resident) -> ObstacleFlags {
    let entity = &resident.entity;
    let (weenie, mover) = (entity.weenie(), entity.mover_flags);
    let mut flags = ObstacleFlags::empty();
    flags.set(ObstacleFlags::WEENIE, weenie.is_some());
    flags.set(ObstacleFlags::CREATURE, weenie.is_some_and(|weenie| weenie.is_creature()));
    flags.set(ObstacleFlags::PLAYER, mover.contains(MoverFlags::IS_PLAYER));
    flags.set(ObstacleFlags::PK, mover.contains(MoverFlags::IS_PK));
    flags.set(ObstacleFlags::PKLITE, mover.contains(MoverFlags::IS_PKLITE));
    flags.set(ObstacleFlags::IMPENETRABLE, mover.contains(MoverFlags::IS_IMPENETRABLE));
    flags.set(ObstacleFlags::PARENTED, entity.body.flags.contains(BodyFlags::HAS_PARENT));
    flags
}

impl Shadows {
    /// Adds an entity, which is not listed in any cell yet.
    pub(super) fn add(&mut self, slot: u32, shape: Arc<CollisionShape>) {
        self.unlist(slot);
        let slot = slot as usize;
        if self.shadows.len() <= slot {
            self.shadows.resize_with(slot + 1, || Shadow::new(Arc::default()));
            self.bounds.resize(slot + 1, Bounds::default());
            self.listed.resize_with(slot + 1, CellArray::default);
        }
        self.shadows[slot] = Shadow::new(shape);
    }

    /// Updates an entity that may have moved or changed.
    pub(super) fn refresh(
        &mut self,
        slot: u32,
        resident: &Resident,
        library: &Library,
        surroundings: &dyn Surroundings,
    ) {
        let Some(shadow) = self.shadows.get_mut(slot as usize) else { return };
        let body = &resident.entity.body;
        if !body.is_in_cell() {
            return self.unlist(slot);
        }
        shadow.guid = resident.guid();
        let blocked_players = shadow.flags.blocks_plain_players();
        shadow.flags = flags_of(resident);
        let blocks_players = shadow.flags.blocks_plain_players();
        shadow.state = body.state;
        let changed = shadow.pose(&resident.entity, library) || self.listed[slot as usize].is_empty();
        if !changed && shadow.position == body.position && shadow.scale == body.scale {
            if blocked_players != blocks_players {
                self.set_blocks_players(slot, blocks_players);
            }
            return;
        }
        shadow.position = body.position;
        shadow.scale = body.scale;
        self.bounds[slot as usize] = shadow.bounds();
        surroundings.find_obstacle_cells(&shadow.obstacle(), &mut self.found);
        self.list(slot);
    }

    /// Lists an entity in the cells in `found`, behind all others there.
    fn list(&mut self, slot: u32) {
        let bounds = self.bounds[slot as usize];
        let blocks_players = self.shadows[slot as usize].flags.blocks_plain_players();
        if self.listed[slot as usize].iter().eq(self.found.iter()) {
            for cell in self.found.iter() {
                if let Some(list) = self.cells.get_mut(&cell) {
                    list.remove(slot);
                    list.push(slot, bounds, blocks_players);
                }
            }
            return;
        }
        self.unlist(slot);
        for cell in self.found.iter() {
            let list = self.cells.entry(cell).or_insert_with(|| self.spare.pop().unwrap_or_default());
            list.push(slot, bounds, blocks_players);
        }
        std::mem::swap(&mut self.found, &mut self.listed[slot as usize]);
    }

    /// Sets whether a listed entity that has not moved blocks plain players.
    fn set_blocks_players(&mut self, slot: u32, blocks_players: bool) {
        for cell in self.listed[slot as usize].iter() {
            if let Some(list) = self.cells.get_mut(&cell) {
                list.set_blocks_players(slot, blocks_players);
            }
        }
    }

    /// Removes an entity from all lists.
    pub(super) fn unlist(&mut self, slot: u32) {
        let Some(cells) = self.listed.get_mut(slot as usize) else { return };
        for cell in cells.iter() {
            let Some(list) = self.cells.get_mut(&cell) else { continue };
            list.remove(slot);
            if list.is_empty() {
                self.spare.extend(self.cells.remove(&cell));
            }
        }
        cells.clear();
    }

    /// The bounds of an entity, `None` if it is not listed.
    #[cfg(feature = "parallel")]
    pub(super) fn bounds(&self, slot: u32) -> Option<Bounds> {
        let is_listed = self.listed.get(slot as usize).is_some_and(|cells| !cells.is_empty());
        self.bounds.get(slot as usize).copied().filter(|_| is_listed)
    }

    /// Visits the entities of a cell that are not out of reach, in the order of the list. A mover itself is left out, and
    /// for a plain player those that it passes through.
    fn visit_listed<'a>(
        &'a self,
        cell: CellId,
        reach: &Cell<SearchCylinder>,
        mover: Option<&Mover<'_>>,
        visitor: &mut dyn FnMut(&Obstacle<'a>) -> ControlFlow<()>,
    ) {
        let Some(list) = self.cells.get(&cell) else { return };
        let mut searched = reach.get();
        let is_plain_player = mover.is_some_and(|mover| mover.flags.is_plain_player());
        list.visit_near(Search::new(MapReach::of(searched)), is_plain_player, |index| {
            let shadow = &self.shadows[list.slots()[index] as usize];
            if mover.is_some_and(|mover| mover.is_same_as(shadow.guid, shadow.flags)) {
                return ControlFlow::Continue(None);
            }
            visitor(&shadow.obstacle())?;
            // The visitor may have moved the body.
            let reach = reach.get();
            if reach == searched {
                return ControlFlow::Continue(None);
            }
            searched = reach;
            ControlFlow::Continue(Some(Search::new(MapReach::of(searched))))
        });
    }
}

impl Obstacles for Shadows {
    fn visit<'a>(&'a self, cell: CellId, visitor: &mut dyn FnMut(&Obstacle<'a>) -> ControlFlow<()>) {
        for slot in self.cells.get(&cell).map_or(&[][..], CellList::slots) {
            if visitor(&self.shadows[*slot as usize].obstacle()).is_break() {
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
        self.visit_listed(cell, reach, None, visitor);
    }

    fn visit_blocking<'a>(
        &'a self,
        cell: CellId,
        reach: &Cell<SearchCylinder>,
        mover: &Mover<'_>,
        visitor: &mut dyn FnMut(&Obstacle<'a>) -> ControlFlow<()>,
    ) {
        self.visit_listed(cell, reach, Some(mover), visitor);
    }
}

/// The reach of a body, in map coordinates.
struct MapReach {
    centre: Vec3,
    radius: f32,
    half_height: f32,
}

impl MapReach {
    fn of(near: SearchCylinder) -> Self {
        let SearchCylinder { cell, centre, radius, half_height } = near;
        Self { centre: on_map(cell, centre), radius, half_height }
    }

    #[inline]
    fn misses(&self, bounds: &Bounds) -> bool {
        let (east, north) = (bounds.x - self.centre.x, bounds.y - self.centre.y);
        let apart = bounds.radius + self.radius;
        east * east + north * north > apart * apart
            || bounds.low > self.centre.z + self.half_height
            || bounds.high < self.centre.z - self.half_height
    }
}
