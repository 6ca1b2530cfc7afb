//! Records what each method shows, in the replay of a capture.

use acmotion::types::{CellPosition, Guid};
use acmotion::{World, types::Vec3};
use rustc_hash::FxHashMap;

use super::Method;
use super::comparison::Comparison;
use super::path::Path;
use super::record::{MIN_WAY, Watched, is_shown, placement};
use crate::measure::Place;
use crate::replay::Step;

/// The methods that are recorded. Nothing is known of the round trip, so comfort is not ahead of what is known.
const METHODS: [Method; 5] =
    [Method::Faithful, Method::Comfort, Method::Snap, Method::Interpolate, Method::DeadReckon];

/// The maximum number of remotes that are recorded: the first ones that are reported.
const MAX_REMOTES: usize = 4_096;
/// The maximum number of reports that are recorded.
const MAX_REPORTS: usize = 1_000_000;

/// Records what methods show of the remotes of a capture, where the truth is not known. What counts is how far each is
/// from where it is reported, just before the report.
///
/// The world of the replay must [present](crate::replay::Replay::set_presentation) remotes by comfort.
#[derive(Default)]
pub struct ReplayRecorder {
    remotes: Vec<Remote>,
    indices: FxHashMap<Guid, usize>,
    /// The number of reports.
    reports: usize,
}

#[derive(Default)]
struct Remote {
    watched: Watched,
    /// The reported positions, whose length counts as that of the way.
    reported: Path,
    /// The distances from each report, by method.
    errors: [Vec<f32>; Method::ALL.len()],
    /// The time of the last report, what was reported, and the distances from it: a teleport takes them back.
    last: Option<(f64, CellPosition, [Option<f32>; Method::ALL.len()])>,
}

impl Remote {
    /// Keeps the distances from the last report.
    fn commit(&mut self) {
        let Some((.., distances)) = self.last.take() else { return };
        for (errors, distance) in self.errors.iter_mut().zip(distances) {
            errors.extend(distance);
        }
    }

    fn on_report(&mut self, time: f64, position: &CellPosition) {
        self.commit();
        let reported = Place::new(position);
        let distance = |path: &Path| {
            // Heights do not count: without land, the ground under a body changes from report to report.
            let (_, shown) = path.samples.last()?;
            Some(Vec3 { z: 0.0, ..shown.offset_to(&reported) }.length())
        };
        let distances = std::array::from_fn(|index| distance(&self.watched.tracks[index].path));
        self.last = Some((time, *position, distances));
        self.reported.push(time, position, 0.0);
        self.watched.baselines.on_report(*position, time);
    }

    fn on_placed(&mut self, time: f64, is_teleport: bool) {
        self.watched.on_placed(is_teleport);
        if let Some((_, position, _)) = self.last.take_if(|(last, ..)| is_teleport && *last == time) {
            self.watched.baselines.on_teleport(position, time);
        }
    }
}

impl ReplayRecorder {
    /// Records a step of a replay. `world` is the replay's.
    pub fn on_step(&mut self, step: &Step, world: &World) {
        match step {
            Step::Tick { time, .. } => {
                for (guid, index) in &self.indices {
                    let Some(resident) = world.find(*guid).filter(|resident| is_shown(resident)) else {
                        continue;
                    };
                    let remote = &mut self.remotes[*index];
                    remote.watched.tick(*time, resident, world, &METHODS);
                    remote.watched.tracks.iter_mut().for_each(|track| track.path.keep_last());
                }
            }
            Step::Report { time, guid, position, .. } if world.player().guid() != Some(*guid) => {
                self.on_report(*guid, *time, position);
            }
            Step::Event(event) => {
                let index = self.indices.get(&event.guid);
                if let Some((index, is_teleport)) = index.zip(placement(event)) {
                    self.remotes[*index].on_placed(event.time, is_teleport);
                }
            }
            _ => {}
        }
    }

    fn on_report(&mut self, guid: Guid, time: f64, position: &CellPosition) {
        if self.reports >= MAX_REPORTS {
            return;
        }
        if let Some(remote) = self.entry(guid) {
            remote.on_report(time, position);
            self.reports += 1;
        }
    }

    /// Returns a remote, which is added if it is new. `None` if there is no room for it.
    fn entry(&mut self, guid: Guid) -> Option<&mut Remote> {
        let count = self.remotes.len();
        let index = match self.indices.get(&guid) {
            Some(index) => *index,
            None if count >= MAX_REMOTES => return None,
            None => {
                self.remotes.push(Remote::default());
                self.indices.insert(guid, count);
                count
            }
        };
        self.remotes.get_mut(index)
    }

    /// Returns what was found about the remotes that moved.
    pub fn finish(mut self) -> Comparison {
        let mut found = Comparison::default();
        for remote in &mut self.remotes {
            remote.commit();
            let way = remote.reported.length();
            if way < MIN_WAY {
                continue;
            }
            found.add_truth(&Default::default(), way, 1);
            for method in METHODS {
                let tally = found.tally(method);
                tally.errors.append(&mut remote.errors[method as usize]);
                tally.smoothness.merge(&remote.watched.tracks[method as usize].path.smoothness);
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use acmotion::types::CellId;

    use super::*;

    #[test]
    fn remotes_and_reports_are_bounded() {
        let position = CellPosition::at(CellId(0xA9B4_0001), Vec3::new(2.0, 12.0, 94.0));
        let mut recorder = ReplayRecorder::default();
        for number in 1..=MAX_REMOTES as u32 + 10 {
            recorder.on_report(Guid(number), 1.0, &position);
        }
        assert_eq!((recorder.remotes.len(), recorder.reports), (MAX_REMOTES, MAX_REMOTES));
        for _ in 0..MAX_REPORTS {
            recorder.on_report(Guid(1), 2.0, &position);
        }
        assert_eq!(recorder.reports, MAX_REPORTS);
        assert_eq!(recorder.remotes[0].reported.samples.len(), MAX_REPORTS - MAX_REMOTES + 1);
    }
}
