//! Converts pictures to formats that engines read: PNG or JPEG.

use crate::io::embedded_picture::label;
use crate::io::export::Images;
use crate::io::js3d;
use std::fmt::Display;

/// A picture to embed.
pub struct EncodedImage {
    pub bytes: Vec<u8>,
    pub mime_type: &'static str,
    /// A description of changes to the picture.
    pub note: Option<String>,
}

/// Returns the picture of a texture: the file at a path, or inline pixels.
///
/// # Errors
/// The reason why there is none.
pub fn encode(image: &str, images: Images) -> Result<EncodedImage, String> {
    if image.starts_with("hdr64:") {
        let note =
            "its colours are written as 8 bits each; what is brighter than white becomes white".to_owned();
        return Ok(EncodedImage {
            bytes: png(&js3d::pixels(image)?)?,
            mime_type: "image/png",
            note: Some(note),
        });
    }
    let bytes = images(image)?;
    let mime_type = if bytes.starts_with(b"\x89PNG\r\n\x1a\n") {
        "image/png"
    } else if bytes.starts_with(b"\xff\xd8\xff") {
        "image/jpeg"
    } else {
        return Err(format!("{} is neither PNG nor JPEG, which is all that glTF takes", label(image)));
    };
    Ok(EncodedImage { bytes, mime_type, note: None })
}

/// Encodes linear colours, row by row from the bottom, as an sRGB picture.
fn png(pixels: &js3d::Pixels) -> Result<Vec<u8>, String> {
    let failed = |error: &dyn Display| format!("it cannot be written as PNG: {error}");
    if pixels.width == 0 || pixels.height == 0 {
        return Err("the picture has no pixels".to_owned());
    }
    let rows = pixels.colors.chunks_exact(pixels.width as usize).rev();
    let bytes: Vec<u8> = rows.flatten().flat_map(|color| color.to_array().map(srgb)).collect();
    let mut png = Vec::new();
    let mut encoder = png::Encoder::new(&mut png, pixels.width, pixels.height);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_source_srgb(png::SrgbRenderingIntent::Perceptual);
    let mut writer = encoder.write_header().map_err(|error| failed(&error))?;
    writer.write_image_data(&bytes).map_err(|error| failed(&error))?;
    writer.finish().map_err(|error| failed(&error))?;
    Ok(png)
}

/// Converts a linear value to eight bits of sRGB; NaN becomes black.
fn srgb(linear: f32) -> u8 {
    let linear = linear.clamp(0.0, 1.0);
    let value = if linear <= 0.003_130_8 { 12.92 * linear } else { 1.055 * linear.powf(1.0 / 2.4) - 0.055 };
    (value * 255.0).round() as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pixels_become_a_picture_from_the_top() {
        // Two pixels above each other: black below, half grey above.
        let mut raw = b"rawf".to_vec();
        for number in [1_u32, 2] {
            raw.extend(number.to_le_bytes());
        }
        for value in [0.0_f32, 0.0, 0.0, 0.5, 0.5, 9.0] {
            raw.extend(value.to_le_bytes());
        }
        use base64::Engine;
        let text = format!("hdr64:{}", base64::engine::general_purpose::STANDARD_NO_PAD.encode(raw));
        let found = encode(&text, &|_| unreachable!()).unwrap();
        assert!(found.note.is_some());
        let mut reader = png::Decoder::new(std::io::Cursor::new(found.bytes)).read_info().unwrap();
        let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
        reader.next_frame(&mut pixels).unwrap();
        assert_eq!(pixels, [188, 188, 255, 0, 0, 0]);
    }

    #[test]
    fn files_are_taken_as_they_are() {
        let found = encode("skin.jpg", &|_| Ok(b"\xff\xd8\xff..".to_vec())).unwrap();
        assert_eq!((found.mime_type, found.note), ("image/jpeg", None));
        assert!(encode("skin.exr", &|_| Ok(b"v/1".to_vec())).is_err());
        assert!(encode("skin.png", &|_| Err("gone".into())).is_err());
    }
}
