//! Entry points for the fuzz targets. They are not part of the API.

use std::sync::{Arc, OnceLock};

use acmotion::dat::Assets;
use tokio::runtime;
use tokio::sync::mpsc;

use crate::session::{SendQueue, Session};
use crate::walk::{Town, Walk};

/// The maximum number of commands.
const MAX_COMMANDS: usize = 64;

/// Carries out commands of a page, one on each line, in a walk of its own.
///
/// # Errors
/// If the built-in town cannot be loaded or no runtime started.
pub fn run_commands(lines: &str) -> Result<(), String> {
    static TOWN: OnceLock<Result<Arc<Town>, String>> = OnceLock::new();
    let town = TOWN.get_or_init(|| Town::built_in(&Assets::mannequin()).map(Arc::new));
    let session = Session::walk(Walk::new(town.clone()?)?, SendQueue::default());
    let runtime =
        runtime::Builder::new_current_thread().enable_time().build().map_err(|error| error.to_string())?;
    let (sender, receiver) = mpsc::channel(MAX_COMMANDS);
    for line in lines.lines().take(MAX_COMMANDS) {
        sender.try_send(String::from(line)).map_err(|error| error.to_string())?;
    }
    drop(sender);
    runtime.block_on(session.run(receiver));
    Ok(())
}
