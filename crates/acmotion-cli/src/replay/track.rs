//! What is recorded about each entity while a world runs.

use acmotion::json::move_to_text;
use acmotion::{Event, EventKind, MotionEvent, Resident, StandIn, World};
use acmotion_sim::replay::{Agreement, MAX_REPORTS};
use acmotion_types::{CellPosition, Guid, MotionCommand, Vec3};
use rustc_hash::FxHashMap;

/// The tracks of all entities, in the order in which they were first seen, up to [`MAX_TRACKS`].
#[derive(Default)]
pub(crate) struct Tracks {
    pub(crate) list: Vec<Track>,
    indices: FxHashMap<Guid, usize>,
    /// The indices of the entities of the last tick, in the order of the world. Few change from tick to tick.
    order: Vec<usize>,
    /// Whether samples, reports and marks are kept, for a page.
    has_samples: bool,
}

/// What is recorded about one entity.
pub(crate) struct Track {
    pub(crate) guid: Guid,
    pub(crate) name: String,
    pub(crate) stand_in: StandIn,
    /// At most [`MAX_TRACK_SAMPLES`]; empty if samples are not kept.
    pub(crate) samples: Vec<Sample>,
    /// The number of samples of which one is kept, and of those since the last that was kept.
    sample_stride: (u64, u64),
    /// The first [`MAX_REPORTS`]; empty if samples are not kept.
    pub(crate) reports: Vec<Report>,
    /// How it agrees with its reports.
    pub(crate) agreement: Agreement,
    /// The first [`MAX_MARKS`]; empty if samples are not kept.
    pub(crate) marks: Vec<Mark>,
    has_samples: bool,
    pub(crate) ticks: u64,
    /// The number of ticks in which it moved.
    pub(crate) moving: u64,
    /// The number of ticks in which it moved against the direction of the tick before.
    pub(crate) backward: u64,
    /// The number of ticks in which it moved farther than its speed allows, apart from snaps and teleports.
    pub(crate) jumped: u64,
    pub(crate) distance: f64,
    pub(crate) snaps: u64,
    pub(crate) teleports: u64,
    pub(crate) stalls: u64,
    fails: u32,
    last: Option<Last>,
    /// Whether it was placed since the last tick, so that the next step is not motion.
    was_placed: bool,
}

struct Last {
    time: f64,
    position: CellPosition,
    step: Vec3,
}

/// Where it was shown after a tick. Ticks in which nothing changed are left out.
#[derive(Clone, Copy)]
pub(crate) struct Sample {
    pub(crate) time: f64,
    /// Metres east and north of the map's south-west corner, and the height in metres.
    pub(crate) position: [f64; 3],
    pub(crate) heading: f32,
    pub(crate) speed: f32,
    pub(crate) substate: MotionCommand,
}

/// A position that the server reported, or the local player's own client.
pub(crate) struct Report {
    pub(crate) time: f64,
    /// Metres east and north of the map's south-west corner, and the height in metres.
    pub(crate) position: [f64; 3],
    /// The horizontal distance from where it was shown, in metres; `None` if it was not shown, or if the report teleported
    /// it.
    pub(crate) error: Option<f32>,
}

/// Something that happened, for the timeline of the page.
pub(crate) struct Mark {
    pub(crate) time: f64,
    pub(crate) kind: MarkKind,
    pub(crate) text: String,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum MarkKind {
    Hook,
    Snap,
    Teleport,
    Ground,
    MoveTo,
    Lifetime,
    Rejected,
}

impl MarkKind {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Hook => "hook",
            Self::Snap => "snap",
            Self::Teleport => "teleport",
            Self::Ground => "ground",
            Self::MoveTo => "moveto",
            Self::Lifetime => "life",
            Self::Rejected => "rejected",
        }
    }
}

/// The maximum number of entities that are recorded: as many as a world can hold at a time.
const MAX_TRACKS: usize = 131_072;
/// The maximum number of samples of one entity. When it is reached, every second one is forgotten.
pub(crate) const MAX_TRACK_SAMPLES: usize = 24_000;
/// The maximum number of marks of one entity.
pub(crate) const MAX_MARKS: usize = 2_000;
/// The minimum length of a step, in metres, that counts as moving.
const MIN_STEP: f32 = 0.001;
/// The minimum length of a step, in metres, that can count as backward, so that rounding does not.
const MIN_BACKWARD_STEP: f32 = 0.01;
/// The factor by which a step must exceed what the speed allows to count as too far.
const STEP_TOLERANCE: f32 = 1.1;

impl Tracks {
    /// Creates empty tracks that keep what a page shows: samples, reports and marks.
    pub(crate) fn with_samples() -> Self {
        Self { has_samples: true, ..Self::default() }
    }

    /// Returns `true` if further entities are not recorded.
    pub(crate) fn is_full(&self) -> bool {
        self.list.len() >= MAX_TRACKS
    }

    fn entry(&mut self, guid: Guid) -> Option<&mut Track> {
        let index = self.index(guid)?;
        self.list.get_mut(index)
    }

    /// Returns the index of an entity, which is added if it is new. `None` if there is no room for it.
    fn index(&mut self, guid: Guid) -> Option<usize> {
        if let Some(index) = self.indices.get(&guid) {
            return Some(*index);
        }
        if self.is_full() {
            return None;
        }
        let index = self.list.len();
        self.indices.insert(guid, index);
        self.list.push(Track::new(guid, self.has_samples));
        Some(index)
    }

    /// Sets the name of an entity, without control characters and up to 40 characters.
    pub(crate) fn name(&mut self, guid: Guid, name: &str) {
        if let Some(track) = self.entry(guid) {
            track.name = name.chars().filter(|character| !character.is_control()).take(40).collect();
        }
    }

    /// Records a position that the server reported, and where the entity was shown then.
    pub(crate) fn report(
        &mut self,
        guid: Guid,
        time: f64,
        position: &CellPosition,
        shown: Option<CellPosition>,
    ) {
        let Some(track) = self.entry(guid) else { return };
        let error = track.agreement.report(time, position, shown.as_ref());
        track.add_report(time, position, error);
    }

    /// Records a position that the local player's own client sent, and where the player was shown then. It was placed
    /// there.
    pub(crate) fn own_report(
        &mut self,
        guid: Guid,
        time: f64,
        position: &CellPosition,
        shown: Option<CellPosition>,
    ) {
        let Some(track) = self.entry(guid) else { return };
        track.was_placed = true;
        let error = track.agreement.own_report(time, position, shown.as_ref());
        track.add_report(time, position, error);
    }

    /// Records the entities of a world after a tick.
    pub(crate) fn tick(&mut self, time: f64, world: &World) {
        let present = world.entities().filter(|resident| resident.body().is_in_cell());
        let mut number = 0;
        for resident in present {
            let guid = resident.guid();
            let known = self.order.get(number).copied().filter(|index| self.list[*index].guid == guid);
            let found = known.or_else(|| {
                let index = self.index(guid)?;
                self.order.truncate(number);
                self.order.push(index);
                Some(index)
            });
            if let Some(index) = found {
                number += 1;
                self.list[index].tick(time, resident);
            }
        }
    }

    /// Records an event.
    pub(crate) fn event(&mut self, event: &Event) {
        if let Some(track) = self.entry(event.guid) {
            track.event(event);
        }
    }
}

impl Track {
    fn new(guid: Guid, has_samples: bool) -> Self {
        Self {
            guid,
            name: String::new(),
            stand_in: StandIn::empty(),
            samples: Vec::new(),
            sample_stride: (1, 0),
            reports: Vec::new(),
            agreement: Agreement::default(),
            marks: Vec::new(),
            has_samples,
            ticks: 0,
            moving: 0,
            backward: 0,
            jumped: 0,
            distance: 0.0,
            snaps: 0,
            teleports: 0,
            stalls: 0,
            fails: 0,
            last: None,
            was_placed: false,
        }
    }

    /// Keeps a report for a page.
    fn add_report(&mut self, time: f64, position: &CellPosition, error: Option<f32>) {
        if self.has_samples && self.reports.len() < MAX_REPORTS {
            self.reports.push(Report { time, position: on_map(position), error });
        }
    }

    /// Drops the error of the last report if it arrived at a time: it teleported the entity.
    fn drop_error(&mut self, time: f64) {
        self.agreement.teleported(time);
        if let Some(report) = self.reports.last_mut().filter(|report| report.time == time) {
            report.error = None;
        }
    }

    fn tick(&mut self, time: f64, resident: &Resident) {
        let (body, entity) = (resident.body(), resident.entity());
        self.stand_in = resident.stand_in();
        self.ticks += 1;
        let position = body.position;
        // Heights do not count: without land a body's ground changes from report to report.
        let step = self
            .last
            .as_ref()
            .map_or(Vec3::ZERO, |last| Vec3 { z: 0.0, ..last.position.offset_to(&position) });
        let passed = self.last.as_ref().map_or(0.0, |last| time - last.time) as f32;
        self.count_step(step, passed, resident);
        let fails = entity.correction.interpolation.fail_count();
        self.stalls += u64::from(fails.saturating_sub(self.fails).min(1));
        self.fails = fails;
        if self.has_samples {
            let speed = if passed > 0.0 && !self.was_placed { step.length() / passed } else { 0.0 };
            let substate = entity.animator.state().substate();
            let heading = position.frame.heading();
            self.sample(Sample { time, position: on_map(&position), heading, speed, substate });
        }
        self.last = Some(Last { time, position, step });
        self.was_placed = false;
    }

    /// Counts whether a step went forward, backward or too far.
    fn count_step(&mut self, step: Vec3, passed: f32, resident: &Resident) {
        let length = step.length();
        if length < MIN_STEP || self.was_placed {
            return;
        }
        self.moving += 1;
        self.distance += f64::from(length);
        let before = self.last.as_ref().map_or(Vec3::ZERO, |last| last.step);
        let is_opposite = step.dot(before) < 0.0;
        if is_opposite && length > MIN_BACKWARD_STEP && before.length() > MIN_BACKWARD_STEP {
            self.backward += 1;
        }
        let (body, entity) = (resident.body(), resident.entity());
        let catching_up = 2.0 * entity.interp.adjusted_max_speed(entity.weenie());
        let sticking = 5.0 * entity.interp.max_speed(entity.weenie());
        let max_speed = if entity.correction.is_stuck() { sticking.max(15.0) } else { catching_up.max(7.5) };
        let allowed = max_speed.max(body.velocity.length()) * passed * STEP_TOLERANCE;
        self.jumped += u64::from(length > allowed);
    }

    fn sample(&mut self, sample: Sample) {
        if let [.., before, last] = self.samples.as_mut_slice() {
            let same = |one: &Sample| {
                one.position == sample.position
                    && one.heading == sample.heading
                    && one.speed == sample.speed
                    && one.substate == sample.substate
            };
            if same(before) && same(last) {
                *last = sample;
                return;
            }
        }
        let (stride, skipped) = &mut self.sample_stride;
        match self.samples.last_mut() {
            Some(last) if *skipped + 1 < *stride => {
                *skipped += 1;
                *last = sample;
                return;
            }
            _ => *skipped = 0,
        }
        if self.samples.len() == MAX_TRACK_SAMPLES {
            let mut index = 0;
            self.samples.retain(|_| {
                index += 1;
                index % 2 == 1
            });
            *stride *= 2;
        }
        self.samples.push(sample);
    }

    fn event(&mut self, event: &Event) {
        match &event.kind {
            EventKind::Motion(MotionEvent::Snapped { .. }) => {
                self.snaps += 1;
                self.was_placed = true;
            }
            EventKind::Motion(MotionEvent::Teleported { .. }) => {
                self.teleports += 1;
                self.was_placed = true;
                self.drop_error(event.time);
            }
            EventKind::Created => self.was_placed = true,
            _ => {}
        }
        if self.has_samples && self.marks.len() < MAX_MARKS {
            self.marks.extend(Mark::new(event));
        }
    }

    /// Returns `true` if it moved or was ever reported.
    pub(crate) fn is_of_interest(&self) -> bool {
        self.distance > 0.05 || self.agreement.reports() > 0 || self.snaps + self.teleports > 0
    }
}

impl Mark {
    /// Returns the mark of an event; `None` if it has none.
    fn new(event: &Event) -> Option<Self> {
        let (kind, text) = match &event.kind {
            EventKind::Motion(MotionEvent::Hook(hook)) => {
                if hook.is_animation_done() {
                    return None;
                }
                (MarkKind::Hook, String::from(hook.effect().name()))
            }
            EventKind::Motion(MotionEvent::Snapped { distance }) => {
                (MarkKind::Snap, format!("snap of {distance:.2} m"))
            }
            EventKind::Motion(MotionEvent::Teleported { distance }) => {
                (MarkKind::Teleport, format!("teleport of {distance:.2} m"))
            }
            EventKind::Motion(MotionEvent::HitGround) => (MarkKind::Ground, String::from("hits the ground")),
            EventKind::Motion(MotionEvent::LeaveGround) => {
                (MarkKind::Ground, String::from("leaves the ground"))
            }
            EventKind::Motion(MotionEvent::MoveTo(event)) => (MarkKind::MoveTo, move_to_text(event)),
            EventKind::Created => (MarkKind::Lifetime, String::from("created")),
            EventKind::Deleted(_) => (MarkKind::Lifetime, String::from("deleted")),
            EventKind::Rejected(why) => (MarkKind::Rejected, why.to_string()),
            _ => return None,
        };
        Some(Self { time: event.time, kind, text })
    }
}

/// Returns a position in metres east and north of the map's south-west corner, and its height.
pub(crate) fn on_map(position: &CellPosition) -> [f64; 3] {
    let origin = position.frame.origin;
    let block = |number: u8| f64::from(number) * f64::from(acmotion_types::BLOCK_LENGTH);
    [
        block(position.cell.block_x()) + f64::from(origin.x),
        block(position.cell.block_y()) + f64::from(origin.y),
        f64::from(origin.z),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(tick: u32) -> Sample {
        let time = f64::from(tick);
        Sample { time, position: [time, 0.0, 0.0], heading: 0.0, speed: 1.0, substate: MotionCommand::READY }
    }

    #[test]
    fn hostile_08_the_samples_of_a_track_are_bounded_and_end_with_the_last() {
        let mut track = Track::new(Guid(1), true);
        for tick in 0..100_000 {
            track.sample(sample(tick));
            assert!(track.samples.len() <= MAX_TRACK_SAMPLES);
        }
        assert!(track.samples.len() > MAX_TRACK_SAMPLES / 3, "{}", track.samples.len());
        assert_eq!(track.samples.last().map(|sample| sample.time), Some(99_999.0));
        let gaps = track.samples.windows(2).map(|pair| pair[1].time - pair[0].time);
        assert!(gaps.clone().all(|gap| (1.0..=16.0).contains(&gap)), "{:?}", gaps.max_by(f64::total_cmp));
    }

    /// A summary needs four bytes for each report, whatever else is in it.
    #[test]
    fn reports_and_marks_are_kept_only_for_a_page() {
        let position = CellPosition::default();
        for (mut tracks, kept) in [(Tracks::default(), 0), (Tracks::with_samples(), 3)] {
            for time in [1.0, 2.0, 4.5] {
                tracks.report(Guid(1), time, &position, Some(position));
            }
            tracks.event(&Event {
                time: 4.5,
                guid: Guid(1),
                kind: EventKind::Motion(MotionEvent::Teleported { distance: 9.0 }),
            });
            let track = &tracks.list[0];
            assert_eq!((track.reports.len(), track.marks.len()), (kept, kept / 3));
            assert_eq!((track.agreement.reports(), track.agreement.longest_gap()), (3, Some(2.5)));
            assert_eq!(track.agreement.sorted_errors(), [0.0; 2], "the report that teleported has none");
        }
    }

    #[test]
    fn the_reports_of_an_entity_are_bounded_and_counted() {
        let position = CellPosition::default();
        let mut tracks = Tracks::with_samples();
        for time in 0..150_000 {
            tracks.report(Guid(1), f64::from(time), &position, Some(position));
        }
        let track = &tracks.list[0];
        assert_eq!((track.reports.len(), track.agreement.sorted_errors().len()), (100_000, 100_000));
        assert_eq!((track.agreement.reports(), track.agreement.longest_gap()), (150_000, Some(1.0)));
    }

    #[test]
    fn the_marks_of_an_entity_are_bounded() {
        let mut tracks = Tracks::with_samples();
        for time in 0..10_000 {
            let kind = EventKind::Motion(MotionEvent::Teleported { distance: 9.0 });
            tracks.event(&Event { time: f64::from(time), guid: Guid(1), kind });
        }
        assert_eq!(tracks.list[0].marks.len(), MAX_MARKS);
    }

    /// Entities that come and go: a world never has many of them, but a capture can name four billion.
    #[test]
    fn the_entities_that_are_recorded_are_bounded() {
        let mut tracks = Tracks::default();
        for number in 0..140_000 {
            assert_eq!(tracks.is_full(), number >= 131_072);
            tracks.name(Guid(number), "Damien");
            tracks.report(Guid(number), 1.0, &CellPosition::default(), None);
            tracks.event(&Event { time: 1.0, guid: Guid(number), kind: EventKind::Created });
        }
        assert_eq!(tracks.list.len(), 131_072);
        tracks.report(Guid(7), 2.0, &CellPosition::default(), None);
        assert_eq!(tracks.list[7].agreement.reports(), 2, "those that are known are still recorded");
    }
}
