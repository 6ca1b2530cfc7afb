//! Motion tables and animations of the conformance vectors: the bytes parse to exactly the JSON beside them and encode
//! to the same bytes again.

use std::io::Read;

use acmotion_dat::{Animation, BspNode, BspTree, DatObject, GfxObj, MotionTable, Sphere, json};
use acmotion_types::Vec3;
use base64::Engine as _;
use serde_json::Value;

fn lines(file: &str) -> Vec<Value> {
    let path = format!("{}/../../tests/golden/{file}.dev.jsonl.gz", env!("CARGO_MANIFEST_DIR"));
    let mut text = String::new();
    flate2::read::GzDecoder::new(std::fs::File::open(path).unwrap()).read_to_string(&mut text).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Whole numbers and fractions compare as numbers, not as the way they are written.
fn as_doubles(value: &mut Value) {
    match value {
        Value::Number(number) => *value = number.as_f64().unwrap().into(),
        Value::Array(list) => list.iter_mut().for_each(as_doubles),
        Value::Object(members) => members.values_mut().for_each(as_doubles),
        _ => {}
    }
}

fn check<T: DatObject>(bytes: &Value, beside: &Value, to_json: fn(&T) -> Value) {
    let bytes = base64::engine::general_purpose::STANDARD.decode(bytes.as_str().unwrap()).unwrap();
    let object = T::decode(&bytes).unwrap();
    assert_eq!(object.encode(), bytes);
    let (mut got, mut expected) = (to_json(&object), beside.clone());
    as_doubles(&mut got);
    as_doubles(&mut expected);
    assert_eq!(got, expected);
    // A byte less or more is noticed.
    assert!(T::decode(&bytes[..bytes.len() - 1]).is_err());
    assert!(T::decode(&[bytes.as_slice(), &[0]].concat()).is_err());
}

#[test]
fn motion_tables_are_read_and_written_exactly() {
    let mut seen = 0;
    for file in ["motion_table", "motion_table_directed", "motion_table_manager"] {
        for line in lines(file).iter().filter(|line| line["kind"] == "table") {
            check::<MotionTable>(&line["table_b64"], &line["table"], json::motion_table);
            seen += 1;
        }
    }
    assert_eq!(seen, 32);
}

#[test]
fn animations_are_read_and_written_exactly() {
    let mut seen = 0;
    for file in ["sequence", "sequence_directed"] {
        for line in lines(file).iter().filter(|line| line["kind"] == "animation") {
            check::<Animation>(&line["anim_b64"], &line["anim"], json::animation);
            seen += 1;
        }
    }
    assert_eq!(seen, 44);
}

/// The physics tree, node by node: plane, sphere, children; leaf number, solid, sphere, polygons.
fn check_tree(tree: &BspTree, place: u32, beside: &Value) {
    let number = |value: &Value| value.as_f64().unwrap() as f32;
    let sphere = |value: &Value| Sphere {
        origin: Vec3::new(number(&value[0]), number(&value[1]), number(&value[2])),
        radius: number(&value[3]),
    };
    match &tree.nodes[place as usize] {
        BspNode::Leaf(leaf) => {
            let (solid, at, polygons) = leaf.physics.as_ref().unwrap();
            assert_eq!(i64::from(leaf.index), beside["leaf"].as_i64().unwrap());
            assert_eq!(*solid != 0, beside["solid"].as_bool().unwrap());
            assert_eq!(*at, sphere(&beside["sphere"]));
            let keys: Vec<_> =
                beside["polys"].as_array().unwrap().iter().map(|key| key.as_u64().unwrap()).collect();
            assert_eq!(polygons.iter().map(|key| u64::from(*key)).collect::<Vec<_>>(), keys);
        }
        BspNode::Plane(node) => {
            let plane = &beside["plane"];
            assert_eq!(node.normal, sphere(plane).origin);
            assert_eq!(node.distance, number(&plane[3]));
            assert_eq!(node.sphere, Some(sphere(&beside["sphere"])));
            for (child, name) in [(node.positive, "pos"), (node.negative, "neg")] {
                match child {
                    Some(child) => check_tree(tree, child, &beside[name]),
                    None => assert!(beside.get(name).is_none_or(Value::is_null)),
                }
            }
        }
    }
}

#[test]
fn meshes_are_read_and_written_exactly() {
    let mut seen = 0;
    for line in lines("bsp").iter().filter(|line| line.get("gfxobj_b64").is_some()) {
        let bytes = line["gfxobj_b64"].as_str().unwrap();
        let bytes = base64::engine::general_purpose::STANDARD.decode(bytes).unwrap();
        let mesh = GfxObj::decode(&bytes).unwrap();
        assert_eq!(mesh.encode(), bytes);
        let physics = mesh.physics.as_ref().unwrap();
        for (vertex, beside) in mesh.vertices.iter().zip(line["vertices"].as_array().unwrap()) {
            let [x, y, z] = [0, 1, 2].map(|axis| beside[axis].as_f64().unwrap() as f32);
            assert_eq!(vertex.position, Vec3::new(x, y, z));
        }
        for ((_, polygon), beside) in physics.polygons.iter().zip(line["polys"].as_array().unwrap()) {
            let corners: Vec<_> =
                beside.as_array().unwrap().iter().map(|id| id.as_i64().unwrap() as i16).collect();
            assert_eq!(polygon.vertices, corners);
        }
        check_tree(&physics.bsp, 0, &line["tree"]);
        seen += 1;
    }
    assert_eq!(seen, 69);
}
