//! Runs the panels once a frame, inside our own schedule, and hands the viewport's pointer to the tools.

use crate::edit::action::Action;
use crate::edit::hover::{self, is_own_surface};
use crate::edit::probe::vertex_under;
use crate::edit::request::Request;
use crate::edit::stage::Stage;
use crate::edit::tool::gizmo::SIZE_PX;
use crate::edit::tool::instance::InstanceGizmo;
use crate::edit::view::{Tab, View};
use crate::editor::app::wake::{Waker, repaint};
use crate::editor::ui::action::pressed;
use crate::editor::ui::list;
use crate::editor::ui::spot::Obstacle;
use crate::editor::viewport::ToolInHand;
use crate::editor::{Editor, panels, ui};
use bevy::prelude::*;
use bevy::window::RequestRedraw;
use bevy_egui::{EguiContext, EguiFullOutput, EguiInput, PrimaryEguiContext, egui};

type Panels<'a> = (&'a mut EguiContext, &'a mut EguiInput, &'a mut EguiFullOutput);

pub fn run(
    mut contexts: Query<Panels, With<PrimaryEguiContext>>,
    mut editor: ResMut<Editor>,
    mut themed: Local<bool>,
    waker: Res<Waker>,
    mut redraw: MessageWriter<RequestRedraw>,
) {
    let Ok((mut context, mut input, mut output)) = contexts.single_mut() else {
        return;
    };
    let context = context.get_mut();
    if !*themed {
        ui::theme::apply(context);
        *themed = true;
    }
    let editor = editor.as_mut();
    let mut requests = std::mem::take(&mut editor.requests);
    let mut seen = None;
    let mut raw = input.take();
    // bevy_egui states the modifiers every frame, and egui takes any event for a reason to draw another
    // frame: it would never sleep.
    let modifiers = context.input(|input| input.modifiers);
    raw.events
        .retain(|event| *event != egui::Event::ModifiersChanged(modifiers));
    if editor.panels.dialog_opened() {
        // What the pointer rests on is under the dialog now.
        raw.events.insert(0, egui::Event::PointerGone);
    }
    // Egui moves the keyboard focus with Tab; while nothing has it, Tab is a shortcut of ours.
    let unfocused = context.memory(|memory| memory.focused().is_none());
    let dragging = editor.viewport.tool.is_dragging();
    let mut tabs_in_drag = 0;
    if unfocused && !editor.panels.takes_keys(context) {
        raw.events.retain(|event| {
            let tab = matches!(
                event,
                egui::Event::Key {
                    key: egui::Key::Tab,
                    pressed: true,
                    ..
                }
            );
            match (tab, dragging) {
                (true, true) => tabs_in_drag += 1,
                (true, false) => requests.push(Request::Act(Action::TOGGLE_TAB)),
                (false, _) => {}
            }
            !tab
        });
    }
    // A button that has the keyboard would take the space bar for a click.
    let plays = editor.settings.tab == Tab::Animate && !dragging && !editor.panels.takes_keys(context);
    if plays && !unfocused {
        raw.events.retain(|event| match event {
            egui::Event::Key {
                key: egui::Key::Space,
                pressed,
                repeat,
                modifiers: egui::Modifiers::NONE,
                ..
            } => {
                if *pressed && !repeat {
                    requests.push(Request::Act(Action::PLAY));
                }
                false
            }
            _ => true,
        });
    }
    editor.panels.probe = editor.probe();
    editor.panels.obstacles = editor.obstacles();
    editor.panels.draws_bones = editor.viewport.tool.draws_bones();
    editor.panels.side.outside_joints = editor.outside_joints.clone();
    let hovered = editor.hovered();
    let camera_frame = editor.camera_frame();
    editor.panels.compare.captions = editor.compare_captions();
    let full = context.run_ui(raw, |ui| {
        let Editor {
            session,
            evaluated,
            settings,
            panels,
            viewport,
            ..
        } = &mut *editor;
        let view = View {
            session,
            evaluated,
            settings,
        };
        let probed = panels
            .probe
            .and_then(|(_, vertex)| panels::heat::probe_text(&view, vertex));
        let named = hovered
            .as_ref()
            .map(|hovered| format!("{} · {}", hovered.name, viewport.hint()));
        let hint = probed.or(named).unwrap_or_else(|| viewport.hint());
        let response = panels::frame_ui(ui, &view, panels, &hint, &mut requests);
        if let Some((frame, name)) = &camera_frame {
            panels::camera_frame::camera_frame_ui(ui.painter(), viewport.pane(), *frame, &list::short(name));
        }
        if let Some(hovered) = hovered.as_ref().filter(|hovered| hovered.labelled) {
            panels::hover::hover_ui(ui.ctx(), hovered.at, &hovered.name, viewport.rect());
        }
        if let Some(select) = viewport.tool.draws_box() {
            select.paint(ui, viewport.pane());
        }
        if !panels.takes_keys(ui.ctx()) {
            let asked = shortcuts(ui.ctx(), &viewport.tool);
            requests.extend(asked.into_iter().filter(|a| panels.hears(*a)).map(Request::Act));
        }
        if let Some(prompt) = viewport.tool.prompt() {
            panels::banner::banner_ui(
                ui.ctx(),
                viewport.rect(),
                &panels.obstacles,
                prompt,
                &mut requests,
            );
        }
        seen = Some(response);
    });
    editor.requests = requests;
    if let Some(response) = seen {
        let typing = editor.panels.takes_keys(context);
        editor.viewport.see(&response, context, typing);
        for _ in 0..tabs_in_drag {
            editor.viewport.tab_pressed();
        }
    }
    let delay = full
        .viewport_output
        .get(&egui::ViewportId::ROOT)
        .map(|v| v.repaint_delay);
    repaint(delay.unwrap_or(std::time::Duration::MAX), &waker, &mut redraw);
    **output = Some(full);
}

/// What is named under the pointer.
struct Hovered {
    name: String,
    at: egui::Pos2,
    /// Beside the pointer too.
    labelled: bool,
}

impl Editor {
    /// Handles, the base and the gizmo, in points.
    fn obstacles(&self) -> Vec<Obstacle> {
        const BALL: f32 = 12.0;
        let view = self.view();
        let mut places: Vec<(Vec3, f32)> = Vec::new();
        if let Some(stage) = Stage::of(&view) {
            if self.settings.show_handles {
                let handles = 0..stage.skeleton.handles.len();
                places.extend(handles.filter_map(|handle| Some((stage.handle_target(handle)?, BALL))));
            }
            if self.settings.show_bones {
                places.push((stage.base(), BALL));
            }
            let part = self.session.selection().part;
            places.extend(part.map(|part| (stage.bounds_of(part).center(), SIZE_PX)));
        }
        places.extend(InstanceGizmo::of(&view).map(|gizmo| (gizmo.origin(), SIZE_PX)));
        let (viewport, corner) = (self.viewport.view(), self.viewport.pane().min);
        let seen = places.into_iter().filter_map(|(at, radius)| {
            let pixel = viewport.project(at)?.pixel;
            let center = corner + egui::vec2(pixel.x, pixel.y);
            Some(Obstacle { center, radius })
        });
        seen.collect()
    }

    /// Nothing while something is dragged, where a part of a gizmo is in front, and while bones are drawn.
    fn hovered(&self) -> Option<Hovered> {
        let at = self.viewport.pointer.filter(|_| self.viewport.hovered)?;
        let tool = &self.viewport.tool;
        if tool.is_dragging() || tool.draws_bones() || tool.is_over_gizmo() {
            return None;
        }
        let target = self.viewport.over.as_ref()?;
        let own = is_own_surface(self.session.selection(), target);
        Some(Hovered {
            name: list::short(&hover::name(&self.view(), target)?),
            at,
            labelled: !own && self.panels.probe.is_none(),
        })
    }

    /// In the heat view: where the pointer is, and the vertex of the skin that it is on.
    fn probe(&self) -> Option<(egui::Pos2, u32)> {
        let at = self.viewport.pointer.filter(|_| self.viewport.hovered)?;
        if !self.settings.heat || self.viewport.tool.is_dragging() {
            return None;
        }
        let pixel = Vec2::new(at.x, at.y) - self.viewport.origin();
        let vertex = vertex_under(&self.view(), &self.viewport.view(), pixel)?;
        Some((at, vertex))
    }
}

/// Keys that stand for actions. While the tool in hand is dragging, only its own keys count; while bones
/// are drawn, Esc ends that and deselects nothing.
fn shortcuts(context: &egui::Context, tool: &ToolInHand) -> Vec<Action> {
    if tool.is_dragging() {
        return Vec::new();
    }
    let mut actions = context.input(|input| input.events.iter().filter_map(pressed).collect::<Vec<_>>());
    actions.retain(|action| !(tool.draws_bones() && *action == Action::DESELECT));
    actions
}
