//! The pcapng format.

use super::CaptureError;
use super::framing::{ByteOrder, MAX_PACKET_SIZE, ParseStep, Record, seconds};
use super::network::LinkType;

/// The first bytes of a section, the same in both byte orders.
pub(super) const SECTION_MAGIC: [u8; 4] = [0x0A, 0x0D, 0x0D, 0x0A];

pub(super) const SECTION: u32 = 0x0A0D_0D0A;
pub(super) const INTERFACE: u32 = 1;
const OLD_PACKET: u32 = 2;
const SIMPLE_PACKET: u32 = 3;
pub(super) const ENHANCED_PACKET: u32 = 6;

pub(super) const BYTE_ORDER_MAGIC: u32 = 0x1A2B_3C4D;
/// The offset of the packet in an old or enhanced packet block.
const PACKET_DATA_OFFSET: usize = 28;
/// The offset of the packet in a simple packet block.
const SIMPLE_DATA_OFFSET: usize = 12;
/// The offset of the options in an interface block.
const INTERFACE_OPTIONS_OFFSET: usize = 16;
/// The size of the length field at the end of a block, in bytes.
const TRAILER_SIZE: usize = 4;
/// The maximum size, in bytes, of a block that is read as a whole: a packet and its options.
const MAX_BLOCK_SIZE: usize = 2 * MAX_PACKET_SIZE;
/// The maximum number of interfaces in a section.
const MAX_INTERFACES: usize = 4096;

/// An interface of a section.
#[derive(Clone, Copy)]
struct Interface {
    link: Option<LinkType>,
    link_number: u16,
    snap_len: u32,
    ticks_per_second: u64,
    offset_seconds: i64,
}

/// The state of the current section.
pub(super) struct Pcapng {
    order: ByteOrder,
    interfaces: Vec<Interface>,
    last_time: f64,
}

/// The header of a block and its offset in the capture.
#[derive(Clone, Copy)]
struct Block {
    offset: u64,
    kind: u32,
    len: u32,
}

impl Block {
    fn error(self, what: &'static str) -> CaptureError {
        CaptureError::InvalidBlock { offset: self.offset, kind: self.kind, len: self.len, what }
    }
}

impl Pcapng {
    pub(super) const fn new() -> Self {
        Self { order: ByteOrder::Little, interfaces: Vec::new(), last_time: 0.0 }
    }

    #[inline]
    pub(super) fn step(&mut self, window: &[u8], offset: u64) -> Result<ParseStep, CaptureError> {
        if window.len() < 12 {
            return Ok(ParseStep::Need(12));
        }
        if window.starts_with(&SECTION_MAGIC) {
            return self.section(window, offset);
        }
        let block = self.block(window, offset, 12)?;
        if !matches!(block.kind, INTERFACE | OLD_PACKET | SIMPLE_PACKET | ENHANCED_PACKET) {
            return Ok(ParseStep::Skip(u64::from(block.len)));
        }
        let len = block.len as usize;
        if len > MAX_BLOCK_SIZE {
            return Err(block.error("longer than the maximum of 524288 bytes"));
        }
        let Some(whole) = window.get(..len) else { return Ok(ParseStep::Need(len)) };
        if self.order.u32(whole, len - TRAILER_SIZE) != block.len {
            return Err(block.error("the length at its end differs"));
        }
        match block.kind {
            INTERFACE => self.interface(whole, block),
            SIMPLE_PACKET => self.simple_packet(whole, block),
            _ => self.packet(whole, block),
        }
    }

    fn block(&self, window: &[u8], offset: u64, min_len: u32) -> Result<Block, CaptureError> {
        let block = Block { offset, kind: self.order.u32(window, 0), len: self.order.u32(window, 4) };
        if block.len < min_len {
            return Err(block.error("too short for a block of this type"));
        }
        if !block.len.is_multiple_of(4) {
            return Err(block.error("the length is not a multiple of 4"));
        }
        Ok(block)
    }

    fn section(&mut self, window: &[u8], offset: u64) -> Result<ParseStep, CaptureError> {
        self.order = match BYTE_ORDER_MAGIC {
            magic if ByteOrder::Little.u32(window, 8) == magic => ByteOrder::Little,
            magic if ByteOrder::Big.u32(window, 8) == magic => ByteOrder::Big,
            _ => {
                let len = self.order.u32(window, 4);
                return Err(Block { offset, kind: SECTION, len }.error("missing byte-order magic"));
            }
        };
        let block = self.block(window, offset, 28)?;
        self.interfaces.clear();
        Ok(ParseStep::Skip(u64::from(block.len)))
    }

    fn interface(&mut self, whole: &[u8], block: Block) -> Result<ParseStep, CaptureError> {
        let end = whole.len() - TRAILER_SIZE;
        let Some(options) = whole.get(INTERFACE_OPTIONS_OFFSET..end) else {
            return Err(block.error("too short for a block of this type"));
        };
        if self.interfaces.len() == MAX_INTERFACES {
            return Err(block.error("more than 4096 interfaces in one section"));
        }
        let link_number = self.order.u16(whole, 8);
        let mut interface = Interface {
            link: LinkType::from_number(link_number),
            link_number,
            snap_len: self.order.u32(whole, 12),
            ticks_per_second: 1_000_000,
            offset_seconds: 0,
        };
        self.options(options, &mut interface).map_err(|what| block.error(what))?;
        let number = self.interfaces.len();
        self.interfaces.push(interface);
        Ok(match interface.link {
            Some(_) => ParseStep::Skip(u64::from(block.len)),
            None => ParseStep::Fault(
                whole.len(),
                CaptureError::UnsupportedInterface { interface: number, link_type: link_number },
            ),
        })
    }

    /// Reads the time resolution (9) and the time offset (14). All other options are ignored.
    fn options(&self, mut options: &[u8], interface: &mut Interface) -> Result<(), &'static str> {
        while options.len() >= 4 {
            let (code, len) = (self.order.u16(options, 0), usize::from(self.order.u16(options, 2)));
            if code == 0 {
                break;
            }
            let value = options.get(4..4 + len).ok_or("an option is longer than its block")?;
            match (code, value) {
                (9, &[resolution, ..]) => {
                    interface.ticks_per_second =
                        ticks_per_second(resolution).ok_or("the time resolution is too fine")?;
                }
                (14, _) => {
                    let raw = *value.first_chunk::<8>().ok_or("the time offset is shorter than 8 bytes")?;
                    interface.offset_seconds = match self.order {
                        ByteOrder::Little => i64::from_le_bytes(raw),
                        ByteOrder::Big => i64::from_be_bytes(raw),
                    };
                }
                _ => {}
            }
            options = options.get(4 + len.next_multiple_of(4)..).unwrap_or_default();
        }
        Ok(())
    }

    /// Reads an old or enhanced packet block. The two differ only in the width of the interface index.
    fn packet(&mut self, whole: &[u8], block: Block) -> Result<ParseStep, CaptureError> {
        let Some(room) = whole.len().checked_sub(PACKET_DATA_OFFSET + TRAILER_SIZE) else {
            return Err(block.error("too short for a block of this type"));
        };
        let captured = self.order.u32(whole, 20) as usize;
        if captured > room {
            return Err(block.error("the packet is longer than its block"));
        }
        let number = match block.kind {
            OLD_PACKET => u32::from(self.order.u16(whole, 8)),
            _ => self.order.u32(whole, 8),
        };
        let Some(&interface) = self.interfaces.get(number as usize) else {
            let fault = CaptureError::UnknownInterface { offset: block.offset, interface: number };
            return Ok(ParseStep::Fault(whole.len(), fault));
        };
        let ticks = u64::from(self.order.u32(whole, 12)) << 32 | u64::from(self.order.u32(whole, 16));
        self.last_time = seconds(ticks, interface.ticks_per_second) + interface.offset_seconds as f64;
        Ok(self.record(whole, PACKET_DATA_OFFSET, captured, interface))
    }

    /// Reads a simple packet block. It belongs to the first interface and has no time, so the time of the preceding
    /// packet is used.
    fn simple_packet(&self, whole: &[u8], block: Block) -> Result<ParseStep, CaptureError> {
        let Some(room) = whole.len().checked_sub(SIMPLE_DATA_OFFSET + TRAILER_SIZE) else {
            return Err(block.error("too short for a block of this type"));
        };
        let Some(interface) = self.interfaces.first() else {
            let fault = CaptureError::UnknownInterface { offset: block.offset, interface: 0 };
            return Ok(ParseStep::Fault(whole.len(), fault));
        };
        let limit = if interface.snap_len == 0 { u32::MAX } else { interface.snap_len };
        let captured = self.order.u32(whole, 8).min(limit) as usize;
        Ok(self.record(whole, SIMPLE_DATA_OFFSET, captured.min(room), *interface))
    }

    fn record(&self, whole: &[u8], start: usize, captured: usize, interface: Interface) -> ParseStep {
        ParseStep::Record(Record {
            len: whole.len(),
            data: start..start + captured,
            time: self.last_time,
            link: interface.link,
            link_number: interface.link_number,
        })
    }
}

/// Returns the ticks per second for the value of the option: a power of ten, or of two if the top bit is set.
fn ticks_per_second(resolution: u8) -> Option<u64> {
    let exponent = u32::from(resolution & 0x7F);
    let base: u64 = if resolution & 0x80 == 0 { 10 } else { 2 };
    base.checked_pow(exponent)
}
