//! A name typed in its row: Enter and a click elsewhere keep it, Esc drops it.

use super::{Event, Key};
use crate::editor::ui::list::text_left;
use crate::editor::ui::number::select_all;
use crate::editor::ui::row::line_edit;
use egui::{Id, Rect, Ui, UiBuilder, pos2};

pub struct Rename<K> {
    key: K,
    old: String,
    text: String,
    /// Shown while nothing is typed.
    hint: String,
    /// Accessible name of the field.
    label: String,
    /// The field has not been shown yet.
    begins: bool,
    /// Shown in this frame, or not asked for earlier.
    seen: bool,
}

impl<K: Key> Rename<K> {
    /// The field is there from the next frame on. `shown`: the name that people see; `own`: the one that is stored.
    pub fn new(key: K, own: &str, shown: &str, hint: impl Into<String>) -> Self {
        Self {
            key,
            old: own.to_owned(),
            text: own.to_owned(),
            hint: hint.into(),
            label: format!("New name of {shown}"),
            begins: true,
            seen: true,
        }
    }

    pub fn key(&self) -> &K {
        &self.key
    }

    /// The field over the text of a row. True once typing has ended.
    pub(super) fn ui(&mut self, ui: &mut Ui, row: Rect, indent: usize) -> bool {
        // The same thing may have a row in two lists; the first one counts.
        if std::mem::replace(&mut self.seen, true) {
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
        ui.ctx()
            .accesskit_node_builder(id, |node| node.set_label(self.label.as_str()));
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

    /// What was typed, if it is another name.
    pub(super) fn finish(self) -> Option<Event<K>> {
        let name = self.text.trim();
        (self.text != self.old && name != self.old).then(|| Event::Renamed(self.key, name.to_owned()))
    }

    /// Once per frame, after all lists: ends what has lost its row, and keeps what was typed.
    pub fn end_frame(rename: &mut Option<Self>) -> Option<Event<K>> {
        let seen = std::mem::take(&mut rename.as_mut()?.seen);
        if seen { None } else { rename.take()?.finish() }
    }
}
