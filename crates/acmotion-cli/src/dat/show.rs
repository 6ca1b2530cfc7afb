//! `acmotion dat show`: one object in readable form.

use acmotion_dat::{
    AnyObject, Entry, GfxObj, Iteration, ObjectKind, PolygonTree, Setup, SetupFlags, Sphere, json,
};
use acmotion_types::Vec3;
use anyhow::Context as _;
use serde_json::json;

use super::{ShowArguments, format, show_animation, show_land, show_surface, show_table};
use crate::input::{find_entry, open_assets};
use crate::output::{Align, Out, Table, counted, thousands};

pub(super) fn run(arguments: &ShowArguments, out: &mut Out) -> anyhow::Result<()> {
    let assets = open_assets(&arguments.file)?;
    let dat = assets.dat();
    let name = || arguments.file.display().to_string();
    let entry = find_entry(dat, &arguments.file, arguments.id)?;
    let bytes = dat.read(&entry).with_context(name)?;
    let kind = dat.kind_of(entry.id);
    let object = AnyObject::decode(kind, entry.id, &bytes)
        .with_context(|| format!("{}: object {} at 0x{:X}", name(), entry.id, entry.offset))?;
    if arguments.json {
        return out.json(&json!({
            "id": entry.id.to_string(), "type": kind.name(), "size": bytes.len(), "offset": entry.offset,
            "object": json::object(&object),
        }));
    }
    print_header(kind, &entry, bytes.len(), out)?;
    match &object {
        AnyObject::MotionTable(table) => show_table::print(table, &assets, out),
        AnyObject::Animation(animation) => show_animation::print(animation, arguments.parts, out),
        AnyObject::Setup(setup) => print_setup(setup, out),
        AnyObject::GfxObj(mesh) => print_mesh(mesh, out),
        AnyObject::Environment(environment) => show_land::print_environment(environment, out),
        AnyObject::Region(region) => show_land::print_region(region, out),
        AnyObject::LandBlock(block) => show_land::print_land_block(block, out),
        AnyObject::EmptyLandBlock(_) => out.line("  empty: a landblock without terrain"),
        AnyObject::LandBlockInfo(info) => show_land::print_land_block_info(info, out),
        AnyObject::EnvCell(cell) => show_land::print_env_cell(cell, out),
        AnyObject::PhysicsScript(script) => show_animation::print_script(script, out),
        AnyObject::Iteration(iteration) => print_iteration(iteration, out),
        AnyObject::Surface(surface) => show_surface::print_surface(surface, out),
        AnyObject::SurfaceTexture(texture) => show_surface::print_texture(texture, out),
        AnyObject::RenderSurface(image) => show_surface::print_image(image, out),
        AnyObject::Palette(palette) => show_surface::print_palette(palette, out),
        AnyObject::Opaque(bytes) => print_dump(bytes, out),
    }
}

fn print_header(kind: ObjectKind, entry: &Entry, size: usize, out: &mut Out) -> anyhow::Result<()> {
    let stored = if entry.is_compressed() { format!(" ({} stored)", entry.size) } else { String::new() };
    let size = counted(size, "byte");
    out.line(format!("{kind} {}: {size}{stored} at 0x{:X}", entry.id, entry.offset))
}

fn print_setup(setup: &Setup, out: &mut Out) -> anyhow::Result<()> {
    let [height, radius, up, down] =
        [setup.height, setup.radius, setup.step_up, setup.step_down].map(format::number);
    out.line(format!("  height {height} m, radius {radius} m, step up {up} m, step down {down} m"))?;
    for (what, id) in [
        ("motion table", setup.default_motion_table),
        ("animation", setup.default_animation),
        ("script", setup.default_script),
        ("sound table", setup.default_sound_table),
        ("script table", setup.default_script_table),
    ] {
        if id.0 != 0 {
            out.line(format!("  default {what} {id}"))?;
        }
    }
    for (flag, what) in [
        (SetupFlags::FREE_HEADING, "may turn freely while moving"),
        (SetupFlags::PHYSICS_BSP, "collides with the meshes of its parts"),
    ] {
        if setup.flags.contains(flag) {
            out.line(format!("  {what}"))?;
        }
    }
    print_parts(setup, out)?;
    for sphere in &setup.spheres {
        out.line(format!("  collision sphere: {}", describe_sphere(sphere)))?;
    }
    for cylinder in &setup.cyl_spheres {
        let [radius, height] = [cylinder.radius, cylinder.height].map(format::number);
        let at = format::vector(cylinder.origin);
        out.line(format!("  collision cylinder: radius {radius} m, height {height} m at {at}"))?;
    }
    out.line(format!("  sorting sphere: {}", describe_sphere(&setup.sorting_sphere)))?;
    out.line(format!("  selection sphere: {}", describe_sphere(&setup.selection_sphere)))?;
    for (what, locations) in
        [("holding location", &setup.holding_locations), ("connection point", &setup.connection_points)]
    {
        for location in locations {
            let frame = format::frame(&location.frame);
            out.line(format!("  {what} {} on part {} at {frame}", location.key, location.part))?;
        }
    }
    for (key, light) in &setup.lights {
        let at = format::frame(&light.frame);
        let [intensity, falloff] = [light.intensity, light.falloff].map(format::number);
        out.line(format!(
            "  light {key}: colour 0x{:08X}, intensity {intensity}, falloff {falloff} m at {at}",
            light.colour
        ))?;
    }
    let keys: Vec<_> = setup.placements.iter().map(|(key, _)| format!("0x{key:X}")).collect();
    out.line(format!("  placements: {}", keys.join(", ")))
}

fn print_parts(setup: &Setup, out: &mut Out) -> anyhow::Result<()> {
    let mut table = Table::new(&[
        ("part", Align::Right),
        ("mesh", Align::Left),
        ("parent", Align::Right),
        ("scale", Align::Left),
        ("position", Align::Left),
    ]);
    let frames = setup.placements.first().map(|(_, frame)| frame.parts.as_slice()).unwrap_or_default();
    for (index, mesh) in setup.parts.iter().enumerate() {
        let parent = setup.parents.get(index).filter(|parent| **parent != u32::MAX);
        table.row(vec![
            index.to_string(),
            mesh.to_string(),
            parent.map(u32::to_string).unwrap_or_default(),
            setup.scales.get(index).map(|scale| format::vector(*scale)).unwrap_or_default(),
            frames.get(index).map(format::frame).unwrap_or_default(),
        ]);
    }
    table.print(out, "  ")
}

fn describe_sphere(sphere: &Sphere) -> String {
    format!("radius {} m at {}", format::number(sphere.radius), format::vector(sphere.origin))
}

fn print_mesh(mesh: &GfxObj, out: &mut Out) -> anyhow::Result<()> {
    let positions = || mesh.vertices.iter().map(|vertex| vertex.position);
    let corner = |pick: fn(f32, f32) -> f32, start: f32| {
        positions().fold(Vec3::new(start, start, start), |a, b| {
            Vec3::new(pick(a.x, b.x), pick(a.y, b.y), pick(a.z, b.z))
        })
    };
    if !mesh.vertices.is_empty() {
        let (low, high) = (corner(f32::min, f32::INFINITY), corner(f32::max, f32::NEG_INFINITY));
        out.line(format!(
            "  {} from {} to {}",
            counted(mesh.vertices.len(), "vertex"),
            format::vector(low),
            format::vector(high)
        ))?;
    }
    for (what, polygons) in [("drawn", &mesh.drawing), ("collide", &mesh.physics)] {
        if let Some(PolygonTree { polygons, bsp }) = polygons {
            out.line(format!("  {} polygons {what}, {} BSP nodes", polygons.len(), bsp.nodes.len()))?;
        }
    }
    let surfaces: Vec<_> = mesh.surfaces.iter().map(ToString::to_string).collect();
    out.line(format!("  surfaces: {}", surfaces.join(", ")))?;
    if let Some(degrade) = mesh.degrade {
        out.line(format!("  degrade table {degrade}"))?;
    }
    Ok(())
}

fn print_iteration(iteration: &Iteration, out: &mut Out) -> anyhow::Result<()> {
    out.line(format!("  iteration {}", iteration.total))?;
    for range in &iteration.ranges {
        let count = -i64::from(range.consecutive);
        out.line(format!("  {count} from {}", range.start))?;
    }
    Ok(())
}

/// The maximum number of bytes printed of an object that is not decoded.
const MAX_DUMP: usize = 512;

fn print_dump(bytes: &[u8], out: &mut Out) -> anyhow::Result<()> {
    out.line("  not decoded; its bytes:")?;
    for (index, row) in bytes[..bytes.len().min(MAX_DUMP)].chunks(16).enumerate() {
        let pairs: Vec<_> = row.iter().map(|byte| format!("{byte:02X}")).collect();
        let printable = |byte: &u8| if byte.is_ascii_graphic() { char::from(*byte) } else { '.' };
        let text: String = row.iter().map(printable).collect();
        out.line(format!("  {:04X}  {:<47}  {text}", index * 16, pairs.join(" ")))?;
    }
    if bytes.len() > MAX_DUMP {
        out.line(format!("  … {} more", thousands((bytes.len() - MAX_DUMP) as u64)))?;
    }
    Ok(())
}
