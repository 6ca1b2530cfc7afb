//! The built-in world: all references are valid, rooms are closed except for their openings, openings lead to the
//! right rooms, and every named position is in its cell.

use std::collections::BTreeMap;
use std::sync::Arc;

use acmotion_dat::builder::Plane;
use acmotion_dat::mannequin::{self, town};
use acmotion_dat::{
    AnyObject, Assets, BspNode, BspTree, CellStruct, Dat, DataId, EnvCell, ObjectKind, Polygon, Vertex,
};
use acmotion_types::{CellId, CellPosition, Frame, Vec3};

/// A room with its shape.
struct Room {
    cell: Arc<EnvCell>,
    shape: CellStruct,
}

fn room(low: u16) -> Room {
    let cell = Assets::town().env_cell(DataId(u32::from(town::HOME_BLOCK) << 16 | u32::from(low))).unwrap();
    let environment = Assets::mannequin().environment(cell.environment_id()).unwrap();
    let shape = environment.structures.get(cell.structure.into()).unwrap().clone();
    Room { cell, shape }
}

fn rooms() -> Vec<Room> {
    let info = DataId(u32::from(town::HOME_BLOCK) << 16 | 0xFFFE);
    let count = Assets::town().land_block_info(info).unwrap().cell_count as u16;
    (0x100..0x100 + count).map(room).collect()
}

fn corners(vertices: &[Vertex], polygon: &Polygon) -> Vec<Vec3> {
    polygon.vertices.iter().map(|id| vertices[*id as usize].position).collect()
}

impl Room {
    /// Returns the polygon of an opening, in the landblock's axes.
    fn opening(&self, portal: usize) -> Vec<Vec3> {
        let polygon = self.shape.polygons.get(self.cell.portals[portal].polygon.into()).unwrap();
        let corners = corners(&self.shape.vertices, polygon).into_iter();
        corners.map(|corner| self.cell.frame.local_to_global(corner)).collect()
    }

    /// Returns `true` if a point of the landblock is in front of all planes of the cell tree.
    fn contains(&self, point: Vec3) -> bool {
        self.depth_of(self.cell.frame.global_to_local(point)) > 0.0
    }

    /// Returns the distance of a point, in the room's axes, from the nearest plane of the cell tree; negative
    /// outside.
    fn depth_of(&self, local: Vec3) -> f32 {
        let depths = self.shape.cell_bsp.nodes.iter().filter_map(|node| match node {
            BspNode::Plane(node) => Some(node.normal.dot(local) + node.distance),
            BspNode::Leaf(_) => None,
        });
        depths.fold(f32::MAX, f32::min)
    }
}

fn middle(corners: &[Vec3]) -> Vec3 {
    corners.iter().fold(Vec3::ZERO, |sum, corner| sum + *corner) * (1.0 / corners.len() as f32)
}

/// Returns `true` if a ray hits the front of a polygon.
fn is_hit(corners: &[Vec3], from: Vec3, direction: Vec3) -> bool {
    let plane = Plane::from_polygon(corners);
    let (height, speed) = (plane.signed_distance(from), plane.normal.dot(direction));
    if speed >= 0.0 || height < 0.0 {
        return false;
    }
    let point = from + direction * (height / -speed);
    let edges = corners.iter().zip(corners.iter().cycle().skip(1));
    edges.into_iter().all(|(a, b)| plane.normal.cross(*b - *a).dot(point - *a) > -1e-4)
}

fn is_solid(tree: &BspTree, point: Vec3) -> bool {
    let mut index = 0;
    loop {
        match &tree.nodes[index] {
            BspNode::Leaf(leaf) => return leaf.physics.as_ref().is_some_and(|(solid, ..)| *solid == 1),
            BspNode::Plane(node) => {
                let is_in_front = node.normal.dot(point) + node.distance >= 0.0;
                index = if is_in_front { node.positive } else { node.negative }.unwrap() as usize;
            }
        }
    }
}

#[test]
fn every_object_decodes_and_encodes_to_its_bytes() {
    let dat = Dat::from_bytes(town::dat_file()).unwrap();
    assert_eq!(dat.header().block_size, 256);
    let mut kinds = BTreeMap::new();
    for entry in dat.entries() {
        let entry = entry.unwrap();
        let bytes = dat.read(&entry).unwrap();
        let kind = dat.kind_of(entry.id);
        let object = AnyObject::decode(kind, entry.id, &bytes).unwrap();
        assert_eq!(object.encode(), bytes.as_ref(), "{}", entry.id);
        *kinds.entry(kind).or_insert(0) += 1;
    }
    let expected = [
        (ObjectKind::LandBlock, 16),
        (ObjectKind::LandBlockInfo, 4),
        (ObjectKind::EnvCell, 11),
        (ObjectKind::Iteration, 1),
    ];
    assert_eq!(kinds.into_iter().collect::<Vec<_>>(), expected);
}

#[test]
fn all_referenced_objects_exist() {
    let (cells, portal) = (Assets::town(), Assets::mannequin());
    let check = |model: DataId| match portal.dat().kind_of(model) {
        ObjectKind::GfxObj => vec![portal.gfx_obj(model).unwrap()],
        _ => portal.setup(model).unwrap().parts.iter().map(|part| portal.gfx_obj(*part).unwrap()).collect(),
    };
    let mut models = Vec::new();
    for block in town::blocks() {
        let id = u32::from(block) << 16;
        let land = cells.land_block(DataId(id | 0xFFFF)).unwrap();
        let info = cells.land_block_info(DataId(id | 0xFFFE));
        assert_eq!(land.has_objects.get(), info.is_ok());
        let Ok(info) = info else { continue };
        models.extend(info.objects.iter().map(|object| object.model));
        models.extend(info.buildings.iter().map(|building| building.model));
    }
    for Room { cell, .. } in rooms() {
        models.extend(cell.objects.iter().map(|object| object.model));
        assert!(
            (0..cell.surfaces.len())
                .all(|index| { portal.dat().find(cell.surface_id(index).unwrap()).unwrap().is_some() })
        );
        assert!(cell.visible.iter().all(|low| cells.env_cell(cell.neighbour(*low)).is_ok()));
    }
    for mesh in models.into_iter().flat_map(check) {
        assert!(mesh.surfaces.iter().all(|surface| portal.dat().find(*surface).unwrap().is_some()));
    }
}

#[test]
fn border_vertices_match_and_the_outer_blocks_are_sea() {
    let cells = Assets::town();
    let block = |id: u16| cells.land_block(DataId(u32::from(id) << 16 | 0xFFFF)).ok();
    let (mut borders, mut seas) = (0, 0);
    for id in town::blocks() {
        let here = block(id).unwrap();
        for (other, east) in [(id + 0x100, true), (id + 1, false)] {
            let Some(other) = block(other) else { continue };
            for vertex in 0..9 {
                let (ours, theirs) =
                    if east { ((8, vertex), (0, vertex)) } else { ((vertex, 8), (vertex, 0)) };
                assert_eq!(here.height_at(ours.0, ours.1), other.height_at(theirs.0, theirs.1));
                assert_eq!(here.terrain_at(ours.0, ours.1), other.terrain_at(theirs.0, theirs.1));
            }
            borders += 1;
        }
        seas += usize::from(here.terrain.iter().all(|ground| ground.is_water()));
    }
    assert_eq!((borders, seas), (24, 12));
}

#[test]
fn openings_of_neighbouring_rooms_match() {
    let (mut inward, mut outward) = (0, 0);
    for here in rooms() {
        for (index, portal) in here.cell.portals.iter().enumerate() {
            let opening = here.opening(index);
            let (centre, normal) = (middle(&opening), Plane::from_polygon(&opening).normal);
            assert!(here.contains(centre + normal * 0.05), "{}: portal {index} faces outward", here.cell.id);
            assert!(!here.contains(centre - normal * 0.05));
            if portal.leads_outside() {
                outward += 1;
                continue;
            }
            let there = room(portal.other_cell);
            let back = there.cell.portals[usize::from(portal.other_portal)];
            assert_eq!(u32::from(back.other_cell), here.cell.id.0 & 0xFFFF);
            assert_eq!(usize::from(back.other_portal), index);
            let mut theirs = there.opening(portal.other_portal.into());
            theirs.reverse();
            let turn = theirs.iter().position(|corner| corner.is_close_to(opening[0])).unwrap();
            theirs.rotate_left(turn);
            assert!(opening.iter().zip(&theirs).all(|(a, b)| a.is_close_to(*b)), "the same polygon");
            assert!(
                there.contains(centre - normal * 0.05),
                "{}: the other room is not behind portal {index}",
                here.cell.id
            );
            inward += 1;
        }
    }
    assert_eq!((inward, outward), (18, 2));
}

#[test]
fn a_human_fits_through_every_opening() {
    for here in rooms() {
        for portal in 0..here.cell.portals.len() {
            let opening = here.opening(portal);
            let height = opening.iter().map(|corner| corner.z);
            let height = height.clone().fold(f32::MIN, f32::max) - height.fold(f32::MAX, f32::min);
            let level = |v: Vec3| Vec3::new(v.x, v.y, 0.0);
            let wide = opening.iter().map(|corner| (level(*corner) - level(opening[0])).length());
            let wide = wide.fold(0.0, f32::max);
            assert!(wide > 1.39 && height > 2.39, "{}, portal {portal}: {wide} × {height}", here.cell.id);
        }
    }
}

/// Every ray from inside a room hits the front of a wall or an opening.
#[test]
fn rooms_are_closed_except_for_their_openings() {
    for here in rooms() {
        let walls = here.shape.physics_polygons.iter().map(|(_, polygon)| polygon);
        let openings = here.shape.portals.iter().map(|key| here.shape.polygons.get(u32::from(*key)).unwrap());
        let polygons: Vec<_> =
            walls.chain(openings).map(|polygon| corners(&here.shape.vertices, polygon)).collect();
        let points: Vec<_> = polygons.iter().flatten().copied().collect();
        let mut tried = 0;
        for first in 0..points.len() {
            // A point between some corners, not too close to the walls.
            let pick = |step: usize| points[(first * step + step) % points.len()];
            let from = pick(3) * 0.317 + pick(7) * 0.271 + pick(11) * 0.233 + pick(19) * 0.179;
            if here.depth_of(from) < 0.02 || is_in_stairs(&here, from) {
                continue;
            }
            for ray in 0..200 {
                let turn = ray as f32 * 2.399;
                let up = 1.0 - (ray as f32 + 0.5) / 100.0;
                let flat = (1.0 - up * up).sqrt();
                let direction = Vec3::new(flat * turn.cos(), flat * turn.sin(), up);
                let is_hit = polygons.iter().any(|polygon| is_hit(polygon, from, direction));
                assert!(is_hit, "{}: the ray from {from:?} along {direction:?} hits nothing", here.cell.id);
            }
            tried += 1;
        }
        assert!(tried > 3, "{}: {tried}", here.cell.id);
    }
}

/// Returns `true` if a point of a room is inside the stairs, behind a tread or a riser.
fn is_in_stairs(room: &Room, point: Vec3) -> bool {
    let down = Vec3::new(0.0, 0.0, -1.0);
    let floors =
        room.shape.physics_polygons.iter().map(|(_, polygon)| corners(&room.shape.vertices, polygon));
    !floors.into_iter().any(|floor| is_hit(&floor, point, down))
}

#[test]
fn the_house_shell_is_solid_except_at_the_door() {
    let portal = Assets::mannequin();
    let shell = portal.gfx_obj(town::HOUSE_SHELL).unwrap();
    let physics = shell.physics.as_ref().unwrap();
    for (point, solid) in [
        (Vec3::new(-5.8, 0.0, 2.0), true),
        (Vec3::new(3.0, -4.8, 1.0), true),
        (Vec3::new(0.0, 0.0, 8.0), true),
        (Vec3::new(0.0, -5.2, 1.0), false),
        (Vec3::new(6.2, 0.0, 1.0), false),
        (Vec3::new(0.0, 4.0, 9.0), false),
    ] {
        assert_eq!(is_solid(&physics.bsp, point), solid, "{point:?}");
    }
    // Rays from outside hit the wall beside the door, but not the opening.
    let north = Vec3::new(0.0, 1.0, 0.0);
    let hits = |x: f32, z: f32| {
        let from = Vec3::new(x, -8.0, z);
        physics.polygons.iter().any(|(_, polygon)| is_hit(&corners(&shell.vertices, polygon), from, north))
    };
    assert!(hits(1.2, 1.0) && hits(-1.2, 1.0) && hits(0.0, 3.0) && hits(0.0, 0.1));
    assert!(!hits(0.0, 0.4) && !hits(0.8, 1.0) && !hits(-0.8, 2.7));
}

#[test]
fn static_objects_are_solid_inside_and_free_outside() {
    let portal = Assets::mannequin();
    let solid = |model, point| is_solid(&portal.gfx_obj(model).unwrap().physics.as_ref().unwrap().bsp, point);
    let v = Vec3::new;
    assert!(solid(town::models::RAMP, v(0.0, 3.0, 0.9)) && !solid(town::models::RAMP, v(0.0, 3.0, 1.1)));
    assert!(solid(town::models::RAMP, v(1.4, 9.0, 1.9)) && !solid(town::models::RAMP, v(1.6, 9.0, 1.9)));
    assert!(
        solid(town::models::STEEP_RAMP, v(0.0, 1.0, 1.3))
            && !solid(town::models::STEEP_RAMP, v(0.0, 1.0, 1.5))
    );
    for step in 0..10 {
        let at = |z| v(0.5, 0.35 * step as f32 + 0.2, 0.25 * step as f32 + z);
        assert!(solid(town::models::STAIRS, at(0.2)) && !solid(town::models::STAIRS, at(0.3)), "step {step}");
    }
    assert!(solid(town::models::PIER, v(20.0, 0.0, -0.1)) && !solid(town::models::PIER, v(20.0, 0.0, -0.5)));
    assert!(solid(town::models::PIER, v(3.0, 1.0, -0.6)) && !solid(town::models::PIER, v(3.0, 1.0, -0.3)));
    assert!(solid(town::models::BEAM, v(0.0, 0.0, 1.7)) && !solid(town::models::BEAM, v(0.0, 0.0, 1.0)));
    for (model, height) in town::models::STEPS.into_iter().zip(town::models::STEP_HEIGHTS) {
        assert!(solid(model, v(1.0, 1.0, height - 0.05)) && !solid(model, v(1.0, 1.0, height + 0.05)));
    }
}

/// The centre of a human's lower sphere is in the cell of the position, and in no other cell.
#[test]
fn named_positions_are_in_their_cells() {
    let rooms = rooms();
    let landmarks = town::landmarks();
    let mut indoors = 0;
    for (name, position) in landmarks.iter() {
        assert_eq!(landmarks.get(name), Some(position));
        let centre = position.frame.origin + Vec3::new(0.0, 0.0, 0.475);
        let containing: Vec<_> =
            rooms.iter().filter(|room| room.contains(centre)).map(|room| CellId(room.cell.id.0)).collect();
        if position.cell.is_indoor() {
            assert_eq!(containing, [position.cell], "{name}");
            indoors += 1;
        } else {
            let outside = CellPosition::new(position.cell, Frame::from_origin(position.frame.origin));
            assert_eq!(outside.adjusted_to_outside().unwrap().cell, position.cell, "{name}");
            assert!(
                position.cell.block() != town::HOME_BLOCK || containing.is_empty(),
                "{name} is in {containing:?}"
            );
        }
    }
    assert_eq!(indoors, 9);
    assert_eq!(landmarks.get("nowhere"), None);
}

#[test]
fn the_door_fits_into_the_doorway() {
    let portal = Assets::mannequin();
    let setup = portal.setup(mannequin::DOOR_SETUP).unwrap();
    let frame = portal.gfx_obj(setup.parts[0]).unwrap();
    let door = town::landmarks().door.frame;
    let doorway = room(town::FIRST_HOUSE_CELL);
    for vertex in &frame.vertices {
        let local = doorway.cell.frame.global_to_local(door.local_to_global(vertex.position));
        assert!(doorway.depth_of(local) > -1e-3, "{local:?} is outside the doorway");
    }
}

#[test]
fn the_town_has_the_expected_digest() {
    let bytes = town::dat_file();
    assert!(Arc::ptr_eq(&bytes, &town::dat_file()), "generated once");
    let digest = bytes.iter().fold(0xCBF2_9CE4_8422_2325u64, |digest, byte| {
        (digest ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01B3)
    });
    assert_eq!(
        (bytes.len(), digest),
        (11_520, 0xF9B6_EFC3_FE01_9FCA),
        "update these figures if the world changes on purpose"
    );
}
