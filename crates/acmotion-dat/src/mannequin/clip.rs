//! Animations under construction, and the builder that collects the finished objects.

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
    /// Creates a clip from its poses: for each animation frame, the frames of all parts.
    pub(super) fn new(poses: impl IntoIterator<Item = Vec<Frame>>) -> Self {
        let frames = poses.into_iter().map(|parts| AnimationFrame { parts, hooks: Vec::new() }).collect();
        Self { frames, root: None }
    }

    /// Sets the root motion: the displacement of the body when playback leaves each frame (rule H9).
    pub(super) fn with_root_motion(mut self, displacements: impl IntoIterator<Item = Vec3>) -> Self {
        self.root = Some(displacements.into_iter().map(Frame::from_origin).collect());
        self
    }

    /// Adds a hook, which fires when playback leaves its frame in its direction (rule H12).
    pub(super) fn with_hook(mut self, frame: usize, direction: HookDirection, effect: HookEffect) -> Self {
        if let Some(frame) = self.frames.get_mut(frame) {
            frame.hooks.push(Hook { direction, effect });
        }
        self
    }

    /// Adds a sound that plays when a frame is left in forward playback.
    pub(super) fn with_sound(self, frame: usize, number: u32) -> Self {
        self.with_hook(frame, HookDirection::FORWARD, HookEffect::SoundTable(number))
    }

    /// Adds a footstep. It sounds on the frame on which the foot comes down: `lands` in forward playback, and the
    /// last frame on the ground, `leaves`, in backward playback.
    pub(super) fn with_footstep(self, lands: usize, leaves: usize, number: u32) -> Self {
        let effect = HookEffect::SoundTable(number);
        self.with_hook(lands, HookDirection::FORWARD, effect).with_hook(
            leaves,
            HookDirection::BACKWARD,
            effect,
        )
    }
}

/// Collects the objects of the dataset and assigns ids to animations.
pub(super) struct DatasetBuilder {
    writer: DatWriter,
    next: u32,
}

impl DatasetBuilder {
    pub(super) fn new(writer: DatWriter) -> Self {
        Self { writer, next: 0 }
    }

    /// Sets the id of the next animation. Later ones follow consecutively.
    pub(super) fn start_animation_ids(&mut self, first: DataId) {
        self.next = first.0;
    }

    /// Adds an object under its own id.
    pub(super) fn add<T: DatObject>(&mut self, object: &T) {
        self.writer.add_object(object);
    }

    /// Adds the bytes of an object.
    pub(super) fn add_bytes(&mut self, id: DataId, bytes: Vec<u8>) {
        self.writer.add(id, bytes);
    }

    /// Adds an animation and returns a motion that plays all of it at `framerate` frames a second.
    pub(super) fn add_motion(&mut self, clip: Clip, framerate: f32) -> MotionData {
        let id = DataId(self.next);
        self.next += 1;
        self.add(&Animation::new(id, clip.root, clip.frames));
        let anim = AnimData { animation: id, low: 0, high: -1, framerate };
        MotionData { anims: vec![anim], ..MotionData::default() }
    }

    pub(super) fn into_writer(self) -> DatWriter {
        self.writer
    }
}

/// Returns the motion with other flags.
pub(super) fn with_flags(motion: MotionData, flags: MotionFlags) -> MotionData {
    MotionData { flags, ..motion }
}
