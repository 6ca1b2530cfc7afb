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

/// Names are offered, not the files of the folder.
#[test]
fn values_of_options_are_completed() {
    // How each shell names an option, and what follows its values.
    for (shell, before, after, end) in
        [("bash", "--", ")\n", "return 0"), ("fish", "-l ", " ", "\ncomplete "), ("zsh", "--", "=", "' \\\n")]
    {
        let script = stdout(["completions", shell]);
        for (option, value) in [
            ("only", "entities"),
            ("cheat", "wall_clip"),
            ("type", "MotionTable"),
            ("motion", "WalkForward"),
            ("opcode", "UpdatePosition"),
            ("part", "cycle"),
        ] {
            let named = format!("{before}{option}{after}");
            let mut rest = script.split(&named).skip(1);
            let has_value = |rest: &str| rest.split(end).next().is_some_and(|values| values.contains(value));
            assert!(rest.any(has_value), "{shell} {option}: no {value}");
        }
    }
    // The arguments STYLE and MOTION have no option.
    let zsh = stdout(["completions", "zsh"]);
    let style = zsh.lines().find(|line| line.contains("::style -- ")).unwrap();
    assert!(style.contains("NonCombat") && !style.contains("RunForward"), "{style}");
    assert!(!style.contains("HoldRun"), "{style}");
}

#[test]
fn manual_pages_are_named_after_their_commands() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("man1");
    run(0, ["man", "--out", path.to_str().unwrap()]);
    let page = |name: &str| fs::read_to_string(path.join(name)).unwrap();
    let head = |name: &str| page(name).lines().find(|line| line.starts_with(".TH")).unwrap().to_owned();
    let version = concat!("\"acmotion ", env!("CARGO_PKG_VERSION"), "\"");
    for name in ["acmotion", "acmotion-replay", "acmotion-dat-show", "acmotion-export-tables"] {
        assert_eq!(head(&format!("{name}.1")), format!(".TH {name} 1  {version} acmotion"));
    }
    assert!(
        page("acmotion-dat-show.1").contains("acmotion dat show")
            || page("acmotion-dat-show.1").contains("acmotion\\-dat\\-show")
    );
    assert!(page("acmotion-replay.1").contains("changes"));
    // Each page that is listed is there, and all examples stand on lines of their own.
    for file in fs::read_dir(&path).unwrap().map(|file| file.unwrap().file_name().into_string().unwrap()) {
        let text = page(&file);
        for listed in text.lines().filter_map(|line| line.strip_suffix("(1)")) {
            assert!(path.join(format!("{}.1", listed.replace('\\', ""))).exists(), "{file}: {listed}");
        }
        assert!(text.contains(".SH EXAMPLES\n.nf\nacmotion") && !text.contains("EXTRA"), "{text}");
    }
    assert!(page("acmotion.1").contains("acmotion\\-replay(1)"));
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
