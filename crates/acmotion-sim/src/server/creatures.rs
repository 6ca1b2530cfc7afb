//! The tasks of creatures: what an order makes them do until the next one.

use acmotion::types::{CellPosition, Guid, MotionCommand};

use super::Server;
use super::object::{Creature, Role};
use crate::scenario::CreatureOrder;

/// The distance between centres, in metres, up to which a creature strikes.
pub(super) const STRIKE_RANGE: f32 = 3.0;
/// The distance between centres, in metres, beyond which a creature that only chases moves again.
const CHASE_RANGE: f32 = 3.5;
/// The time from one strike to the next, in seconds.
const STRIKE_INTERVAL: f64 = 2.0;
/// The time, in seconds, after which a creature that does not reach its target is sent again.
const CHASE_INTERVAL: f64 = 0.5;
/// High, medium, low.
const STRIKES: [MotionCommand; 3] =
    [MotionCommand::ATTACK_HIGH_1, MotionCommand::ATTACK_MED_1, MotionCommand::ATTACK_LOW_1];

/// What a creature goes on doing.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Task {
    /// Nothing beyond its last order.
    Idle,
    /// Walks from position to position, in a loop.
    Patrol { positions: Vec<CellPosition>, next: usize },
    /// Follows a target, and strikes it if `strikes`. `last` is the time of the last move or strike, in seconds.
    Chase { target: Guid, strikes: bool, last: f64, strike_count: usize },
}

impl Server {
    /// Gives a creature an order; `guid_of` finds entities by name. Returns `false` if it cannot be carried out.
    pub(crate) fn order(
        &mut self,
        guid: Guid,
        order: &CreatureOrder,
        guid_of: impl Fn(&str) -> Option<Guid>,
        now: f64,
    ) -> bool {
        let task = match order {
            CreatureOrder::Patrol(route) => {
                let positions = route.iter().filter_map(|position| self.resolve(position)).collect();
                Task::Patrol { positions, next: 0 }
            }
            CreatureOrder::Chase(name) | CreatureOrder::Attack(name) => {
                let Some(target) = guid_of(name) else { return false };
                let strikes = matches!(order, CreatureOrder::Attack(_));
                Task::Chase { target, strikes, last: f64::NEG_INFINITY, strike_count: 0 }
            }
            _ => Task::Idle,
        };
        let Some(creature) = self.creature_mut(guid) else { return false };
        creature.task = task;
        match order {
            CreatureOrder::Stand => self.stop(guid, None, now),
            CreatureOrder::GoTo(target) => match self.resolve(target) {
                Some(position) => self.move_to_position(guid, &position, now),
                None => return false,
            },
            CreatureOrder::TurnTo(heading) => self.turn_to_heading(guid, *heading, now),
            CreatureOrder::Face(name) => match guid_of(name) {
                Some(target) => self.turn_to_object(guid, target, now),
                None => return false,
            },
            CreatureOrder::Emote(action) => self.start_action(guid, *action, None, now),
            CreatureOrder::Stance(style) => self.set_style(guid, *style, now),
            CreatureOrder::Attack(_) => self.set_style(guid, MotionCommand::HAND_COMBAT, now),
            CreatureOrder::Die => self.kill(guid, now),
            CreatureOrder::Open => self.set_door(guid, true, now),
            CreatureOrder::Close => self.set_door(guid, false, now),
            CreatureOrder::Patrol(_) | CreatureOrder::Chase(_) => {}
        }
        true
    }

    fn creature_mut(&mut self, guid: Guid) -> Option<&mut Creature> {
        match &mut self.object_mut(guid)?.role {
            Role::Creature(creature) => Some(creature),
            Role::Player { .. } => None,
        }
    }

    /// Lets all creatures go on with their tasks.
    pub(super) fn run_tasks(&mut self, now: f64) {
        for index in 0..self.objects.len() {
            let guid = self.objects[index].guid;
            let is_moving = self.world.find(guid).is_some_and(|resident| resident.entity().is_moving_to());
            let Some(creature) = self.creature_mut(guid) else { continue };
            let has_arrived = std::mem::replace(&mut creature.was_moving, is_moving) && !is_moving;
            let task = creature.task.clone();
            if has_arrived {
                self.on_arrival(guid, &task, now);
            } else if !is_moving {
                self.continue_task(guid, task, now);
            }
        }
    }

    /// Stops a creature for all clients, as community servers do (recorded). One that strikes sticks to its target.
    fn on_arrival(&mut self, guid: Guid, task: &Task, now: f64) {
        match task {
            Task::Chase { target, strikes: true, .. } => self.stop(guid, Some(*target), now),
            _ => self.stop(guid, None, now),
        }
    }

    /// Starts the next part of a task, for a creature that is not moving to anything.
    fn continue_task(&mut self, guid: Guid, task: Task, now: f64) {
        let is_busy = self.is_busy(guid);
        match task {
            Task::Patrol { positions, next } if !is_busy => {
                let Some(position) = positions.get(next % positions.len().max(1)).copied() else { return };
                self.move_to_position(guid, &position, now);
                self.set_task(guid, Task::Patrol { positions, next: next + 1 });
            }
            Task::Chase { target, strikes, last, strike_count } => {
                let Some(distance) = self.distance(guid, target) else { return };
                if distance > if strikes { STRIKE_RANGE } else { CHASE_RANGE } {
                    if !is_busy && now >= last + CHASE_INTERVAL {
                        self.move_to_object(guid, target, strikes, now);
                        self.set_task(guid, Task::Chase { target, strikes, last: now, strike_count });
                    }
                } else if strikes && now >= last + STRIKE_INTERVAL {
                    let strike = STRIKES[strike_count % STRIKES.len()];
                    self.start_action(guid, strike, Some(target), now);
                    let strike_count = strike_count + 1;
                    self.set_task(guid, Task::Chase { target, strikes, last: now, strike_count });
                }
            }
            Task::Idle | Task::Patrol { .. } => {}
        }
    }

    fn set_task(&mut self, guid: Guid, task: Task) {
        if let Some(creature) = self.creature_mut(guid) {
            creature.task = task;
        }
    }

    /// Returns `true` if a motion of the object is not finished yet.
    pub(super) fn is_busy(&self, guid: Guid) -> bool {
        self.world.find(guid).is_some_and(|resident| resident.entity().interp.has_pending())
    }

    pub(super) fn distance(&self, from: Guid, to: Guid) -> Option<f32> {
        Some(self.world.find(from)?.position().distance_to(&self.world.find(to)?.position()))
    }
}
