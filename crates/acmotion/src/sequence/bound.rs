//! What a sequence can do at most in one step, for the tick on several cores (feature `parallel`).

use acmotion_types::EPS;

use super::{AnimNode, Sequence};
use crate::library::{Clip, Library};

/// The number of frames that a step may cross in a node beyond those that its rate allows for: one that had nearly passed,
/// and one more wherever the node is entered or left (rule H11).
const EXTRA_FRAMES: f32 = 3.0;

impl Sequence {
    /// Returns `true` if a hook of an animation that plays, or is about to, changes the scale of the body.
    pub(crate) fn may_scale(&self, library: &Library) -> bool {
        self.nodes.iter().any(|node| library.span_of(node.span()).may_scale())
    }

    /// Returns a distance, in metres, that the root motion of one step of `quantum` seconds does not exceed; infinite if
    /// there is none. Position frames, and velocity for each crossed frame (rule H10), add up to it where they all point in
    /// the same direction.
    pub(crate) fn max_root_motion(&self, library: &Library, quantum: f32) -> f32 {
        let velocity = self.velocity.length();
        if self.nodes.is_empty() {
            return velocity * quantum;
        }
        let of_node = |node: AnimNode| {
            let rate = node.framerate.abs();
            let frames = rate * quantum + EXTRA_FRAMES;
            let step = library.clip(library.span_of(node.span()).clip).reach().step;
            // At a rate of almost 0 the velocity applies for the whole time (rule H9.4).
            let by_velocity = if rate > EPS { frames * (velocity / rate) } else { velocity * quantum };
            frames * step + by_velocity
        };
        let bound: f32 = self.nodes.iter().map(of_node).sum();
        if bound.is_nan() { f32::INFINITY } else { bound }
    }

    /// Returns `true` if its root motion may tilt the body.
    pub(crate) fn may_tilt(&self, library: &Library) -> bool {
        let turns = |omega: f32| omega != 0.0;
        turns(self.omega.x) || turns(self.omega.y) || self.clips(library).any(|clip| clip.reach().tilts)
    }

    /// Returns the maximum distance, in metres and unscaled, of a part from the body's origin in the animations that play, or
    /// are about to; 0 if there are none.
    pub(crate) fn max_part_distance(&self, library: &Library) -> f32 {
        self.clips(library).map(|clip| clip.reach().parts).fold(0.0, f32::max)
    }

    fn clips<'l>(&self, library: &'l Library) -> impl Iterator<Item = &'l Clip> {
        self.nodes.iter().map(|node| library.clip(library.span_of(node.span()).clip))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use acmotion_dat::{Animation, AnimationFrame, DataId, Hook, HookDirection, HookEffect};
    use acmotion_types::{Frame, Quat, Vec3};
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;
    use crate::library::SpanId;

    /// Adds a clip with these steps and turns as its position frames; none for an empty list.
    fn clip(library: &mut Library, number: u32, steps: &[(f32, f32, f32)], frames: usize) -> SpanId {
        let position = |(x, y, turn): &(f32, f32, f32)| {
            let rotation = Quat::from_axis_angle(Vec3::new(0.0, 0.0, 1.0), *turn);
            Frame::new(Vec3::new(*x, *y, 0.0), rotation)
        };
        let positions: Vec<Frame> = steps.iter().map(position).collect();
        let frames =
            vec![AnimationFrame::default(); if positions.is_empty() { frames } else { positions.len() }];
        let positions = Some(positions).filter(|positions| !positions.is_empty());
        let id = library.add_animation(Arc::new(Animation::new(DataId(number), positions, frames)));
        library.span(id, 0, -1)
    }

    proptest! {
        /// Whatever plays, at whatever rate, from wherever.
        #[test]
        fn no_step_exceeds_the_bound(
            nodes in vec((vec((-1.0f32..1.0, -1.0f32..1.0, -1.0f32..1.0), 0..5), 1usize..6, -60.0f32..90.0), 0..5),
            rates in vec(prop_oneof![Just(0.0f32), Just(30.0), Just(1e-5), -3.0f32..3.0], 5),
            velocity in (-5.0f32..5.0, -5.0f32..5.0),
            omega in -6.0f32..6.0,
            before in 0.0f32..1.5,
            quantum in 0.0f32..0.2,
        ) {
            let mut library = Library::new();
            let mut sequence = Sequence::new();
            for (number, (steps, frames, rate)) in (1..).zip(&nodes) {
                let span = clip(&mut library, number, steps, *frames);
                let special = rates[number as usize % 5];
                let rate = if number % 2 == 0 && special.abs() < 4.0 { special } else { *rate };
                sequence.append(&library, span, rate);
            }
            sequence.set_physics(Vec3::new(velocity.0, velocity.1, 0.0), Vec3::new(0.0, 0.0, omega));
            sequence.update(&library, before, None, None);
            let bound = sequence.max_root_motion(&library, quantum);
            let offset = sequence.advance(&library, quantum, None);
            let moved = offset.origin.length();
            prop_assert!(moved <= bound * 1.000_01 + 1e-5, "{moved} m, more than {bound}");
        }
    }

    /// A run of 4 m/s at 30 frames a second: 3 frames more than the one of a tick.
    #[test]
    fn the_bound_of_a_run_is_small() {
        let mut library = Library::new();
        let span = clip(&mut library, 1, &[], 20);
        let mut sequence = Sequence::new();
        sequence.append(&library, span, 30.0);
        sequence.set_physics(Vec3::new(0.0, 4.0, 0.0), Vec3::ZERO);
        let bound = sequence.max_root_motion(&library, 1.0 / 30.0);
        assert!((bound - 4.0 * 4.0 / 30.0).abs() < 1e-5, "{bound}");
    }

    /// Without nodes, or at a rate of almost 0, velocity applies for the whole time (rule H9.4).
    #[test]
    fn velocity_without_frames_is_bounded_by_the_time() {
        let mut library = Library::new();
        let span = clip(&mut library, 1, &[], 20);
        let mut sequence = Sequence::new();
        sequence.set_physics(Vec3::new(0.0, 4.0, 0.0), Vec3::ZERO);
        assert_eq!(sequence.max_root_motion(&library, 0.1), 4.0 * 0.1);
        sequence.append(&library, span, 0.0);
        assert_eq!(sequence.max_root_motion(&library, 0.1), 4.0 * 0.1);
    }

    #[test]
    fn only_a_sequence_with_a_hook_for_it_may_scale_the_body() {
        let mut library = Library::new();
        let hook = Hook { direction: HookDirection::BOTH, effect: HookEffect::Scale { end: 2.0, time: 1.0 } };
        let frame = AnimationFrame { hooks: vec![hook], ..AnimationFrame::default() };
        let scaling = library.add_animation(Arc::new(Animation::new(DataId(2), None, vec![frame])));
        let spans = [clip(&mut library, 1, &[], 20), library.span(scaling, 0, -1)];
        let mut sequence = Sequence::new();
        for (span, scales) in spans.into_iter().zip([false, true]) {
            sequence.append(&library, span, 30.0);
            assert_eq!(sequence.may_scale(&library), scales);
        }
    }
}
