//! The seeds of the fuzz targets: every target has some, and those that are made of vectors and built-in data can be made
//! again with `cargo test -p acmotion-sim --test simulation -- --ignored fuzz_seeds`.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};

use acmotion::dat::{
    AnyObject, Assets, BlockSize, Dat, DatObject as _, DatWriter, DataSet, GfxObj, ObjectKind, mannequin,
};
use acmotion::types::{ActionStamp, CellId, CellPosition, Guid, MotionCommand, Vec3};
use acmotion::wire::capture::CaptureWriter;
use acmotion::wire::{ActionItem, Actions, Direction, MovementBody, S2C};
use acmotion::{EntitySpec, EventKind, Identity, MotionEvent, Settings, StampKind, World};
use flate2::read::GzDecoder;
use serde_json::Value;

/// The size of an input beyond which the script cuts it, in bytes.
const MAX_SEED: u64 = 16_384;
/// The bit of a message's length in an input of `world_messages` after which no frame follows.
const NO_FRAME: u16 = 0x8000;

fn fuzz() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz")
}

#[test]
fn every_target_has_seeds_and_is_described() {
    let manifest = fs::read_to_string(fuzz().join("Cargo.toml")).unwrap();
    let readme = fs::read_to_string(fuzz().join("README.md")).unwrap();
    let names = manifest.lines().filter_map(|line| line.strip_prefix("path = \"fuzz_targets/"));
    let names: Vec<&str> = names.filter_map(|line| line.strip_suffix(".rs\"")).collect();
    assert!(names.len() >= 14, "{names:?}");
    for name in names {
        assert!(readme.contains(&format!("`{name}`")), "{name} is not described");
        let seeds =
            fs::read_dir(fuzz().join("seeds").join(name)).unwrap_or_else(|_| panic!("{name}: no seeds"));
        let sizes: Vec<u64> = seeds.map(|seed| seed.unwrap().metadata().unwrap().len()).collect();
        assert!(!sizes.is_empty(), "{name}: no seeds");
        assert!(sizes.iter().all(|size| (1..=MAX_SEED).contains(size)), "{name}: {sizes:?}");
        let kept = fuzz().join("kept").join(name).with_extension("tar.gz");
        assert!(fs::metadata(&kept).is_ok_and(|file| file.len() > 0), "{name}: `.ci/fuzz --keep {name}`");
    }
}

/// A message of the wire vectors, in either direction.
struct VectorMessage {
    kind: String,
    direction: Direction,
    bytes: Vec<u8>,
}

fn vector_messages() -> Vec<VectorMessage> {
    let file = File::open(fuzz().join("../tests/golden/wire.dev.jsonl.gz")).unwrap();
    let lines = BufReader::new(GzDecoder::new(file)).lines();
    let message = |line: String| {
        let vector: Value = serde_json::from_str(&line).unwrap();
        let hex = vector["hex"].as_str().unwrap();
        let byte = |at: usize| u8::from_str_radix(&hex[at..at + 2], 16).unwrap();
        let is_from_server = vector["dir"] == "s2c";
        let kind = vector["movement_type"].as_u64().map_or_else(String::new, |kind| kind.to_string());
        VectorMessage {
            kind: format!("{}{kind}", vector["msg"].as_str().unwrap()),
            direction: if is_from_server { Direction::S2C } else { Direction::C2S },
            bytes: (0..hex.len()).step_by(2).map(byte).collect(),
        }
    };
    lines.map(|line| message(line.unwrap())).collect()
}

fn write(target: &str, name: impl AsRef<Path>, bytes: &[u8]) {
    let folder = fuzz().join("seeds").join(target);
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join(name), bytes).unwrap();
}

/// One message of each kind as it is, and each with others of its kind to a world and in a capture.
fn write_messages() {
    let mut kinds: BTreeMap<String, Vec<VectorMessage>> = BTreeMap::new();
    for message in vector_messages() {
        kinds.entry(message.kind.clone()).or_default().push(message);
    }
    for (kind, messages) in &kinds {
        let longest = messages.iter().max_by_key(|message| message.bytes.len()).unwrap();
        let is_from_server = longest.direction == Direction::S2C;
        write(if is_from_server { "wire_s2c" } else { "wire_c2s" }, kind, &longest.bytes);
        let mut capture = CaptureWriter::new(Vec::new()).unwrap();
        let mut flood = Vec::new();
        for (number, message) in messages.iter().take(6).enumerate() {
            capture.message(number as f64 * 0.1, message.direction, &message.bytes).unwrap();
            // A frame follows every third message.
            let no_frame = if number % 3 == 2 { 0 } else { NO_FRAME };
            flood.extend((message.bytes.len() as u16 | no_frame).to_le_bytes());
            flood.extend(&message.bytes);
        }
        write("wire_capture", format!("{kind}.pcap"), &capture.into_inner());
        if is_from_server {
            write("world_messages", kind, &flood);
        }
    }
}

/// The messages of a flood that change the motion, each with as many actions as a message has room for: together more than
/// a body has pending at a time.
const FLOOD: u16 = 45;
const ACTIONS: u16 = 31;
const FLOODED: Guid = Guid(0x8000_0022);

/// Returns an input of `world_messages`: an object is created in the town, its motion changed again and again without a
/// frame in between, and it is deleted.
fn flood() -> Vec<u8> {
    let mut server = World::new(Assets::mannequin());
    let id = server.add_stand_in(FLOODED, &mannequin::town::landmarks().spawn, 0.0);
    let mut input = Vec::new();
    let mut send = |message: &[u8]| {
        input.extend((message.len() as u16 | NO_FRAME).to_le_bytes());
        input.extend(message);
    };
    let mut create = Vec::new();
    server.describe(id).unwrap().named("Asha").encode(&mut create);
    send(&create);
    for message in 0..FLOOD {
        server.next_stamp(id, StampKind::Movement);
        let items: Vec<_> = (1..=ACTIONS)
            .map(|action| ActionItem {
                command: MotionCommand::WAVE,
                stamp: ActionStamp::new(message * ACTIONS + action),
                autonomous: false,
                speed: 1.0,
            })
            .collect();
        let mut update = server.describe_motion(id).unwrap();
        let MovementBody::Interpreted { state, .. } = &mut update.data.movement.body else { unreachable!() };
        state.actions = Actions::new(&items);
        send(&S2C::from(update).to_bytes());
    }
    send(&S2C::from(server.describe_delete(id).unwrap()).to_bytes());
    input
}

/// The smallest object of each kind that the built-in files have, alone and as a file.
fn write_objects() {
    let files = [(mannequin::dat_file(), DataSet::Portal), (mannequin::town::dat_file(), DataSet::Cell)];
    for (file, data_set) in files {
        let dat = Dat::from_bytes(file.to_vec()).unwrap();
        let mut smallest: BTreeMap<usize, (_, Vec<u8>)> = BTreeMap::new();
        for entry in dat.entries().map(Result::unwrap) {
            let kind = dat.kind_of(entry.id);
            let Some(number) = AnyObject::KINDS.iter().position(|known| *known == kind) else { continue };
            let bytes = dat.read(&entry).unwrap().into_owned();
            let found = smallest.entry(number).or_insert_with(|| (entry.id, bytes.clone()));
            if bytes.len() < found.1.len() {
                *found = (entry.id, bytes);
            }
        }
        let block_size = if data_set == DataSet::Cell { BlockSize::Small } else { BlockSize::Large };
        let mut writer = DatWriter::new(block_size, data_set);
        for (number, (id, bytes)) in &smallest {
            if bytes.len() > 4_096 {
                continue;
            }
            let kind = AnyObject::KINDS[*number];
            write("dat_objects", kind.to_string(), &[&[*number as u8][..], bytes].concat());
            if kind == ObjectKind::Animation {
                writer.add_compressed(*id, bytes);
            } else if bytes.len() < 1_000 {
                writer.add(*id, bytes.clone());
            }
        }
        write("dat_container", format!("{data_set:?}").to_lowercase(), &writer.finish().unwrap());
    }
}

/// The smallest meshes that collide, and a body that walks around them.
fn write_meshes() {
    let dat = Dat::from_bytes(mannequin::dat_file().to_vec()).unwrap();
    let entries =
        dat.entries().map(Result::unwrap).filter(|entry| dat.kind_of(entry.id) == ObjectKind::GfxObj);
    let meshes = entries.map(|entry| dat.read(&entry).unwrap().into_owned());
    let collides = |bytes: &Vec<u8>| GfxObj::decode(bytes).is_ok_and(|mesh| mesh.physics.is_some());
    let mut meshes: Vec<Vec<u8>> = meshes.filter(collides).collect();
    meshes.sort_by_key(Vec::len);
    for (number, mesh) in meshes.iter().take(3).enumerate() {
        write("collide_solid", number.to_string(), &[&[200, 128, 190, 60, 220, 128][..], mesh].concat());
    }
}

/// A world with a body that stands, and one with a player that walks, without the header.
fn write_snapshots() {
    let place = |y: f32| CellPosition::at(CellId(0xA9B4_0001), Vec3::new(12.0, y, 94.0));
    let mut world = World::new(Assets::mannequin());
    world.spawn(&EntitySpec::new(Guid(0x8000_0001), place(4.0)), 0.0).unwrap();
    world.advance(0.1);
    write("snapshot", "standing", &world.snapshot()[24..]);
    let me = Guid(0x5000_0001);
    let settings = Settings { player: Identity::Known(me), ..Settings::default() };
    let mut world = World::with_settings(Assets::mannequin(), settings);
    world.spawn(&EntitySpec::new(me, place(4.0)), 0.0).unwrap();
    world.player_mut().press(MotionCommand::WALK_FORWARD, 0.0).unwrap();
    for frame in 1..30 {
        world.advance(f64::from(frame) / 30.0);
    }
    write("snapshot", "walking", &world.snapshot()[24..]);
}

/// Steps of four bytes: what is done, to which entity, with which other, and a number.
fn write_graphs() {
    let ring = |what: u8, count: u8| (0..count).flat_map(move |one| [what, one, (one + 1) % count, 40]);
    let tick = [12, 0, 0, 2];
    let followers: Vec<u8> = ring(2, 12).chain(tick).chain(ring(5, 12)).chain(tick).collect();
    write("world_graphs", "followers", &followers);
    let attached: Vec<u8> = ring(6, 10).chain(ring(7, 10)).chain(tick).chain(ring(8, 10)).collect();
    write("world_graphs", "attached", &attached);
    let crowd = (1..40).flat_map(|one| [3, one, 0, 9]).chain(tick).chain([1, 0, 0, 0]).chain(tick);
    write("world_graphs", "one_target", &crowd.collect::<Vec<u8>>());
}

/// Entry 22 of the list of hostile inputs: the target could not find what a flood does. This is what it does with the seed,
/// which is in the repository as it is made here.
#[test]
fn hostile_22_a_seed_of_the_fuzz_targets_floods_a_body_and_deletes_it() {
    let seed = flood();
    assert!(seed == fs::read(fuzz().join("seeds/world_messages/flood")).unwrap(), "write the seeds again");
    let settings = Settings { stand_ins_for_unknown: true, ..Settings::default() };
    let mut world = World::with_settings(Assets::mannequin(), settings);
    let (mut rest, mut received) = (&seed[..], 0);
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    while let Some((head, after)) = rest.split_first_chunk::<2>() {
        let head = u16::from_le_bytes(*head);
        assert!(head & NO_FRAME != 0, "no frame comes between the messages");
        let (message, after) = after.split_at(usize::from(head & !NO_FRAME));
        world.receive(message, 1.0).unwrap();
        received += 1;
        for event in world.drain_events() {
            let name = match event.kind {
                EventKind::Created => "created",
                EventKind::Rejected(_) => "rejected",
                EventKind::Motion(MotionEvent::QueueOverflow { .. }) => "overflow",
                EventKind::Motion(MotionEvent::MotionDone { .. }) => "done",
                EventKind::Deleted(_) => "deleted",
                _ => continue,
            };
            *counts.entry(name).or_default() += 1;
        }
        rest = after;
    }
    assert_eq!(received, usize::from(FLOOD) + 2);
    let of = |name: &str| counts.get(name).copied().unwrap_or(0);
    assert_eq!(["created", "overflow", "deleted", "rejected"].map(of), [1, 1, 1, 0], "{counts:?}");
    assert!(of("done") >= usize::from(FLOOD * ACTIONS), "all motions end: {counts:?}");
    assert!(world.find(FLOODED).is_none());
}

#[test]
#[ignore = "writes fuzz/seeds"]
fn write_seeds() {
    write_messages();
    write("world_messages", "flood", &flood());
    write_objects();
    write_meshes();
    write_snapshots();
    write_graphs();
}
