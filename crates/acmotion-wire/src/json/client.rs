//! The client's actions.

use serde_json::Value;

use super::Decoded;
use super::value::*;
use crate::flags::{ContactFlags, HoldKey};
use crate::message::*;
use crate::parts::RawMotionState;

impl Decoded for MoveToState<'_> {
    fn decoded(&self) -> Value {
        Object::default()
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
    Object::default()
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

impl Decoded for AutonomousPosition {
    fn decoded(&self) -> Value {
        Object::default()
            .put("position", position(&self.position))
            .put_echoed(&self.stamps)
            .put("contact", self.contact.get())
            .into()
    }
}

impl Decoded for Jump {
    fn decoded(&self) -> Value {
        let short = (self.form() != JumpForm::Full).then(|| self.form().name());
        Object::default()
            .put("extent", float(self.extent))
            .put("velocity", vector(self.velocity))
            .put("position", self.position.as_ref().map(position))
            .put_echoed(&self.stamps)
            .put_some("form", short)
            .put_some("tail", self.tail.map(|tail| tail.map(hex32).to_vec()))
            .into()
    }
}

impl Decoded for AutonomyLevel {
    fn decoded(&self) -> Value {
        Object::default().put("level", self.level).into()
    }
}

impl Decoded for DoMovementCommand {
    fn decoded(&self) -> Value {
        Object::default()
            .put("motion", command(self.motion))
            .put("speed", float(self.speed))
            .put("hold_key", self.hold_key.0)
            .into()
    }
}

impl Decoded for StopMovementCommand {
    fn decoded(&self) -> Value {
        Object::default().put("motion", command(self.motion)).put("hold_key", self.hold_key.0).into()
    }
}

impl Decoded for TurnTo {
    fn decoded(&self) -> Value {
        Object::default().put("heading", float(self.heading)).put("run", self.run.get()).into()
    }
}

impl Decoded for JumpNonAutonomous {
    fn decoded(&self) -> Value {
        Object::default().put("extent", float(self.extent)).into()
    }
}

impl Decoded for ChangeCombatMode {
    fn decoded(&self) -> Value {
        Object::default().put("mode", self.mode.0).into()
    }
}
