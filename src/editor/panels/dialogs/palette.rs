//! The command palette: a search for actions by name.

use crate::edit::action::Action;
use crate::edit::action::search::{SearchHit, search};
use crate::edit::request::Request;
use crate::edit::settings::view::View;
use crate::editor::ui::action::{keys_text, menu_mark, name, with_tooltip};
use crate::editor::ui::dialog::modal;
use crate::editor::ui::row::line_edit;
use crate::editor::ui::theme;
use crate::editor::ui::theme::Quiet;
use egui::{
    Align2, Atom, Button, Context, Key, Modal, Modifiers, Response, RichText, ScrollArea, Ui, WidgetType,
    vec2,
};

/// The number of lines visible at once.
const LINES: f32 = 14.0;
/// The number of recent actions that are remembered.
const RECENT: usize = 8;

#[derive(Default)]
pub struct PaletteState {
    /// The search, while the palette is open.
    open: Option<Query>,
    /// The actions used from the palette, the latest first.
    recent: Vec<Action>,
}

#[derive(Default)]
struct Query {
    text: String,
    found: Vec<SearchHit>,
    /// The index of the current line, which Enter chooses; none if nothing that was found can be done.
    line: Option<usize>,
    /// Whether to scroll to the current line.
    scroll_to_line: bool,
    /// Whether the field has been given the keyboard focus.
    focused: bool,
}

impl Query {
    /// Makes the nearest line whose action can be done the current one: from `line` on, or back from it.
    fn settle(&mut self, view: &View, line: usize, back: bool) {
        let count = self.found.len();
        let mut lines =
            (0..count).map(|step| if back { (line + count - step) % count } else { (line + step) % count });
        self.line = lines.find(|line| self.found[*line].action.enabled(view).is_ok());
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

pub fn palette_ui(ctx: &Context, view: &View, state: &mut PaletteState, out: &mut Vec<Request>) {
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
    query.settle(view, wanted, up || page_up);
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
            query.settle(view, 0, false);
            query.scroll_to_line = true;
        }
        ui.add_space(theme::GAP);
        lines_ui(ui, view, query)
    });
    let chosen = entered.or(shown.inner).and_then(|line| query.found.get(line));
    match chosen.map(|found| found.action) {
        // A disabled action keeps the palette open, where its line shows why.
        Some(action) if action.enabled(view).is_ok() => {
            state.recent.retain(|other| *other != action);
            state.recent.insert(0, action);
            state.recent.truncate(RECENT);
            state.open = None;
            out.push(Request::Act(action));
        }
        _ if shown.should_close() => state.open = None,
        _ => {}
    }
}

/// Draws the actions found. Returns the index of the line that was clicked, if any.
fn lines_ui(ui: &mut Ui, view: &View, query: &mut Query) -> Option<usize> {
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
            if line_ui(ui, view, &query.found[line], Some(line) == query.line).clicked() {
                clicked = Some(line);
            }
        }
    });
    clicked
}

fn line_ui(ui: &mut Ui, view: &View, found: &SearchHit, chosen: bool) -> Response {
    let action = found.action;
    let reason = action.enabled(view).err();
    let checked = action.checked(view);
    // The reason why it is disabled replaces the menu path.
    let detail = match &reason {
        Some(reason) => RichText::new(reason.as_ref()).color(theme::WARNING),
        None => RichText::new(&found.menu_path).color(theme::TEXT_QUIET),
    };
    let text = (menu_mark(checked), action.text, detail.size(theme::SMALL), Atom::grow());
    let mut button = Button::new(text).truncate().selected(chosen).quiet(chosen);
    if let Some(keys) = keys_text(ui.ctx(), action) {
        button = button.shortcut_text(keys);
    }
    let size = vec2(ui.available_width(), theme::ROW);
    let response = ui.horizontal(|ui| ui.add_enabled(reason.is_none(), button.min_size(size))).inner;
    let kind = match checked {
        Some(_) => WidgetType::Checkbox,
        None => WidgetType::Button,
    };
    let label = format!("Palette > {}", action.text);
    name(&response, kind, &label, checked, reason.as_deref());
    with_tooltip(response, action, None)
}
