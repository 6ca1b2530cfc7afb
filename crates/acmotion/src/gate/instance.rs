//! Which instance of an object a message is for (rules D3, D11, D12).

use acmotion_types::Stamp;

use super::Stale;

/// The verdict of the instance rule (rule D3).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum InstanceVerdict {
    /// The message is for the current instance.
    Process,
    /// The message is for an object, or an instance of it, that has not been created yet.
    Queue,
    /// The message is for an earlier instance.
    Drop,
}

impl InstanceVerdict {
    /// The verdict's name in conformance vectors and traces.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Process => "process",
            Self::Queue => "queue",
            Self::Drop => "drop",
        }
    }
}

/// Applies the instance rule (rule D3). `known` is the object's instance stamp, `None` if the object does not exist.
#[inline]
pub fn check_instance(known: Option<Stamp>, message: Stamp) -> InstanceVerdict {
    match known {
        None => InstanceVerdict::Queue,
        Some(known) if message == known => InstanceVerdict::Process,
        Some(known) if message.is_newer_than(known) => InstanceVerdict::Queue,
        Some(_) => InstanceVerdict::Drop,
    }
}

/// The verdict on a description of an object (rule D12).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum CreateVerdict {
    /// The object is created.
    Create,
    /// The object is known, and each part of the description is gated by its own stamp.
    Update,
    /// The object is destroyed and created anew.
    Recreate,
    /// The description is of an earlier instance.
    Drop(Stale),
}

/// Decides on a description of an object (rule D12). A `forced` one (`UpdateObject`) creates a known object anew.
pub fn check_create(known: Option<Stamp>, message: Stamp, forced: bool) -> CreateVerdict {
    match (known, check_instance(known, message)) {
        (None, _) => CreateVerdict::Create,
        (Some(_), InstanceVerdict::Queue) => CreateVerdict::Recreate,
        (Some(_), InstanceVerdict::Process) if forced => CreateVerdict::Recreate,
        (Some(_), InstanceVerdict::Process) => CreateVerdict::Update,
        (Some(_), InstanceVerdict::Drop) => CreateVerdict::Drop(Stale::Instance),
    }
}

/// Returns `true` if an object may be deleted: only if the message is for its current instance, and never the player
/// (rule D11).
pub fn may_delete(known: Stamp, message: Stamp, is_player: bool) -> bool {
    known == message && !is_player
}
