//! Runs the panels once a frame, inside our own schedule, and hands the viewport's pointer to the tools.

use super::viewport::ToolInHand;
use super::wake::{Waker, repaint};
use super::{Editor, panels, ui};
use crate::edit::action::{Action, Shortcut};
use crate::edit::probe::vertex_under;
use crate::edit::request::Request;
use crate::edit::view::{Tab, View};
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
                (true, false) => requests.push(Request::Act(Action::ToggleTab)),
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
                    requests.push(Request::Act(Action::Play));
                }
                false
            }
            _ => true,
        });
    }
    editor.panels.probe = editor.probe();
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
        let hint = probed.unwrap_or_else(|| viewport.hint());
        let response = panels::frame_ui(ui, &view, panels, &hint, &mut requests);
        if let Some(select) = viewport.tool.draws_box() {
            select.paint(ui, viewport.pane());
        }
        if !panels.takes_keys(ui.ctx()) {
            let asked = shortcuts(ui.ctx(), &viewport.tool);
            requests.extend(asked.into_iter().filter(|a| panels.hears(*a)).map(Request::Act));
        }
        if let Some(prompt) = viewport.tool.prompt() {
            panels::banner::banner_ui(ui.ctx(), viewport.rect(), prompt, &mut requests);
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
    if !full.textures_delta.is_empty() {
        // New letters reach the graphics card a frame after the text that needs them.
        editor.draw_soon();
    }
    let delay = full
        .viewport_output
        .get(&egui::ViewportId::ROOT)
        .map(|v| v.repaint_delay);
    repaint(delay.unwrap_or(std::time::Duration::MAX), &waker, &mut redraw);
    **output = Some(full);
}

impl Editor {
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
    context.input(|input| {
        let keys = input.events.iter().filter_map(|event| match event {
            egui::Event::Key {
                key,
                pressed: true,
                repeat,
                modifiers,
                ..
            } => {
                // Some keyboards name a key by what Shift makes of it.
                let key = match key {
                    egui::Key::OpenCurlyBracket => egui::Key::OpenBracket,
                    egui::Key::CloseCurlyBracket => egui::Key::CloseBracket,
                    key => *key,
                };
                let name = format!("{key:?}");
                let is = |s: &&Shortcut| {
                    s.key == name
                        && (s.ctrl, s.shift, s.alt) == (modifiers.command, modifiers.shift, modifiers.alt)
                };
                let found = Action::ALL
                    .iter()
                    .copied()
                    .find(|a| a.info().shortcuts.iter().any(|s| is(&s)));
                // Holding a key repeats undo and steps in time, nothing else.
                let ends_drawing = tool.draws_bones() && found == Some(Action::Deselect);
                let found = found.filter(|_| !ends_drawing);
                let repeats = |action: &Action| {
                    matches!(
                        action,
                        Action::Undo
                            | Action::Redo
                            | Action::PreviousFrame
                            | Action::NextFrame
                            | Action::PreviousKey
                            | Action::NextKey
                    )
                };
                found.filter(|action| !repeat || repeats(action))
            }
            _ => None,
        });
        keys.collect()
    })
}
