//! An idle session costs little, however long it has run.
#![cfg(target_os = "linux")]

#[path = "lab/support/mod.rs"]
mod support;

use std::time::Duration;

use support::start;

/// How long the session is left alone, in seconds. Sessions once stopped sleeping between ticks after ten.
const SECONDS: u64 = 15;
/// The maximum CPU time of its thread in the last five of them, in seconds. A thread that never sleeps takes what it gets.
const MAX_CPU: f64 = 1.5;
/// The number of clock ticks in a second of CPU time, the same on every Linux.
const CLOCK_TICKS: f64 = 100.0;

/// Returns the CPU time of the threads of sessions, in seconds.
fn session_cpu() -> f64 {
    let tasks = std::fs::read_dir("/proc/self/task").unwrap();
    let stats = tasks.filter_map(|task| std::fs::read_to_string(task.ok()?.path().join("stat")).ok());
    let ticks = stats.filter(|stat| stat.contains("(lab-session)")).map(|stat| {
        // User and system time are the twelfth and the thirteenth field after the name.
        let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
        fields[11].parse::<f64>().unwrap() + fields[12].parse::<f64>().unwrap()
    });
    ticks.sum::<f64>() / CLOCK_TICKS
}

#[tokio::test]
async fn an_idle_session_sleeps_after_fifteen_seconds_too() {
    let lab = start().await;
    let mut live = lab.live("&mode=walk").await;
    let (mut last, mut before) = (live.tick(|_| true).await, 0.0);
    let end = last.t + SECONDS as f64;
    let started = std::time::Instant::now();
    while last.t < end && started.elapsed() < Duration::from_secs(4 * SECONDS) {
        last = live.tick(|_| true).await;
        if last.t < end - 5.0 {
            before = session_cpu();
        }
    }
    let cpu = session_cpu() - before;
    assert!(before > 0.0, "the thread of the session was found");
    assert!(cpu < MAX_CPU, "{cpu} s of CPU time in five seconds");
}
