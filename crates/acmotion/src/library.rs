//! What all bodies share: clips, spans of clips and tables, resolved once and then only read.

mod clip;
mod model;
mod span;

use std::collections::BTreeMap;
use std::num::NonZeroU32;
use std::sync::Arc;

use acmotion_dat::{Animation, Assets, DatError, DataId, MotionTable, Setup};

pub use clip::{Clip, ClipId};
pub use model::{Model, Placement};
pub use span::{Span, SpanId};

use crate::sequence::AnimNode;
use crate::small_list::Pool;
use crate::table::Table;

/// Which table of a [`Library`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct TableId(NonZeroU32);

/// Which model of a [`Library`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ModelId(NonZeroU32);

/// Where animations come from when a table or a setup is taken in.
pub trait Animations {
    /// The animation of that id. One that is not there or damaged is missing to the engine (rule H2).
    ///
    /// # Errors
    /// When it is not there or damaged.
    fn animation(&self, id: DataId) -> Result<Arc<Animation>, DatError>;
}

impl Animations for Assets {
    fn animation(&self, id: DataId) -> Result<Arc<Animation>, DatError> {
        Self::animation(self, id)
    }
}

/// Everything that bodies share. Fill it when bodies are created; stepping them only reads it and never looks anything
/// up by id, so any number of threads can do so at a time.
///
/// The handles it gives ([`TableId`], [`ModelId`], [`SpanId`], [`ClipId`]) are its own: using them with another library
/// plays the wrong thing or panics.
#[derive(Default, Debug)]
pub struct Library {
    clips: Vec<Clip>,
    spans: Vec<Span>,
    tables: Vec<Table>,
    models: Vec<Model>,
    clip_ids: BTreeMap<DataId, Option<ClipId>>,
    span_ids: BTreeMap<(ClipId, i32, i32), SpanId>,
    table_ids: BTreeMap<DataId, TableId>,
    model_ids: BTreeMap<DataId, ModelId>,
    missing: Vec<(DataId, DatError)>,
    spare_nodes: Pool<AnimNode>,
}

impl Library {
    /// An empty library.
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes in a motion table with its animations, or finds it if it is in already.
    ///
    /// # Errors
    /// When the table itself is not there or damaged. Animations that are do not stop it: see
    /// [`missing`](Self::missing).
    pub fn load_table(&mut self, assets: &Assets, id: DataId) -> Result<TableId, DatError> {
        match self.table_ids.get(&id) {
            Some(known) => Ok(*known),
            None => Ok(self.add_table(&*assets.motion_table(id)?, assets)),
        }
    }

    /// Takes in a motion table that is at hand, with its animations. It replaces one of the same id for those who ask
    /// from now on.
    pub fn add_table(&mut self, table: &MotionTable, animations: &impl Animations) -> TableId {
        let resolved = Table::resolve(table, &mut |anim| {
            let clip = self.find_clip(anim.animation, animations)?;
            Some(self.span(clip, anim.low, anim.high))
        });
        self.tables.push(resolved);
        let id = TableId(handle(self.tables.len()));
        self.table_ids.insert(table.id, id);
        id
    }

    /// Takes in a setup with its own animation and its placements, or finds it if it is in already.
    ///
    /// # Errors
    /// When the setup itself is not there or damaged.
    pub fn load_model(&mut self, assets: &Assets, id: DataId) -> Result<ModelId, DatError> {
        match self.model_ids.get(&id) {
            Some(known) => Ok(*known),
            None => Ok(self.add_model(&*assets.setup(id)?, assets)),
        }
    }

    /// Takes in a setup that is at hand. It replaces one of the same id for those who ask from now on.
    pub fn add_model(&mut self, setup: &Setup, animations: &impl Animations) -> ModelId {
        let default_clip = match setup.default_animation {
            DataId(0) => None,
            id => self.find_clip(id, animations),
        };
        let default_span = default_clip.map(|clip| self.span(clip, 0, -1));
        let placements = self.push_clip(Arc::new(model::placement_animation(setup)));
        self.models.push(Model::new(setup, default_span, placements));
        let id = ModelId(handle(self.models.len()));
        self.model_ids.insert(setup.id, id);
        id
    }

    /// Takes in an animation that is at hand. It replaces one of the same id for tables taken in from now on.
    pub fn add_animation(&mut self, animation: Arc<Animation>) -> ClipId {
        let id = animation.id();
        let clip = self.push_clip(animation);
        self.clip_ids.insert(id, Some(clip));
        clip
    }

    /// Frames `low` to `high` of a clip, set right as the original does (rule H2): −1 is the last frame, and what lies
    /// outside is moved to the last frame.
    pub fn span(&mut self, clip: ClipId, low: i32, high: i32) -> SpanId {
        let span = Span::new(clip, self.clip(clip).animation(), low, high);
        *self.span_ids.entry((clip, span.low, span.high)).or_insert_with(|| {
            self.spans.push(span);
            SpanId::at(self.spans.len() - 1)
        })
    }

    /// A table.
    ///
    /// # Panics
    /// If the handle is of another library.
    #[inline]
    pub fn table(&self, id: TableId) -> &Table {
        &self.tables[id.0.get() as usize - 1]
    }

    /// A model.
    ///
    /// # Panics
    /// If the handle is of another library.
    #[inline]
    pub fn model(&self, id: ModelId) -> &Model {
        &self.models[id.0.get() as usize - 1]
    }

    /// A clip.
    ///
    /// # Panics
    /// If the handle is of another library.
    #[inline]
    pub fn clip(&self, id: ClipId) -> &Clip {
        &self.clips[id.index()]
    }

    /// A span of a clip.
    ///
    /// # Panics
    /// If the handle is of another library.
    #[inline]
    pub fn span_of(&self, id: SpanId) -> &Span {
        &self.spans[id.index()]
    }

    /// Animations that tables and setups name but that could not be had, and why. Their nodes are left out of what is
    /// played (rule H2).
    pub fn missing(&self) -> &[(DataId, DatError)] {
        &self.missing
    }

    /// Converts every clip for posing now, rather than each when a body first shows it.
    pub fn prepare_poses(&self) {
        for clip in &self.clips {
            clip.matrices();
        }
    }

    /// Room for the nodes of sequences that are longer than usual.
    pub(crate) fn spare_nodes(&self) -> &Pool<AnimNode> {
        &self.spare_nodes
    }

    fn find_clip(&mut self, id: DataId, animations: &impl Animations) -> Option<ClipId> {
        if let Some(known) = self.clip_ids.get(&id) {
            return *known;
        }
        let clip = match animations.animation(id) {
            Ok(animation) => Some(self.push_clip(animation)),
            Err(error) => {
                self.missing.push((id, error));
                None
            }
        };
        self.clip_ids.insert(id, clip);
        clip
    }

    fn push_clip(&mut self, animation: Arc<Animation>) -> ClipId {
        self.clips.push(Clip::new(animation));
        ClipId::at(self.clips.len() - 1)
    }
}

/// The handle of the last of `count` things.
fn handle(count: usize) -> NonZeroU32 {
    NonZeroU32::MIN.saturating_add(count as u32 - 1)
}
