//! Tables as comma-separated values (RFC 4180): a line of names, then a line for each row. A missing value is empty.

use std::io::Write;

use crate::TableError;
use crate::column::ColumnSpec;
use crate::table::Rows;

pub(crate) struct CsvWriter<W> {
    output: W,
    /// The lines of the group, and the current cell.
    lines: Vec<u8>,
    cell: Vec<u8>,
}

impl<W: Write> CsvWriter<W> {
    pub(crate) fn new(columns: &[ColumnSpec], mut output: W) -> Result<Self, TableError> {
        let names: Vec<&str> = columns.iter().map(|column| column.name).collect();
        writeln!(output, "{}", names.join(","))?;
        Ok(Self { output, lines: Vec::new(), cell: Vec::new() })
    }

    pub(crate) fn write_group<T: Rows>(&mut self, rows: &mut T) -> Result<(), TableError> {
        let Self { output, lines, cell } = self;
        for row in 0..rows.len() {
            rows.try_for_each(|column| {
                cell.clear();
                column.put_text(row, cell);
                put_cell(cell, lines);
                lines.push(b',');
                Ok::<_, TableError>(())
            })?;
            // In place of the last comma.
            lines.pop();
            lines.push(b'\n');
            if lines.len() > 1 << 16 {
                output.write_all(lines)?;
                lines.clear();
            }
        }
        output.write_all(lines)?;
        lines.clear();
        Ok(())
    }

    pub(crate) fn finish(mut self) -> Result<W, TableError> {
        self.output.flush()?;
        Ok(self.output)
    }
}

/// Appends a cell, in quotes if it has a comma, a quote or a line end.
fn put_cell(cell: &[u8], line: &mut Vec<u8>) {
    if !cell.iter().any(|byte| matches!(byte, b',' | b'"' | b'\n' | b'\r')) {
        line.extend_from_slice(cell);
        return;
    }
    line.push(b'"');
    for byte in cell {
        if *byte == b'"' {
            line.push(b'"');
        }
        line.push(*byte);
    }
    line.push(b'"');
}

/// Splits a file into rows of cells.
pub(crate) fn rows(text: &str) -> impl Iterator<Item = Vec<String>> {
    let mut characters = text.chars().peekable();
    std::iter::from_fn(move || {
        characters.peek()?;
        let (mut row, mut cell, mut is_quoted) = (Vec::new(), String::new(), false);
        while let Some(character) = characters.next() {
            match (character, is_quoted) {
                ('"', true) if characters.peek() == Some(&'"') => cell.extend(characters.next()),
                ('"', _) => is_quoted = !is_quoted,
                (',', false) => row.push(std::mem::take(&mut cell)),
                ('\n', false) => break,
                (other, _) => cell.push(other),
            }
        }
        row.push(cell);
        Some(row)
    })
}

#[cfg(test)]
mod tests {
    use super::{put_cell, rows};

    #[test]
    fn cells_are_quoted_where_they_have_to_be() {
        let quoted = |text: &str| {
            let mut line = Vec::new();
            put_cell(text.as_bytes(), &mut line);
            String::from_utf8(line).unwrap()
        };
        assert_eq!(quoted("Drudge Prowler"), "Drudge Prowler");
        assert_eq!(quoted("a,b"), "\"a,b\"");
        assert_eq!(quoted("the \"Ulgrim\"\n"), "\"the \"\"Ulgrim\"\"\n\"");
    }

    #[test]
    fn rows_are_split_into_the_cells_that_were_written() {
        let cells = ["a,b", "", "the \"Ulgrim\"\n", "é", "\"", ""];
        let mut text = Vec::new();
        for line in [&cells[..3], &cells[3..]] {
            for (number, cell) in line.iter().enumerate() {
                text.extend((number > 0).then_some(b','));
                put_cell(cell.as_bytes(), &mut text);
            }
            text.push(b'\n');
        }
        let text = String::from_utf8(text).unwrap();
        let split: Vec<_> = rows(&text).collect();
        assert_eq!(split, [&cells[..3], &cells[3..]]);
        assert_eq!(rows("").count(), 0);
        // A last line without its end, and a quote that is never closed.
        assert_eq!(rows("a\nb,\"c").collect::<Vec<_>>(), [vec!["a"], vec!["b", "c"]]);
    }
}
