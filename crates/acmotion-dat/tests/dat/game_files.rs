//! Facts about the game's own files (`docs/dat.md` §9), on files that are built to be like them.

use std::collections::BTreeMap;

use acmotion_dat::hook::PackedMeshId;
use acmotion_dat::{
    Animation, AnyObject, Assets, BlockSize, Building, CellPortal, CellRestrictions, Dat, DatError,
    DatObject, DatSource, DatWriter, DataId, DataSet, EnvCell, Hook, HookDirection, HookEffect, ITERATION_ID,
    Iteration, IterationRange, LandBlock, LandBlockInfo, LandBlockInfoFlags, MotionTable, ObjectKind,
    PortalFlags, json,
};
use acmotion_types::{Frame, MotionCommand, Quat, Vec3};

/// A file of which only some pieces are stored. All other bytes are zero.
struct SparseFile {
    length: u64,
    pieces: BTreeMap<u64, Vec<u8>>,
}

impl DatSource for SparseFile {
    fn length(&self) -> u64 {
        self.length
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> std::io::Result<()> {
        buffer.fill(0);
        let end = offset + buffer.len() as u64;
        for (start, piece) in self.pieces.range(..end) {
            for (index, byte) in piece.iter().enumerate() {
                let at = start + index as u64;
                if (offset..end).contains(&at) {
                    buffer[(at - offset) as usize] = *byte;
                }
            }
        }
        Ok(())
    }
}

/// The figures of a file's header.
struct HeaderFigures {
    length: u32,
    block_size: u32,
    data_set: u32,
    data_subset: u32,
    root: u32,
    /// The first and the last free block, and their number.
    free: [u32; 3],
    master_map: u32,
    engine: u32,
    minor: u32,
}

/// The identity of the data that all files share.
const MAJOR_VERSION: [u32; 4] = [0xD2D7_A734, 0x2F72_464C, 0x8AB4_EF51, 0x4F85_6FFD];

impl HeaderFigures {
    /// Returns a file with this header and nothing else. The three bytes after the flag of the LRU are 0xCD.
    fn file(&self) -> SparseFile {
        let mut bytes = vec![0; 0x140];
        let [first, last, count] = self.free;
        let numbers = [
            [0x5442, self.block_size, self.length, self.data_set],
            [self.data_subset, first, last, count],
            [self.root, 0, 0, 0xCDCD_CD01],
            [self.master_map, self.engine, 0, MAJOR_VERSION[0]],
            [MAJOR_VERSION[1], MAJOR_VERSION[2], MAJOR_VERSION[3], self.minor],
        ];
        bytes.extend(numbers.as_flattened().iter().flat_map(|number| number.to_le_bytes()));
        assert_eq!(bytes.len(), 400);
        SparseFile { length: self.length.into(), pieces: BTreeMap::from([(0, bytes)]) }
    }
}

const PORTAL: HeaderFigures = HeaderFigures {
    length: 0x3740_0000,
    block_size: 1024,
    data_set: 1,
    data_subset: 0,
    root: 0x0232_D400,
    free: [0x3738_6800, 0x3738_1C00, 2052],
    master_map: 0x2500_0000,
    engine: 110,
    minor: 6657,
};
const CELL: HeaderFigures = HeaderFigures {
    length: 0x14C0_0000,
    block_size: 256,
    data_set: 2,
    data_subset: 1,
    root: 0x01B7_7400,
    free: [0x14B3_5A00, 0x14BF_FF00, 3238],
    master_map: 0,
    engine: 22,
    minor: 0,
};
const LOCAL: HeaderFigures = HeaderFigures {
    length: 0x10_0000,
    block_size: 1024,
    data_set: 3,
    data_subset: 1,
    root: 0x2B000,
    ..NO_LIST
};
const HIGHRES: HeaderFigures = HeaderFigures {
    length: 0x07F0_0000,
    block_size: 1024,
    data_set: 1,
    data_subset: 0x6946_6948,
    root: 0x0681_1800,
    ..NO_LIST
};
const NO_LIST: HeaderFigures = HeaderFigures { free: [0; 3], ..CELL };

fn words(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

#[test]
fn headers_with_the_figures_of_the_game_are_read() {
    let sets = [DataSet::Portal, DataSet::Cell, DataSet::Local, DataSet::Portal];
    for (figures, set) in [PORTAL, CELL, LOCAL, HIGHRES].into_iter().zip(sets) {
        let dat = Dat::from_source(figures.file()).unwrap();
        let header = *dat.header();
        assert_eq!((header.data_set, header.data_subset), (set, figures.data_subset));
        assert_eq!((header.block_size, header.root), (figures.block_size, figures.root));
        assert_eq!((header.file_size, dat.length()), (figures.length, figures.length.into()));
        assert_eq!([header.first_free, header.last_free, header.free_count], figures.free);
        assert_eq!((header.engine_version, header.minor_version), (figures.engine, figures.minor));
    }
}

/// The root node of the portal file, as a leaf with entries of three versions: its second block lies elsewhere, and unused
/// branches hold 0xCDCDCDCD. The iteration object is where it is in the game's file.
#[test]
fn a_directory_node_and_the_iteration_object_of_the_game_are_read() {
    const ITERATION_OFFSET: u32 = 0x3738_6400;
    const SECOND_BLOCK: u32 = 0x0232_F800;
    let mut node = words(&[0]);
    node.extend([0xCD; 61 * 4]);
    node.extend(words(&[3]));
    for (version, id, offset) in [
        (2u32, 0x0900_0001, 0x0100_0000u32),
        (3, 0x0900_0202, 0x0100_0400),
        (1, ITERATION_ID.0, ITERATION_OFFSET),
    ] {
        node.extend(words(&[version << 16, id, offset, 12, 0x4F00_0000, 2072]));
    }
    node.extend(vec![0xCD; 58 * 24]);
    assert_eq!(node.len(), 1716);
    let mut file = PORTAL.file();
    let (first, second) = node.split_at(1020);
    file.pieces.insert(PORTAL.root.into(), [&words(&[SECOND_BLOCK]), first].concat());
    // The node ends in the middle of its second block.
    file.pieces.insert(SECOND_BLOCK.into(), [&words(&[0]), second].concat());
    let bytes = [0x18, 0x08, 0, 0, 0xE8, 0xF7, 0xFF, 0xFF, 1, 0, 0, 0];
    file.pieces.insert(ITERATION_OFFSET.into(), [&words(&[0]), &bytes[..]].concat());

    let dat = Dat::from_source(file).unwrap();
    let versions: Vec<_> = dat.entries().map(|entry| entry.unwrap().version).collect();
    assert_eq!(versions, [2, 3, 1]);
    let entry = dat.find(ITERATION_ID).unwrap().unwrap();
    assert_eq!((entry.version, entry.offset, entry.is_compressed()), (1, ITERATION_OFFSET, false));
    let iteration: Iteration = dat.load(ITERATION_ID).unwrap();
    let expected = Iteration { total: 2072, ranges: vec![IterationRange { consecutive: -2072, start: 1 }] };
    assert_eq!(iteration, expected);
    assert_eq!(iteration.encode(), bytes);
}

/// The free list of the portal file has its first block behind its last one, so it does not ascend.
#[test]
fn a_free_list_of_the_size_of_the_game_is_walked() {
    let [first, last, count] = PORTAL.free;
    let mut blocks = vec![first];
    blocks.extend((0..count - 2).map(|index| 0x3000_0000 + index * 1024));
    blocks.push(last);
    let mut file = PORTAL.file();
    for (index, block) in blocks.iter().enumerate() {
        let next = blocks.get(index + 1).copied().unwrap_or(0);
        file.pieces.insert(u64::from(*block), words(&[next | 0x8000_0000]));
    }
    assert_eq!(Dat::from_source(file).unwrap().check_free_list(), Ok(()));
}

/// Animation 0x0300055B has the only two hooks of this type in the game's files. Here it has no parts.
#[test]
fn a_replaced_mesh_has_a_part_of_one_byte_and_padding() {
    let hook = [5, 0, 0, 0, 1, 0, 0, 0, 0x00, 0xB4, 0x0B, 0x00];
    let bytes = [words(&[0x0300_055B, 0, 0, 1, 2]), hook.to_vec(), hook.to_vec()].concat();
    let animation = Animation::decode(&bytes).unwrap();
    let mesh = PackedMeshId::Short(0x0BB4);
    let effect = HookEffect::ReplaceObject { part: 0, mesh, padding: [0; 3] };
    let expected = Hook { direction: HookDirection::FORWARD, effect };
    assert_eq!(animation.hooks(0), [expected, expected]);
    assert_eq!((mesh.id(), PackedMeshId::new(mesh.id())), (DataId(0x0100_0BB4), Some(mesh)));
    assert_eq!(animation.encode(), bytes);
    let shown = json::animation(&animation)["hooks"].to_string();
    assert_eq!(shown, r#"[[0,5,1,{"part":0,"mesh":"0x01000BB4"}],[0,5,1,{"part":0,"mesh":"0x01000BB4"}]]"#);
    for length in 0..bytes.len() {
        assert!(Animation::decode(&bytes[..length]).is_err(), "cut at {length}");
    }
}

/// A long id takes three bytes of padding, so that the hook after it is aligned. Padding that is not zero is kept.
#[test]
fn a_replaced_mesh_with_a_long_id_has_eight_bytes() {
    for padding in [[0, 0, 0], [1, 2, 3]] {
        let mut hook = vec![5, 0, 0, 0, 0, 0, 0, 0, 7, 0x01, 0x80, 0x34, 0x12];
        hook.extend(padding);
        assert_eq!(hook.len(), 8 + 8);
        let done = words(&[4, 0]);
        let bytes = [words(&[0x0300_0001, 0, 0, 1, 2]), hook, done].concat();
        let animation = Animation::decode(&bytes).unwrap();
        let mesh = PackedMeshId::Long(0x8001, 0x1234);
        assert_eq!(mesh.id(), DataId(0x0101_1234));
        let effects: Vec<_> = animation.hooks(0).iter().map(|hook| hook.effect).collect();
        assert_eq!(
            effects,
            [HookEffect::ReplaceObject { part: 7, mesh, padding }, HookEffect::AnimationDone]
        );
        assert_eq!(animation.encode(), bytes);
    }
    let forms = [0x3FFF, 0x4000, 0x7FFF].map(|offset| PackedMeshId::new(DataId(0x0100_0000 + offset)));
    let expected =
        [PackedMeshId::Short(0x3FFF), PackedMeshId::Long(0x8000, 0x4000), PackedMeshId::Long(0x8000, 0x7FFF)];
    assert_eq!(forms, expected.map(Some));
}

/// The probability, at most 1, comes before the priority, which reaches 3 in the game's files.
#[test]
fn a_tweaked_sound_has_its_probability_first() {
    let floats = [0.1f32, 3.0, 0.75].map(f32::to_bits);
    let hook = words(&[21, 0, 0x0A00_0123, floats[0], floats[1], floats[2]]);
    let bytes = [words(&[0x0300_0001, 0, 0, 1, 1]), hook].concat();
    let animation = Animation::decode(&bytes).unwrap();
    let wave = DataId(0x0A00_0123);
    let expected = HookEffect::SoundTweaked { wave, probability: 0.1, priority: 3.0, volume: 0.75 };
    assert_eq!(animation.hooks(0)[0].effect, expected);
    assert_eq!(animation.encode(), bytes);
}

#[test]
fn a_landblock_without_bytes_is_empty_and_not_damaged() {
    let (empty, other) = (DataId(0x0102_FFFF), DataId(0x0102_FFFE));
    let mut writer = DatWriter::new(BlockSize::Small, DataSet::Cell);
    writer.add(empty, Vec::new());
    writer.add(other, Vec::new());
    let mut file = writer.finish().unwrap();
    // An entry without bytes needs no block, so its offset may be anything. The entries start with the second block of the
    // node, and the landblock's is the second one.
    let word = |offset: usize| u32::from_le_bytes(*file[offset..].first_chunk().unwrap()) as usize;
    let entries = word(word(0x160)) + 4;
    let offset = entries + 24 + 8;
    file[offset..offset + 4].copy_from_slice(&0xFFFF_FF00_u32.to_le_bytes());
    let dat = Dat::from_bytes(file).unwrap();
    let entry = dat.find(empty).unwrap().unwrap();
    assert_eq!((entry.size, entry.offset, entry.is_empty()), (0, 0xFFFF_FF00, true));
    let bytes = dat.read(&entry).unwrap();
    assert!(bytes.is_empty());
    let object = AnyObject::decode(ObjectKind::LandBlock, empty, &bytes).unwrap();
    assert_eq!(object, AnyObject::EmptyLandBlock(empty));
    assert_eq!(object.encode(), bytes.as_ref());
    assert_eq!(json::object(&object).to_string(), r#"{"id":"0x0102FFFF","empty":true}"#);
    assert_eq!(dat.load::<LandBlock>(empty), Err(DatError::Empty(empty)));
    assert_eq!(Assets::new(dat).land_block(empty).unwrap_err().to_string(), "landblock 0x0102FFFF is empty");
    // Only landblocks may be empty.
    assert!(AnyObject::decode(ObjectKind::LandBlockInfo, other, &[]).is_err());
}

/// The portals of a room: one to the land carries flag 4.
#[test]
fn the_portals_of_a_room_of_the_game_are_read() {
    let cell = EnvCell {
        id: DataId(0xA9B4_0170),
        frame: Frame::new(Vec3::new(161.929, 7.503_15, 94.0), Quat::new(0.0, 0.0, 0.0, 1.0)),
        portals: vec![
            CellPortal {
                flags: PortalFlags::EXACT_MATCH | PortalFlags::TO_OUTSIDE,
                polygon: 4,
                other_cell: CellPortal::OUTSIDE,
                other_portal: 0,
            },
            CellPortal {
                flags: PortalFlags::EXACT_MATCH | PortalFlags::PORTAL_SIDE,
                polygon: 5,
                other_cell: 0x171,
                other_portal: 0,
            },
        ],
        ..EnvCell::default()
    };
    let bytes = cell.encode();
    // Three words, counts, environment and shape, a frame; then eight bytes for each portal.
    let portals = &bytes[12 + 4 + 4 + 28..];
    assert_eq!(portals, [5, 0, 4, 0, 0xFF, 0xFF, 0, 0, 3, 0, 5, 0, 0x71, 0x01, 0, 0]);
    let read = EnvCell::decode(&bytes).unwrap();
    assert_eq!(read.portals.iter().map(CellPortal::leads_outside).collect::<Vec<_>>(), [true, false]);
    assert_eq!(read.portals.iter().map(|portal| portal.flags.bits()).collect::<Vec<_>>(), [5, 3]);
    assert_eq!(read.neighbour(0x171), DataId(0xA9B4_0171));
    let flags = PortalFlags::from_bits_retain(4);
    assert!(!flags.intersects(PortalFlags::EXACT_MATCH | PortalFlags::PORTAL_SIDE));
}

#[test]
fn restrictions_and_buildings_of_the_game_are_read() {
    let restrictions = CellRestrictions { buckets: 8, entries: vec![(0, 0x7526_200C)] };
    let info = LandBlockInfo {
        id: DataId(0x5262_FFFE),
        cell_count: 74,
        flags: LandBlockInfoFlags::RESTRICTIONS,
        restrictions: Some(restrictions),
        ..LandBlockInfo::default()
    };
    let bytes = info.encode();
    assert_eq!(bytes, words(&[0x5262_FFFE, 74, 0, 0x0001_0000, 0x0008_0001, 0, 0x7526_200C]));
    assert_eq!(LandBlockInfo::decode(&bytes), Ok(info));

    let building =
        Building { model: DataId(0x0100_11A9), frame: Frame::IDENTITY, leaf_count: 127, portals: Vec::new() };
    let info = LandBlockInfo {
        id: DataId(0x1455_FFFE),
        cell_count: 5,
        buildings: vec![building],
        ..LandBlockInfo::default()
    };
    let bytes = info.encode();
    assert_eq!(bytes[..16], words(&[0x1455_FFFE, 5, 0, 0x0000_0001]));
    assert_eq!(bytes[16..20], words(&[0x0100_11A9]));
    assert_eq!(bytes[48..], words(&[127, 0]));
    assert_eq!(LandBlockInfo::decode(&bytes), Ok(info));
}

/// The default style of table 0x09000202 is `NonCombat`, with the default substate Off.
#[test]
fn a_table_whose_default_substate_is_off_is_read() {
    let bytes = words(&[0x0900_0202, 0x8000_003D, 1, 0x8000_003D, MotionCommand::OFF.0, 0, 0, 0]);
    let table = MotionTable::decode(&bytes).unwrap();
    assert_eq!(table.default_style, MotionCommand::NON_COMBAT);
    assert_eq!(table.style_defaults.get(table.default_style.0), Some(&MotionCommand::OFF));
    assert_eq!(table.encode(), bytes);
}
