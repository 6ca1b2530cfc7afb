//! Tick frames on their way to the page: only what has changed since the frame that was sent before.

use super::tick::{BodyRecord, TickHeader};

/// The size of a word in bytes.
const WORD: usize = 4;
/// The number of words of a [`BodyRecord`].
const WORDS: usize = BodyRecord::SIZE / WORD;

// Each word has a bit in the mask.
const _: () = assert!(BodyRecord::SIZE.is_multiple_of(WORD) && WORDS <= u32::BITS as usize);

/// Encodes the tick frames of one socket: the header, and for each body a mask of 32 bits and the words of its record that
/// differ from the body at the same index in the frame before. The record of a body that the frame before did not have is
/// compared with zeros.
#[derive(Default)]
pub(crate) struct TickEncoder {
    /// The records of the frame before.
    before: Vec<u8>,
}

impl TickEncoder {
    /// Encodes a whole frame, which the page now knows.
    pub(crate) fn encode(&mut self, mut frame: Vec<u8>) -> Vec<u8> {
        let records = frame.split_off(TickHeader::SIZE.min(frame.len()));
        let mut out = frame;
        out.reserve(records.len() / 2);
        self.before.resize(records.len(), 0);
        for (record, before) in
            records.chunks_exact(BodyRecord::SIZE).zip(self.before.chunks_exact(BodyRecord::SIZE))
        {
            let at = out.len();
            out.extend([0; WORD]);
            let mut mask = 0u32;
            let words = record.chunks_exact(WORD).zip(before.chunks_exact(WORD)).enumerate();
            for (index, (word, _)) in words.filter(|(_, (word, before))| word != before) {
                mask |= 1 << index;
                out.extend(word);
            }
            out[at..at + WORD].copy_from_slice(&mask.to_le_bytes());
        }
        self.before = records;
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(records: &[[u8; BodyRecord::SIZE]]) -> Vec<u8> {
        [vec![9; TickHeader::SIZE], records.concat()].concat()
    }

    #[test]
    fn only_words_that_differ_from_the_frame_before_are_sent() {
        let (mut one, two) = ([0; BodyRecord::SIZE], [7; BodyRecord::SIZE]);
        one[13] = 5;
        let mut encoder = TickEncoder::default();
        let first = encoder.encode(frame(&[one]));
        let header = vec![9; TickHeader::SIZE];
        assert_eq!(first, [header.clone(), vec![8, 0, 0, 0], vec![0, 5, 0, 0]].concat());
        one[79] = 1;
        let second = encoder.encode(frame(&[one, two]));
        let all = ((1u32 << WORDS) - 1).to_le_bytes();
        let changed = [vec![0, 0, 8, 0], vec![0, 0, 0, 1], all.to_vec(), two.to_vec()].concat();
        assert_eq!(second, [header.clone(), changed].concat());
        assert_eq!(
            encoder.encode(frame(&[one])),
            [header.clone(), vec![0; 4]].concat(),
            "nothing has changed"
        );
        let again = encoder.encode(frame(&[one, two]));
        assert_eq!(
            again.len(),
            header.len() + 4 + 4 + BodyRecord::SIZE,
            "a body that was gone is sent whole"
        );
    }
}
