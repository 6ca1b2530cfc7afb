//! What the entities of a world look like: positions, states and part matrices, all of them in one call.

use acmotion::types::{CellId, CellPosition, Guid};
use acmotion::{EntityFilter, Matrix, PartPoses, Resident, View};

use crate::memory::{Out, OutList, Versioned, input, inputs, sized};
use crate::scene::AcmSight;
use crate::status::{AcmStatus, Failure, guard};
use crate::types::{AcmPosition, AcmVec3};
use crate::world::{AcmWorld, with_world};

/// `AcmView::poses`: parts move smoothly between key frames and ticks.
pub const ACM_POSES_SMOOTH: u32 = 0;
/// `AcmView::poses`: parts show key frames, as in the original.
pub const ACM_POSES_RETAIL: u32 = 1;

/// `AcmEntityState::flags`: it touches something.
pub const ACM_ENTITY_CONTACT: u32 = 1;
/// `AcmEntityState::flags`: it is on walkable ground.
pub const ACM_ENTITY_ON_WALKABLE: u32 = 2;
/// `AcmEntityState::flags`: it is in a cell.
pub const ACM_ENTITY_IN_CELL: u32 = 4;
/// `AcmEntityState::flags`: it follows an order.
pub const ACM_ENTITY_MOVING_TO: u32 = 8;
/// `AcmEntityState::flags`: it stands in for an object that is missing from the assets, or was never created.
pub const ACM_ENTITY_STAND_IN: u32 = 16;

/// Creatures and players are obstacles to a line of sight.
pub const ACM_FILTER_CREATURES: u32 = 1;
/// Other entities are obstacles to a line of sight.
pub const ACM_FILTER_OBJECTS: u32 = 2;

/// A rotation and a translation as three rows of four numbers: out = rows · (x, y, z, 1).
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct AcmMatrix {
    /// The rows, one after the other.
    pub m: [f32; 12],
}

/// What `acm_world_present` writes.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct AcmView {
    /// `sizeof(AcmView)`.
    pub struct_size: u32,
    /// The cell in whose landblock's axes all matrices are, usually that of the camera.
    pub origin: u32,
    /// The share of the time from one tick to the next that has passed, 0 to 1: see `acm_world_presentation_share`. 1 is
    /// the last tick.
    pub share: f32,
    /// `ACM_POSES_SMOOTH` or `ACM_POSES_RETAIL`.
    pub poses: u32,
    /// The distance from `centre` within which entities are presented, in metres; 0 for all.
    pub distance: f32,
    /// The centre, if there is a distance.
    pub centre: AcmPosition,
}

// SAFETY: `struct_size` comes first, and all fields are numbers.
unsafe impl Versioned for AcmView {}

/// A body in a batch of matrices.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct AcmBody {
    /// The entity.
    pub guid: u32,
    /// The index of the matrix of its first part.
    pub first: u32,
    /// The number of its parts, one matrix each.
    pub count: u32,
    /// Its position.
    pub position: AcmPosition,
}

/// How much was presented.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct AcmPresented {
    /// The number of bodies; the number for which there must be room if the buffers are too small.
    pub bodies: u64,
    /// The number of matrices, likewise.
    pub matrices: u64,
}

/// The state of an entity.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct AcmEntityState {
    /// The entity.
    pub guid: u32,
    /// `ACM_ENTITY_…`.
    pub flags: u32,
    /// Its position.
    pub position: AcmPosition,
    /// Its own velocity in metres a second, such as that of a jump.
    pub velocity: AcmVec3,
    /// The velocity that it is shown with, walking included, in metres a second.
    pub shown_velocity: AcmVec3,
    /// Its heading in degrees.
    pub heading: f32,
    /// Its scale.
    pub scale: f32,
    /// Its physics state.
    pub physics_state: u32,
    /// Its style.
    pub style: u32,
    /// The motion that loops.
    pub substate: u32,
    /// The speed of that motion.
    pub substate_speed: f32,
    /// The animation that plays; 0 if none does.
    pub animation: u32,
    /// The frame of the animation.
    pub frame: f32,
    /// The entity that holds it; 0 if none does.
    pub parent: u32,
    /// The number of motions that are pending.
    pub pending: u32,
}

fn entity_state(resident: &Resident, library: &acmotion::Library) -> AcmEntityState {
    let (body, entity) = (resident.body(), resident.entity());
    let (state, sequence) = (entity.animator.state(), entity.animator.sequence());
    let flags = [
        (body.has_contact(), ACM_ENTITY_CONTACT),
        (body.is_on_walkable(), ACM_ENTITY_ON_WALKABLE),
        (body.is_in_cell(), ACM_ENTITY_IN_CELL),
        (entity.is_moving_to(), ACM_ENTITY_MOVING_TO),
        (!resident.stand_in().is_empty(), ACM_ENTITY_STAND_IN),
    ];
    AcmEntityState {
        guid: resident.guid().0,
        flags: flags.into_iter().filter(|(is_set, _)| *is_set).fold(0, |flags, (_, bit)| flags | bit),
        position: body.position.into(),
        velocity: body.velocity.into(),
        shown_velocity: body.cached_velocity.into(),
        heading: body.position.frame.heading(),
        scale: body.scale,
        physics_state: body.state.bits(),
        style: state.style().0,
        substate: state.substate().0,
        substate_speed: state.substate_speed(),
        animation: sequence.current(library).map_or(0, |playing| playing.id().0),
        frame: sequence.frame() as f32,
        parent: resident.parent().map_or(0, |parent| parent.0),
        pending: entity.animator.pending().len() as u32,
    }
}

/// Writes the states of all entities. The order changes only when an entity is added or removed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn acm_world_entities(
    world: AcmWorld,
    states: *mut AcmEntityState,
    capacity: usize,
    count: *mut usize,
) -> AcmStatus {
    guard(|| {
        // SAFETY: the caller's memory is as the crate's rules say.
        let (states, count) =
            unsafe { (OutList::new(states, capacity, "states")?, Out::new(count, "count")?) };
        with_world(world, |state| {
            let needed = state.world.entities().len();
            count.set(needed);
            if needed > states.capacity() {
                return Err(states.too_small(needed));
            }
            for (index, resident) in state.world.entities().enumerate() {
                states.put(index, entity_state(resident, state.world.library()));
            }
            Ok(())
        })
    })
}

/// Writes the state of an entity.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn acm_world_entity(
    world: AcmWorld,
    guid: u32,
    entity: *mut AcmEntityState,
) -> AcmStatus {
    guard(|| {
        // SAFETY: the caller's memory is as the crate's rules say.
        let out = unsafe { Out::new(entity, "entity")? };
        with_world(world, |state| {
            let resident = state.world.find(Guid(guid)).ok_or(Failure::NO_ENTITY)?;
            out.set(entity_state(resident, state.world.library()));
            Ok(())
        })
    })
}

/// Lists the entities within a distance of a position, in metres.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn acm_world_within(
    world: AcmWorld,
    position: *const AcmPosition,
    distance: f32,
    guids: *mut u32,
    capacity: usize,
    count: *mut usize,
) -> AcmStatus {
    guard(|| {
        // SAFETY: the caller's memory is as the crate's rules say.
        let (position, guids, count) = unsafe {
            (input(position, "position")?, OutList::new(guids, capacity, "guids")?, Out::new(count, "count")?)
        };
        let position = CellPosition::from(position);
        with_world(world, |state| {
            let mut found = 0;
            for resident in state.world.who_is_within(&position, distance) {
                guids.put(found, resident.guid().0);
                found += 1;
            }
            count.set(found);
            if found > guids.capacity() { Err(guids.too_small(found)) } else { Ok(()) }
        })
    })
}

/// Tells what lies between two positions, entities included that `filter` (`ACM_FILTER_…`) names, except those listed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn acm_world_line_of_sight(
    world: AcmWorld,
    from: *const AcmPosition,
    to: *const AcmPosition,
    filter: u32,
    except: *const u32,
    except_count: usize,
    sight: *mut AcmSight,
) -> AcmStatus {
    guard(|| {
        // SAFETY: the caller's memory is as the crate's rules say.
        let (from, to, except, sight) = unsafe {
            (
                input(from, "from")?,
                input(to, "to")?,
                inputs(except, except_count, "except")?,
                Out::new(sight, "sight")?,
            )
        };
        let except: Vec<Guid> = except.iter().copied().map(Guid).collect();
        let filter = EntityFilter {
            creatures: filter & ACM_FILTER_CREATURES != 0,
            objects: filter & ACM_FILTER_OBJECTS != 0,
            except: &except,
        };
        with_world(world, |state| {
            sight.set(state.world.line_of_sight(&from.into(), &to.into(), filter).into());
            Ok(())
        })
    })
}

/// Sets `share` to the share of the time from one tick to the next that has passed at a time in seconds, 0 to 1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn acm_world_presentation_share(
    world: AcmWorld,
    now: f64,
    share: *mut f32,
) -> AcmStatus {
    guard(|| {
        // SAFETY: the caller's memory is as the crate's rules say.
        let share = unsafe { Out::new(share, "share")? };
        with_world(world, |state| {
            share.set(state.world.presentation_share(now));
            Ok(())
        })
    })
}

/// Writes the part matrices of all entities that are drawn, one after the other, and the entities with their positions.
/// With `ACM_STATUS_BUFFER_TOO_SMALL`, `presented` says how much room is needed, and what the buffers contain is not
/// defined. Allocates nothing in a steady world.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn acm_world_present(
    world: AcmWorld,
    view: *const AcmView,
    matrices: *mut AcmMatrix,
    matrix_capacity: usize,
    bodies: *mut AcmBody,
    body_capacity: usize,
    presented: *mut AcmPresented,
) -> AcmStatus {
    guard(|| {
        // SAFETY: the caller's memory is as the crate's rules say.
        let (view, mut matrices, bodies, presented) = unsafe {
            (
                sized(view, "view")?,
                OutList::new(matrices, matrix_capacity, "matrices")?,
                OutList::new(bodies, body_capacity, "bodies")?,
                Out::new(presented, "presented")?,
            )
        };
        let view = View {
            poses: if view.poses == ACM_POSES_RETAIL { PartPoses::Retail } else { PartPoses::Smooth },
            within: (view.distance != 0.0).then(|| (view.centre.into(), view.distance)),
            ..View::new(CellId(view.origin), view.share)
        };
        with_world(world, |state| {
            // SAFETY: AcmMatrix and Matrix are twelve floats.
            let out: &mut [Matrix] = unsafe { matrices.as_slice_of() };
            let batch = state.world.present_all(&view, out, &mut state.presented);
            let needed = batch.written + batch.missing;
            let count = if batch.missing == 0 { state.presented.len() } else { state.world.entities().len() };
            presented.set(AcmPresented { bodies: count as u64, matrices: needed as u64 });
            if batch.missing > 0 {
                return Err(matrices.too_small(needed));
            }
            if count > bodies.capacity() {
                return Err(bodies.too_small(count));
            }
            for (index, body) in state.presented.iter().enumerate() {
                let position = body.position.into();
                bodies.put(
                    index,
                    AcmBody { guid: body.guid.0, first: body.first, count: body.count, position },
                );
            }
            Ok(())
        })
    })
}
