//! Output of all commands: lines of text, JSON Lines, tables, notes on standard error, and a progress bar.

use std::borrow::Cow;
use std::fmt;
use std::io::{self, BufWriter, IsTerminal as _, StdoutLock, Write as _};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde_json::Value;

pub(crate) use crate::numbers::thousands;

/// Buffered standard output.
pub(crate) struct Out {
    stdout: BufWriter<StdoutLock<'static>>,
}

impl Out {
    pub(crate) fn new() -> Self {
        Self { stdout: BufWriter::with_capacity(1 << 16, io::stdout().lock()) }
    }

    /// Writes text and a line feed. Control characters are escaped, line feeds inside the text are not.
    pub(crate) fn line(&mut self, text: impl fmt::Display) -> anyhow::Result<()> {
        self.stdout.write_all(escape_lines(&text.to_string()).as_bytes())?;
        self.stdout.write_all(b"\n")?;
        Ok(())
    }

    /// Writes a JSON value on a line of its own.
    pub(crate) fn json(&mut self, value: &Value) -> anyhow::Result<()> {
        serde_json::to_writer(&mut self.stdout, value).map_err(io::Error::from)?;
        self.stdout.write_all(b"\n")?;
        Ok(())
    }

    /// Writes bytes unchanged.
    pub(crate) fn bytes(&mut self, bytes: &[u8]) -> anyhow::Result<()> {
        self.stdout.write_all(bytes)?;
        Ok(())
    }

    /// Flushes the buffer.
    pub(crate) fn finish(&mut self) -> anyhow::Result<()> {
        self.stdout.flush()?;
        Ok(())
    }
}

/// Prints text on standard error, with control characters escaped.
pub(crate) fn note(text: impl fmt::Display) {
    eprintln!("{}", escape_lines(&text.to_string()));
}

/// Prints a warning or an error on standard error, after the command's name and with control characters escaped.
pub(crate) fn warn(text: impl fmt::Display) {
    note(format_args!("acmotion: {text}"));
}

/// Escapes control characters, line feeds included, so that text from a file cannot control the terminal.
pub(crate) fn escape_controls(text: &str) -> Cow<'_, str> {
    if !text.contains(char::is_control) {
        return Cow::Borrowed(text);
    }
    let mut escaped = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        if c.is_control() {
            escaped.extend(c.escape_default());
        } else {
            escaped.push(c);
        }
    }
    Cow::Owned(escaped)
}

/// Escapes control characters other than line feeds.
fn escape_lines(text: &str) -> Cow<'_, str> {
    if text.contains('\n') {
        let lines: Vec<_> = text.split('\n').map(escape_controls).collect();
        Cow::Owned(lines.join("\n"))
    } else {
        escape_controls(text)
    }
}

/// Returns an error and its causes on one line. A cause that the text before it ends with is left out: some errors of the
/// libraries repeat their source in their own text.
pub(crate) fn error_text(error: &anyhow::Error) -> String {
    let mut text = error.to_string();
    for cause in error.chain().skip(1).map(|cause| cause.to_string()) {
        if !text.ends_with(&cause) {
            text.push_str(": ");
            text.push_str(&cause);
        }
    }
    text
}

/// Returns `true` if the error is that the reader of our output closed the pipe, which is not a failure.
pub(crate) fn is_closed_pipe(error: &anyhow::Error) -> bool {
    let is_broken_pipe = |cause: &(dyn std::error::Error + 'static)| {
        cause.downcast_ref::<io::Error>().is_some_and(|io| io.kind() == io::ErrorKind::BrokenPipe)
    };
    error.chain().any(is_broken_pipe)
}

/// The error of a command that has already printed what is wrong: only the exit code is left to set.
#[derive(Debug)]
pub(crate) struct Failed;

impl fmt::Display for Failed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a check failed")
    }
}

impl std::error::Error for Failed {}

/// The alignment of a table's column.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Align {
    Left,
    Right,
}

/// A plain text table: each column as wide as its widest cell, two spaces between columns.
pub(crate) struct Table {
    align: Vec<Align>,
    /// The first row is the header.
    rows: Vec<Vec<String>>,
}

impl Table {
    pub(crate) fn new(columns: &[(&str, Align)]) -> Self {
        let header = columns.iter().map(|(name, _)| String::from(*name)).collect();
        Self { align: columns.iter().map(|(_, align)| *align).collect(), rows: vec![header] }
    }

    pub(crate) fn row(&mut self, cells: Vec<String>) {
        self.rows.push(cells);
    }

    pub(crate) fn print(&self, out: &mut Out, indent: &str) -> anyhow::Result<()> {
        out.line(self.text(indent).trim_end_matches('\n'))
    }

    /// Returns all lines of the table, each with its line feed.
    pub(crate) fn text(&self, indent: &str) -> String {
        let mut text = String::new();
        let width =
            |column: usize| self.rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
        let widths: Vec<usize> = (0..self.align.len()).map(width).collect();
        for row in &self.rows {
            let mut line = String::from(indent);
            for ((cell, width), align) in row.iter().zip(&widths).zip(&self.align) {
                match align {
                    Align::Left => line.push_str(&format!("{cell:<width$}  ")),
                    Align::Right => line.push_str(&format!("{cell:>width$}  ")),
                }
            }
            text.push_str(line.trim_end());
            text.push('\n');
        }
        text
    }
}

/// A progress bar on standard error. It appears only on a terminal, and only after [`PROGRESS_DELAY`].
pub(crate) struct Progress {
    bar: ProgressBar,
    started: Instant,
}

/// The time after which a progress bar appears.
const PROGRESS_DELAY: Duration = Duration::from_secs(1);

impl Progress {
    /// Creates a bar for `total` steps, labelled `what`.
    pub(crate) fn new(total: u64, what: &'static str) -> Self {
        let bar = ProgressBar::with_draw_target(Some(total), ProgressDrawTarget::hidden());
        if let Ok(style) = ProgressStyle::with_template("{msg} {wide_bar} {human_pos}/{human_len} {eta}") {
            bar.set_style(style);
        }
        bar.set_message(what);
        Self { bar, started: Instant::now() }
    }

    /// Records that one step is done.
    pub(crate) fn step(&self) {
        self.bar.inc(1);
        if self.bar.is_hidden() && io::stderr().is_terminal() && self.started.elapsed() > PROGRESS_DELAY {
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

#[cfg(test)]
mod tests {
    use super::{error_text, escape_controls, escape_lines};

    #[test]
    fn control_characters_are_escaped() {
        assert_eq!(escape_controls("\u{1b}]0;x\u{7}\n\u{9b}"), r"\u{1b}]0;x\u{7}\n\u{9b}");
        assert_eq!(escape_lines("one\r\ntwo"), "one\\r\ntwo");
        assert_eq!(escape_controls("Ülgrim 日本"), "Ülgrim 日本");
    }

    #[test]
    fn a_cause_that_is_part_of_the_text_is_not_repeated() {
        let cause = || anyhow::anyhow!("4 bytes needed, 2 left");
        let repeated = cause().context("object 0x09000001: 4 bytes needed, 2 left").context("m.dat");
        assert_eq!(error_text(&repeated), "m.dat: object 0x09000001: 4 bytes needed, 2 left");
        assert_eq!(error_text(&cause().context("m.dat")), "m.dat: 4 bytes needed, 2 left");
    }
}
