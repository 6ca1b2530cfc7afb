//! Polygons and the walks over BSP trees (`docs/collision.md` 5.5, 5.6), compared with a search over all polygons and
//! tried on invalid geometry.

use acmotion::dat::builder::{self, MeshFace, MeshKind};
use acmotion::dat::{BspKind, BspLeaf, BspNode, BspTree, DataId, GfxObj, PlaneNode, Sphere};
use acmotion::scene::geometry::{
    CellTree, Containment, GeometryError, Polygon, PolygonId, Solid, SolidSearch,
};
use acmotion::types::{Frame, Quat, Vec3};
use proptest::prelude::*;

const PAINT: DataId = DataId(0x0800_0001);
const UP: Vec3 = Vec3::new(0.0, 0.0, 1.0);

fn mesh(faces: &[MeshFace], body: MeshKind) -> GfxObj {
    builder::gfx_obj(DataId(0x0100_0001), faces, body)
}

fn solid(faces: &[MeshFace], body: MeshKind) -> Solid {
    Solid::from_gfx_obj(&mesh(faces, body)).unwrap()
}

fn sphere(x: f32, y: f32, z: f32, radius: f32) -> Sphere {
    Sphere { origin: Vec3::new(x, y, z), radius }
}

fn polygons(solid: &Solid) -> impl Iterator<Item = (PolygonId, Polygon<'_>)> {
    (0..solid.polygon_count() as u32).map(|index| (PolygonId(index), solid.polygon(PolygonId(index))))
}

fn unit_square() -> Vec<MeshFace> {
    vec![MeshFace::new(
        PAINT,
        [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]].map(|[x, y]| Vec3::new(x, y, 0.0)),
    )]
}

/// `docs/collision.md` 11.15.
#[test]
fn a_sphere_hits_the_face_the_edges_and_the_corners_of_a_square() {
    let square = solid(&unit_square(), MeshKind::Open);
    let hits = |x, y, z| square.polygon(PolygonId(0)).hits_sphere(&sphere(x, y, z, 0.5));
    assert!(hits(0.5, 0.5, 0.4997), "face");
    assert!(!hits(0.5, 0.5, 0.4999), "within EPS of touching");
    assert!(hits(1.3, 0.5, 0.3), "edge");
    assert!(!hits(1.3, 1.3, 0.3), "too far from the corner");
    assert!(hits(0.5, 0.5, -0.3), "from behind");
}

/// A walker may overhang an edge by half its radius (`docs/collision.md` 4.4, 5.5.5).
#[test]
fn a_square_supports_a_sphere_up_to_half_a_radius_beyond_its_edge() {
    let square = solid(&unit_square(), MeshKind::Open);
    let square = square.polygon(PolygonId(0));
    let at = |x, y| sphere(x, y, 0.5, 0.5);
    assert!(square.supports_small(&at(1.24, 0.5), UP) && !square.supports_small(&at(1.26, 0.5), UP));
    assert!(square.supports(&at(1.49, 0.5), UP) && !square.supports(&at(1.51, 0.5), UP));
    assert!(square.supports(&at(1.3, 1.3), UP), "0.42 from the corner");
    assert!(!square.supports(&at(1.4, 1.4), UP), "0.57 from the corner");
    assert!(!square.supports(&at(0.5, 0.5), Vec3::new(1.0, 0.0, 0.0)), "up parallel to the plane");
    assert_eq!(square.crossed_edge(Vec3::new(1.2, 0.5, 0.5), UP), Some(Vec3::new(-1.0, 0.0, 0.0)));
    assert_eq!(square.crossed_edge(Vec3::new(0.5, 0.5, 0.5), UP), None);
}

#[test]
fn moving_a_sphere_back_respects_the_step_limits() {
    let square = solid(&unit_square(), MeshKind::Open);
    let square = square.polygon(PolygonId(0));
    let down = Vec3::new(0.0, 0.0, -0.4);
    // 0.3 deep with a step of 0.4: three quarters of the step are used.
    let (mut foot, mut interp) = (sphere(0.5, 0.5, 0.2, 0.5), 1.0);
    assert!(square.adjust_sphere_to_plane(&mut foot, &mut interp, down));
    assert!((foot.origin.z - 0.5).abs() < 1e-6 && (interp - 0.25).abs() < 1e-6);
    // 0.62 deep: more than one and a half steps.
    let (mut foot, mut interp) = (sphere(0.5, 0.5, -0.12, 0.5), 1.0);
    assert!(!square.adjust_sphere_to_plane(&mut foot, &mut interp, down));
    assert_eq!((foot.origin.z, interp), (-0.12, 1.0));
    // A sphere above the plane would have to be moved forwards.
    assert!(!square.adjust_sphere_to_plane(&mut sphere(0.5, 0.5, 0.6, 0.5), &mut interp, down));
}

/// 5.5.7: a movement that hardly leads towards the plane moves nothing back, however little is missing.
#[test]
fn a_sphere_is_not_moved_back_along_a_plane() {
    let square = solid(&unit_square(), MeshKind::Open);
    let square = square.polygon(PolygonId(0));
    // Half of the movement would do in each case.
    for (down, is_moved) in [(0.0001, false), (0.0004, true)] {
        let (mut foot, mut interp) = (sphere(0.5, 0.5, 0.5 - 0.5 * down, 0.5), 1.0);
        let movement = Vec3::new(0.3, 0.0, -down);
        assert_eq!(square.adjust_sphere_to_plane(&mut foot, &mut interp, movement), is_moved, "{down}");
        assert_eq!(interp < 1.0, is_moved, "{down}");
    }
}

#[test]
fn rays_pass_through_one_sided_polygons_from_behind() {
    let faces = unit_square();
    let mut two_sided = mesh(&faces, MeshKind::Open);
    if let Some(physics) = &mut two_sided.physics {
        physics.polygons = physics
            .polygons
            .iter()
            .map(|(key, polygon)| {
                let mut polygon = polygon.clone();
                polygon.sides = 1;
                (key, polygon)
            })
            .collect();
    }
    let (one, two) = (solid(&faces, MeshKind::Open), Solid::from_gfx_obj(&two_sided).unwrap());
    let time = |solid: &Solid, z: f32, down: f32| {
        solid.polygon(PolygonId(0)).ray_time(Vec3::new(0.5, 0.5, z), Vec3::new(0.0, 0.0, down))
    };
    assert_eq!(time(&one, 2.0, -1.0), Some(2.0));
    assert_eq!(time(&one, -2.0, 1.0), None);
    assert_eq!(time(&two, -2.0, 1.0), Some(2.0));
    assert_eq!(time(&two, 2.0, 1.0), None, "pointing away");
}

#[test]
fn only_a_closed_box_is_solid_inside() {
    let faces = MeshFace::cuboid(PAINT, Vec3::ZERO, Vec3::new(4.0, 4.0, 4.0));
    let (closed, open) = (solid(&faces, MeshKind::Closed), solid(&faces, MeshKind::Open));
    let (inside, outside) = (sphere(2.0, 2.0, 2.0, 0.3), sphere(2.0, 2.0, 4.5, 0.3));
    assert!(closed.intersects_solid(&inside, true) && !closed.intersects_solid(&inside, false));
    assert!(!open.intersects_solid(&inside, true));
    assert!(!closed.intersects_solid(&outside, true));
    assert!(closed.point_intersects_solid(inside.origin) && !closed.point_intersects_solid(outside.origin));
    // No polygon is near enough to be pushed out by, so the caller has to search with a larger radius.
    let mut search = SolidSearch::default();
    assert!(closed.intersects_solid_poly(&inside, 0.3, true, &mut search));
    assert_eq!((search.hit, search.centre_solid), (None, true));
}

#[test]
fn the_inside_of_a_room_is_padded_for_spheres_but_not_for_points() {
    let planes = builder::Plane::box_interior(Vec3::ZERO, Vec3::new(2.0, 2.0, 2.0));
    let room = CellTree::from_bsp(&builder::cell_tree(&planes));
    assert_eq!(room.planes().len(), 6);
    assert!(room.contains(Vec3::new(2.0001, 1.0, 1.0)) && !room.contains(Vec3::new(2.001, 1.0, 1.0)));
    assert_eq!(room.sphere_containment(&sphere(1.0, 1.0, 1.0, 0.5)), Containment::Entirely);
    assert_eq!(room.sphere_containment(&sphere(2.505, 1.0, 1.0, 0.5)), Containment::Partially);
    assert_eq!(room.sphere_containment(&sphere(2.52, 1.0, 1.0, 0.5)), Containment::Outside);
    assert_eq!(room.sphere_containment(&sphere(f32::NAN, 1.0, 1.0, 0.5)), Containment::Outside);
    assert_eq!(CellTree::default().sphere_containment(&sphere(9.0, 9.0, 9.0, 1.0)), Containment::Entirely);
}

/// 5.6.10: a box is outside if all of it is behind a plane by more than EPS.
#[test]
fn a_box_that_touches_a_plane_of_a_room_reaches_into_it() {
    let planes = builder::Plane::box_interior(Vec3::ZERO, Vec3::new(2.0, 2.0, 2.0));
    let room = CellTree::from_bsp(&builder::cell_tree(&planes));
    let reaches = |x: f32| {
        let corner = |index: u8| {
            let side = |bit: u8, low: f32| low + f32::from(index >> bit & 1);
            Vec3::new(side(0, x), side(1, 0.5), side(2, 0.5))
        };
        room.intersects_box(&[0, 1, 2, 3, 4, 5, 6, 7].map(corner))
    };
    assert!(reaches(0.5) && reaches(1.9) && reaches(-0.9));
    assert!(reaches(2.0) && reaches(-1.0), "it touches");
    assert!(!reaches(2.001) && !reaches(-1.001));
}

/// 5.6.9: touching the sphere around a solid does not count.
#[test]
fn a_solid_is_reached_by_what_overlaps_its_bounding_sphere() {
    let cuboid = solid(&MeshFace::cuboid(PAINT, Vec3::ZERO, Vec3::new(2.0, 2.0, 2.0)), MeshKind::Closed);
    let Sphere { origin, radius } = cuboid.sphere();
    let reaches = |apart: f32| cuboid.is_reached_by(&sphere(origin.x + apart, origin.y, origin.z, 0.5));
    assert!(reaches(0.0) && reaches(radius + 0.49) && reaches(-radius - 0.49));
    assert!(!reaches(radius + 0.51) && !reaches(-radius - 0.51));
}

fn coordinate(reach: f32) -> impl Strategy<Value = f32> {
    -reach..reach
}

fn vector(reach: f32) -> impl Strategy<Value = Vec3> {
    [coordinate(reach), coordinate(reach), coordinate(reach)].prop_map(Vec3::from)
}

/// Rotated boxes, some with a missing face.
fn clutter() -> impl Strategy<Value = Vec<MeshFace>> {
    let block = (vector(3.0), [0.1f32..2.0, 0.1f32..2.0, 0.1f32..2.0], vector(1.0), 0usize..7);
    let block = block.prop_map(|(at, size, axis, skipped)| {
        let axis = axis.normalized().unwrap_or(UP);
        let frame = Frame::new(at, Quat::from_axis_angle(axis, axis.x * 3.0));
        let faces = MeshFace::cuboid(PAINT, Vec3::ZERO, Vec3::from(size));
        let kept = faces.into_iter().enumerate().filter(move |(index, _)| *index != skipped);
        kept.map(|(_, face)| face.transformed(&frame)).collect::<Vec<_>>()
    });
    proptest::collection::vec(block, 1..4).prop_map(|blocks| blocks.concat())
}

/// Returns `true` if a sphere hits the same polygons when it is a little smaller or larger.
fn is_clear(solid: &Solid, at: &Sphere) -> bool {
    polygons(solid).all(|(_, polygon)| {
        let touches = |by: f32| polygon.hits_sphere(&Sphere { radius: at.radius + by, ..*at });
        touches(-1e-3) == touches(1e-3)
    })
}

proptest! {
    #[test]
    fn walks_find_the_same_as_a_search_over_all_polygons(
        faces in clutter(),
        centre in vector(4.0),
        radius in 0.05f32..1.5,
        movement in vector(0.5),
        allowance in 0.05f32..0.9,
    ) {
        let solid = solid(&faces, MeshKind::Open);
        let at = Sphere { origin: centre, radius };
        prop_assume!(is_clear(&solid, &at));
        let touched: Vec<_> = polygons(&solid).filter(|(_, polygon)| polygon.hits_sphere(&at)).collect();

        let mut struck = None;
        let faced = touched.iter().any(|(_, polygon)| polygon.faces(movement));
        prop_assert_eq!(solid.intersects_poly(&at, movement, &mut struck), faced);
        prop_assert_eq!(struck.is_some(), !touched.is_empty());
        prop_assert!(struck.is_none_or(|struck| touched.iter().any(|(id, _)| *id == struck)));

        prop_assert_eq!(solid.intersects_solid(&at, false), !touched.is_empty());
        prop_assert_eq!(solid.is_reached_by(&at) || touched.is_empty(), true);

        let walkable = |polygon: &Polygon<'_>| polygon.walkable_hits_sphere(&at, UP, allowance);
        let supported = touched.iter().any(|(_, p)| walkable(p) && p.supports_small(&at, UP));
        prop_assert_eq!(solid.hits_walkable(&at, UP, allowance), supported);

        let (mut moved, mut interp) = (at, 1.0);
        let found = solid.find_walkable(&mut moved, &mut interp, movement, UP, allowance);
        let any = touched.iter().any(|(_, polygon)| {
            walkable(polygon) && polygon.adjust_sphere_to_plane(&mut at.clone(), &mut 1.0, movement)
        });
        prop_assert_eq!(found.is_some(), any);
        match found {
            None => prop_assert_eq!((moved, interp), (at, 1.0)),
            Some(id) => {
                let distance = solid.polygon(id).plane.distance(moved.origin);
                prop_assert!((distance.abs() - radius).abs() < 1e-3, "not touching the last polygon: {distance} {radius}");
                prop_assert!(interp < 1.0);
            }
        }
    }

    /// Every walk that tests for solid leaves finds one inside of a closed box, and none outside.
    #[test]
    fn points_behind_all_faces_are_solid(at in vector(3.0), radius in 0.01f32..0.2) {
        let faces = MeshFace::cuboid(PAINT, Vec3::new(-1.0, -1.5, -2.0), Vec3::new(1.0, 1.5, 2.0));
        let solid = solid(&faces, MeshKind::Closed);
        let depth = polygons(&solid).map(|(_, polygon)| polygon.plane.distance(at)).fold(f32::MIN, f32::max);
        prop_assume!(depth.abs() > 1e-3);
        prop_assert_eq!(solid.point_intersects_solid(at), depth < 0.0);
        let sphere = Sphere { origin: at, radius };
        if depth < 0.0 {
            prop_assert!(solid.intersects_solid(&sphere, true));
        }
        if depth > radius + 1e-3 {
            prop_assert!(!solid.intersects_solid(&sphere, true));
        }
    }

    /// Walks end for any input.
    #[test]
    fn non_finite_spheres_hit_nothing(
        faces in clutter(),
        numbers in proptest::collection::vec(
            prop_oneof![Just(f32::NAN), Just(f32::INFINITY), Just(-1e38f32), Just(0.5f32)], 8),
    ) {
        let solid = solid(&faces, MeshKind::Closed);
        let n = |i: usize| numbers[i];
        let mut at = sphere(n(0), n(1), n(2), n(3));
        let movement = Vec3::new(n(4), n(5), n(6));
        let mut struck = None;
        solid.intersects_poly(&at, movement, &mut struck);
        solid.intersects_solid(&at, true);
        solid.intersects_solid_poly(&at, n(7), true, &mut SolidSearch::default());
        solid.hits_walkable(&at, UP, 0.6);
        solid.find_walkable(&mut at, &mut 1.0, movement, UP, 0.6);
        if !at.origin.is_finite() {
            prop_assert_eq!(struck, None);
        }
    }
}

fn leaf(keys: &[u16]) -> BspNode {
    let sphere = sphere(0.0, 0.0, 0.0, 100.0);
    BspNode::Leaf(BspLeaf { index: 0, physics: Some((1, sphere, keys.to_vec())) })
}

fn plane(front: Option<u32>, back: Option<u32>) -> BspNode {
    BspNode::Plane(PlaneNode {
        tag: 0x4250_6E4E,
        normal: UP,
        distance: 0.0,
        positive: front,
        negative: back,
        sphere: Some(sphere(0.0, 0.0, 0.0, 100.0)),
        polygons: Vec::new(),
        portals: Vec::new(),
    })
}

/// Builds the square with another tree.
fn with_tree(nodes: Vec<BspNode>) -> Result<Solid, GeometryError> {
    let mut mesh = mesh(&unit_square(), MeshKind::Open);
    if let Some(physics) = &mut mesh.physics {
        physics.bsp = BspTree { kind: BspKind::Physics, nodes };
    }
    Solid::from_gfx_obj(&mesh)
}

#[test]
fn a_tree_with_loops_is_rejected() {
    let bad = |node, child, count| Err(GeometryError::BadChild { node, child, count });
    assert_eq!(with_tree(vec![plane(Some(0), None)]), bad(0, 0, 1), "its own child");
    assert_eq!(with_tree(vec![plane(Some(1), None), plane(Some(0), None)]), bad(1, 0, 2), "a loop");
    assert_eq!(with_tree(vec![plane(Some(1), Some(1)), leaf(&[0])]), bad(0, 1, 2), "a shared child");
    assert_eq!(with_tree(vec![plane(Some(7), None)]), bad(0, 7, 1), "a missing child");
    assert!(with_tree(vec![plane(Some(1), Some(2)), leaf(&[0]), leaf(&[])]).is_ok());
}

/// A sphere that straddles a plane has its centre on one side only (`docs/collision.md` 5.6).
#[test]
fn only_the_side_of_the_centre_counts_as_solid() {
    // In front of the plane z = 0 everything is solid, behind it nothing.
    let half = with_tree(vec![plane(Some(1), Some(2)), leaf(&[0]), leaf(&[])]).unwrap();
    let (above, below) = (sphere(3.0, 3.0, 0.1, 0.5), sphere(3.0, 3.0, -0.1, 0.5));
    assert!(half.intersects_solid(&above, true) && !half.intersects_solid(&below, true));
    assert!(!half.intersects_solid(&above, false));
    let push = |at| {
        let mut search = SolidSearch::default();
        (half.intersects_solid_poly(at, 0.5, true, &mut search), search.centre_solid)
    };
    assert_eq!(push(&below), (false, false));
    assert_eq!(push(&above), (false, true), "the far side decides, and it is empty");
    assert!(half.point_intersects_solid(above.origin) && !half.point_intersects_solid(below.origin));
}

#[test]
fn a_tree_that_is_too_deep_is_rejected() {
    let chain = |length: u32| {
        let mut nodes: Vec<_> = (1..=length).map(|next| plane(Some(next), None)).collect();
        nodes.push(leaf(&[0]));
        with_tree(nodes)
    };
    let deep = chain(1024).unwrap();
    assert!(deep.intersects_solid(&sphere(0.5, 0.5, 0.1, 0.5), true));
    let too_deep = GeometryError::TooMany { what: "levels of the tree", found: 1025, limit: 1024 };
    assert_eq!(chain(1025), Err(too_deep));
    assert!(chain(1_000_000).is_err());
}

#[test]
fn a_tree_that_does_not_match_the_mesh_is_rejected() {
    assert_eq!(with_tree(vec![leaf(&[0, 5])]), Err(GeometryError::NoPolygon { leaf: 0, polygon: 5 }));
    let bare = BspNode::Leaf(BspLeaf { index: 0, physics: None });
    assert_eq!(with_tree(vec![bare]), Err(GeometryError::OtherTree { node: 0 }));
    let many = vec![0; 1 << 19];
    assert!(matches!(with_tree(vec![leaf(&many)]), Err(GeometryError::TooMany { found: 524_288, .. })));
    let mut drawing_only = mesh(&unit_square(), MeshKind::Open);
    drawing_only.physics = None;
    assert_eq!(Solid::from_gfx_obj(&drawing_only), Err(GeometryError::NoPhysics));
    // A tree without nodes is valid and touches nothing.
    let empty = with_tree(Vec::new()).unwrap();
    assert!(!empty.intersects_solid(&sphere(0.5, 0.5, 0.1, 0.5), true));
    assert_eq!(empty.sphere(), Sphere::default());
}

#[test]
fn a_mesh_with_too_many_polygons_or_corners_is_rejected() {
    let with_polygons = |count: u32, corners: usize| {
        let mut mesh = mesh(&unit_square(), MeshKind::Open);
        let physics = mesh.physics.as_mut().unwrap();
        let mut polygon = physics.polygons.iter().next().unwrap().1.clone();
        let vertex = polygon.vertices[0];
        polygon.vertices.resize(corners, vertex);
        physics.polygons = (0..count).map(|key| (key, polygon.clone())).collect();
        Solid::from_gfx_obj(&mesh).map(|solid| solid.polygon_count())
    };
    assert_eq!(with_polygons(1, 255), Ok(1));
    let corners = GeometryError::TooMany { what: "corners of a polygon", found: 256, limit: 255 };
    assert_eq!(with_polygons(1, 256), Err(corners));
    assert_eq!(with_polygons(65_536, 4), Ok(65_536));
    let polygons = GeometryError::TooMany { what: "polygons", found: 65_537, limit: 65_536 };
    assert_eq!(with_polygons(65_537, 4), Err(polygons));
}

#[test]
fn missing_and_non_finite_vertices_are_rejected() {
    let mut missing = mesh(&unit_square(), MeshKind::Open);
    missing.vertices.remove(2);
    assert_eq!(Solid::from_gfx_obj(&missing), Err(GeometryError::NoVertex { polygon: 0, vertex: 2 }));
    let mut invalid = mesh(&unit_square(), MeshKind::Open);
    invalid.vertices[1].position.x = f32::NAN;
    let not_finite = GeometryError::NotFinite { what: "vertex", index: 1 };
    assert_eq!(Solid::from_gfx_obj(&invalid), Err(not_finite.clone()));
    assert_eq!(not_finite.to_string(), "vertex 1 has a coordinate that is not finite");
}

/// Dat files contain polygons without area, which have no plane.
#[test]
fn a_polygon_without_area_is_never_touched() {
    let line = [[0.0, 0.0], [1.0, 1.0], [2.0, 2.0]].map(|[x, y]| Vec3::new(x, y, 0.0));
    let mut faces = unit_square();
    faces.push(MeshFace::new(PAINT, line));
    let mut flat = mesh(&faces, MeshKind::Open);
    if let Some(physics) = &mut flat.physics {
        physics.bsp = BspTree { kind: BspKind::Physics, nodes: vec![leaf(&[1])] };
    }
    let flat = Solid::from_gfx_obj(&flat).unwrap();
    assert_eq!(flat.polygon_count(), 2, "it keeps its id");
    let (mut at, mut struck) = (sphere(0.5, 0.5, 0.1, 0.5), None);
    assert!(!flat.intersects_poly(&at, -UP, &mut struck) && struck.is_none());
    assert!(!flat.intersects_solid(&at, false) && !flat.hits_walkable(&at, UP, -2.0));
    assert_eq!(flat.find_walkable(&mut at, &mut 1.0, -UP, UP, -2.0), None);
    assert!(flat.intersects_solid(&at, true), "its leaf is still solid");
}
