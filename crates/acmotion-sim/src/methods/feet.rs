//! How far feet slide over the ground.

use acmotion::Matrix;
use acmotion::types::{CellId, CellPosition, Vec3};

/// The maximum height, in metres, of the origin of a part that is planted on the ground. Those of toes and paws are at the sole.
const MAX_HEIGHT: f32 = 0.02;
/// The maximum number of parts that are looked at.
pub(super) const MAX_PARTS: usize = 64;

/// The parts of a body that touched the ground in the last tick.
#[derive(Clone, Debug)]
pub(super) struct Feet {
    /// Their indices and positions, in the axes of the landblock of `cell`.
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

#[cfg(test)]
mod tests {
    use acmotion::types::Frame;

    use super::*;

    #[test]
    fn only_feet_that_stay_on_the_ground_slide() {
        let part = |x: f32, z: f32| Matrix::from_frame(&Frame::from_origin(Vec3::new(x, 0.0, 94.0 + z)));
        let body = CellPosition::at(CellId(0xA9B4_0001), Vec3::new(0.0, 0.0, 94.0));
        let mut feet = Feet::default();
        assert_eq!(feet.step(&body, &[part(0.0, 0.0), part(1.0, 0.3)]), 0.0, "the first tick");
        let slid = feet.step(&body, &[part(0.1, 0.01), part(2.0, 0.0)]);
        assert!((slid - 0.1).abs() < 1e-5, "the other foot has just come down: {slid}");
        let slid = feet.step(&body, &[part(0.1, 0.0), part(2.2, 0.0)]);
        assert!((slid - 0.1).abs() < 1e-5, "one of two slides by 0.2 m: {slid}");
        feet.lift();
        assert_eq!(feet.step(&body, &[part(5.0, 0.0), part(6.0, 0.0)]), 0.0, "after a teleport");
    }
}
