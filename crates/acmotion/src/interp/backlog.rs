//! The bound on the motions that a body queues (see [`limits`](crate::limits)).

use crate::entity::{Actor, Entity, MotionEvent};
use crate::limits::{MAX_PENDING_MOTIONS, MAX_SEQUENCE_NODES};

/// The number of nodes at which a body catches up before it plays another motion.
const MANY_NODES: usize = MAX_SEQUENCE_NODES / 2;

impl Actor<'_> {
    /// Makes room for another motion. Called before every request to the motion table, so that both queues, the actions and
    /// the sequence stay bounded.
    pub(super) fn make_room(&mut self) {
        let Entity { interp, animator, .. } = &*self.entity;
        let motions = interp.pending.len().max(animator.pending().len());
        if motions >= MAX_PENDING_MOTIONS || animator.sequence().node_count() >= MANY_NODES {
            self.drop_backlog(motions);
        }
    }

    /// Removes the link animations and ends all pending motions without success, as when the body lands or is hidden
    /// (rule G17). Motions that are pending only in the interpreter, which this does not reach, end too.
    #[cold]
    fn drop_backlog(&mut self, motions: usize) {
        if !self.entity.interp.is_overflowing {
            self.emit(MotionEvent::QueueOverflow { motions: motions as u32 });
        }
        self.remove_link_animations();
        while self.entity.interp.has_pending() {
            self.command_done();
        }
        let Entity { interp, animator, .. } = &mut *self.entity;
        // Without a pending motion no action is under way.
        interp.raw.actions.reset();
        interp.interpreted.actions.reset();
        interp.pending.reset();
        animator.forget_completed();
        interp.is_overflowing = true;
    }
}
