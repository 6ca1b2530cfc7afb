//! The scenery that the page draws.

use crate::support::{start, start_at};
use acmotion::dat::Assets;
use acmotion_lab::Options;
use serde_json::{Value, json};

#[tokio::test]
async fn everything_in_the_town_can_be_drawn() {
    let lab = start().await;
    let scenery = lab.get("/api/scenery").await.json();
    assert_eq!(scenery["origin"], "0xA9B4");
    let meshes = scenery["meshes"].as_array().unwrap();
    let count = |kind: &str| meshes.iter().filter(|mesh| mesh["kind"] == kind).count();
    assert_eq!((count("room"), count("building")), (11, 2), "the house and the shed");
    assert!(count("terrain") >= 4 && count("water") >= 4);
    for mesh in meshes {
        check_mesh(mesh);
        if let Some(id) = mesh["mesh"].as_str() {
            assert_eq!(lab.get(&format!("/api/mesh/{id}")).await.status, 200, "{id}");
        }
    }
    for object in scenery["objects"].as_array().unwrap() {
        let target = match (object["setup"].as_str(), object["mesh"].as_str()) {
            (Some(setup), None) => format!("/api/setup/{setup}"),
            (None, Some(mesh)) => format!("/api/mesh/{mesh}"),
            other => panic!("{other:?}"),
        };
        assert_eq!(lab.get(&target).await.status, 200, "{target}");
    }
}

fn check_mesh(mesh: &Value) {
    let vertices = mesh["positions"].as_array().unwrap().len() / 3;
    let indices: Vec<u64> =
        mesh["indices"].as_array().unwrap().iter().map(|index| index.as_u64().unwrap()).collect();
    assert!(indices.iter().all(|index| (*index as usize) < vertices), "{}", mesh["name"]);
    let coloured: u64 =
        mesh["colours"].as_array().unwrap().iter().map(|range| range["count"].as_u64().unwrap()).sum();
    assert_eq!(coloured, indices.len() as u64, "{}", mesh["name"]);
    assert_eq!(vertices == 0, mesh["mesh"].is_string(), "{}", mesh["name"]);
}

#[tokio::test]
async fn terrain_triangles_face_up() {
    let lab = start().await;
    let scenery = lab.get("/api/scenery").await.json();
    let terrain = scenery["meshes"].as_array().unwrap().iter().filter(|mesh| mesh["kind"] == "terrain");
    for mesh in terrain {
        let vertex = |index: usize| [0, 1].map(|axis| mesh["positions"][3 * index + axis].as_f64().unwrap());
        let corners: Vec<_> = mesh["indices"]
            .as_array()
            .unwrap()
            .iter()
            .map(|index| vertex(index.as_u64().unwrap() as usize))
            .collect();
        for [a, b, c] in corners.as_chunks().0 {
            let up = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
            assert!(up > 0.0);
        }
    }
}

/// A recording is not in the built-in town, even if its landblock has the same number.
#[tokio::test]
async fn a_recording_has_no_scenery_without_a_cell_file() {
    let lab = start().await;
    let scenery = lab.get("/api/scenery?block=0xA9B4").await.json();
    assert_eq!((&scenery["meshes"], &scenery["objects"]), (&json!([]), &json!([])));
    assert_eq!(lab.get("/api/scenery?block=0xA9B40001").await.status, 400);
}

#[tokio::test]
async fn a_cell_file_replaces_the_town() {
    let cell = Some((Assets::town(), String::from("town.dat")));
    let lab = start_at(Options { cell, ..Options::new(Assets::mannequin(), "mannequin") }).await;
    assert_eq!(lab.get("/api/about").await.json()["cell"], "town.dat");
    for target in ["/api/scenery", "/api/scenery?block=0xA9B4&cell=1"] {
        let scenery = lab.get(target).await.json();
        let meshes = scenery["meshes"].as_array().unwrap();
        assert!(meshes.iter().any(|mesh| mesh["kind"] == "terrain"), "{target}: {scenery}");
    }
    let mut live = lab.live("&mode=walk").await;
    let tick = live.tick(|tick| tick.body(0x5000_0001, 1).is_some()).await;
    let player = tick.body(0x5000_0001, 0).unwrap();
    assert_eq!(player.flags & 0b11, 0b11, "the player stands on the land");
    assert!(player.position[2] > 9.0, "the land is 10 m high: {:?}", player.position);
}
