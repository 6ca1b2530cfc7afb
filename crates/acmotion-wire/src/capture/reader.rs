//! Reads game messages from a capture.

use std::io::Read;
use std::ops::Range;

use super::error::CaptureError;
use super::framing::{CaptureFormat, Framer, ParseStep, Record};
use super::network::{self, Datagram, SkipReason};
use super::session::{self, Ports, Sessions};
use super::source::{CaptureSource, SliceSource, StreamSource};
use super::summary::CaptureSummary;
use crate::Direction;
use crate::packet::{
    Fragments, PACKET_HEADER_SIZE, Packet, PacketError, PacketFlags, PacketHeader, Reassembler,
    ReassemblyLimits, ReassemblyResult, StreamId,
};

/// A complete game message, starting with its opcode.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct GameMessage<'a> {
    /// The time at which its last packet was captured, in the capture's seconds.
    pub time: f64,
    /// The direction.
    pub direction: Direction,
    /// The number of the login it belongs to, from 1, or 0 if it is unknown.
    pub session: u32,
    /// The queue (`docs/wire.md` §1.3), or 0 if it is unknown.
    pub queue: u16,
    /// The number of the record that completed it, from 1.
    pub record: u64,
    /// The bytes of the message.
    pub bytes: &'a [u8],
}

/// A packet as it was captured, whether it belongs to the game or not.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct CapturedPacket<'a> {
    /// The time at which it was captured, in the capture's seconds.
    pub time: f64,
    /// The number of the link type in pcap and pcapng, such as 1 for Ethernet.
    pub link_type: u16,
    /// The captured bytes, from the link-layer header on.
    pub bytes: &'a [u8],
}

/// The next item of a capture: see [`CaptureReader::next_item`].
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum CaptureItem<'a> {
    /// A packet. The messages that it completes follow it.
    Packet(CapturedPacket<'a>),
    /// A message: one that the last packet completes or, in JSON Lines, one without a packet.
    Message(GameMessage<'a>),
}

/// Reads a capture message by message. See [the module](super) for the supported formats.
pub struct CaptureReader<S> {
    source: S,
    framer: Framer,
    sessions: Sessions,
    reassembler: Reassembler,
    /// The packet whose fragments are being read.
    current: Option<OpenPacket>,
    /// The record that [`Self::next_item`] has returned, and that has not been looked at yet.
    unopened: Option<Record>,
    /// The bytes being skipped.
    skip: PendingSkip,
    /// The message of the current line of JSON.
    line: Vec<u8>,
    summary: CaptureSummary,
    /// The offset of the last record that was looked at.
    record_offset: u64,
    done: bool,
}

/// A packet in the window of the source.
struct OpenPacket {
    /// The size of the record in bytes, which is consumed when the packet is finished.
    len: usize,
    /// The range in the window of the fragments that are left.
    body: Range<usize>,
    time: f64,
    stream: StreamId,
}

/// Bytes to skip, which need not be available yet.
#[derive(Default)]
struct PendingSkip {
    /// The offset of the first byte in the capture.
    offset: u64,
    len: u64,
    left: u64,
}

/// Where the bytes of the next message are.
enum MessageLocation {
    Window(Range<usize>),
    Reassembler,
    Line,
}

/// The next message, before its bytes are borrowed.
struct FoundMessage {
    location: MessageLocation,
    time: f64,
    stream: StreamId,
    queue: u16,
}

/// The result of reading the next record.
enum NextRecord {
    Record(Record),
    Line(FoundMessage),
    End,
}

impl<'a> CaptureReader<SliceSource<'a>> {
    /// Creates a reader for a capture in memory.
    pub fn from_slice(capture: &'a [u8]) -> Self {
        Self::with_source(SliceSource::new(capture))
    }
}

impl<R: Read> CaptureReader<StreamSource<R>> {
    /// Creates a reader for a stream, with its own buffer. Each message is returned as soon as its record is available.
    pub fn new(reader: R) -> Self {
        Self::with_source(StreamSource::new(reader))
    }
}

impl<S: CaptureSource> CaptureReader<S> {
    fn with_source(source: S) -> Self {
        Self {
            source,
            framer: Framer::Undetected,
            sessions: Sessions::default(),
            reassembler: Reassembler::default(),
            current: None,
            unopened: None,
            skip: PendingSkip::default(),
            line: Vec::new(),
            summary: CaptureSummary::default(),
            record_offset: 0,
            done: false,
        }
    }

    /// Sets the limits for incomplete messages. Call this before reading: it discards the messages held so far.
    #[must_use]
    pub fn with_limits(mut self, limits: ReassemblyLimits) -> Self {
        self.reassembler = Reassembler::new(limits);
        self
    }

    /// Returns the next message or error, or `None` at the end of the capture.
    ///
    /// Reading can continue after an error that is not [fatal](CaptureError::is_fatal). After a fatal error the next
    /// call returns `None`.
    pub fn next_message(&mut self) -> Option<Result<GameMessage<'_>, CaptureError>> {
        let found = loop {
            if let Some(found) = self.next_in_packet() {
                break found;
            }
            let result = match self.next_record() {
                Ok(NextRecord::Record(record)) => self.open(&record),
                Ok(NextRecord::Line(found)) => break found,
                Ok(NextRecord::End) => return None,
                Err(error) => Err(error),
            };
            if let Err(error) = result {
                return Some(Err(self.record_error(error)));
            }
        };
        Some(Ok(self.take_message(found)))
    }

    /// Returns the next packet, message or error, or `None` at the end of the capture: like [`Self::next_message`], with
    /// every packet before the messages that it completes. Packets that are not of the game are returned as well.
    pub fn next_item(&mut self) -> Option<Result<CaptureItem<'_>, CaptureError>> {
        let found = loop {
            if let Some(found) = self.next_in_packet() {
                break found;
            }
            let result = match self.unopened.take() {
                Some(record) => self.open(&record),
                None => match self.next_record() {
                    Ok(NextRecord::Record(record)) => return Some(Ok(self.take_packet(record))),
                    Ok(NextRecord::Line(found)) => break found,
                    Ok(NextRecord::End) => return None,
                    Err(error) => Err(error),
                },
            };
            if let Err(error) = result {
                return Some(Err(self.record_error(error)));
            }
        };
        Some(Ok(CaptureItem::Message(self.take_message(found))))
    }

    /// Returns the counters for everything read so far.
    pub fn summary(&self) -> CaptureSummary {
        let stats = self.reassembler.stats();
        CaptureSummary {
            fragments: stats.fragments,
            repeated_fragments: stats.repeated,
            refused_fragments: stats.refused,
            incomplete_messages: stats.dropped_messages + self.reassembler.pending_messages() as u64,
            missing_fragments: self.reassembler.missing_fragments() as u64,
            ..self.summary
        }
    }

    /// Returns the offset, from the start of the capture, of the record that the last message or error came from. Messages
    /// of several fragments come from the record that completed them.
    pub fn record_offset(&self) -> u64 {
        self.record_offset
    }

    /// Returns the format of the capture; `None` as long as it has not been detected.
    pub fn format(&self) -> Option<CaptureFormat> {
        self.framer.format()
    }

    fn take_message(&mut self, found: FoundMessage) -> GameMessage<'_> {
        let FoundMessage { location, time, stream: StreamId { session, direction }, queue } = found;
        match direction {
            Direction::S2C => self.summary.messages_s2c += 1,
            Direction::C2S => self.summary.messages_c2s += 1,
        }
        let bytes = match location {
            MessageLocation::Window(range) => self.source.window().get(range).unwrap_or_default(),
            MessageLocation::Reassembler => self.reassembler.message(),
            MessageLocation::Line => &self.line,
        };
        GameMessage { time, direction, session, queue, record: self.summary.records, bytes }
    }

    /// Returns the packet of a record, which is opened by the next call.
    fn take_packet(&mut self, record: Record) -> CaptureItem<'_> {
        let record = self.unopened.insert(record);
        let bytes = self.source.window().get(record.data.clone()).unwrap_or_default();
        CaptureItem::Packet(CapturedPacket { time: record.time, link_type: record.link_number, bytes })
    }

    fn record_error(&mut self, error: CaptureError) -> CaptureError {
        self.done |= error.is_fatal();
        self.summary.truncated |= matches!(error, CaptureError::Truncated { .. });
        error
    }

    /// Returns the next message completed by a fragment of the current packet.
    fn next_in_packet(&mut self) -> Option<FoundMessage> {
        let OpenPacket { body, time, stream, .. } = self.current.as_mut()?;
        let mut fragments = Fragments::new(self.source.window().get(body.clone())?);
        while let Some(fragment) = fragments.next() {
            let end = body.start + fragments.consumed();
            let location = match self.reassembler.accept(*stream, &fragment) {
                ReassemblyResult::Single => MessageLocation::Window(end - fragment.data.len()..end),
                ReassemblyResult::Complete => MessageLocation::Reassembler,
                ReassemblyResult::Waiting | ReassemblyResult::Repeated | ReassemblyResult::Refused => {
                    continue;
                }
            };
            body.start = end;
            return Some(FoundMessage {
                location,
                time: *time,
                stream: *stream,
                queue: fragment.header.queue,
            });
        }
        None
    }

    /// Finishes the current packet and reads up to the next record.
    fn next_record(&mut self) -> Result<NextRecord, CaptureError> {
        if let Some(record) = self.unopened.take() {
            return Ok(NextRecord::Record(record));
        }
        if let Some(current) = self.current.take() {
            self.source.consume(current.len);
        }
        while !self.done {
            self.finish_skip()?;
            match self.next_step()? {
                None => self.done = true,
                Some(ParseStep::Need(_)) => {}
                Some(ParseStep::Skip(len)) => {
                    self.skip = PendingSkip { offset: self.source.offset(), len, left: len };
                }
                Some(ParseStep::Fault(len, error)) => {
                    self.source.consume(len);
                    return Err(error);
                }
                Some(ParseStep::Line(len)) => {
                    if let Some(found) = self.read_line(len)? {
                        return Ok(NextRecord::Line(found));
                    }
                }
                Some(ParseStep::Record(record)) => return Ok(NextRecord::Record(record)),
            }
        }
        Ok(NextRecord::End)
    }

    /// Parses the start of the window and fills it if more bytes are needed. Returns `None` at the end of the capture.
    fn next_step(&mut self) -> Result<Option<ParseStep>, CaptureError> {
        let offset = self.source.offset();
        self.record_offset = offset;
        let step = self.framer.step(self.source.window(), offset)?;
        let ParseStep::Need(needed) = step else { return Ok(Some(step)) };
        if self.source.fill(needed)? {
            return Ok(Some(step));
        }
        let window = self.source.window();
        if window.is_empty() && !matches!(self.framer, Framer::Undetected) {
            return Ok(None);
        }
        self.framer.finish(window, offset, needed as u64).map(Some)
    }

    /// Skips the bytes that are left to skip. It can be called again after the source has returned `WouldBlock`.
    fn finish_skip(&mut self) -> Result<(), CaptureError> {
        while self.skip.left > 0 {
            let PendingSkip { offset, len, left } = self.skip;
            if !self.source.fill(1)? {
                return Err(CaptureError::Truncated { offset, needed: len, had: len - left });
            }
            let here = usize::try_from(left).unwrap_or(usize::MAX).min(self.source.window().len());
            self.source.consume(here);
            self.skip.left -= here as u64;
        }
        Ok(())
    }

    fn read_line(&mut self, len: usize) -> Result<Option<FoundMessage>, CaptureError> {
        let Some(jsonl) = self.framer.jsonl() else { return Ok(None) };
        let line = self.source.window().get(..len).unwrap_or_default();
        let result =
            jsonl.read(line, &mut self.line).map(|line| line.map(|line| (line.time, line.direction)));
        self.source.consume(len);
        match result {
            Ok(None) => Ok(None),
            Ok(Some((time, direction))) => {
                self.summary.count_record(time);
                self.summary.packets += 1;
                let stream = StreamId { session: 0, direction };
                Ok(Some(FoundMessage { location: MessageLocation::Line, time, stream, queue: 0 }))
            }
            Err(error) => {
                self.summary.records += 1;
                self.summary.damaged += 1;
                Err(error)
            }
        }
    }

    /// Makes the packet of this protocol in a record the current one. A record without one is consumed.
    fn open(&mut self, record: &Record) -> Result<(), CaptureError> {
        self.current = self.open_record(record)?;
        if self.current.is_none() {
            self.source.consume(record.len);
        }
        Ok(())
    }

    /// Returns the packet of this protocol in a record, or `None` if there is none.
    fn open_record(&mut self, record: &Record) -> Result<Option<OpenPacket>, CaptureError> {
        self.summary.count_record(record.time);
        let frame = self.source.window().get(record.data.clone()).unwrap_or_default();
        let datagram = match record
            .link
            .ok_or(SkipReason::NotUdp)
            .and_then(|link| network::find_datagram(link, frame))
        {
            Ok(datagram) => datagram,
            Err(passed) => {
                match passed {
                    SkipReason::NotUdp => self.summary.not_udp += 1,
                    SkipReason::IpFragment => self.summary.ip_fragments += 1,
                }
                return Ok(None);
            }
        };
        let payload = frame.get(datagram.payload.clone()).unwrap_or_default();
        match classify(&mut self.sessions, &datagram, payload) {
            DatagramClass::Packet(stream, packet) => {
                self.summary.packets += 1;
                let again = packet.header.flags.contains(PacketFlags::RETRANSMISSION);
                self.summary.retransmissions += u64::from(again);
                let end = record.data.start + datagram.payload.end;
                let body = end - packet.body().len()..end;
                Ok(Some(OpenPacket { len: record.len, body, time: record.time, stream }))
            }
            DatagramClass::Damaged(error) => {
                self.summary.damaged += 1;
                self.source.consume(record.len);
                Err(CaptureError::InvalidPacket { record: self.summary.records, time: record.time, error })
            }
            DatagramClass::NotOurs => {
                self.summary.not_ours += 1;
                Ok(None)
            }
            DatagramClass::Undecided => {
                self.summary.undecided += 1;
                Ok(None)
            }
        }
    }
}

/// The classification of a datagram.
enum DatagramClass<'a> {
    Packet(StreamId, Packet<'a>),
    Damaged(PacketError),
    NotOurs,
    Undecided,
}

/// The stream of a datagram whose ports are both in the server range, if nothing else determines its direction
/// (`docs/wire.md` §1).
const DEFAULT_STREAM: StreamId = StreamId { session: 0, direction: Direction::S2C };

fn classify<'a>(sessions: &mut Sessions, datagram: &Datagram, payload: &'a [u8]) -> DatagramClass<'a> {
    let ports = session::classify_ports(datagram);
    let packet = match Packet::decode(payload) {
        Ok(packet) => packet,
        Err(error) if sessions.known_direction(datagram, ports).is_some() => {
            return DatagramClass::Damaged(error);
        }
        Err(error) if ports != Ports::Neither && header_fits(datagram, payload) => {
            return DatagramClass::Damaged(error);
        }
        Err(_) => return DatagramClass::NotOurs,
    };
    let direction = match ports {
        Ports::One(direction) => Some(direction),
        _ => session::direction_from_contents(&packet).or_else(|| sessions.known_direction(datagram, ports)),
    };
    match direction {
        Some(direction) => DatagramClass::Packet(sessions.stream(datagram, direction, &packet), packet),
        None if ports == Ports::Both => DatagramClass::Packet(DEFAULT_STREAM, packet),
        None => DatagramClass::Undecided,
    }
}

/// Returns `true` if the packet header belongs to this protocol, regardless of errors after it.
fn header_fits(datagram: &Datagram, payload: &[u8]) -> bool {
    PacketHeader::decode(payload).is_ok_and(|header| {
        usize::from(header.size) + PACKET_HEADER_SIZE == datagram.full_len
            && header.flags.bits() & !PacketFlags::all().bits() == 0
    })
}
