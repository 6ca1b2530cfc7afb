//! How many connections the lab keeps open, counted by the open files of this process: it is both the lab and its clients.
#![cfg(target_os = "linux")]

#[path = "lab/support/mod.rs"]
mod support;

use std::time::Duration;

use support::start;
use tokio::io::AsyncReadExt as _;
use tokio::net::TcpStream;

const HELD: usize = 256;
const REFUSED: usize = 160;
/// The number of refused connections that the lab keeps until their clients have read the answer.
const KEPT: usize = 64;
/// Files that come and go by themselves, the folder that is read included.
const OTHERS: usize = 8;

fn open_files() -> usize {
    std::fs::read_dir("/proc/self/fd").unwrap().count()
}

#[tokio::test]
async fn few_refused_connections_are_kept_and_not_for_long() {
    let lab = start().await;
    let before = open_files();
    let mut clients = Vec::new();
    for _ in 0..HELD + REFUSED {
        clients.push(TcpStream::connect(("127.0.0.1", lab.port)).await.unwrap());
    }
    for refused in &mut clients[HELD..] {
        let mut answer = Vec::new();
        refused.read_to_end(&mut answer).await.unwrap();
        assert!(answer.starts_with(b"HTTP/1.1 503 "));
    }
    let held = before + clients.len() + HELD;
    let kept = open_files().saturating_sub(held);
    assert!(kept <= KEPT + OTHERS, "{kept} refused connections are open");
    // The clients keep their ends open.
    for _ in 0..1_200 {
        if open_files() <= held + OTHERS {
            return;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("{} refused connections are still open", open_files() - held);
}
