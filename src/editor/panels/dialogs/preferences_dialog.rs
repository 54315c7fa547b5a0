//! Edit > Preferences: the options of the program. Changes take effect immediately.

use crate::edit::action::{Action, Menu, Shortcut};
use crate::edit::request::Request;
use crate::edit::settings::options::Keymap;
use crate::edit::settings::options::{Drawing, Options, SCALES, Theme, UNDO_MEGABYTES};
use crate::edit::settings::preset::Preset;
use crate::edit::settings::view::View;
use crate::edit::settings::view_colors::ViewColors;
use crate::editor::ui::action::key_press;
use crate::editor::ui::dialog::{dialog_button, is_confirmed, is_dismissed, modal};
use crate::editor::ui::row::line_edit;
use crate::editor::ui::setting::setting_ui;
use crate::editor::ui::theme;
use crate::editor::ui::theme::Quiet;
use crate::editor::ui::tooltip::Tip;
use egui::{Align, Button, Checkbox, ComboBox, Context, DragValue, Event, Grid, Key, Layout, RichText};
use egui::{ScrollArea, TextStyle, Ui, WidgetInfo, WidgetType, vec2};

#[derive(Default)]
pub struct PreferencesState {
    open: bool,
    filter: String,
    /// The action that waits for a key press, and the key pressed if another action uses it.
    listening: Option<(Action, Option<Shortcut>)>,
}

impl PreferencesState {
    pub fn open(&mut self) {
        *self = Self { open: true, ..Self::default() };
    }

    pub fn is_open(&self) -> bool {
        self.open
    }
}

pub fn preferences_ui(ctx: &Context, view: &View, state: &mut PreferencesState, out: &mut Vec<Request>) {
    if !state.open {
        return;
    }
    let current = &view.settings.options;
    let mut options = current.clone();
    let confirmed = state.listening.is_none() && is_confirmed(ctx);
    listen(ctx, state, &mut options.keys);
    let shown = modal("preferences").show(ctx, |ui| {
        let room = ui.ctx().content_rect().size() - vec2(60.0, 120.0);
        ui.set_width(590.0_f32.min(room.x));
        ui.heading("Preferences");
        ui.add_space(theme::GAP);
        program_ui(ui, &mut options);
        ui.add_space(theme::GAP);
        ui.separator();
        keys_ui(ui, state, &mut options.keys, (room.y - 374.0).max(120.0));
        ui.add_space(theme::GAP * 2.0);
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let close = ui.add(dialog_button("Close")).clicked();
            let all = ui.add(dialog_button("Reset all"));
            if all.tip("Reset everything here to its default.").clicked() {
                options = Options::default();
            }
            close
        })
        .inner
    });
    if options != *current {
        out.push(Request::Options(Box::new(options)));
    }
    if confirmed || shown.inner || state.listening.is_none() && is_dismissed(&shown) {
        state.open = false;
    }
}

fn program_ui(ui: &mut Ui, options: &mut Options) {
    Grid::new("program").num_columns(2).min_col_width(180.0).show(ui, |ui| {
        let size = vec2(90.0, theme::ROW);
        ui.label("Theme");
        let themes = [
            (Theme::Dark, "Dark", "Light text on dark panels."),
            (Theme::Light, "Light", "Dark text on light panels."),
        ];
        choice_ui(ui, "Theme of the window", &mut options.theme, &themes);
        ui.end_row();
        ui.with_layout(Layout::top_down(Align::LEFT), |ui| {
            // Beside the first of several rows.
            ui.add_space(0.5 * (ui.spacing().interact_size.y - ui.text_style_height(&TextStyle::Body)));
            ui.label("View");
        });
        let mut colors = options.view_colors();
        colors_ui(ui, &mut colors, options.theme.view_colors());
        if colors != options.view_colors() {
            options.set_view_colors(colors);
        }
        ui.end_row();
        ui.label("Interface scale");
        // Applied only after dragging or typing ends, since the field would move away from the pointer.
        let id = ui.id().with("scale");
        let mut percent = ui.data(|data| data.get_temp(id)).unwrap_or((options.scale * 100.0).round());
        let number = DragValue::new(&mut percent).range(SCALES[0] * 100.0..=SCALES[1] * 100.0).suffix(" %");
        let field = setting_ui(ui, "Interface scale field", "Everything except the scene.", size, number);
        if field.dragged() || field.has_focus() {
            ui.data_mut(|data| data.insert_temp(id, percent));
        } else {
            ui.data_mut(|data| data.remove::<f32>(id));
            if field.changed() || field.drag_stopped() || field.lost_focus() {
                options.scale = percent / 100.0;
            }
        }
        ui.end_row();
        ui.label("Mouse navigation");
        let about = |preset: Preset| match preset {
            Preset::Ossature => {
                "Middle drag orbits, with Shift it pans; right drag pans; Alt+left drag orbits."
            }
            Preset::Blender => "Like Ossature; Ctrl+middle drag zooms.",
            Preset::Maya => "Alt+left drag orbits, Alt+middle drag pans, Alt+right drag zooms.",
        };
        let presets = Preset::ALL.map(|preset| (preset, preset.text(), about(preset)));
        choice_ui(ui, "Mouse navigation", &mut options.mouse, &presets);
        ui.end_row();
        ui.label("Drawing");
        let choices = [
            (Drawing::Automatic, "Automatic", "Fast without a graphics card, smooth with one."),
            (Drawing::Smooth, "Smooth", "With smooth edges."),
            (Drawing::Fast, "Fast", "Without smooth edges."),
        ];
        choice_ui(ui, "Drawing", &mut options.drawing, &choices);
        ui.end_row();
        ui.label("Undo memory");
        let number = DragValue::new(&mut options.undo_megabytes)
            .range(UNDO_MEGABYTES[0]..=UNDO_MEGABYTES[1])
            .speed(4.0)
            .suffix(" MB");
        let tooltip = "When it is full, the oldest steps are dropped.";
        setting_ui(ui, "Undo memory field", tooltip, size, number);
        ui.end_row();
        ui.label("Journal");
        let text = "Record each step as it is done, so that it can be recovered.";
        ui.add(Checkbox::new(&mut options.journal, "Keep a journal")).tip(text);
        ui.end_row();
    });
}

/// Draws a swatch for each colour of the view, and a button that resets them.
fn colors_ui(ui: &mut Ui, colors: &mut ViewColors, default: ViewColors) {
    ui.vertical(|ui| {
        let grid = Grid::new("colours").min_col_width(0.0).spacing(vec2(12.0, theme::SMALL_GAP));
        grid.show(ui, |ui| {
            for row in colors.rows().chunks_mut(4) {
                for (name, color) in row {
                    ui.horizontal(|ui| {
                        // The background may be as dark as the dialog.
                        ui.visuals_mut().widgets.inactive.bg_fill = *theme::TEXT_QUIET;
                        let swatch = ui.color_edit_button_srgb(color);
                        let label = format!("{name} colour");
                        (ui.ctx()).accesskit_node_builder(swatch.id, |node| node.set_label(label.as_str()));
                        ui.label(RichText::new(*name).small());
                    });
                }
                ui.end_row();
            }
        });
        let reset = ui.add_enabled(*colors != default, Button::new("Reset colours"));
        if reset.clicked() {
            *colors = default;
        }
    });
}

/// Draws a list of choices, labelled `label`.
fn choice_ui<T: PartialEq + Copy>(ui: &mut Ui, label: &str, value: &mut T, choices: &[(T, &str, &str)]) {
    let text = choices.iter().find(|(choice, ..)| choice == value).map_or("", |(_, text, _)| text);
    let shown = ComboBox::from_id_salt(label).selected_text(text).show_ui(ui, |ui| {
        for (choice, text, about) in choices {
            let chosen = value == choice;
            let line = ui.add(Button::selectable(chosen, *text).quiet(chosen));
            if line.tip(*about).clicked() {
                *value = *choice;
            }
        }
    });
    shown.response.widget_info(|| WidgetInfo::labeled(WidgetType::ComboBox, true, label));
}

fn keys_ui(ui: &mut Ui, state: &mut PreferencesState, keys: &mut Keymap, height: f32) {
    ui.horizontal(|ui| {
        ui.label("Keys as in");
        let presets = Preset::ALL.map(|preset| {
            let about = "Keys that you changed yourself stay as they are.";
            (preset, preset.text(), about)
        });
        let mut preset = keys.preset;
        choice_ui(ui, "Key preset", &mut preset, &presets);
        if preset != keys.preset {
            keys.change_preset(preset);
        }
        let field = ui.add(line_edit(&mut state.filter, ui.available_width()).hint_text("Filter actions"));
        ui.ctx().accesskit_node_builder(field.id, |node| node.set_label("Filter keys"));
    });
    ui.add_space(theme::SMALL_GAP);
    let filter = state.filter.to_lowercase();
    ScrollArea::vertical()
        .max_height(height)
        // Full height from the first frame, since growing would move the keys under the pointer.
        .min_scrolled_height(height)
        .auto_shrink(false)
        .show(ui, |ui| {
            for menu in Menu::ALL {
                let found = |action: &&Action| {
                    let keys = keys.shortcuts(**action);
                    let names = keys.iter().any(|key| key.to_string().to_lowercase() == filter);
                    filter.is_empty() || names || action.name().to_lowercase().contains(&filter)
                };
                let actions: Vec<Action> = menu.actions.iter().filter(found).copied().collect();
                if actions.is_empty() {
                    continue;
                }
                ui.label(RichText::new(menu.text).strong().color(theme::ACCENT));
                for action in actions {
                    action_ui(ui, state, keys, action);
                }
            }
        });
}

fn labelled(response: egui::Response, label: String) -> egui::Response {
    response.widget_info(|| WidgetInfo::labeled(WidgetType::Button, true, &label));
    response
}

/// Draws an action with its keys; a click on a key removes it.
fn action_ui(ui: &mut Ui, state: &mut PreferencesState, keys: &mut Keymap, action: Action) {
    let name = action.name();
    ui.horizontal(|ui| {
        ui.set_min_height(theme::ROW);
        let room = vec2(200.0, theme::ROW);
        ui.allocate_ui_with_layout(room, Layout::left_to_right(Align::Center), |ui| {
            ui.set_min_size(room);
            ui.add(egui::Label::new(name).truncate());
        });
        for key in keys.shortcuts(action).into_owned() {
            let chip = labelled(ui.button(key.to_string()), format!("{name}: {key}"));
            if chip.tip("Remove this shortcut.").clicked() {
                keys.remove(action, key);
            }
        }
        match state.listening {
            Some((pending, None)) if pending == action => {
                ui.label(RichText::new("Press a key; Esc for none").color(theme::ACCENT));
            }
            Some((pending, Some(key))) if pending == action => {
                let owner = keys.owner(key);
                let owner = owner.map_or("free".to_owned(), |owner| format!("used by {}", owner.name()));
                ui.label(RichText::new(format!("{key} is {owner}.")).color(theme::WARNING));
                if labelled(ui.button("Take it"), format!("Take {key} for {name}")).clicked() {
                    keys.add(action, key);
                    state.listening = None;
                }
                if labelled(ui.button("Cancel"), "Cancel new shortcut".to_owned()).clicked() {
                    state.listening = None;
                }
            }
            _ => {
                let add = Button::new("+").quiet(false);
                let add = labelled(ui.add(add), format!("Add key for {name}"));
                if add.tip("Add another shortcut.").clicked() {
                    state.listening = Some((action, None));
                }
            }
        }
        if keys.is_changed(action) {
            let reset = labelled(ui.button("Reset"), format!("Reset keys of {name}"));
            if reset.tip("Reset to the shortcuts of the preset.").clicked() {
                keys.reset(action);
            }
        }
    });
}

/// Takes the key press that an action waits for, before anything else handles it.
fn listen(ctx: &Context, state: &mut PreferencesState, keys: &mut Keymap) {
    let Some((action, None)) = state.listening else {
        if state.listening.is_some() && ctx.input(|input| input.key_pressed(Key::Escape)) {
            state.listening = None;
        }
        return;
    };
    let pressed = ctx.input_mut(|input| {
        let index =
            input.events.iter().position(|event| matches!(event, Event::Key { pressed: true, .. }))?;
        Some(input.events.remove(index))
    });
    let Some(event) = pressed else { return };
    if matches!(event, Event::Key { key: Key::Escape, .. }) {
        state.listening = None;
        return;
    }
    let Some(key) = key_press(&event).and_then(|press| Shortcut::from_press(&press)) else {
        return;
    };
    match keys.owner(key) {
        Some(owner) if owner != action => state.listening = Some((action, Some(key))),
        owner => {
            if owner.is_none() {
                keys.add(action, key);
            }
            state.listening = None;
        }
    }
}
