//! 0xF61B: the player jumps.

use acmotion_types::{CellPosition, Vec3};

use super::Message;
use crate::cursor::{ReadResult, Reader, Writer};
use crate::parts::EchoedStamps;

/// The player jumps (rule K9).
///
/// The original client sends 56 bytes. Some servers expect a shorter form without the position, with or without two
/// numbers at the end, and some clients made for them send it. All forms are read and written; [`Jump::form`] returns
/// which one it is.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
#[doc(alias = "F61B")]
pub struct Jump {
    /// The charge of the jump, 0 to 1.
    pub extent: f32,
    /// The take-off velocity in metres a second, in the body's own axes.
    pub velocity: Vec3,
    /// The player's position. Absent in the short forms.
    pub position: Option<CellPosition>,
    /// The latest stamps the client has accepted.
    pub stamps: EchoedStamps,
    /// Two numbers at the end of a short form. The server that expects them reads them as an object and a spell.
    pub tail: Option<[u32; 2]>,
}

/// The encodings of a [`Jump`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum JumpForm {
    /// 56 bytes, with the position: the form of the original client.
    Full,
    /// 24 bytes, without the position.
    Short,
    /// 32 bytes, without the position and with two numbers at the end.
    ShortWithTail,
}

impl JumpForm {
    /// Returns the number of bytes after the opcode of the action.
    pub const fn size(self) -> usize {
        match self {
            Self::Full => 56,
            Self::Short => 24,
            Self::ShortWithTail => 32,
        }
    }

    /// Returns the name used in JSON.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Full => "full",
            Self::Short => "short",
            Self::ShortWithTail => "short_with_tail",
        }
    }

    /// Returns the form of that size. Any other size is treated as a full form, so that decoding reports what is
    /// missing or left over.
    fn from_size(size: usize) -> Self {
        let is_short = |form: &Self| form.size() == size;
        [Self::Short, Self::ShortWithTail].into_iter().find(is_short).unwrap_or(Self::Full)
    }
}

impl Jump {
    /// Returns the form in which the jump is encoded. A jump with a position is encoded in full, without its tail.
    pub const fn form(&self) -> JumpForm {
        match (&self.position, &self.tail) {
            (Some(_), _) => JumpForm::Full,
            (None, None) => JumpForm::Short,
            (None, Some(_)) => JumpForm::ShortWithTail,
        }
    }
}

impl<'a> Message<'a> for Jump {
    const OPCODE: u32 = 0xF61B;
    const NAME: &'static str = "Jump";

    #[inline]
    fn read(reader: &mut Reader<'a>) -> ReadResult<Self> {
        let form = JumpForm::from_size(reader.remaining().len());
        let extent = reader.f32("extent")?;
        let velocity = reader.vec3("velocity")?;
        let position = match form {
            JumpForm::Full => Some(reader.position("position")?),
            JumpForm::Short | JumpForm::ShortWithTail => None,
        };
        let stamps = EchoedStamps::read(reader)?;
        let tail = match form {
            JumpForm::ShortWithTail => Some([reader.u32("tail")?, reader.u32("tail")?]),
            JumpForm::Full | JumpForm::Short => None,
        };
        Ok(Self { extent, velocity, position, stamps, tail })
    }

    #[inline]
    fn write(&self, writer: &mut Writer<'_>) {
        writer.f32(self.extent);
        writer.vec3(self.velocity);
        match (&self.position, self.tail) {
            (Some(position), _) => {
                writer.position(*position);
                self.stamps.write(writer);
            }
            (None, tail) => {
                self.stamps.write(writer);
                tail.into_iter().flatten().for_each(|number| writer.u32(number));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use acmotion_types::{CellId, CellPosition, Era, Frame, Quat, Stamp, Vec3};

    use super::{Jump, JumpForm};
    use crate::testing::hex;
    use crate::{C2S, DecodeError, DecodeErrorKind, EchoedStamps, GameAction, GameActionBody, decode_c2s};

    const HEAD: &str = "b1f70000 07000000 1bf60000  0000003f  00000000 0000803f 00002041";
    const POSITION: &str = "1500b4a9 00002041 0000a041 0000bc42 0000003f 00000000 00000000 0000c0bf";
    const STAMPS: &str = "0900 0500 0300 0100";

    fn short() -> Jump {
        Jump {
            extent: 0.5,
            velocity: Vec3::new(0.0, 1.0, 10.0),
            position: None,
            stamps: EchoedStamps {
                instance: Stamp(9),
                server_control: Stamp(5),
                teleport: Stamp(3),
                force_position: Stamp(1),
            },
            tail: None,
        }
    }

    fn decode(bytes: &[u8]) -> Result<C2S<'_>, DecodeError> {
        decode_c2s(bytes, Era::default())
    }

    #[track_caller]
    fn assert_form(hex_digits: &str, jump: Jump, form: JumpForm) {
        let bytes = hex(hex_digits);
        assert_eq!(bytes.len(), 12 + form.size());
        let message = C2S::GameAction(GameAction { sequence: 7, action: GameActionBody::Jump(jump) });
        assert_eq!(decode(&bytes), Ok(message));
        assert_eq!(jump.form(), form);
        let mut again = Vec::new();
        message.encode(&mut again);
        assert_eq!(again, bytes);
    }

    #[test]
    fn all_three_forms_round_trip() {
        let frame = Frame::new(Vec3::new(10.0, 20.0, 94.0), Quat::new(0.5, 0.0, 0.0, -1.5));
        let full = Jump { position: Some(CellPosition::new(CellId(0xA9B4_0015), frame)), ..short() };
        assert_form(&format!("{HEAD} {POSITION} {STAMPS}"), full, JumpForm::Full);
        assert_form(&format!("{HEAD} {STAMPS}"), short(), JumpForm::Short);
        let tailed = Jump { tail: Some([0x8000_1234, 7]), ..short() };
        assert_form(&format!("{HEAD} {STAMPS} 34120080 07000000"), tailed, JumpForm::ShortWithTail);
    }

    #[test]
    fn other_lengths_are_errors() {
        let bytes = hex(&format!("{HEAD} {POSITION} {STAMPS} 00"));
        for length in 0..bytes.len() {
            let result = decode(&bytes[..length]);
            let is_whole = [12 + 24, 12 + 32, 12 + 56].contains(&length);
            assert_eq!(result.is_ok(), is_whole, "{length}");
        }
        assert_eq!(decode(&bytes).unwrap_err().kind, DecodeErrorKind::TrailingBytes);
    }
}
