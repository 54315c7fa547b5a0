//! Runs the panels once a frame, inside our own schedule, and hands the viewport's pointer to the tools.

use crate::edit::action::Action;
use crate::edit::request::Request;
use crate::edit::select::hover::{self, is_active_surface};
use crate::edit::select::probe::vertex_under;
use crate::edit::settings::options::Keymap;
use crate::edit::settings::view::{Tab, View};
use crate::edit::tool::Cursor;
use crate::edit::tool::driver::ToolController;
use crate::editor::app::jobs::comparing;
use crate::editor::app::wake::{Waker, repaint};
use crate::editor::panels::overlays::axis_gizmo::axis_gizmo_ui;
use crate::editor::panels::overlays::bone_names::bone_names_ui;
use crate::editor::panels::overlays::camera_frame::camera_frame_ui;
use crate::editor::panels::overlays::hover::hover_ui;
use crate::editor::panels::overlays::weights_view;
use crate::editor::panels::{PanelsState, frame_ui};
use crate::editor::state::{Panels, Requests, ViewParams};
use crate::editor::ui;
use crate::editor::ui::action::pressed_action;
use crate::editor::ui::drag_keys::own_key;
use crate::editor::ui::list;
use crate::editor::viewport::ViewportState;
use crate::editor::viewport::camera_view::camera_frame;
use crate::editor::viewport::tools::paint_area;
use bevy::prelude::*;
use bevy::window::RequestRedraw;
use bevy_egui::{EguiContext, EguiFullOutput, EguiInput, PrimaryEguiContext, egui};

type Contexts<'a> = (&'a mut EguiContext, &'a mut EguiInput, &'a mut EguiFullOutput);

pub fn run(
    mut contexts: Query<Contexts, With<PrimaryEguiContext>>,
    params: ViewParams,
    mut panels_state: ResMut<Panels>,
    mut viewport: ResMut<ViewportState>,
    mut requests: ResMut<Requests>,
    mut themed: Local<bool>,
    (waker, mut redraw): (Res<Waker>, MessageWriter<RequestRedraw>),
) {
    let Ok((mut context, mut input, mut output)) = contexts.single_mut() else {
        return;
    };
    let context = context.get_mut();
    if !*themed {
        ui::theme::apply(context);
        // Our own actions do that, and remember the scale.
        context.options_mut(|options| options.zoom_with_keyboard = false);
        *themed = true;
    }
    let (panels, viewport) = (&mut **panels_state, &mut *viewport);
    let view = params.view();
    let keys = &view.settings.options.keys;
    context.set_zoom_factor(view.settings.options.scale);
    let mut shown = None;
    let mut raw = input.take();
    // bevy_egui sends the modifiers every frame, and any event makes egui draw another frame: it would never
    // sleep.
    let modifiers = context.input(|input| input.modifiers);
    raw.events.retain(|event| *event != egui::Event::ModifiersChanged(modifiers));
    let dragging = viewport.tool.is_dragging();
    if panels.dialog_opened() {
        // The widget under the pointer is behind the dialog now.
        raw.events.insert(0, egui::Event::PointerGone);
    }
    let tabs_in_drag = take_keys(&mut raw, context, panels, &view, dragging, &mut requests);
    panels.probe = probe(&view, viewport);
    let tool = &viewport.tool;
    panels.tool = tool.chosen().map(|action| (action, tool.prompt().to_owned()));
    panels.timeline.set_has_tool(tool.is_chosen() || dragging);
    panels.side.properties.tool = viewport.tool.options(&view);
    let outside = &params.shown.outside_joints;
    let outside = (!params.shown.finds_outside_joints).then(|| outside.clone());
    panels.side.properties.outside_joints = outside;
    let hovered = hovered(&view, viewport, panels.probe.is_some());
    let camera_frame = camera_frame(viewport, view.settings, view.evaluated);
    panels.compare.captions = comparing::captions(view.evaluated, view.settings, &panels.compare);
    let full = context.run_ui(raw, |ui| {
        let hint = hint(&view, viewport, panels.probe, hovered.as_ref());
        let response = frame_ui(ui, &view, panels, &hint, &mut requests);
        for pane in viewport.shown_panes() {
            bone_names_ui(&ui.painter_at(response.rect), &view, &viewport.view(), pane);
        }
        over_viewport_ui(ui, viewport, &response, hovered.as_ref(), camera_frame.as_ref());
        axis_gizmo_ui(ui.ctx(), &viewport.camera, &view, response.rect, &mut requests);
        if !panels.takes_keys(ui.ctx()) {
            let actions = shortcuts(ui.ctx(), keys, &viewport.tool);
            let accepted = actions.into_iter().filter(|action| panels.accepts(*action));
            requests.extend(accepted.map(|action| Request::Act(action.for_key(&view))));
        }
        shown = Some(response);
    });
    if let Some(response) = shown {
        let typing = panels.takes_keys(context);
        viewport.take_response(&response, panels.view_areas, context, typing);
        for _ in 0..tabs_in_drag {
            viewport.tab_pressed();
        }
    }
    let delay = full.viewport_output.get(&egui::ViewportId::ROOT).map(|v| v.repaint_delay);
    repaint(delay.unwrap_or(std::time::Duration::MAX), &waker, &mut redraw);
    **output = Some(full);
}

/// Removes keys that mean our own actions but that egui would use. Returns how often Tab was pressed during a
/// drag.
fn take_keys(
    raw: &mut egui::RawInput,
    context: &egui::Context,
    panels: &PanelsState,
    view: &View,
    dragging: bool,
    requests: &mut Vec<Request>,
) -> usize {
    let keys = &view.settings.options.keys;
    // Egui moves the keyboard focus with Tab; while nothing has it, Tab is one of our shortcuts.
    let unfocused = context.memory(|memory| memory.focused().is_none());
    let mut tabs_in_drag = 0;
    if unfocused && !panels.takes_keys(context) {
        raw.events.retain(|event| {
            let egui::Event::Key { key: egui::Key::Tab, pressed: true, .. } = event else {
                return true;
            };
            if dragging {
                tabs_in_drag += 1
            } else {
                requests.extend(pressed_action(event, keys).map(Request::Act))
            }
            false
        });
    }
    // A focused button would treat the space bar as a click.
    let plays = view.settings.tab == Tab::Animate && !dragging && !panels.takes_keys(context);
    if plays && !unfocused {
        raw.events.retain(|event| match event {
            egui::Event::Key {
                key: egui::Key::Space,
                pressed: down,
                repeat,
                modifiers: egui::Modifiers::NONE,
                ..
            } => {
                if *down && !repeat {
                    requests.extend(pressed_action(event, keys).map(Request::Act));
                }
                false
            }
            _ => true,
        });
    }
    tabs_in_drag
}

/// Returns the text of the status bar.
fn hint(
    view: &View,
    viewport: &ViewportState,
    probe: Option<(egui::Pos2, u32)>,
    hovered: Option<&Hovered>,
) -> String {
    let probed = probe.and_then(|(_, vertex)| weights_view::probe_text(view, vertex));
    let named = hovered.map(|hovered| format!("{} · {}", hovered.name, viewport.hint()));
    // The keys of a tool and the effect of a dropped file are explained nowhere else.
    if viewport.tool.is_chosen() || viewport.drop_hint.is_some() {
        viewport.hint()
    } else {
        probed.or(named).unwrap_or_else(|| viewport.hint())
    }
}

/// Draws the cursor, the frame of a camera, the name of what is hovered and the rectangle of a drag.
fn over_viewport_ui(
    ui: &egui::Ui,
    viewport: &ViewportState,
    response: &egui::Response,
    hovered: Option<&Hovered>,
    camera_frame: Option<&(egui::Rect, String)>,
) {
    if response.contains_pointer() {
        match viewport.tool.cursor() {
            Cursor::Arrow => {}
            Cursor::Crosshair => ui.ctx().set_cursor_icon(egui::CursorIcon::Crosshair),
            Cursor::Grab => ui.ctx().set_cursor_icon(egui::CursorIcon::Grab),
        }
    }
    if let Some((frame, name)) = camera_frame {
        camera_frame_ui(&ui.painter_at(response.rect), viewport.pane(), *frame, &list::shorten(name));
    }
    if let Some(hovered) = hovered.filter(|hovered| hovered.labelled) {
        hover_ui(ui.ctx(), hovered.pointer, &hovered.name, viewport.rect());
    }
    if let Some(area) = viewport.tool.area() {
        paint_area(ui, viewport.pane(), area);
    }
}

/// The object under the pointer, by name.
struct Hovered {
    name: String,
    pointer: egui::Pos2,
    /// Whether the name is shown next to the pointer, too.
    labelled: bool,
}

/// Returns the object under the pointer, or the text of a tool for it; none during a drag, under a part of a gizmo without
/// text, and while bones are drawn.
fn hovered(view: &View, viewport: &ViewportState, probed: bool) -> Option<Hovered> {
    let pointer = viewport.pointer.filter(|_| viewport.hovered)?;
    if let Some(name) = viewport.tool.label() {
        return Some(Hovered { name, pointer, labelled: true });
    }
    let target = viewport.highlighted().filter(|_| !viewport.tool.is_dragging())?;
    let is_active = is_active_surface(view.session.selection(), target);
    Some(Hovered {
        name: list::shorten(&hover::name(view, target)?),
        pointer,
        labelled: !is_active && !probed,
    })
}

/// Returns the pointer and the vertex of the skin under it, in the weights view.
fn probe(view: &View, viewport: &ViewportState) -> Option<(egui::Pos2, u32)> {
    let pointer = viewport.pointer.filter(|_| viewport.hovered)?;
    if !view.settings.display.weights_view || viewport.tool.is_dragging() {
        return None;
    }
    let pixel = Vec2::new(pointer.x, pointer.y) - viewport.origin();
    let vertex = vertex_under(view, &viewport.view(), pixel)?;
    Some((pointer, vertex))
}

/// Whether a key types a part of a number.
fn is_digit(event: &egui::Event) -> bool {
    let egui::Event::Key { key, modifiers, .. } = event else {
        return false;
    };
    let name = key.name();
    let digit = name.len() == 1 && name.chars().all(|c| c.is_ascii_digit());
    modifiers.is_none() && (digit || matches!(key, egui::Key::Minus | egui::Key::Period))
}

/// Returns the actions of pressed shortcuts. While a tool is dragging, only its own keys count; while bones
/// are drawn, Esc ends that and deselects nothing.
fn shortcuts(context: &egui::Context, keys: &Keymap, tool: &ToolController) -> Vec<Action> {
    if tool.is_dragging() {
        return Vec::new();
    }
    let mut actions = context.input(|input| {
        let is_shortcut = |event: &&egui::Event| !tool.takes_numbers() || !is_digit(event);
        let own_keys = tool.shortcuts();
        let events = input.events.iter().filter(is_shortcut);
        let events = events.filter(|event| own_key(event, own_keys).is_none());
        events.filter_map(|event| pressed_action(event, keys)).collect::<Vec<_>>()
    });
    actions.retain(|action| !(tool.is_chosen() && *action == Action::DESELECT));
    actions
}
