//! Takes below the ruler, as named spans, in lanes if they overlap. A click plays a take, its ends can be
//! dragged, and the context menu has the other actions.

use super::ruler::RulerState;
use super::takes::{choose, summary};
use super::time::Scale;
use crate::anim::take::{Take, Takes};
use crate::edit::action::Action;
use crate::edit::request::Request;
use crate::edit::settings::view::View;
use crate::editor::ui::action::menu_item;
use crate::editor::ui::theme;
use crate::editor::ui::tooltip::Tip;
use egui::{FontId, Id, Rect, Sense, Ui, WidgetInfo, WidgetType, pos2, vec2};

const LANE_HEIGHT: f32 = 16.0;
/// The number of lanes; further overlapping takes share the last one.
const MAX_LANES: usize = 4;
const GRIP: f32 = 5.0;

/// Returns the lane of each take: the first in which it overlaps no earlier take.
fn lanes(takes: &Takes) -> Vec<usize> {
    let mut lanes: [Vec<[u32; 2]>; MAX_LANES] = Default::default();
    let assign = |take: &Take| {
        let [first, last] = take.range;
        let is_free = |spans: &Vec<[u32; 2]>| spans.iter().all(|[from, to]| last < *from || *to < first);
        let lane = lanes.iter().position(is_free).unwrap_or(MAX_LANES - 1);
        lanes[lane].push(take.range);
        lane
    };
    takes.list.iter().map(assign).collect()
}

/// The height of all spans, in points; 0 if there are no takes.
pub fn height(takes: &Takes) -> f32 {
    let count = lanes(takes).into_iter().max().map_or(0, |lane| lane + 1);
    count as f32 * LANE_HEIGHT
}

/// Draws the spans, with the seam of the chosen take, each labelled "Span of NAME", with its ends "Start of NAME" and "End of NAME".
pub fn spans_ui(
    ui: &Ui,
    view: &View,
    rect: Rect,
    scale: &Scale,
    ruler: &mut RulerState,
    out: &mut Vec<Request>,
) {
    let takes = &view.session.scene().animation.takes;
    if takes.list.is_empty() {
        return;
    }
    ui.painter_at(rect).rect_filled(rect, 0.0, theme::BAR);
    for (index, (take, lane)) in takes.list.iter().zip(lanes(takes)).enumerate() {
        let [left, right] = take.range.map(|frame| scale.x(frame as f32));
        let top = rect.top() + lane as f32 * LANE_HEIGHT;
        let span =
            Rect::from_min_max(pos2(left, top + 1.0), pos2(right.max(left + 3.0), top + LANE_HEIGHT - 1.0));
        if rect.intersects(span) {
            span_ui(ui, view, (take, takes.chosen == Some(index)), span, rect, ruler, out);
        }
    }
}

fn span_ui(
    ui: &Ui,
    view: &View,
    (take, chosen): (&Take, bool),
    span: Rect,
    rect: Rect,
    ruler: &mut RulerState,
    out: &mut Vec<Request>,
) {
    let painter = ui.painter_at(rect);
    let visible = span.intersect(rect);
    let response = ui.interact(visible, Id::new(("take", &take.name)), Sense::click());
    let label = format!("Span of {}", take.name);
    response.widget_info(|| WidgetInfo::selected(WidgetType::Button, ui.is_enabled(), chosen, &label));
    let (fill, ink) = match (chosen, response.hovered()) {
        (true, _) => (*theme::ACCENT_FILL, *theme::TEXT_STRONG),
        (false, true) => (*theme::CONTROL_HOVER, *theme::TEXT_STRONG),
        (false, false) => (*theme::CONTROL, *theme::TEXT),
    };
    painter.rect_filled(span, theme::RADIUS, fill);
    for end in [0, 1] {
        let x = [span.left(), span.right()][end];
        let outward = [-GRIP, GRIP][end];
        if !rect.x_range().contains(x) {
            continue;
        }
        let hit = Rect::from_two_pos(pos2(x - outward * 0.6, span.top()), pos2(x + outward, span.bottom()));
        let name = format!("{} of {}", ["Start", "End"][end], take.name);
        if ruler.grip_ui(ui, hit, (Some(&take.name), take.range, end), &name, "Drag it.") {
            let edge = Rect::from_two_pos(pos2(x - outward * 0.4, span.top()), pos2(x, span.bottom()));
            painter.rect_filled(edge, 0.0, theme::TEXT_STRONG);
        }
    }
    let text_rect = visible.shrink2(vec2(5.0, 0.0));
    if text_rect.width() > 8.0 {
        let font = FontId::proportional(theme::SMALL);
        let galley = painter.layout_no_wrap(take.name.clone(), font, ink);
        let position = pos2(text_rect.left(), text_rect.center().y - galley.size().y / 2.0);
        let name_right = position.x + galley.size().x;
        painter.with_clip_rect(text_rect).galley(position, galley, ink);
        let seam = if chosen { ruler.seam(&view.session.scene().animation, take.range) } else { None };
        let text = seam.map_or_else(String::new, |seam| seam.short_text());
        let galley = painter.layout_no_wrap(text, FontId::proportional(theme::SMALL), *theme::TEXT_QUIET);
        let left = text_rect.right() - galley.size().x;
        if left > name_right + theme::GAP {
            painter.galley(pos2(left, position.y), galley, *theme::TEXT_QUIET);
        }
    }
    let pressed = (response.clicked() || response.secondary_clicked()) && !ruler.dragging();
    if pressed && !chosen {
        choose(view, Some(take), out);
    }
    if response.double_clicked() {
        out.push(Request::Act(Action::RENAME_TAKE));
    }
    response.context_menu(|ui| {
        menu_item(ui, view, "Span", Action::RENAME_TAKE, None, out);
        menu_item(ui, view, "Span", Action::DELETE_TAKE, None, out);
        menu_item(ui, view, "Span", Action::CYCLE, None, out);
        menu_item(ui, view, "Span", Action::REPEAT_CYCLE, None, out);
        menu_item(ui, view, "Span", Action::RETIME_TAKE, None, out);
        menu_item(ui, view, "Span", Action::COMPLETE_CYCLE, None, out);
    });
    if !ruler.dragging() {
        response.tip_ui(|ui| {
            ui.strong(&take.name);
            ui.label(summary(view, take));
            if let Some(seam) = view.session.scene().animation.seam(take.range) {
                ui.label(format!("As a loop: {seam}"));
            }
            ui.weak("Click to play it, double-click to rename it, drag its ends.");
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn overlapping_takes_get_separate_lanes() {
        let ranges = [[0, 10], [11, 20], [5, 15], [10, 30], [0, 40], [0, 40], [0, 40]];
        let list = ranges.map(|range| Take::new("", range)).to_vec();
        let takes = Takes { list, chosen: None };
        assert_eq!(lanes(&takes), [0, 0, 1, 2, 3, 3, 3]);
        assert_eq!(height(&takes), 4.0 * LANE_HEIGHT);
        assert_eq!(height(&Takes::default()), 0.0);
    }
}
