//! `/api/mesh/ID`: the triangles of a mesh.

use acmotion::dat::{Assets, DataId};
use acmotion_gltf::geometry::{Triangles, surface_colour};

use super::{ApiError, ApiResult};
use crate::protocol::binary::Writer;
use crate::values::vector;

pub(super) fn mesh(assets: &Assets, id: DataId) -> ApiResult<Vec<u8>> {
    let mesh = assets.gfx_obj(id)?;
    let triangles = Triangles::of_mesh(&mesh).map_err(|error| ApiError::bad_request(error.to_string()))?;
    Ok(encode(&triangles, |surface| {
        let id = usize::try_from(surface).ok().and_then(|index| mesh.surfaces.get(index));
        surface_colour(assets, id.copied().unwrap_or_default())
    }))
}

fn encode(triangles: &Triangles, colour: impl Fn(i16) -> u32) -> Vec<u8> {
    let indices: usize = triangles.indices.values().map(Vec::len).sum();
    let mut out = Writer::with_header([triangles.positions.len(), indices, triangles.indices.len()]);
    let mut first = 0;
    for (surface, indices) in &triangles.indices {
        out.u32s([first, indices.len() as u32, colour(*surface)]);
        first += indices.len() as u32;
    }
    out.f32s(triangles.positions.iter().flat_map(|position| vector(*position)));
    out.f32s(triangles.normals.iter().flat_map(|normal| vector(*normal)));
    triangles.indices.values().for_each(|indices| out.u32s(indices.iter().copied()));
    out.into_bytes()
}
