//! Surfaces, textures, images and palettes as text.

use acmotion_dat::{Palette, RenderSurface, Surface, SurfaceFill, SurfaceTexture};

use super::format::number;
use crate::output::{Out, counted};

pub(super) fn print_surface(surface: &Surface, out: &mut Out) -> anyhow::Result<()> {
    match surface.fill {
        SurfaceFill::Colour(colour) => out.line(format!("  colour 0x{colour:08X} (ARGB)"))?,
        SurfaceFill::Texture { texture, palette } => {
            out.line(format!("  texture {texture}, palette {palette}"))?;
        }
    }
    let [translucency, luminosity, diffuse] =
        [surface.translucency, surface.luminosity, surface.diffuse].map(number);
    out.line(format!("  translucency {translucency}, luminosity {luminosity}, diffuse {diffuse}"))
}

pub(super) fn print_texture(texture: &SurfaceTexture, out: &mut Out) -> anyhow::Result<()> {
    texture.images.iter().try_for_each(|image| out.line(format!("  image {image}")))
}

pub(super) fn print_image(image: &RenderSurface, out: &mut Out) -> anyhow::Result<()> {
    let RenderSurface { width, height, format, data, .. } = image;
    out.line(format!("  {width} × {height} pixels, format {}, {}", format.0, counted(data.len(), "byte")))?;
    image.palette.map_or(Ok(()), |palette| out.line(format!("  palette {palette}")))
}

pub(super) fn print_palette(palette: &Palette, out: &mut Out) -> anyhow::Result<()> {
    out.line(format!("  {}", counted(palette.colours.len(), "colour")))?;
    for (row, colours) in palette.colours.chunks(8).enumerate() {
        let colours: Vec<String> = colours.iter().map(|colour| format!("{colour:08X}")).collect();
        out.line(format!("  {:>5}  {}", 8 * row, colours.join(" ")))?;
    }
    Ok(())
}
