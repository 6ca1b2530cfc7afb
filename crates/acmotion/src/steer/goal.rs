//! Goals of walks, for the local player and for creatures, and the orders made of them.

use acmotion_types::{CellPosition, Guid};
use acmotion_wire::MoveFlags;

use super::limits::{OrderLimits, PATIENCE_SECONDS};
use super::order::Order;
use crate::collide::{NoObstacles, Surroundings};
use crate::entity::Actor;
use crate::interp::MovementParams;

/// The height above a point, in metres, from which the ground under it is looked for, so that a point on the ground is not
/// below it.
const CLEARANCE: f32 = 0.1;

/// Whether a body walks or runs to its goal (rule J3).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Pace {
    /// It walks.
    Walk,
    /// It runs.
    Run,
    /// It runs if it starts more than 15 metres from where it stops, and walks otherwise, as the original does by default.
    #[default]
    Automatic,
}

/// What the height of a goal means.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum GoalHeight {
    /// The goal is on the ground under the point: the floor in a room or on a roof, else the land. The body has arrived
    /// when it is near enough horizontally and less than a storey, two metres, above or below that ground. If nothing
    /// is under the point, the point's own height takes the place of the ground's.
    #[default]
    OnGround,
    /// The goal is the point itself: the distance is three-dimensional, as in the original. A point in the air is
    /// out of reach.
    Exact,
}

/// Where to walk, and when to stop or to give up: for [`Controls::walk_to`](crate::Controls::walk_to), and for creatures
/// as an [`Order`].
///
/// ```
/// use acmotion::types::{CellId, CellPosition, Vec3};
/// use acmotion::{GoalHeight, Pace, WalkGoal};
///
/// let door = CellPosition::at(CellId(0xA9B4_0001), Vec3::new(12.0, 20.0, 94.0));
/// let goal = WalkGoal::new(door).within(2.0).running().facing(90.0).timeout(30.0);
/// assert_eq!((goal.distance, goal.pace), (2.0, Pace::Run));
/// assert_eq!(goal.height, GoalHeight::OnGround, "even if the point is at the height of the door handle");
/// assert_eq!(WalkGoal::from(&door), WalkGoal::new(door), "the defaults");
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub struct WalkGoal {
    /// The position. Only its cell's landblock and its origin count, not its rotation.
    pub position: CellPosition,
    /// The distance, in metres, at which the body has arrived, from its hull (a cylinder; that of a human has a radius of
    /// about half a metre) to the position. The default is the original's, 0.6. A running body can overshoot a smaller one.
    pub distance: f32,
    /// Whether to walk or run. The default is [`Pace::Automatic`].
    pub pace: Pace,
    /// What the height of the position means. The default is [`GoalHeight::OnGround`].
    pub height: GoalHeight,
    /// The heading to turn to on arrival, in degrees. By default the body keeps the heading it arrives with.
    pub heading: Option<f32>,
    /// The maximum time without progress, in seconds: see [`OrderLimits::patience`]. The default is
    /// [`PATIENCE_SECONDS`].
    pub patience: f32,
    /// The maximum time for the whole walk, in seconds. By default there is none: a walk ends because it makes no
    /// progress, however long it is.
    pub timeout: Option<f32>,
}

impl WalkGoal {
    /// Creates a goal with the default options.
    pub const fn new(position: CellPosition) -> Self {
        Self {
            position,
            distance: 0.6,
            pace: Pace::Automatic,
            height: GoalHeight::OnGround,
            heading: None,
            patience: PATIENCE_SECONDS,
            timeout: None,
        }
    }

    /// Sets the distance of arrival, in metres.
    #[must_use]
    pub const fn within(self, distance: f32) -> Self {
        Self { distance, ..self }
    }

    /// Walks, however far it is.
    #[must_use]
    pub const fn walking(self) -> Self {
        Self { pace: Pace::Walk, ..self }
    }

    /// Runs, however near it is.
    #[must_use]
    pub const fn running(self) -> Self {
        Self { pace: Pace::Run, ..self }
    }

    /// Takes the height of the position as it is, instead of that of the ground under it.
    #[must_use]
    pub const fn at_exact_height(self) -> Self {
        Self { height: GoalHeight::Exact, ..self }
    }

    /// Sets the heading to turn to on arrival, in degrees.
    #[must_use]
    pub const fn facing(self, heading: f32) -> Self {
        Self { heading: Some(heading), ..self }
    }

    /// Sets the maximum time without progress, in seconds.
    #[must_use]
    pub const fn patience(self, seconds: f32) -> Self {
        Self { patience: seconds, ..self }
    }

    /// Sets the maximum time for the whole walk, in seconds.
    #[must_use]
    pub const fn timeout(self, seconds: f32) -> Self {
        Self { timeout: Some(seconds), ..self }
    }

    /// Returns `true` if all numbers are usable.
    pub(crate) fn is_valid(&self) -> bool {
        let frame = &self.position.frame;
        frame.is_valid()
            && frame.origin.is_finite()
            && is_length(self.distance)
            && is_length(self.patience)
            && self.timeout.is_none_or(is_length)
            && self.heading.is_none_or(f32::is_finite)
    }
}

impl From<CellPosition> for WalkGoal {
    fn from(position: CellPosition) -> Self {
        Self::new(position)
    }
}

impl From<&CellPosition> for WalkGoal {
    fn from(position: &CellPosition) -> Self {
        Self::new(*position)
    }
}

/// The order leaves the height of the position as it is; [`Actor::walk_to`] looks for the ground under it.
impl From<WalkGoal> for Order {
    fn from(goal: WalkGoal) -> Self {
        let limits = OrderLimits { patience: Some(goal.patience), timeout: goal.timeout };
        let mut params = limited(goal.distance, goal.pace, limits);
        params.ignores_height = goal.height == GoalHeight::OnGround;
        if let Some(heading) = goal.heading {
            params.flags.insert(MoveFlags::USE_FINAL_HEADING);
            params.desired_heading = heading.rem_euclid(360.0);
        }
        Self::MoveToPosition { position: goal.position, params }
    }
}

/// How to follow an entity: for [`Controls::follow`](crate::Controls::follow).
///
/// ```
/// use acmotion::FollowGoal;
///
/// assert_eq!(FollowGoal::default().within(3.0), FollowGoal::from(3.0));
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct FollowGoal {
    /// The distance to come within, in metres between the hulls of the two; a difference in height of less than two metres
    /// does not count. The default is the original's distance of arrival, 0.6.
    pub distance: f32,
    /// How far the entity may go beyond that distance, in metres, before the player follows again. The default is 1.
    pub slack: f32,
    /// Whether to walk or run. The default is [`Pace::Run`]: the pace is chosen when the player starts to move, and a
    /// walking player would not catch up with a running entity.
    pub pace: Pace,
    /// The maximum time without progress, in seconds: see [`OrderLimits::patience`]. Time spent within the distance does
    /// not count. The default is [`PATIENCE_SECONDS`].
    pub patience: f32,
    /// The maximum time, in seconds. By default the player follows until something ends it.
    pub timeout: Option<f32>,
}

impl Default for FollowGoal {
    fn default() -> Self {
        Self { distance: 0.6, slack: 1.0, pace: Pace::Run, patience: PATIENCE_SECONDS, timeout: None }
    }
}

impl From<f32> for FollowGoal {
    fn from(distance: f32) -> Self {
        Self { distance, ..Self::default() }
    }
}

impl FollowGoal {
    /// Sets the distance to come within, in metres.
    #[must_use]
    pub const fn within(self, distance: f32) -> Self {
        Self { distance, ..self }
    }

    /// Sets how far the entity may go beyond the distance, in metres, before the player follows again.
    #[must_use]
    pub const fn slack(self, slack: f32) -> Self {
        Self { slack, ..self }
    }

    /// Sets whether to walk or run.
    #[must_use]
    pub const fn pace(self, pace: Pace) -> Self {
        Self { pace, ..self }
    }

    /// Sets the maximum time without progress, in seconds.
    #[must_use]
    pub const fn patience(self, seconds: f32) -> Self {
        Self { patience: seconds, ..self }
    }

    /// Sets the maximum time, in seconds.
    #[must_use]
    pub const fn timeout(self, seconds: f32) -> Self {
        Self { timeout: Some(seconds), ..self }
    }

    /// Returns `true` if all numbers are usable.
    pub(crate) fn is_valid(&self) -> bool {
        [self.distance, self.slack, self.patience].into_iter().all(is_length)
            && self.timeout.is_none_or(is_length)
    }

    /// Returns the order that brings a body within the distance.
    pub(crate) fn order(&self, object: Guid) -> Order {
        let limits = OrderLimits { patience: Some(self.patience), timeout: None };
        let params = MovementParams { ignores_height: true, ..limited(self.distance, self.pace, limits) };
        Order::MoveToObject { object, params }
    }
}

/// Orders that give up if they make no progress: see [`OrderLimits`]. Those of the original, which never do, are written
/// as variants with [`MovementParams::default`].
///
/// ```
/// use acmotion::components::Order;
/// use acmotion::dat::Assets;
/// use acmotion::types::{CellId, CellPosition, Guid, Vec3};
/// use acmotion::{EventKind, MotionEvent, MoveToEvent, World};
///
/// let mut world = World::new(Assets::mannequin());
/// let position = |x, z| CellPosition::at(CellId(0xA9B4_0001), Vec3::new(x, 12.0, z));
/// let creature = Guid(0x5000_0001);
/// world.add_stand_in(creature, &position(12.0, 94.0), 0.0);
///
/// // A point 1.5 m above the ground: the original would circle below it.
/// world.act(creature, 0.0, |actor, _| actor.order(&Order::walk_to(position(18.0, 95.5))));
/// for frame in 1..300 {
///     world.advance(f64::from(frame) / 30.0);
/// }
/// let arrived = EventKind::Motion(MotionEvent::MoveTo(MoveToEvent::Arrived));
/// assert_eq!(world.drain_events().filter(|event| event.kind == arrived).count(), 1);
/// ```
impl Order {
    /// Walks to a position, as by a [`WalkGoal`]. The body has arrived within 0.6 m of it, no more than two metres above
    /// or below it.
    pub fn walk_to(position: CellPosition) -> Self {
        WalkGoal::new(position).walking().into()
    }

    /// Runs to a position, else as [`walk_to`](Self::walk_to).
    pub fn run_to(position: CellPosition) -> Self {
        WalkGoal::new(position).running().into()
    }

    /// Runs to an object, up to 0.6 m between the hulls of the two, wherever it goes.
    pub fn chase(object: Guid) -> Self {
        FollowGoal::default().order(object)
    }

    /// Turns to a heading in degrees.
    pub fn turn_to_heading(heading: f32) -> Self {
        let limits = OrderLimits { patience: Some(PATIENCE_SECONDS), timeout: None };
        let desired_heading = heading.rem_euclid(360.0);
        Self::TurnToHeading {
            params: MovementParams { desired_heading, limits, ..MovementParams::default() },
        }
    }

    /// Turns to where an object is when the order is given.
    pub fn face(object: Guid) -> Self {
        let limits = OrderLimits { patience: Some(PATIENCE_SECONDS), timeout: None };
        Self::TurnToObject { object, params: MovementParams { limits, ..MovementParams::default() } }
    }

    /// Returns the movement parameters.
    pub fn params(&self) -> &MovementParams {
        match self {
            Self::MoveToObject { params, .. }
            | Self::MoveToPosition { params, .. }
            | Self::TurnToObject { params, .. }
            | Self::TurnToHeading { params } => params,
        }
    }

    /// Returns the movement parameters, to change them.
    pub fn params_mut(&mut self) -> &mut MovementParams {
        match self {
            Self::MoveToObject { params, .. }
            | Self::MoveToPosition { params, .. }
            | Self::TurnToObject { params, .. }
            | Self::TurnToHeading { params } => params,
        }
    }
}

impl Actor<'_> {
    /// Orders the entity to walk to a goal. If the goal is [on the ground](GoalHeight::OnGround), the ground under it is
    /// looked for first. [`MotionEvent::MoveTo`](crate::MotionEvent::MoveTo) events report its progress.
    pub fn walk_to<S: Surroundings + ?Sized>(&mut self, goal: impl Into<WalkGoal>, surroundings: &S) {
        let mut goal = goal.into();
        if goal.height == GoalHeight::OnGround
            && let Some(height) = ground_below(&goal.position, surroundings)
        {
            goal.position.frame.origin.z = height;
        }
        self.order(&goal.into());
    }
}

/// Returns the height of the ground under a point, in metres, without regard to entities. `None` if there is none under it.
fn ground_below<S: Surroundings + ?Sized>(point: &CellPosition, surroundings: &S) -> Option<f32> {
    let mut at = *point;
    at.frame.origin.z += CLEARANCE;
    let height = surroundings.find_ground(&at, &NoObstacles)?.standing_height();
    // Land above the point is not under it: the point may be in a cellar that is not loaded.
    (height <= at.frame.origin.z).then_some(height)
}

/// Returns the original's parameters with another distance and pace, and with limits.
fn limited(distance: f32, pace: Pace, limits: OrderLimits) -> MovementParams {
    let mut params = MovementParams { distance_to_object: distance, limits, ..MovementParams::default() };
    match pace {
        Pace::Walk => params.flags.remove(MoveFlags::CAN_RUN),
        Pace::Run => params.flags.remove(MoveFlags::CAN_WALK),
        Pace::Automatic => {}
    }
    params
}

/// Returns `true` for a number of metres or seconds: not negative, and not NaN.
fn is_length(value: f32) -> bool {
    value >= 0.0
}

#[cfg(test)]
mod tests {
    use acmotion_types::{CellId, Quat, Vec3};

    use super::*;

    /// One number that is not usable makes the whole goal so.
    #[test]
    fn each_number_of_a_walk_is_checked() {
        let place = CellPosition::at(CellId(0xA9B4_0001), Vec3::new(12.0, 12.0, 94.0));
        let good = WalkGoal::new(place).within(0.0).patience(0.0).timeout(0.0).facing(-400.0);
        assert!(good.is_valid() && WalkGoal::new(place).is_valid());
        let (mut far, mut twisted) = (place, place);
        far.frame.origin.x = f32::INFINITY;
        twisted.frame.rotation = Quat { w: 2.0, ..Quat::IDENTITY };
        for bad in [
            WalkGoal { position: far, ..good },
            WalkGoal { position: twisted, ..good },
            good.within(-0.1),
            good.within(f32::NAN),
            good.patience(-0.1),
            good.patience(f32::NAN),
            good.timeout(-0.1),
            good.timeout(f32::NAN),
            good.facing(f32::NAN),
            good.facing(f32::INFINITY),
        ] {
            assert!(!bad.is_valid(), "{bad:?}");
        }
    }

    #[test]
    fn each_number_of_following_is_checked() {
        let good = FollowGoal::default().within(0.0).slack(0.0).patience(0.0).timeout(0.0);
        assert!(good.is_valid() && FollowGoal::default().is_valid());
        for bad in [good.within(-0.1), good.slack(-0.1), good.patience(f32::NAN), good.timeout(-0.1)] {
            assert!(!bad.is_valid(), "{bad:?}");
        }
        assert!(!FollowGoal::from(f32::NAN).is_valid());
    }
}
