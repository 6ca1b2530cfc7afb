//! The access rules of a house.

use acmotion_types::{Era, Guid};

use crate::cursor::{ReadResult, Reader, Writer};
use crate::error::DecodeError;

/// The bytes before the table of guests: version, open flag, monarch, and the sizes of the table.
const HEAD_SIZE: usize = 16;
/// The bytes of a guest: guid and permission.
const GUEST_SIZE: usize = 8;
/// The version that servers send.
const VERSION: u32 = 0x1000_0002;
/// The number of buckets that is written for the table of guests. Readers ignore it.
const BUCKETS: u16 = 0x40;

/// The access rules of a house: whether it is open, the allegiance that may enter, and a table of guests
/// (`docs/wire.md` §2.6).
///
/// A view of validated bytes. To create one, [encode](Self::encode) it and decode the result.
///
/// ```
/// use acmotion_types::Guid;
/// use acmotion_wire::HouseRestrictions;
///
/// let mut bytes = Vec::new();
/// HouseRestrictions::encode(false, Guid::NONE, &[(Guid(0x5000_0002), 1)], &mut bytes);
/// let rules = HouseRestrictions::decode(&bytes).unwrap();
/// assert!(!rules.is_open());
/// assert_eq!(rules.guests().next(), Some((Guid(0x5000_0002), 1)));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[doc(alias = "RestrictionDB")]
pub struct HouseRestrictions<'a> {
    bytes: &'a [u8],
}

impl<'a> HouseRestrictions<'a> {
    /// Returns `true` if every player may enter.
    pub fn is_open(&self) -> bool {
        self.u32_at(4) & 1 != 0
    }

    /// Returns the monarch whose allegiance may enter; `None` if no allegiance may.
    pub fn monarch(&self) -> Option<Guid> {
        Some(Guid(self.u32_at(8))).filter(|monarch| *monarch != Guid::NONE)
    }

    /// Iterates over the guests, with their permissions: 0 lets a guest in, 1 also into the storage.
    pub fn guests(&self) -> impl ExactSizeIterator<Item = (Guid, u32)> + 'a {
        let (guests, _) = self.bytes[HEAD_SIZE..].as_chunks::<GUEST_SIZE>();
        guests.iter().map(|[a, b, c, d, e, f, g, h]| {
            (Guid(u32::from_le_bytes([*a, *b, *c, *d])), u32::from_le_bytes([*e, *f, *g, *h]))
        })
    }

    /// Returns all bytes on the wire.
    pub fn as_bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// Decodes rules on their own, outside of a description.
    ///
    /// # Errors
    /// Returns an error if bytes are missing or left over.
    pub fn decode(bytes: &'a [u8]) -> Result<Self, DecodeError> {
        let mut reader = Reader::new(bytes, 0, Era::default());
        let restrictions = Self::read(&mut reader, "house_restrictions")?;
        reader.finish("house_restrictions")?;
        Ok(restrictions)
    }

    /// Appends rules. Without an allegiance that may enter, `monarch` is [`Guid::NONE`]. At most 65,535 guests are
    /// written.
    pub fn encode(open: bool, monarch: Guid, guests: &[(Guid, u32)], out: &mut Vec<u8>) {
        let count = guests.len().min(u16::MAX.into());
        let mut writer = Writer::new(out);
        writer.u32(VERSION);
        writer.u32(open.into());
        writer.u32(monarch.0);
        writer.u16(count as u16);
        writer.u16(BUCKETS);
        for (guest, permission) in &guests[..count] {
            writer.u32(guest.0);
            writer.u32(*permission);
        }
    }

    pub(crate) fn read(reader: &mut Reader<'a>, field: &'static str) -> ReadResult<Self> {
        let all = reader.remaining();
        reader.bytes(12, field)?;
        let guests = reader.u16(field)?;
        reader.u16(field)?;
        let size = usize::from(guests) * GUEST_SIZE;
        reader.bytes(size, field)?;
        Ok(Self { bytes: &all[..HEAD_SIZE + size] })
    }

    fn u32_at(&self, offset: usize) -> u32 {
        let bytes = &self.bytes[offset..];
        u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]])
    }
}
