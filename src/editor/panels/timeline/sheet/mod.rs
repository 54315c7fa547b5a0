//! The dope sheet: rows of keys over a ruler of frames.

mod action;
mod drag;
mod edit;
mod head;
mod keys;
mod labels;
mod lines;
mod mute;
mod pointer;
mod ruler;
mod take_spans;
mod time;

use crate::anim::take::Takes;
use crate::edit::command::keys::KeyframeValues;
use crate::edit::request::Request;
use crate::edit::selection::Selection;
use crate::edit::timeline::KeySelection;
use crate::edit::view::View;
use crate::editor::ui::theme;
pub use action::key_list;
use drag::KeysDrag;
use egui::scroll_area::{DragScroll, ScrollSource};
use egui::{Align2, FontId, Id, Pos2, Rect, Response, ScrollArea, Sense, Stroke, Ui, pos2, vec2};
use keys::KeyAt;
use labels::{Asked, label_ui};
use lines::{Lines, Shown, is_chosen};
use ruler::RulerState;
use std::collections::BTreeSet;
use std::sync::Arc;
use time::{Scale, TimeView};

/// What the sheet remembers between frames.
#[derive(Default)]
pub struct SheetState {
    time: TimeView,
    seconds: bool,
    shown: Shown,
    /// The width of the column of names, after it was dragged.
    label_width: Option<f32>,
    lines: Lines,
    /// Selected keys: those of the session, and in the frame in which others are selected those.
    keys: Arc<KeySelection>,
    hold: Option<Hold>,
    /// The whole clip was seen before something was held.
    refit: bool,
    copied: Vec<KeyframeValues>,
    ruler: RulerState,
    /// The last press was on the sheet: it has the keyboard, wherever the pointer is.
    active: bool,
    hint: Option<&'static str>,
    notices: Vec<String>,
    /// What was selected, and the frame that was shown.
    last: Option<(Selection, f32)>,
    /// A row to bring into sight.
    wanted: Option<usize>,
}

/// What the pointer holds.
enum Hold {
    Keys(KeysDrag),
    Box(BoxDrag),
}

/// A box from where it began: a frame, and points below the first row under the summary.
struct BoxDrag {
    base: Arc<KeySelection>,
    extend: bool,
    frame: f32,
    y: f32,
    over: bool,
}

/// Where everything is in this frame.
struct Layout {
    full: Rect,
    ruler: Rect,
    /// Of spans; empty where there are no takes.
    takes: Rect,
    head: Rect,
    /// The summary row: names and keys.
    summary: Rect,
    /// All other rows.
    body: Rect,
    /// Names end and keys begin.
    split: f32,
}

impl Layout {
    fn new(full: Rect, state: &SheetState, takes: &Takes) -> Self {
        let split = full.left() + head::label_width(state, full.width());
        let numbers = full.top() + ruler::HEIGHT;
        let rows = numbers + take_spans::height(takes);
        let body = if state.lines.all().is_empty() {
            rows
        } else {
            rows + theme::ROW
        };
        let across = |from: f32, to: f32| Rect::from_x_y_ranges(full.x_range(), from..=to.max(from));
        let top = across(full.top(), rows);
        Self {
            full,
            ruler: across(full.top(), numbers).with_min_x(split),
            takes: across(numbers, rows).with_min_x(split),
            head: top.with_max_x(split),
            summary: across(rows, body),
            body: across(body, full.bottom()),
            split,
        }
    }

    /// Where keys are, the summary's too.
    fn keys(&self) -> Rect {
        Rect::from_min_max(pos2(self.split, self.summary.top()), self.full.max)
    }
}

/// What came of laying out the rows.
struct Rows {
    /// The place of the keys of each row in sight.
    places: Vec<(usize, Rect)>,
    /// Where the first row under the summary begins, though it may be out of sight.
    top: f32,
    hovered: Option<KeyAt>,
    asked: Option<Asked>,
}

impl SheetState {
    /// Whether keys belong to the sheet: something is held, and Esc cancels it.
    pub fn takes_keys(&self) -> bool {
        self.hold.is_some() || self.ruler.dragging()
    }

    /// Whether shortcuts mean keys: the sheet was pressed last.
    pub fn has_keyboard(&self) -> bool {
        self.active
    }

    /// What the mouse does, while it is over the sheet.
    pub fn hint(&self) -> Option<&'static str> {
        self.hint
    }

    /// What there is to say.
    pub fn take_news(&mut self) -> Vec<String> {
        std::mem::take(&mut self.notices)
    }

    /// Another document: what was copied stays.
    pub fn document_opened(&mut self) {
        *self = Self {
            copied: std::mem::take(&mut self.copied),
            seconds: self.seconds,
            label_width: self.label_width,
            ..Self::default()
        };
    }

    /// The sheet is not shown: what was held is put where it is.
    pub fn leave(&mut self, view: &View, out: &mut Vec<Request>) {
        (self.hint, self.active) = (None, false);
        self.ruler.leave(out);
        if let Some(Hold::Keys(drag)) = &mut self.hold {
            self.notices.extend(drag.commit(view.session, out));
        }
        self.hold = None;
        if std::mem::take(&mut self.refit) {
            self.time.fit();
        }
    }

    /// Brings selection of keys, rows and what is in sight up to date.
    fn sync(&mut self, view: &View) {
        let scene = view.session.scene();
        self.keys = Arc::clone(view.session.keys());
        self.lines.update(view, &self.shown, &self.keys);
        let selection = view.session.selection();
        if self.last.as_ref().is_none_or(|(last, _)| last != selection) {
            let chosen = |line: &lines::Line| is_chosen(scene, selection, line, &self.shown);
            self.wanted = self.lines.all().iter().position(chosen);
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
    let first = out.len();
    follow_presses(ui, full, state);
    let layout = Layout::new(full, state, &view.session.scene().animation.takes);
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
    let sense = Sense::CLICK | Sense::DRAG;
    let area = ui.interact(layout.keys(), Id::new("sheet keys"), sense);
    area.widget_info(|| egui::WidgetInfo::labeled(egui::WidgetType::Other, true, "Keys"));
    let mut rows = rows_ui(ui, view, &layout, &scale, &area, state, out);
    if state.lines.all().is_empty() {
        empty_ui(ui, view, state, layout.body.with_min_x(layout.split));
    }
    let ends = pointer::ends_ui(ui, &layout, &scale, state);
    head::edge_ui(ui, state, full, layout.split);
    let under = Rect::from_min_max(layout.ruler.min, full.max);
    ruler::paint_playhead(ui, view, layout.ruler, under, &scale, seconds);

    match rows.asked.take() {
        Some(Asked::SelectKeys(line)) => {
            let extend = ui.input(|i| i.modifiers.shift);
            state.select_row(view.session.scene(), line, extend);
        }
        Some(Asked::Fold(mesh)) => fold(&mut state.shown.folded, mesh),
        Some(Asked::FoldAll) => {
            state.shown.folded = view.session.scene().skinned_meshes.keys().cloned().collect();
        }
        Some(Asked::UnfoldAll) => state.shown.folded = BTreeSet::new(),
        None => {}
    }
    // The Esc that cancels what is held means nothing else.
    let was_held = state.takes_keys();
    pointer::pointer_ui(ui, view, &layout, &scale, &area, &rows, ends, state, out);
    if !was_held {
        pointer::keyboard(ui, view, &scale, state, out);
    }
    if state.keys != *view.session.keys() {
        // Before what is asked of them.
        out.insert(first, Request::SelectKeys(state.keys.clone()));
    }
    if state.active {
        let edge = full.top() + 1.0;
        ui.painter()
            .hline(full.x_range(), edge, Stroke::new(2.0, theme::ACCENT));
    }
}

/// A press on the sheet gives it the keyboard, one on another panel or the viewport takes it away. Menus,
/// windows and the buttons above the sheet do neither.
fn follow_presses(ui: &Ui, full: Rect, state: &mut SheetState) {
    let pressed_at = ui.input(|i| {
        let pressed = i.pointer.any_pressed();
        pressed.then(|| i.pointer.interact_pos()).flatten()
    });
    let Some(at) = pressed_at else { return };
    if ui.ctx().layer_id_at(at) == Some(ui.layer_id()) {
        state.active = full.contains(at) || state.active && ui.max_rect().contains(at);
    }
}

fn fold(folded: &mut BTreeSet<String>, mesh: String) {
    if !folded.remove(&mesh) {
        folded.insert(mesh);
    }
}

/// A frame shown by someone else is in sight.
fn follow_frame(view: &View, scale: &Scale, state: &mut SheetState) {
    let now = view.session.frame();
    let moved = state.last.as_ref().is_some_and(|(_, last)| *last != now);
    if moved && !state.ruler.scrubbing && state.hold.is_none() {
        state.time.follow(scale, now);
    }
    state.last = Some((view.session.selection().clone(), now));
}

/// The summary, which stays, and the other rows, which scroll.
fn rows_ui(
    ui: &mut Ui,
    view: &View,
    layout: &Layout,
    scale: &Scale,
    area: &Response,
    state: &mut SheetState,
    out: &mut Vec<Request>,
) -> Rows {
    let mut rows = Rows {
        places: Vec::new(),
        top: layout.body.top(),
        hovered: None,
        asked: None,
    };
    let count = state.lines.all().len();
    if count == 0 {
        return rows;
    }
    let pointer = area.hover_pos().filter(|_| state.hold.is_none());
    let names = Rect::from_min_max(layout.summary.min, pos2(layout.split, layout.full.bottom()));
    ui.painter().rect_filled(names, 0.0, theme::PANEL);
    let wanted = state.wanted.take().filter(|line| *line > 0);
    let pan = pointer::vertical(ui, layout, area, state);
    row_ui(
        ui,
        view,
        layout,
        scale,
        0,
        layout.summary,
        pointer,
        state,
        &mut rows,
        out,
    );
    let stroke = Stroke::new(1.0, theme::LINE);
    let x = layout.full.x_range();
    ui.painter().hline(x, layout.summary.bottom() - 0.5, stroke);
    let mut inside = ui.new_child(egui::UiBuilder::new().max_rect(layout.body));
    inside.set_clip_rect(layout.body.intersect(ui.clip_rect()));
    ScrollArea::vertical()
        .id_salt("dope sheet")
        .auto_shrink(false)
        .scroll_source(ScrollSource {
            scroll_bar: true,
            drag: DragScroll::Never,
            mouse_wheel: true,
        })
        .show_viewport(&mut inside, |ui, viewport| {
            ui.set_height((count - 1) as f32 * theme::ROW);
            rows.top = ui.max_rect().top();
            let place = |line: usize| {
                let top = rows.top + (line - 1) as f32 * theme::ROW;
                Rect::from_x_y_ranges(layout.full.x_range(), top..=top + theme::ROW)
            };
            let first = 1 + (viewport.top() / theme::ROW).floor().max(0.0) as usize;
            let last = 1 + (viewport.bottom() / theme::ROW).ceil().max(0.0) as usize;
            let in_sight: Vec<_> = (first..last.min(count)).map(|line| (line, place(line))).collect();
            if let Some(line) = wanted {
                ui.scroll_to_rect(place(line), None);
            }
            if pan != 0.0 {
                ui.scroll_with_delta(vec2(0.0, pan));
            }
            for (line, rect) in in_sight {
                row_ui(
                    ui, view, layout, scale, line, rect, pointer, state, &mut rows, out,
                );
            }
        });
    rows
}

#[expect(clippy::too_many_arguments, reason = "a row, its place, and where things go")]
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
    let of = &state.lines.all()[line];
    let keys = rect.with_min_x(layout.split).intersect(bounds);
    if is_chosen(view.session.scene(), view.session.selection(), of, &state.shown) {
        ui.painter_at(keys).rect_filled(keys, 0.0, theme::sheet::CHOSEN);
    }
    let place = [(line, keys)];
    let hovered = pointer.and_then(|at| keys::key_under(state.lines.all(), &place, scale, at));
    // The middle of the row counts, though its edge may be out of sight.
    let whole = rect.with_min_x(layout.split);
    keys::paint_row(ui, of, whole, bounds, scale, hovered.map(|key| key.frame));
    let name = rect.with_max_x(layout.split - 2.0).with_min_x(rect.left() + 2.0);
    let asked = label_ui(ui, view, state, line, name, out);
    rows.hovered = rows.hovered.or(hovered);
    rows.asked = rows.asked.take().or(asked);
    rows.places.push((line, keys));
}

fn empty_ui(ui: &Ui, view: &View, state: &SheetState, rect: Rect) {
    let none = view.session.selection().is_empty();
    let text = match state.shown.only_selected && !none {
        true => "The selection has nothing that can be keyed",
        false => "No keys yet. Select bones, pose them and press I to insert keyframes.",
    };
    let font = FontId::proportional(theme::BODY);
    let painter = ui.painter_at(rect);
    let galley = painter.layout(
        text.into(),
        font,
        theme::TEXT_QUIET,
        (rect.width() - 24.0).max(80.0),
    );
    let at = Align2::CENTER_CENTER.anchor_size(rect.center(), galley.size());
    painter.galley(at.min, galley, theme::TEXT_QUIET);
    let response = ui.interact(at, Id::new("no keys"), Sense::hover());
    response.widget_info(|| egui::WidgetInfo::labeled(egui::WidgetType::Label, true, text));
}
