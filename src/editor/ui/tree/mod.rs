//! A tree, or a list, of rows: selected by clicks and arrow keys, opened and closed, names typed in place, rows
//! dragged onto others. It knows nothing of what the rows stand for: what was done comes back as [`Event`]s.

mod arrows;
mod drag;
mod rename;

use super::list::{Reveal, Row, RowOutput, row_ui};
pub use arrows::Arrows;
use drag::Drag;
pub use drag::{DropHint, DropPlace};
use egui::{Rect, Ui, vec2};
pub use rename::Rename;
use std::fmt::Debug;
use std::hash::Hash;

/// More rows than this, and those out of sight are not laid out (nor told to screen readers).
pub const MANY: usize = 500;

/// What tells rows apart.
pub trait Key: Clone + PartialEq + Hash + Debug {}

impl<K: Clone + PartialEq + Hash + Debug> Key for K {}

/// A row: what it stands for, and how deep it lies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Line<K> {
    pub key: K,
    pub depth: usize,
    /// Whether its children are shown; `None` without children.
    pub open: Option<bool>,
    /// Whether arrow keys and ranges select it, and rows can be dropped on it.
    pub selectable: bool,
}

impl<K> Line<K> {
    /// A row of a list.
    pub fn flat(key: K) -> Self {
        Self {
            key,
            depth: 0,
            open: None,
            selectable: true,
        }
    }
}

/// What was done to rows.
#[derive(Debug, PartialEq)]
pub enum Event<K> {
    /// These are to be selected, the first as the active one.
    Select(Vec<K>),
    /// One joins the selection, or leaves it.
    Toggle(K),
    /// It is to be open, or not.
    Open(K, bool),
    /// Its eye was pressed.
    ToggleShown(K),
    /// Its name is to be typed.
    Rename(K),
    /// This other name was typed for it, without spaces around it.
    Renamed(K, String),
    /// They were dropped where they can be.
    Drop(Vec<K>, DropPlace<K>),
}

/// What a tree remembers between frames.
pub struct TreeState<K> {
    drag: Option<Drag<K>>,
    /// The last press of the pointer was on the tree: arrow keys belong to it.
    pressed_last: bool,
    /// Where a range of rows begins: what was selected alone last.
    anchor: Option<K>,
    /// The active row of the last frame: another one is scrolled to.
    active: Option<K>,
    pub reveal: Reveal,
}

impl<K> Default for TreeState<K> {
    fn default() -> Self {
        Self {
            drag: None,
            pressed_last: false,
            anchor: None,
            active: None,
            reveal: Reveal::default(),
        }
    }
}

impl<K: Key> TreeState<K> {
    pub fn is_dragging(&self) -> bool {
        self.drag.is_some()
    }

    /// Whether another row is active than when this was asked last, not by a click on it.
    pub fn is_new(&mut self, active: Option<&K>) -> bool {
        let is_new = self.active.as_ref() != active;
        self.active = active.cloned();
        is_new
    }
}

pub struct Tree<'a, K> {
    pub lines: &'a [Line<K>],
    /// The one row that panels are about.
    pub active: Option<K>,
    /// Rows that are dragged together, if one of them is.
    pub dragged_together: &'a [K],
    pub arrows: Arrows,
    /// Scrolls to the active row.
    pub reveal: bool,
    /// What it means to drop rows there.
    pub drop_hint: &'a dyn Fn(&[K], &DropPlace<K>) -> DropHint,
    /// Text of one more row while rows are dragged, which is [`DropPlace::Root`].
    pub root: Option<&'static str>,
}

impl<'a, K> Tree<'a, K> {
    /// A tree whose rows are not dragged.
    pub fn new(lines: &'a [Line<K>], active: Option<K>) -> Self {
        Self {
            lines,
            active,
            dragged_together: &[],
            arrows: Arrows::None,
            reveal: false,
            drop_hint: &|_, _| DropHint::Nowhere(String::new()),
            root: None,
        }
    }
}

impl<K: Key> Tree<'_, K> {
    /// Shows all rows. `row`: what a line looks like, except for its depth and caret; `menu`: what a right click offers.
    pub fn ui<'r>(
        &self,
        ui: &mut Ui,
        state: &mut TreeState<K>,
        rename: &mut Option<Rename<K>>,
        row: impl Fn(usize) -> Row<'r>,
        mut menu: impl FnMut(&mut Ui, &K),
    ) -> Vec<Event<K>> {
        ui.spacing_mut().item_spacing.y = 0.0;
        let top = ui.cursor().top();
        let mut events = Vec::new();
        let mut rects = Vec::with_capacity(self.lines.len());
        for (i, line) in self.lines.iter().enumerate() {
            let row = Row {
                indent: line.depth,
                open: line.open,
                ..row(i)
            };
            let output = row_ui(ui, &row, self.lines.len() > MANY);
            rects.push(output.rect);
            events.extend(self.event(ui, state, line, row.selected, &output));
            if let Some(response) = &output.response {
                response.context_menu(|ui| menu(ui, &line.key));
            }
            if output.carried && state.drag.is_none() {
                state.drag = Some(Drag::new(line.key.clone(), self.dragged_together));
            }
            if let Some(typed) = rename.as_mut().filter(|rename| *rename.key() == line.key)
                && typed.ui(ui, output.rect, line.depth)
            {
                events.extend(rename.take().and_then(Rename::finish));
            }
            if self.reveal && self.is_active(line) {
                // With a row of neighbours around it.
                ui.scroll_to_rect(output.rect.expand2(vec2(0.0, output.rect.height())), None);
            }
        }
        let root = self.root.filter(|_| state.drag.is_some());
        let root = root.map(|text| drag::root_ui(ui, text));
        let area = Rect::from_x_y_ranges(ui.max_rect().x_range(), top..=ui.cursor().top());
        let area = area.intersect(ui.clip_rect());
        events.extend(self.drag_ui(ui, state, &rects, root, area));
        events.extend(self.arrow_keys(ui, state, area));
        events
    }

    fn is_active(&self, line: &Line<K>) -> bool {
        self.active.as_ref() == Some(&line.key)
    }

    fn event(
        &self,
        ui: &Ui,
        state: &mut TreeState<K>,
        line: &Line<K>,
        selected: bool,
        output: &RowOutput,
    ) -> Option<Event<K>> {
        let key = line.key.clone();
        let right = output.response.as_ref().is_some_and(|r| r.secondary_clicked());
        if output.eye_clicked {
            Some(Event::ToggleShown(key))
        } else if output.open_clicked {
            line.open.map(|open| Event::Open(key, !open))
        } else if output.double_clicked && self.is_active(line) {
            Some(Event::Rename(key))
        } else if output.clicked {
            state.active = Some(key);
            Some(self.clicked(ui, state, line))
        } else if right && !selected && line.selectable {
            state.active = Some(key.clone());
            Some(Event::Select(vec![key]))
        } else {
            None
        }
    }

    /// The row alone; with Shift all from the anchor to it; with Ctrl it beside the others, or no longer.
    fn clicked(&self, ui: &Ui, state: &mut TreeState<K>, line: &Line<K>) -> Event<K> {
        let modifiers = ui.input(|i| i.modifiers);
        let key = line.key.clone();
        if !line.selectable {
            return Event::Select(vec![key]);
        }
        if modifiers.shift {
            return self.range(state, key);
        }
        state.anchor = Some(key.clone());
        match modifiers.command {
            true => Event::Toggle(key),
            false => Event::Select(vec![key]),
        }
    }

    /// All rows from the anchor to `to`, which becomes the active one.
    fn range(&self, state: &mut TreeState<K>, to: K) -> Event<K> {
        state.anchor = state.anchor.take().or_else(|| self.active.clone());
        let place = |key: &K| self.lines.iter().position(|line| line.key == *key);
        let ends = state.anchor.as_ref().and_then(place).zip(place(&to));
        let between = ends.map_or(&[][..], |(from, to)| &self.lines[from.min(to)..=from.max(to)]);
        let others = between.iter().filter(|line| line.selectable && line.key != to);
        let others: Vec<K> = others.map(|line| line.key.clone()).collect();
        Event::Select([to].into_iter().chain(others).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_ends_at_the_active_row() {
        let mut lines = [0, 1, 2, 3, 4].map(Line::flat);
        lines[2].selectable = false;
        let range = |anchor, to| {
            let mut state = TreeState {
                anchor,
                ..TreeState::default()
            };
            match Tree::new(&lines, None).range(&mut state, to) {
                Event::Select(keys) => keys,
                event => panic!("{event:?}"),
            }
        };
        assert_eq!(range(Some(1), 4), [4, 1, 3]);
        assert_eq!(range(Some(3), 0), [0, 1, 3]);
        assert_eq!(range(None, 3), [3]);
        assert_eq!(range(Some(9), 3), [3], "the anchor has gone");
    }
}
