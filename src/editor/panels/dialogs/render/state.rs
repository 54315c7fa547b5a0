//! The state of the render dialog, and the values that it proposes.

use super::progress::RenderProgress;
use crate::anim::clip::Clip;
use crate::edit::render::{Background, Format, Overlays, RenderSettings, Viewpoint};
use crate::edit::settings::view::View;
use std::path::{Path, PathBuf};

/// The choices of the render dialog, and the progress of the current render.
pub struct RenderState {
    /// Whether the dialog is open.
    pub open: bool,
    pub(super) frames: [u32; 2],
    pub(super) step: u32,
    pub(super) size: [u32; 2],
    pub(super) eye: Viewpoint,
    pub(super) color: [u8; 3],
    pub(super) transparent: bool,
    pub(super) overlays: Overlays,
    pub(super) format: Format,
    /// The typed output path, relative to the folder of the document.
    pub output: String,
    /// The document for which these values were chosen.
    path: Option<PathBuf>,
    clip: Option<Clip>,
    /// The number of existing files that "Replace?" asks about.
    pub replace: Option<usize>,
    /// The progress of the current render.
    pub progress: Option<RenderProgress>,
    /// Whether the program ffmpeg is installed; checked once the dialog is open.
    pub ffmpeg: Option<bool>,
    /// Set while opening, with whether it is for a single picture; `None` once the dialog is shown.
    pub(super) opening: Option<bool>,
}

impl Default for RenderState {
    fn default() -> Self {
        Self {
            open: false,
            frames: [0, 0],
            step: 1,
            size: [1280, 720],
            eye: Viewpoint::Viewport,
            color: Background::WINDOW,
            transparent: false,
            overlays: Overlays { grid: true, floor: true, ..Overlays::default() },
            format: Format::Png,
            output: String::new(),
            path: None,
            clip: None,
            replace: None,
            progress: None,
            ffmpeg: None,
            opening: None,
        }
    }
}

impl RenderState {
    /// Opens the dialog; `picture` is set to render only the current frame.
    pub fn open(&mut self, picture: bool) {
        (self.open, self.opening) = (true, Some(picture));
    }

    /// Returns the chosen settings.
    pub(super) fn settings(&self, view: &View) -> RenderSettings {
        let typed = Path::new(self.output.trim());
        let output = if typed.as_os_str().is_empty() { PathBuf::new() } else { folder(view).join(typed) };
        RenderSettings {
            frames: self.frames,
            step: self.step,
            size: self.size,
            eye: self.eye.clone(),
            background: if self.transparent && self.format == Format::Png {
                Background::Transparent
            } else {
                Background::Color(self.color)
            },
            overlays: self.overlays,
            format: self.format,
            output,
        }
    }

    /// Sets the initial values when the dialog opens: those of last time, as far as they fit the document.
    pub(super) fn begin(&mut self, view: &View, single: bool) {
        let clip = view.session.scene().animation.clip;
        let path = view.session.path().map(Path::to_owned);
        let is_other_document = self.output.is_empty() || self.path != path;
        if single || is_other_document || self.clip != Some(clip) || self.is_single() {
            let current = view.session.frame().round() as u32;
            self.frames = if single { [current, current] } else { clip.play_range() };
        }
        (self.path, self.clip) = (path, Some(clip));
        if let Viewpoint::Camera(name) = &self.eye
            && !view.session.scene().instances.cameras.contains_key(name)
        {
            self.eye = Viewpoint::Viewport;
        }
        if single {
            self.format = Format::Png;
            self.output = format!("{}-{:04}.png", stem(view), self.frames[0]);
        } else if is_other_document || !self.output.contains('%') && self.is_picture() {
            self.output = default_output(&stem(view), self.format);
        }
        self.replace = None;
    }

    pub(super) fn is_single(&self) -> bool {
        self.frames[0] == self.frames[1]
    }

    fn is_picture(&self) -> bool {
        Format::from_path(Path::new(&self.output)) == Some(Format::Png)
    }

    /// Adapts the output name to the chosen format.
    pub(super) fn rename(&mut self, view: &View) {
        let path = Path::new(&self.output);
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        let name = name.trim_end_matches("%04d").trim_end_matches(['-', '_', '.']);
        let name = if name.is_empty() { stem(view) } else { name.to_owned() };
        self.output = path.with_file_name(default_output(&name, self.format)).display().to_string();
    }
}

/// The folder to which output names are relative.
pub(super) fn folder(view: &View) -> PathBuf {
    let path = view.session.path().and_then(Path::parent);
    path.map(Path::to_owned).unwrap_or_default()
}

/// The name of the document without extension.
fn stem(view: &View) -> String {
    let stem = view.session.path().and_then(Path::file_stem);
    stem.map_or("untitled".into(), |stem| stem.to_string_lossy().replace('%', "_"))
}

/// The default output name for a format.
fn default_output(name: &str, format: Format) -> String {
    match format {
        Format::Png => format!("{name}-%04d.png"),
        format => format!("{name}.{}", format.extension()),
    }
}
