//! A bone's name typed in its row: Enter and a click elsewhere keep it, Esc drops it.

use super::lines::Line;
use crate::edit::command::Command;
use crate::edit::request::Request;
use crate::editor::ui::list::text_left;
use crate::editor::ui::number::select_all;
use crate::editor::ui::row::line_edit;
use crate::rig::skeleton::Skeleton;
use egui::{Id, Key, Rect, Ui, UiBuilder, pos2};

pub struct Rename {
    bone: usize,
    /// Of the bone: its index may come to name another.
    channel_id: u32,
    text: String,
    /// The field has not been shown yet.
    begins: bool,
    /// Shown in this frame.
    seen: bool,
}

impl Rename {
    pub fn of(skeleton: &Skeleton, bone: usize) -> Option<Self> {
        let named = skeleton.bones.get(bone)?;
        Some(Self {
            bone,
            channel_id: named.channel_id,
            text: named.name.as_deref().unwrap_or_default().to_owned(),
            begins: true,
            seen: true,
        })
    }

    pub fn bone(&self) -> usize {
        self.bone
    }

    /// The field, over the name in the row of its bone. True once it is done.
    pub fn ui(
        &mut self,
        ui: &mut Ui,
        line: &Line,
        row: Rect,
        skeleton: &Skeleton,
        mesh: &str,
        out: &mut Vec<Request>,
    ) -> bool {
        self.seen = true;
        let id = Id::new(("rename bone", self.channel_id));
        let left = (text_left(row, line.depth) - 7.0).min(row.right() - 80.0);
        let rect = Rect::from_min_max(pos2(left, row.top()), row.right_bottom());
        let hint = format!("bone {}", self.bone);
        if self.begins {
            ui.memory_mut(|memory| memory.request_focus(id));
            select_all(ui, id, &self.text);
        }
        let mut inside = ui.new_child(UiBuilder::new().max_rect(rect));
        let edit = line_edit(&mut self.text, rect.width() - 12.0)
            .id(id)
            .hint_text(hint)
            .char_limit(200);
        let response = inside.add(edit);
        let name = skeleton.bone_name(self.bone);
        ui.ctx()
            .accesskit_node_builder(id, |node| node.set_label(format!("New name of {name}")));
        if std::mem::take(&mut self.begins) {
            response.scroll_to_me(None);
            return false;
        }
        if ui.memory(|memory| memory.has_focus(id)) {
            return false;
        }
        if !ui.input(|i| i.key_pressed(Key::Escape)) {
            self.keep(skeleton, mesh, out);
        }
        true
    }

    /// Once per frame, after all rows. True if the row has gone, and so the field is done.
    pub fn end_frame(&mut self, skeleton: &Skeleton, mesh: &str, out: &mut Vec<Request>) -> bool {
        if std::mem::take(&mut self.seen) {
            return false;
        }
        self.keep(skeleton, mesh, out);
        true
    }

    /// Asks for the name, if it is another one and the bone is still there.
    fn keep(&self, skeleton: &Skeleton, mesh: &str, out: &mut Vec<Request>) {
        let Some(bone) = skeleton.bones.get(self.bone) else {
            return;
        };
        let new = self.text.trim();
        if bone.channel_id == self.channel_id && new != bone.name.as_deref().unwrap_or("") {
            out.push(Request::Apply(vec![Command::SetBoneName {
                mesh: mesh.to_owned(),
                bone: self.bone,
                name: new.to_owned(),
            }]));
        }
    }
}
