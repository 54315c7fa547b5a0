//! Renaming in a row: Enter and a click elsewhere accept the name, Tab goes on to the next row,
//! Esc discards the name.

use super::{Event, Key};
use crate::editor::ui::list::text_left;
use crate::editor::ui::number::select_all;
use crate::editor::ui::row::line_edit;
use egui::{Id, Rect, Ui, UiBuilder, pos2};

pub struct Rename<K> {
    key: K,
    old: String,
    text: String,
    /// The hint in an empty field.
    hint: String,
    /// The accessible name of the field.
    label: String,
    /// Whether the field has not been shown yet.
    begins: bool,
    /// Whether the field was shown in this frame, or was created in it.
    drawn: bool,
}

impl<K: Key> Rename<K> {
    /// Creates a field that is shown from the next frame on. `stored`: the name to edit; `shown`: the name as
    /// displayed.
    pub fn new(key: K, stored: &str, shown: &str, hint: impl Into<String>) -> Self {
        Self {
            key,
            old: stored.to_owned(),
            text: stored.to_owned(),
            hint: hint.into(),
            label: format!("New name of {shown}"),
            begins: true,
            drawn: true,
        }
    }

    pub fn key(&self) -> &K {
        &self.key
    }

    /// Shows the field over the text of a row. Returns true once typing has ended.
    pub(super) fn ui(&mut self, ui: &mut Ui, row: Rect, indent: usize) -> bool {
        // The same object may have rows in two lists; the first one counts.
        if std::mem::replace(&mut self.drawn, true) {
            ui.ctx().request_repaint();
            return false;
        }
        let id = Id::new(("rename", &self.key));
        let left = (text_left(row, indent) - 7.0).min(row.right() - 80.0);
        let rect = Rect::from_min_max(pos2(left, row.top()), row.right_bottom());
        if self.begins {
            ui.memory_mut(|memory| memory.request_focus(id));
            select_all(ui, id, &self.text);
        }
        let mut inside = ui.new_child(UiBuilder::new().max_rect(rect));
        let edit = line_edit(&mut self.text, rect.width() - 12.0)
            .id(id)
            .hint_text(self.hint.as_str())
            .char_limit(200);
        let response = inside.add(edit);
        ui.ctx().accesskit_node_builder(id, |node| node.set_label(self.label.as_str()));
        if std::mem::take(&mut self.begins) {
            response.scroll_to_me(None);
            return false;
        }
        if ui.memory(|memory| memory.has_focus(id)) {
            return false;
        }
        if ui.input(|i| i.key_pressed(egui::Key::Escape)) {
            self.text.clone_from(&self.old);
        }
        true
    }

    /// Returns the typed name, if it is different.
    pub(super) fn finish(self) -> Option<Event<K>> {
        let name = self.text.trim();
        (self.text != self.old && name != self.old).then(|| Event::Renamed(self.key, name.to_owned()))
    }

    /// Ends a field that has lost its row, and accepts the typed name. Called once per frame, after all
    /// lists.
    pub fn end_frame(rename: &mut Option<Self>) -> Option<Event<K>> {
        let drawn = std::mem::take(&mut rename.as_mut()?.drawn);
        if drawn { None } else { rename.take()?.finish() }
    }
}

/// Whether Tab was pressed, which goes on to the next row.
pub(super) fn goes_on(ui: &Ui) -> bool {
    ui.input(|i| i.key_pressed(egui::Key::Tab) && !i.modifiers.shift)
}
