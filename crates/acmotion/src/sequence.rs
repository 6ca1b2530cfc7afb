//! Sequences: the animation nodes that a body plays, the frame that it has reached, and its velocity and omega (rules
//! H1–H16).

mod ahead;
#[cfg(feature = "parallel")]
mod bound;
mod edit;
mod hooks;
mod lap;
mod node;
mod physics;
mod rest;
mod steady;
mod step;

use acmotion_types::Vec3;

pub(crate) use ahead::{Ahead, KeyFrames};
pub(crate) use hooks::fires;
pub use hooks::{HookBuffer, HookEvent};
pub(crate) use node::AnimNode;
pub use node::PlayingNode;
pub(crate) use rest::Rest;
pub(crate) use steady::SteadyPlay;

use crate::library::{ClipId, Library, Placement};
#[cfg(feature = "serde")]
use crate::limits::MAX_SEQUENCE_NODES;
#[cfg(feature = "serde")]
use crate::restore::{Checked, require};
use crate::small_list::SmallList;
use physics::FrameOffset;

/// The number of nodes stored inline.
const INLINE_NODES: usize = 6;

/// The animations that a body plays: link nodes, which play once, then one node that loops.
///
/// The last node appended loops. All nodes before it play once, including the earlier animations of a cycle that has
/// several (rule H5).
///
/// ```
/// use std::sync::Arc;
/// use acmotion::dat::{Animation, AnimationFrame, DataId};
/// use acmotion::types::{Frame, Vec3};
/// use acmotion::{HookBuffer, Library, Sequence};
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
/// // One tick crosses one frame boundary and moves the body by one frame's worth.
/// let (mut offset, mut hooks) = (Frame::IDENTITY, HookBuffer::new());
/// sequence.update(&library, 1.0 / 30.0, Some(&mut offset), Some(&mut hooks));
/// assert_eq!(sequence.frame().floor(), 1.0);
/// assert!((offset.origin.y - 0.104).abs() < 1e-6);
/// ```
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[doc(alias = "CSequence")]
#[repr(C)]
pub struct Sequence {
    // The fields that every tick needs come first and share a cache line, up to the first node.
    frame: f64,
    current: Index,
    first_cyclic: Index,
    #[cfg_attr(feature = "serde", serde(skip))]
    frame_offset: FrameOffset,
    nodes: SmallList<AnimNode, INLINE_NODES>,
    velocity: Vec3,
    omega: Vec3,
    placement: Option<Placement>,
}

/// The index of a node, or none.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
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

    /// Returns the index of the same node after `count` nodes have been removed from the head.
    #[inline]
    fn shifted_down(self, count: u32) -> Self {
        if self == Self::NONE { self } else { Self(self.0 - count) }
    }
}

impl Default for Sequence {
    fn default() -> Self {
        Self::new()
    }
}

impl Sequence {
    /// Creates an empty sequence.
    pub fn new() -> Self {
        Self {
            frame: 0.0,
            current: Index::NONE,
            first_cyclic: Index::NONE,
            frame_offset: FrameOffset::UNKNOWN,
            nodes: SmallList::new(),
            velocity: Vec3::ZERO,
            omega: Vec3::ZERO,
            placement: None,
        }
    }

    /// Returns the frame number within the current node's animation. Its integer part is the frame that shows.
    #[doc(alias = "frame_number")]
    pub fn frame(&self) -> f64 {
        self.frame
    }

    /// Returns the velocity in the body's axes, in metres a second.
    pub fn velocity(&self) -> Vec3 {
        self.velocity
    }

    /// Returns the turn rate about the body's axes, in radians a second.
    pub fn omega(&self) -> Vec3 {
        self.omega
    }

    /// Returns `true` if there are any nodes.
    #[doc(alias = "has_anims")]
    pub fn has_nodes(&self) -> bool {
        !self.nodes.is_empty()
    }

    /// Returns the number of nodes.
    pub(crate) fn node_count(&self) -> usize {
        self.nodes.len()
    }

    /// Iterates over the nodes in the order in which they play.
    pub fn nodes<'l>(&self, library: &'l Library) -> impl ExactSizeIterator<Item = PlayingNode<'l>> {
        self.nodes.iter().map(|node| node.resolve(library))
    }

    /// Returns the index of the node that plays now, or `None` if none does.
    #[doc(alias = "curr_anim")]
    pub fn current_index(&self) -> Option<usize> {
        self.current.get()
    }

    /// Returns the node that plays now, or `None` if none does.
    pub fn current<'l>(&self, library: &'l Library) -> Option<PlayingNode<'l>> {
        self.current_node().map(|node| node.resolve(library))
    }

    /// Returns the index of the node that loops, which is always the last.
    #[doc(alias = "first_cyclic")]
    pub fn first_cyclic_index(&self) -> Option<usize> {
        self.first_cyclic.get()
    }

    /// Returns the clip and the frame of it that show (rule H14): those of the current node, else of the placement.
    /// `None` if there is neither.
    #[doc(alias = "get_curr_animframe")]
    #[inline(always)]
    pub fn shown(&self, library: &Library) -> Option<(ClipId, usize)> {
        match self.current_node() {
            Some(node) => {
                Some((library.span_of(node.span()).clip, usize::try_from(self.shown_frame()).ok()?))
            }
            None => self.placement.map(|placement| (placement.clip, placement.frame as usize)),
        }
    }

    /// Returns the clip and the frame of it that will show next, and how much (0 to 1) of the time until then has passed.
    /// `None` if nothing moves. The original shows nothing in between; this is for [`smooth`](crate::smooth).
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

    /// Returns the pose that shows while nothing plays (rule H15).
    pub fn placement(&self) -> Option<Placement> {
        self.placement
    }

    /// Sets the pose that shows while nothing plays (rule H15).
    pub fn set_placement(&mut self, placement: Option<Placement>) {
        self.placement = placement;
    }

    /// Returns the memory use in bytes, heap included.
    pub fn size_in_memory(&self) -> usize {
        size_of::<Self>() + self.nodes.side_bytes()
    }

    #[inline(always)]
    fn current_node(&self) -> Option<AnimNode> {
        self.nodes.get(self.current.0 as usize)
    }

    #[inline(always)]
    fn shown_frame(&self) -> i64 {
        step::floor(self.frame)
    }
}

#[cfg(feature = "serde")]
impl Sequence {
    /// Checks a sequence that was read from a snapshot.
    pub(crate) fn check(&self, library: &Library) -> Checked {
        let count = self.nodes.len();
        require(count <= MAX_SEQUENCE_NODES, "too many animation nodes")?;
        require(
            self.nodes.iter().all(|node| library.has_span(node.span())),
            "an animation node without a span",
        )?;
        let looping = count.checked_sub(1).map_or(Index::NONE, Index::at);
        require(self.first_cyclic == looping, "a looping animation node that is not the last")?;
        let plays = self.current.get().is_some_and(|current| current < count);
        require(
            plays || (count == 0 && self.current == Index::NONE),
            "a current animation node that is none",
        )?;
        require(
            self.placement.is_none_or(|placement| library.has_placement(placement)),
            "a placement that is none",
        )?;
        // A frame number far outside of its animation would take for ever to cross.
        let within = self.current_node().is_none_or(|node| {
            let (low, high) = node.bounds(library);
            let (low, high) = (f64::from(low.min(high)), f64::from(low.max(high)));
            (low - 1.0..=high + 1.0).contains(&self.frame)
        });
        require(within, "an animation frame out of range")
    }
}
