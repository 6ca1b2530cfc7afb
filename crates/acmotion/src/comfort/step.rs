//! One tick of a remote: the estimate advances, the lead follows the delay, and the error is blended away.

use acmotion_types::Vec3;

use super::remote::{Announced, MIN_REVERSAL, Remote, RemoteFlags};
use super::{ComfortSettings, Flat, Yaw};
use crate::body::GRAVITY;
use crate::library::SpanId;
use crate::sequence::Ahead;

/// The time, in seconds, by which a body gains on the messages that move it: it begins a motion with the tick before the message
/// (rule B3), and an echo waits for frames, too.
const TICK_GAIN: f32 = 0.015;
/// The minimum speed, in metres a second, of a motion that can be played faster or slower.
const MIN_SPEED: f32 = 0.3;
/// The speed, in metres a second, below which a body stands.
const STANDING: f32 = 0.05;
/// The share of the missing lead that the rate makes up for in a second, and the maximum change of the rate in a second.
const RATE_GAIN: f32 = 4.0;
const RATE_CHANGE: f32 = 12.0;
/// By how many seconds an error along the way may change the lead at once: below and above what it should be.
const LEAD_BELOW: f32 = 0.2;
const LEAD_ABOVE: f32 = 0.2;
/// The share of the missing lead that a body that stands gains in a second.
const STANDING_GAIN: f32 = 4.0;
/// The frequency of the spring that blends an error away, in radians a second.
const BLEND_FREQUENCY: f32 = 10.0;
/// The maximum acceleration of the spring, in metres a second squared.
const BLEND_ACCELERATION: f32 = 200.0;
/// The maximum length, in metres, by which a step may be longer than the one before and than the motion.
const MAX_JUMP: f32 = 0.048;
/// The scalar product of two steps, in square metres, that may be due to rounding.
const ROUNDING: f32 = 1e-5;
/// The share of the turn rate by which a turn is shown ahead: turns are short.
const TURN_LEAD: f32 = 0.5;
/// The share of the angle that is made up for in a second, and the maximum turn rate, in radians a second.
const TURN_GAIN: f32 = 12.0;
const MAX_TURN: f32 = 12.0;
/// The distance, in metres, between estimate and body from which on the estimate finds its own way to the goal, and the
/// rate at which it turns there, in radians a second: that of a body that runs.
const MIN_APART: f32 = 2.0;
const STEER: f32 = 2.25;
/// The minimum distance of a goal, in metres, that has a direction.
const MIN_GOAL: f32 = 0.5;
/// The share of a slide that is left after a lead, and of the way that it leads.
const SLIDE_LEFT: f32 = 0.6;
const SLIDE_WAY: f32 = 0.7;
/// The share of a drift that is left in each tick after no report has confirmed it.
const DRIFT_LEFT: f32 = 0.7;
/// The number of report intervals, and the seconds on top, after which a drift should have been confirmed.
const DRIFT_INTERVALS: f32 = 1.3;
const DRIFT_MARGIN: f32 = 0.05;
/// The distance, in metres, below which a body that stands has arrived.
const SETTLED: f32 = 0.002;
/// For how many ticks something has to be in the way of a remote until its estimate is where its body is. The estimate itself
/// passes through walls.
const MAX_BLOCKED: u8 = 3;

/// A step of a remote.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Step {
    /// The step itself, in metres.
    pub(crate) by: Vec3,
    /// The velocity over the ground of the motion that is shown, in metres a second.
    pub(super) motion: Flat,
    /// The frames that this motion shows and the frame number, if it loops.
    pub(super) cycle: Option<(SpanId, f32)>,
}

/// What is ahead of the estimate.
pub(super) struct Look {
    /// The way there.
    pub(super) way: Vec3,
    /// The velocity there, in metres a second.
    pub(super) velocity: Vec3,
    /// The velocity over the ground of the motion that plays there.
    played: Flat,
    /// The frames that play there and the frame number, if they loop.
    cycle: Option<(SpanId, f32)>,
}

impl Look {
    const NOTHING: Self = Self { way: Vec3::ZERO, velocity: Vec3::ZERO, played: Flat::ZERO, cycle: None };
}

/// What moves a remote in a tick: velocities over the ground in metres a second.
struct Motion {
    /// That of the root motion, in the direction of the estimate: the mean of the tick.
    root: Flat,
    /// The speed of the motion at the end of the tick.
    speed: f32,
    /// That of the estimate, with everything that is known.
    known: Flat,
    is_on_ground: bool,
}

impl Remote {
    /// Advances the estimate and the lead, and returns the step to where the remote is to be shown.
    pub(crate) fn step(&mut self, announced: &Announced<'_>, settings: &ComfortSettings) -> Step {
        let seconds = announced.seconds;
        self.since_report += seconds;
        self.since_motion += seconds;
        self.resume(announced);
        self.turn_estimate(announced);
        let motion = self.motion(announced);
        self.advance_estimate(&motion, announced);
        let Look { way, velocity: own, played, cycle } = self.look_ahead(announced, self.lead);
        let height = if motion.is_on_ground { 0.0 } else { self.offset_to(&announced.body.position).z };
        let mut error = own * seconds - self.track.at(height) - way;
        if motion.is_on_ground {
            error.z = 0.0;
        }
        let speed = Flat::from(own).length();
        let wanted = self.wanted_lead(announced, settings);
        if speed > MIN_SPEED {
            let shift =
                self.shift_lead(Flat::from(error).dot(own.into()) / speed, speed, wanted, seconds, settings);
            error -= own * shift;
        } else {
            self.rate = 1.0;
            self.lead += (wanted - self.lead) * (STANDING_GAIN * seconds).min(1.0);
        }
        self.blend_away(error, seconds, settings);
        let by = self.limit(own, &motion, seconds, settings);
        self.turn(announced, speed);
        let is_still = by == Vec3::ZERO && own == Vec3::ZERO && motion.known == Flat::ZERO;
        let is_still = is_still && error.length_squared() < SETTLED * SETTLED;
        let is_still = is_still && motion.is_on_ground && !self.flags.contains(RemoteFlags::RESUMES);
        let is_still = is_still && self.yaw == self.track_yaw;
        self.flags.set(RemoteFlags::IS_SETTLED, is_still);
        Step { by, motion: played * self.rate, cycle }
    }

    /// Lets the remote run on once it has carried out an order that interrupted its run. Its client resumes the keys that are
    /// held and tells nothing of it (rule K8).
    fn resume(&mut self, announced: &Announced<'_>) {
        if self.flags.contains(RemoteFlags::RESUMES) && announced.has_finished() {
            self.flags.remove(RemoteFlags::RESUMES);
            self.flags.insert(RemoteFlags::HAS_RESUMED);
            self.since_motion = 0.0;
        }
    }

    /// Returns the velocity of a motion that was not announced, in metres a second.
    fn drifting(&self) -> Flat {
        if self.flags.contains(RemoteFlags::RESUMES) { Flat::ZERO } else { self.drift }
    }

    /// Turns the estimate as announced. Under an order it turns as the body does, unless that is too far off to go the same
    /// way. A body that stands where it was reported is turned as was reported, or as its last order left it.
    fn turn_estimate(&mut self, announced: &Announced<'_>) {
        let by = announced.sequence().omega().z * announced.seconds;
        let apart = if announced.goal.is_some() { self.apart(announced) } else { Flat::ZERO };
        match announced.goal {
            Some(goal) if !announced.is_stuck && apart.length() > MIN_APART => {
                let way = goal.offset - apart;
                if way.length() > MIN_GOAL {
                    let most = STEER * announced.seconds;
                    let angle = self.track_yaw.angle_to(Yaw::towards(way));
                    self.track_yaw = self.track_yaw.turned(angle.clamp(-most, most));
                }
            }
            _ if announced.is_ordered || announced.is_stuck || announced.stands() => {
                self.track_yaw = Yaw::of(announced.body.position.frame.rotation).unwrap_or(self.track_yaw);
            }
            _ => self.track_yaw = self.track_yaw.turned(by),
        }
    }

    /// Returns the offset from the simulated body to the estimate.
    fn apart(&self, announced: &Announced<'_>) -> Flat {
        self.track - Flat::from(self.offset_to(&announced.body.position))
    }

    /// Returns the way that is left to a goal, in metres; negative if the remote has arrived.
    fn way_left(&self, announced: &Announced<'_>) -> Option<f32> {
        let goal = announced.goal?;
        Some((goal.offset - self.apart(announced)).length() - goal.reach)
    }

    fn motion(&mut self, announced: &Announced<'_>) -> Motion {
        let body = announced.body;
        let slide = Flat::from(body.velocity);
        if !body.is_on_walkable() {
            return Motion { root: Flat::ZERO, speed: slide.length(), known: slide, is_on_ground: false };
        }
        let silence = if self.flags.contains(RemoteFlags::HAS_RESUMED) {
            self.since_motion - announced.delay
        } else {
            self.since_report
        };
        if self.drifting() != Flat::ZERO && silence > DRIFT_INTERVALS * self.report_interval() + DRIFT_MARGIN
        {
            self.drift = (self.drift * DRIFT_LEFT).or_none(STANDING);
            if self.drift == Flat::ZERO && self.flags.contains(RemoteFlags::HAS_RESUMED) {
                // It has not resumed its run after all.
                self.flags.remove(RemoteFlags::HAS_RESUMED);
                self.track = Flat::from(self.offset_to(&body.position));
            }
        }
        let root = if self.flags.contains(RemoteFlags::WAITS) {
            Flat::ZERO
        } else {
            let velocity = announced.sequence().mean_root_velocity(announced.library, announced.seconds);
            self.track_yaw.apply(finite(velocity) * announced.pace)
        };
        let has_arrived = self.way_left(announced).is_some_and(|left| left <= 0.0);
        let known = if has_arrived { Flat::ZERO } else { root * self.credited() + self.drifting() + slide };
        self.announced_way += (root + slide) * announced.seconds;
        let speed = announced.root_velocity().length();
        Motion { root, speed, known, is_on_ground: true }
    }

    /// Returns the time between the last two reports, in seconds; 0 unless it drifts.
    fn report_interval(&self) -> f32 {
        f32::from(self.interval) * 1e-3
    }

    /// Returns the share of the announced motion that reports confirm.
    fn credited(&self) -> f32 {
        f32::from(self.credit) * (1.0 / f32::from(u8::MAX))
    }

    /// Moves the estimate. A body that sticks to another is where that is, and one that rests where it was reported. If
    /// something is in the way of the remote, its body knows best how far it gets.
    fn advance_estimate(&mut self, motion: &Motion, announced: &Announced<'_>) {
        let is_confirmed = announced.is_idle && self.since_report < self.since_motion;
        let rests = motion.is_on_ground
            && is_confirmed
            && self.drifting() == Flat::ZERO
            && motion.root.length() < STANDING;
        if rests || announced.is_stuck || self.stalls > MAX_BLOCKED {
            self.track = Flat::from(self.offset_to(&announced.body.position));
        } else {
            self.track += motion.known * announced.seconds;
        }
    }

    /// Looks ahead of the estimate by a lead of some seconds.
    pub(super) fn look_ahead(&self, announced: &Announced<'_>, lead: f32) -> Look {
        let body = announced.body;
        if !body.is_on_walkable() {
            let way = body.velocity * lead + body.acceleration * (0.5 * lead * lead);
            return Look { way, velocity: body.velocity + body.acceleration * lead, ..Look::NOTHING };
        }
        if self.flags.contains(RemoteFlags::WAITS) {
            return Look::NOTHING;
        }
        let ahead = announced.sequence().ahead(announced.library, lead, announced.seconds);
        let cycle = announced.sequence().cycle_at(&ahead);
        let Ahead { offset, velocity, .. } = ahead;
        let turn = announced.sequence().omega().z * TURN_LEAD * lead;
        let (slide, credit) = (Flat::from(body.velocity), self.credited());
        let played = self.track_yaw.turned(turn).apply(finite(velocity) * announced.pace);
        let way = self.track_yaw.turned(0.5 * turn).apply(finite(offset) * (announced.pace * credit))
            + self.drifting() * lead
            + slide * (SLIDE_WAY * lead);
        let velocity = played * credit + self.drifting() + slide * SLIDE_LEFT;
        match self.way_left(announced) {
            Some(left) if way.length() > left => {
                Look { way: way.limited(left.max(0.0)).at(0.0), velocity: Vec3::ZERO, played, cycle }
            }
            _ => Look { way: way.at(0.0), velocity: velocity.at(0.0), played, cycle },
        }
    }

    /// Returns the lead that the remote should have, in seconds. Reports of a motion that was not announced are half an
    /// interval older on average, because they are of its client's own heartbeat (rule K7).
    fn wanted_lead(&self, announced: &Announced<'_>, settings: &ComfortSettings) -> f32 {
        // What its client does with an order is known without a delay.
        if self.flags.intersects(RemoteFlags::RESUMES | RemoteFlags::HAS_RESUMED) {
            return 0.0;
        }
        let lead = ((announced.delay - TICK_GAIN).max(0.0) * settings.lead).min(settings.max_lead);
        let age = if settings.lead > 0.0 { 0.5 * self.report_interval() } else { 0.0 };
        lead + age
    }

    /// Takes an error along the way over into the lead, as far as the lead may change at once, and lets the lead follow what
    /// it should be by the rate at which the motion is played. Returns the change at once, in seconds.
    fn shift_lead(
        &mut self,
        along: f32,
        speed: f32,
        wanted: f32,
        seconds: f32,
        settings: &ComfortSettings,
    ) -> f32 {
        let least = (wanted - LEAD_BELOW).max(0.0).min(self.lead);
        let most = (wanted + LEAD_ABOVE).max(self.lead);
        let shift = (along / speed).clamp(least - self.lead, most - self.lead);
        self.lead += shift;
        let rate = (1.0 + (wanted - self.lead) * RATE_GAIN).clamp(settings.min_rate, settings.max_rate);
        let change = RATE_CHANGE * seconds;
        self.rate = (self.rate + (rate - self.rate).clamp(-change, change))
            .clamp(settings.min_rate, settings.max_rate);
        self.lead = (self.lead + (self.rate - 1.0) * seconds).max(0.0);
        shift
    }

    /// Advances the critically damped spring.
    fn blend_away(&mut self, error: Vec3, seconds: f32, settings: &ComfortSettings) {
        let pull = error * (-BLEND_FREQUENCY * BLEND_FREQUENCY) - self.blend * (2.0 * BLEND_FREQUENCY);
        let blend = self.blend + limited(pull, BLEND_ACCELERATION) * seconds;
        self.blend = limited(blend, settings.blend_speed);
        if error.length_squared() < SETTLED * SETTLED && self.blend.length_squared() < SETTLED {
            self.blend = Vec3::ZERO;
        }
    }

    /// Returns the step: never against the motion, never at once against the step before, and not much longer than that or
    /// than the motion.
    fn limit(&mut self, own: Vec3, motion: &Motion, seconds: f32, settings: &ComfortSettings) -> Vec3 {
        let own_step = Flat::from(own);
        let speed = own_step.length();
        let mut by = own_step * (self.rate * seconds) + Flat::from(self.blend) * seconds;
        if speed > MIN_SPEED {
            let along = by.dot(own_step) / speed;
            if along < 0.0 {
                by -= own_step * (along / speed);
            }
        }
        let before = self.step.length();
        if by.dot(self.step) < ROUNDING && before > MIN_REVERSAL {
            by = Flat::ZERO;
            self.blend = Vec3 { z: self.blend.z, ..Vec3::ZERO };
        }
        let usual = motion.speed * seconds;
        let jump = (settings.acceleration * seconds * seconds).min(MAX_JUMP);
        by = by.limited(before.max(usual) + jump);
        by.at(self.fall(own.z, motion.is_on_ground, seconds))
    }

    /// Returns the vertical step. A remote that is still in the air falls when its body has landed.
    fn fall(&mut self, velocity: f32, is_on_ground: bool, seconds: f32) -> f32 {
        if !is_on_ground {
            let step = (velocity * self.rate + self.blend.z) * seconds;
            // On the ground it goes along until there is none.
            return if self.is_in_air() { step } else { step.max(0.0) };
        }
        self.blend.z = if self.is_in_air() { self.blend.z.min(0.0) + GRAVITY * seconds } else { 0.0 };
        self.blend.z * seconds
    }

    /// Turns what is shown towards the direction of the estimate, or ahead of it while it moves.
    fn turn(&mut self, announced: &Announced<'_>, speed: f32) {
        let omega = announced.sequence().omega().z;
        let lead = if speed > MIN_SPEED { omega * TURN_LEAD * self.lead } else { 0.0 };
        let angle = self.yaw.angle_to(self.track_yaw.turned(lead));
        if angle == 0.0 {
            return;
        }
        let (most, share) = (MAX_TURN * announced.seconds, (TURN_GAIN * announced.seconds).min(1.0));
        if omega == 0.0 && angle.abs() < 1e-3 {
            self.yaw = self.track_yaw;
            return;
        }
        let by = angle * share + omega * announced.seconds;
        self.yaw = self.yaw.turned(by.clamp(-most, most));
    }
}

impl Flat {
    /// Returns the vector, or none if it is shorter than `least`.
    fn or_none(self, least: f32) -> Self {
        if self.length() < least { Self::ZERO } else { self }
    }
}

/// Returns a vector over the ground, none if it is not finite.
fn finite(v: Vec3) -> Flat {
    if v.is_finite() { Flat::from(v) } else { Flat::ZERO }
}

fn limited(v: Vec3, most: f32) -> Vec3 {
    let length = v.length();
    if length > most { v * (most / length) } else { v }
}

#[cfg(test)]
mod tests;
