//! The options of all commands that run captures through the engine.

use std::path::PathBuf;

use acmotion_dat::Assets;
use acmotion_types::Guid;
use clap::Args;

use crate::input::{EraName, open_assets, parse_guid};

/// What a capture is replayed with.
#[derive(Args)]
pub(crate) struct ReplayOptions {
    /// The dat file with setups and motion tables. Without it, the built-in mannequin is used.
    #[arg(long, value_name = "FILE")]
    pub(crate) dat: Option<PathBuf>,
    /// The cell file with land and rooms, or `town` for the built-in one. Heights, meshes and shapes of rooms come from
    /// --dat.
    #[arg(long, value_name = "FILE")]
    pub(crate) cell: Option<PathBuf>,
    /// The guid of the local player, if the capture does not name it.
    #[arg(long = "self", value_name = "GUID", value_parser = parse_guid)]
    pub(crate) player: Option<Guid>,
    /// The client version of the capture: it decides which numbers stand for which motion commands.
    #[arg(long, default_value = "retail", value_enum)]
    pub(crate) era: EraName,
}

impl ReplayOptions {
    /// Opens the dat file, or the built-in one.
    pub(crate) fn assets(&self) -> anyhow::Result<Assets> {
        self.dat.as_deref().map_or_else(|| Ok(Assets::mannequin()), open_assets)
    }
}
