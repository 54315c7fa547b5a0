//! The menu of keys in both views.

use super::action::{EASE, FEWER, NO_KEYS, ROWS, SheetAction, SheetRow};
use super::submenu::{LINE, submenu};
use super::time::Scale;
use super::{KeysState, eases, fewer};
use crate::anim::filters::Filter;
use crate::anim::mode::Mode;
use crate::edit::request::Request;
use crate::edit::settings::view::View;
use crate::editor::ui::tooltip::Tip;
use crate::io::count::counted;
use crate::scene::Scene;
use egui::{Button, Response, Ui, WidgetInfo, WidgetType};

/// Shows the menu of keys, and carries out what is chosen in it.
pub fn menu_ui(
    ui: &Ui,
    view: &View,
    scale: &Scale,
    area: &Response,
    state: &mut KeysState,
    out: &mut Vec<Request>,
) {
    let mut chosen = None;
    area.context_menu(|ui| chosen = menu(ui, state, view.session.scene()));
    match chosen {
        Some(Chosen::Filter(filter)) => state.make_fewer(view.session.scene(), filter, out),
        Some(Chosen::Action(action)) => {
            let pointer = ui.input(|i| i.pointer.latest_pos());
            let frame = scale.frame(pointer.map_or(0.0, |pointer| pointer.x));
            state.act(view, scale, action, frame, out);
        }
        None => {}
    }
}

/// What was chosen in the menu.
enum Chosen {
    Action(SheetAction),
    Filter(Filter),
}

fn menu(ui: &mut Ui, state: &mut KeysState, scene: &Scene) -> Option<Chosen> {
    let mut chosen = None;
    for rows in ROWS.chunk_by(|row, next| row.submenu.is_some() && row.submenu == next.submenu) {
        let first = rows[0].action;
        if matches!(
            first,
            SheetAction::Cut | SheetAction::Make(Mode::Clamped) | SheetAction::SelectAll | SheetAction::Fit
        ) {
            ui.separator();
        }
        let lines = |ui: &mut Ui| {
            let clicked = rows.iter().filter(|row| line(ui, state, row));
            clicked.last().map(|row| Chosen::Action(row.action))
        };
        let clicked = match rows[0].submenu {
            Some(EASE) => {
                eases::menu(ui, !state.keys.is_empty(), state.common_mode(scene)).map(Chosen::Action)
            }
            Some(FEWER) => fewer::menu(ui, state, scene).map(Chosen::Filter),
            Some(text) => {
                let can_any = rows.iter().any(|row| !row.needs_selection) || !state.keys.is_empty();
                submenu(ui, text, (!can_any).then_some(NO_KEYS), lines).flatten()
            }
            None => lines(ui),
        };
        chosen = clicked.or(chosen);
    }
    chosen
}

/// Draws the line of an action. Returns whether it was clicked.
fn line(ui: &mut Ui, state: &KeysState, row: &SheetRow) -> bool {
    let disabled_reason = state.disabled_reason(row.action);
    let is_enabled = disabled_reason.is_none();
    let text = match row.action {
        SheetAction::Copy | SheetAction::Cut | SheetAction::Delete | SheetAction::Duplicate if is_enabled => {
            let count = counted(state.keys.count(), "key", "keys");
            format!("{} {count}", row.text)
        }
        _ => row.text.to_owned(),
    };
    let mut button = Button::new(text).wrap_mode(egui::TextWrapMode::Extend);
    if let Some(keys) = row.shortcuts.first() {
        button = button.shortcut_text(keys.to_string());
    }
    let response = ui.add_enabled(is_enabled, button.min_size(LINE));
    let label = format!("Keys > {}", row.text);
    response.widget_info(|| WidgetInfo::labeled(WidgetType::Button, is_enabled, &label));
    let is_clicked = response.clicked();
    response.tip(row.tooltip).disabled_tip(disabled_reason.unwrap_or_default());
    is_clicked
}
