//! Submenus of the menu of keys.

use crate::editor::ui::icons;
use crate::editor::ui::theme;
use crate::editor::ui::tooltip::Tip;
use egui::containers::menu::SubMenuButton;
use egui::{Button, Ui, Vec2, WidgetInfo, WidgetType, vec2};

/// The least size of a line of the menu, in points.
pub const LINE: Vec2 = vec2(220.0, theme::ROW);

/// Draws the entry of a submenu, labelled "Keys > <text>", which is enabled unless there is a reason, and what it opens.
/// Returns what that returns; `None` while it is closed.
pub fn submenu<T>(
    ui: &mut Ui,
    text: &str,
    disabled_reason: Option<&str>,
    add: impl FnOnce(&mut Ui) -> T,
) -> Option<T> {
    let is_enabled = disabled_reason.is_none();
    ui.add_enabled_ui(is_enabled, |ui| {
        let button = Button::new(text).right_text(icons::CLOSED).min_size(LINE);
        let (response, open) = SubMenuButton::from_button(button).ui(ui, add);
        let label = format!("Keys > {text}");
        response.widget_info(|| WidgetInfo::labeled(WidgetType::Button, is_enabled, &label));
        response.disabled_tip(disabled_reason.unwrap_or_default());
        open.map(|open| open.inner)
    })
    .inner
}
