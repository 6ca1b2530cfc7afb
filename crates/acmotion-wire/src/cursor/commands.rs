//! The command tables, flat.

use std::sync::LazyLock;

use acmotion_types::{Era, MotionCommand};

/// The command behind each index. [`Era::expand`] says the same, but from another crate, where every command would be
/// a call of its own.
static TABLES: LazyLock<Tables> = LazyLock::new(|| Tables {
    end_of_retail: flat(Era::EndOfRetail),
    september_2013: flat(Era::September2013),
});

struct Tables {
    end_of_retail: [MotionCommand; Era::EndOfRetail.count()],
    september_2013: [MotionCommand; Era::September2013.count()],
}

fn flat<const N: usize>(era: Era) -> [MotionCommand; N] {
    let mut table = [MotionCommand::INVALID; N];
    table.iter_mut().zip(era.commands()).for_each(|(slot, (command, _))| *slot = command);
    table
}

/// The full command behind each 16-bit index (rule E6).
#[inline(always)]
pub(super) fn table(era: Era) -> &'static [MotionCommand] {
    let tables = &*TABLES;
    match era {
        Era::EndOfRetail => &tables.end_of_retail,
        Era::September2013 => &tables.september_2013,
    }
}
