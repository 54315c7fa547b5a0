//! Frame after frame into the files of a job.

use super::gif::GifSink;
use super::job::{Done, Job, Progress, RenderError, existing};
use super::mp4::Mp4Sink;
use super::renderer::Renderer;
use super::sink::{PngSink, Sink};
use super::{palette, view_source};
use crate::anim::clip::Clip;
use crate::edit::render::{Files, Format, RenderSettings};

/// Frames that colours of a GIF are chosen by.
const SAMPLES: usize = 6;

/// Renders a job. `alone`: nothing else of Bevy runs in this process; Ctrl+C then ends it as `tell` does
/// when it returns false.
pub fn render(job: &Job, alone: bool, tell: &mut dyn FnMut(Progress) -> bool) -> Result<Done, RenderError> {
    let settings = &job.settings;
    let files = settings.files()?;
    view_source::check(&job.scene, &settings.eye)?;
    let replaced = existing(settings).len();
    let mut out = begin(&files, settings, &job.scene.animation.clip)?;
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

/// The sink of a format. The folder is made where it is missing.
fn begin(files: &Files, settings: &RenderSettings, clip: &Clip) -> Result<Box<dyn Sink>, String> {
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
