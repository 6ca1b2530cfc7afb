//! Objects on demand, decoded once and shared.

use std::collections::HashMap;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use crate::container::Dat;
use crate::error::DatError;
use crate::id::DataId;
use crate::mannequin;
use crate::objects::{
    Animation, DatObject, EnvCell, Environment, GfxObj, LandBlock, LandBlockInfo, MotionTable, Region, Setup,
};

/// A handle to a dat file's objects: cheap to clone, safe to share between threads. An object is decoded when it is
/// first asked for and never again, also if it turned out to be damaged.
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
    shared: Arc<Shared>,
}

struct Shared {
    dat: Dat,
    motion_tables: Cache<MotionTable>,
    animations: Cache<Animation>,
    setups: Cache<Setup>,
    meshes: Cache<GfxObj>,
    environments: Cache<Environment>,
    regions: Cache<Region>,
    land_blocks: Cache<LandBlock>,
    land_block_infos: Cache<LandBlockInfo>,
    cells: Cache<EnvCell>,
}

impl Assets {
    /// The objects of a dat file.
    ///
    /// # Errors
    /// When the file cannot be opened or has no valid header.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, DatError> {
        Dat::open(path).map(Self::new)
    }

    /// The built-in mannequin (see [`mannequin`]).
    pub fn mannequin() -> Self {
        static BUILT: OnceLock<Assets> = OnceLock::new();
        BUILT
            .get_or_init(|| match Dat::from_bytes(mannequin::dat_file()) {
                Ok(dat) => Self::new(dat),
                Err(error) => unreachable!("the project's own file is sound: {error}"),
            })
            .clone()
    }

    /// The cell file of the built-in world (see [`mannequin::town`]).
    pub fn town() -> Self {
        static BUILT: OnceLock<Assets> = OnceLock::new();
        BUILT
            .get_or_init(|| match Dat::from_bytes(mannequin::town::dat_file()) {
                Ok(dat) => Self::new(dat),
                Err(error) => unreachable!("the project's own file is sound: {error}"),
            })
            .clone()
    }

    /// The objects of a file that is open already.
    pub fn new(dat: Dat) -> Self {
        let shared = Shared {
            dat,
            motion_tables: Cache::default(),
            animations: Cache::default(),
            setups: Cache::default(),
            meshes: Cache::default(),
            environments: Cache::default(),
            regions: Cache::default(),
            land_blocks: Cache::default(),
            land_block_infos: Cache::default(),
            cells: Cache::default(),
        };
        Self { shared: Arc::new(shared) }
    }

    /// The file itself.
    pub fn dat(&self) -> &Dat {
        &self.shared.dat
    }

    /// A motion table.
    ///
    /// # Errors
    /// When it is not there or damaged.
    pub fn motion_table(&self, id: DataId) -> Result<Arc<MotionTable>, DatError> {
        self.shared.motion_tables.get(&self.shared.dat, id)
    }

    /// An animation.
    ///
    /// # Errors
    /// When it is not there or damaged.
    pub fn animation(&self, id: DataId) -> Result<Arc<Animation>, DatError> {
        self.shared.animations.get(&self.shared.dat, id)
    }

    /// A setup.
    ///
    /// # Errors
    /// When it is not there or damaged.
    pub fn setup(&self, id: DataId) -> Result<Arc<Setup>, DatError> {
        self.shared.setups.get(&self.shared.dat, id)
    }

    /// A mesh.
    ///
    /// # Errors
    /// When it is not there or damaged.
    pub fn gfx_obj(&self, id: DataId) -> Result<Arc<GfxObj>, DatError> {
        self.shared.meshes.get(&self.shared.dat, id)
    }

    /// The shapes of rooms, of a portal file.
    ///
    /// # Errors
    /// When it is not there or damaged.
    pub fn environment(&self, id: DataId) -> Result<Arc<Environment>, DatError> {
        self.shared.environments.get(&self.shared.dat, id)
    }

    /// A region, of a portal file.
    ///
    /// # Errors
    /// When it is not there or damaged.
    pub fn region(&self, id: DataId) -> Result<Arc<Region>, DatError> {
        self.shared.regions.get(&self.shared.dat, id)
    }

    /// The ground of a landblock, of a cell file.
    ///
    /// # Errors
    /// When it is not there or damaged.
    pub fn land_block(&self, id: DataId) -> Result<Arc<LandBlock>, DatError> {
        self.shared.land_blocks.get(&self.shared.dat, id)
    }

    /// What stands on a landblock, of a cell file.
    ///
    /// # Errors
    /// When it is not there or damaged.
    pub fn land_block_info(&self, id: DataId) -> Result<Arc<LandBlockInfo>, DatError> {
        self.shared.land_block_infos.get(&self.shared.dat, id)
    }

    /// A room, of a cell file.
    ///
    /// # Errors
    /// When it is not there or damaged.
    pub fn env_cell(&self, id: DataId) -> Result<Arc<EnvCell>, DatError> {
        self.shared.cells.get(&self.shared.dat, id)
    }
}

type Slot<T> = Arc<OnceLock<Result<Arc<T>, DatError>>>;

/// Slots by id. The map's lock is held only to find the slot; who comes second to a slot waits for who decodes.
struct Cache<T> {
    slots: Mutex<HashMap<DataId, Slot<T>>>,
}

impl<T> Default for Cache<T> {
    fn default() -> Self {
        Self { slots: Mutex::new(HashMap::new()) }
    }
}

impl<T: DatObject> Cache<T> {
    fn get(&self, dat: &Dat, id: DataId) -> Result<Arc<T>, DatError> {
        let known = self.lock().get(&id).map(Arc::clone);
        let slot = match known {
            Some(slot) => slot,
            None => {
                // Only ids of the directory get a slot, so that wrong ids from outside cannot fill the memory.
                dat.find(id)?.ok_or(DatError::NotFound(id))?;
                Arc::clone(self.lock().entry(id).or_default())
            }
        };
        slot.get_or_init(|| dat.load(id).map(Arc::new)).clone()
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<DataId, Slot<T>>> {
        self.slots.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
