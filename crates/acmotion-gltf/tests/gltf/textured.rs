//! A dat file of a cube whose sides have textures of several formats.

use acmotion::dat::builder::{MeshFace, MeshKind, gfx_obj};
use acmotion::dat::{
    AnimationFrame, BlockSize, DatObject as _, DatWriter, DataId, DataSet, Palette, PixelFormat,
    RenderSurface, Setup, Surface, SurfaceFill, SurfaceFlags, SurfaceTexture,
};
use acmotion::types::{Frame, Vec3};

pub(crate) const SETUP: DataId = DataId(0x0200_0001);
const MESH: DataId = DataId(0x0100_0001);
const PALETTE: DataId = DataId(0x0400_0001);
/// The side of the images in pixels.
const SIDE: u32 = 8;

/// Returns the surface of a side of the cube.
pub(crate) const fn surface(side: u32) -> DataId {
    DataId(0x0800_0001 + side)
}

/// Returns the bytes of the file.
pub(crate) fn dat_file() -> Vec<u8> {
    let mut writer = DatWriter::new(BlockSize::Large, DataSet::Portal);
    writer.add_object(&Palette {
        id: PALETTE,
        colours: (0..16).map(|index| 0xFF00_0000 | (index * 0x0F) << 16 | (255 - index * 15) << 8).collect(),
    });
    let add = |writer: &mut DatWriter,
               side: u32,
               flags: SurfaceFlags,
               fill: SurfaceFill,
               translucency: f32,
               luminosity: f32| {
        let surface_of_side = Surface { flags, fill, translucency, luminosity, diffuse: 1.0 };
        writer.add(surface(side), surface_of_side.encode());
    };
    let pixels = || (0..SIDE * SIDE).map(|at| ((at / SIDE + at % SIDE) % 16) as u8);
    let block = [0x00, 0xF8, 0x1F, 0x00, 0xE4, 0xE4, 0xE4, 0xE4];
    let images = [
        (
            PixelFormat::INDEX16,
            pixels().flat_map(|index| [index, 0]).collect::<Vec<u8>>(),
            SurfaceFlags::IMAGE,
            0.0,
        ),
        (PixelFormat::P8, pixels().collect(), SurfaceFlags::CLIP_MAP, 0.0),
        (
            PixelFormat::A8R8G8B8,
            pixels().flat_map(|at| [at * 16, 40, 255 - at * 16, 255]).collect(),
            SurfaceFlags::IMAGE,
            0.5,
        ),
        (PixelFormat::DXT1, block.repeat(4), SurfaceFlags::IMAGE, 0.0),
    ];
    for (side, (format, data, flags, translucency)) in (0..).zip(images) {
        let (texture, image) = (DataId(0x0500_0001 + side), DataId(0x0600_0001 + side));
        let palette = format.has_palette().then_some(PALETTE);
        writer.add_object(&RenderSurface {
            id: image,
            category: 6,
            width: SIDE,
            height: SIDE,
            format,
            data,
            palette,
        });
        // The first image does not exist: the next one is used.
        let images = vec![DataId(0x0600_0100), image];
        writer.add_object(&SurfaceTexture { id: texture, category: 5, kind: 2, images });
        let fill = SurfaceFill::Texture { texture, palette: DataId(0) };
        add(&mut writer, side, flags, fill, translucency, 0.0);
    }
    add(&mut writer, 4, SurfaceFlags::SOLID, SurfaceFill::Colour(0xFF20_C040), 0.0, 0.5);
    let missing = SurfaceFill::Texture { texture: DataId(0x0500_0999), palette: DataId(0) };
    add(&mut writer, 5, SurfaceFlags::IMAGE, missing, 0.0, 0.0);
    let faces = MeshFace::cuboid(surface(0), Vec3::new(-0.5, -0.5, 0.0), Vec3::new(0.5, 0.5, 1.0));
    let faces: Vec<MeshFace> =
        (0..).zip(faces).map(|(side, face)| MeshFace::new(surface(side), face.corners)).collect();
    let mut mesh = gfx_obj(MESH, &faces, MeshKind::Closed);
    for vertex in &mut mesh.vertices {
        vertex.uvs = vec![[0.0, 1.0], [1.0, 1.0], [1.0, 0.0], [0.0, 0.0]];
    }
    if let Some(drawing) = &mut mesh.drawing {
        let textured = |(key, polygon): (u32, &acmotion::dat::Polygon)| {
            let mut polygon = polygon.clone();
            polygon.stippling &= !4;
            polygon.positive_uvs = (0..polygon.vertices.len() as u8).map(|corner| corner % 4).collect();
            (key, polygon)
        };
        drawing.polygons = drawing.polygons.iter().map(textured).collect();
    }
    writer.add_object(&mesh);
    let placement = AnimationFrame { parts: vec![Frame::IDENTITY], hooks: Vec::new() };
    let setup = Setup {
        id: SETUP,
        parts: vec![MESH],
        placements: vec![(0, placement)],
        height: 1.0,
        ..Setup::default()
    };
    writer.add_object(&setup);
    writer.finish().unwrap_or_else(|error| unreachable!("a small file can be written: {error}"))
}
