//! Animation nodes: a span of a clip at a rate (rules H1–H4).

use acmotion_dat::{Animation, DataId};
use acmotion_types::EPS;

use crate::library::{ClipId, Library, SpanId};

/// A span at a rate, in eight bytes. The upper bit of the span is set if low and high are swapped.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[doc(alias = "AnimSequenceNode")]
pub(crate) struct AnimNode {
    span: u32,
    pub(super) framerate: f32,
}

impl AnimNode {
    /// Creates a node. A rate that has overflowed is the greatest possible, and NaN is 0.
    pub(super) const fn new(span: SpanId, framerate: f32) -> Self {
        Self { span: span.bits(), framerate: finite_rate(framerate) }
    }

    #[inline]
    pub(super) const fn span(self) -> SpanId {
        SpanId::from_bits(self.span)
    }

    /// Returns the low and high frame.
    #[inline]
    pub(super) fn bounds(self, library: &Library) -> (i32, i32) {
        let span = library.span_of(self.span());
        self.swapped(span.low, span.high)
    }

    /// Returns the low and high frame of the span, swapped if the node has them swapped.
    #[inline]
    pub(super) const fn swapped(self, low: i32, high: i32) -> (i32, i32) {
        if self.span & SpanId::FREE_BIT == 0 { (low, high) } else { (high, low) }
    }

    /// Multiplies the rate. A negative factor swaps low and high (rule H3).
    pub(super) fn multiply_framerate(&mut self, factor: f32) {
        if factor < 0.0 {
            self.span ^= SpanId::FREE_BIT;
        }
        self.framerate = finite_rate(self.framerate * factor);
    }

    /// Returns `true` if the frame number increases when time runs forwards, or backwards.
    pub(super) fn counts_up(self, back: bool) -> bool {
        if back { self.framerate < 0.0 } else { self.framerate > 0.0 }
    }

    /// Returns `true` if the frame number decreases when time runs forwards, or backwards.
    pub(super) fn counts_down(self, back: bool) -> bool {
        self.counts_up(!back)
    }

    /// Returns the frame number at which play enters the node (rule H4).
    pub(super) fn starting_frame(self, library: &Library) -> f64 {
        let (low, high) = self.bounds(library);
        if self.framerate < 0.0 { end_of(high) } else { f64::from(low) }
    }

    /// Returns the frame number at which play leaves the node (rule H4).
    pub(super) fn ending_frame(self, library: &Library) -> f64 {
        let (low, high) = self.bounds(library);
        if self.framerate < 0.0 { f64::from(low) } else { end_of(high) }
    }

    pub(super) fn resolve(self, library: &Library) -> PlayingNode<'_> {
        let span = library.span_of(self.span());
        let (low, high) = self.bounds(library);
        let animation = library.clip(span.clip).animation();
        PlayingNode { clip: span.clip, animation, low, high, framerate: self.framerate }
    }
}

/// Returns the closest finite rate; 0 for NaN.
const fn finite_rate(framerate: f32) -> f32 {
    if framerate.is_nan() { 0.0 } else { framerate.clamp(f32::MIN, f32::MAX) }
}

/// Returns the end of a frame, one epsilon before the next one starts.
fn end_of(frame: i32) -> f64 {
    f64::from(frame) + 1.0 - f64::from(EPS)
}

/// A node with its clip resolved.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct PlayingNode<'l> {
    /// The clip.
    pub clip: ClipId,
    /// Its animation.
    pub animation: &'l Animation,
    /// The first frame.
    pub low: i32,
    /// The last frame.
    pub high: i32,
    /// The rate in frames a second; negative plays backwards.
    pub framerate: f32,
}

impl PlayingNode<'_> {
    /// Returns the id of the animation.
    pub fn id(&self) -> DataId {
        self.animation.id()
    }

    /// Returns the duration of one pass in seconds, with the time carried over into the next node; infinite at rate 0.
    /// A node played backwards starts one epsilon before the end of `high` (rule H4) and is shorter by that.
    pub fn seconds(&self) -> f64 {
        let frames = if self.framerate < 0.0 {
            end_of(self.high) - f64::from(self.low)
        } else {
            f64::from(self.high) + 1.0 - f64::from(self.low)
        };
        frames / f64::from(self.framerate).abs()
    }
}
