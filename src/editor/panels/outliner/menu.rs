//! The context menu of a row of the outliner, in both tabs.

use crate::edit::action::Action;
use crate::edit::command::Command;
use crate::edit::request::Request;
use crate::edit::settings::view::View;
use crate::editor::ui::action::keys_text;
use crate::editor::ui::theme;
use crate::editor::ui::tooltip::Tip;
use crate::scene::names::ObjectRef;
use egui::{Button, Ui, WidgetInfo, WidgetType, vec2};

/// Draws the menu; its lines are labelled "Outliner > …". Returns whether Rename was chosen.
pub fn menu_ui(ui: &mut Ui, view: &View, object: &ObjectRef, out: &mut Vec<Request>) -> bool {
    let rename = action_line(ui, Action::RENAME);
    let apply = |command| Request::Apply(vec![command]);
    if let Some(instance) = object.instance() {
        for (action, linked) in [(Action::DUPLICATE, false), (Action::DUPLICATE_LINKED, true)] {
            if action_line(ui, action) {
                let instance = instance.clone();
                out.push(apply(Command::Duplicate { instance, linked }));
            }
        }
        let placed = view.session.animated().instances.get(&instance);
        if let Some(visible) = placed.and_then(|placed| placed.visible) {
            let (text, tooltip) = if visible {
                ("Hide", "Hide it; it stays in the scene.")
            } else {
                ("Show", "Show it again.")
            };
            if line(ui, text, tooltip, None) {
                out.push(apply(Command::show(&instance, !visible)));
            }
        }
    } else if object.kind.instance().is_some() {
        let tooltip = "Add another instance of it, at the origin.";
        if line(ui, "Add instance", tooltip, None) {
            out.push(apply(Command::AddInstance { resource: object.clone() }));
        }
    }
    ui.separator();
    for (action, with_data) in [(Action::DELETE, false), (Action::DELETE_WITH_DATA, true)] {
        if action_line(ui, action) {
            let object = object.clone();
            out.push(apply(Command::Delete { object, with_data }));
        }
    }
    rename
}

fn action_line(ui: &mut Ui, action: Action) -> bool {
    line(ui, action.text, action.tooltip, keys_text(ui.ctx(), action))
}

fn line(ui: &mut Ui, text: &str, tooltip: &str, keys: Option<String>) -> bool {
    let mut button = Button::new(text).min_size(vec2(180.0, theme::ROW));
    if let Some(keys) = keys {
        button = button.shortcut_text(keys);
    }
    let response = ui.add(button.wrap_mode(egui::TextWrapMode::Extend));
    let label = format!("Outliner > {text}");
    response.widget_info(|| WidgetInfo::labeled(WidgetType::Button, ui.is_enabled(), &label));
    response.tip(tooltip).clicked()
}
