//! `acmotion dat`: inspects dat files and writes the built-in one.

mod format;
mod overview;
mod show;
mod show_animation;
mod show_land;
mod show_surface;
mod show_table;
mod verify;

pub(crate) use format::hook as describe_hook;

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use acmotion_dat::{DataId, ObjectKind, mannequin};
use anyhow::{Context as _, bail};
use clap::{Args, Subcommand};
use serde_json::json;

use crate::input::{find_entry, open_assets};
use crate::names::Named;
use crate::output::{Out, OutFile, counted, write_files};

/// Inspect a dat file, or write the built-in one.
///
/// FILE may also be `mannequin` for the built-in dataset, or `town` for the cell file of its world.
#[derive(Subcommand)]
#[command(after_help = "\
Example:
  acmotion dat show mannequin 0x09000001")]
pub(crate) enum Command {
    /// Show the header and the number of objects of each type
    #[command(after_help = "Example:\n  acmotion dat info client_portal.dat")]
    Info(FileArguments),
    /// List the objects with their id, type, size and offset
    #[command(after_help = "Example:\n  acmotion dat ls client_portal.dat --type MotionTable")]
    Ls(ListArguments),
    /// Show one object in readable form
    #[command(after_help = "Example:\n  acmotion dat show mannequin 0x09000001")]
    Show(ShowArguments),
    /// Write the bytes of one object to a file or to standard output
    #[command(after_help = "Example:\n  acmotion dat extract client_portal.dat 0x09000001 -o human.bin")]
    Extract(ExtractArguments),
    /// Decode every object and report each one that fails
    ///
    /// Each object has to be readable and has to encode to the same bytes again. Objects of types that acmotion does not
    /// decode are only read.
    #[command(after_help = "Example:\n  acmotion dat verify client_portal.dat")]
    Verify(FileArguments),
    /// Write the built-in dataset as a dat file, and its world as a cell file
    #[command(after_help = "Example:\n  acmotion dat mannequin m.dat --cell c.dat")]
    Mannequin(MannequinArguments),
}

#[derive(Args)]
pub(crate) struct FileArguments {
    /// A dat file, or `mannequin` or `town` for a built-in one.
    file: PathBuf,
    /// Print JSON Lines instead of text.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    out_file: OutFile,
}

#[derive(Args)]
pub(crate) struct ListArguments {
    #[command(flatten)]
    common: FileArguments,
    /// List only objects of this type, such as MotionTable. Can be given more than once.
    #[arg(long = "type", value_name = "TYPE", hide_possible_values = true)]
    #[arg(value_parser = Named::new(str::parse::<ObjectKind>, || ObjectKind::ALL.iter().map(|kind| kind.name()).collect()))]
    kinds: Vec<ObjectKind>,
}

#[derive(Args)]
pub(crate) struct ShowArguments {
    /// A dat file, or `mannequin` or `town` for a built-in one.
    file: PathBuf,
    /// The id of the object, hexadecimal.
    id: DataId,
    /// For an animation, also show every part of every frame.
    #[arg(long)]
    parts: bool,
    /// Print JSON Lines instead of text.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    out_file: OutFile,
}

#[derive(Args)]
pub(crate) struct ExtractArguments {
    /// A dat file, or `mannequin` or `town` for a built-in one.
    file: PathBuf,
    /// The id of the object, hexadecimal.
    id: DataId,
    /// Write to this file instead of standard output.
    #[arg(short, long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Describe the extracted object as JSON, with its bytes in hexadecimal unless --out is given.
    #[arg(long)]
    json: bool,
}

#[derive(Args)]
pub(crate) struct MannequinArguments {
    /// The dat file to write.
    out: PathBuf,
    /// Also write the cell file of the built-in world, to this file.
    #[arg(long, value_name = "OUT")]
    cell: Option<PathBuf>,
    /// Replace files that exist.
    #[arg(long)]
    force: bool,
    /// Describe the written files as JSON.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(command: Command, out: &mut Out) -> anyhow::Result<()> {
    match command {
        Command::Info(arguments) => {
            out.redirect(&arguments.out_file, false)?;
            overview::info(&arguments.file, arguments.json, out)
        }
        Command::Ls(arguments) => {
            out.redirect(&arguments.common.out_file, false)?;
            overview::list(&arguments.common.file, &arguments.kinds, arguments.common.json, out)
        }
        Command::Show(arguments) => {
            out.redirect(&arguments.out_file, false)?;
            show::run(&arguments, out)
        }
        Command::Extract(arguments) => extract(&arguments, out),
        Command::Verify(arguments) => {
            out.redirect(&arguments.out_file, false)?;
            verify::run(&arguments.file, arguments.json, out)
        }
        Command::Mannequin(arguments) => write_mannequin(&arguments, out),
    }
}

fn extract(arguments: &ExtractArguments, out: &mut Out) -> anyhow::Result<()> {
    let assets = open_assets(&arguments.file)?;
    let dat = assets.dat();
    let entry = find_entry(dat, &arguments.file, arguments.id)?;
    let bytes = dat.read(&entry).with_context(|| arguments.file.display().to_string())?;
    let kind = dat.kind_of(entry.id).name();
    match (&arguments.out, arguments.json) {
        (Some(path), _) => write_files(&[(path, &bytes)])?,
        (None, false) => return out.bytes(&bytes),
        (None, true) => {}
    }
    let mut description = json!({ "id": entry.id.to_string(), "type": kind, "size": bytes.len() });
    match &arguments.out {
        Some(path) if !arguments.json => {
            let (id, size) = (entry.id, counted(bytes.len(), "byte"));
            return out.line(format!("{kind} {id}: {size} written to {}", path.display()));
        }
        Some(path) => description["out"] = path.display().to_string().into(),
        None => description["raw_hex"] = format::hex(&bytes).into(),
    }
    out.json(&description)
}

fn write_mannequin(arguments: &MannequinArguments, out: &mut Out) -> anyhow::Result<()> {
    let mut files = vec![(&arguments.out, mannequin::dat_file())];
    files.extend(arguments.cell.iter().map(|path| (path, mannequin::town::dat_file())));
    for (path, bytes) in &files {
        if !arguments.force && holds_other_content(path, bytes)? {
            bail!("{} exists with other content; --force replaces it", path.display());
        }
    }
    for (path, bytes) in files {
        write_files(&[(path, &bytes)])?;
        let objects = open_assets(path)?.dat().entries().count();
        if arguments.json {
            out.json(&json!({ "out": path.display().to_string(), "size": bytes.len(), "objects": objects }))?;
        } else {
            let (objects, size) = (counted(objects, "object"), counted(bytes.len(), "byte"));
            out.line(format!("{}: {objects}, {size}", path.display()))?;
        }
    }
    if arguments.json {
        return Ok(());
    }
    let (setup, table) = (mannequin::HUMAN_SETUP, mannequin::HUMAN_TABLE);
    out.line(format!("  human: setup {setup}, motion table {table}"))?;
    out.line(format!("  try: acmotion dat show {} {table}", arguments.out.display()))?;
    match &arguments.cell {
        Some(cells) => out.line(format!("  try: acmotion dat show {} {TOWN}", cells.display())),
        None => Ok(()),
    }
}

/// The landblock of the built-in town.
const TOWN: DataId = DataId((mannequin::town::HOME_BLOCK as u32) << 16 | 0xFFFF);

/// Returns `true` if a file exists whose content would be lost.
fn holds_other_content(path: &Path, bytes: &[u8]) -> anyhow::Result<bool> {
    match fs::metadata(path) {
        Ok(found) if found.len() != bytes.len() as u64 => Ok(found.is_file()),
        Ok(_) => Ok(fs::read(path).with_context(|| path.display().to_string())? != bytes),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error).with_context(|| path.display().to_string()),
    }
}
