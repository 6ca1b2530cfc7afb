//! The shape of an entity as an obstacle to others (`docs/collision.md` 8.3).

use std::sync::Arc;

use acmotion_dat::{Assets, CylSphere, DataId, Setup, Sphere};
use acmotion_types::Vec3;

use crate::collide::geometry::Solid;

/// The shape of an entity as an obstacle: unscaled, and shared by all entities of a setup.
#[derive(Default)]
pub(super) struct CollisionShape {
    pub(super) parts: Vec<SolidPart>,
    pub(super) cylinders: Vec<CylSphere>,
    pub(super) spheres: Vec<Sphere>,
    /// Encloses the cylinders and spheres.
    bounds: BoundingCylinder,
}

/// A part with collision polygons.
pub(super) struct SolidPart {
    /// The index of the part in the setup.
    pub(super) index: usize,
    pub(super) solid: Arc<Solid>,
    pub(super) scale: f32,
}

/// An upright cylinder around the origin, from height `low` to height `high`, in metres.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(super) struct BoundingCylinder {
    pub(super) radius: f32,
    pub(super) low: f32,
    pub(super) high: f32,
}

impl BoundingCylinder {
    /// Widens the cylinder so that it encloses another one around `centre`.
    fn enclose(&mut self, centre: Vec3, radius: f32, low: f32, high: f32) {
        self.radius = self.radius.max(libm::hypotf(centre.x, centre.y) + radius);
        self.low = self.low.min(low);
        self.high = self.high.max(high);
    }

    /// Returns a cylinder that encloses the contents of this one at any rotation; cylinders among them stay upright.
    fn for_any_rotation(self) -> Self {
        let radius = self.radius + 2.0 * (self.low.abs() + self.high.abs());
        Self { radius, low: -radius, high: radius }
    }
}

impl CollisionShape {
    /// Builds the shape from a setup. Parts whose mesh is missing or damaged do not collide.
    pub(super) fn of_setup(setup: &Setup, assets: &Assets) -> Self {
        let mut bounds = BoundingCylinder::default();
        for sphere in &setup.spheres {
            let Sphere { origin, radius } = *sphere;
            bounds.enclose(origin, radius, origin.z - radius, origin.z + radius);
        }
        for cylinder in &setup.cyl_spheres {
            let CylSphere { origin, radius, height } = *cylinder;
            bounds.enclose(origin, radius, origin.z, origin.z + height);
        }
        Self {
            parts: solid_parts(setup, assets),
            cylinders: setup.cyl_spheres.clone(),
            spheres: setup.spheres.clone(),
            bounds,
        }
    }

    /// Returns the bounding cylinder of the cylinders and spheres, in the landblock's axes, around the body's origin.
    /// `is_upright` is `true` if the body is not tilted.
    pub(super) fn bounding_cylinder(&self, scale: f32, is_upright: bool) -> BoundingCylinder {
        let BoundingCylinder { radius, low, high } =
            if is_upright { self.bounds } else { self.bounds.for_any_rotation() };
        BoundingCylinder { radius: radius * scale, low: low * scale, high: high * scale }
    }
}

fn solid_parts(setup: &Setup, assets: &Assets) -> Vec<SolidPart> {
    let solid = |id: DataId| Solid::from_gfx_obj(&*assets.gfx_obj(id).ok()?).ok().map(Arc::new);
    let parts = setup.parts.iter().enumerate().filter_map(|(index, mesh)| {
        let scale = setup.scales.get(index).map_or(1.0, |scale| scale.z);
        Some(SolidPart { index, solid: solid(*mesh)?, scale })
    });
    parts.collect()
}
