//! Input of all commands: dat files, captures, ids.

use std::fs;
use std::io::Read as _;
use std::path::Path;

use acmotion_dat::{Assets, Dat, DatError, DataId, Entry};
use acmotion_types::{Era, Guid};
use anyhow::{Context as _, anyhow};
use clap::ValueEnum;

/// The argument that names the built-in dataset instead of a dat file.
const BUILT_IN: &str = "mannequin";
/// The argument that names the cell file of the built-in world.
const BUILT_IN_CELLS: &str = "town";
/// The argument that names standard input instead of a file.
const STANDARD_INPUT: &str = "-";

/// Opens a dat file, or a built-in one by its name if there is no file of that name.
pub(crate) fn open_assets(path: &Path) -> anyhow::Result<Assets> {
    if !path.exists() {
        match path.to_str() {
            Some(BUILT_IN) => return Ok(Assets::mannequin()),
            Some(BUILT_IN_CELLS) => return Ok(Assets::town()),
            _ => {}
        }
    }
    Assets::open(path).map_err(|error| match (error, other_format(path)) {
        (error @ DatError::Io { .. }, _) => error.into(),
        (_, Some(format)) => anyhow!("{}: {format}, expected a dat file", path.display()),
        (error, None) => anyhow::Error::from(error).context(path.display().to_string()),
    })
}

/// Returns what a file that is not of the expected format is instead, as far as its first bytes tell.
pub(crate) fn other_format(path: &Path) -> Option<&'static str> {
    let mut start = [0; 4];
    fs::File::open(path).and_then(|mut file| file.read_exact(&mut start)).ok()?;
    Some(match start {
        [0x1F, 0x8B, ..] => "a gzip file (unpack it first)",
        [0x28, 0xB5, 0x2F, 0xFD] => "a zstd file (unpack it first)",
        [b'P', b'K', 3, 4] => "a zip archive (unpack it first)",
        [0xD4, 0xC3, 0xB2, 0xA1]
        | [0xA1, 0xB2, 0xC3, 0xD4]
        | [0x4D, 0x3C, 0xB2, 0xA1]
        | [0xA1, 0xB2, 0x3C, 0x4D] => "a capture",
        [0x0A, 0x0D, 0x0D, 0x0A] => "a capture",
        _ => return None,
    })
}

/// Returns what tells a dat file from others: its name and its size, or the name of the built-in one.
pub(crate) fn file_identity(path: &Path) -> anyhow::Result<String> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    if !path.exists() && [BUILT_IN, BUILT_IN_CELLS].contains(&&*name) {
        return Ok(name.into_owned());
    }
    let metadata = fs::metadata(path).with_context(|| path.display().to_string())?;
    Ok(format!("{name}:{}", metadata.len()))
}

/// Returns the directory entry of an id. An id that the file does not hold is an error.
pub(crate) fn find_entry(dat: &Dat, path: &Path, id: DataId) -> anyhow::Result<Entry> {
    let name = || path.display().to_string();
    let entry = dat.find(id).with_context(name)?;
    entry.ok_or(DatError::NotFound(id)).with_context(name)
}

/// Returns `true` if the path stands for standard input.
pub(crate) fn is_standard_input(path: &Path) -> bool {
    path == Path::new(STANDARD_INPUT)
}

/// Returns the name of an input for messages to the user.
pub(crate) fn input_name(path: &Path) -> String {
    if is_standard_input(path) { String::from("standard input") } else { path.display().to_string() }
}

/// Parses a hexadecimal number of up to eight digits, with or without `0x`.
pub(crate) fn parse_hex(text: &str) -> Result<u32, String> {
    text.parse::<DataId>().map(|id| id.0)
}

/// Parses the guid of an object.
pub(crate) fn parse_guid(text: &str) -> Result<Guid, String> {
    parse_hex(text).map(Guid)
}

/// The client version that defines the numbers of motion commands on the wire.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum EraName {
    /// The end of retail, which today's servers use
    Retail,
    /// September 2013
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
