//! The small bar over the viewport while an instance is selected, or in Rig a bone: what its gizmo does, and whose axes
//! it has.

use crate::edit::action::Action;
use crate::edit::request::Request;
use crate::edit::tool::placement::Placement;
use crate::edit::view::{Tab, View};
use crate::editor::ui::segments::segments_ui;
use crate::editor::ui::theme;
use egui::{Area, Context, Frame, Id, Margin, Order, Rect};

/// Whether something is selected that it is about.
pub fn is_shown(view: &View) -> bool {
    match view.settings.tab {
        Tab::Rig => view.session.selection().bone().is_some(),
        Tab::Animate => Placement::of(view).is_some(),
    }
}

/// Stands at the top left of `viewport`. Its buttons are labelled with the texts of their actions.
pub fn gizmo_bar_ui(ctx: &Context, view: &View, viewport: Rect, out: &mut Vec<Request>) {
    if !is_shown(view) || viewport.width() < 420.0 {
        return;
    }
    let area = Area::new(Id::new("gizmo bar"))
        .order(Order::Middle)
        .fixed_pos(viewport.left_top() + egui::vec2(10.0, 10.0));
    area.show(ctx, |ui| {
        let frame = Frame::new()
            .fill(theme::BAR.gamma_multiply(0.9))
            .corner_radius(theme::RADIUS + 2)
            .inner_margin(Margin::same(4));
        frame.show(ui, |ui| {
            ui.horizontal(|ui| {
                let modes = [
                    (Action::GizmoMove, "Move"),
                    (Action::GizmoTurn, "Rotate"),
                    (Action::GizmoScale, "Scale"),
                ];
                segments_ui(ui, view, &modes, out);
                ui.add_space(theme::SMALL_GAP);
                let axes = [
                    (Action::AxesWorld, "World"),
                    (Action::AxesParent, "Parent"),
                    (Action::AxesLocal, "Local"),
                ];
                segments_ui(ui, view, &axes, out);
            });
        });
    });
}
