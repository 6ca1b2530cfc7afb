//! Arguments from JavaScript and results for it.

use acmotion::EntityFilter;
use acmotion::scene::SweepKind;
use acmotion::types::{CellId, CellPosition, Era, Frame, Guid, Quat, Vec3};
use acmotion::wire::Direction;
use acmotion::{FollowGoal, Pace, WalkGoal};
use serde_json::{Value, json};

use crate::errors::{Kind, Outcome};

/// Returns what a name stands for, or an error that lists the names.
pub(crate) fn named<T: Copy>(what: &str, name: &str, known: &[(&str, T)]) -> Outcome<T> {
    let found = known.iter().find(|(known, _)| *known == name);
    found.map(|(_, value)| *value).ok_or_else(|| {
        let names: Vec<&str> = known.iter().map(|(known, _)| *known).collect();
        Kind::Argument.error(format_args!("`{name}` is no {what}: expected one of {}", names.join(", ")))
    })
}

/// Parses the version of the client that defines the numbers of motion commands.
pub(crate) fn era(name: &str) -> Outcome<Era> {
    named("era", name, &[("retail", Era::EndOfRetail), ("2013", Era::September2013)])
}

/// Parses a direction.
pub(crate) fn direction(name: &str) -> Outcome<Direction> {
    named("direction", name, &[("S2C", Direction::S2C), ("C2S", Direction::C2S)])
}

/// Parses the kind of a sweep.
pub(crate) fn sweep_kind(name: &str) -> Outcome<SweepKind> {
    named("kind of sweep", name, &[("walk", SweepKind::Walk), ("fly", SweepKind::Fly)])
}

/// Parses which entities a question takes into account.
pub(crate) fn filter<'a>(name: &str, ignored: &'a [Guid]) -> Outcome<EntityFilter<'a>> {
    let known =
        [("none", EntityFilter::NONE), ("objects", EntityFilter::OBJECTS), ("all", EntityFilter::ALL)];
    Ok(named("set of entities", name, &known)?.except(ignored))
}

/// Parses whether to walk or run.
fn pace(name: &str) -> Outcome<Pace> {
    named("pace", name, &[("walk", Pace::Walk), ("run", Pace::Run), ("automatic", Pace::Automatic)])
}

/// Returns a goal to walk to with its options.
pub(crate) fn walk_goal(
    position: &[f64],
    within: f32,
    pace_name: &str,
    heading: Option<f32>,
    timeout: Option<f32>,
) -> Outcome<WalkGoal> {
    let mut goal = WalkGoal::new(self::position(position)?).within(within);
    (goal.pace, goal.heading, goal.timeout) = (pace(pace_name)?, heading, timeout);
    Ok(goal)
}

/// Returns a goal to follow with its options.
pub(crate) fn follow_goal(within: f32, pace_name: &str, timeout: Option<f32>) -> Outcome<FollowGoal> {
    let mut goal = FollowGoal::from(within).pace(pace(pace_name)?);
    goal.timeout = timeout;
    Ok(goal)
}

/// Returns the guids of a list.
pub(crate) fn guids(list: &[u32]) -> Vec<Guid> {
    list.iter().copied().map(Guid).collect()
}

/// Returns the position that eight numbers stand for: the cell, the origin, and the rotation as w, x, y, z.
pub(crate) fn position(numbers: &[f64]) -> Outcome<CellPosition> {
    let [cell, x, y, z, qw, qx, qy, qz] = *numbers else {
        return Err(
            Kind::Argument.error(format_args!("a position has eight numbers, found {}", numbers.len()))
        );
    };
    let [x, y, z, qw, qx, qy, qz] = [x, y, z, qw, qx, qy, qz].map(|number| number as f32);
    let rotation = Quat { w: qw, x: qx, y: qy, z: qz };
    Ok(CellPosition::new(CellId(cell as u32), Frame::new(Vec3::new(x, y, z), rotation)))
}

/// Returns a position as eight numbers.
pub(crate) fn numbers(position: &CellPosition) -> Vec<f64> {
    let (Vec3 { x, y, z }, Quat { w, x: qx, y: qy, z: qz }) =
        (position.frame.origin, position.frame.rotation);
    let floats = [x, y, z, w, qx, qy, qz].map(f64::from);
    std::iter::once(f64::from(position.cell.0)).chain(floats).collect()
}

/// Returns a position as JSON, a list of eight numbers.
pub(crate) fn position_json(position: &CellPosition) -> Value {
    json!(numbers(position))
}

/// Returns a vector.
pub(crate) fn vector(numbers: &[f32]) -> Outcome<Vec3> {
    let [x, y, z] = *numbers else {
        return Err(Kind::Argument.error(format_args!("a vector has three numbers, found {}", numbers.len())));
    };
    Ok(Vec3::new(x, y, z))
}

/// Returns a vector as JSON.
pub(crate) fn vector_json(v: Vec3) -> Value {
    json!(<[f32; 3]>::from(v))
}
