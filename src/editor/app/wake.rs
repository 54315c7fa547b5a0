//! Waking the sleeping window: egui asks for a repaint after a delay (a tooltip, a fading message), and
//! background threads (file dialogs) finish when they finish.

use crate::editor::Editor;
use crate::editor::app::threads;
use bevy::prelude::*;
use bevy::window::RequestRedraw;
use bevy::winit::{EventLoopProxyWrapper, WinitUserEvent};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

/// Asks for frames. Cheap to clone into threads.
#[derive(Resource, Clone)]
pub struct Waker(Sender<Duration>);

impl Waker {
    /// A frame in `delay` (several requests: the earliest counts).
    pub fn after(&self, delay: Duration) {
        // The thread ends only with the application.
        let _ = self.0.send(delay);
    }

    pub fn now(&self) {
        self.after(Duration::ZERO);
    }
}

#[derive(Resource)]
struct Unstarted(std::sync::Mutex<Option<Receiver<Duration>>>);

pub fn plugin(app: &mut App) {
    let (sender, receiver) = channel();
    app.insert_resource(Waker(sender))
        .insert_resource(Unstarted(std::sync::Mutex::new(Some(receiver))))
        .add_systems(Startup, start);
}

/// Without a window there is no event loop to wake: frames are pumped.
fn start(unstarted: Res<Unstarted>, event_loop: Option<Res<EventLoopProxyWrapper>>) {
    let Some(event_loop) = event_loop else { return };
    let Some(receiver) = unstarted.0.lock().ok().and_then(|mut slot| slot.take()) else {
        return;
    };
    let event_loop = (**event_loop).clone();
    // Without it tooltips come late; everything else still works.
    let _ = threads::spawn(move || {
        let mut due: Option<Instant> = None;
        loop {
            let wait = due.map_or(Duration::from_secs(3600), |at| {
                at.saturating_duration_since(Instant::now())
            });
            match receiver.recv_timeout(wait) {
                Ok(delay) => {
                    let at = Instant::now() + delay;
                    due = Some(due.map_or(at, |old| old.min(at)));
                }
                Err(RecvTimeoutError::Timeout) => {
                    if due.take().is_some() && event_loop.send_event(WinitUserEvent::WakeUp).is_err() {
                        return;
                    }
                }
                Err(RecvTimeoutError::Disconnected) => return,
            }
        }
    });
}

/// Frames after a change: panels show it in the next, new meshes and materials take some more.
const SETTLE_FRAMES: u32 = 4;
/// And after the start, when everything is new.
const FIRST_FRAMES: u32 = 12;

impl Editor {
    /// Something changed that the next frames show.
    pub(in crate::editor) fn draw_soon(&mut self) {
        self.frames_due = self.frames_due.max(SETTLE_FRAMES);
    }
}

/// Asks for the frames that are due.
pub fn draw_due(
    mut editor: ResMut<Editor>,
    mut started: Local<bool>,
    mut redraw: MessageWriter<RequestRedraw>,
) {
    if !std::mem::replace(&mut *started, true) {
        editor.frames_due = FIRST_FRAMES;
    }
    if editor.frames_due > 0 {
        editor.frames_due -= 1;
        redraw.write(RequestRedraw);
    }
}

/// Asks for the frames that egui wants.
pub fn repaint(delay: Duration, waker: &Waker, redraw: &mut MessageWriter<RequestRedraw>) {
    if delay.is_zero() {
        redraw.write(RequestRedraw);
    } else if delay < Duration::from_secs(3600) {
        waker.after(delay);
    }
}
