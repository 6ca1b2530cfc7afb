//! Watching an object that moves, and being watched (rule I11).

use acmotion_types::{CellPosition, Guid, Vec3};

/// How often, in seconds of the physics clock, a body looks after what it watches and who watches it.
pub const CHECK_SECONDS: f64 = 0.5;
/// How long a body waits for a target that never answers, in seconds.
pub const TARGET_SECONDS: f64 = 10.0;

/// What a watched object says of itself (rule I11).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[repr(u8)]
pub enum TargetStatus {
    /// It has not answered yet.
    #[default]
    Undefined = 0,
    /// It is there.
    Ok = 1,
    /// It left the world.
    ExitWorld = 2,
    /// It was teleported.
    Teleported = 3,
    /// Somebody carries it.
    Contained = 4,
    /// It hangs on something.
    Parented = 5,
    /// It never answered.
    TimedOut = 6,
}

impl TargetStatus {
    /// Every one.
    pub const ALL: [Self; 7] = [
        Self::Undefined,
        Self::Ok,
        Self::ExitWorld,
        Self::Teleported,
        Self::Contained,
        Self::Parented,
        Self::TimedOut,
    ];

    /// The original's number.
    pub const fn code(self) -> u32 {
        self as u32
    }
}

/// What a body knows about the object it watches.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct TargetInfo {
    /// On whose behalf it watches; only 0 is told.
    pub context: u32,
    /// The object.
    pub object: Guid,
    /// How far the object may get from where it last said it would be, in metres.
    pub radius: f32,
    /// How far ahead the object looks, in seconds.
    pub quantum: f64,
    /// Where the object was.
    pub target_position: CellPosition,
    /// Where the object was going to be.
    pub interpolated_position: CellPosition,
    /// The direction of the latter from the body.
    pub heading: Vec3,
    /// How fast the object was.
    pub velocity: Vec3,
    /// What it said of itself.
    pub status: TargetStatus,
    /// When it last said so.
    pub last_update: f64,
}

/// Who watches a body, and how closely.
#[derive(Clone, Copy, PartialEq, Debug)]
#[doc(alias = "TargettedVoyeurInfo")]
pub struct Voyeur {
    /// Who.
    pub guid: Guid,
    /// How far the body may get from where it last said it would be, in metres.
    pub radius: f32,
    /// How far ahead the body looks for it, in seconds.
    pub quantum: f64,
    /// Where it last said it would be.
    pub last_sent: CellPosition,
}

/// What a watched object tells (rule I11).
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct TargetUpdate {
    /// Where it is.
    pub target_position: CellPosition,
    /// Where it is going to be.
    pub interpolated_position: CellPosition,
    /// How fast it is.
    pub velocity: Vec3,
    /// What it says of itself.
    pub status: TargetStatus,
    /// How closely it is watched.
    pub radius: f32,
    /// How far ahead it looks.
    pub quantum: f64,
}

/// What one body has to say to another.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum NoticeKind {
    /// I watch you from now on, or more or less closely.
    #[doc(alias = "AddVoyeur")]
    Watch {
        /// How far you may get from where you last said you would be.
        radius: f32,
        /// How far ahead you shall look.
        quantum: f64,
    },
    /// I watch you no more.
    #[doc(alias = "RemoveVoyeur")]
    Unwatch,
    /// This is how I am.
    #[doc(alias = "SendVoyeurUpdate")]
    Update(TargetUpdate),
}

/// A notice on its way. The original calls the other object at once; here whoever owns all bodies takes the mail out and
/// delivers it in order, right after each act of a body, with [`receive`]. Mail for a body that is not known is thrown
/// away.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Notice {
    /// Who says it.
    pub from: Guid,
    /// To whom.
    pub to: Guid,
    /// What.
    pub kind: NoticeKind,
}

/// What a body watches, and who watches it (rule I11).
#[derive(Clone, PartialEq, Debug, Default)]
pub struct TargetManager {
    target: Option<TargetInfo>,
    voyeurs: Vec<Voyeur>,
    last_check: Option<f64>,
}

impl TargetManager {
    /// What it watches.
    pub fn target(&self) -> Option<&TargetInfo> {
        self.target.as_ref()
    }

    /// How far ahead its target looks; 0 if it has none.
    #[doc(alias = "get_target_quantum")]
    pub fn quantum(&self) -> f64 {
        self.target.map_or(0.0, |target| target.quantum)
    }

    /// Who watches it, in the order in which they came.
    pub fn voyeurs(&self) -> &[Voyeur] {
        &self.voyeurs
    }

    /// How many bytes it takes outside of its owner.
    pub fn side_bytes(&self) -> usize {
        self.voyeurs.capacity() * size_of::<Voyeur>()
    }
}

/// Who owns a [`TargetManager`] and does what it asks for.
pub trait TargetHost {
    /// Who it is.
    fn guid(&self) -> Guid;

    /// Where it is and how fast it moves.
    fn motion(&self) -> (CellPosition, Vec3);

    /// What it watches, and who watches it.
    fn targets(&mut self) -> &mut TargetManager;

    /// Sends a notice to another body.
    fn send_notice(&mut self, mail: Notice);

    /// Is told how its target is.
    #[doc(alias = "HandleUpdateTarget")]
    fn on_target_update(&mut self, info: &TargetInfo);
}

/// Watches an object from now on, instead of what it watched before. Nobody is nobody to wait for: that is told at once.
#[doc(alias = "SetTarget")]
pub fn set_target(host: &mut impl TargetHost, info: TargetInfo, now: f64) {
    clear_target(host);
    if info.object.is_none() {
        return host.on_target_update(&TargetInfo { status: TargetStatus::TimedOut, ..info });
    }
    host.targets().target = Some(TargetInfo { status: TargetStatus::Undefined, last_update: now, ..info });
    watch(host, &info);
}

/// Watches nothing any more.
#[doc(alias = "ClearTarget")]
pub fn clear_target(host: &mut impl TargetHost) {
    if let Some(target) = host.targets().target.take() {
        let mail = Notice { from: host.guid(), to: target.object, kind: NoticeKind::Unwatch };
        host.send_notice(mail);
    }
}

/// Has its target look farther ahead, or less far.
#[doc(alias = "SetTargetQuantum")]
pub fn set_target_quantum(host: &mut impl TargetHost, quantum: f64) {
    if let Some(target) = &mut host.targets().target {
        target.quantum = quantum;
        let target = *target;
        watch(host, &target);
    }
}

fn watch(host: &mut impl TargetHost, target: &TargetInfo) {
    let notice = NoticeKind::Watch { radius: target.radius, quantum: target.quantum };
    let mail = Notice { from: host.guid(), to: target.object, kind: notice };
    host.send_notice(mail);
}

/// Looks after both sides, twice a second: gives up a target that never answered, and tells those who watch if it is
/// going to be too far from where it last said (rules I11, B8, R4). `clock` is the physics clock, `now` the frame's time.
#[doc(alias = "HandleTargetting")]
pub fn handle_targeting(host: &mut impl TargetHost, clock: f64, now: f64) {
    let targets = host.targets();
    if targets.last_check.is_some_and(|last| clock - last < CHECK_SECONDS) {
        return;
    }
    give_up_silent_target(host, now);
    let (position, velocity) = host.motion();
    for index in 0..host.targets().voyeurs.len() {
        let Some(voyeur) = host.targets().voyeurs.get(index).copied() else { break };
        let mut predicted = position;
        predicted.frame.origin += velocity * voyeur.quantum as f32;
        if predicted.distance_to(&voyeur.last_sent) > voyeur.radius {
            tell(host, index, &predicted, TargetStatus::Ok);
        }
    }
    host.targets().last_check = Some(clock);
}

fn give_up_silent_target(host: &mut impl TargetHost, now: f64) {
    let Some(target) = &mut host.targets().target else { return };
    if target.status == TargetStatus::Undefined && target.last_update + TARGET_SECONDS < now {
        target.status = TargetStatus::TimedOut;
        let target = *target;
        host.on_target_update(&target);
    }
}

/// Tells all who watch that something has happened to it.
#[doc(alias = "NotifyVoyeurOfEvent")]
pub fn notify_voyeurs(host: &mut impl TargetHost, status: TargetStatus) {
    let (position, _) = host.motion();
    for index in 0..host.targets().voyeurs.len() {
        tell(host, index, &position, status);
    }
}

/// Tells one who watches where it is and is going to be.
fn tell(host: &mut impl TargetHost, voyeur: usize, predicted: &CellPosition, status: TargetStatus) {
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

/// Takes in mail from another body.
pub fn receive(host: &mut impl TargetHost, mail: &Notice, now: f64) {
    match mail.kind {
        NoticeKind::Watch { radius, quantum } => add_voyeur(host, mail.from, radius, quantum),
        NoticeKind::Unwatch => host.targets().voyeurs.retain(|voyeur| voyeur.guid != mail.from),
        NoticeKind::Update(update) => receive_update(host, mail.from, &update, now),
    }
}

/// Somebody new is told at once; somebody known only watches more or less closely.
fn add_voyeur(host: &mut impl TargetHost, guid: Guid, radius: f32, quantum: f64) {
    let voyeurs = &mut host.targets().voyeurs;
    if let Some(known) = voyeurs.iter_mut().find(|voyeur| voyeur.guid == guid) {
        (known.radius, known.quantum) = (radius, quantum);
        return;
    }
    let index = voyeurs.len();
    voyeurs.push(Voyeur { guid, radius, quantum, last_sent: CellPosition::default() });
    let (position, _) = host.motion();
    tell(host, index, &position, TargetStatus::Ok);
}

/// The target tells; what it does not watch any more does not count. A target that left is not watched any more.
#[doc(alias = "ReceiveUpdate")]
fn receive_update(host: &mut impl TargetHost, from: Guid, update: &TargetUpdate, now: f64) {
    let (own, _) = host.motion();
    let Some(target) = host.targets().target.as_mut().filter(|target| target.object == from) else { return };
    let way = own.offset_to(&update.interpolated_position);
    *target = TargetInfo {
        context: target.context,
        object: from,
        radius: update.radius,
        quantum: update.quantum,
        target_position: update.target_position,
        interpolated_position: update.interpolated_position,
        heading: way.normalized().unwrap_or(Vec3::new(0.0, 0.0, 1.0)),
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
