//! Tables, setups, meshes, frames and clips of the mannequin.

use crate::support::{Running, start};
use serde_json::Value;

fn u32_at(bytes: &[u8], offset: usize) -> usize {
    u32::from_le_bytes(bytes[offset..offset + 4].try_into().unwrap()) as usize
}

fn id(value: &Value) -> &str {
    value["id"].as_str().unwrap()
}

#[tokio::test]
async fn every_table_has_setups_that_can_be_drawn() {
    let lab = start().await;
    let tables = lab.get("/api/tables").await.json();
    let tables = tables["tables"].as_array().unwrap();
    assert_eq!(tables.iter().map(id).collect::<Vec<_>>(), ["0x09000001", "0x09000002", "0x09000003"]);
    for table in tables {
        assert_eq!(table["error"], Value::Null);
        let setups = table["summary"]["setups"].as_array().unwrap();
        assert_eq!(setups[0]["is_default"], true, "{table}");
        for setup in setups {
            let setup = lab.get(&format!("/api/setup/{}", id(setup))).await.json();
            for part in setup["parts"].as_array().unwrap() {
                check_mesh(&lab, part["mesh"].as_str().unwrap()).await;
            }
        }
    }
}

async fn check_mesh(lab: &Running, mesh: &str) {
    let bytes = lab.get(&format!("/api/mesh/{mesh}")).await.body;
    let (vertices, indices, groups) = (u32_at(&bytes, 0), u32_at(&bytes, 4), u32_at(&bytes, 8));
    assert!(vertices >= 3 && indices >= 3 && groups >= 1, "{mesh}");
    assert_eq!(bytes.len(), 16 + 12 * groups + 24 * vertices + 4 * indices, "{mesh}");
    let start = 16 + 12 * groups + 24 * vertices;
    assert!((0..indices).all(|index| u32_at(&bytes, start + 4 * index) < vertices), "{mesh}");
    let coloured: usize = (0..groups).map(|group| u32_at(&bytes, 16 + 12 * group + 4)).sum();
    assert_eq!(coloured, indices, "every triangle of {mesh} has a colour");
    let float = |offset: usize| f32::from_bits(u32_at(&bytes, offset) as u32);
    let vector = |start: usize, index: usize| [0, 4, 8].map(|axis| float(start + 12 * index + axis));
    let (positions, normals) = (16 + 12 * groups, 16 + 12 * groups + 12 * vertices);
    for triangle in 0..indices / 3 {
        let [a, b, c] = [0, 1, 2].map(|corner| u32_at(&bytes, start + 4 * (3 * triangle + corner)));
        let [p, q, r] = [a, b, c].map(|index| vector(positions, index));
        let (u, v) = ([0, 1, 2].map(|i| q[i] - p[i]), [0, 1, 2].map(|i| r[i] - p[i]));
        let cross = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
        let normal = vector(normals, a);
        let along: f32 = (0..3).map(|i| cross[i] * normal[i]).sum();
        assert!(along >= -1e-6, "{mesh}: triangle {triangle} faces away from its normal");
    }
}

#[tokio::test]
async fn every_motion_of_every_table_has_a_clip() {
    let lab = start().await;
    let mut clips = 0;
    for table in ["0x09000001", "0x09000002", "0x09000003"] {
        let graph = lab.get(&format!("/api/table/{table}")).await.json();
        assert_eq!(graph["undefined"].as_array().map(Vec::len), Some(0), "{}", graph["undefined"]);
        let cycles =
            graph["cycles"].as_array().unwrap().iter().map(|cycle| (cycle, &cycle["motion"], &Value::Null));
        let links = graph["links"].as_array().unwrap().iter().map(|link| (link, &link["to"], &link["from"]));
        for (entry, motion, from) in cycles.chain(links) {
            let mut target =
                format!("/api/clip?table={table}&style={}&motion={}", id(&entry["style"]), id(motion));
            if !from.is_null() {
                target += &format!("&from={}", id(from));
            }
            let answer = lab.get(&target).await;
            assert_eq!(answer.status, 200, "{target}: {}", String::from_utf8_lossy(&answer.body));
            check_clip(&answer.json(), &target);
            clips += 1;
        }
    }
    assert!(clips > 150, "{clips}");
}

fn check_clip(clip: &Value, target: &str) {
    let segments = clip["segments"].as_array().unwrap();
    // From a turn or a sidestep to `Ready` there is a link, but it plays nothing: the body only stops.
    assert!(!segments.is_empty() || target.contains("motion=0x41000003&from=0x65"), "{target}");
    let ticks = &clip["ticks"];
    let count = ticks["t"].as_array().unwrap().len();
    for column in ["animation", "frame", "next", "next_frame", "blend", "body"] {
        assert_eq!(ticks[column].as_array().map(Vec::len), Some(count), "{target} {column}");
    }
    let seconds = clip["link_seconds"].as_f64().unwrap() + clip["cycle_seconds"].as_f64().unwrap_or(0.0);
    for hook in clip["hooks"].as_array().unwrap() {
        assert!(hook["time"].as_f64().unwrap() <= seconds + 1e-3, "{target}: {hook}");
    }
    let known: Vec<&str> = segments.iter().map(|segment| segment["animation"].as_str().unwrap()).collect();
    for shown in ticks["animation"].as_array().unwrap().iter().filter(|_| !segments.is_empty()) {
        assert!(known.contains(&shown.as_str().unwrap()), "{target} shows {shown}, which is in no segment");
    }
}

/// Recorded: running moves a body 4 m a second, and a slash hits before it ends.
#[tokio::test]
async fn clips_move_and_hit_as_the_engine_does() {
    let lab = start().await;
    let run = lab.get("/api/clip?table=0x09000001&style=NonCombat&motion=RunForward").await.json();
    let bodies = run["ticks"]["body"].as_array().unwrap();
    let distance = bodies.last().unwrap()[1].as_f64().unwrap();
    // The 12 frames of the link move 1.033 m, the 24 frames of each of two cycles 0.133333 m each.
    assert!((distance - 7.4).abs() < 0.3, "{distance}");
    let slash = lab.get("/api/clip?table=0x09000001&style=SwordCombat&motion=SlashHigh").await.json();
    let fraction = slash["attacks"][0]["link_fraction"].as_f64().unwrap();
    assert!(fraction > 0.0 && fraction < 1.0);
    let quick = lab.get("/api/clip?table=0x09000001&style=SwordCombat&motion=SlashHigh&speed=2").await.json();
    let (slow, fast) = (slash["link_seconds"].as_f64().unwrap(), quick["link_seconds"].as_f64().unwrap());
    assert!((slow / fast - 2.0).abs() < 1e-3);
}

#[tokio::test]
async fn animations_and_placements_have_frames() {
    let lab = start().await;
    let run = lab.get("/api/frames/0x03000003").await.body;
    let (frames, parts, roots) = (u32_at(&run, 0), u32_at(&run, 4), u32_at(&run, 8));
    assert_eq!((frames, parts, roots), (24, 19, 24));
    assert_eq!(run.len(), 16 + 28 * (frames * parts + roots));
    let door = lab.get("/api/frames/0x02000003").await.body;
    assert_eq!(u32_at(&door, 4), 2);
    assert_eq!(lab.get("/api/frames/0x03FFFFFF").await.status, 404);
}

#[tokio::test]
async fn a_sheet_lists_every_motion_with_its_hits() {
    let lab = start().await;
    let tables = lab.get("/api/tables").await.json();
    let table = tables["tables"][0]["id"].as_str().unwrap().to_owned();
    let sheet = lab.get(&format!("/api/sheet?table={table}")).await.json();
    let rows = sheet["rows"].as_array().unwrap();
    let slash =
        rows.iter().find(|row| row["motion"]["name"] == "SlashHigh").expect("it is a table of a humanoid");
    let (style, motion) = (slash["style"]["id"].as_str().unwrap(), slash["motion"]["id"].as_str().unwrap());
    let clip = lab.get(&format!("/api/clip?table={table}&style={style}&motion={motion}")).await.json();
    assert_eq!(slash["link_seconds"], clip["link_seconds"]);
    let is_hit = |hook: &&Value| hook["kind"] == "Attack";
    let hit = slash["hooks"].as_array().unwrap().iter().find(is_hit).expect("a slash hits");
    assert_eq!(hit["time"], clip["attacks"][0]["time"]);
    assert_eq!(slash["hooks"].as_array().unwrap().len(), clip["hooks"].as_array().unwrap().len());
}

#[tokio::test]
async fn a_motion_can_be_downloaded_as_gltf() {
    let lab = start().await;
    let walk = "/api/gltf?table=0x09000001&style=NonCombat&motion=WalkForward";
    let answer = lab.get(walk).await;
    assert_eq!(answer.status, 200);
    assert!(answer.head.to_lowercase().contains("content-type: model/gltf-binary"), "{}", answer.head);
    let (body, length) = (&answer.body, u32_at(&answer.body, 12));
    assert_eq!((&body[..4], u32_at(body, 8)), (&b"glTF"[..], body.len()));
    let document =
        |body: &[u8], length: usize| -> Value { serde_json::from_slice(&body[20..20 + length]).unwrap() };
    let json = document(body, length);
    assert_eq!(json["animations"][0]["name"], "NonCombat WalkForward");
    assert_eq!(json["extras"]["setup"], "0x02000001");
    assert_eq!(json["extras"]["interpolation"], "step");
    let smooth = lab.get(&format!("{walk}&smooth=1&stay=1&speed=2")).await.body;
    let extras = &document(&smooth, u32_at(&smooth, 12))["extras"];
    assert_eq!((&extras["interpolation"], &extras["root_motion"]), (&"linear".into(), &"in place".into()));
    assert_eq!(extras["animations"][0]["speed"], 2.0);
    for (target, status, text) in [
        ("/api/gltf?table=0x09000001&style=NonCombat", 400, "the parameter `motion` is missing"),
        (&format!("{walk}&stay=maybe"), 400, "neither 0 nor 1"),
        (&format!("{walk}&speed=1e-7"), 422, "lasts more than"),
        (&format!("{walk}&setup=0x02009999"), 404, "0x02009999"),
        ("/api/gltf?table=0x09000001&style=NonCombat&motion=SlashHigh", 404, "there is no SlashHigh"),
    ] {
        let answer = lab.get(target).await;
        assert_eq!(answer.status, status, "{target}: {}", answer.error());
        assert!(answer.error().contains(text), "{target}: {}", answer.error());
    }
}
