//! The game description of a new object.

use acmotion_types::Era;

use super::text::{WireStr, read_packed, read_packed_id, write_packed, write_packed_id};
use crate::cursor::{Pad, ReadResult, Reader, Writer};
use crate::error::DecodeError;

/// The game description of an object (`docs/wire.md` §2.6).
///
/// A view of validated bytes. Movement does not need them, so only what identifies the object is extracted. To create a
/// description, encode it with [`WeenieDesc::encode_plain`] and decode the result.
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

/// The encoding of a field.
#[derive(Clone, Copy)]
enum FieldFormat {
    /// A fixed number of bytes.
    Fixed(u8),
    Text,
    PackedId,
    /// The access rules of a house: three numbers and a table of guests.
    Restrictions,
}

/// The flag word that holds the bit of a field.
#[derive(Clone, Copy, PartialEq)]
enum HeaderWord {
    First,
    Second,
}

/// The optional fields after the object flags, in wire order.
const FIELDS: [(HeaderWord, u32, FieldFormat, &str); 36] = [
    (HeaderWord::First, 0x1, FieldFormat::Text, "weenie.plural_name"),
    (HeaderWord::First, 0x2, FieldFormat::Fixed(1), "weenie.items_capacity"),
    (HeaderWord::First, 0x4, FieldFormat::Fixed(1), "weenie.containers_capacity"),
    (HeaderWord::First, 0x100, FieldFormat::Fixed(2), "weenie.ammo_type"),
    (HeaderWord::First, 0x8, FieldFormat::Fixed(4), "weenie.value"),
    (HeaderWord::First, 0x10, FieldFormat::Fixed(4), "weenie.usable"),
    (HeaderWord::First, 0x20, FieldFormat::Fixed(4), "weenie.use_radius"),
    (HeaderWord::First, 0x8_0000, FieldFormat::Fixed(4), "weenie.target_type"),
    (HeaderWord::First, 0x80, FieldFormat::Fixed(4), "weenie.ui_effects"),
    (HeaderWord::First, 0x200, FieldFormat::Fixed(1), "weenie.combat_use"),
    (HeaderWord::First, 0x400, FieldFormat::Fixed(2), "weenie.structure"),
    (HeaderWord::First, 0x800, FieldFormat::Fixed(2), "weenie.max_structure"),
    (HeaderWord::First, 0x1000, FieldFormat::Fixed(2), "weenie.stack_size"),
    (HeaderWord::First, 0x2000, FieldFormat::Fixed(2), "weenie.max_stack_size"),
    (HeaderWord::First, 0x4000, FieldFormat::Fixed(4), "weenie.container"),
    (HeaderWord::First, 0x8000, FieldFormat::Fixed(4), "weenie.wielder"),
    (HeaderWord::First, 0x1_0000, FieldFormat::Fixed(4), "weenie.valid_locations"),
    (HeaderWord::First, 0x2_0000, FieldFormat::Fixed(4), "weenie.current_location"),
    (HeaderWord::First, 0x4_0000, FieldFormat::Fixed(4), "weenie.priority"),
    (HeaderWord::First, 0x10_0000, FieldFormat::Fixed(1), "weenie.radar_colour"),
    (HeaderWord::First, 0x80_0000, FieldFormat::Fixed(1), "weenie.radar_behaviour"),
    (HeaderWord::First, 0x800_0000, FieldFormat::Fixed(2), "weenie.script"),
    (HeaderWord::First, 0x100_0000, FieldFormat::Fixed(4), "weenie.workmanship"),
    (HeaderWord::First, 0x20_0000, FieldFormat::Fixed(2), "weenie.burden"),
    (HeaderWord::First, 0x40_0000, FieldFormat::Fixed(2), "weenie.spell"),
    (HeaderWord::First, 0x200_0000, FieldFormat::Fixed(4), "weenie.house_owner"),
    (HeaderWord::First, 0x400_0000, FieldFormat::Restrictions, "weenie.house_restrictions"),
    (HeaderWord::First, 0x2000_0000, FieldFormat::Fixed(4), "weenie.hook_item_types"),
    (HeaderWord::First, 0x40, FieldFormat::Fixed(4), "weenie.monarch"),
    (HeaderWord::First, 0x1000_0000, FieldFormat::Fixed(2), "weenie.hook_type"),
    (HeaderWord::First, 0x4000_0000, FieldFormat::PackedId, "weenie.icon_overlay"),
    (HeaderWord::Second, 0x1, FieldFormat::PackedId, "weenie.icon_underlay"),
    (HeaderWord::First, 0x8000_0000, FieldFormat::Fixed(4), "weenie.material_type"),
    (HeaderWord::Second, 0x2, FieldFormat::Fixed(4), "weenie.cooldown"),
    (HeaderWord::Second, 0x4, FieldFormat::Fixed(8), "weenie.cooldown_duration"),
    (HeaderWord::Second, 0x8, FieldFormat::Fixed(4), "weenie.pet_owner"),
];

const HAS_SECOND_WORD: u32 = 0x0400_0000;
const ICON: u32 = 0x0600_0000;

impl<'a> WeenieDesc<'a> {
    /// Returns the name of the object.
    pub fn name(&self) -> WireStr<'a> {
        self.name
    }

    /// Returns the id of the weenie class.
    #[doc(alias = "wcid")]
    pub fn class_id(&self) -> u32 {
        self.class_id
    }

    /// Returns the icon (0x06…).
    pub fn icon(&self) -> u32 {
        self.icon
    }

    /// Returns the item type: bits for what the object can be used as.
    pub fn item_type(&self) -> u32 {
        self.item_type
    }

    /// Returns the object flags: bits for player, vendor, door …
    #[doc(alias = "ObjectDescriptionFlag")]
    pub fn object_flags(&self) -> u32 {
        self.object_flags
    }

    /// Returns all bytes on the wire, including the padding.
    pub fn as_bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// Decodes a description on its own, outside of a message.
    ///
    /// # Errors
    /// Returns an error if bytes are missing or left over.
    pub fn decode(bytes: &'a [u8]) -> Result<Self, DecodeError> {
        let mut reader = Reader::new(bytes, 0, Era::default());
        let weenie = Self::read(&mut reader)?;
        reader.finish("weenie")?;
        Ok(weenie)
    }

    /// Appends the description of an object that has only a name and a class.
    pub fn encode_plain(name: &[u8], class_id: u32, out: &mut Vec<u8>) {
        Self::encode_typed(name, class_id, 0, 0, out);
    }

    /// Like [`encode_plain`](Self::encode_plain), with an item type (0x10 is a creature) and object flags (0x8 is a
    /// player). The flag that announces the second flag word is ignored.
    pub fn encode_typed(name: &[u8], class_id: u32, item_type: u32, object_flags: u32, out: &mut Vec<u8>) {
        let mut writer = Writer::new(out);
        writer.u32(0);
        WireStr(name).write(&mut writer);
        write_packed(&mut writer, class_id);
        write_packed_id(&mut writer, ICON, ICON);
        writer.u32(item_type);
        writer.u32(object_flags & !HAS_SECOND_WORD);
        writer.align(Pad::ZERO);
    }

    pub(crate) fn read(reader: &mut Reader<'a>) -> ReadResult<Self> {
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
            let flags = if word == HeaderWord::First { first } else { second };
            if flags & bit != 0 {
                skip_field(reader, kind, field)?;
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

fn skip_field(reader: &mut Reader<'_>, kind: FieldFormat, field: &'static str) -> ReadResult<()> {
    match kind {
        FieldFormat::Fixed(size) => reader.bytes(size.into(), field).map(drop),
        FieldFormat::Text => WireStr::read(reader, field).map(drop),
        FieldFormat::PackedId => read_packed(reader, field).map(drop),
        FieldFormat::Restrictions => {
            reader.bytes(12, field)?;
            let guests = reader.u16(field)?;
            reader.u16(field)?;
            reader.bytes(usize::from(guests) * 8, field).map(drop)
        }
    }
}
