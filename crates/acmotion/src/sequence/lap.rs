//! The step past the end of the only node, which loops. A body that runs takes it once in every cycle.

use std::ops::Range;

use acmotion_types::{EPS, Frame};

use super::step::{advanced, floor};
use super::{HookBuffer, Sequence};
use crate::library::Library;

/// The maximum number of frames that such a step crosses. Rule R1 limits longer ones.
const MAX_FRAMES: u32 = 64;

impl Sequence {
    /// Advances by `quantum` seconds past the end of a node that loops, and moves an offset that is the identity, as the
    /// general way does (rules H9–H12). Returns `false`, with nothing done, unless the only node plays forwards, its root
    /// motion does not turn, and the step ends within its next round.
    ///
    /// The general way plays the frames up to the last, without leaving that, applies the root motion of the first when it
    /// enters the node again, and plays on for the time that is left. As long as nothing turns, root motion is a plain sum.
    pub(super) fn step_round_loop(
        &mut self,
        library: &Library,
        quantum: f32,
        offset: &mut Frame,
        hooks: Option<&mut HookBuffer>,
    ) -> bool {
        let Some(node) = self.nodes.first().filter(|_| self.nodes.len() == 1) else { return false };
        let span = library.span_of(node.span());
        let plays_forwards = quantum > 0.0 && node.framerate > EPS && self.frame >= 0.0;
        let (low, high) = node.swapped(span.low, span.high);
        if !plays_forwards || !span.is_straight() || !(0..=high).contains(&low) {
            return false;
        }
        self.cache_frame_offset(node.framerate);
        let reached = advanced(self.frame, node.framerate, quantum);
        let over = (reached - f64::from(high) - 1.0).max(0.0);
        // By way of the time that is left, as in the general way: otherwise rounding would make a difference.
        let time_left = over / f64::from(node.framerate);
        let frame = f64::from(low) + f64::from(node.framerate) * time_left;
        let before_end = floor(self.frame) as u32..high as u32;
        let in_next_round = low as u32..floor(frame) as u32;
        let is_short = before_end.len() < MAX_FRAMES as usize;
        let end = f64::from(high) + 1.0;
        let is_next_round = reached >= end && frame < end;
        if !is_short || !is_next_round || self.frame_offset.straight_at(node.framerate).is_none() {
            return false;
        }
        self.frame = frame;
        if let Some(hooks) = hooks {
            for frames in [before_end.clone(), in_next_round.clone()] {
                if span.may_have_hooks_in(frames.start, frames.end.max(frames.start)) {
                    hooks.frames_left(library, span, frames);
                }
            }
        }
        let positions = library.clip(span.clip).animation().position_frames();
        let entered: Range<u32> = low as u32..low as u32 + 1;
        for frames in [before_end, entered, in_next_round] {
            self.sum_straight_frames(&mut offset.origin, positions, frames);
        }
        if !offset.origin.is_finite() {
            *offset = Frame::IDENTITY;
        }
        self.nodes.tidy(library.spare_nodes());
        true
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use acmotion_dat::{Animation, AnimationFrame, DataId, Hook, HookDirection, HookEffect};
    use acmotion_types::{Quat, Vec3};
    use proptest::prelude::*;

    use super::*;

    /// A frame: how it moves the body, and in which direction of play its hook fires.
    type TestFrame = ([f32; 3], i32);

    fn animation(frames: &[TestFrame], has_positions: bool, turns: bool) -> Animation {
        let rotation = if turns { Quat { w: 0.8, x: 0.0, y: 0.0, z: 0.6 } } else { Quat::IDENTITY };
        let positions = frames.iter().map(|(way, _)| Frame::new(Vec3::from(*way), rotation)).collect();
        let with_hook = |(_, direction): &TestFrame| {
            let hook = Hook { direction: HookDirection(*direction), effect: HookEffect::SoundTable(1) };
            AnimationFrame { hooks: vec![hook], ..AnimationFrame::default() }
        };
        Animation::new(DataId(1), has_positions.then_some(positions), frames.iter().map(with_hook).collect())
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 512, ..ProptestConfig::default() })]

        #[test]
        fn a_step_round_the_loop_ends_as_in_the_general_way(
            frames in proptest::collection::vec(([-0.2_f32..0.2, -0.2_f32..0.2, -0.2_f32..0.2], -1..=2), 1..20),
            (has_positions, turns) in (any::<bool>(), proptest::bool::weighted(0.1)),
            (low, rate) in (0..4_i32, prop_oneof![8 => 5.0_f32..60.0, 1 => -30.0_f32..0.0, 1 => Just(400.0)]),
            (speed, spin) in (-2.0_f32..2.0, prop_oneof![4 => Just(0.0), 1 => -2.0_f32..2.0]),
            quanta in proptest::collection::vec(prop_oneof![4 => Just(1.0_f32 / 30.0), 1 => 0.001_f32..0.2], 60),
        ) {
            let mut library = Library::new();
            let clip = library.add_animation(Arc::new(animation(&frames, has_positions, turns)));
            let span = library.span(clip, low, -1);
            let mut short = Sequence::new();
            short.append(&library, span, rate);
            short.set_physics(Vec3::new(0.0, speed, 0.0), Vec3::new(0.0, 0.0, spin));
            let mut general = short.clone();
            let mut rounds = 0;
            let played = rate * quanta.iter().sum::<f32>();
            for quantum in quanta {
                let (mut short_hooks, mut general_hooks) = (HookBuffer::new(), HookBuffer::new());
                let (mut short_offset, mut general_offset) = (Frame::IDENTITY, Frame::IDENTITY);
                general.step(&library, quantum, Some(&mut general_offset), Some(&mut general_hooks));
                if short.step_round_loop(&library, quantum, &mut short_offset, Some(&mut short_hooks)) {
                    rounds += 1;
                } else {
                    short_offset = short.advance(&library, quantum, Some(&mut short_hooks));
                }
                prop_assert_eq!(format!("{:?}", short_offset), format!("{:?}", general_offset));
                prop_assert_eq!(&short, &general);
                prop_assert_eq!(short_hooks.events(), general_hooks.events());
            }
            let is_long_enough = (5.0..60.0).contains(&rate) && played > frames.len() as f32 + 1.0;
            let is_ordinary = is_long_enough && !(turns && has_positions) && spin == 0.0;
            prop_assert!(!is_ordinary || rounds > 0, "never past the end");
        }
    }
}
