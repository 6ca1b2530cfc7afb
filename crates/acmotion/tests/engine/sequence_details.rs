//! Sequences in detail: how much one step can cross (rule H9), and how long their nodes take.

use std::sync::Arc;

use acmotion::dat::{Animation, AnimationFrame, DataId};
use acmotion::types::{Frame, Vec3};
use acmotion::{Library, Sequence};

/// A loop of frames 2 to 5 at a rate, whose velocity moves the body by one metre a frame.
fn metre_a_frame(rate: f32) -> (Library, Sequence) {
    let mut library = Library::new();
    let animation = Animation::new(DataId(1), None, vec![AnimationFrame::default(); 8]);
    let clip = library.add_animation(Arc::new(animation));
    let span = library.span(clip, 2, 5);
    let mut sequence = Sequence::new();
    sequence.append(&library, span, rate);
    sequence.set_physics(Vec3::new(0.0, rate.abs(), 0.0), Vec3::ZERO);
    (library, sequence)
}

/// A second at 32,768 frames a second is twice what a step crosses. After 16,384 frames the rest of the time is dropped: each
/// round counts its three crossed frames and its end.
#[test]
fn a_step_crosses_at_most_16384_frames() {
    for rate in [32_768.0, -32_768.0] {
        let (library, mut sequence) = metre_a_frame(rate);
        let mut offset = Frame::IDENTITY;
        sequence.update(&library, 1.0, Some(&mut offset), None);
        assert_eq!(offset.origin, Vec3::new(0.0, 16_384.0, 0.0), "{rate} frames a second");
        // A quarter of a second is within the bound.
        let (library, mut sequence) = metre_a_frame(rate);
        let mut offset = Frame::IDENTITY;
        sequence.update(&library, 0.25, Some(&mut offset), None);
        assert_eq!(offset.origin, Vec3::new(0.0, 8192.0, 0.0), "{rate} frames a second");
    }
}

/// A node that is passed once takes all of its frames, one that is played backwards an epsilon less (H4). At rate 0 it never
/// ends.
#[test]
fn the_duration_of_a_node_is_that_of_its_frames() {
    for (rate, seconds) in [(20.0, 0.2), (-20.0, (4.0 - 0.0002) / 20.0), (0.0, f64::INFINITY)] {
        let (library, sequence) = metre_a_frame(rate);
        let node = sequence.current(&library).expect("it plays");
        let apart = node.seconds() - seconds;
        assert!(node.seconds() == seconds || apart.abs() < 1e-6, "{rate}: {}", node.seconds());
    }
}
