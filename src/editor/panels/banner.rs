//! The banner over the viewport while a tool is active: what the next click does, and a button to end the
//! tool.

use crate::edit::action::Action;
use crate::edit::request::Request;
use crate::edit::view::View;
use crate::editor::panels::view_bar;
use crate::editor::ui::spot::{Obstacle, freer_spot};
use crate::editor::ui::{icons, theme};
use egui::{
    Align2, Area, Button, Context, Frame, Id, Margin, Order, Pos2, Rect, RichText, WidgetInfo, WidgetType,
    vec2,
};

/// Draws the banner at the bottom of `viewport`, away from the bars and a character's face, or below the bars
/// where it covers fewer obstacles. The label of its button is "End" and the text of the tool's action.
pub fn banner_ui(
    ctx: &Context,
    view: &View,
    viewport: Rect,
    obstacles: &[Obstacle],
    (tool, prompt): (Action, &str),
    out: &mut Vec<Request>,
) {
    let text = tool.text;
    let label = format!("End {text}");
    let id = Id::new("tool banner");
    let bars = view_bar::bottom(ctx, view, viewport);
    let spots = [
        (Align2::CENTER_BOTTOM, viewport.center_bottom() - vec2(0.0, 12.0)),
        (Align2::CENTER_TOP, Pos2::new(viewport.center().x, bars)),
    ];
    let (pivot, position) = freer_spot(ctx, id, spots, obstacles);
    let area = Area::new(id)
        .order(Order::Middle)
        .pivot(pivot)
        .fixed_pos(position);
    area.show(ctx, |ui| {
        let frame = Frame::new()
            .fill(theme::POPUP)
            .stroke((1.0, theme::ACCENT))
            .corner_radius(theme::RADIUS + 2)
            .inner_margin(Margin::symmetric(10, 5));
        frame.show(ui, |ui| {
            ui.horizontal(|ui| {
                ui.label(RichText::new(icons::BONE).color(theme::ACCENT));
                ui.label(RichText::new(text).strong());
                ui.label(RichText::new(prompt));
                ui.add_space(theme::GAP);
                let end = ui.add(Button::new("End"));
                end.widget_info(|| WidgetInfo::labeled(WidgetType::Button, true, &label));
                if end.on_hover_text(format!("{label} (Esc)")).clicked() {
                    out.push(Request::Act(tool));
                }
            });
        });
    });
}
