//! What a client draws between ticks: positions and part matrices at any moment from one tick to the next.
//!
//! Ticks come at most 30 times a second (rule B2), and displays are faster. With [`Settings::presents_between_ticks`] the
//! world keeps what every body showed after the last two ticks, apart from the entities, and presents it one tick later:
//! share 0 is the tick before the last, share 1 the last tick. None of this affects the simulation.

use acmotion_types::{CellId, CellPosition, Frame, Guid, Vec3};

use super::comfort::Comfort;
use super::store::Store;
use super::{EntityId, Resident, World};
use crate::body::PhysicsState;
use crate::library::{ClipId, Library};
use crate::pose::{Matrix, pose_matrices};
use crate::smooth::{self, Snapshot};

/// The maximum time from one tick to the next that is interpolated, in seconds.
const MAX_INTERVAL: f64 = 0.2;

/// What every body showed after the last two ticks.
#[derive(Clone)]
pub(super) struct ShownHistory {
    /// By slot.
    bodies: Vec<History>,
    /// The times of the last two ticks, in seconds.
    ticks: Option<[f64; 2]>,
}

/// What one body showed after the last two ticks. The same twice if it was placed somewhere else in between.
#[derive(Clone, Copy)]
struct History {
    id: EntityId,
    before: Moment,
    after: Moment,
    /// Whether both are the same.
    is_still: bool,
}

/// What one body showed after a tick.
#[derive(Clone, Copy)]
struct Moment {
    cell: CellId,
    snapshot: Snapshot,
    scale: f32,
    /// How often it has been placed so far.
    placements: u8,
}

impl Moment {
    /// Returns what a body shows: where comfort shows it, if it does.
    #[inline(always)]
    fn of(resident: &Resident, library: &Library, comfort: Option<&Comfort>) -> Self {
        let body = resident.body();
        let sequence = resident.entity.animator.sequence();
        let (CellPosition { cell, .. }, snapshot) =
            match comfort.and_then(|comfort| comfort.get(resident.id())) {
                Some(remote) => {
                    let (position, ahead) = (remote.position(), sequence.ahead(library, remote.lead(), 0.0));
                    let gait = remote.gait_pose(library);
                    (position, Snapshot::ahead(library, sequence, &ahead, gait, &position.frame))
                }
                None => (body.position, Snapshot::of(library, sequence, &body.position.frame)),
            };
        Self { cell, snapshot, scale: body.scale, placements: body.placements }
    }
}

impl ShownHistory {
    /// Moves the times of the ticks by a number of seconds.
    pub(super) fn shift_times(&mut self, by: f64) {
        self.ticks = self.ticks.map(|ticks| ticks.map(|tick| tick + by));
    }
}

impl History {
    fn still(id: EntityId, moment: Moment) -> Self {
        Self { id, before: moment, after: moment, is_still: true }
    }

    /// Returns the position at a share of the time from one tick to the next.
    fn position(&self, share: f32) -> CellPosition {
        let (before, after) = (&self.before, &self.after);
        if share >= 1.0 || self.is_still {
            return CellPosition::new(after.cell, *after.snapshot.frame());
        }
        // In the axes of one landblock, whichever each is in.
        let offset = before.cell.block_offset(after.cell);
        let mut end = *after.snapshot.frame();
        end.origin += offset;
        let frame = smooth::blend(before.snapshot.frame(), &end, share);
        let between = CellPosition::new(before.cell, frame);
        if before.cell == after.cell {
            return between;
        }
        if before.cell.is_outdoor() && after.cell.is_outdoor() {
            return between.adjusted_to_outside().unwrap_or(between);
        }
        if share < 0.5 {
            return between;
        }
        CellPosition::new(after.cell, Frame::new(frame.origin - offset, frame.rotation))
    }
}

impl ShownHistory {
    pub(super) fn new() -> Self {
        Self { bodies: Vec::new(), ticks: None }
    }

    /// Records what every body shows after a tick.
    pub(super) fn record(&mut self, store: &Store, library: &Library, comfort: Option<&Comfort>, now: f64) {
        self.ticks = Some([self.ticks.map_or(now, |[_, last]| last), now]);
        for resident in store.iter() {
            let (id, moment) = (resident.id(), Moment::of(resident, library, comfort));
            let slot = id.slot();
            let Some(history) = self.bodies.get_mut(slot) else {
                self.bodies.resize(slot + 1, History::still(id, moment));
                continue;
            };
            let is_continued = history.id == id && history.after.placements == moment.placements;
            *history = if is_continued {
                History { id, before: history.after, after: moment, is_still: false }
            } else {
                History::still(id, moment)
            };
        }
    }

    fn history(&self, id: EntityId) -> Option<&History> {
        self.bodies.get(id.slot()).filter(|history| history.id == id)
    }
}

/// How parts are posed between ticks.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum PartPoses {
    /// Interpolated between the key frames and between the ticks.
    #[default]
    Smooth,
    /// Whole key frames, as the original shows them (rule H14). The body itself still moves smoothly.
    Retail,
}

/// An entity as it is shown at one moment between two ticks.
///
/// ```
/// use acmotion::types::Vec3;
/// use acmotion::{Matrix, Presented, PresentedBatch, PresentedBody, View, World};
///
/// /// Draws everything that is visible around the camera. Returns the number of matrices that `matrices` lacks.
/// fn draw(world: &World, view: &View, matrices: &mut [Matrix], bodies: &mut Vec<PresentedBody>) -> usize {
///     let PresentedBatch { written, missing } = world.present_all(view, matrices, bodies);
///     for PresentedBody { guid, first, count, .. } in &*bodies {
///         println!("{guid}: {count} parts from matrix {first} of {written}");
///     }
///     missing
/// }
///
/// /// Returns the point above an entity at which its name is drawn.
/// fn name_at(entity: &Presented<'_>) -> Vec3 {
///     entity.position().frame.origin + Vec3::new(0.0, 0.0, 2.0) * entity.scale()
/// }
/// # use acmotion::{EntitySpec, PartPoses, dat::Assets, types::{CellId, CellPosition, Guid}};
/// # let mut world = World::new(Assets::mannequin());
/// # let position = CellPosition::at(CellId(0xA9B4_0001), Vec3::new(12.0, 12.0, 94.0));
/// # let id = world.spawn(&EntitySpec::new(Guid(0x8000_0001), position), 0.0).unwrap();
/// # assert!(name_at(&world.present(id, 1.0, PartPoses::Smooth).unwrap()).z > 95.5);
/// # assert_eq!(draw(&world, &View::new(position.cell, 1.0), &mut [], &mut Vec::new()), 19);
/// ```
#[derive(Clone, Copy)]
pub struct Presented<'w> {
    library: &'w Library,
    resident: &'w Resident,
    position: CellPosition,
    before: Snapshot,
    after: Snapshot,
    scale: f32,
    /// The share of the time from `before` to `after`.
    share: f32,
    poses: PartPoses,
}

impl<'w> Presented<'w> {
    /// Returns the entity.
    pub fn resident(&self) -> &'w Resident {
        self.resident
    }

    /// Returns the position. That of a held object is where its holder is shown to hold it.
    pub fn position(&self) -> &CellPosition {
        &self.position
    }

    /// Returns the scale.
    pub fn scale(&self) -> f32 {
        self.scale
    }

    /// Returns `true` if the entity is to be drawn: it is neither hidden nor undrawn (rule C19), and it is in a cell, or
    /// held by an entity that is.
    pub fn is_drawn(&self, world: &World) -> bool {
        let mut holder = self.resident;
        while let Some(parent) = holder.parent().and_then(|parent| world.find(parent)) {
            holder = parent;
        }
        holder.body().is_in_cell() && is_shown(self.resident)
    }

    /// Returns the two key frames that make up most of its pose after the tick, and the share (0 to 1) of the way from one to
    /// the other. `None` if nothing plays. The whole pose is in [`matrices`](Self::matrices); with comfort it has steps on top.
    pub fn main_frames(&self) -> Option<([(ClipId, usize); 2], f32)> {
        self.after.main_frames()
    }

    /// Returns the number of parts of its pose.
    pub fn part_count(&self) -> usize {
        self.shown_keys().map_or(0, |(clip, _)| self.library.clip(clip).animation().part_count())
    }

    /// Writes the matrices of its parts in the axes of `origin`'s landblock, as far as there is room in `out`. Returns how
    /// many were written.
    pub fn matrices(&self, origin: CellId, out: &mut [Matrix]) -> usize {
        let mut frame = self.position.frame;
        frame.origin += origin.block_offset(self.position.cell);
        let scale = Vec3::ONE * self.scale;
        if self.poses == PartPoses::Retail {
            return self
                .shown_keys()
                .map_or(0, |shown| pose_matrices(self.library, shown, &frame, scale, out));
        }
        let mut count = 0;
        for (index, out) in out.iter_mut().enumerate() {
            let Some(part) = self.part(index) else { break };
            *out = Matrix::from_frame(&frame.combine_scaled(&part, scale));
            count += 1;
        }
        count
    }

    /// Returns the frame of a part in the axes of the body, unscaled.
    fn part(&self, index: usize) -> Option<Frame> {
        match self.poses {
            PartPoses::Smooth => {
                smooth::part_between(self.library, &self.before, &self.after, self.share, index)
            }
            PartPoses::Retail => {
                let (clip, frame) = self.shown_keys()?;
                self.library.clip(clip).animation().pose(frame).get(index).copied()
            }
        }
    }

    /// Returns the clip and the key frame that the original would show.
    fn shown_keys(&self) -> Option<(ClipId, usize)> {
        self.before.shown()
    }

    /// Returns the position at which it holds an object at a location (rule C13).
    fn holding_position(&self, location: u32) -> CellPosition {
        let CellPosition { cell, frame: body } = self.position;
        let part =
            |part: usize| self.part(part).map(|part| body.combine_scaled(&part, Vec3::ONE * self.scale));
        CellPosition::new(cell, self.resident.holding_frame_in(self.library, location, &body, part))
    }
}

impl std::fmt::Debug for Presented<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Presented")
            .field("guid", &self.resident.guid())
            .field("position", &self.position)
            .field("share", &self.share)
            .finish_non_exhaustive()
    }
}

/// What [`World::present_all`] presents, and how.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct View {
    /// The share, 0 to 1, of the time from one tick to the next that has passed; see [`World::presentation_share`].
    pub share: f32,
    /// A cell of the landblock in whose axes all matrices are, usually that of the camera.
    pub origin: CellId,
    /// How parts are posed.
    pub poses: PartPoses,
    /// If set, only entities within this distance of a position, in metres, are presented, with what they hold.
    pub within: Option<(CellPosition, f32)>,
}

impl View {
    /// Creates a view of all entities with smooth poses.
    pub const fn new(origin: CellId, share: f32) -> Self {
        Self { share, origin, poses: PartPoses::Smooth, within: None }
    }
}

/// An entity in a batch of matrices.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct PresentedBody {
    /// The handle of the entity.
    pub id: EntityId,
    /// The guid of the entity.
    pub guid: Guid,
    /// Its position between the ticks.
    pub position: CellPosition,
    /// The index of the matrix of its first part.
    pub first: u32,
    /// The number of its parts, one matrix each.
    pub count: u32,
}

/// How much of a batch was written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct PresentedBatch {
    /// The number of matrices written.
    pub written: usize,
    /// The number of matrices for which there was no room. The entities they belong to are not listed.
    pub missing: usize,
}

/// A batch that is being written.
struct BatchWriter<'a> {
    view: View,
    matrices: &'a mut [Matrix],
    bodies: &'a mut Vec<PresentedBody>,
    batch: PresentedBatch,
}

impl BatchWriter<'_> {
    fn write(&mut self, presented: &Presented<'_>) {
        let count = presented.part_count();
        let first = self.batch.written;
        let Some(out) = self.matrices.get_mut(first..first + count).filter(|_| self.batch.missing == 0)
        else {
            self.batch.missing += count;
            return;
        };
        let count = presented.matrices(self.view.origin, out);
        let (resident, position) = (presented.resident, presented.position);
        let (id, guid) = (resident.id(), resident.guid());
        self.bodies.push(PresentedBody { id, guid, position, first: first as u32, count: count as u32 });
        self.batch.written += count;
    }
}

fn is_shown(resident: &Resident) -> bool {
    !resident.body().state.intersects(PhysicsState::NO_DRAW | PhysicsState::HIDDEN)
}

impl World {
    /// Returns the share, 0 to 1, of the time from one tick to the next that has passed at a time in seconds, for
    /// [`present`](Self::present) and [`present_all`](Self::present_all). It is 1 before the first tick, and if
    /// [`Settings::presents_between_ticks`](super::Settings::presents_between_ticks) is not set.
    pub fn presentation_share(&self, now: f64) -> f32 {
        let Some([before, last]) = self.shown_history.as_ref().and_then(|history| history.ticks) else {
            return 1.0;
        };
        let interval = (last - before).min(MAX_INTERVAL);
        let share = (now - last) / interval;
        // Not a number, as before the second tick, is 1 too.
        if share < 1.0 { share.max(0.0) as f32 } else { 1.0 }
    }

    /// Returns an entity as it is shown when a share (0 to 1) of the time from one tick to the next has passed. `None` if it
    /// does not exist.
    ///
    /// Across the border of a landblock the position is in the axes of the cell that it is in. A body that was placed
    /// somewhere else since the tick before the last, by a teleport or because it could not catch up with the server, is shown
    /// there at once; so is one that moved more than 4 m in a tick. A held object is shown in the hand of its holder as shown.
    /// An entity that was created since the last tick is shown as it is now, and so is every entity if
    /// [`Settings::presents_between_ticks`](super::Settings::presents_between_ticks) is not set.
    ///
    /// ```
    /// use acmotion::dat::Assets;
    /// use acmotion::types::{CellId, CellPosition, Guid, Vec3};
    /// use acmotion::{Matrix, PartPoses, Settings, View, World};
    ///
    /// let mut world =
    ///     World::with_settings(Assets::mannequin(), Settings { presents_between_ticks: true, ..Settings::default() });
    /// let start = CellPosition::at(CellId(0xA9B4_0001), Vec3::new(12.0, 12.0, 94.0));
    /// let id = world.add_stand_in(Guid(0x5000_0001), &start, 0.0);
    ///
    /// let (mut matrices, mut bodies) = (vec![Matrix::IDENTITY; 1024], Vec::new());
    /// for frame in 1..=120 {
    ///     let now = f64::from(frame) / 144.0; // of a display
    ///     world.advance(now);
    ///     let share = world.presentation_share(now);
    ///
    ///     // One entity:
    ///     let presented = world.present(id, share, PartPoses::Smooth).expect("it exists");
    ///     presented.matrices(presented.position().cell, &mut matrices);
    ///
    ///     // Or all of them at once, in the axes of the camera's landblock:
    ///     let batch = world.present_all(&View::new(start.cell, share), &mut matrices, &mut bodies);
    ///     assert_eq!(batch.missing, 0);
    ///     for body in &bodies {
    ///         let parts = &matrices[body.first as usize..][..body.count as usize];
    ///         // draw the parts of `world.get(body.id)`'s model
    /// #       assert!(!parts.is_empty());
    ///     }
    /// }
    /// ```
    pub fn present(&self, id: EntityId, share: f32, poses: PartPoses) -> Option<Presented<'_>> {
        let resident = self.get(id)?;
        let parent = resident.held_by().and_then(|held_by| {
            // Attachments have no cycles and are not deep.
            let parent = self.present(self.find(held_by.parent)?.id(), share, poses)?;
            Some(parent.holding_position(held_by.location))
        });
        Some(self.present_at(resident, share, poses, parent))
    }

    /// Presents an entity, at a position if it is held.
    fn present_at<'w>(
        &'w self,
        resident: &'w Resident,
        share: f32,
        poses: PartPoses,
        held_at: Option<CellPosition>,
    ) -> Presented<'w> {
        let share = if share > 0.0 { share.min(1.0) } else { 0.0 };
        let id = resident.id();
        let history = self.shown_history.as_ref().and_then(|history| history.history(id));
        let history = match history {
            // Attached or placed since the last tick, or not in the history at all.
            Some(history) if history.after.placements == resident.body().placements => *history,
            _ => History::still(id, Moment::of(resident, &self.library, self.comfort.as_deref())),
        };
        let position = held_at.unwrap_or_else(|| history.position(share));
        let History { before, after, .. } = &history;
        // At the end, or if nothing is known of the time before, nothing is interpolated between ticks.
        let is_still = share >= 1.0 || history.is_still;
        let before = if is_still { after } else { before };
        let share = if is_still { 0.0 } else { share };
        Presented {
            library: &self.library,
            resident,
            position,
            before: before.snapshot,
            after: after.snapshot,
            scale: before.scale + (after.scale - before.scale) * share,
            share,
            poses,
        }
    }

    /// Writes the part matrices of all entities that are drawn, one after the other, and lists the entities in `bodies`,
    /// which is cleared before. Held objects come right after their holders. Entities in no cell, hidden and undrawn ones
    /// are left out. Entities for which there is no room in `matrices` are left out, too, and the result says how much is
    /// missing.
    ///
    /// It allocates nothing once `bodies` has grown to its size.
    pub fn present_all(
        &self,
        view: &View,
        matrices: &mut [Matrix],
        bodies: &mut Vec<PresentedBody>,
    ) -> PresentedBatch {
        bodies.clear();
        let mut writer = BatchWriter { view: *view, matrices, bodies, batch: PresentedBatch::default() };
        match view.within {
            Some((position, distance)) => {
                for resident in self.who_is_within(&position, distance) {
                    self.write_with_held(&mut writer, resident, None);
                }
            }
            None => {
                for resident in self.entities().filter(|resident| resident.body().is_in_cell()) {
                    self.write_with_held(&mut writer, resident, None);
                }
            }
        }
        writer.batch
    }

    /// Writes an entity and what it holds.
    fn write_with_held(
        &self,
        writer: &mut BatchWriter<'_>,
        resident: &Resident,
        held_at: Option<CellPosition>,
    ) {
        let presented = self.present_at(resident, writer.view.share, writer.view.poses, held_at);
        if is_shown(resident) {
            writer.write(&presented);
        }
        for child in resident.children().iter().filter_map(|child| self.find(*child)) {
            let held_at = child.held_by().map(|held_by| presented.holding_position(held_by.location));
            self.write_with_held(writer, child, held_at);
        }
    }

    /// Keeps what every body shows, if it is presented between ticks. Called at the end of a tick.
    pub(super) fn record_shown(&mut self, now: f64) {
        if let Some(history) = &mut self.shown_history {
            history.record(&self.store, &self.library, self.comfort.as_deref(), now);
        }
    }
}

impl Resident {
    /// Returns the entity as it is shown between ticks; see [`World::present`]. `None` if it is not of that world.
    pub fn present<'w>(&self, world: &'w World, share: f32) -> Option<Presented<'w>> {
        world.present(self.id(), share, PartPoses::Smooth)
    }
}

#[cfg(test)]
mod tests {
    use acmotion_dat::Assets;
    use acmotion_types::Quat;

    use super::*;
    use crate::world::{EntitySpec, Settings};

    /// What a body at a position shows, without a pose.
    fn moment(cell: u32, x: f32, y: f32) -> Moment {
        let frame = Frame::new(Vec3::new(x, y, 94.0), Quat::IDENTITY);
        let snapshot = Snapshot::of(&Library::new(), &crate::sequence::Sequence::new(), &frame);
        Moment { cell: CellId(cell), snapshot, scale: 1.0, placements: 0 }
    }

    fn between(before: Moment, after: Moment, share: f32) -> (u32, [f32; 2]) {
        let mut world = World::new(Assets::mannequin());
        let at = CellPosition::at(CellId(0xA9B4_0001), Vec3::new(12.0, 12.0, 94.0));
        let id = world.spawn(&EntitySpec::new(Guid(1), at), 0.0).expect("there is room");
        let history = History { id, before, after, is_still: false };
        let shown = history.position(share);
        (shown.cell.0, [shown.frame.origin.x, shown.frame.origin.y])
    }

    /// From land to land the cell is that of the point; from land into a room it changes half way, in the axes of the
    /// landblock of each.
    #[test]
    fn a_position_between_ticks_is_in_a_cell_of_either() {
        let west = moment(0xA9B4_0039, 191.0, 12.0);
        let east = moment(0xAAB4_0001, 1.0, 12.0);
        assert_eq!(between(west, east, 0.0), (0xA9B4_0039, [191.0, 12.0]));
        assert_eq!(between(west, east, 0.25), (0xA9B4_0039, [191.5, 12.0]));
        assert_eq!(between(west, east, 0.75), (0xAAB4_0001, [0.5, 12.0]));
        assert_eq!(between(west, east, 1.0), (0xAAB4_0001, [1.0, 12.0]));
        let room = moment(0xAAB4_0100, 1.0, 12.0);
        assert_eq!(between(west, room, 0.25), (0xA9B4_0039, [191.5, 12.0]));
        assert_eq!(between(west, room, 0.75), (0xAAB4_0100, [0.5, 12.0]));
        assert_eq!(between(room, west, 0.25), (0xAAB4_0100, [0.5, 12.0]));
        assert_eq!(between(room, west, 0.75), (0xA9B4_0039, [191.5, 12.0]));
        let other_room = moment(0xAAB4_0101, 3.0, 12.0);
        assert_eq!(between(room, other_room, 0.25), (0xAAB4_0100, [1.5, 12.0]));
        assert_eq!(between(room, other_room, 0.75), (0xAAB4_0101, [2.5, 12.0]));
    }

    fn presenting() -> (World, EntityId) {
        let settings = Settings { presents_between_ticks: true, ..Settings::default() };
        let mut world = World::with_settings(Assets::mannequin(), settings);
        let at = CellPosition::at(CellId(0xA9B4_0001), Vec3::new(12.0, 12.0, 94.0));
        let id = world.spawn(&EntitySpec::new(Guid(1), at), 0.0).expect("there is room");
        (world, id)
    }

    /// A body that grows is shown growing, from tick to tick.
    #[test]
    fn a_scale_is_shown_between_ticks() {
        let (mut world, id) = presenting();
        world.tick(1.0);
        world.act(Guid(1), 1.0, |actor, _| actor.entity.body.set_scale(3.0));
        world.tick(1.1);
        let scale = |share| world.present(id, share, PartPoses::Smooth).map(|shown| shown.scale());
        assert_eq!([0.0, 0.25, 0.5, 1.0].map(scale), [Some(1.0), Some(1.5), Some(2.0), Some(3.0)]);
        assert_eq!([-1.0, f32::NAN, 9.0].map(scale), [Some(1.0), Some(1.0), Some(3.0)], "any share is one");
    }

    /// The share follows the time between the last two ticks, up to a fifth of a second.
    #[test]
    fn a_long_time_between_ticks_is_not_stretched() {
        let (mut world, _) = presenting();
        assert_eq!(world.presentation_share(0.5), 1.0, "before the first tick");
        world.tick(1.0);
        assert_eq!(world.presentation_share(1.0), 1.0, "before the second");
        world.tick(1.1);
        assert!((world.presentation_share(1.15) - 0.5).abs() < 1e-6);
        world.tick(2.0);
        assert!((world.presentation_share(2.1) - 0.5).abs() < 1e-6, "a tenth of a second is half of a fifth");
        assert_eq!((world.presentation_share(1.9), world.presentation_share(2.3)), (0.0, 1.0));
        // The clock is set back by a minute.
        world.tick(-58.0);
        assert!((world.presentation_share(-57.9) - 0.5).abs() < 1e-6);
    }
}
