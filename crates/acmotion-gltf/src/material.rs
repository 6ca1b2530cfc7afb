//! Surfaces as materials.

use std::collections::{BTreeSet, HashMap};

use acmotion::dat::{Assets, DataId, PixelFormat, Surface, SurfaceFill, SurfaceFlags};
use serde_json::json;

use crate::GltfError;
use crate::builder::Builder;
use crate::document::{Image, Material, Roughness, Sampler, Texture, TextureInfo, gl};
use crate::geometry::surface_colour;
use crate::png;
use crate::texture::rgba;

/// The maximum size of the images that are read for a file, in bytes, whether they can be used or not.
const MAX_IMAGE_BYTES: u64 = 256 << 20;

/// The materials of a file.
#[derive(Default)]
pub(crate) struct Materials {
    by_surface: HashMap<DataId, MaterialRef>,
    textures: HashMap<Wanted, Option<usize>>,
    vertex_coloured: Option<usize>,
    missing: BTreeSet<DataId>,
    /// The size of the images that were read, in bytes.
    image_bytes: u64,
}

/// A material of a file.
#[derive(Clone, Copy)]
pub(crate) struct MaterialRef {
    pub(crate) index: usize,
    pub(crate) is_textured: bool,
}

impl Materials {
    /// Returns what could not be read.
    pub(crate) fn missing(&self) -> impl Iterator<Item = &DataId> {
        self.missing.iter()
    }

    /// Returns the material of a surface.
    pub(crate) fn material(
        &mut self,
        builder: &mut Builder,
        assets: &Assets,
        surface: DataId,
    ) -> Result<MaterialRef, GltfError> {
        if let Some(known) = self.by_surface.get(&surface) {
            return Ok(*known);
        }
        let object = assets.surface(surface).ok();
        if object.is_none() && surface != DataId(0) {
            self.missing.insert(surface);
        }
        let texture = match object.as_deref() {
            Some(Surface { fill: SurfaceFill::Texture { texture, palette }, flags, .. }) => {
                let wanted = Wanted {
                    texture: *texture,
                    palette: *palette,
                    has_holes: flags.contains(SurfaceFlags::CLIP_MAP),
                };
                self.texture(builder, assets, wanted)?
            }
            _ => None,
        };
        let translucency = object.as_deref().map_or(0.0, |object| object.translucency.clamp(0.0, 1.0));
        let mut colour = match texture {
            Some(_) => [1.0; 4],
            None => {
                let [_, red, green, blue] = surface_colour(assets, surface).to_be_bytes();
                [linear(red), linear(green), linear(blue), 1.0]
            }
        };
        colour[3] = 1.0 - translucency;
        let mut material = plain(surface.to_string(), colour);
        material.pbr_metallic_roughness.base_color_texture = texture.map(|index| TextureInfo { index });
        material.alpha_mode = match object.as_deref() {
            Some(_) if translucency > 0.0 => Some("BLEND"),
            Some(object) if texture.is_some() && object.flags.contains(SurfaceFlags::CLIP_MAP) => {
                Some("MASK")
            }
            _ => None,
        };
        let luminosity = object.as_deref().map_or(0.0, |object| object.luminosity.clamp(0.0, 1.0));
        if luminosity > 0.0 {
            material.emissive_factor =
                Some([colour[0], colour[1], colour[2]].map(|value| value * luminosity));
            material.emissive_texture = texture.map(|index| TextureInfo { index });
        }
        material.extras = json!({ "surface": surface.to_string() });
        builder.document.materials.push(material);
        let material =
            MaterialRef { index: builder.document.materials.len() - 1, is_textured: texture.is_some() };
        self.by_surface.insert(surface, material);
        Ok(material)
    }

    /// Returns a texture; `None` if it is missing or damaged, or if its format is not known.
    fn texture(
        &mut self,
        builder: &mut Builder,
        assets: &Assets,
        wanted: Wanted,
    ) -> Result<Option<usize>, GltfError> {
        if let Some(known) = self.textures.get(&wanted) {
            return Ok(*known);
        }
        let index = match wanted.read(assets, &mut self.image_bytes) {
            Ok((name, mime_type, bytes)) => Some(add_texture(builder, name, mime_type, &bytes)?),
            Err(missing) => {
                self.missing.insert(missing);
                None
            }
        };
        self.textures.insert(wanted, index);
        Ok(index)
    }

    /// Returns the material of meshes whose vertices have colours.
    pub(crate) fn vertex_coloured(&mut self, builder: &mut Builder) -> usize {
        *self.vertex_coloured.get_or_insert_with(|| {
            builder.document.materials.push(plain(String::from("vertex colours"), [1.0; 4]));
            builder.document.materials.len() - 1
        })
    }
}

/// A texture that a surface needs.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Wanted {
    texture: DataId,
    /// The palette in place of the image's own; 0 for none.
    palette: DataId,
    has_holes: bool,
}

impl Wanted {
    /// Returns the name, the type and the bytes of the first image of the texture that can be read. Adds the size of all
    /// that were read to `image_bytes`.
    ///
    /// # Errors
    /// The id of what is missing, damaged, or too large after what was read before.
    fn read(self, assets: &Assets, image_bytes: &mut u64) -> Result<(String, &'static str, Vec<u8>), DataId> {
        let texture = assets.surface_texture(self.texture).map_err(|_| self.texture)?;
        let mut missing = self.texture;
        for id in &texture.images {
            missing = *id;
            let Ok(Some(entry)) = assets.dat().find(*id) else { continue };
            *image_bytes += u64::from(assets.dat().decompressed_size(&entry));
            if *image_bytes > MAX_IMAGE_BYTES {
                break;
            }
            let Ok(image) = assets.render_surface(*id) else { continue };
            if image.format == PixelFormat::JPEG {
                return Ok((id.to_string(), "image/jpeg", image.data));
            }
            let own = image.palette.filter(|_| self.palette == DataId(0)).unwrap_or(self.palette);
            let colours = match image.format.has_palette() {
                true => assets.palette(own).map_err(|_| own)?.colours.clone(),
                false => Vec::new(),
            };
            if let Some(pixels) = rgba(&image, &colours, self.has_holes) {
                return Ok((id.to_string(), "image/png", png::encode(image.width, image.height, &pixels)));
            }
        }
        Err(missing)
    }
}

fn add_texture(
    builder: &mut Builder,
    name: String,
    mime_type: &'static str,
    bytes: &[u8],
) -> Result<usize, GltfError> {
    let buffer_view = builder.add_bytes(bytes, None)?;
    let document = &mut builder.document;
    if document.samplers.is_empty() {
        document.samplers.push(Sampler {
            mag_filter: gl::LINEAR,
            min_filter: gl::LINEAR_MIPMAP_LINEAR,
            wrap_s: gl::REPEAT,
            wrap_t: gl::REPEAT,
        });
    }
    document.images.push(Image { name, buffer_view, mime_type });
    document.textures.push(Texture { source: document.images.len() - 1, sampler: 0 });
    Ok(document.textures.len() - 1)
}

fn plain(name: String, base_color_factor: [f32; 4]) -> Material {
    Material {
        name,
        pbr_metallic_roughness: Roughness {
            base_color_factor,
            base_color_texture: None,
            metallic_factor: 0.0,
            roughness_factor: 1.0,
        },
        emissive_factor: None,
        emissive_texture: None,
        alpha_mode: None,
        extras: serde_json::Value::Null,
    }
}

/// Returns a component of a colour (sRGB) as glTF has it, linear from 0 to 1.
pub(crate) fn linear(component: u8) -> f32 {
    let value = f64::from(component) / 255.0;
    let linear = if value <= 0.040_45 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) };
    linear as f32
}

#[cfg(test)]
mod tests {
    use acmotion::dat::{BlockSize, Dat, DatObject, DatWriter, DataSet, RenderSurface, SurfaceTexture};

    use super::*;

    #[test]
    fn the_images_that_are_read_are_limited() {
        let (texture, image) = (DataId(0x0500_0001), DataId(0x0600_0001));
        let mut writer = DatWriter::new(BlockSize::Large, DataSet::Portal);
        let list = SurfaceTexture { id: texture, category: 0, kind: 2, images: vec![image; 3] };
        writer.add(texture, list.encode());
        let pixels = RenderSurface {
            id: image,
            category: 0,
            width: 2048,
            height: 2048,
            format: PixelFormat::A8R8G8B8,
            data: vec![0; 16 << 20],
            palette: None,
        };
        writer.add_compressed(image, &pixels.encode());
        let assets = Assets::new(Dat::from_bytes(writer.finish().unwrap()).unwrap());
        let wanted = Wanted { texture, palette: DataId(0), has_holes: false };
        let mut image_bytes = MAX_IMAGE_BYTES - (17 << 20);
        assert!(wanted.read(&assets, &mut image_bytes).is_ok());
        assert_eq!(wanted.read(&assets, &mut image_bytes).err(), Some(image));
        assert!((MAX_IMAGE_BYTES..MAX_IMAGE_BYTES + (17 << 20)).contains(&image_bytes), "{image_bytes}");
    }
}
