//! Family `primitives`: the primitives of collision, one call per line.

use acmotion::components::Body;
use acmotion::internals::collide::{CollisionInfo, Land, SubStepPlan, Transition, time_of_collision};
use acmotion::scene::geometry::{PolygonId, Solid};
use acmotion::scene::{MoverFlags, NoObstacles, Scene, Shape};
use acmotion::types::{CellId, CellPosition, Frame, Guid, Quat, Vec3};
use acmotion_dat::{BspKind, BspLeaf, BspNode, BspTree, CylSphere, Polygon as DatPolygon, Sphere, Vertex};
use serde_json::Value;

use super::prepared::{LENGTH_TOLERANCE, Prepared};
use super::shapes::{NORMAL_TOLERANCE, near_plane, read_plane};
use crate::conform::check::{CheckResult, Difference, Field, exact, within, within_vector};
use crate::conform::{CaseResult, Family};

/// The tolerance for times and for `interp`, both fractions of a step.
const TIME_TOLERANCE: f64 = 1e-3;
/// The tolerance for the `d` of planes where coordinates are large.
const FAR_PLANE_TOLERANCE: f64 = 2e-2;

/// The bounding sphere of a leaf that every sphere reaches.
const EVERYTHING: Sphere = Sphere { origin: Vec3::ZERO, radius: 1e9 };
/// The maximum number of corners of a polygon.
const MAX_CORNERS: usize = 255;
/// The `sides` of a polygon that is visible from both.
const TWO_SIDED: i32 = 1;

pub(in super::super) struct PrimitivesFamily;

impl Family for PrimitivesFamily {
    fn run_line(&mut self, line: &Value) -> Result<CaseResult, Difference> {
        let case = Field::line(line);
        let (given, expected) = (case.get("in")?, case.get("out")?);
        match case.get("fn")?.text()? {
            "polygon" => polygon(given, expected),
            "hits_sphere" => hits_sphere(given, expected),
            "sphere_object" => sphere_object(given, expected),
            "cylinder_object" => cylinder_object(given, expected),
            "time_of_collision" => time(given, expected),
            "slide" => slide(given, expected),
            "adjust_offset" => adjust_offset(given, expected),
            "terrain_plane" => terrain_plane(given, expected),
            "cliff_slide" => cliff_slide(given, expected),
            "set_normals" => set_normals(given, expected),
            "num_steps" => num_steps(given, expected),
            "plane_to_world" => plane_to_world(given, expected),
            other => Err(Difference::new("fn", "a function of this family", other)),
        }?;
        Ok(CaseResult::Passed)
    }
}

fn read_sphere(given: Field<'_>) -> CheckResult<Sphere> {
    Ok(Sphere { origin: given.get("center")?.vector()?, radius: given.get("radius")?.float()? })
}

/// Returns a solid that consists of the polygon `v` of a case.
fn solid_of(given: Field<'_>) -> CheckResult<Solid> {
    let corners = given.get("v")?.elements()?.map(Field::vector).collect::<CheckResult<Vec<_>>>()?;
    if corners.len() > MAX_CORNERS {
        return Err(Difference::new("v", format_args!("at most {MAX_CORNERS} corners"), corners.len()));
    }
    let vertices: Vec<_> = (0..)
        .zip(&corners)
        .map(|(id, corner)| Vertex { id, position: *corner, normal: Vec3::ZERO, uvs: Vec::new() })
        .collect();
    // In the vectors, rays hit polygons from both sides.
    let polygon = DatPolygon {
        sides: TWO_SIDED,
        vertices: (0..).take(corners.len()).collect(),
        ..DatPolygon::default()
    };
    let leaf = BspLeaf { index: 0, physics: Some((0, EVERYTHING, vec![0])) };
    let tree = BspTree { kind: BspKind::Physics, nodes: vec![BspNode::Leaf(leaf)] };
    Solid::from_polygons(&vertices, &std::iter::once((0, polygon)).collect(), &tree)
        .map_err(|error| Difference::new("v", "a polygon", error))
}

fn hits_sphere(given: Field<'_>, expected: Field<'_>) -> CheckResult {
    let solid = solid_of(given)?;
    let hits = solid.polygon(PolygonId(0)).hits_sphere(&read_sphere(given)?);
    exact("hit", expected.get("hit")?.boolean()?, hits)
}

fn polygon(given: Field<'_>, expected: Field<'_>) -> CheckResult {
    let (solid, sphere) = (solid_of(given)?, read_sphere(given)?);
    let polygon = solid.polygon(PolygonId(0));
    let (movement, up) = (given.get("movement")?.vector()?, given.get("up")?.vector()?);
    let allowance = given.get("allowance")?.float()?;
    let truth = |name, got| exact(name, expected.get(name)?.boolean()?, got);
    near_plane("plane", read_plane(expected.get("plane")?)?, polygon.plane, 2e-3)?;
    truth("hits_sphere", polygon.hits_sphere(&sphere))?;
    let mut struck = None;
    truth("pos_hits", solid.intersects_poly(&sphere, movement, &mut struck))?;
    truth("struck", struck.is_some())?;
    truth("walkable_hits", polygon.walkable_hits_sphere(&sphere, up, allowance))?;
    truth("support", polygon.supports(&sphere, up))?;
    truth("support_small", polygon.supports_small(&sphere, up))?;
    let edge = polygon.crossed_edge(sphere.origin, up);
    truth("crossed", edge.is_some())?;
    if let Some(edge) = edge {
        within_vector("edge_normal", expected.get("edge_normal")?.vector()?, edge, NORMAL_TOLERANCE)?;
    }
    let (mut moved, mut interp) = (sphere, given.get("interp")?.float()?);
    let adjusts = polygon.adjust_sphere_to_plane(&mut moved, &mut interp, movement);
    truth("adjust", adjusts)?;
    if adjusts {
        within_vector("adjusted", expected.get("adjusted")?.vector()?, moved.origin, LENGTH_TOLERANCE)?;
        within("adjusted_interp", expected.get("adjusted_interp")?.double()?, interp.into(), TIME_TOLERANCE)?;
    }
    let time = polygon.touch_time(sphere.radius, sphere.origin - movement, movement);
    within("time_to_poly", expected.get("time_to_poly")?.double()?, time.into(), TIME_TOLERANCE)?;
    let (is_solid, check) = (given.get("center_solid")?.boolean()?, given.get("solid_check")?.boolean()?);
    let push = polygon.placement_push(sphere.origin, sphere.radius, is_solid, check);
    let other = sphere.origin + Vec3::new(0.0, 0.0, 0.9);
    within_vector(
        "placement_hit",
        expected.get("placement_hit")?.vector()?,
        sphere.origin + push,
        LENGTH_TOLERANCE,
    )?;
    within_vector(
        "placement_other",
        expected.get("placement_other")?.vector()?,
        other + push,
        LENGTH_TOLERANCE,
    )?;
    truth("point_in", polygon.contains(sphere.origin))?;
    truth("point_in_2d", polygon.contains_flat(sphere.origin, true))?;
    let ray = polygon.ray_time(sphere.origin, given.get("ray_dir")?.vector()?);
    truth("ray", ray.is_some())?;
    match ray {
        Some(time) => within("ray_time", expected.get("ray_time")?.double()?, time.into(), TIME_TOLERANCE),
        None => Ok(()),
    }
}

fn sphere_object(given: Field<'_>, expected: Field<'_>) -> CheckResult {
    let (target, is_creature) = (read_sphere(given)?, given.get("creature")?.boolean()?);
    Prepared::of(given)?.check(given, expected, |transition| transition.test_sphere(&target, is_creature))
}

fn cylinder_object(given: Field<'_>, expected: Field<'_>) -> CheckResult {
    let cylinder = CylSphere {
        origin: given.get("low")?.vector()?,
        radius: given.get("radius")?.float()?,
        height: given.get("height")?.float()?,
    };
    let prepared = Prepared::of(given)?;
    prepared.test(given, |transition| {
        let (hits, found) = transition.cylinder_normal(&cylinder);
        exact("hit", expected.get("hit")?.boolean()?, hits)?;
        exact("definite", expected.get("definite")?.boolean()?, found.is_definite)?;
        within_vector("raw_normal", expected.get("raw_normal")?.vector()?, found.normal, NORMAL_TOLERANCE)
    })?;
    prepared.check(given, expected, |transition| transition.test_cylinder(&cylinder, Quat::IDENTITY))
}

fn time(given: Field<'_>, expected: Field<'_>) -> CheckResult {
    let (movement, offset) = (given.get("movement")?.vector()?, given.get("offset")?.vector()?);
    let time = time_of_collision(movement, offset, given.get("radius")?.float()?);
    within("t", expected.get("t")?.double()?, time.unwrap_or(-1.0).into(), TIME_TOLERANCE)
}

fn slide(given: Field<'_>, expected: Field<'_>) -> CheckResult {
    let (index, normal) = (given.get("sphere")?.unsigned()?, given.get("normal")?.vector()?);
    let index = match index {
        0 => 0,
        1 => 1,
        other => return Err(Difference::new("sphere", "0 or 1", other)),
    };
    Prepared::of(given)?.check(given, expected, |transition| transition.slide(index, normal))
}

fn adjust_offset(given: Field<'_>, expected: Field<'_>) -> CheckResult {
    let (prepared, offset) = (Prepared::of(given)?, given.get("offset")?.vector()?);
    prepared.test(given, |transition| {
        let adjusted = transition.adjust_offset(offset);
        within_vector("offset", expected.get("offset")?.vector()?, adjusted, LENGTH_TOLERANCE)?;
        within_vector("lift", expected.get("lift")?.vector()?, prepared.moved(transition), LENGTH_TOLERANCE)?;
        exact("sliding_valid", expected.get("sliding_valid")?.boolean()?, transition.info().sliding_valid)
    })
}

fn terrain_plane(given: Field<'_>, expected: Field<'_>) -> CheckResult {
    let prepared = Prepared::of(given)?;
    let land = Land {
        plane: read_plane(given.get("plane")?)?,
        is_water: given.get("water")?.boolean()?,
        depth: given.get("depth")?.float()?,
        cell: CellId(0x7F7F_0001),
    };
    prepared.check(given, expected, |transition| {
        let centre = transition.path().spheres()[0].origin;
        transition.test_land(centre, &land)
    })
}

fn cliff_slide(given: Field<'_>, expected: Field<'_>) -> CheckResult {
    let normal = given.get("plane_normal")?.vector()?;
    Prepared::of(given)?.check(given, expected, |transition| transition.cliff_slide(normal))
}

fn set_normals(given: Field<'_>, expected: Field<'_>) -> CheckResult {
    let normal = given.get("n")?.vector()?;
    let mut info = CollisionInfo::default();
    info.set_collision_normal(normal);
    info.set_sliding_normal(normal);
    within_vector(
        "collision",
        expected.get("collision")?.vector()?,
        info.collision_normal,
        NORMAL_TOLERANCE,
    )?;
    within_vector("sliding", expected.get("sliding")?.vector()?, info.sliding_normal, NORMAL_TOLERANCE)
}

fn num_steps(given: Field<'_>, expected: Field<'_>) -> CheckResult {
    let (offset, radius) = (given.get("offset")?.vector()?, given.get("radius")?.float()?);
    let plan = SubStepPlan::new(offset, radius, given.get("viewer")?.boolean()?);
    let plan = plan.ok_or_else(|| Difference::new("n", "a number of sub-steps", "too many"))?;
    exact("n", expected.get("n")?.unsigned()?, plan.count.into())?;
    within_vector("step", expected.get("step")?.vector()?, plan.step, LENGTH_TOLERANCE)
}

fn plane_to_world(given: Field<'_>, expected: Field<'_>) -> CheckResult {
    let plane = read_plane(given.get("plane")?)?;
    let frame = Frame::new(given.get("from_pos")?.vector()?, given.get("from_q")?.quat()?);
    let from = CellPosition::new(CellId(given.get("from_cell")?.hex()?), frame);
    let to = CellPosition::at(CellId(given.get("to_cell")?.hex()?), Vec3::ZERO);
    let (shape, scene, mut touched) = (Shape::human(), Scene::default(), Vec::new());
    let mover = Body::new(to).placement_mover(Guid(1), &shape, MoverFlags::empty());
    let transition = Transition::new(&scene, &NoObstacles, &mover, (None, to), None, &mut touched);
    let space = transition.path().in_space_of(&from, 1.0);
    let got = transition.plane_to_world(&plane, &space);
    near_plane("plane", read_plane(expected.get("plane")?)?, got, FAR_PLANE_TOLERANCE)
}
