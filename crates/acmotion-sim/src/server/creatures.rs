//! What creatures do by themselves until they are told otherwise.

use acmotion::types::{CellPosition, Guid, MotionCommand};

use super::Server;
use super::object::{Creature, Role};
use crate::scenario::CreatureOrder;

/// Nearer than this, in metres between centres, is near enough to strike.
const REACH: f32 = 3.0;
/// Farther than this somebody who is chased has gone away.
const GONE: f32 = 3.5;
/// Seconds from one blow to the next.
const BLOW: f64 = 2.0;
/// Seconds after which an order that led nowhere is given again.
const AGAIN: f64 = 0.5;
/// High, in the middle, low.
const BLOWS: [MotionCommand; 3] =
    [MotionCommand::ATTACK_HIGH_1, MotionCommand::ATTACK_MED_1, MotionCommand::ATTACK_LOW_1];

/// What a creature is about.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Task {
    /// Nothing more than it was told.
    Idle,
    /// Round and round.
    Patrol { places: Vec<CellPosition>, next: usize },
    /// After somebody, to strike him or not. It was told at that time, and has struck so often.
    Chase { who: Guid, strikes: bool, told: f64, blows: usize },
}

impl Server {
    /// A creature is told something; `who` finds people by name.
    pub(crate) fn order(
        &mut self,
        guid: Guid,
        order: &CreatureOrder,
        who: impl Fn(&str) -> Option<Guid>,
        now: f64,
    ) -> bool {
        let task = match order {
            CreatureOrder::Patrol(spots) => {
                let places: Vec<CellPosition> = spots.iter().filter_map(|spot| self.place(spot)).collect();
                Task::Patrol { places, next: 0 }
            }
            CreatureOrder::Chase(name) | CreatureOrder::Attack(name) => {
                let Some(who) = who(name) else { return false };
                let strikes = matches!(order, CreatureOrder::Attack(_));
                Task::Chase { who, strikes, told: f64::NEG_INFINITY, blows: 0 }
            }
            _ => Task::Idle,
        };
        let strikes = matches!(task, Task::Chase { strikes: true, .. });
        let Some(creature) = self.creature_mut(guid) else { return false };
        creature.task = task;
        match order {
            CreatureOrder::Stand => self.stand(guid, None, now),
            CreatureOrder::GoTo(spot) => match self.place(spot) {
                Some(place) => self.send_to_place(guid, &place, now),
                None => return false,
            },
            CreatureOrder::TurnTo(heading) => self.turn_to_heading(guid, *heading, now),
            CreatureOrder::Face(name) => match who(name) {
                Some(target) => self.turn_to_object(guid, target, now),
                None => return false,
            },
            CreatureOrder::Emote(action) => self.act(guid, *action, None, now),
            CreatureOrder::Stance(style) => self.impose_style(guid, *style, now),
            CreatureOrder::Attack(_) if strikes => self.impose_style(guid, MotionCommand::HAND_COMBAT, now),
            CreatureOrder::Die => self.kill(guid, now),
            CreatureOrder::Open => self.swing_door(guid, true, now),
            CreatureOrder::Close => self.swing_door(guid, false, now),
            _ => {}
        }
        true
    }

    fn creature_mut(&mut self, guid: Guid) -> Option<&mut Creature> {
        match &mut self.thing_mut(guid)?.role {
            Role::Creature(creature) => Some(creature),
            Role::Player { .. } => None,
        }
    }

    /// Creatures go on with what they are about.
    pub(super) fn follow_orders(&mut self, now: f64) {
        for index in 0..self.things.len() {
            let guid = self.things[index].guid;
            let is_moving = self.world.find(guid).is_some_and(|resident| resident.entity().is_moving_to());
            let Some(creature) = self.creature_mut(guid) else { continue };
            let has_arrived = std::mem::replace(&mut creature.was_moving, is_moving) && !is_moving;
            let task = creature.task.clone();
            if has_arrived {
                self.has_arrived(guid, &task, now);
            } else if !is_moving {
                self.go_on(guid, task, now);
            }
        }
    }

    /// Everybody is told that it stands now, as community servers do (recorded); who strikes keeps close.
    fn has_arrived(&mut self, guid: Guid, task: &Task, now: f64) {
        match task {
            Task::Chase { who, strikes: true, .. } => self.stand(guid, Some(*who), now),
            _ => self.stand(guid, None, now),
        }
    }

    /// Who is not on the way does what comes next.
    fn go_on(&mut self, guid: Guid, task: Task, now: f64) {
        let is_busy = self.is_busy(guid);
        match task {
            Task::Patrol { places, next } if !is_busy => {
                let Some(place) = places.get(next % places.len().max(1)).copied() else { return };
                self.send_to_place(guid, &place, now);
                self.set_task(guid, Task::Patrol { places, next: next + 1 });
            }
            Task::Chase { who, strikes, told, blows } => {
                let Some(distance) = self.distance(guid, who) else { return };
                if distance > if strikes { REACH } else { GONE } {
                    if !is_busy && now >= told + AGAIN {
                        self.send_to_object(guid, who, strikes, now);
                        self.set_task(guid, Task::Chase { who, strikes, told: now, blows });
                    }
                } else if strikes && now >= told + BLOW {
                    self.act(guid, BLOWS[blows % BLOWS.len()], Some(who), now);
                    self.set_task(guid, Task::Chase { who, strikes, told: now, blows: blows + 1 });
                }
            }
            _ => {}
        }
    }

    fn set_task(&mut self, guid: Guid, task: Task) {
        if let Some(creature) = self.creature_mut(guid) {
            creature.task = task;
        }
    }

    /// Is a motion not over yet?
    fn is_busy(&self, guid: Guid) -> bool {
        self.world.find(guid).is_some_and(|resident| resident.entity().interp.has_pending())
    }

    fn distance(&self, from: Guid, to: Guid) -> Option<f32> {
        Some(self.world.find(from)?.position().distance_to(&self.world.find(to)?.position()))
    }
}
