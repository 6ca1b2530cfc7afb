//! How far feet slide over the ground.

use acmotion::Matrix;
use acmotion::types::{CellId, CellPosition, Vec3};

/// The maximum height, in metres, of the origin of a part that is planted on the ground.
const MAX_HEIGHT: f32 = 0.02;
/// The maximum number of parts that are looked at.
pub(super) const MAX_PARTS: usize = 64;

/// The parts of a body that touched the ground in the last tick.
#[derive(Clone, Debug)]
pub(super) struct Feet {
    /// The positions of the planted parts, in the axes of the landblock of `cell`.
    planted: Vec<(usize, Vec3)>,
    cell: CellId,
}

impl Default for Feet {
    fn default() -> Self {
        Self { planted: Vec::new(), cell: CellId::NONE }
    }
}

impl Feet {
    /// Forgets where the feet were: the body is in the air, or was placed.
    pub(super) fn lift(&mut self) {
        self.planted.clear();
    }

    /// Returns how far planted parts have slid since the last tick, in metres: the mean of those that were planted in both.
    /// `parts` are in the axes of the landblock of the body's cell.
    pub(super) fn step(&mut self, body: &CellPosition, parts: &[Matrix]) -> f32 {
        let offset = self.cell.block_offset(body.cell);
        let before = std::mem::take(&mut self.planted);
        let ground = body.frame.origin.z;
        let (mut slid, mut count) = (0.0, 0);
        for (index, part) in parts.iter().enumerate() {
            let origin = part.origin();
            if origin.z - ground > MAX_HEIGHT {
                continue;
            }
            self.planted.push((index, origin));
            if let Some((_, last)) = before.iter().find(|(other, _)| *other == index) {
                slid += Vec3 { z: 0.0, ..origin + offset - *last }.length();
                count += 1;
            }
        }
        self.cell = body.cell;
        if count > 0 { slid / count as f32 } else { 0.0 }
    }
}
