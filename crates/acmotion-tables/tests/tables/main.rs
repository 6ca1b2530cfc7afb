//! The tables of whole captures, read back by the library that others read Parquet with.

mod csv;
mod docs;
mod engine;
mod faults;
mod fields;
mod memory;
mod messages;
#[path = "../../../acmotion-wire/tests/wire/messages_common/mod.rs"]
mod messages_common;
mod support;
