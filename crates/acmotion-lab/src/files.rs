//! The dat and cell files that are open: those that the lab was started with, the built-in ones, and those that pages have
//! uploaded.

use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use acmotion::dat::{Assets, Dat, DatSource, DataSet};

use crate::api::TableCache;
use crate::protocol::api::{FileKind, FileSummary};

/// The maximum number of uploaded files that are open. The oldest is closed when there are more; recordings that use it keep
/// it.
const MAX_UPLOADED: usize = 4;
/// The name of the built-in dat file.
pub(crate) const MANNEQUIN: &str = "mannequin";
/// The name of the built-in cell file.
const TOWN: &str = "town";

/// A dat file or a cell file.
pub(crate) struct DatFile {
    pub(crate) number: u32,
    pub(crate) name: String,
    pub(crate) kind: FileKind,
    pub(crate) built_in: bool,
    pub(crate) assets: Assets,
    tables: TableCache,
    object_count: OnceLock<usize>,
}

impl DatFile {
    fn new(number: u32, name: String, kind: FileKind, built_in: bool, assets: Assets) -> Arc<Self> {
        let tables = TableCache::new(assets.clone());
        Arc::new(Self { number, name, kind, built_in, assets, tables, object_count: OnceLock::new() })
    }

    pub(crate) fn tables(&self) -> &TableCache {
        &self.tables
    }

    /// Returns the number of objects in the file.
    pub(crate) fn object_count(&self) -> usize {
        *self.object_count.get_or_init(|| self.assets.dat().entries().count())
    }

    pub(crate) fn summary(&self) -> FileSummary {
        FileSummary { number: self.number, name: self.name.clone(), kind: self.kind, built_in: self.built_in }
    }
}

/// The files that are open, by number. Number 0 is the dat file that the lab was started with.
pub(crate) struct Files {
    dat: Arc<DatFile>,
    cell: Option<Arc<DatFile>>,
    mannequin: Arc<DatFile>,
    inner: Mutex<Inner>,
}

struct Inner {
    list: Vec<Arc<DatFile>>,
    /// The number of files at the start of the list that are never closed.
    fixed: usize,
    last_number: u32,
}

impl Files {
    /// Opens the files that the lab is started with, and the built-in ones.
    pub(crate) fn new(dat: (Assets, String), cell: Option<(Assets, String)>) -> Self {
        let mut list = Vec::new();
        let mut open = |assets: Assets, name: String, kind: FileKind, built_in: bool| {
            let file = DatFile::new(list.len() as u32, name, kind, built_in, assets);
            list.push(Arc::clone(&file));
            file
        };
        let is_mannequin = dat.1 == MANNEQUIN;
        let dat = open(dat.0, dat.1, FileKind::Dat, is_mannequin);
        let cell = cell.map(|(assets, name)| {
            let is_town = name == TOWN;
            open(assets, name, FileKind::Cell, is_town)
        });
        let mannequin = if is_mannequin {
            Arc::clone(&dat)
        } else {
            open(Assets::mannequin(), MANNEQUIN.into(), FileKind::Dat, true)
        };
        if cell.as_ref().is_none_or(|cell| !cell.built_in) {
            open(Assets::town(), TOWN.into(), FileKind::Cell, true);
        }
        let (fixed, last_number) = (list.len(), list.len() as u32 - 1);
        Self { dat, cell, mannequin, inner: Mutex::new(Inner { list, fixed, last_number }) }
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the dat file that the lab was started with.
    pub(crate) fn dat(&self) -> &Arc<DatFile> {
        &self.dat
    }

    /// Returns the cell file that the lab was started with.
    pub(crate) fn cell(&self) -> Option<&Arc<DatFile>> {
        self.cell.as_ref()
    }

    /// Returns the built-in dat file.
    pub(crate) fn mannequin(&self) -> &Arc<DatFile> {
        &self.mannequin
    }

    /// Returns an open file of a kind.
    pub(crate) fn get(&self, number: u32, kind: FileKind) -> Option<Arc<DatFile>> {
        let inner = self.lock();
        inner.list.iter().find(|file| file.number == number && file.kind == kind).map(Arc::clone)
    }

    pub(crate) fn list(&self) -> Vec<FileSummary> {
        self.lock().list.iter().map(|file| file.summary()).collect()
    }

    /// Opens a file of a page. It is read where it is, a piece at a time.
    ///
    /// # Errors
    ///
    /// Returns the reason why the file is neither a dat nor a cell file.
    pub(crate) fn open(&self, name: &str, source: impl DatSource + 'static) -> Result<Arc<DatFile>, String> {
        let dat = Dat::from_source(source).map_err(|error| error.to_string())?;
        let kind = match dat.header().data_set {
            DataSet::Portal => FileKind::Dat,
            DataSet::Cell => FileKind::Cell,
            other => return Err(format!("this is a file of the kind {other}: portal or cell is expected")),
        };
        let mut inner = self.lock();
        inner.last_number += 1;
        let file = DatFile::new(inner.last_number, name.into(), kind, false, Assets::new(dat));
        inner.list.push(Arc::clone(&file));
        if inner.list.len() > inner.fixed + MAX_UPLOADED {
            let oldest = inner.fixed;
            inner.list.remove(oldest);
        }
        Ok(file)
    }
}
