//! Models: the part of a setup that poses need.

use acmotion_dat::{Animation, AnimationFrame, DataId, PartLocation, Setup};

use super::{ClipId, SpanId};

/// The part of a setup that poses need: the number of parts, the placements, the holding locations, the default animation.
///
/// ```
/// use acmotion::Library;
/// use acmotion::components::{Clip, Model, Placement};
/// use acmotion::dat::{Assets, mannequin};
///
/// # fn main() -> Result<(), acmotion::dat::DatError> {
/// let mut library = Library::new();
/// let sword = library.load_model(&Assets::mannequin(), mannequin::SWORD_SETUP)?;
/// let model: &Model = library.model(sword);
/// // A sword plays no animation. Its pose is the placement for where it lies or is held.
/// let Placement { clip, frame } = model.placement(0).expect("every setup has a default placement");
/// let poses: &Clip = library.clip(clip);
/// assert!((frame as usize) < poses.animation().frame_count());
/// assert_eq!(poses.animation().part_count(), model.part_count());
/// # Ok(())
/// # }
/// ```
#[derive(Clone, PartialEq, Debug)]
#[doc(alias = "CPartArray")]
pub struct Model {
    id: DataId,
    part_count: usize,
    default_span: Option<SpanId>,
    default_script: Option<DataId>,
    placement_keys: Vec<i32>,
    placements: ClipId,
    holding_locations: Vec<PartLocation>,
}

/// The pose of a body that plays nothing (rule H15).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Placement {
    /// The clip whose frames are the setup's placements.
    pub clip: ClipId,
    /// The frame of that clip.
    pub frame: u32,
}

impl Model {
    pub(super) fn new(setup: &Setup, default_span: Option<SpanId>, placements: ClipId) -> Self {
        Self {
            id: setup.id,
            part_count: setup.parts.len(),
            default_span,
            default_script: Some(setup.default_script).filter(|id| *id != DataId(0)),
            placement_keys: setup.placements.iter().map(|(key, _)| *key).collect(),
            placements,
            holding_locations: setup.holding_locations.clone(),
        }
    }

    /// Returns the id of the setup.
    pub fn id(&self) -> DataId {
        self.id
    }

    /// Returns the number of parts of the body.
    pub fn part_count(&self) -> usize {
        self.part_count
    }

    /// Returns the default animation, if the setup has one (rule H16).
    pub fn default_span(&self) -> Option<SpanId> {
        self.default_span
    }

    /// Returns the default physics script, 0x33, if the setup has one.
    pub fn default_script(&self) -> Option<DataId> {
        self.default_script
    }

    /// Returns the placement of a key, else that of key 0, else `None` (rule H15).
    #[doc(alias = "set_placement_frame")]
    pub fn placement(&self, key: i32) -> Option<Placement> {
        let find = |wanted| self.placement_keys.iter().position(|key| *key == wanted);
        let frame = find(key).or_else(|| find(0))?;
        Some(Placement { clip: self.placements, frame: frame as u32 })
    }

    /// Returns the location of a key at which the body holds objects, `None` if it has no such location.
    #[doc(alias = "HoldingLocation")]
    pub fn holding_location(&self, key: i32) -> Option<&PartLocation> {
        self.holding_locations.iter().find(|location| location.key == key)
    }
}

/// Returns the setup's placements as the frames of an animation, so that they are posed like one.
pub(super) fn placement_animation(setup: &Setup) -> Animation {
    let parts = setup.parts.len();
    let frame = |placement: &AnimationFrame| AnimationFrame {
        parts: placement.parts.iter().copied().take(parts).collect(),
        hooks: Vec::new(),
    };
    Animation::new(setup.id, None, setup.placements.iter().map(|(_, placement)| frame(placement)).collect())
}
