use acmotion::dat::mannequin::town::{HOME_BLOCK, landmarks};
use acmotion::dat::{Assets, DataId};
use acmotion_gltf::{GltfError, land_block};

use crate::scene::{Scene, assert_near};

#[test]
fn a_landblock_has_terrain_buildings_objects_and_rooms() {
    let (portal, cells) = (Assets::mannequin(), Assets::town());
    let town = land_block(&portal, &cells, HOME_BLOCK).unwrap();
    let scene = Scene::read(&town.glb);
    let info = cells.land_block_info(DataId(u32::from(HOME_BLOCK) << 16 | 0xFFFE)).unwrap();
    assert_eq!(town.sidecar["rooms"].as_array().unwrap().len(), info.cell_count as usize);
    assert_eq!(town.sidecar["missing"], serde_json::json!([]));
    let terrain = &scene.nodes()[scene.node_named("terrain")];
    let mesh = &scene.json["meshes"][terrain["mesh"].as_u64().unwrap() as usize];
    let positions = scene.floats(&mesh["primitives"][0]["attributes"]["POSITION"]);
    assert_eq!(positions.len(), 3 * 81);
    // The home block is level.
    assert!(positions.chunks_exact(3).any(|at| at[2] == 10.0), "{positions:?}");
    let normals = scene.floats(&mesh["primitives"][0]["attributes"]["NORMAL"]);
    assert!(normals.chunks_exact(3).all(|normal| normal[2] > 0.0), "the ground faces up");
    for (index, building) in info.buildings.iter().enumerate() {
        let node = scene.node_named(&format!("building_{index}"));
        assert_near(&scene.frame(node, None), &building.frame, "a building");
        assert!(scene.nodes()[node]["mesh"].is_number());
    }
    let hall = cells.env_cell(DataId(landmarks().hall.cell.0)).unwrap();
    let node = scene.node_named(&format!("room_{:04X}", hall.id.0 & 0xFFFF));
    assert_near(&scene.frame(node, None), &hall.frame, "a room");
    assert!(scene.nodes()[node]["mesh"].is_number());
    assert!(scene.nodes().iter().any(|node| node["name"] == "object_0"));
}

#[test]
fn a_lake_is_a_mesh_of_its_own_and_a_landblock_that_is_not_there_an_error() {
    let (portal, cells) = (Assets::mannequin(), Assets::town());
    let [x, y] = HOME_BLOCK.to_be_bytes();
    let lake = land_block(&portal, &cells, u16::from_be_bytes([x + 1, y])).unwrap();
    let scene = Scene::read(&lake.glb);
    assert!(scene.nodes()[scene.node_named("water")]["mesh"].is_number());
    assert_eq!(land_block(&portal, &cells, 0x0101), Err(GltfError::NoLandBlock(0x0101)));
}
