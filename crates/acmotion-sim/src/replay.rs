//! Captures run through the engine: messages with their times in, ticks and events out.
//!
//! [`Replay`] owns a [`World`] and its clock. Feed it the messages of a capture in order, and after each take the
//! [steps](Step) that follow from it:
//!
//! ```
//! use acmotion::dat::Assets;
//! use acmotion::wire::Direction;
//! use acmotion_sim::replay::{Replay, ReplaySettings, Step};
//!
//! let capture: [(f64, Direction, &[u8]); 0] = [];
//! let mut replay = Replay::new(Assets::mannequin(), ReplaySettings::default());
//! let mut ticks = 0;
//! for (time, direction, bytes) in capture {
//!     replay.receive(time, direction, bytes);
//!     while let Some(step) = replay.step() {
//!         match step {
//!             Step::Tick { .. } => ticks += replay.world().entities().len(),
//!             Step::Event(event) => println!("{:.3} s: {} {:?}", event.time, event.guid, event.kind),
//!             _ => {}
//!         }
//!     }
//! }
//! replay.finish();
//! while replay.step().is_some() {}
//! ```
//!
//! # Frames
//! The replay draws frames as a client does, 60 a second, so that the engine's 30 Hz gate opens at every second one
//! (rule B2). A message is handled in the first frame at or after its time, after that frame's physics (rule B1).
//!
//! # Entities
//! The local player is the object that `PlayerCreate` names, or else the one in [`ReplaySettings::player`]. It moves by
//! what its own client sent: the raw states of `MoveToState` go through the interpreter, a `Jump` throws the body, and at
//! every position the body's own is [compared](Step::OwnReport) and then corrected. Orders, motions and teleports of the
//! server act as they do in a client. If the capture does not describe the player's skills, its run rate is the one that
//! the server states. An object that the capture never creates gets a stand-in at its first `UpdatePosition`; the player,
//! at the first position that its client sends. Without land, the ground under a body is level, at
//! the height of its last grounded report; [`Replay::set_land`] adds land, which is loaded as the capture leads there.
//!
//! # Time
//! A capture comes from outside, so its times are not trusted. The replay's clock follows them with these exceptions,
//! each of which is counted in [`Totals`]:
//!
//! - A time that is not finite, or earlier than that of the message before, counts as the time of the message before.
//! - After a silence of more than [`MAX_SILENCE`] (ten minutes) the engine runs on for a second, and the clock then jumps
//!   to the next message. Bodies do not move during a jump (rule B3), but everything that times out does.
//! - Pauses of more than half a minute are skipped in the same way once there were more than an hour of them.
//! - A gap of more than [`MAX_GAP`] (an hour) counts as an hour. Every timeout of the engine is far shorter.
//! - If the first time is farther from 0 than [`MAX_START`], which no Unix time in seconds is before the year 2106, the
//!   clock starts at 0 instead: at such times an `f64` cannot tell frames apart.
//!
//! One message therefore causes at most [`MAX_SILENCE`] seconds of frames, whatever its time, and a capture at most half a
//! minute for each message and [`MAX_PAUSES`] more.
//!
//! # Work
//! A small capture can create many bodies and then let them run for days. A replay therefore simulates at most
//! [`MAX_BODY_SECONDS`], the seconds of all its bodies together, and [`MAX_BODY_SECONDS_PER_BYTE`] more for each byte of
//! the messages received so far; captures of real play take a tenth of that. When it has simulated more, it stops for
//! good: further messages are neither handled nor waited for, but [counted](Totals::not_run).

mod agreement;
mod budget;
mod capture_clock;
mod land;
mod totals;

use std::collections::VecDeque;
use std::sync::Arc;

use acmotion::check::{ClientMotion, OwnPlayer, learn_run_rate};
use acmotion::dat::Assets;
use acmotion::scene::{LoadError, SceneLoader};
use acmotion::types::{CellPosition, Era, Guid};
use acmotion::wire::{C2S, DecodeError, Direction, S2C, decode_c2s, decode_s2c};
use acmotion::{Event, EventKind, Identity, MotionEvent, Presentation, Settings, World};

pub use agreement::{Agreement, MAX_REPORTS, percentile, report_error};
pub use budget::{MAX_BODY_SECONDS, MAX_BODY_SECONDS_PER_BYTE};
pub use capture_clock::{MAX_GAP, MAX_START};
pub use totals::{Totals, Unreadable};

use budget::Budget;
use capture_clock::CaptureClock;
use land::Land;

/// Seconds from frame to frame: slightly more than a sixtieth, so that the engine's 30 Hz gate opens at every second one.
const FRAME: f64 = 1.0 / 60.0 + 1e-7;
/// Seconds from tick to tick, which a tick counts for even after a jump of the clock.
const TICK: f64 = 2.0 * FRAME;
/// Seconds for which the engine runs on after the last message, and before a silence is skipped.
const TAIL: f64 = 1.0;
/// The longest silence, in seconds, that is run frame by frame. In a longer one the engine runs on for a second, and the
/// clock then jumps to the next message.
pub const MAX_SILENCE: f64 = 600.0;

/// The maximum total, in seconds, of the pauses that are run frame by frame: an hour. Gaps of up to half a minute do not
/// count.
pub const MAX_PAUSES: f64 = 3_600.0;
/// The minimum length, in seconds, of a gap that counts as a pause.
const MIN_PAUSE: f64 = 30.0;

/// How a [`Replay`] is set up.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ReplaySettings {
    /// The local player, if the capture has no `PlayerCreate` that names it.
    pub player: Option<Guid>,
    /// The client version whose numbering the motion commands follow.
    pub era: Era,
}

/// One thing that happened in a replay, in order. Times are on the clock of the replay, in seconds.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub enum Step {
    /// The physics gate opened and every entity of [`Replay::world`] was updated. Its events came before.
    Tick {
        /// The number of the tick, from 1.
        number: u32,
        /// The time of the tick.
        time: f64,
    },
    /// Something happened in the world.
    Event(Event),
    /// A message of the capture is handled. What follows from it comes next.
    Message {
        /// The time of the frame that handles it.
        time: f64,
        /// The time at which it arrived, up to one frame earlier; earlier still if the clock was
        /// [advanced](Replay::advance) past it.
        arrived: f64,
        /// The direction in which it went.
        direction: Direction,
        /// The message, from its opcode on.
        bytes: Arc<[u8]>,
    },
    /// A `CreateObject` gives an object its name.
    Named {
        /// The object.
        guid: Guid,
        /// Its name, as the server sent it.
        name: String,
    },
    /// The server reports a position. The world has handled the report when this is returned.
    Report {
        /// The time of the frame that handled the report.
        time: f64,
        /// The object.
        guid: Guid,
        /// The position that the server reports.
        position: CellPosition,
        /// The position at which the object was shown when the report arrived; `None` if it was not in the world.
        shown: Option<CellPosition>,
    },
    /// The local player's own client sent a position, and its body was placed there.
    OwnReport {
        /// The time of the frame that handled the message.
        time: f64,
        /// The local player.
        guid: Guid,
        /// The position that its client sent.
        position: CellPosition,
        /// The position at which its body was shown before; `None` if it was not in the world.
        shown: Option<CellPosition>,
    },
}

/// A capture that runs through the engine. See [the module](self) for an example and for what it does with times.
///
/// The same messages give the same steps, bit for bit.
pub struct Replay {
    world: World,
    era: Era,
    land: Option<Land>,
    capture_clock: CaptureClock,
    /// The time of the last frame; `None` before the first.
    now: Option<f64>,
    frames: u64,
    ticks: u32,
    /// The total of the pauses that were run frame by frame, in seconds.
    paused: f64,
    budget: Budget,
    jobs: VecDeque<Job>,
    steps: VecDeque<Step>,
    totals: Totals,
    own_player: OwnPlayer,
}

/// What is still to be done.
enum Job {
    /// Advances the clock to a time, frame by frame or, if that is too far, by a jump.
    Advance(f64),
    /// Runs frames until the clock has reached a time.
    RunUntil(f64),
    /// Runs frames for a second.
    RunTail,
    /// Runs one frame at a time, however far away.
    Jump(f64),
    /// Handles a message.
    Deliver { arrived: f64, direction: Direction, bytes: Arc<[u8]> },
}

impl Replay {
    /// Creates a replay without land that has not received anything.
    pub fn new(assets: Assets, settings: ReplaySettings) -> Self {
        let ReplaySettings { player, era } = settings;
        let settings = Settings {
            player: player.map_or(Identity::NoPlayer, Identity::Known),
            era,
            stand_ins_for_unknown: true,
            level_where_unknown: true,
            ..Settings::default()
        };
        Self {
            world: World::with_settings(assets, settings),
            era,
            land: None,
            capture_clock: CaptureClock::default(),
            now: None,
            frames: 0,
            ticks: 0,
            paused: 0.0,
            budget: Budget::new(),
            jobs: VecDeque::new(),
            steps: VecDeque::new(),
            totals: Totals::default(),
            own_player: OwnPlayer::default(),
        }
    }

    /// Sets the land that bodies collide with. A landblock and its neighbours are loaded when the capture first places an
    /// object there.
    pub fn set_land(&mut self, loader: SceneLoader) {
        self.land = Some(Land::new(loader));
    }

    /// Chooses how the world shows remotes from now on. It does not change how they are simulated.
    pub fn set_presentation(&mut self, presentation: Presentation) {
        self.world.set_presentation(presentation);
    }

    /// Sets whether the ground slopes as reports say where no land is known, from now on: see
    /// [`Settings::slope_from_reports`].
    pub fn set_slope_from_reports(&mut self, learns: bool) {
        self.world.set_slope_from_reports(learns);
    }

    /// Sets whether creatures whose tables are missing go as fast as reports say, from now on: see
    /// [`Settings::speeds_from_reports`].
    pub fn set_speeds_from_reports(&mut self, learns: bool) {
        self.world.set_speeds_from_reports(learns);
    }

    /// Receives a message of the capture, at a time of the capture in seconds. It is handled by the following calls of
    /// [`step`](Self::step), together with the frames up to it.
    pub fn receive(&mut self, time: f64, direction: Direction, bytes: &[u8]) {
        if self.has_stopped() {
            self.totals.not_run += 1;
            return;
        }
        self.budget.grant(bytes.len());
        let arrived = self.capture_clock.read(time, &mut self.totals);
        self.jobs.push_back(Job::Advance(arrived));
        self.jobs.push_back(Job::Deliver { arrived, direction, bytes: bytes.into() });
    }

    /// Lets time pass without a message, up to a time on the clock of the replay. For captures that are still being
    /// written. Does nothing before the first message.
    pub fn advance(&mut self, to: f64) {
        if let Some(now) = self.now.filter(|_| to.is_finite()) {
            // It is the caller that wants this time to pass, and not the capture.
            self.budget.grant_time((to - now).max(0.0), &self.world);
            self.jobs.push_back(Job::Advance(to));
        }
    }

    /// Runs on for a second after the last message, so that what it started is seen.
    pub fn finish(&mut self) {
        self.jobs.push_back(Job::RunTail);
    }

    /// Returns the next thing that happens, running frames and handling messages as needed. `None` when everything
    /// received so far has been handled.
    pub fn step(&mut self) -> Option<Step> {
        loop {
            if let Some(step) = self.steps.pop_front() {
                return Some(step);
            }
            let job = self.jobs.pop_front()?;
            self.run(job);
        }
    }

    /// Does a job, or its first frame.
    fn run(&mut self, job: Job) {
        if self.has_stopped() {
            self.totals.not_run += u64::from(matches!(job, Job::Deliver { .. }));
            return;
        }
        match (job, self.now) {
            (Job::Advance(to), Some(now)) if to - now > MAX_SILENCE => {
                self.totals.silences += 1;
                self.jobs.push_front(Job::Jump(to));
                self.jobs.push_front(Job::RunTail);
            }
            (Job::Advance(to), Some(now)) if to - now > MIN_PAUSE => {
                if self.paused + (to - now) > MAX_PAUSES {
                    self.totals.skipped_pauses += 1;
                    self.jobs.push_front(Job::Jump(to));
                    self.jobs.push_front(Job::RunTail);
                } else {
                    self.paused += to - now;
                    self.jobs.push_front(Job::RunUntil(to));
                }
            }
            (Job::Advance(to), Some(_)) => self.jobs.push_front(Job::RunUntil(to)),
            (Job::RunTail, Some(now)) => self.jobs.push_front(Job::RunUntil(now + TAIL)),
            (Job::RunUntil(to), Some(now)) => {
                if now < to {
                    self.jobs.push_front(Job::RunUntil(to));
                    self.frame(now + FRAME);
                }
            }
            (Job::Advance(to), None) | (Job::Jump(to), _) => self.frame(to),
            (Job::RunTail | Job::RunUntil(_), None) => {}
            (Job::Deliver { arrived, direction, bytes }, now) => {
                let time = now.unwrap_or(arrived);
                self.steps.push_back(Step::Message { time, arrived, direction, bytes: Arc::clone(&bytes) });
                let handled = match direction {
                    Direction::S2C => self.handle_server(&bytes, time),
                    Direction::C2S => self.handle_client(&bytes, time),
                };
                self.totals.messages += 1;
                if let Err(error) = handled {
                    self.totals.unreadable += 1;
                    let number = self.totals.messages;
                    let unreadable = Unreadable { number, time, direction, len: bytes.len(), error };
                    self.totals.first_unreadable.get_or_insert(unreadable);
                }
                self.drain_events();
            }
        }
    }

    fn frame(&mut self, now: f64) {
        self.now = Some(now);
        self.frames += 1;
        let ticked = self.world.tick(now);
        self.drain_events();
        if ticked {
            self.ticks += 1;
            self.steps.push_back(Step::Tick { number: self.ticks, time: now });
            self.budget.spend(TICK, &self.world);
            if self.budget.is_used_up() {
                self.totals.stopped = Some(now);
            }
        }
    }

    fn drain_events(&mut self) {
        for event in self.world.drain_events() {
            match event.kind {
                EventKind::Motion(MotionEvent::Snapped { .. }) => self.totals.snaps += 1,
                EventKind::Motion(MotionEvent::Teleported { .. }) => self.totals.teleports += 1,
                EventKind::Rejected(_) => self.totals.rejected += 1,
                _ => {}
            }
            self.steps.push_back(Step::Event(event));
        }
    }

    fn handle_server(&mut self, bytes: &[u8], now: f64) -> Result<(), DecodeError> {
        let decoded = decode_s2c(bytes, self.era);
        // Borrowed, because a message is large.
        let message = decoded.as_ref().map_err(|error| *error)?;
        match message {
            S2C::CreateObject(object) => {
                let name = object.0.weenie.name().to_string();
                self.steps.push_back(Step::Named { guid: object.0.guid, name });
                self.visit(object.0.physics.position);
            }
            S2C::UpdateObject(object) => self.visit(object.0.physics.position),
            S2C::UpdatePosition(report) => self.on_report(report.guid, report.pack.position, now),
            S2C::UpdateMotion(update) => learn_run_rate(&mut self.world, update, now),
            S2C::PositionAndMovement(report) => self.on_report(report.guid, report.pack.position, now),
            _ => {}
        }
        self.world.receive_message(message, now);
        Ok(())
    }

    /// Notes where an object is shown when the server reports its position.
    fn on_report(&mut self, guid: Guid, position: CellPosition, time: f64) {
        self.visit(Some(position));
        let resident = self.world.find(guid).filter(|resident| resident.body().is_in_cell());
        let shown = resident.map(|resident| resident.position());
        self.steps.push_back(Step::Report { time, guid, position, shown });
    }

    /// Moves the player as its own client did.
    fn handle_client(&mut self, bytes: &[u8], time: f64) -> Result<(), DecodeError> {
        let C2S::GameAction(action) = decode_c2s(bytes, self.era)? else { return Ok(()) };
        let Some(motion) = ClientMotion::new(&action.action) else { return Ok(()) };
        self.visit(motion.position);
        let followed = self.own_player.follow(&mut self.world, &motion, time);
        if let Some(((guid, shown), position)) = followed.zip(motion.position) {
            self.steps.push_back(Step::OwnReport { time, guid, position, shown });
        }
        Ok(())
    }

    /// Loads the land around a position.
    fn visit(&mut self, position: Option<CellPosition>) {
        let scene = position.zip(self.land.as_mut()).and_then(|(position, land)| land.visit(position.cell));
        if let Some(scene) = scene {
            self.world.set_surroundings(Some(Arc::new(scene)));
        }
    }

    /// Returns the world as it is at the last step.
    pub fn world(&self) -> &World {
        &self.world
    }

    /// Starts or stops keeping why an entity moves as it does: see [`World::explain`]. Does not change its motion.
    pub fn explain(&mut self, guid: Guid, explained: bool) -> bool {
        self.world.explain(guid, explained)
    }

    /// Returns the time of the last frame, in seconds; `None` before the first message.
    pub fn now(&self) -> Option<f64> {
        self.now
    }

    /// Returns `true` once the capture has taken more work than its size allows, which ends the replay: see
    /// [Work](self#work).
    pub fn has_stopped(&self) -> bool {
        self.totals.stopped.is_some()
    }

    /// Returns the number of frames that were run.
    pub fn frames(&self) -> u64 {
        self.frames
    }

    /// Returns the number of ticks: frames in which the physics gate opened.
    pub fn ticks(&self) -> u32 {
        self.ticks
    }

    /// Returns what was counted so far.
    pub fn totals(&self) -> &Totals {
        &self.totals
    }

    /// Returns the parts of the land that could not be loaded.
    pub fn land_problems(&self) -> &[LoadError] {
        self.land.as_ref().map_or(&[], Land::problems)
    }
}
