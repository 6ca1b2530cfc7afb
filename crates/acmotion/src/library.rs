//! Data that all bodies share: clips, spans of clips, motion tables and models, resolved once and then only read.

mod clip;
mod model;
mod span;

use std::collections::BTreeMap;
use std::num::NonZeroU32;
use std::sync::Arc;

use acmotion_dat::{
    AnimData, Animation, Assets, DatError, DataId, HookEffect, MotionTable, PhysicsScript, Setup,
};

pub(crate) use clip::Ways;
pub use clip::{Clip, ClipId};
pub use model::{Model, Placement};
pub use span::{Span, SpanId};

#[cfg(feature = "serde")]
use crate::restore::Checksum;
use crate::sequence::AnimNode;
use crate::small_list::Pool;
use crate::table::{Anim, Table};

/// The handle of a motion table in a [`Library`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct TableId(NonZeroU32);

/// The handle of a model in a [`Library`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ModelId(NonZeroU32);

/// An object that was loaded from assets, by its id.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) enum Load {
    Table(DataId),
    Model(DataId),
    Script(DataId),
}

/// The source of animations, and of the scripts that they call, when a table or a setup is added. [`Assets`] are one. A tool
/// that makes animations itself implements it:
///
/// ```
/// use std::collections::BTreeMap;
/// use std::sync::Arc;
///
/// use acmotion::dat::{Animation, Assets, DatError, DataId, mannequin};
/// use acmotion::types::MotionCommand;
/// use acmotion::{Animations, Library};
///
/// /// The animations that an editor has open, on top of those of a file.
/// struct Edited {
///     open: BTreeMap<DataId, Arc<Animation>>,
///     saved: Assets,
/// }
///
/// impl Animations for Edited {
///     fn animation(&self, id: DataId) -> Result<Arc<Animation>, DatError> {
///         self.open.get(&id).map_or_else(|| self.saved.animation(id), |open| Ok(Arc::clone(open)))
///     }
/// }
///
/// # fn main() -> Result<(), DatError> {
/// let edited = Edited { open: BTreeMap::new(), saved: Assets::mannequin() };
/// let table = edited.saved.motion_table(mannequin::HUMAN_TABLE)?;
/// let mut library = Library::new();
/// let id = library.add_table(&table, &edited);
/// assert!(library.table(id).cycle(MotionCommand::NON_COMBAT, MotionCommand::RUN_FORWARD).is_some());
/// # Ok(())
/// # }
/// ```
pub trait Animations {
    /// Returns an animation. The engine treats one that does not exist or is damaged as missing (rule H2).
    ///
    /// # Errors
    /// If the animation does not exist or is damaged.
    fn animation(&self, id: DataId) -> Result<Arc<Animation>, DatError>;

    /// Returns a physics script. One that does not exist or is damaged is not played. By default there are none.
    ///
    /// # Errors
    /// If the script does not exist or is damaged.
    fn physics_script(&self, id: DataId) -> Result<Arc<PhysicsScript>, DatError> {
        Err(DatError::NotFound(id))
    }
}

impl Animations for Assets {
    fn animation(&self, id: DataId) -> Result<Arc<Animation>, DatError> {
        Self::animation(self, id)
    }

    fn physics_script(&self, id: DataId) -> Result<Arc<PhysicsScript>, DatError> {
        Self::physics_script(self, id)
    }
}

/// The data that all bodies share. It is filled when bodies are created. Stepping them only reads it and looks nothing up
/// by id, so any number of threads can do so at the same time.
///
/// Its handles ([`TableId`], [`ModelId`], [`SpanId`], [`ClipId`]) are valid only for this library: with another one they
/// give the wrong data or panic. A clone shares the data and has the same handles; what is loaded into one of them later is
/// not in the other.
///
/// ```
/// use acmotion::dat::{Assets, mannequin};
/// use acmotion::types::MotionCommand;
/// use acmotion::{Library, ModelId, Table, TableId};
///
/// # fn main() -> Result<(), acmotion::dat::DatError> {
/// let mut library = Library::new();
/// let id: TableId = library.load_table(&Assets::mannequin(), mannequin::HUMAN_TABLE)?;
/// let table: &Table = library.table(id);
/// assert_eq!(table.default_style(), MotionCommand::NON_COMBAT);
/// assert!(table.cycle(MotionCommand::NON_COMBAT, MotionCommand::RUN_FORWARD).is_some());
/// // Loading the same again gives the same handle.
/// let human: ModelId = library.load_model(&Assets::mannequin(), mannequin::HUMAN_SETUP)?;
/// assert_eq!(library.load_model(&Assets::mannequin(), mannequin::HUMAN_SETUP)?, human);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Default, Debug)]
pub struct Library {
    clips: Vec<Clip>,
    spans: Vec<Span>,
    tables: Vec<Arc<Table>>,
    models: Vec<Arc<Model>>,
    clip_ids: BTreeMap<DataId, Option<ClipId>>,
    span_ids: BTreeMap<(ClipId, i32, i32), SpanId>,
    table_ids: BTreeMap<DataId, TableId>,
    model_ids: BTreeMap<DataId, ModelId>,
    /// The physics scripts that hooks and setups call. `None` if one could not be loaded.
    scripts: BTreeMap<DataId, Option<Arc<PhysicsScript>>>,
    missing: Vec<(DataId, DatError)>,
    /// What was loaded from assets, in order: loading the same again gives the same handles.
    loads: Vec<Load>,
    spare_nodes: Pool<AnimNode>,
}

impl Library {
    /// Creates an empty library.
    pub fn new() -> Self {
        Self::default()
    }

    /// Loads a motion table with its animations, or finds it if it has been loaded.
    ///
    /// # Errors
    /// If the table itself does not exist or is damaged. For animations see [`missing`](Self::missing).
    pub fn load_table(&mut self, assets: &Assets, id: DataId) -> Result<TableId, DatError> {
        match self.table_ids.get(&id) {
            Some(known) => Ok(*known),
            None => {
                let table = assets.motion_table(id)?;
                self.loads.push(Load::Table(id));
                Ok(self.add_table(&table, assets))
            }
        }
    }

    /// Adds a decoded motion table and loads its animations. It replaces a table of the same id in later look-ups.
    pub fn add_table(&mut self, table: &MotionTable, animations: &impl Animations) -> TableId {
        let resolved = Table::resolve(table, &mut |anim| self.resolve(anim, animations));
        self.tables.push(Arc::new(resolved));
        let id = TableId(handle(self.tables.len()));
        self.table_ids.insert(table.id, id);
        id
    }

    /// Returns a motion table that has been loaded.
    pub(crate) fn find_table(&self, id: DataId) -> Option<TableId> {
        self.table_ids.get(&id).copied()
    }

    /// Returns a model that has been loaded.
    pub(crate) fn find_model(&self, id: DataId) -> Option<ModelId> {
        self.model_ids.get(&id).copied()
    }

    /// Loads a setup with its default animation, its default script and its placements, or finds it if it has been loaded.
    ///
    /// # Errors
    /// If the setup itself does not exist or is damaged.
    pub fn load_model(&mut self, assets: &Assets, id: DataId) -> Result<ModelId, DatError> {
        match self.model_ids.get(&id) {
            Some(known) => Ok(*known),
            None => {
                let setup = assets.setup(id)?;
                self.loads.push(Load::Model(id));
                Ok(self.add_model(&setup, assets))
            }
        }
    }

    /// Adds a decoded setup. It replaces a setup of the same id in later look-ups.
    pub fn add_model(&mut self, setup: &Setup, animations: &impl Animations) -> ModelId {
        let default_clip = match setup.default_animation {
            DataId(0) => None,
            id => self.find_clip(id, animations),
        };
        let default_span = default_clip.map(|clip| self.span(clip, 0, -1));
        if setup.default_script != DataId(0) {
            self.find_scripts(setup.default_script, animations);
        }
        let placements = self.push_clip(Arc::new(model::placement_animation(setup)));
        self.models.push(Arc::new(Model::new(setup, default_span, placements)));
        let id = ModelId(handle(self.models.len()));
        self.model_ids.insert(setup.id, id);
        id
    }

    /// Adds a decoded animation. It replaces an animation of the same id in tables added later.
    pub fn add_animation(&mut self, animation: Arc<Animation>) -> ClipId {
        let id = animation.id();
        let clip = self.push_clip(animation);
        self.clip_ids.insert(id, Some(clip));
        clip
    }

    /// Returns the span of frames `low` to `high` of a clip, corrected as in the original (rule H2): −1 is the last frame,
    /// and frames out of range become the last frame.
    pub fn span(&mut self, clip: ClipId, low: i32, high: i32) -> SpanId {
        let span = Span::new(clip, self.clip(clip).animation(), low, high);
        *self.span_ids.entry((clip, span.low, span.high)).or_insert_with(|| {
            self.spans.push(span);
            SpanId::at(self.spans.len() - 1)
        })
    }

    /// Resolves an animation of a motion, which is loaded if it is not in the library. One that does not exist or is damaged
    /// has no span (rule H2).
    pub fn resolve(&mut self, anim: &AnimData, animations: &impl Animations) -> Anim {
        let clip = self.find_clip(anim.animation, animations);
        Anim { span: clip.map(|clip| self.span(clip, anim.low, anim.high)), framerate: anim.framerate }
    }

    /// Returns a motion table.
    ///
    /// # Panics
    /// If the handle belongs to another library and is out of range.
    #[inline]
    pub fn table(&self, id: TableId) -> &Table {
        &self.tables[id.0.get() as usize - 1]
    }

    /// Returns a model.
    ///
    /// # Panics
    /// If the handle belongs to another library and is out of range.
    #[inline]
    pub fn model(&self, id: ModelId) -> &Model {
        &self.models[id.0.get() as usize - 1]
    }

    /// Returns a clip.
    ///
    /// # Panics
    /// If the handle belongs to another library and is out of range.
    #[inline(always)]
    pub fn clip(&self, id: ClipId) -> &Clip {
        &self.clips[id.index()]
    }

    /// Returns a span of a clip.
    ///
    /// # Panics
    /// If the handle belongs to another library and is out of range.
    #[inline(always)]
    pub fn span_of(&self, id: SpanId) -> &Span {
        &self.spans[id.index()]
    }

    /// Loads a physics script with all scripts that it calls, or finds it if it has been loaded.
    ///
    /// # Errors
    /// If the script itself does not exist or is damaged. Those that it calls are listed as [`missing`](Self::missing).
    pub fn load_script(&mut self, assets: &Assets, id: DataId) -> Result<Arc<PhysicsScript>, DatError> {
        if let Some(known) = self.script(id) {
            return Ok(Arc::clone(known));
        }
        // An id from outside that cannot be loaded is not remembered.
        let script = assets.physics_script(id)?;
        self.loads.push(Load::Script(id));
        self.add_script(Arc::clone(&script), assets);
        Ok(script)
    }

    /// Adds a decoded physics script and loads the scripts that it calls. It replaces a script of the same id.
    pub fn add_script(&mut self, script: Arc<PhysicsScript>, animations: &impl Animations) {
        let called: Vec<DataId> =
            script.hooks.iter().filter_map(|entry| called_script(&entry.hook.effect)).collect();
        self.scripts.insert(script.id, Some(script));
        for id in called {
            self.find_scripts(id, animations);
        }
    }

    /// Returns a physics script that has been loaded, `None` if it has not or could not be.
    pub fn script(&self, id: DataId) -> Option<&Arc<PhysicsScript>> {
        self.scripts.get(&id)?.as_ref()
    }

    /// Returns the animations and scripts that tables, setups and hooks refer to but that could not be loaded, and why.
    /// Nodes of missing animations are left out of sequences (rule H2); missing scripts are not played.
    pub fn missing(&self) -> &[(DataId, DatError)] {
        &self.missing
    }

    /// Converts every clip to matrices now, rather than when a body first shows it.
    pub fn prepare_poses(&self) {
        for clip in &self.clips {
            clip.matrices();
        }
    }

    /// Returns the pool for the nodes of sequences that are longer than usual.
    pub(crate) fn spare_nodes(&self) -> &Pool<AnimNode> {
        &self.spare_nodes
    }

    fn find_clip(&mut self, id: DataId, animations: &impl Animations) -> Option<ClipId> {
        if let Some(known) = self.clip_ids.get(&id) {
            return *known;
        }
        let clip = match animations.animation(id) {
            Ok(animation) => {
                let hooks = (0..animation.frame_count()).flat_map(|frame| animation.hooks(frame));
                let called: Vec<DataId> = hooks.filter_map(|hook| called_script(&hook.effect)).collect();
                for script in called {
                    self.find_scripts(script, animations);
                }
                Some(self.push_clip(animation))
            }
            Err(error) => {
                self.missing.push((id, error));
                None
            }
        };
        self.clip_ids.insert(id, clip);
        clip
    }

    /// Loads a script, and all that it calls, unless that has been done.
    fn find_scripts(&mut self, id: DataId, animations: &impl Animations) {
        let mut wanted = vec![id];
        while let Some(id) = wanted.pop() {
            if self.scripts.contains_key(&id) {
                continue;
            }
            let script = match animations.physics_script(id) {
                Ok(script) => {
                    wanted.extend(script.hooks.iter().filter_map(|entry| called_script(&entry.hook.effect)));
                    Some(script)
                }
                Err(error) => {
                    self.missing.push((id, error));
                    None
                }
            };
            self.scripts.insert(id, script);
        }
    }

    fn push_clip(&mut self, animation: Arc<Animation>) -> ClipId {
        self.clips.push(Clip::new(animation));
        ClipId::at(self.clips.len() - 1)
    }
}

#[cfg(feature = "serde")]
impl Library {
    /// What was loaded from assets, in order.
    pub(crate) fn loads(&self) -> &[Load] {
        &self.loads
    }

    /// Loads an object as it was loaded into another library.
    ///
    /// # Errors
    /// If the object does not exist or is damaged.
    pub(crate) fn load(&mut self, assets: &Assets, load: Load) -> Result<(), (DataId, DatError)> {
        match load {
            Load::Table(id) => self.load_table(assets, id).map(drop).map_err(|error| (id, error)),
            Load::Model(id) => self.load_model(assets, id).map(drop).map_err(|error| (id, error)),
            Load::Script(id) => self.load_script(assets, id).map(drop).map_err(|error| (id, error)),
        }
    }

    /// Returns a number that is the same for libraries whose handles mean the same: the animations with their numbers of
    /// frames and parts, the spans, the tables and the models.
    pub(crate) fn fingerprint(&self) -> u64 {
        let mut sum = Checksum::default();
        for clip in &self.clips {
            let animation = clip.animation();
            sum.add_all([animation.id().0, animation.frame_count() as u32, animation.part_count() as u32]);
        }
        for span in &self.spans {
            sum.add_all([span.clip.index() as u32, span.low.cast_unsigned(), span.high.cast_unsigned()]);
        }
        self.tables.iter().for_each(|table| sum.add_all([table.id().0]));
        self.models.iter().for_each(|model| sum.add_all([model.id().0, model.part_count() as u32]));
        sum.get()
    }

    pub(crate) fn has_table(&self, id: TableId) -> bool {
        id.0.get() as usize <= self.tables.len()
    }

    pub(crate) fn has_model(&self, id: ModelId) -> bool {
        id.0.get() as usize <= self.models.len()
    }

    pub(crate) fn has_clip(&self, id: ClipId) -> bool {
        id.index() < self.clips.len()
    }

    pub(crate) fn has_span(&self, id: SpanId) -> bool {
        id.index() < self.spans.len()
    }

    pub(crate) fn has_placement(&self, placement: Placement) -> bool {
        let frame = placement.frame as usize;
        self.has_clip(placement.clip) && frame < self.clip(placement.clip).animation().frame_count()
    }
}

/// Returns the script that an effect calls.
fn called_script(effect: &HookEffect) -> Option<DataId> {
    match effect {
        HookEffect::CallPes { script, .. } => Some(*script),
        _ => None,
    }
}

/// Returns the handle of the last of `count` elements.
fn handle(count: usize) -> NonZeroU32 {
    NonZeroU32::MIN.saturating_add(count as u32 - 1)
}

#[cfg(all(test, feature = "serde"))]
mod tests {
    use acmotion_dat::AnimationFrame;
    use acmotion_types::Frame;

    use super::*;

    struct NoAnimations;

    impl Animations for NoAnimations {
        fn animation(&self, id: DataId) -> Result<Arc<Animation>, DatError> {
            Err(DatError::NotFound(id))
        }
    }

    fn animation(id: u32, frames: usize, parts: usize) -> Arc<Animation> {
        let frame = AnimationFrame { parts: vec![Frame::IDENTITY; parts], ..AnimationFrame::default() };
        Arc::new(Animation::new(DataId(id), None, vec![frame; frames]))
    }

    /// A library with one of everything, changed by `change` before its fingerprint is taken.
    fn fingerprint<R>(change: impl FnOnce(&mut Library, ClipId) -> R) -> u64 {
        let mut library = Library::new();
        let clip = library.add_animation(animation(1, 10, 2));
        library.span(clip, 0, -1);
        change(&mut library, clip);
        library.fingerprint()
    }

    /// Handles mean the same only if all that they refer to is the same.
    #[test]
    fn a_fingerprint_depends_on_all_that_handles_refer_to() {
        let table = |id: u32| MotionTable { id: DataId(id), ..MotionTable::default() };
        let setup = |id: u32, parts: usize| Setup {
            id: DataId(id),
            parts: vec![DataId(1); parts],
            ..Setup::default()
        };
        let add_table = |library: &mut Library, id| library.add_table(&table(id), &NoAnimations);
        let add_model =
            |library: &mut Library, id, parts| library.add_model(&setup(id, parts), &NoAnimations);
        let prints = [
            fingerprint(|_, _| {}),
            fingerprint(|library, _| library.add_animation(animation(2, 10, 2))),
            fingerprint(|library, _| library.add_animation(animation(3, 10, 2))),
            fingerprint(|library, _| library.add_animation(animation(2, 11, 2))),
            fingerprint(|library, _| library.add_animation(animation(2, 10, 3))),
            fingerprint(|library, clip| library.span(clip, 1, -1)),
            fingerprint(|library, clip| library.span(clip, 0, 8)),
            fingerprint(|library, clip| library.span(clip, 1, 8)),
            fingerprint(|library, _| add_table(library, 1)),
            fingerprint(|library, _| add_table(library, 2)),
            fingerprint(|library, _| add_model(library, 1, 0)),
            fingerprint(|library, _| add_model(library, 2, 0)),
            fingerprint(|library, _| add_model(library, 1, 1)),
        ];
        for (index, print) in prints.iter().enumerate() {
            let same = prints.iter().position(|other| other == print);
            assert_eq!(same, Some(index), "the libraries {index} and {same:?} look the same");
        }
        assert_eq!(fingerprint(|_, _| {}), prints[0]);
    }

    /// A snapshot may name anything. What is there is found, and nothing else.
    #[test]
    fn a_library_knows_its_own_handles() {
        let mut larger = Library::new();
        let mut library = Library::new();
        for library in [&mut larger, &mut library] {
            let clip = library.add_animation(animation(1, 4, 1));
            library.span(clip, 0, -1);
            library.add_table(&MotionTable::default(), &NoAnimations);
            library.add_model(&Setup { id: DataId(1), ..Setup::default() }, &NoAnimations);
        }
        let (first, last) = (ClipId::at(0), ClipId::at(1));
        assert!(library.has_clip(first) && library.has_clip(last), "the placements of the model are one too");
        let clip = larger.add_animation(animation(2, 4, 1));
        let span = larger.span(clip, 0, -1);
        let table = larger.add_table(&MotionTable::default(), &NoAnimations);
        let model = larger.add_model(&Setup { id: DataId(2), ..Setup::default() }, &NoAnimations);
        assert!(larger.has_clip(clip) && !library.has_clip(clip));
        assert!(larger.has_span(span) && !library.has_span(span));
        assert!(larger.has_table(table) && !library.has_table(table));
        assert!(larger.has_model(model) && !library.has_model(model));
        assert!(library.has_span(SpanId::at(0)));
        let placement = |clip, frame| Placement { clip, frame };
        assert!(library.has_placement(placement(first, 3)));
        assert!(!library.has_placement(placement(first, 4)), "the clip has four frames");
        assert!(!library.has_placement(placement(last, 0)), "the model has no placements");
        assert!(!library.has_placement(placement(clip, 0)), "there is no such clip");
    }

    #[test]
    fn what_was_loaded_is_found_by_its_id() {
        let mut library = Library::new();
        assert_eq!((library.find_table(DataId(7)), library.find_model(DataId(7))), (None, None));
        let table =
            library.add_table(&MotionTable { id: DataId(7), ..MotionTable::default() }, &NoAnimations);
        let model = library.add_model(&Setup { id: DataId(7), ..Setup::default() }, &NoAnimations);
        assert_eq!(
            (library.find_table(DataId(7)), library.find_model(DataId(7))),
            (Some(table), Some(model))
        );
        assert!(library.loads().is_empty(), "what the caller adds is not loaded again");
        let assets = Assets::mannequin();
        library.load_table(&assets, acmotion_dat::mannequin::HUMAN_TABLE).unwrap();
        library.load_table(&assets, acmotion_dat::mannequin::HUMAN_TABLE).unwrap();
        library.load_model(&assets, acmotion_dat::mannequin::HUMAN_SETUP).unwrap();
        let expected = [
            Load::Table(acmotion_dat::mannequin::HUMAN_TABLE),
            Load::Model(acmotion_dat::mannequin::HUMAN_SETUP),
        ];
        assert_eq!(library.loads(), expected);
        let mut again = Library::new();
        for load in library.loads() {
            again.load(&assets, *load).unwrap();
        }
        assert_eq!(again.loads(), library.loads());
        let absent = DataId(0x0900_FFFF);
        assert!(matches!(again.load(&assets, Load::Table(absent)), Err((id, _)) if id == absent));
    }
}
