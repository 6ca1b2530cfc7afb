//! `acmotion lab`: serves the page of the motion lab.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use acmotion_dat::Assets;
use acmotion_lab::{Capture, Options};
use anyhow::{Context as _, bail};
use clap::Args;
use serde_json::json;

use crate::captures::find_one;
use crate::input::{is_standard_input, open_assets};
use crate::output::Out;

/// Walk, replay captures and browse motion tables on a local web page.
///
/// Serves the page on 127.0.0.1 only and opens it in the browser; press Ctrl-C to stop. Without options, the built-in
/// mannequin walks in its own town. Do not share the address: anyone who has it can control the lab.
#[derive(Args)]
#[command(after_help = "\
Examples:
  acmotion lab
  acmotion lab --capture walk.pcap
  tcpdump -U -w - udp | acmotion lab --live -
  acmotion lab --export site")]
pub(crate) struct Arguments {
    /// The dat file with setups, motion tables and meshes [default: the built-in mannequin].
    #[arg(long, value_name = "FILE")]
    dat: Option<PathBuf>,
    /// The cell file with the land to walk on [default: the built-in town].
    #[arg(long, value_name = "FILE")]
    cell: Option<PathBuf>,
    /// A recording to open: a capture, the output of `replay --json` or `simulate --json`, or a scenario, plain or as .gz,
    /// .zst or .zip; `-` follows a capture on standard input.
    #[arg(long, value_name = "FILE")]
    capture: Option<PathBuf>,
    /// A capture that is still being written, which the page follows while the game runs; `-` for standard input. The last
    /// hour is kept.
    #[arg(long, value_name = "FILE", conflicts_with = "capture")]
    live: Option<PathBuf>,
    /// Write the page into a folder, for any host of static files, and stop. The lab then runs in the browser, without a
    /// server, and files that are opened there never leave it. Files of the same names are replaced.
    #[arg(long, value_name = "DIR", conflicts_with_all = ["dat", "cell", "capture", "live", "port", "no_open"])]
    export: Option<PathBuf>,
    /// The port to listen at; if it is in use, a free one is chosen.
    #[arg(long, value_name = "N", default_value_t = Options::PORT)]
    port: u16,
    /// Do not open the browser.
    #[arg(long)]
    no_open: bool,
    /// Print the address, or what was written, as a JSON object.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(arguments: &Arguments, out: &mut Out) -> anyhow::Result<()> {
    if let Some(folder) = &arguments.export {
        return export(folder, arguments.json, out);
    }
    if !acmotion_lab::has_page() {
        bail!(acmotion_lab::MISSING_PAGE);
    }
    let recording = match (&arguments.live, &arguments.capture) {
        (Some(path), _) => Some(live(path)?),
        (None, Some(path)) => Some(capture(path)?),
        (None, None) => None,
    };
    let options = Options {
        port: arguments.port,
        capture: recording,
        cell: arguments.cell.as_deref().map(named_assets).transpose()?,
        ..options(arguments.dat.as_deref())?
    };
    let mut announced = Ok(());
    acmotion_lab::run(options, |address| announced = announce(address, arguments, out))?;
    announced
}

/// Writes the page that needs no server.
fn export(folder: &Path, json: bool, out: &mut Out) -> anyhow::Result<()> {
    if !acmotion_lab::has_static_page() {
        bail!(acmotion_lab::MISSING_STATIC_PAGE);
    }
    let files = acmotion_lab::export(folder).with_context(|| folder.display().to_string())?;
    let bytes: usize = files.iter().map(|(_, size)| size).sum();
    if json {
        out.json(&json!({ "folder": folder, "files": files.len(), "bytes": bytes }))?;
    } else {
        let megabytes = bytes as f64 / 1e6;
        out.line(format!("{}: {} files, {megabytes:.1} MB", folder.display(), files.len()))?;
        out.line(format!("To try it: python3 -m http.server --directory {}", folder.display()))?;
    }
    out.flush()
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
    if is_standard_input(path) {
        return Ok(Capture::Stream { name: "standard input".into(), input: Box::new(io::stdin()) });
    }
    let mut bytes = Vec::new();
    let opened = find_one(path)?.open(Arc::default());
    opened.and_then(|mut file| file.read_to_end(&mut bytes)).with_context(|| path.display().to_string())?;
    Ok(Capture::File { name: file_name(path), bytes })
}

/// Opens a capture that is still being written.
fn live(path: &Path) -> anyhow::Result<Capture> {
    if is_standard_input(path) {
        return capture(path);
    }
    let file = File::open(path).with_context(|| path.display().to_string())?;
    Ok(Capture::Stream { name: file_name(path), input: Box::new(GrowingFile(file)) })
}

/// A file that another program appends to. Reading waits at its end.
struct GrowingFile(File);

/// How often the end of a growing file is looked at.
const GROWTH_INTERVAL: Duration = Duration::from_millis(100);

impl Read for GrowingFile {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let count = self.0.read(buffer)?;
            if count > 0 || buffer.is_empty() {
                return Ok(count);
            }
            thread::sleep(GROWTH_INTERVAL);
        }
    }
}

/// Prints the address and opens it in the browser.
fn announce(address: &str, arguments: &Arguments, out: &mut Out) -> anyhow::Result<()> {
    if arguments.json {
        out.json(&json!({ "address": address }))?;
    } else {
        out.line(format!("The lab is at {address}"))?;
        out.line("Press Ctrl-C to stop.")?;
    }
    out.flush()?;
    if !arguments.no_open
        && let Err(error) = open::that_detached(address)
    {
        eprintln!("acmotion: cannot open the browser ({error}): open the address yourself");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::*;

    #[test]
    fn a_growing_file_is_read_on_when_more_is_written() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("live.pcap");
        let mut writer = File::create(&path).unwrap();
        writer.write_all(b"first").unwrap();
        let mut reader = GrowingFile(File::open(&path).unwrap());
        let mut buffer = [0; 5];
        reader.read_exact(&mut buffer).unwrap();
        assert_eq!(&buffer, b"first");
        let reading = thread::spawn(move || {
            let mut buffer = [0; 6];
            reader.read_exact(&mut buffer).unwrap();
            buffer
        });
        writer.write_all(b"second").unwrap();
        assert_eq!(&reading.join().unwrap(), b"second");
    }
}
