//! The motion tables and setups of a dat file, listed once, and the tables that were resolved last.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use acmotion::dat::{Assets, DatError, DataId, MotionTable, ObjectKind};
use acmotion::{Library, TableId};

use crate::protocol::api::{FittingSetup, TableEntry, TableList, TableSummary};

/// The maximum number of setups that are listed for a table.
const MAX_SETUPS: usize = 24;
/// The maximum number of tables that stay resolved.
const MAX_LIBRARIES: usize = 4;

/// The motion tables of a dat file.
pub(crate) struct TableCache {
    assets: Assets,
    listing: OnceLock<Listing>,
    libraries: Mutex<VecDeque<(DataId, Arc<Library>, TableId)>>,
}

#[derive(Default)]
struct Listing {
    tables: Vec<DataId>,
    setups: Vec<SetupInfo>,
}

/// The properties of a setup by which it is matched to tables.
#[derive(Clone, Copy)]
struct SetupInfo {
    id: DataId,
    parts: usize,
    default_table: DataId,
}

impl TableCache {
    pub(crate) fn new(assets: Assets) -> Self {
        Self { assets, listing: OnceLock::new(), libraries: Mutex::default() }
    }

    fn listing(&self) -> &Listing {
        self.listing.get_or_init(|| {
            let mut listing = Listing::default();
            let dat = self.assets.dat();
            for entry in dat.entries().filter_map(Result::ok) {
                match dat.kind_of(entry.id) {
                    ObjectKind::MotionTable => listing.tables.push(entry.id),
                    ObjectKind::Setup => listing.setups.extend(self.setup_info(entry.id)),
                    _ => {}
                }
            }
            listing.tables.sort_unstable();
            listing.setups.sort_unstable_by_key(|setup| setup.id);
            listing
        })
    }

    fn setup_info(&self, id: DataId) -> Option<SetupInfo> {
        let setup = self.assets.setup(id).ok()?;
        Some(SetupInfo { id, parts: setup.parts.len(), default_table: setup.default_motion_table })
    }

    /// Returns the answer to `/api/tables`.
    pub(super) fn list(&self) -> TableList {
        let entry = |id: &DataId| match self.assets.motion_table(*id) {
            Ok(table) => TableEntry { id: table.id.into(), summary: Some(self.summary(&table)), error: None },
            Err(error) => TableEntry { id: (*id).into(), summary: None, error: Some(error.to_string()) },
        };
        TableList { tables: self.listing().tables.iter().map(entry).collect() }
    }

    fn summary(&self, table: &MotionTable) -> TableSummary {
        let setups = self.setups_of(table);
        let listed = setups.iter().take(MAX_SETUPS).map(|setup| FittingSetup {
            id: setup.id.into(),
            parts: setup.parts,
            is_default: setup.default_table == table.id,
        });
        TableSummary {
            default_style: table.default_style.into(),
            styles: table.style_defaults.len(),
            cycles: table.cycles.len(),
            modifiers: table.modifiers.len(),
            links: table.links.iter().map(|(_, links)| links.len()).sum(),
            setups: listed.collect(),
            more_setups: setups.len().saturating_sub(MAX_SETUPS),
        }
    }

    /// Returns the setups that fit a table: first those whose default table it is, then those with as many parts as its
    /// animations pose.
    fn setups_of(&self, table: &MotionTable) -> Vec<SetupInfo> {
        let motions = table.cycles.iter().map(|(_, motion)| motion);
        let mut part_counts = motions.flat_map(|motion| &motion.anims).filter_map(|anim| {
            let animation = self.assets.animation(anim.animation).ok()?;
            (animation.part_count() > 0).then(|| animation.part_count())
        });
        let parts = part_counts.next();
        let all = &self.listing().setups;
        let default = all.iter().filter(|setup| setup.default_table == table.id);
        let similar =
            all.iter().filter(|setup| setup.default_table != table.id && Some(setup.parts) == parts);
        default.chain(similar).copied().collect()
    }

    /// Returns the first setup that fits a table.
    pub(super) fn setup_of(&self, table: DataId) -> Option<DataId> {
        let table = self.assets.motion_table(table).ok()?;
        self.setups_of(&table).first().map(|setup| setup.id)
    }

    /// Returns a resolved table with the library that holds it.
    pub(super) fn resolved(&self, table: DataId) -> Result<(Arc<Library>, TableId), DatError> {
        let cached = || {
            let libraries = self.libraries.lock().unwrap_or_else(PoisonError::into_inner);
            let found = libraries.iter().find(|(id, ..)| *id == table);
            found.map(|(_, library, id)| (Arc::clone(library), *id))
        };
        if let Some(cached) = cached() {
            return Ok(cached);
        }
        let mut library = Library::new();
        let id = library.load_table(&self.assets, table)?;
        let library = Arc::new(library);
        let mut libraries = self.libraries.lock().unwrap_or_else(PoisonError::into_inner);
        if libraries.len() >= MAX_LIBRARIES {
            libraries.pop_front();
        }
        libraries.push_back((table, Arc::clone(&library), id));
        Ok((library, id))
    }
}

#[cfg(test)]
mod tests {
    use acmotion::dat::{BlockSize, Dat, DatWriter, DataSet, mannequin};

    use super::*;

    #[test]
    fn the_setups_of_a_table_and_the_tables_that_stay_resolved_are_limited() {
        let built_in = Assets::mannequin();
        let mut writer = DatWriter::new(BlockSize::Large, DataSet::Portal);
        let mut table = (*built_in.motion_table(mannequin::DOOR_TABLE).unwrap()).clone();
        let tables: Vec<DataId> = (1..=2 * MAX_LIBRARIES as u32).map(|n| DataId(0x0900_0000 + n)).collect();
        for id in &tables {
            table.id = *id;
            writer.add_object(&table);
        }
        let mut setup = (*built_in.setup(mannequin::DOOR_SETUP).unwrap()).clone();
        setup.default_motion_table = tables[0];
        for number in 1..=MAX_SETUPS as u32 + 6 {
            setup.id = DataId(0x0200_0000 + number);
            writer.add_object(&setup);
        }
        let cache = TableCache::new(Assets::new(Dat::from_bytes(writer.finish().unwrap()).unwrap()));
        let summary = cache.list().tables.swap_remove(0).summary.unwrap();
        assert_eq!((summary.setups.len(), summary.more_setups), (MAX_SETUPS, 6));
        for id in &tables {
            cache.resolved(*id).unwrap();
            assert!(cache.libraries.lock().unwrap().len() <= MAX_LIBRARIES);
        }
    }
}
