//! Dat and cell files that a page uploads, for Replay and Tables.

use crate::support::{Answer, Running, captures, start};
use acmotion::dat::mannequin;
use acmotion::types::{CellPosition, Vec3};
use serde_json::{Value, json};

async fn upload(lab: &Running, name: &str, bytes: &[u8]) -> Answer {
    lab.request("POST", &format!("/api/dat?token={}&name={name}", lab.token), &[], bytes).await
}

/// Uploads a dat file and returns its number.
async fn open(lab: &Running, name: &str, bytes: &[u8]) -> u64 {
    let answer = upload(lab, name, bytes).await;
    assert_eq!(answer.status, 200, "{}", String::from_utf8_lossy(&answer.body));
    answer.json()["number"].as_u64().unwrap()
}

async fn files(lab: &Running) -> Vec<Value> {
    lab.get("/api/about").await.json()["files"].as_array().unwrap().clone()
}

/// A capture of an entity that stands where the walk of the town starts.
fn capture() -> Vec<u8> {
    let spawn = mannequin::town::landmarks().spawn;
    let position = CellPosition::at(spawn.cell, spawn.frame.origin + Vec3::new(0.0, 0.0, 0.1));
    captures::capture((2..4).map(|stamp| (f64::from(stamp), captures::report(position, stamp))))
}

#[tokio::test]
async fn an_uploaded_dat_file_has_tables_and_objects() {
    let lab = start().await;
    let built_in: Vec<Value> = files(&lab).await.iter().map(|file| file["name"].clone()).collect();
    assert_eq!(built_in, ["mannequin", "town"]);
    let number = open(&lab, "portal.dat", &mannequin::dat_file()).await;
    let last = files(&lab).await.pop().unwrap();
    assert_eq!(last, json!({ "number": number, "name": "portal.dat", "kind": "dat", "built_in": false }));
    for target in
        ["/api/tables?", "/api/table/0x09000001?", "/api/sheet?table=0x09000001&", "/api/frames/0x03000001?"]
    {
        let (own, uploaded) = (lab.get(target).await, lab.get(&format!("{target}dat={number}")).await);
        assert_eq!((own.status, uploaded.status), (200, 200), "{target}");
        assert!(own.body == uploaded.body, "{target}");
    }
    for target in ["/api/tables?dat=99", "/api/setup/0x02000001?dat=99", "/api/scenery?block=0xA9B4&cell=0"] {
        assert_eq!(lab.get(target).await.status, 404, "{target}");
    }
    assert_eq!(lab.get("/api/tables?dat=x").await.status, 400);
}

#[tokio::test]
async fn a_capture_runs_over_the_land_of_an_uploaded_cell_file() {
    let lab = start().await;
    let cell = open(&lab, "town.dat", &mannequin::town::dat_file()).await;
    let about = |query: String| {
        let lab = &lab;
        async move {
            let recording = lab.upload(&format!("walk.pcap{query}"), &capture()).await.json();
            let mut live = lab.live(&format!("&mode=replay&recording={}", recording["id"])).await;
            let hello = live.message("hello", |_| true).await;
            live.send(json!({ "command": "seek", "t": 1.5 })).await;
            live.send(json!({ "command": "select", "guid": "0x50000002", "view": 0 })).await;
            let update = live.message("explanation", |update| !update["explanation"].is_null()).await;
            (hello, update["explanation"]["ground"].clone())
        }
    };
    let (hello, ground) = about(String::new()).await;
    assert_eq!((&hello["dat"], &hello["cell"]), (&json!(0), &Value::Null), "level ground");
    let level = ground["point"][2].as_f64().unwrap();
    let (hello, ground) = about(format!("&cell={cell}")).await;
    assert_eq!(hello["cell"], cell);
    let land = ground["point"][2].as_f64().unwrap();
    assert!(level - land > 0.05, "the report is 0.1 m above the land: {level} and {land}");
    let origin = hello["origin"].as_str().unwrap();
    let scenery = lab.get(&format!("/api/scenery?block={origin}&cell={cell}")).await.json();
    assert!(scenery["meshes"].as_array().is_some_and(|meshes| meshes.len() > 5));
    let portals = scenery["portals"].as_array().unwrap();
    assert!(portals.iter().any(|portal| portal["to"].is_null()), "an opening to the land");
    assert!(portals.iter().all(|portal| portal["corners"].as_array().unwrap().len() >= 3));
    let level = lab.get(&format!("/api/scenery?block={origin}")).await.json();
    assert_eq!(level["meshes"], json!([]), "without land there is no scenery");
    let refused = lab.upload("walk.pcap&cell=99", &capture()).await;
    assert!(refused.status == 404 && refused.error().contains("choose it again"), "{}", refused.error());
}

#[tokio::test]
async fn other_files_are_refused_and_few_are_kept() {
    let lab = start().await;
    let answer = upload(&lab, "noise.dat", &[7; 2000]).await;
    assert!(answer.status == 422 && answer.error().starts_with("noise.dat: "), "{}", answer.error());
    assert_eq!(lab.request("POST", "/api/dat?name=x", &[], b"x").await.status, 401, "without the token");
    for number in 0..6 {
        open(&lab, &format!("{number}.dat"), &mannequin::dat_file()).await;
    }
    let names: Vec<Value> = files(&lab).await.iter().map(|file| file["name"].clone()).collect();
    assert_eq!(names, ["mannequin", "town", "2.dat", "3.dat", "4.dat", "5.dat"]);
}

/// Only the stated length is needed to refuse a file, not its content.
#[tokio::test]
async fn a_dat_file_that_is_too_large_is_refused_before_the_body() {
    let lab = start().await;
    let length = (3u64 << 30).to_string();
    let target = format!("/api/dat?token={}&name=large.dat", lab.token);
    let answer = lab.request("POST", &target, &[("Content-Length", &length)], b"").await;
    assert!(answer.status == 413 && answer.error().contains("larger than 2048 MB"), "{}", answer.error());
}
