//! The memory of an export does not depend on the length of the capture.

use std::io::{self, Write};

use acmotion_tables::{CaptureExport, CaptureInfo, Table, TableOutput};
use acmotion_types::{CellId, CellPosition, Guid, Stamp, Vec3};
use acmotion_wire::capture::CaptureReader;
use acmotion_wire::{Direction, PositionFlags, PositionPack, S2C, UpdatePosition};

use crate::support::{Captured, START, options, pcap, replay};

/// Counts the files of a table and forgets what is in them.
struct Counted {
    files: usize,
}

impl Write for Counted {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl TableOutput for Counted {
    fn next_file(&mut self) -> io::Result<()> {
        self.files += 1;
        Ok(())
    }
}

/// Returns a capture in which a body is reported again and again.
fn reports(count: u32) -> Vec<u8> {
    let message = |number: u32| -> Captured {
        let pack = PositionPack {
            flags: PositionFlags::GROUNDED,
            position: CellPosition::at(CellId(0xA9B4_0019), Vec3::new(80.0, (number % 97) as f32, 94.0)),
            velocity: None,
            placement: None,
            instance: Stamp(1),
            position_stamp: Stamp(number as u16),
            teleport: Stamp(0),
            force_position: Stamp(0),
        };
        let bytes = S2C::from(UpdatePosition { guid: Guid(0x8000_0001), pack }).to_bytes();
        (f64::from(number) / 10.0, Direction::S2C, bytes.into())
    };
    pcap(&(0..count).map(message).collect::<Vec<_>>(), START)
}

/// Exports a capture with `memory` bytes for its rows. Returns the most that was allocated and the number of files of `table`.
fn peak(capture: &[u8], table: Table, memory: usize) -> (u64, usize) {
    let mut options = options(&[table]);
    options.memory = memory;
    let replay = options.needs_engine().then(replay);
    let mut files = 0;
    let counted = allocation_counter::measure(|| {
        let mut export = CaptureExport::new(&options, replay, |_| Ok(Counted { files: 1 })).unwrap();
        let mut reader = CaptureReader::from_slice(capture);
        while export.step(&mut reader).unwrap() {}
        let exported =
            export.finish(&reader.summary(), &CaptureInfo::default(), Counted { files: 1 }).unwrap();
        files = exported.tables[0].1.files;
    });
    (counted.bytes_max, files)
}

#[test]
fn rows_take_as_much_memory_as_they_may() {
    let capture = reports(70_000);
    let [small, large] = [2 << 20, 64 << 20].map(|memory| peak(&capture, Table::Messages, memory).0);
    // What encodes them, and the index of the groups, come on top.
    assert!(small < 6 << 20, "{small} bytes");
    assert!(large > 10 << 20 && large < 64 << 20, "{large} bytes");
}

#[test]
fn memory_does_not_grow_with_the_capture() {
    for (table, count) in [(Table::Messages, 25_000), (Table::States, 6_000)] {
        let [once, twice] = [1, 2].map(|times| peak(&reports(times * count), table, 1 << 20));
        assert!(once.1 >= 2 && twice.1 > once.1, "{table:?}: {} and {} files", once.1, twice.1);
        assert!(twice.0 < once.0 * 11 / 10, "{table:?}: {} and {} bytes", once.0, twice.0);
    }
}
