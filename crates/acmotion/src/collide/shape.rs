//! The part of a setup that a mover collides with (`docs/collision.md` 2.4, 2.7).

use acmotion_dat::{Setup, SetupFlags, Sphere};
use acmotion_types::{Cylinder, Vec3};

/// The collision shape of a mover: the first two spheres of its setup and its step heights, unscaled, in metres
/// (`docs/collision.md` 2.4, 2.7).
#[derive(Clone, Copy, PartialEq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Shape {
    spheres: [Sphere; 2],
    count: u8,
    /// Whether it takes its final rotation at the start of a sweep.
    #[doc(alias = "allow_free_heading")]
    pub free_heading: bool,
    /// The maximum height of a step it climbs.
    pub step_up: f32,
    /// The maximum depth of a step it goes down without falling.
    pub step_down: f32,
    /// The radius used for distances between bodies (rule A16).
    pub radius: f32,
    /// The height used for distances between bodies (rule A16).
    pub height: f32,
}

impl Shape {
    /// Returns the human shape: spheres of radius 0.48 m at heights 0.475 m and 1.35 m, steps of 0.6 m up and 1.5 m down.
    pub fn human() -> Self {
        let sphere = |z| Sphere { origin: Vec3::new(0.0, 0.0, z), radius: 0.48 };
        let mut shape = Self { step_up: 0.6, step_down: 1.5, radius: 0.48, height: 1.83, ..Self::default() };
        shape.set_spheres(&[sphere(0.475), sphere(1.35)]);
        shape
    }

    /// Returns the height of its lowest point above the origin, in metres, unscaled. There the lowest sphere touches the ground,
    /// which is a little below or above the origin.
    pub(crate) fn foot(&self) -> f32 {
        self.spheres().first().map_or(0.0, |sphere| sphere.origin.z - sphere.radius)
    }

    /// Builds the shape from a setup.
    pub fn from_setup(setup: &Setup) -> Self {
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

    /// Sets the spheres. Only the first two are used.
    pub fn set_spheres(&mut self, spheres: &[Sphere]) {
        self.count = spheres.len().min(2) as u8;
        for (slot, sphere) in self.spheres.iter_mut().zip(spheres) {
            *slot = *sphere;
        }
    }

    /// Returns the spheres, the foot first. A body without spheres is not moved by a tick (rule B4).
    #[inline]
    pub fn spheres(&self) -> &[Sphere] {
        &self.spheres[..usize::from(self.count)]
    }

    /// Returns the cylinder used for distances between bodies, scaled (rule A16).
    pub fn cylinder(&self, scale: f32) -> Cylinder {
        Cylinder { radius: self.radius * scale, height: self.height * scale }
    }
}

#[cfg(feature = "serde")]
impl Shape {
    /// Returns `false` for a shape that was read from a snapshot and has more spheres than there can be.
    pub(crate) fn is_valid(&self) -> bool {
        usize::from(self.count) <= self.spheres.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shape_takes_two_spheres_of_a_setup() {
        let sphere = |z: f32| Sphere { origin: Vec3::new(0.0, 0.0, z), radius: 0.4 };
        let mut setup = Setup {
            flags: SetupFlags::FREE_HEADING,
            spheres: vec![sphere(0.5), sphere(1.0), sphere(1.5)],
            step_up: 0.6,
            step_down: 1.5,
            radius: 0.3,
            height: 1.8,
            ..Setup::default()
        };
        let shape = Shape::from_setup(&setup);
        assert_eq!(shape.spheres(), [sphere(0.5), sphere(1.0)]);
        assert_eq!((shape.step_up, shape.step_down), (0.6, 1.5));
        assert!(shape.free_heading && (shape.foot() - 0.1).abs() < 1e-6);
        let Cylinder { radius, height } = shape.cylinder(2.0);
        assert!((radius - 0.6).abs() < 1e-6 && (height - 3.6).abs() < 1e-6);
        setup.flags = SetupFlags::PHYSICS_BSP;
        setup.spheres.clear();
        let bare = Shape::from_setup(&setup);
        assert_eq!((bare.spheres(), bare.free_heading, bare.foot()), (&[][..], false, 0.0));
    }
}
