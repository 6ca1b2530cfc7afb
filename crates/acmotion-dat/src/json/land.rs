//! Conversion of the land and its rooms to JSON.

use serde_json::{Value, json};

use super::{bsp, float, frame, hex, id, polygon_list, raw, vertex};
use crate::id::DataId;
use crate::objects::{
    Building, BuildingPortal, CellPortal, CellStruct, EnvCell, Environment, LandBlock, LandBlockInfo, Region,
    StaticObject,
};

/// Converts a region. The bytes after the height table are hexadecimal.
pub fn region(region: &Region) -> Value {
    json!({
        "id": id(region.id),
        "number": region.number,
        "version": region.version,
        "name": String::from_utf8_lossy(&region.name),
        "blocks_long": region.blocks_long,
        "blocks_wide": region.blocks_wide,
        "square_length": float(region.square_length),
        "squares_per_side": region.squares_per_side,
        "vertices_per_cell": region.vertices_per_cell,
        "max_object_height": float(region.max_object_height),
        "sky_height": float(region.sky_height),
        "road_width": float(region.road_width),
        "land_height_table": region.heights.iter().map(|height| float(*height)).collect::<Vec<_>>(),
        "rest_hex": raw(&region.rest),
    })
}

/// Converts the terrain of a landblock: `terrain` and `height` column by column, as in the file.
pub fn land_block(block: &LandBlock) -> Value {
    json!({
        "id": id(block.id),
        "has_objects": block.has_objects.get(),
        "terrain": block.terrain.iter().map(|word| word.0).collect::<Vec<_>>(),
        "height": block.heights.to_vec(),
    })
}

/// Converts a landblock entry without bytes.
pub fn empty_land_block(block: DataId) -> Value {
    json!({ "id": id(block), "empty": true })
}

/// Converts the static objects and buildings of a landblock.
pub fn land_block_info(info: &LandBlockInfo) -> Value {
    let restrictions = info.restrictions.as_ref().map(|table| {
        let entries = table.entries.iter().map(|(cell, guid)| json!([hex(*cell), hex(*guid)]));
        json!({ "buckets": table.buckets, "entries": entries.collect::<Vec<_>>() })
    });
    json!({
        "id": id(info.id),
        "cell_count": info.cell_count,
        "objects": info.objects.iter().map(static_object).collect::<Vec<_>>(),
        "flags": info.flags.bits(),
        "buildings": info.buildings.iter().map(|value| building(info.id, value)).collect::<Vec<_>>(),
        "restrictions": restrictions,
    })
}

fn building(block: DataId, building: &Building) -> Value {
    json!({
        "model": id(building.model),
        "frame": frame(&building.frame),
        "leaf_count": building.leaf_count,
        "portals": building.portals.iter().map(|portal| building_portal(block, portal)).collect::<Vec<_>>(),
    })
}

fn building_portal(block: DataId, portal: &BuildingPortal) -> Value {
    json!({
        "flags": portal.flags.bits(),
        "other_cell": cell_of(block, portal.other_cell),
        "other_portal": portal.other_portal,
        "visible": portal.visible.iter().map(|low| cell_of(block, *low)).collect::<Vec<_>>(),
    })
}

/// Converts a room. The `other_cell` of a portal to the land is `null`.
pub fn env_cell(cell: &EnvCell) -> Value {
    json!({
        "id": id(cell.id),
        "flags": cell.flags.bits(),
        "surfaces": (0..cell.surfaces.len()).map(|index| cell.surface_id(index).map(id)).collect::<Vec<_>>(),
        "environment": id(cell.environment_id()),
        "structure": cell.structure,
        "frame": frame(&cell.frame),
        "portals": cell.portals.iter().map(|portal| cell_portal(cell.id, portal)).collect::<Vec<_>>(),
        "visible": cell.visible.iter().map(|low| cell_of(cell.id, *low)).collect::<Vec<_>>(),
        "objects": cell.objects.iter().map(static_object).collect::<Vec<_>>(),
        "restriction": cell.restriction.map(hex),
    })
}

fn cell_portal(cell: DataId, portal: &CellPortal) -> Value {
    json!({
        "flags": portal.flags.bits(),
        "polygon": portal.polygon,
        "other_cell": (!portal.leads_outside()).then(|| cell_of(cell, portal.other_cell)),
        "other_portal": portal.other_portal,
    })
}

fn static_object(object: &StaticObject) -> Value {
    json!({ "model": id(object.model), "frame": frame(&object.frame) })
}

fn cell_of(block: DataId, low: u16) -> Value {
    hex(block.0 & 0xFFFF_0000 | u32::from(low))
}

/// Converts an environment: each shape as `[key, shape]`.
pub fn environment(environment: &Environment) -> Value {
    let structures = environment.structures.iter().map(|(key, shape)| json!([key, cell_struct(shape)]));
    json!({ "id": id(environment.id), "structures": structures.collect::<Vec<_>>() })
}

fn cell_struct(shape: &CellStruct) -> Value {
    json!({
        "vertices": shape.vertices.iter().map(vertex).collect::<Vec<_>>(),
        "polygons": polygon_list(&shape.polygons),
        "portals": shape.portals,
        "cell_bsp": bsp(&shape.cell_bsp),
        "physics_polygons": polygon_list(&shape.physics_polygons),
        "physics_bsp": bsp(&shape.physics_bsp),
        "drawing_bsp": shape.drawing_bsp.as_ref().map(bsp),
    })
}
