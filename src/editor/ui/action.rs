//! Buttons, switches and menu items made from the table of actions: text, tooltip, shortcut, and why they are
//! disabled.

use super::theme::Quiet;
use super::{icons, theme};
use crate::edit::action::{Action, KeyPress};
use crate::edit::request::Request;
use crate::edit::settings::options::Keymap;
use crate::edit::settings::view::View;
use crate::editor::ui::tooltip::Tip;
use egui::{AtomExt as _, Button, Response, RichText, Ui, WidgetInfo, WidgetType, vec2};
use std::sync::Arc;

/// Returns the key that an event reports as pressed.
pub fn key_press(event: &egui::Event) -> Option<KeyPress> {
    let egui::Event::Key { key, physical_key, pressed: true, modifiers, .. } = event else {
        return None;
    };
    Some(KeyPress {
        ctrl: modifiers.command,
        shift: modifiers.shift,
        alt: modifiers.alt,
        key: format!("{key:?}"),
        physical_key: physical_key.map(|key| format!("{key:?}")),
    })
}

/// Returns the action whose shortcut an event presses, if any; for a repeated key, only actions that repeat.
pub fn pressed_action(event: &egui::Event, keys: &Keymap) -> Option<Action> {
    let repeat = matches!(event, egui::Event::Key { repeat: true, .. });
    let action = keys.action(&key_press(event)?);
    action.filter(|action| !repeat || action.repeats)
}

fn keymap_id() -> egui::Id {
    egui::Id::new("keymap")
}

/// Sets the keys that menus and tooltips show from now on.
pub fn set_shown_keymap(ctx: &egui::Context, keys: &Keymap) {
    ctx.data_mut(|data| {
        let shown = data.get_temp_mut_or_default::<Arc<Keymap>>(keymap_id());
        if **shown != *keys {
            *shown = Arc::new(keys.clone());
        }
    });
}

/// Returns the key that menus show for an action.
pub fn keys_text(ctx: &egui::Context, action: Action) -> Option<String> {
    let keys = ctx.data(|data| data.get_temp::<Arc<Keymap>>(keymap_id()));
    keys.unwrap_or_default().text(action)
}

pub fn with_tooltip(response: Response, action: Action, why_not: Option<&str>) -> Response {
    let show = |ui: &mut Ui| tooltip_ui(ui, action, why_not);
    response.tip_ui(show).disabled_tip_ui(show)
}

fn tooltip_ui(ui: &mut Ui, action: Action, why_not: Option<&str>) {
    ui.set_max_width(ui.spacing().tooltip_width);
    ui.horizontal(|ui| {
        ui.strong(action.name());
        if let Some(keys) = keys_text(ui.ctx(), action) {
            ui.weak(keys);
        }
    });
    ui.label(action.tooltip);
    if let Some(why_not) = why_not {
        ui.label(RichText::new(why_not).color(theme::WARNING));
    }
}

/// Names a widget for screen readers and tests, and describes why it is disabled.
pub fn name(
    response: &Response,
    kind: WidgetType,
    label: &str,
    checked: Option<bool>,
    why_not: Option<&str>,
) {
    let enabled = why_not.is_none() && response.enabled();
    response.widget_info(|| match checked {
        Some(checked) => WidgetInfo::selected(kind, enabled, checked, label),
        None => WidgetInfo::labeled(kind, enabled, label),
    });
    if let Some(why_not) = why_not {
        response.ctx.accesskit_node_builder(response.id, |node| node.set_description(why_not));
    }
}

/// A button of `width` that requests `action`, labelled with its text.
pub fn action_button(
    ui: &mut Ui,
    view: &View,
    action: Action,
    width: f32,
    out: &mut Vec<Request>,
) -> Response {
    button(ui, view, action, vec2(width, theme::ROW), None, out)
}

/// The button of the tool in hand, lit; a click puts the tool away.
pub fn active_tool_button(ui: &mut Ui, view: &View, tool: Action, out: &mut Vec<Request>) {
    let (ink, fill) = theme::switch(true);
    let button = Button::new(RichText::new(tool.text_in(view)).color(ink))
        .fill(fill)
        .min_size(vec2(ui.available_width(), theme::ROW));
    let response = ui.horizontal(|ui| ui.add(button)).inner;
    finish(response, (tool, tool.text_in(view)), Some(true), None, out);
}

/// The most important button of its group: taller, in the accent colour.
pub fn main_button(ui: &mut Ui, view: &View, action: Action, width: f32, out: &mut Vec<Request>) -> Response {
    button(ui, view, action, vec2(width, theme::TALL), Some(*theme::ACCENT), out)
}

fn button(
    ui: &mut Ui,
    view: &View,
    action: Action,
    size: egui::Vec2,
    fill: Option<egui::Color32>,
    out: &mut Vec<Request>,
) -> Response {
    let why_not = action.enabled(view).err();
    let text = action.text_in(view);
    let button = match fill.filter(|_| why_not.is_none()) {
        Some(fill) => Button::new(RichText::new(text).color(theme::ON_ACCENT).strong()).fill(fill),
        None if why_not.is_some() => Button::new(text).fill(theme::fill_if(false, *theme::CONTROL)),
        None => Button::new(text),
    };
    // A horizontal layout centres the text.
    let button = button.min_size(size).truncate();
    let response = ui.horizontal(|ui| ui.add_enabled(why_not.is_none(), button)).inner;
    finish(response, (action, text), None, why_not.as_deref(), out)
}

/// A small button with an icon, labelled with the text of `action`.
pub fn icon_button(ui: &mut Ui, view: &View, action: Action, icon: &str, out: &mut Vec<Request>) -> Response {
    let why_not = action.enabled(view).err();
    let button = Button::new(RichText::new(icon).size(theme::HEADING)).min_size(vec2(26.0, theme::ROW));
    let response = ui.add_enabled(why_not.is_none(), button.quiet(false));
    finish(response, (action, action.text), None, why_not.as_deref(), out)
}

/// A small button that shows the number of objects that `action` applies to; labelled with its text.
pub fn counted_button(
    ui: &mut Ui,
    view: &View,
    action: Action,
    count: &str,
    out: &mut Vec<Request>,
) -> Response {
    let why_not = action.enabled(view).err();
    let text = RichText::new(count).color(theme::WARNING).small();
    let button = Button::new(text).frame(false).min_size(vec2(0.0, theme::ROW));
    let response = ui.add_enabled(why_not.is_none(), button);
    finish(response, (action, action.text), None, why_not.as_deref(), out)
}

/// A switch that is conspicuous while it is on. `with_text`: shows the text after the icon.
pub fn prominent_switch(
    ui: &mut Ui,
    view: &View,
    action: Action,
    icon: &str,
    with_text: bool,
    out: &mut Vec<Request>,
) -> Response {
    let (checked, why_not) = (action.checked(view) == Some(true), action.enabled(view).err());
    let text = action.text;
    let shown = if with_text { format!("{icon} {text}") } else { icon.to_owned() };
    let button = if checked {
        Button::new(RichText::new(shown).color(theme::TEXT_STRONG).strong()).fill(theme::AUTO_KEY)
    } else {
        Button::new(shown)
    };
    let response = ui.add_enabled(why_not.is_none(), button.min_size(vec2(26.0, theme::ROW)));
    finish(response, (action, action.text), Some(checked), why_not.as_deref(), out)
}

/// A checkbox for an action that is a switch.
pub fn action_switch(ui: &mut Ui, view: &View, action: Action, out: &mut Vec<Request>) -> Response {
    let why_not = action.enabled(view).err();
    let mut checked = action.checked(view).unwrap_or(false);
    let text = action.text;
    let response = ui.add_enabled(why_not.is_none(), egui::Checkbox::new(&mut checked, text));
    finish(response, (action, action.text), Some(checked), why_not.as_deref(), out)
}

/// A small square button with an icon, for an action that is a switch or one of several choices; labelled
/// with its text.
pub fn icon_switch(ui: &mut Ui, view: &View, action: Action, icon: &str, out: &mut Vec<Request>) -> Response {
    icon_switch_as(ui, view, (action, icon), action.checked(view) == Some(true), out)
}

/// Same as [`icon_switch`], for an action that does not know whether it is on.
pub fn icon_switch_as(
    ui: &mut Ui,
    view: &View,
    (action, icon): (Action, &str),
    checked: bool,
    out: &mut Vec<Request>,
) -> Response {
    let why_not = action.enabled(view).err();
    let (ink, fill) = theme::switch(checked);
    let size = vec2(theme::ROW + 4.0, theme::ROW);
    let button = Button::new(RichText::new(icon).color(ink).size(theme::HEADING))
        .fill(theme::fill_if(why_not.is_none(), fill))
        .stroke(egui::Stroke::NONE)
        .min_size(size);
    let response = ui.add_enabled_ui(why_not.is_none(), |ui| ui.add_sized(size, button)).inner;
    finish(response, (action, action.text), Some(checked), why_not.as_deref(), out)
}

/// The least width of a line of a menu.
pub const MENU_WIDTH: f32 = 220.0;

/// The mark before the text of a line of a menu, which aligns switches and plain lines.
pub fn menu_mark(checked: Option<bool>) -> egui::Atom<'static> {
    let mark = if checked == Some(true) { icons::CHECK } else { "" };
    RichText::new(mark).atom_size(vec2(16.0, theme::BODY))
}

/// A line of the menu called `menu`. `text` replaces the table's text where that is not enough (what Undo
/// undoes). Labelled "<menu> > <text>", so that it is never confused with a button elsewhere.
pub fn menu_item(
    ui: &mut Ui,
    view: &View,
    menu: &str,
    action: Action,
    text: Option<String>,
    out: &mut Vec<Request>,
) -> Response {
    let why_not = action.enabled(view).err();
    let checked = action.checked(view);
    let text = text.unwrap_or_else(|| action.text_in(view).to_owned());
    let mut button = Button::new((menu_mark(checked), text.as_str())).wrap_mode(egui::TextWrapMode::Extend);
    if let Some(keys) = keys_text(ui.ctx(), action) {
        button = button.shortcut_text(keys);
    }
    let response = ui.add_enabled(why_not.is_none(), button.min_size(vec2(MENU_WIDTH, theme::ROW)));
    let label = format!("{menu} > {text}");
    let kind = if checked.is_some() { WidgetType::Checkbox } else { WidgetType::Button };
    name(&response, kind, &label, checked, why_not.as_deref());
    if response.clicked() {
        out.push(Request::Act(action));
    }
    with_tooltip(response, action, why_not.as_deref())
}

/// Names a widget, adds its tooltip, and requests its action when clicked. `checked`: the state of a switch.
fn finish(
    response: Response,
    (action, text): (Action, &str),
    checked: Option<bool>,
    why_not: Option<&str>,
    out: &mut Vec<Request>,
) -> Response {
    let kind = match checked {
        Some(_) => WidgetType::Checkbox,
        None => WidgetType::Button,
    };
    name(&response, kind, text, checked, why_not);
    if response.clicked() {
        out.push(Request::Act(action));
    }
    with_tooltip(response, action, why_not)
}
