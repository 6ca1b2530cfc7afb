//! Surfaces, textures, images and palettes, byte for byte (`docs/dat.md` §5).

use acmotion_dat::{
    AnyObject, Assets, DatObject as _, DataId, ObjectKind, Palette, PixelFormat, RenderSurface, Surface,
    SurfaceFill, SurfaceFlags, SurfaceTexture, json, mannequin,
};
use serde_json::json;

fn words(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

#[test]
fn a_surface_has_a_colour_or_a_texture() {
    let half = 0.5f32.to_bits();
    let solid = Surface::decode(&words(&[1, 0xFF10_2030, half, 0, 0])).unwrap();
    assert_eq!((solid.fill, solid.translucency), (SurfaceFill::Colour(0xFF10_2030), 0.5));
    let textured = Surface::decode(&words(&[4, 0x0500_0007, 0x0400_0009, 0, half, 0])).unwrap();
    let fill = SurfaceFill::Texture { texture: DataId(0x0500_0007), palette: DataId(0x0400_0009) };
    assert_eq!((textured.fill, textured.flags, textured.luminosity), (fill, SurfaceFlags::CLIP_MAP, 0.5));
    assert!(Surface::decode(&words(&[2, 0, 0, 0, 0])).is_err(), "a texture takes a word more than a colour");
    assert!(Surface::decode(&words(&[1, 0, f32::NAN.to_bits(), 0, 0])).is_err());
    let error = AnyObject::decode(ObjectKind::Surface, DataId(0x0800_0001), &[1, 0]).unwrap_err();
    assert!(error.to_string().contains("Surface"), "{error}");
}

#[test]
fn textures_images_and_palettes_have_their_fields_in_order() {
    let mut bytes = words(&[0x0500_0007, 9]);
    bytes.push(2);
    bytes.extend(words(&[2, 0x0600_0001, 0x0600_0002]));
    let texture = SurfaceTexture::decode(&bytes).unwrap();
    assert_eq!(texture.images, [DataId(0x0600_0001), DataId(0x0600_0002)]);
    assert_eq!((texture.category, texture.kind), (9, 2));

    let mut bytes = words(&[0x0600_0001, 6, 2, 1, PixelFormat::P8.0, 2]);
    bytes.extend([7, 8]);
    assert!(RenderSurface::decode(&bytes).is_err(), "the palette is missing");
    bytes.extend(words(&[0x0400_0009]));
    let image = RenderSurface::decode(&bytes).unwrap();
    assert_eq!((image.width, image.height, &image.data[..]), (2, 1, &[7, 8][..]));
    assert_eq!((image.palette, image.encode()), (Some(DataId(0x0400_0009)), bytes));
    let huge = words(&[0x0600_0001, 6, 2, 1, PixelFormat::A8.0, u32::MAX]);
    assert!(RenderSurface::decode(&huge).unwrap_err().to_string().contains("length"));

    let palette = Palette::decode(&words(&[0x0400_0009, 2, 0xFF00_0001, 2])).unwrap();
    assert_eq!(palette.colours, [0xFF00_0001, 2]);
    assert_eq!(
        json::palette(&palette),
        json!({ "id": "0x04000009", "colours": ["0xFF000001", "0x00000002"] })
    );
}

#[test]
fn the_surfaces_of_the_mannequin_are_plain_colours() {
    let wood = Assets::mannequin().surface(mannequin::surfaces::WOOD).unwrap();
    assert_eq!(wood.fill, SurfaceFill::Colour(0xFFD9_B382));
    let found = json::object(&AnyObject::Surface((*wood).clone()));
    assert_eq!(
        found,
        json!({ "type": 1, "colour": "0xFFD9B382", "translucency": 0.0, "luminosity": 0.0, "diffuse": 1.0 })
    );
    assert!(Assets::mannequin().palette(DataId(0x0400_0001)).is_err());
}
