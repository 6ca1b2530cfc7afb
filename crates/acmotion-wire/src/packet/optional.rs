//! The optional headers between the packet header and the fragments.

use super::byte_reader::ByteReader;
use super::{PacketError, PacketFlags};

/// An optional header (`docs/wire.md` §1.2). If only the length is known, the bytes are kept as they are.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum OptionalHeader<'a> {
    /// 0x100: the client is to use another server.
    ServerSwitch {
        /// The sequence number.
        sequence: u32,
        /// The type.
        kind: u32,
    },
    /// 0x200: the address of the logon server, a `sockaddr_in`.
    LogonServerAddress([u8; 16]),
    /// 0x800: the client is referred to another server.
    Referral {
        /// The cookie to present to that server.
        cookie: u64,
        /// The address of that server, a `sockaddr_in`.
        address: [u8; 16],
        /// The id of that server.
        server_id: u16,
        /// The padding.
        padding: u16,
        /// A number of unknown meaning.
        tail: u32,
    },
    /// 0x1000: the packets that are missing.
    RequestRetransmit(SequenceList<'a>),
    /// 0x2000: the packets that cannot be sent again.
    RejectRetransmit(SequenceList<'a>),
    /// 0x4000: the last packet received.
    AckSequence(u32),
    /// 0x10000: the account and client version, to the end of the packet.
    LoginRequest(&'a [u8]),
    /// 0x20000: a login to a world server.
    WorldLogin([u8; 8]),
    /// 0x40000: the server's answer to a login request.
    ConnectRequest {
        /// The server's time.
        time: f64,
        /// The cookie to return in the connect response.
        cookie: u64,
        /// The session id.
        net_id: u32,
        /// The seeds of the two key streams.
        seeds: [u32; 2],
        /// The padding.
        padding: u32,
    },
    /// 0x80000: the cookie of the connect request.
    ConnectResponse([u8; 8]),
    /// 0x100000: a network error.
    NetError([u8; 8]),
    /// 0x200000: a network error that ends the connection.
    NetErrorDisconnect([u8; 8]),
    /// 0x400000: an ICMD command.
    IcmdCommand([u8; 8]),
    /// 0x1000000: the server's time.
    TimeSync(f64),
    /// 0x2000000: an echo request.
    EchoRequest(f32),
    /// 0x4000000: the answer to an echo request.
    EchoResponse(f32, f32),
    /// 0x8000000: the traffic since the last report.
    Flow {
        /// The number of bytes.
        bytes: u32,
        /// The interval.
        interval: u16,
    },
}

impl<'a> OptionalHeader<'a> {
    /// Reads the header announced by `flag`, which is a single bit.
    #[inline]
    pub(super) fn read(flag: PacketFlags, bytes: &mut ByteReader<'a>) -> Result<Self, PacketError> {
        Ok(match flag {
            PacketFlags::SERVER_SWITCH => Self::ServerSwitch {
                sequence: bytes.u32("server switch")?,
                kind: bytes.u32("server switch type")?,
            },
            PacketFlags::LOGON_SERVER_ADDRESS => {
                Self::LogonServerAddress(bytes.array("logon server address")?)
            }
            PacketFlags::REFERRAL => Self::read_referral(bytes)?,
            PacketFlags::REQUEST_RETRANSMIT => {
                Self::RequestRetransmit(SequenceList::read("request retransmit", bytes)?)
            }
            PacketFlags::REJECT_RETRANSMIT => {
                Self::RejectRetransmit(SequenceList::read("reject retransmit", bytes)?)
            }
            PacketFlags::ACK_SEQUENCE => Self::AckSequence(bytes.u32("ack sequence")?),
            PacketFlags::LOGIN_REQUEST => {
                Self::LoginRequest(bytes.take("login request", bytes.rest().len())?)
            }
            PacketFlags::WORLD_LOGIN => Self::WorldLogin(bytes.array("world login")?),
            PacketFlags::CONNECT_REQUEST => Self::read_connect_request(bytes)?,
            PacketFlags::CONNECT_RESPONSE => Self::ConnectResponse(bytes.array("connect response")?),
            PacketFlags::NET_ERROR => Self::NetError(bytes.array("net error")?),
            PacketFlags::NET_ERROR_DISCONNECT => {
                Self::NetErrorDisconnect(bytes.array("net error disconnect")?)
            }
            PacketFlags::ICMD_COMMAND => Self::IcmdCommand(bytes.array("icmd command")?),
            PacketFlags::TIME_SYNC => Self::TimeSync(bytes.f64("time sync")?),
            PacketFlags::ECHO_REQUEST => Self::EchoRequest(bytes.f32("echo request")?),
            PacketFlags::ECHO_RESPONSE => {
                Self::EchoResponse(bytes.f32("echo response")?, bytes.f32("echo response")?)
            }
            PacketFlags::FLOW => {
                Self::Flow { bytes: bytes.u32("flow")?, interval: bytes.u16("flow interval")? }
            }
            other => return Err(PacketError::UnknownFlags { flags: other.bits(), unknown: other.bits() }),
        })
    }

    fn read_referral(bytes: &mut ByteReader<'a>) -> Result<Self, PacketError> {
        let what = "referral";
        Ok(Self::Referral {
            cookie: bytes.u64(what)?,
            address: bytes.array(what)?,
            server_id: bytes.u16(what)?,
            padding: bytes.u16(what)?,
            tail: bytes.u32(what)?,
        })
    }

    fn read_connect_request(bytes: &mut ByteReader<'a>) -> Result<Self, PacketError> {
        let what = "connect request";
        Ok(Self::ConnectRequest {
            time: bytes.f64(what)?,
            cookie: bytes.u64(what)?,
            net_id: bytes.u32(what)?,
            seeds: [bytes.u32(what)?, bytes.u32(what)?],
            padding: bytes.u32(what)?,
        })
    }

    /// Returns the flag that announces the header.
    pub const fn flag(&self) -> PacketFlags {
        match self {
            Self::ServerSwitch { .. } => PacketFlags::SERVER_SWITCH,
            Self::LogonServerAddress(_) => PacketFlags::LOGON_SERVER_ADDRESS,
            Self::Referral { .. } => PacketFlags::REFERRAL,
            Self::RequestRetransmit(_) => PacketFlags::REQUEST_RETRANSMIT,
            Self::RejectRetransmit(_) => PacketFlags::REJECT_RETRANSMIT,
            Self::AckSequence(_) => PacketFlags::ACK_SEQUENCE,
            Self::LoginRequest(_) => PacketFlags::LOGIN_REQUEST,
            Self::WorldLogin(_) => PacketFlags::WORLD_LOGIN,
            Self::ConnectRequest { .. } => PacketFlags::CONNECT_REQUEST,
            Self::ConnectResponse(_) => PacketFlags::CONNECT_RESPONSE,
            Self::NetError(_) => PacketFlags::NET_ERROR,
            Self::NetErrorDisconnect(_) => PacketFlags::NET_ERROR_DISCONNECT,
            Self::IcmdCommand(_) => PacketFlags::ICMD_COMMAND,
            Self::TimeSync(_) => PacketFlags::TIME_SYNC,
            Self::EchoRequest(_) => PacketFlags::ECHO_REQUEST,
            Self::EchoResponse(..) => PacketFlags::ECHO_RESPONSE,
            Self::Flow { .. } => PacketFlags::FLOW,
        }
    }

    /// Appends the header.
    pub fn encode(&self, out: &mut Vec<u8>) {
        match self {
            Self::ServerSwitch { sequence, kind } => {
                put(out, [&sequence.to_le_bytes(), &kind.to_le_bytes()]);
            }
            Self::LogonServerAddress(address) => out.extend_from_slice(address),
            Self::Referral { cookie, address, server_id, padding, tail } => {
                put(out, [&cookie.to_le_bytes()[..], address, &server_id.to_le_bytes()]);
                put(out, [&padding.to_le_bytes()[..], &tail.to_le_bytes()]);
            }
            Self::RequestRetransmit(sequences) | Self::RejectRetransmit(sequences) => sequences.encode(out),
            Self::AckSequence(sequence) => out.extend_from_slice(&sequence.to_le_bytes()),
            Self::LoginRequest(rest) => out.extend_from_slice(rest),
            Self::WorldLogin(raw)
            | Self::ConnectResponse(raw)
            | Self::NetError(raw)
            | Self::NetErrorDisconnect(raw)
            | Self::IcmdCommand(raw) => out.extend_from_slice(raw),
            Self::ConnectRequest { time, cookie, net_id, seeds, padding } => {
                put(out, [&time.to_le_bytes(), &cookie.to_le_bytes()]);
                put(out, [net_id, &seeds[0], &seeds[1], padding].map(|v| v.to_le_bytes()));
            }
            Self::TimeSync(time) => out.extend_from_slice(&time.to_le_bytes()),
            Self::EchoRequest(time) => out.extend_from_slice(&time.to_le_bytes()),
            Self::EchoResponse(sent, held) => put(out, [sent.to_le_bytes(), held.to_le_bytes()]),
            Self::Flow { bytes, interval } => {
                put(out, [&bytes.to_le_bytes()[..], &interval.to_le_bytes()]);
            }
        }
    }
}

fn put<const N: usize>(out: &mut Vec<u8>, parts: [impl AsRef<[u8]>; N]) {
    for part in parts {
        out.extend_from_slice(part.as_ref());
    }
}

/// The list of packet sequence numbers in the two retransmission headers.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SequenceList<'a>(&'a [[u8; 4]]);

impl<'a> SequenceList<'a> {
    /// Creates a list from numbers in little-endian bytes.
    pub const fn from_le_bytes(numbers: &'a [[u8; 4]]) -> Self {
        Self(numbers)
    }

    fn read(what: &'static str, bytes: &mut ByteReader<'a>) -> Result<Self, PacketError> {
        let count = bytes.u32(what)?;
        let len = usize::try_from(count).ok().and_then(|n| n.checked_mul(4)).unwrap_or(usize::MAX);
        Ok(Self(bytes.take(what, len)?.as_chunks().0))
    }

    /// Iterates over the sequence numbers.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = u32> + use<'a> {
        self.0.iter().map(|number| u32::from_le_bytes(*number))
    }

    /// Returns the number of sequence numbers.
    pub const fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns `true` if the list is empty.
    pub const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn encode(&self, out: &mut Vec<u8>) {
        let count = u32::try_from(self.0.len()).unwrap_or(u32::MAX);
        out.extend_from_slice(&count.to_le_bytes());
        out.extend_from_slice(self.0.as_flattened());
    }
}

/// An iterator over the optional headers of a packet, in wire order.
#[derive(Clone, Copy)]
pub struct OptionalHeaders<'a> {
    remaining_flags: PacketFlags,
    bytes: ByteReader<'a>,
}

impl<'a> OptionalHeaders<'a> {
    pub(super) fn new(flags: PacketFlags, optional: &'a [u8]) -> Self {
        Self {
            remaining_flags: flags.difference(PacketFlags::WITHOUT_DATA),
            bytes: ByteReader::new(optional),
        }
    }
}

impl<'a> Iterator for OptionalHeaders<'a> {
    type Item = OptionalHeader<'a>;

    fn next(&mut self) -> Option<Self::Item> {
        let flag = self.remaining_flags.optional_flags().next()?;
        self.remaining_flags.remove(flag);
        OptionalHeader::read(flag, &mut self.bytes).ok()
    }
}
