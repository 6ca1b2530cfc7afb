//! Flat copies of the command tables.

use std::sync::LazyLock;

use acmotion_types::{Era, MotionCommand};

/// The command tables as arrays. [`Era::expand`] gives the same results, but is not inlined across crates, so that
/// every command would cost a call.
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

/// Returns the full command for each 16-bit index (rule E6).
#[inline(always)]
pub(super) fn table(era: Era) -> &'static [MotionCommand] {
    let tables = &*TABLES;
    match era {
        Era::EndOfRetail => &tables.end_of_retail,
        Era::September2013 => &tables.september_2013,
    }
}
