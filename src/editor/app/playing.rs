//! Playback by the clock: each frame of the window shows the animation frame that is due. The clock is Bevy's
//! real time or, without a window, that of the offscreen run.

use crate::editor::app::wake::Waker;
use crate::editor::state::shown::refresh;
use crate::editor::state::{Caches, Document, Redraw, Settings, Shown};
use bevy::prelude::*;
use bevy::time::Real;
use std::time::Duration;

/// Advances to the frame that is due, before the panels and tools, so that they work on the frame that is
/// drawn.
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
    let (clip, current) = (session.scene().animation.clip, session.frame());
    let due = settings.playback.advance(&clip, current, time.delta_secs_f64());
    if let Some(frame) = due.filter(|due| *due != current) {
        session.set_frame(frame);
        // Whatever is grabbed is grabbed as it is at this frame.
        refresh(&mut shown, &mut caches, &session, &settings);
    }
    match settings.playback.seconds_to_next() {
        // The window sleeps until then.
        Some(seconds) => waker.wake_after(Duration::from_secs_f64(seconds)),
        None if settings.playback.is_playing() => {}
        None => redraw.request(),
    }
}
