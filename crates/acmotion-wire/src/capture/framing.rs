//! Which form a capture has, and one record of it after the other.

use std::ops::Range;

use super::CaptureError;
use super::jsonl::Jsonl;
use super::network::LinkType;
use super::pcap::Pcap;
use super::pcapng::{self, Pcapng};

/// The largest packet that is accepted, as in the libraries that write captures.
pub(super) const MAX_PACKET: usize = 256 * 1024;

/// One packet of a capture.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Record {
    /// Bytes of the whole record.
    pub(super) len: usize,
    /// The packet in it.
    pub(super) data: Range<usize>,
    /// In seconds.
    pub(super) time: f64,
    /// `None` when the network is not understood.
    pub(super) link: Option<LinkType>,
}

/// What stands at the start of the window.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Step {
    /// Nothing can be said before the window has so many bytes.
    Need(usize),
    /// So many bytes to pass over; they need not be in the window.
    Skip(u64),
    /// A packet.
    Record(Record),
    /// A line of JSON with its end, of so many bytes.
    Line(usize),
    /// So many bytes to pass over, and why.
    Fault(usize, CaptureError),
}

/// The form of a capture, with what must be remembered from one record to the next.
pub(super) enum Framer {
    /// Nothing was read yet.
    Start,
    Pcap(Pcap),
    Pcapng(Pcapng),
    Jsonl(Jsonl),
}

/// How much white space may stand before the first line of JSON.
const MOST_BLANK: usize = 4096;

impl Framer {
    /// Looks at the window, which begins at `offset` of the capture.
    #[inline]
    pub(super) fn step(&mut self, window: &[u8], offset: u64) -> Result<Step, CaptureError> {
        match self {
            Self::Pcap(pcap) => pcap.step(window, offset),
            Self::Pcapng(pcapng) => pcapng.step(window, offset),
            Self::Jsonl(jsonl) => jsonl.step(window, offset),
            Self::Start => self.begin(window),
        }
    }

    fn begin(&mut self, window: &[u8]) -> Result<Step, CaptureError> {
        let Some(&magic) = window.first_chunk::<4>() else { return Ok(Step::Need(4)) };
        // This one first: it consists of line ends.
        if magic == pcapng::SECTION_MAGIC {
            *self = Self::Pcapng(Pcapng::new());
            return Ok(Step::Skip(0));
        }
        let blank = window.len() - window.trim_ascii_start().len();
        if blank > MOST_BLANK {
            return Err(CaptureError::NotACapture { found: magic });
        }
        match window.get(blank) {
            Some(b'{') => {
                *self = Self::Jsonl(Jsonl::default());
                return Ok(Step::Skip(0));
            }
            Some(_) => {}
            None => return Ok(Step::Need(window.len() + 1)),
        }
        match Pcap::begin(magic, window)? {
            Some((pcap, header)) => {
                *self = Self::Pcap(pcap);
                Ok(Step::Skip(header as u64))
            }
            None => Ok(Step::Need(Pcap::HEADER)),
        }
    }

    /// The capture is at its end inside something of `needed` bytes: a last line, or an error.
    pub(super) fn finish(&self, window: &[u8], offset: u64, needed: u64) -> Result<Step, CaptureError> {
        match self {
            Self::Start if window.is_empty() => Err(CaptureError::Empty),
            Self::Jsonl(_) => Ok(Step::Line(window.len())),
            _ => Err(CaptureError::Truncated { offset, needed, had: window.len() as u64 }),
        }
    }

    /// A line of JSON.
    pub(super) fn jsonl(&mut self) -> Option<&mut Jsonl> {
        match self {
            Self::Jsonl(jsonl) => Some(jsonl),
            _ => None,
        }
    }
}

/// Seconds from ticks, rounded once where a double can hold the ticks.
#[inline]
pub(super) fn seconds(ticks: u64, per_second: u64) -> f64 {
    if ticks < 1 << 53 {
        return ticks as f64 / per_second as f64;
    }
    (ticks / per_second) as f64 + (ticks % per_second) as f64 / per_second as f64
}

/// Byte order of a capture's own fields.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Order {
    Little,
    Big,
}

impl Order {
    /// The 32-bit number at `at`; 0 past the end, which callers rule out before.
    #[inline]
    pub(super) fn u32(self, bytes: &[u8], at: usize) -> u32 {
        let raw = bytes.get(at..).and_then(<[u8]>::first_chunk).copied().unwrap_or_default();
        match self {
            Self::Little => u32::from_le_bytes(raw),
            Self::Big => u32::from_be_bytes(raw),
        }
    }

    /// The 16-bit number at `at`; 0 past the end, which callers rule out before.
    #[inline]
    pub(super) fn u16(self, bytes: &[u8], at: usize) -> u16 {
        let raw = bytes.get(at..).and_then(<[u8]>::first_chunk).copied().unwrap_or_default();
        match self {
            Self::Little => u16::from_le_bytes(raw),
            Self::Big => u16::from_be_bytes(raw),
        }
    }
}
