//! The commands of the README run as they are printed there.

use std::fs;
use std::path::{Path, PathBuf};

use crate::common::{acmotion, stdout};
use tempfile::tempdir;

/// Commands that serve until they are stopped, or take long by intention. They have tests of their own.
const LONG: [&str; 3] = ["lab", "soak", "bench"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn copy_folder(name: &str, to: &Path) {
    let target = to.join(name);
    fs::create_dir_all(&target).unwrap();
    for entry in fs::read_dir(root().join(name)).unwrap() {
        let path = entry.unwrap().path();
        fs::copy(&path, target.join(path.file_name().unwrap())).unwrap();
    }
}

#[test]
fn the_commands_of_the_readme_run_as_printed() {
    let readme = fs::read_to_string(root().join("README.md")).unwrap();
    let folder = tempdir().unwrap();
    copy_folder("scenes", folder.path());
    copy_folder("captures", folder.path());
    copy_folder("tests/golden", folder.path());
    let mut run = 0;
    for line in readme.lines().filter_map(|line| line.strip_prefix("acmotion ")) {
        let command = line.split('#').next().unwrap_or_default();
        assert!(!command.contains(['>', '*', '|']), "not every shell knows it: {command}");
        let arguments: Vec<&str> = command.split_whitespace().collect();
        if LONG.contains(&arguments[0]) {
            continue;
        }
        if arguments.starts_with(&["export", "tables"]) && cfg!(not(feature = "parquet")) {
            continue;
        }
        let output = acmotion(&arguments).current_dir(folder.path()).output().unwrap();
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "acmotion {command}: {errors}");
        run += 1;
    }
    assert!(run > 10, "{run} commands were found");
}

#[test]
fn the_readme_of_the_crate_has_every_command() {
    let readme = fs::read_to_string(root().join("crates/acmotion-cli/README.md")).unwrap();
    let help = stdout(["--help"]);
    let (_, list) = help.split_once("Commands:\n").unwrap();
    let (list, _) = list.split_once("\n\n").unwrap();
    let names = list.lines().filter_map(|line| line.strip_prefix("  ")?.split(' ').next());
    let names: Vec<&str> = names.filter(|name| !["", "help"].contains(name)).collect();
    assert!(names.len() > 10, "{names:?}");
    for name in names {
        assert!(readme.contains(&format!("`acmotion {name}")), "{name} is missing");
    }
}
