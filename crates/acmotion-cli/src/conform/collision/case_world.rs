//! The world of a case: its objects and its mover as entities, with setups and meshes from a dat file in memory.

use std::sync::Arc;

use acmotion::components::{Actor, Body, PhysicsState, TransientState};
use acmotion::dat::{
    Assets, BlockSize, CylSphere, Dat, DatWriter, DataId, DataSet, GfxObj, Setup, SetupFlags, Sphere,
};
use acmotion::internals::body::BodyFlags;
use acmotion::internals::entity::{Refusal, move_to_frame, place};
use acmotion::scene::{CameraView, MoverFlags, Scene, Surroundings};
use acmotion::types::{CellId, CellPosition, Frame, Guid, Quat, Vec3};
use acmotion::{EntitySpec, Settings, World};

use super::recording_scene::{Ended, HOME, RecordingScene};
use super::shapes::{Shapes, read_plane, read_sphere};
use crate::conform::check::{CheckResult, Difference, Field};

const MOVER: Guid = Guid(0x5000_0001);
/// The guid of the first object. The others follow.
const FIRST_OBJECT: u32 = 0x8000_0000;
/// The id of the first setup and of the first mesh. The others follow.
const FIRST_SETUP: u32 = 0x0200_0001;
const FIRST_MESH: u32 = 0x0100_0001;
/// The maximum number of objects of a case.
const MAX_OBJECTS: usize = 1_000;
/// The duration of a tick, in seconds. What is compared does not depend on it.
const QUANTUM: f32 = 1.0 / 30.0;
/// The time of all ticks, in seconds.
const NOW: f64 = 0.0;

/// An entity of a case that is not in its world yet.
struct Described {
    spec: EntitySpec,
    setup: Setup,
    mesh: Option<GfxObj>,
    has_weenie: bool,
    position: CellPosition,
}

/// The world of a case.
pub(super) struct CaseWorld {
    world: World,
    scene: Arc<RecordingScene>,
}

impl CaseWorld {
    /// Builds the world of a case in a scene.
    pub(super) fn of(case: Field<'_>, scene: Scene, shapes: &Shapes) -> CheckResult<Self> {
        let objects = case.get("objects")?.elements()?;
        if objects.len() > MAX_OBJECTS {
            let expected = format!("at most {MAX_OBJECTS} objects");
            return Err(Difference::new("objects", expected, objects.len()));
        }
        let objects = objects.enumerate().map(|(index, object)| Described::object(index, object, shapes));
        let objects = objects.collect::<CheckResult<Vec<_>>>()?;
        let mover = Described::mover(case.get("mover")?, case.get("start")?, objects.len())?;
        let scene = Arc::new(RecordingScene::new(scene));
        let surroundings: Arc<dyn Surroundings + Send + Sync> = scene.clone();
        let settings = Settings { surroundings: Some(surroundings), ..Settings::default() };
        let all = || objects.iter().chain([&mover]);
        let mut world = World::with_settings(assets_of(all())?, settings);
        // The order in which entities are placed is that of the cells' lists. The mover is behind the objects.
        for described in all() {
            described.spawn(&mut world)?;
        }
        let (start, elasticity) = (case.get("start")?, case.get("mover")?.find("elasticity"));
        let elasticity = elasticity.map(Field::float).transpose()?;
        let mut this = Self { world, scene };
        this.act(|actor, _| {
            if let Some(elasticity) = elasticity {
                actor.entity.body.set_elasticity(elasticity);
            }
            set_start(&mut actor.entity.body, start)
        })??;
        Ok(this)
    }

    fn act<R>(&mut self, act: impl FnOnce(&mut Actor<'_>, &dyn Surroundings) -> R) -> CheckResult<R> {
        let result = self.world.act(MOVER, NOW, act);
        result.ok_or_else(|| Difference::new("mover", "an entity", "none"))
    }

    /// Returns the body of the mover.
    pub(super) fn body(&self) -> CheckResult<&Body> {
        let mover = self.world.find(MOVER).ok_or_else(|| Difference::new("mover", "an entity", "none"))?;
        Ok(mover.body())
    }

    /// Returns the index of a touched object in the case.
    pub(super) fn object_index(guid: Guid) -> u64 {
        u64::from(guid.0.wrapping_sub(FIRST_OBJECT))
    }

    /// Moves the mover by an offset as a tick does. Returns the transition, `None` if the body was not swept.
    pub(super) fn step(
        &mut self,
        offset: Vec3,
        rotation: Option<Quat>,
        velocity: Option<Vec3>,
    ) -> CheckResult<Option<Ended>> {
        self.act(|actor, surroundings| {
            let body = &mut actor.entity.body;
            body.velocity = velocity.unwrap_or(body.velocity);
            let old = body.position.frame;
            let target = Frame::new(old.origin + offset, rotation.unwrap_or(old.rotation));
            move_to_frame(actor, target, QUANTUM, surroundings);
        })?;
        Ok(self.scene.take_last())
    }

    /// Places the mover. Returns the result and the transition, `None` if there was no cell at the position.
    pub(super) fn place(
        &mut self,
        position: &CellPosition,
        slide: bool,
    ) -> CheckResult<(Result<(), Refusal>, Option<Ended>)> {
        let placed =
            self.act(|actor, surroundings| place(actor, position, slide, surroundings).map(|_| ()))?;
        Ok((placed, self.scene.take_last()))
    }

    /// Sweeps a camera that looks at the mover, from a point in the mover's cell by an offset. Returns the view and the
    /// transition.
    pub(super) fn look(&mut self, from: Vec3, offset: Vec3) -> CheckResult<(CameraView, Option<Ended>)> {
        let scene = Arc::clone(&self.scene);
        let view = self.act(|actor, _| {
            let body = &actor.entity.body.position;
            let [pivot, eye] = [from, from + offset].map(|point| CellPosition::at(body.cell, point));
            scene.camera_view(body, [&pivot, &eye], actor.obstacles)
        })?;
        Ok((view, self.scene.take_last()))
    }
}

/// Returns a dat file with the setups and meshes of entities.
fn assets_of<'a>(described: impl Iterator<Item = &'a Described>) -> CheckResult<Assets> {
    let mut writer = DatWriter::new(BlockSize::Large, DataSet::Portal);
    for Described { setup, mesh, .. } in described {
        writer.add_object(setup);
        if let Some(mesh) = mesh {
            writer.add_object(mesh);
        }
    }
    let bytes = writer.finish().map_err(|error| Difference::new("objects", "a dat file", error))?;
    let dat = Dat::from_bytes(bytes).map_err(|error| Difference::new("objects", "a dat file", error))?;
    Ok(Assets::new(dat))
}

impl Described {
    fn new(guid: Guid, index: usize, line: Field<'_>) -> CheckResult<Self> {
        let setup = Setup { id: DataId(FIRST_SETUP + index as u32), ..Setup::default() };
        let weenie = line.find("weenie").map(Field::text).transpose()?;
        let (is_creature, mover_flags) = match weenie {
            None | Some("object") => (false, MoverFlags::empty()),
            Some("creature") => (true, MoverFlags::empty()),
            Some("player") => (true, MoverFlags::IS_PLAYER),
            Some("player_pk") => (true, MoverFlags::IS_PLAYER | MoverFlags::IS_PK),
            Some(other) => {
                return Err(Difference::new("weenie", "creature, player, player_pk or object", other));
            }
        };
        let spec = EntitySpec {
            state: PhysicsState::from_bits_retain(line.get("state")?.hex()?),
            scale: line.find("scale").map(Field::float).transpose()?.unwrap_or(1.0),
            is_creature,
            mover_flags,
            ..EntitySpec::item(guid, setup.id)
        };
        let position = CellPosition::default();
        Ok(Self { spec, setup, mesh: None, has_weenie: weenie.is_some(), position })
    }

    fn object(index: usize, line: Field<'_>, shapes: &Shapes) -> CheckResult<Self> {
        let mut object = Self::new(Guid(FIRST_OBJECT + index as u32), index, line)?;
        object.position = CellPosition::new(HOME, read_frame(line)?);
        match line.get("shape")?.text()? {
            "bsp" => {
                let id = DataId(FIRST_MESH + index as u32);
                object.mesh = Some(GfxObj { id, ..shapes.mesh(line.get("geom")?)?.clone() });
                object.setup.parts.push(id);
                // The vectors leave out the bit of scenery, which follows from the shape.
                object.spec.state |= PhysicsState::HAS_PHYSICS_BSP;
            }
            "cylinder" => {
                let cylinders = line.get("cylinders")?.elements()?.map(read_cylinder);
                object.setup.cyl_spheres = cylinders.collect::<CheckResult<_>>()?;
            }
            "sphere" => {
                object.setup.spheres = read_spheres(line)?;
            }
            other => return Err(Difference::new("shape", "bsp, cylinder or sphere", other)),
        }
        Ok(object)
    }

    fn mover(line: Field<'_>, start: Field<'_>, index: usize) -> CheckResult<Self> {
        let mut mover = Self::new(MOVER, index, line)?;
        mover.position = CellPosition::new(CellId(start.get("cell")?.hex()?), read_frame(start)?);
        let setup = &mut mover.setup;
        setup.spheres = read_spheres(line)?;
        (setup.step_up, setup.step_down) = (line.get("step_up")?.float()?, line.get("step_down")?.float()?);
        let free_heading = line.find("free_heading").map(Field::boolean).transpose()?;
        setup.flags.set(SetupFlags::FREE_HEADING, free_heading.unwrap_or(false));
        Ok(mover)
    }

    /// Adds the entity to a world, at its position as it is.
    fn spawn(&self, world: &mut World) -> CheckResult {
        let invalid = |error| Difference::new("objects", "an entity", error);
        world.spawn(&self.spec, NOW).map_err(invalid)?;
        world.act(self.spec.guid, NOW, |actor, _| {
            if !self.has_weenie {
                actor.entity.set_weenie(None);
            }
            actor.entity.body.position = self.position;
            actor.entity.body.flags.insert(BodyFlags::IN_CELL);
        });
        Ok(())
    }
}

/// Gives the mover the contact and velocity with which it starts.
fn set_start(body: &mut Body, start: Field<'_>) -> CheckResult {
    let truth = |name| start.find(name).map(Field::boolean).transpose();
    body.flags.set(BodyFlags::IN_CELL, truth("in_cell")?.unwrap_or(true));
    body.transient.set(TransientState::CONTACT, truth("contact")?.unwrap_or(false));
    body.transient.set(TransientState::ON_WALKABLE, truth("on_walkable")?.unwrap_or(false));
    body.transient.set(TransientState::WATER_CONTACT, truth("water")?.unwrap_or(false));
    body.contact_plane = start.find("plane").map(read_plane).transpose()?.unwrap_or_default();
    let plane_cell = start.find("plane_cell").map(Field::hex).transpose()?;
    body.contact_plane_cell = plane_cell.map_or(body.position.cell, CellId);
    if let Some(normal) = start.find("sliding") {
        body.transient.insert(TransientState::SLIDING);
        body.sliding_normal = normal.vector()?;
    }
    body.transient.insert(match start.find("fsf").map(Field::unsigned).transpose()? {
        None | Some(0) => TransientState::empty(),
        Some(1) => TransientState::STATIONARY_FALL,
        Some(2) => TransientState::STATIONARY_STOP,
        Some(3) => TransientState::STATIONARY_STUCK,
        Some(other) => return Err(Difference::new("fsf", "0 to 3", other)),
    });
    body.velocity = start.find("vel").map(Field::vector).transpose()?.unwrap_or(Vec3::ZERO);
    Ok(())
}

/// Reads the `pos` of a line and its `q`, the identity if it has none.
pub(super) fn read_frame(line: Field<'_>) -> CheckResult<Frame> {
    let rotation = line.find("q").map(Field::quat).transpose()?.unwrap_or(Quat::IDENTITY);
    Ok(Frame::new(line.get("pos")?.vector()?, rotation))
}

fn read_spheres(line: Field<'_>) -> CheckResult<Vec<Sphere>> {
    line.get("spheres")?.elements()?.map(read_sphere).collect()
}

/// Reads a cylinder, `[x, y, z, height, radius]`.
fn read_cylinder(field: Field<'_>) -> CheckResult<CylSphere> {
    let [x, y, z, height, radius] = field.array()?;
    let origin = Vec3::new(x.float()?, y.float()?, z.float()?);
    Ok(CylSphere { origin, radius: radius.float()?, height: height.float()? })
}
