//! What a crowd costs: the bytes that the socket carries.

use crate::support::start;
use serde_json::json;

/// The largest crowd.
const WALKERS: u32 = 500;
/// The number of ticks that are measured: four seconds.
const TICKS: usize = 120;
/// The maximum number of bytes for each second of ticks.
const MAX_BYTES_PER_SECOND: usize = 2_000_000;

/// Ticks are stepped one by one, so that none is left out because the machine is busy. The states that answer the commands
/// do not count.
#[tokio::test]
async fn a_crowd_of_500_takes_at_most_two_megabytes_a_second() {
    let lab = start().await;
    let mut live = lab.live("&mode=walk").await;
    let player = live.message("hello", |_| true).await["player"].clone();
    live.execute(json!({ "command": "crowd", "count": WALKERS })).await;
    live.execute(json!({ "command": "pause", "on": true })).await;
    live.execute(json!({ "command": "select", "guid": player, "view": 1 })).await;
    // In a crowd, the page asks for the events and messages of the selection only.
    live.execute(json!({ "command": "filter", "guids": [player] })).await;
    // The first steps bring the crowd into motion.
    let state = live.execute(json!({ "command": "step", "ticks": 60 })).await;
    live.send(json!({ "command": "step", "ticks": 1 })).await;
    let mut last = live.tick(|tick| u64::from(tick.number) > state["tick"].as_u64().unwrap()).await;
    live.received = 0;
    let (mut ticks, mut moved) = (0, 0);
    while ticks < TICKS {
        live.send(json!({ "command": "step", "ticks": 1 })).await;
        let tick = live.tick(|tick| tick.number > last.number).await;
        assert_eq!(tick.number, last.number + 1);
        let before = |guid, view| last.body(guid, view).map(|body| body.position);
        moved +=
            tick.bodies.iter().filter(|body| before(body.guid, body.view) != Some(body.position)).count();
        (last, ticks) = (tick, ticks + 1);
    }
    let bodies = last.bodies.len();
    assert!(bodies > 3 * WALKERS as usize, "{bodies} bodies: the truth and two views");
    assert!(moved > TICKS * bodies / 3, "only {moved} of {} bodies moved", TICKS * bodies);
    let per_second = live.received * 30 / TICKS;
    assert!(per_second <= MAX_BYTES_PER_SECOND, "{per_second} bytes a second");
}
