//! The direction of a packet and the session it belongs to.

use std::collections::HashMap;
use std::ops::RangeInclusive;

use super::network::{Datagram, Endpoint};
use crate::Direction;
use crate::packet::{Packet, PacketFlags, StreamId};

/// The ports of servers (`docs/wire.md` §1).
const SERVER_PORTS: RangeInclusive<u16> = 9000..=10013;
/// The maximum number of conversations in the recent generation. Up to twice as many are remembered.
const MAX_RECENT_SESSIONS: usize = 2048;

/// A client and its server. The port of the server is left out because a server can use several at once.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct SessionKey {
    client: Endpoint,
    server: u128,
}

/// The session of a conversation.
#[derive(Clone, Copy)]
struct Session {
    number: u32,
    /// Whether messages were seen since the number was assigned.
    has_messages: bool,
}

/// Which of the two ports are in the server range.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Ports {
    One(Direction),
    Both,
    Neither,
}

pub(super) fn classify_ports(datagram: &Datagram) -> Ports {
    let from_server = SERVER_PORTS.contains(&datagram.source.port);
    let to_server = SERVER_PORTS.contains(&datagram.destination.port);
    match (from_server, to_server) {
        (true, false) => Ports::One(Direction::S2C),
        (false, true) => Ports::One(Direction::C2S),
        (true, true) => Ports::Both,
        (false, false) => Ports::Neither,
    }
}

/// The recent conversations. If there are too many, the least recently used half is forgotten.
#[derive(Default)]
pub(super) struct Sessions {
    recent: HashMap<SessionKey, Session>,
    older: HashMap<SessionKey, Session>,
    /// The conversation of the last packet and the number of its session, of which messages were seen. Most packets belong
    /// to the same conversation as the one before.
    last: Option<(SessionKey, u32)>,
    count: u32,
}

impl Sessions {
    /// Returns the direction of a datagram, or `None` if its conversation is not known.
    pub(super) fn known_direction(&mut self, datagram: &Datagram, ports: Ports) -> Option<Direction> {
        let candidates = match ports {
            Ports::One(direction) => [Some(direction), None],
            _ => [Some(Direction::C2S), Some(Direction::S2C)],
        };
        candidates.into_iter().flatten().find(|&direction| self.find(key(datagram, direction)).is_some())
    }

    /// Returns the stream of a valid packet. A new login of the same client starts a new session, because its sequence
    /// numbers start again.
    pub(super) fn stream(
        &mut self,
        datagram: &Datagram,
        direction: Direction,
        packet: &Packet<'_>,
    ) -> StreamId {
        let key = key(datagram, direction);
        let login = packet.header.flags.intersects(PacketFlags::LOGIN_REQUEST | PacketFlags::CONNECT_REQUEST);
        if let Some((_, number)) = self.last.filter(|(last, _)| *last == key && !login) {
            return StreamId { session: number, direction };
        }
        let has_fragments = !packet.body().is_empty();
        if let Some(session) = self.find(key).filter(|session| !(login && session.has_messages)) {
            session.has_messages |= has_fragments;
            let session = *session;
            self.last = session.has_messages.then_some((key, session.number));
            return StreamId { session: session.number, direction };
        }
        self.count = self.count.wrapping_add(1);
        let session = Session { number: self.count, has_messages: has_fragments };
        self.remember(key, session);
        StreamId { session: session.number, direction }
    }

    fn find(&mut self, key: SessionKey) -> Option<&mut Session> {
        if !self.older.is_empty() && !self.recent.contains_key(&key) {
            let session = self.older.remove(&key)?;
            self.remember(key, session);
        }
        self.recent.get_mut(&key)
    }

    fn remember(&mut self, key: SessionKey, session: Session) {
        self.last = None;
        if self.recent.len() >= MAX_RECENT_SESSIONS {
            self.older = std::mem::take(&mut self.recent);
        }
        self.recent.insert(key, session);
    }
}

fn key(datagram: &Datagram, direction: Direction) -> SessionKey {
    match direction {
        Direction::S2C => SessionKey { client: datagram.destination, server: datagram.source.address },
        Direction::C2S => SessionKey { client: datagram.source, server: datagram.destination.address },
    }
}

/// Returns the direction that the contents of a packet show, or `None` if they do not.
pub(super) fn direction_from_contents(packet: &Packet<'_>) -> Option<Direction> {
    let flags = packet.header.flags;
    if flags.intersects(PacketFlags::LOGIN_REQUEST | PacketFlags::CONNECT_RESPONSE) {
        return Some(Direction::C2S);
    }
    if flags.intersects(PacketFlags::CONNECT_REQUEST | PacketFlags::REFERRAL) {
        return Some(Direction::S2C);
    }
    packet.fragments().find_map(|fragment| {
        let opcode = (fragment.header.index == 0).then(|| fragment.data.first_chunk()).flatten();
        match opcode.map(|raw| u32::from_le_bytes(*raw)) {
            Some(0xF7B1) => Some(Direction::C2S),
            Some(0xF7B0) => Some(Direction::S2C),
            _ if fragment.header.id >= 0x8000_0000 => Some(Direction::S2C),
            _ => None,
        }
    })
}
