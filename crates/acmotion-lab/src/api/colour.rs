//! The colour of a surface.

use acmotion::dat::{Assets, DataId};

/// What is drawn where a surface is a picture, or not there.
const UNKNOWN: u32 = 0xFFB8_B0A4;
/// The surface is one colour (`docs/dat.md` §5).
const SOLID: u32 = 1;
/// The surface is a picture, one of two kinds.
const PICTURE: u32 = 2 | 4;

/// Red, green and blue below the alpha of a surface (0x08).
pub(super) fn colour(assets: &Assets, surface: DataId) -> u32 {
    read(assets, surface).map_or(UNKNOWN, |colour| colour | 0xFF00_0000)
}

fn read(assets: &Assets, surface: DataId) -> Option<u32> {
    let entry = assets.dat().find(surface).ok()??;
    let bytes = assets.dat().read(&entry).ok()?;
    let word = |at: usize| bytes.get(at..)?.first_chunk().map(|chunk| u32::from_le_bytes(*chunk));
    let kind = word(0)?;
    if kind & SOLID != 0 && kind & PICTURE == 0 { word(4) } else { None }
}
