//! The pcap format.

use super::CaptureError;
use super::framing::{ByteOrder, MAX_PACKET_SIZE, ParseStep, Record, seconds};
use super::network::LinkType;

/// The properties of a pcap file, from its header.
pub(super) struct Pcap {
    order: ByteOrder,
    ticks_per_second: u64,
    link: LinkType,
    link_number: u16,
}

impl Pcap {
    /// The size of the file header, in bytes.
    pub(super) const HEADER_SIZE: usize = 24;
    /// The size of the header before each packet, in bytes.
    const RECORD_HEADER_SIZE: usize = 16;

    /// Reads the file header. Returns `None` if more bytes are needed.
    pub(super) fn read_header(magic: [u8; 4], window: &[u8]) -> Result<Option<(Self, usize)>, CaptureError> {
        let (order, ticks_per_second) = match magic {
            [0xD4, 0xC3, 0xB2, 0xA1] => (ByteOrder::Little, 1_000_000),
            [0xA1, 0xB2, 0xC3, 0xD4] => (ByteOrder::Big, 1_000_000),
            [0x4D, 0x3C, 0xB2, 0xA1] => (ByteOrder::Little, 1_000_000_000),
            [0xA1, 0xB2, 0x3C, 0x4D] => (ByteOrder::Big, 1_000_000_000),
            found => return Err(CaptureError::NotACapture { found }),
        };
        if window.len() < Self::HEADER_SIZE {
            return Ok(None);
        }
        // The upper half holds the length of the frame check sequence.
        let link_number = order.u32(window, 20) as u16;
        let link = LinkType::from_number(link_number)
            .ok_or(CaptureError::UnsupportedLinkType { link_type: link_number })?;
        Ok(Some((Self { order, ticks_per_second, link, link_number }, Self::HEADER_SIZE)))
    }

    /// Parses the next record. The original length is ignored because it is garbage in a real capture (`docs/wire.md`
    /// §1).
    #[inline]
    pub(super) fn step(&self, window: &[u8], offset: u64) -> Result<ParseStep, CaptureError> {
        if window.len() < Self::RECORD_HEADER_SIZE {
            return Ok(ParseStep::Need(Self::RECORD_HEADER_SIZE));
        }
        let captured = self.order.u32(window, 8) as usize;
        if captured > MAX_PACKET_SIZE {
            let (len, limit) = (captured as u64, MAX_PACKET_SIZE as u64);
            return Err(CaptureError::RecordTooLong { offset, len, limit });
        }
        let len = Self::RECORD_HEADER_SIZE + captured;
        if window.len() < len {
            return Ok(ParseStep::Need(len));
        }
        let whole = u64::from(self.order.u32(window, 0));
        let part = u64::from(self.order.u32(window, 4));
        let time = seconds(whole * self.ticks_per_second + part, self.ticks_per_second);
        Ok(ParseStep::Record(Record {
            len,
            data: Self::RECORD_HEADER_SIZE..len,
            time,
            link: Some(self.link),
            link_number: self.link_number,
        }))
    }
}
