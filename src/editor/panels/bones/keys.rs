//! Arrow keys in the tree. They belong to it while it was pressed last and nothing types.

use super::lines::{Line, above, range};
use crate::edit::selection::{Part, Selection};
use crate::rig::skeleton::Skeleton;
use egui::{Key, Modifiers, Rect, Ui};
use std::collections::HashSet;

#[derive(Default)]
pub struct Keys {
    /// The last press of the pointer was on the tree.
    active: bool,
    /// Left and right belong to it too.
    pub sideways: bool,
    /// Where a range of rows begins: what was selected alone last.
    pub anchor: Option<Part>,
}

impl Keys {
    /// Up and down move (with Shift they select all they pass), left folds or goes to the parent, right
    /// unfolds or goes to the first child (those two only `sideways`). What to select, if something new.
    /// `area`: of the rows.
    pub fn read(
        &mut self,
        ui: &Ui,
        folded: &mut HashSet<usize>,
        lines: &[Line],
        selection: &Selection,
        area: Rect,
        skeleton: &Skeleton,
    ) -> Option<Selection> {
        let pressed_at = ui.input(|i| {
            i.pointer
                .any_pressed()
                .then(|| i.pointer.interact_pos())
                .flatten()
        });
        if let Some(at) = pressed_at {
            self.active = area.contains(at) && ui.ctx().layer_id_at(at) == Some(ui.layer_id());
        }
        if !self.active || !ui.is_enabled() || ui.memory(|m| m.focused().is_some()) {
            return None;
        }
        if ui.input(|i| i.modifiers.alt || i.modifiers.command) {
            return None;
        }
        let pressed = |key| ui.input_mut(|i| i.consume_key(Modifiers::NONE, key));
        let shift_pressed = |key| ui.input_mut(|i| i.consume_key(Modifiers::SHIFT, key));
        let at = selection
            .part
            .and_then(|part| lines.iter().position(|line| line.part == part));
        let Some(at) = at else {
            let first = pressed(Key::ArrowDown) || pressed(Key::ArrowUp);
            return first.then(|| self.alone(selection, lines[0].part));
        };
        let (line, next) = (lines[at], lines.get(at + 1).map(|line| line.part));
        let before = at.checked_sub(1).map(|at| lines[at].part);
        for (key, to) in [(Key::ArrowDown, next), (Key::ArrowUp, before)] {
            if shift_pressed(key) {
                let anchor = self.anchor.or(selection.part);
                self.anchor = anchor;
                return to.map(|to| range(lines, selection, anchor, to));
            }
            if pressed(key) {
                return to.map(|to| self.alone(selection, to));
            }
        }
        if !self.sideways {
            return None;
        }
        match (line.part, line.open) {
            (Part::Bone(bone), Some(true)) if pressed(Key::ArrowLeft) => drop(folded.insert(bone)),
            (Part::Bone(bone), Some(false)) if pressed(Key::ArrowRight) => drop(folded.remove(&bone)),
            (_, Some(true)) if pressed(Key::ArrowRight) => return next.map(|to| self.alone(selection, to)),
            _ if pressed(Key::ArrowLeft) => {
                let parent = above(skeleton, line.part).map(Part::Bone);
                return parent.map(|to| self.alone(selection, to));
            }
            // Whether there is a way on or not: it is no other key here.
            _ if pressed(Key::ArrowRight) => {}
            _ => {}
        }
        None
    }

    /// What a click on a row selects: the row alone; with Shift all from the anchor to it; with Ctrl it
    /// beside the others, or no longer.
    pub fn click(
        &mut self,
        lines: &[Line],
        selection: &Selection,
        part: Part,
        modifiers: Modifiers,
    ) -> Selection {
        if modifiers.shift {
            let anchor = self.anchor.or(selection.part);
            self.anchor = anchor;
            return range(lines, selection, anchor, part);
        }
        if modifiers.command {
            self.anchor = Some(part);
            return selection.toggled(part);
        }
        self.alone(selection, part)
    }

    fn alone(&mut self, selection: &Selection, part: Part) -> Selection {
        self.anchor = Some(part);
        selection.with_part(Some(part))
    }
}
