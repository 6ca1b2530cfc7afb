//! What reports and announcements say about where a remote was one delay ago.

use acmotion_types::CellPosition;

use super::remote::{Announced, Remote, RemoteFlags};
use super::{Flat, Yaw};

/// The minimum speed, in metres a second, of a motion along which a report can be early or late.
const MIN_SPEED: f32 = 0.5;
/// The share of the error along the way that is taken over if the report is as early or late as is usual.
const JITTER_GAIN: f32 = 0.5;
/// The share by which the mean jitter follows that of a report.
const JITTER_FOLLOW: f32 = 0.125;
/// The maximum time, in seconds, that counts as jitter.
const MAX_JITTER: f32 = 0.3;
/// The time, in seconds, by which every report may be early or late: ticks and frames of both ends.
const FRAME_JITTER: f32 = 0.06;
/// The time, in seconds, after which what is reported shows the effects of an announced motion, on top of the delay.
const MIN_STEADY: f32 = 0.1;
/// The maximum time, in seconds, between two reports that are compared.
const MAX_INTERVAL: f32 = 2.0;
/// The distance between two reports, in metres, that counts as a motion that was not announced, and the distance up to
/// which none was announced.
const MIN_DRIFT: f32 = 0.5;
const MAX_STANDING: f32 = 0.3;
/// The maximum speed of a motion that was not announced, in metres a second.
const MAX_DRIFT_SPEED: f32 = 15.0;
/// The share of the announced way below which reports contradict it.
const MIN_CREDIT: f32 = 0.75;
/// The time between two positions of a client whose player moves, in milliseconds (rule K7).
const HEARTBEAT: u16 = 1000;
/// The time, in seconds, after which a report should show that a remote has resumed its run, on top of the delay: half of
/// that between two positions.
const RESUME_REPORT: f32 = 0.5;
/// The turn rate, in radians a second, above which the reported direction can be early or late.
const MIN_TURN: f32 = 0.1;

impl Remote {
    /// Takes a reported position of a body on the ground into account. `elapsed` is the time since the last tick, in
    /// seconds.
    pub(crate) fn on_report(&mut self, position: &CellPosition, announced: &Announced<'_>, elapsed: f32) {
        self.flags.remove(RemoteFlags::IS_SETTLED);
        let reported = Flat::from(self.offset_to(position));
        let interval = self.since_report + elapsed;
        self.since_report = 0.0;
        let moved = reported - std::mem::replace(&mut self.reported, reported);
        let way = std::mem::take(&mut self.announced_way);
        if self.is_deaf(announced) {
            return;
        }
        self.flags.remove(RemoteFlags::IS_ORDERED);
        let has_resumed = self.flags.contains(RemoteFlags::HAS_RESUMED);
        let is_confirmed = has_resumed && self.way_since_resumed(reported) > MAX_STANDING;
        if has_resumed && !is_confirmed && self.since_motion < announced.delay + RESUME_REPORT {
            return;
        }
        let velocity = self.known_velocity(announced);
        self.correct(reported - self.track, velocity);
        self.flags.remove(RemoteFlags::HAS_RESUMED);
        self.credit = u8::MAX;
        if !(is_confirmed || self.flags.contains(RemoteFlags::RESUMES)) {
            (self.drift, self.interval) = (Flat::ZERO, 0);
        }
        let was_steady = self.since_motion - interval > announced.delay + MIN_STEADY;
        if was_steady && announced.body.is_on_walkable() {
            self.compare(moved, way, interval.clamp(1e-2, MAX_INTERVAL));
        }
        if !announced.is_ordered || announced.goal.is_some() {
            self.correct_yaw(position, announced);
        }
    }

    /// Returns `true` while reports still show what was before an order that its client has not received.
    fn is_deaf(&self, announced: &Announced<'_>) -> bool {
        self.flags.contains(RemoteFlags::IS_ORDERED) && self.since_motion < announced.delay
    }

    /// Returns how far beyond the point from which it resumed its run a remote was reported, in metres.
    fn way_since_resumed(&self, reported: Flat) -> f32 {
        let start = self.track - self.drift * self.since_motion;
        (reported - start).dot(self.drift) / self.drift.length().max(MIN_SPEED)
    }

    /// Returns the velocity that is announced of the remote, in metres a second.
    fn known_velocity(&self, announced: &Announced<'_>) -> Flat {
        let slide = Flat::from(announced.body.velocity);
        if announced.body.is_on_walkable() {
            self.track_yaw.apply(announced.root_velocity()) + slide
        } else {
            slide
        }
    }

    /// Corrects the estimate by an error. Along the way of a body that moves it may be jitter.
    fn correct(&mut self, error: Flat, velocity: Flat) {
        self.track += error;
        let speed = velocity.length();
        if speed <= MIN_SPEED {
            return;
        }
        let along = error.dot(velocity) / speed;
        let late = along.abs() / speed;
        if late < 2.0 * self.jitter + FRAME_JITTER {
            self.track -= velocity * ((1.0 - JITTER_GAIN) * along / speed);
        }
        self.jitter += (late.min(MAX_JITTER) - self.jitter) * JITTER_FOLLOW;
    }

    /// Compares the way between two reports with what was announced. A body that was to stand drifts; one that was to go
    /// farther than it did is not given credit.
    fn compare(&mut self, moved: Flat, announced: Flat, interval: f32) {
        let way = announced.length();
        if way < MAX_STANDING {
            if moved.length() > MIN_DRIFT {
                self.drift = (moved * (1.0 / interval)).limited(MAX_DRIFT_SPEED);
                self.interval = (interval * 1000.0) as u16;
            }
            return;
        }
        let credit = moved.dot(announced) / (way * way);
        let noise = (2.0 * self.jitter + 0.5 * FRAME_JITTER) / interval;
        if credit < MIN_CREDIT - noise {
            self.credit = (credit.clamp(0.0, 1.0) * f32::from(u8::MAX)) as u8;
        }
    }

    fn correct_yaw(&mut self, position: &CellPosition, announced: &Announced<'_>) {
        if let Some(yaw) = Yaw::of(position.frame.rotation) {
            let angle = self.track_yaw.angle_to(yaw);
            let turns = announced.sequence().omega().z.abs() > MIN_TURN;
            self.track_yaw = self.track_yaw.turned(if turns { angle * JITTER_GAIN } else { angle });
        }
    }

    /// Takes a message into account that announces another motion, which has not begun. `is_order` says whether it comes
    /// from the server and not from the remote's own client.
    pub(crate) fn on_motion(&mut self, announced: &Announced<'_>, is_order: bool) {
        let is_order = is_order && self.has_client();
        let mut resumes = is_order && self.flags.contains(RemoteFlags::RESUMES);
        if is_order && announced.body.is_on_walkable() {
            // Its own client receives the order about when this one does, and has gone on until then.
            let look = self.look_ahead(announced, announced.delay);
            self.track += Flat::from(look.way);
            if announced.runs_by_itself() {
                (resumes, self.drift) = (true, look.velocity.into());
            }
        }
        self.flags.remove(RemoteFlags::WAITS | RemoteFlags::IS_SETTLED | RemoteFlags::HAS_RESUMED);
        self.flags.set(RemoteFlags::IS_ORDERED, is_order);
        self.flags.set(RemoteFlags::RESUMES, resumes);
        (self.since_motion, self.credit) = (0.0, u8::MAX);
        self.interval = if resumes { HEARTBEAT } else { 0 };
        if !resumes {
            self.drift = Flat::ZERO;
        }
    }
}
