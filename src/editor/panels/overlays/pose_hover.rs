//! Previews a saved pose on the character while the pointer rests on its picture.

use crate::edit::command::PoseUse;
use crate::edit::pose::pose_preview::PosePreview;
use crate::edit::request::Request;
use crate::edit::settings::view::View;
use egui::{Event, Ui};
use std::sync::Arc;
use std::time::Duration;

/// The time that the pointer must rest before the pose is shown, in seconds.
const DELAY_S: f64 = 0.35;

/// The picture under the pointer.
pub struct PoseHover {
    preview: PosePreview,
    /// The time at which the pointer entered it, in seconds.
    since: f64,
    /// Whether the preview was ended by a key press, to show the effect of the key.
    dismissed: bool,
    shown: bool,
    /// Whether the pointer was over it in this frame.
    hovered: bool,
}

/// Updates the preview. To be called for the picture under the pointer while no button is down.
pub fn hover_ui(
    hover: &mut Option<PoseHover>,
    ui: &Ui,
    view: &View,
    mesh: &str,
    pose_use: PoseUse,
    out: &mut Vec<Request>,
) {
    let now = ui.input(|i| i.time);
    let mesh = mesh.to_owned();
    let preview = PosePreview { mesh, pose_use };
    let is_same = |old: &PoseHover| old.preview.pose_use.pose == preview.pose_use.pose;
    if !hover.as_ref().is_some_and(is_same) {
        end(hover, out);
    }
    let state = hover.get_or_insert_with(|| PoseHover {
        preview: preview.clone(),
        since: now,
        dismissed: false,
        shown: false,
        hovered: true,
    });
    let key = |event: &Event| matches!(event, Event::Key { pressed: true, .. });
    state.dismissed |= ui.input(|i| i.events.iter().any(key));
    state.hovered = true;
    let rested = now - state.since >= DELAY_S;
    if !rested {
        ui.ctx().request_repaint_after(Duration::from_secs_f64(DELAY_S + state.since - now));
    }
    let show = rested && !state.dismissed && !view.settings.playback.is_playing();
    if show && (!state.shown || state.preview != preview) {
        out.push(Request::PreviewPose(Some(Arc::new(preview.clone()))));
    } else if !show && state.shown {
        out.push(Request::PreviewPose(None));
    }
    (state.shown, state.preview) = (show, preview);
}

/// Ends the preview once the pointer has left the picture. To be called once per frame, after the list.
pub fn end_frame(hover: &mut Option<PoseHover>, out: &mut Vec<Request>) {
    match hover {
        Some(state) if state.hovered => state.hovered = false,
        _ => end(hover, out),
    }
}

fn end(hover: &mut Option<PoseHover>, out: &mut Vec<Request>) {
    if hover.take().is_some_and(|state| state.shown) {
        out.push(Request::PreviewPose(None));
    }
}
