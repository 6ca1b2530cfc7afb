//! Shapes that lines define, and planes and spheres.

use std::collections::HashMap;
use std::sync::Arc;

use acmotion::scene::Plane;
use acmotion::scene::geometry::{PolygonId, Solid};
use acmotion::types::Vec3;
use acmotion_dat::{BspNode, DatObject as _, GfxObj, Sphere};

use crate::conform::check::{CheckResult, Difference, Field, exact, within, within_vector};

/// The tolerance for unit normals.
pub(super) const NORMAL_TOLERANCE: f64 = 1e-3;
/// The tolerance for the `d` of planes where coordinates are small.
pub(super) const PLANE_TOLERANCE: f64 = 2e-3;

/// The shapes of earlier lines, by id.
#[derive(Default)]
pub(super) struct Shapes {
    shapes: HashMap<u64, (Arc<Solid>, GfxObj)>,
}

impl Shapes {
    /// Adds the shape of a `geom` line from the bytes of its mesh, and compares it with the other fields.
    pub(super) fn define(&mut self, line: Field<'_>) -> CheckResult {
        let bytes = line.get("gfxobj_b64")?.base64()?;
        let mesh = GfxObj::decode(&bytes).map_err(|error| Difference::new("gfxobj_b64", "a mesh", error))?;
        let solid = Solid::from_gfx_obj(&mesh).map_err(|error| Difference::new("tree", "a tree", error))?;
        check_polygons(line, &solid)?;
        let tree = mesh.physics.as_ref().map_or(&[][..], |physics| &physics.bsp.nodes);
        let solid_leaves =
            check_node(line.get("tree")?, tree, 0).map_err(|difference| difference.within("tree"))?;
        exact("closed", line.get("closed")?.boolean()?, solid_leaves > 0)?;
        self.shapes.insert(line.get("id")?.unsigned()?, (Arc::new(solid), mesh));
        Ok(())
    }

    /// Returns the shape with an id. A shape that is not defined is an error.
    pub(super) fn get(&self, id: Field<'_>) -> CheckResult<&Arc<Solid>> {
        self.find(id).map(|(solid, _)| solid)
    }

    /// Returns the mesh of the shape with an id. A shape that is not defined is an error.
    pub(super) fn mesh(&self, id: Field<'_>) -> CheckResult<&GfxObj> {
        self.find(id).map(|(_, mesh)| mesh)
    }

    fn find(&self, id: Field<'_>) -> CheckResult<&(Arc<Solid>, GfxObj)> {
        let id = id.unsigned()?;
        self.shapes
            .get(&id)
            .ok_or_else(|| Difference::new("geom", "the id of a shape on an earlier line", id))
    }
}

fn check_polygons(line: Field<'_>, solid: &Solid) -> CheckResult {
    let vertices = line.get("vertices")?.elements()?.map(Field::vector).collect::<CheckResult<Vec<_>>>()?;
    let polygons = line.get("polys")?.elements()?;
    exact("polys", polygons.len(), solid.polygon_count())?;
    exact("planes", line.get("planes")?.elements()?.len(), solid.polygon_count())?;
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

/// Compares a node of a tree and everything below it. Returns the number of solid leaves. In a tree that was decoded, children
/// come after their parents, so that the walk ends.
fn check_node(line: Field<'_>, nodes: &[BspNode], index: u32) -> CheckResult<u64> {
    match nodes.get(index as usize) {
        Some(BspNode::Plane(node)) => {
            let plane = Plane::new(node.normal, node.distance);
            near_plane("plane", read_plane(line.get("plane")?)?, plane, PLANE_TOLERANCE)?;
            exact("sphere", Some(read_sphere(line.get("sphere")?)?), node.sphere)?;
            let mut solid_leaves = 0;
            for (name, child) in [("pos", node.positive), ("neg", node.negative)] {
                exact(name, line.find(name).is_some(), child.is_some())?;
                if let (Some(line), Some(child)) = (line.find(name), child) {
                    solid_leaves += check_node(line, nodes, child)?;
                }
            }
            Ok(solid_leaves)
        }
        Some(BspNode::Leaf(leaf)) => {
            exact("leaf", line.get("leaf")?.signed()?, leaf.index.into())?;
            let Some((solid, sphere, polygons)) = &leaf.physics else {
                return Err(Difference::new("leaf", "a leaf of a physics tree", "another"));
            };
            exact("solid", line.get("solid")?.boolean()?, *solid != 0)?;
            exact("sphere", read_sphere(line.get("sphere")?)?, *sphere)?;
            let expected =
                line.get("polys")?.elements()?.map(Field::unsigned).collect::<CheckResult<Vec<_>>>()?;
            exact("polys", expected, polygons.iter().map(|key| u64::from(*key)).collect())?;
            Ok(u64::from(*solid != 0))
        }
        None => Err(Difference::new("tree", "a node", "none")),
    }
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
    within_vector(path, expected.normal, got.normal, NORMAL_TOLERANCE)?;
    within("d", expected.d.into(), got.d.into(), tolerance).map_err(|difference| difference.within(path))
}
