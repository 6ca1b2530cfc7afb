//! The `acmotion` command.
#![forbid(unsafe_code)]
#![allow(clippy::doc_markdown, reason = "doc comments of arguments are the help texts people see")]
#![cfg_attr(not(test), warn(clippy::unwrap_used, clippy::expect_used))]

mod bench;
mod conform;
mod dat;
mod decode;
mod input;
#[cfg(feature = "lab")]
mod lab;
mod motion;
mod output;
mod page;
mod replay;
mod simulate;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use output::{Failed, Out};

/// Motion of Asheron's Call: look into dat files and captures, replay them, check conformance.
///
/// Exit codes: 0 fine, 1 the data is bad or a check failed, 2 wrong usage.
#[derive(Parser)]
#[command(version, arg_required_else_help = true, max_term_width = 110)]
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
    Simulate(simulate::Arguments),
    Conform(conform::Arguments),
    Bench(bench::Arguments),
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
        Command::Simulate(arguments) => simulate::run(&arguments, &mut out),
        Command::Conform(arguments) => conform::run(&arguments, &mut out),
        Command::Bench(arguments) => bench::run(&arguments, &mut out),
    };
    match result.and_then(|()| out.finish()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) if output::is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            // What was found before the failure is worth having; if it cannot be written either, the failure is told.
            let _ = out.finish();
            if !error.is::<Failed>() {
                eprintln!("acmotion: {error:#}");
            }
            ExitCode::FAILURE
        }
    }
}
