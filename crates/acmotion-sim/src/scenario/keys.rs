//! Words for keys, stances and actions.

use acmotion::types::MotionCommand;
use acmotion::wire::CombatMode;

/// The usual keys by the words of a scene file.
const KEYS: [(&str, MotionCommand); 11] = [
    ("forward", MotionCommand::WALK_FORWARD),
    ("back", MotionCommand::WALK_BACKWARDS),
    ("turn_left", MotionCommand::TURN_LEFT),
    ("turn_right", MotionCommand::TURN_RIGHT),
    ("left", MotionCommand::SIDE_STEP_LEFT),
    ("right", MotionCommand::SIDE_STEP_RIGHT),
    ("jump", MotionCommand::JUMP),
    ("run", MotionCommand::HOLD_RUN),
    ("sidestep", MotionCommand::HOLD_SIDESTEP),
    ("autorun", MotionCommand::AUTO_RUN),
    ("crouch", MotionCommand::CROUCH),
];

const STANCES: [(&str, CombatMode); 4] = [
    ("peace", CombatMode::NON_COMBAT),
    ("melee", CombatMode::MELEE),
    ("missile", CombatMode::MISSILE),
    ("magic", CombatMode::MAGIC),
];

fn listed<T: Copy>(word: &str, what: &str, list: &[(&str, T)], more: &str) -> Result<T, String> {
    let found = list.iter().find(|(name, _)| name.eq_ignore_ascii_case(word));
    found.map(|(_, value)| *value).ok_or_else(|| {
        let names: Vec<&str> = list.iter().map(|(name, _)| *name).collect();
        format!("`{word}` is no {what}: expected one of {}{more}", names.join(", "))
    })
}

/// A key: one of the words, or the name of any command.
pub(super) fn key(word: &str) -> Result<MotionCommand, String> {
    let more = ", or the name of a motion command such as Sitting";
    listed(word, "key", &KEYS, more).or_else(|error| MotionCommand::from_name(word).ok_or(error))
}

/// What the player asks for.
pub(super) fn combat_mode(word: &str) -> Result<CombatMode, String> {
    listed(word, "stance", &STANCES, "")
}

/// A stance that the server imposes: one of the words, or the name of a style.
pub(super) fn style(word: &str) -> Result<MotionCommand, String> {
    if let Some(style) = MotionCommand::from_name(word).filter(|command| command.is_style()) {
        return Ok(style);
    }
    let mode = listed(word, "stance", &STANCES, ", or the name of a style such as SwordCombat")?;
    Ok(style_of(mode))
}

/// An action by its name.
pub(super) fn action(word: &str) -> Result<MotionCommand, String> {
    let known = MotionCommand::from_name(word).filter(|command| command.is_action());
    known.ok_or_else(|| {
        format!("`{word}` is no action: expected the name of a motion command such as Wave or AttackHigh1")
    })
}

/// The style in which somebody without weapons fights.
pub(crate) fn style_of(mode: CombatMode) -> MotionCommand {
    match mode {
        CombatMode::MELEE => MotionCommand::HAND_COMBAT,
        CombatMode::MISSILE => MotionCommand::BOW_COMBAT,
        CombatMode::MAGIC => MotionCommand::MAGIC,
        _ => MotionCommand::NON_COMBAT,
    }
}
