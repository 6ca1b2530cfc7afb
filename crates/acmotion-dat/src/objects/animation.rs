//! Animations, 0x03 (`docs/dat.md` §3).

use acmotion_types::Frame;

use crate::cursor::{FRAME_SIZE, Put, Reader};
use crate::error::ParseError;
use crate::id::{DataId, ObjectKind};
use crate::objects::hook::{self, Hook};
use crate::objects::{DatObject, decode_whole};

/// Frames of all parts, one after the other, with what happens in between.
///
/// Part frames lie in one piece, frame after frame, so that a pose is one slice.
#[derive(Clone, PartialEq, Debug, Default)]
#[doc(alias = "CAnimation")]
pub struct Animation {
    id: DataId,
    flags: u32,
    part_count: u32,
    position_frames: Vec<Frame>,
    part_frames: Vec<Frame>,
    hooks: Vec<Hook>,
    /// Where in `hooks` each frame's end.
    hook_ends: Vec<u32>,
}

/// One frame of all parts, as a setup's placement has it or as an animation is built from.
#[derive(Clone, PartialEq, Debug, Default)]
#[doc(alias = "AnimFrame")]
pub struct AnimationFrame {
    /// Where each part is.
    pub parts: Vec<Frame>,
    /// What happens when it is left.
    pub hooks: Vec<Hook>,
}

const HAS_POSITION_FRAMES: u32 = 1;

impl Animation {
    /// An animation made of frames, which must all have the same number of parts; with root motion if there is one
    /// position frame for each.
    ///
    /// Parts beyond the first frame's count are left out, missing ones are put at the origin.
    pub fn new(id: DataId, position_frames: Option<Vec<Frame>>, frames: Vec<AnimationFrame>) -> Self {
        let part_count = frames.first().map_or(0, |frame| frame.parts.len());
        let mut animation = Self { id, part_count: part_count as u32, ..Self::default() };
        if let Some(mut positions) = position_frames {
            positions.resize(frames.len(), Frame::IDENTITY);
            animation.flags = HAS_POSITION_FRAMES;
            animation.position_frames = positions;
        }
        for mut frame in frames {
            frame.parts.resize(part_count, Frame::IDENTITY);
            animation.part_frames.append(&mut frame.parts);
            animation.hooks.append(&mut frame.hooks);
            animation.hook_ends.push(animation.hooks.len() as u32);
        }
        animation
    }

    /// Its id.
    pub fn id(&self) -> DataId {
        self.id
    }

    /// Its flags as they are on disk; bit 0 says that there are position frames.
    pub fn flags(&self) -> u32 {
        self.flags
    }

    /// How many parts each frame poses.
    pub fn part_count(&self) -> usize {
        self.part_count as usize
    }

    /// How many frames it has.
    pub fn frame_count(&self) -> usize {
        self.hook_ends.len()
    }

    /// Root motion: how far each frame carries the body; empty if it does not.
    #[doc(alias = "pos_frames")]
    pub fn position_frames(&self) -> &[Frame] {
        &self.position_frames
    }

    /// Where every part is in a frame; empty if there is no such frame.
    #[doc(alias = "part_frames")]
    pub fn pose(&self, frame: usize) -> &[Frame] {
        if frame >= self.frame_count() {
            return &[];
        }
        let parts = self.part_count();
        &self.part_frames[frame * parts..][..parts]
    }

    /// What happens when a frame is left, in order; empty if there is no such frame.
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
    let count = reader.count("hook count", hook::SMALLEST)?;
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
