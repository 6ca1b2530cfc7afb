//! The models of static objects: obstacles to climb, to run into and to fall from; trees, boulders, barrels and
//! crates.

use acmotion_types::{Frame, Vec3};

use super::super::clip::DatasetBuilder;
use super::super::placements;
use super::super::solid::{CrossSection, closed_mesh, convex_solid, section, transformed};
use super::room::StairFlight;
use super::{models, surfaces};
use crate::builder::{MeshFace, MeshKind, bounding_sphere, gfx_obj_with_decoration};
use crate::id::DataId;
use crate::objects::{AnimationFrame, CylSphere, Setup, Sphere};

fn v(x: f32, y: f32, z: f32) -> Vec3 {
    Vec3::new(x, y, z)
}

/// Returns the faces of a prism along x. Its cross-section is given by y and z, counter-clockwise as seen from the
/// east.
fn prism(surface: DataId, half_width: f32, section: &[[f32; 2]]) -> Vec<MeshFace> {
    let at = |x: f32, [y, z]: [f32; 2]| v(x, y, z);
    let side = |x: f32| section.iter().map(|corner| at(x, *corner)).collect::<Vec<_>>();
    let mut faces =
        vec![MeshFace::new(surface, side(half_width)), MeshFace::new(surface, side(-half_width)).flipped()];
    for (index, from) in section.iter().enumerate() {
        let to = section[(index + 1) % section.len()];
        let corners =
            [at(-half_width, *from), at(-half_width, to), at(half_width, to), at(half_width, *from)];
        faces.push(MeshFace::new(surface, corners));
    }
    faces
}

/// Returns the faces of a slope that rises to the north from the origin, with a platform behind it.
fn ramp(half_width: f32, run: f32, height: f32, platform: f32) -> Vec<MeshFace> {
    let end = run + platform;
    prism(surfaces::STONE, half_width, &[[0.0, 0.0], [end, 0.0], [end, height], [run, height]])
}

/// Returns the faces of free-standing stairs that rise to the north from the origin, with a platform behind them.
/// Each step is a slice of the solid.
fn stairs(half_width: f32, flight: &StairFlight, platform: f32) -> Vec<MeshFace> {
    let end = flight.tread * flight.steps as f32 + platform;
    let mut faces = Vec::new();
    for step in 0..flight.steps {
        let (front, low) = (flight.tread * step as f32, flight.rise * step as f32);
        let (is_last, top) = (step + 1 == flight.steps, low + flight.rise);
        let back = if is_last { end } else { front + flight.tread };
        let slice = MeshFace::cuboid(surfaces::STONE, v(-half_width, front, low), v(half_width, end, top));
        let [east, west, north, south, ..] = slice.as_slice() else { continue };
        let level = [[-half_width, front], [half_width, front], [half_width, back], [-half_width, back]];
        let tread = MeshFace::new(surfaces::FLAGSTONES, level.map(|[x, y]| v(x, y, top)));
        faces.extend([south.clone(), tread, west.clone(), east.clone(), north.clone()]);
    }
    let bottom = [[-half_width, end], [half_width, end], [half_width, 0.0], [-half_width, 0.0]];
    faces.push(MeshFace::new(surfaces::STONE, bottom.map(|[x, y]| v(x, y, 0.0))));
    faces
}

fn block(surface: DataId, half: [f32; 2], height: f32) -> Vec<MeshFace> {
    MeshFace::cuboid(surface, v(-half[0], -half[1], 0.0), v(half[0], half[1], height))
}

/// Returns the faces of two posts and a beam at head height.
fn beam() -> Vec<MeshFace> {
    let post = |x: f32| MeshFace::cuboid(surfaces::TIMBER, v(x - 0.15, -0.15, 0.0), v(x + 0.15, 0.15, 1.5));
    let beam = MeshFace::cuboid(surfaces::TIMBER, v(-1.65, -0.15, 1.5), v(1.65, 0.15, 1.9));
    [beam, post(-1.5), post(1.5)].concat()
}

fn table() -> Vec<MeshFace> {
    let top = MeshFace::cuboid(surfaces::TIMBER, v(-1.1, -0.6, 0.72), v(1.1, 0.6, 0.8));
    let leg = |x: f32, y: f32| {
        MeshFace::cuboid(surfaces::TIMBER, v(x - 0.06, y - 0.06, 0.0), v(x + 0.06, y + 0.06, 0.72))
    };
    [top, leg(0.95, 0.45), leg(-0.95, 0.45), leg(0.95, -0.45), leg(-0.95, -0.45)].concat()
}

/// Returns the faces of a pier to the east, a slope up from the shore and a deck over the water, and those of its
/// posts, which are only drawn. The top of the deck is at z 0.
fn pier() -> (Vec<MeshFace>, Vec<MeshFace>) {
    let (half_width, slope, end) = (1.5, 5.0, 36.0);
    let deck = MeshFace::cuboid(surfaces::PLANKS, v(slope, -half_width, -0.3), v(end, half_width, 0.0));
    let wedge = prism(surfaces::PLANKS, half_width, &[[0.0, -1.0], [slope, -1.0], [slope, 0.0]]);
    // The slope of a prism rises to the north; turn it to rise to the east.
    let wedge = transformed(wedge, Frame::new(Vec3::ZERO, super::super::rig::about_z(-90.0)));
    let mut posts = Vec::new();
    for index in 0..6 {
        let x = slope + 0.5 + 5.9 * index as f32;
        for y in [-1.4, 1.4] {
            posts.extend(MeshFace::cuboid(
                surfaces::TIMBER,
                v(x - 0.12, y - 0.12, -4.0),
                v(x + 0.12, y + 0.12, 0.5),
            ));
        }
    }
    ([deck, wedge].concat(), posts)
}

/// A round object: a mesh that is only drawn, and the cylinders or spheres that collide in its place.
struct RoundProp {
    setup: DataId,
    mesh: DataId,
    faces: Vec<MeshFace>,
    cylinders: Vec<CylSphere>,
    spheres: Vec<Sphere>,
}

impl RoundProp {
    fn upright(setup: DataId, mesh: DataId, faces: Vec<MeshFace>, radius: f32, height: f32) -> Self {
        let cylinders = vec![CylSphere { origin: Vec3::ZERO, radius, height }];
        Self { setup, mesh, faces, cylinders, spheres: Vec::new() }
    }

    fn add_to(&self, dataset: &mut DatasetBuilder) {
        dataset.add(&gfx_obj_with_decoration(self.mesh, &[], &self.faces, MeshKind::Open));
        let around = bounding_sphere(self.faces.iter().flat_map(|face| face.corners.iter().copied()));
        let pose = AnimationFrame { parts: vec![Frame::IDENTITY], hooks: Vec::new() };
        let radius = self.cylinders.iter().map(|cylinder| cylinder.radius);
        let radius = radius.chain(self.spheres.iter().map(|sphere| sphere.radius)).fold(0.0, f32::max);
        let height = self.cylinders.iter().map(|cylinder| cylinder.height);
        let tops = self.spheres.iter().map(|sphere| sphere.origin.z + sphere.radius);
        dataset.add(&Setup {
            id: self.setup,
            parts: vec![self.mesh],
            placements: vec![(placements::DEFAULT, pose.clone()), (placements::RESTING, pose)],
            cyl_spheres: self.cylinders.clone(),
            spheres: self.spheres.clone(),
            height: height.chain(tops).fold(0.0, f32::max),
            radius,
            sorting_sphere: around,
            selection_sphere: around,
            ..Setup::default()
        });
    }
}

fn tree() -> Vec<MeshFace> {
    const LOWER: &[CrossSection] = &[section(2.2, 1.7, 1.7), section(4.4, 0.5, 0.5)];
    const UPPER: &[CrossSection] = &[section(3.7, 1.3, 1.3), section(6.2, 0.05, 0.05)];
    let trunk = convex_solid(surfaces::BARK, &[section(-0.3, 0.34, 0.34), section(2.6, 0.24, 0.24)]);
    [trunk, convex_solid(surfaces::LEAVES, LOWER), convex_solid(surfaces::LEAVES, UPPER)].concat()
}

fn pillar() -> Vec<MeshFace> {
    let base = convex_solid(surfaces::STONE, &[section(0.0, 0.42, 0.42), section(0.25, 0.38, 0.38)]);
    let shaft = convex_solid(surfaces::FLAGSTONES, &[section(0.25, 0.3, 0.3), section(2.7, 0.26, 0.26)]);
    let capital = convex_solid(surfaces::STONE, &[section(2.7, 0.32, 0.32), section(3.0, 0.42, 0.42)]);
    [base, shaft, capital].concat()
}

fn barrel() -> Vec<MeshFace> {
    let half = [
        section(0.0, 0.33, 0.33),
        section(0.3, 0.4, 0.4),
        section(0.65, 0.4, 0.4),
        section(0.95, 0.33, 0.33),
    ];
    convex_solid(surfaces::BARK, &half)
}

/// Returns the faces of a boulder: cross-sections of a sphere.
fn boulder(middle: f32, radius: f32) -> Vec<MeshFace> {
    let sections: Vec<_> = [-0.9f32, -0.5, 0.0, 0.5, 0.85, 0.99]
        .map(|up| {
            let half = radius * libm::sqrtf(1.0 - up * up);
            section(middle + radius * up, half, half)
        })
        .into();
    convex_solid(surfaces::ROCK, &sections)
}

pub(super) fn build(dataset: &mut DatasetBuilder) {
    let flight = StairFlight { low: Vec3::ZERO, right: 0.0, rise: 0.25, tread: 0.35, steps: 10 };
    for (id, faces) in [
        (models::RAMP, ramp(1.5, 6.0, 2.0, 4.0)),
        (models::STEEP_RAMP, ramp(1.5, 1.75, 2.5, 3.0)),
        (models::STAIRS, stairs(1.2, &flight, 3.0)),
        (models::WALL, block(surfaces::STONE, [4.0, 0.25], 3.0)),
        (models::LEDGE, block(surfaces::FLAGSTONES, [2.0, 2.0], 1.4)),
        (models::BEAM, beam()),
        (models::TABLE, table()),
        (models::CRATE, block(surfaces::TIMBER, [0.5, 0.5], 1.0)),
    ] {
        dataset.add(&closed_mesh(id, &faces));
    }
    for (id, height) in models::STEPS.into_iter().zip(models::STEP_HEIGHTS) {
        dataset.add(&closed_mesh(id, &block(surfaces::FLAGSTONES, [1.2, 1.2], height)));
    }
    let (deck, posts) = pier();
    dataset.add(&gfx_obj_with_decoration(models::PIER, &deck, &posts, MeshKind::Closed));
    for prop in [
        RoundProp::upright(models::TREE, models::ROUND_MESHES[0], tree(), 0.35, 5.0),
        RoundProp::upright(models::PILLAR, models::ROUND_MESHES[1], pillar(), 0.4, 3.0),
        RoundProp::upright(models::BARREL, models::ROUND_MESHES[2], barrel(), 0.4, 0.95),
    ] {
        prop.add_to(dataset);
    }
    let sphere = Sphere { origin: v(0.0, 0.0, 0.5), radius: 1.2 };
    RoundProp {
        setup: models::BOULDER,
        mesh: models::ROUND_MESHES[3],
        faces: boulder(sphere.origin.z, sphere.radius),
        cylinders: Vec::new(),
        spheres: vec![sphere],
    }
    .add_to(dataset);
}
