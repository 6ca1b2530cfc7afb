//! Prints the land and its rooms: regions, landblocks, indoor cells and environments.

use acmotion_dat::{
    CellPortal, CellStruct, DataId, EnvCell, EnvCellFlags, Environment, LandBlock, LandBlockInfo, Region,
    StaticObject,
};

use super::format;
use crate::output::{Align, Out, Table, counted, escape_controls};

pub(super) fn print_region(region: &Region, out: &mut Out) -> anyhow::Result<()> {
    let name = String::from_utf8_lossy(&region.name);
    let name = escape_controls(&name);
    out.line(format!("  {name}, region {}, version {}", region.number, region.version))?;
    let [square, object, sky, road] =
        [region.square_length, region.max_object_height, region.sky_height, region.road_width]
            .map(format::number);
    let (long, wide, side) = (region.blocks_long, region.blocks_wide, region.squares_per_side);
    out.line(format!("  {long} × {wide} landblocks of {side} × {side} cells of {square} m"))?;
    out.line(format!("  objects up to {object} m, sky at {sky} m, roads {road} m wide"))?;
    out.line("  heights in metres, by height byte:")?;
    for (row, heights) in region.heights.chunks(16).enumerate() {
        let heights: Vec<_> =
            heights.iter().map(|height| format!("{:>6}", format::number(*height))).collect();
        out.line(format!("  {:02X} {}", row * 16, heights.join(" ")))?;
    }
    out.line(format!("  after the height table: {} that are not decoded", counted(region.rest.len(), "byte")))
}

/// Prints two maps, north at the top: the height bytes, and the terrain types.
pub(super) fn print_land_block(block: &LandBlock, out: &mut Out) -> anyhow::Result<()> {
    let objects = if block.has_objects.get() { "has" } else { "has no" };
    out.line(format!("  {objects} LandBlockInfo"))?;
    out.line("  height bytes, north at the top (`~` water, `=` road):")?;
    for y in (0..9).rev() {
        let mut row = String::from(" ");
        for x in 0..9 {
            let (height, terrain) = (block.height_at(x, y), block.terrain_at(x, y).unwrap_or_default());
            let mark = if terrain.is_water() {
                '~'
            } else if terrain.road() != 0 {
                '='
            } else {
                ' '
            };
            row.push_str(&format!("{:>4}{mark}", height.unwrap_or_default()));
        }
        out.line(row.trim_end())?;
    }
    out.line("  terrain types:")?;
    for y in (0..9).rev() {
        let kinds = (0..9).map(|x| block.terrain_at(x, y).unwrap_or_default().kind());
        let row: String = kinds.map(|kind| format!(" {kind:>4}")).collect();
        out.line(row)?;
    }
    Ok(())
}

pub(super) fn print_land_block_info(info: &LandBlockInfo, out: &mut Out) -> anyhow::Result<()> {
    out.line(format!("  {} indoor cells", info.cell_count))?;
    print_objects(&info.objects, out)?;
    for building in &info.buildings {
        let at = format::frame(&building.frame);
        out.line(format!("  building {} at {at}, {} leaves", building.model, building.leaf_count))?;
        for portal in &building.portals {
            let cell = cell_of(info.id, portal.other_cell);
            let visible = portal.visible.len();
            out.line(format!(
                "    opening to {cell}, its portal {}, flags {}, {visible} visible cells",
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
    out.line(format!("  at {}", format::frame(&cell.frame)))?;
    if cell.flags.contains(EnvCellFlags::SEEN_OUTSIDE) {
        out.line("  the land is visible from it")?;
    }
    let surfaces = (0..cell.surfaces.len()).filter_map(|index| cell.surface_id(index));
    out.line(format!("  surfaces: {}", join_ids(surfaces)))?;
    for (index, portal) in cell.portals.iter().enumerate() {
        out.line(format!("  portal {index}: {}", describe_portal(cell, portal)))?;
    }
    let visible = cell.visible.iter().map(|low| cell.neighbour(*low));
    out.line(format!("  {} visible cells: {}", cell.visible.len(), join_ids(visible)))?;
    print_objects(&cell.objects, out)?;
    match cell.restriction {
        Some(guid) => out.line(format!("  restricted by 0x{guid:08X}")),
        None => Ok(()),
    }
}

fn describe_portal(cell: &EnvCell, portal: &CellPortal) -> String {
    let destination = if portal.leads_outside() {
        String::from("the land")
    } else {
        format!("{}, its portal {}", cell.neighbour(portal.other_cell), portal.other_portal)
    };
    format!("polygon {} to {destination}, flags {}", portal.polygon, portal.flags.bits())
}

pub(super) fn print_environment(environment: &Environment, out: &mut Out) -> anyhow::Result<()> {
    for (key, shape) in environment.structures.iter() {
        out.line(format!("  shape {key}: {}", describe_shape(shape)))?;
        for portal in &shape.portals {
            let polygon = shape.polygons.get(u32::from(*portal));
            let corners = polygon.map(|polygon| polygon.vertices.as_slice()).unwrap_or_default();
            let corner = |id: &i16| shape.vertices.iter().find(|vertex| vertex.id == *id as u16);
            let corners: Vec<_> =
                corners.iter().filter_map(corner).map(|vertex| format::vector(vertex.position)).collect();
            out.line(format!("    portal polygon {portal}: {}", corners.join(" ")))?;
        }
    }
    Ok(())
}

fn describe_shape(shape: &CellStruct) -> String {
    format!(
        "{}; {} drawn, {} that collide ({}), {}",
        counted(shape.vertices.len(), "vertex"),
        counted(shape.polygons.len(), "polygon"),
        shape.physics_polygons.len(),
        counted(shape.physics_bsp.nodes.len(), "BSP node"),
        counted(shape.cell_bsp.nodes.len(), "cell BSP node")
    )
}

fn print_objects(objects: &[StaticObject], out: &mut Out) -> anyhow::Result<()> {
    if objects.is_empty() {
        return Ok(());
    }
    let mut table =
        Table::new(&[("object", Align::Right), ("model", Align::Left), ("position", Align::Left)]);
    for (index, object) in objects.iter().enumerate() {
        table.row(vec![index.to_string(), object.model.to_string(), format::frame(&object.frame)]);
    }
    table.print(out, "  ")
}

fn cell_of(block: DataId, low: u16) -> DataId {
    DataId(block.0 & 0xFFFF_0000 | u32::from(low))
}

fn join_ids(ids: impl Iterator<Item = DataId>) -> String {
    ids.map(|id| id.to_string()).collect::<Vec<_>>().join(", ")
}
