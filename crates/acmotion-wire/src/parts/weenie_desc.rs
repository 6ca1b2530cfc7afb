//! The game description of a new object.

use acmotion_types::{Era, Guid};

use super::house_restrictions::HouseRestrictions;
use super::text::{WireStr, read_packed, read_packed_id, write_packed, write_packed_id};
use crate::cursor::{Pad, ReadResult, Reader, Writer};
use crate::error::DecodeError;

/// The game description of an object (`docs/wire.md` §2.6).
///
/// A view of validated bytes, of which only what identifies the object and what collision depends on is extracted. To
/// create a description, encode it with [`WeenieDesc::encode_plain`] or [`WeenieFields`] and decode the result.
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
    optional: OptionalFields<'a>,
}

/// The optional fields that are extracted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct OptionalFields<'a> {
    house_owner: Option<Guid>,
    house_restrictions: Option<HouseRestrictions<'a>>,
    hook_item_types: Option<u32>,
    monarch: Option<Guid>,
    hook_type: Option<u16>,
}

/// The encoding of a field, and whether it is extracted.
#[derive(Clone, Copy)]
enum FieldFormat {
    /// A fixed number of bytes.
    Fixed(u8),
    Text,
    PackedId,
    HouseOwner,
    HouseRestrictions,
    HookItemTypes,
    Monarch,
    HookType,
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
    (HeaderWord::First, HOUSE_OWNER, FieldFormat::HouseOwner, "weenie.house_owner"),
    (HeaderWord::First, HOUSE_RESTRICTIONS, FieldFormat::HouseRestrictions, "weenie.house_restrictions"),
    (HeaderWord::First, HOOK_ITEM_TYPES, FieldFormat::HookItemTypes, "weenie.hook_item_types"),
    (HeaderWord::First, MONARCH, FieldFormat::Monarch, "weenie.monarch"),
    (HeaderWord::First, HOOK_TYPE, FieldFormat::HookType, "weenie.hook_type"),
    (HeaderWord::First, 0x4000_0000, FieldFormat::PackedId, "weenie.icon_overlay"),
    (HeaderWord::Second, 0x1, FieldFormat::PackedId, "weenie.icon_underlay"),
    (HeaderWord::First, 0x8000_0000, FieldFormat::Fixed(4), "weenie.material_type"),
    (HeaderWord::Second, 0x2, FieldFormat::Fixed(4), "weenie.cooldown"),
    (HeaderWord::Second, 0x4, FieldFormat::Fixed(8), "weenie.cooldown_duration"),
    (HeaderWord::Second, 0x8, FieldFormat::Fixed(4), "weenie.pet_owner"),
];

const MONARCH: u32 = 0x40;
const HOUSE_OWNER: u32 = 0x200_0000;
const HOUSE_RESTRICTIONS: u32 = 0x400_0000;
const HOOK_TYPE: u32 = 0x1000_0000;
const HOOK_ITEM_TYPES: u32 = 0x2000_0000;
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

    /// Returns the owner of the house that the object belongs to; `None` if the description has none.
    pub fn house_owner(&self) -> Option<Guid> {
        self.optional.house_owner
    }

    /// Returns the access rules of a house; `None` if the object has none.
    #[doc(alias = "RestrictionDB")]
    pub fn house_restrictions(&self) -> Option<HouseRestrictions<'a>> {
        self.optional.house_restrictions
    }

    /// Returns the monarch of a player's allegiance; `None` if the player has none.
    pub fn monarch(&self) -> Option<Guid> {
        self.optional.monarch
    }

    /// Returns `true` if the object is a hook of a house: it has a hook type, and types of items that hang on it.
    #[doc(alias = "IsHook")]
    pub fn is_hook(&self) -> bool {
        self.optional.hook_type.is_some_and(|kind| kind != 0)
            && self.optional.hook_item_types.is_some_and(|types| types != 0)
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
        WeenieFields { name, class_id, item_type, object_flags, ..WeenieFields::default() }.encode(out);
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
        let mut optional = OptionalFields::default();
        for (word, bit, kind, field) in FIELDS {
            let flags = if word == HeaderWord::First { first } else { second };
            if flags & bit != 0 {
                optional.read(reader, kind, field)?;
            }
        }
        reader.align()?;
        let bytes = &all[..reader.offset() - start];
        Ok(Self { bytes, name, class_id, icon, item_type, object_flags, optional })
    }

    pub(crate) fn write(&self, writer: &mut Writer<'_>) {
        writer.bytes(self.bytes);
    }
}

impl<'a> OptionalFields<'a> {
    /// Reads one field, and keeps it if it is one of those that are extracted.
    fn read(&mut self, reader: &mut Reader<'a>, kind: FieldFormat, field: &'static str) -> ReadResult<()> {
        match kind {
            FieldFormat::Fixed(size) => drop(reader.bytes(size.into(), field)?),
            FieldFormat::Text => drop(WireStr::read(reader, field)?),
            FieldFormat::PackedId => drop(read_packed(reader, field)?),
            FieldFormat::HouseOwner => self.house_owner = Some(reader.guid(field)?),
            FieldFormat::HouseRestrictions => {
                self.house_restrictions = Some(HouseRestrictions::read(reader, field)?);
            }
            FieldFormat::HookItemTypes => self.hook_item_types = Some(reader.u32(field)?),
            FieldFormat::Monarch => self.monarch = Some(reader.guid(field)?),
            FieldFormat::HookType => self.hook_type = Some(reader.u16(field)?),
        }
        Ok(())
    }
}

/// The fields from which a [`WeenieDesc`] is encoded. All others are left out.
///
/// ```
/// use acmotion_types::Guid;
/// use acmotion_wire::{WeenieDesc, WeenieFields};
///
/// let house = WeenieFields { name: b"Cottage", house_owner: Some(Guid(0x5000_0001)), ..WeenieFields::default() };
/// let mut bytes = Vec::new();
/// house.encode(&mut bytes);
/// assert_eq!(WeenieDesc::decode(&bytes).unwrap().house_owner(), Some(Guid(0x5000_0001)));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct WeenieFields<'a> {
    /// The name of the object.
    pub name: &'a [u8],
    /// The id of the weenie class.
    pub class_id: u32,
    /// The item type: 0x10 is a creature.
    pub item_type: u32,
    /// The object flags: 0x8 is a player. The flag that announces the second flag word is ignored.
    pub object_flags: u32,
    /// The owner of the house that the object belongs to.
    pub house_owner: Option<Guid>,
    /// The access rules of a house.
    pub house_restrictions: Option<HouseRestrictions<'a>>,
    /// The types of items that hang on a hook.
    pub hook_item_types: Option<u32>,
    /// The monarch of a player's allegiance.
    pub monarch: Option<Guid>,
    /// The type of a hook.
    pub hook_type: Option<u16>,
}

impl WeenieFields<'_> {
    /// Appends the description.
    pub fn encode(&self, out: &mut Vec<u8>) {
        let present = [
            (MONARCH, self.monarch.is_some()),
            (HOUSE_OWNER, self.house_owner.is_some()),
            (HOUSE_RESTRICTIONS, self.house_restrictions.is_some()),
            (HOOK_TYPE, self.hook_type.is_some()),
            (HOOK_ITEM_TYPES, self.hook_item_types.is_some()),
        ];
        let flags =
            present.iter().filter(|(_, is_present)| *is_present).fold(0, |flags, (bit, _)| flags | bit);
        let mut writer = Writer::new(out);
        writer.u32(flags);
        WireStr(self.name).write(&mut writer);
        write_packed(&mut writer, self.class_id);
        write_packed_id(&mut writer, ICON, ICON);
        writer.u32(self.item_type);
        writer.u32(self.object_flags & !HAS_SECOND_WORD);
        writer.align(Pad::ZERO);
        // In the order of FIELDS.
        if let Some(owner) = self.house_owner {
            writer.u32(owner.0);
        }
        if let Some(restrictions) = &self.house_restrictions {
            writer.bytes(restrictions.as_bytes());
        }
        if let Some(types) = self.hook_item_types {
            writer.u32(types);
        }
        if let Some(monarch) = self.monarch {
            writer.u32(monarch.0);
        }
        if let Some(kind) = self.hook_type {
            writer.u16(kind);
        }
        writer.align(Pad::ZERO);
    }
}
