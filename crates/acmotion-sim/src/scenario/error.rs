//! Errors in scenarios.

use thiserror::Error;

/// What is wrong with a scenario, and where.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{}{message}", line.map_or_else(String::new, |line| format!("line {line}: ")))]
pub struct ScenarioError {
    /// The line of the file, from 1; `None` if the error does not belong to one line.
    pub line: Option<usize>,
    /// What was expected and what was found. Control characters are escaped.
    pub message: String,
}

impl ScenarioError {
    /// Creates an error about a scenario as a whole.
    pub(crate) fn new(message: impl AsRef<str>) -> Self {
        Self { line: None, message: printable(message.as_ref()) }
    }

    /// Creates an error at a byte of the file.
    pub(super) fn at(text: &str, byte: usize, message: impl AsRef<str>) -> Self {
        let before = text.as_bytes().iter().take(byte);
        let line = 1 + before.filter(|byte| **byte == b'\n').count();
        Self { line: Some(line), message: printable(message.as_ref()) }
    }
}

/// Escapes control characters except line breaks: a file from outside must not control the terminal.
fn printable(message: &str) -> String {
    let mut printable = String::with_capacity(message.len());
    for character in message.chars() {
        if character.is_control() && character != '\n' {
            printable.extend(character.escape_default());
        } else {
            printable.push(character);
        }
    }
    printable
}
