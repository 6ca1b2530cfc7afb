//! Advancing a sequence in time (rules H8–H13).

use std::ops::Range;

use acmotion_dat::HookDirection;
use acmotion_types::{EPS, Frame};

use super::physics::is_identity;
use super::{AnimNode, HookBuffer, Index, Sequence};
use crate::library::{Library, Span};
use crate::move_by::{combined, move_by};

/// The maximum number of frames that one update crosses; the current node is finished first. Only damaged or hostile data
/// has rates and times that need more: at the longest step of the original, 0.2 s, this is 80,000 frames a second.
const MAX_CROSSINGS: u32 = 16_384;

impl Sequence {
    /// Advances by `quantum` seconds (rule H8): crosses frames, adds the hooks of the frames left to `hooks`, and continues
    /// with the next node, or round the loop, for the remaining time. Returns the offset by which all this moves the body.
    ///
    /// Without `hooks` no events are collected, not even the ends of nodes.
    ///
    /// Velocity and omega are not spread over time but applied with each crossed frame, a whole frame's worth at a time
    /// (rule H10). A negative `quantum` plays backwards.
    ///
    /// # Values out of range
    /// - A `quantum` that is not finite, or a rate that makes the step not finite, changes nothing.
    /// - After 16,384 crossed frames and nodes the rest of the time is dropped. (The original would loop for ever where
    ///   a rate is so high that the crossed frames no longer count, or where low and high are swapped.)
    /// - A velocity that moves the body more than 10³⁰ m in a frame, or is NaN, is ignored. If position frames still make
    ///   the offset infinite or NaN, the offset is dropped; frames and hooks are played.
    ///
    /// Everything else is played as in the original.
    #[doc(alias = "update_internal")]
    #[inline]
    pub fn advance(&mut self, library: &Library, quantum: f32, hooks: Option<&mut HookBuffer>) -> Frame {
        let mut offset = Frame::IDENTITY;
        match self.step_within_node(library, quantum, hooks, Span::is_straight) {
            Ok(crossed) => self.add_crossed(&mut offset, library, crossed),
            Err(hooks) => self.advance_past_end(library, quantum, &mut offset, hooks),
        }
        offset
    }

    /// Advances, probably past the end of a node, and moves an offset that is the identity.
    #[inline(never)]
    fn advance_past_end(
        &mut self,
        library: &Library,
        quantum: f32,
        offset: &mut Frame,
        mut hooks: Option<&mut HookBuffer>,
    ) {
        if !self.step_round_loop(library, quantum, offset, hooks.as_deref_mut()) {
            self.step(library, quantum, Some(offset), hooks);
        }
    }

    /// [Advances](Self::advance) and moves a body by the offset, for bodies that nothing else moves: the same as combining
    /// its frame with the offset (rule A6).
    #[inline]
    pub fn advance_body(
        &mut self,
        library: &Library,
        quantum: f32,
        hooks: Option<&mut HookBuffer>,
        body: &mut Frame,
    ) {
        match self.step_within_node(library, quantum, hooks, has_no_positions) {
            Ok(crossed) => self.move_by_frames(body, crossed.count()),
            Err(hooks) => {
                let mut offset = Frame::IDENTITY;
                self.step(library, quantum, Some(&mut offset), hooks);
                move_by(body, &offset);
            }
        }
    }

    /// [Advances](Self::advance) and adds to an existing offset. Without one, only frames and hooks are played.
    pub fn update(
        &mut self,
        library: &Library,
        quantum: f32,
        offset: Option<&mut Frame>,
        hooks: Option<&mut HookBuffer>,
    ) {
        let is_simple = |span: &Span| {
            !span.has_positions || (span.is_straight() && offset.as_deref().is_none_or(is_identity))
        };
        match self.step_within_node(library, quantum, hooks, is_simple) {
            Ok(crossed) => {
                if let Some(offset) = offset {
                    self.add_crossed(offset, library, crossed);
                }
            }
            Err(hooks) => self.step(library, quantum, offset, hooks),
        }
    }

    /// Adds the root motion of frames that were crossed within a node to an offset, which is the identity if the clip has
    /// position frames.
    #[inline]
    fn add_crossed(&self, offset: &mut Frame, library: &Library, crossed: Crossed<'_>) {
        if crossed.span.has_positions {
            let positions = library.clip(crossed.span.clip).animation().position_frames();
            self.add_straight_frames(offset, positions, crossed.frames);
        } else {
            self.add_frames(offset, crossed.count());
        }
    }

    /// Handles the common case in few instructions: forward in the first node, without reaching its end, if the root motion
    /// of its span `is_simple` for the caller. Returns the crossed frames, whose root motion is left to the caller. In any
    /// other case nothing is done and the hooks are returned.
    #[inline]
    fn step_within_node<'l, 'h>(
        &mut self,
        library: &'l Library,
        quantum: f32,
        hooks: Option<&'h mut HookBuffer>,
        is_simple: impl FnOnce(&Span) -> bool,
    ) -> Result<Crossed<'l>, Option<&'h mut HookBuffer>> {
        let Some((step, crossed)) =
            self.within_node(library, quantum).filter(|(_, crossed)| is_simple(crossed.span))
        else {
            return Err(hooks);
        };
        self.frame = step.frame;
        if let Some(hooks) = hooks
            && crossed.may_have_hooks()
        {
            hooks.frames_left(library, crossed.span, crossed.frames.clone());
        }
        self.cache_frame_offset(step.framerate);
        Ok(crossed)
    }

    /// Returns where a step forward leads within the first node, without reaching its end, and the frames that it crosses.
    #[inline(always)]
    fn within_node<'l>(&self, library: &'l Library, quantum: f32) -> Option<(StepWithin, Crossed<'l>)> {
        let node = self.nodes.first()?;
        let span = library.span_of(node.span());
        let (_, high) = node.swapped(span.low, span.high);
        let frame = advanced(self.frame, node.framerate, quantum);
        let forward = quantum > 0.0 && node.framerate > EPS && self.frame >= 0.0;
        let inside = forward && frame < f64::from(high) + 1.0 && self.current.0 == 0;
        if !inside {
            return None;
        }
        let crossed = Crossed { span, frames: self.frame as u32..frame as u32 };
        Some((StepWithin { frame, framerate: node.framerate }, crossed))
    }

    #[inline(never)]
    pub(super) fn step(
        &mut self,
        library: &Library,
        quantum: f32,
        mut offset: Option<&mut Frame>,
        hooks: Option<&mut HookBuffer>,
    ) {
        if !quantum.is_finite() {
            return;
        }
        let before = offset.as_deref().copied();
        if self.nodes.is_empty() {
            if let Some(offset) = offset.as_deref_mut() {
                self.apply_physics(offset, quantum);
            }
        } else {
            Stepper { sequence: self, library, offset: offset.as_deref_mut(), hooks }.run(quantum);
            self.drop_finished();
            self.nodes.tidy(library.spare_nodes());
        }
        if let (Some(offset), Some(before)) = (offset, before)
            && !offset.origin.is_finite()
        {
            *offset = before;
        }
    }
}

/// The frames that a step within a node has crossed.
struct Crossed<'l> {
    span: &'l Span,
    frames: Range<u32>,
}

impl Crossed<'_> {
    #[inline]
    fn count(&self) -> u32 {
        self.frames.end - self.frames.start
    }

    /// Returns `false` if none of the frames has hooks.
    #[inline]
    fn may_have_hooks(&self) -> bool {
        self.span.may_have_hooks_in(self.frames.start, self.frames.end)
    }
}

/// Where a step within a node leads.
struct StepWithin {
    frame: f64,
    framerate: f32,
}

/// Returns the frame number that a step of `quantum` seconds at a rate leads to, without the bounds of the node.
#[inline(always)]
pub(super) fn advanced(frame: f64, framerate: f32, quantum: f32) -> f64 {
    frame + f64::from(framerate) * f64::from(quantum)
}

#[inline]
fn has_no_positions(span: &Span) -> bool {
    !span.has_positions
}

/// An update under way.
struct Stepper<'a> {
    sequence: &'a mut Sequence,
    library: &'a Library,
    offset: Option<&'a mut Frame>,
    hooks: Option<&'a mut HookBuffer>,
}

/// The end of a node was reached.
struct NodeEnd {
    time_left: f64,
    frames_crossed: u32,
}

impl Stepper<'_> {
    /// Implements the loop of rule H9. Only the quantum is single precision; frame numbers and the remaining time are
    /// double (rule Q1).
    #[inline]
    fn run(&mut self, quantum: f32) {
        let mut time = f64::from(quantum);
        let mut crossings = 0;
        while let Some(node) = self.sequence.current_node() {
            let Some(end) = self.play(node, time) else { return };
            crossings += end.frames_crossed + 1;
            self.emit_node_end(node);
            self.advance_to_next_node(node, time);
            time = end.time_left;
            if crossings >= MAX_CROSSINGS {
                return;
            }
        }
    }

    /// Plays the current node for `time` seconds, or until its end.
    #[inline]
    fn play(&mut self, node: AnimNode, time: f64) -> Option<NodeEnd> {
        let step = f64::from(node.framerate) * time;
        let span = *self.library.span_of(node.span());
        let (low, high) = node.swapped(span.low, span.high);
        if !step.is_finite() {
            None
        } else if step > 0.0 {
            self.play_forwards(node, span, high, step, time)
        } else if step < 0.0 {
            self.play_backwards(node, span, low, step, time)
        } else {
            self.stand_still(time);
            None
        }
    }

    /// Increases the frame number (rule H9.2).
    #[inline]
    fn play_forwards(
        &mut self,
        node: AnimNode,
        span: Span,
        high: i32,
        step: f64,
        time: f64,
    ) -> Option<NodeEnd> {
        let from = floor(self.sequence.frame);
        let mut frame = self.sequence.frame + step;
        let mut time_left = None;
        if floor(frame) > i64::from(high) {
            let over = (frame - f64::from(high) - 1.0).max(0.0);
            time_left = Some(time_of(over, node));
            frame = f64::from(high);
        }
        self.sequence.frame = frame;
        let to = floor(frame);
        for left in from..to {
            self.cross(node, span, left, time, HookDirection::FORWARD);
        }
        time_left.map(|time_left| NodeEnd { time_left, frames_crossed: (to - from).max(0) as u32 })
    }

    /// Decreases the frame number (rule H9.3).
    fn play_backwards(
        &mut self,
        node: AnimNode,
        span: Span,
        low: i32,
        step: f64,
        time: f64,
    ) -> Option<NodeEnd> {
        let from = floor(self.sequence.frame);
        let mut frame = self.sequence.frame + step;
        let mut time_left = None;
        if floor(frame) < i64::from(low) {
            let under = (frame - f64::from(low)).min(0.0);
            time_left = Some(time_of(under, node));
            frame = f64::from(low);
        }
        self.sequence.frame = frame;
        let to = floor(frame);
        for left in (to + 1..=from).rev() {
            self.cross(node, span, left, time, HookDirection::BACKWARD);
        }
        time_left.map(|time_left| NodeEnd { time_left, frames_crossed: (from - to).max(0) as u32 })
    }

    /// Applies velocity and omega for the whole time, since at rate 0 no frame is crossed (rule H9.4).
    fn stand_still(&mut self, time: f64) {
        if let Some(offset) = self.offset.as_deref_mut()
            && time.abs() > f64::from(EPS)
        {
            self.sequence.apply_physics(offset, time as f32);
        }
    }

    /// Leaves frame `left`: applies its root motion, then fires its hooks (rule H12).
    #[inline]
    fn cross(&mut self, node: AnimNode, span: Span, left: i64, time: f64, direction: HookDirection) {
        self.move_by_frame(node, span, left, time, direction);
        if let Some(hooks) = self.hooks.as_deref_mut()
            && let Ok(left) = u32::try_from(left)
            && span.may_have_hooks(left, direction)
        {
            let frame_hooks = self.library.clip(span.clip).animation().hooks(left as usize);
            hooks.frame_left(span.clip, left, frame_hooks, direction);
        }
    }

    /// Applies the root motion of one frame: its position frame, and velocity and omega for as long as it shows.
    #[inline]
    fn move_by_frame(&mut self, node: AnimNode, span: Span, frame: i64, time: f64, direction: HookDirection) {
        let Some(offset) = self.offset.as_deref_mut() else { return };
        if span.has_positions
            && let Ok(frame) = usize::try_from(frame)
            && let Some(position) = self.library.clip(span.clip).animation().position_frames().get(frame)
        {
            *offset = match direction {
                HookDirection::FORWARD => combined(offset, position),
                _ => offset.subtract1(position),
            };
        }
        if node.framerate.abs() > EPS {
            self.sequence.apply_frame_physics(offset, node.framerate, time < 0.0);
        }
    }

    /// Fires `AnimDone` unless the head of the list is the looping node (rules H9.5, H13, Q4). Finished nodes are still in
    /// the list, so a long update that ends a link and loops the cycle k times fires it 1 + k times.
    fn emit_node_end(&mut self, node: AnimNode) {
        if let Some(hooks) = self.hooks.as_deref_mut()
            && self.sequence.first_cyclic != Index::at(0)
        {
            let frame = floor(self.sequence.frame).max(0) as u32;
            hooks.node_end(self.library.span_of(node.span()).clip, frame);
        }
    }

    /// Continues with the next node, or the looping one; backwards with the previous node, or the last (rule H11). A node
    /// with decreasing frame numbers applies one more frame when it is left, one with increasing numbers when it is
    /// entered, so that each frame of a node counts once.
    #[doc(alias = "advance_to_next_animation")]
    fn advance_to_next_node(&mut self, left: AnimNode, time: f64) {
        let back = time < 0.0;
        if left.counts_down(back) {
            let span = *self.library.span_of(left.span());
            self.move_by_frame(left, span, floor(self.sequence.frame), time, HookDirection::BACKWARD);
        }
        self.sequence.current = self.sequence.next_index(back);
        let Some(entered) = self.sequence.current_node() else { return };
        self.sequence.frame =
            if back { entered.ending_frame(self.library) } else { entered.starting_frame(self.library) };
        if entered.counts_up(back) {
            let span = *self.library.span_of(entered.span());
            self.move_by_frame(entered, span, floor(self.sequence.frame), time, HookDirection::FORWARD);
        }
    }
}

impl Sequence {
    pub(super) fn next_index(&self, back: bool) -> Index {
        let last = self.nodes.len() - 1;
        match (back, self.current.0) {
            (true, 0) => Index::at(last),
            (true, current) => Index(current - 1),
            (false, current) if (current as usize) < last => Index(current + 1),
            (false, _) => self.first_cyclic,
        }
    }
}

/// Returns the duration of a number of frames at a node's rate, in seconds.
fn time_of(frames: f64, node: AnimNode) -> f64 {
    if node.framerate.abs() > EPS { frames / f64::from(node.framerate) } else { 0.0 }
}

/// Returns the largest integer at or below a frame number, saturating; 0 for NaN.
#[inline]
pub(super) fn floor(frame: f64) -> i64 {
    let whole = frame as i64;
    if whole as f64 > frame { whole.saturating_sub(1) } else { whole }
}
