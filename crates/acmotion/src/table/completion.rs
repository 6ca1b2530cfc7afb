//! When motions are over, and who is told (rules G14, G15, G17, Q2).

use acmotion_types::MotionCommand;

use super::{Animator, PendingMotion};
use crate::library::Library;

/// Who owns an [`Animator`] and is told when a motion is over.
///
/// Being told, it may ask the animator for new motions, stop some, or even complete others: the queue is looked at anew
/// after every call, exactly as the original does (rule Q2).
///
/// ```
/// use acmotion::types::MotionCommand;
/// use acmotion::{Animator, MotionHost};
///
/// /// A body whose motions are just counted.
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
    /// Its animator.
    fn animator(&mut self) -> &mut Animator;

    /// A motion is over; `success` is false if it was cut short.
    #[doc(alias = "MotionDone")]
    fn motion_done(&mut self, motion: MotionCommand, success: bool);
}

/// An animation has ended (rule G14): called for each animation-done event of an update. Motions whose animations have
/// all ended are over.
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

/// Motions at the head of the queue that wait for nothing are over (rule G15); called once a tick, and after orders
/// that come through the interpreter's front door.
#[doc(alias = "CheckForCompletedMotions")]
#[doc(alias = "UseTime")]
pub fn check_for_completed_motions(host: &mut impl MotionHost) {
    while let Some(head) = host.animator().head() {
        if head.num_anims != 0 {
            break;
        }
        complete(host, head, true);
    }
}

/// The body enters the world: links are not played, and every motion that waits is over without success (rule G17).
#[doc(alias = "HandleEnterWorld")]
#[doc(alias = "RemoveLinkAnimations")]
pub fn enter_world(host: &mut impl MotionHost, library: &Library) {
    host.animator().sequence_mut().remove_all_links(library);
    exit_world(host);
}

/// The body leaves the world: every motion that waits is over without success (rule G17).
///
/// The original counts up animation by animation; the same motions are told in the same order by completing the head
/// again and again, and a count that has wrapped to 2³² − 1 (rule Q3) does not take for ever (rule R1).
#[doc(alias = "HandleExitWorld")]
pub fn exit_world(host: &mut impl MotionHost) {
    while let Some(head) = host.animator().head() {
        complete(host, head, false);
    }
    host.animator().set_counter(0);
}

/// The head is over: its action is taken off, the host is told, and then whatever is the head *by then* is taken off the
/// queue; what is subtracted is the count of the entry that was judged (rule Q2).
fn complete(host: &mut impl MotionHost, judged: PendingMotion, success: bool) {
    if judged.motion.is_action() {
        host.animator().state_mut().remove_action_head();
    }
    host.motion_done(judged.motion, success);
    let animator = host.animator();
    animator.set_counter(animator.counter().wrapping_sub(judged.num_anims));
    animator.pop_head();
}

fn reset_idle_counter(animator: &mut Animator) {
    if animator.head().is_none() {
        animator.set_counter(0);
    }
}
