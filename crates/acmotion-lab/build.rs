//! Builds the page with Node: npm installs the packages of the lock file in the build's output directory, esbuild bundles
//! the page, and `page.rs` gets a table of the files. Nothing is written to the source tree. If Node or npm is missing or
//! fails, the table is empty and the build prints a warning.
//!
//! A packaged crate has no sources of the page but the finished files in `page/dist`, so that it builds without Node.
//!
//! The page that needs no server contains the lab as WebAssembly, which a build script cannot build: if `npm run build` has
//! made it in `page/dist-static`, it is embedded, too.
//!
//! With `ACMOTION_LAB_PAGE=skip`, and on docs.rs, the page is left out without a warning.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// The files and directories below `page/` that the page is built from.
const SOURCES: [&str; 7] =
    ["package.json", "package-lock.json", ".npmrc", "build.mjs", "index.html", "icon.svg", "src"];

/// The finished page of a packaged crate.
const FINISHED: &str = "page/dist";

/// The page that needs no server.
const STATIC: &str = "page/dist-static";

/// How long npm may take to install the packages.
const INSTALL_TIMEOUT: Duration = Duration::from_secs(120);
/// How long esbuild may take.
const BUNDLE_TIMEOUT: Duration = Duration::from_secs(60);

fn main() {
    println!("cargo:rerun-if-env-changed=ACMOTION_LAB_PAGE");
    println!("cargo:rerun-if-env-changed=DOCS_RS");
    // A path that does not exist makes every build run this script. While the page that needs no server has not been made, the
    // folder that it will be in is watched.
    if Path::new(STATIC).exists() && Path::new("page/src").exists() {
        for source in SOURCES {
            println!("cargo:rerun-if-changed=page/{source}");
        }
        println!("cargo:rerun-if-changed={STATIC}");
    } else {
        println!("cargo:rerun-if-changed=page");
    }
    let out = PathBuf::from(std::env::var_os("OUT_DIR").unwrap_or_default());
    let is_skipped = std::env::var_os("ACMOTION_LAB_PAGE").is_some_and(|value| value == "skip");
    // Only the server has the page.
    let is_needed = std::env::var_os("CARGO_FEATURE_SERVER").is_some() && !is_skipped;
    let is_needed = is_needed && std::env::var_os("DOCS_RS").is_none();
    let files = if !is_needed {
        Vec::new()
    } else {
        build_page(&out).unwrap_or_else(|reason| {
            println!("cargo:warning=the page of the lab is left out: {reason}");
            // This path never exists, so the next build tries again.
            println!("cargo:rerun-if-changed={}", out.join("page-missing").display());
            Vec::new()
        })
    };
    let static_files = if is_needed { static_files() } else { Vec::new() };
    for (name, table) in [("page.rs", file_table(&files)), ("static_page.rs", static_table(&static_files))] {
        if let Err(error) = fs::write(out.join(name), table) {
            panic!("{}: {error}", out.join(name).display());
        }
    }
}

/// Builds the page. Returns its files, or the reason why it could not be built.
fn build_page(out: &Path) -> Result<Vec<PathBuf>, String> {
    let finished = Path::new(FINISHED);
    if !Path::new("page/src").exists() && finished.exists() {
        let folder = finished.canonicalize().map_err(|error| format!("{FINISHED}: {error}"))?;
        return files_in(&folder);
    }
    let version = Command::new("node").arg("--version").output();
    if !version.is_ok_and(|version| version.status.success()) {
        return Err("Node was not found; install Node 18 or newer with npm, and build again".into());
    }
    let work = out.join("page");
    copy_sources(&work).map_err(|error| format!("copying the sources: {error}"))?;
    install_packages(&work)?;
    run(Command::new("node").arg("build.mjs"), &work, BUNDLE_TIMEOUT)?;
    files_in(&work.join("dist"))
}

/// Returns the files of a finished page, but for their gzipped copies.
fn files_in(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let mut files: Vec<PathBuf> = fs::read_dir(folder)
        .map_err(|error| format!("reading the bundled files: {error}"))?
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

/// Runs `npm ci`, unless the packages of this lock file are installed already.
fn install_packages(work: &Path) -> Result<(), String> {
    let lock =
        fs::read(work.join("package-lock.json")).map_err(|error| format!("package-lock.json: {error}"))?;
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
    run(&mut command, work, INSTALL_TIMEOUT)?;
    fs::write(&stamp, lock).map_err(|error| format!("{}: {error}", stamp.display()))
}

/// Runs a command in `work`. Its output goes to a log file, and the first line of it is part of the error.
fn run(command: &mut Command, work: &Path, timeout: Duration) -> Result<(), String> {
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
        if start.elapsed() > timeout {
            // Errors do not matter: the process may have just ended.
            let _ = child.kill();
            let _ = child.wait();
            return Err(format!("{name} did not finish within {} s", timeout.as_secs()));
        }
        std::thread::sleep(Duration::from_millis(20));
    };
    if status.success() {
        return Ok(());
    }
    let text = fs::read(&log).unwrap_or_default();
    let text = String::from_utf8_lossy(&text);
    let first = text.lines().find(|line| !line.trim().is_empty()).unwrap_or("no output");
    let first: String = first.chars().take(200).collect();
    Err(format!("{name} failed: {first} (see {})", log.display()))
}

/// Returns the table that `src/page.rs` includes, a Rust expression: the path, content type, content and gzipped content
/// of each file.
fn file_table(files: &[PathBuf]) -> String {
    let mut text = String::from("&[\n");
    for file in files {
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        let content_type = match file.extension().and_then(|extension| extension.to_str()) {
            Some("html") => "text/html; charset=utf-8",
            Some("js") => "text/javascript; charset=utf-8",
            Some("css") => "text/css; charset=utf-8",
            Some("svg") => "image/svg+xml",
            Some("txt") => "text/plain; charset=utf-8",
            _ => "application/octet-stream",
        };
        let path = file.display().to_string();
        let gzipped = format!("{path}.gz");
        text += &format!(
            "({name:?}, {content_type:?}, include_bytes!({path:?}), include_bytes!({gzipped:?})),\n"
        );
    }
    text + "]\n"
}

/// Returns the files of the page that needs no server; none if it was not made.
fn static_files() -> Vec<PathBuf> {
    Path::new(STATIC).canonicalize().ok().and_then(|folder| files_in(&folder).ok()).unwrap_or_default()
}

/// Returns the other table that `src/page.rs` includes: the name and content of each file of the page that needs no server.
fn static_table(files: &[PathBuf]) -> String {
    let mut text = String::from("&[\n");
    for file in files {
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        text += &format!("({name:?}, include_bytes!({:?})),\n", file.display().to_string());
    }
    text + "]\n"
}
