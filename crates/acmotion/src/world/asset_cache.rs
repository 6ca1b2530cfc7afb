//! Motion tables, setups and shapes of objects, loaded from the assets; the humanoid stands in for what is missing.

use std::collections::HashMap;
use std::sync::Arc;

use acmotion_dat::{Assets, DataId, mannequin};

use super::StandIn;
use super::collision_shape::CollisionShape;
use crate::collide::Shape;
use crate::interp::{RemoteWeenie, Weenie};
use crate::library::{Library, ModelId, TableId};

/// Loads and caches what objects share.
#[derive(Clone)]
pub(super) struct AssetCache {
    assets: Assets,
    /// The humanoid's motion table.
    table: Option<TableId>,
    /// The humanoid's model.
    model: Option<ModelId>,
    /// The humanoid's shape.
    shape: Arc<Shape>,
    /// The shapes of setups, as movers.
    shapes: HashMap<DataId, Arc<Shape>>,
    /// The shapes of setups, as obstacles.
    collision_shapes: HashMap<DataId, Arc<CollisionShape>>,
    creature: Arc<dyn Weenie>,
    object: Arc<dyn Weenie>,
}

/// The motion table, model and shape of an entity.
pub(super) struct Archetype {
    pub(super) table: Option<TableId>,
    pub(super) model: Option<ModelId>,
    pub(super) shape: Arc<Shape>,
    pub(super) stand_in: StandIn,
}

impl AssetCache {
    /// The humanoid is the human of the assets, or the mannequin if they have none.
    pub(super) fn new(assets: Assets, library: &mut Library) -> Self {
        let built_in = Assets::mannequin();
        let own = library.load_table(&assets, mannequin::HUMAN_TABLE);
        let table = own.or_else(|_| library.load_table(&built_in, mannequin::HUMAN_TABLE)).ok();
        let own = library.load_model(&assets, mannequin::HUMAN_SETUP);
        let model = own.or_else(|_| library.load_model(&built_in, mannequin::HUMAN_SETUP)).ok();
        let setup = assets.setup(mannequin::HUMAN_SETUP).or_else(|_| built_in.setup(mannequin::HUMAN_SETUP));
        let shape = setup.map_or_else(|_| Shape::human(), |setup| Shape::from_setup(&setup));
        Self {
            assets,
            table,
            model,
            shape: Arc::new(shape),
            shapes: HashMap::new(),
            collision_shapes: HashMap::new(),
            creature: Arc::new(RemoteWeenie::Creature),
            object: Arc::new(RemoteWeenie::Object),
        }
    }

    /// Returns the archetype for a motion table and a setup. What is missing from the assets is taken from the humanoid.
    pub(super) fn archetype(
        &mut self,
        library: &mut Arc<Library>,
        table: Option<u32>,
        setup: Option<u32>,
    ) -> Archetype {
        let shape = Arc::clone(&self.shape);
        let mut archetype = Archetype { table: None, model: self.model, shape, stand_in: StandIn::empty() };
        if let Some(id) = table.filter(|id| *id != 0) {
            let found = self.table(library, DataId(id));
            archetype.stand_in.set(StandIn::TABLE, found.is_none());
            archetype.table = found.or(self.table);
        }
        let setup = setup.and_then(|id| self.assets.setup(DataId(id)).ok());
        match setup {
            Some(setup) => {
                let shape =
                    self.shapes.entry(setup.id).or_insert_with(|| Arc::new(Shape::from_setup(&setup)));
                archetype.shape = Arc::clone(shape);
                archetype.model = self.model(library, setup.id);
            }
            None => archetype.stand_in.insert(StandIn::SETUP),
        }
        archetype
    }

    /// Finds or loads a motion table. A library that other worlds share is copied only if the table is new and exists: ids
    /// come from outside.
    fn table(&self, library: &mut Arc<Library>, id: DataId) -> Option<TableId> {
        if let Some(known) = library.find_table(id) {
            return Some(known);
        }
        self.assets.motion_table(id).ok()?;
        Arc::make_mut(library).load_table(&self.assets, id).ok()
    }

    /// Loads a script, like [`table`](Self::table).
    pub(super) fn load_script(&self, library: &mut Arc<Library>, id: DataId) {
        if library.script(id).is_none() && self.assets.physics_script(id).is_ok() {
            // The script exists. Those that it calls may be missing.
            let _ = Arc::make_mut(library).load_script(&self.assets, id);
        }
    }

    /// Finds or loads a model, like [`table`](Self::table).
    fn model(&self, library: &mut Arc<Library>, id: DataId) -> Option<ModelId> {
        let known = library.find_model(id);
        known.or_else(|| Arc::make_mut(library).load_model(&self.assets, id).ok())
    }

    /// Returns the assets.
    #[cfg(feature = "serde")]
    pub(super) fn assets(&self) -> &Assets {
        &self.assets
    }

    /// Returns the archetype of an object of which only the position is known.
    pub(super) fn humanoid(&self) -> Archetype {
        let shape = Arc::clone(&self.shape);
        Archetype { table: self.table, model: self.model, shape, stand_in: StandIn::all() }
    }

    /// Returns the shape of a model as an obstacle; from the mannequin's setup if the assets have none of that id. Empty if
    /// there is no model or no setup.
    pub(super) fn collision_shape(
        &mut self,
        library: &Library,
        model: Option<ModelId>,
    ) -> Arc<CollisionShape> {
        let Some(id) = model.map(|model| library.model(model).id()) else { return Arc::default() };
        let make = || {
            let own = self.assets.setup(id).map(|setup| CollisionShape::of_setup(&setup, &self.assets));
            let built_in = Assets::mannequin();
            own.or_else(|_| built_in.setup(id).map(|setup| CollisionShape::of_setup(&setup, &built_in)))
        };
        Arc::clone(
            self.collision_shapes
                .entry(id)
                .or_insert_with(|| make().map_or_else(|_| Arc::default(), Arc::new)),
        )
    }

    /// Returns the weenie of a remote object.
    pub(super) fn weenie(&self, is_creature: bool) -> Arc<dyn Weenie> {
        Arc::clone(if is_creature { &self.creature } else { &self.object })
    }
}
