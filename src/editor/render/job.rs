//! What is rendered, as a value that knows nothing of the open document, and what came of it.

use crate::edit::render::{Files, RenderSettings};
use crate::edit::selection::Selection;
use crate::editor::picture::Picture;
use crate::rig::ik;
use crate::scene::Scene;
use std::path::PathBuf;

/// All that pictures depend on.
#[derive(Clone, Debug)]
pub struct Job {
    pub scene: Scene,
    /// Its file: where paths of pictures begin.
    pub path: Option<PathBuf>,
    pub settings: RenderSettings,
    /// Whose bones and handles are drawn.
    pub selection: Selection,
    /// Enabled handles pull, and how; `None`: they do nothing.
    pub ik: Option<ik::Step>,
    /// Bones show through the skin.
    pub xray: bool,
}

/// How far it has gone, after each frame.
pub struct Progress<'a> {
    pub done: usize,
    pub of: usize,
    /// The last one; `None` while colours are being chosen.
    pub picture: Option<&'a Picture>,
}

/// What was written.
#[derive(Clone, Debug, PartialEq)]
pub struct Done {
    pub files: Files,
    pub frames: usize,
    /// Files that were there before.
    pub replaced: usize,
}

/// Why it ended early. Files that are there are whole.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum RenderError {
    #[error("stopped after {0} frames; the files that are there are whole")]
    Stopped(usize),
    #[error("{0}")]
    Failed(String),
}

impl From<String> for RenderError {
    fn from(error: String) -> Self {
        Self::Failed(error)
    }
}

/// The files of a job that are there already.
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
