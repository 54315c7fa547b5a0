//! Playing by the clock: once a frame of the window the frame that is due is shown. The clock is Bevy's real
//! time, or in a run without a window that run's own.

use crate::editor::app::wake::Waker;
use crate::editor::state::shown::refresh;
use crate::editor::state::{Caches, Document, Redraw, Settings, Shown};
use bevy::prelude::*;
use bevy::time::Real;
use std::time::Duration;

/// Before the panels and the tools, so that they work on the frame that is drawn.
pub fn advance(
    mut session: ResMut<Document>,
    mut settings: ResMut<Settings>,
    mut shown: ResMut<Shown>,
    mut caches: ResMut<Caches>,
    mut redraw: ResMut<Redraw>,
    time: Res<Time<Real>>,
    waker: Res<Waker>,
) {
    if !settings.playback.is_playing() {
        return;
    }
    let (clip, now) = (session.scene().animation.clip, session.frame());
    let due = settings.playback.advance(&clip, now, time.delta_secs_f64());
    if let Some(frame) = due.filter(|due| *due != now) {
        session.set_frame(frame);
        // Who takes hold of something takes hold of what is at this frame.
        refresh(&mut shown, &mut caches, &session, &settings);
    }
    match settings.playback.seconds_to_next() {
        // The window sleeps until then.
        Some(seconds) => waker.after(Duration::from_secs_f64(seconds)),
        None if settings.playback.is_playing() => {}
        None => redraw.soon(),
    }
}
