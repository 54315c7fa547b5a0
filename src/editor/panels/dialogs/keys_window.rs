//! The window of keyboard shortcuts and mouse controls: a search, and two columns that are the same in all
//! sections.

use crate::edit::action::Menu;
use crate::edit::settings::preset::Preset;
use crate::edit::settings::view::View;
use crate::editor::ui::row::line_edit;
use crate::editor::ui::theme;
use egui::{Align, Context, Id, InputState, Key, Label, Layout, RichText, ScrollArea, Ui, Window, vec2};

/// The title of the window, and its id.
pub(in crate::editor::panels) const TITLE: &str = "Keyboard shortcuts";

/// The state of the window between frames.
#[derive(Default)]
pub struct KeysWindow {
    pub open: bool,
    search: String,
    /// Whether the search has been given the keyboard focus.
    focused: bool,
    /// Whether the last click was in the window, or none was since it opened. Keys do nothing in the document then.
    has_keyboard: bool,
}

impl KeysWindow {
    pub fn toggle(&mut self) {
        *self = Self { open: !self.open, has_keyboard: true, ..Self::default() };
    }

    pub fn takes_keys(&self) -> bool {
        self.open && self.has_keyboard
    }
}

/// The mouse controls, which the table of actions does not list.
const MOUSE: [(&str, &str); 11] = [
    ("Select", "Click"),
    ("Select one more, or one less", "Shift+click, Ctrl+click"),
    ("Select in a box", "Drag in empty space, Shift adds"),
    ("Zoom to the pointer", "Wheel"),
    ("Cancel a drag", "Esc, right click"),
    ("Change a number", "Drag it, Shift is finer"),
    ("Type a number", "Click it; Enter accepts, Esc cancels"),
    ("Reset a number", "Double-click its name"),
    ("Navigate the bone tree", "Arrow keys, Shift extends the selection"),
    ("Rename a bone in the tree", "Double-click"),
    ("Give a bone another parent", "Drag its row onto the other's"),
];

/// The mouse controls of the camera.
fn camera_rows(mouse: Preset) -> &'static [(&'static str, &'static str)] {
    match mouse {
        Preset::Ossature => {
            &[("Orbit", "Middle drag, Alt+left drag"), ("Pan", "Shift+middle drag, right drag")]
        }
        Preset::Blender => &[
            ("Orbit", "Middle drag, Alt+left drag"),
            ("Pan", "Shift+middle drag, right drag"),
            ("Zoom", "Ctrl+middle drag"),
        ],
        Preset::Maya => &[
            ("Orbit", "Alt+left drag"),
            ("Pan", "Alt+middle drag, middle drag, right drag"),
            ("Zoom", "Alt+right drag"),
        ],
    }
}

/// Returns all sections: a title, and what is done with which keys. `all`: also actions without keys.
fn sections(view: &View, all: bool) -> Vec<(String, Vec<(&'static str, String)>)> {
    let options = &view.settings.options;
    let mouse = MOUSE.iter().chain(camera_rows(options.mouse));
    let mouse = mouse.map(|(name, keys)| (*name, (*keys).to_owned()));
    let menus = Menu::ALL.iter().map(|menu| {
        let rows = menu.actions.iter().map(|action| {
            let keys = options.keys.shortcuts(*action);
            let keys: Vec<_> = keys.iter().map(ToString::to_string).collect();
            (action.name(), keys.join(", "))
        });
        let rows = rows.filter(|(_, keys)| all || !keys.is_empty()).collect();
        (format!("{} menu", menu.text), rows)
    });
    let sheet = crate::editor::panels::timeline::key_list().collect();
    let first = [
        ("Mouse and fields".to_owned(), mouse.collect()),
        ("In the dope sheet, after clicking it".to_owned(), sheet),
    ];
    first.into_iter().chain(menus).collect()
}

pub fn keys_ui(ctx: &Context, view: &View, state: &mut KeysWindow) {
    let room = (ctx.content_rect().size() - vec2(60.0, 110.0)).max(vec2(200.0, 120.0));
    let closes = |input: &InputState| input.key_pressed(Key::Escape) || input.key_pressed(Key::F1);
    if state.takes_keys() && ctx.input(closes) {
        state.open = false;
    }
    let KeysWindow { open, search, focused, has_keyboard } = state;
    let shown = Window::new(TITLE)
        .id(Id::new(TITLE))
        .open(open)
        .collapsible(false)
        .pivot(egui::Align2::CENTER_CENTER)
        .default_pos(ctx.content_rect().center())
        .default_size(vec2(520.0, 560.0).min(room))
        .max_size(room)
        .show(ctx, |ui| {
            let field = ui.add(line_edit(search, ui.available_width()).hint_text("Search actions and keys"));
            ui.ctx().accesskit_node_builder(field.id, |node| node.set_label("Search shortcuts"));
            if !std::mem::replace(focused, true) {
                field.request_focus();
            }
            ui.add_space(theme::SMALL_GAP);
            let wanted = search.trim().to_lowercase();
            let found = |title: &str, name: &str, keys: &str| {
                [title, name, keys].iter().any(|text| text.to_lowercase().contains(&wanted))
            };
            ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
                let mut is_empty = true;
                for (title, mut rows) in sections(view, !wanted.is_empty()) {
                    rows.retain(|(name, keys)| found(&title, name, keys));
                    if !rows.is_empty() {
                        is_empty = false;
                        section_ui(ui, &title, &rows);
                    }
                }
                if is_empty {
                    ui.weak("Nothing found. Search for a part of a name, or for a key such as Ctrl+K.");
                }
            });
        });
    let press = ctx.input(|input| input.pointer.press_origin().filter(|_| input.pointer.any_pressed()));
    if let (Some(shown), Some(press)) = (shown, press) {
        *has_keyboard = shown.response.rect.contains(press);
    }
}

fn section_ui(ui: &mut Ui, title: &str, rows: &[(&str, String)]) {
    ui.add_space(theme::GAP);
    ui.label(RichText::new(title).strong().color(theme::ACCENT));
    for (name, keys) in rows {
        let width = (ui.available_width() * 0.5).round();
        ui.with_layout(Layout::left_to_right(Align::TOP), |ui| {
            ui.allocate_ui(vec2(width, 0.0), |ui| {
                ui.set_width(width);
                ui.add(Label::new(*name).wrap());
            });
            let keys = if keys.is_empty() { "No keys" } else { keys };
            ui.add(Label::new(RichText::new(keys).color(theme::TEXT_QUIET)).wrap());
        });
    }
}
