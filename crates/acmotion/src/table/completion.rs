//! The completion of motions (rules G14, G15, G17, Q2).

use acmotion_types::MotionCommand;

use super::{Animator, PendingMotion};
use crate::library::Library;

/// The owner of an [`Animator`], which is notified when a motion is done.
///
/// In [`motion_done`](Self::motion_done) the host may start motions, stop some, or even complete others: the queue is read
/// again after every call, exactly as in the original (rule Q2).
///
/// ```
/// use acmotion::types::MotionCommand;
/// use acmotion::{Animator, MotionHost};
///
/// /// A body that counts its completed motions.
/// struct Body {
///     animator: Animator,
///     done: usize,
/// }
///
/// impl MotionHost for Body {
///     fn animator(&mut self) -> &mut Animator {
///         &mut self.animator
///     }
///
///     fn motion_done(&mut self, _motion: MotionCommand, _success: bool) {
///         self.done += 1;
///     }
/// }
/// ```
pub trait MotionHost {
    /// Returns the animator.
    fn animator(&mut self) -> &mut Animator;

    /// Called when a motion is done; `success` is `false` if it was cut short.
    #[doc(alias = "MotionDone")]
    fn motion_done(&mut self, motion: MotionCommand, success: bool);
}

/// Counts an animation that has ended, and completes the motions whose animations have all ended (rule G14). To be called
/// for each animation-done event of an update.
#[doc(alias = "AnimationDone")]
pub fn animation_done(host: &mut impl MotionHost, success: bool) {
    let animator = host.animator();
    if animator.head().is_none() {
        return;
    }
    animator.set_counter(animator.counter().wrapping_add(1));
    while let Some(head) = host.animator().head() {
        if head.num_anims > host.animator().counter() {
            break;
        }
        complete(host, head, success);
    }
    reset_idle_counter(host.animator());
}

/// Completes the motions at the head of the queue that wait for no animations (rule G15). To be called once a tick, and
/// after [`Actor::perform`](crate::entity::Actor::perform).
#[doc(alias = "CheckForCompletedMotions")]
#[doc(alias = "UseTime")]
#[inline]
pub fn check_for_completed_motions(host: &mut impl MotionHost) {
    while let Some(head) = host.animator().completed_head() {
        complete(host, head, true);
    }
}

/// Handles a body that enters the world: removes its links and completes every pending motion without success (rule G17).
#[doc(alias = "HandleEnterWorld")]
#[doc(alias = "RemoveLinkAnimations")]
pub fn enter_world(host: &mut impl MotionHost, library: &Library) {
    host.animator().sequence_mut().remove_all_links(library);
    exit_world(host);
}

/// Handles a body that leaves the world: completes every pending motion without success (rule G17).
///
/// The original counts up animation by animation. Completing the head again and again reports the same motions in the same
/// order, and a count that has wrapped to 2³² − 1 (rule Q3) does not take for ever (rule R1).
#[doc(alias = "HandleExitWorld")]
pub fn exit_world(host: &mut impl MotionHost) {
    while let Some(head) = host.animator().head() {
        complete(host, head, false);
    }
    host.animator().set_counter(0);
}

/// Completes a motion: removes its action, notifies the host, and then removes the *present* head of the queue. The count
/// that is subtracted is that of the completed motion (rule Q2).
fn complete(host: &mut impl MotionHost, completed: PendingMotion, success: bool) {
    if completed.motion.is_action() {
        host.animator().state_mut().remove_action_head();
    }
    host.motion_done(completed.motion, success);
    let animator = host.animator();
    animator.set_counter(animator.counter().wrapping_sub(completed.num_anims));
    animator.pop_head();
}

fn reset_idle_counter(animator: &mut Animator) {
    if animator.head().is_none() {
        animator.set_counter(0);
    }
}
