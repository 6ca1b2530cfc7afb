//! `acmotion lab`: the page on which motion is watched and steered.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use acmotion_dat::Assets;
use acmotion_lab::{Capture, Options};
use anyhow::{Context as _, bail};
use clap::Args;
use serde_json::json;

use crate::input::open_assets;
use crate::output::Out;

/// Walk, watch and look into motion on a page of this machine.
///
/// Serves the page on 127.0.0.1 only and opens the browser; Ctrl-C ends it. With nothing given, the built-in mannequin
/// walks in its own town. Whoever has the address with its token can steer: do not pass it on.
///
/// Examples:
///
///   acmotion lab
///
///   acmotion lab --capture walk.pcap
///
///   tcpdump -U -w - udp | acmotion lab --capture -
#[derive(Args)]
pub(crate) struct Arguments {
    /// The dat file with setups, motion tables and meshes; the built-in mannequin if none is given.
    #[arg(long, value_name = "FILE")]
    dat: Option<PathBuf>,
    /// The cell file with the land to walk on; the built-in town if none is given.
    #[arg(long, value_name = "FILE")]
    cell: Option<PathBuf>,
    /// A capture, a result of `replay --json` or `simulate --json`, or a scene to open; `-` follows a capture from
    /// standard input.
    #[arg(long, value_name = "FILE")]
    capture: Option<PathBuf>,
    /// The port to listen at; another one if it is taken.
    #[arg(long, value_name = "N", default_value_t = Options::PORT)]
    port: u16,
    /// Do not open the browser.
    #[arg(long)]
    no_open: bool,
    /// The address as a JSON object.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(arguments: &Arguments, out: &mut Out) -> anyhow::Result<()> {
    if !acmotion_lab::is_there() {
        bail!(acmotion_lab::missing_words());
    }
    let options = Options {
        port: arguments.port,
        capture: arguments.capture.as_deref().map(capture).transpose()?,
        cell: arguments.cell.as_deref().map(|path| named(path, open_assets(path)?)).transpose()?,
        ..options(arguments.dat.as_deref())?
    };
    let mut told = Ok(());
    acmotion_lab::run(options, |address| {
        told = tell(address, arguments, out);
    })?;
    told
}

fn options(dat: Option<&Path>) -> anyhow::Result<Options> {
    Ok(match dat {
        Some(path) => {
            let (assets, name) = named(path, open_assets(path)?)?;
            Options::new(assets, name)
        }
        None => Options::new(Assets::mannequin(), "mannequin"),
    })
}

/// The assets with the name that people know them by.
fn named(path: &Path, assets: Assets) -> anyhow::Result<(Assets, String)> {
    let name = path.file_name().unwrap_or(path.as_os_str());
    Ok((assets, name.to_string_lossy().into_owned()))
}

fn capture(path: &Path) -> anyhow::Result<Capture> {
    if path == Path::new("-") {
        return Ok(Capture::Stream { name: "standard input".into(), input: Box::new(io::stdin()) });
    }
    let bytes = fs::read(path).with_context(|| path.display().to_string())?;
    let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
    Ok(Capture::File { name, bytes })
}

/// Says where the page is, and shows it.
fn tell(address: &str, arguments: &Arguments, out: &mut Out) -> anyhow::Result<()> {
    if arguments.json {
        out.json(&json!({ "address": address }))?;
    } else {
        out.line(format!("The lab is at {address}"))?;
        out.line("Ctrl-C ends it.")?;
    }
    out.finish()?;
    if !arguments.no_open
        && let Err(error) = open::that_detached(address)
    {
        eprintln!("acmotion: the browser could not be opened ({error}): open the address by hand");
    }
    Ok(())
}
