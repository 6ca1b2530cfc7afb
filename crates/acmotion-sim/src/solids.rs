//! Checks that no body is inside something solid. The sweep keeps every body out; this looks at the positions afterwards,
//! with intersection tests alone: spheres against polygons, cylinders, spheres and land.

use std::collections::HashMap;

use acmotion::Resident;
use acmotion::components::{Entity, PhysicsState};
use acmotion::dat::{CylSphere, Sphere};
use acmotion::scene::geometry::Solid;
use acmotion::scene::{Building, Cell, CellArray, LandCell, Obstacle, Room, Scene};
use acmotion::types::{CellId, CellPosition, Frame, Guid, Vec3};

/// The depth, in metres, by which a sphere may be inside something: what single precision and the original's own
/// tolerances make of touching.
const MAX_DEPTH: f32 = 0.003;
/// The maximum number of spheres of a body.
const MAX_SPHERES: usize = 2;

/// How often an entity was inside something solid.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct InSolids {
    /// The number of ticks in which it was checked.
    pub ticks: u64,
    /// The number of these ticks in which it was inside something solid.
    pub inside: u64,
    /// The first time, in seconds, and the position at which it was inside; `None` if it never was.
    pub first: Option<(f64, CellPosition)>,
}

/// Checks bodies against the solids of a land.
#[derive(Clone)]
pub(crate) struct Solids {
    land: Scene,
    cells: CellArray,
    found: HashMap<Guid, InSolids>,
}

impl Solids {
    pub(crate) fn new(land: Scene) -> Self {
        Self { land, cells: CellArray::default(), found: HashMap::new() }
    }

    pub(crate) fn land(&self) -> &Scene {
        &self.land
    }

    pub(crate) fn get(&self, guid: Guid) -> Option<InSolids> {
        self.found.get(&guid).copied()
    }

    /// Checks an entity at its current position. Entities that do not collide, and those made of polygons, as doors are,
    /// are skipped.
    pub(crate) fn check(&mut self, resident: &Resident, now: f64) {
        let (body, position) = (resident.body(), resident.position());
        let skipped = PhysicsState::ETHEREAL | PhysicsState::HAS_PHYSICS_BSP | PhysicsState::HIDDEN;
        if body.state.intersects(skipped) || resident.entity().shape.spheres().is_empty() {
            return;
        }
        let is_inside = self.is_inside(resident.entity(), &position);
        let found = self.found.entry(resident.guid()).or_default();
        found.ticks += 1;
        found.inside += u64::from(is_inside);
        if is_inside && found.first.is_none() {
            found.first = Some((now, position));
        }
    }

    fn is_inside(&mut self, entity: &Entity, position: &CellPosition) -> bool {
        let (own, scale) = (entity.shape.spheres(), entity.body.scale);
        let mut spheres = [Sphere::default(); MAX_SPHERES];
        for (slot, sphere) in spheres.iter_mut().zip(own) {
            let origin = position.frame.local_to_global(sphere.origin * scale);
            *slot = Sphere { origin, radius: sphere.radius * scale - MAX_DEPTH };
        }
        let spheres = &spheres[..own.len().min(MAX_SPHERES)];
        self.land.find_cell_list(position, spheres, &mut self.cells);
        let is_indoors = position.cell.is_indoor();
        self.cells.iter().any(|id| {
            let foot = &spheres[..1];
            let in_cell = match self.land.cell(id) {
                Some(Cell::Land(land)) => {
                    (!is_indoors && is_in_ground(&land, position.cell, foot))
                        || land.building().is_some_and(|shell| is_in_shell(shell, position.cell, spheres))
                }
                Some(Cell::Room(room)) => is_in_walls(room, position.cell, spheres),
                None => false,
            };
            let is_in_object = |object: &Obstacle<'_>| is_in_object(object, position.cell, spheres);
            in_cell || self.land.scenery(id).any(|scenery| is_in_object(&scenery.obstacle()))
        })
    }
}

/// Returns spheres of one cell's landblock in the axes of another's.
fn shifted(from: CellId, to: CellId, spheres: &[Sphere]) -> impl Iterator<Item = Sphere> + '_ {
    let offset = from.block_offset(to);
    spheres.iter().map(move |sphere| Sphere { origin: sphere.origin - offset, ..*sphere })
}

/// Returns `true` if the lowest point of the foot is below the land, deeper than water lets it sink
/// (`docs/collision.md` 5.1). Not for bodies in rooms: the land below houses does not count.
fn is_in_ground(land: &LandCell<'_>, from: CellId, foot: &[Sphere]) -> bool {
    shifted(from, land.id(), foot).any(|foot| {
        let lowest = foot.origin - Vec3::new(0.0, 0.0, foot.radius);
        let ground = land.ground_at(lowest);
        ground.is_some_and(|ground| ground.plane.distance(lowest) < -ground.depth)
    })
}

/// The shell of a building is open inside.
fn is_in_shell(shell: &Building, from: CellId, spheres: &[Sphere]) -> bool {
    let solid = shell.solid.as_deref();
    solid.is_some_and(|solid| touches(solid, &shell.position, shell.scale, from, spheres, false))
}

fn is_in_walls(room: &Room, from: CellId, spheres: &[Sphere]) -> bool {
    let solid = room.solid.as_deref();
    solid.is_some_and(|solid| touches(solid, room.position(), 1.0, from, spheres, false))
}

/// An object has polygons, or else cylinders, or else spheres (`docs/collision.md` 8.3).
fn is_in_object(object: &Obstacle<'_>, from: CellId, spheres: &[Sphere]) -> bool {
    if object.state.contains(PhysicsState::ETHEREAL) {
        return false;
    }
    let Obstacle { position, scale, .. } = *object;
    if object.state.contains(PhysicsState::HAS_PHYSICS_BSP) {
        return object.parts.iter().any(|part| {
            let frame = position.frame.combine_scaled(&part.frame, Vec3::ONE * scale);
            let position = CellPosition::new(position.cell, frame);
            touches(&part.solid, &position, part.scale * scale, from, spheres, true)
        });
    }
    let frame = &position.frame;
    shifted(from, position.cell, spheres).any(|sphere| {
        object.cylinders.iter().any(|cylinder| is_in_cylinder(cylinder, frame, scale, &sphere))
            || (object.cylinders.is_empty()
                && object.spheres.iter().any(|own| {
                    let centre = frame.local_to_global(own.origin * scale);
                    (sphere.origin - centre).length() < sphere.radius + own.radius * scale
                }))
    })
}

/// Cylinders are upright, however their object is turned (`docs/collision.md` 5.4).
fn is_in_cylinder(cylinder: &CylSphere, frame: &Frame, scale: f32, sphere: &Sphere) -> bool {
    let foot = frame.local_to_global(cylinder.origin * scale);
    let offset = sphere.origin - foot;
    let height = cylinder.height * scale;
    let is_beside = libm::hypotf(offset.x, offset.y) < sphere.radius + cylinder.radius * scale;
    is_beside && offset.z > -sphere.radius && offset.z < height + sphere.radius
}

/// Returns `true` if a sphere touches a polygon of a solid at a position or, if the solid is closed, if the sphere's centre
/// is inside it.
fn touches(
    solid: &Solid,
    position: &CellPosition,
    scale: f32,
    from: CellId,
    spheres: &[Sphere],
    is_closed: bool,
) -> bool {
    let scale = if scale > 0.0 { scale } else { 1.0 };
    shifted(from, position.cell, spheres).any(|sphere| {
        let origin = position.frame.global_to_local(sphere.origin) * (1.0 / scale);
        solid.intersects_solid(&Sphere { origin, radius: sphere.radius / scale }, is_closed)
    })
}
