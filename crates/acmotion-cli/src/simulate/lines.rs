//! Lines of `--json` that replay does not have: views, messages, and refused inputs.

use std::fmt::Write as _;

use acmotion_sim::{Delivered, RefusedInput, Sent, View};
use acmotion_types::Era;
use acmotion_wire::{decode_c2s, decode_s2c};
use serde_json::{Value, json};

/// Adds the name of the view to a line.
pub(super) fn seen_by(mut line: Value, view: &str) -> Value {
    line["view"] = view.into();
    line
}

/// Returns the line of a message that is sent.
pub(super) fn sent(message: &Sent<'_>, to: &str) -> Value {
    let mut line = described(message.bytes, message.to == View::Server);
    line["t"] = message.time.into();
    line["event"] = "sent".into();
    line["to"] = to.into();
    line["arrives"] = message.delivery.arrives.into();
    line["losses"] = message.delivery.losses.into();
    line["raw_hex"] = hex(message.bytes).into();
    line
}

/// Returns the line of a message that is handled.
pub(super) fn received(message: &Delivered<'_>, from: &str) -> Value {
    let mut line = described(message.bytes, message.to == View::Server);
    line["t"] = message.time.into();
    line["event"] = "received".into();
    line["from"] = from.into();
    line["sent"] = message.sent.into();
    line["arrived"] = message.arrived.into();
    line["duplicate"] = message.is_duplicate.into();
    line
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

/// Returns opcodes, name and guid of a message, in the form of `decode --json`.
fn described(bytes: &[u8], to_server: bool) -> Value {
    let hex_opcode = |opcode: u32| format!("0x{opcode:04X}");
    let decoded = if to_server {
        decode_c2s(bytes, Era::default())
            .map(|message| (message.opcode(), message.sub_opcode(), message.name(), message.guid()))
    } else {
        decode_s2c(bytes, Era::default())
            .map(|message| (message.opcode(), message.sub_opcode(), message.name(), message.guid()))
    };
    match decoded {
        Ok((opcode, sub_opcode, name, guid)) => json!({
            "opcode": hex_opcode(opcode),
            "sub_opcode": sub_opcode.map(hex_opcode),
            "name": name,
            "guid": guid.map(|guid| guid.to_string()),
        }),
        Err(error) => json!({ "error": error.to_string() }),
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::with_capacity(2 * bytes.len()), |mut text, byte| {
        // Writing to a string cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}
