//! Which cells spheres are in (`docs/collision.md` 7.1 to 7.3).

use acmotion_dat::Sphere;
use acmotion_types::{CELL_LENGTH, CellId, CellPosition, EPS, Vec3};

use super::{Building, Cell, CellArray, Room, Scene};

/// Where a body's first sphere is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Containing {
    /// The cell that contains its centre; a room before land.
    pub cell: Option<CellId>,
    /// Does the body reach into a room?
    pub hits_interior: bool,
}

impl Scene {
    /// Finds the cells that spheres are in, given in the axes of the landblock of `at`, and the one that contains the
    /// centre of the first (`docs/collision.md` 7.1).
    pub fn find_cell_list(&self, at: &CellPosition, spheres: &[Sphere], cells: &mut CellArray) -> Containing {
        let mut found = Containing::default();
        cells.clear();
        if let Some(land) = self.land(at.cell).filter(|_| are_within(at.cell, spheres)) {
            // Most bodies, most of the time: on the land, clear of the borders of their cell, away from any door.
            cells.added_outside = true;
            cells.add(at.cell);
            if land.building().is_none() {
                return Containing { cell: Some(at.cell), hits_interior: false };
            }
        } else if at.cell.is_indoor() {
            found.hits_interior = true;
            cells.add(at.cell);
        } else {
            add_outside_once(at, spheres, cells);
        }
        let Some(first) = spheres.first() else { return found };
        if self.cell(at.cell).is_none() {
            return found;
        }
        let mut place = 0;
        while let Some(id) = cells.get(place) {
            match self.cell(id) {
                Some(Cell::Land(land)) => {
                    add_outside_once(at, spheres, cells);
                    if let Some(building) = land.building() {
                        found.hits_interior |= self.add_rooms_behind(building, at.cell, spheres, cells);
                    }
                }
                Some(Cell::Room(room)) => self.add_neighbours(room, at, spheres, cells),
                None => {}
            }
            place += 1;
        }
        self.find_containing(at.cell, first.origin, cells, &mut found);
        if let Some(room) = self.room(at.cell).filter(|_| cells.only_visible) {
            cells.keep(|cell| cell == at.cell || room.visible.contains(&cell));
        }
        found
    }

    /// The cell that contains a point of `from`'s landblock: the first room, else the last piece of land.
    fn find_containing(&self, from: CellId, point: Vec3, cells: &CellArray, found: &mut Containing) {
        for cell in cells.iter().filter_map(|id| self.cell(id)) {
            if !cell.contains(point - from.block_offset(cell.id())) {
                continue;
            }
            found.cell = Some(cell.id());
            if matches!(cell, Cell::Room(_)) {
                found.hits_interior = true;
                return;
            }
        }
    }

    /// Adds the rooms behind a building's doors that a sphere reaches into; says whether there are any.
    fn add_rooms_behind(
        &self,
        building: &Building,
        from: CellId,
        spheres: &[Sphere],
        cells: &mut CellArray,
    ) -> bool {
        let mut any = false;
        for portal in building.portals.iter().filter(|portal| portal.other_portal >= 0) {
            if let Some(room) = self.room(portal.room).filter(|room| is_met(room, from, spheres)) {
                any = true;
                cells.add(room.id());
            }
        }
        any
    }

    /// Adds what is behind the ways out of a room that a sphere comes near.
    fn add_neighbours(&self, room: &Room, at: &CellPosition, spheres: &[Sphere], cells: &mut CellArray) {
        let mut to_outside = false;
        for portal in &room.portals {
            let Some(other) = portal.other else {
                to_outside |= locals(room, at.cell, spheres).any(|sphere| portal.is_touched(&sphere));
                continue;
            };
            let is_reached = match self.room(other) {
                Some(other) => is_met(other, at.cell, spheres),
                None => locals(room, at.cell, spheres).any(|sphere| portal.is_passed(&sphere)),
            };
            if is_reached {
                cells.add(other);
            }
        }
        if to_outside {
            add_outside_once(at, spheres, cells);
        }
    }
}

/// Are spheres, in the axes of the landblock of an outdoor cell, clear of its borders?
#[inline]
fn are_within(cell: CellId, spheres: &[Sphere]) -> bool {
    let index = cell.low().wrapping_sub(1);
    let (west, south) = (f32::from(index >> 3) * CELL_LENGTH, f32::from(index & 7) * CELL_LENGTH);
    let is_within = |v: f32, radius: f32| v > radius && v < CELL_LENGTH - radius;
    !spheres.is_empty()
        && spheres.iter().all(|Sphere { origin, radius }| {
            is_within(origin.x - west, *radius) && is_within(origin.y - south, *radius)
        })
}

/// Does one of the spheres, in the axes of `from`'s landblock, reach into a room?
fn is_met(room: &Room, from: CellId, spheres: &[Sphere]) -> bool {
    locals(room, from, spheres).any(|sphere| room.inside.meets(&sphere))
}

/// Spheres of `from`'s landblock in a room's own axes.
fn locals<'a>(room: &'a Room, from: CellId, spheres: &'a [Sphere]) -> impl Iterator<Item = Sphere> + 'a {
    let offset = from.block_offset(room.id());
    spheres.iter().map(move |sphere| room.localised(&Sphere { origin: sphere.origin - offset, ..*sphere }))
}

fn add_outside_once(at: &CellPosition, spheres: &[Sphere], cells: &mut CellArray) {
    if !std::mem::replace(&mut cells.added_outside, true) {
        outside_cells(at, spheres, cells);
    }
}

/// Adds the outdoor cells that spheres are in, given in the axes of the landblock of `at`, whether they are there or not;
/// without spheres the cell of the place itself (`docs/collision.md` 7.2).
#[doc(alias = "add_all_outside_cells")]
pub fn outside_cells(at: &CellPosition, spheres: &[Sphere], cells: &mut CellArray) {
    if spheres.is_empty() {
        if let Some(place) = Place::of(at.cell, at.frame.origin) {
            place.add(0, 0, cells);
        }
        return;
    }
    for sphere in spheres {
        let Some(place) = Place::of(at.cell, sphere.origin) else { return };
        place.add_with_neighbours(sphere.radius, cells);
    }
}

/// The global cell coordinate of a coordinate of a landblock, and what is left of it within the cell; none far beyond any
/// map, or for what is not a number.
#[inline]
pub(super) fn cell_coordinate(block: u8, v: f32) -> Option<(i64, f32)> {
    let v = if v.abs() < EPS { 0.0 } else { v };
    let cells = (v / CELL_LENGTH).floor();
    (cells.abs() < 1e6).then(|| (i64::from(block) * 8 + cells as i64, v - cells * CELL_LENGTH))
}

/// Returns the outdoor cell under a point given in the axes of `from`'s landblock; `None` off the map.
pub(in crate::collide) fn outdoor_cell_at(from: CellId, point: Vec3) -> Option<CellId> {
    let Place { cell: [x, y], .. } = Place::of(from, point)?;
    CellId::outdoor(x, y)
}

/// A place on the land.
struct Place {
    /// Global cell coordinates.
    cell: [i64; 2],
    /// Within the cell.
    x: f32,
    y: f32,
}

impl Place {
    /// The place of a point of `from`'s landblock, if that is on the map (rule A13).
    fn of(from: CellId, point: Vec3) -> Option<Self> {
        if !from.is_valid() {
            return None;
        }
        let (cell_x, x) = cell_coordinate(from.block_x(), point.x)?;
        let (cell_y, y) = cell_coordinate(from.block_y(), point.y)?;
        CellId::outdoor(cell_x, cell_y)?;
        Some(Self { cell: [cell_x, cell_y], x, y })
    }

    /// Adds the cell so far to the east and north, if it is on the map.
    fn add(&self, east: i64, north: i64, cells: &mut CellArray) {
        if let Some(cell) = CellId::outdoor(self.cell[0] + east, self.cell[1] + north) {
            cells.add(cell);
        }
    }

    fn add_with_neighbours(&self, radius: f32, cells: &mut CellArray) {
        let far = CELL_LENGTH - radius;
        self.add(0, 0, cells);
        for (east, is_near) in [(1, self.x > far), (-1, self.x < radius)] {
            if is_near {
                self.add(east, 0, cells);
                if self.y > far {
                    self.add(east, 1, cells);
                }
                if self.y < radius {
                    self.add(east, -1, cells);
                }
            }
        }
        if self.y > far {
            self.add(0, 1, cells);
        }
        if self.y < radius {
            self.add(0, -1, cells);
        }
    }
}
