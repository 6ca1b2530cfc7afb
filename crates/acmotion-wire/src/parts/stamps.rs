//! Groups of stamps.

use acmotion_types::Stamp;

use crate::cursor::{Read, Reader, Writer};

/// The nine stamps of an object, in the order in which they are sent (rule D1).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[doc(alias = "update_times")]
pub struct ObjectStamps {
    /// 0: positions.
    pub position: Stamp,
    /// 1: movements.
    pub movement: Stamp,
    /// 2: physics states.
    pub state: Stamp,
    /// 3: velocities.
    pub vector: Stamp,
    /// 4: teleports.
    pub teleport: Stamp,
    /// 5: movements that the server imposed.
    #[doc(alias = "SERVER_CONTROLLED_MOVE_TS")]
    pub server_control: Stamp,
    /// 6: positions that the server forced on the player.
    pub force_position: Stamp,
    /// 7: looks.
    #[doc(alias = "OBJDESC_TS")]
    pub visual_desc: Stamp,
    /// 8: lives of the object under its id.
    pub instance: Stamp,
}

impl ObjectStamps {
    pub(crate) fn read(reader: &mut Reader<'_>) -> Read<Self> {
        let (
            position,
            movement,
            state,
            vector,
            teleport,
            server_control,
            force_position,
            visual_desc,
            instance,
        ) = reader.group(&[
            "timestamps.position",
            "timestamps.movement",
            "timestamps.state",
            "timestamps.vector",
            "timestamps.teleport",
            "timestamps.server_control",
            "timestamps.force_position",
            "timestamps.visual_desc",
            "timestamps.instance",
        ])?;
        Ok(Self {
            position,
            movement,
            state,
            vector,
            teleport,
            server_control,
            force_position,
            visual_desc,
            instance,
        })
    }

    pub(crate) fn write(&self, writer: &mut Writer<'_>) {
        writer.stamp(self.position);
        writer.stamp(self.movement);
        writer.stamp(self.state);
        writer.stamp(self.vector);
        writer.stamp(self.teleport);
        writer.stamp(self.server_control);
        writer.stamp(self.force_position);
        writer.stamp(self.visual_desc);
        writer.stamp(self.instance);
    }
}

/// The stamps that the client sends back with its own moves: the last it accepted for its player (rules K6, K7, K9).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct EchoedStamps {
    /// Of the player's life.
    pub instance: Stamp,
    /// Of the last movement that the server imposed.
    pub server_control: Stamp,
    /// Of the last teleport.
    pub teleport: Stamp,
    /// Of the last forced position.
    pub force_position: Stamp,
}

impl EchoedStamps {
    #[inline(always)]
    pub(crate) fn read(reader: &mut Reader<'_>) -> Read<Self> {
        let (instance, server_control, teleport, force_position) =
            reader.group(&["instance_seq", "server_control_seq", "teleport_seq", "force_position_seq"])?;
        Ok(Self { instance, server_control, teleport, force_position })
    }

    #[inline]
    pub(crate) fn write(&self, writer: &mut Writer<'_>) {
        writer.fixed((self.instance, self.server_control, self.teleport, self.force_position));
    }
}
