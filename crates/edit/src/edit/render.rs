//! Settings for rendering, shared by the dialog and the command. This module neither draws nor writes
//! anything.

use crate::io::kind::{self, FileKind};
use crate::io::numbered_path::NumberedPath;
use crate::math::camera::{AxisView, ViewCamera};
use crate::scene::Scene;
use std::path::{Path, PathBuf};

/// The output format.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Format {
    /// A file for each frame.
    #[default]
    Png,
    Gif,
    /// Encoded by the program ffmpeg.
    Mp4,
}

impl From<Format> for &'static FileKind {
    fn from(format: Format) -> Self {
        match format {
            Format::Png => &kind::PNG,
            Format::Gif => &kind::GIF,
            Format::Mp4 => &kind::MP4,
        }
    }
}

impl Format {
    pub const ALL: [Format; 3] = [Format::Png, Format::Gif, Format::Mp4];

    pub fn extension(self) -> &'static str {
        match self {
            Format::Png => "png",
            Format::Gif => "gif",
            Format::Mp4 => "mp4",
        }
    }

    /// Returns the format of a file name, according to its extension.
    pub fn from_path(path: &Path) -> Option<Format> {
        let extension = path.extension()?.to_str()?.to_ascii_lowercase();
        Format::ALL.into_iter().find(|format| format.extension() == extension)
    }
}

/// The camera to render with.
#[derive(Clone, Debug, PartialEq)]
pub enum Viewpoint {
    /// The initial view of the viewport.
    Viewport,
    /// A view in which the whole animation fits; from a side, or else at an angle.
    Framed(Option<AxisView>),
    /// A given view. Its height applies; the width follows from the picture.
    At(ViewCamera),
    /// An instance of a camera, by name, at its position in each frame.
    Camera(String),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Background {
    /// sRGB.
    Color([u8; 3]),
    /// Only for PNG.
    Transparent,
}

impl Background {
    /// The background colour of the window.
    pub const WINDOW: [u8; 3] = [0x2b, 0x2d, 0x31];
}

impl Default for Background {
    fn default() -> Self {
        Background::Color(Self::WINDOW)
    }
}

/// The overlays to draw besides the surfaces of the scene.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Overlays {
    /// The grid on the ground.
    pub grid: bool,
    /// The floor, with contact shadows.
    pub floor: bool,
    /// The bones of the selected character.
    pub bones: bool,
    pub handles: bool,
    /// The icons of cameras, lights and emitters.
    pub objects: bool,
}

impl Overlays {
    pub const ALL: Self = Self { grid: true, floor: true, bones: true, handles: true, objects: true };
}

/// The settings for rendering.
#[derive(Clone, Debug, PartialEq)]
pub struct RenderSettings {
    /// The first and last frame, both rendered.
    pub frames: [u32; 2],
    /// The frame step, counted from the first frame.
    pub step: u32,
    /// Width and height in pixels.
    pub size: [u32; 2],
    pub eye: Viewpoint,
    pub background: Background,
    pub overlays: Overlays,
    pub format: Format,
    /// A file, a name with a placeholder for the frame number, or for PNG a folder.
    pub output: PathBuf,
}

/// The files to write.
#[derive(Clone, Debug, PartialEq)]
pub enum Files {
    Numbered(NumberedPath),
    One(PathBuf),
}

impl RenderSettings {
    /// The shortest and the longest side of a picture.
    pub const SIDES: [u32; 2] = [16, 8192];
    /// The highest frame rate of GIFs, which count in hundredths of a second and are not shown faster than
    /// two per frame.
    pub const GIF_RATE: f32 = 50.0;

    /// Returns the frames, in order.
    pub fn all_frames(&self) -> impl Iterator<Item = u32> + use<> {
        let [first, last] = self.frames;
        (first..=last).step_by(self.step.max(1) as usize)
    }

    pub fn frame_count(&self) -> usize {
        let [first, last] = self.frames;
        last.checked_sub(first).map_or(0, |count| count / self.step.max(1) + 1) as usize
    }

    /// Returns a size with a height of 720 pixels and an even width that matches the camera's aspect ratio.
    pub fn size_for_camera(scene: &Scene, instance: &str) -> [u32; 2] {
        let instance = scene.instances.cameras.get(instance);
        let camera = instance.and_then(|instance| scene.cameras.get(instance.camera.as_deref()?));
        let aspect = camera.map_or(16.0 / 9.0, |camera| camera.aspect_ratio);
        let width = 2 * (360.0 * aspect).round() as u32;
        [width.clamp(Self::SIDES[0], Self::SIDES[1]), 720]
    }

    /// Returns the files that rendering will write.
    ///
    /// # Errors
    /// The reason why this cannot be rendered: a sentence without a full stop.
    pub fn files(&self) -> Result<Files, String> {
        if self.frame_count() == 0 {
            return Err("the first frame must not come after the last".into());
        }
        let [shortest, longest] = Self::SIDES;
        if !self.size.iter().all(|side| (shortest..=longest).contains(side)) {
            return Err(format!("a side must be {shortest} to {longest} pixels long"));
        }
        if self.output.as_os_str().is_empty() {
            return Err("there is no name for the output".into());
        }
        if self.format != Format::Png && self.background == Background::Transparent {
            return Err("only PNG can have a transparent background".into());
        }
        if self.format == Format::Mp4 && self.size.iter().any(|side| side % 2 == 1) {
            return Err("the sides of an MP4 must be even".into());
        }
        match self.format {
            Format::Png => self.pictures(),
            format => match self.output.extension() {
                None => Ok(Files::One(self.output.with_extension(format.extension()))),
                Some(_) if Format::from_path(&self.output) == Some(format) => {
                    Ok(Files::One(self.output.clone()))
                }
                Some(_) => Err(format!(
                    "cannot write {}: the name must end in .{}",
                    self.output.display(),
                    format.extension()
                )),
            },
        }
    }

    fn pictures(&self) -> Result<Files, String> {
        let name = self.output.file_name().unwrap_or_default().to_string_lossy();
        if Format::from_path(&self.output) == Some(Format::Png) {
            return match name.contains('%') {
                true => NumberedPath::from_path(&self.output).map(Files::Numbered),
                false if self.frame_count() == 1 => Ok(Files::One(self.output.clone())),
                false => Err(format!(
                    "cannot write {} frames to {}: name a folder, or put %04d in the name",
                    self.frame_count(),
                    self.output.display()
                )),
            };
        }
        let extension = self.output.extension().unwrap_or_default().to_ascii_lowercase();
        let picture = UNSUPPORTED_EXTENSIONS.iter().any(|other| extension == *other);
        if name.contains('%') || Format::from_path(&self.output).is_some() || picture {
            let path = self.output.display();
            return Err(format!("cannot write {path}: the name must end in .png"));
        }
        Ok(Files::Numbered(NumberedPath::in_folder(&self.output, "png")))
    }
}

/// Extensions of unsupported image and video formats; they are unlikely to be meant as folders.
const UNSUPPORTED_EXTENSIONS: [&str; 12] =
    ["jpg", "jpeg", "bmp", "tga", "tif", "tiff", "webp", "exr", "avi", "mov", "mkv", "webm"];

impl Files {
    /// Returns the file of a frame.
    pub fn path(&self, frame: u32) -> PathBuf {
        match self {
            Files::Numbered(numbered) => numbered.path(frame),
            Files::One(path) => path.clone(),
        }
    }

    pub fn folder(&self) -> &Path {
        match self {
            Files::Numbered(numbered) => numbered.folder(),
            Files::One(path) => path.parent().unwrap_or(Path::new("")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(format: Format, output: &str) -> RenderSettings {
        RenderSettings {
            frames: [3, 12],
            step: 4,
            size: [64, 48],
            eye: Viewpoint::Framed(None),
            background: Background::default(),
            overlays: Overlays::default(),
            format,
            output: output.into(),
        }
    }

    #[test]
    fn every_so_many_frames() {
        let all = settings(Format::Png, "a");
        assert_eq!(all.all_frames().collect::<Vec<_>>(), [3, 7, 11]);
        assert_eq!(all.frame_count(), 3);
        let last = RenderSettings { step: 3, ..all.clone() };
        assert_eq!(last.all_frames().collect::<Vec<_>>(), [3, 6, 9, 12]);
        assert_eq!(last.frame_count(), 4);
        let none = RenderSettings { frames: [4, 3], ..all };
        assert_eq!((none.all_frames().count(), none.frame_count()), (0, 0));
        assert!(none.files().is_err());
    }

    #[test]
    fn names_of_files() {
        let path = |format, output: &str| settings(format, output).files().map(|files| files.path(7));
        assert_eq!(path(Format::Png, "walk"), Ok("walk/0007.png".into()));
        assert_eq!(path(Format::Png, "."), Ok("./0007.png".into()));
        assert_eq!(path(Format::Png, "v1.2"), Ok("v1.2/0007.png".into()));
        assert_eq!(path(Format::Png, "a/walk-%03d.png"), Ok("a/walk-007.png".into()));
        assert_eq!(path(Format::Gif, "a/walk"), Ok("a/walk.gif".into()));
        assert_eq!(path(Format::Mp4, "walk.MP4"), Ok("walk.MP4".into()));
        for (format, bad) in [
            (Format::Png, "walk.png"),
            (Format::Png, "walk.gif"),
            (Format::Png, "walk-%04d"),
            (Format::Png, "%d%d.png"),
            (Format::Png, ""),
            (Format::Gif, "walk.png"),
            (Format::Mp4, "walk.avi"),
        ] {
            assert!(path(format, bad).is_err(), "{bad}");
        }
        let one = RenderSettings { frames: [5, 5], ..settings(Format::Png, "five.png") };
        assert_eq!(one.files(), Ok(Files::One("five.png".into())));
    }

    #[test]
    fn limitations_of_formats_are_errors() {
        for format in Format::ALL {
            let clear = RenderSettings { background: Background::Transparent, ..settings(format, "walk") };
            assert_eq!(clear.files().is_ok(), format == Format::Png);
            let odd = RenderSettings { size: [65, 48], ..settings(format, "walk") };
            assert_eq!(odd.files().is_ok(), format != Format::Mp4);
            let large = RenderSettings { size: [64, 9000], ..settings(format, "walk") };
            assert!(large.files().is_err());
        }
    }
}
