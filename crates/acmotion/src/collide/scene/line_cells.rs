//! The cells along a line: the rooms that it passes through, how they are connected, and the land cells.

use acmotion_types::{CELL_LENGTH, CellId, Vec3};

use super::Room;
use crate::collide::geometry::{Line, Span};

/// The maximum number of rooms along one line.
const MAX_ROOMS: usize = 256;
/// The node of the outdoors in the graph of cells.
pub(super) const OUTDOORS: usize = 0;
/// By how much rooms are enlarged, in metres, so that a line does not pass between two that share a border.
const PAD: f32 = 0.01;
/// The maximum distance, in metres, from a portal at which a line that leaves a room leaves it through the portal.
const PORTAL_REACH: f32 = 0.05;

/// The rooms that a line passes through, and which of them are connected, with each other or with the outdoors. Node 0 is
/// the outdoors, node n the nth room.
pub(super) struct LineRooms {
    rooms: [CellId; MAX_ROOMS],
    count: usize,
    /// The parent of each node in the tree of its group; itself at the root.
    parents: [u16; MAX_ROOMS + 1],
    /// Whether a room was left out because there were too many.
    pub(super) is_full: bool,
}

impl LineRooms {
    pub(super) fn new() -> Self {
        Self {
            rooms: [CellId::NONE; MAX_ROOMS],
            count: 0,
            parents: std::array::from_fn(|node| node as u16),
            is_full: false,
        }
    }

    /// Returns the room of a node, counted from 1; `None` if there are not that many.
    pub(super) fn get(&self, node: usize) -> Option<CellId> {
        self.ids().get(node.checked_sub(1)?).copied()
    }

    /// Returns the rooms.
    pub(super) fn ids(&self) -> &[CellId] {
        &self.rooms[..self.count]
    }

    /// Returns the node of a room; `None` if it is not listed.
    pub(super) fn node_of(&self, room: CellId) -> Option<usize> {
        self.ids().iter().position(|id| *id == room).map(|index| index + 1)
    }

    /// Adds a room, unless it is listed, and returns its node. `None` if there are too many.
    pub(super) fn add(&mut self, room: CellId) -> Option<usize> {
        if let Some(node) = self.node_of(room) {
            return Some(node);
        }
        let Some(slot) = self.rooms.get_mut(self.count) else {
            self.is_full = true;
            return None;
        };
        *slot = room;
        self.count += 1;
        Some(self.count)
    }

    /// Records that two nodes are connected.
    pub(super) fn connect(&mut self, a: usize, b: usize) {
        let (a, b) = (self.root(a), self.root(b));
        self.parents[a.max(b)] = a.min(b) as u16;
    }

    /// Returns `true` if two nodes are connected.
    pub(super) fn are_connected(&self, a: usize, b: usize) -> bool {
        self.root(a) == self.root(b)
    }

    fn root(&self, mut node: usize) -> usize {
        while usize::from(self.parents[node]) != node {
            node = usize::from(self.parents[node]);
        }
        node
    }
}

impl Room {
    /// Converts a line from the axes of the landblock to the room's own.
    pub(super) fn line_to_local(&self, line: &Line) -> Line {
        Line { from: self.to_local(line.from), along: self.matrix().apply_transposed(line.along) }
    }

    /// Returns the part of a line, given in the room's axes, that is inside or close to it. `None` if it is outside.
    pub(super) fn span_of(&self, line: &Line) -> Option<Span> {
        let mut span = Span { from: 0.0, to: 1.0 };
        for plane in self.inside.planes() {
            let start = plane.distance(line.from) + PAD;
            let change = plane.normal.dot(line.along);
            if change == 0.0 {
                if start >= 0.0 {
                    continue;
                }
                return None;
            }
            let crossing = -start / change;
            if change > 0.0 {
                span.from = span.from.max(crossing);
            } else {
                span.to = span.to.min(crossing);
            }
        }
        (span.from <= span.to).then_some(span)
    }

    /// Returns `true` if a line, given in the room's axes, comes near a portal that leads outside, where it enters the
    /// room, leaves it or passes through it.
    pub(super) fn leads_outside(&self, line: &Line, span: Span) -> bool {
        self.portals.iter().filter(|portal| portal.other.is_none()).any(|portal| {
            let [start, end] = [span.from, span.to].map(|share| portal.plane.distance(line.at(share)));
            start.abs() < PORTAL_REACH || end.abs() < PORTAL_REACH || (start < 0.0) != (end < 0.0)
        })
    }
}

/// The land cells along a line, in order, each with the span of the line above or below it.
pub(super) struct LandCellsOnLine {
    /// The global coordinates of the landblock in whose axes the line is given, in cells.
    block: [i64; 2],
    from: [f64; 2],
    along: [f64; 2],
    /// The coordinates of the next cell, counted from the corner of that landblock.
    cell: [i64; 2],
    share: f64,
    is_done: bool,
}

/// The maximum length of a line along each axis, in metres: the map is 49 km wide.
const MAX_LENGTH: f32 = 50_000.0;

impl LandCellsOnLine {
    /// Starts at the start of a line, given in the axes of a cell's landblock. There are no cells if the line is not
    /// finite or longer than the map.
    pub(super) fn new(base: CellId, line: &Line) -> Self {
        let Vec3 { x, y, .. } = line.from;
        let is_short = |v: f32| v.abs() <= MAX_LENGTH;
        let is_valid = is_short(x) && is_short(y) && is_short(line.along.x) && is_short(line.along.y);
        let cell = |v: f32| (v / CELL_LENGTH).floor() as i64;
        Self {
            block: [i64::from(base.block_x()) * 8, i64::from(base.block_y()) * 8],
            from: [f64::from(x), f64::from(y)],
            along: [f64::from(line.along.x), f64::from(line.along.y)],
            cell: [cell(x), cell(y)],
            share: 0.0,
            is_done: !is_valid,
        }
    }

    /// Returns the share of the line at which it leaves the current cell along an axis.
    fn exit(&self, axis: usize) -> f64 {
        let along = self.along[axis];
        if along == 0.0 {
            return f64::INFINITY;
        }
        let border = (self.cell[axis] + i64::from(along > 0.0)) as f64 * f64::from(CELL_LENGTH);
        (border - self.from[axis]) / along
    }
}

impl Iterator for LandCellsOnLine {
    /// `None` for a cell off the map.
    type Item = (Option<CellId>, Span);

    fn next(&mut self) -> Option<Self::Item> {
        if self.is_done {
            return None;
        }
        let exits = [self.exit(0), self.exit(1)];
        let axis = usize::from(exits[1] < exits[0]);
        let end = exits[axis].clamp(self.share, 1.0);
        let span = Span { from: self.share as f32, to: end as f32 };
        let id = CellId::outdoor(self.block[0] + self.cell[0], self.block[1] + self.cell[1]);
        self.is_done = exits[axis] >= 1.0;
        self.cell[axis] += if self.along[axis] > 0.0 { 1 } else { -1 };
        self.share = end;
        Some((id, span))
    }
}

#[cfg(test)]
mod tests {
    use acmotion_types::Frame;

    use super::*;
    use crate::collide::Plane;
    use crate::collide::geometry::CellTree;
    use crate::collide::scene::Portal;

    #[test]
    fn the_rooms_along_a_line_are_bounded() {
        let mut rooms = LineRooms::new();
        let room = |number: usize| CellId(0xA9B4_0100 + number as u32);
        assert!((0..MAX_ROOMS).all(|number| rooms.add(room(number)) == Some(number + 1)));
        assert!(!rooms.is_full);
        assert_eq!(rooms.add(room(MAX_ROOMS)), None);
        assert!(rooms.is_full);
        assert_eq!(rooms.add(room(3)), Some(4), "it is listed");
    }

    #[test]
    fn a_line_that_is_longer_than_the_map_is_above_no_land() {
        let cells = |x: f32, along: f32| {
            let line = Line { from: Vec3::new(x, 0.0, 0.0), along: Vec3::new(along, 0.0, 0.0) };
            LandCellsOnLine::new(CellId(0x0000_0001), &line).count()
        };
        assert_eq!(cells(0.0, MAX_LENGTH), 2084);
        for (x, along) in [(0.0, 1.001 * MAX_LENGTH), (-1e30, 1.0), (0.0, f32::INFINITY), (f32::NAN, 0.0)] {
            assert_eq!(cells(x, along), 0, "{x} m, {along} m");
        }
    }

    /// The coordinates of the land cells on a line in the south-western landblock, each with the end of its span.
    fn cells(from: [f32; 2], along: [f32; 2]) -> Vec<(Option<u16>, f32)> {
        let line = Line { from: Vec3::new(from[0], from[1], 0.0), along: Vec3::new(along[0], along[1], 0.0) };
        let mut end = 0.0;
        let mut cells = Vec::new();
        for (cell, span) in LandCellsOnLine::new(CellId(0x0000_0001), &line) {
            assert_eq!(span.from, end, "without a gap");
            end = span.to;
            cells.push((cell.map(CellId::low), span.to));
        }
        cells
    }

    #[test]
    fn the_land_cells_on_a_line_follow_each_other() {
        // The number of a cell is 1 + 8 x + y.
        assert_eq!(cells([12.0, 12.0], [48.0, 0.0]), [(Some(1), 0.25), (Some(9), 0.75), (Some(17), 1.0)]);
        assert_eq!(cells([60.0, 12.0], [-48.0, 0.0]), [(Some(17), 0.25), (Some(9), 0.75), (Some(1), 1.0)]);
        assert_eq!(cells([12.0, 12.0], [0.0, 48.0]), [(Some(1), 0.25), (Some(2), 0.75), (Some(3), 1.0)]);
        assert_eq!(cells([12.0, 6.0], [24.0, 24.0]), [(Some(1), 0.5), (Some(9), 0.75), (Some(10), 1.0)]);
        assert_eq!(cells([36.0, 30.0], [-24.0, -24.0]), [(Some(10), 0.25), (Some(9), 0.5), (Some(1), 1.0)]);
        assert_eq!(cells([12.0, 12.0], [0.0, 0.0]), [(Some(1), 1.0)], "straight down");
        assert_eq!(cells([12.0, 12.0], [-24.0, 0.0]), [(Some(1), 0.5), (None, 1.0)], "off the map");
        assert_eq!(cells([12.0, 12.0], [3.0, -2.0]), [(Some(1), 1.0)]);
    }

    /// A room that reaches from x = 0 to x = 6.
    fn room() -> Room {
        let mut room = Room::new(CellId(0x7F7F_0100), Frame::IDENTITY);
        let plane = |x: f32, d: f32| Plane::new(Vec3::new(x, 0.0, 0.0), d);
        room.inside = CellTree::new(vec![plane(1.0, 0.0), plane(-1.0, 6.0)]);
        room.portals = vec![
            Portal { other: None, plane: plane(-1.0, 6.0), side: true },
            Portal { other: Some(CellId(0x7F7F_0101)), plane: plane(1.0, 0.0), side: true },
        ];
        room
    }

    fn line(from: f32, along: f32) -> Line {
        Line { from: Vec3::new(from, 1.0, 1.0), along: Vec3::new(along, 0.0, 0.5) }
    }

    #[test]
    fn the_part_of_a_line_in_a_room_is_between_its_planes() {
        // Rooms are enlarged by a centimetre.
        let span =
            |from: f32, along: f32| room().span_of(&line(from, along)).map(|span| [span.from, span.to]);
        let near = |a: Option<[f32; 2]>, [from, to]: [f32; 2]| {
            let [start, end] = a.expect("the line passes through the room");
            assert!((start - from).abs() < 1e-5 && (end - to).abs() < 1e-5, "{start} to {end}");
        };
        near(span(-3.0, 12.0), [2.99 / 12.0, 9.01 / 12.0]);
        near(span(9.0, -12.0), [2.99 / 12.0, 9.01 / 12.0]);
        near(span(2.0, 3.0), [0.0, 1.0]);
        near(span(2.0, 0.0), [0.0, 1.0]);
        near(span(-0.005, 0.0), [0.0, 1.0]);
        assert_eq!(span(-0.02, 0.0), None);
        assert_eq!(span(-3.0, 2.0), None);
        assert_eq!(span(9.0, 5.0), None);
    }

    #[test]
    fn a_line_leaves_a_room_where_it_comes_near_a_portal() {
        let leads_outside = |from: f32, along: f32| {
            let (room, line) = (room(), line(from, along));
            room.leads_outside(&line, Span { from: 0.0, to: 1.0 })
        };
        assert!(leads_outside(2.0, 3.97), "it ends at the portal");
        assert!(leads_outside(5.97, -3.0), "it starts there");
        assert!(leads_outside(2.0, 9.0) && leads_outside(9.0, -6.0), "it passes through");
        assert!(!leads_outside(2.0, 3.9) && !leads_outside(6.1, 3.0));
        assert!(!leads_outside(0.0, 3.0), "the other portal leads to a room");
    }

    #[test]
    fn rooms_are_connected_in_groups() {
        let mut rooms = LineRooms::new();
        let nodes: Vec<usize> = (0..4).filter_map(|number| rooms.add(CellId(0x7F7F_0100 + number))).collect();
        assert_eq!(nodes, [1, 2, 3, 4]);
        assert_eq!((rooms.get(0), rooms.get(1), rooms.get(5)), (None, Some(CellId(0x7F7F_0100)), None));
        rooms.connect(3, 4);
        rooms.connect(1, 2);
        assert!(rooms.are_connected(3, 4) && rooms.are_connected(2, 1) && !rooms.are_connected(2, 3));
        rooms.connect(4, 2);
        assert!(rooms.are_connected(1, 3) && !rooms.are_connected(1, OUTDOORS));
        rooms.connect(3, OUTDOORS);
        assert!((1..=4).all(|node| rooms.are_connected(node, OUTDOORS)));
    }
}
