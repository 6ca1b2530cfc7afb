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

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::super::fixture::*;
    use super::*;
    use crate::interp::{PlayerWeenie, UndescribedPlayer, Weenie};

    /// Rule C25: a player with a jump skill of 300 and no load.
    fn weenie() -> PlayerWeenie {
        PlayerWeenie { run_skill: 200, jump_skill: 300, ..PlayerWeenie::default() }
    }

    fn jump(checker: &Checker, extent: f32, along: f32, up: f32) -> Option<Finding> {
        // 3, 4, 5: the speed along the ground has two parts.
        checker.check_jump(extent, Vec3::new(0.6 * along, -0.8 * along, up))
    }

    #[test]
    fn a_jump_may_be_as_fast_upwards_as_its_charge_and_a_rounding_error() {
        let checker = checker();
        let [half, full] = [0.5, 1.0].map(|extent| weenie().jump_speed(extent).unwrap());
        assert!(half < full - 1.0, "{half} {full}");
        assert_eq!(jump(&checker, 0.5, 0.0, half + 0.04), None);
        let too_high = Finding::JumpTooHigh { extent: 0.5, speed: half + 0.06, max: half };
        assert_eq!(jump(&checker, 0.5, 0.0, half + 0.06), Some(too_high));
        assert_eq!(jump(&checker, 1.0, 0.0, full), None);
        // No charge is above 1, however slow the jump.
        let charged = Finding::JumpTooHigh { extent: 1.1, speed: 1.0, max: full };
        assert_eq!(jump(&checker, 1.1, 0.0, 1.0), Some(charged));
    }

    #[test]
    fn a_jump_may_be_as_fast_along_the_ground_as_the_player_can_be_and_half_a_metre_a_second() {
        let mut checker = checker();
        let max = RUN * 1.15;
        assert_eq!(jump(&checker, 0.5, 5.0, 0.0), None);
        assert_eq!(jump(&checker, 0.5, max + 0.4, 0.0), None);
        let Some(Finding::JumpTooHigh { speed, max: named, .. }) = jump(&checker, 0.5, max + 0.6, 0.0) else {
            panic!("too far");
        };
        assert_near(f64::from(speed), f64::from(max + 0.6), 1e-3);
        assert_near(f64::from(named), f64::from(max), 1e-3);
        // A body that is faster keeps its speed; that of its fall does not count.
        let velocity = Vec3::new(0.0, 15.0, -40.0);
        checker.world.act(PLAYER, 10.0, |actor, _| actor.entity.body.velocity = velocity);
        assert_eq!(jump(&checker, 0.5, 15.4, 0.0), None);
        assert!(jump(&checker, 0.5, 15.6, 0.0).is_some());
    }

    /// Rule C22: the load. Rule F13: what is not known is not judged.
    #[test]
    fn a_jump_depends_on_what_is_known_of_the_player() {
        let mut checker = checker();
        checker.uncertain_until = 10.5;
        assert_eq!(jump(&checker, 0.5, 40.0, 40.0), None, "its skills have just changed");
        assert!(jump(&checker, 1.1, 0.0, 0.0).is_some());
        checker.now = 10.5;
        assert!(jump(&checker, 0.5, 40.0, 40.0).is_some());
        checker.world.set_player_weenie(Arc::new(PlayerWeenie { load: 2.5, ..weenie() }));
        assert_eq!(jump(&checker, 0.5, 0.0, 0.0), Some(Finding::ImpossibleFlags(ImpossibleFlag::Jump)));
        checker.world.set_player_weenie(Arc::new(UndescribedPlayer));
        assert_eq!(jump(&checker, 0.5, 40.0, 40.0), None);
    }
}
