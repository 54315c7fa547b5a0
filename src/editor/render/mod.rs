//! Rendering the animation: frames of a scene drawn without panels and written as pictures, a GIF or an
//! MP4. The window and `ossature render` share this: a job is a value that knows nothing of the open
//! document, so that it can be edited meanwhile.
//!
//! A picture is a function of job and frame: not of the frames before it.

mod gif;
mod headless;
mod mp4;
mod palette;
mod renderer;
mod sink;
mod view_source;

pub use headless::headless;
pub use mp4::ffmpeg_is_there;
pub use renderer::Renderer;

use crate::edit::render::{Files, Format, RenderSettings};
use crate::edit::selection::Selection;
use crate::editor::picture::Picture;
use crate::rig::ik;
use crate::scene::Scene;
use std::path::PathBuf;

/// All that pictures depend on.
#[derive(Clone, Debug)]
pub struct Job {
    pub scene: Scene,
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
    #[error("stopped after {0} frames")]
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

/// Frames that colours of a GIF are chosen by.
const SAMPLES: usize = 6;

/// Renders a job. `alone`: nothing else of Bevy runs in this process; Ctrl+C then ends it as `tell` does
/// when it returns false.
pub fn render(job: &Job, alone: bool, tell: &mut dyn FnMut(Progress) -> bool) -> Result<Done, RenderError> {
    let settings = &job.settings;
    let files = settings.files()?;
    view_source::check(&job.scene, &settings.eye)?;
    let replaced = existing(settings).len();
    let mut out = sink::begin(&files, settings, &job.scene.animation.clip)?;
    let mut renderer = Renderer::new(job, alone);
    let of = settings.frame_count();
    if settings.format == Format::Gif {
        let frames: Vec<u32> = settings.all_frames().collect();
        let mut samples = palette::Samples::default();
        for i in 0..SAMPLES.min(of) {
            samples.add(&renderer.frame(frames[i * of / SAMPLES.min(of)])?);
            let picture = None;
            if !tell(Progress { done: 0, of, picture }) || renderer.interrupted() {
                return Err(RenderError::Stopped(0));
            }
        }
        out.colors(samples.palette(settings.background));
    }
    for (i, frame) in settings.all_frames().enumerate() {
        let picture = renderer.frame(frame)?;
        if renderer.interrupted() {
            return Err(RenderError::Stopped(i));
        }
        out.put(frame, &picture)?;
        let progress = Progress {
            done: i + 1,
            of,
            picture: Some(&picture),
        };
        if !tell(progress) {
            return Err(RenderError::Stopped(i + 1));
        }
    }
    out.finish()?;
    Ok(Done {
        files,
        frames: of,
        replaced,
    })
}
