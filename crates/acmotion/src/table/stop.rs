//! Stopping motions (rules G9, G11).

use acmotion_types::MotionCommand;

use super::driver::TableDriver;

/// The speed at which the default substate is entered by a stop.
const DEFAULT_SPEED: f32 = 1.0;

impl TableDriver<'_> {
    /// Stops a motion: the current cycle by entering the style's default substate, a modifier by subtracting its velocity
    /// and omega (rule G9). The speed at which it is asked to stop does not matter.
    #[doc(alias = "StopObjectMotion")]
    pub fn stop(&mut self, motion: MotionCommand) -> Option<u32> {
        self.stop_sequence_motion(motion)
    }

    /// Implements rule G9. A cycle counts as stopped even if the table refuses the default substate.
    #[doc(alias = "StopSequenceMotion")]
    pub(super) fn stop_sequence_motion(&mut self, motion: MotionCommand) -> Option<u32> {
        if motion.is_substate() && motion == self.state.substate {
            let default = self.default_substate();
            return Some(self.sequence_for(default, DEFAULT_SPEED, true).unwrap_or(0));
        }
        if !motion.is_modifier() {
            return None;
        }
        let (index, speed) = self.state.find_modifier(motion)?;
        let modifier = self.table.modifier(self.state.style, motion)?;
        self.sequence.subtract_physics(modifier.velocity * speed, modifier.omega * speed);
        self.state.remove_modifier(index);
        Some(0)
    }

    /// Stops every modifier, newest first, and then the current cycle (rule G11). Returns whether anything was stopped, and
    /// the number of animations of the cycle. A modifier that the table does not have is dropped (rule R1).
    #[doc(alias = "StopObjectCompletely")]
    pub fn stop_completely(&mut self) -> (bool, u32) {
        let mut any = false;
        while let Some(head) = self.state.first_modifier() {
            if self.stop_sequence_motion(head.motion).is_some() {
                any = true;
            } else {
                self.state.pop_modifier();
            }
        }
        let last = self.stop_sequence_motion(self.state.substate);
        (any || last.is_some(), last.unwrap_or(0))
    }
}

#[cfg(test)]
mod tests {
    use acmotion_dat::Assets;
    use acmotion_types::MotionCommand;

    use crate::library::Library;
    use crate::sequence::Sequence;
    use crate::table::{MotionState, TableDriver};

    /// R1: the original would try to stop it for ever.
    #[test]
    fn a_modifier_without_a_record_is_dropped_when_all_motions_stop() {
        let assets = Assets::mannequin();
        let mut library = Library::new();
        let table = assets.motion_table(acmotion_dat::mannequin::HUMAN_TABLE).unwrap();
        let table = library.add_table(&table, &assets);
        let (mut state, mut sequence) = (MotionState::new(), Sequence::new());
        TableDriver::new(&library, library.table(table), &mut state, &mut sequence).set_default();
        let substate = state.substate();
        let unknown = MotionCommand(0x2000_0FFF);
        assert!(library.table(table).modifier(state.style(), unknown).is_none());
        state.push_modifier(unknown, 1.0);
        let (stopped, _) =
            TableDriver::new(&library, library.table(table), &mut state, &mut sequence).stop_completely();
        assert!(stopped, "the cycle was stopped");
        assert_eq!((state.modifiers().len(), state.substate()), (0, substate));
    }
}
