//! JSON Lines that start with whitespace or a byte order mark give the same messages from a slice and from a stream that delivers a few
//! bytes at a time: the format must not be detected before the first byte that is not whitespace has arrived.

use std::io::Read;

use acmotion_wire::capture::CaptureReader;

struct Trickle<'a>(&'a [u8]);

impl Read for Trickle<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let len = buffer.len().min(3);
        self.0.read(&mut buffer[..len])
    }
}

/// Returns the number of messages read from a slice and from a stream.
fn messages_after(start: &[u8]) -> (usize, usize) {
    let line = br#"{"t": 1.5, "dir": "S2C", "hex": "46f7000001000050"}"#;
    let capture = [start, line].concat();
    let mut whole = CaptureReader::from_slice(&capture);
    let mut streamed = CaptureReader::new(Trickle(&capture));
    let mut counts = (0, 0);
    while let Some(next) = whole.next_message() {
        counts.0 += usize::from(next.is_ok());
    }
    while let Some(next) = streamed.next_message() {
        counts.1 += usize::from(next.is_ok());
    }
    counts
}

#[test]
fn whitespace_before_the_first_line_is_skipped() {
    for blank in [0, 1, 3, 4, 5, 100, 4096] {
        assert_eq!(messages_after(&vec![b' '; blank]), (1, 1), "{blank} blanks");
    }
    assert_eq!(messages_after(&[b' '; 5000]), (0, 0), "more than 4096 blanks are not a capture");
}

#[test]
fn a_byte_order_mark_before_the_first_line_is_skipped() {
    assert_eq!(messages_after(b"\xEF\xBB\xBF"), (1, 1));
    assert_eq!(messages_after(b"\xEF\xBB\xBF\r\n "), (1, 1));
    assert_eq!(messages_after(b"\xEF\xBB"), (0, 0), "half a mark is not a capture");
}
