//! Extracts the UDP datagram from a captured packet.

use std::ops::Range;

/// The link-layer header of the packets of a capture.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum LinkType {
    /// BSD loopback: a 4-byte address family, in either byte order.
    Loopback,
    Ethernet,
    /// IPv4 or IPv6 without a link-layer header.
    Raw,
    /// Linux cooked, 16 bytes.
    Cooked,
    /// Linux cooked version 2, 20 bytes.
    Cooked2,
}

impl LinkType {
    /// Returns the link type for a number in pcap and pcapng, or `None` if it is not supported.
    pub(super) const fn from_number(number: u16) -> Option<Self> {
        Some(match number {
            0 | 108 => Self::Loopback,
            1 => Self::Ethernet,
            12 | 14 | 101 | 228 | 229 => Self::Raw,
            113 => Self::Cooked,
            276 => Self::Cooked2,
            _ => return None,
        })
    }
}

/// One end of a conversation. An IPv4 address occupies the lowest 32 bits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Endpoint {
    pub(super) address: u128,
    pub(super) port: u16,
}

/// A UDP datagram. Ranges are relative to the start of the packet.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Datagram {
    pub(super) source: Endpoint,
    pub(super) destination: Endpoint,
    /// The captured part of the payload.
    pub(super) payload: Range<usize>,
    /// The length of the whole payload.
    pub(super) full_len: usize,
}

/// The reason why a packet has no datagram.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum SkipReason {
    /// The packet is not UDP, or is cut off inside its headers.
    NotUdp,
    /// The packet is a fragment of an IP packet.
    IpFragment,
}

const IPV4: u16 = 0x0800;
const IPV6: u16 = 0x86DD;
const VLAN_TAGS: [u16; 3] = [0x8100, 0x88A8, 0x9100];
const MAX_VLAN_TAGS: usize = 2;
const UDP: u8 = 17;
/// The maximum number of IPv6 extension headers, more than any real packet has.
const MAX_EXTENSIONS: usize = 8;

/// Finds the datagram in a packet.
#[inline]
pub(super) fn find_datagram(link: LinkType, packet: &[u8]) -> Result<Datagram, SkipReason> {
    let found = match link {
        LinkType::Ethernet => by_ether_type(packet, 12, 14),
        LinkType::Cooked => by_ether_type(packet, 14, 16),
        LinkType::Cooked2 => by_ether_type(packet, 0, 20),
        LinkType::Raw => by_ip_version(packet, 0),
        LinkType::Loopback => by_ip_version(packet, 4),
    };
    match found {
        Some((IPV4, at)) => ipv4(packet, at),
        Some((IPV6, at)) => ipv6(packet, at),
        _ => Err(SkipReason::NotUdp),
    }
}

/// Returns the ether type and the offset of the payload. The ether type is at `kind_at`, or follows up to two VLAN tags
/// after the header of `len` bytes.
#[inline]
fn by_ether_type(packet: &[u8], kind_at: usize, len: usize) -> Option<(u16, usize)> {
    let (mut kind, mut at) = (u16_at(packet, kind_at)?, len);
    for _ in 0..MAX_VLAN_TAGS {
        if !VLAN_TAGS.contains(&kind) {
            break;
        }
        kind = u16_at(packet, at + 2)?;
        at += 4;
    }
    Some((kind, at))
}

/// Returns the ether type by the version field of the IP header at offset `at`. The address family is not used because
/// its values differ between systems.
fn by_ip_version(packet: &[u8], at: usize) -> Option<(u16, usize)> {
    match packet.get(at)? >> 4 {
        4 => Some((IPV4, at)),
        6 => Some((IPV6, at)),
        _ => None,
    }
}

#[inline]
fn ipv4(packet: &[u8], at: usize) -> Result<Datagram, SkipReason> {
    let header: &[u8; 20] = packet.get(at..).and_then(<[u8]>::first_chunk).ok_or(SkipReason::NotUdp)?;
    let header_len = usize::from(header[0] & 0x0F) * 4;
    if header[0] >> 4 != 4 || header_len < 20 || header[9] != UDP {
        return Err(SkipReason::NotUdp);
    }
    // The mask leaves out "don't fragment": "more fragments" or an offset makes it a fragment.
    if u16::from_be_bytes([header[6], header[7]]) & 0x3FFF != 0 {
        return Err(SkipReason::IpFragment);
    }
    let total = usize::from(u16::from_be_bytes([header[2], header[3]]));
    let end = ip_end(packet, at, total);
    let address =
        |i: usize| u128::from(u32::from_be_bytes([header[i], header[i + 1], header[i + 2], header[i + 3]]));
    udp(packet, at + header_len..end, address(12), address(16))
}

fn ipv6(packet: &[u8], at: usize) -> Result<Datagram, SkipReason> {
    let header: &[u8; 40] = packet.get(at..).and_then(<[u8]>::first_chunk).ok_or(SkipReason::NotUdp)?;
    if header[0] >> 4 != 6 {
        return Err(SkipReason::NotUdp);
    }
    let payload = usize::from(u16::from_be_bytes([header[4], header[5]]));
    let end = ip_end(packet, at, if payload == 0 { 0 } else { 40 + payload });
    let start = skip_extensions(packet, header[6], at + 40)?;
    let address = |i: usize| header[i..].first_chunk().map_or(0, |raw| u128::from_be_bytes(*raw));
    udp(packet, start..end, address(8), address(24))
}

/// Returns the end of an IP packet. The length is 0 in captures of outgoing packets if the network card fills it in.
#[inline]
fn ip_end(packet: &[u8], at: usize, total: usize) -> usize {
    if total == 0 { packet.len() } else { packet.len().min(at + total) }
}

/// Skips the IPv6 extension headers and returns the offset of the UDP header.
fn skip_extensions(packet: &[u8], mut kind: u8, mut at: usize) -> Result<usize, SkipReason> {
    for _ in 0..MAX_EXTENSIONS {
        match kind {
            UDP => return Ok(at),
            44 => return Err(SkipReason::IpFragment),
            0 | 43 | 60 => {
                let &[next, len] =
                    packet.get(at..).and_then(<[u8]>::first_chunk).ok_or(SkipReason::NotUdp)?;
                kind = next;
                at += (usize::from(len) + 1) * 8;
            }
            _ => break,
        }
    }
    Err(SkipReason::NotUdp)
}

#[inline]
fn udp(packet: &[u8], range: Range<usize>, from: u128, to: u128) -> Result<Datagram, SkipReason> {
    let header: &[u8; 8] =
        packet.get(range.clone()).and_then(<[u8]>::first_chunk).ok_or(SkipReason::NotUdp)?;
    let field = |i: usize| u16::from_be_bytes([header[i], header[i + 1]]);
    let start = range.start + 8;
    let captured = range.end - start;
    let full_len = match usize::from(field(4)) {
        0 => captured,
        len => len.checked_sub(8).ok_or(SkipReason::NotUdp)?,
    };
    Ok(Datagram {
        source: Endpoint { address: from, port: field(0) },
        destination: Endpoint { address: to, port: field(2) },
        payload: start..start + captured.min(full_len),
        full_len,
    })
}

#[inline]
fn u16_at(packet: &[u8], at: usize) -> Option<u16> {
    packet.get(at..)?.first_chunk().map(|raw| u16::from_be_bytes(*raw))
}
