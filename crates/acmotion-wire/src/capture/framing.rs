//! Detects the format of a capture and splits it into records.

use std::ops::Range;

use super::CaptureError;
use super::jsonl::Jsonl;
use super::network::LinkType;
use super::pcap::Pcap;
use super::pcapng::{self, Pcapng};

/// The maximum size of a packet in bytes, the same as in the libraries that write captures.
pub(super) const MAX_PACKET_SIZE: usize = 256 * 1024;

/// The format of a capture.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum CaptureFormat {
    /// The original format of tcpdump.
    Pcap,
    /// The format of Wireshark.
    Pcapng,
    /// One message per line.
    JsonLines,
}

impl CaptureFormat {
    /// Returns `pcap`, `pcapng` or `jsonl`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Pcap => "pcap",
            Self::Pcapng => "pcapng",
            Self::JsonLines => "jsonl",
        }
    }
}

/// A packet in a capture.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Record {
    /// The size of the whole record in bytes.
    pub(super) len: usize,
    /// The range of the packet in the window.
    pub(super) data: Range<usize>,
    /// The time, in seconds.
    pub(super) time: f64,
    /// The link type, or `None` if it is not supported.
    pub(super) link: Option<LinkType>,
    /// The number of the link type in pcap and pcapng.
    pub(super) link_number: u16,
}

/// The item found at the start of the window.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum ParseStep {
    /// The window must have at least this many bytes to continue.
    Need(usize),
    /// This many bytes are to be skipped. They need not be in the window yet.
    Skip(u64),
    /// A packet.
    Record(Record),
    /// A line of JSON of this many bytes, including its line end.
    Line(usize),
    /// This many bytes are to be skipped because of an error.
    Fault(usize, CaptureError),
}

/// The format of a capture, with the state kept between records.
pub(super) enum Framer {
    /// The format has not been detected yet.
    Undetected,
    Pcap(Pcap),
    Pcapng(Pcapng),
    Jsonl(Jsonl),
}

/// The maximum amount of whitespace before the first line of JSON, in bytes.
const MAX_LEADING_WHITESPACE: usize = 4096;

/// The byte order mark that some programs put before text.
const UTF8_MARK: [u8; 3] = [0xEF, 0xBB, 0xBF];

impl Framer {
    /// Parses the start of the window, which is at `offset` of the capture.
    #[inline]
    pub(super) fn step(&mut self, window: &[u8], offset: u64) -> Result<ParseStep, CaptureError> {
        match self {
            Self::Pcap(pcap) => pcap.step(window, offset),
            Self::Pcapng(pcapng) => pcapng.step(window, offset),
            Self::Jsonl(jsonl) => jsonl.step(window, offset),
            Self::Undetected => self.detect_format(window),
        }
    }

    fn detect_format(&mut self, window: &[u8]) -> Result<ParseStep, CaptureError> {
        let Some(&magic) = window.first_chunk::<4>() else { return Ok(ParseStep::Need(4)) };
        // pcapng must be checked first: its magic number consists of line ends, which count as whitespace below.
        if magic == pcapng::SECTION_MAGIC {
            *self = Self::Pcapng(Pcapng::new());
            return Ok(ParseStep::Skip(0));
        }
        if window.starts_with(&UTF8_MARK) {
            *self = Self::Jsonl(Jsonl::default());
            return Ok(ParseStep::Skip(UTF8_MARK.len() as u64));
        }
        let blank = window.len() - window.trim_ascii_start().len();
        if blank > MAX_LEADING_WHITESPACE {
            return Err(CaptureError::NotACapture { found: magic });
        }
        match window.get(blank) {
            Some(b'{') => {
                *self = Self::Jsonl(Jsonl::default());
                return Ok(ParseStep::Skip(0));
            }
            Some(_) => {}
            None => return Ok(ParseStep::Need(window.len() + 1)),
        }
        match Pcap::read_header(magic, window)? {
            Some((pcap, header)) => {
                *self = Self::Pcap(pcap);
                Ok(ParseStep::Skip(header as u64))
            }
            None => Ok(ParseStep::Need(Pcap::HEADER_SIZE)),
        }
    }

    /// Handles the end of the capture inside an item of `needed` bytes: a last line without a line end, or an error.
    pub(super) fn finish(&self, window: &[u8], offset: u64, needed: u64) -> Result<ParseStep, CaptureError> {
        match self {
            Self::Undetected if window.is_empty() => Err(CaptureError::Empty),
            Self::Jsonl(_) => Ok(ParseStep::Line(window.len())),
            _ => Err(CaptureError::Truncated { offset, needed, had: window.len() as u64 }),
        }
    }

    pub(super) fn format(&self) -> Option<CaptureFormat> {
        match self {
            Self::Undetected => None,
            Self::Pcap(_) => Some(CaptureFormat::Pcap),
            Self::Pcapng(_) => Some(CaptureFormat::Pcapng),
            Self::Jsonl(_) => Some(CaptureFormat::JsonLines),
        }
    }

    /// Returns the state of JSON Lines, or `None` for other formats.
    pub(super) fn jsonl(&mut self) -> Option<&mut Jsonl> {
        match self {
            Self::Jsonl(jsonl) => Some(jsonl),
            _ => None,
        }
    }
}

/// Converts ticks to seconds, with a single rounding if the ticks fit the mantissa of a double.
#[inline]
pub(super) fn seconds(ticks: u64, per_second: u64) -> f64 {
    if ticks < 1 << 53 {
        return ticks as f64 / per_second as f64;
    }
    (ticks / per_second) as f64 + (ticks % per_second) as f64 / per_second as f64
}

/// The byte order of a capture's own fields.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ByteOrder {
    Little,
    Big,
}

impl ByteOrder {
    /// Reads the 32-bit number at `offset`. It is 0 past the end, which callers rule out.
    #[inline]
    pub(super) fn u32(self, bytes: &[u8], offset: usize) -> u32 {
        let raw = bytes.get(offset..).and_then(<[u8]>::first_chunk).copied().unwrap_or_default();
        match self {
            Self::Little => u32::from_le_bytes(raw),
            Self::Big => u32::from_be_bytes(raw),
        }
    }

    /// Reads the 16-bit number at `offset`. It is 0 past the end, which callers rule out.
    #[inline]
    pub(super) fn u16(self, bytes: &[u8], offset: usize) -> u16 {
        let raw = bytes.get(offset..).and_then(<[u8]>::first_chunk).copied().unwrap_or_default();
        match self {
            Self::Little => u16::from_le_bytes(raw),
            Self::Big => u16::from_be_bytes(raw),
        }
    }
}
