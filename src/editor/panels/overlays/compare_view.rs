//! The overlay of the viewport while two sides are compared: a caption above each, and the line between them,
//! which can be dragged in the split layout.

use crate::edit::compare::{CompareSettings, LINE_RANGE, Layout};
use crate::edit::request::Request;
use crate::edit::settings::view::View;
use crate::editor::panels::compare::{Caption, CompareState, SIDES, SideStatus};
use crate::editor::ui::theme;
use crate::editor::ui::tooltip::Tip;
use egui::{
    Align2, Area, Context, CursorIcon, Frame, Id, Label, Margin, Order, Pos2, Rect, RichText, Sense, Stroke,
    Ui, WidgetInfo, WidgetType, pos2, vec2,
};

/// The height of the captions, with the gaps above and below.
pub const CAPTION_HEIGHT: f32 = 34.0;
/// The width of a side below which its caption uses small letters.
const NARROW: f32 = 130.0;
const GRIP: egui::Vec2 = vec2(14.0, 34.0);

pub fn compare_view_ui(ui: &Ui, view: &View, state: &CompareState, viewport: Rect, out: &mut Vec<Request>) {
    let Some(captions) = &state.captions else { return };
    let settings = view.settings.compare;
    let (left, right) = viewport.split_left_right_at_fraction(settings.border());
    let line = right.left().round();
    let ink = match settings.layout {
        Layout::SideBySide => theme::EDGE,
        Layout::Split => theme::TEXT_QUIET,
    };
    ui.painter().vline(line, viewport.y_range(), Stroke::new(1.0, ink));
    let top = viewport.top() + theme::GAP;
    for (side, caption) in captions.iter().enumerate() {
        let pane = if side == 0 { left } else { right };
        // Above its picture, or next to the line if both sides share one picture.
        let (position, pivot) = match (settings.layout, side) {
            (Layout::SideBySide, _) => (pos2(pane.center().x, top), Align2::CENTER_TOP),
            (Layout::Split, 0) => (pos2(line - 8.0, top), Align2::RIGHT_TOP),
            (Layout::Split, _) => (pos2(line + 8.0, top), Align2::LEFT_TOP),
        };
        caption_ui(ui.ctx(), side, caption, position, pivot, pane);
    }
    if settings.layout == Layout::Split {
        grip_ui(ui.ctx(), settings, line, viewport, out);
    }
}

/// Draws the caption of a side, which lets the pointer through.
fn caption_ui(ctx: &Context, side: usize, caption: &Caption, position: Pos2, pivot: Align2, pane: Rect) {
    let (detail, ink) = match &caption.status {
        SideStatus::Ready => (None, theme::TEXT),
        SideStatus::CalculatingWeights(progress) => {
            let text = format!("calculating the weights, {:.0} %", 100.0 * progress);
            (Some(text), theme::TEXT_QUIET)
        }
        SideStatus::Failed(reason) => (Some(reason.clone()), theme::WARNING),
    };
    Area::new(Id::new(("compare caption", side)))
        .order(Order::Middle)
        .interactable(false)
        .fade_in(false)
        .pivot(pivot)
        .fixed_pos(position)
        .constrain(false)
        .show(ctx, |ui| {
            ui.set_max_width((pane.width() - 12.0).max(40.0));
            let card = Frame::new()
                .fill(theme::BAR.gamma_multiply(0.93))
                .stroke(Stroke::new(1.0, theme::COMPARED[side]))
                .corner_radius(theme::RADIUS)
                .inner_margin(Margin::symmetric(8, 2));
            card.show(ui, |ui| {
                let text = RichText::new(&caption.text).color(theme::TEXT);
                let text = if pane.width() < NARROW { text.small() } else { text };
                let label = ui.add(Label::new(text).wrap());
                let label_text = format!("{}: {}", SIDES[side].0, caption.text);
                label.widget_info(|| WidgetInfo::labeled(WidgetType::Label, true, &label_text));
                if let Some(detail) = detail {
                    let label_text = format!("{}: {detail}", SIDES[side].0);
                    let label = ui.add(Label::new(RichText::new(detail).color(ink).small()).wrap());
                    label.widget_info(|| WidgetInfo::labeled(WidgetType::Label, true, &label_text));
                }
            });
        });
}

/// Draws the grip that moves the line.
fn grip_ui(ctx: &Context, settings: CompareSettings, line: f32, viewport: Rect, out: &mut Vec<Request>) {
    let area = Area::new(Id::new("split line"))
        .order(Order::Middle)
        .fade_in(false)
        .pivot(Align2::CENTER_CENTER)
        .fixed_pos(pos2(line, viewport.bottom() - 12.0 - GRIP.y / 2.0))
        .constrain(false);
    area.show(ctx, |ui| {
        let (rect, response) = ui.allocate_exact_size(GRIP, Sense::click_and_drag());
        let fill =
            if response.hovered() || response.dragged() { theme::CONTROL_HOVER } else { theme::CONTROL };
        let painter = ui.painter();
        painter.rect_filled(rect, theme::RADIUS, fill);
        for x in [-2.0, 2.0] {
            let middle = rect.center() + vec2(x, 0.0);
            painter.vline(middle.x, middle.y - 7.0..=middle.y + 7.0, Stroke::new(1.0, theme::TEXT));
        }
        response.widget_info(|| WidgetInfo::labeled(WidgetType::Slider, true, "Split line"));
        let value = f64::from(settings.line);
        ui.ctx().accesskit_node_builder(response.id, |node| node.set_numeric_value(value));
        let pointer = response.interact_pointer_pos().filter(|_| response.dragged());
        let requested = if response.double_clicked() {
            Some(CompareSettings::default().line)
        } else {
            pointer.map(|pointer| (pointer.x - viewport.left()) / viewport.width().max(1.0))
        };
        let requested = requested.map(|line| line.clamp(*LINE_RANGE.start(), *LINE_RANGE.end()));
        if let Some(line) = requested.filter(|line| *line != settings.line) {
            out.push(Request::Compare(CompareSettings { line, ..settings }));
        }
        response
            .on_hover_cursor(CursorIcon::ResizeHorizontal)
            .tip("Drag the line; double-click to centre it.");
    });
}
