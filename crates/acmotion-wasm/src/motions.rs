//! The names of motion commands.

use acmotion::dat::DataId;
use acmotion::types::MotionCommand;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::convert;
use crate::errors::{Kind, Outcome};

/// Returns the id of a motion command, given by its name or its id in hexadecimal digits.
#[wasm_bindgen]
pub fn motion_id(text: &str) -> Outcome<u32> {
    let id = || Some(MotionCommand(text.parse::<DataId>().ok()?.0));
    MotionCommand::from_name(text).or_else(id).map(|motion| motion.0).ok_or_else(|| {
        Kind::Argument.error(format_args!(
            "`{text}` is neither the name of a motion nor a hexadecimal id such as 0x44000007"
        ))
    })
}

/// Returns the name of a motion command, `None` if it has none.
#[wasm_bindgen]
pub fn motion_name(id: u32, era: &str) -> Outcome<Option<String>> {
    Ok(convert::era(era)?.name(MotionCommand(id)).map(String::from))
}
