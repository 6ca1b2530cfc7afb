//! What the project takes from others: npm packages, and how they are locked.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

/// The folder of the lab's page.
const PAGE: &str = "crates/acmotion-lab/page";
/// The folders with npm packages, and the licences of packages that each takes.
const FOLDERS: [(&str, &[&str]); 5] = [
    // Of these some end up in the page, which the command carries.
    (PAGE, &["MIT"]),
    // The others are tools: browsers, compilers and validators that no release has in it.
    ("crates/acmotion-lab/page/tests", &["Apache-2.0", "MIT", "MPL-2.0"]),
    ("bindings/web", &["Apache-2.0"]),
    ("examples/web", &["Apache-2.0", "MIT"]),
    ("tests/gltf", &["Apache-2.0", "MIT"]),
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn read(folder: &str, name: &str) -> String {
    let path = root().join(folder).join(name);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Returns the packages of a lock file. Those of the project, which are folders of their own, are left out.
fn packages(folder: &str) -> Vec<(String, Value)> {
    let lock: Value = serde_json::from_str(&read(folder, "package-lock.json")).unwrap();
    let packages = lock["packages"].as_object().unwrap().clone();
    let is_foreign =
        |path: &str, package: &Value| path.contains("node_modules/") && package["link"].is_null();
    packages.into_iter().filter(|(path, package)| is_foreign(path, package)).collect()
}

#[test]
fn every_package_has_a_checksum_and_no_address() {
    for (folder, licences) in FOLDERS {
        let packages = packages(folder);
        assert!(!packages.is_empty(), "{folder}: no packages");
        for (path, package) in &packages {
            let path = format!("{folder}: {path}");
            let integrity = package["integrity"].as_str().unwrap_or_default();
            assert!(integrity.starts_with("sha512-") && integrity.len() == 95, "{path}: `{integrity}`");
            assert!(package["resolved"].is_null(), "{path} has an address");
            let runs_script = !package["hasInstallScript"].is_null();
            assert!(!runs_script || path.ends_with("/esbuild"), "{path} runs a script");
            let licence = package["license"].as_str().unwrap_or_default();
            assert!(licences.contains(&licence), "{path}: licence `{licence}`");
        }
        assert!(!read(folder, "package-lock.json").contains("://"), "{folder}: an address in the lock file");
        assert!(read(folder, ".npmrc").contains("omit-lockfile-registry-resolved=true"), "{folder}");
    }
}

/// Adds the folders below a folder that have a lock file of npm. What is built or installed is left out.
fn add_locked(folder: &Path, found: &mut BTreeSet<String>) {
    if folder.join("package-lock.json").exists() {
        found.insert(folder.strip_prefix(root()).unwrap().display().to_string());
    }
    for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
        let name = entry.file_name().display().to_string();
        if entry.file_type().unwrap().is_dir() && !["target", "node_modules", ".git"].contains(&name.as_str())
        {
            add_locked(&entry.path(), found);
        }
    }
}

#[test]
fn every_lock_file_of_npm_is_checked() {
    let mut found = BTreeSet::new();
    add_locked(&root(), &mut found);
    assert_eq!(found, FOLDERS.iter().map(|(folder, _)| String::from(*folder)).collect());
}

/// The page's `licences.txt` has those of its dependencies. A dependency of a dependency would be missing there.
#[test]
fn packages_in_the_bundle_are_direct_dependencies_in_exact_versions() {
    let manifest: Value = serde_json::from_str(&read(PAGE, "package.json")).unwrap();
    let direct = manifest["dependencies"].as_object().unwrap();
    let bundled: Vec<_> =
        packages(PAGE).into_iter().filter(|(_, package)| package["dev"].is_null()).collect();
    assert_eq!(bundled.len(), direct.len());
    for (path, package) in bundled {
        let name = path.strip_prefix("node_modules/").unwrap();
        assert_eq!(direct[name], package["version"], "{name}");
    }
}
