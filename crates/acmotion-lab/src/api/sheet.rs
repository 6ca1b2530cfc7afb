//! `/api/sheet`: all motions of a table in every style, with their lengths and the times of their hooks.

use acmotion::dat::DataId;
use acmotion::query::{self, MotionQuery, TimedHook};
use acmotion::types::{Era, MotionCommand};
use acmotion::{Library, Table};

use super::{ApiResult, Parameters, dat_file, required};
use crate::protocol::api::{Sheet, SheetHook, SheetKind, SheetRow};
use crate::shared::Shared;

/// The maximum number of rows.
const MAX_ROWS: usize = 8000;

pub(super) fn sheet(shared: &Shared, parameters: &Parameters) -> ApiResult<Sheet> {
    let id = required(parameters, "table", |text: &str| text.parse::<DataId>())?;
    let dat = dat_file(shared, parameters)?;
    let (library, resolved) = dat.tables().resolved(id)?;
    let table = library.table(resolved);
    let mut rows = Vec::new();
    let defaults = &dat.assets.motion_table(id)?.style_defaults;
    for style in defaults.iter().map(|(style, _)| MotionCommand(style)) {
        let Some(default) = table.style_default(style) else { continue };
        let motions = query::motions(table, style, Era::default());
        let mut actions: Vec<MotionCommand> = motions.actions(default).collect();
        actions.dedup();
        let kinds = [
            (SheetKind::Cycle, motions.cycles),
            (SheetKind::Modifier, motions.modifiers),
            (SheetKind::Action, actions),
        ];
        for (kind, motion) in kinds.iter().flat_map(|(kind, list)| list.iter().map(|motion| (*kind, *motion)))
        {
            rows.extend(row(&library, table, style, kind, motion));
        }
    }
    Ok(limited(id, rows))
}

/// Returns the sheet of a table with as many rows as are allowed.
fn limited(table: DataId, mut rows: Vec<SheetRow>) -> Sheet {
    let more = rows.len().saturating_sub(MAX_ROWS);
    rows.truncate(MAX_ROWS);
    Sheet { table: table.into(), rows, more }
}

/// Returns the row of a motion from the default substate of a style; `None` if it does not play from there.
fn row(
    library: &Library,
    table: &Table,
    style: MotionCommand,
    kind: SheetKind,
    motion: MotionCommand,
) -> Option<SheetRow> {
    let timing = query::timing(library, table, &MotionQuery::new(style, motion)).ok()?;
    let hook = |timed: &TimedHook| SheetHook { time: timed.time, kind: timed.hook.effect.name() };
    Some(SheetRow {
        style: style.into(),
        motion: motion.into(),
        kind,
        link_seconds: timing.link_seconds(),
        cycle_seconds: timing.cycle_seconds(),
        hooks: timing.hooks.iter().map(hook).collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rows_of_a_sheet_are_limited_and_the_rest_is_counted() {
        let row = || SheetRow {
            style: MotionCommand::NON_COMBAT.into(),
            motion: MotionCommand::READY.into(),
            kind: SheetKind::Cycle,
            link_seconds: 0.0,
            cycle_seconds: None,
            hooks: Vec::new(),
        };
        let sheet = limited(DataId(0x0900_0001), (0..MAX_ROWS + 7).map(|_| row()).collect());
        assert_eq!((sheet.rows.len(), sheet.more), (MAX_ROWS, 7));
    }
}
