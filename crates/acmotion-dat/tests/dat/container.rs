//! Files from the writer read back correctly: both block sizes, several directory levels, compressed objects, every
//! kind of source.

use std::borrow::Cow;
use std::io::Cursor;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::common::Random;
use acmotion_dat::{
    Assets, BlockSize, ContainerError, Dat, DatError, DatSource, DatWriter, DataId, DataSet, MemorySource,
    ObjectKind, SeekSource, mannequin,
};

/// Returns bytes that are different for every id, with lengths around the block sizes.
fn content(id: u32) -> Vec<u8> {
    let mut random = Random::new(u64::from(id));
    let length = [0, 1, 251, 252, 253, 1019, 1020, 1021, 3000, 40][random.below(10)];
    (0..length).map(|_| random.next() as u8).collect()
}

fn ids(count: u32) -> impl Iterator<Item = u32> {
    (0..count).map(|index| 0x0A00_0000 + index * 7)
}

fn file_of(count: u32, block_size: BlockSize) -> Vec<u8> {
    let mut writer = DatWriter::new(block_size, DataSet::Portal);
    for id in ids(count) {
        writer.add(DataId(id), content(id));
    }
    writer.finish().unwrap()
}

#[test]
fn every_object_of_a_large_file_is_found_and_listed() {
    for block_size in [BlockSize::Small, BlockSize::Large] {
        let dat = Dat::from_bytes(file_of(20_000, block_size)).unwrap();
        assert_eq!(dat.header().block_size as usize, block_size.bytes());
        assert_eq!(u64::from(dat.header().file_size), dat.length());
        let listed: Vec<_> = dat.entries().map(|entry| entry.unwrap().id.0).collect();
        let mut expected: Vec<_> = ids(20_000).collect();
        expected.push(0xFFFF_0001);
        assert_eq!(listed, expected, "all ids, in order");
        for id in ids(20_000) {
            let entry = dat.find(DataId(id)).unwrap().unwrap();
            assert_eq!(dat.read(&entry).unwrap(), content(id));
            assert_eq!(dat.find(DataId(id + 1)).unwrap(), None);
        }
        assert_eq!(dat.find(DataId(0)).unwrap(), None);
        assert_eq!(dat.find(DataId(u32::MAX)).unwrap(), None);
    }
}

/// Uses object counts around every size at which the tree grows a level or a node splits.
#[test]
fn directories_of_every_shape_contain_all_objects() {
    for count in [0, 1, 60, 61, 62, 63, 121, 122, 123, 3842, 3843, 3844, 3905] {
        let dat = Dat::from_bytes(file_of(count, BlockSize::Small)).unwrap();
        assert_eq!(dat.entries().filter(Result::is_ok).count() as u32, count + 1);
        for id in ids(count) {
            assert_eq!(dat.find(DataId(id)).unwrap().map(|entry| entry.id.0), Some(id));
        }
    }
}

/// The original keeps every node except the root at least half full (30 of 61 entries).
#[test]
fn directory_nodes_are_at_least_half_full() {
    let block = 1024;
    for count in [62u32, 1000, 3843, 3844, 20_000] {
        let file = file_of(count, BlockSize::Large);
        let word = |offset: usize| u32::from_le_bytes(file[offset..offset + 4].try_into().unwrap()) as usize;
        let node = |offset: usize| {
            let second = word(offset);
            [&file[offset + 4..offset + block], &file[second + 4..second + block]].concat()
        };
        let root = word(0x160);
        let mut open = vec![root];
        let mut levels = std::collections::HashSet::new();
        while let Some(offset) = open.pop() {
            let bytes = node(offset);
            let number = |offset: usize| u32::from_le_bytes(bytes[offset..offset + 4].try_into().unwrap());
            let entries = number(248);
            assert!(offset == root || (30..=61).contains(&entries), "{entries} entries of {count}");
            if number(0) != 0 {
                open.extend((0..=entries as usize).map(|child| number(4 * child) as usize));
            } else {
                levels.insert(entries);
            }
        }
        assert!(!levels.is_empty());
    }
}

#[test]
fn compressed_objects_are_decompressed() {
    let long = vec![7; 100_000];
    let mut writer = DatWriter::new(BlockSize::Large, DataSet::Portal);
    writer.add_compressed(DataId(0x0A00_0001), &long);
    writer.add_compressed(DataId(0x0A00_0002), b"");
    let dat = Dat::from_bytes(writer.finish().unwrap()).unwrap();
    let entry = dat.find(DataId(0x0A00_0001)).unwrap().unwrap();
    assert!(entry.is_compressed() && entry.size < 1000);
    assert_eq!(dat.read(&entry).unwrap(), long);
    let empty = dat.find(DataId(0x0A00_0002)).unwrap().unwrap();
    assert_eq!(dat.read(&empty).unwrap(), b"".as_slice());
}

#[test]
fn every_kind_of_source_reads_the_same_bytes() {
    let bytes = file_of(300, BlockSize::Large);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("some.dat");
    std::fs::write(&path, &bytes).unwrap();
    let mapped = Dat::open(&path).unwrap();
    let seeking = Dat::from_source(SeekSource::new(Cursor::new(bytes.clone())).unwrap()).unwrap();
    let file = Dat::from_source(SeekSource::new(std::fs::File::open(&path).unwrap()).unwrap()).unwrap();
    let memory = Dat::from_source(MemorySource(Arc::<[u8]>::from(bytes))).unwrap();
    for id in ids(300).map(DataId) {
        for dat in [&mapped, &seeking, &file, &memory] {
            let entry = dat.find(id).unwrap().unwrap();
            assert_eq!(dat.read(&entry).unwrap(), content(id.0));
        }
    }
    let small = ids(300).find(|id| content(*id).len() == 251).unwrap();
    let entry = memory.find(DataId(small)).unwrap().unwrap();
    assert!(matches!(memory.read(&entry).unwrap(), Cow::Borrowed(_)), "an object in one block is borrowed");
}

/// A source that counts the bytes read from it.
struct CountingSource {
    bytes: Vec<u8>,
    read: Arc<AtomicU64>,
}

impl DatSource for CountingSource {
    fn length(&self) -> u64 {
        self.bytes.len() as u64
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> std::io::Result<()> {
        self.read.fetch_add(buffer.len() as u64, Ordering::Relaxed);
        buffer.copy_from_slice(&self.bytes[offset as usize..][..buffer.len()]);
        Ok(())
    }
}

#[test]
fn opening_reads_the_header_and_a_lookup_reads_few_nodes() {
    let read = Arc::new(AtomicU64::new(0));
    let source = CountingSource { bytes: file_of(20_000, BlockSize::Large), read: Arc::clone(&read) };
    let dat = Dat::from_source(source).unwrap();
    assert_eq!(read.swap(0, Ordering::Relaxed), 400, "opening reads only the header");
    dat.find(DataId(ids(20_000).last().unwrap())).unwrap().unwrap();
    // A node has 1,716 bytes in two blocks; the link of the first is read as well.
    let nodes = read.load(Ordering::Relaxed).div_ceil(1716 + 4);
    assert!((2..=3).contains(&nodes), "the lookup reads {nodes} nodes");
}

/// Sets the free list of a file by hand: the header's fields and the link of each block.
fn with_free_list(mut file: Vec<u8>, header: [u32; 3], links: &[(usize, u32)]) -> Dat {
    let fields = (0x154..).step_by(4).zip(header);
    for (offset, value) in fields.chain(links.iter().copied()) {
        file[offset..offset + 4].copy_from_slice(&value.to_le_bytes());
    }
    Dat::from_bytes(file).unwrap()
}

#[test]
fn free_blocks_are_linked_with_bit_31() {
    for block_size in [BlockSize::Small, BlockSize::Large] {
        let mut writer = DatWriter::new(block_size, DataSet::Portal);
        writer.add(DataId(0x0A00_0001), vec![7; 3000]);
        let without = writer.finish().unwrap();
        writer.set_free_blocks(3);
        let file = writer.finish().unwrap();
        let size = block_size.bytes();
        let [a, b, c] = [0, 1, 2].map(|index| (without.len() + index * size) as u32);
        let word = |offset: u32| u32::from_le_bytes(*file[offset as usize..].first_chunk().unwrap());
        assert_eq!([0x154, 0x158, 0x15C].map(word), [a, c, 3]);
        assert_eq!([a, b, c].map(word), [b | 0x8000_0000, c | 0x8000_0000, 0x8000_0000]);
        assert_eq!(file.len(), without.len() + 3 * size);
        let dat = Dat::from_bytes(file).unwrap();
        assert_eq!((dat.header().file_size as u64, dat.check_free_list()), (dat.length(), Ok(())));
        let entry = dat.find(DataId(0x0A00_0001)).unwrap().unwrap();
        assert_eq!(dat.read(&entry).unwrap(), vec![7; 3000]);
    }
}

#[test]
fn a_damaged_free_list_is_reported() {
    let mut writer = DatWriter::new(BlockSize::Large, DataSet::Portal);
    writer.set_free_blocks(2);
    let file = writer.finish().unwrap();
    let (a, b) = (file.len() - 2048, file.len() - 1024);
    let [first, last] = [a, b].map(|offset| offset as u32);
    let reason = |header, links: &[(usize, u32)]| match with_free_list(file.clone(), header, links)
        .check_free_list()
    {
        Err(ContainerError::FreeList { block, reason }) => (block, reason),
        other => panic!("{other:?}"),
    };
    assert_eq!(reason([first, last, 3], &[]), (last, "ends early"));
    assert_eq!(reason([first, last, 1], &[]), (last, "has more blocks than the header says"));
    assert_eq!(reason([first, first, 2], &[]), (last, "does not end with the last block of the header"));
    let unmarked = reason([first, last, 2], &[(a, last)]);
    assert_eq!(unmarked, (first, "contains a block that is not marked as free"));
    assert_eq!(reason([first, last, 1 << 30], &[]), (first, "has more blocks than the file"));
    let cycle = reason([first, last, 4], &[(b, first | 0x8000_0000)]);
    assert_eq!(cycle, (first, "has more blocks than the header says"), "the walk ends in a cycle");
    let outside = with_free_list(file.clone(), [first, last, 2], &[(a, 0x8FFF_FC00)]);
    assert!(matches!(outside.check_free_list(), Err(ContainerError::BlockOutside { .. })));
    assert_eq!(with_free_list(file.clone(), [0, 0, 0], &[]).check_free_list(), Ok(()));
}

#[test]
fn the_file_does_not_depend_on_the_order_of_insertion() {
    let mut reversed = DatWriter::new(BlockSize::Large, DataSet::Portal);
    for id in ids(100).collect::<Vec<_>>().into_iter().rev() {
        reversed.add(DataId(id), content(id));
    }
    assert_eq!(reversed.finish().unwrap(), file_of(100, BlockSize::Large));
}

#[test]
fn assets_decode_an_object_once_and_share_it() {
    let assets = Assets::new(Dat::from_bytes(mannequin::dat_file()).unwrap());
    let again = assets.clone();
    let tables: Vec<_> = std::thread::scope(|scope| {
        let load = || again.motion_table(mannequin::HUMAN_TABLE).unwrap();
        let threads: Vec<_> = (0..8).map(|_| scope.spawn(load)).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    for table in &tables {
        assert!(Arc::ptr_eq(table, &tables[0]));
    }
    fn is_shareable<T: Send + Sync + Clone>(_: &T) {}
    is_shareable(&assets);
}

#[test]
fn missing_objects_and_wrong_kinds_are_errors() {
    let assets = Assets::mannequin();
    assert_eq!(
        assets.setup(DataId(0x0200_FFFF)).unwrap_err().to_string(),
        "there is no object 0x0200FFFF in this file"
    );
    let wrong = assets.setup(mannequin::HUMAN_TABLE).unwrap_err();
    assert!(matches!(wrong, DatError::WrongKind { found: ObjectKind::MotionTable, .. }), "{wrong}");
    assert!(matches!(Dat::open("no such file.dat"), Err(DatError::Io { .. })));
}
