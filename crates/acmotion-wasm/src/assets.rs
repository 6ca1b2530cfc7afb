//! Dat files and their motion tables.

use acmotion::Library;
use acmotion::dat::mannequin::town;
use acmotion::dat::{self, AnyObject, Dat, DatError, DataId, Entry, ObjectKind};
use acmotion::json;
use acmotion::query::{MotionQuery, Undefined, motions, timing};
use acmotion::types::{Era, MotionCommand};
use serde_json::json;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::bytes::Bytes;
use crate::convert::position_json;
use crate::errors::{Kind, Outcome};

/// The objects of a dat file.
#[wasm_bindgen]
pub struct Assets(pub(crate) dat::Assets);

#[wasm_bindgen]
impl Assets {
    /// Opens a dat file that is in memory.
    pub fn from_bytes(bytes: Bytes) -> Outcome<Self> {
        Dat::from_bytes(bytes.0).map(|dat| Self(dat::Assets::new(dat))).map_err(Kind::Dat.of())
    }

    /// Returns the built-in dataset.
    pub fn mannequin() -> Self {
        Self(dat::Assets::mannequin())
    }

    /// Returns the cell file of the built-in dataset.
    pub fn town() -> Self {
        Self(dat::Assets::town())
    }

    /// Returns the ids of all objects, or of those of a kind.
    pub fn ids(&self, kind: Option<String>) -> Outcome<Vec<u32>> {
        let kind: Option<ObjectKind> =
            kind.map(|kind| kind.parse()).transpose().map_err(Kind::Argument.of())?;
        let dat = self.0.dat();
        let mut ids = Vec::new();
        for entry in dat.entries() {
            let id = entry.map_err(Kind::Dat.of())?.id;
            if kind.is_none_or(|kind| dat.kind_of(id) == kind) {
                ids.push(id.0);
            }
        }
        Ok(ids)
    }

    /// Returns the bytes of an object.
    pub fn read(&self, id: u32) -> Outcome<Vec<u8>> {
        self.find(id).map(|(_, bytes)| bytes).map_err(Kind::Dat.of())
    }

    /// Returns a decoded object: the field `object` of `acmotion dat show --json`.
    pub fn object(&self, id: u32) -> Outcome<String> {
        let kind = self.0.dat().kind_of(DataId(id));
        if !AnyObject::KINDS.contains(&kind) {
            let text = format!("{} is of kind {kind}, which is not decoded", DataId(id));
            return Err(Kind::Argument.error(text));
        }
        let decode = || {
            let (entry, bytes) = self.find(id)?;
            AnyObject::decode(kind, entry.id, &bytes).map_err(|source| DatError::Object {
                id: entry.id,
                offset: entry.offset,
                source,
            })
        };
        let object = decode().map_err(Kind::Dat.of())?;
        Ok(dat::json::object(&object).to_string())
    }
}

impl Assets {
    fn find(&self, id: u32) -> Result<(Entry, Vec<u8>), DatError> {
        let dat = self.0.dat();
        let entry = dat.find(DataId(id))?.ok_or(DatError::NotFound(DataId(id)))?;
        Ok((entry, dat.read(&entry)?.into_owned()))
    }
}

/// A motion table.
#[wasm_bindgen]
pub struct MotionTable {
    library: Library,
    table: acmotion::TableId,
}

#[wasm_bindgen]
impl MotionTable {
    /// Loads a table with its animations.
    #[wasm_bindgen(constructor)]
    pub fn new(assets: &Assets, id: u32) -> Outcome<Self> {
        let mut library = Library::new();
        let table = library.load_table(&assets.0, DataId(id)).map_err(Kind::Dat.of())?;
        Ok(Self { library, table })
    }

    /// Returns pairs of a style and its default substate.
    pub fn styles(&self) -> Vec<u32> {
        self.table().styles().flat_map(|(style, default)| [style.0, default.0]).collect()
    }

    /// Returns the motions of a style as a JSON object of lists of ids.
    pub fn motions(&self, style: u32) -> Outcome<String> {
        let style = MotionCommand(style);
        let undefined = || Kind::UndefinedMotion.error(Undefined { style, motion: style });
        let default = self.table().style_default(style).ok_or_else(undefined)?;
        let found = motions(self.table(), style, Era::default());
        let ids = |motions: &[MotionCommand]| motions.iter().map(|motion| motion.0).collect::<Vec<_>>();
        let mut actions: Vec<MotionCommand> = found.actions(default).collect();
        actions.sort_unstable();
        actions.dedup();
        let links = found.links.iter().map(|(from, to)| (from.map(|from| from.0), to.0));
        let lists = json!({
            "cycles": ids(&found.cycles),
            "modifiers": ids(&found.modifiers),
            "actions": ids(&actions),
            "links": links.collect::<Vec<_>>(),
        });
        Ok(lists.to_string())
    }

    /// Returns how long a motion takes and when its hooks fire: a line of `acmotion motion --json`.
    pub fn motion(&self, style: u32, motion: u32, start: Option<u32>, speed: f32) -> Outcome<String> {
        let query = MotionQuery {
            style: MotionCommand(style),
            motion: MotionCommand(motion),
            from: start.map(MotionCommand),
            speed,
        };
        let found = timing(&self.library, self.table(), &query).map_err(Kind::UndefinedMotion.of())?;
        Ok(json::timing(&found).to_string())
    }
}

impl MotionTable {
    fn table(&self) -> &acmotion::Table {
        self.library.table(self.table)
    }
}

/// Returns the named positions of the built-in town as a JSON object.
#[wasm_bindgen]
pub fn landmarks() -> String {
    let positions = town::landmarks();
    let named = positions.iter().map(|(name, position)| (name.to_owned(), position_json(&position)));
    serde_json::Value::Object(named.collect()).to_string()
}
