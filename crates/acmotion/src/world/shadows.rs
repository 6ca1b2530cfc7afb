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

#[cfg(feature = "parallel")]
impl Bounds {
    /// The bounds of something round at a position, of any height.
    pub(super) fn around(position: &CellPosition, radius: f32) -> Self {
        let Vec3 { x, y, .. } = on_map(position.cell, position.frame.origin);
        Self { x, y, low: f32::NEG_INFINITY, high: f32::INFINITY, radius: radius + SLACK }
    }
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

    /// Returns the radius, in metres, of a listed entity that may take other poses: one that is tilted, if it `may_tilt`, and
    /// ones with parts up to `part_distance` metres from its origin, unscaled.
    #[cfg(feature = "parallel")]
    pub(super) fn radius_in_any_pose(&self, slot: u32, may_tilt: bool, part_distance: f32) -> f32 {
        let (bounds, shadow) = (&self.bounds[slot as usize], &self.shadows[slot as usize]);
        let tilted = may_tilt.then(|| shadow.shape.bounding_cylinder(shadow.scale, false).radius + SLACK);
        let of_part = |part: &Part| {
            let sphere = part.solid.sphere();
            let reach = (sphere.origin.length() + sphere.radius) * part.scale;
            (part_distance + reach) * shadow.scale + SLACK
        };
        shadow.parts.iter().map(of_part).chain(tilted).fold(bounds.radius, f32::max)
    }

    /// Returns `true` if a listed entity collides by the polygons of its parts.
    #[cfg(feature = "parallel")]
    pub(super) fn has_parts(&self, slot: u32) -> bool {
        !self.shadows[slot as usize].parts.is_empty()
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

#[cfg(test)]
mod tests {
    use acmotion_dat::mannequin::{self, town::landmarks};
    use acmotion_dat::{Assets, CylSphere, Setup, Sphere};
    use acmotion_types::Quat;

    use super::*;
    use crate::collide::Scene;
    use crate::world::{EntitySpec, Settings, World};

    /// A sphere 0.5 m off the axis, down to -0.3 m, and a cylinder up to 2.7 m.
    fn shape() -> Arc<CollisionShape> {
        let spheres = vec![Sphere { origin: Vec3::new(0.3, 0.4, 0.2), radius: 0.5 }];
        let cyl_spheres = vec![CylSphere { origin: Vec3::new(0.0, 0.0, 0.2), radius: 0.3, height: 2.5 }];
        let setup = Setup { spheres, cyl_spheres, ..Setup::default() };
        Arc::new(CollisionShape::of_setup(&setup, &Assets::mannequin()))
    }

    fn assert_bounds(bounds: Bounds, radius: f32, low: f32, high: f32) {
        let near = |found: f32, expected: f32| (found - expected).abs() < 5e-3;
        let is_near = near(bounds.radius, radius) && near(bounds.low, low) && near(bounds.high, high);
        assert!(is_near, "{bounds:?}, not {radius}, {low} to {high}");
    }

    /// The bounds enclose the spheres and cylinders at the scale of the body, with 5 cm against rounding, and all of it at any
    /// rotation if the body is tilted.
    #[test]
    fn bounds_enclose_the_shape_at_any_rotation() {
        let mut shadow = Shadow::new(shape());
        shadow.position = CellPosition::at(CellId(0x0203_0001), Vec3::new(12.0, 20.0, 94.0));
        let bounds = shadow.bounds();
        assert_eq!((bounds.x, bounds.y), (2.0 * 192.0 + 12.0, 3.0 * 192.0 + 20.0), "on the map");
        assert_bounds(bounds, 1.0 + 0.05, 94.0 - 0.35, 94.0 + 2.75);
        shadow.scale = 2.0;
        assert_bounds(shadow.bounds(), 2.0 + 0.05, 94.0 - 0.65, 94.0 + 5.45);
        shadow.position.frame.set_heading(77.0);
        assert_bounds(shadow.bounds(), 2.0 + 0.05, 94.0 - 0.65, 94.0 + 5.45);
        // Tilted, 1 + 2 * (0.3 + 2.7) = 7 m around the origin, twice as large.
        for axis in [Vec3::new(1.0, 0.0, 0.0), Vec3::new(0.0, 1.0, 0.0)] {
            shadow.position.frame.set_rotation(Quat::from_axis_angle(axis, 0.5));
            assert_bounds(shadow.bounds(), 14.05, 94.0 - 14.05, 94.0 + 14.05);
        }
    }

    fn town() -> World {
        let scene = Scene::load(&Assets::mannequin(), &Assets::town()).expect("the town loads");
        let settings = Settings { surroundings: Some(Arc::new(scene)), ..Settings::default() };
        World::with_settings(Assets::mannequin(), settings)
    }

    fn shadow(world: &World, guid: Guid) -> &Shadow {
        let slot = world.find(guid).expect("it exists").id().slot();
        &world.store.shadows().shadows[slot]
    }

    /// A door collides by its parts, as they are shown, if its state says so: the bounds are those of the ball around each.
    #[test]
    fn the_parts_of_a_door_collide_as_they_are_shown() {
        let mut world = town();
        let spec = EntitySpec {
            position: Some(landmarks().spawn),
            motion_table: Some(mannequin::DOOR_TABLE),
            state: PhysicsState::HAS_PHYSICS_BSP,
            ..EntitySpec::item(Guid(1), mannequin::DOOR_SETUP)
        };
        let door = world.spawn(&spec, 0.0).expect("there is room");
        let parts = shadow(&world, Guid(1)).parts.len();
        assert!(parts > 0 && shadow(&world, Guid(1)).shown.is_some());
        let closed = shadow(&world, Guid(1)).clone();
        let part = &closed.parts[0];
        let (sphere, centre) = (part.solid.sphere(), part.frame.local_to_global(part.solid.sphere().origin));
        let bounds = closed.bounds();
        assert!((bounds.radius - 0.05 - centre.length() - sphere.radius).abs() < 1e-3, "{bounds:?}");
        let ball = bounds.radius - 0.05;
        let z = landmarks().spawn.frame.origin.z;
        assert_bounds(bounds, ball + 0.05, z - ball - 0.05, z + ball + 0.05);
        let large = Shadow { scale: 2.0, ..closed.clone() };
        assert!((large.bounds().radius - 0.05 - 2.0 * ball).abs() < 1e-3);
        let mut thick = closed.clone();
        thick.parts[0].scale = 2.0;
        let expected = part.frame.local_to_global(sphere.origin * 2.0).length() + 2.0 * sphere.radius;
        assert!((thick.bounds().radius - 0.05 - expected).abs() < 1e-3);

        // Without the state there are no parts; with it they are posed again.
        world.set_state(door, PhysicsState::empty(), 0.0);
        assert!(shadow(&world, Guid(1)).parts.is_empty());
        world.set_state(door, PhysicsState::HAS_PHYSICS_BSP, 0.0);
        assert_eq!(shadow(&world, Guid(1)).parts.len(), parts);
        assert_eq!(shadow(&world, Guid(1)).parts[0].frame, closed.parts[0].frame);
        assert_eq!(shadow(&world, Guid(1)).shown, closed.shown);
    }

    /// The flags of an obstacle are those of its entity.
    #[test]
    fn an_obstacle_is_flagged_as_its_entity() {
        let mut world = town();
        let flags = MoverFlags::IS_PLAYER | MoverFlags::IS_PK;
        let spec = EntitySpec { mover_flags: flags, ..EntitySpec::new(Guid(1), landmarks().spawn) };
        let id = world.spawn(&spec, 0.0).expect("there is room");
        let base = ObstacleFlags::WEENIE | ObstacleFlags::CREATURE;
        assert_eq!(shadow(&world, Guid(1)).flags, base | ObstacleFlags::PLAYER | ObstacleFlags::PK);
        world.act(Guid(1), 0.0, |actor, _| {
            actor.entity.mover_flags = MoverFlags::IS_PKLITE | MoverFlags::IS_IMPENETRABLE;
        });
        assert_eq!(shadow(&world, Guid(1)).flags, base | ObstacleFlags::PKLITE | ObstacleFlags::IMPENETRABLE);
        world.act(Guid(1), 0.0, |actor, _| actor.entity.set_weenie(None));
        assert!(!shadow(&world, Guid(1)).flags.intersects(base));
        assert_eq!(flags_of(world.get(id).expect("it exists")) & base, ObstacleFlags::empty());
    }

    /// The guids listed in a cell, in order.
    fn listed(world: &World, cell: CellId) -> Vec<u32> {
        let mut guids = Vec::new();
        world.store.shadows().visit(cell, &mut |obstacle| {
            guids.push(obstacle.guid.0);
            ControlFlow::Continue(())
        });
        guids
    }

    /// An entity that moves within its cells comes behind all others there, one that is turned likewise; one that leaves or
    /// is held is listed no more (`docs/collision.md` 8.1). A visitor may end a visit.
    #[test]
    fn an_entity_that_moves_is_listed_behind_the_others() {
        let mut world = town();
        let spawn = landmarks().spawn;
        for number in 1..=3_u8 {
            let mut position = spawn;
            position.frame.origin += Vec3::new(1.5 * f32::from(number), 0.0, 0.0);
            world.spawn(&EntitySpec::new(Guid(number.into()), position), 0.0).expect("there is room");
        }
        assert_eq!(listed(&world, spawn.cell), [1, 2, 3]);
        world.act(Guid(1), 0.0, |actor, _| actor.entity.body.position.frame.origin.y += 0.2);
        // The last one moves to the place of the one that is removed.
        assert_eq!(listed(&world, spawn.cell), [3, 2, 1]);
        world.act(Guid(2), 0.0, |_, _| {});
        assert_eq!(listed(&world, spawn.cell), [3, 2, 1], "nothing has changed");
        world.act(Guid(3), 0.0, |actor, _| actor.entity.body.scale = 1.1);
        assert_eq!(listed(&world, spawn.cell), [1, 2, 3]);
        let mut first = Vec::new();
        world.store.shadows().visit(spawn.cell, &mut |obstacle| {
            first.push(obstacle.guid.0);
            ControlFlow::Break(())
        });
        assert_eq!(first, [1]);
        let id = world.id_of(Guid(2)).expect("it exists");
        world.pick_up(id, 0.0);
        assert_eq!(listed(&world, spawn.cell), [1, 3]);
        for guid in [Guid(1), Guid(3)] {
            let id = world.id_of(guid).expect("it exists");
            world.despawn(id, 0.0);
        }
        assert!(world.store.shadows().cells.is_empty(), "no list is left");
        assert!(!world.store.shadows().spare.is_empty(), "but kept for reuse");
        let mut again = spawn;
        again.frame.origin.x += 1.5;
        world.drop_at(id, &again, 0, 0.0).expect("there is room");
        assert_eq!(listed(&world, spawn.cell), [2]);
    }

    /// A reach misses what is beyond it sideways, above and below.
    #[test]
    fn a_reach_is_as_wide_and_as_high_as_it_says() {
        let cell = CellId(0x0101_0001);
        let near =
            SearchCylinder { cell, centre: Vec3::new(12.0, 12.0, 94.0), radius: 1.0, half_height: 1.0 };
        let reach = MapReach::of(near);
        let (x, y) = (192.0 + 12.0, 192.0 + 12.0);
        let bounds = Bounds { x, y, low: 93.0, high: 95.0, radius: 0.5 };
        assert!(!reach.misses(&bounds));
        for (east, north, is_missed) in
            [(1.4, 0.0, false), (1.6, 0.0, true), (0.0, -1.6, true), (1.1, 1.1, true)]
        {
            assert_eq!(reach.misses(&Bounds { x: x + east, y: y + north, ..bounds }), is_missed);
        }
        assert!(!reach.misses(&Bounds { low: 94.9, high: 99.0, ..bounds }));
        assert!(reach.misses(&Bounds { low: 95.1, high: 99.0, ..bounds }));
        assert!(!reach.misses(&Bounds { low: 80.0, high: 93.1, ..bounds }));
        assert!(reach.misses(&Bounds { low: 80.0, high: 92.9, ..bounds }));
    }
}
