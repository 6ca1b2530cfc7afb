//! Writes packets with comments to a pcapng file.

use std::collections::HashMap;
use std::io::{self, Write};

use super::pcapng::{BYTE_ORDER_MAGIC, ENHANCED_PACKET, INTERFACE, SECTION};
use super::reader::CapturedPacket;
use super::write::{CaptureWriter, TimeUnit, WriteError};
use crate::Direction;

/// The link type of frames that are made up for messages without packets.
const ETHERNET: u16 = 1;
/// The option of a packet that holds a comment.
const COMMENT: u16 = 1;
/// The option of a section that names the program that wrote it.
const USER_APPLICATION: u16 = 4;
/// The maximum length of a comment, in bytes. Longer ones are cut.
const MAX_COMMENT_BYTES: usize = 4096;
/// The maximum size of all comments of a packet, in bytes. Further ones are only counted.
const MAX_COMMENTS_BYTES: usize = 65_536;

/// Writes packets to a pcapng file, each with any number of comments, which Wireshark and tshark show and filter as
/// `frame.comment`. Times have microseconds.
///
/// ```
/// use acmotion_wire::Direction;
/// use acmotion_wire::capture::{CaptureReader, PcapngWriter};
///
/// let mut writer = PcapngWriter::new(Vec::new())?;
/// writer.message(12.5, Direction::S2C, &[0x46, 0xF7, 0, 0, 1, 0, 0, 0x50])?;
/// writer.comment("PlayerCreate");
/// let file = writer.finish()?;
///
/// let mut reader = CaptureReader::from_slice(&file);
/// assert_eq!(reader.next_message().unwrap()?.bytes.len(), 8);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct PcapngWriter<W> {
    out: W,
    /// The interface of each link type.
    interfaces: HashMap<u16, u32>,
    /// The block of the last packet, up to its last comment; empty before the first packet.
    block: Vec<u8>,
    /// The size of its comments, in bytes.
    comments: usize,
    /// How many of its comments were left out.
    left_out: usize,
    /// Makes up packets for messages that have none.
    frames: CaptureWriter<Vec<u8>>,
}

impl<W: Write> PcapngWriter<W> {
    /// Starts a file.
    ///
    /// # Errors
    /// Returns an error if the file header cannot be written.
    pub fn new(mut out: W) -> io::Result<Self> {
        let mut section = Vec::new();
        begin_block(&mut section, SECTION);
        push_u32(&mut section, BYTE_ORDER_MAGIC);
        // Version 1.0, and a length that is not known.
        push_u32(&mut section, 1);
        section.extend_from_slice(&[0xFF; 8]);
        push_option(&mut section, USER_APPLICATION, b"acmotion");
        end_block(&mut section);
        out.write_all(&section)?;
        let frames = CaptureWriter::new(Vec::new())?;
        Ok(Self { out, interfaces: HashMap::new(), block: Vec::new(), comments: 0, left_out: 0, frames })
    }

    /// Writes a packet as it was captured.
    ///
    /// # Errors
    /// Returns an error if the time is out of range, or the output cannot be written.
    pub fn packet(&mut self, packet: &CapturedPacket<'_>) -> Result<(), WriteError> {
        let [seconds, micros] = TimeUnit::Microseconds.split(packet.time)?;
        self.finish_packet()?;
        let ticks = u64::from(seconds) * 1_000_000 + u64::from(micros);
        let interface = self.interface(packet.link_type)?;
        let len = packet.bytes.len() as u32;
        begin_block(&mut self.block, ENHANCED_PACKET);
        for field in [interface, (ticks >> 32) as u32, ticks as u32, len, len] {
            push_u32(&mut self.block, field);
        }
        self.block.extend_from_slice(packet.bytes);
        pad(&mut self.block);
        Ok(())
    }

    /// Writes a message that has no packet, in packets that [`CaptureWriter::message`] would write. `time` is in seconds.
    ///
    /// # Errors
    /// Returns an error if the time or the length is out of range, or the output cannot be written.
    pub fn message(&mut self, time: f64, direction: Direction, message: &[u8]) -> Result<(), WriteError> {
        self.frames.get_mut().clear();
        self.frames.message(time, direction, message)?;
        let records = std::mem::take(self.frames.get_mut());
        let mut rest = &records[..];
        // Each record has a header of 16 bytes with the length of the frame at its end.
        while let Some((header, frames)) = rest.split_first_chunk::<16>() {
            let len = u32::from_le_bytes([header[12], header[13], header[14], header[15]]) as usize;
            let (bytes, following) = frames.split_at(len);
            self.packet(&CapturedPacket { time, link_type: ETHERNET, bytes })?;
            rest = following;
        }
        *self.frames.get_mut() = records;
        Ok(())
    }

    /// Adds a comment to the last packet, or does nothing before the first one. A comment of more than 4096 bytes is cut.
    /// If the comments of a packet exceed 65,536 bytes, the rest is left out, and a last comment says how many there were.
    pub fn comment(&mut self, text: &str) {
        if self.block.is_empty() {
            return;
        }
        let mut end = text.len().min(MAX_COMMENT_BYTES);
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        let text = &text[..end];
        if self.comments + text.len() > MAX_COMMENTS_BYTES {
            self.left_out += 1;
            return;
        }
        self.comments += text.len();
        push_option(&mut self.block, COMMENT, text.as_bytes());
    }

    /// Writes what is left, flushes the output and returns it.
    ///
    /// # Errors
    /// Returns an error if the output cannot be written.
    pub fn finish(mut self) -> io::Result<W> {
        self.finish_packet()?;
        self.out.flush()?;
        Ok(self.out)
    }

    /// Writes the last packet.
    fn finish_packet(&mut self) -> io::Result<()> {
        if self.block.is_empty() {
            return Ok(());
        }
        if self.left_out > 0 {
            let text = format!("{} more messages", self.left_out);
            push_option(&mut self.block, COMMENT, text.as_bytes());
        }
        end_block(&mut self.block);
        let result = self.out.write_all(&self.block);
        self.block.clear();
        (self.comments, self.left_out) = (0, 0);
        result
    }

    /// Returns the interface of a link type. The first packet of a link type declares it.
    fn interface(&mut self, link_type: u16) -> io::Result<u32> {
        if let Some(&interface) = self.interfaces.get(&link_type) {
            return Ok(interface);
        }
        let interface = self.interfaces.len() as u32;
        self.interfaces.insert(link_type, interface);
        let mut block = Vec::new();
        begin_block(&mut block, INTERFACE);
        // No bound of the length of packets. The default time resolution is microseconds.
        push_u32(&mut block, u32::from(link_type));
        push_u32(&mut block, 0);
        end_block(&mut block);
        self.out.write_all(&block)?;
        Ok(interface)
    }
}

fn push_u32(block: &mut Vec<u8>, value: u32) {
    block.extend_from_slice(&value.to_le_bytes());
}

fn pad(block: &mut Vec<u8>) {
    block.resize(block.len().next_multiple_of(4), 0);
}

/// Appends an option. `value` must have at most 65,535 bytes.
fn push_option(block: &mut Vec<u8>, code: u16, value: &[u8]) {
    block.extend_from_slice(&code.to_le_bytes());
    block.extend_from_slice(&(value.len() as u16).to_le_bytes());
    block.extend_from_slice(value);
    pad(block);
}

/// Starts a block, with room for its length.
fn begin_block(block: &mut Vec<u8>, kind: u32) {
    push_u32(block, kind);
    push_u32(block, 0);
}

/// Ends a block: no more options, and its length at both ends.
fn end_block(block: &mut Vec<u8>) {
    push_u32(block, 0);
    let len = block.len() as u32 + 4;
    push_u32(block, len);
    block[4..8].copy_from_slice(&len.to_le_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::capture::{CaptureItem, CaptureReader};

    const MESSAGE: [u8; 8] = [0x46, 0xF7, 0, 0, 1, 0, 0, 0x50];

    fn file(fill: impl FnOnce(&mut PcapngWriter<Vec<u8>>)) -> Vec<u8> {
        let mut writer = PcapngWriter::new(Vec::new()).unwrap();
        fill(&mut writer);
        writer.finish().unwrap()
    }

    /// Returns the comments of all packet blocks, found without the reader, which ignores them.
    fn comments(file: &[u8]) -> Vec<Vec<String>> {
        let (mut rest, mut packets) = (file, Vec::new());
        while !rest.is_empty() {
            let word = |at: usize| u32::from_le_bytes(rest[at..at + 4].try_into().unwrap());
            let (kind, len) = (word(0), word(4) as usize);
            assert_eq!(word(len - 4) as usize, len, "the length stands at both ends");
            if kind == ENHANCED_PACKET {
                let mut options = &rest[28 + (word(20) as usize).next_multiple_of(4)..len - 4];
                let mut found = Vec::new();
                loop {
                    let half = |at: usize| u16::from_le_bytes([options[at], options[at + 1]]);
                    let (code, size) = (half(0), usize::from(half(2)));
                    if code == 0 {
                        break;
                    }
                    assert_eq!(code, COMMENT);
                    found.push(String::from_utf8(options[4..4 + size].to_vec()).unwrap());
                    options = &options[4 + size.next_multiple_of(4)..];
                }
                packets.push(found);
            }
            rest = &rest[len..];
        }
        packets
    }

    #[test]
    fn packets_keep_their_bytes_times_and_links() {
        let packets = [
            CapturedPacket { time: 1_500_000_000.123_456, link_type: 1, bytes: &[1, 2, 3] },
            CapturedPacket { time: 1_500_000_001.0, link_type: 101, bytes: &[] },
            CapturedPacket { time: 1_500_000_002.999_999, link_type: 1, bytes: &[4; 60] },
        ];
        let file = file(|writer| packets.iter().for_each(|packet| writer.packet(packet).unwrap()));
        let mut reader = CaptureReader::from_slice(&file);
        for expected in packets {
            assert_eq!(reader.next_item().unwrap().unwrap(), CaptureItem::Packet(expected));
        }
        assert!(reader.next_item().is_none());
    }

    #[test]
    fn comments_belong_to_the_packet_before_them() {
        let file = file(|writer| {
            writer.comment("lost: there is no packet yet");
            writer.message(1.0, Direction::S2C, &MESSAGE).unwrap();
            writer.comment("one");
            writer.comment("zwei — ü");
            writer.message(2.0, Direction::C2S, &MESSAGE).unwrap();
            writer.message(3.0, Direction::S2C, &MESSAGE).unwrap();
            writer.comment("three");
        });
        assert_eq!(comments(&file), [vec!["one", "zwei — ü"], vec![], vec!["three"]]);
    }

    #[test]
    fn a_long_message_is_commented_where_it_is_complete() {
        let long = [0xAB; 1000];
        let file = file(|writer| {
            writer.message(1.0, Direction::S2C, &long).unwrap();
            writer.comment("long");
        });
        assert_eq!(comments(&file), [vec![], vec![], vec!["long"]]);
        let mut reader = CaptureReader::from_slice(&file);
        assert_eq!(reader.next_message().unwrap().unwrap().bytes, long);
    }

    #[test]
    fn comments_are_bounded() {
        let file = file(|writer| {
            writer.message(1.0, Direction::S2C, &MESSAGE).unwrap();
            // The limit lies inside the last character.
            writer.comment(&format!("{}é", "x".repeat(4095)));
            for _ in 0..40 {
                writer.comment(&"y".repeat(4096));
            }
            writer.message(2.0, Direction::S2C, &MESSAGE).unwrap();
            writer.comment("z");
        });
        let found = comments(&file);
        assert_eq!(found[0][0], "x".repeat(4095));
        // 4,095 + 15 × 4,096 bytes fit.
        assert_eq!(found[0].len(), 1 + 15 + 1);
        assert_eq!(found[0].last().unwrap(), "25 more messages");
        assert_eq!(found[1], ["z"]);
        assert_eq!(CaptureReader::from_slice(&file).next_message().unwrap().unwrap().time, 1.0);
    }

    #[test]
    fn a_time_that_pcapng_cannot_hold_is_an_error() {
        let mut writer = PcapngWriter::new(Vec::new()).unwrap();
        for time in [-1.0, f64::NAN, 5e15] {
            let packet = CapturedPacket { time, link_type: 1, bytes: &[] };
            assert!(matches!(writer.packet(&packet), Err(WriteError::Time { .. })), "{time}");
            assert!(matches!(writer.message(time, Direction::S2C, &MESSAGE), Err(WriteError::Time { .. })));
        }
    }
}
