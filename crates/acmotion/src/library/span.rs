//! Spans: a range of frames of a clip.

use acmotion_dat::{Animation, Hook, HookDirection};
use acmotion_types::{Frame, Quat};

use super::ClipId;
use crate::effects::only_reports;
use crate::sequence::fires;

/// The handle of a span in a [`Library`](super::Library).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct SpanId(u32);

impl SpanId {
    /// A bit that no handle uses, in which [`AnimNode`](crate::sequence::AnimNode) stores that low and high are swapped.
    pub(crate) const FREE_BIT: u32 = 1 << 31;

    pub(super) fn at(index: usize) -> Self {
        debug_assert!(index < Self::FREE_BIT as usize);
        Self(index as u32)
    }

    #[inline]
    pub(crate) const fn from_bits(bits: u32) -> Self {
        Self(bits & !Self::FREE_BIT)
    }

    #[inline]
    pub(crate) const fn bits(self) -> u32 {
        self.0
    }

    #[inline]
    pub(super) const fn index(self) -> usize {
        self.0 as usize
    }
}

/// Frames `low` to `high` of a clip, both included.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Span {
    /// The clip.
    pub clip: ClipId,
    /// The first frame.
    pub low: i32,
    /// The last frame.
    pub high: i32,
    /// Whether the clip has position frames.
    pub(crate) has_positions: bool,
    /// Whether no position frame of the clip turns the body, and all are finite.
    pub(crate) moves_straight: bool,
    /// Whether the hooks of the clip change nothing: see [`only_reports`].
    has_only_reports: bool,
    /// Bit n is set if a frame whose number modulo 64 is n has hooks that fire in forward play.
    forward_hook_frames: u64,
    /// The same for hooks that fire in backward play.
    backward_hook_frames: u64,
    /// Whether a hook of the clip changes the scale of the body.
    #[cfg(feature = "parallel")]
    may_scale: bool,
}

impl Span {
    /// Creates a span, corrected by the number of frames in the animation (rules H2, R3). The two upper bounds are compared
    /// as unsigned numbers, so a negative `low` becomes the last frame too.
    #[doc(alias = "set_animation_id")]
    pub(super) fn new(clip: ClipId, animation: &Animation, low: i32, high: i32) -> Self {
        let count = animation.frame_count() as u32;
        let last = count as i32 - 1;
        let mut high = if high < 0 { last } else { high };
        let low = if low as u32 >= count { last } else { low };
        if high as u32 >= count {
            high = last;
        }
        let hook_frames = |direction| {
            let fires = |frame: &usize| animation.hooks(*frame).iter().any(|hook| fires(hook, direction));
            (0..count as usize).filter(fires).fold(0, |bits, frame| bits | 1 << (frame % 64))
        };
        Self {
            clip,
            low,
            high: high.max(low),
            has_positions: !animation.position_frames().is_empty(),
            moves_straight: animation.position_frames().iter().all(is_straight),
            has_only_reports: hooks_of(animation).all(|hook| only_reports(&hook.effect)),
            forward_hook_frames: hook_frames(HookDirection::FORWARD),
            backward_hook_frames: hook_frames(HookDirection::BACKWARD),
            #[cfg(feature = "parallel")]
            may_scale: may_scale(animation),
        }
    }

    /// Returns `true` if a hook of the clip changes the scale of the body.
    #[cfg(feature = "parallel")]
    pub(crate) const fn may_scale(&self) -> bool {
        self.may_scale
    }

    /// Returns `true` if the hooks of the clip, if it has any, change nothing.
    #[inline]
    pub(crate) const fn has_only_reports(&self) -> bool {
        self.has_only_reports
    }

    /// Returns `true` if the position frames of the clip, if it has any, do not turn the body.
    #[inline]
    pub(crate) const fn is_straight(&self) -> bool {
        !self.has_positions || self.moves_straight
    }

    /// Returns `false` if no frame from `start` to before `end` has hooks that fire in forward play.
    #[inline]
    pub(crate) const fn may_have_hooks_in(&self, start: u32, end: u32) -> bool {
        let from_start = self.forward_hook_frames.rotate_right(start % 64);
        match end - start {
            count @ 0..64 => from_start & ((1 << count) - 1) != 0,
            _ => self.forward_hook_frames != 0,
        }
    }

    /// Returns the first frame at or after `start` that may have hooks that fire in forward play, `None` if no frame has
    /// any.
    #[inline]
    pub(crate) fn next_frame_with_hooks(&self, start: u32) -> Option<f64> {
        let from_start = self.forward_hook_frames.rotate_right(start % 64);
        (from_start != 0).then(|| f64::from(start) + f64::from(from_start.trailing_zeros()))
    }

    /// Returns `false` if a frame has no hooks that fire in a direction of play.
    #[inline]
    pub(crate) fn may_have_hooks(&self, frame: u32, direction: HookDirection) -> bool {
        let is_forward = direction == HookDirection::FORWARD;
        let frames = if is_forward { self.forward_hook_frames } else { self.backward_hook_frames };
        frames >> (frame % 64) & 1 != 0
    }
}

/// Returns `true` if a position frame moves the body without turning it.
fn is_straight(position: &Frame) -> bool {
    position.rotation == Quat::IDENTITY && position.origin.is_finite()
}

/// Iterates over the hooks of all frames of an animation.
fn hooks_of(animation: &Animation) -> impl Iterator<Item = &Hook> {
    (0..animation.frame_count()).flat_map(|frame| animation.hooks(frame))
}

/// Returns `true` if a hook of an animation changes the scale of the body, or plays a script that may.
#[cfg(feature = "parallel")]
fn may_scale(animation: &Animation) -> bool {
    hooks_of(animation).any(|hook| {
        use acmotion_dat::HookEffect::{CallPes, DefaultScript, Scale};
        matches!(hook.effect, Scale { .. } | CallPes { .. } | DefaultScript)
    })
}

#[cfg(test)]
mod tests {
    use acmotion_dat::{AnimationFrame, DataId, HookEffect};

    use super::*;

    #[test]
    fn frames_out_of_range_are_corrected() {
        let animation = Animation::new(DataId(1), None, vec![AnimationFrame::default(); 10]);
        let bounds = |low, high| {
            let span = Span::new(ClipId::default(), &animation, low, high);
            (span.low, span.high)
        };
        assert_eq!(bounds(0, -1), (0, 9), "−1 is the last frame");
        assert_eq!(bounds(50, 60), (9, 9), "both are out of range");
        assert_eq!(bounds(2, 7), (2, 7));
        assert_eq!(bounds(7, 2), (7, 7), "high is raised to low");
        assert_eq!(bounds(-3, 5), (9, 9), "a negative low becomes the last frame (R3)");
    }

    #[test]
    fn no_frame_with_hooks_is_passed_over() {
        let with_hooks = [0, 5, 62, 63, 64, 90];
        let frames = (0..100).map(|frame| {
            let hook = Hook { direction: HookDirection::FORWARD, effect: HookEffect::SoundTable(1) };
            let hooks = if with_hooks.contains(&frame) { vec![hook] } else { Vec::new() };
            AnimationFrame { hooks, ..AnimationFrame::default() }
        });
        let animation = Animation::new(DataId(1), None, frames.collect());
        let span = Span::new(ClipId::default(), &animation, 0, -1);
        for start in 0..100 {
            for end in start..=100 {
                let has_hooks = with_hooks.iter().any(|frame| (start..end).contains(frame));
                assert!(span.may_have_hooks_in(start, end) || !has_hooks, "{start}..{end}");
            }
        }
        assert!(!span.may_have_hooks_in(6, 26), "nor are others looked at, where that is known");
    }

    #[test]
    fn frames_count_whose_hooks_fire_in_the_direction_of_play() {
        let directions =
            [HookDirection::FORWARD, HookDirection::BACKWARD, HookDirection::BOTH, HookDirection(7)];
        let frames = directions.map(|direction| AnimationFrame {
            hooks: vec![Hook { direction, effect: HookEffect::SoundTable(1) }],
            ..AnimationFrame::default()
        });
        let span = Span::new(ClipId::default(), &Animation::new(DataId(1), None, frames.into()), 0, -1);
        let fire = |direction| [0, 1, 2, 3].map(|frame| span.may_have_hooks(frame, direction));
        assert_eq!(fire(HookDirection::FORWARD), [true, false, true, false]);
        assert_eq!(fire(HookDirection::BACKWARD), [false, true, true, false]);
        assert_eq!(
            [0, 1, 2, 3].map(|frame| span.may_have_hooks_in(frame, frame + 1)),
            [true, false, true, false]
        );
        assert_eq!([0, 1].map(|start| span.next_frame_with_hooks(start)), [Some(0.0), Some(2.0)]);
    }

    #[test]
    fn the_span_of_an_animation_without_frames_is_minus_one() {
        let animation = Animation::new(DataId(1), None, Vec::new());
        let span = Span::new(ClipId::default(), &animation, 0, -1);
        assert_eq!((span.low, span.high), (-1, -1));
    }

    /// A span of a clip with these position frames.
    fn moving(positions: Vec<Frame>) -> Span {
        let frames = vec![AnimationFrame::default(); positions.len()];
        Span::new(ClipId::default(), &Animation::new(DataId(1), Some(positions), frames), 0, -1)
    }

    #[test]
    fn a_clip_is_straight_if_no_frame_turns_the_body() {
        use acmotion_types::Vec3;

        let step = Frame::from_origin(Vec3::new(0.0, 0.1, 0.0));
        let turn = Frame::new(step.origin, Quat::from_axis_angle(Vec3::new(0.0, 0.0, 1.0), 0.1));
        let lost = Frame::from_origin(Vec3::new(0.0, f32::INFINITY, 0.0));
        let still = Span::new(
            ClipId::default(),
            &Animation::new(DataId(1), None, vec![AnimationFrame::default(); 2]),
            0,
            -1,
        );
        assert!(!still.has_positions && still.is_straight());
        let straight = moving(vec![step, step]);
        assert!(straight.has_positions && straight.is_straight());
        assert!(!moving(vec![step, turn]).is_straight());
        assert!(!moving(vec![lost, step]).is_straight(), "a step that is not finite");
    }

    /// Frame 64 and frame 0 share a bit.
    #[test]
    fn the_next_frame_with_hooks_is_found_past_64_frames() {
        let frames = (0..130).map(|frame| AnimationFrame {
            hooks: match frame {
                66 => vec![Hook { direction: HookDirection::FORWARD, effect: HookEffect::SoundTable(1) }],
                70 => vec![Hook { direction: HookDirection::BACKWARD, effect: HookEffect::SoundTable(1) }],
                _ => Vec::new(),
            },
            ..AnimationFrame::default()
        });
        let animation = Animation::new(DataId(1), None, frames.collect());
        let span = Span::new(ClipId::default(), &animation, 0, -1);
        let next = |start| span.next_frame_with_hooks(start);
        assert_eq!([60, 65, 66].map(next), [Some(66.0); 3]);
        assert_eq!(next(67), Some(130.0), "it may have some: the bit is that of frame 66");
        assert!(span.may_have_hooks(66, HookDirection::FORWARD));
        assert!(!span.may_have_hooks(66, HookDirection::BACKWARD));
        assert!(
            span.may_have_hooks(70, HookDirection::BACKWARD)
                && !span.may_have_hooks(70, HookDirection::FORWARD)
        );
        let none = moving(vec![Frame::IDENTITY]);
        assert_eq!(none.next_frame_with_hooks(0), None);
        assert!(span.has_only_reports() && none.has_only_reports(), "a sound changes nothing");
    }

    #[cfg(feature = "parallel")]
    #[test]
    fn a_clip_that_may_scale_the_body_is_known() {
        let with = |effect| {
            let hooks = vec![Hook { direction: HookDirection::BOTH, effect }];
            let frames =
                vec![AnimationFrame::default(), AnimationFrame { hooks, ..AnimationFrame::default() }];
            Span::new(ClipId::default(), &Animation::new(DataId(1), None, frames), 0, -1).may_scale()
        };
        assert!(with(HookEffect::Scale { end: 2.0, time: 1.0 }));
        assert!(with(HookEffect::CallPes { script: DataId(0x3300_0001), pause: 0.0 }));
        assert!(with(HookEffect::DefaultScript));
        assert!(!with(HookEffect::SoundTable(1)));
    }
}
