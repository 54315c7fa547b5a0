//! Rendering from the window: on a thread of its own, from the scene as it was when it began, so that the
//! window stays awake and the document can be edited.

use crate::edit::render::{Eye, Files, RenderSettings};
use crate::edit::selection::Selection;
use crate::edit::session::Session;
use crate::edit::view::ViewSettings;
use crate::editor::app::wake::Waker;
use crate::editor::panels::messages::{Level, Messages};
use crate::editor::panels::status::counted;
use crate::editor::picture::Picture;
use crate::editor::render::{Done, Job, Progress, RenderError, ffmpeg_is_there, render};
use crate::editor::state::{Panels, Redraw};
use crate::editor::threads;
use crate::math::camera::ViewCamera;
use bevy::prelude::*;
use bevy_egui::egui::{Color32, ColorImage};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, TryRecvError, channel};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;

/// The render under way.
#[derive(Resource, Default)]
pub struct Rendering(Option<Worker>);

struct Worker {
    shared: Arc<Shared>,
    result: Mutex<Receiver<Result<Done, RenderError>>>,
    thread: Option<JoinHandle<()>>,
}

/// What the thread and the window tell each other.
#[derive(Default)]
struct Shared {
    stopped: AtomicBool,
    told: Mutex<Option<(usize, Option<ColorImage>)>>,
}

/// Longer side of the picture that shows how far it has gone.
const SMALL: usize = 400;

impl Worker {
    fn start(job: Job, waker: Waker) -> Self {
        let (sender, result) = channel();
        let shared = Arc::new(Shared::default());
        let ours = shared.clone();
        let refused = sender.clone();
        let thread = threads::spawn(move || {
            let done = render(&job, false, &mut |progress| {
                ours.tell(&progress);
                waker.now();
                !ours.stopped.load(Ordering::Relaxed)
            });
            // Nobody may want it any more.
            let _ = sender.send(done);
            waker.now();
        });
        if thread.is_err() {
            let _ = refused.send(Err(RenderError::Failed(threads::NONE.into())));
        }
        Self {
            shared,
            result: Mutex::new(result),
            thread: thread.ok(),
        }
    }

    fn result(&self) -> Option<Result<Done, RenderError>> {
        match self.result.lock().map(|result| result.try_recv()) {
            Ok(Ok(done)) => Some(done),
            Ok(Err(TryRecvError::Empty)) => None,
            Ok(Err(TryRecvError::Disconnected)) | Err(_) => {
                let why = "the renderer ended without an answer; what is written is whole, try again";
                Some(Err(RenderError::Failed(why.into())))
            }
        }
    }
}

impl Drop for Worker {
    /// Nothing half-written is left when the program ends.
    fn drop(&mut self) {
        self.shared.stopped.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            // It panicked if this fails, and that was said.
            let _ = thread.join();
        }
    }
}

impl Shared {
    fn tell(&self, progress: &Progress) {
        if let Ok(mut told) = self.told.lock() {
            *told = Some((progress.done, progress.picture.map(small)));
        }
    }
}

/// Every so many pixels.
fn small(picture: &Picture) -> ColorImage {
    let [width, height] = [picture.width as usize, picture.height as usize];
    let step = width.max(height).div_ceil(SMALL).max(1);
    let [small_width, small_height] = [width / step, height / step];
    let pixel = |i: usize| {
        let at = ((i / small_width) * step * width + (i % small_width) * step) * 4;
        let [r, g, b, a] = [0, 1, 2, 3].map(|k| picture.rgba[at + k]);
        Color32::from_rgba_unmultiplied(r, g, b, a)
    };
    let pixels = (0..small_width * small_height).map(pixel).collect();
    ColorImage::new([small_width, small_height], pixels)
}

impl Rendering {
    /// Renders on a thread of its own.
    pub fn begin(&mut self, job: Job, waker: Waker) {
        self.0 = Some(Worker::start(job, waker));
    }

    /// Ends after the frame that is drawn.
    pub fn stop(&mut self) {
        if let Some(worker) = &self.0 {
            worker.shared.stopped.store(true, Ordering::Relaxed);
        }
    }

    /// Before the program ends: waits until the thread has cleaned up.
    pub fn end(&mut self) {
        self.0 = None;
    }
}

/// What is to be rendered: the scene as it is now.
pub fn job(mut settings: RenderSettings, session: &Session, view: &ViewSettings, camera: ViewCamera) -> Job {
    if settings.eye == Eye::Viewport {
        settings.eye = Eye::At(camera);
    }
    let scene = session.scene().clone();
    let mesh = scene.skinned_meshes.keys().next();
    let selection = match (session.selection().mesh.is_some(), mesh) {
        (false, Some(mesh)) => Selection::of_mesh(&scene, mesh),
        _ => session.selection().clone(),
    };
    Job {
        scene,
        path: session.path().map(Into::into),
        settings,
        selection,
        ik: view.solve_ik.then_some(view.ik_step),
        xray: view.xray,
    }
}

fn notify_rendered(result: Result<Done, RenderError>, messages: &mut Messages) {
    match result {
        Ok(done) => {
            let frames = counted(done.frames, "frame", "frames");
            let path = match &done.files {
                Files::One(path) => path.clone(),
                Files::Numbered(_) => done.files.folder().to_owned(),
            };
            let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy();
            let text = match name.is_empty() {
                true => format!("Rendered {frames}"),
                false => format!("Rendered {frames} to {name}"),
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

/// Shows the progress, and says what came of it.
pub fn poll(mut rendering: ResMut<Rendering>, mut panels: ResMut<Panels>, mut redraw: ResMut<Redraw>) {
    let state = &mut panels.render;
    if state.open && state.ffmpeg.is_none() {
        state.ffmpeg = Some(ffmpeg_is_there());
    }
    let Some(worker) = &rendering.0 else {
        return;
    };
    let told = worker.shared.told.lock().ok().and_then(|mut told| told.take());
    let result = worker.result();
    if let (Some((done, picture)), Some(progress)) = (told, &mut state.progress) {
        progress.done = done;
        if let Some(picture) = picture {
            progress.show(picture);
        }
        redraw.soon();
    }
    if let Some(result) = result {
        state.progress = None;
        rendering.0 = None;
        notify_rendered(result, &mut panels.messages);
        redraw.soon();
    }
}
