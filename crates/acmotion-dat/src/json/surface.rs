//! Conversion of surfaces and their textures to JSON.

use serde_json::{Value, json};

use super::{float, hex, id, raw};
use crate::objects::{Palette, RenderSurface, Surface, SurfaceFill, SurfaceTexture};

/// Converts a surface: `colour`, or `texture` and `palette`.
pub fn surface(surface: &Surface) -> Value {
    let mut out = json!({ "type": surface.flags.bits() });
    match surface.fill {
        SurfaceFill::Colour(colour) => out["colour"] = hex(colour),
        SurfaceFill::Texture { texture, palette } => {
            out["texture"] = id(texture);
            out["palette"] = id(palette);
        }
    }
    out["translucency"] = float(surface.translucency);
    out["luminosity"] = float(surface.luminosity);
    out["diffuse"] = float(surface.diffuse);
    out
}

/// Converts a texture.
pub fn surface_texture(texture: &SurfaceTexture) -> Value {
    json!({
        "id": id(texture.id),
        "category": texture.category,
        "kind": texture.kind,
        "images": texture.images.iter().map(|image| id(*image)).collect::<Vec<_>>(),
    })
}

/// Converts an image. Its bytes are hexadecimal.
pub fn render_surface(image: &RenderSurface) -> Value {
    json!({
        "id": id(image.id),
        "category": image.category,
        "width": image.width,
        "height": image.height,
        "format": image.format.0,
        "data_hex": raw(&image.data),
        "palette": image.palette.map(id),
    })
}

/// Converts a palette.
pub fn palette(palette: &Palette) -> Value {
    let colours: Vec<Value> = palette.colours.iter().map(|colour| hex(*colour)).collect();
    json!({ "id": id(palette.id), "colours": colours })
}
