//! Playing by the clock: once a frame of the window the frame that is due is shown. The clock is Bevy's real
//! time, or in a run without a window that run's own.

use crate::editor::Editor;
use crate::editor::app::wake::Waker;
use bevy::prelude::*;
use bevy::time::Real;
use std::time::Duration;

/// Before the panels and the tools, so that they work on the frame that is drawn.
pub fn advance(mut editor: ResMut<Editor>, time: Res<Time<Real>>, waker: Res<Waker>) {
    if !editor.settings.playback.is_playing() {
        return;
    }
    editor.play_on(time.delta_secs_f64());
    match editor.settings.playback.seconds_to_next() {
        // The window sleeps until then.
        Some(seconds) => waker.after(Duration::from_secs_f64(seconds)),
        None if editor.settings.playback.is_playing() => {}
        None => editor.draw_soon(),
    }
}

impl Editor {
    fn play_on(&mut self, seconds: f64) {
        let Self {
            session, settings, ..
        } = self;
        let clip = session.scene().animation.clip;
        if let Some(frame) = settings.playback.advance(&clip, session.frame(), seconds)
            && frame != session.frame()
        {
            session.set_frame(frame);
            // Who takes hold of something takes hold of what is at this frame.
            self.refresh();
        }
    }
}
