//! Family `body`: the integration of a body and the commit of a sweep (rules C3–C11).

use std::sync::Arc;

use acmotion::components::{Body, Entity, PhysicsState, TransientState};
use acmotion::dat::Assets;
use acmotion::internals::body::{BodyFlags, commit, speed_off_contact};
use acmotion::scene::{Arrival, Plane};
use acmotion::types::{CellId, CellPosition, Frame, Guid, Vec3};
use acmotion::{MotionEvent, RemoteWeenie, World};
use serde_json::Value;

use super::check::{CheckResult, Difference, Field, exact, near, near_length, near_quat, near_vector};
use super::motion_table::{LENGTH_TOLERANCE, RATE_TOLERANCE};
use super::stage::Stage;
use super::steps::Steps;
use super::{CaseResult, Family};

/// The tolerance for origins and velocities after many steps.
const ACCUMULATED_TOLERANCE: f64 = 3e-4;
const BODY: Guid = Guid(2);

pub(super) struct BodyFamily;

impl Family for BodyFamily {
    fn run_line(&mut self, line: &Value) -> Result<CaseResult, Difference> {
        let case = Field::line(line);
        match case.get("fn")?.text()? {
            "update_physics" => return update_physics(case),
            "scenario" => return scenario(case),
            "calc_acceleration" => calc_acceleration(case),
            "calc_friction" => calc_friction(case),
            "set_velocity" => set_velocity(case),
            "check_contact" => check_contact(case),
            "commit" => check_commit(case),
            "set_coefficients" => set_coefficients(case),
            other => Err(Difference::new("fn", "a function of this family", other)),
        }?;
        Ok(CaseResult::Passed)
    }
}

/// Returns the body that the case starts with.
fn read_body(case: Field<'_>) -> CheckResult<Body> {
    let before = case.get("in")?;
    let frame = Frame::new(before.get("pos")?.vector()?, before.get("q")?.quat()?);
    let mut body = Body::new(CellPosition::new(CellId(0xA9B4_0001), frame));
    body.state = PhysicsState::from_bits_retain(case.get("state")?.hex()?);
    body.set_friction(case.get("friction")?.float()?);
    body.set_elasticity(case.get("elasticity")?.float()?);
    body.contact_plane = Plane::new(case.get("contact_normal")?.vector()?, 0.0);
    body.flags.set(BodyFlags::MANAGED, case.get("has_movement_manager")?.boolean()?);
    body.flags.insert(BodyFlags::IN_CELL);
    body.velocity = before.get("v")?.vector()?;
    body.omega = before.get("omega")?.vector()?;
    body.acceleration = before.get("accel")?.vector()?;
    body.transient = read_transient(before.get("transient")?)?;
    Ok(body)
}

fn read_transient(bits: Field<'_>) -> CheckResult<TransientState> {
    Ok(TransientState::from_bits_retain(bits.unsigned()? as u16))
}

fn check_body(expected: Field<'_>, got: &Body, tolerance: f64) -> CheckResult {
    let frame = &got.position.frame;
    near_vector("pos", expected.get("pos")?.vector()?, frame.origin, tolerance)?;
    near_quat("q", expected.get("q")?.quat()?, frame.rotation, LENGTH_TOLERANCE)?;
    near_vector("v", expected.get("v")?.vector()?, got.velocity, LENGTH_TOLERANCE)?;
    near_vector("omega", expected.get("omega")?.vector()?, got.omega, LENGTH_TOLERANCE)?;
    near_vector("accel", expected.get("accel")?.vector()?, got.acceleration, LENGTH_TOLERANCE)?;
    exact("transient", read_transient(expected.get("transient")?)?, got.transient)
}

fn advance(body: &mut Body, dt: f32) {
    let mut frame = body.position.frame;
    body.update_physics(dt, &mut frame);
    body.position.frame = frame;
}

fn update_physics(case: Field<'_>) -> CheckResult<CaseResult> {
    let (mut body, dt) = (read_body(case)?, case.get("dt")?.float()?);
    Steps::of(case)?.check(|step| {
        advance(&mut body, dt);
        check_body(step, &body, LENGTH_TOLERANCE)
    })
}

fn scenario(case: Field<'_>) -> CheckResult<CaseResult> {
    let (mut body, dt) = (read_body(case)?, case.get("dt")?.float()?);
    Steps::listed(case, "path")?.check(|entry| {
        advance(&mut body, dt);
        let [x, y, z, vx, vy, vz] = entry.array()?;
        let origin = Vec3::new(x.float()?, y.float()?, z.float()?);
        let velocity = Vec3::new(vx.float()?, vy.float()?, vz.float()?);
        near_vector("pos", origin, body.position.frame.origin, ACCUMULATED_TOLERANCE)?;
        near_vector("v", velocity, body.velocity, ACCUMULATED_TOLERANCE)
    })
}

fn calc_acceleration(case: Field<'_>) -> CheckResult {
    let mut body = read_body(case)?;
    body.calc_acceleration();
    check_body(case.get("out")?, &body, LENGTH_TOLERANCE).map_err(|difference| difference.within("out"))
}

fn calc_friction(case: Field<'_>) -> CheckResult {
    let mut body = read_body(case)?;
    body.calc_friction(case.get("dt")?.float()?, case.get("speed_squared")?.float()?);
    near_vector("v_out", case.get("v_out")?.vector()?, body.velocity, LENGTH_TOLERANCE)
}

fn set_velocity(case: Field<'_>) -> CheckResult {
    let mut body = read_body(case)?;
    body.set_velocity(case.get("to")?.vector()?, 0.0);
    near_vector("v_out", case.get("v_out")?.vector()?, body.velocity, LENGTH_TOLERANCE)?;
    let jumped = body.flags.contains(BodyFlags::JUMPED);
    exact("jumped_this_frame", case.get("jumped_this_frame")?.boolean()?, jumped)?;
    exact("transient_out", read_transient(case.get("transient_out")?)?, body.transient)
}

fn check_contact(case: Field<'_>) -> CheckResult {
    let body = read_body(case)?;
    near_length("dot", case.get("dot")?.double()?, speed_off_contact(&body).into(), LENGTH_TOLERANCE)?;
    exact("out", case.get("out")?.boolean()?, body.check_contact(case.get("contact")?.boolean()?))
}

/// Commits a sweep for the entity of a world. Its weenie is no creature, so that landings and take-offs are only reported
/// (rules C26, C30).
fn check_commit(case: Field<'_>) -> CheckResult {
    let mut entity = Entity::new(BODY, None);
    entity.body = read_body(case)?;
    entity.set_weenie(Some(Arc::new(RemoteWeenie::Object)));
    let mut arrival = Arrival::without_contact(entity.body.position);
    arrival.has_contact = case.get("plane_valid")?.boolean()?;
    arrival.contact.plane = Plane::new(case.get("plane_normal")?.vector()?, 0.0);
    let normal = case.get("collision_normal")?.vector()?;
    arrival.collision_normal = case.get("collision_normal_valid")?.boolean()?.then_some(normal);
    arrival.frames_stationary_fall = case.get("frames_stationary_fall")?.unsigned()? as u8;
    let mut stage = Stage::new(World::new(Assets::mannequin()));
    stage.add(entity)?;
    stage.act(BODY, 0.0, |actor| commit(actor, &arrival, &[], 0.0))?;
    let mut events = Vec::new();
    for event in case.get("events")?.elements()? {
        events.push(event.text()?);
    }
    exact("events", events, stage.drain(BODY).iter().filter_map(name_of).collect())?;
    let body = &stage.entity(BODY)?.body;
    check_body(case.get("out")?, body, LENGTH_TOLERANCE).map_err(|difference| difference.within("out"))
}

/// Returns the name that the vectors give to an event, `None` if they do not contain it.
fn name_of(event: &MotionEvent) -> Option<&'static str> {
    match event {
        MotionEvent::HitGround => Some("hit_ground"),
        MotionEvent::LeaveGround => Some("leave_ground"),
        _ => None,
    }
}

fn set_coefficients(case: Field<'_>) -> CheckResult {
    let mut body = Body::new(CellPosition::default());
    body.set_friction(case.get("friction_before")?.float()?);
    body.set_friction(case.get("friction_in")?.float()?);
    body.set_elasticity(case.get("elasticity_in")?.float()?);
    near("friction", case.get("friction")?.double()?, body.friction().into(), RATE_TOLERANCE)?;
    near("elasticity", case.get("elasticity")?.double()?, body.elasticity().into(), RATE_TOLERANCE)
}
