//! A lasso around keys.

use super::hits;
use super::value::ValueScale;
use crate::edit::time::timeline::KeySelection;
use crate::editor::panels::timeline::KeysState;
use crate::editor::panels::timeline::time::Scale;
use crate::editor::ui::theme;
use egui::{Key, Pos2, Rect, Shape, Stroke, Ui, pos2};
use std::sync::Arc;

/// The least distance of two points of a lasso, in points of the screen.
const STEP: f32 = 5.0;

const HINT: &str = "Release to select the keys inside. Esc cancels";

/// A lasso that is being drawn.
pub struct Lasso {
    /// The keys selected at the start.
    base: Arc<KeySelection>,
    extend: bool,
    /// Frames and shown values, so that scrolling does not move it over the curves.
    path: Vec<[f32; 2]>,
    /// Whether it was cancelled; further input is ignored until the button is released.
    cancelled: bool,
}

impl Lasso {
    /// Starts a lasso at a frame and shown value; `extend`: the selected keys stay so.
    pub fn new(base: &Arc<KeySelection>, extend: bool, origin: [f32; 2]) -> Self {
        Self { base: Arc::clone(base), extend, path: vec![origin], cancelled: false }
    }
}

/// Continues the lasso over the curves in `area`, or ends it.
pub fn lasso_ui(ui: &Ui, area: Rect, (scale, values): (&Scale, &ValueScale), state: &mut KeysState) {
    let Some(mut lasso) = state.graph.lasso.take() else { return };
    let (down, cancel, pointer) =
        ui.input(|i| (i.pointer.secondary_down(), i.key_pressed(Key::Escape), i.pointer.latest_pos()));
    if cancel && !lasso.cancelled {
        lasso.cancelled = true;
        state.keys = Arc::clone(&lasso.base);
    }
    if !lasso.cancelled {
        let place = |[frame, value]: [f32; 2]| pos2(scale.x(frame), values.y(value));
        let last = lasso.path.last().map(|last| place(*last));
        let pointer = pointer.filter(|pointer| last.is_none_or(|last| last.distance(*pointer) >= STEP));
        let outline = |lasso: &Lasso| lasso.path.iter().copied().map(place).collect::<Vec<Pos2>>();
        if let Some(pointer) = pointer {
            lasso.path.push([scale.frame(pointer.x), values.value(pointer.y)]);
            let keys = hits::keys_within(&state.graph.curves, scale, values, &outline(&lasso));
            state.keys = lasso.base.combined(keys, lasso.extend).into();
        }
        let stroke = Stroke::new(1.0, theme::ACCENT);
        ui.painter_at(area).add(Shape::closed_line(outline(&lasso), stroke));
    }
    if down {
        state.hint = Some(HINT);
        state.graph.lasso = Some(lasso);
    }
}
