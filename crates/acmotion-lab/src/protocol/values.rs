//! Values that commands, messages and answers share.

use std::fmt;

use acmotion::dat::DataId;
use acmotion::types::{CellId, Guid, MotionCommand};
use serde::de::{Deserialize, Deserializer, Error as _};
use serde::{Serialize, Serializer};

/// A 32-bit id in hexadecimal, such as `"0x02000001"`: an object of a dat file, an entity's guid, a cell, a motion
/// command or a colour.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[cfg_attr(test, derive(ts_rs::TS), ts(type = "string"))]
pub(crate) struct HexId(pub(crate) u32);

impl HexId {
    /// Returns the id of a dat object, or `None` if it is 0.
    pub(crate) fn non_zero(id: DataId) -> Option<Self> {
        (id.0 != 0).then_some(Self(id.0))
    }

    pub(crate) fn guid(self) -> Guid {
        Guid(self.0)
    }
}

impl fmt::Display for HexId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "0x{:08X}", self.0)
    }
}

impl Serialize for HexId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for HexId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse::<DataId>().map(Self::from).map_err(D::Error::custom)
    }
}

impl From<DataId> for HexId {
    fn from(id: DataId) -> Self {
        Self(id.0)
    }
}

impl From<Guid> for HexId {
    fn from(guid: Guid) -> Self {
        Self(guid.0)
    }
}

impl From<CellId> for HexId {
    fn from(cell: CellId) -> Self {
        Self(cell.0)
    }
}

/// A motion command with its name.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct NamedCommand {
    pub(crate) id: HexId,
    /// Null if the catalogue has no name for it.
    pub(crate) name: Option<&'static str>,
}

impl From<MotionCommand> for NamedCommand {
    fn from(command: MotionCommand) -> Self {
        Self { id: HexId(command.0), name: command.name() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_written_and_read_as_hexadecimal_text() {
        assert_eq!(serde_json::to_value(HexId(0x2A)).unwrap(), "0x0000002A");
        assert_eq!(serde_json::from_value::<HexId>("2a".into()).unwrap(), HexId(0x2A));
        let error = serde_json::from_value::<HexId>("door".into()).unwrap_err();
        assert!(error.to_string().contains("`door` is not an id"), "{error}");
    }
}
