//! The settings of a checker.

use std::sync::Arc;

use acmotion_types::Era;

use crate::collide::Surroundings;

/// What a [`Checker`](super::Checker) tolerates. The defaults are those that were measured: see [the module](super).
#[derive(Clone)]
pub struct CheckSettings {
    /// The land that the server's players move in. Without it only speed, jumps, fields and stamps are checked, because
    /// every deviation can be the work of a wall or a slope.
    pub surroundings: Option<Arc<dyn Surroundings + Send + Sync>>,
    /// The client era whose command numbering the messages use.
    pub era: Era,
    /// The distance, in metres, by which a report may be off the path that its client's last report leads to.
    pub tolerance: f32,
    /// The distance, in metres, that a player may be farther than it can run when its path is not known.
    pub reach_tolerance: f32,
    /// The maximum difference, in seconds, between the delays of two messages of one client: jitter, and the time for
    /// which messages wait for a lost one that is sent again.
    pub latency_spread: f64,
    /// The maximum duration, in seconds, of a frame of an honest client. A client that moves reports its position in the
    /// first frame after a second (rule K7), whatever the network does with the report: a motion that takes longer than
    /// that is too fast. Longer frames are excused if the reports arrive that far apart.
    pub max_frame: f64,
    /// The time, in seconds, after which a client has received what the server sent.
    pub grace: f64,
}

impl Default for CheckSettings {
    fn default() -> Self {
        Self {
            surroundings: None,
            era: Era::default(),
            tolerance: 0.75,
            reach_tolerance: 2.0,
            latency_spread: 3.0,
            max_frame: 0.12,
            grace: 4.0,
        }
    }
}
