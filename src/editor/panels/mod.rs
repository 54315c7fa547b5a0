//! The panels around the viewport: functions from the view and their own state to requests.
//!
//! They read a [`View`], keep interface state that is not part of the document (what is open, what is being
//! typed), and emit [`Request`]s. They access no files, Bevy or global state; `tests/panels` drives them
//! without a window.
//!
//! Every control has an accessible name that is unique in the window: fields by their value
//! ("Extent y", its slider "Extent y slider"), buttons by their text, list rows by kind and name
//! ("Bone Hand.L", "Handle IK Hand.L", "Skinned mesh Human", "Instance Human"), menu lines by menu and
//! text ("Edit > Undo Move tail of Hand.L").

pub mod bones;
pub mod compare;
pub mod dialogs;
pub mod layers;
pub mod menu;
pub mod mesh_stats;
pub mod messages;
pub mod motions;
pub mod outliner;
pub mod overlays;
pub mod poses;
pub mod progress;
pub mod properties;
pub mod side;
pub mod status;
pub mod timeline;

use super::ui::action::set_shown_keymap;
use super::ui::dock::{Dock, Docks, Edge};
use super::ui::theme;
use super::ui::tooltip::begin_frame;
use crate::edit::action::{Action, Dialog};
use crate::edit::request::Request;
use crate::edit::settings::view::{Tab, View};
use crate::edit::tool::ToolOptions;
use crate::editor::panels::dialogs::take_over_dialog::TakeOverDialog;
use egui::{CentralPanel, Context, Frame, Id, Rect, Response, Sense, Ui, WidgetInfo, WidgetType};

/// The state of all panels between frames.
#[derive(Default)]
pub struct PanelsState {
    pub side: side::SideState,
    pub timeline: timeline::TimelineState,
    pub messages: messages::Messages,
    pub dialogs: dialogs::DialogsState,
    /// The file dialog, while it is open.
    pub file_dialog: Option<dialogs::file_dialog::FileDialogState>,
    /// The position of the pointer and the vertex of the skin under it, in the weights view.
    pub probe: Option<(egui::Pos2, u32)>,
    /// The tool that is active, if it was chosen, and what its next click does.
    pub tool: Option<(Action, String)>,
    /// The areas of the view in this frame.
    pub view_areas: ViewAreas,
    /// A mesh that was read, while its import dialog is open.
    pub import: Option<dialogs::import::ImportState>,
    /// A scene in another format that was read, while its import dialog is open.
    pub import_scene: Option<dialogs::import_scene::OfferedScene>,
    pub export: dialogs::export::ExportState,
    pub compare: compare::CompareState,
    pub motions: motions::MotionsState,
    pub palette: dialogs::palette::PaletteState,
    pub preferences: dialogs::preferences_dialog::PreferencesState,
    pub docks: Docks,
    /// Files that were opened or saved, the latest first.
    pub recent: Vec<menu::RecentFile>,
    /// The primitive that is being added.
    pub primitive: Option<dialogs::primitive::PrimitiveState>,
    /// The progress of the background job, if one is running.
    pub job: Option<progress::JobProgress>,
    pub render: dialogs::render::RenderState,
    /// The sessions that can be recovered, while the dialog offers them.
    pub recovery: Option<dialogs::recovery_dialog::RecoveryState>,
    /// Whether the view is drawn fast, without smooth edges.
    pub fast_drawing: bool,
    /// Whether a modal dialog was open at the last call of [`Self::dialog_opened`].
    was_modal: bool,
    /// Whether the panels handled the keyboard at the start of this frame; the Esc that ends typing has no
    /// other effect.
    took_keys: bool,
    /// Whether text was being typed at the end of the last frame. Esc ends it before the panels are drawn.
    typed_text: bool,
}

/// The areas of the view, in points.
#[derive(Clone, Copy)]
pub struct ViewAreas {
    /// All of it, with the strips that cover its upper and lower end. The cameras draw here, so that a strip
    /// that comes or goes moves nothing.
    pub whole: Rect,
    /// The part in which things are framed: what neither strips nor messages cover, and neither would one more
    /// strip at the bottom.
    pub free: Rect,
}

impl Default for ViewAreas {
    fn default() -> Self {
        Self { whole: Rect::ZERO, free: Rect::ZERO }
    }
}

impl PanelsState {
    /// Opens a window, a dialog or a text field of the panels.
    pub fn open(&mut self, dialog: Dialog) {
        match dialog {
            Dialog::Palette => self.palette.open(),
            Dialog::Messages => self.messages.open = !self.messages.open,
            Dialog::Shortcuts => self.dialogs.keys.toggle(),
            Dialog::About => self.dialogs.about = true,
            Dialog::Preferences => self.preferences.open(),
            Dialog::Rename => self.side.rename(),
            Dialog::RenameBones => self.dialogs.rename.open(),
            Dialog::RenameTake => self.timeline.rename_take(),
            Dialog::FilterBones => self.side.bones.find(),
            Dialog::SplitBones | Dialog::ScaleRadius | Dialog::AlignRoll | Dialog::LimitsFromPose => {
                self.dialogs.bones.open(dialog);
            }
            Dialog::BakeIk => self.dialogs.bake.open(),
            Dialog::ExportGltf => self.export.open(),
            Dialog::Motions => self.motions.open(),
            Dialog::CheckMotion => self.motions.open_check(),
            Dialog::Lock => self.dialogs.lock.open(),
            Dialog::TakeOver(new) => self.dialogs.take_over = Some(TakeOverDialog::new(new)),
            Dialog::Attach => self.dialogs.attach.open(),
            Dialog::Time(change) => self.dialogs.time.open(change),
            Dialog::Render { picture } => self.render.open(picture),
            Dialog::Primitive(primitive) => {
                self.primitive = Some(dialogs::primitive::PrimitiveState::new(primitive));
            }
        }
    }

    /// Closes the windows of shortcuts and messages. Returns whether one was open.
    pub fn close_windows(&mut self) -> bool {
        let open = self.dialogs.keys.open || self.messages.open;
        (self.dialogs.keys.open, self.messages.open) = (false, false);
        open
    }

    /// Whether the panels handle the keyboard in this frame: text is being typed, a field is being dragged,
    /// or a menu or dialog is open. The shortcuts of the application are disabled meanwhile.
    pub fn takes_keys(&self, ctx: &Context) -> bool {
        self.took_keys || self.takes_keys_now(ctx)
    }

    fn takes_keys_now(&self, ctx: &Context) -> bool {
        self.side.fields.dragging()
            || self.docks.dragging()
            || self.side.bones.takes_keys(ctx)
            || self.side.outliner.dragging()
            || self.side.poses.dragging()
            || self.side.fields.typing()
            || self.timeline.takes_keys()
            || ctx.text_edit_focused()
            || self.is_modal()
            || self.dialogs.keys.takes_keys()
            || egui::Popup::is_any_open(ctx)
    }

    /// Whether a shortcut may trigger `action`: while the pointer is over the dope sheet, Ctrl+C and Ctrl+V copy and
    /// paste keys, not poses.
    pub fn accepts(&self, action: Action) -> bool {
        let poses = [Action::COPY_POSE, Action::PASTE_POSE, Action::PASTE_MIRRORED_POSE];
        !(poses.contains(&action) && self.timeline.has_keyboard())
    }

    /// Whether a dialog has opened since the last call. A tooltip that is open at that time would stay above
    /// the dialog until the pointer moves away.
    pub fn dialog_opened(&mut self) -> bool {
        let modal = self.is_modal();
        let before = std::mem::replace(&mut self.was_modal, modal);
        modal && !before
    }

    /// Whether a modal dialog is open.
    pub fn is_modal(&self) -> bool {
        let meshes = self.import.is_some() || self.import_scene.is_some() || self.primitive.is_some();
        let meshes = meshes || self.export.is_open();
        self.dialogs.is_modal()
            || self.recovery.is_some()
            || self.file_dialog.is_some()
            || self.render.open
            || self.palette.is_open()
            || self.preferences.is_open()
            || meshes
    }
}

/// Lays out the window: the menu bar at the top, lists at the left, properties at the right, the status bar
/// at the bottom, with dialogs and messages on top. Returns the response of the remaining area, the viewport,
/// to clicks and drags; paints nothing there.
///
/// `hint` describes what the mouse does now, for the status bar.
pub fn frame_ui(
    ui: &mut Ui,
    view: &View,
    state: &mut PanelsState,
    hint: &str,
    out: &mut Vec<Request>,
) -> Response {
    theme::set_theme(ui.ctx(), view.settings.options.theme);
    ui.reset_style();
    state.took_keys = state.typed_text || state.takes_keys_now(ui.ctx());
    begin_frame(ui.ctx());
    set_shown_keymap(ui.ctx(), &view.settings.options.keys);
    // A click outside an open menu only closes the menu.
    let menu_open = egui::Popup::is_any_open(ui.ctx());
    let bar = Frame::new().fill(*theme::BAR);
    let hint = state.timeline.hint().unwrap_or(hint);
    egui::Panel::top("top bar")
        .frame(bar.inner_margin(egui::Margin::symmetric(8, 4)))
        .show(ui, |ui| menu::menu_ui(ui, view, &state.recent, out));
    egui::Panel::bottom("status bar")
        .frame(bar.inner_margin(egui::Margin::symmetric(10, 3)))
        .show(ui, |ui| {
            status::status_ui(ui, view, hint, state.job, state.fast_drawing, &mut state.messages, out)
        });
    docks_ui(ui, view, state, out);
    let viewport = CentralPanel::no_frame()
        .show(ui, |ui| {
            let whole = ui.available_rect_before_wrap();
            strips_ui(ui, view, state, out);
            let viewport = viewport_ui(ui, menu_open);
            state.view_areas = ViewAreas { whole, free: free_area(view, state, whole, viewport.rect) };
            viewport
        })
        .inner;
    state.docks.dividers_ui(ui);

    over_viewport_ui(ui, view, state, viewport.rect, menu_open, out);
    dialogs_ui(ui.ctx(), view, state, viewport.rect, out);
    state.typed_text = ui.ctx().text_edit_focused();
    viewport
}

fn is_comparing(view: &View) -> bool {
    view.settings.tab == Tab::Animate && view.settings.compare.on
}

/// Draws the panels around the viewport: properties, timeline, lists.
fn docks_ui(ui: &mut Ui, view: &View, state: &mut PanelsState, out: &mut Vec<Request>) {
    let PanelsState { side, docks, compare, motions, timeline, .. } = state;
    let size = ui.available_size();
    let properties = Dock {
        name: "Properties",
        edge: Edge::Right,
        suggested: (size.x * 0.235).clamp(theme::PROPERTIES_MIN, 330.0),
        range: theme::PROPERTIES_MIN..=(size.x * 0.5).max(theme::PROPERTIES_MIN),
    };
    properties.show(ui, docks, |ui, docks| {
        if is_comparing(view) {
            let height = ui.available_height();
            let panel = Dock {
                name: "Compare",
                edge: Edge::Bottom,
                suggested: height * 0.6,
                range: 120.0..=(height - 140.0).max(120.0),
            };
            panel.show(ui, docks, |ui, _| compare::compare_ui(ui, view, compare, out));
        }
        if motions.is_open(view) {
            let height = ui.available_height();
            let panel = Dock {
                name: "Motions",
                edge: Edge::Bottom,
                suggested: height * 0.6,
                range: 120.0..=(height - 140.0).max(120.0),
            };
            panel.show(ui, docks, |ui, _| motions::motions_ui(ui, view, motions, out));
        }
        let side::SideState { fields, properties, .. } = side;
        properties::properties_ui(ui, view, fields, properties, state.job, out);
    });
    if view.settings.tab == Tab::Animate {
        let panel = Dock {
            name: "Timeline",
            edge: Edge::Bottom,
            suggested: timeline.suggested_height(view, size.y),
            range: 34.0..=(size.y * 0.7).max(34.0),
        };
        panel.show(ui, docks, |ui, _| timeline::timeline_ui(ui, view, timeline, out));
    } else {
        timeline.leave(view, out);
    }
    for text in timeline.take_notices() {
        state.messages.push(messages::Level::Info, text, "");
    }
    let lists = Dock {
        name: "Lists",
        edge: Edge::Left,
        suggested: (size.x * 0.19).clamp(184.0, 280.0),
        range: theme::LISTS_MIN..=(ui.available_width() - 160.0).max(theme::LISTS_MIN),
    };
    lists.show(ui, docks, |ui, _| side::lists_ui(ui, view, side, out));
    side.end_frame(ui, view, out);
}

/// Shows the strips above and below the view.
fn strips_ui(ui: &mut Ui, view: &View, state: &mut PanelsState, out: &mut Vec<Request>) {
    overlays::view_bar::header_ui(ui, view, state.side.properties.tool.as_ref(), out);
    overlays::weights_view::legend_ui(ui, view, &mut state.side.properties.reports);
    overlays::unkeyed_banner::unkeyed_banner_ui(ui, view, out);
    if view.settings.fitting.is_some() {
        return overlays::fitting::fitting_ui(ui, view, state.takes_keys(ui.ctx()), out);
    }
    match &state.tool {
        Some((tool, prompt)) => overlays::banner::banner_ui(ui, *tool, prompt, out),
        None if state.job.is_none() => overlays::next_step::next_step_ui(ui, view),
        None => {}
    }
}

/// Returns the part of the view in which things are framed: see [`ViewAreas::free`]. `visible`: the part without
/// strips.
fn free_area(view: &View, state: &PanelsState, whole: Rect, visible: Rect) -> Rect {
    let mut free = visible;
    // A header and a banner are equally high, so that the middle of the free part is that of the view.
    free.max.y = free.max.y.min(whole.bottom() - (visible.top() - whole.top()));
    free.max.y -= state.messages.height().min(0.3 * visible.height());
    if is_comparing(view) {
        free.min.y += overlays::compare_view::CAPTION_HEIGHT;
    }
    free
}

/// Draws captions, hints and messages over the view.
fn over_viewport_ui(
    ui: &Ui,
    view: &View,
    state: &mut PanelsState,
    viewport: Rect,
    menu_open: bool,
    out: &mut Vec<Request>,
) {
    let ctx = ui.ctx().clone();
    if is_comparing(view) {
        overlays::compare_view::compare_view_ui(ui, view, &state.compare, viewport, out);
    }
    if let Some((pointer, vertex)) = state.probe.filter(|_| !menu_open) {
        let is_painting = matches!(state.side.properties.tool, Some(ToolOptions::Brush(_)));
        overlays::weights_view::probe_ui(&ctx, view, (pointer, is_painting), vertex, viewport);
    }
    state.timeline.end_frame(&ctx, out);
    if view.session.auto_key() && view.settings.tab == Tab::Animate {
        auto_key_ui(ui, viewport);
    }
    if !state.is_modal() {
        overlays::empty_view::empty_view_ui(&ctx, view, viewport, out);
    }
    let occupied = messages::visible_areas(&ctx, VIEWPORT_OVERLAYS);
    let step = view.session.history().step();
    messages::messages_ui(&ctx, &mut state.messages, viewport, &occupied, step, out);
}

fn dialogs_ui(ctx: &Context, view: &View, state: &mut PanelsState, viewport: Rect, out: &mut Vec<Request>) {
    // Shown again once the other dialog has been answered.
    if let Some(recovery) = state.recovery.as_mut().filter(|_| !state.dialogs.is_modal())
        && dialogs::recovery_dialog::recovery_ui(ctx, recovery, out)
    {
        state.recovery = None;
    }
    dialogs::dialogs_ui(ctx, view, &mut state.dialogs, out);
    dialogs::palette::palette_ui(ctx, view, &mut state.palette, &mut state.timeline, out);
    dialogs::preferences_dialog::preferences_ui(ctx, view, &mut state.preferences, out);
    if let Some(dialog) = &mut state.file_dialog
        && dialogs::file_dialog::file_dialog_ui(ctx, dialog, out)
    {
        state.file_dialog = None;
    }
    dialogs::render::progress_ui(ctx, &mut state.render.progress, viewport, out);
    if state.file_dialog.is_none() {
        dialogs::render::render_ui(ctx, view, &mut state.render, out);
    }
    dialogs::export::export_ui(ctx, view, &mut state.export, out);
    if let Some(import) = &mut state.import
        && dialogs::import::import_ui(ctx, view, import, out)
    {
        state.import = None;
    }
    if let Some(import) = &mut state.import_scene
        && dialogs::import_scene::import_scene_ui(ctx, import, out)
    {
        state.import_scene = None;
    }
    if let Some(primitive) = &mut state.primitive
        && dialogs::primitive::primitive_ui(ctx, view, primitive, out)
    {
        state.primitive = None;
    }
}

/// The ids of areas with buttons, which messages must not cover.
const VIEWPORT_OVERLAYS: &[&str] =
    &[overlays::axis_gizmo::AREA, "empty view", "rendering", dialogs::keys_window::TITLE];

/// Outlines the viewport, as a sign that auto-key is on and changes will be keyed.
fn auto_key_ui(ui: &Ui, viewport: Rect) {
    let stroke = egui::Stroke::new(2.0, theme::AUTO_KEY);
    ui.painter().rect_stroke(viewport, 0, stroke, egui::StrokeKind::Inside);
}

fn viewport_ui(ui: &mut Ui, menu_open: bool) -> Response {
    let rect = ui.available_rect_before_wrap();
    // The same id whatever strips there are, so that one that comes during a drag does not end it.
    let response = ui.interact(
        rect,
        Id::new("viewport"),
        if menu_open { Sense::HOVER } else { Sense::CLICK | Sense::DRAG },
    );
    response.widget_info(|| WidgetInfo::labeled(WidgetType::Other, true, "Viewport"));
    if response.is_pointer_button_down_on() {
        // A field that is being typed in would keep the keyboard, undo included.
        ui.memory_mut(|memory| memory.stop_text_input());
    }
    response
}
