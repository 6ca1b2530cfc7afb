//! The JSON forms of client actions.

use super::DecodedJson;
use super::value::*;
use super::writer::{JsonWriter, ToJson, object};
use crate::flags::{ContactFlags, HoldKey};
use crate::message::*;
use crate::parts::RawMotionState;

impl DecodedJson for MoveToState<'_> {
    fn put_fields(&self, json: &mut JsonWriter<'_>) {
        json.put("raw", raw_state(&self.raw)).put("position", position(&self.position));
        put_echoed(json, &self.stamps);
        json.put("contact", self.contact.contains(ContactFlags::CONTACT))
            .put("standing_long_jump", self.contact.contains(ContactFlags::STANDING_LONG_JUMP));
    }
}

fn raw_state(raw: &RawMotionState<'_>) -> impl ToJson {
    let key = |key: HoldKey| key.0;
    object(move |json| {
        json.put_some("current_style", raw.current_style.map(command))
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
            .put("actions", actions(&raw.actions));
    })
}

impl DecodedJson for AutonomousPosition {
    fn put_fields(&self, json: &mut JsonWriter<'_>) {
        json.put("position", position(&self.position));
        put_echoed(json, &self.stamps);
        json.put("contact", self.contact.get());
    }
}

impl DecodedJson for Jump {
    fn put_fields(&self, json: &mut JsonWriter<'_>) {
        let short = (self.form() != JumpForm::Full).then(|| self.form().name());
        json.put("extent", float(self.extent))
            .put("velocity", vector(self.velocity))
            .put("position", self.position.as_ref().map(position));
        put_echoed(json, &self.stamps);
        json.put_some("form", short).put_some("tail", self.tail.map(|tail| tail.map(hex32)));
    }
}

impl DecodedJson for AutonomyLevel {
    fn put_fields(&self, json: &mut JsonWriter<'_>) {
        json.put("level", self.level);
    }
}

impl DecodedJson for DoMovementCommand {
    fn put_fields(&self, json: &mut JsonWriter<'_>) {
        json.put("motion", command(self.motion))
            .put("speed", float(self.speed))
            .put("hold_key", self.hold_key.0);
    }
}

impl DecodedJson for StopMovementCommand {
    fn put_fields(&self, json: &mut JsonWriter<'_>) {
        json.put("motion", command(self.motion)).put("hold_key", self.hold_key.0);
    }
}

impl DecodedJson for TurnTo {
    fn put_fields(&self, json: &mut JsonWriter<'_>) {
        json.put("heading", float(self.heading)).put("run", self.run.get());
    }
}

impl DecodedJson for JumpNonAutonomous {
    fn put_fields(&self, json: &mut JsonWriter<'_>) {
        json.put("extent", float(self.extent));
    }
}

impl DecodedJson for ChangeCombatMode {
    fn put_fields(&self, json: &mut JsonWriter<'_>) {
        json.put("mode", self.mode.0);
    }
}
