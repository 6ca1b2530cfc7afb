//! Adding and removing nodes (rules H5–H7).

use acmotion_types::Vec3;

use super::physics::FrameOffset;
use super::{AnimNode, Index, Sequence};
use crate::library::{Library, Model, SpanId};
use crate::limits::MAX_SEQUENCE_NODES;

/// The rate, in frames a second, of a setup's default animation (rule H16).
const DEFAULT_FRAMERATE: f32 = 30.0;

impl Sequence {
    /// Appends a node, which now loops. If nothing plays, the first node starts (rule H5). If there are
    /// [`MAX_SEQUENCE_NODES`], the new node replaces the last.
    #[doc(alias = "append_animation")]
    pub fn append(&mut self, library: &Library, span: SpanId, framerate: f32) {
        if self.nodes.len() >= MAX_SEQUENCE_NODES {
            self.remove_cyclic(library);
        }
        self.nodes.push_pooled(AnimNode::new(span, framerate), library.spare_nodes());
        self.first_cyclic = Index::at(self.nodes.len() - 1);
        if self.current == Index::NONE {
            self.play_from_start(library, 0);
        }
    }

    /// Removes the looping node. If it was playing, the node before it becomes current, at its end (rule H6).
    #[doc(alias = "remove_cyclic_anims")]
    pub fn remove_cyclic(&mut self, library: &Library) {
        let Some(first) = self.first_cyclic.get() else { return };
        self.nodes.truncate(first);
        if self.current.get().is_some_and(|current| current >= first) {
            match first.checked_sub(1) {
                Some(before) => {
                    self.current = Index::at(before);
                    self.frame = self.nodes.get(before).map_or(0.0, |node| node.ending_frame(library));
                }
                None => self.play_nothing(),
            }
        }
        self.first_cyclic = first.checked_sub(1).map_or(Index::NONE, Index::at);
    }

    /// Removes up to `count` nodes before the looping one. If one of them was playing, the loop starts (rule H7).
    #[doc(alias = "remove_link_animations")]
    pub fn remove_links(&mut self, library: &Library, count: u32) {
        let Some(first) = self.first_cyclic.get() else { return };
        let count = first.min(count as usize);
        let start = first - count;
        self.nodes.remove_range(start, first);
        self.first_cyclic = Index::at(start);
        match self.current.get() {
            Some(current) if current >= first => self.current = self.current.shifted_down(count as u32),
            Some(current) if current >= start => self.play_from_start(library, start),
            _ => {}
        }
    }

    /// Removes every node before the looping one (rule H7).
    #[doc(alias = "remove_all_link_animations")]
    pub fn remove_all_links(&mut self, library: &Library) {
        self.remove_links(library, u32::MAX);
    }

    /// Removes every node (rule H7).
    pub fn clear_animations(&mut self) {
        self.nodes.clear();
        self.first_cyclic = Index::NONE;
        self.play_nothing();
    }

    /// Sets velocity and omega to zero (rule H7).
    pub fn clear_physics(&mut self) {
        self.set_physics(Vec3::ZERO, Vec3::ZERO);
    }

    /// Removes every node, velocity, omega and the placement (rule H7).
    pub fn clear(&mut self) {
        self.clear_animations();
        self.clear_physics();
        self.placement = None;
    }

    /// Replaces velocity and omega. One that is not finite, as at a speed that only a hostile server sends, counts as zero.
    #[doc(alias = "set_velocity")]
    #[doc(alias = "set_omega")]
    pub fn set_physics(&mut self, velocity: Vec3, omega: Vec3) {
        self.velocity = finite_or(velocity, Vec3::ZERO);
        self.omega = finite_or(omega, Vec3::ZERO);
        self.frame_offset = FrameOffset::UNKNOWN;
    }

    /// Adds to velocity and omega. A sum that is not finite is ignored.
    pub fn combine_physics(&mut self, velocity: Vec3, omega: Vec3) {
        let velocity = finite_or(self.velocity + velocity, self.velocity);
        self.set_physics(velocity, finite_or(self.omega + omega, self.omega));
    }

    /// Subtracts from velocity and omega. A difference that is not finite is ignored.
    pub fn subtract_physics(&mut self, velocity: Vec3, omega: Vec3) {
        self.combine_physics(-velocity, -omega);
    }

    /// Multiplies the rate of the looping node (rules G6, H3). A negative factor, which the motion table never gives, also
    /// swaps low and high.
    #[doc(alias = "multiply_cyclic_animation_framerate")]
    pub fn multiply_cyclic_framerate(&mut self, factor: f32) {
        let Some(first) = self.first_cyclic.get() else { return };
        for index in first..self.nodes.len() {
            if let Some(node) = self.nodes.get_mut(index) {
                node.multiply_framerate(factor);
            }
        }
    }

    /// Sets up the sequence of a new body: the model's placement of a key (rule H15), and the setup's default animation if
    /// it has one (rule H16).
    #[doc(alias = "InitDefaults")]
    pub fn play_default(&mut self, library: &Library, model: &Model, placement: i32) {
        self.placement = model.placement(placement);
        if let Some(span) = model.default_span() {
            self.clear_animations();
            self.append(library, span, DEFAULT_FRAMERATE);
        }
    }

    /// Removes finished nodes, which are neither current nor looping, from the head (rule H8).
    #[doc(alias = "apricot")]
    #[inline]
    pub(super) fn drop_finished(&mut self) {
        let count = self.current.0.min(self.first_cyclic.0);
        if count > 0 && count != Index::NONE.0 {
            self.nodes.remove_range(0, count as usize);
            self.current = self.current.shifted_down(count);
            self.first_cyclic = self.first_cyclic.shifted_down(count);
        }
    }

    fn play_from_start(&mut self, library: &Library, index: usize) {
        self.current = Index::at(index);
        self.frame = self.nodes.get(index).map_or(0.0, |node| node.starting_frame(library));
    }

    fn play_nothing(&mut self) {
        self.current = Index::NONE;
        self.frame = 0.0;
    }
}

/// Returns a vector if it is finite, else another.
fn finite_or(vector: Vec3, otherwise: Vec3) -> Vec3 {
    if vector.is_finite() { vector } else { otherwise }
}
