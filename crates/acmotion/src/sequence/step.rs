//! Letting time pass (rules H8–H13).

use acmotion_dat::HookDirection;
use acmotion_types::{EPS, Frame};

use super::{AnimNode, HookBuffer, Index, Sequence};
use crate::library::{Library, Span};
use crate::placing::move_by;

/// How many frames one update crosses before it gives up; the node at hand is finished first. Rates and times that need
/// more come only from broken or hostile data: at the longest step of the original, 0.2 s, it is 80,000 frames a second.
const MAX_CROSSINGS: u32 = 16_384;

impl Sequence {
    /// Lets `quantum` seconds pass (rule H8): crosses frames, puts the hooks of the frames left into `hooks`, goes on to
    /// the next node, or round the loop, with the time that is left, and gives how far all that carries the body.
    ///
    /// Without `hooks` there is nobody to tell, also not that a node has ended.
    ///
    /// Velocity and turn are not spread over time but come with the frames crossed, each a whole frame's worth
    /// (rule H10). A negative `quantum` plays backwards.
    ///
    /// # Numbers out of bounds
    /// - A `quantum` that is not finite, or a rate that makes the step not finite, changes nothing.
    /// - After 16,384 crossed frames and nodes the rest of the time is dropped. (The original would go on for ever where
    ///   a rate is so high that the frames crossed no longer count, or where low and high have changed places.)
    /// - A velocity that carries the body more than 10³⁰ m in a frame, or is not a number, does not carry it. If
    ///   position frames still make the offset infinite or not a number, there is none; frames and hooks are played.
    ///
    /// Everything else is played as the original does.
    #[doc(alias = "update_internal")]
    #[inline]
    pub fn advance(&mut self, library: &Library, quantum: f32, hooks: Option<&mut HookBuffer>) -> Frame {
        match self.step_inside(library, quantum, hooks) {
            Ok(crossed) => self.carried(crossed),
            Err(hooks) => {
                let mut offset = Frame::IDENTITY;
                self.step(library, quantum, Some(&mut offset), hooks);
                offset
            }
        }
    }

    /// [`advance`](Self::advance)s and moves a body by the offset, for bodies that nothing else moves: the same as
    /// combining its place with the offset (rule A6).
    #[inline]
    pub fn advance_body(
        &mut self,
        library: &Library,
        quantum: f32,
        hooks: Option<&mut HookBuffer>,
        place: &mut Frame,
    ) {
        match self.step_inside(library, quantum, hooks) {
            Ok(crossed) => self.carry_body(place, crossed),
            Err(hooks) => {
                let mut offset = Frame::IDENTITY;
                self.step(library, quantum, Some(&mut offset), hooks);
                move_by(place, &offset);
            }
        }
    }

    /// As [`advance`](Self::advance), but adds to an offset there is already; without one only frames and hooks are
    /// played.
    pub fn update(
        &mut self,
        library: &Library,
        quantum: f32,
        offset: Option<&mut Frame>,
        hooks: Option<&mut HookBuffer>,
    ) {
        match self.step_inside(library, quantum, hooks) {
            Ok(crossed) => {
                if let Some(offset) = offset {
                    self.carry(offset, crossed);
                }
            }
            Err(hooks) => self.step(library, quantum, offset, hooks),
        }
    }

    /// The common case in few instructions: forward in the first node, without reaching its end and without position
    /// frames. Gives how many frames were crossed, or, with nothing done, the hooks back if it is another case.
    #[inline]
    fn step_inside<'h>(
        &mut self,
        library: &Library,
        quantum: f32,
        hooks: Option<&'h mut HookBuffer>,
    ) -> Result<u32, Option<&'h mut HookBuffer>> {
        let Some(node) = self.nodes.first() else { return Err(hooks) };
        let span = library.span_of(node.span());
        let (_, high) = node.turned(span.low, span.high);
        let frame = self.frame + f64::from(node.framerate) * f64::from(quantum);
        let forward = quantum > 0.0 && node.framerate > EPS && self.frame >= 0.0;
        let inside = forward && frame < f64::from(high) + 1.0 && self.current.0 == 0;
        if !inside || span.has_positions {
            return Err(hooks);
        }
        let (from, to) = (self.frame as u32, frame as u32);
        self.frame = frame;
        if let Some(hooks) = hooks
            && span.may_have_hooks_in(from, to)
        {
            hooks.frames_left(library, span, from..to);
        }
        self.know_carry(node.framerate);
        Ok(to - from)
    }

    #[inline(never)]
    fn step(
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
                self.carry_for(offset, quantum);
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

/// One update under way.
struct Stepper<'a> {
    sequence: &'a mut Sequence,
    library: &'a Library,
    offset: Option<&'a mut Frame>,
    hooks: Option<&'a mut HookBuffer>,
}

/// What is left when a node has been played to its end.
struct Left {
    time: f64,
    crossed: u32,
}

impl Stepper<'_> {
    /// Rule H9. Only the quantum is single precision; frames and the time that is left are double (rule Q1).
    #[inline]
    fn run(&mut self, quantum: f32) {
        let mut time = f64::from(quantum);
        let mut crossings = 0;
        while let Some(node) = self.sequence.current_node() {
            let Some(left) = self.play(node, time) else { return };
            crossings += left.crossed + 1;
            self.tell_node_end(node);
            self.go_on(node, time);
            time = left.time;
            if crossings >= MAX_CROSSINGS {
                return;
            }
        }
    }

    /// Plays the current node for `time` seconds; gives what is left if its end is reached.
    #[inline]
    fn play(&mut self, node: AnimNode, time: f64) -> Option<Left> {
        let step = f64::from(node.framerate) * time;
        let span = *self.library.span_of(node.span());
        let (low, high) = node.turned(span.low, span.high);
        if !step.is_finite() {
            None
        } else if step > 0.0 {
            self.play_up(node, span, high, step, time)
        } else if step < 0.0 {
            self.play_down(node, span, low, step, time)
        } else {
            self.stand_still(time);
            None
        }
    }

    /// Rule H9.2.
    #[inline]
    fn play_up(&mut self, node: AnimNode, span: Span, high: i32, step: f64, time: f64) -> Option<Left> {
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
        time_left.map(|time| Left { time, crossed: (to - from).max(0) as u32 })
    }

    /// Rule H9.3.
    fn play_down(&mut self, node: AnimNode, span: Span, low: i32, step: f64, time: f64) -> Option<Left> {
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
        time_left.map(|time| Left { time, crossed: (from - to).max(0) as u32 })
    }

    /// Rule H9.4: at rate 0 time does carry the body.
    fn stand_still(&mut self, time: f64) {
        if let Some(offset) = self.offset.as_deref_mut()
            && time.abs() > f64::from(EPS)
        {
            self.sequence.carry_for(offset, time as f32);
        }
    }

    /// Frame `left` is left: root motion, then its hooks (rule H12).
    #[inline]
    fn cross(&mut self, node: AnimNode, span: Span, left: i64, time: f64, direction: HookDirection) {
        self.move_by_frame(node, span, left, time, direction);
        if let Some(hooks) = self.hooks.as_deref_mut()
            && let Ok(left) = u32::try_from(left)
            && span.may_have_hooks(left)
        {
            let own = self.library.clip(span.clip).animation().hooks(left as usize);
            hooks.frame_left(span.clip, left, own, direction);
        }
    }

    /// What one frame carries: its position frame, and velocity and turn for as long as it shows.
    #[inline]
    fn move_by_frame(&mut self, node: AnimNode, span: Span, frame: i64, time: f64, direction: HookDirection) {
        let Some(offset) = self.offset.as_deref_mut() else { return };
        if span.has_positions
            && let Ok(frame) = usize::try_from(frame)
            && let Some(position) = self.library.clip(span.clip).animation().position_frames().get(frame)
        {
            *offset = match direction {
                HookDirection::FORWARD => offset.combine(position),
                _ => offset.subtract1(position),
            };
        }
        if node.framerate.abs() > EPS {
            self.sequence.carry_one_frame(offset, node.framerate, time < 0.0);
        }
    }

    /// Rules H9.5, H13, Q4: told as long as the head of the row is not the loop itself. Nodes that are over are still in
    /// the row, so a long update that ends a link and goes round the loop k times tells it 1 + k times.
    fn tell_node_end(&mut self, node: AnimNode) {
        if let Some(hooks) = self.hooks.as_deref_mut()
            && self.sequence.first_cyclic != Index::at(0)
        {
            let frame = floor(self.sequence.frame).max(0) as u32;
            hooks.node_end(self.library.span_of(node.span()).clip, frame);
        }
    }

    /// Rule H11: leaves the current node for the next, or for the loop; backwards for the one before, or for the last.
    /// A node played downwards carries the body once more as it is left, one played upwards as it is entered: so each
    /// frame of a node counts once.
    fn go_on(&mut self, left: AnimNode, time: f64) {
        let back = time < 0.0;
        if left.plays_down(back) {
            let span = *self.library.span_of(left.span());
            self.move_by_frame(left, span, floor(self.sequence.frame), time, HookDirection::BACKWARD);
        }
        self.sequence.current = self.sequence.next_index(back);
        let Some(entered) = self.sequence.current_node() else { return };
        self.sequence.frame =
            if back { entered.ending_frame(self.library) } else { entered.starting_frame(self.library) };
        if entered.plays_up(back) {
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

/// The time that so many frames take at a node's rate.
fn time_of(frames: f64, node: AnimNode) -> f64 {
    if node.framerate.abs() > EPS { frames / f64::from(node.framerate) } else { 0.0 }
}

/// The whole number at or below; 0 for what is not a number, the nearest there is for what is too big.
#[inline]
pub(super) fn floor(frame: f64) -> i64 {
    let whole = frame as i64;
    if whole as f64 > frame { whole.saturating_sub(1) } else { whole }
}
