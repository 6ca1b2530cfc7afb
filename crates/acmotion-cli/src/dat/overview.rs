//! `acmotion dat info` and `acmotion dat ls`: the header and the directory of a dat file.

use std::collections::BTreeMap;
use std::path::Path;

use acmotion_dat::{Dat, Entry, ObjectKind};
use serde_json::{Map, Value, json};

use crate::input::open_assets;
use crate::output::{Align, Failed, Out, Table, counted, thousands, warn};

/// Returns the readable entries of the directory and the number of errors in it, which are printed on standard error.
fn read_entries(dat: &Dat, path: &Path) -> (Vec<Entry>, usize) {
    let mut errors = 0;
    let readable = dat.entries().filter_map(|entry| {
        entry
            .inspect_err(|error| {
                errors += 1;
                warn(format_args!("{}: {error}", path.display()));
            })
            .ok()
    });
    (readable.collect(), errors)
}

pub(super) fn info(path: &Path, as_json: bool, out: &mut Out) -> anyhow::Result<()> {
    let assets = open_assets(path)?;
    let dat = assets.dat();
    let (entries, errors) = read_entries(dat, path);
    let mut kinds: BTreeMap<ObjectKind, (u64, u64)> = BTreeMap::new();
    for entry in &entries {
        let (count, bytes) = kinds.entry(dat.kind_of(entry.id)).or_default();
        *count += 1;
        *bytes += u64::from(entry.size);
    }
    if as_json {
        out.json(&info_json(path, dat, &kinds))?;
    } else {
        print_info(path, dat, &kinds, out)?;
    }
    if errors > 0 { Err(Failed.into()) } else { Ok(()) }
}

fn print_info(
    path: &Path,
    dat: &Dat,
    kinds: &BTreeMap<ObjectKind, (u64, u64)>,
    out: &mut Out,
) -> anyhow::Result<()> {
    let header = dat.header();
    let size = counted(dat.length(), "byte");
    out.line(format!("{}: {} dat file, {size}", path.display(), header.data_set))?;
    out.line(format!("  blocks of {} bytes, root node at 0x{:X}", header.block_size, header.root))?;
    let free = thousands(header.free_count.into());
    match dat.check_free_list() {
        Ok(()) => out.line(format!("  free blocks: {free}"))?,
        Err(error) => out.line(format!("  free blocks: {free}; {error}"))?,
    }
    let [engine, game, minor] = [header.engine_version, header.game_version, header.minor_version];
    out.line(format!("  versions: engine {engine}, game {game}, minor {minor}"))?;
    if let Some(mismatch) = length_mismatch(dat) {
        out.line(format!("  {mismatch}"))?;
    }
    out.line("")?;
    let mut table = Table::new(&[("type", Align::Left), ("objects", Align::Right), ("bytes", Align::Right)]);
    let (mut all, mut all_bytes) = (0, 0);
    for (kind, (count, bytes)) in kinds {
        table.row(vec![kind.to_string(), thousands(*count), thousands(*bytes)]);
        all += count;
        all_bytes += bytes;
    }
    table.row(vec!["all".into(), thousands(all), thousands(all_bytes)]);
    table.print(out, "  ")
}

/// Describes a difference between the length in the header and that of the file. Returns `None` if they agree.
pub(super) fn length_mismatch(dat: &Dat) -> Option<String> {
    let (declared, actual) = (u64::from(dat.header().file_size), dat.length());
    let relation = match actual.cmp(&declared) {
        std::cmp::Ordering::Less => "truncated",
        std::cmp::Ordering::Equal => return None,
        std::cmp::Ordering::Greater => "too long",
    };
    let [declared, actual] = [declared, actual].map(thousands);
    Some(format!("{relation}: the header says {declared} bytes, the file has {actual}"))
}

fn info_json(path: &Path, dat: &Dat, kinds: &BTreeMap<ObjectKind, (u64, u64)>) -> Value {
    let header = dat.header();
    let types: Map<String, Value> = kinds
        .iter()
        .map(|(kind, (count, bytes))| (kind.to_string(), json!({ "objects": count, "bytes": bytes })))
        .collect();
    json!({
        "file": path.display().to_string(),
        "data_set": header.data_set.to_string(),
        "data_subset": header.data_subset,
        "block_size": header.block_size,
        "file_size": header.file_size,
        "length": dat.length(),
        "root": header.root,
        "free_blocks": header.free_count,
        "free_list_error": dat.check_free_list().err().map(|error| error.to_string()),
        "engine_version": header.engine_version,
        "game_version": header.game_version,
        "minor_version": header.minor_version,
        "objects": kinds.values().map(|(count, _)| count).sum::<u64>(),
        "types": types,
    })
}

pub(super) fn list(path: &Path, kinds: &[ObjectKind], as_json: bool, out: &mut Out) -> anyhow::Result<()> {
    let assets = open_assets(path)?;
    let dat = assets.dat();
    let (mut entries, errors) = read_entries(dat, path);
    entries.retain(|entry| kinds.is_empty() || kinds.contains(&dat.kind_of(entry.id)));
    if as_json {
        for entry in &entries {
            out.json(&entry_json(dat, entry))?;
        }
    } else {
        print_list(dat, &entries, out)?;
    }
    if errors > 0 { Err(Failed.into()) } else { Ok(()) }
}

fn entry_json(dat: &Dat, entry: &Entry) -> Value {
    json!({
        "id": entry.id.to_string(),
        "type": dat.kind_of(entry.id).name(),
        "size": entry.size,
        "offset": entry.offset,
        "compressed": entry.is_compressed(),
        "iteration": entry.iteration,
        "time": entry.time,
    })
}

fn print_list(dat: &Dat, entries: &[Entry], out: &mut Out) -> anyhow::Result<()> {
    // Column widths are fixed, so that lines can be printed before all of them are known.
    out.line(format!("{:<10}  {:<20} {:>10}  offset", "id", "type", "bytes"))?;
    for entry in entries {
        let (kind, size) = (dat.kind_of(entry.id), thousands(entry.size.into()));
        let suffix = if entry.is_compressed() {
            "  compressed"
        } else if entry.is_empty() {
            "  empty"
        } else {
            ""
        };
        out.line(format!("{}  {kind:<20} {size:>10}  0x{:X}{suffix}", entry.id, entry.offset))?;
    }
    let bytes: u64 = entries.iter().map(|entry| u64::from(entry.size)).sum();
    out.line(format!("{}, {}", counted(entries.len(), "object"), counted(bytes, "byte")))
}
