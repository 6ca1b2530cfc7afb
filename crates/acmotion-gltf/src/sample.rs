//! What the engine shows of a motion, key frame by key frame.

use acmotion::components::Model;
use acmotion::query::{self, MotionQuery, Segment, Timing, Undefined};
use acmotion::types::{Frame, Vec3};
use acmotion::{Animator, Library, PoseInput, Sequence, Table, TableId, move_by};

use crate::builder::Builder;
use crate::{GltfError, sidecar};

/// The maximum duration of a motion, in seconds.
pub const MAX_MOTION_SECONDS: f64 = 3600.0;
/// The length of a tick in seconds.
const TICK: f64 = 1.0 / 30.0;
/// The size of the key frame of a node in a file: a translation and a rotation.
const KEY_BYTES: usize = 28;

/// How much of a motion is exported.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Extent {
    /// What plays once, then one pass of what loops afterwards.
    #[default]
    Whole,
    /// What plays once: the transition into a motion that loops, or an action. What loops, if nothing plays once.
    Link,
    /// One pass of what loops. What plays once, if nothing loops.
    Cycle,
}

/// A body whose pose is asked for.
pub(crate) struct Posed<'a> {
    pub(crate) library: &'a Library,
    pub(crate) model: &'a Model,
    pub(crate) scale: f32,
    /// Whether the frames of parts are wanted where the body stands, too.
    pub(crate) places_parts: bool,
}

impl Posed<'_> {
    /// Returns the frames of the parts of a body that nothing was asked of yet, in the body's own axes: those of its
    /// placement, with the first pose of its default animation, or of its motion table, on top.
    pub(crate) fn rest(&self, placement: i32, table: Option<TableId>) -> Vec<Frame> {
        let mut parts = vec![Frame::IDENTITY; self.model.part_count()];
        let mut sequence = Sequence::new();
        sequence.set_placement(self.model.placement(placement));
        self.pose(&sequence, &Frame::IDENTITY, &mut parts);
        sequence.play_default(self.library, self.model, placement);
        self.pose(&sequence, &Frame::IDENTITY, &mut parts);
        if let Some(table) = table {
            let mut animator = Animator::new(Some(table));
            // A table without a default motion shows the placement.
            if animator.initialize(self.library).is_ok() {
                self.pose(animator.sequence(), &Frame::IDENTITY, &mut parts);
            }
        }
        parts
    }

    /// Computes the frames of the parts that the pose of a body at `frame` has; others keep theirs.
    fn pose(&self, sequence: &Sequence, frame: &Frame, parts: &mut [Frame]) {
        PoseInput { sequence, frame, scale: Vec3::ONE * self.scale }.frames(self.library, parts);
    }
}

/// The key frames of a motion.
pub(crate) struct Track {
    pub(crate) timing: Timing,
    /// The moment of the motion at which the track starts, in seconds.
    pub(crate) start: f64,
    /// The time of each key frame from the start of the track, in seconds, ascending.
    pub(crate) times: Vec<f32>,
    /// The frame of the body at each key frame, from where it starts.
    pub(crate) body: Vec<Frame>,
    /// The frame of each part at each key frame, in the body's own axes.
    pub(crate) parts: Vec<Vec<Frame>>,
    /// The frame of each part at each key frame where the body stands, as the engine computes it; empty unless wanted.
    pub(crate) placed: Vec<Vec<Frame>>,
}

impl Track {
    /// Returns the duration in seconds.
    pub(crate) fn seconds(&self) -> f32 {
        self.times.last().copied().unwrap_or_default()
    }

    /// Adds what a body shows. Parts that its pose lacks keep their frames.
    fn push(&mut self, time: f64, player: &Player<'_>, parts: &mut [Frame]) {
        let Player { posed, sequence, body, .. } = player;
        posed.pose(sequence, &Frame::IDENTITY, parts);
        let mut placed = Vec::new();
        if posed.places_parts {
            placed.extend(parts.iter().map(|part| body.combine(part)));
            posed.pose(sequence, body, &mut placed);
        }
        let time = (time - self.start) as f32;
        // Frames at a rate of thousands a second can be too short for their times to differ.
        if self.times.last().is_some_and(|last| time <= *last) {
            self.body.pop();
            self.parts.pop();
            self.placed.pop();
        } else {
            self.times.push(time);
        }
        self.body.push(*body);
        self.parts.push(parts.to_vec());
        self.placed.push(placed);
    }
}

/// A body that plays a motion.
struct Player<'a> {
    posed: &'a Posed<'a>,
    sequence: Sequence,
    body: Frame,
    /// The time until the key frame that shows ends, in seconds.
    rest_of_frame: f64,
}

impl Player<'_> {
    /// Advances to the middle of the next key frame, which is `length` seconds long: at the edge of one, rounding decides
    /// which one shows.
    fn step(&mut self, length: f64) {
        let quantum = self.rest_of_frame + length / 2.0;
        let mut offset = self.sequence.advance(self.posed.library, quantum as f32, None);
        // Root motion is in the scale of the body (rule B5.2).
        offset.origin *= self.posed.scale;
        move_by(&mut self.body, &offset);
        self.rest_of_frame = length / 2.0;
    }
}

/// Steps the engine through a motion and returns its key frames. `rest` are the frames of the parts before.
///
/// A key frame starts when the engine starts to show it, and the body has moved by all frames before it (rule H10). The
/// last one is at the end of the track and holds what the engine shows next: after a cycle, its first frame again.
///
/// # Errors
/// If the table does not have the motion, if it lasts too long, or if its key frames do not fit into the file.
pub(crate) fn sample(
    posed: &Posed<'_>,
    table: &Table,
    query: &MotionQuery,
    extent: Extent,
    rest: &[Frame],
    builder: &Builder,
) -> Result<Track, GltfError> {
    let undefined = |undefined: Undefined| GltfError::Undefined { table: table.id(), undefined };
    let timing = query::timing(posed.library, table, query).map_err(undefined)?;
    let cycle = timing.cycle.as_slice();
    let (skipped, shown): (Vec<Segment>, Vec<Segment>) = match extent {
        Extent::Link if !timing.link.is_empty() => (Vec::new(), timing.link.clone()),
        Extent::Cycle if !cycle.is_empty() => (timing.link.clone(), cycle.to_vec()),
        _ => (Vec::new(), [&timing.link, cycle].concat()),
    };
    check_length(query, skipped.iter().chain(&shown))?;
    let keys: usize = shown.iter().map(frame_count).fold(1, usize::saturating_add);
    builder.check_room(keys.saturating_mul(4 + KEY_BYTES * (rest.len() + 1)))?;
    if posed.places_parts {
        sidecar::check_poses(keys.saturating_mul(rest.len()))?;
    }
    let (_, sequence) = query::begin(posed.library, table, query).map_err(undefined)?;
    let mut player = Player { posed, sequence, body: Frame::IDENTITY, rest_of_frame: 0.0 };
    // What stands still for ever is followed by nothing.
    let start = shown.first().map_or(0.0, |first| first.start);
    let start = if start.is_finite() { start } else { 0.0 };
    let end = shown.last().map_or(0.0, |last| last.start + last.seconds);
    // What follows a link is the cycle, and what follows the cycle is the cycle again.
    let following = timing.cycle.or_else(|| shown.last().copied());
    let mut track =
        Track { start, times: Vec::new(), body: Vec::new(), parts: Vec::new(), placed: Vec::new(), timing };
    let mut parts = rest.to_vec();
    for segment in &skipped {
        // A rate of 0 shows one frame for ever.
        let Some(length) = frame_seconds(segment) else {
            player.step(TICK);
            track.push(start, &player, &mut parts);
            return Ok(track);
        };
        (0..frame_count(segment)).for_each(|_| player.step(length));
    }
    for segment in &shown {
        let Some(length) = frame_seconds(segment) else {
            player.step(TICK);
            track.push(segment.start, &player, &mut parts);
            return Ok(track);
        };
        for frame in 0..frame_count(segment) {
            player.step(length);
            if track.times.is_empty() {
                // The track starts here, wherever what was skipped has led.
                player.body = Frame::IDENTITY;
            }
            track.push(segment.start + frame as f64 * length, &player, &mut parts);
        }
    }
    player.step(following.as_ref().and_then(frame_seconds).unwrap_or(TICK));
    track.push(end, &player, &mut parts);
    Ok(track)
}

fn check_length<'a>(
    query: &MotionQuery,
    segments: impl Iterator<Item = &'a Segment>,
) -> Result<(), GltfError> {
    let ends = segments.map(|segment| segment.start + segment.seconds).filter(|end| end.is_finite());
    if ends.fold(0.0, f64::max) > MAX_MOTION_SECONDS {
        return Err(GltfError::TooLong { style: query.style, motion: query.motion });
    }
    Ok(())
}

/// Returns the number of frames that a segment shows in one pass.
fn frame_count(segment: &Segment) -> usize {
    usize::try_from(i64::from(segment.high) - i64::from(segment.low) + 1).unwrap_or(0)
}

/// Returns how long a frame of a segment shows, in seconds; `None` for ever.
fn frame_seconds(segment: &Segment) -> Option<f64> {
    let seconds = 1.0 / f64::from(segment.framerate).abs();
    seconds.is_finite().then_some(seconds)
}
