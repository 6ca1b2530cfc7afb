//! Who is or was there, in which view, and what they are.

use std::collections::BTreeMap;

use acmotion::dat::DataId;
use acmotion::types::Guid;
use serde_json::{Value, json};

use super::Key;
use crate::values::id_or_none;

/// More than this are not kept.
const MOST: usize = 8192;
/// Longer names are cut.
const LONGEST_NAME: usize = 40;

/// What somebody is to the page.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    Player,
    Creature,
    Door,
    Crowd,
    Object,
}

impl Kind {
    const fn name(self) -> &'static str {
        match self {
            Self::Player => "player",
            Self::Creature => "creature",
            Self::Door => "door",
            Self::Crowd => "crowd",
            Self::Object => "object",
        }
    }
}

/// Somebody in a view.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Person {
    pub(crate) name: String,
    pub(crate) kind: Kind,
    pub(crate) setup: DataId,
    pub(crate) table: DataId,
    pub(crate) stand_in: bool,
    pub(crate) parent: Guid,
}

/// Everybody that the tape's ticks speak of. Changes are counted, so that each page is told once.
#[derive(Debug, Default)]
pub(crate) struct Roster {
    people: BTreeMap<Key, (u64, Person)>,
    version: u64,
}

impl Roster {
    /// Somebody is there, or is something else now.
    pub(crate) fn note(&mut self, key: Key, person: &Person) {
        let known = self.people.get(&key).map(|(_, known)| known);
        if known == Some(person) || (known.is_none() && self.people.len() >= MOST) {
            return;
        }
        self.version += 1;
        self.people.insert(key, (self.version, person.clone()));
    }

    pub(crate) fn knows(&self, key: Key) -> bool {
        self.people.contains_key(&key)
    }

    /// How many different beings there are, whatever the view.
    pub(crate) fn len(&self) -> usize {
        let mut guids: Vec<Guid> = self.people.keys().map(|key| key.guid).collect();
        guids.dedup();
        guids.len()
    }

    /// Counts the changes.
    pub(crate) fn version(&self) -> u64 {
        self.version
    }

    /// What has changed since a version; with everything in it if that is the first.
    pub(crate) fn since(&self, version: u64) -> Value {
        let here = self.people.iter().filter(|(_, (changed, _))| *changed > version).map(|(key, (_, person))| {
            json!({
                "guid": key.guid.to_string(),
                "view": key.view,
                "name": person.name.chars().filter(|c| !c.is_control()).take(LONGEST_NAME).collect::<String>(),
                "kind": person.kind.name(),
                "setup": person.setup.to_string(),
                "table": id_or_none(person.table),
                "stand_in": person.stand_in,
                "parent": (!person.parent.is_none()).then(|| person.parent.to_string()),
            })
        });
        json!({ "type": "roster", "all": version == 0, "here": here.collect::<Vec<_>>() })
    }
}
