//! What the dialog that renders asks for, and what it proposes.

use super::progress::RenderProgress;
use crate::anim::clip::Clip;
use crate::edit::render::{Background, Eye, Format, Overlays, RenderSettings};
use crate::edit::view::View;
use std::path::{Path, PathBuf};

/// What is to be rendered, as it was chosen last, and what is under way.
pub struct RenderState {
    /// The dialog.
    pub open: bool,
    pub(super) frames: [u32; 2],
    pub(super) step: u32,
    pub(super) size: [u32; 2],
    pub(super) eye: Eye,
    pub(super) color: [u8; 3],
    pub(super) transparent: bool,
    pub(super) overlays: Overlays,
    pub(super) format: Format,
    /// As typed; from the folder of the document.
    pub output: String,
    /// The document that these were chosen for.
    path: Option<PathBuf>,
    clip: Option<Clip>,
    /// Files that are there and wait for "Replace?".
    pub replace: Option<usize>,
    /// How far the render under way is.
    pub progress: Option<RenderProgress>,
    /// Whether the program ffmpeg is there; looked up once the dialog is open.
    pub ffmpeg: Option<bool>,
    /// Whether it is asked for a picture; `None` once it is shown.
    pub(super) asked: Option<bool>,
}

impl Default for RenderState {
    fn default() -> Self {
        Self {
            open: false,
            frames: [0, 0],
            step: 1,
            size: [1280, 720],
            eye: Eye::Viewport,
            color: Background::WINDOW,
            transparent: false,
            overlays: Overlays {
                grid: true,
                ..Overlays::default()
            },
            format: Format::Png,
            output: String::new(),
            path: None,
            clip: None,
            replace: None,
            progress: None,
            ffmpeg: None,
            asked: None,
        }
    }
}

impl RenderState {
    /// Opens the dialog, `picture`: for the frame that is shown alone.
    pub fn open(&mut self, picture: bool) {
        (self.open, self.asked) = (true, Some(picture));
    }

    /// What was chosen.
    pub(super) fn settings(&self, view: &View) -> RenderSettings {
        let typed = Path::new(self.output.trim());
        let output = match typed.as_os_str().is_empty() {
            true => PathBuf::new(),
            false => folder(view).join(typed),
        };
        RenderSettings {
            frames: self.frames,
            step: self.step,
            size: self.size,
            eye: self.eye.clone(),
            background: match self.transparent && self.format == Format::Png {
                true => Background::Transparent,
                false => Background::Color(self.color),
            },
            overlays: self.overlays,
            format: self.format,
            output,
        }
    }

    /// What is chosen when the dialog opens: as last time, as far as it fits the document.
    pub(super) fn begin(&mut self, view: &View, single: bool) {
        let clip = view.session.scene().animation.clip;
        let path = view.session.path().map(Path::to_owned);
        let other = self.output.is_empty() || self.path != path;
        if single || other || self.clip != Some(clip) || self.is_single() {
            let now = view.session.frame().round() as u32;
            self.frames = if single { [now, now] } else { clip.played() };
        }
        (self.path, self.clip) = (path, Some(clip));
        if let Eye::Camera(name) = &self.eye
            && !view.session.scene().instances.cameras.contains_key(name)
        {
            self.eye = Eye::Viewport;
        }
        if single {
            self.format = Format::Png;
            self.output = format!("{}-{:04}.png", stem(view), self.frames[0]);
        } else if other || !self.output.contains('%') && self.is_picture() {
            self.output = proposed(&stem(view), self.format);
        }
        self.replace = None;
    }

    pub(super) fn is_single(&self) -> bool {
        self.frames[0] == self.frames[1]
    }

    fn is_picture(&self) -> bool {
        Format::from_path(Path::new(&self.output)) == Some(Format::Png)
    }

    /// The same name, for the format that was chosen.
    pub(super) fn rename(&mut self, view: &View) {
        let path = Path::new(&self.output);
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        let name = name.trim_end_matches("%04d").trim_end_matches(['-', '_', '.']);
        let name = if name.is_empty() {
            stem(view)
        } else {
            name.to_owned()
        };
        self.output = path
            .with_file_name(proposed(&name, self.format))
            .display()
            .to_string();
    }
}

/// Where names begin.
pub(super) fn folder(view: &View) -> PathBuf {
    let path = view.session.path().and_then(Path::parent);
    path.map(Path::to_owned).unwrap_or_default()
}

/// The name of the document.
fn stem(view: &View) -> String {
    let stem = view.session.path().and_then(Path::file_stem);
    stem.map_or("untitled".into(), |stem| stem.to_string_lossy().replace('%', "_"))
}

fn proposed(name: &str, format: Format) -> String {
    match format {
        Format::Png => format!("{name}-%04d.png"),
        format => format!("{name}.{}", format.extension()),
    }
}
