//! `acmotion dat`: look into a dat file.

use clap::Subcommand;

use crate::output::Out;

/// Look into a dat file.
#[derive(Subcommand)]
pub(crate) enum Command {
    Info,
}

pub(crate) fn run(_command: Command, _out: &mut Out) -> anyhow::Result<()> {
    Ok(())
}
