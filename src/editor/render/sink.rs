//! The outputs of a render. Each file is complete or missing: a sink that is dropped early leaves nothing
//! half-written.

use super::palette::Palette;
use crate::edit::render::{Background, Files, RenderSettings};
use crate::editor::picture::Picture;
use crate::io::durable::{self, AtomicFile};
use std::io::Cursor;

pub trait Sink {
    /// Sets the colours before the first picture, for a format with few colours.
    fn set_palette(&mut self, _palette: Palette) {}

    /// Writes the next picture.
    fn put(&mut self, frame: u32, picture: &Picture) -> Result<(), String>;

    /// Completes the output after the last picture.
    fn finish(self: Box<Self>) -> Result<(), String>;
}

/// A file for each frame.
pub struct PngSink {
    files: Files,
    transparent: bool,
}

impl PngSink {
    pub fn new(files: Files, settings: &RenderSettings) -> Result<Self, String> {
        // Reports an error before the first frame is drawn rather than after.
        drop(AtomicFile::new(&files.path(settings.frames[0])).map_err(|error| error.to_string())?);
        Ok(Self { files, transparent: settings.background == Background::Transparent })
    }
}

impl Sink for PngSink {
    fn put(&mut self, frame: u32, picture: &Picture) -> Result<(), String> {
        let image = image::RgbaImage::from_raw(picture.width, picture.height, picture.rgba.clone())
            .ok_or("the picture has an unexpected format")?;
        let image = image::DynamicImage::ImageRgba8(image);
        let image = if self.transparent { image } else { image.into_rgb8().into() };
        let mut bytes = Cursor::new(Vec::new());
        image.write_to(&mut bytes, image::ImageFormat::Png).map_err(|error| error.to_string())?;
        let saved = durable::save(&self.files.path(frame), bytes.get_ref());
        saved.map(drop).map_err(|error| error.to_string())
    }

    fn finish(self: Box<Self>) -> Result<(), String> {
        Ok(())
    }
}
