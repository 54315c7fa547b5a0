//! The panel at the bottom of the Animate tab: the play controls, and below them the keys over a ruler of frames, in one of two
//! views: the dope sheet (`sheet`), or the curves of the values (`graph`). Both share the rows, the visible frames, the
//! selected keys, and what is done with them.

mod action;
mod clip;
mod drag;
mod drag_pointer;
mod drag_texts;
mod eases;
mod edit;
mod fewer;
mod graph;
mod head;
mod key_shape;
mod labels;
mod layout;
mod lines;
mod menu;
mod mute;
mod pointer;
mod preview;
mod rows;
mod ruler;
mod sheet;
mod sound_strip;
mod submenu;
mod take_spans;
mod takes;
mod time;
mod transport;

use crate::anim::channel::ChannelRef;
use crate::edit::command::keys::KeyframeValues;
use crate::edit::request::Request;
use crate::edit::select::selection::Selection;
use crate::edit::settings::view::{Tab, View};
use crate::edit::time::timeline::{KeySelection, RowChoice};
use crate::editor::ui::theme;
pub use action::{ROWS, SheetAction, key_list};
use drag::KeysDrag;
use eases::EaseChooser;
use egui::{Context, Id, Rect, Sense, Stroke, Ui};
use fewer::Fewer;
use graph::GraphState;
use graph::state::Fit;
use labels::RowRequest;
use layout::Layout;
use lines::{Lines, RowFilter, is_line_selected};
use ruler::RulerState;
use sound_strip::StripState;
pub use sound_strip::Wave;
use std::collections::BTreeSet;
use std::sync::Arc;
use time::{Scale, TimeView};

/// The state of the panel between frames.
#[derive(Default)]
pub struct TimelineState {
    keys: KeysState,
    transport: transport::TransportState,
    /// Whether the document had keys when they were first shown: the first key must not move the view.
    began_with_keys: Option<bool>,
}

impl TimelineState {
    /// Whether the panel handles the keyboard: a number is being dragged or typed, or keys are being dragged.
    pub fn takes_keys(&self) -> bool {
        self.keys.takes_keys() || self.keys.graph.takes_keys() || self.transport.takes_keys()
    }

    /// Whether shortcuts act on keyframes, because the pointer is over them.
    pub fn has_keyboard(&self) -> bool {
        self.keys.focused
    }

    /// Tells whether a tool of the view is active, which Esc ends then.
    pub fn set_has_tool(&mut self, has_tool: bool) {
        self.keys.has_tool = has_tool;
    }

    /// The reason why an action on keys cannot be done now.
    pub fn why_not(&self, view: &View, action: SheetAction) -> Option<&'static str> {
        match view.settings.tab {
            Tab::Animate => self.keys.disabled_reason(action),
            Tab::Rig => Some("Keys are shown on the Animate tab."),
        }
    }

    /// Carries out an action on keys as soon as they are drawn.
    pub fn act(&mut self, action: SheetAction) {
        self.keys.pending = Some(action);
    }

    /// Shows keys as curves.
    pub fn show_curves(&mut self) {
        self.keys.show(KeysView::Curves);
    }

    /// Opens a text field over the name of the active take.
    pub fn rename_take(&mut self) {
        self.transport.rename_take();
    }

    /// The mouse controls, while the pointer is over the panel.
    pub fn hint(&self) -> Option<&'static str> {
        self.keys.hint
    }

    /// Takes the notices that are to be shown as messages.
    pub fn take_notices(&mut self) -> Vec<String> {
        std::mem::take(&mut self.keys.notices)
    }

    /// Resets the state after another document was opened.
    pub fn document_opened(&mut self) {
        self.keys.document_opened();
        self.began_with_keys = None;
    }

    /// Returns the height to begin with, of `available` points. A document without keys needs the play controls, the ruler, and
    /// two rows, which say how to insert keys, and it stays so low until the person makes it higher or asks for curves.
    pub fn suggested_height(&mut self, view: &View, available: f32) -> f32 {
        let usual = (available * 0.3).min(280.0);
        let animation = &view.session.scene().animation;
        let began_with_keys = *self.began_with_keys.get_or_insert(!animation.channels.is_empty());
        if began_with_keys || self.keys.shown == KeysView::Curves {
            usual
        } else {
            let strips = take_spans::height(&animation.takes) + sound_strip::height(animation.sound.as_ref());
            usual.min(110.0 + strips)
        }
    }

    /// Sets what there is of the sound to draw, under the ruler.
    pub fn set_wave(&mut self, wave: Wave) {
        self.keys.sound.wave = wave;
    }

    /// Ends drags, since the panel is not shown.
    pub fn leave(&mut self, view: &View, out: &mut Vec<Request>) {
        self.keys.leave(view, out);
    }

    /// Ends the frame of the panel. To be called once per frame, whether it is shown or not.
    pub fn end_frame(&mut self, ctx: &Context, out: &mut Vec<Request>) {
        self.transport.end_frame(ctx, out);
        self.keys.graph.end_frame(ctx, out);
        self.keys.sound.end_frame(ctx, out);
    }
}

pub fn timeline_ui(ui: &mut Ui, view: &View, state: &mut TimelineState, out: &mut Vec<Request>) {
    transport::transport_ui(ui, view, &mut state.transport, out);
    keys_ui(ui, view, &mut state.keys, out);
}

/// How keys are shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum KeysView {
    #[default]
    Sheet,
    Curves,
}

/// The state of keys between frames, in both views.
#[derive(Default)]
struct KeysState {
    shown: KeysView,
    time: TimeView,
    /// Whether times are shown in seconds instead of frames.
    seconds: bool,
    filter: RowFilter,
    search: Option<Search>,
    /// The channels whose keys are not selected, nor changed in the curves.
    locked: BTreeSet<ChannelRef>,
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
    eases: EaseChooser,
    ruler: RulerState,
    sound: StripState,
    graph: GraphState,
    /// Whether shortcuts act on keys, because the pointer is over the rows.
    focused: bool,
    /// Whether the pointer is over the ruler.
    over_ruler: bool,
    /// Whether a tool of the view is active, which Esc ends.
    has_tool: bool,
    /// Whether the last press beside the ruler was in the rows: it decides over the ruler.
    pressed: bool,
    /// The action to carry out once keys are drawn.
    pending: Option<SheetAction>,
    hint: Option<&'static str>,
    notices: Vec<String>,
    /// The selection and the current frame of the previous pass.
    previous: Option<(Selection, f32)>,
    /// The index of a row to scroll to.
    row_to_reveal: Option<usize>,
}

/// The field in which names of rows are searched.
#[derive(Default)]
struct Search {
    text: String,
    /// Whether it has been drawn.
    is_shown: bool,
}

/// A drag of keys or among them.
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
    /// The height of the starting corner: in the sheet in points below the top of the first row under the summary, in the
    /// curves as a value.
    y: f32,
    cancelled: bool,
}

impl KeysState {
    /// Whether keys handle the keyboard, because Esc cancels a drag.
    fn takes_keys(&self) -> bool {
        self.is_dragging() || self.ruler.dragging() || self.sound.takes_keys()
    }

    /// Whether the pointer drags keys, or among them.
    fn is_dragging(&self) -> bool {
        self.drag.is_some() || self.graph.slope.is_some() || self.graph.lasso.is_some()
    }

    /// Resets the state after another document was opened, except for copied keys and display settings.
    fn document_opened(&mut self) {
        *self = Self {
            copied: std::mem::take(&mut self.copied),
            shown: self.shown,
            seconds: self.seconds,
            label_width: self.label_width,
            ..Self::default()
        };
    }

    /// Commits drags, since keys are not shown.
    fn leave(&mut self, view: &View, out: &mut Vec<Request>) {
        (self.hint, self.focused, self.pressed) = (None, false, false);
        self.eases.close();
        self.ruler.leave(out);
        self.sound.leave(out);
        if let Some(ActiveDrag::Keys(drag)) = &mut self.drag {
            self.notices.extend(drag.commit(view.session, out));
        }
        (self.drag, self.graph.lasso) = (None, None);
        if let Some(mut drag) = self.graph.slope.take() {
            drag.commit(out);
        }
        if std::mem::take(&mut self.refit) {
            self.time.fit();
        }
    }

    /// Shows keys in another way; the visible frames and the selected keys stay.
    fn show(&mut self, shown: KeysView) {
        if self.shown != shown {
            self.shown = shown;
            self.eases.close();
            self.graph.opened();
        }
    }

    /// Whether only rows of the selection are shown: at first, in the sheet all are, and as curves only these.
    fn only_selected(&self) -> bool {
        match self.shown {
            KeysView::Sheet => self.filter.choice.only_selected,
            KeysView::Curves => self.graph.only_selected,
        }
    }

    fn toggle_only_selected(&mut self) {
        match self.shown {
            KeysView::Sheet => self.filter.choice.only_selected = !self.filter.choice.only_selected,
            KeysView::Curves => self.graph.only_selected = !self.graph.only_selected,
        }
    }

    fn is_pinned(&self, line: &lines::Line) -> bool {
        let pinned = &self.filter.choice.pinned;
        !line.row.channels.is_empty() && line.row.channels.iter().all(|channel| pinned.contains(channel))
    }

    fn is_locked(&self, line: &lines::Line) -> bool {
        !line.row.channels.is_empty() && line.row.channels.iter().all(|channel| self.locked.contains(channel))
    }

    /// Opens the field in which names of rows are searched, or closes it.
    fn toggle_search(&mut self) {
        self.search = self.search.is_none().then(Search::default);
    }

    /// Updates the selected keys, the rows, and the row to scroll to.
    fn sync(&mut self, view: &View) {
        let scene = view.session.scene();
        self.keys = Arc::clone(view.session.keys());
        let search = self.search.as_ref().map_or("", |search| search.text.trim());
        let filter = RowFilter {
            choice: RowChoice {
                // What is searched may be anywhere.
                only_selected: self.only_selected() && search.is_empty(),
                search: search.to_owned(),
                ..self.filter.choice.clone()
            },
            needs_keys: self.shown == KeysView::Curves,
        };
        self.lines.update(view, &filter, &self.keys);
        if !view.session.in_transaction() && !self.locked.is_empty() {
            // What is locked is not changed here.
            if let Some(keys) = self.keys.without(|channel| self.locked.contains(channel)) {
                self.keys = Arc::new(keys);
            }
        }
        let selection = view.session.selection();
        if self.previous.as_ref().is_none_or(|(previous, _)| previous != selection) {
            let is_selected = |line: &lines::Line| is_line_selected(scene, selection, line, &self.filter);
            self.row_to_reveal = self.lines.all().iter().position(is_selected);
        }
    }
}

/// Draws rows and keys, with the ruler above.
fn keys_ui(ui: &mut Ui, view: &View, state: &mut KeysState, out: &mut Vec<Request>) {
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
    let scale_of = |state: &KeysState| state.time.scale(&clip, layout.split, full.right());
    pointer::wheel(ui, &layout, &clip, &scale_of(state), state);
    let scale = scale_of(state);
    follow_frame(view, &scale, state);

    let seconds = state.seconds;
    ruler::paint_played(ui, layout.keys, &scale, &clip);
    ruler::paint_grid(ui, layout.keys, &scale, &clip, seconds);
    let rows_of = |state: &KeysState| (state.shown, state.search.as_ref().map(|search| search.text.clone()));
    let before = rows_of(state);
    head::head_ui(ui, state, layout.head);
    if rows_of(state) != before {
        // The curves have rows of their own, and so has a search: they fit them.
        state.sync(view);
        state.graph.fit(Fit::All);
    }
    ruler::ruler_ui(ui, view, layout.ruler, &scale, seconds, &mut state.ruler, out);
    take_spans::spans_ui(ui, view, layout.takes, &scale, &mut state.ruler, out);
    sound_strip::strip_ui(ui, view, layout.sound, &scale, &mut state.sound, out);
    sound_strip::name_ui(ui, view, layout.sound_name, &mut state.sound, out);
    let sense = Sense::CLICK | Sense::DRAG;
    let area = ui.interact(layout.keys, Id::new("sheet keys"), sense);
    area.widget_info(|| egui::WidgetInfo::labeled(egui::WidgetType::Other, true, "Keys"));
    // The Esc that cancels a drag has no other effect.
    let was_dragging = state.takes_keys();
    let mut rows = rows::rows_ui(ui, view, &layout, &scale, &area, state, out);
    if state.lines.all().is_empty() {
        rows::empty_ui(ui, view, state, layout.body.with_min_x(layout.split));
    }
    let brackets = match state.shown {
        KeysView::Sheet => sheet::brackets_ui(ui, &layout, &scale, &area, state),
        KeysView::Curves => sheet::Brackets::default(),
    };
    head::edge_ui(ui, state, full, layout.split);
    let under = Rect::from_min_max(layout.ruler.min, full.max);
    ruler::paint_playhead(ui, view, layout.ruler, under, &scale, seconds);
    carry_out(ui, view, state, rows.request.take());
    if state.drag.is_some() || state.keys.is_empty() {
        state.eases.close();
    }
    let current = state.eases.is_open().then(|| state.common_mode(view.session.scene())).flatten();
    if let Some(action) = state.eases.ui(ui, current) {
        state.act(view, &scale, action, 0.0, out);
    }
    match state.shown {
        KeysView::Sheet => sheet::pointer_ui(ui, view, &layout, &scale, &area, &rows, &brackets, state, out),
        KeysView::Curves => graph::graph_ui(ui, view, &layout, &scale, &area, state, out),
    }
    let pointer = ui.input(|i| i.pointer.latest_pos());
    // What follows the pointer begins where it is, once that is known.
    if let Some(action) = state.pending.take_if(|action| pointer.is_some() || !action.follows_pointer()) {
        state.act(view, &scale, action, scale.frame(pointer.map_or(0.0, |pointer| pointer.x)), out);
    }
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

/// Carries out a request of a row.
fn carry_out(ui: &Ui, view: &View, state: &mut KeysState, request: Option<RowRequest>) {
    match request {
        Some(RowRequest::SelectKeys(line)) => {
            let extend = ui.input(|i| i.modifiers.shift);
            state.select_row(view.session.scene(), line, extend);
        }
        Some(RowRequest::Fold(mesh)) => toggle_fold(&mut state.filter.choice.folded, mesh),
        Some(RowRequest::FoldAll) => {
            state.filter.choice.folded = view.session.scene().skinned_meshes.keys().cloned().collect();
        }
        Some(RowRequest::UnfoldAll) => state.filter.choice.folded = BTreeSet::new(),
        Some(RowRequest::Show(subject, component)) => state.graph.toggle(subject, component),
        Some(RowRequest::Pin(line)) => toggle_all(&mut state.filter.choice.pinned, state.lines.all(), line),
        Some(RowRequest::Lock(line)) => toggle_all(&mut state.locked, state.lines.all(), line),
        None => {}
    }
}

/// Gives keys the keyboard while the pointer is over their rows. Over the ruler, whose clicks move time and nothing
/// else, shortcuts belong to what was pressed before, except those that set modes: they do nothing.
fn follow_pointer(ui: &Ui, layout: &Layout, state: &mut KeysState) {
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

/// Adds the channels of a row to a set, or removes them if it has them all.
fn toggle_all(set: &mut BTreeSet<ChannelRef>, lines: &[lines::Line], line: usize) {
    let channels = lines.get(line).map_or(&[][..], |line| &line.row.channels);
    if channels.iter().all(|channel| set.contains(channel)) {
        channels.iter().for_each(|channel| _ = set.remove(channel));
    } else {
        set.extend(channels.iter().cloned());
    }
}

fn toggle_fold(folded: &mut BTreeSet<String>, mesh: String) {
    if !folded.remove(&mesh) {
        folded.insert(mesh);
    }
}

/// Scrolls to the current frame if it was changed outside the panel.
fn follow_frame(view: &View, scale: &Scale, state: &mut KeysState) {
    let frame = view.session.frame();
    let moved = state.previous.as_ref().is_some_and(|(_, previous)| *previous != frame);
    if moved && !state.ruler.scrubbing && state.drag.is_none() {
        state.time.follow(scale, frame);
    }
    state.previous = Some((view.session.selection().clone(), frame));
}
