//! The colour of a surface.

use acmotion::dat::{Assets, DataId};

/// The colour of a surface that is textured or missing.
const UNKNOWN: u32 = 0xFFB8_B0A4;
/// The flag of a surface with a single colour (`docs/dat.md` §5).
const SOLID: u32 = 1;
/// The flags of the two kinds of textured surfaces.
const TEXTURED: u32 = 2 | 4;

/// Returns the colour of a surface (0x08…) as 0xAARRGGBB, opaque.
pub(super) fn colour(assets: &Assets, surface: DataId) -> u32 {
    solid_colour(assets, surface).map_or(UNKNOWN, |colour| colour | 0xFF00_0000)
}

fn solid_colour(assets: &Assets, surface: DataId) -> Option<u32> {
    let entry = assets.dat().find(surface).ok()??;
    let bytes = assets.dat().read(&entry).ok()?;
    let word = |offset: usize| bytes.get(offset..)?.first_chunk().map(|chunk| u32::from_le_bytes(*chunk));
    let kind = word(0)?;
    if kind & SOLID != 0 && kind & TEXTURED == 0 { word(4) } else { None }
}
