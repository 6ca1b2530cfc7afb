//! Putting a body where it wants to be, and trying again (`docs/collision.md` 3.5–3.8).

use acmotion_types::{CELL_LENGTH, CellId, CellPosition, Guid, Vec3};

use super::ground::Land;
use super::landscape::Landscape;
use super::scene::{Cell, LandCell, Room, Scene, Water};
use super::transition::{Transition, TransitionState};
use super::{FLOOR_Z, InfinitePlane, InsertType, LANDING_Z, MoverFlags};

/// The step height of a body that touches ground on which it cannot walk.
pub(super) const SMALL_STEP: f32 = 0.04;

impl<'a> Transition<'a> {
    /// Tries the place up to so many times, and moves it as surfaces demand (`docs/collision.md` 3.5).
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
                outcome = self.answer_struck_behind(normal, by_foot);
                continue;
            }
            let glued = self.is(MoverFlags::CONTACT) && self.mover.steps_down();
            if self.info.contact_valid || self.path.step_down || self.path.check_cell.is_none() || !glued {
                return TransitionState::Ok;
            }
            match self.automatic_step_down() {
                (outcome, true) => return outcome,
                (after, false) => outcome = after,
            }
        }
        outcome
    }

    /// The cell that the place is in, and then all others that the spheres reach into.
    fn test_cells(&mut self, attempts: u32) -> TransitionState {
        let outcome = self.insert_into_cell(attempts);
        let outcome = if outcome == TransitionState::Ok { self.check_other_cells() } else { outcome };
        if outcome == TransitionState::Slid {
            self.info.clear_contact();
        }
        outcome
    }

    /// The tests of the cell that the place is in, until they have nothing more to say.
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

    /// Finds the cells that the spheres are in, and the one that contains the foot.
    pub(super) fn build_cell_array(&mut self) -> Option<CellId> {
        let found = self.landscape.find_cell_list(&self.path.check, self.path.spheres(), &mut self.cells);
        self.path.hits_interior_cell = found.hits_interior;
        found.cell
    }

    /// The tests of all other cells; then the place belongs to the cell that contains the foot (`docs/collision.md` 3.7).
    pub(super) fn check_other_cells(&mut self) -> TransitionState {
        let tested = self.path.check_cell;
        let containing = self.build_cell_array();
        let mut place = 0;
        // What a test does may look for cells anew; the original walks on in the array that is there then.
        while let Some(cell) = self.cells.get(place) {
            place += 1;
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
            None => self.leave_all_cells(),
        }
    }

    /// The foot is in no cell: a body may end so, and is lost then.
    fn leave_all_cells(&mut self) -> TransitionState {
        if self.path.step_down {
            return TransitionState::Collided;
        }
        let place = self.path.check;
        let place = if place.cell.is_outdoor() { place.adjusted_to_outside() } else { Some(place) };
        match place.filter(|place| place.cell != CellId::NONE && place.frame.origin.is_finite()) {
            Some(place) => {
                self.path.set_check(place, None);
                TransitionState::Ok
            }
            None => TransitionState::Collided,
        }
    }

    /// The tests of one cell (`docs/collision.md` 3.8).
    fn find_collisions(&mut self, cell: CellId) -> TransitionState {
        match self.landscape {
            Landscape::Scene(scene) => self.test_scene(scene, cell),
            Landscape::Plane(ground) => self.test_infinite_plane(ground, cell),
        }
    }

    fn test_infinite_plane(&mut self, ground: &InfinitePlane, cell: CellId) -> TransitionState {
        let land = Land { plane: ground.seen_from(cell), is_water: false, depth: 0.0, cell };
        self.test_land(self.path.foot_in_frame(), &land)
    }

    fn test_scene(&mut self, scene: &'a Scene, cell: CellId) -> TransitionState {
        let Some(cell) = scene.cell(cell) else { return TransitionState::Collided };
        if cell.guard().is_some_and(|guard| !self.may_enter(guard)) {
            return self.turn_away(&cell);
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

    /// Only players are ever kept out (`docs/collision.md` 8.7).
    fn may_enter(&self, guard: Guid) -> bool {
        !self.is(MoverFlags::IS_PLAYER) || self.obstacles.may_enter(self.mover.guid, guard)
    }

    /// What keeps somebody out is a wall around land, and nothing to slide along in front of a room.
    #[doc(alias = "handle_move_restriction")]
    fn turn_away(&mut self, cell: &Cell<'_>) -> TransitionState {
        if let Cell::Land(land) = cell {
            let Vec3 { x, y, .. } = centre_of(land.id()).offset_to(&self.path.current);
            self.info.set_collision_normal(match () {
                () if y < -HALF_CELL => Vec3::new(0.0, -1.0, 0.0),
                () if y > HALF_CELL => Vec3::new(0.0, 1.0, 0.0),
                () if x < -HALF_CELL => Vec3::new(-1.0, 0.0, 0.0),
                () => Vec3::new(1.0, 0.0, 0.0),
            });
        }
        TransitionState::Collided
    }

    /// The land under the lowest point of the foot. Open sea is a wall (`docs/collision.md` 6.5).
    fn test_land_cell(&mut self, land: &LandCell<'_>) -> TransitionState {
        let shift = self.path.check.cell.block_offset(land.id());
        let Some(ground) = land.ground_at(self.path.low_point - shift) else { return TransitionState::Ok };
        if land.block_water() == Water::Entirely && !self.is(MoverFlags::IS_VIEWER) && !self.is_missile() {
            return TransitionState::Collided;
        }
        let land =
            Land { plane: ground.plane, is_water: ground.is_water, depth: ground.depth, cell: land.id() };
        self.test_land(self.path.global[0].origin - shift, &land)
    }

    /// The shell of the building on a piece of land (`docs/collision.md` 7.5).
    fn test_building(&mut self, land: &LandCell<'a>) -> TransitionState {
        let Some(building) = land.building() else { return TransitionState::Ok };
        let Some(solid) = building.solid.as_deref() else { return TransitionState::Ok };
        self.path.building_check = true;
        let outcome = self.test_part(solid, &building.position, building.scale);
        self.path.building_check = false;
        self.note_environment(outcome)
    }

    /// Floor, walls and ceiling of a room (`docs/collision.md` 7.4).
    fn test_room(&mut self, room: &'a Room) -> TransitionState {
        self.path.obstruction_ethereal = false;
        let Some(solid) = room.solid.as_deref() else { return TransitionState::Ok };
        let space = self.path.in_space_of(room.position(), 1.0);
        let outcome = self.test_solid(solid, &space);
        self.note_environment(outcome)
    }

    fn note_environment(&mut self, outcome: TransitionState) -> TransitionState {
        if outcome != TransitionState::Ok && !self.is(MoverFlags::CONTACT) {
            self.info.collided_with_environment = true;
        }
        outcome
    }

    /// A body in the air that touched something has been put back onto it, or not (`docs/collision.md` 3.5.4, 5.8).
    fn try_to_land(&mut self, attempts: u32) -> TransitionState {
        self.path.collide = false;
        let lands = self.info.contact_valid
            && self.check_walkable(LANDING_Z)
            && self.insert_as(InsertType::Placement, attempts) == TransitionState::Ok;
        self.path.walkable = None;
        if lands {
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

    /// An insertion of another kind; the kind is as before afterwards.
    pub(super) fn insert_as(&mut self, insert_type: InsertType, attempts: u32) -> TransitionState {
        let before = std::mem::replace(&mut self.path.insert_type, insert_type);
        let outcome = self.transitional_insert(attempts);
        self.path.insert_type = before;
        outcome
    }

    /// A walker overlaps a polygon that it does not move against (`docs/collision.md` 5.7).
    fn answer_struck_behind(&mut self, normal: Vec3, by_foot: bool) -> TransitionState {
        if !by_foot {
            return self.slide(0, normal);
        }
        if self.step_up(normal) { TransitionState::Ok } else { self.step_up_slide() }
    }

    /// Looks for ground below, so that walkers stay on it. Says also whether the insertion ends with that
    /// (`docs/collision.md` 3.5.8).
    fn automatic_step_down(&mut self) -> (TransitionState, bool) {
        let (height, steepest) = if self.is(MoverFlags::ON_WALKABLE) {
            (self.step_down_height, FLOOR_Z)
        } else {
            (SMALL_STEP, LANDING_Z)
        };
        self.path.walkable_allowance = steepest;
        self.path.save_check();
        let (height, found) = self.step_down_in_parts(height, steepest);
        if found {
            self.path.walkable = None;
            return (TransitionState::Ok, true);
        }
        self.edge_slide(height, steepest)
    }
}

/// Half the length of a piece of land.
const HALF_CELL: f32 = CELL_LENGTH / 2.0;

/// The middle of a piece of land.
fn centre_of(land: CellId) -> CellPosition {
    let index = land.low().saturating_sub(1);
    let middle = |place: u16| f32::from(place) * CELL_LENGTH + HALF_CELL;
    CellPosition::at(land, Vec3::new(middle(index >> 3), middle(index & 7), 0.0))
}
