//! What of a body bumps into things.

use acmotion_dat::{Setup, SetupFlags, Sphere};
use acmotion_types::{Cylinder, Vec3};

/// What of a body bumps into things: its two lowest spheres and how high it can step, as its setup has them, unscaled
/// (`docs/collision.md` 2.4, 2.7).
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Shape {
    spheres: [Sphere; 2],
    count: u8,
    /// May it turn freely while it is swept?
    #[doc(alias = "allow_free_heading")]
    pub free_heading: bool,
    /// How high a step it climbs.
    pub step_up: f32,
    /// How deep a step it goes down without falling.
    pub step_down: f32,
    /// Its radius for distances (rule A16).
    pub radius: f32,
    /// Its height for distances (rule A16).
    pub height: f32,
}

impl Shape {
    /// The human one: spheres of 0.48 m at 0.475 m and 1.35 m, steps of 0.6 m up and 1.5 m down.
    pub fn human() -> Self {
        let sphere = |z| Sphere { origin: Vec3::new(0.0, 0.0, z), radius: 0.48 };
        let mut shape = Self { step_up: 0.6, step_down: 1.5, radius: 0.48, height: 1.83, ..Self::default() };
        shape.set_spheres(&[sphere(0.475), sphere(1.35)]);
        shape
    }

    /// That of a setup.
    pub fn of_setup(setup: &Setup) -> Self {
        let mut shape = Self {
            free_heading: setup.flags.contains(SetupFlags::FREE_HEADING),
            step_up: setup.step_up,
            step_down: setup.step_down,
            radius: setup.radius,
            height: setup.height,
            ..Self::default()
        };
        shape.set_spheres(&setup.spheres);
        shape
    }

    /// Takes the first two spheres; a mover never has more.
    pub fn set_spheres(&mut self, spheres: &[Sphere]) {
        self.count = spheres.len().min(2) as u8;
        for (place, sphere) in self.spheres.iter_mut().zip(spheres) {
            *place = *sphere;
        }
    }

    /// Its spheres, the foot first. A body without any is not moved by a tick (rule B4).
    #[inline]
    pub fn spheres(&self) -> &[Sphere] {
        &self.spheres[..usize::from(self.count)]
    }

    /// Its round size for distances, scaled (rule A16).
    pub fn cylinder(&self, scale: f32) -> Cylinder {
        Cylinder { radius: self.radius * scale, height: self.height * scale }
    }
}
