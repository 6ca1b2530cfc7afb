//! Tests the page in Chromium against real labs and without any, and takes screenshots of every view, which are kept in the
//! target directory. If Node, npm's packages or a browser are not available, the tests are listed as ignored; so are those that need
//! recordings if `ACMOTION_CAPTURES` does not name their folder, and those of the page without a server if that was not made
//! before the build.
//!
//! `ACMOTION_CHROMIUM` sets the browser; `ACMOTION_LAB_CASE` selects cases by a part of their name.

#[path = "lab/support/captures.rs"]
mod captures;

use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Output};
use std::sync::Mutex;
use std::thread;
use std::time::Duration;

use acmotion::dat::{Assets, mannequin};
use acmotion::types::{CellId, CellPosition, MotionCommand, Vec3};
use acmotion::wire::Direction;
use acmotion::wire::capture::CaptureWriter;
use acmotion_lab::{Capture, Lab, Options};
use captures::{capture, motion, report, story};
use libtest_mimic::{Arguments, Failed, Trial};
use serde_json::{Value, json};
use tokio::runtime::Runtime;

/// The number of cases that run at the same time, each with a lab of its own.
const WORKERS: usize = 4;
/// The time at which the captures start: the last day of the game.
const START: f64 = 1_485_820_800.0;
/// A message with an opcode that means nothing.
const UNKNOWN_MESSAGE: [u8; 8] = [0xFF, 0xF6, 0, 0, 1, 2, 3, 4];
/// The time between two reports of the capture that grows.
const LIVE_INTERVAL: Duration = Duration::from_millis(200);

fn position(x: u16, y: u16, stamp: u16) -> Vec<u8> {
    let cell = CellId(0xA9B4_0001 + u32::from(x / 24 * 8 + y / 24));
    report(CellPosition::at(cell, Vec3::new(f32::from(x), f32::from(y), 0.0)), stamp)
}

/// Returns a capture: an entity runs north for six seconds and is reported once a second. A late report is stale, and the
/// last ones are far away. `east` moves its path to the east, in metres.
fn running_entity(east: u16) -> Vec<u8> {
    let x = 84 + east;
    let forward = |command, speed, stamp| motion(MotionCommand::NON_COMBAT, command, speed, stamp);
    let mut messages = vec![(0.0, position(x, 60, 1)), (1.0, forward(MotionCommand::RUN_FORWARD, 1.5, 2))];
    messages
        .extend((1..6_u16).map(|second| (1.0 + f64::from(second), position(x, 60 + 6 * second, 1 + second))));
    messages.extend([
        (6.2, UNKNOWN_MESSAGE.to_vec()),
        (6.5, position(x, 61, 2)),
        (7.0, forward(MotionCommand::READY, 1.0, 3)),
        (8.0, position(184, 185, 7)),
        (10.0, position(184, 185, 8)),
    ]);
    capture(messages.into_iter().map(|(time, message)| (START + time, message)))
}

/// Writes a capture that grows until nothing reads it: an entity walks up and down and is reported five times a second.
fn write_growing_capture(output: impl io::Write) -> Result<(), acmotion::wire::capture::WriteError> {
    let mut writer = CaptureWriter::new(output)?;
    for number in 1..u16::MAX {
        let step = number % 40;
        let y = 60 + if step < 20 { step } else { 40 - step };
        let time = START + LIVE_INTERVAL.as_secs_f64() * f64::from(number);
        writer.message(time, Direction::S2C, &position(84, y, number))?;
        thread::sleep(LIVE_INTERVAL);
    }
    Ok(())
}

/// Returns the path of a browser, or `None` if there is none.
fn chromium() -> Option<PathBuf> {
    if let Some(given) = std::env::var_os("ACMOTION_CHROMIUM") {
        return Some(given.into());
    }
    // The first has no windows at all, and takes less time.
    let names =
        ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
    let folders: Vec<PathBuf> = std::env::split_paths(&std::env::var_os("PATH")?).collect();
    names
        .iter()
        .flat_map(|name| folders.iter().map(move |folder| folder.join(name)))
        .find(|path| path.is_file())
}

fn output_text(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

/// Replaces the directory `to` by a copy of `from`.
fn copy_directory(from: &Path, to: &Path) -> io::Result<()> {
    if to.exists() {
        fs::remove_dir_all(to)?;
    }
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let path = entry?.path();
        let target = to.join(path.file_name().unwrap_or_default());
        if path.is_dir() {
            copy_directory(&path, &target)?;
        } else {
            fs::copy(&path, target)?;
        }
    }
    Ok(())
}

/// Installs the packages of the tests in the target directory, once. Returns that directory, or the reason why they could
/// not be installed.
fn install_packages() -> Result<PathBuf, String> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("page");
    let work = Path::new(env!("CARGO_TARGET_TMPDIR")).join("lab-page");
    fs::create_dir_all(&work).map_err(|error| error.to_string())?;
    let lock = fs::read(source.join("tests/package-lock.json")).map_err(|error| error.to_string())?;
    for file in
        ["package.json", "package-lock.json", ".npmrc", "browser.mjs", "harness.mjs", "serve.mjs", "cost.mjs"]
    {
        fs::copy(source.join("tests").join(file), work.join(file))
            .map_err(|error| format!("{file}: {error}"))?;
    }
    copy_directory(&source.join("tests/cases"), &work.join("cases")).map_err(|error| error.to_string())?;
    let stamp = work.join("installed-lock.json");
    if fs::read(&stamp).is_ok_and(|installed| installed == lock) {
        return Ok(work);
    }
    let npm = if cfg!(windows) { "npm.cmd" } else { "npm" };
    let output = Command::new(npm)
        .args(["ci", "--no-audit", "--no-fund", "--ignore-scripts", "--prefer-offline", "--loglevel=error"])
        .args(["--fetch-retries=1", "--fetch-retry-mintimeout=1000", "--fetch-timeout=30000"])
        .current_dir(&work)
        .output()
        .map_err(|error| format!("npm: {error}"))?;
    if !output.status.success() {
        return Err(format!("npm could not install the packages of the tests: {}", output_text(&output)));
    }
    fs::write(stamp, lock).map_err(|error| error.to_string())?;
    Ok(work)
}

fn check_types(work: &Path) -> Result<(), Failed> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("page");
    copy_directory(&source.join("src"), &work.join("src"))?;
    fs::copy(source.join("tsconfig.json"), work.join("tsconfig.json"))?;
    let output = Command::new("node")
        .args(["node_modules/typescript/bin/tsc", "--project", "."])
        .current_dir(work)
        .output()?;
    if output.status.success() { Ok(()) } else { Err(output_text(&output).into()) }
}

/// A lab that runs until its runtime ends. Returns its address.
fn start_lab(runtime: &Runtime, capture: Option<Capture>) -> Result<String, Failed> {
    let options = Options { port: 0, capture, ..Options::new(Assets::mannequin(), "mannequin") };
    let lab = runtime.block_on(Lab::bind(options))?;
    let address = lab.address();
    runtime.spawn(lab.serve(std::future::pending()));
    Ok(address)
}

/// Starts a lab that follows a capture while it is being written.
fn start_live_lab(runtime: &Runtime) -> Result<String, Failed> {
    let (input, output) = io::pipe()?;
    thread::spawn(move || write_growing_capture(output));
    start_lab(runtime, Some(Capture::Stream { name: "live.pcap".into(), input: Box::new(input) }))
}

/// Writes the files that the cases open.
fn write_files(folder: &Path) -> io::Result<()> {
    let scenes = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes");
    fs::write(folder.join("run.pcap"), running_entity(0))?;
    fs::write(folder.join("other.pcap"), running_entity(2))?;
    fs::write(folder.join("story.pcap"), story(START))?;
    fs::write(folder.join("portal.dat"), mannequin::dat_file())?;
    fs::write(folder.join("town.dat"), mannequin::town::dat_file())?;
    fs::copy(scenes.join("laggy_duel.toml"), folder.join("laggy_duel.toml"))?;
    Ok(())
}

/// One browser at a time: two of them would be too slow on a small machine.
static RUNNING: Mutex<()> = Mutex::new(());

/// Prints what a crowd of 500 costs the page. Times are not judged; the bytes of the socket are, in `tests/lab/cost.rs`.
fn measure_cost(work: &Path, chromium: &Path) -> Result<(), Failed> {
    let runtime = Runtime::new()?;
    let address = start_lab(&runtime, None)?;
    let result = run_cost(work, chromium, OsStr::new(&address));
    runtime.shutdown_background();
    result
}

/// The same with the page that needs no server.
fn measure_exported_cost(work: &Path, chromium: &Path) -> Result<(), Failed> {
    let site = work.join("site-of-crowd");
    acmotion_lab::export(&site)?;
    run_cost(work, chromium, site.as_os_str())
}

fn run_cost(work: &Path, chromium: &Path, lab: &OsStr) -> Result<(), Failed> {
    let _running = RUNNING.lock();
    let mut command = Command::new("node");
    let status = command.arg("cost.mjs").arg(lab).arg(chromium).current_dir(work).status()?;
    if status.success() { Ok(()) } else { Err("the crowd is not shown".into()) }
}

/// Runs the cases, or those about recordings in the folder `recordings`.
fn run_labs(work: &Path, chromium: &Path, recordings: Option<&OsStr>) -> Result<(), Failed> {
    let runtime = Runtime::new()?;
    let labs: Vec<String> = (0..WORKERS).map(|_| start_lab(&runtime, None)).collect::<Result<_, Failed>>()?;
    let settings = json!({
        "labs": labs,
        "live": start_live_lab(&runtime)?,
        "captures": recordings.map(Path::new),
    });
    let name = if recordings.is_some() { "recordings.json" } else { "settings.json" };
    let result = run_browser(work, chromium, name, settings);
    runtime.shutdown_background();
    result
}

/// Runs the cases that are not about the server with the page that needs none, or those about recordings in the folder
/// `recordings`.
fn run_exported(work: &Path, chromium: &Path, recordings: Option<&OsStr>) -> Result<(), Failed> {
    let site = work.join(if recordings.is_some() { "site-of-recordings" } else { "site" });
    acmotion_lab::export(&site)?;
    let settings = json!({ "site": site, "workers": WORKERS, "captures": recordings.map(Path::new) });
    let name = if recordings.is_some() { "exported-recordings.json" } else { "exported.json" };
    run_browser(work, chromium, name, settings)
}

/// Runs the browser with settings, which go to a file of this name.
fn run_browser(work: &Path, chromium: &Path, name: &str, mut settings: Value) -> Result<(), Failed> {
    let _running = RUNNING.lock();
    let screenshots = Path::new(env!("CARGO_TARGET_TMPDIR")).join("lab-screenshots");
    fs::create_dir_all(&screenshots)?;
    write_files(work)?;
    settings["folder"] = json!(work);
    settings["out"] = json!(screenshots);
    settings["browser"] = json!(chromium);
    fs::write(work.join(name), settings.to_string())?;
    let status = Command::new("node").args(["browser.mjs", name]).current_dir(work).status()?;
    println!("screenshots are in {}", screenshots.display());
    if status.success() { Ok(()) } else { Err("a case failed".into()) }
}

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let packages = if arguments.list { Ok(PathBuf::new()) } else { install_packages() };
    let browser = |missing: Option<&str>| match (missing, chromium()) {
        (Some(missing), _) => Err(missing.into()),
        (None, None) => Err(String::from("no Chromium was found (set ACMOTION_CHROMIUM to its path)")),
        (None, Some(chromium)) => packages.clone().map(|work| (work, chromium)),
    };
    let exported = browser((!acmotion_lab::has_static_page()).then_some(acmotion_lab::MISSING_STATIC_PAGE));
    let browser = browser((!acmotion_lab::has_page()).then_some("this build has no page"));
    let recordings = std::env::var_os("ACMOTION_CAPTURES");
    let recordings =
        recordings.ok_or_else(|| String::from("ACMOTION_CAPTURES does not name a folder of recordings"));
    let with_recordings = browser.clone().and_then(|browser| Ok((browser, recordings.clone()?)));
    let exported_recordings = exported.clone().and_then(|browser| Ok((browser, recordings?)));
    let (crowd, exported_crowd) = (browser.clone(), exported.clone());
    let trials = vec![
        trial("the_page_passes_the_type_checker", packages, |work| check_types(&work)),
        trial("the_page_works_in_a_browser", browser, |(work, chromium)| run_labs(&work, &chromium, None)),
        trial("the_page_without_a_server_works_in_a_browser", exported, |(work, chromium)| {
            run_exported(&work, &chromium, None)
        }),
        trial("the_page_shows_a_crowd_of_500", crowd, |(work, chromium)| measure_cost(&work, &chromium)),
        trial("the_page_without_a_server_shows_a_crowd_of_500", exported_crowd, |(work, chromium)| {
            measure_exported_cost(&work, &chromium)
        }),
        trial("the_page_explains_recordings", with_recordings, |((work, chromium), recordings)| {
            run_labs(&work, &chromium, Some(&recordings))
        }),
        trial(
            "the_page_without_a_server_explains_recordings",
            exported_recordings,
            |((work, chromium), recordings)| run_exported(&work, &chromium, Some(&recordings)),
        ),
    ];
    libtest_mimic::run(&arguments, trials).exit_code()
}

/// A test with what it needs. If that is not available, the test is listed as ignored and the reason is printed.
fn trial<T: Send + 'static>(
    name: &str,
    needs: Result<T, String>,
    run: impl FnOnce(T) -> Result<(), Failed> + Send + 'static,
) -> Trial {
    match needs {
        Ok(needs) => Trial::test(name, move || run(needs)),
        Err(reason) => {
            eprintln!("{name} cannot run: {reason}");
            Trial::test(name, move || Err(reason.into())).with_ignored_flag(true)
        }
    }
}
