//! Sequences that do nothing but move their body straight ahead for some time, such as that of a body that runs.

use acmotion_types::{EPS, Vec3};

use super::Sequence;
use super::step::advanced;
use crate::library::{ClipId, Library};

/// What stays the same while a sequence plays the frames of a node that loops, whose root motion does not turn. Valid until
/// something else than the functions of this module, or [`Sequence::advance`], changes the sequence.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(crate) struct SteadyPlay {
    /// The frame number at which the next frame with hooks, or the node, is over.
    end: f64,
    /// The rate in frames a second, above 0.
    framerate: f32,
    /// The way by velocity for each frame, in metres.
    step: Vec3,
    /// The clip with the position frames.
    clip: ClipId,
    has_positions: bool,
}

impl Sequence {
    /// Returns how the sequence plays on, if it moves the body straight round a loop, whose hooks report something and
    /// do no more. It takes a [cached](Self::cache_frame_offset) offset of a frame, and one that moves the body.
    pub(crate) fn find_steady_play(&self, library: &Library) -> Option<SteadyPlay> {
        let node = self.nodes.first().filter(|_| self.nodes.len() == 1)?;
        let span = library.span_of(node.span());
        let plays_forwards = node.framerate > EPS && self.frame >= 0.0 && self.current.0 == 0;
        let is_steady = plays_forwards && span.is_straight() && span.has_only_reports();
        let step = self.frame_offset.straight_at(node.framerate).filter(|_| is_steady)?;
        if !span.has_positions && step == Vec3::ZERO {
            // A body that stands takes less to advance.
            return None;
        }
        let (end, framerate) = (self.quiet_end(node, span), node.framerate);
        Some(SteadyPlay { end, framerate, step, clip: span.clip, has_positions: span.has_positions })
    }

    /// Finds the end of steady play again, after the sequence has been [advanced](Self::advance) past it.
    pub(crate) fn renew_steady_play(&self, play: &mut SteadyPlay, library: &Library) {
        if let Some(node) = self.nodes.first() {
            play.end = self.quiet_end(node, library.span_of(node.span()));
        }
    }

    /// Returns where steady play leads in a number of seconds above 0: the frame number, and the offset of the body, as
    /// [`advance`](Self::advance) returns it. `None` if frames with hooks or the end of the node are crossed.
    #[inline(always)]
    pub(crate) fn advanced_steadily(
        &self,
        play: &SteadyPlay,
        library: &Library,
        quantum: f32,
    ) -> Option<(f64, Vec3)> {
        let frame = advanced(self.frame, play.framerate, quantum);
        if frame >= play.end {
            return None;
        }
        let mut offset = Vec3::ZERO;
        let crossed = self.frame as u32..frame as u32;
        if play.has_positions {
            let positions = library.clip(play.clip).animation().position_frames();
            for frame in crossed {
                if let Some(position) = positions.get(frame as usize) {
                    offset += position.origin;
                }
                offset += play.step;
            }
        } else {
            crossed.for_each(|_| offset += play.step);
        }
        Some((frame, offset))
    }

    /// Ends a step to a frame number that [`advanced_steadily`](Self::advanced_steadily) has returned.
    #[inline(always)]
    pub(crate) fn set_steady_frame(&mut self, frame: f64) {
        self.frame = frame;
    }
}
