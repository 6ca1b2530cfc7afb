//! The formulas for load, run rate, jump height, jump cost and jump power (rules C22, C25, F13, K10).
//!
//! Rates and heights are computed in double precision from single-precision inputs and constants, as the original does
//! (rule Q7).

/// The one run skill that has a rate of its own (rule K10).
const SPECIAL_SKILL: u32 = 800;
/// The minimum height of a jump, in metres.
const MIN_JUMP_HEIGHT: f32 = 0.35;
/// The minimum extent of a jump, however shortly the key is held (rule C22).
const MIN_JUMP_EXTENT: f32 = 0.001;
/// The time, in seconds, after which a jump is fully charged.
const CHARGE_SECONDS: f64 = 1.0;
/// The time, in seconds, after which a jump is fully charged in the dual-wield stance.
const CHARGE_SECONDS_DUAL_WIELD: f64 = 0.8;

/// Returns the burden that a player of a strength can carry, with a number of augmentations (rule K10).
///
/// ```
/// assert_eq!(acmotion::formulas::carrying_capacity(100, 0), 15_000);
/// assert_eq!(acmotion::formulas::carrying_capacity(100, 9), 30_000);
/// assert_eq!(acmotion::formulas::carrying_capacity(-5, 0), 0);
/// ```
#[doc(alias = "EncumbranceCapacity")]
pub fn carrying_capacity(strength: i32, augmentations: i32) -> i64 {
    if strength <= 0 {
        return 0;
    }
    let bonus = i64::from(augmentations).saturating_mul(30).min(150);
    i64::from(strength) * (150 + bonus.max(0))
}

/// Returns the burden relative to the carrying capacity; 3 if the capacity is 0 (rule K10).
pub fn load(burden: i32, capacity: i64) -> f32 {
    if capacity <= 0 { 3.0 } else { burden.max(0) as f32 / capacity as f32 }
}

/// Returns the factor by which a load reduces skills: 1 below a load of 1, 0 from 2 on (rule K10).
pub fn load_modifier(load: f32) -> f32 {
    if load < 1.0 {
        1.0
    } else if load < 2.0 {
        2.0 - load
    } else {
        0.0
    }
}

/// Returns the speed of a run relative to skill 0 (rule K10).
///
/// ```
/// use acmotion::formulas::run_rate;
///
/// assert_eq!(run_rate(0.0, 0), 1.0);
/// assert_eq!(run_rate(0.0, 200), 2.375);
/// assert_eq!(run_rate(2.5, 800), 4.5); // exactly this skill, whatever the load
/// assert!(run_rate(0.0, 801) < 3.3);
/// ```
pub fn run_rate(load: f32, skill: u32) -> f64 {
    if skill == SPECIAL_SKILL {
        return 4.5;
    }
    let skill = f64::from(skill);
    (f64::from(load_modifier(load)) * (skill / (skill + 200.0)) * 11.0 + 4.0) / 4.0
}

/// Returns the height, in metres, of a jump (rule C25). An extent of NaN counts as 0.
pub fn jump_height(load: f32, skill: u32, extent: f32) -> f64 {
    let skill = f64::from(skill);
    let extent = if extent.is_nan() { 0.0 } else { extent.clamp(0.0, 1.0) };
    let full = skill / (skill + 1300.0) * f64::from(22.2_f32) + f64::from(0.05_f32);
    let height = f64::from(load_modifier(load)) * full * f64::from(extent);
    height.max(f64::from(MIN_JUMP_HEIGHT))
}

/// Returns the launch speed of a jump in metres a second (rule C25), rounded once (rule Q7). With 19.6 as a double it
/// equals the recorded speed to the bit (`docs/recorded.md`).
pub fn jump_speed(load: f32, skill: u32, extent: f32) -> f32 {
    (jump_height(load, skill, extent) * 19.6).sqrt() as f32
}

/// Returns the stamina cost of a jump (rule F13), which is far higher for a player killer that has just attacked.
pub fn jump_stamina_cost(load: f32, extent: f32, fights_players: bool) -> i32 {
    if fights_players {
        return ((extent + 1.0) * 100.0).floor() as i32;
    }
    ((load + 0.5) * extent * 8.0 + 2.0).ceil() as i32
}

/// Returns the level of the power bar, 0 to 1, after the jump key has been held for a time, and the extent of the jump
/// (rule C22).
///
/// ```
/// use acmotion::formulas::jump_level;
///
/// assert_eq!(jump_level(0.4, false), (0.4, 0.4));
/// assert_eq!(jump_level(0.4, true), (0.5, 0.5));
/// assert_eq!(jump_level(0.0, false), (0.0, 0.001));
/// ```
#[doc(alias = "GetJumpPowerLevel")]
pub fn jump_level(held_seconds: f64, dual_wield: bool) -> (f32, f32) {
    let full = if dual_wield { CHARGE_SECONDS_DUAL_WIELD } else { CHARGE_SECONDS };
    let level = held_seconds / full;
    let level = if level.is_nan() { 0.0 } else { level.clamp(0.0, 1.0) as f32 };
    (level, level.max(MIN_JUMP_EXTENT))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rules K10 and C25.
    #[test]
    fn rates_heights_and_costs_match_the_figures() {
        for (load, skill, rate) in [
            (0.0, 0, 1.0),
            (0.0, 100, 1.916_666_7),
            (0.0, 300, 2.65),
            (0.0, 600, 3.0625),
            (0.0, 799, 3.199_449),
            (0.0, 800, 4.5),
            (0.0, 801, 3.200_549),
            (0.0, 9999, 3.696_073_3),
            (1.5, 300, 1.825),
            (2.0, 9999, 1.0),
            (2.0, 800, 4.5),
        ] {
            assert!((run_rate(load, skill) - rate).abs() < 5e-6, "skill {skill}, load {load}");
        }
        for (skill, extent, height) in [
            (0, 1.0, 0.35),
            (100, 1.0, 1.635_714_3),
            (300, 1.0, 4.2125),
            (300, 0.5, 2.106_25),
            (300, 0.001, 0.35),
            (1000, 1.0, 9.702_174),
            (300, f32::NAN, 0.35),
            (300, 7.0, 4.2125),
        ] {
            assert!(
                (jump_height(0.0, skill, extent) - height).abs() < 1e-4,
                "skill {skill}, extent {extent}"
            );
        }
        assert!((jump_speed(0.0, 300, 1.0) - 9.086_528).abs() < 1e-5);
        assert!((jump_speed(0.0, 0, 1.0) - 2.619_160_2).abs() < 1e-6);
        assert_eq!(
            [(0.0, 1.0), (0.0, 0.5), (1.0, 1.0)].map(|(l, e)| jump_stamina_cost(l, e, false)),
            [6, 4, 14]
        );
    }

    /// `docs/recorded.md`: the jump key held 0.508 s with skill 75.
    #[test]
    fn the_recorded_jump_is_reproduced() {
        assert!((jump_height(0.0, 75, 0.508_684_64) - 0.641_405).abs() < 1e-5);
        assert!((jump_speed(0.0, 75, 0.508_684_64) - 3.545_636_7).abs() < 1e-5);
        let (_, extent) = jump_level(0.508, false);
        assert!((extent - 0.508_684_64).abs() < 1.0 / 30.0);
    }
}
