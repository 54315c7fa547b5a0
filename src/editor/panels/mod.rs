//! The panels around the viewport: functions from (what is, own state) to requests.
//!
//! They read a [`View`], keep state of their own that is no document (what is open, what is being
//! typed), and write [`Request`]s. They touch no files, no Bevy, nothing global; `tests/panels`
//! drives them without a window.
//!
//! Every control has an accessible name that is unique in the window: fields by what they hold
//! ("Extent y", its slider "Extent y slider"), buttons by their text, list rows by kind and name
//! ("Bone Hand.L", "Handle IK Hand.L", "Skinned mesh Human", "Instance Human"), menu lines by menu and
//! text ("Edit > Undo Move tail of Hand.L").

pub mod bake_dialog;
pub mod banner;
pub mod bone_dialogs;
pub mod bones;
pub mod camera_frame;
pub mod compare;
pub mod compare_view;
pub mod dialogs;
pub mod empty_view;
pub mod export;
pub mod file_dialog;
pub mod gizmo_bar;
pub mod hover;
pub mod import;
pub mod import_scene;
pub mod lock_dialog;
pub mod menu;
pub mod mesh_stats;
pub mod messages;
mod next_step;
pub mod onion;
pub mod outliner;
pub mod overwrite_dialog;
pub mod palette;
mod pose_hover;
pub mod poses;
pub mod preferences_dialog;
pub mod primitive;
pub mod progress;
pub mod properties;
pub mod recovery_dialog;
pub mod render;
pub mod side;
pub mod status;
pub mod timeline;
pub mod unkeyed_banner;
pub mod view_bar;
pub mod weights_view;

use super::ui::action::show_keys_of;
use super::ui::dock::{Dock, Docks, Edge};
use super::ui::spot::Obstacle;
use super::ui::theme;
use crate::edit::action::{Action, Dialog};
use crate::edit::request::Request;
use crate::edit::tool::ToolOptions;
use crate::edit::view::{Tab, View};
use egui::{CentralPanel, Context, Frame, Rect, Response, Sense, Ui, Vec2, WidgetInfo, WidgetType, vec2};

/// What all panels remember between frames.
#[derive(Default)]
pub struct PanelsState {
    pub side: side::SideState,
    pub timeline: timeline::TimelineState,
    pub messages: messages::Messages,
    pub dialogs: dialogs::DialogsState,
    /// Open while it is there.
    pub file_dialog: Option<file_dialog::FileDialogState>,
    /// The vertex of the skin under the pointer, and where the pointer is, in the weights view.
    pub probe: Option<(egui::Pos2, u32)>,
    /// What banners over the viewport must not cover.
    pub obstacles: Vec<Obstacle>,
    /// The pointer draws bones: nothing else is to be said in the view.
    pub draws_bones: bool,
    /// A mesh that was read and waits for what becomes of it.
    pub import: Option<import::ImportState>,
    /// As is a scene of another format.
    pub import_scene: Option<import_scene::SceneImport>,
    pub export: export::ExportState,
    pub compare: compare::CompareState,
    pub palette: palette::PaletteState,
    pub preferences: preferences_dialog::PreferencesState,
    pub docks: Docks,
    /// Files that were opened or saved, the last one first.
    pub recent: Vec<menu::RecentFile>,
    /// A primitive that is being added.
    pub primitive: Option<primitive::PrimitiveState>,
    /// What is worked out in the background.
    pub working: Option<progress::Working>,
    pub render: render::RenderState,
    /// Sessions that can be recovered, while they are offered.
    pub recovery: Option<recovery_dialog::RecoveryState>,
    /// A dialog waited for an answer when that was asked last.
    was_modal: bool,
    /// Keys belonged to the panels when this frame began: the Esc that ends typing means nothing else.
    took_keys: bool,
}

impl PanelsState {
    /// Opens a window, a dialog or a field of the panels.
    pub fn open(&mut self, dialog: Dialog) {
        match dialog {
            Dialog::Palette => self.palette.open(),
            Dialog::Messages => self.messages.open = !self.messages.open,
            Dialog::Shortcuts => self.dialogs.keys = !self.dialogs.keys,
            Dialog::About => self.dialogs.about = true,
            Dialog::Preferences => self.preferences.open(),
            Dialog::Rename => self.side.rename(),
            Dialog::RenameTake => self.timeline.rename_take(),
            Dialog::FilterBones => self.side.bones.find(),
            Dialog::SplitBones | Dialog::ScaleRadius | Dialog::AlignRoll | Dialog::LimitsFromPose => {
                self.dialogs.bones.open(dialog);
            }
            Dialog::BakeIk => self.dialogs.bake.ask(),
            Dialog::ExportGltf => self.export.ask(),
            Dialog::Lock => self.dialogs.lock.ask(),
            Dialog::Render { picture } => self.render.open(picture),
            Dialog::Primitive(primitive) => {
                self.primitive = Some(primitive::PrimitiveState::new(primitive));
            }
        }
    }

    /// Closes the windows of keys and of messages, if one is open. True if so.
    pub fn close_windows(&mut self) -> bool {
        let open = self.dialogs.keys || self.messages.open;
        (self.dialogs.keys, self.messages.open) = (false, false);
        open
    }

    /// Whether the keys of this frame belong to the panels: text is being typed, a field is being
    /// dragged, a menu or a dialog is open. Shortcuts of the application wait meanwhile.
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
            || self.modal()
            || egui::Popup::is_any_open(ctx)
    }

    /// Whether a shortcut means `action` here: while the dope sheet has the keyboard, Ctrl+C and Ctrl+V are of
    /// keys.
    pub fn accepts(&self, action: Action) -> bool {
        let poses = [Action::COPY_POSE, Action::PASTE_POSE, Action::PASTE_MIRRORED_POSE];
        !(poses.contains(&action) && self.timeline.has_keyboard())
    }

    /// Whether a dialog opened since this was asked last. A tooltip that is open then stays over the dialog until
    /// the pointer is somewhere else.
    pub fn dialog_opened(&mut self) -> bool {
        let modal = self.modal();
        let before = std::mem::replace(&mut self.was_modal, modal);
        modal && !before
    }

    /// Whether a dialog waits for an answer.
    pub fn modal(&self) -> bool {
        let meshes = self.import.is_some() || self.import_scene.is_some() || self.primitive.is_some();
        let meshes = meshes || self.export.is_open();
        self.dialogs.modal()
            || self.recovery.is_some()
            || self.file_dialog.is_some()
            || self.render.open
            || self.palette.is_open()
            || self.preferences.is_open()
            || meshes
    }
}

/// Lays out the window: bar at the top, lists at the left, properties at the right, status at the bottom, dialogs
/// and messages above all. Returns the rest, the viewport, as a response to clicks and drags; it paints nothing there.
///
/// `hint` says what the mouse does now, for the status bar.
pub fn frame_ui(
    ui: &mut Ui,
    view: &View,
    state: &mut PanelsState,
    hint: &str,
    out: &mut Vec<Request>,
) -> Response {
    state.took_keys = state.takes_keys_now(ui.ctx());
    show_keys_of(ui.ctx(), &view.settings.options.keys);
    // A click beside an open menu closes the menu and does nothing else.
    let menu_open = egui::Popup::is_any_open(ui.ctx());
    let bar = Frame::new().fill(theme::BAR);
    let hint = state.timeline.hint().unwrap_or(hint);
    egui::Panel::top("top bar")
        .frame(bar.inner_margin(egui::Margin::symmetric(8, 4)))
        .show(ui, |ui| menu::menu_ui(ui, view, &state.recent, out));
    egui::Panel::bottom("status bar")
        .frame(bar.inner_margin(egui::Margin::symmetric(10, 3)))
        .show(ui, |ui| {
            status::status_ui(ui, view, hint, state.working, &mut state.messages, out)
        });
    docks_ui(ui, view, state, out);
    let viewport = CentralPanel::no_frame()
        .show(ui, |ui| viewport_ui(ui, menu_open))
        .inner;
    state.docks.dividers_ui(ui);

    over_viewport_ui(ui, view, state, viewport.rect, menu_open, out);
    dialogs_ui(ui.ctx(), view, state, viewport.rect, out);
    viewport
}

fn is_comparing(view: &View) -> bool {
    view.settings.tab == Tab::Animate && view.settings.compare.on
}

/// What stands around the viewport: properties, timeline, lists.
fn docks_ui(ui: &mut Ui, view: &View, state: &mut PanelsState, out: &mut Vec<Request>) {
    let PanelsState {
        side,
        docks,
        compare,
        timeline,
        ..
    } = state;
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
        let side::SideState {
            fields, properties, ..
        } = side;
        properties::properties_ui(ui, view, fields, properties, state.working, out);
    });
    if view.settings.tab == Tab::Animate {
        let panel = Dock {
            name: "Timeline",
            edge: Edge::Bottom,
            suggested: (size.y * 0.3).min(280.0),
            range: 34.0..=(size.y * 0.7).max(34.0),
        };
        panel.show(ui, docks, |ui, _| timeline::timeline_ui(ui, view, timeline, out));
    } else {
        timeline.leave(view, out);
    }
    for text in timeline.take_news() {
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

/// Bars, banners and messages over the viewport.
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
        compare_view::compare_view_ui(ui, view, &state.compare, viewport, out);
    }
    // The tool's banner is below them, or above.
    let room = if state.draws_bones {
        vec2(0.0, BANNER)
    } else {
        Vec2::ZERO
    };
    let between = Rect::from_min_max(viewport.min + room, viewport.max - room);
    weights_view::legend_ui(
        &ctx,
        view,
        &mut state.side.properties.reports,
        between,
        &state.obstacles,
    );
    if let Some((at, vertex)) = state.probe.filter(|_| !menu_open) {
        let is_painting = matches!(state.side.properties.tool, Some(ToolOptions::Brush(_)));
        weights_view::probe_ui(&ctx, view, (at, is_painting), vertex, viewport);
    }
    view_bar::view_bar_ui(&ctx, view, viewport, out);
    state.timeline.end_frame(&ctx, out);
    if view.session.auto_key() && view.settings.tab == Tab::Animate {
        auto_key_ui(ui, viewport);
    }
    gizmo_bar::gizmo_bar_ui(&ctx, view, viewport, out);
    if !state.modal() {
        empty_view::empty_view_ui(&ctx, view, viewport, out);
    }
    let idle = state.working.is_none() && view.session.unkeyed().is_empty() && !state.draws_bones;
    if idle && !state.modal() {
        next_step::next_step_ui(&ctx, view, viewport);
    }
    unkeyed_banner::unkeyed_banner_ui(&ctx, view, between, &state.obstacles, out);
    let covered = messages::shown_areas(&ctx, OVER_THE_VIEWPORT);
    let step = view.session.history().step();
    messages::messages_ui(&ctx, &mut state.messages, viewport, &covered, step, out);
}

fn dialogs_ui(ctx: &Context, view: &View, state: &mut PanelsState, viewport: Rect, out: &mut Vec<Request>) {
    // Asked again once what is open has been answered.
    if let Some(recovery) = state.recovery.as_mut().filter(|_| !state.dialogs.modal())
        && recovery_dialog::recovery_ui(ctx, recovery, out)
    {
        state.recovery = None;
    }
    dialogs::dialogs_ui(ctx, view, &mut state.dialogs, out);
    palette::palette_ui(ctx, view, &mut state.palette, out);
    preferences_dialog::preferences_ui(ctx, view, &mut state.preferences, out);
    if let Some(dialog) = &mut state.file_dialog
        && file_dialog::file_dialog_ui(ctx, dialog, out)
    {
        state.file_dialog = None;
    }
    render::progress_ui(ctx, &mut state.render.progress, viewport, out);
    if state.file_dialog.is_none() {
        render::render_ui(ctx, view, &mut state.render, out);
    }
    export::export_ui(ctx, view, &mut state.export, out);
    if let Some(import) = &mut state.import
        && import::import_ui(ctx, view, import, out)
    {
        state.import = None;
    }
    if let Some(import) = &mut state.import_scene
        && import_scene::import_scene_ui(ctx, import, out)
    {
        state.import_scene = None;
    }
    if let Some(primitive) = &mut state.primitive
        && primitive::primitive_ui(ctx, view, primitive, out)
    {
        state.primitive = None;
    }
}

/// The height of a tool's banner, and the room beside it.
const BANNER: f32 = 48.0;

/// Areas with something to press, which messages must not cover.
const OVER_THE_VIEWPORT: &[&str] = &[
    "gizmo bar",
    "view bar",
    "unkeyed changes",
    "tool banner",
    "empty view",
    next_step::AREA,
    "rendering",
];

/// Whoever moves something sees that it will be keyed.
fn auto_key_ui(ui: &Ui, viewport: Rect) {
    let stroke = egui::Stroke::new(2.0, theme::AUTO_KEY);
    ui.painter()
        .rect_stroke(viewport, 0, stroke, egui::StrokeKind::Inside);
}

fn viewport_ui(ui: &mut Ui, menu_open: bool) -> Response {
    let rect = ui.available_rect_before_wrap();
    let response = ui.allocate_rect(
        rect,
        if menu_open {
            Sense::HOVER
        } else {
            Sense::CLICK | Sense::DRAG
        },
    );
    response.widget_info(|| WidgetInfo::labeled(WidgetType::Other, true, "Viewport"));
    response
}
