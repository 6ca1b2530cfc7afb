//! What does not move: ground, rooms, buildings, things.

use std::collections::BTreeMap;

use acmotion::collide::scene::is_cut_from_south_west;
use acmotion::dat::mannequin::town::ground;
use acmotion::dat::{CellStruct, DataId, EnvCell, LandBlock, StaticObject, Terrain};
use acmotion::types::{CELL_LENGTH, CellId, Frame, Vec3};
use serde_json::{Value, json};

use super::colour::colour;
use super::{Answer, Words, word};
use crate::server::Shared;
use crate::values::{Origin, vector};
use crate::walk::Land;

/// How many rooms of a landblock are drawn.
const MOST_ROOMS: u32 = 512;
/// How many cells a landblock has along a side.
const SIDE: usize = 8;

pub(super) fn scenery(shared: &Shared, words: &Words) -> Answer<Value> {
    let block = word(words, "block", |text| {
        let block = text.parse::<DataId>()?.0;
        u16::try_from(block).map_err(|_| format!("`{text}` is no landblock: four hexadecimal digits"))
    })?;
    let land = shared.town().land();
    let start = shared.town().start();
    let home = block.unwrap_or(land.home);
    let origin = Origin::of_block(home);
    let mut painter = Painter { land, origin, meshes: Vec::new(), objects: Vec::new() };
    // A recording is not in the built-in town, whatever its landblock: nothing is known about the land there.
    if block.is_none() || shared.source().cell_name.is_some() {
        neighbours(home, land.reach).for_each(|block| painter.block(block));
    }
    Ok(json!({
        "origin": origin.text(),
        "block": origin.text(),
        "start": { "place": [start.x, start.y, start.z.unwrap_or(0.0)], "rotation": [1.0, 0.0, 0.0, 0.0] },
        "meshes": painter.meshes,
        "objects": painter.objects,
    }))
}

/// The landblocks up to so many away.
fn neighbours(home: u16, reach: u8) -> impl Iterator<Item = u16> {
    let [x, y] = home.to_be_bytes().map(i32::from);
    let around = move || -i32::from(reach)..=i32::from(reach);
    let all = around().flat_map(move |east| around().map(move |north| (x + east, y + north)));
    all.filter_map(|(x, y)| Some(u16::from_be_bytes([u8::try_from(x).ok()?, u8::try_from(y).ok()?])))
}

struct Painter<'a> {
    land: &'a Land,
    origin: Origin,
    meshes: Vec<Value>,
    objects: Vec<Value>,
}

impl Painter<'_> {
    fn block(&mut self, block: u16) {
        let id = |low: u32| DataId(u32::from(block) << 16 | low);
        let corner = self.origin.corner(CellId(id(0).0));
        let cells = &self.land.cells;
        if let Ok(land) = cells.land_block(id(0xFFFF)) {
            self.ground(block, &land, corner);
        }
        let Ok(info) = cells.land_block_info(id(0xFFFE)) else { return };
        for building in &info.buildings {
            self.mesh(building.model, &building.frame, corner);
        }
        info.objects.iter().for_each(|object| self.object(object, corner));
        for number in 0..info.cell_count.min(MOST_ROOMS) {
            if let Ok(room) = cells.env_cell(id(0x100 + number)) {
                self.room(&room, corner);
            }
        }
    }

    /// The land of a block: each triangle in the mean colour of its corners, water apart.
    fn ground(&mut self, block: u16, land: &LandBlock, corner: Vec3) {
        let Ok(region) = self.land.portal.region(acmotion::dat::mannequin::town::REGION) else { return };
        let vertices = (0..=SIDE).flat_map(|x| (0..=SIDE).map(move |y| (x, y)));
        let positions: Vec<f32> = vertices
            .flat_map(|(x, y)| {
                let height = region.height(land.height_at(x, y).unwrap_or_default());
                [CELL_LENGTH * x as f32, CELL_LENGTH * y as f32, height]
            })
            .collect();
        let (mut dry, mut wet) = (BTreeMap::new(), BTreeMap::new());
        let [block_x, block_y] = block.to_be_bytes().map(u32::from);
        for (x, y) in (0..SIDE).flat_map(|x| (0..SIDE).map(move |y| (x, y))) {
            let (sw, se, ne, nw) = ((x, y), (x + 1, y), (x + 1, y + 1), (x, y + 1));
            let cut = is_cut_from_south_west(block_x * 8 + x as u32, block_y * 8 + y as u32);
            let halves = if cut { [[sw, se, ne], [sw, ne, nw]] } else { [[sw, se, nw], [ne, nw, se]] };
            for half in halves {
                let kinds = half.map(|(x, y)| land.terrain_at(x, y).unwrap_or_default());
                let faces = if kinds.iter().all(|kind| kind.is_water()) { &mut wet } else { &mut dry };
                let indices = half.map(|(x, y)| (x * (SIDE + 1) + y) as u32);
                faces.entry(mean_colour(&kinds)).or_insert_with(Vec::new).extend(indices);
            }
        }
        for (kind, faces) in [("terrain", dry), ("water", wet)] {
            if !faces.is_empty() {
                let name = format!("{kind} {block:04X}");
                self.meshes.push(painted(&name, kind, None, corner, &Frame::IDENTITY, &positions, &faces));
            }
        }
    }

    /// A room from within, without the holes that lead elsewhere.
    fn room(&mut self, room: &EnvCell, corner: Vec3) {
        let environment = self.land.portal.environment(room.environment_id());
        let shape = environment.as_ref().ok().and_then(|shapes| shapes.structures.get(room.structure.into()));
        let Some(shape) = shape else { return };
        let (positions, faces) = self.faces(room, shape);
        let cell = room.id.to_string();
        let name = format!("room {:04X}", room.id.0 & 0xFFFF);
        self.meshes.push(painted(&name, "room", Some(cell), corner, &room.frame, &positions, &faces));
        room.objects.iter().for_each(|object| self.object(object, corner));
    }

    fn faces(&self, room: &EnvCell, shape: &CellStruct) -> (Vec<f32>, BTreeMap<u32, Vec<u32>>) {
        let (mut positions, mut faces) = (Vec::new(), BTreeMap::new());
        for (key, polygon) in shape.polygons.iter() {
            if shape.portals.iter().any(|portal| u32::from(*portal) == key) {
                continue;
            }
            let corner = |id: &i16| shape.vertices.iter().find(|vertex| vertex.id.cast_signed() == *id);
            let corners: Vec<Vec3> =
                polygon.vertices.iter().filter_map(corner).map(|vertex| vertex.position).collect();
            let surface = usize::try_from(polygon.positive_surface).ok().and_then(|at| room.surface_id(at));
            let paint = colour(&self.land.portal, surface.unwrap_or_default());
            let first = (positions.len() / 3) as u32;
            positions.extend(corners.iter().flat_map(|corner| vector(*corner)));
            let fan = (2..corners.len() as u32).flat_map(|at| [first, first + at - 1, first + at]);
            faces.entry(paint).or_insert_with(Vec::new).extend(fan);
        }
        (positions, faces)
    }

    /// A mesh that the page asks for by its id.
    fn mesh(&mut self, mesh: DataId, frame: &Frame, corner: Vec3) {
        if mesh.0 >> 24 != 1 {
            return self.object(&StaticObject { model: mesh, frame: *frame }, corner);
        }
        self.meshes.push(json!({
            "name": format!("building {mesh}"), "kind": "building", "place": vector(frame.origin + corner),
            "rotation": <[f32; 4]>::from(frame.rotation), "scale": 1.0, "cell": null, "mesh": mesh.to_string(),
            "positions": [], "indices": [], "colours": [],
        }));
    }

    fn object(&mut self, object: &StaticObject, corner: Vec3) {
        let is_mesh = object.model.0 >> 24 == 1;
        let id = object.model.to_string();
        self.objects.push(json!({
            "setup": (!is_mesh).then_some(&id), "mesh": is_mesh.then_some(&id),
            "place": vector(object.frame.origin + corner), "rotation": <[f32; 4]>::from(object.frame.rotation),
            "scale": 1.0,
        }));
    }
}

/// A mesh with its triangles, colour by colour.
fn painted(
    name: &str,
    kind: &str,
    cell: Option<String>,
    corner: Vec3,
    frame: &Frame,
    positions: &[f32],
    faces: &BTreeMap<u32, Vec<u32>>,
) -> Value {
    let mut first = 0;
    let mut colours = Vec::new();
    for (colour, indices) in faces {
        colours.push(json!([first, indices.len(), format!("0x{colour:08X}")]));
        first += indices.len();
    }
    json!({
        "name": name, "kind": kind, "place": vector(frame.origin + corner),
        "rotation": <[f32; 4]>::from(frame.rotation), "scale": 1.0, "cell": cell, "mesh": null,
        "positions": positions, "indices": faces.values().flatten().collect::<Vec<_>>(), "colours": colours,
    })
}

fn mean_colour(kinds: &[Terrain; 3]) -> u32 {
    let sums = kinds
        .iter()
        .map(|kind| ground::colour(kind.kind()).map(u32::from))
        .fold([0; 3], |sum, one| [sum[0] + one[0], sum[1] + one[1], sum[2] + one[2]]);
    let [red, green, blue] = sums.map(|sum| sum / 3);
    0xFF00_0000 | red << 16 | green << 8 | blue
}
