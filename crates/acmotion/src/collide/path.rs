//! The positions of a transition: the current one, which was accepted last, the check position that is being tested, and
//! the spheres at both (`docs/collision.md` 1.2, 1.4–1.6).

use acmotion_dat::Sphere;
use acmotion_types::{CellId, CellPosition, Quat, Vec3};

use super::geometry::{Polygon, PolygonId};
use super::{Mover, SearchCylinder};

/// The purpose of an insertion (`docs/collision.md` 0.2).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum InsertType {
    /// A sweep.
    #[default]
    Transition,
    /// Tests whether the body would overlap anything solid.
    Placement,
    /// Pushes the body out of anything solid.
    InitialPlacement,
}

/// A walkable polygon and the sphere that was set on it, in the polygon's local space.
#[derive(Clone, Copy, Debug)]
pub struct WalkablePolygon<'a> {
    /// The polygon.
    pub polygon: Polygon<'a>,
    /// The id of the polygon in its solid.
    pub id: PolygonId,
    /// The sphere set on it.
    pub sphere: Sphere,
    /// The direction of world up in the local space.
    pub up: Vec3,
    /// The position of the local space.
    pub position: CellPosition,
    /// The scale of the local space.
    pub scale: f32,
}

/// The positions and spheres of a transition, and the mode it is in.
#[derive(Clone, Debug)]
#[doc(alias = "SPHEREPATH")]
pub struct SpherePath<'a> {
    /// The number of spheres: 1 or 2.
    count: usize,
    /// The spheres in the mover's own axes, scaled.
    local: [Sphere; 2],
    /// The lowest point of the foot sphere in the mover's own axes.
    local_low: Vec3,
    /// The spheres at the check position, the foot first, in the axes of its landblock.
    pub(super) global: [Sphere; 2],
    /// The lowest point of the foot sphere at the check position.
    pub(super) low_point: Vec3,
    /// The sphere centres at the current position, in the axes of *its* landblock.
    pub(super) current_centre: [Vec3; 2],
    /// The start position; `None` for a placement.
    pub(super) begin: Option<CellPosition>,
    /// The wanted position.
    pub(super) end: CellPosition,
    /// The current position: the one accepted last.
    pub(super) current: CellPosition,
    /// The cell of the current position, if it exists.
    pub(super) current_cell: Option<CellId>,
    /// The check position: the one being tested.
    pub(super) check: CellPosition,
    /// The cell of the check position, if it exists.
    pub(super) check_cell: Option<CellId>,
    /// The purpose of the insertion.
    pub insert_type: InsertType,
    /// Whether a step up is in progress.
    pub(super) step_up: bool,
    /// The normal that caused the step up, or that an airborne body touched.
    pub step_up_normal: Vec3,
    /// Whether a step down is in progress.
    pub step_down: bool,
    /// The height of the step down.
    pub step_down_amount: f32,
    /// The share of the step down that is left, from 1 down (`docs/collision.md` 4.3).
    pub walk_interp: f32,
    /// Whether an airborne body touched something and tries to land.
    pub collide: bool,
    /// The saved check position and cell. There is only this one slot.
    backup: (CellPosition, Option<CellId>),
    /// The last walkable polygon found. Land, spheres and cylinders never set it.
    pub walkable: Option<WalkablePolygon<'a>>,
    /// The z of the normal above which a surface counts as walkable.
    pub walkable_allowance: f32,
    /// Whether the insertion only probes for ground.
    pub check_walkable: bool,
    /// Whether the object being tested must not block.
    pub obstruction_ethereal: bool,
    /// Whether a sphere is in or touches an interior cell.
    pub hits_interior_cell: bool,
    /// Whether a building is being tested.
    pub building_check: bool,
    /// The negated normal of a polygon that was struck from behind, and whether the foot struck it
    /// (`docs/collision.md` 5.7).
    pub struck_behind: Option<(Vec3, bool)>,
    /// Whether a placement may search for a free position nearby.
    pub(super) placement_allows_sliding: bool,
}

/// The spheres of a mover in the local space of the BSP tree being tested (`docs/collision.md` 1.6).
#[derive(Clone, Copy, Debug)]
pub struct LocalSpace {
    /// The spheres at the check position.
    pub(super) spheres: [Sphere; 2],
    /// The sphere centres at the current position.
    pub(super) current_centre: [Vec3; 2],
    /// The position of the local space.
    pub(super) position: CellPosition,
    /// The scale of the local space.
    pub(super) scale: f32,
    /// The direction of world up in the local space.
    pub(super) up: Vec3,
}

impl LocalSpace {
    /// Rotates a direction of the local space to world axes.
    pub(super) fn rotate_to_world(&self, direction: Vec3) -> Vec3 {
        self.position.frame.local_to_global_vec(direction)
    }

    /// Returns the movement of the foot sphere in the local space.
    pub(super) fn movement(&self) -> Vec3 {
        self.spheres[0].origin - self.current_centre[0]
    }
}

/// The sphere of a mover whose setup has none (`docs/collision.md` 0.1).
pub(super) const DUMMY_SPHERE: Sphere = Sphere { origin: Vec3::new(0.0, 0.0, 0.1), radius: 0.1 };
/// The minimum of the step parameter on land, spheres and cylinders.
#[doc(alias = "WALK_FLOOR_STEP")]
const MIN_WALK_INTERP: f32 = -0.1;
const NO_SPHERE: Sphere = Sphere { origin: Vec3::ZERO, radius: 0.0 };

impl SpherePath<'_> {
    /// Creates the path of a mover from `begin`, which is in `cell`, to `end`; without `begin` it is a placement at `end`
    /// (`docs/collision.md` 2.4, 2.5).
    pub fn new(
        mover: &Mover<'_>,
        begin: Option<CellPosition>,
        end: CellPosition,
        cell: Option<CellId>,
    ) -> Self {
        let (mut local, mut count) = ([NO_SPHERE; 2], 0);
        for (slot, sphere) in local.iter_mut().zip(mover.shape.spheres()) {
            *slot = Sphere { origin: sphere.origin * mover.scale, radius: sphere.radius * mover.scale };
            count += 1;
        }
        if count == 0 {
            (local[0], count) = (DUMMY_SPHERE, 1);
        }
        let start = begin.unwrap_or(end);
        let insert_type = if begin.is_some() { InsertType::Transition } else { InsertType::Placement };
        let mut path = Self {
            count,
            local,
            local_low: local[0].origin - Vec3::new(0.0, 0.0, local[0].radius),
            global: local,
            low_point: Vec3::ZERO,
            current_centre: [Vec3::ZERO; 2],
            begin,
            end,
            current: start,
            current_cell: cell,
            check: start,
            check_cell: cell,
            insert_type,
            step_up: false,
            step_up_normal: Vec3::ZERO,
            step_down: false,
            step_down_amount: 0.0,
            walk_interp: 1.0,
            collide: false,
            backup: (start, cell),
            walkable: None,
            walkable_allowance: 0.0,
            check_walkable: false,
            obstruction_ethereal: false,
            hits_interior_cell: false,
            building_check: false,
            struck_behind: None,
            placement_allows_sliding: true,
        };
        path.refresh_current();
        path.refresh_check();
        path
    }

    /// Returns the spheres at the check position, the foot first.
    pub fn spheres(&self) -> &[Sphere] {
        &self.global[..self.count]
    }

    /// Returns a cylinder around the spheres at the check position. The foot's radius counts for the head too.
    pub(super) fn reach(&self) -> SearchCylinder {
        let [foot, head] = self.global;
        let head = if self.has_head() { head } else { foot };
        let radius = foot.radius.max(head.radius);
        let apart = head.origin - foot.origin;
        // Polygon tests take the spheres from the frame, which turns before the spheres do.
        let turned = |index: usize| (self.centre_at(index, &self.check) - self.global[index].origin).length();
        let ahead = (0..self.count).map(turned).fold(0.0, f32::max);
        SearchCylinder {
            cell: self.check.cell,
            centre: foot.origin + apart * 0.5,
            radius: radius + 0.5 * (apart.x.abs() + apart.y.abs()) + ahead,
            half_height: radius + 0.5 * apart.z.abs() + ahead,
        }
    }

    /// Returns `true` if there is a head sphere.
    pub(super) fn has_head(&self) -> bool {
        self.count > 1
    }

    /// Returns the radius of the foot sphere.
    pub(super) fn radius(&self) -> f32 {
        self.local[0].radius
    }

    /// Returns the centre of a sphere at a position, in the axes of its landblock.
    fn centre_at(&self, index: usize, position: &CellPosition) -> Vec3 {
        to_landblock(position, self.local[index].origin)
    }

    /// Returns the centre of the foot sphere computed from the check frame. Unlike `global` it carries no rounding from
    /// earlier shifts, and follows a turn at once.
    pub(super) fn foot_in_frame(&self) -> Vec3 {
        self.centre_at(0, &self.check)
    }

    /// Recomputes the sphere centres at the current position.
    pub(super) fn refresh_current(&mut self) {
        for index in 0..self.count {
            self.current_centre[index] = self.centre_at(index, &self.current);
        }
    }

    /// Recomputes the spheres at the check position.
    #[doc(alias = "cache_global_sphere")]
    pub(super) fn refresh_check(&mut self) {
        for index in 0..self.count {
            self.global[index].origin = self.centre_at(index, &self.check);
        }
        self.low_point = to_landblock(&self.check, self.local_low);
    }

    /// Returns the check position.
    pub fn check(&self) -> &CellPosition {
        &self.check
    }

    /// Sets the check position and its cell.
    pub fn set_check(&mut self, position: CellPosition, cell: Option<CellId>) {
        (self.check, self.check_cell) = (position, cell);
        self.refresh_check();
    }

    /// Resets the check position to the current one.
    pub(super) fn check_current(&mut self) {
        self.set_check(self.current, self.current_cell);
    }

    /// Makes the check position the current one.
    pub(super) fn accept_check(&mut self) {
        (self.current, self.current_cell) = (self.check, self.check_cell);
        self.refresh_current();
        self.refresh_check();
    }

    /// Moves the check position and its spheres.
    #[doc(alias = "add_offset_to_check_pos")]
    pub(super) fn add_offset(&mut self, offset: Vec3) {
        self.check.frame.origin += offset;
        self.shift_spheres(offset);
    }

    fn shift_spheres(&mut self, offset: Vec3) {
        for sphere in &mut self.global[..self.count] {
            sphere.origin += offset;
        }
        self.low_point += offset;
    }

    /// Puts the check position into another cell. Only an outdoor cell brings the axes of its landblock with it
    /// (`docs/collision.md` 1.4, 6.6).
    #[doc(alias = "adjust_check_pos")]
    pub(super) fn adjust_check(&mut self, cell: CellId) {
        if cell.is_outdoor() {
            let shift = cell.block_offset(self.check.cell);
            self.check.frame.origin += shift;
            self.shift_spheres(shift);
        }
        self.check.cell = cell;
    }

    /// Saves the check position, overwriting the one saved before.
    pub(super) fn save_check(&mut self) {
        self.backup = (self.check, self.check_cell);
    }

    /// Restores the saved check position.
    pub(super) fn restore_check(&mut self) {
        let (position, cell) = self.backup;
        self.set_check(position, cell);
    }

    /// Records that an airborne body touched a surface, so that it tries to land.
    pub(super) fn set_collide(&mut self, normal: Vec3) {
        self.collide = true;
        self.save_check();
        self.step_up_normal = normal;
        self.walk_interp = 1.0;
    }

    /// Returns the offset of a sphere from the current to the check position, in the axes of the latter's landblock
    /// (`docs/collision.md` 1.5).
    pub(super) fn moved(&self, index: usize) -> Vec3 {
        self.current.cell.block_offset(self.check.cell) + self.global[index].origin
            - self.current_centre[index]
    }

    /// Returns the spheres in the local space of a BSP tree. They are computed from the frames, so they follow a turn
    /// at once.
    #[doc(alias = "cache_localspace_sphere")]
    pub fn in_space_of(&self, position: &CellPosition, scale: f32) -> LocalSpace {
        let matrix = position.frame.matrix();
        let inverse = 1.0 / scale;
        let from_check = position.cell.block_offset(self.check.cell) - position.frame.origin;
        let from_current = position.cell.block_offset(self.current.cell) - position.frame.origin;
        let (mut spheres, mut current_centre) = ([NO_SPHERE; 2], [Vec3::ZERO; 2]);
        for index in 0..self.count {
            let centre = self.centre_at(index, &self.check) + from_check;
            let before = self.centre_at(index, &self.current) + from_current;
            let radius = self.local[index].radius * inverse;
            spheres[index] = Sphere { origin: matrix.apply_transposed(centre) * inverse, radius };
            current_centre[index] = matrix.apply_transposed(before) * inverse;
        }
        let up = matrix.apply_transposed(Vec3::new(0.0, 0.0, 1.0));
        LocalSpace { spheres, current_centre, position: *position, scale, up }
    }

    /// Returns the step parameter after a lift by a fraction of the remaining step; `None` if the lift is not positive
    /// or too large (`docs/collision.md` 4.3).
    pub(super) fn step_after(&self, fraction: f32) -> Option<f32> {
        step_after(self.walk_interp, fraction)
    }

    /// Returns the height that is left of the step in progress.
    pub(super) fn remaining_step(&self) -> f32 {
        self.step_down_amount * self.walk_interp
    }
}

/// Returns the step parameter that is left of `walk_interp` after a lift; see [`SpherePath::step_after`].
pub(super) fn step_after(walk_interp: f32, fraction: f32) -> Option<f32> {
    let interp = (1.0 - fraction) * walk_interp;
    (interp < walk_interp && interp >= MIN_WALK_INTERP).then_some(interp)
}

/// Converts a point of a mover at a position to the axes of its landblock. Most movers are upright and have their
/// spheres on the axis, which spares the rotation.
#[inline(always)]
pub(super) fn to_landblock(position: &CellPosition, point: Vec3) -> Vec3 {
    let Quat { x, y, .. } = position.frame.rotation;
    if point.x == 0.0 && point.y == 0.0 && x == 0.0 && y == 0.0 {
        return position.frame.origin + point;
    }
    position.frame.local_to_global(point)
}

#[cfg(test)]
mod tests {
    use acmotion_types::{Frame, Guid};
    use acmotion_wire::PhysicsState;

    use super::*;
    use crate::collide::{MoverFlags, Shape};

    const CELL: CellId = CellId(0xA9B4_0001);

    /// The path of a human body that stays where it is.
    fn path(shape: &Shape, scale: f32, frame: Frame) -> SpherePath<'static> {
        let mover = Mover::new(Guid(1), shape, scale, PhysicsState::empty(), MoverFlags::empty());
        let at = CellPosition::new(CELL, frame);
        SpherePath::new(&mover, Some(at), at, Some(CELL))
    }

    /// `docs/collision.md` 1.2: its foot of 0.48 m is 0.475 m above its origin, so that the lowest point of a body twice as
    /// large is 0.01 m below. It belongs to the body: of one that lies on its right side it is to the west.
    #[test]
    fn the_lowest_point_of_the_foot_turns_with_the_body() {
        let (shape, origin) = (Shape::human(), Vec3::new(12.0, 12.0, 94.0));
        let half = std::f32::consts::FRAC_1_SQRT_2;
        let to_the_east = Quat { w: half, x: 0.0, y: half, z: 0.0 };
        for (rotation, low) in
            [(Quat::IDENTITY, Vec3::new(0.0, 0.0, -0.01)), (to_the_east, Vec3::new(-0.01, 0.0, 0.0))]
        {
            let path = path(&shape, 2.0, Frame::new(origin, rotation));
            assert!((path.low_point - origin - low).length() < 1e-4, "{:?}", path.low_point);
        }
    }

    /// `docs/collision.md` 1.4.
    #[test]
    fn a_body_that_tries_to_land_can_go_back_to_where_it_touched() {
        let (shape, origin) = (Shape::human(), Vec3::new(12.0, 12.0, 94.0));
        let mut path = path(&shape, 1.0, Frame::from_origin(origin));
        let (step, wall) = (Vec3::new(0.25, 0.0, 0.0), Vec3::new(-1.0, 0.0, 0.0));
        path.walk_interp = 0.25;
        path.add_offset(step);
        path.set_collide(wall);
        assert_eq!((path.collide, path.step_up_normal, path.walk_interp), (true, wall, 1.0));
        path.add_offset(step);
        path.restore_check();
        assert_eq!(path.check.frame.origin, origin + step);
    }
}
