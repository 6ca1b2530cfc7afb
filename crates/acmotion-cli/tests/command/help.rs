//! `acmotion --version` and `--help`.

use crate::common::{acmotion, stdout};

#[test]
fn the_version_follows_the_name_of_the_command() {
    assert_eq!(stdout(["--version"]), format!("acmotion {}\n", env!("CARGO_PKG_VERSION")));
}

/// Returns the commands that the help of a command lists, and theirs, each with those that it belongs to.
fn commands(parents: &[&str]) -> Vec<Vec<String>> {
    let help = stdout([parents, &["--help"]].concat());
    let Some((_, list)) = help.split_once("\nCommands:\n") else { return Vec::new() };
    let (list, _) = list.split_once("\n\n").unwrap();
    // A description that takes two lines is indented further.
    let names = list.lines().filter_map(|line| line.strip_prefix("  ")).filter(|line| !line.starts_with(' '));
    let names = names.map(|line| line.split_whitespace().next().unwrap()).filter(|name| *name != "help");
    names
        .flat_map(|name| {
            let path = [parents, &[name]].concat();
            let inner = commands(&path);
            std::iter::once(path.into_iter().map(String::from).collect()).chain(inner)
        })
        .collect()
}

#[test]
fn the_help_of_every_command_has_examples_at_its_end() {
    let all = commands(&[]);
    for expected in ["decode", "dat show", "export", "export gltf", "export tables", "completions", "man"] {
        assert!(all.iter().any(|command| command.join(" ") == expected), "{expected} is not in {all:?}");
    }
    for mut command in all {
        let example = format!("acmotion {}", command.join(" "));
        command.push(String::from("--help"));
        let help = stdout(&command);
        let (_, examples) = help.split_once("\nExample").expect(&help);
        assert!(examples.contains(&example), "{help}");
        assert!(!examples.contains("Usage:") && !examples.contains("Options:"), "{help}");
    }
}

/// Help and errors are the only text with styles.
#[test]
fn styles_are_for_terminals_and_not_for_those_that_want_none() {
    let has_styles = |arguments: &[&str], variables: &[&str]| {
        let mut command = acmotion(arguments);
        command.env_remove("NO_COLOR").env_remove("CLICOLOR_FORCE");
        command.envs(variables.iter().map(|name| (name, "1")));
        let output = command.output().unwrap();
        output.stdout.contains(&0x1B) || output.stderr.contains(&0x1B)
    };
    for arguments in [&["--help"][..], &["decode"]] {
        assert!(!has_styles(arguments, &[]), "a pipe gets none");
        assert!(has_styles(arguments, &["CLICOLOR_FORCE"]), "there are some");
        assert!(!has_styles(arguments, &["CLICOLOR_FORCE", "NO_COLOR"]));
    }
    for arguments in [&["motion", "mannequin", "0x09000001"][..], &["decode", "no-such-file"]] {
        assert!(!has_styles(arguments, &["CLICOLOR_FORCE"]));
    }
}
