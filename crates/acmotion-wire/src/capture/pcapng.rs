//! pcapng files.

use super::CaptureError;
use super::frame::{MAX_PACKET, Order, Record, Step, seconds};
use super::network::LinkType;

/// The first bytes of a section, the same in both byte orders.
pub(super) const SECTION_MAGIC: [u8; 4] = [0x0A, 0x0D, 0x0D, 0x0A];

const SECTION: u32 = 0x0A0D_0D0A;
const INTERFACE: u32 = 1;
const OLD_PACKET: u32 = 2;
const SIMPLE_PACKET: u32 = 3;
const ENHANCED_PACKET: u32 = 6;

const BYTE_ORDER_MAGIC: u32 = 0x1A2B_3C4D;
/// Where the data of a packet block starts, old or enhanced.
const PACKET_DATA: usize = 28;
/// Where the data of a simple packet block starts.
const SIMPLE_DATA: usize = 12;
/// Where the options of an interface start.
const INTERFACE_OPTIONS: usize = 16;
/// The length at the end of a block.
const TRAILER: usize = 4;
/// Blocks that must be read as a whole can have a packet and its options.
const MAX_BLOCK: usize = 2 * MAX_PACKET;
/// Interfaces of one section.
const MAX_INTERFACES: usize = 4096;

/// One interface of a section.
#[derive(Clone, Copy)]
struct Interface {
    link: Option<LinkType>,
    snap_len: u32,
    ticks_per_second: u64,
    offset_seconds: i64,
}

/// What a pcapng file has said so far.
pub(super) struct Pcapng {
    order: Order,
    interfaces: Vec<Interface>,
    last_time: f64,
}

/// A block's own words about itself, for reading and for errors.
#[derive(Clone, Copy)]
struct Block {
    offset: u64,
    kind: u32,
    len: u32,
}

impl Block {
    fn error(self, what: &'static str) -> CaptureError {
        CaptureError::Block { offset: self.offset, kind: self.kind, len: self.len, what }
    }
}

impl Pcapng {
    pub(super) const fn new() -> Self {
        Self { order: Order::Little, interfaces: Vec::new(), last_time: 0.0 }
    }

    #[inline]
    pub(super) fn step(&mut self, window: &[u8], offset: u64) -> Result<Step, CaptureError> {
        if window.len() < 12 {
            return Ok(Step::Need(12));
        }
        if window.starts_with(&SECTION_MAGIC) {
            return self.section(window, offset);
        }
        let block = self.block(window, offset, 12)?;
        if !matches!(block.kind, INTERFACE | OLD_PACKET | SIMPLE_PACKET | ENHANCED_PACKET) {
            return Ok(Step::Skip(u64::from(block.len)));
        }
        let len = block.len as usize;
        if len > MAX_BLOCK {
            return Err(block.error("longer than any packet"));
        }
        let Some(whole) = window.get(..len) else { return Ok(Step::Need(len)) };
        if self.order.u32(whole, len - TRAILER) != block.len {
            return Err(block.error("another length stands at its end"));
        }
        match block.kind {
            INTERFACE => self.interface(whole, block),
            SIMPLE_PACKET => self.simple_packet(whole, block),
            _ => self.packet(whole, block),
        }
    }

    fn block(&self, window: &[u8], offset: u64, least: u32) -> Result<Block, CaptureError> {
        let block = Block { offset, kind: self.order.u32(window, 0), len: self.order.u32(window, 4) };
        if block.len < least {
            return Err(block.error("too short for a block of this type"));
        }
        if !block.len.is_multiple_of(4) {
            return Err(block.error("the length is not a multiple of 4"));
        }
        Ok(block)
    }

    fn section(&mut self, window: &[u8], offset: u64) -> Result<Step, CaptureError> {
        self.order = match BYTE_ORDER_MAGIC {
            magic if Order::Little.u32(window, 8) == magic => Order::Little,
            magic if Order::Big.u32(window, 8) == magic => Order::Big,
            _ => {
                let len = self.order.u32(window, 4);
                return Err(Block { offset, kind: SECTION, len }.error("no byte order mark"));
            }
        };
        let block = self.block(window, offset, 28)?;
        self.interfaces.clear();
        Ok(Step::Skip(u64::from(block.len)))
    }

    fn interface(&mut self, whole: &[u8], block: Block) -> Result<Step, CaptureError> {
        let end = whole.len() - TRAILER;
        let Some(options) = whole.get(INTERFACE_OPTIONS..end) else {
            return Err(block.error("too short for a block of this type"));
        };
        if self.interfaces.len() == MAX_INTERFACES {
            return Err(block.error("more interfaces than can be"));
        }
        let link_type = self.order.u16(whole, 8);
        let mut interface = Interface {
            link: LinkType::from_number(link_type),
            snap_len: self.order.u32(whole, 12),
            ticks_per_second: 1_000_000,
            offset_seconds: 0,
        };
        self.options(options, &mut interface).map_err(|what| block.error(what))?;
        let number = self.interfaces.len();
        self.interfaces.push(interface);
        Ok(match interface.link {
            Some(_) => Step::Skip(u64::from(block.len)),
            None => Step::Fault(whole.len(), CaptureError::Interface { interface: number, link_type }),
        })
    }

    /// Time resolution (9) and time offset (14); the others say nothing that is needed.
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
                        ticks_per_second(resolution).ok_or("no such time resolution")?;
                }
                (14, _) => {
                    let raw = *value.first_chunk::<8>().ok_or("the time offset has not 8 bytes")?;
                    interface.offset_seconds = match self.order {
                        Order::Little => i64::from_le_bytes(raw),
                        Order::Big => i64::from_be_bytes(raw),
                    };
                }
                _ => {}
            }
            options = options.get(4 + len.next_multiple_of(4)..).unwrap_or_default();
        }
        Ok(())
    }

    /// Old and enhanced packet blocks, which differ only in the width of the interface's number.
    fn packet(&mut self, whole: &[u8], block: Block) -> Result<Step, CaptureError> {
        let Some(room) = whole.len().checked_sub(PACKET_DATA + TRAILER) else {
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
        let Some(interface) = self.interfaces.get(number as usize) else {
            let fault = CaptureError::UnknownInterface { offset: block.offset, interface: number };
            return Ok(Step::Fault(whole.len(), fault));
        };
        let ticks = u64::from(self.order.u32(whole, 12)) << 32 | u64::from(self.order.u32(whole, 16));
        self.last_time = seconds(ticks, interface.ticks_per_second) + interface.offset_seconds as f64;
        Ok(self.record(whole, PACKET_DATA, captured, interface.link))
    }

    /// A simple packet belongs to the first interface and has no time: it gets that of the packet before it.
    fn simple_packet(&self, whole: &[u8], block: Block) -> Result<Step, CaptureError> {
        let Some(room) = whole.len().checked_sub(SIMPLE_DATA + TRAILER) else {
            return Err(block.error("too short for a block of this type"));
        };
        let Some(interface) = self.interfaces.first() else {
            let fault = CaptureError::UnknownInterface { offset: block.offset, interface: 0 };
            return Ok(Step::Fault(whole.len(), fault));
        };
        let limit = if interface.snap_len == 0 { u32::MAX } else { interface.snap_len };
        let captured = self.order.u32(whole, 8).min(limit) as usize;
        Ok(self.record(whole, SIMPLE_DATA, captured.min(room), interface.link))
    }

    fn record(&self, whole: &[u8], start: usize, captured: usize, link: Option<LinkType>) -> Step {
        Step::Record(Record { len: whole.len(), data: start..start + captured, time: self.last_time, link })
    }
}

/// The option's byte: a power of ten, or with the top bit a power of two.
fn ticks_per_second(resolution: u8) -> Option<u64> {
    let exponent = u32::from(resolution & 0x7F);
    let base: u64 = if resolution & 0x80 == 0 { 10 } else { 2 };
    base.checked_pow(exponent)
}
