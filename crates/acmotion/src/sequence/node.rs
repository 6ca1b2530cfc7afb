//! Nodes: a span of a clip at a rate (rules H1–H4).

use acmotion_dat::{Animation, DataId};
use acmotion_types::EPS;

use crate::library::{ClipId, Library, SpanId};

/// A span at a rate, in eight bytes. The upper bit of the span says that low and high have changed places.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
#[doc(alias = "AnimSequenceNode")]
pub struct AnimNode {
    span: u32,
    pub(super) framerate: f32,
}

impl AnimNode {
    pub(super) const fn new(span: SpanId, framerate: f32) -> Self {
        Self { span: span.bits(), framerate }
    }

    #[inline]
    pub(super) const fn span(self) -> SpanId {
        SpanId::from_bits(self.span)
    }

    /// Low and high frame.
    #[inline]
    pub(super) fn bounds(self, library: &Library) -> (i32, i32) {
        let span = library.span_of(self.span());
        self.turned(span.low, span.high)
    }

    #[inline]
    pub(super) const fn turned(self, low: i32, high: i32) -> (i32, i32) {
        if self.span & SpanId::FREE_BIT == 0 { (low, high) } else { (high, low) }
    }

    /// Rule H3: a negative factor makes low and high change places.
    pub(super) fn multiply_framerate(&mut self, factor: f32) {
        if factor < 0.0 {
            self.span ^= SpanId::FREE_BIT;
        }
        self.framerate *= factor;
    }

    /// Do its frames count up in play, or in play backwards?
    pub(super) fn plays_up(self, back: bool) -> bool {
        if back { self.framerate < 0.0 } else { self.framerate > 0.0 }
    }

    /// Do its frames count down in play, or in play backwards?
    pub(super) fn plays_down(self, back: bool) -> bool {
        self.plays_up(!back)
    }

    /// Where it is entered in play (rule H4).
    pub(super) fn starting_frame(self, library: &Library) -> f64 {
        let (low, high) = self.bounds(library);
        if self.framerate < 0.0 { end_of(high) } else { f64::from(low) }
    }

    /// Where it is left in play (rule H4).
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

/// The end of a frame, one epsilon before the next begins.
fn end_of(frame: i32) -> f64 {
    f64::from(frame) + 1.0 - f64::from(EPS)
}

/// A node as others see it.
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
    /// Frames a second; negative plays backwards.
    pub framerate: f32,
}

impl PlayingNode<'_> {
    /// The id of the animation.
    pub fn id(&self) -> DataId {
        self.animation.id()
    }

    /// How many seconds one pass takes, carry-over of time into the next node included; infinite if it stands still.
    /// Played backwards it starts one epsilon before the end of `high` (rule H4), and so is shorter by that.
    pub fn seconds(&self) -> f64 {
        let frames = if self.framerate < 0.0 {
            end_of(self.high) - f64::from(self.low)
        } else {
            f64::from(self.high) + 1.0 - f64::from(self.low)
        };
        frames / f64::from(self.framerate).abs()
    }
}
