//! What is written down about each entity while a world runs.

use std::collections::HashMap;

use acmotion::entity::MotionEvent;
use acmotion::json::steering_words;
use acmotion::library::Library;
use acmotion::world::{Event, EventKind, Resident, StandIn};
use acmotion_types::{CellPosition, Guid, MotionCommand, Vec3};

/// The tracks of all entities, in the order in which they were first seen.
#[derive(Default)]
pub(crate) struct Tracks {
    pub(crate) list: Vec<Track>,
    places: HashMap<Guid, usize>,
}

/// What one entity did.
pub(crate) struct Track {
    pub(crate) guid: Guid,
    pub(crate) name: String,
    pub(crate) stand_in: StandIn,
    pub(crate) samples: Vec<Sample>,
    pub(crate) reports: Vec<Report>,
    pub(crate) marks: Vec<Mark>,
    pub(crate) ticks: u64,
    /// Ticks in which it moved.
    pub(crate) moving: u64,
    /// Ticks in which it moved against where it had moved the tick before.
    pub(crate) backward: u64,
    /// Ticks in which it moved farther than its speed allows, snaps and teleports aside.
    pub(crate) jumped: u64,
    pub(crate) distance: f64,
    pub(crate) snaps: u64,
    pub(crate) teleports: u64,
    pub(crate) stalls: u64,
    fails: u32,
    last: Option<Last>,
    put: bool,
}

struct Last {
    time: f64,
    place: CellPosition,
    step: Vec3,
}

/// Where it was shown after a tick; ticks in which nothing changed are left out.
#[derive(Clone, Copy)]
pub(crate) struct Sample {
    pub(crate) time: f64,
    /// Metres east and north on the whole map, and up.
    pub(crate) place: [f64; 3],
    pub(crate) heading: f32,
    pub(crate) speed: f32,
    pub(crate) substate: MotionCommand,
}

/// Where the server said it is.
pub(crate) struct Report {
    pub(crate) time: f64,
    pub(crate) place: [f64; 3],
    /// How far off it was shown, horizontally; none if it was not shown, or if the report teleported it.
    pub(crate) error: Option<f32>,
}

/// Something that happened.
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
    Steering,
    Life,
    Rejected,
}

impl MarkKind {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Hook => "hook",
            Self::Snap => "snap",
            Self::Teleport => "teleport",
            Self::Ground => "ground",
            Self::Steering => "moveto",
            Self::Life => "life",
            Self::Rejected => "rejected",
        }
    }
}

/// Steps shorter than this are standing still.
const STILL: f32 = 0.001;
/// A step counts as backward from this length on, so that rounding does not.
const BACKWARD: f32 = 0.01;
/// How much farther than the speed allows a step must be to count as a jump.
const TOLERANCE: f32 = 1.1;

impl Tracks {
    fn of(&mut self, guid: Guid) -> &mut Track {
        let next = self.list.len();
        let place = *self.places.entry(guid).or_insert(next);
        if place == next {
            self.list.push(Track::new(guid));
        }
        &mut self.list[place]
    }

    /// The capture gives somebody a name.
    pub(crate) fn name(&mut self, guid: Guid, name: &str) {
        self.of(guid).name = name.chars().filter(|letter| !letter.is_control()).take(40).collect();
    }

    /// The server says where somebody is.
    pub(crate) fn report(
        &mut self,
        guid: Guid,
        time: f64,
        place: &CellPosition,
        shown: Option<CellPosition>,
    ) {
        let error = shown.map(|shown| {
            let off = shown.offset_to(place);
            Vec3 { z: 0.0, ..off }.length()
        });
        self.of(guid).reports.push(Report { time, place: on_map(place), error });
    }

    /// Somebody was put somewhere by his own client.
    pub(crate) fn placed(&mut self, guid: Guid) {
        self.of(guid).put = true;
    }

    /// A tick is over.
    pub(crate) fn tick(&mut self, time: f64, resident: &Resident) {
        if resident.body().is_in_cell() {
            self.of(resident.guid()).tick(time, resident);
        }
    }

    /// Something happened.
    pub(crate) fn event(&mut self, event: &Event, library: &Library) {
        self.of(event.guid).event(event, library);
    }
}

impl Track {
    fn new(guid: Guid) -> Self {
        Self {
            guid,
            name: String::new(),
            stand_in: StandIn::empty(),
            samples: Vec::new(),
            reports: Vec::new(),
            marks: Vec::new(),
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
            put: false,
        }
    }

    fn tick(&mut self, time: f64, resident: &Resident) {
        let (body, entity) = (resident.body(), resident.entity());
        self.stand_in = resident.stand_in();
        self.ticks += 1;
        let place = body.position;
        // Heights are left out: without terrain a body's ground jumps from report to report.
        let step =
            self.last.as_ref().map_or(Vec3::ZERO, |last| Vec3 { z: 0.0, ..last.place.offset_to(&place) });
        let passed = self.last.as_ref().map_or(0.0, |last| time - last.time) as f32;
        self.judge(step, passed, resident);
        let fails = entity.correction.interpolation.fails();
        self.stalls += u64::from(fails.saturating_sub(self.fails).min(1));
        self.fails = fails;
        let speed = if passed > 0.0 && !self.put { step.length() / passed } else { 0.0 };
        let substate = entity.animator.state().substate();
        self.sample(Sample { time, place: on_map(&place), heading: place.frame.heading(), speed, substate });
        self.last = Some(Last { time, place, step });
        self.put = false;
    }

    /// Was the step smooth?
    fn judge(&mut self, step: Vec3, passed: f32, resident: &Resident) {
        let length = step.length();
        if length < STILL || self.put {
            return;
        }
        self.moving += 1;
        self.distance += f64::from(length);
        let before = self.last.as_ref().map_or(Vec3::ZERO, |last| last.step);
        let turned = step.dot(before) < 0.0;
        if turned && length > BACKWARD && before.length() > BACKWARD {
            self.backward += 1;
        }
        let (body, entity) = (resident.body(), resident.entity());
        let catching_up = 2.0 * entity.interp.adjusted_max_speed(entity.weenie());
        let sticking = 5.0 * entity.interp.max_speed(entity.weenie());
        let most = if entity.correction.is_stuck() { sticking.max(15.0) } else { catching_up.max(7.5) };
        let allowed = most.max(body.velocity.length()) * passed * TOLERANCE;
        self.jumped += u64::from(length > allowed);
    }

    fn sample(&mut self, sample: Sample) {
        if let [.., before, last] = self.samples.as_mut_slice() {
            let same = |one: &Sample| {
                one.place == sample.place
                    && one.heading == sample.heading
                    && one.speed == sample.speed
                    && one.substate == sample.substate
            };
            if same(before) && same(last) {
                *last = sample;
                return;
            }
        }
        self.samples.push(sample);
    }

    fn event(&mut self, event: &Event, library: &Library) {
        let (kind, text) = match &event.kind {
            EventKind::Motion(MotionEvent::Hook(hook)) => {
                if hook.is_animation_done(library) {
                    return;
                }
                (MarkKind::Hook, String::from(hook.effect(library).name()))
            }
            EventKind::Motion(MotionEvent::Snapped { distance }) => {
                self.snaps += 1;
                self.put = true;
                (MarkKind::Snap, format!("snap of {distance:.2} m"))
            }
            EventKind::Motion(MotionEvent::Teleported { distance }) => {
                self.teleports += 1;
                self.put = true;
                // The report that teleports does not tell how well it was followed.
                if let Some(report) = self.reports.last_mut().filter(|report| report.time == event.time) {
                    report.error = None;
                }
                (MarkKind::Teleport, format!("teleport of {distance:.2} m"))
            }
            EventKind::Motion(MotionEvent::HitGround) => (MarkKind::Ground, String::from("hits the ground")),
            EventKind::Motion(MotionEvent::LeaveGround) => {
                (MarkKind::Ground, String::from("leaves the ground"))
            }
            EventKind::Motion(MotionEvent::MoveTo(steering)) => {
                (MarkKind::Steering, steering_words(steering))
            }
            EventKind::Created => {
                self.put = true;
                (MarkKind::Life, String::from("created"))
            }
            EventKind::Deleted(_) => (MarkKind::Life, String::from("deleted")),
            EventKind::Rejected(why) => (MarkKind::Rejected, why.to_string()),
            _ => return,
        };
        self.marks.push(Mark { time: event.time, kind, text });
    }

    /// Did it move, or was it ever reported?
    pub(crate) fn is_of_interest(&self) -> bool {
        self.distance > 0.05 || !self.reports.is_empty() || self.snaps + self.teleports > 0
    }

    /// How far off it was shown when it was reported, from the least to the most.
    pub(crate) fn sorted_errors(&self) -> Vec<f32> {
        let mut errors: Vec<f32> = self.reports.iter().filter_map(|report| report.error).collect();
        errors.sort_by(f32::total_cmp);
        errors
    }

    /// The longest time between two reports.
    pub(crate) fn longest_gap(&self) -> Option<f64> {
        self.reports.windows(2).map(|pair| pair[1].time - pair[0].time).max_by(f64::total_cmp)
    }
}

/// Metres from the south-west corner of the map.
pub(crate) fn on_map(place: &CellPosition) -> [f64; 3] {
    let origin = place.frame.origin;
    let block = |number: u8| f64::from(number) * f64::from(acmotion_types::BLOCK_LENGTH);
    [
        block(place.cell.block_x()) + f64::from(origin.x),
        block(place.cell.block_y()) + f64::from(origin.y),
        f64::from(origin.z),
    ]
}
