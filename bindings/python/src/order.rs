//! Orders to creatures, and the options of requests to walk and to follow.

use acmotion::components;
use acmotion::types::Guid;
use acmotion::{FollowGoal, Pace, WalkGoal};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::position::Position;

/// An order to go or turn somewhere, for `World.order`.
#[pyclass(frozen, module = "acmotion", from_py_object)]
#[derive(Clone, Copy)]
pub(crate) struct Order(pub(crate) components::Order);

/// Parses whether to walk or run.
pub(crate) fn pace(name: &str) -> PyResult<Pace> {
    match name {
        "walk" => Ok(Pace::Walk),
        "run" => Ok(Pace::Run),
        "automatic" => Ok(Pace::Automatic),
        other => {
            Err(PyValueError::new_err(format!("`{other}` is not a pace: expected walk, run or automatic")))
        }
    }
}

/// Returns an error unless a number is finite.
fn finite(name: &str, number: f32) -> PyResult<f32> {
    if number.is_finite() {
        return Ok(number);
    }
    Err(PyValueError::new_err(format!("{name} is {number}, expected a finite number")))
}

/// Returns a goal to walk to with its options.
pub(crate) fn walk_goal(
    position: Position,
    within: f32,
    pace_name: &str,
    heading: Option<f32>,
    timeout: Option<f32>,
) -> PyResult<WalkGoal> {
    let mut goal = WalkGoal::new(position.0).within(finite("within", within)?);
    goal.pace = pace(pace_name)?;
    goal.heading = heading.map(|heading| finite("heading", heading)).transpose()?;
    goal.timeout = timeout.map(|timeout| finite("timeout", timeout)).transpose()?;
    Ok(goal)
}

/// Returns a goal to follow with its options.
pub(crate) fn follow_goal(within: f32, pace_name: &str, timeout: Option<f32>) -> PyResult<FollowGoal> {
    let mut goal = FollowGoal::from(finite("within", within)?).pace(pace(pace_name)?);
    goal.timeout = timeout.map(|timeout| finite("timeout", timeout)).transpose()?;
    Ok(goal)
}

#[pymethods]
impl Order {
    /// Goes to a position, up to `within` metres from its hull.
    #[staticmethod]
    #[pyo3(signature = (position, *, within = 0.6, pace = "walk", heading = None, timeout = None))]
    fn move_to(
        position: Position,
        within: f32,
        pace: &str,
        heading: Option<f32>,
        timeout: Option<f32>,
    ) -> PyResult<Self> {
        Ok(Self(walk_goal(position, within, pace, heading, timeout)?.into()))
    }

    /// Runs to an entity, wherever it goes, up to 0.6 m between the hulls of the two.
    #[staticmethod]
    fn chase(guid: u32) -> Self {
        Self(components::Order::chase(Guid(guid)))
    }

    /// Turns to a heading in degrees.
    #[staticmethod]
    fn turn_to(heading: f32) -> PyResult<Self> {
        Ok(Self(components::Order::turn_to_heading(finite("heading", heading)?)))
    }

    /// Turns to an entity.
    #[staticmethod]
    fn face(guid: u32) -> Self {
        Self(components::Order::face(Guid(guid)))
    }

    fn __repr__(&self) -> &'static str {
        match self.0 {
            components::Order::MoveToObject { .. } => "<Order MoveToObject>",
            components::Order::MoveToPosition { .. } => "<Order MoveToPosition>",
            components::Order::TurnToObject { .. } => "<Order TurnToObject>",
            components::Order::TurnToHeading { .. } => "<Order TurnToHeading>",
        }
    }
}
