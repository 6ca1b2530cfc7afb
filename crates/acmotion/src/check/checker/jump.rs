//! Judges a jump (rules C22–C26).

use acmotion_types::Vec3;

use super::Checker;
use crate::check::{Finding, ImpossibleFlag};

/// The amount, in metres a second, by which a jump may be too fast: rounding.
const JUMP_MARGIN: f32 = 0.05;
/// The amount, in metres a second, by which a jump may be too fast along the ground.
const LAUNCH_MARGIN: f32 = 0.5;

impl Checker {
    /// Returns what is wrong with a jump (rules C22–C26).
    pub(super) fn check_jump(&self, extent: f32, velocity: Vec3) -> Option<Finding> {
        let entity = self.player()?.entity();
        let weenie = entity.weenie()?;
        let up = weenie.jump_speed(extent.clamp(0.0, 1.0));
        if extent > 1.0 {
            return Some(Finding::JumpTooHigh { extent, speed: velocity.z, max: up.unwrap_or(0.0) });
        }
        if self.now < self.uncertain_until {
            return None;
        }
        if let Some(max) = up.filter(|max| velocity.z > max + JUMP_MARGIN) {
            return Some(Finding::JumpTooHigh { extent, speed: velocity.z, max });
        }
        let along = libm::hypotf(velocity.x, velocity.y);
        let max = self.reach_speed().max(Vec3 { z: 0.0, ..entity.body.velocity }.length());
        if weenie.run_rate().is_some() && along > max + LAUNCH_MARGIN {
            return Some(Finding::JumpTooHigh { extent, speed: along, max });
        }
        (!weenie.can_jump(extent)).then_some(Finding::ImpossibleFlags(ImpossibleFlag::Jump))
    }
}
