//! The tools in the window: passes the input to [`crate::edit::tool::driver`], and carries out its output.

use super::bounds::scene_bounds;
use super::brush::BeforeWeights;
use super::camera::navigate;
use super::lines::OverlayLines;
use super::motion_paths::Paths;
use super::state::ViewportState;
use crate::edit::action::Action;
use crate::edit::select::box_select::PixelBox;
use crate::edit::session::Session;
use crate::edit::settings::view::ViewSettings;
use crate::edit::settings::view_colors::ViewColors;
use crate::edit::tool::gizmo::{Element, GizmoPart, GizmoStyle, Role};
use crate::edit::tool::{Context, SkinDisplay};
use crate::editor::projection::layers::color;
use crate::editor::state::{Caches, Document, Redraw, Requests, Settings, Shown, ViewParams, view};
use crate::editor::ui::theme;
use bevy::prelude::*;
use bevy::window::RequestRedraw;
use bevy_egui::egui;

/// Passes the frame's events to the tools, and carries out what they request of the view.
pub fn run_tools(
    session: Res<Document>,
    mut settings: ResMut<Settings>,
    shown: Res<Shown>,
    mut caches: ResMut<Caches>,
    mut state: ResMut<ViewportState>,
    mut requests: ResMut<Requests>,
    (mut due, mut redraw, time, paths): (
        ResMut<Redraw>,
        MessageWriter<RequestRedraw>,
        Res<Time<Real>>,
        Res<Paths>,
    ),
) {
    let state = &mut *state;
    let (mut input, viewport) = (std::mem::take(&mut state.input), state.view());
    input.ticks = if state.tool.continues_at_rest() {
        redraw.write(RequestRedraw);
        state.ticks.since_last(time.elapsed_secs_f64())
    } else {
        state.ticks.stop()
    };
    let view = view(&session, &settings, &shown);
    let context = Context { view: &view, viewport: &viewport, paths: &paths };
    state.tool.frame_into(&context, &input, state.hovered_target.as_ref(), &mut state.output);
    requests.extend(state.output.requests.drain(..));
    if state.output.redraw {
        due.request();
    }
    if state.fit && state.physical_rect.is_some() {
        state.fit_to(scene_bounds(&view, &mut caches));
    }
    if state.tool.display().skin != SkinDisplay::Weights
        && let Some(before) = state.before_weights.take()
    {
        // What was switched off meanwhile stays off.
        if settings.display.weights_view && !before.weights_view {
            settings.display.weights_view = false;
        }
        if settings.display.show_skin && !before.show_skin {
            settings.display.show_skin = false;
        }
    }
    for step in std::mem::take(&mut state.output.navigation) {
        navigate(step, state, &mut settings);
    }
    if state.advance_transition() {
        redraw.write(RequestRedraw);
    }
    state.returns_to_perspective &= settings.display.orthographic;
    if settings.display.camera.is_none() {
        state.camera.orthographic = settings.display.orthographic;
    }
}

/// Chooses the tool of an action, or ends it.
pub fn choose_tool(
    action: Action,
    viewport: &mut ViewportState,
    session: &mut Session,
    settings: &mut ViewSettings,
    shown: &Shown,
) {
    if viewport.tool.choose(action, &view(session, settings, shown)) {
        session.cancel();
    }
    if viewport.tool.display().skin == SkinDisplay::Weights {
        let (weights_view, show_skin) = (settings.display.weights_view, settings.display.show_skin);
        viewport.before_weights.get_or_insert(BeforeWeights { weights_view, show_skin });
        (settings.display.weights_view, settings.display.show_skin) = (true, true);
    }
}

/// Draws the shapes of the tools.
pub fn draw_shapes(
    params: ViewParams,
    state: Res<ViewportState>,
    paths: Res<Paths>,
    mut lines: Gizmos<OverlayLines>,
) {
    let (view, viewport) = (params.view(), state.view());
    let colors = view.settings.options.view_colors();
    let context = Context { view: &view, viewport: &viewport, paths: &paths };
    for (shape, highlighted) in state.tool.shapes(&context) {
        for line in &shape.lines {
            lines.linestrip(line.points.iter().copied(), element_color(line, highlighted, &colors));
        }
        for piece in &shape.pieces {
            let hue = element_color(piece, highlighted, &colors);
            for ends in piece.points.chunks_exact(2) {
                if let [start, end] = ends {
                    lines.line(*start, *end, hue);
                }
            }
        }
        let is_shown = |face: &&Element| face.style != GizmoStyle::Clear || highlighted == Some(face.part);
        for face in shape.faces.iter().filter(is_shown) {
            let hue = element_color(face, highlighted, &colors);
            // Lines cannot fill a face, so nested outlines do.
            let middle = face.points.iter().sum::<Vec3>() / face.points.len().max(1) as f32;
            for step in 0..10 {
                let inset = step as f32 * 0.1;
                lines.lineloop(face.points.iter().map(|p| p.lerp(middle, inset)), hue);
            }
        }
    }
}

/// Returns the colour of an element on the background of the view.
fn element_color(element: &Element, highlighted: Option<GizmoPart>, colors: &ViewColors) -> Color {
    let on_background = |ink| theme::viewport::mark(ink, colors);
    let hue = match element.part.role {
        Role::X => on_background(theme::AXES[0]),
        Role::Y => on_background(theme::AXES[1]),
        Role::Z => on_background(theme::AXES[2]),
        Role::View => on_background(theme::viewport::SIGN),
        Role::Bone => theme::viewport::rgb(colors.selected),
        Role::Link => theme::viewport::rgb(colors.bones),
        Role::Snap => on_background(theme::viewport::HOVER),
        Role::Limit => on_background(theme::viewport::WARNING),
    };
    let alpha = match element.style {
        GizmoStyle::Plain | GizmoStyle::Mark => 1.0,
        GizmoStyle::Soft => 0.55,
        GizmoStyle::Faint => 0.35,
        GizmoStyle::Guide => 0.3,
        GizmoStyle::Clear => 0.25,
    };
    let hue = if highlighted == Some(element.part)
        && element.style != GizmoStyle::Mark
        && element.style != GizmoStyle::Guide
    {
        on_background(theme::viewport::HOVER)
    } else {
        hue
    };
    color(hue).with_alpha(alpha)
}

/// Draws a rectangle in pixels of the camera's area, `viewport`, which `ui` has left empty.
pub fn paint_area(ui: &egui::Ui, viewport: egui::Rect, area: PixelBox) {
    let point = |pixel: Vec2| viewport.min + egui::vec2(pixel.x, pixel.y);
    let rect = egui::Rect::from_min_max(point(area.min), point(area.max));
    let stroke = egui::Stroke::new(1.0, theme::viewport::HOVER);
    let fill = theme::viewport::HOVER.gamma_multiply(0.08);
    let painter = ui.painter().with_clip_rect(viewport);
    painter.rect(rect, 0.0, fill, stroke, egui::StrokeKind::Middle);
}
