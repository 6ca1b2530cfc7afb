//! Which life of an object a message is for (rules D3, D11, D12).

use acmotion_types::Stamp;

use super::Stale;

/// What the instance rule says to a message (rule D3).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum InstanceVerdict {
    /// It is for the object as it is known.
    Process,
    /// It is for an object, or a life of it, that is still to come.
    Queue,
    /// It is for a life that is over.
    Drop,
}

impl InstanceVerdict {
    /// The name it has in conformance vectors and traces.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Process => "process",
            Self::Queue => "queue",
            Self::Drop => "drop",
        }
    }
}

/// The instance rule; `known` is the object's instance stamp, if it exists (rule D3).
pub fn check_instance(known: Option<Stamp>, message: Stamp) -> InstanceVerdict {
    match known {
        None => InstanceVerdict::Queue,
        Some(known) if message == known => InstanceVerdict::Process,
        Some(known) if message.is_newer_than(known) => InstanceVerdict::Queue,
        Some(_) => InstanceVerdict::Drop,
    }
}

/// What a description of an object does (rule D12).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum CreateVerdict {
    /// It makes the object.
    Create,
    /// The object is known, and each part is taken if its own stamp is fresh.
    Update,
    /// The object is destroyed and made anew.
    Recreate,
    /// It is for a life that is over.
    Drop(Stale),
}

/// Decides on a description of an object: a `forced` one (`UpdateObject`) makes a known object anew (rule D12).
pub fn check_create(known: Option<Stamp>, message: Stamp, forced: bool) -> CreateVerdict {
    match (known, check_instance(known, message)) {
        (None, _) => CreateVerdict::Create,
        (Some(_), InstanceVerdict::Queue) => CreateVerdict::Recreate,
        (Some(_), InstanceVerdict::Process) if forced => CreateVerdict::Recreate,
        (Some(_), InstanceVerdict::Process) => CreateVerdict::Update,
        (Some(_), InstanceVerdict::Drop) => CreateVerdict::Drop(Stale::Instance),
    }
}

/// May an object be deleted? Only if the message is for this life of it, and never the player (rule D11).
pub fn may_delete(known: Stamp, message: Stamp, is_player: bool) -> bool {
    known == message && !is_player
}
