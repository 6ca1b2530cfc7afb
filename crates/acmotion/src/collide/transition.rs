//! One body on its way (`docs/collision.md` 1.1, 2).

use acmotion_types::{CellId, CellPosition, Vec3};
use acmotion_wire::PhysicsState;

use super::landscape::Landscape;
use super::scene::{CellArray, Scene};
use super::{Arrival, CollisionInfo, Mover, MoverFlags, Obstacle, Obstacles, SpherePath, Touch};

/// What a test, or a whole insertion, came to (`docs/collision.md` 0.2).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TransitionState {
    /// It could not be done at all.
    Invalid,
    /// Nothing is in the way, or a step up got over it.
    Ok,
    /// A hard stop.
    Collided,
    /// The place was moved; the same tests are to be run again.
    Adjusted,
    /// The place was moved along a surface; the same tests are to be run again, and what was stood on is forgotten.
    Slid,
}

/// The ends of the sub-steps of a sweep.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SubSteps {
    /// How many there were to be.
    pub planned: u32,
    /// How many were done.
    pub done: u32,
}

/// One body on its way through a scene and past obstacles, all of which stay as they are: whatever changes is in here.
///
/// A new one knows what its [`Mover`] knows. [`sweep`](Self::sweep) and [`place`](Self::place) do the whole; the parts they
/// are made of are open too, so that each can be tried by itself.
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
}

pub(super) const UP: Vec3 = Vec3::new(0.0, 0.0, 1.0);

impl<'a> Transition<'a> {
    /// A body about to go from a place in a cell to another place; without one, about to be placed. Obstacles that it
    /// touches are added to `touched`.
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

    /// As [`new`](Self::new), through any landscape.
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
        }
    }

    /// A body about to go from one place to another.
    pub fn to_sweep(
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

    /// What it has found.
    pub fn info(&self) -> &CollisionInfo {
        &self.info
    }

    /// What it has found, to be changed before a test of a part.
    pub fn info_mut(&mut self) -> &mut CollisionInfo {
        &mut self.info
    }

    /// Where it is.
    pub fn path(&self) -> &SpherePath<'a> {
        &self.path
    }

    /// Where it is, to be changed before a test of a part.
    pub fn path_mut(&mut self) -> &mut SpherePath<'a> {
        &mut self.path
    }

    /// The cells that its spheres touch, as last looked for.
    pub fn cells(&self) -> &CellArray {
        &self.cells
    }

    /// How many sub-steps there were to be, and were done.
    pub fn sub_steps(&self) -> SubSteps {
        self.sub_steps
    }

    /// What the body takes over (`docs/collision.md` 9).
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

    #[inline]
    pub(super) fn is(&self, flag: MoverFlags) -> bool {
        self.flags.contains(flag)
    }

    pub(super) fn is_missile(&self) -> bool {
        self.mover.state.contains(PhysicsState::MISSILE)
    }

    /// The way took the body's velocity; its owner is told afterwards.
    pub(super) fn kill_velocity(&mut self) {
        self.info.kills_velocity = true;
    }

    /// Notes an obstacle that was touched.
    #[doc(alias = "add_object")]
    pub(super) fn touch(&mut self, obstacle: &Obstacle<'_>) {
        if self.touched.iter().all(|touch| touch.guid != obstacle.guid) {
            let Obstacle { guid, state, flags, .. } = *obstacle;
            self.touched.push(Touch { guid, state, flags });
        }
    }
}
