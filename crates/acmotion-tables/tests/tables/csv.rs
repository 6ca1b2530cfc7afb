//! Tables as comma-separated values have the rows of the Parquet files.

use acmotion_tables::{Format, Table};

use crate::support::{START, duel, export, options, pcap};

/// Splits a file into rows of cells.
fn parse(text: &str) -> Vec<Vec<String>> {
    let (mut rows, mut cell, mut is_quoted) = (vec![Vec::new()], String::new(), false);
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        match (character, is_quoted) {
            ('"', true) if characters.peek() == Some(&'"') => cell.extend(characters.next()),
            ('"', _) => is_quoted = !is_quoted,
            (',' | '\n', false) => {
                rows.last_mut().unwrap().push(std::mem::take(&mut cell));
                if character == '\n' {
                    rows.push(Vec::new());
                }
            }
            (other, _) => cell.push(other),
        }
    }
    rows.pop();
    rows
}

#[test]
fn the_cells_are_the_values_of_the_parquet_files() {
    let capture = pcap(&duel(), START);
    let parquet = export(&capture, &options(&Table::ALL));
    let mut as_csv = options(&Table::ALL);
    as_csv.format = Format::Csv;
    let csv = export(&capture, &as_csv);
    for table in Table::ALL {
        let lines = parse(std::str::from_utf8(&csv.files[table.name()][0]).unwrap());
        let (head, lines) = lines.split_first().unwrap();
        let names: Vec<&str> = table.columns().iter().map(|column| column.name).collect();
        assert_eq!(*head, names);
        let rows = parquet.rows(table);
        assert_eq!(lines.len(), rows.len(), "{}", table.name());
        for (line, row) in lines.iter().zip(&rows) {
            assert_eq!(line.len(), names.len());
            for (cell, column) in line.iter().zip(table.columns()) {
                let expected = match row.get(column.name) {
                    None => String::new(),
                    Some(serde_json::Value::String(text)) => text.clone(),
                    Some(number) if column.kind.name() == "f32" => {
                        (number.as_f64().unwrap() as f32).to_string()
                    }
                    Some(number) if column.kind.name() == "f64" => number.as_f64().unwrap().to_string(),
                    Some(micros) if column.kind.name() == "timestamp" => {
                        assert!(cell.starts_with("2017-01-24T") && cell.ends_with('Z'), "{cell}");
                        let fraction = micros.as_i64().unwrap() % 1_000_000;
                        assert!(cell.contains(&format!(".{fraction:06}")), "{cell}");
                        cell.clone()
                    }
                    Some(other) => other.to_string(),
                };
                assert_eq!(*cell, expected, "{} of {}", column.name, table.name());
            }
        }
    }
}
