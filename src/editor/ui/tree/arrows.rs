//! Arrow keys in a tree. It takes them if the last press was on it and no text is being typed.

use super::{Event, Key, Line, Tree, TreeState};
use egui::{Modifiers, Rect, Ui};

/// The arrow keys that a tree takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arrows {
    None,
    /// Up and down move the selection; with Shift they extend it.
    Vertical,
    /// In addition, left closes a row or moves to its parent; right opens it or moves to its first child.
    All,
}

impl<K: Key> Tree<'_, K> {
    /// Handles arrow keys. `area`: the visible area of the rows.
    pub(super) fn arrow_keys(&self, ui: &Ui, state: &mut TreeState<K>, area: Rect) -> Option<Event<K>> {
        let press = ui.input(|i| i.pointer.any_pressed().then(|| i.pointer.interact_pos()).flatten());
        if let Some(point) = press {
            state.pressed_last = area.contains(point) && ui.ctx().layer_id_at(point) == Some(ui.layer_id());
        }
        let is_ours = state.pressed_last && ui.is_enabled() && self.arrows != Arrows::None;
        let typing = ui.memory(|m| m.focused().is_some());
        if !is_ours || typing || ui.input(|i| i.modifiers.alt || i.modifiers.command) {
            return None;
        }
        let pressed = |key| ui.input_mut(|i| i.consume_key(Modifiers::NONE, key));
        let shift_pressed = |key| ui.input_mut(|i| i.consume_key(Modifiers::SHIFT, key));
        let Some(index) = self.lines.iter().position(|line| self.is_active(line)) else {
            let first = self.lines.first()?;
            let any = pressed(egui::Key::ArrowDown) || pressed(egui::Key::ArrowUp);
            return any.then(|| select_alone(state, first));
        };
        let (before, after) = (&self.lines[..index], &self.lines[index + 1..]);
        let next = after.iter().find(|line| line.selectable);
        let previous = before.iter().rfind(|line| line.selectable);
        for (key, to) in [(egui::Key::ArrowDown, next), (egui::Key::ArrowUp, previous)] {
            if shift_pressed(key) {
                return to.map(|to| self.range(state, to.key.clone()));
            }
            if pressed(key) {
                return to.map(|to| select_alone(state, to));
            }
        }
        if self.arrows != Arrows::All {
            return None;
        }
        let line = &self.lines[index];
        let (left, right) = (pressed(egui::Key::ArrowLeft), pressed(egui::Key::ArrowRight));
        match line.open {
            Some(true) if left => Some(Event::Open(line.key.clone(), false)),
            Some(false) if right => Some(Event::Open(line.key.clone(), true)),
            Some(true) if right => next.map(|to| select_alone(state, to)),
            _ if left => self.parent(index).map(|to| select_alone(state, to)),
            _ => None,
        }
    }

    fn parent(&self, index: usize) -> Option<&Line<K>> {
        let mut depth = self.lines[index].depth;
        self.lines[..index].iter().rfind(|line| {
            let is_ancestor = line.depth < depth;
            depth = depth.min(line.depth);
            is_ancestor && line.selectable
        })
    }
}

fn select_alone<K: Key>(state: &mut TreeState<K>, line: &Line<K>) -> Event<K> {
    state.anchor = Some(line.key.clone());
    Event::Select(vec![line.key.clone()])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_parent_is_the_nearest_ancestor_that_can_be_selected() {
        let line = |key, depth, selectable| Line { key, depth, open: None, selectable };
        let lines = [
            line("body", 0, true),
            line("arm", 1, true),
            line("link", 1, false),
            line("leg", 2, true),
            line("tail", 0, true),
        ];
        let tree = Tree::new(&lines, None);
        let parents = [0, 1, 2, 3, 4].map(|index| tree.parent(index).map(|line| line.key));
        let body = Some("body");
        assert_eq!(parents, [None, body, body, body, None]);
    }
}
