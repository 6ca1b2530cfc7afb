//! Structures that several messages share, one per file.

mod action;
mod enchantment;
mod house_restrictions;
mod interpreted_state;
mod items;
mod model_data;
mod move_params;
mod movement;
mod movement_data;
mod origin;
mod physics_desc;
mod position_pack;
mod raw_state;
mod skill;
mod stamps;
mod text;
mod weenie_desc;

pub use action::{ActionItem, Actions};
pub use enchantment::{Enchantment, EnchantmentRegistry, Enchantments};
pub use house_restrictions::HouseRestrictions;
pub use interpreted_state::InterpretedState;
pub use items::{Items, ItemsIter};
pub use model_data::{ModelData, PartChange, SubPalette, TextureChange};
pub use move_params::{MoveToParams, TurnToParams};
pub use movement::{Movement, MovementBody};
pub use movement_data::MovementData;
pub use origin::Origin;
pub use physics_desc::{Attachment, Children, InitialMovement, PhysicsDesc};
pub use position_pack::PositionPack;
pub use raw_state::RawMotionState;
pub use skill::Skill;
pub use stamps::{EchoedStamps, ObjectStamps};
pub use text::WireStr;
pub use weenie_desc::{WeenieDesc, WeenieFields};
