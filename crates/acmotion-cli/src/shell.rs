//! `acmotion completions` and `acmotion man`: what shells and `man` know of the command.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use clap::{Args, Command};
use clap_complete::Shell;
use clap_mangen::Man;

use crate::output::{Out, note};

/// Print the completions of a shell.
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

/// Print the manual page of the command, or write those of all commands into a folder.
///
/// The pages are named after their commands: acmotion.1, acmotion-replay.1, acmotion-dat-show.1.
#[derive(Args)]
#[command(after_help = "\
Examples:
  acmotion man | man -l -
  acmotion man --out ~/.local/share/man/man1")]
pub(crate) struct ManArguments {
    /// The folder for the pages; it is created if it does not exist.
    #[arg(long, value_name = "DIR")]
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

/// Writes the page of a command and those of its own commands. Returns how many there are.
fn write_pages(command: Command, parent: &str, folder: &Path) -> anyhow::Result<usize> {
    let name = if parent.is_empty() {
        command.get_name().into()
    } else {
        format!("{parent}-{}", command.get_name())
    };
    let parts: Vec<Command> =
        command.get_subcommands().filter(|part| part.get_name() != "help").cloned().collect();
    let path = folder.join(format!("{name}.1"));
    fs::write(&path, page(command)?).with_context(|| path.display().to_string())?;
    parts.into_iter().try_fold(1, |count, part| Ok(count + write_pages(part, &name, folder)?))
}

fn page(command: Command) -> anyhow::Result<Vec<u8>> {
    let mut page = Vec::new();
    Man::new(command).render(&mut page)?;
    Ok(page)
}
