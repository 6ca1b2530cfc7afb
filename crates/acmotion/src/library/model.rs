//! Models: what a body's setup says about posing it.

use acmotion_dat::{Animation, AnimationFrame, DataId, Setup};

use super::{ClipId, SpanId};

/// What a setup says about posing a body: its parts, how it stands, what it plays by itself.
#[derive(Clone, PartialEq, Debug)]
#[doc(alias = "CPartArray")]
pub struct Model {
    id: DataId,
    part_count: usize,
    default_span: Option<SpanId>,
    placement_keys: Vec<i32>,
    placements: ClipId,
}

/// How a body stands while it plays nothing (rule H15).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Placement {
    /// The clip that has the setup's placements as its frames.
    pub clip: ClipId,
    /// Which of them.
    pub frame: u32,
}

impl Model {
    pub(super) fn new(setup: &Setup, default_span: Option<SpanId>, placements: ClipId) -> Self {
        Self {
            id: setup.id,
            part_count: setup.parts.len(),
            default_span,
            placement_keys: setup.placements.iter().map(|(key, _)| *key).collect(),
            placements,
        }
    }

    /// The setup's id.
    pub fn id(&self) -> DataId {
        self.id
    }

    /// How many parts the body has.
    pub fn part_count(&self) -> usize {
        self.part_count
    }

    /// What it plays by itself (rule H16).
    pub fn default_span(&self) -> Option<SpanId> {
        self.default_span
    }

    /// The placement of that key, else that of key 0, else none (rule H15).
    #[doc(alias = "set_placement_frame")]
    pub fn placement(&self, key: i32) -> Option<Placement> {
        let find = |key| self.placement_keys.iter().position(|own| *own == key);
        let frame = find(key).or_else(|| find(0))?;
        Some(Placement { clip: self.placements, frame: frame as u32 })
    }
}

/// The setup's placements as the frames of an animation, so that they are posed like one.
pub(super) fn placement_animation(setup: &Setup) -> Animation {
    let parts = setup.parts.len();
    let frame = |placement: &AnimationFrame| AnimationFrame {
        parts: placement.parts.iter().copied().take(parts).collect(),
        hooks: Vec::new(),
    };
    Animation::new(setup.id, None, setup.placements.iter().map(|(_, placement)| frame(placement)).collect())
}
