//! Commands of the page to its session.

use acmotion::types::MotionCommand;
use acmotion::wire::{AttackHeight, CombatMode};
use serde::{Deserialize, Serialize};

use super::HexId;

/// A command with the number that its answers repeat.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Request {
    /// Repeated in the answer and in the `state` message that follows the command.
    #[cfg_attr(test, ts(optional))]
    pub(crate) request_id: Option<u32>,
    #[serde(flatten)]
    pub(crate) command: Command,
}

/// What the page can ask of its session.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "command", rename_all = "snake_case")]
pub(crate) enum Command {
    /// Walk: presses or releases a key.
    Key { key: Key, down: bool },
    /// Walk: releases every key.
    ReleaseAll,
    /// Walk: jumps without charging; `extent` is 0–1.
    Jump { extent: f32 },
    /// Walk: plays an action, given by its name or id.
    Emote { motion: String },
    /// Walk: asks the server for a stance.
    Stance { stance: Stance },
    /// Walk: toggles autorun.
    Autorun,
    /// Walk: switches turning with the mouse on or off.
    MouseLook { on: bool },
    /// Walk: the speed of the mouse, −1…1, to the right if positive (rule K5).
    MouseTurn { movement: f32 },
    /// Walk: turns to a heading in degrees.
    Face { heading: f32 },
    /// Walk: moves to a position of the scene.
    WalkTo { position: [f32; 3] },
    /// Walk: the server teleports the player to the start.
    Home,
    /// Walk: changes the network.
    Network(NetworkChange),
    /// Walk: gives a creature an order.
    Creature {
        guid: HexId,
        order: CreatureOrder,
        /// The entity to chase or stick to; the player if absent.
        #[cfg_attr(test, ts(optional = nullable))]
        target: Option<HexId>,
    },
    /// Walk: attacks the target: a shot in the missile stance, else a blow.
    Attack {
        target: Option<HexId>,
        height: Height,
        /// 0–1.
        power: f32,
    },
    /// Walk: presses the attack key. The player stops, and the power bar fills until `end_attack`.
    BeginAttack { target: Option<HexId>, height: Height },
    /// Walk: releases the attack key.
    EndAttack,
    /// Walk: cancels the attack. A swing that is under way is finished.
    CancelAttack,
    /// Walk: casts a spell at the target, if the spell needs one.
    Cast { spell: Spell, target: Option<HexId> },
    /// Walk: the player goes to an object and uses it: a door opens or closes.
    Use { guid: HexId },
    /// Walk: the player goes to an item on the ground and picks it up.
    PickUp { guid: HexId },
    /// Walk: the player drops an item.
    Drop { guid: HexId },
    /// Walk: the player wields an item that it has.
    Wield { guid: HexId },
    /// Walk: the server opens or closes a door.
    Door { guid: HexId },
    /// Walk: asks for `camera`: how far from the point that it looks at a camera may be.
    Camera {
        /// The point that the camera looks at.
        pivot: [f32; 3],
        /// Where the camera wants to be.
        eye: [f32; 3],
    },
    /// Walk: starts over with this many walkers, leaving the player where it is.
    Crowd { count: u32 },
    /// Walk: starts over.
    Reset,
    /// Selects the entity that `explanation` messages are about; null selects none.
    Select {
        guid: Option<HexId>,
        /// The view; 0 if absent.
        #[cfg_attr(test, ts(optional = nullable))]
        view: Option<u8>,
    },
    /// Stops the clock or lets it run.
    Pause { on: bool },
    /// Pauses and moves by −600…600 ticks. Past the last tick of a walk, the engine simulates new ones.
    Step {
        #[cfg_attr(test, ts(type = "number"))]
        ticks: i64,
    },
    /// Sets the speed of the clock, 0.05–8.
    Speed { factor: f64 },
    /// Plays recorded ticks at a rate of −8…8.
    Play { rate: f64 },
    /// Pauses at the tick at or before a time or a number.
    Seek {
        #[cfg_attr(test, ts(optional = nullable))]
        t: Option<f64>,
        #[cfg_attr(test, ts(optional = nullable))]
        tick: Option<u32>,
    },
    /// Goes to the newest tick and continues from there.
    Live,
    /// Walk: continues from the tick shown. The ticks after it are dropped.
    Continue,
    /// Pauses at the next tick in which something happened.
    Next {
        target: JumpTarget,
        /// Searches backwards.
        #[serde(default)]
        #[cfg_attr(test, ts(optional, as = "Option<bool>"))]
        back: bool,
        #[cfg_attr(test, ts(optional = nullable))]
        guid: Option<HexId>,
        #[cfg_attr(test, ts(optional = nullable))]
        view: Option<u8>,
    },
    /// Sets which events and messages are sent.
    Filter(Filter),
    /// Asks for `series`.
    Series { guid: HexId, view: u8, from: f64, to: f64 },
    /// Asks for `reports`: the positions of an entity that the server reported.
    Reports { guid: HexId },
    /// Asks for `agreement`: how each entity agrees with what the server reported of it.
    Agreement,
    /// Asks for `moments`: the explanations of the selected entity after up to 8 ticks.
    Moments { ticks: Vec<u32> },
    /// Asks for `event_log`.
    Events {
        from: f64,
        to: f64,
        #[cfg_attr(test, ts(optional = nullable))]
        limit: Option<usize>,
    },
    /// Asks for `messages`.
    Messages {
        from: f64,
        to: f64,
        #[cfg_attr(test, ts(optional = nullable))]
        limit: Option<usize>,
    },
    /// Asks for `message`: one message, decoded.
    Message {
        #[cfg_attr(test, ts(type = "number"))]
        number: u64,
    },
}

/// A key of the walk.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub(crate) enum Key {
    Forward,
    Backward,
    TurnLeft,
    TurnRight,
    StrafeLeft,
    StrafeRight,
    /// Held down, the player walks instead of running.
    Walk,
    Sidestep,
    /// Pressed, it charges a jump; released, it jumps.
    Jump,
}

impl Key {
    pub(crate) const ALL: [Self; 9] = [
        Self::Forward,
        Self::Backward,
        Self::TurnLeft,
        Self::TurnRight,
        Self::StrafeLeft,
        Self::StrafeRight,
        Self::Walk,
        Self::Sidestep,
        Self::Jump,
    ];

    /// Returns the motion command that the key sends to the command interpreter.
    pub(crate) const fn motion(self) -> MotionCommand {
        match self {
            Self::Forward => MotionCommand::WALK_FORWARD,
            Self::Backward => MotionCommand::WALK_BACKWARDS,
            Self::TurnLeft => MotionCommand::TURN_LEFT,
            Self::TurnRight => MotionCommand::TURN_RIGHT,
            Self::StrafeLeft => MotionCommand::SIDE_STEP_LEFT,
            Self::StrafeRight => MotionCommand::SIDE_STEP_RIGHT,
            Self::Walk => MotionCommand::HOLD_RUN,
            Self::Sidestep => MotionCommand::HOLD_SIDESTEP,
            Self::Jump => MotionCommand::JUMP,
        }
    }
}

/// A stance that the player can ask for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub(crate) enum Stance {
    Peace,
    Melee,
    Missile,
    Magic,
}

impl Stance {
    pub(crate) const ALL: [Self; 4] = [Self::Peace, Self::Melee, Self::Missile, Self::Magic];

    pub(crate) const fn combat_mode(self) -> CombatMode {
        match self {
            Self::Peace => CombatMode::NON_COMBAT,
            Self::Melee => CombatMode::MELEE,
            Self::Missile => CombatMode::MISSILE,
            Self::Magic => CombatMode::MAGIC,
        }
    }

    /// Returns the stance that a style belongs to.
    pub(crate) const fn of_style(style: MotionCommand) -> Self {
        match style {
            MotionCommand::NON_COMBAT => Self::Peace,
            MotionCommand::MAGIC => Self::Magic,
            MotionCommand::BOW_COMBAT
            | MotionCommand::CROSSBOW_COMBAT
            | MotionCommand::THROWN_WEAPON_COMBAT => Self::Missile,
            _ => Self::Melee,
        }
    }
}

/// The height of an attack.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub(crate) enum Height {
    High,
    Medium,
    Low,
}

impl Height {
    pub(crate) const fn attack_height(self) -> AttackHeight {
        match self {
            Self::High => AttackHeight::HIGH,
            Self::Medium => AttackHeight::MEDIUM,
            Self::Low => AttackHeight::LOW,
        }
    }
}

/// A spell that the player can cast.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub(crate) enum Spell {
    /// A bolt at a target.
    Bolt,
    /// A spell on the player itself.
    Heal,
}

impl Spell {
    /// Returns the number of the spell in the game.
    pub(crate) const fn id(self) -> u32 {
        match self {
            Self::Bolt => 27,
            Self::Heal => 6,
        }
    }

    /// Returns `true` if the spell is cast at a target.
    pub(crate) const fn needs_target(self) -> bool {
        matches!(self, Self::Bolt)
    }

    /// Returns the name of the spell with a number.
    pub(crate) fn name(id: u32) -> &'static str {
        if id == Self::Heal.id() { "heal" } else { "bolt" }
    }
}

/// An order for a creature.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub(crate) enum CreatureOrder {
    Chase,
    Patrol,
    /// Sticks to the target and attacks it.
    Stick,
    Stay,
}

impl CreatureOrder {
    pub(crate) const ALL: [Self; 4] = [Self::Chase, Self::Patrol, Self::Stick, Self::Stay];
}

/// What `next` searches for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub(crate) enum JumpTarget {
    Snap,
    Rejected,
    Teleport,
    Hook,
    /// A hook at which an attack hits.
    Attack,
    Message,
}

impl JumpTarget {
    /// Returns the noun for texts.
    pub(crate) const fn noun(self) -> &'static str {
        match self {
            Self::Snap => "snap",
            Self::Rejected => "rejection",
            Self::Teleport => "teleport",
            Self::Hook => "hook",
            Self::Attack => "attack",
            Self::Message => "message",
        }
    }
}

/// Changes to the network from the server to the clients; absent values stay as they are.
#[derive(Clone, Copy, PartialEq, Debug, Default, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields = nullable))]
pub(crate) struct NetworkChange {
    /// 0–2000.
    pub(crate) latency_ms: Option<f64>,
    /// 0–1000.
    pub(crate) jitter_ms: Option<f64>,
    /// The share of messages that are lost, 0–0.9.
    pub(crate) loss: Option<f64>,
    /// The share of messages that arrive twice, 0–0.9.
    pub(crate) duplicate: Option<f64>,
    /// How many positions of a player the server sends a second, 0.2–30.
    pub(crate) update_hz: Option<f64>,
}

/// The network from the server to the clients. Messages to the server arrive without delay.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct NetworkSettings {
    pub(crate) latency_ms: f64,
    pub(crate) jitter_ms: f64,
    /// The share of messages that are lost.
    pub(crate) loss: f64,
    /// The share of messages that arrive twice.
    pub(crate) duplicate: f64,
    /// How many positions of a player the server sends a second.
    pub(crate) update_hz: f64,
}

/// Which events and messages are sent; an absent list lets everything through.
#[derive(Clone, PartialEq, Debug, Default, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(optional_fields = nullable))]
pub(crate) struct Filter {
    /// Names of events.
    pub(crate) events: Option<Vec<String>>,
    pub(crate) guids: Option<Vec<HexId>>,
    /// Names or opcodes of messages.
    pub(crate) opcodes: Option<Vec<String>>,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> serde_json::Result<Request> {
        serde_json::from_str(text)
    }

    #[test]
    fn commands_are_parsed_with_their_request_id() {
        let request =
            parse(r#"{"command": "key", "key": "forward", "down": true, "request_id": 4}"#).unwrap();
        let command = Command::Key { key: Key::Forward, down: true };
        assert_eq!(request, Request { request_id: Some(4), command });
        let request = parse(r#"{"command": "network", "loss": 0.1}"#).unwrap();
        let change = NetworkChange { loss: Some(0.1), ..NetworkChange::default() };
        assert_eq!(request, Request { request_id: None, command: Command::Network(change) });
        let request = parse(r#"{"command": "select", "guid": null}"#).unwrap();
        assert_eq!(request.command, Command::Select { guid: None, view: None });
    }

    #[test]
    fn unknown_values_are_rejected_with_the_known_ones() {
        for (text, part) in [
            (r#"{"command": "fly"}"#, "unknown variant `fly`"),
            (r#"{"command": "key", "key": "w", "down": true}"#, "strafe_left"),
            (r#"{"command": "creature", "guid": "0x1", "order": "dance"}"#, "patrol"),
            (r#"{"command": "next", "target": "comet"}"#, "teleport"),
        ] {
            let error = parse(text).unwrap_err().to_string();
            assert!(error.contains(part), "{text}: {error}");
        }
    }
}
