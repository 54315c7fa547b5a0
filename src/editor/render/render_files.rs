//! Renders the frames of a job into its files.

use super::gif::GifSink;
use super::job::{Job, Progress, RenderError, Rendered, existing};
use super::mp4::{Mp4Sink, SoundTrack};
use super::renderer::Renderer;
use super::sink::{PngSink, Sink};
use super::{palette, view_source};
use crate::edit::render::{Files, Format};
use crate::io::picture_files::find;
use std::path::Path;

/// The number of frames from which the colours of a GIF are chosen.
const SAMPLES: usize = 6;

/// Renders a job. `alone`: nothing else of Bevy runs in this process; Ctrl+C then stops the job, as
/// `on_progress` does by returning false.
pub fn render(
    job: &Job,
    alone: bool,
    on_progress: &mut dyn FnMut(Progress) -> bool,
) -> Result<Rendered, RenderError> {
    let settings = &job.settings;
    let files = settings.files()?;
    view_source::check(&job.scene, &settings.eye)?;
    let replaced = existing(settings).len();
    let mut out = begin(&files, job)?;
    let mut renderer = Renderer::new(job, alone);
    let total = settings.frame_count();
    if settings.format == Format::Gif {
        let frames: Vec<u32> = settings.all_frames().collect();
        let mut samples = palette::Samples::default();
        for i in 0..SAMPLES.min(total) {
            samples.add(&renderer.frame(frames[i * total / SAMPLES.min(total)])?);
            let progress = Progress { done: 0, total, picture: None };
            if !on_progress(progress) || renderer.interrupted() {
                return Err(RenderError::Stopped(0));
            }
        }
        out.set_palette(samples.palette(settings.background));
    }
    for (i, frame) in settings.all_frames().enumerate() {
        let picture = renderer.frame(frame)?;
        if renderer.interrupted() {
            return Err(RenderError::Stopped(i));
        }
        out.put(frame, &picture)?;
        let progress = Progress { done: i + 1, total, picture: Some(&picture) };
        if !on_progress(progress) {
            return Err(RenderError::Stopped(i + 1));
        }
    }
    out.finish()?;
    Ok(Rendered { files, frames: total, replaced })
}

/// Opens the sink of a format. Creates the folder if it is missing.
fn begin(files: &Files, job: &Job) -> Result<Box<dyn Sink>, String> {
    let (settings, clip) = (&job.settings, &job.scene.animation.clip);
    let folder = files.folder();
    if !folder.as_os_str().is_empty() {
        std::fs::create_dir_all(folder)
            .map_err(|error| format!("could not make the folder {}: {error}", folder.display()))?;
    }
    let step = settings.step.max(1);
    Ok(match settings.format {
        Format::Png => Box::new(PngSink::new(files.clone(), settings)?),
        Format::Gif => Box::new(GifSink::new(&files.path(0), settings.size, clip.rate, step)?),
        Format::Mp4 => {
            let sound = sound_track(job);
            Box::new(Mp4Sink::new(&files.path(0), settings.size, clip.rate, step, sound.as_ref())?)
        }
    })
}

/// Returns the part of the sound that belongs to the frames of a job; `None` if it is muted, begins later, or
/// its file is missing.
fn sound_track(job: &Job) -> Option<SoundTrack> {
    let (settings, animation) = (&job.settings, &job.scene.animation);
    let sound = animation.sound.as_ref().filter(|sound| !sound.muted && sound.volume > 0.0)?;
    let frames = settings.frame_count() as f64 * f64::from(settings.step.max(1));
    let duration = frames / f64::from(animation.clip.rate);
    let second = sound.second_at(f64::from(settings.frames[0]), &animation.clip);
    if second <= -duration {
        return None;
    }
    let path = find(&sound.path, job.path.as_deref().and_then(Path::parent))?;
    Some(SoundTrack { path, second, duration, volume: sound.volume })
}
