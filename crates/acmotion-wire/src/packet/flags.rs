//! The flags of a packet.

use bitflags::bitflags;

use super::PacketError;

bitflags! {
    /// The flags of a packet header (wire.md §1.2). Most announce an optional header; those are on the wire in
    /// ascending order of their bits.
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
    pub struct PacketFlags: u32 {
        /// The packet was sent before.
        const RETRANSMISSION = 0x1;
        /// The checksum is masked with a key stream (ISAAC) that only the two ends know.
        const ENCRYPTED_CHECKSUM = 0x2;
        /// Fragments follow the optional headers.
        const FRAGMENTS = 0x4;
        /// The client is to talk to another server: 8 bytes.
        const SERVER_SWITCH = 0x100;
        /// Address of the logon server: 16 bytes.
        const LOGON_SERVER_ADDRESS = 0x200;
        /// Nothing.
        const EMPTY_HEADER_1 = 0x400;
        /// The client is sent to another server: 32 bytes.
        const REFERRAL = 0x800;
        /// Packets that are missing (NAK): 4 bytes and 4 for each.
        const REQUEST_RETRANSMIT = 0x1000;
        /// Packets that cannot be sent again: 4 bytes and 4 for each.
        const REJECT_RETRANSMIT = 0x2000;
        /// The last packet received: 4 bytes.
        const ACK_SEQUENCE = 0x4000;
        /// The end. No bytes.
        const DISCONNECT = 0x8000;
        /// Account and version: the rest of the packet.
        const LOGIN_REQUEST = 0x1_0000;
        /// 8 bytes.
        const WORLD_LOGIN = 0x2_0000;
        /// Cookie and seeds: 32 bytes.
        const CONNECT_REQUEST = 0x4_0000;
        /// The cookie: 8 bytes.
        const CONNECT_RESPONSE = 0x8_0000;
        /// 8 bytes.
        const NET_ERROR = 0x10_0000;
        /// 8 bytes.
        const NET_ERROR_DISCONNECT = 0x20_0000;
        /// 8 bytes.
        const ICMD_COMMAND = 0x40_0000;
        /// The server's time: 8 bytes.
        const TIME_SYNC = 0x100_0000;
        /// 4 bytes.
        const ECHO_REQUEST = 0x200_0000;
        /// 8 bytes.
        const ECHO_RESPONSE = 0x400_0000;
        /// Traffic since the last one: 6 bytes, so that what follows is 2 off alignment.
        const FLOW = 0x800_0000;
    }
}

impl PacketFlags {
    /// Flags that have no bytes of their own.
    pub(super) const BARE: Self = Self::RETRANSMISSION
        .union(Self::ENCRYPTED_CHECKSUM)
        .union(Self::FRAGMENTS)
        .union(Self::EMPTY_HEADER_1)
        .union(Self::DISCONNECT);

    /// The flags that have bytes of their own, one at a time, lowest bit first.
    pub(super) fn optional(self) -> impl Iterator<Item = Self> {
        let mut left = self.difference(Self::BARE).bits();
        std::iter::from_fn(move || {
            let lowest = left & left.wrapping_neg();
            left ^= lowest;
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
