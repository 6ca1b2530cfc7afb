//! `acmotion export`: writes what other programs read.

mod tables;

use clap::Subcommand;

use crate::output::Out;

/// Write what other programs read: tables.
#[derive(Subcommand)]
#[command(after_help = "\
Example:
  acmotion export tables captures/ --out tables")]
pub(crate) enum Command {
    Tables(tables::Arguments),
}

pub(crate) fn run(command: &Command, out: &mut Out) -> anyhow::Result<()> {
    match command {
        Command::Tables(arguments) => tables::run(arguments, out),
    }
}
