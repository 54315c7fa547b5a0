//! The banner below the view while there are unkeyed changes: their number, and buttons to key or dismiss them.

use crate::edit::action::Action;
use crate::edit::request::Request;
use crate::edit::settings::view::{Tab, View};
use crate::editor::panels::overlays::strip::bottom_strip_ui;
use crate::editor::panels::status::counted;
use crate::editor::ui::tooltip::Tip;
use crate::editor::ui::{icons, theme};
use egui::{Button, Ui, WidgetInfo, WidgetType};

/// Shows the banner. Its buttons are labelled with the texts of their actions.
pub fn unkeyed_banner_ui(ui: &mut Ui, view: &View, out: &mut Vec<Request>) {
    let count = view.session.unkeyed().len();
    if count == 0 || view.settings.tab != Tab::Animate {
        return;
    }
    bottom_strip_ui(
        ui,
        "unkeyed changes",
        None,
        (icons::WARNING, *theme::HELD_TEXT),
        |ui| {
            ui.label(counted(count, "unkeyed change", "unkeyed changes"))
                .tip("Keyed values that were changed without a new key. The changes show at every frame.");
        },
        |ui| {
            for (action, text) in [(Action::DISMISS_UNKEYED, "Dismiss"), (Action::KEY_UNKEYED, "Key")] {
                let response = ui.add(Button::new(text));
                response.widget_info(|| WidgetInfo::labeled(WidgetType::Button, true, action.text));
                if response.tip(action.tooltip).clicked() {
                    out.push(Request::Act(action));
                }
            }
        },
    );
}
