//! What can be wrong with the bytes of a message.

use thiserror::Error;

/// Why a message could not be decoded: which message, which field, where, and how many bytes were asked and there.
///
/// ```
/// use acmotion_wire::{Era, Problem, decode_s2c};
///
/// // A SetState that ends inside its physics state.
/// let cut = [0x4B, 0xF7, 0, 0, 0x1D, 0, 0, 0x50, 0x10, 0x44];
/// let error = decode_s2c(&cut, Era::default()).unwrap_err();
/// assert_eq!((error.opcode, error.field, error.offset), (0xF74B, "state", 8));
/// assert_eq!((error.needed, error.had, error.problem), (4, 2, Problem::MissingBytes));
/// assert_eq!(error.to_string(), "0xF74B: state at byte 8 needs 4 bytes, but the message has only 2 there");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("0x{opcode:04X}: {}", self.sentence())]
pub struct DecodeError {
    /// The message; inside a game event or a game action that of the event or action. 0 if not even that could be read.
    pub opcode: u32,
    /// The field, by its name in the decoded message.
    pub field: &'static str,
    /// Where the field begins, counted from the first byte that was given to the decoder.
    pub offset: usize,
    /// How many bytes the field takes; 0 for trailing bytes.
    pub needed: usize,
    /// How many bytes there were at `offset`.
    pub had: usize,
    /// What is wrong.
    pub problem: Problem,
}

/// The kinds of trouble in a [`DecodeError`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Problem {
    /// The message ends inside the field.
    MissingBytes,
    /// The message goes on after its last field.
    TrailingBytes,
    /// The bytes are there, but no message may say this.
    NotAllowed {
        /// The value that was found.
        value: u32,
    },
    /// A 16-bit command that the command table of the era does not have (rule E6). Maybe the other era does.
    UnknownCommand {
        /// The index that was found.
        index: u16,
    },
}

impl DecodeError {
    fn sentence(&self) -> String {
        let Self { field, offset, needed, had, .. } = self;
        match self.problem {
            Problem::MissingBytes => {
                format!("{field} at byte {offset} needs {needed} bytes, but the message has only {had} there")
            }
            Problem::TrailingBytes => format!("{had} bytes are left over at byte {offset}, after {field}"),
            Problem::NotAllowed { value } => {
                format!("{field} at byte {offset} is 0x{value:X}, which is not allowed there")
            }
            Problem::UnknownCommand { index } => {
                format!("{field} at byte {offset} is 0x{index:04X}, which is outside the command table")
            }
        }
    }
}
