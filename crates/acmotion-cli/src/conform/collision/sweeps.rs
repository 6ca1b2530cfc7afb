//! Families `transition`, `transition_directed`, `transition_extra`, `placement`, `camera` and `indoor`: one body that is
//! swept or placed among objects, tick by tick.

use std::sync::Arc;

use acmotion::components::{Body, PhysicsState, TransientState};
use acmotion::internals::body::{BodyFlags, BodyHost, commit, handle_failed_placement};
use acmotion::internals::collide::{CollisionInfo, SubSteps, Transition};
use acmotion::scene::{
    Arrival, MoverFlags, Obstacle, ObstacleFlags, ObstacleList, Part, Scene, Shape, Touch,
};
use acmotion::types::{CellId, CellPosition, EPS, Frame, Guid, Quat, Vec3};
use acmotion_dat::{CylSphere, Sphere};
use serde_json::Value;

use super::scenes::Scenes;
use super::shapes::{NORMAL_TOLERANCE, Shapes, near_plane, read_plane, read_sphere};
use crate::conform::check::{CheckResult, Difference, Field, exact, near_quat, within};
use crate::conform::{CaseResult, Family};

/// The tolerance for velocities, in metres a second.
const VELOCITY_TOLERANCE: f64 = 3e-3;
/// The distance from the origin of its landblock, in metres, beyond which the tolerances of a body are wider.
const FAR: f32 = 48.0;
/// The flags of a camera (`docs/collision.md` 2.8).
const CAMERA: MoverFlags = MoverFlags::IS_VIEWER
    .union(MoverFlags::PATH_CLIPPED)
    .union(MoverFlags::FREE_ROTATE)
    .union(MoverFlags::PERFECT_CLIP);
/// The radius of the camera's sphere, in metres.
const CAMERA_RADIUS: f32 = 0.3;
/// The maximum number of ticks of a step.
const MAX_TICKS: u64 = 100_000;
const MOVER: Guid = Guid(0x5000_0001);

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
    let until = case.find("fragile_from").map(Field::unsigned).transpose()?;
    let until = until.map_or(usize::MAX, |first| usize::try_from(first).unwrap_or(usize::MAX));
    if until == 0 || case.find("fragile").is_some() || case.find("threw").is_some() {
        return Ok(CaseResult::Skipped);
    }
    let scene = scenes.scene_of(case)?;
    let objects = case.get("objects")?.elements()?.enumerate();
    let objects = objects
        .map(|(index, object)| Object::of(index, object, &scenes.shapes))
        .collect::<CheckResult<Vec<_>>>()?;
    let obstacles: Vec<_> = objects.iter().map(Object::obstacle).collect();
    let mut body = SweptBody::of(case, &scene, ObstacleList(&obstacles))?;
    let steps = steps_by_tick(case)?;
    let expected: Vec<_> = case.get("out")?.elements()?.collect();
    let ends_lost = expected.last().is_some_and(|tick| tick.find("lost").is_some());
    if !ends_lost {
        exact("out", expected.len(), steps.len())?;
    }
    let first_threw = expected.iter().position(|tick| tick.find("threw").is_some());
    let until = until.min(first_threw.unwrap_or(usize::MAX));
    for (index, (step, expected)) in steps.into_iter().zip(expected).enumerate().take(until) {
        let inside = |difference: Difference| difference.within(format_args!("out[{index}]"));
        body.tick(step, expected).map_err(inside)?;
    }
    Ok(CaseResult::Passed)
}

/// Returns the step of each tick.
fn steps_by_tick(case: Field<'_>) -> CheckResult<Vec<Field<'_>>> {
    let mut all = Vec::new();
    for step in case.get("steps")?.elements()? {
        let times = step.find("times").map(Field::unsigned).transpose()?.unwrap_or(1);
        if times > MAX_TICKS {
            return Err(Difference::new("times", format_args!("at most {MAX_TICKS} ticks"), times));
        }
        all.extend(std::iter::repeat_n(step, times as usize));
    }
    Ok(all)
}

/// An object that the body can collide with.
struct Object {
    guid: Guid,
    position: CellPosition,
    scale: f32,
    state: PhysicsState,
    flags: ObstacleFlags,
    parts: Vec<Part>,
    cylinders: Vec<CylSphere>,
    spheres: Vec<Sphere>,
}

/// The cell of all objects. Coordinates are relative to its landblock.
const HOME: CellId = CellId(0x7F7F_0001);

impl Object {
    fn of(index: usize, line: Field<'_>, shapes: &Shapes) -> CheckResult<Self> {
        let rotation = line.find("q").map(Field::quat).transpose()?.unwrap_or(Quat::IDENTITY);
        let mut object = Self {
            guid: Guid(index as u32),
            position: CellPosition::new(HOME, Frame::new(line.get("pos")?.vector()?, rotation)),
            scale: line.find("scale").map(Field::float).transpose()?.unwrap_or(1.0),
            state: PhysicsState::from_bits_retain(line.get("state")?.hex()?),
            flags: line.find("weenie").map(read_weenie).transpose()?.unwrap_or_default(),
            parts: Vec::new(),
            cylinders: Vec::new(),
            spheres: Vec::new(),
        };
        match line.get("shape")?.text()? {
            "bsp" => {
                let solid = Arc::clone(shapes.get(line.get("geom")?)?);
                object.parts.push(Part { solid, frame: Frame::IDENTITY, scale: 1.0 });
                object.state |= PhysicsState::HAS_PHYSICS_BSP;
            }
            "cylinder" => {
                object.cylinders =
                    line.get("cylinders")?.elements()?.map(read_cylinder).collect::<CheckResult<_>>()?;
            }
            "sphere" => {
                object.spheres =
                    line.get("spheres")?.elements()?.map(read_sphere).collect::<CheckResult<_>>()?;
            }
            other => return Err(Difference::new("shape", "bsp, cylinder or sphere", other)),
        }
        Ok(object)
    }

    fn obstacle(&self) -> Obstacle<'_> {
        Obstacle {
            guid: self.guid,
            position: self.position,
            scale: self.scale,
            state: self.state,
            flags: self.flags,
            parts: &self.parts,
            cylinders: &self.cylinders,
            spheres: &self.spheres,
        }
    }
}

fn read_cylinder(field: Field<'_>) -> CheckResult<CylSphere> {
    let [x, y, z, height, radius] = field.array()?;
    let origin = Vec3::new(x.float()?, y.float()?, z.float()?);
    Ok(CylSphere { origin, radius: radius.float()?, height: height.float()? })
}

fn read_weenie(field: Field<'_>) -> CheckResult<ObstacleFlags> {
    let creature = ObstacleFlags::WEENIE | ObstacleFlags::CREATURE;
    Ok(match field.text()? {
        "creature" => creature,
        "player" => creature | ObstacleFlags::PLAYER,
        "player_pk" => creature | ObstacleFlags::PLAYER | ObstacleFlags::PK,
        "object" => ObstacleFlags::WEENIE,
        other => return Err(Difference::new("weenie", "creature, player, player_pk or object", other)),
    })
}

/// The body of a case and its surroundings.
struct SweptBody<'a> {
    scene: &'a Scene,
    obstacles: ObstacleList<'a>,
    shape: Shape,
    flags: MoverFlags,
    body: Body,
    start_cell: CellId,
    /// The tolerance for positions, in metres.
    length_tolerance: f64,
    /// The tolerance for the `d` of planes.
    plane_tolerance: f64,
    touched: Vec<Touch>,
}

impl BodyHost for SweptBody<'_> {
    fn body(&mut self) -> &mut Body {
        &mut self.body
    }
    fn hit_ground(&mut self) {}
    fn leave_ground(&mut self) {}
}

/// The state of a transition after its sweep, as far as it is not committed to the body.
struct Found {
    info: CollisionInfo,
    sub_steps: SubSteps,
    cells: Vec<u32>,
}

impl Found {
    fn of(transition: &Transition<'_>) -> Self {
        Self {
            info: *transition.info(),
            sub_steps: transition.sub_steps(),
            cells: transition.cells().iter().map(|cell| cell.0).collect(),
        }
    }
}

impl<'a> SweptBody<'a> {
    fn of(case: Field<'_>, scene: &'a Scene, obstacles: ObstacleList<'a>) -> CheckResult<Self> {
        let (mover, start) = (case.get("mover")?, case.get("start")?);
        let spheres = mover.get("spheres")?.elements()?.map(read_sphere).collect::<CheckResult<Vec<_>>>()?;
        let mut shape = Shape::default();
        shape.free_heading = mover.find("free_heading").map(Field::boolean).transpose()?.unwrap_or(false);
        (shape.step_up, shape.step_down) = (mover.get("step_up")?.float()?, mover.get("step_down")?.float()?);
        shape.set_spheres(&spheres);
        let body = read_body(mover, start)?;
        let Vec3 { x, y, .. } = body.position.frame.origin;
        let is_far = x.abs() > FAR || y.abs() > FAR;
        let (length_tolerance, plane_tolerance) = if is_far { (1e-3, 2e-2) } else { (3e-4, 2e-3) };
        Ok(Self {
            scene,
            obstacles,
            shape,
            flags: mover.find("weenie").map(read_weenie).transpose()?.unwrap_or_default().mover_flags(),
            start_cell: body.position.cell,
            body,
            length_tolerance,
            plane_tolerance,
            touched: Vec::new(),
        })
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
        if let Some(velocity) = expected.find("vi") {
            self.body.velocity = velocity.vector()?;
        }
        let from = self.body.position;
        let mut to = from;
        to.frame.origin += offset;
        if let Some(rotation) = step.find("q") {
            to.frame.rotation = rotation.quat()?;
        }
        let is_swept = [offset.x, offset.y, offset.z].into_iter().any(|along| along.abs() > EPS);
        let op = expected.find("op").map(Field::text).transpose()?;
        exact("op", op, (!is_swept).then_some("not_swept"))?;
        if !is_swept {
            self.body.position.frame.rotation = to.frame.rotation;
            return self.check_motion(expected);
        }
        let mut touched = std::mem::take(&mut self.touched);
        let mover = self.body.mover(MOVER, &self.shape, self.flags);
        let mut transition =
            Transition::for_sweep(self.scene, &self.obstacles, &mover, &from, &to, &mut touched);
        let arrival = transition.sweep().then(|| transition.arrival());
        let found = Found::of(&transition);
        if found.info.kills_velocity {
            self.body.set_velocity(Vec3::ZERO, 0.0);
        }
        self.touched = touched;
        let fails = expected.find("fail").map(Field::boolean).transpose()?.unwrap_or(false);
        exact("fail", fails, arrival.is_none())?;
        match arrival {
            Some(arrival) => {
                self.commit(&arrival);
                self.check(expected, &found, step.find("q").is_some())
            }
            None => {
                self.body.position.frame.rotation = to.frame.rotation;
                self.check_motion(expected)
            }
        }
    }

    fn place(&mut self, step: Field<'_>, expected: Field<'_>) -> CheckResult {
        let rotation = step.find("q").map(Field::quat).transpose()?.unwrap_or(Quat::IDENTITY);
        let frame = Frame::new(step.get("pos")?.vector()?, rotation);
        let position = CellPosition::new(CellId(step.get("cell")?.hex()?), frame);
        let slide = step.get("flags")?.hex()? & 0x10 != 0;
        let mut touched = std::mem::take(&mut self.touched);
        let mover = self.body.placement_mover(MOVER, &self.shape, self.flags);
        let placed =
            Transition::place_at(self.scene, &self.obstacles, &mover, &position, slide, &mut touched);
        let placed = placed.map(|(transition, room)| (transition.arrival(), room, Found::of(&transition)));
        self.touched = touched;
        let error = match &placed {
            None => 0,
            Some((arrival, false, _)) => {
                if self.refuse(arrival) {
                    4
                } else {
                    2
                }
            }
            Some((arrival, true, _)) => {
                if arrival.in_cell {
                    0
                } else {
                    3
                }
            }
        };
        exact("err", expected.get("err")?.unsigned()?, error)?;
        let is_lost = expected.find("lost").is_some();
        exact("lost", is_lost, placed.is_none())?;
        match placed {
            None => self.near("p", expected.get("p")?.vector()?, position.frame.origin),
            Some((arrival, true, found)) if error == 0 => {
                self.commit(&arrival);
                self.check(expected, &Found { sub_steps: SubSteps { planned: 1, done: 1 }, ..found }, false)
            }
            Some(_) => Ok(()),
        }
    }

    fn camera(&mut self, step: Field<'_>, expected: Field<'_>) -> CheckResult {
        let from = CellPosition::at(self.body.position.cell, step.get("from")?.vector()?);
        let mut to = from;
        to.frame.origin += step.get("d")?.vector()?;
        let mut shape = Shape::default();
        shape.set_spheres(&[Sphere { origin: Vec3::ZERO, radius: CAMERA_RADIUS }]);
        let mut mover = self.body.placement_mover(MOVER, &shape, CAMERA);
        mover.scale = 1.0;
        let mut touched = Vec::new();
        let mut transition =
            Transition::for_sweep(self.scene, &self.obstacles, &mover, &from, &to, &mut touched);
        let fails = expected.find("fail").is_some();
        exact("fail", fails, !transition.sweep())?;
        let (found, arrival) = (Found::of(&transition), transition.arrival());
        self.check_sub_steps(expected, &found)?;
        self.near("p", expected.get("p")?.vector()?, arrival.position.frame.origin)?;
        let cell = expected.find("c").map(Field::hex).transpose()?;
        exact("c", cell.map_or(self.start_cell, CellId), arrival.position.cell)?;
        check_normals(expected, &found, arrival.is_sliding.then_some(arrival.sliding_normal))
    }

    fn commit(&mut self, arrival: &Arrival) {
        let touched = std::mem::take(&mut self.touched);
        commit(self, arrival, &touched, 0.0);
        self.touched = touched;
    }

    /// Refuses a placement. Returns `true` if a collision was reported.
    fn refuse(&mut self, arrival: &Arrival) -> bool {
        let touched = std::mem::take(&mut self.touched);
        let is_reported = handle_failed_placement(self, arrival, &touched, 0.0);
        self.touched = touched;
        is_reported
    }

    fn near(&self, path: &str, expected: Vec3, got: Vec3) -> CheckResult {
        near_vector(path, expected, got, self.length_tolerance)
    }

    /// Checks position and velocity, which are also compared for ticks that fail.
    fn check_motion(&self, expected: Field<'_>) -> CheckResult {
        self.near("p", expected.get("p")?.vector()?, self.body.position.frame.origin)?;
        let velocity = expected.find("v").map(Field::vector).transpose()?.unwrap_or(Vec3::ZERO);
        near_vector("v", velocity, self.body.velocity, VELOCITY_TOLERANCE)
    }

    fn check_sub_steps(&self, expected: Field<'_>, found: &Found) -> CheckResult {
        let (mut planned, mut done) = (1, 1);
        if let Some(steps) = expected.find("n") {
            let [first, second] = steps.array()?;
            (planned, done) = (first.unsigned()?, second.unsigned()?);
        }
        let SubSteps { planned: got_planned, done: got_done } = found.sub_steps;
        exact("n", [planned, done], [got_planned.into(), got_done.into()])
    }

    fn check(&self, expected: Field<'_>, found: &Found, is_turned: bool) -> CheckResult {
        if expected.find("lost").is_some() {
            exact("lost", true, !self.body.is_in_cell())?;
            return self.near("p", expected.get("p")?.vector()?, self.body.position.frame.origin);
        }
        exact("lost", false, !self.body.is_in_cell())?;
        self.check_sub_steps(expected, found)?;
        self.check_motion(expected)?;
        let cell = expected.find("c").map(Field::hex).transpose()?;
        let cell = cell.map_or(self.start_cell, CellId);
        exact("c", cell, self.body.position.cell)?;
        if is_turned {
            near_quat("q", expected.get("q")?.quat()?, self.body.position.frame.rotation, NORMAL_TOLERANCE)?;
        }
        exact("t", expected.get("t")?.unsigned()?, transient_bits(&self.body))?;
        self.check_contact(expected, cell)?;
        let is_sliding = self.body.transient.contains(TransientState::SLIDING);
        check_normals(expected, found, is_sliding.then_some(self.body.sliding_normal))?;
        let frames = expected.find("f").map(Field::unsigned).transpose()?.unwrap_or(0);
        exact("f", frames, found.info.frames_stationary_fall.into())?;
        let touched = expected.find("o").map(Field::elements).transpose()?;
        let touched = touched.into_iter().flatten().map(Field::unsigned).collect::<CheckResult<Vec<_>>>()?;
        exact("o", touched, self.touched.iter().map(|touch| u64::from(touch.guid.0)).collect())?;
        if let Some(cells) = expected.find("cells") {
            exact(
                "cells",
                cells.elements()?.map(Field::hex).collect::<CheckResult<Vec<_>>>()?,
                found.cells.clone(),
            )?;
        }
        Ok(())
    }

    fn check_contact(&self, expected: Field<'_>, cell: CellId) -> CheckResult {
        let plane = expected.find("cp").map(read_plane).transpose()?;
        exact("cp", plane.is_some(), self.body.has_contact())?;
        let Some(plane) = plane else { return Ok(()) };
        near_plane("cp", plane, self.body.contact_plane, self.plane_tolerance)?;
        let contact_cell = expected.find("cc").map(Field::hex).transpose()?;
        exact("cc", contact_cell.map_or(cell, CellId), self.body.contact_plane_cell)
    }
}

fn read_body(mover: Field<'_>, start: Field<'_>) -> CheckResult<Body> {
    let cell = CellId(start.get("cell")?.hex()?);
    let rotation = start.find("q").map(Field::quat).transpose()?.unwrap_or(Quat::IDENTITY);
    let mut body = Body::new(CellPosition::new(cell, Frame::new(start.get("pos")?.vector()?, rotation)));
    body.state = PhysicsState::from_bits_retain(mover.get("state")?.hex()?);
    body.scale = mover.find("scale").map(Field::float).transpose()?.unwrap_or(1.0);
    if let Some(elasticity) = mover.find("elasticity") {
        body.set_elasticity(elasticity.float()?);
    }
    let truth = |name| start.find(name).map(Field::boolean).transpose();
    body.flags.set(BodyFlags::IN_CELL, truth("in_cell")?.unwrap_or(true));
    body.transient.set(TransientState::CONTACT, truth("contact")?.unwrap_or(false));
    body.transient.set(TransientState::ON_WALKABLE, truth("on_walkable")?.unwrap_or(false));
    body.transient.set(TransientState::WATER_CONTACT, truth("water")?.unwrap_or(false));
    body.contact_plane = start.find("plane").map(read_plane).transpose()?.unwrap_or_default();
    body.contact_plane_cell = start.find("plane_cell").map(Field::hex).transpose()?.map_or(cell, CellId);
    if let Some(normal) = start.find("sliding") {
        body.transient.insert(TransientState::SLIDING);
        body.sliding_normal = normal.vector()?;
    }
    body.transient.insert(match start.find("fsf").map(Field::unsigned).transpose()? {
        None | Some(0) => TransientState::empty(),
        Some(1) => TransientState::STATIONARY_FALL,
        Some(2) => TransientState::STATIONARY_STOP,
        Some(_) => TransientState::STATIONARY_STUCK,
    });
    body.velocity = start.find("vel").map(Field::vector).transpose()?.unwrap_or(Vec3::ZERO);
    Ok(body)
}

fn transient_bits(body: &Body) -> u64 {
    (body.transient - TransientState::ACTIVE).bits().into()
}

fn check_normals(expected: Field<'_>, found: &Found, sliding: Option<Vec3>) -> CheckResult {
    let collision = found.info.collision_valid.then_some(found.info.collision_normal);
    for (name, got) in [("cn", collision), ("s", sliding)] {
        let normal = expected.find(name).map(Field::vector).transpose()?;
        exact(name, normal.is_some(), got.is_some())?;
        if let Some((normal, got)) = normal.zip(got) {
            near_vector(name, normal, got, NORMAL_TOLERANCE)?;
        }
    }
    let environment = expected.find("e").map(Field::boolean).transpose()?.unwrap_or(false);
    exact("e", environment, found.info.collided_with_environment)
}

/// Requires each component to be [`within`] the tolerance.
pub(super) fn near_vector(path: &str, expected: Vec3, got: Vec3, tolerance: f64) -> CheckResult {
    for (axis, expected, got) in
        [("x", expected.x, got.x), ("y", expected.y, got.y), ("z", expected.z, got.z)]
    {
        within(axis, expected.into(), got.into(), tolerance).map_err(|difference| difference.within(path))?;
    }
    Ok(())
}
