//! A body in a prepared transition, for single collision tests. It is in no cell, so no step up succeeds.

use acmotion::components::PhysicsState;
use acmotion::internals::collide::{InsertType, Transition, TransitionState};
use acmotion::scene::{Contact, Mover, MoverFlags, NoObstacles, Scene, Shape};
use acmotion::types::{CellId, CellPosition, Guid, Vec3};

use super::shapes::{NORMAL_TOLERANCE, PLANE_TOLERANCE, near_plane, read_plane, read_sphere};
use crate::conform::check::{CheckResult, Difference, Field, exact, within, within_vector};

/// The tolerance for positions, in metres.
pub(super) const LENGTH_TOLERANCE: f64 = 3e-4;
/// The tolerance for `interp`, the fraction of a step.
const INTERP_TOLERANCE: f64 = 1e-3;
const HOME: CellId = CellId(0x7F7F_0001);

/// The body of one test.
pub(super) struct Prepared {
    shape: Shape,
    flags: MoverFlags,
    current: CellPosition,
    check: CellPosition,
    contact: Option<Contact>,
    last_known: Option<Contact>,
}

impl Prepared {
    /// Reads the body of a case.
    pub(super) fn of(given: Field<'_>) -> CheckResult<Self> {
        let spheres = given.get("spheres")?.elements()?.map(read_sphere).collect::<CheckResult<Vec<_>>>()?;
        let mut shape = Shape::default();
        shape.set_spheres(&spheres);
        shape.step_up = given.get("step_up_height")?.float()?;
        let position = |cell, origin| -> CheckResult<CellPosition> {
            let cell = given.find(cell).map(Field::hex).transpose()?.map_or(HOME, CellId);
            Ok(CellPosition::at(cell, given.get(origin)?.vector()?))
        };
        let (current, check) = (position("curr_cell", "curr")?, position("check_cell", "check")?);
        let truth = |name| given.find(name).map(Field::boolean).transpose();
        let contact = |name| -> CheckResult<Option<Contact>> {
            let plane = given.find(name).map(read_plane).transpose()?;
            let is_cellless = truth("plane_cell_zero")?.unwrap_or(false);
            let cell = if is_cellless { CellId::NONE } else { current.cell };
            // In a case with `plane`, `water` describes the land under test, not the contact plane of the body.
            let is_water = given.find("plane").is_none() && truth("water")?.unwrap_or(false);
            Ok(plane.map(|plane| Contact { plane, cell, is_water }))
        };
        Ok(Self {
            shape,
            flags: MoverFlags::from_bits_retain(given.get("state")?.hex()? as u16),
            current,
            check,
            contact: contact("contact")?,
            last_known: contact("last_known")?,
        })
    }

    /// Runs `test` on the transition of the body.
    pub(super) fn test<R>(
        &self,
        given: Field<'_>,
        test: impl for<'a> FnOnce(&mut Transition<'a>) -> CheckResult<R>,
    ) -> CheckResult<R> {
        self.test_against(given, &(), |transition, ()| test(transition))
    }

    /// Runs `test` on the transition of the body and a target, which the transition may keep a reference to.
    pub(super) fn test_against<T, R>(
        &self,
        given: Field<'_>,
        target: &T,
        test: impl for<'a> FnOnce(&mut Transition<'a>, &'a T) -> CheckResult<R>,
    ) -> CheckResult<R> {
        let mover = Mover {
            guid: Guid(1),
            shape: &self.shape,
            scale: 1.0,
            flags: self.flags,
            state: PhysicsState::empty(),
            contact: self.contact,
            last_known: self.last_known,
            sliding_normal: given.find("sliding").map(Field::vector).transpose()?,
            frames_stationary_fall: 0,
        };
        let (scene, mut touched) = (Scene::default(), Vec::new());
        let path = (Some(self.current), self.check);
        let mut transition = Transition::new(&scene, &NoObstacles, &mover, path, None, &mut touched);
        self.prepare(given, &mut transition)?;
        test(&mut transition, target)
    }

    fn prepare(&self, given: Field<'_>, transition: &mut Transition<'_>) -> CheckResult {
        let path = transition.path_mut();
        path.set_check(self.check, None);
        path.insert_type = match given.get("insert")?.unsigned()? {
            0 => InsertType::Transition,
            1 => InsertType::Placement,
            2 => InsertType::InitialPlacement,
            other => return Err(Difference::new("insert", "0, 1 or 2", other)),
        };
        if let Some(interp) = given.find("interp") {
            path.walk_interp = interp.float()?;
        }
        if let Some(step) = given.find("step_down") {
            let [amount, interp] = step.array()?;
            (path.step_down, path.step_down_amount) = (true, amount.float()?);
            path.walk_interp = interp.float()?;
        }
        let truth = |name| given.find(name).map_or(Ok(false), Field::boolean);
        path.check_walkable = truth("check_walkable")?;
        path.collide = truth("collide")?;
        path.obstruction_ethereal = truth("obstruction_ethereal")?;
        path.building_check = truth("bldg_check")?;
        path.hits_interior_cell = truth("hits_interior")?;
        path.walkable_allowance = given.get("allowance")?.float()?;
        Ok(())
    }

    /// Runs `test` and compares its result and the state of the transition afterwards.
    pub(super) fn check(
        &self,
        given: Field<'_>,
        expected: Field<'_>,
        test: impl for<'a> FnOnce(&mut Transition<'a>) -> TransitionState,
    ) -> CheckResult {
        self.test(given, |transition| {
            let result = test(transition);
            self.compare(expected, result, transition)
        })
    }

    /// Compares a result and the state of the transition with the expected ones.
    pub(super) fn compare(
        &self,
        expected: Field<'_>,
        result: TransitionState,
        got: &Transition<'_>,
    ) -> CheckResult {
        exact("result", expected.get("result")?.unsigned()?, code(result))?;
        let (path, info) = (got.path(), got.info());
        within_vector("moved", expected.get("moved")?.vector()?, self.moved(got), LENGTH_TOLERANCE)?;
        within("interp", expected.get("interp")?.double()?, path.walk_interp.into(), INTERP_TOLERANCE)?;
        exact("collide", expected.get("collide")?.boolean()?, path.collide)?;
        if let Some(normal) = expected.find("step_up_normal") {
            within_vector("step_up_normal", normal.vector()?, path.step_up_normal, NORMAL_TOLERANCE)?;
            let allowance = expected.get("allowance")?.double()?;
            within("allowance", allowance, path.walkable_allowance.into(), 1e-6)?;
        }
        exact("contact_valid", expected.get("contact_valid")?.boolean()?, info.contact_valid)?;
        if info.contact_valid {
            near_plane(
                "contact",
                read_plane(expected.get("contact")?)?,
                info.contact.plane,
                PLANE_TOLERANCE,
            )?;
            exact("water", expected.get("water")?.boolean()?, info.contact.is_water)?;
        }
        exact("normal_valid", expected.get("normal_valid")?.boolean()?, info.collision_valid)?;
        if info.collision_valid {
            within_vector(
                "normal",
                expected.get("normal")?.vector()?,
                info.collision_normal,
                NORMAL_TOLERANCE,
            )?;
        }
        let by_foot = expected.find("neg_step_up").map(Field::boolean).transpose()?;
        exact("neg_step_up", by_foot, path.struck_behind.map(|(_, by_foot)| by_foot))?;
        if let Some((normal, _)) = path.struck_behind {
            within_vector("neg_normal", expected.get("neg_normal")?.vector()?, normal, NORMAL_TOLERANCE)?;
        }
        match expected.find("env") {
            Some(environment) => exact("env", environment.boolean()?, info.collided_with_environment),
            None => Ok(()),
        }
    }

    /// Returns the displacement of the position under test.
    pub(super) fn moved(&self, got: &Transition<'_>) -> Vec3 {
        got.path().check().frame.origin - self.check.frame.origin
    }
}

/// Returns the code of a result (`docs/collision.md` 0.2).
fn code(result: TransitionState) -> u64 {
    match result {
        TransitionState::Invalid => 0,
        TransitionState::Ok => 1,
        TransitionState::Collided => 2,
        TransitionState::Adjusted => 3,
        TransitionState::Slid => 4,
    }
}
