//! Placement: finding a free position for a body (`docs/collision.md` 10).

use acmotion_types::{CellPosition, EPS, Vec3};

use super::scene::Scene;
use super::transition::{Transition, TransitionState};
use super::{InsertType, LANDING_Z, Mover, Obstacles, Surroundings, Touch};

/// The maximum number of attempts at an insertion.
const ATTEMPTS: u32 = 3;
/// The maximum distance at which a free position is searched for, in metres.
#[doc(alias = "RING_MAX")]
const MAX_DISTANCE: f32 = 4.0;
/// The maximum distance for bodies with a radius below [`SMALL_RADIUS`], in metres.
const MAX_SMALL_DISTANCE: f32 = 2.0;
/// The radius, in metres, below which a body counts as small.
const SMALL_RADIUS: f32 = 0.125;
/// The minimum radius that other bodies are searched with, in metres.
const MIN_SEARCH_RADIUS: f32 = 0.48;
/// The value the original uses for π here.
#[expect(clippy::approx_constant, reason = "the original's value is a little too large")]
const RING_PI: f32 = 3.1416;

/// The rings on which a free position is searched for, from the inside out (`docs/collision.md` 10.5, 11.14).
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SearchRings {
    /// The number of rings.
    pub count: u32,
    /// The distance from one to the next, in metres.
    pub spacing: f32,
    /// Half the number of probes on the first ring, before rounding up.
    half_probes: f32,
}

impl SearchRings {
    /// Returns the rings for a body whose foot sphere has this radius; `None` if the radius is too large for any, or so
    /// small that there would be more than 256.
    pub fn for_radius(radius: f32) -> Option<Self> {
        let is_small = radius < SMALL_RADIUS;
        let reach = if is_small { MAX_SMALL_DISTANCE } else { MAX_DISTANCE };
        let radius = if is_small { radius } else { radius.max(MIN_SEARCH_RADIUS) };
        let ratio = if is_small { MAX_DISTANCE / radius * 0.5 } else { MAX_DISTANCE / radius };
        if !(ratio > 1.0 && ratio <= MAX_RINGS) {
            return None;
        }
        let count = ratio.ceil();
        let spacing = reach / count;
        Some(Self { count: count as u32, spacing, half_probes: spacing / radius * RING_PI })
    }

    /// Returns the number of positions tried on a ring, counted from 1.
    pub fn probes(&self, ring: u32) -> u32 {
        2 * (self.half_probes * ring as f32).ceil() as u32
    }
}

/// The maximum number of rings: more than a radius of a centimetre needs. The original has no limit, and would search for
/// hours for a body of no size.
const MAX_RINGS: f32 = 256.0;

/// The maximum number of positions that one search tries, from the inside out: all of them for a radius of 3 cm or more.
/// The original has no limit. A body of a centimetre has 200,000, each of them a test against everything near.
pub const MAX_PROBES: u32 = 16_384;

/// The maximum offset along +x and +y of a body that may not slide, in metres. Along −x and −y there is no limit, as in the
/// original.
#[doc(alias = "SNAP_TOL")]
const SNAP_TOLERANCE: f32 = 0.05;

impl<'a> Transition<'a> {
    /// Places a mover at or near a position. Returns the transition and whether a free position was found; `None` if
    /// there is no cell at the position, and the body is lost (`docs/collision.md` 10.2, 10.3).
    #[doc(alias = "CheckPositionInternal")]
    pub fn place_at(
        scene: &'a Scene,
        obstacles: &'a dyn Obstacles,
        mover: &'a Mover<'a>,
        at: &CellPosition,
        slide: bool,
        touched: &'a mut Vec<Touch>,
    ) -> Option<(Self, bool)> {
        let wanted = scene.adjust_to_cell(mover, at)?;
        let mut transition = Self::new(scene, obstacles, mover, (None, wanted), Some(wanted.cell), touched);
        transition.path.placement_allows_sliding = slide;
        let is_placed = transition.place() && (slide || transition.is_within_tolerance(&wanted));
        Some((transition, is_placed))
    }

    /// Returns `true` if a mover that may not slide ended near enough to the wanted position.
    fn is_within_tolerance(&self, wanted: &CellPosition) -> bool {
        let moved = self.path.current.frame.origin - wanted.frame.origin;
        moved.x < SNAP_TOLERANCE && moved.y < SNAP_TOLERANCE && self.path.current.cell == wanted.cell
    }

    /// Finds a free position at the wanted one or, if the body may slide, near it, then sets the body down on ground
    /// within a step. Returns `false` if there is no free position (`docs/collision.md` 10.4).
    #[doc(alias = "find_placement_position")]
    pub fn place(&mut self) -> bool {
        self.path.check_current();
        self.path.insert_type = InsertType::InitialPlacement;
        let mut outcome = self.push_out();
        if self.path.check_cell.is_some()
            && matches!(outcome, TransitionState::Adjusted | TransitionState::Slid)
        {
            outcome = self.push_out();
        }
        if !self.accept_placement(outcome) {
            return false;
        }
        self.path.insert_type = InsertType::Placement;
        if !self.find_free_position() {
            return false;
        }
        if self.mover.steps_down() {
            self.set_down();
        }
        self.accept_placement(TransitionState::Ok)
    }

    /// Runs one insertion that pushes the mover out of anything solid.
    fn push_out(&mut self) -> TransitionState {
        match self.insert_into_cell(ATTEMPTS) {
            TransitionState::Ok => self.check_other_cells(),
            outcome => outcome,
        }
    }

    /// Accepts the check position if the insertion succeeded and ended in a cell. Returns `true` if it did.
    fn accept_placement(&mut self, outcome: TransitionState) -> bool {
        let is_accepted = outcome == TransitionState::Ok && self.path.check_cell.is_some();
        if is_accepted {
            self.path.accept_check();
        }
        is_accepted
    }

    /// Accepts the check position if it is free, and returns `true` if it is. Otherwise, if the body may slide, what
    /// was found is cleared.
    fn try_check_position(&mut self) -> bool {
        self.info.sliding_valid = false;
        self.info.clear_contact();
        let outcome = self.transitional_insert(ATTEMPTS);
        let is_free = self.accept_placement(outcome);
        if !is_free
            && outcome != TransitionState::Ok
            && self.path.check_cell.is_some()
            && self.path.placement_allows_sliding
        {
            self.info.reset();
            self.touched.clear();
        }
        is_free
    }

    /// Searches for a free position, at the current position and then on rings around it (`docs/collision.md` 10.5).
    #[doc(alias = "find_placement_pos")]
    fn find_free_position(&mut self) -> bool {
        self.path.check_current();
        if self.try_check_position() {
            return true;
        }
        if !self.path.placement_allows_sliding {
            return false;
        }
        let Some(rings) = SearchRings::for_radius(self.path.radius()) else { return false };
        let mut left = MAX_PROBES;
        for ring in 1..=rings.count {
            let distance = rings.spacing * ring as f32;
            let probes = rings.probes(ring);
            for probe in 0..probes {
                if left == 0 {
                    return false;
                }
                left -= 1;
                let heading = (probe as f32 * 360.0 / probes as f32).to_radians();
                let (sin, cos) = libm::sincosf(heading);
                self.path.check_current();
                let offset = self.adjust_offset(Vec3::new(sin * distance, cos * distance, 0.0));
                if offset.length_squared() >= EPS * EPS {
                    self.path.add_offset(offset);
                    if self.try_check_position() {
                        return true;
                    }
                }
            }
        }
        false
    }

    /// Sets the body down on ground within a step. If there is none, it stays where it is, in the air.
    fn set_down(&mut self) {
        self.path.walkable_allowance = LANDING_Z;
        self.path.save_check();
        let previous = std::mem::replace(&mut self.path.insert_type, InsertType::Transition);
        let (_, found) = self.step_down_clamped(self.step_down_height, LANDING_Z);
        if !found {
            self.path.restore_check();
            self.info.clear_contact();
        }
        self.path.insert_type = previous;
        self.path.walkable = None;
    }
}

#[cfg(test)]
mod tests {
    use acmotion_types::{CellId, Guid};
    use acmotion_wire::PhysicsState;

    use super::*;
    use crate::collide::landscape::Landscape;
    use crate::collide::{InfinitePlane, MoverFlags, NoObstacles, Shape};

    /// `docs/collision.md` 10.5.
    #[test]
    fn a_free_position_is_first_looked_for_at_the_current_one() {
        let (ground, shape, mut touched) = (InfinitePlane::level(0.0), Shape::human(), Vec::new());
        let mover = Mover::new(Guid(1), &shape, 1.0, PhysicsState::GRAVITY, MoverFlags::empty());
        let cell = CellId(0xA9B4_0001);
        let [wanted, elsewhere] = [5.0, 6.0].map(|x| CellPosition::at(cell, Vec3::new(x, 12.0, 3.0)));
        let (landscape, path) = (Landscape::Plane(&ground), (None, wanted));
        let mut transition =
            Transition::through(landscape, &NoObstacles, &mover, path, Some(cell), &mut touched);
        transition.path.set_check(elsewhere, Some(cell));
        assert!(transition.find_free_position());
        assert_eq!(transition.path.current, wanted);
    }
}
