//! Bars at the bottom of the curves: when which foot stands.

use crate::edit::time::stances::Stance;
use crate::editor::panels::timeline::time::Scale;
use crate::editor::ui::theme;
use crate::editor::ui::tooltip::Tip;
use egui::{Id, Rect, Sense, Ui, WidgetInfo, WidgetType, pos2};

/// The height of a bar with the gap below it, in points.
const LANE: f32 = 5.0;
/// The greatest number of feet with bars of their own; others share the last.
const MOST_FEET: usize = 8;

/// Draws the bars of the visible stances, each labelled such as "foot.L stands, frames 3 to 17".
pub fn bars_ui(ui: &Ui, rect: Rect, scale: &Scale, stances: &[Stance]) {
    let [from, to] = scale.visible_frames().map(f64::from);
    let is_visible = |stance: &&Stance| stance.frames[0] <= to && stance.frames[1] >= from;
    let visible: Vec<&Stance> = stances.iter().filter(is_visible).collect();
    let mut feet: Vec<&str> = visible.iter().map(|stance| &*stance.foot).collect();
    feet.sort_unstable();
    feet.dedup();
    let painter = ui.painter_at(rect);
    for (index, Stance { foot, frames }) in visible.iter().enumerate() {
        let lane = feet.iter().position(|name| name == foot).unwrap_or(0).min(MOST_FEET - 1);
        let bottom = rect.bottom() - 2.0 - lane as f32 * LANE;
        let [left, right] = frames.map(|frame| scale.x(frame as f32));
        let bar = Rect::from_min_max(pos2(left, bottom - LANE + 1.0), pos2(right.max(left + 2.0), bottom));
        painter.rect_filled(bar, 1.0, theme::HELD_TEXT.gamma_multiply(0.75));
        let [first, last] = frames.map(|frame| frame.round());
        let text = format!("{foot} stands, frames {first} to {last}");
        let bar = ui.interact(bar.intersect(rect), Id::new(("contact", index)), Sense::hover());
        bar.widget_info(|| WidgetInfo::labeled(WidgetType::Image, true, &text));
        bar.tip(text);
    }
}
