//! The three methods that every game developer knows, for one remote.

use acmotion::types::CellPosition;
use acmotion::{Library, Resident};

/// The time, in seconds, by which interpolation shows a remote behind.
const BEHIND: f64 = 0.1;
/// The time constant, in seconds, with which dead reckoning smooths errors.
const SMOOTHING: f64 = 0.1;

/// What the baselines know of a remote.
#[derive(Clone, Debug, Default)]
pub(super) struct Baselines {
    /// The last two reports and when they arrived, the newest last.
    reports: [Option<(f64, CellPosition)>; 2],
    /// Where dead reckoning has it, and where that is shown.
    reckoned: Option<CellPosition>,
    smoothed: Option<CellPosition>,
    /// The time of the last tick, in seconds.
    last: Option<f64>,
}

impl Baselines {
    /// Receives a report at a time in seconds. A teleport forgets what was before.
    pub(super) fn on_report(&mut self, position: CellPosition, is_teleport: bool, now: f64) {
        if is_teleport {
            *self = Self::default();
            self.smoothed = Some(position);
        }
        self.reports = [self.reports[1], Some((now, position))];
        self.reckoned = Some(position);
    }

    /// Returns where each baseline shows a remote at a tick: snap, interpolation, dead reckoning.
    pub(super) fn tick(&mut self, resident: &Resident, library: &Library, now: f64) -> [CellPosition; 3] {
        let body = resident.body();
        let seconds = self.last.replace(now).map_or(0.0, |last| now - last);
        let own = body.position;
        let turned = |mut position: CellPosition| {
            position.frame.rotation = own.frame.rotation;
            position
        };
        let snapped = self.reports[1].map_or(own, |(_, position)| turned(position));
        let between = turned(self.interpolated(now).unwrap_or(own));
        // Dead reckoning goes on as the motion that was announced, in the direction that the original shows.
        let velocity = if body.is_on_walkable() {
            let root = resident.entity().animator.sequence().root_velocity(library) * body.scale;
            own.frame.local_to_global_vec(root)
        } else {
            body.velocity
        };
        let reckoned = self.reckoned.get_or_insert(own);
        reckoned.frame.origin += velocity * seconds as f32;
        // The ground is known, so heights are those of the original.
        reckoned.frame.origin.z = own.frame.origin.z;
        let share = 1.0 - libm::exp(-seconds / SMOOTHING);
        let smoothed = self.smoothed.get_or_insert(*reckoned);
        let offset = smoothed.offset_to(reckoned) * share as f32;
        smoothed.frame.origin += offset;
        [snapped, between, turned(*smoothed)]
    }

    /// Returns the position between the last two reports; `None` before the first.
    fn interpolated(&self, now: f64) -> Option<CellPosition> {
        let (until, end) = self.reports[1]?;
        let Some((from, start)) = self.reports[0] else { return Some(end) };
        let share = ((now - BEHIND - from) / (until - from).max(1e-3)).clamp(0.0, 1.0);
        let mut between = start;
        between.frame.origin += start.offset_to(&end) * share as f32;
        Some(between)
    }
}
