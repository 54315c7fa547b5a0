//! The small bar in the upper right corner of the viewport: what is drawn there, and how bones look.

use super::gizmo_bar::is_shown;
use crate::edit::action::Action;
use crate::edit::request::Request;
use crate::edit::view::{Tab, View};
use crate::editor::ui::action::icon_switch;
use crate::editor::ui::{icons, theme};
use egui::{Align2, Area, Context, Frame, Id, Margin, Order, Rect};

/// Below it lies what else stands in that corner.
pub const HEIGHT: f32 = theme::ROW + 8.0;

/// Its buttons are labelled with the texts of their actions.
pub fn view_bar_ui(ctx: &Context, view: &View, viewport: Rect, out: &mut Vec<Request>) {
    if viewport.width() < 260.0 {
        return;
    }
    // Beside the bar of the gizmo, or where that has no room below it.
    let below = match is_shown(view) && viewport.width() < 620.0 {
        true => HEIGHT + theme::GAP,
        false => 0.0,
    };
    let area = Area::new(Id::new("view bar"))
        .order(Order::Middle)
        .pivot(Align2::RIGHT_TOP)
        .fixed_pos(viewport.right_top() + egui::vec2(-10.0, 10.0 + below));
    area.show(ctx, |ui| {
        let frame = Frame::new()
            .fill(theme::BAR.gamma_multiply(0.9))
            .corner_radius(theme::RADIUS + 2)
            .inner_margin(Margin::same(4));
        frame.show(ui, |ui| {
            ui.horizontal(|ui| {
                ui.spacing_mut().item_spacing.x = 1.0;
                icon_switch(ui, view, Action::ToggleSkin, icons::SURFACE, out);
                icon_switch(ui, view, Action::ToggleWireframe, icons::WIREFRAME, out);
                ui.add_space(theme::GAP);
                icon_switch(ui, view, Action::ToggleBones, icons::SHOWN, out);
                icon_switch(ui, view, Action::BonesAutomatic, icons::AUTOMATIC, out);
                icon_switch(ui, view, Action::BonesAsCapsules, icons::BONE, out);
                icon_switch(ui, view, Action::BonesAsSpheres, icons::SPHERES, out);
                icon_switch(ui, view, Action::BonesAsFrames, icons::FRAMES, out);
                if view.settings.tab == Tab::Animate {
                    ui.add_space(theme::GAP);
                    icon_switch(ui, view, Action::ToggleMotionPaths, icons::PATHS, out);
                }
            });
        });
    });
}
