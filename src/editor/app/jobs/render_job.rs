//! Renders from the window: on a thread, from the scene as it was at the start, so that the window stays
//! responsive and the document can be edited.

use crate::edit::render::{Files, RenderSettings, Viewpoint};
use crate::edit::select::selection::Selection;
use crate::edit::session::Session;
use crate::edit::settings::view::ViewSettings;
use crate::editor::app::wake::Waker;
use crate::editor::panels::messages::{Level, Messages};
use crate::editor::panels::status::counted;
use crate::editor::picture::Picture;
use crate::editor::render::{Job, Progress, RenderError, Rendered, has_ffmpeg, render};
use crate::editor::state::{Panels, Redraw};
use crate::editor::threads;
use crate::math::camera::ViewCamera;
use bevy::prelude::*;
use bevy_egui::egui::{Color32, ColorImage};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, TryRecvError, channel};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;

/// The render in progress.
#[derive(Resource, Default)]
pub struct Rendering(Option<Worker>);

struct Worker {
    shared: Arc<Shared>,
    result: Mutex<Receiver<Result<Rendered, RenderError>>>,
    thread: Option<JoinHandle<()>>,
}

/// The state shared by the thread and the window.
#[derive(Default)]
struct Shared {
    stopped: AtomicBool,
    /// The latest progress: the number of frames that are done, and a picture.
    progress: Mutex<Option<(usize, Option<ColorImage>)>>,
}

/// The longer side of the picture that shows the progress, in pixels.
const PICTURE_SIZE: usize = 400;

impl Worker {
    fn start(job: Job, waker: Waker) -> Self {
        let (sender, result) = channel();
        let shared = Arc::new(Shared::default());
        let for_thread = shared.clone();
        let refused = sender.clone();
        let thread = threads::spawn(move || {
            let done = render(&job, false, &mut |progress| {
                for_thread.report(&progress);
                waker.wake();
                !for_thread.stopped.load(Ordering::Relaxed)
            });
            // The receiver may be gone by now.
            let _ = sender.send(done);
            waker.wake();
        });
        if thread.is_err() {
            let _ = refused.send(Err(RenderError::Failed(threads::NO_THREAD.into())));
        }
        Self { shared, result: Mutex::new(result), thread: thread.ok() }
    }

    fn result(&self) -> Option<Result<Rendered, RenderError>> {
        match self.result.lock().map(|result| result.try_recv()) {
            Ok(Ok(done)) => Some(done),
            Ok(Err(TryRecvError::Empty)) => None,
            Ok(Err(TryRecvError::Disconnected)) | Err(_) => {
                let why =
                    "the renderer stopped unexpectedly; the files written so far are complete, try again";
                Some(Err(RenderError::Failed(why.into())))
            }
        }
    }
}

impl Drop for Worker {
    /// Stops and waits, so that nothing half-written is left when the program ends.
    fn drop(&mut self) {
        self.shared.stopped.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            // If this fails, the thread panicked, which has been reported.
            let _ = thread.join();
        }
    }
}

impl Shared {
    fn report(&self, progress: &Progress) {
        if let Ok(mut latest) = self.progress.lock() {
            *latest = Some((progress.done, progress.picture.map(shrink)));
        }
    }
}

/// Shrinks a picture by skipping pixels.
fn shrink(picture: &Picture) -> ColorImage {
    let [width, height] = [picture.width as usize, picture.height as usize];
    let step = width.max(height).div_ceil(PICTURE_SIZE).max(1);
    let [small_width, small_height] = [width / step, height / step];
    let pixel = |i: usize| {
        let start = ((i / small_width) * step * width + (i % small_width) * step) * 4;
        let [r, g, b, a] = [0, 1, 2, 3].map(|k| picture.rgba[start + k]);
        Color32::from_rgba_unmultiplied(r, g, b, a)
    };
    let pixels = (0..small_width * small_height).map(pixel).collect();
    ColorImage::new([small_width, small_height], pixels)
}

impl Rendering {
    /// Starts rendering on a thread.
    pub fn begin(&mut self, job: Job, waker: Waker) {
        self.0 = Some(Worker::start(job, waker));
    }

    /// Stops rendering after the current frame.
    pub fn stop(&mut self) {
        if let Some(worker) = &self.0 {
            worker.shared.stopped.store(true, Ordering::Relaxed);
        }
    }

    /// Waits until the thread has cleaned up, before the program ends.
    pub fn end(&mut self) {
        self.0 = None;
    }
}

/// Returns a job that renders the scene as it is now.
pub fn job(mut settings: RenderSettings, session: &Session, view: &ViewSettings, camera: ViewCamera) -> Job {
    if settings.eye == Viewpoint::Viewport {
        settings.eye = Viewpoint::At(camera);
    }
    let scene = session.scene().clone();
    let mesh = scene.skinned_meshes.keys().next();
    let selection = match (session.selection().mesh.is_some(), mesh) {
        (false, Some(mesh)) => Selection::from_mesh(&scene, mesh),
        _ => session.selection().clone(),
    };
    Job {
        scene,
        path: session.path().map(Into::into),
        settings,
        selection,
        ik: view.solve_ik.then_some(view.ik_step),
        xray: view.display.xray,
        bone_look: view.display.bone_look,
    }
}

fn notify_rendered(result: Result<Rendered, RenderError>, messages: &mut Messages) {
    match result {
        Ok(done) => {
            let frames = counted(done.frames, "frame", "frames");
            let path = match &done.files {
                Files::One(path) => path.clone(),
                Files::Numbered(_) => done.files.folder().to_owned(),
            };
            let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy();
            let text = if name.is_empty() {
                format!("Rendered {frames}")
            } else {
                format!("Rendered {frames} to {name}")
            };
            messages.push(Level::Info, text, path.display().to_string());
        }
        Err(RenderError::Stopped(frames)) => {
            let frames = counted(frames, "frame", "frames");
            messages.push(Level::Info, format!("Rendering stopped after {frames}"), "");
        }
        Err(RenderError::Failed(error)) => {
            messages.push(Level::Error, "The animation was not rendered", error);
        }
    }
}

/// Shows the progress and the result.
pub fn poll(mut rendering: ResMut<Rendering>, mut panels: ResMut<Panels>, mut redraw: ResMut<Redraw>) {
    let state = &mut panels.render;
    if state.open && state.ffmpeg.is_none() {
        state.ffmpeg = Some(has_ffmpeg());
    }
    let Some(worker) = &rendering.0 else {
        return;
    };
    let latest = worker.shared.progress.lock().ok();
    let latest = latest.and_then(|mut latest| latest.take());
    let result = worker.result();
    if let (Some((done, picture)), Some(progress)) = (latest, &mut state.progress) {
        progress.done = done;
        if let Some(picture) = picture {
            progress.show(picture);
        }
        redraw.request();
    }
    if let Some(result) = result {
        state.progress = None;
        rendering.0 = None;
        notify_rendered(result, &mut panels.messages);
        redraw.request();
    }
}
