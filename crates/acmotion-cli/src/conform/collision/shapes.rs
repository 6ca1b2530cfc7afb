//! Shapes that lines define, and planes and spheres.

use std::collections::HashMap;
use std::sync::Arc;

use acmotion::scene::Plane;
use acmotion::scene::geometry::{PolygonId, Solid};
use acmotion::types::Vec3;
use acmotion_dat::{DatObject as _, GfxObj, Sphere};

use crate::conform::check::{CheckResult, Difference, Field, exact, near_vector, within};

/// The tolerance for unit normals.
pub(super) const NORMAL_TOLERANCE: f64 = 1e-3;
/// The tolerance for the `d` of planes where coordinates are small.
pub(super) const PLANE_TOLERANCE: f64 = 2e-3;

/// The shapes of earlier lines, by id.
#[derive(Default)]
pub(super) struct Shapes {
    solids: HashMap<u64, Arc<Solid>>,
}

impl Shapes {
    /// Adds the shape of a `geom` line from the bytes of its mesh, and compares it with the other fields.
    pub(super) fn define(&mut self, line: Field<'_>) -> CheckResult {
        let bytes = line.get("gfxobj_b64")?.base64()?;
        let mesh = GfxObj::decode(&bytes).map_err(|error| Difference::new("gfxobj_b64", "a mesh", error))?;
        let solid = Solid::from_gfx_obj(&mesh).map_err(|error| Difference::new("tree", "a tree", error))?;
        check_polygons(line, &solid)?;
        self.solids.insert(line.get("id")?.unsigned()?, Arc::new(solid));
        Ok(())
    }

    /// Returns the shape with an id. A shape that is not defined is an error.
    pub(super) fn get(&self, id: Field<'_>) -> CheckResult<&Arc<Solid>> {
        let id = id.unsigned()?;
        self.solids
            .get(&id)
            .ok_or_else(|| Difference::new("geom", "the id of a shape on an earlier line", id))
    }
}

fn check_polygons(line: Field<'_>, solid: &Solid) -> CheckResult {
    let vertices = line.get("vertices")?.elements()?.map(Field::vector).collect::<CheckResult<Vec<_>>>()?;
    let polygons = line.get("polys")?.elements()?;
    exact("polys", polygons.len(), solid.polygon_count())?;
    for (index, (corners, plane)) in polygons.zip(line.get("planes")?.elements()?).enumerate() {
        let polygon = solid.polygon(PolygonId(index as u32));
        let corners: Vec<_> = corners.elements()?.map(Field::unsigned).collect::<CheckResult<_>>()?;
        exact("corners", corners.len(), polygon.corners.len())?;
        for (corner, got) in corners.iter().zip(polygon.corners) {
            exact("vertices", vertices.get(*corner as usize), Some(got))?;
        }
        near_plane("planes", read_plane(plane)?, polygon.plane, PLANE_TOLERANCE)?;
    }
    Ok(())
}

/// Reads a plane, `[nx, ny, nz, d]`.
pub(super) fn read_plane(field: Field<'_>) -> CheckResult<Plane> {
    let [x, y, z, d] = field.array()?;
    Ok(Plane::new(Vec3::new(x.float()?, y.float()?, z.float()?), d.float()?))
}

/// Reads a sphere, `[x, y, z, radius]`.
pub(super) fn read_sphere(field: Field<'_>) -> CheckResult<Sphere> {
    let [x, y, z, radius] = field.array()?;
    Ok(Sphere { origin: Vec3::new(x.float()?, y.float()?, z.float()?), radius: radius.float()? })
}

/// Requires planes with the same normal, and a `d` that differs by at most `tolerance`.
pub(super) fn near_plane(path: &str, expected: Plane, got: Plane, tolerance: f64) -> CheckResult {
    near_vector(path, expected.normal, got.normal, NORMAL_TOLERANCE)?;
    within("d", expected.d.into(), got.d.into(), tolerance).map_err(|difference| difference.within(path))
}
