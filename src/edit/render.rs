//! What to render and where to: plain choices, shared by the dialog and the command. Draws and writes nothing.

use crate::io::kind::{self, FileKind};
use crate::io::numbered::Numbered;
use crate::math::camera::{AxisView, ViewCamera};
use crate::scene::Scene;
use std::path::{Path, PathBuf};

/// What the pictures become.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Format {
    /// A file for each frame.
    #[default]
    Png,
    Gif,
    /// Made by the program ffmpeg.
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

    /// The format that a file name asks for by its ending.
    pub fn from_path(path: &Path) -> Option<Format> {
        let ending = path.extension()?.to_str()?.to_ascii_lowercase();
        Format::ALL
            .into_iter()
            .find(|format| format.extension() == ending)
    }
}

/// Where one looks from.
#[derive(Clone, Debug, PartialEq)]
pub enum Eye {
    /// As the viewport does when it begins.
    Viewport,
    /// All that the animation shows fits; from a side, else at an angle.
    Framed(Option<AxisView>),
    /// As it is given. Its height counts, its width follows from the picture.
    At(ViewCamera),
    /// An instance of a camera, by name, at each frame where it is then.
    Camera(String),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Background {
    /// sRGB.
    Color([u8; 3]),
    /// For PNG alone.
    Transparent,
}

impl Background {
    /// As in the window.
    pub const WINDOW: [u8; 3] = [0x30, 0x32, 0x36];
}

impl Default for Background {
    fn default() -> Self {
        Background::Color(Self::WINDOW)
    }
}

/// What is drawn that is no surface of the scene.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Overlays {
    /// On the ground.
    pub grid: bool,
    /// The bones of the selected character.
    pub bones: bool,
    pub handles: bool,
    /// Cameras, lights and emitters.
    pub things: bool,
}

impl Overlays {
    pub const ALL: Self = Self {
        grid: true,
        bones: true,
        handles: true,
        things: true,
    };
}

#[derive(Clone, Debug, PartialEq)]
pub struct RenderSettings {
    /// First and last, both rendered.
    pub frames: [u32; 2],
    /// Every so many frames, from the first.
    pub step: u32,
    /// Width and height in pixels.
    pub size: [u32; 2],
    pub eye: Eye,
    pub background: Background,
    pub overlays: Overlays,
    pub format: Format,
    /// A file, a name with a place for the number of the frame, or for PNG a folder.
    pub output: PathBuf,
}

/// Files to write.
#[derive(Clone, Debug, PartialEq)]
pub enum Files {
    Numbered(Numbered),
    One(PathBuf),
}

impl RenderSettings {
    /// Shortest and longest side of a picture.
    pub const SIDES: [u32; 2] = [16, 8192];
    /// GIFs count in hundredths of a second, and nothing shows their frames for less than two.
    pub const GIF_RATE: f32 = 50.0;

    /// The frames, in order.
    pub fn all_frames(&self) -> impl Iterator<Item = u32> + use<> {
        let [first, last] = self.frames;
        (first..=last).step_by(self.step.max(1) as usize)
    }

    pub fn frame_count(&self) -> usize {
        let [first, last] = self.frames;
        last.checked_sub(first)
            .map_or(0, |more| more / self.step.max(1) + 1) as usize
    }

    /// 720 pixels high, and as wide as the camera asks for, even.
    pub fn size_of(scene: &Scene, instance: &str) -> [u32; 2] {
        let instance = scene.instances.cameras.get(instance);
        let camera = instance.and_then(|instance| scene.cameras.get(instance.camera.as_deref()?));
        let aspect = camera.map_or(16.0 / 9.0, |camera| camera.aspect_ratio);
        let width = 2 * (360.0 * aspect).round() as u32;
        [width.clamp(Self::SIDES[0], Self::SIDES[1]), 720]
    }

    /// The files that will be there.
    ///
    /// # Errors
    /// Why this cannot be rendered: a sentence without a full stop.
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
                true => Numbered::from_path(&self.output).map(Files::Numbered),
                false if self.frame_count() == 1 => Ok(Files::One(self.output.clone())),
                false => Err(format!(
                    "cannot write {} frames to {}: name a folder, or put %04d in the name",
                    self.frame_count(),
                    self.output.display()
                )),
            };
        }
        let ending = self.output.extension().unwrap_or_default().to_ascii_lowercase();
        let picture = OTHER_ENDINGS.iter().any(|other| ending == *other);
        if name.contains('%') || Format::from_path(&self.output).is_some() || picture {
            let path = self.output.display();
            return Err(format!("cannot write {path}: the name must end in .png"));
        }
        Ok(Files::Numbered(Numbered::in_folder(&self.output, "png")))
    }
}

/// Endings of pictures and films that are not written; a folder is hardly meant.
const OTHER_ENDINGS: [&str; 12] = [
    "jpg", "jpeg", "bmp", "tga", "tif", "tiff", "webp", "exr", "avi", "mov", "mkv", "webm",
];

impl Files {
    /// The file of a frame.
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
            eye: Eye::Framed(None),
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
        let last = RenderSettings {
            step: 3,
            ..all.clone()
        };
        assert_eq!(last.all_frames().collect::<Vec<_>>(), [3, 6, 9, 12]);
        assert_eq!(last.frame_count(), 4);
        let none = RenderSettings {
            frames: [4, 3],
            ..all
        };
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
        let one = RenderSettings {
            frames: [5, 5],
            ..settings(Format::Png, "five.png")
        };
        assert_eq!(one.files(), Ok(Files::One("five.png".into())));
    }

    #[test]
    fn what_a_format_cannot_do_is_said() {
        for format in Format::ALL {
            let clear = RenderSettings {
                background: Background::Transparent,
                ..settings(format, "walk")
            };
            assert_eq!(clear.files().is_ok(), format == Format::Png);
            let odd = RenderSettings {
                size: [65, 48],
                ..settings(format, "walk")
            };
            assert_eq!(odd.files().is_ok(), format != Format::Mp4);
            let large = RenderSettings {
                size: [64, 9000],
                ..settings(format, "walk")
            };
            assert!(large.files().is_err());
        }
    }
}
