//! The tests of the command, in one program: it builds in a fraction of the time of one program for each file.

mod common;

mod annotate;
mod bench;
mod compare;
mod conform;
mod conform_collision;
mod conform_corrections;
mod conform_explain;
mod conform_left_out;
mod conform_tolerances;
mod dat;
mod decode;
mod diff;
mod docs;
mod docs_json;
mod docs_limits;
mod export;
mod export_gltf;
mod help;
mod hostile;
mod lab;
#[path = "../../../acmotion-wire/tests/wire/messages_common/mod.rs"]
mod messages_common;
mod motion;
mod readme;
mod replay;
mod schemas;
mod shell;
mod simulate;
mod soak;
mod supply_chain;
mod workspace;
