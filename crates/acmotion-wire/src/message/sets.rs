//! The sets of messages: one per direction, and one for the contents of each envelope.

use acmotion_types::{Era, Guid};

use super::*;
use crate::cursor::{Reader, Writer};
use crate::direction::Direction;
use crate::error::DecodeError;

/// Defines an enum of messages that are distinguished by their opcode.
macro_rules! message_set {
    ($(#[$doc:meta])* $set:ident { $($variant:ident($message:ty),)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Debug)]
        #[allow(clippy::large_enum_variant, reason = "boxing the large ones would make decoding allocate")]
        #[non_exhaustive]
        pub enum $set<'a> {
            $(
                #[doc = concat!("[`", stringify!($variant), "`].")]
                $variant($message),
            )*
            /// Any other message.
            Unknown {
                /// The opcode.
                opcode: u32,
                /// The bytes after the opcode.
                body: &'a [u8],
            },
        }

        impl<'a> $set<'a> {
            /// Returns the opcode.
            pub fn opcode(&self) -> u32 {
                match self {
                    $(Self::$variant(_) => <$message>::OPCODE,)*
                    Self::Unknown { opcode, .. } => *opcode,
                }
            }

            /// Returns the opcode of the event or action it contains, or `None` if it is not an envelope.
            pub fn sub_opcode(&self) -> Option<u32> {
                match self {
                    $(Self::$variant(message) => message.sub_opcode(),)*
                    Self::Unknown { .. } => None,
                }
            }

            /// Returns the name of the message, or of the event or action it contains. It is `Unknown` if the opcode is
            /// not known here.
            pub fn name(&self) -> &'static str {
                match self {
                    $(Self::$variant(message) => message.name(),)*
                    Self::Unknown { .. } => "Unknown",
                }
            }

            /// The names of all messages of the set, each once.
            pub const NAMES: &'static [&'static str] = &[$(<$message>::NAME,)*];

            /// Returns the name for an opcode, or `None` if the opcode is not known here.
            pub fn name_of(opcode: u32) -> Option<&'static str> {
                match opcode {
                    $(<$message>::OPCODE => Some(<$message>::NAME),)*
                    _ => None,
                }
            }

            /// Returns the object it is about, or `None` if it names no object.
            pub fn guid(&self) -> Option<Guid> {
                match self {
                    $(Self::$variant(message) => message.guid(),)*
                    Self::Unknown { .. } => None,
                }
            }

            /// Returns `true` if the message, or the event or action it contains, is about movement. The others are
            /// those that movement depends on, such as attributes, and unknown ones.
            pub fn is_movement(&self) -> bool {
                match self {
                    $(Self::$variant(message) => message.is_movement(),)*
                    Self::Unknown { .. } => false,
                }
            }

            /// Returns `true` if an opcode is known here and belongs to a message about movement.
            pub fn is_movement_opcode(opcode: u32) -> bool {
                match opcode {
                    $(<$message>::OPCODE => <$message>::IS_MOVEMENT,)*
                    _ => false,
                }
            }

            /// Reads the opcode and the body, to the end.
            #[inline]
            pub(crate) fn read_whole(reader: &mut Reader<'a>) -> Result<Self, DecodeError> {
                let opcode = reader.u32("opcode")?;
                let (offset, body, era) = (reader.offset(), reader.take_rest(), reader.era());
                match opcode {
                    $(
                        <$message>::OPCODE => read_as::<$message, _>(offset, body, era, Self::$variant),
                    )*
                    _ => Ok(Self::Unknown { opcode, body }),
                }
            }

            #[inline]
            pub(crate) fn write(&self, writer: &mut Writer<'_>) {
                writer.u32(self.opcode());
                match self {
                    $(Self::$variant(message) => message.write(writer),)*
                    Self::Unknown { body, .. } => writer.bytes(body),
                }
            }

            /// Appends the opcode and the body.
            #[inline]
            pub fn encode(&self, out: &mut Vec<u8>) {
                self.write(&mut Writer::new(out));
            }

            /// Returns the opcode and the body.
            pub fn to_bytes(&self) -> Vec<u8> {
                let mut bytes = Vec::new();
                self.encode(&mut bytes);
                bytes
            }
        }

        $(
            impl<'a> From<$message> for $set<'a> {
                fn from(message: $message) -> Self {
                    Self::$variant(message)
                }
            }
        )*
    };
}

/// Reads one type of message to the end. Every type gets its own copy of this function with its own reader, so that the
/// reader stays in registers and the message is built in place.
#[inline(never)]
fn read_as<'a, M: Message<'a>, S>(
    offset: usize,
    rest: &'a [u8],
    era: Era,
    wrap: impl FnOnce(M) -> S,
) -> Result<S, DecodeError> {
    let reader = Reader::at_offset(offset, rest, M::OPCODE, era);
    match M::read_whole(reader) {
        Ok(message) => Ok(wrap(message)),
        Err(failure) => Err(failure.into()),
    }
}

message_set! {
    /// A message from the server (`docs/wire.md` §2).
    S2C {
        UpdateMotion(UpdateMotion<'a>),
        UpdatePosition(UpdatePosition),
        VectorUpdate(VectorUpdate),
        PositionAndMovement(PositionAndMovement<'a>),
        SetState(SetState),
        CreateObject(CreateObject<'a>),
        UpdateObject(UpdateObject<'a>),
        PlayerCreate(PlayerCreate),
        DeleteObject(DeleteObject),
        ParentEvent(ParentEvent),
        PickupEvent(PickupEvent),
        ObjDescEvent(ObjDescEvent<'a>),
        Sound(Sound),
        PlayerTeleport(PlayerTeleport),
        PlayScriptId(PlayScriptId),
        PlayScriptType(PlayScriptType),
        PrivateUpdateSkill(PrivateUpdateSkill),
        PublicUpdateSkill(PublicUpdateSkill),
        PrivateUpdateSkillLevel(PrivateUpdateSkillLevel),
        PublicUpdateSkillLevel(PublicUpdateSkillLevel),
        PrivateUpdatePropertyInt(PrivateUpdatePropertyInt),
        PublicUpdatePropertyInt(PublicUpdatePropertyInt),
        PrivateUpdateAttribute(PrivateUpdateAttribute),
        PrivateUpdateAttribute2ndLevel(PrivateUpdateAttribute2ndLevel),
        GameEvent(GameEvent<'a>),
    }
}

message_set! {
    /// The contents of a [`GameEvent`] (`docs/wire.md` §1.4).
    GameEventBody {
        PlayerDescription(PlayerDescription<'a>),
        MagicUpdateEnchantment(MagicUpdateEnchantment),
        MagicRemoveEnchantment(MagicRemoveEnchantment),
        UseDone(UseDone),
        AttackDone(AttackDone),
        CombatCommenceAttack(CombatCommenceAttack),
        InventoryPutObjInContainer(InventoryPutObjInContainer),
        WieldItem(WieldItem),
        InventoryPutObjIn3D(InventoryPutObjIn3D),
    }
}

message_set! {
    /// A message from the client (`docs/wire.md` §3). All messages about movement are inside a [`GameAction`].
    C2S {
        GameAction(GameAction<'a>),
    }
}

message_set! {
    /// The contents of a [`GameAction`] (`docs/wire.md` §3).
    GameActionBody {
        MoveToState(MoveToState<'a>),
        AutonomousPosition(AutonomousPosition),
        Jump(Jump),
        AutonomyLevel(AutonomyLevel),
        DoMovementCommand(DoMovementCommand),
        StopMovementCommand(StopMovementCommand),
        TurnTo(TurnTo),
        JumpNonAutonomous(JumpNonAutonomous),
        ChangeCombatMode(ChangeCombatMode),
        TargetedMeleeAttack(TargetedMeleeAttack),
        TargetedMissileAttack(TargetedMissileAttack),
        CastUntargetedSpell(CastUntargetedSpell),
        CastTargetedSpell(CastTargetedSpell),
        Use(Use),
        UseWithTarget(UseWithTarget),
        PutItemInContainer(PutItemInContainer),
        GetAndWieldItem(GetAndWieldItem),
        DropItem(DropItem),
        CancelAttack(CancelAttack),
    }
}

/// Decodes a message from the server, starting with its opcode. 16-bit commands are looked up in the table of `era`.
///
/// Messages that neither are about movement nor influence it decode to [`S2C::Unknown`].
///
/// # Errors
/// Returns an error if bytes are missing or left over, or a field has an invalid value.
///
/// ```
/// use acmotion_wire::{Era, MovementBody, S2C, decode_s2c};
///
/// let bytes = [
///     0x4C, 0xF7, 0, 0, 0x02, 0, 0, 0x50, 0x5A, 0, 1, 0, 0, 0, 1, 0, // object, stamps, autonomous
///     0x00, 0x00, 0x3D, 0x00, 0x02, 0, 0, 0, 0x05, 0x00, 0, 0, // non-combat, walking forward
/// ];
/// let message = decode_s2c(&bytes, Era::default())?;
/// let S2C::UpdateMotion(motion) = &message else { panic!("not an UpdateMotion") };
/// let MovementBody::Interpreted { state, .. } = motion.data.movement.body else { panic!("not a state") };
/// assert_eq!(state.forward_command.unwrap().to_string(), "WalkForward");
///
/// let mut again = Vec::new();
/// message.encode(&mut again);
/// assert_eq!(again, bytes);
/// # Ok::<(), acmotion_wire::DecodeError>(())
/// ```
pub fn decode_s2c(bytes: &[u8], era: Era) -> Result<S2C<'_>, DecodeError> {
    S2C::read_whole(&mut Reader::new(bytes, 0, era))
}

/// Decodes a message from the client, starting with its opcode. 16-bit commands are looked up in the table of `era`.
///
/// Messages that neither are about movement nor influence it decode to [`C2S::Unknown`].
///
/// # Errors
/// Returns an error if bytes are missing or left over, or a field has an invalid value.
pub fn decode_c2s(bytes: &[u8], era: Era) -> Result<C2S<'_>, DecodeError> {
    C2S::read_whole(&mut Reader::new(bytes, 0, era))
}

/// Returns `true` if a message is about movement, judged by its opcode and, in an envelope, by the opcode of the event or
/// action. A message that is too short to have these opcodes counts as one, so that it is not overlooked.
///
/// ```
/// use acmotion_wire::{Direction, is_movement};
///
/// assert!(is_movement(Direction::S2C, &[0x4C, 0xF7, 0, 0]));
/// // A change of burden. Movement depends on it, but it is not about movement.
/// assert!(!is_movement(Direction::S2C, &[0xCD, 0x02, 0, 0, 0, 5, 0, 0, 0, 100, 0, 0, 0]));
/// ```
pub fn is_movement(direction: Direction, bytes: &[u8]) -> bool {
    let opcode_at =
        |offset: usize| bytes.get(offset..)?.first_chunk().map(|chunk| u32::from_le_bytes(*chunk));
    let is_movement = match (direction, opcode_at(0)) {
        (Direction::S2C, Some(GameEvent::OPCODE)) => opcode_at(12).map(GameEventBody::is_movement_opcode),
        (Direction::S2C, opcode) => opcode.map(S2C::is_movement_opcode),
        (Direction::C2S, Some(GameAction::OPCODE)) => opcode_at(8).map(GameActionBody::is_movement_opcode),
        (Direction::C2S, opcode) => opcode.map(C2S::is_movement_opcode),
    };
    is_movement.unwrap_or(true)
}
