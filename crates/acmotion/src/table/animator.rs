//! The animation of one body: sequence, motion state, and the motions that wait for their animations to end (rules G13,
//! G16).

use acmotion_types::{Frame, MotionCommand};

use super::{MotionError, MotionState, TableDriver};
use crate::library::{Library, TableId};
use crate::limits::MAX_PENDING_MOTIONS;
#[cfg(feature = "serde")]
use crate::restore::{Checked, require};
use crate::sequence::{HookBuffer, Rest, Sequence};
use crate::small_list::SmallList;

/// The number of pending motions stored inline.
const INLINE_PENDING: usize = 6;

/// A motion that waits for its animations to end.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[doc(alias = "AnimNode")]
pub struct PendingMotion {
    /// The motion.
    pub motion: MotionCommand,
    /// The number of animations that have to end first, wrapping below zero (rule Q3).
    pub num_anims: u32,
}

/// The animation of one body. A few hundred bytes of plain data: the table and everything that it plays are in the
/// [`Library`].
///
/// Motions that are done are reported through a [`MotionHost`](super::MotionHost): see
/// [`animation_done`](super::animation_done), [`check_for_completed_motions`](super::check_for_completed_motions),
/// [`enter_world`](super::enter_world) and [`exit_world`](super::exit_world).
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[doc(alias = "MotionTableManager")]
#[repr(C)]
pub struct Animator {
    sequence: Sequence,
    state: MotionState,
    table: Option<TableId>,
    counter: u32,
    pending: SmallList<PendingMotion, INLINE_PENDING>,
}

impl Animator {
    /// Creates the animation of a body with a motion table, before it has entered any state.
    pub fn new(table: Option<TableId>) -> Self {
        Self {
            sequence: Sequence::new(),
            state: MotionState::new(),
            table,
            counter: 0,
            pending: SmallList::new(),
        }
    }

    /// Returns the sequence that plays.
    pub fn sequence(&self) -> &Sequence {
        &self.sequence
    }

    /// Returns the sequence that plays.
    pub fn sequence_mut(&mut self) -> &mut Sequence {
        &mut self.sequence
    }

    /// Returns the motion state.
    pub fn state(&self) -> &MotionState {
        &self.state
    }

    /// Returns the motion table, if the body has one.
    pub fn table(&self) -> Option<TableId> {
        self.table
    }

    /// Iterates over the motions that wait for their animations to end, oldest first.
    #[doc(alias = "pending_animations")]
    pub fn pending(&self) -> impl ExactSizeIterator<Item = PendingMotion> {
        self.pending.iter()
    }

    /// Returns the number of animations that have ended and not been counted to a motion yet.
    #[doc(alias = "animation_counter")]
    pub fn counter(&self) -> u32 {
        self.counter
    }

    /// Advances the sequence: see [`Sequence::update`].
    #[inline]
    pub fn update(
        &mut self,
        library: &Library,
        quantum: f32,
        offset: Option<&mut Frame>,
        hooks: Option<&mut HookBuffer>,
    ) {
        self.sequence.update(library, quantum, offset, hooks);
    }

    /// Advances the sequence and returns the offset that this moves the body by: see [`Sequence::advance`].
    #[inline]
    pub fn advance(&mut self, library: &Library, quantum: f32, hooks: Option<&mut HookBuffer>) -> Frame {
        self.sequence.advance(library, quantum, hooks)
    }

    /// Advances a sequence at rest: see [`Sequence::advance_at_rest`].
    #[inline(always)]
    pub(crate) fn advance_at_rest(&mut self, rest: &Rest, quantum: f32) -> bool {
        self.sequence.advance_at_rest(rest, quantum)
    }

    /// Enters the table's default state (rules G12, G13).
    ///
    /// # Errors
    /// [`MotionError::NoMotionTable`] if there is none. A table without a default cycle is not an error: Ready is pending
    /// all the same, as in the original.
    #[doc(alias = "initialize_state")]
    pub fn initialize(&mut self, library: &Library) -> Result<(), MotionError> {
        let num_anims = self.driver(library)?.set_default().unwrap_or(0);
        self.add_pending(library, MotionCommand::READY, num_anims);
        Ok(())
    }

    /// Starts a motion at a speed (rules G4, G13).
    ///
    /// # Errors
    /// [`MotionError::NoMotionTable`], or [`MotionError::NoMotionData`] if the table refuses.
    #[doc(alias = "PerformMovement")]
    pub fn do_motion(
        &mut self,
        library: &Library,
        motion: MotionCommand,
        speed: f32,
    ) -> Result<(), MotionError> {
        let num_anims = self.driver(library)?.request(motion, speed).ok_or(MotionError::NoMotionData)?;
        self.add_pending(library, motion, num_anims);
        Ok(())
    }

    /// Stops a motion (rules G9, G13).
    ///
    /// # Errors
    /// [`MotionError::NoMotionTable`], or [`MotionError::NoMotionData`] if there is nothing to stop.
    pub fn stop_motion(&mut self, library: &Library, motion: MotionCommand) -> Result<(), MotionError> {
        let num_anims = self.driver(library)?.stop(motion).ok_or(MotionError::NoMotionData)?;
        self.add_pending(library, MotionCommand::READY, num_anims);
        Ok(())
    }

    /// Stops every modifier and the substate (rules G11, G13).
    ///
    /// # Errors
    /// [`MotionError::NoMotionTable`] if there is none.
    pub fn stop_completely(&mut self, library: &Library) -> Result<(), MotionError> {
        let (_, num_anims) = self.driver(library)?.stop_completely();
        self.add_pending(library, MotionCommand::READY, num_anims);
        Ok(())
    }

    /// Returns the memory use in bytes, heap included.
    pub fn size_in_memory(&self) -> usize {
        let fields = self.sequence.size_in_memory() - size_of::<Sequence>() + self.state.size_in_memory()
            - size_of::<MotionState>();
        size_of::<Self>() + fields + self.pending.side_bytes()
    }

    fn driver<'a>(&'a mut self, library: &'a Library) -> Result<TableDriver<'a>, MotionError> {
        let table = self.table.ok_or(MotionError::NoMotionTable)?;
        Ok(TableDriver::new(library, library.table(table), &mut self.state, &mut self.sequence))
    }

    /// Appends a motion to the queue (rule G13). If [`MAX_PENDING_MOTIONS`] are pending, the oldest is forgotten; an
    /// [`Actor`](crate::components::Actor) makes room before that.
    #[doc(alias = "add_to_queue")]
    fn add_pending(&mut self, library: &Library, motion: MotionCommand, num_anims: u32) {
        self.pending.push_bounded(PendingMotion { motion, num_anims }, MAX_PENDING_MOTIONS);
        // Rule G16 searches from the newest motion with animations. If that is an older one, its search was in vain when it
        // was appended, and would be again: what precedes a motion that still has its animations only ever loses its head.
        if num_anims > 0 {
            self.remove_redundant_links(library, motion);
        }
    }

    /// If the newest motion, which has animations, is pending already, with no blocking motion in between, removes the
    /// links of everything after the older one (rule G16).
    fn remove_redundant_links(&mut self, library: &Library, newest: MotionCommand) {
        let blockers = if newest.is_style() {
            SUBSTATES_MODIFIERS_ACTIONS
        } else if newest.is_substate() && !newest.is_modifier() {
            STYLES_MODIFIERS_ACTIONS
        } else {
            return;
        };
        for index in (0..self.pending.len() - 1).rev() {
            let Some(earlier) = self.pending.get(index) else { return };
            let counts = earlier.num_anims > 0;
            if earlier.motion == newest && (counts || newest.is_style()) {
                return self.truncate_after(library, index);
            }
            if counts && earlier.motion.0 & blockers != 0 {
                return;
            }
        }
    }

    /// Removes the links of all entries after an index, which then wait for nothing (rule G16).
    #[doc(alias = "truncate_animation_list")]
    fn truncate_after(&mut self, library: &Library, index: usize) {
        let mut links = 0u32;
        for later in index + 1..self.pending.len() {
            if let Some(pending) = self.pending.get_mut(later) {
                links = links.wrapping_add(pending.num_anims);
                pending.num_anims = 0;
            }
        }
        self.sequence.remove_links(library, links);
    }
}

/// The class bits of motions that block the search of a substate (rule G16).
const STYLES_MODIFIERS_ACTIONS: u32 = 0xB000_0000;
/// The class bits of motions that block the search of a style (rule G16).
const SUBSTATES_MODIFIERS_ACTIONS: u32 = 0x7000_0000;

/// Access for the completion of motions.
impl Animator {
    #[inline]
    pub(super) fn head(&self) -> Option<PendingMotion> {
        self.pending.first()
    }

    /// The motion at the head of the queue, if it waits for no animations (rule G15).
    #[inline]
    pub(crate) fn completed_head(&self) -> Option<PendingMotion> {
        self.head().filter(|head| head.num_anims == 0)
    }

    pub(super) fn pop_head(&mut self) {
        self.pending.remove_first();
    }

    pub(super) fn set_counter(&mut self, counter: u32) {
        self.counter = counter;
    }

    pub(super) fn state_mut(&mut self) -> &mut MotionState {
        &mut self.state
    }

    /// Frees the memory of a queue that has been completed, and drops the actions that none of its motions removed.
    pub(crate) fn forget_completed(&mut self) {
        self.pending.reset();
        self.state.reset_actions();
    }
}

#[cfg(feature = "serde")]
impl Animator {
    /// Checks an animator that was read from a snapshot.
    pub(crate) fn check(&self, library: &Library) -> Checked {
        require(
            self.table.is_none_or(|table| library.has_table(table)),
            "a motion table that is not loaded",
        )?;
        require(self.pending.len() <= MAX_PENDING_MOTIONS, "too many pending motions")?;
        self.state.check()?;
        self.sequence.check(library)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Rule G16 as it is written: after every append, from the newest motion with animations.
    fn remove_redundant_links(pending: &mut [PendingMotion]) {
        let Some(last) = pending.iter().rposition(|entry| entry.num_anims > 0) else { return };
        let newest = pending[last].motion;
        let blockers = match newest {
            style if style.is_style() => SUBSTATES_MODIFIERS_ACTIONS,
            substate if substate.is_substate() && !substate.is_modifier() => STYLES_MODIFIERS_ACTIONS,
            _ => return,
        };
        for index in (0..last).rev() {
            let earlier = pending[index];
            if earlier.motion == newest && (earlier.num_anims > 0 || newest.is_style()) {
                pending[index + 1..].iter_mut().for_each(|later| later.num_anims = 0);
                return;
            }
            if earlier.num_anims > 0 && earlier.motion.0 & blockers != 0 {
                return;
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 512, ..ProptestConfig::default() })]

        /// The search is left out after motions without animations.
        #[test]
        fn hostile_10_redundant_links_are_those_of_rule_g16(
            edits in proptest::collection::vec((0..8usize, 0..4u32), 0..60),
        ) {
            const MOTIONS: [MotionCommand; 7] = [
                MotionCommand::NON_COMBAT,
                MotionCommand::HAND_COMBAT,
                MotionCommand::READY,
                MotionCommand::WALK_FORWARD,
                MotionCommand::RUN_FORWARD,
                MotionCommand::TURN_RIGHT,
                MotionCommand::WAVE,
            ];
            let (mut animator, library) = (Animator::new(None), Library::new());
            let mut plain = Vec::new();
            for (choice, num_anims) in edits {
                // Most motions have no animations of their own, and now and then one is a count that has wrapped.
                let num_anims = [0, 0, 1, u32::MAX][num_anims as usize];
                match MOTIONS.get(choice) {
                    Some(motion) => {
                        animator.add_pending(&library, *motion, num_anims);
                        plain.push(PendingMotion { motion: *motion, num_anims });
                        remove_redundant_links(&mut plain);
                    }
                    None if plain.is_empty() => {}
                    None => {
                        animator.pop_head();
                        plain.remove(0);
                    }
                }
                prop_assert_eq!(animator.pending().collect::<Vec<_>>(), plain.clone());
            }
        }
    }

    #[test]
    fn hostile_04_an_animator_on_its_own_is_bounded() {
        let (mut animator, library) = (Animator::new(None), Library::new());
        for number in 0..2 * MAX_PENDING_MOTIONS as u32 {
            animator.add_pending(&library, MotionCommand::WAVE, number);
        }
        assert_eq!(animator.pending().len(), MAX_PENDING_MOTIONS);
        let newest = animator.pending().last().map(|newest| newest.num_anims);
        assert_eq!(newest, Some(2 * MAX_PENDING_MOTIONS as u32 - 1));
    }
}
