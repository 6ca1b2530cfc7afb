//! Interpolation: moving a body towards the positions that the server reported (rules I2–I8).
//!
//! The original has three types of nodes but only ever creates position nodes (rule I3); there are no others here.

use acmotion_types::{CellPosition, EPS, Frame};

use super::CorrectionInput;
#[cfg(feature = "serde")]
use crate::restore::{Checked, require};
use crate::small_list::SmallList;

/// The maximum number of nodes (rule I4).
pub const MAX_NODES: usize = 20;
/// The distance, in metres, below which a node counts as reached (rules I4, I6).
#[doc(alias = "DESIRED_DISTANCE")]
pub const NODE_REACH: f32 = 0.05;
/// The distance, in metres, below which a node counts as reached when the body stalls (rule I6).
const STALL_REACH: f32 = 0.2;
/// The number of steps between two progress checks (rule I6).
const PROGRESS_WINDOW: u8 = 5;
/// The minimum progress, as a fraction of the speed (rule I6).
const MIN_PROGRESS: f32 = 0.3;
/// The speed, in metres a second, if the interpreter gives none (rule I6).
#[doc(alias = "MAX_INTERPOLATED_VELOCITY")]
const FALLBACK_SPEED: f32 = 7.5;
/// The maximum number of failures before the body is moved to its target at once (rule I8).
const MAX_FAILURES: u8 = 3;
/// The value of an unknown distance (rule I3).
const BIG_DISTANCE: f32 = 999_999.0;

/// The reported positions that a body still has to reach, and its progress (rule I3).
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[doc(alias = "InterpolationManager")]
pub struct Interpolation {
    /// Oldest first. One is stored inline, because there is rarely more than one.
    nodes: SmallList<CellPosition, 1>,
    keep_heading: bool,
    frame_counter: u8,
    fail_counter: u8,
    progress_quantum: f32,
    original_distance: f32,
    /// The last node, if the body failed to reach it. Boxed, because few bodies ever do.
    blip_to: Option<Box<CellPosition>>,
}

/// What became of a reported position (rule I4).
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum QueueResult {
    /// It was queued.
    Queued,
    /// It was queued, and is so far away that the body will be moved there at once.
    Far,
    /// The body is there already, and the queue was cleared.
    There {
        /// The heading to set, in degrees; `None` if the body keeps its own.
        heading: Option<f32>,
    },
    /// It was not finite, and was ignored.
    Ignored,
}

/// What interpolation did in a step (rule I6).
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum InterpolationStep {
    /// There are no nodes.
    Idle,
    /// The body has no contact with the ground; the offset was left alone.
    NoContact,
    /// The node had been reached; the offset was left alone.
    Reached,
    /// The progress was too small and the node was dropped; the offset was left alone.
    Stalled,
    /// The offset was replaced.
    Toward {
        /// The distance of the node, in metres.
        distance: f32,
        /// The maximum speed of the body, in metres a second.
        speed: f32,
    },
}

/// Where a body is moved at once, because it did not reach its nodes (rule I8).
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Blip {
    /// The newest node or, if there is none left, the last that the body failed to reach.
    pub target: CellPosition,
    /// Whether there was no node left.
    pub has_no_nodes: bool,
}

impl Default for Interpolation {
    fn default() -> Self {
        Self {
            nodes: SmallList::new(),
            keep_heading: false,
            frame_counter: 0,
            progress_quantum: 0.0,
            original_distance: BIG_DISTANCE,
            fail_counter: 0,
            blip_to: None,
        }
    }
}

impl Interpolation {
    /// Adds a reported position for a body at `own` (rule I4). With `keep_heading` the body does not turn to the heading of
    /// the report.
    ///
    /// Two guards that the original lacks: a target that is not finite is ignored, and a far target, too, removes the
    /// oldest node from a full queue.
    #[doc(alias = "InterpolateTo")]
    #[inline]
    pub fn interpolate_to(
        &mut self,
        mut target: CellPosition,
        keep_heading: bool,
        own: &CellPosition,
        blip_distance: f32,
    ) -> QueueResult {
        if !target.frame.origin.is_finite() || target.frame.rotation.is_nan() {
            return QueueResult::Ignored;
        }
        let distance = own.distance_to(&target);
        if self.tail().map_or(distance, |tail| tail.distance_to(&target)) > blip_distance {
            if self.keep_heading {
                target.frame.set_heading(own.frame.heading());
            }
            self.append(target);
            self.fail_counter = MAX_FAILURES + 1;
            return QueueResult::Far;
        }
        if distance <= NODE_REACH {
            self.stop();
            return QueueResult::There { heading: (!keep_heading).then(|| target.frame.heading()) };
        }
        while self.tail().is_some_and(|tail| tail.distance_to(&target) < NODE_REACH) {
            self.nodes.truncate(self.nodes.len() - 1);
        }
        self.keep_heading = keep_heading;
        if keep_heading {
            target.frame.set_heading(own.frame.heading());
        }
        self.append(target);
        QueueResult::Queued
    }

    /// Appends a node; in a full queue the oldest is removed (rule I4).
    fn append(&mut self, node: CellPosition) {
        while self.nodes.len() >= MAX_NODES {
            self.nodes.remove_first();
        }
        self.nodes.push(node);
    }

    /// Removes all nodes and resets the progress (rule I5).
    #[doc(alias = "StopInterpolating")]
    pub fn stop(&mut self) {
        self.nodes.clear();
        self.frame_counter = 0;
        self.progress_quantum = 0.0;
        self.fail_counter = 0;
        self.original_distance = BIG_DISTANCE;
    }

    /// Moves towards the oldest node by replacing the offset: the translation as far as the speed allows, the rotation in
    /// full (rules I2, I6).
    #[inline]
    pub fn adjust_offset(
        &mut self,
        offset: &mut Frame,
        quantum: f32,
        body: &CorrectionInput,
        is_stuck: bool,
    ) -> InterpolationStep {
        let Some(head) = self.nodes.first() else { return InterpolationStep::Idle };
        if !body.contact {
            return InterpolationStep::NoContact;
        }
        let distance = body.position.distance_to(&head);
        if distance < NODE_REACH {
            self.node_completed(true, &body.position);
            return InterpolationStep::Reached;
        }
        let speed = interpolation_speed(body.adjusted_max_speed);
        self.progress_quantum += quantum;
        self.frame_counter += 1;
        if self.frame_counter >= PROGRESS_WINDOW {
            if !(is_stuck || self.makes_progress(distance, speed)) {
                return self.stall(distance, &body.position);
            }
            self.frame_counter = 0;
            self.progress_quantum = 0.0;
            self.original_distance = distance;
        }
        *offset = self.offset_to(&head, speed * quantum, &body.position);
        InterpolationStep::Toward { distance, speed }
    }

    /// Returns the offset towards a node, at most `reach` metres long (rule I6).
    fn offset_to(&mut self, head: &CellPosition, reach: f32, own: &CellPosition) -> Frame {
        let mut offset = head.relative_to(own);
        let length = offset.origin.length();
        let keep_heading = self.keep_heading;
        if length <= NODE_REACH {
            self.node_completed(true, own);
        }
        if length > reach {
            offset.origin *= reach / length;
        }
        if keep_heading {
            offset.set_heading(0.0);
        }
        offset
    }

    /// Returns `true` if the body has come closer in this window, and fast enough (rule I6). The first window after an idle
    /// period always passes (rule I7).
    fn makes_progress(&self, distance: f32, speed: f32) -> bool {
        let made = self.original_distance - distance;
        made >= EPS && made / self.progress_quantum / speed >= MIN_PROGRESS
    }

    /// Ends the node of a body that does not make progress: as reached if it is close enough, else as a failure (rule I6).
    fn stall(&mut self, distance: f32, own: &CellPosition) -> InterpolationStep {
        if distance < STALL_REACH {
            self.node_completed(true, own);
            return InterpolationStep::Reached;
        }
        self.fail_counter = self.fail_counter.saturating_add(1);
        self.node_completed(false, own);
        InterpolationStep::Stalled
    }

    /// Removes the oldest node. The failure count is reset only when the last node is reached (rule I7).
    #[doc(alias = "NodeCompleted")]
    fn node_completed(&mut self, success: bool, own: &CellPosition) {
        self.frame_counter = 0;
        self.progress_quantum = 0.0;
        let Some(done) = self.nodes.remove_first() else { return };
        if let Some(next) = self.nodes.first() {
            self.original_distance = own.distance_to(&next);
        } else if success {
            self.stop();
        } else {
            self.original_distance = BIG_DISTANCE;
            **self.blip_to.get_or_insert_default() = done;
        }
    }

    /// Returns where the body must be moved at once, because it failed too often or at the last node (rule I8). Call
    /// [`stop`](Self::stop) when that has succeeded; otherwise it is tried again in the next step.
    #[doc(alias = "UseTime")]
    #[doc(alias = "blipto_position")]
    #[inline]
    pub fn blip(&self) -> Option<Blip> {
        let failed_too_often = self.fail_counter > MAX_FAILURES;
        let failed_at_last_node = self.fail_counter > 0 && self.nodes.is_empty();
        if !(failed_too_often || failed_at_last_node) {
            return None;
        }
        if let Some(target) = self.tail() {
            return Some(Blip { target, has_no_nodes: false });
        }
        self.blip_to.as_deref().map(|failed| Blip { target: *failed, has_no_nodes: true })
    }

    /// Returns the position of the [`blip`](Self::blip).
    #[inline]
    pub fn blip_target(&self) -> Option<CellPosition> {
        self.blip().map(|blip| blip.target)
    }

    fn tail(&self) -> Option<CellPosition> {
        self.nodes.get(self.nodes.len().checked_sub(1)?)
    }

    /// Iterates over the nodes, oldest first.
    pub fn nodes(&self) -> impl ExactSizeIterator<Item = CellPosition> {
        self.nodes.iter()
    }

    /// Returns `true` if there are no nodes.
    #[inline]
    pub fn is_idle(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Returns `true` if the body keeps its own heading.
    pub fn keeps_heading(&self) -> bool {
        self.keep_heading
    }

    /// The number of failures since the last node was reached.
    #[doc(alias = "node_fail_counter")]
    #[inline]
    pub fn fail_count(&self) -> u32 {
        self.fail_counter.into()
    }

    /// The number of steps in the current progress window.
    pub fn frame_counter(&self) -> u32 {
        self.frame_counter.into()
    }

    /// The length of the current progress window so far, in seconds.
    pub fn progress_quantum(&self) -> f32 {
        self.progress_quantum
    }

    /// The distance of the node at the start of the current progress window, in metres; 999999 if it is unknown.
    pub fn original_distance(&self) -> f32 {
        self.original_distance
    }

    /// The memory it has allocated, in bytes.
    pub fn side_bytes(&self) -> usize {
        self.nodes.side_bytes() + self.blip_to.as_ref().map_or(0, |_| size_of::<CellPosition>())
    }
}

#[cfg(feature = "serde")]
impl Interpolation {
    /// Checks a queue that was read from a snapshot.
    pub(super) fn check(&self) -> Checked {
        require(self.nodes.len() <= MAX_NODES, "too many interpolation nodes")?;
        let mut goals = self.nodes().chain(self.blip_to.as_deref().copied());
        require(goals.all(|goal| goal.cell.low() != 0), "an interpolation node in a cell that is none")?;
        require(self.frame_counter < PROGRESS_WINDOW, "a progress window that is over")
    }
}

/// Twice the speed limit of the body's own motions (rule I6).
pub(super) fn interpolation_speed(adjusted_max_speed: f32) -> f32 {
    let speed = 2.0 * adjusted_max_speed;
    if speed < EPS { FALLBACK_SPEED } else { speed }
}
