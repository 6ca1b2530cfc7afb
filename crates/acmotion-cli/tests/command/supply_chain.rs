//! What the project takes from others: packages of the lab's page, and how they are locked.

use std::fs;
use std::path::Path;

use serde_json::Value;

/// Licences of packages that end up in the page, or build it.
const LICENCES: [&str; 3] = ["MIT", "BSD-3-Clause", "Apache-2.0"];

fn read(path: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../acmotion-lab/page").join(path)).unwrap()
}

/// Returns the packages of the page's lock file, without the page itself.
fn packages() -> Vec<(String, Value)> {
    let lock: Value = serde_json::from_str(&read("package-lock.json")).unwrap();
    let packages = lock["packages"].as_object().unwrap().clone();
    packages.into_iter().filter(|(path, _)| !path.is_empty()).collect()
}

#[test]
fn every_package_of_the_page_has_a_checksum_and_no_address() {
    let packages = packages();
    assert!(packages.len() > 2);
    for (path, package) in &packages {
        let integrity = package["integrity"].as_str().unwrap_or_default();
        assert!(integrity.starts_with("sha512-") && integrity.len() == 95, "{path}: `{integrity}`");
        assert!(package["resolved"].is_null(), "{path} has an address");
        assert!(package["hasInstallScript"].is_null() || path.ends_with("/esbuild"), "{path} runs a script");
        let licence = package["license"].as_str().unwrap_or_default();
        assert!(LICENCES.contains(&licence), "{path}: licence `{licence}`");
    }
    assert!(!read("package-lock.json").contains("://"), "an address in the lock file");
    assert!(read(".npmrc").contains("omit-lockfile-registry-resolved=true"));
}

/// The page's `licences.txt` has those of its dependencies. A dependency of a dependency would be missing there.
#[test]
fn packages_in_the_bundle_are_direct_dependencies_in_exact_versions() {
    let manifest: Value = serde_json::from_str(&read("package.json")).unwrap();
    let direct = manifest["dependencies"].as_object().unwrap();
    let bundled: Vec<_> = packages().into_iter().filter(|(_, package)| package["dev"].is_null()).collect();
    assert_eq!(bundled.len(), direct.len());
    for (path, package) in bundled {
        let name = path.strip_prefix("node_modules/").unwrap();
        assert_eq!(direct[name], package["version"], "{name}");
    }
}
