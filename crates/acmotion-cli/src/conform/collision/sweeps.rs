//! Families `transition`, `transition_directed`, `transition_extra`, `placement`, `camera` and `indoor`: one body that is
//! swept or placed among objects, tick by tick.

use acmotion::components::{Body, TransientState};
use acmotion::internals::entity::Refusal;
use acmotion::types::{CellId, CellPosition, Vec3};
use serde_json::Value;

use super::case_world::{CaseWorld, read_frame};
use super::recording_scene::Ended;
use super::scenes::Scenes;
use super::shapes::{NORMAL_TOLERANCE, near_plane, read_plane};
use crate::conform::check::{CheckResult, Difference, Field, exact, near_quat, within_vector};
use crate::conform::steps::{Steps, ends_here, is_set};
use crate::conform::{CaseResult, Family};

/// The tolerance for velocities, in metres a second.
const VELOCITY_TOLERANCE: f64 = 3e-3;
/// The tolerance for quaternions.
const ROTATION_TOLERANCE: f64 = 1e-4;
/// The distance from the origin of its landblock, in metres, beyond which the tolerances of a body are wider.
const FAR: f32 = 48.0;
/// The flag of a placement that may slide (rule C18). Of the others none counts.
const SLIDE: u32 = 0x10;
/// The maximum number of ticks of a case.
const MAX_TICKS: u64 = 100_000;

#[derive(Default)]
pub(in super::super) struct SweepFamily {
    scenes: Scenes,
}

impl Family for SweepFamily {
    fn run_line(&mut self, line: &Value) -> Result<CaseResult, Difference> {
        let case = Field::line(line);
        if self.scenes.define(case)? {
            return Ok(CaseResult::Passed);
        }
        run_case(&mut self.scenes, case)
    }
}

/// Runs a case of kind walk, move, place or camera.
pub(super) fn run_case(scenes: &mut Scenes, case: Field<'_>) -> CheckResult<CaseResult> {
    match case.get("kind")?.text()? {
        "walk" | "move" | "place" | "camera" => {}
        other => return Err(Difference::new("kind", "walk, move, place or camera", other)),
    }
    let mut ticks = Steps::listed(case, "out")?;
    let steps = steps_by_tick(case)?;
    ticks.truncate(steps.compared);
    if !ends_early(case)? {
        exact("out", case.get("out")?.elements()?.len(), steps.all.len())?;
    }
    let scene = scenes.scene_of(case)?;
    let mut body = SweptBody::of(case, CaseWorld::of(case, scene, &scenes.shapes)?)?;
    let mut steps = steps.all.into_iter();
    ticks.check(|expected| {
        let step = steps.next().ok_or_else(|| Difference::new("steps", "a step for the tick", "none"))?;
        body.tick(step, expected)
    })
}

/// Returns `true` if the last tick that is listed ends a case, however many steps it has: the body is lost, or the generator
/// found no answer.
fn ends_early(case: Field<'_>) -> CheckResult<bool> {
    let last = case.get("out")?.elements()?.last();
    Ok(last.is_some_and(|tick| is_set(tick, "lost") || is_set(tick, "threw")))
}

/// The steps of a case, as many times as each is repeated.
struct TickSteps<'a> {
    all: Vec<Field<'a>>,
    /// The number of them before the first that is left out.
    compared: usize,
}

/// Returns the step of each tick.
fn steps_by_tick(case: Field<'_>) -> CheckResult<TickSteps<'_>> {
    let (mut all, mut left, mut compared) = (Vec::new(), MAX_TICKS, None);
    for step in case.get("steps")?.elements()? {
        if ends_here(step)? {
            compared.get_or_insert(all.len());
        }
        let times = step.find("times").map(Field::unsigned).transpose()?.unwrap_or(1);
        left = left
            .checked_sub(times)
            .ok_or_else(|| Difference::new("steps", format_args!("at most {MAX_TICKS} ticks"), "more"))?;
        all.extend(std::iter::repeat_n(step, times as usize));
    }
    Ok(TickSteps { compared: compared.unwrap_or(all.len()), all })
}

/// The body of a case in its world.
struct SweptBody {
    world: CaseWorld,
    start_cell: CellId,
    /// The tolerance for positions, in metres.
    length_tolerance: f64,
    /// The tolerance for the `d` of planes.
    plane_tolerance: f64,
}

impl SweptBody {
    fn of(case: Field<'_>, world: CaseWorld) -> CheckResult<Self> {
        let start = case.get("start")?;
        let Vec3 { x, y, .. } = start.get("pos")?.vector()?;
        let is_far = x.abs() > FAR || y.abs() > FAR;
        let (length_tolerance, plane_tolerance) = if is_far { (1e-3, 2e-2) } else { (3e-4, 2e-3) };
        let start_cell = CellId(start.get("cell")?.hex()?);
        Ok(Self { world, start_cell, length_tolerance, plane_tolerance })
    }

    fn tick(&mut self, step: Field<'_>, expected: Field<'_>) -> CheckResult {
        match step.find("op").map(Field::text).transpose()? {
            None => self.step(step, expected),
            Some("place") => self.place(step, expected),
            Some("camera") => self.camera(step, expected),
            Some(other) => Err(Difference::new("op", "place or camera", other)),
        }
    }

    /// Runs one tick. The displacement and velocity after integration, if the expected tick gives them, replace those
    /// of the step.
    fn step(&mut self, step: Field<'_>, expected: Field<'_>) -> CheckResult {
        let offset = expected.find("d").unwrap_or(step.get("d")?).vector()?;
        let velocity = expected.find("vi").map(Field::vector).transpose()?;
        let rotation = step.find("q").map(Field::quat).transpose()?;
        let ended = self.world.step(offset, rotation, velocity)?;
        let op = expected.find("op").map(Field::text).transpose()?;
        exact("op", op, ended.is_none().then_some("not_swept"))?;
        let Some(ended) = ended else { return self.check_body(expected) };
        let fails = expected.find("fail").map(Field::boolean).transpose()?.unwrap_or(false);
        exact("fail", fails, !ended.succeeded)?;
        check_sub_steps(expected, &ended)?;
        if fails { self.check_motion(expected) } else { self.check_arrival(expected, &ended) }
    }

    fn place(&mut self, step: Field<'_>, expected: Field<'_>) -> CheckResult {
        let position = CellPosition::new(CellId(step.get("cell")?.hex()?), read_frame(step)?);
        let (placed, ended) = self.world.place(&position, step.get("flags")?.hex()? & SLIDE != 0)?;
        exact("err", expected.get("err")?.unsigned()?, result_code(placed))?;
        let fails = expected.find("fail").map(Field::boolean).transpose()?.unwrap_or(false);
        exact("fail", fails, placed.is_err())?;
        match ended {
            Some(ended) if !fails => self.check_arrival(expected, &ended),
            Some(_) => self.check_position(expected),
            None => {
                self.check_lost(expected)?;
                self.check_position(expected)
            }
        }
    }

    fn camera(&mut self, step: Field<'_>, expected: Field<'_>) -> CheckResult {
        let (view, ended) = self.world.look(step.get("from")?.vector()?, step.get("d")?.vector()?)?;
        let ended = ended.ok_or_else(|| Difference::new("camera", "a sweep", "none"))?;
        let fails = expected.find("fail").map(Field::boolean).transpose()?.unwrap_or(false);
        exact("fail", fails, !ended.succeeded)?;
        check_sub_steps(expected, &ended)?;
        let end = if fails { ended.arrival.position } else { view.eye };
        self.near("p", expected.get("p")?.vector()?, end.frame.origin)?;
        exact("c", self.expected_cell(expected)?, end.cell)?;
        // A camera has no body that could keep bits.
        exact("t", expected.find("t").map_or(Ok(0), Field::unsigned)?, 0)?;
        exact("cp", expected.find("cp").is_some(), ended.arrival.has_contact)?;
        check_normal(expected, "s", ended.arrival.is_sliding.then_some(ended.arrival.sliding_normal))?;
        check_collision(expected, &ended)
    }

    fn near(&self, path: &str, expected: Vec3, got: Vec3) -> CheckResult {
        within_vector(path, expected, got, self.length_tolerance)
    }

    /// Returns the cell that is expected, by default that of the start.
    fn expected_cell(&self, expected: Field<'_>) -> CheckResult<CellId> {
        let cell = expected.find("c").map(Field::hex).transpose()?;
        Ok(cell.map_or(self.start_cell, CellId))
    }

    /// Checks whether the body is lost.
    fn check_lost(&self, expected: Field<'_>) -> CheckResult {
        exact("lost", is_set(expected, "lost"), !self.world.body()?.is_in_cell())
    }

    fn check_position(&self, expected: Field<'_>) -> CheckResult {
        self.near("p", expected.get("p")?.vector()?, self.world.body()?.position.frame.origin)
    }

    /// Checks position and velocity, which are also compared for ticks that fail.
    fn check_motion(&self, expected: Field<'_>) -> CheckResult {
        self.check_position(expected)?;
        let velocity = expected.find("v").map(Field::vector).transpose()?.unwrap_or(Vec3::ZERO);
        within_vector("v", velocity, self.world.body()?.velocity, VELOCITY_TOLERANCE)
    }

    /// Checks the body after a sweep or placement that succeeded, and the transition.
    fn check_arrival(&self, expected: Field<'_>, ended: &Ended) -> CheckResult {
        self.check_lost(expected)?;
        if is_set(expected, "lost") {
            return self.check_position(expected);
        }
        self.check_body(expected)?;
        check_collision(expected, ended)?;
        let frames = expected.find("f").map(Field::unsigned).transpose()?.unwrap_or(0);
        exact("f", frames, ended.info.frames_stationary_fall.into())?;
        let touched = expected.find("o").map(Field::elements).transpose()?;
        let touched = touched.into_iter().flatten().map(Field::unsigned).collect::<CheckResult<Vec<_>>>()?;
        exact("o", touched, ended.touched.iter().map(|guid| CaseWorld::object_index(*guid)).collect())?;
        if let Some(cells) = expected.find("cells") {
            let cells = cells.elements()?.map(Field::hex).collect::<CheckResult<Vec<_>>>()?;
            exact("cells", &cells, &ended.cells)?;
        }
        Ok(())
    }

    /// Checks everything that the body keeps from one tick to the next.
    fn check_body(&self, expected: Field<'_>) -> CheckResult {
        self.check_motion(expected)?;
        let (body, cell) = (self.world.body()?, self.expected_cell(expected)?);
        exact("c", cell, body.position.cell)?;
        if let Some(rotation) = expected.find("q") {
            near_quat("q", rotation.quat()?, body.position.frame.rotation, ROTATION_TOLERANCE)?;
        }
        exact("t", expected.get("t")?.unsigned()?, transient_bits(body))?;
        self.check_contact(expected, body, cell)?;
        let is_sliding = body.transient.contains(TransientState::SLIDING);
        check_normal(expected, "s", is_sliding.then_some(body.sliding_normal))
    }

    fn check_contact(&self, expected: Field<'_>, body: &Body, cell: CellId) -> CheckResult {
        let plane = expected.find("cp").map(read_plane).transpose()?;
        exact("cp", plane.is_some(), body.has_contact())?;
        let Some(plane) = plane else { return Ok(()) };
        near_plane("cp", plane, body.contact_plane, self.plane_tolerance)?;
        let contact_cell = expected.find("cc").map(Field::hex).transpose()?;
        exact("cc", contact_cell.map_or(cell, CellId), body.contact_plane_cell)
    }
}

/// Returns the vectors' number for the result of a placement (rule C18).
fn result_code(placed: Result<(), Refusal>) -> u64 {
    match placed {
        Ok(()) => 0,
        Err(Refusal::InvalidPosition) => 1,
        Err(Refusal::NoValidPosition) => 2,
        Err(Refusal::NoCell) => 3,
        Err(Refusal::Collided) => 4,
    }
}

/// Returns the transient bits that the vectors print: all but `ACTIVE`.
fn transient_bits(body: &Body) -> u64 {
    (body.transient - TransientState::ACTIVE).bits().into()
}

fn check_sub_steps(expected: Field<'_>, ended: &Ended) -> CheckResult {
    let (mut planned, mut done) = (1, 1);
    if let Some(steps) = expected.find("n") {
        let [first, second] = steps.array()?;
        (planned, done) = (first.unsigned()?, second.unsigned()?);
    }
    let got = ended.sub_steps;
    exact("n", [planned, done], [got.planned.into(), got.done.into()])
}

/// Checks what a transition hit.
fn check_collision(expected: Field<'_>, ended: &Ended) -> CheckResult {
    check_normal(expected, "cn", ended.arrival.collision_normal)?;
    let environment = expected.find("e").map(Field::boolean).transpose()?.unwrap_or(false);
    exact("e", environment, ended.arrival.collided_with_environment)
}

fn check_normal(expected: Field<'_>, name: &str, got: Option<Vec3>) -> CheckResult {
    let normal = expected.find(name).map(Field::vector).transpose()?;
    exact(name, normal.is_some(), got.is_some())?;
    match normal.zip(got) {
        Some((normal, got)) => within_vector(name, normal, got, NORMAL_TOLERANCE),
        None => Ok(()),
    }
}
