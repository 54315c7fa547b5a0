//! The dope sheet: rows of keys over a ruler of frames.

mod action;
mod drag;
mod eases;
mod edit;
mod fewer;
mod head;
mod keys;
mod labels;
mod lines;
mod mute;
mod pointer;
mod ruler;
mod sound_strip;
mod take_spans;
mod time;

use crate::anim::channel::Animation;
use crate::edit::action::Action;
use crate::edit::command::keys::KeyframeValues;
use crate::edit::request::Request;
use crate::edit::select::selection::Selection;
use crate::edit::settings::view::View;
use crate::edit::time::timeline::KeySelection;
use crate::editor::ui::theme;
pub use action::key_list;
use drag::KeysDrag;
use egui::scroll_area::{DragScroll, ScrollSource};
use egui::{Align2, Context, FontId, Id, Pos2, Rect, Response, ScrollArea, Sense, Stroke, Ui, pos2, vec2};
use fewer::Fewer;
use keys::KeyHit;
use labels::{RowRequest, label_ui};
use lines::{Lines, RowFilter, is_line_selected};
use ruler::RulerState;
use sound_strip::StripState;
pub use sound_strip::{Wave, height as sound_height};
use std::collections::BTreeSet;
use std::sync::Arc;
use time::{Scale, TimeView};

/// The state of the sheet between frames.
#[derive(Default)]
pub struct SheetState {
    time: TimeView,
    /// Whether times are shown in seconds instead of frames.
    seconds: bool,
    filter: RowFilter,
    /// The width of the column of names, if it was dragged.
    label_width: Option<f32>,
    lines: Lines,
    /// The selected keys: those of the session, or a new selection made in this frame.
    keys: Arc<KeySelection>,
    drag: Option<ActiveDrag>,
    /// Whether to show the whole clip again after the drag.
    refit: bool,
    copied: Vec<KeyframeValues>,
    fewer: Fewer,
    ruler: RulerState,
    sound: StripState,
    /// Whether shortcuts act on keys, because the pointer is over the rows.
    focused: bool,
    /// Whether the pointer is over the ruler.
    over_ruler: bool,
    /// Whether a tool of the view is active, which Esc ends.
    has_tool: bool,
    /// Whether the last press beside the ruler was in the rows: it decides over the ruler.
    pressed: bool,
    hint: Option<&'static str>,
    notices: Vec<String>,
    /// The selection and the current frame of the previous pass.
    previous: Option<(Selection, f32)>,
    /// The index of a row to scroll to.
    row_to_reveal: Option<usize>,
}

/// A drag in the sheet.
enum ActiveDrag {
    Keys(KeysDrag),
    Box(BoxDrag),
}

/// A box selection.
struct BoxDrag {
    /// The keys selected at the start.
    base: Arc<KeySelection>,
    extend: bool,
    /// The frame of the starting corner.
    frame: f32,
    /// The position of the starting corner, in points below the top of the first row under the summary.
    y: f32,
    cancelled: bool,
}

/// The layout of the sheet in this frame.
struct Layout {
    full: Rect,
    ruler: Rect,
    /// The spans of takes; empty if there are none.
    takes: Rect,
    /// The wave of the sound, and its name beside it; empty if there is none.
    sound: Rect,
    sound_name: Rect,
    head: Rect,
    /// The summary row: names and keys.
    summary: Rect,
    /// All other rows.
    body: Rect,
    /// The x coordinate between names and keys.
    split: f32,
}

impl Layout {
    fn new(full: Rect, state: &SheetState, animation: &Animation) -> Self {
        let split = full.left() + head::label_width(state, full.width());
        let numbers = full.top() + ruler::HEIGHT;
        let waves = numbers + take_spans::height(&animation.takes);
        let rows = waves + sound_strip::height(animation.sound.as_ref());
        let body = if state.lines.all().is_empty() { rows } else { rows + theme::ROW };
        let across = |from: f32, to: f32| Rect::from_x_y_ranges(full.x_range(), from..=to.max(from));
        let top = across(full.top(), waves);
        let sound = across(waves, rows);
        Self {
            full,
            ruler: across(full.top(), numbers).with_min_x(split),
            takes: across(numbers, waves).with_min_x(split),
            sound: sound.with_min_x(split),
            sound_name: sound.with_max_x(split),
            head: top.with_max_x(split),
            summary: across(rows, body),
            body: across(body, full.bottom()),
            split,
        }
    }

    /// The area of all keys, including those of the summary.
    fn keys(&self) -> Rect {
        Rect::from_min_max(pos2(self.split, self.summary.top()), self.full.max)
    }
}

/// The result of drawing the rows.
struct Rows {
    /// The index of each visible row, with the area of its keys.
    places: Vec<(usize, Rect)>,
    /// The top of the first row under the summary, which may be scrolled out of view.
    top: f32,
    hovered: Option<KeyHit>,
    request: Option<RowRequest>,
}

impl SheetState {
    /// Whether the sheet handles the keyboard, because Esc cancels a drag.
    pub fn takes_keys(&self) -> bool {
        self.drag.is_some() || self.ruler.dragging() || self.sound.takes_keys()
    }

    /// Tells whether a tool of the view is active, which Esc ends then.
    pub fn set_has_tool(&mut self, has_tool: bool) {
        self.has_tool = has_tool;
    }

    /// Whether shortcuts act on keyframes, because the pointer is over the rows.
    pub fn has_keyboard(&self) -> bool {
        self.focused
    }

    /// The mouse controls, while the pointer is over the sheet.
    pub fn hint(&self) -> Option<&'static str> {
        self.hint
    }

    /// Takes the notices that are to be shown as messages.
    pub fn take_notices(&mut self) -> Vec<String> {
        std::mem::take(&mut self.notices)
    }

    /// Sets what there is of the sound to draw.
    pub fn set_wave(&mut self, wave: Wave) {
        self.sound.wave = wave;
    }

    /// Ends the frame of the fields. To be called once per frame, whether the sheet is shown or not.
    pub fn end_frame(&mut self, ctx: &Context, out: &mut Vec<Request>) {
        self.sound.end_frame(ctx, out);
    }

    /// Resets the state after another document was opened, except for copied keys and display settings.
    pub fn document_opened(&mut self) {
        *self = Self {
            copied: std::mem::take(&mut self.copied),
            seconds: self.seconds,
            label_width: self.label_width,
            ..Self::default()
        };
    }

    /// Commits drags, since the sheet is not shown.
    pub fn leave(&mut self, view: &View, out: &mut Vec<Request>) {
        (self.hint, self.focused, self.pressed) = (None, false, false);
        self.ruler.leave(out);
        self.sound.leave(out);
        if let Some(ActiveDrag::Keys(drag)) = &mut self.drag {
            self.notices.extend(drag.commit(view.session, out));
        }
        self.drag = None;
        if std::mem::take(&mut self.refit) {
            self.time.fit();
        }
    }

    /// Updates the selected keys, the rows, and the row to scroll to.
    fn sync(&mut self, view: &View) {
        let scene = view.session.scene();
        self.keys = Arc::clone(view.session.keys());
        self.lines.update(view, &self.filter, &self.keys);
        let selection = view.session.selection();
        if self.previous.as_ref().is_none_or(|(previous, _)| previous != selection) {
            let is_selected = |line: &lines::Line| is_line_selected(scene, selection, line, &self.filter);
            self.row_to_reveal = self.lines.all().iter().position(is_selected);
        }
    }
}

pub fn sheet_ui(ui: &mut Ui, view: &View, state: &mut SheetState, out: &mut Vec<Request>) {
    let full = ui.available_rect_before_wrap();
    ui.allocate_rect(full, Sense::hover());
    if full.height() < ruler::HEIGHT + 6.0 || full.width() < 200.0 {
        state.leave(view, out);
        return;
    }
    state.sync(view);
    let first_request = out.len();
    let layout = Layout::new(full, state, &view.session.scene().animation);
    follow_pointer(ui, &layout, state);
    let clip = view.session.scene().animation.clip;
    let scale_of = |state: &SheetState| state.time.scale(&clip, layout.split, full.right());
    pointer::wheel(ui, &layout, &clip, &scale_of(state), state);
    let scale = scale_of(state);
    follow_frame(view, &scale, state);

    let seconds = state.seconds;
    ruler::paint_played(ui, layout.keys(), &scale, &clip);
    ruler::paint_grid(ui, layout.keys(), &scale, &clip, seconds);
    head::head_ui(ui, state, layout.head);
    ruler::ruler_ui(ui, view, layout.ruler, &scale, seconds, &mut state.ruler, out);
    take_spans::spans_ui(ui, view, layout.takes, &scale, &mut state.ruler, out);
    sound_strip::strip_ui(ui, view, layout.sound, &scale, &mut state.sound, out);
    sound_strip::name_ui(ui, view, layout.sound_name, &mut state.sound, out);
    let sense = Sense::CLICK | Sense::DRAG;
    let area = ui.interact(layout.keys(), Id::new("sheet keys"), sense);
    area.widget_info(|| egui::WidgetInfo::labeled(egui::WidgetType::Other, true, "Keys"));
    let mut rows = rows_ui(ui, view, &layout, &scale, &area, state, out);
    if state.lines.all().is_empty() {
        empty_ui(ui, view, state, layout.body.with_min_x(layout.split));
    }
    let brackets = pointer::brackets_ui(ui, &layout, &scale, &area, state);
    head::edge_ui(ui, state, full, layout.split);
    let under = Rect::from_min_max(layout.ruler.min, full.max);
    ruler::paint_playhead(ui, view, layout.ruler, under, &scale, seconds);

    match rows.request.take() {
        Some(RowRequest::SelectKeys(line)) => {
            let extend = ui.input(|i| i.modifiers.shift);
            state.select_row(view.session.scene(), line, extend);
        }
        Some(RowRequest::Fold(mesh)) => toggle_fold(&mut state.filter.folded, mesh),
        Some(RowRequest::FoldAll) => {
            state.filter.folded = view.session.scene().skinned_meshes.keys().cloned().collect();
        }
        Some(RowRequest::UnfoldAll) => state.filter.folded = BTreeSet::new(),
        None => {}
    }
    // The Esc that cancels a drag has no other effect.
    let was_dragging = state.takes_keys();
    pointer::pointer_ui(ui, view, &layout, &scale, &area, &rows, &brackets, state, out);
    if !was_dragging {
        pointer::keyboard(ui, view, &scale, state, out);
    }
    if state.keys != *view.session.keys() {
        // Before the requests that act on them.
        out.insert(first_request, Request::SelectKeys(state.keys.clone()));
    }
    if state.focused {
        let edge = full.top() + 1.0;
        ui.painter().hline(full.x_range(), edge, Stroke::new(2.0, theme::ACCENT));
    }
}

/// Gives the sheet the keyboard while the pointer is over its rows. Over the ruler, whose clicks move time and nothing
/// else, shortcuts belong to what was pressed before, except those that set modes: they do nothing.
fn follow_pointer(ui: &Ui, layout: &Layout, state: &mut SheetState) {
    let (pointer, pressed) = ui.input(|i| (i.pointer.hover_pos(), i.pointer.any_pressed()));
    let covered = |point| ui.ctx().layer_id_at(point) != Some(ui.layer_id());
    let pointer = pointer.filter(|point| !covered(*point));
    let over_rows =
        pointer.is_some_and(|point| layout.full.contains(point) && point.y >= layout.summary.top());
    let over_sheet = pointer.is_some_and(|point| layout.full.contains(point));
    if pressed && (over_rows || !over_sheet) {
        state.pressed = over_rows;
    }
    state.over_ruler = over_sheet && !over_rows;
    state.focused = over_rows || over_sheet && state.pressed;
}

fn toggle_fold(folded: &mut BTreeSet<String>, mesh: String) {
    if !folded.remove(&mesh) {
        folded.insert(mesh);
    }
}

/// Scrolls to the current frame if it was changed outside the sheet.
fn follow_frame(view: &View, scale: &Scale, state: &mut SheetState) {
    let frame = view.session.frame();
    let moved = state.previous.as_ref().is_some_and(|(_, previous)| *previous != frame);
    if moved && !state.ruler.scrubbing && state.drag.is_none() {
        state.time.follow(scale, frame);
    }
    state.previous = Some((view.session.selection().clone(), frame));
}

/// Draws the summary, which stays at the top, and the other rows, which scroll.
fn rows_ui(
    ui: &mut Ui,
    view: &View,
    layout: &Layout,
    scale: &Scale,
    area: &Response,
    state: &mut SheetState,
    out: &mut Vec<Request>,
) -> Rows {
    let mut rows = Rows { places: Vec::new(), top: layout.body.top(), hovered: None, request: None };
    let count = state.lines.all().len();
    if count == 0 {
        return rows;
    }
    let pointer = area.hover_pos().filter(|_| state.drag.is_none());
    let names = Rect::from_min_max(layout.summary.min, pos2(layout.split, layout.full.bottom()));
    ui.painter().rect_filled(names, 0.0, theme::PANEL);
    let row_to_reveal = state.row_to_reveal.take().filter(|line| *line > 0);
    let pan = pointer::vertical_scroll(ui, layout, area, state);
    row_ui(ui, view, layout, scale, 0, layout.summary, pointer, state, &mut rows, out);
    let stroke = Stroke::new(1.0, theme::LINE);
    let x = layout.full.x_range();
    ui.painter().hline(x, layout.summary.bottom() - 0.5, stroke);
    let mut inside = ui.new_child(egui::UiBuilder::new().max_rect(layout.body));
    inside.set_clip_rect(layout.body.intersect(ui.clip_rect()));
    ScrollArea::vertical()
        .id_salt("dope sheet")
        .auto_shrink(false)
        .scroll_source(ScrollSource { scroll_bar: true, drag: DragScroll::Never, mouse_wheel: true })
        .show_viewport(&mut inside, |ui, viewport| {
            ui.set_height((count - 1) as f32 * theme::ROW);
            rows.top = ui.max_rect().top();
            let row_rect = |line: usize| {
                let top = rows.top + (line - 1) as f32 * theme::ROW;
                Rect::from_x_y_ranges(layout.full.x_range(), top..=top + theme::ROW)
            };
            let first = 1 + (viewport.top() / theme::ROW).floor().max(0.0) as usize;
            let last = 1 + (viewport.bottom() / theme::ROW).ceil().max(0.0) as usize;
            let visible: Vec<_> = (first..last.min(count)).map(|line| (line, row_rect(line))).collect();
            if let Some(line) = row_to_reveal {
                ui.scroll_to_rect(row_rect(line), None);
            }
            if pan != 0.0 {
                ui.scroll_with_delta(vec2(0.0, pan));
            }
            for (line, rect) in visible {
                row_ui(ui, view, layout, scale, line, rect, pointer, state, &mut rows, out);
            }
        });
    rows
}

#[expect(clippy::too_many_arguments, reason = "a row, its area, and the outputs")]
fn row_ui(
    ui: &mut Ui,
    view: &View,
    layout: &Layout,
    scale: &Scale,
    line: usize,
    rect: Rect,
    pointer: Option<Pos2>,
    state: &SheetState,
    rows: &mut Rows,
    out: &mut Vec<Request>,
) {
    let bounds = if line == 0 { layout.summary } else { layout.body };
    let row_line = &state.lines.all()[line];
    let keys = rect.with_min_x(layout.split).intersect(bounds);
    if is_line_selected(view.session.scene(), view.session.selection(), row_line, &state.filter) {
        ui.painter_at(keys).rect_filled(keys, 0.0, theme::sheet::CHOSEN);
    }
    let places = [(line, keys)];
    let hovered = pointer.and_then(|point| keys::key_under(state.lines.all(), &places, scale, point));
    // Keys are centred in the whole row, even if a part of it is clipped.
    let whole = rect.with_min_x(layout.split);
    keys::paint_row(ui, row_line, whole, bounds, scale, hovered.map(|key| key.frame));
    let name = rect.with_max_x(layout.split - 2.0).with_min_x(rect.left() + 2.0);
    let request = label_ui(ui, view, state, line, name, out);
    rows.hovered = rows.hovered.or(hovered);
    rows.request = rows.request.take().or(request);
    rows.places.push((line, keys));
}

fn empty_ui(ui: &Ui, view: &View, state: &SheetState, rect: Rect) {
    let nothing_selected = view.session.selection().is_empty();
    let text = if state.filter.only_selected && !nothing_selected {
        "The selection has nothing that can be keyed".to_owned()
    } else {
        match view.settings.options.keys.text(Action::INSERT_KEYS) {
            Some(keys) => {
                format!("No keys yet. Select bones, pose them and press {keys} to insert keyframes.")
            }
            None => "No keys yet. Select bones, pose them and insert keyframes.".to_owned(),
        }
    };
    let font = FontId::proportional(theme::BODY);
    let painter = ui.painter_at(rect);
    let galley = painter.layout(text.clone(), font, *theme::TEXT_QUIET, (rect.width() - 24.0).max(80.0));
    let text_rect = Align2::CENTER_CENTER.anchor_size(rect.center(), galley.size());
    painter.galley(text_rect.min, galley, *theme::TEXT_QUIET);
    let response = ui.interact(text_rect, Id::new("no keys"), Sense::hover());
    response.widget_info(|| egui::WidgetInfo::labeled(egui::WidgetType::Label, true, &text));
}
