//! The iterations of a file (`docs/dat.md` §1.4).

use crate::cursor::{ByteWriter, Reader};
use crate::error::{ParseError, Problem};
use crate::id::{DataId, ObjectKind};
use crate::objects::{DatObject, decode_whole};

/// The iterations of the data that a file contains.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Iteration {
    /// The latest iteration.
    pub total: i32,
    /// The runs of consecutive iterations.
    pub ranges: Vec<IterationRange>,
}

/// A run of consecutive iterations.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct IterationRange {
    /// The number of iterations in the run, negated.
    pub consecutive: i32,
    /// The first iteration of the run.
    pub start: i32,
}

impl Iteration {
    fn read(reader: &mut Reader<'_>) -> Result<Self, ParseError> {
        let total = reader.i32("total")?;
        let mut remaining = i64::from(total);
        let mut ranges = Vec::new();
        while remaining > 0 {
            let offset = reader.offset();
            let range =
                IterationRange { consecutive: reader.i32("consecutive")?, start: reader.i32("start")? };
            if range.consecutive >= 0 {
                let problem = Problem::Count { count: remaining as u64, needed: 8, had: reader.remaining() };
                return reader.error_at(offset, "consecutive (must be negative)", problem);
            }
            remaining += i64::from(range.consecutive);
            ranges.push(range);
        }
        Ok(Self { total, ranges })
    }
}

impl DatObject for Iteration {
    const KIND: ObjectKind = ObjectKind::Iteration;

    fn decode(bytes: &[u8]) -> Result<Self, ParseError> {
        decode_whole(bytes, Self::read)
    }

    fn encode_into(&self, out: &mut Vec<u8>) {
        out.i32(self.total);
        for range in &self.ranges {
            out.i32(range.consecutive);
            out.i32(range.start);
        }
    }

    fn own_id(&self) -> Option<DataId> {
        None
    }
}
