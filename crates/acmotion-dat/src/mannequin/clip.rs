//! Animations in the making, and the shelf on which finished objects stand.

use acmotion_types::{Frame, Vec3};

use crate::id::DataId;
use crate::objects::{AnimData, MotionFlags};
use crate::objects::{Animation, AnimationFrame, DatObject, Hook, HookDirection, HookEffect, MotionData};
use crate::writer::DatWriter;

/// An animation before it has an id.
#[derive(Clone)]
pub(super) struct Clip {
    frames: Vec<AnimationFrame>,
    root: Option<Vec<Frame>>,
}

impl Clip {
    /// An animation of these poses: all parts' frames, for every frame.
    pub(super) fn new(poses: impl IntoIterator<Item = Vec<Frame>>) -> Self {
        let frames = poses.into_iter().map(|parts| AnimationFrame { parts, hooks: Vec::new() }).collect();
        Self { frames, root: None }
    }

    /// With root motion: the share that each frame carries the body when it is left (rule H9).
    pub(super) fn carried(mut self, shares: impl IntoIterator<Item = Vec3>) -> Self {
        self.root = Some(shares.into_iter().map(Frame::from_origin).collect());
        self
    }

    /// With a hook, which fires when its frame is left in its direction (rule H12).
    pub(super) fn hook(mut self, frame: usize, direction: HookDirection, effect: HookEffect) -> Self {
        if let Some(frame) = self.frames.get_mut(frame) {
            frame.hooks.push(Hook { direction, effect });
        }
        self
    }

    /// With a sound of the body's sound table on a frame, when played forward.
    pub(super) fn sound(self, frame: usize, number: u32) -> Self {
        self.hook(frame, HookDirection::FORWARD, HookEffect::SoundTable(number))
    }

    /// With a footstep: heard on the frame where the foot comes down, which is `lands` in forward play and the last
    /// one on the ground, `leaves`, in backward play.
    pub(super) fn footstep(self, lands: usize, leaves: usize, number: u32) -> Self {
        let effect = HookEffect::SoundTable(number);
        self.hook(lands, HookDirection::FORWARD, effect).hook(leaves, HookDirection::BACKWARD, effect)
    }
}

/// Collects the dataset's objects and gives animations their ids.
pub(super) struct Shelf {
    writer: DatWriter,
    next: u32,
}

impl Shelf {
    pub(super) fn new(writer: DatWriter) -> Self {
        Self { writer, next: 0 }
    }

    /// The animations that follow get ids from here on.
    pub(super) fn open(&mut self, first: DataId) {
        self.next = first.0;
    }

    /// Stores an object under its own id.
    pub(super) fn put<T: DatObject>(&mut self, object: &T) {
        self.writer.add_object(object);
    }

    /// Stores bytes.
    pub(super) fn put_bytes(&mut self, id: DataId, bytes: Vec<u8>) {
        self.writer.add(id, bytes);
    }

    /// Stores an animation, as a motion that plays all of it at so many frames a second.
    pub(super) fn motion(&mut self, clip: Clip, framerate: f32) -> MotionData {
        let id = DataId(self.next);
        self.next += 1;
        self.put(&Animation::new(id, clip.root, clip.frames));
        let anim = AnimData { animation: id, low: 0, high: -1, framerate };
        MotionData { anims: vec![anim], ..MotionData::default() }
    }

    pub(super) fn into_writer(self) -> DatWriter {
        self.writer
    }
}

/// The same motion with other flags.
pub(super) fn flagged(motion: MotionData, flags: MotionFlags) -> MotionData {
    MotionData { flags, ..motion }
}
