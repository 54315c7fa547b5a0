//! Runs the panels once a frame, inside our own schedule, and hands the viewport's pointer to the tools.

use crate::edit::action::Action;
use crate::edit::active_rig::ActiveRig;
use crate::edit::hover::{self, is_own_surface};
use crate::edit::options::Keymap;
use crate::edit::probe::vertex_under;
use crate::edit::request::Request;
use crate::edit::tool::Cursor;
use crate::edit::tool::driver::ToolController;
use crate::edit::tool::gizmo::SIZE_PX;
use crate::edit::tool::placement::Placement;
use crate::edit::view::{Tab, View};
use crate::editor::app::comparing;
use crate::editor::app::wake::{Waker, repaint};
use crate::editor::panels::banner::banner_ui;
use crate::editor::panels::camera_frame::camera_frame_ui;
use crate::editor::panels::hover::hover_ui;
use crate::editor::panels::{PanelsState, frame_ui, weights_view};
use crate::editor::state::{Panels, Requests, Seen};
use crate::editor::ui;
use crate::editor::ui::action::pressed;
use crate::editor::ui::drag_keys::own_key;
use crate::editor::ui::list;
use crate::editor::ui::spot::Obstacle;
use crate::editor::viewport::ViewportState;
use crate::editor::viewport::camera_view::camera_frame;
use crate::editor::viewport::tools::paint_area;
use bevy::prelude::*;
use bevy::window::RequestRedraw;
use bevy_egui::{EguiContext, EguiFullOutput, EguiInput, PrimaryEguiContext, egui};

type Contexts<'a> = (&'a mut EguiContext, &'a mut EguiInput, &'a mut EguiFullOutput);

pub fn run(
    mut contexts: Query<Contexts, With<PrimaryEguiContext>>,
    seen: Seen,
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
        // Actions of ours do that, and remember it.
        context.options_mut(|options| options.zoom_with_keyboard = false);
        *themed = true;
    }
    let (panels, viewport) = (&mut **panels_state, &mut *viewport);
    let view = seen.view();
    let keys = &view.settings.options.keys;
    context.set_zoom_factor(view.settings.options.scale);
    let mut shown = None;
    let mut raw = input.take();
    // bevy_egui states the modifiers every frame, and egui takes any event for a reason to draw another
    // frame: it would never sleep.
    let modifiers = context.input(|input| input.modifiers);
    raw.events
        .retain(|event| *event != egui::Event::ModifiersChanged(modifiers));
    let dragging = viewport.tool.is_dragging();
    if panels.dialog_opened() {
        // What the pointer rests on is under the dialog now.
        raw.events.insert(0, egui::Event::PointerGone);
    }
    let tabs_in_drag = take_keys(&mut raw, context, panels, &view, dragging, &mut requests);
    panels.probe = probe(&view, viewport);
    panels.obstacles = obstacles(&view, viewport);
    panels.draws_bones = viewport.tool.is_chosen();
    panels.side.properties.tool = viewport.tool.options(&view);
    panels.side.properties.outside_joints = seen.shown.outside_joints.clone();
    let hovered = hovered(&view, viewport, panels.probe.is_some());
    let camera_frame = camera_frame(viewport, view.settings, view.evaluated);
    panels.compare.captions = comparing::captions(view.evaluated, view.settings, &panels.compare);
    let full = context.run_ui(raw, |ui| {
        let hint = hint(&view, viewport, panels.probe, hovered.as_ref());
        let response = frame_ui(ui, &view, panels, &hint, &mut requests);
        over_viewport_ui(ui, viewport, &response, hovered.as_ref(), camera_frame.as_ref());
        if !panels.takes_keys(ui.ctx()) {
            let asked = shortcuts(ui.ctx(), keys, &viewport.tool);
            let accepted = asked.into_iter().filter(|a| panels.accepts(*a));
            requests.extend(accepted.map(|action| Request::Act(action.by_key(&view))));
        }
        if let Some(action) = viewport.tool.chosen() {
            banner_ui(
                ui.ctx(),
                &view,
                viewport.rect(),
                &panels.obstacles,
                (action, viewport.tool.prompt()),
                &mut requests,
            );
        }
        shown = Some(response);
    });
    if let Some(response) = shown {
        let typing = panels.takes_keys(context);
        viewport.see(&response, context, typing);
        for _ in 0..tabs_in_drag {
            viewport.tab_pressed();
        }
    }
    let delay = full
        .viewport_output
        .get(&egui::ViewportId::ROOT)
        .map(|v| v.repaint_delay);
    repaint(delay.unwrap_or(std::time::Duration::MAX), &waker, &mut redraw);
    **output = Some(full);
}

/// Takes out keys that mean actions of ours while egui would take them for its own. How often Tab was pressed while
/// something is dragged.
fn take_keys(
    raw: &mut egui::RawInput,
    context: &egui::Context,
    panels: &PanelsState,
    view: &View,
    dragging: bool,
    requests: &mut Vec<Request>,
) -> usize {
    let keys = &view.settings.options.keys;
    // Egui moves the keyboard focus with Tab; while nothing has it, Tab is a shortcut of ours.
    let unfocused = context.memory(|memory| memory.focused().is_none());
    let mut tabs_in_drag = 0;
    if unfocused && !panels.takes_keys(context) {
        raw.events.retain(|event| {
            let egui::Event::Key {
                key: egui::Key::Tab,
                pressed: true,
                ..
            } = event
            else {
                return true;
            };
            match dragging {
                true => tabs_in_drag += 1,
                false => requests.extend(pressed(event, keys).map(Request::Act)),
            }
            false
        });
    }
    // A button that has the keyboard would take the space bar for a click.
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
                    requests.extend(pressed(event, keys).map(Request::Act));
                }
                false
            }
            _ => true,
        });
    }
    tabs_in_drag
}

/// What the status bar says.
fn hint(
    view: &View,
    viewport: &ViewportState,
    probe: Option<(egui::Pos2, u32)>,
    hovered: Option<&Hovered>,
) -> String {
    let probed = probe.and_then(|(_, vertex)| weights_view::probe_text(view, vertex));
    let named = hovered.map(|hovered| format!("{} · {}", hovered.name, viewport.hint()));
    // What the keys of a tool do is said nowhere else, nor what becomes of a file.
    match viewport.tool.is_chosen() || viewport.drop_hint.is_some() {
        true => viewport.hint(),
        false => probed.or(named).unwrap_or_else(|| viewport.hint()),
    }
}

/// The pointer, the frame of a camera, the name of what is hovered and the rectangle of a drag.
fn over_viewport_ui(
    ui: &egui::Ui,
    viewport: &ViewportState,
    response: &egui::Response,
    hovered: Option<&Hovered>,
    camera_frame: Option<&(egui::Rect, String)>,
) {
    if response.contains_pointer() && viewport.tool.cursor() == Cursor::Crosshair {
        ui.ctx().set_cursor_icon(egui::CursorIcon::Crosshair);
    }
    if let Some((frame, name)) = camera_frame {
        camera_frame_ui(ui.painter(), viewport.pane(), *frame, &list::short(name));
    }
    if let Some(hovered) = hovered.filter(|hovered| hovered.labelled) {
        hover_ui(ui.ctx(), hovered.at, &hovered.name, viewport.rect());
    }
    if let Some(area) = viewport.tool.area() {
        paint_area(ui, viewport.pane(), area);
    }
}

/// What is named under the pointer.
struct Hovered {
    name: String,
    at: egui::Pos2,
    /// Beside the pointer too.
    labelled: bool,
}

/// Handles, the base and the gizmo, in points; while drags begin anywhere, the base alone.
fn obstacles(view: &View, viewport: &ViewportState) -> Vec<Obstacle> {
    const BALL: f32 = 12.0;
    let mut places: Vec<(Vec3, f32)> = Vec::new();
    let graspable = !viewport.tool.display().drags_anywhere;
    if let Some(stage) = ActiveRig::from_view(view) {
        if view.settings.show_handles && graspable {
            let handles = 0..stage.skeleton.handles.len();
            places.extend(handles.filter_map(|handle| Some((stage.handle_target(handle)?, BALL))));
        }
        if view.settings.show_bones {
            places.push((stage.base(), BALL));
        }
        let part = view.session.selection().part.filter(|_| graspable);
        places.extend(part.map(|part| (stage.bounds_of(part).center(), SIZE_PX)));
    }
    let placed = Placement::from_view(view).filter(|_| graspable);
    places.extend(placed.map(|placed| (placed.origin(), SIZE_PX)));
    let (projection, corner) = (viewport.view(), viewport.pane().min);
    let seen = places.into_iter().filter_map(|(at, radius)| {
        let pixel = projection.project(at)?.pixel;
        let center = corner + egui::vec2(pixel.x, pixel.y);
        Some(Obstacle { center, radius })
    });
    seen.collect()
}

/// Nothing while something is dragged, where a part of a gizmo is in front, and while bones are drawn.
fn hovered(view: &View, viewport: &ViewportState, probed: bool) -> Option<Hovered> {
    let at = viewport.pointer.filter(|_| viewport.hovered)?;
    let target = viewport.lit().filter(|_| !viewport.tool.is_dragging())?;
    let own = is_own_surface(view.session.selection(), target);
    Some(Hovered {
        name: list::short(&hover::name(view, target)?),
        at,
        labelled: !own && !probed,
    })
}

/// In the weights view: where the pointer is, and the vertex of the skin that it is on.
fn probe(view: &View, viewport: &ViewportState) -> Option<(egui::Pos2, u32)> {
    let at = viewport.pointer.filter(|_| viewport.hovered)?;
    if !view.settings.heat || viewport.tool.is_dragging() {
        return None;
    }
    let pixel = Vec2::new(at.x, at.y) - viewport.origin();
    let vertex = vertex_under(view, &viewport.view(), pixel)?;
    Some((at, vertex))
}

/// A key of a number, as it is typed.
fn is_digit(event: &egui::Event) -> bool {
    let egui::Event::Key { key, modifiers, .. } = event else {
        return false;
    };
    let name = key.name();
    let digit = name.len() == 1 && name.chars().all(|c| c.is_ascii_digit());
    modifiers.is_none() && (digit || matches!(key, egui::Key::Minus | egui::Key::Period))
}

/// Keys that stand for actions. While a tool is dragging, only its own keys count; while bones
/// are drawn, Esc ends that and deselects nothing.
fn shortcuts(context: &egui::Context, keys: &Keymap, tool: &ToolController) -> Vec<Action> {
    if tool.is_dragging() {
        return Vec::new();
    }
    let mut actions = context.input(|input| {
        let begins = |event: &&egui::Event| !tool.takes_numbers() || !is_digit(event);
        let own = tool.own_keys();
        let events = input.events.iter().filter(begins);
        let events = events.filter(|event| own_key(event, own).is_none());
        events
            .filter_map(|event| pressed(event, keys))
            .collect::<Vec<_>>()
    });
    actions.retain(|action| !(tool.is_chosen() && *action == Action::DESELECT));
    actions
}
