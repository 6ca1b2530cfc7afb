//! Tests the page in Chromium against a real lab, and takes screenshots of every view, which are kept in the target
//! directory. If Node, npm's packages or a browser are not available, the tests are listed as ignored.
//!
//! `ACMOTION_CHROMIUM` sets the browser; `ACMOTION_LAB_CASE` selects cases by a part of their name.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Output};

use acmotion::dat::{Assets, mannequin};
use acmotion::types::{CellId, CellPosition, Frame, Guid, MotionCommand, Stamp, Vec3};
use acmotion::wire::capture::CaptureWriter;
use acmotion::wire::{
    Direction, InterpretedState, MotionFlags, Movement, MovementBody, MovementData, Pad, PositionFlags,
    PositionPack, S2C, UpdateMotion, UpdatePosition,
};
use acmotion_lab::{Lab, Options};
use libtest_mimic::{Arguments, Failed, Trial};

const RUNNER: Guid = Guid(0x5000_0002);

fn encoded(message: S2C<'_>) -> Vec<u8> {
    let mut bytes = Vec::new();
    message.encode(&mut bytes);
    bytes
}

fn position(x: u16, y: u16, stamp: u16) -> Vec<u8> {
    let frame = Frame::from_origin(Vec3::new(f32::from(x), f32::from(y), 0.0));
    let cell = CellId(0xA9B4_0001 + u32::from(x / 24 * 8 + y / 24));
    let pack = PositionPack {
        flags: PositionFlags::GROUNDED,
        position: CellPosition::new(cell, frame),
        velocity: None,
        placement: None,
        instance: Stamp(1),
        position_stamp: Stamp(stamp),
        teleport: Stamp(1),
        force_position: Stamp(1),
    };
    encoded(UpdatePosition { guid: RUNNER, pack }.into())
}

fn motion(forward: MotionCommand, speed: f32, stamp: u16) -> Vec<u8> {
    let state = InterpretedState {
        forward_command: Some(forward),
        forward_speed: Some(speed),
        ..InterpretedState::default()
    };
    let movement = Movement {
        flags: MotionFlags::empty(),
        style: MotionCommand::NON_COMBAT,
        body: MovementBody::Interpreted { state, sticky: None },
    };
    let data = MovementData {
        movement_stamp: Stamp(stamp),
        server_control: Stamp(1),
        autonomous: true.into(),
        pad: Pad::ZERO,
        movement,
    };
    encoded(UpdateMotion { guid: RUNNER, instance: Stamp(1), data }.into())
}

/// Writes a capture: an entity runs north for six seconds and is reported once a second. A late report is stale, and the
/// last ones are far away. `east` moves its path to the east, in metres.
fn write_capture(path: &Path, east: u16) {
    let mut writer = CaptureWriter::new(Vec::new()).unwrap();
    let mut send = |t: f64, bytes: &[u8]| writer.message(t, Direction::S2C, bytes).unwrap();
    send(10.0, &position(84 + east, 60, 1));
    send(11.0, &motion(MotionCommand::RUN_FORWARD, 1.5, 2));
    for second in 1..6_u16 {
        send(11.0 + f64::from(second), &position(84 + east, 60 + 6 * second, 1 + second));
    }
    send(16.5, &position(84 + east, 61, 2));
    send(17.0, &motion(MotionCommand::READY, 1.0, 3));
    send(18.0, &position(184, 185, 7));
    send(20.0, &position(184, 185, 8));
    fs::write(path, writer.into_inner()).unwrap();
}

/// Returns the path of a browser, or `None` if there is none.
fn chromium() -> Option<PathBuf> {
    if let Some(given) = std::env::var_os("ACMOTION_CHROMIUM") {
        return Some(given.into());
    }
    let names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
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
    for file in ["package.json", "package-lock.json", ".npmrc", "browser.mjs", "walk-cases.mjs"] {
        fs::copy(source.join("tests").join(file), work.join(file))
            .map_err(|error| format!("{file}: {error}"))?;
    }
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

fn run_browser(work: &Path, chromium: &Path) -> Result<(), Failed> {
    let screenshots = Path::new(env!("CARGO_TARGET_TMPDIR")).join("lab-screenshots");
    fs::create_dir_all(&screenshots)?;
    let capture = work.join("run.pcap");
    write_capture(&capture, 0);
    write_capture(&work.join("other.pcap"), 2);
    fs::write(work.join("portal.dat"), mannequin::dat_file())?;
    fs::write(work.join("town.dat"), mannequin::town::dat_file())?;

    let runtime = tokio::runtime::Runtime::new()?;
    let options = Options { port: 0, ..Options::new(Assets::mannequin(), "mannequin") };
    let lab = runtime.block_on(Lab::bind(options))?;
    let address = lab.address();
    let _serving = runtime.spawn(lab.serve(std::future::pending()));
    let output = Command::new("node")
        .arg("browser.mjs")
        .arg(address)
        .args([capture.as_path(), &screenshots, chromium])
        .current_dir(work)
        .output()?;
    runtime.shutdown_background();
    println!("{}screenshots are in {}", output_text(&output), screenshots.display());
    if output.status.success() { Ok(()) } else { Err("a case failed".into()) }
}

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let packages = if arguments.list { Ok(PathBuf::new()) } else { install_packages() };
    let browser = match (acmotion_lab::has_page(), chromium()) {
        (false, _) => Err(String::from("this build has no page")),
        (true, None) => Err(String::from("no Chromium was found (set ACMOTION_CHROMIUM to its path)")),
        (true, Some(chromium)) => packages.clone().map(|work| (work, chromium)),
    };
    let trials = vec![
        trial("the_page_passes_the_type_checker", packages, |work| check_types(&work)),
        trial("the_page_works_in_a_browser", browser, |(work, chromium)| run_browser(&work, &chromium)),
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
