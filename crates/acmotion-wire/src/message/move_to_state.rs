//! 0xF61C: the player's raw motion state.

use acmotion_types::CellPosition;

use super::Message;
use crate::cursor::{Pad, ReadResult, Reader, Writer};
use crate::flags::ContactFlags;
use crate::parts::{EchoedStamps, RawMotionState};

/// The motion the player's keys request, and the player's position (rule K6, `docs/wire.md` §3).
#[derive(Clone, Copy, PartialEq, Debug, Default)]
#[doc(alias = "F61C")]
#[doc(alias = "SendMovementEvent")]
pub struct MoveToState<'a> {
    /// The motion the keys request.
    pub raw: RawMotionState<'a>,
    /// The player's position.
    pub position: CellPosition,
    /// The latest stamps the client has accepted.
    pub stamps: EchoedStamps,
    /// The contact state of the body.
    pub contact: ContactFlags,
    /// The three padding bytes at the end.
    pub pad: Pad,
}

impl<'a> Message<'a> for MoveToState<'a> {
    const OPCODE: u32 = 0xF61C;
    const NAME: &'static str = "MoveToState";

    #[inline]
    fn read(reader: &mut Reader<'a>) -> ReadResult<Self> {
        Ok(Self {
            raw: RawMotionState::read(reader)?,
            position: reader.position("position")?,
            stamps: EchoedStamps::read(reader)?,
            contact: ContactFlags::from_bits_retain(reader.u8("contact")?),
            pad: reader.align()?,
        })
    }

    #[inline]
    fn write(&self, writer: &mut Writer<'_>) {
        self.raw.write(writer);
        writer.position(self.position);
        self.stamps.write(writer);
        writer.u8(self.contact.bits());
        writer.align(self.pad);
    }
}

#[cfg(test)]
mod tests {
    use acmotion_types::{ActionStamp, CellId, CellPosition, Era, Frame, MotionCommand, Quat, Stamp, Vec3};

    use super::MoveToState;
    use crate::testing::{assert_c2s, hex};
    use crate::*;

    const POSITION_AND_STAMPS: &str =
        "1500b4a9 00002041 0000a041 0000bc42 0000003f 00000000 00000000 0000c0bf
        0900 0500 0300 0100";

    fn standing() -> MoveToState<'static> {
        MoveToState {
            position: CellPosition::new(
                CellId(0xA9B4_0015),
                Frame::new(Vec3::new(10.0, 20.0, 94.0), Quat::new(0.5, 0.0, 0.0, -1.5)),
            ),
            stamps: EchoedStamps {
                instance: Stamp(9),
                server_control: Stamp(5),
                teleport: Stamp(3),
                force_position: Stamp(1),
            },
            ..MoveToState::default()
        }
    }

    #[test]
    fn forward_with_the_run_key_held_round_trips() {
        let bytes = hex(&format!(
            "b1f70000 07000000 1cf60000  05000000 02000000 05000045 {POSITION_AND_STAMPS} 01 000000"
        ));
        let raw = RawMotionState {
            current_hold_key: Some(HoldKey::RUN),
            forward_command: Some(MotionCommand::WALK_FORWARD),
            ..RawMotionState::default()
        };
        assert_c2s(&bytes, MoveToState { raw, contact: ContactFlags::CONTACT, ..standing() });
    }

    #[test]
    fn a_state_with_every_field_round_trips() {
        let bytes = hex(&format!(
            "b1f70000 07000000 1cf60000  ff0f0000
             02000000 3d000080 05000045 01000000 0000803f 0f000065 02000000 0000003f 0d000065 00000000 0000c0bf
             8700 0180 0000803f  {POSITION_AND_STAMPS} 03 000000"
        ));
        let wave = ActionItem {
            command: MotionCommand::WAVE,
            stamp: ActionStamp::new(1),
            autonomous: true,
            speed: 1.0,
        };
        let raw = RawMotionState {
            current_hold_key: Some(HoldKey::RUN),
            current_style: Some(MotionCommand::NON_COMBAT),
            forward_command: Some(MotionCommand::WALK_FORWARD),
            forward_hold_key: Some(HoldKey::NONE),
            forward_speed: Some(1.0),
            sidestep_command: Some(MotionCommand::SIDE_STEP_RIGHT),
            sidestep_hold_key: Some(HoldKey::RUN),
            sidestep_speed: Some(0.5),
            turn_command: Some(MotionCommand::TURN_RIGHT),
            turn_hold_key: Some(HoldKey::INVALID),
            turn_speed: Some(-1.5),
            actions: Actions::new(std::slice::from_ref(&wave)),
            unknown_bits: 0,
        };
        let contact = ContactFlags::CONTACT | ContactFlags::STANDING_LONG_JUMP;
        assert_c2s(&bytes, MoveToState { raw, contact, ..standing() });
    }

    #[test]
    fn unknown_bits_and_padding_round_trip() {
        let bytes = hex(&format!("b1f70000 07000000 1cf60000  0000ffff {POSITION_AND_STAMPS} fc 010203"));
        let raw = RawMotionState { unknown_bits: 0xFFFF_0000, ..RawMotionState::default() };
        let contact = ContactFlags::from_bits_retain(0xFC);
        assert_c2s(&bytes, MoveToState { raw, contact, pad: Pad([1, 2, 3]), ..standing() });
    }

    #[test]
    fn actions_beyond_the_maximum_are_not_written() {
        let wave = ActionItem {
            command: MotionCommand::WAVE,
            stamp: ActionStamp::new(1),
            autonomous: true,
            speed: 1.0,
        };
        let many = [wave; 40];
        let raw = RawMotionState { actions: Actions::new(&many), ..RawMotionState::default() };
        let mut bytes = Vec::new();
        MoveToState { raw, ..standing() }.encode_body(&mut bytes);
        let again = MoveToState::decode_body(&bytes, Era::default()).unwrap();
        assert_eq!(again.raw.actions, Actions::new(&many[..31]));
    }
}
