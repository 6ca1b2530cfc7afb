//! `acmotion lab`: serves the page of the motion lab.

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

/// Walk, replay captures and browse motion tables on a local web page.
///
/// Serves the page on 127.0.0.1 only and opens it in the browser; press Ctrl-C to stop. Without options, the built-in
/// mannequin walks in its own town. Do not share the address: anyone who has it can control the lab.
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
    /// The dat file with setups, motion tables and meshes [default: the built-in mannequin].
    #[arg(long, value_name = "FILE")]
    dat: Option<PathBuf>,
    /// The cell file with the land to walk on [default: the built-in town].
    #[arg(long, value_name = "FILE")]
    cell: Option<PathBuf>,
    /// A recording to open: a capture, the output of `replay --json` or `simulate --json`, or a scenario; `-` follows a
    /// capture on standard input.
    #[arg(long, value_name = "FILE")]
    capture: Option<PathBuf>,
    /// The port to listen at; if it is in use, a free one is chosen.
    #[arg(long, value_name = "N", default_value_t = Options::PORT)]
    port: u16,
    /// Do not open the browser.
    #[arg(long)]
    no_open: bool,
    /// Print the address as a JSON object.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(arguments: &Arguments, out: &mut Out) -> anyhow::Result<()> {
    if !acmotion_lab::has_page() {
        bail!(acmotion_lab::MISSING_PAGE);
    }
    let options = Options {
        port: arguments.port,
        capture: arguments.capture.as_deref().map(capture).transpose()?,
        cell: arguments.cell.as_deref().map(named_assets).transpose()?,
        ..options(arguments.dat.as_deref())?
    };
    let mut announced = Ok(());
    acmotion_lab::run(options, |address| announced = announce(address, arguments, out))?;
    announced
}

fn options(dat: Option<&Path>) -> anyhow::Result<Options> {
    Ok(match dat {
        Some(path) => {
            let (assets, name) = named_assets(path)?;
            Options::new(assets, name)
        }
        None => Options::new(Assets::mannequin(), "mannequin"),
    })
}

/// Opens a dat file. Returns its assets and the name of the file.
fn named_assets(path: &Path) -> anyhow::Result<(Assets, String)> {
    Ok((open_assets(path)?, file_name(path)))
}

fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}

fn capture(path: &Path) -> anyhow::Result<Capture> {
    if path == Path::new("-") {
        return Ok(Capture::Stream { name: "standard input".into(), input: Box::new(io::stdin()) });
    }
    let bytes = fs::read(path).with_context(|| path.display().to_string())?;
    Ok(Capture::File { name: file_name(path), bytes })
}

/// Prints the address and opens it in the browser.
fn announce(address: &str, arguments: &Arguments, out: &mut Out) -> anyhow::Result<()> {
    if arguments.json {
        out.json(&json!({ "address": address }))?;
    } else {
        out.line(format!("The lab is at {address}"))?;
        out.line("Press Ctrl-C to stop.")?;
    }
    out.finish()?;
    if !arguments.no_open
        && let Err(error) = open::that_detached(address)
    {
        eprintln!("acmotion: cannot open the browser ({error}): open the address yourself");
    }
    Ok(())
}
