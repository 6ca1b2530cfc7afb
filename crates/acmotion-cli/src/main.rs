//! The `acmotion` command.
#![forbid(unsafe_code)]
#![allow(clippy::doc_markdown, reason = "the doc comments of arguments are the help texts")]
#![cfg_attr(not(test), warn(clippy::unwrap_used, clippy::expect_used))]

mod allocator;
mod bench;
mod captures;
mod conform;
mod dat;
mod decode;
mod diff;
mod export;
mod input;
#[cfg(feature = "lab")]
mod lab;
mod methods_table;
mod motion;
mod names;
mod numbers;
mod output;
mod page;
mod replay;
mod replay_options;
mod shell;
mod simulate;
mod soak;
mod unpack;

use std::process::ExitCode;

use clap::{CommandFactory as _, Parser, Subcommand};

use output::{Failed, Out};

/// Inspect, replay, simulate and verify the motion of Asheron's Call.
///
/// Exit codes: 0 success, 1 bad data or a failed check, 2 wrong usage.
#[derive(Parser)]
#[command(name = "acmotion", version, arg_required_else_help = true, max_term_width = 110)]
#[command(after_help = "\
Examples:
  acmotion dat show mannequin 0x09000001
  acmotion replay walk.pcap --report walk.html")]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    #[command(subcommand)]
    Dat(dat::Command),
    #[cfg(feature = "lab")]
    Lab(lab::Arguments),
    Motion(motion::Arguments),
    Decode(decode::Arguments),
    Replay(replay::Arguments),
    Diff(diff::Arguments),
    #[command(subcommand)]
    Export(export::Command),
    Simulate(simulate::Arguments),
    Soak(soak::Arguments),
    Conform(conform::Arguments),
    Bench(bench::Arguments),
    Completions(shell::CompletionArguments),
    Man(shell::ManArguments),
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    let mut out = Out::new();
    let result = match cli.command {
        Command::Dat(command) => dat::run(command, &mut out),
        #[cfg(feature = "lab")]
        Command::Lab(arguments) => lab::run(&arguments, &mut out),
        Command::Motion(arguments) => motion::run(&arguments, &mut out),
        Command::Decode(arguments) => decode::run(&arguments, &mut out),
        Command::Replay(arguments) => replay::run(&arguments, &mut out),
        Command::Diff(arguments) => diff::run(&arguments, &mut out),
        Command::Export(command) => export::run(&command, &mut out),
        Command::Simulate(arguments) => simulate::run(&arguments, &mut out),
        Command::Soak(arguments) => soak::run(&arguments, &mut out),
        Command::Conform(arguments) => conform::run(&arguments, &mut out),
        Command::Bench(arguments) => bench::run(&arguments, &mut out),
        Command::Completions(arguments) => shell::print_completions(&arguments, Cli::command(), &mut out),
        Command::Man(arguments) => shell::print_man(&arguments, Cli::command(), &mut out),
    };
    let result = match result {
        Ok(()) => out.finish(),
        Err(error) => {
            out.finish_after(&error);
            Err(error)
        }
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) if output::is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            if !error.is::<Failed>() {
                output::warn(output::error_text(&error));
            }
            ExitCode::FAILURE
        }
    }
}
