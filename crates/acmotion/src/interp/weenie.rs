//! Who a body is: what the game knows about it that physics does not (rules C25, F3, F12, F13, K10).

use std::fmt::Debug;

use super::formulas;

/// What the game knows about whom a body belongs to. A body may also have none of it.
///
/// Of run rate and jump only the local player's are known; for all others there is no answer, and the interpreter goes by
/// what the server last said (rule F3).
pub trait Weenie: Debug + Send + Sync {
    /// Is it a creature or a player? All else moves without regard to keys and ground (rules F2, F14).
    fn is_creature(&self) -> bool;

    /// Is it the player at this client?
    #[doc(alias = "IsThePlayer")]
    fn is_local_player(&self) -> bool {
        false
    }

    /// How fast it runs, if that is known.
    #[doc(alias = "InqRunRate")]
    fn run_rate(&self) -> Option<f32> {
        None
    }

    /// How fast it leaves the ground in a jump of that extent, in metres a second, if that is known.
    #[doc(alias = "InqJumpVelocity")]
    fn jump_speed(&self, _extent: f32) -> Option<f32> {
        None
    }

    /// May it jump at all?
    #[doc(alias = "CanJump")]
    fn can_jump(&self, _extent: f32) -> bool {
        false
    }

    /// What a jump of that extent costs in stamina; `None` if that cannot be told.
    #[doc(alias = "JumpStaminaCost")]
    fn jump_stamina_cost(&self, _extent: f32) -> Option<i32> {
        None
    }
}

/// Anybody but the local player.
///
/// ```
/// use acmotion::interp::{RemoteWeenie, Weenie};
///
/// assert!(RemoteWeenie::Creature.is_creature());
/// assert!(!RemoteWeenie::Object.is_creature());
/// assert_eq!(RemoteWeenie::Creature.run_rate(), None);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum RemoteWeenie {
    /// A creature, or another player.
    Creature,
    /// A thing.
    Object,
}

impl Weenie for RemoteWeenie {
    fn is_creature(&self) -> bool {
        *self == Self::Creature
    }
}

/// The local player, by the numbers that movement depends on.
///
/// ```
/// use acmotion::interp::{PlayerWeenie, Weenie};
///
/// let mut player = PlayerWeenie { run_skill: 200, jump_skill: 300, ..PlayerWeenie::default() };
/// assert_eq!(player.run_rate(), Some(2.375));
/// player.stamina = 0;
/// assert_eq!(player.run_rate(), Some(1.0));
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
#[doc(alias = "ACCWeenieObject")]
pub struct PlayerWeenie {
    /// Run skill as it counts now, everything included.
    pub run_skill: u32,
    /// Jump skill as it counts now, everything included.
    pub jump_skill: u32,
    /// How much is carried against what can be (rule K10): [`load`](super::load).
    pub load: f32,
    /// How much stamina there is; with none, skills do not count.
    pub stamina: u32,
    /// Has a player killer attacked another in the last twenty seconds (rule F13)?
    pub fights_players: bool,
}

impl Default for PlayerWeenie {
    /// No skill, no load, rested.
    fn default() -> Self {
        Self { run_skill: 0, jump_skill: 0, load: 0.0, stamina: 100, fights_players: false }
    }
}

impl PlayerWeenie {
    fn counts(&self, skill: u32) -> u32 {
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
        Some(formulas::run_rate(self.load, self.counts(self.run_skill)) as f32)
    }

    fn jump_speed(&self, extent: f32) -> Option<f32> {
        Some(formulas::jump_speed(self.load, self.counts(self.jump_skill), extent))
    }

    fn can_jump(&self, _extent: f32) -> bool {
        self.load < 2.0
    }

    fn jump_stamina_cost(&self, extent: f32) -> Option<i32> {
        Some(formulas::jump_stamina_cost(self.load, extent, self.fights_players))
    }
}
