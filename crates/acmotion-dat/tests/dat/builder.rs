//! The builder reproduces the trees of the conformance vectors from their polygons, and its trees classify points
//! correctly.

use std::io::Read;

use acmotion_dat::builder::{self, MeshFace, MeshKind, Plane};
use acmotion_dat::{BspKind, BspNode, BspTree, DatObject, DataId, Environment, GfxObj};
use acmotion_types::Vec3;
use serde_json::Value;

fn geometry(file: &str) -> Vec<Value> {
    let path = format!("{}/../../tests/golden/{file}.dev.jsonl.gz", env!("CARGO_MANIFEST_DIR"));
    let mut text = String::new();
    flate2::read::GzDecoder::new(std::fs::File::open(path).unwrap()).read_to_string(&mut text).unwrap();
    let lines = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    lines.filter(|line| line["kind"] == "geom").collect()
}

fn numbers<const N: usize>(value: &Value) -> [f32; N] {
    std::array::from_fn(|index| value[index].as_f64().unwrap() as f32)
}

fn polygons_of(line: &Value) -> Vec<Vec<Vec3>> {
    let corner = |id: &Value| Vec3::from(numbers::<3>(&line["vertices"][id.as_u64().unwrap() as usize]));
    let polygons = line["polys"].as_array().unwrap().iter();
    polygons.map(|ids| ids.as_array().unwrap().iter().map(corner).collect()).collect()
}

/// Compares planes and spheres within rounding, everything else exactly.
fn compare(tree: &BspTree, index: u32, reference: &Value, name: &str) {
    let near = |found: &[f32], expected: &Value| {
        for (index, found) in found.iter().enumerate() {
            let expected = expected[index].as_f64().unwrap() as f32;
            assert!((found - expected).abs() < 1e-4, "{name}: found {found}, expected {expected}");
        }
    };
    match &tree.nodes[index as usize] {
        BspNode::Leaf(leaf) => {
            let (solid, sphere, keys) = leaf.physics.as_ref().unwrap();
            assert_eq!(Some(i64::from(leaf.index)), reference["leaf"].as_i64(), "{name}");
            assert_eq!(Some(*solid == 1), reference["solid"].as_bool(), "{name}, leaf {}", leaf.index);
            let expected: Vec<_> = reference["polys"]
                .as_array()
                .unwrap()
                .iter()
                .map(|key| key.as_u64().unwrap() as u16)
                .collect();
            assert_eq!(*keys, expected, "{name}, leaf {}", leaf.index);
            let o = sphere.origin;
            near(&[o.x, o.y, o.z, sphere.radius], &reference["sphere"]);
        }
        BspNode::Plane(node) => {
            assert!(reference.get("plane").is_some(), "{name}: expected a leaf at node {index}");
            let (n, sphere) = (node.normal, node.sphere.unwrap());
            near(&[n.x, n.y, n.z, node.distance], &reference["plane"]);
            let o = sphere.origin;
            near(&[o.x, o.y, o.z, sphere.radius], &reference["sphere"]);
            compare(tree, node.positive.unwrap(), &reference["pos"], name);
            compare(tree, node.negative.unwrap(), &reference["neg"], name);
        }
    }
}

#[test]
fn the_trees_of_the_conformance_vectors_are_reproduced() {
    let mut built = 0;
    for line in ["bsp", "indoor"].into_iter().flat_map(geometry) {
        let body = if line["closed"].as_bool().unwrap() { MeshKind::Closed } else { MeshKind::Open };
        let tree = builder::physics_tree(&polygons_of(&line), body);
        compare(&tree, 0, &line["tree"], line["name"].as_str().unwrap());
        built += 1;
    }
    assert_eq!(built, 69 + 22);
}

/// Returns `true` if the leaf that contains a point is solid.
fn is_solid(tree: &BspTree, point: Vec3) -> bool {
    let mut index = 0;
    loop {
        match &tree.nodes[index] {
            BspNode::Leaf(leaf) => return leaf.physics.as_ref().is_some_and(|(solid, ..)| *solid == 1),
            BspNode::Plane(node) => {
                let is_in_front = node.normal.dot(point) + node.distance >= 0.0;
                let child = if is_in_front { node.positive } else { node.negative };
                index = child.unwrap() as usize;
            }
        }
    }
}

/// Two separate boxes and a higher one between them: a grid point is solid exactly if it is in one of the boxes.
#[test]
fn points_inside_closed_meshes_are_solid() {
    let v = Vec3::new;
    let boxes = [
        (v(0.0, 0.0, 0.0), v(1.0, 2.0, 1.0)),
        (v(3.0, 0.0, 0.0), v(4.0, 2.0, 1.0)),
        (v(1.0, 0.5, 2.0), v(3.5, 1.5, 3.0)),
    ];
    let faces: Vec<_> =
        boxes.iter().flat_map(|(low, high)| MeshFace::cuboid(DataId(0x0800_0001), *low, *high)).collect();
    let polygons: Vec<_> = faces.iter().map(|face| face.corners.clone()).collect();
    let tree = builder::physics_tree(&polygons, MeshKind::Closed);
    let mut inside = 0;
    for index in 0..24 * 16 * 18 {
        let (x, y, z) = (index % 24, index / 24 % 16, index / 24 / 16);
        let point = v(-0.9 + 0.25 * x as f32, -0.9 + 0.25 * y as f32, -0.4 + 0.25 * z as f32);
        let is_in = |(low, high): &(Vec3, Vec3)| {
            let [a, b] = [point - *low, *high - point];
            [a.x, a.y, a.z, b.x, b.y, b.z].iter().all(|distance| *distance > 0.0)
        };
        let expected = boxes.iter().any(is_in);
        inside += usize::from(expected);
        assert_eq!(is_solid(&tree, point), expected, "{point:?}");
    }
    assert!(inside > 100);
    assert!(!is_solid(&builder::physics_tree(&polygons, MeshKind::Open), v(0.5, 0.5, 0.5)));
}

#[test]
fn built_meshes_and_rooms_round_trip() {
    let (low, high) = (Vec3::ZERO, Vec3::new(3.0, 4.0, 2.5));
    let faces = MeshFace::cuboid(DataId(0x0800_0002), low, high);
    let mesh = builder::gfx_obj(DataId(0x0100_0001), &faces, MeshKind::Closed);
    assert_eq!(GfxObj::decode(&mesh.encode()).unwrap(), mesh);
    let walls: Vec<_> = faces.into_iter().map(MeshFace::flipped).collect();
    let door = vec![
        Vec3::new(3.0, 1.0, 0.0),
        Vec3::new(3.0, 1.0, 2.0),
        Vec3::new(3.0, 2.5, 2.0),
        Vec3::new(3.0, 2.5, 0.0),
    ];
    let (shape, surfaces) = builder::cell_struct(&walls, &[door], &Plane::box_interior(low, high));
    assert_eq!((surfaces, shape.portals.as_slice()), (vec![DataId(0x0800_0002)], [6].as_slice()));
    let environment = Environment { id: DataId(0x0D00_0001), structures: [(0, shape)].into_iter().collect() };
    let again = Environment::decode(&environment.encode()).unwrap();
    assert_eq!(again, environment);
    let shape = again.structures.get(0).unwrap();
    assert_eq!((shape.cell_bsp.kind, shape.cell_bsp.nodes.len()), (BspKind::Cell, 6));
    // Every wall faces the middle of the room.
    for (_, polygon) in shape.physics_polygons.iter() {
        let corners: Vec<_> =
            polygon.vertices.iter().map(|id| shape.vertices[*id as usize].position).collect();
        assert!(Plane::from_polygon(&corners).signed_distance(high * 0.5) > 1.0);
    }
}

/// A polygon that is not flat, one without area, one without corners, one with a NaN.
#[test]
fn the_builder_terminates_for_degenerate_polygons() {
    let v = Vec3::new;
    let polygons = vec![
        vec![v(0.0, 0.0, 0.0), v(1.0, 0.0, 1.0), v(1.0, 1.0, 0.0), v(0.0, 1.0, 1.0)],
        vec![v(0.5, 0.5, -1.0), v(0.5, 0.5, 1.0), v(0.5, 0.5, 2.0)],
        vec![],
        vec![v(0.0, 0.0, f32::NAN), v(1.0, 0.0, 0.0), v(0.0, 1.0, 0.0)],
        vec![v(0.0, 0.0, 0.5), v(1.0, 0.0, 0.5), v(0.0, 1.0, 0.5)],
    ];
    for body in [MeshKind::Closed, MeshKind::Open] {
        assert!(builder::physics_tree(&polygons, body).nodes.len() < 100);
    }
    assert!(builder::drawing_tree(&polygons).nodes.len() < 100);
    assert_eq!(builder::physics_tree(&[], MeshKind::Closed).nodes.len(), 1);
    assert_eq!(builder::drawing_tree(&[]).nodes.len(), 1);
}
