//! The banner over the viewport while there are unkeyed changes: their number, and buttons to key or dismiss
//! them.

use super::status::counted;
use crate::edit::action::Action;
use crate::edit::request::Request;
use crate::edit::view::{Tab, View};
use crate::editor::ui::spot::{BELOW_BARS, Obstacle, free_spot};
use crate::editor::ui::{icons, theme};
use egui::{Area, Button, Context, Frame, Id, Margin, Order, Rect, RichText, WidgetInfo, WidgetType};

/// The width of the viewport below which the banner is placed below the gizmo bar.
const WIDE: f32 = 860.0;

/// Draws the banner at the top of `viewport`, or at the bottom where it covers fewer obstacles. Its buttons
/// are labelled with the texts of their actions.
pub fn unkeyed_banner_ui(
    ctx: &Context,
    view: &View,
    viewport: Rect,
    obstacles: &[Obstacle],
    out: &mut Vec<Request>,
) {
    let count = view.session.unkeyed().len();
    if count == 0 || view.settings.tab != Tab::Animate {
        return;
    }
    let offset = if viewport.width() < WIDE { BELOW_BARS } else { 10.0 };
    let id = Id::new("unkeyed changes");
    let (pivot, position) = free_spot(ctx, id, viewport, offset, obstacles);
    let area = Area::new(id)
        .order(Order::Middle)
        .pivot(pivot)
        .fixed_pos(position);
    area.show(ctx, |ui| {
        let frame = Frame::new()
            .fill(theme::POPUP)
            .stroke((1.0, theme::HELD))
            .corner_radius(theme::RADIUS + 2)
            .inner_margin(Margin::symmetric(10, 5));
        frame.show(ui, |ui| {
            ui.horizontal(|ui| {
                ui.label(RichText::new(icons::WARNING).color(theme::HELD_TEXT));
                ui.label(counted(count, "unkeyed change", "unkeyed changes"))
                    .on_hover_text(
                        "Keyed values that were changed without a new key. The changes show at every frame.",
                    );
                ui.add_space(theme::SMALL_GAP);
                for (action, text) in [(Action::KEY_UNKEYED, "Key"), (Action::DISMISS_UNKEYED, "Dismiss")] {
                    let response = ui.add(Button::new(text));
                    response.widget_info(|| WidgetInfo::labeled(WidgetType::Button, true, action.text));
                    if response.on_hover_text(action.tooltip).clicked() {
                        out.push(Request::Act(action));
                    }
                }
            });
        });
    });
}
