//! `acmotion dat verify`: decodes every object of a file, in parallel.

use std::path::Path;

use acmotion_dat::{AnyObject, Dat, DataId, Entry};
use rayon::prelude::*;
use serde_json::json;

use super::overview::length_mismatch;
use crate::input::open_assets;
use crate::output::{Failed, Out, Progress, counted, thousands};

/// The maximum number of bytes that all objects of a file may decompress to, as a multiple of its length. The
/// game's files have no compressed objects; what people make shrinks to a tenth at best.
const MAX_DECOMPRESSION: u64 = 64;
/// The length of a file, in bytes, up to which it counts as this long.
const MIN_LENGTH: u64 = 4 << 20;

/// An error in an object, or in the container if `id` is `None`.
struct Fault {
    id: Option<DataId>,
    offset: Option<u32>,
    reason: String,
}

/// The result for one object.
enum Checked {
    /// It was decoded, and encodes to the same bytes.
    Decoded,
    /// It was read; its type is not decoded.
    ReadOnly,
    /// It is a landblock without bytes. The game's files contain such entries.
    Empty,
    Faulty(Fault),
}

/// The number of objects with each result.
#[derive(Default)]
struct Counts {
    decoded: u64,
    read_only: u64,
    empty: u64,
    faults: u64,
}

pub(super) fn run(path: &Path, as_json: bool, out: &mut Out) -> anyhow::Result<()> {
    let assets = open_assets(path)?;
    let dat = assets.dat();
    let mut faults: Vec<Fault> =
        length_mismatch(dat).map(|reason| Fault { id: None, offset: None, reason }).into_iter().collect();
    let mut entries = Vec::new();
    for entry in dat.entries() {
        match entry {
            Ok(entry) => entries.push(entry),
            Err(error) => faults.push(Fault { id: None, offset: None, reason: error.to_string() }),
        }
    }
    leave_out_bombs(dat, &mut entries, &mut faults);
    let progress = Progress::new(entries.len() as u64, "verifying");
    let checked: Vec<Checked> = entries
        .par_iter()
        .map(|entry| {
            let checked = check(dat, entry);
            progress.step();
            checked
        })
        .collect();
    drop(progress);
    let mut counts = Counts::default();
    for result in checked {
        match result {
            Checked::Decoded => counts.decoded += 1,
            Checked::ReadOnly => counts.read_only += 1,
            Checked::Empty => counts.empty += 1,
            Checked::Faulty(fault) => faults.push(fault),
        }
    }
    counts.faults = faults.len() as u64;
    for fault in &faults {
        print_fault(fault, as_json, out)?;
    }
    print_total(path, &counts, as_json, out)?;
    if faults.is_empty() { Ok(()) } else { Err(Failed.into()) }
}

/// Moves the compressed objects with which the file would decompress to too much from the entries to the faults.
fn leave_out_bombs(dat: &Dat, entries: &mut Vec<Entry>, faults: &mut Vec<Fault>) {
    let most = MAX_DECOMPRESSION * dat.length().max(MIN_LENGTH);
    let mut decompressed = 0;
    entries.retain(|entry| {
        if !entry.is_compressed() {
            return true;
        }
        // More is an error before anything is decompressed.
        let size = dat.decompressed_size(entry).min(dat.kind_of(entry.id).max_decompressed_size());
        decompressed += u64::from(size);
        let fits = decompressed <= most;
        if !fits {
            let reason = format!(
                "not decompressed: with it, objects decompress to more than {} bytes",
                thousands(most)
            );
            faults.push(Fault { id: Some(entry.id), offset: Some(entry.offset), reason });
        }
        fits
    });
}

fn check(dat: &Dat, entry: &Entry) -> Checked {
    let fault = |reason| Checked::Faulty(Fault { id: Some(entry.id), offset: Some(entry.offset), reason });
    let bytes = match dat.read(entry) {
        Ok(bytes) => bytes,
        Err(error) => return fault(error.to_string()),
    };
    let kind = dat.kind_of(entry.id);
    if !AnyObject::can_decode(kind) {
        return Checked::ReadOnly;
    }
    match AnyObject::decode(kind, entry.id, &bytes) {
        Err(error) => fault(error.to_string()),
        Ok(object) if object.encode() != *bytes => {
            fault(format!("{kind}: does not encode to the bytes it was decoded from"))
        }
        Ok(AnyObject::EmptyLandBlock(_)) => Checked::Empty,
        Ok(_) => Checked::Decoded,
    }
}

fn print_fault(fault: &Fault, as_json: bool, out: &mut Out) -> anyhow::Result<()> {
    if as_json {
        return out.json(&json!({
            "id": fault.id.map(|id| id.to_string()), "offset": fault.offset, "error": fault.reason,
        }));
    }
    match (fault.id, fault.offset) {
        (Some(id), Some(offset)) => out.line(format!("{id} at 0x{offset:X}: {}", fault.reason)),
        _ => out.line(&fault.reason),
    }
}

fn print_total(path: &Path, counts: &Counts, as_json: bool, out: &mut Out) -> anyhow::Result<()> {
    let Counts { decoded, read_only, empty, faults } = counts;
    if as_json {
        return out.json(&json!({
            "file": path.display().to_string(), "decoded": decoded, "read_only": read_only, "empty": empty,
            "faults": faults,
        }));
    }
    let empty = if *empty == 0 { String::new() } else { format!("{}, ", counted(*empty, "empty landblock")) };
    out.line(format!(
        "{}: {} decoded and encoded again, {} of other types read, {empty}{}",
        path.display(),
        counted(*decoded, "object"),
        thousands(*read_only),
        counted(*faults, "fault")
    ))
}
