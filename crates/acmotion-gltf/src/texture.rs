//! The pixels of images.

use acmotion::dat::{PixelFormat, RenderSurface};

/// The maximum width and height of an image, in pixels.
pub const MAX_SIDE: u32 = 4096;
/// The colours of a palette that are holes in an image with holes.
const HOLES: usize = 8;

/// Returns red, green, blue and alpha of each pixel, row by row. `None` if the format is not known, or the image is too
/// large or has fewer bytes than pixels. `palette` has the colours of images that hold indices.
pub(crate) fn rgba(image: &RenderSurface, palette: &[u32], has_holes: bool) -> Option<Vec<u8>> {
    let sides = 1..=MAX_SIDE;
    if !sides.contains(&image.width) || !sides.contains(&image.height) {
        return None;
    }
    let (width, height) = (image.width as usize, image.height as usize);
    let indexed = |index: usize| {
        let [blue, green, red, alpha] = palette.get(index).copied().unwrap_or_default().to_le_bytes();
        [red, green, blue, if has_holes && index < HOLES { 0 } else { alpha.max(opaque(has_holes)) }]
    };
    let pixels = Pixels { data: &image.data, count: width * height };
    match image.format {
        PixelFormat::R8G8B8 => pixels.each(|[blue, green, red]: [u8; 3]| [red, green, blue, 255]),
        PixelFormat::LANDSCAPE_R8G8B8 => pixels.each(|[red, green, blue]: [u8; 3]| [red, green, blue, 255]),
        PixelFormat::A8R8G8B8 => pixels.each(|[blue, green, red, alpha]: [u8; 4]| [red, green, blue, alpha]),
        PixelFormat::R5G6B5 => pixels.each(|bytes: [u8; 2]| rgb565(u16::from_le_bytes(bytes))),
        PixelFormat::A4R4G4B4 => pixels.each(|bytes: [u8; 2]| {
            let word = u16::from_le_bytes(bytes);
            [8, 4, 0, 12].map(|shift| widen(word >> shift & 15, 15))
        }),
        PixelFormat::A8 | PixelFormat::LANDSCAPE_ALPHA => {
            pixels.each(|[grey]: [u8; 1]| [grey, grey, grey, 255])
        }
        PixelFormat::P8 => pixels.each(|[index]: [u8; 1]| indexed(index.into())),
        PixelFormat::INDEX16 => pixels.each(|bytes: [u8; 2]| indexed(u16::from_le_bytes(bytes).into())),
        PixelFormat::DXT1 => blocks(&image.data, width, height, Alpha::OneBit),
        PixelFormat::DXT3 => blocks(&image.data, width, height, Alpha::FourBits),
        PixelFormat::DXT5 => blocks(&image.data, width, height, Alpha::Interpolated),
        _ => None,
    }
}

/// Colours of a palette are opaque, whatever their alpha, unless the image has holes.
const fn opaque(has_holes: bool) -> u8 {
    if has_holes { 0 } else { 255 }
}

struct Pixels<'a> {
    data: &'a [u8],
    count: usize,
}

impl Pixels<'_> {
    fn each<const N: usize>(&self, colour: impl Fn([u8; N]) -> [u8; 4]) -> Option<Vec<u8>> {
        let (pixels, _) = self.data.as_chunks::<N>();
        Some(pixels.get(..self.count)?.iter().flat_map(|pixel| colour(*pixel)).collect())
    }
}

/// Widens a number of `0..=max` to `0..=255`.
fn widen(value: u16, max: u16) -> u8 {
    (u32::from(value) * 255 / u32::from(max)) as u8
}

fn rgb565(word: u16) -> [u8; 4] {
    [widen(word >> 11, 31), widen(word >> 5 & 63, 63), widen(word & 31, 31), 255]
}

/// How a block of a compressed image holds alpha.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Alpha {
    OneBit,
    FourBits,
    Interpolated,
}

/// Decodes blocks of four by four pixels.
fn blocks(data: &[u8], width: usize, height: usize, alpha: Alpha) -> Option<Vec<u8>> {
    let (columns, rows) = (width.div_ceil(4), height.div_ceil(4));
    let size = if alpha == Alpha::OneBit { 8 } else { 16 };
    let data = data.get(..columns * rows * size)?;
    let mut out = vec![0; 4 * width * height];
    for (index, block) in data.chunks_exact(size).enumerate() {
        let (left, top) = (index % columns * 4, index / columns * 4);
        for (at, pixel) in block_pixels(block, alpha)?.iter().enumerate() {
            let (x, y) = (left + at % 4, top + at / 4);
            if x < width && y < height {
                out[4 * (y * width + x)..][..4].copy_from_slice(pixel);
            }
        }
    }
    Some(out)
}

fn block_pixels(block: &[u8], alpha: Alpha) -> Option<[[u8; 4]; 16]> {
    let (alphas, colours) = block.split_at(block.len() - 8);
    let word = |at: usize| u16::from_le_bytes([colours[at], colours[at + 1]]);
    let (first, second) = (word(0), word(2));
    let [a, b] = [first, second].map(rgb565);
    let mix = |share: u32, of: u32| -> [u8; 4] {
        let channel = |at: usize| ((u32::from(a[at]) * (of - share) + u32::from(b[at]) * share) / of) as u8;
        [channel(0), channel(1), channel(2), 255]
    };
    let palette = if first > second || alpha != Alpha::OneBit {
        [a, b, mix(1, 3), mix(2, 3)]
    } else {
        [a, b, mix(1, 2), [0; 4]]
    };
    let bits = u32::from_le_bytes(*colours[4..].first_chunk()?);
    let mut pixels = [[0; 4]; 16];
    for (at, pixel) in pixels.iter_mut().enumerate() {
        *pixel = palette[(bits >> (2 * at) & 3) as usize];
        match alpha {
            Alpha::OneBit => {}
            Alpha::FourBits => pixel[3] = widen(u16::from(alphas[at / 2] >> (4 * (at % 2)) & 15), 15),
            Alpha::Interpolated => pixel[3] = interpolated_alpha(alphas, at)?,
        }
    }
    Some(pixels)
}

/// Returns the alpha of a pixel: one of two values, or between them.
fn interpolated_alpha(alphas: &[u8], at: usize) -> Option<u8> {
    let [first, second] = [alphas[0], alphas[1]].map(u32::from);
    let mut bytes = [0; 8];
    bytes[..6].copy_from_slice(alphas.get(2..8)?);
    let code = (u64::from_le_bytes(bytes) >> (3 * at) & 7) as u32;
    let mix = |share: u32, of: u32| (first * (of - share) + second * share) / of;
    Some(match code {
        0 => first,
        1 => second,
        _ if first > second => mix(code - 1, 7),
        6 => 0,
        7 => 255,
        _ => mix(code - 1, 5),
    } as u8)
}

#[cfg(test)]
mod tests {
    use acmotion::dat::DataId;

    use super::*;

    fn image(format: PixelFormat, [width, height]: [u32; 2], data: &[u8]) -> RenderSurface {
        RenderSurface {
            id: DataId(0x0600_0001),
            width,
            height,
            format,
            data: data.to_vec(),
            ..RenderSurface::default()
        }
    }

    fn pixels(format: PixelFormat, size: [u32; 2], data: &[u8]) -> Vec<u8> {
        rgba(&image(format, size, data), &[], false).unwrap()
    }

    #[test]
    fn plain_formats_have_their_own_order_of_bytes() {
        assert_eq!(pixels(PixelFormat::R8G8B8, [1, 1], &[1, 2, 3]), [3, 2, 1, 255]);
        assert_eq!(pixels(PixelFormat::LANDSCAPE_R8G8B8, [1, 1], &[1, 2, 3]), [1, 2, 3, 255]);
        assert_eq!(pixels(PixelFormat::A8R8G8B8, [1, 1], &[1, 2, 3, 4]), [3, 2, 1, 4]);
        assert_eq!(
            pixels(PixelFormat::R5G6B5, [2, 1], &[0, 0xF8, 0xE0, 7]),
            [255, 0, 0, 255, 0, 255, 0, 255]
        );
        assert_eq!(pixels(PixelFormat::A4R4G4B4, [1, 1], &[0x3F, 0x8C]), [204, 51, 255, 136]);
        assert_eq!(pixels(PixelFormat::A8, [1, 2], &[7, 9]), [7, 7, 7, 255, 9, 9, 9, 255]);
    }

    #[test]
    fn indices_name_colours_of_the_palette_and_the_first_eight_can_be_holes() {
        let palette: Vec<u32> = (0..10).map(|index| 0x0010_2000 | index).collect();
        let indices = image(PixelFormat::INDEX16, [2, 1], &[7, 0, 8, 0]);
        assert_eq!(rgba(&indices, &palette, false).unwrap(), [0x10, 0x20, 7, 255, 0x10, 0x20, 8, 255]);
        let opaque: Vec<u32> = palette.iter().map(|colour| colour | 0xFF00_0000).collect();
        assert_eq!(rgba(&indices, &opaque, true).unwrap(), [0x10, 0x20, 7, 0, 0x10, 0x20, 8, 255]);
        let bytes = image(PixelFormat::P8, [2, 1], &[9, 200]);
        assert_eq!(
            rgba(&bytes, &palette, false).unwrap(),
            [0x10, 0x20, 9, 255, 0, 0, 0, 255],
            "200 is no colour"
        );
    }

    #[test]
    fn blocks_hold_two_colours_and_what_lies_between() {
        // Red and blue; the first row has all four codes, the rest code 0. A block is larger than the image.
        let block = [0x00, 0xF8, 0x1F, 0x00, 0b1110_0100, 0, 0, 0];
        let row = pixels(PixelFormat::DXT1, [4, 1], &block);
        assert_eq!(row, [255, 0, 0, 255, 0, 0, 255, 255, 170, 0, 85, 255, 85, 0, 170, 255]);
        // The other way round, code 3 is a hole.
        let block = [0x1F, 0x00, 0x00, 0xF8, 0b1110_0100, 0, 0, 0];
        assert_eq!(pixels(PixelFormat::DXT1, [4, 1], &block)[8..], [127, 0, 127, 255, 0, 0, 0, 0]);
        let colours = [0x00, 0xF8, 0x1F, 0x00, 0, 0, 0, 0];
        let with_alpha = |alphas: [u8; 8]| [alphas, colours].concat();
        let four = pixels(PixelFormat::DXT3, [2, 1], &with_alpha([0xF3, 0, 0, 0, 0, 0, 0, 0]));
        assert_eq!((four[3], four[7]), (51, 255));
        let smooth = pixels(PixelFormat::DXT5, [3, 1], &with_alpha([210, 70, 0b1000_1000, 0, 0, 0, 0, 0]));
        assert_eq!((smooth[3], smooth[7], smooth[11]), (210, 70, 190));
    }

    #[test]
    fn images_that_are_too_large_or_too_short_are_none() {
        let side = MAX_SIDE;
        let long = vec![0; side as usize + 1];
        assert!(rgba(&image(PixelFormat::A8, [side, 1], &long), &[], false).is_some());
        assert!(rgba(&image(PixelFormat::A8, [side + 1, 1], &long), &[], false).is_none());
        for format in [PixelFormat::R8G8B8, PixelFormat::DXT1, PixelFormat::DXT5, PixelFormat::INDEX16] {
            assert!(rgba(&image(format, [4, 4], &[0; 7]), &[], false).is_none(), "{format:?}");
        }
        assert!(rgba(&image(PixelFormat::R8G8B8, [0, 4], &[0; 7]), &[], false).is_none());
        assert!(rgba(&image(PixelFormat(77), [1, 1], &[0; 64]), &[], false).is_none(), "an unknown format");
    }
}
