//! Where a sequence leads if nothing changes it: its root motion and its frames in the next moments.
//!
//! The original moves a body by whole frames (rule H10). This is the same motion spread evenly over the time that each frame
//! shows, for [comfort](crate::comfort): it changes nothing, and nothing of the simulation depends on it.

use acmotion_types::{EPS, Vec3};

use super::{AnimNode, Sequence, step};
use crate::library::{ClipId, Library, Span, SpanId};

/// The maximum number of nodes that are looked at. What comes after them is not predicted.
const MAX_NODES_AHEAD: usize = 8;

/// A moment of a sequence that lies ahead.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Ahead {
    /// The way of the root until then, in the body's axes, in metres. Turns are not part of it.
    pub(crate) offset: Vec3,
    /// The velocity of the root then, in the body's axes, in metres a second.
    pub(crate) velocity: Vec3,
    /// The node that plays then, and the frame number within it; `None` if nothing plays.
    place: Option<(AnimNode, f64)>,
    /// The index of that node.
    index: usize,
}

/// Two key frames, each of a clip, and how much (0 to 1) of the time from one to the other has passed.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct KeyFrames {
    pub(crate) from: (ClipId, usize),
    pub(crate) to: (ClipId, usize),
    pub(crate) share: f32,
}

impl Sequence {
    /// Returns the velocity of the root, in the body's axes, in metres a second: what the position frame that shows and the
    /// velocity of the sequence come to.
    pub fn root_velocity(&self, library: &Library) -> Vec3 {
        let Some(node) = self.current_node() else { return self.velocity };
        self.velocity + velocity_at(library, node, self.frame)
    }

    /// Returns the moment that lies a number of seconds ahead; 0 or less is now. Its velocity is the mean of the last `over`
    /// seconds before it.
    pub(crate) fn ahead(&self, library: &Library, seconds: f32, over: f32) -> Ahead {
        let seconds = if seconds > 0.0 { f64::from(seconds) } else { 0.0 };
        let mut offset = self.velocity * seconds as f32;
        let (mut time, mut frame) = (seconds, self.frame);
        let mut index = self.current.0 as usize;
        let last = self.nodes.len().saturating_sub(1);
        let Some(mut node) = self.current_node() else {
            return Ahead { offset, velocity: self.velocity, place: None, index };
        };
        for _ in 0..MAX_NODES_AHEAD {
            let rate = f64::from(node.framerate);
            let span = library.span_of(node.span());
            let (low, high) = node.swapped(span.low, span.high);
            let (start, end) = if rate < 0.0 {
                (f64::from(high) + 1.0, f64::from(low))
            } else {
                (f64::from(low), f64::from(high) + 1.0)
            };
            if rate.abs() <= f64::from(EPS) {
                break;
            }
            let left = ((end - frame) / rate).max(0.0);
            if time < left {
                let until = frame + rate * time;
                offset += way(library, span, frame, until);
                frame = until;
                break;
            }
            offset += way(library, span, frame, end);
            time -= left;
            if index < last {
                index += 1;
                let Some(next) = self.nodes.get(index) else { break };
                node = next;
                frame = node.starting_frame(library);
                continue;
            }
            // Round the loop.
            let period = ((end - start) / rate).max(1e-3);
            let rounds = step::floor(time / period) as f64;
            offset += way(library, span, start, end) * rounds as f32;
            time -= rounds * period;
            frame = start;
        }
        let velocity = self.velocity + mean_velocity(library, node, frame, over);
        Ahead { offset, velocity, place: Some((node, frame)), index }
    }

    /// Returns the mean velocity of the root in the last `over` seconds, in the body's axes, in metres a second.
    pub(crate) fn mean_root_velocity(&self, library: &Library, over: f32) -> Vec3 {
        let Some(node) = self.current_node() else { return self.velocity };
        self.velocity + mean_velocity(library, node, self.frame, over)
    }

    /// Returns the frames that loop and the frame number, if they play at a moment ahead.
    pub(crate) fn cycle_at(&self, ahead: &Ahead) -> Option<(SpanId, f32)> {
        let (node, frame) = ahead.place?;
        (ahead.index + 1 == self.nodes.len()).then(|| (node.span(), frame as f32))
    }

    /// Returns the key frames that show at a moment ahead and after it. `None` if nothing plays.
    pub(crate) fn key_frames_at(&self, library: &Library, ahead: &Ahead) -> Option<KeyFrames> {
        let still = |shown| KeyFrames { from: shown, to: shown, share: 0.0 };
        let Some((node, frame)) = ahead.place else { return self.shown(library).map(still) };
        let (low, high) = node.bounds(library);
        let (low, high) = (i64::from(low.min(high)), i64::from(high.max(low)));
        let clip = library.span_of(node.span()).clip;
        let shown = step::floor(frame).clamp(low, high);
        let within = (frame - shown as f64).clamp(0.0, 1.0) as f32;
        let from = (clip, usize::try_from(shown).ok()?);
        let (next, share) = match node.framerate {
            rate if rate > 0.0 => (shown + 1, within),
            rate if rate < 0.0 => (shown - 1, 1.0 - within),
            _ => return Some(still(from)),
        };
        if (low..=high).contains(&next) {
            return Some(KeyFrames { from, to: (clip, usize::try_from(next).ok()?), share });
        }
        let after = self.nodes.get((ahead.index + 1).min(self.nodes.len().checked_sub(1)?))?;
        let start = usize::try_from(step::floor(after.starting_frame(library))).ok()?;
        Some(KeyFrames { from, to: (library.span_of(after.span()).clip, start), share })
    }
}

/// Returns the velocity that the position frame of a node gives at a frame number.
#[inline]
fn velocity_at(library: &Library, node: AnimNode, frame: f64) -> Vec3 {
    let span = library.span_of(node.span());
    if !span.has_positions {
        return Vec3::ZERO;
    }
    let positions = library.clip(span.clip).animation().position_frames();
    // The end of a node is the start of a frame that is not its own.
    let number = frame.min(f64::from(span.high)).max(0.0) as usize;
    positions.get(number).map_or(Vec3::ZERO, |position| position.origin * node.framerate)
}

/// Returns the mean velocity that the position frames of a node give in the last seconds before a frame number.
#[inline]
fn mean_velocity(library: &Library, node: AnimNode, frame: f64, over: f32) -> Vec3 {
    let span = library.span_of(node.span());
    if !span.has_positions {
        return Vec3::ZERO;
    }
    let start = node.starting_frame(library);
    let played = ((frame - start) / f64::from(node.framerate)).clamp(0.0, f64::from(over));
    if played < 0.002 {
        return velocity_at(library, node, frame);
    }
    way(library, span, frame - f64::from(node.framerate) * played, frame) * (1.0 / played as f32)
}

/// Returns the way of the root between two frame numbers of a span.
#[inline]
fn way(library: &Library, span: &Span, from: f64, to: f64) -> Vec3 {
    if !span.has_positions {
        return Vec3::ZERO;
    }
    let clip = library.clip(span.clip);
    clip.way_until(to) - clip.way_until(from)
}
