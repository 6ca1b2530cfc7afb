//! How long motions take, as `motion --json` prints it.

use acmotion_dat::json::hook_payload;
use serde_json::{Value, json};

use super::command;
use crate::query::{MotionQuery, Segment, TimedHook, Timing};

/// Returns how long a motion takes and when its hooks fire.
pub fn timing(timing: &Timing) -> Value {
    let MotionQuery { style, motion, speed, .. } = timing.query;
    let cycle = |cycle: &Segment| json!({ "seconds": cycle.seconds, "animations": [segment(cycle)] });
    let attack = |hit: &TimedHook| json!({ "time": hit.time, "share": hit.share });
    json!({
        "style": command(style),
        "style_name": style.name(),
        "motion": command(motion),
        "name": motion.name(),
        "from": command(timing.from),
        "speed": speed,
        "link": {
            "seconds": timing.link_seconds(),
            "animations": timing.link.iter().map(segment).collect::<Vec<_>>(),
        },
        "cycle": timing.cycle.as_ref().map(cycle),
        "hooks": timing.hooks.iter().map(timed_hook).collect::<Vec<_>>(),
        "attacks": timing.attacks().map(attack).collect::<Vec<_>>(),
    })
}

/// Returns one animation of a motion.
pub fn segment(segment: &Segment) -> Value {
    json!({
        "animation": segment.animation.to_string(), "low": segment.low, "high": segment.high,
        "framerate": segment.framerate, "start": segment.start, "seconds": segment.seconds,
    })
}

/// Returns a hook and when it fires.
pub fn timed_hook(timed: &TimedHook) -> Value {
    let effect = &timed.hook.effect;
    json!({
        "time": timed.time,
        "share": timed.share,
        "part_of": if timed.share.is_some() { "link" } else { "cycle" },
        "animation": timed.animation.to_string(),
        "frame": timed.frame,
        "hook": effect.name(),
        "type": effect.number(),
        "direction": timed.hook.direction.0,
        "payload": hook_payload(effect),
    })
}
