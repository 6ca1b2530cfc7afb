//! Finds the animations for a motion and builds the sequence (rules G4, G6–G8, G12).

use acmotion_types::{EPS, MotionCommand};

use super::{Motion, MotionState, Table};
use crate::library::Library;
use crate::limits::MAX_MOTION_SPEED;
use crate::sequence::Sequence;

/// The maximum number of modifiers that one request re-applies. Two modifiers that can each become the cycle at any time
/// would displace each other for ever (rule G8). The game's tables have none, and the original would not survive them.
const MAX_REAPPLICATIONS: u32 = 64;

/// A motion table applied to the motion state and the sequence of one body.
///
/// Requests return the number of animations to wait for until the motion is done, wrapping below zero as in the original
/// (rule Q3), or `None` if the table refuses the motion.
///
/// ```
/// use acmotion::dat::{Assets, mannequin};
/// use acmotion::types::MotionCommand;
/// use acmotion::{Library, MotionState, Sequence, TableDriver};
///
/// # fn main() -> Result<(), acmotion::dat::DatError> {
/// let mut library = Library::new();
/// let table = library.load_table(&Assets::mannequin(), mannequin::HUMAN_TABLE)?;
/// let (mut state, mut sequence) = (MotionState::new(), Sequence::new());
/// let mut driver = TableDriver::new(&library, library.table(table), &mut state, &mut sequence);
/// driver.set_default();
/// driver.request(MotionCommand::RUN_FORWARD, 1.5);
/// assert_eq!(state.substate(), MotionCommand::RUN_FORWARD);
/// # Ok(())
/// # }
/// ```
pub struct TableDriver<'a> {
    library: &'a Library,
    pub(super) table: &'a Table,
    pub(super) state: &'a mut MotionState,
    pub(super) sequence: &'a mut Sequence,
    reapplications: u32,
}

impl<'a> TableDriver<'a> {
    /// Creates a driver for a table and the state and sequence of a body.
    pub fn new(
        library: &'a Library,
        table: &'a Table,
        state: &'a mut MotionState,
        sequence: &'a mut Sequence,
    ) -> Self {
        Self { library, table, state, sequence, reapplications: MAX_REAPPLICATIONS }
    }

    /// Enters the default state: the default style's default substate, without modifiers and actions (rule G12).
    #[doc(alias = "SetDefaultState")]
    pub fn set_default(&mut self) -> Option<u32> {
        let style = self.table.default_style();
        let substate = self.table.style_default(style)?;
        self.state.clear_modifiers();
        self.state.clear_actions();
        let cycle = self.table.cycle(style, substate)?;
        self.state.style = style;
        self.state.substate = substate;
        self.state.substate_speed = 1.0;
        self.sequence.clear_physics();
        self.sequence.clear_animations();
        self.add(Some(cycle), 1.0);
        Some(cycle.anim_count().wrapping_sub(1))
    }

    /// Starts a motion at a speed (rule G4), clamped to [`MAX_MOTION_SPEED`].
    #[doc(alias = "DoObjectMotion")]
    #[doc(alias = "GetObjectSequence")]
    pub fn request(&mut self, motion: MotionCommand, speed: f32) -> Option<u32> {
        self.sequence_for(motion, usable_speed(speed), false)
    }

    /// Tries the branches of rule G4 in order until one completes.
    pub(super) fn sequence_for(&mut self, motion: MotionCommand, speed: f32, stopping: bool) -> Option<u32> {
        if self.state.style == MotionCommand::NONE || self.state.substate == MotionCommand::NONE {
            return None;
        }
        if motion == self.default_substate() && !stopping && self.state.substate.is_modifier() {
            return Some(0);
        }
        type Branch<'a> = fn(&mut TableDriver<'a>, MotionCommand, f32) -> Option<u32>;
        let branches: [(bool, Branch<'a>); 4] = [
            (motion.is_style(), Self::enter_style),
            (motion.is_substate(), Self::enter_substate),
            (motion.is_action(), Self::play_action),
            (motion.is_modifier(), Self::add_modifier),
        ];
        let matching = branches.into_iter().filter(|(matches, _)| *matches);
        matching.map(|(_, branch)| branch).find_map(|branch| branch(self, motion, speed))
    }

    fn enter_style(&mut self, style: MotionCommand, speed: f32) -> Option<u32> {
        let old = self.state.style;
        if style == old {
            return Some(0);
        }
        let table = self.table;
        let (substate, substate_speed) = (self.state.substate, self.state.substate_speed);
        let old_default = self.default_substate();
        let before = if substate == old_default {
            None
        } else {
            table.link(old, substate, substate_speed, old_default, speed)
        };
        let new_default = table.style_default(style)?;
        let cycle = table.cycle(style, new_default)?;
        let mut link = table.link(old, old_default, substate_speed, style, speed);
        let mut link2 = None;
        if link.is_none() {
            let hub = table.default_style();
            link = table.link(old, old_default, 1.0, hub, 1.0);
            link2 = table
                .style_default(hub)
                .and_then(|hub_default| table.link(hub, hub_default, 1.0, style, 1.0));
        }
        self.start_cycle(cycle);
        for motion in [before, link, link2, Some(cycle)] {
            self.add(motion, speed);
        }
        self.state.style = style;
        self.state.substate = new_default;
        self.state.substate_speed = speed;
        self.re_modify();
        Some(count(&[before, link, link2, Some(cycle)]).wrapping_sub(1))
    }

    fn enter_substate(&mut self, motion: MotionCommand, speed: f32) -> Option<u32> {
        let table = self.table;
        let (style, substate, old_speed) = (self.state.style, self.state.substate, self.state.substate_speed);
        let cycle = table.cycle_or_default(style, motion)?;
        if !table.is_allowed(cycle, motion, style, substate) {
            return None;
        }
        let signs_agree = same_sign(speed, old_speed);
        if motion == substate && signs_agree && self.sequence.has_nodes() {
            self.change_speed(cycle, old_speed, speed);
            return Some(0);
        }
        let default = self.default_substate();
        let mut link = table.link(style, substate, old_speed, motion, speed);
        let mut link2 = None;
        if link.is_none() || !signs_agree {
            link = table.link(style, substate, old_speed, default, 1.0);
            link2 = table.link(style, default, 1.0, motion, speed);
        }
        self.start_cycle(cycle);
        if link2.is_some() {
            self.add(link, old_speed);
            self.add(link2, speed);
        } else {
            self.add(link, if old_speed < 0.0 && speed > 0.0 { -speed } else { speed });
        }
        self.add(Some(cycle), speed);
        if substate != motion && substate.is_modifier() && motion != default {
            self.state.push_modifier(substate, old_speed);
        }
        self.state.substate = motion;
        self.state.substate_speed = speed;
        self.re_modify();
        Some(count(&[link, link2, Some(cycle)]).wrapping_sub(1))
    }

    /// Changes the speed of the current cycle without restarting it (rules G4, G6, G7).
    fn change_speed(&mut self, cycle: &Motion, old: f32, new: f32) {
        if old.abs() > EPS {
            self.sequence.multiply_cyclic_framerate(new / old);
        } else if new.abs() < EPS {
            self.sequence.multiply_cyclic_framerate(0.0);
        }
        self.sequence.subtract_physics(cycle.velocity * old, cycle.omega * old);
        self.sequence.combine_physics(cycle.velocity * new, cycle.omega * new);
        self.state.substate_speed = new;
    }

    /// The cycle of the substate is required in the style itself: the default style does not stand in for it (rule R2).
    fn play_action(&mut self, motion: MotionCommand, speed: f32) -> Option<u32> {
        let table = self.table;
        let (style, substate, substate_speed) =
            (self.state.style, self.state.substate, self.state.substate_speed);
        let cycle = table.cycle(style, substate)?;
        if let Some(link) = table.link(style, substate, substate_speed, motion, speed) {
            self.start_action(motion, speed);
            self.add(Some(link), speed);
            self.add(Some(cycle), substate_speed);
            self.re_modify();
            return Some(link.anim_count());
        }
        let default = self.default_substate();
        let out = table.link(style, substate, substate_speed, default, 1.0)?;
        let act = table.link(style, default, 1.0, motion, speed)?;
        let back = table.link(style, default, 1.0, substate, substate_speed);
        self.start_action(motion, speed);
        self.add(Some(out), 1.0);
        self.add(Some(act), speed);
        self.add(back, 1.0);
        self.add(Some(cycle), substate_speed);
        self.re_modify();
        Some(count(&[Some(out), Some(act), back]))
    }

    /// Adds a modifier. Only its velocity and omega count; its animations are never played (rule G4).
    fn add_modifier(&mut self, motion: MotionCommand, speed: f32) -> Option<u32> {
        let table = self.table;
        let cycle = table.cycle(self.state.style, self.state.substate)?;
        if cycle.clears_modifiers() {
            return None;
        }
        let modifier = table.modifier(self.state.style, motion)?;
        if !self.state.add_modifier(motion, speed) {
            self.stop_sequence_motion(motion);
            if !self.state.add_modifier(motion, speed) {
                return None;
            }
        }
        self.sequence.combine_physics(modifier.velocity * speed, modifier.omega * speed);
        Some(0)
    }

    /// Re-applies the modifiers to a new cycle as the original does (rule G8): as many times as there are modifiers, the
    /// present head of the list.
    fn re_modify(&mut self) {
        let count = self.state.modifiers().len();
        for _ in 0..count {
            let Some(left) = self.reapplications.checked_sub(1) else { return };
            self.reapplications = left;
            let Some(head) = self.state.pop_modifier() else { return };
            self.sequence_for(head.motion, head.speed, false);
        }
    }

    fn start_cycle(&mut self, cycle: &Motion) {
        if cycle.clears_modifiers() {
            self.state.clear_modifiers();
        }
        self.stop_cycle();
    }

    fn start_action(&mut self, motion: MotionCommand, speed: f32) {
        self.state.add_action(motion, speed);
        self.stop_cycle();
    }

    fn stop_cycle(&mut self) {
        self.sequence.clear_physics();
        self.sequence.remove_cyclic(self.library);
    }

    /// Appends a motion's animations and sets the sequence's velocity and omega to its own (rule G7). Missing animations
    /// are left out (rule H2).
    #[doc(alias = "add_motion")]
    fn add(&mut self, motion: Option<&Motion>, speed: f32) {
        let Some(motion) = motion else { return };
        self.sequence.set_physics(motion.velocity * speed, motion.omega * speed);
        for anim in self.table.anims(motion) {
            anim.append_to(self.sequence, self.library, speed);
        }
    }

    pub(super) fn default_substate(&self) -> MotionCommand {
        self.table.style_default(self.state.style).unwrap_or(MotionCommand::NONE)
    }
}

/// Returns the total number of animations.
fn count(motions: &[Option<&Motion>]) -> u32 {
    motions.iter().flatten().map(|motion| motion.anim_count()).fold(0, u32::wrapping_add)
}

/// Returns the speed at which a motion is played for a requested one: 1 for NaN.
fn usable_speed(speed: f32) -> f32 {
    if speed.is_nan() { 1.0 } else { speed.clamp(-MAX_MOTION_SPEED, MAX_MOTION_SPEED) }
}

/// Returns `true` if both have the same sign; zero counts as positive (rules G6, R9).
fn same_sign(a: f32, b: f32) -> bool {
    (a < 0.0) == (b < 0.0)
}

#[cfg(test)]
mod tests {
    use super::{MAX_MOTION_SPEED, same_sign, usable_speed};

    #[test]
    fn hostile_07_speeds_are_clamped() {
        for (requested, played) in [
            (-2.5, -2.5),
            (0.0, 0.0),
            (MAX_MOTION_SPEED, MAX_MOTION_SPEED),
            (1e38, MAX_MOTION_SPEED),
            (f32::NEG_INFINITY, -MAX_MOTION_SPEED),
            (f32::NAN, 1.0),
        ] {
            assert_eq!(usable_speed(requested), played, "{requested}");
        }
    }

    #[test]
    fn zero_has_the_sign_of_positive_numbers() {
        assert!(same_sign(0.0, 5.0) && same_sign(-1.0, -0.5));
        assert!(!same_sign(0.0, -1.0));
    }
}
