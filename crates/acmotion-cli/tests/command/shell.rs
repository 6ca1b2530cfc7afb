//! `acmotion completions` and `acmotion man`.

use std::fs;

use crate::common::{run, stderr, stdout};
use tempfile::tempdir;

#[test]
fn every_shell_gets_completions_of_all_commands() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let script = stdout(["completions", shell]);
        for word in ["acmotion", "replay", "conform", "changes"] {
            assert!(script.contains(word), "{shell}: no {word}");
        }
    }
    assert!(stderr(2, ["completions", "tcsh"]).contains("bash"), "the shells are listed");
}

#[test]
fn manual_pages_are_named_after_their_commands() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("man1");
    run(0, ["man", "--out", path.to_str().unwrap()]);
    let page = |name: &str| fs::read_to_string(path.join(name)).unwrap();
    assert!(page("acmotion.1").contains(".TH acmotion 1"));
    assert!(
        page("acmotion-dat-show.1").contains("acmotion dat show")
            || page("acmotion-dat-show.1").contains("acmotion\\-dat\\-show")
    );
    assert!(page("acmotion-replay.1").contains("changes"));
    assert!(!path.join("acmotion-help.1").exists());
    assert_eq!(stdout(["man"]), page("acmotion.1"));
}

#[test]
fn a_folder_that_cannot_be_made_is_named() {
    let folder = tempdir().unwrap();
    let file = folder.path().join("taken");
    fs::write(&file, "").unwrap();
    assert!(stderr(1, ["man", "--out", file.to_str().unwrap()]).contains("taken"));
}
