//! From a capture to messages.

use std::io::Read;
use std::ops::Range;

use super::error::CaptureError;
use super::frame::{Framer, Record, Step};
use super::network::{self, Datagram, Passed};
use super::session::{self, Ports, Sessions};
use super::source::{SliceSource, Source, StreamSource};
use super::summary::Summary;
use crate::Direction;
use crate::packet::{
    Fragments, Limits, PACKET_HEADER_SIZE, Packet, PacketError, PacketFlags, PacketHeader, Reassembler,
    ReassemblyResult, Stream,
};

/// One whole message of the game, from its opcode on.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct GameMessage<'a> {
    /// When its last packet was captured, in the capture's seconds.
    pub time: f64,
    /// Which way it went.
    pub direction: Direction,
    /// Number of the login that it belongs to, from 1; 0 where the capture does not tell.
    pub session: u32,
    /// Its queue (wire.md §1.3); 0 where the capture does not tell.
    pub queue: u16,
    /// Number of the record that completed it, from 1.
    pub record: u64,
    /// The message.
    pub bytes: &'a [u8],
}

/// Reads a capture, message by message. See [the module](super) for what it understands.
pub struct CaptureReader<S> {
    source: S,
    framer: Framer,
    sessions: Sessions,
    reassembler: Reassembler,
    /// The packet whose fragments are being handed out.
    current: Option<Current>,
    /// What is being passed over.
    skip: Skip,
    /// The message of a line.
    line: Vec<u8>,
    summary: Summary,
    done: bool,
}

/// A packet in the source's window.
struct Current {
    /// Bytes of the record, to be passed over when done.
    len: usize,
    /// The fragments that are left, in the window.
    body: Range<usize>,
    time: f64,
    stream: Stream,
}

/// Bytes to pass over, which need not be there yet.
#[derive(Default)]
struct Skip {
    /// Where they start.
    offset: u64,
    len: u64,
    left: u64,
}

/// Where the next message is.
enum Place {
    Window(Range<usize>),
    Reassembler,
    Line,
}

/// The next message, before it is borrowed.
struct Found {
    place: Place,
    time: f64,
    stream: Stream,
    queue: u16,
}

/// What reading on led to.
enum Progress {
    Packet,
    Line(Found),
    End,
}

impl<'a> CaptureReader<SliceSource<'a>> {
    /// Reads a capture that is in memory.
    pub fn from_slice(capture: &'a [u8]) -> Self {
        Self::with_source(SliceSource::new(capture))
    }
}

impl<R: Read> CaptureReader<StreamSource<R>> {
    /// Reads a capture as it comes, with a buffer of its own. Each message is handed out as soon as its record is there.
    pub fn new(reader: R) -> Self {
        Self::with_source(StreamSource::new(reader))
    }
}

impl<S: Source> CaptureReader<S> {
    fn with_source(source: S) -> Self {
        Self {
            source,
            framer: Framer::Start,
            sessions: Sessions::default(),
            reassembler: Reassembler::default(),
            current: None,
            skip: Skip::default(),
            line: Vec::new(),
            summary: Summary::default(),
            done: false,
        }
    }

    /// The same with other limits for what is kept of incomplete messages.
    #[must_use]
    pub fn with_limits(mut self, limits: Limits) -> Self {
        self.reassembler = Reassembler::new(limits);
        self
    }

    /// The next message, or an error; `None` at the end. After an error that is not [fatal](CaptureError::is_fatal)
    /// reading can go on, after a fatal one comes the end.
    pub fn next_message(&mut self) -> Option<Result<GameMessage<'_>, CaptureError>> {
        let found = loop {
            if let Some(found) = self.next_in_packet() {
                break found;
            }
            match self.next_record() {
                Ok(Progress::Packet) => {}
                Ok(Progress::Line(found)) => break found,
                Ok(Progress::End) => return None,
                Err(error) => return Some(Err(self.note(error))),
            }
        };
        Some(Ok(self.hand_out(found)))
    }

    /// What was read so far.
    pub fn summary(&self) -> Summary {
        let stats = self.reassembler.stats();
        Summary {
            fragments: stats.fragments,
            repeated_fragments: stats.repeated,
            refused_fragments: stats.refused,
            incomplete_messages: stats.dropped_messages + self.reassembler.pending_messages() as u64,
            missing_fragments: self.reassembler.missing_fragments() as u64,
            ..self.summary
        }
    }

    fn hand_out(&mut self, found: Found) -> GameMessage<'_> {
        let Found { place, time, stream: Stream { session, direction }, queue } = found;
        match direction {
            Direction::S2C => self.summary.messages_s2c += 1,
            Direction::C2S => self.summary.messages_c2s += 1,
        }
        let bytes = match place {
            Place::Window(range) => self.source.window().get(range).unwrap_or_default(),
            Place::Reassembler => self.reassembler.message(),
            Place::Line => &self.line,
        };
        GameMessage { time, direction, session, queue, record: self.summary.records, bytes }
    }

    fn note(&mut self, error: CaptureError) -> CaptureError {
        self.done |= error.is_fatal();
        self.summary.truncated |= matches!(error, CaptureError::Truncated { .. });
        error
    }

    /// The next message that a fragment of the current packet completes.
    fn next_in_packet(&mut self) -> Option<Found> {
        let Current { body, time, stream, .. } = self.current.as_mut()?;
        let mut fragments = Fragments::new(self.source.window().get(body.clone())?);
        while let Some(fragment) = fragments.next() {
            let end = body.start + fragments.consumed();
            let place = match self.reassembler.accept(*stream, &fragment) {
                ReassemblyResult::Single => Place::Window(end - fragment.data.len()..end),
                ReassemblyResult::Complete => Place::Reassembler,
                ReassemblyResult::Waiting | ReassemblyResult::Repeated | ReassemblyResult::Refused => {
                    continue;
                }
            };
            body.start = end;
            return Some(Found { place, time: *time, stream: *stream, queue: fragment.header.queue });
        }
        None
    }

    /// Passes over the current packet and reads on to the next one of this protocol.
    fn next_record(&mut self) -> Result<Progress, CaptureError> {
        if let Some(current) = self.current.take() {
            self.source.consume(current.len);
        }
        while !self.done {
            self.pass_over()?;
            match self.next_step()? {
                None => self.done = true,
                Some(Step::Need(_)) => {}
                Some(Step::Skip(len)) => {
                    self.skip = Skip { offset: self.source.offset(), len, left: len };
                }
                Some(Step::Fault(len, error)) => {
                    self.source.consume(len);
                    return Err(error);
                }
                Some(Step::Line(len)) => {
                    if let Some(found) = self.read_line(len)? {
                        return Ok(Progress::Line(found));
                    }
                }
                Some(Step::Record(record)) => {
                    self.current = self.open(&record)?;
                    match self.current {
                        Some(_) => return Ok(Progress::Packet),
                        None => self.source.consume(record.len),
                    }
                }
            }
        }
        Ok(Progress::End)
    }

    /// Looks at the window and sees to it that it holds what is needed; `None` at the end of the capture.
    fn next_step(&mut self) -> Result<Option<Step>, CaptureError> {
        let offset = self.source.offset();
        let step = self.framer.step(self.source.window(), offset)?;
        let Step::Need(needed) = step else { return Ok(Some(step)) };
        if self.source.fill(needed)? {
            return Ok(Some(step));
        }
        let window = self.source.window();
        if window.is_empty() && !matches!(self.framer, Framer::Start) {
            return Ok(None);
        }
        self.framer.finish(window, offset, needed as u64).map(Some)
    }

    /// Goes on with a skip, also after the source had nothing for a while.
    fn pass_over(&mut self) -> Result<(), CaptureError> {
        while self.skip.left > 0 {
            let Skip { offset, len, left } = self.skip;
            if !self.source.fill(1)? {
                return Err(CaptureError::Truncated { offset, needed: len, had: len - left });
            }
            let here = usize::try_from(left).unwrap_or(usize::MAX).min(self.source.window().len());
            self.source.consume(here);
            self.skip.left -= here as u64;
        }
        Ok(())
    }

    fn read_line(&mut self, len: usize) -> Result<Option<Found>, CaptureError> {
        let Some(jsonl) = self.framer.jsonl() else { return Ok(None) };
        let line = self.source.window().get(..len).unwrap_or_default();
        let result =
            jsonl.read(line, &mut self.line).map(|line| line.map(|line| (line.time, line.direction)));
        self.source.consume(len);
        match result {
            Ok(None) => Ok(None),
            Ok(Some((time, direction))) => {
                self.summary.saw(time);
                self.summary.packets += 1;
                let stream = Stream { session: 0, direction };
                Ok(Some(Found { place: Place::Line, time, stream, queue: 0 }))
            }
            Err(error) => {
                self.summary.records += 1;
                self.summary.damaged += 1;
                Err(error)
            }
        }
    }

    /// Finds the packet of this protocol in a record, if there is one.
    fn open(&mut self, record: &Record) -> Result<Option<Current>, CaptureError> {
        self.summary.saw(record.time);
        let frame = self.source.window().get(record.data.clone()).unwrap_or_default();
        let datagram = match record.link.ok_or(Passed::NotUdp).and_then(|link| network::datagram(link, frame))
        {
            Ok(datagram) => datagram,
            Err(passed) => {
                match passed {
                    Passed::NotUdp => self.summary.not_udp += 1,
                    Passed::IpFragment => self.summary.ip_fragments += 1,
                }
                return Ok(None);
            }
        };
        let payload = frame.get(datagram.payload.clone()).unwrap_or_default();
        match sort(&mut self.sessions, &datagram, payload) {
            Sorted::Ours(stream, packet) => {
                self.summary.packets += 1;
                let again = packet.header.flags.contains(PacketFlags::RETRANSMISSION);
                self.summary.retransmissions += u64::from(again);
                let end = record.data.start + datagram.payload.end;
                let body = end - packet.body().len()..end;
                Ok(Some(Current { len: record.len, body, time: record.time, stream }))
            }
            Sorted::Damaged(error) => {
                self.summary.damaged += 1;
                self.source.consume(record.len);
                Err(CaptureError::Packet { record: self.summary.records, time: record.time, error })
            }
            Sorted::NotOurs => {
                self.summary.not_ours += 1;
                Ok(None)
            }
            Sorted::Undecided => {
                self.summary.undecided += 1;
                Ok(None)
            }
        }
    }
}

/// What a datagram is.
enum Sorted<'a> {
    Ours(Stream, Packet<'a>),
    Damaged(PacketError),
    NotOurs,
    Undecided,
}

/// Source port in the servers' range, and nothing that says otherwise (wire.md §1).
const GUESS: Stream = Stream { session: 0, direction: Direction::S2C };

fn sort<'a>(sessions: &mut Sessions, datagram: &Datagram, payload: &'a [u8]) -> Sorted<'a> {
    let ports = session::ports(datagram);
    let packet = match Packet::decode(payload) {
        Ok(packet) => packet,
        Err(error) if sessions.known(datagram, ports).is_some() => return Sorted::Damaged(error),
        Err(error) if ports != Ports::Neither && header_fits(datagram, payload) => {
            return Sorted::Damaged(error);
        }
        Err(_) => return Sorted::NotOurs,
    };
    let direction = match ports {
        Ports::One(direction) => Some(direction),
        _ => session::evidence(&packet).or_else(|| sessions.known(datagram, ports)),
    };
    match direction {
        Some(direction) => Sorted::Ours(sessions.stream(datagram, direction, &packet), packet),
        None if ports == Ports::Both => Sorted::Ours(GUESS, packet),
        None => Sorted::Undecided,
    }
}

/// Is the header one of this protocol, whatever is wrong after it?
fn header_fits(datagram: &Datagram, payload: &[u8]) -> bool {
    PacketHeader::decode(payload).is_ok_and(|header| {
        usize::from(header.size) + PACKET_HEADER_SIZE == datagram.full_len
            && header.flags.bits() & !PacketFlags::all().bits() == 0
    })
}
