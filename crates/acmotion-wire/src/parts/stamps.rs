//! Groups of stamps.

use acmotion_types::Stamp;

use crate::cursor::{ReadResult, Reader, Writer};

/// The nine stamps of an object, in wire order (rule D1).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[doc(alias = "update_times")]
pub struct ObjectStamps {
    /// 0: counts position updates.
    pub position: Stamp,
    /// 1: counts movements.
    pub movement: Stamp,
    /// 2: counts changes of the physics state.
    pub state: Stamp,
    /// 3: counts velocity updates.
    pub vector: Stamp,
    /// 4: counts teleports.
    pub teleport: Stamp,
    /// 5: counts movements imposed by the server.
    #[doc(alias = "SERVER_CONTROLLED_MOVE_TS")]
    pub server_control: Stamp,
    /// 6: counts positions the server forced on the player.
    pub force_position: Stamp,
    /// 7: counts changes of the appearance.
    #[doc(alias = "OBJDESC_TS")]
    pub visual_desc: Stamp,
    /// 8: counts the instances of the object, that is, how often it was created under its id.
    pub instance: Stamp,
}

impl ObjectStamps {
    pub(crate) fn read(reader: &mut Reader<'_>) -> ReadResult<Self> {
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

/// The stamps the client sends back with its own moves: the latest it has accepted for its player (rules K6, K7, K9).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct EchoedStamps {
    /// The instance stamp.
    pub instance: Stamp,
    /// The stamp of the last movement imposed by the server.
    pub server_control: Stamp,
    /// The stamp of the last teleport.
    pub teleport: Stamp,
    /// The stamp of the last forced position.
    pub force_position: Stamp,
}

impl EchoedStamps {
    #[inline(always)]
    pub(crate) fn read(reader: &mut Reader<'_>) -> ReadResult<Self> {
        let (instance, server_control, teleport, force_position) =
            reader.group(&["instance_seq", "server_control_seq", "teleport_seq", "force_position_seq"])?;
        Ok(Self { instance, server_control, teleport, force_position })
    }

    #[inline]
    pub(crate) fn write(&self, writer: &mut Writer<'_>) {
        writer.fixed((self.instance, self.server_control, self.teleport, self.force_position));
    }
}
