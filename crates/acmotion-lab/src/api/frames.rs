//! Every frame of an animation, or every placement of a setup, to be posed by the page.

use acmotion::dat::{Assets, DataId};

use super::{Answer, ApiError, Packed};
use crate::values::frame;

/// More numbers than this are not sent at once.
const MOST_PARTS: usize = 1 << 20;

pub(super) fn frames(assets: &Assets, id: DataId) -> Answer<Vec<u8>> {
    let mut out = Packed::default();
    if id.0 >> 24 == 0x02 {
        let setup = assets.setup(id)?;
        let parts = setup.parts.len();
        let placements = setup.placements.iter().map(|(_, placement)| &placement.parts);
        check(placements.len(), parts)?;
        out.words([placements.len() as u32, parts as u32, 0, 0]);
        for placement in placements {
            let rest =
                std::iter::repeat_n(&acmotion::types::Frame::IDENTITY, parts.saturating_sub(placement.len()));
            out.floats(placement.iter().take(parts).chain(rest).flat_map(frame));
        }
        return Ok(out.0);
    }
    let animation = assets.animation(id)?;
    let (count, parts, roots) =
        (animation.frame_count(), animation.part_count(), animation.position_frames());
    check(count, parts)?;
    out.words([count as u32, parts as u32, roots.len() as u32, 0]);
    (0..count).for_each(|at| out.floats(animation.pose(at).iter().flat_map(frame)));
    out.floats(roots.iter().flat_map(frame));
    Ok(out.0)
}

fn check(frames: usize, parts: usize) -> Answer<()> {
    if frames.saturating_mul(parts) <= MOST_PARTS {
        return Ok(());
    }
    Err(ApiError::bad(format!("{frames} frames of {parts} parts are too many to be shown")))
}
