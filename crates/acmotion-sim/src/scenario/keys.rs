//! The names of keys, stances and actions in scenario files.

use acmotion::types::MotionCommand;
use acmotion::wire::{AttackHeight, CombatMode};

/// The keys that have a name of their own.
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

/// Returns the value with a name in a list; `alternative` is appended to the names in the error.
fn find<T: Copy>(word: &str, kind: &str, list: &[(&str, T)], alternative: &str) -> Result<T, String> {
    let found = list.iter().find(|(name, _)| name.eq_ignore_ascii_case(word));
    found.map(|(_, value)| *value).ok_or_else(|| {
        let names: Vec<&str> = list.iter().map(|(name, _)| *name).collect();
        format!("`{word}` is not a {kind}: expected one of {}{alternative}", names.join(", "))
    })
}

/// Parses a key: one of the names above, or the name of any motion command.
pub(super) fn key(word: &str) -> Result<MotionCommand, String> {
    let alternative = ", or the name of a motion command such as Sitting";
    find(word, "key", &KEYS, alternative).or_else(|error| MotionCommand::from_name(word).ok_or(error))
}

/// Parses the height of an attack.
pub(super) fn attack_height(word: &str) -> Result<AttackHeight, String> {
    let heights = [AttackHeight::HIGH, AttackHeight::MEDIUM, AttackHeight::LOW];
    let found = heights.into_iter().find(|height| height.name() == word);
    found.ok_or_else(|| format!("height: expected high, medium or low, found `{word}`"))
}

/// Parses a stance that a player requests.
pub(super) fn combat_mode(word: &str) -> Result<CombatMode, String> {
    find(word, "stance", &STANCES, "")
}

/// Parses a stance that the server imposes: one of the names above, or the name of a style.
pub(super) fn style(word: &str) -> Result<MotionCommand, String> {
    if let Some(style) = MotionCommand::from_name(word).filter(|command| command.is_style()) {
        return Ok(style);
    }
    let mode = find(word, "stance", &STANCES, ", or the name of a style such as SwordCombat")?;
    Ok(style_of(mode, false))
}

/// Parses the name of an action.
pub(super) fn action(word: &str) -> Result<MotionCommand, String> {
    let known = MotionCommand::from_name(word).filter(|command| command.is_action());
    known.ok_or_else(|| {
        format!(
            "`{word}` is not an action: expected the name of a motion command such as Wave or AttackHigh1"
        )
    })
}

/// Returns the style of a combat mode, with or without a sword.
pub(crate) fn style_of(mode: CombatMode, has_sword: bool) -> MotionCommand {
    match mode {
        CombatMode::MELEE if has_sword => MotionCommand::SWORD_COMBAT,
        CombatMode::MELEE => MotionCommand::HAND_COMBAT,
        CombatMode::MISSILE => MotionCommand::BOW_COMBAT,
        CombatMode::MAGIC => MotionCommand::MAGIC,
        _ => MotionCommand::NON_COMBAT,
    }
}
