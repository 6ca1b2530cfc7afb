//! Outlines of the land from above, which the page draws below the paths.

use std::collections::BTreeSet;

use acmotion::components::PhysicsState;
use acmotion::scene::geometry::{Polygon, PolygonId, Solid};
use acmotion::scene::{Scene, Scenery};
use acmotion_types::{CellId, CellPosition, Frame, Vec3};
use serde_json::{Value, json};

use crate::page::number;
use crate::replay::track::on_map;

/// The maximum number of shapes that are drawn.
const MAX_SHAPES: usize = 4_000;
/// The maximum upward part of the normal of a wall, which is a line from above.
const MAX_WALL_NORMAL_Z: f32 = 0.3;
/// The distance around the paths up to which the land is drawn, in metres.
const MARGIN: f64 = 12.0;

/// The part of the map that is drawn.
pub(super) struct Window {
    low: [f64; 2],
    high: [f64; 2],
}

impl Window {
    /// Creates a window around some positions; `None` if there are none.
    pub(super) fn around(positions: impl Iterator<Item = [f64; 3]>) -> Option<Self> {
        let mut window = Self { low: [f64::MAX; 2], high: [f64::MIN; 2] };
        for position in positions {
            for (low, at) in window.low.iter_mut().zip(position) {
                *low = low.min(at - MARGIN);
            }
            for (high, at) in window.high.iter_mut().zip(position) {
                *high = high.max(at + MARGIN);
            }
        }
        (window.low[0] <= window.high[0]).then_some(window)
    }

    fn contains(&self, [x, y]: [f64; 2]) -> bool {
        x >= self.low[0] && x <= self.high[0] && y >= self.low[1] && y <= self.high[1]
    }
}

/// Shapes from above, in centimetres, so that shapes on top of each other are drawn once.
#[derive(Default)]
struct Shapes {
    floors: BTreeSet<Vec<i64>>,
    walls: BTreeSet<[i64; 4]>,
    rounds: BTreeSet<[i64; 3]>,
}

impl Shapes {
    fn count(&self) -> usize {
        self.floors.len() + self.walls.len() + self.rounds.len()
    }
}

/// Returns the floors, walls and round objects of a land in a window.
pub(super) fn outlines(land: &Scene, window: &Window) -> Value {
    let mut shapes = Shapes::default();
    for block in land.blocks() {
        let id = |low: u16| CellId(u32::from(block) << 16 | u32::from(low));
        for cell in (1..=64).map(id) {
            if let Some(shell) = land.land(cell).and_then(|land| land.building())
                && let Some(solid) = &shell.solid
            {
                add_solid(&mut shapes, window, solid, &shell.position, shell.scale);
            }
            land.scenery(cell).for_each(|object| add_object(&mut shapes, window, object));
        }
        for room in land.rooms(block) {
            if let Some(solid) = &room.solid {
                add_solid(&mut shapes, window, solid, room.position(), 1.0);
            }
            land.scenery(room.id()).for_each(|object| add_object(&mut shapes, window, object));
        }
    }
    let metres = |value: &i64| number(*value as f64 / 100.0);
    let list = |shape: &[i64]| Value::from(shape.iter().map(metres).collect::<Vec<_>>());
    json!({
        "floors": shapes.floors.iter().map(|shape| list(shape)).collect::<Vec<_>>(),
        "walls": shapes.walls.iter().map(|shape| list(shape)).collect::<Vec<_>>(),
        "rounds": shapes.rounds.iter().map(|shape| list(shape)).collect::<Vec<_>>(),
    })
}

fn add_object(shapes: &mut Shapes, window: &Window, object: &Scenery) {
    let Scenery { position, scale, .. } = object;
    if object.state.contains(PhysicsState::HAS_PHYSICS_BSP) {
        for part in &object.parts {
            let frame = position.frame.combine_scaled(&part.frame, Vec3::ONE * *scale);
            let position = CellPosition::new(position.cell, frame);
            add_solid(shapes, window, &part.solid, &position, part.scale * scale);
        }
        return;
    }
    let cylinders = object.cylinders.iter().map(|own| (own.origin, own.radius));
    let spheres = object.spheres.iter().map(|own| (own.origin, own.radius));
    let cylinders: Vec<_> = cylinders.collect();
    let rounds = if cylinders.is_empty() { spheres.collect() } else { cylinders };
    for (origin, radius) in rounds {
        let centre = flat(position, position.frame.local_to_global(origin * *scale));
        if window.contains(centre) && shapes.count() < MAX_SHAPES {
            let [x, y] = centre.map(centimetres);
            shapes.rounds.insert([x, y, centimetres(f64::from(radius * scale))]);
        }
    }
}

fn add_solid(shapes: &mut Shapes, window: &Window, solid: &Solid, position: &CellPosition, scale: f32) {
    for polygon in (0..solid.polygon_count() as u32).map(|id| solid.polygon(PolygonId(id))) {
        let corner = |corner: &Vec3| flat(position, position.frame.local_to_global(*corner * scale));
        let corners: Vec<[f64; 2]> = polygon.corners.iter().map(corner).collect();
        if shapes.count() < MAX_SHAPES && corners.iter().any(|corner| window.contains(*corner)) {
            add_polygon(shapes, &polygon, &position.frame, &corners);
        }
    }
}

/// Adds a floor as a surface and a wall as a line. Ceilings are not drawn.
fn add_polygon(shapes: &mut Shapes, polygon: &Polygon<'_>, frame: &Frame, corners: &[[f64; 2]]) {
    let up = frame.local_to_global_vec(polygon.plane.normal).z;
    if up.abs() < MAX_WALL_NORMAL_Z {
        if let Some([from, to]) = widest(corners) {
            let mut ends = [from.map(centimetres), to.map(centimetres)];
            ends.sort_unstable();
            if ends[0] != ends[1] {
                shapes.walls.insert([ends[0][0], ends[0][1], ends[1][0], ends[1][1]]);
            }
        }
    } else if up > 0.0 {
        shapes.floors.insert(corners.iter().flat_map(|corner| corner.map(centimetres)).collect());
    }
}

/// Returns the two corners that are farthest from each other; `None` if there are fewer than two.
fn widest(corners: &[[f64; 2]]) -> Option<[[f64; 2]; 2]> {
    let pairs = corners
        .iter()
        .enumerate()
        .flat_map(|(index, from)| corners[index + 1..].iter().map(move |to| [*from, *to]));
    let length = |[from, to]: &[[f64; 2]; 2]| (from[0] - to[0]).hypot(from[1] - to[1]);
    pairs.max_by(|a, b| length(a).total_cmp(&length(b)))
}

/// Returns a point in the axes of a position's landblock as metres east and north on the map.
fn flat(position: &CellPosition, point: Vec3) -> [f64; 2] {
    let [x, y, _] = on_map(&CellPosition::at(position.cell, point));
    [x, y]
}

fn centimetres(value: f64) -> i64 {
    (value * 100.0).round() as i64
}

#[cfg(test)]
mod tests {
    use acmotion_dat::Sphere;

    use super::*;

    #[test]
    fn the_shapes_that_are_drawn_are_bounded() {
        let sphere = |number: usize| Sphere {
            origin: Vec3::new(0.01 * (number % 100) as f32, 0.02 * (number / 100) as f32, 0.0),
            radius: 0.5,
        };
        let object = Scenery {
            position: CellPosition::at(CellId(0xA9B4_0001), Vec3::new(10.0, 10.0, 0.0)),
            model: None,
            scale: 1.0,
            state: PhysicsState::STATIC,
            parts: Vec::new(),
            cylinders: Vec::new(),
            spheres: (0..2 * MAX_SHAPES).map(sphere).collect(),
            sorting_sphere: Sphere { origin: Vec3::ZERO, radius: 100.0 },
        };
        let window = Window::around([on_map(&object.position)].into_iter()).unwrap();
        let mut shapes = Shapes::default();
        add_object(&mut shapes, &window, &object);
        assert_eq!(shapes.count(), MAX_SHAPES);
    }
}
