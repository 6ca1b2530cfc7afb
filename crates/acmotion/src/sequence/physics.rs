//! How far a body is carried while frames show (rule H10).

use acmotion_types::{EPS, Frame, Quat, Vec3};

use super::Sequence;
use crate::placing::{move_by, turn_by};

/// How far velocity and turn carry the body while one frame of a rate shows. It is kept because it is the same for
/// every frame of a node: a sine for each frame crossed would be most of the work of a tick.
#[derive(Clone, Copy, Debug)]
pub(super) struct Carry {
    /// The rate it holds for; 0 if for none, since no frame is ever crossed at that.
    framerate: f32,
    /// In the body's axes.
    way: Frame,
}

/// A step longer than this, in metres, comes from no sound data.
const MAX_STEP: f32 = 1e30;

impl Carry {
    /// Holds for no rate.
    pub(super) const UNKNOWN: Self = Self { framerate: 0.0, way: Frame::IDENTITY };

    fn new(framerate: f32, velocity: Vec3, omega: Vec3) -> Self {
        Self { framerate, way: way(velocity, omega, (1.0 / framerate).abs()) }
    }
}

/// It follows from the rest of a sequence, known or not: two sequences do not differ in it.
impl PartialEq for Carry {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Sequence {
    /// Carries an offset by so many frames of the rate that is known.
    #[inline]
    pub(super) fn carry(&self, offset: &mut Frame, frames: u32) {
        for _ in 0..frames {
            add_way(offset, &self.carry.way);
        }
    }

    /// How far so many frames of the rate that is known carry the body.
    pub(super) fn carried(&self, frames: u32) -> Frame {
        let mut offset = Frame::IDENTITY;
        self.carry(&mut offset, frames);
        offset
    }

    /// Moves a body by so many frames of the rate that is known.
    #[inline]
    pub(super) fn carry_body(&self, place: &mut Frame, frames: u32) {
        match frames {
            0 => {}
            1 => move_by(place, &self.carry.way),
            _ => move_by(place, &self.carried(frames)),
        }
    }

    /// Makes it known how far a frame of that rate carries the body.
    #[inline]
    pub(super) fn know_carry(&mut self, framerate: f32) {
        if self.carry.framerate != framerate {
            self.learn_carry(framerate);
        }
    }

    #[inline(never)]
    fn learn_carry(&mut self, framerate: f32) {
        self.carry = Carry::new(framerate, self.velocity, self.omega);
    }

    /// Carries an offset for as long as one frame of that rate shows, backwards if `back`.
    #[inline]
    pub(super) fn carry_one_frame(&mut self, offset: &mut Frame, framerate: f32, back: bool) {
        self.know_carry(framerate);
        let Frame { origin, rotation } = self.carry.way;
        let way = if back { Frame::new(-origin, rotation.conjugate()) } else { self.carry.way };
        add_way(offset, &way);
    }

    /// Carries an offset for `time` seconds, whatever frame shows.
    pub(super) fn carry_for(&self, offset: &mut Frame, time: f32) {
        add_way(offset, &way(self.velocity, self.omega, time));
    }
}

/// How far velocity and turn carry the body in `time` seconds. A turn shorter than the epsilon is none (rule A10).
fn way(velocity: Vec3, omega: Vec3, time: f32) -> Frame {
    let step = velocity * time;
    let sound = step.x.abs().max(step.y.abs()).max(step.z.abs()) <= MAX_STEP && !step.is_nan();
    let turn = omega * time;
    let square = turn.length_squared();
    let rotation = if square >= EPS * EPS && square.is_finite() {
        let angle = square.sqrt();
        Quat::from_axis_angle(turn * (1.0 / angle), angle)
    } else {
        Quat::IDENTITY
    };
    Frame::new(if sound { step } else { Vec3::ZERO }, rotation)
}

/// The step is plainly added, the turn is about the offset's own axes (rule H10).
///
/// The original takes the turn to the parent's axes and turns there (rule A10), which is the same rotation.
#[inline]
fn add_way(offset: &mut Frame, way: &Frame) {
    offset.origin += way.origin;
    if offset.rotation == Quat::IDENTITY {
        offset.rotation = way.rotation;
    } else if way.rotation != Quat::IDENTITY {
        turn_by(&mut offset.rotation, way.rotation);
    }
}
