//! A bone's or a handle's name typed in its row: Enter and a click elsewhere keep it, Esc drops it.

use super::lines::Line;
use crate::edit::command::Command;
use crate::edit::request::Request;
use crate::edit::selection::Part;
use crate::editor::ui::list::text_left;
use crate::editor::ui::number::select_all;
use crate::editor::ui::row::line_edit;
use crate::rig::skeleton::Skeleton;
use egui::{Id, Key, Rect, Ui, UiBuilder, pos2};

pub struct Rename {
    part: Part,
    /// Of the part: its index may come to name another.
    channel_id: u32,
    text: String,
    /// The field has not been shown yet.
    begins: bool,
    /// Shown in this frame.
    seen: bool,
}

/// Channel id, own name, and name without one; `None` for what has no name.
fn named(skeleton: &Skeleton, part: Part) -> Option<(u32, &str, String)> {
    match part {
        Part::Bone(at) => {
            let bone = skeleton.bones.get(at)?;
            Some((
                bone.channel_id,
                bone.name.as_deref().unwrap_or(""),
                bone.number_name(),
            ))
        }
        Part::Handle(at) => {
            let handle = skeleton.handles.get(at)?;
            let name = handle.name.as_deref().unwrap_or("");
            Some((handle.channel_id, name, skeleton.default_handle_name(at)))
        }
        Part::Base => None,
    }
}

impl Rename {
    pub fn of(skeleton: &Skeleton, part: Part) -> Option<Self> {
        let (channel_id, name, _) = named(skeleton, part)?;
        Some(Self {
            part,
            channel_id,
            text: name.to_owned(),
            begins: true,
            seen: true,
        })
    }

    pub fn part(&self) -> Part {
        self.part
    }

    /// The field, over the name in the row of its part. True once it is done.
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
        let id = Id::new(("rename", matches!(self.part, Part::Bone(_)), self.channel_id));
        let left = (text_left(row, line.depth) - 7.0).min(row.right() - 80.0);
        let rect = Rect::from_min_max(pos2(left, row.top()), row.right_bottom());
        let hint = named(skeleton, self.part).map_or(String::new(), |(_, _, hint)| hint);
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
        let name = match self.part {
            Part::Handle(handle) => skeleton.handle_name(handle),
            Part::Bone(bone) => skeleton.bone_name(bone),
            Part::Base => String::new(),
        };
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

    /// Asks for the name, if it is another one and the part is still there.
    fn keep(&self, skeleton: &Skeleton, mesh: &str, out: &mut Vec<Request>) {
        let Some((channel_id, old, _)) = named(skeleton, self.part) else {
            return;
        };
        let new = self.text.trim();
        if channel_id != self.channel_id || new == old {
            return;
        }
        let (mesh, name) = (mesh.to_owned(), new.to_owned());
        let command = match self.part {
            Part::Bone(bone) => Command::SetBoneName { mesh, bone, name },
            Part::Handle(handle) => Command::SetHandleName { mesh, handle, name },
            Part::Base => return,
        };
        out.push(Request::Apply(vec![command]));
    }
}
