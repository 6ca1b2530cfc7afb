//! Following an entity: an order to go to it (rules J7, J10), given again whenever the entity has moved away.

use acmotion_types::Guid;

use super::{CancelReason, Controls, RequestError, RequestId, RequestKind, RequestProgress};
use crate::steer::{FollowGoal, Unreachable, at_height_of};
use crate::table::MotionError;
use crate::world::Resident;

/// The entity that the player follows.
#[derive(Clone, Copy, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Following {
    id: RequestId,
    target: Guid,
    goal: FollowGoal,
    /// The time at which the request was made, in seconds.
    start: f64,
}

impl Following {
    /// Moves the time of the request by a number of seconds.
    pub(super) fn shift_times(&mut self, by: f64) {
        self.start += by;
    }
}

impl Controls<'_> {
    /// Follows an entity: comes within a distance of it, and comes after it whenever it moves away. `goal` is that distance
    /// in metres between the hulls of the two, or a [`FollowGoal`] with further options.
    ///
    /// The request is [`Reached`](RequestProgress::Reached) whenever the player has come near enough and
    /// [`Resumed`](RequestProgress::Resumed) whenever it follows again. It is never done, but ends
    ///
    /// - when it is [cancelled](Self::cancel), or replaced by another request that moves the player,
    /// - when a key is pressed or the server takes control,
    /// - when the entity is gone ([`CancelReason::Failed`] with [`MotionError::ObjectGone`]) or teleported,
    /// - when the player cannot come near enough ([`CancelReason::Unreachable`]).
    ///
    /// The server is sent what keys would have sent, as for [`walk_to`](Self::walk_to).
    ///
    /// # Errors
    /// The reason why the player does not follow.
    pub fn follow(
        &mut self,
        target: Guid,
        goal: impl Into<FollowGoal>,
        now: f64,
    ) -> Result<RequestId, RequestError> {
        let now = self.world.accept_time(now);
        let goal = goal.into();
        let kind = RequestKind::Follow(target);
        let is_known = self.world.find(target).is_some() && self.guid() != Some(target);
        let checked = match (goal.is_valid(), is_known) {
            (false, _) => Err(RequestError::InvalidTarget),
            (_, false) => Err(RequestError::UnknownTarget),
            _ => Ok(()),
        };
        let id = self.order(kind, checked, now, |actor, _| actor.order(&goal.order(target)))?;
        self.local().following = Some(Following { id, target, goal, start: now });
        Ok(id)
    }

    /// Follows again if the entity has moved away, and ends the request if the entity is gone or the time is up.
    pub(super) fn update_follow(&mut self, now: f64) {
        let Some(following) = self.local().following else { return };
        let Following { id, target, goal, start } = following;
        if self.local().requests.kind_of(id).is_none() {
            self.local().following = None;
            return;
        }
        let is_late = goal.timeout.is_some_and(|timeout| now - start > f64::from(timeout));
        if is_late {
            return self.end_follow(id, CancelReason::Unreachable(Unreachable::TimedOut), now);
        }
        if !self.local().requests.is_paused(id) {
            return;
        }
        if self.keyboard().controlled_by_server || self.is_dead() {
            return self.end_follow(id, CancelReason::Server, now);
        }
        let Some(distance) = self.hull_distance(target) else {
            return self.end_follow(id, CancelReason::Failed(MotionError::ObjectGone), now);
        };
        if distance > goal.distance + goal.slack {
            self.resume_follow(&following, now);
        }
    }

    fn resume_follow(&mut self, following: &Following, now: f64) {
        let Following { id, target, goal, .. } = *following;
        let Some(guid) = self.guid() else { return };
        self.local().requests.resume(id);
        self.world.act(guid, now, |actor, _| actor.order(&goal.order(target)));
        self.poll_requests(now);
        if !self.local().requests.is_started(id) {
            self.end_follow(id, CancelReason::Failed(MotionError::Failed), now);
        }
    }

    /// Ends the request, and the order that is under way for it.
    fn end_follow(&mut self, id: RequestId, why: CancelReason, now: f64) {
        let has_order = !self.local().requests.is_paused(id);
        let ended = self.local().requests.end(|request| request.id == id, RequestProgress::Cancelled(why));
        self.emit_step(ended, now);
        self.local().following = None;
        if let Some(guid) = self.guid().filter(|_| has_order) {
            self.world.act(guid, now, |actor, _| actor.cancel_move_to(MotionError::ActionCancelled));
        }
    }

    /// Returns the distance between the hulls of the player and an entity, in metres, as the order measures it. `None` if the entity is not in the world.
    fn hull_distance(&self, target: Guid) -> Option<f32> {
        let own = self.own()?;
        let other = self.world.find(target).filter(|other| other.body().is_in_cell())?;
        let size = |one: &Resident| one.entity().shape.cylinder(one.body().scale);
        let to = at_height_of(&own.position(), &other.position());
        Some(own.position().cylinder_distance(size(own), &to, size(other)))
    }
}
