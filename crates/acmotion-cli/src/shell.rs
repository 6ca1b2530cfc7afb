//! `acmotion completions` and `acmotion man`: what shells and `man` know of the command.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use clap::{Args, Command};
use clap_complete::Shell;
use clap_mangen::Man;
use clap_mangen::roff::{Roff, roman};

use crate::output::{Out, note};

/// Print the completions for a shell.
///
/// Once they are installed, the shell completes commands, options and their values.
#[derive(Args)]
#[command(after_help = "\
Examples:
  acmotion completions bash > ~/.local/share/bash-completion/completions/acmotion
  acmotion completions zsh > ~/.zfunc/_acmotion
  acmotion completions fish > ~/.config/fish/completions/acmotion.fish
  acmotion completions powershell >> $PROFILE")]
pub(crate) struct CompletionArguments {
    /// The shell.
    #[arg(value_enum)]
    shell: Shell,
}

/// Print the manual page of acmotion, or write the pages of all its commands into a folder.
///
/// The pages are named after their commands: acmotion.1, acmotion-replay.1, acmotion-dat-show.1.
#[derive(Args)]
#[command(after_help = "\
Examples:
  acmotion man | man -l -
  acmotion man --out ~/.local/share/man/man1")]
pub(crate) struct ManArguments {
    /// The folder for the pages; it is created if it does not exist.
    #[arg(short, long, value_name = "DIR")]
    out: Option<PathBuf>,
}

pub(crate) fn print_completions(
    arguments: &CompletionArguments,
    mut command: Command,
    out: &mut Out,
) -> anyhow::Result<()> {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut command, "acmotion", &mut script);
    out.bytes(&script)
}

pub(crate) fn print_man(arguments: &ManArguments, mut command: Command, out: &mut Out) -> anyhow::Result<()> {
    // Gives every command its full name.
    command.build();
    let Some(folder) = &arguments.out else { return out.bytes(&page(command)?) };
    fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
    let count = write_pages(command, "", folder)?;
    note(format_args!("{count} pages in {}", folder.display()));
    Ok(())
}

/// The command that prints the help of others.
const HELP: &str = "help";

/// Writes the page of a command and those of its own commands. Returns how many there are.
fn write_pages(command: Command, parent: &str, folder: &Path) -> anyhow::Result<usize> {
    let name = if parent.is_empty() {
        command.get_name().into()
    } else {
        format!("{parent}-{}", command.get_name())
    };
    let parts: Vec<Command> =
        command.get_subcommands().filter(|part| part.get_name() != HELP).cloned().collect();
    let path = folder.join(format!("{name}.1"));
    fs::write(&path, page(command)?).with_context(|| path.display().to_string())?;
    parts.into_iter().try_fold(1, |count, part| Ok(count + write_pages(part, &name, folder)?))
}

/// Returns the page of a command, with its examples in a section of their own.
fn page(command: Command) -> anyhow::Result<Vec<u8>> {
    let examples = command.get_after_help().map(ToString::to_string);
    let has_commands = command.get_subcommands().any(|part| part.get_name() != HELP);
    // The command that prints help has no page.
    let command = command.mut_subcommands(|part| {
        let is_hidden = part.get_name() == HELP;
        part.hide(is_hidden)
    });
    let man = Man::new(command).source(concat!("acmotion ", env!("CARGO_PKG_VERSION"))).manual("acmotion");
    let mut page = Vec::new();
    man.render_title(&mut page)?;
    man.render_name_section(&mut page)?;
    man.render_synopsis_section(&mut page)?;
    man.render_description_section(&mut page)?;
    man.render_options_section(&mut page)?;
    if has_commands {
        man.render_subcommands_section(&mut page)?;
    }
    if let Some(examples) = examples {
        put_examples(&examples, &mut page)?;
    }
    Ok(page)
}

/// Appends the lines of the text after a help as they are, without the first, which is the title of the section here.
fn put_examples(text: &str, page: &mut Vec<u8>) -> io::Result<()> {
    let mut roff = Roff::new();
    roff.control("SH", ["EXAMPLES"]).control("nf", []);
    for line in text.lines().skip(1) {
        roff.text([roman(line.trim())]);
    }
    roff.control("fi", []).to_writer(page)
}
