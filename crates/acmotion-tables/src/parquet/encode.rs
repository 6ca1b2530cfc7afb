//! The encodings of Parquet that are used here, on values in memory.
//!
//! The writers of the `parquet` crate take values one by one and find runs and repeated values as they come. This crate knows
//! beforehand which rows have values (a bit set, which is nearly what Parquet stores) and which columns repeat few values, so
//! a column without values costs a few bytes and no time.

use rustc_hash::FxHashMap;

/// Appends a number in groups of seven bits, the lowest first.
pub(super) fn put_varint(mut number: u64, out: &mut Vec<u8>) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

/// Appends a number with a sign, so that small ones take few bytes.
fn put_zigzag(number: i64, out: &mut Vec<u8>) {
    put_varint((number << 1 ^ number >> 63) as u64, out);
}

/// Appends which of `rows` rows have a value, as definition levels of one bit: runs of equal words as such, other words as
/// they are. Rows after the last bit have none.
pub(super) fn put_levels(bits: &[u64], rows: usize, out: &mut Vec<u8>) {
    let word = |index: usize| bits.get(index).copied().unwrap_or(0);
    let words = rows.div_ceil(64);
    let is_uniform = |word: u64| word == 0 || word == u64::MAX;
    let mut at = 0;
    while at < words {
        let first = word(at);
        let same = |index: &usize| {
            if is_uniform(first) { word(*index) == first } else { !is_uniform(word(*index)) }
        };
        let end = (at + 1..words).find(|index| !same(index)).unwrap_or(words);
        if is_uniform(first) {
            put_varint((((end * 64).min(rows) - at * 64) as u64) << 1, out);
            out.push(u8::from(first != 0));
        } else {
            let groups = ((end * 64).min(rows) - at * 64).div_ceil(8);
            put_varint((groups as u64) << 1 | 1, out);
            let start = out.len();
            (at..end).for_each(|index| out.extend_from_slice(&word(index).to_le_bytes()));
            out.truncate(start + groups);
        }
        at = end;
    }
}

/// Appends words of a fixed size.
pub(super) fn put_words<const N: usize>(words: impl ExactSizeIterator<Item = [u8; N]>, out: &mut Vec<u8>) {
    let start = out.len();
    out.resize(start + N * words.len(), 0);
    let (slots, _) = out[start..].as_chunks_mut();
    for (slot, word) in slots.iter_mut().zip(words) {
        *slot = word;
    }
}

/// Appends booleans, one bit each.
pub(super) fn put_bools(values: &[bool], out: &mut Vec<u8>) {
    let bit = |byte: u8, (index, value): (usize, &bool)| byte | u8::from(*value) << index;
    out.extend(values.chunks(8).map(|group| group.iter().enumerate().fold(0, bit)));
}

/// Appends numbers of `width` bits each, at most 32, the first in the lowest bits.
fn put_narrow_bits(values: impl IntoIterator<Item = u32>, width: u32, out: &mut Vec<u8>) {
    let (mut bits, mut count) = (0_u64, 0);
    for value in values {
        bits |= u64::from(value) << count;
        count += width;
        if count >= 32 {
            out.extend_from_slice(&(bits as u32).to_le_bytes());
            bits >>= 32;
            count -= 32;
        }
    }
    let rest = count.div_ceil(8) as usize;
    out.extend_from_slice(&bits.to_le_bytes()[..rest]);
}

/// Appends numbers of `width` bits each, at most 64.
fn put_bits(values: impl IntoIterator<Item = u64>, width: u32, out: &mut Vec<u8>) {
    let (mut bits, mut count) = (0_u128, 0);
    for value in values {
        bits |= u128::from(value) << count;
        count += width;
        if count >= 64 {
            out.extend_from_slice(&(bits as u64).to_le_bytes());
            bits >>= 64;
            count -= 64;
        }
    }
    let rest = count.div_ceil(8) as usize;
    out.extend_from_slice(&bits.to_le_bytes()[..rest]);
}

/// The numbers of values in a block of differences, and in each of its four parts.
const BLOCK: usize = 128;
const MINIBLOCK: usize = 32;

/// Appends numbers by their differences (`DELTA_BINARY_PACKED`). `difference` is that of two values in as many bits as the
/// values have.
pub(super) fn put_deltas<T: Copy + Into<i64>>(values: &[T], difference: fn(T, T) -> i64, out: &mut Vec<u8>) {
    let Some(first) = values.first() else { return put_delta_header(0, 0, out) };
    put_delta_header(values.len(), (*first).into(), out);
    let mut deltas = [0_i64; BLOCK];
    let mut last = *first;
    for block in values[1..].chunks(BLOCK) {
        for (delta, value) in deltas.iter_mut().zip(block) {
            *delta = difference(*value, last);
            last = *value;
        }
        let deltas = &deltas[..block.len()];
        let min = deltas.iter().copied().min().unwrap_or(0);
        put_zigzag(min, out);
        let widths = out.len();
        out.extend_from_slice(&[0; BLOCK / MINIBLOCK]);
        for (index, part) in deltas.chunks(MINIBLOCK).enumerate() {
            let above = |delta: &i64| delta.wrapping_sub(min) as u64;
            let width = u64::BITS - part.iter().map(above).fold(0, |all, one| all | one).leading_zeros();
            out[widths + index] = width as u8;
            let padding = std::iter::repeat_n(0, MINIBLOCK - part.len());
            let numbers = part.iter().map(above).chain(padding);
            if width <= 32 {
                put_narrow_bits(numbers.map(|number| number as u32), width, out);
            } else {
                put_bits(numbers, width, out);
            }
        }
    }
}

fn put_delta_header(count: usize, first: i64, out: &mut Vec<u8>) {
    put_varint(BLOCK as u64, out);
    put_varint((BLOCK / MINIBLOCK) as u64, out);
    put_varint(count as u64, out);
    put_zigzag(first, out);
}

/// The most values that a dictionary has; columns with more are written by their differences.
const DICTIONARY_SIZE: usize = 4_096;

/// The different values of a column, and for each row which of them it has.
#[derive(Default)]
pub(super) struct Dictionary {
    numbers: FxHashMap<i32, u32>,
    pub(super) values: Vec<i32>,
    pub(super) texts: Vec<&'static str>,
    indices: Vec<u32>,
}

impl Dictionary {
    /// Fills the dictionary with numbers. Returns `false` if there are too many different ones.
    pub(super) fn fill_numbers(&mut self, values: &[i32]) -> bool {
        self.clear();
        // Neighbours are often equal, or two values take turns.
        let (mut last, mut before) = (None, None);
        for value in values {
            if last.is_none_or(|(last, _)| last != *value) {
                let known = before.filter(|(before, _)| before == value);
                let Some(found) = known.or_else(|| self.find(*value)) else { return false };
                before = last.replace(found);
            }
            self.indices.push(last.map_or(0, |(_, index)| index));
        }
        true
    }

    /// Returns a number and its index. `None` if it is new and there is no room for it.
    fn find(&mut self, value: i32) -> Option<(i32, u32)> {
        let next = self.values.len() as u32;
        let index = *self.numbers.entry(value).or_insert(next);
        if index == next {
            if self.values.len() == DICTIONARY_SIZE {
                return None;
            }
            self.values.push(value);
        }
        Some((value, index))
    }

    /// Fills the dictionary with texts of a small set.
    pub(super) fn fill_texts(&mut self, texts: &[&'static str]) {
        self.clear();
        let mut last = u32::MAX;
        for text in texts {
            // Few enough to search. The same text can be at several addresses.
            if self.texts.get(last as usize).is_none_or(|last| !std::ptr::eq(*last, *text)) {
                let known = self.texts.iter().position(|known| std::ptr::eq(*known, *text));
                let known = known.or_else(|| self.texts.iter().position(|known| known == text));
                last = known.unwrap_or(self.texts.len()) as u32;
                if known.is_none() {
                    self.texts.push(text);
                }
            }
            self.indices.push(last);
        }
    }

    /// Returns the number of different values.
    pub(super) fn len(&self) -> usize {
        self.values.len().max(self.texts.len())
    }

    fn clear(&mut self) {
        self.numbers.clear();
        self.values.clear();
        self.texts.clear();
        self.indices.clear();
    }

    /// Appends for each row which value it has: the width in bits, and one run.
    pub(super) fn put_indices(&self, out: &mut Vec<u8>) {
        let width = usize::BITS - self.len().saturating_sub(1).leading_zeros();
        if width == 0 {
            // One run of the only value. Not all readers know a width of 0.
            out.push(1);
            if !self.indices.is_empty() {
                put_varint((self.indices.len() as u64) << 1, out);
                out.push(0);
            }
            return;
        }
        out.push(width as u8);
        let groups = self.indices.len().div_ceil(8);
        put_varint((groups as u64) << 1 | 1, out);
        let padding = std::iter::repeat_n(0, groups * 8 - self.indices.len());
        put_narrow_bits(self.indices.iter().copied().chain(padding), width, out);
    }
}
