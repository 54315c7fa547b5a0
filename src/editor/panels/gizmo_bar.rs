//! The small bar over the viewport while an instance (in the Rig tab, a bone) is selected: the mode of its
//! gizmo and the space of its axes.

use crate::edit::action::Action;
use crate::edit::request::Request;
use crate::edit::tool::placement::Placement;
use crate::edit::view::{Tab, View};
use crate::editor::ui::segments::segments_ui;
use crate::editor::ui::theme;
use egui::{Align2, Area, Context, Frame, Id, Margin, Order, Pos2, Rect, Ui};

/// Whether the selection has a gizmo with modes.
pub fn is_shown(view: &View) -> bool {
    match view.settings.tab {
        Tab::Rig => view.session.selection().bone().is_some(),
        Tab::Animate => Placement::from_view(view).is_some(),
    }
}

/// Draws the bar at the top left of `viewport`. Its buttons are labelled with the texts of their actions.
pub fn gizmo_bar_ui(ctx: &Context, view: &View, viewport: Rect, out: &mut Vec<Request>) {
    if !is_shown(view) || viewport.width() < 420.0 {
        return;
    }
    let corner = viewport.left_top() + egui::vec2(10.0, 10.0);
    bar_ui(ctx, "gizmo bar", Align2::LEFT_TOP, corner, |ui| {
        let modes = [
            (Action::GIZMO_MOVE, "Move"),
            (Action::GIZMO_ROTATE, "Rotate"),
            (Action::GIZMO_SCALE, "Scale"),
        ];
        segments_ui(ui, view, &modes, out);
        ui.add_space(theme::SMALL_GAP);
        let axes = [
            (Action::AXES_WORLD, "World"),
            (Action::AXES_PARENT, "Parent"),
            (Action::AXES_LOCAL, "Local"),
        ];
        segments_ui(ui, view, &axes, out);
    });
}

/// Draws a bar over the viewport, with its `corner` at `position`.
pub(super) fn bar_ui(ctx: &Context, name: &str, corner: Align2, position: Pos2, add: impl FnOnce(&mut Ui)) {
    let area = Area::new(Id::new(name)).order(Order::Middle).pivot(corner);
    area.fixed_pos(position).show(ctx, |ui| {
        let frame = Frame::new()
            .fill(theme::BAR.gamma_multiply(0.9))
            .corner_radius(theme::RADIUS + 2)
            .inner_margin(Margin::same(4));
        frame.show(ui, |ui| ui.horizontal(add));
    });
}
