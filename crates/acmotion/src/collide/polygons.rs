//! The test against the polygons of a room, a building or a part of an obstacle (`docs/collision.md` 5.6.1–5.6.9).

use acmotion_dat::Sphere;
use acmotion_types::{CellPosition, Vec3};

use super::geometry::{Polygon, PolygonId, Solid, SolidSearch};
use super::path::{LocalSpace, WalkablePolygon};
use super::transition::{Transition, TransitionState};
use super::{InsertType, LANDING_Z, MoverFlags, Plane};

/// The maximum number of pushes out of something solid (`docs/collision.md` 5.6.8).
#[doc(alias = "PLACE_ITER")]
const MAX_PUSHES: u32 = 20;
/// The maximum number of iterations to find where the camera touches (`docs/collision.md` 5.6.7).
#[doc(alias = "BISECT_MAX")]
const MAX_BISECTIONS: u32 = 15;
/// The interval of times at which that bisection stops.
#[doc(alias = "BISECT_STOP")]
const BISECTION_LIMIT: f32 = 0.02;

impl<'a> Transition<'a> {
    /// Tests the polygons of a part at a position, if a sphere of the mover reaches the sphere around them
    /// (`docs/collision.md` 5.6.9).
    #[doc(alias = "CPhysicsPart::find_obj_collisions")]
    pub fn test_part(&mut self, solid: &'a Solid, position: &CellPosition, scale: f32) -> TransitionState {
        let space = self.path.in_space_of(position, scale);
        let is_reached = |sphere: &Sphere| solid.is_reached_by(sphere);
        if !space.spheres[..self.path.spheres().len()].iter().any(is_reached) {
            return TransitionState::Ok;
        }
        self.test_solid(solid, &space)
    }

    /// Tests polygons without regard to the sphere around them (`docs/collision.md` 5.6.1).
    pub(super) fn test_solid(&mut self, solid: &'a Solid, space: &LocalSpace) -> TransitionState {
        if self.path.insert_type == InsertType::InitialPlacement {
            return self.placement_insert(solid, space);
        }
        if self.path.insert_type == InsertType::Placement || self.path.obstruction_ethereal {
            return self.test_overlap(solid, space);
        }
        let foot = &space.spheres[0];
        // 5.6.1.2, 5.6.4.
        if self.path.check_walkable {
            let is_supported = solid.hits_walkable(foot, space.up, self.path.walkable_allowance);
            return if is_supported { TransitionState::Collided } else { TransitionState::Ok };
        }
        if self.path.step_down {
            let movement = space.up * (-self.path.remaining_step() / space.scale);
            return self.step_onto_polygons(solid, space, movement);
        }
        if self.path.collide {
            return self.step_onto_polygons(solid, space, space.movement());
        }
        self.hit_polygons(solid, space)
    }

    /// Returns `true` if a sphere centre in a solid leaf counts as an overlap. It does not for a building while the
    /// body is in or touches a room.
    fn checks_centre(&self) -> bool {
        !(self.path.building_check && self.path.hits_interior_cell)
    }

    /// Tests whether the mover overlaps anything solid (5.6.1.1).
    fn test_overlap(&self, solid: &Solid, space: &LocalSpace) -> TransitionState {
        let check = self.checks_centre();
        let mut spheres = space.spheres[..self.path.spheres().len()].iter();
        if spheres.any(|sphere| solid.intersects_solid(sphere, check)) {
            TransitionState::Collided
        } else {
            TransitionState::Ok
        }
    }

    /// Moves the foot back against `movement` onto walkable polygons. Walls are not tested (5.6.1.4, 5.6.3).
    fn step_onto_polygons(
        &mut self,
        solid: &'a Solid,
        space: &LocalSpace,
        movement: Vec3,
    ) -> TransitionState {
        let mut foot = space.spheres[0];
        let allowance = self.path.walkable_allowance;
        let Some(id) =
            solid.find_walkable(&mut foot, &mut self.path.walk_interp, movement, space.up, allowance)
        else {
            return TransitionState::Ok;
        };
        let polygon = solid.polygon(id);
        self.path.add_offset(space.rotate_to_world(foot.origin - space.spheres[0].origin) * space.scale);
        let plane = self.plane_to_world(&polygon.plane, space);
        self.info.set_contact(plane, false, self.path.check.cell);
        self.path.walkable = Some(WalkablePolygon {
            polygon,
            id,
            sphere: foot,
            up: space.up,
            position: space.position,
            scale: space.scale,
        });
        TransitionState::Adjusted
    }

    /// Converts a plane of a local space to the axes of the check position's landblock (5.6.5). As in the original, `d` is
    /// multiplied by the scale, which is wrong for a scaled part.
    pub fn plane_to_world(&self, plane: &Plane, space: &LocalSpace) -> Plane {
        let normal = space.rotate_to_world(plane.normal);
        let shift = self.path.check.cell.block_offset(space.position.cell);
        let point = space.position.frame.local_to_global(plane.normal * -plane.d) + shift;
        Plane::new(normal, -normal.dot(point) * space.scale)
    }

    /// Tests the polygons in the mover's path (5.6.1.5–7). A body in contact steps up or slides (5.6.2).
    fn hit_polygons(&mut self, solid: &'a Solid, space: &LocalSpace) -> TransitionState {
        let movement = space.movement();
        let mut struck = None;
        let is_facing = solid.intersects_poly(&space.spheres[0], movement, &mut struck);
        let normal = |id: PolygonId| space.rotate_to_world(solid.polygon(id).plane.normal);
        if self.has(MoverFlags::CONTACT) {
            if let (true, Some(id)) = (is_facing, struck) {
                if self.step_up(normal(id)) {
                    return TransitionState::Ok;
                }
                self.struck = Some(id);
                return self.step_up_slide();
            }
            return self.hit_polygons_with_head(solid, space, struck);
        }
        if let Some(id) = struck {
            self.struck = struck;
            if self.has(MoverFlags::PATH_CLIPPED) {
                return self.stop_at_polygon(solid, id, space);
            }
            self.path.set_collide(normal(id));
            self.path.walkable_allowance = LANDING_Z;
            return TransitionState::Adjusted;
        }
        if self.has(MoverFlags::PATH_CLIPPED) || !self.path.has_head() {
            return TransitionState::Ok;
        }
        let mut struck = None;
        solid.intersects_poly(&space.spheres[1], movement, &mut struck);
        let Some(id) = struck else { return TransitionState::Ok };
        self.struck = struck;
        self.info.set_collision_normal(normal(id));
        TransitionState::Collided
    }

    /// Tests the head of a walker whose foot is free. A polygon struck from behind by head or foot is recorded for later
    /// (`docs/collision.md` 5.7).
    fn hit_polygons_with_head(
        &mut self,
        solid: &Solid,
        space: &LocalSpace,
        foot: Option<PolygonId>,
    ) -> TransitionState {
        if !self.path.has_head() {
            return TransitionState::Ok;
        }
        let normal = |id: PolygonId| space.rotate_to_world(solid.polygon(id).plane.normal);
        let mut head = None;
        let is_facing = solid.intersects_poly(&space.spheres[1], space.movement(), &mut head);
        self.struck = head.or(foot);
        match (head, foot) {
            (Some(id), _) if is_facing => return self.slide(0, normal(id)),
            (Some(id), _) => self.path.struck_behind = Some((-normal(id), false)),
            (None, Some(id)) => self.path.struck_behind = Some((-normal(id), true)),
            (None, None) => {}
        }
        TransitionState::Ok
    }

    /// Stops at a polygon, as missiles do (8.8); the camera moves to where it touches (5.6.6).
    fn stop_at_polygon(&mut self, solid: &Solid, id: PolygonId, space: &LocalSpace) -> TransitionState {
        let foot = &space.spheres[0];
        let mut polygon = solid.polygon(id);
        let normal = space.rotate_to_world(polygon.plane.normal);
        if !self.has(MoverFlags::PERFECT_CLIP) {
            self.info.set_collision_normal(normal);
            return TransitionState::Collided;
        }
        let Some(centre) = clip(solid, foot, space.current_centre[0], &mut polygon) else {
            return TransitionState::Collided;
        };
        self.info.set_collision_normal(normal);
        self.path.add_offset(space.rotate_to_world(centre - foot.origin) * space.scale);
        TransitionState::Adjusted
    }

    /// Pushes a mover that is being placed out of anything solid, polygon by polygon (5.6.8).
    fn placement_insert(&mut self, solid: &Solid, space: &LocalSpace) -> TransitionState {
        let [mut foot, mut head] = space.spheres;
        let mut radius = foot.radius;
        let check = self.checks_centre();
        for round in 0..MAX_PUSHES {
            let mut search = SolidSearch { hit: None, centre_solid: false };
            let centre = if solid.intersects_solid_poly(&foot, radius, check, &mut search) {
                foot.origin
            } else if self.path.has_head() && solid.intersects_solid_poly(&head, radius, check, &mut search) {
                head.origin
            } else if round == 0 {
                return TransitionState::Ok;
            } else {
                self.path.add_offset(space.rotate_to_world(foot.origin - space.spheres[0].origin));
                return TransitionState::Adjusted;
            };
            match search.hit {
                Some(id) => {
                    let push = solid.polygon(id).placement_push(centre, radius, search.centre_solid, check);
                    foot.origin += push;
                    head.origin += push;
                    radius = foot.radius;
                }
                None => radius *= 2.0,
            }
        }
        TransitionState::Collided
    }
}

/// Returns the centre at which a sphere moving from `start` touches the polygons without overlapping one; `None` if none is
/// found (`docs/collision.md` 5.6.7).
#[doc(alias = "adjust_to_plane")]
fn clip<'s>(solid: &'s Solid, sphere: &Sphere, start: Vec3, polygon: &mut Polygon<'s>) -> Option<Vec3> {
    let movement = sphere.origin - start;
    let overlaps = |time: f32| {
        let moved = Sphere { origin: start + movement * time, ..*sphere };
        let mut struck = None;
        let hit = solid.intersects_poly(&moved, movement, &mut struck);
        (hit, struck.map(|id| solid.polygon(id)))
    };
    let (mut low, mut high, mut round) = (0.0, 1.0, 0);
    loop {
        let time = polygon.touch_time(sphere.radius, start, movement);
        if time == 1.0 {
            break;
        }
        let (hit, struck) = overlaps(time);
        *polygon = struck.unwrap_or(*polygon);
        if !hit {
            low = time;
            break;
        }
        round += 1;
        high = time;
        if round >= MAX_BISECTIONS {
            return None;
        }
    }
    while round < MAX_BISECTIONS {
        let middle = (low + high) * 0.5;
        if overlaps(middle).0 {
            high = middle
        } else {
            low = middle
        }
        if high - low < BISECTION_LIMIT {
            break;
        }
        round += 1;
    }
    Some(start + movement * low)
}

#[cfg(test)]
mod tests {
    use acmotion_dat::DataId;
    use acmotion_dat::builder::{self, MeshFace, MeshKind};

    use super::*;

    /// Moves a sphere eastwards from the origin, and returns how far it gets before the polygons. The first of them is the one
    /// it struck at the end of its way.
    fn clipped(faces: &[[[f32; 3]; 4]], radius: f32, way: f32) -> Option<f32> {
        let face = |corners: &[[f32; 3]; 4]| MeshFace::new(DataId(0x0800_0001), corners.map(Vec3::from));
        let faces: Vec<_> = faces.iter().map(face).collect();
        let mesh = builder::gfx_obj(DataId(0x0100_0001), &faces, MeshKind::Open);
        let solid = Solid::from_gfx_obj(&mesh).expect("the mesh is valid");
        let end = Sphere { origin: Vec3::new(way, 0.0, 0.0), radius };
        let mut polygon = solid.polygon(PolygonId(0));
        clip(&solid, &end, Vec3::ZERO, &mut polygon).map(|centre| centre.x)
    }

    /// An upright square across the way that faces west.
    fn wall(x: f32) -> [[f32; 3]; 4] {
        [[x, -1.0, -1.0], [x, -1.0, 1.0], [x, 1.0, 1.0], [x, 1.0, -1.0]]
    }

    #[track_caller]
    fn assert_stops_at(found: Option<f32>, x: f32) {
        assert!(found.is_some_and(|found| (found - x).abs() < 1e-3), "{found:?}");
    }

    /// 5.6.7: where it touches the polygon that it struck, it may still overlap another. Then it goes back to where it touches
    /// that one.
    #[test]
    fn a_sphere_stops_at_the_first_of_two_walls() {
        assert_stops_at(clipped(&[wall(5.0)], 1.0, 4.9), 4.0);
        assert_stops_at(clipped(&[wall(5.0), wall(4.0)], 1.0, 4.9), 3.0);
    }

    /// 5.6.7: the bisection ends where the sphere was found to overlap last, not at the end of the way. Here it strikes a ramp
    /// at 10 m whose plane, far below the ramp itself, it touches at 2 m. There it is in a wall at 2.2 m. The way between that
    /// wall and the ramp is free, and out of reach.
    #[test]
    fn a_sphere_does_not_get_past_a_wall_to_what_it_struck_behind_it() {
        let ramp = [[9.0, -1.0, 0.2], [11.0, -1.0, 0.4], [11.0, 1.0, 0.4], [9.0, 1.0, 0.2]];
        assert_stops_at(clipped(&[ramp, wall(2.2)], 0.5, 10.0), 1.7);
    }
}
