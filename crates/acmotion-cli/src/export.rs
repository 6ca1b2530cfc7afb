//! `acmotion export`: writes what other programs read.

mod gltf;
mod tables;

use clap::Subcommand;

use crate::output::Out;
pub(crate) use tables::default_format;

/// Write captures as tables, and figures and landblocks as glTF.
#[derive(Subcommand)]
#[command(after_help = "\
Examples:
  acmotion export tables captures/ --out tables
  acmotion export gltf mannequin 0x02000001 --motion NonCombat WalkForward -o walk.glb")]
pub(crate) enum Command {
    Gltf(gltf::Arguments),
    Tables(tables::Arguments),
}

pub(crate) fn run(command: &Command, out: &mut Out) -> anyhow::Result<()> {
    match command {
        Command::Gltf(arguments) => gltf::run(arguments, out),
        Command::Tables(arguments) => tables::run(arguments, out),
    }
}
