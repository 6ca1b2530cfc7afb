//! Decodes recorded messages and encodes them again, and compares them with their published decoding.

#[path = "wire/messages_common/mod.rs"]
mod messages_common;

use std::collections::BTreeMap;
use std::io::Read as _;
use std::path::Path;

use acmotion_test_recordings::recording_tests;
use acmotion_wire::json::message_json;
use acmotion_wire::{
    Direction, Enchantment, Era, GameEvent, GameEventBody, PlayerDescription, S2C, StatModFlags, WeenieDesc,
    decode_c2s, decode_s2c,
};
use messages_common::{hex, reencode};
use serde_json::Value;

recording_tests! {
    recordings_decode_as_published_and_round_trip,
    the_login_decodes_as_published_and_round_trips,
    every_message_of_the_academy_is_known_and_round_trips,
    enchantments_of_the_academy_have_the_figures_of_the_sheet,
    the_enchantments_of_a_login_are_extracted,
    created_objects_of_retail_servers_round_trip,
}

/// Returns the lines of a JSON Lines file, which may be compressed.
fn lines(path: &Path) -> Vec<Value> {
    let mut text = String::new();
    let mut file = std::fs::File::open(path).unwrap();
    if path.extension().is_some_and(|extension| extension == "gz") {
        flate2::read::GzDecoder::new(file).read_to_string(&mut text).unwrap();
    } else {
        file.read_to_string(&mut text).unwrap();
    }
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Returns the direction and the bytes of a recorded message.
fn message(line: &Value) -> (Direction, Vec<u8>) {
    let direction = if line["dir"] == "s2c" { Direction::S2C } else { Direction::C2S };
    (direction, hex(line["hex"].as_str().unwrap()))
}

/// Asserts that the object equals the expected one, including the order of its fields, and that the message encodes to
/// the same bytes. Both objects go through the same parser, because it may miss the last bit of a float.
#[track_caller]
fn assert_line(direction: Direction, time: f64, bytes: &[u8], expected: &Value) {
    let got = message_json(time, direction, bytes, Era::default(), false).unwrap().to_string();
    let got: Value = serde_json::from_str(&got).unwrap();
    assert_eq!(got.to_string(), expected.to_string());
    assert_eq!(reencode(direction, bytes, Era::default()).unwrap(), bytes, "{expected}");
}

fn recordings_decode_as_published_and_round_trip(folder: &Path) {
    let mut files = 0;
    for entry in folder.read_dir().unwrap() {
        let decoded = entry.unwrap().path();
        let Some(name) = decoded.file_name().and_then(|name| name.to_str()?.strip_suffix(".decoded.jsonl"))
        else {
            continue;
        };
        let recorded = lines(&folder.join(format!("{name}.jsonl")));
        let expected = lines(&decoded);
        assert_eq!(recorded.len(), expected.len(), "{name}");
        for (message, expected) in recorded.iter().zip(&expected) {
            let (direction, bytes) = self::message(message);
            assert_line(direction, message["t"].as_f64().unwrap(), &bytes, expected);
        }
        files += 1;
    }
    assert!(files >= 2, "retail_player and synthetic must be in the folder");
}

fn the_login_decodes_as_published_and_round_trips(folder: &Path) {
    let expected = lines(&folder.join("entergameworld.jsonl"));
    for line in &expected {
        let direction = if line["direction"] == "S2C" { Direction::S2C } else { Direction::C2S };
        let bytes = hex(line["raw_hex"].as_str().unwrap());
        assert_line(direction, line["time"].as_f64().unwrap(), &bytes, line);
    }
    assert_eq!(expected.len(), 142);
}

/// The kinds that the sheet lists (`docs/wire.md` §6) occur as often and with the sizes it says. Every other kind of the
/// recording is either about movement or has no known layout.
const ACADEMY: [(&str, usize, usize); 20] = [
    ("PrivateUpdatePropertyInt", 13, 347),
    ("PublicUpdatePropertyInt", 17, 9),
    ("PrivateUpdateAttribute", 21, 11),
    ("PrivateUpdateAttribute2ndLevel", 13, 100),
    ("PrivateUpdateSkill", 37, 8),
    ("MagicUpdateEnchantment", 80, 2),
    ("MagicRemoveEnchantment", 20, 1),
    ("UseDone", 20, 76),
    ("AttackDone", 20, 37),
    ("CombatCommenceAttack", 16, 28),
    ("InventoryPutObjInContainer", 32, 35),
    ("WieldItem", 24, 7),
    ("InventoryPutObjIn3D", 20, 3),
    ("TargetedMeleeAttack", 24, 20),
    ("ChangeCombatMode", 16, 16),
    ("Use", 16, 63),
    ("UseWithTarget", 20, 4),
    ("PutItemInContainer", 24, 20),
    ("GetAndWieldItem", 20, 7),
    ("DropItem", 16, 6),
];
/// The opcodes without a known layout: property updates of other types, and messages about chat and health.
const ACADEMY_UNKNOWN: [u32; 11] =
    [0x02CF, 0x02D1, 0x02D2, 0x02D3, 0x02D8, 0x02D9, 0x02DA, 0x01AD, 0x01B1, 0x01B4, 0x01C0];

fn every_message_of_the_academy_is_known_and_round_trips(folder: &Path) {
    let recorded = lines(&folder.join("retail_training_academy.jsonl"));
    assert_eq!(recorded.len(), 6918);
    let mut found: BTreeMap<(&str, usize), usize> = BTreeMap::new();
    let mut known = 0;
    for line in &recorded {
        let (direction, bytes) = message(line);
        assert_eq!(reencode(direction, &bytes, Era::default()).unwrap(), bytes, "{line}");
        let (name, opcode) = match direction {
            Direction::S2C => {
                let message = decode_s2c(&bytes, Era::default()).unwrap();
                (message.name(), message.sub_opcode().unwrap_or_else(|| message.opcode()))
            }
            Direction::C2S => {
                let message = decode_c2s(&bytes, Era::default()).unwrap();
                (message.name(), message.sub_opcode().unwrap_or_else(|| message.opcode()))
            }
        };
        if name == "Unknown" {
            assert!(ACADEMY_UNKNOWN.contains(&opcode), "0x{opcode:04X} is not known");
        } else {
            let object = message_json(0.0, direction, &bytes, Era::default(), true).unwrap();
            assert!(object["decoded"].is_object(), "{object}");
            known += 1;
        }
        *found.entry((name, bytes.len())).or_default() += 1;
    }
    for (name, size, count) in ACADEMY {
        let sizes: Vec<_> = found.iter().filter(|((other, _), _)| *other == name).collect();
        assert_eq!(sizes, [(&(name, size), &count)], "{name}: number of messages by size");
    }
    assert_eq!(found[&("CancelAttack", 12)], 32);
    assert_eq!(recorded.len() - known, 179);
}

/// Returns the contents of the events that `pick` accepts.
fn events<T>(recorded: &[Value], pick: impl Fn(&GameEventBody<'_>) -> Option<T>) -> Vec<T> {
    let pick = |line: &Value| match decode_s2c(&message(line).1, Era::default()) {
        Ok(S2C::GameEvent(GameEvent { event, .. })) if line["dir"] == "s2c" => pick(&event),
        _ => None,
    };
    recorded.iter().filter_map(pick).collect()
}

fn enchantments_of_the_academy_have_the_figures_of_the_sheet(folder: &Path) {
    let recorded = lines(&folder.join("retail_training_academy.jsonl"));
    let [cooldown, armour] = events(&recorded, |event| match event {
        GameEventBody::MagicUpdateEnchantment(update) => Some(update.enchantment),
        _ => None,
    })[..] else {
        panic!("expected two enchantments");
    };
    // Using an item starts its cooldown; the other is an ordinary spell on the armour of all body parts.
    assert_eq!((cooldown.stat_mod, cooldown.duration), (StatModFlags::COOLDOWN, 30.0));
    assert_eq!((armour.duration, armour.stat_value), (86_400.0, 50.0));
    let expected = StatModFlags::BODY_ARMOUR
        | StatModFlags::MULTIPLE_STAT
        | StatModFlags::ADDITIVE
        | StatModFlags::BENEFICIAL;
    assert_eq!(armour.stat_mod, expected);
    for Enchantment { has_spell_set, spell_set, start, degrade_limit, layer, .. } in [cooldown, armour] {
        assert_eq!((has_spell_set.0, spell_set, layer), (1, 0, 1));
        assert_eq!((start, degrade_limit), (0.0, -666.0));
    }
    let removed = events(&recorded, |event| match event {
        GameEventBody::MagicRemoveEnchantment(removed) => Some((removed.spell, removed.layer)),
        _ => None,
    });
    assert_eq!(removed, [(cooldown.spell, cooldown.layer)], "the cooldown ends");
    let enchanted = events(&recorded, |event| match event {
        GameEventBody::PlayerDescription(description) => Some(description.enchantments().modifiers().count()),
        _ => None,
    });
    assert_eq!(enchanted, [0], "a new player has no enchantments");
}

/// The rest starts with the option flags, whose values the sheet does not give; the other recording has the same options
/// after a description without enchantments.
fn the_enchantments_of_a_login_are_extracted(folder: &Path) {
    let recorded = lines(&folder.join("entergameworld.jsonl"));
    let line = recorded.iter().find(|line| line["name"] == "PlayerDescription").unwrap();
    let bytes = hex(line["raw_hex"].as_str().unwrap());
    let Ok(S2C::GameEvent(GameEvent { event: GameEventBody::PlayerDescription(description), .. })) =
        decode_s2c(&bytes, Era::default())
    else {
        panic!("not a description");
    };
    let registry = description.enchantments();
    assert!(registry.multiplicative.is_empty() && registry.cooldowns.is_empty());
    assert_eq!(registry.vitae, None);
    let additive: Vec<_> =
        registry.additive.iter().map(|spell| (spell.stat_mod, spell.stat_value, spell.duration)).collect();
    let (single, all) = (StatModFlags::SINGLE_STAT, StatModFlags::ADDITIVE | StatModFlags::BENEFICIAL);
    let expected = [
        (StatModFlags::SKILL | single | all, 20.0, -1.0),
        (StatModFlags::INT | single | all, 8.0, -1.0),
        (StatModFlags::BODY_ARMOUR | StatModFlags::MULTIPLE_STAT | all, 50.0, 86_400.0),
    ];
    assert_eq!(additive, expected);
    let academy = lines(&folder.join("retail_training_academy.jsonl"));
    let options =
        |description: &PlayerDescription<'_>| <[u8; 4]>::try_from(&description.rest()[4..8]).unwrap();
    let other = events(&academy, |event| match event {
        GameEventBody::PlayerDescription(description) => Some(options(description)),
        _ => None,
    });
    assert_eq!(other, [options(&description)]);
    assert_eq!((bytes.len(), description.rest().len()), (3640, 3640 - 1852));
}

/// The class id of every object is written in the form in which the server sent it, and the icon is in the form in which
/// data ids are written.
fn created_objects_of_retail_servers_round_trip(folder: &Path) {
    let recorded = lines(&folder.join("retail_createobjects.jsonl.gz"));
    assert_eq!(recorded.len(), 5819);
    let (mut class_ids, mut icons, mut corpses) = ([0, 0], [0, 0], 0);
    for line in &recorded {
        let (direction, bytes) = message(line);
        assert_eq!(reencode(direction, &bytes, Era::default()).unwrap(), bytes);
        let Ok(S2C::CreateObject(object)) = decode_s2c(&bytes, Era::default()) else { panic!("{line}") };
        let weenie = object.0.weenie;
        let (mut plain, name) = (Vec::new(), weenie.name());
        WeenieDesc::encode_plain(name.0, weenie.class_id(), &mut plain);
        let is_long_class = weenie.class_id() >= 0x8000;
        let class_end = 4 + (2 + name.0.len()).next_multiple_of(4) + if is_long_class { 4 } else { 2 };
        assert_eq!(plain[4..class_end], weenie.as_bytes()[4..class_end], "{name}");
        let is_long_icon = weenie.icon() >= 0x0600_4000;
        assert_eq!(weenie.as_bytes()[class_end + 1] & 0x80 != 0, is_long_icon, "{name}");
        class_ids[usize::from(is_long_class)] += 1;
        icons[usize::from(is_long_icon)] += 1;
        let is_corpse = weenie.object_flags() & 0x2000 != 0;
        let is_named_so = name.0.starts_with(b"Corpse of ") || name.0.starts_with(b"Treasure of ");
        assert_eq!(is_corpse, is_named_so, "{name}");
        corpses += usize::from(is_corpse);
        assert!(!weenie.is_hook() && weenie.house_restrictions().is_none(), "{name}");
    }
    assert_eq!((class_ids, icons), ([3410, 2409], [5182, 637]), "short and long forms");
    assert_eq!(corpses, 298);
}
