//! The land and its rooms, as a person wants to read them.

use acmotion_dat::{
    CellPortal, CellStruct, DataId, EnvCell, EnvCellFlags, Environment, LandBlock, LandBlockInfo, Region,
    StaticObject,
};

use super::words;
use crate::output::{Align, Out, Table};

pub(super) fn print_region(region: &Region, out: &mut Out) -> anyhow::Result<()> {
    let name = String::from_utf8_lossy(&region.name);
    out.line(format!("  {name}, region {}, version {}", region.number, region.version))?;
    let [square, object, sky, road] =
        [region.square_length, region.max_object_height, region.sky_height, region.road_width]
            .map(words::number);
    let (long, wide, side) = (region.blocks_long, region.blocks_wide, region.squares_per_side);
    out.line(format!("  {long} × {wide} landblocks of {side} × {side} cells of {square} m"))?;
    out.line(format!("  objects up to {object} m, sky at {sky} m, roads {road} m wide"))?;
    out.line("  heights in metres, by height byte:")?;
    for (row, heights) in region.heights.chunks(16).enumerate() {
        let heights: Vec<_> = heights.iter().map(|height| format!("{:>6}", words::number(*height))).collect();
        out.line(format!("  {:02X} {}", row * 16, heights.join(" ")))?;
    }
    out.line(format!("  {} bytes behind the height table are kept as they are", region.rest.len()))
}

/// A map, north at the top: height bytes, and the type of the ground below them.
pub(super) fn print_land_block(block: &LandBlock, out: &mut Out) -> anyhow::Result<()> {
    let objects = if block.has_objects.get() { "has" } else { "has no" };
    out.line(format!("  {objects} LandBlockInfo"))?;
    out.line("  height bytes, north at the top (`~` water, `=` road):")?;
    for y in (0..9).rev() {
        let mut row = String::from(" ");
        for x in 0..9 {
            let (height, ground) = (block.height_at(x, y), block.terrain_at(x, y).unwrap_or_default());
            let mark = match ground {
                ground if ground.is_water() => '~',
                ground if ground.road() != 0 => '=',
                _ => ' ',
            };
            row.push_str(&format!("{:>4}{mark}", height.unwrap_or_default()));
        }
        out.line(row)?;
    }
    out.line("  types of the ground:")?;
    for y in (0..9).rev() {
        let kinds = (0..9).map(|x| block.terrain_at(x, y).unwrap_or_default().kind());
        let row: String = kinds.map(|kind| format!("{kind:>4} ")).collect();
        out.line(format!(" {row}"))?;
    }
    Ok(())
}

pub(super) fn print_land_block_info(info: &LandBlockInfo, out: &mut Out) -> anyhow::Result<()> {
    out.line(format!("  {} indoor cells", info.cell_count))?;
    print_objects(&info.objects, out)?;
    for building in &info.buildings {
        let at = words::frame(&building.frame);
        out.line(format!("  building {} at {at}, {} leaves", building.model, building.leaf_count))?;
        for portal in &building.portals {
            let cell = cell_of(info.id, portal.other_cell);
            let seen = portal.visible.len();
            out.line(format!(
                "    opening to {cell}, its portal {}, flags {}, {seen} cells seen",
                portal.other_portal,
                portal.flags.bits()
            ))?;
        }
    }
    for (cell, guid) in info.restrictions.iter().flat_map(|table| &table.entries) {
        out.line(format!("  {} is restricted by 0x{guid:08X}", DataId(*cell)))?;
    }
    Ok(())
}

pub(super) fn print_env_cell(cell: &EnvCell, out: &mut Out) -> anyhow::Result<()> {
    out.line(format!("  shape {} of {}", cell.structure, cell.environment_id()))?;
    out.line(format!("  at {}", words::frame(&cell.frame)))?;
    if cell.flags.contains(EnvCellFlags::SEEN_OUTSIDE) {
        out.line("  the land is seen from it")?;
    }
    let surfaces = (0..cell.surfaces.len()).filter_map(|at| cell.surface_id(at));
    out.line(format!("  surfaces: {}", joined(surfaces)))?;
    for (index, portal) in cell.portals.iter().enumerate() {
        out.line(format!("  portal {index}: {}", portal_words(cell, portal)))?;
    }
    let visible = cell.visible.iter().map(|low| cell.neighbour(*low));
    out.line(format!("  sees {} cells: {}", cell.visible.len(), joined(visible)))?;
    print_objects(&cell.objects, out)?;
    match cell.restriction {
        Some(guid) => out.line(format!("  restricted by 0x{guid:08X}")),
        None => Ok(()),
    }
}

fn portal_words(cell: &EnvCell, portal: &CellPortal) -> String {
    let behind = if portal.leads_outside() {
        String::from("the land")
    } else {
        format!("{}, its portal {}", cell.neighbour(portal.other_cell), portal.other_portal)
    };
    format!("polygon {} to {behind}, flags {}", portal.polygon, portal.flags.bits())
}

pub(super) fn print_environment(environment: &Environment, out: &mut Out) -> anyhow::Result<()> {
    for (key, shape) in environment.structures.iter() {
        out.line(format!("  shape {key}: {}", shape_words(shape)))?;
        for portal in &shape.portals {
            let polygon = shape.polygons.get(u32::from(*portal));
            let corners = polygon.map(|polygon| polygon.vertices.as_slice()).unwrap_or_default();
            let corner = |id: &i16| shape.vertices.iter().find(|vertex| vertex.id == *id as u16);
            let corners: Vec<_> =
                corners.iter().filter_map(corner).map(|vertex| words::vector(vertex.position)).collect();
            out.line(format!("    portal polygon {portal}: {}", corners.join(" ")))?;
        }
    }
    Ok(())
}

fn shape_words(shape: &CellStruct) -> String {
    format!(
        "{} vertices; {} polygons drawn, {} collide ({} BSP nodes), {} planes around it",
        shape.vertices.len(),
        shape.polygons.len(),
        shape.physics_polygons.len(),
        shape.physics_bsp.nodes.len(),
        shape.cell_bsp.nodes.len()
    )
}

fn print_objects(objects: &[StaticObject], out: &mut Out) -> anyhow::Result<()> {
    if objects.is_empty() {
        return Ok(());
    }
    let mut table = Table::new(&[("object", Align::Right), ("model", Align::Left), ("at", Align::Left)]);
    for (index, object) in objects.iter().enumerate() {
        table.row(vec![index.to_string(), object.model.to_string(), words::frame(&object.frame)]);
    }
    table.print(out, "  ")
}

fn cell_of(block: DataId, low: u16) -> DataId {
    DataId(block.0 & 0xFFFF_0000 | u32::from(low))
}

fn joined(ids: impl Iterator<Item = DataId>) -> String {
    ids.map(|id| id.to_string()).collect::<Vec<_>>().join(", ")
}
