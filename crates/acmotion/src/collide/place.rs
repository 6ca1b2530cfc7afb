//! Finding room for a body (`docs/collision.md` 10).

use acmotion_types::{CellPosition, EPS, Vec3};

use super::path::DUMMY_SPHERE;
use super::scene::{Scene, Search};
use super::transition::{Transition, TransitionState};
use super::{InsertType, LANDING_Z, Mover, Obstacles, Touch};

const ATTEMPTS: u32 = 3;
/// How far off room is looked for, in metres.
#[doc(alias = "RING_MAX")]
const REACH: f32 = 4.0;
/// The same for bodies with a radius below [`SMALL`].
const SMALL_REACH: f32 = 2.0;
const SMALL: f32 = 0.125;
/// Other bodies count as if they had this radius at least.
const LEAST_RADIUS: f32 = 0.48;
/// The original's π here.
#[expect(clippy::approx_constant, reason = "it is a little too big")]
const RING_PI: f32 = 3.1416;

/// The circles on which room is looked for, from the inside out (`docs/collision.md` 10.5, 11.14).
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SearchRings {
    /// How many there are.
    pub count: u32,
    /// From one to the next.
    pub spacing: f32,
    /// By how much the angle of the first is accumulated.
    turn: f32,
}

impl SearchRings {
    /// Those of a body with a foot of that radius; none for one that is too big.
    pub fn of_radius(radius: f32) -> Option<Self> {
        let is_small = radius < SMALL;
        let reach = if is_small { SMALL_REACH } else { REACH };
        let radius = if is_small { radius } else { radius.max(LEAST_RADIUS) };
        let ratio = if is_small { REACH / radius * 0.5 } else { REACH / radius };
        if !(ratio > 1.0 && ratio <= MOST_RINGS) {
            return None;
        }
        let count = ratio.ceil();
        let spacing = reach / count;
        Some(Self { count: count as u32, spacing, turn: spacing / radius * RING_PI })
    }

    /// How many places are tried on a ring, from the first on.
    pub fn places(&self, ring: u32) -> u32 {
        2 * (self.turn * ring as f32).ceil() as u32
    }
}

/// More rings than a body of a centimetre needs. The original would look for hours for a body of nothing.
const MOST_RINGS: f32 = 256.0;

/// How far in the direction of x and y a body that may not slide may be moved, in metres. The other way there is no limit,
/// as in the original.
#[doc(alias = "SNAP_TOL")]
const SNAP: f32 = 0.05;

impl<'a> Transition<'a> {
    /// Finds room for a body; `None` if there is not even a cell for it, and it is lost then. Otherwise says whether there
    /// was room (`docs/collision.md` 10.2, 10.3).
    #[doc(alias = "CheckPositionInternal")]
    pub fn placed(
        scene: &'a Scene,
        obstacles: &'a dyn Obstacles,
        mover: &'a Mover<'a>,
        at: &CellPosition,
        slide: bool,
        touched: &'a mut Vec<Touch>,
    ) -> Option<(Self, bool)> {
        let mut wanted = *at;
        let foot =
            mover.shape.spheres().first().map_or(DUMMY_SPHERE.origin, |sphere| sphere.origin * mover.scale);
        let cell = scene.adjust_position(&mut wanted, foot, Search::Visible)?.id();
        let mut transition = Self::new(scene, obstacles, mover, (None, wanted), Some(cell), touched);
        transition.path.placement_allows_sliding = slide;
        let has_room = transition.place() && (slide || transition.is_near(&wanted));
        Some((transition, has_room))
    }

    fn is_near(&self, wanted: &CellPosition) -> bool {
        let moved = self.path.current.frame.origin - wanted.frame.origin;
        moved.x < SNAP && moved.y < SNAP && self.path.current.cell == wanted.cell
    }

    /// Finds room at the place, or, if it may slide, a little way off; then sets the body down on ground within a step.
    /// Says whether there was room (`docs/collision.md` 10.4).
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
        if !self.find_room() {
            return false;
        }
        if self.mover.steps_down() {
            self.set_down();
        }
        self.accept_placement(TransitionState::Ok)
    }

    fn push_out(&mut self) -> TransitionState {
        match self.insert_into_cell(ATTEMPTS) {
            TransitionState::Ok => self.check_other_cells(),
            outcome => outcome,
        }
    }

    fn accept_placement(&mut self, outcome: TransitionState) -> bool {
        let is_good = outcome == TransitionState::Ok && self.path.check_cell.is_some();
        if is_good {
            self.path.accept_check();
        }
        is_good
    }

    /// Is there room at the place that is tried? What was found where there is none is forgotten, if the body may slide.
    fn try_room(&mut self) -> bool {
        self.info.sliding_valid = false;
        self.info.clear_contact();
        let outcome = self.transitional_insert(ATTEMPTS);
        let has_room = self.accept_placement(outcome);
        if !has_room
            && outcome != TransitionState::Ok
            && self.path.check_cell.is_some()
            && self.path.placement_allows_sliding
        {
            self.info.reset();
            self.touched.clear();
        }
        has_room
    }

    /// At the place itself, or on rings around it (`docs/collision.md` 10.5).
    #[doc(alias = "find_placement_pos")]
    fn find_room(&mut self) -> bool {
        self.path.check_current();
        if self.try_room() {
            return true;
        }
        if !self.path.placement_allows_sliding {
            return false;
        }
        let Some(rings) = SearchRings::of_radius(self.path.radius()) else { return false };
        for ring in 1..=rings.count {
            let distance = rings.spacing * ring as f32;
            let places = rings.places(ring);
            for place in 0..places {
                let heading = (place as f32 * 360.0 / places as f32).to_radians();
                let (sin, cos) = libm::sincosf(heading);
                self.path.check_current();
                let offset = self.adjust_offset(Vec3::new(sin * distance, cos * distance, 0.0));
                if offset.length_squared() >= EPS * EPS {
                    self.path.add_offset(offset);
                    if self.try_room() {
                        return true;
                    }
                }
            }
        }
        false
    }

    /// Onto ground within a step; without any the body stays where it is, in the air.
    fn set_down(&mut self) {
        self.path.walkable_allowance = LANDING_Z;
        self.path.save_check();
        let before = std::mem::replace(&mut self.path.insert_type, InsertType::Transition);
        let (_, found) = self.step_down_in_parts(self.step_down_height, LANDING_Z);
        if !found {
            self.path.restore_check();
            self.info.clear_contact();
        }
        self.path.insert_type = before;
        self.path.walkable = None;
    }
}
