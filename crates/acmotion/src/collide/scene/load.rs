//! Loading scenes from dat files.

use std::collections::HashMap;
use std::sync::Arc;

use acmotion_dat::{Assets, DatError, DataId, Environment, LandBlockInfo, Setup, Sphere, StaticObject};
use acmotion_types::{CellId, CellPosition, Frame, Guid};
use acmotion_wire::PhysicsState;
use thiserror::Error;

use super::{Building, BuildingPortal, Room, Scene, SceneBuilder, SceneError, Scenery};
use crate::collide::geometry::{GeometryError, Solid};
use crate::collide::obstacle::Part;

/// The region that has the table of land heights.
const REGION: DataId = DataId(0x1300_0000);
/// The placement of a setup used for objects at rest (rule H15).
const RESTING: i32 = 0x65;
/// The low word of the first room's id.
const FIRST_ROOM: u32 = 0x100;
/// The maximum number of rooms of a landblock: there are no more ids.
const MAX_ROOMS: u32 = 0xFFFE - FIRST_ROOM;

/// Why an object of a dat file is not in the scene.
#[derive(Clone, PartialEq, Debug, Error)]
#[non_exhaustive]
pub enum LoadError {
    /// The object could not be read.
    #[error(transparent)]
    Dat(#[from] DatError),
    /// Its polygons or their tree are not valid.
    #[error("{id}: {error}")]
    Geometry {
        /// The object.
        id: DataId,
        /// What is wrong.
        error: GeometryError,
    },
    /// Its cell or position is not valid.
    #[error("{id}: {error}")]
    Scene {
        /// The object.
        id: DataId,
        /// What is wrong.
        error: SceneError,
    },
    /// The environment of a room lacks the room's structure.
    #[error("{id}: environment {environment} has no structure {structure}")]
    NoShape {
        /// The room.
        id: DataId,
        /// The environment of the room.
        environment: DataId,
        /// The key of the structure.
        structure: u16,
    },
}

/// Loads landblocks from a portal file and a cell file into a scene, as they are needed. Damaged objects are left out and
/// listed in [`problems`](Self::problems).
///
/// ```no_run
/// use acmotion::dat::Assets;
/// use acmotion::scene::SceneLoader;
/// # fn main() -> Result<(), acmotion::scene::LoadError> {
/// let portal = Assets::open("client_portal.dat")?;
/// let cells = Assets::open("client_cell_1.dat")?;
/// let mut loader = SceneLoader::new(&portal, &cells)?;
/// loader.load_around(0xA9B4, 1); // a landblock and its eight neighbours
/// let scene = loader.scene();
/// assert!(scene.blocks().count() <= 9);
/// # Ok(())
/// # }
/// ```
pub struct SceneLoader {
    portal: Assets,
    cells: Assets,
    builder: SceneBuilder,
    /// The solids of meshes. `None` if a mesh has none.
    solids: HashMap<DataId, Option<Arc<Solid>>>,
    /// The solids of room structures, by environment and key.
    structures: HashMap<(DataId, u16), Option<Arc<Solid>>>,
    problems: Vec<LoadError>,
}

impl SceneLoader {
    /// Creates a loader with an empty scene. Meshes, setups, environments and the region come from `portal`, land and rooms
    /// from `cells`; both may be the same.
    ///
    /// # Errors
    /// Returns an error if the region is missing or damaged.
    pub fn new(portal: &Assets, cells: &Assets) -> Result<Self, LoadError> {
        let region = portal.region(REGION)?;
        Ok(Self {
            portal: portal.clone(),
            cells: cells.clone(),
            builder: SceneBuilder::new(&region.heights),
            solids: HashMap::new(),
            structures: HashMap::new(),
            problems: Vec::new(),
        })
    }

    /// Loads a landblock with its rooms, buildings and scenery, unless it is loaded already.
    ///
    /// # Errors
    /// Returns an error if its land is missing or damaged. Other damaged objects are listed in
    /// [`problems`](Self::problems).
    pub fn load_block(&mut self, block: u16) -> Result<(), LoadError> {
        if self.builder.has_land(block) {
            return Ok(());
        }
        let id = DataId(u32::from(block) << 16);
        let land = match self.cells.land_block(DataId(id.0 | 0xFFFF)) {
            // The game's files have landblocks without terrain. Nothing is on them.
            Err(DatError::Empty(_)) => return Ok(()),
            other => other?,
        };
        self.builder.add_land(block, &land.heights, &land.terrain);
        if land.has_objects.get() {
            let info = self.cells.land_block_info(DataId(id.0 | 0xFFFE));
            if let Some(info) = self.record_problem(info.map_err(LoadError::from)) {
                self.load_info(block, &info);
            }
        }
        Ok(())
    }

    /// Loads a landblock and all others up to `distance` landblocks away. Missing ones are skipped, as at the edge of
    /// the map.
    pub fn load_around(&mut self, block: u16, distance: u8) {
        let span = |at: u16| at.saturating_sub(distance.into())..=(at + u16::from(distance)).min(0xFE);
        for x in span(block >> 8) {
            for y in span(block & 0xFF) {
                match self.load_block(x << 8 | y) {
                    Err(LoadError::Dat(DatError::NotFound(_))) | Ok(()) => {}
                    Err(error) => self.problems.push(error),
                }
            }
        }
    }

    /// Loads all landblocks of the cell file.
    pub fn load_all(&mut self) {
        let cells = self.cells.clone();
        for entry in cells.dat().entries() {
            match entry.map_err(DatError::from) {
                Ok(entry) if entry.id.0 & 0xFFFF == 0xFFFF => {
                    let loaded = self.load_block((entry.id.0 >> 16) as u16);
                    self.record_problem(loaded);
                }
                Ok(_) => {}
                Err(error) => self.problems.push(error.into()),
            }
        }
    }

    /// Removes a landblock.
    pub fn unload_block(&mut self, block: u16) {
        self.builder.remove_block(block);
    }

    /// Returns what could not be loaded, and why.
    pub fn problems(&self) -> &[LoadError] {
        &self.problems
    }

    /// Returns the scene as loaded so far. It shares its landblocks with scenes returned before and after.
    pub fn scene(&self) -> Scene {
        self.builder.clone().finish()
    }

    /// Loads the rooms, buildings, objects and restrictions of a landblock.
    fn load_info(&mut self, block: u16, info: &LandBlockInfo) {
        let first = u32::from(block) << 16 | FIRST_ROOM;
        for number in 0..info.cell_count.min(MAX_ROOMS) {
            let loaded = self.load_room(DataId(first + number));
            self.record_problem(loaded);
        }
        for building in &info.buildings {
            let loaded = self.load_building(info.id, block, building);
            self.record_problem(loaded);
        }
        for object in &info.objects {
            // An object off the map is in no cell.
            let at = CellPosition::new(CellId(u32::from(block) << 16 | 0xFFFF), object.frame);
            if let Some(at) = at.adjusted_to_outside() {
                self.load_scenery(info.id, at, object);
            }
        }
        for (cell, restriction) in info.restrictions.iter().flat_map(|table| &table.entries) {
            self.builder.set_restriction(CellId(*cell), Guid(*restriction));
        }
    }

    fn load_room(&mut self, id: DataId) -> Result<(), LoadError> {
        let cell = self.cells.env_cell(id)?;
        let environment = self.portal.environment(cell.environment_id())?;
        let structure = environment.structures.get(cell.structure.into()).ok_or(LoadError::NoShape {
            id,
            environment: environment.id,
            structure: cell.structure,
        })?;
        let solid = self.structure_solid(&environment, cell.structure);
        let room = Room::from_env_cell(&cell, structure, solid)
            .map_err(|error| LoadError::Geometry { id, error })?;
        self.builder.add_room(room).map_err(|error| LoadError::Scene { id, error })?;
        for object in &cell.objects {
            self.load_scenery(id, CellPosition::new(CellId(id.0), object.frame), object);
        }
        Ok(())
    }

    fn load_building(
        &mut self,
        id: DataId,
        block: u16,
        building: &acmotion_dat::Building,
    ) -> Result<(), LoadError> {
        let model = self.model(building.model)?;
        let shell = model.parts.into_iter().find_map(|(index, part)| (index == 0).then_some(part));
        let at = CellPosition::new(CellId(u32::from(block) << 16 | 0xFFFF), building.frame);
        let mut position = at.adjusted_to_outside().unwrap_or(at);
        let land = position.cell;
        let mut scale = 1.0;
        if let Some(shell) = &shell {
            position.frame = position.frame.combine(&shell.frame);
            scale = shell.scale;
        }
        let room = |low: u16| CellId(u32::from(block) << 16 | u32::from(low));
        let portals = building.portals.iter().map(|portal| BuildingPortal {
            room: room(portal.other_cell),
            other_portal: portal.other_portal as i16,
        });
        let mut visible = Vec::new();
        for low in building.portals.iter().flat_map(|portal| &portal.visible) {
            if !visible.contains(&room(*low)) {
                visible.push(room(*low));
            }
        }
        let solid = shell.map(|shell| shell.solid);
        let building = Building {
            position,
            model: Some(building.model),
            solid,
            scale,
            portals: portals.collect(),
            visible,
        };
        self.builder.add_building(land, building).map_err(|error| LoadError::Scene { id, error })?;
        Ok(())
    }

    fn load_scenery(&mut self, id: DataId, position: CellPosition, object: &StaticObject) {
        let loaded = self.model(object.model).and_then(|model| {
            let mut state = PhysicsState::STATIC;
            state.set(PhysicsState::HAS_PHYSICS_BSP, !model.parts.is_empty());
            let (cylinders, spheres, sorting_sphere) = model.setup.map_or_else(
                || (Vec::new(), Vec::new(), Sphere::default()),
                |setup| (setup.cyl_spheres.clone(), setup.spheres.clone(), setup.sorting_sphere),
            );
            let parts: Vec<Part> = model.parts.into_iter().map(|(_, part)| part).collect();
            if parts.is_empty() && cylinders.is_empty() && spheres.is_empty() {
                // Nothing collides with it.
                return Ok(());
            }
            let scenery = Scenery {
                position,
                model: Some(object.model),
                scale: 1.0,
                state,
                parts,
                cylinders,
                spheres,
                sorting_sphere,
            };
            self.builder.add_scenery(scenery).map_err(|error| LoadError::Scene { id, error })?;
            Ok(())
        });
        self.record_problem(loaded);
    }

    /// Returns the parts with polygons of a mesh or a setup, each with its index in the setup.
    fn model(&mut self, id: DataId) -> Result<Model, LoadError> {
        if id.0 >> 24 != 0x02 {
            let part = self.part(id, Frame::IDENTITY, 1.0);
            return Ok(Model { setup: None, parts: part.map(|part| (0, part)).into_iter().collect() });
        }
        let setup = self.portal.setup(id)?;
        let placement = |key| setup.placements.iter().find(|(own, _)| *own == key).map(|(_, frame)| frame);
        let frames = placement(RESTING).or_else(|| placement(0)).map_or(&[][..], |frame| &frame.parts);
        let mut parts = Vec::new();
        for (index, mesh) in setup.parts.iter().enumerate() {
            let frame = frames.get(index).copied().unwrap_or(Frame::IDENTITY);
            let scale = setup.scales.get(index).map_or(1.0, |scale| scale.z);
            parts.extend(self.part(*mesh, frame, scale).map(|part| (index, part)));
        }
        Ok(Model { setup: Some(setup), parts })
    }

    /// Returns a part, or `None` if its mesh has no collision polygons or is damaged. A damaged mesh is reported once.
    fn part(&mut self, id: DataId, frame: Frame, scale: f32) -> Option<Part> {
        let known = self.solids.get(&id).cloned();
        let solid = known.unwrap_or_else(|| {
            let made = self.portal.gfx_obj(id).map_err(LoadError::from).and_then(|mesh| {
                match Solid::from_gfx_obj(&mesh) {
                    Ok(solid) => Ok(Some(Arc::new(solid))),
                    Err(GeometryError::NoPhysics) => Ok(None),
                    Err(error) => Err(LoadError::Geometry { id, error }),
                }
            });
            let solid = self.record_problem(made).flatten();
            self.solids.insert(id, solid.clone());
            solid
        });
        solid.map(|solid| Part { solid, frame, scale })
    }

    /// Returns the solid of a room structure, built once for all rooms that share it.
    fn structure_solid(&mut self, environment: &Environment, structure: u16) -> Option<Arc<Solid>> {
        let key = (environment.id, structure);
        if let Some(known) = self.structures.get(&key) {
            return known.clone();
        }
        let made = Solid::from_cell_struct(environment.structures.get(structure.into())?);
        let made = made.map_err(|error| LoadError::Geometry { id: environment.id, error });
        let solid = self.record_problem(made).map(Arc::new);
        self.structures.insert(key, solid.clone());
        solid
    }

    /// Records the error of a result, and returns its value.
    fn record_problem<T>(&mut self, loaded: Result<T, LoadError>) -> Option<T> {
        loaded.map_err(|error| self.problems.push(error)).ok()
    }
}

impl Scene {
    /// Loads everything in a cell file except damaged objects. Meshes, setups, environments and the region come from
    /// `portal`. For a whole world, load only the landblocks that are needed: see [`SceneLoader`].
    ///
    /// ```
    /// use std::sync::Arc;
    ///
    /// use acmotion::dat::Assets;
    /// use acmotion::dat::mannequin::town;
    /// use acmotion::scene::Scene;
    /// use acmotion::types::Guid;
    /// use acmotion::{Settings, World};
    ///
    /// # fn main() -> Result<(), acmotion::scene::LoadError> {
    /// let (portal, cells) = (Assets::mannequin(), Assets::town());
    /// let scene = Scene::load(&portal, &cells)?;
    /// let mut world = World::with_settings(
    ///     portal,
    ///     Settings { surroundings: Some(Arc::new(scene)), ..Settings::default() },
    /// );
    /// let id = world.add_stand_in(Guid(0x5000_0001), &town::landmarks().hall, 0.0);
    /// assert!(world.get(id).unwrap().body().is_standing());
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// Returns an error if the region is missing or damaged.
    pub fn load(portal: &Assets, cells: &Assets) -> Result<Self, LoadError> {
        let mut loader = SceneLoader::new(portal, cells)?;
        loader.load_all();
        Ok(loader.scene())
    }
}

/// The collision data of a mesh or a setup.
struct Model {
    setup: Option<Arc<Setup>>,
    parts: Vec<(usize, Part)>,
}
