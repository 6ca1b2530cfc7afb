//! What every command prints with: lines for people, JSON Lines for machines, tables, a progress bar.

use std::fmt;
use std::io::{self, BufWriter, IsTerminal as _, StdoutLock, Write as _};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde_json::Value;

/// Buffered standard output.
pub(crate) struct Out {
    stdout: BufWriter<StdoutLock<'static>>,
}

impl Out {
    pub(crate) fn new() -> Self {
        Self { stdout: BufWriter::with_capacity(1 << 16, io::stdout().lock()) }
    }

    /// One line of text.
    pub(crate) fn line(&mut self, text: impl fmt::Display) -> anyhow::Result<()> {
        writeln!(self.stdout, "{text}")?;
        Ok(())
    }

    /// One line of JSON.
    pub(crate) fn json(&mut self, value: &Value) -> anyhow::Result<()> {
        serde_json::to_writer(&mut self.stdout, value).map_err(io::Error::from)?;
        self.stdout.write_all(b"\n")?;
        Ok(())
    }

    /// Bytes as they are.
    pub(crate) fn bytes(&mut self, bytes: &[u8]) -> anyhow::Result<()> {
        self.stdout.write_all(bytes)?;
        Ok(())
    }

    pub(crate) fn finish(&mut self) -> anyhow::Result<()> {
        self.stdout.flush()?;
        Ok(())
    }
}

/// Did the reader of our output go away? That is not an error.
pub(crate) fn is_closed_pipe(error: &anyhow::Error) -> bool {
    let broken = |cause: &(dyn std::error::Error + 'static)| {
        cause.downcast_ref::<io::Error>().is_some_and(|io| io.kind() == io::ErrorKind::BrokenPipe)
    };
    error.chain().any(broken)
}

/// A check failed and everything about it has been printed: only the exit code is left to say.
#[derive(Debug)]
pub(crate) struct Failed;

impl fmt::Display for Failed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a check failed")
    }
}

impl std::error::Error for Failed {}

/// A number with commas between thousands.
pub(crate) fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// Left-aligned or right-aligned cell of a table.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Align {
    Left,
    Right,
}

/// A plain table: columns as wide as their widest cell, two spaces between.
pub(crate) struct Table {
    align: Vec<Align>,
    rows: Vec<Vec<String>>,
}

impl Table {
    pub(crate) fn new(columns: &[(&str, Align)]) -> Self {
        let head = columns.iter().map(|(name, _)| String::from(*name)).collect();
        Self { align: columns.iter().map(|(_, align)| *align).collect(), rows: vec![head] }
    }

    pub(crate) fn row(&mut self, cells: Vec<String>) {
        self.rows.push(cells);
    }

    pub(crate) fn print(&self, out: &mut Out, indent: &str) -> anyhow::Result<()> {
        out.bytes(self.text(indent).as_bytes())
    }

    /// All lines of it.
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

/// A progress bar on standard error that shows itself only on a terminal and only after a second.
pub(crate) struct Progress {
    bar: ProgressBar,
    started: Instant,
}

const PATIENCE: Duration = Duration::from_secs(1);

impl Progress {
    pub(crate) fn new(total: u64, what: &'static str) -> Self {
        let bar = ProgressBar::with_draw_target(Some(total), ProgressDrawTarget::hidden());
        if let Ok(style) = ProgressStyle::with_template("{msg} {wide_bar} {human_pos}/{human_len} {eta}") {
            bar.set_style(style);
        }
        bar.set_message(what);
        Self { bar, started: Instant::now() }
    }

    pub(crate) fn step(&self) {
        self.bar.inc(1);
        if self.bar.is_hidden() && io::stderr().is_terminal() && self.started.elapsed() > PATIENCE {
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
    use super::thousands;

    #[test]
    fn thousands_are_set_apart() {
        assert_eq!([0, 999, 1000, 1_234_567].map(thousands), ["0", "999", "1,000", "1,234,567"]);
    }
}
