//! 0xF745: an object is created.

use acmotion_types::Guid;

use super::Message;
use crate::cursor::{ReadResult, Reader, Writer};
use crate::parts::{ModelData, PhysicsDesc, WeenieDesc};

/// An object is created (rules D12 and D13, `docs/wire.md` §2.6).
#[derive(Clone, Copy, PartialEq, Debug)]
#[doc(alias = "F745")]
pub struct CreateObject<'a>(pub ObjectDesc<'a>);

/// The full description of an object.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ObjectDesc<'a> {
    /// The object.
    pub guid: Guid,
    /// Its appearance.
    pub model: ModelData<'a>,
    /// Its physical properties.
    pub physics: PhysicsDesc<'a>,
    /// Its game properties.
    pub weenie: WeenieDesc<'a>,
}

impl<'a> ObjectDesc<'a> {
    pub(super) fn read(reader: &mut Reader<'a>) -> ReadResult<Self> {
        Ok(Self {
            guid: reader.guid("guid")?,
            model: ModelData::read(reader)?,
            physics: PhysicsDesc::read(reader)?,
            weenie: WeenieDesc::read(reader)?,
        })
    }

    pub(super) fn write(&self, writer: &mut Writer<'_>) {
        writer.guid(self.guid);
        self.model.write(writer);
        self.physics.write(writer);
        self.weenie.write(writer);
    }
}

impl<'a> Message<'a> for CreateObject<'a> {
    const OPCODE: u32 = 0xF745;
    const NAME: &'static str = "CreateObject";

    fn read(reader: &mut Reader<'a>) -> ReadResult<Self> {
        ObjectDesc::read(reader).map(Self)
    }

    fn write(&self, writer: &mut Writer<'_>) {
        self.0.write(writer);
    }

    fn guid(&self) -> Option<Guid> {
        Some(self.0.guid)
    }
}

#[cfg(test)]
pub(super) mod tests {
    use acmotion_types::{CellId, CellPosition, Era, Frame, Guid, MotionCommand, Quat, Stamp, Vec3};

    use super::{CreateObject, ObjectDesc};
    use crate::testing::{assert_s2c, hex};
    use crate::*;

    /// The body of a message for a creature standing in the non-combat stance.
    pub(in crate::message) const CREATURE: &str = "
        34120080 11000000
        03980100 08040000
        0c000000 00 00 3d00 03000000 3d00 0300  00000000
        1500b4a9 00002041 0000a041 0000bc42 0000003f 00000000 00000000 0000c0bf
        07000009 05000020 17000034 080e0002
        0100 0200 0300 0400 0500 0600 0700 0800 0900 0000
        00000000 0600 447275646765 2300 9b10 10000000 14000000";

    pub(in crate::message) fn creature(weenie: WeenieDesc<'_>) -> ObjectDesc<'_> {
        let state = InterpretedState {
            current_style: Some(MotionCommand::NON_COMBAT),
            forward_command: Some(MotionCommand::READY),
            ..InterpretedState::default()
        };
        let movement = Movement {
            flags: MotionFlags::empty(),
            style: MotionCommand::NON_COMBAT,
            body: MovementBody::Interpreted { state, sticky: None },
        };
        let frame = Frame::new(Vec3::new(10.0, 20.0, 94.0), Quat::new(0.5, 0.0, 0.0, -1.5));
        let physics = PhysicsDesc {
            flags: PhysicsDescFlags::from_bits_retain(0x19803),
            state: PhysicsState::REPORT_COLLISIONS | PhysicsState::GRAVITY,
            movement: Some(InitialMovement::Movement { movement, autonomous: false.into() }),
            position: Some(CellPosition::new(CellId(0xA9B4_0015), frame)),
            motion_table: Some(0x0900_0007),
            sound_table: Some(0x2000_0005),
            physics_script_table: Some(0x3400_0017),
            setup: Some(0x0200_0E08),
            stamps: ObjectStamps {
                position: Stamp(1),
                movement: Stamp(2),
                state: Stamp(3),
                vector: Stamp(4),
                teleport: Stamp(5),
                server_control: Stamp(6),
                force_position: Stamp(7),
                visual_desc: Stamp(8),
                instance: Stamp(9),
            },
            ..PhysicsDesc::default()
        };
        ObjectDesc { guid: Guid(0x8000_1234), model: ModelData::PLAIN, physics, weenie }
    }

    #[test]
    fn a_creature_round_trips() {
        let bytes = hex(&format!("45f70000 {CREATURE}"));
        let weenie = WeenieDesc::decode(&bytes[bytes.len() - 24..]).unwrap();
        assert_eq!((weenie.name().to_string(), weenie.class_id()), ("Drudge".into(), 35));
        assert_eq!((weenie.icon(), weenie.item_type(), weenie.object_flags()), (0x0600_109B, 0x10, 0x14));
        assert_s2c(&bytes, CreateObject(creature(weenie)));
    }

    #[test]
    fn every_physics_field_but_the_movement_round_trips() {
        let bytes = hex("45f70000 34120080 11000000
             fdff0600 00000000  65000000
             1500b4a9 00002041 0000a041 0000bc42 0000803f 00000000 00000000 00000000
             05000020 17000034 080e0002
             01000050 02000000  02000000 11110080 01000000 22220080 03000000
             0000003f 0000403f 0000803f 0000c03f
             0000803f 00000000 00000000  00000000 0000803f 00000000  00000000 00000000 0000803f
             10000033 00000040
             0000 0000 0000 0000 0000 0000 0000 0000 0100 0000
             00000000 0000 0000 0100 0000 00000000 00000000");
        let weenie = WeenieDesc::decode(&bytes[bytes.len() - 20..]).unwrap();
        let children = [
            Attachment { guid: Guid(0x8000_1111), location: 1 },
            Attachment { guid: Guid(0x8000_2222), location: 3 },
        ];
        let physics = PhysicsDesc {
            // All bits but those of the motion table and the movement, including the one that has no effect.
            flags: PhysicsDescFlags::from_bits_retain(0x6_FFFD),
            placement: Some(0x65),
            position: Some(CellPosition::at(CellId(0xA9B4_0015), Vec3::new(10.0, 20.0, 94.0))),
            sound_table: Some(0x2000_0005),
            physics_script_table: Some(0x3400_0017),
            setup: Some(0x0200_0E08),
            parent: Some(Attachment { guid: Guid(0x5000_0001), location: 2 }),
            children: Some(Children::new(&children)),
            scale: Some(0.5),
            friction: Some(0.75),
            elasticity: Some(1.0),
            translucency: Some(1.5),
            velocity: Some(Vec3::new(1.0, 0.0, 0.0)),
            acceleration: Some(Vec3::new(0.0, 1.0, 0.0)),
            omega: Some(Vec3::new(0.0, 0.0, 1.0)),
            default_script: Some(0x3300_0010),
            default_script_intensity: Some(2.0),
            stamps: ObjectStamps { instance: Stamp(1), ..ObjectStamps::default() },
            ..PhysicsDesc::default()
        };
        let object = ObjectDesc { guid: Guid(0x8000_1234), model: ModelData::PLAIN, physics, weenie };
        assert_s2c(&bytes, CreateObject(object));
    }

    /// Both flags are set, but only the movement is present (`docs/wire.md` §2.6).
    #[test]
    fn an_empty_movement_replaces_the_placement() {
        let bytes = hex("45f70000 34120080 11000000  00000300 00000000  00000000
             0000 0000 0000 0000 0000 0000 0000 0000 0100 0000
             00000000 0000 0000 0100 0000 00000000 00000000");
        let weenie = WeenieDesc::decode(&bytes[bytes.len() - 20..]).unwrap();
        let physics = PhysicsDesc {
            flags: PhysicsDescFlags::MOVEMENT | PhysicsDescFlags::PLACEMENT,
            movement: Some(InitialMovement::Empty),
            stamps: ObjectStamps { instance: Stamp(1), ..ObjectStamps::default() },
            ..PhysicsDesc::default()
        };
        let object = ObjectDesc { guid: Guid(0x8000_1234), model: ModelData::PLAIN, physics, weenie };
        assert_s2c(&bytes, CreateObject(object));
    }

    #[test]
    fn a_movement_that_does_not_fill_its_buffer_is_an_error() {
        let mut bytes = hex(&format!("45f70000 {CREATURE}"));
        bytes[20] += 4;
        let error = decode_s2c(&bytes, Era::default()).unwrap_err();
        assert_eq!((error.field, error.offset, error.had), ("movement", 36, 4));
        assert_eq!(error.kind, DecodeErrorKind::TrailingBytes);
        bytes[20] -= 8;
        let error = decode_s2c(&bytes, Era::default()).unwrap_err();
        assert_eq!((error.field, error.needed, error.had), ("state.current_style", 2, 0));
    }

    #[test]
    fn a_count_beyond_the_message_is_an_error() {
        let bytes = hex("45f70000 34120080 11000000  40000000 00000000  ffffffff
             0000 0000 0000 0000 0000 0000 0000 0000 0100 0000");
        let error = decode_s2c(&bytes, Era::default()).unwrap_err();
        assert_eq!((error.field, error.offset, error.kind), ("children", 24, DecodeErrorKind::MissingBytes));
    }

    #[test]
    fn every_weenie_field_round_trips() {
        let fields = "
            0400 57617370 0000  01  02  0003  00000004 00000005 00000006 00000007 00000008 09
            000a 000b 000c 000d 0000000e 0000000f 00000010 00000011 00000012 13 14 0015 00000016 0017 0018
            00000019  0000001a 0000001b 0000001c 0200 0001 11111111 00000000 22222222 00000001
            0000001d 0000001e 001f 0020 0180 0021 00000022 00000023 0000000000000024 00000025";
        let plain = "45f70000 34120080 11000000 00000000 00000000
            0000 0000 0000 0000 0000 0000 0000 0000 0100 0000";
        let head = "ffffffff 0400 57617370 0000 0100 0000 00000000 00000004 0f000000";
        let mut bytes = hex(&format!("{plain} {head} {fields}"));
        bytes.resize(bytes.len().next_multiple_of(4), 0);
        let Ok(S2C::CreateObject(CreateObject(object))) = decode_s2c(&bytes, Era::default()) else {
            panic!("{:?}", decode_s2c(&bytes, Era::default()))
        };
        assert_s2c(&bytes, CreateObject(object));
    }
}
