//! A cache of decoded objects: each is loaded on demand, decoded once and shared.

use std::collections::HashMap;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use crate::container::Dat;
use crate::error::DatError;
use crate::id::DataId;
use crate::mannequin;
use crate::objects::{
    Animation, DatObject, EnvCell, Environment, GfxObj, LandBlock, LandBlockInfo, MotionTable, Palette,
    PhysicsScript, Region, RenderSurface, Setup, Surface, SurfaceTexture,
};

/// A handle to the objects of a dat file. It is cheap to clone and can be shared between threads.
///
/// An object is decoded at the first request. The result is cached, including an error if the object is damaged.
///
/// ```
/// use acmotion_dat::{Assets, mannequin};
///
/// # fn main() -> Result<(), acmotion_dat::DatError> {
/// let assets = Assets::mannequin();
/// let setup = assets.setup(mannequin::HUMAN_SETUP)?;
/// let table = assets.motion_table(setup.default_motion_table)?;
/// assert_eq!(table.default_style.to_string(), "NonCombat");
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Assets {
    shared: Arc<SharedAssets>,
}

struct SharedAssets {
    dat: Dat,
    motion_tables: ObjectCache<MotionTable>,
    animations: ObjectCache<Animation>,
    setups: ObjectCache<Setup>,
    meshes: ObjectCache<GfxObj>,
    environments: ObjectCache<Environment>,
    regions: ObjectCache<Region>,
    land_blocks: ObjectCache<LandBlock>,
    land_block_infos: ObjectCache<LandBlockInfo>,
    cells: ObjectCache<EnvCell>,
    physics_scripts: ObjectCache<PhysicsScript>,
    surfaces: ObjectCache<Surface>,
    surface_textures: ObjectCache<SurfaceTexture>,
    palettes: ObjectCache<Palette>,
}

impl Assets {
    /// Opens a dat file.
    ///
    /// # Errors
    /// Returns an error if the file cannot be opened or has no valid header.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, DatError> {
        Dat::open(path).map(Self::new)
    }

    /// Returns the portal file of the built-in dataset (see [`mannequin`]). It is generated once per process.
    pub fn mannequin() -> Self {
        static BUILT: OnceLock<Assets> = OnceLock::new();
        BUILT
            .get_or_init(|| match Dat::from_bytes(mannequin::dat_file()) {
                Ok(dat) => Self::new(dat),
                Err(error) => unreachable!("the built-in file is valid: {error}"),
            })
            .clone()
    }

    /// Returns the cell file of the built-in dataset (see [`mannequin::town`]). It is generated once per process.
    pub fn town() -> Self {
        static BUILT: OnceLock<Assets> = OnceLock::new();
        BUILT
            .get_or_init(|| match Dat::from_bytes(mannequin::town::dat_file()) {
                Ok(dat) => Self::new(dat),
                Err(error) => unreachable!("the built-in file is valid: {error}"),
            })
            .clone()
    }

    /// Wraps an open dat file.
    pub fn new(dat: Dat) -> Self {
        let shared = SharedAssets {
            dat,
            motion_tables: ObjectCache::default(),
            animations: ObjectCache::default(),
            setups: ObjectCache::default(),
            meshes: ObjectCache::default(),
            environments: ObjectCache::default(),
            regions: ObjectCache::default(),
            land_blocks: ObjectCache::default(),
            land_block_infos: ObjectCache::default(),
            cells: ObjectCache::default(),
            physics_scripts: ObjectCache::default(),
            surfaces: ObjectCache::default(),
            surface_textures: ObjectCache::default(),
            palettes: ObjectCache::default(),
        };
        Self { shared: Arc::new(shared) }
    }

    /// Returns the dat file.
    pub fn dat(&self) -> &Dat {
        &self.shared.dat
    }

    /// Returns a motion table.
    ///
    /// # Errors
    /// Returns an error if the object is missing or damaged, or if the id is of another kind.
    pub fn motion_table(&self, id: DataId) -> Result<Arc<MotionTable>, DatError> {
        self.shared.motion_tables.get(&self.shared.dat, id)
    }

    /// Returns an animation.
    ///
    /// # Errors
    /// Returns an error if the object is missing or damaged, or if the id is of another kind.
    pub fn animation(&self, id: DataId) -> Result<Arc<Animation>, DatError> {
        self.shared.animations.get(&self.shared.dat, id)
    }

    /// Returns a setup.
    ///
    /// # Errors
    /// Returns an error if the object is missing or damaged, or if the id is of another kind.
    pub fn setup(&self, id: DataId) -> Result<Arc<Setup>, DatError> {
        self.shared.setups.get(&self.shared.dat, id)
    }

    /// Returns a mesh.
    ///
    /// # Errors
    /// Returns an error if the object is missing or damaged, or if the id is of another kind.
    pub fn gfx_obj(&self, id: DataId) -> Result<Arc<GfxObj>, DatError> {
        self.shared.meshes.get(&self.shared.dat, id)
    }

    /// Returns an environment, the shapes of rooms. Portal files only.
    ///
    /// # Errors
    /// Returns an error if the object is missing or damaged, or if the id is of another kind.
    pub fn environment(&self, id: DataId) -> Result<Arc<Environment>, DatError> {
        self.shared.environments.get(&self.shared.dat, id)
    }

    /// Returns a region. Portal files only.
    ///
    /// # Errors
    /// Returns an error if the object is missing or damaged, or if the id is of another kind.
    pub fn region(&self, id: DataId) -> Result<Arc<Region>, DatError> {
        self.shared.regions.get(&self.shared.dat, id)
    }

    /// Returns the terrain of a landblock. Cell files only.
    ///
    /// # Errors
    /// Returns [`DatError::Empty`] for an entry without bytes, which is not damaged but has no terrain. Otherwise
    /// returns an error if the object is missing or damaged, or if the id is of another kind.
    pub fn land_block(&self, id: DataId) -> Result<Arc<LandBlock>, DatError> {
        self.shared.land_blocks.get(&self.shared.dat, id)
    }

    /// Returns the static objects and buildings of a landblock. Cell files only.
    ///
    /// # Errors
    /// Returns an error if the object is missing or damaged, or if the id is of another kind.
    pub fn land_block_info(&self, id: DataId) -> Result<Arc<LandBlockInfo>, DatError> {
        self.shared.land_block_infos.get(&self.shared.dat, id)
    }

    /// Returns a room. Cell files only.
    ///
    /// # Errors
    /// Returns an error if the object is missing or damaged, or if the id is of another kind.
    pub fn env_cell(&self, id: DataId) -> Result<Arc<EnvCell>, DatError> {
        self.shared.cells.get(&self.shared.dat, id)
    }

    /// Returns a physics script. Portal files only.
    ///
    /// # Errors
    /// Returns an error if the object is missing or damaged, or if the id is of another kind.
    pub fn physics_script(&self, id: DataId) -> Result<Arc<PhysicsScript>, DatError> {
        self.shared.physics_scripts.get(&self.shared.dat, id)
    }

    /// Returns a surface. Portal files only.
    ///
    /// # Errors
    /// Returns an error if the object is missing or damaged, or if the id is of another kind.
    pub fn surface(&self, id: DataId) -> Result<Arc<Surface>, DatError> {
        self.shared.surfaces.get(&self.shared.dat, id)
    }

    /// Returns a texture. Portal files only.
    ///
    /// # Errors
    /// Returns an error if the object is missing or damaged, or if the id is of another kind.
    pub fn surface_texture(&self, id: DataId) -> Result<Arc<SurfaceTexture>, DatError> {
        self.shared.surface_textures.get(&self.shared.dat, id)
    }

    /// Returns a palette. Portal files only.
    ///
    /// # Errors
    /// Returns an error if the object is missing or damaged, or if the id is of another kind.
    pub fn palette(&self, id: DataId) -> Result<Arc<Palette>, DatError> {
        self.shared.palettes.get(&self.shared.dat, id)
    }

    /// Reads an image. Portal files only. Images are large and not kept.
    ///
    /// # Errors
    /// Returns an error if the object is missing or damaged, or if the id is of another kind.
    pub fn render_surface(&self, id: DataId) -> Result<RenderSurface, DatError> {
        self.shared.dat.load(id)
    }
}

type CacheSlot<T> = Arc<OnceLock<Result<Arc<T>, DatError>>>;

/// Decoded objects by id. The lock is held only while a slot is looked up; threads that request the same object wait
/// on its slot until it is decoded.
struct ObjectCache<T> {
    slots: Mutex<HashMap<DataId, CacheSlot<T>>>,
}

impl<T> Default for ObjectCache<T> {
    fn default() -> Self {
        Self { slots: Mutex::new(HashMap::new()) }
    }
}

impl<T: DatObject> ObjectCache<T> {
    fn get(&self, dat: &Dat, id: DataId) -> Result<Arc<T>, DatError> {
        let known = self.lock().get(&id).map(Arc::clone);
        let slot = match known {
            Some(slot) => slot,
            None => {
                // Only ids in the directory get a slot, so requests for invalid ids cannot exhaust memory.
                dat.find(id)?.ok_or(DatError::NotFound(id))?;
                Arc::clone(self.lock().entry(id).or_default())
            }
        };
        slot.get_or_init(|| dat.load(id).map(Arc::new)).clone()
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<DataId, CacheSlot<T>>> {
        self.slots.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
