//! Sequences that neither move their body nor fire hooks for some time, such as that of a body that stands.

use acmotion_types::EPS;

use super::step::advanced;
use super::{AnimNode, Sequence};
use crate::library::{Library, Span};

/// The frames that a sequence can play without moving its body, crossing a frame with hooks, or reaching the end of a
/// node. Valid until something else than [`Sequence::advance_at_rest`] changes the sequence.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(crate) struct Rest {
    /// The rate in frames a second, above 0.
    framerate: f32,
    /// The frame number at which it is over.
    end: f64,
}

impl Sequence {
    /// Returns the frames ahead that neither move the body nor have hooks. `None` if that cannot be told: it takes a first
    /// node that plays forwards, without position frames, and a [cached](Self::cache_frame_offset) offset of nothing.
    #[inline]
    pub(crate) fn find_rest(&self, library: &Library) -> Option<Rest> {
        let node = self.nodes.first()?;
        let span = library.span_of(node.span());
        let is_still = !span.has_positions && self.frame_offset.is_identity();
        let plays_forwards = node.framerate > EPS && self.frame >= 0.0 && self.current.0 == 0;
        if !is_still || !plays_forwards || !self.frame_offset.is_valid_at(node.framerate) {
            return None;
        }
        Some(Rest { framerate: node.framerate, end: self.quiet_end(node, span) })
    }

    /// Returns the frame number at which the next frame with hooks, or the first node, is over. It plays forwards.
    #[inline]
    pub(super) fn quiet_end(&self, node: AnimNode, span: &Span) -> f64 {
        let (_, high) = node.swapped(span.low, span.high);
        let last = span.next_frame_with_hooks(self.frame as u32).unwrap_or(f64::INFINITY);
        last.min(f64::from(high)) + 1.0
    }

    /// Advances a sequence at rest by a number of seconds above 0, as [`advance`](Self::advance) does. Returns `false`, with
    /// nothing done, if the rest is over by then.
    #[inline(always)]
    pub(crate) fn advance_at_rest(&mut self, rest: &Rest, quantum: f32) -> bool {
        let frame = advanced(self.frame, rest.framerate, quantum);
        let rests = frame < rest.end;
        if rests {
            self.frame = frame;
        }
        rests
    }
}
