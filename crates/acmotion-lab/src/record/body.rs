//! One body in one tick.

use acmotion::dat::DataId;
use acmotion::types::{Guid, Quat, Vec3};

use super::{BodyFlags, BodyKey, BodyRecord};

/// Where a body is and what it shows. Each field is described at [`BodyRecord`].
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Body {
    pub(crate) key: BodyKey,
    pub(crate) setup: DataId,
    pub(crate) flags: BodyFlags,
    pub(crate) substate: u16,
    pub(crate) style: u16,
    /// The first modifier, 0 if there is none. Only series tell it.
    pub(crate) modifier: u16,
    /// The oldest action that has not ended, 0 if there is none. Only series tell it.
    pub(crate) action: u16,
    pub(crate) position: Vec3,
    pub(crate) rotation: Quat,
    pub(crate) scale: f32,
    pub(crate) speed: f32,
    pub(crate) error: f32,
    pub(crate) frame: f32,
    pub(crate) pose: Pose,
    pub(crate) next: Pose,
    pub(crate) blend: f32,
    pub(crate) nodes: u16,
    pub(crate) parent: Guid,
}

/// A frame of an animation, or a placement of a setup.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Pose {
    pub(crate) source: DataId,
    pub(crate) frame: u16,
}

impl Default for Body {
    fn default() -> Self {
        Self {
            key: BodyKey { guid: Guid(0), view: 0 },
            setup: DataId(0),
            flags: BodyFlags::empty(),
            substate: 0,
            style: 0,
            modifier: 0,
            action: 0,
            position: Vec3::ZERO,
            rotation: Quat::IDENTITY,
            scale: 1.0,
            speed: 0.0,
            error: f32::NAN,
            frame: 0.0,
            pose: Pose::default(),
            next: Pose::default(),
            blend: 0.0,
            nodes: 0,
            parent: Guid(0),
        }
    }
}

impl From<&Body> for BodyRecord {
    fn from(body: &Body) -> Self {
        Self {
            guid: body.key.guid.0,
            setup: body.setup.0,
            view: body.key.view,
            flags: body.flags.bits(),
            substate: body.substate,
            position: body.position.into(),
            rotation: body.rotation.into(),
            scale: body.scale,
            speed: body.speed,
            error: body.error,
            frame: body.frame,
            pose: body.pose.source.0,
            pose_frame: body.pose.frame,
            next_frame: body.next.frame,
            next_pose: body.next.source.0,
            blend: body.blend,
            style: body.style,
            nodes: body.nodes,
            parent: body.parent.0,
        }
    }
}
