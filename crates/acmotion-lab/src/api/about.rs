//! `/api/about`.

use acmotion::dat::mannequin;
use acmotion::query::motions;
use acmotion::types::{Era, MotionCommand};

use super::MAX_DAT_BYTES;
use crate::protocol::api::{About, DatSummary, Limits};
use crate::protocol::{CreatureOrder, Key, NamedCommand, Stance};
use crate::session::HISTORY_SECONDS;
use crate::shared::{MAX_SESSIONS, Shared};
use crate::walk::MAX_CROWD;

pub(super) fn about(shared: &Shared) -> About {
    let (dat, files) = (shared.files().dat(), shared.files());
    About {
        version: env!("CARGO_PKG_VERSION"),
        dat: DatSummary { name: dat.name.clone(), built_in: dat.built_in, objects: dat.object_count() },
        cell: files.cell().map(|cell| cell.name.clone()),
        tick_seconds: 1.0 / 30.0,
        limits: Limits {
            upload_bytes: shared.max_capture_bytes(),
            dat_bytes: MAX_DAT_BYTES,
            sessions: MAX_SESSIONS,
            history_seconds: HISTORY_SECONDS,
            crowd: MAX_CROWD,
        },
        files: files.list(),
        recordings: shared.recordings().list(),
        keys: Key::ALL,
        emotes: emotes(shared),
        stances: Stance::ALL,
        creature_orders: CreatureOrder::ALL,
    }
}

/// The actions that the player's table has from `Ready`, sorted by name.
fn emotes(shared: &Shared) -> Vec<NamedCommand> {
    let Ok((library, table)) = shared.files().dat().tables().resolved(mannequin::HUMAN_TABLE) else {
        return Vec::new();
    };
    let known = motions(library.table(table), MotionCommand::NON_COMBAT, Era::default());
    let mut actions: Vec<MotionCommand> = known.actions(MotionCommand::READY).collect();
    actions.sort_unstable_by_key(|action| action.name());
    actions.dedup();
    actions.into_iter().map(Into::into).collect()
}
