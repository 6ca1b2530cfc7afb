//! Helpers for the unit tests of the messages.

use acmotion_types::{Era, Guid};

use crate::{
    C2S, DecodeErrorKind, GameAction, GameActionBody, GameEvent, GameEventBody, S2C, decode_c2s, decode_s2c,
};

/// Parses hexadecimal digits. Whitespace is ignored.
pub(crate) fn hex(digits: &str) -> Vec<u8> {
    let digits: Vec<u32> =
        digits.chars().filter(|c| !c.is_whitespace()).map(|c| c.to_digit(16).unwrap()).collect();
    digits.chunks(2).map(|pair| (pair[0] << 4 | pair[1]) as u8).collect()
}

/// Asserts that the bytes decode to the message and the message encodes to the bytes, and that bytes cut anywhere or
/// with one byte appended are an error.
#[track_caller]
pub(crate) fn assert_s2c<'a>(bytes: &'a [u8], message: impl Into<S2C<'a>>) {
    let message = message.into();
    assert_eq!(decode_s2c(bytes, Era::default()), Ok(message));
    let mut encoded = Vec::new();
    message.encode(&mut encoded);
    assert_eq!(encoded, bytes);
    assert_bounds(bytes, |bytes| decode_s2c(bytes, Era::default()).err());
}

/// Does the same for a client action with sequence number 7.
#[track_caller]
pub(crate) fn assert_c2s<'a>(bytes: &'a [u8], action: impl Into<GameActionBody<'a>>) {
    let message = C2S::GameAction(GameAction { sequence: 7, action: action.into() });
    assert_eq!(decode_c2s(bytes, Era::default()), Ok(message));
    let mut encoded = Vec::new();
    message.encode(&mut encoded);
    assert_eq!(encoded, bytes);
    assert_bounds(bytes, |bytes| decode_c2s(bytes, Era::default()).err());
}

/// Does the same for an event of player 0x50000001 with sequence number 9.
#[track_caller]
pub(crate) fn assert_event<'a>(bytes: &'a [u8], event: impl Into<GameEventBody<'a>>) {
    assert_s2c(bytes, GameEvent { guid: Guid(0x5000_0001), sequence: 9, event: event.into() });
}

#[track_caller]
fn assert_bounds(bytes: &[u8], error: impl Fn(&[u8]) -> Option<crate::DecodeError>) {
    for length in 0..bytes.len() {
        let error = error(&bytes[..length]).unwrap_or_else(|| panic!("decoded although cut at {length}"));
        assert_eq!(error.kind, DecodeErrorKind::MissingBytes);
        assert!(error.offset <= length && error.had == length - error.offset && error.needed > error.had);
    }
    let longer = [bytes, &[0]].concat();
    let error = error(&longer).expect("a trailing byte is an error");
    assert_eq!((error.kind, error.offset, error.had), (DecodeErrorKind::TrailingBytes, bytes.len(), 1));
}
