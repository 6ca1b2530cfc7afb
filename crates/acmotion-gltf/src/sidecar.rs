//! The sidecar: what a glTF file cannot hold, or holds only as extras.

use acmotion::dat::HookEffect;
use acmotion::json;
use acmotion::query::{MotionQuery, TimedHook};
use acmotion::types::Frame;
use serde_json::{Value, json};

use crate::GltfError;
use crate::sample::Track;

/// The maximum number of part poses in a sidecar.
pub const MAX_POSES: usize = 1 << 18;
/// The maximum number of hooks in a sidecar.
pub const MAX_HOOKS: usize = 1 << 16;

/// Returns a frame: the origin, then the rotation with w first, as in all JSON of the project.
pub(crate) fn frame(frame: &Frame) -> Value {
    let (o, q) = (frame.origin, frame.rotation);
    json!([o.x, o.y, o.z, q.w, q.x, q.y, q.z])
}

/// Returns an animation with its hooks. All times are in seconds from the start of the animation.
pub(crate) fn animation(name: &str, track: &Track) -> Value {
    let timing = &track.timing;
    let MotionQuery { style, motion, speed, .. } = timing.query;
    let seconds = f64::from(track.seconds());
    let within = |timed: &TimedHook| -> Option<TimedHook> {
        let time = timed.time - track.start;
        (-1e-6..=seconds + 1e-6).contains(&time).then_some(TimedHook { time, ..*timed })
    };
    let hooks: Vec<TimedHook> = timing.hooks.iter().filter_map(within).collect();
    let is_attack = |timed: &&TimedHook| matches!(timed.hook.effect, HookEffect::Attack(_));
    let attack =
        |timed: &TimedHook| json!({ "time": timed.time, "share": timed.share, "frame": timed.frame });
    json!({
        "name": name,
        "style": style.to_string(),
        "motion": motion.to_string(),
        "from": timing.from.to_string(),
        "speed": speed,
        "seconds": seconds,
        "link_seconds": timing.link_seconds(),
        "cycle_seconds": timing.cycle_seconds(),
        "start": track.start,
        "hooks": hooks.iter().map(json::timed_hook).collect::<Vec<_>>(),
        "attacks": hooks.iter().filter(is_attack).map(attack).collect::<Vec<_>>(),
    })
}

/// Returns an animation with the engine's poses: for each key frame the time, the frame of the body and those of its parts.
///
/// # Errors
/// If there are more than [`MAX_POSES`], `count` of which are in the sidecar already.
pub(crate) fn poses(track: &Track, count: &mut usize) -> Result<Value, GltfError> {
    *count += track.placed.iter().map(Vec::len).sum::<usize>();
    check_poses(*count)?;
    let keys = track.times.iter().zip(&track.body).zip(&track.placed);
    let key = |((time, body), parts): ((&f32, &Frame), &Vec<Frame>)| json!({ "time": time, "body": frame(body), "parts": parts.iter().map(frame).collect::<Vec<_>>() });
    Ok(keys.map(key).collect())
}

/// Checks the number of part poses of a sidecar.
pub(crate) fn check_poses(count: usize) -> Result<(), GltfError> {
    check("part poses", count, MAX_POSES)
}

/// Checks the number of hooks of a sidecar.
pub(crate) fn check_hooks(count: usize) -> Result<(), GltfError> {
    check("hooks", count, MAX_HOOKS)
}

fn check(what: &'static str, count: usize, max: usize) -> Result<(), GltfError> {
    if count > max { Err(GltfError::TooLarge { what, max }) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn poses_and_hooks_are_limited() {
        assert!(check_poses(MAX_POSES).is_ok() && check_hooks(MAX_HOOKS).is_ok());
        let too_many = |what, max| Err(GltfError::TooLarge { what, max });
        assert_eq!(check_poses(MAX_POSES + 1), too_many("part poses", MAX_POSES));
        assert_eq!(check_hooks(MAX_HOOKS + 1), too_many("hooks", MAX_HOOKS));
    }
}
