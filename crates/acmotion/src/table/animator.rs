//! A body's animation as a whole: sequence, motion state and the motions that wait for their animations to end
//! (rules G13, G16).

use acmotion_types::{Frame, MotionCommand};

use super::{MotionError, MotionState, TableDriver};
use crate::library::{Library, TableId};
use crate::sequence::{HookBuffer, Sequence};
use crate::small_list::SmallList;

/// How many waiting motions lie in the animator itself.
const INLINE_PENDING: usize = 6;

/// A motion that waits for its animations to end.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[doc(alias = "AnimNode")]
pub struct PendingMotion {
    /// The motion.
    pub motion: MotionCommand,
    /// How many animations have to end first.
    pub num_anims: u32,
}

/// What animates one body. Plain data of a few hundred bytes: the table and everything it plays are in the
/// [`Library`].
///
/// Motions that are over are reported through a [`MotionHost`](super::MotionHost): see
/// [`animation_done`](super::animation_done) and its neighbours.
#[derive(Clone, PartialEq, Debug)]
#[doc(alias = "MotionTableManager")]
pub struct Animator {
    sequence: Sequence,
    state: MotionState,
    table: Option<TableId>,
    counter: u32,
    pending: SmallList<PendingMotion, INLINE_PENDING>,
}

impl Animator {
    /// The animation of a body with that table, before it has entered any state.
    pub fn new(table: Option<TableId>) -> Self {
        Self {
            sequence: Sequence::new(),
            state: MotionState::new(),
            table,
            counter: 0,
            pending: SmallList::new(),
        }
    }

    /// What it plays.
    pub fn sequence(&self) -> &Sequence {
        &self.sequence
    }

    /// What it plays, to be changed.
    pub fn sequence_mut(&mut self) -> &mut Sequence {
        &mut self.sequence
    }

    /// What it is doing.
    pub fn state(&self) -> &MotionState {
        &self.state
    }

    /// Its table.
    pub fn table(&self) -> Option<TableId> {
        self.table
    }

    /// Motions that wait for their animations to end, oldest first.
    #[doc(alias = "pending_animations")]
    pub fn pending(&self) -> impl ExactSizeIterator<Item = PendingMotion> {
        self.pending.iter()
    }

    /// How many animations have ended that no motion has been charged with yet.
    #[doc(alias = "animation_counter")]
    pub fn counter(&self) -> u32 {
        self.counter
    }

    /// Lets time pass: see [`Sequence::update`].
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

    /// Enters the table's default state (rules G12, G13).
    ///
    /// # Errors
    /// [`MotionError::NoMotionTable`] if there is none. A table without a default cycle is none: the motion still
    /// waits, as in the original.
    #[doc(alias = "initialize_state")]
    pub fn initialize(&mut self, library: &Library) -> Result<(), MotionError> {
        let num_anims = self.walker(library)?.set_default().unwrap_or(0);
        self.add_pending(library, MotionCommand::READY, num_anims);
        Ok(())
    }

    /// Asks for a motion at a speed (rules G4, G13).
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
        let num_anims = self.walker(library)?.request(motion, speed).ok_or(MotionError::NoMotionData)?;
        self.add_pending(library, motion, num_anims);
        Ok(())
    }

    /// Ends a motion (rules G9, G13).
    ///
    /// # Errors
    /// [`MotionError::NoMotionTable`], or [`MotionError::NoMotionData`] if there is nothing to end.
    pub fn stop_motion(&mut self, library: &Library, motion: MotionCommand) -> Result<(), MotionError> {
        let num_anims = self.walker(library)?.stop(motion).ok_or(MotionError::NoMotionData)?;
        self.add_pending(library, MotionCommand::READY, num_anims);
        Ok(())
    }

    /// Ends everything (rules G11, G13).
    ///
    /// # Errors
    /// [`MotionError::NoMotionTable`] if there is none.
    pub fn stop_completely(&mut self, library: &Library) -> Result<(), MotionError> {
        let (_, num_anims) = self.walker(library)?.stop_completely();
        self.add_pending(library, MotionCommand::READY, num_anims);
        Ok(())
    }

    /// How many bytes it takes, side storage included.
    pub fn size_in_memory(&self) -> usize {
        let fields = self.sequence.size_in_memory() - size_of::<Sequence>() + self.state.size_in_memory()
            - size_of::<MotionState>();
        size_of::<Self>() + fields + self.pending.side_bytes()
    }

    fn walker<'a>(&'a mut self, library: &'a Library) -> Result<TableDriver<'a>, MotionError> {
        let table = self.table.ok_or(MotionError::NoMotionTable)?;
        Ok(TableDriver::new(library, library.table(table), &mut self.state, &mut self.sequence))
    }

    #[doc(alias = "add_to_queue")]
    fn add_pending(&mut self, library: &Library, motion: MotionCommand, num_anims: u32) {
        self.pending.push(PendingMotion { motion, num_anims });
        self.remove_redundant_links(library);
    }

    /// If the last motion that has animations to wait for was asked for before, with nothing between that matters, then
    /// what lies between is skipped (rule G16).
    fn remove_redundant_links(&mut self, library: &Library) {
        let Some(last) = (0..self.pending.len()).rev().find(|index| self.num_anims(*index) > 0) else {
            return;
        };
        let Some(newest) = self.pending.get(last).map(|pending| pending.motion) else { return };
        let blockers = if newest.is_style() {
            SUBSTATES_MODIFIERS_ACTIONS
        } else if newest.is_substate() && !newest.is_modifier() {
            STYLES_MODIFIERS_ACTIONS
        } else {
            return;
        };
        for index in (0..last).rev() {
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

    /// Nothing after that entry is waited for any more, and its links are not played (rule G16).
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

    fn num_anims(&self, index: usize) -> u32 {
        self.pending.get(index).map_or(0, |pending| pending.num_anims)
    }
}

const STYLES_MODIFIERS_ACTIONS: u32 = 0xB000_0000;
const SUBSTATES_MODIFIERS_ACTIONS: u32 = 0x7000_0000;

/// For the completion of motions.
impl Animator {
    pub(super) fn head(&self) -> Option<PendingMotion> {
        self.pending.first()
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
}
