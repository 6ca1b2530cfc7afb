//! Builds the lab's page when Node is there: its packages come from npm by the lock file into this build's own
//! output folder, esbuild bundles them, and `page.rs` gets a table of the finished files. Without Node, or when npm
//! does not answer, the table is empty, one line says so, and everything else builds.
//!
//! `ACMOTION_LAB_PAGE=skip` leaves the page out without a word.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// What the page is made of, below `page/`.
const SOURCES: [&str; 7] =
    ["package.json", "package-lock.json", ".npmrc", "build.mjs", "index.html", "icon.svg", "src"];

/// How long npm may take to bring the packages.
const FETCH: Duration = Duration::from_secs(120);
/// How long the bundler may take.
const BUNDLE: Duration = Duration::from_secs(60);

fn main() {
    println!("cargo:rerun-if-env-changed=ACMOTION_LAB_PAGE");
    for source in SOURCES {
        println!("cargo:rerun-if-changed=page/{source}");
    }
    let out = PathBuf::from(std::env::var_os("OUT_DIR").unwrap_or_default());
    let skip = std::env::var_os("ACMOTION_LAB_PAGE").is_some_and(|value| value == "skip");
    let files = if skip {
        Vec::new()
    } else {
        page(&out).unwrap_or_else(|reason| {
            println!("cargo:warning=the lab's page is left out: {reason}");
            // A path that is never there: the next build tries again.
            println!("cargo:rerun-if-changed={}", out.join("page-missing").display());
            Vec::new()
        })
    };
    if let Err(error) = fs::write(out.join("page.rs"), table(&files)) {
        panic!("{}: {error}", out.join("page.rs").display());
    }
}

/// Brings the packages and bundles the page; the finished files, or why there are none.
fn page(out: &Path) -> Result<Vec<PathBuf>, String> {
    let version = Command::new("node").arg("--version").output();
    if !version.is_ok_and(|version| version.status.success()) {
        return Err("Node was not found (install Node 18 or newer with npm, and build again)".into());
    }
    let work = out.join("page");
    copy_sources(&work).map_err(|error| format!("copying its sources: {error}"))?;
    bring_packages(&work)?;
    run(Command::new("node").arg("build.mjs"), &work, BUNDLE)?;
    let mut files: Vec<PathBuf> = fs::read_dir(work.join("dist"))
        .map_err(|error| format!("reading its files: {error}"))?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|extension| extension != "gz"))
        .collect();
    files.sort();
    Ok(files)
}

fn copy_sources(work: &Path) -> io::Result<()> {
    let sources = work.join("src");
    if sources.exists() {
        fs::remove_dir_all(&sources)?;
    }
    fs::create_dir_all(work)?;
    for source in SOURCES {
        copy(&Path::new("page").join(source), &work.join(source))?;
    }
    Ok(())
}

fn copy(from: &Path, to: &Path) -> io::Result<()> {
    if !from.is_dir() {
        return fs::copy(from, to).map(drop);
    }
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        copy(&entry.path(), &to.join(entry.file_name()))?;
    }
    Ok(())
}

/// `npm ci`, unless what is there came from the same lock file.
fn bring_packages(work: &Path) -> Result<(), String> {
    let lock = fs::read(work.join("package-lock.json")).map_err(|error| format!("its lock file: {error}"))?;
    let stamp = work.join("installed-lock.json");
    if fs::read(&stamp).is_ok_and(|installed| installed == lock) && work.join("node_modules").is_dir() {
        return Ok(());
    }
    let npm = if cfg!(windows) { "npm.cmd" } else { "npm" };
    let mut command = Command::new(npm);
    command.args(["ci", "--no-audit", "--no-fund", "--ignore-scripts", "--prefer-offline"]);
    command.args([
        "--fetch-retries=1",
        "--fetch-retry-mintimeout=1000",
        "--fetch-timeout=30000",
        "--loglevel=error",
    ]);
    run(&mut command, work, FETCH)?;
    fs::write(&stamp, lock).map_err(|error| format!("{}: {error}", stamp.display()))
}

/// Runs a command in `work` for at most `limit`; what it prints goes to a file, whose first line explains a failure.
fn run(command: &mut Command, work: &Path, limit: Duration) -> Result<(), String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let fail = |error: io::Error| format!("{name}: {error}");
    let log = work.join("build.log");
    let file = File::create(&log).map_err(fail)?;
    command.stdout(file.try_clone().map_err(fail)?).stderr(file);
    let mut child = command.stdin(Stdio::null()).current_dir(work).spawn().map_err(fail)?;
    let start = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().map_err(fail)? {
            break status;
        }
        if start.elapsed() > limit {
            // It may have ended just now; either way there is no answer to wait for.
            let _ = child.kill();
            let _ = child.wait();
            return Err(format!("{name} gave no answer within {} s", limit.as_secs()));
        }
        std::thread::sleep(Duration::from_millis(20));
    };
    if status.success() {
        return Ok(());
    }
    let text = fs::read(&log).unwrap_or_default();
    let text = String::from_utf8_lossy(&text);
    let first = text.lines().find(|line| !line.trim().is_empty()).unwrap_or("it said nothing");
    let first: String = first.chars().take(200).collect();
    Err(format!("{name} failed: {first} (more in {})", log.display()))
}

/// The table as a Rust expression, read by `src/page.rs`: path, content type, the file, and the file gzipped.
fn table(files: &[PathBuf]) -> String {
    let mut text = String::from("&[\n");
    for file in files {
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        let kind = match file.extension().and_then(|extension| extension.to_str()) {
            Some("html") => "text/html; charset=utf-8",
            Some("js") => "text/javascript; charset=utf-8",
            Some("css") => "text/css; charset=utf-8",
            Some("svg") => "image/svg+xml",
            _ => "application/octet-stream",
        };
        let whole = file.display().to_string();
        let packed = format!("{whole}.gz");
        text += &format!("({name:?}, {kind:?}, include_bytes!({whole:?}), include_bytes!({packed:?})),\n");
    }
    text + "]\n"
}
