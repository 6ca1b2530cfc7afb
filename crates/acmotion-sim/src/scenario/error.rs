//! What is wrong with a scene.

use thiserror::Error;

/// What is wrong with a scene, and where.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{}{message}", line.map_or_else(String::new, |line| format!("line {line}: ")))]
pub struct ScenarioError {
    /// The line of the file, if it comes from one.
    pub line: Option<usize>,
    /// What is wrong, what was expected, what was found.
    pub message: String,
}

impl ScenarioError {
    /// Something wrong with a scene as a whole.
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Self { line: None, message: message.into() }
    }

    /// Something wrong at a byte of the file.
    pub(super) fn at(text: &str, byte: usize, message: impl Into<String>) -> Self {
        let before = text.as_bytes().iter().take(byte);
        let line = 1 + before.filter(|byte| **byte == b'\n').count();
        Self { line: Some(line), message: message.into() }
    }
}
