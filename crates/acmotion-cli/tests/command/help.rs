//! `acmotion --version` and `--help`.

use crate::common::stdout;

#[test]
fn the_version_follows_the_name_of_the_command() {
    assert_eq!(stdout(["--version"]), format!("acmotion {}\n", env!("CARGO_PKG_VERSION")));
}

#[test]
fn the_help_of_every_command_has_an_example() {
    let commands = [
        "dat",
        "lab",
        "motion",
        "decode",
        "replay",
        "diff",
        "simulate",
        "soak",
        "conform",
        "bench",
        "completions",
        "man",
    ]
    .map(|name| vec![name]);
    let dat = ["info", "ls", "show", "extract", "verify", "mannequin"].map(|name| vec!["dat", name]);
    for mut command in commands.into_iter().chain(dat) {
        if command == ["lab"] && cfg!(not(feature = "lab")) {
            continue;
        }
        let example = format!("acmotion {}", command.join(" "));
        command.push("--help");
        let help = stdout(&command);
        let (_, examples) = help.split_once("Example").expect(&help);
        assert!(examples.contains(&example), "{help}");
    }
}
