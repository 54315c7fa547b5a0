//! The small label next to the pointer with the name of what is under it in the viewport.

use crate::editor::ui::theme;
use egui::{Align2, Area, Context, Frame, Id, Margin, Order, Pos2, Rect, RichText, vec2};

/// Draws the label above and to the right of the pointer, where it hides least of what the pointer is moving
/// towards; on the other side if there is no room.
pub fn hover_ui(ctx: &Context, pointer: Pos2, name: &str, viewport: Rect) {
    let near_right = pointer.x + 160.0 > viewport.right();
    let near_top = pointer.y - 34.0 < viewport.top();
    let (pivot, offset) = match (near_right, near_top) {
        (false, false) => (Align2::LEFT_BOTTOM, vec2(14.0, -8.0)),
        (true, false) => (Align2::RIGHT_BOTTOM, vec2(-10.0, -8.0)),
        (false, true) => (Align2::LEFT_TOP, vec2(18.0, 16.0)),
        (true, true) => (Align2::RIGHT_TOP, vec2(-10.0, 16.0)),
    };
    Area::new(Id::new("name under the pointer"))
        .order(Order::Middle)
        .interactable(false)
        .fade_in(false)
        .pivot(pivot)
        .fixed_pos(pointer + offset)
        .show(ctx, |ui| {
            let frame = Frame::new()
                .fill(theme::POPUP.gamma_multiply(0.9))
                .corner_radius(theme::RADIUS)
                .inner_margin(Margin::symmetric(6, 2));
            frame.show(ui, |ui| {
                let text = RichText::new(name).color(theme::TEXT_STRONG).small();
                ui.add(egui::Label::new(text).extend());
            });
        });
}
