//! Rendering from the command line: runs the job, shows its progress, and returns a summary.

use super::job::{Job, Progress, RenderError, Rendered, existing};
use super::render_files::render;
use super::view_source;
use crate::edit::render::{Files, Format, RenderSettings};
use crate::edit::select::selection::Selection;
use crate::edit::settings::view::BoneLook;
use crate::editor::headless::NO_ADAPTER;
use crate::editor::headless::adapter_available;
use crate::io::kind::FileKind;
use crate::scene::Scene;
use std::io::{IsTerminal, Write};
use std::path::Path;

/// Renders a scene from its file, without a window, and returns a summary. `force`: replaces existing files.
pub fn headless(
    (scene, path): (Scene, &Path),
    settings: RenderSettings,
    (solve_ik, bone_look): (bool, BoneLook),
    force: bool,
) -> Result<String, String> {
    view_source::check(&scene, &settings.eye)?;
    settings.files()?;
    let objections = existing(&settings).into_iter();
    let mut objections =
        objections.filter_map(|path| <&FileKind>::from(settings.format).overwrite_conflict(&path));
    if let Some(objection) = objections.next().filter(|_| !force) {
        return Err(format!("cannot write there: {objection}. Give another name, or --force to replace it"));
    }
    if settings.format == Format::Gif {
        warn_of_rate(scene.animation.clip.rate / settings.step as f32);
    }
    if !adapter_available() {
        return Err(NO_ADAPTER.into());
    }
    let mesh = scene.skinned_meshes.keys().next();
    let selection = mesh.map_or_else(Selection::default, |mesh| Selection::from_mesh(&scene, mesh));
    let job = Job {
        scene,
        path: Some(path.to_owned()),
        settings,
        selection,
        ik: solve_ik.then(Default::default),
        xray: true,
        bone_look,
    };
    let shows_progress = std::io::stderr().is_terminal();
    let result = render(&job, true, &mut |progress| {
        if shows_progress {
            show(&progress);
        }
        true
    });
    if shows_progress {
        let _ = write!(std::io::stderr(), "\r\x1b[K");
    }
    match result {
        Ok(rendered) => Ok(summary(&rendered, &job.settings)),
        Err(RenderError::Stopped(frames)) if job.settings.format == Format::Png => {
            Err(format!("stopped; {frames} of {} frames are written", job.settings.frame_count()))
        }
        Err(RenderError::Stopped(_)) => Err("stopped; no file was written".into()),
        Err(error) => Err(error.to_string()),
    }
}

fn warn_of_rate(rate: f32) {
    if rate > RenderSettings::GIF_RATE {
        let _ = writeln!(
            std::io::stderr(),
            "note: most programs show no GIF faster than {} frames a second, and this one has {rate}; \
             --step 2 renders every other frame",
            RenderSettings::GIF_RATE
        );
    }
}

fn show(progress: &Progress) {
    let Progress { done, total, .. } = progress;
    let _ = write!(std::io::stderr(), "\r\x1b[K{done} of {total} frames");
    let _ = std::io::stderr().flush();
}

/// Returns a summary such as `frames/0000.png to frames/0095.png: 96 frames`.
fn summary(rendered: &Rendered, settings: &RenderSettings) -> String {
    let name = |path: &Path| path.display().to_string();
    let (first, last) = (settings.all_frames().next(), settings.all_frames().last());
    let files = match (&rendered.files, first, last) {
        (Files::Numbered(_), Some(first), Some(last)) if first < last => {
            let [first, last] = [first, last].map(|frame| name(&rendered.files.path(frame)));
            format!("{first} to {last}")
        }
        (files, ..) => name(&files.path(settings.frames[0])),
    };
    let frames = match rendered.frames {
        1 => "1 frame".to_owned(),
        frames => format!("{frames} frames"),
    };
    let replaced = match (rendered.replaced, &rendered.files) {
        (0, _) => String::new(),
        (_, Files::One(_)) => "; replaces an existing file".to_owned(),
        (1, _) => "; replaces 1 existing file".to_owned(),
        (files, _) => format!("; replaces {files} existing files"),
    };
    format!("{files}: {frames}{replaced}")
}
