//! Where the parts of the panel of keys are.

use super::{KeysState, KeysView, head, ruler, sound_strip, take_spans};
use crate::anim::channel::Animation;
use crate::editor::ui::theme;
use egui::{Rect, pos2};

/// The layout of rows and keys in this frame.
pub struct Layout {
    pub full: Rect,
    pub ruler: Rect,
    /// The spans of takes; empty if there are none.
    pub takes: Rect,
    /// The wave of the sound, and its name beside it; empty if there is none.
    pub sound: Rect,
    pub sound_name: Rect,
    pub head: Rect,
    /// The summary row: names and keys.
    pub summary: Rect,
    /// All other rows.
    pub body: Rect,
    /// The x coordinate between names and keys.
    pub split: f32,
    /// The area of all keys: in the sheet including those of the summary.
    pub keys: Rect,
}

impl Layout {
    pub fn new(full: Rect, state: &KeysState, animation: &Animation) -> Self {
        let split = full.left() + head::label_width(state, full.width());
        let numbers = full.top() + ruler::HEIGHT;
        let wave = numbers + take_spans::height(&animation.takes);
        let rows = wave + sound_strip::height(animation.sound.as_ref());
        let body = if state.lines.all().is_empty() { rows } else { rows + theme::ROW };
        let across = |from: f32, to: f32| Rect::from_x_y_ranges(full.x_range(), from..=to.max(from));
        let sound = across(wave, rows);
        let keys_top = match state.shown {
            KeysView::Sheet => rows,
            KeysView::Curves => body,
        };
        Self {
            full,
            ruler: across(full.top(), numbers).with_min_x(split),
            takes: across(numbers, wave).with_min_x(split),
            sound: sound.with_min_x(split),
            sound_name: sound.with_max_x(split),
            head: across(full.top(), wave).with_max_x(split),
            summary: across(rows, body),
            body: across(body, full.bottom()),
            split,
            keys: Rect::from_min_max(pos2(split, keys_top), full.max.max(pos2(split, keys_top))),
        }
    }
}
