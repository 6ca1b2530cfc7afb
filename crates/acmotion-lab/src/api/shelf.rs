//! The motion tables and setups of a dat file, looked through once.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use acmotion::Library;
use acmotion::dat::{Assets, DatError, DataId, MotionTable, ObjectKind};
use acmotion::library::TableId;
use serde_json::{Value, json};

use crate::values::command;

/// How many setups are listed for a table.
const MOST_SETUPS: usize = 24;
/// How many tables stay resolved.
const MOST_LIBRARIES: usize = 4;

/// What can be browsed.
pub(crate) struct Shelf {
    assets: Assets,
    found: OnceLock<Found>,
    libraries: Mutex<VecDeque<(DataId, Arc<Library>, TableId)>>,
}

#[derive(Default)]
struct Found {
    tables: Vec<DataId>,
    setups: Vec<Fitting>,
}

/// What of a setup decides whether it fits a table.
#[derive(Clone, Copy)]
struct Fitting {
    id: DataId,
    parts: usize,
    table: DataId,
}

impl Shelf {
    pub(crate) fn new(assets: Assets) -> Self {
        Self { assets, found: OnceLock::new(), libraries: Mutex::default() }
    }

    fn found(&self) -> &Found {
        self.found.get_or_init(|| {
            let mut found = Found::default();
            let dat = self.assets.dat();
            for entry in dat.entries().filter_map(Result::ok) {
                match dat.kind_of(entry.id) {
                    ObjectKind::MotionTable => found.tables.push(entry.id),
                    ObjectKind::Setup => found.setups.extend(self.fitting(entry.id)),
                    _ => {}
                }
            }
            found.tables.sort_unstable();
            found.setups.sort_unstable_by_key(|setup| setup.id);
            found
        })
    }

    fn fitting(&self, id: DataId) -> Option<Fitting> {
        let setup = self.assets.setup(id).ok()?;
        Some(Fitting { id, parts: setup.parts.len(), table: setup.default_motion_table })
    }

    /// The answer to `/api/tables`.
    pub(super) fn tables(&self) -> Value {
        let tables = self.found().tables.iter().map(|id| match self.assets.motion_table(*id) {
            Ok(table) => self.entry(&table),
            Err(error) => json!({ "id": id.to_string(), "error": error.to_string() }),
        });
        json!({ "tables": tables.collect::<Vec<_>>() })
    }

    fn entry(&self, table: &MotionTable) -> Value {
        let setups = self.setups_of(table);
        let listed = setups.iter().take(MOST_SETUPS).map(|setup| {
            json!({ "id": setup.id.to_string(), "parts": setup.parts, "is_default": setup.table == table.id })
        });
        json!({
            "id": table.id.to_string(),
            "default_style": command(table.default_style),
            "styles": table.style_defaults.len(),
            "cycles": table.cycles.len(),
            "modifiers": table.modifiers.len(),
            "links": table.links.iter().map(|(_, links)| links.len()).sum::<usize>(),
            "setups": listed.collect::<Vec<_>>(),
            "more_setups": setups.len().saturating_sub(MOST_SETUPS),
        })
    }

    /// The setups that a table fits: whose default it is, then those with as many parts as its animations pose.
    fn setups_of(&self, table: &MotionTable) -> Vec<Fitting> {
        let motions = table.cycles.iter().map(|(_, motion)| motion);
        let mut posed = motions.flat_map(|motion| &motion.anims).filter_map(|anim| {
            let animation = self.assets.animation(anim.animation).ok()?;
            (animation.part_count() > 0).then(|| animation.part_count())
        });
        let parts = posed.next();
        let all = &self.found().setups;
        let own = all.iter().filter(|setup| setup.table == table.id);
        let alike = all.iter().filter(|setup| setup.table != table.id && Some(setup.parts) == parts);
        own.chain(alike).copied().collect()
    }

    /// The first setup that a table fits.
    pub(super) fn setup_of(&self, table: DataId) -> Option<DataId> {
        let table = self.assets.motion_table(table).ok()?;
        self.setups_of(&table).first().map(|setup| setup.id)
    }

    /// A table resolved, with the library it is in.
    pub(super) fn resolved(&self, table: DataId) -> Result<(Arc<Library>, TableId), DatError> {
        let known = || {
            let libraries = self.libraries.lock().unwrap_or_else(PoisonError::into_inner);
            let found = libraries.iter().find(|(id, ..)| *id == table);
            found.map(|(_, library, id)| (Arc::clone(library), *id))
        };
        if let Some(known) = known() {
            return Ok(known);
        }
        let mut library = Library::new();
        let id = library.load_table(&self.assets, table)?;
        let library = Arc::new(library);
        let mut libraries = self.libraries.lock().unwrap_or_else(PoisonError::into_inner);
        if libraries.len() >= MOST_LIBRARIES {
            libraries.pop_front();
        }
        libraries.push_back((table, Arc::clone(&library), id));
        Ok((library, id))
    }
}
