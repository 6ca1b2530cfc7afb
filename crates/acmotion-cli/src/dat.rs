//! `acmotion dat`: look into a dat file.

mod overview;
mod show;
mod show_animation;
mod show_land;
mod show_table;
mod verify;
mod words;

pub(crate) use words::hook as hook_words;

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use acmotion_dat::{DataId, ObjectKind, mannequin};
use anyhow::{Context as _, bail};
use clap::{Args, Subcommand};
use serde_json::json;

use crate::input::{entry_of, open_assets};
use crate::output::{Out, thousands};

/// Look into a dat file, or write the built-in one.
///
/// FILE may be the word `mannequin` for the built-in dataset, or `town` for the cell file of its world.
#[derive(Subcommand)]
pub(crate) enum Command {
    /// What kind of file it is, and how many objects of each type it holds
    ///
    /// Example: acmotion dat info client_portal.dat
    Info(FileArguments),
    /// Its objects: id, type, size, place
    ///
    /// Example: acmotion dat ls client_portal.dat --type MotionTable
    Ls(ListArguments),
    /// One object, as a person wants to read it
    ///
    /// Example: acmotion dat show mannequin 0x09000001
    Show(ShowArguments),
    /// One object's bytes
    ///
    /// Example: acmotion dat extract client_portal.dat 0x09000001 -o human.bin
    Extract(ExtractArguments),
    /// Parse everything it knows and report each object that fails
    ///
    /// Every object must be readable and encode to the same bytes again; objects of types that are not decoded are read
    /// only.
    ///
    /// Example: acmotion dat verify client_portal.dat
    Verify(FileArguments),
    /// Write the built-in dataset as a real dat file, and its world as another
    ///
    /// Example: acmotion dat mannequin m.dat --cell c.dat
    Mannequin(MannequinArguments),
}

#[derive(Args)]
pub(crate) struct FileArguments {
    /// A dat file, or `mannequin`, or `town`.
    file: PathBuf,
    /// JSON Lines instead of text.
    #[arg(long)]
    json: bool,
}

#[derive(Args)]
pub(crate) struct ListArguments {
    #[command(flatten)]
    common: FileArguments,
    /// Only objects of this type (may be given more than once).
    #[arg(long = "type", value_name = "TYPE")]
    kinds: Vec<ObjectKind>,
}

#[derive(Args)]
pub(crate) struct ShowArguments {
    /// A dat file, or `mannequin`, or `town`.
    file: PathBuf,
    /// The object's id, hexadecimal.
    id: DataId,
    /// Animations: every part of every frame too.
    #[arg(long)]
    parts: bool,
    /// JSON Lines instead of text.
    #[arg(long)]
    json: bool,
}

#[derive(Args)]
pub(crate) struct ExtractArguments {
    /// A dat file, or `mannequin`, or `town`.
    file: PathBuf,
    /// The object's id, hexadecimal.
    id: DataId,
    /// Write to this file instead of standard output.
    #[arg(short, long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Say what was extracted as JSON; without --out the bytes are in it, as hexadecimal.
    #[arg(long)]
    json: bool,
}

#[derive(Args)]
pub(crate) struct MannequinArguments {
    /// Where to write it.
    out: PathBuf,
    /// Where to write the cell file of its world, if anywhere.
    #[arg(long, value_name = "OUT")]
    cell: Option<PathBuf>,
    /// Replace a file that is there already.
    #[arg(long)]
    force: bool,
    /// Say what was written as JSON.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(command: Command, out: &mut Out) -> anyhow::Result<()> {
    match command {
        Command::Info(arguments) => overview::info(&arguments.file, arguments.json, out),
        Command::Ls(arguments) => {
            overview::list(&arguments.common.file, &arguments.kinds, arguments.common.json, out)
        }
        Command::Show(arguments) => show::run(&arguments, out),
        Command::Extract(arguments) => extract(&arguments, out),
        Command::Verify(arguments) => verify::run(&arguments.file, arguments.json, out),
        Command::Mannequin(arguments) => write_mannequin(&arguments, out),
    }
}

fn extract(arguments: &ExtractArguments, out: &mut Out) -> anyhow::Result<()> {
    let assets = open_assets(&arguments.file)?;
    let dat = assets.dat();
    let entry = entry_of(dat, &arguments.file, arguments.id)?;
    let bytes = dat.read(&entry).with_context(|| arguments.file.display().to_string())?;
    let kind = dat.kind_of(entry.id).name();
    match (&arguments.out, arguments.json) {
        (Some(path), _) => fs::write(path, &bytes).with_context(|| path.display().to_string())?,
        (None, false) => return out.bytes(&bytes),
        (None, true) => {}
    }
    let mut said = json!({ "id": entry.id.to_string(), "type": kind, "size": bytes.len() });
    match &arguments.out {
        Some(path) if !arguments.json => {
            let (id, size) = (entry.id, thousands(bytes.len() as u64));
            return out.line(format!("{kind} {id}: {size} bytes written to {}", path.display()));
        }
        Some(path) => said["out"] = path.display().to_string().into(),
        None => said["raw_hex"] = words::hex(&bytes).into(),
    }
    out.json(&said)
}

fn write_mannequin(arguments: &MannequinArguments, out: &mut Out) -> anyhow::Result<()> {
    let mut files = vec![(&arguments.out, mannequin::dat_file())];
    files.extend(arguments.cell.iter().map(|path| (path, mannequin::town::dat_file())));
    for (path, bytes) in &files {
        if !arguments.force && holds_something_else(path, bytes)? {
            bail!("{} exists and is not the mannequin; --force replaces it", path.display());
        }
    }
    for (path, bytes) in files {
        fs::write(path, &bytes).with_context(|| path.display().to_string())?;
        let objects = open_assets(path)?.dat().entries().count();
        if arguments.json {
            out.json(&json!({ "out": path.display().to_string(), "size": bytes.len(), "objects": objects }))?;
        } else {
            let size = thousands(bytes.len() as u64);
            out.line(format!("{}: {objects} objects, {size} bytes", path.display()))?;
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

/// The ground of the built-in town.
const TOWN: DataId = DataId((mannequin::town::HOME as u32) << 16 | 0xFFFF);

/// Is there a file whose content would be lost?
fn holds_something_else(path: &Path, bytes: &[u8]) -> anyhow::Result<bool> {
    match fs::metadata(path) {
        Ok(found) if found.len() != bytes.len() as u64 => Ok(found.is_file()),
        Ok(_) => Ok(fs::read(path).with_context(|| path.display().to_string())? != bytes),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error).with_context(|| path.display().to_string()),
    }
}
