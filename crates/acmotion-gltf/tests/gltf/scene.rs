//! A reader of .glb files that knows as much as the tests need: nodes, and animations played at a moment.

use acmotion::types::{Frame, Quat, Vec3};
use serde_json::Value;

pub(crate) struct Scene {
    pub(crate) json: Value,
    binary: Vec<u8>,
}

impl Scene {
    pub(crate) fn read(glb: &[u8]) -> Self {
        let word = |offset: usize| u32::from_le_bytes(glb[offset..offset + 4].try_into().unwrap());
        assert_eq!((&glb[..4], word(4), word(8) as usize), (&b"glTF"[..], 2, glb.len()));
        let json_length = word(12) as usize;
        assert_eq!(&glb[16..20], b"JSON");
        let json = serde_json::from_slice(&glb[20..20 + json_length]).unwrap();
        let binary = glb.get(28 + json_length..).unwrap_or_default().to_vec();
        Self { json, binary }
    }

    pub(crate) fn nodes(&self) -> &Vec<Value> {
        self.json["nodes"].as_array().unwrap()
    }

    pub(crate) fn node_named(&self, name: &str) -> usize {
        self.nodes().iter().position(|node| node["name"] == name).unwrap_or_else(|| panic!("no node {name}"))
    }

    /// Returns the numbers of an accessor.
    pub(crate) fn floats(&self, accessor: &Value) -> Vec<f32> {
        let accessor = &self.json["accessors"][accessor.as_u64().unwrap() as usize];
        assert_eq!(accessor["componentType"], 5126);
        let view = &self.json["bufferViews"][accessor["bufferView"].as_u64().unwrap() as usize];
        let number = |field: &Value| field.as_u64().unwrap() as usize;
        let bytes = &self.binary[number(&view["byteOffset"])..][..number(&view["byteLength"])];
        bytes.chunks_exact(4).map(|value| f32::from_le_bytes(value.try_into().unwrap())).collect()
    }

    /// Returns the bytes of an image.
    pub(crate) fn image(&self, index: usize) -> &[u8] {
        let view =
            &self.json["bufferViews"][self.json["images"][index]["bufferView"].as_u64().unwrap() as usize];
        let number = |field: &Value| field.as_u64().unwrap() as usize;
        &self.binary[number(&view["byteOffset"])..][..number(&view["byteLength"])]
    }

    pub(crate) fn animation(&self, name: &str) -> &Value {
        let animations = self.json["animations"].as_array().unwrap();
        animations.iter().find(|animation| animation["name"] == name).unwrap_or_else(|| panic!("no {name}"))
    }

    /// Returns the frame of a node in the game's axes: below the scene's node. With an animation, at its `time`; steps only.
    pub(crate) fn frame(&self, node: usize, playing: Option<(&Value, f32)>) -> Frame {
        let own = self.local(node, playing);
        match self.nodes().iter().position(|parent| children(parent).any(|child| child == node)) {
            None | Some(0) => own,
            Some(parent) => self.frame(parent, playing).combine(&own),
        }
    }

    fn local(&self, node: usize, playing: Option<(&Value, f32)>) -> Frame {
        let json = &self.nodes()[node];
        let list = |value: &Value| -> Option<Vec<f32>> {
            Some(value.as_array()?.iter().map(|number| number.as_f64().unwrap() as f32).collect())
        };
        let mut translation = list(&json["translation"]).unwrap_or_else(|| vec![0.0; 3]);
        let mut rotation = list(&json["rotation"]).unwrap_or_else(|| vec![0.0, 0.0, 0.0, 1.0]);
        if let Some((animation, time)) = playing {
            for channel in animation["channels"].as_array().unwrap() {
                if channel["target"]["node"] != node {
                    continue;
                }
                let sampler = &animation["samplers"][channel["sampler"].as_u64().unwrap() as usize];
                let times = self.floats(&sampler["input"]);
                let key = times.iter().rposition(|key| *key <= time).unwrap_or(0);
                let values = self.floats(&sampler["output"]);
                match channel["target"]["path"].as_str().unwrap() {
                    "translation" => translation = values[3 * key..][..3].to_vec(),
                    "rotation" => rotation = values[4 * key..][..4].to_vec(),
                    other => panic!("{other}"),
                }
            }
        }
        let [x, y, z, w] = rotation[..] else { panic!() };
        Frame::new(Vec3::new(translation[0], translation[1], translation[2]), Quat::new(w, x, y, z))
    }
}

pub(crate) fn children(node: &Value) -> impl Iterator<Item = usize> {
    node["children"].as_array().into_iter().flatten().map(|child| child.as_u64().unwrap() as usize)
}

/// Checks that two frames place points near their origin at the same positions.
#[track_caller]
pub(crate) fn assert_near(found: &Frame, expected: &Frame, what: &str) {
    for point in [Vec3::ZERO, Vec3::new(1.0, 0.0, 0.0), Vec3::new(0.0, 1.0, 0.0)] {
        let distance = (found.local_to_global(point) - expected.local_to_global(point)).length();
        assert!(distance < 1e-5, "{what}: off by {distance}: {found:?} and {expected:?}");
    }
}
