//! Families `motion_table` and `motion_table_directed`: requests to a motion table, with one body per script (rules
//! G1–G12).

use std::collections::BTreeMap;

use acmotion::components::{MotionSpeed, PlayingNode};
use acmotion::dat::{
    AnimData, Animation, AnimationFrame, Assets, BlockSize, Dat, DatObject as _, DatWriter, DataId, DataSet,
    KeyedList, MotionData, MotionFlags, MotionTable, mannequin,
};
use acmotion::types::{CellId, CellPosition, Guid, MotionCommand, Vec3};
use acmotion::{EntitySpec, Library, MotionState, Sequence, StandIn, TableDriver, TableId, World};
use serde_json::Value;

use super::check::{CheckResult, Difference, Field, exact, near, near_vector, within};
use super::steps::Steps;
use super::{CaseResult, Family};

/// The object for which a world loads a table.
const OBJECT: Guid = Guid(0x8000_0001);
/// The relative tolerance for speeds and rates.
pub(super) const RATE_TOLERANCE: f64 = 1e-5;
/// The relative tolerance for velocities, origins and distances.
pub(super) const LENGTH_TOLERANCE: f64 = 1e-4;

/// The absolute tolerance for frame numbers. The generator of the vectors rounds the rest of an update's time to single
/// precision at each node that the update passes, unlike rule Q1.
pub(super) const FRAME_TOLERANCE: f64 = 5e-5;

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
        let table = self.tables.find(case)?;
        let mut body = Body {
            library: table.library(),
            table: table.id,
            state: MotionState::new(),
            sequence: Sequence::new(),
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
        check_sequence(step.get("seq")?, &self.sequence, self.library, FRAME_TOLERANCE)
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
                self.sequence.update(self.library, step.get("dt")?.float()?, None, None);
                (true, 0)
            }
            other => return Err(Difference::new("op", "an operation of this family", other)),
        })
    }
}

/// Reads the motion of a step.
pub(super) fn motion(step: Field<'_>) -> CheckResult<MotionCommand> {
    step.get("motion")?.hex().map(MotionCommand)
}

/// The tables that lines of the file define, each with its own animations, in a world of its own.
#[derive(Default)]
pub(super) struct Tables {
    known: BTreeMap<u64, DefinedTable>,
    /// The number of tables and the number of animation frames defined until now.
    defined: (u64, u64),
}

/// A table, and an empty world whose library has it.
pub(super) struct DefinedTable {
    pub(super) world: World,
    pub(super) id: TableId,
}

/// The maximum number of tables in a file.
const MAX_TABLES: u64 = 1 << 10;
/// The maximum number of animation frames in a file.
const MAX_FRAMES: u64 = 1 << 20;

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
        let mut dat = DatWriter::new(BlockSize::Large, DataSet::Portal);
        // Stands in for the human table, so that the library has no animations but those of the line.
        dat.add_object(&MotionTable { id: mannequin::HUMAN_TABLE, ..empty_table() });
        dat.add_object(&table);
        self.defined.0 += 1;
        if self.defined.0 > MAX_TABLES {
            return Err(Difference::new(
                "table",
                format_args!("at most {MAX_TABLES} in a file"),
                self.defined.0,
            ));
        }
        for entry in line.get("anims")?.elements()? {
            let [id, count] = entry.array()?;
            let count = count.unsigned()?;
            self.defined.1 = self.defined.1.saturating_add(count);
            if self.defined.1 > MAX_FRAMES {
                let most = format!("at most {MAX_FRAMES} frames in a file");
                return Err(Difference::new("anims", most, self.defined.1));
            }
            let frames = vec![AnimationFrame::default(); count as usize];
            dat.add_object(&Animation::new(DataId(id.hex()?), None, frames));
        }
        let defined = DefinedTable::load(&dat, table.id)?;
        self.known.insert(line.get("id")?.unsigned()?, defined);
        Ok(CaseResult::Passed)
    }

    /// Returns the table that a case names.
    pub(super) fn find(&self, case: Field<'_>) -> CheckResult<&DefinedTable> {
        self.get(case.get("table")?.unsigned()?)
    }

    /// Returns the table with the id 0, in files that have one table for all cases.
    pub(super) fn first(&self) -> CheckResult<&DefinedTable> {
        self.get(0)
    }

    fn get(&self, id: u64) -> CheckResult<&DefinedTable> {
        let unknown = || Difference::new("table", "the id of a table on an earlier line", id);
        self.known.get(&id).ok_or_else(unknown)
    }
}

impl DefinedTable {
    /// Loads the table as a world does for an object that has it.
    fn load(dat: &DatWriter, table: DataId) -> CheckResult<Self> {
        let unusable = |reason: String| Difference::new("table", "a table that a world can load", reason);
        let bytes = dat.finish().map_err(|error| unusable(error.to_string()))?;
        let dat = Dat::from_bytes(bytes).map_err(|error| unusable(error.to_string()))?;
        let mut world = World::new(Assets::new(dat));
        let position = CellPosition::at(CellId(0xA9B4_0001), Vec3::ZERO);
        let spec = EntitySpec { motion_table: Some(table), ..EntitySpec::new(OBJECT, position) };
        let object = world.spawn(&spec, 0.0).map_err(|error| unusable(error.to_string()))?;
        let id = world.get(object).filter(|object| !object.stand_in().contains(StandIn::TABLE));
        let id = id.and_then(|object| object.entity().animator.table());
        world.despawn(object, 0.0);
        world.drain_events().for_each(drop);
        Ok(Self { world, id: id.ok_or_else(|| unusable(table.to_string()))? })
    }

    /// The library that has the table.
    pub(super) fn library(&self) -> &Library {
        self.world.library()
    }
}

fn empty_table() -> MotionTable {
    let none = || KeyedList::from_iter([]);
    MotionTable {
        id: DataId(0),
        default_style: MotionCommand::NONE,
        style_defaults: KeyedList::from_iter([]),
        cycles: none(),
        modifiers: none(),
        links: KeyedList::from_iter([]),
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
    frame_tolerance: f64,
) -> CheckResult {
    compare_sequence(expected, sequence, library, frame_tolerance)
        .map_err(|difference| difference.within("seq"))
}

fn compare_sequence(
    expected: Field<'_>,
    sequence: &Sequence,
    library: &Library,
    frame_tolerance: f64,
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
    within("frame", expected.get("frame")?.double()?, sequence.frame(), frame_tolerance)?;
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
