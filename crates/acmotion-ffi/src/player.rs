//! The local player: keys and requests in, messages to the server out.

use acmotion::types::{CellPosition, Guid, MotionCommand};
use acmotion::wire::{AttackHeight, CombatMode};
use acmotion::{Controls, FollowGoal, GoalHeight, RequestError, RequestId, WalkGoal};

use crate::memory::{Out, OutList, Versioned, input, sized};
use crate::server::{AcmBatch, AcmSpan, pace, take_messages};
use crate::status::{AcmStatus, Failure, Outcome, guard};
use crate::types::AcmPosition;
use crate::world::{AcmSkills, AcmWorld, with_world};

/// `AcmRequest::kind`: walk to `position`.
pub const ACM_REQUEST_WALK_TO: u32 = 0;
/// `AcmRequest::kind`: turn to `heading`.
pub const ACM_REQUEST_TURN_TO: u32 = 1;
/// `AcmRequest::kind`: follow `target`.
pub const ACM_REQUEST_FOLLOW: u32 = 2;
/// `AcmRequest::kind`: jump with the charge `power`, 0 to 1.
pub const ACM_REQUEST_JUMP: u32 = 3;
/// `AcmRequest::kind`: play the action `command`.
pub const ACM_REQUEST_EMOTE: u32 = 4;
/// `AcmRequest::kind`: change the stance to `number`: 1 peace, 2 melee, 4 missile, 8 magic.
pub const ACM_REQUEST_STANCE: u32 = 5;
/// `AcmRequest::kind`: attack `target` with `power`, 0 to 1, at the height `number`: 1 high, 2 medium, 3 low.
pub const ACM_REQUEST_ATTACK: u32 = 6;
/// `AcmRequest::kind`: cast the spell `number` at `target`, which is 0 for a spell without one.
pub const ACM_REQUEST_CAST: u32 = 7;
/// `AcmRequest::kind`: use `target`.
pub const ACM_REQUEST_USE: u32 = 8;
/// `AcmRequest::kind`: use `item` on `target`.
pub const ACM_REQUEST_USE_WITH: u32 = 9;
/// `AcmRequest::kind`: drop `item`.
pub const ACM_REQUEST_DROP: u32 = 10;
/// `AcmRequest::kind`: put `item` into the container `target` at slot `number`.
pub const ACM_REQUEST_PICK_UP: u32 = 11;
/// `AcmRequest::kind`: wield `item` at the location `number`.
pub const ACM_REQUEST_WIELD: u32 = 12;
/// The kind of a request that this version does not name, in events.
pub const ACM_REQUEST_OTHER: u32 = 13;

/// `AcmRequest::flags`: turn to `heading` on arrival.
pub const ACM_REQUEST_FACING: u32 = 1;
/// `AcmRequest::flags`: the height of `position` counts as it is, instead of that of the ground under it.
pub const ACM_REQUEST_EXACT_HEIGHT: u32 = 2;

/// Something that a player is asked to do. Call `acm_request_init` first.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct AcmRequest {
    /// `sizeof(AcmRequest)`.
    pub struct_size: u32,
    /// One of `ACM_REQUEST_…`.
    pub kind: u32,
    /// The entity.
    pub target: u32,
    /// The item.
    pub item: u32,
    /// The action.
    pub command: u32,
    /// The stance, height, spell, slot or location.
    pub number: u32,
    /// `ACM_REQUEST_FACING`, `ACM_REQUEST_EXACT_HEIGHT`.
    pub flags: u32,
    /// One of `ACM_PACE_…`.
    pub pace: u32,
    /// The position.
    pub position: AcmPosition,
    /// The heading in degrees.
    pub heading: f32,
    /// The charge of a jump or the power of an attack.
    pub power: f32,
    /// The distance at which a walk has arrived, or within which the player follows, in metres.
    pub distance: f32,
    /// How far the entity may go beyond that distance before the player follows again, in metres.
    pub slack: f32,
    /// The time without progress after which the player gives up, in seconds.
    pub patience: f32,
    /// The time for the whole request, in seconds; negative for none.
    pub timeout: f32,
}

// SAFETY: `struct_size` comes first, and all fields are numbers.
unsafe impl Versioned for AcmRequest {}

impl AcmRequest {
    fn start(&self, player: &mut Controls<'_>, now: f64) -> Outcome<Result<RequestId, RequestError>> {
        let (target, item) = (Guid(self.target), Guid(self.item));
        let timeout = (self.timeout >= 0.0).then_some(self.timeout);
        Ok(match self.kind {
            ACM_REQUEST_WALK_TO => {
                let mut goal = WalkGoal::new(self.position.into()).within(self.distance);
                (goal.pace, goal.patience, goal.timeout) = (pace(self.pace)?, self.patience, timeout);
                goal.heading = (self.flags & ACM_REQUEST_FACING != 0).then_some(self.heading);
                if self.flags & ACM_REQUEST_EXACT_HEIGHT != 0 {
                    goal.height = GoalHeight::Exact;
                }
                player.walk_to(goal, now)
            }
            ACM_REQUEST_TURN_TO => player.turn_to(self.heading, now),
            ACM_REQUEST_FOLLOW => {
                let mut goal = FollowGoal::from(self.distance).slack(self.slack).patience(self.patience);
                (goal.pace, goal.timeout) = (pace(self.pace)?, timeout);
                player.follow(target, goal, now)
            }
            ACM_REQUEST_JUMP => player.jump(self.power, now),
            ACM_REQUEST_EMOTE => player.emote(MotionCommand(self.command), now),
            ACM_REQUEST_STANCE => player.set_stance(CombatMode(self.number)),
            ACM_REQUEST_ATTACK => player.attack(target, AttackHeight(self.number), self.power, now),
            ACM_REQUEST_CAST => {
                player.cast(self.number, Some(target).filter(|target| !target.is_none()), now)
            }
            ACM_REQUEST_USE => player.use_object(target, now),
            ACM_REQUEST_USE_WITH => player.use_with(item, target, now),
            ACM_REQUEST_DROP => player.drop_item(item, now),
            ACM_REQUEST_PICK_UP => player.pick_up(item, target, self.number, now),
            ACM_REQUEST_WIELD => player.wield(item, self.number, now),
            other => return Err(Failure::bad_argument(format_args!("{other} is not a kind of request"))),
        })
    }
}

/// Fills in a request to walk to a position that is to be set.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn acm_request_init(request: *mut AcmRequest) -> AcmStatus {
    guard(|| {
        // SAFETY: the caller's memory is as the crate's rules say.
        let out = unsafe { Out::new(request, "request")? };
        let (walk, follow) = (WalkGoal::new(CellPosition::default()), FollowGoal::default());
        out.set(AcmRequest {
            struct_size: size_of::<AcmRequest>() as u32,
            pace: crate::server::ACM_PACE_AUTOMATIC,
            position: walk.position.into(),
            power: 1.0,
            distance: walk.distance,
            slack: follow.slack,
            patience: walk.patience,
            timeout: -1.0,
            ..AcmRequest::default()
        });
        Ok(())
    })
}

/// Asks the player to do something, and sets `id` to the number under which events report how it goes.
/// `ACM_STATUS_REFUSED` if it is refused at once.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn acm_player_request(
    world: AcmWorld,
    request: *const AcmRequest,
    now: f64,
    id: *mut u32,
) -> AcmStatus {
    guard(|| {
        // SAFETY: the caller's memory is as the crate's rules say.
        let (request, id) = unsafe { (sized(request, "request")?, Out::new(id, "id")?) };
        with_world(world, |state| {
            let started = request.start(&mut state.world.player_mut(), now)?;
            id.set(started.map_err(Failure::refused)?.0);
            Ok(())
        })
    })
}

/// Ends a request by its number.
#[unsafe(no_mangle)]
pub extern "C" fn acm_player_cancel(world: AcmWorld, id: u32, now: f64) -> AcmStatus {
    guard(|| {
        with_world(world, |state| {
            state.world.player_mut().cancel(RequestId(id), now).map_err(Failure::refused)
        })
    })
}

/// Presses (`is_down` is not 0) or releases a key, named by its motion command, such as `WalkForward` or `Jump`.
/// `ACM_STATUS_REFUSED` if the motion is refused; the key counts as pressed all the same.
#[unsafe(no_mangle)]
pub extern "C" fn acm_player_key(world: AcmWorld, command: u32, is_down: u32, now: f64) -> AcmStatus {
    guard(|| {
        with_world(world, |state| {
            let response = state.world.player_mut().handle_key(MotionCommand(command), is_down != 0, now);
            response.result.map_err(Failure::refused)
        })
    })
}

/// Presses or releases the dedicated run key.
#[unsafe(no_mangle)]
pub extern "C" fn acm_player_hold_run(world: AcmWorld, is_held: u32, now: f64) -> AcmStatus {
    guard(|| {
        with_world(world, |state| {
            state.world.player_mut().set_hold_run(is_held != 0, now);
            Ok(())
        })
    })
}

/// Switches mouse look on or off.
#[unsafe(no_mangle)]
pub extern "C" fn acm_player_mouse_look(world: AcmWorld, is_on: u32, now: f64) -> AcmStatus {
    guard(|| {
        with_world(world, |state| {
            state.world.player_mut().set_mouse_look(is_on != 0, now);
            Ok(())
        })
    })
}

/// Turns the player by a movement of the mouse, to the right or, if it is negative, to the left.
#[unsafe(no_mangle)]
pub extern "C" fn acm_player_mouse_turn(world: AcmWorld, movement: f32, now: f64) -> AcmStatus {
    guard(|| {
        with_world(world, |state| {
            state.world.player_mut().mouse_turn(movement, now);
            Ok(())
        })
    })
}

/// Releases all keys, because the keyboard belongs to another window now.
#[unsafe(no_mangle)]
pub extern "C" fn acm_player_lose_focus(world: AcmWorld, now: f64) -> AcmStatus {
    guard(|| {
        with_world(world, |state| {
            state.world.player_mut().lose_focus(now);
            Ok(())
        })
    })
}

/// Sets `power` to the charge of the jump at a time, 0 to 1. `ACM_STATUS_NOTHING` if none is being charged.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn acm_player_jump_power(world: AcmWorld, now: f64, power: *mut f32) -> AcmStatus {
    guard(|| {
        // SAFETY: the caller's memory is as the crate's rules say.
        let power = unsafe { Out::new(power, "power")? };
        with_world(world, |state| {
            power.set(state.world.player_mut().jump_power(now).ok_or(Failure::NOTHING)?);
            Ok(())
        })
    })
}

/// Sets the skills that running and jumping depend on. A server's description of the player sets them, too.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn acm_player_set_skills(
    world: AcmWorld,
    skills: *const AcmSkills,
    now: f64,
) -> AcmStatus {
    guard(|| {
        // SAFETY: the caller's memory is as the crate's rules say.
        let skills = unsafe { input(skills, "skills")? };
        with_world(world, |state| {
            state.world.player_mut().set_weenie(skills.into(), now);
            Ok(())
        })
    })
}

/// Sets `position` to that of the player. `ACM_STATUS_NOTHING` if there is none.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn acm_player_position(world: AcmWorld, position: *mut AcmPosition) -> AcmStatus {
    guard(|| {
        // SAFETY: the caller's memory is as the crate's rules say.
        let position = unsafe { Out::new(position, "position")? };
        with_world(world, |state| {
            position.set(state.world.player_position().ok_or(Failure::NOTHING)?.into());
            Ok(())
        })
    })
}

/// Takes the messages that the player's client sends to the server, oldest first, as `acm_world_broadcasts` does those to
/// clients.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn acm_world_outbound(
    world: AcmWorld,
    bytes: *mut u8,
    capacity: usize,
    spans: *mut AcmSpan,
    span_capacity: usize,
    batch: *mut AcmBatch,
) -> AcmStatus {
    guard(|| {
        // SAFETY: the caller's memory is as the crate's rules say.
        let (bytes, spans, batch) = unsafe {
            (
                OutList::new(bytes, capacity, "bytes")?,
                OutList::new(spans, span_capacity, "spans")?,
                Out::new(batch, "batch")?,
            )
        };
        with_world(world, |state| {
            if state.next_outbound == state.outbound.len() {
                state.world.swap_outbound(&mut state.outbound);
                state.next_outbound = 0;
            }
            let (kept, next) = (&state.outbound, state.next_outbound);
            let message = |index| kept.get(index).map(|bytes| (0, bytes));
            state.next_outbound = take_messages(next, kept.len(), message, &bytes, &spans, &batch)?;
            Ok(())
        })
    })
}
