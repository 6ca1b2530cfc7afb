//! Is somebody inside something solid? Nobody should be: the sweep keeps every body out. Here it is looked at afterwards,
//! place by place, with the tests of touch alone: sphere against polygon, cylinder, sphere and land.

use std::collections::HashMap;

use acmotion::body::PhysicsState;
use acmotion::collide::obstacle::Obstacle;
use acmotion::collide::scene::{Building, Cell, CellArray, LandCell, Room};
use acmotion::collide::{self, geometry::Solid};
use acmotion::dat::{CylSphere, Sphere};
use acmotion::entity::Entity;
use acmotion::types::{CellId, CellPosition, Frame, Guid, Vec3};
use acmotion::world::Resident;

/// So deep a sphere may be in something, in metres: what single precision and the original's own allowances make of
/// touching.
const DEPTH: f32 = 0.003;
/// A body has so many spheres at most.
const MOST_SPHERES: usize = 2;

/// How often somebody was inside something solid.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct InSolids {
    /// Ticks in which it was looked at.
    pub ticks: u64,
    /// Ticks of these in which he was in something.
    pub inside: u64,
    /// When that was so first, and where.
    pub first: Option<(f64, CellPosition)>,
}

/// Looks at bodies in a land.
pub(crate) struct Solids {
    land: collide::Scene,
    cells: CellArray,
    found: HashMap<Guid, InSolids>,
}

impl Solids {
    pub(crate) fn new(land: collide::Scene) -> Self {
        Self { land, cells: CellArray::default(), found: HashMap::new() }
    }

    pub(crate) fn land(&self) -> &collide::Scene {
        &self.land
    }

    pub(crate) fn get(&self, guid: Guid) -> Option<InSolids> {
        self.found.get(&guid).copied()
    }

    /// Looks at somebody as he is now. Whoever bumps into nothing, or is made of polygons himself as doors are, is passed
    /// over.
    pub(crate) fn look(&mut self, resident: &Resident, now: f64) {
        let (body, place) = (resident.body(), resident.position());
        let passes = PhysicsState::ETHEREAL | PhysicsState::HAS_PHYSICS_BSP | PhysicsState::HIDDEN;
        if body.state.intersects(passes) || resident.entity().shape.spheres().is_empty() {
            return;
        }
        let is_inside = self.is_inside(resident.entity(), &place);
        let found = self.found.entry(resident.guid()).or_default();
        found.ticks += 1;
        found.inside += u64::from(is_inside);
        if is_inside && found.first.is_none() {
            found.first = Some((now, place));
        }
    }

    fn is_inside(&mut self, entity: &Entity, place: &CellPosition) -> bool {
        let (own, scale) = (entity.shape.spheres(), entity.body.scale);
        let mut spheres = [Sphere::default(); MOST_SPHERES];
        for (slot, sphere) in spheres.iter_mut().zip(own) {
            let origin = place.frame.local_to_global(sphere.origin * scale);
            *slot = Sphere { origin, radius: sphere.radius * scale - DEPTH };
        }
        let spheres = &spheres[..own.len().min(MOST_SPHERES)];
        self.land.find_cell_list(place, spheres, &mut self.cells);
        let is_indoors = place.cell.is_indoor();
        self.cells.iter().any(|id| {
            let foot = &spheres[..1];
            let in_cell = match self.land.cell(id) {
                Some(Cell::Land(land)) => {
                    (!is_indoors && is_in_ground(&land, place.cell, foot))
                        || land.building().is_some_and(|shell| is_in_shell(shell, place.cell, spheres))
                }
                Some(Cell::Room(room)) => is_in_walls(room, place.cell, spheres),
                None => false,
            };
            in_cell
                || self.land.scenery(id).any(|scenery| is_in_thing(&scenery.obstacle(), place.cell, spheres))
        })
    }
}

/// Spheres of one cell's landblock in the axes of another's.
fn shifted(from: CellId, to: CellId, spheres: &[Sphere]) -> impl Iterator<Item = Sphere> + '_ {
    let offset = from.block_offset(to);
    spheres.iter().map(move |sphere| Sphere { origin: sphere.origin - offset, ..*sphere })
}

/// Is the lowest point of the foot below the land, deeper than water lets it sink (`docs/collision.md` 5.1)? The land
/// below houses does not count, so whoever is in a room is not asked.
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

/// Polygons, or else cylinders, or else spheres (`docs/collision.md` 8.3).
fn is_in_thing(thing: &Obstacle<'_>, from: CellId, spheres: &[Sphere]) -> bool {
    if thing.state.contains(PhysicsState::ETHEREAL) {
        return false;
    }
    let Obstacle { position, scale, .. } = *thing;
    if thing.state.contains(PhysicsState::HAS_PHYSICS_BSP) {
        return thing.parts.iter().any(|part| {
            let frame = position.frame.combine_scaled(&part.frame, Vec3::ONE * scale);
            let place = CellPosition::new(position.cell, frame);
            touches(&part.solid, &place, part.scale * scale, from, spheres, true)
        });
    }
    let frame = &position.frame;
    shifted(from, position.cell, spheres).any(|sphere| {
        thing.cylinders.iter().any(|cylinder| is_in_cylinder(cylinder, frame, scale, &sphere))
            || (thing.cylinders.is_empty()
                && thing.spheres.iter().any(|own| {
                    let middle = frame.local_to_global(own.origin * scale);
                    (sphere.origin - middle).length() < sphere.radius + own.radius * scale
                }))
    })
}

/// Cylinders are upright, whatever stands on them (`docs/collision.md` 5.4).
fn is_in_cylinder(cylinder: &CylSphere, frame: &Frame, scale: f32, sphere: &Sphere) -> bool {
    let foot = frame.local_to_global(cylinder.origin * scale);
    let away = sphere.origin - foot;
    let height = cylinder.height * scale;
    let beside = away.x.hypot(away.y) < sphere.radius + cylinder.radius * scale;
    beside && away.z > -sphere.radius && away.z < height + sphere.radius
}

/// Does a sphere touch a polygon of a solid at a place, or, if it is closed, is its centre in there?
fn touches(
    solid: &Solid,
    place: &CellPosition,
    scale: f32,
    from: CellId,
    spheres: &[Sphere],
    is_closed: bool,
) -> bool {
    let scale = if scale > 0.0 { scale } else { 1.0 };
    shifted(from, place.cell, spheres).any(|sphere| {
        let origin = place.frame.global_to_local(sphere.origin) * (1.0 / scale);
        solid.intersects_solid(&Sphere { origin, radius: sphere.radius / scale }, is_closed)
    })
}
