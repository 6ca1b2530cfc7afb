//! Messages of the server that do not follow from the state of its world.

use acmotion::PlayerWeenie;
use acmotion::formulas::carrying_capacity;
use acmotion::types::{Guid, MotionCommand};
use acmotion::wire::{
    self, GameEvent, GameEventBody, MotionFlags, Movement, MovementBody, PlayerCreate, S2C, Skill,
};

pub(super) fn encoded<'a>(message: impl Into<S2C<'a>>) -> Vec<u8> {
    let mut bytes = Vec::new();
    message.into().encode(&mut bytes);
    bytes
}

/// Builds a movement of type 0, sticking to an object if one is given.
pub(super) fn interpreted<'a>(
    style: MotionCommand,
    state: wire::InterpretedState<'a>,
    sticky: Option<Guid>,
) -> Movement<'a> {
    let state = wire::InterpretedState {
        current_style: (style != MotionCommand::NON_COMBAT).then_some(style),
        ..state
    };
    Movement { flags: MotionFlags::empty(), style, body: MovementBody::Interpreted { state, sticky } }
}

/// Builds a game event for a player.
pub(super) fn event(guid: Guid, sequence: u32, event: GameEventBody<'_>) -> Vec<u8> {
    encoded(GameEvent { guid, sequence, event })
}

pub(super) fn player_create(guid: Guid) -> Vec<u8> {
    encoded(PlayerCreate { guid })
}

/// The players' strength: enough for a load to count (rule K10), and hardly any jump skill.
const STRENGTH: u32 = 2;

/// Builds the `PlayerDescription` of a player (`docs/wire.md` 2.7), with skills that depend on next to no attributes.
pub(super) fn player_description(guid: Guid, sequence: u32, weenie: &PlayerWeenie) -> Vec<u8> {
    let burden = (weenie.load * carrying_capacity(STRENGTH as i32, 0) as f32) as u32;
    let mut bytes = Vec::new();
    let mut words = |list: &[u32]| list.iter().for_each(|word| bytes.extend(word.to_le_bytes()));
    let table = |count: u32| count | 16 << 16;
    // The envelope, one integer property table with the burden, then attributes and skills.
    words(&[0xF7B0, guid.0, sequence, 0x0013, 0x01, 10, table(1), 5, burden, 0x03, 1]);
    words(&[0x1FF, 0, STRENGTH, 0]);
    words(&[0; 15]);
    for vital in [100, weenie.stamina, 100] {
        words(&[0, 100, 0, vital]);
    }
    words(&[table(2)]);
    for (skill, level) in
        [(Skill::JUMP, weenie.jump_skill.saturating_sub(STRENGTH / 2)), (Skill::RUN, weenie.run_skill)]
    {
        words(&[skill, 1 << 16, 2, 0, level, 0, 0, 0]);
    }
    bytes
}
