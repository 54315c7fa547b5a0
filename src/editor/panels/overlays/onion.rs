//! The settings menu of the onion skins, next to their switch in the view bar: by keys or by frames, how
//! many, and their opacity.

use crate::edit::action::Action;
use crate::edit::request::Request;
use crate::edit::settings::view::View;
use crate::edit::time::onion::settings::{MOST_GHOSTS, OnionSettings};
use crate::editor::ui::action::action_button;
use crate::editor::ui::choice::line_ui;
use crate::editor::ui::theme::Quiet;
use crate::editor::ui::tooltip::Tip;
use crate::editor::ui::{icons, theme};
use egui::containers::menu::{MenuButton, MenuConfig};
use egui::{Button, PopupCloseBehavior, RichText, Slider, Ui, WidgetInfo, WidgetType, vec2};
use std::ops::RangeInclusive;

/// Draws the menu button, labelled "Onion skin settings".
pub fn onion_menu_ui(ui: &mut Ui, view: &View, out: &mut Vec<Request>) {
    let before = &view.settings.display.onion;
    let mut onion = before.clone();
    let button =
        Button::new(RichText::new(icons::OPEN).small()).quiet(false).min_size(vec2(14.0, theme::ROW));
    let config = MenuConfig::new().close_behavior(PopupCloseBehavior::CloseOnClickOutside);
    let (response, _) = MenuButton::from_button(button).config(config).ui(ui, |ui| {
        ui.set_width(250.0);
        if view.session.selection().mesh.is_none() {
            let text = "Select a character: its ghosts are shown.";
            ui.label(RichText::new(text).color(theme::TEXT_QUIET));
            ui.separator();
        }
        for (by_keys, text) in [(true, "By keys"), (false, "By frames")] {
            if line_ui(ui, "Onion skins", text, onion.by_keys == by_keys) {
                onion.by_keys = by_keys;
            }
        }
        ui.separator();
        slider(ui, "Ghosts before", "Number of earlier ghosts (warm).", &mut onion.before, 0..=MOST_GHOSTS);
        slider(ui, "Ghosts after", "Number of later ghosts (cool).", &mut onion.after, 0..=MOST_GHOSTS);
        ui.add_enabled_ui(!onion.by_keys, |ui| {
            slider(
                ui,
                "Frames between ghosts",
                "Frames from one ghost to the next, when shown by frames.",
                &mut onion.step,
                1..=24,
            );
        });
        opacity_ui(ui, &mut onion);
        colors_ui(ui, &mut onion);
        limb_ui(ui, &mut onion);
        ui.separator();
        for action in [Action::PIN_ONION, Action::UNPIN_ONIONS] {
            action_button(ui, view, action, ui.available_width(), out);
        }
    });
    response.widget_info(|| WidgetInfo::labeled(WidgetType::Button, true, "Onion skin settings"));
    response.tip("Which frames have ghosts, and how faint they are");
    if onion != *before {
        // Changing a setting also shows the onion skins.
        out.push(Request::Onion(OnionSettings { on: true, ..onion }));
    }
}

fn slider(ui: &mut Ui, name: &str, tooltip: &str, value: &mut u32, range: RangeInclusive<u32>) {
    let response = ui.horizontal(|ui| {
        let response = ui.add(Slider::new(value, range));
        ui.label(name);
        response
    });
    let response = response.inner;
    response.widget_info(|| WidgetInfo::slider(true, f64::from(*value), name));
    response.tip(tooltip);
}

fn opacity_ui(ui: &mut Ui, onion: &mut OnionSettings) {
    let name = "Opacity of ghosts";
    let response = ui.horizontal(|ui| {
        let response = ui.add(Slider::new(&mut onion.opacity, 0.05..=1.0).max_decimals(2));
        ui.label(name);
        response
    });
    let response = response.inner;
    response.widget_info(|| WidgetInfo::slider(true, f64::from(onion.opacity), name));
    response.tip("Opacity of the nearest ghost; others fade.");
}

fn colors_ui(ui: &mut Ui, onion: &mut OnionSettings) {
    ui.horizontal(|ui| {
        for (color, name) in onion.colors.iter_mut().zip(["before", "after", "pinned"]) {
            let response = ui.color_edit_button_srgb(color);
            let label = format!("Colour of ghosts {name}");
            ui.ctx().accesskit_node_builder(response.id, |node| node.set_label(label.as_str()));
            ui.label(name);
        }
    });
}

fn limb_ui(ui: &mut Ui, onion: &mut OnionSettings) {
    let name = "Selected limb only";
    let response = ui.checkbox(&mut onion.limb, name);
    let checked = onion.limb;
    response.widget_info(|| WidgetInfo::selected(WidgetType::Checkbox, true, checked, name));
    response.tip(
        "Show only what follows the selected bones, or those that the selected handles turn; \
         the whole character if none is selected.",
    );
}
