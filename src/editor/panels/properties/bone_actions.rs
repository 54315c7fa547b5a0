//! Buttons for the actions of the Bone menu that are used most while building a skeleton.

use super::{Page, buttons};
use crate::edit::action::Action;
use crate::editor::ui::theme;
use egui::Ui;

pub fn bone_actions_ui(ui: &mut Ui, page: &mut Page) {
    ui.add_space(theme::GAP);
    for row in [
        [Action::MIRROR, Action::DUPLICATE],
        [Action::SPLIT_BONES, Action::MERGE_BONES],
        [Action::ALIGN_ROLL, Action::ALIGN_ROLL_TO_AXIS],
        [Action::FIT_RADIUS, Action::SCALE_RADIUS],
        [Action::ADD_LIMB_IK, Action::HUMAN_LIMITS],
    ] {
        buttons(ui, page.view, &row, page.out);
    }
}
