//! Catching up with what the server reported (rules I2–I8).
//!
//! The original knows three kinds of nodes and makes only one, positions (rule I3); so does this.

use acmotion_types::{CellPosition, EPS, Frame};

use super::CorrectionInput;
use crate::small_list::SmallList;

/// How many reports wait at most (rule I4).
pub const QUEUE_LENGTH: usize = 20;
/// A node closer than this counts as reached, in metres (rules I4, I6).
#[doc(alias = "DESIRED_DISTANCE")]
pub const NODE_REACH: f32 = 0.05;
/// A node at which the body stalls counts as reached if it is closer than this, in metres (rule I6).
const STALL_REACH: f32 = 0.2;
/// How many ticks pass between two looks at the progress (rule I6).
const WINDOW: u8 = 5;
/// Which share of the speed is progress enough (rule I6).
const ENOUGH_PROGRESS: f32 = 0.3;
/// The speed of a body whose interpreter gives none, in metres a second (rule I6).
#[doc(alias = "MAX_INTERPOLATED_VELOCITY")]
const FALLBACK_SPEED: f32 = 7.5;
/// More failures than this and the body is put where it should be (rule I8).
const PATIENCE: u8 = 3;
/// Stands for no distance yet (rule I3).
const BIG_DISTANCE: f32 = 999_999.0;

/// The reports that a body has still to catch up with, and how well it does (rule I3).
#[derive(Clone, Debug, PartialEq)]
#[doc(alias = "InterpolationManager")]
pub struct Interpolation {
    /// In order of arrival. One in place, because mostly there is one; the others in side storage.
    nodes: SmallList<CellPosition, 1>,
    keep_heading: bool,
    frame_counter: u8,
    fail_counter: u8,
    progress_quantum: f32,
    original_distance: f32,
    /// Where it failed at the last node. Behind a pointer, because few bodies ever do.
    blip_to: Option<Box<CellPosition>>,
}

/// What became of a report (rule I4).
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum QueueResult {
    /// It waits in the queue.
    Queued,
    /// It is so far off that the body will be put there.
    Far,
    /// The body is there already; it takes this heading, unless it keeps its own.
    There {
        /// The heading to take, in degrees.
        heading: Option<f32>,
    },
    /// It was no position, and nothing happened.
    Ignored,
}

/// What catching up did in a tick (rule I6).
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum InterpolationStep {
    /// There was nothing to catch up with.
    Idle,
    /// It waits for ground under the feet.
    NoContact,
    /// The node had been reached; the offset was left alone.
    Reached,
    /// Too little progress, and the node was dropped; the offset was left alone.
    Stalled,
    /// It replaced the offset.
    Toward {
        /// How far the node was, in metres.
        distance: f32,
        /// How fast the body may go, in metres a second.
        speed: f32,
    },
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
    /// The server reported a body at `own` to be at `target` (rule I4). A body that steers itself keeps its heading.
    ///
    /// Two guards that the original lacks: a target that is not finite is ignored, and a far report, too, makes room in a
    /// full queue.
    #[doc(alias = "InterpolateTo")]
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
        let from = self.tail().unwrap_or(*own);
        if from.distance_to(&target) > blip_distance {
            if self.keep_heading {
                target.frame.set_heading(own.frame.heading());
            }
            self.append(target);
            self.fail_counter = PATIENCE + 1;
            return QueueResult::Far;
        }
        if own.distance_to(&target) <= NODE_REACH {
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

    /// The oldest makes room for the newest (rule I4).
    fn append(&mut self, node: CellPosition) {
        while self.nodes.len() >= QUEUE_LENGTH {
            self.nodes.remove_first();
        }
        self.nodes.push(node);
    }

    /// Forgets everything that is still to be caught up with (rule I5).
    #[doc(alias = "StopInterpolating")]
    pub fn stop(&mut self) {
        self.nodes.clear();
        self.frame_counter = 0;
        self.progress_quantum = 0.0;
        self.fail_counter = 0;
        self.original_distance = BIG_DISTANCE;
    }

    /// Moves toward the oldest report: replaces the offset, the way no longer than the speed allows, the rotation whole
    /// (rules I2, I6).
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
        let speed = catch_up_speed(body.adjusted_max_speed);
        self.progress_quantum += quantum;
        self.frame_counter += 1;
        if self.frame_counter >= WINDOW {
            if !(is_stuck || self.makes_progress(distance, speed)) {
                return self.stalled(distance, &body.position);
            }
            self.frame_counter = 0;
            self.progress_quantum = 0.0;
            self.original_distance = distance;
        }
        *offset = self.step(&head, speed * quantum, &body.position);
        InterpolationStep::Toward { distance, speed }
    }

    /// The way to a node within one tick (rule I6).
    fn step(&mut self, head: &CellPosition, reach: f32, own: &CellPosition) -> Frame {
        let mut step = head.relative_to(own);
        let length = step.origin.length();
        let keep_heading = self.keep_heading;
        if length <= NODE_REACH {
            self.node_completed(true, own);
        }
        if length > reach {
            step.origin *= reach / length;
        }
        if keep_heading {
            step.set_heading(0.0);
        }
        step
    }

    /// Has the body come closer in this window, and fast enough (rule I6)? In the first window after an idle time the
    /// answer is always yes (rule I7).
    fn makes_progress(&self, distance: f32, speed: f32) -> bool {
        let made = self.original_distance - distance;
        made >= EPS && made / self.progress_quantum / speed >= ENOUGH_PROGRESS
    }

    /// Close enough is good enough; else it is a failure, and the node is lost (rule I6).
    fn stalled(&mut self, distance: f32, own: &CellPosition) -> InterpolationStep {
        if distance < STALL_REACH {
            self.node_completed(true, own);
            return InterpolationStep::Reached;
        }
        self.fail_counter = self.fail_counter.saturating_add(1);
        self.node_completed(false, own);
        InterpolationStep::Stalled
    }

    /// The oldest node is done with. Failures are forgotten only when the last one succeeds (rule I7).
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

    /// Where the body must be put now, because it failed too often or failed at the last node (rule I8). When it has been
    /// put there, [`stop`](Self::stop); when it could not, nothing changes and it is tried again.
    #[doc(alias = "UseTime")]
    #[doc(alias = "blipto_position")]
    #[inline]
    pub fn blip_target(&self) -> Option<CellPosition> {
        let out_of_patience = self.fail_counter > PATIENCE;
        let failed_at_the_last = self.fail_counter > 0 && self.nodes.is_empty();
        if !(out_of_patience || failed_at_the_last) {
            return None;
        }
        self.tail().or_else(|| self.blip_to.as_deref().copied())
    }

    fn tail(&self) -> Option<CellPosition> {
        self.nodes.get(self.nodes.len().checked_sub(1)?)
    }

    /// The reports that wait, oldest first.
    pub fn nodes(&self) -> impl ExactSizeIterator<Item = CellPosition> {
        self.nodes.iter()
    }

    /// Does nothing wait?
    #[inline]
    pub fn is_idle(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Does the body keep its own heading while it catches up?
    pub fn keeps_heading(&self) -> bool {
        self.keep_heading
    }

    /// How often it failed since it was last idle.
    #[doc(alias = "node_fail_counter")]
    pub fn fails(&self) -> u32 {
        self.fail_counter.into()
    }

    /// How many ticks of the present window have passed.
    pub fn frame_counter(&self) -> u32 {
        self.frame_counter.into()
    }

    /// How many seconds of the present window have passed.
    pub fn progress_quantum(&self) -> f32 {
        self.progress_quantum
    }

    /// How far the node was at the start of the present window; 999999 if that is not known.
    pub fn original_distance(&self) -> f32 {
        self.original_distance
    }

    /// How many bytes it takes outside of its owner.
    pub fn side_bytes(&self) -> usize {
        self.nodes.side_bytes() + self.blip_to.as_ref().map_or(0, |_| size_of::<CellPosition>())
    }
}

/// Twice as fast as the body may go by itself (rule I6).
fn catch_up_speed(adjusted_max_speed: f32) -> f32 {
    let speed = 2.0 * adjusted_max_speed;
    if speed < EPS { FALLBACK_SPEED } else { speed }
}
