//! Objects of the conformance vectors: the bytes parse to exactly the JSON beside them and encode to the same bytes
//! again.

use std::collections::HashMap;
use std::io::Read;

use acmotion_dat::{
    Animation, BspNode, BspTree, CellPortal, CellStruct, DatObject, DataId, EnvCell, EnvCellFlags,
    Environment, GfxObj, KeyedList, MotionTable, Polygon, Sphere, Vertex, json,
};
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

/// An object from its bytes, which it encodes to again. A byte less or more is noticed.
fn object<T: DatObject>(bytes: &Value) -> T {
    let bytes = base64::engine::general_purpose::STANDARD.decode(bytes.as_str().unwrap()).unwrap();
    let object = T::decode(&bytes).unwrap();
    assert_eq!(object.encode(), bytes);
    assert!(T::decode(&bytes[..bytes.len() - 1]).is_err());
    assert!(T::decode(&[bytes.as_slice(), &[0]].concat()).is_err());
    object
}

fn check<T: DatObject>(bytes: &Value, beside: &Value, to_json: fn(&T) -> Value) {
    let (mut got, mut expected) = (to_json(&object(bytes)), beside.clone());
    as_doubles(&mut got);
    as_doubles(&mut expected);
    assert_eq!(got, expected);
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

fn number(value: &Value) -> f32 {
    value.as_f64().unwrap() as f32
}

fn vector(value: &Value) -> Vec3 {
    Vec3::new(number(&value[0]), number(&value[1]), number(&value[2]))
}

fn list(value: &Value) -> &[Value] {
    value.as_array().unwrap()
}

/// The physics tree, node by node: plane, sphere, children; leaf number, solid, sphere, polygons.
fn check_tree(tree: &BspTree, place: u32, beside: &Value) {
    let sphere = |value: &Value| Sphere { origin: vector(value), radius: number(&value[3]) };
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

/// The collision mesh of a line of geometry.
fn check_geometry(vertices: &[Vertex], polygons: &KeyedList<Polygon>, tree: &BspTree, beside: &Value) {
    assert_eq!(
        (vertices.len(), polygons.len()),
        (list(&beside["vertices"]).len(), list(&beside["polys"]).len())
    );
    for (vertex, beside) in vertices.iter().zip(list(&beside["vertices"])) {
        assert_eq!(vertex.position, vector(beside));
    }
    for ((_, polygon), beside) in polygons.iter().zip(list(&beside["polys"])) {
        let corners: Vec<_> = list(beside).iter().map(|id| id.as_i64().unwrap() as i16).collect();
        assert_eq!(polygon.vertices, corners);
    }
    check_tree(tree, 0, &beside["tree"]);
}

#[test]
fn meshes_are_read_and_written_exactly() {
    let mut seen = 0;
    for line in lines("bsp").iter().filter(|line| line.get("gfxobj_b64").is_some()) {
        let mesh: GfxObj = object(&line["gfxobj_b64"]);
        let physics = mesh.physics.as_ref().unwrap();
        check_geometry(&mesh.vertices, &physics.polygons, &physics.bsp, line);
        seen += 1;
    }
    assert_eq!(seen, 69);
}

/// The planes of a cell tree, down the chain of front children.
fn chain(tree: &BspTree) -> Vec<(Vec3, f32)> {
    let mut planes = Vec::new();
    let mut next = Some(0);
    while let Some(place) = next {
        match &tree.nodes[place as usize] {
            BspNode::Plane(node) => {
                assert_eq!((node.negative, node.sphere), (None, None));
                planes.push((node.normal, node.distance));
                next = node.positive;
            }
            BspNode::Leaf(_) => next = None,
        }
    }
    planes
}

fn low_word(id: &Value) -> u16 {
    id.as_str().unwrap().parse::<DataId>().unwrap().0 as u16
}

fn check_cell(cell: &EnvCell, shape: &CellStruct, beside: &Value) {
    assert_eq!(cell.id.to_string(), beside["cell"].as_str().unwrap());
    assert_eq!(cell.frame.origin, vector(&beside["pos"]));
    let q = cell.frame.rotation;
    assert_eq!([q.w, q.x, q.y, q.z].as_slice(), list(&beside["q"]).iter().map(number).collect::<Vec<_>>());
    let seen_outside = beside["seen_outside"].as_bool().unwrap();
    assert_eq!(cell.flags.contains(EnvCellFlags::SEEN_OUTSIDE), seen_outside);
    let mut visible: Vec<_> = list(&beside["visible"]).iter().map(low_word).collect();
    let mut found = cell.visible.clone();
    visible.sort_unstable();
    found.sort_unstable();
    assert_eq!(found, visible);
    let planes: Vec<_> =
        list(&beside["cell_planes"]).iter().map(|plane| (vector(plane), number(&plane[3]))).collect();
    assert_eq!(chain(&shape.cell_bsp), planes);
    assert_eq!(shape.portals.len(), cell.portals.len());
    for ((portal, key), beside) in cell.portals.iter().zip(&shape.portals).zip(list(&beside["portals"])) {
        assert_eq!(portal.polygon, *key);
        let other = &beside["other_cell"];
        assert_eq!(portal.other_cell, if other.is_null() { CellPortal::OUTSIDE } else { low_word(other) });
        let polygon = shape.polygons.get(u32::from(*key)).unwrap();
        let corners: Vec<_> =
            polygon.vertices.iter().map(|id| shape.vertices[*id as usize].position).collect();
        assert_eq!(corners, list(&beside["poly"]).iter().map(vector).collect::<Vec<_>>());
    }
}

#[test]
fn rooms_are_read_and_written_exactly() {
    let lines = lines("indoor");
    let geometry: HashMap<_, _> = lines
        .iter()
        .filter(|line| line["kind"] == "geom")
        .map(|line| (line["id"].as_u64().unwrap(), line))
        .collect();
    let mut seen = 0;
    for layout in lines.iter().filter(|line| line["kind"] == "layout") {
        for room in list(&layout["rooms"]) {
            let cell: EnvCell = object(&room["envcell_b64"]);
            let environment: Environment = object(&room["environment_b64"]);
            assert_eq!(environment.id, cell.environment_id());
            let shape = environment.structures.get(u32::from(cell.structure)).unwrap();
            check_cell(&cell, shape, room);
            let beside = geometry[&room["geom"].as_u64().unwrap()];
            check_geometry(&shape.vertices, &shape.physics_polygons, &shape.physics_bsp, beside);
            seen += 1;
        }
    }
    assert_eq!(seen, 19);
}
