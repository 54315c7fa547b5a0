//! The banner below the view while a tool is active: what the next click does, and a button to end the tool.

use crate::edit::action::Action;
use crate::edit::request::Request;
use crate::editor::panels::overlays::strip::bottom_strip_ui;
use crate::editor::ui::tooltip::Tip;
use crate::editor::ui::{icons, theme};
use egui::{Button, Label, RichText, Ui, WidgetInfo, WidgetType};

/// Shows the banner. The label of its button is "End" and the text of the tool's action.
pub fn banner_ui(ui: &mut Ui, tool: Action, prompt: &str, out: &mut Vec<Request>) {
    let text = tool.text;
    let label = format!("End {text}");
    bottom_strip_ui(
        ui,
        "tool banner",
        None,
        (icons::BONE, *theme::ACCENT),
        |ui| {
            ui.label(RichText::new(text).strong());
            ui.add(Label::new(prompt).truncate());
        },
        |ui| {
            let end = ui.add(Button::new("End"));
            end.widget_info(|| WidgetInfo::labeled(WidgetType::Button, true, &label));
            if end.tip(format!("{label} (Esc)")).clicked() {
                out.push(Request::Act(tool));
            }
        },
    );
}
