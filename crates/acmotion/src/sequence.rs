//! What plays now: a row of nodes, the place in them, and the velocity and turn that go with it (rules H1–H16).

mod carry;
mod edit;
mod hooks;
mod node;
mod step;

use acmotion_types::Vec3;

pub use hooks::{HookBuffer, HookEvent};
pub use node::{AnimNode, PlayingNode};

use crate::library::{ClipId, Library, Placement};
use crate::small_list::SmallList;
use carry::Carry;

/// How many nodes lie in the sequence itself.
const INLINE_NODES: usize = 12;

/// What a body plays: link nodes to be played once, then one that loops.
///
/// The last node appended is the one that loops; all before it, also the earlier animations of a cycle that has several,
/// are played once (rule H5).
///
/// ```
/// use std::sync::Arc;
/// use acmotion::{HookBuffer, Library, Sequence};
/// use acmotion::dat::{Animation, AnimationFrame, DataId};
/// use acmotion::types::{Frame, Vec3};
///
/// // Twenty frames without root motion of their own.
/// let mut library = Library::new();
/// let walk = Animation::new(DataId(0x0300_0001), None, vec![AnimationFrame::default(); 20]);
/// let clip = library.add_animation(Arc::new(walk));
/// let span = library.span(clip, 0, -1);
///
/// let mut sequence = Sequence::new();
/// sequence.append(&library, span, 30.0);
/// sequence.set_physics(Vec3::new(0.0, 3.12, 0.0), Vec3::ZERO);
///
/// // One tick crosses one frame and carries the body one frame's worth.
/// let (mut offset, mut hooks) = (Frame::IDENTITY, HookBuffer::new());
/// sequence.update(&library, 1.0 / 30.0, Some(&mut offset), Some(&mut hooks));
/// assert_eq!(sequence.frame().floor(), 1.0);
/// assert!((offset.origin.y - 0.104).abs() < 1e-6);
/// ```
#[derive(Clone, PartialEq, Debug)]
#[doc(alias = "CSequence")]
#[repr(C)]
pub struct Sequence {
    // What every tick needs comes first and is a line of the cache: up to the first node.
    frame: f64,
    current: Index,
    first_cyclic: Index,
    carry: Carry,
    nodes: SmallList<AnimNode, INLINE_NODES>,
    velocity: Vec3,
    omega: Vec3,
    placement: Option<Placement>,
}

/// A place in the row of nodes, or none.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Index(u32);

impl Index {
    const NONE: Self = Self(u32::MAX);

    fn at(index: usize) -> Self {
        Self(index as u32)
    }

    #[inline]
    fn get(self) -> Option<usize> {
        (self != Self::NONE).then_some(self.0 as usize)
    }

    /// The same node after `count` have been removed from the head.
    #[inline]
    fn moved_down(self, count: u32) -> Self {
        if self == Self::NONE { self } else { Self(self.0 - count) }
    }
}

impl Default for Sequence {
    fn default() -> Self {
        Self::new()
    }
}

impl Sequence {
    /// Nothing to play.
    pub fn new() -> Self {
        Self {
            frame: 0.0,
            current: Index::NONE,
            first_cyclic: Index::NONE,
            carry: Carry::UNKNOWN,
            nodes: SmallList::new(),
            velocity: Vec3::ZERO,
            omega: Vec3::ZERO,
            placement: None,
        }
    }

    /// The place within the current node, in frames of its animation; its whole part is the frame that shows.
    #[doc(alias = "frame_number")]
    pub fn frame(&self) -> f64 {
        self.frame
    }

    /// Velocity in the body's axes, metres a second.
    pub fn velocity(&self) -> Vec3 {
        self.velocity
    }

    /// Turn rate about the body's axes, radians a second.
    pub fn omega(&self) -> Vec3 {
        self.omega
    }

    /// Are there any nodes?
    #[doc(alias = "has_anims")]
    pub fn has_nodes(&self) -> bool {
        !self.nodes.is_empty()
    }

    /// The nodes in the order in which they are played.
    pub fn nodes<'l>(&self, library: &'l Library) -> impl ExactSizeIterator<Item = PlayingNode<'l>> {
        self.nodes.iter().map(|node| node.resolve(library))
    }

    /// Which node plays now.
    #[doc(alias = "curr_anim")]
    pub fn current_index(&self) -> Option<usize> {
        self.current.get()
    }

    /// The node that plays now.
    pub fn current<'l>(&self, library: &'l Library) -> Option<PlayingNode<'l>> {
        self.current_node().map(|node| node.resolve(library))
    }

    /// From which node on it loops: always the last.
    #[doc(alias = "first_cyclic")]
    pub fn first_cyclic_index(&self) -> Option<usize> {
        self.first_cyclic.get()
    }

    /// The clip and the frame of it that show (rule H14): of the current node, or of the placement if there is none.
    #[doc(alias = "get_curr_animframe")]
    pub fn shown(&self, library: &Library) -> Option<(ClipId, usize)> {
        match self.current_node() {
            Some(node) => {
                Some((library.span_of(node.span()).clip, usize::try_from(self.shown_frame()).ok()?))
            }
            None => self.placement.map(|placement| (placement.clip, placement.frame as usize)),
        }
    }

    /// The clip and the frame of it that will show next, and how far (0 to 1) it is on the way there: not for the
    /// original, which shows nothing in between, but for [`smooth`](crate::smooth). None if nothing moves.
    pub fn shown_next(&self, library: &Library) -> Option<((ClipId, usize), f32)> {
        let node = self.current_node()?;
        let (low, high) = node.bounds(library);
        let shown = self.shown_frame();
        let within = (self.frame - shown as f64) as f32;
        let (next, share) = match node.framerate {
            rate if rate > 0.0 => (shown + 1, within),
            rate if rate < 0.0 => (shown - 1, 1.0 - within),
            _ => return None,
        };
        if (i64::from(low)..=i64::from(high)).contains(&next) {
            return Some(((library.span_of(node.span()).clip, usize::try_from(next).ok()?), share));
        }
        let after = self.nodes.get(self.next_index(false).get()?)?;
        let start = usize::try_from(step::floor(after.starting_frame(library))).ok()?;
        Some(((library.span_of(after.span()).clip, start), share))
    }

    /// How the body stands while it plays nothing (rule H15).
    pub fn placement(&self) -> Option<Placement> {
        self.placement
    }

    /// Sets how the body stands while it plays nothing.
    pub fn set_placement(&mut self, placement: Option<Placement>) {
        self.placement = placement;
    }

    /// How many bytes it takes, side storage included.
    pub fn size_in_memory(&self) -> usize {
        size_of::<Self>() + self.nodes.side_bytes()
    }

    #[inline]
    fn current_node(&self) -> Option<AnimNode> {
        self.nodes.get(self.current.0 as usize)
    }

    fn shown_frame(&self) -> i64 {
        step::floor(self.frame)
    }
}
