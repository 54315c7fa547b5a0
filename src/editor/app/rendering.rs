//! Rendering from the window: on a thread of its own, from the scene as it was when it began, so that the
//! window stays awake and the document can be edited.

use crate::edit::render::{Eye, Files, RenderSettings};
use crate::edit::selection::Selection;
use crate::editor::app::threads;
use crate::editor::app::wake::Waker;
use crate::editor::panels::messages::Level;
use crate::editor::panels::render::RenderProgress;
use crate::editor::panels::status::counted;
use crate::editor::render::{Done, Job, Progress, RenderError, existing, ffmpeg_is_there, render};
use crate::editor::{Editor, Picture};
use bevy::prelude::*;
use bevy_egui::egui::{Color32, ColorImage};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, TryRecvError, channel};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;

/// The render under way.
#[derive(Default)]
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
                Some(Err(RenderError::Failed("the renderer gave up".into())))
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

impl Editor {
    /// Begins to render; asks first where files would be replaced, unless `replace`.
    pub(in crate::editor) fn render(&mut self, mut settings: RenderSettings, replace: bool, waker: &Waker) {
        self.session.commit();
        let there = existing(&settings).len();
        if there > 0 && !replace {
            self.panels.render.replace = Some(there);
            return;
        }
        if settings.eye == Eye::Viewport {
            settings.eye = Eye::At(self.viewport.camera);
        }
        let scene = self.session.scene().clone();
        let mesh = scene.skinned_meshes.keys().next();
        let selection = match (self.session.selection().mesh.is_some(), mesh) {
            (false, Some(mesh)) => Selection::of_mesh(&scene, mesh),
            _ => self.session.selection().clone(),
        };
        self.panels.render.open = false;
        self.panels.render.progress = Some(RenderProgress::of(settings.frame_count()));
        let job = Job {
            scene,
            settings,
            selection,
            ik: self.settings.solve_ik.then_some(self.settings.ik_step),
            xray: self.settings.xray,
        };
        self.rendering.0 = Some(Worker::start(job, waker.clone()));
    }

    pub(in crate::editor) fn stop_rendering(&mut self) {
        if let Some(worker) = &self.rendering.0 {
            worker.shared.stopped.store(true, Ordering::Relaxed);
        }
    }

    /// Before the program ends: waits until the thread has cleaned up.
    pub(in crate::editor) fn end_rendering(&mut self) {
        self.rendering.0 = None;
    }

    fn say_rendered(&mut self, result: Result<Done, RenderError>) {
        let messages = &mut self.panels.messages;
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
}

/// Shows the progress, and says what came of it.
pub fn poll(mut editor: ResMut<Editor>) {
    // Not a change of the document or the view.
    let state = &mut editor.bypass_change_detection().panels.render;
    if state.open && state.ffmpeg.is_none() {
        state.ffmpeg = Some(ffmpeg_is_there());
    }
    let editor = editor.as_mut();
    let Some(worker) = &editor.rendering.0 else {
        return;
    };
    let told = worker.shared.told.lock().ok().and_then(|mut told| told.take());
    let result = worker.result();
    if let (Some((done, picture)), Some(progress)) = (told, &mut editor.panels.render.progress) {
        progress.done = done;
        if let Some(picture) = picture {
            progress.show(picture);
        }
        editor.draw_soon();
    }
    if let Some(result) = result {
        editor.rendering.0 = None;
        editor.panels.render.progress = None;
        editor.say_rendered(result);
        editor.draw_soon();
    }
}
