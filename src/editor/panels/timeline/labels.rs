//! The column of row names: folds rows, selects objects of the scene, and opens the context menu.

use super::graph::toggles::{self, toggles_ui};
use super::lines::{Line, channel_text, is_line_selected, selection_after_click, selection_of};
use super::mute::{VisibleSwitches, mute_ui};
use super::{KeysState, KeysView};
use crate::edit::command::Command;
use crate::edit::command::keys::KeyCommand;
use crate::edit::request::Request;
use crate::edit::settings::view::View;
use crate::edit::time::keying;
use crate::edit::time::timeline::RowSubject;
use crate::editor::ui::icons;
use crate::editor::ui::list::{Row, row_ui};
use crate::editor::ui::theme;
use crate::scene::Scene;
use egui::{Button, Id, Rect, Ui, UiBuilder, WidgetInfo, WidgetType, vec2};

/// A request from the name or the menu of a row.
pub enum RowRequest {
    /// Select the keys of the row with this index.
    SelectKeys(usize),
    Fold(String),
    FoldAll,
    UnfoldAll,
    /// Pin the row with this index, so that it is shown whatever is selected, or no longer.
    Pin(usize),
    /// Lock the keys of the row with this index, so that they are not selected, or no longer.
    Lock(usize),
    /// Show or hide a component of the curves of a row.
    Show(RowSubject, usize),
}

/// Draws the name of a row in `rect`.
pub fn label_ui(
    ui: &mut Ui,
    view: &View,
    state: &KeysState,
    index: usize,
    rect: Rect,
    out: &mut Vec<Request>,
) -> Option<RowRequest> {
    let lines = state.lines.all();
    let line = &lines[index];
    let scene = view.session.scene();
    let selection = view.session.selection();
    let folds =
        matches!(&line.row.subject, RowSubject::Named(name) if scene.skinned_meshes.contains_key(name));
    let switches = VisibleSwitches::new(ui, line, rect.intersect(ui.clip_rect()));
    let reserved = match state.shown {
        KeysView::Sheet => switches.width(),
        KeysView::Curves => toggles::width(line),
    };
    let row = Row {
        tooltip: tooltip(line),
        indent: usize::from(line.row.depth.saturating_sub(1)),
        selected: is_line_selected(scene, selection, line, &state.filter),
        quiet: line.row.keys.is_empty()
            || line.row.muted
            || matches!(line.row.subject, RowSubject::Orphan(_)),
        open: folds.then(|| !state.filter.choice.folded.contains(&line.row.label)),
        reserved,
        ..Row::new(
            Id::new(("timeline row", &line.name)),
            format!("Row {}", line.name),
            &line.row.label,
            match (state.is_locked(line), state.is_pinned(line)) {
                (true, _) => icons::LOCKED,
                (false, true) => icons::PINNED,
                (false, false) => line.icon,
            },
        )
    };
    let mut inside = ui.new_child(UiBuilder::new().max_rect(rect).id_salt(row.id));
    inside.set_clip_rect(rect.intersect(ui.clip_rect()));
    let output = row_ui(&mut inside, &row, false);
    let toggled = match state.shown {
        KeysView::Sheet => {
            mute_ui(&inside, scene, line, rect, switches, out);
            None
        }
        KeysView::Curves => toggles_ui(&inside, &state.graph, line, rect),
    };
    if let Some(component) = toggled {
        return Some(RowRequest::Show(line.row.subject.clone(), component));
    }
    let modifiers = ui.input(|i| i.modifiers);
    if output.open_clicked {
        return Some(RowRequest::Fold(line.row.label.clone()));
    }
    if output.double_clicked {
        return Some(RowRequest::SelectKeys(index));
    }
    if output.clicked
        && let Some(selection) = selection_after_click(scene, selection, lines, index, modifiers)
    {
        out.push(Request::Select(selection));
    }
    let response = output.response?;
    let mut request = None;
    response.context_menu(|ui| request = menu(ui, scene, state, index, out));
    request
}

/// Draws menu items that mute the row; a row of several channels of one object also has an item for each
/// channel.
fn mute_items(scene: &Scene, line: &Line, item: &mut impl FnMut(&str, bool) -> bool, out: &mut Vec<Request>) {
    let row = &line.row;
    let word = |muted: bool| if muted { "Unmute" } else { "Mute" };
    let mut apply = |command: KeyCommand| out.push(Request::Apply(vec![Command::Keys(command)]));
    if item(word(row.muted), !row.keys.is_empty()) {
        apply(row.toggled_mute(scene, None));
    }
    let is_character = scene.skinned_meshes.contains_key(&row.label);
    let with_keys = row.channels.iter().filter(|channel| keying::has_keys(scene, channel));
    let with_keys: Vec<_> = with_keys.collect();
    if is_character || matches!(row.subject, RowSubject::Summary) || with_keys.len() < 2 {
        return;
    }
    for channel in with_keys {
        let channels = vec![channel.clone()];
        let word = word(keying::are_muted(scene, &channels));
        if item(&format!("{word} {}", channel_text(&channel.channel)), true) {
            apply(keying::toggled_mute(scene, channels));
        }
    }
}

fn tooltip(line: &Line) -> &'static str {
    match line.row.subject {
        RowSubject::Summary => "All keys of the rows below. Double-click to select them.",
        RowSubject::Orphan(_) => {
            "These keys have no effect: what they belong to is gone. They stay in the file until they are deleted."
        }
        RowSubject::Layer { .. } => "How much of this layer counts. Double-click to select its keys.",
        _ if line.row.keys.is_empty() => "No keys yet. Click to select it, then insert a keyframe.",
        _ => "Click to select it, double-click to select its keys.",
    }
}

fn menu(
    ui: &mut Ui,
    scene: &Scene,
    state: &KeysState,
    index: usize,
    out: &mut Vec<Request>,
) -> Option<RowRequest> {
    let line = &state.lines.all()[index];
    let selection = selection_of(scene, line);
    let mut request = None;
    let mut item = |text: &str, enabled: bool| {
        let button = Button::new(text).min_size(vec2(150.0, theme::ROW));
        let response = ui.add_enabled(enabled, button.wrap_mode(egui::TextWrapMode::Extend));
        let label = format!("Row > {text}");
        response.widget_info(|| WidgetInfo::labeled(WidgetType::Button, enabled, &label));
        response.clicked()
    };
    if item("Select its keys", !line.row.keys.is_empty()) {
        request = Some(RowRequest::SelectKeys(index));
    }
    if item("Select in scene", selection.is_some())
        && let Some(selection) = selection
    {
        out.push(Request::Select(selection));
    }
    if item(if state.is_pinned(line) { "Unpin" } else { "Pin" }, !line.row.channels.is_empty()) {
        request = Some(RowRequest::Pin(index));
    }
    if item(if state.is_locked(line) { "Unlock" } else { "Lock" }, !line.row.keys.is_empty()) {
        request = Some(RowRequest::Lock(index));
    }
    mute_items(scene, line, &mut item, out);
    if item("Fold all", true) {
        request = Some(RowRequest::FoldAll);
    }
    if item("Unfold all", true) {
        request = Some(RowRequest::UnfoldAll);
    }
    request
}
