//! What the tests beside the messages share.

use acmotion_types::Era;

use crate::{Action, C2S, GameAction, Problem, S2C, decode_c2s, decode_s2c};

/// Bytes from hexadecimal digits; blanks do not count.
pub(crate) fn hex(digits: &str) -> Vec<u8> {
    let digits: Vec<u32> =
        digits.chars().filter(|c| !c.is_whitespace()).map(|c| c.to_digit(16).unwrap()).collect();
    digits.chunks(2).map(|pair| (pair[0] << 4 | pair[1]) as u8).collect()
}

/// Decodes to the message, encodes to the bytes; cut anywhere or with one byte more it is a clear error.
#[track_caller]
pub(crate) fn assert_s2c<'a>(bytes: &'a [u8], message: impl Into<S2C<'a>>) {
    let message = message.into();
    assert_eq!(decode_s2c(bytes, Era::default()), Ok(message));
    let mut encoded = Vec::new();
    message.encode(&mut encoded);
    assert_eq!(encoded, bytes);
    assert_bounds(bytes, |bytes| decode_s2c(bytes, Era::default()).err());
}

/// The same for an action of the client; its sequence is 7.
#[track_caller]
pub(crate) fn assert_c2s<'a>(bytes: &'a [u8], action: impl Into<Action<'a>>) {
    let message = C2S::GameAction(GameAction { sequence: 7, action: action.into() });
    assert_eq!(decode_c2s(bytes, Era::default()), Ok(message));
    let mut encoded = Vec::new();
    message.encode(&mut encoded);
    assert_eq!(encoded, bytes);
    assert_bounds(bytes, |bytes| decode_c2s(bytes, Era::default()).err());
}

#[track_caller]
fn assert_bounds(bytes: &[u8], error: impl Fn(&[u8]) -> Option<crate::DecodeError>) {
    for length in 0..bytes.len() {
        let error = error(&bytes[..length]).unwrap_or_else(|| panic!("decoded after a cut at {length}"));
        assert_eq!(error.problem, Problem::MissingBytes);
        assert!(error.offset <= length && error.had == length - error.offset && error.needed > error.had);
    }
    let longer = [bytes, &[0]].concat();
    let error = error(&longer).expect("one byte too many");
    assert_eq!((error.problem, error.offset, error.had), (Problem::TrailingBytes, bytes.len(), 1));
}
