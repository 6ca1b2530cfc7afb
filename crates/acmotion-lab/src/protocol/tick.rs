//! The binary frame of a tick: a [`TickHeader`] followed by one [`BodyRecord`] for each body. Of the records, only what has
//! changed is sent: see [`TickEncoder`](super::TickEncoder).
//!
//! All values are little-endian and lie at the offsets of the structs below, which have no padding. The page reads them
//! with the offsets in `page/src/protocol.ts`, which are generated from these structs.

bitflags::bitflags! {
    /// Flags of a tick frame.
    #[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
    pub(crate) struct TickFlags: u8 {
        /// It is the newest tick there is.
        const NEWEST = 1;
        /// The clock is paused.
        const PAUSED = 2;
        /// The page must not blend from the tick shown before (a seek, a reset, a step back).
        const DISCONTINUOUS = 4;
        /// Some bodies are left out because there are too many.
        const TRUNCATED = 8;
    }
}

bitflags::bitflags! {
    /// Flags of a body in a tick.
    #[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
    pub(crate) struct BodyFlags: u8 {
        /// The body touches something it could stand on.
        const CONTACT = 1;
        /// The body stands on walkable ground.
        const WALKABLE = 2;
        /// The body is drawn: it, or what holds it, is in a cell, and it is not hidden.
        const SHOWN = 4;
        /// The position before does not lead to this one (snap, teleport, created, attached, detached): the page must not blend.
        const DISCONTINUOUS = 8;
        /// The body is shown by a stand-in.
        const STAND_IN = 16;
        /// The body is the player.
        const PLAYER = 32;
        /// The body follows an order.
        const ORDERED = 64;
        /// The body is attached to another one.
        const ATTACHED = 128;
    }
}

/// The header of a tick frame.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct TickHeader {
    /// [`TickHeader::KIND`].
    pub(crate) kind: u8,
    /// [`TickFlags`].
    pub(crate) flags: u8,
    /// The number of bodies.
    pub(crate) bodies: u16,
    /// The number of the tick.
    pub(crate) tick: u32,
    /// Seconds.
    pub(crate) t: f64,
    /// Seconds until the next tick at the current speed; 0 if the clock is paused.
    pub(crate) next_in: f32,
    /// How far a jump is charged, 0–1; −1 if none is.
    pub(crate) charge: f32,
}

impl TickHeader {
    /// The first byte of a tick frame.
    pub(crate) const KIND: u8 = 1;
    pub(crate) const SIZE: usize = size_of::<Self>();

    pub(crate) fn write(&self, out: &mut Vec<u8>) {
        let Self { kind, flags, bodies, tick, t, next_in, charge } = *self;
        out.extend([kind, flags]);
        out.extend(bodies.to_le_bytes());
        out.extend(tick.to_le_bytes());
        out.extend(t.to_le_bytes());
        out.extend(next_in.to_le_bytes());
        out.extend(charge.to_le_bytes());
    }
}

/// A body of a tick frame.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct BodyRecord {
    pub(crate) guid: u32,
    pub(crate) setup: u32,
    pub(crate) view: u8,
    /// [`BodyFlags`].
    pub(crate) flags: u8,
    /// The low word of the substate.
    pub(crate) substate: u16,
    /// The position in the scene's coordinates.
    pub(crate) position: [f32; 3],
    /// w, x, y, z.
    pub(crate) rotation: [f32; 4],
    pub(crate) scale: f32,
    /// Metres a second, as moved in this tick.
    pub(crate) speed: f32,
    /// Metres from the truth (views other than 0) or from the last report when it arrived (Replay); NaN if unknown.
    pub(crate) error: f32,
    /// The frame number with its fraction.
    pub(crate) frame: f32,
    /// The animation or setup whose frames show the pose (`/api/frames`); 0 for placement 0 of the setup.
    pub(crate) pose: u32,
    /// The frame of `pose` that the original client shows.
    pub(crate) pose_frame: u16,
    /// The frame of `next_pose`.
    pub(crate) next_frame: u16,
    /// The animation or setup of the pose that follows.
    pub(crate) next_pose: u32,
    /// How far the body is between the two poses, 0–1 (smooth presentation only).
    pub(crate) blend: f32,
    /// The low word of the style.
    pub(crate) style: u16,
    /// The number of interpolation nodes that wait.
    pub(crate) nodes: u16,
    /// The guid of the entity that this one is attached to; 0 if none.
    pub(crate) parent: u32,
}

impl BodyRecord {
    pub(crate) const SIZE: usize = size_of::<Self>();

    pub(crate) fn write(&self, out: &mut Vec<u8>) {
        let Self { guid, setup, view, flags, substate, position, rotation, scale, speed, error, .. } = *self;
        let Self { frame, pose, pose_frame, next_frame, next_pose, blend, style, nodes, parent, .. } = *self;
        out.extend(guid.to_le_bytes());
        out.extend(setup.to_le_bytes());
        out.extend([view, flags]);
        out.extend(substate.to_le_bytes());
        for float in position.into_iter().chain(rotation).chain([scale, speed, error, frame]) {
            out.extend(float.to_le_bytes());
        }
        out.extend(pose.to_le_bytes());
        out.extend(pose_frame.to_le_bytes());
        out.extend(next_frame.to_le_bytes());
        out.extend(next_pose.to_le_bytes());
        out.extend(blend.to_le_bytes());
        out.extend(style.to_le_bytes());
        out.extend(nodes.to_le_bytes());
        out.extend(parent.to_le_bytes());
    }
}

/// The name and offset of every field of [`TickHeader`].
#[cfg(test)]
pub(super) fn header_fields() -> Vec<(&'static str, usize)> {
    macro_rules! offsets {
        ($($field:ident),*) => { vec![$((stringify!($field), std::mem::offset_of!(TickHeader, $field))),*] };
    }
    offsets!(kind, flags, bodies, tick, t, next_in, charge)
}

/// The name and offset of every field of [`BodyRecord`].
#[cfg(test)]
pub(super) fn body_fields() -> Vec<(&'static str, usize)> {
    macro_rules! offsets {
        ($($field:ident),*) => { vec![$((stringify!($field), std::mem::offset_of!(BodyRecord, $field))),*] };
    }
    offsets!(
        guid, setup, view, flags, substate, position, rotation, scale, speed, error, frame, pose, pose_frame,
        next_frame, next_pose, blend, style, nodes, parent
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_header_is_written_at_its_offsets() {
        let header = TickHeader {
            kind: TickHeader::KIND,
            flags: 6,
            bodies: 0x0203,
            tick: 0x0405_0607,
            t: 1.5,
            next_in: 0.25,
            charge: -1.0,
        };
        let mut bytes = Vec::new();
        header.write(&mut bytes);
        assert_eq!((bytes.len(), TickHeader::SIZE), (24, 24));
        let expected = [
            vec![TickHeader::KIND],
            vec![6],
            0x0203u16.to_le_bytes().to_vec(),
            0x0405_0607u32.to_le_bytes().to_vec(),
            1.5f64.to_le_bytes().to_vec(),
            0.25f32.to_le_bytes().to_vec(),
            (-1.0f32).to_le_bytes().to_vec(),
        ];
        check(&bytes, &header_fields(), &expected);
    }

    #[test]
    fn a_body_is_written_at_its_offsets() {
        let record = BodyRecord {
            guid: 1,
            setup: 2,
            view: 3,
            flags: 4,
            substate: 5,
            position: [6.0, 6.5, 6.75],
            rotation: [7.0, 7.25, 7.5, 7.75],
            scale: 8.0,
            speed: 9.0,
            error: 10.0,
            frame: 11.0,
            pose: 12,
            pose_frame: 13,
            next_frame: 14,
            next_pose: 15,
            blend: 16.0,
            style: 17,
            nodes: 18,
            parent: 19,
        };
        let mut bytes = Vec::new();
        record.write(&mut bytes);
        assert_eq!((bytes.len(), BodyRecord::SIZE), (80, 80));
        let floats =
            |values: &[f32]| values.iter().flat_map(|value| value.to_le_bytes()).collect::<Vec<u8>>();
        let short = |value: u16| value.to_le_bytes().to_vec();
        let long = |value: u32| value.to_le_bytes().to_vec();
        let expected = [
            long(1),
            long(2),
            vec![3],
            vec![4],
            short(5),
            floats(&record.position),
            floats(&record.rotation),
            floats(&[8.0]),
            floats(&[9.0]),
            floats(&[10.0]),
            floats(&[11.0]),
            long(12),
            short(13),
            short(14),
            long(15),
            floats(&[16.0]),
            short(17),
            short(18),
            long(19),
        ];
        check(&bytes, &body_fields(), &expected);
    }

    fn check(bytes: &[u8], fields: &[(&str, usize)], expected: &[Vec<u8>]) {
        assert_eq!(fields.len(), expected.len());
        for ((name, offset), value) in fields.iter().zip(expected) {
            assert_eq!(bytes[*offset..*offset + value.len()], value[..], "{name}");
        }
        let total: usize = expected.iter().map(Vec::len).sum();
        assert_eq!(total, bytes.len(), "every byte belongs to a field");
    }
}
