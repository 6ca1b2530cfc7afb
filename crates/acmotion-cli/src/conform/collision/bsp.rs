//! Family `bsp`: queries of polygon trees and cell trees, and object parts against a prepared transition.

use acmotion::scene::geometry::{CellTree, Containment, PolygonId, Solid, SolidSearch};
use acmotion::types::{CellId, CellPosition, Frame, Vec3};
use acmotion_dat::{BspKind, BspTree, Sphere};
use serde_json::Value;

use super::prepared::Prepared;
use super::shapes::{Shapes, read_plane};
use crate::conform::check::{CheckResult, Difference, Field, exact, within, within_vector};
use crate::conform::{CaseResult, Family};

/// The tolerance for positions, in metres.
const LENGTH_TOLERANCE: f64 = 3e-4;
/// The tolerance for `interp`, the fraction of a step.
const INTERP_TOLERANCE: f64 = 1e-3;
/// The cell of all parts.
const HOME: CellId = CellId(0x7F7F_0001);

#[derive(Default)]
pub(in super::super) struct BspFamily {
    shapes: Shapes,
}

impl Family for BspFamily {
    fn run_line(&mut self, line: &Value) -> Result<CaseResult, Difference> {
        let case = Field::line(line);
        if case.find("kind").is_some() {
            self.shapes.define(case)?;
            return Ok(CaseResult::Passed);
        }
        let (given, expected) = (case.get("in")?, case.get("out")?);
        match case.get("fn")?.text()? {
            "tree" => tree(self.shapes.get(given.get("geom")?)?, given, expected),
            "part" => part(self.shapes.get(given.get("geom")?)?, given, expected),
            "cell_tree" => cell_tree(given, expected),
            other => Err(Difference::new("fn", "a function of this family", other)),
        }?;
        Ok(CaseResult::Passed)
    }
}

/// Returns the number of a polygon, or −1 for `None`.
fn number(id: Option<PolygonId>) -> i64 {
    id.map_or(-1, |id| i64::from(id.0))
}

fn tree(solid: &Solid, given: Field<'_>, expected: Field<'_>) -> CheckResult {
    let sphere = Sphere { origin: given.get("center")?.vector()?, radius: given.get("radius")?.float()? };
    let (movement, up) = (given.get("movement")?.vector()?, given.get("up")?.vector()?);
    let allowance = given.get("allowance")?.float()?;
    let centre_check = given.get("center_check")?.boolean()?;
    let truth = |name, got| exact(name, expected.get(name)?.boolean()?, got);

    let mut struck = None;
    truth("intersects_poly", solid.intersects_poly(&sphere, movement, &mut struck))?;
    exact("struck", expected.get("struck")?.signed()?, number(struck))?;
    truth("intersects_solid", solid.intersects_solid(&sphere, centre_check))?;

    let mut search = SolidSearch::default();
    let radius = given.get("search_radius")?.float()?;
    truth("solid_poly", solid.intersects_solid_poly(&sphere, radius, centre_check, &mut search))?;
    truth("center_solid", search.centre_solid)?;
    exact("solid_hit", expected.get("solid_hit")?.signed()?, number(search.hit))?;

    truth("hits_walkable", solid.hits_walkable(&sphere, up, allowance))?;
    truth("point_solid", solid.point_intersects_solid(sphere.origin))?;

    let (mut moved, mut interp) = (sphere, given.get("interp")?.float()?);
    let found = solid.find_walkable(&mut moved, &mut interp, movement, up, allowance);
    truth("walkable_changed", found.is_some())?;
    if found.is_some() {
        exact("walkable_poly", expected.get("walkable_poly")?.signed()?, number(found))?;
        let centre = expected.get("walkable_center")?.vector()?;
        within_vector("walkable_center", centre, moved.origin, LENGTH_TOLERANCE)?;
        within(
            "walkable_interp",
            expected.get("walkable_interp")?.double()?,
            interp.into(),
            INTERP_TOLERANCE,
        )?;
    }
    Ok(())
}

fn part(solid: &Solid, given: Field<'_>, expected: Field<'_>) -> CheckResult {
    let frame = Frame::new(given.get("pos")?.vector()?, given.get("q")?.quat()?);
    let position = CellPosition::new(HOME, frame);
    let scale = given.get("scale")?.float()?;
    let prepared = Prepared::of(given)?;
    prepared.test_against(given, solid, |transition, solid| {
        let result = transition.test_part(solid, &position, scale);
        prepared.compare(expected, result, transition)?;
        let walkable = transition.path().walkable;
        exact("walkable", expected.get("walkable")?.signed()?, number(walkable.map(|found| found.id)))?;
        match walkable {
            Some(found) => {
                let centre = expected.get("walkable_center")?.vector()?;
                within_vector("walkable_center", centre, found.sphere.origin, LENGTH_TOLERANCE)
            }
            None => Ok(()),
        }
    })
}

fn cell_tree(given: Field<'_>, expected: Field<'_>) -> CheckResult {
    let planes = given.get("planes")?.elements()?.map(read_plane).collect::<CheckResult<Vec<_>>>()?;
    let bytes = given.get("bytes_b64")?.base64()?;
    let stored = BspTree::decode(&bytes, BspKind::Cell)
        .map_err(|error| Difference::new("bytes_b64", "a cell tree", error))?;
    let tree = CellTree::from_bsp(&stored);
    exact("planes", &*planes, tree.planes())?;
    let sphere = Sphere { origin: given.get("center")?.vector()?, radius: given.get("radius")?.float()? };
    exact("point_inside", expected.get("point_inside")?.boolean()?, tree.contains(sphere.origin))?;
    let inside = match tree.sphere_containment(&sphere) {
        Containment::Outside => 0,
        Containment::Partially => 1,
        Containment::Entirely => 2,
    };
    exact("sphere", expected.get("sphere")?.unsigned()?, inside)?;
    exact("box", expected.get("box")?.boolean()?, tree.intersects_box(&bounding_box(&sphere)))
}

/// Returns the corners of the bounding box of a sphere.
fn bounding_box(sphere: &Sphere) -> [Vec3; 8] {
    std::array::from_fn(|corner| {
        let along = |bit: usize| if corner >> bit & 1 == 0 { -sphere.radius } else { sphere.radius };
        sphere.origin + Vec3::new(along(0), along(1), along(2))
    })
}
