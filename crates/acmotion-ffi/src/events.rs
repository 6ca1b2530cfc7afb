//! What happened in a world: a plain structure for each event, or JSON.

use std::ffi::c_char;

use acmotion::dat::HookEffect;
use acmotion::effects::EffectEvent;
use acmotion::{
    CancelReason, ClockFault, DeleteReason, Event, EventKind, Library, MotionEvent, MoveToEvent,
    PlacementFailure, Rejection, RequestEvent, RequestKind, RequestProgress,
};

use crate::memory::{Out, OutList};
use crate::player::*;
use crate::server::AcmBatch;
use crate::status::{AcmStatus, guard};
use crate::world::{AcmWorld, with_world};

/// The entity was added.
pub const ACM_EVENT_CREATED: u32 = 0;
/// The entity was removed; `detail` is 0 deleted by the server, 1 replaced, 2 despawned.
pub const ACM_EVENT_DELETED: u32 = 1;
/// It could not be placed.
pub const ACM_EVENT_NOT_PLACED: u32 = 2;
/// A message about it was dropped; `detail` is 0 stale, 1 bad position, 2 the player, 3 unknown, 4 never created, 5 too many
/// waiting, 6 too many entities, 7 unreadable, 8 not attached, 9 other. `number` is the number of messages.
pub const ACM_EVENT_REJECTED: u32 = 3;
/// The player entered (`flag` 1) or left (0) portal space.
pub const ACM_EVENT_PORTAL_SPACE: u32 = 4;
/// The server took control of the player.
pub const ACM_EVENT_CONTROL_LOST: u32 = 5;
/// The server requested the player's position.
pub const ACM_EVENT_POSITION_REQUESTED: u32 = 6;
/// A request made progress: `number` is its id, `detail` its kind (`ACM_REQUEST_…`), `reason` the step
/// (`ACM_PROGRESS_…`), `flag` 1 if it was the last. `command` is the motion of `ACM_PROGRESS_ACTING`; `other` is why it was
/// cancelled: 0 keys, 1 server, 2 a newer request, 3 the caller, 4 unreachable, 5 the motion failed, 6 an error of the
/// server, whose code is `command`, 7 no answer, 8 other.
pub const ACM_EVENT_REQUEST: u32 = 7;
/// The caller's clock is wrong: `detail` is 0 not a time, 1 set back by `value` seconds.
pub const ACM_EVENT_CLOCK: u32 = 8;
/// A hook fired: `detail` is its type, `other` the animation, `number` the frame. For `ACM_HOOK_ATTACK`, `command` is the
/// part and `value` the reach.
pub const ACM_EVENT_HOOK: u32 = 9;
/// Looks, sounds, scale or angular velocity changed. `detail` is the type: 0 wave `other`, 1 sound `number` of the sound
/// table, 2 any other, which only JSON describes.
pub const ACM_EVENT_EFFECT: u32 = 10;
/// The motion `command` ended; `flag` is 1 if it played to its end.
pub const ACM_EVENT_MOTION_DONE: u32 = 11;
/// It came to stand on walkable ground.
pub const ACM_EVENT_HIT_GROUND: u32 = 12;
/// It left the ground.
pub const ACM_EVENT_LEAVE_GROUND: u32 = 13;
/// It collided with the surroundings.
pub const ACM_EVENT_HIT_ENVIRONMENT: u32 = 14;
/// It collided with `other`, or `other` with it.
pub const ACM_EVENT_TOUCHED: u32 = 15;
/// Its contact with `other` ended.
pub const ACM_EVENT_PARTED: u32 = 16;
/// It was hidden (`flag` 1) or shown again (0).
pub const ACM_EVENT_HIDDEN: u32 = 17;
/// Its order made progress: `detail` is one of `ACM_MOVE_TO_…`.
pub const ACM_EVENT_MOVE_TO: u32 = 18;
/// It was moved to the server's position at once, by `value` metres.
pub const ACM_EVENT_SNAPPED: u32 = 19;
/// It was teleported by `value` metres.
pub const ACM_EVENT_TELEPORTED: u32 = 20;
/// It moved to where there is no cell.
pub const ACM_EVENT_LOST: u32 = 21;
/// Too many motions were pending: `number`.
pub const ACM_EVENT_QUEUE_OVERFLOW: u32 = 22;
/// It was attached to `other` at the location `number`.
pub const ACM_EVENT_PARENTED: u32 = 23;
/// It was detached from `other`.
pub const ACM_EVENT_UNPARENTED: u32 = 24;
/// An event that this version does not name.
pub const ACM_EVENT_OTHER: u32 = 25;

/// The request waits until the body is ready.
pub const ACM_PROGRESS_QUEUED: u32 = 0;
/// The request is under way.
pub const ACM_PROGRESS_STARTED: u32 = 1;
/// The server makes the player play the motion `command`.
pub const ACM_PROGRESS_ACTING: u32 = 2;
/// An attack hits.
pub const ACM_PROGRESS_ATTACK_FRAME: u32 = 3;
/// A swing is over.
pub const ACM_PROGRESS_SWING_DONE: u32 = 4;
/// The server starts the next swing.
pub const ACM_PROGRESS_REPEATED: u32 = 5;
/// The player has come near enough to the entity that it follows.
pub const ACM_PROGRESS_REACHED: u32 = 6;
/// The entity has moved away, and the player follows it again.
pub const ACM_PROGRESS_RESUMED: u32 = 7;
/// The request is fulfilled.
pub const ACM_PROGRESS_DONE: u32 = 8;
/// The request was not started.
pub const ACM_PROGRESS_REFUSED: u32 = 9;
/// The request was started and not fulfilled.
pub const ACM_PROGRESS_CANCELLED: u32 = 10;
/// A step that this version does not name.
pub const ACM_PROGRESS_OTHER: u32 = 11;

/// The order has started.
pub const ACM_MOVE_TO_STARTED: u32 = 0;
/// It turns by `command` to the heading `value`.
pub const ACM_MOVE_TO_TURNS: u32 = 1;
/// It faces the heading `value`.
pub const ACM_MOVE_TO_FACES: u32 = 2;
/// It moves by `command`.
pub const ACM_MOVE_TO_MOVES: u32 = 3;
/// It veers by `command`, or goes straight if that is 0.
pub const ACM_MOVE_TO_VEERS: u32 = 4;
/// It waits for the motion `command` to end.
pub const ACM_MOVE_TO_WAITS: u32 = 5;
/// The target has sent its position.
pub const ACM_MOVE_TO_TARGET: u32 = 6;
/// It has arrived.
pub const ACM_MOVE_TO_ARRIVED: u32 = 7;
/// It sticks to `other`.
pub const ACM_MOVE_TO_STICKS: u32 = 8;
/// The order failed with the original's error code `number`.
pub const ACM_MOVE_TO_FAILED: u32 = 9;
/// It gave up.
pub const ACM_MOVE_TO_GAVE_UP: u32 = 10;
/// A step that this version does not name.
pub const ACM_MOVE_TO_OTHER: u32 = 11;

/// Something that happened to an entity. What the fields mean depends on `kind`; those that it does not use are 0.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct AcmEvent {
    /// The time in seconds.
    pub time: f64,
    /// The entity; 0 if it is about none.
    pub guid: u32,
    /// One of `ACM_EVENT_…`.
    pub kind: u32,
    /// What exactly.
    pub detail: u32,
    /// The step of a request.
    pub reason: u32,
    /// Another entity, an animation, a wave.
    pub other: u32,
    /// A motion command.
    pub command: u32,
    /// A number.
    pub number: u32,
    /// A yes (1) or no (0).
    pub flag: u32,
    /// A distance, a heading, a time.
    pub value: f32,
    /// 0.
    pub reserved: u32,
}

impl AcmEvent {
    fn new(event: &Event, library: &Library) -> Self {
        let own = Self { time: event.time, guid: event.guid.0, ..Self::default() };
        match &event.kind {
            EventKind::Motion(motion) => own.with_motion(motion, library),
            EventKind::Created => own.of(ACM_EVENT_CREATED),
            EventKind::Deleted(reason) => {
                let detail = match reason {
                    DeleteReason::Deleted => 0,
                    DeleteReason::Replaced => 1,
                    _ => 2,
                };
                Self { detail, ..own.of(ACM_EVENT_DELETED) }
            }
            EventKind::NotPlaced(reason) => {
                let detail = match reason {
                    PlacementFailure::Unknown => 0,
                    PlacementFailure::InvalidPosition => 1,
                    PlacementFailure::NoRoom => 2,
                    _ => 3,
                };
                Self { detail, ..own.of(ACM_EVENT_NOT_PLACED) }
            }
            EventKind::Rejected(why) => own.with_rejection(why),
            EventKind::PortalSpace(inside) => {
                Self { flag: (*inside).into(), ..own.of(ACM_EVENT_PORTAL_SPACE) }
            }
            EventKind::ControlLost => own.of(ACM_EVENT_CONTROL_LOST),
            EventKind::PositionRequested => own.of(ACM_EVENT_POSITION_REQUESTED),
            EventKind::Request(step) => own.with_request(step),
            EventKind::Clock(ClockFault::SetBack { seconds }) => {
                Self { detail: 1, value: *seconds as f32, ..own.of(ACM_EVENT_CLOCK) }
            }
            EventKind::Clock(_) => own.of(ACM_EVENT_CLOCK),
            _ => own.of(ACM_EVENT_OTHER),
        }
    }

    fn of(self, kind: u32) -> Self {
        Self { kind, ..self }
    }

    fn with_rejection(self, why: &Rejection) -> Self {
        let (detail, number) = match why {
            Rejection::Stale(_) => (0, 0),
            Rejection::BadPosition => (1, 0),
            Rejection::IsPlayer => (2, 0),
            Rejection::Unknown => (3, 0),
            Rejection::NeverCreated { messages } => (4, *messages as u32),
            Rejection::TooManyWaiting { messages } => (5, *messages as u32),
            Rejection::TooManyEntities => (6, 0),
            Rejection::Unreadable => (7, 0),
            Rejection::NotAttached(_) => (8, 0),
            _ => (9, 0),
        };
        Self { detail, number, ..self.of(ACM_EVENT_REJECTED) }
    }

    fn with_request(self, step: &RequestEvent) -> Self {
        let (reason, command, other) = match step.progress {
            RequestProgress::Queued => (ACM_PROGRESS_QUEUED, 0, 0),
            RequestProgress::Started => (ACM_PROGRESS_STARTED, 0, 0),
            RequestProgress::Acting(motion) => (ACM_PROGRESS_ACTING, motion.0, 0),
            RequestProgress::AttackFrame => (ACM_PROGRESS_ATTACK_FRAME, 0, 0),
            RequestProgress::SwingDone => (ACM_PROGRESS_SWING_DONE, 0, 0),
            RequestProgress::Repeated => (ACM_PROGRESS_REPEATED, 0, 0),
            RequestProgress::Reached => (ACM_PROGRESS_REACHED, 0, 0),
            RequestProgress::Resumed => (ACM_PROGRESS_RESUMED, 0, 0),
            RequestProgress::Done => (ACM_PROGRESS_DONE, 0, 0),
            RequestProgress::Refused(_) => (ACM_PROGRESS_REFUSED, 0, 0),
            RequestProgress::Cancelled(why) => {
                let (code, why) = cancel_reason(why);
                (ACM_PROGRESS_CANCELLED, code, why)
            }
            _ => (ACM_PROGRESS_OTHER, 0, 0),
        };
        let (detail, number) = (request_kind(step.kind), step.id.0);
        let flag = step.progress.is_last().into();
        Self { detail, reason, command, other, number, flag, ..self.of(ACM_EVENT_REQUEST) }
    }

    fn with_motion(self, motion: &MotionEvent, library: &Library) -> Self {
        match motion {
            MotionEvent::Hook(hook) => {
                let (command, value) = match hook.effect() {
                    HookEffect::Attack(cone) => (cone.part, cone.radius),
                    _ => (0, 0.0),
                };
                let other = library.clip(hook.clip).animation().id().0;
                let (detail, number) = (hook.effect().number(), hook.frame);
                Self { detail, other, command, number, value, ..self.of(ACM_EVENT_HOOK) }
            }
            MotionEvent::Effect(effect) => {
                let (detail, other, number) = match effect {
                    EffectEvent::Sound(wave) => (0, wave.0, 0),
                    EffectEvent::SoundTable(key) => (1, 0, key.0),
                    _ => (2, 0, 0),
                };
                Self { detail, other, number, ..self.of(ACM_EVENT_EFFECT) }
            }
            MotionEvent::MotionDone { motion, success } => {
                Self { command: motion.0, flag: (*success).into(), ..self.of(ACM_EVENT_MOTION_DONE) }
            }
            MotionEvent::HitGround => self.of(ACM_EVENT_HIT_GROUND),
            MotionEvent::LeaveGround => self.of(ACM_EVENT_LEAVE_GROUND),
            MotionEvent::HitEnvironment => self.of(ACM_EVENT_HIT_ENVIRONMENT),
            MotionEvent::Touched(other) => Self { other: other.0, ..self.of(ACM_EVENT_TOUCHED) },
            MotionEvent::Parted(other) => Self { other: other.0, ..self.of(ACM_EVENT_PARTED) },
            MotionEvent::Hidden(hidden) => Self { flag: (*hidden).into(), ..self.of(ACM_EVENT_HIDDEN) },
            MotionEvent::MoveTo(step) => self.of(ACM_EVENT_MOVE_TO).with_move_to(step),
            MotionEvent::Snapped { distance } => Self { value: *distance, ..self.of(ACM_EVENT_SNAPPED) },
            MotionEvent::Teleported { distance } => {
                Self { value: *distance, ..self.of(ACM_EVENT_TELEPORTED) }
            }
            MotionEvent::Lost => self.of(ACM_EVENT_LOST),
            MotionEvent::QueueOverflow { motions } => {
                Self { number: *motions, ..self.of(ACM_EVENT_QUEUE_OVERFLOW) }
            }
            MotionEvent::Parented { parent, location } => {
                Self { other: parent.0, number: *location, ..self.of(ACM_EVENT_PARENTED) }
            }
            MotionEvent::Unparented { parent } => Self { other: parent.0, ..self.of(ACM_EVENT_UNPARENTED) },
            _ => self.of(ACM_EVENT_OTHER),
        }
    }

    fn with_move_to(self, step: &MoveToEvent) -> Self {
        match step {
            MoveToEvent::Started(_) => Self { detail: ACM_MOVE_TO_STARTED, ..self },
            MoveToEvent::Turns { turn, heading } => {
                Self { detail: ACM_MOVE_TO_TURNS, command: turn.0, value: *heading, ..self }
            }
            MoveToEvent::Faces(heading) => Self { detail: ACM_MOVE_TO_FACES, value: *heading, ..self },
            MoveToEvent::Moves { motion, .. } => {
                Self { detail: ACM_MOVE_TO_MOVES, command: motion.0, ..self }
            }
            MoveToEvent::Veers(turn) => {
                Self { detail: ACM_MOVE_TO_VEERS, command: turn.map_or(0, |turn| turn.0), ..self }
            }
            MoveToEvent::Waits(motion) => Self { detail: ACM_MOVE_TO_WAITS, command: motion.0, ..self },
            MoveToEvent::TargetUpdated(_) => Self { detail: ACM_MOVE_TO_TARGET, ..self },
            MoveToEvent::Arrived => Self { detail: ACM_MOVE_TO_ARRIVED, ..self },
            MoveToEvent::Sticks(target) => Self { detail: ACM_MOVE_TO_STICKS, other: target.0, ..self },
            MoveToEvent::Failed(error) => Self { detail: ACM_MOVE_TO_FAILED, number: *error as u32, ..self },
            MoveToEvent::GaveUp(_) => Self { detail: ACM_MOVE_TO_GAVE_UP, ..self },
            _ => Self { detail: ACM_MOVE_TO_OTHER, ..self },
        }
    }
}

/// Returns a code and the number of the reason.
fn cancel_reason(why: CancelReason) -> (u32, u32) {
    match why {
        CancelReason::Keys => (0, 0),
        CancelReason::Server => (0, 1),
        CancelReason::Request => (0, 2),
        CancelReason::Caller => (0, 3),
        CancelReason::Unreachable(_) => (0, 4),
        CancelReason::Failed(error) => (error as u32, 5),
        CancelReason::ServerError(code) => (code, 6),
        CancelReason::Unanswered => (0, 7),
        _ => (0, 8),
    }
}

fn request_kind(kind: RequestKind) -> u32 {
    match kind {
        RequestKind::WalkTo => ACM_REQUEST_WALK_TO,
        RequestKind::TurnTo => ACM_REQUEST_TURN_TO,
        RequestKind::Follow(_) => ACM_REQUEST_FOLLOW,
        RequestKind::Jump => ACM_REQUEST_JUMP,
        RequestKind::Emote(_) => ACM_REQUEST_EMOTE,
        RequestKind::Stance(_) => ACM_REQUEST_STANCE,
        RequestKind::Attack(_) => ACM_REQUEST_ATTACK,
        RequestKind::Cast { .. } => ACM_REQUEST_CAST,
        RequestKind::Use(_) => ACM_REQUEST_USE,
        RequestKind::UseWith { .. } => ACM_REQUEST_USE_WITH,
        RequestKind::Drop(_) => ACM_REQUEST_DROP,
        RequestKind::PickUp(_) => ACM_REQUEST_PICK_UP,
        RequestKind::Wield(_) => ACM_REQUEST_WIELD,
        _ => ACM_REQUEST_OTHER,
    }
}

/// Takes events, oldest first, as many as there is room for; `batch` says how many, and how many are left. Allocates
/// nothing in a steady world.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn acm_world_events(
    world: AcmWorld,
    events: *mut AcmEvent,
    capacity: usize,
    batch: *mut AcmBatch,
) -> AcmStatus {
    guard(|| {
        // SAFETY: the caller's memory is as the crate's rules say.
        let (events, batch) =
            unsafe { (OutList::new(events, capacity, "events")?, Out::new(batch, "batch")?) };
        with_world(world, |state| {
            let mut count = 0;
            loop {
                if state.next_event == state.events.len() {
                    state.world.swap_events(&mut state.events);
                    state.next_event = 0;
                }
                let Some(event) = state.events.get(state.next_event).filter(|_| count < events.capacity())
                else {
                    break;
                };
                events.put(count, AcmEvent::new(event, state.world.library()));
                count += 1;
                state.next_event += 1;
            }
            let left = (state.events.len() - state.next_event) as u64;
            batch.set(AcmBatch { count: count as u64, left, ..AcmBatch::default() });
            Ok(())
        })
    })
}

/// Takes all events as a JSON array of the objects that `acmotion replay --json` prints, effects included.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn acm_world_events_json(
    world: AcmWorld,
    buffer: *mut c_char,
    capacity: usize,
    length: *mut usize,
) -> AcmStatus {
    guard(|| {
        // SAFETY: the caller's memory is as the crate's rules say.
        let (buffer, length) =
            unsafe { (OutList::<u8>::new(buffer.cast(), capacity, "buffer")?, Out::new(length, "length")?) };
        with_world(world, |state| {
            let mut newer = Vec::new();
            state.world.swap_events(&mut newer);
            state.events.append(&mut newer);
            let waiting = &state.events[state.next_event..];
            let library = state.world.library();
            let list = waiting.iter().map(|event| acmotion::json::event(event, library)).collect();
            buffer.fill(serde_json::Value::Array(list).to_string().as_bytes(), &length)?;
            state.events.clear();
            state.next_event = 0;
            Ok(())
        })
    })
}
