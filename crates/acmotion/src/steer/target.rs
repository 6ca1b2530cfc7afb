//! Targets and voyeurs: bodies that watch others, and bodies that are watched (rule I11).

use acmotion_types::{CellPosition, Guid, Vec3};

use super::voyeurs::Voyeurs;

/// The minimum time between two checks of a body's target and voyeurs, in seconds of the physics clock.
pub const CHECK_SECONDS: f64 = 0.5;
/// The maximum time that a body waits for the first update of its target, in seconds.
pub const TARGET_SECONDS: f64 = 10.0;

/// The maximum number of voyeurs of one body. Further ones get no update, and time out as if the body did not exist. The
/// original has no limit.
pub const MAX_VOYEURS: usize = 1024;

/// The status of a watched object (rule I11).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[repr(u8)]
pub enum TargetStatus {
    /// No update has been received.
    #[default]
    Undefined = 0,
    /// The object is in the world.
    Ok = 1,
    /// The object left the world.
    ExitWorld = 2,
    /// The object was teleported.
    Teleported = 3,
    /// The object is in a container.
    Contained = 4,
    /// The object is attached to another.
    Parented = 5,
    /// No update was received in time.
    TimedOut = 6,
}

impl TargetStatus {
    /// All statuses.
    pub const ALL: [Self; 7] = [
        Self::Undefined,
        Self::Ok,
        Self::ExitWorld,
        Self::Teleported,
        Self::Contained,
        Self::Parented,
        Self::TimedOut,
    ];

    /// The original's number of the status.
    pub const fn code(self) -> u32 {
        self as u32
    }
}

/// What a body knows about its target.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct TargetInfo {
    /// The purpose of watching. Updates are passed on only for 0.
    pub context: u32,
    /// The target.
    pub object: Guid,
    /// How far the target's prediction may move, in metres, before the target sends an update.
    pub radius: f32,
    /// How far ahead the target predicts its position, in seconds.
    pub quantum: f64,
    /// The target's position in the last update.
    pub target_position: CellPosition,
    /// The target's predicted position in the last update.
    pub interpolated_position: CellPosition,
    /// The unit vector from the body to the predicted position; upwards if the two coincide.
    pub heading: Vec3,
    /// The target's velocity in the last update, in metres a second.
    pub velocity: Vec3,
    /// The target's status in the last update.
    pub status: TargetStatus,
    /// The time of the last update, in seconds.
    pub last_update: f64,
}

/// An object that watches a body.
#[derive(Clone, Copy, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[doc(alias = "TargettedVoyeurInfo")]
pub struct Voyeur {
    /// The watching object.
    pub guid: Guid,
    /// How far the body's prediction may move, in metres, before the body sends an update.
    pub radius: f32,
    /// How far ahead the body predicts its position, in seconds.
    pub quantum: f64,
    /// The predicted position in the last update.
    pub last_sent: CellPosition,
}

/// An update from a target (rule I11).
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct TargetUpdate {
    /// The target's position.
    pub target_position: CellPosition,
    /// The target's predicted position.
    pub interpolated_position: CellPosition,
    /// The target's velocity, in metres a second.
    pub velocity: Vec3,
    /// The target's status.
    pub status: TargetStatus,
    /// The radius at which the receiver watches, in metres.
    pub radius: f32,
    /// How far ahead the target predicts its position, in seconds.
    pub quantum: f64,
}

/// The content of a notice.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum NoticeKind {
    /// The sender watches the receiver from now on, or changes how closely.
    #[doc(alias = "AddVoyeur")]
    Watch {
        /// How far the receiver's prediction may move, in metres, before it sends an update.
        radius: f32,
        /// How far ahead the receiver predicts its position, in seconds.
        quantum: f64,
    },
    /// The sender no longer watches the receiver.
    #[doc(alias = "RemoveVoyeur")]
    Unwatch,
    /// An update about the sender, which the receiver watches.
    #[doc(alias = "SendVoyeurUpdate")]
    Update(TargetUpdate),
}

/// A notice from one body to another. The original calls the other object directly; here the owner of all bodies delivers
/// notices with `receive`, in order, right after each act of a body. A notice to an unknown body is dropped.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Notice {
    /// The sender.
    pub from: Guid,
    /// The receiver.
    pub to: Guid,
    /// The content.
    pub kind: NoticeKind,
}

/// The target of a body, and its voyeurs: the bodies that watch it (rule I11).
///
/// A [`World`](crate::World) delivers the notices between its entities. Without one, their owner does:
///
/// ```
/// use acmotion::Library;
/// use acmotion::components::{
///     Entity, Events, Neighbour, Neighbours, Notice, NoticeKind, Order, TargetInfo, TargetManager, TargetStatus,
///     TargetUpdate, Voyeur,
/// };
/// use acmotion::dat::{Assets, mannequin};
/// use acmotion::scene::{InfinitePlane, Shape};
/// use acmotion::types::{CellId, CellPosition, Guid, Vec3};
///
/// /// What entities see of each other.
/// struct Seen(Vec<(Guid, Neighbour)>);
///
/// impl Seen {
///     fn by_all(entities: &[Entity]) -> Self {
///         let neighbour = |entity: &Entity| {
///             let size = entity.shape.cylinder(entity.body.scale);
///             (entity.guid, Neighbour { parent: None, position: entity.body.position, size })
///         };
///         Self(entities.iter().map(neighbour).collect())
///     }
/// }
///
/// impl Neighbours for Seen {
///     fn neighbour(&self, guid: Guid) -> Option<Neighbour> {
///         self.0.iter().find(|(known, _)| *known == guid).map(|(_, neighbour)| *neighbour)
///     }
/// }
///
/// /// Delivers all notices, and returns them.
/// fn deliver(entities: &mut [Entity], library: &Library, events: &mut Events) -> Vec<Notice> {
///     let (seen, mut delivered) = (Seen::by_all(entities), Vec::new());
///     while let Some(notice) = events.take_notice() {
///         if let Some(receiver) = entities.iter_mut().find(|entity| entity.guid == notice.to) {
///             receiver.act(library, 0.0, events).with_neighbours(&seen).receive_notice(&notice);
///         }
///         delivered.push(notice);
///     }
///     delivered
/// }
///
/// # fn main() -> Result<(), acmotion::dat::DatError> {
/// let (mut library, mut events, ground) = (Library::new(), Events::new(), InfinitePlane::level(94.0));
/// let table = library.load_table(&Assets::mannequin(), mannequin::HUMAN_TABLE)?;
/// let (hunter, prey) = (Guid(0x8000_0001), Guid(0x8000_0002));
/// let mut entities = [(hunter, 4.0), (prey, 20.0)].map(|(guid, y)| {
///     let mut entity = Entity::new(guid, Some(table));
///     entity.shape = Shape::human().into();
///     let position = CellPosition::at(CellId(0xA9B4_0001), Vec3::new(12.0, y, 94.0));
///     let mut actor = entity.act(&library, 0.0, &mut events);
///     actor.enter_world(&position, true, &ground);
///     actor.enter_default_state();
///     entity
/// });
///
/// // The hunter watches its prey, which answers with its position.
/// let seen = Seen::by_all(&entities);
/// entities[0].act(&library, 0.0, &mut events).with_neighbours(&seen).order(&Order::chase(prey));
/// let notices = deliver(&mut entities, &library, &mut events);
/// assert!(matches!(notices[0], Notice { from, to, kind: NoticeKind::Watch { .. } } if (from, to) == (hunter, prey)));
/// let NoticeKind::Update(TargetUpdate { target_position, .. }) = notices[1].kind else { panic!("no answer") };
/// assert_eq!(target_position, entities[1].body.position);
///
/// // Now the hunter has a target, and the prey a voyeur.
/// let target: &TargetInfo = entities[0].targets().and_then(TargetManager::target).expect("it chases");
/// assert_eq!((target.object, target.status), (prey, TargetStatus::Ok));
/// let voyeurs: &[Voyeur] = entities[1].targets().map_or(&[], TargetManager::voyeurs);
/// assert!(voyeurs.iter().any(|voyeur| voyeur.guid == hunter));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, PartialEq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct TargetManager {
    target: Option<TargetInfo>,
    voyeurs: Voyeurs,
    last_check: Option<f64>,
}

impl TargetManager {
    /// The body's target.
    pub fn target(&self) -> Option<&TargetInfo> {
        self.target.as_ref()
    }

    /// How far ahead the target predicts its position, in seconds; 0 if there is no target.
    #[doc(alias = "get_target_quantum")]
    pub fn quantum(&self) -> f64 {
        self.target.map_or(0.0, |target| target.quantum)
    }

    /// The bodies that watch this one, in the order in which they started.
    pub fn voyeurs(&self) -> &[Voyeur] {
        self.voyeurs.as_slice()
    }

    /// Moves the stored times by a number of seconds.
    pub(crate) fn shift_times(&mut self, by: f64) {
        if let Some(target) = &mut self.target {
            target.last_update += by;
        }
        if let Some(last) = &mut self.last_check {
            *last += by;
        }
    }

    /// The memory it has allocated, in bytes.
    pub fn side_bytes(&self) -> usize {
        self.voyeurs.side_bytes()
    }
}

/// The owner of a [`TargetManager`], which performs its requests.
pub trait TargetHost {
    /// The guid of the body.
    fn guid(&self) -> Guid;

    /// The position and the velocity of the body.
    fn motion(&self) -> (CellPosition, Vec3);

    /// The target manager.
    fn targets(&mut self) -> &mut TargetManager;

    /// Sends a notice to another body.
    fn send_notice(&mut self, notice: Notice);

    /// Handles an update of the target.
    #[doc(alias = "HandleUpdateTarget")]
    fn on_target_update(&mut self, info: &TargetInfo);
}

/// Starts watching an object, instead of the previous target. Guid 0 times out at once.
#[doc(alias = "SetTarget")]
pub fn set_target(host: &mut impl TargetHost, info: TargetInfo, now: f64) {
    clear_target(host);
    if info.object.is_none() {
        return host.on_target_update(&TargetInfo { status: TargetStatus::TimedOut, ..info });
    }
    host.targets().target = Some(TargetInfo { status: TargetStatus::Undefined, last_update: now, ..info });
    watch(host, &info);
}

/// Stops watching the target.
#[doc(alias = "ClearTarget")]
pub fn clear_target(host: &mut impl TargetHost) {
    if let Some(target) = host.targets().target.take() {
        let notice = Notice { from: host.guid(), to: target.object, kind: NoticeKind::Unwatch };
        host.send_notice(notice);
    }
}

/// Changes how far ahead the target predicts its position, in seconds.
#[doc(alias = "SetTargetQuantum")]
pub fn set_target_quantum(host: &mut impl TargetHost, quantum: f64) {
    if let Some(target) = &mut host.targets().target {
        target.quantum = quantum;
        let target = *target;
        watch(host, &target);
    }
}

fn watch(host: &mut impl TargetHost, target: &TargetInfo) {
    let kind = NoticeKind::Watch { radius: target.radius, quantum: target.quantum };
    let notice = Notice { from: host.guid(), to: target.object, kind };
    host.send_notice(notice);
}

/// Checks target and voyeurs, at most twice a second: times out a target that has sent no update, and sends an update to
/// each voyeur for which the prediction has moved too far (rules I11, B8, R4). `clock` is the physics clock, `now` the time
/// of the client frame.
#[doc(alias = "HandleTargetting")]
pub fn handle_targeting(host: &mut impl TargetHost, clock: f64, now: f64) {
    let targets = host.targets();
    if targets.last_check.is_some_and(|last| clock - last < CHECK_SECONDS) {
        return;
    }
    time_out_target(host, now);
    let (position, velocity) = host.motion();
    for index in 0..host.targets().voyeurs.len() {
        let Some(voyeur) = host.targets().voyeurs().get(index).copied() else { break };
        let mut predicted = position;
        predicted.frame.origin += velocity * voyeur.quantum as f32;
        if predicted.distance_to(&voyeur.last_sent) > voyeur.radius {
            send_voyeur_update(host, index, &predicted, TargetStatus::Ok);
        }
    }
    host.targets().last_check = Some(clock);
}

fn time_out_target(host: &mut impl TargetHost, now: f64) {
    let Some(target) = &mut host.targets().target else { return };
    if target.status == TargetStatus::Undefined && target.last_update + TARGET_SECONDS < now {
        target.status = TargetStatus::TimedOut;
        let target = *target;
        host.on_target_update(&target);
    }
}

/// Sends all voyeurs an update with the current position and a status.
#[doc(alias = "NotifyVoyeurOfEvent")]
pub fn notify_voyeurs(host: &mut impl TargetHost, status: TargetStatus) {
    let (position, _) = host.motion();
    for index in 0..host.targets().voyeurs.len() {
        send_voyeur_update(host, index, &position, status);
    }
}

/// Sends a voyeur an update.
#[doc(alias = "SendVoyeurUpdate")]
fn send_voyeur_update(
    host: &mut impl TargetHost,
    voyeur: usize,
    predicted: &CellPosition,
    status: TargetStatus,
) {
    let (target_position, velocity) = host.motion();
    let from = host.guid();
    let Some(voyeur) = host.targets().voyeurs.get_mut(voyeur) else { return };
    voyeur.last_sent = *predicted;
    let update = TargetUpdate {
        target_position,
        interpolated_position: *predicted,
        velocity,
        status,
        radius: voyeur.radius,
        quantum: voyeur.quantum,
    };
    let to = voyeur.guid;
    host.send_notice(Notice { from, to, kind: NoticeKind::Update(update) });
}

/// Handles a notice from another body.
pub fn receive(host: &mut impl TargetHost, notice: &Notice, now: f64) {
    match notice.kind {
        NoticeKind::Watch { radius, quantum } => add_voyeur(host, notice.from, radius, quantum),
        NoticeKind::Unwatch => host.targets().voyeurs.remove(notice.from),
        NoticeKind::Update(update) => receive_update(host, notice.from, &update, now),
    }
}

/// Adds a voyeur, which gets an update at once. For a known voyeur only radius and quantum change. A body that has
/// [`MAX_VOYEURS`] takes no more.
fn add_voyeur(host: &mut impl TargetHost, guid: Guid, radius: f32, quantum: f64) {
    let voyeurs = &mut host.targets().voyeurs;
    if let Some(known) = voyeurs.find_mut(guid) {
        (known.radius, known.quantum) = (radius, quantum);
        return;
    }
    if voyeurs.len() >= MAX_VOYEURS {
        return;
    }
    let index = voyeurs.len();
    voyeurs.push(Voyeur { guid, radius, quantum, last_sent: CellPosition::default() });
    let (position, _) = host.motion();
    send_voyeur_update(host, index, &position, TargetStatus::Ok);
}

/// Handles an update of the target. Updates of objects that are not the target are ignored. A target that left the world is
/// cleared.
#[doc(alias = "ReceiveUpdate")]
fn receive_update(host: &mut impl TargetHost, from: Guid, update: &TargetUpdate, now: f64) {
    let (own, _) = host.motion();
    let Some(target) = host.targets().target.as_mut().filter(|target| target.object == from) else { return };
    let offset = own.offset_to(&update.interpolated_position);
    *target = TargetInfo {
        context: target.context,
        object: from,
        radius: update.radius,
        quantum: update.quantum,
        target_position: update.target_position,
        interpolated_position: update.interpolated_position,
        heading: offset.normalized().unwrap_or(Vec3::new(0.0, 0.0, 1.0)),
        velocity: update.velocity,
        status: update.status,
        last_update: now,
    };
    let target = *target;
    host.on_target_update(&target);
    if update.status == TargetStatus::ExitWorld {
        clear_target(host);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Setting the clock moves every time that is kept.
    #[test]
    fn the_times_of_a_target_are_moved_together() {
        let target = Some(TargetInfo { last_update: 8.0, ..TargetInfo::default() });
        let mut targets = TargetManager { target, last_check: Some(6.0), ..TargetManager::default() };
        targets.shift_times(-2.0);
        assert_eq!(targets.target.map(|target| target.last_update), Some(6.0));
        assert_eq!(targets.last_check, Some(4.0));
    }
}
