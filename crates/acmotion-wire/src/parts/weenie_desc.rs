//! What an object is in the game, when it is created.

use acmotion_types::Era;

use super::text::{WireStr, read_packed, read_packed_id, write_packed};
use crate::cursor::{Pad, Read, Reader, Writer};
use crate::error::DecodeError;

/// What an object is in the game (`docs/wire.md` §2.6).
///
/// A view of checked bytes: movement needs none of it, so only what names the object is taken out. To make one, write
/// [`WeenieDesc::encode_plain`] and read it back.
///
/// ```
/// use acmotion_wire::WeenieDesc;
///
/// let mut bytes = Vec::new();
/// WeenieDesc::encode_plain(b"Drudge Prowler", 35, &mut bytes);
/// let weenie = WeenieDesc::decode(&bytes).unwrap();
/// assert_eq!((weenie.name().to_string().as_str(), weenie.class_id()), ("Drudge Prowler", 35));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[doc(alias = "PublicWeenieDesc")]
pub struct WeenieDesc<'a> {
    bytes: &'a [u8],
    name: WireStr<'a>,
    class_id: u32,
    icon: u32,
    item_type: u32,
    object_flags: u32,
}

/// How a field is written.
#[derive(Clone, Copy)]
enum Kind {
    /// In so many bytes.
    Fixed(u8),
    Text,
    PackedId,
    /// Who may enter a house: three numbers and a table of guests.
    Restrictions,
}

/// In which of the two header words the bit of a field stands.
#[derive(Clone, Copy, PartialEq)]
enum Word {
    First,
    Second,
}

/// The fields that may follow the object flags, in the order of the wire.
const FIELDS: [(Word, u32, Kind, &str); 36] = [
    (Word::First, 0x1, Kind::Text, "weenie.plural_name"),
    (Word::First, 0x2, Kind::Fixed(1), "weenie.items_capacity"),
    (Word::First, 0x4, Kind::Fixed(1), "weenie.containers_capacity"),
    (Word::First, 0x100, Kind::Fixed(2), "weenie.ammo_type"),
    (Word::First, 0x8, Kind::Fixed(4), "weenie.value"),
    (Word::First, 0x10, Kind::Fixed(4), "weenie.usable"),
    (Word::First, 0x20, Kind::Fixed(4), "weenie.use_radius"),
    (Word::First, 0x8_0000, Kind::Fixed(4), "weenie.target_type"),
    (Word::First, 0x80, Kind::Fixed(4), "weenie.ui_effects"),
    (Word::First, 0x200, Kind::Fixed(1), "weenie.combat_use"),
    (Word::First, 0x400, Kind::Fixed(2), "weenie.structure"),
    (Word::First, 0x800, Kind::Fixed(2), "weenie.max_structure"),
    (Word::First, 0x1000, Kind::Fixed(2), "weenie.stack_size"),
    (Word::First, 0x2000, Kind::Fixed(2), "weenie.max_stack_size"),
    (Word::First, 0x4000, Kind::Fixed(4), "weenie.container"),
    (Word::First, 0x8000, Kind::Fixed(4), "weenie.wielder"),
    (Word::First, 0x1_0000, Kind::Fixed(4), "weenie.valid_locations"),
    (Word::First, 0x2_0000, Kind::Fixed(4), "weenie.current_location"),
    (Word::First, 0x4_0000, Kind::Fixed(4), "weenie.priority"),
    (Word::First, 0x10_0000, Kind::Fixed(1), "weenie.radar_colour"),
    (Word::First, 0x80_0000, Kind::Fixed(1), "weenie.radar_behaviour"),
    (Word::First, 0x800_0000, Kind::Fixed(2), "weenie.script"),
    (Word::First, 0x100_0000, Kind::Fixed(4), "weenie.workmanship"),
    (Word::First, 0x20_0000, Kind::Fixed(2), "weenie.burden"),
    (Word::First, 0x40_0000, Kind::Fixed(2), "weenie.spell"),
    (Word::First, 0x200_0000, Kind::Fixed(4), "weenie.house_owner"),
    (Word::First, 0x400_0000, Kind::Restrictions, "weenie.house_restrictions"),
    (Word::First, 0x2000_0000, Kind::Fixed(4), "weenie.hook_item_types"),
    (Word::First, 0x40, Kind::Fixed(4), "weenie.monarch"),
    (Word::First, 0x1000_0000, Kind::Fixed(2), "weenie.hook_type"),
    (Word::First, 0x4000_0000, Kind::PackedId, "weenie.icon_overlay"),
    (Word::Second, 0x1, Kind::PackedId, "weenie.icon_underlay"),
    (Word::First, 0x8000_0000, Kind::Fixed(4), "weenie.material_type"),
    (Word::Second, 0x2, Kind::Fixed(4), "weenie.cooldown"),
    (Word::Second, 0x4, Kind::Fixed(8), "weenie.cooldown_duration"),
    (Word::Second, 0x8, Kind::Fixed(4), "weenie.pet_owner"),
];

const HAS_SECOND_WORD: u32 = 0x0400_0000;
const ICON: u32 = 0x0600_0000;

impl<'a> WeenieDesc<'a> {
    /// The name people see.
    pub fn name(&self) -> WireStr<'a> {
        self.name
    }

    /// The number of its class.
    #[doc(alias = "wcid")]
    pub fn class_id(&self) -> u32 {
        self.class_id
    }

    /// Its icon (0x06…).
    pub fn icon(&self) -> u32 {
        self.icon
    }

    /// Bits of what it can be used as.
    pub fn item_type(&self) -> u32 {
        self.item_type
    }

    /// Bits of what it is: player, vendor, door …
    #[doc(alias = "ObjectDescriptionFlag")]
    pub fn object_flags(&self) -> u32 {
        self.object_flags
    }

    /// Everything on the wire, padding and all.
    pub fn as_bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// A description by itself, outside a message.
    pub fn decode(bytes: &'a [u8]) -> Result<Self, DecodeError> {
        let mut reader = Reader::new(bytes, 0, Era::default());
        let weenie = Self::read(&mut reader)?;
        reader.finish("weenie")?;
        Ok(weenie)
    }

    /// Appends the description of a thing that has a name and a class and nothing else.
    pub fn encode_plain(name: &[u8], class_id: u32, out: &mut Vec<u8>) {
        Self::encode_typed(name, class_id, 0, 0, out);
    }

    /// The same of a certain item type, of which 0x10 is a creature, and with object flags, of which 0x8 is a player.
    /// The flag that announces a second word of fields does not count.
    pub fn encode_typed(name: &[u8], class_id: u32, item_type: u32, object_flags: u32, out: &mut Vec<u8>) {
        let mut writer = Writer::new(out);
        writer.u32(0);
        WireStr(name).write(&mut writer);
        write_packed(&mut writer, class_id);
        write_packed(&mut writer, 0);
        writer.u32(item_type);
        writer.u32(object_flags & !HAS_SECOND_WORD);
        writer.align(Pad::ZERO);
    }

    pub(crate) fn read(reader: &mut Reader<'a>) -> Read<Self> {
        let (all, start) = (reader.remaining(), reader.offset());
        let first = reader.u32("weenie.flags")?;
        let name = WireStr::read(reader, "name")?;
        let class_id = read_packed(reader, "wcid")?;
        let icon = read_packed_id(reader, ICON, "weenie.icon")?;
        let item_type = reader.u32("weenie.item_type")?;
        let object_flags = reader.u32("weenie.object_flags")?;
        reader.align()?;
        let second = if object_flags & HAS_SECOND_WORD != 0 { reader.u32("weenie.flags2")? } else { 0 };
        for (word, bit, kind, field) in FIELDS {
            let flags = if word == Word::First { first } else { second };
            if flags & bit != 0 {
                pass(reader, kind, field)?;
            }
        }
        reader.align()?;
        let bytes = &all[..reader.offset() - start];
        Ok(Self { bytes, name, class_id, icon, item_type, object_flags })
    }

    pub(crate) fn write(&self, writer: &mut Writer<'_>) {
        writer.bytes(self.bytes);
    }
}

fn pass(reader: &mut Reader<'_>, kind: Kind, field: &'static str) -> Read<()> {
    match kind {
        Kind::Fixed(size) => reader.bytes(size.into(), field).map(drop),
        Kind::Text => WireStr::read(reader, field).map(drop),
        Kind::PackedId => read_packed(reader, field).map(drop),
        Kind::Restrictions => {
            reader.bytes(12, field)?;
            let guests = reader.u16(field)?;
            reader.u16(field)?;
            reader.bytes(usize::from(guests) * 8, field).map(drop)
        }
    }
}
