//! Records of what happens in a sweep, for explaining it.
//!
//! A sweep is a function of its input, so it is recorded by running it once more: the sweeps of a tick record nothing.

use acmotion_types::{CellPosition, EPS, Guid, Vec3};

use super::landscape::Landscape;
use super::surroundings::adjusted_to_cell;
use super::transition::Transition;
use super::{Barrier, InsertType, Mover, Obstacles, Surroundings as _, SweepResult};

/// The maximum number of notes kept of one sweep.
const MAX_NOTES: usize = 24;
/// The height, in metres, up to which something in the way is a step and not a wall.
const HIGHEST_STEP: f32 = 2.0;
/// How far into the surface that a body slides along it is moved to find out what that is, in metres.
const SLIDE_PROBE: f32 = 0.1;
/// How far ahead of a body's sphere the top of a step is looked for, in metres.
const REACH: f32 = 0.1;

/// What happened in a sweep.
#[derive(Clone, PartialEq, Debug)]
pub struct SweepTrace {
    /// Where the body started.
    pub from: CellPosition,
    /// Where it was to go.
    pub to: CellPosition,
    /// Whether it stood on something when it started.
    pub stood: bool,
    /// How the sweep ended.
    pub result: SweepResult,
    notes: Vec<SweepNote>,
}

impl SweepTrace {
    /// What happened on the way, in order; the first 24 notes.
    pub fn notes(&self) -> &[SweepNote] {
        &self.notes
    }

    /// Returns how far the body got, in metres; 0 if the sweep failed.
    pub fn covered(&self) -> f32 {
        self.result.arrival.map_or(0.0, |arrival| self.from.distance_to(&arrival.position))
    }
}

/// Something that happened in a sweep.
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub enum SweepNote {
    /// Something was in the way.
    Contact {
        /// What it was.
        barrier: Barrier,
        /// Its normal at the contact; `None` if the body was stopped without one.
        normal: Option<Vec3>,
        /// The point of the body's sphere that touched it.
        point: CellPosition,
        /// How far the body slid along it, in metres; 0 if it was stopped.
        slid: f32,
    },
    /// The body tried to step onto something (`docs/collision.md` 4.1).
    StepUp {
        /// Whether it did.
        climbed: bool,
        /// How high the step was, in metres, or would have been; `None` if there is nothing to step onto.
        rise: Option<f32>,
        /// How high the body can step, in metres.
        limit: f32,
        /// The entity that was in the way above the step, such as a door behind its threshold; `None` if there was none.
        blocked_by: Option<Guid>,
    },
    /// The body stepped down to keep to the ground (`docs/collision.md` 3.5.8).
    StepDown {
        /// By how much, in metres.
        drop: f32,
    },
    /// The body slides along a surface that it struck in an earlier sweep, and is not stopped by it again
    /// (`docs/collision.md` 3.4).
    Slide {
        /// What it slides along; `None` if that is gone.
        barrier: Option<Barrier>,
        /// The normal of the surface.
        normal: Vec3,
        /// The point of the body's sphere that is nearest to it.
        point: CellPosition,
        /// How far the body slid along it, in metres.
        slid: f32,
    },
    /// The body was pushed straight into the surface that it slides along, so that the sweep failed (`docs/collision.md`
    /// 3.3). The notes after this one tell what is there.
    Pressed {
        /// The normal of the surface.
        normal: Vec3,
    },
}

/// What a transition records: a slide belongs to the barrier that is recorded next to it.
#[derive(Clone, Copy)]
enum Entry {
    Note(SweepNote),
    Slide { normal: Vec3, point: CellPosition, slid: f32 },
}

/// The record of a transition.
#[derive(Default)]
pub(super) struct Recorder {
    entries: Vec<Entry>,
    /// The entity in the way of the step that is being tried.
    step_blocked_by: Option<Guid>,
}

impl Recorder {
    fn push(&mut self, entry: Entry) {
        if self.entries.len() < MAX_NOTES {
            self.entries.push(entry);
        }
    }

    /// Joins slides with the barriers that they belong to.
    fn into_notes(self) -> Vec<SweepNote> {
        let mut notes: Vec<SweepNote> = Vec::new();
        let mut slide = None;
        for entry in self.entries {
            match entry {
                // A barrier is recorded after its slide, an edge and a cliff before.
                Entry::Slide { normal, point, slid } => match notes.last_mut() {
                    Some(SweepNote::Contact {
                        barrier: Barrier::Drop(_) | Barrier::Slope(_),
                        normal: missing @ None,
                        point: at,
                        slid: by,
                    }) => {
                        (*missing, *at, *by) = (Some(normal), point, slid);
                    }
                    _ => slide = Some((normal, point, slid)),
                },
                Entry::Note(SweepNote::Contact { barrier, normal, point, slid }) => {
                    // The step itself, which is recorded after the attempt to climb it.
                    if let Some(SweepNote::StepUp { blocked_by, .. }) = notes.last_mut() {
                        *blocked_by = blocked_by.filter(|guid| Barrier::Entity(*guid) != barrier);
                    }
                    let (normal, point, slid) =
                        slide.take().map_or((normal, point, slid), |(own, at, by)| (Some(own), at, by));
                    notes.push(SweepNote::Contact { barrier, normal, point, slid });
                }
                Entry::Note(note) => notes.push(note),
            }
        }
        notes.dedup();
        notes
    }
}

impl Transition<'_> {
    /// Returns the record, unless nothing is recorded or the insertion only probes.
    fn recorder(&mut self) -> Option<&mut Recorder> {
        let probes = self.path.step_down
            || self.path.check_walkable
            || self.path.insert_type != InsertType::Transition;
        self.recorder.as_mut().filter(|_| !probes)
    }

    /// Records something that happened.
    pub(super) fn note(&mut self, note: SweepNote) {
        if let Some(recorder) = self.recorder() {
            recorder.push(Entry::Note(note));
        }
    }

    /// Records a barrier, with the normal found so far; that of an edge or a cliff is found later.
    pub(super) fn note_barrier(&mut self, barrier: Barrier) {
        let Some(recorder) = &mut self.recorder else { return };
        if let (true, Barrier::Entity(guid)) = (self.path.step_up, barrier) {
            recorder.step_blocked_by = Some(guid);
        }
        let normal = match barrier {
            Barrier::Drop(_) | Barrier::Slope(_) => None,
            _ if self.path.collide => self.path.step_up_normal.normalized(),
            _ => self.info.collision_valid.then_some(self.info.collision_normal),
        };
        let point = self.touching_point(0, normal.unwrap_or_default());
        self.note(SweepNote::Contact { barrier, normal, point, slid: 0.0 });
    }

    /// Records how far the mover slid along a surface, by one of its spheres.
    pub(super) fn note_slide(&mut self, index: usize, normal: Vec3, slid: f32) {
        if self.recorder.is_some() {
            let normal = normal.normalized().unwrap_or_default();
            let point = self.touching_point(index, normal);
            if let Some(recorder) = self.recorder() {
                recorder.push(Entry::Slide { normal, point, slid });
            }
        }
    }

    /// Records that something is too high to step onto.
    pub(super) fn note_refused_step(&mut self, rise: f32) {
        let limit = self.step_up_height;
        self.note(SweepNote::StepUp { climbed: false, rise: Some(rise), limit, blocked_by: None });
    }

    /// Records an attempt to climb something that may be as high as `limit`. `rise` is `None` if it failed.
    pub(super) fn note_step_up(&mut self, rise: Option<f32>, limit: f32) {
        let Some(recorder) = &mut self.recorder else { return };
        let blocked_by = recorder.step_blocked_by.take().filter(|_| rise.is_none());
        self.note(SweepNote::StepUp { climbed: rise.is_some(), rise, limit, blocked_by });
    }

    /// Records a step down from a height.
    pub(super) fn note_step_down(&mut self, from: f32) {
        let drop = from - self.path.check.frame.origin.z;
        if drop > EPS {
            self.note(SweepNote::StepDown { drop });
        }
    }

    /// Returns the point at which a sphere of the mover touches a surface with a normal.
    fn touching_point(&self, index: usize, normal: Vec3) -> CellPosition {
        let sphere = self.path.global[index];
        CellPosition::at(self.path.check.cell, sphere.origin - normal * sphere.radius)
    }
}

/// Sweeps a mover once more and records what happens.
pub(super) fn trace(
    landscape: Landscape<'_>,
    mover: &Mover<'_>,
    from: &CellPosition,
    to: &CellPosition,
    obstacles: &dyn Obstacles,
) -> SweepTrace {
    let run = |mover: &Mover<'_>, to: &CellPosition| {
        let (mut touched, cell) = (Vec::new(), landscape.has_cell(from.cell).then_some(from.cell));
        let mut transition =
            Transition::through(landscape, obstacles, mover, (Some(*from), *to), cell, &mut touched);
        transition.recorder = Some(Recorder::default());
        let found = transition.sweep();
        let result = SweepResult {
            arrival: found.then(|| transition.arrival()),
            kills_velocity: transition.info.kills_velocity,
            barrier: transition.barrier(),
        };
        (result, transition.recorder.take().unwrap_or_default().into_notes())
    };
    let (result, mut notes) = run(mover, to);
    let free = Mover { sliding_normal: None, ..*mover };
    let is_pressed = notes.iter().any(|note| matches!(note, SweepNote::Pressed { .. }));
    let is_stopped = notes.iter().any(|note| matches!(note, SweepNote::Contact { .. }));
    let sliding = mover.sliding_normal.filter(|normal| from.offset_to(to).dot(*normal) < 0.0);
    if is_pressed {
        notes.extend(run(&free, to).1);
        notes.truncate(MAX_NOTES);
    } else if let (Some(normal), Some(arrival), false) = (sliding, result.arrival, is_stopped) {
        // What it slides along is found by moving straight into it, or else by moving without it.
        let mut inside = *from;
        inside.frame.origin -= normal * SLIDE_PROBE;
        let contact = |note: SweepNote| match note {
            SweepNote::Contact { barrier, point, .. } => Some((barrier, point)),
            _ => None,
        };
        let struck = [&inside, to].into_iter().find_map(|to| run(&free, to).1.into_iter().find_map(contact));
        let (barrier, point) = struck.map_or((None, *from), |(barrier, point)| (Some(barrier), point));
        let slid = from.distance_to(&arrival.position);
        notes.insert(0, SweepNote::Slide { barrier, normal, point, slid });
        notes.truncate(MAX_NOTES);
    }
    for note in &mut notes {
        if let SweepNote::StepUp { climbed: false, rise: rise @ None, limit, .. } = note {
            *rise = step_ahead(landscape, mover, from, to, obstacles).filter(|height| *height > *limit);
        }
    }
    let stood = mover.contact.is_some();
    SweepTrace { from: *from, to: *to, stood, result, notes }
}

/// Returns the height of the surface ahead of a body above the body's own position, in metres; `None` if there is none, or if
/// the way ahead is solid.
fn step_ahead(
    landscape: Landscape<'_>,
    mover: &Mover<'_>,
    from: &CellPosition,
    to: &CellPosition,
    obstacles: &dyn Obstacles,
) -> Option<f32> {
    let Landscape::Scene(scene) = landscape else { return None };
    let ahead = Vec3 { z: 0.0, ..from.offset_to(to) }.normalized()?;
    let radius = mover.shape.spheres().first()?.radius * mover.scale;
    let mut above = *from;
    above.frame.origin += ahead * (radius + REACH) + Vec3::new(0.0, 0.0, HIGHEST_STEP);
    let ground = scene.find_ground(&adjusted_to_cell(&above)?, obstacles)?;
    Some(from.offset_to(&ground.position).z)
}

#[cfg(test)]
mod tests {
    use acmotion_types::{CellId, CellPosition, Guid, Vec3};
    use acmotion_wire::PhysicsState;

    use super::{Barrier, Entry, InsertType, Landscape, MAX_NOTES, Mover, Recorder, SweepNote, Transition};
    use crate::collide::{Contact, InfinitePlane, MoverFlags, NoObstacles, Plane, Scene, Shape};

    const UP: Vec3 = Vec3::new(0.0, 0.0, 1.0);

    /// Slides with the foot by a way over level ground, and returns the normal and the length that are recorded.
    fn recorded_slide(way: [f32; 3], normal: Vec3) -> (Vec3, f32) {
        let (plane, shape) = (InfinitePlane::level(0.0), Shape::human());
        let cell = CellId(0x7F7F_0001);
        let contact = Some(Contact { plane: Plane::new(UP, 0.0), cell, is_water: false });
        let flags = MoverFlags::CONTACT | MoverFlags::ON_WALKABLE;
        let mover = Mover { contact, ..Mover::new(Guid(1), &shape, 1.0, PhysicsState::GRAVITY, flags) };
        let [from, to] =
            [Vec3::ZERO, Vec3::from(way)].map(|by| CellPosition::at(cell, Vec3::new(12.0, 12.0, 1.0) + by));
        let mut touched = Vec::new();
        let landscape = Landscape::Plane(&plane);
        let mut transition =
            Transition::through(landscape, &NoObstacles, &mover, (Some(from), to), Some(cell), &mut touched);
        transition.recorder = Some(Recorder::default());
        transition.path.set_check(to, Some(cell));
        transition.slide(0, normal);
        match transition.recorder.as_ref().map(|recorder| &recorder.entries[..]) {
            Some([Entry::Slide { normal, slid, .. }]) => (*normal, *slid),
            _ => panic!("one slide is recorded"),
        }
    }

    /// `docs/collision.md` 5.2.5: along a surface that is parallel to the ground, the part of the way that is level is left;
    /// against a ceiling, nothing.
    #[test]
    fn slides_along_level_surfaces_are_recorded() {
        let (normal, slid) = recorded_slide([0.3, 0.0, -0.4], UP);
        assert!(normal == UP && (slid - 0.3).abs() < 1e-4, "{normal:?} {slid}");
        assert_eq!(recorded_slide([0.3, 0.0, 0.4], -UP), (-UP, 0.0));
    }

    #[test]
    fn the_notes_of_a_sweep_are_bounded() {
        let mut recorder = Recorder::default();
        for _ in 0..1_000 {
            recorder.push(Entry::Slide { normal: Vec3::ZERO, point: CellPosition::default(), slid: 0.0 });
        }
        assert_eq!(recorder.entries.len(), MAX_NOTES);
    }

    /// Returns what is recorded of a transition, which would be a sweep on the spot.
    fn recorded(record: impl FnOnce(&mut Transition<'_>)) -> Vec<SweepNote> {
        let (scene, shape, mut touched) = (Scene::default(), Shape::human(), Vec::new());
        let mover = Mover::new(Guid(1), &shape, 1.0, PhysicsState::empty(), MoverFlags::empty());
        let at = CellPosition::at(CellId(0x7F7F_0001), Vec3::ZERO);
        let mut transition = Transition::for_sweep(&scene, &NoObstacles, &mover, &at, &at, &mut touched);
        transition.recorder = Some(Recorder::default());
        record(&mut transition);
        transition.recorder.take().unwrap_or_default().into_notes()
    }

    #[test]
    fn what_happens_twice_in_a_row_is_noted_once() {
        let [first, second] = [0.1, 0.2].map(|drop| SweepNote::StepDown { drop });
        let notes = recorded(|transition| {
            [first, first, second, first].into_iter().for_each(|note| transition.note(note));
        });
        assert_eq!(notes, [first, second, first]);
    }

    #[test]
    fn what_a_probe_meets_is_not_noted() {
        let note = SweepNote::StepDown { drop: 0.1 };
        let with = |begin: fn(&mut Transition<'_>)| {
            recorded(|transition| {
                begin(transition);
                transition.note(note);
            })
        };
        assert_eq!(with(|_| ()), [note]);
        assert_eq!(with(|transition| transition.path.step_down = true), []);
        assert_eq!(with(|transition| transition.path.check_walkable = true), []);
        assert_eq!(with(|transition| transition.path.insert_type = InsertType::Placement), []);
    }

    /// What was hit before an edge has nothing to do with it.
    #[test]
    fn an_edge_and_a_slope_have_the_normal_of_the_slide_along_them_alone() {
        let (wall, edge) = (Vec3::new(-1.0, 0.0, 0.0), Vec3::new(0.0, -1.0, 0.0));
        for barrier in [Barrier::Drop(CellId(1)), Barrier::Slope(CellId(1))] {
            let normals = |slides: bool| {
                let notes = recorded(|transition| {
                    transition.info.set_collision_normal(wall);
                    transition.note_barrier(barrier);
                    if slides {
                        transition.note_slide(0, edge, 0.1);
                    }
                });
                let normal = |note: SweepNote| match note {
                    SweepNote::Contact { normal, slid, .. } => Some((normal, slid)),
                    _ => None,
                };
                notes.into_iter().map(normal).collect::<Vec<_>>()
            };
            assert_eq!(normals(false), [Some((None, 0.0))]);
            assert_eq!(normals(true), [Some((Some(edge), 0.1))]);
        }
    }
}
