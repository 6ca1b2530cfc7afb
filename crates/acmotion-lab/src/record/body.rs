//! One body in one tick.

use acmotion::dat::DataId;
use acmotion::types::{Guid, Quat, Vec3};

use super::Key;

bitflags::bitflags! {
    /// Yes or no about a body in a tick.
    #[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
    pub(crate) struct BodyFlags: u8 {
        const CONTACT = 1;
        const WALKABLE = 2;
        /// It is to be drawn: in a cell, not hidden.
        const SHOWN = 4;
        /// It was put there: no way leads from the tick before.
        const PUT = 8;
        const STAND_IN = 16;
        const PLAYER = 32;
        const ORDERED = 64;
        const HANGS = 128;
    }
}

/// Where a body is and what it shows.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Body {
    pub(crate) key: Key,
    pub(crate) setup: DataId,
    pub(crate) flags: BodyFlags,
    pub(crate) substate: u16,
    pub(crate) style: u16,
    pub(crate) place: Vec3,
    pub(crate) rotation: Quat,
    pub(crate) scale: f32,
    pub(crate) speed: f32,
    /// How far it is from where it should be, in metres; not a number if that is not known.
    pub(crate) error: f32,
    pub(crate) frame: f32,
    /// What the original shows: an animation or a setup's placements, and the frame.
    pub(crate) pose: (DataId, u16),
    /// What comes next, and how far it is on the way there.
    pub(crate) next: (DataId, u16),
    pub(crate) between: f32,
    pub(crate) nodes: u16,
    pub(crate) parent: Guid,
}

impl Default for Body {
    fn default() -> Self {
        Self {
            key: Key { guid: Guid(0), view: 0 },
            setup: DataId(0),
            flags: BodyFlags::empty(),
            substate: 0,
            style: 0,
            place: Vec3::ZERO,
            rotation: Quat::IDENTITY,
            scale: 1.0,
            speed: 0.0,
            error: f32::NAN,
            frame: 0.0,
            pose: (DataId(0), 0),
            next: (DataId(0), 0),
            between: 0.0,
            nodes: 0,
            parent: Guid(0),
        }
    }
}

impl Body {
    /// How many bytes its record has.
    pub(super) const BYTES: usize = 80;

    /// The record of `docs/lab.md`.
    pub(super) fn write(&self, out: &mut Vec<u8>) {
        let (o, q) = (self.place, self.rotation);
        out.extend(self.key.guid.0.to_le_bytes());
        out.extend(self.setup.0.to_le_bytes());
        out.extend([self.key.view, self.flags.bits()]);
        out.extend(self.substate.to_le_bytes());
        for float in [o.x, o.y, o.z, q.w, q.x, q.y, q.z, self.scale, self.speed, self.error, self.frame] {
            out.extend(float.to_le_bytes());
        }
        out.extend(self.pose.0.0.to_le_bytes());
        out.extend(self.pose.1.to_le_bytes());
        out.extend(self.next.1.to_le_bytes());
        out.extend(self.next.0.0.to_le_bytes());
        out.extend(self.between.to_le_bytes());
        out.extend(self.style.to_le_bytes());
        out.extend(self.nodes.to_le_bytes());
        out.extend(self.parent.0.to_le_bytes());
    }
}
