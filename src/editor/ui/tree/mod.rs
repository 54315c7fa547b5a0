//! A tree or list of rows: selection by clicks and arrow keys, opening and closing, renaming in place,
//! dragging rows onto others. It is independent of what the rows represent: interactions are returned as
//! [`Event`]s.

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

/// With more rows than this, those out of view are not laid out (and not reported to screen readers).
pub const LAZY_THRESHOLD: usize = 500;

/// The identity of a row.
pub trait Key: Clone + PartialEq + Hash + Debug {}

impl<K: Clone + PartialEq + Hash + Debug> Key for K {}

/// A row of a tree: its key, depth and state.
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
        Self { key, depth: 0, open: None, selectable: true }
    }
}

/// An interaction with rows.
#[derive(Debug, PartialEq)]
pub enum Event<K> {
    /// Select these rows, the first as the active one.
    Select(Vec<K>),
    /// Add a row to the selection, or remove it.
    Toggle(K),
    /// Open or close a row.
    Open(K, bool),
    /// Show or hide a row's object: its eye was pressed.
    ToggleShown(K),
    /// Begin to rename a row.
    Rename(K),
    /// Rename a row; the name is different and without surrounding spaces.
    Renamed(K, String),
    /// Drop rows where that is allowed.
    Drop(Vec<K>, DropPlace<K>),
}

/// The state of a tree between frames.
pub struct TreeState<K> {
    drag: Option<Drag<K>>,
    /// Whether the last press of the pointer was on the tree, so that it takes arrow keys.
    pressed_last: bool,
    /// The start of a range of rows: the row that was last selected alone.
    anchor: Option<K>,
    /// The active row of the last frame; a different one is scrolled to.
    active: Option<K>,
    pub reveal: Reveal,
}

impl<K> Default for TreeState<K> {
    fn default() -> Self {
        Self { drag: None, pressed_last: false, anchor: None, active: None, reveal: Reveal::default() }
    }
}

impl<K: Key> TreeState<K> {
    pub fn is_dragging(&self) -> bool {
        self.drag.is_some()
    }

    /// Whether a different row is active than in the last call, other than by a click on it.
    pub fn is_newly_active(&mut self, active: Option<&K>) -> bool {
        let is_new = self.active.as_ref() != active;
        self.active = active.cloned();
        is_new
    }
}

pub struct Tree<'a, K> {
    pub lines: &'a [Line<K>],
    /// The row that panels apply to.
    pub active: Option<K>,
    /// Rows that are dragged together, if one of them is.
    pub dragged_together: &'a [K],
    pub arrows: Arrows,
    /// Whether to scroll to the active row.
    pub reveal: bool,
    /// Returns the effect of dropping rows at a place.
    pub drop_hint: &'a dyn Fn(&[K], &DropPlace<K>) -> DropHint,
    /// The text of an additional row during drags, which is [`DropPlace::Root`].
    pub root: Option<&'static str>,
}

impl<'a, K> Tree<'a, K> {
    /// Returns a tree whose rows cannot be dragged.
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
    /// Shows all rows. `row`: the contents of a row, except for its depth and caret; `menu`: adds the context
    /// menu.
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
            let row = Row { indent: line.depth, open: line.open, ..row(i) };
            let output = row_ui(ui, &row, self.lines.len() > LAZY_THRESHOLD);
            rects.push(output.rect);
            events.extend(self.event(ui, state, line, row.selected, &output));
            if let Some(response) = &output.response {
                response.context_menu(|ui| menu(ui, &line.key));
            }
            if output.dragged && state.drag.is_none() {
                state.drag = Some(Drag::new(line.key.clone(), self.dragged_together));
            }
            if let Some(typed) = rename.as_mut().filter(|rename| *rename.key() == line.key)
                && typed.ui(ui, output.rect, line.depth)
            {
                events.extend(rename.take().and_then(Rename::finish));
                let next = self.next_row(i).filter(|_| rename::goes_on(ui));
                // The properties show the bone that is being named.
                let select = |next: K| [Event::Select(vec![next.clone()]), Event::Rename(next)];
                events.extend(next.into_iter().flat_map(select));
            }
            if self.reveal && self.is_active(line) {
                // With a row of context above and below.
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

    /// The next row of the same kind.
    fn next_row(&self, from: usize) -> Option<K> {
        let kind = |line: &Line<K>| std::mem::discriminant(&line.key);
        let found = self.lines[from + 1..].iter().find(|line| kind(line) == kind(&self.lines[from]));
        found.map(|line| line.key.clone())
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

    /// Handles a click: selects only the row; with Shift, all from the anchor to it; with Ctrl, toggles it.
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
        if modifiers.command { Event::Toggle(key) } else { Event::Select(vec![key]) }
    }

    /// Selects all rows from the anchor to `to`, which becomes the active one.
    fn range(&self, state: &mut TreeState<K>, to: K) -> Event<K> {
        state.anchor = state.anchor.take().or_else(|| self.active.clone());
        let index = |key: &K| self.lines.iter().position(|line| line.key == *key);
        let ends = state.anchor.as_ref().and_then(index).zip(index(&to));
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
            let mut state = TreeState { anchor, ..TreeState::default() };
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
