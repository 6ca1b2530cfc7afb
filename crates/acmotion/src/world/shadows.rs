//! In which cells entities stand, for others to bump into (`docs/collision.md` 8.1).

use std::cell::Cell;
use std::collections::HashMap;
use std::hash::BuildHasherDefault;
use std::ops::ControlFlow;
use std::sync::Arc;

use acmotion_types::{CellId, CellPosition, Frame, Guid, Vec3};

use super::Resident;
use super::bulk::{Barrel, Bulk};
use super::store::IdHasher;
use crate::body::{Facts, MoverFlags, PhysicsState, Surroundings};
use crate::collide::scene::CellArray;
use crate::collide::{Obstacle, ObstacleFlags, Obstacles, Part, Reach};
use crate::entity::Entity;
use crate::library::{ClipId, Library};

/// How much farther than it should a thing reaches, against rounding: coordinates of the whole map have steps of 4 mm.
const SLACK: f32 = 0.05;

/// What entities are to others who bump into them, and the cells in which they are found. Entities are known by their
/// slots, which do not change.
#[derive(Default)]
pub(super) struct Shadows {
    cells: HashMap<CellId, Vec<u32>, BuildHasherDefault<IdHasher>>,
    /// Lists of cells in which nobody is any more.
    spare: Vec<Vec<u32>>,
    reaches: Vec<Bounds>,
    shadows: Vec<Shadow>,
}

/// Where on the map an entity reaches to: an upright box around its barrel. Nowhere, if it is not listed.
#[derive(Clone, Copy, Default)]
pub(super) struct Bounds {
    pub(super) x: f32,
    pub(super) y: f32,
    low: f32,
    high: f32,
    pub(super) radius: f32,
}

/// An entity as an obstacle.
struct Shadow {
    guid: Guid,
    position: CellPosition,
    scale: f32,
    state: PhysicsState,
    flags: ObstacleFlags,
    bulk: Arc<Bulk>,
    /// Its parts with polygons, as they stand just now.
    parts: Vec<Part>,
    /// By which frame they stand so.
    shown: Option<(ClipId, usize)>,
    /// Where it is listed.
    cells: CellArray,
}

impl Shadow {
    fn new(bulk: Arc<Bulk>) -> Self {
        let part = |part: &super::bulk::SolidPart| Part {
            solid: Arc::clone(&part.solid),
            frame: Frame::IDENTITY,
            scale: part.scale,
        };
        Self {
            guid: Guid::NONE,
            position: CellPosition::default(),
            scale: 1.0,
            state: PhysicsState::empty(),
            flags: ObstacleFlags::empty(),
            parts: bulk.parts.iter().map(part).collect(),
            bulk,
            shown: None,
            cells: CellArray::default(),
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
            cylinders: &self.bulk.cylinders,
            spheres: &self.bulk.spheres,
        }
    }

    fn has_solid_parts(&self) -> bool {
        self.state.contains(PhysicsState::HAS_PHYSICS_BSP) && !self.parts.is_empty()
    }

    /// Lets its parts stand as they are shown; says whether that changed anything.
    fn pose(&mut self, entity: &Entity, library: &Library) -> bool {
        if self.parts.is_empty() {
            return false;
        }
        let shown = entity.animator.sequence().shown(library);
        if shown == self.shown {
            return false;
        }
        self.shown = shown;
        let Some((clip, frame)) = shown else { return false };
        let frames = library.clip(clip).animation().pose(frame);
        for (part, solid) in self.parts.iter_mut().zip(&self.bulk.parts) {
            if let Some(frame) = frames.get(solid.index) {
                part.frame = *frame;
            }
        }
        true
    }

    fn bounds(&self) -> Bounds {
        let frame = &self.position.frame;
        let is_upright = frame.rotation.x == 0.0 && frame.rotation.y == 0.0;
        let Barrel { mut radius, mut low, mut high } = self.bulk.barrel(self.scale, is_upright);
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

/// A point of a landblock on the whole map.
pub(super) fn on_map(cell: CellId, point: Vec3) -> Vec3 {
    point + CellId::NONE.block_offset(cell)
}

/// What an entity is to the game (`docs/collision.md` 8.3).
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
    flags.set(ObstacleFlags::PARENTED, entity.body.facts.contains(Facts::HAS_PARENT));
    flags
}

impl Shadows {
    /// Somebody new, who is listed nowhere yet.
    pub(super) fn embody(&mut self, slot: u32, bulk: Arc<Bulk>) {
        self.unlist(slot);
        let empty = || Shadow::new(Arc::default());
        let slot = slot as usize;
        if self.shadows.len() <= slot {
            self.shadows.resize_with(slot + 1, empty);
            self.reaches.resize(slot + 1, Bounds::default());
        }
        self.shadows[slot] = Shadow::new(bulk);
    }

    /// An entity has acted: others bump into it where it is now.
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
        shadow.flags = flags_of(resident);
        let had_solid_parts = shadow.has_solid_parts();
        shadow.state = body.state;
        let mut moved = shadow.cells.is_empty() || had_solid_parts != shadow.has_solid_parts();
        moved |= shadow.pose(&resident.entity, library) && shadow.has_solid_parts();
        if !moved && shadow.position == body.position && shadow.scale == body.scale {
            return;
        }
        shadow.position = body.position;
        shadow.scale = body.scale;
        self.unlist(slot);
        self.list(slot, surroundings);
    }

    fn list(&mut self, slot: u32, surroundings: &dyn Surroundings) {
        let Some(shadow) = self.shadows.get_mut(slot as usize) else { return };
        let mut cells = std::mem::take(&mut shadow.cells);
        surroundings.cells_of(&shadow.obstacle(), &mut cells);
        for cell in cells.iter() {
            let list = self.cells.entry(cell).or_insert_with(|| self.spare.pop().unwrap_or_default());
            list.push(slot);
        }
        shadow.cells = cells;
        self.reaches[slot as usize] = shadow.bounds();
    }

    /// Takes an entity out of all lists; the last of each list takes its place.
    pub(super) fn unlist(&mut self, slot: u32) {
        let Some(shadow) = self.shadows.get_mut(slot as usize) else { return };
        for cell in shadow.cells.iter() {
            let Some(list) = self.cells.get_mut(&cell) else { continue };
            if let Some(place) = list.iter().position(|listed| *listed == slot) {
                list.swap_remove(place);
            }
            if list.is_empty() {
                self.spare.extend(self.cells.remove(&cell));
            }
        }
        shadow.cells.clear();
    }

    /// Where on the map an entity is, if it is listed.
    #[cfg(feature = "parallel")]
    pub(super) fn bounds(&self, slot: u32) -> Option<Bounds> {
        let is_listed = self.shadows.get(slot as usize).is_some_and(|shadow| !shadow.cells.is_empty());
        self.reaches.get(slot as usize).copied().filter(|_| is_listed)
    }

    fn listed(&self, cell: CellId) -> &[u32] {
        self.cells.get(&cell).map_or(&[], Vec::as_slice)
    }
}

impl Obstacles for Shadows {
    fn visit<'a>(&'a self, cell: CellId, see: &mut dyn FnMut(&Obstacle<'a>) -> ControlFlow<()>) {
        for slot in self.listed(cell) {
            if see(&self.shadows[*slot as usize].obstacle()).is_break() {
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
        for slot in self.listed(cell) {
            let near = near.get();
            let Vec3 { x, y, z } = on_map(near.cell, near.centre);
            let Bounds { x: own_x, y: own_y, low, high, radius } = self.reaches[*slot as usize];
            let (east, north, apart) = (own_x - x, own_y - y, radius + near.radius);
            let is_far = east * east + north * north > apart * apart
                || low > z + near.half_height
                || high < z - near.half_height;
            if !is_far && see(&self.shadows[*slot as usize].obstacle()).is_break() {
                return;
            }
        }
    }
}
