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
/// FILE may be the word `mannequin` for the built-in dataset.
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
    /// Write the built-in dataset as a real dat file
    ///
    /// Example: acmotion dat mannequin m.dat
    Mannequin(MannequinArguments),
}

#[derive(Args)]
pub(crate) struct FileArguments {
    /// A dat file, or `mannequin`.
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
    /// A dat file, or `mannequin`.
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
    /// A dat file, or `mannequin`.
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
    let bytes = mannequin::dat_file();
    let path = &arguments.out;
    if !arguments.force && holds_something_else(path, &bytes)? {
        bail!("{} exists and is not the mannequin; --force replaces it", path.display());
    }
    fs::write(path, &bytes).with_context(|| path.display().to_string())?;
    let assets = open_assets(path)?;
    let objects = assets.dat().entries().count();
    if arguments.json {
        return out.json(&json!({
            "out": path.display().to_string(), "size": bytes.len(), "objects": objects,
        }));
    }
    let (file, size) = (path.display(), thousands(bytes.len() as u64));
    out.line(format!("{file}: {objects} objects, {size} bytes"))?;
    out.line(format!("  human: setup {}, motion table {}", mannequin::HUMAN_SETUP, mannequin::HUMAN_TABLE))?;
    out.line(format!("  try: acmotion dat show {file} {}", mannequin::HUMAN_TABLE))
}

/// Is there a file whose content would be lost?
fn holds_something_else(path: &Path, bytes: &[u8]) -> anyhow::Result<bool> {
    match fs::metadata(path) {
        Ok(found) if found.len() != bytes.len() as u64 => Ok(found.is_file()),
        Ok(_) => Ok(fs::read(path).with_context(|| path.display().to_string())? != bytes),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error).with_context(|| path.display().to_string()),
    }
}
