//! What stands about: things to climb, to run into, to fall from; trees and boulders, barrels and crates.

use acmotion_types::{Frame, Vec3};

use super::super::clip::Shelf;
use super::super::placements;
use super::super::solid::{Ring, carved, mesh, placed, ring};
use super::room::Flight;
use super::{models, surfaces};
use crate::builder::{Body, Face, bounding_sphere, gfx_obj_with_decoration};
use crate::id::DataId;
use crate::objects::{AnimationFrame, CylSphere, Setup, Sphere};

fn v(x: f32, y: f32, z: f32) -> Vec3 {
    Vec3::new(x, y, z)
}

/// A body of one cross-section, given by y and z, counter-clockwise as seen from the east.
fn prism(surface: DataId, half_width: f32, section: &[[f32; 2]]) -> Vec<Face> {
    let at = |x: f32, [y, z]: [f32; 2]| v(x, y, z);
    let side = |x: f32| section.iter().map(|corner| at(x, *corner)).collect::<Vec<_>>();
    let mut faces =
        vec![Face::new(surface, side(half_width)), Face::new(surface, side(-half_width)).flipped()];
    for (index, from) in section.iter().enumerate() {
        let to = section[(index + 1) % section.len()];
        let corners =
            [at(-half_width, *from), at(-half_width, to), at(half_width, to), at(half_width, *from)];
        faces.push(Face::new(surface, corners));
    }
    faces
}

/// A slope and a platform behind it, rising to the north from the origin.
fn ramp(half_width: f32, run: f32, height: f32, platform: f32) -> Vec<Face> {
    let end = run + platform;
    prism(surfaces::STONE, half_width, &[[0.0, 0.0], [end, 0.0], [end, height], [run, height]])
}

/// Free-standing stairs to a platform, rising to the north from the origin: one slice a step.
fn stairs(half_width: f32, flight: &Flight, platform: f32) -> Vec<Face> {
    let end = flight.tread * flight.steps as f32 + platform;
    let mut faces = Vec::new();
    for step in 0..flight.steps {
        let (front, low) = (flight.tread * step as f32, flight.rise * step as f32);
        let (is_last, top) = (step + 1 == flight.steps, low + flight.rise);
        let back = if is_last { end } else { front + flight.tread };
        let slice = Face::block(surfaces::STONE, v(-half_width, front, low), v(half_width, end, top));
        let [east, west, north, south, ..] = slice.as_slice() else { continue };
        let level = [[-half_width, front], [half_width, front], [half_width, back], [-half_width, back]];
        let tread = Face::new(surfaces::FLAGSTONES, level.map(|[x, y]| v(x, y, top)));
        faces.extend([south.clone(), tread, west.clone(), east.clone(), north.clone()]);
    }
    let bottom = [[-half_width, end], [half_width, end], [half_width, 0.0], [-half_width, 0.0]];
    faces.push(Face::new(surfaces::STONE, bottom.map(|[x, y]| v(x, y, 0.0))));
    faces
}

fn block(surface: DataId, half: [f32; 2], height: f32) -> Vec<Face> {
    Face::block(surface, v(-half[0], -half[1], 0.0), v(half[0], half[1], height))
}

/// Two posts and a beam that a head hits and feet do not.
fn beam() -> Vec<Face> {
    let post = |x: f32| Face::block(surfaces::TIMBER, v(x - 0.15, -0.15, 0.0), v(x + 0.15, 0.15, 1.5));
    let beam = Face::block(surfaces::TIMBER, v(-1.65, -0.15, 1.5), v(1.65, 0.15, 1.9));
    [beam, post(-1.5), post(1.5)].concat()
}

fn table() -> Vec<Face> {
    let top = Face::block(surfaces::TIMBER, v(-1.1, -0.6, 0.72), v(1.1, 0.6, 0.8));
    let leg = |x: f32, y: f32| {
        Face::block(surfaces::TIMBER, v(x - 0.06, y - 0.06, 0.0), v(x + 0.06, y + 0.06, 0.72))
    };
    [top, leg(0.95, 0.45), leg(-0.95, 0.45), leg(0.95, -0.45), leg(-0.95, -0.45)].concat()
}

/// A slope up from the shore and a deck over the water, to the east; the deck's top is at z 0.
fn pier() -> (Vec<Face>, Vec<Face>) {
    let (half_width, slope, end) = (1.5, 5.0, 36.0);
    let deck = Face::block(surfaces::PLANKS, v(slope, -half_width, -0.3), v(end, half_width, 0.0));
    let wedge = prism(surfaces::PLANKS, half_width, &[[0.0, -1.0], [slope, -1.0], [slope, 0.0]]);
    // Prisms run north; east is a quarter turn to the right.
    let wedge = placed(wedge, Frame::new(Vec3::ZERO, super::super::rig::about_z(-90.0)));
    let mut posts = Vec::new();
    for at in 0..6 {
        let x = slope + 0.5 + 5.9 * at as f32;
        for y in [-1.4, 1.4] {
            posts.extend(Face::block(
                surfaces::TIMBER,
                v(x - 0.12, y - 0.12, -4.0),
                v(x + 0.12, y + 0.12, 0.5),
            ));
        }
    }
    ([deck, wedge].concat(), posts)
}

/// A round thing: what is drawn, and the cylinders or spheres that collide in its stead.
struct Round {
    setup: DataId,
    mesh: DataId,
    faces: Vec<Face>,
    cylinders: Vec<CylSphere>,
    spheres: Vec<Sphere>,
}

impl Round {
    fn upright(setup: DataId, mesh: DataId, faces: Vec<Face>, radius: f32, height: f32) -> Self {
        let cylinders = vec![CylSphere { origin: Vec3::ZERO, radius, height }];
        Self { setup, mesh, faces, cylinders, spheres: Vec::new() }
    }

    fn put(&self, shelf: &mut Shelf) {
        shelf.put(&gfx_obj_with_decoration(self.mesh, &[], &self.faces, Body::Open));
        let around = bounding_sphere(self.faces.iter().flat_map(|face| face.corners.iter().copied()));
        let pose = AnimationFrame { parts: vec![Frame::IDENTITY], hooks: Vec::new() };
        let radius = self.cylinders.iter().map(|cylinder| cylinder.radius);
        let radius = radius.chain(self.spheres.iter().map(|sphere| sphere.radius)).fold(0.0, f32::max);
        let height = self.cylinders.iter().map(|cylinder| cylinder.height);
        let tops = self.spheres.iter().map(|sphere| sphere.origin.z + sphere.radius);
        shelf.put(&Setup {
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

fn tree() -> Vec<Face> {
    const LOWER: &[Ring] = &[ring(2.2, 1.7, 1.7), ring(4.4, 0.5, 0.5)];
    const UPPER: &[Ring] = &[ring(3.7, 1.3, 1.3), ring(6.2, 0.05, 0.05)];
    let trunk = carved(surfaces::BARK, &[ring(-0.3, 0.34, 0.34), ring(2.6, 0.24, 0.24)]);
    [trunk, carved(surfaces::LEAVES, LOWER), carved(surfaces::LEAVES, UPPER)].concat()
}

fn pillar() -> Vec<Face> {
    let base = carved(surfaces::STONE, &[ring(0.0, 0.42, 0.42), ring(0.25, 0.38, 0.38)]);
    let shaft = carved(surfaces::FLAGSTONES, &[ring(0.25, 0.3, 0.3), ring(2.7, 0.26, 0.26)]);
    let capital = carved(surfaces::STONE, &[ring(2.7, 0.32, 0.32), ring(3.0, 0.42, 0.42)]);
    [base, shaft, capital].concat()
}

fn barrel() -> Vec<Face> {
    let half = [ring(0.0, 0.33, 0.33), ring(0.3, 0.4, 0.4), ring(0.65, 0.4, 0.4), ring(0.95, 0.33, 0.33)];
    carved(surfaces::BARK, &half)
}

/// Rings about a sphere.
fn boulder(middle: f32, radius: f32) -> Vec<Face> {
    let rings: Vec<_> = [-0.9f32, -0.5, 0.0, 0.5, 0.85, 0.99]
        .map(|up| {
            let half = radius * libm::sqrtf(1.0 - up * up);
            ring(middle + radius * up, half, half)
        })
        .into();
    carved(surfaces::ROCK, &rings)
}

pub(super) fn build(shelf: &mut Shelf) {
    let flight = Flight { low: Vec3::ZERO, right: 0.0, rise: 0.25, tread: 0.35, steps: 10 };
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
        shelf.put(&mesh(id, &faces));
    }
    for (id, height) in models::STEPS.into_iter().zip(models::STEP_HEIGHTS) {
        shelf.put(&mesh(id, &block(surfaces::FLAGSTONES, [1.2, 1.2], height)));
    }
    let (deck, posts) = pier();
    shelf.put(&gfx_obj_with_decoration(models::PIER, &deck, &posts, Body::Closed));
    for round in [
        Round::upright(models::TREE, models::ROUND_MESHES[0], tree(), 0.35, 5.0),
        Round::upright(models::PILLAR, models::ROUND_MESHES[1], pillar(), 0.4, 3.0),
        Round::upright(models::BARREL, models::ROUND_MESHES[2], barrel(), 0.4, 0.95),
    ] {
        round.put(shelf);
    }
    let sphere = Sphere { origin: v(0.0, 0.0, 0.5), radius: 1.2 };
    Round {
        setup: models::BOULDER,
        mesh: models::ROUND_MESHES[3],
        faces: boulder(sphere.origin.z, sphere.radius),
        cylinders: Vec::new(),
        spheres: vec![sphere],
    }
    .put(shelf);
}
