//! PNG files of eight bits a component.

use std::io::Write as _;

use flate2::write::ZlibEncoder;
use flate2::{Compression, Crc};

const SIGNATURE: [u8; 8] = [0x89, b'P', b'N', b'G', 0x0D, 0x0A, 0x1A, 0x0A];
/// Eight bits a component; red, green, blue and alpha; the only compression and filtering; not interlaced.
const FORMAT: [u8; 5] = [8, 6, 0, 0, 0];
/// The filter of a row: none.
const NO_FILTER: u8 = 0;

/// Encodes an image: red, green, blue and alpha of each pixel, row by row from the top.
pub(crate) fn encode(width: u32, height: u32, rgba: &[u8]) -> Vec<u8> {
    let mut pixels = ZlibEncoder::new(Vec::new(), Compression::default());
    for row in rgba.chunks_exact(4 * (width as usize).max(1)) {
        // Writing to memory cannot fail.
        let _ = pixels.write_all(&[NO_FILTER]);
        let _ = pixels.write_all(row);
    }
    let mut png = SIGNATURE.to_vec();
    let header: Vec<u8> =
        [width.to_be_bytes(), height.to_be_bytes()].concat().into_iter().chain(FORMAT).collect();
    add_chunk(&mut png, *b"IHDR", &header);
    add_chunk(&mut png, *b"IDAT", &pixels.finish().unwrap_or_default());
    add_chunk(&mut png, *b"IEND", &[]);
    png
}

fn add_chunk(png: &mut Vec<u8>, kind: [u8; 4], bytes: &[u8]) {
    let mut sum = Crc::new();
    sum.update(&kind);
    sum.update(bytes);
    png.extend((bytes.len() as u32).to_be_bytes());
    png.extend(kind);
    png.extend(bytes);
    png.extend(sum.sum().to_be_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pixel_is_encoded_as_the_format_demands() {
        let png = encode(1, 1, &[1, 2, 3, 4]);
        assert_eq!(png[..16], [0x89, b'P', b'N', b'G', 13, 10, 26, 10, 0, 0, 0, 13, b'I', b'H', b'D', b'R']);
        assert_eq!(png[16..29], [0, 0, 0, 1, 0, 0, 0, 1, 8, 6, 0, 0, 0]);
        // The checksum of an empty IEND chunk is the same in every file.
        assert_eq!(png[png.len() - 12..], [0, 0, 0, 0, b'I', b'E', b'N', b'D', 0xAE, 0x42, 0x60, 0x82]);
    }
}
