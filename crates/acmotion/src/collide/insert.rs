//! Insertion: testing the check position against all cells and moving it until it is free (`docs/collision.md` 3.5–3.8).

use acmotion_types::{CELL_LENGTH, CellId, CellPosition, Guid, Vec3};

use super::ground::Land;
use super::landscape::Landscape;
use super::scene::{Cell, LandCell, Room, Scene, Water};
use super::surroundings::adjusted_to_cell;
use super::transition::{Transition, TransitionState};
use super::{Barrier, FLOOR_Z, InfinitePlane, InsertType, LANDING_Z, MoverFlags};

/// The step height of a body in contact with ground that is not walkable, in metres.
pub(super) const SMALL_STEP: f32 = 0.04;

impl<'a> Transition<'a> {
    /// Tests the check position up to `attempts` times, moving it as surfaces demand (`docs/collision.md` 3.5).
    pub(super) fn transitional_insert(&mut self, attempts: u32) -> TransitionState {
        if self.path.check_cell.is_none() {
            return TransitionState::Ok;
        }
        let mut outcome = TransitionState::Invalid;
        for _ in 0..attempts {
            outcome = self.test_cells(attempts);
            if outcome != TransitionState::Ok {
                self.path.struck_behind = None;
            }
            match outcome {
                TransitionState::Ok => {}
                TransitionState::Collided => return TransitionState::Collided,
                _ => continue,
            }
            if self.path.collide {
                return self.try_to_land(attempts);
            }
            if !self.path.step_down
                && !self.path.step_up
                && let Some((normal, by_foot)) = self.path.struck_behind.take()
            {
                outcome = self.resolve_back_face(normal, by_foot);
                continue;
            }
            let keeps_ground = self.has(MoverFlags::CONTACT) && self.mover.steps_down();
            if self.info.contact_valid
                || self.path.step_down
                || self.path.check_cell.is_none()
                || !keeps_ground
            {
                return TransitionState::Ok;
            }
            match self.automatic_step_down() {
                (outcome, true) => return outcome,
                (after, false) => outcome = after,
            }
        }
        outcome
    }

    /// Tests the cell of the check position, then all others that the spheres reach into.
    fn test_cells(&mut self, attempts: u32) -> TransitionState {
        let outcome = self.insert_into_cell(attempts);
        let outcome = if outcome == TransitionState::Ok { self.check_other_cells() } else { outcome };
        if outcome == TransitionState::Slid {
            self.info.clear_contact();
        }
        outcome
    }

    /// Tests the cell of the check position until it is free or blocked.
    pub(super) fn insert_into_cell(&mut self, attempts: u32) -> TransitionState {
        let Some(cell) = self.path.check_cell else { return TransitionState::Collided };
        let mut outcome = TransitionState::Ok;
        for _ in 0..attempts {
            outcome = self.find_collisions(cell);
            match outcome {
                TransitionState::Ok | TransitionState::Collided => return outcome,
                TransitionState::Slid => self.info.clear_contact(),
                _ => {}
            }
        }
        outcome
    }

    /// Lists the cells that the spheres reach into. Returns the one that contains the centre of the foot sphere, if any.
    pub(super) fn build_cell_array(&mut self) -> Option<CellId> {
        let found = self.landscape.find_cell_list(&self.path.check, self.path.spheres(), &mut self.cells);
        self.path.hits_interior_cell = found.hits_interior;
        found.cell
    }

    /// Tests all other cells, then puts the check position into the cell that contains the centre of the foot sphere
    /// (`docs/collision.md` 3.7).
    pub(super) fn check_other_cells(&mut self) -> TransitionState {
        let tested = self.path.check_cell;
        let containing = self.build_cell_array();
        let mut index = 0;
        // A test may rebuild the array. The original goes on at the same index of the new one.
        while let Some(cell) = self.cells.get(index) {
            index += 1;
            if Some(cell) == tested || !self.landscape.has_cell(cell) {
                continue;
            }
            match self.find_collisions(cell) {
                TransitionState::Ok | TransitionState::Invalid => {}
                outcome => {
                    if outcome == TransitionState::Slid {
                        self.info.clear_contact();
                    }
                    return outcome;
                }
            }
        }
        self.path.check_cell = containing;
        match containing {
            Some(cell) => {
                self.path.adjust_check(cell);
                TransitionState::Ok
            }
            None => self.handle_no_cell(),
        }
    }

    /// Handles a foot sphere whose centre is in no cell. A body may end like this, and is then lost.
    fn handle_no_cell(&mut self) -> TransitionState {
        if self.path.step_down {
            return TransitionState::Collided;
        }
        let is_valid = |at: &CellPosition| at.cell != CellId::NONE && at.frame.origin.is_finite();
        match adjusted_to_cell(&self.path.check).filter(is_valid) {
            Some(position) => {
                self.path.set_check(position, None);
                TransitionState::Ok
            }
            None => {
                self.record_barrier(Barrier::NoCell);
                TransitionState::Collided
            }
        }
    }

    /// Tests one cell (`docs/collision.md` 3.8).
    fn find_collisions(&mut self, cell: CellId) -> TransitionState {
        match self.landscape {
            Landscape::Scene(scene) => self.test_scene_cell(scene, cell),
            Landscape::Plane(ground) => self.test_infinite_plane(ground, cell),
        }
    }

    /// Tests the plane that is the ground of every cell.
    #[inline(never)]
    fn test_infinite_plane(&mut self, ground: &InfinitePlane, cell: CellId) -> TransitionState {
        let land = Land { plane: ground.seen_from(cell), is_water: false, depth: 0.0, cell };
        // From the frame, so that the height at which a body comes to rest carries no rounding from the way there.
        self.test_land(self.path.foot_in_frame(), &land)
    }

    fn test_scene_cell(&mut self, scene: &'a Scene, cell: CellId) -> TransitionState {
        let Some(cell) = scene.cell(cell) else { return TransitionState::Collided };
        if cell.restriction().is_some_and(|restriction| !self.may_enter(restriction)) {
            return self.handle_move_restriction(&cell);
        }
        let outcome = match cell {
            Cell::Land(land) => match self.test_land_cell(&land) {
                TransitionState::Ok => self.test_building(&land),
                outcome => outcome,
            },
            Cell::Room(room) => self.test_room(room),
        };
        if outcome == TransitionState::Ok { self.test_obstacles(scene, cell.id()) } else { outcome }
    }

    /// Returns `true` if the mover may enter a cell with this restriction object. Only players are ever kept out, and not
    /// those that may bypass restrictions (`docs/collision.md` 8.7).
    fn may_enter(&self, restriction: Guid) -> bool {
        !self.has(MoverFlags::IS_PLAYER)
            || self.has(MoverFlags::BYPASSES_RESTRICTIONS)
            || self.obstacles.may_enter(self.mover.guid, restriction)
    }

    /// Blocks a mover that may not enter a cell. The border of a land cell acts as a wall; a room gives no collision
    /// normal.
    fn handle_move_restriction(&mut self, cell: &Cell<'_>) -> TransitionState {
        if let Cell::Land(land) = cell {
            let Vec3 { x, y, .. } = cell_centre(land.id()).offset_to(&self.path.current);
            let normal = if y < -HALF_CELL {
                Vec3::new(0.0, -1.0, 0.0)
            } else if y > HALF_CELL {
                Vec3::new(0.0, 1.0, 0.0)
            } else if x < -HALF_CELL {
                Vec3::new(-1.0, 0.0, 0.0)
            } else {
                Vec3::new(1.0, 0.0, 0.0)
            };
            self.info.set_collision_normal(normal);
        }
        if let Some(guard) = cell.restriction() {
            self.record_barrier(Barrier::Guarded { cell: cell.id(), guard });
        }
        TransitionState::Collided
    }

    /// Tests the land under the lowest point of the foot sphere. Open sea acts as a wall (`docs/collision.md` 6.5).
    fn test_land_cell(&mut self, land: &LandCell<'_>) -> TransitionState {
        let shift = self.path.check.cell.block_offset(land.id());
        let Some(ground) = land.ground_at(self.path.low_point - shift) else { return TransitionState::Ok };
        if land.block_water() == Water::Entirely && !self.has(MoverFlags::IS_VIEWER) && !self.is_missile() {
            self.record_barrier(Barrier::Sea(land.id()));
            return TransitionState::Collided;
        }
        let land =
            Land { plane: ground.plane, is_water: ground.is_water, depth: ground.depth, cell: land.id() };
        self.test_land(self.path.global[0].origin - shift, &land)
    }

    /// Tests the shell of the building on a land cell (`docs/collision.md` 7.5).
    fn test_building(&mut self, land: &LandCell<'a>) -> TransitionState {
        let Some(building) = land.building() else { return TransitionState::Ok };
        let Some(solid) = building.solid.as_deref() else { return TransitionState::Ok };
        self.path.building_check = true;
        let outcome = self.test_part(solid, &building.position, building.scale);
        self.path.building_check = false;
        if self.is_blocked_by(outcome) {
            let polygon = self.take_struck();
            self.record_barrier(Barrier::Building { cell: land.id(), model: building.model, polygon });
        }
        self.record_environment(outcome)
    }

    /// Tests the floor, walls and ceiling of a room (`docs/collision.md` 7.4).
    fn test_room(&mut self, room: &'a Room) -> TransitionState {
        self.path.obstruction_ethereal = false;
        let Some(solid) = room.solid.as_deref() else { return TransitionState::Ok };
        let space = self.path.in_space_of(room.position(), 1.0);
        let outcome = self.test_solid(solid, &space);
        if self.is_blocked_by(outcome) {
            let polygon = self.take_struck();
            self.record_barrier(Barrier::Room { cell: room.id(), polygon });
        }
        self.record_environment(outcome)
    }

    /// Records that an airborne mover hit the environment, if it did, and passes the outcome on.
    fn record_environment(&mut self, outcome: TransitionState) -> TransitionState {
        if outcome != TransitionState::Ok && !self.has(MoverFlags::CONTACT) {
            self.info.collided_with_environment = true;
        }
        outcome
    }

    /// Ends the landing of an airborne body that touched something: it stands there, or is blocked
    /// (`docs/collision.md` 3.5.4, 5.8).
    fn try_to_land(&mut self, attempts: u32) -> TransitionState {
        self.path.collide = false;
        let has_landed = self.info.contact_valid
            && self.check_walkable(LANDING_Z)
            && self.insert_as(InsertType::Placement, attempts) == TransitionState::Ok;
        self.path.walkable = None;
        if has_landed {
            return TransitionState::Ok;
        }
        self.path.restore_check();
        self.info.clear_contact();
        if self.info.last_known_valid {
            self.kill_velocity();
            self.info.last_known_valid = false;
        } else {
            self.info.set_collision_normal(self.path.step_up_normal);
        }
        TransitionState::Collided
    }

    /// Runs an insertion with another purpose, and restores the purpose afterwards.
    pub(super) fn insert_as(&mut self, insert_type: InsertType, attempts: u32) -> TransitionState {
        let previous = std::mem::replace(&mut self.path.insert_type, insert_type);
        let outcome = self.transitional_insert(attempts);
        self.path.insert_type = previous;
        outcome
    }

    /// Slides along or steps over a polygon that a walker overlaps from behind (`docs/collision.md` 5.7).
    fn resolve_back_face(&mut self, normal: Vec3, by_foot: bool) -> TransitionState {
        if !by_foot {
            return self.slide(0, normal);
        }
        if self.step_up(normal) { TransitionState::Ok } else { self.step_up_slide() }
    }

    /// Searches for ground below, so that walkers stay on it. Returns the outcome and whether the insertion ends with it
    /// (`docs/collision.md` 3.5.8).
    fn automatic_step_down(&mut self) -> (TransitionState, bool) {
        let (height, steepest) = if self.has(MoverFlags::ON_WALKABLE) {
            (self.step_down_height, FLOOR_Z)
        } else {
            (SMALL_STEP, LANDING_Z)
        };
        self.path.walkable_allowance = steepest;
        self.path.save_check();
        let before = self.path.check.frame.origin.z;
        let (height, found) = self.step_down_clamped(height, steepest);
        if found {
            self.note_step_down(before);
            self.path.walkable = None;
            return (TransitionState::Ok, true);
        }
        self.edge_slide(height, steepest)
    }
}

/// Half the side of a land cell, in metres.
const HALF_CELL: f32 = CELL_LENGTH / 2.0;

/// Returns the centre of a land cell, at height 0.
fn cell_centre(land: CellId) -> CellPosition {
    let index = land.low().saturating_sub(1);
    let centre = |index: u16| f32::from(index) * CELL_LENGTH + HALF_CELL;
    CellPosition::at(land, Vec3::new(centre(index >> 3), centre(index & 7), 0.0))
}
