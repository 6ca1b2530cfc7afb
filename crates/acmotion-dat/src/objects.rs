//! The objects that the project understands, each in a file of its own, fields in file order.

pub mod animation;
mod bsp;
mod env_cell;
mod environment;
mod gfx_obj;
pub mod hook;
mod iteration;
mod keyed;
mod land_block;
mod land_block_info;
pub mod motion_table;
mod region;
mod setup;

pub use animation::{Animation, AnimationFrame};
pub use bsp::{BspKind, BspNode, BspTree, Leaf, PlaneNode};
pub use env_cell::{CellPortal, EnvCell, EnvCellFlags, PortalFlags, StaticObject};
pub use environment::{CellStruct, Environment};
pub use gfx_obj::{GfxFlags, GfxObj, Mesh, Polygon, Vertex};
pub use hook::{AttackCone, Hook, HookDirection, HookEffect, Ramp};
pub use iteration::{Iteration, IterationRange};
pub use keyed::KeyedList;
pub use land_block::{LandBlock, Terrain};
pub use land_block_info::{Building, BuildingPortal, LandBlockInfo, LandBlockInfoFlags, Restrictions};
pub use motion_table::{AnimData, MotionData, MotionFlags, MotionTable};
pub use region::Region;
pub use setup::{CylSphere, Light, Location, Setup, SetupFlags, Sphere};

use crate::cursor::Reader;
use crate::error::{ParseError, Problem};
use crate::id::{DataId, ObjectKind};

/// An object that can be read from a dat file's bytes and written back to the same bytes.
pub trait DatObject: Sized + Send + Sync + 'static {
    /// What it is.
    const KIND: ObjectKind;

    /// Reads an object. Every byte must belong to it.
    ///
    /// # Errors
    /// When the bytes are not exactly one object.
    fn decode(bytes: &[u8]) -> Result<Self, ParseError>;

    /// Appends its bytes: the same from which it was decoded.
    fn encode_into(&self, out: &mut Vec<u8>);

    /// Its bytes.
    fn encode(&self) -> Vec<u8> {
        let mut out = Vec::new();
        self.encode_into(&mut out);
        out
    }

    /// The id it calls itself by, if it carries one.
    fn own_id(&self) -> Option<DataId>;

    /// Refuses an object that calls itself by another id than the directory does.
    ///
    /// # Errors
    /// When the two differ.
    fn check_id(self, expected: DataId) -> Result<Self, ParseError> {
        match self.own_id() {
            Some(found) if found != expected => {
                let problem = Problem::OtherId { found, expected };
                Err(ParseError { object: Self::KIND.name(), field: "id", offset: 0, problem })
            }
            _ => Ok(self),
        }
    }
}

/// Reads an object with `read` and sees to it that no byte is left.
fn decode_whole<T: DatObject>(
    bytes: &[u8],
    read: fn(&mut Reader<'_>) -> Result<T, ParseError>,
) -> Result<T, ParseError> {
    let mut reader = Reader::new(bytes, T::KIND.name());
    let object = read(&mut reader)?;
    reader.finish()?;
    Ok(object)
}

/// Any object of a file: decoded if the project knows its kind, else its bytes.
#[derive(Clone, PartialEq, Debug)]
pub enum AnyObject {
    /// A motion table.
    MotionTable(MotionTable),
    /// An animation.
    Animation(Animation),
    /// A setup.
    Setup(Setup),
    /// A mesh.
    GfxObj(GfxObj),
    /// Shapes of rooms.
    Environment(Environment),
    /// A region.
    Region(Region),
    /// The ground of a landblock.
    LandBlock(LandBlock),
    /// What stands on a landblock.
    LandBlockInfo(LandBlockInfo),
    /// A room.
    EnvCell(EnvCell),
    /// The file's iteration.
    Iteration(Iteration),
    /// Anything else, kept as it is.
    Opaque(Vec<u8>),
}

impl AnyObject {
    /// The kinds that the project decodes.
    pub const KINDS: [ObjectKind; 10] = [
        ObjectKind::MotionTable,
        ObjectKind::Animation,
        ObjectKind::Setup,
        ObjectKind::GfxObj,
        ObjectKind::Environment,
        ObjectKind::Region,
        ObjectKind::LandBlock,
        ObjectKind::LandBlockInfo,
        ObjectKind::EnvCell,
        ObjectKind::Iteration,
    ];

    /// Is this a kind that the project decodes?
    pub fn knows(kind: ObjectKind) -> bool {
        Self::KINDS.contains(&kind)
    }

    /// Decodes an object of that kind and id.
    ///
    /// # Errors
    /// When the bytes are not exactly one such object, or it calls itself by another id.
    pub fn decode(kind: ObjectKind, id: DataId, bytes: &[u8]) -> Result<Self, ParseError> {
        fn one<T: DatObject>(id: DataId, bytes: &[u8]) -> Result<T, ParseError> {
            T::decode(bytes)?.check_id(id)
        }
        Ok(match kind {
            ObjectKind::MotionTable => Self::MotionTable(one(id, bytes)?),
            ObjectKind::Animation => Self::Animation(one(id, bytes)?),
            ObjectKind::Setup => Self::Setup(one(id, bytes)?),
            ObjectKind::GfxObj => Self::GfxObj(one(id, bytes)?),
            ObjectKind::Environment => Self::Environment(one(id, bytes)?),
            ObjectKind::Region => Self::Region(one(id, bytes)?),
            ObjectKind::LandBlock => Self::LandBlock(one(id, bytes)?),
            ObjectKind::LandBlockInfo => Self::LandBlockInfo(one(id, bytes)?),
            ObjectKind::EnvCell => Self::EnvCell(one(id, bytes)?),
            ObjectKind::Iteration => Self::Iteration(one(id, bytes)?),
            _ => Self::Opaque(bytes.to_vec()),
        })
    }

    /// Its bytes.
    pub fn encode(&self) -> Vec<u8> {
        match self {
            Self::MotionTable(object) => object.encode(),
            Self::Animation(object) => object.encode(),
            Self::Setup(object) => object.encode(),
            Self::GfxObj(object) => object.encode(),
            Self::Environment(object) => object.encode(),
            Self::Region(object) => object.encode(),
            Self::LandBlock(object) => object.encode(),
            Self::LandBlockInfo(object) => object.encode(),
            Self::EnvCell(object) => object.encode(),
            Self::Iteration(object) => object.encode(),
            Self::Opaque(bytes) => bytes.clone(),
        }
    }
}
