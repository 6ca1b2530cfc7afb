//! Landblocks: terrain, water, buildings, static objects and rooms.

use acmotion::dat::mannequin::town::{REGION, ground};
use acmotion::dat::{Assets, DataId, EnvCell, LandBlock, StaticObject};
use acmotion::types::Frame;
use serde_json::{Value, json};

use crate::builder::{Builder, node_at, translation};
use crate::document::{Attributes, Mesh, Primitive};
use crate::geometry::{Triangles, smooth_normals, terrain_positions, terrain_triangles, terrain_vertices};
use crate::material::linear;
use crate::model::{Models, SetupSpec};
use crate::{Export, GltfError, sidecar};

/// The lower 16 bits of the ids of rooms.
const ROOMS: std::ops::RangeInclusive<u32> = 0x100..=0xFFFD;

/// Exports a landblock: its terrain with water, and its buildings, static objects and rooms. The origin is its south-west
/// corner at height 0, and positions are those of the game (`docs/dat.md` §6.3).
///
/// # Errors
/// If the cell file has no such landblock, if the region is missing, or if the file would be too large. Other objects that
/// are missing or damaged are left out and listed in the sidecar.
pub fn land_block(portal: &Assets, cells: &Assets, block: u16) -> Result<Export, GltfError> {
    let id = |low: u32| DataId(u32::from(block) << 16 | low);
    let terrain = cells.land_block(id(0xFFFF));
    let info = cells.land_block_info(id(0xFFFE));
    if terrain.is_err() && info.is_err() {
        return Err(GltfError::NoLandBlock(block));
    }
    let mut land = Land {
        builder: Builder::new(format!("landblock 0x{block:04X}")),
        models: Models::new(portal),
        things: Vec::new(),
        rooms: Vec::new(),
    };
    if let Ok(terrain) = terrain {
        land.add_terrain(block, &terrain)?;
    }
    if let Ok(info) = info {
        for (index, building) in info.buildings.iter().enumerate() {
            land.add_thing(&format!("building_{index}"), building.model, &building.frame)?;
        }
        for (index, object) in info.objects.iter().enumerate() {
            land.add_object(&format!("object_{index}"), object)?;
        }
        for low in ROOMS.take(info.cell_count as usize) {
            match cells.env_cell(id(low)) {
                Ok(room) => land.add_room(&room)?,
                Err(_) => land.models.note_missing(id(low)),
            }
        }
    }
    let sidecar = json!({
        "generator": land.builder.document.asset.generator,
        "landblock": format!("0x{block:04X}"),
        "things": land.things,
        "rooms": land.rooms,
        "missing": land.models.missing(),
    });
    Ok(Export { glb: land.builder.finish(sidecar.clone()), sidecar })
}

struct Land<'a> {
    builder: Builder,
    models: Models<'a>,
    /// Buildings and static objects in the sidecar.
    things: Vec<Value>,
    /// Rooms in the sidecar.
    rooms: Vec<Value>,
}

impl Land<'_> {
    /// Adds the terrain, and its water as a mesh of its own, each vertex in the colour of what is there.
    fn add_terrain(&mut self, block: u16, land: &LandBlock) -> Result<(), GltfError> {
        let region = self.models.assets.region(REGION)?;
        let positions = terrain_positions(&region, land);
        let triangles: Vec<_> = terrain_triangles(land, block).collect();
        let all: Vec<u32> = triangles.iter().flat_map(|triangle| triangle.indices).collect();
        let normals: Vec<[f32; 3]> = smooth_normals(&positions, &all).into_iter().map(Into::into).collect();
        let kinds = terrain_vertices().map(|(x, y)| land.terrain_at(x, y).unwrap_or_default().kind());
        let colours: Vec<[f32; 3]> = kinds.map(|kind| ground::colour(kind).map(linear)).collect();
        let positions: Vec<[f32; 3]> = positions.into_iter().map(translation).collect();
        let attributes = Attributes {
            position: self.builder.add_positions(&positions)?,
            normal: self.builder.add_attribute(&normals)?,
            texture_coordinates: None,
            colours: Some(self.builder.add_attribute(&colours)?),
        };
        let material = self.models.materials.vertex_coloured(&mut self.builder);
        for (name, is_water) in [("terrain", false), ("water", true)] {
            let of_kind = triangles.iter().filter(|triangle| triangle.is_water() == is_water);
            let indices: Vec<u32> = of_kind.flat_map(|triangle| triangle.indices).collect();
            if !indices.is_empty() {
                let indices = self.builder.add_indices(&indices)?;
                let primitives = vec![Primitive { attributes, indices, material }];
                self.builder.document.meshes.push(Mesh { name: name.into(), primitives });
                let mut node = node_at(name.into(), &Frame::IDENTITY);
                node.mesh = Some(self.builder.document.meshes.len() - 1);
                self.builder.add_node(Builder::ROOT, node)?;
            }
        }
        Ok(())
    }

    fn add_object(&mut self, name: &str, object: &StaticObject) -> Result<(), GltfError> {
        self.add_thing(name, object.model, &object.frame)
    }

    /// Adds a mesh, or a setup in the pose that it shows by default.
    fn add_thing(&mut self, name: &str, model: DataId, frame: &Frame) -> Result<(), GltfError> {
        let mut node = node_at(name.into(), frame);
        node.extras = json!({ "model": model.to_string() });
        let is_mesh = model.0 >> 24 == 1;
        if is_mesh {
            node.mesh = self.models.mesh(&mut self.builder, model)?;
        } else if self.models.assets.setup(model).is_err() {
            self.models.note_missing(model);
            return Ok(());
        }
        let node = self.builder.add_node(Builder::ROOT, node)?;
        if !is_mesh {
            let prefix = format!("{name}_");
            let spec = SetupSpec { id: model, table: None, placement: 0, scale: 1.0, prefix: &prefix };
            self.models.add_setup(&mut self.builder, node, &spec)?;
        }
        self.things.push(json!({
            "name": name, "model": model.to_string(), "node": node, "frame": sidecar::frame(frame),
        }));
        Ok(())
    }

    /// Adds a room and the objects in it.
    fn add_room(&mut self, room: &EnvCell) -> Result<(), GltfError> {
        let low = room.id.0 & 0xFFFF;
        let environment = self.models.assets.environment(room.environment_id());
        let shape = environment.as_ref().ok().and_then(|shapes| shapes.structures.get(room.structure.into()));
        let Some(triangles) = shape.and_then(|shape| Triangles::of_room(shape).ok()) else {
            self.models.note_missing(room.environment_id());
            return Ok(());
        };
        let mut node = node_at(format!("room_{low:04X}"), &room.frame);
        node.extras = json!({ "cell": room.id.to_string() });
        let name = node.name.clone();
        let surface = |index: usize| room.surface_id(index);
        node.mesh = self.models.add_mesh(&mut self.builder, name.clone(), &triangles, surface)?;
        let node = self.builder.add_node(Builder::ROOT, node)?;
        let neighbour = |other: u16| room.neighbour(other).to_string();
        let portals =
            room.portals.iter().map(|portal| (!portal.leads_outside()).then(|| neighbour(portal.other_cell)));
        self.rooms.push(json!({
            "cell": room.id.to_string(),
            "node": node,
            "frame": sidecar::frame(&room.frame),
            "portals_to": portals.collect::<Vec<_>>(),
        }));
        for (index, object) in room.objects.iter().enumerate() {
            self.add_object(&format!("{name}_object_{index}"), object)?;
        }
        Ok(())
    }
}
