//! The tools in the window: [`crate::edit::tool::driver`] fed with what the pointer did, and what it asks for carried out.

use super::cameras::color;
use super::overlay::OverLines;
use crate::edit::action::Action;
use crate::edit::box_select::PixelBox;
use crate::edit::tool::Context;
use crate::edit::tool::gizmo::{Element, GizmoPart, GizmoStyle, Role};
use crate::edit::view::View;
use crate::editor::Editor;
use crate::editor::ui::theme;
use bevy::prelude::*;
use bevy_egui::egui;

/// Hands the frame's events to the tools, and carries out what they ask of the view.
pub fn tools(mut editor: ResMut<Editor>, mut redraw: MessageWriter<bevy::window::RequestRedraw>) {
    let editor = editor.as_mut();
    let input = std::mem::take(&mut editor.viewport.input);
    let viewport = editor.viewport.view();
    let view = View {
        session: &editor.session,
        evaluated: &editor.evaluated,
        settings: &editor.settings,
    };
    let context = Context {
        view: &view,
        viewport: &viewport,
    };
    let over = editor.viewport.over.clone();
    let output = editor.viewport.tool.frame(&context, &input, over.as_ref());
    editor.requests.extend(output.requests);
    for step in output.navigation {
        editor.navigate(step);
    }
    if output.redraw {
        editor.draw_soon();
    }
    if editor.viewport.fit && editor.viewport.physical_rect.is_some() {
        editor.fit_view();
    }
    if editor.viewport.advance_transition() {
        redraw.write(bevy::window::RequestRedraw);
    }
    editor.viewport.returns_to_perspective &= editor.settings.orthographic;
    if editor.settings.camera.is_none() {
        editor.viewport.camera.orthographic = editor.settings.orthographic;
    }
}

impl Editor {
    /// Chooses the tool of an action, or ends it.
    pub(in crate::editor) fn choose_tool(&mut self, action: Action) {
        let view = View {
            session: &self.session,
            evaluated: &self.evaluated,
            settings: &self.settings,
        };
        if self.viewport.tool.choose(action, &view) {
            self.session.cancel();
        }
    }
}

/// Draws the shapes of the tools.
pub fn lines(editor: Res<Editor>, mut lines: Gizmos<OverLines>) {
    let (view, viewport) = (editor.view(), editor.viewport.view());
    let context = Context {
        view: &view,
        viewport: &viewport,
    };
    for (shape, highlighted) in editor.viewport.tool.shapes(&context) {
        for line in &shape.lines {
            lines.linestrip(line.points.iter().copied(), element_color(line, highlighted));
        }
        for face in &shape.faces {
            let hue = element_color(face, highlighted);
            // Lines have no inside: outlines within outlines fill it.
            let middle = face.points.iter().sum::<Vec3>() / face.points.len().max(1) as f32;
            for step in 0..10 {
                let inset = step as f32 * 0.1;
                lines.lineloop(face.points.iter().map(|p| p.lerp(middle, inset)), hue);
            }
        }
    }
}

fn element_color(element: &Element, highlighted: Option<GizmoPart>) -> Color {
    let hue = match element.part.role {
        Role::X => theme::AXES[0],
        Role::Y => theme::AXES[1],
        Role::Z => theme::AXES[2],
        Role::View => theme::TEXT_STRONG,
        Role::Bone => theme::viewport::SELECTED,
        Role::Link => theme::viewport::BONE,
        Role::Snap => theme::viewport::HOVER,
    };
    let alpha = match element.style {
        GizmoStyle::Plain => 1.0,
        GizmoStyle::Soft => 0.55,
        GizmoStyle::Faint => 0.35,
        GizmoStyle::Guide => 0.3,
    };
    let hue = match highlighted == Some(element.part) && element.style != GizmoStyle::Guide {
        true => theme::viewport::HOVER,
        false => hue,
    };
    color(hue).with_alpha(alpha)
}

/// Draws a rectangle of the viewport, which `ui` has left empty: in what the camera sees there.
pub fn paint_area(ui: &egui::Ui, viewport: egui::Rect, area: PixelBox) {
    let point = |at: Vec2| viewport.min + egui::vec2(at.x, at.y);
    let rect = egui::Rect::from_min_max(point(area.min), point(area.max));
    let stroke = egui::Stroke::new(1.0, theme::viewport::HOVER);
    let fill = theme::viewport::HOVER.gamma_multiply(0.08);
    let painter = ui.painter().with_clip_rect(viewport);
    painter.rect(rect, 0.0, fill, stroke, egui::StrokeKind::Middle);
}
