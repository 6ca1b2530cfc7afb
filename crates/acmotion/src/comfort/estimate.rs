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
/// The time, in seconds, after which a report should show that a remote has resumed its run, on top of the delay: most of
/// that between two positions.
const RESUME_REPORT: f32 = 0.8;
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

#[cfg(test)]
mod tests {
    use acmotion_types::{MotionCommand, Quat, Vec3};

    use super::super::Goal;
    use super::super::stage::{READY, RUN, Stage, at, flat, near};
    use super::*;
    use crate::body::BodyFlags;

    /// A remote whose motion was announced five seconds ago, and that was reported a second ago.
    fn steady(stage: &Stage) -> Remote {
        let mut remote = stage.remote();
        (remote.since_motion, remote.since_report) = (5.0, 0.9);
        remote
    }

    /// Reports a remote at an offset from its body, a tenth of a second after the last tick.
    fn report(remote: &mut Remote, stage: &Stage, x: f32, y: f32) {
        remote.on_report(&stage.beside(x, y), &stage.announced(), 0.1);
    }

    #[test]
    fn a_report_of_a_body_that_stands_is_taken_over_in_full() {
        let stage = Stage::playing(READY);
        let mut remote = steady(&stage);
        remote.flags |= RemoteFlags::IS_SETTLED;
        (remote.credit, remote.announced_way) = (100, at(0.1, 0.1));
        remote.track = at(1.0, 1.0);
        report(&mut remote, &stage, 0.2, -0.1);
        flat(remote.track, 0.2, -0.1);
        flat(remote.reported, 0.2, -0.1);
        assert_eq!((remote.since_report, remote.announced_way, remote.credit), (0.0, Flat::ZERO, u8::MAX));
        assert!(!remote.is_settled(), "there is something to do again");
        assert_eq!((remote.drift, remote.interval), (Flat::ZERO, 0), "0.22 m are no motion");
    }

    /// A report of a body that goes 6 m/s: how far it is off across and along the way, what is left of that along the way, and
    /// the jitter before and after.
    #[test]
    fn half_of_the_usual_jitter_is_taken_over() {
        for (across, along, left, before, after) in [
            (0.5, -0.3, -0.15, 0.0, 0.125 * 0.05),
            (0.5, 0.3, 0.15, 0.0, 0.125 * 0.05),
            // A tenth of a second is more than usual, until it has happened often.
            (0.0, -0.6, -0.6, 0.0, 0.125 * 0.1),
            (0.0, -0.6, -0.3, 0.05, 0.05 + 0.125 * 0.05),
            (0.0, -0.9, -0.9, 0.02, 0.02 + 0.125 * 0.13),
            // At most 0.3 s count as jitter.
            (0.0, -3.0, -3.0, 0.0, 0.125 * 0.3),
        ] {
            let stage = Stage::playing(RUN);
            let mut remote = stage.remote();
            remote.jitter = before;
            report(&mut remote, &stage, across, along);
            flat(remote.track, across, left);
            near(remote.jitter, after);
        }
    }

    /// A body that slides slowly is not early or late.
    #[test]
    fn a_slow_body_has_no_jitter() {
        let mut stage = Stage::playing(READY);
        stage.body.velocity = Vec3::new(0.0, 0.4, 0.0);
        let mut remote = stage.remote();
        report(&mut remote, &stage, 0.0, 0.01);
        flat(remote.track, 0.0, 0.01);
        assert_eq!(remote.jitter, 0.0);
    }

    /// On the ground that is root motion and a slide, in the air what the body is thrown with.
    #[test]
    fn the_known_velocity_is_that_of_the_estimate() {
        let mut stage = Stage::playing(RUN);
        stage.body.velocity = Vec3::new(0.0, 1.0, 0.0);
        let mut remote = stage.remote();
        remote.track_yaw = Yaw::NONE.turned(std::f32::consts::FRAC_PI_2);
        flat(remote.known_velocity(&stage.announced()), -6.0, 1.0);
        let flying = Stage::flying(Vec3::new(3.0, 0.0, 5.0));
        flat(remote.known_velocity(&flying.announced()), 3.0, 0.0);
    }

    /// An order that its client has not received yet: what is reported is from before.
    #[test]
    fn reports_do_not_count_until_an_order_has_arrived() {
        let stage = Stage::playing(READY);
        for (is_ordered, since_motion, counts) in [(true, 0.1, false), (true, 0.3, true), (false, 0.1, true)]
        {
            let mut remote = stage.remote();
            remote.since_motion = since_motion;
            remote.flags.set(RemoteFlags::IS_ORDERED, is_ordered);
            report(&mut remote, &stage, 0.0, 2.0);
            flat(remote.track, 0.0, if counts { 2.0 } else { 0.0 });
            flat(remote.reported, 0.0, 2.0);
            assert_eq!(remote.flags.contains(RemoteFlags::IS_ORDERED), !counts, "{since_motion} s");
        }
    }

    /// A remote that has resumed a run of 6 m/s one metre from its body.
    fn resumed(stage: &Stage, since_motion: f32) -> Remote {
        let drift = at(0.0, 6.0);
        let reported = at(0.0, 1.0);
        let track = reported + drift * since_motion;
        let mut remote = stage.remote();
        (remote.since_motion, remote.drift, remote.track, remote.reported, remote.interval) =
            (since_motion, drift, track, reported, HEARTBEAT);
        remote.flags |= RemoteFlags::HAS_RESUMED;
        remote
    }

    #[test]
    fn a_run_that_is_resumed_is_confirmed_by_a_report_ahead_of_where_it_began() {
        let stage = Stage::playing(READY);
        let remote = resumed(&stage, 0.3);
        near(remote.way_since_resumed(at(0.0, 1.5)), 0.5);
        near(remote.way_since_resumed(at(7.0, 0.5)), -0.5);
        // 0.2 m: the report may be from before.
        let mut early = remote;
        report(&mut early, &stage, 0.0, 1.2);
        flat(early.track, 0.0, 2.8);
        assert_eq!((early.drift, early.interval), (remote.drift, HEARTBEAT));
        assert!(early.flags.contains(RemoteFlags::HAS_RESUMED));
        // 0.5 m: it runs.
        let mut confirmed = remote;
        report(&mut confirmed, &stage, 0.0, 1.5);
        flat(confirmed.track, 0.0, 1.5);
        assert_eq!((confirmed.drift, confirmed.interval), (remote.drift, HEARTBEAT));
        assert!(!confirmed.flags.contains(RemoteFlags::HAS_RESUMED));
        // After 0.8 s and a delay a report of where it began means that it stands.
        let mut late = resumed(&stage, 1.01);
        report(&mut late, &stage, 0.0, 1.2);
        flat(late.track, 0.0, 1.2);
        assert_eq!((late.drift, late.interval), (Flat::ZERO, 0));
    }

    /// What reports have shown of a motion that was not announced counts until the next report, unless it is to be resumed.
    #[test]
    fn a_report_ends_a_drift_that_it_does_not_confirm() {
        let stage = Stage::playing(READY);
        for resumes in [false, true] {
            let mut remote = stage.remote();
            (remote.drift, remote.interval) = (at(0.0, 6.0), 500);
            remote.flags.set(RemoteFlags::RESUMES, resumes);
            report(&mut remote, &stage, 0.0, 3.0);
            assert_eq!(remote.drift == Flat::ZERO, !resumes);
            assert_eq!(remote.interval, if resumes { 500 } else { 0 });
        }
    }

    /// Two reports of a body that was to stand, a number of seconds apart: metres between them, and the drift that they show.
    #[test]
    fn a_body_that_was_to_stand_drifts() {
        for (interval, moved, drift, milliseconds) in [
            (1.0, 4.0, 4.0, 1000),
            (0.5, 4.0, 8.0, 500),
            (1.0, 0.4, 0.0, 0),
            // It is not believed to go faster than 15 m/s, nor are more than two seconds compared.
            (1.0, 20.0, 15.0, 1000),
            (3.0, 4.0, 2.0, 2000),
        ] {
            let stage = Stage::playing(READY);
            let mut remote = steady(&stage);
            remote.since_report = interval - 0.1;
            remote.reported = at(0.0, 1.0);
            report(&mut remote, &stage, 0.0, 1.0 + moved);
            flat(remote.drift, 0.0, drift);
            assert!(remote.interval.abs_diff(milliseconds) <= 1, "{} ms", remote.interval);
        }
    }

    /// Reports are compared with a motion only if that had begun a delay and a tenth of a second before the first of them, and
    /// only on the ground.
    #[test]
    fn reports_from_before_a_motion_are_not_compared_with_it() {
        for (since_motion, flies, drifts) in [(1.4, false, true), (1.2, false, false), (1.4, true, false)] {
            let stage = if flies { Stage::flying(Vec3::ZERO) } else { Stage::playing(READY) };
            let mut remote = steady(&stage);
            remote.since_motion = since_motion;
            report(&mut remote, &stage, 0.0, 4.0);
            assert_eq!(remote.drift != Flat::ZERO, drifts, "{since_motion} s, in the air: {flies}");
        }
    }

    /// The credit of a remote that was to go six metres and has gone some of them, by its jitter and the time between the
    /// reports.
    #[test]
    fn a_body_that_goes_less_far_than_announced_is_given_less_credit() {
        for (moved, jitter, interval, credit) in [
            (3.0, 0.0, 1.0, 127),
            (4.2, 0.0, 1.0, 178),
            (4.4, 0.0, 1.0, 255),
            (-3.0, 0.0, 1.0, 0),
            // The reports may be early and late by 0.23 s in all.
            (3.0, 0.1, 1.0, 127),
            (3.3, 0.1, 1.0, 255),
            (2.4, 0.1, 0.5, 255),
        ] {
            let stage = Stage::playing(RUN);
            let mut remote = stage.remote();
            remote.jitter = jitter;
            remote.compare(at(1.0, moved), at(0.0, 6.0), interval);
            assert!(remote.credit.abs_diff(credit) <= 1, "{moved} m: {}", remote.credit);
            assert_eq!(remote.drift, Flat::ZERO);
        }
    }

    /// The direction of a report counts in full, half of it while the body turns, and not at all while an order without a
    /// goal turns it.
    #[test]
    fn the_reported_direction_is_taken_over() {
        for (motion, is_ordered, has_goal, angle) in [
            (READY, false, false, 0.4),
            (MotionCommand::TURN_RIGHT, false, false, 0.2),
            (READY, true, false, 0.0),
            (READY, true, true, 0.4),
        ] {
            let mut stage = Stage::playing(motion);
            stage.is_ordered = is_ordered;
            stage.goal = has_goal.then_some(Goal { offset: at(0.0, 9.0), reach: 1.0 });
            let mut remote = stage.remote();
            let mut position = stage.beside(0.0, 0.0);
            position.frame.rotation = Yaw::NONE.turned(0.4).rotation();
            remote.on_report(&position, &stage.announced(), 0.0);
            near(Yaw::NONE.angle_to(remote.track_yaw), angle);
            position.frame.rotation = Quat::new(0.7, 0.7, 0.0, 0.0);
            remote.on_report(&position, &stage.announced(), 0.0);
            near(Yaw::NONE.angle_to(remote.track_yaw), angle);
        }
    }

    #[test]
    fn a_motion_that_is_announced_replaces_what_reports_have_shown() {
        let stage = Stage::playing(RUN);
        for has_client in [true, false] {
            // Without a client of its own nothing has to arrive there, so that an order is an announcement.
            let is_order = !has_client;
            let mut remote = steady(&stage);
            (remote.drift, remote.interval, remote.credit) = (at(0.0, 6.0), 500, 100);
            remote.flags = RemoteFlags::all() - RemoteFlags::IN_AIR;
            remote.flags.set(RemoteFlags::HAS_CLIENT, has_client);
            remote.on_motion(&stage.announced(), is_order);
            let kept = if has_client { RemoteFlags::HAS_CLIENT } else { RemoteFlags::empty() };
            assert_eq!(remote.flags, RemoteFlags::IS_USED | kept);
            assert_eq!((remote.drift, remote.interval), (Flat::ZERO, 0));
            assert_eq!((remote.since_motion, remote.credit), (0.0, u8::MAX));
            assert_eq!(remote.track, Flat::ZERO, "it is where it was");
        }
    }

    /// A remote that its own client moves, in a stage.
    fn player(motion: MotionCommand) -> (Stage, Remote) {
        let mut stage = Stage::playing(motion);
        stage.body.flags.insert(BodyFlags::AUTONOMOUS);
        let mut remote = steady(&stage);
        remote.flags |= RemoteFlags::HAS_CLIENT;
        (stage, remote)
    }

    /// The client receives an order about when others do, so its player has gone on for a delay: 1.2 m. What it did until then it
    /// does again when the order has been carried out.
    #[test]
    fn an_order_interrupts_the_run_of_a_player() {
        let (stage, mut remote) = player(RUN);
        remote.on_motion(&stage.announced(), true);
        flat(remote.track, 0.0, 1.2);
        flat(remote.drift, 0.0, 6.0);
        assert_eq!((remote.interval, remote.since_motion), (HEARTBEAT, 0.0));
        assert!(remote.flags.contains(RemoteFlags::IS_ORDERED | RemoteFlags::RESUMES));
        // Another order changes nothing about that.
        let standing = player(READY).0;
        remote.on_motion(&standing.announced(), true);
        flat(remote.drift, 0.0, 6.0);
        assert_eq!(remote.interval, HEARTBEAT);
        assert!(remote.flags.contains(RemoteFlags::IS_ORDERED | RemoteFlags::RESUMES));
    }

    #[test]
    fn an_order_interrupts_nothing_of_a_player_that_stands_or_jumps() {
        let (stage, mut remote) = player(READY);
        remote.on_motion(&stage.announced(), true);
        assert!(
            remote.flags.contains(RemoteFlags::IS_ORDERED) && !remote.flags.contains(RemoteFlags::RESUMES)
        );
        assert_eq!((remote.drift, remote.interval), (Flat::ZERO, 0));
        let flying = Stage::flying(Vec3::new(3.0, 0.0, 0.0));
        remote.on_motion(&flying.announced(), true);
        assert_eq!(remote.track, Flat::ZERO, "its jump goes on as announced");
    }
}
