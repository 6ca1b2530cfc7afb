//! The flags of a packet.

use bitflags::bitflags;

use super::PacketError;

bitflags! {
    /// The flags of a packet header (`docs/wire.md` §1.2). Most of them announce an optional header. The optional
    /// headers follow in ascending order of their bits.
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
    pub struct PacketFlags: u32 {
        /// The packet is a retransmission.
        const RETRANSMISSION = 0x1;
        /// The checksum is masked with a key stream (ISAAC) that only the two ends know.
        const ENCRYPTED_CHECKSUM = 0x2;
        /// Fragments follow the optional headers.
        const FRAGMENTS = 0x4;
        /// The client is to use another server: 8 bytes.
        const SERVER_SWITCH = 0x100;
        /// The address of the logon server: 16 bytes.
        const LOGON_SERVER_ADDRESS = 0x200;
        /// An optional header without data.
        const EMPTY_HEADER_1 = 0x400;
        /// The client is referred to another server: 32 bytes.
        const REFERRAL = 0x800;
        /// The missing packets (NAK): 4 bytes, plus 4 per packet.
        const REQUEST_RETRANSMIT = 0x1000;
        /// The packets that cannot be sent again: 4 bytes, plus 4 per packet.
        const REJECT_RETRANSMIT = 0x2000;
        /// The last packet received: 4 bytes.
        const ACK_SEQUENCE = 0x4000;
        /// The connection ends. No data.
        const DISCONNECT = 0x8000;
        /// The account and client version: the rest of the packet.
        const LOGIN_REQUEST = 0x1_0000;
        /// A login to a world server: 8 bytes.
        const WORLD_LOGIN = 0x2_0000;
        /// A cookie and two seeds: 32 bytes.
        const CONNECT_REQUEST = 0x4_0000;
        /// The cookie of the connect request: 8 bytes.
        const CONNECT_RESPONSE = 0x8_0000;
        /// A network error: 8 bytes.
        const NET_ERROR = 0x10_0000;
        /// A network error that ends the connection: 8 bytes.
        const NET_ERROR_DISCONNECT = 0x20_0000;
        /// An ICMD command: 8 bytes.
        const ICMD_COMMAND = 0x40_0000;
        /// The server's time: 8 bytes.
        const TIME_SYNC = 0x100_0000;
        /// An echo request: 4 bytes.
        const ECHO_REQUEST = 0x200_0000;
        /// The answer to an echo request: 8 bytes.
        const ECHO_RESPONSE = 0x400_0000;
        /// The traffic since the last report: 6 bytes. The fragments after it are therefore 2 bytes off alignment.
        const FLOW = 0x800_0000;
    }
}

impl PacketFlags {
    /// The flags without an optional header.
    pub(super) const WITHOUT_DATA: Self = Self::RETRANSMISSION
        .union(Self::ENCRYPTED_CHECKSUM)
        .union(Self::FRAGMENTS)
        .union(Self::EMPTY_HEADER_1)
        .union(Self::DISCONNECT);

    /// Iterates over the flags that announce an optional header, lowest bit first.
    pub(super) fn optional_flags(self) -> impl Iterator<Item = Self> {
        let mut remaining = self.difference(Self::WITHOUT_DATA).bits();
        std::iter::from_fn(move || {
            let lowest = remaining & remaining.wrapping_neg();
            remaining ^= lowest;
            (lowest != 0).then(|| Self::from_bits_retain(lowest))
        })
    }

    pub(super) fn check_known(self) -> Result<(), PacketError> {
        let unknown = self.difference(Self::all()).bits();
        if unknown == 0 {
            return Ok(());
        }
        Err(PacketError::UnknownFlags { flags: self.bits(), unknown })
    }
}
