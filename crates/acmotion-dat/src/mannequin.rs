//! The built-in dataset: a wooden mannequin, a four-legged creature, a door and a sword, and a [town] for them to
//! move in, so that everything can be tried without the game's files. All of it is made by the code below, nothing is
//! taken from anywhere.
//!
//! | what | setup | motion table | parts | meshes from | animations from |
//! |---|---|---|---|---|---|
//! | humanoid | [`HUMAN_SETUP`] | [`HUMAN_TABLE`] | 19 | [`HUMAN_MESHES`] | [`animations`]`::HUMAN_…` |
//! | four-legged creature | [`BEAST_SETUP`] | [`BEAST_TABLE`] | 18 | [`BEAST_MESHES`] | [`animations::BEAST`] |
//! | door | [`DOOR_SETUP`] | [`DOOR_TABLE`] | 2 | [`DOOR_MESHES`] | [`animations::DOOR`] |
//! | sword, to be held | [`SWORD_SETUP`] | none | 1 | [`SWORD_MESH`] | none |
//!
//! The origin is between the feet (below the middle of the door, in the sword's grip); +Y is forward, +X right, +Z up.
//! Surfaces are plain colours ([`surfaces`]).
//!
//! # The humanoid's motions
//!
//! Styles `NonCombat` (the default), `HandCombat`, `SwordCombat` and Magic, each with the cycles Ready, `WalkForward`,
//! `RunForward`, `TurnRight`, `SideStepRight`, Falling and Dead and the links between them. `NonCombat` moves exactly as
//! recordings of the original client show (`docs/recorded.md`):
//!
//! | motion | figures |
//! |---|---|
//! | `RunForward` | 24 frames at 30 a second, each carries 0.133333 m |
//! | `WalkForward` | 36 frames at 66.9 a second, each carries 0.0388889 m |
//! | `TurnRight` | −1.5 radians a second; only from Ready, else a modifier |
//! | `SideStepRight` | 12 frames at 30 a second, each carries 1/24 m to the right; only from Ready, else a modifier |
//! | Ready → `RunForward` | 12 frames at 30 a second, 1.0330 m |
//! | `RunForward` → Ready | 24 frames at 30 a second, 0.78844 m |
//!
//! Other motions are links from Ready, or cycles with links from and to it:
//!
//! | style | motions |
//! |---|---|
//! | `NonCombat` | Crouch, Sitting, Sleeping, Fallen, Pickup; Wave, `BowDeep`, Nod, `ShakeHead`, Shrug, Cheer, `ClapHands`, Point, Salute, Laugh, Beckon, Kneel; Twitch1–3; `LogOut` |
//! | `HandCombat` | `AttackHigh1`, `AttackMed1`, `AttackLow1`, `PunchFast`…, `PunchSlow`… |
//! | `SwordCombat` | Slash…, Thrust… (High, Med, Low), `BackhandMed`, `DoubleSlashMed`, `DoubleThrustMed` |
//! | Magic | MagicPowerUp01–10 in both colours; `CastSpell`, `MagicBlast`, `MagicHeal`, `MagicSelfHeart`, `MagicThrowMissile` |
//!
//! `NonCombat` has links to and from every other style.
//!
//! # The others
//!
//! The creature has `NonCombat` and `HandCombat` with Ready, `WalkForward` (1.35 m a second), `RunForward` (6 m a
//! second), `TurnRight`, Falling and Dead; Twitch1–2 in the first, `AttackHigh1`, `AttackMed1` and `AttackLow1` in the
//! second. The door has Off (closed, its default) and On (open); the links between them carry an Ethereal hook on their
//! second frame.

mod beast;
mod clip;
mod curve;
mod door;
mod human;
mod pose;
mod rig;
mod solid;
mod sword;
mod table;
pub mod town;

use std::sync::{Arc, OnceLock};

use crate::id::{DataId, DataSet};
use crate::writer::{BlockSize, DatWriter};

/// The humanoid's setup.
pub const HUMAN_SETUP: DataId = DataId(0x0200_0001);
/// The humanoid's motion table.
pub const HUMAN_TABLE: DataId = DataId(0x0900_0001);
/// The first of the humanoid's 19 meshes: pelvis, waist, chest, neck, head; right upper arm, forearm, hand, and the
/// left ones; right thigh, shin, foot, toes, and the left ones.
pub const HUMAN_MESHES: DataId = DataId(0x0100_0001);

/// The creature's setup.
pub const BEAST_SETUP: DataId = DataId(0x0200_0002);
/// The creature's motion table.
pub const BEAST_TABLE: DataId = DataId(0x0900_0002);
/// The first of the creature's 18 meshes: rump, chest, neck, head, jaw, tail; then upper leg, lower leg and paw of
/// the right and left fore leg and the right and left hind leg.
pub const BEAST_MESHES: DataId = DataId(0x0100_0021);

/// The door's setup.
pub const DOOR_SETUP: DataId = DataId(0x0200_0003);
/// The door's motion table.
pub const DOOR_TABLE: DataId = DataId(0x0900_0003);
/// The first of the door's two meshes: frame and leaf.
pub const DOOR_MESHES: DataId = DataId(0x0100_0041);

/// The sword's setup.
pub const SWORD_SETUP: DataId = DataId(0x0200_0004);
/// The sword's mesh.
pub const SWORD_MESH: DataId = DataId(0x0100_0051);

/// The emitter that wind-ups hang on the hands. The dataset brings no particles, so there is no such object in it.
pub const EMITTER: DataId = DataId(0x3200_0001);

/// Where the ids of the animations start.
pub mod animations {
    use super::DataId;

    /// The humanoid in `NonCombat`: Ready, `WalkForward`, `RunForward`, `TurnRight`, `SideStepRight`, then links and states.
    pub const HUMAN_NON_COMBAT: DataId = DataId(0x0300_0001);
    /// The same in `HandCombat`.
    pub const HUMAN_HAND_COMBAT: DataId = DataId(0x0300_0021);
    /// The same in `SwordCombat`.
    pub const HUMAN_SWORD_COMBAT: DataId = DataId(0x0300_0041);
    /// The same in Magic.
    pub const HUMAN_MAGIC: DataId = DataId(0x0300_0061);
    /// From `NonCombat` to the other styles and back.
    pub const HUMAN_STANCE_CHANGES: DataId = DataId(0x0300_0081);
    /// Crouching, sitting, sleeping, fallen, picking up.
    pub const HUMAN_RESTS: DataId = DataId(0x0300_0091);
    /// Emotes, fidgets, logging out.
    pub const HUMAN_EMOTES: DataId = DataId(0x0300_00B1);
    /// Blows with the sword.
    pub const HUMAN_SWORD_BLOWS: DataId = DataId(0x0300_00D1);
    /// Blows without.
    pub const HUMAN_HAND_BLOWS: DataId = DataId(0x0300_00E1);
    /// Wind-ups and gestures.
    pub const HUMAN_SPELLS: DataId = DataId(0x0300_00F1);
    /// The creature.
    pub const BEAST: DataId = DataId(0x0300_0201);
    /// The door: closed, opening, open, closing.
    pub const DOOR: DataId = DataId(0x0300_0301);
}

/// The colours.
pub mod surfaces {
    use super::DataId;

    /// Light wood: the trunk.
    pub const WOOD: DataId = DataId(0x0800_0001);
    /// Dark wood: joints, hands and feet.
    pub const WOOD_JOINT: DataId = DataId(0x0800_0002);
    /// Limbs of the right side.
    pub const WOOD_RIGHT: DataId = DataId(0x0800_0003);
    /// Limbs of the left side.
    pub const WOOD_LEFT: DataId = DataId(0x0800_0004);
    /// The creature's fur.
    pub const FUR: DataId = DataId(0x0800_0005);
    /// Its limbs of the right side.
    pub const FUR_RIGHT: DataId = DataId(0x0800_0006);
    /// Its limbs of the left side.
    pub const FUR_LEFT: DataId = DataId(0x0800_0007);
    /// Muzzle, ears and paws.
    pub const FUR_DARK: DataId = DataId(0x0800_0008);
    /// The door's frame.
    pub const OAK: DataId = DataId(0x0800_0009);
    /// The door's leaf.
    pub const OAK_LIGHT: DataId = DataId(0x0800_000A);
    /// Iron: fittings and the sword's hilt.
    pub const IRON: DataId = DataId(0x0800_000B);
    /// The sword's blade.
    pub const STEEL: DataId = DataId(0x0800_000C);
    /// Plaster of walls.
    pub const PLASTER: DataId = DataId(0x0800_000D);
    /// Dark timber.
    pub const TIMBER: DataId = DataId(0x0800_000E);
    /// Rough stone.
    pub const STONE: DataId = DataId(0x0800_000F);
    /// Smooth stone.
    pub const FLAGSTONES: DataId = DataId(0x0800_0010);
    /// Floorboards.
    pub const PLANKS: DataId = DataId(0x0800_0011);
    /// Ceilings and undersides.
    pub const BEAMS: DataId = DataId(0x0800_0012);
    /// Roof tiles.
    pub const TILES: DataId = DataId(0x0800_0013);
    /// Window panes.
    pub const GLASS: DataId = DataId(0x0800_0014);
    /// Bark and staves.
    pub const BARK: DataId = DataId(0x0800_0015);
    /// Leaves.
    pub const LEAVES: DataId = DataId(0x0800_0016);
    /// Boulders.
    pub const ROCK: DataId = DataId(0x0800_0017);

    /// Each with its red, green and blue.
    pub(super) const COLOURS: [(DataId, [u8; 3]); 23] = [
        (WOOD, [0xD9, 0xB3, 0x82]),
        (WOOD_JOINT, [0x8A, 0x5A, 0x34]),
        (WOOD_RIGHT, [0xE3, 0xC0, 0x92]),
        (WOOD_LEFT, [0xB0, 0x84, 0x58]),
        (FUR, [0x8C, 0x8F, 0x96]),
        (FUR_RIGHT, [0x9E, 0xA1, 0xA8]),
        (FUR_LEFT, [0x6B, 0x6E, 0x76]),
        (FUR_DARK, [0x45, 0x46, 0x4C]),
        (OAK, [0x6E, 0x4A, 0x2C]),
        (OAK_LIGHT, [0xA2, 0x74, 0x46]),
        (IRON, [0x50, 0x54, 0x5C]),
        (STEEL, [0xC4, 0xCC, 0xD6]),
        (PLASTER, [0xE6, 0xDC, 0xC3]),
        (TIMBER, [0x5C, 0x42, 0x2E]),
        (STONE, [0x8E, 0x8B, 0x85]),
        (FLAGSTONES, [0xA8, 0xA4, 0x9A]),
        (PLANKS, [0xA8, 0x84, 0x58]),
        (BEAMS, [0x7A, 0x62, 0x48]),
        (TILES, [0xA4, 0x4E, 0x38]),
        (GLASS, [0x9C, 0xC0, 0xCE]),
        (BARK, [0x6B, 0x4C, 0x33]),
        (LEAVES, [0x3F, 0x6E, 0x3A]),
        (ROCK, [0x77, 0x75, 0x70]),
    ];
}

/// Numbers of the [`SoundTable`](crate::HookEffect::SoundTable) hooks. They are the dataset's own, which brings no
/// sounds: labels for whoever plays or draws the hooks.
pub mod sounds {
    /// The right foot comes down, the left foot comes down.
    pub const FOOTSTEPS: [u32; 2] = [1, 2];
    /// A blow cuts the air.
    pub const WHOOSH: u32 = 3;
    /// Both feet come down after a fall.
    pub const LANDING: u32 = 4;
    /// The last cry.
    pub const DEATH: u32 = 5;
    /// A body hits the ground.
    pub const BODY_FALLS: u32 = 6;
    /// A cheer, a laugh.
    pub const VOICE: u32 = 7;
    /// Palm on palm.
    pub const CLAP: u32 = 8;
    /// A blade leaves its sheath.
    pub const DRAW: u32 = 9;
    /// A spell gathers.
    pub const MAGIC: u32 = 10;
    /// A door opens.
    pub const DOOR_OPENS: u32 = 11;
    /// A door closes.
    pub const DOOR_CLOSES: u32 = 12;
    /// A paw comes down.
    pub const PAW: u32 = 13;
    /// A growl, a bite.
    pub const GROWL: u32 = 14;
}

/// Keys of the holding locations (`docs/dat.md` §4).
mod locations {
    pub(super) const RIGHT_HAND: i32 = 1;
    pub(super) const LEFT_HAND: i32 = 2;
    pub(super) const SHIELD: i32 = 3;
}

/// Keys of the placements (`docs/dat.md` §4).
mod placements {
    pub(super) const DEFAULT: i32 = 0;
    pub(super) const RIGHT_HAND_COMBAT: i32 = 1;
    pub(super) const RIGHT_HAND_NON_COMBAT: i32 = 2;
    pub(super) const RESTING: i32 = 0x65;
}

/// The usual rate of animations.
const FRAMES_A_SECOND: f32 = 30.0;

/// The id so many places behind another.
const fn nth(first: DataId, at: usize) -> DataId {
    DataId(first.0 + at as u32)
}

/// The dataset as the bytes of a dat file: the same on every platform, made when first asked for.
///
/// ```
/// use acmotion_dat::{Dat, mannequin};
///
/// # fn main() -> Result<(), acmotion_dat::DatError> {
/// let dat = Dat::from_bytes(mannequin::dat_file())?;
/// assert!(dat.find(mannequin::HUMAN_SETUP)?.is_some());
/// # Ok(())
/// # }
/// ```
pub fn dat_file() -> Arc<[u8]> {
    static BUILT: OnceLock<Arc<[u8]>> = OnceLock::new();
    Arc::clone(BUILT.get_or_init(build))
}

fn build() -> Arc<[u8]> {
    let mut shelf = clip::Shelf::new(DatWriter::new(BlockSize::Large, DataSet::Portal));
    for (id, [red, green, blue]) in surfaces::COLOURS {
        shelf.put_bytes(id, solid::colour(red, green, blue));
    }
    human::build(&mut shelf);
    beast::build(&mut shelf);
    door::build(&mut shelf);
    sword::build(&mut shelf);
    town::build(&mut shelf);
    match shelf.into_writer().finish() {
        Ok(bytes) => bytes.into(),
        Err(error) => unreachable!("the dataset is small: {error}"),
    }
}
