//! Physics scripts, 0x33: hooks that fire at fixed times (`docs/dat.md` §8).

use crate::cursor::{ByteWriter, Reader};
use crate::error::ParseError;
use crate::id::{DataId, ObjectKind};
use crate::objects::hook::{self, Hook};
use crate::objects::{DatObject, decode_whole};

/// A physics script: effects such as particles and sounds, each at its time after the start of the script.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct PhysicsScript {
    /// The id.
    pub id: DataId,
    /// The hooks, in file order.
    pub hooks: Vec<ScriptHook>,
}

/// A hook of a script.
#[derive(Clone, Copy, PartialEq, Debug)]
#[doc(alias = "PhysicsScriptData")]
pub struct ScriptHook {
    /// The time at which the hook fires, in seconds after the start of the script.
    pub start: f64,
    /// The hook.
    pub hook: Hook,
}

impl PhysicsScript {
    /// Returns the time of the latest hook, in seconds; 0 if there are no hooks.
    pub fn length(&self) -> f64 {
        self.hooks.iter().map(|entry| entry.start).fold(0.0, f64::max)
    }

    fn read(reader: &mut Reader<'_>) -> Result<Self, ParseError> {
        let id = reader.id("id")?;
        let count = reader.count("hook count", 8 + hook::MIN_HOOK_SIZE)?;
        let mut hooks = Vec::with_capacity(count);
        for _ in 0..count {
            hooks.push(ScriptHook { start: reader.f64("start time")?, hook: hook::read(reader)? });
        }
        Ok(Self { id, hooks })
    }
}

impl DatObject for PhysicsScript {
    const KIND: ObjectKind = ObjectKind::PhysicsScript;

    fn decode(bytes: &[u8]) -> Result<Self, ParseError> {
        decode_whole(bytes, Self::read)
    }

    fn encode_into(&self, out: &mut Vec<u8>) {
        out.id(self.id);
        out.count(self.hooks.len());
        for ScriptHook { start, hook } in &self.hooks {
            out.f64(*start);
            hook::write(out, hook);
        }
    }

    fn own_id(&self) -> Option<DataId> {
        Some(self.id)
    }
}
