//! Rooms in the making: boxes with openings, and how they hang together.

use acmotion_types::{Frame, Vec3};

use crate::builder::{Face, Plane, cell_struct};
use crate::id::DataId;
use crate::objects::{
    BuildingPortal, CellPortal, CellStruct, EnvCell, EnvCellFlags, Environment, PortalFlags, StaticObject,
};

/// What a room is painted with.
#[derive(Clone, Copy)]
pub(super) struct Paint {
    pub(super) wall: DataId,
    pub(super) floor: DataId,
    pub(super) ceiling: DataId,
}

/// A rectangle that stands upright: from one lower corner along a direction, so long and so high. It looks to the right
/// of its direction.
#[derive(Clone, Copy)]
pub(super) struct Upright {
    pub(super) from: Vec3,
    pub(super) along: Vec3,
    pub(super) length: f32,
    pub(super) height: f32,
}

impl Upright {
    /// The point so far along and so high.
    fn at(&self, along: f32, up: f32) -> Vec3 {
        self.from + self.along * along + Vec3::new(0.0, 0.0, up)
    }

    fn part(&self, [left, right]: [f32; 2], [low, high]: [f32; 2]) -> [Vec3; 4] {
        [self.at(left, low), self.at(right, low), self.at(right, high), self.at(left, high)]
    }

    /// Where an opening is in this rectangle: from, to, low, high; `None` if it is in another plane.
    fn find(&self, opening: &[Vec3]) -> Option<[f32; 4]> {
        let plane = Plane::from_polygon(&self.part([0.0, self.length], [0.0, self.height]));
        if opening.iter().any(|corner| plane.signed_distance(*corner).abs() > 1e-3) {
            return None;
        }
        let mut hole = [f32::MAX, f32::MIN, f32::MAX, f32::MIN];
        for corner in opening {
            let (along, up) = ((*corner - self.from).dot(self.along), corner.z - self.from.z);
            hole = [hole[0].min(along), hole[1].max(along), hole[2].min(up), hole[3].max(up)];
        }
        let is_in = hole[0] < self.length && hole[1] > 0.0 && hole[2] < self.height && hole[3] > 0.0;
        is_in.then_some(hole)
    }

    /// The wall around the openings that are in it: strips from one edge of an opening to the next.
    pub(super) fn wall(&self, surface: DataId, openings: &[Vec<Vec3>]) -> Vec<Face> {
        let holes: Vec<_> = openings.iter().filter_map(|opening| self.find(opening)).collect();
        let mut edges = vec![0.0, self.length];
        edges.extend(holes.iter().flat_map(|hole| [hole[0], hole[1]]));
        edges.retain(|edge| (0.0..=self.length).contains(edge));
        edges.sort_by(f32::total_cmp);
        let mut faces = Vec::new();
        for strip in edges.windows(2).filter(|strip| strip[1] - strip[0] > 1e-3) {
            let middle = 0.5 * (strip[0] + strip[1]);
            let hole = holes.iter().find(|hole| hole[0] < middle && middle < hole[1]);
            let [low, high] = hole.map_or([0.0, 0.0], |hole| [hole[2], hole[3]]);
            for part in [[0.0, low], [high, self.height]] {
                if part[1] - part[0] > 1e-3 {
                    faces.push(Face::new(surface, self.part([strip[0], strip[1]], part)));
                }
            }
        }
        faces
    }
}

/// The four walls of a box as seen from inside, by the direction in which they run: south, north, west, east wall.
fn walls(low: Vec3, high: Vec3) -> [Upright; 4] {
    let height = high.z - low.z;
    let wall = |x, y, dx: f32, dy: f32, length| Upright {
        from: Vec3::new(x, y, low.z),
        along: Vec3::new(dx, dy, 0.0),
        length,
        height,
    };
    let (wide, deep) = (high.x - low.x, high.y - low.y);
    [
        wall(high.x, low.y, -1.0, 0.0, wide),
        wall(low.x, high.y, 1.0, 0.0, wide),
        wall(low.x, low.y, 0.0, 1.0, deep),
        wall(high.x, high.y, 0.0, -1.0, deep),
    ]
}

/// A room: a box, cut by further planes, with things built into it.
pub(super) struct Room {
    pub(super) low: Vec3,
    pub(super) high: Vec3,
    /// Planes besides the box's; the room is before them.
    pub(super) cuts: Vec<Plane>,
    pub(super) paint: Paint,
    /// Stairs and slanted ceilings.
    pub(super) built_in: Vec<Face>,
    pub(super) objects: Vec<StaticObject>,
}

impl Room {
    pub(super) fn new(low: Vec3, high: Vec3, paint: Paint) -> Self {
        Self { low, high, cuts: Vec::new(), paint, built_in: Vec::new(), objects: Vec::new() }
    }

    fn faces(&self, openings: &[Vec<Vec3>]) -> Vec<Face> {
        let (low, high) = (self.low, self.high);
        let mut faces: Vec<_> =
            walls(low, high).iter().flat_map(|wall| wall.wall(self.paint.wall, openings)).collect();
        let level = |z| {
            [[low.x, low.y], [high.x, low.y], [high.x, high.y], [low.x, high.y]]
                .map(|[x, y]| Vec3::new(x, y, z))
        };
        faces.push(Face::new(self.paint.ceiling, level(high.z)).flipped());
        faces.push(Face::new(self.paint.floor, level(low.z)));
        for plane in &self.cuts {
            faces = faces.iter().filter_map(|face| face.clipped(plane)).collect();
        }
        faces.extend(self.built_in.iter().cloned());
        faces
    }
}

/// An opening between two rooms, or to the land: its corners, counter-clockwise as seen from the first room.
pub(super) struct Opening {
    pub(super) from: usize,
    pub(super) to: Option<usize>,
    pub(super) corners: Vec<Vec3>,
}

/// The rooms of a building, all in the building's own axes.
pub(super) struct Interior {
    pub(super) environment: DataId,
    /// The landblock, and the number of the first cell in it.
    pub(super) block: u16,
    pub(super) first: u16,
    pub(super) frame: Frame,
    pub(super) rooms: Vec<Room>,
    pub(super) openings: Vec<Opening>,
}

impl Interior {
    /// The number of a room's cell in its landblock.
    pub(super) fn low_word(&self, room: usize) -> u16 {
        self.first + room as u16
    }

    /// A room's openings: each with its corners as seen from it, and what is behind.
    fn openings_of(&self, room: usize) -> Vec<(usize, Vec<Vec3>, Option<usize>)> {
        let mut found = Vec::new();
        for (at, opening) in self.openings.iter().enumerate() {
            if opening.from == room {
                found.push((at, opening.corners.clone(), opening.to));
            } else if opening.to == Some(room) {
                let corners = opening.corners.iter().rev().copied().collect();
                found.push((at, corners, Some(opening.from)));
            }
        }
        found
    }

    fn shape(&self, room: usize) -> (CellStruct, Vec<DataId>) {
        let at = &self.rooms[room];
        let openings: Vec<_> = self.openings_of(room).into_iter().map(|(_, corners, _)| corners).collect();
        let planes = [Plane::around(at.low, at.high).as_slice(), &at.cuts].concat();
        cell_struct(&at.faces(&openings), &openings, &planes)
    }

    /// The shapes of all rooms.
    pub(super) fn environment(&self) -> Environment {
        let structures = (0..self.rooms.len()).map(|room| (room as u32, self.shape(room).0));
        Environment { id: self.environment, structures: structures.collect() }
    }

    /// The cells.
    pub(super) fn cells(&self) -> Vec<EnvCell> {
        (0..self.rooms.len()).map(|room| self.cell(room)).collect()
    }

    fn all(&self) -> Vec<u16> {
        (0..self.rooms.len()).map(|room| self.low_word(room)).collect()
    }

    fn cell(&self, room: usize) -> EnvCell {
        let (shape, surfaces) = self.shape(room);
        let objects = self.rooms[room].objects.clone();
        let mut flags = EnvCellFlags::SEEN_OUTSIDE;
        flags.set(EnvCellFlags::OBJECTS, !objects.is_empty());
        let portals = self.openings_of(room).into_iter().zip(&shape.portals);
        EnvCell {
            id: DataId(u32::from(self.block) << 16 | u32::from(self.low_word(room))),
            flags,
            surfaces: surfaces.iter().map(|surface| surface.0 as u16).collect(),
            environment: self.environment.0 as u16,
            structure: room as u16,
            frame: self.frame,
            portals: portals.map(|((at, _, to), polygon)| self.portal(at, to, *polygon)).collect(),
            visible: self.all(),
            objects,
            restriction: None,
        }
    }

    fn portal(&self, opening: usize, to: Option<usize>, polygon: u16) -> CellPortal {
        let place = |room| self.openings_of(room).iter().position(|(at, ..)| *at == opening);
        CellPortal {
            flags: PortalFlags::empty(),
            polygon,
            other_cell: to.map_or(CellPortal::OUTSIDE, |room| self.low_word(room)),
            other_portal: to.and_then(place).unwrap_or(0) as u16,
        }
    }

    /// The openings to the land, as the building knows them.
    pub(super) fn building_portals(&self) -> Vec<BuildingPortal> {
        let outward = self.openings.iter().enumerate().filter(|(_, opening)| opening.to.is_none());
        let portal = |(at, opening): (usize, &Opening)| {
            let place = self.openings_of(opening.from).iter().position(|(other, ..)| *other == at);
            BuildingPortal {
                flags: PortalFlags::empty(),
                other_cell: self.low_word(opening.from),
                other_portal: place.unwrap_or(0) as u16,
                visible: self.all(),
                padding: [0; 3],
            }
        };
        outward.map(portal).collect()
    }
}

/// Corners of an upright opening in a plane of constant x, as seen from the west or from the east.
pub(super) fn opening_x(x: f32, y: [f32; 2], z: [f32; 2], from_west: bool) -> Vec<Vec3> {
    let mut corners: Vec<_> =
        [[y[1], z[0]], [y[0], z[0]], [y[0], z[1]], [y[1], z[1]]].map(|[y, z]| Vec3::new(x, y, z)).into();
    if !from_west {
        corners.reverse();
    }
    corners
}

/// Corners of an upright opening in a plane of constant y, as seen from the south or from the north.
pub(super) fn opening_y(y: f32, x: [f32; 2], z: [f32; 2], from_south: bool) -> Vec<Vec3> {
    let mut corners: Vec<_> =
        [[x[0], z[0]], [x[1], z[0]], [x[1], z[1]], [x[0], z[1]]].map(|[x, z]| Vec3::new(x, y, z)).into();
    if !from_south {
        corners.reverse();
    }
    corners
}

/// A flight of stairs that rises to the north: its foot's lower corners are `low.x` and `right` at `low.y`, `low.z`.
pub(super) struct Flight {
    pub(super) low: Vec3,
    pub(super) right: f32,
    pub(super) rise: f32,
    pub(super) tread: f32,
    pub(super) steps: usize,
}

impl Flight {
    /// Treads and risers, the highest first: so the trees cut nothing.
    pub(super) fn faces(&self, tread: DataId, riser: DataId) -> Vec<Face> {
        let (left, right) = (self.low.x, self.right);
        let mut faces = Vec::new();
        for step in (0..self.steps).rev() {
            let (y, z) = (self.low.y + self.tread * step as f32, self.low.z + self.rise * step as f32);
            let (back, top) = (y + self.tread, z + self.rise);
            let v = Vec3::new;
            let level = [v(left, y, top), v(right, y, top), v(right, back, top), v(left, back, top)];
            let front = [v(left, y, z), v(right, y, z), v(right, y, top), v(left, y, top)];
            faces.push(Face::new(tread, level));
            faces.push(Face::new(riser, front));
        }
        faces
    }

    /// The plane through the inner corners of the steps, lowered by so much; up is before it.
    pub(super) fn pitch(&self, lowered: f32) -> Plane {
        let along = Vec3::new(0.0, self.tread, self.rise);
        let (a, across) = (self.low - Vec3::new(0.0, 0.0, lowered), Vec3::new(1.0, 0.0, 0.0));
        Plane::from_polygon(&[a, a + across, a + across + along, a + along])
    }
}
