//! Entry 5 of the list of hostile inputs: crowds and uploads of wrong files took memory that was not given back.
#![cfg(target_os = "linux")]

#[path = "lab/support/mod.rs"]
mod support;

use std::fmt::Write as _;
use std::time::Duration;

use serde_json::json;
use support::{Running, start};

/// The allocator of the `acmotion` command. With that of the system, the test would judge something else.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// How much more than at the start may be resident afterwards, in MB.
const MAX_KEPT: u64 = 100;
/// How much more than at the start must have been resident at some time, in MB, for the test to mean anything.
const MIN_PEAK: u64 = 200;
/// The number of ticks that each crowd runs.
const TICKS: u32 = 90;

/// Returns a figure of this process, in MB.
fn memory(name: &str) -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix(name)).expect("a figure");
    line.trim().strip_suffix("kB").unwrap().trim().parse::<u64>().unwrap() / 1_024
}

fn resident() -> u64 {
    memory("VmRSS:")
}

async fn run_crowd(lab: &Running) {
    let mut live = lab.live("&mode=walk").await;
    live.execute(json!({ "command": "crowd", "count": 500 })).await;
    let first = live.tick(|_| true).await.number;
    live.tick(|tick| tick.number >= first + TICKS).await;
}

/// States of entities that jump about, as lines of a result.
fn result(lines: u32) -> String {
    let mut text = String::new();
    for line in 0..lines {
        let (entity, t) = (line % 200, f64::from(line / 200) / 30.0);
        let _ = writeln!(
            text,
            r#"{{"t":{t},"guid":"{:#010x}","cell":"0xA9B40019","origin":[{entity},60,94],"rotation":[1,0,0,0]}}"#,
            0x7000_0000 + entity
        );
    }
    text
}

/// Uploads large files, most of them wrong. The one that is right is closed when four small ones were opened after it.
async fn upload_files(lab: &Running) {
    const LARGE: usize = 60 << 20;
    let zeros = vec![0; LARGE];
    let braces = vec![b'{'; LARGE];
    let lines = b"{\"t\":0,\"event\":1}\n".repeat(LARGE / 18);
    let players = b"[[player]]\n".repeat(LARGE / 11);
    let pcap = [&[0xd4, 0xc3, 0xb2, 0xa1, 2, 0, 4, 0][..], &zeros[8..]].concat();
    for (name, bytes) in
        [("zeros", &zeros), ("braces", &braces), ("lines", &lines), ("players", &players), ("pcap", &pcap)]
    {
        assert_eq!(lab.upload(name, bytes).await.status, 422, "{name}");
    }
    assert_eq!(lab.upload("large", result(200_000).as_bytes()).await.status, 200);
    for _ in 0..4 {
        assert_eq!(lab.upload("small", result(200).as_bytes()).await.status, 200);
    }
}

/// Waits until the memory is given back, without a request that might help. Sessions end a moment after their pages have
/// left.
async fn assert_given_back(at_start: u64, after: &str) {
    for _ in 0..600 {
        if resident() <= at_start + MAX_KEPT {
            return;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    let peak = memory("VmHWM:");
    panic!("{at_start} MB at the start, at most {peak} MB, {} MB after {after}", resident());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn hostile_05_memory_is_given_back_after_crowds_and_uploads() {
    let lab = start().await;
    assert_eq!(lab.get("/api/about").await.status, 200);
    let at_start = resident();
    tokio::join!(run_crowd(&lab), run_crowd(&lab), run_crowd(&lab), run_crowd(&lab));
    assert_given_back(at_start, "the crowds").await;
    upload_files(&lab).await;
    let peak = memory("VmHWM:");
    assert!(peak > at_start + MIN_PEAK, "{at_start} MB at the start, at most {peak} MB");
    assert_given_back(at_start, "the uploads").await;
}
