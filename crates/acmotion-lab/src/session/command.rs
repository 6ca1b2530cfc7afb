//! What the page can ask of a session.

use acmotion::types::MotionCommand;
use serde::Deserialize;
use serde_json::Value;

/// The keys by name, and what each means to the command interpreter.
pub(crate) const KEYS: [(&str, MotionCommand); 9] = [
    ("forward", MotionCommand::WALK_FORWARD),
    ("backward", MotionCommand::WALK_BACKWARDS),
    ("turn_left", MotionCommand::TURN_LEFT),
    ("turn_right", MotionCommand::TURN_RIGHT),
    ("strafe_left", MotionCommand::SIDE_STEP_LEFT),
    ("strafe_right", MotionCommand::SIDE_STEP_RIGHT),
    ("walk", MotionCommand::HOLD_RUN),
    ("sidestep", MotionCommand::HOLD_SIDESTEP),
    ("jump", MotionCommand::JUMP),
];

/// What a creature can be told.
pub(crate) const ORDERS: [&str; 4] = ["chase", "patrol", "stick", "stay"];

/// A command of the page (`docs/lab.md`).
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(tag = "do", rename_all = "snake_case")]
pub(crate) enum Command {
    Key { key: String, down: bool },
    ReleaseAll,
    Jump { extent: f32 },
    Emote { motion: String },
    Stance { stance: String },
    Autorun,
    MouseLook { on: bool },
    MouseTurn { movement: f32 },
    Face { heading: f32 },
    WalkTo { place: [f32; 3] },
    Home,
    Network(Network),
    Creature { guid: String, order: String, target: Option<String> },
    Use { guid: String },
    Crowd { count: u32 },
    Reset,
    Select { guid: Option<String>, view: Option<u8> },
    Pause { on: bool },
    Step { ticks: i64 },
    Speed { factor: f64 },
    Play { rate: f64 },
    Seek { t: Option<f64>, tick: Option<u32> },
    Live,
    Next { what: String, back: Option<bool>, guid: Option<String>, view: Option<u8> },
    Filter(Filter),
    Series { guid: String, view: u8, from: f64, to: f64 },
    Events { from: f64, to: f64, limit: Option<usize> },
    Messages { from: f64, to: f64, limit: Option<usize> },
    Message { number: u64 },
}

/// How the network behaves; what is left out stays.
#[derive(Clone, Copy, PartialEq, Debug, Default, Deserialize)]
pub(crate) struct Network {
    pub(crate) latency_ms: Option<f64>,
    pub(crate) jitter_ms: Option<f64>,
    pub(crate) loss: Option<f64>,
    pub(crate) duplicate: Option<f64>,
    pub(crate) update_hz: Option<f64>,
}

/// Which events and messages are told; what is left out is not looked at.
#[derive(Clone, PartialEq, Debug, Default, Deserialize)]
pub(crate) struct Filter {
    pub(crate) kinds: Option<Vec<String>>,
    pub(crate) guids: Option<Vec<String>>,
    pub(crate) opcodes: Option<Vec<String>>,
}

/// A command as it came: what, under which name, and the number that the answer repeats.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Asked {
    pub(crate) n: Value,
    pub(crate) name: String,
    pub(crate) command: Result<Command, String>,
}

impl Asked {
    /// Reads what the page sent.
    pub(crate) fn read(text: &str) -> Self {
        let value: Value = match serde_json::from_str(text) {
            Ok(value) => value,
            Err(error) => {
                let words = format!("the command is not JSON: {error}");
                return Self { n: Value::Null, name: String::new(), command: Err(words) };
            }
        };
        let n = value.get("n").filter(|n| n.is_number() || n.is_string()).cloned().unwrap_or_default();
        let name = value.get("do").and_then(Value::as_str).unwrap_or_default().chars().take(40).collect();
        let command =
            serde_json::from_value(value).map_err(|error| format!("the command is not understood: {error}"));
        Self { n, name, command }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_read() {
        let asked = Asked::read(r#"{"do": "key", "key": "forward", "down": true, "n": 4}"#);
        assert_eq!((asked.n, asked.name.as_str()), (4.into(), "key"));
        assert_eq!(asked.command, Ok(Command::Key { key: "forward".into(), down: true }));
        let asked = Asked::read(r#"{"do": "network", "loss": 0.1}"#);
        assert_eq!(asked.command, Ok(Command::Network(Network { loss: Some(0.1), ..Network::default() })));
        assert_eq!(
            Asked::read(r#"{"do": "select", "guid": null}"#).command,
            Ok(Command::Select { guid: None, view: None })
        );
    }

    #[test]
    fn garbage_is_told_apart() {
        for (text, part) in [
            ("", "not JSON"),
            ("[1", "not JSON"),
            ("[]", "not understood"),
            (r#"{"do": "fly"}"#, "fly"),
            (r#"{"do": "key", "key": 5, "down": true}"#, "not understood"),
        ] {
            let words = Asked::read(text).command.unwrap_err();
            assert!(words.contains(part), "{text}: {words}");
        }
    }
}
