//! 0xF7B0/0x0013: the player's attributes, skills and properties.

use super::{Message, PrivateUpdatePropertyInt};
use crate::cursor::{ReadResult, Reader, Writer};
use crate::parts::{EnchantmentRegistry, Skill, WireStr};

/// The player's attributes, skills and properties (`docs/wire.md` §2.7).
///
/// A view of validated bytes. Only what movement needs is extracted from the long description. Everything after the
/// enchantments stays raw.
#[derive(Clone, Copy, PartialEq, Debug)]
#[doc(alias = "0013")]
pub struct PlayerDescription<'a> {
    body: &'a [u8],
    rest: &'a [u8],
    burden: Option<i32>,
    attributes: Option<Attributes>,
    run: Option<Skill>,
    jump: Option<Skill>,
    enchantments: EnchantmentRegistry<'a>,
}

/// The attributes and vitals of a character. A field is `None` if the message does not contain it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Attributes {
    /// Determines how much the character can carry and how high it jumps.
    pub strength: Option<Attribute>,
    /// Determines health and stamina.
    pub endurance: Option<Attribute>,
    /// Determines how fast the character runs.
    pub quickness: Option<Attribute>,
    /// Determines how high the character jumps.
    pub coordination: Option<Attribute>,
    /// Determines magic skills.
    pub focus: Option<Attribute>,
    /// Determines mana. Called "Self" in the game.
    pub self_: Option<Attribute>,
    /// The vital that is lost to damage.
    pub health: Option<Vital>,
    /// The vital that exertion uses up.
    pub stamina: Option<Vital>,
    /// The vital that magic uses up.
    pub mana: Option<Vital>,
}

/// One of the six attributes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Attribute {
    /// The points bought with experience.
    pub ranks: u32,
    /// The points the character started with.
    pub start: u32,
    /// The experience spent on it.
    pub xp_spent: u32,
}

impl Attribute {
    /// The id of strength.
    pub const STRENGTH: u32 = 1;
    /// The id of endurance.
    pub const ENDURANCE: u32 = 2;
    /// The id of quickness.
    pub const QUICKNESS: u32 = 3;
    /// The id of coordination.
    pub const COORDINATION: u32 = 4;
    /// The id of focus.
    pub const FOCUS: u32 = 5;
    /// The id of self.
    pub const SELF: u32 = 6;
}

/// One of the three vitals.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Vital {
    /// The points bought with experience.
    pub ranks: u32,
    /// The points the character started with.
    pub start: u32,
    /// The experience spent on it.
    pub xp_spent: u32,
    /// The current value.
    pub current: u32,
}

impl Vital {
    /// The id of health.
    pub const HEALTH: u32 = 2;
    /// The id of stamina.
    pub const STAMINA: u32 = 4;
    /// The id of mana.
    pub const MANA: u32 = 6;
}

/// The encoding of the values in a property table.
#[derive(Clone, Copy)]
enum ValueFormat {
    Fixed(usize),
    Text,
}

/// The property tables after the integers: bit, value format and name. The wire order differs from the bit order.
const OTHER_TABLES: [(u32, ValueFormat, &str); 7] = [
    (0x80, ValueFormat::Fixed(8), "int64_properties"),
    (0x02, ValueFormat::Fixed(4), "bool_properties"),
    (0x04, ValueFormat::Fixed(8), "float_properties"),
    (0x10, ValueFormat::Text, "string_properties"),
    (0x08, ValueFormat::Fixed(4), "data_properties"),
    (0x40, ValueFormat::Fixed(4), "instance_properties"),
    (0x20, ValueFormat::Fixed(32), "position_properties"),
];
const INT_TABLE: u32 = 0x01;
/// The offset of the integer entries, after the flags, the type, the count and the number of buckets.
const INT_ENTRIES: usize = 12;
const ATTRIBUTES: u32 = 0x01;
const SKILLS: u32 = 0x02;
const SPELLS: u32 = 0x100;
const ENCHANTMENTS: u32 = 0x200;

impl<'a> PlayerDescription<'a> {
    /// Returns the weight carried, or `None` if the message does not contain it.
    #[doc(alias = "EncumbranceVal")]
    pub fn burden(&self) -> Option<i32> {
        self.burden
    }

    /// Returns an integer property, or `None` if the message does not contain it.
    pub fn int_property(&self, key: u32) -> Option<i32> {
        let (head, table) = self.body.split_at_checked(INT_ENTRIES)?;
        let flags = u32::from_le_bytes(*head.first_chunk()?);
        let count = u16::from_le_bytes([head[8], head[9]]);
        let entries = table.as_chunks::<8>().0.iter().take(usize::from(count));
        let mut found = entries.filter(|entry| entry[..4] == key.to_le_bytes());
        let [.., a, b, c, d] = *found.next_back().filter(|_| flags & INT_TABLE != 0)?;
        Some(i32::from_le_bytes([a, b, c, d]))
    }

    /// Returns the attributes and vitals, or `None` if the message does not contain them.
    pub fn attributes(&self) -> Option<Attributes> {
        self.attributes
    }

    /// Returns the Run skill, or `None` if the message does not contain it.
    pub fn run(&self) -> Option<Skill> {
        self.run
    }

    /// Returns the Jump skill, or `None` if the message does not contain it.
    pub fn jump(&self) -> Option<Skill> {
        self.jump
    }

    /// Returns the enchantments. All lists are empty if the message contains none.
    pub fn enchantments(&self) -> EnchantmentRegistry<'a> {
        self.enchantments
    }

    /// Returns the raw bytes after the enchantments: options, shortcuts and inventory.
    pub fn rest(&self) -> &'a [u8] {
        self.rest
    }

    /// Returns the whole body of the event.
    pub fn as_bytes(&self) -> &'a [u8] {
        self.body
    }
}

impl<'a> Message<'a> for PlayerDescription<'a> {
    const OPCODE: u32 = 0x0013;
    const NAME: &'static str = "PlayerDescription";

    fn read(reader: &mut Reader<'a>) -> ReadResult<Self> {
        let body = reader.remaining();
        let flags = reader.u32("property_flags")?;
        reader.u32("weenie_type")?;
        let burden = if flags & INT_TABLE != 0 { read_burden(reader)? } else { None };
        for (bit, values, field) in OTHER_TABLES {
            if flags & bit != 0 {
                skip_table(reader, values, field)?;
            }
        }
        let vectors = reader.u32("vector_flags")?;
        reader.u32("has_health")?;
        let attributes = (vectors & ATTRIBUTES != 0).then(|| Attributes::read(reader)).transpose()?;
        let (run, jump) = if vectors & SKILLS != 0 { read_skills(reader)? } else { (None, None) };
        if vectors & SPELLS != 0 {
            skip_table(reader, ValueFormat::Fixed(4), "spells")?;
        }
        let enchantments = match vectors & ENCHANTMENTS {
            0 => EnchantmentRegistry::default(),
            _ => EnchantmentRegistry::read(reader)?,
        };
        Ok(Self { body, rest: reader.take_rest(), burden, attributes, run, jump, enchantments })
    }

    fn write(&self, writer: &mut Writer<'_>) {
        writer.bytes(self.body);
    }
}

/// Reads the header of a table and returns a reader for its entries of `entry` bytes each.
fn read_table<'a>(reader: &mut Reader<'a>, entry: usize, field: &'static str) -> ReadResult<Reader<'a>> {
    let count = reader.u16(field)?;
    reader.u16(field)?;
    reader.sub_reader(usize::from(count) * entry, field)
}

fn read_burden(reader: &mut Reader<'_>) -> ReadResult<Option<i32>> {
    let mut table = read_table(reader, 8, "int_properties")?;
    let mut burden = None;
    while !table.remaining().is_empty() {
        let key = table.u32("int_properties")?;
        let value = table.u32("int_properties")?;
        if key == PrivateUpdatePropertyInt::BURDEN {
            burden = Some(value as i32);
        }
    }
    Ok(burden)
}

fn skip_table(reader: &mut Reader<'_>, values: ValueFormat, field: &'static str) -> ReadResult<()> {
    match values {
        ValueFormat::Fixed(size) => read_table(reader, 4 + size, field).map(drop),
        ValueFormat::Text => {
            let count = reader.u16(field)?;
            reader.u16(field)?;
            (0..count).try_for_each(|_| {
                reader.u32(field)?;
                WireStr::read(reader, field).map(drop)
            })
        }
    }
}

fn read_skills(reader: &mut Reader<'_>) -> ReadResult<(Option<Skill>, Option<Skill>)> {
    let mut table = read_table(reader, 4 + Skill::SIZE, "skills")?;
    let (mut run, mut jump) = (None, None);
    while !table.remaining().is_empty() {
        let id = table.u32("skills")?;
        let skill = Skill::read(&mut table)?;
        match id {
            Skill::RUN => run = Some(skill),
            Skill::JUMP => jump = Some(skill),
            _ => {}
        }
    }
    Ok((run, jump))
}

impl Attributes {
    fn read(reader: &mut Reader<'_>) -> ReadResult<Self> {
        let mask = reader.u32("attributes")?;
        let mut attribute =
            |bit: u32, field| (mask & 1 << bit != 0).then(|| Attribute::read(reader, field)).transpose();
        let strength = attribute(0, "attributes.strength")?;
        let endurance = attribute(1, "attributes.endurance")?;
        let quickness = attribute(2, "attributes.quickness")?;
        let coordination = attribute(3, "attributes.coordination")?;
        let focus = attribute(4, "attributes.focus")?;
        let self_ = attribute(5, "attributes.self")?;
        let mut vital =
            |bit: u32, field| (mask & 1 << bit != 0).then(|| Vital::read(reader, field)).transpose();
        let health = vital(6, "attributes.health")?;
        let stamina = vital(7, "attributes.stamina")?;
        let mana = vital(8, "attributes.mana")?;
        Ok(Self { strength, endurance, quickness, coordination, focus, self_, health, stamina, mana })
    }
}

impl Attribute {
    fn read(reader: &mut Reader<'_>, field: &'static str) -> ReadResult<Self> {
        Ok(Self { ranks: reader.u32(field)?, start: reader.u32(field)?, xp_spent: reader.u32(field)? })
    }
}

impl Vital {
    fn read(reader: &mut Reader<'_>, field: &'static str) -> ReadResult<Self> {
        let Attribute { ranks, start, xp_spent } = Attribute::read(reader, field)?;
        Ok(Self { ranks, start, xp_spent, current: reader.u32(field)? })
    }
}

#[cfg(test)]
mod tests {
    use acmotion_types::Era;

    use super::{Attribute, Attributes, PlayerDescription, Vital};
    use crate::testing::hex;
    use crate::{DecodeErrorKind, GameEvent, GameEventBody, S2C, Skill, StatModFlags, decode_s2c};

    /// Every table once, then attributes, three skills, and a tail that is kept raw.
    const DESCRIPTION: &str = "
        b0f70000 01000050 01000000 13000000
        ff000000 0a000000
        0200 4000  05000000 35770000  19000000 06000000
        0100 4000  01000000 4c4f000000000000
        0100 2000  68000000 01000000
        0100 2000  7d000000 000000000000f03f
        0200 2000  01000000 0600 447275646765  05000000 0300 4162 63 000000
        0100 2000  02000000 01000009
        0100 2000  19000000 fe120250
        0100 2000  0e000000 1500b4a9 00002041 0000a041 0000bc42 0000803f 00000000 00000000 00000000
        03000000 01000000
        85000000  0a000000 1e000000 a20e0000  02000000 64000000 03000000
                  04000000 05000000 06000000 1e000000
        0300 2000
        18000000 7800 0100 03000000 40e20100 0a000000 00000000 0000000000000000
        06000000 0000 0100 02000000 00000000 00000000 00000000 0000000000000000
        16000000 4b00 0100 02000000 00000000 05000000 00000000 0000000000000000
        deadbeef 99";

    fn decoded(bytes: &[u8]) -> PlayerDescription<'_> {
        match decode_s2c(bytes, Era::default()) {
            Ok(S2C::GameEvent(GameEvent {
                event: GameEventBody::PlayerDescription(description), ..
            })) => description,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn attributes_skills_and_properties_are_extracted() {
        let bytes = hex(DESCRIPTION);
        let description = decoded(&bytes);
        assert_eq!(description.burden(), Some(30517));
        let ints = [5, 0x19, 6].map(|key| description.int_property(key));
        assert_eq!(ints, [Some(30517), Some(6), None]);
        let attributes = Attributes {
            strength: Some(Attribute { ranks: 10, start: 30, xp_spent: 3746 }),
            quickness: Some(Attribute { ranks: 2, start: 100, xp_spent: 3 }),
            stamina: Some(Vital { ranks: 4, start: 5, xp_spent: 6, current: 30 }),
            ..Attributes::default()
        };
        assert_eq!(description.attributes(), Some(attributes));
        let run = Skill {
            ranks: 120,
            adjust_pp: 1,
            advancement_class: 3,
            xp_spent: 123_456,
            init_level: 10,
            ..Skill::default()
        };
        assert_eq!(description.run(), Some(run));
        let jump = Skill { ranks: 75, adjust_pp: 1, advancement_class: 2, init_level: 5, ..Skill::default() };
        assert_eq!(description.jump(), Some(jump));
        assert_eq!(description.rest(), hex("deadbeef 99"));
    }

    /// No properties, attributes or skills; two spells, then every list of enchantments. The wire order of the lists is
    /// 1, 2, 8, 4.
    const ENCHANTED: &str = "
        b0f70000 01000050 01000000 13000000
        00000000 0a000000 00030000 01000000
        0200 4000  23000000 00000040  e7050000 00000040
        0f000000
        01000000
            0100 0100 1300 0000 32000000 0000000000408fc0 000000000000f0bf 34120080
            00000000 008026c4 0000000000000000 10500002 18000000 0000c03f
        02000000
            0200 0100 1400 0100 64000000 0000000000000000 0000000000209c40 34120080
            00000000 008026c4 0000000000000000 10900002 16000000 0000a041 00000000
            0300 0200 1500 0000 64000000 0000000000000000 0000000000209c40 34120080
            00000000 008026c4 0000000000000000 01900002 03000000 00002041
        01000000
            0480 0100 0080 0100 00000000 0000000000000000 0000000000003e40 01000050
            00000000 008026c4 0000000000000000 00000001 00000000 00000000 00000000
        9a02 0000 0000 0000 00000000 0000000000000000 000000000000f0bf 01000050
            00000000 008026c4 0000000000000000 00408000 00000000 3333733f
        60060000 99";

    #[test]
    fn every_list_of_enchantments_is_extracted() {
        let bytes = hex(ENCHANTED);
        let description = decoded(&bytes);
        let registry = description.enchantments();
        let lengths = [registry.multiplicative, registry.additive, registry.cooldowns].map(|list| list.len());
        assert_eq!(lengths, [1, 2, 1]);
        let spells: Vec<_> = registry.modifiers().map(|enchantment| enchantment.spell).collect();
        assert_eq!(spells, [1, 2, 3, 0x29A]);
        let run = registry.multiplicative.iter().next().unwrap();
        assert_eq!((run.stat_key, run.stat_value, run.has_spell_set.get()), (Skill::RUN, 1.5, false));
        assert!(run.stat_mod.contains(StatModFlags::SKILL | StatModFlags::MULTIPLICATIVE));
        assert_eq!((run.start, run.duration), (-1000.0, -1.0));
        let quickness = registry.additive.iter().nth(1).unwrap();
        assert_eq!((quickness.layer, quickness.stat_key), (2, Attribute::QUICKNESS));
        assert!(quickness.stat_mod.contains(StatModFlags::ATTRIBUTE | StatModFlags::ADDITIVE));
        assert_eq!(registry.cooldowns.iter().next().unwrap().stat_mod, StatModFlags::COOLDOWN);
        let vitae = registry.vitae.unwrap();
        assert_eq!((vitae.spell, vitae.stat_value), (0x29A, 0.95));
        assert!(vitae.stat_mod.contains(StatModFlags::VITAE));
        assert_eq!(description.rest(), hex("60060000 99"));
        let mut again = Vec::new();
        decode_s2c(&bytes, Era::default()).unwrap().encode(&mut again);
        assert_eq!(again, bytes);
        for length in 0..bytes.len() - 5 {
            let error = decode_s2c(&bytes[..length], Era::default()).unwrap_err();
            assert_eq!(error.kind, DecodeErrorKind::MissingBytes, "cut at {length}");
        }
    }

    #[test]
    fn a_count_of_enchantments_beyond_the_message_is_an_error() {
        let bytes = hex("b0f70000 01000050 01000000 13000000 00000000 0a000000 00020000 01000000
                         02000000 ffffffff 0000");
        let error = decode_s2c(&bytes, Era::default()).unwrap_err();
        assert_eq!((error.field, error.offset), ("enchantments.additive", 40));
        assert_eq!((error.kind, error.had), (DecodeErrorKind::MissingBytes, 2));
    }

    #[test]
    fn a_description_encodes_to_the_bytes_it_came_from() {
        let bytes = hex(DESCRIPTION);
        let mut again = Vec::new();
        decode_s2c(&bytes, Era::default()).unwrap().encode(&mut again);
        assert_eq!(again, bytes);
    }

    #[test]
    fn a_description_cut_before_the_tail_is_an_error() {
        let bytes = hex(DESCRIPTION);
        for length in 0..bytes.len() - 5 {
            let error = decode_s2c(&bytes[..length], Era::default()).unwrap_err();
            assert_eq!(error.kind, DecodeErrorKind::MissingBytes);
            assert!(error.offset <= length);
        }
    }

    #[test]
    fn an_empty_description_has_no_values() {
        let bytes = hex("b0f70000 01000050 01000000 13000000 00000000 0a000000 00000000 01000000");
        let description = decoded(&bytes);
        assert_eq!((description.burden(), description.attributes()), (None, None));
        assert_eq!(description.int_property(0), None);
        assert_eq!((description.run(), description.jump(), description.rest()), (None, None, &[][..]));
    }
}
