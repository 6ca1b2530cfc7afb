//! A world as bytes, and back (feature `serde`).
//!
//! The bytes are a header of fixed size and the state, which [postcard](https://docs.rs/postcard) writes: integers of
//! variable length, floating-point numbers by their bits. The library is not in them. Its handles stay valid because the
//! bytes list what was loaded, in order, and loading the same again gives the same handles; a fingerprint verifies that.
//!
//! Everything that is read is checked before it becomes a world: the bytes may come from anywhere.

mod error;
mod extras;
mod saved;

use std::borrow::Cow;
use std::sync::Arc;

use acmotion_dat::Assets;
use acmotion_types::Guid;

pub use error::RestoreError;
use extras::SavedExtras;
use saved::SavedWorld;

use super::asset_cache::AssetCache;
use super::store::Store;
use super::{PhysicsGate, Resident, Settings, World};
use crate::collide::Surroundings;
use crate::interp::{UndescribedPlayer, Weenie};
use crate::library::Library;
use crate::restore::{Checked, Checksum, require, require_finite};

/// The first bytes of a snapshot.
const MAGIC: [u8; 4] = *b"ACMW";
/// The version of the format. It changes whenever the state of a world does.
const VERSION: u32 = 2;
/// The size of the header, in bytes: magic, version, length of the state and its checksum.
const HEADER: usize = 4 + 4 + 8 + 8;

impl World {
    /// Returns the whole state of the world as bytes, for save games, rollback across machines, or bug reports:
    /// [`restore`](Self::restore) gives a world that has the same future, bit for bit, if it receives the same messages at
    /// the same times. To keep a state within a process, cloning the world is simpler and faster.
    ///
    /// The bytes contain all entities, the local player with its keys and requests, messages that wait, and the events and
    /// outbound messages that have not been drained. They do not contain
    ///
    /// - the assets, the surroundings, and weenies of the caller's own types, which are passed to `restore` again;
    /// - the [guard](super::Settings::house_guard) of houses: [set](Self::set_house_guard) it again;
    /// - the [presentation](Self::set_presentation) of remotes: set it again. Comfort then starts from where they are
    ///   simulated;
    /// - [explanations](Self::explain), which are off in the restored world;
    /// - what is [presented](Self::present) between ticks, which starts anew.
    ///
    /// Equal states give equal bytes, with comfort or without.
    ///
    /// ```
    /// use acmotion::World;
    /// use acmotion::dat::Assets;
    /// use acmotion::types::{CellId, CellPosition, Guid, Vec3};
    ///
    /// let mut world = World::new(Assets::mannequin());
    /// let position = CellPosition::at(CellId(0xA9B4_0001), Vec3::new(12.0, 12.0, 94.0));
    /// let id = world.add_stand_in(Guid(0x5000_0001), &position, 0.0);
    ///
    /// let bytes = world.snapshot();
    /// let mut restored = World::restore(&bytes, Assets::mannequin(), None)?;
    /// for world in [&mut world, &mut restored] {
    ///     world.tick(1.0 / 30.0);
    /// }
    /// assert_eq!(world.snapshot(), restored.snapshot());
    /// # Ok::<(), acmotion::RestoreError>(())
    /// ```
    pub fn snapshot(&self) -> Vec<u8> {
        let bytes = vec![0; HEADER];
        let mut bytes = match postcard::to_extend(&SavedWorld::of(self), bytes) {
            Ok(bytes) => bytes,
            Err(error) => unreachable!("every state can be written: {error}"),
        };
        if let Some(extras) = SavedExtras::of(self) {
            bytes = match postcard::to_extend(&extras, bytes) {
                Ok(bytes) => bytes,
                Err(error) => unreachable!("every state can be written: {error}"),
            };
        }
        seal_snapshot(&mut bytes);
        bytes
    }

    /// Returns the world of a [`snapshot`](Self::snapshot), with the same assets and surroundings as the world that it was
    /// taken of.
    ///
    /// # Errors
    /// If the bytes are not a snapshot of this version, are damaged or contradict themselves; if the assets lack an object
    /// or have another in its place; if the surroundings have obstacles where there were none, or the other way round; or
    /// if an entity had a [`Weenie`] of the caller's own type: see [`restore_with`](Self::restore_with). The bytes need not
    /// come from a trusted source.
    pub fn restore(
        bytes: &[u8],
        assets: Assets,
        surroundings: Option<Arc<dyn Surroundings + Send + Sync>>,
    ) -> Result<Self, RestoreError> {
        Self::restore_with(bytes, assets, surroundings, |_| None)
    }

    /// [Restores](Self::restore) a world in which entities have weenies of the caller's own types, which the bytes do not
    /// contain: `weenie_of` is called with the guid of each, in the order of [`entities`](Self::entities), and returns the
    /// weenie as it was. The local player is first, [`Guid::NONE`] if it was not known. `PlayerWeenie`, `RemoteWeenie` and
    /// `UndescribedPlayer` are restored without a call.
    ///
    /// # Errors
    /// Those of [`restore`](Self::restore), and [`RestoreError::Weenie`] if `weenie_of` returns `None`.
    pub fn restore_with(
        bytes: &[u8],
        assets: Assets,
        surroundings: Option<Arc<dyn Surroundings + Send + Sync>>,
        mut weenie_of: impl FnMut(Guid) -> Option<Arc<dyn Weenie>>,
    ) -> Result<Self, RestoreError> {
        let (saved, rest) = postcard::take_from_bytes::<SavedWorld<'_>>(state_of(bytes)?)?;
        let extras = SavedExtras::read(rest)?;
        let has_obstacles = surroundings.as_ref().is_some_and(|around| around.has_obstacles());
        if has_obstacles != saved.collides {
            return Err(RestoreError::Surroundings { expected: saved.collides });
        }
        let (library, assets) = restore_library(&saved, assets)?;
        let mut world = saved.restore(library, assets, surroundings, &mut weenie_of)?;
        if let Some(extras) = extras {
            extras.restore(&mut world)?;
        }
        Ok(world)
    }
}

/// Writes the header of a snapshot in front of its state, over the first bytes. Fewer bytes than a header stay as they are.
pub fn seal_snapshot(bytes: &mut [u8]) {
    let Some((header, state)) = bytes.split_at_mut_checked(HEADER) else { return };
    header[..4].copy_from_slice(&MAGIC);
    header[4..8].copy_from_slice(&VERSION.to_le_bytes());
    header[8..16].copy_from_slice(&(state.len() as u64).to_le_bytes());
    header[16..].copy_from_slice(&Checksum::of(state).to_le_bytes());
}

/// Returns the state behind the header, after checking the header.
fn state_of(bytes: &[u8]) -> Result<&[u8], RestoreError> {
    let magic =
        bytes.get(..4).ok_or(RestoreError::Truncated { expected: HEADER as u64, found: bytes.len() })?;
    if magic != MAGIC {
        return Err(RestoreError::NotASnapshot);
    }
    let truncated = |expected| RestoreError::Truncated { expected, found: bytes.len() };
    let number = |at: usize| bytes.get(at..)?.first_chunk::<8>().map(|bytes| u64::from_le_bytes(*bytes));
    let version =
        bytes.get(4..).and_then(|rest| rest.first_chunk::<4>()).ok_or_else(|| truncated(HEADER as u64))?;
    let version = u32::from_le_bytes(*version);
    if version != VERSION {
        return Err(RestoreError::Version { found: version, expected: VERSION });
    }
    let (Some(length), Some(checksum)) = (number(8), number(16)) else {
        return Err(truncated(HEADER as u64));
    };
    let expected = length.saturating_add(HEADER as u64);
    match (bytes.len() as u64).checked_sub(expected) {
        None => return Err(truncated(expected)),
        Some(0) => {}
        Some(count) => return Err(RestoreError::TrailingBytes { count }),
    }
    let state = &bytes[HEADER..];
    if Checksum::of(state) == checksum { Ok(state) } else { Err(RestoreError::Checksum) }
}

/// Loads what the world had loaded, in the same order, so that its handles mean the same.
fn restore_library(saved: &SavedWorld<'_>, assets: Assets) -> Result<(Library, AssetCache), RestoreError> {
    let mut library = Library::new();
    let assets = AssetCache::new(assets, &mut library);
    for load in saved.loads.iter() {
        let loaded = library.load(assets.assets(), *load);
        loaded.map_err(|(id, source)| RestoreError::Asset { id, source })?;
    }
    if library.loads() != &*saved.loads || library.fingerprint() != saved.fingerprint {
        return Err(RestoreError::OtherAssets);
    }
    Ok((library, assets))
}
