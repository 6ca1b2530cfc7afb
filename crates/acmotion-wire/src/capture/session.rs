//! Which way a packet goes, and whose it is.

use std::collections::HashMap;
use std::ops::RangeInclusive;

use super::network::{Datagram, Endpoint};
use crate::Direction;
use crate::packet::{Packet, PacketFlags, Stream};

/// The ports of servers (wire.md §1).
const SERVER_PORTS: RangeInclusive<u16> = 9000..=10013;
/// Conversations that are surely remembered; twice as many may be.
const REMEMBERED: usize = 2048;

/// A client and the server that it talks to; the server can use several ports at once.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Key {
    client: Endpoint,
    server: u128,
}

/// One conversation.
#[derive(Clone, Copy)]
struct Session {
    number: u32,
    /// Messages were seen since the number was given.
    used: bool,
}

/// What the two ports tell.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Ports {
    One(Direction),
    Both,
    Neither,
}

pub(super) fn ports(datagram: &Datagram) -> Ports {
    let from_server = SERVER_PORTS.contains(&datagram.source.port);
    let to_server = SERVER_PORTS.contains(&datagram.destination.port);
    match (from_server, to_server) {
        (true, false) => Ports::One(Direction::S2C),
        (false, true) => Ports::One(Direction::C2S),
        (true, true) => Ports::Both,
        (false, false) => Ports::Neither,
    }
}

/// The conversations seen of late. When there are many, those not heard of for the longest are forgotten.
#[derive(Default)]
pub(super) struct Sessions {
    young: HashMap<Key, Session>,
    old: HashMap<Key, Session>,
    count: u32,
}

impl Sessions {
    /// The direction of a datagram whose conversation is known.
    pub(super) fn known(&mut self, datagram: &Datagram, ports: Ports) -> Option<Direction> {
        let ways = match ports {
            Ports::One(direction) => [Some(direction), None],
            _ => [Some(Direction::C2S), Some(Direction::S2C)],
        };
        ways.into_iter().flatten().find(|&direction| self.find(key(datagram, direction)).is_some())
    }

    /// The stream that a good packet belongs to. A new login of the same client is a new session, because its numbers
    /// start again.
    pub(super) fn stream(
        &mut self,
        datagram: &Datagram,
        direction: Direction,
        packet: &Packet<'_>,
    ) -> Stream {
        let key = key(datagram, direction);
        let login = packet.header.flags.intersects(PacketFlags::LOGIN_REQUEST | PacketFlags::CONNECT_REQUEST);
        let has_fragments = !packet.body().is_empty();
        if let Some(session) = self.find(key).filter(|session| !(login && session.used)) {
            session.used |= has_fragments;
            return Stream { session: session.number, direction };
        }
        self.count = self.count.wrapping_add(1);
        let session = Session { number: self.count, used: has_fragments };
        self.remember(key, session);
        Stream { session: session.number, direction }
    }

    fn find(&mut self, key: Key) -> Option<&mut Session> {
        if !self.old.is_empty() && !self.young.contains_key(&key) {
            let session = self.old.remove(&key)?;
            self.remember(key, session);
        }
        self.young.get_mut(&key)
    }

    fn remember(&mut self, key: Key, session: Session) {
        if self.young.len() >= REMEMBERED {
            self.old = std::mem::take(&mut self.young);
        }
        self.young.insert(key, session);
    }
}

fn key(datagram: &Datagram, direction: Direction) -> Key {
    match direction {
        Direction::S2C => Key { client: datagram.destination, server: datagram.source.address },
        Direction::C2S => Key { client: datagram.source, server: datagram.destination.address },
    }
}

/// The direction that a packet shows by what is in it.
pub(super) fn evidence(packet: &Packet<'_>) -> Option<Direction> {
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
