//! The objects of the conformance vectors decode to exactly the JSON next to them and encode to the same bytes.

use std::collections::HashMap;
use std::io::Read;

use acmotion_dat::{
    Animation, BspKind, BspNode, BspTree, CellPortal, CellStruct, DatObject, DataId, EnvCell, EnvCellFlags,
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

/// Converts all numbers to doubles, so that integers and fractions compare by value.
fn as_doubles(value: &mut Value) {
    match value {
        Value::Number(number) => *value = number.as_f64().unwrap().into(),
        Value::Array(list) => list.iter_mut().for_each(as_doubles),
        Value::Object(members) => members.values_mut().for_each(as_doubles),
        _ => {}
    }
}

/// Decodes an object and checks that it encodes to the same bytes, and that a missing or an extra byte is an error.
fn object<T: DatObject>(bytes: &Value) -> T {
    let bytes = base64::engine::general_purpose::STANDARD.decode(bytes.as_str().unwrap()).unwrap();
    let object = T::decode(&bytes).unwrap();
    assert_eq!(object.encode(), bytes);
    assert!(T::decode(&bytes[..bytes.len() - 1]).is_err());
    assert!(T::decode(&[bytes.as_slice(), &[0]].concat()).is_err());
    object
}

fn check<T: DatObject>(bytes: &Value, reference: &Value, to_json: fn(&T) -> Value) {
    let (mut got, mut expected) = (to_json(&object(bytes)), reference.clone());
    as_doubles(&mut got);
    as_doubles(&mut expected);
    assert_eq!(got, expected);
}

#[test]
fn motion_tables_of_the_vectors_round_trip() {
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
fn animations_of_the_vectors_round_trip() {
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

/// Compares a physics tree node by node: plane, sphere, children; leaf number, solid, sphere, polygons.
fn check_tree(tree: &BspTree, index: u32, reference: &Value) {
    let sphere = |value: &Value| Sphere { origin: vector(value), radius: number(&value[3]) };
    match &tree.nodes[index as usize] {
        BspNode::Leaf(leaf) => {
            let (solid, bounds, polygons) = leaf.physics.as_ref().unwrap();
            assert_eq!(i64::from(leaf.index), reference["leaf"].as_i64().unwrap());
            assert_eq!(*solid != 0, reference["solid"].as_bool().unwrap());
            assert_eq!(*bounds, sphere(&reference["sphere"]));
            let keys: Vec<_> =
                reference["polys"].as_array().unwrap().iter().map(|key| key.as_u64().unwrap()).collect();
            assert_eq!(polygons.iter().map(|key| u64::from(*key)).collect::<Vec<_>>(), keys);
        }
        BspNode::Plane(node) => {
            let plane = &reference["plane"];
            assert_eq!(node.normal, sphere(plane).origin);
            assert_eq!(node.distance, number(&plane[3]));
            assert_eq!(node.sphere, Some(sphere(&reference["sphere"])));
            for (child, name) in [(node.positive, "pos"), (node.negative, "neg")] {
                match child {
                    Some(child) => check_tree(tree, child, &reference[name]),
                    None => assert!(reference.get(name).is_none_or(Value::is_null)),
                }
            }
        }
    }
}

/// Compares a collision mesh with its line of geometry.
fn check_geometry(vertices: &[Vertex], polygons: &KeyedList<Polygon>, tree: &BspTree, reference: &Value) {
    assert_eq!(
        (vertices.len(), polygons.len()),
        (list(&reference["vertices"]).len(), list(&reference["polys"]).len())
    );
    for (vertex, reference) in vertices.iter().zip(list(&reference["vertices"])) {
        assert_eq!(vertex.position, vector(reference));
    }
    for ((_, polygon), reference) in polygons.iter().zip(list(&reference["polys"])) {
        let corners: Vec<_> = list(reference).iter().map(|id| id.as_i64().unwrap() as i16).collect();
        assert_eq!(polygon.vertices, corners);
    }
    check_tree(tree, 0, &reference["tree"]);
}

#[test]
fn meshes_of_the_vectors_round_trip() {
    let mut seen = 0;
    for line in lines("bsp").iter().filter(|line| line.get("gfxobj_b64").is_some()) {
        let mesh: GfxObj = object(&line["gfxobj_b64"]);
        let physics = mesh.physics.as_ref().unwrap();
        check_geometry(&mesh.vertices, &physics.polygons, &physics.bsp, line);
        seen += 1;
    }
    assert_eq!(seen, 69);
}

/// Returns the planes of a cell tree, along the chain of front children.
fn chain(tree: &BspTree) -> Vec<(Vec3, f32)> {
    let mut planes = Vec::new();
    let mut next = Some(0);
    while let Some(index) = next {
        match &tree.nodes[index as usize] {
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

#[test]
fn cell_trees_of_the_vectors_decode_by_themselves_and_need_every_byte() {
    let mut seen = 0;
    for line in lines("bsp").iter().filter(|line| line["fn"] == "cell_tree") {
        let given = &line["in"];
        let mut bytes =
            base64::prelude::BASE64_STANDARD.decode(given["bytes_b64"].as_str().unwrap()).unwrap();
        let planes = list(&given["planes"]).iter().map(|plane| (vector(plane), number(&plane[3])));
        let tree = BspTree::decode(&bytes, BspKind::Cell).unwrap();
        assert_eq!(chain(&tree), planes.collect::<Vec<_>>());
        assert!(BspTree::decode(&bytes[..bytes.len() - 1], BspKind::Cell).is_err());
        bytes.push(0);
        assert!(BspTree::decode(&bytes, BspKind::Cell).is_err());
        seen += 1;
    }
    assert!(seen > 100, "{seen}");
}

fn low_word(id: &Value) -> u16 {
    id.as_str().unwrap().parse::<DataId>().unwrap().0 as u16
}

fn check_cell(cell: &EnvCell, shape: &CellStruct, reference: &Value) {
    assert_eq!(cell.id.to_string(), reference["cell"].as_str().unwrap());
    assert_eq!(cell.frame.origin, vector(&reference["pos"]));
    let q = cell.frame.rotation;
    assert_eq!([q.w, q.x, q.y, q.z].as_slice(), list(&reference["q"]).iter().map(number).collect::<Vec<_>>());
    let seen_outside = reference["seen_outside"].as_bool().unwrap();
    assert_eq!(cell.flags.contains(EnvCellFlags::SEEN_OUTSIDE), seen_outside);
    let mut visible: Vec<_> = list(&reference["visible"]).iter().map(low_word).collect();
    let mut found = cell.visible.clone();
    visible.sort_unstable();
    found.sort_unstable();
    assert_eq!(found, visible);
    let planes: Vec<_> =
        list(&reference["cell_planes"]).iter().map(|plane| (vector(plane), number(&plane[3]))).collect();
    assert_eq!(chain(&shape.cell_bsp), planes);
    assert_eq!(shape.portals.len(), cell.portals.len());
    for ((portal, key), reference) in cell.portals.iter().zip(&shape.portals).zip(list(&reference["portals"]))
    {
        assert_eq!(portal.polygon, *key);
        let other = &reference["other_cell"];
        assert_eq!(portal.other_cell, if other.is_null() { CellPortal::OUTSIDE } else { low_word(other) });
        let polygon = shape.polygons.get(u32::from(*key)).unwrap();
        let corners: Vec<_> =
            polygon.vertices.iter().map(|id| shape.vertices[*id as usize].position).collect();
        assert_eq!(corners, list(&reference["poly"]).iter().map(vector).collect::<Vec<_>>());
    }
}

#[test]
fn rooms_of_the_vectors_round_trip() {
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
            let reference = geometry[&room["geom"].as_u64().unwrap()];
            check_geometry(&shape.vertices, &shape.physics_polygons, &shape.physics_bsp, reference);
            seen += 1;
        }
    }
    assert_eq!(seen, 19);
}
