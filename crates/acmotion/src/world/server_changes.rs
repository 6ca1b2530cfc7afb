//! Changes that a server makes to an entity: each is applied as the server's own clients will apply it, advances the stamps
//! of its message, and returns the message (rules D4, D9–D11).

use acmotion_types::{Stamp, Vec3};
use acmotion_wire::{
    MotionFlags, Movement, MovementData, ObjectStamps, Pad, PhysicsState, SetState, UpdateMotion,
    UpdatePosition, VectorUpdate, WireBool,
};

use super::{EntityId, World};
use crate::gate::MotionReport;
use crate::steer::Order;

/// One of the nine stamps of an entity (rule D1).
///
/// ```
/// use acmotion::dat::Assets;
/// use acmotion::types::{CellId, CellPosition, Guid, Vec3};
/// use acmotion::{EntitySpec, StampKind, World};
///
/// # fn main() -> Result<(), acmotion::SpawnError> {
/// let mut world = World::new(Assets::mannequin());
/// let position = CellPosition::at(CellId(0xA9B4_0001), Vec3::new(12.0, 12.0, 94.0));
/// let id = world.spawn(&EntitySpec::new(Guid(0x8000_0001), position), 0.0)?;
/// // A server that writes a message of its own stamps it so that clients take it as newer than all before.
/// let before = world.get(id).map(|entity| entity.stamps().teleport);
/// let stamp = world.next_stamp(id, StampKind::Teleport);
/// assert!(stamp.zip(before).is_some_and(|(stamp, before)| stamp.is_newer_than(before)));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum StampKind {
    /// Counts position reports, attachments and pick-ups.
    Position,
    /// Counts movements.
    Movement,
    /// Counts changes of the physics state.
    State,
    /// Counts changes of the velocity.
    Vector,
    /// Counts teleports.
    Teleport,
    /// Counts movements that the server imposes.
    #[doc(alias = "SERVER_CONTROLLED_MOVE_TS")]
    ServerControl,
    /// Counts positions that the server forces on a player.
    ForcePosition,
    /// Counts changes of the appearance.
    #[doc(alias = "OBJDESC_TS")]
    VisualDesc,
    /// Counts instances. A client that gets a newer one creates the entity anew (rule D12).
    Instance,
}

impl StampKind {
    fn of(self, stamps: &mut ObjectStamps) -> &mut Stamp {
        match self {
            Self::Position => &mut stamps.position,
            Self::Movement => &mut stamps.movement,
            Self::State => &mut stamps.state,
            Self::Vector => &mut stamps.vector,
            Self::Teleport => &mut stamps.teleport,
            Self::ServerControl => &mut stamps.server_control,
            Self::ForcePosition => &mut stamps.force_position,
            Self::VisualDesc => &mut stamps.visual_desc,
            Self::Instance => &mut stamps.instance,
        }
    }
}

/// # For servers
///
/// A server's world owns its entities and their stamps. Whoever changes an entity by one of these functions, or by
/// [`teleport`](Self::teleport), [`set_parent`](Self::set_parent), [`pick_up`](Self::pick_up) or [`drop_at`](Self::drop_at),
/// need not care for stamps: the change advances those that rule D4 names. `describe` and its kin only read them, so the
/// same description can be sent to any number of clients, and again. A body moves by itself, without a message:
/// [`report_position`](Self::report_position) advances the stamp and describes the position.
///
/// In a world that receives messages the stamps are the server's. Use none of these functions there, or the server's next
/// messages are stale.
///
/// ```
/// use acmotion::dat::Assets;
/// use acmotion::types::{CellId, CellPosition, Guid, Vec3};
/// use acmotion::wire::S2C;
/// use acmotion::{EntitySpec, World};
///
/// let mut server = World::new(Assets::mannequin());
/// let mut client = World::new(Assets::mannequin());
/// let mut bytes = Vec::new();
///
/// let position = CellPosition::at(CellId(0xA9B4_0001), Vec3::new(12.0, 12.0, 94.0));
/// let drudge = server.spawn(&EntitySpec::new(Guid(0x8000_0001), position), 0.0)?;
/// let description = server.describe(drudge).expect("it was just spawned");
/// description.named("Drudge").encode(&mut bytes);
/// client.receive(&bytes, 0.0)?;
///
/// let jump = server.set_velocity(drudge, Vec3::new(0.0, 0.0, 5.0), Vec3::ZERO, 1.0).expect("it exists");
/// client.receive_message(&S2C::from(jump), 1.0);
/// for world in [&mut server, &mut client] {
///     world.tick(1.1);
///     assert!(world.find(Guid(0x8000_0001)).is_some_and(|jumps| jumps.position().frame.origin.z > 94.3));
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
impl World {
    /// Advances a stamp of an entity and returns it; `None` if the entity does not exist.
    pub fn next_stamp(&mut self, id: EntityId, kind: StampKind) -> Option<Stamp> {
        let stamp = kind.of(&mut self.store.get_mut(id)?.stamps);
        *stamp = stamp.next();
        Some(*stamp)
    }

    /// Makes an entity move, and returns the message for others; `None` if it does not exist (rules D9, E). `is_autonomous`
    /// is `true` if the entity is a player and its own client started the movement; otherwise the client loses control of
    /// it. Advances the stamps `MOVEMENT` and, unless it is autonomous, `SERVER_CONTROLLED_MOVE`.
    pub fn set_movement<'a>(
        &mut self,
        id: EntityId,
        movement: Movement<'a>,
        is_autonomous: bool,
        now: f64,
    ) -> Option<UpdateMotion<'a>> {
        let now = self.accept_time(now);
        let index = self.index_of_id(id)?;
        let resident = self.store.at(index)?;
        let (guid, stamps) = (resident.guid(), resident.stamps);
        let server_control = if is_autonomous { stamps.server_control } else { stamps.server_control.next() };
        let report =
            MotionReport { movement: stamps.movement.next(), server_control, autonomous: is_autonomous };
        self.set_object_movement(index, &movement, report, now);
        let data = MovementData {
            movement_stamp: report.movement,
            server_control,
            autonomous: WireBool::from(is_autonomous),
            pad: Pad::ZERO,
            movement,
        };
        Some(UpdateMotion { guid, instance: stamps.instance, data })
    }

    /// Gives an entity an order, and returns the message for others; `None` if it does not exist (rules E5, J6). Clients
    /// get the order itself and carry it out, as in the original; only the server gives up at the order's
    /// [limits](crate::OrderLimits). Advances the stamps `MOVEMENT` and `SERVER_CONTROLLED_MOVE`.
    ///
    /// ```
    /// use acmotion::components::Order;
    /// use acmotion::dat::Assets;
    /// use acmotion::types::{CellId, CellPosition, Guid, Vec3};
    /// use acmotion::wire::S2C;
    /// use acmotion::{EntitySpec, World};
    ///
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let place = |y| CellPosition::at(CellId(0xA9B4_0001), Vec3::new(12.0, y, 94.0));
    /// let spec = EntitySpec::new(Guid(0x8000_0001), place(4.0));
    /// let [mut server, mut client] = [(); 2].map(|()| World::new(Assets::mannequin()));
    /// let drudge = server.spawn(&spec, 0.0)?;
    /// client.spawn(&spec, 0.0)?;
    ///
    /// let message = server.order(drudge, &Order::walk_to(place(12.0)), 0.0).expect("it exists");
    /// client.receive_message(&S2C::from(message), 0.0);
    /// for frame in 1..300 {
    ///     server.advance(f64::from(frame) / 30.0);
    ///     client.advance(f64::from(frame) / 30.0);
    /// }
    /// let [there, shown] = [&server, &client].map(|world| world.find(spec.guid).expect("it exists").position());
    /// assert!(there.distance_to(&place(12.0)) < 1.2);
    /// assert!(there.distance_to(&shown) < 0.1);
    /// # Ok(())
    /// # }
    /// ```
    pub fn order(&mut self, id: EntityId, order: &Order, now: f64) -> Option<UpdateMotion<'static>> {
        let now = self.accept_time(now);
        let resident = self.get(id)?;
        let (entity, style) = (resident.entity(), resident.entity().interp.interpreted.style);
        let run_rate = entity.interp.run_rate(entity.weenie());
        let own = resident.position();
        let body = order.to_wire(run_rate, |target| {
            let target = self.find(target)?.position();
            Some((target, own.heading_to(&target)))
        })?;
        let movement = Movement { flags: MotionFlags::empty(), style, body };
        let message = self.set_movement(id, movement, false, now)?;
        self.act(message.guid, now, |actor, _| actor.limit_order(order.params()));
        Some(message)
    }

    /// Sets the velocity, in metres a second, and the angular velocity, in radians a second, of an entity, and returns the
    /// message for others; `None` if it does not exist (rule D10). Advances the stamp `VECTOR`.
    pub fn set_velocity(
        &mut self,
        id: EntityId,
        velocity: Vec3,
        omega: Vec3,
        now: f64,
    ) -> Option<VectorUpdate> {
        let now = self.accept_time(now);
        let index = self.index_of_id(id)?;
        let resident = self.store.at(index)?;
        let (guid, instance, vector) =
            (resident.guid(), resident.stamps.instance, resident.stamps.vector.next());
        self.do_vector_update(index, velocity, omega, vector, now);
        Some(VectorUpdate { guid, velocity, omega, instance, vector })
    }

    /// Sets the physics state of an entity, and returns the message for others; `None` if it does not exist (rules C19,
    /// D11). Advances the stamp `STATE`.
    pub fn set_state(&mut self, id: EntityId, state: PhysicsState, now: f64) -> Option<SetState> {
        let now = self.accept_time(now);
        let index = self.index_of_id(id)?;
        let resident = self.store.at(index)?;
        let (guid, instance, state_stamp) =
            (resident.guid(), resident.stamps.instance, resident.stamps.state.next());
        self.do_set_state(index, state, state_stamp, now);
        Some(SetState { guid, state, instance, state_stamp })
    }

    /// Advances the stamp `POSITION` of an entity, and returns its [position](Self::describe_position) as a report for
    /// others (rules D5, D6); `None` if it does not exist or is in no cell.
    pub fn report_position(&mut self, id: EntityId) -> Option<UpdatePosition> {
        self.describe_position(id)?;
        self.next_stamp(id, StampKind::Position);
        self.describe_position(id)
    }
}
