//! Waking the sleeping window: egui asks for a repaint after a delay (a tooltip, a fading message), and
//! background threads (file dialogs) finish when they finish.

use crate::editor::state::Redraw;
use crate::editor::threads;
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

/// Asks for the frames that are due.
pub fn draw_due(mut due: ResMut<Redraw>, mut redraw: MessageWriter<RequestRedraw>) {
    if due.take_frame() {
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
