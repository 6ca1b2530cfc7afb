//! Where a sequence leads if nothing changes it: its root motion and its frames in the next moments.
//!
//! The original moves a body by whole frames (rule H10). This is the same motion spread evenly over the time that each frame
//! shows, for [comfort](crate::comfort): it changes nothing, and nothing of the simulation depends on it.

use acmotion_types::{EPS, Vec3};

use super::{AnimNode, Sequence, step};
use crate::library::{ClipId, Library, Span, SpanId, Ways};

/// The maximum number of nodes that are looked at. What comes after them is not predicted.
const MAX_NODES_AHEAD: usize = 8;

/// A moment of a sequence that lies ahead.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Ahead {
    /// The way of the root until then, in the body's axes, in metres. Turns are not part of it.
    pub(crate) offset: Vec3,
    /// The velocity of the root then, in the body's axes, in metres a second.
    pub(crate) velocity: Vec3,
    /// The node that plays then, and the frame number within it; `None` if nothing plays.
    place: Option<(AnimNode, f64)>,
    /// The index of that node.
    index: usize,
}

/// Two key frames, each of a clip, and how much (0 to 1) of the time from one to the other has passed.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct KeyFrames {
    pub(crate) from: (ClipId, usize),
    pub(crate) to: (ClipId, usize),
    pub(crate) share: f32,
}

impl Sequence {
    /// Returns the velocity of the root, in the body's axes, in metres a second: what the position frame that shows and the
    /// velocity of the sequence come to.
    pub fn root_velocity(&self, library: &Library) -> Vec3 {
        let Some(node) = self.current_node() else { return self.velocity };
        self.velocity + velocity_at(library, node, self.frame)
    }

    /// Returns the moment that lies a number of seconds ahead; 0 or less is now. Its velocity is the mean of the last `over`
    /// seconds before it.
    pub(crate) fn ahead(&self, library: &Library, seconds: f32, over: f32) -> Ahead {
        let seconds = if seconds > 0.0 { f64::from(seconds) } else { 0.0 };
        let mut offset = self.velocity * seconds as f32;
        let (mut time, mut frame) = (seconds, self.frame);
        let mut index = self.current.0 as usize;
        let last = self.nodes.len().saturating_sub(1);
        let Some(mut node) = self.current_node() else {
            return Ahead { offset, velocity: self.velocity, place: None, index };
        };
        let mut played = Played::new(library, node);
        let mut from = played.way_until(frame);
        for _ in 0..MAX_NODES_AHEAD {
            let rate = f64::from(node.framerate);
            if rate.abs() <= f64::from(EPS) {
                break;
            }
            let (start, end) = played.ends();
            let left = ((end - frame) / rate).max(0.0);
            if time < left {
                frame += rate * time;
                let until = played.way_until(frame);
                offset += until - from;
                from = until;
                break;
            }
            let until = played.way_until(end);
            offset += until - from;
            time -= left;
            if index < last {
                index += 1;
                let Some(next) = self.nodes.get(index) else { break };
                node = next;
                frame = node.starting_frame(library);
                played = Played::new(library, node);
                from = played.way_until(frame);
                continue;
            }
            // Round the loop.
            let period = ((end - start) / rate).max(1e-3);
            from = played.way_until(start);
            if time >= period {
                let rounds = step::floor(time / period) as f64;
                offset += (until - from) * rounds as f32;
                time -= rounds * period;
            }
            frame = start;
        }
        let velocity = self.velocity + played.mean_velocity(frame, from, over);
        Ahead { offset, velocity, place: Some((node, frame)), index }
    }

    /// Returns the mean velocity of the root in the last `over` seconds, in the body's axes, in metres a second.
    pub(crate) fn mean_root_velocity(&self, library: &Library, over: f32) -> Vec3 {
        let Some(node) = self.current_node() else { return self.velocity };
        let played = Played::new(library, node);
        self.velocity + played.mean_velocity(self.frame, played.way_until(self.frame), over)
    }

    /// Returns the frames that loop and the frame number, if they play at a moment ahead.
    pub(crate) fn cycle_at(&self, ahead: &Ahead) -> Option<(SpanId, f32)> {
        let (node, frame) = ahead.place?;
        (ahead.index + 1 == self.nodes.len()).then(|| (node.span(), frame as f32))
    }

    /// Returns the key frames that show at a moment ahead and after it. `None` if nothing plays.
    pub(crate) fn key_frames_at(&self, library: &Library, ahead: &Ahead) -> Option<KeyFrames> {
        let still = |shown| KeyFrames { from: shown, to: shown, share: 0.0 };
        let Some((node, frame)) = ahead.place else { return self.shown(library).map(still) };
        let (low, high) = node.bounds(library);
        let (low, high) = (i64::from(low.min(high)), i64::from(high.max(low)));
        let clip = library.span_of(node.span()).clip;
        let shown = step::floor(frame).clamp(low, high);
        let within = (frame - shown as f64).clamp(0.0, 1.0) as f32;
        let from = (clip, usize::try_from(shown).ok()?);
        let (next, share) = match node.framerate {
            rate if rate > 0.0 => (shown + 1, within),
            rate if rate < 0.0 => (shown - 1, 1.0 - within),
            _ => return Some(still(from)),
        };
        if (low..=high).contains(&next) {
            return Some(KeyFrames { from, to: (clip, usize::try_from(next).ok()?), share });
        }
        let after = self.nodes.get((ahead.index + 1).min(self.nodes.len().checked_sub(1)?))?;
        let start = usize::try_from(step::floor(after.starting_frame(library))).ok()?;
        Some(KeyFrames { from, to: (library.span_of(after.span()).clip, start), share })
    }
}

/// Returns the velocity that the position frame of a node gives at a frame number.
#[inline]
fn velocity_at(library: &Library, node: AnimNode, frame: f64) -> Vec3 {
    let span = library.span_of(node.span());
    if !span.has_positions {
        return Vec3::ZERO;
    }
    let positions = library.clip(span.clip).animation().position_frames();
    // The end of a node is the start of a frame that is not its own.
    let number = frame.min(f64::from(span.high)).max(0.0) as usize;
    positions.get(number).map_or(Vec3::ZERO, |position| position.origin * node.framerate)
}

/// A node that plays, and how far the root is moved until each of its frames.
struct Played<'a> {
    library: &'a Library,
    node: AnimNode,
    span: &'a Span,
    /// `None` if its position frames do not move the root.
    ways: Option<Ways<'a>>,
}

impl<'a> Played<'a> {
    #[inline]
    fn new(library: &'a Library, node: AnimNode) -> Self {
        let span = library.span_of(node.span());
        let ways = span.has_positions.then(|| library.clip(span.clip).ways());
        Self { library, node, span, ways }
    }

    /// Returns the frame numbers at which it begins and ends, in the direction of play.
    #[inline]
    fn ends(&self) -> (f64, f64) {
        let (low, high) = self.node.swapped(self.span.low, self.span.high);
        let (low, beyond) = (f64::from(low), f64::from(high) + 1.0);
        if self.node.framerate < 0.0 { (beyond, low) } else { (low, beyond) }
    }

    /// Returns the way of the root until a frame number.
    #[inline]
    fn way_until(&self, frame: f64) -> Vec3 {
        self.ways.map_or(Vec3::ZERO, |ways| ways.until(frame))
    }

    /// Returns the mean velocity of the root in the last seconds before a frame number, until which its way is `until`.
    #[inline]
    fn mean_velocity(&self, frame: f64, until: Vec3, over: f32) -> Vec3 {
        let Some(ways) = self.ways else { return Vec3::ZERO };
        let rate = f64::from(self.node.framerate);
        let start = self.node.starting_frame(self.library);
        let seconds = ((frame - start) / rate).clamp(0.0, f64::from(over));
        if seconds < 0.002 {
            return velocity_at(self.library, self.node, frame);
        }
        (until - ways.until(frame - rate * seconds)) * (1.0 / seconds as f32)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use acmotion_dat::{Animation, AnimationFrame, DataId};
    use acmotion_types::Frame;

    use super::*;

    /// Frame n of this animation leads n + 1 decimetres forward.
    fn animation(id: u32) -> Arc<Animation> {
        let way = |number: u8| Vec3::new(0.0, 0.1 * (f32::from(number) + 1.0), 0.0);
        let positions = (0..10).map(|number| Frame::from_origin(way(number))).collect();
        Arc::new(Animation::new(DataId(id), Some(positions), vec![AnimationFrame::default(); 10]))
    }

    /// A library, its clips, and a sequence that slides to the right at 1 m/s. A link plays frames 2 to 5, which are 1.8 m, in
    /// 0.4 s. Then frames 1 to 4, which are 1.4 m, loop every 0.2 s.
    fn with_link() -> (Library, [ClipId; 2], Sequence) {
        let mut library = Library::new();
        let clips = [1, 2].map(|id| library.add_animation(animation(id)));
        let spans = [(2, 5), (1, 4)];
        let mut sequence = Sequence::new();
        sequence.set_physics(Vec3::new(1.0, 0.0, 0.0), Vec3::ZERO);
        for ((clip, (low, high)), rate) in clips.into_iter().zip(spans).zip([10.0, 20.0]) {
            let span = library.span(clip, low, high);
            sequence.append(&library, span, rate);
        }
        (library, clips, sequence)
    }

    /// The loop alone, at a rate.
    fn looping(rate: f32) -> (Library, Sequence) {
        let (mut library, clips, _) = with_link();
        let span = library.span(clips[1], 1, 4);
        let mut sequence = Sequence::new();
        sequence.append(&library, span, rate);
        (library, sequence)
    }

    #[track_caller]
    fn near(v: Vec3, x: f32, y: f32) {
        assert!((v - Vec3::new(x, y, 0.0)).length() < 1e-3, "{v:?} is not ({x}, {y})");
    }

    #[test]
    fn root_motion_ahead_is_spread_evenly_over_each_frame() {
        let (library, _, sequence) = with_link();
        // Seconds ahead, metres forward, and the speed in the last hundredth of a second before.
        for (seconds, way, speed) in [
            (-1.0, 0.0, 3.0),
            (0.0, 0.0, 3.0),
            (0.05, 0.15, 3.0),
            (0.25, 0.3 + 0.4 + 0.25, 5.0),
            (0.42, 1.8 + 0.08, 4.0),
            (0.475, 1.8 + 0.2 + 0.15, 6.0),
            (0.625, 1.8 + 1.4 + 0.1, 4.0),
            (1.125, 1.8 + 3.0 * 1.4 + 0.2 + 0.3 + 0.2, 8.0),
        ] {
            let ahead = sequence.ahead(&library, seconds, 0.01);
            near(ahead.offset, seconds.max(0.0), way);
            near(ahead.velocity, 1.0, speed);
        }
    }

    #[test]
    fn the_velocity_ahead_is_the_mean_of_the_time_before() {
        let (library, _, sequence) = with_link();
        // From the middle of frame 3 to the middle of frame 4.
        near(sequence.ahead(&library, 0.25, 0.1).velocity, 1.0, (0.2 + 0.25) / 0.1);
        // The node has played for a quarter of a second only.
        near(sequence.ahead(&library, 0.25, 5.0).velocity, 1.0, (0.3 + 0.4 + 0.25) / 0.25);
        // It has not played yet, so the first frame counts.
        near(sequence.ahead(&library, 0.0, 5.0).velocity, 1.0, 3.0);
        near(sequence.mean_root_velocity(&library, 0.1), 1.0, 3.0);
        let mut later = sequence;
        later.update(&library, 0.25, None, None);
        near(later.mean_root_velocity(&library, 0.1), 1.0, (0.2 + 0.25) / 0.1);
        near(later.root_velocity(&library), 1.0, 5.0);
        later.update(&library, 0.225, None, None);
        near(later.root_velocity(&library), 1.0, 6.0);
        let mut still = Sequence::new();
        still.set_physics(Vec3::new(0.0, 2.0, 0.0), Vec3::ZERO);
        near(still.mean_root_velocity(&library, 0.1), 0.0, 2.0);
        near(still.ahead(&library, 0.5, 0.1).offset, 0.0, 1.0);
        near(still.ahead(&library, 0.5, 0.1).velocity, 0.0, 2.0);
    }

    /// From the very end of frame 4 down to frame 1, and again from the end of frame 4.
    #[test]
    fn a_node_that_plays_backwards_leads_back() {
        let (library, sequence) = looping(-20.0);
        for (seconds, way, speed) in [
            (0.0, 0.0, -10.0),
            (0.025, -0.25, -10.0),
            (0.125, -0.5 - 0.4 - 0.15, -6.0),
            (0.225, -1.4 - 0.25, -10.0),
            (0.475, -2.0 * 1.4 - 0.5 - 0.2, -8.0),
        ] {
            let ahead = sequence.ahead(&library, seconds, 0.01);
            near(ahead.offset, 0.0, way);
            near(ahead.velocity, 0.0, speed);
        }
    }

    #[test]
    fn a_node_at_rate_0_stays_where_it_is() {
        let (library, sequence) = looping(0.0);
        let ahead = sequence.ahead(&library, 0.5, 0.1);
        near(ahead.offset, 0.0, 0.0);
        let frames = sequence.key_frames_at(&library, &ahead).expect("a frame shows");
        assert_eq!((frames.from.1, frames.to.1, frames.share), (1, 1, 0.0));
    }

    #[test]
    fn only_the_last_node_is_a_cycle() {
        let (library, clips, sequence) = with_link();
        let cycle_at = |seconds| sequence.cycle_at(&sequence.ahead(&library, seconds, 0.1));
        assert_eq!(cycle_at(0.35), None, "the link");
        let (span, frame) = cycle_at(0.475).expect("the loop");
        assert_eq!(library.span_of(span).clip, clips[1]);
        assert!((frame - 2.5).abs() < 1e-3, "{frame}");
        assert_eq!(Sequence::new().cycle_at(&Sequence::new().ahead(&library, 0.1, 0.1)), None);
    }

    /// The frame that shows, the one after it in the direction of play, and how far it is to that. After the last frame of a
    /// node comes the first of the next, and after that of the loop its own first.
    #[test]
    fn key_frames_ahead_lead_to_the_next_frame() {
        let (library, [link, cycle], sequence) = with_link();
        for (seconds, from, to, share) in [
            (0.25, (link, 4), (link, 5), 0.5),
            (0.38, (link, 5), (cycle, 1), 0.8),
            (0.4625, (cycle, 2), (cycle, 3), 0.25),
            (0.5875, (cycle, 4), (cycle, 1), 0.75),
        ] {
            let ahead = sequence.ahead(&library, seconds, 0.1);
            let frames = sequence.key_frames_at(&library, &ahead).expect("a frame shows");
            assert_eq!((frames.from, frames.to), (from, to), "{seconds}");
            assert!((frames.share - share).abs() < 1e-3, "{seconds}: {frames:?}");
        }
        let (library, sequence) = looping(-20.0);
        for (seconds, from, to, share) in [(0.0625, 3, 2, 0.25), (0.1875, 1, 4, 0.75)] {
            let ahead = sequence.ahead(&library, seconds, 0.1);
            let frames = sequence.key_frames_at(&library, &ahead).expect("a frame shows");
            assert_eq!((frames.from.1, frames.to.1), (from, to), "{seconds}");
            assert!((frames.share - share).abs() < 1e-3, "{seconds}: {frames:?}");
        }
    }

    /// A negative factor swaps the bounds (rule H3). Frames are shown between them all the same.
    #[test]
    fn key_frames_stay_within_swapped_bounds() {
        let (library, mut sequence) = looping(20.0);
        sequence.multiply_cyclic_framerate(-1.0);
        let ahead = sequence.ahead(&library, 0.0, 0.1);
        let frames = sequence.key_frames_at(&library, &ahead).expect("a frame shows");
        assert_eq!((frames.from.1, frames.to.1, frames.share), (2, 1, 1.0));
    }
}
