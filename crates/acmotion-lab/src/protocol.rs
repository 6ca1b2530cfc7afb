//! What the page and the server exchange: commands, messages, the answers of the HTTP API, and the layout of binary
//! frames (`docs/lab.md`).
//!
//! The page's TypeScript types are generated from these types into `page/src/protocol.ts` and `protocol-http.ts`. After
//! changing a type here, refresh them with `ACMOTION_UPDATE_TYPES=1 cargo test -p acmotion-lab --lib typescript`.

pub(crate) mod api;
pub(crate) mod binary;
mod changes;
mod command;
mod event;
mod explanation;
mod message;
mod tick;
#[cfg(test)]
mod typescript;
mod values;

pub(crate) use changes::TickEncoder;
#[cfg(test)]
pub(crate) use command::Height;
pub(crate) use command::{
    Command, CreatureOrder, Filter, JumpTarget, Key, NetworkChange, NetworkSettings, Request, Spell, Stance,
};
pub(crate) use event::{EventDetail, EventRecord};
pub(crate) use explanation::{
    Constraint, ConstraintStep, Contact, DistanceMeasure, Explanation, Ground, Interpolation,
    InterpolationStep, MotionInput, MotionSpeed, MoveTo, PendingMotion, QueuedAnimation, Report, Sentence,
    Stage, Stamps, Step, TakenMessage,
};
#[cfg(feature = "server")]
pub(crate) use message::SessionEnd;
pub(crate) use message::{
    Agreement, AgreementList, BesideInfo, CameraAnswer, CommandError, CreatureActivity, CreatureState,
    DecodedMessage, Delivery, Entity, EntityKey, EntityKind, EntityUpdate, EventBatch, EventLog,
    ExplanationUpdate, Hello, ItemPlace, ItemState, LandKind, MessageList, MessageSummary, Moments,
    MotionSpan, PlayerState, Refusal, ReportList, ReportedPosition, RequestOutcome, RequestState,
    RequestStep, Series, ServerMessage, SessionMode, SessionState, TransportMode, ViewInfo, WalkState,
};
pub(crate) use tick::{BodyFlags, BodyRecord, TickFlags, TickHeader};
pub(crate) use values::{HexId, NamedCommand};
