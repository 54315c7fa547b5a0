//! The pointer rests on the picture of a saved pose: the character is shown in it, until the pointer goes on.

use crate::edit::command::PoseUse;
use crate::edit::pose_preview::PosePreview;
use crate::edit::request::Request;
use crate::edit::view::View;
use egui::{Event, Ui};
use std::sync::Arc;
use std::time::Duration;

/// So long it rests before the pose is shown, in seconds.
const REST: f64 = 0.35;

/// A picture that the pointer is over.
pub struct PoseHover {
    preview: PosePreview,
    since: f64,
    /// A key was pressed: what that did is to be seen.
    over: bool,
    shown: bool,
    seen: bool,
}

/// Called for the picture that the pointer is over, while no button is down.
pub fn hover_ui(
    hover: &mut Option<PoseHover>,
    ui: &Ui,
    view: &View,
    mesh: &str,
    how: PoseUse,
    out: &mut Vec<Request>,
) {
    let now = ui.input(|i| i.time);
    let mesh = mesh.to_owned();
    let preview = PosePreview { mesh, how };
    let is_like = |old: &PoseHover| old.preview.how.pose == preview.how.pose;
    if !hover.as_ref().is_some_and(is_like) {
        end(hover, out);
    }
    let state = hover.get_or_insert_with(|| PoseHover {
        preview: preview.clone(),
        since: now,
        over: false,
        shown: false,
        seen: true,
    });
    let key = |event: &Event| matches!(event, Event::Key { pressed: true, .. });
    state.over |= ui.input(|i| i.events.iter().any(key));
    state.seen = true;
    let rests = now - state.since >= REST;
    if !rests {
        ui.ctx()
            .request_repaint_after(Duration::from_secs_f64(REST + state.since - now));
    }
    let shows = rests && !state.over && !view.settings.playback.is_playing();
    if shows && (!state.shown || state.preview != preview) {
        out.push(Request::PreviewPose(Some(Arc::new(preview.clone()))));
    } else if !shows && state.shown {
        out.push(Request::PreviewPose(None));
    }
    (state.shown, state.preview) = (shows, preview);
}

/// Once per frame, after the list.
pub fn end_frame(hover: &mut Option<PoseHover>, out: &mut Vec<Request>) {
    match hover {
        Some(state) if state.seen => state.seen = false,
        _ => end(hover, out),
    }
}

fn end(hover: &mut Option<PoseHover>, out: &mut Vec<Request>) {
    if hover.take().is_some_and(|state| state.shown) {
        out.push(Request::PreviewPose(None));
    }
}
