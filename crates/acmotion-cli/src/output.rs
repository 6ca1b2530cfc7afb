//! Output of all commands: lines of text, JSON Lines, tables, files, notes on standard error, and a progress bar.

mod file;

use std::borrow::Cow;
use std::fmt;
use std::io::{self, BufWriter, IsTerminal as _, StdoutLock, Write};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use clap::Args;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde_json::Value;

use crate::numbers::Line;
pub(crate) use crate::numbers::{counted, thousands};
pub(crate) use file::{OutputFile, expect_extension, write_files};

/// Where a command prints to: standard output, or the file of `--out`. It is buffered.
pub(crate) struct Out {
    writer: BufWriter<Target>,
    /// Whether anything has been printed.
    is_used: bool,
}

enum Target {
    Stdout(StdoutLock<'static>),
    File(OutputFile),
}

impl Write for Target {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Stdout(stdout) => stdout.write(bytes),
            Self::File(file) => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Stdout(stdout) => stdout.flush(),
            Self::File(file) => file.flush(),
        }
    }
}

/// The option that names a file to print to.
#[derive(Args, Default)]
pub(crate) struct OutFile {
    /// Print to this file instead of standard output, in UTF-8 whatever the shell.
    #[arg(short, long, value_name = "FILE")]
    out: Option<PathBuf>,
}

impl Out {
    pub(crate) fn new() -> Self {
        Self::to(Target::Stdout(io::stdout().lock()))
    }

    fn to(target: Target) -> Self {
        Self { writer: BufWriter::with_capacity(1 << 16, target), is_used: false }
    }

    /// Prints to the file of `--out` from now on, if there is one. It is there when the command is done, or from the start
    /// if it is to be followed.
    ///
    /// # Errors
    /// Returns an error if the file cannot be created.
    pub(crate) fn redirect(&mut self, to: &OutFile, is_followed: bool) -> anyhow::Result<()> {
        if let Some(path) = &to.out {
            let create = if is_followed { OutputFile::create_directly } else { OutputFile::create };
            *self = Self::to(Target::File(create(path)?));
        }
        Ok(())
    }

    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.is_used = true;
        self.writer.write_all(bytes)
    }

    /// Writes text and a line feed. Control characters are escaped, line feeds inside the text are not.
    pub(crate) fn line(&mut self, text: impl fmt::Display) -> anyhow::Result<()> {
        self.text_line(&text.to_string())
    }

    /// Writes text that is already a string, as [`line`](Self::line) does.
    pub(crate) fn text_line(&mut self, text: &str) -> anyhow::Result<()> {
        self.write(escape_lines(text).as_bytes())?;
        self.write(b"\n")?;
        Ok(())
    }

    /// Writes a JSON value on a line of its own.
    pub(crate) fn json(&mut self, value: &Value) -> anyhow::Result<()> {
        serde_json::to_writer(&mut self.writer, value).map_err(io::Error::from)?;
        self.write(b"\n")?;
        Ok(())
    }

    /// Writes bytes unchanged.
    pub(crate) fn bytes(&mut self, bytes: &[u8]) -> anyhow::Result<()> {
        self.write(bytes)?;
        Ok(())
    }

    /// Writes what is in the buffer.
    pub(crate) fn flush(&mut self) -> anyhow::Result<()> {
        self.writer.flush()?;
        Ok(())
    }

    /// Ends what is printed, after which the file of `--out` is there.
    pub(crate) fn finish(self) -> anyhow::Result<()> {
        // The error has the name of the file if it is given back.
        match self.writer.into_inner().map_err(io::IntoInnerError::into_error)? {
            Target::Stdout(mut stdout) => Ok(stdout.flush()?),
            Target::File(file) => file.finish(),
        }
    }

    /// Ends what is printed after an error. Output from before it is kept, but nothing is put in the place of a file if
    /// there was none.
    pub(crate) fn finish_after(self, error: &anyhow::Error) {
        if self.is_used || error.is::<Failed>() {
            // If it cannot be written either, the first error is the one to report.
            let _ = self.finish();
        }
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
    /// The text of all cells, row by row; the first row is the header.
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
        let column = self.ends.len() % self.columns();
        if let Some(width) = self.widths.get_mut(column) {
            *width = width_of(&self.text.as_bytes()[start..]).max(*width);
        }
        self.ends.push(self.text.len() as u32);
    }

    pub(crate) fn print(&self, out: &mut Out, indent: &str) -> anyhow::Result<()> {
        for line in self.lines(indent) {
            out.text_line(&line)?;
        }
        Ok(())
    }

    /// Returns all lines of the table, each with its line feed.
    pub(crate) fn text(&self, indent: &str) -> String {
        let mut text = String::new();
        for line in self.lines(indent) {
            text.push_str(&line);
            text.push('\n');
        }
        text
    }

    /// Iterates over the lines of the table, the header first.
    fn lines(&self, indent: &str) -> impl Iterator<Item = String> {
        (0..self.ends.len().div_ceil(self.columns())).map(move |row| self.line(row, indent))
    }

    /// Returns the line of a row. That with the number 0 is the header.
    pub(crate) fn line(&self, row: usize, indent: &str) -> String {
        let first = row * self.columns();
        let cells = self.ends.iter().skip(first).zip(&self.widths).zip(&self.align);
        let mut start = first.checked_sub(1).map_or(0, |last| self.ends[last] as usize);
        let mut line = Line::default();
        line.push_str(indent);
        for ((end, width), align) in cells {
            let cell = &self.text.as_bytes()[start..*end as usize];
            let missing = width - width_of(cell);
            match align {
                Align::Left => {
                    line.push_bytes(cell);
                    line.push_spaces(missing + GAP);
                }
                Align::Right => {
                    line.push_spaces(missing);
                    line.push_bytes(cell);
                    line.push_spaces(GAP);
                }
            }
            start = *end as usize;
        }
        line.trim_end();
        line.into_string()
    }

    /// Removes all rows but the header. The columns stay as wide as the rows needed.
    pub(crate) fn forget_rows(&mut self) {
        self.ends.truncate(self.columns());
        self.text.truncate(self.ends.last().map_or(0, |end| *end as usize));
    }

    fn columns(&self) -> usize {
        self.align.len().max(1)
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

    /// Shows the bar if it is time for it. It need not be called often.
    pub(crate) fn show(&self) {
        if self.bar.is_hidden() && io::stderr().is_terminal() && self.started.elapsed() > PROGRESS_DELAY {
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
        }
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
        self.show();
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
