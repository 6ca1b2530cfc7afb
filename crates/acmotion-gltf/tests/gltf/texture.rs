use acmotion::dat::{Assets, Dat};
use acmotion_gltf::{FigureOptions, figure};
use serde_json::{Value, json};

use crate::scene::Scene;
use crate::textured;

#[test]
fn surfaces_become_materials_with_the_textures_that_the_file_has() {
    let assets = Assets::new(Dat::from_bytes(textured::dat_file()).unwrap());
    let export = figure(&assets, textured::SETUP, &FigureOptions::default()).unwrap();
    let scene = Scene::read(&export.glb);
    let material = |side: u32| -> &Value {
        let id = textured::surface(side).to_string();
        let materials = scene.json["materials"].as_array().unwrap();
        materials.iter().find(|material| material["extras"]["surface"] == id).unwrap()
    };
    let texture = |side: u32| &material(side)["pbrMetallicRoughness"]["baseColorTexture"]["index"];
    assert_eq!(scene.json["images"].as_array().unwrap().len(), 4);
    for side in 0..4 {
        let texture = texture(side).as_u64().unwrap() as usize;
        let image = scene.json["textures"][texture]["source"].as_u64().unwrap() as usize;
        assert_eq!(scene.json["images"][image]["mimeType"], "image/png");
        let png = scene.image(image);
        assert_eq!((&png[1..4], &png[16..24]), (&b"PNG"[..], &[0, 0, 0, 8, 0, 0, 0, 8][..]));
    }
    assert!(material(0)["alphaMode"].is_null());
    assert_eq!(material(1)["alphaMode"], "MASK", "a texture with holes");
    assert_eq!(material(2)["alphaMode"], "BLEND", "a translucent surface");
    assert_eq!(material(2)["pbrMetallicRoughness"]["baseColorFactor"][3], 0.5);
    assert!(texture(4).is_null() && texture(5).is_null());
    let [red, green] =
        [0, 1].map(|at| material(4)["pbrMetallicRoughness"]["baseColorFactor"][at].as_f64().unwrap());
    assert!(
        (red - 0.0144).abs() < 1e-3 && (green - 0.527).abs() < 1e-3,
        "0x20 and 0xC0, linear: {red} {green}"
    );
    assert!(material(4)["emissiveFactor"][1].as_f64().unwrap() > 0.2, "it shines");
    assert_eq!(export.sidecar["missing"], json!(["0x05000999"]));
    let attributes = &scene.json["meshes"][0]["primitives"][0]["attributes"];
    let coordinates = scene.floats(&attributes["TEXCOORD_0"]);
    assert!(coordinates.contains(&1.0) && coordinates.contains(&0.0));
}
