//! 0xF74E: the velocity of a body.

use acmotion_types::{Guid, Stamp, Vec3};

use super::Message;
use crate::cursor::{ReadResult, Reader, Writer};

/// The new velocity of a body. Sent for jumps and missiles (rule D10).
#[derive(Clone, Copy, PartialEq, Debug, Default)]
#[doc(alias = "F74E")]
pub struct VectorUpdate {
    /// The object.
    pub guid: Guid,
    /// The velocity in metres a second, in world axes.
    pub velocity: Vec3,
    /// The angular velocity, in radians a second.
    pub omega: Vec3,
    /// The instance stamp of the object.
    pub instance: Stamp,
    /// The vector stamp of the object.
    pub vector: Stamp,
}

impl<'a> Message<'a> for VectorUpdate {
    const OPCODE: u32 = 0xF74E;
    const NAME: &'static str = "VectorUpdate";

    #[inline(always)]
    fn read(reader: &mut Reader<'a>) -> ReadResult<Self> {
        let (guid, velocity, omega, instance, vector) =
            reader.group(&["guid", "velocity", "omega", "instance_seq", "vector_seq"])?;
        Ok(Self { guid, velocity, omega, instance, vector })
    }

    #[inline]
    fn write(&self, writer: &mut Writer<'_>) {
        writer.fixed((self.guid, self.velocity, self.omega, self.instance, self.vector));
    }

    fn guid(&self) -> Option<Guid> {
        Some(self.guid)
    }
}

#[cfg(test)]
mod tests {
    use acmotion_types::{Guid, Stamp, Vec3};

    use super::VectorUpdate;
    use crate::testing::{assert_s2c, hex};

    #[test]
    fn a_velocity_round_trips() {
        let bytes = hex("4ef70000 01000050 0000003f 0000c0bf 00002041 00000000 00000000 0000803f 0900 0100");
        let message = VectorUpdate {
            guid: Guid(0x5000_0001),
            velocity: Vec3::new(0.5, -1.5, 10.0),
            omega: Vec3::new(0.0, 0.0, 1.0),
            instance: Stamp(9),
            vector: Stamp(1),
        };
        assert_s2c(&bytes, message);
    }
}
