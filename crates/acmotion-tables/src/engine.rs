//! The tables that the engine fills: `entities`, `reports`, `states` and `events`.

use acmotion::json::is_listed;
use acmotion::{Event, EventKind, MotionEvent};
use acmotion_sim::replay::{MAX_START, Replay, Step};
use acmotion_types::{CellPosition, Guid, Vec3};
use acmotion_wire::ObjectDesc;
use acmotion_wire::capture::GameMessage;
use rustc_hash::FxHashMap;

use crate::TableError;
use crate::captures::EngineCounts;
use crate::entities::{Description, Entities, Life, Removal};
use crate::events::{Events, delete_reason};
use crate::reports::{LastReport, PendingReport, Reports, Source};
use crate::states::{State, States};
use crate::table::{TableOutput, TableWriter};
use crate::time::{CaptureTime, Moment};

/// The tables of the engine, as far as they are wanted.
pub(crate) struct EngineTables<W: TableOutput> {
    pub(crate) entities: Option<TableWriter<Entities, W>>,
    pub(crate) reports: Option<TableWriter<Reports, W>>,
    pub(crate) states: Option<TableWriter<States, W>>,
    pub(crate) events: Option<TableWriter<Events, W>>,
}

/// A capture that runs through the engine.
pub(crate) struct Engine<W: TableOutput> {
    replay: Replay,
    pub(crate) tables: EngineTables<W>,
    every_tick: bool,
    /// Seconds from the clock of the replay to that of the capture. They are the same unless the capture's has odd times.
    shift: f64,
    /// The time of the last message on the capture's clock.
    last_time: f64,
    /// The number of the message that is handled, and the time of the frame that handles it.
    current: Option<(i64, f64)>,
    /// The object that the message being handled describes.
    described: Option<(Guid, Description)>,
    /// The report whose consequences are still to come.
    pending: Option<PendingReport>,
    /// The entities of the world, and what is known of them.
    entities: FxHashMap<Guid, Known>,
}

/// What is known of an entity of the world.
struct Known {
    life: Life,
    /// The last row of its states.
    state: Option<State>,
    /// The position after the last tick.
    position: Option<CellPosition>,
    /// Whether it was placed since then, so that the next step is not motion.
    was_placed: bool,
    /// Whether it was snapped since its last report.
    was_snapped: bool,
    /// Whether its own client reports its position.
    is_own: bool,
    /// The last reports of the server and of its own client.
    reports: [Option<LastReport>; 2],
}

impl Known {
    fn new(created: Moment) -> Self {
        Self {
            life: Life::new(created),
            state: None,
            position: None,
            was_placed: true,
            was_snapped: false,
            is_own: false,
            reports: [None; 2],
        }
    }
}

impl<W: TableOutput> Engine<W> {
    pub(crate) fn new(replay: Replay, tables: EngineTables<W>, every_tick: bool) -> Self {
        Self {
            replay,
            tables,
            every_tick,
            shift: 0.0,
            last_time: f64::NEG_INFINITY,
            current: None,
            described: None,
            pending: None,
            entities: FxHashMap::default(),
        }
    }

    /// Runs the engine up to a message, and handles it. `object` is the object that the message describes.
    pub(crate) fn receive(
        &mut self,
        number: i64,
        message: &GameMessage<'_>,
        object: Option<&ObjectDesc<'_>>,
        clock: &CaptureTime,
    ) -> Result<(), TableError> {
        if self.replay.now().is_none() && message.time.abs() > MAX_START {
            // The clock of the replay starts at 0.
            self.shift = message.time;
        }
        self.described = object.map(|object| (object.guid, Description::new(object)));
        self.replay.receive(message.time, message.direction, message.bytes);
        self.take_steps(Some((number, message.time)), clock)
    }

    /// Runs the engine on for a second after the last message.
    pub(crate) fn finish(&mut self, clock: &CaptureTime) -> Result<EngineCounts, TableError> {
        self.replay.finish();
        self.take_steps(None, clock)?;
        self.write_pending()?;
        let player = self.replay.world().player().guid();
        let mut left: Vec<(Guid, Known)> = self.entities.drain().collect();
        left.sort_by_key(|(guid, _)| *guid);
        for (guid, known) in left {
            self.write_entity(guid, &known.life, None)?;
        }
        Ok(EngineCounts {
            ticks: self.replay.ticks(),
            totals: *self.replay.totals(),
            player: player.map(|player| player.0),
        })
    }

    fn take_steps(&mut self, received: Option<(i64, f64)>, clock: &CaptureTime) -> Result<(), TableError> {
        while let Some(step) = self.replay.step() {
            match step {
                Step::Message { time, arrived, .. } => {
                    self.write_pending()?;
                    if let Some((number, capture_time)) = received {
                        self.current = Some((number, time));
                        if capture_time.is_finite() && capture_time >= self.last_time {
                            self.last_time = capture_time;
                            self.shift = capture_time - arrived;
                        }
                    }
                }
                Step::Tick { time, .. } => {
                    self.write_pending()?;
                    self.tick(self.moment(time, clock))?;
                }
                Step::Event(event) => self.event(&event, self.moment(event.time, clock))?,
                Step::Report { time, guid, position, shown } => {
                    self.report(Source::Server, time, guid, position, shown, clock)?;
                }
                Step::OwnReport { time, guid, position, shown } => {
                    self.report(Source::Client, time, guid, position, shown, clock)?;
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Returns the moment of a time on the clock of the replay.
    fn moment(&self, time: f64, clock: &CaptureTime) -> Moment {
        clock.moment(time + self.shift)
    }

    /// Writes the states that have changed.
    fn tick(&mut self, moment: Moment) -> Result<(), TableError> {
        if self.tables.states.is_none() && self.tables.entities.is_none() {
            return Ok(());
        }
        let world = self.replay.world();
        for resident in world.entities() {
            let known = self.entities.entry(resident.guid()).or_insert_with(|| Known::new(moment));
            known.life.stand_in = resident.stand_in();
            let position = resident.body().position;
            let before = known.position.replace(position).filter(|_| !known.was_placed);
            if let Some(before) = before.filter(|before| *before != position) {
                known.life.moved += f64::from(horizontal(before.offset_to(&position)));
            }
            known.was_placed = false;
            let Some(states) = &mut self.tables.states else { continue };
            let state = State::new(resident, world.library());
            if self.every_tick || known.state != Some(state) {
                known.state = Some(state);
                states.rows.push(moment, &state, resident.entity().animator.sequence().frame());
                states.end_row()?;
            }
        }
        Ok(())
    }

    fn event(&mut self, event: &Event, moment: Moment) -> Result<(), TableError> {
        let Event { guid, time, kind } = event;
        match kind {
            EventKind::Created => {
                let mut known = Known::new(moment);
                known.life.description = self
                    .described
                    .take_if(|(described, _)| described == guid)
                    .map(|(_, described)| described);
                self.entities.insert(*guid, known);
            }
            EventKind::Deleted(reason) => {
                if let Some(known) = self.entities.remove(guid) {
                    let how = delete_reason(*reason);
                    self.write_entity(*guid, &known.life, Some(Removal { moment, how }))?;
                }
            }
            EventKind::Motion(MotionEvent::Snapped { .. }) => self.placed(*guid, *time, false),
            EventKind::Motion(MotionEvent::Teleported { .. }) => self.placed(*guid, *time, true),
            _ => {}
        }
        let message = self.current.filter(|(_, handled)| handled == time).map(|(number, _)| number);
        match &mut self.tables.events {
            Some(events) if is_listed(event) => {
                events.rows.push(message, moment, event, self.replay.world().library());
                events.end_row()
            }
            _ => Ok(()),
        }
    }

    /// Notes that an entity was snapped or teleported at a time on the clock of the replay.
    fn placed(&mut self, guid: Guid, time: f64, is_teleport: bool) {
        let report = self.pending.as_mut().filter(|report| report.guid == guid && report.time == time);
        let by_report = report.is_some();
        let teleporter = report.as_ref().map(|report| report.source as usize);
        if let Some(report) = report {
            report.teleport |= is_teleport;
            report.snap |= !is_teleport;
        }
        if let Some(known) = self.entities.get_mut(&guid) {
            known.was_placed = true;
            known.was_snapped |= !is_teleport && !by_report;
            if is_teleport {
                // Only the report that teleported it is from where it is now.
                for (source, last) in known.reports.iter_mut().enumerate() {
                    if let Some(last) = last {
                        last.was_elsewhere |= teleporter != Some(source);
                    }
                }
            }
            known.life.snaps += i64::from(!is_teleport);
            known.life.teleports += i64::from(is_teleport);
        }
    }

    fn report(
        &mut self,
        source: Source,
        time: f64,
        guid: Guid,
        position: CellPosition,
        shown: Option<CellPosition>,
        clock: &CaptureTime,
    ) -> Result<(), TableError> {
        self.write_pending()?;
        let moment = self.moment(time, clock);
        let resident = self.replay.world().find(guid).filter(|_| shown.is_some());
        let mut report = PendingReport {
            message: self.current.map_or(0, |(number, _)| number),
            moment,
            time,
            guid,
            source,
            position,
            shown,
            shown_speed: resident.map(|resident| horizontal(resident.body().cached_velocity)),
            before: None,
            counts: true,
            snap: false,
            teleport: false,
        };
        if let Some(known) = self.entities.get_mut(&guid) {
            known.is_own |= source == Source::Client;
            known.was_placed |= source == Source::Client;
            known.life.reports += 1;
            report.counts = source == Source::Client || !known.is_own;
            let last = LastReport { t: moment.t, position, was_elsewhere: false };
            report.before = known.reports[source as usize].replace(last);
            report.snap = std::mem::take(&mut known.was_snapped);
        }
        self.pending = Some(report);
        Ok(())
    }

    /// Writes the report whose consequences are known by now.
    fn write_pending(&mut self) -> Result<(), TableError> {
        let Some(report) = self.pending.take() else { return Ok(()) };
        if let Some((error, known)) = report.error().zip(self.entities.get_mut(&report.guid)) {
            known.life.add_error(error);
        }
        match &mut self.tables.reports {
            Some(reports) => {
                reports.rows.push(&report);
                reports.end_row()
            }
            None => Ok(()),
        }
    }

    fn write_entity(&mut self, guid: Guid, life: &Life, removal: Option<Removal>) -> Result<(), TableError> {
        let Some(entities) = &mut self.tables.entities else { return Ok(()) };
        let is_player = self.replay.world().player().guid() == Some(guid);
        entities.rows.push(guid, is_player, life, removal);
        entities.end_row()
    }
}

/// Returns the length of a vector without its height.
fn horizontal(vector: Vec3) -> f32 {
    Vec3 { z: 0.0, ..vector }.length()
}
