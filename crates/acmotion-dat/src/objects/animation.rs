//! Animations, 0x03 (`docs/dat.md` §3).

use acmotion_types::Frame;

use crate::cursor::{ByteWriter, FRAME_SIZE, Reader};
use crate::error::ParseError;
use crate::id::{DataId, ObjectKind};
use crate::objects::hook::{self, Hook};
use crate::objects::{DatObject, decode_whole};

/// An animation: for each frame the position of every part and the hooks that fire, optionally with root motion.
///
/// The part frames of all animation frames are stored contiguously, so a pose is one slice.
#[derive(Clone, PartialEq, Debug, Default)]
#[doc(alias = "CAnimation")]
pub struct Animation {
    id: DataId,
    flags: u32,
    part_count: u32,
    position_frames: Vec<Frame>,
    part_frames: Vec<Frame>,
    hooks: Vec<Hook>,
    /// For each animation frame, the index in `hooks` after its last hook.
    hook_ends: Vec<u32>,
}

/// One animation frame, also used for the placements of a setup.
#[derive(Clone, PartialEq, Debug, Default)]
#[doc(alias = "AnimFrame")]
pub struct AnimationFrame {
    /// The frame of each part, relative to the body.
    pub parts: Vec<Frame>,
    /// The hooks that fire when playback leaves the frame.
    pub hooks: Vec<Hook>,
}

const HAS_POSITION_FRAMES: u32 = 1;

impl Animation {
    /// Creates an animation from its frames. `position_frames` is the root motion: how far each frame moves the body.
    ///
    /// Every frame gets as many parts as the first one, and the root motion as many entries as there are frames:
    /// extra entries are dropped, missing ones are identity frames.
    pub fn new(id: DataId, position_frames: Option<Vec<Frame>>, frames: Vec<AnimationFrame>) -> Self {
        let part_count = frames.first().map_or(0, |frame| frame.parts.len());
        let mut animation = Self { id, part_count: part_count as u32, ..Self::default() };
        if let Some(mut positions) = position_frames {
            positions.resize(frames.len(), Frame::IDENTITY);
            animation.flags = HAS_POSITION_FRAMES;
            animation.position_frames = positions;
        }
        animation.part_frames.reserve_exact(frames.len() * part_count);
        animation.hook_ends.reserve_exact(frames.len());
        for mut frame in frames {
            frame.parts.resize(part_count, Frame::IDENTITY);
            animation.part_frames.append(&mut frame.parts);
            animation.hooks.append(&mut frame.hooks);
            animation.hook_ends.push(animation.hooks.len() as u32);
        }
        animation
    }

    /// Returns the id.
    pub fn id(&self) -> DataId {
        self.id
    }

    /// Returns the flags as stored on disk; bit 0 is set if there are position frames.
    pub fn flags(&self) -> u32 {
        self.flags
    }

    /// Returns the number of parts in each frame.
    pub fn part_count(&self) -> usize {
        self.part_count as usize
    }

    /// Returns the number of animation frames.
    pub fn frame_count(&self) -> usize {
        self.hook_ends.len()
    }

    /// Returns the root motion: how far each frame moves the body. Empty if the animation has none.
    #[doc(alias = "pos_frames")]
    pub fn position_frames(&self) -> &[Frame] {
        &self.position_frames
    }

    /// Returns the frame of every part, relative to the body. Empty if there is no such animation frame.
    #[doc(alias = "part_frames")]
    pub fn pose(&self, frame: usize) -> &[Frame] {
        if frame >= self.frame_count() {
            return &[];
        }
        let parts = self.part_count();
        &self.part_frames[frame * parts..][..parts]
    }

    /// Returns the hooks that fire when playback leaves a frame, in order. Empty if there is no such frame.
    pub fn hooks(&self, frame: usize) -> &[Hook] {
        let Some(&end) = self.hook_ends.get(frame) else { return &[] };
        let start = frame.checked_sub(1).map_or(0, |before| self.hook_ends[before]);
        &self.hooks[start as usize..end as usize]
    }
}

impl Animation {
    fn read(reader: &mut Reader<'_>) -> Result<Self, ParseError> {
        let id = reader.id("id")?;
        let flags = reader.u32("flags")?;
        let part_count = reader.u32("part count")?;
        let has_positions = flags & HAS_POSITION_FRAMES != 0;
        let frame_size = (part_count as usize)
            .saturating_add(usize::from(has_positions))
            .saturating_mul(FRAME_SIZE)
            .saturating_add(4);
        let frame_count = reader.count("frame count", frame_size)?;
        let mut animation = Self { id, flags, part_count, ..Self::default() };
        if has_positions {
            reader.frames_into(&mut animation.position_frames, frame_count, "position frames")?;
        }
        let parts = part_count as usize;
        animation.part_frames.reserve_exact(frame_count * parts);
        animation.hook_ends.reserve_exact(frame_count);
        for _ in 0..frame_count {
            reader.frames_into(&mut animation.part_frames, parts, "part frames")?;
            read_hooks(reader, &mut animation.hooks)?;
            animation.hook_ends.push(animation.hooks.len() as u32);
        }
        Ok(animation)
    }
}

impl DatObject for Animation {
    const KIND: ObjectKind = ObjectKind::Animation;

    fn decode(bytes: &[u8]) -> Result<Self, ParseError> {
        decode_whole(bytes, Self::read)
    }

    fn encode_into(&self, out: &mut Vec<u8>) {
        // All but the payload of hooks, which are few.
        out.reserve(
            16 + (self.position_frames.len() + self.part_frames.len()) * FRAME_SIZE + 4 * self.frame_count(),
        );
        out.id(self.id);
        out.u32(self.flags);
        out.u32(self.part_count);
        out.count(self.frame_count());
        for frame in &self.position_frames {
            out.frame(frame);
        }
        for frame in 0..self.frame_count() {
            write_frame(out, self.pose(frame), self.hooks(frame));
        }
    }

    fn own_id(&self) -> Option<DataId> {
        Some(self.id)
    }
}

fn read_hooks(reader: &mut Reader<'_>, hooks: &mut Vec<Hook>) -> Result<(), ParseError> {
    let count = reader.count("hook count", hook::MIN_HOOK_SIZE)?;
    hooks.reserve(count);
    for _ in 0..count {
        hooks.push(hook::read(reader)?);
    }
    Ok(())
}

impl AnimationFrame {
    pub(crate) fn read(reader: &mut Reader<'_>, parts: usize) -> Result<Self, ParseError> {
        let mut frame = Self::default();
        reader.frames_into(&mut frame.parts, parts, "placement part frames")?;
        read_hooks(reader, &mut frame.hooks)?;
        Ok(frame)
    }

    pub(crate) fn write(&self, out: &mut Vec<u8>) {
        write_frame(out, &self.parts, &self.hooks);
    }
}

fn write_frame(out: &mut Vec<u8>, parts: &[Frame], hooks: &[Hook]) {
    for part in parts {
        out.frame(part);
    }
    out.count(hooks.len());
    for hook in hooks {
        hook::write(out, hook);
    }
}
