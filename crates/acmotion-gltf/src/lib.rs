#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]
#![cfg_attr(not(test), warn(clippy::unwrap_used, clippy::expect_used))]

mod builder;
mod document;
mod figure;
pub mod geometry;
mod land;
mod material;
mod model;
mod png;
mod sample;
mod sidecar;
mod texture;

pub use builder::{MAX_ACCESSORS, MAX_BYTES, MAX_NODES};
pub use figure::{FigureOptions, Held, all_motions, figure};
pub use land::land_block;
pub use sample::{Extent, MAX_MOTION_SECONDS};
pub use sidecar::{MAX_HOOKS, MAX_POSES};
pub use texture::MAX_SIDE;

use acmotion::dat::{DatError, DataId};
use acmotion::query::Undefined;
use acmotion::types::MotionCommand;
use thiserror::Error;

/// A glTF file, and what it cannot hold or only holds as extras.
#[derive(Clone, PartialEq, Debug)]
pub struct Export {
    /// The bytes of the .glb file.
    pub glb: Vec<u8>,
    /// The sidecar: animations with their hooks and attacks, nodes, held things, what is missing (`docs/gltf.md`).
    pub sidecar: serde_json::Value,
}

/// How poses change between key frames.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Interpolation {
    /// Each key frame shows until the next one, as in the original (rule H14).
    #[default]
    Step,
    /// Positions and rotations are interpolated.
    Linear,
}

/// What becomes of the movement of a body by its animations.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum RootMotion {
    /// It moves the node of the body.
    #[default]
    Node,
    /// The body stays in place.
    InPlace,
}

/// The error of an export.
#[derive(Clone, PartialEq, Debug, Error)]
#[non_exhaustive]
pub enum GltfError {
    /// An object could not be read.
    #[error(transparent)]
    Dat(#[from] DatError),
    /// The motion table does not have a motion.
    #[error("motion table {table}: {undefined}")]
    Undefined {
        /// The motion table.
        table: DataId,
        /// The motion.
        undefined: Undefined,
    },
    /// Motions were asked for, but there is no motion table.
    #[error("setup {0} has no default motion table; name one that its parts fit")]
    NoTable(DataId),
    /// A thing is to be held where nothing can be.
    #[error("setup {setup} has no holding location {location}; it has {}", list(known))]
    NoLocation {
        /// The setup that should hold it.
        setup: DataId,
        /// The holding location.
        location: u32,
        /// The locations that there are.
        known: Vec<i32>,
    },
    /// A motion lasts too long.
    #[error(
        "{motion} in style {style} lasts more than {MAX_MOTION_SECONDS} s; give another speed, or leave it out"
    )]
    TooLong {
        /// The style.
        style: MotionCommand,
        /// The motion.
        motion: MotionCommand,
    },
    /// The scale is not a positive number.
    #[error("the scale must be a positive number, found {0}")]
    Scale(f32),
    /// A landblock has neither terrain nor rooms.
    #[error("there is no landblock 0x{0:04X} in the cell file")]
    NoLandBlock(u16),
    /// The file would be too large.
    #[error("the file would have more than {max} {what}; export fewer motions or things")]
    TooLarge {
        /// What there is too much of.
        what: &'static str,
        /// The maximum.
        max: usize,
    },
}

fn list(keys: &[i32]) -> String {
    if keys.is_empty() {
        return String::from("none");
    }
    keys.iter().map(i32::to_string).collect::<Vec<_>>().join(", ")
}
