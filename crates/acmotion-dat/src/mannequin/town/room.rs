//! Construction of rooms: boxes with openings, and the portals that link them.

use acmotion_types::{Frame, Vec3};

use crate::builder::{MeshFace, Plane, cell_struct};
use crate::id::DataId;
use crate::objects::{
    BuildingPortal, CellPortal, CellStruct, EnvCell, EnvCellFlags, Environment, PortalFlags, StaticObject,
};

/// The surfaces of a room.
#[derive(Clone, Copy)]
pub(super) struct RoomSurfaces {
    pub(super) wall: DataId,
    pub(super) floor: DataId,
    pub(super) ceiling: DataId,
}

/// An upright rectangle: from a lower corner along a horizontal direction. It faces to the right of the direction.
#[derive(Clone, Copy)]
pub(super) struct WallRect {
    pub(super) from: Vec3,
    pub(super) along: Vec3,
    pub(super) length: f32,
    pub(super) height: f32,
}

impl WallRect {
    /// Returns the point `along` metres along the rectangle and `up` metres above its lower edge.
    fn at(&self, along: f32, up: f32) -> Vec3 {
        self.from + self.along * along + Vec3::new(0.0, 0.0, up)
    }

    fn part(&self, [left, right]: [f32; 2], [low, high]: [f32; 2]) -> [Vec3; 4] {
        [self.at(left, low), self.at(right, low), self.at(right, high), self.at(left, high)]
    }

    /// Returns the extent of an opening in this rectangle as start, end, bottom and top, or `None` if the opening is
    /// not in it.
    fn hole_of(&self, opening: &[Vec3]) -> Option<[f32; 4]> {
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

    /// Returns the faces of a wall around the openings in it: strips between the vertical edges of the openings.
    pub(super) fn wall(&self, surface: DataId, openings: &[Vec<Vec3>]) -> Vec<MeshFace> {
        let holes: Vec<_> = openings.iter().filter_map(|opening| self.hole_of(opening)).collect();
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
                    faces.push(MeshFace::new(surface, self.part([strip[0], strip[1]], part)));
                }
            }
        }
        faces
    }
}

/// Returns the four inward-facing walls of a box: south, north, west, east.
fn walls(low: Vec3, high: Vec3) -> [WallRect; 4] {
    let height = high.z - low.z;
    let wall = |x, y, dx: f32, dy: f32, length| WallRect {
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

/// A room: a box, clipped by further planes, with built-in faces and objects.
pub(super) struct RoomSpec {
    pub(super) low: Vec3,
    pub(super) high: Vec3,
    /// Planes that clip the box; the room is in front of them.
    pub(super) cuts: Vec<Plane>,
    pub(super) surfaces: RoomSurfaces,
    /// Stairs and slanted ceilings.
    pub(super) built_in: Vec<MeshFace>,
    pub(super) objects: Vec<StaticObject>,
}

impl RoomSpec {
    pub(super) fn new(low: Vec3, high: Vec3, surfaces: RoomSurfaces) -> Self {
        Self { low, high, cuts: Vec::new(), surfaces, built_in: Vec::new(), objects: Vec::new() }
    }

    fn faces(&self, openings: &[Vec<Vec3>]) -> Vec<MeshFace> {
        let (low, high) = (self.low, self.high);
        let mut faces: Vec<_> =
            walls(low, high).iter().flat_map(|wall| wall.wall(self.surfaces.wall, openings)).collect();
        let level = |z| {
            [[low.x, low.y], [high.x, low.y], [high.x, high.y], [low.x, high.y]]
                .map(|[x, y]| Vec3::new(x, y, z))
        };
        faces.push(MeshFace::new(self.surfaces.ceiling, level(high.z)).flipped());
        faces.push(MeshFace::new(self.surfaces.floor, level(low.z)));
        for plane in &self.cuts {
            faces = faces.iter().filter_map(|face| face.clipped(plane)).collect();
        }
        faces.extend(self.built_in.iter().cloned());
        faces
    }
}

/// An opening between two rooms, or from a room to the land if `to` is `None`. The corners are counter-clockwise as
/// seen from the first room.
pub(super) struct Opening {
    pub(super) from: usize,
    pub(super) to: Option<usize>,
    pub(super) corners: Vec<Vec3>,
}

/// The rooms of a building, in the building's axes.
pub(super) struct Interior {
    pub(super) environment: DataId,
    /// The landblock, and the lower 16 bits of the first room's id.
    pub(super) block: u16,
    pub(super) first_cell: u16,
    pub(super) frame: Frame,
    pub(super) rooms: Vec<RoomSpec>,
    pub(super) openings: Vec<Opening>,
}

impl Interior {
    /// Returns the lower 16 bits of a room's id.
    pub(super) fn low_word(&self, room: usize) -> u16 {
        self.first_cell + room as u16
    }

    /// Returns a room's openings: each with its index, its corners as seen from the room, and the room behind it.
    fn openings_of(&self, room: usize) -> Vec<(usize, Vec<Vec3>, Option<usize>)> {
        let mut found = Vec::new();
        for (index, opening) in self.openings.iter().enumerate() {
            if opening.from == room {
                found.push((index, opening.corners.clone(), opening.to));
            } else if opening.to == Some(room) {
                let corners = opening.corners.iter().rev().copied().collect();
                found.push((index, corners, Some(opening.from)));
            }
        }
        found
    }

    fn shape(&self, index: usize) -> (CellStruct, Vec<DataId>) {
        let room = &self.rooms[index];
        let openings: Vec<_> = self.openings_of(index).into_iter().map(|(_, corners, _)| corners).collect();
        let planes = [Plane::box_interior(room.low, room.high).as_slice(), &room.cuts].concat();
        cell_struct(&room.faces(&openings), &openings, &planes)
    }

    /// Returns the shapes of all rooms.
    pub(super) fn environment(&self) -> Environment {
        let structures = (0..self.rooms.len()).map(|room| (room as u32, self.shape(room).0));
        Environment { id: self.environment, structures: structures.collect() }
    }

    /// Returns all rooms.
    pub(super) fn cells(&self) -> Vec<EnvCell> {
        (0..self.rooms.len()).map(|room| self.cell(room)).collect()
    }

    fn all_low_words(&self) -> Vec<u16> {
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
            portals: portals.map(|((index, _, to), polygon)| self.portal(index, to, *polygon)).collect(),
            visible: self.all_low_words(),
            objects,
            restriction: None,
        }
    }

    fn portal(&self, opening: usize, to: Option<usize>, polygon: u16) -> CellPortal {
        let portal_index = |room| self.openings_of(room).iter().position(|(index, ..)| *index == opening);
        CellPortal {
            flags: PortalFlags::empty(),
            polygon,
            other_cell: to.map_or(CellPortal::OUTSIDE, |room| self.low_word(room)),
            other_portal: to.and_then(portal_index).unwrap_or(0) as u16,
        }
    }

    /// Returns the portals from the land into the building.
    pub(super) fn building_portals(&self) -> Vec<BuildingPortal> {
        let outward = self.openings.iter().enumerate().filter(|(_, opening)| opening.to.is_none());
        let portal = |(index, opening): (usize, &Opening)| {
            let portal_index = self.openings_of(opening.from).iter().position(|(other, ..)| *other == index);
            BuildingPortal {
                flags: PortalFlags::empty(),
                other_cell: self.low_word(opening.from),
                other_portal: portal_index.unwrap_or(0) as u16,
                visible: self.all_low_words(),
                padding: [0; 3],
            }
        };
        outward.map(portal).collect()
    }
}

/// Returns the corners of an upright opening in a plane of constant x, as seen from the west or from the east.
pub(super) fn opening_x(x: f32, y: [f32; 2], z: [f32; 2], from_west: bool) -> Vec<Vec3> {
    let mut corners: Vec<_> =
        [[y[1], z[0]], [y[0], z[0]], [y[0], z[1]], [y[1], z[1]]].map(|[y, z]| Vec3::new(x, y, z)).into();
    if !from_west {
        corners.reverse();
    }
    corners
}

/// Returns the corners of an upright opening in a plane of constant y, as seen from the south or from the north.
pub(super) fn opening_y(y: f32, x: [f32; 2], z: [f32; 2], from_south: bool) -> Vec<Vec3> {
    let mut corners: Vec<_> =
        [[x[0], z[0]], [x[1], z[0]], [x[1], z[1]], [x[0], z[1]]].map(|[x, z]| Vec3::new(x, y, z)).into();
    if !from_south {
        corners.reverse();
    }
    corners
}

/// A flight of stairs that rises to the north. Its lower edge runs from `low` to x coordinate `right`.
pub(super) struct StairFlight {
    pub(super) low: Vec3,
    pub(super) right: f32,
    pub(super) rise: f32,
    pub(super) tread: f32,
    pub(super) steps: usize,
}

impl StairFlight {
    /// Returns the treads and risers, the highest first, so that the trees split no polygon.
    pub(super) fn faces(&self, tread: DataId, riser: DataId) -> Vec<MeshFace> {
        let (left, right) = (self.low.x, self.right);
        let mut faces = Vec::new();
        for step in (0..self.steps).rev() {
            let (y, z) = (self.low.y + self.tread * step as f32, self.low.z + self.rise * step as f32);
            let (back, top) = (y + self.tread, z + self.rise);
            let v = Vec3::new;
            let level = [v(left, y, top), v(right, y, top), v(right, back, top), v(left, back, top)];
            let front = [v(left, y, z), v(right, y, z), v(right, y, top), v(left, y, top)];
            faces.push(MeshFace::new(tread, level));
            faces.push(MeshFace::new(riser, front));
        }
        faces
    }

    /// Returns the plane through the inner corners of the steps, lowered by `lowered` metres and facing up.
    pub(super) fn slope_plane(&self, lowered: f32) -> Plane {
        let along = Vec3::new(0.0, self.tread, self.rise);
        let (a, across) = (self.low - Vec3::new(0.0, 0.0, lowered), Vec3::new(1.0, 0.0, 0.0));
        Plane::from_polygon(&[a, a + across, a + across + along, a + along])
    }
}
