//! Entry points for the fuzz targets. They are not part of the API.

use std::sync::{Arc, OnceLock};

use acmotion::dat::Assets;

use crate::session::{SendQueue, Session};
use crate::walk::{Town, Walk};

/// The maximum number of commands.
const MAX_COMMANDS: usize = 64;

/// Carries out commands of a page, one on each line, in a walk of its own.
///
/// # Errors
/// If the built-in town cannot be loaded.
pub fn run_commands(lines: &str) -> Result<(), String> {
    static TOWN: OnceLock<Result<Arc<Town>, String>> = OnceLock::new();
    let town = TOWN.get_or_init(|| Town::built_in(&Assets::mannequin()).map(Arc::new));
    let queue = SendQueue::new(|| ());
    let mut session = Session::walk(Walk::new(town.clone()?)?, queue.clone());
    session.start(0.0);
    for (tick, line) in (1_u32..).zip(lines.lines().take(MAX_COMMANDS)) {
        let now = f64::from(tick) / 30.0;
        session.handle_command(line, now);
        session.advance(now);
        queue.take();
    }
    Ok(())
}
