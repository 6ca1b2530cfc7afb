//! Items of a scenario.

use acmotion::dat::{DataId, mannequin};
use acmotion::types::MotionCommand;

use super::LocalPosition;

/// The kind of an item, which determines its setup and where it is held.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum ItemKind {
    /// The mannequin's sword, in the right hand in `SwordCombat`.
    Sword,
    /// The mannequin's bow, in the left hand in `BowCombat`.
    Bow,
    /// The mannequin's shield, on the left arm in every stance without a bow.
    Shield,
}

impl ItemKind {
    /// Returns the name of such an item.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Sword => "Sword",
            Self::Bow => "Bow",
            Self::Shield => "Shield",
        }
    }

    /// Returns the id of its setup.
    pub const fn setup(self) -> DataId {
        match self {
            Self::Sword => mannequin::SWORD_SETUP,
            Self::Bow => mannequin::BOW_SETUP,
            Self::Shield => mannequin::SHIELD_SETUP,
        }
    }

    /// Returns the location at which it is wielded, a bit of the original's equip mask.
    #[doc(alias = "EquipMask")]
    pub const fn wield_location(self) -> u32 {
        match self {
            Self::Sword => 0x0010_0000,
            Self::Shield => 0x0020_0000,
            Self::Bow => 0x0040_0000,
        }
    }

    /// Returns the holding location of the body, and the placement of the item there (`docs/dat.md` §4).
    const fn hand(self) -> (u32, u32) {
        match self {
            Self::Sword => (1, 1),
            Self::Bow => (2, 3),
            Self::Shield => (3, 6),
        }
    }

    pub(crate) const fn location(self) -> u32 {
        self.hand().0
    }

    pub(crate) const fn placement(self) -> u32 {
        self.hand().1
    }

    /// Returns the item type: melee weapon, armour or missile weapon.
    #[doc(alias = "ItemType")]
    pub(crate) const fn item_type(self) -> u32 {
        match self {
            Self::Sword => 0x1,
            Self::Shield => 0x2,
            Self::Bow => 0x100,
        }
    }

    /// Returns `true` if it is in the hand or on the arm in a style.
    pub(crate) fn is_held_in(self, style: MotionCommand) -> bool {
        match self {
            Self::Sword => style == MotionCommand::SWORD_COMBAT,
            Self::Bow => style == MotionCommand::BOW_COMBAT,
            Self::Shield => style != MotionCommand::BOW_COMBAT,
        }
    }
}

/// An item that lies on the ground.
#[derive(Clone, PartialEq, Debug)]
pub struct ItemSpec {
    /// The name.
    pub name: String,
    /// The kind.
    pub kind: ItemKind,
    /// The position at which it lies.
    pub position: LocalPosition,
}
