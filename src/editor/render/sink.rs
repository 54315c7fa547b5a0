//! Where the pictures go. Each file is whole or not there: dropped before its end, a sink leaves nothing
//! half-written.

use super::gif::GifSink;
use super::mp4::Mp4Sink;
use super::palette::Palette;
use crate::anim::clip::Clip;
use crate::edit::render::{Background, Files, Format, RenderSettings};
use crate::editor::picture::Picture;
use crate::io::durable::{self, Draft};
use std::io::Cursor;

pub trait Sink {
    /// The colours that there are, for a format that has but few. Before the first picture.
    fn colors(&mut self, _palette: Palette) {}

    /// Takes the next picture.
    fn put(&mut self, frame: u32, picture: &Picture) -> Result<(), String>;

    /// After the last one.
    fn finish(self: Box<Self>) -> Result<(), String>;
}

/// The sink of a format. The folder is made where it is missing.
pub fn begin(files: &Files, settings: &RenderSettings, clip: &Clip) -> Result<Box<dyn Sink>, String> {
    let folder = files.folder();
    if !folder.as_os_str().is_empty() {
        std::fs::create_dir_all(folder)
            .map_err(|error| format!("could not make the folder {}: {error}", folder.display()))?;
    }
    let step = settings.step.max(1);
    Ok(match settings.format {
        Format::Png => Box::new(PngSink::new(files.clone(), settings)?),
        Format::Gif => Box::new(GifSink::new(&files.path(0), settings.size, clip.rate, step)?),
        Format::Mp4 => Box::new(Mp4Sink::new(&files.path(0), settings.size, clip.rate, step)?),
    })
}

/// A file for each frame.
struct PngSink {
    files: Files,
    transparent: bool,
}

impl PngSink {
    fn new(files: Files, settings: &RenderSettings) -> Result<Self, String> {
        // Said before the first frame is drawn rather than after.
        drop(Draft::new(&files.path(settings.frames[0])).map_err(|error| error.to_string())?);
        Ok(Self {
            files,
            transparent: settings.background == Background::Transparent,
        })
    }
}

impl Sink for PngSink {
    fn put(&mut self, frame: u32, picture: &Picture) -> Result<(), String> {
        let image = image::RgbaImage::from_raw(picture.width, picture.height, picture.rgba.clone())
            .ok_or("the picture has an unexpected format")?;
        let image = image::DynamicImage::ImageRgba8(image);
        let image = match self.transparent {
            true => image,
            false => image.into_rgb8().into(),
        };
        let mut bytes = Cursor::new(Vec::new());
        image
            .write_to(&mut bytes, image::ImageFormat::Png)
            .map_err(|error| error.to_string())?;
        let saved = durable::save(&self.files.path(frame), bytes.get_ref());
        saved.map(drop).map_err(|error| error.to_string())
    }

    fn finish(self: Box<Self>) -> Result<(), String> {
        Ok(())
    }
}
