//! Lines of `--json` that replay does not have: views, messages, and refused inputs.

use acmotion_sim::{Delivered, RefusedInput, Sent, View};
use acmotion_types::{Era, Guid};
use acmotion_wire::json::{Hex, HexBytes, JsonWriter};
use acmotion_wire::{decode_c2s, decode_s2c};
use serde_json::{Value, json};

/// Adds the fields of a message that is sent.
pub(super) fn put_sent(json: &mut JsonWriter<'_>, message: &Sent<'_>, to: &str) {
    put_described(json, message.bytes, message.to == View::Server);
    json.put("t", message.time)
        .put("event", "sent")
        .put("to", to)
        .put("arrives", message.delivery.arrives)
        .put("losses", message.delivery.losses)
        .put("raw_hex", HexBytes(message.bytes));
}

/// Adds the fields of a message that is handled.
pub(super) fn put_received(json: &mut JsonWriter<'_>, message: &Delivered<'_>, from: &str) {
    put_described(json, message.bytes, message.to == View::Server);
    json.put("t", message.time)
        .put("event", "received")
        .put("from", from)
        .put("sent", message.sent)
        .put("arrived", message.arrived)
        .put("duplicate", message.is_duplicate);
}

/// Returns the line of an input that a player could not carry out.
pub(super) fn refused(refused: &RefusedInput) -> Value {
    json!({
        "t": refused.time,
        "guid": refused.guid.to_string(),
        "event": "refused",
        "input": format!("{:?}", refused.input),
        "reason": refused.error.to_string(),
    })
}

/// Adds opcodes, name and guid of a message, in the form of `decode --json`.
fn put_described(json: &mut JsonWriter<'_>, bytes: &[u8], to_server: bool) {
    let decoded = if to_server {
        decode_c2s(bytes, Era::default())
            .map(|message| (message.opcode(), message.sub_opcode(), message.name(), message.guid()))
    } else {
        decode_s2c(bytes, Era::default())
            .map(|message| (message.opcode(), message.sub_opcode(), message.name(), message.guid()))
    };
    match decoded {
        Ok((opcode, sub_opcode, name, guid)) => json
            .put("opcode", Hex::opcode(opcode))
            .put("sub_opcode", sub_opcode.map(Hex::opcode))
            .put("name", name)
            .put("guid", guid.map(|guid: Guid| Hex::word(guid.0))),
        Err(error) => json.put("error", error.to_string()),
    };
}
