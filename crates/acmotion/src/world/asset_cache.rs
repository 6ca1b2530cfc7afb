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

#[cfg(test)]
mod tests {
    use acmotion_dat::{
        BlockSize, Dat, DatWriter, DataSet, Hook, HookDirection, HookEffect, PhysicsScript, ScriptHook,
    };

    use super::*;
    use crate::world::World;

    const SCRIPT: DataId = DataId(0x3300_0101);

    /// Assets with a script that no table names.
    fn with_script() -> Assets {
        let mut writer = DatWriter::new(BlockSize::Large, DataSet::Portal);
        let hook = Hook { direction: HookDirection::BOTH, effect: HookEffect::SoundTable(1) };
        writer.add_object(&PhysicsScript { id: SCRIPT, hooks: vec![ScriptHook { start: 0.0, hook }] });
        Assets::new(Dat::from_bytes(writer.finish().expect("it can be written")).expect("a dat file"))
    }

    /// What is loaded ahead is shared by clones: the motion table, the model and the shape as an obstacle.
    #[test]
    fn what_is_loaded_ahead_is_there() {
        let mut world = World::new(Assets::mannequin());
        assert!(world.library.find_model(mannequin::BEAST_SETUP).is_none());
        world.preload(mannequin::BEAST_SETUP, Some(mannequin::BEAST_TABLE));
        assert!(world.library.find_model(mannequin::BEAST_SETUP).is_some());
        assert!(world.library.find_table(mannequin::BEAST_TABLE).is_some());
        let shape = world.assets.collision_shapes.get(&mannequin::BEAST_SETUP).expect("it is loaded");
        assert!(!shape.spheres.is_empty() || !shape.cylinders.is_empty() || !shape.parts.is_empty());
        let shape = Arc::clone(shape);
        let model = world.library.find_model(mannequin::BEAST_SETUP);
        assert!(Arc::ptr_eq(&world.assets.collision_shape(&world.library, model), &shape), "loaded once");
        assert!(world.assets.collision_shape(&world.library, None).spheres.is_empty(), "no model, no shape");
    }

    /// A library that others share is copied for what is new and exists, and for nothing else.
    #[test]
    fn a_shared_library_is_copied_only_for_what_is_new() {
        let mut world = World::new(with_script());
        let copy = world.clone();
        let load = |world: &mut World, script: DataId| world.assets.load_script(&mut world.library, script);
        load(&mut world, DataId(0x3300_FFFF));
        assert!(Arc::ptr_eq(&world.library, &copy.library), "a script that is missing");
        load(&mut world, SCRIPT);
        assert!(!Arc::ptr_eq(&world.library, &copy.library));
        assert!(world.library.script(SCRIPT).is_some() && copy.library.script(SCRIPT).is_none());
        let copy = world.clone();
        load(&mut world, SCRIPT);
        assert!(Arc::ptr_eq(&world.library, &copy.library), "a script that is known");
        world.preload(mannequin::HUMAN_SETUP, Some(mannequin::HUMAN_TABLE));
        assert!(Arc::ptr_eq(&world.library, &copy.library), "a table and a model that are known");
    }

    /// Without a motion table there is none; the id 0 is none, too; what is missing is the humanoid's.
    #[test]
    fn what_is_missing_is_taken_from_the_humanoid() {
        let mut library = Library::new();
        let mut cache = AssetCache::new(Assets::mannequin(), &mut library);
        let mut library = Arc::new(library);
        let mut stand_in = |table: Option<u32>, setup: Option<u32>| {
            let archetype = cache.archetype(&mut library, table, setup);
            (archetype.stand_in, archetype.table.is_some())
        };
        let (human, unknown) = (Some(mannequin::HUMAN_SETUP.0), Some(0x0200_FFFF));
        assert_eq!(stand_in(None, human), (StandIn::empty(), false));
        assert_eq!(stand_in(Some(0), human), (StandIn::empty(), false));
        assert_eq!(stand_in(Some(mannequin::BEAST_TABLE.0), human), (StandIn::empty(), true));
        assert_eq!(stand_in(Some(0x0900_FFFF), human), (StandIn::TABLE, true));
        assert_eq!(stand_in(None, unknown), (StandIn::SETUP, false));
        assert_eq!(stand_in(None, None), (StandIn::SETUP, false));
    }
}
