//! What commands are given: dat files, ids.

use std::path::Path;

use acmotion_dat::{Assets, Dat, DatError, DataId, Entry};
use acmotion_types::Era;
use anyhow::Context as _;
use clap::ValueEnum;

/// The word that stands for the built-in dataset where a dat file is asked for.
const BUILT_IN: &str = "mannequin";
/// The word that stands for the cell file of its world.
const BUILT_IN_CELLS: &str = "town";

/// Opens a dat file, or a built-in one by its name if there is no file of that name.
pub(crate) fn open_assets(path: &Path) -> anyhow::Result<Assets> {
    if !path.exists() {
        match path.to_str() {
            Some(BUILT_IN) => return Ok(Assets::mannequin()),
            Some(BUILT_IN_CELLS) => return Ok(Assets::town()),
            _ => {}
        }
    }
    Assets::open(path).map_err(|error| match error {
        DatError::Io { .. } => error.into(),
        other => anyhow::Error::from(other).context(path.display().to_string()),
    })
}

/// The entry of an id, which must be in the file.
pub(crate) fn entry_of(dat: &Dat, path: &Path, id: DataId) -> anyhow::Result<Entry> {
    let found = dat.find(id).map(|entry| entry.ok_or(id));
    let found = found.with_context(|| path.display().to_string())?;
    found.map_err(|id| anyhow::Error::from(DatError::NotFound(id)).context(path.display().to_string()))
}

/// Hexadecimal, with or without `0x`.
pub(crate) fn parse_hex(text: &str) -> Result<u32, String> {
    text.parse::<DataId>().map(|id| id.0)
}

/// Which client's numbering motion commands follow on the wire.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum EraName {
    /// The last client's, which today's servers speak.
    Retail,
    /// The client's of September 2013.
    #[value(name = "2013")]
    September2013,
}

impl From<EraName> for Era {
    fn from(name: EraName) -> Self {
        match name {
            EraName::Retail => Self::EndOfRetail,
            EraName::September2013 => Self::September2013,
        }
    }
}
