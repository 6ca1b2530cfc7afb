//! Motion commands: their ids, names and classes, and the 16-bit indices that stand for them on the wire.

mod table;

use std::fmt;

use table::END_OF_RETAIL;

/// A motion command: a 32-bit id whose top byte is a set of class bits (`docs/motion_commands.md`).
///
/// The set is open. An id outside both catalogues is a valid value without a name.
///
/// ```
/// use acmotion_types::MotionCommand;
///
/// let run = MotionCommand::from_name("RunForward").unwrap();
/// assert_eq!(run, MotionCommand::RUN_FORWARD);
/// assert_eq!(run.to_string(), "RunForward");
/// assert!(run.is_substate() && !run.is_modifier());
/// assert_eq!(MotionCommand(0x1234_5678).to_string(), "0x12345678");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct MotionCommand(pub u32);

impl MotionCommand {
    /// The absence of a command: 0. This is distinct from [`MotionCommand::INVALID`], which is 0x80000000.
    pub const NONE: Self = Self(0);

    /// The class bit of styles (stances).
    pub const STYLE_BIT: u32 = 0x8000_0000;
    /// The class bit of substates, which loop as cycles.
    pub const SUBSTATE_BIT: u32 = 0x4000_0000;
    /// The class bit of modifiers, which are added on top of a cycle.
    pub const MODIFIER_BIT: u32 = 0x2000_0000;
    /// The class bit of actions, which play once.
    pub const ACTION_BIT: u32 = 0x1000_0000;
    /// The class bit of user-interface commands.
    pub const UI_BIT: u32 = 0x0800_0000;
    /// The class bit of toggles. On a substate it marks a movement that is kept in the key list.
    pub const TOGGLE_BIT: u32 = 0x0400_0000;
    /// The class bit of chat emotes.
    pub const CHAT_EMOTE_BIT: u32 = 0x0200_0000;
    /// The class bit of commands that can be bound to a key.
    pub const MAPPABLE_BIT: u32 = 0x0100_0000;

    /// Returns `true` if the command is a style (stance).
    pub const fn is_style(self) -> bool {
        self.0 & Self::STYLE_BIT != 0
    }

    /// Returns `true` if the command is a substate, which can loop as a cycle. Turns and sidesteps are both substate
    /// and modifier (rule G4).
    pub const fn is_substate(self) -> bool {
        self.0 & Self::SUBSTATE_BIT != 0
    }

    /// Returns `true` if the command is a modifier.
    pub const fn is_modifier(self) -> bool {
        self.0 & Self::MODIFIER_BIT != 0
    }

    /// Returns `true` if the command is an action.
    pub const fn is_action(self) -> bool {
        self.0 & Self::ACTION_BIT != 0
    }

    /// Returns `true` if the command belongs to the user interface.
    pub const fn is_ui(self) -> bool {
        self.0 & Self::UI_BIT != 0
    }

    /// Returns `true` if the command is a toggle. For a substate this means a movement that is kept in the key list.
    pub const fn is_toggle(self) -> bool {
        self.0 & Self::TOGGLE_BIT != 0
    }

    /// Returns `true` if the command is a chat emote.
    pub const fn is_chat_emote(self) -> bool {
        self.0 & Self::CHAT_EMOTE_BIT != 0
    }

    /// Returns `true` if the command can be bound to a key.
    pub const fn is_mappable(self) -> bool {
        self.0 & Self::MAPPABLE_BIT != 0
    }

    /// Returns the 16-bit index that stands for the command on the wire: the low word of the id, in either era.
    pub const fn wire_index(self) -> u16 {
        self.0 as u16
    }

    /// Returns the name in the end-of-retail catalogue, or `None` if the id is not listed there.
    pub fn name(self) -> Option<&'static str> {
        Era::EndOfRetail.name(self)
    }

    /// Looks up a name in the end-of-retail catalogue. Case is ignored, and the spellings of other tools are accepted.
    pub fn from_name(name: &str) -> Option<Self> {
        Era::EndOfRetail.find(name)
    }
}

impl From<u32> for MotionCommand {
    fn from(id: u32) -> Self {
        Self(id)
    }
}

impl From<MotionCommand> for u32 {
    fn from(command: MotionCommand) -> Self {
        command.0
    }
}

/// Writes the name, or the id in hexadecimal if it has no name.
impl fmt::Display for MotionCommand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.name() {
            Some(name) => f.pad(name),
            None => f.pad(&format!("0x{:08X}", self.0)),
        }
    }
}

impl fmt::Debug for MotionCommand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.name() {
            Some(name) => write!(f, "{name}(0x{:08X})", self.0),
            None => write!(f, "MotionCommand(0x{:08X})", self.0),
        }
    }
}

impl fmt::UpperHex for MotionCommand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::UpperHex::fmt(&self.0, f)
    }
}

/// The client version whose command table the 16-bit commands on the wire refer to.
///
/// The two catalogues are equal below index 0x10F. The final client inserts three actions there, which moves all later
/// indices up by three, and adds one entry at the end.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Era {
    /// The last client (412 commands). Today's servers use its table.
    #[default]
    #[cfg_attr(feature = "serde", serde(rename = "retail"))]
    EndOfRetail,
    /// The client of September 2013 (408 commands).
    #[cfg_attr(feature = "serde", serde(rename = "2013"))]
    September2013,
}

/// The first index at which the two catalogues differ.
const ERA_SPLIT: usize = 0x10F;
/// The number of actions the final client inserted at [`ERA_SPLIT`].
const ERA_SHIFT: usize = 3;
/// The one command that was renamed: its index in the 2013 table, and its name there.
const RENAMED_2013: (usize, &str) = (0x15E, "SideBySideVitals");

/// Spellings found in other catalogues and tools, each with the client's own name.
static ALTERNATIVE_NAMES: [(&str, &str); 10] = [
    ("TwoHandedSwordCombat", "2HandedSwordCombat"),
    ("TwoHandedStaffCombat", "2HandedStaffCombat"),
    ("BreatheFlame", "BreatheFlame_"),
    ("Magi", "Magic"),
    ("Woah_Duplicate1", "SkillHealOther"),
    ("MimeDrink_Duplicate1", "CombatEat"),
    ("MimeDrink_Duplicate2", "CombatDrink"),
    ("SideBySideVitals", "StretchUI"),
    ("WoahDuplicate2", "AI_TelegraphCast"),
    ("Woah_Duplicate2", "AI_TelegraphCast"),
];

impl Era {
    /// Returns the number of commands in the catalogue.
    pub const fn count(self) -> usize {
        match self {
            Self::EndOfRetail => 412,
            Self::September2013 => 408,
        }
    }

    /// Expands a 16-bit wire index to the full command. Returns `None` if the index is outside the catalogue.
    ///
    /// ```
    /// use acmotion_types::{Era, MotionCommand};
    ///
    /// assert_eq!(Era::EndOfRetail.expand(5), Some(MotionCommand::WALK_FORWARD));
    /// assert_eq!(Era::EndOfRetail.expand(0x19C), None);
    /// // LogOut moved by three between the eras.
    /// assert_eq!(Era::EndOfRetail.expand(0x11E), Some(MotionCommand::LOG_OUT));
    /// assert_eq!(Era::September2013.expand(0x11B), Some(MotionCommand(0x1000_011B)));
    /// ```
    #[doc(alias = "command_ids")]
    pub const fn expand(self, index: u16) -> Option<MotionCommand> {
        match self.entry(index as usize) {
            Some((command, _)) => Some(command),
            None => None,
        }
    }

    /// Returns the name of a command in this era, or `None` if the catalogue does not list the full 32-bit id.
    pub fn name(self, command: MotionCommand) -> Option<&'static str> {
        let (listed, name) = self.entry(usize::from(command.wire_index()))?;
        (listed == command).then_some(name)
    }

    /// Looks up a command by its name in this era. Case is ignored, and the spellings of other tools are accepted.
    pub fn find(self, name: &str) -> Option<MotionCommand> {
        self.find_exact(name).or_else(|| {
            let (_, own) = ALTERNATIVE_NAMES.iter().find(|(other, _)| other.eq_ignore_ascii_case(name))?;
            self.find_exact(own)
        })
    }

    /// Iterates over all commands and their names, in the order of their wire indices.
    pub fn commands(self) -> impl Iterator<Item = (MotionCommand, &'static str)> {
        (0..self.count()).filter_map(move |index| self.entry(index))
    }

    fn find_exact(self, name: &str) -> Option<MotionCommand> {
        self.commands().find(|(_, own)| own.eq_ignore_ascii_case(name)).map(|(command, _)| command)
    }

    const fn entry(self, index: usize) -> Option<(MotionCommand, &'static str)> {
        if index >= self.count() {
            return None;
        }
        let shifted = matches!(self, Self::September2013) && index >= ERA_SPLIT;
        let (id, name) = END_OF_RETAIL[if shifted { index + ERA_SHIFT } else { index }];
        if !shifted {
            return Some((MotionCommand(id), name));
        }
        let name = if index == RENAMED_2013.0 { RENAMED_2013.1 } else { name };
        Some((MotionCommand(id & 0xFFFF_0000 | index as u32), name))
    }
}

/// The stances: the styles that a motion table can have, in the order of `docs/motion_stances.csv`.
pub const STANCES: [MotionCommand; 19] = [
    MotionCommand::INVALID,
    MotionCommand::HAND_COMBAT,
    MotionCommand::NON_COMBAT,
    MotionCommand::SWORD_COMBAT,
    MotionCommand::BOW_COMBAT,
    MotionCommand::SWORD_SHIELD_COMBAT,
    MotionCommand::CROSSBOW_COMBAT,
    MotionCommand::UNUSED_COMBAT,
    MotionCommand::SLING_COMBAT,
    MotionCommand::TWO_HANDED_SWORD_COMBAT,
    MotionCommand::TWO_HANDED_STAFF_COMBAT,
    MotionCommand::DUAL_WIELD_COMBAT,
    MotionCommand::THROWN_WEAPON_COMBAT,
    MotionCommand::GRAZE,
    MotionCommand::MAGIC,
    MotionCommand::BOW_NO_AMMO,
    MotionCommand::CROSS_BOW_NO_AMMO,
    MotionCommand::ATLATL_COMBAT,
    MotionCommand::THROWN_SHIELD_COMBAT,
];
