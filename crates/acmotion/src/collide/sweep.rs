//! The sweep: sub-steps, and the offset of each made to follow the ground (`docs/collision.md` 3.1–3.4).

use acmotion_types::{EPS, Quat, Vec3};

use super::transition::{SubSteps, Transition, TransitionState};
use super::{Contact, MoverFlags, Plane, SweepNote};

/// The maximum number of sub-steps. The original has no limit; this one is out of reach for any body at the maximum
/// speed of 50 m/s, and bounds the work that hostile positions can cause.
const MAX_SUB_STEPS: f32 = 4096.0;
/// The maximum number of attempts at an insertion.
pub(super) const ATTEMPTS: u32 = 3;

/// The division of a displacement into sub-steps (`docs/collision.md` 3.2).
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SubStepPlan {
    /// The number of sub-steps.
    pub count: u32,
    /// The offset of each but the last.
    pub step: Vec3,
    /// The offset of the last.
    pub last_step: Vec3,
}

impl SubStepPlan {
    /// Divides a displacement into steps of at most `radius`; for the camera all but the last are exactly that long. `None`
    /// if there would be too many, or the displacement is not finite.
    #[doc(alias = "calc_num_steps")]
    pub fn new(displacement: Vec3, radius: f32, is_viewer: bool) -> Option<Self> {
        let length = displacement.length();
        let ratio = length / radius;
        let is_short = length <= EPS || radius <= 0.0;
        if !length.is_finite() || (!is_short && ratio > MAX_SUB_STEPS) {
            return None;
        }
        if is_viewer {
            if is_short {
                return Some(Self { count: 0, step: displacement, last_step: displacement });
            }
            let whole = ratio.floor();
            let step = displacement * (radius / length);
            let last_step = displacement * ((length - radius * whole) / length);
            return Some(Self { count: whole as u32 + 1, step, last_step });
        }
        if radius > 0.0 && ratio > 1.0 {
            let count = ratio.ceil();
            let step = displacement * (1.0 / count);
            return Some(Self { count: count as u32, step, last_step: step });
        }
        let count = u32::from(displacement != Vec3::ZERO);
        Some(Self { count, step: displacement, last_step: displacement })
    }
}

impl Transition<'_> {
    /// Moves to the wanted position. Returns `false` if the sweep failed, as it does for a body that is pushed straight
    /// into what it slides along (`docs/collision.md` 3.3).
    #[doc(alias = "find_transitional_position")]
    pub fn sweep(&mut self) -> bool {
        let (Some(begin), Some(_)) = (self.path.begin, self.path.current_cell) else { return false };
        let displacement = begin.offset_to(&self.path.end);
        let rotation = self.path.end.frame.rotation;
        let is_viewer = self.has(MoverFlags::IS_VIEWER);
        let Some(plan) = SubStepPlan::new(displacement, self.path.radius(), is_viewer) else { return false };
        self.sub_steps = SubSteps { planned: plan.count, done: 0 };
        let turns_at_once = self.has(MoverFlags::FREE_ROTATE);
        if turns_at_once || plan.count == 0 {
            self.path.current.frame.rotation = rotation;
        }
        self.path.check_current();
        if plan.count == 0 {
            self.build_cell_array();
            return true;
        }
        let mut outcome = TransitionState::Ok;
        for index in 1..=plan.count {
            let step = if index == plan.count { plan.last_step } else { plan.step };
            let offset = self.adjust_offset(step);
            if !is_viewer && offset.length_squared() < EPS * EPS {
                if self.info.sliding_valid {
                    self.note(SweepNote::Pressed { normal: self.info.sliding_normal });
                }
                return index > 1 && outcome == TransitionState::Ok;
            }
            if !turns_at_once {
                self.turn_check(begin.frame.rotation, rotation, index, plan.count);
            }
            // Flags are cleared in the order of `docs/collision.md` 3.10: sliding by `adjust_offset` if at all, then both.
            self.info.sliding_valid = false;
            self.info.clear_contact();
            self.path.add_offset(offset);
            let inserted = self.transitional_insert(ATTEMPTS);
            outcome = self.validate_transition(inserted);
            self.sub_steps.done = index;
            let is_clipped = self.info.collision_valid && self.has(MoverFlags::PATH_CLIPPED);
            if self.info.frames_stationary_fall != 0 || is_clipped {
                break;
            }
        }
        outcome == TransitionState::Ok
    }

    /// Turns the check position along the path; the last sub-step ends with the wanted rotation. The spheres follow
    /// when they are next computed from the frame: at once for polygons, later for everything else.
    fn turn_check(&mut self, from: Quat, to: Quat, index: u32, count: u32) {
        let frame = &mut self.path.check.frame;
        if index == count {
            frame.rotation = to;
        } else {
            frame.set_rotation(Quat::interpolate(from, to, index as f32 / count as f32));
        }
    }

    /// Makes an offset follow the contact plane and the surface the body slides along. Uphill it is projected onto the
    /// plane, downhill its z follows the plane (`docs/collision.md` 3.4, rule Q10). In the first sub-step that is the plane
    /// the body brought along, even if a new slope begins (rule S4).
    pub fn adjust_offset(&mut self, offset: Vec3) -> Vec3 {
        let sliding = self.info.sliding_normal;
        self.info.sliding_valid &= offset.dot(sliding) < 0.0;
        let is_sliding = self.info.sliding_valid;
        if !self.info.contact_valid {
            return if is_sliding { offset - sliding * offset.dot(sliding) } else { offset };
        }
        let contact = self.info.contact;
        let adjusted = if is_sliding {
            let crease = contact.plane.normal.cross(sliding).normalized();
            crease.map_or(Vec3::ZERO, |crease| crease * crease.dot(offset))
        } else {
            along_plane(offset, &contact.plane)
        };
        self.unsink(&contact);
        adjusted
    }

    /// Lifts a body whose foot sphere is deeper in the contact plane than touching, as it always is on sloped land.
    fn unsink(&mut self, contact: &Contact) {
        if contact.is_water || contact.cell.0 == 0 {
            return;
        }
        let centre = self.path.global[0].origin - self.path.check.cell.block_offset(contact.cell);
        if let Some(lift) = lift_out_of(&contact.plane, centre, self.path.radius()) {
            self.path.add_offset(Vec3::new(0.0, 0.0, lift));
        }
    }
}

/// Makes an offset follow the plane that a body stands on (`docs/collision.md` 3.4).
pub(super) fn along_plane(offset: Vec3, plane: &Plane) -> Vec3 {
    let normal = plane.normal;
    let away = offset.dot(normal);
    if away <= 0.0 {
        offset - normal * away
    } else if normal.z.abs() > EPS {
        Vec3 { z: -(offset.x * normal.x + offset.y * normal.y) / normal.z, ..offset }
    } else {
        offset
    }
}

/// Returns by how much a sphere that is deeper in a plane than touching is lifted. `None` if it is not, or if that would
/// be too much.
pub(super) fn lift_out_of(plane: &Plane, centre: Vec3, radius: f32) -> Option<f32> {
    let distance = plane.distance(centre);
    let lift = (radius - distance) / plane.normal.z;
    (distance < radius - EPS && lift.abs() < radius).then_some(lift)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_displacement_of_too_many_sub_steps_is_refused() {
        let plan = |length: f32| SubStepPlan::new(Vec3::new(length, 0.0, 0.0), 0.5, false);
        assert_eq!(plan(2048.0).map(|plan| plan.count as f32), Some(MAX_SUB_STEPS));
        for length in [2049.0, 1e30, f32::MAX, f32::INFINITY, f32::NAN] {
            assert_eq!(plan(length), None, "{length}");
        }
    }
}
