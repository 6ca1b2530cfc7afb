//! Where a body on its way is: the last accepted place, the one that is tried, and its spheres there
//! (`docs/collision.md` 1.2, 1.4–1.6).

use acmotion_dat::Sphere;
use acmotion_types::{CellId, CellPosition, Quat, Vec3};

use super::geometry::{Polygon, PolygonId};
use super::{Mover, Reach};

/// What an insertion is for (`docs/collision.md` 0.2).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum InsertType {
    /// A sweep.
    #[default]
    Transition,
    /// Would the body overlap anything solid?
    Placement,
    /// The body is pushed out of what is solid.
    InitialPlacement,
}

/// A polygon that can be walked on, and the sphere that was set on it, in the polygon's own space.
#[derive(Clone, Copy, Debug)]
pub struct Walkable<'a> {
    /// The polygon.
    pub polygon: Polygon<'a>,
    /// Which of its solid's it is.
    pub id: PolygonId,
    /// The sphere on it.
    pub sphere: Sphere,
    /// Where up is.
    pub up: Vec3,
    /// Where the polygon's space is.
    pub position: CellPosition,
    /// Its scale.
    pub scale: f32,
}

/// Where a body on its way is, and what is being tried.
#[derive(Clone, Debug)]
#[doc(alias = "SPHEREPATH")]
pub struct SpherePath<'a> {
    count: usize,
    local: [Sphere; 2],
    local_low: Vec3,
    /// The spheres at the place that is tried, the foot first, in the axes of its landblock.
    pub(super) global: [Sphere; 2],
    /// The lowest point of the foot sphere there.
    pub(super) low_point: Vec3,
    /// The centres at the last accepted place, in the axes of *its* landblock.
    pub(super) current_centre: [Vec3; 2],
    /// Where it begins; nowhere if it is placed anew.
    pub(super) begin: Option<CellPosition>,
    /// Where it wants to.
    pub(super) end: CellPosition,
    /// The last accepted place.
    pub(super) current: CellPosition,
    /// The cell of that place, if there is one.
    pub(super) current_cell: Option<CellId>,
    /// The place that is tried.
    pub(super) check: CellPosition,
    /// The cell of that place, if there is one.
    pub(super) check_cell: Option<CellId>,
    /// What the insertion is for.
    pub insert_type: InsertType,
    /// A step up is under way.
    pub(super) step_up: bool,
    /// What made it necessary; also what a body in the air touched.
    pub step_up_normal: Vec3,
    /// A step down is under way.
    pub step_down: bool,
    /// How deep it is.
    pub step_down_amount: f32,
    /// How much of it is left, from 1 down.
    pub walk_interp: f32,
    /// A body in the air touched something and tries to land.
    pub collide: bool,
    /// The one slot to come back to.
    backup: (CellPosition, Option<CellId>),
    /// The last polygon found that can be walked on.
    pub walkable: Option<Walkable<'a>>,
    /// A surface can be walked on if its normal points up by more than this.
    pub walkable_allowance: f32,
    /// Is it only asked whether there is ground here?
    pub check_walkable: bool,
    /// What is tested now must not block.
    pub obstruction_ethereal: bool,
    /// A sphere is in or touches an interior cell.
    pub hits_interior_cell: bool,
    /// A building is tested now.
    pub building_check: bool,
    /// A polygon was struck from behind: the negated normal, and whether the foot struck it
    /// (`docs/collision.md` 5.7).
    pub struck_behind: Option<(Vec3, bool)>,
    /// May a placed body be a little way off?
    pub(super) placement_allows_sliding: bool,
}

/// The spheres of a body in the space of what is tested (`docs/collision.md` 1.6).
#[derive(Clone, Copy, Debug)]
pub struct LocalSpace {
    /// At the place that is tried.
    pub(super) spheres: [Sphere; 2],
    /// At the last accepted place.
    pub(super) current_centre: [Vec3; 2],
    /// Where the space is.
    pub(super) position: CellPosition,
    /// Its scale.
    pub(super) scale: f32,
    /// Where up is in it.
    pub(super) up: Vec3,
}

impl LocalSpace {
    /// A direction of the space in the world.
    pub(super) fn in_world(&self, direction: Vec3) -> Vec3 {
        self.position.frame.local_to_global_vec(direction)
    }

    /// How the foot moves in it.
    pub(super) fn movement(&self) -> Vec3 {
        self.spheres[0].origin - self.current_centre[0]
    }
}

/// The sphere of a body that has none (`docs/collision.md` 0.1).
pub(super) const DUMMY_SPHERE: Sphere = Sphere { origin: Vec3::new(0.0, 0.0, 0.1), radius: 0.1 };
/// How far below zero the step parameter may fall on land, spheres and cylinders.
#[doc(alias = "WALK_FLOOR_STEP")]
const LEAST_STEP: f32 = -0.1;
const NO_SPHERE: Sphere = Sphere { origin: Vec3::ZERO, radius: 0.0 };

impl SpherePath<'_> {
    /// A body at a place, about to go to another; without a place before, about to be placed
    /// (`docs/collision.md` 2.4, 2.5).
    pub fn new(
        mover: &Mover<'_>,
        begin: Option<CellPosition>,
        end: CellPosition,
        cell: Option<CellId>,
    ) -> Self {
        let (mut local, mut count) = ([NO_SPHERE; 2], 0);
        for (place, sphere) in local.iter_mut().zip(mover.shape.spheres()) {
            *place = Sphere { origin: sphere.origin * mover.scale, radius: sphere.radius * mover.scale };
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

    /// The spheres at the place that is tried, the foot first.
    pub fn spheres(&self) -> &[Sphere] {
        &self.global[..self.count]
    }

    /// Where it can touch something at the place that is tried. The foot's radius counts for the head too.
    pub(super) fn reach(&self) -> Reach {
        let [foot, head] = self.global;
        let head = if self.has_head() { head } else { foot };
        let radius = foot.radius.max(head.radius);
        let apart = head.origin - foot.origin;
        // Polygons see a turn before the spheres follow it.
        let turned = |index: usize| (self.sphere_at(index, &self.check) - self.global[index].origin).length();
        let ahead = (0..self.count).map(turned).fold(0.0, f32::max);
        Reach {
            cell: self.check.cell,
            centre: foot.origin + apart * 0.5,
            radius: radius + 0.5 * (apart.x.abs() + apart.y.abs()) + ahead,
            half_height: radius + 0.5 * apart.z.abs() + ahead,
        }
    }

    /// Has it a head?
    pub(super) fn has_head(&self) -> bool {
        self.count > 1
    }

    /// The radius of the foot.
    pub(super) fn radius(&self) -> f32 {
        self.local[0].radius
    }

    fn sphere_at(&self, index: usize, place: &CellPosition) -> Vec3 {
        place_point(place, self.local[index].origin)
    }

    /// The centre of the foot at the place that is tried, taken from the frame: unlike [`global`](Self::global) it has no
    /// rounding from shifts, and is turned already.
    pub(super) fn foot_in_frame(&self) -> Vec3 {
        self.sphere_at(0, &self.check)
    }

    /// Takes the centres of the last accepted place.
    pub(super) fn refresh_current(&mut self) {
        for index in 0..self.count {
            self.current_centre[index] = self.sphere_at(index, &self.current);
        }
    }

    /// Takes the spheres of the place that is tried.
    #[doc(alias = "cache_global_sphere")]
    pub(super) fn refresh_check(&mut self) {
        for index in 0..self.count {
            self.global[index].origin = self.sphere_at(index, &self.check);
        }
        self.low_point = place_point(&self.check, self.local_low);
    }

    /// The place that is tried.
    pub fn check(&self) -> &CellPosition {
        &self.check
    }

    /// Tries a place.
    pub fn set_check(&mut self, place: CellPosition, cell: Option<CellId>) {
        (self.check, self.check_cell) = (place, cell);
        self.refresh_check();
    }

    /// Tries the last accepted place.
    pub(super) fn check_current(&mut self) {
        self.set_check(self.current, self.current_cell);
    }

    /// Accepts the place that is tried.
    pub(super) fn accept_check(&mut self) {
        (self.current, self.current_cell) = (self.check, self.check_cell);
        self.refresh_current();
        self.refresh_check();
    }

    /// Shifts the place that is tried, and its spheres with it.
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

    /// Tries the place by another cell. Only outdoor cells bring their landblock's axes with them.
    #[doc(alias = "adjust_check_pos")]
    pub(super) fn adjust_check(&mut self, cell: CellId) {
        if cell.is_outdoor() {
            let shift = cell.block_offset(self.check.cell);
            self.check.frame.origin += shift;
            self.shift_spheres(shift);
        }
        self.check.cell = cell;
    }

    /// Notes the place that is tried in the one slot.
    pub(super) fn save_check(&mut self) {
        self.backup = (self.check, self.check_cell);
    }

    /// Goes back to it.
    pub(super) fn restore_check(&mut self) {
        let (place, cell) = self.backup;
        self.set_check(place, cell);
    }

    /// A body in the air touched something with that normal.
    pub(super) fn set_collide(&mut self, normal: Vec3) {
        self.collide = true;
        self.save_check();
        self.step_up_normal = normal;
        self.walk_interp = 1.0;
    }

    /// How a sphere has moved since the last accepted place, in the axes of the place that is tried
    /// (`docs/collision.md` 1.5).
    pub(super) fn moved(&self, index: usize) -> Vec3 {
        self.current.cell.block_offset(self.check.cell) + self.global[index].origin
            - self.current_centre[index]
    }

    /// The spheres in another space. They are taken from the frames, and so are turned already where the others are not yet.
    #[doc(alias = "cache_localspace_sphere")]
    pub fn in_space_of(&self, position: &CellPosition, scale: f32) -> LocalSpace {
        let matrix = position.frame.matrix();
        let inverse = 1.0 / scale;
        let from_check = position.cell.block_offset(self.check.cell) - position.frame.origin;
        let from_current = position.cell.block_offset(self.current.cell) - position.frame.origin;
        let (mut spheres, mut current_centre) = ([NO_SPHERE; 2], [Vec3::ZERO; 2]);
        for index in 0..self.count {
            let centre = self.sphere_at(index, &self.check) + from_check;
            let before = self.sphere_at(index, &self.current) + from_current;
            let radius = self.local[index].radius * inverse;
            spheres[index] = Sphere { origin: matrix.apply_transposed(centre) * inverse, radius };
            current_centre[index] = matrix.apply_transposed(before) * inverse;
        }
        let up = matrix.apply_transposed(Vec3::new(0.0, 0.0, 1.0));
        LocalSpace { spheres, current_centre, position: *position, scale, up }
    }

    /// The step parameter after a part of what is left of the step has been used; `None` if that is no step down, or too
    /// much (`docs/collision.md` 4.3).
    pub(super) fn shrunk_step(&self, part: f32) -> Option<f32> {
        let interp = (1.0 - part) * self.walk_interp;
        (interp < self.walk_interp && interp >= LEAST_STEP).then_some(interp)
    }

    /// How far the step that is under way still goes.
    pub(super) fn step_left(&self) -> f32 {
        self.step_down_amount * self.walk_interp
    }
}

/// A point of a body at a place. Most bodies stand upright and have their spheres on the axis, and need no turning.
#[inline]
fn place_point(place: &CellPosition, point: Vec3) -> Vec3 {
    let Quat { x, y, .. } = place.frame.rotation;
    if point.x == 0.0 && point.y == 0.0 && x == 0.0 && y == 0.0 {
        return place.frame.origin + point;
    }
    place.frame.local_to_global(point)
}
