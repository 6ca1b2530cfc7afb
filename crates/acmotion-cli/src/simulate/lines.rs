//! Lines of `--json` beside those of replay: whose view it is, messages, and what was refused.

use std::fmt::Write as _;

use acmotion_sim::{Delivered, Refused, Sent, View};
use acmotion_types::Era;
use acmotion_wire::{decode_c2s, decode_s2c};
use serde_json::{Value, json};

/// The same, with whose view it is.
pub(super) fn seen_by(mut line: Value, view: &str) -> Value {
    line["view"] = view.into();
    line
}

/// A message sets out.
pub(super) fn sent(message: &Sent<'_>, to: &str) -> Value {
    let mut line = described(message.bytes, message.to == View::Server);
    line["t"] = message.time.into();
    line["event"] = "sent".into();
    line["to"] = to.into();
    line["arrives"] = message.fate.arrives.into();
    line["losses"] = message.fate.losses.into();
    line["raw_hex"] = hex(message.bytes).into();
    line
}

/// A message is taken in.
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

/// Somebody does not do what the scene wants.
pub(super) fn refused(refused: &Refused) -> Value {
    json!({
        "t": refused.time,
        "guid": refused.guid.to_string(),
        "event": "refused",
        "input": format!("{:?}", refused.input),
        "reason": refused.why.to_string(),
    })
}

/// What a message is, in the words of `decode --json`.
fn described(bytes: &[u8], to_server: bool) -> Value {
    let number = |number: u32| format!("0x{number:04X}");
    let read = if to_server {
        decode_c2s(bytes, Era::default())
            .map(|read| (read.opcode(), read.sub_opcode(), read.name(), read.guid()))
    } else {
        decode_s2c(bytes, Era::default())
            .map(|read| (read.opcode(), read.sub_opcode(), read.name(), read.guid()))
    };
    match read {
        Ok((opcode, sub_opcode, name, guid)) => json!({
            "opcode": number(opcode),
            "sub_opcode": sub_opcode.map(number),
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
