//! The three methods that every game developer knows, for one remote.

use acmotion::types::CellPosition;
use acmotion::{Library, Resident};

/// The time, in seconds, by which interpolation shows a remote behind.
const BEHIND: f64 = 0.1;
/// The time constant, in seconds, with which dead reckoning smooths errors.
const SMOOTHING: f64 = 0.1;

/// What the three methods know of a remote.
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

/// Where the three methods show a remote.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shown {
    pub(super) snap: CellPosition,
    pub(super) interpolate: CellPosition,
    pub(super) dead_reckon: CellPosition,
}

impl Baselines {
    /// Receives a report at a time in seconds.
    pub(super) fn on_report(&mut self, position: CellPosition, now: f64) {
        self.reports = [self.reports[1], Some((now, position))];
        self.reckoned = Some(position);
    }

    /// Receives the report of a teleport, before which nothing counts.
    pub(super) fn on_teleport(&mut self, position: CellPosition, now: f64) {
        *self = Self { smoothed: Some(position), last: self.last, ..Self::default() };
        self.on_report(position, now);
    }

    /// Returns where each method shows a remote at a tick, turned as the original turns it.
    pub(super) fn tick(&mut self, resident: &Resident, library: &Library, now: f64) -> Shown {
        let body = resident.body();
        let seconds = self.last.replace(now).map_or(0.0, |last| now - last);
        let own = body.position;
        let turned = |mut position: CellPosition| {
            position.frame.rotation = own.frame.rotation;
            position
        };
        // Dead reckoning goes on with the motion that was announced, in the direction that the original shows.
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
        Shown {
            dead_reckon: turned(*smoothed),
            snap: self.reports[1].map_or(own, |(_, position)| turned(position)),
            interpolate: turned(self.interpolated(now).unwrap_or(own)),
        }
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

#[cfg(test)]
mod tests {
    use acmotion::World;
    use acmotion::dat::Assets;
    use acmotion::types::{CellId, Guid, Vec3};

    use super::*;

    fn at(x: f32) -> CellPosition {
        CellPosition::at(CellId(0xA9B4_0001), Vec3::new(x, 12.0, 94.0))
    }

    #[test]
    fn each_method_does_what_it_is_known_for() {
        let mut world = World::new(Assets::mannequin());
        let id = world.add_stand_in(Guid(0x5000_0001), &at(2.0), 0.0);
        let resident = world.get(id).unwrap();
        let mut baselines = Baselines::default();
        let x = |baselines: &mut Baselines, now: f64| {
            let Shown { snap, interpolate, dead_reckon } = baselines.tick(resident, world.library(), now);
            [snap, interpolate, dead_reckon].map(|position| position.frame.origin.x)
        };
        assert_eq!(x(&mut baselines, 0.0), [2.0; 3], "before the first report it is where the body is");
        baselines.on_report(at(2.0), 1.0);
        baselines.on_report(at(4.0), 2.0);
        let [snap, interpolate, dead_reckon] = x(&mut baselines, 2.05);
        assert_eq!(snap, 4.0);
        assert!((interpolate - 3.9).abs() < 1e-5, "100 ms behind: {interpolate}");
        assert!(dead_reckon > 3.9, "much time has passed since the last tick: {dead_reckon}");
        baselines.on_report(at(6.0), 2.1);
        let [.., dead_reckon] = x(&mut baselines, 2.15);
        assert!((4.5..5.5).contains(&dead_reckon), "it is smoothed: {dead_reckon}");
        baselines.on_teleport(at(20.0), 2.2);
        assert_eq!(x(&mut baselines, 2.25), [20.0; 3]);
    }
}
