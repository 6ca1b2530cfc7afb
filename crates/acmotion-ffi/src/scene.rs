//! Scenes: the collision geometry of dat files, and questions about it.

use std::sync::Arc;

use acmotion::dat::{DataId, Sphere};
use acmotion::scene::{
    GroundHit, Obstruction, Scene, SceneLoader, Shape, StandError, Surface, SweepKind, SweepResult,
};

use crate::dat::AcmAssets;
use crate::handle::{ASSETS, SCENES};
use crate::memory::{Out, input};
use crate::status::{AcmStatus, Failure, Outcome, guard};
use crate::types::{AcmPosition, AcmVec3};

/// A handle of a scene.
pub type AcmScene = u64;

/// Nothing is in the way.
pub const ACM_SURFACE_NONE: u32 = 0;
/// The land.
pub const ACM_SURFACE_LAND: u32 = 1;
/// The shell of a building.
pub const ACM_SURFACE_BUILDING: u32 = 2;
/// The floor, a wall or the ceiling of a room.
pub const ACM_SURFACE_ROOM: u32 = 3;
/// An object that never moves.
pub const ACM_SURFACE_SCENERY: u32 = 4;
/// An entity.
pub const ACM_SURFACE_ENTITY: u32 = 5;
/// No cells lead from one position to the other.
pub const ACM_SURFACE_UNCONNECTED: u32 = 6;
/// A surface of a type that this version does not name.
pub const ACM_SURFACE_OTHER: u32 = 7;

/// The shape moves like a body on foot.
pub const ACM_SWEEP_WALK: u32 = 0;
/// The shape moves like a missile.
pub const ACM_SWEEP_FLY: u32 = 1;

/// What is below a point.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct AcmGround {
    /// The point of the surface straight below.
    pub position: AcmPosition,
    /// The normal of the surface.
    pub normal: AcmVec3,
    /// How deep bodies sink in, in metres.
    pub depth: f32,
    /// What the surface belongs to: one of `ACM_SURFACE_…`.
    pub surface: u32,
    /// The entity, for `ACM_SURFACE_ENTITY`.
    pub entity: u32,
    /// 1 if it is flat enough to stand on, else 0.
    pub is_walkable: u32,
}

/// What lies between two points.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct AcmSight {
    /// What is in the way: one of `ACM_SURFACE_…`; `ACM_SURFACE_NONE` if the one point is visible from the other.
    pub surface: u32,
    /// The entity, for `ACM_SURFACE_ENTITY`.
    pub entity: u32,
    /// The point of the surface.
    pub position: AcmPosition,
    /// The normal of the surface.
    pub normal: AcmVec3,
    /// The share of the line, 0 to 1, in front of the surface.
    pub share: f32,
}

/// The shape of a mover: one or two spheres, and how high it steps.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct AcmShape {
    /// The number of spheres, 0 to 2.
    pub spheres: u32,
    /// The centre of the first sphere.
    pub first: AcmVec3,
    /// The radius of the first sphere, in metres.
    pub first_radius: f32,
    /// The centre of the second sphere.
    pub second: AcmVec3,
    /// The radius of the second sphere, in metres.
    pub second_radius: f32,
    /// How high it steps up, in metres.
    pub step_up: f32,
    /// How far it steps down, in metres.
    pub step_down: f32,
    /// The radius of the hull, in metres.
    pub radius: f32,
    /// The height of the hull, in metres.
    pub height: f32,
}

/// Where a shape arrives.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct AcmSweep {
    /// 1 if it arrived somewhere, 0 if it cannot move at all. All other fields are 0 then, except `is_blocked`.
    pub arrived: u32,
    /// Where it arrived.
    pub position: AcmPosition,
    /// 1 if it stands on something there, else 0.
    pub has_contact: u32,
    /// 1 if something was in its way, else 0.
    pub is_blocked: u32,
    /// 1 if it is in a cell there, else 0.
    pub in_cell: u32,
    /// The normal of what it collided with; zero if it did not.
    pub collision_normal: AcmVec3,
}

impl From<AcmShape> for Shape {
    fn from(shape: AcmShape) -> Self {
        let mut own = Self::default();
        (own.step_up, own.step_down) = (shape.step_up, shape.step_down);
        (own.radius, own.height) = (shape.radius, shape.height);
        let spheres = [(shape.first, shape.first_radius), (shape.second, shape.second_radius)];
        let spheres = spheres.map(|(origin, radius)| Sphere { origin: origin.into(), radius });
        own.set_spheres(&spheres[..(shape.spheres as usize).min(spheres.len())]);
        own
    }
}

impl From<&Shape> for AcmShape {
    fn from(shape: &Shape) -> Self {
        let sphere = |index: usize| shape.spheres().get(index).copied().unwrap_or_default();
        Self {
            spheres: shape.spheres().len() as u32,
            first: sphere(0).origin.into(),
            first_radius: sphere(0).radius,
            second: sphere(1).origin.into(),
            second_radius: sphere(1).radius,
            step_up: shape.step_up,
            step_down: shape.step_down,
            radius: shape.radius,
            height: shape.height,
        }
    }
}

impl From<GroundHit> for AcmGround {
    fn from(hit: GroundHit) -> Self {
        let (surface, entity) = surface_of(hit.surface);
        Self {
            position: hit.position.into(),
            normal: hit.plane.normal.into(),
            depth: hit.depth,
            surface,
            entity,
            is_walkable: hit.is_walkable().into(),
        }
    }
}

impl From<Result<(), Obstruction>> for AcmSight {
    fn from(sight: Result<(), Obstruction>) -> Self {
        match sight {
            Ok(()) => Self::default(),
            Err(Obstruction::Unconnected) => Self { surface: ACM_SURFACE_UNCONNECTED, ..Self::default() },
            Err(Obstruction::Surface(hit)) => {
                let (surface, entity) = surface_of(hit.surface);
                Self {
                    surface,
                    entity,
                    position: hit.position.into(),
                    normal: hit.normal.into(),
                    share: hit.share,
                }
            }
        }
    }
}

impl From<SweepResult> for AcmSweep {
    fn from(result: SweepResult) -> Self {
        let is_blocked = result.barrier.is_some().into();
        let Some(arrival) = result.arrival else { return Self { is_blocked, ..Self::default() } };
        Self {
            arrived: 1,
            position: arrival.position.into(),
            has_contact: arrival.has_contact.into(),
            is_blocked,
            in_cell: arrival.in_cell.into(),
            collision_normal: arrival.collision_normal.unwrap_or_default().into(),
        }
    }
}

fn surface_of(surface: Surface) -> (u32, u32) {
    match surface {
        Surface::Land => (ACM_SURFACE_LAND, 0),
        Surface::Building => (ACM_SURFACE_BUILDING, 0),
        Surface::Room => (ACM_SURFACE_ROOM, 0),
        Surface::Scenery => (ACM_SURFACE_SCENERY, 0),
        Surface::Entity(guid) => (ACM_SURFACE_ENTITY, guid.0),
        _ => (ACM_SURFACE_OTHER, 0),
    }
}

fn sweep_kind(kind: u32) -> Outcome<SweepKind> {
    match kind {
        ACM_SWEEP_WALK => Ok(SweepKind::Walk),
        ACM_SWEEP_FLY => Ok(SweepKind::Fly),
        other => Err(Failure::bad_argument(format_args!("{other} is not a kind of sweep"))),
    }
}

/// Loads all of a cell file. For the game's own files, which are large, see `acm_scene_load_around`. Free it with
/// `acm_free`; worlds that use it keep it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn acm_scene_load(
    portal: AcmAssets,
    cells: AcmAssets,
    scene: *mut AcmScene,
) -> AcmStatus {
    guard(|| {
        // SAFETY: the caller's memory is as the crate's rules say.
        let scene = unsafe { Out::new(scene, "scene")? };
        let (portal, cells) = (ASSETS.get(portal)?, ASSETS.get(cells)?);
        let loaded = Scene::load(&portal, &cells).map_err(Failure::bad_data)?;
        scene.set(SCENES.add_shared(Arc::new(loaded))?);
        Ok(())
    })
}

/// Loads the landblocks of a cell file around one: `block` is the high half of a cell, `distance` a number of landblocks to
/// each side. Landblocks that are missing or damaged are left out.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn acm_scene_load_around(
    portal: AcmAssets,
    cells: AcmAssets,
    block: u16,
    distance: u8,
    scene: *mut AcmScene,
) -> AcmStatus {
    guard(|| {
        // SAFETY: the caller's memory is as the crate's rules say.
        let scene = unsafe { Out::new(scene, "scene")? };
        let (portal, cells) = (ASSETS.get(portal)?, ASSETS.get(cells)?);
        let mut loader = SceneLoader::new(&portal, &cells).map_err(Failure::bad_data)?;
        loader.load_around(block, distance);
        scene.set(SCENES.add_shared(Arc::new(loader.scene()))?);
        Ok(())
    })
}

/// Sets `height` to that of the land at a position outdoors, in metres. `ACM_STATUS_NOTHING` in a room and where there is
/// no land.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn acm_scene_height(
    scene: AcmScene,
    position: *const AcmPosition,
    height: *mut f32,
) -> AcmStatus {
    guard(|| {
        // SAFETY: the caller's memory is as the crate's rules say.
        let (position, height) = unsafe { (input(position, "position")?, Out::new(height, "height")?) };
        height.set(SCENES.get(scene)?.height_at(&position.into()).ok_or(Failure::NOTHING)?);
        Ok(())
    })
}

/// Tells what is below a position. `ACM_STATUS_NOTHING` if there is nothing.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn acm_scene_ground(
    scene: AcmScene,
    position: *const AcmPosition,
    ground: *mut AcmGround,
) -> AcmStatus {
    guard(|| {
        // SAFETY: the caller's memory is as the crate's rules say.
        let (position, ground) = unsafe { (input(position, "position")?, Out::new(ground, "ground")?) };
        ground.set(SCENES.get(scene)?.ground_at(&position.into()).ok_or(Failure::NOTHING)?.into());
        Ok(())
    })
}

/// Tells what lies between two positions.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn acm_scene_line_of_sight(
    scene: AcmScene,
    from: *const AcmPosition,
    to: *const AcmPosition,
    sight: *mut AcmSight,
) -> AcmStatus {
    guard(|| {
        // SAFETY: the caller's memory is as the crate's rules say.
        let (from, to, sight) =
            unsafe { (input(from, "from")?, input(to, "to")?, Out::new(sight, "sight")?) };
        sight.set(SCENES.get(scene)?.line_of_sight(&from.into(), &to.into()).into());
        Ok(())
    })
}

/// Sweeps a shape from one position to another; `kind` is `ACM_SWEEP_WALK` or `ACM_SWEEP_FLY`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn acm_scene_sweep(
    scene: AcmScene,
    shape: *const AcmShape,
    from: *const AcmPosition,
    to: *const AcmPosition,
    kind: u32,
    sweep: *mut AcmSweep,
) -> AcmStatus {
    guard(|| {
        // SAFETY: the caller's memory is as the crate's rules say.
        let (shape, from, to, sweep) = unsafe {
            (input(shape, "shape")?, input(from, "from")?, input(to, "to")?, Out::new(sweep, "sweep")?)
        };
        let (scene, kind) = (SCENES.get(scene)?, sweep_kind(kind)?);
        sweep.set(scene.sweep_shape(&shape.into(), &from.into(), &to.into(), kind).into());
        Ok(())
    })
}

/// Checks whether a body with a shape could stand at a position, and where it would. `ACM_STATUS_NOTHING` if it could not.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn acm_scene_can_stand(
    scene: AcmScene,
    shape: *const AcmShape,
    position: *const AcmPosition,
    stands_at: *mut AcmPosition,
) -> AcmStatus {
    guard(|| {
        // SAFETY: the caller's memory is as the crate's rules say.
        let (shape, position, stands_at) = unsafe {
            (input(shape, "shape")?, input(position, "position")?, Out::new(stands_at, "stands_at")?)
        };
        let found = SCENES.get(scene)?.can_stand_at(&shape.into(), &position.into());
        stands_at.set(found.map_err(|_: StandError| Failure::NOTHING)?.into());
        Ok(())
    })
}

/// Returns the shape of a human.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn acm_shape_human(shape: *mut AcmShape) -> AcmStatus {
    guard(|| {
        // SAFETY: the caller's memory is as the crate's rules say.
        let shape = unsafe { Out::new(shape, "shape")? };
        shape.set((&Shape::human()).into());
        Ok(())
    })
}

/// Returns the shape of a setup (0x02…) of a dat file.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn acm_shape_of_setup(
    assets: AcmAssets,
    setup: u32,
    shape: *mut AcmShape,
) -> AcmStatus {
    guard(|| {
        // SAFETY: the caller's memory is as the crate's rules say.
        let shape = unsafe { Out::new(shape, "shape")? };
        let setup = ASSETS.get(assets)?.setup(DataId(setup));
        let setup = setup.map_err(|error| Failure::of(AcmStatus::NotFound, error))?;
        shape.set((&Shape::from_setup(&setup)).into());
        Ok(())
    })
}
