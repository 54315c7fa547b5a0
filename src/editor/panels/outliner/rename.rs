//! A thing's name typed in its row: Enter and a click elsewhere keep it, Esc drops it.

use crate::edit::command::Command;
use crate::edit::request::Request;
use crate::editor::ui::list::text_left;
use crate::editor::ui::number::select_all;
use crate::editor::ui::row::line_edit;
use crate::scene::Scene;
use crate::scene::names::Thing;
use egui::{Id, Key, Rect, Ui, UiBuilder, pos2};

pub struct Rename {
    thing: Thing,
    text: String,
    /// The field has not been shown yet.
    begins: bool,
    /// Shown in this frame.
    seen: bool,
}

impl Rename {
    pub fn of(thing: Thing) -> Self {
        Self {
            text: thing.name.clone(),
            thing,
            begins: true,
            seen: true,
        }
    }

    pub fn thing(&self) -> &Thing {
        &self.thing
    }

    /// The field, over the name in the row. True once it is done.
    pub fn ui(&mut self, ui: &mut Ui, row: Rect, indent: usize, out: &mut Vec<Request>) -> bool {
        // A transform may have a row in two lists; the first one counts.
        if std::mem::replace(&mut self.seen, true) {
            return false;
        }
        let id = Id::new(("rename", &self.thing));
        let left = (text_left(row, indent) - 7.0).min(row.right() - 80.0);
        let rect = Rect::from_min_max(pos2(left, row.top()), row.right_bottom());
        if self.begins {
            ui.memory_mut(|memory| memory.request_focus(id));
            select_all(ui, id, &self.text);
        }
        let mut inside = ui.new_child(UiBuilder::new().max_rect(rect));
        let edit = line_edit(&mut self.text, rect.width() - 12.0)
            .id(id)
            .char_limit(200);
        let response = inside.add(edit);
        let label = format!("New name of {}", self.thing.name);
        ui.ctx().accesskit_node_builder(id, |node| node.set_label(label));
        if std::mem::take(&mut self.begins) {
            response.scroll_to_me(None);
            return false;
        }
        if ui.memory(|memory| memory.has_focus(id)) {
            return false;
        }
        if !ui.input(|i| i.key_pressed(Key::Escape)) {
            self.keep(out);
        }
        true
    }

    /// Once per frame, after all rows. True if the row has gone, and so the field is done.
    pub fn end_frame(&mut self, scene: &Scene, out: &mut Vec<Request>) -> bool {
        if std::mem::take(&mut self.seen) {
            return false;
        }
        if scene.holds(&self.thing) {
            self.keep(out);
        }
        true
    }

    fn keep(&self, out: &mut Vec<Request>) {
        let name = self.text.trim();
        if name != self.thing.name && !name.is_empty() {
            out.push(Request::Apply(vec![Command::Rename {
                thing: self.thing.clone(),
                name: name.to_owned(),
            }]));
        }
    }
}
