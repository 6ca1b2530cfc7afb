//! What bodies look like: tables and setups from the assets, and a humanoid for what these do not have.

use std::collections::HashMap;
use std::sync::Arc;

use acmotion_dat::{Assets, DataId, mannequin};

use super::StandIn;
use super::collision_shape::CollisionShape;
use crate::body::Shape;
use crate::interp::{RemoteWeenie, Weenie};
use crate::library::{Library, ModelId, TableId};

/// Where tables and setups come from.
pub(super) struct AssetCache {
    assets: Assets,
    table: Option<TableId>,
    model: Option<ModelId>,
    shape: Arc<Shape>,
    /// Shapes of setups that were asked for.
    shapes: HashMap<DataId, Arc<Shape>>,
    /// What of setups that were asked for bumps.
    collision_shapes: HashMap<DataId, Arc<CollisionShape>>,
    creature: Arc<dyn Weenie>,
    object: Arc<dyn Weenie>,
}

/// What an entity is made of.
pub(super) struct Archetype {
    pub(super) table: Option<TableId>,
    pub(super) model: Option<ModelId>,
    pub(super) shape: Arc<Shape>,
    pub(super) stand_in: StandIn,
}

impl AssetCache {
    /// The humanoid is the assets' own human, else the mannequin.
    pub(super) fn new(assets: Assets, library: &mut Library) -> Self {
        let built_in = Assets::mannequin();
        let own = library.load_table(&assets, mannequin::HUMAN_TABLE);
        let table = own.or_else(|_| library.load_table(&built_in, mannequin::HUMAN_TABLE)).ok();
        let own = library.load_model(&assets, mannequin::HUMAN_SETUP);
        let model = own.or_else(|_| library.load_model(&built_in, mannequin::HUMAN_SETUP)).ok();
        let setup = assets.setup(mannequin::HUMAN_SETUP).or_else(|_| built_in.setup(mannequin::HUMAN_SETUP));
        let shape = setup.map_or_else(|_| Shape::human(), |setup| Shape::of_setup(&setup));
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

    /// The role of an object by its table and setup. What the assets do not have, the humanoid lends.
    pub(super) fn archetype(
        &mut self,
        library: &mut Library,
        table: Option<u32>,
        setup: Option<u32>,
    ) -> Archetype {
        let shape = Arc::clone(&self.shape);
        let mut role = Archetype { table: None, model: self.model, shape, stand_in: StandIn::empty() };
        if let Some(id) = table.filter(|id| *id != 0) {
            let found = library.load_table(&self.assets, DataId(id)).ok();
            role.stand_in.set(StandIn::TABLE, found.is_none());
            role.table = found.or(self.table);
        }
        let setup = setup.and_then(|id| self.assets.setup(DataId(id)).ok());
        match setup {
            Some(setup) => {
                let shape = self.shapes.entry(setup.id).or_insert_with(|| Arc::new(Shape::of_setup(&setup)));
                role.shape = Arc::clone(shape);
                role.model = library.load_model(&self.assets, setup.id).ok();
            }
            None => role.stand_in.insert(StandIn::SETUP),
        }
        role
    }

    /// The role of somebody of whom nothing is known but a place.
    pub(super) fn humanoid(&self) -> Archetype {
        let shape = Arc::clone(&self.shape);
        Archetype { table: self.table, model: self.model, shape, stand_in: StandIn::all() }
    }

    /// What of an entity with that model bumps: the humanoid's, if there is none.
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

    /// Who it is to the game.
    pub(super) fn weenie(&self, is_creature: bool) -> Arc<dyn Weenie> {
        Arc::clone(if is_creature { &self.creature } else { &self.object })
    }
}
