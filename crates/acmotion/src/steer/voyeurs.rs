//! The voyeurs of a body: those that watch it (rule I11).

use acmotion_types::Guid;
use rustc_hash::FxHashMap;

use super::Voyeur;

/// The number of voyeurs up to which a look through the list is as quick as an index.
const MAX_SCANNED: usize = 16;

/// Voyeurs in the order in which they started, each once.
///
/// A body that is chased by a crowd is told by each pursuer again and again how closely it watches. An index finds the
/// pursuer without looking at all others.
#[derive(Clone, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize), serde(from = "Vec<Voyeur>"))]
pub(super) struct Voyeurs {
    list: Vec<Voyeur>,
    /// Made when the list first becomes longer than [`MAX_SCANNED`], and kept from then on.
    index: Option<Box<VoyeurIndex>>,
}

/// Where each voyeur is in the list. Every voyeur has a number; later ones have higher numbers, so that the numbers stay
/// sorted when some are removed, and an index in the list is found from a number by bisection.
#[derive(Clone, Debug, Default)]
struct VoyeurIndex {
    /// The number of each voyeur, in the order of the list.
    numbers: Vec<u64>,
    by_guid: FxHashMap<Guid, u64>,
    next_number: u64,
}

impl VoyeurIndex {
    fn push(&mut self, guid: Guid) {
        self.numbers.push(self.next_number);
        self.by_guid.insert(guid, self.next_number);
        self.next_number += 1;
    }

    fn find(&self, guid: Guid) -> Option<usize> {
        let number = self.by_guid.get(&guid)?;
        self.numbers.binary_search(number).ok()
    }
}

impl Voyeurs {
    /// All voyeurs, in the order in which they started.
    pub(super) fn as_slice(&self) -> &[Voyeur] {
        &self.list
    }

    pub(super) fn len(&self) -> usize {
        self.list.len()
    }

    pub(super) fn get_mut(&mut self, index: usize) -> Option<&mut Voyeur> {
        self.list.get_mut(index)
    }

    /// Returns the voyeur with a guid, if it is one.
    pub(super) fn find_mut(&mut self, guid: Guid) -> Option<&mut Voyeur> {
        let index = self.position(guid)?;
        self.list.get_mut(index)
    }

    /// Adds a voyeur that is not one yet.
    pub(super) fn push(&mut self, voyeur: Voyeur) {
        self.list.push(voyeur);
        match &mut self.index {
            Some(index) => index.push(voyeur.guid),
            None if self.list.len() > MAX_SCANNED => {
                let index = self.index.insert(Box::default());
                self.list.iter().for_each(|voyeur| index.push(voyeur.guid));
            }
            None => {}
        }
    }

    /// Removes the voyeur with a guid, if it is one. The others keep their order.
    pub(super) fn remove(&mut self, guid: Guid) {
        let Some(position) = self.position(guid) else { return };
        self.list.remove(position);
        if let Some(index) = &mut self.index {
            index.numbers.remove(position);
            index.by_guid.remove(&guid);
        }
    }

    fn position(&self, guid: Guid) -> Option<usize> {
        match &self.index {
            Some(index) => index.find(guid),
            None => self.list.iter().position(|voyeur| voyeur.guid == guid),
        }
    }

    /// The memory it has allocated, in bytes.
    pub(super) fn side_bytes(&self) -> usize {
        let index = self.index.as_ref().map_or(0, |index| {
            size_of::<VoyeurIndex>()
                + index.numbers.capacity() * size_of::<u64>()
                + index.by_guid.capacity() * size_of::<(Guid, u64)>()
        });
        self.list.capacity() * size_of::<Voyeur>() + index
    }
}

impl PartialEq for Voyeurs {
    fn eq(&self, other: &Self) -> bool {
        self.list == other.list
    }
}

/// Of voyeurs with the same guid only the first is kept.
impl From<Vec<Voyeur>> for Voyeurs {
    fn from(list: Vec<Voyeur>) -> Self {
        let mut voyeurs = Self::default();
        for voyeur in list {
            if voyeurs.position(voyeur.guid).is_none() {
                voyeurs.push(voyeur);
            }
        }
        voyeurs
    }
}

#[cfg(feature = "serde")]
impl serde::Serialize for Voyeurs {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.list.serialize(serializer)
    }
}

#[cfg(test)]
mod tests {
    use acmotion_types::CellPosition;
    use proptest::prelude::*;

    use super::*;

    fn voyeur(guid: u32, radius: f32) -> Voyeur {
        Voyeur { guid: Guid(guid), radius, quantum: 0.0, last_sent: CellPosition::default() }
    }

    /// A short list is exact; the index of a long one takes a little more than its entries.
    #[test]
    fn the_memory_of_voyeurs_is_about_what_they_have_allocated() {
        for count in [0, 1, MAX_SCANNED, MAX_SCANNED + 1, 100] {
            let mut voyeurs = Voyeurs::default();
            (0..count as u32).for_each(|guid| voyeurs.push(voyeur(guid, 0.5)));
            let mut copy = Voyeurs::default();
            let allocated = allocation_counter::measure(|| copy = voyeurs.clone()).bytes_current as f64;
            let told = copy.side_bytes() as f64;
            let tolerance = if count > MAX_SCANNED { 0.1 * allocated } else { 0.0 };
            assert!((told - allocated).abs() <= tolerance, "{count}: {told} of {allocated} bytes");
        }
    }

    proptest! {
        /// Whatever comes and goes, the voyeurs are those of a plain list, in the same order.
        #[test]
        fn voyeurs_keep_the_order_of_a_plain_list(
            changes in prop::collection::vec((0..60u32, any::<bool>()), 0..300),
        ) {
            let (mut voyeurs, mut plain) = (Voyeurs::default(), Vec::new());
            for (radius, (guid, is_added)) in changes.into_iter().enumerate() {
                let voyeur = voyeur(guid, radius as f32);
                if !is_added {
                    voyeurs.remove(voyeur.guid);
                    plain.retain(|known: &Voyeur| known.guid != voyeur.guid);
                } else if let Some(known) = voyeurs.find_mut(voyeur.guid) {
                    *known = voyeur;
                    plain.iter_mut().filter(|known| known.guid == voyeur.guid).for_each(|known| *known = voyeur);
                } else {
                    voyeurs.push(voyeur);
                    plain.push(voyeur);
                }
                prop_assert_eq!(voyeurs.as_slice(), &plain);
            }
            prop_assert_eq!(Voyeurs::from(plain), voyeurs);
        }
    }
}
