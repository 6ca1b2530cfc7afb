//! What a line meets on its way through the cells of a scene. Used for lines of sight and for the ground below a point.

use std::ops::ControlFlow;

use acmotion_dat::{CylSphere, Sphere};
use acmotion_types::{CELL_LENGTH, CellId, CellPosition, Frame, Vec3};
use acmotion_wire::PhysicsState;

use super::line_cells::{LandCellsOnLine, LineRooms, OUTDOORS};
use super::{LandCell, Scene};
use crate::collide::geometry::{Line, Solid, Span};
use crate::collide::{LANDING_Z, Obstacle, ObstacleFlags, Obstacles, Surface};

/// The distance from a surface, in metres, at which is tested whether it is outdoors.
const NUDGE: f32 = 0.02;

/// Which surfaces count.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Counted {
    /// All.
    All,
    /// Those that a body can land on from above. The line leads straight down, and land is left out.
    Ground,
}

/// A line through a scene, the rooms that it passes through, and the first surface found on it so far.
pub(super) struct LineQuery<'a> {
    scene: &'a Scene,
    obstacles: &'a dyn Obstacles,
    /// The cell in whose landblock's axes the line is given.
    base: CellId,
    line: Line,
    /// The part of the line on which surfaces are searched for. It ends at the first one found.
    pub(super) span: Span,
    counted: Counted,
    pub(super) rooms: LineRooms,
    /// The number of rooms that have been tested.
    tested: usize,
    /// Whether the outdoors are on the line.
    pub(super) is_outdoors: bool,
    pub(super) found: Option<LineHit>,
}

/// A surface on a line.
#[derive(Clone, Copy)]
pub(super) struct LineHit {
    pub(super) share: f32,
    pub(super) normal: Vec3,
    pub(super) cell: CellId,
    pub(super) surface: Surface,
}

impl<'a> LineQuery<'a> {
    pub(super) fn new(
        scene: &'a Scene,
        obstacles: &'a dyn Obstacles,
        base: CellId,
        line: Line,
        span: Span,
        counted: Counted,
    ) -> Self {
        Self {
            scene,
            obstacles,
            base,
            line,
            span,
            counted,
            rooms: LineRooms::new(),
            tested: 0,
            is_outdoors: false,
            found: None,
        }
    }

    /// Starts from a cell that contains one end of the line. Returns its node; `None` if there are too many rooms.
    pub(super) fn start_in(&mut self, cell: CellId) -> Option<usize> {
        if cell.is_outdoor() {
            self.is_outdoors = true;
            return Some(OUTDOORS);
        }
        self.rooms.add(cell)
    }

    /// Tests everything in the rooms that were started in and those behind their portals.
    pub(super) fn test_rooms(&mut self) {
        while let Some(id) = self.rooms.get(self.tested + 1) {
            self.tested += 1;
            self.test_room(self.tested, id);
        }
    }

    fn test_room(&mut self, node: usize, id: CellId) {
        let scene = self.scene;
        let Some(room) = scene.room(id) else { return };
        let line = room.line_to_local(&self.line_from(id));
        if let Some(solid) = room.solid.as_deref() {
            self.test_solid(solid, &line, room.position().frame, id, Surface::Room);
        }
        self.test_listed(id);
        let Some(span) = room.span_of(&line) else { return };
        if room.leads_outside(&line, span) {
            self.is_outdoors = true;
            self.rooms.connect(node, OUTDOORS);
        }
        for other in room.portals.iter().filter_map(|portal| portal.other) {
            self.add_room(other, node);
        }
    }

    /// Adds a room that is connected to a node, if the line passes through it before the first surface found.
    fn add_room(&mut self, id: CellId, from: usize) {
        let scene = self.scene;
        let Some(room) = scene.room(id) else { return };
        let span = room.span_of(&room.line_to_local(&self.line_from(id)));
        if span.is_some_and(|span| span.from <= self.span.to)
            && let Some(node) = self.rooms.add(id)
        {
            self.rooms.connect(node, from);
        }
    }

    /// Tests everything on land along the line, and the rooms of the buildings there, if the outdoors are on the line.
    pub(super) fn test_land(&mut self) {
        if !self.is_outdoors {
            return;
        }
        let mut side = None;
        for (id, span) in LandCellsOnLine::new(self.base, &self.line) {
            match id.and_then(|id| self.scene.land(id)) {
                Some(land) => self.test_land_cell(&land, span, &mut side),
                None => side = None,
            }
            if self.span.to <= span.to {
                return;
            }
        }
    }

    fn test_land_cell(&mut self, land: &LandCell<'a>, span: Span, side: &mut Option<bool>) {
        let id = land.id();
        if let Some(building) = land.building() {
            for portal in building.portals.iter().filter(|portal| portal.other_portal >= 0) {
                self.add_room(portal.room, OUTDOORS);
            }
            self.test_rooms();
        }
        if self.counted == Counted::All {
            self.test_terrain(land, span, side);
        }
        if let Some(building) = land.building()
            && let Some(solid) = building.solid.as_deref()
        {
            let (frame, line) = (building.position.frame, self.line_from(building.position.cell));
            let local = scaled(&in_frame(&frame, &line), building.scale);
            self.test_solid(solid, &local, frame, id, Surface::Building);
        }
        self.test_listed(id);
    }

    /// Tests the two triangles of a land cell. `side` is the side of the land, `true` above, on which the line left the
    /// cell before.
    fn test_terrain(&mut self, land: &LandCell<'_>, span: Span, side: &mut Option<bool>) {
        let (terrain, index) = (land.terrain(), land.index());
        let line = self.line_from(land.id());
        let (west, south) = ((index / 8) as f32 * CELL_LENGTH, (index % 8) as f32 * CELL_LENGTH);
        // Positive in the first triangle, as in `Terrain::triangle_at`.
        let is_cut_from_south_west = terrain.is_cut_from_south_west(index);
        let depth = |share: f32| {
            let Vec3 { x, y, .. } = line.at(share);
            if is_cut_from_south_west {
                (x - west) - (y - south)
            } else {
                CELL_LENGTH - (x - west) - (y - south)
            }
        };
        let (start, end) = (depth(span.from), depth(span.to));
        let cut = if (start < 0.0) == (end < 0.0) {
            span.to
        } else {
            span.from + (span.to - span.from) * (start / (start - end))
        };
        for (from, to) in [(span.from, cut), (cut, span.to)] {
            if from >= to && span.from < span.to {
                continue;
            }
            let which = usize::from(depth(0.5 * (from + to)) < 0.0);
            let plane = terrain.plane(index, which);
            let (before, after) = (plane.distance(line.at(from)), plane.distance(line.at(to)));
            let is_above = before >= 0.0;
            let crossing = if side.is_some_and(|side| side != is_above) {
                // Rounding put the border of two triangles on different sides.
                Some(from)
            } else if is_above != (after >= 0.0) {
                Some(from + (to - from) * (before / (before - after)))
            } else {
                None
            };
            *side = Some(after >= 0.0);
            if let Some(share) = crossing {
                self.record(share, plane.normal, land.id(), Surface::Land);
            }
        }
    }

    /// Tests the scenery and the obstacles of a cell.
    fn test_listed(&mut self, cell: CellId) {
        let scene = self.scene;
        for scenery in scene.scenery(cell) {
            self.test_obstacle(&scenery.obstacle(), cell, Surface::Scenery);
        }
        self.obstacles.visit(cell, &mut |obstacle| {
            self.test_obstacle(obstacle, cell, Surface::Entity(obstacle.guid));
            ControlFlow::Continue(())
        });
    }

    /// Tests the shapes of an obstacle, of which only one kind counts (`docs/collision.md` 8.3). Ethereal objects, missiles
    /// and attached objects block nothing.
    fn test_obstacle(&mut self, obstacle: &Obstacle<'_>, cell: CellId, surface: Surface) {
        let passes = PhysicsState::ETHEREAL | PhysicsState::MISSILE;
        if obstacle.state.intersects(passes) || obstacle.flags.contains(ObstacleFlags::PARENTED) {
            return;
        }
        let Obstacle { position, scale, parts, cylinders, spheres, .. } = *obstacle;
        let line = self.line_from(position.cell);
        if obstacle.state.contains(PhysicsState::HAS_PHYSICS_BSP) {
            for part in parts {
                let frame = position.frame.combine_scaled(&part.frame, Vec3::ONE * scale);
                let local = scaled(&in_frame(&frame, &line), part.scale * scale);
                self.test_solid(&part.solid, &local, frame, cell, surface);
            }
        } else if !cylinders.is_empty() {
            for CylSphere { origin, radius, height } in cylinders {
                let base = position.frame.local_to_global(*origin * scale);
                self.test_cylinder(&line.shifted(base), [radius * scale, height * scale], cell, surface);
            }
        } else {
            for Sphere { origin, radius } in spheres {
                let centre = position.frame.local_to_global(*origin * scale);
                self.test_sphere(&line.shifted(centre), radius * scale, cell, surface);
            }
        }
    }

    /// Tests a solid against the line in its own axes; `frame` is that of the solid.
    fn test_solid(&mut self, solid: &Solid, local: &Line, frame: Frame, cell: CellId, surface: Surface) {
        if !(local.from.is_finite() && local.along.is_finite()) {
            return;
        }
        let matrix = frame.matrix();
        let (counted, is_outdoor) = (self.counted, cell.is_outdoor());
        let mut span = self.span;
        // A surface that does not count because it is in a room may hide one that does.
        while let Some((share, id)) = solid.first_on_line(local, span, &|polygon| match counted {
            Counted::All => true,
            Counted::Ground => matrix.apply(polygon.plane.normal).z > LANDING_Z,
        }) {
            let normal = matrix.apply(solid.polygon(id).plane.normal);
            if !is_outdoor || surface != Surface::Building || self.is_outdoors_at(share) {
                return self.record(share, normal, cell, surface);
            }
            span.from = share.next_up();
        }
    }

    /// Tests an upright cylinder against the line relative to the centre of its base.
    fn test_cylinder(&mut self, line: &Line, [radius, height]: [f32; 2], cell: CellId, surface: Surface) {
        let (low, high) = (height.min(0.0), height.max(0.0));
        let Line { from, along } = *line;
        for (z, normal) in [(high, Vec3::new(0.0, 0.0, 1.0)), (low, Vec3::new(0.0, 0.0, -1.0))] {
            let share = (z - from.z) / along.z;
            let Vec3 { x, y, .. } = line.at(share);
            if x * x + y * y <= radius * radius {
                self.record(share, normal, cell, surface);
            }
        }
        let flat = |v: Vec3| Vec3 { z: 0.0, ..v };
        for share in crossings(&Line { from: flat(from), along: flat(along) }, radius).into_iter().flatten() {
            let there = line.at(share);
            if there.z >= low && there.z <= high {
                self.record(share, flat(there) * (1.0 / radius), cell, surface);
            }
        }
    }

    /// Tests a sphere against the line relative to its centre.
    fn test_sphere(&mut self, line: &Line, radius: f32, cell: CellId, surface: Surface) {
        for share in crossings(line, radius).into_iter().flatten() {
            self.record(share, line.at(share) * (1.0 / radius), cell, surface);
        }
    }

    /// Records a surface, if it counts and is the first so far. The line reaches land only where it is outdoors.
    fn record(&mut self, share: f32, normal: Vec3, cell: CellId, surface: Surface) {
        let is_first = self.span.contains(share) && self.found.is_none_or(|found| share < found.share);
        let counts = match self.counted {
            Counted::All => surface != Surface::Land || self.is_outdoors_at(share),
            Counted::Ground => normal.z > LANDING_Z,
        };
        if is_first && counts {
            self.found = Some(LineHit { share, normal, cell, surface });
            self.span.to = share;
        }
    }

    /// Returns `true` if the line is outdoors just before or just behind a share of it: not both are in a room. A room
    /// takes precedence over land (`docs/collision.md` 7.1).
    pub(super) fn is_outdoors_at(&self, share: f32) -> bool {
        let nudge = self.line.along * (NUDGE / self.line.along.length());
        let point = self.line.at(share);
        !(self.is_in_room(point - nudge) && self.is_in_room(point + nudge))
    }

    fn is_in_room(&self, point: Vec3) -> bool {
        self.rooms
            .ids()
            .iter()
            .filter_map(|id| self.scene.room(*id))
            .any(|room| room.contains(point - self.base.block_offset(room.id())))
    }

    /// Returns the line in the axes of another cell's landblock.
    fn line_from(&self, cell: CellId) -> Line {
        self.line.shifted(self.base.block_offset(cell))
    }

    /// Returns the position of a share of the line, in a cell.
    pub(super) fn position(&self, share: f32, cell: CellId) -> CellPosition {
        CellPosition::at(cell, self.line_from(cell).at(share))
    }
}

/// Converts a line to the axes of a frame.
fn in_frame(frame: &Frame, line: &Line) -> Line {
    Line { from: frame.global_to_local(line.from), along: frame.global_to_local_vec(line.along) }
}

/// Converts a line to axes that are scaled.
fn scaled(line: &Line, scale: f32) -> Line {
    Line { from: line.from * (1.0 / scale), along: line.along * (1.0 / scale) }
}

/// Returns the shares of a line at which it is at a distance from the origin, the first one first.
fn crossings(line: &Line, distance: f32) -> Option<[f32; 2]> {
    let square = line.along.length_squared();
    let towards = -line.from.dot(line.along);
    let discriminant = towards * towards - square * (line.from.length_squared() - distance * distance);
    if !(square > 0.0 && discriminant >= 0.0) {
        return None;
    }
    let root = discriminant.sqrt();
    Some([(towards - root) / square, (towards + root) / square])
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use acmotion_dat::DataId;
    use acmotion_dat::builder::{self, MeshFace, MeshKind};

    use super::*;
    use crate::collide::geometry::CellTree;
    use crate::collide::scene::{Portal, Room, SceneBuilder};
    use crate::collide::{NoObstacles, Plane};

    /// Three rooms in a row, each four metres long, with a wall across the first at x = 2 or without.
    fn rooms(has_wall: bool) -> Scene {
        let mut builder = SceneBuilder::new(&[0.0; 256]);
        for number in 0..3u8 {
            let low = f32::from(number) * 4.0;
            let planes = [(1.0, -low), (-1.0, low + 4.0)];
            let planes = planes.map(|(x, d)| Plane::new(Vec3::new(x, 0.0, 0.0), d));
            let id = |number: u8| CellId(0x7F7F_0100 + u32::from(number));
            let mut room = Room::new(id(number), Frame::IDENTITY);
            room.inside = CellTree::new(planes);
            let portal = |other: u8, plane| Portal { other: Some(id(other)), plane, side: true };
            room.portals = vec![portal((number + 1) % 3, planes[1])];
            if has_wall && number == 0 {
                let corners = [[2.0, -1.0, -1.0], [2.0, -1.0, 1.0], [2.0, 1.0, 1.0], [2.0, 1.0, -1.0]];
                let wall = MeshFace::new(DataId(0x0800_0001), corners.map(Vec3::from));
                let mesh = builder::gfx_obj(DataId(0x0100_0001), &[wall], MeshKind::Open);
                room.solid = Some(Arc::new(Solid::from_gfx_obj(&mesh).expect("the mesh is valid")));
            }
            builder.add_room(room).expect("the room is valid");
        }
        builder.finish()
    }

    /// A line ends at the first surface found: what is beyond is not looked at any more.
    #[test]
    fn rooms_beyond_the_first_surface_are_not_searched() {
        let start = CellId(0x7F7F_0100);
        let line = Line { from: Vec3::new(1.0, 0.0, 0.0), along: Vec3::new(10.0, 0.0, 0.0) };
        for (has_wall, count, end) in [(false, 3, 1.0), (true, 1, 0.1)] {
            let scene = rooms(has_wall);
            let whole = Span { from: 0.0, to: 1.0 };
            let mut query = LineQuery::new(&scene, &NoObstacles, start, line, whole, Counted::All);
            query.start_in(start);
            query.test_rooms();
            assert_eq!(query.rooms.ids().len(), count);
            assert!((query.span.to - end).abs() < 1e-6, "{:?}", query.span);
        }
    }

    #[test]
    fn a_line_crosses_a_sphere_twice_or_not_at_all() {
        let shares = |from: [f32; 3], along: [f32; 3]| {
            crossings(&Line { from: from.into(), along: along.into() }, 1.0)
        };
        assert_eq!(shares([-3.0, 0.0, 0.0], [4.0, 0.0, 0.0]), Some([0.5, 1.0]));
        assert_eq!(shares([3.0, 0.0, 0.0], [4.0, 0.0, 0.0]), Some([-1.0, -0.5]));
        assert_eq!(shares([-3.0, 1.5, 0.0], [4.0, 0.0, 0.0]), None, "it passes by");
        assert_eq!(shares([0.5, 0.0, 0.0], [0.0; 3]), None, "a point");
    }
}
