//! Message decoding errors.

use thiserror::Error;

/// An error in the bytes of a message: the message, the field, its offset, and the number of bytes needed and present.
///
/// ```
/// use acmotion_wire::{DecodeErrorKind, Era, decode_s2c};
///
/// // A SetState message that ends inside its physics state.
/// let cut = [0x4B, 0xF7, 0, 0, 0x1D, 0, 0, 0x50, 0x10, 0x44];
/// let error = decode_s2c(&cut, Era::default()).unwrap_err();
/// assert_eq!((error.opcode, error.field, error.offset), (0xF74B, "state", 8));
/// assert_eq!((error.needed, error.had, error.kind), (4, 2, DecodeErrorKind::MissingBytes));
/// assert_eq!(error.to_string(), "0xF74B: state at byte 8 needs 4 bytes, but the message has only 2 there");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("0x{opcode:04X}: {}", self.description())]
pub struct DecodeError {
    /// The opcode of the message, or of the event or action inside a game event or game action. 0 if the opcode itself
    /// could not be read.
    pub opcode: u32,
    /// The name of the field in the decoded message.
    pub field: &'static str,
    /// The offset of the field from the first byte passed to the decoder.
    pub offset: usize,
    /// The size of the field in bytes. 0 for trailing bytes.
    pub needed: usize,
    /// The number of bytes available at `offset`.
    pub had: usize,
    /// What is wrong with the field.
    pub kind: DecodeErrorKind,
}

/// The kind of a [`DecodeError`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum DecodeErrorKind {
    /// The message ends inside the field.
    MissingBytes,
    /// The message continues after its last field.
    TrailingBytes,
    /// The field has a value that is never valid there.
    NotAllowed {
        /// The value found.
        value: u32,
    },
    /// A 16-bit command is outside the command table of the era (rule E6). The table of the other era may contain it.
    UnknownCommand {
        /// The index found.
        index: u16,
    },
}

impl DecodeError {
    fn description(&self) -> String {
        let Self { field, offset, needed, had, .. } = self;
        match self.kind {
            DecodeErrorKind::MissingBytes => {
                format!("{field} at byte {offset} needs {needed} bytes, but the message has only {had} there")
            }
            DecodeErrorKind::TrailingBytes => {
                format!("{had} bytes are left over at byte {offset}, after {field}")
            }
            DecodeErrorKind::NotAllowed { value } => {
                format!("{field} at byte {offset} is 0x{value:X}, which is not allowed there")
            }
            DecodeErrorKind::UnknownCommand { index } => {
                format!("{field} at byte {offset} is 0x{index:04X}, which is outside the command table")
            }
        }
    }
}
