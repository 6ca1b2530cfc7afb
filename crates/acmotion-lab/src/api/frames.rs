//! `/api/frames/ID`: every frame of an animation, or every placement of a setup.

use acmotion::dat::{Assets, DataId};
use acmotion::types::Frame;

use super::{ApiError, ApiResult};
use crate::protocol::binary::Writer;
use crate::values::frame_row;

/// The maximum number of rows in an answer.
const MAX_ROWS: usize = 1 << 20;

pub(super) fn frames(assets: &Assets, id: DataId) -> ApiResult<Vec<u8>> {
    if id.0 >> 24 == 0x02 { placements(assets, id) } else { animation(assets, id) }
}

fn placements(assets: &Assets, id: DataId) -> ApiResult<Vec<u8>> {
    let setup = assets.setup(id)?;
    let parts = setup.parts.len();
    let placements = setup.placements.iter().map(|(_, placement)| &placement.parts);
    check_size(placements.len(), parts)?;
    let mut out = Writer::with_header([placements.len(), parts, 0]);
    for placement in placements {
        let missing = std::iter::repeat_n(&Frame::IDENTITY, parts.saturating_sub(placement.len()));
        out.f32s(placement.iter().take(parts).chain(missing).flat_map(frame_row));
    }
    Ok(out.into_bytes())
}

fn animation(assets: &Assets, id: DataId) -> ApiResult<Vec<u8>> {
    let animation = assets.animation(id)?;
    let (count, parts, roots) =
        (animation.frame_count(), animation.part_count(), animation.position_frames());
    check_size(count, parts)?;
    let mut out = Writer::with_header([count, parts, roots.len()]);
    (0..count).for_each(|index| out.f32s(animation.pose(index).iter().flat_map(frame_row)));
    out.f32s(roots.iter().flat_map(frame_row));
    Ok(out.into_bytes())
}

fn check_size(frames: usize, parts: usize) -> ApiResult<()> {
    if frames.saturating_mul(parts) <= MAX_ROWS {
        return Ok(());
    }
    Err(ApiError::bad_request(format!(
        "{frames} frames of {parts} parts are too many to show: at most {MAX_ROWS} rows are allowed"
    )))
}

#[cfg(test)]
mod tests {
    use super::{MAX_ROWS, check_size};

    #[test]
    fn an_answer_with_too_many_rows_is_an_error() {
        assert!(check_size(MAX_ROWS, 1).is_ok() && check_size(1, MAX_ROWS).is_ok());
        for (frames, parts) in [(MAX_ROWS + 1, 1), (1 << 11, 1 << 10), (usize::MAX, usize::MAX)] {
            assert!(check_size(frames, parts).is_err(), "{frames} frames of {parts} parts");
        }
    }
}
