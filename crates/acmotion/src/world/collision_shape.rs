//! What of an entity others bump into (`docs/collision.md` 8.3).

use std::sync::Arc;

use acmotion_dat::{Assets, CylSphere, DataId, Setup, Sphere};
use acmotion_types::Vec3;

use crate::collide::geometry::Solid;

/// What of an entity others bump into, as its setup has it, unscaled; the same for all of one setup.
#[derive(Default)]
pub(super) struct CollisionShape {
    pub(super) parts: Vec<SolidPart>,
    pub(super) cylinders: Vec<CylSphere>,
    pub(super) spheres: Vec<Sphere>,
    /// An upright barrel about cylinders and spheres.
    barrel: BoundingCylinder,
}

/// A part with polygons to bump into.
pub(super) struct SolidPart {
    /// Which part of the setup.
    pub(super) index: usize,
    pub(super) solid: Arc<Solid>,
    pub(super) scale: f32,
}

/// An upright barrel: as wide as it must be, from its lowest to its highest point.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(super) struct BoundingCylinder {
    pub(super) radius: f32,
    pub(super) low: f32,
    pub(super) high: f32,
}

impl BoundingCylinder {
    fn add(&mut self, centre: Vec3, radius: f32, low: f32, high: f32) {
        self.radius = self.radius.max(libm::hypotf(centre.x, centre.y) + radius);
        self.low = self.low.min(low);
        self.high = self.high.max(high);
    }

    /// A barrel in which what is in this one has room however it is turned, cylinders staying upright.
    fn in_any_turn(self) -> Self {
        let radius = self.radius + 2.0 * (self.low.abs() + self.high.abs());
        Self { radius, low: -radius, high: radius }
    }
}

impl CollisionShape {
    /// That of a setup. Parts whose mesh is not there or damaged do not bump.
    pub(super) fn of_setup(setup: &Setup, assets: &Assets) -> Self {
        let mut barrel = BoundingCylinder::default();
        for sphere in &setup.spheres {
            let Sphere { origin, radius } = *sphere;
            barrel.add(origin, radius, origin.z - radius, origin.z + radius);
        }
        for cylinder in &setup.cyl_spheres {
            let CylSphere { origin, radius, height } = *cylinder;
            barrel.add(origin, radius, origin.z, origin.z + height);
        }
        Self {
            parts: solid_parts(setup, assets),
            cylinders: setup.cyl_spheres.clone(),
            spheres: setup.spheres.clone(),
            barrel,
        }
    }

    /// The barrel about its cylinders and spheres, in the landblock's axes seen from its origin; `is_upright` if it is not
    /// tilted.
    pub(super) fn bounding_cylinder(&self, scale: f32, is_upright: bool) -> BoundingCylinder {
        let BoundingCylinder { radius, low, high } =
            if is_upright { self.barrel } else { self.barrel.in_any_turn() };
        BoundingCylinder { radius: radius * scale, low: low * scale, high: high * scale }
    }
}

fn solid_parts(setup: &Setup, assets: &Assets) -> Vec<SolidPart> {
    let solid = |id: DataId| Solid::of_gfx_obj(&*assets.gfx_obj(id).ok()?).ok().map(Arc::new);
    let parts = setup.parts.iter().enumerate().filter_map(|(index, mesh)| {
        let scale = setup.scales.get(index).map_or(1.0, |scale| scale.z);
        Some(SolidPart { index, solid: solid(*mesh)?, scale })
    });
    parts.collect()
}
