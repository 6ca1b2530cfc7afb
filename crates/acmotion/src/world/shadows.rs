//! In which cells entities stand, for others to bump into (`docs/collision.md` 8.1).

use std::cell::Cell;
use std::ops::ControlFlow;
use std::sync::Arc;

use acmotion_types::{CellId, CellPosition, Frame, Guid, Vec3};
use rustc_hash::FxHashMap;

use super::Resident;
use super::collision_shape::{BoundingCylinder, CollisionShape, SolidPart};
use crate::body::{BodyFlags, MoverFlags, PhysicsState, Surroundings};
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
    cells: FxHashMap<CellId, Vec<u32>>,
    /// Lists of cells in which nobody is any more.
    spare: Vec<Vec<u32>>,
    reaches: Vec<Bounds>,
    shadows: Vec<Shadow>,
    /// Where each is listed.
    listed: Vec<CellArray>,
    /// For finding out where one is to be listed.
    found: CellArray,
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
    bulk: Arc<CollisionShape>,
    /// Its parts with polygons, as they stand just now; none, unless its state says that they count.
    parts: Vec<Part>,
    /// By which frame they stand so.
    shown: Option<(ClipId, usize)>,
}

impl Shadow {
    fn new(bulk: Arc<CollisionShape>) -> Self {
        Self {
            guid: Guid::NONE,
            position: CellPosition::default(),
            scale: 1.0,
            state: PhysicsState::empty(),
            flags: ObstacleFlags::empty(),
            bulk,
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
            cylinders: &self.bulk.cylinders,
            spheres: &self.bulk.spheres,
        }
    }

    /// Lets its parts stand as they are shown, if they count; says whether that changed anything.
    fn pose(&mut self, entity: &Entity, library: &Library) -> bool {
        let counts = self.state.contains(PhysicsState::HAS_PHYSICS_BSP) && !self.bulk.parts.is_empty();
        if counts == self.parts.is_empty() {
            self.change_substance(counts);
        } else if !counts {
            return false;
        }
        let shown = entity.animator.sequence().shown(library);
        if shown == self.shown {
            return false;
        }
        self.shown = shown;
        let Some((clip, frame)) = shown else { return true };
        let frames = library.clip(clip).animation().pose(frame);
        for (part, solid) in self.parts.iter_mut().zip(&self.bulk.parts) {
            if let Some(frame) = frames.get(solid.index) {
                part.frame = *frame;
            }
        }
        true
    }

    /// From now on its parts count, or do not any more.
    fn change_substance(&mut self, has_parts: bool) {
        let part = |part: &SolidPart| Part {
            solid: Arc::clone(&part.solid),
            frame: Frame::IDENTITY,
            scale: part.scale,
        };
        self.parts.clear();
        self.parts.extend(self.bulk.parts.iter().filter(|_| has_parts).map(part));
        self.shown = None;
    }

    fn bounds(&self) -> Bounds {
        let frame = &self.position.frame;
        let is_upright = frame.rotation.x == 0.0 && frame.rotation.y == 0.0;
        let BoundingCylinder { mut radius, mut low, mut high } =
            self.bulk.bounding_cylinder(self.scale, is_upright);
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
    flags.set(ObstacleFlags::PARENTED, entity.body.flags.contains(BodyFlags::HAS_PARENT));
    flags
}

impl Shadows {
    /// Somebody new, who is listed nowhere yet.
    pub(super) fn embody(&mut self, slot: u32, bulk: Arc<CollisionShape>) {
        self.unlist(slot);
        let slot = slot as usize;
        if self.shadows.len() <= slot {
            self.shadows.resize_with(slot + 1, || Shadow::new(Arc::default()));
            self.reaches.resize(slot + 1, Bounds::default());
            self.listed.resize_with(slot + 1, CellArray::default);
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
        shadow.state = body.state;
        let changed = shadow.pose(&resident.entity, library) || self.listed[slot as usize].is_empty();
        if !changed && shadow.position == body.position && shadow.scale == body.scale {
            return;
        }
        shadow.position = body.position;
        shadow.scale = body.scale;
        self.reaches[slot as usize] = shadow.bounds();
        surroundings.cells_of(&shadow.obstacle(), &mut self.found);
        self.list(slot);
    }

    /// Lists an entity in the cells that were found, behind all others there.
    fn list(&mut self, slot: u32) {
        if self.listed[slot as usize].iter().eq(self.found.iter()) {
            for cell in self.found.iter() {
                if let Some(list) = self.cells.get_mut(&cell) {
                    take_out(list, slot);
                    list.push(slot);
                }
            }
            return;
        }
        self.unlist(slot);
        for cell in self.found.iter() {
            let list = self.cells.entry(cell).or_insert_with(|| self.spare.pop().unwrap_or_default());
            list.push(slot);
        }
        std::mem::swap(&mut self.found, &mut self.listed[slot as usize]);
    }

    /// Takes an entity out of all lists.
    pub(super) fn unlist(&mut self, slot: u32) {
        let Some(cells) = self.listed.get_mut(slot as usize) else { return };
        for cell in cells.iter() {
            let Some(list) = self.cells.get_mut(&cell) else { continue };
            take_out(list, slot);
            if list.is_empty() {
                self.spare.extend(self.cells.remove(&cell));
            }
        }
        cells.clear();
    }

    /// Where on the map an entity is, if it is listed.
    #[cfg(feature = "parallel")]
    pub(super) fn bounds(&self, slot: u32) -> Option<Bounds> {
        let is_listed = self.listed.get(slot as usize).is_some_and(|cells| !cells.is_empty());
        self.reaches.get(slot as usize).copied().filter(|_| is_listed)
    }

    fn in_cell(&self, cell: CellId) -> &[u32] {
        self.cells.get(&cell).map_or(&[], Vec::as_slice)
    }
}

/// The last of the list takes its place (`docs/collision.md` 8.1).
fn take_out(list: &mut Vec<u32>, slot: u32) {
    if let Some(place) = list.iter().position(|listed| *listed == slot) {
        list.swap_remove(place);
    }
}

impl Obstacles for Shadows {
    fn visit<'a>(&'a self, cell: CellId, see: &mut dyn FnMut(&Obstacle<'a>) -> ControlFlow<()>) {
        for slot in self.in_cell(cell) {
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
        let listed = self.in_cell(cell);
        if listed.is_empty() {
            return;
        }
        let mut around = Around::of(near.get());
        for slot in listed {
            if around.is_apart_from(&self.reaches[*slot as usize]) {
                continue;
            }
            if see(&self.shadows[*slot as usize].obstacle()).is_break() {
                return;
            }
            around = Around::of(near.get());
        }
    }
}

/// Where on the map a body can touch something.
struct Around {
    centre: Vec3,
    radius: f32,
    half_height: f32,
}

impl Around {
    fn of(near: Reach) -> Self {
        let Reach { cell, centre, radius, half_height } = near;
        Self { centre: on_map(cell, centre), radius, half_height }
    }

    #[inline]
    fn is_apart_from(&self, bounds: &Bounds) -> bool {
        let (east, north) = (bounds.x - self.centre.x, bounds.y - self.centre.y);
        let apart = bounds.radius + self.radius;
        east * east + north * north > apart * apart
            || bounds.low > self.centre.z + self.half_height
            || bounds.high < self.centre.z - self.half_height
    }
}
