//! Output of all commands: lines of text, JSON Lines, tables, notes on standard error, and a progress bar.

use std::borrow::Cow;
use std::fmt;
use std::io::{self, BufWriter, IsTerminal as _, StdoutLock, Write as _};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde_json::Value;

use crate::numbers::Line;
pub(crate) use crate::numbers::{counted, thousands};

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
        self.text_line(&text.to_string())
    }

    /// Writes text that is already a string, as [`line`](Self::line) does.
    pub(crate) fn text_line(&mut self, text: &str) -> anyhow::Result<()> {
        self.stdout.write_all(escape_lines(text).as_bytes())?;
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
    if !has_controls(text) {
        return Cow::Borrowed(text);
    }
    let mut escaped = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        push_escaped(&mut escaped, c);
    }
    Cow::Owned(escaped)
}

/// Appends a character, escaped if it is a control character.
pub(crate) fn push_escaped(out: &mut impl fmt::Write, character: char) {
    // Writing to memory cannot fail.
    let _ = if character.is_control() {
        write!(out, "{}", character.escape_default())
    } else {
        out.write_char(character)
    };
}

/// Returns `true` if text has control characters. In UTF-8 they are the bytes below 0x20, 0x7F, and 0xC2 followed by a
/// byte below 0xA0.
fn has_controls(text: &str) -> bool {
    let bytes = text.as_bytes();
    let is_ascii_control = |found: bool, byte: &u8| found | (*byte < 0x20) | (*byte == 0x7F);
    let is_other_control = |found: bool, pair: &[u8]| found | ((pair[0] == 0xC2) & (pair[1] < 0xA0));
    bytes.iter().fold(false, is_ascii_control) || bytes.windows(2).fold(false, is_other_control)
}

/// Escapes control characters other than line feeds.
fn escape_lines(text: &str) -> Cow<'_, str> {
    if text.contains('\n') {
        if !text.split('\n').any(has_controls) {
            return Cow::Borrowed(text);
        }
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
    /// The width of each column, in characters.
    widths: Vec<usize>,
    /// The text of all cells, row by row; the first row is the header. Tables can have a hundred thousand rows.
    text: Line,
    /// The ends of the cells in the text.
    ends: Vec<u32>,
}

impl Table {
    pub(crate) fn new(columns: &[(&str, Align)]) -> Self {
        let mut table = Self {
            align: columns.iter().map(|(_, align)| *align).collect(),
            widths: vec![0; columns.len()],
            text: Line::default(),
            ends: Vec::new(),
        };
        table.row(columns.iter().map(|(name, _)| *name));
        table
    }

    /// Adds a row with a cell for each column.
    pub(crate) fn row(&mut self, cells: impl IntoIterator<Item = impl AsRef<str>>) {
        for cell in cells.into_iter().take(self.widths.len()) {
            self.cell(|text| text.push_str(cell.as_ref()));
        }
    }

    /// Adds a cell to the last row, or to a new one if that is complete. `put` appends its text.
    pub(crate) fn cell(&mut self, put: impl FnOnce(&mut Line)) {
        let start = self.text.len();
        put(&mut self.text);
        let column = self.ends.len() % self.widths.len().max(1);
        if let Some(width) = self.widths.get_mut(column) {
            *width = width_of(&self.text.as_bytes()[start..]).max(*width);
        }
        self.ends.push(self.text.len() as u32);
    }

    pub(crate) fn print(&self, out: &mut Out, indent: &str) -> anyhow::Result<()> {
        out.text_line(self.text(indent).trim_end_matches('\n'))
    }

    /// Returns all lines of the table, each with its line feed.
    pub(crate) fn text(&self, indent: &str) -> String {
        let columns = self.align.len().max(1);
        let rows = self.ends.len() / columns;
        let width: usize = self.widths.iter().map(|width| width + GAP).sum();
        let mut text = Line::with_capacity(rows * (indent.len() + width + 1));
        let mut start = 0;
        for row in self.ends.chunks(columns) {
            text.push_str(indent);
            for ((end, width), align) in row.iter().zip(&self.widths).zip(&self.align) {
                let cell = &self.text.as_bytes()[start..*end as usize];
                let missing = width - width_of(cell);
                match align {
                    Align::Left => {
                        text.push_bytes(cell);
                        text.push_spaces(missing + GAP);
                    }
                    Align::Right => {
                        text.push_spaces(missing);
                        text.push_bytes(cell);
                        text.push_spaces(GAP);
                    }
                }
                start = *end as usize;
            }
            text.trim_end();
            text.push_str("\n");
        }
        text.into_string()
    }
}

/// The number of spaces between columns.
const GAP: usize = 2;

/// Returns the number of characters of UTF-8 text.
fn width_of(text: &[u8]) -> usize {
    text.iter().filter(|byte| **byte & 0xC0 != 0x80).count()
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
        Self::with_template(total, what, "{msg} {wide_bar} {human_pos}/{human_len} {eta}")
    }

    /// Creates a bar for `total` bytes, labelled `what`.
    pub(crate) fn bytes(total: u64, what: &'static str) -> Self {
        Self::with_template(total, what, "{msg} {wide_bar} {decimal_bytes}/{decimal_total_bytes} {eta}")
    }

    fn with_template(total: u64, what: &'static str, template: &str) -> Self {
        let bar = ProgressBar::with_draw_target(Some(total), ProgressDrawTarget::hidden());
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        bar.set_message(what);
        Self { bar, started: Instant::now() }
    }

    /// Records that one step is done.
    pub(crate) fn step(&self) {
        self.add(1);
    }

    /// Records that a number of steps are done.
    pub(crate) fn add(&self, steps: u64) {
        self.set(self.bar.position() + steps);
    }

    /// Records how many steps are done in all.
    pub(crate) fn set(&self, done: u64) {
        self.bar.set_position(done);
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
    use super::{error_text, escape_controls, escape_lines, has_controls};

    #[test]
    fn control_characters_are_escaped() {
        assert_eq!(escape_controls("\u{1b}]0;x\u{7}\n\u{9b}"), r"\u{1b}]0;x\u{7}\n\u{9b}");
        assert_eq!(escape_lines("one\r\ntwo"), "one\\r\ntwo");
        assert_eq!(escape_controls("Ülgrim 日本"), "Ülgrim 日本");
    }

    #[test]
    fn control_characters_are_found() {
        for character in (0..0x300).filter_map(char::from_u32) {
            let text = format!("Ü{character}");
            assert_eq!(has_controls(&text), character.is_control(), "{:?}", character);
        }
    }

    #[test]
    fn a_cause_that_is_part_of_the_text_is_not_repeated() {
        let cause = || anyhow::anyhow!("4 bytes needed, 2 left");
        let repeated = cause().context("object 0x09000001: 4 bytes needed, 2 left").context("m.dat");
        assert_eq!(error_text(&repeated), "m.dat: object 0x09000001: 4 bytes needed, 2 left");
        assert_eq!(error_text(&cause().context("m.dat")), "m.dat: 4 bytes needed, 2 left");
    }
}
