//! The scene of a case as the surroundings of its world, which keeps the last transition for comparison.

use std::cell::Cell;
use std::ops::ControlFlow;
use std::sync::{Mutex, PoisonError};

use acmotion::internals::collide::scene::{place_inspected, sweep_inspected};
use acmotion::internals::collide::{CollisionInfo, SubSteps, Transition, camera_view_inspected};
use acmotion::scene::{
    Arrival, CameraView, CellArray, Contact, GroundHit, Mover, Obstacle, Obstacles, Obstruction,
    PlacementError, Scene, SearchCylinder, Surroundings, SweepResult, Touch,
};
use acmotion::types::{CellId, CellPosition, Guid};

/// The cell whose list of objects counts for every cell, and the cell of all objects. Coordinates are relative to its
/// landblock.
pub(super) const HOME: CellId = CellId(0x7F7F_0001);

/// A transition that has ended, as far as it is not committed to the body.
#[derive(Clone)]
pub(super) struct Ended {
    pub(super) succeeded: bool,
    pub(super) arrival: Arrival,
    pub(super) info: CollisionInfo,
    pub(super) sub_steps: SubSteps,
    pub(super) cells: Vec<u32>,
    pub(super) touched: Vec<Guid>,
}

impl Ended {
    fn of(transition: &Transition<'_>) -> Self {
        Self {
            succeeded: false,
            arrival: transition.arrival(),
            info: *transition.info(),
            sub_steps: transition.sub_steps(),
            cells: transition.cells().iter().map(|cell| cell.0).collect(),
            touched: Vec::new(),
        }
    }
}

/// A scene in which, by the convention of the vectors, every cell lists all objects in their order. It keeps the last
/// transition.
pub(super) struct RecordingScene {
    scene: Scene,
    last: Mutex<Option<Ended>>,
}

impl RecordingScene {
    pub(super) fn new(scene: Scene) -> Self {
        Self { scene, last: Mutex::new(None) }
    }

    /// Removes and returns the last transition; `None` if there was none since the last call.
    pub(super) fn take_last(&self) -> Option<Ended> {
        self.last.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    fn keep(&self, ended: Option<Ended>, succeeded: bool, touched: &[Touch]) {
        let touched = touched.iter().map(|touch| touch.guid).collect();
        let ended = ended.map(|ended| Ended { succeeded, touched, ..ended });
        *self.last.lock().unwrap_or_else(PoisonError::into_inner) = ended;
    }

    /// Sweeps a camera from a pivot to an eye past obstacles, and keeps the transition.
    pub(super) fn camera_view(
        &self,
        body: &CellPosition,
        [pivot, eye]: [&CellPosition; 2],
        obstacles: &dyn Obstacles,
    ) -> CameraView {
        let mut found = (None, false);
        let listed = ListedEverywhere(obstacles);
        let view =
            camera_view_inspected(&self.scene, body, [pivot, eye], &listed, |transition, succeeded| {
                found = (Some(Ended::of(transition)), succeeded);
            });
        self.keep(found.0, found.1, &[]);
        view
    }
}

impl Surroundings for RecordingScene {
    fn sweep(
        &self,
        mover: &Mover<'_>,
        from: &CellPosition,
        to: &CellPosition,
        obstacles: &dyn Obstacles,
        touched: &mut Vec<Touch>,
    ) -> SweepResult {
        let (mut ended, listed) = (None, ListedEverywhere(obstacles));
        let swept = sweep_inspected(&self.scene, mover, [from, to], &listed, touched, |transition| {
            ended = Some(Ended::of(transition));
        });
        self.keep(ended, swept.arrival.is_some(), touched);
        swept
    }

    fn place(
        &self,
        mover: &Mover<'_>,
        at: &CellPosition,
        slide: bool,
        obstacles: &dyn Obstacles,
        touched: &mut Vec<Touch>,
    ) -> Result<Arrival, PlacementError> {
        let (mut ended, listed) = (None, ListedEverywhere(obstacles));
        let placed = place_inspected(&self.scene, mover, (at, slide), &listed, touched, |transition| {
            ended = Some(Ended::of(transition));
        });
        self.keep(ended, placed.is_ok(), touched);
        placed
    }

    fn is_free(&self, body: Guid, at: &CellPosition, obstacles: &dyn Obstacles) -> bool {
        self.scene.is_free(body, at, &ListedEverywhere(obstacles))
    }

    fn ground(&self, at: &CellPosition) -> Option<Contact> {
        self.scene.ground(at)
    }

    fn find_ground(&self, at: &CellPosition, obstacles: &dyn Obstacles) -> Option<GroundHit> {
        self.scene.find_ground(at, &ListedEverywhere(obstacles))
    }

    fn find_obstruction(
        &self,
        from: &CellPosition,
        to: &CellPosition,
        obstacles: &dyn Obstacles,
    ) -> Option<Obstruction> {
        self.scene.find_obstruction(from, to, &ListedEverywhere(obstacles))
    }

    fn land_height(&self, at: &CellPosition) -> Option<f32> {
        self.scene.land_height(at)
    }

    fn visible_rooms(&self, cell: CellId) -> &[CellId] {
        self.scene.visible_rooms(cell)
    }

    fn has_cell(&self, cell: CellId) -> bool {
        self.scene.has_cell(cell)
    }

    fn adjust_to_cell(&self, mover: &Mover<'_>, at: &CellPosition) -> Option<CellPosition> {
        self.scene.adjust_to_cell(mover, at)
    }

    fn restriction(&self, cell: CellId) -> Option<Guid> {
        self.scene.restriction(cell)
    }

    fn find_obstacle_cells(&self, _obstacle: &Obstacle<'_>, cells: &mut CellArray) {
        cells.clear();
        cells.add(HOME);
    }
}

/// The obstacles listed in [`HOME`], listed in every cell.
struct ListedEverywhere<'o>(&'o dyn Obstacles);

impl Obstacles for ListedEverywhere<'_> {
    fn visit<'a>(&'a self, _cell: CellId, visitor: &mut dyn FnMut(&Obstacle<'a>) -> ControlFlow<()>) {
        self.0.visit(HOME, visitor);
    }

    fn visit_near<'a>(
        &'a self,
        _cell: CellId,
        reach: &Cell<SearchCylinder>,
        visitor: &mut dyn FnMut(&Obstacle<'a>) -> ControlFlow<()>,
    ) {
        self.0.visit_near(HOME, reach, visitor);
    }

    fn may_enter(&self, mover: Guid, restriction: Guid) -> bool {
        self.0.may_enter(mover, restriction)
    }
}
