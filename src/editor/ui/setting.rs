//! The field of a number that belongs to the window or to a dialog, not to the document. It looks like the
//! other fields.

use super::theme;
use crate::editor::ui::tooltip::Tip;
use egui::{DragValue, Response, Ui, Vec2};

/// Shows the field, labelled `label`. The title of its tooltip is `label` without a final "field".
pub fn setting_ui(ui: &mut Ui, label: &str, tooltip: &str, size: Vec2, number: DragValue) -> Response {
    let response = ui.scope(|ui| {
        theme::look_like_field(ui.visuals_mut());
        ui.add_sized(size, number)
    });
    let response = response.inner;
    ui.ctx().accesskit_node_builder(response.id, |node| node.set_label(label));
    response.tip_ui(|ui| {
        ui.strong(label.trim_end_matches(" field"));
        ui.label(tooltip);
        ui.weak("Drag, or click to type.");
    })
}
