//! Flat copies of the command tables. [`Era::expand`] gives the same results, but is not inlined across crates, so that
//! every command would cost a call.

use acmotion_types::{Era, MotionCommand};

static END_OF_RETAIL: [MotionCommand; Era::EndOfRetail.count()] = flat(Era::EndOfRetail);
static SEPTEMBER_2013: [MotionCommand; Era::September2013.count()] = flat(Era::September2013);

const fn flat<const N: usize>(era: Era) -> [MotionCommand; N] {
    let mut table = [MotionCommand::INVALID; N];
    let mut index = 0;
    while index < N {
        if let Some(command) = era.expand(index as u16) {
            table[index] = command;
        }
        index += 1;
    }
    table
}

/// Returns the full command for each 16-bit index (rule E6).
#[inline(always)]
pub(super) fn table(era: Era) -> &'static [MotionCommand] {
    match era {
        Era::EndOfRetail => &END_OF_RETAIL,
        Era::September2013 => &SEPTEMBER_2013,
    }
}
