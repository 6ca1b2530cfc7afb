//! A body against the polygons of a room, a building or a part of an obstacle (`docs/collision.md` 5.6.1–5.6.9).

use acmotion_dat::Sphere;
use acmotion_types::{CellPosition, Vec3};

use super::geometry::{Polygon, PolygonId, Solid, SolidSearch};
use super::path::{LocalSpace, Walkable};
use super::transition::{Transition, TransitionState};
use super::{InsertType, LANDING_Z, MoverFlags, Plane};

/// How often a body is pushed out of something solid (`docs/collision.md` 5.6.8).
#[doc(alias = "PLACE_ITER")]
const PUSHES: u32 = 20;
/// How often the camera's place is looked for, and when it is near enough (`docs/collision.md` 5.6.7).
#[doc(alias = "BISECT_MAX")]
const BISECTIONS: u32 = 15;
#[doc(alias = "BISECT_STOP")]
const NEAR_ENOUGH: f32 = 0.02;

impl<'a> Transition<'a> {
    /// Tests the body against a part with polygons at a place, unless it is out of reach (`docs/collision.md` 5.6.9).
    #[doc(alias = "CPhysicsPart::find_obj_collisions")]
    pub fn test_part(&mut self, solid: &'a Solid, position: &CellPosition, scale: f32) -> TransitionState {
        let space = self.path.in_space_of(position, scale);
        let reached = |sphere: &Sphere| solid.is_reached_by(sphere);
        if !space.spheres[..self.path.spheres().len()].iter().any(reached) {
            return TransitionState::Ok;
        }
        self.test_solid(solid, &space)
    }

    /// The same for what is tested wherever the body is.
    pub(super) fn test_solid(&mut self, solid: &'a Solid, space: &LocalSpace) -> TransitionState {
        if self.path.insert_type == InsertType::InitialPlacement {
            return self.push_out_of(solid, space);
        }
        if self.path.insert_type == InsertType::Placement || self.path.obstruction_ethereal {
            return self.overlap(solid, space);
        }
        let foot = &space.spheres[0];
        if self.path.check_walkable {
            let supported = solid.hits_walkable(foot, space.up, self.path.walkable_allowance);
            return if supported { TransitionState::Collided } else { TransitionState::Ok };
        }
        if self.path.step_down {
            let way = space.up * (-self.path.step_left() / space.scale);
            return self.stand_on(solid, space, way);
        }
        if self.path.collide {
            return self.stand_on(solid, space, space.movement());
        }
        self.bump_into(solid, space)
    }

    /// Does the centre of a sphere count as inside of something solid? Not in a building while the body is in a room.
    fn checks_centre(&self) -> bool {
        !(self.path.building_check && self.path.hits_interior_cell)
    }

    /// 5.6.1.1.
    fn overlap(&self, solid: &Solid, space: &LocalSpace) -> TransitionState {
        let check = self.checks_centre();
        let mut spheres = space.spheres[..self.path.spheres().len()].iter();
        if spheres.any(|sphere| solid.intersects_solid(sphere, check)) {
            TransitionState::Collided
        } else {
            TransitionState::Ok
        }
    }

    /// 5.6.1.4 and 5.6.3: puts the foot back along a way onto what can be stood on. Walls do not count here.
    fn stand_on(&mut self, solid: &'a Solid, space: &LocalSpace, way: Vec3) -> TransitionState {
        let mut foot = space.spheres[0];
        let allowance = self.path.walkable_allowance;
        let Some(id) = solid.find_walkable(&mut foot, &mut self.path.walk_interp, way, space.up, allowance)
        else {
            return TransitionState::Ok;
        };
        let polygon = solid.polygon(id);
        self.path.add_offset(space.in_world(foot.origin - space.spheres[0].origin) * space.scale);
        let plane = self.plane_to_world(&polygon.plane, space);
        self.info.set_contact(plane, false, self.path.check.cell);
        self.path.walkable = Some(Walkable {
            polygon,
            id,
            sphere: foot,
            up: space.up,
            position: space.position,
            scale: space.scale,
        });
        TransitionState::Adjusted
    }

    /// 5.6.5. The distance is multiplied by the scale of the whole, which is wrong for a scaled part: the original's.
    pub fn plane_to_world(&self, plane: &Plane, space: &LocalSpace) -> Plane {
        let normal = space.in_world(plane.normal);
        let shift = self.path.check.cell.block_offset(space.position.cell);
        let point = space.position.frame.local_to_global(plane.normal * -plane.d) + shift;
        Plane::new(normal, -normal.dot(point) * space.scale)
    }

    /// 5.6.1.5–7: what happens to a body that goes its way.
    fn bump_into(&mut self, solid: &'a Solid, space: &LocalSpace) -> TransitionState {
        let way = space.movement();
        let mut struck = None;
        let facing = solid.intersects_poly(&space.spheres[0], way, &mut struck);
        let normal = |id: PolygonId| space.in_world(solid.polygon(id).plane.normal);
        if self.is(MoverFlags::CONTACT) {
            if let (true, Some(id)) = (facing, struck) {
                return if self.step_up(normal(id)) { TransitionState::Ok } else { self.step_up_slide() };
            }
            return self.bump_head_into(solid, space, struck);
        }
        if let Some(id) = struck {
            if self.is(MoverFlags::PATH_CLIPPED) {
                return self.stop_at(solid, id, space);
            }
            self.path.set_collide(normal(id));
            self.path.walkable_allowance = LANDING_Z;
            return TransitionState::Adjusted;
        }
        if self.is(MoverFlags::PATH_CLIPPED) || !self.path.has_head() {
            return TransitionState::Ok;
        }
        let mut struck = None;
        solid.intersects_poly(&space.spheres[1], way, &mut struck);
        let Some(id) = struck else { return TransitionState::Ok };
        self.info.set_collision_normal(normal(id));
        TransitionState::Collided
    }

    /// A walker whose foot has nothing before it. What head or foot touched from behind is noted for later
    /// (`docs/collision.md` 5.7).
    fn bump_head_into(
        &mut self,
        solid: &Solid,
        space: &LocalSpace,
        foot: Option<PolygonId>,
    ) -> TransitionState {
        if !self.path.has_head() {
            return TransitionState::Ok;
        }
        let normal = |id: PolygonId| space.in_world(solid.polygon(id).plane.normal);
        let mut head = None;
        let facing = solid.intersects_poly(&space.spheres[1], space.movement(), &mut head);
        match (head, foot) {
            (Some(id), _) if facing => return self.slide(0, normal(id)),
            (Some(id), _) => self.path.struck_behind = Some((-normal(id), false)),
            (None, Some(id)) => self.path.struck_behind = Some((-normal(id), true)),
            (None, None) => {}
        }
        TransitionState::Ok
    }

    /// 5.6.6: a hard stop; the camera goes on to where it touches.
    fn stop_at(&mut self, solid: &Solid, id: PolygonId, space: &LocalSpace) -> TransitionState {
        let foot = &space.spheres[0];
        let mut polygon = solid.polygon(id);
        let normal = space.in_world(polygon.plane.normal);
        if !self.is(MoverFlags::PERFECT_CLIP) {
            self.info.set_collision_normal(normal);
            return TransitionState::Collided;
        }
        let Some(centre) = clip(solid, foot, space.current_centre[0], &mut polygon) else {
            return TransitionState::Collided;
        };
        self.info.set_collision_normal(normal);
        self.path.add_offset(space.in_world(centre - foot.origin) * space.scale);
        TransitionState::Adjusted
    }

    /// 5.6.8: pushes a body that is placed out of what is solid, polygon by polygon.
    fn push_out_of(&mut self, solid: &Solid, space: &LocalSpace) -> TransitionState {
        let [mut foot, mut head] = space.spheres;
        let mut radius = foot.radius;
        let check = self.checks_centre();
        let mut hit = None;
        for round in 0..PUSHES {
            let mut search = SolidSearch { hit, centre_solid: false };
            let centre = if solid.intersects_solid_poly(&foot, radius, check, &mut search) {
                foot.origin
            } else if self.path.has_head() && solid.intersects_solid_poly(&head, radius, check, &mut search) {
                head.origin
            } else if round == 0 {
                return TransitionState::Ok;
            } else {
                self.path.add_offset(space.in_world(foot.origin - space.spheres[0].origin));
                return TransitionState::Adjusted;
            };
            hit = None;
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

/// Where on its way from `start` a sphere comes to touch polygons without overlapping one (`docs/collision.md` 5.6.7).
#[doc(alias = "adjust_to_plane")]
fn clip<'s>(solid: &'s Solid, sphere: &Sphere, start: Vec3, polygon: &mut Polygon<'s>) -> Option<Vec3> {
    let way = sphere.origin - start;
    let overlaps = |time: f32| {
        let moved = Sphere { origin: start + way * time, ..*sphere };
        let mut struck = None;
        let hit = solid.intersects_poly(&moved, way, &mut struck);
        (hit, struck.map(|id| solid.polygon(id)))
    };
    let (mut low, mut high, mut round) = (0.0, 1.0, 0);
    loop {
        let time = polygon.touch_time(sphere.radius, start, way);
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
        if round >= BISECTIONS {
            return None;
        }
    }
    while round < BISECTIONS {
        let middle = (low + high) * 0.5;
        if overlaps(middle).0 {
            high = middle
        } else {
            low = middle
        }
        if high - low < NEAR_ENOUGH {
            break;
        }
        round += 1;
    }
    Some(start + way * low)
}
