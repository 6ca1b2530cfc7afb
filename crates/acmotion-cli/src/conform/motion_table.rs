//! Families `motion_table` and `motion_table_directed`: requests to a motion table, with one body per script (rules
//! G1–G12).

use std::collections::BTreeMap;
use std::sync::Arc;

use acmotion::components::{MotionSpeed, PlayingNode};
use acmotion::dat::{
    AnimData, Animation, AnimationFrame, DatError, DatObject as _, DataId, KeyedList, MotionData,
    MotionFlags, MotionTable,
};
use acmotion::types::MotionCommand;
use acmotion::{Animations, Library, MotionState, Sequence, TableDriver, TableId};
use serde_json::Value;

use super::check::{CheckResult, Difference, Field, Steps, exact, near, near_vector, within};
use super::{CaseResult, Family};

/// The absolute tolerance for frame numbers.
const FRAME_TOLERANCE: f64 = 2e-6;
/// The relative tolerance for speeds and rates.
pub(super) const RATE_TOLERANCE: f64 = 1e-5;
/// The relative tolerance for velocities, origins and distances.
pub(super) const LENGTH_TOLERANCE: f64 = 1e-4;

pub(super) struct MotionTableFamily {
    tables: Tables,
    /// Whether scripts start in the default state, as in `motion_table_directed`.
    from_default: bool,
}

impl MotionTableFamily {
    pub(super) fn new() -> Self {
        Self { tables: Tables::default(), from_default: false }
    }

    pub(super) fn directed() -> Self {
        Self { from_default: true, ..Self::new() }
    }
}

impl Family for MotionTableFamily {
    fn run_line(&mut self, line: &Value) -> Result<CaseResult, Difference> {
        let case = Field::line(line);
        match case.get("kind")?.text()? {
            "table" => self.tables.add(case),
            "script" => self.script(case),
            other => Err(Difference::new("kind", "table or script", other)),
        }
    }
}

impl MotionTableFamily {
    fn script(&self, case: Field<'_>) -> CheckResult<CaseResult> {
        let steps = Steps::of(case)?;
        let (library, table) = self.tables.find(case)?;
        let mut body = Body {
            library,
            table,
            state: MotionState::new(),
            sequence: Sequence::new(),
            tolerance: FrameTolerance::default(),
        };
        if self.from_default {
            body.driver().set_default();
        }
        steps.check(|step| body.step(step))
    }
}

/// The body of one script.
struct Body<'a> {
    library: &'a Library,
    table: TableId,
    state: MotionState,
    sequence: Sequence,
    tolerance: FrameTolerance,
}

impl Body<'_> {
    fn driver(&mut self) -> TableDriver<'_> {
        TableDriver::new(self.library, self.library.table(self.table), &mut self.state, &mut self.sequence)
    }

    fn step(&mut self, step: Field<'_>) -> CheckResult {
        let (done, num_anims) = self.perform(step)?;
        exact("ret", step.get("ret")?.boolean()?, done)?;
        if let Some(expected) = step.find("num_anims") {
            exact("num_anims", expected.unsigned()?, u64::from(num_anims))?;
        }
        check_state(step.get("state")?, &self.state)?;
        check_sequence(step.get("seq")?, &self.sequence, self.library, &self.tolerance)
    }

    /// Performs the operation of a step. Returns whether it succeeded, and the number of animations.
    fn perform(&mut self, step: Field<'_>) -> CheckResult<(bool, u32)> {
        let result = |num_anims: Option<u32>| (num_anims.is_some(), num_anims.unwrap_or(0));
        Ok(match step.get("op")?.text()? {
            "do" => result(self.driver().request(motion(step)?, step.get("speed")?.float()?)),
            "stop" => result(self.driver().stop(motion(step)?)),
            "stop_completely" => self.driver().stop_completely(),
            "set_default" => result(self.driver().set_default()),
            "update" => {
                let dt = step.get("dt")?.float()?;
                self.tolerance.add_update(&self.sequence, self.library, dt);
                self.sequence.update(self.library, dt, None, None);
                (true, 0)
            }
            other => return Err(Difference::new("op", "an operation of this family", other)),
        })
    }
}

/// The tolerance for the frame number in a case: 2e-6, plus the rounding error of the vectors themselves. Their
/// generator rounds the frames of every step to single precision, unlike rule Q1. At the usual frame rates the error is
/// below 2e-6, but it is larger in an update of a second that passes many nodes, because the rest is rounded again at
/// each node.
pub(super) struct FrameTolerance(f64);

/// The maximum relative rounding error of single precision.
const ROUNDING_ERROR: f64 = 1.0 / (1 << 24) as f64;

impl Default for FrameTolerance {
    fn default() -> Self {
        Self(FRAME_TOLERANCE)
    }
}

impl FrameTolerance {
    /// Widens the tolerance for an update that is about to be made.
    pub(super) fn add_update(&mut self, sequence: &Sequence, library: &Library, dt: f32) {
        let nodes = || sequence.nodes(library);
        let max_rate = nodes().map(|node| node.framerate.abs()).fold(0.0, f32::max);
        let min_length = nodes().map(|node| node.high.abs_diff(node.low) + 1).min().unwrap_or(1);
        let frames = f64::from(max_rate * dt.abs());
        let steps = 1.0 + frames / f64::from(min_length);
        self.0 += steps * frames * ROUNDING_ERROR;
    }
}

/// Reads the motion of a step.
pub(super) fn motion(step: Field<'_>) -> CheckResult<MotionCommand> {
    step.get("motion")?.hex().map(MotionCommand)
}

/// The tables that lines of the file define, each with its own animations.
#[derive(Default)]
pub(super) struct Tables {
    known: BTreeMap<u64, (Library, TableId)>,
}

impl Tables {
    /// Adds the table of a line, which gives it as JSON, and optionally in its file format. Both must be the same
    /// table.
    pub(super) fn add(&mut self, line: Field<'_>) -> CheckResult<CaseResult> {
        let table = read_table(line.get("table")?)?;
        if let Some(encoded) = line.find("table_b64") {
            let bytes = encoded.base64()?;
            let decoded = MotionTable::decode(&bytes)
                .map_err(|error| Difference::new("table_b64", "a motion table", error))?;
            exact("table_b64", &table, &decoded)?;
            exact("table_b64", bytes, decoded.encode())?;
        }
        let mut frames = FrameCounts::default();
        for entry in line.get("anims")?.elements()? {
            let [id, count] = entry.array()?;
            frames.0.insert(DataId(id.hex()?), count.unsigned()? as usize);
        }
        let mut library = Library::new();
        let id = library.add_table(&table, &frames);
        self.known.insert(line.get("id")?.unsigned()?, (library, id));
        Ok(CaseResult::Passed)
    }

    /// Returns the table that a case names.
    pub(super) fn find(&self, case: Field<'_>) -> CheckResult<(&Library, TableId)> {
        let id = case.get("table")?.unsigned()?;
        let (library, table) = self
            .known
            .get(&id)
            .ok_or_else(|| Difference::new("table", "the id of a table on an earlier line", id))?;
        Ok((library, *table))
    }
}

/// Empty animations with given numbers of frames.
#[derive(Default)]
struct FrameCounts(BTreeMap<DataId, usize>);

impl Animations for FrameCounts {
    fn animation(&self, id: DataId) -> Result<Arc<Animation>, DatError> {
        let count = self.0.get(&id).ok_or(DatError::NotFound(id))?;
        Ok(Arc::new(Animation::new(id, None, vec![AnimationFrame::default(); *count])))
    }
}

fn read_table(table: Field<'_>) -> CheckResult<MotionTable> {
    let mut style_defaults = Vec::new();
    for entry in table.get("style_defaults")?.elements()? {
        let [style, substate] = entry.array()?;
        style_defaults.push((style.hex()?, MotionCommand(substate.hex()?)));
    }
    let mut links = Vec::new();
    for entry in table.get("links")?.elements()? {
        let [outer, inner] = entry.array()?;
        links.push((outer.hex()?, read_motions(inner)?));
    }
    Ok(MotionTable {
        id: DataId(table.get("id")?.hex()?),
        default_style: MotionCommand(table.get("default_style")?.hex()?),
        style_defaults: style_defaults.into_iter().collect(),
        cycles: read_motions(table.get("cycles")?)?,
        modifiers: read_motions(table.get("modifiers")?)?,
        links: links.into_iter().collect(),
    })
}

fn read_motions(list: Field<'_>) -> CheckResult<KeyedList<MotionData>> {
    let mut motions = Vec::new();
    for entry in list.elements()? {
        let [key, data] = entry.array()?;
        motions.push((key.hex()?, read_motion(data)?));
    }
    Ok(motions.into_iter().collect())
}

fn read_motion(data: Field<'_>) -> CheckResult<MotionData> {
    let flags = data.get("flags")?.unsigned()? as u8;
    let mut anims = Vec::new();
    for anim in data.get("anims")?.elements()? {
        anims.push(read_anim(anim)?);
    }
    let vector = |bit: u8, name| if flags & bit == 0 { Ok(None) } else { data.get(name)?.vector().map(Some) };
    Ok(MotionData {
        flags: MotionFlags::from_bits_retain(data.get("bitfield")?.unsigned()? as u8),
        padding: 0,
        anims,
        velocity: vector(1, "velocity")?,
        omega: vector(2, "omega")?,
        other_flags: flags & !3,
    })
}

/// Reads an animation of a motion, `[id, low, high, framerate]`.
pub(super) fn read_anim(anim: Field<'_>) -> CheckResult<AnimData> {
    let [id, low, high, framerate] = anim.array()?;
    Ok(AnimData {
        animation: DataId(id.hex()?),
        low: low.signed()? as i32,
        high: high.signed()? as i32,
        framerate: framerate.float()?,
    })
}

/// Checks `state`: style, substate, modifiers and actions.
pub(super) fn check_state(expected: Field<'_>, state: &MotionState) -> CheckResult {
    let inside = |difference: Difference| difference.within("state");
    let hex = |name| -> CheckResult<MotionCommand> { expected.get(name)?.hex().map(MotionCommand) };
    exact("style", hex("style")?, state.style()).map_err(inside)?;
    exact("substate", hex("substate")?, state.substate()).map_err(inside)?;
    let speed = expected.get("substate_mod")?.float()?;
    near("substate_mod", speed.into(), state.substate_speed().into(), RATE_TOLERANCE).map_err(inside)?;
    check_speeds(expected.get("modifiers")?, state.modifiers())
        .map_err(|difference| difference.within("state.modifiers"))?;
    check_speeds(expected.get("actions")?, state.actions())
        .map_err(|difference| difference.within("state.actions"))
}

fn check_speeds(expected: Field<'_>, got: impl ExactSizeIterator<Item = MotionSpeed>) -> CheckResult {
    let list = expected.elements()?;
    exact("length", list.len(), got.len())?;
    for (index, (expected, got)) in list.zip(got).enumerate() {
        let [motion, speed] = expected.array()?;
        exact(&format!("[{index}]"), MotionCommand(motion.hex()?), got.motion)?;
        near(&format!("[{index}].speed"), speed.double()?, got.speed.into(), RATE_TOLERANCE)?;
    }
    Ok(())
}

/// Checks `seq`: the nodes, the frame number, the velocity and the turn rate.
pub(super) fn check_sequence(
    expected: Field<'_>,
    sequence: &Sequence,
    library: &Library,
    tolerance: &FrameTolerance,
) -> CheckResult {
    compare_sequence(expected, sequence, library, tolerance).map_err(|difference| difference.within("seq"))
}

fn compare_sequence(
    expected: Field<'_>,
    sequence: &Sequence,
    library: &Library,
    tolerance: &FrameTolerance,
) -> CheckResult {
    let nodes = expected.get("anims")?.elements()?;
    let got = sequence.nodes(library);
    exact("anims.length", nodes.len(), got.len())?;
    for (index, (expected, got)) in nodes.zip(got).enumerate() {
        check_node(expected, got).map_err(|difference| difference.within(format_args!("anims[{index}]")))?;
    }
    let index = |index: Option<usize>| index.map_or(-1, |index| index as i64);
    exact("first_cyclic", expected.get("first_cyclic")?.signed()?, index(sequence.first_cyclic_index()))?;
    exact("curr", expected.get("curr")?.signed()?, index(sequence.current_index()))?;
    within("frame", expected.get("frame")?.double()?, sequence.frame(), tolerance.0)?;
    near_vector("vel", expected.get("vel")?.vector()?, sequence.velocity(), LENGTH_TOLERANCE)?;
    near_vector("omega", expected.get("omega")?.vector()?, sequence.omega(), LENGTH_TOLERANCE)
}

fn check_node(expected: Field<'_>, got: PlayingNode<'_>) -> CheckResult {
    let expected = read_anim(expected)?;
    exact("id", expected.animation, got.id())?;
    exact("low", expected.low, got.low)?;
    exact("high", expected.high, got.high)?;
    near("framerate", expected.framerate.into(), got.framerate.into(), RATE_TOLERANCE)
}
