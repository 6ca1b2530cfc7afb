//! Numbers, vectors, names and hooks as text.

use acmotion_dat::{Animation, Hook, HookEffect, MotionData, MotionFlags};
use acmotion_types::{Era, Frame, MotionCommand, Vec3};

use crate::numbers::rounded;

/// Returns a number with at most four decimals.
pub(super) fn number(value: f32) -> String {
    rounded(value, 4)
}

pub(super) fn vector(v: Vec3) -> String {
    format!("({}, {}, {})", number(v.x), number(v.y), number(v.z))
}

/// Returns the origin and rotation of a frame, without the rotation if it is the identity.
pub(super) fn frame(frame: &Frame) -> String {
    let q = frame.rotation;
    if q.w.abs() > 0.999_999 {
        return vector(frame.origin);
    }
    let [w, x, y, z] = [q.w, q.x, q.y, q.z].map(number);
    format!("{} turned ({w}, {x}, {y}, {z})", vector(frame.origin))
}

pub(super) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Returns the name of the motion in the low word of a table's key. (The key has 24 bits for the motion, but the upper
/// eight overlap the style, and no command uses them: `docs/dat.md` §2.)
pub(super) fn motion_of_key(key: u32) -> String {
    let index = key as u16;
    Era::default().expand(index).map_or_else(|| format!("0x{index:04X}"), |motion| motion.to_string())
}

/// Returns the style in the upper bits of a table's key.
pub(super) fn style_of_key(key: u32) -> MotionCommand {
    let index = (key >> 16) as u16;
    let style = Era::default().expand(index).filter(|style| style.is_style());
    style.unwrap_or_else(|| MotionCommand(MotionCommand::STYLE_BIT | u32::from(index)))
}

/// Returns the velocity, turn rate and flags of a motion, or an empty string if it has none.
pub(super) fn motion_remarks(motion: &MotionData) -> String {
    let mut remarks = Vec::new();
    if let Some(velocity) = motion.velocity {
        remarks.push(format!("velocity {} m/s", vector(velocity)));
    }
    if let Some(omega) = motion.omega {
        remarks.push(format!("omega {} rad/s", vector(omega)));
    }
    if motion.flags.contains(MotionFlags::CLEARS_MODIFIERS) {
        remarks.push("clears modifiers".into());
    }
    if motion.flags.contains(MotionFlags::ONLY_FROM_DEFAULT) {
        remarks.push("only from the default substate".into());
    }
    let known = MotionFlags::CLEARS_MODIFIERS | MotionFlags::ONLY_FROM_DEFAULT;
    if !known.contains(motion.flags) {
        remarks.push(format!("unknown flags 0x{:02X}", (motion.flags - known).bits()));
    }
    remarks.join(", ")
}

/// Returns the displacement of a body by the position frames from `low` to `high`, or `None` if the animation has no
/// position frames there.
pub(super) fn root_motion(animation: &Animation, low: usize, high: usize) -> Option<Vec3> {
    let frames = animation.position_frames().get(low..=high)?;
    Some(frames.iter().fold(Frame::IDENTITY, |sum, frame| sum.combine(frame)).origin)
}

/// Returns the name of a hook and its parameters.
pub(crate) fn hook(hook: &Hook) -> String {
    let name = hook.effect.name();
    let payload = match hook.effect {
        HookEffect::NoOp | HookEffect::AnimationDone | HookEffect::DefaultScript => return name.into(),
        HookEffect::Sound(wave) => wave.to_string(),
        HookEffect::SoundTable(number) => format!("sound {number}"),
        HookEffect::DestroyParticle(number) | HookEffect::StopParticle(number) => format!("emitter {number}"),
        HookEffect::DefaultScriptPart(part) => format!("part {part}"),
        HookEffect::Attack(cone) => format!(
            "part {}, left ({}, {}), right ({}, {}), radius {} m, height {} m",
            cone.part,
            number(cone.left[0]),
            number(cone.left[1]),
            number(cone.right[0]),
            number(cone.right[1]),
            number(cone.radius),
            number(cone.height)
        ),
        HookEffect::ReplaceObject { part, mesh, .. } => format!("part {part} by {}", mesh.id()),
        HookEffect::Ethereal(switch) | HookEffect::NoDraw(switch) | HookEffect::SetLight(switch) => {
            String::from(if switch.get() { "on" } else { "off" })
        }
        HookEffect::TransparentPart { part, ramp }
        | HookEffect::LuminousPart { part, ramp }
        | HookEffect::DiffusePart { part, ramp } => {
            let [start, end, time] = [ramp.start, ramp.end, ramp.time].map(number);
            format!("part {part} from {start} to {end} in {time} s")
        }
        HookEffect::Luminous(ramp) | HookEffect::Diffuse(ramp) | HookEffect::Transparent(ramp) => {
            let [start, end, time] = [ramp.start, ramp.end, ramp.time].map(number);
            format!("from {start} to {end} in {time} s")
        }
        HookEffect::Scale { end, time } => format!("to {} in {} s", number(end), number(time)),
        HookEffect::CreateParticle(spec) | HookEffect::CreateBlockingParticle(spec) => {
            let at = frame(&spec.offset);
            format!("{} on part {} at {at}, emitter {}", spec.emitter_info, spec.part, spec.emitter)
        }
        HookEffect::CallPes { script, pause } => format!("{script} after {} s", number(pause)),
        HookEffect::SoundTweaked { wave, probability, priority, volume } => {
            let [probability, priority, volume] = [probability, priority, volume].map(number);
            format!("{wave}, probability {probability}, priority {priority}, volume {volume}")
        }
        HookEffect::SetOmega(omega) => format!("{} rad/s", vector(omega)),
        HookEffect::TextureVelocity { u, v } => format!("u {}, v {}", number(u), number(v)),
        HookEffect::TextureVelocityPart { part, u, v } => {
            format!("part {part}, u {}, v {}", number(u), number(v))
        }
    };
    format!("{name}: {payload}")
}
