//! What stands about, from above: the page draws it below the paths.

use std::collections::BTreeSet;

use acmotion::body::PhysicsState;
use acmotion::collide::Scene;
use acmotion::collide::geometry::{Polygon, PolygonId, Solid};
use acmotion::collide::scene::Scenery;
use acmotion_types::{CellId, CellPosition, Frame, Vec3};
use serde_json::{Value, json};

use crate::page::number;
use crate::replay::track::on_map;

/// More shapes than this are not drawn.
const MOST: usize = 4_000;
/// Polygons that are steeper than this are walls: lines, from above.
const STEEP: f32 = 0.3;
/// How far around the paths things are drawn, in metres.
const MARGIN: f64 = 12.0;

/// Where something is to be drawn, on the map: west, south, east, north.
pub(super) struct Window {
    low: [f64; 2],
    high: [f64; 2],
}

impl Window {
    /// Around some places; none if there are none.
    pub(super) fn around(places: impl Iterator<Item = [f64; 3]>) -> Option<Self> {
        let mut window = Self { low: [f64::MAX; 2], high: [f64::MIN; 2] };
        for place in places {
            for (low, at) in window.low.iter_mut().zip(place) {
                *low = low.min(at - MARGIN);
            }
            for (high, at) in window.high.iter_mut().zip(place) {
                *high = high.max(at + MARGIN);
            }
        }
        (window.low[0] <= window.high[0]).then_some(window)
    }

    fn has(&self, [x, y]: [f64; 2]) -> bool {
        x >= self.low[0] && x <= self.high[0] && y >= self.low[1] && y <= self.high[1]
    }
}

/// Shapes from above, in centimetres so that what lies on top of each other is drawn once.
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

/// The floors, walls and round things of a land in a window.
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
            land.scenery(cell).for_each(|thing| add_thing(&mut shapes, window, thing));
        }
        for room in land.rooms(block) {
            if let Some(solid) = &room.solid {
                add_solid(&mut shapes, window, solid, room.position(), 1.0);
            }
            land.scenery(room.id()).for_each(|thing| add_thing(&mut shapes, window, thing));
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

fn add_thing(shapes: &mut Shapes, window: &Window, thing: &Scenery) {
    let Scenery { position, scale, .. } = thing;
    if thing.state.contains(PhysicsState::HAS_PHYSICS_BSP) {
        for part in &thing.parts {
            let frame = position.frame.combine_scaled(&part.frame, Vec3::ONE * *scale);
            let place = CellPosition::new(position.cell, frame);
            add_solid(shapes, window, &part.solid, &place, part.scale * scale);
        }
        return;
    }
    let cylinders = thing.cylinders.iter().map(|own| (own.origin, own.radius));
    let spheres = thing.spheres.iter().map(|own| (own.origin, own.radius));
    let cylinders: Vec<_> = cylinders.collect();
    let rounds = if cylinders.is_empty() { spheres.collect() } else { cylinders };
    for (origin, radius) in rounds {
        let middle = flat(position, position.frame.local_to_global(origin * *scale));
        if window.has(middle) && shapes.count() < MOST {
            let [x, y] = middle.map(centimetres);
            shapes.rounds.insert([x, y, centimetres(f64::from(radius * scale))]);
        }
    }
}

fn add_solid(shapes: &mut Shapes, window: &Window, solid: &Solid, place: &CellPosition, scale: f32) {
    for polygon in (0..solid.polygon_count() as u32).map(|id| solid.polygon(PolygonId(id))) {
        let corner = |corner: &Vec3| flat(place, place.frame.local_to_global(*corner * scale));
        let corners: Vec<[f64; 2]> = polygon.corners.iter().map(corner).collect();
        if shapes.count() < MOST && corners.iter().any(|corner| window.has(*corner)) {
            add_polygon(shapes, &polygon, &place.frame, &corners);
        }
    }
}

/// What can be stood on is a surface, what is upright a line; ceilings are not drawn.
fn add_polygon(shapes: &mut Shapes, polygon: &Polygon<'_>, frame: &Frame, corners: &[[f64; 2]]) {
    let up = frame.local_to_global_vec(polygon.plane.normal).z;
    if up.abs() < STEEP {
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

/// The two corners that are farthest from each other.
fn widest(corners: &[[f64; 2]]) -> Option<[[f64; 2]; 2]> {
    let pairs = corners
        .iter()
        .enumerate()
        .flat_map(|(place, from)| corners[place + 1..].iter().map(move |to| [*from, *to]));
    let length = |[from, to]: &[[f64; 2]; 2]| (from[0] - to[0]).hypot(from[1] - to[1]);
    pairs.max_by(|a, b| length(a).total_cmp(&length(b)))
}

/// A point of a place's landblock on the map.
fn flat(place: &CellPosition, point: Vec3) -> [f64; 2] {
    let [x, y, _] = on_map(&CellPosition::at(place.cell, point));
    [x, y]
}

fn centimetres(value: f64) -> i64 {
    (value * 100.0).round() as i64
}
