//! Damaged and hostile files give a clear error: no panic, no endless loop, no memory use beyond the size of the
//! file.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::common::{Random, mutate};
use acmotion_dat::{
    AnyObject, BlockSize, ContainerError, Dat, DatError, DatObject, DatSource, DatWriter, DataId, DataSet,
    MemorySource, ObjectKind, Problem, mannequin,
};

fn small_file() -> Vec<u8> {
    let mut writer = DatWriter::new(BlockSize::Large, DataSet::Portal);
    for index in 0..200 {
        writer.add(DataId(0x0A00_0000 + index), vec![index as u8; 1500]);
    }
    writer.finish().unwrap()
}

fn word(file: &[u8], offset: usize) -> u32 {
    u32::from_le_bytes(file[offset..offset + 4].try_into().unwrap())
}

fn put(file: &mut [u8], offset: usize, value: u32) {
    file[offset..offset + 4].copy_from_slice(&value.to_le_bytes());
}

fn open(file: Vec<u8>) -> Dat {
    Dat::from_bytes(file).unwrap()
}

/// Returns the objects of the built-in files that the crate decodes.
fn built_in_objects() -> Vec<(ObjectKind, Vec<u8>)> {
    let mut objects = Vec::new();
    for file in [mannequin::dat_file(), mannequin::town::dat_file()] {
        let dat = open(file.to_vec());
        for entry in dat.entries().map(Result::unwrap) {
            let kind = dat.kind_of(entry.id);
            if AnyObject::can_decode(kind) {
                objects.push((kind, dat.read(&entry).unwrap().into_owned()));
            }
        }
    }
    objects
}

/// Returns the file offset of entry `index` of a node, if it lies in the first block. Blocks have 1024 bytes.
fn entry_at(node: u32, index: usize) -> usize {
    node as usize + 4 + 252 + 24 * index
}

#[test]
fn files_without_a_valid_header_are_rejected() {
    let error = |bytes: &[u8]| match Dat::from_bytes(bytes.to_vec()) {
        Err(DatError::Container(error)) => error,
        _ => panic!("the file was opened"),
    };
    assert_eq!(error(b""), ContainerError::NoHeader { needed: 400, had: 0 });
    assert_eq!(error(&[0; 399]), ContainerError::NoHeader { needed: 400, had: 399 });
    assert_eq!(error(&[0; 1000]), ContainerError::Magic { found: 0 });
    let mut file = small_file();
    put(&mut file, 0x144, 0);
    assert_eq!(error(&file), ContainerError::BlockSize { found: 0 });
}

#[test]
fn a_cyclic_block_chain_is_an_error() {
    let mut file = small_file();
    let first = open(file.clone()).find(DataId(0x0A00_0000)).unwrap().unwrap();
    put(&mut file, first.offset as usize, first.offset);
    let dat = open(file);
    let entry = dat.find(DataId(0x0A00_0000)).unwrap().unwrap();
    let expected = ContainerError::ChainCycle { start: first.offset, block: first.offset };
    assert_eq!(dat.read(&entry), Err(expected));
}

#[test]
fn a_block_chain_that_ends_early_or_leaves_the_file_is_an_error() {
    let mut file = small_file();
    let entry = open(file.clone()).find(DataId(0x0A00_0003)).unwrap().unwrap();
    put(&mut file, entry.offset as usize, 0);
    let ends = ContainerError::ChainEnds { start: entry.offset, needed: 1500, had: 1020 };
    assert_eq!(open(file.clone()).read(&entry), Err(ends));
    put(&mut file, entry.offset as usize, 0xFFFF_FF00);
    let outside = ContainerError::BlockOutside { offset: 0xFFFF_FF00, length: file.len() as u64 };
    assert_eq!(open(file).read(&entry), Err(outside));
}

#[test]
fn a_cyclic_directory_is_an_error() {
    let mut file = small_file();
    let root = word(&file, 0x160);
    for branch in 0..4 {
        put(&mut file, root as usize + 4 + 4 * branch, root);
    }
    let dat = open(file);
    assert_eq!(dat.find(DataId(1)), Err(ContainerError::NodeCycle { offset: root }));
    let errors = dat.entries().filter(Result::is_err).count();
    assert_eq!(errors, 4, "one error per branch, and the walk continues after each");
}

/// A file in memory that counts how often it is read.
struct CountedReads {
    bytes: MemorySource<Vec<u8>>,
    reads: Arc<AtomicUsize>,
}

impl DatSource for CountedReads {
    fn length(&self) -> u64 {
        self.bytes.length()
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        self.reads.fetch_add(1, Ordering::Relaxed);
        self.bytes.read_at(offset, buffer)
    }
}

#[test]
fn a_look_up_reads_few_nodes_of_a_cyclic_directory() {
    let mut file = small_file();
    let root = word(&file, 0x160);
    for branch in 0..4 {
        put(&mut file, root as usize + 4 + 4 * branch, root);
    }
    let reads = Arc::new(AtomicUsize::new(0));
    let dat =
        Dat::from_source(CountedReads { bytes: MemorySource(file), reads: Arc::clone(&reads) }).unwrap();
    reads.store(0, Ordering::Relaxed);
    assert_eq!(dat.find(DataId(1)), Err(ContainerError::NodeCycle { offset: root }));
    // A node lies in two blocks, each with a pointer to the next one.
    let reads = reads.load(Ordering::Relaxed);
    assert!((32..=32 * 4).contains(&reads), "{reads} reads");
}

#[test]
fn a_node_with_too_many_entries_is_an_error() {
    let mut file = small_file();
    let root = word(&file, 0x160);
    put(&mut file, root as usize + 4 + 248, 62);
    let expected = ContainerError::NodeCount { offset: root, count: 62 };
    assert_eq!(open(file.clone()).find(DataId(1)), Err(expected.clone()));
    assert_eq!(open(file).entries().collect::<Vec<_>>(), [Err(expected)]);
}

#[test]
fn ids_out_of_order_are_an_error() {
    let mut file = small_file();
    let root = word(&file, 0x160);
    let leaf = word(&file, root as usize + 4);
    put(&mut file, entry_at(leaf, 3) + 4, 0x0A00_0000);
    let errors: Vec<_> = open(file).entries().filter_map(Result::err).collect();
    let (id, before) = (DataId(0x0A00_0000), DataId(0x0A00_0002));
    assert_eq!(errors, [ContainerError::Order { offset: leaf, id, before }]);
}

#[test]
fn an_object_larger_than_the_file_is_rejected_before_allocation() {
    let mut file = small_file();
    let root = word(&file, 0x160);
    put(&mut file, entry_at(root, 0) + 12, u32::MAX);
    let length = file.len() as u64;
    let dat = open(file);
    let id = dat.entries().filter_map(Result::ok).find(|entry| entry.size == u32::MAX).unwrap().id;
    let entry = dat.find(id).unwrap().unwrap();
    assert_eq!(dat.read(&entry), Err(ContainerError::ObjectTooLarge { id, size: u32::MAX, length }));
}

#[test]
fn a_compressed_object_with_a_wrong_length_is_rejected() {
    let mut writer = DatWriter::new(BlockSize::Large, DataSet::Portal);
    writer.add_compressed(DataId(0x0A00_0001), b"some bytes to be packed");
    let valid = writer.finish().unwrap();
    let entry = open(valid.clone()).find(DataId(0x0A00_0001)).unwrap().unwrap();
    for (length, message) in [(u32::MAX, "cannot decompress to"), (5, "expected 5"), (5000, "expected 5000")]
    {
        let mut file = valid.clone();
        put(&mut file, entry.offset as usize + 4, length);
        let error = open(file).read(&entry).unwrap_err().to_string();
        assert!(error.contains(message), "{error}");
    }
    let mut file = valid;
    file[entry.offset as usize + 9] ^= 0xFF;
    assert!(open(file).read(&entry).unwrap_err().to_string().contains("not a zlib stream"));
}

/// A stream of zlib holds at most 1032 times its own size, so nothing needs to be unpacked to know that it is too short.
#[test]
fn more_than_zlib_can_hold_is_rejected_before_unpacking() {
    let mut writer = DatWriter::new(BlockSize::Large, DataSet::Portal);
    writer.add_compressed(DataId(0x0A00_0001), b"some bytes to be packed");
    let valid = writer.finish().unwrap();
    let entry = open(valid.clone()).find(DataId(0x0A00_0001)).unwrap().unwrap();
    // The object starts with its length.
    let most = (entry.size - 4) * 1032;
    for (length, message) in [(most + 1, "cannot decompress to"), (most, "expected")] {
        let mut file = valid.clone();
        put(&mut file, entry.offset as usize + 4, length);
        let error = open(file).read(&entry).unwrap_err().to_string();
        assert!(error.contains(message), "{length}: {error}");
    }
}

/// Entry 13 of the list of hostile inputs: zeros compress about 1000 to 1.
#[test]
fn hostile_13_a_compressed_object_that_grows_beyond_the_limit_of_its_kind_is_rejected() {
    let limit = ObjectKind::MotionTable.max_decompressed_size() as usize;
    let mut writer = DatWriter::new(BlockSize::Large, DataSet::Portal);
    writer.add_compressed(DataId(0x0900_0001), &vec![0; limit]);
    writer.add_compressed(DataId(0x0900_0002), &vec![0; limit + 1]);
    let dat = open(writer.finish().unwrap());
    let entry = |id| dat.find(DataId(id)).unwrap().unwrap();
    assert_eq!(dat.read(&entry(0x0900_0001)).unwrap().len(), limit);
    let error = dat.read(&entry(0x0900_0002)).unwrap_err().to_string();
    assert!(
        error.contains("decompresses to 16777217 bytes, but the limit for the type MotionTable is 16777216"),
        "{error}"
    );
}

/// Entry 24 of the list of hostile inputs: thousands of entries for one compressed object.
#[test]
fn hostile_24_objects_that_share_bytes_are_not_decompressed() {
    let (count, first) = (200, 0x0600_0001);
    let mut writer = DatWriter::new(BlockSize::Large, DataSet::Portal);
    let zeros = vec![0; 4 << 20];
    writer.add_compressed(DataId(first), &zeros);
    for index in 1..count {
        writer.add_compressed(DataId(first + index), &[]);
    }
    let valid = writer.finish().unwrap();
    let shared = open(valid.clone()).find(DataId(first)).unwrap().unwrap();
    let mut file = valid.clone();
    // The entries in the first blocks of the directory's nodes lead to the bytes of the first object.
    let mut redirected = 0;
    for node in (1024..file.len()).step_by(1024) {
        for at in (0..32).map(|index| entry_at(node as u32, index)) {
            if word(&file, at) & 1 == 1 && (first..first + count).contains(&word(&file, at + 4)) {
                put(&mut file, at + 8, shared.offset);
                put(&mut file, at + 12, shared.size);
                redirected += 1;
            }
        }
    }
    assert!(redirected > 100, "{redirected} entries");
    let length = file.len() as u64;
    let dat = open(file);
    let fitting: Vec<_> = dat.entries().map_while(Result::ok).collect();
    let stored: u64 = fitting.iter().map(|entry| u64::from(entry.size)).sum();
    let (id, size) = (DataId(first + fitting.len() as u32), shared.size);
    assert!(stored <= length && stored + u64::from(size) > length, "{stored} bytes in {length}");
    let overlap = ContainerError::Overlap { id, size, length };
    assert_eq!(dat.entries().find_map(Result::err), Some(overlap.clone()));
    // An object that is looked up by its id is not decompressed either, not even the first.
    let entry = dat.find(DataId(first)).unwrap().unwrap();
    assert_eq!(dat.decompressed_size(&entry), 4 << 20);
    assert_eq!(dat.read(&entry), Err(overlap));
    let intact = open(valid);
    assert_eq!(intact.entries().filter_map(Result::err).count(), 0);
    assert_eq!(intact.read(&intact.find(DataId(first)).unwrap().unwrap()).unwrap().len(), 4 << 20);
}

#[test]
fn an_object_stored_under_a_different_id_is_rejected() {
    let mut writer = DatWriter::new(BlockSize::Large, DataSet::Portal);
    let dat = open(mannequin::dat_file().to_vec());
    let entry = dat.find(mannequin::HUMAN_TABLE).unwrap().unwrap();
    writer.add(DataId(0x0900_0777), dat.read(&entry).unwrap().into_owned());
    let other = open(writer.finish().unwrap());
    let error = other.load::<acmotion_dat::MotionTable>(DataId(0x0900_0777)).unwrap_err();
    let message = error.to_string();
    assert!(message.contains("the object's own id is 0x09000001, expected 0x09000777"), "{message}");
}

#[test]
fn nan_values_are_rejected() {
    let dat = open(mannequin::dat_file().to_vec());
    for kind in [ObjectKind::MotionTable, ObjectKind::Animation, ObjectKind::Setup, ObjectKind::PhysicsScript]
    {
        let entries = dat.entries().map(Result::unwrap);
        let entry = entries.into_iter().find(|entry| dat.kind_of(entry.id) == kind).unwrap();
        let bytes = dat.read(&entry).unwrap().into_owned();
        let mut rejected = 0;
        for offset in (0..bytes.len() - 3).step_by(4) {
            let mut bytes = bytes.clone();
            bytes[offset..offset + 4].copy_from_slice(&f32::NAN.to_le_bytes());
            let decoded = AnyObject::decode(kind, entry.id, &bytes);
            rejected += usize::from(decoded.is_err_and(|error| error.problem == Problem::NotANumber));
        }
        assert!(rejected > 5, "{kind}: {rejected}");
    }
}

#[test]
fn a_script_with_a_nan_as_start_time_is_rejected() {
    let mut bytes = [0x3300_0001u32, 1].map(u32::to_le_bytes).concat();
    bytes.extend(f64::NAN.to_le_bytes());
    bytes.extend([4u32, 0].map(u32::to_le_bytes).concat());
    let error = acmotion_dat::PhysicsScript::decode(&bytes).unwrap_err();
    assert_eq!(error.to_string(), "PhysicsScript, start time at byte 8: not a number (NaN)");
    bytes[8..16].copy_from_slice(&0.5f64.to_le_bytes());
    assert_eq!(acmotion_dat::PhysicsScript::decode(&bytes).unwrap().hooks[0].start, 0.5);
}

#[test]
fn an_unknown_hook_type_is_reported_with_its_number() {
    let dat = open(mannequin::dat_file().to_vec());
    let entries: Vec<_> = dat.entries().map(Result::unwrap).collect();
    let entry = entries.iter().find(|entry| dat.kind_of(entry.id) == ObjectKind::Animation).unwrap();
    let mut bytes = dat.read(entry).unwrap().into_owned();
    // One frame without parts, with one hook of a type that does not exist.
    bytes.truncate(4);
    for number in [0u32, 0, 1, 1, 27, 0] {
        bytes.extend(number.to_le_bytes());
    }
    let error = acmotion_dat::Animation::decode(&bytes).unwrap_err();
    assert_eq!(error.to_string(), "Animation, hook type at byte 20: unknown hook type 27, expected 0 to 26");
}

#[test]
fn a_truncated_object_is_an_error() {
    for (kind, bytes) in built_in_objects() {
        let id = bytes.first_chunk::<4>().map_or(DataId(0), |id| DataId(u32::from_le_bytes(*id)));
        let step = (bytes.len() / 97).max(1);
        // The bytes after a region's height table may have any length.
        let shortest = if kind == ObjectKind::Region { bytes.len().min(1000) } else { bytes.len() };
        // A landblock without bytes is valid.
        let longest_valid = usize::from(kind == ObjectKind::LandBlock);
        for length in (longest_valid..shortest).step_by(step) {
            assert!(AnyObject::decode(kind, id, &bytes[..length]).is_err(), "{kind} cut at {length}");
        }
    }
}

/// At least 200,000 damaged objects: each is rejected, or decodes and encodes to the same bytes.
#[test]
fn damaged_objects_are_rejected_or_round_trip() {
    let objects = built_in_objects();
    let mut random = Random::new(1);
    let (mut rejected, mut decoded) = (0u32, 0u32);
    while rejected + decoded < 200_000 {
        for (kind, valid) in &objects {
            let mut bytes = valid.clone();
            mutate(&mut bytes, &mut random);
            let id = bytes.first_chunk::<4>().map_or(DataId(0), |id| DataId(u32::from_le_bytes(*id)));
            match AnyObject::decode(*kind, id, &bytes) {
                Ok(object) => {
                    assert!(object.encode() == bytes, "{kind}: encodes to different bytes");
                    decoded += 1;
                }
                Err(error) => {
                    assert!(error.offset <= bytes.len());
                    rejected += 1;
                }
            }
        }
    }
    assert!(
        rejected > 50_000 && decoded > 20_000,
        "{rejected} rejected, {decoded} decoded: both must be common"
    );
}

/// In damaged files, every walk and every lookup terminates, with or without errors.
#[test]
fn walks_and_lookups_terminate_in_damaged_files() {
    let valid = small_file();
    let mut random = Random::new(2);
    let mut errors = 0;
    for _ in 0..1_000 {
        let mut file = valid.clone();
        // Aim at the directory, which is at the end of the file.
        for _ in 0..=random.below(6) {
            let offset = file.len() - 1 - random.below(9 * 2048);
            file[offset] = random.next() as u8;
        }
        if random.below(4) == 0 {
            file.truncate(400 + random.below(valid.len() - 400));
        }
        let Ok(dat) = Dat::from_bytes(file) else { continue };
        for entry in dat.entries().take(10_000) {
            match entry {
                Ok(entry) => errors += usize::from(dat.read(&entry).is_err()),
                Err(_) => errors += 1,
            }
        }
        for id in (0..200).step_by(23) {
            errors += usize::from(dat.find(DataId(0x0A00_0000 + id)).is_err());
        }
    }
    assert!(errors > 1_000, "{errors} errors");
}
