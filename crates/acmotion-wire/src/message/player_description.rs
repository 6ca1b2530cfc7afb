//! 0xF7B0/0x0013: the player's attributes, skills and properties.

use super::Message;
use crate::cursor::{ReadResult, Reader, Writer};
use crate::parts::{Skill, WireStr};

/// The player's attributes, skills and properties (`docs/wire.md` §2.7).
///
/// A view of validated bytes. Only what movement needs is extracted from the long description; the rest stays raw.
#[derive(Clone, Copy, PartialEq, Debug)]
#[doc(alias = "0013")]
pub struct PlayerDescription<'a> {
    body: &'a [u8],
    rest: &'a [u8],
    burden: Option<i32>,
    attributes: Option<Attributes>,
    run: Option<Skill>,
    jump: Option<Skill>,
}

/// The attributes and vitals of a character. A field is `None` if the message does not contain it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
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
pub struct Attribute {
    /// The points bought with experience.
    pub ranks: u32,
    /// The points the character started with.
    pub start: u32,
    /// The experience spent on it.
    pub xp_spent: u32,
}

/// One of the three vitals.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
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

/// The key of the integer property that holds the burden.
const BURDEN_PROPERTY: u32 = 5;

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

    /// Returns the raw bytes after the skills: spells, enchantments, options and inventory.
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
        Ok(Self { body, rest: reader.take_rest(), burden, attributes, run, jump })
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
        if key == BURDEN_PROPERTY {
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
    use crate::{DecodeErrorKind, Event, GameEvent, S2C, Skill, decode_s2c};

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
            Ok(S2C::GameEvent(GameEvent { event: Event::PlayerDescription(description), .. })) => description,
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
