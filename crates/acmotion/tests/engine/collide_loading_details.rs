//! Details of geometry and of loading scenes from dat files: what is taken over, what is left out, and what is reported. Also
//! what surroundings answer that define no more than they must.

use crate::{collide_fixture, collide_hamlet};

use std::sync::Arc;

use acmotion::Barrier;
use acmotion::components::PhysicsState;
use acmotion::dat::builder::{self, MeshFace, MeshKind};
use acmotion::dat::hook::Bool32;
use acmotion::dat::{
    AnimationFrame, Assets, BspKind, BspLeaf, BspNode, BspTree, Building, BuildingPortal, CellPortal,
    CellRestrictions, CellStruct, CylSphere, DatError, DatWriter, DataId, DataSet, EnvCell, EnvCellFlags,
    Environment, GfxFlags, LandBlock, LandBlockInfo, LandBlockInfoFlags, PlaneNode, Setup, SetupFlags,
    Sphere, Terrain,
};
use acmotion::scene::geometry::{CellTree, GeometryError, Solid};
use acmotion::scene::{
    Arrival, CellArray, Contact, InfinitePlane, LoadError, Mover, MoverFlags, NoObstacles, Obstacle,
    ObstacleFlags, Obstacles, Obstruction, OpenAir, PlacementError, Plane, Room, Scene, SceneLoader, Shape,
    Surface, Surroundings, SweepResult, Touch,
};
use acmotion::types::{CellId, CellPosition, Frame, Guid, Vec3};
use collide_fixture::UP;
use collide_hamlet::standing;

const HOME: u16 = 0x7F7F;
const PAINT: DataId = DataId(0x0800_0001);
const BOX: DataId = DataId(0x0100_0002);
/// A mesh that nothing collides with.
const PICTURE: DataId = DataId(0x0100_0003);
const MISSING: DataId = DataId(0x0100_0777);
const PILE: DataId = DataId(0x0200_0002);
const TREE: DataId = DataId(0x0200_0003);
const BUSH: DataId = DataId(0x0200_0004);
const ENVIRONMENT: DataId = DataId(0x0D00_0001);

fn frames(key: i32, heights: &[f32]) -> (i32, AnimationFrame) {
    let parts = heights.iter().map(|z| Frame::from_origin(UP * *z)).collect();
    (key, AnimationFrame { parts, hooks: Vec::new() })
}

/// A portal file with a box, a pile of three boxes, a tree, a bush and the structure of a room.
fn portal() -> Assets {
    let mesh = builder::gfx_obj(BOX, &MeshFace::cuboid(PAINT, Vec3::ZERO, Vec3::ONE), MeshKind::Closed);
    let mut picture =
        builder::gfx_obj(PICTURE, &MeshFace::cuboid(PAINT, Vec3::ZERO, Vec3::ONE), MeshKind::Open);
    picture.physics = None;
    picture.flags.remove(GfxFlags::PHYSICS);
    let pile = Setup {
        id: PILE,
        flags: SetupFlags::SCALES,
        parts: vec![BOX, PICTURE, BOX, BOX],
        scales: vec![Vec3::new(1.0, 1.0, 2.0), Vec3::ONE, Vec3::new(3.0, 3.0, 0.5), Vec3::ONE],
        // 0x65 is the placement of objects at rest.
        placements: vec![frames(0, &[7.0, 8.0, 9.0, 9.0]), frames(0x65, &[1.0, 2.0, 3.0, 4.0])],
        ..Setup::default()
    };
    let tree = Setup {
        id: TREE,
        parts: vec![PICTURE],
        placements: vec![frames(0, &[0.0])],
        cyl_spheres: vec![CylSphere { origin: Vec3::ZERO, radius: 0.5, height: 6.0 }],
        spheres: vec![Sphere { origin: UP, radius: 0.7 }],
        sorting_sphere: Sphere { origin: UP, radius: 4.0 },
        ..Setup::default()
    };
    let bush =
        Setup { id: BUSH, parts: vec![PICTURE], placements: vec![frames(0, &[0.0])], ..Setup::default() };
    let environment = Environment { id: ENVIRONMENT, structures: [(0, structure())].into_iter().collect() };
    collide_hamlet::assets(
        |writer| {
            writer.add_object(&collide_hamlet::region());
            writer.add_object(&mesh);
            writer.add_object(&picture);
            writer.add_object(&pile);
            writer.add_object(&tree);
            writer.add_object(&bush);
            writer.add_object(&environment);
        },
        DataSet::Portal,
    )
}

/// A room, six metres square, with a door in the south.
fn structure() -> CellStruct {
    collide_hamlet::room(&[(0.0, false)])
}

fn land(block: u16, has_objects: bool) -> LandBlock {
    LandBlock {
        id: DataId(u32::from(block) << 16 | 0xFFFF),
        has_objects: Bool32::from(has_objects),
        terrain: [Terrain(0); 81],
        heights: [5; 81],
        padding: 0,
    }
}

/// Loads a landblock with some objects, buildings and rooms. Also returns the problems.
fn load(info: LandBlockInfo, rooms: &[EnvCell]) -> (Scene, Vec<LoadError>) {
    let info = LandBlockInfo { id: DataId(0x7F7F_FFFE), ..info };
    let cells = collide_hamlet::assets(
        |writer| {
            writer.add_object(&land(HOME, true));
            writer.add_object(&info);
            rooms.iter().for_each(|room| writer.add_object(room));
        },
        DataSet::Cell,
    );
    let mut loader = SceneLoader::new(&portal(), &cells).unwrap();
    loader.load_block(HOME).unwrap();
    (loader.scene(), loader.problems().to_vec())
}

/// Rule H15: objects stand as they do at rest, each part with the vertical scale of its own.
#[test]
fn scenery_is_loaded_in_its_resting_placement() {
    let objects = vec![standing(PILE, 12.0, 12.0, 10.0), standing(TREE, 60.0, 12.0, 10.0)];
    let (scene, problems) = load(LandBlockInfo { objects, ..LandBlockInfo::default() }, &[]);
    assert_eq!(problems, []);
    let pile = scene.scenery(CellId(0x7F7F_0001)).next().unwrap();
    let parts: Vec<_> = pile.parts.iter().map(|part| (part.frame.origin.z, part.scale)).collect();
    assert_eq!(parts, [(1.0, 2.0), (3.0, 0.5), (4.0, 1.0)]);
    assert_eq!((pile.model, pile.scale), (Some(PILE), 1.0));
    assert_eq!(pile.state, PhysicsState::STATIC | PhysicsState::HAS_PHYSICS_BSP);
    assert!(Arc::ptr_eq(&pile.parts[0].solid, &pile.parts[1].solid), "the mesh is built once");
    let tree = scene.scenery(CellId(0x7F7F_0011)).next().unwrap();
    assert_eq!(tree.state, PhysicsState::STATIC);
    assert_eq!((tree.parts.len(), tree.cylinders[0].height, tree.spheres[0].radius), (0, 6.0, 0.7));
    assert_eq!(tree.sorting_sphere.radius, 4.0);
}

/// What nothing collides with is left out; what is missing is reported, a mesh only once.
#[test]
fn scenery_without_a_shape_is_left_out() {
    let objects = vec![
        standing(PICTURE, 12.0, 12.0, 10.0),
        standing(BUSH, 12.0, 12.0, 10.0),
        standing(MISSING, 12.0, 12.0, 10.0),
        standing(MISSING, 14.0, 12.0, 10.0),
        standing(DataId(0x0200_0777), 12.0, 12.0, 10.0),
        standing(BOX, 12.0, f32::INFINITY, 10.0),
        standing(BOX, 12.0, 12.0, f32::INFINITY),
    ];
    let (scene, problems) = load(LandBlockInfo { objects, ..LandBlockInfo::default() }, &[]);
    assert_eq!((1..=64).map(|low| scene.scenery(CellId(0x7F7F_0000 | low)).count()).sum::<usize>(), 0);
    let texts: Vec<_> = problems.iter().map(ToString::to_string).collect();
    assert_eq!(texts.len(), 3, "{texts:?}");
    assert!(texts[0].contains("0x01000777") && texts[1].contains("0x02000777"), "{texts:?}");
    assert!(texts[2].starts_with("0x7F7FFFFE") && texts[2].contains("scenery"), "{texts:?}");
}

/// 7.5: the shell of a building is the first part of its model, and only that.
#[test]
fn the_shell_of_a_building_is_the_first_part_of_its_model() {
    let portal = |other_cell, other_portal, visible: &[u16]| BuildingPortal {
        other_cell,
        other_portal,
        visible: visible.to_vec(),
        ..BuildingPortal::default()
    };
    let build = |model: DataId, x: f32| Building {
        model,
        frame: Frame::from_origin(Vec3::new(x, 12.0, 10.0)),
        leaf_count: 0,
        portals: vec![portal(0x100, 0, &[0x100, 0x102]), portal(0x101, 0xFFFF, &[0x102, 0x101])],
    };
    let buildings = vec![
        build(PILE, 12.0),
        build(BUSH, 36.0),
        build(DataId(0x0200_0777), 60.0),
        build(BOX, f32::INFINITY),
    ];
    let (scene, problems) = load(LandBlockInfo { buildings, ..LandBlockInfo::default() }, &[]);
    let pile = scene.land(CellId(0x7F7F_0001)).unwrap().building().unwrap();
    assert_eq!(pile.position, CellPosition::at(CellId(0x7F7F_0001), Vec3::new(12.0, 12.0, 11.0)));
    assert_eq!((pile.scale, pile.model, pile.solid.is_some()), (2.0, Some(PILE), true));
    let portals: Vec<_> =
        pile.portals.iter().map(|portal| (portal.room.low(), portal.other_portal)).collect();
    assert_eq!(portals, [(0x100, 0), (0x101, -1)]);
    assert_eq!(pile.visible.iter().map(|cell| cell.low()).collect::<Vec<_>>(), [0x100, 0x102, 0x101]);
    let bush = scene.land(CellId(0x7F7F_0009)).unwrap().building().unwrap();
    assert_eq!((bush.scale, bush.solid.is_some()), (1.0, false));
    assert_eq!(bush.position.frame.origin, Vec3::new(36.0, 12.0, 10.0));
    assert_eq!(problems.len(), 2, "{problems:?}");
    assert!(problems[0].to_string().contains("0x02000777"), "{problems:?}");
}

fn room(low: u32, structure: u16) -> EnvCell {
    let shape = self::structure();
    EnvCell {
        id: DataId(0x7F7F_0000 | low),
        flags: EnvCellFlags::SEEN_OUTSIDE | EnvCellFlags::OBJECTS | EnvCellFlags::RESTRICTION,
        environment: ENVIRONMENT.0 as u16,
        structure,
        frame: Frame::from_origin(Vec3::new(40.0, 40.0, 10.0)),
        portals: vec![collide_hamlet::portal(&shape, 0, CellPortal::OUTSIDE)],
        visible: vec![0x101, 0x104],
        objects: vec![standing(BOX, 41.0, 41.0, 10.0)],
        restriction: Some(0x7000_0001),
        ..EnvCell::default()
    }
}

/// 7.3, 7.4, 8.7: what a room takes over from its cell. Rooms of the same structure share its polygons.
#[test]
fn rooms_are_loaded_with_what_is_in_them() {
    let info = LandBlockInfo { cell_count: 4, ..LandBlockInfo::default() };
    let mut other = room(0x101, 0);
    other.flags = EnvCellFlags::empty();
    (other.objects, other.restriction) = (vec![], None);
    other.portals[0].other_cell = 0x100;
    let mut odd = room(0x103, 0);
    odd.portals[0].polygon = 99;
    let (scene, problems) = load(info, &[room(0x100, 0), other, room(0x102, 7), odd]);
    let [first, second] = scene.rooms(HOME) else { panic!("{problems:?}") };
    assert!(first.seen_outside && !second.seen_outside);
    assert_eq!((first.restriction, second.restriction), (Some(Guid(0x7000_0001)), None));
    assert_eq!(first.visible, [CellId(0x7F7F_0101), CellId(0x7F7F_0104)]);
    assert_eq!((first.portals[0].other, second.portals[0].other), (None, Some(CellId(0x7F7F_0100))));
    assert!(Arc::ptr_eq(first.solid.as_ref().unwrap(), second.solid.as_ref().unwrap()));
    assert_eq!(scene.scenery(first.id()).count(), 1);
    assert_eq!(scene.scenery(second.id()).count(), 0);
    let structure = LoadError::NoShape { id: DataId(0x7F7F_0102), environment: ENVIRONMENT, structure: 7 };
    let error = GeometryError::NoPortal { polygon: 99 };
    assert_eq!(problems, [structure, LoadError::Geometry { id: DataId(0x7F7F_0103), error }]);
}

/// A structure whose polygons are damaged is reported once. Its rooms exist all the same, without walls.
#[test]
fn a_damaged_structure_is_reported_once() {
    let mut damaged = structure();
    damaged.physics_bsp.nodes.clear();
    damaged
        .physics_bsp
        .nodes
        .push(BspNode::Leaf(BspLeaf { index: 0, physics: Some((0, Sphere::default(), vec![77])) }));
    let environment = Environment { id: ENVIRONMENT, structures: [(0, damaged)].into_iter().collect() };
    let portal = collide_hamlet::assets(
        |writer| {
            writer.add_object(&collide_hamlet::region());
            writer.add_object(&environment);
        },
        DataSet::Portal,
    );
    let info = LandBlockInfo { id: DataId(0x7F7F_FFFE), cell_count: 2, ..LandBlockInfo::default() };
    let bare =
        |low| EnvCell { flags: EnvCellFlags::empty(), objects: vec![], restriction: None, ..room(low, 0) };
    let cells = collide_hamlet::assets(
        |writer| {
            writer.add_object(&land(HOME, true));
            writer.add_object(&info);
            writer.add_object(&bare(0x100));
            writer.add_object(&bare(0x101));
        },
        DataSet::Cell,
    );
    let mut loader = SceneLoader::new(&portal, &cells).unwrap();
    loader.load_block(HOME).unwrap();
    let error = GeometryError::NoPolygon { leaf: 0, polygon: 77 };
    assert_eq!(loader.problems(), [LoadError::Geometry { id: ENVIRONMENT, error }]);
    let scene = loader.scene();
    assert_eq!(scene.rooms(HOME).iter().filter(|room| room.solid.is_none()).count(), 2);
}

/// 8.7: the restrictions of land cells.
#[test]
fn restrictions_of_land_are_loaded() {
    let entries = vec![(0x7F7F_0025, 0x7000_0001), (0x7F7F_0003, 0x7000_0002)];
    let info = LandBlockInfo {
        flags: LandBlockInfoFlags::RESTRICTIONS,
        restrictions: Some(CellRestrictions { buckets: 8, entries }),
        ..LandBlockInfo::default()
    };
    let (scene, problems) = load(info, &[]);
    assert_eq!(problems, []);
    let restriction = |low: u32| scene.restriction(CellId(0x7F7F_0000 | low));
    assert_eq!(
        [restriction(0x25), restriction(3), restriction(4)],
        [Some(Guid(0x7000_0001)), Some(Guid(0x7000_0002)), None]
    );
}

/// No more rooms are looked for than there are ids.
#[test]
fn the_number_of_rooms_is_bounded() {
    let (scene, problems) =
        load(LandBlockInfo { cell_count: 1 << 20, ..LandBlockInfo::default() }, &[room(0x100, 0)]);
    assert_eq!(scene.rooms(HOME).len(), 1);
    assert_eq!(problems.len(), 0xFFFE - 0x100 - 1, "from 0x101 to 0xFFFD");
}

/// Writes a cell file of landblocks without objects.
fn cell_file(blocks: &[u16], more: impl FnOnce(&mut DatWriter)) -> Assets {
    collide_hamlet::assets(
        |writer| {
            blocks.iter().for_each(|block| writer.add_object(&land(*block, false)));
            more(writer);
        },
        DataSet::Cell,
    )
}

/// A landblock is loaded with its neighbours, as far as there are any on the map.
#[test]
fn landblocks_are_loaded_around_one() {
    let blocks = [0x0000, 0x0001, 0x0002, 0x0100, 0x0101, 0x0200, 0xFDFE, 0xFEFD, 0xFEFE, 0xFFFE, 0xFEFF];
    let cells = cell_file(&blocks, |_| {});
    let around = |block: u16, distance: u8| {
        let mut loader = SceneLoader::new(&portal(), &cells).unwrap();
        loader.load_around(block, distance);
        assert_eq!(loader.problems(), []);
        loader.scene().blocks().collect::<Vec<_>>()
    };
    assert_eq!(around(0x0000, 0), [0x0000]);
    assert_eq!(around(0x0000, 1), [0x0000, 0x0001, 0x0100, 0x0101]);
    assert_eq!(around(0x0101, 1), [0x0000, 0x0001, 0x0002, 0x0100, 0x0101, 0x0200]);
    assert_eq!(around(0xFEFE, 1), [0xFDFE, 0xFEFD, 0xFEFE], "there are none beyond 0xFE");
    assert_eq!(around(0x0000, 255), [0x0000, 0x0001, 0x0002, 0x0100, 0x0101, 0x0200, 0xFDFE, 0xFEFD, 0xFEFE]);
}

/// A damaged landblock is an error if it is asked for, and else a problem.
#[test]
fn damaged_landblocks_are_reported() {
    let cells = cell_file(&[0x0001], |writer| {
        writer.add(DataId(0x0002_FFFF), vec![1, 2, 3]);
        // No landblock: rooms and other objects of a landblock are not loaded by themselves.
        writer.add(DataId(0x0003_0100), vec![1, 2, 3]);
    });
    let loader = || SceneLoader::new(&portal(), &cells).unwrap();
    let is_damaged =
        |error: &LoadError| matches!(error, LoadError::Dat(DatError::Object { id: DataId(0x0002_FFFF), .. }));
    assert!(loader().load_block(0x0002).is_err_and(|error| is_damaged(&error)));
    let mut around = loader();
    around.load_around(0x0001, 1);
    assert!(matches!(around.problems(), [error] if is_damaged(error)), "{:?}", around.problems());
    let mut all = loader();
    all.load_all();
    assert!(matches!(all.problems(), [error] if is_damaged(error)), "{:?}", all.problems());
    assert_eq!(all.scene().blocks().collect::<Vec<_>>(), [0x0001]);
    all.unload_block(0x0001);
    assert_eq!(all.scene().blocks().count(), 0);
}

/// What stands on a landblock is read if the landblock says so; if it is missing, that is a problem.
#[test]
fn objects_are_loaded_if_the_landblock_has_any() {
    let objects = vec![standing(BOX, 12.0, 12.0, 10.0), standing(BOX, -30.0, 12.0, 10.0)];
    let info = LandBlockInfo { id: DataId(0x0001_FFFE), objects, ..LandBlockInfo::default() };
    let load = |has_objects: bool, with_info: bool| {
        let cells = cell_file(&[], |writer| {
            writer.add_object(&land(0x0001, has_objects));
            if with_info {
                writer.add_object(&info);
            }
        });
        let mut loader = SceneLoader::new(&portal(), &cells).unwrap();
        loader.load_block(0x0001).unwrap();
        (loader.scene().scenery(CellId(0x0001_0001)).count(), loader.problems().len())
    };
    assert_eq!(load(true, true), (1, 0), "the second is off the map");
    assert_eq!(load(false, true), (0, 0));
    assert_eq!(load(true, false), (0, 1));
}

fn node(normal: Vec3, distance: f32, sphere: Option<Sphere>, children: [Option<u32>; 2]) -> BspNode {
    BspNode::Plane(PlaneNode {
        tag: 0x4250_6E4E,
        normal,
        distance,
        positive: children[0],
        negative: children[1],
        sphere,
        polygons: vec![],
        portals: vec![],
    })
}

/// Coordinates of a tree that are not finite are refused, and nodes of another kind of tree.
#[test]
fn trees_with_invalid_nodes_are_rejected() {
    let around = Sphere { origin: Vec3::ZERO, radius: 9.0 };
    let build = |root: BspNode| {
        let mut mesh =
            builder::gfx_obj(BOX, &MeshFace::cuboid(PAINT, Vec3::ZERO, Vec3::ONE), MeshKind::Closed);
        if let Some(physics) = &mut mesh.physics {
            physics.bsp = BspTree { kind: BspKind::Physics, nodes: vec![root] };
        }
        Solid::from_gfx_obj(&mesh)
    };
    assert!(build(node(UP, 0.0, Some(around), [None; 2])).is_ok());
    let invalid = Err(GeometryError::NotFinite { what: "node", index: 0 });
    assert_eq!(build(node(UP * f32::NAN, 0.0, Some(around), [None; 2])), invalid);
    assert_eq!(build(node(UP, f32::INFINITY, Some(around), [None; 2])), invalid);
    let far = Sphere { origin: UP * f32::NAN, ..around };
    assert_eq!(build(node(UP, 0.0, Some(far), [None; 2])), invalid);
    let wide = Sphere { radius: f32::INFINITY, ..around };
    assert_eq!(build(node(UP, 0.0, Some(wide), [None; 2])), invalid);
    let leaf = |sphere| BspNode::Leaf(BspLeaf { index: 0, physics: Some((0, sphere, vec![])) });
    assert_eq!(build(leaf(wide)), invalid);
    assert_eq!(build(node(UP, 0.0, None, [None; 2])), Err(GeometryError::OtherTree { node: 0 }));
}

/// The box around the polygons of a solid, and the memory it takes.
#[test]
fn a_solid_knows_its_extent_and_its_size() {
    let (low, high) = (Vec3::new(-1.0, 2.0, -3.0), Vec3::new(4.0, 5.0, -2.0));
    let of =
        |faces: &[MeshFace]| Solid::from_gfx_obj(&builder::gfx_obj(BOX, faces, MeshKind::Closed)).unwrap();
    let cuboid = of(&MeshFace::cuboid(PAINT, low, high));
    assert_eq!(cuboid.extent(), [low, high]);
    assert_eq!(cuboid.polygon_count(), 6);
    let two =
        of(&[MeshFace::cuboid(PAINT, low, high), MeshFace::cuboid(PAINT, low * 3.0, high * 3.0)].concat());
    // Twelve more bytes for each of 24 corners, and at least a plane for each of six polygons.
    assert!(two.bytes() > cuboid.bytes() + 24 * 12 + 6 * 16);
    assert!(cuboid.bytes() > size_of::<Solid>() + 24 * 12 + 6 * 16);
}

/// A chain of planes that leads back to itself ends.
#[test]
fn the_inside_of_a_room_ends_even_if_its_tree_does_not() {
    let tree = |nodes: Vec<BspNode>| CellTree::from_bsp(&BspTree { kind: BspKind::Cell, nodes });
    let endless = tree(vec![node(UP, 1.0, None, [Some(1), None]), node(-UP, 1.0, None, [Some(0), None])]);
    assert_eq!(endless.planes(), [Plane::new(UP, 1.0), Plane::new(-UP, 1.0)]);
    let short = tree(vec![node(UP, 1.0, None, [None, Some(1)]), node(-UP, 1.0, None, [None; 2])]);
    assert_eq!(short.planes(), [Plane::new(UP, 1.0)], "only the front counts");
    let corners = |z: f32| std::array::from_fn(|corner| UP * (z + if corner & 4 == 0 { 0.0 } else { 0.5 }));
    assert!(endless.intersects_box(&corners(-1.4)) && !endless.intersects_box(&corners(-1.6)));
    assert!(endless.intersects_box(&corners(0.9)) && !endless.intersects_box(&corners(1.1)));
}

/// A portal without area is never touched, and one that the structure lacks is an error.
#[test]
fn a_portal_without_area_is_never_touched() {
    let mut shape = structure();
    let cell = room(0x100, 0);
    let key = u32::from(cell.portals[0].polygon);
    shape.polygons = shape
        .polygons
        .iter()
        .map(|(own, polygon)| {
            let mut polygon = polygon.clone();
            if own == key {
                polygon.vertices = vec![polygon.vertices[0]; 3];
            }
            (own, polygon)
        })
        .collect();
    let flat = Room::from_env_cell(&cell, &shape, None).unwrap();
    assert_eq!(flat.portals[0].plane.normal, Vec3::ZERO);
    assert!(!flat.portals[0].plane.d.is_finite());
    shape.vertices.clear();
    assert!(matches!(Room::from_env_cell(&cell, &shape, None), Err(GeometryError::NoVertex { .. })));
}

/// Surroundings that define no more than they must: a plane that rises to the east.
struct Rise;

const RISE: f32 = 0.5;

impl Surroundings for Rise {
    fn sweep(
        &self,
        _mover: &Mover<'_>,
        _from: &CellPosition,
        _to: &CellPosition,
        _obstacles: &dyn Obstacles,
        _touched: &mut Vec<Touch>,
    ) -> SweepResult {
        SweepResult { arrival: None, kills_velocity: false, barrier: Some(Barrier::Surroundings) }
    }

    fn place(
        &self,
        _mover: &Mover<'_>,
        at: &CellPosition,
        _slide: bool,
        _obstacles: &dyn Obstacles,
        _touched: &mut Vec<Touch>,
    ) -> Result<Arrival, PlacementError> {
        Ok(Arrival::without_contact(*at))
    }

    fn is_free(&self, _body: Guid, _at: &CellPosition, _obstacles: &dyn Obstacles) -> bool {
        true
    }

    /// In the axes of the landblock to the east.
    fn ground(&self, _at: &CellPosition) -> Option<Contact> {
        let normal = Vec3::new(-RISE, 0.0, 1.0).normalized()?;
        let plane = Plane::through(Vec3::ZERO, normal);
        Some(Contact { plane, cell: CellId(0x807F_0005), is_water: false })
    }
}

/// What surroundings answer by default follows from the ground.
#[test]
fn surroundings_answer_by_their_ground() {
    let shape = Shape::human();
    let mover = Mover::new(Guid(1), &shape, 1.0, PhysicsState::GRAVITY, MoverFlags::empty());
    // Two metres to the west of the border.
    let here = CellPosition::at(CellId(0x7F7F_003D), Vec3::new(190.0, 108.0, 5.0));
    let ground = Rise.find_ground(&here, &NoObstacles).unwrap();
    assert_eq!(
        (ground.position.cell, ground.surface, ground.depth),
        (CellId(0x807F_0005), Surface::Land, 0.0)
    );
    let found = ground.position.frame.origin;
    assert!((found - Vec3::new(-2.0, 108.0, -2.0 * RISE)).length() < 1e-4, "{found:?}");
    assert!((Rise.land_height(&here).unwrap() + 2.0 * RISE).abs() < 1e-4);
    assert!(Rise.trace_sweep(&mover, &here, &here, &NoObstacles).is_none());
    assert_eq!(Rise.visible_rooms(here.cell), []);
    assert!(Rise.has_cell(CellId(0x0101_0001)) && Rise.has_obstacles());
    assert_eq!(Rise.restriction(here.cell), None);
    let mut far = here;
    far.frame.origin.x = 193.0;
    let adjusted = Rise.adjust_to_cell(&mover, &far).unwrap();
    assert_eq!((adjusted.cell, adjusted.frame.origin.x), (CellId(0x807F_0005), 1.0));
    let obstacle = Obstacle {
        guid: Guid(2),
        position: here,
        scale: 1.0,
        state: PhysicsState::empty(),
        flags: ObstacleFlags::WEENIE,
        parts: &[],
        cylinders: &[],
        spheres: &[],
    };
    let mut cells = CellArray::default();
    cells.add(CellId(0x0101_0001));
    Rise.find_obstacle_cells(&obstacle, &mut cells);
    assert_eq!(cells.iter().collect::<Vec<_>>(), [here.cell]);
}

/// Only the ground lies between two points of such surroundings, and not within a centimetre of one of them.
#[test]
fn a_plane_lies_between_points_on_both_sides_of_it() {
    let at = |x: f32, z: f32| CellPosition::at(CellId(0x7F7F_003D), Vec3::new(x, 108.0, z));
    let between = |from: CellPosition, to: CellPosition| match Rise.find_obstruction(&from, &to, &NoObstacles)
    {
        Some(Obstruction::Surface(hit)) => Some(hit),
        other => {
            assert_eq!(other, None);
            None
        }
    };
    let normal = Vec3::new(-RISE, 0.0, 1.0).normalized().unwrap();
    // The plane is at a height of −1 at x = 190.
    let hit = between(at(190.0, 0.0), at(190.0, -4.0)).unwrap();
    assert!((hit.share - 0.25).abs() < 1e-5 && (hit.normal - normal).length() < 1e-5, "{hit:?}");
    assert_eq!((hit.position.cell, hit.surface), (CellId(0x807F_0005), Surface::Land));
    assert!((hit.position.frame.origin - Vec3::new(-2.0, 108.0, -1.0)).length() < 1e-4, "{hit:?}");
    let hit = between(at(190.0, -4.0), at(190.0, 0.0)).unwrap();
    assert!((hit.share - 0.75).abs() < 1e-5 && (hit.normal + normal).length() < 1e-5, "{hit:?}");
    assert_eq!(between(at(190.0, 0.0), at(190.0, 4.0)), None);
    assert_eq!(between(at(190.0, -2.0), at(190.0, -4.0)), None);
    assert_eq!(between(at(190.0, -1.008), at(190.0, 4.0)), None);
    assert!(between(at(190.0, -1.02), at(190.0, 4.0)).is_some());
    assert_eq!(between(at(190.0, 4.0), at(190.0, -1.008)), None);
    assert!(between(at(190.0, 4.0), at(190.0, -1.02)).is_some());
}

/// Ground that is too steep to land on is not found below a point.
#[test]
fn a_plane_that_is_too_steep_is_no_ground() {
    let at = CellPosition::at(CellId(0x7F7F_0025), Vec3::new(108.0, 108.0, 0.0));
    let slope = |degrees: f32| {
        let (sin, cos) = libm::sincosf(degrees.to_radians());
        InfinitePlane::through(&at, Vec3::new(-sin, 0.0, cos))
    };
    let ground = |degrees: f32| slope(degrees).unwrap().find_ground(&at, &NoObstacles);
    assert!(ground(84.0).is_some_and(|ground| !ground.is_walkable()));
    assert_eq!(ground(86.0), None);
    assert_eq!(slope(90.0), None);
    assert_eq!(slope(120.0), None);
    let far = CellPosition::at(at.cell, Vec3::new(f32::MAX, 0.0, 0.0));
    assert_eq!(InfinitePlane::through(&far, Vec3::new(-1.0, -1.0, f32::NAN)), None);
    let lost = CellPosition::at(at.cell, UP * f32::INFINITY);
    assert_eq!(InfinitePlane::through(&lost, UP), None);
}

/// In open air there is nothing, not even off the map.
#[test]
fn open_air_has_no_ground_and_no_obstacles() {
    let shape = Shape::human();
    let mover = Mover::new(Guid(1), &shape, 1.0, PhysicsState::GRAVITY, MoverFlags::empty());
    let at = |x: f32| CellPosition::at(CellId(0x0001_0001), Vec3::new(x, 12.0, 5.0));
    let sweep = |x: f32| OpenAir.sweep(&mover, &at(12.0), &at(x), &NoObstacles, &mut Vec::new());
    let arrival = sweep(30.0).arrival.unwrap();
    assert_eq!(
        (arrival.position.cell, arrival.in_cell, arrival.has_contact),
        (CellId(0x0001_0009), true, false)
    );
    assert!(!sweep(30.0).kills_velocity);
    assert_eq!(sweep(-5.0).arrival, None);
    let place = |x: f32| OpenAir.place(&mover, &at(x), true, &NoObstacles, &mut Vec::new());
    assert_eq!(place(30.0).unwrap().position.cell, CellId(0x0001_0009));
    assert_eq!(place(-5.0), Err(PlacementError::NoCell));
    assert!(OpenAir.is_free(Guid(1), &at(12.0), &NoObstacles) && !OpenAir.has_obstacles());
    assert_eq!(OpenAir.ground(&at(12.0)), None);
    // A plane has no obstacles, either.
    let plane = InfinitePlane::level(3.0);
    assert!(plane.is_free(Guid(1), &at(12.0), &NoObstacles) && !plane.has_obstacles());
    assert_eq!(
        plane.place(&mover, &at(-5.0), true, &NoObstacles, &mut Vec::new()),
        Err(PlacementError::NoCell)
    );
}
