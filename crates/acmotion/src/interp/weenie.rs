//! Weenies: what the game knows about a body beyond its physics (rules C25, F3, F12, F13, K10).

use std::any::Any;
use std::fmt::Debug;

use super::formulas;

/// The game object that a body belongs to. A body may have no weenie.
///
/// Only the local player's run rate and jump are known. For other bodies the interpreter uses what the server last sent
/// (rule F3).
#[doc(alias = "CWeenieObject")]
pub trait Weenie: Any + Debug + Send + Sync {
    /// Returns `true` for a creature or a player. Other objects move regardless of hold keys and ground (rules F2, F14).
    fn is_creature(&self) -> bool;

    /// Returns `true` for the local player.
    #[doc(alias = "IsThePlayer")]
    fn is_local_player(&self) -> bool {
        false
    }

    /// Returns the run rate, or `None` if it is not known.
    #[doc(alias = "InqRunRate")]
    fn run_rate(&self) -> Option<f32> {
        None
    }

    /// Returns the launch speed of a jump in metres a second, or `None` if it is not known.
    #[doc(alias = "InqJumpVelocity")]
    fn jump_speed(&self, _extent: f32) -> Option<f32> {
        None
    }

    /// Returns `true` if the load allows a jump.
    #[doc(alias = "CanJump")]
    fn can_jump(&self, _extent: f32) -> bool {
        false
    }

    /// Returns the stamina cost of a jump, or `None` if it is not known.
    #[doc(alias = "JumpStaminaCost")]
    fn jump_stamina_cost(&self, _extent: f32) -> Option<i32> {
        None
    }
}

/// The weenie of any object but the local player.
///
/// ```
/// use acmotion::{RemoteWeenie, Weenie};
///
/// assert!(RemoteWeenie::Creature.is_creature());
/// assert!(!RemoteWeenie::Object.is_creature());
/// assert_eq!(RemoteWeenie::Creature.run_rate(), None);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum RemoteWeenie {
    /// A creature, or another player.
    Creature,
    /// Any other object.
    Object,
}

impl Weenie for RemoteWeenie {
    fn is_creature(&self) -> bool {
        *self == Self::Creature
    }
}

/// The weenie of a local player that the server has not described yet: how fast it runs and how high it jumps is not
/// known.
///
/// The player runs at the rate of the server's messages, like any other body (rule F3). It cannot jump, because the stamina
/// cost is not known either (rules C25, F13).
///
/// ```
/// use acmotion::{UndescribedPlayer, Weenie};
///
/// assert!(UndescribedPlayer.is_local_player());
/// assert_eq!(UndescribedPlayer.run_rate(), None);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct UndescribedPlayer;

impl Weenie for UndescribedPlayer {
    fn is_creature(&self) -> bool {
        true
    }

    fn is_local_player(&self) -> bool {
        true
    }

    /// The load is not known, so it does not prevent a jump. The missing stamina cost does (rule F13).
    fn can_jump(&self, _extent: f32) -> bool {
        true
    }
}

/// The local player's weenie: the values that movement depends on.
///
/// ```
/// use acmotion::{PlayerWeenie, Weenie};
///
/// let mut player = PlayerWeenie { run_skill: 200, jump_skill: 300, ..PlayerWeenie::default() };
/// assert_eq!(player.run_rate(), Some(2.375));
/// player.stamina = 0;
/// assert_eq!(player.run_rate(), Some(1.0));
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[doc(alias = "ACCWeenieObject")]
pub struct PlayerWeenie {
    /// The effective run skill, all bonuses included.
    pub run_skill: u32,
    /// The effective jump skill, all bonuses included.
    pub jump_skill: u32,
    /// The burden relative to the carrying capacity (rule K10): see [`load`](super::load).
    pub load: f32,
    /// The stamina. At 0 both skills count as 0.
    pub stamina: u32,
    /// Whether the player is a player killer that has attacked another in the last 20 s (rule F13).
    pub fights_players: bool,
}

impl Default for PlayerWeenie {
    /// No skills, no load, 100 stamina.
    fn default() -> Self {
        Self { run_skill: 0, jump_skill: 0, load: 0.0, stamina: 100, fights_players: false }
    }
}

impl PlayerWeenie {
    fn effective(&self, skill: u32) -> u32 {
        if self.stamina == 0 { 0 } else { skill }
    }
}

impl Weenie for PlayerWeenie {
    fn is_creature(&self) -> bool {
        true
    }

    fn is_local_player(&self) -> bool {
        true
    }

    fn run_rate(&self) -> Option<f32> {
        Some(formulas::run_rate(self.load, self.effective(self.run_skill)) as f32)
    }

    fn jump_speed(&self, extent: f32) -> Option<f32> {
        Some(formulas::jump_speed(self.load, self.effective(self.jump_skill), extent))
    }

    fn can_jump(&self, _extent: f32) -> bool {
        self.load < 2.0
    }

    fn jump_stamina_cost(&self, extent: f32) -> Option<i32> {
        Some(formulas::jump_stamina_cost(self.load, extent, self.fights_players))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rules F3, F13: what is not known of it prevents it from jumping; its load does not.
    #[test]
    fn a_player_that_is_not_described_yet_is_the_local_player() {
        let player = UndescribedPlayer;
        assert!(player.is_creature() && player.is_local_player() && player.can_jump(1.0));
        assert_eq!(
            (player.run_rate(), player.jump_speed(1.0), player.jump_stamina_cost(1.0)),
            (None, None, None)
        );
    }

    /// Rules F3, K10: 2.375 with a run skill of 200, and 1 without stamina.
    #[test]
    fn a_player_runs_by_its_skill_while_it_has_stamina() {
        let player = PlayerWeenie { run_skill: 200, ..PlayerWeenie::default() };
        assert_eq!(player.run_rate(), Some(2.375));
        assert_eq!(PlayerWeenie { stamina: 0, ..player }.run_rate(), Some(1.0));
    }
}
