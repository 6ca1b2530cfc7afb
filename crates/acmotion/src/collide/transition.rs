//! The state of one sweep or placement (`docs/collision.md` 1.1, 2).

use acmotion_types::{CellId, CellPosition, Vec3};
use acmotion_wire::PhysicsState;

use super::geometry::PolygonId;
use super::landscape::Landscape;
use super::scene::{CellArray, Scene};
use super::trace::Recorder;
use super::{Arrival, Barrier, CollisionInfo, Mover, MoverFlags, Obstacle, Obstacles, SpherePath, Touch};
use crate::limits::MAX_TOUCHES;

/// The result of a test or of a whole insertion (`docs/collision.md` 0.2).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TransitionState {
    /// The insertion was not attempted.
    Invalid,
    /// Nothing is in the way, or a step up cleared it.
    Ok,
    /// A hard stop.
    Collided,
    /// The check position was moved; run the same tests again.
    Adjusted,
    /// The check position was moved along a surface; run the same tests again, and forget the contact plane.
    Slid,
}

/// The number of sub-steps of a sweep.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SubSteps {
    /// The number planned.
    pub planned: u32,
    /// The number done.
    pub done: u32,
}

/// One sweep or placement of a mover through a scene and past obstacles. Those do not change during it; whatever does is in
/// here.
///
/// It starts with the contact and sliding normal of its [`Mover`]. [`sweep`](Self::sweep) and [`place`](Self::place)
/// run the whole procedure; the tests they consist of are public too, so that each can be run on its own.
#[doc(alias = "CTransition")]
pub struct Transition<'a> {
    pub(super) landscape: Landscape<'a>,
    pub(super) obstacles: &'a dyn Obstacles,
    pub(super) mover: &'a Mover<'a>,
    pub(super) flags: MoverFlags,
    pub(super) step_up_height: f32,
    pub(super) step_down_height: f32,
    pub(super) path: SpherePath<'a>,
    pub(super) info: CollisionInfo,
    pub(super) cells: CellArray,
    pub(super) touched: &'a mut Vec<Touch>,
    pub(super) sub_steps: SubSteps,
    /// What was in the way last, for the reasons given to the body's owner. It decides nothing.
    pub(super) barrier: Option<Barrier>,
    /// The polygon that blocked the mover last, until the barrier that it belongs to is recorded.
    pub(super) struck: Option<PolygonId>,
    /// What happens on the way, if that is recorded. It decides nothing.
    pub(super) recorder: Option<Recorder>,
}

pub(super) const UP: Vec3 = Vec3::new(0.0, 0.0, 1.0);

impl<'a> Transition<'a> {
    /// Creates a transition along `path`, from a position in `cell` to another; without a start position it is a placement.
    /// `touched` is cleared, and the obstacles that the mover touches are added to it.
    pub fn new(
        scene: &'a Scene,
        obstacles: &'a dyn Obstacles,
        mover: &'a Mover<'a>,
        path: (Option<CellPosition>, CellPosition),
        cell: Option<CellId>,
        touched: &'a mut Vec<Touch>,
    ) -> Self {
        Self::through(Landscape::Scene(scene), obstacles, mover, path, cell, touched)
    }

    /// Creates a transition as [`new`](Self::new) does, through any landscape.
    pub(super) fn through(
        landscape: Landscape<'a>,
        obstacles: &'a dyn Obstacles,
        mover: &'a Mover<'a>,
        (begin, end): (Option<CellPosition>, CellPosition),
        cell: Option<CellId>,
        touched: &'a mut Vec<Touch>,
    ) -> Self {
        let mut info = CollisionInfo {
            contact_valid: mover.contact.is_some(),
            contact: mover.contact.unwrap_or_default(),
            last_known_valid: mover.last_known.is_some(),
            last_known: mover.last_known.unwrap_or_default(),
            frames_stationary_fall: mover.frames_stationary_fall,
            ..CollisionInfo::default()
        };
        if let Some(normal) = mover.sliding_normal {
            info.set_sliding_normal(normal);
        }
        touched.clear();
        Self {
            landscape,
            obstacles,
            mover,
            flags: mover.flags,
            step_up_height: mover.shape.step_up * mover.scale,
            step_down_height: mover.shape.step_down * mover.scale,
            path: SpherePath::new(mover, begin, end, cell),
            info,
            cells: CellArray::default(),
            touched,
            sub_steps: SubSteps::default(),
            barrier: None,
            struck: None,
            recorder: None,
        }
    }

    /// Creates a transition from one position to another (`docs/collision.md` 2.1). The sweep fails if the start is in no cell
    /// of the scene.
    pub fn for_sweep(
        scene: &'a Scene,
        obstacles: &'a dyn Obstacles,
        mover: &'a Mover<'a>,
        from: &CellPosition,
        to: &CellPosition,
        touched: &'a mut Vec<Touch>,
    ) -> Self {
        let cell = scene.cell(from.cell).map(|cell| cell.id());
        Self::new(scene, obstacles, mover, (Some(*from), *to), cell, touched)
    }

    /// Returns what has been found.
    pub fn info(&self) -> &CollisionInfo {
        &self.info
    }

    /// Returns what has been found, to be changed before a single test.
    pub fn info_mut(&mut self) -> &mut CollisionInfo {
        &mut self.info
    }

    /// Returns the positions and spheres.
    pub fn path(&self) -> &SpherePath<'a> {
        &self.path
    }

    /// Returns the positions and spheres, to be changed before a single test.
    pub fn path_mut(&mut self) -> &mut SpherePath<'a> {
        &mut self.path
    }

    /// Returns the cells that the spheres reached into when they were last searched for.
    pub fn cells(&self) -> &CellArray {
        &self.cells
    }

    /// Returns the number of sub-steps planned and done.
    pub fn sub_steps(&self) -> SubSteps {
        self.sub_steps
    }

    /// Returns what the body takes over from the transition (`docs/collision.md` 9).
    pub fn arrival(&self) -> Arrival {
        let info = &self.info;
        Arrival {
            position: self.path.current,
            in_cell: self.path.current_cell.is_some(),
            contact: info.contact,
            has_contact: info.contact_valid,
            sliding_normal: info.sliding_normal,
            is_sliding: info.sliding_valid,
            collision_normal: info.collision_valid.then_some(info.collision_normal),
            frames_stationary_fall: info.frames_stationary_fall,
            collided_with_environment: info.collided_with_environment,
        }
    }

    /// Returns `true` if the mover has a flag. Contact flags change from sub-step to sub-step.
    #[inline]
    pub(super) fn has(&self, flag: MoverFlags) -> bool {
        self.flags.contains(flag)
    }

    pub(super) fn is_missile(&self) -> bool {
        self.mover.state.contains(PhysicsState::MISSILE)
    }

    /// Stops the body's velocity: only recorded here, and applied after the transition.
    pub(super) fn kill_velocity(&mut self) {
        self.info.kills_velocity = true;
    }

    /// Records an obstacle that was touched, unless it has been already or [`MAX_TOUCHES`] others have been.
    #[doc(alias = "add_object")]
    pub(super) fn record_touch(&mut self, obstacle: &Obstacle<'_>) {
        let has_room = self.touched.len() < MAX_TOUCHES;
        if has_room && self.touched.iter().all(|touch| touch.guid != obstacle.guid) {
            let Obstacle { guid, state, flags, .. } = *obstacle;
            self.touched.push(Touch { guid, state, flags });
        }
    }
}
