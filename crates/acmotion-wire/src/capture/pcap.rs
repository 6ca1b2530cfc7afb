//! pcap files.

use super::CaptureError;
use super::frame::{MAX_PACKET, Order, Record, Step, seconds};
use super::network::LinkType;

/// What the header of a pcap file says.
pub(super) struct Pcap {
    order: Order,
    ticks_per_second: u64,
    link: LinkType,
}

impl Pcap {
    /// Bytes of the file's header.
    pub(super) const HEADER: usize = 24;
    /// Bytes before each packet.
    const RECORD: usize = 16;

    /// Reads the header of the file; `None` when more bytes are needed.
    pub(super) fn begin(magic: [u8; 4], window: &[u8]) -> Result<Option<(Self, usize)>, CaptureError> {
        let (order, ticks_per_second) = match magic {
            [0xD4, 0xC3, 0xB2, 0xA1] => (Order::Little, 1_000_000),
            [0xA1, 0xB2, 0xC3, 0xD4] => (Order::Big, 1_000_000),
            [0x4D, 0x3C, 0xB2, 0xA1] => (Order::Little, 1_000_000_000),
            [0xA1, 0xB2, 0x3C, 0x4D] => (Order::Big, 1_000_000_000),
            found => return Err(CaptureError::NotACapture { found }),
        };
        if window.len() < Self::HEADER {
            return Ok(None);
        }
        // The upper half holds the length of the frame check sequence.
        let link_type = order.u32(window, 20) as u16;
        let link = LinkType::from_number(link_type).ok_or(CaptureError::LinkType { link_type })?;
        Ok(Some((Self { order, ticks_per_second, link }, Self::HEADER)))
    }

    /// The original length is not looked at: in a real capture it was garbage (wire.md §1).
    #[inline]
    pub(super) fn step(&self, window: &[u8], offset: u64) -> Result<Step, CaptureError> {
        if window.len() < Self::RECORD {
            return Ok(Step::Need(Self::RECORD));
        }
        let captured = self.order.u32(window, 8) as usize;
        if captured > MAX_PACKET {
            let (len, limit) = (captured as u64, MAX_PACKET as u64);
            return Err(CaptureError::RecordTooLong { offset, len, limit });
        }
        let len = Self::RECORD + captured;
        if window.len() < len {
            return Ok(Step::Need(len));
        }
        let whole = u64::from(self.order.u32(window, 0));
        let part = u64::from(self.order.u32(window, 4));
        let time = seconds(whole * self.ticks_per_second + part, self.ticks_per_second);
        Ok(Step::Record(Record { len, data: Self::RECORD..len, time, link: Some(self.link) }))
    }
}
