//! What the README's commands rely on in the workspace.

use std::process::Command;

use serde_json::Value;

/// `cargo run` without a package must find the command, and nothing else.
#[test]
fn cargo_run_finds_the_command() {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version=1", "--no-deps", "--locked", "--offline"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap();
    let metadata: Value = serde_json::from_slice(&output.stdout).unwrap();
    let default_members = metadata["workspace_default_members"].as_array().unwrap();
    let packages = metadata["packages"].as_array().unwrap();
    let programs: Vec<&str> = packages
        .iter()
        .filter(|package| default_members.contains(&package["id"]))
        .flat_map(|package| package["targets"].as_array().unwrap())
        .filter(|target| target["kind"][0] == "bin")
        .map(|target| target["name"].as_str().unwrap())
        .collect();
    assert_eq!(programs, ["acmotion"]);
}
