//! Why bytes are not a world.

use acmotion_dat::{DatError, DataId};
use acmotion_types::Guid;
use thiserror::Error;

/// Why a [`World`](crate::World) could not be restored from bytes.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum RestoreError {
    /// The bytes do not start like a snapshot.
    #[error("not a snapshot of a world: the first bytes are not \"ACMW\"")]
    NotASnapshot,
    /// The snapshot was written by another version of the crate.
    #[error("a snapshot of version {found}; this version of acmotion reads only version {expected}")]
    Version {
        /// The version of the bytes.
        found: u32,
        /// The version that can be read.
        expected: u32,
    },
    /// Bytes are missing at the end.
    #[error("truncated: {found} bytes of {expected}")]
    Truncated {
        /// The number of bytes expected.
        expected: u64,
        /// The number of bytes found.
        found: usize,
    },
    /// There are bytes after the end.
    #[error("{count} bytes after the end of the snapshot")]
    TrailingBytes {
        /// The number of bytes.
        count: u64,
    },
    /// The bytes were changed since they were written.
    #[error("damaged: the checksum does not match")]
    Checksum,
    /// The state cannot be decoded.
    #[error("the state cannot be decoded")]
    Malformed(#[from] postcard::Error),
    /// The state contradicts itself.
    #[error("invalid state: {what}{}", of_entity(*guid))]
    Invalid {
        /// What is wrong.
        what: &'static str,
        /// The entity, if it concerns one.
        guid: Option<Guid>,
    },
    /// The assets lack an object that the world had loaded.
    #[error("{id} cannot be loaded; restore a world with the assets that it was saved with")]
    Asset {
        /// The object.
        id: DataId,
        /// Why it cannot be loaded.
        source: DatError,
    },
    /// The assets differ from those of the saved world.
    #[error("other assets: restore a world with the assets that it was saved with")]
    OtherAssets,
    /// The surroundings differ from those of the saved world.
    #[error("the surroundings must{} have obstacles, as those of the saved world", if *expected { "" } else { " not" })]
    Surroundings {
        /// Whether the surroundings of the saved world had obstacles.
        expected: bool,
    },
    /// An entity had a weenie of a type that a snapshot does not contain, and none was given.
    #[error("the weenie of {guid} is not in the snapshot: use `World::restore_with`")]
    Weenie {
        /// The entity.
        guid: Guid,
    },
}

impl From<&'static str> for RestoreError {
    fn from(what: &'static str) -> Self {
        Self::Invalid { what, guid: None }
    }
}

/// Returns the end of a sentence that names an entity.
fn of_entity(guid: Option<Guid>) -> String {
    guid.map(|guid| format!(" (entity {guid})")).unwrap_or_default()
}
