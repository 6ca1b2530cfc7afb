//! The JSON forms of client actions.

use serde_json::Value;

use super::DecodedJson;
use super::value::*;
use crate::flags::{ContactFlags, HoldKey};
use crate::message::*;
use crate::parts::RawMotionState;

impl DecodedJson for MoveToState<'_> {
    fn decoded_json(&self) -> Value {
        ObjectBuilder::default()
            .put("raw", raw_state(&self.raw))
            .put("position", position(&self.position))
            .put_echoed(&self.stamps)
            .put("contact", self.contact.contains(ContactFlags::CONTACT))
            .put("standing_long_jump", self.contact.contains(ContactFlags::STANDING_LONG_JUMP))
            .into()
    }
}

fn raw_state(raw: &RawMotionState<'_>) -> Value {
    let key = |key: HoldKey| key.0;
    ObjectBuilder::default()
        .put_some("current_style", raw.current_style.map(command))
        .put_some("forward_command", raw.forward_command.map(command))
        .put_some("sidestep_command", raw.sidestep_command.map(command))
        .put_some("turn_command", raw.turn_command.map(command))
        .put_some("current_hold_key", raw.current_hold_key.map(key))
        .put_some("forward_hold_key", raw.forward_hold_key.map(key))
        .put_some("sidestep_hold_key", raw.sidestep_hold_key.map(key))
        .put_some("turn_hold_key", raw.turn_hold_key.map(key))
        .put_some("forward_speed", raw.forward_speed.map(float))
        .put_some("sidestep_speed", raw.sidestep_speed.map(float))
        .put_some("turn_speed", raw.turn_speed.map(float))
        .put("actions", actions(&raw.actions))
        .into()
}

impl DecodedJson for AutonomousPosition {
    fn decoded_json(&self) -> Value {
        ObjectBuilder::default()
            .put("position", position(&self.position))
            .put_echoed(&self.stamps)
            .put("contact", self.contact.get())
            .into()
    }
}

impl DecodedJson for Jump {
    fn decoded_json(&self) -> Value {
        let short = (self.form() != JumpForm::Full).then(|| self.form().name());
        ObjectBuilder::default()
            .put("extent", float(self.extent))
            .put("velocity", vector(self.velocity))
            .put("position", self.position.as_ref().map(position))
            .put_echoed(&self.stamps)
            .put_some("form", short)
            .put_some("tail", self.tail.map(|tail| tail.map(hex32).to_vec()))
            .into()
    }
}

impl DecodedJson for AutonomyLevel {
    fn decoded_json(&self) -> Value {
        ObjectBuilder::default().put("level", self.level).into()
    }
}

impl DecodedJson for DoMovementCommand {
    fn decoded_json(&self) -> Value {
        ObjectBuilder::default()
            .put("motion", command(self.motion))
            .put("speed", float(self.speed))
            .put("hold_key", self.hold_key.0)
            .into()
    }
}

impl DecodedJson for StopMovementCommand {
    fn decoded_json(&self) -> Value {
        ObjectBuilder::default().put("motion", command(self.motion)).put("hold_key", self.hold_key.0).into()
    }
}

impl DecodedJson for TurnTo {
    fn decoded_json(&self) -> Value {
        ObjectBuilder::default().put("heading", float(self.heading)).put("run", self.run.get()).into()
    }
}

impl DecodedJson for JumpNonAutonomous {
    fn decoded_json(&self) -> Value {
        ObjectBuilder::default().put("extent", float(self.extent)).into()
    }
}

impl DecodedJson for ChangeCombatMode {
    fn decoded_json(&self) -> Value {
        ObjectBuilder::default().put("mode", self.mode.0).into()
    }
}
