//! Building the row of nodes and taking it apart (rules H5–H7).

use acmotion_types::Vec3;

use super::carry::Carry;
use super::{AnimNode, Index, Sequence};
use crate::library::{Library, Model, SpanId};

/// The rate at which a setup's own animation plays (rule H16).
const DEFAULT_FRAMERATE: f32 = 30.0;

impl Sequence {
    /// Adds a node at the end and makes it the one that loops; if nothing plays, play begins at the first (rule H5).
    #[doc(alias = "append_animation")]
    pub fn append(&mut self, library: &Library, span: SpanId, framerate: f32) {
        self.nodes.push_pooled(AnimNode::new(span, framerate), library.spare_nodes());
        self.first_cyclic = Index::at(self.nodes.len() - 1);
        if self.current == Index::NONE {
            self.play_from_start(library, 0);
        }
    }

    /// Removes what loops. If it was playing, the node before it is current again, at its end (rule H6).
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

    /// Removes up to `count` nodes from before the one that loops. If one of them was playing, the loop begins (rule H7).
    #[doc(alias = "remove_link_animations")]
    pub fn remove_links(&mut self, library: &Library, count: u32) {
        let Some(first) = self.first_cyclic.get() else { return };
        let count = first.min(count as usize);
        let start = first - count;
        self.nodes.remove_range(start, first);
        self.first_cyclic = Index::at(start);
        match self.current.get() {
            Some(current) if current >= first => self.current = self.current.moved_down(count as u32),
            Some(current) if current >= start => self.play_from_start(library, start),
            _ => {}
        }
    }

    /// Removes every node before the one that loops (rule H7).
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

    /// No velocity, no turn (rule H7).
    pub fn clear_physics(&mut self) {
        self.set_physics(Vec3::ZERO, Vec3::ZERO);
    }

    /// Nothing at all, not even a placement (rule H7).
    pub fn clear(&mut self) {
        self.clear_animations();
        self.clear_physics();
        self.placement = None;
    }

    /// Replaces velocity and turn.
    #[doc(alias = "set_velocity")]
    #[doc(alias = "set_omega")]
    pub fn set_physics(&mut self, velocity: Vec3, omega: Vec3) {
        self.velocity = velocity;
        self.omega = omega;
        self.carry = Carry::UNKNOWN;
    }

    /// Adds to velocity and turn.
    pub fn combine_physics(&mut self, velocity: Vec3, omega: Vec3) {
        self.set_physics(self.velocity + velocity, self.omega + omega);
    }

    /// Takes from velocity and turn.
    pub fn subtract_physics(&mut self, velocity: Vec3, omega: Vec3) {
        self.set_physics(self.velocity - velocity, self.omega - omega);
    }

    /// Plays what loops faster or slower (rules G6, H3). A negative factor, which the motion table never gives, also makes
    /// low and high change places.
    #[doc(alias = "multiply_cyclic_animation_framerate")]
    pub fn multiply_cyclic_framerate(&mut self, factor: f32) {
        let Some(first) = self.first_cyclic.get() else { return };
        for index in first..self.nodes.len() {
            if let Some(node) = self.nodes.get_mut(index) {
                node.multiply_framerate(factor);
            }
        }
    }

    /// Begins as a body of that model does: standing in its placement of that key (rule H15), and playing the setup's
    /// own animation if it has one (rule H16).
    #[doc(alias = "InitDefaults")]
    pub fn play_default(&mut self, library: &Library, model: &Model, placement: i32) {
        self.placement = model.placement(placement);
        if let Some(span) = model.default_span() {
            self.clear_animations();
            self.append(library, span, DEFAULT_FRAMERATE);
        }
    }

    /// Frees the head of nodes that are over: neither current nor looping (rule H8).
    #[doc(alias = "apricot")]
    #[inline]
    pub(super) fn drop_finished(&mut self) {
        let count = self.current.0.min(self.first_cyclic.0);
        if count > 0 && count != Index::NONE.0 {
            self.nodes.remove_range(0, count as usize);
            self.current = self.current.moved_down(count);
            self.first_cyclic = self.first_cyclic.moved_down(count);
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
