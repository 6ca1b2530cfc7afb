//! What a server does with its entities. Every change is applied to the body and queued as the message that tells clients
//! of it; `acm_world_broadcasts` takes these messages.

use std::ffi::c_char;

use acmotion::check::{ClientMotion, ClientMotionKind, interpreted, launch_velocity};
use acmotion::components::{Order, PhysicsState};
use acmotion::types::{CellPosition, Era, Guid, Vec3};
use acmotion::wire::{C2S, MotionFlags, Movement, MovementBody, S2C, decode_c2s};
use acmotion::{HeldBy, OrderLimits, Pace, PlayerWeenie, WalkGoal};

use crate::memory::{Out, OutList, Versioned, input, inputs, sized, text};
use crate::status::{AcmStatus, Failure, Outcome, guard};
use crate::types::{AcmPosition, AcmVec3};
use crate::wire::{AcmAction, AcmMessage, action_items};
use crate::world::{AcmWorld, WorldState, with_world};

/// `AcmOrder::kind`: walk or run to a position.
pub const ACM_ORDER_GO_TO: u32 = 0;
/// `AcmOrder::kind`: run to an entity, wherever it goes.
pub const ACM_ORDER_CHASE: u32 = 1;
/// `AcmOrder::kind`: turn to a heading.
pub const ACM_ORDER_TURN_TO_HEADING: u32 = 2;
/// `AcmOrder::kind`: turn to an entity.
pub const ACM_ORDER_FACE: u32 = 3;

/// Walk.
pub const ACM_PACE_WALK: u32 = 0;
/// Run.
pub const ACM_PACE_RUN: u32 = 1;
/// Run if the goal is far away, as the original does.
pub const ACM_PACE_AUTOMATIC: u32 = 2;

/// `acm_world_describe`: all of the entity, as `CreateObject`.
pub const ACM_DESCRIBE_OBJECT: u32 = 0;
/// `acm_world_describe`: its motion, as `UpdateMotion`.
pub const ACM_DESCRIBE_MOTION: u32 = 1;
/// `acm_world_describe`: its position, as `UpdatePosition`.
pub const ACM_DESCRIBE_POSITION: u32 = 2;
/// `acm_world_describe`: its velocity, as `VectorUpdate`.
pub const ACM_DESCRIBE_VECTOR: u32 = 3;
/// `acm_world_describe`: its physics state, as `SetState`.
pub const ACM_DESCRIBE_STATE: u32 = 4;
/// `acm_world_describe`: the entity that holds it, as `ParentEvent`.
pub const ACM_DESCRIBE_PARENT: u32 = 5;
/// `acm_world_describe`: that it was picked up, as `PickupEvent`.
pub const ACM_DESCRIBE_PICKUP: u32 = 6;
/// `acm_world_describe`: that it is deleted, as `DeleteObject`. Ask before it is despawned.
pub const ACM_DESCRIBE_DELETE: u32 = 7;

/// The maximum number of messages to clients that a world keeps until they are taken.
pub const ACM_MAX_BROADCASTS: u32 = 65536;

/// An order to an entity. Call `acm_order_init` first.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct AcmOrder {
    /// `sizeof(AcmOrder)`.
    pub struct_size: u32,
    /// One of `ACM_ORDER_…`.
    pub kind: u32,
    /// The entity to chase or to face.
    pub target: u32,
    /// One of `ACM_PACE_…`, for `ACM_ORDER_GO_TO`.
    pub pace: u32,
    /// Where to go.
    pub position: AcmPosition,
    /// The heading to turn to, in degrees.
    pub heading: f32,
    /// The distance at which it has arrived, in metres.
    pub distance: f32,
    /// The time without progress after which it gives up, in seconds; negative for none.
    pub patience: f32,
    /// The time for the whole order, in seconds; negative for none.
    pub timeout: f32,
}

// SAFETY: `struct_size` comes first, and all fields are numbers.
unsafe impl Versioned for AcmOrder {}

/// A message in a batch.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct AcmSpan {
    /// The entity that the message is about; 0 if it names none.
    pub guid: u32,
    /// The offset of its first byte.
    pub offset: u32,
    /// Its length in bytes.
    pub length: u32,
}

/// How much of a queue was taken.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct AcmBatch {
    /// The number of messages or events written.
    pub count: u64,
    /// The number of bytes written.
    pub bytes: u64,
    /// The number of messages or events that are left at least: call again.
    pub left: u64,
    /// The length of the first message that is left, in bytes.
    pub next_length: u64,
}

/// Messages to clients that have not been taken yet.
#[derive(Clone, Default)]
pub(crate) struct Broadcasts {
    bytes: Vec<u8>,
    spans: Vec<AcmSpan>,
    next: usize,
}

impl Broadcasts {
    fn check_room(&self) -> Outcome {
        if self.spans.len() - self.next < ACM_MAX_BROADCASTS as usize {
            return Ok(());
        }
        Err(Failure::new(AcmStatus::Full, "too many messages to clients: call acm_world_broadcasts"))
    }

    fn push<'a>(&mut self, guid: u32, message: impl Into<S2C<'a>>) {
        self.forget_taken();
        let start = self.bytes.len();
        message.into().encode(&mut self.bytes);
        let length = (self.bytes.len() - start) as u32;
        self.spans.push(AcmSpan { guid, offset: start as u32, length });
    }

    /// Makes room once at least half of the messages were taken.
    fn forget_taken(&mut self) {
        if self.next == 0 || self.next * 2 < self.spans.len() {
            return;
        }
        let taken = self.spans.drain(..self.next).next_back();
        let size = taken.map_or(0, |last| last.offset + last.length);
        self.bytes.drain(..size as usize);
        self.spans.iter_mut().for_each(|span| span.offset -= size);
        self.next = 0;
    }

    fn message(&self, index: usize) -> Option<(u32, &[u8])> {
        let AcmSpan { guid, offset, length } = *self.spans.get(index)?;
        Some((guid, &self.bytes[offset as usize..][..length as usize]))
    }
}

/// Copies messages into the caller's buffers, as many as there is room for, and returns the index of the first that is
/// left.
pub(crate) fn take_messages<'m>(
    first: usize,
    total: usize,
    message: impl Fn(usize) -> Option<(u32, &'m [u8])>,
    bytes: &OutList<'_, u8>,
    spans: &OutList<'_, AcmSpan>,
    batch: &Out<'_, AcmBatch>,
) -> Outcome<usize> {
    let (mut next, mut used) = (first, 0);
    while let Some((guid, content)) = message(next) {
        if next - first == spans.capacity() || content.len() > bytes.capacity() - used {
            break;
        }
        bytes.put_all(used, content);
        let (offset, length) = (used as u32, content.len() as u32);
        spans.put(next - first, AcmSpan { guid, offset, length });
        used += content.len();
        next += 1;
    }
    let next_length = message(next).map_or(0, |(_, content)| content.len() as u64);
    let (count, left) = ((next - first) as u64, (total - next) as u64);
    batch.set(AcmBatch { count, bytes: used as u64, left, next_length });
    if next == first && left > 0 {
        return Err(bytes.too_small(next_length as usize));
    }
    Ok(next)
}

impl AcmOrder {
    fn to_order(self) -> Outcome<Order> {
        let numbers = [self.heading, self.distance, self.patience, self.timeout];
        if !numbers.into_iter().all(f32::is_finite) {
            return Err(Failure::bad_argument("a number of the order is not finite"));
        }
        let target = Guid(self.target);
        let mut order = match self.kind {
            ACM_ORDER_GO_TO => {
                let mut goal = WalkGoal::new(self.position.into()).within(self.distance);
                goal.pace = pace(self.pace)?;
                Order::from(goal)
            }
            ACM_ORDER_CHASE => {
                let mut order = Order::chase(target);
                order.params_mut().distance_to_object = self.distance;
                order
            }
            ACM_ORDER_TURN_TO_HEADING => Order::turn_to_heading(self.heading),
            ACM_ORDER_FACE => Order::face(target),
            other => return Err(Failure::bad_argument(format_args!("{other} is not a kind of order"))),
        };
        let limit = |seconds: f32| (seconds >= 0.0).then_some(seconds);
        order.params_mut().limits =
            OrderLimits { patience: limit(self.patience), timeout: limit(self.timeout) };
        Ok(order)
    }
}

pub(crate) fn pace(pace: u32) -> Outcome<Pace> {
    match pace {
        ACM_PACE_WALK => Ok(Pace::Walk),
        ACM_PACE_RUN => Ok(Pace::Run),
        ACM_PACE_AUTOMATIC => Ok(Pace::Automatic),
        other => Err(Failure::bad_argument(format_args!("{other} is not a pace"))),
    }
}

/// Fills in an order to walk to a position that is to be set.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn acm_order_init(order: *mut AcmOrder) -> AcmStatus {
    guard(|| {
        // SAFETY: the caller's memory is as the crate's rules say.
        let out = unsafe { Out::new(order, "order")? };
        let goal = WalkGoal::new(CellPosition::default());
        out.set(AcmOrder {
            struct_size: size_of::<AcmOrder>() as u32,
            pace: ACM_PACE_WALK,
            position: goal.position.into(),
            distance: goal.distance,
            patience: goal.patience,
            timeout: -1.0,
            ..AcmOrder::default()
        });
        Ok(())
    })
}

/// Gives an entity an order, and queues `UpdateMotion` for clients.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn acm_world_order(
    world: AcmWorld,
    guid: u32,
    order: *const AcmOrder,
    now: f64,
) -> AcmStatus {
    guard(|| {
        // SAFETY: the caller's memory is as the crate's rules say.
        let order = unsafe { sized(order, "order")? }.to_order()?;
        with_world(world, |state| {
            state.broadcasts.check_room()?;
            let message = state.world.order(state.id_of(guid)?, &order, now);
            state.broadcasts.push(guid, message.ok_or(Failure::NO_ENTITY)?);
            Ok(())
        })
    })
}

/// Makes an entity move as a message with a movement says (`movement_type` and what belongs to it), and queues
/// `UpdateMotion` for clients, with new stamps.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn acm_world_set_movement(
    world: AcmWorld,
    guid: u32,
    movement: *const AcmMessage,
    actions: *const AcmAction,
    action_count: usize,
    now: f64,
) -> AcmStatus {
    guard(|| {
        // SAFETY: the caller's memory is as the crate's rules say.
        let (message, actions) =
            unsafe { (sized(movement, "movement")?, inputs(actions, action_count, "actions")?) };
        let actions = action_items(actions)?;
        let movement = message.movement(&actions)?;
        with_world(world, |state| {
            state.broadcasts.check_room()?;
            let (id, is_autonomous) = (state.id_of(guid)?, message.autonomous != 0);
            let message = state.world.set_movement(id, movement, is_autonomous, now);
            state.broadcasts.push(guid, message.ok_or(Failure::NO_ENTITY)?);
            Ok(())
        })
    })
}

/// Sets the velocity (metres a second) and the angular velocity (radians a second) of an entity, and queues
/// `VectorUpdate` for clients.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn acm_world_set_velocity(
    world: AcmWorld,
    guid: u32,
    velocity: *const AcmVec3,
    omega: *const AcmVec3,
    now: f64,
) -> AcmStatus {
    guard(|| {
        // SAFETY: the caller's memory is as the crate's rules say.
        let (velocity, omega) = unsafe { (input(velocity, "velocity")?, input(omega, "omega")?) };
        with_world(world, |state| {
            state.broadcasts.check_room()?;
            let message = state.world.set_velocity(state.id_of(guid)?, velocity.into(), omega.into(), now);
            state.broadcasts.push(guid, message.ok_or(Failure::NO_ENTITY)?);
            Ok(())
        })
    })
}

/// Sets the physics state of an entity, and queues `SetState` for clients.
#[unsafe(no_mangle)]
pub extern "C" fn acm_world_set_state(world: AcmWorld, guid: u32, physics_state: u32, now: f64) -> AcmStatus {
    guard(|| {
        with_world(world, |state| {
            state.broadcasts.check_room()?;
            let physics_state = PhysicsState::from_bits_retain(physics_state);
            let message = state.world.set_state(state.id_of(guid)?, physics_state, now);
            state.broadcasts.push(guid, message.ok_or(Failure::NO_ENTITY)?);
            Ok(())
        })
    })
}

/// Queues a report of an entity's position for clients, with a new stamp. `ACM_STATUS_NOTHING` if it is in no cell.
#[unsafe(no_mangle)]
pub extern "C" fn acm_world_report_position(world: AcmWorld, guid: u32) -> AcmStatus {
    guard(|| {
        with_world(world, |state| {
            state.broadcasts.check_room()?;
            let message = state.world.report_position(state.id_of(guid)?);
            state.broadcasts.push(guid, message.ok_or(Failure::NOTHING)?);
            Ok(())
        })
    })
}

/// Teleports an entity, and queues its new position for clients.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn acm_world_teleport(
    world: AcmWorld,
    guid: u32,
    position: *const AcmPosition,
    now: f64,
) -> AcmStatus {
    guard(|| {
        // SAFETY: the caller's memory is as the crate's rules say.
        let position = unsafe { input(position, "position")? };
        with_world(world, |state| {
            state.broadcasts.check_room()?;
            let id = state.id_of(guid)?;
            state.world.teleport(id, &position.into(), now).map_err(Failure::refused)?;
            if let Some(message) = state.world.describe_position(id) {
                state.broadcasts.push(guid, message);
            }
            Ok(())
        })
    })
}

/// Attaches an entity to another at a holding location (1 right hand, 2 left hand, 3 shield), and queues `ParentEvent` for
/// clients.
#[unsafe(no_mangle)]
pub extern "C" fn acm_world_set_parent(
    world: AcmWorld,
    child: u32,
    parent: u32,
    location: u32,
    placement: u32,
    now: f64,
) -> AcmStatus {
    guard(|| {
        with_world(world, |state| {
            state.broadcasts.check_room()?;
            let (id, held_by) = (state.id_of(child)?, HeldBy { parent: Guid(parent), location });
            state.world.set_parent(id, held_by, placement, now).map_err(Failure::refused)?;
            if let Some(message) = state.world.describe_parent(id) {
                state.broadcasts.push(child, message);
            }
            Ok(())
        })
    })
}

/// Moves the body of a player as a message of its client says, and queues what other clients have to know: `UpdateMotion`
/// for keys, and `VectorUpdate` for a jump. Check the message first (`acm_checker_receive`). `ACM_STATUS_NOTHING` if it is
/// not about the player's motion.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn acm_world_follow_client(
    world: AcmWorld,
    player: u32,
    bytes: *const u8,
    length: usize,
    era: u32,
    now: f64,
) -> AcmStatus {
    guard(|| {
        // SAFETY: the caller's memory is as the crate's rules say.
        let bytes = unsafe { inputs(bytes, length, "bytes")? };
        let era = crate::types::era(era)?;
        let motion = client_motion(bytes, era)?;
        with_world(world, |state| {
            state.broadcasts.check_room()?;
            state.follow_client(player, motion, now)
        })
    })
}

fn client_motion(bytes: &[u8], era: Era) -> Outcome<ClientMotion> {
    let message = decode_c2s(bytes, era).map_err(Failure::bad_data)?;
    let C2S::GameAction(action) = message else { return Err(Failure::NOTHING) };
    ClientMotion::new(&action.action).ok_or(Failure::NOTHING)
}

impl WorldState {
    fn follow_client(&mut self, player: u32, motion: ClientMotion, now: f64) -> Outcome {
        let (id, guid) = (self.id_of(player)?, Guid(player));
        // In the air the server's own world moves the body.
        if let Some(position) = motion.position.filter(|_| motion.has_contact) {
            if !position.frame.is_valid() || !position.cell.is_valid() {
                return Err(Failure::bad_data("not a position"));
            }
            self.world.act(guid, now, |actor, around| actor.set_position(&position, true, around));
        }
        match motion.kind {
            ClientMotionKind::Position => {}
            ClientMotionKind::State { raw, .. } => {
                self.raw.insert(guid, raw);
                self.relay_motion(player, now)?;
            }
            ClientMotionKind::Jump { velocity, .. } => {
                self.relay_motion(player, now)?;
                let frame = self.world.get(id).map(|body| body.position().frame);
                let velocity = frame.and_then(|frame| launch_velocity(velocity, &frame));
                let velocity = velocity.ok_or(Failure::new(AcmStatus::BadData, "not a velocity"))?;
                if let Some(message) = self.world.set_velocity(id, velocity, Vec3::ZERO, now) {
                    self.broadcasts.push(player, message);
                }
            }
        }
        Ok(())
    }

    /// Turns what the keys of a player ask for into motion, here and for the others.
    fn relay_motion(&mut self, player: u32, now: f64) -> Outcome {
        let (id, guid) = (self.id_of(player)?, Guid(player));
        let entity = self.world.get(id).ok_or(Failure::NO_ENTITY)?.entity();
        let style = entity.interp.interpreted.style;
        let raw = self.raw.get(&guid).cloned().unwrap_or_default();
        let state = match entity.weenie() {
            Some(weenie) => interpreted(raw, weenie, style),
            None => interpreted(raw, &PlayerWeenie::default(), style),
        };
        let mut actions = Vec::new();
        let body = MovementBody::Interpreted { state: state.to_wire(&mut actions), sticky: None };
        let movement = Movement { flags: MotionFlags::empty(), style, body };
        if let Some(message) = self.world.set_movement(id, movement, true, now) {
            self.broadcasts.push(player, message);
        }
        Ok(())
    }
}

/// Takes the messages to clients that changes have queued, oldest first: their bytes one after the other, and for each
/// where it is. As many as there is room for are taken; `batch` says how many are left.
/// `ACM_STATUS_BUFFER_TOO_SMALL` if not even the first one fits.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn acm_world_broadcasts(
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
            let kept = &state.broadcasts;
            let message = |index| kept.message(index);
            let next = take_messages(kept.next, kept.spans.len(), message, &bytes, &spans, &batch)?;
            state.broadcasts.next = next;
            Ok(())
        })
    })
}

/// Writes the message that describes an entity, or a part of it (`ACM_DESCRIBE_…`), to a client. `name` counts for
/// `ACM_DESCRIBE_OBJECT` only. `ACM_STATUS_NOTHING` if it has nothing of the kind. Changes nothing.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn acm_world_describe(
    world: AcmWorld,
    guid: u32,
    what: u32,
    name: *const c_char,
    name_length: usize,
    buffer: *mut u8,
    capacity: usize,
    length: *mut usize,
) -> AcmStatus {
    guard(|| {
        // SAFETY: the caller's memory is as the crate's rules say.
        let (name, buffer, length) = unsafe {
            (
                text(name, name_length, "name")?,
                OutList::new(buffer, capacity, "buffer")?,
                Out::new(length, "length")?,
            )
        };
        let bytes = with_world(world, |state| {
            let (id, world) = (state.id_of(guid)?, &state.world);
            let mut bytes = Vec::new();
            let message: Option<S2C<'_>> = match what {
                ACM_DESCRIBE_OBJECT => {
                    let description = world.describe(id).ok_or(Failure::NOTHING)?;
                    description.named(name).encode(&mut bytes);
                    return Ok(bytes);
                }
                ACM_DESCRIBE_MOTION => world.describe_motion(id).map(S2C::from),
                ACM_DESCRIBE_POSITION => world.describe_position(id).map(S2C::from),
                ACM_DESCRIBE_VECTOR => world.describe_vector(id).map(S2C::from),
                ACM_DESCRIBE_STATE => world.describe_state(id).map(S2C::from),
                ACM_DESCRIBE_PARENT => world.describe_parent(id).map(S2C::from),
                ACM_DESCRIBE_PICKUP => world.describe_pickup(id).map(S2C::from),
                ACM_DESCRIBE_DELETE => world.describe_delete(id).map(S2C::from),
                other => return Err(Failure::bad_argument(format_args!("{other} is nothing to describe"))),
            };
            message.ok_or(Failure::NOTHING)?.encode(&mut bytes);
            Ok(bytes)
        })?;
        buffer.fill(&bytes, &length)
    })
}
