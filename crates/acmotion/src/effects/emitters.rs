//! The particle emitters of one body.

use acmotion_dat::{DataId, ParticleSpec};
use acmotion_types::Frame;

/// The maximum number of particle emitters that are kept for one body. When another one is created, the oldest emitter
/// without a number is dropped, or the oldest of all if each has a number.
pub const MAX_EMITTERS: usize = 64;

/// A particle emitter on a body.
///
/// Whether an emitter ends by itself depends on its description (0x32), which is not read. It therefore stays listed
/// until a hook stops or removes it, or another emitter replaces it.
#[derive(Clone, Copy, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[doc(alias = "ParticleEmitter")]
pub struct Emitter {
    /// The number by which later hooks refer to the emitter; 0 if it has none.
    pub id: u32,
    /// The description of the emitter, 0x32.
    pub info: DataId,
    /// The part to which it is attached, or 0xFFFFFFFF for the body itself.
    pub part: u32,
    /// Its frame, relative to the part.
    pub offset: Frame,
}

impl Emitter {
    fn new(spec: &ParticleSpec) -> Self {
        Self { id: spec.emitter, info: spec.emitter_info, part: spec.part, offset: spec.offset }
    }
}

/// The active emitters of one body, oldest first.
#[derive(Clone, PartialEq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[doc(alias = "ParticleManager")]
pub(super) struct EmitterList {
    list: Vec<Emitter>,
}

impl EmitterList {
    pub(super) fn list(&self) -> &[Emitter] {
        &self.list
    }

    /// Creates an emitter and returns it. It replaces an emitter with the same number. If `blocking`, such an emitter
    /// prevents the new one instead, and `None` is returned.
    pub(super) fn create(&mut self, spec: &ParticleSpec, blocking: bool) -> Option<Emitter> {
        let emitter = Emitter::new(spec);
        if blocking && emitter.id != 0 && self.list.iter().any(|other| other.id == emitter.id) {
            return None;
        }
        self.remove(emitter.id);
        if self.list.len() >= MAX_EMITTERS {
            let unnamed = self.list.iter().position(|other| other.id == 0);
            self.list.remove(unnamed.unwrap_or(0));
        }
        self.list.push(emitter);
        Some(emitter)
    }

    /// Removes the emitter with a number. Emitters without a number, 0, cannot be removed.
    pub(super) fn remove(&mut self, id: u32) {
        self.list.retain(|emitter| id == 0 || emitter.id != id);
    }

    /// The heap memory of the list, in bytes.
    pub(super) fn side_bytes(&self) -> usize {
        self.list.capacity() * size_of::<Emitter>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spec(emitter: u32) -> ParticleSpec {
        ParticleSpec { emitter_info: DataId(0x3200_0001), part: 0, offset: Frame::IDENTITY, emitter }
    }

    #[test]
    fn the_oldest_unnumbered_emitter_is_dropped_when_the_list_is_full() {
        let mut emitters = EmitterList::default();
        emitters.create(&spec(7), false);
        for _ in 0..MAX_EMITTERS + 3 {
            emitters.create(&spec(0), false);
        }
        assert_eq!(emitters.list().len(), MAX_EMITTERS);
        assert_eq!(emitters.list()[0].id, 7, "numbered emitters stay as long as there are others");
        for id in 8..200 {
            emitters.create(&spec(id), true);
        }
        assert_eq!(emitters.list().len(), MAX_EMITTERS);
        assert_eq!(emitters.list()[0].id, 200 - MAX_EMITTERS as u32, "then the oldest is dropped");
    }
}
