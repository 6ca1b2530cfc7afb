//! 0xF74C: the movement of a body.

use acmotion_types::{Guid, Stamp};

use super::Message;
use crate::cursor::{ReadResult, Reader, Writer};
use crate::parts::MovementData;

/// The new movement of a body (rules D9 and E1–E9, `docs/wire.md` §2.2).
#[derive(Clone, Copy, PartialEq, Debug)]
#[doc(alias = "F74C")]
#[doc(alias = "SetObjectMovement")]
pub struct UpdateMotion<'a> {
    /// The object.
    pub guid: Guid,
    /// The instance stamp of the object.
    pub instance: Stamp,
    /// The movement, with the other stamps.
    pub data: MovementData<'a>,
}

impl<'a> Message<'a> for UpdateMotion<'a> {
    const OPCODE: u32 = 0xF74C;
    const NAME: &'static str = "UpdateMotion";

    #[inline(always)]
    fn read(reader: &mut Reader<'a>) -> ReadResult<Self> {
        let head = reader.deferred_group(&["guid", "instance_seq"])?;
        let data = MovementData::read(reader)?;
        let (guid, instance) = head.get();
        Ok(Self { guid, instance, data })
    }

    #[inline]
    fn write(&self, writer: &mut Writer<'_>) {
        self.data.write((self.guid, self.instance), writer);
    }

    fn guid(&self) -> Option<Guid> {
        Some(self.guid)
    }
}

#[cfg(test)]
mod tests {
    use acmotion_types::{ActionStamp, CellId, Era, Guid, MotionCommand, Stamp, Vec3};

    use super::UpdateMotion;
    use crate::testing::{assert_s2c, hex};
    use crate::*;

    fn motion(autonomous: bool, movement: Movement<'_>) -> UpdateMotion<'_> {
        UpdateMotion {
            guid: Guid(0x5000_0001),
            instance: Stamp(9),
            data: MovementData {
                movement_stamp: Stamp(0x102),
                server_control: Stamp(3),
                autonomous: autonomous.into(),
                pad: Pad::ZERO,
                movement,
            },
        }
    }

    fn plain(body: MovementBody<'_>) -> Movement<'_> {
        Movement { flags: MotionFlags::empty(), style: MotionCommand::NON_COMBAT, body }
    }

    #[test]
    fn a_stop_is_encoded_as_an_empty_state() {
        let bytes = hex("4cf70000 01000050 0900 0201 0300 01 00   00 00 0000 00000000");
        let body = MovementBody::Interpreted { state: InterpretedState::default(), sticky: None };
        assert_s2c(
            &bytes,
            motion(true, Movement { flags: MotionFlags::empty(), style: MotionCommand::INVALID, body }),
        );
    }

    #[test]
    fn commands_precede_speeds_when_all_fields_are_present() {
        let bytes = hex("4cf70000 01000050 0900 0201 0300 00 00   00 00 3d00  7f010000
             3d00 0700 0f00 0d00  00000040 0000003f 0000c0bf
             8700 0580 0000803f  7d00 0600 0000c03f");
        let actions = [
            ActionItem {
                command: MotionCommand::WAVE,
                stamp: ActionStamp::new(5),
                autonomous: true,
                speed: 1.0,
            },
            ActionItem {
                command: MotionCommand::BOW_DEEP,
                stamp: ActionStamp::new(6),
                autonomous: false,
                speed: 1.5,
            },
        ];
        let state = InterpretedState {
            current_style: Some(MotionCommand::NON_COMBAT),
            forward_command: Some(MotionCommand::RUN_FORWARD),
            sidestep_command: Some(MotionCommand::SIDE_STEP_RIGHT),
            turn_command: Some(MotionCommand::TURN_RIGHT),
            forward_speed: Some(2.0),
            sidestep_speed: Some(0.5),
            turn_speed: Some(-1.5),
            actions: Actions::new(&actions),
            ..InterpretedState::default()
        };
        assert_s2c(&bytes, motion(false, plain(MovementBody::Interpreted { state, sticky: None })));
    }

    #[test]
    fn the_sticky_object_follows_the_padding_of_the_state() {
        let bytes = hex("4cf70000 01000050 0900 0201 0300 00 00   00 03 3e00  02000000 0500 0000  34120080");
        let state = InterpretedState {
            forward_command: Some(MotionCommand::WALK_FORWARD),
            ..InterpretedState::default()
        };
        let movement = Movement {
            flags: MotionFlags::STICK_TO_OBJECT | MotionFlags::STANDING_LONG_JUMP,
            style: MotionCommand::SWORD_COMBAT,
            body: MovementBody::Interpreted { state, sticky: Some(Guid(0x8000_1234)) },
        };
        assert_s2c(&bytes, motion(false, movement));
    }

    #[test]
    fn move_to_object_is_72_bytes() {
        let bytes = hex("4cf70000 01000050 0900 0201 0300 00 00   06 00 3d00  34120080
             1500b4a9 00002041 0000a041 0000bc42
             0fee0100 9a99193f 00000000 ffff7f7f 0000803f 00007041 0000b442  0000c03f");
        assert_eq!(bytes.len(), 72);
        let body = MovementBody::MoveToObject {
            target: Guid(0x8000_1234),
            origin: Origin { cell: CellId(0xA9B4_0015), point: Vec3::new(10.0, 20.0, 94.0) },
            params: MoveToParams { desired_heading: 90.0, ..MoveToParams::default() },
            run_rate: 1.5,
        };
        assert_s2c(&bytes, motion(false, plain(body)));
    }

    #[test]
    fn move_to_position_is_68_bytes() {
        let bytes = hex("4cf70000 01000050 0900 0201 0300 00 00   07 00 3d00
             1500b4a9 00002041 0000a041 0000bc42
             0fee0100 9a99193f 00000000 ffff7f7f 0000803f 00007041 00000000  0000c03f");
        assert_eq!(bytes.len(), 68);
        let body = MovementBody::MoveToPosition {
            origin: Origin { cell: CellId(0xA9B4_0015), point: Vec3::new(10.0, 20.0, 94.0) },
            params: MoveToParams::default(),
            run_rate: 1.5,
        };
        assert_s2c(&bytes, motion(false, plain(body)));
    }

    #[test]
    fn turn_to_object_is_40_bytes() {
        let bytes = hex("4cf70000 01000050 0900 0201 0300 00 00   08 00 3d00  34120080 00003443
             0fee0100 0000803f 0000b442");
        assert_eq!(bytes.len(), 40);
        let body = MovementBody::TurnToObject {
            target: Guid(0x8000_1234),
            heading: 180.0,
            params: TurnToParams { desired_heading: 90.0, ..TurnToParams::default() },
        };
        assert_s2c(&bytes, motion(false, plain(body)));
    }

    #[test]
    fn turn_to_heading_is_32_bytes() {
        let bytes = hex("4cf70000 01000050 0900 0201 0300 00 00   09 01 3d00  0fee0100 0000803f 00000000");
        assert_eq!(bytes.len(), 32);
        let body = MovementBody::TurnToHeading { params: TurnToParams::default() };
        let movement = Movement { flags: MotionFlags::STICK_TO_OBJECT, ..plain(body) };
        assert_s2c(&bytes, motion(false, movement));
    }

    #[test]
    fn unknown_bits_and_padding_round_trip() {
        // Unknown bits in the flags and in the state's leading word, non-zero padding, and a boolean that is not 0 or
        // 1.
        let bytes = hex("4cf70000 01000050 0900 0201 0300 05 aa   00 f0 3d00  021000ff 0300 bbcc");
        let message = decode_s2c(&bytes, Era::default()).unwrap();
        let mut again = Vec::new();
        message.encode(&mut again);
        assert_eq!(again, bytes);
    }

    #[test]
    fn movement_types_that_are_internal_to_the_client_are_errors() {
        for movement_type in (1..=5).chain(10..=255) {
            let mut bytes = hex("4cf70000 01000050 0900 0201 0300 00 00   00 00 3d00 00000000");
            bytes[16] = movement_type;
            let error = decode_s2c(&bytes, Era::default()).unwrap_err();
            assert_eq!((error.field, error.offset), ("movement.type", 16));
            assert_eq!(error.kind, DecodeErrorKind::NotAllowed { value: movement_type.into() });
        }
    }

    #[test]
    fn commands_follow_the_era() {
        let bytes = hex("4cf70000 01000050 0900 0201 0300 00 00   00 00 3d00  02000000 9b01 0000");
        assert!(decode_s2c(&bytes, Era::EndOfRetail).is_ok());
        let error = decode_s2c(&bytes, Era::September2013).unwrap_err();
        assert_eq!((error.field, error.offset), ("state.forward_command", 24));
        assert_eq!(error.kind, DecodeErrorKind::UnknownCommand { index: 0x19B });
    }
}
