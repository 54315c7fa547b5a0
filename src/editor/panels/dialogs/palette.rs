//! The command palette: a search for actions by name, and for those on keys.

use crate::edit::action::search::{Words, actions, ranked};
use crate::edit::action::{Action, Reason};
use crate::edit::request::Request;
use crate::edit::settings::view::View;
use crate::editor::panels::timeline::{ROWS, SheetAction, TimelineState};
use crate::editor::ui::action::{keys_text, menu_mark, name, with_tooltip};
use crate::editor::ui::dialog::modal;
use crate::editor::ui::row::line_edit;
use crate::editor::ui::theme;
use crate::editor::ui::theme::Quiet;
use crate::editor::ui::tooltip::Tip;
use egui::{
    Align2, Atom, Button, Context, Key, Modal, Modifiers, Response, RichText, ScrollArea, Ui, WidgetType,
    vec2,
};

/// The number of lines visible at once.
const LINES: f32 = 14.0;
/// The number of recent actions that are remembered.
const RECENT: usize = 8;

/// What can be chosen.
#[derive(Clone, Copy, PartialEq)]
enum Entry {
    Action(Action),
    Keys(SheetAction),
}

impl Entry {
    fn text(self) -> &'static str {
        match self {
            Self::Action(action) => action.text,
            Self::Keys(action) => action.row().text,
        }
    }

    /// The reason why it cannot be done now.
    fn why_not(self, view: &View, timeline: &TimelineState) -> Option<Reason> {
        match self {
            Self::Action(action) => action.enabled(view).err(),
            Self::Keys(action) => timeline.why_not(view, action).map(Reason::Borrowed),
        }
    }
}

/// Returns what is found with a query, and where it is in the menus.
fn search(query: &str, recent: &[Entry]) -> Vec<(Entry, String)> {
    let actions = actions().map(|(action, words)| (Entry::Action(action), words));
    let keys = ROWS.iter().map(|row| {
        let path = row.submenu.map_or("Keys".to_owned(), |submenu| format!("Keys > {submenu}"));
        let words = Words { text: row.text, path, tooltip: row.tooltip, keywords: row.keywords };
        (Entry::Keys(row.action), words)
    });
    ranked(query, actions.chain(keys), recent)
}

#[derive(Default)]
pub struct PaletteState {
    /// The search, while the palette is open.
    open: Option<Query>,
    /// The actions used from the palette, the latest first.
    recent: Vec<Entry>,
}

#[derive(Default)]
struct Query {
    text: String,
    /// With the location in the menus.
    found: Vec<(Entry, String)>,
    /// The index of the current line, which Enter chooses; none if nothing that was found can be done.
    line: Option<usize>,
    /// Whether to scroll to the current line.
    scroll_to_line: bool,
    /// Whether the field has been given the keyboard focus.
    focused: bool,
}

impl Query {
    /// Makes the nearest line whose action can be done the current one: from `line` on, or back from it.
    fn settle(&mut self, (view, timeline): (&View, &TimelineState), line: usize, back: bool) {
        let count = self.found.len();
        let mut lines =
            (0..count).map(|step| if back { (line + count - step) % count } else { (line + step) % count });
        self.line = lines.find(|line| self.found[*line].0.why_not(view, timeline).is_none());
    }
}

impl PaletteState {
    pub fn open(&mut self) {
        self.open = Some(Query { found: search("", &self.recent), ..Query::default() });
    }

    pub fn is_open(&self) -> bool {
        self.open.is_some()
    }
}

/// Draws the palette while it is open. Actions on keys are passed to the timeline.
pub fn palette_ui(
    ctx: &Context,
    view: &View,
    state: &mut PaletteState,
    timeline: &mut TimelineState,
    out: &mut Vec<Request>,
) {
    let Some(query) = &mut state.open else { return };
    let key = |key| ctx.input_mut(|i| i.consume_key(Modifiers::NONE, key));
    let last = query.found.len().saturating_sub(1);
    let [up, down] = [Key::ArrowUp, Key::ArrowDown].map(key);
    let [page_up, page_down] = [Key::PageUp, Key::PageDown].map(key);
    query.scroll_to_line |= up || down || page_up || page_down;
    let line = query.line.unwrap_or(0);
    let wanted = match [up, down, page_up, page_down] {
        [true, ..] if line == 0 => last,
        [true, ..] => line - 1,
        [_, true, ..] if line == last => 0,
        [_, true, ..] => line + 1,
        [_, _, true, _] => line.saturating_sub(LINES as usize),
        [.., true] => (line + LINES as usize).min(last),
        _ => line,
    };
    query.settle((view, timeline), wanted, up || page_up);
    let entered = query.line.filter(|_| key(Key::Enter));

    let below_the_bar = vec2(0.0, ctx.content_rect().height() * 0.12);
    let area = Modal::default_area("palette".into()).anchor(Align2::CENTER_TOP, below_the_bar);
    let shown = modal("palette").area(area).show(ctx, |ui| {
        ui.set_width(560.0_f32.min(ui.ctx().content_rect().width() - 60.0));
        let edit = line_edit(&mut query.text, ui.available_width()).hint_text("What do you want to do?");
        let field = ui.add(edit);
        ctx.accesskit_node_builder(field.id, |node| node.set_label("Find action"));
        if !std::mem::replace(&mut query.focused, true) {
            field.request_focus();
        }
        if field.changed() {
            query.found = search(&query.text, &state.recent);
            query.settle((view, timeline), 0, false);
            query.scroll_to_line = true;
        }
        ui.add_space(theme::GAP);
        lines_ui(ui, (view, timeline), query)
    });
    let chosen = entered.or(shown.inner).and_then(|line| query.found.get(line));
    match chosen.map(|(entry, _)| *entry) {
        // What is disabled keeps the palette open, where its line shows why.
        Some(entry) if entry.why_not(view, timeline).is_none() => {
            state.recent.retain(|other| *other != entry);
            state.recent.insert(0, entry);
            state.recent.truncate(RECENT);
            state.open = None;
            match entry {
                Entry::Action(action) => out.push(Request::Act(action)),
                Entry::Keys(action) => timeline.act(action),
            }
        }
        _ if shown.should_close() => state.open = None,
        _ => {}
    }
}

/// Draws the actions found. Returns the index of the line that was clicked, if any.
fn lines_ui(ui: &mut Ui, (view, timeline): (&View, &TimelineState), query: &mut Query) -> Option<usize> {
    let height = LINES * theme::ROW;
    if query.found.is_empty() {
        ui.allocate_ui(vec2(ui.available_width(), height), |ui| {
            ui.set_min_height(height);
            ui.weak("No action matches.");
        });
        return None;
    }
    let mut clicked = None;
    ui.spacing_mut().item_spacing.y = 0.0;
    let mut scroll = ScrollArea::vertical().auto_shrink(false).max_height(height);
    if std::mem::take(&mut query.scroll_to_line) {
        // Centre the line, as far as there are lines around it.
        let middle = (query.line.unwrap_or(0) as f32 - LINES / 2.0) * theme::ROW;
        scroll = scroll.vertical_scroll_offset(middle.max(0.0));
    }
    scroll.show_rows(ui, theme::ROW, query.found.len(), |ui, visible| {
        for line in visible {
            if line_ui(ui, (view, timeline), &query.found[line], Some(line) == query.line).clicked() {
                clicked = Some(line);
            }
        }
    });
    clicked
}

fn line_ui(
    ui: &mut Ui,
    (view, timeline): (&View, &TimelineState),
    (entry, menu_path): &(Entry, String),
    chosen: bool,
) -> Response {
    let reason = entry.why_not(view, timeline);
    let (checked, keys) = match entry {
        Entry::Action(action) => (action.checked(view), keys_text(ui.ctx(), *action)),
        Entry::Keys(action) => (None, action.row().shortcuts.first().map(ToString::to_string)),
    };
    // The reason why it is disabled replaces the menu path.
    let detail = match &reason {
        Some(reason) => RichText::new(reason.as_ref()).color(theme::WARNING),
        None => RichText::new(menu_path).color(theme::TEXT_QUIET),
    };
    let text = (menu_mark(checked), entry.text(), detail.size(theme::SMALL), Atom::grow());
    let mut button = Button::new(text).truncate().selected(chosen).quiet(chosen);
    if let Some(keys) = keys {
        button = button.shortcut_text(keys);
    }
    let size = vec2(ui.available_width(), theme::ROW);
    let response = ui.horizontal(|ui| ui.add_enabled(reason.is_none(), button.min_size(size))).inner;
    let kind = match checked {
        Some(_) => WidgetType::Checkbox,
        None => WidgetType::Button,
    };
    match entry {
        Entry::Action(action) => {
            name(&response, kind, &format!("Palette > {}", action.text), checked, reason.as_deref());
            with_tooltip(response, *action, None)
        }
        Entry::Keys(action) => {
            let row = action.row();
            name(&response, kind, &format!("Palette > Keys > {}", row.text), None, reason.as_deref());
            response.tip(row.tooltip)
        }
    }
}
