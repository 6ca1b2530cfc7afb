//! Meshes and setups as nodes.

use std::collections::{BTreeSet, HashMap};

use acmotion::dat::{Assets, DataId};
use acmotion::types::{Frame, Vec3};
use acmotion::{Library, ModelId, TableId};
use serde_json::json;

use crate::GltfError;
use crate::builder::{Builder, node_at, translation};
use crate::document::{Attributes, Mesh, Node, Primitive};
use crate::geometry::Triangles;
use crate::material::Materials;
use crate::sample::Posed;

/// The objects of a dat file that have become part of a file.
pub(crate) struct Models<'a> {
    pub(crate) assets: &'a Assets,
    pub(crate) library: Library,
    pub(crate) materials: Materials,
    meshes: HashMap<DataId, Option<usize>>,
    /// What the dat file lacks, or what is damaged.
    missing: BTreeSet<DataId>,
}

impl<'a> Models<'a> {
    pub(crate) fn new(assets: &'a Assets) -> Self {
        Self {
            assets,
            library: Library::new(),
            materials: Materials::default(),
            meshes: HashMap::new(),
            missing: BTreeSet::new(),
        }
    }

    /// Returns what could not be read, in ascending order.
    pub(crate) fn missing(&self) -> Vec<String> {
        let missing = self.missing.iter().chain(self.materials.missing());
        missing.chain(self.library.missing().iter().map(|(id, _)| id)).map(DataId::to_string).collect()
    }

    /// Notes that an object could not be read.
    pub(crate) fn note_missing(&mut self, id: DataId) {
        self.missing.insert(id);
    }

    /// Returns a mesh of the dat file; `None` if there is nothing to draw.
    pub(crate) fn mesh(&mut self, builder: &mut Builder, id: DataId) -> Result<Option<usize>, GltfError> {
        if let Some(known) = self.meshes.get(&id) {
            return Ok(*known);
        }
        let triangles =
            self.assets.gfx_obj(id).ok().and_then(|mesh| Some((Triangles::of_mesh(&mesh).ok()?, mesh)));
        let index = match triangles {
            Some((triangles, mesh)) => {
                let surface = |index: usize| mesh.surfaces.get(index).copied();
                self.add_mesh(builder, id.to_string(), &triangles, surface)?
            }
            None => {
                self.missing.insert(id);
                None
            }
        };
        self.meshes.insert(id, index);
        Ok(index)
    }

    /// Adds a mesh of triangles. Returns `None` if there are none.
    pub(crate) fn add_mesh(
        &mut self,
        builder: &mut Builder,
        name: String,
        triangles: &Triangles,
        surface: impl Fn(usize) -> Option<DataId>,
    ) -> Result<Option<usize>, GltfError> {
        if triangles.positions.is_empty() {
            return Ok(None);
        }
        let positions: Vec<[f32; 3]> = triangles.positions.iter().map(|at| translation(*at)).collect();
        let normals: Vec<[f32; 3]> = triangles.normals.iter().map(|normal| (*normal).into()).collect();
        let mut materials = Vec::new();
        for index in triangles.indices.keys() {
            let id = usize::try_from(*index).ok().and_then(&surface);
            materials.push(self.materials.material(builder, self.assets, id.unwrap_or_default())?);
        }
        let is_textured = materials.iter().any(|material| material.is_textured);
        let attributes = Attributes {
            position: builder.add_positions(&positions)?,
            normal: builder.add_attribute(&normals)?,
            texture_coordinates: match is_textured {
                true => Some(builder.add_attribute(&triangles.texture_coordinates)?),
                false => None,
            },
            colours: None,
        };
        let mut primitives = Vec::new();
        for (indices, material) in triangles.indices.values().zip(materials) {
            let indices = builder.add_indices(indices)?;
            primitives.push(Primitive { attributes, indices, material: material.index });
        }
        builder.document.meshes.push(Mesh { name, primitives });
        Ok(Some(builder.document.meshes.len() - 1))
    }

    /// Adds the parts of a setup below a node, in the pose that it has before anything is asked of it.
    ///
    /// # Errors
    /// If the setup does not exist or is damaged, or if the file would be too large.
    pub(crate) fn add_setup(
        &mut self,
        builder: &mut Builder,
        parent: usize,
        setup: &SetupSpec<'_>,
    ) -> Result<Parts, GltfError> {
        let model = self.library.load_model(self.assets, setup.id)?;
        let table = setup.table.map(|id| self.library.load_table(self.assets, id)).transpose()?;
        let posed = Posed {
            library: &self.library,
            model: self.library.model(model),
            scale: setup.scale,
            places_parts: false,
        };
        let rest = posed.rest(setup.placement, table);
        let object = self.assets.setup(setup.id)?;
        let mut nodes = Vec::new();
        for (index, frame) in rest.iter().enumerate() {
            let id = object.parts[index];
            let scale = object.scales.get(index).copied().unwrap_or(Vec3::ONE) * setup.scale;
            let mesh = self.mesh(builder, id)?;
            let name = format!("{}part_{index:02}", setup.prefix);
            // What a part holds is not in the part's scale: the mesh is on a node of its own if it is scaled.
            let is_scaled = scale != Vec3::ONE;
            let mut node = node_at(name.clone(), frame);
            node.mesh = mesh.filter(|_| !is_scaled);
            node.extras = json!({ "part": index, "mesh": id.to_string() });
            let node = builder.add_node(parent, node)?;
            if is_scaled && mesh.is_some() {
                let scale = Some(translation(scale));
                let shape = Node { name: format!("{name}_mesh"), scale, mesh, ..Node::default() };
                builder.add_node(node, shape)?;
            }
            nodes.push(node);
        }
        Ok(Parts { model, nodes, rest, table })
    }
}

/// A setup to be added.
pub(crate) struct SetupSpec<'a> {
    pub(crate) id: DataId,
    /// The motion table that poses it.
    pub(crate) table: Option<DataId>,
    /// The key of its placement.
    pub(crate) placement: i32,
    pub(crate) scale: f32,
    /// The start of the names of its nodes.
    pub(crate) prefix: &'a str,
}

/// The parts of a setup that was added.
pub(crate) struct Parts {
    pub(crate) model: ModelId,
    pub(crate) nodes: Vec<usize>,
    /// The frames of the parts, in the body's own axes.
    pub(crate) rest: Vec<Frame>,
    pub(crate) table: Option<TableId>,
}
