//! The entities of a timeline, in each view.

use std::collections::BTreeMap;

use acmotion::dat::DataId;
use acmotion::types::Guid;

use super::BodyKey;
use crate::protocol::{Entity, EntityKind, EntityUpdate, HexId};

/// The maximum number of entities that are listed.
const MAX_ENTITIES: usize = 8192;
/// The maximum length of a name, in characters. Longer names are cut.
const MAX_NAME_LENGTH: usize = 40;

/// An entity in a view.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct EntityInfo {
    pub(crate) name: String,
    pub(crate) kind: EntityKind,
    pub(crate) setup: DataId,
    /// The motion table; 0 if it has none.
    pub(crate) table: DataId,
    pub(crate) stand_in: bool,
    /// The entity that this one is attached to; 0 if none.
    pub(crate) parent: Guid,
}

/// Every entity that the ticks of a timeline refer to. Changes are counted, so that each page gets them once.
#[derive(Debug, Default)]
pub(crate) struct EntityList {
    /// Each entity with the version in which it last changed.
    entities: BTreeMap<BodyKey, (u64, EntityInfo)>,
    version: u64,
}

impl EntityList {
    /// Adds an entity or updates it. New entities are ignored once there are [`MAX_ENTITIES`].
    pub(crate) fn update(&mut self, key: BodyKey, info: &EntityInfo) {
        let known = self.entities.get(&key).map(|(_, known)| known);
        if known == Some(info) || (known.is_none() && self.entities.len() >= MAX_ENTITIES) {
            return;
        }
        self.version += 1;
        self.entities.insert(key, (self.version, info.clone()));
    }

    /// Returns `true` if an entity is listed with this parent.
    pub(crate) fn is_current(&self, key: BodyKey, parent: Guid) -> bool {
        self.entities.get(&key).is_some_and(|(_, info)| info.parent == parent)
    }

    /// Iterates over the entities in each view.
    pub(crate) fn keys(&self) -> impl Iterator<Item = BodyKey> {
        self.entities.keys().copied()
    }

    pub(crate) fn knows(&self, key: BodyKey) -> bool {
        self.entities.contains_key(&key)
    }

    /// Returns the number of entities, each counted once for all views.
    pub(crate) fn len(&self) -> usize {
        let mut guids: Vec<Guid> = self.entities.keys().map(|key| key.guid).collect();
        guids.dedup();
        guids.len()
    }

    /// Returns the number of changes so far.
    pub(crate) fn version(&self) -> u64 {
        self.version
    }

    /// Returns what has changed since a version; everything if that is 0.
    pub(crate) fn since(&self, version: u64) -> EntityUpdate {
        let changed = self.entities.iter().filter(|(_, (changed, _))| *changed > version);
        let entities = changed.map(|(key, (_, info))| Entity {
            guid: key.guid.into(),
            view: key.view,
            name: info.name.chars().filter(|c| !c.is_control()).take(MAX_NAME_LENGTH).collect(),
            kind: info.kind,
            setup: info.setup.into(),
            table: HexId::non_zero(info.table),
            stand_in: info.stand_in,
            parent: (!info.parent.is_none()).then(|| info.parent.into()),
        });
        EntityUpdate { complete: version == 0, entities: entities.collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::{EntityInfo, EntityList, MAX_ENTITIES, MAX_NAME_LENGTH};
    use crate::protocol::EntityKind;
    use crate::record::BodyKey;
    use acmotion::dat::DataId;
    use acmotion::types::Guid;

    #[test]
    fn a_full_list_takes_no_more_entities_but_updates_those_it_has() {
        let info = |name: &str| EntityInfo {
            name: name.into(),
            kind: EntityKind::Object,
            setup: DataId(0),
            table: DataId(0),
            stand_in: false,
            parent: Guid(0),
        };
        let key = |number: usize| BodyKey { guid: Guid(number as u32), view: 0 };
        let mut list = EntityList::default();
        for number in 1..=MAX_ENTITIES + 10 {
            list.update(key(number), &info("a"));
        }
        assert_eq!(list.len(), MAX_ENTITIES);
        assert!(list.knows(key(MAX_ENTITIES)) && !list.knows(key(MAX_ENTITIES + 1)));
        let version = list.version();
        list.update(key(1), &info("b"));
        let changed = list.since(version).entities;
        assert_eq!(changed.iter().map(|entity| &*entity.name).collect::<Vec<_>>(), ["b"]);
        list.update(key(1), &info(&"\u{1b}é".repeat(1_000)));
        assert_eq!(&*list.since(version).entities[0].name, "é".repeat(MAX_NAME_LENGTH));
    }
}
