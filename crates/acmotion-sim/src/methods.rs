//! Methods of showing remote entities, side by side: the original's, comfort, and three that every game developer knows.
//!
//! All get the same messages at the same times. The original's and comfort are the engine's; the other three live here, for
//! comparison only, and show the original's animation at positions of their own.
//!
//! ```
//! use acmotion_sim::methods::{Method, compare_scenario};
//! use acmotion_sim::scenario::Scenario;
//!
//! let scenario = Scenario::parse(
//!     r#"
//!     seconds = 6
//!     network = { latency = 0.1 }
//!     [[player]]
//!     name = "Asha"
//!     at = [90, 90]
//!     input = [{ at = 1, press = "forward" }, { at = 4, release = "forward" }]
//!     [[observer]]
//!     name = "Watcher"
//!     at = [100, 95]
//!     "#,
//! )?;
//! let found = compare_scenario(&scenario, false)?;
//! let [faithful, comfort] = [Method::Faithful, Method::Comfort].map(|method| found.quality(method));
//! assert!(comfort.error.mean < faithful.error.mean);
//! # Ok::<(), acmotion_sim::scenario::ScenarioError>(())
//! ```

mod baseline;
mod comparison;
mod feet;
mod path;
mod record;
mod replayed;

use acmotion::{ComfortSettings, Presentation};

pub use comparison::{Comparison, MethodQuality};
pub use record::MethodRecorder;
pub use replayed::ReplayRecorder;

use crate::scenario::{Scenario, ScenarioError};
use crate::simulation::Simulation;
use crate::view::ClientId;

/// A method of showing remote entities.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Method {
    /// As the original shows them (rules D7, I1–I10).
    Faithful,
    /// As comfort shows them, with its usual settings.
    Comfort,
    /// As comfort shows them if they are not shown ahead of what is known.
    Behind,
    /// At the last reported position.
    Snap,
    /// On the straight line between reported positions, 100 ms after they arrived.
    Interpolate,
    /// At the last reported position, moved on by the announced motion; errors are smoothed exponentially.
    DeadReckon,
}

impl Method {
    /// All methods, in the order of tables.
    pub const ALL: [Self; 6] =
        [Self::Faithful, Self::Comfort, Self::Behind, Self::Snap, Self::Interpolate, Self::DeadReckon];

    /// Returns the name, as tables and JSON have it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Faithful => "faithful",
            Self::Comfort => "comfort",
            Self::Behind => "comfort, behind",
            Self::Snap => "snap",
            Self::Interpolate => "interpolate",
            Self::DeadReckon => "dead reckoning",
        }
    }

    /// Returns how a world presents remotes by this method; `None` if the engine does not have it.
    pub fn presentation(self) -> Option<Presentation> {
        match self {
            Self::Faithful => Some(Presentation::Faithful),
            Self::Comfort => Some(Presentation::Comfort(ComfortSettings::default())),
            Self::Behind => Some(Presentation::Comfort(ComfortSettings::behind())),
            Self::Snap | Self::Interpolate | Self::DeadReckon => None,
        }
    }
}

/// Runs a scenario and returns how well each method shows its players and creatures to all clients. With `announces` the
/// players announce keys that they resume, which those of the original do not (rule K8).
///
/// # Errors
/// If the simulation cannot be [created](Simulation::new).
pub fn compare_scenario(scenario: &Scenario, announces: bool) -> Result<Comparison, ScenarioError> {
    let mut found = Comparison::default();
    // A world shows remotes by one of the engine's methods at a time. The simulation is the same to the bit.
    let beside = [Method::Faithful, Method::Comfort, Method::Snap, Method::Interpolate, Method::DeadReckon];
    for methods in [&beside[..], &[Method::Behind]] {
        let mut simulation = Simulation::new(scenario)?;
        simulation.stop_measuring();
        for client in (0..scenario.clients.len()).map(ClientId) {
            let presentation = methods.iter().filter_map(|method| method.presentation()).next_back();
            simulation.set_presentation(client, presentation.unwrap_or_default());
            if let Some(mut controls) = simulation.controls(client).filter(|_| announces) {
                controls.set_announces_resumed_keys(true);
            }
        }
        let mut recorder = MethodRecorder::new(&simulation, methods);
        simulation.step(scenario.seconds, &mut recorder);
        found.merge(&recorder.finish(&simulation));
    }
    Ok(found)
}
