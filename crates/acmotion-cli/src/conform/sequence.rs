//! Families `sequence` and `sequence_directed`: nodes, updates, hooks, root motion, poses (rules H1–H14).

use std::collections::BTreeMap;
use std::sync::Arc;

use acmotion::components::HUGE_QUANTUM;
use acmotion::dat::{
    AnimData, Animation, AnimationFrame, DatError, DatObject as _, DataId, Hook, HookEffect,
};
use acmotion::types::{Frame, Quat, Vec3};
use acmotion::{Animations, ClipId, HookBuffer, Library, Matrix, PoseInput, Sequence};
use serde_json::Value;

use super::check::{CheckResult, Difference, Field, exact, near_quat, near_vector};
use super::motion_table::{FRAME_TOLERANCE, LENGTH_TOLERANCE, check_sequence, read_anim};
use super::steps::{Steps, is_set};
use super::{CaseResult, Family};

/// The tolerance for origins after many frames.
const ACCUMULATED_TOLERANCE: f64 = 3e-4;
/// The tolerance for quaternions.
const ROTATION_TOLERANCE: f64 = 1e-4;
/// The absolute tolerance for frame numbers from the first update on that is longer than what a body makes up for (rule B3):
/// it can pass more than a hundred nodes, and the generator rounds at each of them.
const LONG_UPDATE_TOLERANCE: f64 = 5e-4;

/// The id of an animation that no line defines.
const MISSING: DataId = DataId(0);

/// There are no animations but those of the lines.
struct NoOthers;

impl Animations for NoOthers {
    fn animation(&self, id: DataId) -> Result<Arc<Animation>, DatError> {
        Err(DatError::NotFound(id))
    }
}

#[derive(Default)]
pub(super) struct SequenceFamily {
    library: Library,
    clips: BTreeMap<DataId, ClipId>,
}

impl Family for SequenceFamily {
    fn run_line(&mut self, line: &Value) -> Result<CaseResult, Difference> {
        let case = Field::line(line);
        match case.get("kind")?.text()? {
            "animation" => self.add_animation(case),
            "parts" => self.parts(case),
            "case" if case.find("append").is_some() => self.directed(case),
            "case" => self.script(case),
            other => Err(Difference::new("kind", "animation, case or parts", other)),
        }
    }
}

impl SequenceFamily {
    /// Adds the animation of a line, which gives it as JSON and in its file format. Both must be the same animation.
    fn add_animation(&mut self, line: Field<'_>) -> CheckResult<CaseResult> {
        let bytes = line.get("anim_b64")?.base64()?;
        let animation =
            Animation::decode(&bytes).map_err(|error| Difference::new("anim_b64", "an animation", error))?;
        exact("anim_b64", &bytes, &animation.encode())?;
        let described = line.get("anim")?;
        check_animation(described, &animation).map_err(|difference| difference.within("anim"))?;
        let id = DataId(described.get("id")?.hex()?);
        self.clips.insert(id, self.library.add_animation(Arc::new(animation)));
        Ok(CaseResult::Passed)
    }

    fn find_clip(&self, id: DataId) -> CheckResult<ClipId> {
        let unknown = || Difference::new("anim", "the id of an animation on an earlier line", id);
        self.clips.get(&id).copied().ok_or_else(unknown)
    }

    fn script(&mut self, case: Field<'_>) -> CheckResult<CaseResult> {
        let steps = Steps::of(case)?;
        let mut player = Player::new(case.get("hook_obj")?.boolean()?);
        steps.check(|step| {
            let delta = self.perform(&mut player, step)?;
            check_sequence(step.get("seq")?, &player.sequence, &self.library, player.frame_tolerance)?;
            if let Some(expected) = step.find("delta") {
                let got = delta.ok_or_else(|| Difference::new("delta", "an offset", "none"))?;
                check_frame("delta", (expected.get("o")?, expected.get("q")?), &got, LENGTH_TOLERANCE)?;
            }
            if let Some(expected) = step.find("hooks") {
                player.check_hooks(expected)?;
            }
            player.check_part(step, &self.library)
        })
    }

    /// Performs the operation of a step. Returns the offset of the body if it is an `update`.
    fn perform(&mut self, player: &mut Player, step: Field<'_>) -> CheckResult<Option<Frame>> {
        let physics =
            || -> CheckResult<(Vec3, Vec3)> { Ok((step.get("v")?.vector()?, step.get("w")?.vector()?)) };
        let sequence = &mut player.sequence;
        match step.get("op")?.text()? {
            "append" => {
                let anim = AnimData {
                    animation: DataId(step.get("anim")?.hex()?),
                    low: step.get("low")?.signed()? as i32,
                    high: step.get("high")?.signed()? as i32,
                    framerate: step.get("rate")?.float()?,
                };
                match is_set(step, "missing") {
                    true => self.append(sequence, &AnimData { animation: MISSING, ..anim }),
                    false => self.append_known(sequence, &anim)?,
                }
            }
            "update" => return Ok(Some(player.update(&self.library, step.get("dt")?.float()?))),
            "update_noframe" => player.update_without_offset(&self.library, step.get("dt")?.float()?),
            "set_physics" => {
                let (velocity, omega) = physics()?;
                sequence.set_physics(velocity, omega);
            }
            "combine_physics" => {
                let (velocity, omega) = physics()?;
                match is_set(step, "subtract") {
                    true => sequence.subtract_physics(velocity, omega),
                    false => sequence.combine_physics(velocity, omega),
                }
            }
            "subtract" | "subtract_physics" => {
                let (velocity, omega) = physics()?;
                sequence.subtract_physics(velocity, omega);
            }
            "multiply_cyclic" => sequence.multiply_cyclic_framerate(step.get("mult")?.float()?),
            "remove_cyclic" => sequence.remove_cyclic(&self.library),
            "remove_link" => sequence.remove_links(&self.library, step.get("n")?.unsigned()? as u32),
            "remove_all_link" => sequence.remove_all_links(&self.library),
            "clear_animations" => sequence.clear_animations(),
            "clear_physics" => sequence.clear_physics(),
            other => return Err(Difference::new("op", "an operation of this family", other)),
        }
        Ok(None)
    }

    /// Appends an animation that an earlier line defines.
    fn append_known(&mut self, sequence: &mut Sequence, anim: &AnimData) -> CheckResult {
        self.find_clip(anim.animation)?;
        self.append(sequence, anim);
        Ok(())
    }

    /// Appends an animation as part of a motion.
    fn append(&mut self, sequence: &mut Sequence, anim: &AnimData) {
        self.library.resolve(anim, &NoOthers).append_to(sequence, &self.library, 1.0);
    }

    fn directed(&mut self, case: Field<'_>) -> CheckResult<CaseResult> {
        let steps = Steps::of(case)?;
        let mut player = Player::new(true);
        for entry in case.get("append")?.elements()? {
            self.append_known(&mut player.sequence, &read_anim(entry)?)?;
        }
        let physics = |name| case.find(name).map_or(Ok(Vec3::ZERO), Field::vector);
        player.sequence.set_physics(physics("v")?, physics("w")?);
        let dt = case.get("dt")?.float()?;
        let mut total = Frame::IDENTITY;
        steps.check(|step| {
            let delta = player.update(&self.library, dt);
            total = total.combine(&delta);
            check_frame("delta", (step.get("delta_o")?, step.get("delta_q")?), &delta, LENGTH_TOLERANCE)?;
            near_vector("total_o", step.get("total_o")?.vector()?, total.origin, ACCUMULATED_TOLERANCE)?;
            player.check_hooks(step.get("hooks")?)?;
            check_sequence(step.get("seq")?, &player.sequence, &self.library, player.frame_tolerance)
        })
    }

    /// Checks the pose at a frame number, which the sequence reaches at rate 1 after as many seconds.
    fn parts(&mut self, case: Field<'_>) -> CheckResult<CaseResult> {
        let clip = self.find_clip(DataId(case.get("anim")?.hex()?))?;
        let span = self.library.span(clip, 0, -1);
        let mut sequence = Sequence::new();
        sequence.append(&self.library, span, 1.0);
        sequence.update(&self.library, case.get("frame_number")?.float()?, None, None);
        let frame = Frame::new(case.get("world_o")?.vector()?, case.get("world_q")?.quat()?);
        let body = PoseInput { sequence: &sequence, frame: &frame, scale: case.get("scale")?.vector()? };

        let expected = case.get("parts")?.elements()?;
        let mut frames = vec![Frame::IDENTITY; expected.len()];
        let mut matrices = vec![Matrix::IDENTITY; expected.len()];
        exact("parts.length", expected.len(), body.frames(&self.library, &mut frames))?;
        exact("parts.length", expected.len(), body.matrices(&self.library, &mut matrices))?;
        for (index, ((expected, frame), matrix)) in expected.zip(&frames).zip(&matrices).enumerate() {
            let [origin, rotation] = expected.array()?;
            let path = format!("parts[{index}]");
            check_frame(&path, (origin, rotation), frame, LENGTH_TOLERANCE)?;
            check_matrix(origin.vector()?, rotation.quat()?, matrix)
                .map_err(|difference| difference.within(format_args!("{path} as a matrix")))?;
        }
        Ok(CaseResult::Passed)
    }
}

/// A sequence under test, and the hooks of its last update.
struct Player {
    sequence: Sequence,
    hooks: Option<HookBuffer>,
    frame_tolerance: f64,
}

impl Player {
    fn new(collects_hooks: bool) -> Self {
        Self {
            sequence: Sequence::new(),
            hooks: collects_hooks.then(HookBuffer::new),
            frame_tolerance: FRAME_TOLERANCE,
        }
    }

    fn update(&mut self, library: &Library, dt: f32) -> Frame {
        let mut offset = Frame::IDENTITY;
        self.step(library, dt, Some(&mut offset));
        offset
    }

    fn update_without_offset(&mut self, library: &Library, dt: f32) {
        self.step(library, dt, None);
    }

    fn step(&mut self, library: &Library, dt: f32, offset: Option<&mut Frame>) {
        if let Some(hooks) = &mut self.hooks {
            hooks.clear();
        }
        if f64::from(dt.abs()) > HUGE_QUANTUM {
            self.frame_tolerance = LONG_UPDATE_TOLERANCE;
        }
        self.sequence.update(library, dt, offset, self.hooks.as_mut());
    }

    fn check_hooks(&self, expected: Field<'_>) -> CheckResult {
        let list = expected.elements()?;
        let got = self.hooks.as_ref().map_or(&[][..], HookBuffer::events);
        exact("hooks.length", list.len(), got.len())?;
        for (index, (expected, got)) in list.zip(got).enumerate() {
            check_hook(expected.array()?, &got.hook)
                .map_err(|difference| difference.within(format_args!("hooks[{index}]")))?;
        }
        Ok(())
    }

    /// Checks `part_frame`, −1 for none, and the origin of part 0 in that frame.
    fn check_part(&self, step: Field<'_>, library: &Library) -> CheckResult {
        let shown = self.sequence.shown(library);
        let frame = shown.map_or(-1, |(_, frame)| frame as i64);
        exact("part_frame", step.get("part_frame")?.signed()?, frame)?;
        let pose = shown.map_or(&[][..], |(clip, frame)| library.clip(clip).animation().pose(frame));
        match (step.find("part0"), pose.first()) {
            (Some(expected), Some(part)) => {
                near_vector("part0", expected.vector()?, part.origin, LENGTH_TOLERANCE)
            }
            (expected, got) => exact("part0", expected.is_some(), got.is_some()),
        }
    }
}

fn check_frame(path: &str, expected: (Field<'_>, Field<'_>), got: &Frame, tolerance: f64) -> CheckResult {
    let (origin, rotation) = expected;
    near_vector("o", origin.vector()?, got.origin, tolerance)
        .and_then(|()| near_quat("q", rotation.quat()?, got.rotation, ROTATION_TOLERANCE))
        .map_err(|difference| difference.within(path))
}

fn check_matrix(origin: Vec3, rotation: Quat, got: &Matrix) -> CheckResult {
    let expected = Matrix::from_frame(&Frame::new(origin, rotation));
    let column = |matrix: &Matrix, axis: usize| Vec3::from(matrix.rows.map(|row| row[axis]));
    for axis in 0..4 {
        let path = format!("column {axis}");
        near_vector(&path, column(&expected, axis), column(got, axis), LENGTH_TOLERANCE)?;
    }
    Ok(())
}

/// Checks a hook, `[type, direction, payload]`.
fn check_hook([number, direction, payload]: [Field<'_>; 3], got: &Hook) -> CheckResult {
    exact("type", number.unsigned()?, u64::from(got.effect.number()))?;
    exact("direction", direction.signed()?, i64::from(got.direction.0))?;
    exact("payload", DataId(payload.hex()?), DataId(payload_of(&got.effect)))
}

/// Returns the number that a hook carries, or 0 if it carries none or several.
fn payload_of(effect: &HookEffect) -> u32 {
    match effect {
        HookEffect::Sound(id) => id.0,
        HookEffect::SoundTable(number)
        | HookEffect::DestroyParticle(number)
        | HookEffect::StopParticle(number)
        | HookEffect::DefaultScriptPart(number) => *number,
        HookEffect::Ethereal(switch) | HookEffect::NoDraw(switch) | HookEffect::SetLight(switch) => switch.0,
        _ => 0,
    }
}

fn check_animation(described: Field<'_>, animation: &Animation) -> CheckResult {
    exact("id", DataId(described.get("id")?.hex()?), animation.id())?;
    exact("num_parts", described.get("num_parts")?.unsigned()?, animation.part_count() as u64)?;
    let frame_count = described.get("num_frames")?.unsigned()? as usize;
    exact("num_frames", frame_count, animation.frame_count())?;
    let positions = match described.get("flags")?.unsigned()? & 1 {
        0 => Vec::new(),
        _ => read_frames(described.get("pos_frames")?)?,
    };
    exact("pos_frames", &positions[..], animation.position_frames())?;
    let mut frames = vec![AnimationFrame::default(); frame_count];
    let poses = described.get("part_frames")?.elements()?;
    exact("part_frames.length", frame_count, poses.len())?;
    for (frame, parts) in frames.iter_mut().zip(poses) {
        frame.parts = read_frames(parts)?;
    }
    for (index, frame) in frames.iter().enumerate() {
        exact(&format!("part_frames[{index}]"), &frame.parts[..], animation.pose(index))?;
    }
    check_hook_list(described.get("hooks")?, animation)
}

/// Checks the hooks of an animation, `[frame, type, direction, payload]`, in the order of the frames.
fn check_hook_list(described: Field<'_>, animation: &Animation) -> CheckResult {
    let hooks = (0..animation.frame_count())
        .flat_map(|frame| animation.hooks(frame).iter().map(move |hook| (frame as u64, hook)));
    let hooks: Vec<_> = hooks.collect();
    let list = described.elements()?;
    exact("hooks.length", list.len(), hooks.len())?;
    for (index, (described, (frame, hook))) in list.zip(hooks).enumerate() {
        let [expected_frame, number, direction, payload] = described.array()?;
        exact("frame", expected_frame.unsigned()?, frame)
            .and_then(|()| check_hook([number, direction, payload], hook))
            .map_err(|difference| difference.within(format_args!("hooks[{index}]")))?;
    }
    Ok(())
}

/// Reads frames, `[x, y, z, w, x, y, z]`.
fn read_frames(list: Field<'_>) -> CheckResult<Vec<Frame>> {
    let mut frames = Vec::new();
    for entry in list.elements()? {
        let mut numbers = [0.0; 7];
        for (number, field) in numbers.iter_mut().zip(entry.array::<7>()?) {
            *number = field.float()?;
        }
        let [x, y, z, w, qx, qy, qz] = numbers;
        frames.push(Frame::new(Vec3::new(x, y, z), Quat::new(w, qx, qy, qz)));
    }
    Ok(frames)
}
