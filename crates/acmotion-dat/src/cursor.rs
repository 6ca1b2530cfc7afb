//! Readers and writers of the little-endian primitives of `docs/dat.md` §0.

use acmotion_types::{Frame, MotionCommand, Quat, Vec3};

use crate::error::{ParseError, Problem};
use crate::id::DataId;

/// The size of a frame on disk, in bytes.
pub(crate) const FRAME_SIZE: usize = 28;

/// A cursor over the bytes of one object. Every read takes the name of its field for error messages.
#[derive(Clone)]
pub(crate) struct Reader<'a> {
    bytes: &'a [u8],
    position: usize,
    object: &'static str,
}

type Parsed<T> = Result<T, ParseError>;

impl<'a> Reader<'a> {
    pub(crate) fn new(bytes: &'a [u8], object: &'static str) -> Self {
        Self { bytes, position: 0, object }
    }

    pub(crate) fn offset(&self) -> usize {
        self.position
    }

    pub(crate) fn remaining(&self) -> usize {
        self.bytes.len() - self.position
    }

    pub(crate) fn error_at<T>(&self, offset: usize, field: &'static str, problem: Problem) -> Parsed<T> {
        Err(ParseError { object: self.object, field, offset, problem })
    }

    /// Returns an error if bytes are left.
    pub(crate) fn finish(&self) -> Parsed<()> {
        match self.remaining() {
            0 => Ok(()),
            left => self.error_at(self.position, "end", Problem::Trailing { left }),
        }
    }

    pub(crate) fn take(&mut self, needed: usize, field: &'static str) -> Parsed<&'a [u8]> {
        let had = self.remaining();
        match self.bytes[self.position..].get(..needed) {
            Some(bytes) => {
                self.position += needed;
                Ok(bytes)
            }
            None => self.error_at(self.position, field, Problem::Missing { needed, had }),
        }
    }

    fn array<const N: usize>(&mut self, field: &'static str) -> Parsed<[u8; N]> {
        let had = self.remaining();
        match self.bytes[self.position..].first_chunk::<N>() {
            Some(bytes) => {
                self.position += N;
                Ok(*bytes)
            }
            None => self.error_at(self.position, field, Problem::Missing { needed: N, had }),
        }
    }

    /// Reads the padding up to the next multiple of four bytes from the start of the object. It has no meaning, but
    /// is kept so that the object encodes to the same bytes.
    pub(crate) fn align4(&mut self, field: &'static str) -> Parsed<[u8; 3]> {
        let needed = self.position.next_multiple_of(4) - self.position;
        let mut padding = [0; 3];
        padding[..needed].copy_from_slice(self.take(needed, field)?);
        Ok(padding)
    }

    pub(crate) fn u8(&mut self, field: &'static str) -> Parsed<u8> {
        self.array(field).map(u8::from_le_bytes)
    }

    pub(crate) fn u16(&mut self, field: &'static str) -> Parsed<u16> {
        self.array(field).map(u16::from_le_bytes)
    }

    pub(crate) fn i16(&mut self, field: &'static str) -> Parsed<i16> {
        self.array(field).map(i16::from_le_bytes)
    }

    pub(crate) fn u32(&mut self, field: &'static str) -> Parsed<u32> {
        self.array(field).map(u32::from_le_bytes)
    }

    pub(crate) fn i32(&mut self, field: &'static str) -> Parsed<i32> {
        self.array(field).map(i32::from_le_bytes)
    }

    pub(crate) fn id(&mut self, field: &'static str) -> Parsed<DataId> {
        self.u32(field).map(DataId)
    }

    pub(crate) fn command(&mut self, field: &'static str) -> Parsed<MotionCommand> {
        self.u32(field).map(MotionCommand)
    }

    /// Reads a float; NaN is allowed.
    pub(crate) fn f32_raw(&mut self, field: &'static str) -> Parsed<f32> {
        self.array(field).map(f32::from_le_bytes)
    }

    /// Reads a float; NaN is an error.
    pub(crate) fn f32(&mut self, field: &'static str) -> Parsed<f32> {
        let offset = self.position;
        let value = self.f32_raw(field)?;
        if value.is_nan() { self.error_at(offset, field, Problem::NotANumber) } else { Ok(value) }
    }

    /// Reads a double; NaN is an error.
    pub(crate) fn f64(&mut self, field: &'static str) -> Parsed<f64> {
        let offset = self.position;
        let value = f64::from_le_bytes(self.array(field)?);
        if value.is_nan() { self.error_at(offset, field, Problem::NotANumber) } else { Ok(value) }
    }

    pub(crate) fn vec3_raw(&mut self, field: &'static str) -> Parsed<Vec3> {
        Ok(Vec3::new(self.f32_raw(field)?, self.f32_raw(field)?, self.f32_raw(field)?))
    }

    pub(crate) fn vec3(&mut self, field: &'static str) -> Parsed<Vec3> {
        Ok(Vec3::new(self.f32(field)?, self.f32(field)?, self.f32(field)?))
    }

    pub(crate) fn frame(&mut self, field: &'static str) -> Parsed<Frame> {
        let offset = self.position;
        let frame = frame_from(&self.array(field)?);
        if is_number(&frame) { Ok(frame) } else { self.error_at(offset, field, Problem::NotANumber) }
    }

    /// Appends `count` frames to `out`. NaN is an error.
    pub(crate) fn frames_into(
        &mut self,
        out: &mut Vec<Frame>,
        count: usize,
        field: &'static str,
    ) -> Parsed<()> {
        let offset = self.position;
        let bytes = self.take(count.saturating_mul(FRAME_SIZE), field)?;
        out.reserve(count);
        for (index, chunk) in bytes.as_chunks::<FRAME_SIZE>().0.iter().enumerate() {
            let frame = frame_from(chunk);
            if !is_number(&frame) {
                return self.error_at(offset + index * FRAME_SIZE, field, Problem::NotANumber);
            }
            out.push(frame);
        }
        Ok(())
    }

    /// Reads a u32 count of elements that take at least `min_size` bytes each. The count is checked against the
    /// remaining bytes, so a hostile count cannot make the caller allocate more than a multiple of the object's size.
    pub(crate) fn count(&mut self, field: &'static str, min_size: usize) -> Parsed<usize> {
        let offset = self.position;
        let count = self.u32(field)?;
        self.checked_count(offset, u64::from(count), field, min_size)
    }

    /// Like [`count`](Self::count), for a variable-length count of 1, 2 or 4 bytes.
    pub(crate) fn compressed_count(&mut self, field: &'static str, min_size: usize) -> Parsed<usize> {
        let offset = self.position;
        let count = self.compressed_u32(field)?;
        self.checked_count(offset, u64::from(count), field, min_size)
    }

    pub(crate) fn checked_count(
        &self,
        offset: usize,
        count: u64,
        field: &'static str,
        min_size: usize,
    ) -> Parsed<usize> {
        let (needed, had) = (count.saturating_mul(min_size as u64), self.remaining());
        if needed > had as u64 {
            return self.error_at(offset, field, Problem::Count { count, needed, had });
        }
        Ok(count as usize)
    }

    fn compressed_u32(&mut self, field: &'static str) -> Parsed<u32> {
        let offset = self.position;
        let first = u32::from(self.u8(field)?);
        if first & 0x80 == 0 {
            return Ok(first);
        }
        let second = u32::from(self.u8(field)?);
        let (value, shortest) = if first & 0x40 == 0 {
            let value = (first & 0x7F) << 8 | second;
            (value, value >= 0x80)
        } else {
            let value = ((first & 0x3F) << 8 | second) << 16 | u32::from(self.u16(field)?);
            (value, value >= 0x4000)
        };
        if shortest { Ok(value) } else { self.error_at(offset, field, Problem::NotShortest { value }) }
    }
}

fn frame_from(bytes: &[u8; FRAME_SIZE]) -> Frame {
    let float =
        |i: usize| f32::from_le_bytes([bytes[4 * i], bytes[4 * i + 1], bytes[4 * i + 2], bytes[4 * i + 3]]);
    Frame::new(Vec3::new(float(0), float(1), float(2)), Quat::new(float(3), float(4), float(5), float(6)))
}

fn is_number(frame: &Frame) -> bool {
    !frame.origin.is_nan() && !frame.rotation.is_nan()
}

/// The counterpart of [`Reader`]: appends primitives to a buffer.
pub(crate) trait ByteWriter {
    fn bytes(&mut self, bytes: &[u8]);

    /// Pads to a multiple of four bytes, counted from `start`, where the object begins.
    fn align4(&mut self, start: usize, padding: [u8; 3]);

    fn u8(&mut self, value: u8) {
        self.bytes(&[value]);
    }

    fn u16(&mut self, value: u16) {
        self.bytes(&value.to_le_bytes());
    }

    fn i16(&mut self, value: i16) {
        self.bytes(&value.to_le_bytes());
    }

    fn u32(&mut self, value: u32) {
        self.bytes(&value.to_le_bytes());
    }

    fn i32(&mut self, value: i32) {
        self.bytes(&value.to_le_bytes());
    }

    fn id(&mut self, id: DataId) {
        self.u32(id.0);
    }

    fn f32(&mut self, value: f32) {
        self.bytes(&value.to_le_bytes());
    }

    fn f64(&mut self, value: f64) {
        self.bytes(&value.to_le_bytes());
    }

    fn vec3(&mut self, v: Vec3) {
        self.f32(v.x);
        self.f32(v.y);
        self.f32(v.z);
    }

    fn frame(&mut self, frame: &Frame) {
        let Frame { origin, rotation: q } = frame;
        let numbers = [origin.x, origin.y, origin.z, q.w, q.x, q.y, q.z];
        self.bytes(numbers.map(f32::to_le_bytes).as_flattened());
    }

    fn count(&mut self, count: usize) {
        self.u32(count as u32);
    }

    fn compressed_count(&mut self, count: usize) {
        let value = count as u32;
        match value {
            0..0x80 => self.u8(value as u8),
            0x80..0x4000 => {
                self.u8((value >> 8) as u8 | 0x80);
                self.u8(value as u8);
            }
            _ => {
                self.u8((value >> 24) as u8 | 0xC0);
                self.u8((value >> 16) as u8);
                self.u16(value as u16);
            }
        }
    }
}

impl ByteWriter for Vec<u8> {
    fn bytes(&mut self, bytes: &[u8]) {
        self.extend_from_slice(bytes);
    }

    fn align4(&mut self, start: usize, padding: [u8; 3]) {
        let length = self.len() - start;
        self.extend_from_slice(&padding[..length.next_multiple_of(4) - length]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variable_length_counts_take_one_two_or_four_bytes() {
        for (value, bytes) in [
            (0usize, &[0u8][..]),
            (0x7F, &[0x7F]),
            (0x80, &[0x80, 0x80]),
            (0x3FFF, &[0xBF, 0xFF]),
            (0x4000, &[0xC0, 0x00, 0x00, 0x40]),
            (0x3FFF_FFFF, &[0xFF, 0xFF, 0xFF, 0xFF]),
        ] {
            let mut out = Vec::new();
            out.compressed_count(value);
            assert_eq!(out, bytes);
            assert_eq!(Reader::new(bytes, "test").compressed_u32("n"), Ok(value as u32));
        }
        let long = Reader::new(&[0x80, 0x05], "test").compressed_u32("n").unwrap_err();
        assert_eq!(long.problem, Problem::NotShortest { value: 5 });
    }

    #[test]
    fn a_count_larger_than_the_object_is_rejected() {
        let bytes = [0xFF, 0xFF, 0xFF, 0xFF, 1, 2, 3, 4];
        let error = Reader::new(&bytes, "Animation").count("frame count", 4).unwrap_err();
        assert_eq!(
            error.to_string(),
            "Animation, frame count at byte 0: a count of 4294967295 needs at least 17179869180 bytes, 4 are left"
        );
    }

    #[test]
    fn a_nan_in_a_frame_is_rejected_with_its_offset() {
        let mut bytes = vec![0u8; 2 * FRAME_SIZE];
        bytes[40..44].copy_from_slice(&f32::NAN.to_le_bytes());
        let mut reader = Reader::new(&bytes, "Animation");
        let error = reader.frames_into(&mut Vec::new(), 2, "part frames").unwrap_err();
        assert_eq!((error.offset, error.problem), (28, Problem::NotANumber));
    }
}
