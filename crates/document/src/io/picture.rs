//! Decodes the pictures of textures for the graphics card: pixels in js3d files, and PNG and JPEG files.
//! Other formats (EXR) are not read.

use super::embedded_picture::label;
use super::js3d;
use super::picture_files::{JPEG, PNG, PictureError, read_bytes};
use crate::math::colormap::srgb_from_linear;
use std::borrow::Cow;
use std::io::Cursor;
use std::path::Path;
use zune_jpeg::JpegDecoder;
use zune_jpeg::zune_core::bytestream::ZCursor;
use zune_jpeg::zune_core::colorspace::ColorSpace;
use zune_jpeg::zune_core::options::DecoderOptions;

/// Colours without opacity, row by row from the bottom: v = 0 is the first row.
#[derive(Clone, Debug, PartialEq)]
pub struct Picture {
    pub width: u32,
    pub height: u32,
    /// 4 * `width` * `height`: sRGB, the fourth byte 255.
    pub rgba: Vec<u8>,
}

impl Picture {
    /// The maximum side length; larger pictures are halved.
    pub const MAX_SIDE: u32 = 8192;
    const MAX_PIXELS: u64 = 1 << 26;

    /// Returns the substitute for a picture that cannot be shown: a checkerboard that nobody mistakes for
    /// skin.
    pub fn checker() -> Self {
        const SIDE: u32 = 16;
        let color = |index: u32| match (index % SIDE + index / SIDE) % 2 {
            0 => [0xd0, 0x30, 0xc0, 0xff],
            _ => [0x30, 0x30, 0x30, 0xff],
        };
        Self { width: SIDE, height: SIDE, rgba: (0..SIDE * SIDE).flat_map(color).collect() }
    }

    /// Decodes the picture of a texture: inline pixels, an embedded picture, or a path, relative to `folder`
    /// or else as given. `None` for one without pixels.
    ///
    /// # Errors
    /// If the file is missing, or contains no valid picture.
    pub fn from_texture(image: &str, folder: Option<&Path>) -> Result<Option<Self>, PictureError> {
        if image.starts_with("hdr64:") {
            return Self::from_pixels(image);
        }
        Self::decode(&read_bytes(image, folder)?, label(image)).map(Some)
    }

    /// Decodes a PNG or JPEG file, which is called `name` in errors.
    ///
    /// # Errors
    /// If it is neither, or is damaged or too large.
    pub fn decode(bytes: &[u8], name: &str) -> Result<Self, PictureError> {
        let damaged = |error: String| PictureError::Damaged(format!("{name}: {error}"));
        let picture = if bytes.starts_with(PNG) {
            png(bytes).map_err(|error| error.into_error(damaged))
        } else if bytes.starts_with(JPEG) {
            // A damaged file must not crash the program, whatever the decoder does.
            let decoded = std::panic::catch_unwind(|| jpeg(bytes));
            let decoded = decoded.unwrap_or_else(|_| Err(Other("it is damaged".into())));
            decoded.map_err(|error| error.into_error(damaged))
        } else {
            Err(PictureError::Format(name.to_owned()))
        };
        picture.map(Self::within_limits)
    }

    fn from_pixels(image: &str) -> Result<Option<Self>, PictureError> {
        let pixels = js3d::pixels(image).map_err(PictureError::Damaged)?;
        let (width, height) = (pixels.width, pixels.height);
        if width == 0 || height == 0 {
            return Ok(None);
        }
        check(width.into(), height.into())?;
        let byte = |linear: f32| (srgb_from_linear(linear) * 255.0).round() as u8;
        let colors = pixels.colors.iter();
        let rgba = colors.flat_map(|color| [byte(color.x), byte(color.y), byte(color.z), 255]);
        let rgba = rgba.collect();
        Ok(Some(Self { width, height, rgba }.within_limits()))
    }

    /// Assembles a picture from rows that begin at the top.
    fn from_rows(width: u32, height: u32, rows: impl DoubleEndedIterator<Item = Vec<u8>>) -> Self {
        let rgba = rows.rev().flatten().collect();
        Self { width, height, rgba }
    }

    fn within_limits(mut self) -> Self {
        while self.width.max(self.height) > Self::MAX_SIDE {
            self = self.halved([self.width.div_ceil(2), self.height.div_ceil(2)]);
        }
        self
    }

    /// Returns the picture followed by its mipmaps, each half the size of the one before, down to one pixel,
    /// and the number of levels.
    pub fn with_mipmaps(&self) -> (Vec<u8>, u32) {
        let (mut bytes, mut count) = (self.rgba.clone(), 1);
        let mut last = Cow::Borrowed(self);
        while last.width.max(last.height) > 1 {
            let smaller = last.halved([last.width, last.height].map(|side| (side / 2).max(1)));
            bytes.extend_from_slice(&smaller.rgba);
            (last, count) = (Cow::Owned(smaller), count + 1);
        }
        (bytes, count)
    }

    /// Halves the picture; each pixel is the mean of four.
    fn halved(&self, [width, height]: [u32; 2]) -> Self {
        let sample = |x: u32, y: u32, channel: usize| {
            let (x, y) = (x.min(self.width - 1) as usize, y.min(self.height - 1) as usize);
            u32::from(self.rgba[4 * (y * self.width as usize + x) + channel])
        };
        let mut rgba = Vec::with_capacity(4 * width as usize * height as usize);
        for y in 0..height {
            for x in 0..width {
                let (x, y) = (2 * x, 2 * y);
                let mean = |c| {
                    (sample(x, y, c) + sample(x + 1, y, c) + sample(x, y + 1, c) + sample(x + 1, y + 1, c))
                        / 4
                };
                rgba.extend((0..4).map(|channel| mean(channel) as u8));
            }
        }
        Self { width, height, rgba }
    }
}

fn check(width: u64, height: u64) -> Result<(), PictureError> {
    if width * height <= Picture::MAX_PIXELS { Ok(()) } else { Err(PictureError::TooLarge(width, height)) }
}

/// The message of a decoder, or a limit that is exceeded.
enum Failure {
    Limit(PictureError),
    Other(String),
}
use Failure::{Limit, Other};

impl Failure {
    fn into_error(self, damaged: impl FnOnce(String) -> PictureError) -> PictureError {
        match self {
            Limit(error) => error,
            Other(text) => damaged(text),
        }
    }
}

fn png(bytes: &[u8]) -> Result<Picture, Failure> {
    let failed = |error: png::DecodingError| Other(error.to_string());
    let mut decoder = png::Decoder::new(Cursor::new(bytes));
    decoder.set_transformations(png::Transformations::EXPAND | png::Transformations::STRIP_16);
    let header = decoder.read_header_info().map_err(failed)?;
    let (width, height) = (header.width, header.height);
    check(width.into(), height.into()).map_err(Limit)?;
    let mut reader = decoder.read_info().map_err(failed)?;
    let size = reader.output_buffer_size();
    let mut pixels = vec![0; size.ok_or_else(|| Other("it is too large".into()))?];
    reader.next_frame(&mut pixels).map_err(failed)?;
    let channels = reader.output_color_type().0.samples();
    let opaque = |pixel: &[u8]| match *pixel {
        [r, g, b, ..] => [r, g, b, 255],
        [grey, ..] => [grey, grey, grey, 255],
        [] => [0, 0, 0, 255],
    };
    let rows = pixels.chunks_exact((width as usize * channels).max(1));
    let rows = rows.map(|row| row.chunks_exact(channels).flat_map(opaque).collect());
    Ok(Picture::from_rows(width, height, rows))
}

fn jpeg(bytes: &[u8]) -> Result<Picture, Failure> {
    let options = DecoderOptions::default()
        .set_max_width(1 << 16)
        .set_max_height(1 << 16)
        .jpeg_set_out_colorspace(ColorSpace::RGBA);
    let mut decoder = JpegDecoder::new_with_options(ZCursor::new(bytes), options);
    let failed = |error: &dyn std::fmt::Debug| Other(format!("{error:?}"));
    decoder.decode_headers().map_err(|error| failed(&error))?;
    let (width, height) = match decoder.dimensions() {
        Some((width, height)) if width > 0 && height > 0 => (width, height),
        _ => return Err(Other("it does not state its size".into())),
    };
    check(width as u64, height as u64).map_err(Limit)?;
    let mut pixels = decoder.decode().map_err(|error| failed(&error))?;
    if pixels.len() != 4 * width * height {
        return Err(Other("it has colours of an unknown kind".into()));
    }
    pixels.chunks_exact_mut(4).for_each(|pixel| pixel[3] = 255);
    let rows = pixels.chunks_exact(4 * width).map(<[u8]>::to_vec);
    Ok(Picture::from_rows(width as u32, height as u32, rows))
}

#[cfg(test)]
mod tests {
    use super::super::picture_files::header_error;
    use super::*;

    fn encoded(color: png::ColorType, depth: png::BitDepth, data: &[u8]) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, 2, 2);
        encoder.set_color(color);
        encoder.set_depth(depth);
        if color == png::ColorType::Indexed {
            encoder.set_palette(vec![1, 2, 3, 7, 8, 9]);
        }
        let mut writer = encoder.write_header().unwrap();
        writer.write_image_data(data).unwrap();
        writer.finish().unwrap();
        bytes
    }

    #[test]
    fn every_kind_of_png_begins_with_its_lowest_row() {
        use png::{BitDepth, ColorType};
        let rgb: Vec<u8> = (1..=12).collect();
        let picture = Picture::decode(&encoded(ColorType::Rgb, BitDepth::Eight, &rgb), "a").unwrap();
        assert_eq!((picture.width, picture.height), (2, 2));
        assert_eq!(picture.rgba, [7, 8, 9, 255, 10, 11, 12, 255, 1, 2, 3, 255, 4, 5, 6, 255]);
        let grey = |bytes: Vec<u8>| Picture::decode(&bytes, "a").unwrap().rgba;
        let expected = [3, 3, 3, 255, 4, 4, 4, 255, 1, 1, 1, 255, 2, 2, 2, 255];
        assert_eq!(grey(encoded(ColorType::Grayscale, BitDepth::Eight, &[1, 2, 3, 4])), expected);
        let alpha = [1, 0, 2, 9, 3, 99, 4, 255];
        assert_eq!(grey(encoded(ColorType::GrayscaleAlpha, BitDepth::Eight, &alpha)), expected);
        let wide = [1, 0, 2, 0, 3, 0, 4, 0];
        assert_eq!(grey(encoded(ColorType::Grayscale, BitDepth::Sixteen, &wide)), expected);
        let indexed = grey(encoded(ColorType::Indexed, BitDepth::One, &[0b0100_0000, 0b1000_0000]));
        assert_eq!(indexed, [7, 8, 9, 255, 1, 2, 3, 255, 1, 2, 3, 255, 7, 8, 9, 255]);
    }

    #[test]
    fn jpeg_is_read() {
        // 8 by 8, grey 128: quantisation 1, one coefficient of zero.
        let bytes = grey_jpeg();
        let picture = Picture::decode(&bytes, "a.jpg").unwrap();
        assert_eq!((picture.width, picture.height), (8, 8));
        assert_eq!(picture.rgba, [128, 128, 128, 255].repeat(64));
        for length in 3..bytes.len() {
            // Either a picture or an error, but no panic.
            drop(Picture::decode(&bytes[..length], "a.jpg"));
        }
    }

    /// A minimal file: one block, whose difference to grey has no bits, and which ends immediately.
    fn grey_jpeg() -> Vec<u8> {
        let mut bytes = vec![0xff, 0xd8, 0xff, 0xdb, 0, 67, 0];
        bytes.extend([1; 64]);
        bytes.extend([0xff, 0xc0, 0, 11, 8, 0, 8, 0, 8, 1, 1, 0x11, 0]);
        for class in [0x00, 0x10] {
            // One code of one bit, for the symbol 0.
            bytes.extend([0xff, 0xc4, 0, 20, class, 1]);
            bytes.extend([0; 15]);
            bytes.push(0);
        }
        bytes.extend([0xff, 0xda, 0, 8, 1, 1, 0, 0, 63, 0]);
        // Both codes are 0; the rest of the byte is ones.
        bytes.extend([0b0011_1111, 0xff, 0xd9]);
        bytes
    }

    #[test]
    fn linear_pixels_become_srgb() {
        let mut raw = b"rawf".to_vec();
        raw.extend([1_u32, 2].iter().flat_map(|side| side.to_le_bytes()));
        raw.extend([0.0_f32, 0.0, 0.0, 0.5, 1.0, 9.0].iter().flat_map(|value| value.to_le_bytes()));
        use base64::Engine;
        let code = base64::engine::general_purpose::STANDARD_NO_PAD.encode(raw);
        let picture = Picture::from_texture(&format!("hdr64:{code}"), None).unwrap().unwrap();
        assert_eq!(picture.rgba, [0, 0, 0, 255, 188, 255, 255, 255]);
        assert_eq!(Picture::from_texture("hdr64:cmF3ZgAAAAAAAAAA", None), Ok(None));
    }

    #[test]
    fn files_are_found_beside_the_scene() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("skin.png");
        std::fs::write(&path, encoded(png::ColorType::Grayscale, png::BitDepth::Eight, &[0; 4])).unwrap();
        assert!(Picture::from_texture("skin.png", Some(folder.path())).unwrap().is_some());
        assert!(Picture::from_texture(path.to_str().unwrap(), None).unwrap().is_some());
        assert_eq!(header_error("skin.png", Some(folder.path())), None);
        let missing = Err(PictureError::Missing("face.png".into()));
        assert_eq!(Picture::from_texture("face.png", Some(folder.path())), missing);
        assert_eq!(header_error("face.png", Some(folder.path())), missing.err());
        std::fs::write(&path, b"v/1\x01").unwrap();
        let error = Picture::from_texture("skin.png", Some(folder.path())).unwrap_err();
        assert!(matches!(error, PictureError::Format(_)), "{error}");
        assert_eq!(header_error("skin.png", Some(folder.path())), Some(error));
        std::fs::write(&path, PNG).unwrap();
        assert!(Picture::from_texture("skin.png", Some(folder.path())).is_err());
    }

    #[test]
    fn smaller_pictures_end_at_one_pixel() {
        let picture =
            Picture { width: 5, height: 2, rgba: (0..40).map(|index| 10 * (index / 4 % 5) as u8).collect() };
        let (bytes, count) = picture.with_mipmaps();
        assert_eq!((bytes.len(), count), (4 * (10 + 2 + 1), 3));
        assert_eq!(bytes[..40], picture.rgba);
        assert_eq!(bytes[40..], [[5; 4], [25; 4], [15; 4]].concat());
    }

    #[test]
    fn long_sides_are_halved() {
        let picture = Picture {
            width: Picture::MAX_SIDE + 1,
            height: 1,
            rgba: [10, 20, 30, 255].repeat(Picture::MAX_SIDE as usize + 1),
        };
        let small = picture.within_limits();
        assert_eq!((small.width, small.height), (Picture::MAX_SIDE / 2 + 1, 1));
        assert_eq!(small.rgba, [10, 20, 30, 255].repeat(small.width as usize));
        assert!(matches!(check(1 << 20, 1 << 20), Err(PictureError::TooLarge(..))));
    }
}
