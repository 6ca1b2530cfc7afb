//! Lines that define shapes.

use std::collections::HashMap;
use std::sync::Arc;

use acmotion::body::Plane;
use acmotion::collide::geometry::{PolygonId, Solid};
use acmotion::types::Vec3;
use acmotion_dat::{DatObject as _, GfxObj, Sphere};

use crate::conform::check::{Checked, Difference, Field, exact, near_vector, within};

/// Unit normals.
pub(super) const NORMAL: f64 = 1e-3;
/// Distances of planes indoors.
pub(super) const PLANE: f64 = 2e-3;

/// The shapes that earlier lines defined, by id.
#[derive(Default)]
pub(super) struct Shapes {
    solids: HashMap<u64, Arc<Solid>>,
}

impl Shapes {
    /// Takes in a line of kind `geom`, from the bytes of its mesh, and holds it against its figures.
    pub(super) fn define(&mut self, line: Field<'_>) -> Checked {
        let bytes = line.get("gfxobj_b64")?.base64()?;
        let mesh = GfxObj::decode(&bytes).map_err(|error| Difference::new("gfxobj_b64", "a mesh", error))?;
        let solid = Solid::of_gfx_obj(&mesh).map_err(|error| Difference::new("tree", "a tree", error))?;
        check_polygons(line, &solid)?;
        self.solids.insert(line.get("id")?.unsigned()?, Arc::new(solid));
        Ok(())
    }

    /// A shape that was defined.
    pub(super) fn get(&self, id: Field<'_>) -> Checked<&Arc<Solid>> {
        let id = id.unsigned()?;
        self.solids.get(&id).ok_or_else(|| Difference::new("geom", "a shape defined before", id))
    }
}

fn check_polygons(line: Field<'_>, solid: &Solid) -> Checked {
    let vertices = line.get("vertices")?.elements()?.map(Field::vector).collect::<Checked<Vec<_>>>()?;
    let polygons = line.get("polys")?.elements()?;
    exact("polys", polygons.len(), solid.polygon_count())?;
    for (place, (corners, plane)) in polygons.zip(line.get("planes")?.elements()?).enumerate() {
        let polygon = solid.polygon(PolygonId(place as u32));
        let corners: Vec<_> = corners.elements()?.map(Field::unsigned).collect::<Checked<_>>()?;
        exact("corners", corners.len(), polygon.corners.len())?;
        for (corner, got) in corners.iter().zip(polygon.corners) {
            exact("vertices", vertices.get(*corner as usize), Some(got))?;
        }
        near_plane("planes", plane_of(plane)?, polygon.plane, PLANE)?;
    }
    Ok(())
}

/// A plane as four figures.
pub(super) fn plane_of(field: Field<'_>) -> Checked<Plane> {
    let [x, y, z, d] = field.array()?;
    Ok(Plane::new(Vec3::new(x.float()?, y.float()?, z.float()?), d.float()?))
}

/// A sphere as four figures.
pub(super) fn sphere_of(field: Field<'_>) -> Checked<Sphere> {
    let [x, y, z, radius] = field.array()?;
    Ok(Sphere { origin: Vec3::new(x.float()?, y.float()?, z.float()?), radius: radius.float()? })
}

/// Planes with the same normal, and as far away within a tolerance.
pub(super) fn near_plane(path: &str, expected: Plane, got: Plane, tolerance: f64) -> Checked {
    near_vector(path, expected.normal, got.normal, NORMAL)?;
    within("d", expected.d.into(), got.d.into(), tolerance).map_err(|difference| difference.within(path))
}
