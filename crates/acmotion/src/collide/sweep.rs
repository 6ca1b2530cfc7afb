//! From one place to another, sub-step by sub-step (`docs/collision.md` 3.1–3.4).

use acmotion_types::{EPS, Quat, Vec3};

use super::transition::{SubSteps, Transition, TransitionState};
use super::{Contact, MoverFlags};

/// More sub-steps than anything makes at the top speed of 50 m/s: the original knows no limit, and numbers that are hostile
/// are refused.
const MOST_SUB_STEPS: f32 = 4096.0;
const ATTEMPTS: u32 = 3;

/// How a way is cut into sub-steps (`docs/collision.md` 3.2).
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SubStepPlan {
    /// How many there are.
    pub count: u32,
    /// Each of them.
    pub step: Vec3,
    /// The last of them.
    pub last_step: Vec3,
}

impl SubStepPlan {
    /// Steps of a radius at most; for the camera exactly a radius, but the last. `None` if they would be too many, or the
    /// way is not finite.
    #[doc(alias = "calc_num_steps")]
    pub fn new(way: Vec3, radius: f32, is_viewer: bool) -> Option<Self> {
        let length = way.length();
        let ratio = length / radius;
        let is_short = length <= EPS || radius <= 0.0;
        if !length.is_finite() || (!is_short && ratio > MOST_SUB_STEPS) {
            return None;
        }
        if is_viewer {
            if is_short {
                return Some(Self { count: 0, step: way, last_step: way });
            }
            let whole = ratio.floor();
            let last_step = way * ((length - radius * whole) / length);
            return Some(Self { count: whole as u32 + 1, step: way * (radius / length), last_step });
        }
        if radius > 0.0 && ratio > 1.0 {
            let count = ratio.ceil();
            let step = way * (1.0 / count);
            return Some(Self { count: count as u32, step, last_step: step });
        }
        Some(Self { count: u32::from(way != Vec3::ZERO), step: way, last_step: way })
    }
}

impl Transition<'_> {
    /// Goes where it wants. Says whether that could be done; a body that is pushed straight into what it slides along cannot
    /// (`docs/collision.md` 3.3).
    #[doc(alias = "find_transitional_position")]
    pub fn sweep(&mut self) -> bool {
        let (Some(begin), Some(_)) = (self.path.begin, self.path.current_cell) else { return false };
        let (way, wanted) = (begin.offset_to(&self.path.end), self.path.end.frame.rotation);
        let is_viewer = self.is(MoverFlags::IS_VIEWER);
        let Some(plan) = SubStepPlan::new(way, self.path.radius(), is_viewer) else { return false };
        self.sub_steps = SubSteps { planned: plan.count, done: 0 };
        let turns_at_once = self.is(MoverFlags::FREE_ROTATE);
        if turns_at_once || plan.count == 0 {
            self.path.current.frame.rotation = wanted;
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
                return index > 1 && outcome == TransitionState::Ok;
            }
            if !turns_at_once {
                self.turn(begin.frame.rotation, wanted, index, plan.count);
            }
            self.info.sliding_valid = false;
            self.info.clear_contact();
            self.path.add_offset(offset);
            let inserted = self.transitional_insert(ATTEMPTS);
            outcome = self.validate_transition(inserted);
            self.sub_steps.done = index;
            let is_clipped = self.info.collision_valid && self.is(MoverFlags::PATH_CLIPPED);
            if self.info.frames_stationary_fall != 0 || is_clipped {
                break;
            }
        }
        outcome == TransitionState::Ok
    }

    /// Turns along the way; the last sub-step ends turned as wanted. The spheres follow when they are next looked at through
    /// the frame: at once for polygons, later for everything else.
    fn turn(&mut self, from: Quat, to: Quat, index: u32, count: u32) {
        let frame = &mut self.path.check.frame;
        if index == count {
            frame.rotation = to;
        } else {
            frame.set_rotation(Quat::interpolate(from, to, index as f32 / count as f32));
        }
    }

    /// Makes an offset follow the ground and what the body slides along: uphill it is projected onto the plane, downhill its
    /// height follows the plane (`docs/collision.md` 3.4, rule Q10).
    pub fn adjust_offset(&mut self, offset: Vec3) -> Vec3 {
        let sliding = self.info.sliding_normal;
        self.info.sliding_valid &= offset.dot(sliding) < 0.0;
        let slides = self.info.sliding_valid;
        if !self.info.contact_valid {
            return if slides { offset - sliding * offset.dot(sliding) } else { offset };
        }
        let contact = self.info.contact;
        let normal = contact.plane.normal;
        let off = offset.dot(normal);
        let adjusted = if slides {
            let crease = normal.cross(sliding).normalized();
            crease.map_or(Vec3::ZERO, |crease| crease * crease.dot(offset))
        } else if off <= 0.0 {
            offset - normal * off
        } else if normal.z.abs() > EPS {
            Vec3 { z: -(offset.x * normal.x + offset.y * normal.y) / normal.z, ..offset }
        } else {
            offset
        };
        self.unsink(&contact);
        adjusted
    }

    /// Lifts a body whose foot is deeper in what it stands on than touching; on a slope of land it always is.
    fn unsink(&mut self, contact: &Contact) {
        if contact.is_water || contact.cell.0 == 0 {
            return;
        }
        let radius = self.path.radius();
        let centre = self.path.global[0].origin - self.path.check.cell.block_offset(contact.cell);
        let distance = contact.plane.distance(centre);
        if distance < radius - EPS {
            let lift = (radius - distance) / contact.plane.normal.z;
            if lift.abs() < radius {
                self.path.add_offset(Vec3::new(0.0, 0.0, lift));
            }
        }
    }
}
