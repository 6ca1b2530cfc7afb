//! Handles: checked numbers for the objects that callers own.
//!
//! A handle has the kind of its object in the top 8 bits, a generation in the next 24 and a slot in the low 32. A slot gets
//! a new generation whenever its object is freed, so an old handle never names a new object; a slot whose generations are
//! used up is not used again.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};

use acmotion::dat::Assets;
use acmotion::scene::Scene;

use crate::check::CheckerState;
use crate::dat::TableState;
use crate::status::{AcmStatus, Failure, Outcome};
use crate::world::WorldState;

/// Any handle. 0 is never one.
pub type AcmHandle = u64;

/// The maximum number of objects of one kind that exist at a time.
const MAX_OBJECTS: usize = 1 << 20;
const MAX_GENERATION: u32 = (1 << 24) - 1;

/// All objects of one kind.
pub(crate) struct Registry<T> {
    kind: u8,
    name: &'static str,
    slots: RwLock<Slots<T>>,
}

struct Slots<T> {
    list: Vec<Slot<T>>,
    free: Vec<u32>,
}

struct Slot<T> {
    generation: u32,
    object: Option<Arc<T>>,
}

pub(crate) static ASSETS: Registry<Assets> = Registry::new(1, "assets");
pub(crate) static SCENES: Registry<Scene> = Registry::new(2, "a scene");
pub(crate) static TABLES: Registry<TableState> = Registry::new(3, "a motion table");
pub(crate) static WORLDS: Registry<Mutex<WorldState>> = Registry::new(4, "a world");
pub(crate) static CHECKERS: Registry<Mutex<CheckerState>> = Registry::new(5, "a checker");

impl<T> Registry<T> {
    const fn new(kind: u8, name: &'static str) -> Self {
        Self { kind, name, slots: RwLock::new(Slots { list: Vec::new(), free: Vec::new() }) }
    }

    /// Adds an object and returns its handle.
    pub(crate) fn add(&self, object: T) -> Outcome<AcmHandle> {
        self.add_shared(Arc::new(object))
    }

    pub(crate) fn add_shared(&self, object: Arc<T>) -> Outcome<AcmHandle> {
        // The lists are whole at every moment, so a panic of another thread does not matter.
        let mut slots = self.slots.write().unwrap_or_else(PoisonError::into_inner);
        let index = match slots.free.pop() {
            Some(index) => index,
            None if slots.list.len() < MAX_OBJECTS => {
                slots.list.push(Slot { generation: 1, object: None });
                slots.list.len() as u32 - 1
            }
            None => return Err(Failure::new(AcmStatus::Full, "too many objects of one kind")),
        };
        let slot = &mut slots.list[index as usize];
        slot.object = Some(object);
        Ok(u64::from(self.kind) << 56 | u64::from(slot.generation) << 32 | u64::from(index))
    }

    /// Returns the object of a handle.
    pub(crate) fn get(&self, handle: AcmHandle) -> Outcome<Arc<T>> {
        let (generation, index) = self.check_kind(handle)?;
        let slots = self.slots.read().unwrap_or_else(PoisonError::into_inner);
        let slot = slots.list.get(index).filter(|slot| slot.generation == generation);
        slot.and_then(|slot| slot.object.clone()).ok_or(FREED)
    }

    /// Returns the object of a handle; `None` for handle 0.
    pub(crate) fn get_optional(&self, handle: AcmHandle) -> Outcome<Option<Arc<T>>> {
        if handle == 0 { Ok(None) } else { self.get(handle).map(Some) }
    }

    /// Removes the object of a handle. It is dropped when the last call that uses it is over.
    fn remove(&self, handle: AcmHandle) -> Outcome {
        let (generation, index) = self.check_kind(handle)?;
        let object = {
            let mut slots = self.slots.write().unwrap_or_else(PoisonError::into_inner);
            let Slots { list, free } = &mut *slots;
            let slot = list.get_mut(index).filter(|slot| slot.generation == generation).ok_or(FREED)?;
            let object = slot.object.take().ok_or(FREED)?;
            if slot.generation < MAX_GENERATION {
                slot.generation += 1;
                free.push(index as u32);
            }
            object
        };
        drop(object);
        Ok(())
    }

    fn count(&self) -> usize {
        let slots = self.slots.read().unwrap_or_else(PoisonError::into_inner);
        slots.list.iter().filter(|slot| slot.object.is_some()).count()
    }

    /// Returns the generation and the slot of a handle of this kind.
    fn check_kind(&self, handle: AcmHandle) -> Outcome<(u32, usize)> {
        match (handle >> 56) as u8 {
            kind if kind == self.kind => Ok(((handle >> 32) as u32 & MAX_GENERATION, handle as u32 as usize)),
            1..=5 => Err(Failure::of(
                AcmStatus::WrongKind,
                format_args!("the handle is not that of {}", self.name),
            )),
            _ => Err(Failure::new(AcmStatus::BadHandle, "not a handle")),
        }
    }
}

const FREED: Failure = Failure::new(AcmStatus::BadHandle, "the handle was freed, or never given out");

/// Locks an object for one call. Calls of other threads with the same handle wait.
pub(crate) fn lock<T>(object: &Mutex<T>) -> Outcome<MutexGuard<'_, T>> {
    object.lock().map_err(|_| {
        Failure::new(AcmStatus::Panic, "an earlier call with this handle panicked: it can only be freed")
    })
}

/// Frees the object of a handle of any kind.
pub(crate) fn free(handle: AcmHandle) -> Outcome {
    match (handle >> 56) as u8 {
        1 => ASSETS.remove(handle),
        2 => SCENES.remove(handle),
        3 => TABLES.remove(handle),
        4 => WORLDS.remove(handle),
        5 => CHECKERS.remove(handle),
        _ => Err(Failure::new(AcmStatus::BadHandle, "not a handle")),
    }
}

/// Returns the number of objects that have not been freed.
pub(crate) fn live() -> usize {
    ASSETS.count() + SCENES.count() + TABLES.count() + WORLDS.count() + CHECKERS.count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slot_is_used_again_under_another_handle() {
        let registry = Registry::new(1, "a number");
        let first = registry.add(7).unwrap();
        assert_eq!(*registry.get(first).unwrap(), 7);
        registry.remove(first).unwrap();
        assert!(registry.get(first).is_err() && registry.remove(first).is_err());
        let second = registry.add(8).unwrap();
        assert_ne!(first, second);
        assert_eq!((first as u32, *registry.get(second).unwrap()), (second as u32, 8));
        assert!(
            registry.get(first).is_err() && registry.remove(first).is_err(),
            "the old handle stays invalid"
        );
    }

    #[test]
    fn a_slot_without_generations_left_is_retired() {
        let registry = Registry::new(1, "a number");
        registry.add(0).unwrap();
        registry.slots.write().unwrap().list[0].generation = MAX_GENERATION;
        let last = u64::from(MAX_GENERATION) << 32 | 1 << 56;
        registry.remove(last).unwrap();
        let next = registry.add(1).unwrap();
        assert_eq!(next as u32, 1, "another slot");
        assert!(registry.get(last).is_err());
    }

    #[test]
    fn objects_of_one_kind_are_bounded() {
        let registry = Registry::new(1, "nothing");
        let object = Arc::new(());
        for _ in 0..MAX_OBJECTS {
            registry.add_shared(Arc::clone(&object)).unwrap();
        }
        assert!(registry.add_shared(Arc::clone(&object)).is_err());
        registry.remove(1 << 56 | 1 << 32).unwrap();
        assert!(registry.add_shared(object).is_ok());
    }

    #[test]
    fn an_object_outlives_its_handle_while_it_is_used() {
        let registry = Registry::new(1, "a number");
        let handle = registry.add(5).unwrap();
        let used = registry.get(handle).unwrap();
        registry.remove(handle).unwrap();
        assert_eq!((*used, registry.count()), (5, 0));
    }
}
