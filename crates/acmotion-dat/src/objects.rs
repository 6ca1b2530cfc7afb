//! The kinds of objects that the crate decodes: one kind per file, fields in file order.

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
mod palette;
mod physics_script;
mod region;
mod render_surface;
mod setup;
mod surface;
mod surface_texture;

pub use animation::{Animation, AnimationFrame};
pub use bsp::{BspKind, BspLeaf, BspNode, BspTree, PlaneNode};
pub use env_cell::{CellPortal, EnvCell, EnvCellFlags, PortalFlags, StaticObject};
pub use environment::{CellStruct, Environment};
pub use gfx_obj::{GfxFlags, GfxObj, Polygon, PolygonTree, Vertex};
pub use hook::{AttackCone, Hook, HookDirection, HookEffect, ParticleSpec, Ramp};
pub use iteration::{Iteration, IterationRange};
pub use keyed::KeyedList;
pub use land_block::{LandBlock, Terrain};
pub use land_block_info::{Building, BuildingPortal, CellRestrictions, LandBlockInfo, LandBlockInfoFlags};
pub use motion_table::{AnimData, MotionData, MotionFlags, MotionTable};
pub use palette::Palette;
pub use physics_script::{PhysicsScript, ScriptHook};
pub use region::Region;
pub use render_surface::{PixelFormat, RenderSurface};
pub use setup::{CylSphere, Light, PartLocation, Setup, SetupFlags, Sphere};
pub use surface::{Surface, SurfaceFill, SurfaceFlags};
pub use surface_texture::SurfaceTexture;

use crate::cursor::Reader;
use crate::error::{ParseError, Problem};
use crate::id::{DataId, ObjectKind};

/// An object that decodes from the bytes of a dat file and encodes to the same bytes.
pub trait DatObject: Sized + Send + Sync + 'static {
    /// The kind of object.
    const KIND: ObjectKind;

    /// Decodes an object. Every byte must belong to it.
    ///
    /// # Errors
    /// Returns an error if the bytes are not exactly one valid object.
    fn decode(bytes: &[u8]) -> Result<Self, ParseError>;

    /// Appends the encoded object to `out`. A decoded object encodes to the bytes it was decoded from.
    fn encode_into(&self, out: &mut Vec<u8>);

    /// Returns the encoded object.
    fn encode(&self) -> Vec<u8> {
        let mut out = Vec::new();
        self.encode_into(&mut out);
        out
    }

    /// Returns the id stored in the object, or `None` for kinds that store none.
    fn own_id(&self) -> Option<DataId>;

    /// Returns the object if its own id, if any, equals `expected`, the id in the directory.
    ///
    /// # Errors
    /// Returns an error if the ids differ.
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

/// Decodes an object with `read` and checks that no bytes are left.
fn decode_whole<T: DatObject>(
    bytes: &[u8],
    read: fn(&mut Reader<'_>) -> Result<T, ParseError>,
) -> Result<T, ParseError> {
    let mut reader = Reader::new(bytes, T::KIND.name());
    let object = read(&mut reader)?;
    reader.finish()?;
    Ok(object)
}

/// An object of any kind. Kinds that the crate does not decode are kept as bytes.
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
    /// An environment: shapes of rooms.
    Environment(Environment),
    /// A region.
    Region(Region),
    /// The terrain of a landblock.
    LandBlock(LandBlock),
    /// A landblock whose entry has no bytes. The game's files contain such entries; they are not damaged.
    EmptyLandBlock(DataId),
    /// The static objects and buildings of a landblock.
    LandBlockInfo(LandBlockInfo),
    /// A room.
    EnvCell(EnvCell),
    /// A physics script.
    PhysicsScript(PhysicsScript),
    /// The iterations of the file.
    Iteration(Iteration),
    /// A surface.
    Surface(Surface),
    /// A texture.
    SurfaceTexture(SurfaceTexture),
    /// An image.
    RenderSurface(RenderSurface),
    /// A palette.
    Palette(Palette),
    /// The bytes of an object of any other kind.
    Opaque(Vec<u8>),
}

impl AnyObject {
    /// The kinds that the crate decodes.
    pub const KINDS: [ObjectKind; 15] = [
        ObjectKind::MotionTable,
        ObjectKind::Animation,
        ObjectKind::Setup,
        ObjectKind::GfxObj,
        ObjectKind::Environment,
        ObjectKind::Region,
        ObjectKind::LandBlock,
        ObjectKind::LandBlockInfo,
        ObjectKind::EnvCell,
        ObjectKind::PhysicsScript,
        ObjectKind::Iteration,
        ObjectKind::Surface,
        ObjectKind::SurfaceTexture,
        ObjectKind::RenderSurface,
        ObjectKind::Palette,
    ];

    /// Returns `true` if the crate decodes objects of this kind.
    pub fn can_decode(kind: ObjectKind) -> bool {
        Self::KINDS.contains(&kind)
    }

    /// Decodes an object of the given kind and id.
    ///
    /// # Errors
    /// Returns an error if the bytes are not exactly one such object, or if it stores a different id.
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
            ObjectKind::LandBlock if bytes.is_empty() => Self::EmptyLandBlock(id),
            ObjectKind::LandBlock => Self::LandBlock(one(id, bytes)?),
            ObjectKind::LandBlockInfo => Self::LandBlockInfo(one(id, bytes)?),
            ObjectKind::EnvCell => Self::EnvCell(one(id, bytes)?),
            ObjectKind::PhysicsScript => Self::PhysicsScript(one(id, bytes)?),
            ObjectKind::Iteration => Self::Iteration(one(id, bytes)?),
            ObjectKind::Surface => Self::Surface(one(id, bytes)?),
            ObjectKind::SurfaceTexture => Self::SurfaceTexture(one(id, bytes)?),
            ObjectKind::RenderSurface => Self::RenderSurface(one(id, bytes)?),
            ObjectKind::Palette => Self::Palette(one(id, bytes)?),
            _ => Self::Opaque(bytes.to_vec()),
        })
    }

    /// Returns the encoded object.
    pub fn encode(&self) -> Vec<u8> {
        match self {
            Self::MotionTable(object) => object.encode(),
            Self::Animation(object) => object.encode(),
            Self::Setup(object) => object.encode(),
            Self::GfxObj(object) => object.encode(),
            Self::Environment(object) => object.encode(),
            Self::Region(object) => object.encode(),
            Self::LandBlock(object) => object.encode(),
            Self::EmptyLandBlock(_) => Vec::new(),
            Self::LandBlockInfo(object) => object.encode(),
            Self::EnvCell(object) => object.encode(),
            Self::PhysicsScript(object) => object.encode(),
            Self::Iteration(object) => object.encode(),
            Self::Surface(object) => object.encode(),
            Self::SurfaceTexture(object) => object.encode(),
            Self::RenderSurface(object) => object.encode(),
            Self::Palette(object) => object.encode(),
            Self::Opaque(bytes) => bytes.clone(),
        }
    }
}
