//! Wakes the sleeping window: egui requests a repaint after a delay (a tooltip, a fading message), and
//! background threads (file dialogs) finish at any time.

use crate::editor::state::Redraw;
use crate::editor::threads;
use bevy::prelude::*;
use bevy::window::RequestRedraw;
use bevy::winit::{EventLoopProxyWrapper, WinitUserEvent};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

/// Requests frames. Cheap to clone into threads.
#[derive(Resource, Clone)]
pub struct Waker(Sender<Duration>);

impl Waker {
    /// Requests a frame in `delay`; of several requests, the earliest counts.
    pub fn wake_after(&self, delay: Duration) {
        // The thread ends only with the application.
        let _ = self.0.send(delay);
    }

    /// Requests a frame at once.
    pub fn wake(&self) {
        self.wake_after(Duration::ZERO);
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

/// Starts the thread that wakes the event loop. Without a window there is none: its owner runs the frames.
fn start(unstarted: Res<Unstarted>, event_loop: Option<Res<EventLoopProxyWrapper>>) {
    let Some(event_loop) = event_loop else { return };
    let Some(receiver) = unstarted.0.lock().ok().and_then(|mut slot| slot.take()) else {
        return;
    };
    let event_loop = (**event_loop).clone();
    // Without the thread, tooltips are late; everything else still works.
    let _ = threads::spawn(move || {
        let mut due: Option<Instant> = None;
        loop {
            let wait =
                due.map_or(Duration::from_secs(3600), |time| time.saturating_duration_since(Instant::now()));
            match receiver.recv_timeout(wait) {
                Ok(delay) => {
                    let time = Instant::now() + delay;
                    due = Some(due.map_or(time, |old| old.min(time)));
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

/// Requests a redraw if one is due.
pub fn draw_due(mut due: ResMut<Redraw>, mut redraw: MessageWriter<RequestRedraw>) {
    if due.take_frame() {
        redraw.write(RequestRedraw);
    }
}

/// Requests the repaint that egui wants after `delay`.
pub fn repaint(delay: Duration, waker: &Waker, redraw: &mut MessageWriter<RequestRedraw>) {
    if delay.is_zero() {
        redraw.write(RequestRedraw);
    } else if delay < Duration::from_secs(3600) {
        waker.wake_after(delay);
    }
}
