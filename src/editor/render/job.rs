//! A render job, as a value that is independent of the open document, and its result.

use crate::edit::render::{Files, RenderSettings};
use crate::edit::select::selection::Selection;
use crate::edit::settings::view::BoneLook;
use crate::editor::picture::Picture;
use crate::rig::ik;
use crate::scene::Scene;
use std::path::PathBuf;

/// Everything that the pictures depend on.
#[derive(Clone, Debug)]
pub struct Job {
    pub scene: Scene,
    /// The file of the scene, to which the paths of pictures are relative.
    pub path: Option<PathBuf>,
    pub settings: RenderSettings,
    /// The selected mesh, whose bones and handles are drawn.
    pub selection: Selection,
    /// The IK step of enabled handles; `None` if they do nothing.
    pub ik: Option<ik::Step>,
    /// Whether bones show through the skin.
    pub xray: bool,
    pub bone_look: BoneLook,
}

/// The progress of a job, after each frame.
pub struct Progress<'a> {
    /// The number of frames that are done.
    pub done: usize,
    pub total: usize,
    /// The last picture; `None` while colours are being chosen.
    pub picture: Option<&'a Picture>,
}

/// The result of a job.
#[derive(Clone, Debug, PartialEq)]
pub struct Rendered {
    pub files: Files,
    pub frames: usize,
    /// The number of files that were replaced.
    pub replaced: usize,
}

/// The reason why a job ended early. The files written so far are complete.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum RenderError {
    #[error("stopped after {0} frames; the files written so far are complete")]
    Stopped(usize),
    #[error("{0}")]
    Failed(String),
}

impl From<String> for RenderError {
    fn from(error: String) -> Self {
        Self::Failed(error)
    }
}

/// Returns the files of a job that exist already.
pub fn existing(settings: &RenderSettings) -> Vec<PathBuf> {
    let Ok(files) = settings.files() else {
        return Vec::new();
    };
    match &files {
        Files::One(path) => Vec::from_iter(path.exists().then(|| path.clone())),
        Files::Numbered(_) if !files.folder().is_dir() && !files.folder().as_os_str().is_empty() => {
            Vec::new()
        }
        Files::Numbered(_) => {
            let paths = settings.all_frames().map(|frame| files.path(frame));
            paths.filter(|path| path.exists()).collect()
        }
    }
}
